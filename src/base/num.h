/* Numbers without the locale. */
#ifndef SJ_BASE_NUM_H
#define SJ_BASE_NUM_H

#include "base/slice.h"

#define SJ_NUM_TEXT 32 /* room for any number's text, NUL included */

/* JSON number grammar only. false: not a number. Overflow gives +-infinity, underflow 0 (as ECMAScript). */
bool sj_num_parse(struct sj_slice text, double *out);
/* As ECMAScript Number(text) for decimal text: surrounding ASCII blanks, leading + or zeros, ".5" and "5." allowed; no
 * hex, no empty. */
bool sj_num_parse_loose(struct sj_slice text, double *out);
/* Shortest text that reads back the same double, in ECMAScript's Number::toString form (1e21, 0.000001, 1e-7, -0 ->
 * "0"). NaN -> "NaN", "Infinity". Returns length. */
size_t sj_num_text(double value, char out[SJ_NUM_TEXT]);
size_t sj_num_text_i64(int64_t value, char out[SJ_NUM_TEXT]);
/* Integral and within +-2^53. */
bool sj_num_is_int(double value, int64_t *out);
/* "0" or [1-9][0-9]*, at most UINT32_MAX - 1: an array index. */
bool sj_num_index(struct sj_slice text, uint32_t *out);

#endif
