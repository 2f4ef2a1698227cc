/* The components of one message: each checked whole against its catalog, then all applied together. */
#include <stdio.h>

#include "a2ui/internal.h"
#include "text/near.h"
#include "text/ident.h"

struct entry { /* one component of the message */
	uint32_t cell, outer;       /* in its tape, and in the message's, where its faults are placed */
	const struct sj_tape *tape; /* the message's, or the merged definition's own */
	struct sj_slice id;
	const struct sj_catalog *catalog;
	const struct sj_a2ui_component *type;
	sj_component_ref ref;
};

/* Nesting of JSON and of calls inside one component: both are counted on the tape, without recursion. What compiles the
 * component recurses, so it relies on this. */
static enum sj_status check_depth(struct sj_faults *f, struct sj_view *v, const struct entry *e,
                                  enum sj_dialect dialect, struct sj_arena *arena)
{
	const struct sj_tape *t = e->tape;
	const struct sj_limits *l = v->a->opt.limits;
	uint32_t cap = l->component_depth < l->dynamic_depth ? l->component_depth : l->dynamic_depth;
	uint32_t depth = 0, calls = 0;
	struct level {
		uint32_t end;
		bool is_call;
	} *stack = sj_arena_alloc(arena, (cap + (size_t)1) * sizeof *stack);
	if (!stack)
		return SJ_NOMEM;
	for (uint32_t i = e->cell; i < t->cells[e->cell].end; i++) {
		enum sj_json_type type = sj_tape_type(t, i);
		if (type != SJ_J_OBJECT && type != SJ_J_ARRAY)
			continue;
		while (depth > 0 && i >= stack[depth - 1].end)
			calls -= stack[--depth].is_call;
		uint32_t name;
		bool is_call = type == SJ_J_OBJECT && sj_object_form(t, i, dialect, &name) == SJ_FORM_CALL;
		if (depth >= cap) {
			struct sj_diag d = {0};
			sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_RECURSION,
			            "Global recursion limit exceeded: component '%.*s' is nested deeper than %u levels", SJ_ARG(e->id), cap);
			return sj_fault_copy(f, &d, t == f->tape ? i : e->outer, SJ_INVALID);
		}
		stack[depth++] = (struct level){t->cells[i].end, is_call};
		calls += is_call;
		if (calls > l->call_depth) {
			struct sj_diag d = {0};
			sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_RECURSION,
			            "Recursion limit exceeded: functionCall depth > %u in component '%.*s'", l->call_depth, SJ_ARG(e->id));
			return sj_fault_copy(f, &d, t == f->tape ? i : e->outer, SJ_INVALID);
		}
	}
	return SJ_OK;
}

/* One call object of v1.0: it resolves its own catalog and is checked against it; @index is the language's own. */
static enum sj_status check_call(struct sj_faults *f, struct sj_view *v, const struct entry *e, uint32_t cell,
                                 uint32_t name_cell, enum sj_dialect dialect, bool is_bound, struct sj_arena *arena)
{
	const struct sj_tape *t = e->tape;
	struct sj_slice name = sj_tape_string(t, name_cell, arena);
	struct sj_diag d = {0};
	enum sj_status st = SJ_OK;
	if (name.len > 0 && name.ptr[0] == '@') {
		if (!sj_slice_is(name, "@index"))
			st = sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
			                 "Unrecognized function '%.*s'", SJ_ARG(name));
		else if (sj_member(t, cell, "catalogId"))
			st = sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
			                 "@index takes no catalogId");
		else if (sj_slice_is(e->id, "root")) /* no template can ever hold it; elsewhere only evaluation knows */
			st = sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
			                 "@index function can only be evaluated inside a collection template iteration scope.");
		return st == SJ_OK ? st : sj_fault_copy(f, &d, t == f->tape ? name_cell : e->outer, st);
	}
	const struct sj_catalog *catalog = sj_resolve_catalog(v, t, cell, e->catalog, "Function", name, &d);
	if (!catalog)
		return sj_fault_copy(f, &d, t == f->tape ? name_cell : e->outer, SJ_INVALID);
	const struct sj_a2ui_function *fn = sj_catalog_function(catalog, name);
	if (fn && is_bound && fn->allowed == SJ_CALLER_AGENT_ONLY) {
		st = sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                 "Function '%.*s' cannot be bound to a property (allowedCallers is agentOnly)", SJ_ARG(name));
		return sj_fault_copy(f, &d, t == f->tape ? name_cell : e->outer, st);
	}
	if (fn) {
		struct sj_fault_ctx ctx = {f, t, cell, e->outer, "function", name, NULL};
		return sj_catalog_check_call(catalog, fn, dialect, t, cell, arena, sj_fault_schema, &ctx);
	}
	if (sj_catalog_is_permissive(catalog))
		return SJ_OK;
	st = sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION, "Unrecognized function '%.*s'",
	                 SJ_ARG(name));
	sj_diag_hint(&d, "Catalog '%.*s' does not declare it.", SJ_ARG(sj_catalog_id(catalog)));
	return sj_fault_copy(f, &d, t == f->tape ? name_cell : e->outer, st);
}

/* An object whose members are names chosen by the author (arguments of a call, context of an event): its keys are data,
 * so it is itself no binding and no call, whatever they spell. Marks the next such cell while cells are walked in
 * order. */
static uint32_t literal_holder(const struct sj_tape *t, uint32_t object)
{
	uint32_t at = sj_member(t, object, "args");
	return at ? at : sj_member(t, object, "context");
}

/* Every call in the dynamic properties of the component; what is below a plain property is data. */
static enum sj_status check_calls(struct sj_faults *f, struct sj_view *v, const struct entry *e,
                                  enum sj_dialect dialect, struct sj_arena *arena)
{
	const struct sj_tape *t = e->tape;
	if (!sj_has_dynamic(t, e->cell, dialect))
		return SJ_OK;
	enum sj_status worst = SJ_OK;
	for (uint32_t at = sj_tape_first(t, e->cell); at < t->cells[e->cell].end;) {
		uint32_t value = sj_tape_next(t, at);
		const struct sj_a2ui_prop *p =
			e->type ? sj_a2ui_prop_find(e->type, sj_tape_string(t, at, arena)) : NULL;
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
			enum sj_status st = check_call(f, v, e, i, name_cell, dialect,
			                               p->cls != SJ_AC_CHECKS && p->cls != SJ_AC_ACTION, arena);
			if (st == SJ_NOMEM)
				return st;
			if (st != SJ_OK)
				worst = st;
		}
	}
	return worst;
}

/* v0.9: an entry without `component` merges its members onto the definition that is there. */
static enum sj_status merge_partial(struct sj_view *v, const struct sj_tape *t, uint32_t cell, sj_component_ref ref,
                                    struct sj_arena *arena, struct sj_tape *out)
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

/* An action printed in the short form {name, context?} (the talk; v0.9 drafts) is read as {"event": {...}}: the
 * definition is written anew with the long form, so that everything after sees one shape. SJ_ABSENT: nothing to do. */
static enum sj_status expand_short_action(struct sj_view *v, struct entry *e, struct sj_arena *arena)
{
	const struct sj_tape *t = e->tape;
	for (uint32_t at = sj_tape_first(t, e->cell); at < t->cells[e->cell].end;) {
		uint32_t value = sj_tape_next(t, at);
		uint32_t key = at;
		at = sj_tape_next(t, value);
		if (sj_tape_type(t, value) != SJ_J_OBJECT)
			continue;
		const struct sj_a2ui_prop *p = sj_a2ui_prop_find(e->type, sj_tape_string(t, key, arena));
		if (!p || p->cls != SJ_AC_ACTION)
			continue;
		uint32_t name = sj_member(t, value, "name"), members = t->cells[value].len;
		if (!name || sj_tape_type(t, name) != SJ_J_STRING || members > 2 ||
		    (members == 2 && !sj_member(t, value, "context")))
			continue;
		struct sj_slice whole = sj_tape_source(t, e->cell), action = sj_tape_source(t, value);
		size_t head = (size_t)(action.ptr - whole.ptr), tail = whole.len - head - action.len;
		static const char open[] = "{\"event\":";
		char *text = sj_arena_alloc(arena, whole.len + sizeof open);
		struct sj_tape *own = sj_arena_alloc(arena, sizeof *own);
		if (!text || !own)
			return SJ_NOMEM;
		memcpy(text, whole.ptr, head);
		memcpy(text + head, open, sizeof open - 1);
		memcpy(text + head + sizeof open - 1, action.ptr, action.len);
		text[head + sizeof open - 1 + action.len] = '}';
		memcpy(text + head + sizeof open + action.len, action.ptr + action.len, tail);
		struct sj_json_options opt = sj_json_options_wire(v->a->opt.limits);
		enum sj_status st = sj_json_parse(arena, &opt, sj_slice(text, whole.len + sizeof open), own, NULL);
		if (st != SJ_OK)
			return st;
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		            "Component '%.*s' has a short action {name, context}: accepted as an event", SJ_ARG(e->id));
		d.severity = SJ_SEV_WARNING;
		sj_diag_hint(&d, "Write {\"event\": {\"name\": ..., \"context\": ...}}.");
		(void)sj_emit_fault(v->a, v->peer, v->version, sj_slice(v->id, v->id_len), v, &d, false);
		e->tape = own;
		e->cell = 0;
		return SJ_OK;
	}
	return SJ_ABSENT;
}

/* The component that is spelled like this one, where the catalog has one. */
static void hint_type(struct sj_diag *d, const struct sj_catalog *c, struct sj_slice name)
{
	const struct sj_a2ui_component *best = NULL;
	uint32_t fewest = UINT32_MAX, steps;
	for (uint32_t i = 0; i < sj_catalog_component_count(c) && i < 1000; i++) {
		const struct sj_a2ui_component *one = sj_catalog_component_at(c, i);
		if (!sj_near(name, one->name, &steps) || steps >= fewest)
			continue;
		best = one;
		fewest = steps;
	}
	if (best)
		sj_diag_hint(d, "Use \"%.*s\".", SJ_ARG(best->name));
	else
		sj_diag_hint(d, "Use one of the catalog's components.");
}

static enum sj_status check_entry(struct sj_faults *f, struct sj_view *v, struct entry *e, enum sj_dialect dialect,
                                  struct sj_arena *arena)
{
	uint32_t at = e->cell;
	struct sj_diag d; /* not zeroed whole: kilobytes for each component */
	sj_diag_clear(&d);
	if (sj_tape_type(e->tape, at) != SJ_J_OBJECT)
		return sj_fault_at(f, at, NULL, "type_mismatch", "a component must be an object");
	uint32_t id = sj_member(e->tape, at, "id");
	if (!id)
		return sj_fault_at(f, at, "id", "missing_field", "Component is missing an 'id'");
	if (sj_tape_type(e->tape, id) != SJ_J_STRING)
		return sj_fault_at(f, id, NULL, "type_mismatch", "Component is missing an 'id' of type string");
	e->id = sj_tape_string(e->tape, id, arena);
	if (v->version >= SJ_V10 && !sj_ident_check(e->id)) {
		/* The official v1.0 examples write kebab-case ids, the rule of the same version refuses them: hyphens
		 * alone are let through with a warning (docs/decisions/011). */
		char *bare = sj_arena_alloc(arena, e->id.len + 1);
		if (!bare)
			return SJ_NOMEM;
		for (size_t i = 0; i < e->id.len; i++)
			bare[i] = i > 0 && e->id.ptr[i] == '-' ? '_' : e->id.ptr[i];
		if (!sj_ident_check(sj_slice(bare, e->id.len)))
			return sj_fault_at(f, id, NULL, "invalid_value",
			                   "Component id '%.*s' must be a valid UAX #31 identifier", SJ_ARG(e->id));
		if (!v->warned_hyphen) {
			v->warned_hyphen = true;
			sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION, "Component id '%.*s' is no UAX #31 identifier: hyphens are tolerated", SJ_ARG(e->id));
			sj_diag_hint(&d, "Write it with '_' instead of '-'.");
			d.severity = SJ_SEV_WARNING;
			(void)sj_emit_fault(v->a, v->peer, v->version, sj_slice(v->id, v->id_len), v, &d, false);
			sj_diag_clear(&d);
		}
	}
	uint32_t type = sj_member(e->tape, at, "component");
	e->ref = sj_component_find(v->core, e->id);
	if (!type) {
		if (v->version >= SJ_V10 || !e->ref) {
			struct sj_slice shown = e->id;
			return sj_fault_at(
				f, at, "component", "missing_field",
				v->version >= SJ_V10
					? "Component '%.*s' has no type: 'component' is a required property. Cannot create component %s"
					: "Cannot create component %.*s without a type%s",
				SJ_ARG(shown), v->version >= SJ_V10 ? "without a type" : "");
		}
		struct sj_tape *merged = sj_arena_alloc(arena, sizeof *merged);
		enum sj_status st = merged ? merge_partial(v, e->tape, at, e->ref, arena, merged) : SJ_NOMEM;
		if (st != SJ_OK)
			return st;
		e->tape = merged;
		e->cell = at = 0;
		type = sj_member(merged, 0, "component");
	}
	if (sj_tape_type(e->tape, type) != SJ_J_STRING)
		return sj_fault_at(f, e->tape == f->tape ? type : e->outer, NULL, "type_mismatch",
		                   "component of '%.*s' must be a string", SJ_ARG(e->id));
	struct sj_slice name = sj_tape_string(e->tape, type, arena);
	const struct sj_catalog *fallback = v->catalog;
	const struct sj_comp *old = e->ref ? sj_component_ctx(v->core, e->ref) : NULL;
	if (v->version < SJ_V10 && old)
		fallback = old->catalog;
	e->catalog = sj_resolve_catalog(v, e->tape, at, fallback, "Component", e->id, &d);
	if (!e->catalog)
		return sj_fault_copy(f, &d, e->tape == f->tape ? at : e->outer, SJ_INVALID);
	enum sj_status st = check_depth(f, v, e, dialect, &v->a->work);
	if (st != SJ_OK)
		return st;
	e->type = sj_catalog_component(e->catalog, name);
	if (!e->type) {
		if (v->a->opt.rules.allow_unknown)
			return SJ_OK;
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		            "Unknown component '%.*s': catalog '%.*s' has no such type", SJ_ARG(name),
		            SJ_ARG(sj_catalog_id(e->catalog)));
		hint_type(&d, e->catalog, name);
		return sj_fault_copy(f, &d, e->tape == f->tape ? type : e->outer, SJ_INVALID);
	}
	st = expand_short_action(v, e, arena);
	if (st != SJ_OK && st != SJ_ABSENT)
		return st;
	at = e->cell;
	struct sj_fault_ctx ctx = {f, e->tape, at, e->outer, "component", name, e->type};
	st = sj_catalog_check_component(e->catalog, e->type, dialect, e->tape, at, &v->a->work, sj_fault_schema, &ctx);
	if (st == SJ_NOMEM)
		return st;
	if (v->version >= SJ_V10) {
		enum sj_status calls = check_calls(f, v, e, dialect, &v->a->work);
		if (calls != SJ_OK)
			st = calls;
	}
	return st;
}

/* One id twice in one message is found before anything else is looked at. */
static enum sj_status check_duplicates(struct sj_faults *f, struct sj_a2ui *a, uint32_t list)
{
	const struct sj_tape *t = f->tape;
	if (t->cells[list].len < 2)
		return SJ_OK;
	struct sj_map seen;
	sj_map_init(&seen, a->mem, 0);
	enum sj_status st = SJ_OK;
	for (uint32_t at = sj_tape_first(t, list); st != SJ_NOMEM && at < t->cells[list].end && f->count < f->cap;
	     at = sj_tape_next(t, at)) {
		uint32_t cell = sj_tape_type(t, at) == SJ_J_OBJECT ? sj_member(t, at, "id") : 0;
		if (!cell || sj_tape_type(t, cell) != SJ_J_STRING)
			continue;
		struct sj_slice id = sj_tape_string(t, cell, &a->scratch);
		if (sj_map_get(&seen, id) != SJ_MAP_NONE) {
			struct sj_diag d = {0};
			sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY,
			            "Duplicate component id '%.*s' in one message", SJ_ARG(id));
			st = sj_fault_copy(f, &d, at, SJ_INVALID);
		} else if (sj_map_put(&seen, id, at) != SJ_OK) {
			st = SJ_NOMEM;
		}
	}
	sj_map_finish(&seen);
	return st;
}

enum sj_status sj_apply_components(struct sj_view *v, const struct sj_tape *t, uint32_t list, struct sj_origin origin,
                                   struct sj_faults *f)
{
	struct sj_a2ui *a = v->a;
	struct sj_arena *arena = &a->scratch;
	enum sj_dialect dialect = sj_view_dialect(v, t, list);
	uint32_t n = t->cells[list].len, count = 0;
	struct entry *entries = sj_arena_alloc(arena, (n ? n : 1) * sizeof *entries);
	sj_component_ref *changed = sj_arena_alloc(arena, (n ? n : 1) * sizeof *changed);
	enum sj_status st = entries && changed ? check_duplicates(f, a, list) : SJ_NOMEM;
	for (uint32_t at = sj_tape_first(t, list); st != SJ_NOMEM && at < t->cells[list].end;
	     at = sj_tape_next(t, at)) {
		struct entry *e = &entries[count++];
		*e = (struct entry){.cell = at, .outer = at, .tape = t};
		enum sj_status one = check_entry(f, v, e, dialect, arena);
		sj_arena_reset(&a->work);
		if (one != SJ_OK)
			st = one;
		if (f->count >= f->cap)
			break;
	}
	if (st != SJ_OK)
		return st;

	uint32_t done = 0, fresh = 0;
	for (uint32_t i = 0; i < count; i++)
		fresh += !entries[i].ref;
	if (fresh > 3)
		sj_surface_expect(v->core, fresh);
	for (; st == SJ_OK && done < count; done++) {
		struct entry *e = &entries[done];
		if (e->ref)
			sj_topo_unhook(&v->topo, v->core, e->ref);
		struct sj_compile c = {.view = v,
		                       .tape = e->tape,
		                       .outer = e->outer,
		                       .dialect = dialect,
		                       .catalog = e->catalog,
		                       .type = e->type,
		                       .faults = f,
		                       .arena = &a->work};
		struct sj_origin at = {origin.message, origin.offset + t->cells[e->outer].off};
		st = sj_compile_component(&c, e->cell, e->id, at);
		sj_arena_reset(&a->work);
		if (st == SJ_LIMIT && f->count == 0) {
			struct sj_diag d = {0};
			sj_diag_set(&d, st, SJ_E_LIMIT, SJ_CAT_VALIDATION,
			            "Component '%.*s' is more than the surface may hold", SJ_ARG(e->id));
			(void)sj_fault_copy(f, &d, e->tape == t ? e->cell : e->outer, st);
		}
		e->ref = changed[done] = sj_component_find(v->core, e->id);
		if (e->ref && sj_component_defined(v->core, e->ref)) {
			enum sj_status hook =
				sj_topo_hook(&v->topo, v->core, e->ref, a->opt.limits->component_depth);
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
		st = sj_topo_check(v, &a->opt.rules, &d);
	if (st == SJ_INVALID && d.code) {
		sj_fault_copy(f, &d, list, st);
	}
	return st;
}

/* After an abort the core is as before; the graph beside it follows. */
void sj_components_rehook(struct sj_view *v, const struct sj_tape *t, uint32_t list, bool before)
{
	for (uint32_t at = sj_tape_first(t, list); at < t->cells[list].end; at = sj_tape_next(t, at)) {
		uint32_t id = sj_tape_type(t, at) == SJ_J_OBJECT ? sj_member(t, at, "id") : 0;
		if (!id || sj_tape_type(t, id) != SJ_J_STRING)
			continue;
		sj_component_ref c = sj_component_find(v->core, sj_tape_string(t, id, &v->a->scratch));
		if (!c)
			continue;
		sj_topo_unhook(&v->topo, v->core, c);
		if (!before)
			(void)sj_topo_hook(&v->topo, v->core, c, v->a->opt.limits->component_depth);
	}
}

