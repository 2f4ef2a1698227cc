/* Messages: the envelope by hand (its faults are structured), components by their catalogs, everything atomic. */
#include <stdio.h>

#include "a2ui/internal.h"
#include "text/ident.h"

#define FAULT_CAP 16

static inline uint32_t member(const struct sj_tape *t, uint32_t object, const char *key)
{
	return sj_tape_get(t, object, sj_slice_of(key));
}

/* ---- members of a body ------------------------------------------------------------------------------------------- */

/* The members of a body that may hold no others, in one pass: the cells of their values in the order of `names`, 0 for
 * those that are not there. */
static enum sj_status read_members(struct sj_faults *f, uint32_t body, const struct sj_slice *names, uint32_t n,
                                   const char *what, uint32_t *out)
{
	const struct sj_tape *t = f->tape;
	for (uint32_t i = 0; i < n; i++)
		out[i] = 0;
	for (uint32_t key = sj_tape_first(t, body), end = t->cells[body].end, value; key < end;
	     key = sj_tape_next(t, value)) {
		uint32_t i = 0;
		value = sj_tape_next(t, key);
		while (i < n && !sj_tape_is(t, key, names[i]))
			i++;
		if (i == n)
			return sj_fault_extra(f, key, what);
		out[i] = value;
	}
	return SJ_OK;
}

/* The string in cell `at`, the member `key` of body; required or not. SJ_ABSENT when optional and missing. */
static enum sj_status read_string(struct sj_faults *f, struct sj_arena *arena, uint32_t body, uint32_t at,
                                  const char *key, bool required, struct sj_slice *out)
{
	if (!at)
		return required ? sj_fault_at(f, body, key, "missing_field", "'%.*s' is a required property",
		                              SJ_ARG(sj_slice_of(key)))
		                : SJ_ABSENT;
	if (sj_tape_type(f->tape, at) != SJ_J_STRING)
		return sj_fault_at(f, at, NULL, "type_mismatch", "%.*s must be a string", SJ_ARG(sj_slice_of(key)));
	*out = sj_tape_string(f->tape, at, arena);
	return out->ptr ? SJ_OK : SJ_NOMEM;
}

enum sj_status sj_string_member(struct sj_faults *f, struct sj_arena *arena, uint32_t body, const char *key,
                                bool required, struct sj_slice *out)
{
	return read_string(f, arena, body, member(f->tape, body, key), key, required, out);
}

/* metadata holds only `extensions`, whose keys are identifiers. */
static enum sj_status check_metadata(struct sj_faults *f, struct sj_arena *arena, uint32_t cell)
{
	const struct sj_tape *t = f->tape;
	if (sj_tape_type(t, cell) != SJ_J_OBJECT)
		return sj_fault_at(f, cell, NULL, "type_mismatch", "metadata must be an object");
	enum sj_status st = sj_fault_closed(f, cell, (const char *const[]){"extensions", NULL}, "metadata");
	uint32_t ext = member(t, cell, "extensions");
	if (st != SJ_OK || !ext)
		return st;
	if (sj_tape_type(t, ext) != SJ_J_OBJECT)
		return sj_fault_at(f, ext, NULL, "type_mismatch", "extensions must be an object");
	for (uint32_t at = sj_tape_first(t, ext); at < t->cells[ext].end;) {
		uint32_t value = sj_tape_next(t, at);
		struct sj_slice key = sj_tape_string(t, at, arena);
		if (!sj_ident_check(key))
			return sj_fault_at(f, value, NULL, "invalid_value",
			                   "Extension key '%.*s' must be a valid UAX #31 identifier", SJ_ARG(key));
		at = sj_tape_next(t, value);
	}
	return SJ_OK;
}

/* ---- views ------------------------------------------------------------------------------------------------------- */

/* "PEER/" before the id: one map serves all peers. Returns the bytes written. */
static size_t put_prefix(char out[12], uint32_t peer)
{
	char digits[10];
	size_t n = 0, len = 0;
	do
		digits[n++] = (char)('0' + peer % 10);
	while ((peer /= 10) > 0);
	while (n > 0)
		out[len++] = digits[--n];
	out[len++] = '/';
	return len;
}

struct sj_view *sj_a2ui_view_find(const struct sj_a2ui *a, uint32_t peer, struct sj_slice id)
{
	struct sj_view *v = a->last_found;
	if (v && v->peer == peer && sj_slice_eq(sj_slice(v->id, v->id_len), id))
		return v; /* streams stay with one surface */
	char small[160];
	size_t n = put_prefix(small, peer);
	if (peer != UINT32_MAX && n + id.len < sizeof small) {
		if (id.len)
			memcpy(small + n, id.ptr, id.len);
		uint32_t slot = sj_map_get(&a->views, sj_slice(small, n + id.len));
		return slot == SJ_MAP_NONE ? NULL : a->view_slots.items[slot];
	}
	for (v = a->first; v; v = v->next)
		if ((peer == UINT32_MAX || v->peer == peer) && sj_slice_eq(sj_slice(v->id, v->id_len), id))
			return v;
	return NULL;
}

struct sj_mem *sj_peer_account(const struct sj_a2ui *a, uint32_t peer)
{
	return a->opt.account ? a->opt.account(a->opt.ctx, peer) : a->mem;
}

enum sj_status sj_view_core(struct sj_view *v, struct sj_surface **out)
{
	struct sj_a2ui *a = v->a;
	struct sj_surface_options opt = {.limits = a->opt.limits,
	                                 .driver = v->version >= SJ_V10 ? &a->driver_v10 : &a->driver_v09,
	                                 .ctx = v,
	                                 .gate_surface = a->opt.gate_surface,
	                                 .map_rows = v->version == SJ_V08,
	                                 .lazy_rows = a->opt.lazy_rows,
	                                 .env = &a->env};
	return sj_surface_create(sj_peer_account(a, v->peer), &opt, out);
}

enum sj_status sj_view_create(struct sj_a2ui *a, uint32_t peer, struct sj_slice id, enum sj_version version,
                                  struct sj_view **out)
{
	if (a->nviews >= a->opt.limits->surfaces)
		return SJ_LIMIT;
	struct sj_view *v = sj_mem_zalloc(a->mem, sizeof *v);
	if (!v)
		return SJ_NOMEM;
	/* The key text is "peer/id"; the id is its tail. */
	char prefix[12];
	size_t skip = put_prefix(prefix, peer), len = skip + id.len;
	char *text = sj_mem_alloc(a->mem, len + 1);
	enum sj_status st = SJ_OK;
	if (text) {
		memcpy(text, prefix, skip);
		memcpy(text + skip, id.ptr, id.len);
		text[len] = '\0';
	}
	*v = (struct sj_view){.a = a,
	                      .peer = peer,
	                      .uid = ++a->next_uid,
	                      .version = version,
	                      .dialect = version < SJ_V10 ? SJ_DIALECT_BARE : a->opt.dialect,
	                      .theme = SJ_ABSENT_VALUE};
	sj_topo_init(&v->topo, a->mem);
	if (!text) {
		sj_mem_free(a->mem, v, sizeof *v);
		return SJ_NOMEM;
	}
	v->id = text + (len - id.len);
	v->id_len = (uint32_t)id.len;
	st = sj_view_core(v, &v->core);
	uint32_t slot = 0;
	if (st == SJ_OK) {
		if (a->free_slots.count > 0) {
			slot = a->free_slots.items[--a->free_slots.count];
		} else {
			slot = a->view_slots.count;
			st = SJ_VEC_RESERVE(a->mem, &a->view_slots, slot + 1, 0);
			if (st == SJ_OK) /* room to give each slot back, so that freeing a view cannot fail */
				st = SJ_VEC_RESERVE(a->mem, &a->free_slots, slot + 1, 0);
			if (st == SJ_OK)
				a->view_slots.items[a->view_slots.count++] = NULL;
		}
	}
	if (st == SJ_OK)
		st = sj_map_put(&a->views, sj_slice(text, len), slot);
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
	a->cursor = NULL;
	*out = v;
	return SJ_OK;
}

void sj_view_free(struct sj_view *v)
{
	struct sj_a2ui *a = v->a;
	char digits[12];
	size_t prefix = put_prefix(digits, v->peer);
	char *text = v->id - prefix;
	struct sj_slice key = sj_slice(text, prefix + v->id_len);
	v->dying = true;
	if (a->last_found == v)
		a->last_found = NULL;
	sj_pending_drop_view(a, v);
	uint32_t slot = sj_map_get(&a->views, key);
	if (slot != SJ_MAP_NONE) {
		a->view_slots.items[slot] = NULL;
		a->free_slots.items[a->free_slots.count++] = slot;
	}
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
	a->nsending -= v->sends;
	a->cursor = NULL;
	sj_surface_destroy(v->core);
	sj_topo_finish(&v->topo);
	sj_v08_drop_held(v);
	sj_value_unref(a->mem, v->theme);
	sj_mem_free(a->mem, text, key.len + 1);
	sj_mem_free(a->mem, v, sizeof *v);
}

void sj_view_touch(struct sj_view *v)
{
	if (v->a->opt.touched)
		v->a->opt.touched(v->a->opt.ctx, v);
}

/* ---- dialect ----------------------------------------------------------------------------------------------------- */

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
			return v->dialect = SJ_DIALECT_RESERVED; /* what is sent speaks it too, from now on */
	}
	return SJ_DIALECT_BARE;
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

static enum sj_status find_surface(struct sj_a2ui *a, uint32_t peer, struct sj_faults *f, uint32_t body,
                                   struct sj_slice id, struct sj_view **out)
{
	*out = sj_a2ui_view_find(a, peer, id);
	if (*out && (*out)->version != SJ_V08) {
		a->last_found = *out;
		return SJ_OK;
	}
	struct sj_diag d = {0};
	if (*out) { /* its components and its data are written in another way */
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		            "Surface %.*s was made with protocol version v0.8 and takes no other messages", SJ_ARG(id));
		return sj_fault_copy(f, &d, member(f->tape, body, "surfaceId"), SJ_INVALID);
	}
	sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY, "Surface not found for message: %.*s",
	            SJ_ARG(id));
	sj_diag_hint(&d, "Send createSurface with this surfaceId first.");
	uint32_t at = member(f->tape, body, "surfaceId");
	return sj_fault_copy(f, &d, at ? at : body, SJ_INVALID);
}

static enum sj_status update_components(struct sj_a2ui *a, uint32_t peer, enum sj_version version, uint32_t body,
                                        struct sj_origin origin, struct sj_faults *f)
{
	struct sj_slice id;
	struct sj_view *v;
	(void)version;
	enum sj_status st =
		sj_fault_closed(f, body, (const char *const[]){"surfaceId", "components", NULL}, "updateComponents");
	if (st == SJ_OK)
		st = sj_string_member(f, &a->scratch, body, "surfaceId", true, &id);
	if (st != SJ_OK)
		return st;
	uint32_t list = member(f->tape, body, "components");
	if (!list)
		return sj_fault_at(f, body, "components", "missing_field", "'components' is a required property");
	if (sj_tape_type(f->tape, list) != SJ_J_ARRAY)
		return sj_fault_at(f, list, NULL, "type_mismatch", "components must be an array");
	if (f->tape->cells[list].len == 0)
		return sj_fault_at(f, list, NULL, "invalid_value", "components must hold at least one component");
	st = find_surface(a, peer, f, body, id, &v);
	if (st != SJ_OK)
		return st;
	uint64_t refused = sj_mem_refused(a->mem);
	sj_txn_begin(v->core, origin.message, origin);
	st = sj_apply_components(v, f->tape, list, origin, f);
	if (sj_mem_refused(a->mem) != refused)
		st = SJ_NOMEM; /* a definition may lack what there was no memory for */
	if (st == SJ_OK) {
		sj_txn_commit(v->core);
		sj_view_touch(v);
		return SJ_OK;
	}
	sj_components_rehook(v, f->tape, list, true);
	sj_txn_abort(v->core);
	sj_components_rehook(v, f->tape, list, false);
	return st;
}

/* Value of a wire write: null deletes in v1.0, absence deletes before. That is how the message is
 * read, so its own version decides. */
static enum sj_status write_value(struct sj_view *v, enum sj_version version, const struct sj_path *p,
                                  const struct sj_tape *t, uint32_t value, struct sj_diag *d)
{
	bool remove = version >= SJ_V10 ? sj_tape_type(t, value) == SJ_J_NULL : value == 0;
	if (remove)
		return sj_surface_unset(v->core, SJ_ROOT_DATA, p->tokens, p->count, d);
	struct sj_value take;
	enum sj_status st = sj_value_from_tape(sj_surface_mem(v->core), t, value, &take);
	if (st != SJ_OK)
		return st;
	return sj_surface_set(v->core, SJ_ROOT_DATA, p->tokens, p->count, take, d);
}

static enum sj_status update_data_model(struct sj_a2ui *a, uint32_t peer, enum sj_version version, uint32_t body,
                                        struct sj_origin origin, struct sj_faults *f)
{
	enum { SURFACE_ID, PATH, VALUE, MEMBERS };
	static const struct sj_slice names[MEMBERS] = {
		[SURFACE_ID] = {"surfaceId", sizeof "surfaceId" - 1},
		[PATH] = {"path", sizeof "path" - 1},
		[VALUE] = {"value", sizeof "value" - 1},
	};
	struct sj_slice id, path = SJ_LIT("/");
	struct sj_view *v;
	uint32_t cells[MEMBERS];
	enum sj_status st = read_members(f, body, names, MEMBERS, "updateDataModel", cells);
	if (st == SJ_OK)
		st = read_string(f, &a->scratch, body, cells[SURFACE_ID], "surfaceId", true, &id);
	if (st == SJ_OK)
		st = read_string(f, &a->scratch, body, cells[PATH], "path", false, &path);
	if (st != SJ_OK && st != SJ_ABSENT)
		return st;
	uint32_t value = cells[VALUE];
	if (!value && version >= SJ_V10)
		return sj_fault_at(f, body, "value", "missing_field", "'value' is a required property");
	st = find_surface(a, peer, f, body, id, &v);
	if (st != SJ_OK)
		return st;
	struct sj_path p;
	struct sj_diag d; /* not zeroed whole: this is the hot path of a stream of values */
	sj_diag_clear(&d);
	st = sj_path_parse(&a->scratch, a->opt.limits, path, &p, &d);
	if (st == SJ_OK) {
		origin.offset += value ? f->tape->cells[value].off : 0;
		sj_txn_begin(v->core, origin.message, origin);
		st = write_value(v, version, &p, f->tape, value, &d);
		if (st == SJ_OK)
			sj_txn_commit(v->core);
		else
			sj_txn_abort(v->core);
	}
	if (st == SJ_OK) {
		sj_view_touch(v);
		return st;
	}
	if (st == SJ_NOMEM)
		return st;
	return sj_fault_copy(f, &d, cells[PATH] ? cells[PATH] : body, st);
}

static enum sj_status delete_surface(struct sj_a2ui *a, uint32_t peer, uint32_t body, struct sj_faults *f)
{
	struct sj_slice id;
	enum sj_status st = sj_fault_closed(f, body, (const char *const[]){"surfaceId", NULL}, "deleteSurface");
	if (st == SJ_OK)
		st = sj_string_member(f, &a->scratch, body, "surfaceId", true, &id);
	if (st != SJ_OK)
		return st;
	struct sj_view *v = sj_a2ui_view_find(a, peer, id);
	if (!v)
		return SJ_OK; /* a no-op: deleting twice is no mistake */
	if (!v->waiting) /* nobody has heard of one that waits */
		st = sj_emit(a, &(struct sj_out){.kind = SJ_OUT_SURFACE_GONE,
		                                 .peer = peer,
		                                 .view = v,
		                                 .surface_id = id,
		                                 .message = a->message});
	sj_view_free(v);
	return st;
}

/* The catalog a createSurface names. */
enum sj_status sj_surface_catalog(struct sj_a2ui *a, struct sj_faults *f, uint32_t at, struct sj_slice id,
                                  enum sj_version version, const struct sj_catalog **out)
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
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		            "Protocol version %s of catalog '%.*s' does not match message protocol version (%s)",
		            sj_catalog_version(wrong) ? sj_version_text(sj_catalog_version(wrong)) : "(none)",
		            SJ_ARG(id), sj_version_text(version));
	else {
		sj_diag_set(&d, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG, "Catalog not found: %.*s", SJ_ARG(id));
		sj_diag_hint(&d, "Use a catalog that the renderer knows, or register this one with it (--catalog FILE).");
	}
	return sj_fault_copy(f, &d, at, SJ_INVALID);
}

enum sj_status sj_check_theme(struct sj_a2ui *a, struct sj_faults *f, const struct sj_view *v,
                              const struct sj_catalog *catalog, uint32_t theme, const char *what, struct sj_value *out)
{
	if (sj_tape_type(f->tape, theme) != SJ_J_OBJECT)
		return sj_fault_at(f, theme, NULL, "type_mismatch", "%s must be an object", what);
	if (catalog && sj_catalog_has_theme(catalog)) {
		struct sj_fault_ctx ctx = {f,   f->tape, theme, theme, "theme on surface", sj_slice(v->id, v->id_len),
		                           NULL};
		enum sj_status st =
			sj_catalog_check_theme(catalog, f->tape, theme, &a->scratch, sj_fault_schema, &ctx);
		if (st != SJ_OK)
			return st;
	}
	return sj_value_from_tape(a->mem, f->tape, theme, out);
}

/* dataModel of a v1.0 createSurface: one write per top-level key, merged into the root. */
static enum sj_status initial_data(struct sj_a2ui *a, struct sj_faults *f, struct sj_view *v, uint32_t model)
{
	const struct sj_tape *t = f->tape;
	if (sj_tape_type(t, model) != SJ_J_OBJECT)
		return sj_fault_at(f, model, NULL, "type_mismatch", "dataModel must be an object");
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
			return sj_fault_copy(f, &d, value, st);
		at = sj_tape_next(t, value);
	}
	return SJ_OK;
}

static enum sj_status create_body(struct sj_a2ui *a, struct sj_faults *f, struct sj_view *v, uint32_t body,
                                  struct sj_origin origin)
{
	const struct sj_tape *t = f->tape;
	uint32_t theme = member(t, body, "theme"), model = member(t, body, "dataModel"),
		 list = member(t, body, "components");
	enum sj_status st =
		theme ? sj_check_theme(a, f, v, v->catalog, theme, "theme", &v->theme) : SJ_OK;
	if (st != SJ_OK || (!model && !list))
		return st;
	uint64_t refused = sj_mem_refused(a->mem);
	sj_txn_begin(v->core, origin.message,
	             (struct sj_origin){origin.message, origin.offset + t->cells[model ? model : body].off});
	if (model)
		st = initial_data(a, f, v, model);
	if (st == SJ_OK && list) {
		if (sj_tape_type(t, list) != SJ_J_ARRAY)
			st = sj_fault_at(f, list, NULL, "type_mismatch", "components must be an array");
		else if (t->cells[list].len == 0)
			st = sj_fault_at(f, list, NULL, "invalid_value", "components must hold at least one component");
		else
			st = sj_apply_components(v, t, list, origin, f);
	}
	if (sj_mem_refused(a->mem) != refused)
		st = SJ_NOMEM;
	if (st == SJ_OK)
		sj_txn_commit(v->core);
	else
		sj_txn_abort(v->core);
	return st;
}

static const char *const CREATE_V09[] = {"surfaceId", "catalogId", "theme", "sendDataModel", NULL};
static const char *const CREATE_V10[] = {"surfaceId", "catalogId", "sendDataModel", "components", "dataModel",
                                         "metadata",  NULL};

static enum sj_status create_surface(struct sj_a2ui *a, uint32_t peer, enum sj_version version, uint32_t body,
                                     struct sj_origin origin, struct sj_faults *f)
{
	const struct sj_tape *t = f->tape;
	struct sj_slice id, catalog_id = SJ_NO_SLICE;
	bool sends = false;
	enum sj_status st = sj_string_member(f, &a->scratch, body, "surfaceId", true, &id);
	if (st != SJ_OK)
		return st;
	st = sj_string_member(f, &a->scratch, body, "catalogId", version < SJ_V10, &catalog_id);
	if (st != SJ_OK && st != SJ_ABSENT)
		return st;
	st = sj_fault_closed(f, body, version < SJ_V10 ? CREATE_V09 : CREATE_V10, "createSurface");
	if (st != SJ_OK)
		return st;
	uint32_t at = member(t, body, "sendDataModel");
	if (at && sj_tape_type(t, at) != SJ_J_TRUE && sj_tape_type(t, at) != SJ_J_FALSE)
		return sj_fault_at(f, at, NULL, "type_mismatch", "sendDataModel must be a boolean");
	sends = at && sj_tape_type(t, at) == SJ_J_TRUE;
	at = member(t, body, "metadata");
	if (at && (st = check_metadata(f, &a->scratch, at)) != SJ_OK)
		return st;
	if (sj_a2ui_view_find(a, peer, id)) {
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY, "Surface %.*s already exists",
		            SJ_ARG(id));
		sj_diag_hint(&d, "Update it, or send deleteSurface first.");
		return sj_fault_copy(f, &d, member(t, body, "surfaceId"), SJ_INVALID);
	}
	const struct sj_catalog *catalog = NULL;
	if (catalog_id.ptr) {
		st = sj_surface_catalog(a, f, member(t, body, "catalogId"), catalog_id, version, &catalog);
		if (st != SJ_OK)
			return st;
	}
	struct sj_view *v;
	st = sj_view_create(a, peer, id, version, &v);
	if (st == SJ_LIMIT) {
		struct sj_diag d = {0};
		sj_diag_set(&d, st, SJ_E_LIMIT, SJ_CAT_VALIDATION, "There are %u surfaces already, which is the limit",
		            a->opt.limits->surfaces);
		return sj_fault_copy(f, &d, body, st);
	}
	if (st != SJ_OK)
		return st;
	v->catalog = catalog;
	v->sends = sends;
	a->nsending += sends;
	st = create_body(a, f, v, body, origin);
	if (st != SJ_OK) {
		sj_view_free(v);
		return st;
	}
	st = sj_emit(a, &(struct sj_out){.kind = SJ_OUT_SURFACE_NEW,
	                                 .peer = peer,
	                                 .view = v,
	                                 .surface_id = sj_slice(v->id, v->id_len),
	                                 .message = a->message});
	if (st != SJ_OK) { /* a surface that nobody hears of is none */
		sj_view_free(v);
		return st;
	}
	sj_view_touch(v);
	return SJ_OK;
}

/* ---- envelope ---------------------------------------------------------------------------------------------------- */

enum op {
	OP_CREATE,
	OP_COMPONENTS,
	OP_DATA,
	OP_DELETE,
	OP_CALL,
	OP_RESPONSE,
	OP_BEGIN,
	OP_V08_COMPONENTS,
	OP_V08_DATA
};
static const struct {
	struct sj_slice key;
	enum op op;
	bool v08, v09, v10;
} ACTIONS[] = {
	{{"createSurface", sizeof "createSurface" - 1}, OP_CREATE, false, true, true},
	{{"updateComponents", sizeof "updateComponents" - 1}, OP_COMPONENTS, false, true, true},
	{{"updateDataModel", sizeof "updateDataModel" - 1}, OP_DATA, false, true, true},
	{{"deleteSurface", sizeof "deleteSurface" - 1}, OP_DELETE, true, true, true},
	{{"callRendererFunction", sizeof "callRendererFunction" - 1}, OP_CALL, false, false, true},
	{{"agentFunctionResponse", sizeof "agentFunctionResponse" - 1}, OP_RESPONSE, false, false, true},
	{{"beginRendering", sizeof "beginRendering" - 1}, OP_BEGIN, true, false, false},
	{{"surfaceUpdate", sizeof "surfaceUpdate" - 1}, OP_V08_COMPONENTS, true, false, false},
	{{"dataModelUpdate", sizeof "dataModelUpdate" - 1}, OP_V08_DATA, true, false, false},
};
#define NACTIONS (sizeof ACTIONS / sizeof ACTIONS[0])

static bool action_allowed(size_t i, enum sj_version v)
{
	return v >= SJ_V10 ? ACTIONS[i].v10 : v >= SJ_V09 ? ACTIONS[i].v09 : ACTIONS[i].v08;
}

static int find_action(const struct sj_tape *t, uint32_t key)
{
	for (size_t i = 0; i < NACTIONS; i++)
		if (sj_tape_is(t, key, ACTIONS[i].key))
			return (int)i;
	return -1;
}

/* Messages of v0.8 name no version. */
#define WRITABLE "\"v0.9\", \"v0.9.1\" or \"v1.0\""

/* The version of a message and its one action; faults as the suites name them. */
static enum sj_status read_envelope(struct sj_faults *f, enum sj_version *version, size_t *action, uint32_t *body)
{
	const struct sj_tape *t = f->tape;
	uint32_t root = f->root, stranger = 0, unknown = 0, vcell = 0;
	if (sj_tape_type(t, root) != SJ_J_OBJECT)
		return sj_fault_at(f, root, NULL, "type_mismatch", "a message must be an object");
	int found = -1;
	bool several = false, v08 = false;
	for (uint32_t at = sj_tape_first(t, root); at < t->cells[root].end;) {
		uint32_t value = sj_tape_next(t, at);
		bool names_version = sj_tape_is(t, at, SJ_LIT("version"));
		int i = names_version ? -1 : find_action(t, at);
		if (names_version) {
			vcell = value;
		} else if (i >= 0) {
			several = several || found >= 0;
			if (found < 0) {
				found = i;
				*body = value;
			}
			v08 = v08 || ACTIONS[i].v08;
		} else {
			stranger = stranger ? stranger : value;
			unknown = unknown ? unknown : at;
		}
		at = sj_tape_next(t, value);
	}
	if (!vcell && v08) {
		*version = SJ_V08;
	} else if (!vcell) {
		enum sj_status st = sj_fault_at(f, root, "version", "missing_field", "Missing required version field");
		if (found < 0 && member(t, root, "id") && f->count <= f->cap)
			sj_diag_hint(&f->items[f->count - 1],
			             "This looks like a component: wrap it in updateComponents.");
		else if (f->count <= f->cap)
			sj_diag_hint(&f->items[f->count - 1], "Begin the message with \"version\": " WRITABLE ".");
		return st;
	} else if (sj_tape_type(t, vcell) != SJ_J_STRING) {
		return sj_fault_at(f, vcell, NULL, "type_mismatch", "version must be a string");
	} else {
		struct sj_slice text = sj_tape_raw(t, vcell);
		*version = text.len > 0 && text.ptr[0] == 'v' ? sj_version_find(text) : SJ_VERSION_NONE;
		if (*version == SJ_VERSION_NONE) {
			enum sj_status st = sj_fault_at(f, vcell, NULL, "invalid_value",
			                                "Unsupported protocol version '%.*s'", SJ_ARG(text));
			if (f->count <= f->cap)
				sj_diag_hint(&f->items[f->count - 1], "Use " WRITABLE ".");
			return st;
		}
	}
	if (several)
		return sj_fault_at(f, root, NULL, "invalid_value",
		                   "Message contains multiple conflicting update actions");
	if (found < 0)
		return sj_fault_at(f, stranger ? stranger : root, NULL, "missing_field", unknown ? "Message contains no known action: '%.*s' is none of protocol version %s" : "Message contains no action%.*s (protocol version %s)", SJ_ARG(unknown ? sj_tape_raw(t, unknown) : SJ_LIT("")), sj_version_text(*version));
	if (!action_allowed((size_t)found, *version)) {
		enum sj_status st = sj_fault_at(f, *body, NULL, "invalid_value",
		                                "action '%.*s' is not supported in protocol version %s",
		                                SJ_ARG(ACTIONS[found].key), sj_version_text(*version));
		if (f->count > 0 && f->count <= f->cap) {
			char names[200] = "";
			size_t len = 0;
			for (size_t i = 0; i < NACTIONS; i++)
				if (action_allowed(i, *version) && len < sizeof names - 30)
					len += (size_t)snprintf(names + len, sizeof names - len, "%s%s",
					                        len ? ", " : "", ACTIONS[i].key.ptr);
			sj_diag_hint(&f->items[f->count - 1], "Allowed: %s.", names);
		}
		return st;
	}
	if (stranger)
		return sj_fault_at(f, stranger, NULL, "invalid_value", "Additional properties are not allowed ('%.*s' was unexpected)", SJ_ARG(sj_tape_raw(t, unknown)));
	if (sj_tape_type(t, *body) != SJ_J_OBJECT)
		return sj_fault_at(f, *body, NULL, "type_mismatch", "%.*s must be an object",
		                   SJ_ARG(ACTIONS[found].key));
	*action = (size_t)found;
	return SJ_OK;
}

enum sj_status sj_envelope_read(struct sj_faults *f, enum sj_version *version, struct sj_slice *action, uint32_t *body)
{
	size_t row = 0;
	enum sj_status st = read_envelope(f, version, &row, body);
	if (st == SJ_OK)
		*action = ACTIONS[row].key;
	return st;
}

static enum sj_status apply(struct sj_a2ui *a, uint32_t peer, enum sj_version version, size_t action, uint32_t body,
                            struct sj_origin origin, struct sj_faults *f)
{
	switch (ACTIONS[action].op) {
	case OP_BEGIN:
		return sj_v08_begin(a, peer, body, origin, f);
	case OP_V08_COMPONENTS:
		return sj_v08_components(a, peer, body, origin, f);
	case OP_V08_DATA:
		return sj_v08_data(a, peer, body, origin, f);
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

/* Only deleteSurface is an action of v0.8 and of later versions. Without a version it is one of v0.8; who deletes a
 * surface that v0.8 did not make may have forgotten it. */
static enum sj_status say_assumed_version(struct sj_a2ui *a, uint32_t peer, struct sj_faults *f, uint32_t body)
{
	struct sj_diag d = {0};
	uint32_t at = member(f->tape, body, "surfaceId");
	if (member(f->tape, f->root, "version"))
		return SJ_OK;
	struct sj_slice id = at && sj_tape_type(f->tape, at) == SJ_J_STRING ? sj_tape_string(f->tape, at, &a->scratch)
	                                                                   : SJ_NO_SLICE;
	struct sj_view *v = id.ptr ? sj_a2ui_view_find(a, peer, id) : NULL;
	if (v && v->version == SJ_V08)
		return SJ_OK;
	sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
	            "deleteSurface without a version was read as one of v0.8, the only version whose messages name none");
	d.severity = SJ_SEV_INFO;
	sj_diag_hint(&d, "Begin the message with \"version\": " WRITABLE ".");
	sj_faults_at(f, &d, f->root);
	return sj_emit(a, &(struct sj_out){.kind = SJ_OUT_DIAG,
	                                   .peer = peer,
	                                   .view = v,
	                                   .surface_id = id,
	                                   .diag = &d,
	                                   .message = a->message});
}

/* A message with more faults than are kept says so. */
static enum sj_status say_more(struct sj_a2ui *a, uint32_t peer, struct sj_slice id, const struct sj_faults *f)
{
	struct sj_diag d = {0};
	sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
	            "This message has more faults than the first %u, which are told", f->cap);
	d.severity = SJ_SEV_INFO;
	d.offset = f->items[0].offset;
	d.line = f->items[0].line;
	return sj_emit(a, &(struct sj_out){.kind = SJ_OUT_DIAG,
	                                   .peer = peer,
	                                   .view = id.ptr ? sj_a2ui_view_find(a, peer, id) : NULL,
	                                   .surface_id = id,
	                                   .diag = &d,
	                                   .message = a->message});
}

enum sj_status sj_a2ui_message(struct sj_a2ui *a, uint32_t peer, const struct sj_tape *t, uint32_t cell,
                               struct sj_origin origin, struct sj_diag *diags, uint32_t cap, uint32_t *n)
{
	struct sj_diag own[FAULT_CAP];
	struct sj_faults f = {.mem = a->mem,
	                      .items = cap ? diags : own,
	                      .cap = cap ? cap : FAULT_CAP,
	                      .base = origin.offset,
	                      .base_line = a->base_line,
	                      .line = a->batch_line ? a->batch_line : 1,
	                      .off = a->batch_off,
	                      .tape = t,
	                      .root = cell};
	enum sj_version version = SJ_VERSION_NONE;
	size_t action = 0;
	uint32_t body = 0;
	a->message = origin.message;
	a->peer = peer;
	sj_fn_table_turn(a->fns);
	struct sj_mem *account = sj_peer_account(a, peer);
	uint64_t refused = sj_mem_refused(a->mem), full = account->full;
	enum sj_status st = read_envelope(&f, &version, &action, &body);
	if (st == SJ_OK && version == SJ_V08 && ACTIONS[action].op == OP_DELETE)
		st = say_assumed_version(a, peer, &f, body);
	if (st == SJ_OK)
		st = apply(a, peer, version, action, body, origin, &f);
	if (st != SJ_OK && sj_mem_refused(a->mem) != refused)
		st = SJ_NOMEM; /* what is wrong with the message was not found out */
	if (st == SJ_NOMEM && account != a->mem && account->full != full) { /* the agent's own fault: it is told */
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_VALIDATION,
		            "This agent's surfaces would hold more than they may (peer_bytes)");
		sj_diag_hint(&d, "Delete surfaces that are no longer needed.");
		f.count = 0;
		st = sj_fault_copy(&f, &d, body ? body : cell, SJ_LIMIT);
	}
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
		/* A call that cannot be read is answered by its id: in v1.0 an error names a surface or a call. */
		uint32_t call = version >= SJ_V10 && !id.ptr && body && sj_tape_type(t, body) == SJ_J_OBJECT
		                        ? member(t, body, "functionCallId")
		                        : 0;
		if (call && sj_tape_type(t, call) == SJ_J_STRING && ACTIONS[action].op == OP_CALL) {
			enum sj_status e =
				sj_rpc_refuse_call(a, peer, sj_tape_string(t, call, &a->scratch), &f.items[0]);
			if (e == SJ_NOMEM)
				st = e;
		}
		for (uint32_t i = 0; i < shown; i++) {
			a->refused = i == 0 && a->opt.keep_refused ? sj_tape_source(t, cell) : SJ_NO_SLICE;
			enum sj_status e =
				sj_emit_fault(a, peer, version, id, id.ptr ? sj_a2ui_view_find(a, peer, id) : NULL,
			                      &f.items[i], i == 0);
			if (e == SJ_NOMEM)
				st = e;
		}
		a->refused = SJ_NO_SLICE;
		if (f.count > f.cap && say_more(a, peer, id, &f) == SJ_NOMEM)
			st = SJ_NOMEM;
	}
	if (n)
		*n = f.count < f.cap ? f.count : f.cap;
	sj_arena_reset(&a->scratch);
	return st;
}

/* A long batch is counted through once, however many of its messages fail. */
static void begin_at(struct sj_a2ui *a, const struct sj_tape *t, uint32_t cell)
{
	size_t to = t->cells[cell].off;
	struct sj_slice rest = sj_slice(t->text + a->batch_off, t->text_len - a->batch_off);
	a->batch_line += sj_json_line(rest, to - a->batch_off) - 1;
	a->batch_off = to;
}

enum sj_status sj_a2ui_batch(struct sj_a2ui *a, uint32_t peer, const struct sj_tape *t, struct sj_origin *next,
                             struct sj_diag *first)
{
	uint32_t list = 0;
	enum sj_json_type type = sj_tape_type(t, 0);
	a->batch_line = 1;
	a->batch_off = 0;
	if (type == SJ_J_NULL)
		return SJ_OK; /* an empty batch */
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
		begin_at(a, t, at);
		struct sj_diag d[FAULT_CAP];
		uint32_t n = 0;
		enum sj_status st = sj_a2ui_message(a, peer, t, at, *next, d, FAULT_CAP, &n);
		if (n && first && !first->code)
			*first = d[0];
		if (st != SJ_OK && worst != SJ_NOMEM)
			worst = st;
	}
	return worst;
}
