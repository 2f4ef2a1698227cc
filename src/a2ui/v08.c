/* Messages of v0.8: a surface waits until its beginRendering, which names its catalog; what came before is held as it
 * was sent and applied then, in order. Why, and what the texts leave open: docs/decisions/014. */
#include "a2ui/internal.h"

enum { REPLAY_FAULTS = 8 };

/* ---- catalogs ---------------------------------------------------------------------------------------------------- */

enum sj_status sj_v08_catalogs(struct sj_a2ui *a)
{
	static enum sj_status (*const make[])(struct sj_mem *, enum sj_version, sj_impl_fn, void *,
	                                      struct sj_catalog **) = {sj_catalog_basic, sj_catalog_minimal};
	static const char *const ids[] = {SJ_V08_STANDARD_ID, SJ_V08_MINIMAL_ID};
	enum sj_status st = SJ_OK;
	if (a->made_v08 || a->opt.no_basic)
		return SJ_OK;
	for (size_t i = 0; i < sizeof make / sizeof *make && st == SJ_OK; i++) {
		const struct sj_catalog *wrong;
		struct sj_catalog *c;
		if (sj_a2ui_catalog_find(a, sj_slice_of(ids[i]), SJ_V08, &wrong))
			continue; /* the host's own, or made before memory ran out */
		st = make[i](a->mem, SJ_V08, NULL, NULL, &c);
		if (st == SJ_OK)
			st = sj_a2ui_add_catalog(a, c, NULL);
	}
	a->made_v08 = st == SJ_OK;
	return st;
}

/* ---- views ------------------------------------------------------------------------------------------------------- */

static enum sj_status other_version(struct sj_faults *f, const struct sj_view *v, uint32_t body)
{
	struct sj_diag d = {0};
	sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
	            "Surface %.*s was made with protocol version %s and takes no messages of v0.8",
	            SJ_ARG(sj_slice(v->id, v->id_len)), sj_version_text(v->version));
	return sj_fault_copy(f, &d, sj_member(f->tape, body, "surfaceId"), SJ_INVALID);
}

/* The view of this id; a waiting one is made when there is none. */
static enum sj_status find_or_make(struct sj_a2ui *a, uint32_t peer, struct sj_faults *f, uint32_t body,
                                   struct sj_slice id, struct sj_view **out, bool *made)
{
	*made = false;
	*out = sj_a2ui_view_find(a, peer, id);
	if (*out) {
		if ((*out)->version != SJ_V08)
			return other_version(f, *out, body);
		a->last_found = *out;
		return SJ_OK;
	}
	enum sj_status st = sj_view_create(a, peer, id, SJ_V08, out);
	if (st == SJ_LIMIT) {
		struct sj_diag d = {0};
		sj_diag_set(&d, st, SJ_E_LIMIT, SJ_CAT_VALIDATION, "There are %u surfaces already, which is the limit",
		            a->opt.limits->surfaces);
		return sj_fault_copy(f, &d, body, st);
	}
	if (st == SJ_OK) {
		(*out)->waiting = *made = true;
		(*out)->held_end = &(*out)->held;
	}
	return st;
}

void sj_v08_drop_held(struct sj_view *v)
{
	for (struct sj_held *h = v->held, *next; h; h = next) {
		next = h->next;
		sj_mem_free(v->a->mem, h, sizeof *h + h->len);
	}
	v->held = NULL;
	v->held_end = &v->held;
	v->held_bytes = 0;
}

/* Keeps the message, whose envelope was checked, until the surface begins. */
static enum sj_status hold(struct sj_view *v, struct sj_faults *f, struct sj_origin origin)
{
	struct sj_a2ui *a = v->a;
	struct sj_slice text = sj_tape_source(f->tape, f->root);
	if (text.len > a->opt.limits->held_bytes || v->held_bytes > a->opt.limits->held_bytes - text.len) {
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_VALIDATION,
		            "Surface %.*s holds back %zu bytes until its beginRendering, more would pass the limit of %u",
		            SJ_ARG(sj_slice(v->id, v->id_len)), v->held_bytes, a->opt.limits->held_bytes);
		return sj_fault_copy(f, &d, f->root, SJ_LIMIT);
	}
	struct sj_held *h = sj_mem_alloc(a->mem, sizeof *h + text.len);
	if (!h)
		return SJ_NOMEM;
	size_t off = f->tape->cells[f->root].off;
	uint32_t line = (f->base_line ? f->base_line - 1 : 0) + f->line - 1 +
	                sj_json_line(sj_slice(f->tape->text + f->off, f->tape->text_len - f->off), off - f->off);
	*h = (struct sj_held){.origin = {origin.message, origin.offset + off}, .line = line, .len = (uint32_t)text.len};
	memcpy(h->text, text.ptr, text.len);
	*v->held_end = h;
	v->held_end = &h->next;
	v->held_bytes += text.len;
	return SJ_OK;
}

/* ---- surfaceUpdate ----------------------------------------------------------------------------------------------- */

static enum sj_status apply_components(struct sj_view *v, uint32_t list, struct sj_origin origin,
                                       const struct sj_graph_rules *rules, struct sj_faults *f)
{
	struct sj_a2ui *a = v->a;
	uint64_t refused = sj_mem_refused(a->mem);
	sj_txn_begin(v->core, origin.message, origin);
	enum sj_status st = sj_v08_apply_components(v, list, origin, rules, f);
	if (sj_mem_refused(a->mem) != refused)
		st = SJ_NOMEM; /* a definition may lack what there was no memory for */
	if (st == SJ_OK) {
		sj_txn_commit(v->core);
		return SJ_OK;
	}
	sj_components_rehook(v, f->tape, list, true);
	sj_txn_abort(v->core);
	sj_components_rehook(v, f->tape, list, false);
	return st;
}

enum sj_status sj_v08_components(struct sj_a2ui *a, uint32_t peer, uint32_t body, struct sj_origin origin,
                                 struct sj_faults *f)
{
	const struct sj_tape *t = f->tape;
	struct sj_slice id;
	struct sj_view *v;
	bool made;
	enum sj_status st =
		sj_fault_closed(f, body, (const char *const[]){"surfaceId", "components", NULL}, "surfaceUpdate");
	if (st == SJ_OK)
		st = sj_string_member(f, &a->scratch, body, "surfaceId", true, &id);
	if (st != SJ_OK)
		return st;
	uint32_t list = sj_member(t, body, "components");
	if (!list)
		return sj_fault_at(f, body, "components", "missing_field", "'components' is a required property");
	if (sj_tape_type(t, list) != SJ_J_ARRAY)
		return sj_fault_at(f, list, NULL, "type_mismatch", "components must be an array");
	if (t->cells[list].len == 0)
		return sj_fault_at(f, list, NULL, "invalid_value", "components must hold at least one component");
	st = sj_v08_check_list(a->mem, &a->scratch, list, f);
	if (st == SJ_OK)
		st = find_or_make(a, peer, f, body, id, &v, &made);
	if (st != SJ_OK)
		return st;
	if (!v->waiting) {
		st = apply_components(v, list, origin, &a->opt.rules, f);
		if (st == SJ_OK)
			sj_view_touch(v);
		return st;
	}
	st = hold(v, f, origin);
	if (st != SJ_OK && made)
		sj_view_free(v);
	return st;
}

/* ---- dataModelUpdate --------------------------------------------------------------------------------------------- */

/* The one value* member of an entry, or 0 with a fault. */
static uint32_t entry_value(struct sj_faults *f, uint32_t entry, struct sj_slice *key, struct sj_arena *arena)
{
	static const struct { const char *name; enum sj_json_type type; const char *what;
	} kinds[] = {
		{"valueString", SJ_J_STRING, "a string"},
		{"valueNumber", SJ_J_NUMBER, "a number"},
		{"valueBoolean", SJ_J_TRUE, "a boolean"},
		{"valueMap", SJ_J_ARRAY, "an array of entries"},
	};
	enum { KINDS = sizeof kinds / sizeof *kinds };
	const struct sj_tape *t = f->tape;
	uint32_t found = 0;
	if (sj_tape_type(t, entry) != SJ_J_OBJECT) {
		sj_fault_at(f, entry, NULL, "type_mismatch", "an entry of contents must be an object");
		return 0;
	}
	if (sj_fault_closed(
		    f, entry,
		    (const char *const[]){"key", "valueString", "valueNumber", "valueBoolean", "valueMap", NULL},
		    "an entry of contents") != SJ_OK)
		return 0;
	uint32_t name = sj_member(t, entry, "key");
	if (!name || sj_tape_type(t, name) != SJ_J_STRING) {
		sj_fault_at(f, name ? name : entry, name ? NULL : "key", name ? "type_mismatch" : "missing_field",
		            name ? "key must be a string" : "'key' is a required property");
		return 0;
	}
	*key = sj_tape_string(t, name, arena);
	if (key->ptr && sj_path_is_trap(*key)) {
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_INVALID, SJ_E_DATA_ERROR, SJ_CAT_DATA, "The key '%.*s' is refused", SJ_ARG(*key));
		sj_fault_copy(f, &d, name, SJ_INVALID);
		return 0;
	}
	for (size_t i = 0; i < KINDS; i++) {
		uint32_t at = sj_member(t, entry, kinds[i].name);
		if (!at)
			continue;
		enum sj_json_type type = sj_tape_type(t, at);
		if (found) {
			sj_fault_at(f, at, NULL, "invalid_value", "Entry '%.*s' has more than one value", SJ_ARG(*key));
			return 0;
		}
		if (type != kinds[i].type && !(type == SJ_J_FALSE && kinds[i].type == SJ_J_TRUE)) {
			sj_fault_at(f, at, NULL, "type_mismatch", "%s must be %s", kinds[i].name, kinds[i].what);
			return 0;
		}
		found = at;
	}
	if (!found)
		sj_fault_at(f, entry, NULL, "missing_field",
		            "Entry '%.*s' has no value: valueString, valueNumber, valueBoolean or valueMap", SJ_ARG(*key));
	return found;
}

enum sj_status sj_v08_text(struct sj_mem *mem, const struct sj_limits *l, struct sj_slice text, struct sj_value *out)
{
	struct sj_slice t = text;
	while (t.len > 0 && (t.ptr[0] == ' ' || t.ptr[0] == '\n' || t.ptr[0] == '\t' || t.ptr[0] == '\r'))
		t = sj_slice(t.ptr + 1, t.len - 1);
	while (t.len > 0 && (t.ptr[t.len - 1] == ' ' || t.ptr[t.len - 1] == '\n' || t.ptr[t.len - 1] == '\t' ||
	                     t.ptr[t.len - 1] == '\r'))
		t.len--;
	bool whole = t.len >= 2 &&
	             ((t.ptr[0] == '[' && t.ptr[t.len - 1] == ']') || (t.ptr[0] == '{' && t.ptr[t.len - 1] == '}'));
	struct sj_json_options opt = sj_json_options_wire(l);
	enum sj_status st = whole ? sj_value_parse(mem, &opt, t, out, NULL) : SJ_INVALID;
	return st == SJ_OK || st == SJ_NOMEM ? st : sj_value_string(mem, text, out);
}

/* Typed entries as plain values: scalars, and maps as objects. The recursion is bounded by limits.dynamic_depth. */
static enum sj_status check_entries(struct sj_faults *f, uint32_t list, uint32_t depth, struct sj_arena *scratch)
{
	const struct sj_tape *t = f->tape;
	enum sj_status st = SJ_OK;
	if (depth >= SJ_LIMITS_DEFAULT.dynamic_depth) /* which bounds the recursion */
		return sj_fault_at(f, list, NULL, "invalid_value", "valueMap is nested deeper than %u levels",
		                   SJ_LIMITS_DEFAULT.dynamic_depth);
	for (uint32_t at = sj_tape_first(t, list); st == SJ_OK && at < t->cells[list].end; at = sj_tape_next(t, at)) {
		struct sj_slice key = SJ_NO_SLICE;
		uint32_t inner = entry_value(f, at, &key, scratch);
		if (!inner || !key.ptr)
			return inner ? SJ_NOMEM : SJ_INVALID;
		if (sj_tape_type(t, inner) == SJ_J_ARRAY)
			st = check_entries(f, inner, depth + 1, scratch);
	}
	return st;
}

enum sj_status sj_v08_check_entries(struct sj_faults *f, uint32_t list, struct sj_arena *scratch)
{
	return check_entries(f, list, 0, scratch);
}

static enum sj_status entry_to_value(struct sj_a2ui *a, struct sj_faults *f, uint32_t value, uint32_t depth,
                                     struct sj_mem *mem, struct sj_value *out)
{
	const struct sj_tape *t = f->tape;
	if (sj_tape_type(t, value) == SJ_J_STRING) {
		struct sj_slice text = sj_tape_string(t, value, &a->scratch);
		return text.ptr ? sj_v08_text(mem, a->opt.limits, text, out) : SJ_NOMEM;
	}
	if (sj_tape_type(t, value) != SJ_J_ARRAY)
		return sj_value_from_tape(mem, t, value, out);
	if (depth >= a->opt.limits->dynamic_depth) {
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_RECURSION,
		            "valueMap is nested deeper than %u levels", a->opt.limits->dynamic_depth);
		return sj_fault_copy(f, &d, value, SJ_INVALID);
	}
	enum sj_status st = sj_value_object(mem, out);
	if (st != SJ_OK)
		return st;
	for (uint32_t at = sj_tape_first(t, value); st == SJ_OK && at < t->cells[value].end; at = sj_tape_next(t, at)) {
		struct sj_slice key;
		struct sj_value v;
		uint32_t inner = entry_value(f, at, &key, &a->scratch);
		st = !inner ? SJ_INVALID : !key.ptr ? SJ_NOMEM : entry_to_value(a, f, inner, depth + 1, mem, &v);
		if (st == SJ_OK)
			st = sj_value_set(mem, out, key, v);
	}
	if (st != SJ_OK)
		sj_value_unref(mem, *out);
	return st;
}

struct data { /* of a dataModelUpdate: where, and what is merged there */
	struct sj_path path;
	struct sj_value object;
	bool single; /* one entry with the key ".": the value of the place itself */
};

static enum sj_status read_data(struct sj_a2ui *a, struct sj_faults *f, uint32_t body, struct sj_mem *mem,
                                struct sj_slice *id, struct data *out)
{
	const struct sj_tape *t = f->tape;
	struct sj_slice path = SJ_LIT("/");
	enum sj_status st = sj_fault_closed(f, body, (const char *const[]){"surfaceId", "path", "contents", NULL},
	                                    "dataModelUpdate");
	if (st == SJ_OK)
		st = sj_string_member(f, &a->scratch, body, "surfaceId", true, id);
	if (st == SJ_OK)
		st = sj_string_member(f, &a->scratch, body, "path", false, &path);
	if (st != SJ_OK && st != SJ_ABSENT)
		return st;
	uint32_t contents = sj_member(t, body, "contents");
	if (!contents)
		return sj_fault_at(f, body, "contents", "missing_field", "'contents' is a required property");
	if (sj_tape_type(t, contents) != SJ_J_ARRAY)
		return sj_fault_at(f, contents, NULL, "type_mismatch", "contents must be an array");
	struct sj_diag d;
	sj_diag_clear(&d);
	st = sj_path_parse(&a->scratch, a->opt.limits, path, &out->path, &d);
	if (st != SJ_OK)
		return st == SJ_NOMEM ? st : sj_fault_copy(f, &d, sj_member(t, body, "path"), st);
	st = entry_to_value(a, f, contents, 0, mem, &out->object);
	out->single = st == SJ_OK && sj_value_count(&out->object) == 1 && sj_value_get(&out->object, SJ_LIT("."));
	return st;
}

/* In the open transaction. Every member is one write, so that what stands beside them stays. */
static enum sj_status write_data(struct sj_view *v, const struct data *data, struct sj_diag *d)
{
	struct sj_a2ui *a = v->a;
	uint32_t n = data->path.count;
	if (data->single)
		return sj_surface_set(v->core, SJ_ROOT_DATA, data->path.tokens, n,
		                      sj_value_ref(*sj_value_get(&data->object, SJ_LIT("."))), d);
	struct sj_slice *tokens = sj_arena_alloc(&a->scratch, (n + 1) * sizeof *tokens);
	if (!tokens)
		return SJ_NOMEM;
	if (n > 0)
		memcpy(tokens, data->path.tokens, n * sizeof *tokens);
	const struct sj_value *there = sj_surface_get(v->core, SJ_ROOT_DATA, tokens, n);
	if (!there || there->type == SJ_V_NULL || there->type == SJ_V_ABSENT) /* a map, whatever its keys look like */
		return sj_surface_set(v->core, SJ_ROOT_DATA, tokens, n, sj_value_ref(data->object), d);
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; st == SJ_OK && i < sj_value_count(&data->object); i++) {
		const struct sj_value *value = sj_value_member(&data->object, i, &tokens[n]);
		st = sj_surface_set(v->core, SJ_ROOT_DATA, tokens, n + 1, sj_value_ref(*value), d);
	}
	return st;
}

static enum sj_status apply_data(struct sj_view *v, const struct data *data, uint32_t body, struct sj_origin origin,
                                 struct sj_faults *f)
{
	struct sj_diag d;
	sj_diag_clear(&d);
	sj_txn_begin(v->core, origin.message, origin);
	enum sj_status st = write_data(v, data, &d);
	if (st == SJ_OK)
		sj_txn_commit(v->core);
	else
		sj_txn_abort(v->core);
	if (st == SJ_OK || st == SJ_NOMEM)
		return st;
	uint32_t path = sj_member(f->tape, body, "path");
	return sj_fault_copy(f, &d, path ? path : sj_member(f->tape, body, "contents"), st);
}

enum sj_status sj_v08_data(struct sj_a2ui *a, uint32_t peer, uint32_t body, struct sj_origin origin,
                           struct sj_faults *f)
{
	struct sj_slice id;
	struct sj_view *v;
	struct data data;
	bool made = false;
	struct sj_mem *mem = sj_peer_account(a, peer);
	enum sj_status st = read_data(a, f, body, mem, &id, &data);
	if (st != SJ_OK)
		return st;
	st = find_or_make(a, peer, f, body, id, &v, &made);
	if (st == SJ_OK && v->waiting)
		st = hold(v, f, origin);
	else if (st == SJ_OK)
		st = apply_data(v, &data, body, origin, f);
	sj_value_unref(mem, data.object);
	if (st == SJ_OK && !v->waiting)
		sj_view_touch(v);
	if (st != SJ_OK && made)
		sj_view_free(v);
	return st;
}

/* ---- beginRendering ---------------------------------------------------------------------------------------------- */

/* One held message, with its faults where and when it was sent. SJ_NOMEM alone stops the beginning. */
static enum sj_status replay(struct sj_view *v, const struct sj_held *h, const struct sj_graph_rules *rules)
{
	struct sj_a2ui *a = v->a;
	struct sj_json_options opt = sj_json_options_wire(a->opt.limits);
	struct sj_tape t;
	struct sj_diag *items = sj_arena_alloc(&a->scratch, REPLAY_FAULTS * sizeof *items);
	enum sj_status st = items ? sj_json_parse(&a->scratch, &opt, sj_slice(h->text, h->len), &t, NULL) : SJ_NOMEM;
	if (st != SJ_OK)
		return SJ_NOMEM; /* it was JSON when it was held */
	struct sj_faults f = {.mem = a->mem,
	                      .items = items,
	                      .cap = REPLAY_FAULTS,
	                      .base = h->origin.offset,
	                      .base_line = h->line,
	                      .line = 1,
	                      .tape = &t};
	uint32_t body = sj_member(&t, 0, "surfaceUpdate");
	uint64_t refused = sj_mem_refused(a->mem);
	if (body) {
		st = apply_components(v, sj_member(&t, body, "components"), h->origin, rules, &f);
	} else {
		struct sj_slice id;
		struct data data;
		body = sj_member(&t, 0, "dataModelUpdate");
		st = read_data(a, &f, body, sj_surface_mem(v->core), &id, &data);
		if (st == SJ_OK) {
			st = apply_data(v, &data, body, h->origin, &f);
			sj_value_unref(sj_surface_mem(v->core), data.object);
		}
	}
	if (st == SJ_OK)
		return st;
	if (st == SJ_NOMEM || sj_mem_refused(a->mem) != refused)
		return SJ_NOMEM;
	if (f.count == 0)
		sj_diag_set(sj_faults_next(&f), st, SJ_E_LIMIT, SJ_CAT_VALIDATION, "A limit was reached");
	uint32_t now = a->message;
	a->message = h->origin.message;
	st = SJ_OK;
	for (uint32_t i = 0; i < f.count && i < f.cap && st == SJ_OK; i++) {
		a->refused = i == 0 && a->opt.keep_refused ? sj_tape_source(&t, 0) : SJ_NO_SLICE;
		st = sj_emit_fault(a, v->peer, SJ_V08, sj_slice(v->id, v->id_len), v, &f.items[i], i == 0);
	}
	a->refused = SJ_NO_SLICE;
	a->message = now;
	return st == SJ_NOMEM ? st : SJ_OK;
}

/* Everything that was held, into the empty surface. Whatever else is wrong with one message leaves the others alone;
 * a graph that must not stand fails the beginning. */
static enum sj_status replay_all(struct sj_view *v, uint32_t body, struct sj_faults *f)
{
	struct sj_a2ui *a = v->a;
	/* In parts everything may still be missing. */
	struct sj_graph_rules parts = a->opt.rules;
	parts.allow_orphans = parts.allow_dangling = parts.allow_missing_root = true;
	enum sj_status st = SJ_OK;
	for (const struct sj_held *h = v->held; h && st == SJ_OK; h = h->next)
		st = replay(v, h, &parts);
	if (st != SJ_OK || sj_component_count(v->core) == 0)
		return st;
	struct sj_diag d = {0};
	st = sj_topo_check(v, &a->opt.rules, &d);
	return st == SJ_INVALID ? sj_fault_copy(f, &d, sj_member(f->tape, body, "root"), st) : st;
}

/* The catalog in effect: the one that is named, or the standard one. */
static enum sj_status find_catalog(struct sj_a2ui *a, struct sj_faults *f, uint32_t body, struct sj_slice id,
                                   const struct sj_catalog **out)
{
	enum sj_status st = sj_v08_catalogs(a);
	uint32_t at = sj_member(f->tape, body, "catalogId");
	if (st == SJ_OK)
		st = sj_surface_catalog(a, f, at ? at : body, at ? id : SJ_LIT(SJ_V08_STANDARD_ID), SJ_V08, out);
	return st;
}

static enum sj_status begin(struct sj_a2ui *a, struct sj_view *v, uint32_t body, struct sj_slice root,
                            const struct sj_catalog *catalog, struct sj_value theme, struct sj_faults *f)
{
	struct sj_surface *empty;
	enum sj_status st = sj_view_core(v, &empty);
	if (st != SJ_OK)
		return st;
	const struct sj_catalog *before = v->catalog;
	v->catalog = catalog;
	v->waiting = false;
	st = sj_surface_set_root(v->core, root);
	if (st == SJ_OK)
		st = replay_all(v, body, f);
	if (st == SJ_OK)
		st = sj_emit(a, &(struct sj_out){.kind = SJ_OUT_SURFACE_NEW,
		                                 .peer = v->peer,
		                                 .view = v,
		                                 .surface_id = sj_slice(v->id, v->id_len),
		                                 .message = a->message});
	if (st == SJ_OK) {
		sj_surface_destroy(empty);
		sj_v08_drop_held(v);
		v->theme = theme;
		return SJ_OK;
	}
	/* As it was: everything is held, nothing is shown. */
	sj_pending_drop_view(a, v);
	sj_surface_destroy(v->core);
	sj_topo_finish(&v->topo);
	sj_topo_init(&v->topo, a->mem);
	v->core = empty;
	v->catalog = before;
	v->waiting = true;
	return st;
}

/* Sent again for a surface that is shown, it names another root or other styles. */
static enum sj_status begin_again(struct sj_view *v, uint32_t body, struct sj_slice root, struct sj_slice catalog_id,
                                  bool styled, struct sj_value theme, struct sj_origin origin, struct sj_faults *f)
{
	if (catalog_id.ptr && !(v->catalog && sj_slice_eq(catalog_id, sj_catalog_id(v->catalog)))) {
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY,
		            "Surface %.*s already exists with another catalog", SJ_ARG(sj_slice(v->id, v->id_len)));
		sj_diag_hint(&d, "Send deleteSurface first.");
		return sj_fault_copy(f, &d, sj_member(f->tape, body, "catalogId"), SJ_INVALID);
	}
	sj_txn_begin(v->core, origin.message, origin);
	enum sj_status st = sj_surface_set_root(v->core, root);
	if (st != SJ_OK) {
		sj_txn_abort(v->core);
		return st;
	}
	sj_txn_commit(v->core);
	if (styled) {
		sj_value_unref(v->a->mem, v->theme);
		v->theme = theme;
	}
	return SJ_OK;
}

enum sj_status sj_v08_begin(struct sj_a2ui *a, uint32_t peer, uint32_t body, struct sj_origin origin,
                            struct sj_faults *f)
{
	struct sj_slice id, root, catalog_id = SJ_NO_SLICE;
	struct sj_view *v;
	const struct sj_catalog *catalog = NULL;
	struct sj_value theme = SJ_ABSENT_VALUE;
	bool made = false;
	enum sj_status st = sj_string_member(f, &a->scratch, body, "surfaceId", true, &id);
	if (st == SJ_OK)
		st = sj_fault_closed(f, body, (const char *const[]){"surfaceId", "catalogId", "root", "styles", NULL},
		                     "beginRendering");
	if (st == SJ_OK)
		st = sj_string_member(f, &a->scratch, body, "root", true, &root);
	if (st == SJ_OK)
		st = sj_string_member(f, &a->scratch, body, "catalogId", false, &catalog_id);
	if (st != SJ_OK && st != SJ_ABSENT)
		return st;
	uint32_t styles = sj_member(f->tape, body, "styles");
	st = find_or_make(a, peer, f, body, id, &v, &made);
	if (st != SJ_OK)
		return st;
	if (v->waiting)
		st = find_catalog(a, f, body, catalog_id, &catalog);
	if (st == SJ_OK && styles)
		st = sj_check_theme(a, f, v, v->waiting ? catalog : v->catalog, styles, "styles", &theme);
	if (st == SJ_OK)
		st = v->waiting ? begin(a, v, body, root, catalog, theme, f)
		                : begin_again(v, body, root, catalog_id, styles != 0, theme, origin, f);
	if (st == SJ_OK) {
		sj_view_touch(v);
		return SJ_OK;
	}
	sj_value_unref(a->mem, theme);
	if (made)
		sj_view_free(v);
	return st;
}
