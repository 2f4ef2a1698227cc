/* Grapheme clusters against GraphemeBreakTest.txt, columns, wrapping, direction. */
#include "text/width.h"

#include <stdio.h>

#include "base/utf.h"
#include "text/ucd.h"

SJ_TEST(grapheme_break_test)
{
	struct sj_slice file = ucd_file("auxiliary/GraphemeBreakTest.txt"), line;
	unsigned cases = 0;
	for (size_t at = 0; ucd_line(file, &at, &line);) {
		char text[256];
		size_t len = 0, ends[32], count = 0;
		/* "÷ 0020 × 0308 ÷": ÷ is C3 B7, × is C3 97 */
		for (size_t i = 0; i < line.len;) {
			if (line.ptr[i] == '\xC3') {
				if (line.ptr[i + 1] == '\xB7' && len > 0)
					ends[count++] = len;
				i += 2;
			} else if (line.ptr[i] == ' ' || line.ptr[i] == '\t') {
				i++;
			} else {
				uint32_t code = 0;
				for (; i < line.len && line.ptr[i] != ' '; i++)
					code = code * 16 + (uint32_t)(line.ptr[i] <= '9' ? line.ptr[i] - '0'
					                                                 : line.ptr[i] - 'A' + 10);
				len += sj_utf8_put(text + len, code);
			}
		}
		size_t pos = 0, n = 0;
		bool same = true;
		while (pos < len && same) {
			unsigned columns;
			pos += sj_grapheme_next(sj_slice(text + pos, len - pos), &columns);
			same = n < count && pos == ends[n++] && columns <= 2;
		}
		if (!same || n != count)
			sj_fail_at(__FILE__, __LINE__, "%.*s", SJ_ARG(line));
		cases++;
	}
	if (file.ptr != NULL)
		CHECK_INT(cases, 602);
}

struct wide {
	const char *text;
	unsigned columns, clusters;
};

SJ_TEST(columns_of_text)
{
	static const struct wide list[] = {
		{"", 0, 0},
		{"abc", 3, 3},
		{"日本語", 6, 3},
		{"ｱｲ", 2, 2},                        /* halfwidth */
		{"Ａ", 2, 1},                         /* fullwidth */
		{"한글", 4, 2},
		{"\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB", 2, 1}, /* the same syllable from three jamo */
		{"e\xCC\x81", 1, 1},
		{"\xCC\x81", 0, 1},
		{"a\xE2\x80\x8B" "b", 2, 3},          /* zero width space */
		{"😀", 2, 1},
		{"👩‍👩‍👧‍👦", 2, 1},
		{"👍🏽", 2, 1},
		{"🇩🇪🇯🇵", 4, 2},
		{"🇩🇪🇯", 3, 2},
		{"❤", 1, 1},
		{"❤️", 2, 1},                         /* with the emoji selector */
		{"1️⃣", 2, 1},                         /* keycap */
		{"☎", 1, 1},
		{"🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F", 2, 1}, /* flag of England: tags */
		{"ก\xE0\xB8\xB3", 2, 1},              /* Thai sara am stands beside its letter */
		{"नि", 2, 1},
		{"שָׁלוֹם", 4, 4},
		{"\xC2\xAD", 1, 1},                   /* soft hyphen */
		{"a\tb", 2, 3},
		{"\r\n", 0, 1},
		{"a\xFF" "b", 3, 3},
		{"…“”—", 4, 4},
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		struct sj_slice s = sj_slice_of(list[i].text);
		unsigned clusters = 0, columns;
		for (size_t at = 0; at < s.len; clusters++)
			at += sj_grapheme_next(sj_slice(s.ptr + at, s.len - at), &columns);
		if (sj_text_width(s) != list[i].columns || clusters != list[i].clusters)
			sj_fail_at(__FILE__, __LINE__, "%s: %zu columns, %u clusters", list[i].text, sj_text_width(s),
			           clusters);
	}
	CHECK_INT(sj_code_width('a'), 1);
	CHECK_INT(sj_code_width(0x4E00), 2);
	CHECK_INT(sj_code_width(0x301), 0);
	CHECK_INT(sj_code_width('\n'), 0);
	CHECK_INT(sj_code_width(0x1F600), 2);
	CHECK_INT(sj_code_width(0x110000), 1);
}

SJ_TEST(wide_as_in_the_database)
{
	struct sj_slice file = ucd_file("EastAsianWidth.txt"), line, value;
	uint32_t first, last, wide = 0;
	for (size_t at = 0; ucd_line(file, &at, &line);) {
		if (!ucd_range(line, &first, &last, &value))
			continue;
		bool want = sj_slice_is(value, "W") || sj_slice_is(value, "F");
		for (uint32_t c = first; c <= last; c++) {
			wide += want;
			if (want ? sj_code_width(c) != 2 && sj_code_width(c) != 0 : sj_code_width(c) == 2)
				sj_fail_at(__FILE__, __LINE__, "U+%04X", (unsigned)c);
		}
	}
	if (file.ptr != NULL)
		CHECK_INT(wide, 182516);
}

SJ_TEST(emoji_sequences_are_one_cluster)
{
	static const char *const files[] = {"emoji/emoji-zwj-sequences.txt", "emoji/emoji-sequences.txt"};
	for (size_t f = 0; f < 2; f++) {
		struct sj_slice file = ucd_file(files[f]), line;
		unsigned count = 0;
		for (size_t at = 0; ucd_line(file, &at, &line);) {
			char text[128];
			size_t len = 0;
			if (line.len > 6 && memcmp(line.ptr + 4, "..", 2) == 0)
				continue;
			for (size_t i = 0; i < line.len && line.ptr[i] != ';' && line.ptr[i] != '.';) {
				uint32_t code = 0;
				for (; i < line.len && line.ptr[i] != ' ' && line.ptr[i] != ';' && line.ptr[i] != '.';
				     i++)
					code = code * 16 + (uint32_t)(line.ptr[i] <= '9' ? line.ptr[i] - '0'
					                                                 : line.ptr[i] - 'A' + 10);
				len += sj_utf8_put(text + len, code);
				while (i < line.len && line.ptr[i] == ' ')
					i++;
			}
			unsigned columns;
			size_t n = sj_grapheme_next(sj_slice(text, len), &columns);
			count++;
			if (n != len || columns != 2)
				sj_fail_at(__FILE__, __LINE__, "%.*s: %zu of %zu bytes, %u columns", SJ_ARG(line), n,
				           len, columns);
		}
		if (file.ptr != NULL)
			CHECK(count > 900);
	}
}

SJ_TEST(fit)
{
	size_t used;
	CHECK_INT(sj_text_fit(SJ_LIT("abcdef"), 4, &used), 4);
	CHECK_INT(used, 4);
	CHECK_INT(sj_text_fit(SJ_LIT("日本語"), 5, &used), 6); /* half a character does not fit */
	CHECK_INT(used, 4);
	CHECK_INT(sj_text_fit(SJ_LIT("ae\xCC\x81"), 2, &used), 4); /* a mark stays with its letter */
	CHECK_INT(used, 2);
	CHECK_INT(sj_text_fit(SJ_LIT("👩‍👧x"), 2, &used), 11);
	CHECK_INT(sj_text_fit(SJ_LIT("ab"), 0, &used), 0);
	CHECK_INT(used, 0);
	CHECK_INT(sj_text_fit(SJ_NO_SLICE, 9, &used), 0);
}

/* All lines of `text`, joined by '|'. */
static void check_wrap(int line_number, const char *text, size_t columns, const char *want)
{
	struct sj_slice s = sj_slice_of(text);
	char got[512];
	size_t len = 0, skip;
	for (bool first = true; s.len > 0; first = false) {
		size_t n = sj_text_wrap(s, columns, &skip);
		if (n > skip || skip == 0 || skip > s.len || sj_text_width(sj_slice(s.ptr, n)) > columns) {
			sj_fail_at(__FILE__, line_number, "line of %zu, skip %zu of %zu", n, skip, s.len);
			return;
		}
		len += (size_t)snprintf(got + len, sizeof got - len, "%s%.*s", first ? "" : "|", (int)n, s.ptr);
		s = sj_slice(s.ptr + skip, s.len - skip);
	}
	sj_check_slice(__FILE__, line_number, "lines", sj_slice(got, len), sj_slice_of(want));
}
#define CHECK_WRAP(text, columns, want) check_wrap(__LINE__, text, columns, want)

SJ_TEST(wrap)
{
	CHECK_WRAP("the quick brown fox", 10, "the quick|brown fox");
	CHECK_WRAP("the quick brown fox", 9, "the quick|brown fox");
	CHECK_WRAP("the quick brown fox", 5, "the|quick|brown|fox");
	CHECK_WRAP("the   quick", 5, "the|quick"); /* blanks hang over the edge */
	CHECK_WRAP("abc  ", 3, "abc");
	CHECK_WRAP("abcdefgh", 3, "abc|def|gh");
	CHECK_WRAP("a abcdefgh", 4, "a|abcd|efgh");
	CHECK_WRAP("a\nb\n\nc", 9, "a|b||c");
	CHECK_WRAP("a \r\nb", 9, "a|b");
	CHECK_WRAP("  indented text", 8, "  indent|ed text");
	CHECK_WRAP("  in text", 5, "  in|text");
	CHECK_WRAP("日本語テキスト", 6, "日本語|テキス|ト");
	CHECK_WRAP("日本語", 3, "日|本|語");
	CHECK_WRAP("日本。語", 4, "日|本。|語");         /* no full stop at the start of a line */
	CHECK_WRAP("日本「語」", 6, "日本|「語」");       /* no opening bracket at the end of one */
	CHECK_WRAP("see 日本語 now", 8, "see 日本|語 now");
	CHECK_WRAP("ab\xC2\xA0" "cd ef", 6, "ab\xC2\xA0" "cd|ef"); /* no break at U+00A0 */
	CHECK_WRAP("ab\xE2\x80\x8B" "cd", 3, "ab\xE2\x80\x8B|cd");
	CHECK_WRAP("👩‍👩‍👧‍👦👍🏽🇩🇪", 4, "👩‍👩‍👧‍👦👍🏽|🇩🇪");
	CHECK_WRAP("ae\xCC\x81" "bc", 2, "ae\xCC\x81|bc");
	CHECK_WRAP("         abc", 4, "|abc");
	CHECK_WRAP("a\tb", 9, "a\tb");
	CHECK_WRAP("日", 2, "日");
}

SJ_TEST(direction)
{
	CHECK(sj_code_is_rtl(0x5D0));
	CHECK(sj_code_is_rtl(0x627));
	CHECK(!sj_code_is_rtl('a'));
	CHECK(!sj_code_is_rtl('1'));
	CHECK(!sj_code_is_rtl(0x661)); /* Arabic digits are AN */
	CHECK(sj_text_is_rtl(SJ_LIT("שלום hello")));
	CHECK(!sj_text_is_rtl(SJ_LIT("hello שלום")));
	CHECK(sj_text_is_rtl(SJ_LIT("123 مرحبا")));
	CHECK(!sj_text_is_rtl(SJ_LIT("123")));
	CHECK(!sj_text_is_rtl(SJ_NO_SLICE));
	CHECK(sj_text_is_rtl(SJ_LIT("\xE2\x80\x8F" "a")));                          /* right-to-left mark */
	CHECK(!sj_text_is_rtl(SJ_LIT("\xE2\x81\xA7" "שלום" "\xE2\x81\xA9" " a"))); /* an isolate does not decide */
	CHECK(sj_text_is_rtl(SJ_LIT("1\nשלום")));
}

SJ_TEST(bidi_as_in_the_database)
{
	struct sj_slice file = ucd_file("extracted/DerivedBidiClass.txt"), line, value;
	uint32_t first, last, count = 0;
	for (size_t at = 0; ucd_line(file, &at, &line);) {
		if (!ucd_range(line, &first, &last, &value))
			continue;
		bool want = sj_slice_is(value, "R") || sj_slice_is(value, "AL");
		for (uint32_t c = first; c <= last; c++) {
			count += want;
			if (sj_code_is_rtl(c) != want)
				sj_fail_at(__FILE__, __LINE__, "U+%04X", (unsigned)c);
		}
	}
	if (file.ptr != NULL)
		CHECK_INT(count, 2962);
}
