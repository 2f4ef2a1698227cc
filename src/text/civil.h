/* Civil dates (proleptic Gregorian) and the time zones of the built-in locale. Private to `text`. */
#ifndef SJ_TEXT_CIVIL_H
#define SJ_TEXT_CIVIL_H

#include "base/slice.h"

#define SJ_MS_PER_DAY 86400000
/* The range of ECMAScript's Date: 100,000,000 days to either side of 1970. */
#define SJ_MAX_UNIX_MS (INT64_C(100000000) * SJ_MS_PER_DAY)

struct sj_civil {
	int32_t year;
	uint8_t month, day; /* 1-based */
};
bool sj_leap_year(int32_t year);
uint8_t sj_month_days(int32_t year, unsigned month);
int64_t sj_days_from_civil(int32_t year, unsigned month, unsigned day); /* days since 1970-01-01 */
struct sj_civil sj_civil_from_days(int64_t days);

/* Time zone text: "+hh:mm", "-hhmm", "+hh" with an optional "UTC" or "GMT" before it. Anything else: false and 0, which
 * stands for UTC. */
bool sj_zone_offset(const char *tz, int32_t *minutes);

#endif
