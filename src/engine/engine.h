/* The engine: peers, surfaces of every language and version, time, events. No I/O of its own: everything that happens
 * enters through the inlets below (feed, input, press, answer, advance, env), so recording them is enough to replay a
 * session to a byte-equal tree.
 *
 * Pull-based: the embedder feeds, then takes events with sj_engine_next until SJ_ABSENT. Registered PURE functions are
 * the only code that is called back, and they may not call the engine. Input during a drain of events is legal; nothing
 * recurses into the embedder. One engine belongs to one thread. Slices and pointers in events and views are borrowed
 * until the next call on the engine. The public header include/shoji/shoji.h is the same contract for embedders.
 */
#ifndef SJ_ENGINE_ENGINE_H
#define SJ_ENGINE_ENGINE_H

#include "a2ui/catalog.h"
#include "a2ui/lint_rules.h"
#include "surface/surface.h"

struct sj_engine;
struct sj_view; /* one surface of one peer */

/* What a message may leave open. All false is strict; a live renderer allows the first three, since the rest may still
 * arrive. */
struct sj_strictness {
	bool allow_orphans, allow_dangling, allow_missing_root, allow_unknown;
	bool skip_graph; /* no topology phase at all (the suites' "no config") */
};

struct sj_engine_config {
	uint32_t size; /* sizeof this struct */
	const struct sj_limits *limits; /* NULL: SJ_LIMITS_DEFAULT */
	sj_resize_fn resize;            /* NULL: malloc family */
	void *resize_ctx;
	struct sj_strictness strictness;
	bool strict;                    /* false: `strictness` is ignored and the live preset is used */
	bool gate_surface; /* submit_gate = surface: a button obeys every check on the surface (docs/decisions) */
	enum sj_dialect dialect;        /* of v1.0 keys; AUTO decides per message */
	const char *locale, *time_zone; /* NULL: "en", "UTC" */
	const struct sj_locales *locales; /* NULL: built-in */
	bool lazy_rows;                 /* see sj_surface_options */
	bool no_basic;                  /* do not register the basic and minimal catalogs */
	bool alias_unknown_catalogs;    /* suites only: an unknown catalogId of a createSurface becomes a permissive
	                                   catalog */
	bool keep_refused;              /* DIAG events bring the message that was refused (`source`) */
	int64_t now_ms;                 /* the clock at start (Unix ms); moves only through sj_engine_advance */
};

/* The basic and minimal catalogs and peer 0 are there already. SJ_NOMEM; the caller owns *out, destroy takes NULL. */
enum sj_status sj_engine_create(const struct sj_engine_config *cfg, struct sj_engine **out);
void sj_engine_destroy(struct sj_engine *e);
size_t sj_engine_memory(const struct sj_engine *e); /* bytes in use */
const struct sj_limits *sj_engine_limits(const struct sj_engine *e);
struct sj_mem *sj_engine_mem(struct sj_engine *e);

/* Catalogs: registered before or between messages. A second catalog with an id of the same version family is refused
 * (CatalogError). */
enum sj_status sj_engine_add_catalog(struct sj_engine *e, struct sj_slice json, struct sj_slice id,
                                     enum sj_version version, struct sj_diag *diag);
enum sj_status sj_engine_add_host_catalog(struct sj_engine *e, const struct sj_host_catalog *host,
                                          struct sj_diag *diag);
enum sj_status sj_engine_add_permissive(struct sj_engine *e, struct sj_slice id, enum sj_version version);
uint32_t sj_engine_catalog_count(const struct sj_engine *e);
const struct sj_catalog *sj_engine_catalog_at(const struct sj_engine *e, uint32_t i);

/* Peers. 0 is the host itself. Names are for people and logs. SJ_NOMEM. */
enum sj_status sj_engine_peer_open(struct sj_engine *e, struct sj_slice name, uint32_t *peer);
void sj_engine_peer_close(struct sj_engine *e, uint32_t peer); /* its surfaces go */

/* Inlets. Bytes in any split: messages, arrays of messages, {messages:[...]}, JSON lines, any mix of versions. Faults
 * become DIAG events and, where the version lets a renderer answer, exactly one outbound `error` each; the return value
 * is SJ_NOMEM or SJ_OK. */
enum sj_status sj_engine_feed(struct sj_engine *e, uint32_t peer, const char *bytes, size_t n);
enum sj_status sj_engine_feed_end(struct sj_engine *e, uint32_t peer); /* flushes; the peer may be fed again */
/* One decoded message, for tests and tools: the first fault instead of events (outbound error still queued). */
enum sj_status sj_engine_message(struct sj_engine *e, uint32_t peer, struct sj_slice json, struct sj_diag *diag);

/* What a person typed or chose, on one node (struct sj_input). SJ_INVALID (STATE) when the node is dead,
 * takes no input or is disabled; nothing is written then. SJ_NOMEM. */
enum sj_status sj_engine_input(struct sj_engine *e, struct sj_view *v, const struct sj_input *in, struct sj_diag *diag);
/* A person pressed an action node: checks, then the action with its context resolved now. SJ_INVALID (STATE) when dead,
 * without an action, or disabled. */
enum sj_status sj_engine_press(struct sj_engine *e, struct sj_view *v, sj_node_id node, struct sj_diag *diag);
/* State of this screen alone (selected tab, open modal, scroll); it never leaves. Takes the value, also when it fails.
 * SJ_INVALID: the node is dead. SJ_NOMEM. */
enum sj_status sj_engine_set_local(struct sj_engine *e, struct sj_view *v, sj_node_id node, struct sj_slice name,
                                   struct sj_value take);
/* locale, timeZone, direction, appearance, widthClass; v NULL: all surfaces and the ones to come. SJ_NOMEM. */
enum sj_status sj_engine_set_env(struct sj_engine *e, struct sj_view *v, struct sj_slice name, struct sj_slice value);
/* What is due by then times out. The clock never goes back: an earlier time counts as the one before. */
enum sj_status sj_engine_advance(struct sj_engine *e, int64_t now_ms);
int64_t sj_engine_deadline(const struct sj_engine *e); /* when advance is next wanted; INT64_MAX: never */
int64_t sj_engine_now(const struct sj_engine *e);

/* Answers a TOOL_WANTED or CALL_WANTED event. error_code empty: `json` is the result (empty: null). SJ_ABSENT: nobody
 * waits for it any more. SJ_INVALID, SJ_LIMIT: `json` is none, or too much; the call waits on. */
enum sj_status sj_engine_answer(struct sj_engine *e, uint64_t call_id, struct sj_slice json, struct sj_slice error_code,
                                struct sj_slice error_message);
/* The host calls a function of the agent that owns the surface (v1.0 callAgentFunction). Settles as a CALL_DONE event.
 * timeout_ms 0: the default. */
enum sj_status sj_engine_call_agent(struct sj_engine *e, struct sj_view *v, struct sj_slice function,
                                    struct sj_slice catalog_id, struct sj_slice args_json, uint32_t timeout_ms,
                                    uint64_t *call_id, struct sj_diag *diag);
enum sj_status sj_engine_cancel(struct sj_engine *e, uint64_t call_id); /* CALL_DONE with CANCELLED */
/* While a person's gesture is under way (the host's own token, per event): lets the agent call functions that need it.
 * A press carries its own. */
void sj_engine_activate(struct sj_engine *e, bool active);
/* The host writes a surface as its own agent would (the dining demo's payment screen): one message, peer stays the
 * owner. */
enum sj_status sj_engine_host_message(struct sj_engine *e, uint32_t as_peer, struct sj_slice json,
                                      struct sj_diag *diag);

/* Whoever records a session sees each inlet twice: before it takes effect, and then with its status. The function may
 * read the engine and settle surfaces; it calls no inlet. What it is given is borrowed until it returns. One at a time;
 * fn NULL: none. */
enum sj_inlet_kind {
	SJ_IN_FEED,     /* peer, text */
	SJ_IN_FEED_END, /* peer */
	SJ_IN_INPUT,    /* view, input */
	SJ_IN_PRESS,    /* view, node */
	SJ_IN_LOCAL,    /* view, node, name, value */
	SJ_IN_ENV,      /* view or NULL, name, text */
	SJ_IN_ADVANCE,  /* now_ms */
	SJ_IN_ANSWER,   /* call_id, text, error_code, error_message */
	SJ_IN_CALL,     /* view, name, text (arguments), catalog_id, timeout_ms */
	SJ_IN_CANCEL,   /* call_id */
	SJ_IN_MESSAGE,  /* peer, text */
};
struct sj_inlet {
	enum sj_inlet_kind kind;
	bool done;             /* `status` tells how it went */
	enum sj_status status;
	uint32_t peer, timeout_ms;
	struct sj_view *view;
	sj_node_id node;
	const struct sj_input *input;
	const struct sj_value *value;
	struct sj_slice name, text, catalog_id, error_code, error_message;
	int64_t now_ms;
	uint64_t call_id;
};
typedef void (*sj_inlet_fn)(void *ctx, const struct sj_inlet *in);
void sj_engine_witness(struct sj_engine *e, sj_inlet_fn fn, void *ctx);

/* Surfaces, in order of creation. */
uint32_t sj_engine_view_count(const struct sj_engine *e);
struct sj_view *sj_engine_view_at(const struct sj_engine *e, uint32_t i);
struct sj_view *sj_engine_view(const struct sj_engine *e, uint32_t peer,
                               struct sj_slice surface_id); /* NULL: none; peer UINT32_MAX: any */
struct sj_slice sj_view_id(const struct sj_view *v);
uint32_t sj_view_peer(const struct sj_view *v);
enum sj_version sj_view_version(const struct sj_view *v);
struct sj_surface *sj_view_surface(const struct sj_view *v);
const struct sj_value *sj_view_theme(const struct sj_view *v); /* NULL: none */
bool sj_view_begun(const struct sj_view *v); /* false: of v0.8, and still waiting for its beginRendering */
bool sj_view_sends_data_model(const struct sj_view *v);
struct sj_slice sj_view_catalog_id(const struct sj_view *v);

/* Reports, appended as JSON. Tree: {"dataModel":..,"surfaceId":..,"tree":..|null}, keys sorted, the shape of the peer's
 * resolved tree (docs/decisions): {id,type,...properties}, children inline, "<Action>", checks as written with isValid
 * and validationErrors, placeholders {id,state,type:"Placeholder"}. Secret places are masked. */
enum sj_status sj_view_tree(struct sj_engine *e, struct sj_view *v, struct sj_buf *out);
/* Component definitions as written: array in order of first definition. */
enum sj_status sj_view_components(struct sj_engine *e, struct sj_view *v, struct sj_buf *out);
/* {id: ValidationResult} of every node with checks; in a row the key is the id and the row's place: "field/rows/3". */
enum sj_status sj_view_validation(struct sj_engine *e, struct sj_view *v, struct sj_buf *out);
/* Why the surface looks as it does (docs/explain.md), appended as lines of JSON: first a summary, then one object for
 * each thing that is missing, empty, pending, disabled, hidden or unreadable, with its cause, the chain of who wrote
 * what, where it came from, and messages that would mend it. `only`: what concerns this component (ptr NULL: all). No
 * value of the data model is shown. Linear in the nodes. SJ_NOMEM. */
enum sj_status sj_view_explain(struct sj_engine *e, struct sj_view *v, struct sj_slice only, struct sj_buf *out);
/* What a careful reviewer would say (docs/lints.md): fn gets each warning; it may not call the engine. `basic`: only
 * what the bound values themselves show to be wrong. Judges by what was sent so far. SJ_NOMEM. */
enum sj_status sj_view_lint(struct sj_engine *e, struct sj_view *v, bool basic,
                            void (*fn)(void *ctx, const struct sj_lint *l), void *ctx);
/* The accessibility tree (surface/a11y.h, docs/accessibility.md), appended as JSON: {"focusOrder", "surfaceId",
 * "tree"}. Secret places are masked. SJ_NOMEM. */
enum sj_status sj_view_a11y(struct sj_engine *e, struct sj_view *v, struct sj_buf *out);
/* What is wrong with it, one JSON object a line: rule, id, component, message, origin. */
enum sj_status sj_view_a11y_check(struct sj_engine *e, struct sj_view *v, struct sj_buf *out, uint32_t *count);
/* The data model that travels beside a peer's messages (A2UI: data model synchronisation), appended as JSON. version
 * NONE: the only one in use, else SJ_INVALID (ValidationError). *present false: nothing to send. */
enum sj_status sj_engine_data_model_message(struct sj_engine *e, uint32_t peer, enum sj_version version,
                                            struct sj_buf *out, bool *present, struct sj_diag *diag);
/* What this side can draw, for the handshake (A2UI: capabilities), appended as JSON. SJ_INVALID: no version named. */
enum sj_status sj_engine_capabilities(struct sj_engine *e, const enum sj_version *versions, uint32_t n,
                                      bool inline_catalogs, struct sj_buf *out, struct sj_diag *diag);

enum sj_event_kind {
	SJ_EV_SURFACE_NEW,
	SJ_EV_SURFACE_CHANGED, /* take the records with sj_surface_changes(sj_view_surface(view)) */
	SJ_EV_SURFACE_GONE,    /* view is dead: only peer and surface_id are given */
	SJ_EV_SEND, /* `json`: one whole message for `peer`; `metadata`: what travels beside it (data model), or empty
	             */
	SJ_EV_TOOL_WANTED, /* an effect: `name`, `json` arguments object, `call_id`; nothing happens unless the host
	                      does it and answers */
	SJ_EV_CALL_WANTED, /* a DEFERRED or SOURCE host function: likewise */
	SJ_EV_CALL_GONE,   /* nobody waits for call_id any more */
	SJ_EV_CALL_DONE,   /* sj_engine_call_agent settled: `json` result, or diag with the code */
	SJ_EV_DIAG, /* a fault of input or of evaluation: `diag`; `json`: the outbound error it caused, or empty */
};
struct sj_event {
	enum sj_event_kind kind;
	uint32_t peer;
	struct sj_view *view; /* may be NULL */
	struct sj_slice surface_id, name, json, metadata;
	uint64_t call_id;
	const struct sj_diag *diag;
	uint32_t message; /* number of the peer's message that caused it, 0: none */
	struct sj_slice source; /* DIAG: with keep_refused, the message as it came, beside its first fault */
};
enum sj_status sj_engine_next(struct sj_engine *e, struct sj_event *out); /* SJ_ABSENT: nothing now */

#endif
