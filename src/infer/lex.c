#include "infer/lex.h"

#include <string.h>

#include "infer/tags.h"

enum {
	SLICE = 4096,    /* bytes looked at before room for what comes out is asked for again */
	GROWTH = 6,      /* a byte becomes at most so many */
	MARGIN = SJ_LEX_DEPTH + SJ_LEX_WORD + 16,
};

void sj_lex_init(struct sj_lex *l, struct sj_mem *mem, struct sj_repairs *repairs)
{
	memset(l, 0, offsetof(struct sj_lex, fault));
	sj_diag_clear(&l->fault);
	l->mem = mem;
	l->repairs = repairs;
	sj_buf_init(&l->text, mem, 0);
	l->line = 1;
}

void sj_lex_finish(struct sj_lex *l) { sj_buf_finish(&l->text); }

void sj_lex_begin(struct sj_lex *l, uint32_t line, uint64_t offset)
{
	sj_lex_drop(l);
	l->state = SJ_LEX_TOP;
	l->mode = SJ_LEX_NONE;
	l->in_list = l->in_wrapper = l->list_comma = l->any = l->alone = l->dead = l->comma = false;
	l->nodd = 0;
	l->depth = l->closed = l->outer = 0;
	l->line = line;
	l->offset = offset;
	l->status = SJ_OK;
	sj_diag_clear(&l->fault);
}

void sj_lex_drop(struct sj_lex *l)
{
	if (l->text.cap > SJ_LIMITS_DEFAULT.message_bytes / 16)
		sj_buf_finish(&l->text);
	else
		sj_buf_clear(&l->text);
}

/* ---- faults and repairs ------------------------------------------------------------------------------------------ */

static void die(struct sj_lex *l, enum sj_status st)
{
	if (l->dead)
		return;
	l->status = st;
	l->fault.line = l->line;
	l->fault.offset = l->offset;
	l->dead = true;
	l->nodd = 0;
	if (!sj_lex_in_string(l))
		l->mode = SJ_LEX_NONE;
}

static void fail(struct sj_lex *l, const char *what)
{
	if (!l->dead)
		die(l, sj_diag_set(&l->fault, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE, "%s", what));
}

static void mend(struct sj_lex *l, enum sj_repair_kind kind, const char *what)
{
	if (l->dead)
		return;
	enum sj_status st =
		sj_repair_note(l->mem, l->repairs, kind, l->line, l->offset, &l->fault, "%s", what);
	if (st != SJ_OK)
		die(l, st);
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* There is room: sj_lex_next has seen to it. */
static inline void put(struct sj_lex *l, char c) { l->text.ptr[l->text.len++] = c; }

static void put_all(struct sj_lex *l, const char *p, size_t n)
{
	char *to = l->text.ptr + l->text.len;
	l->text.len += n;
	if (n > 16) {
		memcpy(to, p, n);
	} else if (n >= 8) { /* short runs, without a call: two that overlap */
		memcpy(to, p, 8);
		memcpy(to + n - 8, p + n - 8, 8);
	} else if (n >= 4) {
		memcpy(to, p, 4);
		memcpy(to + n - 4, p + n - 4, 4);
	} else {
		for (size_t i = 0; i < n; i++)
			to[i] = p[i];
	}
}

static bool make_room(struct sj_lex *l, size_t n)
{
	size_t need = n * GROWTH + MARGIN;
	if (l->text.len > SJ_LIMITS_DEFAULT.message_bytes) {
		die(l,
		    sj_diag_set(&l->fault, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_PARSE,
		                "a message longer than allowed (message_bytes: %u)", SJ_LIMITS_DEFAULT.message_bytes));
		return false;
	}
	if (l->text.cap - l->text.len > need)
		return true;
	size_t len = l->text.len;
	if (!sj_buf_room(&l->text, need)) {
		die(l, SJ_NOMEM);
		return false;
	}
	l->text.len = len;
	return true;
}

/* ---- structure --------------------------------------------------------------------------------------------------- */

static bool in_object(const struct sj_lex *l) { return l->depth > 0 && l->stack[l->depth - 1] == '{'; }

static void begin_message(struct sj_lex *l)
{
	if (l->in_list && l->listed > 0 && !l->list_comma)
		mend(l, SJ_REPAIR_LITERAL, "put a missing comma between two messages");
	if (!l->in_list && !l->alone) {
		l->alone = true;
		mend(l, SJ_REPAIR_NOT_A_LIST, "read a message outside a list as a list of one");
	}
	l->any = true;
	l->begun++;
	l->listed++;
	l->list_comma = false;
	l->message_line = l->line;
	l->message_offset = l->offset;
}

static void begin_list(struct sj_lex *l)
{
	l->in_list = l->any = true;
	l->list_comma = false;
	l->listed = 0;
}

/* Before a value or key: the comma that was held, the comma or colon that is missing. */
static void lead_in(struct sj_lex *l)
{
	if (l->state == SJ_LEX_AFTER) {
		mend(l, SJ_REPAIR_LITERAL, "put a missing comma");
		l->comma = true;
		l->state = in_object(l) ? SJ_LEX_KEY : SJ_LEX_ITEM;
	}
	if (l->comma)
		put(l, ',');
	l->comma = false;
	if (l->state == SJ_LEX_COLON) {
		mend(l, SJ_REPAIR_LITERAL, "put a missing colon");
		put(l, ':');
		l->state = SJ_LEX_VALUE;
	}
}

static bool wants_key(const struct sj_lex *l) { return l->state == SJ_LEX_FIRST_KEY || l->state == SJ_LEX_KEY; }

static void open_container(struct sj_lex *l, char c)
{
	if (l->state == SJ_LEX_TOP) {
		if (c == '[' && !l->in_list) {
			begin_list(l);
			return;
		}
		begin_message(l);
	} else {
		lead_in(l);
		if (wants_key(l)) {
			fail(l, "expected a key in quotes, found a bracket");
			return;
		}
	}
	static const char wrapper[] = "{\"messages\":";
	if (c == '[' && l->depth == 1 && !l->in_wrapper && !l->in_list && l->text.len == sizeof wrapper - 1 &&
	    memcmp(l->text.ptr, wrapper, sizeof wrapper - 1) == 0) {
		l->text.len = 0;
		l->depth = 0;
		l->in_wrapper = true;
		l->state = SJ_LEX_TOP;
		begin_list(l);
		return;
	}
	if (l->depth == SJ_LEX_DEPTH) {
		die(l, sj_diag_set(&l->fault, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_PARSE,
		                   "nested deeper than allowed (json_depth: %d)", SJ_LEX_DEPTH));
		return;
	}
	l->stack[l->depth++] = (uint8_t)c;
	put(l, c);
	l->state = c == '{' ? SJ_LEX_FIRST_KEY : SJ_LEX_FIRST_ITEM;
}

/* A value is complete. true: so is the message. */
static bool after_value(struct sj_lex *l)
{
	l->state = l->depth > 0 ? SJ_LEX_AFTER : SJ_LEX_TOP;
	return l->depth == 0;
}

/* Closes the innermost container. */
static bool pop(struct sj_lex *l)
{
	if (l->comma)
		mend(l, SJ_REPAIR_TRAILING_COMMA, "took a trailing comma away");
	l->comma = false;
	put(l, l->stack[--l->depth] == '{' ? '}' : ']');
	l->closed++;
	l->outer += l->depth <= SJ_LEX_OUTER;
	return after_value(l);
}

static bool close_top(struct sj_lex *l, char c)
{
	if (c == ']' && l->in_list) {
		if (l->list_comma)
			mend(l, SJ_REPAIR_TRAILING_COMMA, "took a trailing comma away");
		l->in_list = l->list_comma = false;
	} else if (c == '}' && l->in_wrapper) {
		l->in_wrapper = l->in_list = false;
	} else {
		mend(l, SJ_REPAIR_UNCLOSED, c == ']' ? "left a stray ']' away" : "left a stray '}' away");
	}
	return false;
}

/* A closing bracket. *used: it was taken in; else it must be given again. true: the message is complete. */
static bool close_container(struct sj_lex *l, char c, bool *used)
{
	uint8_t opener = c == '}' ? '{' : '[';
	uint32_t at = l->depth;
	*used = true;
	if (l->state == SJ_LEX_TOP)
		return close_top(l, c);
	if (l->state == SJ_LEX_COLON || l->state == SJ_LEX_VALUE) {
		fail(l, "expected the value of a member, found a closing bracket");
		return false;
	}
	while (at > 0 && l->stack[at - 1] != opener)
		at--;
	if (at == 0 && !(c == ']' && l->in_list)) {
		mend(l, SJ_REPAIR_UNCLOSED, c == ']' ? "left a stray ']' away" : "left a stray '}' away");
		return false;
	}
	if (at == l->depth)
		return pop(l);
	mend(l, SJ_REPAIR_UNCLOSED, l->stack[l->depth - 1] == '{' ? "put a missing '}'" : "put a missing ']'");
	*used = false; /* one bracket at a time */
	return !l->dead && pop(l);
}

static void read_comma(struct sj_lex *l)
{
	switch (l->state) {
	case SJ_LEX_TOP:
		if (l->in_list && (l->list_comma || l->listed == 0))
			mend(l, SJ_REPAIR_TRAILING_COMMA, "took a comma too many away");
		l->list_comma = l->in_list && l->listed > 0;
		break;
	case SJ_LEX_AFTER:
		l->comma = true;
		l->state = in_object(l) ? SJ_LEX_KEY : SJ_LEX_ITEM;
		break;
	case SJ_LEX_FIRST_ITEM:
	case SJ_LEX_ITEM:
	case SJ_LEX_FIRST_KEY:
	case SJ_LEX_KEY:
		mend(l, SJ_REPAIR_TRAILING_COMMA, "took a comma too many away");
		break;
	case SJ_LEX_COLON:
	case SJ_LEX_VALUE:
		fail(l, "expected the value of a member, found ','");
		break;
	}
}

/* Something between messages that begins none. */
static void prose(struct sj_lex *l)
{
	if (l->in_list || l->in_wrapper)
		fail(l, "expected a message, which is an object");
	else
		l->mode = SJ_LEX_PROSE;
}

/* ---- strings ----------------------------------------------------------------------------------------------------- */

static void begin_string(struct sj_lex *l, char quote)
{
	if (l->state == SJ_LEX_TOP) {
		prose(l);
		return;
	}
	lead_in(l);
	if (l->dead)
		return;
	if (quote != '"')
		mend(l, SJ_REPAIR_QUOTES, quote == '\'' ? "read single quotes as double ones"
		                                        : "read typographic quotes as plain ones");
	l->is_key = wants_key(l);
	l->quote = quote;
	l->mode = SJ_LEX_STRING;
	put(l, '"');
}

static bool end_string(struct sj_lex *l)
{
	put(l, '"');
	l->mode = SJ_LEX_NONE;
	if (l->is_key) {
		l->state = SJ_LEX_COLON;
		return false;
	}
	return after_value(l);
}

/* 0, or 'd' and 's' for the typographic double and single quotes (U+2018 to U+201F). */
static char odd_quote(const uint8_t *b)
{
	if (b[0] != 0xE2 || b[1] != 0x80 || b[2] < 0x98 || b[2] > 0x9F)
		return 0;
	return b[2] >= 0x9C ? 'd' : 's';
}

static void put_control(struct sj_lex *l, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	mend(l, SJ_REPAIR_LITERAL, "wrote a control character in a string as an escape");
	put(l, '\\');
	if (c == '\n' || c == '\t' || c == '\r') {
		put(l, c == '\n' ? 'n' : c == '\t' ? 't' : 'r');
		return;
	}
	put_all(l, "u00", 3);
	put(l, hex[c >> 4]);
	put(l, hex[c & 15]);
}

/* Bytes that are the same in strict JSON. */
static const char *plain_run(const char *p, const char *end, bool smart)
{
	const uint64_t ones = 0x0101010101010101u, high = 0x8080808080808080u;
	for (; !smart && end - p >= 8; p += 8) {
		uint64_t w, q, b;
		memcpy(&w, p, 8);
		q = w ^ ones * '"';
		b = w ^ ones * '\\';
		uint64_t found = (((q - ones) & ~q) | ((b - ones) & ~b) | ((w - ones * 0x20) & ~w)) & high;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		if (found) /* the lowest mark is exact: only carries from below could make a false one */
			return p + (__builtin_ctzll(found) >> 3);
#else
		if (found)
			break;
#endif
	}
	while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20 && !(smart && (unsigned char)*p == 0xE2))
		p++;
	return p;
}

/* Inside a string. Returns where reading goes on; *done: the message is complete. */
static const char *string_bytes(struct sj_lex *l, const char *p, const char *end, bool *done)
{
	bool smart = l->quote == 'd' || l->quote == 's';
	const char *start = p;
	uint64_t base = l->offset;
	if (l->quote == '"' && l->nodd == 0) { /* nearly always: one run, to the closing quote or the end */
		const char *stop = plain_run(p, end, false);
		put_all(l, p, (size_t)(stop - p));
		p = stop;
		if (p < end && *p == '"') {
			p++;
			*done = end_string(l);
		}
		if (p == end || l->mode != SJ_LEX_STRING) {
			l->offset = base + (uint64_t)(p - start);
			return p;
		}
	}
	while (p < end && l->mode == SJ_LEX_STRING && !*done && !l->dead) {
		if (l->nodd > 0) {
			l->odd[l->nodd++] = (uint8_t)*p++;
			if (l->nodd < 3)
				continue;
			l->nodd = 0;
			if (odd_quote(l->odd) == l->quote)
				*done = end_string(l);
			else
				put_all(l, (const char *)l->odd, 3);
			continue;
		}
		const char *stop = l->quote == '\'' ? p : plain_run(p, end, smart);
		put_all(l, p, (size_t)(stop - p));
		p = stop;
		if (p == end)
			break;
		unsigned char c = (unsigned char)*p++;
		if (c == '\\') {
			l->mode = SJ_LEX_ESCAPE;
		} else if (c < 0x20) {
			l->offset = base + (uint64_t)(p - 1 - start);
			put_control(l, c);
			l->line += c == '\n';
		} else if (c == '"' && l->quote == '\'') {
			put_all(l, "\\\"", 2);
		} else if (c == '"' || (c == '\'' && l->quote == '\'')) {
			*done = end_string(l);
		} else if (c == 0xE2 && smart) {
			l->odd[0] = c;
			l->nodd = 1;
		} else {
			put(l, (char)c);
		}
	}
	l->offset = base + (uint64_t)(p - start);
	return p;
}

static void escape_byte(struct sj_lex *l, char c)
{
	l->mode = SJ_LEX_STRING;
	if (c && strchr("\"\\/bfnrtu", c)) {
		put(l, '\\');
		put(l, c);
	} else if (c == '\'') {
		mend(l, SJ_REPAIR_QUOTES, "took the backslash before a single quote away");
		put(l, c);
	} else if ((unsigned char)c < 0x20) {
		put_control(l, (unsigned char)c); /* a line that goes on in the next */
	} else {
		mend(l, SJ_REPAIR_LITERAL, "doubled a backslash that escapes nothing");
		put_all(l, "\\\\", 2);
		put(l, c);
	}
}

/* ---- words, numbers, what lies between --------------------------------------------------------------------------- */

static bool starts_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '@';
}
static bool in_word(char c) { return starts_word(c) || (c >= '0' && c <= '9') || c == '-'; }
static bool in_number(char c)
{
	return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

static bool end_word(struct sj_lex *l)
{
	static const struct {
		const char *word, *json;
	} words[] = {{"true", "true"},   {"false", "false"}, {"null", "null"},      {"True", "true"},
	             {"False", "false"}, {"TRUE", "true"},   {"FALSE", "false"},    {"None", "null"},
	             {"NULL", "null"},   {"Null", "null"},   {"undefined", "null"}, {"nil", "null"}};
	struct sj_slice word = sj_slice(l->word, l->nword);
	l->mode = SJ_LEX_NONE;
	lead_in(l);
	if (wants_key(l)) {
		mend(l, SJ_REPAIR_LITERAL, "put a bare key in quotes");
		put(l, '"');
		put_all(l, word.ptr, word.len);
		put(l, '"');
		l->state = SJ_LEX_COLON;
		return false;
	}
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (!sj_slice_is(word, words[i].word))
			continue;
		if (i >= 3)
			mend(l, SJ_REPAIR_LITERAL, "read a word of another language as true, false or null");
		put_all(l, words[i].json, strlen(words[i].json));
		return after_value(l);
	}
	if (!l->dead)
		die(l, sj_diag_set(&l->fault, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE,
		                   "expected a value, found the word '%.*s'", SJ_ARG(word)));
	return false;
}

static bool end_number(struct sj_lex *l)
{
	l->mode = SJ_LEX_NONE;
	put(l, ' '); /* so that its reader knows that it is over */
	return after_value(l);
}

/* A byte between tokens. Returns false when it has to be given again. *done: the message is complete. */
static bool token_byte(struct sj_lex *l, char c, bool *done)
{
	bool used = true;
	switch (c) {
	case '\n':
		if (l->state != SJ_LEX_TOP)
			put(l, c); /* so that lines can be counted */
		return true;
	case ' ':
	case '\t':
	case '\r':
		return true;
	case '{':
	case '[':
		if (l->in_wrapper && !l->in_list)
			fail(l, "expected '}' after the list of messages");
		else
			open_container(l, c);
		return true;
	case '}':
	case ']':
		*done = close_container(l, c, &used);
		return used;
	case '"':
	case '\'':
		begin_string(l, c);
		return true;
	case ',':
		read_comma(l);
		return true;
	case ':':
		if (l->state == SJ_LEX_COLON) {
			put(l, ':');
			l->state = SJ_LEX_VALUE;
		} else if (l->state == SJ_LEX_TOP) {
			prose(l);
		} else {
			fail(l, "found ':' where no key stands before it");
		}
		return true;
	case '/':
		l->mode = SJ_LEX_SLASH;
		return true;
	case '#':
		l->mode = SJ_LEX_LINE_COMMENT;
		mend(l, SJ_REPAIR_COMMENT, "left a comment away");
		return true;
	case '`':
		l->mode = SJ_LEX_TICKS;
		l->ticks = 1;
		return true;
	default:
		break;
	}
	bool odd = (unsigned char)c == 0xE2 || (unsigned char)c == 0xC2 || (unsigned char)c == 0xEF;
	if (odd) {
		l->odd[0] = (uint8_t)c;
		l->nodd = 1;
	} else if (l->state == SJ_LEX_TOP) {
		prose(l);
	} else if ((c >= '0' && c <= '9') || c == '-') {
		lead_in(l);
		if (wants_key(l)) {
			fail(l, "expected a key in quotes, found a number");
			return true;
		}
		l->mode = SJ_LEX_NUMBER;
		return false;
	} else if (starts_word(c)) {
		l->mode = SJ_LEX_WORD_MODE;
		l->nword = 0;
		return false;
	} else if (!l->dead) {
		die(l,
		    sj_diag_set(&l->fault, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE,
		                (unsigned char)c > 0x20 && (unsigned char)c < 0x7F ? "expected JSON, found '%c'"
		                                                                   : "expected JSON, found byte %02X",
		                (unsigned char)c));
	}
	return true;
}

/* More of a character that is not ASCII, between tokens: a typographic quote, a space that does not break, a byte order
 * mark. */
static void odd_byte(struct sj_lex *l, char c)
{
	l->odd[l->nodd++] = (uint8_t)c;
	if (l->odd[0] == 0xC2 && l->odd[1] == 0xA0) {
		l->nodd = 0;
		return;
	}
	if (l->nodd < 3 && l->odd[0] != 0xC2)
		return;
	l->nodd = 0;
	char quote = l->odd[0] != 0xC2 ? odd_quote(l->odd) : 0;
	if (quote)
		begin_string(l, quote);
	else if (l->odd[0] == 0xEF && l->odd[1] == 0xBB && l->odd[2] == 0xBF)
		return;
	else if (l->state == SJ_LEX_TOP)
		prose(l);
	else
		fail(l, "expected JSON, found a character that is not ASCII");
}

/* A byte inside something that is no string; false when it has to be given again. */
static bool mode_byte(struct sj_lex *l, char c, bool *done)
{
	switch (l->mode) {
	case SJ_LEX_WORD_MODE:
		if (in_word(c)) {
			if (l->nword == SJ_LEX_WORD)
				fail(l, "expected JSON, found a long word without quotes");
			else
				l->word[l->nword++] = c;
			return true;
		}
		*done = end_word(l);
		return false;
	case SJ_LEX_NUMBER:
		if (in_number(c)) {
			put(l, c);
			return true;
		}
		*done = end_number(l);
		return false;
	case SJ_LEX_LINE_COMMENT:
		if (c == '\n')
			l->mode = SJ_LEX_NONE;
		return c != '\n';
	case SJ_LEX_BLOCK_COMMENT:
	case SJ_LEX_STAR:
		l->mode = l->mode == SJ_LEX_STAR && c == '/' ? SJ_LEX_NONE
		          : c == '*'                         ? SJ_LEX_STAR
		                                             : SJ_LEX_BLOCK_COMMENT;
		return true;
	case SJ_LEX_SLASH:
		if (c == '/' || c == '*') {
			l->mode = c == '/' ? SJ_LEX_LINE_COMMENT : SJ_LEX_BLOCK_COMMENT;
			mend(l, SJ_REPAIR_COMMENT, "left a comment away");
			return true;
		}
		l->mode = SJ_LEX_NONE;
		if (l->state != SJ_LEX_TOP)
			fail(l, "expected JSON, found '/'");
		return false;
	case SJ_LEX_TICKS:
		if (c == '`') {
			l->ticks++;
			return true;
		}
		l->mode = l->ticks >= 3 ? SJ_LEX_LANGUAGE : SJ_LEX_NONE;
		if (l->ticks >= 3)
			mend(l, SJ_REPAIR_FENCE, "took a Markdown fence away");
		else if (l->state != SJ_LEX_TOP)
			fail(l, "expected JSON, found '`'");
		return false;
	case SJ_LEX_LANGUAGE:
		if (in_word(c) || c == '+')
			return true;
		l->mode = SJ_LEX_NONE;
		return false;
	case SJ_LEX_PROSE:
		if (c != '{' && c != '[' && c != '`')
			return true;
		mend(l, SJ_REPAIR_TEXT_AROUND, "left words around the payload away");
		l->mode = SJ_LEX_NONE;
		return false;
	case SJ_LEX_NONE:
	case SJ_LEX_STRING:
	case SJ_LEX_ESCAPE:
		break;
	}
	return true;
}

/* After a fault only the end of the block is looked for: strings still hide it. */
static void dead_byte(struct sj_lex *l, char c)
{
	if (l->mode == SJ_LEX_ESCAPE)
		l->mode = SJ_LEX_STRING;
	else if (l->mode == SJ_LEX_STRING && c == '\\')
		l->mode = SJ_LEX_ESCAPE;
	else if (c == '"')
		l->mode = l->mode == SJ_LEX_STRING ? SJ_LEX_NONE : SJ_LEX_STRING;
	else if (l->mode != SJ_LEX_STRING)
		l->mode = SJ_LEX_NONE;
}

static bool may_end(const struct sj_lex *l)
{
	return !sj_lex_in_string(l) && l->mode != SJ_LEX_LINE_COMMENT && l->mode != SJ_LEX_BLOCK_COMMENT &&
	       l->mode != SJ_LEX_STAR;
}

/* One byte that is neither in a plain run of a string nor between tokens. *done as above. */
static bool one_byte(struct sj_lex *l, char c, bool *done)
{
	if (l->dead) {
		dead_byte(l, c);
		return true;
	}
	if (l->nodd > 0) {
		odd_byte(l, c);
		return true;
	}
	if (l->mode == SJ_LEX_ESCAPE) {
		escape_byte(l, c);
		return true;
	}
	return mode_byte(l, c, done);
}

/* Strict JSON inside a message, which nearly all is: the same as byte by byte, with the places kept at hand. Stops
 * before the first byte that needs a second look, among them the one that ends the message. */
static const char *strict_bytes(struct sj_lex *l, const char *p, const char *end)
{
	const char *start = p, *run;
	char *to = l->text.ptr + l->text.len;
	enum sj_lex_state state = l->state;
	uint32_t depth = l->depth;
	bool comma = l->comma;

	for (; p < end; p++) {
		switch (*p) {
		case '\n':
			*to++ = '\n';
			l->line++;
			/* fall through */
		case ' ':
			while (p + 1 < end && p[1] == ' ')
				p++;
			continue;
		case '\t':
		case '\r':
			continue;
		case '"':
			if (state == SJ_LEX_COLON || state == SJ_LEX_AFTER)
				break;
			if (comma)
				*to++ = ',';
			comma = false;
			*to++ = '"';
			l->is_key = state == SJ_LEX_FIRST_KEY || state == SJ_LEX_KEY;
			run = plain_run(p + 1, end, false);
			l->text.len = (size_t)(to - l->text.ptr);
			put_all(l, p + 1, (size_t)(run - p - 1));
			to = l->text.ptr + l->text.len;
			p = run;
			if (p == end || *p != '"') {
				l->mode = SJ_LEX_STRING;
				l->quote = '"';
				goto out;
			}
			*to++ = '"';
			state = l->is_key ? SJ_LEX_COLON : SJ_LEX_AFTER;
			continue;
		case ':':
			if (state != SJ_LEX_COLON)
				break;
			*to++ = ':';
			state = SJ_LEX_VALUE;
			continue;
		case ',':
			if (state != SJ_LEX_AFTER)
				break;
			comma = true;
			state = l->stack[depth - 1] == '{' ? SJ_LEX_KEY : SJ_LEX_ITEM;
			continue;
		case '[':
			if (depth == 1) /* it may be the list of a wrapper */
				break;
			/* fall through */
		case '{':
			if (state == SJ_LEX_COLON || state == SJ_LEX_AFTER || state == SJ_LEX_FIRST_KEY ||
			    state == SJ_LEX_KEY || depth == SJ_LEX_DEPTH)
				break;
			if (comma)
				*to++ = ',';
			comma = false;
			l->stack[depth++] = (uint8_t)*p;
			*to++ = *p;
			state = *p == '{' ? SJ_LEX_FIRST_KEY : SJ_LEX_FIRST_ITEM;
			continue;
		case '}':
		case ']':
			if (comma || depth == 1 || l->stack[depth - 1] != (*p == '}' ? '{' : '[') ||
			    state == SJ_LEX_COLON || state == SJ_LEX_VALUE)
				break;
			*to++ = *p;
			depth--;
			l->closed++;
			l->outer += depth <= SJ_LEX_OUTER;
			state = SJ_LEX_AFTER;
			continue;
		default:
			break;
		}
		break;
	}
out:
	l->text.len = (size_t)(to - l->text.ptr);
	l->state = state;
	l->depth = depth;
	l->comma = comma;
	l->offset += (uint64_t)(p - start);
	return p;
}

enum sj_lex_event sj_lex_next(struct sj_lex *l, const char **at, const char *end)
{
	const char *p = *at;
	bool done = false;
	while (p < end && !done) {
		const char *stop = end - p > SLICE ? p + SLICE : end;
		if (!l->dead && !make_room(l, (size_t)(stop - p)))
			continue; /* dead now */
		while (p < stop && !done) {
			if (l->mode == SJ_LEX_STRING && !l->dead) {
				p = string_bytes(l, p, stop, &done);
				continue;
			}
			if (l->mode == SJ_LEX_NONE && l->depth > 0 && !l->dead && l->nodd == 0) {
				p = strict_bytes(l, p, stop);
				if (p == stop || l->mode == SJ_LEX_STRING)
					continue;
			}
			bool used;
			if (l->mode == SJ_LEX_NONE && *p != '<' && !l->dead && l->nodd == 0) {
				used = token_byte(l, *p, &done); /* nearly every byte between strings */
			} else if (*p == '<' && may_end(l)) {
				*at = p;
				return SJ_LEX_ANGLE;
			} else {
				used = one_byte(l, *p, &done);
			}
			if (used) {
				l->line += *p == '\n';
				l->offset++;
				p++;
			}
		}
	}
	*at = p;
	if (done && !l->dead)
		return SJ_LEX_MESSAGE;
	return SJ_LEX_MORE;
}

void sj_lex_angle(struct sj_lex *l, struct sj_slice bytes)
{
	for (size_t i = 0; i < bytes.len; i++) {
		if (l->dead)
			dead_byte(l, bytes.ptr[i]);
		else if (l->state == SJ_LEX_TOP && !l->in_list && !l->in_wrapper)
			l->mode = SJ_LEX_PROSE;
		else
			fail(l, "expected JSON, found '<'");
		l->line += bytes.ptr[i] == '\n';
		l->offset++;
	}
}

enum sj_lex_event sj_lex_end(struct sj_lex *l)
{
	bool done = false;
	if (l->dead || !make_room(l, 0))
		return SJ_LEX_MORE;
	if (sj_lex_in_string(l)) {
		fail(l, "the payload ends inside a string");
		return SJ_LEX_MORE;
	}
	if (l->mode == SJ_LEX_WORD_MODE)
		done = end_word(l);
	else if (l->mode == SJ_LEX_NUMBER)
		done = end_number(l);
	else if (l->mode == SJ_LEX_PROSE && l->any)
		mend(l, SJ_REPAIR_TEXT_AROUND, "left words around the payload away");
	else if (l->mode == SJ_LEX_TICKS && l->ticks >= 3)
		mend(l, SJ_REPAIR_FENCE, "took a Markdown fence away");
	l->mode = SJ_LEX_NONE;
	if (!l->dead && l->nodd > 0 && l->state != SJ_LEX_TOP)
		fail(l, "the payload ends inside a character");
	if (!l->dead && (l->state == SJ_LEX_COLON || l->state == SJ_LEX_VALUE))
		fail(l, "the payload ends before the value of a member");
	if (!l->dead && l->depth > 0) {
		mend(l, SJ_REPAIR_UNCLOSED, "closed the brackets that were open at the end");
		while (!l->dead && l->depth > 0)
			done = pop(l);
	}
	if (done && !l->dead)
		return SJ_LEX_MESSAGE;
	if (!l->dead && (l->in_list || l->in_wrapper)) {
		if (l->in_list && l->list_comma)
			mend(l, SJ_REPAIR_TRAILING_COMMA, "took a trailing comma away");
		if (!l->dead)
			mend(l, SJ_REPAIR_UNCLOSED, "closed the brackets that were open at the end");
		l->in_list = l->in_wrapper = false;
	}
	if (!l->dead && !l->any)
		fail(l, "there is no JSON in the block");
	return SJ_LEX_MORE;
}
