/* The reactive core: one screen's model, components, nodes and changes. It knows no language: no path strings, no
 * coercions, no check rules, no type names. See docs/design.md for the reasons, docs/benchmarks.md for the
 * costs.
 *
 * Life of a change: sj_txn_begin .. writes and definitions .. sj_txn_commit (or abort: the undo journal restores
 * everything). Writes only mark what depends on them. sj_surface_settle brings nodes up to date in four fixed passes:
 * structure (definitions, template lengths, visibility), values (marked slots, compared with what they held),
 * aggregates (checks, validity, enabled), language (`settled`, which may write in one further transaction, at most
 * limits.settle_rounds times). sj_surface_changes turns the marks into an array of records when the embedder asks:
 * level-triggered, so a slow embedder cannot make a queue grow. Complete state is read from nodes, never copied into
 * records.
 *
 * Static structure: a plan is the static subtree under the root or under one template: plan nodes (component, parent,
 * kids). A group is one instance of a plan: the root plan has one group, a template's plan has one per row. A node is
 * (group, plan node). Watches are registered once per plan node with a star for each row on the way (/rows / * /name),
 * so rows cost no registrations and an insert shifts nothing. Identity of a template's rows is by index; explicit
 * children follow their component id.
 *
 * Ownership: the surface owns everything it hands out; borrowed pointers live until the next call that changes the
 * surface. One thread.
 */
#ifndef SJ_SURFACE_SURFACE_H
#define SJ_SURFACE_SURFACE_H

#include "base/arena.h"
#include "base/limits.h"
#include "surface/expr.h"
#include "ui/ui.h"

/* generation:16 | group:24 | plan node:24. 0 is no node. A handle whose node is gone is recognised (sj_node_alive). */
typedef uint64_t sj_node_id;

/* Where something came from: the peer's message number (1-based, 0: the person or the host) and byte offset in the
 * peer's stream. */
struct sj_origin {
	uint32_t message;
	uint64_t offset;
};

/* ---- what a language plugs in ------------------------------------------------------------------------------------ */

struct sj_check_outcome {
	bool valid;
	enum sj_severity severity;
	const struct sj_value *result; /* the ValidationResult object when the condition gave one, else NULL */
};

/* A text without its markup: whole, blocks apart by line feeds, and block by block. */
struct sj_word_block {
	struct sj_slice text;
	uint32_t level; /* of a heading: 1..6; 0: none */
};
struct sj_words {
	struct sj_slice plain;
	const struct sj_word_block *blocks;
	uint32_t count;
};

struct sj_driver {
	const char *name;
	/* text of a value inside text (number spelling, null, booleans, JSON of containers) */
	void (*text)(const struct sj_value *v, struct sj_buf *out);
	bool (*truthy)(const struct sj_value *v);
	/* reads a check's evaluated condition; PENDING and ERROR results come as valid=false */
	void (*check)(enum sj_result r, const struct sj_value *v, struct sj_check_outcome *out);
	/* a DEFERRED/SOURCE call is wanted: args are borrowed; returns an id that sj_surface_answer will name, 0 when
	 * refused (then ERROR) */
	uint32_t (*call_wanted)(void *ctx, struct sj_surface *s, const struct sj_function *f, const void *site,
	                        const struct sj_value *args, uint32_t nargs);
	void (*call_gone)(void *ctx, struct sj_surface *s, uint32_t call_id); /* nobody waits for it any more */
	/* an evaluation failed or a placeholder appeared; once per (code, node, property) until it succeeds again */
	void (*fault)(void *ctx, struct sj_surface *s, sj_node_id node, const struct sj_diag *d);
	void (*settled)(void *ctx, struct sj_surface *s); /* may open one transaction and write; may be NULL */
	/* what is read aloud of a text in the language's markup; NULL: the text itself, one block. SJ_NOMEM */
	enum sj_status (*words)(struct sj_arena *arena, struct sj_slice text, struct sj_words *out);
	/* does a check of this input want a value at all? NULL: none does */
	bool (*requires)(void *ctx, struct sj_surface *s, sj_node_id n);
};

struct sj_surface_options {
	const struct sj_limits *limits;
	const struct sj_driver *driver;
	void *ctx;
	bool gate_surface; /* true: an action is disabled while any error-severity check on the surface fails
	                      (submit_gate = surface) */
	bool map_rows;     /* true: templates repeat over the members of an object too, in their order */
	bool lazy_rows;    /* true: rows outside the window of their list are valued only when read */
	const struct sj_value *env; /* what ENV begins with, of the same account, shared until it is written; NULL:
	                               nothing */
};
enum sj_status sj_surface_create(struct sj_mem *mem, const struct sj_surface_options *opt, struct sj_surface **out);
void sj_surface_destroy(struct sj_surface *s);
void *sj_surface_ctx(const struct sj_surface *s);
struct sj_mem *sj_surface_mem(struct sj_surface *s);
const struct sj_limits *sj_surface_limits(const struct sj_surface *s);

/* The language's own reading of a value (see struct sj_driver). */
void sj_surface_text(const struct sj_surface *s, const struct sj_value *v, struct sj_buf *out);
bool sj_surface_truthy(const struct sj_surface *s, const struct sj_value *v);
enum sj_status sj_surface_words(const struct sj_surface *s, struct sj_arena *arena, struct sj_slice text,
                                struct sj_words *out);
bool sj_surface_requires(struct sj_surface *s, sj_node_id n);

/* ---- transactions ------------------------------------------------------------------------------------------------ */

/* One at a time. `cause` is given back in change records (an input serial, a message number). */
void sj_txn_begin(struct sj_surface *s, uint32_t cause, struct sj_origin origin);
void sj_txn_commit(struct sj_surface *s);
/* Restores model and definitions exactly; cost: what the transaction did. Cannot fail: where somebody holds a count of
 * a container that the transaction changed, the copy may go beyond the memory account. */
void sj_txn_abort(struct sj_surface *s);
bool sj_txn_open(const struct sj_surface *s);
/* Net touched model places of the open transaction, first-touch order (the prototype's `change` event). */
uint32_t sj_txn_touched(const struct sj_surface *s);
bool sj_txn_touched_at(const struct sj_surface *s, uint32_t i, enum sj_root *root, struct sj_buf *pointer);

/* ---- model ------------------------------------------------------------------------------------------------------- */

/* Tokens are borrowed slices. Three core writes, inside a transaction. A missing container on the way is made: an array
 * when the next token is an index (sj_num_index), else an object; null and absent on the way are replaced. Errors,
 * nothing changed: DATA_ERROR "Cannot set path '...'" (a scalar in the way), "... non-numeric segment ..." (on an
 * array), LIMIT (array_index, array_gap). The root itself (count 0) may be set. An equal
 * value (member order aside) is no write: the older one stays and nothing is woken. Takes `take` in every case. */
enum sj_status sj_surface_set(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count,
                              struct sj_value take, struct sj_diag *diag);
/* Removes a member, or makes a hole in an array (length stays). Absent already: SJ_OK, no vivification, nothing woken.
 * Root: becomes {}. */
enum sj_status sj_surface_unset(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count,
                                struct sj_diag *diag);
/* Replaces `remove` items at `at` of the array there by `ninsert` values (taken); shifts. */
enum sj_status sj_surface_splice(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count,
                                 uint32_t at, uint32_t remove, const struct sj_value *insert, uint32_t ninsert,
                                 struct sj_diag *diag);
/* Appends to the string there (streaming text), amortised O(length of `more`). */
enum sj_status sj_surface_append_text(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens,
                                      uint32_t count, struct sj_slice more, struct sj_diag *diag);
const struct sj_value *sj_surface_get(const struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens,
                                      uint32_t count);                                  /* NULL: absent */
const struct sj_value *sj_surface_model(const struct sj_surface *s, enum sj_root root); /* never NULL */
struct sj_value sj_surface_snapshot(struct sj_surface *s, enum sj_root root);           /* one count, O(1) */
/* Origin of the last agent write at or above a place; false: unknown. */
bool sj_surface_origin(const struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count,
                       struct sj_origin *out);

/* Public watches on the model (tests, hosts, `data_model` suite): DEEP rule: exact place, ancestors and descendants,
 * once per settle when something really changed. */
typedef void (*sj_watch_fn)(void *ctx, uint32_t watch);
enum sj_status sj_surface_watch(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count,
                                sj_watch_fn fn, void *ctx, uint32_t *id);
void sj_surface_unwatch(struct sj_surface *s, uint32_t id);

/* Secret places: what was typed there is masked for every reader but the owner's own action. */
enum sj_status sj_surface_mark_secret(struct sj_surface *s, const struct sj_slice *tokens, uint32_t count);
/* Prints a root with every string, number and bool below a secret place replaced by "•••" (SJ_PRINT_* flags). */
void sj_surface_print_masked(const struct sj_surface *s, enum sj_root root, struct sj_buf *out, unsigned flags);
bool sj_surface_has_secrets(const struct sj_surface *s);
/* The texts that stand at secret places, each as JSON prints it and a line of its own: for reports, which must not show
 * them wherever else they come up. */
enum sj_status sj_surface_secret_texts(const struct sj_surface *s, struct sj_buf *out);

/* ---- definitions ------------------------------------------------------------------------------------------------- */

enum sj_prop_class {
	SJ_PC_VALUE,  /* literal or code */
	SJ_PC_CHECK,  /* one rule: code is the condition; literal is the rule's message (string or absent) */
	SJ_PC_ACTION, /* what a press does: held for the language (its `data`), never evaluated by the core */
	SJ_PC_RAW,    /* kept as written for tree and language, no meaning to a face */
	SJ_PC_VISIBLE, /* boolean code: false hides the subtree (prototype visibleWhen) */
};
#define SJ_PF_BOUND 1u    /* code is one READ: the property may be written back (two-way) */
#define SJ_PF_SECRET 2u   /* what is typed here is marked secret */
#define SJ_PF_DYNAMIC 4u  /* set by the core: has code */
#define SJ_PF_SHOWS 8u    /* of sj_node_prop: the value was made from what stands at a secret place */

/* Building one component. Sticky like the code builder. */
struct sj_def_builder;
/* Makes room for so many new components at once. A hint: without memory each finds its own. */
void sj_surface_expect(struct sj_surface *s, uint32_t components);
/* `kind` for the face; `type` is the language's word; `ctx` is language data given back by sj_component_ctx and
 * released through `release` when the definition is replaced or the surface goes (may be NULL). */
enum sj_status sj_def_begin(struct sj_surface *s, struct sj_slice id, struct sj_slice type, enum sj_ui_kind kind,
                            struct sj_def_builder **out);
void sj_def_ctx(struct sj_def_builder *b, void *ctx, void (*release)(void *ctx, struct sj_mem *mem));
/* Instead of sj_def_ctx: the language data is `head` and right behind it `tail`, copied into the definition's own block
 * when it is ended (8-byte aligned). Until then both stay where they are, and `head` may change. `release` frees only
 * what hangs on it. */
void sj_def_data(struct sj_def_builder *b, void *head, uint32_t head_bytes, struct sj_slice tail,
                 void (*release)(void *ctx, struct sj_mem *mem));
/* Types of one name that come from different sources are different types: numbers the source (0 by default). */
void sj_def_realm(struct sj_def_builder *b, uint32_t realm);
/* Where the definition stands, when that is told better than by the transaction's own origin. */
void sj_def_origin(struct sj_def_builder *b, struct sj_origin origin);
void sj_def_unknown(
	struct sj_def_builder *b); /* the type is not known: nodes are placeholders with SJ_WHY_UNKNOWN_TYPE */
void sj_def_literal(struct sj_def_builder *b, struct sj_slice name, enum sj_ui_prop ui, enum sj_prop_class cls,
                    struct sj_value take);
/* Code for a property: call, then sj_x_* on the returned builder (owned by b), then sj_def_code_end. */
struct sj_code_builder *sj_def_code(struct sj_def_builder *b, struct sj_slice name, enum sj_ui_prop ui,
                                    enum sj_prop_class cls, unsigned flags, struct sj_value take_literal);
void sj_def_code_end(struct sj_def_builder *b);
/* Children, in drawing order. `name` is the property, `index` the position within it (list items, tabs), `member` the
 * key inside the item object ("child" in tabs[1].child) or empty. */
void sj_def_child(struct sj_def_builder *b, struct sj_slice name, enum sj_ui_prop ui, uint32_t index,
                  struct sj_slice member, struct sj_slice child_id);
/* A template: one instance of child_id per item of the array at `list`. `alias` is for languages with named frames,
 * else empty. */
void sj_def_template(struct sj_def_builder *b, struct sj_slice name, enum sj_ui_prop ui, const struct sj_addr *list,
                     struct sj_slice child_id, struct sj_slice alias);
/* Takes effect in the open transaction: new, or replaces the definition of this id (same type: nodes keep their
 * identity; other type: they are replaced). Consumes b in every case. */
enum sj_status sj_def_end(struct sj_def_builder *b, struct sj_diag *diag);
void sj_def_abandon(struct sj_def_builder *b);
enum sj_status sj_surface_remove_component(struct sj_surface *s, struct sj_slice id); /* edges to it become pending */
enum sj_status sj_surface_set_root(struct sj_surface *s, struct sj_slice id);        /* default "root" */

/* Reading definitions. A component handle is a small dense number (1, 2, ...), one per id ever named, valid while the
 * surface lives (0: none). */
typedef uint32_t sj_component_ref;
sj_component_ref sj_surface_root_component(const struct sj_surface *s); /* defined or not */
bool sj_component_defined(const struct sj_surface *s, sj_component_ref c);
sj_component_ref sj_component_find(const struct sj_surface *s, struct sj_slice id); /* defined ones only */
uint32_t sj_component_count(const struct sj_surface *s);
sj_component_ref sj_component_at(const struct sj_surface *s, uint32_t i); /* in order of first definition; i < count */
struct sj_slice sj_component_id(const struct sj_surface *s, sj_component_ref c);
struct sj_slice sj_component_type(const struct sj_surface *s, sj_component_ref c);
void *sj_component_ctx(const struct sj_surface *s, sj_component_ref c);
struct sj_origin sj_component_origin(const struct sj_surface *s, sj_component_ref c);
/* Graph facts kept by counters: referenced ids without a definition; defined ones no one refers to (but the root). */
uint32_t sj_surface_dangling(const struct sj_surface *s, struct sj_slice *first_missing, struct sj_slice *first_parent);
uint32_t sj_surface_orphans(const struct sj_surface *s, struct sj_slice *first);
uint32_t sj_component_edges(const struct sj_surface *s, sj_component_ref c);
struct sj_edge {
	struct sj_slice name, member;
	enum sj_ui_prop ui;
	uint32_t index;
	bool is_template;
	sj_component_ref
		child; /* the id's entry: it exists as soon as anything refers to it, see sj_component_defined */
	struct sj_slice child_id;
};
void sj_component_edge(const struct sj_surface *s, sj_component_ref c, uint32_t i, struct sj_edge *out);
uint32_t sj_component_parents(const struct sj_surface *s, sj_component_ref c); /* in-degree */

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

enum sj_status
sj_surface_settle(struct sj_surface *s); /* SJ_LIMIT: settle_rounds or nodes; the surface stays consistent */
sj_node_id sj_surface_root(const struct sj_surface *s); /* 0 until the root component exists */
bool sj_node_alive(const struct sj_surface *s, sj_node_id n);
sj_component_ref sj_node_component(const struct sj_surface *s, sj_node_id n);
struct sj_slice sj_node_component_id(const struct sj_surface *s, sj_node_id n); /* also of placeholders */
enum sj_ui_kind sj_node_kind(const struct sj_surface *s, sj_node_id n);
struct sj_slice sj_node_type(const struct sj_surface *s, sj_node_id n);
enum sj_why sj_node_why(const struct sj_surface *s, sj_node_id n);
sj_node_id sj_node_parent(const struct sj_surface *s, sj_node_id n); /* a row's root: the list node */
/* Children as drawn: explicit ones and rows, in order. For edges see sj_node_child_edge. */
uint32_t sj_node_child_count(const struct sj_surface *s, sj_node_id n);
sj_node_id sj_node_child(const struct sj_surface *s, sj_node_id n, uint32_t i);
/* Which property the i-th child stands in; is_template: index is the row. */
void sj_node_child_edge(const struct sj_surface *s, sj_node_id n, uint32_t i, struct sj_edge *out);
uint32_t sj_node_scope_depth(const struct sj_surface *s, sj_node_id n); /* frames around it */
void sj_node_data_path(const struct sj_surface *s, sj_node_id n,
                       struct sj_buf *out);                             /* "/" at the top, "/rows/3" in a row */
int64_t sj_node_row(const struct sj_surface *s, sj_node_id n);          /* index of the nearest frame; -1 outside */
/* The node of a component in a given scope: indices from the outermost frame inwards; 0 when there is none (first in
 * drawing order when several). */
sj_node_id sj_surface_find(const struct sj_surface *s, struct sj_slice component_id, const uint32_t *rows,
                           uint32_t nrows);
uint64_t sj_surface_node_count(const struct sj_surface *s);

/* Properties of a node, in definition order (checks, actions and raw ones too; children are edges). */
struct sj_prop {
	struct sj_slice name;
	enum sj_ui_prop ui;
	enum sj_prop_class cls;
	unsigned flags;
	enum sj_result result;
	const struct sj_value
		*value; /* resolved; literal for literals; message for checks (see check functions); NULL: absent */
};
uint32_t sj_node_prop_count(const struct sj_surface *s, sj_node_id n);
bool sj_node_prop(struct sj_surface *s, sj_node_id n, uint32_t i,
                  struct sj_prop *out); /* values a stale slot on the way */
bool sj_node_prop_named(struct sj_surface *s, sj_node_id n, struct sj_slice name, struct sj_prop *out);
/* By meaning; local state (an unbound input that was typed into) wins over the definition. NULL: absent. */
const struct sj_value *sj_node_ui(struct sj_surface *s, sj_node_id n, enum sj_ui_prop ui);
bool sj_node_bound(const struct sj_surface *s, sj_node_id n, enum sj_ui_prop ui); /* two-way */
/* Checks. invalid: an error-severity rule fails or is pending. The message is the first failing rule's (result's own,
 * else the rule's). */
struct sj_validity {
	bool has_checks, valid, pending;
	enum sj_severity severity;
	struct sj_slice message; /* of the first failing rule; "" when none */
	struct sj_slice code;    /* ValidationResult.code or "" */
	const struct sj_value *result; /* the ValidationResult object, or NULL */
};
void sj_node_validity(struct sj_surface *s, sj_node_id n, struct sj_validity *out);
uint32_t sj_node_failed_messages(struct sj_surface *s, sj_node_id n, struct sj_slice *out,
                                 uint32_t max); /* all failing rules' messages */
bool sj_node_enabled(struct sj_surface *s,
                     sj_node_id n); /* an action or input that may be used now; own checks or the surface's (gate) */
uint32_t sj_surface_invalid_count(struct sj_surface *s);  /* nodes with a failing error-severity check */

/* Evaluates stand-alone code in a node's scope, now (n may be 0: the surface's own scope). *out is given. A call that
 * is answered later is an ERROR here. A failing item of a list or map is null or left out: the rest is given, and diag
 * tells the first fault. */
enum sj_result sj_surface_eval(struct sj_surface *s, sj_node_id n, const struct sj_code_block *c, struct sj_value *out,
                               struct sj_diag *diag);
/* Tokens of the place a bound property reads and writes, pushed as "/a/b" pointer text (root DATA). false: not bound.
 */
bool sj_node_bound_path(struct sj_surface *s, sj_node_id n, enum sj_ui_prop ui, struct sj_buf *pointer);
/* Writes a bound property's place inside an open transaction. */
enum sj_status sj_node_write(struct sj_surface *s, sj_node_id n, enum sj_ui_prop ui, struct sj_value take,
                             struct sj_diag *diag);

/* ---- local state, input, focus ----------------------------------------------------------------------------------- */

/* Per (component id, scope), kept under SJ_ROOT_LOCAL, never sent: "value" of unbound inputs, "selected" tab, "open"
 * modal, "scroll". */
const struct sj_value *sj_node_local(struct sj_surface *s, sj_node_id n, struct sj_slice name);
enum sj_status sj_node_set_local(struct sj_surface *s, sj_node_id n, struct sj_slice name, struct sj_value take);

enum sj_phase { SJ_EDIT_BEGIN, SJ_EDIT_UPDATE, SJ_EDIT_COMMIT, SJ_EDIT_CANCEL };
struct sj_input {
	sj_node_id node;
	enum sj_ui_prop prop; /* SJ_P_VALUE mostly */
	enum sj_phase phase;
	uint32_t serial; /* the face's number for this input; change records it caused carry it as `cause` and `echo` */
	struct sj_value value; /* UPDATE, COMMIT (borrowed) */
	uint32_t selection_start, selection_end;
};
/* The edit session: BEGIN remembers the value, UPDATE and COMMIT write the bound place at once (or local state), CANCEL
 * restores it. While a session is open, an agent's write to the same place changes the model but its change record for
 * this node carries `held`: the person's text stays; the next UPDATE wins. STATE error: dead node, not an input,
 * disabled. UPDATE/COMMIT without BEGIN are complete edits. */
enum sj_status sj_surface_input(struct sj_surface *s, const struct sj_input *in, struct sj_diag *diag);

void sj_surface_focus(struct sj_surface *s, sj_node_id n); /* remembers (component id, scope) */
sj_node_id sj_surface_focused(const struct sj_surface *s); /* successor when the node went: same id and scope, else
                                                              nearest surviving ancestor */

/* Environment under SJ_ROOT_ENV: locale, timeZone, direction, appearance, widthClass. Re-evaluates only what read it.
 */
enum sj_status sj_surface_set_env(struct sj_surface *s, struct sj_slice name, struct sj_slice value);

/* Deferred calls. Keeps the last value while pending. Unknown id: SJ_ABSENT. `r` OK or ERROR (with diag). */
enum sj_status sj_surface_answer(struct sj_surface *s, uint32_t call_id, enum sj_result r, struct sj_value take,
                                 const struct sj_diag *d);

/* ---- changes ----------------------------------------------------------------------------------------------------- */

enum sj_change_kind {
	SJ_CH_NEW, /* the node exists now (its children too, each with its own record only if they are not below another
	              NEW) */
	SJ_CH_GONE,   /* the node is gone (its handle is dead); what was below it is gone too, without records */
	SJ_CH_SET,    /* resolved properties differ: `mask` has a bit per ui meaning < 64 */
	SJ_CH_APPEND, /* text of property `prop` grew (by a write or a new definition): bytes lo..hi are new */
	SJ_CH_SPLICE, /* children: at lo, `remove` went and `add` came; several for one node apply one after another */
	SJ_CH_FLAGS,  /* validity, enabled, why changed */
	SJ_CH_LOCAL,  /* local state changed */
	SJ_CH_FOCUS,  /* focus moved to `node` by the core */
	SJ_CH_ROOT,   /* the surface's root appeared, changed or went */
};
struct sj_change {
	uint8_t kind, echo, held, prop;
	uint32_t cause;
	sj_node_id node;
	uint64_t mask;
	uint32_t lo, hi, add, remove;
};
/* Settles, then gives every change since the last call, in this order: GONE, ROOT, NEW, SPLICE, then SET, APPEND, FLAGS
 * and LOCAL by node, FOCUS. Borrowed until the next call that changes the surface. SJ_NOMEM: nothing is lost, ask
 * again. */
enum sj_status sj_surface_changes(struct sj_surface *s, const struct sj_change **out, uint32_t *count);
bool sj_surface_is_dirty(const struct sj_surface *s);
/* Window of a list node whose rows a face shows (lazy_rows): rows lo..hi-1. Until it is told, a list shows its first 50
 * rows. */
void sj_node_window(struct sj_surface *s, sj_node_id list, uint32_t lo, uint32_t hi);

#endif
