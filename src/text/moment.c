#include "text/civil.h"
#include "text/locale.h"

/* A cycle of the Gregorian calendar: 400 years. Years are counted from 1 March, so that the leap day comes last. */
#define DAYS_PER_400_YEARS 146097
#define DAYS_FROM_MARCH_0000_TO_1970 719468

bool sj_leap_year(int32_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

uint8_t sj_month_days(int32_t year, unsigned month)
{
	static const uint8_t days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	return (uint8_t)(days[month - 1] + (month == 2 && sj_leap_year(year)));
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

int64_t sj_days_from_civil(int32_t year, unsigned month, unsigned day)
{
	int64_t y = (int64_t)year - (month <= 2);
	int64_t cycle = floor_div(y, 400), in_cycle = y - cycle * 400;
	int64_t month_from_march = (month + 9) % 12;
	/* From March on, months go 31 30 31 30 31 in groups of five: 153 days. */
	int64_t in_year = (153 * month_from_march + 2) / 5 + day - 1;
	return cycle * DAYS_PER_400_YEARS + in_cycle * 365 + in_cycle / 4 - in_cycle / 100 + in_year -
	       DAYS_FROM_MARCH_0000_TO_1970;
}

struct sj_civil sj_civil_from_days(int64_t days)
{
	days += DAYS_FROM_MARCH_0000_TO_1970;
	int64_t cycle = floor_div(days, DAYS_PER_400_YEARS), left = days - cycle * DAYS_PER_400_YEARS;
	/* Take the leap days out of `left`, then whole years remain: one a 4-year group, none at a century, one at its
	 * fourth. */
	int64_t year = (left - left / 1460 + left / 36524 - left / (DAYS_PER_400_YEARS - 1)) / 365;
	int64_t in_year = left - (year * 365 + year / 4 - year / 100);
	int64_t month_from_march = (5 * in_year + 2) / 153;
	struct sj_civil c = {
		.month = (uint8_t)(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9),
		.day = (uint8_t)(in_year - (153 * month_from_march + 2) / 5 + 1),
	};
	c.year = (int32_t)(cycle * 400 + year + (c.month <= 2));
	return c;
}

struct cursor {
	struct sj_slice s;
	size_t at;
};

static bool take_char(struct cursor *c, char want)
{
	if (c->at >= c->s.len || c->s.ptr[c->at] != want)
		return false;
	c->at++;
	return true;
}

static bool take_digits(struct cursor *c, unsigned count, unsigned *out)
{
	unsigned v = 0;
	if (c->s.len - c->at < count)
		return false;
	for (unsigned i = 0; i < count; i++) {
		char d = c->s.ptr[c->at + i];
		if (d < '0' || d > '9')
			return false;
		v = v * 10 + (unsigned)(d - '0');
	}
	c->at += count;
	*out = v;
	return true;
}

static bool take_date(struct cursor *c, struct sj_moment *m)
{
	unsigned year, month, day;
	if (!take_digits(c, 4, &year) || !take_char(c, '-') || !take_digits(c, 2, &month) || !take_char(c, '-') ||
	    !take_digits(c, 2, &day))
		return false;
	if (month < 1 || month > 12 || day < 1 || day > sj_month_days((int32_t)year, month))
		return false;
	m->year = (int32_t)year;
	m->month = (uint8_t)month;
	m->day = (uint8_t)day;
	m->has_date = true;
	return true;
}

static bool take_time(struct cursor *c, struct sj_moment *m)
{
	unsigned hour, minute, second = 0, milli = 0;
	if (!take_digits(c, 2, &hour) || !take_char(c, ':') || !take_digits(c, 2, &minute))
		return false;
	if (take_char(c, ':')) {
		if (!take_digits(c, 2, &second))
			return false;
		if (take_char(c, '.')) {
			unsigned digit, weight = 100; /* digits beyond the third are read and cut off */
			if (!take_digits(c, 1, &digit))
				return false;
			do {
				milli += digit * weight;
				weight /= 10;
			} while (take_digits(c, 1, &digit));
		}
	}
	if (hour > 23 || minute > 59 || second > 59)
		return false;
	m->hour = (uint8_t)hour;
	m->minute = (uint8_t)minute;
	m->second = (uint8_t)second;
	m->milli = (uint16_t)milli;
	m->has_time = true;
	return true;
}

static bool take_zone(struct cursor *c, struct sj_moment *m, int32_t *offset_minutes)
{
	unsigned hours, minutes;
	*offset_minutes = 0;
	if (take_char(c, 'Z')) {
		m->has_zone = true;
		return true;
	}
	bool west = take_char(c, '-');
	if (!west && !take_char(c, '+'))
		return true; /* no zone */
	if (!take_digits(c, 2, &hours) || !take_char(c, ':') || !take_digits(c, 2, &minutes) || hours > 23 ||
	    minutes > 59)
		return false;
	*offset_minutes = (int32_t)(hours * 60 + minutes) * (west ? -1 : 1);
	m->has_zone = true;
	return true;
}

bool sj_moment_parse(struct sj_slice iso, struct sj_moment *out)
{
	struct cursor c = {iso, 0};
	struct sj_moment m = {.year = 1970, .month = 1, .day = 1};
	int32_t offset_minutes = 0;

	bool time_only = iso.len > 2 && iso.ptr[2] == ':';
	if (!time_only && !take_date(&c, &m))
		return false;
	if (time_only || take_char(&c, 'T')) {
		if (!take_time(&c, &m))
			return false;
		if (!time_only && !take_zone(&c, &m, &offset_minutes))
			return false;
	}
	if (c.at != iso.len)
		return false;
	m.unix_ms = sj_days_from_civil(m.year, m.month, m.day) * SJ_MS_PER_DAY + m.hour * INT64_C(3600000) +
	            (m.minute - offset_minutes) * INT64_C(60000) + m.second * INT64_C(1000) + m.milli;
	*out = m;
	return true;
}

bool sj_moment_from_ms(int64_t unix_ms, struct sj_moment *out)
{
	if (unix_ms > SJ_MAX_UNIX_MS || unix_ms < -SJ_MAX_UNIX_MS)
		return false;
	int64_t days = floor_div(unix_ms, SJ_MS_PER_DAY);
	int32_t in_day = (int32_t)(unix_ms - days * SJ_MS_PER_DAY);
	struct sj_civil c = sj_civil_from_days(days);
	*out = (struct sj_moment){
		.unix_ms = unix_ms,
		.year = c.year,
		.month = c.month,
		.day = c.day,
		.hour = (uint8_t)(in_day / 3600000),
		.minute = (uint8_t)(in_day / 60000 % 60),
		.second = (uint8_t)(in_day / 1000 % 60),
		.milli = (uint16_t)(in_day % 1000),
		.has_date = true,
		.has_time = true,
		.has_zone = true,
	};
	return true;
}

void sj_moment_iso_utc(struct sj_buf *out, int64_t unix_ms)
{
	struct sj_moment m;
	if (!sj_moment_from_ms(unix_ms, &m))
		return;
	if (m.year >= 0 && m.year <= 9999)
		sj_buf_printf(out, "%04d", (int)m.year);
	else /* the expanded form, with as many digits as ECMAScript uses */
		sj_buf_printf(out, "%c%06d", m.year < 0 ? '-' : '+', m.year < 0 ? -(int)m.year : (int)m.year);
	sj_buf_printf(out, "-%02u-%02uT%02u:%02u:%02u.%03uZ", (unsigned)m.month, (unsigned)m.day, (unsigned)m.hour,
	              (unsigned)m.minute, (unsigned)m.second, (unsigned)m.milli);
}

bool sj_zone_offset(const char *tz, int32_t *minutes)
{
	struct cursor c = {sj_slice_of(tz), 0};
	unsigned hour = 0, minute = 0;
	*minutes = 0;
	if (sj_slice_starts(c.s, "UTC") || sj_slice_starts(c.s, "GMT"))
		c.at = 3;
	bool west = take_char(&c, '-');
	if (!west && !take_char(&c, '+'))
		return false;
	if (!take_digits(&c, 2, &hour))
		return false;
	if (c.at < c.s.len) {
		(void)take_char(&c, ':');
		if (!take_digits(&c, 2, &minute))
			return false;
	}
	if (c.at != c.s.len || hour > 23 || minute > 59)
		return false;
	*minutes = (int32_t)(hour * 60 + minute) * (west ? -1 : 1);
	return true;
}
