/* Identifiers: every code point against the Unicode Character Database, and the cases the protocol names. */
#include "text/ident.h"

#include "base/utf.h"
#include "text/ucd.h"

SJ_TEST(accepted)
{
	static const char *const list[] = {"a", "_", "_1", "camelCase", "Text", "x9", "ℓ", "école", "名前", "имя", "a·b",
	                                   "e\xCC\x81", "𝒳", "ａ", "가", "α2", "__a__"};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (!sj_ident_check(sj_slice_of(list[i])))
			sj_fail_at(__FILE__, __LINE__, "refused: %s", list[i]);
}

SJ_TEST(refused)
{
	static const char *const list[] = {
		"",
		"1a",
		"123invalid_id",
		"a-b",
		"-a",
		"a\xE2\x80\x93"
		"b", /* en dash */
		"a—b",
		"a\xD6\x8A"
		"b", /* Armenian hyphen */
		"a\xE2\x80\x90"
		"b",
		"a\xE2\x80\x8D"
		"b",
		"a\xE2\x80\x8C"
		"b", /* hyphen, joiners */
		"a b",
		" a",
		"a.b",
		"a/b",
		"$a",
		"a$",
		"@a",
		"a\n",
		"٣a",
		"\xCC\x81"
		"a",
		"😀",
		"a😀",
		"a\xFF",
		"\x80",
		"a\xED\xA0\x80",
		"a\xEF\xBF\xBD",
		"#a",
		"a:b",
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (sj_ident_check(sj_slice_of(list[i])))
			sj_fail_at(__FILE__, __LINE__, "accepted: %s", list[i]);
	CHECK(!sj_ident_check(sj_slice("a\0b", 3)));
}

SJ_TEST(every_code_point_as_in_the_database)
{
	static bool start[0x110000], next[0x110000];
	struct sj_slice file = ucd_file("DerivedCoreProperties.txt"), line, value;
	uint32_t first, last, checked = 0;
	memset(start, 0, sizeof start);
	memset(next, 0, sizeof next);
	for (size_t at = 0; ucd_line(file, &at, &line);) {
		if (!ucd_range(line, &first, &last, &value))
			continue;
		for (uint32_t c = first; c <= last; c++) {
			start[c] |= sj_slice_is(value, "XID_Start");
			next[c] |= sj_slice_is(value, "XID_Continue");
		}
	}
	if (file.ptr == NULL)
		return;
	for (uint32_t c = 0; c < 0x110000; c++) {
		checked += start[c];
		if (sj_xid_start(c) != start[c] || sj_xid_continue(c) != next[c])
			sj_fail_at(__FILE__, __LINE__, "U+%04X", (unsigned)c);
	}
	CHECK_INT(checked, 136322);
	CHECK(!sj_xid_start(0x110000));
	CHECK(!sj_xid_continue(UINT32_MAX));
}
