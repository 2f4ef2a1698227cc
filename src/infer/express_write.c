/* Messages as Express. */
#include "infer/compact_section.h"
#include "infer/express.h"

static enum sj_status write_surface(struct sj_cwriter *w, const struct sj_surface_line *line)
{
	const struct { const char *name; const struct sj_value *v;
	} options[] = {{"sendDataModel", line->send}, {"theme", line->theme}, {"metadata", line->metadata}};
	enum sj_status st = SJ_OK;
	sj_buf_puts(w->out, "surface(");
	sj_json_print_string(w->out, line->id);
	if (line->catalog.ptr) {
		sj_buf_puts(w->out, ", ");
		sj_json_print_string(w->out, line->catalog);
	} else if (line->no_catalog) {
		sj_buf_puts(w->out, ", _");
	}
	for (size_t i = 0; i < 3 && st == SJ_OK; i++)
		if (options[i].v) {
			sj_buf_printf(w->out, ", %s=", options[i].name);
			st = sj_compact_write(w, options[i].v, &SJ_COMPACT_LITERAL);
		}
	if (line->create != SJ_CREATE_UNSAID)
		sj_buf_puts(w->out, line->create == SJ_CREATE_YES ? ", create=true" : ", create=false");
	sj_buf_puts(w->out, ")\n");
	return st;
}

static enum sj_status write_component(struct sj_cwriter *w, const struct sj_value *c)
{
	const struct sj_a2ui_component *type;
	struct sj_slice id, written, name;
	enum sj_status st = sj_compact_type(w, c, &type, &written);
	if (st != SJ_OK || !sj_text_member(c, "id", &id))
		return st == SJ_OK ? SJ_ABSENT : st;
	(void)sj_text_member(c, "component", &name);
	if (sj_compact_is_name(id))
		sj_buf_slice(w->out, id);
	else
		sj_json_print_string(w->out, id);
	sj_buf_puts(w->out, " = ");
	sj_buf_slice(w->out, name);
	sj_buf_putc(w->out, '(');
	w->own = sj_compact_own_value(type, c);
	uint32_t leading = sj_compact_leading(type, c);
	const char *between = "";
	for (uint32_t i = 0; i < leading && st == SJ_OK; i++, between = ", ") {
		const struct sj_a2ui_prop *p = type->positions[i];
		sj_buf_puts(w->out, between);
		st = sj_compact_write(w, sj_value_get(c, p->name), p);
	}
	for (uint32_t i = 0; i < sj_value_count(c) && st == SJ_OK; i++) {
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(c, i, &key);
		bool done = sj_slice_is(key, "id") || sj_slice_is(key, "component") || sj_slice_is(key, "catalogId");
		for (uint32_t k = 0; k < leading && !done; k++)
			done = sj_slice_eq(type->positions[k]->name, key);
		if (done)
			continue;
		if (!sj_compact_is_name(key))
			return SJ_ABSENT;
		sj_buf_printf(w->out, "%s%.*s=", between, SJ_ARG(key));
		between = ", ";
		st = sj_compact_write(w, v, sj_compact_prop(type, key));
	}
	if (written.ptr) {
		sj_buf_printf(w->out, "%scatalogId=", between);
		sj_json_print_string(w->out, written);
	}
	w->own = NULL;
	sj_buf_puts(w->out, ")\n");
	return st;
}

static enum sj_status write_components(struct sj_cwriter *w, const struct sj_value *list)
{
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; i < sj_value_count(list) && st == SJ_OK; i++)
		st = write_component(w, sj_value_item(list, i));
	return st;
}

static enum sj_status write_leaf(struct sj_cwriter *w, struct sj_slice path, const struct sj_value *value)
{
	sj_compact_path_text(w, path);
	sj_buf_puts(w->out, " = ");
	enum sj_status st = sj_compact_write(w, value, &SJ_COMPACT_LITERAL);
	sj_buf_putc(w->out, '\n');
	return st;
}

static enum sj_status write_data(struct sj_cwriter *w, struct sj_slice path, const struct sj_value *value)
{
	enum sj_status st = SJ_OK;
	sj_buf_puts(w->out, "_data(");
	if (path.ptr)
		sj_compact_path_text(w, path);
	else
		sj_buf_putc(w->out, '_');
	if (value) {
		sj_buf_puts(w->out, ", ");
		st = sj_compact_write(w, value, &SJ_COMPACT_LITERAL);
	}
	sj_buf_puts(w->out, ")\n");
	return st;
}

static enum sj_status write_remove(struct sj_cwriter *w, struct sj_slice id)
{
	sj_buf_puts(w->out, "deleteSurface(");
	sj_json_print_string(w->out, id);
	sj_buf_puts(w->out, ")\n");
	return SJ_OK;
}

static enum sj_status write_call(struct sj_cwriter *w, const struct sj_value *call, struct sj_slice id)
{
	enum sj_status st = sj_compact_write_call(w, call, id);
	sj_buf_putc(w->out, '\n');
	return st;
}

static const struct sj_section_ops sections = {
	.surface = write_surface,
	.components = write_components,
	.leaf = write_leaf,
	.data = write_data,
	.remove = write_remove,
	.call = write_call,
};

enum sj_status sj_express_write(const struct sj_format *f, const struct sj_value *messages, struct sj_buf *out,
                                bool *equated, struct sj_diag *diag)
{
	return sj_sections_write(f, &sections, false, messages, out, equated, diag);
}
