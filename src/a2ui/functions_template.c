/* formatString where the core does not compile it: evaluated directly (RPC, suites), or with a template that is itself
 * computed. The core compiles every literal template into its own operations, so this is not the path of ordinary
 * screens. */
#include "a2ui/fn_internal.h"
#include "a2ui/template.h"

enum { MAX_INNER = 4 /* formatString inside formatString inside ... */ };

/* Evaluates parts in a scope without a model; values of finished arguments wait on a stack, calls are met after their
 * arguments. */
struct run {
	struct sj_fn_table *t;
	struct sj_mem *mem;
	enum sj_version version;
	struct sj_diag *diag;
	SJ_VEC(struct sj_value) stack;
};

static enum sj_result evaluate(struct run *r, struct sj_slice text, struct sj_value *out);

static enum sj_result no_memory(struct run *r)
{
	struct sj_call c = {.diag = r->diag};
	return sj_fn_no_memory(&c);
}

static enum sj_result push(struct run *r, struct sj_value take)
{
	if (SJ_VEC_RESERVE(r->mem, &r->stack, r->stack.count + 1, 0) != SJ_OK) {
		sj_value_unref(r->mem, take);
		return no_memory(r);
	}
	r->stack.items[r->stack.count++] = take;
	return SJ_R_OK;
}

static void drop(struct run *r, uint32_t n)
{
	while (n--)
		sj_value_unref(r->mem, r->stack.items[--r->stack.count]);
}

static enum sj_result call(struct run *r, const struct sj_tpl_node *n, struct sj_value *out)
{
	if (sj_slice_is(n->text, "@index")) {
		sj_diag_set(r->diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		            "@index function can only be evaluated inside a collection template iteration scope.");
		return SJ_R_ERROR;
	}
	struct sj_call c = {.mem = r->mem, .diag = r->diag};
	const struct sj_value *args = n->nargs ? r->stack.items + (r->stack.count - n->nargs) : NULL;
	/* A template is read where it is written as one: a literal in a literal. What another call made is data. */
	if (n->nargs == 1 && n->args->type == SJ_TPL_STRING && sj_slice_is(n->text, "formatString") &&
	    sj_slice_is(n->arg_names[0], "value")) {
		struct run inner = {.t = r->t, .mem = r->mem, .version = r->version, .diag = r->diag};
		return evaluate(&inner, n->args->text, out); /* no deeper than MAX_INNER */
	}
	return sj_fn_call_named(r->t, &c, r->version, n->text, n->arg_names, args, n->nargs, true, out);
}

/* Pushes the value of one node whose arguments, if any, are the topmost values; they are consumed. */
static enum sj_result step(struct run *r, const struct sj_tpl_node *n)
{
	struct sj_value v = SJ_ABSENT_VALUE;
	enum sj_result result;
	switch (n->type) {
	case SJ_TPL_LITERAL:
	case SJ_TPL_STRING:
		if (sj_value_string(r->mem, n->text, &v) != SJ_OK)
			return no_memory(r);
		break;
	case SJ_TPL_NUMBER:
		v = sj_value_number(n->number);
		break;
	case SJ_TPL_TRUE:
	case SJ_TPL_FALSE:
		v = sj_value_bool(n->type == SJ_TPL_TRUE);
		break;
	case SJ_TPL_NULL:
		v = SJ_NULL_VALUE;
		break;
	case SJ_TPL_PATH:
		break;
	case SJ_TPL_CALL:
		result = call(r, n, &v);
		if (result != SJ_R_OK && result != SJ_R_ABSENT)
			return result;
		drop(r, n->nargs);
		break;
	}
	return push(r, v);
}

static enum sj_result part(struct run *r, const struct sj_tpl_node *n)
{
	for (;;) {
		while (n->nargs)
			n = n->args;
		for (;;) {
			enum sj_result result = step(r, n);
			if (result != SJ_R_OK || !n->parent)
				return result;
			if (n + 1 < n->parent->args + n->parent->nargs)
				break;
			n = n->parent;
		}
		n++;
	}
}

static enum sj_result parts(struct run *r, const struct sj_tpl *tpl, struct sj_value *out)
{
	struct sj_buf text;
	sj_buf_init(&text, r->mem, 0);
	enum sj_result result = SJ_R_OK;
	for (uint32_t i = 0; i < tpl->count && result == SJ_R_OK; i++) {
		result = part(r, &tpl->parts[i]);
		if (result == SJ_R_OK) {
			sj_a2ui_text(&r->stack.items[r->stack.count - 1], &text);
			drop(r, 1);
		}
	}
	if (result == SJ_R_OK && (sj_buf_status(&text) != SJ_OK ||
	                          sj_value_string(r->mem, text.len ? sj_buf_view(&text) : SJ_LIT(""), out) != SJ_OK))
		result = no_memory(r);
	sj_buf_finish(&text);
	return result;
}

static enum sj_result evaluate(struct run *r, struct sj_slice text, struct sj_value *out)
{
	struct sj_arena arena;
	struct sj_tpl tpl;
	if (r->t->template_depth >= MAX_INNER) {
		sj_diag_set(r->diag, SJ_LIMIT, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION,
		            "formatString inside formatString, more than %d deep", MAX_INNER);
		return SJ_R_ERROR;
	}
	sj_arena_init(&arena, r->mem, 0);
	r->t->template_depth++;
	enum sj_result result = SJ_R_ERROR;
	if (sj_tpl_parse(&arena, &r->t->limits, text, &tpl, r->diag) == SJ_OK)
		result = parts(r, &tpl, out);
	r->t->template_depth--;
	drop(r, r->stack.count);
	SJ_VEC_FREE(r->mem, &r->stack);
	sj_arena_finish(&arena);
	return result;
}

enum sj_result sj_fn_template(struct sj_fn_table *t, struct sj_mem *mem, enum sj_version v, struct sj_slice text,
                              struct sj_value *out, struct sj_diag *diag)
{
	struct run r = {.t = t, .mem = mem, .version = v, .diag = diag};
	return evaluate(&r, text, out);
}

/* The row: called only when the template came from the model or from another function. That is data, so it is shown,
 * never read. */
enum sj_result sj_fn_format_string(struct sj_call *c, struct sj_value *out)
{
	const struct sj_value *v = sj_fn_arg(c, 0);
	if (v->type == SJ_V_ABSENT) {
		*out = SJ_ABSENT_VALUE;
		return SJ_R_ABSENT;
	}
	if (sj_value_is_string(v)) {
		*out = sj_value_ref(*v);
		return SJ_R_OK;
	}
	sj_a2ui_text(v, sj_fn_scratch(c));
	return sj_fn_give_scratch(c, out);
}
