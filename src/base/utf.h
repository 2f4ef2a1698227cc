/* UTF-8 and UTF-16 arithmetic. "WTF-8" is UTF-8 that may hold lone surrogates, which the prototype language keeps. */
#ifndef SJ_BASE_UTF_H
#define SJ_BASE_UTF_H

#include "base/slice.h"

/* Reads the code point at *at and moves *at past it. An ill-formed byte yields U+FFFD and moves one byte. */
uint32_t sj_utf8_next(struct sj_slice s, size_t *at);
/* Offset of the first ill-formed byte, or s.len when all is well-formed (shortest form, no surrogates, <= U+10FFFF). */
size_t sj_utf8_check(struct sj_slice s);
size_t sj_utf8_put(char out[4], uint32_t code_point); /* bytes written, 1..4 */
size_t sj_utf8_count(struct sj_slice s);  /* code points */
size_t sj_utf16_count(struct sj_slice s); /* UTF-16 code units */
int sj_utf16_cmp(struct sj_slice a, struct sj_slice b); /* order by UTF-16 code units (RFC 8785) */
/* The largest length <= max at which s may be cut without splitting a code point. */
size_t sj_utf8_cut(struct sj_slice s, size_t max);

#endif
