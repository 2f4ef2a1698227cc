/* One engine with one agent, as the verbs use it: made from options, fed, and pumped. A scripted agent answers what is
 * sent to it.
 *
 * The session takes every event of the engine. It shows each to the verb's `event` function (which may not call the
 * engine), then does what the session itself is for: a message to the agent goes through the rules of the script, whose
 * replies are fed back.
 */
#ifndef SJ_CMD_SESSION_H
#define SJ_CMD_SESSION_H

#include "cmd/cmd.h"
#include "face/text/text.h"

/* What the scripted agent will send when its time comes. */
struct cmd_later {
	int64_t due_ms;
	uint32_t order; /* of two with one time, the one asked for first goes first */
	char *text;     /* NUL-terminated */
	size_t len;
};

struct cmd_session {
	struct sj_mem *mem;
	struct sj_engine *engine;
	uint32_t peer;
	struct sj_value rules; /* array of {"on": {...}, "reply": [...], "then": [{"then": ..., "after": ...}]} */
	SJ_VEC(struct cmd_later) later;
	uint32_t later_order;
	bool refuse_tools; /* answer every wanted effect with UNAVAILABLE when `host` does not */
	void (*event)(void *ctx, const struct sj_event *ev);
	void *ctx;
	/* The program around the engine, where it is more than the command (the demos): sees every event before the
	 * agent does. It may call the engine once it has read what it needs of *ev. True: it is done with; a message
	 * then never reaches the agent, and what was wanted is answered by the host, now or later. */
	bool (*host)(struct cmd_session *s, const struct sj_event *ev);
	void *host_ctx;
	struct cmd_recorder *recorder; /* record.h; NULL: nobody records */
};

const struct sj_value *cmd_member(const struct sj_value *v,
                                  const char *key); /* NULL unless v is an object that has it */
/* CMD_OK, or an exit status after saying why. `cfg` may be NULL. */
int cmd_session_open(struct cmd_session *s, struct sj_mem *mem, const struct sj_engine_config *cfg);
void cmd_session_close(struct cmd_session *s);
bool cmd_engine_config(const struct cmd_args *args, struct sj_engine_config *out); /* false: said why */
int cmd_session_catalogs(struct cmd_session *s, const struct cmd_args *args);
int cmd_session_catalog(struct cmd_session *s, struct sj_slice json, const char *name);
/* Feeds bytes and takes all events. `end`: nothing more comes in this document. */
enum sj_status cmd_session_feed(struct cmd_session *s, struct sj_slice bytes, bool end);
enum sj_status cmd_session_pump(struct cmd_session *s);
/* Lets time pass: the engine's deadlines and the agent's later messages, each at its own moment. */
enum sj_status cmd_session_advance(struct cmd_session *s, int64_t now_ms);
int64_t cmd_session_due(const struct cmd_session *s); /* when something will happen by itself; INT64_MAX: never */

/* agent.c: the scripted agent. A rule is {"on": ..., "reply": [...]}, or {"then": message, "after": ms}, which belongs
 * to the rule before it. */
enum sj_status cmd_session_rule(struct cmd_session *s, const struct sj_value *step);
enum sj_status cmd_agent_answer(struct cmd_session *s,
                                const struct sj_value *sent); /* feeds what the rules say to it */
void cmd_agent_finish(struct cmd_session *s);

/* A script of the replay format rather than messages? */
bool cmd_is_script(struct sj_mem *mem, struct sj_slice text);
/* Messages of an agent, and no script? */
bool cmd_holds_messages(struct sj_mem *mem, struct sj_slice text);
/* Feeds a file: messages, or a script's rules and agent steps. */
int cmd_session_play(struct cmd_session *s, struct sj_slice text);

/* play.c: how the picture shall look; false: said why. And the whole verb `play` with a session that a host has
 * prepared: input is fed, then there is a dialogue (on a terminal, when `may_talk`, or with --dialogue) or a still
 * picture. Returns an exit status. */
bool cmd_look(const struct cmd_args *args, struct sj_text_options *out);
int cmd_play_session(struct cmd_session *s, const struct cmd_args *args, struct sj_slice input, bool may_talk);

/* Expands a reply: each string "{{/pointer}}" becomes the value there in `sent`; the result is printed. */
void cmd_expand(struct sj_mem *mem, const struct sj_value *reply, const struct sj_value *sent, struct sj_buf *out);

/* record.c, as the session uses it. */
void cmd_record_event(struct cmd_session *s, const struct sj_event *ev);
void cmd_record_forget(struct cmd_session *s); /* what was recorded goes unwritten; NULL is fine */

/* report.c: a diagnostic as one JSON object, members sorted. `full`: hint, offset, severity, version too. */
struct cmd_fault {
	const struct sj_diag *diag;
	struct sj_slice surface_id, version;
	uint32_t message, line, column;   /* 0: unknown */
	struct sj_slice component;        /* whom a lint is about, empty: none; its pointer counts from there */
};
void cmd_put_fault(struct sj_buf *out, const struct cmd_fault *f, bool full);
/* A session's `event` (with this as its ctx) that gathers the errors as lines {"error": {...}}. */
struct cmd_faults {
	struct sj_buf lines;
	struct sj_slice text; /* the input, for line numbers */
	uint32_t count;
};
void cmd_faults_event(void *ctx, const struct sj_event *ev);
/* Version of the surface or of the outbound error that goes with a DIAG event; "" when unknown. */
struct sj_slice cmd_event_version(const struct sj_event *ev);

#endif
