/* One message seen alone: the envelope, then components and calls against a set of catalogs. */
#include "a2ui/check.h"

#include "a2ui/internal.h"
#include "a2ui/path.h"
#include "text/ident.h"

struct judge {
	const struct sj_check *c;
	struct sj_faults f;
	struct sj_diag diag;
	enum sj_version version;
	struct sj_arena *scratch;
};

static void begin(struct judge *j, const struct sj_check *c, const struct sj_tape *t, uint32_t root,
                  struct sj_arena *scratch)
{
	j->c = c;
	j->scratch = scratch;
	j->version = SJ_VERSION_NONE;
	sj_diag_clear(&j->diag);
	j->f = (struct sj_faults){
		.mem = c->mem, .items = &j->diag, .cap = 1, .base_line = 1, .line = 1, .tape = t, .root = root};
}

static enum sj_status finish(const struct judge *j, enum sj_status st, struct sj_diag *diag)
{
	if (st == SJ_INVALID && diag && diag->code == SJ_E_NONE)
		*diag = j->diag;
	return st;
}

/* ---- catalogs ---------------------------------------------------------------------------------------------------- */

enum row { ROW_COMPONENT, ROW_FUNCTION };

static const void *row_of(const struct sj_catalog *c, enum row row, struct sj_slice name)
{
	return row == ROW_COMPONENT ? (const void *)sj_catalog_component(c, name)
	                            : (const void *)sj_catalog_function(c, name);
}

/* The catalogs a name may come from. own: the cell of a catalogId, 0 for none. Leaves the candidates to the caller, one
 * at a time: `from` is where to look on, the result NULL at the end. */
static const struct sj_catalog *next_home(const struct judge *j, struct sj_slice own, uint32_t *from)
{
	const struct sj_check *c = j->c;
	while (*from < c->ncatalogs) {
		const struct sj_catalog *cat = c->catalogs[(*from)++];
		if (own.ptr ? sj_slice_eq(sj_catalog_id(cat), own) : (!c->surface || c->surface == cat))
			return cat;
	}
	return NULL;
}

static enum sj_status own_catalog(struct judge *j, uint32_t object, struct sj_slice *own)
{
	const struct sj_tape *t = j->f.tape;
	uint32_t cell = j->version >= SJ_V10 ? sj_tape_get(t, object, SJ_LIT("catalogId")) : 0;
	*own = SJ_NO_SLICE;
	if (!cell)
		return SJ_OK;
	if (sj_tape_type(t, cell) != SJ_J_STRING)
		return sj_fault_at(&j->f, cell, NULL, "type_mismatch", "catalogId must be a string");
	*own = sj_tape_string(t, cell, j->scratch);
	if (!own->ptr)
		return SJ_NOMEM;
	for (uint32_t i = 0; i < j->c->ncatalogs; i++)
		if (sj_slice_eq(sj_catalog_id(j->c->catalogs[i]), *own))
			return SJ_OK;
	return sj_fault_at(&j->f, cell, NULL, "invalid_value", "Catalog not found: %.*s", SJ_ARG(*own));
}

static enum sj_status unknown(struct judge *j, uint32_t cell, enum row row, struct sj_slice name)
{
	return row == ROW_COMPONENT
	               ? sj_fault_at(&j->f, cell, NULL, "invalid_value",
	                             "Unknown component '%.*s': no active catalog has such a type", SJ_ARG(name))
	               : sj_fault_at(&j->f, cell, NULL, "invalid_value", "Unrecognized function '%.*s'", SJ_ARG(name));
}

typedef enum sj_status (*check_fn)(const struct judge *j, const struct sj_catalog *c, const void *row,
                                   enum sj_dialect d, uint32_t cell, sj_schema_fault_fn fn, void *ctx);

static enum sj_status check_as_component(const struct judge *j, const struct sj_catalog *c, const void *row,
                                         enum sj_dialect d, uint32_t cell, sj_schema_fault_fn fn, void *ctx)
{
	return sj_catalog_check_component(c, row, d, j->f.tape, cell, j->scratch, fn, ctx);
}

static enum sj_status check_as_call(const struct judge *j, const struct sj_catalog *c, const void *row,
                                    enum sj_dialect d, uint32_t cell, sj_schema_fault_fn fn, void *ctx)
{
	return sj_catalog_check_call(c, row, d, j->f.tape, cell, j->scratch, fn, ctx);
}

struct worder { /* of a schema's faults */
	const struct sj_check *c;
	struct sj_fault_ctx ctx;
};

static bool word(void *ctx, const struct sj_schema_fault *f)
{
	struct worder *w = ctx;
	if (w->c->raw)
		(void)w->c->raw(w->c->raw_ctx, f);
	return sj_fault_schema(&w->ctx, f);
}

/* A component or call is good when one of its possible homes says so; the first home that knows the name words the
 * fault. */
static enum sj_status check_row(struct judge *j, enum row row, enum sj_dialect d, uint32_t cell, uint32_t name_cell)
{
	check_fn check = row == ROW_COMPONENT ? check_as_component : check_as_call;
	struct sj_slice own, name = sj_tape_string(j->f.tape, name_cell, j->scratch);
	const struct sj_catalog *home = NULL, *first = NULL;
	const void *first_row = NULL;
	uint32_t from = 0, homes = 0;
	enum sj_status st = name.ptr ? own_catalog(j, cell, &own) : SJ_NOMEM;
	if (st != SJ_OK || j->c->ncatalogs == 0)
		return st;
	while ((home = next_home(j, own, &from)) != NULL) {
		const void *found = row_of(home, row, name);
		if (!found)
			continue;
		homes++;
		if (!first) {
			first = home;
			first_row = found;
		}
	}
	if (!first)
		return unknown(j, name_cell, row, name);
	struct worder w = {
		j->c, {&j->f, j->f.tape, cell, cell, row == ROW_COMPONENT ? "component" : "function", name}};
	if (homes == 1)
		return check(j, first, first_row, d, cell, word, &w);
	for (from = 0; (home = next_home(j, own, &from)) != NULL;) {
		const void *found = row_of(home, row, name);
		st = found ? check(j, home, found, d, cell, NULL, NULL) : SJ_INVALID;
		if (st != SJ_INVALID)
			return st;
	}
	return check(j, first, first_row, d, cell, word, &w);
}

/* ---- components -------------------------------------------------------------------------------------------------- */

static enum sj_dialect dialect_of(const struct judge *j, uint32_t cell)
{
	const struct sj_tape *t = j->f.tape;
	if (j->version < SJ_V10)
		return SJ_DIALECT_BARE;
	for (uint32_t i = cell; i < t->cells[cell].end; i++)
		if ((t->cells[i].flags & SJ_CELL_KEY) && t->cells[i].len > 0 && t->text[t->cells[i].off] == '@')
			return SJ_DIALECT_RESERVED;
	return SJ_DIALECT_AUTO;
}

static enum sj_status check_call(struct judge *j, enum sj_dialect d, uint32_t cell, uint32_t name_cell)
{
	struct sj_slice name = sj_tape_string(j->f.tape, name_cell, j->scratch);
	if (!name.ptr)
		return SJ_NOMEM;
	if (name.len > 0 && name.ptr[0] == '@') {
		if (!sj_slice_is(name, "@index"))
			return unknown(j, name_cell, ROW_FUNCTION, name);
		uint32_t id = sj_tape_get(j->f.tape, cell, SJ_LIT("catalogId"));
		return id ? sj_fault_at(&j->f, id, NULL, "invalid_value", "@index takes no catalogId") : SJ_OK;
	}
	return check_row(j, ROW_FUNCTION, d, cell, name_cell);
}

/* v1.0: each call in a dynamic property is checked against the catalog it resolves to. */
static enum sj_status check_calls(struct judge *j, enum sj_dialect d, const struct sj_a2ui_component *type,
                                  uint32_t cell)
{
	const struct sj_tape *t = j->f.tape;
	d = d == SJ_DIALECT_AUTO ? SJ_DIALECT_BARE : d;
	if (!sj_has_dynamic(t, cell, d))
		return SJ_OK;
	for (uint32_t at = sj_tape_first(t, cell), value; at < t->cells[cell].end; at = sj_tape_next(t, value)) {
		value = sj_tape_next(t, at);
		const struct sj_a2ui_prop *p = type ? sj_a2ui_prop_find(type, sj_tape_string(t, at, j->scratch)) : NULL;
		if (!p || p->cls == SJ_AC_PLAIN || p->cls == SJ_AC_COMMON)
			continue;
		for (uint32_t i = value, holder = 0, name; i < t->cells[value].end; i++) {
			if (sj_tape_type(t, i) != SJ_J_OBJECT || i == holder)
				continue;
			holder = sj_tape_get(t, i, SJ_LIT("args"));
			holder = holder ? holder : sj_tape_get(t, i, SJ_LIT("context"));
			if (sj_object_form(t, i, d, &name) != SJ_FORM_CALL)
				continue;
			enum sj_status st = check_call(j, d, i, name);
			if (st != SJ_OK)
				return st;
		}
	}
	return SJ_OK;
}

/* Hyphens in ids are tolerated (docs/decisions/011). */
static bool good_id(struct sj_slice id)
{
	char bare[256];
	if (sj_ident_check(id))
		return true;
	if (id.len > sizeof bare)
		return false;
	for (size_t i = 0; i < id.len; i++)
		bare[i] = i > 0 && id.ptr[i] == '-' ? '_' : id.ptr[i];
	return sj_ident_check(sj_slice(bare, id.len));
}

static const struct sj_a2ui_component *type_of(const struct judge *j, struct sj_slice own, struct sj_slice name)
{
	const struct sj_catalog *home;
	for (uint32_t from = 0; (home = next_home(j, own, &from)) != NULL;) {
		const struct sj_a2ui_component *row = sj_catalog_component(home, name);
		if (row)
			return row;
	}
	return NULL;
}

static enum sj_status check_component(struct judge *j, uint32_t cell)
{
	const struct sj_tape *t = j->f.tape;
	struct sj_slice own;
	if (sj_tape_type(t, cell) != SJ_J_OBJECT)
		return sj_fault_at(&j->f, cell, NULL, "type_mismatch", "a component must be an object");
	uint32_t id = sj_tape_get(t, cell, SJ_LIT("id")), type = sj_tape_get(t, cell, SJ_LIT("component"));
	if (!id)
		return sj_fault_at(&j->f, cell, "id", "missing_field", "Component is missing an 'id'");
	if (sj_tape_type(t, id) != SJ_J_STRING)
		return sj_fault_at(&j->f, id, NULL, "type_mismatch", "Component is missing an 'id' of type string");
	struct sj_slice text = sj_tape_string(t, id, j->scratch);
	if (!text.ptr)
		return SJ_NOMEM;
	if (j->version >= SJ_V10 && !good_id(text))
		return sj_fault_at(&j->f, id, NULL, "invalid_value",
		                   "Component id '%.*s' must be a valid UAX #31 identifier", SJ_ARG(text));
	if (!type && j->version < SJ_V10)
		return SJ_OK; /* an update of a component that only the renderer knows */
	if (!type)
		return sj_fault_at(&j->f, cell, "component", "missing_field",
		                   "Component '%.*s' has no type: 'component' is a required property", SJ_ARG(text));
	if (sj_tape_type(t, type) != SJ_J_STRING)
		return sj_fault_at(&j->f, type, NULL, "type_mismatch", "component of '%.*s' must be a string",
		                   SJ_ARG(text));
	enum sj_dialect d = dialect_of(j, cell);
	enum sj_status st = check_row(j, ROW_COMPONENT, d, cell, type);
	if (st != SJ_OK || j->version < SJ_V10 || j->c->ncatalogs == 0)
		return st;
	st = own_catalog(j, cell, &own);
	text = st == SJ_OK ? sj_tape_string(t, type, j->scratch) : text;
	return st == SJ_OK ? check_calls(j, d, type_of(j, own, text), cell) : st;
}

static enum sj_status check_list(struct judge *j, uint32_t list)
{
	const struct sj_tape *t = j->f.tape;
	if (sj_tape_type(t, list) != SJ_J_ARRAY)
		return sj_fault_at(&j->f, list, NULL, "type_mismatch", "components must be an array");
	if (j->c->checked_until > t->count)
		return SJ_OK;
	if (t->cells[list].len == 0)
		return sj_fault_at(&j->f, list, NULL, "invalid_value", "components must hold at least one component");
	for (uint32_t at = sj_tape_first(t, list); at < t->cells[list].end; at = sj_tape_next(t, at)) {
		enum sj_status st = at < j->c->checked_until ? SJ_OK : check_component(j, at);
		if (st != SJ_OK)
			return st;
	}
	return SJ_OK;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static enum sj_status need(struct judge *j, uint32_t body, const char *key, enum sj_json_type type, bool required,
                           uint32_t *out)
{
	static const char *const types[] = {[SJ_J_STRING] = "a string", [SJ_J_OBJECT] = "an object"};
	*out = sj_tape_get(j->f.tape, body, sj_slice_of(key));
	if (!*out)
		return required ? sj_fault_at(&j->f, body, key, "missing_field", "'%s' is a required property", key)
		                : SJ_OK;
	if (sj_tape_type(j->f.tape, *out) != type)
		return sj_fault_at(&j->f, *out, NULL, "type_mismatch", "%s must be %s", key, types[type]);
	return SJ_OK;
}

static enum sj_status check_metadata(struct judge *j, uint32_t body)
{
	const struct sj_tape *t = j->f.tape;
	uint32_t at, ext;
	enum sj_status st = need(j, body, "metadata", SJ_J_OBJECT, false, &at);
	if (st != SJ_OK || !at)
		return st;
	st = sj_fault_closed(&j->f, at, (const char *const[]){"extensions", NULL}, "metadata");
	if (st == SJ_OK)
		st = need(j, at, "extensions", SJ_J_OBJECT, false, &ext);
	if (st != SJ_OK || !ext)
		return st;
	for (uint32_t key = sj_tape_first(t, ext), value; key < t->cells[ext].end; key = sj_tape_next(t, value)) {
		struct sj_slice text = sj_tape_string(t, key, j->scratch);
		value = sj_tape_next(t, key);
		if (!sj_ident_check(text))
			return sj_fault_at(&j->f, value, NULL, "invalid_value",
			                   "Extension key '%.*s' must be a valid UAX #31 identifier", SJ_ARG(text));
	}
	return SJ_OK;
}

static enum sj_status check_theme(struct judge *j, uint32_t theme, struct sj_slice surface)
{
	const struct sj_tape *t = j->f.tape;
	if (sj_tape_type(t, theme) != SJ_J_OBJECT)
		return sj_fault_at(&j->f, theme, NULL, "type_mismatch", "theme must be an object");
	if (!j->c->surface || !sj_catalog_has_theme(j->c->surface))
		return SJ_OK;
	struct sj_fault_ctx ctx = {&j->f, t, theme, theme, "theme on surface", surface, NULL};
	return sj_catalog_check_theme(j->c->surface, t, theme, j->scratch, sj_fault_schema, &ctx);
}

static enum sj_status check_create(struct judge *j, uint32_t body)
{
	static const char *const v09[] = {"surfaceId", "catalogId", "theme", "sendDataModel", NULL};
	static const char *const v10[] = {"surfaceId", "catalogId", "sendDataModel", "components", "dataModel",
	                                  "metadata",  NULL};
	const struct sj_tape *t = j->f.tape;
	struct sj_check own = *j->c;
	uint32_t id, catalog, at;
	enum sj_status st = need(j, body, "surfaceId", SJ_J_STRING, true, &id);
	if (st == SJ_OK)
		st = need(j, body, "catalogId", SJ_J_STRING, j->version < SJ_V10, &catalog);
	if (st == SJ_OK)
		st = sj_fault_closed(&j->f, body, j->version < SJ_V10 ? v09 : v10, "createSurface");
	if (st != SJ_OK)
		return st;
	if (catalog && own.ncatalogs > 0) {
		struct sj_slice text = sj_tape_string(t, catalog, j->scratch);
		own.surface = NULL;
		for (uint32_t i = 0; i < own.ncatalogs && !own.surface; i++)
			if (sj_slice_eq(sj_catalog_id(own.catalogs[i]), text))
				own.surface = own.catalogs[i];
		if (!own.surface) {
			struct sj_diag d = {0};
			sj_diag_set(&d, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG, "Catalog not found: %.*s",
			            SJ_ARG(text));
			return sj_fault_copy(&j->f, &d, catalog, SJ_INVALID);
		}
	}
	j->c = &own;
	at = sj_tape_get(t, body, SJ_LIT("sendDataModel"));
	if (at && sj_tape_type(t, at) != SJ_J_TRUE && sj_tape_type(t, at) != SJ_J_FALSE)
		return sj_fault_at(&j->f, at, NULL, "type_mismatch", "sendDataModel must be a boolean");
	if ((at = sj_tape_get(t, body, SJ_LIT("theme"))) != 0)
		st = check_theme(j, at, sj_tape_string(t, id, j->scratch));
	if (st == SJ_OK)
		st = check_metadata(j, body);
	if (st == SJ_OK)
		st = need(j, body, "dataModel", SJ_J_OBJECT, false, &at);
	if (st == SJ_OK && (at = sj_tape_get(t, body, SJ_LIT("components"))) != 0)
		st = check_list(j, at);
	return st;
}

static enum sj_status check_components(struct judge *j, uint32_t body)
{
	uint32_t id, list = sj_tape_get(j->f.tape, body, SJ_LIT("components"));
	enum sj_status st = sj_fault_closed(&j->f, body, (const char *const[]){"surfaceId", "components", NULL},
	                                    "updateComponents");
	if (st == SJ_OK)
		st = need(j, body, "surfaceId", SJ_J_STRING, true, &id);
	if (st != SJ_OK)
		return st;
	return list ? check_list(j, list)
	            : sj_fault_at(&j->f, body, "components", "missing_field", "'components' is a required property");
}

static enum sj_status check_data(struct judge *j, uint32_t body)
{
	const struct sj_tape *t = j->f.tape;
	struct sj_diag d;
	struct sj_path p;
	uint32_t id, path;
	enum sj_status st = sj_fault_closed(&j->f, body, (const char *const[]){"surfaceId", "path", "value", NULL},
	                                    "updateDataModel");
	if (st == SJ_OK)
		st = need(j, body, "surfaceId", SJ_J_STRING, true, &id);
	if (st == SJ_OK)
		st = need(j, body, "path", SJ_J_STRING, false, &path);
	if (st != SJ_OK)
		return st;
	if (j->version >= SJ_V10 && !sj_tape_get(t, body, SJ_LIT("value")))
		return sj_fault_at(&j->f, body, "value", "missing_field", "'value' is a required property");
	if (!path)
		return SJ_OK;
	sj_diag_clear(&d);
	struct sj_slice text = sj_tape_string(t, path, j->scratch);
	st = text.ptr ? sj_path_parse(j->scratch, &SJ_LIMITS_DEFAULT, text, &p, &d) : SJ_NOMEM;
	return st == SJ_OK || st == SJ_NOMEM ? st : sj_fault_copy(&j->f, &d, path, SJ_INVALID);
}

static enum sj_status check_delete(struct judge *j, uint32_t body)
{
	uint32_t id;
	enum sj_status st =
		sj_fault_closed(&j->f, body, (const char *const[]){"surfaceId", NULL}, "deleteSurface");
	return st == SJ_OK ? need(j, body, "surfaceId", SJ_J_STRING, true, &id) : st;
}

static enum sj_status check_renderer_call(struct judge *j, uint32_t body)
{
	uint32_t id, call, name = 0;
	enum sj_status st = sj_fault_closed(&j->f, body, (const char *const[]){"functionCallId", "callFunction", NULL},
	                                    "callRendererFunction");
	if (st == SJ_OK)
		st = need(j, body, "functionCallId", SJ_J_STRING, true, &id);
	if (st == SJ_OK)
		st = need(j, body, "callFunction", SJ_J_OBJECT, true, &call);
	if (st != SJ_OK)
		return st;
	enum sj_dialect d = dialect_of(j, call) == SJ_DIALECT_RESERVED ? SJ_DIALECT_RESERVED : SJ_DIALECT_BARE;
	st = need(j, call, d == SJ_DIALECT_RESERVED ? "@call" : "call", SJ_J_STRING, true, &name);
	return st == SJ_OK ? check_call(j, d, call, name) : st;
}

static enum sj_status check_response(struct judge *j, uint32_t body)
{
	const struct sj_tape *t = j->f.tape;
	uint32_t id, error;
	enum sj_status st = sj_fault_closed(
		&j->f, body, (const char *const[]){"functionCallId", "value", "error", NULL}, "agentFunctionResponse");
	if (st == SJ_OK)
		st = need(j, body, "functionCallId", SJ_J_STRING, true, &id);
	if (st == SJ_OK)
		st = need(j, body, "error", SJ_J_OBJECT, false, &error);
	if (st == SJ_OK && (error != 0) == (sj_tape_get(t, body, SJ_LIT("value")) != 0))
		st = sj_fault_at(&j->f, body, error ? NULL : "value", error ? "invalid_value" : "missing_field",
		                 "agentFunctionResponse holds exactly one of 'value' and 'error'");
	if (st == SJ_OK && error)
		st = need(j, error, "code", SJ_J_STRING, true, &id);
	if (st == SJ_OK && error)
		st = need(j, error, "message", SJ_J_STRING, true, &id);
	return st;
}

/* ---- v0.8 -------------------------------------------------------------------------------------------------------- */

static enum sj_status check_old_components(struct judge *j, uint32_t body)
{
	const struct sj_tape *t = j->f.tape;
	uint32_t id;
	enum sj_status st = sj_fault_closed(&j->f, body, (const char *const[]){"surfaceId", "components", NULL},
	                                    "surfaceUpdate");
	if (st == SJ_OK)
		st = need(j, body, "surfaceId", SJ_J_STRING, true, &id);
	if (st != SJ_OK)
		return st;
	uint32_t list = sj_tape_get(t, body, SJ_LIT("components"));
	if (!list)
		return sj_fault_at(&j->f, body, "components", "missing_field", "'components' is a required property");
	if (sj_tape_type(t, list) != SJ_J_ARRAY || t->cells[list].len == 0)
		return sj_fault_at(&j->f, list, NULL, "type_mismatch",
		                   "components must be an array of at least one component");
	st = sj_v08_check_list(j->c->mem, j->scratch, list, &j->f);
	for (uint32_t at = sj_tape_first(t, list); st == SJ_OK && at < t->cells[list].end; at = sj_tape_next(t, at))
		st = sj_v08_check_alone(&j->f, at, j->c->catalogs, j->c->ncatalogs, j->scratch);
	return st;
}

static enum sj_status check_old_data(struct judge *j, uint32_t body)
{
	const struct sj_tape *t = j->f.tape;
	struct sj_diag d;
	struct sj_path p;
	uint32_t id, path;
	enum sj_status st = sj_fault_closed(&j->f, body, (const char *const[]){"surfaceId", "path", "contents", NULL},
	                                    "dataModelUpdate");
	if (st == SJ_OK)
		st = need(j, body, "surfaceId", SJ_J_STRING, true, &id);
	if (st == SJ_OK)
		st = need(j, body, "path", SJ_J_STRING, false, &path);
	if (st != SJ_OK)
		return st;
	uint32_t contents = sj_tape_get(t, body, SJ_LIT("contents"));
	if (!contents)
		return sj_fault_at(&j->f, body, "contents", "missing_field", "'contents' is a required property");
	if (sj_tape_type(t, contents) != SJ_J_ARRAY)
		return sj_fault_at(&j->f, contents, NULL, "type_mismatch", "contents must be an array");
	sj_diag_clear(&d);
	struct sj_slice text = path ? sj_tape_string(t, path, j->scratch) : SJ_LIT("/");
	st = text.ptr ? sj_path_parse(j->scratch, &SJ_LIMITS_DEFAULT, text, &p, &d) : SJ_NOMEM;
	if (st != SJ_OK)
		return st == SJ_NOMEM ? st : sj_fault_copy(&j->f, &d, path, SJ_INVALID);
	return sj_v08_check_entries(&j->f, contents, j->scratch);
}

static enum sj_status check_old_begin(struct judge *j, uint32_t body)
{
	uint32_t at;
	enum sj_status st = sj_fault_closed(
		&j->f, body, (const char *const[]){"surfaceId", "catalogId", "root", "styles", NULL}, "beginRendering");
	if (st == SJ_OK)
		st = need(j, body, "surfaceId", SJ_J_STRING, true, &at);
	if (st == SJ_OK)
		st = need(j, body, "root", SJ_J_STRING, true, &at);
	if (st == SJ_OK)
		st = need(j, body, "catalogId", SJ_J_STRING, false, &at);
	return st == SJ_OK ? need(j, body, "styles", SJ_J_OBJECT, false, &at) : st;
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static const struct {
	const char *action;
	enum sj_check_op op;
	enum sj_status (*check)(struct judge *j, uint32_t body);
} OPS[] = {
	{"createSurface", SJ_CHECK_CREATE, check_create},
	{"updateComponents", SJ_CHECK_COMPONENTS, check_components},
	{"updateDataModel", SJ_CHECK_DATA, check_data},
	{"deleteSurface", SJ_CHECK_DELETE, check_delete},
	{"callRendererFunction", SJ_CHECK_CALL, check_renderer_call},
	{"agentFunctionResponse", SJ_CHECK_RESPONSE, check_response},
	{"surfaceUpdate", SJ_CHECK_OLD, check_old_components},
	{"dataModelUpdate", SJ_CHECK_OLD, check_old_data},
	{"beginRendering", SJ_CHECK_OLD, check_old_begin},
};

static enum sj_status envelope(struct judge *j, struct sj_envelope *out, size_t *row)
{
	struct sj_slice action = SJ_NO_SLICE;
	enum sj_status st = sj_envelope_read(&j->f, &out->version, &action, &out->body);
	if (st != SJ_OK)
		return st;
	enum sj_version want = j->c->version;
	uint32_t cell = sj_tape_get(j->f.tape, j->f.root, SJ_LIT("version"));
	if (want != SJ_VERSION_NONE && !sj_version_compatible(want, out->version))
	{
		enum sj_status wrong = sj_fault_at(
			&j->f, cell ? cell : j->f.root, NULL, "invalid_value",
			"Protocol version %s of the message does not match that of the active catalogs (%s)",
			sj_version_text(out->version), sj_version_text(want));
		if (j->f.count <= j->f.cap)
			sj_diag_hint(&j->f.items[j->f.count - 1],
			             "Write messages of %s, or check with catalogs of %s (--version %s).",
			             sj_version_text(want), sj_version_text(out->version),
			             sj_version_text(out->version) + 1);
		return wrong;
	}
	j->version = out->version;
	for (*row = 0; *row < sizeof OPS / sizeof *OPS; ++*row)
		if (sj_slice_is(action, OPS[*row].action)) {
			out->op = OPS[*row].op;
			return SJ_OK;
		}
	return sj_fault_at(&j->f, out->body, NULL, "invalid_value", "action '%.*s' is not supported here",
	                   SJ_ARG(action));
}

enum sj_status sj_check_envelope(const struct sj_check *c, const struct sj_tape *t, uint32_t cell,
                                 struct sj_envelope *out, struct sj_diag *diag)
{
	struct judge j;
	size_t row;
	begin(&j, c, t, cell, NULL);
	return finish(&j, envelope(&j, out, &row), diag);
}

enum sj_status sj_check_message(const struct sj_check *c, const struct sj_tape *t, uint32_t cell,
                                struct sj_arena *scratch, struct sj_envelope *out, struct sj_diag *diag)
{
	struct sj_envelope e = {0};
	struct judge j;
	size_t row = 0;
	begin(&j, c, t, cell, scratch);
	enum sj_status st = envelope(&j, &e, &row);
	if (st == SJ_OK)
		st = OPS[row].check(&j, e.body);
	if (st == SJ_OK && out)
		*out = e;
	return finish(&j, st, diag);
}

enum sj_status sj_check_component(const struct sj_check *c, enum sj_version version, const struct sj_tape *t,
                                  uint32_t root, uint32_t cell, struct sj_arena *scratch, struct sj_diag *diag)
{
	struct judge j;
	begin(&j, c, t, root, scratch);
	j.version = version;
	return finish(&j, check_component(&j, cell), diag);
}
