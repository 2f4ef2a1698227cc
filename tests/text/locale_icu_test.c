/* The built-in "en" against ICU for en-US, on seeded tables; and what the plugin adds: other locales, its cache. */
#include "text/icu_load.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "harness/test.h"

static uint64_t state;
static uint32_t random_below(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((state >> 33) % n);
}

static double random_number(void)
{
	double v = (double)random_below(1000000007);
	switch (random_below(6)) {
	case 0: /* money */
		v = random_below(10000000) / 100.0;
		break;
	case 1: /* ties */
		v = random_below(100000) / 8.0;
		break;
	case 2:
		v = random_below(100000) / 1000.0 + 0.0005;
		break;
	case 3: /* any double */
		v = ldexp(1.0 + random_below(1u << 30) / (double)(1u << 30), (int)random_below(2040) - 1020);
		break;
	case 4:
		v = random_below(100);
		break;
	default:
		break;
	}
	return random_below(2) ? v : -v;
}

/* clang-format off */
static const double special[] = {
	0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, 0.05, 1.005, 1.015, 999.5, 999.9999, 1e21, 1e-7, 1234.567, 1234567.0, 1e15,
	123456789012345680.0, 0.1 + 0.2, 9.995, -0.001, -0.5, DBL_MAX, DBL_MIN, 5e-324,
	(double)INFINITY, -(double)INFINITY, (double)NAN,
};
/* clang-format on */
#define SPECIALS (sizeof special / sizeof *special)

/* Both locales on the same question; -1 on a difference, else the status. */
static int compare(enum sj_status ours, struct sj_buf *a, enum sj_status icus, struct sj_buf *b, const char *what)
{
	bool same = ours == icus && (ours != SJ_OK || sj_slice_eq(sj_buf_view(a), sj_buf_view(b)));
	if (!same)
		sj_fail_at(__FILE__, __LINE__, "%s: %d \"%.*s\", ICU %d \"%.*s\"", what, (int)ours,
		           SJ_ARG(sj_buf_view(a)), (int)icus, SJ_ARG(sj_buf_view(b)));
	sj_buf_clear(a);
	sj_buf_clear(b);
	return same ? (int)ours : -1;
}

SJ_TEST(numbers_as_icu)
{
	struct icu_loaded icu;
	struct sj_buf a, b;
	char what[100];
	if (!icu_load(&icu))
		return;
	sj_buf_init(&a, sj_test_mem(), 0);
	sj_buf_init(&b, sj_test_mem(), 0);
	state = 1;
	for (unsigned i = 0; i < 20000; i++) {
		double v = i < 10 * SPECIALS ? special[i / 10] : random_number();
		int decimals = i < 10 * SPECIALS ? (int)(i % 10) - 1 : (int)random_below(9) - 1;
		bool grouping = random_below(3) > 0;
		snprintf(what, sizeof what, "%.17g, decimals %d, grouping %d", v, decimals, grouping);
		if (compare(SJ_LOCALE_EN.number(NULL, "en", v, decimals, grouping, &a), &a,
		            icu.ops.number(icu.ops.ctx, "en-US", v, decimals, grouping, &b), &b, what) != SJ_OK)
			break;
	}
	CHECK_INT(compare(SJ_LOCALE_EN.number(NULL, "en", 0.1, 100, true, &a), &a,
	                  icu.ops.number(icu.ops.ctx, "en-US", 0.1, 100, true, &b), &b, "100 decimals"), SJ_OK);
	CHECK_INT(compare(SJ_LOCALE_EN.number(NULL, "en", 0.1, 101, true, &a), &a,
	                  icu.ops.number(icu.ops.ctx, "en-US", 0.1, 101, true, &b), &b, "101 decimals"), SJ_INVALID);
	sj_buf_finish(&a);
	sj_buf_finish(&b);
	icu_unload(&icu);
}

SJ_TEST(money_as_icu)
{
	static const char *const codes[] = {
		"USD", "EUR", "GBP", "JPY", "KRW", "INR", "CNY", "CAD", "AUD", "MXN", "BRL",  "NZD", "HKD",
		"TWD", "ILS", "VND", "PHP", "XAF", "XOF", "XPF", "XCD", "CHF", "SEK", "NOK",  "DKK", "PLN",
		"CZK", "HUF", "TRY", "ZAR", "RUB", "UAH", "THB", "IDR", "MYR", "SGD", "BHD",  "KWD", "JOD",
		"OMR", "TND", "LYD", "IQD", "IRR", "ISK", "CLP", "CLF", "COP", "ARS", "PEN",  "UYU", "UYI",
		"UYW", "PYG", "BOB", "VES", "CRC", "GTQ", "HNL", "NIO", "DOP", "JMD", "TTD",  "BBD", "BSD",
		"BMD", "EGP", "MAD", "DZD", "NGN", "GHS", "KES", "UGX", "TZS", "RWF", "BIF",  "DJF", "ETB",
		"SOS", "MGA", "MUR", "KMF", "XXX", "XAU", "XDR", "AFN", "ALL", "AMD", "AZN",  "BDT", "BGN",
		"BYN", "GEL", "GNF", "KPW", "KZT", "LAK", "LBP", "LKR", "MDL", "MKD", "MMK",  "MNT", "MOP",
		"MRU", "NPR", "PKR", "QAR", "RON", "RSD", "SAR", "AED", "SLE", "SLL", "STN",  "SYP", "TJS",
		"TMT", "UZS", "VUV", "WST", "YER", "ZMW", "ZZZ", "usd", "eur", "US",  "USDX", "U1D", "",
	};
	struct icu_loaded icu;
	struct sj_buf a, b;
	char what[100];
	if (!icu_load(&icu))
		return;
	sj_buf_init(&a, sj_test_mem(), 0);
	sj_buf_init(&b, sj_test_mem(), 0);
	state = 2;
	bool same = true;
	for (size_t c = 0; same && c < sizeof codes / sizeof *codes; c++) {
		for (unsigned i = 0; same && i < 60; i++) {
			double v = i < SPECIALS ? special[i] : random_number();
			int decimals = i % 2 ? -1 : (int)random_below(4);
			bool grouping = random_below(3) > 0;
			snprintf(what, sizeof what, "%s %.17g, decimals %d", codes[c], v, decimals);
			same = compare(SJ_LOCALE_EN.currency(NULL, "en", v, sj_slice_of(codes[c]), decimals, grouping,
			                                     &a),
			               &a,
			               icu.ops.currency(icu.ops.ctx, "en-US", v, sj_slice_of(codes[c]), decimals,
			                                grouping, &b),
			               &b, what) >= 0;
		}
	}
	sj_buf_finish(&a);
	sj_buf_finish(&b);
	icu_unload(&icu);
}

static struct sj_moment random_moment(void)
{
	static const uint8_t hours[] = {0, 1, 5, 6, 11, 12, 13, 17, 18, 20, 21, 23};
	struct sj_moment m = {0};
	char iso[64];
	for (;;) {
		unsigned year = random_below(4) ? 1890 + random_below(240) : random_below(10000);
		snprintf(iso, sizeof iso, "%04u-%02u-%02uT%02u:%02u:%02u.%03u%s", year, 1 + random_below(12),
		         1 + random_below(31), hours[random_below(12)], random_below(3) ? random_below(60) : 0,
		         random_below(3) ? random_below(60) : 0, random_below(1000),
		         random_below(3) ? random_below(2) ? "Z" : "-03:30" : "");
		if (sj_moment_parse(sj_slice_of(iso), &m))
			return m;
	}
}

static const char *const zones[] = {"UTC", "+09:00", "-03:30", "+00:00", "-12:00", "+05:45", "+14:00"};

static bool same_date(struct icu_loaded *icu, struct sj_buf *a, struct sj_buf *b, const char *pattern)
{
	char what[160];
	struct sj_moment m = random_moment();
	const char *tz = zones[random_below(7)];
	/* ICU's long name of +00:00 is Greenwich's in some years. */
	if (strcmp(tz, "+00:00") == 0 && (strncmp(pattern, "zzzz", 4) == 0 || strncmp(pattern, "vvvv", 4) == 0))
		tz = "UTC";
	snprintf(what, sizeof what, "\"%s\" of %lld in %s", pattern, (long long)m.unix_ms, tz);
	return compare(SJ_LOCALE_EN.date(NULL, "en", tz, &m, sj_slice_of(pattern), a), a,
	               icu->ops.date(icu->ops.ctx, "en-US", tz, &m, sj_slice_of(pattern), b), b, what) == SJ_OK;
}

SJ_TEST(date_fields_as_icu)
{
	static const char letters[] = "GyYuUrQqMLwWdDFgEecabBhHKkmsSAzZOvVXx";
	struct icu_loaded icu;
	struct sj_buf a, b;
	if (!icu_load(&icu))
		return;
	sj_buf_init(&a, sj_test_mem(), 0);
	sj_buf_init(&b, sj_test_mem(), 0);
	state = 3;
	for (const char *l = letters; *l; l++) {
		for (size_t count = 1; count <= 6; count++) {
			char pattern[8] = {0};
			/* counts that UTS #35 does not define, or that name a city */
			if ((strchr("Ov", *l) && count != 1 && count != 4) || (*l == 'V' && count != 2 && count != 4) ||
			    (strchr("Xx", *l) && count > 5))
				continue;
			memset(pattern, *l, count);
			for (unsigned i = 0; i < 60; i++)
				if (!same_date(&icu, &a, &b, pattern))
					break;
		}
	}
	sj_buf_finish(&a);
	sj_buf_finish(&b);
	icu_unload(&icu);
}

SJ_TEST(date_patterns_as_icu)
{
	static const char *const patterns[] = {
		"yyyy-MM-dd",
		"yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
		"h:mm a",
		"EEEE, MMMM d, y",
		"EEE, d MMM yyyy HH:mm:ss Z",
		"M/d/yy",
		"MMM d, y, h:mm:ss a z",
		"h 'o''clock' a",
		"''yy''",
		"'it''s' y",
		"y 'open",
		"d. MMMM y G",
		"YYYY-'W'ww-e",
		"D w W F",
		"H:mm B",
		"h B",
		"h:mm:ss b",
		"h b",
		"QQQQ y",
		"y年M月d日",
		"",
		"'",
		"''",
		"....",
		"MMMM'of'y",
		"yyyyyyyy dddd",
	};
	struct icu_loaded icu;
	struct sj_buf a, b;
	if (!icu_load(&icu))
		return;
	sj_buf_init(&a, sj_test_mem(), 0);
	sj_buf_init(&b, sj_test_mem(), 0);
	state = 4;
	for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
		for (unsigned i = 0; i < 200; i++)
			if (!same_date(&icu, &a, &b, patterns[p]))
				break;
	sj_buf_finish(&a);
	sj_buf_finish(&b);
	icu_unload(&icu);
}

SJ_TEST(letters_that_are_no_field)
{
	static const char none[] = "fijlnoptCIJNPRT";
	struct icu_loaded icu;
	struct sj_moment m;
	struct sj_buf out;
	if (!icu_load(&icu))
		return;
	CHECK(sj_moment_parse(SJ_LIT("2026-08-01T10:00Z"), &m));
	sj_buf_init(&out, sj_test_mem(), 0);
	for (const char *l = none; *l; l++) {
		char pattern[] = "y ?";
		pattern[2] = *l;
		CHECK_INT(SJ_LOCALE_EN.date(NULL, "en", "UTC", &m, sj_slice_of(pattern), &out), SJ_INVALID);
		CHECK_INT(out.len, 0);
		CHECK_INT(icu.ops.date(icu.ops.ctx, "en-US", "UTC", &m, sj_slice_of(pattern), &out), SJ_INVALID);
		CHECK_INT(out.len, 0);
	}
	sj_buf_finish(&out);
	icu_unload(&icu);
}

SJ_TEST(plurals_as_icu)
{
	struct icu_loaded icu;
	if (!icu_load(&icu))
		return;
	state = 5;
	for (unsigned i = 0; i < 2000; i++) {
		double v = i < SPECIALS ? special[i] : i < 200 ? (double)i - 100 : random_number();
		if (isnan(v))
			continue;
		CHECK_INT(SJ_LOCALE_EN.plural(NULL, "en", v), icu.ops.plural(icu.ops.ctx, "en", v));
	}
	icu_unload(&icu);
}

SJ_TEST(other_locales)
{
	struct icu_loaded icu;
	struct sj_moment m, civil;
	struct sj_buf out;
	if (!icu_load(&icu))
		return;
	sj_buf_init(&out, sj_test_mem(), 0);
	void *ctx = icu.ops.ctx;
	struct sj_locales locales = {&icu.ops};
	CHECK(sj_locale_for(&locales, "de") == &icu.ops);
	CHECK(sj_locale_for(&locales, "en-GB") == &icu.ops);
	CHECK(sj_locale_for(&locales, "en-US") == &SJ_LOCALE_EN);
	CHECK(sj_locale_for(&locales, "xx-YY") == &SJ_LOCALE_EN);
	CHECK(sj_locale_for(&locales, "no such locale") == &SJ_LOCALE_EN);

#define CHECK_OUT(call, want)                                                                                          \
	do {                                                                                                           \
		CHECK_OK(call);                                                                                        \
		CHECK_STR(sj_buf_view(&out), want);                                                                    \
		sj_buf_clear(&out);                                                                                    \
	} while (0)
	CHECK_OUT(icu.ops.number(ctx, "de-DE", 1234567.891, 2, true, &out), "1.234.567,89");
	CHECK_OUT(icu.ops.number(ctx, "de_DE", 1234.5, -1, false, &out), "1234,5");
	CHECK_OUT(icu.ops.number(ctx, "fr", 1234567.5, -1, true, &out), "1\xE2\x80\xAF" "234\xE2\x80\xAF" "567,5");
	CHECK_OUT(icu.ops.number(ctx, "hi", 1234567, -1, true, &out), "12,34,567");
	CHECK_OUT(icu.ops.number(ctx, "es", 1234, -1, true, &out), "1234"); /* Spanish groups from five digits on */
	CHECK_OUT(icu.ops.currency(ctx, "de-DE", 1234.5, SJ_LIT("EUR"), -1, true, &out), "1.234,50\xC2\xA0€");
	CHECK_OUT(icu.ops.currency(ctx, "ja", 1234.5, SJ_LIT("JPY"), -1, true, &out), "￥1,235");
	CHECK_OUT(icu.ops.currency(ctx, "en-CA", -5, SJ_LIT("CAD"), 0, true, &out), "-$5");
	CHECK_INT(icu.ops.currency(ctx, "de", 1, SJ_LIT("E"), -1, true, &out), SJ_INVALID);

	CHECK(sj_moment_parse(SJ_LIT("2026-03-29T00:30:00Z"), &m));
	CHECK_OUT(icu.ops.date(ctx, "de-DE", "Europe/Berlin", &m, SJ_LIT("EEEE, d. MMMM y, HH:mm z"), &out),
	          "Sonntag, 29. März 2026, 01:30 MEZ");
	m.unix_ms += 3600000; /* the clocks go forward */
	CHECK_OUT(icu.ops.date(ctx, "de-DE", "Europe/Berlin", &m, SJ_LIT("HH:mm z"), &out), "03:30 MESZ");
	CHECK_OUT(icu.ops.date(ctx, "fr", "+09:00", &m, SJ_LIT("d MMM HH:mm xxx"), &out), "29 mars 10:30 +09:00");
	CHECK_OUT(icu.ops.date(ctx, "fr", "No/Where", &m, SJ_LIT("HH:mm"), &out), "01:30");
	CHECK_OUT(icu.ops.date(ctx, "th-TH", "UTC", &m, SJ_LIT("yyyy"), &out), "2026");
	CHECK_OUT(icu.ops.date(ctx, "th-TH-u-ca-buddhist", "UTC", &m, SJ_LIT("yyyy"), &out), "2569");
	CHECK(sj_moment_parse(SJ_LIT("2026-03-29T02:30"), &civil)); /* an hour that Berlin's clocks skip */
	CHECK_OUT(icu.ops.date(ctx, "de", "Europe/Berlin", &civil, SJ_LIT("HH:mm"), &out), "02:30");
	CHECK(sj_moment_parse(SJ_LIT("2026-07-01T12:00"), &civil));
	CHECK_OUT(icu.ops.date(ctx, "en-GB", "Europe/London", &civil, SJ_LIT("HH:mm z"), &out), "12:00 BST");

	CHECK_INT(icu.ops.plural(ctx, "ru", 2), SJ_PLURAL_FEW);
	CHECK_INT(icu.ops.plural(ctx, "ru", 5), SJ_PLURAL_MANY);
	CHECK_INT(icu.ops.plural(ctx, "ru", 21), SJ_PLURAL_ONE);
	CHECK_INT(icu.ops.plural(ctx, "ar", 0), SJ_PLURAL_ZERO);
	CHECK_INT(icu.ops.plural(ctx, "ar", 2), SJ_PLURAL_TWO);
	CHECK_INT(icu.ops.plural(ctx, "fr", 1.5), SJ_PLURAL_ONE);
	CHECK_INT(icu.ops.plural(ctx, "ja", 1), SJ_PLURAL_OTHER);

	/* More formatters than the cache holds, twice, and without a cache. */
	for (int round = 0; round < 3; round++) {
		const struct sj_locale_ops *ops = round < 2 ? &icu.ops : icu.uncached;
		for (int decimals = 0; decimals < 25; decimals++) {
			char want[40] = "0,50000000000000000000000000";
			want[decimals > 0 ? decimals + 2 : 1] = '\0';
			if (decimals == 0)
				want[0] = '1'; /* half away from zero */
			CHECK_OUT(ops->number(ops->ctx, "de", 0.5, decimals, true, &out), want);
		}
	}
	struct sj_locale_ops other = {0};
	CHECK_INT(icu.open(SJ_ICU_ABI + 1, sj_test_mem(), &other), SJ_INVALID);
	CHECK(other.number == NULL);
	sj_buf_finish(&out);
	icu_unload(&icu);
}
