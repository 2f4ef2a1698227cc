#include "json/tape.h"

#include <string.h>

#include "base/num.h"
#include "base/utf.h"
#include "json/reader.h"

uint32_t sj_json_line(struct sj_slice text, size_t offset)
{
	uint32_t line = 1;
	if (offset > text.len)
		offset = text.len;
	for (size_t i = 0; i < offset; i++)
		line += text.ptr[i] == '\n';
	return line;
}

/* Decoding. */

static uint32_t hex4(const char *p)
{
	uint32_t v = 0;
	for (int i = 0; i < 4; i++) {
		uint32_t c = (unsigned char)p[i];
		v = v << 4 | (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return v;
}

size_t sj_json_decode_step(struct sj_slice source, size_t *at, char out[4])
{
	const char *p = source.ptr + *at;
	if (*p != '\\') {
		unsigned char c = (unsigned char)*p;
		size_t n = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
		if (n > source.len - *at)
			n = source.len - *at;
		memcpy(out, p, n);
		*at += n;
		return n;
	}
	if (source.len - *at < 2) { /* a source that was cut for display */
		*at = source.len;
		return 0;
	}
	*at += 2;
	switch (p[1]) {
	case 'b':
		out[0] = '\b';
		return 1;
	case 'f':
		out[0] = '\f';
		return 1;
	case 'n':
		out[0] = '\n';
		return 1;
	case 'r':
		out[0] = '\r';
		return 1;
	case 't':
		out[0] = '\t';
		return 1;
	case 'u':
		break;
	default:
		out[0] = p[1];
		return 1;
	}
	if (source.len - *at < 4) {
		*at = source.len;
		return 0;
	}
	*at += 4;
	uint32_t c = hex4(p + 2);
	if (c >= 0xD800 && c < 0xDC00 && source.len - *at >= 6 && p[6] == '\\' && p[7] == 'u') {
		uint32_t low = hex4(p + 8);
		if (low >= 0xDC00 && low < 0xE000) {
			*at += 6;
			c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
		}
	}
	return sj_utf8_put(out, c);
}

int sj_json_source_cmp(struct sj_slice a, bool a_escaped, struct sj_slice b, bool b_escaped)
{
	if (!a_escaped && !b_escaped)
		return sj_slice_cmp(a, b);
	char x[4], y[4];
	size_t i = 0, j = 0, xn = 0, yn = 0, xi = 0, yi = 0;
	for (;;) {
		if (xi == xn && i < a.len) {
			xi = 0;
			xn = a_escaped ? sj_json_decode_step(a, &i, x) : (x[0] = a.ptr[i++], 1);
		}
		if (yi == yn && j < b.len) {
			yi = 0;
			yn = b_escaped ? sj_json_decode_step(b, &j, y) : (y[0] = b.ptr[j++], 1);
		}
		if (xi == xn || yi == yn)
			return (xi < xn) - (yi < yn);
		unsigned char p = (unsigned char)x[xi++], q = (unsigned char)y[yi++];
		if (p != q)
			return p < q ? -1 : 1;
	}
}

uint32_t sj_json_source_hash(struct sj_slice source, bool escaped)
{
	enum { HASHED = 64 }; /* bytes of decoded text: enough to tell keys apart, and what both spellings can reach */
	if (!escaped)
		return sj_slice_hash(sj_slice(source.ptr, source.len < HASHED ? source.len : HASHED), 0);
	char text[HASHED + 4];
	size_t len = 0;
	for (size_t at = 0; at < source.len && len < HASHED;)
		len += sj_json_decode_step(source, &at, text + len);
	return sj_slice_hash(sj_slice(text, len < HASHED ? len : HASHED), 0);
}

struct sj_slice sj_tape_source(const struct sj_tape *t, uint32_t i)
{
	const struct sj_cell *cells = t->cells, *c = &cells[i];
	if (c->flags & SJ_CELL_OPEN) {
		uint32_t from = c->type == SJ_J_STRING ? c->off - 1 : c->off;
		return (struct sj_slice){t->text + from, t->text_len - from};
	}
	if (c->type == SJ_J_STRING)
		return (struct sj_slice){t->text + c->off - 1, (size_t)c->len + 2};
	if (c->type < SJ_J_ARRAY)
		return sj_tape_raw(t, i);
	/* The closing bracket has no cell. Walk down the last children to the last leaf; after it stand only white
	 * space and the closing brackets of the containers on the way. */
	uint32_t closing = 1, k = i;
	while (cells[k].end > k + 1) {
		uint32_t child = k + 1;
		while (cells[child].end != c->end)
			child = cells[child].end;
		k = child;
		if (cells[k].type < SJ_J_ARRAY)
			break;
		closing++;
	}
	size_t at = (size_t)cells[k].off + (cells[k].type < SJ_J_ARRAY ? cells[k].len : 1);
	if (cells[k].type == SJ_J_STRING)
		at++;
	while (closing) {
		char b = t->text[at++];
		closing -= b == '}' || b == ']';
	}
	return (struct sj_slice){t->text + c->off, at - c->off};
}

struct sj_slice sj_tape_string(const struct sj_tape *t, uint32_t i, struct sj_arena *arena)
{
	struct sj_slice source = sj_tape_raw(t, i);
	if (!(t->cells[i].flags & SJ_CELL_ESCAPED))
		return source;
	char *out = sj_arena_alloc(arena, source.len + 4); /* decoding only shrinks; a step writes up to 4 bytes */
	if (!out)
		return SJ_NO_SLICE;
	size_t len = 0;
	for (size_t at = 0; at < source.len;) {
		const char *p = source.ptr + at, *back = memchr(p, '\\', source.len - at);
		size_t run = back ? (size_t)(back - p) : source.len - at;
		memcpy(out + len, p, run);
		len += run;
		at += run;
		if (back)
			len += sj_json_decode_step(source, &at, out + len);
	}
	void *trimmed = sj_arena_resize(arena, out, source.len + 4, len + 1);
	return (struct sj_slice){trimmed ? trimmed : out, len};
}

bool sj_tape_string_is(const struct sj_tape *t, uint32_t i, struct sj_slice s)
{
	struct sj_slice source = sj_tape_raw(t, i);
	if (t->cells[i].flags & SJ_CELL_ESCAPED)
		return source.len >= s.len && sj_json_source_cmp(source, true, s, false) == 0;
	return sj_slice_eq(source, s);
}

/* Numbers. */

double sj_tape_number(const struct sj_tape *t, uint32_t i)
{
	double d = 0;
	sj_num_parse(sj_tape_raw(t, i), &d);
	return d;
}

bool sj_tape_int(const struct sj_tape *t, uint32_t i, int64_t *out)
{
	if (t->cells[i].type != SJ_J_NUMBER)
		return false;
	struct sj_slice s = sj_tape_raw(t, i);
	size_t at = s.ptr[0] == '-', mantissa_end = at;
	while (mantissa_end < s.len && (s.ptr[mantissa_end] | 0x20) != 'e')
		mantissa_end++;
	int64_t exponent = 0;
	if (mantissa_end < s.len) {
		size_t e = mantissa_end + 1;
		bool minus = s.ptr[e] == '-';
		e += minus || s.ptr[e] == '+';
		for (; e < s.len; e++)
			if (exponent < INT64_C(1000000000000)) /* far beyond any text's length: clamped */
				exponent = exponent * 10 + (s.ptr[e] - '0');
		if (minus)
			exponent = -exponent;
	}
	/* Digits and their place: value = digits * 10^exponent once the fraction is taken off the exponent. Trailing
	 * zeros wait in `zeros` until a digit follows, so that "1.0" and "100e-2" lose them. */
	uint64_t digits = 0;
	int64_t zeros = 0;
	bool in_fraction = false, started = false;
	for (; at < mantissa_end; at++) {
		char c = s.ptr[at];
		if (c == '.') {
			in_fraction = true;
			continue;
		}
		exponent -= in_fraction;
		if (c == '0') {
			zeros += started;
			continue;
		}
		for (; zeros >= 0; zeros--) {
			unsigned d = zeros == 0 ? (unsigned)(c - '0') : 0;
			if (digits > (UINT64_MAX - d) / 10)
				return false;
			digits = digits * 10 + d;
		}
		zeros = 0;
		started = true;
	}
	exponent += zeros;
	if (digits == 0) {
		*out = 0;
		return true;
	}
	if (exponent < 0 || exponent > 18)
		return false;
	while (exponent--) {
		if (digits > UINT64_MAX / 10)
			return false;
		digits *= 10;
	}
	bool minus = s.ptr[0] == '-';
	if (digits > (uint64_t)INT64_MAX + minus)
		return false;
	*out = minus ? (int64_t)(0 - digits) : (int64_t)digits;
	return true;
}

/* Look-up. */

/* Among the sorted keys: the last place of `key`, by binary search for the first entry beyond it. */
static uint32_t find_indexed(const struct sj_tape *t, const struct sj_tape_index *x, struct sj_slice key, bool escaped)
{
	uint32_t hash = sj_json_source_hash(key, escaped), lo = 0, hi = x->count;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct sj_key_entry *e = &x->keys[mid];
		int order = e->hash < hash ? -1 : e->hash > hash;
		if (order == 0)
			order = sj_json_source_cmp(sj_tape_raw(t, e->cell), t->cells[e->cell].flags & SJ_CELL_ESCAPED,
			                           key, escaped);
		if (order <= 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0 || x->keys[lo - 1].hash != hash)
		return 0;
	uint32_t k = x->keys[lo - 1].cell;
	return sj_json_source_cmp(sj_tape_raw(t, k), t->cells[k].flags & SJ_CELL_ESCAPED, key, escaped) == 0 ? k + 1
	                                                                                                     : 0;
}

uint32_t sj_tape_get(const struct sj_tape *t, uint32_t obj, struct sj_slice key)
{
	const struct sj_cell *cells = t->cells, *object = &cells[obj];
	if (object->type != SJ_J_OBJECT)
		return 0;
	if (object->aux && t->indexes)
		return find_indexed(t, &t->indexes[object->aux - 1], key, false);
	bool first_is_only = !(object->flags & SJ_CELL_DUPS);
	uint16_t print = sj_json_key_print(key.ptr, key.len);
	uint32_t found = 0;
	for (uint32_t k = obj + 1; k < object->end; k = cells[k + 1].end) {
		const struct sj_cell *c = &cells[k];
		bool same = c->flags & SJ_CELL_ESCAPED
		                    ? sj_tape_string_is(t, k, key)
		                    : c->aux == print && sj_slice_eq(sj_tape_raw(t, k), key);
		if (!same)
			continue;
		found = k + 1;
		if (first_is_only)
			break;
	}
	return found;
}

uint32_t sj_tape_item(const struct sj_tape *t, uint32_t array, uint32_t index)
{
	const struct sj_cell *cells = t->cells;
	if (cells[array].type != SJ_J_ARRAY || index >= cells[array].len)
		return 0;
	uint32_t c = array + 1;
	while (index--)
		c = cells[c].end;
	return c;
}

/* Equality. */

/* Members as a reader sees them, repeated keys counted once. */
static uint32_t distinct_members(const struct sj_tape *t, uint32_t obj)
{
	const struct sj_cell *object = &t->cells[obj];
	if (!(object->flags & SJ_CELL_DUPS))
		return object->len;
	uint32_t count = 0;
	if (object->aux && t->indexes) {
		const struct sj_tape_index *x = &t->indexes[object->aux - 1];
		for (uint32_t i = 0; i < x->count; i++) {
			const struct sj_key_entry *e = &x->keys[i];
			count += i == 0 || e[-1].hash != e->hash ||
			         sj_json_source_cmp(
					 sj_tape_raw(t, e[-1].cell), t->cells[e[-1].cell].flags & SJ_CELL_ESCAPED,
					 sj_tape_raw(t, e->cell), t->cells[e->cell].flags & SJ_CELL_ESCAPED) != 0;
		}
		return count;
	}
	for (uint32_t k = obj + 1; k < object->end; k = t->cells[k + 1].end) {
		bool again = false; /* a later member has the same key */
		for (uint32_t j = t->cells[k + 1].end; j < object->end && !again; j = t->cells[j + 1].end)
			again = sj_json_source_cmp(sj_tape_raw(t, k), t->cells[k].flags & SJ_CELL_ESCAPED,
			                           sj_tape_raw(t, j), t->cells[j].flags & SJ_CELL_ESCAPED) == 0;
		count += !again;
	}
	return count;
}

static bool same_text(const struct sj_tape *a, uint32_t i, const struct sj_tape *b, uint32_t j)
{
	bool x = a->cells[i].flags & SJ_CELL_ESCAPED, y = b->cells[j].flags & SJ_CELL_ESCAPED;
	if (!x && !y)
		return sj_slice_eq(sj_tape_raw(a, i), sj_tape_raw(b, j));
	return sj_json_source_cmp(sj_tape_raw(a, i), x, sj_tape_raw(b, j), y) == 0;
}

/* The value in object `obj` of b for the key cell `key` of a. */
static uint32_t get_by_cell(const struct sj_tape *a, uint32_t key, const struct sj_tape *b, uint32_t obj)
{
	if (!(a->cells[key].flags & SJ_CELL_ESCAPED))
		return sj_tape_get(b, obj, sj_tape_raw(a, key));
	if (b->cells[obj].aux && b->indexes)
		return find_indexed(b, &b->indexes[b->cells[obj].aux - 1], sj_tape_raw(a, key), true);
	uint32_t found = 0;
	for (uint32_t k = obj + 1; k < b->cells[obj].end; k = b->cells[k + 1].end)
		if (same_text(a, key, b, k))
			found = k + 1;
	return found;
}

/* One pair of containers being compared: `next` is the next cell of a's content, `hint` of b's. */
struct pair {
	uint32_t a, b, next, hint;
};

/* Equal scalars, or containers worth entering. */
static bool may_equal(const struct sj_tape *a, uint32_t i, const struct sj_tape *b, uint32_t j)
{
	const struct sj_cell *x = &a->cells[i], *y = &b->cells[j];
	if (x->type != y->type)
		return false;
	switch ((enum sj_json_type)x->type) {
	case SJ_J_NULL:
	case SJ_J_FALSE:
	case SJ_J_TRUE:
		return true;
	case SJ_J_NUMBER:
		return sj_slice_eq(sj_tape_raw(a, i), sj_tape_raw(b, j)) ||
		       sj_tape_number(a, i) == sj_tape_number(b, j);
	case SJ_J_STRING:
		return same_text(a, i, b, j);
	case SJ_J_ARRAY:
		return x->len == y->len;
	case SJ_J_OBJECT:
		return distinct_members(a, i) == distinct_members(b, j);
	}
	return false;
}

/* The next pair of children to compare. false: the containers are through, or differ (*differ). */
static bool next_children(const struct sj_tape *a, const struct sj_tape *b, struct pair *p, uint32_t *i, uint32_t *j,
                          bool *differ)
{
	const struct sj_cell *x = &a->cells[p->a], *y = &b->cells[p->b];
	if (p->next >= x->end)
		return false;
	if (x->type == SJ_J_ARRAY) {
		*i = p->next;
		*j = p->hint;
		p->next = a->cells[*i].end;
		p->hint = b->cells[*j].end;
		return true;
	}
	uint32_t key = p->next;
	p->next = a->cells[key + 1].end;
	*i = x->flags & SJ_CELL_DUPS ? get_by_cell(a, key, a, p->a) : key + 1;
	/* Nearly always both objects have the same order. */
	if (p->hint < y->end && !(y->flags & SJ_CELL_DUPS) && same_text(a, key, b, p->hint))
		*j = p->hint + 1;
	else
		*j = get_by_cell(a, key, b, p->b);
	if (*j == 0) {
		*differ = true;
		return false;
	}
	p->hint = b->cells[*j].end;
	return true;
}

bool sj_tape_equal(const struct sj_tape *a, uint32_t ai, const struct sj_tape *b, uint32_t bi)
{
	struct pair stack[SJ_JSON_MAX_DEPTH];
	uint32_t depth = 0, i = ai, j = bi;
	for (;;) {
		if (!may_equal(a, i, b, j))
			return false;
		if (a->cells[i].type >= SJ_J_ARRAY)
			stack[depth++] = (struct pair){i, j, i + 1, j + 1};
		bool differ = false;
		while (depth && !next_children(a, b, &stack[depth - 1], &i, &j, &differ)) {
			if (differ)
				return false;
			depth--;
		}
		if (depth == 0)
			return true;
	}
}
