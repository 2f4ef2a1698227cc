#include "json/reader.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/buf.h"
#include "base/utf.h"

void sj_reader_init(struct sj_reader *r, struct sj_arena *arena, const struct sj_json_options *opt)
{
	/* Member by member: clearing the stack would cost more than reading a small document. */
	r->arena = arena;
	r->opt = *opt;
	if (r->opt.max_depth > SJ_JSON_MAX_DEPTH)
		r->opt.max_depth = SJ_JSON_MAX_DEPTH;
	r->cells = NULL;
	r->count = r->cap = 0;
	r->indexes.items = NULL;
	r->indexes.count = r->indexes.cap = 0;
	r->state = SJ_READ_VALUE;
	r->number_state = 0;
	r->is_key = r->is_escaped = false;
	r->at = r->token = 0;
	r->members = r->depth = 0;
}

void sj_reader_finish(struct sj_reader *r)
{
	struct sj_mem *mem = r->arena->mem;
	for (uint32_t i = 0; i < r->indexes.count; i++)
		sj_mem_free(mem, r->indexes.items[i].memory, r->indexes.items[i].count * sizeof(struct sj_key_entry));
	SJ_VEC_FREE(mem, &r->indexes);
}

/* Faults. */

static void put_pointer_token(struct sj_buf *out, struct sj_slice source)
{
	char bytes[4];
	for (size_t at = 0; at < source.len;) {
		size_t n = sj_json_decode_step(source, &at, bytes);
		if (n == 1 && (bytes[0] == '~' || bytes[0] == '/'))
			sj_buf_puts(out, bytes[0] == '~' ? "~0" : "~1");
		else
			sj_buf_put(out, bytes, n);
	}
}

/* The pointer of the innermost open container. Its text lives in a small fixed account: a diagnostic has room for 255
 * bytes. */
static void set_pointer(const struct sj_reader *r, const char *text, struct sj_diag *diag)
{
	struct sj_buf out;
	sj_buf_init(&out, r->arena->mem, 4096);
	for (uint32_t d = 1; d < r->depth; d++) {
		const struct sj_cell *parent = &r->cells[r->stack[d - 1]];
		if (out.len >= sizeof diag->pointer)
			break;
		sj_buf_putc(&out, '/');
		if (parent->type == SJ_J_OBJECT) {
			const struct sj_cell *key = &r->cells[r->stack[d] - 1];
			put_pointer_token(&out, sj_slice(text + key->off, key->len < 256 ? key->len : 256));
		} else {
			sj_buf_printf(&out, "%u", parent->len - 1);
		}
	}
	sj_diag_pointer(diag, "%.*s", SJ_ARG(sj_buf_view(&out)));
	sj_buf_finish(&out);
}

enum sj_status sj_reader_fail(const struct sj_reader *r, struct sj_slice text, size_t at, enum sj_status status,
                              enum sj_code code, struct sj_diag *diag, const char *what)
{
	if (!diag || diag->code != SJ_E_NONE)
		return status;
	if (status != SJ_INVALID || code == SJ_E_JSON_INCOMPLETE || at >= text.len) {
		sj_diag_set(diag, status, code, SJ_CAT_PARSE, "%s", what);
	} else {
		unsigned char c = (unsigned char)text.ptr[at];
		if (c > ' ' && c < 0x7F)
			sj_diag_set(diag, status, code, SJ_CAT_PARSE, "%s, found '%c'", what, c);
		else
			sj_diag_set(diag, status, code, SJ_CAT_PARSE, "%s, found byte 0x%02X", what, c);
	}
	diag->offset = at;
	diag->line = sj_json_line(text, at);
	if (status != SJ_NOMEM)
		set_pointer(r, text.ptr, diag);
	return status;
}

enum sj_status sj_reader_limit(const struct sj_reader *r, struct sj_slice text, size_t at, struct sj_diag *diag,
                               const char *what, size_t most)
{
	char words[96];
	snprintf(words, sizeof words, "%s: %zu)", what, most);
	return sj_reader_fail(r, text, at, SJ_LIMIT, SJ_E_LIMIT, diag, words);
}

/* Cells. */

enum sj_status sj_reader_reserve(struct sj_reader *r, uint32_t cells)
{
	if (cells > r->opt.max_values)
		cells = r->opt.max_values;
	if (cells <= r->cap)
		return SJ_OK;
	struct sj_cell *moved = sj_arena_resize(r->arena, r->cells, r->cap * sizeof *moved, cells * sizeof *moved);
	if (!moved)
		return SJ_NOMEM;
	r->cells = moved;
	r->cap = cells;
	return SJ_OK;
}

SJ_COLD static enum sj_status grow(struct sj_reader *r)
{
	if (r->cap >= r->opt.max_values)
		return SJ_LIMIT;
	return sj_reader_reserve(r, r->cap < 32 ? 64 : r->cap > UINT32_MAX / 2 ? UINT32_MAX : r->cap * 2);
}

/* Strings. */

/* The first byte at or after p that is a quote, a backslash, a control character or not ASCII; or end. */
static inline const char *skip_plain(const char *p, const char *end)
{
#if defined(__SSE2__)
	while (end - p >= 16) {
		__m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
		/* A signed comparison: bytes from 0x80 are negative, so they are below the space too. */
		__m128i special = _mm_or_si128(_mm_cmplt_epi8(x, _mm_set1_epi8(' ')),
		                               _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8('"')),
		                                            _mm_cmpeq_epi8(x, _mm_set1_epi8('\\'))));
		unsigned mask = (unsigned)_mm_movemask_epi8(special);
		if (mask)
			return p + __builtin_ctz(mask);
		p += 16;
	}
#endif
	while (p < end && (signed char)*p >= ' ' && *p != '"' && *p != '\\')
		p++;
	return p;
}

enum { QUICK = 16 };

/* Length of the plain string at p when its quote lies within QUICK bytes (which are there), else QUICK. */
static inline unsigned quick_length(const char *p)
{
#if defined(__SSE2__)
	__m128i x = _mm_loadu_si128((const __m128i *)(const void *)p);
	__m128i quote = _mm_cmpeq_epi8(x, _mm_set1_epi8('"'));
	__m128i special = _mm_or_si128(_mm_cmplt_epi8(x, _mm_set1_epi8(' ')), _mm_cmpeq_epi8(x, _mm_set1_epi8('\\')));
	unsigned quotes = (unsigned)_mm_movemask_epi8(quote) | 1u << QUICK;
	unsigned before = quotes ^ (quotes - 1); /* the bits up to the first quote */
	return (unsigned)_mm_movemask_epi8(special) & before ? QUICK : (unsigned)__builtin_ctz(quotes);
#else
	unsigned n = 0;
	while (n < QUICK && (signed char)p[n] >= ' ' && p[n] != '"' && p[n] != '\\')
		n++;
	return n < QUICK && p[n] == '"' ? n : QUICK;
#endif
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads four hex digits. Returns how many were good: 4, or fewer when the end or a bad digit came first. */
static int read_hex(const char *p, const char *end, uint32_t *out)
{
	uint32_t v = 0;
	for (int i = 0; i < 4; i++) {
		int d = p + i < end ? hex_value(p[i]) : -1;
		if (d < 0)
			return i;
		v = v << 4 | (uint32_t)d;
	}
	*out = v;
	return 4;
}

struct fault {
	size_t at;
	enum sj_code code;
	const char *what;
	uint32_t most; /* of a limit */
};

SJ_COLD static enum sj_status fault(struct fault *f, size_t at, enum sj_code code, const char *what)
{
	*f = (struct fault){at, code, what, 0};
	return SJ_INVALID;
}

/* An escape at *p. SJ_MORE: the end came first, *p stays. */
static enum sj_status read_escape(const struct sj_reader *r, const char *base, const char **at, const char *end,
                                  struct fault *f)
{
	const char *p = *at;
	if (end - p < 2)
		return SJ_MORE;
	switch (p[1]) {
	case '"':
	case '\\':
	case '/':
	case 'b':
	case 'f':
	case 'n':
	case 'r':
	case 't':
		*at = p + 2;
		return SJ_OK;
	case 'u':
		break;
	default:
		return fault(f, (size_t)(p + 1 - base), SJ_E_JSON_SYNTAX, "expected an escape such as \\n or \\u00e9");
	}
	uint32_t unit, low;
	int good = read_hex(p + 2, end, &unit);
	if (good < 4) {
		if (p + 2 + good == end)
			return SJ_MORE;
		return fault(f, (size_t)(p + 2 + good - base), SJ_E_JSON_SYNTAX, "expected a hexadecimal digit");
	}
	*at = p + 6;
	if (unit < 0xD800 || unit > 0xDFFF || r->opt.surrogate == SJ_SURROGATE_KEEP)
		return SJ_OK;
	*at = p;
	size_t here = (size_t)(p - base);
	if (unit >= 0xDC00)
		return fault(f, here, SJ_E_JSON_SURROGATE, "a low surrogate without a high one before it");
	static const char lone[] = "a high surrogate without a low one after it";
	for (int i = 0; i < 2; i++) {
		if (p + 6 + i == end)
			return SJ_MORE;
		if (p[6 + i] != "\\u"[i])
			return fault(f, here, SJ_E_JSON_SURROGATE, lone);
	}
	good = read_hex(p + 8, end, &low);
	if (good < 4) {
		if (p + 8 + good == end)
			return SJ_MORE;
		return fault(f, (size_t)(p + 8 + good - base), SJ_E_JSON_SYNTAX, "expected a hexadecimal digit");
	}
	if (low < 0xDC00 || low > 0xDFFF)
		return fault(f, here, SJ_E_JSON_SURROGATE, lone);
	*at = p + 12;
	return SJ_OK;
}

/* Moves over code points beyond ASCII that begin before `stop`. SJ_MORE: the last one is cut by the end, which is no
 * fault yet. */
static enum sj_status read_utf8(const char *base, const char **at, const char *stop, const char *end, struct fault *f)
{
	const unsigned char *p = (const unsigned char *)*at, *last = (const unsigned char *)end;
	while (p < (const unsigned char *)stop && *p >= 0x80) {
		unsigned char c = *p, lo = 0x80, hi = 0xBF; /* bounds of the second byte, Unicode 15 table 3-7 */
		int more = c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;
		if (c == 0xE0)
			lo = 0xA0;
		else if (c == 0xED)
			hi = 0x9F;
		else if (c == 0xF0)
			lo = 0x90;
		else if (c == 0xF4)
			hi = 0x8F;
		*at = (const char *)p;
		if (c < 0xC2 || c > 0xF4)
			return fault(f, (size_t)(*at - base), SJ_E_JSON_UTF8, "text that is not UTF-8");
		for (int i = 1; i <= more; i++, lo = 0x80, hi = 0xBF) {
			if (p + i == last)
				return SJ_MORE;
			if (p[i] < lo || p[i] > hi)
				return fault(f, (size_t)(*at - base), SJ_E_JSON_UTF8, "text that is not UTF-8");
		}
		p += more + 1;
	}
	*at = (const char *)p;
	return SJ_OK;
}

/* Numbers: the grammar as a table of states, so that a number may be cut anywhere. */
enum number_state {
	NUM_STOP, /* the byte does not belong to the number */
	NUM_START,
	NUM_MINUS,
	NUM_ZERO,
	NUM_INT,
	NUM_POINT,
	NUM_FRACTION,
	NUM_E,
	NUM_SIGN,
	NUM_EXPONENT,
};
enum number_class { OTHER, ZERO, DIGIT, MINUS, PLUS, POINT, EXPONENT };

static const uint8_t number_next[][EXPONENT + 1] = {
	[NUM_START] = {[ZERO] = NUM_ZERO, [DIGIT] = NUM_INT, [MINUS] = NUM_MINUS},
	[NUM_MINUS] = {[ZERO] = NUM_ZERO, [DIGIT] = NUM_INT},
	[NUM_ZERO] = {[POINT] = NUM_POINT, [EXPONENT] = NUM_E},
	[NUM_INT] = {[ZERO] = NUM_INT, [DIGIT] = NUM_INT, [POINT] = NUM_POINT, [EXPONENT] = NUM_E},
	[NUM_POINT] = {[ZERO] = NUM_FRACTION, [DIGIT] = NUM_FRACTION},
	[NUM_FRACTION] = {[ZERO] = NUM_FRACTION, [DIGIT] = NUM_FRACTION, [EXPONENT] = NUM_E},
	[NUM_E] = {[ZERO] = NUM_EXPONENT, [DIGIT] = NUM_EXPONENT, [MINUS] = NUM_SIGN, [PLUS] = NUM_SIGN},
	[NUM_SIGN] = {[ZERO] = NUM_EXPONENT, [DIGIT] = NUM_EXPONENT},
	[NUM_EXPONENT] = {[ZERO] = NUM_EXPONENT, [DIGIT] = NUM_EXPONENT},
};

static bool is_digit(char c) { return (unsigned char)(c - '0') < 10; }
static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

static enum number_class number_class(char c)
{
	if (is_digit(c))
		return c == '0' ? ZERO : DIGIT;
	return c == '.' ? POINT : (c | 0x20) == 'e' ? EXPONENT : c == '-' ? MINUS : c == '+' ? PLUS : OTHER;
}

/* Moves over a number from `state`. Returns the state at the byte that does not belong to it, or at the end. */
static enum number_state read_number(enum number_state state, const char **at, const char *end)
{
	const char *p = *at;
	for (; p < end; p++) {
		enum number_state next = (enum number_state)number_next[state][number_class(*p)];
		if (next == NUM_STOP)
			break;
		state = next;
	}
	*at = p;
	return state;
}

static bool number_may_end(enum number_state s)
{
	return s == NUM_ZERO || s == NUM_INT || s == NUM_FRACTION || s == NUM_EXPONENT;
}

static const char *literal_of(char first)
{
	return first == 't' ? "true" : first == 'f' ? "false" : "null";
}

/* The machine. */

static const char *const incomplete[] = {
	[SJ_READ_VALUE] = "the document ends where a value should stand",
	[SJ_READ_FIRST_ITEM] = "the document ends inside an array",
	[SJ_READ_FIRST_KEY] = "the document ends inside an object",
	[SJ_READ_KEY] = "the document ends where a key should stand",
	[SJ_READ_COLON] = "the document ends after a key",
	[SJ_READ_AFTER] = "the document ends inside an array or object",
	[SJ_READ_STRING] = "the document ends inside a string",
	[SJ_READ_NUMBER] = "the document ends inside a number",
	[SJ_READ_DONE] = "",
};

#define SUSPEND(next_state)                                                                                            \
	do {                                                                                                           \
		r->state = (next_state);                                                                               \
		goto suspend;                                                                                          \
	} while (0)
#define SKIP_SPACE(next_state)                                                                                         \
	do {                                                                                                           \
		/* Most documents have none: one comparison settles it. */                                             \
		while (p < end && (unsigned char)*p <= ' ' && is_space(*p))                                            \
			p++;                                                                                           \
		if (p == end)                                                                                          \
			SUSPEND(next_state);                                                                           \
	} while (0)
#define FAULT(where, c, w)                                                                                             \
	do {                                                                                                           \
		st = fault(&f, (size_t)((where) - base), (c), (w));                                                    \
		goto failed;                                                                                           \
	} while (0)
#define LIMIT(where, w, n)                                                                                             \
	do {                                                                                                           \
		fault(&f, (size_t)((where) - base), SJ_E_LIMIT, (w));                                                  \
		f.most = (n);                                                                                          \
		st = SJ_LIMIT;                                                                                         \
		goto failed;                                                                                           \
	} while (0)
#define RESERVE(where)                                                                                                 \
	do {                                                                                                           \
		if (n == r->cap) {                                                                                     \
			st = grow(r);                                                                                  \
			if (st == SJ_LIMIT)                                                                            \
				LIMIT(where, "more values than one document may hold (json_values",                    \
				      r->opt.max_values);                                                              \
			if (st != SJ_OK)                                                                               \
				goto no_memory;                                                                        \
			cells = r->cells;                                                                              \
		}                                                                                                      \
	} while (0)

/* Most objects of a message have two or three members, whose fingerprints alone tell that all keys differ. */
static inline bool few_keys_differ(const struct sj_cell *cells, uint32_t object, uint32_t members)
{
	if (members > 3)
		return false;
	const struct sj_cell *a = &cells[object + 1], *b = &cells[a[1].end];
	if (members == 2)
		return a->aux != b->aux && !((a->flags | b->flags) & SJ_CELL_ESCAPED);
	const struct sj_cell *c = &cells[b[1].end];
	return a->aux != b->aux && a->aux != c->aux && b->aux != c->aux &&
	       !((a->flags | b->flags | c->flags) & SJ_CELL_ESCAPED);
}

enum sj_status sj_reader_run(struct sj_reader *r, struct sj_slice text, bool final, struct sj_diag *diag)
{
	const char *const base = text.ptr, *const end = text.ptr + text.len;
	const char *p = base + r->at;
	/* A string that begins before here may be tried with quick_length. */
	const char *const quick_end = text.len > QUICK && r->opt.max_string_bytes >= QUICK ? end - QUICK : base;
	struct sj_cell *cells = r->cells;
	uint32_t n = r->count, depth = r->depth, members = r->members;
	uint32_t top = depth ? r->stack[depth - 1] : 0;
	bool in_object = depth && cells[top].type == SJ_J_OBJECT;
	enum sj_status st;
	struct fault f;

	switch (r->state) {
	case SJ_READ_VALUE:
		goto value;
	case SJ_READ_FIRST_ITEM:
		goto first_item;
	case SJ_READ_FIRST_KEY:
		goto first_key;
	case SJ_READ_KEY:
		goto key;
	case SJ_READ_COLON:
		goto colon;
	case SJ_READ_AFTER:
		goto after_value;
	case SJ_READ_STRING:
		goto string;
	case SJ_READ_NUMBER:
		goto number;
	case SJ_READ_DONE:
		return SJ_OK;
	}

value:
	SKIP_SPACE(SJ_READ_VALUE);
value_here:
	switch (*p) {
	case '"':
		if (p < quick_end) {
			unsigned len = quick_length(p + 1);
			if (len < QUICK) {
				RESERVE(p);
				cells[n] = (struct sj_cell){
					.off = (uint32_t)(p + 1 - base), .len = len, .end = n + 1, .type = SJ_J_STRING};
				n++;
				p += len + 2;
				goto value_complete;
			}
		}
		r->is_key = false;
		goto string_begins;
	case '{':
	case '[':
		if (depth >= r->opt.max_depth)
			LIMIT(p, "nested deeper than a document may be (json_depth", r->opt.max_depth);
		RESERVE(p);
		if (depth)
			cells[top].len = members + 1;
		in_object = *p == '{';
		cells[n] = (struct sj_cell){.off = (uint32_t)(p - base), .type = in_object ? SJ_J_OBJECT : SJ_J_ARRAY};
		top = n++;
		r->stack[depth++] = top;
		members = 0;
		p++;
		if (in_object)
			goto first_key;
		goto first_item;
	case '-':
	case '0':
	case '1':
	case '2':
	case '3':
	case '4':
	case '5':
	case '6':
	case '7':
	case '8':
	case '9':
		r->token = (size_t)(p - base);
		r->number_state = NUM_START;
		goto number;
	case 't':
	case 'f':
	case 'n': {
		const char *word = literal_of(*p);
		uint32_t len = 1;
		while (word[len]) {
			if (p + len == end)
				SUSPEND(SJ_READ_VALUE);
			if (p[len] != word[len])
				FAULT(p + len, SJ_E_JSON_SYNTAX, "expected true, false or null");
			len++;
		}
		RESERVE(p);
		cells[n] = (struct sj_cell){.off = (uint32_t)(p - base),
		                            .len = len,
		                            .end = n + 1,
		                            .type = *p == 't' ? SJ_J_TRUE : *p == 'f' ? SJ_J_FALSE : SJ_J_NULL};
		n++;
		p += len;
		goto value_complete;
	}
	default:
		FAULT(p, SJ_E_JSON_SYNTAX, "expected a value");
	}

first_item:
	SKIP_SPACE(SJ_READ_FIRST_ITEM);
	if (*p != ']')
		goto value_here;
	p++;
	goto close;

first_key:
	SKIP_SPACE(SJ_READ_FIRST_KEY);
	if (*p == '}') {
		p++;
		goto close;
	}
	if (*p != '"')
		FAULT(p, SJ_E_JSON_SYNTAX, "expected a key in quotes or '}'");
	goto key_here;

key:
	SKIP_SPACE(SJ_READ_KEY);
	if (*p != '"')
		FAULT(p, SJ_E_JSON_SYNTAX, "expected a key in quotes");
key_here:
	if (p < quick_end) {
		unsigned len = quick_length(p + 1);
		if (len < QUICK) {
			RESERVE(p);
			cells[n] = (struct sj_cell){.off = (uint32_t)(p + 1 - base),
			                            .len = len,
			                            .end = n + 1,
			                            .type = SJ_J_STRING,
			                            .flags = SJ_CELL_KEY,
			                            .aux = sj_json_key_print(p + 1, len)};
			n++;
			p += len + 2;
			goto colon;
		}
	}
	r->is_key = true;

string_begins:
	p++;
	r->token = (size_t)(p - base);
	r->is_escaped = false;
string : {
	const char *begin = base + r->token;
	/* One byte beyond the longest string: its quote must stand there at the latest. */
	const char *stop = (size_t)(end - begin) > r->opt.max_string_bytes ? begin + r->opt.max_string_bytes + 1 : end;
	for (;;) {
		if (p < stop)
			p = skip_plain(p, stop);
		if (p >= stop) {
			if (stop != end || (size_t)(p - begin) > r->opt.max_string_bytes)
				LIMIT(begin, "a string longer than allowed (string_bytes", r->opt.max_string_bytes);
			SUSPEND(SJ_READ_STRING);
		}
		if (*p == '"')
			break;
		if (*p == '\\') {
			r->is_escaped = true;
			st = read_escape(r, base, &p, end, &f);
		} else if ((unsigned char)*p >= 0x80) {
			st = read_utf8(base, &p, stop, end, &f);
		} else {
			FAULT(p, SJ_E_JSON_SYNTAX, "a control character inside a string");
		}
		if (st == SJ_MORE)
			SUSPEND(SJ_READ_STRING);
		if (st != SJ_OK)
			goto failed;
	}
	RESERVE(begin - 1);
	uint32_t len = (uint32_t)(p - begin);
	p++;
	cells[n] = (struct sj_cell){.off = (uint32_t)(begin - base),
	                            .len = len,
	                            .end = n + 1,
	                            .type = SJ_J_STRING,
	                            .flags = r->is_escaped ? SJ_CELL_ESCAPED : 0};
	n++;
	if (!r->is_key)
		goto value_complete;
	cells[n - 1].flags |= SJ_CELL_KEY;
	cells[n - 1].aux = r->is_escaped ? 0 : sj_json_key_print(begin, len);
}
colon:
	SKIP_SPACE(SJ_READ_COLON);
	if (*p != ':')
		FAULT(p, SJ_E_JSON_SYNTAX, "expected ':' after a key");
	p++;
	goto value;

number:
	if (r->number_state == NUM_START) { /* an integer, the usual case, without the table of states */
		const char *q = p + (*p == '-'), *first = q;
		while (q < end && is_digit(*q))
			q++;
		if (q < end && q > first && (*first != '0' || q == first + 1) && *q != '.' && (*q | 0x20) != 'e') {
			p = q;
			r->number_state = NUM_INT;
			goto number_complete;
		}
	}
	r->number_state = (uint8_t)read_number((enum number_state)r->number_state, &p, end);
	if (p == end && !(final && number_may_end((enum number_state)r->number_state)))
		SUSPEND(SJ_READ_NUMBER);
	if (!number_may_end((enum number_state)r->number_state))
		FAULT(p, SJ_E_JSON_NUMBER, "expected a digit");
	if (r->number_state == NUM_ZERO && p < end && is_digit(*p))
		FAULT(p, SJ_E_JSON_NUMBER, "a number may not begin with 0 and another digit");
number_complete:
	RESERVE(base + r->token);
	cells[n] = (struct sj_cell){.off = (uint32_t)r->token,
	                            .len = (uint32_t)((size_t)(p - base) - r->token),
	                            .end = n + 1,
	                            .type = SJ_J_NUMBER};
	n++;
	goto value_complete;

close:
	if (in_object && members > 1 && !few_keys_differ(cells, top, members)) {
		uint32_t repeated;
		if (sj_reader_check_keys(r, top, members, base, &repeated) != SJ_OK)
			goto no_memory;
		if (repeated && r->opt.dup == SJ_DUP_REFUSE) {
			r->at = (size_t)(p - base);
			p = base + cells[repeated].off;
			FAULT(p, SJ_E_JSON_DUPLICATE_KEY, "a key that this object has already");
		}
		cells[top].flags = repeated ? SJ_CELL_DUPS : 0;
	} else {
		cells[top].flags = 0;
	}
	cells[top].len = members;
	cells[top].end = n;
	if (--depth == 0)
		goto done;
	top = r->stack[depth - 1];
	members = cells[top].len;
	in_object = cells[top].type == SJ_J_OBJECT;
	goto after_value;

value_complete:
	if (depth == 0)
		goto done;
	members++;
after_value:
	SKIP_SPACE(SJ_READ_AFTER);
	if (*p == ',') {
		p++;
		if (in_object)
			goto key;
		goto value;
	}
	if (*p == (in_object ? '}' : ']')) {
		p++;
		goto close;
	}
	FAULT(p, SJ_E_JSON_SYNTAX, in_object ? "expected ',' or '}'" : "expected ',' or ']'");

done:
	r->state = SJ_READ_DONE;
	r->at = (size_t)(p - base);
	r->count = n;
	r->depth = 0;
	return SJ_OK;

suspend:
	r->at = (size_t)(p - base);
	r->count = n;
	r->depth = depth;
	r->members = members;
	if (!final)
		return SJ_MORE;
	fault(&f, text.len, SJ_E_JSON_INCOMPLETE, incomplete[r->state]);
	st = SJ_INVALID;
	return sj_reader_fail(r, text, f.at, st, f.code, diag, f.what);

no_memory:
	st = SJ_NOMEM;
	fault(&f, (size_t)(p - base), SJ_E_NOMEM, "out of memory");
failed:
	if (r->at < (size_t)(p - base))
		r->at = (size_t)(p - base);
	r->count = n;
	r->depth = depth;
	r->members = members;
	return st == SJ_LIMIT ? sj_reader_limit(r, text, f.at, diag, f.what, f.most)
	                      : sj_reader_fail(r, text, f.at, st, f.code, diag, f.what);
}

struct sj_json_options sj_json_options_wire(const struct sj_limits *l)
{
	return (struct sj_json_options){
		.dup = SJ_DUP_REFUSE,
		.surrogate = SJ_SURROGATE_REFUSE,
		.max_depth = l->json_depth,
		.max_values = l->json_values,
		.max_string_bytes = l->string_bytes,
		.max_bytes = l->message_bytes,
	};
}

/* Moves the indexes into the arena, where the cells are. */
static enum sj_status keep_indexes(struct sj_reader *r, struct sj_tape *tape)
{
	tape->indexes = NULL;
	if (r->indexes.count == 0)
		return SJ_OK;
	struct sj_tape_index *all = sj_arena_alloc(r->arena, r->indexes.count * sizeof *all);
	if (!all)
		return SJ_NOMEM;
	for (uint32_t i = 0; i < r->indexes.count; i++) {
		const struct sj_tape_index *x = &r->indexes.items[i];
		struct sj_key_entry *keys = sj_arena_alloc(r->arena, x->count * sizeof *keys);
		if (!keys)
			return SJ_NOMEM;
		memcpy(keys, x->keys, x->count * sizeof *keys);
		all[i] = (struct sj_tape_index){.object = x->object, .count = x->count, .keys = keys};
	}
	tape->indexes = all;
	return SJ_OK;
}

enum sj_status sj_json_parse(struct sj_arena *arena, const struct sj_json_options *opt, struct sj_slice text,
                             struct sj_tape *out, struct sj_diag *diag)
{
	struct sj_reader r;
	struct sj_arena_mark mark = sj_arena_mark(arena);
	if (!text.ptr)
		text = SJ_LIT("");
	sj_reader_init(&r, arena, opt);
	if (text.len > opt->max_bytes)
		return sj_reader_limit(&r, text, opt->max_bytes, diag, "a document longer than allowed (message_bytes",
		                       opt->max_bytes);
	enum sj_status st = sj_reader_reserve(&r, (uint32_t)(text.len / 8) + 16);
	if (st != SJ_OK)
		sj_reader_fail(&r, text, 0, st, SJ_E_NOMEM, diag, "out of memory");
	else
		st = sj_reader_run(&r, text, true, diag);
	if (st == SJ_OK) {
		const char *p = text.ptr + r.at, *end = text.ptr + text.len;
		while (p < end && is_space(*p))
			p++;
		if (p < end)
			st = sj_reader_fail(&r, text, (size_t)(p - text.ptr), SJ_INVALID, SJ_E_JSON_SYNTAX, diag,
			                    "expected nothing after the document");
	}
	struct sj_tape tape = {.text = text.ptr, .text_len = text.len};
	if (st == SJ_OK) {
		/* Gives back what the guess was too high by; should that be refused, the cells stay where they are. */
		struct sj_cell *trimmed =
			sj_arena_resize(arena, r.cells, r.cap * sizeof *r.cells, r.count * sizeof *r.cells);
		tape.cells = trimmed ? trimmed : r.cells;
		tape.count = r.count;
		st = keep_indexes(&r, &tape);
		if (st != SJ_OK)
			sj_reader_fail(&r, text, text.len, st, SJ_E_NOMEM, diag, "out of memory");
	}
	sj_reader_finish(&r);
	if (st == SJ_OK)
		*out = tape;
	else
		sj_arena_rollback(arena, mark);
	return st;
}
