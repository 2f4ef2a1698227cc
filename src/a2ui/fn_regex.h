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
	uint64_t left; /* steps that patterns may still take in this turn */
	const void *owner; /* for whom */
	struct sj_fn_regex at[SJ_FN_REGEXES];
};

void sj_fn_regexes_init(struct sj_fn_regexes *r, struct sj_mem *mem, const struct sj_limits *limits);
void sj_fn_regexes_finish(struct sj_fn_regexes *r);
/* A turn is what one message or one deed of the person sets off. The step limit of one search would let a thousand
 * checks stand still for a minute, so a turn has a limit too: SJ_FN_TURN searches that go to theirs. Each owner (a
 * surface) has its own, so that nobody's checks fail for another's patterns. */
enum { SJ_FN_TURN = 200 };
void sj_fn_regexes_turn(struct sj_fn_regexes *r);
void sj_fn_regexes_own(struct sj_fn_regexes *r, const void *owner);
/* SJ_OK: *found tells. SJ_INVALID, SJ_LIMIT: an ExpressionError says why (bad pattern; pattern, text or effort beyond
 * its limit, the turn's among them). SJ_NOMEM. */
enum sj_status sj_fn_regexes_search(struct sj_fn_regexes *r, struct sj_slice pattern, struct sj_slice subject,
                                    bool *found, struct sj_diag *diag);

#endif
