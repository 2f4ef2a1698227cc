#include "base/limits.h"
#include "base/status.h"
#include "base/utf.h"
#include "harness/test.h"

SJ_TEST(code_names)
{
	CHECK_STR(sj_slice_of(sj_code_name(SJ_E_NONE)), "NONE");
	CHECK_STR(sj_slice_of(sj_code_name(SJ_E_LIMIT)), "LIMIT_EXCEEDED");
	CHECK_STR(sj_slice_of(sj_code_name(SJ_E_USAGE)), "USAGE");
	CHECK_STR(sj_slice_of(sj_code_name(SJ_E_COUNT)), "NONE");
	for (int c = 0; c < SJ_E_COUNT; c++)
		CHECK(sj_code_name((enum sj_code)c)[0] != '\0');
}

SJ_TEST(categories)
{
	CHECK_STR(sj_slice_of(sj_category_name(SJ_CAT_NONE)), "");
	CHECK_STR(sj_slice_of(sj_category_name(SJ_CAT_VALIDATION)), "ValidationError");
	CHECK_STR(sj_slice_of(sj_category_name(SJ_CAT_RPC)), "RpcError");
	CHECK(sj_category_is(SJ_CAT_INTEGRITY, SJ_CAT_VALIDATION));
	CHECK(sj_category_is(SJ_CAT_RECURSION, SJ_CAT_VALIDATION));
	CHECK(sj_category_is(SJ_CAT_DATA, SJ_CAT_DATA));
	CHECK(!sj_category_is(SJ_CAT_VALIDATION, SJ_CAT_INTEGRITY));
	CHECK(!sj_category_is(SJ_CAT_DATA, SJ_CAT_VALIDATION));
}

SJ_TEST(first_fault_is_kept)
{
	struct sj_diag d = {.code = SJ_E_NONE};
	CHECK_INT(sj_diag_set(&d, SJ_INVALID, SJ_E_PATCH, SJ_CAT_DATA, "no %s at %d", "thing", 7), SJ_INVALID);
	CHECK_INT(sj_diag_set(&d, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_PARSE, "later"), SJ_LIMIT);
	CHECK_INT(d.code, SJ_E_PATCH);
	CHECK_INT(d.category, SJ_CAT_DATA);
	CHECK_INT(d.severity, SJ_SEV_ERROR);
	CHECK_STR(sj_slice_of(d.message), "no thing at 7");
	CHECK_INT(sj_diag_set(NULL, SJ_NOMEM, SJ_E_NOMEM, SJ_CAT_NONE, "x"), SJ_NOMEM);
	sj_diag_clear(&d);
	CHECK_INT(d.code, SJ_E_NONE);
	CHECK_STR(sj_slice_of(d.message), "");
}

SJ_TEST(long_text_ends_in_an_ellipsis)
{
	struct sj_diag d = {.code = SJ_E_NONE};
	char text[300];
	for (size_t i = 0; i + 2 < sizeof text; i += 2)
		memcpy(text + i, "\xC3\xA9", 2);
	text[298] = '\0';
	sj_diag_pointer(&d, "%s", text); /* 298 bytes into 256 */
	size_t n = strlen(d.pointer);
	CHECK_INT(n, 255); /* 252 bytes of whole code points and 3 of the ellipsis */
	CHECK_STR(sj_slice(d.pointer + n - 3, 3), "\xE2\x80\xA6");
	CHECK_INT(sj_utf8_check(sj_slice(d.pointer, n)), n);
	sj_diag_pointer(&d, "x%s", text);
	n = strlen(d.pointer);
	CHECK_INT(n, 254); /* the odd byte in front leaves room for one code point less */
	CHECK_INT(sj_utf8_check(sj_slice(d.pointer, n)), n);
	sj_diag_hint(&d, "%.255s", "fits");
	CHECK_STR(sj_slice_of(d.hint), "fits");
}

SJ_TEST(limits_presets)
{
	CHECK_INT(SJ_LIMITS_DEFAULT.template_rows, 20000);
	CHECK_INT(SJ_LIMITS_UPSTREAM.template_rows, 1000);
#define IS_SET(name, ours, upstream, unit, why)                                                                        \
	CHECK(SJ_LIMITS_DEFAULT.name == (ours) && (ours) > 0);                                                         \
	CHECK(SJ_LIMITS_UPSTREAM.name == (upstream) && (upstream) > 0);
	SJ_LIMITS(IS_SET)
#undef IS_SET
}

SJ_TEST(slices)
{
	CHECK(sj_slice_starts(SJ_LIT("abc"), "ab"));
	CHECK(sj_slice_starts(SJ_LIT("abc"), ""));
	CHECK(!sj_slice_starts(SJ_LIT("ab"), "abc"));
	CHECK(sj_slice_starts(SJ_NO_SLICE, ""));
	CHECK(sj_slice_eq(SJ_NO_SLICE, SJ_LIT("")));
	CHECK(!sj_slice_eq(SJ_LIT("a"), SJ_LIT("b")));
	CHECK(sj_slice_cmp(SJ_LIT("a"), SJ_LIT("b")) < 0);
	CHECK(sj_slice_cmp(SJ_LIT("b"), SJ_LIT("aa")) > 0);
	CHECK(sj_slice_cmp(SJ_LIT("a"), SJ_LIT("aa")) < 0);
	CHECK(sj_slice_cmp(SJ_LIT("\xC3\xA9"), SJ_LIT("z")) > 0); /* bytes compare as unsigned */
	CHECK_INT(sj_slice_cmp(SJ_LIT("aa"), SJ_LIT("aa")), 0);
	CHECK_INT(sj_slice_cmp(SJ_NO_SLICE, SJ_NO_SLICE), 0);
}

SJ_TEST(hashes_are_the_same_everywhere)
{
	/* Fixed values: recordings may hold what follows from them. */
	CHECK_INT(sj_slice_hash(SJ_LIT(""), 0), 1293761090);
	CHECK_INT(sj_slice_hash(SJ_LIT("component"), 0), 894816730);
	CHECK_INT(sj_slice_hash(SJ_LIT("component"), 1), 497356021);
	CHECK(sj_slice_hash(SJ_LIT("a"), 0) != sj_slice_hash(SJ_LIT("a\0"), 0));
	CHECK(sj_slice_hash(SJ_LIT("\0"), 0) != sj_slice_hash(SJ_LIT(""), 0));
}

SJ_TEST(hashes_spread)
{
	/* 65536 numbered keys into 65536 places: a random function leaves about 1/e of them empty. */
	static unsigned char used[65536];
	memset(used, 0, sizeof used);
	unsigned filled = 0;
	for (unsigned i = 0; i < 65536; i++) {
		char key[8] = {'k', (char)('0' + i / 10000), (char)('0' + i / 1000 % 10), (char)('0' + i / 100 % 10),
		               (char)('0' + i / 10 % 10), (char)('0' + i % 10)};
		unsigned place = sj_slice_hash(sj_slice(key, 6), 3) & 0xFFFF;
		filled += !used[place];
		used[place] = 1;
	}
	CHECK(filled > 41000 && filled < 41900); /* 65536 * (1 - 1/e) = 41427 */
}
