/* Messages as sections of a compact notation. A section is opened for each surface whose turn it is; what compiling
 * would read otherwise gets a section of its own. */
#include "infer/compact_section.h"

struct writer {
	struct sj_cwriter w;
	const struct sj_section_ops *ops;
	struct sj_diag *diag;
	const struct sj_value *messages;
	struct sj_map live;      /* surfaces made so far: 1, deleted: 0 */
	struct sj_map catalogs;  /* surface: number of the message that made it */
	struct sj_slice section; /* surface of the section; ptr NULL: none is open */
	bool closed;             /* nothing can join the section */
	bool has_components, has_data;
	uint32_t calls, at;
};

static enum sj_status refuse(struct writer *x, const char *why)
{
	if (x->diag && x->diag->code == SJ_E_NONE)
		sj_diag_pointer(x->diag, "/%u", x->at);
	return sj_diag_set(x->diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_COMPILE,
	                   "the notation cannot say message %u: %s", x->at, why);
}

bool sj_text_member(const struct sj_value *object, const char *key, struct sj_slice *out)
{
	const struct sj_value *v = sj_value_get(object, sj_slice_of(key));
	if (!v || !sj_value_is_string(v))
		return false;
	*out = sj_value_text(v);
	return true;
}

/* Only members of these names? */
static bool only_known(const struct sj_value *body, const char *const *names, size_t n)
{
	for (uint32_t i = 0; i < sj_value_count(body); i++) {
		struct sj_slice key;
		bool known = false;
		sj_value_member(body, i, &key);
		for (size_t k = 0; k < n; k++)
			known = known || sj_slice_is(key, names[k]);
		if (!known)
			return false;
	}
	return true;
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

static void end_section(struct writer *x)
{
	if (x->section.ptr && x->ops->end)
		x->ops->end(&x->w);
	x->section = SJ_NO_SLICE;
}

static enum sj_status open_section(struct writer *x, const struct sj_surface_line *line)
{
	end_section(x);
	if (x->w.out->len > 0)
		sj_buf_putc(x->w.out, '\n');
	x->section = line->id.ptr ? line->id : SJ_LIT("");
	x->closed = x->has_components = x->has_data = false;
	uint32_t made = sj_map_get(&x->catalogs, line->id);
	const struct sj_value *m = made == SJ_MAP_NONE ? NULL : sj_value_item(x->messages, made);
	x->w.surface = SJ_NO_SLICE;
	if (m)
		(void)sj_text_member(sj_value_get(m, SJ_LIT("createSurface")), "catalogId", &x->w.surface);
	enum sj_status st = x->ops->surface(&x->w, line);
	return st == SJ_ABSENT ? refuse(x, "its surface cannot be spelled") : st;
}

/* A section for more of a surface. */
static enum sj_status open_more(struct writer *x, struct sj_slice id, bool roots)
{
	struct sj_surface_line line = {.id = id};
	if (roots && sj_map_get(&x->live, id) != 1)
		line.create = SJ_CREATE_NO;
	return open_section(x, &line);
}

static bool is_open(const struct writer *x, struct sj_slice id)
{
	return x->section.ptr && sj_slice_eq(x->section, id) && !x->closed;
}

static bool has_root(const struct sj_value *components)
{
	for (uint32_t i = 0; components && i < sj_value_count(components); i++) {
		struct sj_slice id;
		const struct sj_value *c = sj_value_item(components, i);
		if (c->type == SJ_V_OBJECT && sj_text_member(c, "id", &id) && sj_slice_is(id, "root"))
			return true;
	}
	return false;
}

static enum sj_status write_components(struct writer *x, const struct sj_value *list)
{
	if (!list || list->type != SJ_V_ARRAY || sj_value_count(list) == 0)
		return refuse(x, "it has no list of components");
	enum sj_status st = x->ops->components(&x->w, list);
	x->has_components = true;
	return st == SJ_ABSENT
	               ? refuse(x, "a component has no id, a type that no catalog has, or a name that is none")
	               : st;
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

enum { MAX_LEVELS = 48 }; /* parts of a path that are spelled out */

/* A map whose members can all be places of their own. */
static bool spells_out(const struct sj_value *v)
{
	if (v->type != SJ_V_OBJECT || sj_value_count(v) == 0)
		return false;
	for (uint32_t i = 0; i < sj_value_count(v); i++) {
		struct sj_slice key;
		sj_value_member(v, i, &key);
		if (!sj_compact_is_segment(key))
			return false;
	}
	return true;
}

/* One assignment for each leaf. */
static enum sj_status write_leaves(struct writer *x, const struct sj_value *root)
{
	struct { const struct sj_value *v; uint32_t i; size_t len;
	} stack[MAX_LEVELS];
	struct sj_buf path;
	uint32_t depth = 0;
	enum sj_status st = SJ_OK;
	sj_buf_init(&path, x->w.f->mem, 0);
	x->has_data = true;
	if (!spells_out(root)) {
		st = x->ops->leaf(&x->w, SJ_LIT("/"), root);
	} else {
		stack[depth].v = root;
		stack[depth].i = 0;
		stack[depth++].len = 0;
	}
	while (depth > 0 && st == SJ_OK) {
		uint32_t top = depth - 1;
		if (stack[top].i >= sj_value_count(stack[top].v)) {
			depth--;
			continue;
		}
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(stack[top].v, stack[top].i++, &key);
		path.len = stack[top].len;
		sj_buf_putc(&path, '/');
		sj_buf_slice(&path, key);
		st = sj_buf_status(&path);
		if (depth < MAX_LEVELS && path.len < SJ_LIMITS_DEFAULT.pointer_bytes / 2 && spells_out(v)) {
			stack[depth].v = v;
			stack[depth].i = 0;
			stack[depth++].len = path.len;
			continue;
		}
		if (st == SJ_OK)
			st = x->ops->leaf(&x->w, sj_buf_view(&path), v);
	}
	sj_buf_finish(&path);
	return st;
}

static enum sj_status update_data(struct writer *x, const struct sj_value *body, struct sj_slice id)
{
	static const char *const known[] = {"surfaceId", "path", "value"};
	const struct sj_value *value = sj_value_get(body, SJ_LIT("value")), *at = sj_value_get(body, SJ_LIT("path"));
	struct sj_slice path = SJ_NO_SLICE;
	enum sj_status st = SJ_OK;
	if (!only_known(body, known, 3) || (at && !sj_text_member(body, "path", &path)))
		return refuse(x, "it has members that are not known");
	bool whole = path.ptr && sj_slice_is(path, "/") && value;
	if (!is_open(x, id) || (whole && x->has_data))
		st = open_more(x, id, false);
	if (st != SJ_OK)
		return st;
	return whole ? write_leaves(x, value) : x->ops->data(&x->w, path, value);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static const struct sj_value *body_of(const struct sj_value *m, const char *kind, struct sj_slice id)
{
	struct sj_slice other;
	const struct sj_value *body = m && m->type == SJ_V_OBJECT ? sj_value_get(m, sj_slice_of(kind)) : NULL;
	bool same = body && body->type == SJ_V_OBJECT && sj_text_member(body, "surfaceId", &other) &&
	            sj_slice_eq(other, id);
	return same ? body : NULL;
}

/* Before v1.0 the section of a new surface also holds its first components (and what data comes before them), if the
 * root is among these: else a section would not create it. */
static bool root_follows(const struct writer *x, struct sj_slice id)
{
	const struct sj_value *next = sj_value_item(x->messages, x->at + 1),
			      *body = body_of(next, "updateDataModel", id);
	struct sj_slice path;
	if (body && sj_text_member(body, "path", &path) && sj_slice_is(path, "/") &&
	    sj_value_get(body, SJ_LIT("value")))
		next = sj_value_item(x->messages, x->at + 2);
	body = body_of(next, "updateComponents", id);
	return body && has_root(sj_value_get(body, SJ_LIT("components")));
}

static enum sj_status read_line(struct writer *x, const struct sj_value *body, struct sj_surface_line *line)
{
	const struct sj_format_options *opt = &x->w.f->opt;
	struct sj_slice catalog = SJ_NO_SLICE;
	if (sj_value_get(body, SJ_LIT("catalogId")) && !sj_text_member(body, "catalogId", &catalog))
		return refuse(x, "its catalogId is no string");
	bool known = !catalog.ptr;
	for (uint32_t i = 0; i < opt->ncatalogs; i++)
		known = known || sj_slice_eq(sj_catalog_id(opt->catalogs[i]), catalog);
	if (!known)
		return refuse(x, "its catalog is none of the active ones");
	if (opt->ncatalogs > 1 && opt->version >= SJ_V10)
		x->w.equated = x->w.equated || catalog.ptr;
	else if (opt->ncatalogs > 1)
		line->catalog = catalog;
	else
		line->no_catalog = !catalog.ptr;
	line->send = sj_value_get(body, SJ_LIT("sendDataModel"));
	line->theme = sj_value_get(body, SJ_LIT("theme"));
	line->metadata = sj_value_get(body, SJ_LIT("metadata"));
	return SJ_OK;
}

static enum sj_status create_surface(struct writer *x, const struct sj_value *body, struct sj_slice id)
{
	static const char *const known[] = {"surfaceId", "catalogId",  "sendDataModel", "theme",
	                                    "metadata",  "components", "dataModel"};
	const struct sj_value *components = sj_value_get(body, SJ_LIT("components")),
			      *data = sj_value_get(body, SJ_LIT("dataModel"));
	bool whole = x->w.f->opt.version >= SJ_V10, joins = !whole && root_follows(x, id);
	struct sj_surface_line line = {.id = id};
	if (!only_known(body, known, 7) || (!whole && (components || data)))
		return refuse(x, "it has members that are not known");
	enum sj_status st = read_line(x, body, &line);
	if (st == SJ_OK)
		st = sj_map_put(&x->catalogs, id, x->at);
	if (st != SJ_OK)
		return st;
	/* A section that says something but has no root would be an update, and so would one on a living surface. */
	if (sj_map_get(&x->live, id) == 1 || ((components || data) && !has_root(components)))
		line.create = SJ_CREATE_YES;
	st = open_section(x, &line);
	if (st == SJ_OK)
		st = sj_map_put(&x->live, id, 1);
	if (st == SJ_OK && data)
		st = write_leaves(x, data);
	if (st == SJ_OK && components)
		st = write_components(x, components);
	x->closed = !joins;
	x->has_components = x->has_data = false;
	return st;
}

static enum sj_status update_components(struct writer *x, const struct sj_value *body, struct sj_slice id)
{
	static const char *const known[] = {"surfaceId", "components"};
	const struct sj_value *list = sj_value_get(body, SJ_LIT("components"));
	enum sj_status st = SJ_OK;
	if (!only_known(body, known, 2))
		return refuse(x, "it has members that are not known");
	/* A section that began with data for somebody else's surface cannot take its root. */
	bool foreign = has_root(list) && sj_map_get(&x->live, id) != 1;
	if (!is_open(x, id) || x->has_components || foreign)
		st = open_more(x, id, foreign);
	return st == SJ_OK ? write_components(x, list) : st;
}

static enum sj_status call_function(struct writer *x, const struct sj_value *body)
{
	static const char *const known[] = {"functionCallId", "callFunction"};
	const struct sj_value *call = sj_value_get(body, SJ_LIT("callFunction"));
	struct sj_slice id, catalog;
	struct sj_buf made;
	if (!only_known(body, known, 2) || !call || call->type != SJ_V_OBJECT ||
	    !sj_text_member(body, "functionCallId", &id) || !sj_text_member(call, "catalogId", &catalog))
		return refuse(x, "its call is incomplete or has members that are not known");
	if (x->ops->end)
		end_section(x);
	sj_buf_init(&made, x->w.f->mem, 0);
	sj_buf_printf(&made, "call_%u", ++x->calls);
	enum sj_status st = sj_buf_status(&made);
	if (st == SJ_OK)
		st = x->ops->call(&x->w, call, sj_slice_eq(sj_buf_view(&made), id) ? SJ_NO_SLICE : id);
	sj_buf_finish(&made);
	return st == SJ_ABSENT ? refuse(x, "its function is not known, or cannot be spelled") : st;
}

static enum sj_status delete_surface(struct writer *x, const struct sj_value *body, struct sj_slice id)
{
	if (sj_value_count(body) != 1)
		return refuse(x, "it has members that are not known");
	if (x->ops->end)
		end_section(x);
	enum sj_status st = x->ops->remove(&x->w, id);
	return st == SJ_OK ? sj_map_put(&x->live, id, 0) : st;
}

static enum sj_status write_message(struct writer *x, const struct sj_value *m)
{
	static const struct {
		const char *kind;
		enum sj_status (*write)(struct writer *x, const struct sj_value *body, struct sj_slice id);
	} kinds[] = {
		{"createSurface", create_surface},
		{"updateComponents", update_components},
		{"updateDataModel", update_data},
		{"deleteSurface", delete_surface},
	};
	struct sj_slice version, id;
	if (m->type != SJ_V_OBJECT || sj_value_count(m) != 2 || !sj_text_member(m, "version", &version) ||
	    !sj_slice_is(version, sj_version_text(x->w.f->opt.version)))
		return refuse(x, "it is of another version, or no message");
	const struct sj_value *call = sj_value_get(m, SJ_LIT("callRendererFunction"));
	if (call && call->type == SJ_V_OBJECT && x->w.f->opt.version >= SJ_V10)
		return call_function(x, call);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const struct sj_value *body = sj_value_get(m, sj_slice_of(kinds[i].kind));
		if (body && body->type == SJ_V_OBJECT && sj_text_member(body, "surfaceId", &id))
			return kinds[i].write(x, body, id);
	}
	return refuse(x, "there is no statement for its kind");
}

enum sj_status sj_sections_write(const struct sj_format *f, const struct sj_section_ops *ops, bool elemental,
                                 const struct sj_value *messages, struct sj_buf *out, bool *equated,
                                 struct sj_diag *diag)
{
	struct writer x = {.w = {.f = f, .out = out, .elemental = elemental}, .ops = ops, .diag = diag,
	                   .messages = messages};
	enum sj_status st = SJ_OK;
	if (messages->type != SJ_V_ARRAY || sj_value_count(messages) == 0)
		return refuse(&x, "there are no messages");
	if (f->opt.version < SJ_V09)
		return refuse(&x, "it is of a version before v0.9");
	sj_map_init(&x.live, f->mem, 0);
	sj_map_init(&x.catalogs, f->mem, 0);
	for (; x.at < sj_value_count(messages) && st == SJ_OK; x.at++)
		st = write_message(&x, sj_value_item(messages, x.at));
	end_section(&x);
	*equated = x.w.equated;
	sj_map_finish(&x.live);
	sj_map_finish(&x.catalogs);
	return st == SJ_OK ? sj_buf_status(out) : st;
}
