/* Sketches: a short notation for the JSON Schemas that this module carries as its own data.
 *
 * A sketch is trusted, constant text (an ill-formed one is an assertion). It reads from left to right:
 *
 *   str num int bool obj arr any null    type words
 *   str'a|b'  'a|b'  'a'                 enumerated text, an enum of any type, a const
 *   $Name  #Name  ^Name  <uri>           $ref: common type, local definition, definition of the catalog, any URI
 *   [T]                                  array of T
 *   {a! T, b T .}                        object: a is required; closed by "." (additionalProperties), "~"
 * (unevaluatedProperties), open by "*", or "*T"; a "-" before the brace leaves out "type" (T|U)  (T&U)  (T?U) oneOf,
 * allOf, anyOf `raw`                                members as they stand VERSION                              the
 * version words a message of this version may carry
 *
 * and may be followed by: ='text' or =number (default), >n (minimum, minItems), :word (format), /re/ (pattern), +`raw`
 * (further members), _words_ (description). A member or closer with "<" before it exists before v1.0 only, with ">"
 * from v1.0 on. A member named @x is spelled x in the bare dialect.
 */
#ifndef SJ_A2UI_SKETCH_H
#define SJ_A2UI_SKETCH_H

#include "a2ui/catalog.h"

struct sj_sketch_env {
	enum sj_version version;
	enum sj_dialect dialect;
	const char *common; /* what stands before the name of a common type in a $ref */
	bool terse;         /* leave descriptions out */
};

/* Appends the schema a sketch stands for. */
void sj_sketch(struct sj_buf *out, const struct sj_sketch_env *env, const char *sketch);
/* Only its members, without the braces around; `comma` tells whether some stand before. */
void sj_sketch_members(struct sj_buf *out, const struct sj_sketch_env *env, const char *sketch, bool comma);
/* The members of an object: first `tag`, required and constant, then those of the sketch `props` (braces included),
 * then those of `last` ("weight num}"; may be NULL). "type" is the caller's and stands before. */
void sj_sketch_tagged(struct sj_buf *out, const struct sj_sketch_env *env, const char *tag, struct sj_slice value,
                      const char *props, const char *last);
/* Appends a quoted JSON string (plain ASCII or UTF-8 text of ours). */
void sj_sketch_string(struct sj_buf *out, struct sj_slice text);

#endif
