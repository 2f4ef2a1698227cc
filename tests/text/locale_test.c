/* The built-in "en" by fixed values, moments, and the choice of a locale. tests/text/locale_icu_test.c compares with
 * ICU. */
#include "text/locale.h"

#include <math.h>

#include "harness/test.h"
#include "text/civil.h"

static struct sj_buf out;

static void check(int line, enum sj_status status, const char *want)
{
	if (status != SJ_OK)
		sj_fail_at(__FILE__, line, "status %d", (int)status);
	sj_check_slice(__FILE__, line, "text", sj_buf_view(&out), sj_slice_of(want));
	sj_buf_finish(&out);
}

static enum sj_status number(double v, int decimals, bool grouping)
{
	sj_buf_init(&out, sj_test_mem(), 0);
	return SJ_LOCALE_EN.number(SJ_LOCALE_EN.ctx, "en", v, decimals, grouping, &out);
}
#define CHECK_NUMBER(v, decimals, grouping, want) check(__LINE__, number(v, decimals, grouping), want)

static enum sj_status money(double v, const char *code, int decimals, bool grouping)
{
	sj_buf_init(&out, sj_test_mem(), 0);
	return SJ_LOCALE_EN.currency(SJ_LOCALE_EN.ctx, "en", v, sj_slice_of(code), decimals, grouping, &out);
}
#define CHECK_MONEY(v, code, decimals, want) check(__LINE__, money(v, code, decimals, true), want)

static enum sj_status date(const char *iso, const char *tz, const char *pattern)
{
	struct sj_moment m;
	sj_buf_init(&out, sj_test_mem(), 0);
	if (!sj_moment_parse(sj_slice_of(iso), &m))
		return SJ_ABSENT;
	return SJ_LOCALE_EN.date(SJ_LOCALE_EN.ctx, "en", tz, &m, sj_slice_of(pattern), &out);
}
#define CHECK_DATE(iso, tz, pattern, want) check(__LINE__, date(iso, tz, pattern), want)

SJ_TEST(numbers)
{
	CHECK_NUMBER(1234.567, 2, true, "1,234.57");
	CHECK_NUMBER(1234.567, 0, false, "1235");
	CHECK_NUMBER(1234.567, -1, true, "1,234.567");
	CHECK_NUMBER(1234.5678, -1, true, "1,234.568");
	CHECK_NUMBER(1234, -1, true, "1,234");
	CHECK_NUMBER(999, -1, true, "999");
	CHECK_NUMBER(1234567890123, 0, true, "1,234,567,890,123");
	CHECK_NUMBER(5, 2, true, "5.00");
	CHECK_NUMBER(0, -1, true, "0");
	CHECK_NUMBER(0, 3, true, "0.000");
	CHECK_NUMBER(-0.0, -1, true, "-0");
	CHECK_NUMBER(-1234.5, 1, true, "-1,234.5");
	CHECK_NUMBER(0.000001234, 8, true, "0.00000123");
	CHECK_NUMBER(1e-7, -1, true, "0");
	CHECK_NUMBER(-1e-7, -1, true, "-0");
	CHECK_NUMBER(999.9999, 2, true, "1,000.00");
	CHECK_NUMBER(0.995, 2, true, "1.00");
	CHECK_NUMBER(1e21, -1, true, "1,000,000,000,000,000,000,000");
	CHECK_NUMBER(1e21, -1, false, "1000000000000000000000");
	CHECK_NUMBER(123456789012345680000.0, -1, true, "123,456,789,012,345,680,000");
	CHECK_NUMBER(0.1 + 0.2, 20, true, "0.30000000000000004000");
	CHECK_NUMBER((double)NAN, 2, true, "NaN");
	CHECK_NUMBER((double)INFINITY, -1, true, "∞");
	CHECK_NUMBER(-(double)INFINITY, 2, true, "-∞");
	CHECK_INT(number(1, 101, true), SJ_INVALID);
	CHECK_INT(out.len, 0);
}

SJ_TEST(halves_go_away_from_zero)
{
	CHECK_NUMBER(0.5, 0, true, "1");
	CHECK_NUMBER(1.5, 0, true, "2");
	CHECK_NUMBER(2.5, 0, true, "3");
	CHECK_NUMBER(-2.5, 0, true, "-3");
	CHECK_NUMBER(0.125, 2, true, "0.13");
	CHECK_NUMBER(0.375, 2, true, "0.38");
	CHECK_NUMBER(1.005, 2, true, "1.01"); /* of the decimal as written, not of the binary below it */
	CHECK_NUMBER(1.015, 2, true, "1.02");
	CHECK_NUMBER(2.675, 2, true, "2.68");
	CHECK_NUMBER(0.0625, -1, true, "0.063");
	CHECK_NUMBER(9.5, 0, true, "10");
	CHECK_NUMBER(99.5, 0, true, "100");
	CHECK_NUMBER(0.05, 1, true, "0.1");
	CHECK_NUMBER(0.051, 1, true, "0.1");
}

SJ_TEST(currencies)
{
	CHECK_MONEY(1234.5, "USD", -1, "$1,234.50");
	CHECK_MONEY(14000, "KRW", -1, "₩14,000");
	CHECK_MONEY(-1, "USD", -1, "-$1.00");
	CHECK_MONEY(1234.5, "EUR", -1, "€1,234.50");
	CHECK_MONEY(1234.5, "GBP", 0, "£1,235");
	CHECK_MONEY(1234.5, "JPY", -1, "¥1,235");
	CHECK_MONEY(1235.5, "JPY", -1, "¥1,236");
	CHECK_MONEY(1234.5, "JPY", 2, "¥1,234.50");
	CHECK_MONEY(1, "CHF", -1, "CHF\xC2\xA0" "1.00");
	CHECK_MONEY(-1, "CHF", -1, "-CHF\xC2\xA0" "1.00");
	CHECK_MONEY(1, "CAD", -1, "CA$1.00");
	CHECK_MONEY(1, "AUD", -1, "A$1.00");
	CHECK_MONEY(1, "INR", -1, "₹1.00");
	CHECK_MONEY(1, "BHD", -1, "BHD\xC2\xA0" "1.000");
	CHECK_MONEY(1, "KWD", -1, "KWD\xC2\xA0" "1.000");
	CHECK_MONEY(1, "CLF", -1, "CLF\xC2\xA0" "1.0000");
	CHECK_MONEY(1, "XAF", -1, "FCFA\xC2\xA0" "1");
	CHECK_MONEY(1, "QQQ", -1, "QQQ\xC2\xA0" "1.00"); /* no such currency: its code */
	CHECK_MONEY(1, "usd", -1, "$1.00");
	CHECK_MONEY((double)INFINITY, "USD", -1, "$∞");
	CHECK_INT(money(1, "US", -1, true), SJ_INVALID);
	CHECK_INT(money(1, "US1", -1, true), SJ_INVALID);
	CHECK_INT(money(1, "€", -1, true), SJ_INVALID);
	CHECK_INT(money(1, "USDX", -1, true), SJ_INVALID);
	CHECK_INT(money(1, "", -1, true), SJ_INVALID);
	CHECK_INT(out.len, 0);
	check(__LINE__, money(1234567.891, "USD", -1, false), "$1234567.89");
}

SJ_TEST(dates)
{
	CHECK_DATE("2026-08-01", "UTC", "yyyy-MM-dd", "2026-08-01");
	CHECK_DATE("2026-08-01T15:04:05.678Z", "UTC", "h:mm a", "3:04 PM");
	CHECK_DATE("2026-08-01", "UTC", "EEEE, MMMM d, y", "Saturday, August 1, 2026");
	CHECK_DATE("2026-08-01T15:04:05.678Z", "UTC", "EEE d MMM yy HH:mm:ss.SSS", "Sat 1 Aug 26 15:04:05.678");
	CHECK_DATE("2026-08-01T15:04:05.678Z", "UTC", "S SS SSS SSSSSS", "6 67 678 678000");
	CHECK_DATE("2026-08-01T00:00Z", "UTC", "h K H k a", "12 0 0 24 AM");
	CHECK_DATE("2026-08-01T12:00Z", "UTC", "h K H k a", "12 0 12 12 PM");
	CHECK_DATE("2026-08-01T15:04Z", "+09:00", "yyyy-MM-dd HH:mm xxx z", "2026-08-02 00:04 +09:00 GMT+9");
	CHECK_DATE("2026-08-01T15:04Z", "-03:30", "HH:mm Z ZZZZ ZZZZZ X XX XXX",
	           "11:34 -0330 GMT-03:30 -03:30 -0330 -0330 -03:30");
	CHECK_DATE("2026-08-01T15:04Z", "UTC", "z zzzz X x ZZZZZ O", "UTC Coordinated Universal Time Z +00 Z GMT");
	CHECK_DATE("2026-08-01T15:04Z", "No/Such", "HH:mm z", "15:04 UTC");
	CHECK_DATE("2026-08-01T15:04Z", NULL, "HH:mm", "15:04");
	CHECK_DATE("2026-08-01T23:30:00-05:00", "UTC", "yyyy-MM-dd HH:mm", "2026-08-02 04:30");
	CHECK_DATE("2026-08-01", "+14:00", "yyyy-MM-dd", "2026-08-01");        /* a civil date has no zone to move in */
	CHECK_DATE("2026-08-01T10:00", "-12:00", "yyyy-MM-dd HH:mm", "2026-08-01 10:00");
	CHECK_DATE("09:30", "UTC", "h:mm a", "9:30 AM");
	CHECK_DATE("2026-08-01", "UTC", "''yy 'o''clock' 'MMM", "'26 o'clock MMM");
	CHECK_DATE("2026-08-01", "UTC", "y年M月d日", "2026年8月1日");
	CHECK_DATE("2026-08-01", "UTC", "", "");
	CHECK_DATE("2026-08-01", "UTC", "G GGGG GGGGG", "AD Anno Domini A");
	CHECK_DATE("0000-02-29", "UTC", "y G u", "1 BC 0");
	CHECK_DATE("2026-08-01", "UTC", "L LL LLL LLLL LLLLL", "8 08 Aug August A");
	CHECK_DATE("2026-08-01", "UTC", "E EEEE EEEEE EEEEEE e ee eee c ccc", "Sat Saturday S Sa 7 07 Sat 7 Sat");
	CHECK_DATE("2026-08-01", "UTC", "Q QQ QQQ QQQQ QQQQQ", "3 03 Q3 3rd quarter 3");
	CHECK_DATE("2024-12-31", "UTC", "D DDD w W F", "366 366 1 5 5");
	CHECK_DATE("2026-08-01T00:00Z", "UTC", "b B", "AM at night");
	CHECK_DATE("2026-08-01T12:00Z", "UTC", "b B", "noon noon");
	CHECK_DATE("2026-08-01T12:01Z", "UTC", "h:mm b B", "12:01 PM in the afternoon");
}

SJ_TEST(week_years)
{
	/* Weeks of en-US begin on Sunday; the one with 1 January is the first. */
	CHECK_DATE("2024-12-28", "UTC", "YYYY-ww y", "2024-52 2024");
	CHECK_DATE("2024-12-29", "UTC", "YYYY-ww y", "2025-01 2024");
	CHECK_DATE("2025-01-01", "UTC", "YYYY-ww y", "2025-01 2025");
	CHECK_DATE("2022-12-31", "UTC", "YYYY-ww y", "2022-53 2022");
	CHECK_DATE("2023-01-01", "UTC", "YYYY-ww y", "2023-01 2023");
}

SJ_TEST(bad_patterns_write_nothing)
{
	static const char *const bad[] = {"y f", "yyyy-MM-dd j", "P", "y T", "HH:mm n", "yyyy OO", "XXXXXX", "tt"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		CHECK_INT(date("2026-08-01T10:00Z", "UTC", bad[i]), SJ_INVALID);
		CHECK_INT(out.len, 0);
		sj_buf_finish(&out);
	}
}

SJ_TEST(plurals)
{
	static const struct {
		double v;
		enum sj_plural want;
	} list[] = {
		{1, SJ_PLURAL_ONE},     {-1, SJ_PLURAL_ONE},   {0, SJ_PLURAL_OTHER},           {2, SJ_PLURAL_OTHER},
		{1.5, SJ_PLURAL_OTHER}, {11, SJ_PLURAL_OTHER}, {(double)NAN, SJ_PLURAL_OTHER}, {0.1, SJ_PLURAL_OTHER}};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		CHECK_INT(SJ_LOCALE_EN.plural(NULL, "en", list[i].v), list[i].want);
}

SJ_TEST(moments)
{
	static const struct {
		const char *iso;
		int64_t ms;
		bool time, zone;
	} good[] = {
		{"1970-01-01", 0, false, false},
		{"2026-08-01", 1785542400000, false, false},
		{"2024-02-29", 1709164800000, false, false},
		{"2000-02-29", 951782400000, false, false},
		{"0000-01-01", -62167219200000, false, false},
		{"9999-12-31", 253402214400000, false, false},
		{"1969-12-31T23:59:59.999Z", -1, true, true},
		{"2026-08-01T12:30Z", 1785587400000, true, true},
		{"2026-08-01T12:30:15Z", 1785587415000, true, true},
		{"2026-08-01T12:30:15.5Z", 1785587415500, true, true},
		{"2026-08-01T12:30:15.123456789Z", 1785587415123, true, true},
		{"2026-08-01T12:30:15+02:00", 1785580215000, true, true},
		{"2026-08-01T12:30:15-05:30", 1785607215000, true, true},
		{"2026-08-01T00:30+01:00", 1785540600000, true, true},
		{"2026-08-01T12:30", 1785587400000, true, false},
		{"2026-08-01T23:59:59.999", 1785628799999, true, false},
	};
	static const char *const bad[] = {
		"",
		"2026",
		"2026-08",
		"2026-8-1",
		"26-08-01",
		"2026-00-01",
		"2026-13-01",
		"2026-02-30",
		"2026-02-29",
		"2100-02-29",
		"1900-02-29",
		"2026-04-31",
		"2026-08-00",
		"2026-08-32",
		"2026/08/01",
		"20260801",
		"2026-08-01T",
		"2026-08-01T9:00",
		"2026-08-01T24:00",
		"2026-08-01T12:60",
		"2026-08-01T12:30:60Z",
		"2026-08-01T12:30:15.Z",
		"2026-08-01T12:30:15.12x",
		"2026-08-01 12:30",
		"2026-08-01Z",
		"2026-08-01T12:30+2:00",
		"2026-08-01T12:30+24:00",
		"2026-08-01T12:30+02:60",
		"2026-08-01T12:30 ",
		" 2026-08-01",
		"2026-08-01x",
		"-2026-08-01",
		"25:00",
		"12:3",
		"12",
		"12:30:15Z",
		"hello",
		"2026-08-01T12:30:15+02:00Z",
		"+2026-08-01",
		"2026-08-01T12",
	};
	struct sj_moment m;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		if (!sj_moment_parse(sj_slice_of(good[i].iso), &m)) {
			sj_fail_at(__FILE__, __LINE__, "refused: %s", good[i].iso);
			continue;
		}
		if (m.unix_ms != good[i].ms || m.has_time != good[i].time || m.has_zone != good[i].zone || !m.has_date)
			sj_fail_at(__FILE__, __LINE__, "%s: %lld", good[i].iso, (long long)m.unix_ms);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (sj_moment_parse(sj_slice_of(bad[i]), &m))
			sj_fail_at(__FILE__, __LINE__, "accepted: %s", bad[i]);

	CHECK(sj_moment_parse(SJ_LIT("2026-08-01T23:15:16.017-05:00"), &m)); /* fields as written */
	CHECK_INT(m.year, 2026);
	CHECK_INT(m.month, 8);
	CHECK_INT(m.day, 1);
	CHECK_INT(m.hour, 23);
	CHECK_INT(m.minute, 15);
	CHECK_INT(m.second, 16);
	CHECK_INT(m.milli, 17);
	CHECK(sj_moment_parse(SJ_LIT("09:30:05"), &m));
	CHECK(!m.has_date && m.has_time && !m.has_zone);
	CHECK_INT(m.hour, 9);
	CHECK_INT(m.second, 5);
}

SJ_TEST(moments_from_ms)
{
	static const struct {
		int64_t ms;
		const char *iso;
	} list[] = {
		{0, "1970-01-01T00:00:00.000Z"},
		{-1, "1969-12-31T23:59:59.999Z"},
		{1785587415123, "2026-08-01T12:30:15.123Z"},
		{951782400000, "2000-02-29T00:00:00.000Z"},
		{-62167219200001, "-000001-12-31T23:59:59.999Z"},
		{253402300800000, "+010000-01-01T00:00:00.000Z"},
		{8640000000000000, "+275760-09-13T00:00:00.000Z"},
		{-8640000000000000, "-271821-04-20T00:00:00.000Z"},
	};
	struct sj_moment m, again;
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		sj_buf_init(&out, sj_test_mem(), 0);
		sj_moment_iso_utc(&out, list[i].ms);
		check(__LINE__, SJ_OK, list[i].iso);
	}
	CHECK(!sj_moment_from_ms(8640000000000001, &m));
	CHECK(!sj_moment_from_ms(INT64_MIN, &m));
	/* Each day of five centuries there and back. */
	for (int64_t day = -200000; day < 100000; day++) {
		struct sj_civil c = sj_civil_from_days(day);
		if (sj_days_from_civil(c.year, c.month, c.day) != day || c.day < 1 ||
		    c.day > sj_month_days(c.year, c.month)) {
			sj_fail_at(__FILE__, __LINE__, "day %lld", (long long)day);
			break;
		}
	}
	for (int64_t ms = -8639999999999999; ms < 8640000000000000; ms += 7999999999987) {
		sj_buf_init(&out, sj_test_mem(), 0);
		CHECK(sj_moment_from_ms(ms, &m));
		sj_moment_iso_utc(&out, ms);
		if (m.year >= 0 && m.year <= 9999) {
			CHECK(sj_moment_parse(sj_buf_view(&out), &again));
			CHECK_INT(again.unix_ms, ms);
		}
		sj_buf_finish(&out);
	}
}

static bool supports_all(void *ctx, const char *locale)
{
	(void)ctx;
	return strcmp(locale, "tlh") != 0;
}

SJ_TEST(choice)
{
	const struct sj_locale_ops other = {.name = "other", .supports = supports_all};
	struct sj_locales none = {NULL}, one = {&other};
	CHECK(sj_locale_for(NULL, "de") == &SJ_LOCALE_EN);
	CHECK(sj_locale_for(&none, "de") == &SJ_LOCALE_EN);
	CHECK(sj_locale_for(&one, "de") == &other);
	CHECK(sj_locale_for(&one, "en-GB") == &other);
	CHECK(sj_locale_for(&one, "eng") == &other);
	CHECK(sj_locale_for(&one, "tlh") == &SJ_LOCALE_EN);
	static const char *const ours[] = {"en", "en-US", "en_US", "EN-us", "", "und"};
	for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
		CHECK(sj_locale_for(&one, ours[i]) == &SJ_LOCALE_EN);
	CHECK(sj_locale_for(&one, NULL) == &SJ_LOCALE_EN);
	CHECK(SJ_LOCALE_EN.supports(NULL, "en-US"));
	CHECK(!SJ_LOCALE_EN.supports(NULL, "en-GB"));
	CHECK(!SJ_LOCALE_EN.supports(NULL, "de"));
}

SJ_TEST(right_to_left)
{
	static const char *const rtl[] = {"ar",      "ar-EG",      "he",      "he_IL",       "fa",     "ur-PK",
	                                  "yi",      "ps",         "dv",      "ug",          "ckb",    "AR",
	                                  "az-Arab", "pa-Arab-PK", "ku-Arab", "zh-yue-Arab", "en-Hebr"};
	static const char *const ltr[] = {"en", "de",      "ja",         "",        "arn", "az",
	                                  "ku", "ar-Latn", "ur-Latn-PK", "he-Latn", "a",   "mas"};
	for (size_t i = 0; i < sizeof rtl / sizeof *rtl; i++)
		if (!sj_locale_is_rtl(rtl[i]))
			sj_fail_at(__FILE__, __LINE__, "%s", rtl[i]);
	for (size_t i = 0; i < sizeof ltr / sizeof *ltr; i++)
		if (sj_locale_is_rtl(ltr[i]))
			sj_fail_at(__FILE__, __LINE__, "%s", ltr[i]);
	CHECK(!sj_locale_is_rtl(NULL));
}

static enum sj_status all_kinds(struct sj_mem *mem, void *ctx)
{
	struct sj_buf b;
	struct sj_moment m;
	(void)ctx;
	sj_buf_init(&b, mem, 0);
	CHECK(sj_moment_from_ms(1785587415123, &m));
	enum sj_status status = SJ_LOCALE_EN.number(NULL, "en", 1e300, 2, true, &b);
	if (status == SJ_OK)
		status = SJ_LOCALE_EN.currency(NULL, "en", 12, SJ_LIT("EUR"), -1, true, &b);
	if (status == SJ_OK)
		status = SJ_LOCALE_EN.date(NULL, "en", "UTC", &m, SJ_LIT("EEEE, MMMM d, y 'at' h:mm a zzzz"), &b);
	sj_buf_finish(&b);
	return status;
}

SJ_TEST(torture)
{
	sj_torture(all_kinds, NULL);
}
