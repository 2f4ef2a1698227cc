/* What a grammar says before it is spelled: a small algebra of JSON values. Internal to the grammar_*.c files.
 *
 * A node stands for a set of JSON texts; nodes are immutable and live in the arena of their struct sj_grammar. A rule
 * is a named node, so that it is written once and referred to often. The same rules are printed as GBNF
 * (grammar_gbnf.c) and as JSON Schema (grammar_json.c).
 *
 * Everything that makes nodes errs on one side: a node may say less than the schema it was read from, never more. When
 * memory ends, `status` says so and every maker answers with the node that says nothing.
 */
#ifndef SJ_INFER_GRAMMAR_NODE_H
#define SJ_INFER_GRAMMAR_NODE_H

#include "base/arena.h"
#include "base/map.h"
#include "infer/grammar.h"

enum { SJ_G_MAX_CALL_DEPTH = 5, SJ_G_MAX_VALUE_DEPTH = 12, SJ_G_MAX_KEYS = 200 };
enum sj_g_kind {
	SJ_G_NEVER,   /* no text at all */
	SJ_G_JSON,    /* any JSON value, nested up to a bound */
	SJ_G_LITERAL, /* `text`, a JSON value */
	SJ_G_NULL,
	SJ_G_BOOL,
	SJ_G_NUMBER, /* `integer`, `min`, `max` */
	SJ_G_STRING, /* `str`; SJ_G_STR_ANY: `min`, `max` characters; SJ_G_STR_PATTERN: `text`, `pattern` */
	SJ_G_ARRAY,  /* `item`, `min`, `max` */
	SJ_G_OBJECT, /* `members`; with none of them and an `item`: free keys whose values are of `item` */
	SJ_G_ONE_OF, /* `items` */
	SJ_G_RULE,   /* `rule` */
	/* `item` is an id; then come the members of one of `items`, objects whose rules begin with the type. */
	SJ_G_COMPONENT,
	/* An array: items[0] and items[2] if they are not nothing, then up to `max` of `item`, then perhaps items[1].
	 * At least one. items[2] only with items[0]. */
	SJ_G_LIST,
	SJ_G_TREE, /* an array of components, `tree`: only GBNF says it */
};
enum sj_g_string {
	SJ_G_STR_ANY,
	SJ_G_STR_ID,       /* a component's id */
	SJ_G_STR_PATH,     /* a path of the data model, absolute or relative */
	SJ_G_STR_TEMPLATE, /* text with well-formed ${...} */
	SJ_G_STR_DATE,
	SJ_G_STR_TIME,
	SJ_G_STR_DATE_TIME,
	SJ_G_STR_URI,
	SJ_G_STR_EMAIL,
	SJ_G_STR_UUID,
	SJ_G_STR_PATTERN,
	SJ_G_STR_COUNT
};

struct sj_g_rule;
struct sj_g_tree;
struct sj_g_node;
struct sj_g_member {
	struct sj_slice name, about;
	const struct sj_g_node *value;
	bool required;
};
struct sj_g_node {
	uint8_t kind; /* enum sj_g_kind */
	uint8_t str;  /* enum sj_g_string */
	bool integer, has_min, has_max;
	bool closed;    /* OBJECT: the schema itself refuses every other member */
	bool no_marks;  /* OBJECT with free keys: none of the keys that make a binding or a call */
	double min, max;
	struct sj_slice text, pattern;
	uint32_t n; /* items, members */
	const struct sj_g_node *const *items;
	const struct sj_g_member *members;
	const struct sj_g_node *item; /* ARRAY; OBJECT: of members that have no name here, NULL: there are none */
	const struct sj_g_rule *rule;
	const struct sj_g_tree *tree;
};
struct sj_g_rule {
	struct sj_slice name, about;
	const struct sj_g_node *body; /* NULL while it is being made */
	struct sj_g_rule *next;
	uint32_t index;
	bool is_tail; /* members of a component after its id */
};

struct sj_grammar {
	struct sj_mem *mem;
	struct sj_arena arena;
	enum sj_status status;
	struct sj_grammar_options opt; /* resolved: no member is left to a default */
	bool reserved;                 /* v1.0 with @path and @call */
	struct sj_g_rule *first, *last;
	uint32_t nrules;
	const struct sj_g_node *root;
	struct sj_slice *keys; /* known keys of free objects, sorted, each once */
	uint32_t nkeys;
	/* Rules that are made when first asked for. */
	const struct sj_g_node *path, *list_path, *reference, *template;
	struct sj_map names; /* of rules */
	struct sj_g_read *readers; /* one for each catalog */
};

extern const struct sj_g_node SJ_G_NOTHING, SJ_G_ANYTHING, SJ_G_NULLS, SJ_G_BOOLS, SJ_G_NUMBERS, SJ_G_STRINGS,
	SJ_G_ARRAYS, SJ_G_OBJECTS;

/* Makers (grammar_node.c). */
const struct sj_g_node *sj_g_string(struct sj_grammar *g, enum sj_g_string str);
const struct sj_g_node *sj_g_literal(struct sj_grammar *g, struct sj_slice json);  /* borrowed */
const struct sj_g_node *sj_g_word(struct sj_grammar *g, struct sj_slice text);     /* the string `text` */
const struct sj_g_node *sj_g_array(struct sj_grammar *g, const struct sj_g_node *item, double min, double max);
const struct sj_g_node *sj_g_free_object(struct sj_grammar *g, const struct sj_g_node *item, bool no_marks);
/* Members in the order they shall be written; those whose value is nothing are left out, and make the whole nothing
 * when they are required. Closed. */
const struct sj_g_node *sj_g_object(struct sj_grammar *g, const struct sj_g_member *members, uint32_t n);
/* Alternatives; unions inside are dissolved, nothing is left out, one alone stands for itself. */
const struct sj_g_node *sj_g_one_of(struct sj_grammar *g, const struct sj_g_node *const *items, uint32_t n);
const struct sj_g_node *sj_g_copy(struct sj_grammar *g, const struct sj_g_node *node, struct sj_g_node **out);
/* A rule whose body comes later (sj_g_rule.body). The name gets what a GBNF name may hold; it is the caller's to make
 * it unlike the others. */
struct sj_g_rule *sj_g_rule(struct sj_grammar *g, const char *prefix, struct sj_slice name, int number);
const struct sj_g_node *sj_g_refer(struct sj_grammar *g, const struct sj_g_rule *rule);
/* A rule for `body`, or the body itself when it is nothing. */
const struct sj_g_node *sj_g_named(struct sj_grammar *g, const char *name, const struct sj_g_node *body);
/* The node behind rules. A rule that is being made is nothing. */
const struct sj_g_node *sj_g_open(const struct sj_g_node *node);
struct sj_slice sj_g_keep(struct sj_grammar *g, struct sj_slice text);
void *sj_g_alloc(struct sj_grammar *g, size_t bytes); /* cleared; NULL: status says why */

/* grammar_read.c: what a catalog's document says. */
enum sj_status sj_g_read_open(struct sj_grammar *g, uint32_t catalog, struct sj_diag *diag);
void sj_g_read_close(struct sj_grammar *g, uint32_t catalog);
/* What is read from now on refers to components by this node. */
void sj_g_read_refer(struct sj_grammar *g, const struct sj_g_node *reference);
/* The members of a component but for id and component, with what all components have: an object, or several. Nothing
 * when the type cannot be said. */
const struct sj_g_node *sj_g_read_component(struct sj_grammar *g, uint32_t catalog, uint32_t index);
const struct sj_g_node *sj_g_read_theme(struct sj_grammar *g, uint32_t catalog); /* nothing: none */

/* grammar_gbnf.c, grammar_json.c */
enum sj_status sj_g_print_gbnf(struct sj_grammar *g, struct sj_buf *out);
enum sj_status sj_g_print_schema(struct sj_grammar *g, struct sj_buf *out);

#endif
