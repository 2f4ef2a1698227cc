/* JSON Schemas as sj_grammar_schema writes them, for tests: random instances, and values put into the order of the
 * schema's properties, which is the order a grammar wants. Only the keywords that those schemas hold are known. */
#ifndef SJ_TEST_SCHEMA_WALK_H
#define SJ_TEST_SCHEMA_WALK_H

#include "json/value.h"

/* A random instance, printed. After about `budget` choices the smallest ones are taken. */
void schema_random(const struct sj_value *schema, uint64_t *seed, uint32_t budget, struct sj_buf *out);
/* Prints the value with the members of its objects in the order of the schema that fits. False: none fits, and `at` is
 * a pointer to where it was left furthest in. */
bool schema_fit(const struct sj_value *schema, const struct sj_value *v, struct sj_buf *out, struct sj_buf *at);
/* The keywords of a schema, each once, in *words: NULL-ended, borrowed. False when one is not among `allowed`. */
bool schema_holds_only(const struct sj_value *schema, const char *const *allowed, struct sj_buf *other);

#endif
