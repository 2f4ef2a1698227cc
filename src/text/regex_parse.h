/* The front parser: walks a pattern in ECMA-262 syntax and writes the same pattern in PCRE2's, or refuses it by name.
 * Private to `text`.
 *
 * Syntax is that of the u flag, and those spellings of Annex B that have one meaning only: a backslash before any ASCII
 * punctuation, a lone ] or }, a { that starts no count, and a class escape at the end of a range ([\w-.]).
 *
 * The written pattern wants PCRE2_UTF, PCRE2_DOLLAR_ENDONLY, PCRE2_DOTALL and PCRE2_MATCH_UNSET_BACKREF, and holds
 * callouts at every place where PCRE2 can begin work that it does not count: (?C) at the start of each alternative and
 * after each repeat, (?C'mN') before a repeat that wants at least N characters, (?C'bN') before a reference to group N.
 */
#ifndef SJ_TEXT_REGEX_PARSE_H
#define SJ_TEXT_REGEX_PARSE_H

#include "base/arena.h"
#include "base/buf.h"

struct sj_regex_place { /* where a piece of the written pattern comes from */
	uint32_t written, source;
};
struct sj_regex_front {
	struct sj_buf out;
	SJ_VEC(struct sj_regex_place) places; /* ascending */
};
/* Init, translate once, finish. `f` may be read only after SJ_OK. */
void sj_regex_front_init(struct sj_regex_front *f, struct sj_mem *mem);
enum sj_status sj_regex_front_run(struct sj_regex_front *f, struct sj_mem *mem, struct sj_slice pattern,
                                  struct sj_diag *diag);
void sj_regex_front_finish(struct sj_regex_front *f, struct sj_mem *mem);
/* The offset in the pattern from which the piece at `written` was made. */
size_t sj_regex_front_source(const struct sj_regex_front *f, size_t written);

enum sj_status sj_regex_refuse(struct sj_diag *diag, size_t offset, const char *what);

/* The inside of \p{...}: writes \p{...} or \P{...} for PCRE2, or answers false when ECMA-262 knows no such property. */
bool sj_regex_property(struct sj_buf *out, struct sj_slice inside, bool negated);

#endif
