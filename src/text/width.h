/* How text stands on a terminal: grapheme clusters (UAX #29 extended), display columns (UAX #11), direction, line
 * breaking. */
#ifndef SJ_TEXT_WIDTH_H
#define SJ_TEXT_WIDTH_H

#include "base/slice.h"

/* Length in bytes of the first extended grapheme cluster of s (s.len > 0), and its columns: 0, 1 or 2. */
size_t sj_grapheme_next(struct sj_slice s, unsigned *columns);
unsigned sj_code_width(uint32_t code_point);    /* 0 combining/control, 2 wide/fullwidth/emoji, else 1 */
size_t sj_text_width(struct sj_slice s);        /* columns of one line */
/* Longest prefix of s that fits `columns`, cut at a grapheme; *used gets its columns. */
size_t sj_text_fit(struct sj_slice s, size_t columns, size_t *used);
/* Next line of s at most `columns` wide: breaks at '\n', after spaces, between CJK, else inside a word. Returns the
 * bytes of the line (without trailing blanks), *skip the bytes to go on after. columns >= 2. */
size_t sj_text_wrap(struct sj_slice s, size_t columns, size_t *skip);
bool sj_code_is_rtl(uint32_t code_point);       /* bidi class R or AL */
bool sj_text_is_rtl(struct sj_slice s);         /* first strong character (UAX #9 P2, P3) */

#endif
