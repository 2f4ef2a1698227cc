/* A program to messages. Statements between two surface lines are a section; a section speaks about one surface. Its
 * messages come in the order of their first statements. */
#include <string.h>

#include "infer/compact_lower.h"

enum want { BY_CONTENT, YES, NO };
struct section {
	struct sj_slice id, catalog; /* catalog ptr NULL: not named */
	bool no_catalog, stated;     /* stated: there is a surface line */
	enum want create;
	struct sj_value send, theme, metadata; /* ABSENT: not given */
	uint32_t first, end;                   /* statements */
	uint32_t line_node;
	bool has_root, has_components, has_data, has_own; /* own: _data(...) */
};

struct block {
	const struct sj_format *f;
	struct sj_program *p;
	struct sj_lower l;
	struct sj_map live; /* surfaces this block made: 1, or deleted: 0 */
	struct sj_value out;
	uint32_t calls;
};

static const struct sj_cnode *node_at(const struct block *b, uint32_t n) { return &b->p->nodes.items[n]; }

#define FAULT(b, n, cat, ...)                                                                                          \
	sj_compact_fault((b)->p->diag, (cat), node_at((b), (n))->line, node_at((b), (n))->off, __VA_ARGS__)

static bool is_call(const struct block *b, uint32_t s, const char *name)
{
	const struct sj_cstmt *stmt = &b->p->stmts.items[s];
	return stmt->kind == SJ_S_CALL && sj_slice_is(node_at(b, stmt->node)->text, name);
}

static enum sj_status set_text(struct block *b, struct sj_value *object, const char *key, struct sj_slice text)
{
	struct sj_value v;
	enum sj_status st = sj_value_string(b->p->mem, text, &v);
	return st == SJ_OK ? sj_value_set(b->p->mem, object, sj_slice_of(key), v) : st;
}

/* ---- the surface line -------------------------------------------------------------------------------------------- */

static enum sj_status take_literal(struct block *b, uint32_t n, struct sj_value *out)
{
	sj_value_unref(b->p->mem, *out);
	*out = SJ_ABSENT_VALUE;
	return sj_lower_value(&b->l, n, &SJ_COMPACT_LITERAL, out);
}

static enum sj_status surface_argument(struct block *b, struct section *sec, uint32_t n, uint32_t place)
{
	static const char *const by_place[] = {"surfaceId", "catalogId"};
	const struct sj_cnode *c = node_at(b, n);
	if (!c->key.ptr && place >= 2)
		return FAULT(b, n, SJ_CAT_VALIDATION, "surface takes an id and a catalog by position");
	struct sj_slice key = c->key.ptr ? c->key : sj_slice_of(by_place[place]);
	if (sj_slice_is(key, "catalogId") && c->kind == SJ_N_SKIP) {
		sec->no_catalog = true;
		return SJ_OK;
	}
	if (c->kind == SJ_N_SKIP)
		return SJ_OK;
	if (sj_slice_is(key, "surfaceId") || sj_slice_is(key, "id") || sj_slice_is(key, "catalogId")) {
		if (c->kind != SJ_N_STRING)
			return FAULT(b, n, SJ_CAT_VALIDATION, "%.*s of a surface must be a string", SJ_ARG(key));
		*(sj_slice_is(key, "catalogId") ? &sec->catalog : &sec->id) = c->text.ptr ? c->text : SJ_LIT("");
		return SJ_OK;
	}
	if (sj_slice_is(key, "create") || sj_slice_is(key, "sendDataModel")) {
		bool yes = c->kind == SJ_N_TRUE || (c->attribute && sj_slice_is(c->text, "true")),
		     no = c->kind == SJ_N_FALSE || (c->attribute && sj_slice_is(c->text, "false"));
		if (!yes && !no)
			return FAULT(b, n, SJ_CAT_VALIDATION, "%.*s must be true or false", SJ_ARG(key));
		if (sj_slice_is(key, "create"))
			sec->create = yes ? YES : NO;
		else
			sec->send = sj_value_bool(yes);
		return SJ_OK;
	}
	if (sj_slice_is(key, "metadata") && b->f->opt.version >= SJ_V10)
		return take_literal(b, n, &sec->metadata);
	if (sj_slice_is(key, "theme") && b->f->opt.version < SJ_V10)
		return take_literal(b, n, &sec->theme);
	return FAULT(b, n, SJ_CAT_VALIDATION, "a surface of %s takes no '%.*s'", sj_version_text(b->f->opt.version),
	             SJ_ARG(key));
}

static enum sj_status surface_line(struct block *b, struct section *sec, uint32_t n)
{
	enum sj_status st = SJ_OK;
	uint32_t place = 0;
	sec->id = SJ_NO_SLICE;
	sec->stated = true;
	sec->line_node = n;
	for (uint32_t c = n + 1; st == SJ_OK && c < node_at(b, n)->end; c = node_at(b, c)->end) {
		bool positional = node_at(b, c)->key.ptr == NULL;
		st = surface_argument(b, sec, c, place);
		place += positional;
	}
	if (st == SJ_OK && !sec->id.ptr)
		return FAULT(b, n, SJ_CAT_PARSE, "surface takes the id of a surface");
	if (st != SJ_OK || !sec->catalog.ptr)
		return st;
	if (b->f->opt.ncatalogs > 1 && b->f->opt.version >= SJ_V10)
		return FAULT(b, n, SJ_CAT_VALIDATION,
		             "a surface names no catalog while several are active: each component has its own catalogId");
	for (uint32_t i = 0; i < b->f->opt.ncatalogs; i++)
		if (sj_slice_eq(sj_catalog_id(b->f->catalogs[i]), sec->catalog))
			return SJ_OK;
	return FAULT(b, n, SJ_CAT_VALIDATION, "catalog '%.*s' is none of the active catalogs", SJ_ARG(sec->catalog));
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static enum sj_status no_such(struct block *b, uint32_t n)
{
	const struct sj_catalog *from;
	const struct sj_a2ui_component *type;
	enum sj_status st =
		sj_format_component(b->f, node_at(b, n)->text, b->l.fixed, &from, &type, b->p->diag);
	if (b->p->diag && b->p->diag->code != SJ_E_NONE && b->p->diag->line == 0) {
		b->p->diag->line = node_at(b, n)->line;
		b->p->diag->offset = node_at(b, n)->off;
	}
	return st;
}

/* Before v1.0 a surface has one catalog: the one it names, else the one its first component is known in. */
static enum sj_status fix_catalog(struct block *b, struct section *sec)
{
	b->l.fixed = sec->catalog;
	if (b->f->opt.ncatalogs < 2 || b->f->opt.version >= SJ_V10 || sec->catalog.ptr)
		return SJ_OK;
	for (uint32_t s = sec->first; s < sec->end; s++) {
		const struct sj_cstmt *stmt = &b->p->stmts.items[s];
		const struct sj_cnode *c = node_at(b, stmt->node);
		const struct sj_catalog *from;
		const struct sj_a2ui_component *type;
		if (stmt->kind != SJ_S_ASSIGN || c->kind != SJ_N_CALL || !sj_lower_is_component(&b->l, c->text))
			continue;
		enum sj_status st = sj_format_component(b->f, c->text, SJ_NO_SLICE, &from, &type, b->p->diag);
		if (st == SJ_OK)
			b->l.fixed = sec->catalog = sj_catalog_id(from);
		return st;
	}
	return SJ_OK;
}

/* A call that stands alone and names a component is one without its name: the root, when there is none. */
static enum sj_status adopt(struct block *b, struct section *sec, uint32_t s)
{
	struct sj_cstmt *stmt = &b->p->stmts.items[s];
	const struct sj_cnode *c = node_at(b, stmt->node);
	if (sec->has_root || sj_map_get(&b->l.names, SJ_LIT("root")) != SJ_MAP_NONE)
		return FAULT(b, stmt->node, SJ_CAT_VALIDATION, "the component %.*s has no name", SJ_ARG(c->text));
	enum sj_status st = sj_repair_note(b->p->mem, b->p->repairs, SJ_REPAIR_SYNTAX, c->line, c->off, b->p->diag,
	                                   "the component %.*s without a name was taken as root", SJ_ARG(c->text));
	stmt->kind = SJ_S_ASSIGN;
	stmt->name = SJ_LIT("root");
	return st;
}

static enum sj_status name_statement(struct block *b, struct section *sec, uint32_t s)
{
	struct sj_cstmt *stmt = &b->p->stmts.items[s];
	const struct sj_cnode *c = node_at(b, stmt->node);
	struct sj_lower *l = &b->l;
	if (stmt->kind == SJ_S_CALL) {
		if (is_call(b, s, "_data")) {
			sec->has_own = true;
			return SJ_OK;
		}
		if (is_call(b, s, "deleteSurface") || !sj_lower_is_component(l, c->text))
			return SJ_OK;
		enum sj_status st = no_such(b, stmt->node);
		if (st == SJ_OK)
			st = adopt(b, sec, s);
		if (st != SJ_OK)
			return st;
	}
	if (stmt->kind == SJ_S_DATA) {
		sec->has_data = true;
		return SJ_OK;
	}
	bool component = c->kind == SJ_N_CALL && sj_lower_is_component(l, c->text),
	     root = sj_slice_is(stmt->name, "root");
	if (root && !component)
		return FAULT(b, stmt->node, SJ_CAT_VALIDATION, "root must be a component");
	if (stmt->name.len == 0)
		return FAULT(b, stmt->node, SJ_CAT_VALIDATION, "a name is empty");
	if (sj_map_get(&l->names, stmt->name) != SJ_MAP_NONE)
		return FAULT(b, stmt->node, SJ_CAT_INTEGRITY, "'%.*s' is defined twice", SJ_ARG(stmt->name));
	l->component[s] = component;
	sec->has_root = sec->has_root || root;
	sec->has_components = sec->has_components || component;
	enum sj_status st = sj_map_put(&l->names, stmt->name, s);
	return st == SJ_OK ? sj_map_put(&l->used, stmt->name, 1) : st;
}

/* Ids that authors give to inline components are kept free. */
static enum sj_status keep_ids(struct block *b, const struct section *sec)
{
	enum sj_status st = SJ_OK;
	for (uint32_t s = sec->first; s < sec->end; s++) {
		uint32_t root = b->p->stmts.items[s].node;
		for (uint32_t n = root + 1; st == SJ_OK && n < node_at(b, root)->end; n++) {
			const struct sj_cnode *c = node_at(b, n);
			if (c->kind == SJ_N_STRING && sj_slice_is(c->key, "id") &&
			    sj_map_get(&b->l.used, c->text) == SJ_MAP_NONE)
				st = sj_map_put(&b->l.used, c->text, 0);
		}
	}
	return st;
}

static enum sj_status read_names(struct block *b, struct section *sec)
{
	sj_map_finish(&b->l.names);
	sj_map_finish(&b->l.used);
	sj_map_init(&b->l.names, b->p->mem, 0);
	sj_map_init(&b->l.used, b->p->mem, 0);
	enum sj_status st = fix_catalog(b, sec);
	for (uint32_t s = sec->first; s < sec->end && st == SJ_OK; s++)
		st = name_statement(b, sec, s);
	return st == SJ_OK ? keep_ids(b, sec) : st;
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* {version, KIND: body} onto the list; takes the body. */
static enum sj_status emit(struct block *b, const char *kind, struct sj_value body)
{
	struct sj_value m;
	enum sj_status st = sj_value_object(b->p->mem, &m);
	if (st != SJ_OK) {
		sj_value_unref(b->p->mem, body);
		return st;
	}
	st = sj_value_set(b->p->mem, &m, sj_slice_of(kind), body);
	if (st == SJ_OK)
		st = set_text(b, &m, "version", sj_slice_of(sj_version_text(b->f->opt.version)));
	if (st != SJ_OK) {
		sj_value_unref(b->p->mem, m);
		return st;
	}
	return sj_value_append(b->p->mem, &b->out, m);
}

static enum sj_status begin_body(struct block *b, struct sj_slice id, struct sj_value *body)
{
	enum sj_status st = sj_value_object(b->p->mem, body);
	if (st != SJ_OK)
		return st;
	st = set_text(b, body, "surfaceId", id);
	if (st != SJ_OK)
		sj_value_unref(b->p->mem, *body);
	return st;
}

static enum sj_status build_components(struct block *b, const struct section *sec, struct sj_value *out)
{
	enum sj_status st = sj_value_array(b->p->mem, &b->l.components);
	for (uint32_t s = sec->first; s < sec->end && st == SJ_OK; s++)
		if (b->p->stmts.items[s].kind == SJ_S_ASSIGN && b->l.component[s])
			st = sj_lower_component(&b->l, s);
	if (st == SJ_OK)
		*out = b->l.components;
	else
		sj_value_unref(b->p->mem, b->l.components);
	b->l.components = SJ_ABSENT_VALUE;
	return st;
}

static enum sj_status build_data(struct block *b, const struct section *sec, bool must_be_map, struct sj_value *out)
{
	struct sj_value root = SJ_ABSENT_VALUE, v;
	enum sj_status st = sj_value_object(b->p->mem, &root);
	for (uint32_t s = sec->first; s < sec->end && st == SJ_OK; s++) {
		const struct sj_cstmt *stmt = &b->p->stmts.items[s];
		if (stmt->kind != SJ_S_DATA || node_at(b, stmt->node)->kind == SJ_N_SKIP)
			continue;
		st = sj_lower_value(&b->l, stmt->node, &SJ_COMPACT_LITERAL, &v);
		if (st == SJ_OK)
			st = sj_compact_put(b->p, stmt, &root, v);
	}
	if (st == SJ_OK && must_be_map && root.type != SJ_V_OBJECT)
		st = sj_compact_fault(b->p->diag, SJ_CAT_VALIDATION, 0, 0,
		                      "the data model of a new surface must be a map");
	if (st == SJ_OK)
		*out = root;
	else
		sj_value_unref(b->p->mem, root);
	return st;
}

static enum sj_status add_components(struct block *b, const struct section *sec, struct sj_value *body)
{
	struct sj_value v;
	enum sj_status st = build_components(b, sec, &v);
	return st == SJ_OK ? sj_value_set(b->p->mem, body, SJ_LIT("components"), v) : st;
}

static enum sj_status write_create(struct block *b, struct section *sec)
{
	struct sj_mem *m = b->p->mem;
	struct sj_value body, v;
	bool whole = b->f->opt.version >= SJ_V10;
	struct sj_slice catalog = sec->catalog;
	if (!catalog.ptr && b->f->opt.ncatalogs == 1)
		catalog = sj_catalog_id(b->f->catalogs[0]);
	enum sj_status st = begin_body(b, sec->id, &body);
	if (st != SJ_OK)
		return st;
	if (catalog.ptr && !sec->no_catalog)
		st = set_text(b, &body, "catalogId", catalog);
	if (st == SJ_OK && sec->send.type != SJ_V_ABSENT)
		st = sj_value_set(m, &body, SJ_LIT("sendDataModel"), sec->send);
	if (st == SJ_OK && sec->theme.type != SJ_V_ABSENT)
		st = sj_value_set(m, &body, SJ_LIT("theme"), sj_value_ref(sec->theme));
	if (st == SJ_OK && sec->metadata.type != SJ_V_ABSENT)
		st = sj_value_set(m, &body, SJ_LIT("metadata"), sj_value_ref(sec->metadata));
	if (st == SJ_OK && whole && sec->has_components)
		st = add_components(b, sec, &body);
	if (st == SJ_OK && whole && sec->has_data) {
		st = build_data(b, sec, true, &v);
		if (st == SJ_OK)
			st = sj_value_set(m, &body, SJ_LIT("dataModel"), v);
	}
	if (st != SJ_OK) {
		sj_value_unref(m, body);
		return st;
	}
	st = emit(b, "createSurface", body);
	return st == SJ_OK ? sj_map_put(&b->live, sec->id, 1) : st;
}

static enum sj_status write_components(struct block *b, const struct section *sec)
{
	struct sj_value body;
	enum sj_status st = begin_body(b, sec->id, &body);
	if (st != SJ_OK)
		return st;
	st = add_components(b, sec, &body);
	if (st != SJ_OK) {
		sj_value_unref(b->p->mem, body);
		return st;
	}
	return emit(b, "updateComponents", body);
}

/* One updateDataModel; value ABSENT: without one. Takes the value. path ptr NULL: without one. */
static enum sj_status write_data(struct block *b, struct sj_slice id, struct sj_slice path, struct sj_value value)
{
	struct sj_value body;
	enum sj_status st = begin_body(b, id, &body);
	if (st != SJ_OK) {
		sj_value_unref(b->p->mem, value);
		return st;
	}
	if (path.ptr)
		st = set_text(b, &body, "path", path);
	if (st != SJ_OK)
		sj_value_unref(b->p->mem, value);
	else if (value.type != SJ_V_ABSENT)
		st = sj_value_set(b->p->mem, &body, SJ_LIT("value"), value);
	if (st != SJ_OK) {
		sj_value_unref(b->p->mem, body);
		return st;
	}
	return emit(b, "updateDataModel", body);
}

/* _data(path, value): one message as it is said. */
static enum sj_status own_data(struct block *b, const struct section *sec, uint32_t n)
{
	struct sj_slice path = SJ_NO_SLICE;
	struct sj_value v = SJ_ABSENT_VALUE;
	uint32_t place = 0;
	enum sj_status st = SJ_OK;
	for (uint32_t c = n + 1; st == SJ_OK && c < node_at(b, n)->end; c = node_at(b, c)->end) {
		const struct sj_cnode *arg = node_at(b, c);
		bool is_path = arg->key.ptr ? sj_slice_is(arg->key, "path") : place == 0,
		     is_value = arg->key.ptr ? sj_slice_is(arg->key, "value") : place == 1;
		place += !arg->key.ptr;
		if (arg->kind == SJ_N_SKIP && (is_path || is_value))
			continue;
		if (is_path && (arg->kind == SJ_N_PATH || arg->kind == SJ_N_STRING))
			path = arg->text.ptr ? arg->text : SJ_LIT("");
		else if (is_value)
			st = take_literal(b, c, &v);
		else
			st = FAULT(b, c, SJ_CAT_PARSE, "_data takes a path and a value");
	}
	if (st != SJ_OK) {
		sj_value_unref(b->p->mem, v);
		return st;
	}
	return write_data(b, sec->id, path, v);
}

static enum sj_status delete_surface(struct block *b, uint32_t n)
{
	const struct sj_cnode *c = node_at(b, n), *id = c->count == 1 ? node_at(b, n + 1) : NULL;
	struct sj_value body;
	if (!id || id->kind != SJ_N_STRING)
		return FAULT(b, n, SJ_CAT_PARSE, "deleteSurface takes the id of a surface");
	enum sj_status st = begin_body(b, id->text, &body);
	if (st == SJ_OK)
		st = emit(b, "deleteSurface", body);
	return st == SJ_OK ? sj_map_put(&b->live, id->text, 0) : st;
}

static enum sj_status call_function(struct block *b, uint32_t n)
{
	struct sj_value call, body;
	if (b->f->opt.version < SJ_V10)
		return FAULT(b, n, SJ_CAT_VALIDATION, "an agent cannot call functions of the renderer in %s",
		             sj_version_text(b->f->opt.version));
	b->l.call_id = SJ_NO_SLICE;
	enum sj_status st = sj_lower_call(&b->l, n, &call);
	if (st != SJ_OK)
		return st;
	struct sj_buf name;
	sj_buf_init(&name, b->p->mem, 0);
	sj_buf_printf(&name, "call_%u", ++b->calls);
	st = sj_buf_status(&name);
	if (st == SJ_OK)
		st = sj_value_object(b->p->mem, &body);
	if (st != SJ_OK) {
		sj_value_unref(b->p->mem, call);
		sj_buf_finish(&name);
		return st;
	}
	st = set_text(b, &body, "functionCallId", b->l.call_id.ptr ? b->l.call_id : sj_buf_view(&name));
	if (st == SJ_OK)
		st = sj_value_set(b->p->mem, &body, SJ_LIT("callFunction"), call);
	else
		sj_value_unref(b->p->mem, call);
	sj_buf_finish(&name);
	if (st != SJ_OK) {
		sj_value_unref(b->p->mem, body);
		return st;
	}
	return emit(b, "callRendererFunction", body);
}

/* ---- sections ---------------------------------------------------------------------------------------------------- */

static bool creates(const struct block *b, const struct section *sec)
{
	uint32_t live = sj_map_get(&b->live, sec->id);
	if (sec->create != BY_CONTENT)
		return sec->create == YES;
	if (live == 1)
		return false;
	return sec->has_root || sec->send.type != SJ_V_ABSENT || sec->theme.type != SJ_V_ABSENT ||
	       sec->metadata.type != SJ_V_ABSENT || sec->no_catalog ||
	       (sec->stated && !sec->has_components && !sec->has_data && !sec->has_own);
}

static enum sj_status write_section(struct block *b, struct section *sec)
{
	enum sj_status st = read_names(b, sec);
	bool create = st == SJ_OK && creates(b, sec), whole = create && b->f->opt.version >= SJ_V10;
	bool made = false, components = false, data = false;
	if (create && sec->stated) {
		st = write_create(b, sec);
		made = true;
	}
	for (uint32_t s = sec->first; s < sec->end && st == SJ_OK; s++) {
		const struct sj_cstmt *stmt = &b->p->stmts.items[s];
		bool component = stmt->kind == SJ_S_ASSIGN && b->l.component[s];
		if (create && !made && (component || stmt->kind == SJ_S_DATA)) {
			st = write_create(b, sec);
			made = true;
		}
		if (st != SJ_OK)
			break;
		if (component && !whole && !components) {
			st = write_components(b, sec);
			components = true;
		} else if (stmt->kind == SJ_S_DATA && !whole && !data) {
			struct sj_value v;
			st = build_data(b, sec, false, &v);
			if (st == SJ_OK)
				st = write_data(b, sec->id, SJ_LIT("/"), v);
			data = true;
		} else if (stmt->kind == SJ_S_CALL) {
			st = is_call(b, s, "_data")          ? own_data(b, sec, stmt->node)
			     : is_call(b, s, "deleteSurface") ? delete_surface(b, stmt->node)
			                                      : call_function(b, stmt->node);
		} else if (stmt->kind == SJ_S_ASSIGN && !component && node_at(b, stmt->node)->kind == SJ_N_CALL &&
		           !sj_slice_is(node_at(b, stmt->node)->text, "Event") &&
		           !sj_slice_is(node_at(b, stmt->node)->text, "event") &&
		           !sj_slice_is(node_at(b, stmt->node)->text, "_template")) {
			const struct sj_catalog *from;
			const struct sj_a2ui_function *fn;
			/* Used or not, it must be known. */
			struct sj_slice name = node_at(b, stmt->node)->text;
			if (name.len && name.ptr[0] != '@' && b->f->opt.ncatalogs == 1)
				st = sj_format_function(b->f, name, b->l.fixed, &from, &fn, b->p->diag);
		}
	}
	return st;
}

static void section_finish(struct block *b, struct section *sec)
{
	sj_value_unref(b->p->mem, sec->theme);
	sj_value_unref(b->p->mem, sec->metadata);
}

static enum sj_status all_sections(struct block *b)
{
	uint32_t n = b->p->stmts.count, s = 0;
	enum sj_status st = SJ_OK;
	while (s < n && st == SJ_OK) {
		struct section sec = {.id = SJ_LIT("default_surface"), .first = s};
		if (is_call(b, s, "surface")) {
			st = surface_line(b, &sec, b->p->stmts.items[s].node);
			sec.first = ++s;
		}
		while (s < n && !is_call(b, s, "surface"))
			s++;
		sec.end = s;
		if (st == SJ_OK)
			st = write_section(b, &sec);
		section_finish(b, &sec);
	}
	return st;
}

enum sj_status sj_compact_messages(const struct sj_format *f, struct sj_program *p, struct sj_value *out)
{
	struct block b = {.f = f, .p = p, .l = {.f = f, .p = p, .mem = p->mem}};
	uint32_t n = p->stmts.count;
	sj_map_init(&b.live, p->mem, 0);
	sj_map_init(&b.l.names, p->mem, 0);
	sj_map_init(&b.l.used, p->mem, 0);
	enum sj_status st = SJ_OK;
	if (f->opt.version < SJ_V09)
		st = sj_diag_set(p->diag, SJ_INVALID, SJ_E_UNAVAILABLE, SJ_CAT_COMPILE,
		                 "this notation writes messages of v0.9 and later, not of %s",
		                 sj_version_text(f->opt.version));
	b.l.busy = st == SJ_OK ? sj_mem_zalloc(p->mem, (size_t)n + 1) : NULL;
	b.l.component = st == SJ_OK ? sj_mem_zalloc(p->mem, (size_t)n + 1) : NULL;
	if (st == SJ_OK && (!b.l.busy || !b.l.component))
		st = SJ_NOMEM;
	if (st == SJ_OK)
		st = sj_value_array(p->mem, &b.out);
	if (st == SJ_OK)
		st = all_sections(&b);
	if (st == SJ_OK && sj_value_count(&b.out) == 0)
		st = sj_compact_fault(p->diag, SJ_CAT_PARSE, 1, 0, "the block holds only values that nothing uses");
	if (st == SJ_OK)
		*out = b.out;
	else
		sj_value_unref(p->mem, b.out);
	sj_mem_free(p->mem, b.l.busy, (size_t)n + 1);
	sj_mem_free(p->mem, b.l.component, (size_t)n + 1);
	sj_lower_finish(&b.l);
	sj_map_finish(&b.l.names);
	sj_map_finish(&b.l.used);
	sj_map_finish(&b.live);
	return st;
}
