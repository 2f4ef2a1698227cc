/* How near one word is to another: for "did you mean". */
#ifndef SJ_TEXT_NEAR_H
#define SJ_TEXT_NEAR_H

#include "base/slice.h"

/* Words longer than this many bytes are near to nothing but themselves. */
#define SJ_NEAR_BYTES 64

/* Steps from a to b: insert, remove or replace a byte, or swap two neighbours; letters of another case (ASCII) and the
 * separators '-', '_', ' ' cost nothing where they alone differ. UINT32_MAX: longer than SJ_NEAR_BYTES. */
uint32_t sj_near_distance(struct sj_slice a, struct sj_slice b);
/* May `b` be a slip of the pen for `a`? At most one step for each three bytes of the shorter one (at least one, at most
 * three), and never the whole word; or one holds the other and is more than half of it. The distance goes to *steps. */
bool sj_near(struct sj_slice a, struct sj_slice b, uint32_t *steps);

#endif
