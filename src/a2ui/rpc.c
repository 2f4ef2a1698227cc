/* Calls in both directions (A2UI v1.0): the agent calls a function here and always gets exactly one answer; this side
 * calls the agent and settles by answer, time-out or cancellation. */
#include <stdarg.h>
#include <stdio.h>

#include "a2ui/internal.h"

/* ---- pending table ----------------------------------------------------------------------------------------------- */

enum sj_status sj_pending_add(struct sj_a2ui *a, const struct sj_pending *p, struct sj_pending **out)
{
	enum sj_status st = SJ_VEC_RESERVE(a->mem, &a->pending, a->pending.count + 1, a->opt.limits->pending_calls);
	if (st != SJ_OK)
		return st;
	struct sj_pending *slot = &a->pending.items[a->pending.count++];
	*slot = *p;
	slot->id = ++a->next_call;
	*out = slot;
	return SJ_OK;
}

static struct sj_pending *pending_find(struct sj_a2ui *a, uint64_t id)
{
	for (uint32_t i = 0; i < a->pending.count; i++)
		if (a->pending.items[i].id == id)
			return &a->pending.items[i];
	return NULL;
}

static void pending_remove(struct sj_a2ui *a, struct sj_pending *p)
{
	if (p->held)
		sj_mem_free(a->mem, p->held, p->held_len + 1);
	if (p->rpc_id)
		sj_mem_free(a->mem, p->rpc_id, p->rpc_len + 1);
	*p = a->pending.items[--a->pending.count];
}

void sj_pending_undo(struct sj_a2ui *a, uint64_t id)
{
	struct sj_pending *p = pending_find(a, id);
	if (p)
		pending_remove(a, p);
}

/* The host knows its number: it was given out with TOOL_WANTED or CALL_WANTED. */
static bool asked_host(enum sj_pending_kind k)
{
	return k == SJ_PEND_TOOL || k == SJ_PEND_DEFERRED || k == SJ_PEND_SOURCE || k == SJ_PEND_RPC;
}

static enum sj_status tell_gone(struct sj_a2ui *a, const struct sj_pending *p, const struct sj_diag *d)
{
	return sj_emit(a, &(struct sj_out){.kind = SJ_OUT_CALL_GONE, .peer = p->peer, .call_id = p->id, .diag = d});
}

void sj_pending_drop_view(struct sj_a2ui *a, struct sj_view *v)
{
	for (uint32_t i = 0; i < a->pending.count;) {
		struct sj_pending *p = &a->pending.items[i];
		if (p->view != v) {
			i++;
			continue;
		}
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_INVALID, SJ_E_DISPOSED, SJ_CAT_RPC, "The surface is gone");
		if (p->kind == SJ_PEND_HOST_CALL)
			(void)sj_emit(a, &(struct sj_out){.kind = SJ_OUT_CALL_DONE,
			                                  .peer = p->peer,
			                                  .name = SJ_LIT("DISPOSED"),
			                                  .call_id = p->id,
			                                  .diag = &d});
		else if (asked_host(p->kind))
			(void)tell_gone(a, p, &d);
		pending_remove(a, p);
	}
}

/* What is left of a peer when its surfaces are gone: calls that it made. It cannot be answered any more. */
void sj_pending_drop_peer(struct sj_a2ui *a, uint32_t peer)
{
	for (uint32_t i = 0; i < a->pending.count;) {
		struct sj_pending *p = &a->pending.items[i];
		if (p->peer != peer) {
			i++;
			continue;
		}
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_INVALID, SJ_E_DISPOSED, SJ_CAT_RPC, "The peer is gone");
		if (asked_host(p->kind))
			(void)tell_gone(a, p, &d);
		pending_remove(a, p);
	}
}

uint32_t sj_a2ui_pending(const struct sj_a2ui *a) { return a->pending.count; }

/* ---- answers to the agent ---------------------------------------------------------------------------------------- */

static enum sj_status respond(struct sj_a2ui *a, uint32_t peer, struct sj_slice call_id, struct sj_slice value,
                              const char *code, struct sj_slice message)
{
	struct sj_buf out;
	sj_buf_init(&out, a->mem, 0);
	sj_buf_puts(&out, "{\"version\":\"v1.0\",\"rendererFunctionResponse\":{\"functionCallId\":");
	sj_json_print_string(&out, call_id);
	if (code) {
		sj_buf_puts(&out, ",\"error\":{\"code\":");
		sj_json_print_string(&out, sj_slice_of(code));
		sj_buf_puts(&out, ",\"message\":");
		sj_json_print_string(&out, message);
		sj_buf_puts(&out, "}}}");
	} else {
		sj_buf_puts(&out, ",\"value\":");
		sj_buf_slice(&out, value.len ? value : SJ_LIT("null"));
		sj_buf_puts(&out, "}}");
	}
	enum sj_status st = sj_buf_status(&out);
	if (st == SJ_OK)
		st = sj_emit_reply(a, peer, SJ_V10, NULL, sj_buf_view(&out));
	sj_buf_finish(&out);
	return st;
}

static enum sj_status refuse(struct sj_a2ui *a, uint32_t peer, struct sj_slice id, const char *code, const char *format,
                             ...) __attribute__((format(printf, 5, 6)));

static enum sj_status refuse(struct sj_a2ui *a, uint32_t peer, struct sj_slice id, const char *code, const char *format,
                             ...)
{
	char text[400];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return respond(a, peer, id, SJ_NO_SLICE, code, sj_slice_of(text));
}

enum sj_status sj_rpc_refuse_call(struct sj_a2ui *a, uint32_t peer, struct sj_slice call_id, const struct sj_diag *d)
{
	struct sj_buf out;
	sj_buf_init(&out, a->mem, 0);
	sj_buf_puts(&out, "{\"version\":\"v1.0\",\"error\":{\"code\":\"INVALID_FUNCTION_CALL\",\"functionCallId\":");
	sj_json_print_string(&out, call_id);
	sj_buf_puts(&out, ",\"message\":");
	sj_json_print_string(&out, sj_slice_of(d->message));
	sj_buf_puts(&out, "}}");
	enum sj_status st = sj_buf_status(&out);
	if (st == SJ_OK)
		st = sj_emit_reply(a, peer, SJ_V10, NULL, sj_buf_view(&out));
	sj_buf_finish(&out);
	return st;
}

struct arg_fault {
	char text[256];
	bool any;
};
static bool first_fault(void *ctx, const struct sj_schema_fault *f)
{
	struct arg_fault *a = ctx;
	snprintf(a->text, sizeof a->text, "%s", f->message);
	a->any = true;
	return false;
}

static enum sj_status run_pure(struct sj_a2ui *a, uint32_t peer, struct sj_slice id, const struct sj_a2ui_function *fn,
                               const struct sj_tape *t, uint32_t args)
{
	struct sj_value values[SJ_FN_MAX_PARAMS + 2];
	struct sj_value *list = values;
	uint32_t n = fn->nparams;
	if (n > SJ_FN_MAX_PARAMS) {
		list = sj_arena_alloc(&a->scratch, n * sizeof *list);
		if (!list)
			return SJ_NOMEM;
	}
	enum sj_status st = SJ_OK;
	uint32_t have = 0;
	for (; have < n && st == SJ_OK; have++) {
		uint32_t at = args ? sj_tape_get(t, args, fn->params[have]) : 0;
		list[have] = SJ_ABSENT_VALUE;
		if (at)
			st = sj_value_from_tape(a->mem, t, at, &list[have]);
	}
	if (st == SJ_OK) {
		struct sj_diag d = {0};
		struct sj_value out = SJ_ABSENT_VALUE;
		struct sj_call call = {.mem = a->mem, .ctx = fn->impl->ctx, .args = list, .nargs = n, .diag = &d};
		enum sj_result r = fn->impl->eval(&call, &out);
		if (r == SJ_R_ERROR) {
			st = respond(a, peer, id, SJ_NO_SLICE, "EXECUTION_ERROR",
			             SJ_LIT("An error occurred during function execution."));
		} else {
			struct sj_buf text;
			sj_buf_init(&text, a->mem, 0);
			if (out.type != SJ_V_ABSENT)
				sj_value_print(&text, &out, SJ_PRINT_COMPACT);
			st = sj_buf_status(&text);
			if (st == SJ_OK)
				st = respond(a, peer, id, sj_buf_view(&text), NULL, SJ_NO_SLICE);
			sj_buf_finish(&text);
			sj_value_unref(a->mem, out);
		}
	}
	while (have-- > 0)
		sj_value_unref(a->mem, list[have]);
	return st;
}

/* A deed or a slow function: the host is asked, the agent is answered when the host answers. */
static enum sj_status ask_host(struct sj_a2ui *a, uint32_t peer, struct sj_slice id, const struct sj_a2ui_function *fn,
                               const struct sj_tape *t, uint32_t args)
{
	struct sj_pending *p;
	char *copy = sj_mem_strndup(a->mem, id);
	if (!copy)
		return SJ_NOMEM;
	enum sj_status st = sj_pending_add(a,
	                                   &(struct sj_pending){.kind = SJ_PEND_RPC,
	                                                        .peer = peer,
	                                                        .due_ms = sj_due(a, a->opt.limits->call_timeout_ms),
	                                                        .rpc_id = copy,
	                                                        .rpc_len = (uint32_t)id.len},
	                                   &p);
	if (st != SJ_OK) {
		sj_mem_free(a->mem, copy, id.len + 1);
		return st == SJ_LIMIT ? refuse(a, peer, id, "EXECUTION_ERROR", "Too many calls are waiting.") : st;
	}
	bool effect = fn->impl->kind == SJ_FN_EFFECT;
	uint64_t number = p->id;
	st = sj_emit(a, &(struct sj_out){.kind = effect ? SJ_OUT_TOOL_WANTED : SJ_OUT_CALL_WANTED,
	                                 .peer = peer,
	                                 .name = fn->name,
	                                 .json = args ? sj_tape_source(t, args) : SJ_LIT("{}"),
	                                 .call_id = number});
	if (st != SJ_OK)
		sj_pending_undo(a, number);
	return st;
}

static enum sj_status call_function(struct sj_a2ui *a, uint32_t peer, struct sj_slice id, const struct sj_tape *t,
                                    uint32_t call)
{
	enum sj_dialect dialect = sj_member(t, call, "@call") ? SJ_DIALECT_RESERVED : SJ_DIALECT_BARE;
	uint32_t name_cell = sj_member(t, call, dialect == SJ_DIALECT_RESERVED ? "@call" : "call"),
		 catalog_cell = sj_member(t, call, "catalogId"), args = sj_member(t, call, "args");
	struct sj_slice name = name_cell && sj_tape_type(t, name_cell) == SJ_J_STRING
	                               ? sj_tape_string(t, name_cell, &a->scratch)
	                               : SJ_LIT("");
	if (!name.len)
		return refuse(a, peer, id, "INVALID_FUNCTION_CALL", "callFunction names no function.");
	if (!catalog_cell || sj_tape_type(t, catalog_cell) != SJ_J_STRING)
		return refuse(a, peer, id, "INVALID_FUNCTION_CALL", "Function '%.*s' is called without a catalogId.",
		              SJ_ARG(name));
	struct sj_slice catalog_id = sj_tape_string(t, catalog_cell, &a->scratch);
	const struct sj_catalog *wrong, *catalog = sj_a2ui_catalog_find(a, catalog_id, SJ_V10, &wrong);
	if (!catalog)
		return refuse(a, peer, id, "INVALID_FUNCTION_CALL", "Catalog not found: %.*s", SJ_ARG(catalog_id));
	const struct sj_a2ui_function *fn = sj_catalog_function(catalog, name);
	if (!fn)
		return refuse(a, peer, id, "INVALID_FUNCTION_CALL", "Function not found: %.*s", SJ_ARG(name));
	if (fn->allowed == SJ_CALLER_RENDERER_ONLY)
		return refuse(a, peer, id, "INVALID_FUNCTION_CALL", "Function '%.*s' cannot be called by agent (allowedCallers is rendererOnly).", SJ_ARG(name));
	if (fn->needs_activation && !a->activated)
		return refuse(a, peer, id, "INVALID_FUNCTION_CALL", "Function '%.*s' requires user activation context to execute.", SJ_ARG(name));
	struct arg_fault fault = {0};
	enum sj_status st = sj_catalog_check_call(catalog, fn, dialect, t, call, &a->scratch, first_fault, &fault);
	if (st == SJ_NOMEM)
		return st;
	if (st != SJ_OK)
		return refuse(a, peer, id, "INVALID_FUNCTION_CALL", "Invalid arguments: %s", fault.text);
	if (args && sj_tape_type(t, args) != SJ_J_OBJECT)
		args = 0;
	if (!fn->impl) /* declared for the agent's side only: nothing to do here, and nothing to say */
		return fn->allowed == SJ_CALLER_AGENT_ONLY
		               ? respond(a, peer, id, SJ_NO_SLICE, NULL, SJ_NO_SLICE)
		               : refuse(a, peer, id, "INVALID_FUNCTION_CALL", "Function not found: %.*s", SJ_ARG(name));
	return fn->impl->kind == SJ_FN_PURE ? run_pure(a, peer, id, fn, t, args) : ask_host(a, peer, id, fn, t, args);
}

static enum sj_status call_id_member(struct sj_a2ui *a, struct sj_faults *f, uint32_t body, struct sj_slice *id)
{
	uint32_t at = sj_member(f->tape, body, "functionCallId");
	if (!at)
		return sj_fault_at(f, body, "functionCallId", "missing_field",
		                   "'functionCallId' is a required property");
	if (sj_tape_type(f->tape, at) != SJ_J_STRING)
		return sj_fault_at(f, at, NULL, "type_mismatch", "functionCallId must be a string");
	*id = sj_tape_string(f->tape, at, &a->scratch);
	return id->ptr ? SJ_OK : SJ_NOMEM;
}

enum sj_status sj_rpc_call_renderer(struct sj_a2ui *a, uint32_t peer, const struct sj_tape *t, uint32_t body,
                                    struct sj_faults *f)
{
	struct sj_slice id;
	enum sj_status st = call_id_member(a, f, body, &id);
	if (st == SJ_OK)
		st = sj_fault_closed(f, body, (const char *const[]){"functionCallId", "callFunction", NULL},
		                     "callRendererFunction");
	if (st != SJ_OK)
		return st;
	uint32_t call = sj_member(t, body, "callFunction");
	if (!call)
		return sj_fault_at(f, body, "callFunction", "missing_field", "'callFunction' is a required property");
	if (sj_tape_type(t, call) != SJ_J_OBJECT)
		return sj_fault_at(f, call, NULL, "type_mismatch", "callFunction must be an object");
	return call_function(a, peer, id, t, call);
}

/* ---- answers from the agent -------------------------------------------------------------------------------------- */

static bool call_number(struct sj_slice id, uint64_t *out)
{
	uint64_t n = 0;
	/* as it was spelled: nineteen digits at most, so that nothing overflows, and no zero before them */
	if (!sj_slice_starts(id, "call-") || id.len == 5 || id.len > 24 || id.ptr[5] == '0')
		return false;
	for (size_t i = 5; i < id.len; i++) {
		if (id.ptr[i] < '0' || id.ptr[i] > '9')
			return false;
		n = n * 10 + (uint64_t)(id.ptr[i] - '0');
	}
	*out = n;
	return true;
}

/* `again`: the call stays, for the next answer of a source. */
static enum sj_status settle(struct sj_a2ui *a, struct sj_pending *p, struct sj_slice json, struct sj_slice code,
                             struct sj_slice message, bool again)
{
	struct sj_pending was = *p;
	enum sj_status st = SJ_OK;
	struct sj_diag d = {0};
	bool failed = code.len > 0;
	if (failed) {
		enum sj_code known = SJ_E_EXECUTION_ERROR;
		for (int c = SJ_E_NONE + 1; c < SJ_E_COUNT; c++)
			if (sj_slice_is(code, sj_code_name((enum sj_code)c)))
				known = (enum sj_code)c;
		sj_diag_set(&d, SJ_INVALID, known, SJ_CAT_RPC, "%.*s%s%.*s",
		            known == SJ_E_EXECUTION_ERROR ? (int)code.len : 0, code.ptr,
		            known == SJ_E_EXECUTION_ERROR && message.len ? ": " : "", SJ_ARG(message));
	}
	p->rpc_id = NULL; /* kept in `was` */
	if (!again)
		pending_remove(a, p);
	struct sj_value value = SJ_NULL_VALUE;
	bool bound = was.kind == SJ_PEND_PROPERTY || was.kind == SJ_PEND_DEFERRED || was.kind == SJ_PEND_SOURCE;
	if (!failed && json.len > 0 && bound) {
		struct sj_json_options opt = sj_json_options_wire(a->opt.limits);
		st = sj_value_parse(sj_surface_mem(was.view->core), &opt, json, &value, &d);
		failed = st != SJ_OK;
	}
	switch (was.kind) {
	case SJ_PEND_PROPERTY:
	case SJ_PEND_DEFERRED:
	case SJ_PEND_SOURCE:
		/* On failure a binding becomes absent and a check counts as invalid. */
		st = sj_surface_answer(was.view->core, was.core_id, failed ? SJ_R_ERROR : SJ_R_OK, value,
		                       failed ? &d : NULL);
		if (a->opt.touched)
			a->opt.touched(a->opt.ctx, was.view);
		break;
	case SJ_PEND_RPC:
		st = failed ? respond(a, was.peer, sj_slice(was.rpc_id, was.rpc_len), SJ_NO_SLICE, "EXECUTION_ERROR",
		                      message.len ? message : SJ_LIT("An error occurred during function execution."))
		            : respond(a, was.peer, sj_slice(was.rpc_id, was.rpc_len), json, NULL, SJ_NO_SLICE);
		break;
	case SJ_PEND_HOST_CALL:
		st = sj_emit(a, &(struct sj_out){.kind = SJ_OUT_CALL_DONE,
		                                 .peer = was.peer,
		                                 .view = was.view,
		                                 .surface_id = was.view ? sj_slice(was.view->id, was.view->id_len)
		                                                        : SJ_NO_SLICE,
		                                 .name = failed ? code : SJ_NO_SLICE,
		                                 .json = failed     ? SJ_NO_SLICE
		                                         : json.len ? json
		                                                    : SJ_LIT("null"),
		                                 .call_id = was.id,
		                                 .diag = failed ? &d : NULL});
		break;
	case SJ_PEND_ACTION:
	case SJ_PEND_TOOL:
		if (failed && was.view)
			st = sj_emit_fault(a, was.peer, was.view->version, sj_slice(was.view->id, was.view->id_len),
			                   was.view, &d, false);
		break;
	}
	if (was.rpc_id)
		sj_mem_free(a->mem, was.rpc_id, was.rpc_len + 1);
	return st;
}

enum sj_status sj_rpc_agent_response(struct sj_a2ui *a, uint32_t peer, const struct sj_tape *t, uint32_t body,
                                     struct sj_faults *f)
{
	struct sj_slice id;
	enum sj_status st = call_id_member(a, f, body, &id);
	if (st == SJ_OK)
		st = sj_fault_closed(f, body, (const char *const[]){"functionCallId", "value", "error", NULL},
		                     "agentFunctionResponse");
	if (st != SJ_OK)
		return st;
	uint32_t value = sj_member(t, body, "value"), error = sj_member(t, body, "error");
	if ((value != 0) == (error != 0))
		return sj_fault_at(f, body, NULL, "invalid_value", "agentFunctionResponse must hold exactly one of 'value' and 'error'");
	struct sj_slice code = SJ_NO_SLICE, message = SJ_NO_SLICE;
	if (error) {
		uint32_t c = sj_tape_type(t, error) == SJ_J_OBJECT ? sj_member(t, error, "code") : 0,
			 m = c ? sj_member(t, error, "message") : 0;
		if (!c || !m || sj_tape_type(t, c) != SJ_J_STRING || sj_tape_type(t, m) != SJ_J_STRING)
			return sj_fault_at(f, error, NULL, "invalid_value",
			                   "error must hold the strings 'code' and 'message'");
		st = sj_fault_closed(f, error, (const char *const[]){"code", "message", NULL}, "error");
		if (st != SJ_OK)
			return st;
		code = sj_tape_string(t, c, &a->scratch);
		message = sj_tape_string(t, m, &a->scratch);
	}
	uint64_t number;
	struct sj_pending *p = call_number(id, &number) ? pending_find(a, number) : NULL;
	/* Only the agent that was asked may answer; an unknown id, or one not sent yet, is ignored. */
	if (!p || p->peer != peer || p->held ||
	    (p->kind != SJ_PEND_HOST_CALL && p->kind != SJ_PEND_PROPERTY && p->kind != SJ_PEND_ACTION))
		return SJ_OK;
	return settle(a, p, value ? sj_tape_source(t, value) : SJ_NO_SLICE,
	              error && !code.len ? SJ_LIT("EXECUTION_ERROR") : code, message, false);
}

/* ---- calls to the agent ------------------------------------------------------------------------------------------ */

enum sj_status sj_rpc_send_call(struct sj_a2ui *a, struct sj_view *v, struct sj_slice function,
                                struct sj_slice catalog_id, struct sj_slice args_json, uint64_t id)
{
	struct sj_buf out;
	sj_buf_init(&out, a->mem, 0);
	sj_buf_puts(&out, "{\"version\":\"v1.0\",\"callAgentFunction\":{\"surfaceId\":");
	sj_json_print_string(&out, sj_slice(v->id, v->id_len));
	sj_buf_printf(&out, ",\"functionCallId\":\"call-%llu\",\"callFunction\":{\"%s\":", (unsigned long long)id,
	              v->dialect == SJ_DIALECT_RESERVED ? "@call" : "call");
	sj_json_print_string(&out, function);
	if (catalog_id.len) {
		sj_buf_puts(&out, ",\"catalogId\":");
		sj_json_print_string(&out, catalog_id);
	}
	sj_buf_puts(&out, ",\"args\":");
	sj_buf_slice(&out, args_json.len ? args_json : SJ_LIT("{}"));
	sj_buf_puts(&out, "}}}");
	enum sj_status st = sj_buf_status(&out);
	if (st == SJ_OK)
		st = sj_emit_reply(a, v->peer, SJ_V10, v, sj_buf_view(&out));
	sj_buf_finish(&out);
	return st;
}

/* What the host gives travels as it is, so it is looked at first. Empty stands for nothing. */
static enum sj_status check_host_json(struct sj_a2ui *a, struct sj_slice json, bool object, struct sj_diag *diag)
{
	struct sj_json_options opt = sj_json_options_wire(a->opt.limits);
	struct sj_arena arena;
	struct sj_tape t;
	if (json.len == 0)
		return SJ_OK;
	sj_arena_init(&arena, a->mem, 0);
	enum sj_status st = sj_json_parse(&arena, &opt, json, &t, diag);
	if (st == SJ_OK && object && sj_tape_type(&t, 0) != SJ_J_OBJECT)
		st = sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                 "The arguments must be an object");
	sj_arena_finish(&arena);
	return st;
}

enum sj_status sj_a2ui_call_agent(struct sj_a2ui *a, struct sj_view *v, struct sj_slice function,
                                  struct sj_slice catalog_id, struct sj_slice args_json, uint32_t timeout_ms,
                                  uint64_t *call_id, struct sj_diag *diag)
{
	if (v->version < SJ_V10)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_STATE, SJ_CAT_RPC, "callAgentFunction needs protocol version v1.0, the surface has %s",
		                   sj_version_text(v->version));
	enum sj_status st = check_host_json(a, args_json, true, diag);
	if (st != SJ_OK)
		return st;
	struct sj_pending *p;
	st = sj_pending_add(
		a,
		&(struct sj_pending){.kind = SJ_PEND_HOST_CALL,
	                             .peer = v->peer,
	                             .view = v,
	                             .due_ms = sj_due(a, timeout_ms ? timeout_ms : a->opt.limits->call_timeout_ms)},
		&p);
	if (st == SJ_LIMIT)
		return sj_diag_set(diag, st, SJ_E_LIMIT, SJ_CAT_RPC, "Too many calls are waiting");
	if (st != SJ_OK)
		return st;
	uint64_t id = p->id;
	st = sj_rpc_send_call(a, v, function, catalog_id, args_json, id);
	if (st != SJ_OK) {
		sj_pending_undo(a, id); /* a failed send rejects the call */
		return st;
	}
	*call_id = id;
	return SJ_OK;
}

enum sj_status sj_a2ui_cancel(struct sj_a2ui *a, uint64_t call_id, enum sj_code code)
{
	struct sj_pending *p = pending_find(a, call_id);
	if (!p)
		return SJ_ABSENT;
	enum sj_status gone = SJ_OK, st;
	if (asked_host(p->kind)) {
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_INVALID, code, SJ_CAT_RPC, "Nobody waits for the answer any more");
		gone = tell_gone(a, p, &d);
	}
	st = settle(a, p, SJ_NO_SLICE, sj_slice_of(sj_code_name(code)),
	            code == SJ_E_TIMEOUT ? SJ_LIT("No answer in time") : SJ_LIT("Cancelled"), false);
	return st == SJ_OK ? gone : st;
}

enum sj_status sj_a2ui_answer(struct sj_a2ui *a, uint64_t call_id, struct sj_slice json, struct sj_slice code,
                              struct sj_slice message)
{
	struct sj_pending *p = pending_find(a, call_id);
	if (!p || !asked_host(p->kind))
		return SJ_ABSENT;
	enum sj_status st = code.len ? SJ_OK : check_host_json(a, json, false, NULL);
	if (st != SJ_OK)
		return st;
	return settle(a, p, json, code, message, p->kind == SJ_PEND_SOURCE);
}

static void send_held(struct sj_a2ui *a, struct sj_pending *p)
{
	uint64_t id = p->id;
	char *args = p->held;
	uint32_t len = p->held_len;
	p->held = NULL;
	p->due_ms = sj_due(a, a->opt.limits->call_timeout_ms);
	enum sj_status st = sj_rpc_send_call(
		a, p->view, p->fn->name, p->catalog ? sj_catalog_id(p->catalog) : SJ_NO_SLICE, sj_slice(args, len), id);
	sj_mem_free(a->mem, args, len + 1);
	if (st != SJ_OK)
		(void)sj_a2ui_cancel(a, id, SJ_E_CANCELLED);
}

void sj_a2ui_expire(struct sj_a2ui *a)
{
	for (uint32_t i = 0; i < a->pending.count;) {
		struct sj_pending *p = &a->pending.items[i];
		if (p->due_ms > a->now_ms) {
			i++;
			continue;
		}
		if (p->held) /* it has rested: now it is sent */
			send_held(a, p);
		else
			(void)sj_a2ui_cancel(a, p->id, SJ_E_TIMEOUT);
		i = 0; /* settling may have moved entries */
	}
}

int64_t sj_a2ui_deadline(const struct sj_a2ui *a)
{
	int64_t due = INT64_MAX;
	for (uint32_t i = 0; i < a->pending.count; i++)
		if (a->pending.items[i].due_ms < due)
			due = a->pending.items[i].due_ms;
	return due;
}

void sj_a2ui_activate(struct sj_a2ui *a, bool active) { a->activated = active; }

/* ---- calls in properties: the core wants one answered ------------------------------------------------------------ */

uint32_t sj_rpc_call_wanted(void *ctx, struct sj_surface *s, const struct sj_function *f, const void *site,
                            const struct sj_value *args, uint32_t nargs)
{
	struct sj_view *v = ctx;
	struct sj_a2ui *a = v->a;
	const struct sj_site *where = site;
	(void)s;
	struct sj_buf text;
	sj_buf_init(&text, a->mem, 0);
	if (nargs > 0)
		sj_value_print(&text, &args[0], SJ_PRINT_COMPACT);
	bool agent = f == &a->agent;
	enum sj_pending_kind kind = agent               ? SJ_PEND_PROPERTY
	                            : f == &a->source ? SJ_PEND_SOURCE
	                                              : SJ_PEND_DEFERRED;
	struct sj_pending *p;
	uint32_t core_id = ++a->next_core_call;
	enum sj_status st = sj_buf_status(&text);
	/* Each key would be a call of its own: one that replaces a call still unanswered waits until input rests. */
	bool rests = agent && a->superseded == where && a->opt.limits->call_rest_ms > 0;
	char *held = st == SJ_OK && rests ? sj_mem_strndup(a->mem, sj_buf_view(&text)) : NULL;
	a->superseded = NULL;
	if (rests && st == SJ_OK && !held)
		st = SJ_NOMEM;
	if (st == SJ_OK)
		st = sj_pending_add(
			a,
			&(struct sj_pending){.kind = kind,
		                             .peer = v->peer,
		                             .view = v,
		                             .core_id = core_id,
		                             .due_ms = rests   ? sj_due(a, a->opt.limits->call_rest_ms)
		                                       : agent ? sj_due(a, a->opt.limits->call_timeout_ms)
		                                               : INT64_MAX,
		                             .site = agent ? where : NULL,
		                             .fn = where->fn,
		                             .catalog = where->catalog,
		                             .held = held,
		                             .held_len = held ? (uint32_t)text.len : 0},
			&p);
	if (st != SJ_OK && held)
		sj_mem_free(a->mem, held, text.len + 1);
	uint64_t number = st == SJ_OK ? p->id : 0;
	if (st == SJ_OK && agent && !held)
		st = sj_rpc_send_call(a, v, where->fn->name,
		                      where->catalog ? sj_catalog_id(where->catalog) : SJ_NO_SLICE, sj_buf_view(&text),
		                      p->id);
	else if (st == SJ_OK && !agent)
		st = sj_emit(a, &(struct sj_out){.kind = SJ_OUT_CALL_WANTED,
		                                 .peer = v->peer,
		                                 .view = v,
		                                 .surface_id = sj_slice(v->id, v->id_len),
		                                 .name = where->fn->name,
		                                 .json = sj_buf_view(&text),
		                                 .call_id = p->id});
	sj_buf_finish(&text);
	if (st != SJ_OK && number)
		sj_pending_undo(a, number);
	return st == SJ_OK ? core_id : 0;
}

void sj_rpc_call_gone(void *ctx, struct sj_surface *s, uint32_t core_id)
{
	struct sj_view *v = ctx;
	struct sj_a2ui *a = v->a;
	(void)s;
	for (uint32_t i = 0; i < a->pending.count; i++) {
		struct sj_pending *p = &a->pending.items[i];
		if (p->core_id != core_id || p->view != v)
			continue;
		if (asked_host(p->kind))
			(void)sj_emit(a, &(struct sj_out){.kind = SJ_OUT_CALL_GONE,
			                                  .peer = p->peer,
			                                  .view = v->dying ? NULL : v,
			                                  .call_id = p->id});
		a->superseded = p->site;
		pending_remove(a, p);
		return;
	}
}
