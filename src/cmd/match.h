/* Comparing what was expected with what was there.
 *
 * Objects match by subset (every expected member is there and matches) unless `exact`; arrays match item by item;
 * numbers by value. An expected object {"$absent": true} matches nothing at all, {"$any": true} anything that is there,
 * {"$contains": "text"} a string with that text in it. No recursion.
 */
#ifndef SJ_CMD_MATCH_H
#define SJ_CMD_MATCH_H

#include "base/buf.h"
#include "json/value.h"

/* got NULL: absent. *why gets "at /pointer: wanted .., got .." for the first difference. Out of memory counts as a
 * difference. */
bool cmd_match(struct sj_mem *mem, const struct sj_value *want, const struct sj_value *got, bool exact,
               struct sj_buf *why);
bool cmd_contains(struct sj_slice text, struct sj_slice part);

#endif
