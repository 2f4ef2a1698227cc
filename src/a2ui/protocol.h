/* The A2UI side of an engine: messages in, surfaces and events out. Internal to a2ui and engine.
 *
 * One struct sj_a2ui serves all peers of an engine. A struct sj_view is one live surface: who owns it, which version
 * made it, its default catalog, and the core surface. Messages are decoded from the tape, validated whole, then applied
 * as one transaction; a refused message leaves nothing behind and yields diagnostics (the first is what travels back).
 * Events are handed to the host's `emit`, which queues them; nothing here calls the embedder.
 */
#ifndef SJ_A2UI_PROTOCOL_H
#define SJ_A2UI_PROTOCOL_H

#include "a2ui/catalog.h"
#include "a2ui/functions.h"
#include "a2ui/lint_rules.h"
#include "base/map.h"
#include "surface/surface.h"

struct sj_view;
struct sj_a2ui;

enum sj_out_kind {
	SJ_OUT_SURFACE_NEW,
	SJ_OUT_SURFACE_GONE,
	SJ_OUT_SEND,
	SJ_OUT_TOOL_WANTED,
	SJ_OUT_CALL_WANTED,
	SJ_OUT_CALL_GONE,
	SJ_OUT_CALL_DONE,
	SJ_OUT_DIAG,
};
/* Everything is borrowed for the call; the receiver copies. */
struct sj_out {
	enum sj_out_kind kind;
	uint32_t peer;
	struct sj_view *view;
	struct sj_slice surface_id, name, json, metadata;
	uint64_t call_id;
	const struct sj_diag *diag;
	uint32_t message;
	struct sj_slice source; /* DIAG: the refused message, beside the first of its faults, when it is wanted */
	/* SEND: the models that travel beside it (sj_a2ui_data_model) are wanted when it is fetched, for `version` */
	bool with_models;
	enum sj_version version;
};
struct sj_graph_rules { /* which graph faults are allowed */
	bool allow_orphans, allow_dangling, allow_missing_root, allow_unknown, skip_graph;
};
struct sj_a2ui_options {
	struct sj_mem *mem;
	const struct sj_limits *limits;
	const struct sj_locales *locales;
	struct sj_graph_rules rules;
	enum sj_dialect dialect;
	bool gate_surface, lazy_rows, alias_unknown_catalogs;
	bool keep_refused;
	bool no_basic; /* the catalogs of v0.8 are not made when they are first asked for */
	const char *locale, *time_zone;
	enum sj_status (*emit)(void *ctx, const struct sj_out *o);
	void (*touched)(void *ctx, struct sj_view *v); /* the view may have changes to fetch */
	/* What a peer's surfaces hold is on its own account (below `mem`); NULL: on `mem`. */
	struct sj_mem *(*account)(void *ctx, uint32_t peer);
	void *ctx;
};

enum sj_status sj_a2ui_create(const struct sj_a2ui_options *opt, struct sj_a2ui **out);
void sj_a2ui_destroy(struct sj_a2ui *a);
struct sj_fn_table *sj_a2ui_functions(struct sj_a2ui *a);
/* First line of the next document in its peer's stream (0: unknown), for diagnostics. */
void sj_a2ui_set_line(struct sj_a2ui *a, uint32_t line);
void sj_a2ui_set_now(struct sj_a2ui *a, int64_t now_ms);

/* Catalogs: takes ownership on SJ_OK. A second one with the same id and family: CatalogError. */
enum sj_status sj_a2ui_add_catalog(struct sj_a2ui *a, struct sj_catalog *take, struct sj_diag *diag);
uint32_t sj_a2ui_catalog_count(const struct sj_a2ui *a);
const struct sj_catalog *sj_a2ui_catalog_at(const struct sj_a2ui *a, uint32_t i);
/* First with this id that fits the version; *wrong_version: one with the id exists in another family. */
const struct sj_catalog *sj_a2ui_catalog_find(const struct sj_a2ui *a, struct sj_slice id, enum sj_version v,
                                              const struct sj_catalog **wrong_version);

/* One message (tape cell). Faults go to `diags` (cap entries; *n gets their number) as well as to emit(DIAG) with the
 * outbound error. SJ_OK, SJ_INVALID, SJ_LIMIT, SJ_NOMEM. `origin.message` numbers it; `base_offset` is added to span
 * offsets. */
enum sj_status sj_a2ui_message(struct sj_a2ui *a, uint32_t peer, const struct sj_tape *t, uint32_t cell,
                               struct sj_origin origin, struct sj_diag *diags, uint32_t cap, uint32_t *n);
/* Any accepted batch shape: a message, an array, {messages: [...]}, an example file. Each message is atomic; later ones
 * go on after a fault. *first gets the first fault. */
enum sj_status sj_a2ui_batch(struct sj_a2ui *a, uint32_t peer, const struct sj_tape *t, struct sj_origin *next,
                             struct sj_diag *first);

/* Views. */
uint32_t sj_a2ui_view_count(const struct sj_a2ui *a);
struct sj_view *sj_a2ui_view_at(struct sj_a2ui *a, uint32_t i);
struct sj_view *sj_a2ui_view_find(const struct sj_a2ui *a, uint32_t peer, struct sj_slice id);
void sj_a2ui_drop_peer(struct sj_a2ui *a, uint32_t peer);

/* A person's doing. */
enum sj_status sj_a2ui_press(struct sj_a2ui *a, struct sj_view *v, sj_node_id node, struct sj_diag *diag);
/* Dispatches an action object in a scope given by a node (0: surface) without the gate (suite dispatch_action). */
enum sj_status sj_a2ui_dispatch(struct sj_a2ui *a, struct sj_view *v, sj_node_id node, struct sj_slice source_component,
                                const struct sj_tape *t, uint32_t action_cell, struct sj_diag *diag);

/* RPC. */
enum sj_status sj_a2ui_call_agent(struct sj_a2ui *a, struct sj_view *v, struct sj_slice function,
                                  struct sj_slice catalog_id, struct sj_slice args_json, uint32_t timeout_ms,
                                  uint64_t *call_id, struct sj_diag *diag);
enum sj_status sj_a2ui_cancel(struct sj_a2ui *a, uint64_t call_id, enum sj_code code);
enum sj_status sj_a2ui_answer(struct sj_a2ui *a, uint64_t call_id, struct sj_slice json, struct sj_slice code,
                              struct sj_slice message);
void sj_a2ui_expire(struct sj_a2ui *a); /* time-outs due at the current time */
int64_t sj_a2ui_deadline(const struct sj_a2ui *a);
void sj_a2ui_activate(struct sj_a2ui *a, bool active); /* a user gesture is under way (the host's token) */
uint32_t sj_a2ui_pending(const struct sj_a2ui *a);

/* Reports (engine.h has the words). */
enum sj_status sj_a2ui_tree(struct sj_view *v, struct sj_buf *out);
enum sj_status sj_a2ui_components(struct sj_view *v, struct sj_buf *out);
enum sj_status sj_a2ui_validation(struct sj_view *v, struct sj_buf *out);
enum sj_status sj_a2ui_a11y(struct sj_view *v, struct sj_buf *out);
enum sj_status sj_a2ui_a11y_check(struct sj_view *v, struct sj_buf *out, uint32_t *count);
/* basic: only what the values themselves say (wrong-type, template-over-no-list). */
enum sj_status sj_a2ui_lint(struct sj_view *v, bool basic, void (*fn)(void *ctx, const struct sj_lint *l), void *ctx);
/* only.ptr NULL: every component. */
enum sj_status sj_a2ui_explain(struct sj_view *v, struct sj_slice only, struct sj_buf *out);
enum sj_status sj_a2ui_data_model(struct sj_a2ui *a, uint32_t peer, enum sj_version version, struct sj_buf *out,
                                  bool *present, struct sj_diag *diag);
enum sj_status sj_a2ui_capabilities(struct sj_a2ui *a, const enum sj_version *versions, uint32_t n,
                                    bool inline_catalogs, struct sj_buf *out, struct sj_diag *diag);

/* Accessors of a view. */
struct sj_slice sj_a2ui_view_id(const struct sj_view *v);
uint32_t sj_a2ui_view_peer(const struct sj_view *v);
enum sj_version sj_a2ui_view_version(const struct sj_view *v);
struct sj_surface *sj_a2ui_view_surface(const struct sj_view *v);
const struct sj_value *sj_a2ui_view_theme(const struct sj_view *v);
bool sj_a2ui_view_begun(const struct sj_view *v); /* false: of v0.8, and waiting for its beginRendering */
bool sj_a2ui_view_sends(const struct sj_view *v);
struct sj_slice sj_a2ui_view_catalog_id(const struct sj_view *v);
uint32_t sj_a2ui_view_uid(const struct sj_view *v); /* never used twice, never 0 */
bool *sj_a2ui_view_mark(struct sj_view *v); /* one bit for the engine: already on its list of touched views */

#endif
