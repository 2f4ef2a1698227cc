/* Dates of the built-in "en": the pattern letters of UTS #35 part 4, with the names and the week rules of en-US (weeks
 * begin on Sunday; the week of 1 January is week 1), equal to ICU 72. */
#include "text/civil.h"
#include "text/locale_en.h"

struct fields {
	int32_t year, week_year;
	unsigned month, day, day_of_year, day_of_week; /* Sunday is 0 */
	unsigned week, week_of_month;
	int64_t days; /* since 1970-01-01 */
	unsigned hour, minute, second, milli;
	int32_t offset_minutes;
	bool is_utc; /* named UTC, not "+00:00" */
	bool shows_minute, shows_second; /* the pattern has such letters: noon depends on them */
};

static const char *const months[12] = {"January", "February", "March",     "April",   "May",      "June",
                                       "July",    "August",   "September", "October", "November", "December"};
static const char *const weekdays[7] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const ordinals[4] = {"1st", "2nd", "3rd", "4th"};

static void read_fields(struct fields *f, const char *tz, const struct sj_moment *when)
{
	f->is_utc = !sj_zone_offset(tz, &f->offset_minutes);
	struct sj_moment m = *when;
	/* A civil date or time is shown as written; an instant as the clocks of the zone show it. */
	if (when->has_zone) {
		int64_t shifted = when->unix_ms;
		if (shifted <= SJ_MAX_UNIX_MS && shifted >= -SJ_MAX_UNIX_MS)
			shifted += f->offset_minutes * INT64_C(60000);
		if (!sj_moment_from_ms(shifted, &m))
			m = *when;
	}
	f->year = f->week_year = m.year;
	f->month = m.month;
	f->day = m.day;
	f->hour = m.hour;
	f->minute = m.minute;
	f->second = m.second;
	f->milli = m.milli;

	int64_t first = sj_days_from_civil(m.year, 1, 1);
	f->days = sj_days_from_civil(m.year, m.month, m.day);
	f->day_of_year = (unsigned)(f->days - first) + 1;
	f->day_of_week = (unsigned)(((f->days + 4) % 7 + 7) % 7); /* 1970-01-01 was a Thursday */
	unsigned first_of_year = (unsigned)(((first + 4) % 7 + 7) % 7);
	unsigned first_of_month = (f->day_of_week + 35 - (f->day - 1)) % 7;
	f->week = (f->day_of_year - 1 + first_of_year) / 7 + 1;
	f->week_of_month = (f->day - 1 + first_of_month) / 7 + 1;
	unsigned left_in_year = (sj_leap_year(m.year) ? 366u : 365u) - f->day_of_year;
	if (left_in_year + f->day_of_week < 6) { /* this week holds the next 1 January */
		f->week = 1;
		f->week_year++;
	}
}

static void put_number(struct sj_buf *out, int64_t v, size_t width)
{
	char digits[24];
	size_t n = sizeof digits;
	uint64_t magnitude = v < 0 ? (uint64_t)-v : (uint64_t)v;
	do {
		digits[--n] = (char)('0' + magnitude % 10);
		magnitude /= 10;
	} while (magnitude > 0);
	if (v < 0)
		sj_buf_putc(out, '-');
	for (size_t i = sizeof digits - n; i < width; i++)
		sj_buf_putc(out, '0');
	sj_buf_put(out, digits + n, sizeof digits - n);
}

/* yy is the last two digits; any other count a least width. */
static void put_year(struct sj_buf *out, int64_t year, size_t count)
{
	if (count == 2)
		put_number(out, (year < 0 ? -year : year) % 100, 2);
	else
		put_number(out, year, count);
}

static void put_head(struct sj_buf *out, const char *name, size_t bytes)
{
	sj_buf_put(out, name, bytes);
}

static void put_month(struct sj_buf *out, unsigned month, size_t count)
{
	const char *name = months[month - 1];
	if (count <= 2 || count > 5)
		put_number(out, month, count);
	else if (count == 4)
		sj_buf_puts(out, name);
	else
		put_head(out, name, count == 5 ? 1 : 3);
}

static void put_quarter(struct sj_buf *out, unsigned month, size_t count)
{
	unsigned quarter = (month - 1) / 3;
	if (count <= 2 || count >= 5) {
		put_number(out, quarter + 1, count >= 5 ? 1 : count);
	} else if (count == 4) {
		sj_buf_puts(out, ordinals[quarter]);
		sj_buf_puts(out, " quarter");
	} else {
		sj_buf_putc(out, 'Q');
		put_number(out, quarter + 1, 1);
	}
}

static void put_weekday(struct sj_buf *out, unsigned day, size_t count)
{
	const char *name = weekdays[day];
	if (count == 4)
		sj_buf_puts(out, name);
	else
		put_head(out, name, count == 5 ? 1 : count == 6 ? 2 : 3);
}

static void put_era(struct sj_buf *out, bool before, size_t count)
{
	if (count == 4)
		sj_buf_puts(out, before ? "Before Christ" : "Anno Domini");
	else if (count == 5)
		sj_buf_putc(out, before ? 'B' : 'A');
	else
		sj_buf_puts(out, before ? "BC" : "AD");
}

static void put_am_pm(struct sj_buf *out, unsigned hour, size_t count)
{
	if (count >= 5)
		sj_buf_putc(out, hour < 12 ? 'a' : 'p');
	else
		sj_buf_puts(out, hour < 12 ? "AM" : "PM");
}

static bool is_exact(const struct fields *f, unsigned hour)
{
	return f->hour == hour && (!f->shows_minute || f->minute == 0) && (!f->shows_second || f->second == 0);
}

static void put_noon(struct sj_buf *out, const struct fields *f, size_t count)
{
	if (!is_exact(f, 12))
		put_am_pm(out, f->hour, count);
	else
		sj_buf_puts(out, count == 5 ? "n" : "noon");
}

static void put_day_period(struct sj_buf *out, const struct fields *f, size_t count)
{
	if (is_exact(f, 12))
		sj_buf_puts(out, count == 5 ? "n" : "noon");
	else
		sj_buf_puts(out, f->hour < 6    ? "at night"
		                 : f->hour < 12 ? "in the morning"
		                 : f->hour < 18 ? "in the afternoon"
		                 : f->hour < 21 ? "in the evening"
		                                : "at night");
}

/* The first digits of the fraction of a second, cut off, not rounded. */
static void put_fraction(struct sj_buf *out, unsigned milli, size_t count)
{
	char digits[3] = {(char)('0' + milli / 100), (char)('0' + milli / 10 % 10), (char)('0' + milli % 10)};
	for (size_t i = 0; i < count; i++)
		sj_buf_putc(out, i < 3 ? digits[i] : '0');
}

static void put_offset(struct sj_buf *out, int32_t minutes, bool colon, bool minutes_always)
{
	int32_t size = minutes < 0 ? -minutes : minutes;
	sj_buf_putc(out, minutes < 0 ? '-' : '+');
	put_number(out, size / 60, 2);
	if (minutes_always || size % 60 != 0) {
		if (colon)
			sj_buf_putc(out, ':');
		put_number(out, size % 60, 2);
	}
}

/* "GMT+9", "GMT+9:30", or the long form "GMT+09:00". */
static void put_gmt(struct sj_buf *out, int32_t minutes, bool full)
{
	int32_t size = minutes < 0 ? -minutes : minutes;
	sj_buf_puts(out, "GMT");
	if (minutes == 0)
		return;
	if (full) {
		put_offset(out, minutes, true, true);
		return;
	}
	sj_buf_putc(out, minutes < 0 ? '-' : '+');
	put_number(out, size / 60, 1);
	if (size % 60 != 0) {
		sj_buf_putc(out, ':');
		put_number(out, size % 60, 2);
	}
}

static void put_zone_name(struct sj_buf *out, const struct fields *f, bool full)
{
	if (f->is_utc)
		sj_buf_puts(out, full ? "Coordinated Universal Time" : "UTC");
	else
		put_gmt(out, f->offset_minutes, full);
}

static bool put_zone(struct sj_buf *out, const struct fields *f, char letter, size_t count)
{
	int32_t minutes = f->offset_minutes;
	switch (letter) {
	case 'z':
		put_zone_name(out, f, count >= 4);
		return true;
	case 'v':
		if (count != 1 && count != 4)
			return false;
		if (f->is_utc)
			sj_buf_puts(out, "GMT");
		else if (count == 4)
			put_zone_name(out, f, true);
		else
			put_gmt(out, minutes, false);
		return true;
	case 'V': /* the zone's id; its exemplar city, which these zones lack */
		if (count != 2 && count != 4)
			return false;
		if (count == 2 && f->is_utc)
			sj_buf_puts(out, "UTC");
		else
			put_gmt(out, minutes, true);
		return true;
	case 'O':
		if (count != 1 && count != 4)
			return false;
		put_gmt(out, minutes, count == 4);
		return true;
	case 'Z':
		if (count == 4 || count > 5)
			put_gmt(out, minutes, true);
		else if (count == 5 && minutes == 0)
			sj_buf_putc(out, 'Z');
		else
			put_offset(out, minutes, count == 5, true);
		return true;
	default: /* X shows zero as Z, x does not */
		if (count > 5)
			return false;
		if (letter == 'X' && minutes == 0)
			sj_buf_putc(out, 'Z');
		else
			put_offset(out, minutes, count == 3 || count == 5, count > 1);
		return true;
	}
}

static bool put_field(struct sj_buf *out, const struct fields *f, char letter, size_t count)
{
	switch (letter) {
	case 'G':
		put_era(out, f->year <= 0, count);
		return true;
	case 'y':
		put_year(out, f->year > 0 ? f->year : 1 - (int64_t)f->year, count);
		return true;
	case 'Y':
		put_year(out, f->week_year, count);
		return true;
	case 'U': /* the name of a year in a cycle; Gregorian years have none */
		put_year(out, f->year, count);
		return true;
	case 'u':
	case 'r':
		put_number(out, f->year, count);
		return true;
	case 'Q':
	case 'q':
		put_quarter(out, f->month, count);
		return true;
	case 'M':
	case 'L':
		put_month(out, f->month, count);
		return true;
	case 'w':
		put_number(out, f->week, count);
		return true;
	case 'W':
		put_number(out, f->week_of_month, count);
		return true;
	case 'd':
		put_number(out, f->day, count);
		return true;
	case 'D':
		put_number(out, f->day_of_year, count);
		return true;
	case 'F':
		put_number(out, (f->day - 1) / 7 + 1, count);
		return true;
	case 'g':
		put_number(out, f->days + 2440588, count); /* Julian day number, as ICU */
		return true;
	case 'e':
	case 'c':
		if (count <= 2) {
			put_number(out, f->day_of_week + 1, letter == 'c' ? 1 : count);
			return true;
		}
		put_weekday(out, f->day_of_week, count);
		return true;
	case 'E':
		put_weekday(out, f->day_of_week, count);
		return true;
	case 'a':
		put_am_pm(out, f->hour, count);
		return true;
	case 'b':
		put_noon(out, f, count);
		return true;
	case 'B':
		put_day_period(out, f, count);
		return true;
	case 'h':
		put_number(out, (f->hour + 11) % 12 + 1, count);
		return true;
	case 'H':
		put_number(out, f->hour, count);
		return true;
	case 'K':
		put_number(out, f->hour % 12, count);
		return true;
	case 'k':
		put_number(out, (f->hour + 23) % 24 + 1, count);
		return true;
	case 'm':
		put_number(out, f->minute, count);
		return true;
	case 's':
		put_number(out, f->second, count);
		return true;
	case 'S':
		put_fraction(out, f->milli, count);
		return true;
	case 'A':
		put_number(out, ((f->hour * 60 + f->minute) * 60 + f->second) * 1000 + f->milli, count);
		return true;
	case 'z':
	case 'Z':
	case 'O':
	case 'v':
	case 'V':
	case 'X':
	case 'x':
		return put_zone(out, f, letter, count);
	default:
		return false;
	}
}

/* One piece of a pattern: a run of one letter (letter != 0) or literal text. */
struct piece {
	char letter;
	struct sj_slice text;
};

static bool is_letter(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Quotes hold literals, '' is a quote inside and outside of them; a quote left open lasts to the end. */
static bool next_piece(struct sj_slice pattern, size_t *at, bool *quoted, struct piece *p)
{
	while (*at < pattern.len) {
		char c = pattern.ptr[*at];
		size_t begin = *at;
		if (c == '\'') {
			bool twice = begin + 1 < pattern.len && pattern.ptr[begin + 1] == '\'';
			*at += twice ? 2 : 1;
			if (!twice) {
				*quoted = !*quoted;
				continue;
			}
			*p = (struct piece){0, sj_slice(pattern.ptr + begin, 1)};
			return true;
		}
		bool letter = !*quoted && is_letter(c);
		do {
			++*at;
		} while (*at < pattern.len && pattern.ptr[*at] != '\'' &&
		         (letter ? pattern.ptr[*at] == c : *quoted || !is_letter(pattern.ptr[*at])));
		*p = (struct piece){letter ? c : (char)0, sj_slice(pattern.ptr + begin, *at - begin)};
		return true;
	}
	return false;
}

bool sj_date_pattern_ok(struct sj_slice pattern)
{
	struct piece p;
	size_t at = 0;
	bool quoted = false;
	while (next_piece(pattern, &at, &quoted, &p))
		if (p.letter != 0 && strchr("GyYuUrQqMLwWdDFgEecabBhHKkmsSAzZOvVXx", p.letter) == NULL)
			return false;
	return true;
}

enum sj_status sj_locale_en_date(void *ctx, const char *locale, const char *tz, const struct sj_moment *when,
                                 struct sj_slice pattern, struct sj_buf *out)
{
	struct fields f = {0};
	struct piece p;
	size_t before = out->len, at = 0;
	bool quoted = false;
	(void)ctx;
	(void)locale;
	read_fields(&f, tz, when);
	while (next_piece(pattern, &at, &quoted, &p)) {
		f.shows_minute |= p.letter == 'm';
		f.shows_second |= p.letter == 's';
	}

	at = 0;
	quoted = false;
	while (next_piece(pattern, &at, &quoted, &p)) {
		if (p.letter == 0) {
			sj_buf_slice(out, p.text);
		} else if (!put_field(out, &f, p.letter, p.text.len)) {
			if (out->ptr != NULL && out->len > before) { /* nothing written on failure */
				out->len = before;
				out->ptr[before] = '\0';
			}
			return SJ_INVALID;
		}
	}
	return sj_buf_status(out);
}
