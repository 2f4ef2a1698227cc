/* What a press does (A2UI: actions): an event with its context resolved now, or a function. */
#include <stdio.h>

#include "a2ui/internal.h"

/* Evaluates one dynamic value in the node's scope. ERROR: reported once as a fault of the surface; the value is null.
 */
static enum sj_status resolve(struct sj_view *v, sj_node_id node, struct sj_compile *c, uint32_t cell,
                              struct sj_value *out)
{
	struct sj_code_builder *b;
	struct sj_code_block *code;
	uint64_t refused = sj_mem_refused(v->a->mem);
	enum sj_status st = sj_code_begin(v->core, &b);
	if (st != SJ_OK)
		return st;
	if (v->version == SJ_V08)
		sj_v08_compile_value(c, b, cell);
	else
		sj_compile_value(c, b, cell);
	st = sj_code_end(b, &code);
	if (st != SJ_OK)
		return st;
	if (sj_mem_refused(v->a->mem) != refused) {
		sj_code_destroy(v->core, code);
		return SJ_NOMEM;
	}
	struct sj_diag d = {0};
	*out = SJ_ABSENT_VALUE;
	enum sj_result r = sj_surface_eval(v->core, node, code, out, &d);
	sj_code_destroy(v->core, code);
	if (r == SJ_R_ERROR) {
		sj_diag_set(&d, SJ_INVALID, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION,
		            "An expression of the action failed");
		*out = SJ_NULL_VALUE;
		return sj_emit_fault(v->a, v->peer, v->version, sj_slice(v->id, v->id_len), v, &d, true);
	}
	return SJ_OK;
}

static enum sj_status put_resolved(struct sj_view *v, sj_node_id node, struct sj_compile *c, uint32_t cell,
                                   struct sj_buf *out)
{
	struct sj_value value;
	enum sj_status st = resolve(v, node, c, cell, &value);
	if (st != SJ_OK)
		return st;
	if (value.type == SJ_V_ABSENT)
		sj_buf_puts(out, "null");
	else
		sj_value_print(out, &value, SJ_PRINT_COMPACT);
	sj_value_unref(sj_surface_mem(v->core), value);
	return SJ_OK;
}

/* The context: its keys are data whatever they spell; each value is resolved on its own, so one failure spoils one
 * member. */
static enum sj_status put_context(struct sj_view *v, sj_node_id node, struct sj_compile *c, uint32_t context,
                                  struct sj_buf *out)
{
	const struct sj_tape *t = c->tape;
	sj_buf_putc(out, '{');
	bool first = true;
	if (context && sj_tape_type(t, context) == SJ_J_OBJECT) {
		for (uint32_t at = sj_tape_first(t, context); at < t->cells[context].end;) {
			uint32_t value = sj_tape_next(t, at);
			if (!first)
				sj_buf_putc(out, ',');
			first = false;
			sj_json_print_string(out, sj_tape_string(t, at, c->arena));
			sj_buf_putc(out, ':');
			enum sj_status st = put_resolved(v, node, c, value, out);
			if (st != SJ_OK)
				return st;
			at = sj_tape_next(t, value);
		}
	}
	sj_buf_putc(out, '}');
	return SJ_OK;
}

/* v0.8: a list of {key, value}. A key that comes twice counts once, with its last value. */
static enum sj_status put_context_v08(struct sj_view *v, sj_node_id node, struct sj_compile *c, uint32_t context,
                                      struct sj_buf *out)
{
	const struct sj_tape *t = c->tape;
	struct sj_map last;
	enum sj_status st = SJ_OK;
	bool first = true;
	sj_map_init(&last, v->a->mem, 0);
	uint32_t from = context && sj_tape_type(t, context) == SJ_J_ARRAY ? sj_tape_first(t, context) : UINT32_MAX;
	uint32_t end = from == UINT32_MAX ? 0 : t->cells[context].end;
	for (int pass = 0; pass < 2; pass++) {
		if (pass == 1)
			sj_buf_putc(out, '{');
		for (uint32_t at = from; st == SJ_OK && at < end; at = sj_tape_next(t, at)) {
			bool object = sj_tape_type(t, at) == SJ_J_OBJECT;
			uint32_t key = object ? sj_member(t, at, "key") : 0,
				 value = object ? sj_member(t, at, "value") : 0;
			if (!key || !value || sj_tape_type(t, key) != SJ_J_STRING)
				continue;
			struct sj_slice name = sj_tape_string(t, key, c->arena);
			if (!name.ptr)
				st = SJ_NOMEM;
			else if (pass == 0)
				st = sj_map_put(&last, name, value);
			else if (sj_map_get(&last, name) == value) {
				sj_buf_puts(out, first ? "" : ",");
				first = false;
				sj_json_print_string(out, name);
				sj_buf_putc(out, ':');
				st = put_resolved(v, node, c, value, out);
			}
		}
	}
	sj_buf_putc(out, '}');
	sj_map_finish(&last);
	return st;
}

static enum sj_status send_event(struct sj_view *v, sj_node_id node, struct sj_slice source, struct sj_compile *c,
                                 uint32_t event)
{
	struct sj_a2ui *a = v->a;
	const struct sj_tape *t = c->tape;
	uint32_t name = sj_member(t, event, "name"), user = sj_member(t, event, "userMessage");
	struct sj_buf out;
	uint64_t refused = sj_mem_refused(a->mem);
	sj_buf_init(&out, a->mem, 0);
	if (v->version == SJ_V08)
		sj_buf_puts(&out, "{\"userAction\":{\"name\":");
	else
		sj_buf_printf(&out, "{\"version\":\"%s\",\"action\":{\"name\":", sj_version_text(v->version));
	sj_json_print_string(&out, sj_tape_string(t, name, c->arena));
	enum sj_status st = SJ_OK;
	if (user && v->version >= SJ_V10) {
		sj_buf_puts(&out, ",\"userMessage\":");
		struct sj_value text;
		st = resolve(v, node, c, user, &text);
		if (st == SJ_OK) {
			struct sj_buf plain;
			sj_buf_init(&plain, a->mem, 0);
			sj_a2ui_text(&text, &plain);
			sj_json_print_string(&out, sj_buf_view(&plain));
			sj_buf_finish(&plain);
			sj_value_unref(sj_surface_mem(v->core), text);
		}
	}
	sj_buf_puts(&out, ",\"surfaceId\":");
	sj_json_print_string(&out, sj_slice(v->id, v->id_len));
	sj_buf_puts(&out, ",\"sourceComponentId\":");
	sj_json_print_string(&out, source);
	sj_buf_puts(&out, ",\"timestamp\":\"");
	sj_moment_iso_utc(&out, a->now_ms);
	sj_buf_puts(&out, "\",\"context\":");
	uint32_t context = sj_member(t, event, "context");
	if (st == SJ_OK)
		st = v->version == SJ_V08 ? put_context_v08(v, node, c, context, &out)
		                          : put_context(v, node, c, context, &out);
	sj_buf_puts(&out, "}}");
	if (st == SJ_OK)
		st = sj_mem_refused(a->mem) == refused ? sj_buf_status(&out) : SJ_NOMEM;
	if (st == SJ_OK)
		st = sj_emit_send(a, v->peer, v->version, v, sj_buf_view(&out));
	sj_buf_finish(&out);
	return st;
}

/* Arguments of an action's call, resolved, as an object. */
static enum sj_status put_args(struct sj_view *v, sj_node_id node, struct sj_compile *c, uint32_t call,
                               struct sj_buf *out)
{
	uint32_t args = sj_member(c->tape, call, "args");
	return put_context(v, node, c, args, out);
}

static enum sj_status want_tool(struct sj_view *v, sj_node_id node, struct sj_compile *c, uint32_t call,
                                struct sj_slice name, enum sj_out_kind out_kind)
{
	struct sj_a2ui *a = v->a;
	struct sj_buf args;
	struct sj_pending *p;
	sj_buf_init(&args, a->mem, 0);
	enum sj_status st = put_args(v, node, c, call, &args);
	if (st == SJ_OK)
		st = sj_buf_status(&args);
	if (st == SJ_OK)
		st = sj_pending_add(
			a, &(struct sj_pending){.kind = SJ_PEND_TOOL, .peer = v->peer, .view = v, .due_ms = INT64_MAX},
			&p);
	uint64_t id = st == SJ_OK ? p->id : 0;
	if (st == SJ_OK)
		st = sj_emit(a, &(struct sj_out){.kind = out_kind,
		                                 .peer = v->peer,
		                                 .view = v,
		                                 .surface_id = sj_slice(v->id, v->id_len),
		                                 .name = name,
		                                 .json = sj_buf_view(&args),
		                                 .call_id = id});
	if (st != SJ_OK && id)
		sj_pending_undo(a, id);
	sj_buf_finish(&args);
	return st;
}

static enum sj_status fault(struct sj_view *v, struct sj_diag *d)
{
	return sj_emit_fault(v->a, v->peer, v->version, sj_slice(v->id, v->id_len), v, d, true);
}

/* openUrl acts: what it may open is checked before anything is wanted. SJ_INVALID: `d` says why not. */
static enum sj_status check_url(struct sj_view *v, sj_node_id node, struct sj_compile *c, uint32_t call,
                                struct sj_diag *d)
{
	uint32_t args = sj_member(c->tape, call, "args"), url = args ? sj_member(c->tape, args, "url") : 0;
	struct sj_value value = SJ_ABSENT_VALUE;
	enum sj_status st = url ? resolve(v, node, c, url, &value) : SJ_OK;
	if (st != SJ_OK)
		return st;
	if (!sj_value_is_string(&value) || !sj_a2ui_url_allowed(sj_value_text(&value)))
		st = sj_diag_set(d, SJ_INVALID, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION,
		                 "openUrl: only http and https addresses may be opened");
	sj_value_unref(sj_surface_mem(v->core), value);
	return st;
}

static enum sj_status run_function(struct sj_view *v, sj_node_id node, struct sj_compile *c, uint32_t call)
{
	struct sj_a2ui *a = v->a;
	const struct sj_tape *t = c->tape;
	uint32_t name_cell;
	struct sj_diag d = {0};
	if (sj_tape_type(t, call) != SJ_J_OBJECT || sj_object_form(t, call, c->dialect, &name_cell) != SJ_FORM_CALL) {
		sj_diag_set(&d, SJ_INVALID, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION,
		            "The action's function call has no name");
		return fault(v, &d);
	}
	struct sj_slice name = sj_tape_string(t, name_cell, c->arena);
	const struct sj_catalog *catalog = sj_resolve_catalog(v, t, call, c->catalog, "Function", name, &d);
	const struct sj_a2ui_function *f = catalog ? sj_catalog_function(catalog, name) : NULL;
	const struct sj_function *impl = f ? f->impl : NULL;
	if (!impl && (!catalog || sj_catalog_is_permissive(catalog)))
		impl = sj_fn_impl(a->fns, v->version, name);
	if (!f && !impl) {
		struct sj_diag e = {0};
		sj_diag_set(&e, SJ_INVALID, d.code ? d.code : SJ_E_EXPRESSION_ERROR,
		            d.code ? d.category : SJ_CAT_EXPRESSION, "%s%.*s%s",
		            d.code ? d.message : "Unrecognized function '", d.code ? 0 : (int)name.len, name.ptr,
		            d.code ? "" : "'");
		if (v->version < SJ_V10)
			e.code = SJ_E_EXPRESSION_ERROR;
		return fault(v, &e);
	}
	if (impl && impl->kind == SJ_FN_EFFECT) {
		if (sj_slice_is(name, "openUrl")) {
			enum sj_status st = check_url(v, node, c, call, &d);
			if (st != SJ_OK)
				return st == SJ_INVALID && d.code ? fault(v, &d) : st;
		}
		return want_tool(v, node, c, call, name, SJ_OUT_TOOL_WANTED);
	}
	if (impl && (impl->kind == SJ_FN_DEFERRED || impl->kind == SJ_FN_SOURCE))
		return want_tool(v, node, c, call, name, SJ_OUT_CALL_WANTED);
	if (impl) { /* pure: computed for its faults, the value goes nowhere */
		struct sj_value value;
		enum sj_status st = resolve(v, node, c, call, &value);
		if (st == SJ_OK)
			sj_value_unref(sj_surface_mem(v->core), value);
		return st;
	}
	if (v->version < SJ_V10) {
		sj_diag_set(&d, SJ_INVALID, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION,
		            "Function '%.*s' has no implementation here", SJ_ARG(name));
		return fault(v, &d);
	}
	struct sj_buf args;
	struct sj_pending *p;
	sj_buf_init(&args, a->mem, 0);
	enum sj_status st = put_args(v, node, c, call, &args);
	if (st == SJ_OK)
		st = sj_buf_status(&args);
	if (st == SJ_OK)
		st = sj_pending_add(a,
		                    &(struct sj_pending){.kind = SJ_PEND_ACTION,
		                                         .peer = v->peer,
		                                         .view = v,
		                                         .due_ms = sj_due(a, a->opt.limits->call_timeout_ms)},
		                    &p);
	uint64_t id = st == SJ_OK ? p->id : 0;
	if (st == SJ_OK)
		st = sj_rpc_send_call(a, v, name, sj_catalog_id(catalog), sj_buf_view(&args), id);
	if (st != SJ_OK && id)
		sj_pending_undo(a, id);
	sj_buf_finish(&args);
	return st;
}

enum sj_status sj_a2ui_dispatch(struct sj_a2ui *a, struct sj_view *v, sj_node_id node, struct sj_slice source,
                                const struct sj_tape *t, uint32_t action, struct sj_diag *diag)
{
	sj_component_ref ref = sj_component_find(v->core, source);
	const struct sj_comp *comp = ref ? sj_component_ctx(v->core, ref) : NULL;
	struct sj_compile c = {.view = v,
	                       .tape = t,
	                       .dialect = sj_view_dialect(v, t, action),
	                       .catalog = comp ? comp->catalog : v->catalog,
	                       .arena = &a->scratch,
	                       .in_action = true};
	if (sj_tape_type(t, action) != SJ_J_OBJECT)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_STATE, SJ_CAT_STATE, "The action is not an object");
	uint32_t event = sj_member(t, action, "event"), call = sj_member(t, action, "functionCall");
	if (v->version == SJ_V08)
		call = 0;
	bool was = a->activated;
	a->activated = true; /* a press is a user gesture; it ends with this call */
	enum sj_status st;
	if (call) {
		st = run_function(v, node, &c, call);
	} else {
		if (v->version == SJ_V08) { /* its only form */
			event = action;
		} else if (!event &&
		           sj_member(t, action, "name")) { /* {name, context}: the short form some agents print */
			struct sj_diag d = {0};
			sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
			            "Short action {name, context}: accepted as an event");
			d.severity = SJ_SEV_WARNING;
			sj_diag_hint(&d, "Write {\"event\": {\"name\": ..., \"context\": ...}}.");
			(void)sj_emit_fault(a, v->peer, v->version, sj_slice(v->id, v->id_len), v, &d, false);
			event = action;
		}
		uint32_t name = event && sj_tape_type(t, event) == SJ_J_OBJECT ? sj_member(t, event, "name") : 0;
		if (!name || sj_tape_type(t, name) != SJ_J_STRING)
			st = sj_diag_set(diag, SJ_INVALID, SJ_E_STATE, SJ_CAT_STATE, "The action has neither an event with a name nor a function call");
		else
			st = send_event(v, node, source, &c, event);
	}
	a->activated = was;
	return st;
}

enum sj_status sj_a2ui_press(struct sj_a2ui *a, struct sj_view *v, sj_node_id node, struct sj_diag *diag)
{
	struct sj_surface *s = v->core;
	enum sj_status st = sj_surface_settle(s);
	if (st == SJ_NOMEM)
		return st;
	if (!sj_node_alive(s, node))
		return sj_diag_set(diag, SJ_INVALID, SJ_E_STATE, SJ_CAT_STATE,
		                   "This control is no longer on the screen");
	sj_component_ref ref = sj_node_component(s, node);
	const struct sj_comp *comp = ref ? sj_component_ctx(s, ref) : NULL;
	bool has_action = false;
	for (uint32_t i = 0; i < sj_node_prop_count(s, node) && !has_action; i++) {
		struct sj_prop p;
		has_action = sj_node_prop(s, node, i, &p) && p.cls == SJ_PC_ACTION;
	}
	if (!comp || !has_action)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_STATE, SJ_CAT_STATE, "Component '%.*s' has no action",
		                   SJ_ARG(sj_node_component_id(s, node)));
	if (!sj_node_enabled(s, node)) {
		struct sj_validity val;
		sj_node_validity(s, node, &val);
		return sj_diag_set(diag, SJ_INVALID, SJ_E_STATE, SJ_CAT_STATE, "'%.*s' is disabled%s%.*s",
		                   SJ_ARG(sj_node_component_id(s, node)), val.message.len ? ": " : "",
		                   SJ_ARG(val.message));
	}
	struct sj_json_options opt = sj_json_options_wire(a->opt.limits);
	struct sj_tape t;
	st = sj_json_parse(&a->scratch, &opt, sj_slice(comp->source, comp->source_len), &t, diag);
	if (st == SJ_OK) {
		uint32_t action = 0;
		for (uint32_t at = sj_tape_first(&t, 0); at < t.cells[0].end && !action;) {
			uint32_t value = sj_tape_next(&t, at);
			const struct sj_a2ui_prop *p =
				comp->type ? sj_a2ui_prop_find(comp->type, sj_tape_string(&t, at, &a->scratch)) : NULL;
			if (p && p->cls == SJ_AC_ACTION)
				action = value;
			at = sj_tape_next(&t, value);
		}
		st = action ? sj_a2ui_dispatch(a, v, node, sj_node_component_id(s, node), &t, action, diag)
		            : sj_diag_set(diag, SJ_INVALID, SJ_E_STATE, SJ_CAT_STATE, "The component has no action");
	}
	sj_arena_reset(&a->scratch);
	if (st == SJ_LIMIT)
		sj_diag_set(diag, st, SJ_E_LIMIT, SJ_CAT_STATE, "Too many calls are waiting for an answer");
	if (v->a->opt.touched)
		v->a->opt.touched(v->a->opt.ctx, v);
	return st;
}
