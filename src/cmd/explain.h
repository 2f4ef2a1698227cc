/* What the files of the verb `explain` share. */
#ifndef SJ_CMD_EXPLAIN_H
#define SJ_CMD_EXPLAIN_H

#include "cmd/session.h"

struct refusal { /* one message that was refused */
	struct sj_diag diag; /* its first fault */
	uint32_t message, faults;
	struct sj_slice surface_id; /* in the arena */
	struct sj_value parsed;     /* the message; ABSENT: it was no JSON */
	struct sj_value fix;        /* {"changed": [sentence], "send": [message]}, or ABSENT */
};
struct explain {
	struct cmd_session session;
	struct sj_mem *mem;
	struct sj_arena arena;
	struct sj_slice text; /* the input */
	bool in_file;         /* offsets count in it; of a script they count in what it sent */
	bool json, nomem;
	struct sj_slice component; /* asked for; ptr NULL: all */
	SJ_VEC(struct refusal) refusals;
	SJ_VEC(size_t) ends; /* of lines */
	uint32_t gone;       /* message that deleted a surface last */
	uint32_t faults;     /* shown, that are more than information */
};

uint32_t explain_line(const struct explain *x, uint64_t offset);
bool explain_is_refusal(const struct sj_event *ev);
void explain_show(struct explain *x, const struct sj_value *finding);

/* explain_mend.c: fills `fix` of each refusal that can be mended. */
void explain_mend(struct explain *x, const struct cmd_args *args, const struct sj_engine_config *cfg);
bool explain_brings(const struct refusal *r, struct sj_slice id); /* defines this component; ptr NULL: any */
/* A finding that is there because a message was refused says so, and suggests what mends that. */
void explain_blame(struct explain *x, struct sj_value *finding);

#endif
