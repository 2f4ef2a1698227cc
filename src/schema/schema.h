/* JSON Schema 2020-12: compile once, validate many, on tapes.
 *
 * A struct sj_schema_set holds documents by URI (nothing is ever fetched); compiling from a root URI resolves $ref,
 * $anchor, $dynamicRef and $id among them into a flat program. Validation runs on a tape cell with limits on steps
 * and on the nesting of schemas. unevaluatedProperties/Items work from annotations. `format` is an annotation unless
 * assert_format is set (date-time, date, time, email, uri, uri-reference, ... as far as the A2UI schemas need; unknown
 * formats never fail). `pattern` uses text/regex; where that is not built in, schemas with patterns still compile, and
 * validating answers SJ_LIMIT when one would have to be matched.
 *
 * Faults are phrased the way people of this field already know: "'root' is a required property", "123 is not of type
 * 'string'", "'line' is not one of ['doughnut', 'pie']", "Additional properties are not allowed ('x' was
 * unexpected)".
 */
#ifndef SJ_SCHEMA_H
#define SJ_SCHEMA_H

#include "base/buf.h"
#include "json/tape.h"

struct sj_schema_set;
struct sj_schema;

struct sj_schema_options {
	bool assert_format;
	bool plain; /* tests: try every branch of oneOf and anyOf instead of looking up those that can fit; same
	               verdicts */
	const struct sj_limits *limits; /* NULL: default */
};

enum sj_status sj_schema_set_create(struct sj_mem *mem, const struct sj_schema_options *opt,
                                    struct sj_schema_set **out);
void sj_schema_set_destroy(struct sj_schema_set *s); /* and every schema compiled from it */
/* Adds a document under `uri` (and under its own $id). The text is copied. SJ_INVALID: not JSON or not a schema. */
enum sj_status sj_schema_set_add(struct sj_schema_set *s, struct sj_slice uri, struct sj_slice text,
                                 struct sj_diag *diag);
/* Another name for a document already added (e.g. "catalog.json" relative to an envelope). */
enum sj_status sj_schema_set_alias(struct sj_schema_set *s, struct sj_slice uri, struct sj_slice alias);
/* Compiles uri[#fragment] (JSON Pointer or anchor). Compiled lazily per subschema and cached; borrowed from the set.
 * SJ_INVALID: unresolvable $ref, bad keyword value. */
enum sj_status sj_schema_compile(struct sj_schema_set *s, struct sj_slice uri, const struct sj_schema **out,
                                 struct sj_diag *diag);

/* One fault: where in the instance, which keyword, in words. The first in document order is the most useful; with
 * oneOf/anyOf the faults of the closest branch (chosen by const/enum discriminators, else fewest faults) are reported,
 * not "no branch matched". */
struct sj_schema_fault {
	uint32_t cell;            /* instance cell */
	struct sj_slice keyword;  /* "type", "required", ... borrowed */
	struct sj_slice property; /* required, additionalProperties, unevaluatedProperties: the name; else empty */
	const struct sj_tape *schema; /* where the subschema that failed is written, borrowed from the set; or NULL */
	uint32_t schema_cell;
	char message[256];
};
typedef bool (*sj_schema_fault_fn)(void *ctx, const struct sj_schema_fault *f); /* false: stop */

/* SJ_OK valid; SJ_INVALID (faults were given to fn, may be NULL); SJ_LIMIT steps or depth; SJ_NOMEM. Scratch comes from
 * `arena` and is rolled back. */
enum sj_status sj_schema_validate(const struct sj_schema *schema, const struct sj_tape *t, uint32_t cell,
                                  struct sj_arena *arena, sj_schema_fault_fn fn, void *ctx);
/* RFC 6901 pointer of a cell within its tape, appended to out. O(cells before it). */
void sj_tape_pointer(const struct sj_tape *t, uint32_t cell, struct sj_buf *out);
/* The same from a container that holds the cell, at whatever place that container stands. */
void sj_tape_pointer_from(const struct sj_tape *t, uint32_t root, uint32_t cell, struct sj_buf *out);

#endif
