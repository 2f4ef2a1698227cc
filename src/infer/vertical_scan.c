/* Where the statements of a Vertical block begin and end, and where its strings do. */
#include "infer/vertical.h"

/* Decisions look this far ahead and no further, so that reading stays linear. */
enum { LOOK = 160 };

static char byte(struct sj_slice t, size_t at) { return at < t.len ? t.ptr[at] : 0; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_closer(char c) { return c == ')' || c == ']' || c == '}'; }

size_t sj_vertical_curly(struct sj_slice t, size_t at)
{
	/* U+2018, U+2019, U+201C, U+201D */
	if (t.len - at < 3 || byte(t, at) != '\xE2' || byte(t, at + 1) != '\x80')
		return 0;
	char c = byte(t, at + 2);
	return c == '\x98' || c == '\x99' || c == '\x9C' || c == '\x9D' ? 3 : 0;
}

bool sj_vertical_is_name(struct sj_slice t, size_t at, bool first)
{
	char c = byte(t, at);
	if ((unsigned char)c >= 0x80)
		return sj_vertical_curly(t, at) == 0;
	return is_letter(c) || c == '_' || (!first && is_digit(c));
}

bool sj_vertical_is_component(const struct sj_vertical *v, struct sj_slice name)
{
	for (uint32_t i = 0; i < v->f->opt.ncatalogs; i++)
		if (sj_catalog_component(v->f->catalogs[i], name))
			return true;
	return false;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

bool sj_vertical_alike(struct sj_slice a, struct sj_slice b)
{
	size_t i = 0, k = 0;
	for (;;) {
		while (i < a.len && (a.ptr[i] == '_' || a.ptr[i] == '-'))
			i++;
		while (k < b.len && (b.ptr[k] == '_' || b.ptr[k] == '-'))
			k++;
		if (i == a.len || k == b.len)
			return i == a.len && k == b.len;
		if (lower(a.ptr[i++]) != lower(b.ptr[k++]))
			return false;
	}
}

static bool resembles_component(const struct sj_vertical *v, struct sj_slice name)
{
	for (uint32_t i = 0; i < v->f->opt.ncatalogs; i++)
		for (uint32_t k = 0; k < sj_catalog_component_count(v->f->catalogs[i]); k++)
			if (sj_vertical_alike(sj_catalog_component_at(v->f->catalogs[i], k)->name, name))
				return true;
	return false;
}

/* ---- looking ahead ----------------------------------------------------------------------------------------------- */

/* A cursor that knows whether what it cannot see might still come. */
struct look {
	const struct sj_vertical *v;
	size_t at, end;
	bool open; /* `end` is where the bytes end for now */
};

static struct look look_from(const struct sj_vertical *v, size_t at, bool final)
{
	struct look l = {.v = v, .at = at, .end = v->text.len};
	if (l.end - at > LOOK)
		l.end = at + LOOK;
	else
		l.open = !final;
	return l;
}

static bool done(const struct look *l) { return l->at >= l->end; }
static char peek(const struct look *l) { return done(l) ? 0 : l->v->text.ptr[l->at]; }
/* What to answer where the cursor ran out of bytes. */
static enum sj_tri ran_out(const struct look *l, enum sj_tri at_end)
{
	return l->open ? SJ_UNSURE : l->end == l->v->text.len ? at_end : SJ_NO;
}

static void skip_spaces(struct look *l)
{
	while (!done(l) && is_space(peek(l)))
		l->at++;
}

static struct sj_slice take_name(struct look *l)
{
	size_t from = l->at;
	while (!done(l) && sj_vertical_is_name(l->v->text, l->at, l->at == from))
		l->at++;
	return sj_slice(l->v->text.ptr + from, l->at - from);
}

static bool is_mark(struct look *l)
{
	char c = peek(l);
	return c == '"' || c == '\'' || c == '`' || sj_vertical_curly(l->v->text, l->at) > 0;
}

/* After `name =` or `name:` on a line: does a value follow? Text with a colon in it is common, so less passes there. */
static enum sj_tri value_follows(struct look *l, bool colon)
{
	static const char *const words[] = {"true", "false", "null", "True", "False", "None"};
	skip_spaces(l);
	if (done(l))
		return ran_out(l, SJ_NO);
	char c = peek(l);
	if (is_mark(l) || c == '$' || c == '[' || c == '{')
		return SJ_YES;
	if (colon)
		return SJ_NO;
	if (is_digit(c) || c == '-' || c == '.')
		return SJ_YES;
	struct sj_slice name = take_name(l);
	if (done(l))
		return ran_out(l, SJ_NO);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (sj_slice_is(name, words[i]))
			return SJ_YES;
	return name.len > 0 && peek(l) == '(' ? SJ_YES : SJ_NO;
}

/* Is what stands at the beginning of this line code rather than text? Asked where a string should have ended. */
static enum sj_tri line_is_code(const struct sj_vertical *v, size_t at, bool final)
{
	struct look l = look_from(v, at, final);
	skip_spaces(&l);
	if (done(&l))
		return ran_out(&l, SJ_YES);
	if (is_closer(peek(&l))) {
		while (!done(&l) && (is_closer(peek(&l)) || is_space(peek(&l)) || peek(&l) == ',' || peek(&l) == ';'))
			l.at++;
		return done(&l) ? ran_out(&l, SJ_YES) : peek(&l) == '\n' ? SJ_YES : SJ_NO;
	}
	if (peek(&l) == '<') {
		l.at++;
		struct sj_slice tag = take_name(&l);
		return done(&l) ? ran_out(&l, SJ_NO) : sj_vertical_is_component(v, tag) ? SJ_YES : SJ_NO;
	}
	bool quoted = peek(&l) == '"';
	l.at += quoted;
	struct sj_slice name = take_name(&l);
	if (done(&l))
		return ran_out(&l, SJ_NO);
	if (name.len == 0)
		return SJ_NO;
	if (quoted) {
		if (peek(&l) != '"')
			return SJ_NO;
		l.at++;
	} else if (peek(&l) == '(') {
		return sj_vertical_is_component(v, name) ? SJ_YES : SJ_NO;
	}
	skip_spaces(&l);
	if (done(&l))
		return ran_out(&l, SJ_NO);
	char sign = peek(&l);
	if (sign == ':' && quoted)
		return SJ_YES;
	if (sign != '=' && sign != ':')
		return SJ_NO;
	l.at++;
	return value_follows(&l, sign == ':');
}

/* `Name(`, `{`, `[`, `<Name`, or one of them after `x =`. known: only a name of the catalogs will do. */
static enum sj_tri begins_statement(const struct sj_vertical *v, size_t at, bool final, bool known)
{
	struct look l = look_from(v, at, final);
	for (int assigned = 0; assigned < 2; assigned++) {
		skip_spaces(&l);
		if (done(&l))
			return ran_out(&l, SJ_NO);
		char c = peek(&l);
		if (c == '{' || c == '[')
			return known && !assigned ? SJ_NO : SJ_YES;
		bool tag = c == '<';
		l.at += tag;
		bool upper = peek(&l) >= 'A' && peek(&l) <= 'Z';
		struct sj_slice name = take_name(&l);
		if (done(&l))
			return ran_out(&l, SJ_NO);
		if (name.len == 0)
			return SJ_NO;
		bool ours = sj_vertical_is_component(v, name) || (!known && (upper || resembles_component(v, name)));
		if (tag)
			return ours ? SJ_YES : SJ_NO;
		skip_spaces(&l);
		if (done(&l))
			return ran_out(&l, SJ_NO);
		if (peek(&l) == '(')
			return ours ? SJ_YES : SJ_NO;
		l.at += peek(&l) == ':';
		if (done(&l))
			return ran_out(&l, SJ_NO);
		if (peek(&l) != '=')
			return SJ_NO;
		l.at++;
	}
	return SJ_NO;
}

/* ---- strings ----------------------------------------------------------------------------------------------------- */

enum sj_tri sj_vertical_opens(const struct sj_vertical *v, size_t at, bool final, struct sj_vertical_string *s)
{
	struct sj_slice t = v->text;
	bool raw = byte(t, at) == 'r' || byte(t, at) == 'R';
	size_t mark = at + raw;
	char c = byte(t, mark);
	if (!final && t.len - at < 6) {
		/* As long as every byte so far may belong to an opening mark, its length is open. */
		size_t i = mark;
		while (i < t.len && i < mark + 3 && t.ptr[i] == c)
			i++;
		if (i == t.len && i < mark + 3 && (c == '"' || c == '\'' || (raw && i == mark) || c == '\xE2'))
			return SJ_UNSURE;
		if (c == '\xE2' && t.len - mark < 3)
			return SJ_UNSURE;
	}
	if (c != '"' && c != '\'' && c != '`' && sj_vertical_curly(t, mark) == 0)
		return SJ_NO;
	*s = (struct sj_vertical_string){.raw = raw};
	s->quote = c == '"' ? SJ_QUOTE_DOUBLE : c == '\'' ? SJ_QUOTE_SINGLE : c == '`' ? SJ_QUOTE_BACK : SJ_QUOTE_CURLY;
	size_t width = s->quote == SJ_QUOTE_CURLY ? 3 : 1;
	if ((c == '"' || c == '\'') && byte(t, mark + 1) == c && byte(t, mark + 2) == c) {
		s->triple = true;
		width = 3;
	}
	s->from = s->at = mark + width;
	return SJ_YES;
}

/* Bytes of a mark at `at` that could close this string; 0: none. */
static size_t closing_mark(struct sj_slice t, size_t at, const struct sj_vertical_string *s)
{
	char c = byte(t, at);
	switch (s->quote) {
	case SJ_QUOTE_DOUBLE:
		if (s->triple)
			return c == '"' && byte(t, at + 1) == c && byte(t, at + 2) == c ? 3 : 0;
		return c == '"';
	case SJ_QUOTE_SINGLE:
		if (s->triple)
			return c == '\'' && byte(t, at + 1) == c && byte(t, at + 2) == c ? 3 : 0;
		return c == '\'';
	case SJ_QUOTE_BACK:
		return c == '`';
	case SJ_QUOTE_CURLY:
		return c == '"' || c == '\'' ? 1 : sj_vertical_curly(t, at);
	}
	return 0;
}

/* Behind a mark that closes a string stands something that may follow a value; a mark within text is followed by text.
 */
static enum sj_tri ends_value(const struct sj_vertical *v, size_t at, bool final)
{
	struct look l = look_from(v, at, final);
	skip_spaces(&l);
	if (done(&l))
		return l.open ? SJ_UNSURE : SJ_YES;
	char c = peek(&l);
	if (sj_vertical_in(",)]}:;=\n#/>", c) || (is_mark(&l) && l.at > at))
		return SJ_YES;
	if (l.at == at)
		return SJ_NO;
	struct sj_slice name = take_name(&l);
	skip_spaces(&l);
	if (done(&l))
		return ran_out(&l, SJ_NO);
	return name.len > 0 && (peek(&l) == '=' || peek(&l) == ':') ? SJ_YES : SJ_NO;
}

/* Gives a string that did not close an end at `to`: blanks, commas and brackets that close nothing in it are code. */
static enum sj_tri cut(struct sj_slice t, struct sj_vertical_string *s, size_t to)
{
	int open[3] = {0, 0, 0};
	static const char openers[] = "([{", closers[] = ")]}";
	for (size_t i = s->from; i < to; i++)
		for (int k = 0; k < 3; k++) {
			open[k] += t.ptr[i] == openers[k];
			open[k] -= t.ptr[i] == closers[k];
		}
	while (to > s->from) {
		char c = t.ptr[to - 1];
		const char *closer = sj_vertical_in(closers, c);
		if (c == ',' || c == ';' || c == '\n' || is_space(c)) {
			to--;
			continue;
		}
		if (!closer || open[closer - closers] >= 0)
			break;
		open[closer - closers]++;
		to--;
	}
	s->to = s->next = to;
	if (to - s->from >= 3 && sj_vertical_curly(t, to - 3) > 0)
		s->to -= 3; /* "text” */
	s->is_cut = true;
	return SJ_YES;
}

enum sj_tri sj_vertical_closes(struct sj_vertical *v, bool final, struct sj_vertical_string *s)
{
	struct sj_slice t = v->text;
	size_t *hopeless = &v->hopeless[s->quote * 2 + s->raw];
	while (s->at < t.len) {
		char c = t.ptr[s->at];
		if (c == '\\' && !s->raw) {
			if (s->at + 1 == t.len && !final)
				return SJ_UNSURE;
			s->at += 2;
			continue;
		}
		if (c == '\n' && !s->triple) {
			/* A string that was left open ends with the line it began on, whether that is seen there or on
			 * a later line that is code. */
			enum sj_tri code = SJ_YES;
			if (*hopeless <= s->at)
				code = line_is_code(v, s->at + 1, final);
			if (code == SJ_UNSURE)
				return code;
			if (code == SJ_YES && !s->plain) {
				*hopeless = *hopeless > s->at ? *hopeless : s->at;
				return cut(t, s, s->line_end ? s->line_end : s->at);
			}
			if (s->line_end == 0)
				s->line_end = s->at;
			s->at++;
			continue;
		}
		if (c == '\xE2' && t.len - s->at < 3 && !final)
			return SJ_UNSURE;
		if (s->triple && !final && t.len - s->at < 3)
			return SJ_UNSURE;
		size_t mark = closing_mark(t, s->at, s);
		if (mark == 0) {
			s->at++;
			continue;
		}
		enum sj_tri ends = s->triple || s->plain ? SJ_YES : ends_value(v, s->at + mark, final);
		if (ends == SJ_UNSURE)
			return ends;
		if (ends == SJ_YES) {
			s->to = s->at;
			s->next = s->at + mark;
			return SJ_YES;
		}
		s->has_inner = true;
		s->at += mark;
	}
	if (!final)
		return SJ_UNSURE;
	if (s->triple || s->plain) {
		s->to = s->next = t.len;
		s->is_cut = true;
		return SJ_YES;
	}
	*hopeless = t.len;
	return cut(t, s, s->line_end ? s->line_end : t.len);
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

enum mode { OUTSIDE, SKIPPED_LINE, CODE, STRING, LINE_COMMENT, BLOCK_COMMENT, TAG, CONTENT, CLOSING_TAG, TOO_DEEP };

static void push(struct sj_vertical_scan *s, char c)
{
	if (s->depth == sizeof s->stack)
		s->mode = TOO_DEEP;
	else
		s->stack[s->depth++] = c;
}

static void mode_of_top(struct sj_vertical_scan *s)
{
	char top = s->depth > 0 ? s->stack[s->depth - 1] : 0;
	s->mode = s->depth == 0 ? OUTSIDE : top == 'T' ? TAG : top == 'C' ? CONTENT : CODE;
}

/* A bracket closes the nearest one of its kind, and what was left open within; one that closes nothing is passed over.
 */
static void pop(struct sj_vertical_scan *s, char open)
{
	uint32_t d = s->depth;
	while (d > 0 && s->stack[d - 1] != open)
		d--;
	if (d > 0)
		s->depth = d - 1;
	mode_of_top(s);
	if (d == 0)
		s->mode = CODE;
}

static enum sj_tri found(struct sj_vertical_scan *s, size_t end)
{
	s->end = end;
	s->depth = 0;
	s->mode = OUTSIDE;
	return SJ_YES;
}

/* Blanks, separators and the marks of a Markdown list before a statement. */
static enum sj_tri skip_outside(const struct sj_vertical *v, struct sj_vertical_scan *s, bool final)
{
	struct sj_slice t = v->text;
	while (s->at < t.len && (is_space(t.ptr[s->at]) || sj_vertical_in("\n;,", t.ptr[s->at])))
		s->at++;
	size_t at = s->at;
	if (byte(t, at) == '-' || byte(t, at) == '*')
		at++;
	while (at == s->at || (is_digit(byte(t, at)) && at - s->at < 4)) {
		if (!is_digit(byte(t, at)))
			break;
		at++;
	}
	if (at > s->at && is_digit(byte(t, at - 1)) && byte(t, at) == '.')
		at++;
	if (at > s->at && at == t.len && !final)
		return SJ_UNSURE;
	if (at > s->at && is_space(byte(t, at)))
		s->at = at;
	if (!final && (s->at == t.len || (t.ptr[s->at] == '/' && s->at + 1 == t.len)))
		return SJ_UNSURE;
	return SJ_YES;
}

static enum sj_tri step_outside(struct sj_vertical *v, struct sj_vertical_scan *s, bool final)
{
	struct sj_slice t = v->text;
	if (skip_outside(v, s, final) == SJ_UNSURE)
		return SJ_UNSURE;
	if (s->at >= t.len)
		return SJ_YES;
	if (byte(t, s->at) == '/' && byte(t, s->at + 1) == '*') {
		s->mode = BLOCK_COMMENT;
		s->at += 2;
		return SJ_YES;
	}
	enum sj_tri begins = begins_statement(v, s->at, final, false);
	if (begins == SJ_UNSURE)
		return begins;
	s->mode = begins == SJ_YES ? CODE : SKIPPED_LINE;
	if (begins == SJ_YES) {
		while (is_space(t.ptr[s->at]))
			s->at++;
		s->start = s->at;
		s->depth = 0;
		s->last = 0;
	}
	return SJ_YES;
}

/* A line break within a statement: SJ_YES when the next statement begins behind it, and this one was left open. */
static enum sj_tri next_line_begins(const struct sj_vertical *v, const struct sj_vertical_scan *s, bool final)
{
	struct sj_slice t = v->text;
	size_t at = s->at + 1;
	if (s->depth == 0 || (s->last && sj_vertical_in(",([{=:", s->last)))
		return SJ_NO;
	if (t.len - at < 3 && !final)
		return SJ_UNSURE;
	if (byte(t, at) == '`' && byte(t, at + 1) == '`' && byte(t, at + 2) == '`')
		return SJ_YES;
	/* A list goes on over lines; what belongs to it is indented. */
	if (is_space(byte(t, at)) && s->stack[s->depth - 1] != '(')
		return SJ_NO;
	return begins_statement(v, at, final, true);
}

static enum sj_tri step_code(struct sj_vertical *v, struct sj_vertical_scan *s, bool final)
{
	struct sj_slice t = v->text;
	char c = t.ptr[s->at], next = byte(t, s->at + 1);
	size_t at = s->at;
	enum sj_tri answer;

	if (c == '\n') {
		answer = next_line_begins(v, s, final);
		if (answer == SJ_UNSURE)
			return answer;
		if (answer == SJ_YES)
			s->mode = OUTSIDE; /* the caller sees that a statement is open no more */
		else
			s->at++;
		return SJ_YES;
	}
	if (is_space(c)) {
		s->at++;
		return SJ_YES;
	}
	if ((c == '/' || c == '<') && at + 1 == t.len && !final)
		return SJ_UNSURE;
	if ((c == '#' && (at == 0 || is_space(t.ptr[at - 1]) || sj_vertical_in("\n,([{", t.ptr[at - 1]))) ||
	    (c == '/' && next == '/' && (at == 0 || t.ptr[at - 1] != ':'))) {
		s->mode = LINE_COMMENT;
		return SJ_YES;
	}
	if (c == '/' && next == '*') {
		s->mode = BLOCK_COMMENT;
		s->at += 2;
		return SJ_YES;
	}
	bool in_word = at > s->start && sj_vertical_is_name(t, at - 1, false);
	if (!((c == 'r' || c == 'R' || c == '\xE2') && in_word)) {
		answer = sj_vertical_opens(v, at, final, &s->string);
		if (answer == SJ_UNSURE)
			return answer;
		if (answer == SJ_YES) {
			s->mode = STRING;
			return SJ_YES;
		}
	}
	s->at++;
	if (c == '<' && (s->last == 0 || sj_vertical_in("=:,([{", s->last)) && sj_vertical_is_name(t, at + 1, true)) {
		s->mode = TAG;
		push(s, 'T');
	} else if (c == '(' || c == '[' || c == '{') {
		push(s, c);
	} else if (is_closer(c)) {
		pop(s, c == ')' ? '(' : c == ']' ? '[' : '{');
	}
	s->last = c;
	return SJ_YES;
}

static enum sj_tri step_tag(struct sj_vertical *v, struct sj_vertical_scan *s, bool final)
{
	struct sj_slice t = v->text;
	char c = t.ptr[s->at], next = byte(t, s->at + 1);
	if ((c == '/' || c == '<') && s->at + 1 == t.len && !final)
		return SJ_UNSURE;
	if (s->mode == CLOSING_TAG) {
		s->at++;
		if (c == '>')
			pop(s, 'C');
	} else if (s->mode == TAG && (c == '"' || c == '\'' || c == '\xE2')) {
		enum sj_tri opens = sj_vertical_opens(v, s->at, final, &s->string);
		if (opens == SJ_UNSURE)
			return opens;
		s->string.plain = true;
		if (opens == SJ_YES)
			s->mode = STRING;
		else
			s->at++;
	} else if (c == '{') {
		s->at++;
		s->last = c;
		s->mode = CODE;
		push(s, c);
	} else if (s->mode == TAG && c == '/' && next == '>') {
		s->at += 2;
		pop(s, 'T');
	} else if (s->mode == TAG && c == '>') {
		s->at++;
		s->stack[s->depth - 1] = 'C';
		s->mode = CONTENT;
	} else if (s->mode == CONTENT && c == '<' && next == '/') {
		s->at += 2;
		s->mode = CLOSING_TAG;
	} else if (s->mode == CONTENT && c == '<' && sj_vertical_is_name(t, s->at + 1, true)) {
		s->at++;
		s->mode = TAG;
		push(s, 'T');
	} else {
		s->at++;
	}
	return SJ_YES;
}

/* To the end of what is passed over; SJ_UNSURE when it has not come. */
static enum sj_tri step_over(const struct sj_vertical *v, struct sj_vertical_scan *s, bool final)
{
	struct sj_slice t = v->text;
	bool block = s->mode == BLOCK_COMMENT;
	const char *hit;
	while ((hit = memchr(t.ptr + s->at, block ? '*' : '\n', t.len - s->at)) != NULL) {
		s->at = (size_t)(hit - t.ptr);
		if (!block)
			break;
		if (s->at + 1 == t.len && !final)
			return SJ_UNSURE;
		s->at++;
		if (byte(t, s->at) == '/') {
			s->at++;
			break;
		}
	}
	if (!hit)
		s->at = t.len;
	else if (s->depth == 0)
		s->mode = OUTSIDE;
	else
		mode_of_top(s);
	return SJ_YES;
}

enum sj_tri sj_vertical_next(struct sj_vertical *v, struct sj_vertical_scan *s, bool final)
{
	memcpy(v->hopeless, s->hopeless, sizeof v->hopeless);
	while (s->at < v->text.len) {
		enum sj_tri answer = SJ_YES;
		bool was_open = s->mode == CODE || s->mode == TAG || s->mode == CONTENT || s->mode == CLOSING_TAG;
		switch ((enum mode)s->mode) {
		case OUTSIDE:
			answer = step_outside(v, s, final);
			break;
		case CODE:
			answer = step_code(v, s, final);
			break;
		case STRING:
			answer = sj_vertical_closes(v, final, &s->string);
			if (answer == SJ_YES) {
				s->at = s->string.next;
				s->last = '"';
				s->mode = CODE;
				if (s->depth > 0)
					mode_of_top(s);
			}
			break;
		case TAG:
		case CONTENT:
		case CLOSING_TAG:
			answer = step_tag(v, s, final);
			break;
		case LINE_COMMENT:
		case BLOCK_COMMENT:
		case SKIPPED_LINE:
			answer = step_over(v, s, final);
			break;
		case TOO_DEEP:
			s->at = v->text.len;
			break;
		}
		memcpy(s->hopeless, v->hopeless, sizeof s->hopeless);
		if (answer == SJ_UNSURE)
			return answer;
		if (was_open && s->mode == OUTSIDE)
			return found(s, s->at);
	}
	if (!final)
		return SJ_UNSURE;
	if (s->depth > 0)
		return found(s, v->text.len);
	s->mode = OUTSIDE;
	return SJ_NO;
}
