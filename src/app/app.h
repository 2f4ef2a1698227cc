/* The desktop program: everything that needs GTK. The command `shoji` starts it for its verbs `window`, `open` and
 * `shot`.
 */
#ifndef SJ_APP_APP_H
#define SJ_APP_APP_H

#include "app/words.h"
#include "cmd/session.h"

int app_window(const struct cmd_args *args); /* desktop.c */
int app_open(const struct cmd_args *args);
int app_shot(const struct cmd_args *args);

/* A number that an option gives, within bounds; false: said what is wrong. Absent: *out stays. */
bool app_number(const struct cmd_args *args, enum cmd_option option, int least, int most, int *out);
/* A session for FILE of the arguments: made, its catalogs read, FILE's text in *text (to be finished by the caller).
 * CMD_OK, or an exit status after saying why; the session is closed then. */
int app_session(const struct cmd_args *args, struct cmd_session *s, struct sj_buf *text);
/* GTK, with or without a display: then an X server is started that ends with this process. false: said why not. */
bool app_display(void);
int64_t app_now_ms(const struct cmd_args *args); /* --now, else the clock */

#endif
