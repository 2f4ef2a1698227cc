/* The value rules of the protocol: what a value is as text, number, boolean or verdict. */
#include "a2ui/functions.h"
#include "base/num.h"
#include "base/utf.h"

void sj_a2ui_text(const struct sj_value *v, struct sj_buf *out)
{
	char number[SJ_NUM_TEXT];
	switch ((enum sj_value_type)v->type) {
	case SJ_V_ABSENT:
	case SJ_V_NULL:
		return;
	case SJ_V_FALSE:
		sj_buf_puts(out, "false");
		return;
	case SJ_V_TRUE:
		sj_buf_puts(out, "true");
		return;
	case SJ_V_INT:
		sj_buf_put(out, number, sj_num_text_i64(v->u.i, number));
		return;
	case SJ_V_DOUBLE:
		sj_buf_put(out, number, sj_num_text(v->u.d, number));
		return;
	case SJ_V_SHORT:
	case SJ_V_STRING:
		sj_buf_slice(out, sj_value_text(v));
		return;
	case SJ_V_ARRAY:
	case SJ_V_OBJECT:
		sj_value_print(out, v, SJ_PRINT_COMPACT);
		return;
	}
}

bool sj_a2ui_truthy_v09(const struct sj_value *v)
{
	switch ((enum sj_value_type)v->type) {
	case SJ_V_ABSENT:
	case SJ_V_NULL:
	case SJ_V_FALSE:
		return false;
	case SJ_V_INT:
		return v->u.i != 0;
	case SJ_V_DOUBLE:
		return v->u.d < 0 || v->u.d > 0; /* neither 0 nor NaN */
	case SJ_V_SHORT:
	case SJ_V_STRING:
		return sj_value_text(v).len > 0;
	case SJ_V_TRUE:
	case SJ_V_ARRAY:
	case SJ_V_OBJECT:
		break;
	}
	return true;
}

/* The `valid` of a ValidationResult; NULL for every other value. */
static const struct sj_value *verdict(const struct sj_value *v)
{
	if (v->type != SJ_V_OBJECT)
		return NULL;
	const struct sj_value *valid = sj_value_get(v, SJ_LIT("valid"));
	return valid && sj_value_is_bool(valid) ? valid : NULL;
}

bool sj_a2ui_truthy_v10(const struct sj_value *v)
{
	const struct sj_value *valid = verdict(v);
	return valid ? valid->type == SJ_V_TRUE : sj_a2ui_truthy_v09(v);
}

static bool is_true_word(struct sj_slice s)
{
	return s.len == 4 && (s.ptr[0] | 0x20) == 't' && (s.ptr[1] | 0x20) == 'r' && (s.ptr[2] | 0x20) == 'u'
	       && (s.ptr[3] | 0x20) == 'e';
}

bool sj_a2ui_to_bool(const struct sj_value *v)
{
	const struct sj_value *valid = verdict(v);
	if (valid)
		return valid->type == SJ_V_TRUE;
	if (sj_value_is_string(v))
		return is_true_word(sj_value_text(v));
	return !sj_value_is_container(v) && sj_a2ui_truthy_v09(v);
}

double sj_a2ui_to_number(const struct sj_value *v)
{
	double number;
	if (sj_value_is_number(v))
		return sj_value_double(v);
	if (sj_value_is_string(v) && sj_num_parse_loose(sj_value_text(v), &number))
		return number;
	return v->type == SJ_V_TRUE ? 1 : 0;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

void sj_a2ui_check_v09(enum sj_result r, const struct sj_value *v, bool *valid, enum sj_severity *sev,
                       const struct sj_value **result)
{
	*valid = r == SJ_R_OK && sj_a2ui_truthy_v09(v);
	*sev = SJ_SEV_ERROR;
	*result = NULL;
}

/* A severity that is no known word counts as an error: the stricter reading of what someone misspelt. */
static enum sj_severity severity_of(const struct sj_value *v)
{
	const struct sj_value *s = sj_value_get(v, SJ_LIT("severity"));
	if (!s || !sj_value_is_string(s))
		return SJ_SEV_ERROR;
	struct sj_slice word = sj_value_text(s);
	return sj_slice_is(word, "warning") ? SJ_SEV_WARNING : sj_slice_is(word, "info") ? SJ_SEV_INFO : SJ_SEV_ERROR;
}

void sj_a2ui_check_v10(enum sj_result r, const struct sj_value *v, bool *valid, enum sj_severity *sev,
                       const struct sj_value **result)
{
	sj_a2ui_check_v09(r, v, valid, sev, result);
	const struct sj_value *said = r == SJ_R_OK ? verdict(v) : NULL;
	if (!said)
		return;
	*valid = said->type == SJ_V_TRUE;
	*sev = severity_of(v);
	*result = v;
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

static bool takes(struct sj_slice *s, const char *prefix)
{
	size_t n = strlen(prefix);
	if (s->len < n)
		return false;
	for (size_t i = 0; i < n; i++) {
		char c = s->ptr[i];
		if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != prefix[i])
			return false;
	}
	*s = (struct sj_slice){s->ptr + n, s->len - n};
	return true;
}

/* Code points that nobody sees, or that turn the order in which others are shown: the person would agree to another
 * address than the one that is opened. */
static bool is_unseen(uint32_t c)
{
	return c <= ' ' || (c >= 0x7F && c <= 0xA0) || c == 0xAD || c == 0x61C || (c >= 0x200B && c <= 0x200F) ||
	       (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
	       (c >= 0xE0000 && c <= 0xE007F);
}

bool sj_a2ui_url_allowed(struct sj_slice url)
{
	/* Readers of addresses skip control characters and turn '\' into '/', so that what is checked and what is
	 * opened could differ. */
	for (size_t at = 0; at < url.len;) {
		uint32_t c = sj_utf8_next(url, &at);
		if (is_unseen(c) || c == '\\')
			return false;
	}
	if (!takes(&url, "http://") && !takes(&url, "https://"))
		return false;
	if (url.len == 0 || strchr("/?#:@", url.ptr[0])) /* a host begins here */
		return false;
	/* https://bank.example@evil.example/ shows one host and opens another; credentials are not an agent's to send.
	 */
	for (size_t i = 0; i < url.len && !strchr("/?#", url.ptr[i]); i++)
		if (url.ptr[i] == '@')
			return false;
	return true;
}
