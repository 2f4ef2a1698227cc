/* The bytes of a block become nodes, one message at a time. Any split; no byte is looked at twice.
 *
 * A list around the messages, and what closes it, is passed over. Brackets are forgiven: a closing bracket closes
 * whatever it can belong to, an object where a key should be is the next item or message, what is left over is ignored.
 * Everything else must be JSON, but for trailing commas and typographic quotes around strings. Words between messages
 * are passed over too, so that fences cost nothing.
 */
#include "base/utf.h"
#include "infer/legacy_internal.h"

enum { MOST_WORD = 512, MOST_TAG = 256 };

static enum sj_status fault(struct sj_legacy *p, size_t at, struct sj_diag *diag, enum sj_code code, const char *what)
{
	if (diag && diag->code == SJ_E_NONE)
		diag->offset = p->read.offset + at;
	return sj_diag_set(diag, SJ_INVALID, code, SJ_CAT_PARSE, "Failed to parse JSON: %s", what);
}

static enum sj_status limit(struct sj_diag *diag, const char *what, uint32_t most)
{
	return sj_diag_set(diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_PARSE, "Failed to parse JSON: more than %u %s", most,
	                   what);
}

void sj_legacy_read_init(struct sj_legacy *p)
{
	sj_arena_init(&p->read.arena, p->mem, 0);
	sj_buf_init(&p->read.token, p->mem, 0);
}

void sj_legacy_read_finish(struct sj_legacy *p)
{
	sj_buf_finish(&p->read.token);
	sj_arena_finish(&p->read.arena);
}

struct sj_legacy_node *sj_legacy_member(const struct sj_legacy_node *object, struct sj_slice key)
{
	struct sj_legacy_node *found = NULL;
	for (struct sj_legacy_node *n = object->first; n; n = n->next)
		if (sj_slice_eq(n->key, key))
			found = n;
	return found;
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static enum sj_status check_limits(struct sj_legacy *p, size_t at, struct sj_diag *diag)
{
	if (p->read.message && p->read.offset + at - p->read.began > p->limits->message_bytes)
		return limit(diag, "bytes in one message", p->limits->message_bytes);
	return SJ_OK;
}

static enum sj_status add_node(struct sj_legacy *p, enum sj_legacy_type type, struct sj_legacy_node **out,
                               struct sj_diag *diag)
{
	struct sj_legacy_reader *r = &p->read;
	if (r->nodes >= p->limits->json_values)
		return limit(diag, "values in one message", p->limits->json_values);
	struct sj_legacy_node *n = sj_arena_zalloc(&r->arena, sizeof *n);
	if (!n)
		return SJ_NOMEM;
	r->nodes++;
	r->changed = true;
	n->type = (uint8_t)type;
	n->parent = r->top;
	if (r->top) {
		if (r->top->type == SJ_LN_OBJECT)
			n->key = r->key;
		if (r->top->last)
			r->top->last->next = n;
		else
			r->top->first = n;
		r->top->last = n;
	}
	r->has_key = r->has_colon = false;
	*out = n;
	return SJ_OK;
}

static enum sj_status close_top(struct sj_legacy *p, bool implied, struct sj_diag *diag)
{
	struct sj_legacy_reader *r = &p->read;
	struct sj_legacy_node *n = r->top;
	n->open = false;
	r->top = n->parent;
	r->depth--;
	r->has_key = r->has_colon = false;
	r->changed = true;
	return sj_legacy_closed(p, n, implied, diag);
}

static enum sj_status open_container(struct sj_legacy *p, enum sj_legacy_type type, size_t at, struct sj_diag *diag)
{
	struct sj_legacy_reader *r = &p->read;
	struct sj_legacy_node *n;
	enum sj_status st = SJ_OK;

	if (r->top && r->top->type == SJ_LN_OBJECT && !r->has_colon) {
		if (r->has_key || type == SJ_LN_ARRAY)
			return fault(p, at, diag, SJ_E_JSON_SYNTAX, "a key is expected");
		/* The brackets before it are missing: the next item of a list, or the next message. */
		while (st == SJ_OK && r->top && r->top->type == SJ_LN_OBJECT)
			st = close_top(p, true, diag);
		if (st != SJ_OK)
			return st;
	}
	if (!r->top) {
		if (type == SJ_LN_ARRAY) { /* the list of messages */
			r->saw_list = true;
			return SJ_OK;
		}
		sj_legacy_message_drop(p);
		r->saw_message = true;
		r->began = r->offset + at;
	}
	uint32_t most = p->limits->json_depth < SJ_JSON_MAX_DEPTH ? p->limits->json_depth : SJ_JSON_MAX_DEPTH;
	if (r->depth >= most)
		return limit(diag, "levels", most);
	st = add_node(p, type, &n, diag);
	if (st != SJ_OK)
		return st;
	n->open = true;
	r->depth++;
	if (!r->top)
		r->message = n;
	r->top = n;
	return sj_legacy_opened(p, n, diag);
}

static enum sj_status close_container(struct sj_legacy *p, enum sj_legacy_type type, size_t at, struct sj_diag *diag)
{
	struct sj_legacy_reader *r = &p->read;
	const struct sj_legacy_node *target = r->top;
	enum sj_status st = SJ_OK;

	if (r->has_key)
		return fault(p, at, diag, SJ_E_JSON_SYNTAX, "a key has no value");
	while (target && target->type != type)
		target = target->parent;
	/* An array that is not there is the list of messages: everything ends. */
	if (!target && type == SJ_LN_OBJECT)
		return SJ_OK;
	while (st == SJ_OK && r->top && r->top != target)
		st = close_top(p, true, diag);
	if (st == SJ_OK && r->top)
		st = close_top(p, false, diag);
	return st;
}

static enum sj_status add_value(struct sj_legacy *p, struct sj_value value, size_t at, struct sj_diag *diag)
{
	struct sj_legacy_node *n;
	if (p->read.top->type == SJ_LN_OBJECT && !p->read.has_colon)
		return fault(p, at, diag, SJ_E_JSON_SYNTAX, "a key is expected");
	enum sj_status st = add_node(p, SJ_LN_VALUE, &n, diag);
	if (st == SJ_OK)
		n->value = value;
	return st;
}

/* ---- tokens ------------------------------------------------------------------------------------------------------ */

static bool is_cuttable(const struct sj_legacy *p, struct sj_slice key)
{
	for (uint32_t i = 0; i < p->cuttable.count; i++)
		if (sj_slice_eq(p->cuttable.items[i], key))
			return true;
	return false;
}

static void begin_string(struct sj_legacy *p, bool typographic)
{
	struct sj_legacy_reader *r = &p->read;
	sj_buf_clear(&r->token);
	r->lexer = SJ_LX_STRING;
	r->typographic = typographic;
	r->high = 0;
	r->cuttable = r->top && r->top->type == SJ_LN_OBJECT && r->has_colon && is_cuttable(p, r->key);
}

static enum sj_status end_string(struct sj_legacy *p, size_t at, struct sj_diag *diag)
{
	struct sj_legacy_reader *r = &p->read;
	struct sj_slice text = sj_buf_view(&r->token);
	struct sj_legacy_node *n;

	r->lexer = SJ_LX_NONE;
	if (sj_buf_status(&r->token) != SJ_OK)
		return SJ_NOMEM;
	if (!r->top) {
		r->saw_junk = true;
		return SJ_OK;
	}
	if (r->high)
		return fault(p, at, diag, SJ_E_JSON_SURROGATE, "half of a surrogate pair stands alone");
	if (sj_utf8_check(text) != text.len)
		return fault(p, at, diag, SJ_E_JSON_UTF8, "a string is no UTF-8");
	if (r->has_key && !r->has_colon)
		return fault(p, at, diag, SJ_E_JSON_SYNTAX, "a colon is expected");
	text = sj_arena_copy(&r->arena, text);
	if (!text.ptr)
		return SJ_NOMEM;
	if (r->top->type == SJ_LN_OBJECT && !r->has_key) {
		r->key = text;
		r->has_key = true;
		return SJ_OK;
	}
	enum sj_status st = add_node(p, SJ_LN_STRING, &n, diag);
	if (st == SJ_OK)
		n->text = text;
	return st;
}

static enum sj_status end_word(struct sj_legacy *p, size_t at, struct sj_diag *diag)
{
	struct sj_legacy_reader *r = &p->read;
	struct sj_slice word = sj_buf_view(&r->token);
	struct sj_value v;

	r->lexer = SJ_LX_NONE;
	if (sj_buf_status(&r->token) != SJ_OK)
		return SJ_NOMEM;
	if (!r->top) {
		r->saw_junk = true;
		return SJ_OK;
	}
	enum sj_status st = word.len > MOST_WORD ? SJ_INVALID : sj_value_parse(p->mem, &p->json, word, &v, NULL);
	if (st == SJ_NOMEM)
		return st;
	if (st != SJ_OK) {
		char what[96];
		size_t n = sj_utf8_cut(word, 40);
		if (sj_utf8_check(sj_slice(word.ptr, n)) != n)
			n = 0;
		memcpy(what, "unexpected '", 12);
		memcpy(what + 12, word.ptr, n);
		memcpy(what + 12 + n, "'", 2);
		return fault(p, at, diag, SJ_E_JSON_SYNTAX, what);
	}
	return add_value(p, v, at, diag);
}

static bool is_space(unsigned char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static bool ends_word(unsigned char c) { return is_space(c) || memchr(",:{}[]\"<", c, 8) != NULL; }

/* Does the buffer end in a typographic double quote? Then it is taken off. */
static bool take_typographic(struct sj_buf *b)
{
	if (b->len < 3 || (memcmp(b->ptr + b->len - 3, "\xe2\x80\x9c", 3) != 0 &&
	                   memcmp(b->ptr + b->len - 3, "\xe2\x80\x9d", 3) != 0))
		return false;
	b->len -= 3;
	b->ptr[b->len] = '\0';
	return true;
}

static enum sj_status escape(struct sj_legacy *p, unsigned char c, size_t at, struct sj_diag *diag)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	struct sj_legacy_reader *r = &p->read;
	const char *found = memchr(from, c, sizeof from - 1);

	if (c == 'u') {
		r->lexer = SJ_LX_UNICODE;
		r->digits = 0;
		r->code = 0;
		return SJ_OK;
	}
	if (!found || r->high)
		return r->top ? fault(p, at, diag, SJ_E_JSON_SYNTAX, "a backslash stands before what it cannot escape")
		              : (r->lexer = SJ_LX_STRING, SJ_OK);
	sj_buf_putc(&r->token, to[found - from]);
	r->lexer = SJ_LX_STRING;
	return SJ_OK;
}

static enum sj_status unicode(struct sj_legacy *p, unsigned char c, size_t at, struct sj_diag *diag)
{
	struct sj_legacy_reader *r = &p->read;
	uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
	                 : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a' + 10)
	                 : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10)
	                                        : 16;
	if (digit == 16)
		return r->top ? fault(p, at, diag, SJ_E_JSON_SYNTAX, "\\u needs four digits")
		              : (r->lexer = SJ_LX_STRING, SJ_OK);
	r->code = r->code << 4 | digit;
	if (++r->digits < 4)
		return SJ_OK;
	r->lexer = SJ_LX_STRING;
	bool low = r->code >= 0xdc00 && r->code < 0xe000, high = r->code >= 0xd800 && r->code < 0xdc00;
	if (low != (r->high != 0) && r->top)
		return fault(p, at, diag, SJ_E_JSON_SURROGATE, "half of a surrogate pair stands alone");
	if (high) {
		r->high = r->code;
		return SJ_OK;
	}
	sj_buf_code(&r->token, low && r->high ? 0x10000 + ((r->high - 0xd800) << 10) + (r->code - 0xdc00) : r->code);
	r->high = 0;
	return SJ_OK;
}

/* A run of a string's own bytes, up to what ends or interrupts it. */
static enum sj_status string_run(struct sj_legacy *p, struct sj_slice bytes, size_t *at, struct sj_diag *diag)
{
	struct sj_legacy_reader *r = &p->read;
	size_t from = *at, i = from;
	unsigned char last = r->typographic ? 0x9d : '"'; /* the last byte of the closing quote */

	while (i < bytes.len && bytes.ptr[i] != '"' && bytes.ptr[i] != '\\' && (unsigned char)bytes.ptr[i] != last)
		i++;
	if (r->high && r->top && (i > from || (i < bytes.len && bytes.ptr[i] != '\\')))
		return fault(p, i, diag, SJ_E_JSON_SURROGATE, "half of a surrogate pair stands alone");
	if (i > from) {
		if (r->top)
			sj_buf_put(&r->token, bytes.ptr + from, i - from);
		r->changed = r->changed || r->cuttable;
	}
	*at = i;
	if (r->token.len > p->limits->string_bytes)
		return limit(diag, "bytes in one string", p->limits->string_bytes);
	if (i == bytes.len)
		return sj_buf_status(&r->token);
	(*at)++;
	if (bytes.ptr[i] == '\\') {
		r->lexer = SJ_LX_ESCAPE;
		return SJ_OK;
	}
	if (bytes.ptr[i] == '"')
		return end_string(p, i, diag);
	sj_buf_putc(&r->token, bytes.ptr[i]);
	return take_typographic(&r->token) ? end_string(p, i, diag) : sj_buf_status(&r->token);
}

/* What stands after `<`: a tag of ours, or nothing known. *again: the byte is still to be read. */
static enum sj_status tag_byte(struct sj_legacy *p, char c, size_t at, bool *closed, bool *again, struct sj_diag *diag)
{
	static const char closing[] = "</" SJ_LEGACY_TAG ">", opening[] = "<" SJ_LEGACY_TAG;
	struct sj_legacy_reader *r = &p->read;
	size_t len;

	sj_buf_putc(&r->token, c);
	if (sj_buf_status(&r->token) != SJ_OK)
		return SJ_NOMEM;
	len = r->token.len;
	if (len < sizeof closing && memcmp(r->token.ptr, closing, len) == 0) {
		*closed = len == sizeof closing - 1;
		if (*closed)
			r->lexer = SJ_LX_NONE;
		return SJ_OK;
	}
	if (len < sizeof opening ? memcmp(r->token.ptr, opening, len) == 0
	                         : memcmp(r->token.ptr, opening, sizeof opening - 1) == 0 && len < MOST_TAG &&
	                                   (r->token.ptr[sizeof opening - 1] == '>' ||
	                                    is_space((unsigned char)r->token.ptr[sizeof opening - 1]))) {
		if (len >= sizeof opening && c == '>') { /* the model began anew: what is unfinished goes */
			r->lexer = SJ_LX_NONE;
			sj_legacy_message_drop(p);
		}
		return SJ_OK;
	}
	r->lexer = SJ_LX_NONE;
	if (r->top)
		return fault(p, at, diag, SJ_E_JSON_SYNTAX, "unexpected '<'");
	r->saw_junk = true;
	*again = true;
	return SJ_OK;
}

static enum sj_status plain_byte(struct sj_legacy *p, char c, size_t at, struct sj_diag *diag)
{
	struct sj_legacy_reader *r = &p->read;
	switch (c) {
	case ' ':
	case '\t':
	case '\n':
	case '\r':
		return SJ_OK;
	case '{':
		return open_container(p, SJ_LN_OBJECT, at, diag);
	case '[':
		return open_container(p, SJ_LN_ARRAY, at, diag);
	case '}':
		return close_container(p, SJ_LN_OBJECT, at, diag);
	case ']':
		return close_container(p, SJ_LN_ARRAY, at, diag);
	case ',':
		return r->has_key ? fault(p, at, diag, SJ_E_JSON_SYNTAX, "a key has no value") : SJ_OK;
	case ':':
		if (!r->has_key || r->has_colon)
			return r->top ? fault(p, at, diag, SJ_E_JSON_SYNTAX, "unexpected ':'") : SJ_OK;
		r->has_colon = true;
		return SJ_OK;
	case '"':
		begin_string(p, false);
		return SJ_OK;
	default:
		sj_buf_clear(&r->token);
		sj_buf_putc(&r->token, c);
		r->lexer = c == '<' ? SJ_LX_TAG : SJ_LX_WORD;
		return sj_buf_status(&r->token);
	}
}

static enum sj_status word_byte(struct sj_legacy *p, char c, size_t at, bool *again, struct sj_diag *diag)
{
	struct sj_legacy_reader *r = &p->read;
	if (ends_word((unsigned char)c)) {
		*again = true;
		return end_word(p, at, diag);
	}
	if (r->token.len > MOST_WORD && !r->top) /* nobody reads it */
		sj_buf_clear(&r->token);
	if (r->token.len <= MOST_WORD + 2)
		sj_buf_putc(&r->token, c);
	if (!take_typographic(&r->token))
		return sj_buf_status(&r->token);
	enum sj_status st = r->token.len > 0 ? end_word(p, at, diag) : SJ_OK;
	begin_string(p, true);
	return st;
}

enum sj_status sj_legacy_read(struct sj_legacy *p, const char *bytes, size_t n, size_t *used, bool *closed,
                              struct sj_diag *diag)
{
	struct sj_legacy_reader *r = &p->read;
	enum sj_status st = SJ_OK;
	size_t i = 0;

	*closed = false;
	while (st == SJ_OK && i < n && !*closed) {
		bool again = false;
		st = check_limits(p, i, diag);
		if (st != SJ_OK)
			break;
		switch (r->lexer) {
		case SJ_LX_STRING:
			st = string_run(p, sj_slice(bytes, n), &i, diag);
			continue;
		case SJ_LX_ESCAPE:
			st = escape(p, (unsigned char)bytes[i], i, diag);
			r->changed = r->changed || r->cuttable;
			break;
		case SJ_LX_UNICODE:
			st = unicode(p, (unsigned char)bytes[i], i, diag);
			r->changed = r->changed || r->cuttable;
			break;
		case SJ_LX_WORD:
			st = word_byte(p, bytes[i], i, &again, diag);
			break;
		case SJ_LX_TAG:
			st = tag_byte(p, bytes[i], i, closed, &again, diag);
			break;
		case SJ_LX_NONE:
			st = plain_byte(p, bytes[i], i, diag);
			break;
		}
		if (!again)
			i++;
	}
	*used = i;
	r->offset += i;
	return st;
}

enum sj_status sj_legacy_read_end(struct sj_legacy *p, struct sj_diag *diag)
{
	struct sj_legacy_reader *r = &p->read;
	enum sj_status st = SJ_OK;

	while (st == SJ_OK && r->top)
		st = close_top(p, true, diag);
	if (st != SJ_OK)
		return st;
	if (!r->saw_message && r->saw_junk)
		return fault(p, 0, diag, SJ_E_JSON_SYNTAX, "a list of messages is expected");
	if (!r->saw_message && !r->saw_list)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE, "A2UI JSON part is empty");
	return SJ_OK;
}
