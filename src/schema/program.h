/* The compiled form of a schema set: flat pools addressed by index, shared by all schemas of the set.
 *
 * A node is one schema at one place of a document; its keywords are a run of ops, cheap ones first, `unevaluated*`
 * last. Everything an op needs is a number: a node, a symbol, an offset into `kids`. The pools only grow; when
 * compiling fails they are cut back to where they were, so a set stays usable.
 */
#ifndef SJ_SCHEMA_PROGRAM_H
#define SJ_SCHEMA_PROGRAM_H

#include "base/map.h"
#include "schema/schema.h"
#include "schema/symbols.h"
#include "text/regex.h"

#define SJ_SCHEMA_NONE UINT32_MAX
#define SJ_SCHEMA_TRUE 0u  /* node: the schema `true` */
#define SJ_SCHEMA_FALSE 1u /* node: the schema `false` */

/* Type masks: one bit per enum sj_json_type, and one more for "integer" where "number" is not allowed. */
#define SJ_SCHEMA_TYPE(t) (uint8_t)(1u << (t))
#define SJ_SCHEMA_BOOLEAN (uint8_t)(1u << SJ_J_FALSE | 1u << SJ_J_TRUE)
#define SJ_SCHEMA_INTEGER 0x80u
#define SJ_SCHEMA_ANY_TYPE 0x7fu

/* X(NAME, keyword): in the order their faults carry their names. */
#define SJ_SCHEMA_OPS(X)                                                                                               \
	X(CONST, "const") X(CONST_SYM, "const") X(ENUM, "enum")                                                        \
	X(MINIMUM, "minimum") X(MAXIMUM, "maximum") X(ABOVE, "exclusiveMinimum") X(BELOW, "exclusiveMaximum")          \
	X(MULTIPLE_OF, "multipleOf")                                                                                   \
	X(MIN_LENGTH, "minLength") X(MAX_LENGTH, "maxLength") X(PATTERN, "pattern") X(FORMAT, "format")                \
	X(MIN_ITEMS, "minItems") X(MAX_ITEMS, "maxItems") X(UNIQUE, "uniqueItems")                                     \
	X(MIN_PROPERTIES, "minProperties") X(MAX_PROPERTIES, "maxProperties")                                          \
	X(DEPENDENT_REQUIRED, "dependentRequired")                                                                     \
	X(OBJECT, "properties") X(ITEMS, "items") X(CONTAINS, "contains")                                              \
	X(REF, "$ref") X(DYNAMIC_REF, "$dynamicRef") X(ALL_OF, "allOf") X(ANY_OF, "anyOf") X(ONE_OF, "oneOf")          \
	X(NOT, "not") X(IF, "if") X(DEPENDENT_SCHEMAS, "dependentSchemas")                                             \
	X(UNEVALUATED_ITEMS, "unevaluatedItems") X(UNEVALUATED_PROPERTIES, "unevaluatedProperties")

enum sj_schema_op_kind {
#define SJ_SCHEMA_OP_ENUM(name, keyword) SJ_SCHEMA_OP_##name,
	SJ_SCHEMA_OPS(SJ_SCHEMA_OP_ENUM)
#undef SJ_SCHEMA_OP_ENUM
	SJ_SCHEMA_OP_COUNT
};

struct sj_schema_op {
	uint8_t kind;  /* enum sj_schema_op_kind */
	uint8_t on;    /* instance types it looks at */
	uint32_t cell; /* the keyword's value in the document of its node */
	uint32_t a, b, c;
	/* CONST_SYM a symbol; ENUM a slots, b mask, c others (members that are no strings);
	 * MIN_..., MAX_... a bound; PATTERN a regex; FORMAT a format;
	 * DEPENDENT_REQUIRED a kids: count, then (trigger symbol, count, symbols...);
	 * OBJECT a object; ITEMS a kids of the prefix, b their count, c node of the rest; CONTAINS a node, b min, c
	 * max; REF a node; DYNAMIC_REF a node, b symbol of the anchor; ALL_OF a kids, b count; ANY_OF, ONE_OF a union;
	 * NOT a node; IF a node, b then, c else; DEPENDENT_SCHEMAS a kids: pairs (symbol, node), b pairs;
	 * UNEVALUATED_... a node */
};

struct sj_schema_node {
	uint8_t types;   /* "type": what passes it */
	uint8_t accepts; /* superset of the types that can be valid at all, for choosing branches */
	uint16_t op_count;
	uint32_t op;
	uint32_t doc, cell, resource;
};

/* One entry of an object's table of names. */
struct sj_schema_prop {
	uint32_t sym;  /* 0: empty slot */
	uint32_t node; /* of `properties`; NONE when the name is only required */
	uint64_t bit;  /* among the required names; 0 when optional */
};
struct sj_schema_object {
	uint32_t slots, mask;               /* table in `props` */
	uint32_t required, required_count;  /* symbols in `kids` */
	uint64_t required_bits;             /* 0 when there are more than 64: then looked for one by one */
	uint32_t patterns, pattern_count;   /* pairs (regex, node) in `kids` */
	uint32_t additional;                /* node or NONE */
	uint32_t names;                     /* node of propertyNames, or NONE */
	uint32_t required_cell;             /* for faults */
};

/* The branches of a oneOf or anyOf, and the ways to look up those that can match at all. A list is an offset into
 * `kids`: count, then nodes. */
struct sj_schema_union {
	uint32_t all;        /* list of every branch */
	uint32_t by_type[7]; /* lists by instance type */
	uint32_t pin;        /* symbol of the property that tells the branches apart; 0: none */
	uint32_t slots, mask; /* table in `pins` */
	uint32_t unpinned;   /* list of the branches that take any value there */
	uint8_t state;       /* 0 new, 1 being looked at, 2 done */
};
struct sj_schema_pin {
	uint32_t sym, list;
};

struct sj_schema_pattern {
	struct sj_regex *regex; /* NULL for identifiers, and where regular expressions are not built in */
	struct sj_slice text;
	bool identifier;
};

struct sj_schema_document {
	struct sj_tape tape;
	uint32_t *node_of; /* by cell: node + 1; 0 not compiled */
};
struct sj_schema_resource {
	struct sj_slice uri; /* absolute where its author made it so; no fragment */
	uint32_t doc, cell, parent; /* parent resource or NONE */
	uint8_t vocabulary; /* SJ_SCHEMA_VOCAB_*; 0 not known yet */
	bool used;          /* some node of it is compiled */
};
#define SJ_SCHEMA_VOCAB_KNOWN 1u
#define SJ_SCHEMA_VOCAB_APPLICATOR 2u
#define SJ_SCHEMA_VOCAB_UNEVALUATED 4u
#define SJ_SCHEMA_VOCAB_VALIDATION 8u
#define SJ_SCHEMA_VOCAB_FORMAT 16u /* as an assertion */

struct sj_schema_anchor {
	uint32_t resource, cell;
	struct sj_slice name, key; /* key: how it is filed in by_anchor */
	bool dynamic;
};

struct sj_schema {
	struct sj_schema_set *set;
	uint32_t node;
	struct sj_schema *next;
};

struct sj_schema_set {
	struct sj_mem *mem;
	struct sj_limits limits;
	bool assert_format, plain;
	struct sj_arena arena; /* documents and strings */
	SJ_VEC(struct sj_schema_document) docs;
	SJ_VEC(struct sj_schema_resource) resources;
	SJ_VEC(struct sj_schema_anchor) anchors;
	struct sj_map by_uri;      /* absolute URI, or a relative alias -> resource */
	struct sj_map by_anchor;   /* resource and name -> anchor */
	struct sj_map64 root_at;   /* doc << 32 | cell -> resource that begins there */
	struct sj_map64 dynamic_at; /* resource << 32 | symbol -> node of its $dynamicAnchor */
	struct sj_schema_symbols symbols;
	SJ_VEC(struct sj_schema_node) nodes;
	SJ_VEC(struct sj_schema_op) ops;
	SJ_VEC(uint32_t) kids;
	SJ_VEC(struct sj_schema_object) objects;
	SJ_VEC(struct sj_schema_prop) props;
	SJ_VEC(struct sj_schema_union) unions;
	SJ_VEC(struct sj_schema_pin) pins;
	SJ_VEC(uint32_t) enums; /* symbol tables of ENUM ops */
	SJ_VEC(struct sj_schema_pattern) patterns;
	struct sj_map by_pattern;  /* text -> pattern */
	SJ_VEC(uint32_t) dynamic_names; /* symbols of anchors that some $dynamicRef asks for */
	struct sj_schema *schemas;
};

/* format.c */
#define SJ_SCHEMA_FORMAT_REGEX 0u
uint32_t sj_schema_format(struct sj_slice name); /* NONE: not known, and so never fails */
bool sj_schema_format_check(uint32_t format, struct sj_slice text); /* any but REGEX */

/* Where a symbol's search begins in a table of mask + 1 slots. */
static inline uint32_t sj_schema_slot(uint32_t sym, uint32_t mask) { return sym * 0x9e3779b1u >> 7 & mask; }

/* set.c: documents, names, references. */
struct sj_schema_place {
	uint32_t doc, cell, resource;
	const struct sj_schema_anchor
		*anchor; /* how it was named; NULL: root or pointer. Until the next document is added */
};
/* Finds what `ref` means inside `resource` (NONE: an absolute reference). SJ_INVALID with diag set, SJ_NOMEM. */
enum sj_status sj_schema_find(struct sj_schema_set *s, uint32_t resource, struct sj_slice ref,
                              struct sj_schema_place *out, struct sj_diag *diag);
/* Registers the resources and anchors of a schema that lies outside the known places (below an unknown keyword). */
enum sj_status sj_schema_scan(struct sj_schema_set *s, uint32_t doc, uint32_t cell, uint32_t resource,
                              struct sj_diag *diag);
enum sj_status sj_schema_vocabulary(struct sj_schema_set *s, uint32_t resource, uint8_t *out, struct sj_diag *diag);
/* The resource that begins at a cell, else `outer`. */
uint32_t sj_schema_resource_at(const struct sj_schema_set *s, uint32_t doc, uint32_t cell, uint32_t outer);
/* A fault of the schema itself, at a cell of its document. */
enum sj_status sj_schema_bad(const struct sj_schema_set *s, uint32_t doc, uint32_t cell, struct sj_diag *diag,
                             const char *format, ...) __attribute__((format(printf, 5, 6)));

/* meta.c: the text of a metaschema of draft 2020-12 by its URI; {NULL,0} when it is none. */
struct sj_slice sj_schema_builtin(struct sj_slice uri);

/* choose.c: fills `accepts` and the unions of the nodes from `first` on. */
enum sj_status sj_schema_choose(struct sj_schema_set *s, uint32_t first_node, uint32_t first_union);

#endif
