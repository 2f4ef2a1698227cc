/* What a component's definition reads and calls: every binding, call and template of it, found again in the source it
 * was made from. For reports about a surface (explain, lints), which are asked for now and then: nothing is kept.
 *
 * A struct sj_source lives in the arena it was opened with. Slices borrow from it and from the view.
 */
#ifndef SJ_A2UI_USES_H
#define SJ_A2UI_USES_H

#include "a2ui/internal.h"

struct sj_source { /* ref 0: it could not be opened */
	struct sj_view *view;
	sj_component_ref ref;
	const struct sj_comp *comp;
	struct sj_tape tape; /* the component object is cell 0 */
	struct sj_arena *arena;
	enum sj_dialect dialect;
};
/* SJ_ABSENT: no such definition. SJ_NOMEM. */
enum sj_status sj_source_open(struct sj_view *v, sj_component_ref c, struct sj_arena *arena, struct sj_source *out);

enum sj_use_kind {
	SJ_USE_PATH,     /* a binding */
	SJ_USE_CALL,     /* a call; its arguments follow as uses of their own */
	SJ_USE_TEMPLATE, /* the list of a ChildList */
	SJ_USE_TEXT,     /* a path inside the text of a formatString */
};
enum sj_use_place { SJ_IN_VALUE, SJ_IN_CHECK, SJ_IN_ACTION, SJ_IN_ACCESSIBILITY, SJ_IN_CHILDREN };
struct sj_use {
	enum sj_use_kind kind;
	enum sj_use_place place;
	struct sj_slice property; /* top-level member it stands in */
	const struct sj_a2ui_prop *row; /* of that property; NULL: the catalog does not know it */
	uint32_t value;           /* cell of the property's value */
	uint32_t cell;            /* the object; TEXT: the string of the template */
	uint32_t name_cell;       /* the string `name` was read from; TEXT: the same as `cell` */
	struct sj_slice name;     /* path as written, or name of the function */
	uint32_t rule;            /* CHECK: which of the list */
	bool whole;               /* the object is the property's whole value */
	bool in_call;             /* an argument of a call, at any depth */
};
/* Calls fn for every use, in the order of the source, until it says false. SJ_NOMEM. */
enum sj_status sj_uses(const struct sj_source *src, bool (*fn)(void *ctx, const struct sj_use *u), void *ctx);

/* Where a path as written leads for a node (0: the surface itself): a pointer into the model, in the arena. SJ_INVALID:
 * no path. The tokens borrow from it. */
struct sj_spot {
	struct sj_slice pointer; /* "/" for the root, as it is printed for people */
	struct sj_path path;
	const struct sj_value *value; /* NULL: nothing is there */
};
enum sj_status sj_spot_find(struct sj_view *v, sj_node_id n, struct sj_slice path, struct sj_arena *arena,
                            struct sj_spot *out);

#endif
