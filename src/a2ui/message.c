/* Messages: the envelope by hand (its faults are structured), components by their catalogs, everything atomic (requirements a2ui 2-5). */
#include <stdio.h>

#include "a2ui/internal.h"
#include "text/ident.h"

#define FAULT_CAP 16

static uint32_t member(const struct sj_tape *t, uint32_t object, const char *key)
{
	return sj_tape_get(t, object, sj_slice_of(key));
}

/* ---- faults ------------------------------------------------------------------------------------------------------------ */

/* A structured envelope fault at `cell`; `field` names a missing member below it. */
static enum sj_status envelope_fault(struct sj_faults *f, uint32_t cell, const char *field, const char *detail, const char *format, struct sj_slice a,
                                     const char *b)
{
	struct sj_diag *d = sj_faults_next(f);
	if (!d)
		return SJ_INVALID;
	char text[400];
	snprintf(text, sizeof text, format, SJ_ARG(a), b);
	sj_diag_set(d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION, "%s", text);
	sj_faults_at(f, d, cell);
	snprintf(d->detail, sizeof d->detail, "%s", detail);
	if (field) {
		size_t n = strlen(d->pointer);
		snprintf(d->pointer + n, sizeof d->pointer - n, "/%s", field);
	}
	return SJ_INVALID;
}

static enum sj_status copy_fault(struct sj_faults *f, const struct sj_diag *from, uint32_t cell, enum sj_status st)
{
	struct sj_diag *d = sj_faults_next(f);
	if (d) {
		*d = *from;
		sj_faults_at(f, d, cell);
	}
	return st;
}

/* ---- members of a body ----------------------------------------------------------------------------------------------- */

/* The string member `key` of body; required or not. SJ_ABSENT when optional and missing. */
static enum sj_status string_member(struct sj_faults *f, struct sj_arena *arena, uint32_t body, const char *key, bool required, struct sj_slice *out)
{
	uint32_t at = member(f->tape, body, key);
	if (!at)
		return required ? envelope_fault(f, body, key, "missing_field", "'%.*s' is a required property%s", sj_slice_of(key), "") : SJ_ABSENT;
	if (sj_tape_type(f->tape, at) != SJ_J_STRING)
		return envelope_fault(f, at, NULL, "type_mismatch", "%.*s must be a string%s", sj_slice_of(key), "");
	*out = sj_tape_string(f->tape, at, arena);
	return out->ptr ? SJ_OK : SJ_NOMEM;
}

static enum sj_status closed_members(struct sj_faults *f, uint32_t object, const char *const *names, const char *what)
{
	const struct sj_tape *t = f->tape;
	for (uint32_t at = sj_tape_first(t, object); at < t->cells[object].end;) {
		uint32_t value = sj_tape_next(t, at);
		bool known = false;
		for (size_t i = 0; names[i] && !known; i++)
			known = sj_tape_string_is(t, at, sj_slice_of(names[i]));
		if (!known)
			return envelope_fault(f, value, NULL, "invalid_value", "Additional properties are not allowed ('%.*s' was unexpected in %s)",
			                      sj_tape_raw(t, at), what);
		at = sj_tape_next(t, value);
	}
	return SJ_OK;
}

/* metadata holds only `extensions`, whose keys are identifiers (requirements 2). */
static enum sj_status check_metadata(struct sj_faults *f, struct sj_arena *arena, uint32_t cell)
{
	const struct sj_tape *t = f->tape;
	if (sj_tape_type(t, cell) != SJ_J_OBJECT)
		return envelope_fault(f, cell, NULL, "type_mismatch", "%.*s must be an object%s", SJ_LIT("metadata"), "");
	enum sj_status st = closed_members(f, cell, (const char *const[]){"extensions", NULL}, "metadata");
	uint32_t ext = member(t, cell, "extensions");
	if (st != SJ_OK || !ext)
		return st;
	if (sj_tape_type(t, ext) != SJ_J_OBJECT)
		return envelope_fault(f, ext, NULL, "type_mismatch", "%.*s must be an object%s", SJ_LIT("extensions"), "");
	for (uint32_t at = sj_tape_first(t, ext); at < t->cells[ext].end;) {
		uint32_t value = sj_tape_next(t, at);
		struct sj_slice key = sj_tape_string(t, at, arena);
		if (!sj_ident_check(key))
			return envelope_fault(f, value, NULL, "invalid_value", "Extension key '%.*s' must be a valid UAX #31 identifier%s", key, "");
		at = sj_tape_next(t, value);
	}
	return SJ_OK;
}

/* ---- views -------------------------------------------------------------------------------------------------------------- */

static void view_key(struct sj_buf *b, uint32_t peer, struct sj_slice id)
{
	sj_buf_printf(b, "%u/", peer);
	sj_buf_slice(b, id);
}

struct sj_view *sj_a2ui_view_find(const struct sj_a2ui *a, uint32_t peer, struct sj_slice id)
{
	char small[160];
	int n = snprintf(small, sizeof small, "%u/", peer);
	if (peer != UINT32_MAX && n > 0 && (size_t)n + id.len < sizeof small) {
		memcpy(small + n, id.ptr, id.len);
		uint32_t slot = sj_map_get(&a->views, sj_slice(small, (size_t)n + id.len));
		return slot == SJ_MAP_NONE ? NULL : a->view_slots.items[slot];
	}
	for (struct sj_view *v = a->first; v; v = v->next)
		if ((peer == UINT32_MAX || v->peer == peer) && sj_slice_eq(sj_slice(v->id, v->id_len), id))
			return v;
	return NULL;
}

static enum sj_status view_create(struct sj_a2ui *a, uint32_t peer, struct sj_slice id, enum sj_version version, struct sj_view **out)
{
	if (a->nviews >= a->opt.limits->surfaces)
		return SJ_LIMIT;
	struct sj_view *v = sj_mem_zalloc(a->mem, sizeof *v);
	if (!v)
		return SJ_NOMEM;
	struct sj_buf key;
	sj_buf_init(&key, a->mem, 0);
	view_key(&key, peer, id);
	enum sj_status st = sj_buf_status(&key);
	/* The key text is kept behind the view: "peer/id"; the id is its tail. */
	char *text = st == SJ_OK ? sj_mem_strndup(a->mem, sj_buf_view(&key)) : NULL;
	size_t len = key.len;
	sj_buf_finish(&key);
	*v = (struct sj_view){.a = a, .peer = peer, .uid = ++a->next_uid, .version = version, .dialect = version < SJ_V10 ? SJ_DIALECT_BARE : a->opt.dialect, .theme = SJ_ABSENT_VALUE};
	sj_topo_init(&v->topo, a->mem);
	if (!text) {
		sj_mem_free(a->mem, v, sizeof *v);
		return SJ_NOMEM;
	}
	v->id = text + (len - id.len);
	v->id_len = (uint32_t)id.len;
	struct sj_surface_options opt = {.limits = a->opt.limits,
	                                 .driver = version >= SJ_V10 ? &a->driver_v10 : &a->driver_v09,
	                                 .ctx = v,
	                                 .gate_surface = a->opt.gate_surface,
	                                 .lazy_rows = a->opt.lazy_rows};
	st = sj_surface_create(a->mem, &opt, &v->core);
	uint32_t slot = 0;
	if (st == SJ_OK) {
		while (slot < a->view_slots.count && a->view_slots.items[slot])
			slot++;
		if (slot == a->view_slots.count) {
			st = SJ_VEC_RESERVE(a->mem, &a->view_slots, slot + 1, 0);
			if (st == SJ_OK)
				a->view_slots.items[a->view_slots.count++] = NULL;
		}
	}
	if (st == SJ_OK)
		st = sj_map_put(&a->views, sj_slice(text, len), slot);
	if (st == SJ_OK) {
		(void)sj_surface_set_env(v->core, SJ_LIT("locale"), sj_slice_of(a->opt.locale ? a->opt.locale : "en"));
		(void)sj_surface_set_env(v->core, SJ_LIT("timeZone"), sj_slice_of(a->opt.time_zone ? a->opt.time_zone : "UTC"));
	}
	if (st != SJ_OK) {
		sj_surface_destroy(v->core);
		sj_topo_finish(&v->topo);
		sj_mem_free(a->mem, text, len + 1);
		sj_mem_free(a->mem, v, sizeof *v);
		return st;
	}
	a->view_slots.items[slot] = v;
	v->prev = a->last;
	if (a->last)
		a->last->next = v;
	else
		a->first = v;
	a->last = v;
	a->nviews++;
	*out = v;
	return SJ_OK;
}

static uint32_t prefix_len(uint32_t peer)
{
	char text[16];
	return (uint32_t)snprintf(text, sizeof text, "%u/", peer);
}

void sj_view_free(struct sj_view *v)
{
	struct sj_a2ui *a = v->a;
	uint32_t prefix = prefix_len(v->peer);
	char *text = v->id - prefix;
	struct sj_slice key = sj_slice(text, prefix + v->id_len);
	v->dying = true;
	sj_pending_drop_view(a, v);
	uint32_t slot = sj_map_get(&a->views, key);
	if (slot != SJ_MAP_NONE)
		a->view_slots.items[slot] = NULL;
	sj_map_del(&a->views, key);
	if (v->prev)
		v->prev->next = v->next;
	else
		a->first = v->next;
	if (v->next)
		v->next->prev = v->prev;
	else
		a->last = v->prev;
	a->nviews--;
	sj_surface_destroy(v->core);
	sj_topo_finish(&v->topo);
	sj_value_unref(a->mem, v->theme);
	sj_mem_free(a->mem, text, key.len + 1);
	sj_mem_free(a->mem, v, sizeof *v);
}

static void touch(struct sj_view *v)
{
	if (v->a->opt.touched)
		v->a->opt.touched(v->a->opt.ctx, v);
}

/* ---- dialect (requirements 1.5) --------------------------------------------------------------------------------------------- */

enum sj_dialect sj_view_dialect(struct sj_view *v, const struct sj_tape *t, uint32_t cell)
{
	if (v->version < SJ_V10)
		return SJ_DIALECT_BARE;
	if (v->a->opt.dialect != SJ_DIALECT_AUTO)
		return v->a->opt.dialect;
	for (uint32_t i = cell; i < t->cells[cell].end; i++) {
		if (!(t->cells[i].flags & SJ_CELL_KEY))
			continue;
		struct sj_slice key = sj_tape_raw(t, i);
		if (key.len > 0 && key.ptr[0] == '@')
			return SJ_DIALECT_RESERVED;
	}
	return SJ_DIALECT_BARE;
}

/* ---- components ------------------------------------------------------------------------------------------------------------- */

struct entry { /* one component of the message */
	uint32_t cell;
	const struct sj_tape *tape; /* the message's, or the merged definition's own */
	struct sj_slice id;
	const struct sj_catalog *catalog;
	const struct sj_a2ui_component *type;
	sj_component_ref ref;
};

/* Nesting of JSON and of calls inside one component (requirements 3): both are counted on the tape, without recursion. */
static enum sj_status check_depth(struct sj_faults *f, struct sj_view *v, const struct entry *e, enum sj_dialect dialect, struct sj_arena *arena)
{
	const struct sj_tape *t = e->tape;
	const struct sj_limits *l = v->a->opt.limits;
	uint32_t cap = l->component_depth + 2, depth = 0, calls = 0;
	struct level {
		uint32_t end;
		bool is_call;
	} *stack = sj_arena_alloc(arena, (cap + 1) * sizeof *stack);
	if (!stack)
		return SJ_NOMEM;
	for (uint32_t i = e->cell; i < t->cells[e->cell].end; i++) {
		while (depth > 0 && i >= stack[depth - 1].end)
			calls -= stack[--depth].is_call;
		enum sj_json_type type = sj_tape_type(t, i);
		if (type != SJ_J_OBJECT && type != SJ_J_ARRAY)
			continue;
		uint32_t name;
		bool is_call = type == SJ_J_OBJECT && sj_object_form(t, i, dialect, &name) == SJ_FORM_CALL;
		if (depth >= l->component_depth) {
			struct sj_diag d = {0};
			sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_RECURSION,
			            "Global recursion limit exceeded: component '%.*s' is nested deeper than %u levels", SJ_ARG(e->id), l->component_depth);
			return copy_fault(f, &d, t == f->tape ? i : f->root, SJ_INVALID);
		}
		stack[depth++] = (struct level){t->cells[i].end, is_call};
		calls += is_call;
		if (calls > l->call_depth) {
			struct sj_diag d = {0};
			sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_RECURSION,
			            "Recursion limit exceeded: functionCall depth > %u in component '%.*s'", l->call_depth, SJ_ARG(e->id));
			return copy_fault(f, &d, t == f->tape ? i : f->root, SJ_INVALID);
		}
	}
	return SJ_OK;
}

struct fault_ctx {
	struct sj_faults *f;
	const struct entry *e;
	const char *what; /* "component", "function" */
	struct sj_slice name;
};

static bool schema_fault(void *ctx, const struct sj_schema_fault *sf)
{
	struct fault_ctx *c = ctx;
	struct sj_diag *d = sj_faults_next(c->f);
	if (!d)
		return false;
	sj_diag_set(d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION, "Validation failed for %s '%.*s': %s", c->what, SJ_ARG(c->name), sf->message);
	sj_faults_at(c->f, d, c->e->tape == c->f->tape ? sf->cell : c->f->root);
	bool missing = sj_slice_is(sf->keyword, "required");
	snprintf(d->detail, sizeof d->detail, "%s", missing ? "missing_field" : sj_slice_is(sf->keyword, "type") ? "type_mismatch" : "invalid_value");
	if (missing && sf->property.len > 0)
		sj_diag_hint(d, "Add '%.*s' to this object.", SJ_ARG(sf->property));
	else if (sf->property.len > 0)
		sj_diag_hint(d, "Remove or rename '%.*s'.", SJ_ARG(sf->property));
	return c->f->count < c->f->cap;
}

/* One call object of v1.0: it resolves its own catalog and is checked against it; @index is the language's own. */
static enum sj_status check_call(struct sj_faults *f, struct sj_view *v, const struct entry *e, uint32_t cell, uint32_t name_cell,
                                 enum sj_dialect dialect, struct sj_arena *arena)
{
	const struct sj_tape *t = e->tape;
	struct sj_slice name = sj_tape_string(t, name_cell, arena);
	struct sj_diag d = {0};
	enum sj_status st = SJ_OK;
	if (name.len > 0 && name.ptr[0] == '@') {
		if (!sj_slice_is(name, "@index"))
			st = sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION, "Unrecognized function '%.*s'", SJ_ARG(name));
		else if (member(t, cell, "catalogId"))
			st = sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION, "@index takes no catalogId");
		return st == SJ_OK ? st : copy_fault(f, &d, t == f->tape ? name_cell : f->root, st);
	}
	const struct sj_catalog *catalog = sj_resolve_catalog(v, t, cell, e->catalog, "Function", name, &d);
	if (!catalog)
		return copy_fault(f, &d, t == f->tape ? name_cell : f->root, SJ_INVALID);
	const struct sj_a2ui_function *fn = sj_catalog_function(catalog, name);
	if (fn) {
		struct fault_ctx ctx = {f, e, "function", name};
		return sj_catalog_check_call(catalog, fn, dialect, t, cell, arena, schema_fault, &ctx);
	}
	if (sj_catalog_is_permissive(catalog))
		return SJ_OK;
	st = sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION, "Unrecognized function '%.*s'", SJ_ARG(name));
	sj_diag_hint(&d, "Catalog '%.*s' does not declare it.", SJ_ARG(sj_catalog_id(catalog)));
	return copy_fault(f, &d, t == f->tape ? name_cell : f->root, st);
}

/* An object whose members are names chosen by the author (arguments of a call, context of an event): its keys are data, so it is itself no
 * binding and no call, whatever they spell. Marks the next such cell while cells are walked in order. */
static uint32_t literal_holder(const struct sj_tape *t, uint32_t object)
{
	uint32_t at = member(t, object, "args");
	return at ? at : member(t, object, "context");
}

/* Every call in the dynamic properties of the component; what is below a plain property is data. */
static enum sj_status check_calls(struct sj_faults *f, struct sj_view *v, const struct entry *e, enum sj_dialect dialect, struct sj_arena *arena)
{
	const struct sj_tape *t = e->tape;
	if (!sj_has_dynamic(t, e->cell, dialect))
		return SJ_OK;
	enum sj_status worst = SJ_OK;
	for (uint32_t at = sj_tape_first(t, e->cell); at < t->cells[e->cell].end;) {
		uint32_t value = sj_tape_next(t, at);
		const struct sj_a2ui_prop *p = e->type ? sj_a2ui_prop_find(e->type, sj_tape_string(t, at, arena)) : NULL;
		at = sj_tape_next(t, value);
		if (!p || p->cls == SJ_AC_PLAIN || p->cls == SJ_AC_COMMON)
			continue;
		uint32_t holder = 0, name_cell;
		for (uint32_t i = value; i < t->cells[value].end; i++) {
			if (sj_tape_type(t, i) != SJ_J_OBJECT || i == holder)
				continue;
			holder = literal_holder(t, i);
			if (sj_object_form(t, i, dialect, &name_cell) != SJ_FORM_CALL)
				continue;
			enum sj_status st = check_call(f, v, e, i, name_cell, dialect, arena);
			if (st == SJ_NOMEM)
				return st;
			if (st != SJ_OK)
				worst = st;
		}
	}
	return worst;
}

/* v0.9: an entry without `component` merges its members onto the definition that is there (requirements 3). */
static enum sj_status merge_partial(struct sj_view *v, const struct sj_tape *t, uint32_t cell, sj_component_ref ref, struct sj_arena *arena,
                                    struct sj_tape *out)
{
	const struct sj_comp *old = sj_component_ctx(v->core, ref);
	struct sj_json_options opt = sj_json_options_wire(v->a->opt.limits);
	struct sj_value base, more;
	enum sj_status st = sj_value_parse(v->a->mem, &opt, sj_slice(old->source, old->source_len), &base, NULL);
	if (st != SJ_OK)
		return st;
	st = sj_value_from_tape(v->a->mem, t, cell, &more);
	if (st != SJ_OK) {
		sj_value_unref(v->a->mem, base);
		return st;
	}
	for (uint32_t i = 0; st == SJ_OK && i < sj_value_count(&more); i++) {
		struct sj_slice key;
		const struct sj_value *value = sj_value_member(&more, i, &key);
		st = sj_value_set(v->a->mem, &base, key, sj_value_ref(*value));
	}
	struct sj_buf text;
	sj_buf_init(&text, v->a->mem, 0);
	if (st == SJ_OK) {
		sj_value_print(&text, &base, SJ_PRINT_COMPACT);
		st = sj_buf_status(&text);
	}
	if (st == SJ_OK) {
		struct sj_slice kept = sj_arena_copy(arena, sj_buf_view(&text));
		st = kept.ptr ? sj_json_parse(arena, &opt, kept, out, NULL) : SJ_NOMEM;
	}
	sj_buf_finish(&text);
	sj_value_unref(v->a->mem, more);
	sj_value_unref(v->a->mem, base);
	return st;
}

static enum sj_status check_entry(struct sj_faults *f, struct sj_view *v, struct entry *e, enum sj_dialect dialect, struct sj_arena *arena)
{
	uint32_t at = e->cell;
	struct sj_diag d = {0};
	if (sj_tape_type(e->tape, at) != SJ_J_OBJECT)
		return envelope_fault(f, at, NULL, "type_mismatch", "a component must be an object%.*s%s", SJ_LIT(""), "");
	uint32_t id = member(e->tape, at, "id");
	if (!id)
		return envelope_fault(f, at, "id", "missing_field", "Component is missing an 'id'%.*s%s", SJ_LIT(""), "");
	if (sj_tape_type(e->tape, id) != SJ_J_STRING)
		return envelope_fault(f, id, NULL, "type_mismatch", "Component is missing an 'id' of type string%.*s%s", SJ_LIT(""), "");
	e->id = sj_tape_string(e->tape, id, arena);
	if (v->version >= SJ_V10 && !sj_ident_check(e->id))
		return envelope_fault(f, id, NULL, "invalid_value", "Component id '%.*s' must be a valid UAX #31 identifier%s", e->id, "");
	uint32_t type = member(e->tape, at, "component");
	e->ref = sj_component_find(v->core, e->id);
	if (!type) {
		if (v->version >= SJ_V10 || !e->ref) {
			struct sj_slice shown = e->id;
			return envelope_fault(f, at, "component", "missing_field",
			                      v->version >= SJ_V10 ? "Component '%.*s' has no type: 'component' is a required property. Cannot create component %s"
			                                           : "Cannot create component %.*s without a type%s",
			                      shown, v->version >= SJ_V10 ? "without a type" : "");
		}
		struct sj_tape *merged = sj_arena_alloc(arena, sizeof *merged);
		enum sj_status st = merged ? merge_partial(v, e->tape, at, e->ref, arena, merged) : SJ_NOMEM;
		if (st != SJ_OK)
			return st;
		e->tape = merged;
		e->cell = at = 0;
		type = member(merged, 0, "component");
	}
	if (sj_tape_type(e->tape, type) != SJ_J_STRING)
		return envelope_fault(f, e->tape == f->tape ? type : f->root, NULL, "type_mismatch", "component of '%.*s' must be a string%s", e->id, "");
	struct sj_slice name = sj_tape_string(e->tape, type, arena);
	const struct sj_catalog *fallback = v->catalog;
	const struct sj_comp *old = e->ref ? sj_component_ctx(v->core, e->ref) : NULL;
	if (v->version < SJ_V10 && old)
		fallback = old->catalog;
	e->catalog = sj_resolve_catalog(v, e->tape, at, fallback, "Component", e->id, &d);
	if (!e->catalog)
		return copy_fault(f, &d, e->tape == f->tape ? at : f->root, SJ_INVALID);
	enum sj_status st = check_depth(f, v, e, dialect, arena);
	if (st != SJ_OK)
		return st;
	e->type = sj_catalog_component(e->catalog, name);
	if (!e->type) {
		if (v->a->opt.rules.allow_unknown)
			return SJ_OK;
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION, "Unknown component '%.*s': catalog '%.*s' has no such type",
		            SJ_ARG(name), SJ_ARG(sj_catalog_id(e->catalog)));
		sj_diag_hint(&d, "Use one of the catalog's components.");
		return copy_fault(f, &d, e->tape == f->tape ? type : f->root, SJ_INVALID);
	}
	struct fault_ctx ctx = {f, e, "component", name};
	st = sj_catalog_check_component(e->catalog, e->type, dialect, e->tape, at, arena, schema_fault, &ctx);
	if (st == SJ_NOMEM)
		return st;
	if (v->version >= SJ_V10) {
		enum sj_status calls = check_calls(f, v, e, dialect, arena);
		if (calls != SJ_OK)
			st = calls;
	}
	return st;
}

enum sj_status sj_apply_components(struct sj_view *v, const struct sj_tape *t, uint32_t list, struct sj_origin origin, struct sj_faults *f)
{
	struct sj_a2ui *a = v->a;
	struct sj_arena *arena = &a->scratch;
	enum sj_dialect dialect = sj_view_dialect(v, t, list);
	uint32_t n = t->cells[list].len, count = 0;
	if (n > a->opt.limits->components)
		return envelope_fault(f, list, NULL, "invalid_value", "Too many components in one message%.*s%s", SJ_LIT(""), "");
	struct entry *entries = sj_arena_alloc(arena, (n ? n : 1) * sizeof *entries);
	sj_component_ref *changed = sj_arena_alloc(arena, (n ? n : 1) * sizeof *changed);
	struct sj_map seen;
	sj_map_init(&seen, a->mem, 0);
	enum sj_status st = entries && changed ? SJ_OK : SJ_NOMEM;
	for (uint32_t at = sj_tape_first(t, list); st != SJ_NOMEM && at < t->cells[list].end; at = sj_tape_next(t, at)) {
		struct entry *e = &entries[count++];
		*e = (struct entry){.cell = at, .tape = t};
		enum sj_status one = check_entry(f, v, e, dialect, arena);
		if (one == SJ_OK && sj_map_get(&seen, e->id) != SJ_MAP_NONE) {
			struct sj_diag d = {0};
			sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY, "Duplicate component id '%.*s' in one message", SJ_ARG(e->id));
			one = copy_fault(f, &d, at, SJ_INVALID);
		} else if (one == SJ_OK && n > 1) {
			one = sj_map_put(&seen, e->id, count);
		}
		if (one != SJ_OK)
			st = one;
		if (f->count >= f->cap)
			break;
	}
	sj_map_finish(&seen);
	if (st != SJ_OK)
		return st;

	bool too_high = false;
	uint32_t done = 0;
	for (; st == SJ_OK && done < count; done++) {
		struct entry *e = &entries[done];
		if (e->ref)
			sj_topo_unhook(&v->topo, v->core, e->ref);
		struct sj_compile c = {.view = v, .tape = e->tape, .dialect = dialect, .catalog = e->catalog, .type = e->type, .faults = f, .arena = arena};
		struct sj_origin at = {origin.message, origin.offset + (e->tape == t ? t->cells[e->cell].off : 0)};
		st = sj_compile_component(&c, e->cell, e->id, at);
		e->ref = changed[done] = sj_component_find(v->core, e->id);
		if (e->ref && sj_component_defined(v->core, e->ref)) {
			enum sj_status hook = sj_topo_hook(&v->topo, v->core, e->ref, a->opt.limits->component_depth, &too_high);
			if (st == SJ_OK)
				st = hook;
		}
	}
	if (st == SJ_OK && f->count > 0)
		st = SJ_INVALID;
	struct sj_diag d = {0};
	if (st == SJ_OK)
		st = sj_compose_check(v, changed, count, &d);
	if (st == SJ_OK)
		st = sj_topo_check(v, changed, count, too_high, &a->opt.rules, &d);
	if (st == SJ_INVALID && d.code) {
		copy_fault(f, &d, list, st);
	}
	return st;
}

/* After an abort the core is as before; the graph beside it follows. */
static void rehook(struct sj_view *v, const struct sj_tape *t, uint32_t list, bool before)
{
	bool too_high = false;
	for (uint32_t at = sj_tape_first(t, list); at < t->cells[list].end; at = sj_tape_next(t, at)) {
		uint32_t id = sj_tape_type(t, at) == SJ_J_OBJECT ? member(t, at, "id") : 0;
		if (!id || sj_tape_type(t, id) != SJ_J_STRING)
			continue;
		sj_component_ref c = sj_component_find(v->core, sj_tape_string(t, id, &v->a->scratch));
		if (!c)
			continue;
		sj_topo_unhook(&v->topo, v->core, c);
		if (!before)
			(void)sj_topo_hook(&v->topo, v->core, c, v->a->opt.limits->component_depth, &too_high);
	}
}

/* ---- operations ---------------------------------------------------------------------------------------------------------------- */

static enum sj_status find_surface(struct sj_a2ui *a, uint32_t peer, struct sj_faults *f, uint32_t body, struct sj_slice id, struct sj_view **out)
{
	*out = sj_a2ui_view_find(a, peer, id);
	if (*out)
		return SJ_OK;
	struct sj_diag d = {0};
	sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY, "Surface not found for message: %.*s", SJ_ARG(id));
	sj_diag_hint(&d, "Send createSurface with this surfaceId first.");
	uint32_t at = member(f->tape, body, "surfaceId");
	return copy_fault(f, &d, at ? at : body, SJ_INVALID);
}

static enum sj_status update_components(struct sj_a2ui *a, uint32_t peer, enum sj_version version, uint32_t body, struct sj_origin origin, struct sj_faults *f)
{
	struct sj_slice id;
	struct sj_view *v;
	(void)version;
	enum sj_status st = closed_members(f, body, (const char *const[]){"surfaceId", "components", NULL}, "updateComponents");
	if (st == SJ_OK)
		st = string_member(f, &a->scratch, body, "surfaceId", true, &id);
	if (st != SJ_OK)
		return st;
	uint32_t list = member(f->tape, body, "components");
	if (!list)
		return envelope_fault(f, body, "components", "missing_field", "'%.*s' is a required property%s", SJ_LIT("components"), "");
	if (sj_tape_type(f->tape, list) != SJ_J_ARRAY)
		return envelope_fault(f, list, NULL, "type_mismatch", "%.*s must be an array%s", SJ_LIT("components"), "");
	if (f->tape->cells[list].len == 0)
		return envelope_fault(f, list, NULL, "invalid_value", "%.*s must hold at least one component%s", SJ_LIT("components"), "");
	st = find_surface(a, peer, f, body, id, &v);
	if (st != SJ_OK)
		return st;
	sj_txn_begin(v->core, origin.message, origin);
	st = sj_apply_components(v, f->tape, list, origin, f);
	if (st == SJ_OK) {
		sj_txn_commit(v->core);
		touch(v);
		return SJ_OK;
	}
	rehook(v, f->tape, list, true);
	sj_txn_abort(v->core);
	rehook(v, f->tape, list, false);
	return st;
}

/* Value of a wire write: null deletes in v1.0, absence deletes before (requirements 5). */
static enum sj_status write_value(struct sj_view *v, const struct sj_path *p, const struct sj_tape *t, uint32_t value, struct sj_diag *d)
{
	bool remove = v->version >= SJ_V10 ? sj_tape_type(t, value) == SJ_J_NULL : value == 0;
	if (remove)
		return sj_surface_unset(v->core, SJ_ROOT_DATA, p->tokens, p->count, d);
	struct sj_value take;
	enum sj_status st = sj_value_from_tape(sj_surface_mem(v->core), t, value, &take);
	if (st != SJ_OK)
		return st;
	return sj_surface_set(v->core, SJ_ROOT_DATA, p->tokens, p->count, take, d);
}

static enum sj_status update_data_model(struct sj_a2ui *a, uint32_t peer, enum sj_version version, uint32_t body, struct sj_origin origin, struct sj_faults *f)
{
	struct sj_slice id, path = SJ_LIT("/");
	struct sj_view *v;
	enum sj_status st = closed_members(f, body, (const char *const[]){"surfaceId", "path", "value", NULL}, "updateDataModel");
	if (st == SJ_OK)
		st = string_member(f, &a->scratch, body, "surfaceId", true, &id);
	if (st == SJ_OK)
		st = string_member(f, &a->scratch, body, "path", false, &path);
	if (st != SJ_OK && st != SJ_ABSENT)
		return st;
	uint32_t value = member(f->tape, body, "value");
	if (!value && version >= SJ_V10)
		return envelope_fault(f, body, "value", "missing_field", "'%.*s' is a required property%s", SJ_LIT("value"), "");
	st = find_surface(a, peer, f, body, id, &v);
	if (st != SJ_OK)
		return st;
	struct sj_path p;
	struct sj_diag d = {0};
	st = sj_path_parse(&a->scratch, a->opt.limits, path, &p, &d);
	if (st == SJ_OK) {
		origin.offset += value ? f->tape->cells[value].off : 0;
		sj_txn_begin(v->core, origin.message, origin);
		st = write_value(v, &p, f->tape, value, &d);
		if (st == SJ_OK)
			sj_txn_commit(v->core);
		else
			sj_txn_abort(v->core);
	}
	if (st == SJ_OK) {
		touch(v);
		return st;
	}
	if (st == SJ_NOMEM)
		return st;
	uint32_t at = member(f->tape, body, "path");
	return copy_fault(f, &d, at ? at : body, st);
}

static enum sj_status delete_surface(struct sj_a2ui *a, uint32_t peer, uint32_t body, struct sj_faults *f)
{
	struct sj_slice id;
	enum sj_status st = closed_members(f, body, (const char *const[]){"surfaceId", NULL}, "deleteSurface");
	if (st == SJ_OK)
		st = string_member(f, &a->scratch, body, "surfaceId", true, &id);
	if (st != SJ_OK)
		return st;
	struct sj_view *v = sj_a2ui_view_find(a, peer, id);
	if (!v)
		return SJ_OK; /* a no-op (requirements 2, 23.3) */
	st = sj_emit(a, &(struct sj_out){.kind = SJ_OUT_SURFACE_GONE, .peer = peer, .view = v, .surface_id = id, .message = a->message});
	sj_view_free(v);
	return st;
}

/* The catalog a createSurface names. */
static enum sj_status surface_catalog(struct sj_a2ui *a, struct sj_faults *f, uint32_t body, struct sj_slice id, enum sj_version version,
                                      const struct sj_catalog **out)
{
	const struct sj_catalog *wrong = NULL;
	struct sj_diag d = {0};
	*out = sj_a2ui_catalog_find(a, id, version, &wrong);
	if (*out)
		return SJ_OK;
	if (!wrong && a->opt.alias_unknown_catalogs && !sj_slice_is(id, "unknown-catalog")) {
		struct sj_catalog *made;
		enum sj_status st = sj_catalog_permissive(a->mem, id, version, &made);
		if (st == SJ_OK)
			st = sj_a2ui_add_catalog(a, made, &d);
		*out = st == SJ_OK ? made : NULL;
		return st;
	}
	if (wrong)
		sj_diag_set(&d, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG,
		            "Protocol version %s of catalog '%.*s' does not match message protocol version (%s)",
		            sj_catalog_version(wrong) ? sj_version_text(sj_catalog_version(wrong)) : "(none)", SJ_ARG(id), sj_version_text(version));
	else
		sj_diag_set(&d, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG, "Catalog not found: %.*s", SJ_ARG(id));
	uint32_t at = member(f->tape, body, "catalogId");
	return copy_fault(f, &d, at ? at : body, SJ_INVALID);
}

static enum sj_status check_theme(struct sj_a2ui *a, struct sj_faults *f, struct sj_view *v, uint32_t theme)
{
	if (sj_tape_type(f->tape, theme) != SJ_J_OBJECT)
		return envelope_fault(f, theme, NULL, "type_mismatch", "%.*s must be an object%s", SJ_LIT("theme"), "");
	if (v->catalog && sj_catalog_has_theme(v->catalog)) {
		struct entry e = {.tape = f->tape, .cell = theme};
		struct fault_ctx ctx = {f, &e, "theme on surface", sj_slice(v->id, v->id_len)};
		enum sj_status st = sj_catalog_check_theme(v->catalog, f->tape, theme, &a->scratch, schema_fault, &ctx);
		if (st != SJ_OK)
			return st;
	}
	return sj_value_from_tape(a->mem, f->tape, theme, &v->theme);
}

/* dataModel of a v1.0 createSurface: one write per top-level key, merged into the root (requirements 2). */
static enum sj_status initial_data(struct sj_a2ui *a, struct sj_faults *f, struct sj_view *v, uint32_t model)
{
	const struct sj_tape *t = f->tape;
	if (sj_tape_type(t, model) != SJ_J_OBJECT)
		return envelope_fault(f, model, NULL, "type_mismatch", "%.*s must be an object%s", SJ_LIT("dataModel"), "");
	for (uint32_t at = sj_tape_first(t, model); at < t->cells[model].end;) {
		struct sj_slice key = sj_tape_string(t, at, &a->scratch);
		uint32_t value = sj_tape_next(t, at);
		struct sj_value take;
		struct sj_diag d = {0};
		enum sj_status st = sj_value_from_tape(sj_surface_mem(v->core), t, value, &take);
		if (st == SJ_OK)
			st = sj_surface_set(v->core, SJ_ROOT_DATA, &key, 1, take, &d);
		if (st == SJ_NOMEM)
			return st;
		if (st != SJ_OK)
			return copy_fault(f, &d, value, st);
		at = sj_tape_next(t, value);
	}
	return SJ_OK;
}

static enum sj_status create_body(struct sj_a2ui *a, struct sj_faults *f, struct sj_view *v, uint32_t body, struct sj_origin origin)
{
	const struct sj_tape *t = f->tape;
	uint32_t theme = member(t, body, "theme"), model = member(t, body, "dataModel"), list = member(t, body, "components");
	enum sj_status st = theme ? check_theme(a, f, v, theme) : SJ_OK;
	if (st != SJ_OK || (!model && !list))
		return st;
	sj_txn_begin(v->core, origin.message, origin);
	if (model)
		st = initial_data(a, f, v, model);
	if (st == SJ_OK && list) {
		if (sj_tape_type(t, list) != SJ_J_ARRAY)
			st = envelope_fault(f, list, NULL, "type_mismatch", "%.*s must be an array%s", SJ_LIT("components"), "");
		else if (t->cells[list].len == 0)
			st = envelope_fault(f, list, NULL, "invalid_value", "%.*s must hold at least one component%s", SJ_LIT("components"), "");
		else
			st = sj_apply_components(v, t, list, origin, f);
	}
	if (st == SJ_OK)
		sj_txn_commit(v->core);
	else
		sj_txn_abort(v->core);
	return st;
}

static const char *const CREATE_V09[] = {"surfaceId", "catalogId", "theme", "sendDataModel", NULL};
static const char *const CREATE_V10[] = {"surfaceId", "catalogId", "sendDataModel", "components", "dataModel", "metadata", NULL};

static enum sj_status create_surface(struct sj_a2ui *a, uint32_t peer, enum sj_version version, uint32_t body, struct sj_origin origin, struct sj_faults *f)
{
	const struct sj_tape *t = f->tape;
	struct sj_slice id, catalog_id = SJ_NO_SLICE;
	bool sends = false;
	enum sj_status st = string_member(f, &a->scratch, body, "surfaceId", true, &id);
	if (st != SJ_OK)
		return st;
	st = string_member(f, &a->scratch, body, "catalogId", version < SJ_V10, &catalog_id);
	if (st != SJ_OK && st != SJ_ABSENT)
		return st;
	st = closed_members(f, body, version < SJ_V10 ? CREATE_V09 : CREATE_V10, "createSurface");
	if (st != SJ_OK)
		return st;
	uint32_t at = member(t, body, "sendDataModel");
	if (at && sj_tape_type(t, at) != SJ_J_TRUE && sj_tape_type(t, at) != SJ_J_FALSE)
		return envelope_fault(f, at, NULL, "type_mismatch", "%.*s must be a boolean%s", SJ_LIT("sendDataModel"), "");
	sends = at && sj_tape_type(t, at) == SJ_J_TRUE;
	at = member(t, body, "metadata");
	if (at && (st = check_metadata(f, &a->scratch, at)) != SJ_OK)
		return st;
	if (sj_a2ui_view_find(a, peer, id)) {
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY, "Surface %.*s already exists", SJ_ARG(id));
		sj_diag_hint(&d, "Update it, or send deleteSurface first.");
		return copy_fault(f, &d, member(t, body, "surfaceId"), SJ_INVALID);
	}
	const struct sj_catalog *catalog = NULL;
	if (catalog_id.ptr && (st = surface_catalog(a, f, body, catalog_id, version, &catalog)) != SJ_OK)
		return st;
	struct sj_view *v;
	st = view_create(a, peer, id, version, &v);
	if (st == SJ_LIMIT)
		return envelope_fault(f, body, NULL, "invalid_value", "Too many surfaces%.*s%s", SJ_LIT(""), "");
	if (st != SJ_OK)
		return st;
	v->catalog = catalog;
	v->sends = sends;
	st = create_body(a, f, v, body, origin);
	if (st != SJ_OK) {
		sj_view_free(v);
		return st;
	}
	st = sj_emit(a, &(struct sj_out){.kind = SJ_OUT_SURFACE_NEW, .peer = peer, .view = v, .surface_id = sj_slice(v->id, v->id_len), .message = a->message});
	touch(v);
	return st;
}

/* ---- envelope -------------------------------------------------------------------------------------------------------------------- */

enum op { OP_CREATE, OP_COMPONENTS, OP_DATA, OP_DELETE, OP_CALL, OP_RESPONSE };
static const struct {
	const char *key;
	enum op op;
	bool v08, v09, v10;
} ACTIONS[] = {
	{"createSurface", OP_CREATE, false, true, true},
	{"updateComponents", OP_COMPONENTS, false, true, true},
	{"updateDataModel", OP_DATA, false, true, true},
	{"deleteSurface", OP_DELETE, true, true, true},
	{"callRendererFunction", OP_CALL, false, false, true},
	{"agentFunctionResponse", OP_RESPONSE, false, false, true},
	{"beginRendering", OP_CREATE, true, false, false},
	{"surfaceUpdate", OP_COMPONENTS, true, false, false},
	{"dataModelUpdate", OP_DATA, true, false, false},
};
#define NACTIONS (sizeof ACTIONS / sizeof ACTIONS[0])

static bool action_allowed(size_t i, enum sj_version v)
{
	return v >= SJ_V10 ? ACTIONS[i].v10 : v >= SJ_V09 ? ACTIONS[i].v09 : ACTIONS[i].v08;
}

static int find_action(const struct sj_tape *t, uint32_t key)
{
	for (size_t i = 0; i < NACTIONS; i++)
		if (sj_tape_string_is(t, key, sj_slice_of(ACTIONS[i].key)))
			return (int)i;
	return -1;
}

/* The version of a message and its one action; faults as the suites name them. */
static enum sj_status read_envelope(struct sj_faults *f, enum sj_version *version, size_t *action, uint32_t *body)
{
	const struct sj_tape *t = f->tape;
	uint32_t root = f->root, stranger = 0, unknown = 0;
	if (sj_tape_type(t, root) != SJ_J_OBJECT)
		return envelope_fault(f, root, NULL, "type_mismatch", "a message must be an object%.*s%s", SJ_LIT(""), "");
	int found = -1;
	bool several = false, v08 = false;
	for (uint32_t at = sj_tape_first(t, root); at < t->cells[root].end;) {
		uint32_t value = sj_tape_next(t, at);
		int i = find_action(t, at);
		if (i >= 0) {
			several = several || found >= 0;
			if (found < 0) {
				found = i;
				*body = value;
			}
			v08 = v08 || (ACTIONS[i].v08 && !ACTIONS[i].v09);
		} else if (!sj_tape_string_is(t, at, SJ_LIT("version"))) {
			stranger = stranger ? stranger : value;
			unknown = unknown ? unknown : at;
		}
		at = sj_tape_next(t, value);
	}
	uint32_t vcell = member(t, root, "version");
	if (!vcell && v08) {
		*version = SJ_V08;
	} else if (!vcell) {
		return envelope_fault(f, root, "version", "missing_field", "Missing required version field%.*s%s", SJ_LIT(""), "");
	} else if (sj_tape_type(t, vcell) != SJ_J_STRING) {
		return envelope_fault(f, vcell, NULL, "type_mismatch", "version must be a string%.*s%s", SJ_LIT(""), "");
	} else {
		struct sj_slice text = sj_tape_raw(t, vcell);
		*version = text.len > 0 && text.ptr[0] == 'v' ? sj_version_find(text) : SJ_VERSION_NONE;
		if (*version == SJ_VERSION_NONE)
			return envelope_fault(f, vcell, NULL, "invalid_value", "Unsupported protocol version '%.*s'%s", text, "");
	}
	if (several)
		return envelope_fault(f, root, NULL, "invalid_value", "Message contains multiple conflicting update actions%.*s%s", SJ_LIT(""), "");
	if (found < 0)
		return envelope_fault(f, stranger ? stranger : root, NULL, "missing_field",
		                      unknown ? "Message contains no known action: '%.*s' is none of protocol version %s" : "Message contains no action%.*s (protocol version %s)",
		                      unknown ? sj_tape_raw(t, unknown) : SJ_LIT(""), sj_version_text(*version));
	if (!action_allowed((size_t)found, *version)) {
		enum sj_status st = envelope_fault(f, *body, NULL, "invalid_value", "action '%.*s' is not supported in protocol version %s",
		                                   sj_slice_of(ACTIONS[found].key), sj_version_text(*version));
		if (f->count > 0 && f->count <= f->cap) {
			char names[200] = "";
			size_t len = 0;
			for (size_t i = 0; i < NACTIONS; i++)
				if (action_allowed(i, *version) && len < sizeof names - 30)
					len += (size_t)snprintf(names + len, sizeof names - len, "%s%s", len ? ", " : "", ACTIONS[i].key);
			sj_diag_hint(&f->items[f->count - 1], "Allowed: %s.", names);
		}
		return st;
	}
	if (stranger)
		return envelope_fault(f, stranger, NULL, "invalid_value", "Additional properties are not allowed ('%.*s' was unexpected%s)",
		                      sj_tape_raw(t, unknown), "");
	if (sj_tape_type(t, *body) != SJ_J_OBJECT)
		return envelope_fault(f, *body, NULL, "type_mismatch", "%.*s must be an object%s", sj_slice_of(ACTIONS[found].key), "");
	*action = (size_t)found;
	return SJ_OK;
}

static enum sj_status apply(struct sj_a2ui *a, uint32_t peer, enum sj_version version, size_t action, uint32_t body, struct sj_origin origin, struct sj_faults *f)
{
	if (version < SJ_V09)
		return envelope_fault(f, f->root, NULL, "invalid_value", "Unsupported protocol version '%.*s'%s", SJ_LIT("v0.8"), "");
	switch (ACTIONS[action].op) {
	case OP_CREATE:
		return create_surface(a, peer, version, body, origin, f);
	case OP_COMPONENTS:
		return update_components(a, peer, version, body, origin, f);
	case OP_DATA:
		return update_data_model(a, peer, version, body, origin, f);
	case OP_DELETE:
		return delete_surface(a, peer, body, f);
	case OP_CALL:
		return sj_rpc_call_renderer(a, peer, f->tape, body, f);
	case OP_RESPONSE:
		return sj_rpc_agent_response(a, peer, f->tape, body, f);
	}
	return SJ_OK;
}

enum sj_status sj_a2ui_message(struct sj_a2ui *a, uint32_t peer, const struct sj_tape *t, uint32_t cell, struct sj_origin origin,
                               struct sj_diag *diags, uint32_t cap, uint32_t *n)
{
	struct sj_diag own[FAULT_CAP];
	struct sj_faults f = {.items = cap ? diags : own, .cap = cap ? cap : FAULT_CAP, .base = origin.offset, .tape = t, .root = cell};
	enum sj_version version = SJ_VERSION_NONE;
	size_t action = 0;
	uint32_t body = 0;
	a->message = origin.message;
	a->peer = peer;
	enum sj_status st = read_envelope(&f, &version, &action, &body);
	if (st == SJ_OK)
		st = apply(a, peer, version, action, body, origin, &f);
	/* A refusal is answered once, with the first fault, when the version lets a renderer answer. */
	if (st == SJ_INVALID || st == SJ_LIMIT) {
		struct sj_slice id = SJ_NO_SLICE;
		uint32_t at = body && sj_tape_type(t, body) == SJ_J_OBJECT ? member(t, body, "surfaceId") : 0;
		if (at && sj_tape_type(t, at) == SJ_J_STRING)
			id = sj_tape_string(t, at, &a->scratch);
		uint32_t shown = f.count < f.cap ? f.count : f.cap;
		if (shown == 0) {
			struct sj_diag *d = sj_faults_next(&f);
			sj_diag_set(d, st, SJ_E_LIMIT, SJ_CAT_VALIDATION, "A limit was reached");
			shown = 1;
		}
		for (uint32_t i = 0; i < shown; i++) {
			enum sj_status e = sj_emit_fault(a, peer, version, id, id.ptr ? sj_a2ui_view_find(a, peer, id) : NULL, &f.items[i], i == 0);
			if (e == SJ_NOMEM)
				st = e;
		}
	}
	if (n)
		*n = f.count < f.cap ? f.count : f.cap;
	sj_arena_reset(&a->scratch);
	return st;
}

enum sj_status sj_a2ui_batch(struct sj_a2ui *a, uint32_t peer, const struct sj_tape *t, struct sj_origin *next, struct sj_diag *first)
{
	uint32_t list = 0;
	enum sj_json_type type = sj_tape_type(t, 0);
	if (type == SJ_J_NULL)
		return SJ_OK; /* an empty batch (requirements 2) */
	if (type == SJ_J_ARRAY) {
		list = 0;
	} else {
		uint32_t wrapped = type == SJ_J_OBJECT ? member(t, 0, "messages") : 0;
		if (!wrapped || sj_tape_type(t, wrapped) != SJ_J_ARRAY) {
			next->message++;
			struct sj_diag d[FAULT_CAP];
			uint32_t n = 0;
			enum sj_status st = sj_a2ui_message(a, peer, t, 0, *next, d, FAULT_CAP, &n);
			if (n && first && !first->code)
				*first = d[0];
			return st;
		}
		list = wrapped;
	}
	enum sj_status worst = SJ_OK;
	for (uint32_t at = sj_tape_first(t, list); at < t->cells[list].end; at = sj_tape_next(t, at)) {
		next->message++;
		struct sj_diag d[FAULT_CAP];
		uint32_t n = 0;
		enum sj_status st = sj_a2ui_message(a, peer, t, at, *next, d, FAULT_CAP, &n);
		if (n && first && !first->code)
			*first = d[0];
		if (st == SJ_NOMEM)
			return st;
		if (st != SJ_OK)
			worst = st;
	}
	return worst;
}
