/* The legacy processor: making it, text and tags, parts. */
#include "infer/legacy_internal.h"

enum { FIRST_CREDIT = 1 << 20, CREDIT_OF_BYTE = 64 };

/* Strings that a person reads and that may be shown while they still arrive. */
static const char *const CUTTABLE[] = {"text",    "literalString", "valueString", "label", "hint",
                                       "caption", "altText",       NULL};

static enum sj_status add_cuttable(struct sj_legacy *p, struct sj_slice key)
{
	enum sj_status st = SJ_VEC_RESERVE(p->mem, &p->cuttable, p->cuttable.count + 1, 0);
	if (st != SJ_OK)
		return st;
	char *copy = sj_mem_strndup(p->mem, key);
	if (!copy)
		return SJ_NOMEM;
	p->cuttable.items[p->cuttable.count++] = sj_slice(copy, key.len);
	return SJ_OK;
}

enum sj_status sj_legacy_create(struct sj_mem *mem, const struct sj_legacy_options *opt, struct sj_legacy **out,
                                struct sj_diag *diag)
{
	struct sj_legacy *p = sj_mem_zalloc(mem, sizeof *p);
	enum sj_status st = SJ_OK;
	if (!p)
		return SJ_NOMEM;
	p->mem = mem;
	p->version = opt->version == SJ_VERSION_NONE ? SJ_V09 : opt->version;
	p->limits = opt->limits ? opt->limits : &SJ_LIMITS_DEFAULT;
	p->json = sj_json_options_wire(p->limits);
	p->credit = FIRST_CREDIT;
	p->last_surface = SJ_LEGACY_NONE;
	p->emitted = p->catalog = p->common = SJ_ABSENT_VALUE;
	sj_buf_init(&p->text, mem, 0);
	sj_map_init(&p->surface_ids, mem, 4);
	sj_map_init(&p->patterns.names, mem, 1);
	sj_legacy_read_init(p);
	sj_tagger_init(&p->tagger, &SJ_FORMAT_OPS_DIRECT_JSON, false);
	for (size_t i = 0; st == SJ_OK && CUTTABLE[i]; i++)
		st = add_cuttable(p, sj_slice_of(CUTTABLE[i]));
	for (uint32_t i = 0; st == SJ_OK && i < opt->ncuttable; i++)
		st = add_cuttable(p, opt->cuttable[i]);
	if (st == SJ_OK)
		st = sj_legacy_check_init(p, opt, diag);
	if (st == SJ_OK)
		st = sj_legacy_patterns_init(p);
	if (st == SJ_OK)
		*out = p;
	else
		sj_legacy_destroy(p);
	return st;
}

void sj_legacy_destroy(struct sj_legacy *p)
{
	if (!p)
		return;
	sj_legacy_message_drop(p);
	SJ_VEC_FREE(p->mem, &p->taken);
	sj_legacy_read_finish(p);
	sj_legacy_surfaces_finish(p);
	sj_legacy_patterns_finish(p);
	sj_schema_set_destroy(p->set);
	sj_value_unref(p->mem, p->catalog);
	sj_value_unref(p->mem, p->common);
	for (uint32_t i = 0; i < p->cuttable.count; i++)
		sj_mem_free(p->mem, (char *)(uintptr_t)p->cuttable.items[i].ptr, p->cuttable.items[i].len + 1);
	SJ_VEC_FREE(p->mem, &p->cuttable);
	SJ_VEC_FREE(p->mem, &p->scratch);
	sj_buf_finish(&p->text);
	sj_mem_free(p->mem, p, sizeof *p);
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static struct sj_part *last_part(struct sj_legacy *p)
{
	return p->out->list.count > p->first_part ? &p->out->list.items[p->out->list.count - 1] : NULL;
}

enum sj_status sj_legacy_emit(struct sj_legacy *p, struct sj_value take)
{
	struct sj_part *part = last_part(p);
	struct sj_value list;
	if (part && part->kind == SJ_PART_MESSAGES)
		return sj_value_append(p->mem, &part->messages, take);
	enum sj_status st = sj_value_array(p->mem, &list);
	if (st != SJ_OK) {
		sj_value_unref(p->mem, take);
		return st;
	}
	st = sj_value_append(p->mem, &list, take);
	if (st != SJ_OK) {
		sj_value_unref(p->mem, list);
		return st;
	}
	if (!part)
		return sj_parts_add_messages(p->mem, p->out, list);
	part->kind = SJ_PART_MESSAGES;
	part->messages = list;
	return SJ_OK;
}

/* The first n bytes of the held text, if they are more than white space. */
static enum sj_status emit_text(struct sj_legacy *p, size_t n)
{
	struct sj_slice s = {p->text.ptr, n};
	for (size_t i = 0; i < n && !p->text_began; i++)
		p->text_began = !memchr(" \t\n\r", s.ptr[i], 4);
	if (n == 0 || !p->text_began)
		return SJ_OK;
	enum sj_status st = sj_parts_add_text(p->mem, p->out, SJ_PART_TEXT, s);
	if (st != SJ_OK)
		return st;
	memmove(p->text.ptr, p->text.ptr + n, p->text.len - n);
	p->text.len -= n;
	return SJ_OK;
}

/* ---- text and tags ----------------------------------------------------------------------------------------------- */

/* Bytes at the end of the text that begin a character which is not whole. */
static size_t half_character(struct sj_slice s)
{
	for (size_t back = 1; back <= 3 && back <= s.len; back++) {
		unsigned char c = (unsigned char)s.ptr[s.len - back];
		if (c < 0x80)
			return 0;
		if (c >= 0xc0)
			return back < (c >= 0xf0 ? 4u : c >= 0xe0 ? 3u : 2u) ? back : 0;
	}
	return 0;
}

static enum sj_status feed_text(struct sj_legacy *p, const char *bytes, size_t n, size_t *used)
{
	const char *at = bytes;
	enum sj_tag_event event = SJ_TAG_TEXT;
	enum sj_status st = SJ_OK;
	struct sj_slice run;

	while (st == SJ_OK && event == SJ_TAG_TEXT) {
		event = sj_tagger_next(&p->tagger, &at, bytes + n, &run);
		if (event == SJ_TAG_TEXT) {
			sj_buf_slice(&p->text, run);
			st = sj_buf_status(&p->text);
		}
	}
	*used = (size_t)(at - bytes);
	p->read.offset += *used;
	if (st != SJ_OK)
		return st;
	if (event != SJ_TAG_OPEN)
		return emit_text(p, p->text.len - half_character(sj_buf_view(&p->text)));
	st = emit_text(p, p->text.len);
	p->text.len = 0; /* white space only */
	p->in_block = true;
	p->read.saw_message = p->read.saw_list = p->read.saw_junk = false;
	return st;
}

static enum sj_status close_block(struct sj_legacy *p, struct sj_diag *diag)
{
	enum sj_status st = sj_legacy_read_end(p, diag);
	sj_legacy_message_drop(p);
	p->in_block = p->text_began = false;
	sj_tagger_init(&p->tagger, &SJ_FORMAT_OPS_DIRECT_JSON, false); /* it saw nothing of the block */
	return st;
}

static enum sj_status feed(struct sj_legacy *p, const char *bytes, size_t n, struct sj_diag *diag)
{
	enum sj_status st = SJ_OK;
	while (st == SJ_OK && n > 0) {
		bool closed = false;
		size_t used = 0;
		if (p->in_block) {
			st = sj_legacy_read(p, bytes, n, &used, &closed, diag);
			if (st == SJ_OK && closed)
				st = close_block(p, diag);
		} else {
			st = feed_text(p, bytes, n, &used);
		}
		bytes += used;
		n -= used;
	}
	return st == SJ_OK && p->in_block ? sj_legacy_look(p, diag) : st;
}

/* Remembers the first error. */
static enum sj_status leave(struct sj_legacy *p, enum sj_status st, const struct sj_diag *d, struct sj_diag *diag)
{
	p->out = NULL;
	if (st == SJ_OK)
		return st;
	p->failed = st;
	p->fault = *d;
	if (diag && diag->code == SJ_E_NONE)
		*diag = *d;
	return st;
}

static enum sj_status again(const struct sj_legacy *p, struct sj_diag *diag)
{
	if (diag && diag->code == SJ_E_NONE)
		*diag = p->fault;
	return p->failed;
}

enum sj_status sj_legacy_feed(struct sj_legacy *p, const char *bytes, size_t n, struct sj_parts *out,
                              struct sj_diag *diag)
{
	struct sj_diag d = {0};
	if (p->failed)
		return again(p, diag);
	p->out = out;
	p->first_part = out->list.count;
	if (p->credit < UINT64_MAX / 2)
		p->credit += (uint64_t)n * CREDIT_OF_BYTE;
	return leave(p, feed(p, bytes, n, &d), &d, diag);
}

enum sj_status sj_legacy_end(struct sj_legacy *p, struct sj_parts *out, struct sj_diag *diag)
{
	struct sj_diag d = {0};
	if (p->failed)
		return again(p, diag);
	p->out = out;
	p->first_part = out->list.count;
	enum sj_status st = sj_legacy_surfaces_end(p, &d);
	if (st == SJ_OK && p->in_block)
		st = sj_diag_set(&d, SJ_INVALID, SJ_E_JSON_INCOMPLETE, SJ_CAT_PARSE,
		                 "Failed to parse JSON: the block never closed with </" SJ_LEGACY_TAG ">");
	if (st == SJ_OK) {
		sj_buf_slice(&p->text, sj_tagger_rest(&p->tagger));
		st = sj_buf_status(&p->text);
	}
	if (st == SJ_OK)
		st = emit_text(p, p->text.len);
	p->text.len = 0;
	return leave(p, st, &d, diag);
}
