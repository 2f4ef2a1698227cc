/* Text for a person: formatNumber formatCurrency formatDate pluralize, and capitalize of the minimal catalog. What has
 * not arrived (ABSENT) stays absent, so that a text shows nothing yet and the agent hears of no error. */
#include "a2ui/fn_internal.h"
#include "a2ui/letter_case.h"
#include "base/num.h"
#include "base/utf.h"

enum { MAX_DECIMALS = 100 /* as ECMA-402 */, SHOWN_BYTES = 60 };

/* ---- locale and options ------------------------------------------------------------------------------------------ */

/* The two arguments behind the declared ones, as C strings; a name too long for any locale counts as none. */
struct place {
	char locale[SJ_FN_LOCALE_BYTES], zone[SJ_FN_LOCALE_BYTES];
	const struct sj_locale_ops *ops;
};

static void copy_name(char out[SJ_FN_LOCALE_BYTES], const struct sj_value *v, const char *otherwise)
{
	struct sj_slice s = sj_value_text(v);
	if (s.len == 0 || s.len >= SJ_FN_LOCALE_BYTES || memchr(s.ptr, '\0', s.len))
		s = sj_slice_of(otherwise);
	memcpy(out, s.ptr, s.len);
	out[s.len] = '\0';
}

static void place_of(const struct sj_call *c, uint32_t declared, struct place *p)
{
	const struct sj_fn_table *t = c->ctx;
	copy_name(p->locale, sj_fn_arg(c, declared), "en");
	copy_name(p->zone, sj_fn_arg(c, declared + 1), "UTC");
	p->ops = sj_locale_for(&t->locales, p->locale);
}

static enum sj_result not_a_number(struct sj_call *c, const char *function, const char *name)
{
	return sj_fn_fault(c, "Function '%s' needs '%s' as a number", function, name);
}

/* decimals < 0: not given. */
static enum sj_result options_of(struct sj_call *c, const char *function, uint32_t first, int *decimals, bool *grouping)
{
	const struct sj_value *d = sj_fn_arg(c, first), *g = sj_fn_arg(c, first + 1);
	double n;
	*decimals = -1;
	*grouping = g->type <= SJ_V_NULL || sj_a2ui_to_bool(g);
	if (d->type <= SJ_V_NULL)
		return SJ_R_OK;
	if (sj_fn_number_arg(d, &n) != SJ_FN_NUMBER_OK)
		return not_a_number(c, function, "decimals");
	if (!(n >= 0 && n < MAX_DECIMALS + 1))
		return sj_fn_fault(c, "Function '%s' needs 'decimals' between 0 and %d", function, MAX_DECIMALS);
	*decimals = (int)n;
	return SJ_R_OK;
}

/* ---- numbers and money ------------------------------------------------------------------------------------------- */

static enum sj_result absent(struct sj_value *out)
{
	*out = SJ_ABSENT_VALUE;
	return SJ_R_ABSENT;
}

enum sj_result sj_fn_format_number(struct sj_call *c, struct sj_value *out)
{
	double v;
	int decimals;
	bool grouping;
	enum sj_fn_number kind = sj_fn_number_arg(sj_fn_arg(c, 0), &v);
	if (kind == SJ_FN_NUMBER_ABSENT)
		return absent(out);
	if (kind == SJ_FN_NUMBER_BAD)
		return not_a_number(c, "formatNumber", "value");
	if (options_of(c, "formatNumber", 1, &decimals, &grouping) != SJ_R_OK)
		return SJ_R_ERROR;
	struct place p;
	place_of(c, 3, &p);
	struct sj_buf *b = sj_fn_scratch(c);
	enum sj_status s = p.ops->number(p.ops->ctx, p.locale, v, decimals, grouping, b);
	if (s == SJ_NOMEM)
		return sj_fn_no_memory(c);
	return s == SJ_OK ? sj_fn_give_scratch(c, out)
	                  : sj_fn_fault(c, "Function 'formatNumber' cannot show this number");
}

enum sj_result sj_fn_format_currency(struct sj_call *c, struct sj_value *out)
{
	double v;
	int decimals;
	bool grouping;
	const struct sj_value *code = sj_fn_arg(c, 1);
	enum sj_fn_number kind = sj_fn_number_arg(sj_fn_arg(c, 0), &v);
	if (kind == SJ_FN_NUMBER_BAD)
		return not_a_number(c, "formatCurrency", "value");
	if (code->type > SJ_V_NULL && !sj_value_is_string(code))
		return sj_fn_fault(c, "Function 'formatCurrency' needs 'currency' as a string");
	struct sj_slice name = sj_value_text(code);
	if (kind == SJ_FN_NUMBER_ABSENT || name.len == 0) /* an amount without a currency would be a lie */
		return absent(out);
	if (options_of(c, "formatCurrency", 2, &decimals, &grouping) != SJ_R_OK)
		return SJ_R_ERROR;
	struct place p;
	place_of(c, 4, &p);
	struct sj_buf *b = sj_fn_scratch(c);
	enum sj_status s = p.ops->currency(p.ops->ctx, p.locale, v, name, decimals, grouping, b);
	if (s == SJ_NOMEM)
		return sj_fn_no_memory(c);
	if (s == SJ_OK)
		return sj_fn_give_scratch(c, out);
	return sj_fn_fault(c, "Function 'formatCurrency': '%.*s' is no ISO 4217 currency code (three letters, e.g. USD)",
	                   (int)sj_utf8_cut(name, SHOWN_BYTES), name.ptr);
}

/* ---- dates ------------------------------------------------------------------------------------------------------- */

/* ISO 8601 as agents and databases write it: a blank for the T (RFC 3339 allows it), a month or a year alone. */
static bool moment_of_text(struct sj_slice s, struct sj_moment *when)
{
	static const char FIRST[] = "0000-01-01";
	char full[40];
	if (s.len > 10 && s.len <= sizeof full && s.ptr[10] == ' ') {
		memcpy(full, s.ptr, s.len);
		full[10] = 'T';
		s.ptr = full;
	} else if (s.len == 4 || (s.len == 7 && s.ptr[4] == '-')) {
		memcpy(full, s.ptr, s.len);
		memcpy(full + s.len, FIRST + s.len, 10 - s.len);
		s = (struct sj_slice){full, 10};
	}
	return sj_moment_parse(s, when);
}

/* false: no date, or none the calendar has. */
static bool moment_of(const struct sj_value *v, struct sj_moment *when)
{
	if (sj_value_is_string(v))
		return moment_of_text(sj_value_text(v), when);
	double ms = sj_value_double(v);
	return ms >= -9e15 && ms <= 9e15 && sj_moment_from_ms((int64_t)ms, when);
}

static int32_t two_digits(const char *p) { return (p[0] - '0') * 10 + (p[1] - '0'); }

/* How far the zone is from UTC at a civil time: asked of the provider by way of its own pattern letter, since only it
 * knows. */
static enum sj_status offset_ms(struct sj_call *c, const struct place *p, const struct sj_moment *when, int64_t *ms)
{
	struct sj_buf *b = sj_fn_scratch(c);
	enum sj_status s = p->ops->date(p->ops->ctx, p->locale, p->zone, when, SJ_LIT("xxx"), b);
	*ms = 0;
	if (s == SJ_NOMEM)
		return s;
	if (s == SJ_OK && b->len == 6 && b->ptr[3] == ':')
		*ms = (two_digits(b->ptr + 1) * 60 + two_digits(b->ptr + 4)) * INT64_C(60000) *
		      (b->ptr[0] == '-' ? -1 : 1);
	return SJ_OK;
}

static enum sj_result iso(struct sj_call *c, const struct place *p, const struct sj_moment *when, struct sj_value *out)
{
	int64_t ms = when->unix_ms, offset = 0;
	if (!when->has_date)
		return sj_fn_give_text(c, SJ_LIT(""), out);
	/* A time of day without a zone is the zone's; a date alone is the same day everywhere. */
	if (when->has_time && !when->has_zone && offset_ms(c, p, when, &offset) != SJ_OK)
		return sj_fn_no_memory(c);
	sj_moment_iso_utc(sj_fn_scratch(c), ms - offset);
	return sj_fn_give_scratch(c, out);
}

/* Has the pattern, outside quotes, a letter that is not about the time of day? */
static bool wants_date(struct sj_slice pattern)
{
	bool quoted = false;
	for (size_t i = 0; i < pattern.len; i++) {
		char ch = pattern.ptr[i];
		if (ch == '\'')
			quoted = !quoted;
		else if (!quoted && ((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z')) &&
		         !strchr("abBhHkKmsSA", ch))
			return true;
	}
	return false;
}

enum sj_result sj_fn_format_date(struct sj_call *c, struct sj_value *out)
{
	const struct sj_value *v = sj_fn_arg(c, 0), *format = sj_fn_arg(c, 1);
	struct sj_moment when;
	if (v->type > SJ_V_NULL && !sj_value_is_string(v) && !sj_value_is_number(v))
		return sj_fn_fault(c, "Function 'formatDate' needs 'value' as ISO 8601 text or milliseconds since 1970");
	if (format->type > SJ_V_NULL && !sj_value_is_string(format))
		return sj_fn_fault(c, "Function 'formatDate' needs 'format' as a string");
	if (v->type == SJ_V_ABSENT || format->type <= SJ_V_NULL)
		return absent(out);
	if (v->type == SJ_V_NULL || !moment_of(v, &when))
		return sj_fn_give_text(c, SJ_LIT(""), out);
	struct sj_slice pattern = sj_value_text(format);
	struct place p;
	place_of(c, 2, &p);
	if (sj_slice_is(pattern, "ISO"))
		return iso(c, &p, &when, out);
	if (!when.has_date && wants_date(pattern))
		return sj_fn_give_text(c, SJ_LIT(""), out);
	struct sj_buf *b = sj_fn_scratch(c);
	enum sj_status s = p.ops->date(p.ops->ctx, p.locale, p.zone, &when, pattern, b);
	if (s == SJ_NOMEM)
		return sj_fn_no_memory(c);
	if (s == SJ_OK)
		return sj_fn_give_scratch(c, out);
	return sj_fn_fault(c, "Function 'formatDate': '%.*s' is no date pattern (e.g. yyyy-MM-dd, d MMMM yyyy, h:mm a, ISO)",
	                   (int)sj_utf8_cut(pattern, SHOWN_BYTES), pattern.ptr);
}

/* ---- plurals ----------------------------------------------------------------------------------------------------- */

enum { ZERO = 1, ONE, TWO, FEW, MANY, OTHER, PLURAL_PARAMS }; /* positions of the arguments */

static bool is_given(const struct sj_call *c, uint32_t i) { return sj_fn_arg(c, i)->type > SJ_V_NULL; }

/* Which form of the count: 0, 1 and 2 by name first, whatever the language makes of them; then its category; then
 * `other`. */
static uint32_t form_of(const struct sj_call *c, const struct place *p, double v)
{
	static const uint8_t BY_CATEGORY[] = {
		[SJ_PLURAL_ZERO] = ZERO, [SJ_PLURAL_ONE] = ONE,   [SJ_PLURAL_TWO] = TWO,
		[SJ_PLURAL_FEW] = FEW,   [SJ_PLURAL_MANY] = MANY, [SJ_PLURAL_OTHER] = OTHER};
	if (v >= 0 && v <= 2 && v == (double)(int)v && is_given(c, ZERO + (uint32_t)v))
		return ZERO + (uint32_t)v;
	uint32_t form = BY_CATEGORY[p->ops->plural(p->ops->ctx, p->locale, v)];
	return is_given(c, form) ? form : OTHER;
}

enum sj_result sj_fn_pluralize(struct sj_call *c, struct sj_value *out)
{
	double v;
	enum sj_fn_number kind = sj_fn_number_arg(sj_fn_arg(c, 0), &v);
	if (kind == SJ_FN_NUMBER_ABSENT)
		return absent(out);
	if (kind == SJ_FN_NUMBER_BAD)
		return not_a_number(c, "pluralize", "value");
	struct place p;
	place_of(c, PLURAL_PARAMS, &p);
	const struct sj_value *form = sj_fn_arg(c, form_of(c, &p, v));
	if (form->type == SJ_V_ABSENT)
		return absent(out);
	if (sj_value_is_string(form)) { /* shared, not copied */
		*out = sj_value_ref(*form);
		return SJ_R_OK;
	}
	struct sj_slice text;
	if (!sj_fn_text_arg(c, form, &text))
		return sj_fn_fault(c, "Function 'pluralize' needs its forms as text");
	return sj_fn_give_text(c, text, out);
}

/* ---- capitalize -------------------------------------------------------------------------------------------------- */

enum sj_result sj_fn_capitalize(struct sj_call *c, struct sj_value *out)
{
	const struct sj_value *v = sj_fn_arg(c, 0);
	char spelled[SJ_NUM_TEXT]; /* of a number or boolean, moved out of scratch, which the result needs */
	struct sj_slice text;
	if (v->type == SJ_V_ABSENT)
		return absent(out);
	if (!sj_fn_text_arg(c, v, &text))
		return sj_fn_fault(c, "Function 'capitalize' needs 'value' as text, not as a list or object");
	if (!sj_value_is_string(v)) {
		memcpy(spelled, text.ptr, text.len);
		text.ptr = spelled;
	}
	size_t at = 0;
	uint32_t first = text.len ? sj_utf8_next(text, &at) : 0, upper = sj_upper(first);
	if (upper == first && sj_value_is_string(v)) {
		*out = sj_value_ref(*v);
		return SJ_R_OK;
	}
	struct sj_buf *b = sj_fn_scratch(c);
	if (upper != first)
		sj_buf_code(b, upper);
	sj_buf_put(b, text.ptr + (upper != first ? at : 0), text.len - (upper != first ? at : 0));
	return sj_fn_give_scratch(c, out);
}
