/* Rules and logic: required regex length numeric email, and or not. Nothing here fails because data has not arrived:
 * text that is absent or null is the empty text the person sees, a number that is absent is no number. */
#include "a2ui/fn_internal.h"
#include "base/num.h"
#include "base/utf.h"

static enum sj_result give(bool b, struct sj_value *out)
{
	*out = sj_value_bool(b);
	return SJ_R_OK;
}

enum sj_result sj_fn_required(struct sj_call *c, struct sj_value *out)
{
	const struct sj_value *v = sj_fn_arg(c, 0);
	bool empty = v->type <= SJ_V_NULL || (sj_value_is_string(v) && sj_value_text(v).len == 0)
	             || (v->type == SJ_V_ARRAY && sj_value_count(v) == 0);
	return give(!empty, out);
}

enum sj_result sj_fn_regex(struct sj_call *c, struct sj_value *out)
{
	struct sj_fn_table *t = c->ctx;
	const struct sj_value *pattern = sj_fn_arg(c, 1);
	struct sj_slice text;
	if (pattern->type <= SJ_V_NULL)
		return give(false, out);
	if (!sj_value_is_string(pattern))
		return sj_fn_fault(c, "Function 'regex' needs 'pattern' as a string");
	if (!sj_fn_text_arg(c, sj_fn_arg(c, 0), &text))
		return sj_fn_fault(c, "Function 'regex' needs 'value' as text, not as a list or object");
	bool found = false;
	sj_fn_regexes_own(&t->regexes, c->surface);
	switch (sj_fn_regexes_search(&t->regexes, sj_value_text(pattern), text, &found, c->diag)) {
	case SJ_OK:
		return give(found, out);
	case SJ_NOMEM:
	case SJ_MORE:
	case SJ_ABSENT:
	case SJ_INVALID:
	case SJ_LIMIT:
		break;
	}
	return SJ_R_ERROR;
}

/* A bound: absent or null is none. SJ_R_ERROR when it is no number. */
static enum sj_result bound(struct sj_call *c, const char *function, uint32_t i, const char *name, bool *has,
                            double *number)
{
	const struct sj_value *v = sj_fn_arg(c, i);
	*has = v->type > SJ_V_NULL;
	if (*has && sj_fn_number_arg(v, number) != SJ_FN_NUMBER_OK)
		return sj_fn_fault(c, "Function '%s' needs '%s' as a number", function, name);
	return SJ_R_OK;
}

struct range {
	bool has_min, has_max;
	double min, max;
};

static enum sj_result range_of(struct sj_call *c, const char *function, struct range *r)
{
	*r = (struct range){0};
	enum sj_result s = bound(c, function, 1, "min", &r->has_min, &r->min);
	return s == SJ_R_OK ? bound(c, function, 2, "max", &r->has_max, &r->max) : s;
}

static bool within(const struct range *r, double v)
{
	return !(r->has_min && v < r->min) && !(r->has_max && v > r->max);
}

static bool is_count(bool has, double v)
{
	return !has || (v >= 0 && v <= 9007199254740991.0 && v == (double)(int64_t)v);
}

enum sj_result sj_fn_length(struct sj_call *c, struct sj_value *out)
{
	const struct sj_value *v = sj_fn_arg(c, 0);
	struct range r;
	if (range_of(c, "length", &r) != SJ_R_OK)
		return SJ_R_ERROR;
	if (!is_count(r.has_min, r.min) || !is_count(r.has_max, r.max))
		return sj_fn_fault(c, "Function 'length' needs 'min' and 'max' as whole numbers, 0 or more");
	if (v->type == SJ_V_ARRAY)
		return give(within(&r, sj_value_count(v)), out);
	struct sj_slice text;
	if (!sj_fn_text_arg(c, v, &text))
		return sj_fn_fault(c, "Function 'length' needs 'value' as text or a list, not as an object");
	return give(within(&r, (double)sj_utf16_count(text)), out);
}

enum sj_result sj_fn_numeric(struct sj_call *c, struct sj_value *out)
{
	const struct sj_value *v = sj_fn_arg(c, 0);
	struct range r;
	if (range_of(c, "numeric", &r) != SJ_R_OK)
		return SJ_R_ERROR;
	double number;
	if (sj_value_is_number(v))
		number = sj_value_double(v);
	else if (!sj_value_is_string(v) || !sj_num_parse_loose(sj_value_text(v), &number))
		return give(false, out);
	return give(within(&r, number), out);
}

/* ---- email ------------------------------------------------------------------------------------------------------- */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_domain_char(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '.' || c == '-'; }
static bool is_local_char(char c) { return is_domain_char(c) || c == '_' || c == '%' || c == '+'; }

/* ^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$ (fixed by the suite), read from the end: the last label has letters
 * only, so the dot before it is the last dot. */
static bool is_email(struct sj_slice s)
{
	size_t at = 0, end = s.len, tld = s.len;
	while (at < end && is_local_char(s.ptr[at]))
		at++;
	if (at == 0 || at == end || s.ptr[at] != '@')
		return false;
	size_t domain = at + 1;
	while (tld > domain && is_letter(s.ptr[tld - 1]))
		tld--;
	if (end - tld < 2 || tld < domain + 2 || s.ptr[tld - 1] != '.')
		return false;
	for (size_t i = domain; i < tld; i++)
		if (!is_domain_char(s.ptr[i]))
			return false;
	return true;
}

static enum sj_result check_email(struct sj_call *c, bool *valid)
{
	struct sj_slice text;
	if (!sj_fn_text_arg(c, sj_fn_arg(c, 0), &text))
		return sj_fn_fault(c, "Function 'email' needs 'value' as text, not as a list or object");
	*valid = is_email(text);
	return SJ_R_OK;
}

enum sj_result sj_fn_email_v09(struct sj_call *c, struct sj_value *out)
{
	bool valid;
	return check_email(c, &valid) == SJ_R_OK ? give(valid, out) : SJ_R_ERROR;
}

static enum sj_status set_text(struct sj_mem *m, struct sj_value *object, const char *key, const char *text)
{
	struct sj_value v;
	enum sj_status s = sj_value_string(m, sj_slice_of(text), &v);
	return s == SJ_OK ? sj_value_set(m, object, sj_slice_of(key), v) : s;
}

/* A ValidationResult that says no. */
static enum sj_result refuse(struct sj_call *c, const char *code, const char *message, struct sj_value *out)
{
	struct sj_value v;
	enum sj_status s = sj_value_object(c->mem, &v);
	if (s != SJ_OK)
		return sj_fn_no_memory(c);
	s = sj_value_set(c->mem, &v, SJ_LIT("valid"), sj_value_bool(false));
	if (s == SJ_OK)
		s = set_text(c->mem, &v, "code", code);
	if (s == SJ_OK)
		s = set_text(c->mem, &v, "message", message);
	if (s == SJ_OK)
		s = set_text(c->mem, &v, "severity", "error");
	if (s != SJ_OK) {
		sj_value_unref(c->mem, v);
		return sj_fn_no_memory(c);
	}
	*out = v;
	return SJ_R_OK;
}

enum sj_result sj_fn_email_v10(struct sj_call *c, struct sj_value *out)
{
	bool valid;
	if (check_email(c, &valid) != SJ_R_OK)
		return SJ_R_ERROR;
	return valid ? give(true, out)
	             : refuse(c, "INVALID_EMAIL", "Please enter a valid email address (e.g. user@example.com).", out);
}

/* ---- logic ------------------------------------------------------------------------------------------------------- */

/* true when an item's truth is `wanted`. */
static enum sj_result any(struct sj_call *c, const char *function, bool (*truthy)(const struct sj_value *), bool wanted,
                          bool *found)
{
	const struct sj_value *values = sj_fn_arg(c, 0);
	*found = false;
	if (values->type <= SJ_V_NULL) {
		*found = !wanted; /* nothing there: neither `and` nor `or` holds */
		return SJ_R_OK;
	}
	if (values->type != SJ_V_ARRAY || sj_value_count(values) < 2)
		return sj_fn_fault(c, "Function '%s' needs 'values' as a list of at least 2", function);
	uint32_t n = sj_value_count(values);
	for (uint32_t i = 0; i < n && !*found; i++)
		*found = truthy(sj_value_item(values, i)) == wanted;
	return SJ_R_OK;
}

static enum sj_result and_(struct sj_call *c, bool (*truthy)(const struct sj_value *), struct sj_value *out)
{
	bool found;
	return any(c, "and", truthy, false, &found) == SJ_R_OK ? give(!found, out) : SJ_R_ERROR;
}

static enum sj_result or_(struct sj_call *c, bool (*truthy)(const struct sj_value *), struct sj_value *out)
{
	bool found;
	return any(c, "or", truthy, true, &found) == SJ_R_OK ? give(found, out) : SJ_R_ERROR;
}

enum sj_result sj_fn_and_v09(struct sj_call *c, struct sj_value *out) { return and_(c, sj_a2ui_truthy_v09, out); }
enum sj_result sj_fn_and_v10(struct sj_call *c, struct sj_value *out) { return and_(c, sj_a2ui_truthy_v10, out); }
enum sj_result sj_fn_or_v09(struct sj_call *c, struct sj_value *out) { return or_(c, sj_a2ui_truthy_v09, out); }
enum sj_result sj_fn_or_v10(struct sj_call *c, struct sj_value *out) { return or_(c, sj_a2ui_truthy_v10, out); }
enum sj_result sj_fn_not_v09(struct sj_call *c, struct sj_value *out)
{
	return give(!sj_a2ui_truthy_v09(sj_fn_arg(c, 0)), out);
}
enum sj_result sj_fn_not_v10(struct sj_call *c, struct sj_value *out)
{
	return give(!sj_a2ui_truthy_v10(sj_fn_arg(c, 0)), out);
}
