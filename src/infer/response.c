/* A whole response: text and payloads apart and together again, payloads to messages and back. */
#include <string.h>

#include "infer/direct.h"
#include "infer/tags.h"

/* ---- parts ------------------------------------------------------------------------------------------------------- */

void sj_parts_clear(struct sj_mem *mem, struct sj_parts *p)
{
	for (uint32_t i = 0; i < p->list.count; i++) {
		struct sj_part *part = &p->list.items[i];
		if (part->text)
			sj_mem_free(mem, part->text, part->len + 1);
		sj_value_unref(mem, part->messages);
	}
	p->list.count = 0;
}

void sj_parts_finish(struct sj_mem *mem, struct sj_parts *p)
{
	sj_parts_clear(mem, p);
	SJ_VEC_FREE(mem, &p->list);
}

enum sj_status sj_parts_add_text(struct sj_mem *mem, struct sj_parts *p, enum sj_part_kind kind, struct sj_slice text)
{
	enum sj_status st = SJ_VEC_RESERVE(mem, &p->list, p->list.count + 1, 0);
	char *copy = st == SJ_OK ? sj_mem_strndup(mem, text) : NULL;
	if (!copy)
		return SJ_NOMEM;
	p->list.items[p->list.count++] =
		(struct sj_part){.kind = kind, .text = copy, .len = text.len, .messages = SJ_ABSENT_VALUE};
	return SJ_OK;
}

enum sj_status sj_parts_add_messages(struct sj_mem *mem, struct sj_parts *p, struct sj_value take)
{
	enum sj_status st = SJ_VEC_RESERVE(mem, &p->list, p->list.count + 1, 0);
	if (st != SJ_OK) {
		sj_value_unref(mem, take);
		return st;
	}
	p->list.items[p->list.count++] = (struct sj_part){.kind = SJ_PART_MESSAGES, .messages = take};
	return SJ_OK;
}

bool sj_format_has_content(const struct sj_format *f, struct sj_slice text, bool complete)
{
	struct sj_tagger t;
	struct sj_slice run;
	const char *at = text.ptr, *end = text.ptr + text.len;
	sj_tagger_init(&t, f->ops, false);
	for (enum sj_tag_event e; at && (e = sj_tagger_next(&t, &at, end, &run)) != SJ_TAG_MORE;)
		if (e == (complete ? SJ_TAG_CLOSE : SJ_TAG_OPEN))
			return true;
	return false;
}

/* What was gathered becomes a part; a run of nothing but white space is none. */
static enum sj_status flush_text(const struct sj_format *f, struct sj_buf *text, struct sj_parts *out)
{
	enum sj_status st = sj_buf_status(text);
	struct sj_slice s = sj_text_trim(sj_buf_view(text));
	if (st == SJ_OK && s.len > 0)
		st = sj_parts_add_text(f->mem, out, SJ_PART_TEXT, s);
	sj_buf_clear(text);
	return st;
}

static uint32_t lines_in(const char *from, const char *to)
{
	uint32_t n = 0;
	for (; from < to && (from = memchr(from, '\n', (size_t)(to - from))) != NULL; from++)
		n++;
	return n;
}

/* The part says where its payload begins, counted from the buffer; the caller adds where that lies. */
static enum sj_status flush_raw(const struct sj_format *f, struct sj_buf *raw, bool closed, struct sj_parts *out)
{
	enum sj_status st = sj_buf_status(raw);
	bool fenced;
	struct sj_slice bare = sj_payload_trim(sj_buf_view(raw), &fenced);
	if (st == SJ_OK)
		st = sj_parts_add_text(f->mem, out, SJ_PART_RAW, bare);
	if (st == SJ_OK) {
		struct sj_part *part = &out->list.items[out->list.count - 1];
		part->unterminated = !closed;
		part->fenced = fenced;
		part->line = bare.ptr ? lines_in(raw->ptr, bare.ptr) : 0;
		part->offset = bare.ptr ? (uint64_t)(bare.ptr - raw->ptr) : 0;
	}
	sj_buf_clear(raw);
	return st;
}

enum sj_status sj_format_unwrap(const struct sj_format *f, struct sj_slice text, struct sj_parts *out)
{
	struct sj_buf buf;
	struct sj_tagger t;
	struct sj_slice run;
	const char *at = text.ptr ? text.ptr : "", *end = at + text.len, *counted = at;
	uint32_t first = out->list.count, line = 1;
	enum sj_status st = SJ_OK;
	sj_buf_init(&buf, f->mem, 0);
	sj_tagger_init(&t, f->ops, false);
	for (enum sj_tag_event e; st == SJ_OK && (e = sj_tagger_next(&t, &at, end, &run)) != SJ_TAG_MORE;) {
		if (e == SJ_TAG_TEXT || e == SJ_TAG_PAYLOAD) {
			sj_buf_slice(&buf, run);
			st = sj_buf_status(&buf);
		} else if (e == SJ_TAG_OPEN) {
			st = flush_text(f, &buf, out);
			line += lines_in(counted, at);
			counted = at;
		} else {
			st = flush_raw(f, &buf, true, out);
			if (st == SJ_OK) {
				out->list.items[out->list.count - 1].line += line;
				out->list.items[out->list.count - 1].offset += (uint64_t)(counted - text.ptr);
			}
		}
	}
	sj_buf_slice(&buf, sj_tagger_rest(&t));
	if (st == SJ_OK)
		st = t.name ? flush_raw(f, &buf, false, out) : flush_text(f, &buf, out);
	if (st == SJ_OK && t.name) {
		out->list.items[out->list.count - 1].line += line;
		out->list.items[out->list.count - 1].offset += (uint64_t)(counted - text.ptr);
	}
	sj_buf_finish(&buf);
	while (st != SJ_OK && out->list.count > first) {
		struct sj_part *part = &out->list.items[--out->list.count];
		sj_mem_free(f->mem, part->text, part->len + 1);
	}
	return st;
}

enum sj_status sj_format_wrap(const struct sj_format *f, const struct sj_parts *parts, struct sj_buf *out,
                              struct sj_diag *diag)
{
	for (uint32_t i = 0; i < parts->list.count; i++) {
		const struct sj_part *part = &parts->list.items[i];
		if (i > 0)
			sj_buf_putc(out, '\n');
		if (part->kind != SJ_PART_RAW)
			sj_buf_put(out, part->text ? part->text : "", part->len);
		if (part->kind == SJ_PART_TEXT)
			continue;
		if (part->kind == SJ_PART_MESSAGES && part->len > 0)
			sj_buf_putc(out, '\n');
		sj_buf_printf(out, "<%s>\n", f->ops->tags[0]);
		if (part->kind == SJ_PART_RAW) {
			sj_buf_put(out, part->text, part->len);
		} else {
			enum sj_status st = sj_format_decompile(f, &part->messages, out, diag);
			if (st != SJ_OK)
				return st;
		}
		if (out->len > 0 && out->ptr[out->len - 1] != '\n')
			sj_buf_putc(out, '\n');
		if (!(part->kind == SJ_PART_RAW && part->unterminated))
			sj_buf_printf(out, "</%s>", f->ops->tags[0]);
	}
	return sj_buf_status(out);
}

/* ---- payloads ---------------------------------------------------------------------------------------------------- */

/* Places of repairs made in a payload, counted from the response's beginning. */
static void shift_repairs(struct sj_repairs *r, uint32_t from, uint32_t line, uint64_t offset)
{
	for (uint32_t i = from; i < r->list.count; i++) {
		r->list.items[i].line += line > 0 ? line - 1 : 0;
		r->list.items[i].offset += offset;
	}
}

/* The same for a fault that names a place in the payload. */
static void shift_fault(struct sj_diag *diag, enum sj_status st, uint32_t line, uint64_t offset)
{
	if (!diag || (st != SJ_INVALID && st != SJ_LIMIT) || diag->line == 0)
		return;
	diag->line += line > 0 ? line - 1 : 0;
	diag->offset += offset;
}

static enum sj_status compile(const struct sj_format *f, struct sj_slice payload, struct sj_value *messages,
                              struct sj_repairs *repairs, struct sj_diag *diag)
{
	struct sj_value made = SJ_ABSENT_VALUE;
	enum sj_status st = f->ops->compile(f, payload, &made, repairs, diag);
	if (st == SJ_OK && !f->ops->checks)
		st = sj_format_check_all(f, &made, diag);
	if (st == SJ_OK)
		*messages = made;
	else
		sj_value_unref(f->mem, made);
	return st;
}

enum sj_status sj_format_compile(const struct sj_format *f, struct sj_slice payload, struct sj_value *messages,
                                 struct sj_repairs *repairs, struct sj_diag *diag)
{
	struct sj_repairs own = {.cap = SJ_REPAIRS_DEFAULT_CAP};
	struct sj_repairs *r = repairs ? repairs : &own;
	enum sj_status st = SJ_OK;
	bool fenced;
	struct sj_slice bare = sj_payload_trim(payload, &fenced);
	uint32_t from = r->list.count;
	if (fenced)
		st = sj_repair_note(f->mem, r, SJ_REPAIR_FENCE, 1, 0, diag, "took a Markdown fence away");
	from = r->list.count;
	if (st == SJ_OK)
		st = compile(f, bare, messages, r, diag);
	shift_repairs(r, from, 1 + lines_in(payload.ptr, bare.ptr), (uint64_t)(bare.ptr - payload.ptr));
	shift_fault(diag, st, 1 + lines_in(payload.ptr, bare.ptr), (uint64_t)(bare.ptr - payload.ptr));
	SJ_VEC_FREE(f->mem, &own.list);
	return st;
}

enum sj_status sj_format_decompile(const struct sj_format *f, const struct sj_value *messages, struct sj_buf *out,
                                   struct sj_diag *diag)
{
	return f->ops->decompile(f, messages, out, diag);
}

static enum sj_status parse_raw(const struct sj_format *f, struct sj_part *part, uint32_t before, struct sj_repairs *r,
                                struct sj_diag *diag)
{
	struct sj_value messages;
	uint32_t from = r->list.count;
	enum sj_status st = SJ_OK;
	if (part->fenced)
		st = sj_repair_note(f->mem, r, SJ_REPAIR_FENCE, 1, 0, diag, "took a Markdown fence away");
	if (st == SJ_OK && part->unterminated)
		st = sj_repair_note(f->mem, r, SJ_REPAIR_UNCLOSED, 1, 0, diag, "closed a block whose end never came");
	if (st == SJ_OK)
		st = compile(f, sj_slice(part->text, part->len), &messages, r, diag);
	shift_repairs(r, from, part->line, part->offset);
	shift_fault(diag, st, part->line, part->offset);
	if (st == SJ_INVALID && diag && diag->message_number > 0)
		diag->message_number += before;
	if (st != SJ_OK)
		return st;
	sj_mem_free(f->mem, part->text, part->len + 1);
	*part = (struct sj_part){.kind = SJ_PART_MESSAGES, .messages = messages};
	return SJ_OK;
}

/* The text before a payload may travel with it. */
static void group_text(const struct sj_format *f, struct sj_parts *parts)
{
	uint32_t keep = 0;
	for (uint32_t i = 0; i < parts->list.count; i++) {
		struct sj_part part = parts->list.items[i];
		if (f->ops->groups_text && part.kind == SJ_PART_TEXT && i + 1 < parts->list.count &&
		    parts->list.items[i + 1].kind == SJ_PART_MESSAGES) {
			parts->list.items[i + 1].text = part.text;
			parts->list.items[i + 1].len = part.len;
			continue;
		}
		parts->list.items[keep++] = part;
	}
	parts->list.count = keep;
}

/* What stands behind a fault of a response is not read. */
static void drop_from(const struct sj_format *f, struct sj_parts *parts, uint32_t at)
{
	struct sj_parts rest = {0};
	rest.list.items = parts->list.items + at;
	rest.list.count = parts->list.count - at;
	sj_parts_clear(f->mem, &rest);
	parts->list.count = at;
}

/* Parts go to `out`, of a response with a fault only with `all`; returns the fault, or SJ_NOMEM. */
static enum sj_status hand_over(const struct sj_format *f, struct sj_parts *parts, bool all, struct sj_parts *out,
                                enum sj_status st)
{
	enum sj_status given = st == SJ_NOMEM ? st : SJ_OK;
	if (all && given == SJ_OK) {
		group_text(f, parts);
		given = SJ_VEC_RESERVE(f->mem, &out->list, out->list.count + parts->list.count, 0);
		for (uint32_t i = 0; given == SJ_OK && i < parts->list.count; i++)
			out->list.items[out->list.count++] = parts->list.items[i];
		if (given == SJ_OK)
			parts->list.count = 0;
	}
	sj_parts_finish(f->mem, parts);
	return given == SJ_OK ? st : given;
}

enum sj_status sj_response_parse(const struct sj_format *f, struct sj_slice response, bool all, struct sj_parts *out,
                                 struct sj_repairs *repairs, struct sj_diag *diag)
{
	struct sj_repairs own = {.cap = SJ_REPAIRS_DEFAULT_CAP};
	struct sj_repairs *r = repairs ? repairs : &own;
	struct sj_parts parts = {0};
	bool direct = f->opt.id == SJ_FORMAT_DIRECT_JSON;
	uint32_t messages = 0;
	enum sj_status st = direct ? sj_direct_parse(f, response, all, &parts, r, diag)
	                           : sj_format_unwrap(f, response, &parts);
	for (uint32_t i = 0; st == SJ_OK && i < parts.list.count; i++) {
		struct sj_part *part = &parts.list.items[i];
		if (part->kind == SJ_PART_RAW)
			st = parse_raw(f, part, messages, r, diag);
		if (st != SJ_OK)
			drop_from(f, &parts, i);
		else
			messages += sj_value_count(&part->messages);
	}
	enum sj_status given = hand_over(f, &parts, st == SJ_OK || all, out, st);
	SJ_VEC_FREE(f->mem, &own.list);
	return given;
}

enum sj_status sj_format_parse(const struct sj_format *f, struct sj_slice response, struct sj_parts *out,
                               struct sj_repairs *repairs, struct sj_diag *diag)
{
	return sj_response_parse(f, response, false, out, repairs, diag);
}

enum sj_status sj_format_read(const struct sj_format *f, struct sj_slice response, struct sj_parts *out,
                              struct sj_repairs *repairs, struct sj_diag *diag)
{
	struct sj_repairs own = {.cap = SJ_REPAIRS_DEFAULT_CAP};
	struct sj_repairs *r = repairs ? repairs : &own;
	struct sj_parts parts = {0};
	bool lifted = false;
	enum sj_status st = SJ_OK;
	if (r->cap > 0 && !sj_format_has_content(f, response, false))
		st = sj_lift(f, response, &parts, r, &lifted, diag);
	if (lifted || st != SJ_OK) {
		st = hand_over(f, &parts, true, out, st);
	} else {
		sj_parts_finish(f->mem, &parts);
		st = sj_response_parse(f, response, true, out, r, diag);
	}
	SJ_VEC_FREE(f->mem, &own.list);
	return st;
}
