/* What the files of the validator share: the walk's context and the place it stands at. */
#ifndef SJ_PROTO_INTERNAL_H
#define SJ_PROTO_INTERNAL_H

#include "base/arena.h"
#include "proto/contract.h"
#include "proto/proto.h"

/* A place, as the steps from the top to it. Steps live on the C stack (the walk's depth is bounded by the contract) or
 * in the arena. */
struct sj_place {
	const struct sj_place *up; /* NULL: the top */
	struct sj_slice key;       /* ptr NULL: `index` */
	uint32_t index;
	struct sj_slice use; /* ptr set: no step, but into the component of this name, which stands at `up` */
};

/* A node of the spec, in preorder. */
struct sj_pnode_ref {
	const struct sj_value *value;
	const struct sj_place *at; /* in the arena */
	uint32_t parent;       /* UINT32_MAX: a root */
	uint32_t end;          /* one past the last node below it */
	uint32_t holder;       /* of the nearest container with a repeat around it; UINT32_MAX: none */
	uint8_t type;          /* enum sj_node_type */
};

/* The node types, in the contract's order. X(NAME, "name") */
#define SJ_NODE_TYPES(X)                                                                                               \
	X(BOX, "box")                                                                                                  \
	X(ROW, "row")                                                                                                  \
	X(COLUMN, "column")                                                                                            \
	X(TEXT, "text")                                                                                                \
	X(IMAGE, "image")                                                                                              \
	X(ICON, "icon")                                                                                                \
	X(SPACER, "spacer")                                                                                            \
	X(TEXT_FIELD, "textField")                                                                                     \
	X(SWITCH, "switch")                                                                                            \
	X(CHECKBOX, "checkbox")                                                                                        \
	X(BUTTON, "button")                                                                                            \
	X(RADIO_GROUP, "radioGroup")                                                                                   \
	X(LIST_ITEM, "listItem")                                                                                       \
	X(SLIDER, "slider")                                                                                            \
	X(CHIP, "chip")                                                                                                \
	X(CARD, "card")                                                                                                \
	X(ICON_BUTTON, "iconButton")                                                                                   \
	X(FAB, "fab")                                                                                                  \
	X(SEGMENTED_BUTTON, "segmentedButton")                                                                         \
	X(TOP_APP_BAR, "topAppBar")                                                                                    \
	X(DIVIDER, "divider")                                                                                          \
	X(BADGE, "badge")                                                                                              \
	X(PROGRESS, "progress")                                                                                        \
	X(DIALOG, "dialog")                                                                                            \
	X(SNACKBAR, "snackbar")                                                                                        \
	X(TIME_PICKER, "timePicker")                                                                                   \
	X(DATE_PICKER, "datePicker")                                                                                   \
	X(SCROLL, "scroll")                                                                                            \
	X(PAGER, "pager")                                                                                              \
	X(TAB_BAR, "tabBar")                                                                                           \
	X(BOTTOM_NAV, "bottomNav")                                                                                     \
	X(BOTTOM_SHEET, "bottomSheet")                                                                                 \
	X(SELECT, "select")                                                                                            \
	X(FLOW, "flow")                                                                                                \
	X(PASTE_BUTTON, "pasteButton")
enum sj_node_type {
#define SJ_NODE_TYPE_ENUM(name, text) SJ_NODE_##name,
	SJ_NODE_TYPES(SJ_NODE_TYPE_ENUM)
#undef SJ_NODE_TYPE_ENUM
	SJ_NODE_TYPE_COUNT
};
const char *sj_node_type_name(enum sj_node_type t);
enum sj_node_type sj_node_type_of(const struct sj_value *node); /* COUNT: no known one */

struct sj_check {
	struct sj_mem *mem;
	struct sj_arena arena; /* places of nodes */
	const struct sj_value *spec, *state;
	const struct sj_value *authored; /* the spec before its components were expanded, for paths; NULL: the same */
	const struct sj_proto_options *opt;
	struct sj_proto_error *error; /* NULL while an option of a choice is tried */
	enum sj_status status;        /* SJ_NOMEM, once */
	SJ_VEC(struct sj_pnode_ref) nodes;
	uint32_t depth, selectors, conditions, images;
	uint32_t parent, holder; /* of the node whose fields are walked */
};

/* Says what is wrong at a place, unless something was said; always false. `key` (may be NULL) is one step below it. */
bool sj_check_fail(struct sj_check *c, const struct sj_place *at, const char *key, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void sj_place_print(const struct sj_place *at, struct sj_buf *out);
uint32_t sj_place_steps(const struct sj_place *at, const struct sj_place **steps, uint32_t cap);
/* A place of the expanded spec as its author knows it: each `use` on the way is named (expand.c). */
void sj_place_authored(const struct sj_check *c, const struct sj_place *at, struct sj_buf *out);
void sj_path_key(struct sj_buf *out, struct sj_slice key); /* ".key", "key" at the beginning, or ["quoted"] */
void sj_path_use(struct sj_buf *out, struct sj_slice component); /* " (use x) → components.x.root" */
void sj_path_index(struct sj_buf *out, uint32_t index);
/* The structural walk: fills `nodes`. */
bool sj_check_structure(struct sj_check *c);
bool sj_check_repeats(struct sj_check *c);
bool sj_check_pagers(struct sj_check *c);
bool sj_check_states(struct sj_check *c);
bool sj_check_additions(struct sj_check *c);
bool sj_check_library(struct sj_check *c);

/* Every string of a node that binds, and every list of actions, in the order of the language (section 5). */
enum sj_binds { SJ_BINDS_TEXT, SJ_BINDS_OPERAND, SJ_BINDS_KEY, SJ_BINDS_EMIT_NAME };
typedef bool (*sj_bind_fn)(void *ctx, struct sj_check *c, const struct sj_pnode_ref *n, enum sj_binds kind,
                           struct sj_slice text, const struct sj_place *at);
bool sj_bindings(struct sj_check *c, const struct sj_pnode_ref *n, sj_bind_fn fn, void *ctx);
typedef bool (*sj_action_fn)(void *ctx, struct sj_check *c, const struct sj_pnode_ref *n, const struct sj_value *action,
                             struct sj_slice type, const struct sj_place *at);
bool sj_actions(struct sj_check *c, const struct sj_pnode_ref *n, sj_action_fn fn, void *ctx);

/* Placeholders. Finds the next one at or after *at: [*from, *to) with braces, the field inside (`index` has an empty
 * field). false: none left. */
bool sj_placeholder_next(struct sj_slice text, struct sj_slice alias, size_t *at, size_t *from, size_t *to,
                         struct sj_slice *field);
/* Appends the text with placeholders of item `i` filled in. A missing field stays as written. */
void sj_placeholder_fill(struct sj_slice text, struct sj_slice alias, const struct sj_value *item, uint32_t i,
                         struct sj_buf *out);
void sj_scalar_text(const struct sj_value *v, struct sj_buf *out);

bool sj_proto_is_date(struct sj_slice s); /* YYYY-MM-DD, a real one of 1900..2100 */
bool sj_value_is_scalar(const struct sj_value *v);
uint32_t sj_image_cost(const struct sj_value *asset); /* 0 for NULL */
/* {"state": key}, {"data": pointer}, {"item": field} inside what an action carries. */
bool sj_leaf_binding(const struct sj_value *v, struct sj_slice *kind, struct sj_slice *name);
enum sj_status sj_proto_validate_as(struct sj_mem *mem, const struct sj_value *spec, const struct sj_value *authored,
                                    const struct sj_proto_options *opt, struct sj_proto_error *error);

/* Fills the placeholders of `alias` in every string of a node that binds (its own, not those of its children), with the
 * fields of `item`. Shapes that no rule allows are left alone. `seen` (may be NULL) is told each field that is asked
 * for; what the item lacks stays as it is written. An operand that is one placeholder takes the field's type. */
struct sj_fill {
	struct sj_mem *mem;
	struct sj_slice alias;
	const struct sj_value *item;
	uint32_t index;
	bool no_index; /* {index} is left alone (components) */
	void (*seen)(void *ctx, struct sj_slice field);
	void *ctx;
	enum sj_status status;
};
void sj_fill_node(struct sj_fill *f, struct sj_value *node);
/* Just this member. */
void sj_fill_member(struct sj_fill *f, struct sj_value *object, struct sj_slice key, bool operand);

/* Children of a node in preorder's order: calls fn with each child node value and the place below the node: field and
 * index (UINT32_MAX: the field holds one node). */
typedef bool (*sj_child_fn)(void *ctx, const struct sj_value *child, struct sj_slice field, uint32_t index);
bool sj_node_children(const struct sj_value *node, sj_child_fn fn, void *ctx);

#endif
