/* Reading a response while it arrives: text at once; of payloads what is certain (direct JSON), or statement by
 * statement where the format can tell them apart, else when the block closes. */
#include "infer/direct.h"
#include "infer/tags.h"

struct sj_parser {
	const struct sj_format *f;
	struct sj_parser_options opt;
	struct sj_tagger tags;
	struct sj_repairs repairs;
	struct sj_direct *direct; /* direct JSON only */
	struct sj_buf now;     /* text of this feed; empty between feeds */
	struct sj_buf text;    /* white space held back */
	struct sj_buf payload; /* of the open block */
	size_t compiled;       /* bytes of it that are through */
	void *scan;            /* of ops->ready */
	uint32_t made;         /* messages of it so far ... */
	uint32_t total;        /* ... and of the response */
	bool in_text;          /* the run of text has begun */
	bool ended;
	uint32_t line, block_line;
	uint64_t offset, block_offset;
	uint32_t body_line; /* where the open block's payload begins, once some of it is compiled */
	uint64_t body_offset;
	enum sj_status failed;
	struct sj_diag fault;
};

static const char *scan_direct(void *ctx, const char *p, const char *end) { return sj_direct_bytes(ctx, p, end); }

enum sj_status sj_parser_create(const struct sj_format *f, const struct sj_parser_options *opt, struct sj_parser **out)
{
	struct sj_parser *p = sj_mem_zalloc(f->mem, sizeof *p);
	if (!p)
		return SJ_NOMEM;
	p->f = f;
	p->opt = opt ? *opt : (struct sj_parser_options){.repair_cap = SJ_REPAIRS_DEFAULT_CAP};
	p->repairs.cap = p->opt.repair_cap;
	p->line = p->block_line = 1;
	if (f->ops->scan_bytes > 0) {
		p->scan = sj_mem_zalloc(f->mem, f->ops->scan_bytes);
		if (!p->scan) {
			sj_mem_free(f->mem, p, sizeof *p);
			return SJ_NOMEM;
		}
	}
	sj_tagger_init(&p->tags, f->ops, p->opt.unwrapped);
	sj_buf_init(&p->now, f->mem, 0);
	sj_buf_init(&p->text, f->mem, 0);
	sj_buf_init(&p->payload, f->mem, SJ_LIMITS_DEFAULT.message_bytes);
	if (f->opt.id == SJ_FORMAT_DIRECT_JSON) {
		p->direct = sj_mem_alloc(f->mem, sizeof *p->direct);
		if (!p->direct) {
			sj_mem_free(f->mem, p, sizeof *p);
			return SJ_NOMEM;
		}
		sj_direct_init(p->direct, f, &p->opt, &p->repairs);
		sj_direct_begin(p->direct, 1, 0);
		p->tags.scan = scan_direct;
		p->tags.ctx = p->direct;
	}
	*out = p;
	return SJ_OK;
}

void sj_parser_destroy(struct sj_parser *p)
{
	if (!p)
		return;
	if (p->direct) {
		sj_direct_finish(p->direct);
		sj_mem_free(p->f->mem, p->direct, sizeof *p->direct);
	}
	SJ_VEC_FREE(p->f->mem, &p->repairs.list);
	sj_buf_finish(&p->now);
	sj_buf_finish(&p->text);
	sj_buf_finish(&p->payload);
	sj_mem_free(p->f->mem, p->scan, p->f->ops->scan_bytes);
	sj_mem_free(p->f->mem, p, sizeof *p);
}

const struct sj_repairs *sj_parser_repairs(const struct sj_parser *p) { return &p->repairs; }

/* Text goes out with these bytes; white space at its end waits until the run goes on, and is dropped when it ends.
 * Where the format keeps spaces, all goes out as it is. */
static enum sj_status add_text(struct sj_parser *p, struct sj_slice run, struct sj_buf *now)
{
	for (size_t i = 0; i < run.len; i++) {
		bool blank = sj_is_blank(run.ptr[i]) && !p->f->ops->streams_space;
		if (blank && !p->in_text)
			continue;
		if (blank) {
			sj_buf_putc(&p->text, run.ptr[i]);
			continue;
		}
		p->in_text = true;
		sj_buf_slice(now, sj_buf_view(&p->text));
		sj_buf_clear(&p->text);
		sj_buf_putc(now, run.ptr[i]);
	}
	return sj_buf_status(&p->text) != SJ_OK ? sj_buf_status(&p->text) : sj_buf_status(now);
}

static enum sj_status flush_text(struct sj_parser *p, struct sj_buf *now, struct sj_parts *out)
{
	enum sj_status st = sj_buf_status(now);
	if (st == SJ_OK && now->len == 0)
		return st;
	if (st == SJ_OK)
		st = sj_parts_add_text(p->f->mem, out, SJ_PART_TEXT, sj_buf_view(now));
	sj_buf_clear(now);
	return st;
}

static enum sj_status compile_to(struct sj_parser *p, size_t to, struct sj_parts *out, struct sj_diag *diag)
{
	const struct sj_format_ops *ops = p->f->ops;
	struct sj_slice payload = sj_slice(p->payload.ptr + p->compiled, to - p->compiled);
	struct sj_value messages = SJ_ABSENT_VALUE;
	uint32_t from = p->repairs.list.count;
	enum sj_status st;
	bool fenced = false;
	struct sj_slice bare = p->compiled == 0 ? sj_payload_trim(payload, &fenced) : payload;
	if (fenced && (st = sj_repair_note(p->f->mem, &p->repairs, SJ_REPAIR_FENCE, 1, 0, diag,
	                                   "took a Markdown fence away")) != SJ_OK)
		return st;
	if (ops->compile_more)
		st = ops->compile_more(p->f, bare, p->made, &messages, &p->repairs, diag);
	else
		st = ops->compile(p->f, bare, &messages, &p->repairs, diag);
	if (st == SJ_OK && !ops->checks)
		st = sj_format_check_all(p->f, &messages, diag);
	uint32_t line = p->block_line - 1;
	uint64_t offset = p->block_offset + p->compiled;
	for (const char *c = payload.ptr; c && c < bare.ptr; c++, offset++)
		line += *c == '\n';
	if (p->compiled == 0) {
		p->body_line = line + 1;
		p->body_offset = offset;
	}
	for (uint32_t i = from; i < p->repairs.list.count; i++) {
		p->repairs.list.items[i].line += line;
		p->repairs.list.items[i].offset += offset;
	}
	if (st == SJ_INVALID && diag && diag->message_number > 0)
		diag->message_number += p->total;
	if ((st == SJ_INVALID || st == SJ_LIMIT) && diag && diag->line > 0) {
		diag->line += line;
		diag->offset += offset;
	}
	for (size_t i = 0; i < payload.len; i++)
		p->block_line += payload.ptr[i] == '\n';
	p->compiled = to;
	if (st == SJ_OK && sj_value_count(&messages) > 0) {
		p->made += sj_value_count(&messages);
		p->total += sj_value_count(&messages);
		return sj_parts_add_messages(p->f->mem, out, messages);
	}
	sj_value_unref(p->f->mem, messages);
	return st;
}

static bool blank_from(const struct sj_buf *b, size_t from)
{
	while (from < b->len && sj_is_blank(b->ptr[from]))
		from++;
	return from == b->len;
}

/* What direct JSON has for us. */
static enum sj_status direct_done(struct sj_parser *p, bool closed, struct sj_parts *out, struct sj_diag *diag)
{
	struct sj_direct *d = p->direct;
	enum sj_status st = closed ? sj_direct_close(d, diag) : sj_direct_flush(d);
	if (closed && st == SJ_OK && d->whole && d->out.type == SJ_V_ABSENT)
		st = sj_value_array(p->f->mem, &d->out);
	if (st == SJ_NOMEM || d->out.type == SJ_V_ABSENT || (d->whole && (!closed || (st != SJ_OK && !d->salvage))))
		return st;
	enum sj_status added = sj_parts_add_messages(p->f->mem, out, d->out);
	d->out = SJ_ABSENT_VALUE;
	if (added == SJ_OK)
		out->list.items[out->list.count - 1].number = d->number;
	return added == SJ_OK ? st : added;
}

static enum sj_status payload_done(struct sj_parser *p, bool closed, struct sj_parts *out, struct sj_diag *diag)
{
	if (p->direct)
		return direct_done(p, closed, out, diag);
	const struct sj_format_ops *ops = p->f->ops;
	enum sj_status st = sj_buf_status(&p->payload);
	if (st == SJ_LIMIT)
		return sj_diag_set(diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_PARSE,
		                   "a block longer than allowed (message_bytes: %u)", SJ_LIMITS_DEFAULT.message_bytes);
	if (st != SJ_OK || (!closed && !ops->ready))
		return st;
	size_t to = p->payload.len;
	if (ops->ready) {
		to = closed ? p->payload.len : ops->ready(p->f, p->scan, sj_buf_view(&p->payload));
	}
	if (to > p->compiled && !(p->made > 0 && closed && blank_from(&p->payload, p->compiled)))
		st = compile_to(p, to, out, diag);
	else if (closed && p->made == 0)
		st = compile_to(p, to, out, diag); /* an empty block is the format's to refuse */
	return st;
}

static void begin_block(struct sj_parser *p)
{
	sj_buf_clear(&p->payload);
	sj_buf_clear(&p->text);
	p->in_text = false;
	p->compiled = 0;
	p->made = 0;
	if (p->scan)
		memset(p->scan, 0, p->f->ops->scan_bytes);
}

/* The position goes on from `from` to `to`. */
static void advance(struct sj_parser *p, const char *from, const char *to)
{
	p->offset += (uint64_t)(to - from);
	while (from < to && (from = memchr(from, '\n', (size_t)(to - from))) != NULL) {
		p->line++;
		from++;
	}
}

static enum sj_status feed(struct sj_parser *p, const char *at, const char *end, struct sj_buf *now,
                           struct sj_parts *out, struct sj_diag *diag)
{
	enum sj_status st = SJ_OK;
	struct sj_slice run;
	if (p->direct && p->tags.name && p->tags.nheld == 0 && !p->tags.lent) { /* nearly always: more of the payload */
		const char *stop = sj_direct_bytes(p->direct, at, end);
		advance(p, at, stop);
		if (stop == end)
			return direct_done(p, false, out, diag);
		at = stop;
	}
	const char *from = at;
	for (enum sj_tag_event e; st == SJ_OK && (e = sj_tagger_next(&p->tags, &at, end, &run)) != SJ_TAG_MORE;) {
		advance(p, from, at);
		from = at;
		switch (e) {
		case SJ_TAG_TEXT:
			st = add_text(p, run, now);
			break;
		case SJ_TAG_OPEN:
			st = flush_text(p, now, out);
			begin_block(p);
			p->block_line = p->line;
			p->block_offset = p->offset;
			if (p->direct)
				sj_direct_begin(p->direct, p->line, p->offset);
			break;
		case SJ_TAG_PAYLOAD:
			if (p->direct && p->tags.lent)
				sj_lex_angle(&p->direct->lex, run);
			else if (p->direct)
				break; /* read already */
			else if (!p->opt.unwrapped || p->payload.len > 0 || sj_text_trim(run).len > 0)
				sj_buf_slice(&p->payload, run);
			break;
		case SJ_TAG_CLOSE:
			st = payload_done(p, true, out, diag);
			begin_block(p);
			break;
		case SJ_TAG_MORE:
			break;
		}
	}
	advance(p, from, end);
	if (st == SJ_OK && p->tags.name)
		st = payload_done(p, false, out, diag);
	return st == SJ_OK ? flush_text(p, now, out) : st;
}

static enum sj_status remember(struct sj_parser *p, enum sj_status st, struct sj_diag *own, struct sj_diag *diag)
{
	if (st != SJ_OK) {
		p->failed = st;
		p->fault = *own;
		if (diag && diag->code == SJ_E_NONE)
			*diag = *own;
	}
	return st;
}

static enum sj_status fail_again(const struct sj_parser *p, struct sj_diag *diag)
{
	if (diag && diag->code == SJ_E_NONE)
		*diag = p->fault;
	return p->failed;
}

enum sj_status sj_parser_feed(struct sj_parser *p, const char *bytes, size_t n, struct sj_parts *out,
                              struct sj_diag *diag)
{
	struct sj_diag own;
	if (p->failed)
		return fail_again(p, diag);
	if (n == 0)
		return SJ_OK;
	sj_diag_clear(&own);
	enum sj_status st = feed(p, bytes, bytes + n, &p->now, out, &own);
	return remember(p, st, &own, diag);
}

enum sj_status sj_parser_end(struct sj_parser *p, struct sj_parts *out, struct sj_diag *diag)
{
	struct sj_diag own;
	struct sj_buf now;
	enum sj_status st = SJ_OK;
	if (p->failed || p->ended)
		return fail_again(p, diag);
	p->ended = true;
	sj_diag_clear(&own);
	sj_buf_init(&now, p->f->mem, 0);
	struct sj_slice rest = sj_tagger_rest(&p->tags);
	if (p->tags.name) {
		if (!p->direct) /* there it can only be the beginning of the closing tag */
			sj_buf_slice(&p->payload, rest);
		if (p->compiled == 0) {
			size_t at = 0;
			p->body_line = p->block_line;
			for (; at < p->payload.len && sj_is_blank(p->payload.ptr[at]); at++)
				p->body_line += p->payload.ptr[at] == '\n';
			p->body_offset = p->block_offset + at;
		}
		/* Direct JSON may find a fault in what it has kept, which comes before. */
		if (p->direct)
			st = payload_done(p, true, out, &own);
		if (st == SJ_OK && !p->opt.unwrapped)
			st = sj_repair_note(p->f->mem, &p->repairs, SJ_REPAIR_UNCLOSED, p->block_line, p->block_offset,
			                    &own, "closed a block whose end never came");
		if (st == SJ_OK && !p->direct)
			st = payload_done(p, true, out, &own);
	} else {
		st = add_text(p, rest, &now);
		if (st == SJ_OK)
			st = flush_text(p, &now, out);
	}
	sj_buf_finish(&now);
	return remember(p, st, &own, diag);
}

enum sj_status sj_direct_parse(const struct sj_format *f, struct sj_slice response, bool salvage, struct sj_parts *out,
                               struct sj_repairs *repairs, struct sj_diag *diag)
{
	struct sj_parser_options opt = {.repair_cap = repairs->cap};
	struct sj_parser *p;
	enum sj_status st = sj_parser_create(f, &opt, &p);
	if (st != SJ_OK)
		return st;
	p->direct->whole = true;
	p->direct->salvage = salvage;
	p->repairs = *repairs;
	st = sj_parser_feed(p, response.ptr, response.len, out, diag);
	if (st == SJ_OK)
		st = sj_parser_end(p, out, diag);
	*repairs = p->repairs;
	p->repairs.list.items = NULL;
	p->repairs.list.count = p->repairs.list.cap = 0;
	sj_parser_destroy(p);
	return st;
}
