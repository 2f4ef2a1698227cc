/* GBNF, the grammar dialect of llama.cpp, for tests: a parser of it, random sentences, and a recogniser.
 *
 * Grammars are reduced to productions over characters: groups and repetitions become rules of their own. The
 * recogniser is Earley's, so it takes every grammar, ambiguous or not, and says no at the byte where nothing fits.
 */
#ifndef SJ_TEST_GBNF_H
#define SJ_TEST_GBNF_H

#include "base/buf.h"

struct gbnf;
/* NULL: a mistake, *why and *line say which. A rule without definition, a rule defined twice, and left recursion are
 * mistakes too. */
struct gbnf *gbnf_parse(struct sj_slice text, const char **why, uint32_t *line);
void gbnf_free(struct gbnf *g);
uint32_t gbnf_rules(const struct gbnf *g);
/* A sentence of the rule "root"; after about `budget` choices the shortest way home is taken. */
void gbnf_random(const struct gbnf *g, uint64_t *seed, uint32_t budget, struct sj_buf *out);
/* Bytes that were fine; text.len and *whole when the text is a sentence. */
size_t gbnf_match(const struct gbnf *g, struct sj_slice text, bool *whole);

uint32_t test_random(uint64_t *seed, uint32_t below);

#endif
