/* The demos: small hosts written in C, each in a folder of demos/, that bring components and functions of their own and
 * a scripted agent. The verb `demo` shows them to a person; a replay script names one in its config and drives it.
 */
#ifndef SJ_CMD_DEMO_H
#define SJ_CMD_DEMO_H

#include "cmd/session.h"

struct sj_demo {
	const char *name, *title;
	const char
		*script; /* the agent, in the replay format: what it sends first, and the rules by which it answers */
	bool gate_surface;
	/* Registers catalogs and puts the host into the session. `live`: a person looks on; else nothing may depend on
	 * the machine. Returns an exit status, after saying why when it is none of CMD_OK; detach undoes it in every
	 * case. */
	int (*attach)(struct cmd_session *s, bool live);
	void (*detach)(struct cmd_session *s);
};
extern const struct sj_demo *const SJ_DEMOS[]; /* ends with NULL */

const struct sj_demo *cmd_demo_find(struct sj_slice name); /* NULL: none */

#endif
