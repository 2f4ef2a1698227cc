/* Scripts of agent, person and expectations: the project's own test format, described in docs/replay.md. */
#ifndef SJ_CMD_REPLAY_H
#define SJ_CMD_REPLAY_H

#include "cmd/demo.h"

struct cmd_replay_result {
	uint32_t steps, expectations, failures;
};
/* `fail` gets each failed expectation or step: its line and a sentence. CMD_OK also when expectations failed: read the
 * result. CMD_INVALID: the script itself is no script (told through `fail`). */
int cmd_replay_run(struct sj_mem *mem, struct sj_slice script,
                   void (*fail)(void *ctx, uint32_t line, struct sj_slice text), void *ctx,
                   struct cmd_replay_result *out);

/* Shared by replay.c and expect.c. */
struct cmd_wanted {
	uint64_t call_id;
	struct sj_value name;
};
struct cmd_replay {
	struct cmd_session session;
	struct sj_mem *mem;
	const struct sj_demo *demo; /* the host of the session; NULL: none */
	bool open; /* the session exists: it is made at the first step that needs it */
	struct sj_value sent, metadata, errors, warnings, called, done; /* since the last expectation */
	SJ_VEC(struct cmd_wanted) wanted;                     /* unanswered, oldest first */
	char locale[64], zone[64]; /* the engine keeps pointers to them */
	struct sj_text_picture picture;
	uint32_t line, errors_line;
	struct sj_buf why; /* what the running step found wrong; empty: nothing */
	struct cmd_replay_result result;
};
/* The view a step is about: its "surface", else the newest. NULL: `why` says so. */
struct sj_view *cmd_replay_view(struct cmd_replay *r, const struct sj_value *step);
/* Node of "id" with "rows", or of "id@0.2". 0: `why` says so. */
sj_node_id cmd_replay_node(struct cmd_replay *r, struct sj_view *v, struct sj_slice id, const struct sj_value *rows);
void cmd_expect(struct cmd_replay *r, const struct sj_value *expect);

#endif
