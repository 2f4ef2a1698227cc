/* Calls of functions, and the checks that are made of them. */
#include "infer/compact_lower.h"

/* The text of an argument that must be a literal string; ptr NULL: not given. */
enum sj_status sj_lower_word(struct sj_lower *l, uint32_t n, const char *key, struct sj_slice *out)
{
	*out = SJ_NO_SLICE;
	for (uint32_t c = n + 1; c < sj_lower_node(l, n)->end; c = sj_lower_node(l, c)->end) {
		const struct sj_cnode *arg = sj_lower_node(l, c);
		if (arg->element || !arg->key.ptr || !sj_slice_is(arg->key, key) || arg->kind == SJ_N_SKIP)
			continue;
		if (arg->kind != SJ_N_STRING)
			return SJ_LOWER_FAULT(l, c, SJ_CAT_VALIDATION, "%s must be a string", key);
		*out = arg->text.ptr ? arg->text : SJ_LIT("");
	}
	return SJ_OK;
}

static bool several(const struct sj_lower *l) { return l->f->opt.ncatalogs > 1 && l->f->opt.version >= SJ_V10; }

/* The id to write beside a component or call; ptr NULL: none. */
enum sj_status sj_lower_stamp(struct sj_lower *l, uint32_t n, struct sj_slice own, const struct sj_catalog *from,
                            struct sj_slice *out)
{
	if (own.ptr && l->f->opt.version < SJ_V10)
		return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "catalogId cannot be given to one component or call before v1.0");
	*out = own.ptr ? own : several(l) ? sj_catalog_id(from) : SJ_NO_SLICE;
	return SJ_OK;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static bool has_param(const struct sj_a2ui_function *fn, const char *name)
{
	for (uint32_t i = 0; fn && i < fn->nparams; i++)
		if (sj_slice_is(fn->params[i], name))
			return true;
	return false;
}

/* Finds the function and what is written beside its arguments. */
enum sj_status sj_lower_open_call(struct sj_lower *l, uint32_t n, struct sj_lower_frame *f)
{
	struct sj_slice own, name = sj_lower_node(l, n)->text;
	const struct sj_catalog *from = NULL;
	bool system = name.len > 0 && name.ptr[0] == '@';
	enum sj_status st = sj_lower_word(l, n, "catalogId", &own);
	bool alone = l->alone && l->stack.count == 0;
	if (st == SJ_OK && own.ptr && l->f->opt.version < SJ_V10) {
		for (uint32_t i = 0; i < l->f->opt.ncatalogs; i++) {
			const struct sj_a2ui_function *fn = sj_catalog_function(l->f->catalogs[i], name);
			own = has_param(fn, "catalogId") ? SJ_NO_SLICE : own;
		}
		if (own.ptr)
			st = sj_lower_stamp(l, n, own, NULL, &f->catalog_id);
	}
	if (st != SJ_OK)
		return st;
	if (system) {
		if (!sj_slice_is(name, "@index") || own.ptr)
			return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, own.ptr ? "%.*s takes no catalogId"
			                                              : "'%.*s' is no function of the protocol",
			             SJ_ARG(name));
	} else {
		st = sj_format_function(l->f, name, own.ptr ? own : l->fixed, &from, &f->fn, l->p->diag);
		if (st == SJ_OK && has_param(f->fn, "catalogId"))
			own = SJ_NO_SLICE;
		if (st == SJ_OK)
			st = sj_lower_stamp(l, n, own, from, &f->catalog_id);
	}
	if (st == SJ_OK && alone && from && !f->catalog_id.ptr)
		f->catalog_id = sj_catalog_id(from);
	if (st == SJ_OK && l->f->opt.version < SJ_V10 && !has_param(f->fn, "returnType"))
		st = sj_lower_word(l, n, "returnType", &f->return_type);
	if (st != SJ_OK)
		sj_lower_place(l, n);
	return st;
}

static bool beside(const struct sj_lower *l, const struct sj_lower_frame *f, struct sj_slice key)
{
	if (sj_slice_is(key, "catalogId"))
		return !has_param(f->fn, "catalogId");
	if (sj_slice_is(key, "returnType"))
		return l->f->opt.version < SJ_V10 && !has_param(f->fn, "returnType");
	return sj_slice_is(key, "functionCallId") && l->alone && l->stack.count == 1;
}

enum sj_status sj_lower_call_argument(struct sj_lower *l, uint32_t base, uint32_t n)
{
	struct sj_lower_frame *f = sj_lower_top(l);
	const struct sj_cnode *c = sj_lower_node(l, n);
	struct sj_slice name = c->key;
	if (f->kind == SJ_F_CHECK && n == f->message)
		return SJ_OK;
	if (name.ptr && beside(l, f, name))
		return SJ_OK;
	if (f->kind == SJ_F_CHECK && name.ptr && sj_slice_is(name, "message") && !has_param(f->fn, "message")) {
		f->message = n;
		return SJ_OK;
	}
	if (!name.ptr) {
		uint32_t nparams = f->fn ? f->fn->nparams : 1, at = f->seen++;
		if (at >= nparams)
			return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "%.*s takes at most %u arguments by position",
			             SJ_ARG(f->name), nparams);
		name = f->fn ? f->fn->params[f->fn->positions[at]] : SJ_LIT("offset");
	}
	if (c->kind == SJ_N_SKIP)
		return SJ_OK;
	if (sj_value_get(&f->acc, name))
		return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "argument '%.*s' is given twice", SJ_ARG(name));
	return sj_lower_begin(l, base, n, &SJ_COMPACT_ANY, name);
}

/* f(_) gives no arguments at all, f() an empty object of them. */
static bool no_arguments(const struct sj_lower *l, uint32_t n)
{
	bool skipped = false;
	for (uint32_t c = n + 1; c < sj_lower_node(l, n)->end; c = sj_lower_node(l, c)->end) {
		if (sj_lower_node(l, c)->key.ptr)
			continue;
		if (sj_lower_node(l, c)->kind != SJ_N_SKIP)
			return false;
		skipped = true;
	}
	return skipped;
}

/* {call, args, catalogId, returnType} of a frame whose arguments are complete; takes them. */
enum sj_status sj_lower_call_object(struct sj_lower *l, struct sj_lower_frame *f, struct sj_value *out)
{
	struct sj_value v;
	enum sj_status st = sj_value_object(l->mem, &v);
	if (st != SJ_OK)
		return st;
	st = sj_lower_set_text(l->mem, &v, sj_format_key_call(l->f), f->name);
	if (st == SJ_OK && !(sj_value_count(&f->acc) == 0 && no_arguments(l, f->node))) {
		st = sj_value_set(l->mem, &v, SJ_LIT("args"), f->acc);
		f->acc = SJ_ABSENT_VALUE;
	}
	if (st == SJ_OK && f->catalog_id.ptr)
		st = sj_lower_set_text(l->mem, &v, SJ_LIT("catalogId"), f->catalog_id);
	if (st == SJ_OK && f->return_type.ptr)
		st = sj_lower_set_text(l->mem, &v, SJ_LIT("returnType"), f->return_type);
	if (st != SJ_OK)
		sj_value_unref(l->mem, v);
	else
		*out = v;
	return st;
}

enum sj_status sj_lower_wrap(struct sj_mem *m, struct sj_slice key, struct sj_value take, struct sj_value *out)
{
	enum sj_status st = sj_value_object(m, out);
	if (st != SJ_OK) {
		sj_value_unref(m, take);
		return st;
	}
	st = sj_value_set(m, out, key, take);
	if (st != SJ_OK)
		sj_value_unref(m, *out);
	return st;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

/* What the component that a check belongs to is about; NULL: it has no value. */
static const struct sj_value *own_value(const struct sj_lower *l)
{
	for (uint32_t i = l->stack.count; i > 0; i--) {
		const struct sj_lower_frame *f = &l->stack.items[i - 1];
		if (f->kind != SJ_F_COMPONENT)
			continue;
		const struct sj_value *v = sj_value_get(&f->acc, SJ_LIT("value"));
		for (uint32_t k = 0; k < f->type->nprops && !v; k++)
			if (f->type->props[k].ui == SJ_P_VALUE)
				v = sj_value_get(&f->acc, f->type->props[k].name);
		return v;
	}
	return NULL;
}

/* Settles which arguments of a check are its message and the component's own value. */
enum sj_status sj_lower_begin_check(struct sj_lower *l, uint32_t n, struct sj_slice key)
{
	const struct sj_cnode *c = sj_lower_node(l, n);
	struct sj_lower_frame f = {.kind = SJ_F_CHECK, .node = n, .at = n + 1, .key = key, .name = c->text};
	uint32_t positional = 0, last = 0, required = 0, named = 0;
	enum sj_status st = sj_value_object(l->mem, &f.acc);
	if (st != SJ_OK || c->text.len == 0)
		return st == SJ_OK ? sj_lower_push(l, &f) : st;
	st = sj_lower_open_call(l, n, &f);
	for (uint32_t a = n + 1; st == SJ_OK && a < c->end; a = sj_lower_node(l, a)->end) {
		const struct sj_cnode *arg = sj_lower_node(l, a);
		positional += !arg->key.ptr;
		last = arg->key.ptr ? last : a;
		for (uint32_t i = 0; f.fn && i < f.fn->nparams && arg->key.ptr; i++)
			named += f.fn->required[i] && sj_slice_eq(f.fn->params[i], arg->key);
	}
	const struct sj_value *own = st == SJ_OK ? own_value(l) : NULL;
	struct sj_slice first = f.fn && f.fn->nparams ? f.fn->params[f.fn->positions[0]] : SJ_NO_SLICE;
	for (uint32_t i = 0; f.fn && i < f.fn->nparams; i++)
		required += f.fn->required[i];
	for (uint32_t a = n + 1; st == SJ_OK && a < c->end; a = sj_lower_node(l, a)->end)
		if (sj_lower_node(l, a)->key.ptr && sj_slice_eq(sj_lower_node(l, a)->key, first))
			own = NULL; /* the author says what is checked */
	bool text = last && sj_lower_node(l, last)->kind == SJ_N_STRING;
	bool orphan = text && !own && positional == 1 && sj_slice_is(first, "value");
	/* A function of a list of conditions has no place for the value unless an argument is missing. */
	if (own && (!first.ptr || (!sj_slice_is(first, "value") && positional - text + named >= required)))
		own = NULL;
	/* The last text is the message unless a required argument would be missing without it. */
	if (text && positional - 1 + named + (own != NULL) >= required)
		f.message = last;
	else if (orphan || (text && positional + named + (own != NULL) < required))
		f.message = last; /* something is missing either way: that is what will be said */
	if (st == SJ_OK && own) {
		st = sj_value_set(l->mem, &f.acc, first, sj_value_ref(*own));
		f.seen = 1;
	}
	if (st != SJ_OK) {
		sj_value_unref(l->mem, f.acc);
		return st;
	}
	return sj_lower_push(l, &f);
}

enum sj_status sj_lower_finish_check(struct sj_lower *l, struct sj_lower_frame *f, struct sj_value *out)
{
	struct sj_value condition = SJ_ABSENT_VALUE;
	struct sj_slice message = SJ_LIT("This value is not valid.");
	enum sj_status st = SJ_OK;
	if (f->name.len == 0) {
		const struct sj_value *path = sj_value_get(&f->acc, SJ_LIT("condition"));
		condition = path ? sj_value_ref(*path) : SJ_ABSENT_VALUE;
	} else {
		for (uint32_t i = 0; f->fn && i < f->fn->nparams; i++)
			if (f->fn->required[i] && !sj_value_get(&f->acc, f->fn->params[i]))
				return SJ_LOWER_FAULT(l, f->node, SJ_CAT_VALIDATION,
				                      "the check %.*s lacks its argument %.*s", SJ_ARG(f->name),
				                      SJ_ARG(f->fn->params[i]));
		st = sj_lower_call_object(l, f, &condition);
	}
	if (st != SJ_OK)
		return st;
	st = sj_lower_wrap(l->mem, SJ_LIT("condition"), condition, out);
	if (st != SJ_OK)
		return st;
	if (f->message) {
		if (sj_lower_node(l, f->message)->kind != SJ_N_STRING)
			st = SJ_LOWER_FAULT(l, f->message, SJ_CAT_VALIDATION,
			                    "the message of a check must be a string");
		message = sj_lower_node(l, f->message)->text;
	}
	if (st == SJ_OK)
		st = sj_lower_set_text(l->mem, out, SJ_LIT("message"), message);
	if (st != SJ_OK)
		sj_value_unref(l->mem, *out);
	return st;
}

