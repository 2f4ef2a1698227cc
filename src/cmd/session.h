/* One engine with one agent, as the verbs use it: made from options, fed, and pumped. A scripted agent answers what is sent to it.
 *
 * The session takes every event of the engine. It shows each to the verb's `event` function (which may not call the engine), then does what
 * the session itself is for: a message to the agent goes through the rules of the script, whose replies are fed back.
 */
#ifndef SJ_CMD_SESSION_H
#define SJ_CMD_SESSION_H

#include "cmd/cmd.h"
#include "face/text/text.h"

struct cmd_session {
	struct sj_mem *mem;
	struct sj_engine *engine;
	uint32_t peer;
	struct sj_value rules; /* array of {"on": {...}, "reply": [...]} */
	bool refuse_tools;     /* answer every wanted effect with UNAVAILABLE when `tool` does not */
	void (*event)(void *ctx, const struct sj_event *ev);
	void *ctx;
	/* For hosts in C (the demos). `tool` answers a wanted effect or call: it writes the result as JSON and returns true. `agent` stands
	 * for the agent: it writes messages, one a line, that are fed in answer to a SEND. Neither may call the engine. Both may be NULL. */
	bool (*tool)(void *host_ctx, const struct sj_event *ev, struct sj_buf *result);
	void (*agent)(void *host_ctx, const struct sj_event *ev, struct sj_buf *messages);
	void *host_ctx;
};

/* CMD_OK, or an exit status after saying why. `cfg` may be NULL. */
int cmd_session_open(struct cmd_session *s, struct sj_mem *mem, const struct sj_engine_config *cfg);
void cmd_session_close(struct cmd_session *s);
bool cmd_engine_config(const struct cmd_args *args, struct sj_engine_config *out); /* false: said why */
int cmd_session_catalogs(struct cmd_session *s, const struct cmd_args *args);
int cmd_session_catalog(struct cmd_session *s, struct sj_slice json, const char *name);
/* Feeds bytes and takes all events. `end`: nothing more comes in this document. */
enum sj_status cmd_session_feed(struct cmd_session *s, struct sj_slice bytes, bool end);
enum sj_status cmd_session_pump(struct cmd_session *s);
enum sj_status cmd_session_rule(struct cmd_session *s, const struct sj_value *step); /* {"on": ..., "reply": ...} */

/* A script of the replay format rather than messages? */
bool cmd_is_script(struct sj_mem *mem, struct sj_slice text);
/* Feeds a file: messages, or a script's rules and agent steps. */
int cmd_session_play(struct cmd_session *s, struct sj_slice text);

/* play.c: how the picture shall look; false: said why. And the whole verb `play` with a session that a host has prepared: input is fed,
 * then there is a dialogue (on a terminal, when `may_talk`, or with --dialogue) or a still picture. Returns an exit status. */
bool cmd_look(const struct cmd_args *args, struct sj_text_options *out);
int cmd_play_session(struct cmd_session *s, const struct cmd_args *args, struct sj_slice input, bool may_talk);

/* Expands a reply: each string "{{/pointer}}" becomes the value there in `sent`; the result is printed. */
void cmd_expand(struct sj_mem *mem, const struct sj_value *reply, const struct sj_value *sent, struct sj_buf *out);

/* report.c: a diagnostic as one JSON object, members sorted. `full`: hint, offset, severity, version too. */
struct cmd_fault {
	const struct sj_diag *diag;
	struct sj_slice surface_id, version;
	uint32_t message, line;
};
void cmd_put_fault(struct sj_buf *out, const struct cmd_fault *f, bool full);
/* Version of the surface or of the outbound error that goes with a DIAG event; "" when unknown. */
struct sj_slice cmd_event_version(const struct sj_event *ev);

#endif
