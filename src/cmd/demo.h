/* The demos: small hosts written in C, each in a folder of demos/, that bring their own components, functions and agent. */
#ifndef SJ_CMD_DEMO_H
#define SJ_CMD_DEMO_H

#include "cmd/cmd.h"

struct sj_demo {
	const char *name, *title;
	/* A host in a terminal: the dialogue when there is one to talk to, else a still picture. Returns an exit status (enum cmd_exit). */
	int (*run)(const struct cmd_args *args);
};
extern const struct sj_demo *const SJ_DEMOS[]; /* ends with NULL */

#endif
