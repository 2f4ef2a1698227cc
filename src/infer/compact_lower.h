/* Trees of a program to JSON values, guided by the catalogs. Internal to infer: compact_block.c gives statements to
 * compact_lower.c. */
#ifndef SJ_INFER_COMPACT_LOWER_H
#define SJ_INFER_COMPACT_LOWER_H

#include "infer/compact.h"

enum sj_frame_kind { SJ_F_ARRAY, SJ_F_OBJECT, SJ_F_COMPONENT, SJ_F_CALL, SJ_F_EVENT, SJ_F_CHECK, SJ_F_TEMPLATE };
struct sj_lower_frame {
	enum sj_frame_kind kind;
	bool second; /* COMPONENT: the round for checks, which look at the value */
	bool action; /* CALL: wrapped as functionCall */
	bool listed; /* what comes of it is the only item of a list */
	uint32_t node, at, seen, slot, var;
	uint32_t message;             /* CHECK: the node that is its message, 0: none */
	const struct sj_a2ui_prop *prop;
	const struct sj_a2ui_component *type;
	const struct sj_a2ui_function *fn;
	struct sj_slice key, id, name, catalog_id, return_type;
	struct sj_value acc;
};

struct sj_lower {
	const struct sj_format *f;
	struct sj_program *p;
	struct sj_mem *mem;
	struct sj_slice fixed; /* catalog everything of the section comes from; ptr NULL: any of the format */
	struct sj_map names;   /* variables of the section: statement */
	struct sj_map used;    /* ids that are taken: the number tried last */
	uint8_t *busy;         /* per statement: being put in at this moment */
	uint8_t *component;    /* per statement: its tree is a component */
	struct sj_value components; /* array */
	SJ_VEC(struct sj_lower_frame) stack;
	struct sj_value result;
	uint32_t parts;        /* ids made that say nothing */
	uint32_t inlined;      /* nodes read again because a variable names them */
	struct sj_slice call_id; /* functionCallId of a call that stands alone */
	bool alone;
};
/* The component of statement `s`, with all that is inline in it, onto l->components. */
enum sj_status sj_lower_component(struct sj_lower *l, uint32_t s);
/* The value of a tree where `prop` is expected; ABSENT for a skip. *out is the caller's. */
enum sj_status sj_lower_value(struct sj_lower *l, uint32_t node, const struct sj_a2ui_prop *prop,
                              struct sj_value *out);
/* Does a call of this name make a component of the section? */
bool sj_lower_is_component(const struct sj_lower *l, struct sj_slice name);
/* The value of a call of the section's functions, as callFunction wants it. */
enum sj_status sj_lower_call(struct sj_lower *l, uint32_t node, struct sj_value *out);
void sj_lower_finish(struct sj_lower *l);

/* ---- between compact_lower.c, compact_call.c and compact_id.c ---- */

static inline const struct sj_cnode *sj_lower_node(const struct sj_lower *l, uint32_t n)
{
	return &l->p->nodes.items[n];
}
static inline struct sj_lower_frame *sj_lower_top(struct sj_lower *l) { return &l->stack.items[l->stack.count - 1]; }
#define SJ_LOWER_FAULT(l, n, cat, ...)                                                                                 \
	sj_compact_fault((l)->p->diag, (cat), sj_lower_node((l), (n))->line, sj_lower_node((l), (n))->off, __VA_ARGS__)
/* Gives the node's place to a fault that has none. */
void sj_lower_place(struct sj_lower *l, uint32_t n);
enum sj_status sj_lower_push(struct sj_lower *l, const struct sj_lower_frame *f); /* takes f->acc */
/* Takes up one tree where `prop` is expected: its value goes to `key` of what is on top, at once or later. */
enum sj_status sj_lower_begin(struct sj_lower *l, uint32_t base, uint32_t n, const struct sj_a2ui_prop *prop,
                              struct sj_slice key);
enum sj_status sj_lower_set_text(struct sj_mem *m, struct sj_value *object, struct sj_slice key, struct sj_slice text);
enum sj_status sj_lower_wrap(struct sj_mem *m, struct sj_slice key, struct sj_value take, struct sj_value *out);
/* An argument that must be a literal string; ptr NULL: not given. */
enum sj_status sj_lower_word(struct sj_lower *l, uint32_t n, const char *key, struct sj_slice *out);
/* The catalogId to write beside a component or call; ptr NULL: none. */
enum sj_status sj_lower_stamp(struct sj_lower *l, uint32_t n, struct sj_slice own, const struct sj_catalog *from,
                              struct sj_slice *out);
/* parent_prop, parent_prop_0, parent_prop_0_member: the way from the component that it stands in to `key` (with
 * `counted`, to an item of that). */
enum sj_status sj_lower_inline_id(struct sj_lower *l, struct sj_slice key, bool counted, uint32_t index,
                                  struct sj_slice *out);
enum sj_status sj_lower_open_call(struct sj_lower *l, uint32_t n, struct sj_lower_frame *f);
enum sj_status sj_lower_call_argument(struct sj_lower *l, uint32_t base, uint32_t n);
enum sj_status sj_lower_call_object(struct sj_lower *l, struct sj_lower_frame *f, struct sj_value *out);
enum sj_status sj_lower_begin_check(struct sj_lower *l, uint32_t n, struct sj_slice key);
enum sj_status sj_lower_finish_check(struct sj_lower *l, struct sj_lower_frame *f, struct sj_value *out);

#endif
