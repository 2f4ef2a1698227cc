/* The compiled form of a catalog, shared by the catalog_*.c files. Not for other modules. */
#ifndef SJ_A2UI_CATALOG_INTERNAL_H
#define SJ_A2UI_CATALOG_INTERNAL_H

#include "a2ui/data.h"
#include "base/map.h"

/* A place in one of the two documents a catalog is made of: its own, and the common types of its version. */
struct sj_cat_node {
	const struct sj_tape *t; /* NULL: no such place */
	uint32_t cell;
};

/* Names of a row, found without a walk: slots hold index + 1, a power of two of them. */
struct sj_cat_names {
	uint16_t *slots;
	uint32_t mask;
};

/* What the fast walk knows how to accept. Whatever is none of these goes to the schema engine. */
enum sj_shape_kind {
	SJ_SH_SLOW,
	SJ_SH_ANY,
	SJ_SH_STRING,
	SJ_SH_NUMBER,
	SJ_SH_INTEGER,
	SJ_SH_BOOL,
	SJ_SH_ARRAY,   /* item, min items */
	SJ_SH_OBJECT,  /* table */
	SJ_SH_WORDS,   /* a string among words */
	SJ_SH_DYNAMIC, /* Dynamic* of dyn: literal, binding or call */
	SJ_SH_BINDING,
	SJ_SH_CALL,
	SJ_SH_ONE_OF,  /* alternatives */
	SJ_SH_ANY_OF,
};
struct sj_shape {
	uint8_t kind; /* enum sj_shape_kind */
	uint8_t dyn;  /* enum sj_dynamic_type */
	bool has_min, typed; /* typed: OBJECT refuses what is no object */
	uint32_t n;   /* words, alternatives */
	double min;
	union {
		const struct sj_slice *words;
		const struct sj_shape *shapes; /* alternatives; ARRAY: the item */
		const struct sj_shape_table *table;
	} u;
};
struct sj_shape_table {
	const struct sj_slice *names;
	const struct sj_shape *shapes;
	struct sj_cat_names index;
	uint32_t n;
	uint64_t required; /* bit per name */
	uint64_t any_of;   /* when not 0: one of these must be there */
	const struct sj_shape *rest; /* of other members; NULL: the engine decides */
};

struct sj_cat_component {
	struct sj_a2ui_component pub; /* first: callers hold pointers to it */
	const struct sj_catalog *catalog;
	struct sj_cat_names index;
	struct sj_shape shape;
	struct sj_cat_node def;
	bool loose; /* unknown names get a generic property */
};
struct sj_cat_function {
	struct sj_a2ui_function pub;
	struct sj_cat_node def;
	struct sj_cat_node args;   /* schema of `args`; t NULL: anything */
	struct sj_cat_node params; /* compact form: an object of name -> schema */
	struct sj_shape args_shape;
	bool args_required, returns_stated; /* returns_stated: a v0.9 call may carry returnType */
	bool is_call_schema; /* def is the schema of a whole call */
	bool reserved_key;   /* which names the function by @call */
	bool simple;         /* and holds no more than the name, the arguments and the type of what it gives */
};

/* What the schema engine is given, made when it is first needed: by dialect, bare and reserved. */
struct sj_cat_set;
struct sj_cat_lazy {
	struct sj_cat_set *sets[2];
};
struct sj_cat_memo { /* shapes of common types, compiled once */
	uint32_t cell;
	struct sj_shape shape;
};
enum { SJ_CAT_MEMOS = 32 };

struct sj_catalog {
	struct sj_mem *mem;
	struct sj_arena arena;
	struct sj_slice id, instructions;
	enum sj_version version, rules; /* as stated; the version whose rules are followed */
	bool permissive;
	struct sj_tape doc, common;
	struct sj_slice text;
	struct sj_cat_component *components;
	uint32_t ncomponents;
	struct sj_cat_names component_index;
	struct sj_cat_function *functions;
	uint32_t nfunctions;
	struct sj_cat_names function_index;
	struct sj_cat_node theme;
	bool theme_is_map; /* v0.8 styles: name -> schema */
	struct sj_cat_component
		generic; /* any type of a permissive catalog; also lends its properties to open definitions */
	struct sj_a2ui_prop any_prop;    /* any property of those */
	struct sj_cat_lazy *lazy;
	struct sj_slice shared_text;     /* common types the caller gave, for emission */
	struct sj_cat_memo memos[SJ_CAT_MEMOS];
	uint32_t nmemos;
	/* What compiling has cost so far, against sj_cat_budget: definitions that refer to each other can multiply
	 * without end. Such a document is refused; only for shapes it is enough to stop, since the engine decides
	 * without them. */
	uint32_t shape_steps, class_steps, collect_steps;
};

/* Names. */
enum sj_status sj_cat_names_build(struct sj_arena *a, struct sj_cat_names *out, const void *rows, size_t row_bytes,
                                  uint32_t n);
/* Rows begin with their struct sj_slice name. UINT32_MAX when absent. */
uint32_t sj_cat_names_find(const struct sj_cat_names *x, const void *rows, size_t row_bytes, struct sj_slice name);

/* Resolving: follows a $ref string seen at `from`. *common is the name of the common type it stands for, else empty.
 * SJ_ABSENT: no such place. */
enum sj_status sj_cat_resolve(struct sj_catalog *c, struct sj_cat_node from, struct sj_slice ref,
                              struct sj_cat_node *to, struct sj_slice *common);
struct sj_cat_node sj_cat_get(struct sj_cat_node object, const char *key);
bool sj_cat_is(struct sj_cat_node n, enum sj_json_type type);
struct sj_slice sj_cat_text(struct sj_catalog *c,
                            struct sj_cat_node n); /* of a string; decoded, lives with the catalog */

/* The properties a schema names, through allOf and local references: each name once, in document order. */
struct sj_cat_prop {
	struct sj_slice name;
	struct sj_cat_node schema; /* where it stands first */
	struct sj_cat_node second; /* and where it stands again: both count */
	uint32_t again;            /* how often it comes again */
	bool required;
	bool common;               /* comes from ComponentCommon */
	bool mixed_in;             /* stands first in what a $ref leads to */
};
struct sj_cat_props {
	struct sj_cat_prop *items;
	uint32_t count, cap;
	bool closed;    /* unevaluatedProperties or additionalProperties false, at the level of the whole */
	bool names_any; /* says something about members at all */
	bool partial;   /* a name is required that none of the items has, or a bound was met: not for the fast walk */
	uint32_t steps;
	struct sj_map index; /* name -> item, once there are many */
};
uint32_t sj_cat_budget(const struct sj_catalog *c);
enum sj_status sj_cat_collect(struct sj_catalog *c, struct sj_cat_node schema, struct sj_cat_props *out);
enum sj_status sj_cat_collect_more(struct sj_catalog *c, struct sj_cat_node schema,
                                   struct sj_cat_props *out); /* joins another schema's */
void sj_cat_props_free(struct sj_catalog *c, struct sj_cat_props *p);
/* Indices of the items in positional order (see struct sj_a2ui_component), as many as there are; arena memory. NULL
 * when out of memory. */
const uint32_t *sj_cat_positions(struct sj_catalog *c, const struct sj_cat_props *props);

/* catalog_class.c */
enum sj_status sj_cat_classify(struct sj_catalog *c, struct sj_cat_component *comp, const struct sj_cat_props *props);
enum sj_status sj_cat_generic(struct sj_catalog *c);
/* catalog_shape.c */
enum sj_status sj_cat_component_shape(struct sj_catalog *c, struct sj_cat_component *comp);
enum sj_status sj_cat_function_shape(struct sj_catalog *c, struct sj_cat_function *f);
bool sj_cat_is_assertion(struct sj_slice keyword); /* every keyword of 2020-12 that can refuse a value */

/* catalog_fast.c: true when the value is certainly valid. */
bool sj_cat_fast_component(const struct sj_catalog *c, const struct sj_cat_component *comp, enum sj_dialect d,
                           const struct sj_tape *t, uint32_t cell);
bool sj_cat_fast_call(const struct sj_catalog *c, const struct sj_cat_function *f, enum sj_dialect d,
                      const struct sj_tape *t, uint32_t cell);

/* catalog_schema.c */
enum sj_cat_what { SJ_CAT_COMPONENT, SJ_CAT_FUNCTION, SJ_CAT_THEME };
enum sj_status sj_cat_schema(const struct sj_catalog *c, enum sj_dialect d, enum sj_cat_what what, uint32_t index,
                             const struct sj_schema **out, struct sj_diag *diag);
void sj_cat_lazy_destroy(struct sj_cat_lazy *lazy, struct sj_mem *mem);

/* catalog_write.c: copies subtrees of the documents, spelling each reference anew. */
enum sj_cat_spelling {
	SJ_CAT_APART,    /* common types are a document of their own */
	SJ_CAT_TOGETHER, /* they lie in this document's $defs */
};
struct sj_cat_writer {
	struct sj_catalog *c; /* a view: nodes are of its doc and common tapes */
	struct sj_buf *out;
	enum sj_cat_spelling spelling;
	bool inlined;         /* references are replaced by what they lead to, where that ends */
	bool inline_common;   /* common types too */
	uint8_t *used_doc, *used_common; /* set per cell for what is referred to; may be NULL */
	bool used_any_function;
	uint32_t open_object; /* members to be added to this object cell (see below); 0: none */
	const char *extra;    /* ... spelled as they stand, with a comma after each */
	uint32_t steps;
};
void sj_cat_write(struct sj_cat_writer *w, struct sj_cat_node n);
void sj_cat_write_ref(struct sj_cat_writer *w, struct sj_cat_node from, struct sj_slice ref);
/* A catalog that shares c's documents but decodes into an arena of its own, so that c stays as it is. With `shared`,
 * the common types are those of the text (parsed into the arena). Finish with sj_arena_finish(&view->arena). */
enum sj_status sj_cat_view(const struct sj_catalog *c, struct sj_slice shared, struct sj_catalog *view);

/* kinds.c */
enum sj_ui_kind sj_cat_kind(struct sj_slice type_name);
enum sj_ui_prop sj_cat_meaning(enum sj_ui_kind kind, struct sj_slice prop_name, enum sj_a2ui_class cls);
/* How well a property of this name stands for its meaning in an unknown type; the lowest number wins. */
uint32_t sj_cat_meaning_rank(enum sj_ui_kind kind, struct sj_slice prop_name, enum sj_a2ui_class cls);

#endif
