/* Regular expressions as agents write them (ECMA-262 with the u flag), bounded in pattern, subject and steps.
 *
 * Backed by PCRE2 without JIT; a front parser accepts ECMA-262 syntax, maps it and refuses the rest by name. Built
 * without PCRE2, every compile answers SJ_INVALID / SJ_E_UNAVAILABLE.
 */
#ifndef SJ_TEXT_REGEX_H
#define SJ_TEXT_REGEX_H

#include "base/limits.h"
#include "base/mem.h"

struct sj_regex;

/* SJ_INVALID (SJ_E_REGEX, diag->offset inside the pattern), SJ_LIMIT, SJ_NOMEM. */
enum sj_status sj_regex_compile(struct sj_mem *mem, struct sj_slice pattern, const struct sj_limits *l,
                                struct sj_regex **out, struct sj_diag *diag);
void sj_regex_destroy(struct sj_regex *r);
/* Unanchored search. SJ_OK: *found tells. SJ_LIMIT: gave up within the step limit. */
enum sj_status sj_regex_search(struct sj_regex *r, struct sj_slice subject, bool *found, struct sj_diag *diag);
/* What the last search cost, in the steps that the step limit counts. */
uint64_t sj_regex_steps(const struct sj_regex *r);
bool sj_regex_available(void);

#endif
