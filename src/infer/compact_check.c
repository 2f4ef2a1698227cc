/* The check of what a compact notation compiled to. It is that of every format but for one thing: with several catalogs
 * active, the suites let a call stand where a catalog declares a plain string, number or boolean (those of
 * the inference formats). Such a call is checked as a call, its return type against the property, and the message
 * is then judged without it. */
#include "infer/check.h"
#include "infer/compact_write.h"

static bool first_fault(void *ctx, const struct sj_schema_fault *f)
{
	struct sj_schema_fault *kept = ctx;
	*kept = *f;
	return false;
}

static bool fits(const struct sj_a2ui_prop *p, const struct sj_a2ui_function *fn)
{
	const char *wanted = p->dyn == SJ_DYN_STRING    ? "string"
	                     : p->dyn == SJ_DYN_NUMBER  ? "number"
	                     : p->dyn == SJ_DYN_BOOLEAN ? "boolean"
	                                                : NULL;
	return wanted && (sj_slice_is(fn->return_type, wanted) || sj_slice_is(fn->return_type, "any"));
}

static enum sj_status check_call(const struct sj_format *f, const struct sj_value *call, struct sj_slice name,
                                 struct sj_slice own, const struct sj_a2ui_prop *p, struct sj_diag *diag)
{
	const struct sj_catalog *from;
	const struct sj_a2ui_function *fn;
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_schema_fault fault = {0};
	struct sj_arena arena;
	struct sj_buf text;
	struct sj_tape tape;
	enum sj_status st = sj_format_function(f, name, own, &from, &fn, diag);
	if (st == SJ_OK && !fits(p, fn))
		return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                   "%.*s gives no value that '%.*s' can hold", SJ_ARG(name), SJ_ARG(p->name));
	if (st != SJ_OK)
		return st;
	sj_arena_init(&arena, f->mem, 0);
	sj_buf_init(&text, f->mem, 0);
	sj_value_print(&text, call, SJ_PRINT_COMPACT);
	st = sj_buf_status(&text);
	if (st == SJ_OK)
		st = sj_json_parse(&arena, &opt, sj_buf_view(&text), &tape, diag);
	if (st == SJ_OK)
		st = sj_catalog_check_call(from, fn, f->opt.dialect, &tape, 0, &arena, first_fault, &fault);
	if (st == SJ_INVALID)
		st = sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                 "the call of %.*s is not valid: %s", SJ_ARG(name), fault.message);
	sj_buf_finish(&text);
	sj_arena_finish(&arena);
	return st;
}

static struct sj_value sample(enum sj_dynamic_type dyn)
{
	if (dyn == SJ_DYN_NUMBER)
		return sj_value_int(0);
	if (dyn == SJ_DYN_BOOLEAN)
		return sj_value_bool(false);
	return (struct sj_value){.type = SJ_V_SHORT};
}

/* Takes the calls out of plain properties of one component. */
static enum sj_status without_calls(const struct sj_format *f, struct sj_value *c, struct sj_diag *diag)
{
	struct sj_cwriter w = {.f = f};
	const struct sj_a2ui_component *type;
	struct sj_slice written;
	enum sj_status st = SJ_OK;
	if (sj_compact_type(&w, c, &type, &written) != SJ_OK)
		return SJ_OK;
	for (uint32_t i = 0; i < type->nprops && st == SJ_OK; i++) {
		const struct sj_a2ui_prop *p = &type->props[i];
		const struct sj_value *v = p->cls == SJ_AC_PLAIN ? sj_value_get(c, p->name) : NULL;
		struct sj_call_view call;
		if (!v || !sj_compact_call(f, v, &call))
			continue;
		st = check_call(f, v, call.name, call.catalog_id, p, diag);
		if (st == SJ_OK)
			st = p->required ? sj_value_set(f->mem, c, p->name, sample(p->dyn))
			                 : sj_value_unset(f->mem, c, p->name);
	}
	return st;
}

static enum sj_status one(const struct sj_format *f, const struct sj_value *message, struct sj_diag *diag)
{
	static const char *const kinds[] = {"createSurface", "updateComponents"};
	struct sj_value m = sj_value_ref(*message), *body = NULL, *list = NULL;
	enum sj_status st = SJ_OK;
	for (size_t i = 0; i < 2 && !body && st == SJ_OK; i++)
		body = sj_value_own_member(f->mem, &m, sj_slice_of(kinds[i]), &st);
	if (body && st == SJ_OK)
		list = sj_value_own_member(f->mem, body, SJ_LIT("components"), &st);
	for (uint32_t i = 0; list && st == SJ_OK && i < sj_value_count(list); i++) {
		struct sj_value *c = sj_value_own_item(f->mem, list, i, &st);
		if (c && st == SJ_OK)
			st = without_calls(f, c, diag);
	}
	if (st == SJ_OK)
		st = sj_format_check(f, &m, diag);
	sj_value_unref(f->mem, m);
	return st;
}

enum sj_status sj_compact_check(const struct sj_format *f, bool calls_in_plain, const struct sj_value *messages,
                                struct sj_diag *diag)
{
	enum sj_status st = SJ_OK;
	if (!calls_in_plain)
		return sj_format_check_all(f, messages, diag);
	for (uint32_t i = 0; i < sj_value_count(messages) && st == SJ_OK; i++)
		st = one(f, sj_value_item(messages, i), diag);
	return st;
}
