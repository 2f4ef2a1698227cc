/* Powers of ten to 128 bits: 10^k = m * 2^(floor(log2(10^k)) - 127). Exact for 0 <= k <= SJ_POW10_EXACT; rounded up for
 * SJ_POW10_UP
 * <= k < 0, where 5^-k fits 64 bits, so that multiples of it give products whose leading bits are exact; cut off
 * elsewhere. */
#ifndef SJ_BASE_POW10_H
#define SJ_BASE_POW10_H

#include <stdint.h>

enum { SJ_POW10_FIRST = -342, SJ_POW10_LAST = 324, SJ_POW10_UP = -27, SJ_POW10_EXACT = 55 };
struct sj_pow10 {
	uint64_t hi, lo;
};
extern const struct sj_pow10 sj_pow10_table[SJ_POW10_LAST - SJ_POW10_FIRST + 1];

#endif
