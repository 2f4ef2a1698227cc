/* Vertical from anyone: the input is a block, the first byte says in what pieces it arrives. What comes out is the same
 * as for the whole, every message is one the catalog accepts, what can be written back means the same, and a fault has
 * a place in the block. */
#include <stdlib.h>

#include "base/limits.h"
#include "infer/infer.h"

#define MUST(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All messages of the parts, in one array. */
static struct sj_value gather(struct sj_mem *mem, const struct sj_parts *parts)
{
	struct sj_value all;
	MUST(sj_value_array(mem, &all) == SJ_OK);
	for (uint32_t i = 0; i < parts->list.count; i++) {
		const struct sj_part *p = &parts->list.items[i];
		for (uint32_t k = 0; p->kind == SJ_PART_MESSAGES && k < sj_value_count(&p->messages); k++)
			MUST(sj_value_append(mem, &all, sj_value_ref(*sj_value_item(&p->messages, k))) == SJ_OK);
	}
	return all;
}

static enum sj_status in_pieces(struct sj_mem *mem, const struct sj_format *f, struct sj_slice text, size_t piece,
                                struct sj_value *messages)
{
	static const struct sj_parser_options opt = {.unwrapped = true, .repair_cap = SJ_REPAIRS_DEFAULT_CAP};
	struct sj_parts parts = {0};
	struct sj_parser *p;
	enum sj_status st = SJ_OK;
	MUST(sj_parser_create(f, &opt, &p) == SJ_OK);
	for (size_t at = 0; at < text.len && st == SJ_OK; at += piece)
		st = sj_parser_feed(p, text.ptr + at, text.len - at < piece ? text.len - at : piece, &parts, NULL);
	if (st == SJ_OK)
		st = sj_parser_end(p, &parts, NULL);
	*messages = gather(mem, &parts);
	sj_parser_destroy(p);
	sj_parts_finish(mem, &parts);
	return st;
}

static void write_back(struct sj_mem *mem, const struct sj_format *f, const struct sj_value *messages)
{
	struct sj_buf text;
	struct sj_value back;
	sj_buf_init(&text, mem, 0);
	if (sj_format_decompile(f, messages, &text, NULL) == SJ_OK) {
		MUST(sj_format_compile(f, sj_buf_view(&text), &back, NULL, NULL) == SJ_OK);
		MUST(sj_value_equal(&back, messages));
		sj_value_unref(mem, back);
	}
	sj_buf_finish(&text);
}

static bool has_fence(struct sj_slice text)
{
	for (size_t i = 0; i + 3 <= text.len; i++)
		if (memcmp(text.ptr + i, "```", 3) == 0)
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sj_mem mem;
	struct sj_catalog *catalog;
	struct sj_format *f;
	struct sj_value whole = SJ_ABSENT_VALUE, pieces;
	struct sj_diag d = {0};
	if (size == 0 || size > 20000)
		return 0;
	sj_mem_init(&mem, NULL, 0);
	struct sj_slice text = sj_slice((const char *)data + 1, size - 1);
	MUST(sj_catalog_basic(&mem, data[0] & 1 ? SJ_V10 : SJ_V09, NULL, NULL, &catalog) == SJ_OK);
	const struct sj_catalog *list[] = {catalog};
	struct sj_format_options opt = {.id = SJ_FORMAT_VERTICAL, .catalogs = list, .ncatalogs = 1};
	MUST(sj_format_create(&mem, &opt, &f, NULL) == SJ_OK);
	enum sj_status st = sj_format_compile(f, text, &whole, NULL, &d);
	MUST(st == SJ_OK || st == SJ_INVALID || st == SJ_LIMIT);
	MUST(st == SJ_OK || (d.message[0] && d.offset <= text.len));
	enum sj_status other = in_pieces(&mem, f, text, 1 + data[0] / 2u, &pieces);
	/* A fence is taken off a whole block at both ends, and in pieces mark by mark. */
	if (!has_fence(text)) {
		MUST(other == st);
		MUST(st != SJ_OK || sj_value_equal(&whole, &pieces));
	}
	if (st == SJ_OK)
		write_back(&mem, f, &whole);
	sj_value_unref(&mem, whole);
	sj_value_unref(&mem, pieces);
	sj_format_destroy(f);
	sj_catalog_destroy(catalog);
	MUST(mem.used_bytes == 0);
	return 0;
}
