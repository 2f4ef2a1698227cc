/* What the files of the verb `explain` share. */
#ifndef SJ_CMD_EXPLAIN_H
#define SJ_CMD_EXPLAIN_H

#include "cmd/session.h"

struct refusal { /* one message that was refused */
	struct sj_diag diag; /* its first fault */
	uint32_t message, faults;
	struct sj_slice surface_id; /* in the arena */
	struct sj_value fix;        /* {"patch": ..., "of": N}, {"send": ..., "before": N}, or absent */
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
void explain_show(struct explain *x, const struct sj_value *finding);

#endif
