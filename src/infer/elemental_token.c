/* Tags, attributes, entities and comments. What HTML leaves to the author (case of names, quotes, blanks) is left to
 * the author here; what it leaves open at the end of the text is a fault. */
#include "infer/elemental_token.h"

#include <string.h>

#include "base/utf.h"

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; }

static bool starts(const struct sj_scanner *s, const char *word)
{
	size_t n = strlen(word);
	return s->text.len - s->at >= n && memcmp(s->text.ptr + s->at, word, n) == 0;
}

static void advance(struct sj_scanner *s, size_t to)
{
	for (; s->at < to; s->at++)
		s->line += s->text.ptr[s->at] == '\n';
}

static void skip_blanks(struct sj_scanner *s)
{
	size_t to = s->at;
	while (to < s->text.len && is_blank(s->text.ptr[to]))
		to++;
	advance(s, to);
}

static bool is_name_byte(char c)
{
	return !is_blank(c) && c != '/' && c != '>' && c != '=' && c != '<' && c != '"' && c != '\'' && c != '\0';
}

static size_t name_end(const struct sj_scanner *s)
{
	size_t end = s->at;
	while (end < s->text.len && is_name_byte(s->text.ptr[end]))
		end++;
	return end;
}

/* ---- entities ---------------------------------------------------------------------------------------------------- */

static const struct { const char *name; uint32_t code;
} entities[] = {{"amp;", '&'},   {"lt;", '<'},      {"gt;", '>'},        {"quot;", '"'},
                {"apos;", '\''}, {"nbsp;", 0xa0},   {"hellip;", 0x2026}, {"mdash;", 0x2014},
                {"ndash;", 0x2013}, {"copy;", 0xa9}, {"euro;", 0x20ac},  {"times;", 0xd7}};

/* The code that &...; at `at` stands for, and where it ends; 0: it stands for itself. */
static uint32_t entity(struct sj_slice t, size_t at, size_t *end)
{
	struct sj_slice rest = sj_slice(t.ptr + at + 1, t.len - at - 1);
	uint32_t code = 0;
	for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
		if (sj_slice_starts(rest, entities[i].name)) {
			*end = at + 1 + strlen(entities[i].name);
			return entities[i].code;
		}
	if (rest.len < 3 || rest.ptr[0] != '#')
		return 0;
	bool hex = rest.ptr[1] == 'x' || rest.ptr[1] == 'X';
	size_t i = hex ? 2 : 1;
	for (; i < rest.len && i < 10; i++) {
		char c = rest.ptr[i];
		uint32_t digit = c >= '0' && c <= '9'          ? (uint32_t)(c - '0')
		                 : hex && c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
		                 : hex && c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
		                                               : 99;
		if (digit == 99)
			break;
		code = code * (hex ? 16 : 10) + digit;
		if (code > 0x10ffff)
			return 0;
	}
	if (i >= rest.len || rest.ptr[i] != ';' || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*end = at + 1 + i + 1;
	return code;
}

static enum sj_status decode(struct sj_scanner *s, struct sj_slice raw, struct sj_slice *out)
{
	struct sj_buf b;
	size_t run = 0, end = 0;
	enum sj_status st;
	*out = raw;
	if (raw.len == 0 || !memchr(raw.ptr, '&', raw.len))
		return SJ_OK;
	sj_buf_init(&b, s->p->mem, 0);
	for (size_t i = 0; i < raw.len;) {
		uint32_t code = raw.ptr[i] == '&' ? entity(raw, i, &end) : 0;
		if (code == 0) {
			i++;
			continue;
		}
		sj_buf_put(&b, raw.ptr + run, i - run);
		sj_buf_code(&b, code);
		i = run = end;
	}
	sj_buf_put(&b, raw.ptr + run, raw.len - run);
	st = sj_buf_status(&b);
	if (st == SJ_OK) {
		*out = sj_arena_copy(&s->p->arena, b.ptr ? sj_buf_view(&b) : SJ_LIT(""));
		st = out->ptr ? SJ_OK : SJ_NOMEM;
	}
	sj_buf_finish(&b);
	return st;
}

/* ---- tags -------------------------------------------------------------------------------------------------------- */

static enum sj_status fault(struct sj_scanner *s, uint32_t line, size_t off, const char *text)
{
	return sj_compact_fault(s->p->diag, SJ_CAT_PARSE, line, off, "%s", text);
}

/* Past a comment or a declaration; false: it never ends. */
static bool skip_markup(struct sj_scanner *s)
{
	bool comment = starts(s, "<!--");
	const char *end = comment ? "-->" : ">";
	size_t at = s->at + (comment ? 4 : 1), n = strlen(end);
	while (at < s->text.len && !(s->text.len - at >= n && memcmp(s->text.ptr + at, end, n) == 0)) {
		const char *next = memchr(s->text.ptr + at + 1, end[0], s->text.len - at - 1);
		at = next ? (size_t)(next - s->text.ptr) : s->text.len;
	}
	if (at >= s->text.len)
		return false;
	advance(s, at + n);
	return true;
}

static enum sj_status lower_name(struct sj_scanner *s, size_t end, struct sj_slice *out)
{
	*out = sj_slice(s->text.ptr + s->at, end - s->at);
	for (size_t i = 0; i < out->len; i++)
		if (out->ptr[i] >= 'A' && out->ptr[i] <= 'Z') {
			struct sj_slice copy = sj_arena_copy(&s->p->arena, *out);
			char *p = sj_arena_alloc(&s->p->arena, out->len);
			if (!p || !copy.ptr)
				return SJ_NOMEM;
			for (i = 0; i < copy.len; i++) {
				char c = copy.ptr[i];
				p[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
			}
			*out = sj_slice(p, copy.len);
			break;
		}
	return SJ_OK;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Does a tag, comment or declaration begin here? A lone '<' is text. */
static bool begins_markup(const struct sj_scanner *s, size_t at)
{
	char c = at + 1 < s->text.len ? s->text.ptr[at + 1] : '\0';
	return s->text.ptr[at] == '<' && (c == '!' || c == '?' || c == '/' || is_letter(c));
}

enum sj_status sj_scan(struct sj_scanner *s, struct sj_markup *out)
{
	struct sj_markup m = {0};
	enum sj_status st;
	for (;;) {
		skip_blanks(s);
		m = (struct sj_markup){.line = s->line, .off = s->at};
		if (s->at >= s->text.len) {
			*out = m;
			return SJ_OK;
		}
		if (!begins_markup(s, s->at)) {
			size_t end = s->at + 1;
			while (end < s->text.len && !begins_markup(s, end))
				end++;
			size_t last = end;
			while (is_blank(s->text.ptr[last - 1]))
				last--;
			m.kind = SJ_MK_TEXT;
			st = decode(s, sj_slice(s->text.ptr + s->at, last - s->at), &m.name);
			advance(s, end);
			*out = m;
			return st;
		}
		char c = s->text.ptr[s->at + 1];
		if (c != '!' && c != '?')
			break;
		if (!skip_markup(s))
			return fault(s, m.line, m.off, "a comment or declaration that is never closed");
	}
	bool close = s->text.ptr[s->at + 1] == '/';
	s->at += close ? 2 : 1;
	size_t end = name_end(s);
	m.kind = close ? SJ_MK_CLOSE : SJ_MK_OPEN;
	st = lower_name(s, end, &m.name);
	s->at = end;
	if (close && st == SJ_OK) {
		const char *gt = memchr(s->text.ptr + s->at, '>', s->text.len - s->at);
		if (!gt)
			return fault(s, m.line, m.off, "a closing tag that never ends");
		advance(s, (size_t)(gt - s->text.ptr) + 1);
	}
	*out = m;
	return st;
}

enum sj_status sj_scan_attribute(struct sj_scanner *s, struct sj_markup *tag, struct sj_attribute *out)
{
	for (;;) {
		skip_blanks(s);
		if (s->at >= s->text.len)
			return fault(s, tag->line, tag->off, "a tag that never ends");
		char c = s->text.ptr[s->at];
		if (c == '>') {
			s->at++;
			return SJ_ABSENT;
		}
		if (c == '<')
			return fault(s, s->line, s->at, "a tag begins inside another");
		if (is_name_byte(c))
			break;
		tag->closed = c == '/';
		s->at++;
	}
	tag->closed = false;
	size_t end = name_end(s);
	*out = (struct sj_attribute){.name = sj_slice(s->text.ptr + s->at, end - s->at), .line = s->line, .off = s->at};
	s->at = end;
	skip_blanks(s);
	if (s->at >= s->text.len || s->text.ptr[s->at] != '=')
		return SJ_OK;
	s->at++;
	skip_blanks(s);
	if (s->at >= s->text.len)
		return fault(s, tag->line, tag->off, "a tag that never ends");
	char q = s->text.ptr[s->at];
	struct sj_slice raw;
	out->line = s->line;
	if (q == '"' || q == '\'') {
		const char *close = memchr(s->text.ptr + s->at + 1, q, s->text.len - s->at - 1);
		if (!close)
			return fault(s, s->line, s->at, "an attribute's value that is never closed");
		raw = sj_slice(s->text.ptr + s->at + 1, (size_t)(close - s->text.ptr) - s->at - 1);
		out->off = s->at + 1;
		advance(s, (size_t)(close - s->text.ptr) + 1);
	} else if (q == '{') {
		/* As in JSX: up to the brace that closes it, strings apart. */
		size_t at = s->at, depth = 0;
		char quote = '\0';
		for (; at < s->text.len; at++) {
			char b = s->text.ptr[at];
			if (quote) {
				at += b == '\\';
				quote = b == quote ? '\0' : quote;
			} else if (b == '"' || b == '\'') {
				quote = b;
			} else {
				depth += b == '{';
				if (b == '}' && --depth == 0)
					break;
			}
		}
		if (at >= s->text.len)
			return fault(s, s->line, s->at, "an attribute's value that is never closed");
		raw = sj_slice(s->text.ptr + s->at, at + 1 - s->at);
		out->off = s->at;
		enum sj_status st = sj_repair_note(s->p->mem, s->p->repairs, SJ_REPAIR_QUOTES, s->line, s->at,
		                                   s->p->diag, "a value in braces without quotes was read");
		advance(s, at + 1);
		out->value = raw;
		return st;
	} else {
		end = s->at;
		while (end < s->text.len && !is_blank(s->text.ptr[end]) && s->text.ptr[end] != '>')
			end++;
		if (end > s->at && s->text.ptr[end - 1] == '/' && end < s->text.len && s->text.ptr[end] == '>')
			end--;
		raw = sj_slice(s->text.ptr + s->at, end - s->at);
		out->off = s->at;
		advance(s, end);
	}
	enum sj_status st = decode(s, raw, &out->value);
	if (!out->value.ptr)
		out->value = SJ_LIT("");
	return st;
}
