/* The keywords of draft 2020-12: one row each, with what their value is made of and the vocabulary they belong to. */
#ifndef SJ_SCHEMA_KEYWORD_H
#define SJ_SCHEMA_KEYWORD_H

#include "json/tape.h"
#include "schema/symbols.h"

enum sj_schema_shape {
	SJ_SCHEMA_SHAPE_OTHER,
	SJ_SCHEMA_SHAPE_SCHEMA, /* a subschema */
	SJ_SCHEMA_SHAPE_LIST,   /* an array of them */
	SJ_SCHEMA_SHAPE_MAP,    /* an object of them */
};

/* X(NAME, spelling, shape, vocabulary: CORE, APPLICATOR, UNEVALUATED, VALIDATION, NOTE for what never constrains) */
#define SJ_SCHEMA_KEYWORDS(X)                                                                                          \
	X(ID, "$id", OTHER, CORE)                                                                                      \
	X(SCHEMA, "$schema", OTHER, CORE)                                                                              \
	X(REF, "$ref", OTHER, CORE)                                                                                    \
	X(ANCHOR, "$anchor", OTHER, CORE)                                                                              \
	X(DYNAMIC_REF, "$dynamicRef", OTHER, CORE)                                                                     \
	X(DYNAMIC_ANCHOR, "$dynamicAnchor", OTHER, CORE)                                                               \
	X(VOCABULARY, "$vocabulary", OTHER, CORE)                                                                      \
	X(DEFS, "$defs", MAP, CORE)                                                                                    \
	X(DEFINITIONS, "definitions", MAP, NOTE)                                                                       \
	X(ALL_OF, "allOf", LIST, APPLICATOR)                                                                           \
	X(ANY_OF, "anyOf", LIST, APPLICATOR)                                                                           \
	X(ONE_OF, "oneOf", LIST, APPLICATOR)                                                                           \
	X(NOT, "not", SCHEMA, APPLICATOR)                                                                              \
	X(IF, "if", SCHEMA, APPLICATOR)                                                                                \
	X(THEN, "then", SCHEMA, APPLICATOR)                                                                            \
	X(ELSE, "else", SCHEMA, APPLICATOR)                                                                            \
	X(DEPENDENT_SCHEMAS, "dependentSchemas", MAP, APPLICATOR)                                                      \
	X(PREFIX_ITEMS, "prefixItems", LIST, APPLICATOR)                                                               \
	X(ITEMS, "items", SCHEMA, APPLICATOR)                                                                          \
	X(CONTAINS, "contains", SCHEMA, APPLICATOR)                                                                    \
	X(PROPERTIES, "properties", MAP, APPLICATOR)                                                                   \
	X(PATTERN_PROPERTIES, "patternProperties", MAP, APPLICATOR)                                                    \
	X(ADDITIONAL_PROPERTIES, "additionalProperties", SCHEMA, APPLICATOR)                                           \
	X(PROPERTY_NAMES, "propertyNames", SCHEMA, APPLICATOR)                                                         \
	X(UNEVALUATED_ITEMS, "unevaluatedItems", SCHEMA, UNEVALUATED)                                                  \
	X(UNEVALUATED_PROPERTIES, "unevaluatedProperties", SCHEMA, UNEVALUATED)                                        \
	X(TYPE, "type", OTHER, VALIDATION)                                                                             \
	X(ENUM, "enum", OTHER, VALIDATION)                                                                             \
	X(CONST, "const", OTHER, VALIDATION)                                                                           \
	X(MULTIPLE_OF, "multipleOf", OTHER, VALIDATION)                                                                \
	X(MAXIMUM, "maximum", OTHER, VALIDATION)                                                                       \
	X(EXCLUSIVE_MAXIMUM, "exclusiveMaximum", OTHER, VALIDATION)                                                    \
	X(MINIMUM, "minimum", OTHER, VALIDATION)                                                                       \
	X(EXCLUSIVE_MINIMUM, "exclusiveMinimum", OTHER, VALIDATION)                                                    \
	X(MAX_LENGTH, "maxLength", OTHER, VALIDATION)                                                                  \
	X(MIN_LENGTH, "minLength", OTHER, VALIDATION)                                                                  \
	X(PATTERN, "pattern", OTHER, VALIDATION)                                                                       \
	X(MAX_ITEMS, "maxItems", OTHER, VALIDATION)                                                                    \
	X(MIN_ITEMS, "minItems", OTHER, VALIDATION)                                                                    \
	X(UNIQUE_ITEMS, "uniqueItems", OTHER, VALIDATION)                                                              \
	X(MAX_CONTAINS, "maxContains", OTHER, VALIDATION)                                                              \
	X(MIN_CONTAINS, "minContains", OTHER, VALIDATION)                                                              \
	X(MAX_PROPERTIES, "maxProperties", OTHER, VALIDATION)                                                          \
	X(MIN_PROPERTIES, "minProperties", OTHER, VALIDATION)                                                          \
	X(REQUIRED, "required", OTHER, VALIDATION)                                                                     \
	X(DEPENDENT_REQUIRED, "dependentRequired", OTHER, VALIDATION)                                                  \
	X(FORMAT, "format", OTHER, FORMAT)                                                                             \
	X(CONTENT_SCHEMA, "contentSchema", SCHEMA, NOTE)

enum sj_schema_keyword {
#define SJ_SCHEMA_KW_ENUM(name, text, shape, vocabulary) SJ_SCHEMA_KW_##name,
	SJ_SCHEMA_KEYWORDS(SJ_SCHEMA_KW_ENUM)
#undef SJ_SCHEMA_KW_ENUM
	SJ_SCHEMA_KW_COUNT /* and "no keyword" */
};

/* Makes the keywords the first symbols of a table, so that a member name is recognised by its symbol. */
enum sj_status sj_schema_keywords_make(struct sj_schema_symbols *s);
/* The keyword a member of a schema is, by its key cell. */
enum sj_schema_keyword sj_schema_keyword_at(const struct sj_schema_symbols *s, const struct sj_tape *t, uint32_t key);
enum sj_schema_shape sj_schema_keyword_shape(enum sj_schema_keyword k);
/* The flag of program.h under which the keyword counts; 0: always. */
uint8_t sj_schema_keyword_vocabulary(enum sj_schema_keyword k);
const char *sj_schema_keyword_text(enum sj_schema_keyword k);

#endif
