/* Regular expressions: what ECMA-262 says of small cases, the refusals by name, the limits. */
#include "harness/test.h"
#include "text/regex.h"

static enum sj_status try(const char *pattern, struct sj_slice subject, bool *found, struct sj_diag *diag)
{
	struct sj_regex *r = NULL;
	sj_diag_clear(diag);
	enum sj_status status = sj_regex_compile(sj_test_mem(), sj_slice_of(pattern), &SJ_LIMITS_DEFAULT, &r, diag);
	if (status != SJ_OK)
		return status;
	status = sj_regex_search(r, subject, found, diag);
	sj_regex_destroy(r);
	return status;
}

static bool unavailable(void)
{
	if (sj_regex_available())
		return false;
	sj_skip("built without PCRE2");
	return true;
}

struct sample {
	const char *pattern, *yes, *no; /* a text in which it is found, one in which it is not; NULL: none */
};

static void check_samples(const struct sample *list, size_t count)
{
	struct sj_diag diag;
	for (size_t i = 0; i < count; i++) {
		const char *texts[2] = {list[i].yes, list[i].no};
		for (int want = 1; want >= 0; want--) {
			const char *text = texts[want ? 0 : 1];
			bool found = !want;
			if (text == NULL)
				continue;
			enum sj_status status = try(list[i].pattern, sj_slice_of(text), &found, &diag);
			if (status != SJ_OK)
				sj_fail_at(__FILE__, __LINE__, "/%s/: %s", list[i].pattern, diag.message);
			else if (found != (want == 1))
				sj_fail_at(__FILE__, __LINE__, "/%s/ on \"%s\": found %d", list[i].pattern, text,
				           found);
		}
	}
}
#define CHECK_SAMPLES(list) check_samples(list, sizeof list / sizeof *list)

SJ_TEST(search_and_anchors)
{
	static const struct sample list[] = {
		{"", "", NULL},
		{"b", "abc", "ac"},
		{"^b", "bc", "abc"},
		{"c$", "abc", "abc\n"}, /* $ is the very end, never before a last line feed */
		{"^$", "", "\n"},
		{"^a.c$", "a\tc", "a\nc"},
		{"a.c", "aéc", "a\rc"},
		{"a.c", "a😀c", "a\xE2\x80\xA8" "c"}, /* U+2028 ends a line */
		{"a[^]c", "a\nc", "ac"},
		{"a[]?c", "ac", "abc"},
		{"a[]", NULL, "ab"},
		{"a|b|", "x", NULL},
		{"^(?:a|ab)(?:c|bcd)(?:d*)$", "abcd", "abce"},
		{"a{2}", "aa", "a"},
		{"^a{2,}$", "aaa", "a"},
		{"^a{1,2}$", "aa", "aaa"},
		{"^a{0}$", "", "a"},
		{"a{x", "a{x", "ax"}, /* Annex B: not a count */
		{"{}]", "{}]", "{]"},
		{"^a+?b", "aab", "b"},
		{"é{2}", "éé", "é"},
	};
	if (!unavailable())
		CHECK_SAMPLES(list);
}

SJ_TEST(escapes)
{
	static const struct sample list[] = {
		{"^\\d+$", "0123", "٣"}, /* ASCII digits only */
		{"^\\D$", "٣", "3"},
		{"^\\w+$", "aZ_9", "é"},
		{"^\\W$", "é", "e"},
		{"^\\s$", "\xC2\xA0", "a"},
		{"^\\s$", "\xEF\xBB\xBF", "\xC2\x85"}, /* U+FEFF is a space, U+0085 is none */
		{"^[\\s]{3}$", "\t\xE2\x80\xA9\xE3\x80\x80", "\t\xE2\x80\x8B "},
		{"^\\S$", "\xC2\x85", "\xE2\x80\x80"},
		{"^[\\Sx]+$", "\xC2\x85x", " "},
		{"^[^\\S]$", " ", "x"},
		{"\\bcat\\b", "a cat.", "cats"},
		{"^\\bé", NULL, "é"}, /* word boundaries go by ASCII */
		{"a\\Bb", "ab", "a b"},
		{"^\\t\\n\\v\\f\\r$", "\t\n\v\f\r", " "},
		{"^\\cJ\\cj$", "\n\n", "J"},
		{"^\\x41\\u0042\\u{43}\\u{1F600}$", "ABC😀", "abc"},
		{"^\\uD83D\\uDE00$", "😀", "x"},
		{"^[\\uD83D\\uDE00-\\u{1F602}]$", "😁", "😃"},
		{"\\$\\(\\)\\*\\+\\.\\/\\?\\[\\\\\\]\\^\\{\\|\\}", "$()*+./?[\\]^{|}", NULL},
		{"^\\-\\_\\@\\#\\'\\\"\\ $", "-_@#'\" ", NULL}, /* Annex B */
		{"^[\\b]$", "\b", "b"},
		{"^[\\-\\]\\\\^]+$", "-]\\^", "a"},
		{"^[a-c-]+$", "a-c", "d"},
		{"^[-a]+$", "a-", "b"},
		{"^[\\w-.]+$", "a.b-c", "a b"}, /* Annex B: a class ends no range */
		{"^[+--]+$", "+,-", "."},
		{"^[[a]+$", "[a", "b"},
		{"^[&&|~#]+$", "&|~#", "a"},
		{"^[a\\-z]+$", "a-z", "b"},
		{"#(?:)x", "#x", "x"},
	};
	if (!unavailable())
		CHECK_SAMPLES(list);
	bool found = false;
	struct sj_diag diag;
	if (sj_regex_available()) {
		CHECK_OK(try("^\\0$", sj_slice("\0", 1), &found, &diag));
		CHECK(found);
	}
}

SJ_TEST(properties)
{
	static const struct sample list[] = {
		{"^\\p{Lu}$", "É", "é"},
		{"^\\p{Uppercase_Letter}$", "É", "é"},
		{"^\\p{gc=Lu}\\p{General_Category=Decimal_Number}$", "A٣", "a3"},
		{"^\\P{L}+$", "12", "a"},
		{"^\\p{L}+$", "aλ字", "1"},
		{"^\\p{LC}\\p{Cased_Letter}$", "aB", "ab字"},
		{"^\\p{Letter}cole$", "École", "1cole"},
		{"^\\p{digit}+$", "4٢", "-"},
		{"^\\p{punct}$", "!", "+"},
		{"^[\\p{L}\\p{N}_-]+$", "é٣_-", " "},
		{"^[^\\p{L}]$", "1", "é"},
		{"^\\p{Script=Greek}\\p{sc=Grek}$", "λμ", "lm"},
		{"^\\p{Script_Extensions=Devanagari}$", "\xE0\xA5\xA4", "a"}, /* danda: Common, used by many */
		{"^\\p{sc=Devanagari}$", "क", "\xE0\xA5\xA4"},
		{"^\\p{scx=Deva}$", "क", "a"},
		{"^\\p{Alphabetic}\\p{Alpha}$", "aβ", "1a"},
		{"^\\p{Emoji_Presentation}$", "😀", "1"},
		{"^\\p{White_Space}\\p{space}$", "  ", "ab"},
		{"^\\p{Any}\\p{ASCII}$", "éa", "aé"},
		{"^\\p{Assigned}$", "a", "\xCD\xB8"}, /* U+0378 is unassigned */
		{"^\\P{Assigned}$", "\xCD\xB8", "a"},
		{"^\\p{ID_Start}\\p{XIDC}*$", "é1", "1é"},
	};
	if (!unavailable())
		CHECK_SAMPLES(list);
}

SJ_TEST(groups_and_lookaround)
{
	static const struct sample list[] = {
		{"^(?=.*\\d)(?=.*[a-z]).{4,}$", "abc1", "abcd"},
		{"^(?!.*admin)", "user", "an admin"},
		{"(?<=\\$)\\d+", "$5", "5"},
		{"(?<!\\$)\\b5", "5", "$5"},
		{"(?<=ab|c)d", "abd", "bd"},
		{"^(?<year>\\d{4})-(?<month>\\d\\d)$", "2026-08", "26-08"},
		{"^(?<ö$_>a)\\k<ö$_>$", "aa", "ab"},
		{"^(['\"]).*\\1$", "'a'", "'a\""},
		{"^\\1(a)$", "a", "aa"},          /* not set yet: matches the empty text */
		{"^(?:(a)|b)\\1$", "b", "ba"},    /* not set at all */
		{"^(a\\1)$", "a", "aa"},          /* inside itself */
		{"^(?:(a)\\1)+$", "aaaa", "aaa"},
		{"^(a|b)+\\1$", "abb", "aba"},
		{"^\\k<x>(?<x>a)$", "a", "aa"},
		{"^(?!(a))b\\1$", "b", "ba"},
		{"^(?:a|(a)(b)){0}\\2c$", "c", "bc"},
		{"^(a){0}(b)\\2$", "bb", "b"},
		{"^(?:(?:)*?x|y)+$", "xy", "z"},
		{"^(?:|a)+$", "aa", "ab"},
		{"^(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)\\10$", "abcdefghijj", "abcdefghija0"},
	};
	if (!unavailable())
		CHECK_SAMPLES(list);
}

SJ_TEST(refusals_say_what_and_where)
{
	static const struct {
		const char *pattern, *says;
		unsigned offset;
	} list[] = {
		{"a\\Z", "anchor \\A", 1},
		{"\\Aa", "anchor \\A", 0},
		{"a\\z", "anchor \\A", 1},
		{"a\\Kb", "\\K", 1},
		{"\\Qa\\E", "quoting", 0},
		{"\\C", "\\C", 0},
		{"\\R", "\\R", 0},
		{"a\\X", "\\X", 1},
		{"\\h", "\\h", 0},
		{"\\a", "control escape", 0},
		{"\\g1", "\\g reference", 0},
		{"\\U", "case conversion", 0},
		{"\\y", "unknown escape", 0},
		{"(?i)a", "inline flags", 0},
		{"a(?i:b)", "inline flags", 1},
		{"(?-s)a", "inline flags", 0},
		{"(?^)a", "inline flags", 0},
		{"a*+", "possessive", 2},
		{"a++", "possessive", 2},
		{"a?+", "possessive", 2},
		{"a{2}+", "possessive", 4},
		{"(?>a)", "atomic", 0},
		{"(?|a|b)", "branch reset", 0},
		{"(?#x)", "comment", 0},
		{"(?R)", "recursion", 0},
		{"(a(?1))", "recursion", 2},
		{"(a(?-1))", "recursion", 2},
		{"(?&x)", "recursion", 0},
		{"(?C)", "callout", 0},
		{"(?(1)a|b)", "conditional", 0},
		{"(*ACCEPT)", "verb", 0},
		{"(?P<n>a)", "(?<name>", 0},
		{"(?'n'a)", "(?<name>", 0},
		{"(?P=n)", "\\k<name>", 0},
		{"[[:alpha:]]", "POSIX class", 1},
		{"[a[:^digit:]]", "POSIX class", 2},
		{"[[.x.]]", "POSIX class", 1},
		{"(a)\\2", "not there", 3},
		{"\\1", "not there", 0},
		{"\\k<x>", "not there", 0},
		{"\\k", "\\k without", 0},
		{"(?<n>a)(?<n>b)", "duplicate group name", 7},
		{"(?<1>a)", "malformed group name", 0},
		{"(?<a", "malformed group name", 0},
		{"(?<>a)", "malformed group name", 0},
		{"\\01", "octal", 0},
		{"[\\1]", "octal", 1},
		{"\\x4", "malformed \\x", 0},
		{"\\u00g0", "malformed \\u", 0},
		{"\\u{110000}", "above U+10FFFF", 0},
		{"\\u{}", "malformed \\u", 0},
		{"a\\uD800", "lone surrogate", 1},
		{"\\c1", "\\c without", 0},
		{"\\p", "\\p without", 0},
		{"\\p{Foo}", "unknown Unicode property", 0},
		{"\\p{lu}", "unknown Unicode property", 0},
		{"\\p{Greek}", "unknown Unicode property", 0},
		{"\\p{Script=greek}", "unknown Unicode property", 0},
		{"x\\p{Script=Nonsense}", "unknown Unicode property", 1},
		{"\\p{L", "\\p without", 0},
		{"(a", "group without )", 0},
		{"a)", "unmatched )", 1},
		{"[a", "class without ]", 0},
		{"^(abc]", "group without )", 1},
		{"[z-a]", "out of order", 1},
		{"a{2,1}", "out of order", 1},
		{"a{,2}", "incomplete count", 1},
		{"a{2", "incomplete count", 1},
		{"*a", "nothing to repeat", 0},
		{"a**", "nothing to repeat", 1},
		{"(?:+)", "nothing to repeat", 3},
		{"{1}", "nothing to repeat", 0},
		{"^*", "assertion", 1},
		{"\\b+", "assertion", 2},
		{"(?=a)*", "assertion", 5},
		{"a\\", "ends with \\", 1},
		{"(?<=a*)b", "variable length", 0},
		{"x(?<=a|(?:b|cd))b", "variable length", 1},
		{"(a)(?<=\\1)b", "inside a lookbehind", 7},
		{"(?:(a)|b)*\\1", "may leave out", 10},
		{"(?:(a)|b\\1)+", "may leave out", 8},
		{"(a*)*\\1", "may leave out", 5},
		{"a\xFF", "ill-formed UTF-8", 1},
	};
	struct sj_diag diag;
	if (unavailable())
		return;
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		bool found;
		enum sj_status status = try(list[i].pattern, SJ_LIT("a"), &found, &diag);
		if (status != SJ_INVALID || diag.code != SJ_E_REGEX || diag.offset != list[i].offset ||
		    strstr(diag.message, list[i].says) == NULL)
			sj_fail_at(__FILE__, __LINE__, "/%s/: status %d, code %d, at %u: %s", list[i].pattern,
			           (int)status, (int)diag.code, (unsigned)diag.offset, diag.message);
	}
}

SJ_TEST(as_node_says)
{
	struct sj_slice all = sj_slurp(sj_root("tests/text/data/regex_cases.txt"));
	struct sj_diag diag;
	unsigned cases = 0, refused = 0;
	if (unavailable())
		return;
	for (size_t at = 0; at < all.len;) {
		const char *line = all.ptr + at, *end = memchr(line, '\n', all.len - at);
		at = (size_t)(end - all.ptr) + 1;
		if (*line == '#')
			continue;
		const char *tab = memchr(line, '\t', (size_t)(end - line)),
			   *tab2 = memchr(tab + 1, '\t', (size_t)(end - tab - 1));
		char pattern[1000];
		CHECK((size_t)(tab - line) < sizeof pattern);
		memcpy(pattern, line, (size_t)(tab - line));
		pattern[tab - line] = '\0';
		bool want = tab2[1] == '1', found = !want;
		enum sj_status status = try(pattern, sj_slice(tab + 1, (size_t)(tab2 - tab - 1)), &found, &diag);
		cases++;
		/* The one kind of valid pattern we refuse in this corpus. */
		if (status == SJ_INVALID && strstr(diag.message, "may leave out") != NULL)
			refused++;
		else if (status != SJ_OK || found != want)
			sj_fail_at(__FILE__, __LINE__, "/%s/ on \"%.*s\": status %d, found %d", pattern,
			           (int)(tab2 - tab - 1), tab + 1, (int)status, found);
	}
	CHECK_INT(cases, 800);
	CHECK_INT(refused, 18);
}

static struct sj_slice repeated(char c, size_t count, char last)
{
	static char text[100001];
	memset(text, c, count);
	text[count] = last;
	return sj_slice(text, count + (last != '\0'));
}

SJ_TEST(catastrophic_patterns_stop)
{
	static const struct {
		const char *pattern;
		size_t count;
	} list[] = {
		{"(a+)+$", 40},          {"(a+)+$", 99999},      {"(a|aa)+$", 60},          {"(?:a*)*[bc]", 30},
		{"a*[bc]", 100000},      {"(.*)\\1[bc]", 90000}, {"(?=.*[bc])", 100000},    {"(a|a)*(a|a)*[bc]", 200},
		{"[ab]{30000}[cd]", 90000}, {"^(((((a*)*)*)*)*)*[bc]", 40},
	};
	struct sj_diag diag;
	if (unavailable())
		return;
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		bool found = true;
		char last = list[i].count < 100000 ? '!' : '\0';
		sj_case("%s on %zu characters", list[i].pattern, list[i].count);
		CHECK_INT(try(list[i].pattern, repeated('a', list[i].count, last), &found, &diag), SJ_LIMIT);
		CHECK_INT(diag.code, SJ_E_LIMIT);
		CHECK(strstr(diag.message, "steps") != NULL);
		CHECK(found); /* not written */
		sj_case_end();
	}
}

SJ_TEST(ordinary_patterns_do_not)
{
	static const struct sample list[] = {
		{"^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}$", "user.name@example.com", "user@example.c"},
		{"^\\+?[0-9\\-\\s()]{7,}$", "+49 (30) 123-456", "12345"},
		{"^(?:[01]\\d|2[0-3]):[0-5]\\d$", "23:59", "24:00"},
		{"^#[0-9a-fA-F]{6}$", "#a1B2c3", "#a1b2c"},
		{"^https?://[^\\s/$.?#].[^\\s]*$", "https://example.com/a", "ftp://example.com"},
		{"^[A-Z][a-z]+(?: [A-Z][a-z]+)*$", "Ada Lovelace", "ada"},
	};
	if (unavailable())
		return;
	CHECK_SAMPLES(list);
	static const char *const linear[] = {"^[^x]*$", "\\d|x", "(?:ab|ba)+c", "^\\w+$", "a*b"};
	for (size_t i = 0; i < sizeof linear / sizeof *linear; i++) {
		struct sj_diag diag;
		bool found, want = linear[i][0] == '^';
		CHECK_OK(try(linear[i], repeated('a', 100000, '\0'), &found, &diag));
		CHECK_INT(found, want);
	}
}

SJ_TEST(limits)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	struct sj_regex *r = NULL;
	struct sj_diag diag = {0};
	bool found;
	if (unavailable())
		return;

	l.regex_pattern = 3;
	CHECK_INT(sj_regex_compile(sj_test_mem(), SJ_LIT("abcd"), &l, &r, &diag), SJ_LIMIT);
	CHECK_INT(diag.code, SJ_E_LIMIT);
	CHECK(r == NULL);
	sj_diag_clear(&diag);
	l.regex_subject = 2;
	CHECK_OK(sj_regex_compile(sj_test_mem(), SJ_LIT("abc"), &l, &r, &diag));
	CHECK_INT(sj_regex_search(r, SJ_LIT("abc"), &found, &diag), SJ_LIMIT);
	sj_diag_clear(&diag);
	CHECK_OK(sj_regex_search(r, SJ_LIT("ab"), &found, &diag));
	CHECK(!found);
	sj_regex_destroy(r);

	CHECK_INT(try("a{65536}", SJ_LIT("a"), &found, &diag), SJ_LIMIT);
	CHECK_INT(try("(?:(?:(?:a?){99}){99}){99}", SJ_LIT("a"), &found, &diag), SJ_LIMIT);
	char deep[1000];
	memset(deep, '(', 101);
	memset(deep + 101, ')', 101);
	deep[202] = '\0';
	CHECK_INT(try(deep, SJ_LIT("a"), &found, &diag), SJ_LIMIT);
	CHECK_INT(diag.offset, 100);
	memmove(deep, deep + 1, 200);
	deep[200] = '\0';
	CHECK_OK(try(deep, SJ_LIT("a"), &found, &diag));
	CHECK(found);
}

SJ_TEST(ill_formed_subject_reads_as_replacement)
{
	struct sj_diag diag;
	bool found = false;
	if (unavailable())
		return;
	CHECK_OK(try("^a\\uFFFDb$", SJ_LIT("a\xFF" "b"), &found, &diag));
	CHECK(found);
	CHECK_OK(try("^\\uFFFD$", SJ_LIT("\xED\xA0\x80"), &found, &diag)); /* a lone surrogate in WTF-8 */
	CHECK(found);
}

static enum sj_status compile_and_search(struct sj_mem *mem, void *ctx)
{
	const char *const *texts = ctx;
	struct sj_regex *r = NULL;
	struct sj_diag diag = {0};
	bool found = false;
	enum sj_status status = sj_regex_compile(mem, sj_slice_of(texts[0]), &SJ_LIMITS_DEFAULT, &r, &diag);
	if (status == SJ_OK)
		status = sj_regex_search(r, sj_slice_of(texts[1]), &found, &diag);
	if (status == SJ_OK)
		CHECK(found);
	sj_regex_destroy(r);
	return status;
}

SJ_TEST(torture)
{
	const char *plain[] = {"^(?<a>[\\w-]+)@(?:\\k<a>|[^\\S]{40}|\\p{L}+?){1,3}$", "x@xyz"};
	const char *much[] = {"^(?:(a)|b)*$", ""};
	const char *mended[] = {"a.b", "a\xFF" "b"};
	char text[5001];
	if (unavailable())
		return;
	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	much[1] = text; /* frames grow on the heap */
	sj_torture(compile_and_search, plain);
	sj_torture(compile_and_search, much);
	sj_torture(compile_and_search, mended);
}
