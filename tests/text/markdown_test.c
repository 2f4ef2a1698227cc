/* Markdown: each case as its blocks, one a line, and spans with their marks. */
#include "text/markdown.h"

#include <stdio.h>

#include "base/buf.h"
#include "harness/test.h"

/* "heading1: a" / "item2.3: a" (depth, number) / "[bold|text](href)"; a line break is "/". */
static void describe(const struct sj_md *md, struct sj_buf *out)
{
	static const char *const names[] = {"paragraph", "heading", "item", "code", "quote", "rule"};
	for (uint32_t i = 0; i < md->npara; i++) {
		const struct sj_md_para *p = &md->paras[i];
		sj_buf_printf(out, "%s%s", i > 0 ? "\n" : "", names[p->block]);
		if (p->level > 0)
			sj_buf_printf(out, "%u", p->level);
		if (p->number > 0)
			sj_buf_printf(out, ".%u", (unsigned)p->number);
		sj_buf_puts(out, p->count > 0 ? ": " : "");
		for (uint32_t s = p->first; s < p->first + p->count; s++) {
			const struct sj_md_span *span = &md->spans[s];
			if (sj_slice_is(span->text, "\n")) {
				sj_buf_putc(out, '/');
				continue;
			}
			if (span->flags == 0) {
				sj_buf_slice(out, span->text);
				continue;
			}
			sj_buf_printf(out, "[%s%s%s%s%s|%.*s]", span->flags & SJ_MD_BOLD ? "b" : "",
			              span->flags & SJ_MD_ITALIC ? "i" : "", span->flags & SJ_MD_CODE_SPAN ? "c" : "",
			              span->flags & SJ_MD_STRIKE ? "s" : "", span->flags & SJ_MD_LINK ? "l" : "",
			              SJ_ARG(span->text));
			if (span->flags & SJ_MD_LINK)
				sj_buf_printf(out, "(%.*s)", SJ_ARG(span->href));
		}
	}
}

static bool have_md4c(void)
{
#ifdef SJ_HAVE_MD4C
	return true;
#else
	sj_skip("built without md4c");
	return false;
#endif
}

static void check(int line, const char *text, const char *want)
{
	struct sj_arena arena;
	struct sj_buf got;
	struct sj_md md;
	sj_arena_init(&arena, sj_test_mem(), 0);
	sj_buf_init(&got, sj_test_mem(), 0);
	if (sj_md_parse(&arena, sj_slice_of(text), &md) != SJ_OK)
		sj_fail_at(__FILE__, line, "not parsed");
	describe(&md, &got);
	sj_check_slice(__FILE__, line, text, sj_buf_view(&got), sj_slice_of(want));
	sj_buf_finish(&got);
	sj_arena_finish(&arena);
}
#define CHECK_MD(text, want) check(__LINE__, text, want)

SJ_TEST(blocks)
{
	if (!have_md4c())
		return;
	CHECK_MD("a", "paragraph: a");
	CHECK_MD("a\nb\n\nc", "paragraph: a b\nparagraph: c");
	CHECK_MD("# One\n## Two ##\n###### Six\n####### no", "heading1: One\nheading2: Two\nheading6: Six\nparagraph: ####### no");
	CHECK_MD("One\n===\nTwo\n---", "heading1: One\nheading2: Two");
	CHECK_MD("a\n\n---\n\nb", "paragraph: a\nrule\nparagraph: b");
	CHECK_MD("```c\nint a;\n\n  b\n```", "code: int a;//  b");
	CHECK_MD("```\n```", "code");
	CHECK_MD("    indented\n    code", "code: indented/code");
	CHECK_MD("```\n**not bold** <b>\n```", "code: **not bold** <b>");
	CHECK_MD("> a\n> b\n\nc", "quote1: a b\nparagraph: c");
	CHECK_MD("> a\n>> b", "quote1: a\nquote2: b");
	CHECK_MD("> # h\n> - x", "heading1: h\nitem1: x");
	CHECK_MD("#", "heading1");
}

SJ_TEST(lists)
{
	if (!have_md4c())
		return;
	CHECK_MD("- a\n- b", "item1: a\nitem1: b");
	CHECK_MD("1. a\n2. b\n7. c", "item1.1: a\nitem1.2: b\nitem1.3: c");
	CHECK_MD("3) a\n4) b", "item1.3: a\nitem1.4: b");
	CHECK_MD("0. a\n1. b", "item1.1: a\nitem1.2: b");
	CHECK_MD("- a\n  - b\n    1. c\n- d", "item1: a\nitem2: b\nitem3.1: c\nitem1: d");
	CHECK_MD("- a\n\n  more\n\n- b", "item1: a\nparagraph1: more\nitem1: b");
	CHECK_MD("- a\n  ```\n  x\n  ```\n  b", "item1: a\ncode1: x\nparagraph1: b");
	CHECK_MD("-\n- b", "item1\nitem1: b");
	CHECK_MD("- # h", "item1\nheading1: h");
	CHECK_MD("- - a", "item1\nitem2: a");
	CHECK_MD("- > q", "item1\nquote1: q");
	CHECK_MD("* a\n+ b", "item1: a\nitem1: b");
	CHECK_MD("- a\n\nb\n\n- c", "item1: a\nparagraph: b\nitem1: c");
}

SJ_TEST(spans)
{
	if (!have_md4c())
		return;
	CHECK_MD("*a* **b** _c_ __d__", "paragraph: [i|a] [b|b] [i|c] [b|d]");
	CHECK_MD("***a***", "paragraph: [bi|a]");
	CHECK_MD("**a *b* c**", "paragraph: [b|a ][bi|b][b| c]");
	CHECK_MD("~~gone~~", "paragraph: [s|gone]");
	CHECK_MD("`x *y*` `` a`b ``", "paragraph: [c|x *y*] [c|a`b]");
	CHECK_MD("snake_case_name 2*3*4", "paragraph: snake_case_name 2[i|3]4");
	CHECK_MD("a  \nb\\\nc", "paragraph: a/b/c");
	CHECK_MD("\\*no\\* \\# \\a", "paragraph: *no* # \\a");
	CHECK_MD("&amp; &lt;b&gt; &copy; &#65; &#x1F600; &nosuch; &", "paragraph: & <b> © A 😀 &nosuch; &");
	CHECK_MD("&#0;&#xD800;&#x110000;", "paragraph: \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
	CHECK_MD("**open", "paragraph: **open");
	CHECK_MD("日本**語**です", "paragraph: 日本[b|語]です");
}

SJ_TEST(links_are_inert)
{
	if (!have_md4c())
		return;
	CHECK_MD("[a](https://x.example/p?q=1)", "paragraph: [l|a](https://x.example/p?q=1)");
	CHECK_MD("[**a** b](u \"title\")", "paragraph: [bl|a](u)[l| b](u)");
	CHECK_MD("[a](<u v>) [b](c&amp;d)", "paragraph: [l|a](u v) [l|b](c&d)");
	CHECK_MD("[a][r] [r]\n\n[r]: /u", "paragraph: [l|a](/u) [l|r](/u)");
	CHECK_MD("[a](javascript:alert(1))", "paragraph: [l|a](javascript:alert(1))"); /* the gate is the caller's */
	CHECK_MD("<https://x.example>", "paragraph: [l|https://x.example](https://x.example)");
	CHECK_MD("https://x.example www.x.example a@b.example",
	         "paragraph: https://x.example www.x.example a@b.example");
	CHECK_MD("![a *picture*](http://t.example/p.png)", "paragraph: a [i|picture]");
	CHECK_MD("[a]()[b]()", "paragraph: [l|a]()[l|b]()");
}

/* md4c 0.4.8 reads the byte behind the text when it looks for the end of a link. */
SJ_TEST(text_ends_where_it_ends)
{
	static const char *const list[] = {"[a](b)", "[a](b \"c\")", "[a]()", "[a](<b>)", "[a]: b\n\n[a]"};
	struct sj_arena arena;
	struct sj_md md;
	if (!have_md4c())
		return;
	sj_arena_init(&arena, sj_test_mem(), 0);
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		CHECK_OK(sj_md_parse(&arena, sj_slice(list[i], strlen(list[i]) - 1), &md));
		for (uint32_t s = 0; s < md.nspan; s++)
			CHECK_INT(md.spans[s].flags & SJ_MD_LINK, 0);
	}
	sj_arena_finish(&arena);
}

SJ_TEST(html_is_text)
{
	if (!have_md4c())
		return;
	CHECK_MD("<b>x</b>", "paragraph: <b>x</b>");
	CHECK_MD("<script>alert(1)</script>", "paragraph: <script>alert(1)</script>");
	CHECK_MD("a <!-- b --> c", "paragraph: a <!-- b --> c");
	CHECK_MD("<div>\n*a*\n</div>", "paragraph: <div> [i|a] </div>");
	CHECK_MD("| a | b |\n|---|---|\n| 1 | 2 |", "paragraph: | a | b | |---|---| | 1 | 2 |"); /* no tables */
}

SJ_TEST(plain_fallbacks)
{
	static char text[70000];
	struct sj_arena arena;
	struct sj_md md;
	CHECK_MD("", "paragraph");
	sj_arena_init(&arena, sj_test_mem(), 0);

	memset(text, 'a', sizeof text);
	memcpy(text, "**b**\nc", 7);
	CHECK_OK(sj_md_parse(&arena, sj_slice(text, 65537), &md)); /* too long */
	CHECK_INT(md.npara, 1);
	CHECK_INT(md.nspan, 3);
	CHECK_STR(md.spans[0].text, "**b**");
	CHECK_STR(md.spans[1].text, "\n");
	CHECK_INT(md.spans[2].text.len, 65537 - 6);
	if (have_md4c()) {
		CHECK_OK(sj_md_parse(&arena, sj_slice(text, 65536), &md));
		CHECK_INT(md.nspan, 2);
		CHECK_INT(md.spans[0].flags, SJ_MD_BOLD);

		/* Sixteen levels are taken, the seventeenth is not; by marks in one line and by indentation. */
		size_t n = 0;
		for (int i = 0; i < 16; i++)
			n += (size_t)snprintf(text + n, sizeof text - n, "> ");
		n += (size_t)snprintf(text + n, sizeof text - n, "x");
		CHECK_OK(sj_md_parse(&arena, sj_slice(text, n), &md));
		CHECK_INT(md.paras[0].block, SJ_MD_QUOTE);
		CHECK_INT(md.paras[0].level, 16);
		memmove(text + 2, text, n);
		CHECK_OK(sj_md_parse(&arena, sj_slice(text, n + 2), &md));
		CHECK_INT(md.paras[0].block, SJ_MD_PARAGRAPH);
		CHECK_INT(md.spans[0].text.len, n + 2);
		n = 0;
		for (int i = 0; i < 17; i++)
			n += (size_t)snprintf(text + n, sizeof text - n, "%*s- x\n", 2 * i, "");
		CHECK_OK(sj_md_parse(&arena, sj_slice(text, n), &md));
		CHECK_INT(md.npara, 1);
		CHECK_INT(md.nspan, 34);
		CHECK_OK(sj_md_parse(&arena, sj_slice(text, n - 36), &md));
		CHECK_INT(md.npara, 16);
		CHECK_MD("- - - - - - - - - - - - - - - - - - - - -", "rule");
	}
	sj_arena_finish(&arena);
}

/* Inputs that have cost parsers their square. Work is counted in bytes taken from the arena: linear for each. */
SJ_TEST(pathological_inputs)
{
	static const char *const units[] = {
		"*a_ ",     "[",     "![[]()",  "`",          "``a`",         "<",     "&",
		"> ",       "- ",    "* ",      "1. ",        "a\n",          "# \n",  "a**b",
		"**a *a ",  "[a](b", "[a][b]",  "[a]: b\n",   "\\",           "~~a~ ", "- a\n",
		"> a\n\n",  "***",   "<a@b.c>", "<http://a>", "http://a.b/(", "[](",   "]",
		"|a|\n",    "&#9;",  "\t",      "    a\n",    "```\n",        "~~~\n", "_",
		"[a]\n",    "[[a](", "> - ",    "[a]:<",      "*_*_",         "\n",    "\r",
		"x\n===\n", "a  \n",
	};
	static char text[65536];
	for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
		size_t unit = strlen(units[u]), n = 0;
		while (n + unit <= sizeof text) {
			memcpy(text + n, units[u], unit);
			n += unit;
		}
		struct sj_mem mem;
		struct sj_arena arena;
		struct sj_md md = {0};
		sj_mem_init(&mem, NULL, 0);
		sj_arena_init(&arena, &mem, 0);
		CHECK_OK(sj_md_parse(&arena, sj_slice(text, n), &md));
		uint32_t spans = 0;
		for (uint32_t p = 0; p < md.npara; p++) {
			if (md.paras[p].first != spans)
				sj_fail_at(__FILE__, __LINE__, "%s: spans of paragraph %u", units[u], (unsigned)p);
			spans += md.paras[p].count;
		}
		CHECK_INT(spans, md.nspan);
		CHECK(mem.peak_bytes < 16u << 20);
		sj_arena_finish(&arena);
		CHECK_INT(mem.used_bytes, 0);
	}
}

SJ_TEST(one_definition_used_often)
{
	static char text[65000];
	struct sj_mem mem;
	struct sj_arena arena;
	struct sj_md md;
	size_t n = 0;
	if (!have_md4c())
		return;
	n += (size_t)snprintf(text, sizeof text, "[a]: ");
	memset(text + n, 'x', 30000);
	n += 30000;
	n += (size_t)snprintf(text + n, sizeof text - n, "\n\n");
	while (n + 4 < sizeof text)
		n += (size_t)snprintf(text + n, sizeof text - n, "[a] ");
	sj_mem_init(&mem, NULL, 0);
	sj_arena_init(&arena, &mem, 0);
	CHECK_OK(sj_md_parse(&arena, sj_slice(text, n), &md));
	CHECK_INT(md.npara, 1); /* shown as it was written */
	CHECK_INT(md.nspan, 4);
	CHECK(mem.peak_bytes < 2u << 20);
	sj_arena_finish(&arena);
}

static void check_plain(int line, const char *text, const char *want)
{
	struct sj_arena arena;
	struct sj_slice got = SJ_NO_SLICE;
	sj_arena_init(&arena, sj_test_mem(), 0);
	if (sj_md_plain(&arena, sj_slice_of(text), &got) != SJ_OK)
		sj_fail_at(__FILE__, line, "not parsed");
	sj_check_slice(__FILE__, line, text, got, sj_slice_of(want));
	sj_arena_finish(&arena);
}

SJ_TEST(plain_text)
{
	check_plain(__LINE__, "Save", "Save");
	check_plain(__LINE__, "", "");
	if (!have_md4c())
		return;
	check_plain(__LINE__, "# Hello **world**", "Hello world");
	check_plain(__LINE__, "a\n\n- b\n- [c](u)\n\n---\n\n`d`", "a\nb\nc\nd");
	check_plain(__LINE__, "a  \nb", "a\nb");
	check_plain(__LINE__, "---", "");
}

static enum sj_status parse(struct sj_mem *mem, void *ctx)
{
	struct sj_arena arena;
	struct sj_md md;
	struct sj_slice text;
	sj_arena_init(&arena, mem, 0);
	enum sj_status status = sj_md_parse(&arena, sj_slice_of(ctx), &md);
	if (status == SJ_OK)
		status = sj_md_plain(&arena, sj_slice_of(ctx), &text);
	sj_arena_finish(&arena);
	return status;
}

SJ_TEST(torture)
{
	char text[] = "# a\n\n1. *b* [c](d&amp;e) `f`\n   - g  \n     h\n\n> i\n\n```\nj\nk\n```\n[l](m) [n](o) [p](q) [r](s) [t](u)";
	char deep[] = "- - - - - - - - - - - - - - - - - x\ny";
	sj_torture(parse, text);
	sj_torture(parse, deep);
}
