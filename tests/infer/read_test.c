/* A whole response as a person wants to see it: what is good before a fault, and messages outside of any tags. */
#include <stdio.h>

#include "harness/test.h"
#include "infer/infer.h"
#include "json/value.h"

#define DEL(id) "{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"" id "\"}}"
#define OPEN "<a2ui-json>"
#define SHUT "</a2ui-json>"

struct shot {
	enum sj_format_id format;
	const char *text;
	uint32_t cap;
	struct sj_buf *out; /* parts, repairs and the fault, one a line; NULL: not wanted */
};

static enum sj_status read_in(struct sj_mem *mem, void *ctx)
{
	const struct shot *s = ctx;
	struct sj_catalog *c = NULL;
	struct sj_format *f = NULL;
	struct sj_parts parts = {0};
	struct sj_repairs repairs = {.cap = s->cap};
	struct sj_diag d = {0};
	enum sj_status st = sj_catalog_basic(mem, SJ_V10, NULL, NULL, &c);
	struct sj_format_options opt = {
		.id = s->format, .catalogs = (const struct sj_catalog *const *)&c, .ncatalogs = 1};
	if (st == SJ_OK)
		st = sj_format_create(mem, &opt, &f, NULL);
	if (st == SJ_OK)
		st = sj_format_read(f, sj_slice_of(s->text), &parts, &repairs, &d);
	for (uint32_t i = 0; s->out && i < parts.list.count; i++) {
		const struct sj_part *p = &parts.list.items[i];
		if (p->text)
			sj_buf_printf(s->out, "T %s\n", p->text);
		if (p->kind == SJ_PART_MESSAGES) {
			sj_buf_puts(s->out, "M ");
			sj_value_print(s->out, &p->messages, SJ_PRINT_COMPACT);
			sj_buf_putc(s->out, '\n');
		}
	}
	for (uint32_t i = 0; s->out && i < repairs.list.count; i++)
		sj_buf_printf(s->out, "R %s %u:%llu\n", sj_repair_name(repairs.list.items[i].kind),
		              repairs.list.items[i].line, (unsigned long long)repairs.list.items[i].offset);
	if (s->out && (st == SJ_INVALID || st == SJ_LIMIT))
		sj_buf_printf(s->out, "F %s %u %u:%llu %s\n", sj_code_name(d.code), d.message_number, d.line,
		              (unsigned long long)d.offset, d.message);
	sj_parts_finish(mem, &parts);
	SJ_VEC_FREE(mem, &repairs.list);
	sj_format_destroy(f);
	sj_catalog_destroy(c);
	return st;
}

struct row {
	const char *text, *want;
};

static void expect(enum sj_format_id format, uint32_t cap, const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct sj_buf out;
		sj_buf_init(&out, sj_test_mem(), 0);
		sj_case("%.90s", rows[i].text);
		(void)read_in(sj_test_mem(), &(struct shot){format, rows[i].text, cap, &out});
		CHECK_STR(sj_buf_view(&out), rows[i].want);
		sj_case_end();
		sj_buf_finish(&out);
	}
}
#define EXPECT(format, cap, rows) expect((format), (cap), (rows), sizeof(rows) / sizeof *(rows))

/* Every part and every message that is whole, and where the fault is: message by message over all blocks. */
SJ_TEST(what_is_good_before_a_fault)
{
	static const struct row rows[] = {
		{"Hi " OPEN "[" DEL("a") "," DEL("b") ",{\"version\":\"v1.0\",\"del",
	         "T Hi\nM [" DEL("a") "," DEL("b") "]\nF JSON_SYNTAX 3 1:143 the payload ends inside a string\n"},
		{"Hi\n" OPEN "[" DEL("a") "]" SHUT "\nand\n" OPEN "[" DEL("b") ",{\"version\":\"v1.0\",\"del",
	         "T Hi\nM [" DEL("a") "]\nT and\nM [" DEL("b") "]\nF JSON_SYNTAX 3 4:172 the payload ends inside a string\n"},
		{OPEN "[" DEL("a") ",{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":7}}]" SHUT " bye",
	         "M [" DEL("a") "]\nF VALIDATION_FAILED 2 1:112 surfaceId must be a string\n"},
	};
	EXPECT(SJ_FORMAT_DIRECT_JSON, SJ_REPAIRS_DEFAULT_CAP, rows);
}

SJ_TEST(messages_outside_of_tags)
{
	static const struct row rows[] = {
		{"Here:\n```json\n[" DEL("a") "]\n```\nBye", "T Here:\nM [" DEL("a") "]\nT Bye\nR lifted 3:14\n"},
		{"  ~~~\n[" DEL("a") "]\n  ~~~", "M [" DEL("a") "]\nR lifted 2:6\n"},
		{"[" DEL("a") "]", "M [" DEL("a") "]\nR lifted 1:0\n"},
		{"Sure: " DEL("a") "\n" DEL("b") "\nDone.",
	         "T Sure:\nM [" DEL("a") "," DEL("b") "]\nT Done.\nR lifted 1:6\nR not_a_list 1:6\n"},
		{"{\"messages\":[" DEL("a") "]}", "M [" DEL("a") "]\nR lifted 1:0\nR not_a_list 1:0\n"},
		{"One\n```\n[" DEL("a") "]\n```\ntwo\n```\n[" DEL("b") "]\n```",
	         "T One\nM [" DEL("a") "]\nT two\nM [" DEL("b") "]\nR lifted 3:8\nR lifted 7:75\n"},
		/* mended as between tags, and cut off as there */
		{"```\n{version: 'v1.0', deleteSurface: {surfaceId: 'a'}}\n```",
	         "M [" DEL("a") "]\nR lifted 2:4\nR not_a_list 2:4\nR literal 2:12\nR quotes 2:14\nR literal 2:35\n"
	                        "R literal 2:47\nR quotes 2:49\n"},
		{"Look:\n[" DEL("a") ",{\"version\":\"v1.0\",\"upd",
	         "T Look:\nM [" DEL("a") "]\nR lifted 2:6\nF JSON_SYNTAX 2 2:82 the payload ends inside a string\n"},
		{"Look:\n[{\"version\":\"v1.0\",\"deleteSurface\":{}}]",
	         "T Look:\nR lifted 2:6\nF VALIDATION_FAILED 1 2:41 'surfaceId' is a required property\n"},
		/* other JSON, and words, stay words */
		{"```json\n{\"name\":\"x\",\"version\":\"1.0.2\"}\n```",
	         "T ```json\n{\"name\":\"x\",\"version\":\"1.0.2\"}\n```\n"},
		{"Send deleteSurface: it removes [one] {thing}.", "T Send deleteSurface: it removes [one] {thing}.\n"},
		{"{\"say\":\"deleteSurface: now\"}", "T {\"say\":\"deleteSurface: now\"}\n"},
		{"[[[[[[ {{{", "T [[[[[[ {{{\n"},
		{"", ""},
		/* who uses tags for some means words by the rest */
		{OPEN "[" DEL("a") "]" SHUT "\n```\n[" DEL("b") "]\n```",
	         "M [" DEL("a") "]\nT ```\n[" DEL("b") "]\n```\n"},
	};
	static const struct row strict[] = {
		{"```\n[" DEL("a") "]\n```", "T ```\n[" DEL("a") "]\n```\n"},
	};
	EXPECT(SJ_FORMAT_DIRECT_JSON, SJ_REPAIRS_DEFAULT_CAP, rows);
	EXPECT(SJ_FORMAT_DIRECT_JSON, 0, strict);
}

/* Another notation has no keys that tell: the fence must name it. */
SJ_TEST(fences_of_other_notations)
{
	static const struct row rows[] = {
		{"Look:\n```express\nroot = Text('a')\n```",
	         "T Look:\nM [{\"createSurface\":{\"surfaceId\":\"default_surface\",\"catalogId\":\"https://a2ui.org/specification/"
	         "v1_0/catalogs/basic/catalog.json\",\"components\":[{\"id\":\"root\",\"component\":\"Text\",\"text\":\"a\"}]},\"version\":\"v1.0\"}]\n"
	         "R lifted 3:17\nR quotes 3:29\n"},
		{"```python\nroot = Text('a')\n```", "T ```python\nroot = Text('a')\n```\n"},
	};
	EXPECT(SJ_FORMAT_EXPRESS, SJ_REPAIRS_DEFAULT_CAP, rows);
}

static enum sj_status read_whatever(struct sj_mem *mem, void *ctx)
{
	enum sj_status st = read_in(mem, ctx);
	return st == SJ_INVALID ? SJ_OK : st; /* the fault of the input */
}

SJ_TEST(torture)
{
	sj_torture(read_whatever, &(struct shot){SJ_FORMAT_DIRECT_JSON, "Hi\n```\n[" DEL("a") ",{\"version", 64, NULL});
	sj_torture(read_whatever,
	           &(struct shot){SJ_FORMAT_DIRECT_JSON, "Hi " OPEN "[" DEL("a") "," DEL("b") ",{\"ver", 64, NULL});
}
