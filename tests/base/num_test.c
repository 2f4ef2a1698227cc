#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/num.h"
#include "harness/random.h"
#include "harness/test.h"

static double of_bits(uint64_t bits)
{
	double d;
	memcpy(&d, &bits, sizeof d);
	return d;
}

static uint64_t bits_of(double d)
{
	uint64_t bits;
	memcpy(&bits, &d, sizeof bits);
	return bits;
}

/* Text as ECMAScript's Number::toString gives it. */
static const struct {
	uint64_t bits;
	const char *text;
} texts[] = {
	{0x0000000000000000, "0"},
	{0x8000000000000000, "0"},
	{0x3FF0000000000000, "1"},
	{0xBFF8000000000000, "-1.5"},
	{0x3FB999999999999A, "0.1"},
	{0x3FD3333333333334, "0.30000000000000004"},
	{0x3FF0000000000001, "1.0000000000000002"},
	{0x4340000000000000, "9007199254740992"},
	{0x4340000000000001, "9007199254740994"},
	{0xC340000000000001, "-9007199254740994"},
	{0x444B1AE4D6E2EF50, "1e+21"},
	{0x444B1AE4D6E2EF4F, "999999999999999900000"},
	{0x444B1AE4D6E2EF4E, "999999999999999700000"},
	{0x44B52D02C7E14AF5, "9.999999999999997e+22"},
	{0x44B52D02C7E14AF6, "1e+23"},
	{0x44B52D02C7E14AF7, "1.0000000000000001e+23"},
	{0x3EB0C6F7A0B5ED8D, "0.000001"},
	{0x3EB0C6F7A0B5ED8C, "9.999999999999997e-7"},
	{0x3E7AD7F29ABCAF48, "1e-7"},
	{0x3EB4B5BA4BEF5F33, "0.0000012344046777991706"},
	{0x7FEFFFFFFFFFFFFF, "1.7976931348623157e+308"},
	{0xFFEFFFFFFFFFFFFF, "-1.7976931348623157e+308"},
	{0x0010000000000000, "2.2250738585072014e-308"},
	{0x000FFFFFFFFFFFFF, "2.225073858507201e-308"},
	{0x0000000000000001, "5e-324"},
	{0x0000000000000002, "1e-323"},
	{0x8000000000000001, "-5e-324"},
	{0x7FF0000000000000, "Infinity"},
	{0xFFF0000000000000, "-Infinity"},
	{0x7FF8000000000000, "NaN"},
	{0x41B3DE4355555553, "333333333.3333332"}, /* this and the next: RFC 8785, appendix B */
	{0x41B3DE4355555554, "333333333.33333325"},
	{0x41B3DE4355555555, "333333333.3333333"},
	{0x41B3DE4355555556, "333333333.3333334"},
	{0x41B3DE4355555557, "333333333.33333343"},
	{0x3EB0C6F7A0B5ED8E, "0.0000010000000000000002"},
	{0x43143FF3C1CB0959, "1424953923781206.2"},
	{0x4480F0CF064DD592, "1e+22"},
	{0x4014000000000000, "5"},
	{0x3C9CD2B297D889BC, "1e-16"},
	{0x52D02C7E14AF6801, "8.236652527949891e+90"},
	{0x3F50624DD2F1A9FC, "0.001"},
	{0x4010000000000000, "4"},
	{0x433FFFFFFFFFFFFF, "9007199254740991"},
	{0x4330000000000000, "4503599627370496"},
	{0x432FFFFFFFFFFFFF, "4503599627370495.5"},
	{0x7FD9CCC6F9A4B5CB, "7.246925484489763e+307"},
};

SJ_TEST(text_of_numbers)
{
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char out[SJ_NUM_TEXT];
		sj_case("%s", texts[i].text);
		size_t n = sj_num_text(of_bits(texts[i].bits), out);
		CHECK_STR(sj_slice(out, n), texts[i].text);
		CHECK_INT(out[n], 0);
		sj_case_end();
	}
}

SJ_TEST(text_of_integers)
{
	static const struct {
		int64_t value;
		const char *text;
	} rows[] = {
		{0, "0"},      {7, "7"},       {10, "10"}, {-1, "-1"}, {99, "99"}, {100, "100"}, {-12345, "-12345"},
		{INT64_MAX, "9223372036854775807"}, {INT64_MIN, "-9223372036854775808"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char out[SJ_NUM_TEXT];
		CHECK_STR(sj_slice(out, sj_num_text_i64(rows[i].value, out)), rows[i].text);
	}
}

/* "-": not a number. `loose` where it differs. */
static const struct {
	const char *text, *strict, *loose;
} parses[] = {
	{"0", "0x0p+0", NULL},
	{"-0", "-0x0p+0", NULL},
	{"1", "0x1p+0", NULL},
	{"12.5e1", "0x1.f4p+6", NULL},
	{"1E+2", "0x1.9p+6", NULL},
	{"1e-2", "0x1.47ae147ae147bp-7", NULL},
	{"1e400", "inf", NULL},
	{"-1e400", "-inf", NULL},
	{"1e-400", "0x0p+0", NULL},
	{"-1e-400", "-0x0p+0", NULL},
	{"0e99999999999999999999", "0x0p+0", NULL},
	{"1e99999999999999999999", "inf", NULL},
	{"1e-99999999999999999999", "0x0p+0", NULL},
	{"1.7976931348623157e308", "0x1.fffffffffffffp+1023", NULL},
	{"1.7976931348623158e308", "0x1.fffffffffffffp+1023", NULL},
	{"1.7976931348623159e308", "inf", NULL},
	{"17976931348623158079372897140530341507993413271003782693617377898044496829276475094664901797758720709633028641"
	 "66928879109465555478519404026306574886715058206819089020007083836762738548458177115317644757302700698555713669"
	 "59622842914819860834936475292719074168444365510704342711559699508093042880177904174497792",
	 "inf", NULL}, /* exactly the middle above the largest double: to even, which is infinity */
	{"2.4703282292062327e-324", "0x0p+0", NULL},
	{"2.4703282292062328e-324", "0x0.0000000000001p-1022", NULL},
	{"4.9406564584124654e-324", "0x0.0000000000001p-1022", NULL},
	{"2.2250738585072011e-308", "0x0.fffffffffffffp-1022", NULL}, /* hung other readers once */
	{"2.2250738585072012e-308", "0x1p-1022", NULL},
	{"9007199254740993", "0x1p+53", NULL},            /* middle, to even */
	{"9007199254740993.0000000000000000000000000000000001", "0x1.0000000000001p+53", NULL},
	{"9007199254740995", "0x1.0000000000002p+53", NULL},
	{"106926353081812510E-1", "0x1.2fe7294a0e382p+53", NULL},
	{"1090544144181609348671888949248", "0x1.b8779f2474dfap+99", NULL},
	{"1e23", "0x1.52d02c7e14af6p+76", NULL},
	{"8.5e22", "0x1.1ffdbf6b2b2ebp+76", NULL},
	{"123456789012345678901234567890", "0x1.8ee90ff6c373ep+96", NULL},
	{"0.000000000000000000000000000000000000000000000000000000000000001e63", "0x1p+0", NULL},
	{"100000000000000000000000000000000000000e-38", "0x1p+0", NULL},
	{"", "-", "-"},
	{"-", "-", "-"},
	{"+1", "-", "0x1p+0"},
	{".5", "-", "0x1p-1"},
	{"5.", "-", "0x1.4p+2"},
	{".", "-", "-"},
	{"00", "-", "0x0p+0"},
	{"01", "-", "0x1p+0"},
	{"-01", "-", "-0x1p+0"},
	{"1e", "-", "-"},
	{"1e+", "-", "-"},
	{"e1", "-", "-"},
	{"1.5.2", "-", "-"},
	{"1 ", "-", "0x1p+0"},
	{" \t\n 7\v\f\r", "-", "0x1.cp+2"},
	{"  ", "-", "-"},
	{"0x10", "-", "-"},
	{"NaN", "-", "-"},
	{"Infinity", "-", "-"},
	{"1_0", "-", "-"},
	{"--1", "-", "-"},
	{"1e5e5", "-", "-"},
};

SJ_TEST(reading_numbers)
{
	for (size_t i = 0; i < sizeof parses / sizeof *parses; i++) {
		struct sj_slice text = sj_slice_of(parses[i].text);
		sj_case("%.60s", parses[i].text);
		for (int loose = 0; loose < 2; loose++) {
			const char *want = loose && parses[i].loose ? parses[i].loose : parses[i].strict;
			double got = 12345;
			bool good = loose ? sj_num_parse_loose(text, &got) : sj_num_parse(text, &got);
			CHECK_INT(good, want[0] != '-' || want[1] != '\0');
			if (!good)
				CHECK(got == 12345); /* nothing written */
			else if (bits_of(got) != bits_of(strtod(want, NULL)))
				sj_fail_at(__FILE__, __LINE__, "got %a, want %s", got, want);
		}
		sj_case_end();
	}
}

/* Against the C library, whose conversions of glibc are exact too; the locale is "C" here. */
static void check_reading(const char *text)
{
	double got = 0, want = strtod(text, NULL);
	if (!sj_num_parse(sj_slice_of(text), &got) || bits_of(got) != bits_of(want))
		sj_fail_at(__FILE__, __LINE__, "%s: got %a, want %a", text, got, want);
}

SJ_TEST(random_numbers_read_as_the_library_reads)
{
	struct sj_random r = {1};
	char text[400];
	for (int i = 0; i < 20000 && !sj_failed(); i++) {
		double d = of_bits(sj_random_next(&r) & INT64_MAX);
		if (!isfinite(d))
			continue;
		snprintf(text, sizeof text, "%.*e", (int)sj_random_below(&r, 30), d);
		check_reading(text);
		snprintf(text, sizeof text, "%llu.%llue%d",
		         (unsigned long long)(sj_random_next(&r) >> sj_random_below(&r, 60)),
		         (unsigned long long)sj_random_next(&r), (int)sj_random_below(&r, 700) - 360);
		check_reading(text);
		snprintf(text, sizeof text, "%lluE%d",
		         (unsigned long long)(sj_random_next(&r) >> sj_random_below(&r, 63)),
		         (int)sj_random_below(&r, 60) - 30);
		check_reading(text);
	}
}

SJ_TEST(middles_are_decided_exactly)
{
	/* The middle between two doubles to its last digit, that digit changed, and a 1 far behind it. */
	struct sj_random r = {2};
	static char text[1400];
	for (int i = 0; i < 300 && !sj_failed(); i++) {
		uint64_t bits = sj_random_next(&r) & INT64_MAX;
		if (i % 3 == 0)
			bits &= (UINT64_C(1) << 53) - 1; /* small and subnormal */
		double low = of_bits(bits), high = of_bits(bits + 1);
		if (!isfinite(high))
			continue;
		/* Both halves and their sum are exact in long double, 64 bits of mantissa. */
		long double middle = ((long double)low + (long double)high) / 2;
		snprintf(text, sizeof text, "%.1080Le", middle);
		check_reading(text);
		char *e = strchr(text, 'e');
		e[-1] = '1';
		check_reading(text);
	}
}

SJ_TEST(text_is_the_shortest_that_reads_back)
{
	struct sj_random r = {3};
	for (int i = 0; i < 30000 && !sj_failed(); i++) {
		double d = of_bits(sj_random_next(&r)), back;
		char out[SJ_NUM_TEXT], longest[40];
		if (!isfinite(d))
			continue;
		if (i % 2) /* numbers as people write them */
			d = (double)(int64_t)(sj_random_next(&r) >> sj_random_below(&r, 60)) /
			    (double)(1 + sj_random_below(&r, 1000));
		struct sj_slice text = {out, sj_num_text(d, out)};
		if (!sj_num_parse(sj_slice(out + (out[0] == '-'), text.len - (out[0] == '-')), &back) ||
		    back != fabs(d)) {
			sj_fail_at(__FILE__, __LINE__, "%a prints as %s", d, out);
			break;
		}
		int precision = 0;
		do
			snprintf(longest, sizeof longest, "%.*e", precision, d);
		while (strtod(longest, NULL) != d && ++precision < 17);
		/* Significant digits of our text. */
		int digits = 0, zeros = 0;
		for (const char *p = out; *p && *p != 'e'; p++) {
			if (*p == '0')
				zeros += digits > 0;
			else if (*p > '0' && *p <= '9')
				digits += zeros + 1, zeros = 0;
		}
		if (d != 0 && digits > precision + 1)
			sj_fail_at(__FILE__, __LINE__, "%a prints as %s, %s is shorter", d, out, longest);
	}
}

SJ_TEST(integers)
{
	int64_t i = 5;
	CHECK(sj_num_is_int(9007199254740992.0, &i) && i == INT64_C(9007199254740992));
	CHECK(sj_num_is_int(-9007199254740992.0, &i) && i == -INT64_C(9007199254740992));
	CHECK(sj_num_is_int(-0.0, &i) && i == 0);
	CHECK(!sj_num_is_int(9007199254740994.0, &i));
	CHECK(!sj_num_is_int(0.5, &i));
	CHECK(!sj_num_is_int((double)NAN, &i));
	CHECK(!sj_num_is_int((double)INFINITY, &i));
	CHECK(!sj_num_is_int(DBL_MAX, &i));
	CHECK_INT(i, 0);
}

SJ_TEST(indices)
{
	uint32_t i = 77;
	CHECK(sj_num_index(SJ_LIT("0"), &i) && i == 0);
	CHECK(sj_num_index(SJ_LIT("10"), &i) && i == 10);
	CHECK(sj_num_index(SJ_LIT("4294967294"), &i) && i == UINT32_MAX - 1);
	static const char *const refused[] = {"",    "00", "01", "-1",         "+1",         "1.0",
	                                      "1e1", " 1", "-",  "4294967295", "4294967296", "99999999999"};
	for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
		CHECK(!sj_num_index(sj_slice_of(refused[k]), &i));
	CHECK_INT(i, UINT32_MAX - 1);
}
