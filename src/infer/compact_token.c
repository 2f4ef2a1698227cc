/* Tokens of Express and of the expressions in Elemental's attributes, with every place where a model's habit was read
 * as what it meant. */
#include <string.h>

#include "base/num.h"
#include "base/utf.h"
#include "infer/compact.h"
#include "text/ident.h"

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ';'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool starts(const struct sj_lexer *x, size_t at, const char *word)
{
	size_t n = strlen(word);
	return x->text.len - at >= n && memcmp(x->text.ptr + at, word, n) == 0;
}

static void new_line(struct sj_lexer *x)
{
	x->line++;
	x->line_start = x->at;
	x->fresh = true;
}

/* Blanks, semicolons, comments and the lines of Markdown fences. */
static enum sj_status skip_blanks(struct sj_lexer *x, struct sj_ctoken *fault)
{
	while (x->at < x->text.len) {
		char c = x->text.ptr[x->at];
		if (is_blank(c)) {
			x->at++;
			if (c == '\n')
				new_line(x);
		} else if (!x->expression && (c == '#' || starts(x, x->at, "//"))) {
			const char *end = memchr(x->text.ptr + x->at, '\n', x->text.len - x->at);
			x->at = end ? (size_t)(end - x->text.ptr) : x->text.len;
		} else if (starts(x, x->at, "/*") && !x->expression) {
			struct sj_ctoken open = {.line = x->line, .off = x->at};
			x->at += 2;
			while (x->at < x->text.len && !starts(x, x->at, "*/"))
				if (x->text.ptr[x->at++] == '\n')
					new_line(x);
			if (x->at >= x->text.len) {
				*fault = open;
				fault->kind = SJ_T_FAULT;
				fault->text = SJ_LIT("a comment that is never closed");
				return SJ_ABSENT;
			}
			x->at += 2;
		} else if (!x->expression && x->fresh && starts(x, x->at, "```")) {
			/* Reading ahead may come here twice. */
			enum sj_status st = x->at < x->fences
			                            ? SJ_OK
			                            : sj_repair_note(x->p->mem, x->p->repairs, SJ_REPAIR_FENCE,
			                                             x->base_line + x->line, x->base + x->at,
			                                             x->p->diag, "a Markdown fence was left out");
			if (st != SJ_OK)
				return st;
			x->fences = x->at + 1;
			const char *end = memchr(x->text.ptr + x->at, '\n', x->text.len - x->at);
			x->at = end ? (size_t)(end - x->text.ptr) : x->text.len;
		} else if (starts(x, x->at, "\xef\xbb\xbf") || starts(x, x->at, "\xc2\xa0")) {
			x->at += (c == '\xef') ? 3 : 2; /* byte order mark, no-break space */
		} else {
			break;
		}
	}
	return SJ_OK;
}

/* ---- strings ----------------------------------------------------------------------------------------------------- */

/* How strings may open. The closing mark of typographic quotes may be a plain one. */
static const struct quote {
	const char *open, *close;
	bool raw, triple, usual; /* usual: as the grammar says */
} quotes[] = {
	{"\"\"\"", "\"\"\"", false, true, true},   {"r\"\"\"", "\"\"\"", true, true, true},
	{"'''", "'''", false, true, false},        {"r'''", "'''", true, true, false},
	{"\"", "\"", false, false, true},          {"r\"", "\"", true, false, true},
	{"'", "'", false, false, false},           {"r'", "'", true, false, false},
	{"R\"", "\"", true, false, false},         {"`", "`", false, true, false},
	{"\xe2\x80\x9c", "\xe2\x80\x9d", false, false, false}, {"\xe2\x80\x98", "\xe2\x80\x99", false, false, false},
	{"\xe2\x80\x9d", "\xe2\x80\x9d", false, false, false}, {"\xe2\x80\x99", "\xe2\x80\x99", false, false, false},
};

static const struct quote *quote_at(const struct sj_lexer *x, size_t at)
{
	for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++)
		if (starts(x, at, quotes[i].open))
			return &quotes[i];
	return NULL;
}

static int hex4(const struct sj_lexer *x, size_t at)
{
	int v = 0;
	if (x->text.len - at < 4)
		return -1;
	for (size_t i = at; i < at + 4; i++) {
		char c = x->text.ptr[i];
		int d = is_digit(c)            ? c - '0'
		        : c >= 'a' && c <= 'f' ? c - 'a' + 10
		        : c >= 'A' && c <= 'F' ? c - 'A' + 10
		                               : -1;
		if (d < 0)
			return -1;
		v = v * 16 + d;
	}
	return v;
}

/* One escape, `at` behind the backslash. An escape that is none keeps its backslash: models write patterns as they are.
 * false: half a surrogate pair. */
static bool escape(struct sj_lexer *x, size_t *at, struct sj_buf *out, uint8_t *heal)
{
	static const char from[] = "ntrbf0\"'\\/`", to[] = "\n\t\r\b\f\0\"'\\/`";
	char c = x->text.ptr[*at];
	const char *known = memchr(from, c, sizeof from - 1);
	if (known) {
		++*at;
		sj_buf_putc(out, to[known - from]);
		return true;
	}
	int high = c == 'u' ? hex4(x, *at + 1) : -1;
	if (high < 0) {
		*heal |= SJ_HEAL_LITERAL;
		sj_buf_putc(out, '\\');
		return true;
	}
	*at += 5;
	if (high < 0xd800 || high > 0xdfff) {
		sj_buf_code(out, (uint32_t)high);
		return true;
	}
	int low = high < 0xdc00 && starts(x, *at, "\\u") ? hex4(x, *at + 2) : -1;
	if (low < 0xdc00 || low > 0xdfff)
		return false;
	*at += 6;
	sj_buf_code(out, 0x10000u + (((uint32_t)high - 0xd800u) << 10) + ((uint32_t)low - 0xdc00u));
	return true;
}

static bool closes(const struct sj_lexer *x, const struct quote *q, size_t at, size_t *len)
{
	if (starts(x, at, q->close)) {
		*len = strlen(q->close);
		return true;
	}
	*len = 1;
	return (unsigned char)q->close[0] == 0xe2 && x->text.ptr[at] == (q->close[2] == '\x9d' ? '"' : '\'');
}

static enum sj_status read_string(struct sj_lexer *x, const struct quote *q, struct sj_ctoken *t)
{
	size_t start = x->at + strlen(q->open), at = start, len = 0, run = start;
	bool decoded = false, done = false, lines = false, half = false;
	struct sj_buf out;
	enum sj_status st = SJ_OK;

	sj_buf_init(&out, x->p->mem, SJ_LIMITS_DEFAULT.string_bytes);
	t->kind = SJ_T_STRING;
	if (!q->usual && !(x->expression && q->close[0] == '\'' && !q->raw && !q->triple))
		t->heal |= SJ_HEAL_QUOTES;
	while (at < x->text.len && !(done = closes(x, q, at, &len)) && !half) {
		char c = x->text.ptr[at];
		if (c == '\n') {
			lines = true;
			x->line++;
			x->line_start = at + 1;
		}
		if (c != '\\' || q->raw || at + 1 >= x->text.len) {
			at++;
			continue;
		}
		sj_buf_put(&out, x->text.ptr + run, at - run);
		decoded = true;
		at++;
		half = !escape(x, &at, &out, &t->heal);
		run = at;
	}
	if (half || (!done && lines)) {
		t->kind = SJ_T_FAULT;
		t->text = half ? SJ_LIT("half a surrogate pair in a string") : SJ_LIT("a string that is never closed");
		x->at = x->text.len;
		goto done;
	}
	if (!done)
		t->heal |= SJ_HEAL_UNCLOSED;
	if (lines && !q->triple)
		t->heal |= SJ_HEAL_LINES;
	t->text = sj_slice(x->text.ptr + start, at - start);
	if (decoded) {
		sj_buf_put(&out, x->text.ptr + run, at - run);
		st = sj_buf_status(&out);
		if (st == SJ_OK) {
			t->text = sj_arena_copy(&x->p->arena, sj_buf_view(&out));
			st = t->text.ptr ? SJ_OK : SJ_NOMEM;
		}
	}
	if (t->text.len > SJ_LIMITS_DEFAULT.string_bytes)
		st = SJ_LIMIT;
	x->at = at + (done ? len : 0);
done:
	sj_buf_finish(&out);
	return st == SJ_LIMIT ? sj_diag_set(x->p->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_PARSE, "a string is too long")
	                      : st;
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

/* Where the identifier that begins at `at` ends; `at` when none does. In an expression a path stands bare, so that
 * its bytes belong to it. */
static size_t ident_end(const struct sj_lexer *x, size_t at)
{
	size_t end = at;
	bool system = end < x->text.len && x->text.ptr[end] == '@';
	end += system;
	while (end < x->text.len) {
		size_t next = end;
		uint32_t code = sj_utf8_next(x->text, &next);
		if (end == at + system ? !(sj_xid_start(code) || code == '_') : !sj_xid_continue(code))
			break;
		end = next;
	}
	return end == at + system ? at : end;
}

bool sj_compact_is_path_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || (unsigned char)c >= 0x80 ||
	       (c && strchr("/~_.-%@+*!&|^", c));
}

static size_t path_end(const struct sj_lexer *x, size_t at)
{
	while (at < x->text.len && sj_compact_is_path_byte(x->text.ptr[at]))
		at++;
	return at;
}

/* $/a/b, $a, $"any text"; ${/a} is mended. */
static enum sj_status read_path(struct sj_lexer *x, struct sj_ctoken *t)
{
	size_t at = x->at + 1;
	const struct quote *q = NULL;
	if (at < x->text.len && (x->text.ptr[at] == '"' || x->text.ptr[at] == '\''))
		q = quote_at(x, at);
	if (q) {
		x->at = at;
		enum sj_status st = read_string(x, q, t);
		if (t->kind == SJ_T_STRING)
			t->kind = SJ_T_PATH;
		return st;
	}
	t->kind = SJ_T_PATH;
	bool braces = at < x->text.len && x->text.ptr[at] == '{';
	at += braces;
	size_t end = path_end(x, at);
	if (braces && (end >= x->text.len || x->text.ptr[end] != '}')) {
		t->kind = SJ_T_FAULT;
		t->text = SJ_LIT("${ without a path and }");
		end = at;
		braces = false;
	} else {
		t->text = sj_slice(x->text.ptr + at, end - at);
		t->heal |= braces ? SJ_HEAL_PATH : 0;
	}
	x->at = end + braces;
	return SJ_OK;
}

static size_t number_end(const struct sj_lexer *x, size_t at)
{
	size_t end = at;
	if (end < x->text.len && (x->text.ptr[end] == '-' || x->text.ptr[end] == '+'))
		end++;
	if (end >= x->text.len || !(is_digit(x->text.ptr[end]) || (x->text.ptr[end] == '.' && end + 1 < x->text.len &&
	                                                            is_digit(x->text.ptr[end + 1]))))
		return at;
	for (; end < x->text.len; end++) {
		char c = x->text.ptr[end];
		bool sign = (c == '-' || c == '+') && (x->text.ptr[end - 1] == 'e' || x->text.ptr[end - 1] == 'E');
		if (!is_digit(c) && c != '.' && c != 'e' && c != 'E' && !sign)
			break;
	}
	return end;
}

static void read_number(struct sj_lexer *x, size_t end, struct sj_ctoken *t)
{
	t->kind = SJ_T_NUMBER;
	t->text = sj_slice(x->text.ptr + x->at, end - x->at);
	x->at = end;
	if (sj_num_parse(t->text, &t->number))
		return;
	t->heal |= SJ_HEAL_LITERAL;
	if (!sj_num_parse_loose(t->text, &t->number)) {
		t->kind = SJ_T_FAULT;
		t->text = SJ_LIT("what is no number");
	}
}

enum sj_status sj_lexer_read(struct sj_lexer *x, struct sj_ctoken *out)
{
	struct sj_ctoken t = {0};
	enum sj_status st = skip_blanks(x, &t);
	if (st == SJ_OK) {
		t = (struct sj_ctoken){.line = x->line, .off = x->at, .first_on_line = x->fresh,
		                       .column = (uint32_t)(x->at - x->line_start)};
		x->fresh = false;
	} else if (st != SJ_ABSENT) {
		return st;
	}
	if (st == SJ_ABSENT || x->at >= x->text.len) {
		t.end = x->at;
		*out = t;
		return SJ_OK;
	}
	size_t end;
	const struct quote *q = quote_at(x, x->at);
	char c = x->text.ptr[x->at];
	st = SJ_OK;
	if (q) {
		st = read_string(x, q, &t);
	} else if (c == '$') {
		st = read_path(x, &t);
	} else if (x->expression && c == '/') {
		end = path_end(x, x->at);
		t.kind = SJ_T_PATH;
		t.text = sj_slice(x->text.ptr + x->at, end - x->at);
		x->at = end;
	} else if ((end = ident_end(x, x->at)) > x->at) {
		t.kind = SJ_T_IDENT;
		if (x->expression && end < x->text.len && x->text.ptr[end] && strchr("/.-", x->text.ptr[end])) {
			t.kind = SJ_T_PATH; /* a relative path of more than a name */
			end = path_end(x, end);
		}
		t.text = sj_slice(x->text.ptr + x->at, end - x->at);
		x->at = end;
	} else if ((end = number_end(x, x->at)) > x->at) {
		read_number(x, end, &t);
	} else {
		t.kind = SJ_T_PUNCT;
		t.punct = c;
		x->at++;
	}
	t.end = x->at;
	*out = t;
	return st;
}

enum sj_status sj_lexer_init(struct sj_lexer *x, struct sj_program *p, struct sj_slice text, uint64_t base,
                             uint32_t base_line, bool expression)
{
	*x = (struct sj_lexer){.p = p, .text = text, .base = base, .base_line = base_line, .expression = expression,
	                       .line = 1, .fresh = true};
	enum sj_status st = sj_lexer_read(x, &x->cur);
	return st == SJ_OK ? sj_lexer_read(x, &x->next) : st;
}

static const struct { uint8_t bit; enum sj_repair_kind kind; const char *text;
} heals[] = {
	{SJ_HEAL_QUOTES, SJ_REPAIR_QUOTES, "other quotes were read as double quotes"},
	{SJ_HEAL_LITERAL, SJ_REPAIR_LITERAL, "a number or an escape was read in an unusual spelling"},
	{SJ_HEAL_UNCLOSED, SJ_REPAIR_UNCLOSED, "the last string was closed where the text ends"},
	{SJ_HEAL_LINES, SJ_REPAIR_SYNTAX, "a line break inside a plain string was kept"},
	{SJ_HEAL_PATH, SJ_REPAIR_SYNTAX, "${...} was read as a path"},
};

enum sj_status sj_lexer_step(struct sj_lexer *x)
{
	for (size_t i = 0; x->cur.heal && i < sizeof heals / sizeof *heals; i++)
		if (x->cur.heal & heals[i].bit) {
			/* Reading ahead may come here twice. */
			enum sj_status st = x->at < x->fences
			                            ? SJ_OK
			                            : sj_repair_note(x->p->mem, x->p->repairs, heals[i].kind,
			                                   x->base_line + x->cur.line, x->base + x->cur.off,
			                                   x->p->diag, "%s", heals[i].text);
			if (st != SJ_OK)
				return st;
		}
	x->cur = x->next;
	return sj_lexer_read(x, &x->next);
}

enum sj_status sj_lexer_skip_line(struct sj_lexer *x)
{
	const char *end = memchr(x->text.ptr + x->cur.off, '\n', x->text.len - x->cur.off);
	x->at = end ? (size_t)(end - x->text.ptr) : x->text.len;
	x->line = x->cur.line;
	x->fresh = false;
	enum sj_status st = sj_lexer_read(x, &x->cur);
	return st == SJ_OK ? sj_lexer_read(x, &x->next) : st;
}
