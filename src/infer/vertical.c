/* Vertical: statements to messages, whole and while they arrive. */
#include "infer/vertical.h"

#include <stdio.h>

#include "infer/check.h"

void sj_vertical_surface_id(uint32_t index, char out[32])
{
	snprintf(out, 32, index > 0 ? "default_surface_%u" : "default_surface", index);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static enum sj_status set_text(struct sj_mem *mem, struct sj_value *object, const char *key, struct sj_slice text)
{
	struct sj_value v;
	enum sj_status st = sj_value_string(mem, text, &v);
	return st == SJ_OK ? sj_value_set(mem, object, sj_slice_of(key), v) : st;
}

/* {version, KEY: body}, appended. Takes the body. */
static enum sj_status put_message(const struct sj_format *f, const char *key, struct sj_value take,
                                  struct sj_value *messages)
{
	struct sj_value m;
	enum sj_status st = sj_value_object(f->mem, &m);
	if (st != SJ_OK) {
		sj_value_unref(f->mem, take);
		return st;
	}
	st = set_text(f->mem, &m, "version", sj_slice_of(sj_version_text(f->opt.version)));
	if (st == SJ_OK)
		st = sj_value_set(f->mem, &m, sj_slice_of(key), take);
	else
		sj_value_unref(f->mem, take);
	if (st == SJ_OK)
		return sj_value_append(f->mem, messages, m);
	sj_value_unref(f->mem, m);
	return st;
}

static enum sj_status new_body(const struct sj_format *f, struct sj_slice id, struct sj_value *body)
{
	enum sj_status st = sj_value_object(f->mem, body);
	if (st != SJ_OK)
		return st;
	st = set_text(f->mem, body, "surfaceId", id);
	if (st != SJ_OK)
		sj_value_unref(f->mem, *body);
	return st;
}

static enum sj_status put_components(const struct sj_format *f, const char *key, struct sj_value body,
                                     const struct sj_value *components, struct sj_value *messages)
{
	enum sj_status st = SJ_OK;
	if (components)
		st = sj_value_set(f->mem, &body, SJ_LIT("components"), sj_value_ref(*components));
	if (st == SJ_OK)
		return put_message(f, key, body, messages);
	sj_value_unref(f->mem, body);
	return st;
}

/* One surface: createSurface, and before v1.0 updateComponents. */
static enum sj_status put_surface(const struct sj_format *f, uint32_t index, const struct sj_value *components,
                                  struct sj_value *messages, struct sj_diag *diag)
{
	bool whole = f->opt.version == SJ_V10;
	const struct sj_catalog *catalog = NULL;
	const struct sj_a2ui_component *type;
	struct sj_value body;
	char id[32];
	sj_vertical_surface_id(index, id);
	enum sj_status st = new_body(f, sj_slice_of(id), &body);
	if (st != SJ_OK)
		return st;
	/* Of several catalogs each component of v1.0 names its own; before, the surface has that of its root. */
	const struct sj_value *name = sj_value_get(sj_value_item(components, 0), SJ_LIT("component"));
	st = sj_format_component(f, sj_value_text(name), SJ_NO_SLICE, &catalog, &type, diag);
	if (st == SJ_OK && (f->opt.ncatalogs == 1 || !whole))
		st = set_text(f->mem, &body, "catalogId", sj_catalog_id(catalog));
	if (st != SJ_OK) {
		sj_value_unref(f->mem, body);
		return st;
	}
	st = put_components(f, "createSurface", body, whole ? components : NULL, messages);
	if (st != SJ_OK || whole)
		return st;
	st = new_body(f, sj_slice_of(id), &body);
	return st == SJ_OK ? put_components(f, "updateComponents", body, components, messages) : st;
}

/* ---- the check --------------------------------------------------------------------------------------------------- */

/* Notation has a binding wherever a value may stand; a place whose schema takes only a number or a truth value is
 * checked as if one stood there. (The suite has it so; a renderer will show that it cannot be bound.) */
static enum sj_status stand_in(const struct sj_format *f, struct sj_value *component)
{
	const struct sj_value *name = sj_value_get(component, SJ_LIT("component"));
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; i < f->opt.ncatalogs && st == SJ_OK; i++) {
		const struct sj_a2ui_component *type = sj_catalog_component(f->catalogs[i], sj_value_text(name));
		for (uint32_t k = 0; type && k < type->nprops && st == SJ_OK; k++) {
			const struct sj_a2ui_prop *row = &type->props[k];
			const struct sj_value *v = sj_value_get(component, row->name);
			if (!v || v->type != SJ_V_OBJECT || row->cls != SJ_AC_PLAIN || sj_value_count(v) != 1 ||
			    !sj_value_get(v, sj_format_key_path(f)))
				continue;
			if (row->dyn == SJ_DYN_NUMBER)
				st = sj_value_set(f->mem, component, row->name, sj_value_int(0));
			else if (row->dyn == SJ_DYN_BOOLEAN)
				st = sj_value_set(f->mem, component, row->name, sj_value_bool(false));
		}
	}
	return st;
}

static enum sj_status check(const struct sj_format *f, const struct sj_value *message, struct sj_diag *diag)
{
	enum sj_status st = SJ_OK;
	struct sj_slice key;
	const struct sj_value *said = sj_value_member(message, 1, &key);
	if (!sj_value_get(said, SJ_LIT("components")))
		return sj_format_check(f, message, diag);
	struct sj_value copy = sj_value_ref(*message), *body = sj_value_own_member(f->mem, &copy, key, &st);
	struct sj_value *list = body ? sj_value_own_member(f->mem, body, SJ_LIT("components"), &st) : NULL;
	for (uint32_t i = 0; list && i < sj_value_count(list) && st == SJ_OK; i++) {
		struct sj_value *component = sj_value_own_item(f->mem, list, i, &st);
		if (component)
			st = stand_in(f, component);
	}
	if (st == SJ_OK)
		st = sj_format_check(f, &copy, diag);
	sj_value_unref(f->mem, copy);
	return st;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

struct block {
	const struct sj_format *f;
	struct sj_slice text;
	struct sj_repairs *repairs;
	struct sj_diag *diag;
	size_t counted; /* bytes whose lines are in `line` */
	uint32_t line;
};

static uint32_t line_at(struct block *b, size_t at)
{
	for (; b->counted < at; b->counted++)
		b->line += b->text.ptr[b->counted] == '\n';
	return b->line;
}

/* What lies between two statements: blanks and separators, comments, the marks of fences, or words. */
static enum sj_status note_gap(struct block *b, size_t from, size_t to)
{
	static const struct {
		enum sj_repair_kind kind;
		const char *text;
	} kinds[] = {
		{SJ_REPAIR_FENCE, "took the mark of a Markdown fence away"},
		{SJ_REPAIR_COMMENT, "passed over a comment"},
		{SJ_REPAIR_TEXT_AROUND, "passed over words that are no component"},
	};
	bool noted[3] = {false, false, false};
	size_t at = from, end;
	while (at < to) {
		while (at < to && sj_vertical_in(" \t\r\n;,", b->text.ptr[at]))
			at++;
		struct sj_slice rest = sj_slice(b->text.ptr + at, to - at);
		if (rest.len == 0)
			break;
		bool block = sj_slice_starts(rest, "/*");
		int kind = sj_slice_starts(rest, "```")                                    ? 0
		           : block || rest.ptr[0] == '#' || sj_slice_starts(rest, "//") ? 1
		                                                                        : 2;
		if (!noted[kind]) {
			enum sj_status st = sj_repair_note(b->f->mem, b->repairs, kinds[kind].kind, line_at(b, at), at,
			                                   b->diag, "%s", kinds[kind].text);
			if (st != SJ_OK)
				return st;
		}
		noted[kind] = true;
		for (end = at + 1; end < to; end++)
			if (block ? end >= at + 3 && b->text.ptr[end - 1] == '*' && b->text.ptr[end] == '/'
			          : b->text.ptr[end] == '\n')
				break;
		at = end + (block && end < to);
	}
	return SJ_OK;
}

/* Surfaces of one statement, appended to `out` as messages. */
static enum sj_status compile_statement(struct block *b, const struct sj_vertical_scan *s,
                                        uint32_t *index, struct sj_value *out)
{
	struct sj_vertical v = {.f = b->f, .text = sj_slice(b->text.ptr + s->start, s->end - s->start)};
	struct sj_value surfaces;
	enum sj_status st = sj_value_array(b->f->mem, &surfaces);
	if (st != SJ_OK)
		return st;
	uint32_t line = line_at(b, s->start);
	st = sj_vertical_parse(&v, s->start, line, &surfaces, b->repairs, b->diag);
	for (uint32_t i = 0; i < sj_value_count(&surfaces) && st == SJ_OK; i++) {
		uint32_t first = sj_value_count(out);
		st = put_surface(b->f, (*index)++, sj_value_item(&surfaces, i), out, b->diag);
		for (uint32_t k = first; k < sj_value_count(out) && st == SJ_OK; k++)
			st = check(b->f, sj_value_item(out, k), b->diag);
	}
	if ((st == SJ_INVALID || st == SJ_LIMIT) && b->diag && b->diag->line == 0) {
		b->diag->line = line;
		b->diag->offset = s->start;
	}
	sj_value_unref(b->f->mem, surfaces);
	return st;
}

static enum sj_status compile_more(const struct sj_format *f, struct sj_slice statements, uint32_t before,
                                   struct sj_value *messages, struct sj_repairs *repairs, struct sj_diag *diag)
{
	while (statements.len > 0 && sj_vertical_in(" \t\r\n", statements.ptr[statements.len - 1]))
		statements.len--; /* a block that is read whole comes without, too */
	struct block b = {.f = f, .text = statements, .repairs = repairs, .diag = diag, .line = 1};
	struct sj_vertical v = {.f = f, .text = statements};
	struct sj_vertical_scan s = {0};
	struct sj_value out;
	uint32_t index = f->opt.version == SJ_V10 ? before : before / 2;
	size_t done = 0;
	if (f->opt.version == SJ_V08)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_UNAVAILABLE, SJ_CAT_COMPILE,
		                   "Vertical makes messages of v0.9 and later");
	enum sj_status st = sj_value_array(f->mem, &out);
	if (st != SJ_OK)
		return st;
	for (;;) {
		if (sj_vertical_next(&v, &s, true) != SJ_YES) {
			st = note_gap(&b, done, statements.len);
			break;
		}
		st = note_gap(&b, done, s.start);
		if (st == SJ_OK)
			st = compile_statement(&b, &s, &index, &out);
		if (st != SJ_OK)
			break;
		done = s.end;
	}
	if (st == SJ_OK && before == 0 && sj_value_count(&out) == 0)
		st = sj_diag_set(diag, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE, "the block holds no component");
	if (st == SJ_OK)
		*messages = out;
	else
		sj_value_unref(f->mem, out);
	return st;
}

static enum sj_status compile(const struct sj_format *f, struct sj_slice payload, struct sj_value *messages,
                              struct sj_repairs *repairs, struct sj_diag *diag)
{
	return compile_more(f, payload, 0, messages, repairs, diag);
}

static size_t ready(const struct sj_format *f, void *scan, struct sj_slice payload)
{
	struct sj_vertical v = {.f = f, .text = payload};
	struct sj_vertical_scan *s = scan;
	size_t end = 0;
	while (sj_vertical_next(&v, s, false) == SJ_YES)
		end = s->end;
	return end;
}

const struct sj_format_ops SJ_FORMAT_OPS_VERTICAL = {
	.name = "vertical",
	.tags = {"a2ui", "a2ui-vertical"},
	.quotes = "\"'",
	.streams = true,
	.streams_space = true,
	.groups_text = true,
	.checks = true,
	.compile = compile,
	.compile_more = compile_more,
	.decompile = sj_vertical_decompile,
	.prompt = sj_vertical_prompt,
	.scan_bytes = sizeof(struct sj_vertical_scan),
	.ready = ready,
};
