/* The tokens of a Vertical statement, and the text of its strings. */
#include "base/utf.h"
#include "infer/vertical.h"

static char byte(struct sj_slice t, size_t at) { return at < t.len ? t.ptr[at] : 0; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* A run that no sign ends: bytes of a URL, a colour, a hyphenated word. */
static bool is_bare(struct sj_slice t, size_t at)
{
	char c = byte(t, at);
	return at < t.len && !is_space(c) && !sj_vertical_in("()[]{},;=\"'`<>", c) && sj_vertical_curly(t, at) == 0;
}

static size_t skip_comment(struct sj_slice t, size_t at)
{
	char c = byte(t, at), next = byte(t, at + 1);
	if (c == '/' && next == '*') {
		for (at += 2; at < t.len; at++)
			if (t.ptr[at] == '*' && byte(t, at + 1) == '/')
				return at + 2;
		return at;
	}
	bool line = (c == '#' && (at == 0 || is_space(t.ptr[at - 1]) || sj_vertical_in(",([{", t.ptr[at - 1]))) ||
	            (c == '/' && next == '/' && (at == 0 || t.ptr[at - 1] != ':'));
	while (line && at < t.len && t.ptr[at] != '\n')
		at++;
	return at;
}

static void take_path(struct sj_vertical *v, struct sj_vertical_token *t)
{
	struct sj_slice text = v->text;
	size_t at = t->at + 1;
	bool braced = byte(text, at) == '{'; /* ${/a}, as within a template */
	at += braced;
	t->kind = SJ_VT_PATH;
	if (!braced && sj_vertical_opens(v, at, true, &t->s) == SJ_YES && byte(text, at) != 'r' &&
	    byte(text, at) != 'R') {
		sj_vertical_closes(v, true, &t->s);
		t->from = t->s.from;
		t->to = t->s.to;
		t->end = t->s.next;
		return;
	}
	t->from = at;
	while (is_bare(text, at) && byte(text, at) != ':')
		at++;
	t->to = at;
	t->end = at + (braced && byte(text, at) == '}');
}

/* Digits and what usually stands among them; what it means is judged by its text. */
static bool take_number(struct sj_slice text, struct sj_vertical_token *t)
{
	size_t at = t->at;
	at += byte(text, at) == '-' || byte(text, at) == '+';
	if (!is_digit(byte(text, at)) && !(byte(text, at) == '.' && is_digit(byte(text, at + 1))))
		return false;
	while (is_digit(byte(text, at)) || byte(text, at) == '.')
		at++;
	if ((byte(text, at) == 'e' || byte(text, at) == 'E') &&
	    (is_digit(byte(text, at + 1)) ||
	     ((byte(text, at + 1) == '-' || byte(text, at + 1) == '+') && is_digit(byte(text, at + 2)))))
		for (at += 2; is_digit(byte(text, at));)
			at++;
	t->kind = SJ_VT_NUMBER;
	while (is_bare(text, at) && byte(text, at) != ':') {
		t->kind = SJ_VT_BARE; /* 10px, 2026-01-01 */
		at++;
	}
	t->from = t->at;
	t->to = t->end = at;
	return true;
}

void sj_vertical_token(struct sj_vertical *v, size_t at, struct sj_vertical_token *t)
{
	struct sj_slice text = v->text;
	size_t from = at;
	*t = (struct sj_vertical_token){.kind = SJ_VT_END};
	for (;;) {
		while (is_space(byte(text, at)))
			at++;
		size_t behind = skip_comment(text, at);
		if (behind == at)
			break;
		t->comment = t->commented ? t->comment : at;
		t->commented = true;
		at = behind;
	}
	if (at >= text.len) {
		t->at = t->end = from; /* the end of what there was */
		return;
	}
	t->at = t->end = at;
	char c = text.ptr[at];
	if (c == '$') {
		take_path(v, t);
		return;
	}
	if (sj_vertical_opens(v, at, true, &t->s) == SJ_YES) {
		t->s.plain = v->in_tag;
		sj_vertical_closes(v, true, &t->s);
		t->kind = SJ_VT_STRING;
		t->from = t->s.from;
		t->to = t->s.to;
		t->end = t->s.next;
		return;
	}
	if (take_number(text, t))
		return;
	if (sj_vertical_is_name(text, at, true)) {
		while (sj_vertical_is_name(text, t->end, false))
			t->end++;
		t->kind = SJ_VT_NAME;
		/* key:value is two things, https://... is one. */
		bool url = byte(text, t->end) == ':' && byte(text, t->end + 1) == '/' && byte(text, t->end + 2) == '/';
		if (url || (byte(text, t->end) != ':' && byte(text, t->end) != '/' && is_bare(text, t->end))) {
			t->kind = SJ_VT_BARE;
			while (is_bare(text, t->end) || (url && byte(text, t->end) == '='))
				t->end++;
		}
	} else if (sj_vertical_in("()[]{},;=:?<>/", c)) {
		t->kind = SJ_VT_SIGN;
		t->sign = c;
		t->end = at + 1;
	} else {
		t->kind = SJ_VT_BARE;
		do
			t->end++;
		while (is_bare(text, t->end));
	}
	t->from = t->at;
	t->to = t->end;
}

/* ---- text of strings --------------------------------------------------------------------------------------------- */

static int hex4(struct sj_slice s, size_t at)
{
	int n = 0;
	for (size_t i = at; i < at + 4; i++) {
		char c = byte(s, i);
		int d = c >= '0' && c <= '9'   ? c - '0'
		        : c >= 'a' && c <= 'f' ? c - 'a' + 10
		        : c >= 'A' && c <= 'F' ? c - 'A' + 10
		                               : -1;
		if (d < 0)
			return -1;
		n = n * 16 + d;
	}
	return n;
}

/* The escape at the backslash; returns the bytes it takes. What is none stays as it is. */
static size_t put_escape(struct sj_slice s, size_t at, struct sj_buf *out)
{
	static const char names[] = "ntrbf\"'\\/`$", means[] = "\n\t\r\b\f\"'\\/`$";
	char c = byte(s, at + 1);
	const char *known = c ? sj_vertical_in(names, c) : NULL;
	if (known) {
		sj_buf_putc(out, means[known - names]);
		return 2;
	}
	if (c == '\n') /* a line goes on */
		return 2;
	int unit = c == 'u' ? hex4(s, at + 2) : -1;
	if (unit < 0) {
		sj_buf_putc(out, '\\');
		return 1;
	}
	int low = unit >= 0xD800 && unit < 0xDC00 && byte(s, at + 6) == '\\' && byte(s, at + 7) == 'u'
	                  ? hex4(s, at + 8)
	                  : -1;
	if (low >= 0xDC00 && low < 0xE000) {
		sj_buf_code(out, 0x10000u + (((uint32_t)unit & 0x3FFu) << 10 | ((uint32_t)low & 0x3FFu)));
		return 12;
	}
	sj_buf_code(out, unit >= 0xD800 && unit < 0xE000 ? 0xFFFDu : (uint32_t)unit);
	return 6;
}

static size_t put_entity(struct sj_slice s, size_t at, struct sj_buf *out)
{
	static const struct {
		const char *name;
		char means;
	} known[] = {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&#39;", '\''}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (sj_slice_starts(sj_slice(s.ptr + at, s.len - at), known[i].name)) {
			sj_buf_putc(out, known[i].means);
			return strlen(known[i].name);
		}
	sj_buf_putc(out, '&');
	return 1;
}

void sj_vertical_text(struct sj_slice text, const struct sj_vertical_token *t, bool entities, struct sj_buf *out)
{
	struct sj_slice s = sj_slice(text.ptr + t->from, t->to - t->from);
	bool raw = t->s.raw && t->kind == SJ_VT_STRING;
	for (size_t i = 0; i < s.len;) {
		if (entities && s.ptr[i] == '&') {
			i += put_entity(s, i, out);
		} else if (!entities && !raw && s.ptr[i] == '\\') {
			i += put_escape(s, i, out);
		} else {
			sj_buf_putc(out, s.ptr[i]);
			i++;
		}
	}
}
