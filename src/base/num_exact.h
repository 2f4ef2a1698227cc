/* Reading numbers by whole integers, when the fast ways cannot decide. */
#ifndef SJ_BASE_NUM_EXACT_H
#define SJ_BASE_NUM_EXACT_H

#include "base/slice.h"

/* `digits`: ASCII digits, first and last not part of the value's zeros, at most one '.' among them (its place does not
 * count). Their first `leading` digits (or all, when they are fewer) as an integer, times 10^exponent, are the leading
 * part of the value; the rest follow below. `guess` holds the bits of a positive double near the value. Returns the
 * bits of the nearest, ties to even. */
uint64_t sj_num_exact(struct sj_slice digits, size_t leading, int64_t exponent, uint64_t guess);

#endif
