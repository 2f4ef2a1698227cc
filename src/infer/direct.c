/* Direct JSON: messages as they go over the wire, between tags. */
#include "infer/direct.h"

#include <stdio.h>
#include <string.h>

/* ---- life -------------------------------------------------------------------------------------------------------- */

void sj_direct_init(struct sj_direct *d, const struct sj_format *f, const struct sj_parser_options *opt,
                    struct sj_repairs *repairs)
{
	memset(d, 0, sizeof *d);
	d->f = f;
	d->opt = opt;
	d->repairs = repairs;
	d->check = sj_format_checker(f);
	d->open.all = d->open.fresh = d->open.last = d->out = SJ_ABSENT_VALUE;
	sj_lex_init(&d->lex, f->mem, repairs);
	sj_arena_init(&d->cells, f->mem, 2048);
	sj_arena_init(&d->scratch, f->mem, 512);
	sj_buf_init(&d->open.path, f->mem, 0);
	sj_buf_init(&d->last_surface, f->mem, 0);
}

void sj_direct_finish(struct sj_direct *d)
{
	sj_direct_forget(d);
	sj_value_unref(d->f->mem, d->out);
	sj_buf_finish(&d->open.path);
	sj_buf_finish(&d->last_surface);
	sj_lex_finish(&d->lex);
	sj_arena_finish(&d->cells);
	sj_arena_finish(&d->scratch);
	for (uint32_t i = 0; i < d->surfaces.count; i++)
		sj_mem_free(d->f->mem, d->surfaces.items[i].id, d->surfaces.items[i].len + 1);
	SJ_VEC_FREE(d->f->mem, &d->surfaces);
}

void sj_direct_begin(struct sj_direct *d, uint32_t line, uint64_t offset)
{
	sj_direct_forget(d);
	sj_lex_begin(&d->lex, line, offset);
	sj_diag_clear(&d->fault);
	d->status = SJ_OK;
	d->buried = false;
	d->in_block = 0;
	d->closed = d->outer = 0;
}

/* ---- one message ------------------------------------------------------------------------------------------------- */

/* Several catalogs: what a createSurface says of its surface holds for the rest of the response. */
static enum sj_status note_surface(struct sj_direct *d, const struct sj_value *message)
{
	const struct sj_value *body = sj_value_get(message, SJ_LIT("createSurface"));
	const struct sj_value *id = body && body->type == SJ_V_OBJECT ? sj_value_get(body, SJ_LIT("surfaceId")) : NULL;
	const struct sj_value *own = id ? sj_value_get(body, SJ_LIT("catalogId")) : NULL;
	struct sj_mem *mem = d->f->mem;
	if (d->f->opt.ncatalogs < 2 || !id || !own || !sj_value_is_string(id) || !sj_value_is_string(own))
		return SJ_OK;
	struct sj_direct_surface s = {.len = sj_value_text(id).len};
	for (uint32_t i = 0; i < d->f->opt.ncatalogs; i++)
		if (sj_slice_eq(sj_catalog_id(d->f->catalogs[i]), sj_value_text(own)))
			s.catalog = d->f->catalogs[i];
	enum sj_status st = SJ_VEC_RESERVE(mem, &d->surfaces, d->surfaces.count + 1, SJ_LIMITS_DEFAULT.surfaces);
	if (st != SJ_OK)
		return st == SJ_NOMEM ? st : SJ_OK;
	s.id = sj_mem_strndup(mem, sj_value_text(id));
	if (!s.id)
		return SJ_NOMEM;
	d->surfaces.items[d->surfaces.count++] = s;
	return SJ_OK;
}

/* What a good message says of the ones to come: there is a version, and this is the surface. */
static enum sj_status note_version(struct sj_direct *d, const struct sj_tape *t, uint32_t cell)
{
	d->version_said = true;
	for (uint32_t at = cell + 1, value; at < t->cells[cell].end; at = sj_tape_next(t, value)) {
		value = at + 1;
		uint32_t id = sj_tape_type(t, value) == SJ_J_OBJECT ? sj_tape_get(t, value, SJ_LIT("surfaceId")) : 0;
		if (!id || sj_tape_type(t, id) != SJ_J_STRING)
			continue;
		struct sj_slice text = sj_tape_string(t, id, &d->scratch);
		sj_buf_clear(&d->last_surface);
		sj_buf_slice(&d->last_surface, text);
		return text.ptr ? sj_buf_status(&d->last_surface) : SJ_NOMEM;
	}
	return SJ_OK;
}

/* The message is refused: the first fault of a block comes out when the block closes. */
static void refuse(struct sj_direct *d, enum sj_status st, const struct sj_diag *fault)
{
	char pointer[sizeof fault->pointer];
	if (d->status != SJ_OK)
		return;
	d->status = st;
	d->fault = *fault;
	d->fault.message_number = d->made + 1;
	snprintf(pointer, sizeof pointer, "/%u%.*s", d->in_block, (int)sizeof pointer - 16, fault->pointer);
	sj_diag_pointer(&d->fault, "%s", pointer);
	sj_direct_place(d, &d->fault);
}

static enum sj_status accept(struct sj_direct *d, struct sj_value take)
{
	struct sj_direct_open *o = &d->open;
	enum sj_status st = note_surface(d, &take);
	bool again = o->last.type != SJ_V_ABSENT && sj_value_equal(&o->last, &take);
	if (st != SJ_OK || again) {
		sj_value_unref(d->f->mem, take);
		return st;
	}
	return sj_direct_emit(d, take);
}

/* A message that reads as JSON, in a cell of the tape. Components of the outermost one are looked at one by one, the
 * others all at once. */
static enum sj_status take_message(struct sj_direct *d, const struct sj_tape *t, uint32_t cell)
{
	struct sj_direct_open *o = &d->open;
	struct sj_check c;
	struct sj_diag diag;
	struct sj_value v;
	enum sj_status st;
	sj_diag_clear(&diag);
	if (cell == 0 && sj_tape_type(t, 0) == SJ_J_OBJECT) {
		st = sj_direct_identify(d, t);
		if (st == SJ_OK && o->list)
			st = sj_direct_release(d, t, UINT32_MAX);
		if (st != SJ_OK && st != SJ_ABSENT)
			return st;
	}
	bool one_by_one = cell == 0 && o->list && sj_tape_type(t, o->list) == SJ_J_ARRAY;
	c = d->check;
	c.checked_until = one_by_one ? t->cells[o->list].end : 0;
	if (o->stuck) {
		refuse(d, SJ_INVALID, &o->fault);
		return SJ_OK;
	}
	st = sj_check_message(&c, t, cell, &d->scratch, NULL, &diag);
	if (st == SJ_NOMEM || (st == SJ_OK && note_version(d, t, cell) != SJ_OK))
		return SJ_NOMEM;
	if (st == SJ_OK && o->begun) {
		st = sj_direct_last_deltas(d, t);
		if (st == SJ_OK && o->env.op == SJ_CHECK_CREATE && d->f->opt.ncatalogs > 1) {
			st = sj_value_from_tape(d->f->mem, t, 0, &v);
			if (st == SJ_OK) {
				st = note_surface(d, &v);
				sj_value_unref(d->f->mem, v);
			}
		}
		return st;
	}
	enum sj_status good = st;
	if (one_by_one && o->all.type == SJ_V_ABSENT && o->fresh.type != SJ_V_ABSENT)
		o->all = sj_value_ref(o->fresh);
	st = one_by_one ? sj_direct_build(d, t, false, &v) : sj_value_from_tape(d->f->mem, t, cell, &v);
	if (st != SJ_OK)
		return st;
	if (good != SJ_OK && !o->begun)
		good = sj_heal_message(d, &v);
	if (good == SJ_OK)
		return accept(d, v);
	sj_value_unref(d->f->mem, v);
	if (good != SJ_NOMEM)
		refuse(d, SJ_INVALID, &diag);
	return good == SJ_NOMEM ? good : SJ_OK;
}

/* The text of the lexer is a whole message, or an object around several. */
static enum sj_status whole_text(struct sj_direct *d)
{
	enum sj_status st = sj_direct_read(d, true);
	if (st != SJ_OK) /* the lexer has the fault */
		return st == SJ_NOMEM ? st : SJ_OK;
	struct sj_tape t = sj_direct_tape(d, d->reader.count);
	uint32_t list = sj_tape_type(&t, 0) == SJ_J_OBJECT ? sj_tape_get(&t, 0, SJ_LIT("messages")) : 0;
	if (!list || sj_tape_type(&t, list) != SJ_J_ARRAY) {
		st = take_message(d, &t, 0);
		d->made++;
		d->in_block++;
	} else {
		for (uint32_t at = list + 1; st == SJ_OK && at < t.cells[list].end; at = sj_tape_next(&t, at)) {
			uint32_t body = sj_tape_type(&t, at) == SJ_J_OBJECT
			                        ? sj_tape_get(&t, at, SJ_LIT("updateComponents"))
			                        : 0;
			if (body)
				sj_direct_surface(d, &t, body);
			st = take_message(d, &t, at);
			d->made++;
			d->in_block++;
		}
	}
	sj_direct_forget(d);
	d->check.surface = NULL;
	return st;
}

/* ---- a block ----------------------------------------------------------------------------------------------------- */

static void out_of_memory(struct sj_direct *d)
{
	d->status = SJ_NOMEM;
	d->lex.dead = true;
}

/* The lexer stopped inside a message: an earlier fault may lie in what it wrote, however the bytes were cut. */
static void bury(struct sj_direct *d)
{
	if (!d->lex.dead || d->buried || d->status == SJ_NOMEM)
		return;
	d->buried = true;
	if (d->lex.status != SJ_NOMEM && d->lex.text.len > 0 && sj_direct_read(d, false) == SJ_NOMEM)
		out_of_memory(d);
}

const char *sj_direct_bytes(struct sj_direct *d, const char *p, const char *end)
{
	for (;;) {
		switch (sj_lex_next(&d->lex, &p, end)) {
		case SJ_LEX_MESSAGE:
			if (whole_text(d) == SJ_NOMEM)
				out_of_memory(d);
			break;
		case SJ_LEX_MORE:
		case SJ_LEX_ANGLE:
			bury(d);
			return p;
		}
	}
}

enum sj_status sj_direct_flush(struct sj_direct *d)
{
	enum sj_status st = d->status;
	if (d->lex.state != SJ_LEX_TOP && !d->lex.dead && st == SJ_OK && !d->whole)
		st = d->opt->deltas ? sj_direct_deltas(d) : sj_direct_partial(d);
	return st == SJ_NOMEM || d->lex.status == SJ_NOMEM ? SJ_NOMEM : SJ_OK;
}

enum sj_status sj_direct_close(struct sj_direct *d, struct sj_diag *diag)
{
	while (sj_lex_end(&d->lex) == SJ_LEX_MESSAGE)
		if (whole_text(d) == SJ_NOMEM)
			out_of_memory(d);
	bury(d);
	/* What is no JSON comes before what is no message. */
	enum sj_status st = d->lex.status != SJ_OK ? d->lex.status : d->status;
	d->lex.fault.message_number = d->made + 1;
	if (st != SJ_OK && diag && diag->code == SJ_E_NONE)
		*diag = d->lex.status != SJ_OK ? d->lex.fault : d->fault;
	return st;
}

/* ---- the row ----------------------------------------------------------------------------------------------------- */

static enum sj_status compile(const struct sj_format *f, struct sj_slice payload, struct sj_value *messages,
                              struct sj_repairs *repairs, struct sj_diag *diag)
{
	struct sj_parser_options opt = {.unwrapped = true};
	struct sj_direct *d = sj_mem_alloc(f->mem, sizeof *d);
	const char *p = payload.ptr ? payload.ptr : "", *end = p + payload.len;
	enum sj_status st;
	if (!d)
		return SJ_NOMEM;
	sj_direct_init(d, f, &opt, repairs);
	d->whole = true;
	sj_direct_begin(d, 1, 0);
	while (p < end) {
		p = sj_direct_bytes(d, p, end);
		if (p < end) {
			sj_lex_angle(&d->lex, sj_slice(p, 1));
			p++;
		}
	}
	st = sj_direct_close(d, diag);
	if (st == SJ_OK && d->out.type == SJ_V_ABSENT)
		st = sj_value_array(f->mem, &d->out);
	if (st == SJ_OK) {
		*messages = d->out;
		d->out = SJ_ABSENT_VALUE;
	}
	sj_direct_finish(d);
	sj_mem_free(f->mem, d, sizeof *d);
	return st;
}

static enum sj_status decompile(const struct sj_format *f, const struct sj_value *messages, struct sj_buf *out,
                                struct sj_diag *diag)
{
	(void)f;
	(void)diag;
	sj_value_print(out, messages, SJ_PRINT_PRETTY);
	return sj_buf_status(out);
}

const struct sj_format_ops SJ_FORMAT_OPS_DIRECT_JSON = {
	.name = "direct_json",
	.tags = {"a2ui-json"},
	.quotes = "\"",
	.streams = true,
	.checks = true,
	.compile = compile,
	.decompile = decompile,
	.prompt = sj_prompt_direct,
};
