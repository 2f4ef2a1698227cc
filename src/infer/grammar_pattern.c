/* Patterns: the small part of regular expressions that GBNF spells nearly the same way. */
#include "infer/grammar_read.h"

enum { MAX_TIMES = 1000, MAX_NESTING = 16 };

/* What any character of JSON text without an escape is. */
#define ANY_CHAR "[^\"\\\\\\x00-\\x1F\\x7F]"

struct reader {
	struct sj_slice text;
	size_t at;
	struct sj_buf *out;
	bool bad;
};

static int look(const struct reader *r) { return r->at < r->text.len ? (unsigned char)r->text.ptr[r->at] : -1; }

static bool is_plain(int c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

/* The character an escape stands for; 0: a class, or none that is known. */
static char escaped(int c)
{
	return c > 0 && c < 0x7f && strchr("^$.*+?()[]{}|/-", c) ? (char)c : 0;
}

static void class_char(struct reader *r, char c)
{
	if (c == ']' || c == '[' || c == '\\')
		sj_buf_putc(r->out, '\\');
	sj_buf_putc(r->out, c);
}

/* [...] of plain characters, ranges, \d and \w. */
static void class(struct reader *r)
{
	r->at++;
	if (look(r) == '^' || look(r) == ']') {
		r->bad = true;
		return;
	}
	sj_buf_putc(r->out, '[');
	for (bool first = true; !r->bad && look(r) != ']'; first = false) {
		int c = look(r);
		r->at++;
		if (c == '\\') {
			c = look(r);
			r->at++;
			if (c == 'd' || c == 'w') {
				sj_buf_puts(r->out, c == 'd' ? "0-9" : "A-Za-z0-9_");
				continue;
			}
			c = escaped(c);
		} else if (!is_plain(c) || (c == '-' && !first && look(r) != ']')) {
			c = 0;
		}
		if (c <= 0) {
			r->bad = true;
			break;
		}
		/* A lone hyphen would make a range of its neighbours: such a class is left alone. */
		if (c == '-' && !(first || look(r) == ']')) {
			r->bad = true;
			break;
		}
		int to = c;
		if (look(r) == '-' && r->at + 1 < r->text.len && r->text.ptr[r->at + 1] != ']') {
			to = (unsigned char)r->text.ptr[r->at + 1];
			r->at += 2;
			if (!is_plain(to) || to < c || (c <= '"' && to >= '"') || (c <= '\\' && to >= '\\')) {
				r->bad = true;
				break;
			}
		}
		class_char(r, (char)c);
		if (to != c) {
			sj_buf_putc(r->out, '-');
			class_char(r, (char)to);
		}
	}
	r->at++;
	sj_buf_putc(r->out, ']');
}

static uint32_t times(struct reader *r)
{
	uint32_t n = 0, digits = 0;
	for (; look(r) >= '0' && look(r) <= '9'; r->at++, digits++)
		n = n < 100000 ? n * 10 + (uint32_t)(look(r) - '0') : n;
	r->bad = r->bad || digits == 0 || n > MAX_TIMES;
	return n;
}

static void quantifier(struct reader *r)
{
	int c = look(r);
	size_t start = r->at++;
	if (c == '{') {
		times(r);
		if (look(r) == ',') {
			r->at++;
			if (look(r) != '}')
				times(r);
		}
		r->bad = r->bad || look(r) != '}';
		r->at++;
	}
	int next = look(r);
	r->bad = r->bad || r->at > r->text.len || next == '?' || next == '*' || next == '+' || next == '{';
	if (!r->bad)
		sj_buf_slice(r->out, sj_slice(r->text.ptr + start, r->at - start));
}

static void literal(struct reader *r, char c)
{
	sj_buf_putc(r->out, '"');
	sj_buf_putc(r->out, c);
	sj_buf_putc(r->out, '"');
}

static void body(struct reader *r)
{
	unsigned nesting = 0;
	bool repeatable = false, first = true; /* something stands before a quantifier */
	for (int c; !r->bad && (c = look(r)) >= 0;) {
		bool is_quantifier = c == '?' || c == '*' || c == '+' || c == '{';
		if (!first && !is_quantifier)
			sj_buf_putc(r->out, ' ');
		first = false;
		if (is_quantifier) {
			r->bad = !repeatable;
			quantifier(r);
			repeatable = false;
			continue;
		}
		repeatable = true;
		switch (c) {
		case '(':
			r->at++;
			if (look(r) == '?' && r->at + 1 < r->text.len && r->text.ptr[r->at + 1] == ':')
				r->at += 2;
			r->bad = look(r) == '?' || ++nesting > MAX_NESTING;
			sj_buf_putc(r->out, '(');
			repeatable = false;
			break;
		case ')':
			r->bad = nesting-- == 0;
			r->at++;
			sj_buf_putc(r->out, ')');
			break;
		case '|': /* outside of a group the anchors would belong to one side each */
			r->bad = nesting == 0;
			r->at++;
			sj_buf_putc(r->out, '|');
			repeatable = false;
			break;
		case '[': class(r); break;
		case '.':
			r->at++;
			sj_buf_puts(r->out, ANY_CHAR);
			break;
		case '\\':
			r->at++;
			c = look(r);
			r->at++;
			if (c == 'd' || c == 'w')
				sj_buf_puts(r->out, c == 'd' ? "[0-9]" : "[A-Za-z0-9_]");
			else if (escaped(c))
				literal(r, (char)c);
			else
				r->bad = true;
			break;
		default:
			r->bad = !is_plain(c) || c == '^' || c == '$' || c == '}' || c == ']';
			r->at++;
			if (!r->bad)
				literal(r, (char)c);
			break;
		}
	}
	r->bad = r->bad || nesting > 0;
}

const struct sj_g_node *sj_g_pattern(struct sj_grammar *g, struct sj_slice regex)
{
	struct sj_buf text;
	struct sj_g_node *node;
	if (regex.len < 3 || regex.ptr[0] != '^' || regex.ptr[regex.len - 1] != '$' || regex.ptr[regex.len - 2] == '\\')
		return &SJ_G_NOTHING;
	sj_buf_init(&text, g->mem, 0);
	struct reader r = {.text = sj_slice(regex.ptr + 1, regex.len - 2), .out = &text};
	body(&r);
	const struct sj_g_node *out = &SJ_G_NOTHING;
	if (g->status == SJ_OK && sj_buf_status(&text) != SJ_OK)
		g->status = sj_buf_status(&text);
	if (g->status == SJ_OK && !r.bad && text.len > 0) {
		out = sj_g_copy(g, &SJ_G_STRINGS, &node);
		if (node) {
			node->str = SJ_G_STR_PATTERN;
			node->text = sj_g_keep(g, sj_buf_view(&text));
			node->pattern = sj_g_keep(g, regex);
		}
	}
	sj_buf_finish(&text);
	return out;
}
