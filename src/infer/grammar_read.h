/* Reading a catalog's document into nodes. Internal to the grammar_*.c files.
 *
 * The document is the one that sj_catalog_emit writes: self-contained, common types in its own $defs. A schema is
 * *applied* to a node: what comes back says what both allow. A keyword that has no counterpart among nodes takes
 * everything away, so that nothing is promised that was not understood.
 */
#ifndef SJ_INFER_GRAMMAR_READ_H
#define SJ_INFER_GRAMMAR_READ_H

#include "infer/grammar_node.h"

enum sj_g_slot { /* where a call may stand; the first five are enum sj_dynamic_type */
	SJ_G_SLOT_ANY,
	SJ_G_SLOT_STRING,
	SJ_G_SLOT_NUMBER,
	SJ_G_SLOT_BOOLEAN,
	SJ_G_SLOT_LIST,
	SJ_G_SLOT_ACTION, /* what a press runs */
	SJ_G_SLOT_COUNT
};

struct sj_g_memo { /* a definition that was read */
	uint32_t cell, level;
	bool in_action;
	const struct sj_g_node *reference, *node;
};
struct sj_g_call { /* a function at a level, with or without its returnType */
	const struct sj_g_node *node[2];
	bool made[2];
};
struct sj_g_read {
	struct sj_grammar *g;
	const struct sj_catalog *catalog;
	uint32_t number; /* among the grammar's catalogs */
	struct sj_buf text;
	struct sj_arena arena;
	struct sj_tape doc;
	uint32_t steps, gave_up;
	uint32_t level;  /* calls that may still stand in each other */
	bool in_action;  /* a call is what a press runs */
	bool in_args;
	const struct sj_g_node *reference, *child_list; /* child_list: of `list_of` */
	const struct sj_g_node *list_of;
	const struct sj_g_node *binding, *accessibility;
	const struct sj_g_node *dynamic[5][SJ_G_MAX_CALL_DEPTH + 1], *calls[SJ_G_SLOT_COUNT][SJ_G_MAX_CALL_DEPTH + 1];
	struct sj_g_call *functions; /* by function, then level */
	SJ_VEC(struct sj_g_memo) memos;
	SJ_VEC(uint32_t) busy; /* definitions that are being read */
};

/* grammar_apply.c */
extern const struct sj_g_node SJ_G_TOP; /* any JSON that is no binding and no call */
const struct sj_g_node *sj_g_apply(struct sj_g_read *r, const struct sj_g_node *in, uint32_t cell, unsigned depth);
/* What `in` and the types of `mask` (bit per enum sj_json_type; true and false are one) have in common. */
const struct sj_g_node *sj_g_of_types(struct sj_g_read *r, const struct sj_g_node *in, unsigned mask);
unsigned sj_g_types_of(const struct sj_g_node *node);

/* Keeps what was read of a definition. */
void sj_g_remember(struct sj_g_read *r, struct sj_g_memo memo);
/* grammar_read.c: the common types, by name; NULL: none of that name. */
const struct sj_g_node *sj_g_common_type(struct sj_g_read *r, struct sj_slice name, uint32_t cell, unsigned depth);

/* grammar_pattern.c: a regular expression as the inside of a GBNF string and the same for JSON Schema; nothing when it
 * is beyond the small part that is understood (anchored, without look-around, references or lazy forms). */
const struct sj_g_node *sj_g_pattern(struct sj_grammar *g, struct sj_slice regex);

#endif
