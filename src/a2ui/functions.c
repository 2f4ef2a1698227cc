/* The function table: rows, lookup, direct evaluation, and the helpers the rows share. */
#include "a2ui/functions.h"

#include <stdarg.h>
#include <stdio.h>

#include "a2ui/fn_internal.h"
#include "base/num.h"

enum { KEPT_BYTES = 4096 }; /* of scratch, between calls */

/* Sorted by name: sj_fn_find halves. docs/functions.md describes each row; a test keeps the two in step. */
static const struct sj_fn_source SOURCES[SJ_FN_COUNT] = {
	{"and", {"values"}, 1, SJ_FN_PURE, false, sj_fn_and_v09, sj_fn_and_v10},
	{"capitalize", {"value"}, 1, SJ_FN_PURE, false, sj_fn_capitalize, sj_fn_capitalize},
	{"email", {"value"}, 1, SJ_FN_PURE, false, sj_fn_email_v09, sj_fn_email_v10},
	{"formatCurrency",
         {"value", "currency", "decimals", "grouping"},
         3,
         SJ_FN_PURE,
         true,
         sj_fn_format_currency,
         sj_fn_format_currency},
	{"formatDate", {"value", "format"}, 3, SJ_FN_PURE, true, sj_fn_format_date, sj_fn_format_date},
	{"formatNumber",
         {"value", "decimals", "grouping"},
         1,
         SJ_FN_PURE,
         true,
         sj_fn_format_number,
         sj_fn_format_number},
	{"formatString", {"value"}, 1, SJ_FN_PURE, false, sj_fn_format_string, sj_fn_format_string},
	{"length", {"value", "min", "max"}, 1, SJ_FN_PURE, false, sj_fn_length, sj_fn_length},
	{"not", {"value"}, 1, SJ_FN_PURE, false, sj_fn_not_v09, sj_fn_not_v10},
	{"numeric", {"value", "min", "max"}, 1, SJ_FN_PURE, false, sj_fn_numeric, sj_fn_numeric},
	{"openUrl", {"url"}, 1, SJ_FN_EFFECT, false, NULL, NULL},
	{"or", {"values"}, 1, SJ_FN_PURE, false, sj_fn_or_v09, sj_fn_or_v10},
	{"pluralize",
         {"value", "zero", "one", "two", "few", "many", "other"},
         1 | 64,
         SJ_FN_PURE,
         true,
         sj_fn_pluralize,
         sj_fn_pluralize},
	{"regex", {"value", "pattern"}, 3, SJ_FN_PURE, false, sj_fn_regex, sj_fn_regex},
	/* `required` answers for a value that is not given, as for one that is not there. */
	{"required", {"value"}, 0, SJ_FN_PURE, false, sj_fn_required, sj_fn_required},
};

/* ---- the table --------------------------------------------------------------------------------------------------- */

enum sj_status sj_fn_table_create(struct sj_mem *mem, const struct sj_limits *l, const struct sj_locales *locales,
                                  struct sj_fn_table **out)
{
	struct sj_fn_table *t = sj_mem_zalloc(mem, sizeof *t);
	if (!t)
		return SJ_NOMEM;
	t->mem = mem;
	t->limits = *l;
	if (locales)
		t->locales = *locales;
	for (uint32_t i = 0; i < SJ_FN_COUNT; i++) {
		const struct sj_fn_source *s = &SOURCES[i];
		struct sj_fn_row *row = &t->rows[i];
		row->name = s->name;
		memcpy(row->params, s->params, sizeof row->params);
		row->kind = s->kind;
		row->uses_locale = s->uses_locale;
		row->fn_v09 = (struct sj_function){.name = s->name, .kind = s->kind, .eval = s->v09, .ctx = t};
		row->fn_v10 = (struct sj_function){.name = s->name, .kind = s->kind, .eval = s->v10, .ctx = t};
	}
	sj_fn_regexes_init(&t->regexes, mem, &t->limits);
	sj_buf_init(&t->scratch, mem, 0);
	*out = t;
	return SJ_OK;
}

void sj_fn_table_destroy(struct sj_fn_table *t)
{
	if (!t)
		return;
	sj_fn_regexes_finish(&t->regexes);
	sj_buf_finish(&t->scratch);
	sj_mem_free(t->mem, t, sizeof *t);
}

void sj_fn_table_turn(struct sj_fn_table *t) { sj_fn_regexes_turn(&t->regexes); }

const struct sj_fn_row *sj_fn_find(const struct sj_fn_table *t, struct sj_slice name)
{
	uint32_t lo = 0, hi = SJ_FN_COUNT;
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		int order = sj_slice_cmp(name, sj_slice_of(t->rows[mid].name));
		if (order == 0)
			return &t->rows[mid];
		if (order < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

const struct sj_function *sj_fn_impl(void *table, enum sj_version v, struct sj_slice name)
{
	const struct sj_fn_row *row = sj_fn_find(table, name);
	return !row ? NULL : v == SJ_V10 ? &row->fn_v10 : &row->fn_v09;
}

const struct sj_fn_source *sj_fn_source(const struct sj_fn_row *row)
{
	struct sj_fn_table *t = row->fn_v09.ctx;
	return &SOURCES[row - t->rows];
}

/* ---- what rows share --------------------------------------------------------------------------------------------- */

enum sj_result sj_fn_fault(struct sj_call *c, const char *format, ...)
{
	char message[sizeof c->diag->message];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	sj_diag_set(c->diag, SJ_INVALID, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION, "%s", message);
	return SJ_R_ERROR;
}

enum sj_result sj_fn_no_memory(struct sj_call *c)
{
	sj_diag_set(c->diag, SJ_NOMEM, SJ_E_NOMEM, SJ_CAT_EXPRESSION, "Out of memory while a function runs");
	return SJ_R_ERROR;
}

enum sj_result sj_fn_give_text(struct sj_call *c, struct sj_slice text, struct sj_value *out)
{
	return sj_value_string(c->mem, text, out) == SJ_OK ? SJ_R_OK : sj_fn_no_memory(c);
}

struct sj_buf *sj_fn_scratch(struct sj_call *c)
{
	struct sj_fn_table *t = c->ctx;
	sj_buf_clear(&t->scratch);
	return &t->scratch;
}

enum sj_result sj_fn_give_scratch(struct sj_call *c, struct sj_value *out)
{
	struct sj_fn_table *t = c->ctx;
	enum sj_result r = sj_buf_status(&t->scratch) == SJ_OK ? sj_fn_give_text(c, sj_buf_view(&t->scratch), out)
	                                                        : sj_fn_no_memory(c);
	if (t->scratch.cap > KEPT_BYTES)
		sj_buf_finish(&t->scratch);
	return r;
}

const struct sj_value *sj_fn_arg(const struct sj_call *c, uint32_t i)
{
	static const struct sj_value ABSENT = {.type = SJ_V_ABSENT};
	return i < c->nargs ? &c->args[i] : &ABSENT;
}

bool sj_fn_text_arg(struct sj_call *c, const struct sj_value *v, struct sj_slice *text)
{
	if (sj_value_is_string(v)) {
		*text = sj_value_text(v);
		return true;
	}
	if (sj_value_is_container(v))
		return false;
	struct sj_buf *b = sj_fn_scratch(c);
	sj_a2ui_text(v, b);
	*text = b->len ? sj_buf_view(b) : SJ_LIT("");
	return true;
}

static bool is_blank(struct sj_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] != ' ' && !(s.ptr[i] >= '\t' && s.ptr[i] <= '\r'))
			return false;
	return true;
}

enum sj_fn_number sj_fn_number_arg(const struct sj_value *v, double *number)
{
	switch ((enum sj_value_type)v->type) {
	case SJ_V_ABSENT:
		return SJ_FN_NUMBER_ABSENT;
	case SJ_V_NULL:
	case SJ_V_FALSE:
	case SJ_V_TRUE:
		*number = v->type == SJ_V_TRUE;
		return SJ_FN_NUMBER_OK;
	case SJ_V_INT:
	case SJ_V_DOUBLE:
		*number = sj_value_double(v);
		return SJ_FN_NUMBER_OK;
	case SJ_V_SHORT:
	case SJ_V_STRING:
		if (sj_num_parse_loose(sj_value_text(v), number))
			return SJ_FN_NUMBER_OK;
		*number = 0;
		return is_blank(sj_value_text(v)) ? SJ_FN_NUMBER_OK : SJ_FN_NUMBER_BAD;
	case SJ_V_ARRAY:
	case SJ_V_OBJECT:
		break;
	}
	return SJ_FN_NUMBER_BAD;
}

/* ---- direct evaluation ------------------------------------------------------------------------------------------- */

static uint32_t param_index(const struct sj_fn_row *row, struct sj_slice name)
{
	uint32_t i = 0;
	while (row->params[i] && !sj_slice_is(name, row->params[i]))
		i++;
	return i;
}

enum sj_result sj_fn_call_named(struct sj_fn_table *t, struct sj_call *call, enum sj_version v, struct sj_slice name,
                                const struct sj_slice *names, const struct sj_value *values, uint32_t n, bool strict,
                                struct sj_value *out)
{
	const struct sj_fn_row *row = sj_fn_find(t, name);
	if (!row)
		return sj_fn_fault(call, "Unrecognized function '%.*s'", SJ_ARG(name));
	struct sj_value args[SJ_FN_MAX_PARAMS];
	uint32_t given = 0, count = 0;
	for (; row->params[count]; count++)
		args[count] = SJ_ABSENT_VALUE;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = param_index(row, names[i]);
		if (at < count) {
			args[at] = values[i];
			given |= 1u << at;
		} else if (strict) {
			return sj_fn_fault(call, "Function '%s' has no argument '%.*s'", row->name, SJ_ARG(names[i]));
		}
	}
	uint32_t missing = sj_fn_source(row)->required & ~given;
	for (uint32_t i = 0; i < count; i++)
		if (missing & 1u << i)
			return sj_fn_fault(call, "Function '%s' needs the argument '%s'", row->name, row->params[i]);
	const struct sj_function *f = v == SJ_V10 ? &row->fn_v10 : &row->fn_v09;
	if (!f->eval)
		return sj_fn_fault(call, "Function '%s' acts: it never runs inside a value", row->name);
	call->args = args;
	call->nargs = count;
	call->ctx = t;
	return f->eval(call, out);
}

static enum sj_result open_url(struct sj_call *call, const struct sj_value *args_object, struct sj_value *out)
{
	const struct sj_value *url = args_object ? sj_value_get(args_object, SJ_LIT("url")) : NULL;
	if (!url || !sj_value_is_string(url))
		return sj_fn_fault(call, "Function 'openUrl' needs the argument 'url', a string");
	struct sj_slice text = sj_value_text(url);
	if (!sj_a2ui_url_allowed(text))
		return sj_fn_fault(call, "Unsupported URL scheme or form: '%.*s' (only complete http and https addresses are opened)",
		                   text.len > 200 ? 200 : (int)text.len, text.ptr);
	*out = SJ_NULL_VALUE; /* nothing is opened here: that is a tool call */
	return SJ_R_OK;
}

enum sj_result sj_fn_evaluate(struct sj_fn_table *t, struct sj_mem *mem, enum sj_version v, struct sj_slice name,
                              const struct sj_value *args_object, struct sj_value *out, struct sj_diag *diag)
{
	struct sj_call call = {.mem = mem, .ctx = t, .diag = diag};
	uint32_t n = args_object && args_object->type == SJ_V_OBJECT ? sj_value_count(args_object) : 0;
	if (sj_slice_is(name, "openUrl"))
		return open_url(&call, n ? args_object : NULL, out);
	const struct sj_value *text = n ? sj_value_get(args_object, SJ_LIT("value")) : NULL;
	if (text && sj_value_is_string(text) && sj_slice_is(name, "formatString"))
		return sj_fn_template(t, mem, v, sj_value_text(text), out, diag);
	/* Only the declared members are looked at, so their number bounds the copy. */
	const struct sj_fn_row *row = sj_fn_find(t, name);
	struct sj_slice names[SJ_FN_MAX_PARAMS];
	struct sj_value values[SJ_FN_MAX_PARAMS];
	uint32_t given = 0;
	for (uint32_t i = 0; n && row && row->params[i]; i++) {
		const struct sj_value *value = sj_value_get(args_object, sj_slice_of(row->params[i]));
		if (!value)
			continue;
		names[given] = sj_slice_of(row->params[i]);
		values[given++] = *value;
	}
	struct sj_value result;
	enum sj_result r = sj_fn_call_named(t, &call, v, name, names, values, given, false, &result);
	if (r != SJ_R_OK)
		return r;
	/* A ValidationResult belongs to checks; whoever calls directly gets the verdict. */
	if (result.type == SJ_V_OBJECT) {
		bool valid = sj_a2ui_truthy_v10(&result);
		sj_value_unref(mem, result);
		result = sj_value_bool(valid);
	}
	*out = result;
	return SJ_R_OK;
}
