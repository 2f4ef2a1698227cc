/* Compiled patterns of one function table: a few, the least recently used one makes room. A pattern that does not
 * compile is kept too, with its reason, so that a broken check costs its compilation once and not once a keystroke. */
#ifndef SJ_A2UI_FN_REGEX_H
#define SJ_A2UI_FN_REGEX_H

#include "text/regex.h"

enum { SJ_FN_REGEXES = 64 };

struct sj_fn_regex {
	uint32_t hash, len;
	char *pattern; /* NULL: a free place */
	struct sj_regex *compiled; /* NULL: refused, see reason */
	char *reason;
	uint64_t used; /* tick of the last use */
};
struct sj_fn_regexes {
	struct sj_mem *mem;
	const struct sj_limits *limits;
	uint64_t tick;
	uint64_t compilations; /* so far: what the cache is measured by */
	struct sj_fn_regex at[SJ_FN_REGEXES];
};

void sj_fn_regexes_init(struct sj_fn_regexes *r, struct sj_mem *mem, const struct sj_limits *limits);
void sj_fn_regexes_finish(struct sj_fn_regexes *r);
/* SJ_OK: *found tells. SJ_INVALID, SJ_LIMIT: an ExpressionError says why (bad pattern; pattern, text or effort beyond
 * its limit). SJ_NOMEM. */
enum sj_status sj_fn_regexes_search(struct sj_fn_regexes *r, struct sj_slice pattern, struct sj_slice subject,
                                    bool *found, struct sj_diag *diag);

#endif
