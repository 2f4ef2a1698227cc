#include "base/buf.h"
#include "base/utf.h"
#include "harness/test.h"

static const struct {
	const char *text;
	size_t good; /* bytes before the first ill-formed one */
} checks[] = {
	{"", 0},
	{"plain ascii that is longer than one word", 40},
	{"\xC3\xA9", 2},
	{"\xE2\x82\xAC", 3},
	{"\xF0\x9F\x98\x80", 4},
	{"\xF4\x8F\xBF\xBF", 4},         /* U+10FFFF */
	{"\xEF\xBF\xBF", 3},             /* U+FFFF */
	{"\xED\x9F\xBF\xEE\x80\x80", 6}, /* around the surrogates */
	{"ab\x80", 2},                   /* continuation alone */
	{"\xC0\xAF", 0},                 /* overlong / */
	{"\xC1\xBF", 0},
	{"\xE0\x9F\xBF", 0},
	{"\xF0\x8F\xBF\xBF", 0},
	{"\xED\xA0\x80", 0},             /* surrogate */
	{"\xED\xBF\xBF", 0},
	{"\xF4\x90\x80\x80", 0},         /* beyond U+10FFFF */
	{"\xF5\x80\x80\x80", 0},
	{"\xFF", 0},
	{"12345678\xC3", 8},             /* cut */
	{"\xE2\x82", 0},
	{"\xF0\x9F\x98", 0},
	{"x\xE2\x28\xA1", 1},
	{"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\x28", 10},
};

SJ_TEST(well_formed)
{
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
		sj_case("row %zu", i);
		CHECK_INT(sj_utf8_check(sj_slice_of(checks[i].text)), checks[i].good);
		sj_case_end();
	}
}

SJ_TEST(every_code_point_round_trips)
{
	for (uint32_t c = 0; c <= 0x10FFFF; c++) {
		char bytes[4];
		size_t n = sj_utf8_put(bytes, c), at = 0;
		bool surrogate = c >= 0xD800 && c < 0xE000;
		if (n != (c < 0x80      ? 1u
		          : c < 0x800   ? 2u
		          : c < 0x10000 ? 3u
		                        : 4u) ||
		    sj_utf8_next(sj_slice(bytes, n), &at) != c || at != n ||
		    sj_utf8_check(sj_slice(bytes, n)) != (surrogate ? 0 : n)) {
			CHECK_INT(c, -1);
			return;
		}
	}
}

SJ_TEST(ill_formed_bytes_are_read_one_by_one)
{
	struct sj_slice s = SJ_LIT("a\xE2\x82" "b\xFF");
	static const uint32_t want[] = {'a', 0xFFFD, 0xFFFD, 'b', 0xFFFD};
	size_t at = 0;
	for (int i = 0; i < 5; i++)
		CHECK_INT(sj_utf8_next(s, &at), want[i]);
	CHECK_INT(at, s.len);
	CHECK_INT(sj_utf8_count(s), 5);
}

SJ_TEST(counts)
{
	CHECK_INT(sj_utf8_count(SJ_LIT("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80")), 4);
	CHECK_INT(sj_utf16_count(SJ_LIT("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80")), 5);
	CHECK_INT(sj_utf8_count(SJ_LIT("\xED\xA0\xBD")), 1); /* a lone surrogate */
	CHECK_INT(sj_utf16_count(SJ_LIT("\xED\xA0\xBD")), 1);
	CHECK_INT(sj_utf8_count(SJ_NO_SLICE), 0);
}

/* In ascending order of UTF-16 code units; the first column also shows why bytes will not do. */
static const char *const ordered[] = {
	"",
	"a",
	"aa",
	"b",
	"\xC3\xA9",                     /* U+00E9 */
	"\xED\x9F\xBF",                 /* U+D7FF */
	"\xED\xA0\xBD",                 /* lone D83D */
	("\xED\xA0\xBD" "a"),             /* D83D 0061 */
	"\xF0\x9F\x90\x80",             /* D83D DC00 */
	"\xF0\x9F\x98\x80",             /* D83D DE00 */
	"\xF0\x9F\x98\x80z",
	"\xED\xA0\xBD\xEE\x80\x80",     /* D83D E000 */
	"\xED\xB8\x80",                 /* lone DE00 */
	"\xEE\x80\x80",                 /* U+E000: above every surrogate */
	"\xEF\xBF\xBD",                 /* U+FFFD */
};

SJ_TEST(utf16_order)
{
	size_t n = sizeof ordered / sizeof *ordered;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			int got = sj_utf16_cmp(sj_slice_of(ordered[i]), sj_slice_of(ordered[j]));
			if ((got > 0) - (got < 0) != (i > j) - (i < j))
				sj_fail_at(__FILE__, __LINE__, "%zu against %zu: %d", i, j, got);
		}
}

SJ_TEST(cuts)
{
	struct sj_slice s = SJ_LIT("a\xC3\xA9\xF0\x9F\x98\x80z"); /* 1 + 2 + 4 + 1 */
	static const size_t want[] = {0, 1, 1, 3, 3, 3, 3, 7, 8, 8};
	for (size_t max = 0; max < 10; max++)
		CHECK_INT(sj_utf8_cut(s, max), want[max]);
	struct sj_slice bad = SJ_LIT("\x80\x80\x80\x80\x80\x80");
	CHECK_INT(sj_utf8_cut(bad, 5), 5); /* nothing to keep together */
	CHECK_INT(sj_utf8_cut(SJ_NO_SLICE, 5), 0);
}
