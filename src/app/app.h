/* The desktop program: everything that needs GTK. The command `shoji` starts it for its verbs `open` and `shot`. */
#ifndef SJ_APP_APP_H
#define SJ_APP_APP_H

#include <adwaita.h>

#include "cmd/session.h"

struct app_shot {
	const char *out;
	int width, height; /* pixels; height 0: as much as the surface wants */
	bool dark;
};
int app_shot(const struct app_shot *o, struct cmd_session *s, struct sj_slice text);

#endif
