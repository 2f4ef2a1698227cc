/* Text from anyone, by the first byte's choice of options. Read whole and in pieces it gives the same documents and the
 * same faults; a document prints to text that reads back equal; as a patch it leaves its document whole or changed as a
 * whole; and all memory comes back. */
#include <stdlib.h>

#include "base/utf.h"
#include "json/stream.h"
#include "json/value.h"

#define MUST(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_tape(struct sj_buf *out, const struct sj_tape *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct sj_cell *c = &t->cells[i];
		MUST(c->end > i && c->end <= t->count && !(c->flags & SJ_CELL_OPEN));
		MUST(c->type >= SJ_J_ARRAY || (size_t)c->off + c->len <= t->text_len);
		struct sj_slice source = sj_tape_source(t, i);
		MUST(source.ptr >= t->text && source.ptr + source.len <= t->text + t->text_len);
		sj_buf_printf(out, " %u:%u:%u:%u:%u", c->type, c->off, c->len, c->end, c->flags);
	}
	sj_buf_putc(out, '\n');
}

static void put_fault(struct sj_buf *out, enum sj_status st, const struct sj_diag *d)
{
	MUST(st == SJ_INVALID || st == SJ_LIMIT);
	MUST(d->code != SJ_E_NONE && d->message[0]);
	size_t n = strlen(d->pointer);
	MUST(sj_utf8_check(sj_slice(d->pointer, n)) == n || strstr(d->pointer, "\xED"));
	sj_buf_printf(out, "%d %d %llu %u %s\n", (int)st, (int)d->code, (unsigned long long)d->offset, d->line,
	              d->pointer);
}

/* Everything the stream says of `text` fed in pieces of `step` bytes. */
static void read_pieces(struct sj_mem *mem, const struct sj_json_options *opt, struct sj_slice text, size_t step,
                        struct sj_buf *out)
{
	struct sj_json_stream *s;
	MUST(sj_json_stream_create(mem, opt, &s) == SJ_OK);
	for (size_t at = 0; at <= text.len; at += step) {
		struct sj_tape t;
		uint64_t offset;
		uint32_t line;
		size_t n = text.len - at < step ? text.len - at : step;
		if (n && n < text.len && step % 2 == 0 && sj_json_stream_defer(s, text.ptr + at, n))
			n = 0;
		if (n)
			sj_json_stream_feed(s, text.ptr + at, n);
		if (text.len - at <= step)
			sj_json_stream_end(s);
		for (;;) {
			struct sj_diag d = {.code = SJ_E_NONE};
			enum sj_status st = sj_json_stream_next(s, &t, &offset, &line, &d);
			if (st == SJ_MORE)
				break;
			sj_buf_printf(out, "%llu %u", (unsigned long long)(st == SJ_OK ? offset : 0),
			              st == SJ_OK ? line : 0);
			if (st == SJ_OK)
				put_tape(out, &t);
			else
				put_fault(out, st, &d);
		}
		if (sj_json_stream_peek(s, &t, &offset, &line))
			MUST(t.count > 0 && t.cells[0].end == t.count);
		if (text.len - at <= step)
			break;
	}
	sj_json_stream_destroy(s);
}

static void check_value(struct sj_mem *mem, const struct sj_json_options *opt, const struct sj_tape *t)
{
	static const unsigned forms[] = {SJ_PRINT_COMPACT, SJ_PRINT_SORTED | SJ_PRINT_PRETTY, SJ_PRINT_UTF16};
	struct sj_value v, w;
	MUST(sj_value_from_tape(mem, t, 0, &v) == SJ_OK);
	MUST(sj_tape_equal(t, 0, t, 0));
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct sj_buf out;
		sj_buf_init(&out, mem, 0);
		sj_value_print(&out, &v, forms[i]);
		MUST(sj_buf_status(&out) == SJ_OK);
		/* Printing may need more bytes than the source, so only the caps are lifted. */
		struct sj_json_options wide = *opt;
		wide.max_bytes = wide.max_string_bytes = UINT32_MAX;
		MUST(sj_value_parse(mem, &wide, sj_buf_view(&out), &w, NULL) == SJ_OK);
		MUST(sj_value_equal(&v, &w));
		MUST(sj_value_equal(&w, &v));
		sj_value_unref(mem, w);
		sj_buf_finish(&out);
	}
	/* The document as a patch of itself and, in its first member or item, of the second. */
	const struct sj_value *doc = &v, *patch = &v;
	if (v.type == SJ_V_ARRAY && sj_value_count(&v) == 2) {
		doc = sj_value_item(&v, 0);
		patch = sj_value_item(&v, 1);
	}
	struct sj_value work = sj_value_ref(*doc), before = sj_value_ref(*doc);
	if (sj_json_patch(mem, &work, patch, NULL) != SJ_OK)
		MUST(sj_value_equal(&work, &before));
	sj_value_unref(mem, before);
	sj_value_unref(mem, work);
	sj_value_unref(mem, v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t steps[] = {1, 3, 16, 100};
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_mem mem;
	struct sj_arena arena;
	struct sj_tape t;
	struct sj_diag d = {.code = SJ_E_NONE};
	uint8_t choice = size ? data[0] : 0;
	struct sj_slice text = {size ? (const char *)data + 1 : "", size ? size - 1 : 0};
	if (choice & 1)
		opt.dup = SJ_DUP_LAST;
	if (choice & 2)
		opt.surrogate = SJ_SURROGATE_KEEP;
	if (choice & 4) {
		opt.max_depth = 4;
		opt.max_values = 30;
		opt.max_string_bytes = 20;
		opt.max_bytes = 200;
	}
	sj_mem_init(&mem, NULL, 0);
	sj_arena_init(&arena, &mem, 0);
	enum sj_status st = sj_json_parse(&arena, &opt, text, &t, &d);
	if (st == SJ_OK)
		check_value(&mem, &opt, &t);
	else
		MUST((st == SJ_INVALID || st == SJ_LIMIT) && d.offset <= text.len);
	sj_arena_finish(&arena);

	struct sj_buf whole, cut;
	sj_buf_init(&whole, &mem, 0);
	sj_buf_init(&cut, &mem, 0);
	read_pieces(&mem, &opt, text, text.len + 1, &whole);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		sj_buf_clear(&cut);
		read_pieces(&mem, &opt, text, steps[i], &cut);
		MUST(sj_slice_eq(sj_buf_view(&whole), sj_buf_view(&cut)));
	}
	sj_buf_finish(&whole);
	sj_buf_finish(&cut);
	MUST(mem.used_bytes == 0);
	return 0;
}
