/* A model's response from anyone. The first byte says how it is cut into pieces and whether deltas are wanted, the rest
 * is the text. However it is cut, the outcome is that of reading it at once; messages that came out are good ones; all
 * memory comes back. */
#include <stdlib.h>

#include "fuzz/infer_rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every message in the parts is good by itself; those of a whole response are counted. */
static uint32_t judge(const struct fuzz_rig *r, const struct sj_parts *parts)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < parts->list.count; i++) {
		const struct sj_part *p = &parts->list.items[i];
		MUST(p->kind == SJ_PART_MESSAGES || (p->kind == SJ_PART_TEXT && p->len > 0));
		for (uint32_t k = 0; k < sj_value_count(&p->messages); k++, n++)
			MUST(sj_format_check(r->f, sj_value_item(&p->messages, k), NULL) == SJ_OK);
	}
	return n;
}

static enum sj_status in_pieces(struct fuzz_rig *r, struct sj_slice text, size_t step, bool deltas, struct sj_diag *d)
{
	static const struct sj_slice keys[] = {{"text", 4}, {"value", 5}, {"a", 1}};
	struct sj_parser_options opt = {
		.progressive_keys = keys, .nprogressive = 3, .deltas = deltas, .repair_cap = FUZZ_REPAIRS};
	struct sj_parts parts = {0};
	struct sj_parser *p;
	MUST(sj_parser_create(r->f, &opt, &p) == SJ_OK);
	enum sj_status st = SJ_OK;
	for (size_t at = 0; st == SJ_OK && at < text.len; at += step) {
		size_t n = step < text.len - at ? step : text.len - at;
		st = sj_parser_feed(p, text.ptr + at, n, &parts, d);
		judge(r, &parts);
		sj_parts_clear(&r->mem, &parts);
	}
	if (st == SJ_OK)
		st = sj_parser_end(p, &parts, d);
	judge(r, &parts);
	sj_parts_finish(&r->mem, &parts);
	sj_parser_destroy(p);
	return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sj_repairs repairs = {.cap = FUZZ_REPAIRS};
	struct sj_parts parts = {0};
	struct sj_diag whole = {0}, pieces = {0};
	struct fuzz_rig r;
	if (size == 0)
		return 0;
	struct sj_slice text = {(const char *)data + 1, size - 1};
	fuzz_rig_open(&r);
	enum sj_status st = sj_format_parse(r.f, text, &parts, &repairs, &whole);
	MUST(st == SJ_OK || ((st == SJ_INVALID || st == SJ_LIMIT) && whole.message[0] && whole.offset <= size));
	judge(&r, &parts);
	MUST(in_pieces(&r, text, 1 + (data[0] & 31), data[0] & 32, &pieces) == st);
	MUST(strcmp(whole.message, pieces.message) == 0 && whole.offset == pieces.offset && whole.line == pieces.line);
	sj_parts_finish(&r.mem, &parts);
	SJ_VEC_FREE(&r.mem, &repairs.list);
	fuzz_rig_close(&r);
	return 0;
}
