/* Built without PCRE2: no pattern compiles, and the diagnostic says why. */
#include "text/regex.h"

#ifndef SJ_HAVE_PCRE2

enum sj_status sj_regex_compile(struct sj_mem *mem, struct sj_slice pattern, const struct sj_limits *l,
                                struct sj_regex **out, struct sj_diag *diag)
{
	(void)mem;
	(void)pattern;
	(void)l;
	(void)out;
	return sj_diag_set(diag, SJ_INVALID, SJ_E_UNAVAILABLE, SJ_CAT_EXPRESSION,
	                   "regular expressions are not built in");
}

void sj_regex_destroy(struct sj_regex *r)
{
	(void)r;
}

enum sj_status sj_regex_search(struct sj_regex *r, struct sj_slice subject, bool *found, struct sj_diag *diag)
{
	(void)r;
	(void)subject;
	(void)found;
	return sj_diag_set(diag, SJ_INVALID, SJ_E_UNAVAILABLE, SJ_CAT_EXPRESSION,
	                   "regular expressions are not built in");
}

uint64_t sj_regex_steps(const struct sj_regex *r)
{
	(void)r;
	return 0;
}

bool sj_regex_available(void)
{
	return false;
}

#else
typedef int sj_regex_none_is_empty; /* ISO C wants a declaration in each file */
#endif
