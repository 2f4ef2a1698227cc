/* The printer of GBNF and what its two files share. Internal. */
#ifndef SJ_INFER_GRAMMAR_GBNF_H
#define SJ_INFER_GRAMMAR_GBNF_H

#include "infer/grammar_node.h"

struct sj_g_chain {
	const struct sj_g_node *item; /* NULL: any JSON of the depth */
	unsigned depth;
	bool no_marks;
	uint32_t number, first;
};
struct sj_g_gbnf {
	struct sj_grammar *g;
	struct sj_buf *out;     /* of the rule that is being written */
	struct sj_buf extra;    /* rules that came up meanwhile */
	struct sj_buf pending;  /* a literal that is not yet written */
	const struct sj_g_rule *rule;
	bool gap;               /* something stands before on this side of the rule */
	uint32_t serial;        /* of rules without a name */
	/* Chains of free keys that were written, by what their values are. */
	SJ_VEC(struct sj_g_chain) chains;
	uint8_t *wanted;        /* by rule: it is referred to */
	SJ_VEC(const struct sj_g_rule *) queue;
	bool strings[SJ_G_STR_COUNT], key, chr;
	bool tree_done;
	bool values[2][SJ_G_MAX_VALUE_DEPTH + 1], scalar, number, integer, boolean, space;
};

/* A literal; neighbours are joined. */
void sj_g_put(struct sj_g_gbnf *p, struct sj_slice text);
/* Anything else, as it stands, with a space before it. */
void sj_g_raw(struct sj_g_gbnf *p, const char *text);
void sj_g_rawf(struct sj_g_gbnf *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sj_g_space(struct sj_g_gbnf *p);
void sj_g_node_put(struct sj_g_gbnf *p, const struct sj_g_node *node);
/* Begins a rule beside the one that is being written; what was going on is kept in *kept until it ends. */
struct sj_g_kept {
	struct sj_buf *out, own, pending;
	bool gap;
};
void sj_g_begin(struct sj_g_gbnf *p, struct sj_g_kept *kept, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void sj_g_end(struct sj_g_gbnf *p, struct sj_g_kept *kept);

/* `"name":`, and members: after what stands before them when `first`, else each after a comma. The object stays open.
 */
void sj_g_key(struct sj_g_gbnf *p, struct sj_slice name);
void sj_g_members(struct sj_g_gbnf *p, const struct sj_g_node *object, bool first);
/* grammar_tree.c */
void sj_g_tree_put(struct sj_g_gbnf *p, const struct sj_g_tree *tree);

/* grammar_words.c: terminals. */
void sj_g_string_put(struct sj_g_gbnf *p, const struct sj_g_node *node);
void sj_g_number_put(struct sj_g_gbnf *p, const struct sj_g_node *node);
/* A key that begins with `first`, quoted, which is none of the words (sorted). */
void sj_g_key_put(struct sj_g_gbnf *p, char first, const struct sj_slice *words, uint32_t n);
void sj_g_words_end(struct sj_g_gbnf *p); /* the rules that were referred to */

#endif
