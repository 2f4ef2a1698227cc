#include <math.h>

#include "base/num.h"
#include "base/utf.h"
#include "json/body.h"

/* Bytes that a JSON string shows as they are. Beyond ASCII, only what is well-formed. */
static bool is_plain(unsigned char c) { return c >= ' ' && c != '"' && c != '\\' && c < 0x80; }

static size_t skip_plain(struct sj_slice text, size_t at)
{
	const unsigned char *p = (const unsigned char *)text.ptr;
	while (text.len - at >= 8) {
		/* Eight bytes at once: in each, the high bit is set by one that is not plain (and perhaps by its
		 * neighbour above). */
		const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
		uint64_t w;
		memcpy(&w, p + at, sizeof w);
		uint64_t quote = w ^ ones * '"', back = w ^ ones * '\\';
		if ((w | (w - ones * ' ') | (quote - ones) | (back - ones)) & highs)
			break;
		at += 8;
	}
	while (at < text.len && is_plain(p[at]))
		at++;
	return at;
}

static void print_special(struct sj_buf *out, uint32_t c)
{
	static const char hex[] = "0123456789abcdef";
	static const char shortcuts[][2] = {
		['\b'] = "b", ['\t'] = "t", ['\n'] = "n", ['\f'] = "f", ['\r'] = "r", ['"'] = "\"", ['\\'] = "\\"};
	char escape[6] = {'\\', 'u'};
	if (c < sizeof shortcuts / sizeof *shortcuts && shortcuts[c][0]) {
		escape[1] = shortcuts[c][0];
		sj_buf_put(out, escape, 2);
	} else if (c < ' ' || (c >= 0xD800 && c < 0xE000)) {
		escape[2] = hex[c >> 12];
		escape[3] = hex[c >> 8 & 15];
		escape[4] = hex[c >> 4 & 15];
		escape[5] = hex[c & 15];
		sj_buf_put(out, escape, sizeof escape);
	} else {
		sj_buf_code(out, c); /* an ill-formed byte comes out as U+FFFD */
	}
}

void sj_json_print_string(struct sj_buf *out, struct sj_slice text)
{
	size_t at = skip_plain(text, 0);
	if (at == text.len) { /* the usual case: one piece */
		char *place = sj_buf_room(out, text.len + 2);
		if (!place)
			return;
		*place = '"';
		if (text.len)
			memcpy(place + 1, text.ptr, text.len);
		place[text.len + 1] = '"';
		return;
	}
	sj_buf_putc(out, '"');
	for (size_t from = 0; from < text.len; from = at, at = skip_plain(text, at)) {
		sj_buf_put(out, text.ptr + from, at - from);
		if (at < text.len)
			print_special(out, sj_utf8_next(text, &at));
	}
	sj_buf_putc(out, '"');
}

enum { CANONICAL = 1 << 16 }; /* infinities are refused */

static void print_scalar(struct sj_buf *out, const struct sj_value *v, unsigned flags)
{
	char text[SJ_NUM_TEXT];
	switch ((enum sj_value_type)v->type) {
	case SJ_V_ABSENT:
	case SJ_V_NULL:
		sj_buf_put(out, "null", 4);
		return;
	case SJ_V_FALSE:
		sj_buf_put(out, "false", 5);
		return;
	case SJ_V_TRUE:
		sj_buf_put(out, "true", 4);
		return;
	case SJ_V_INT:
		sj_buf_put(out, text, sj_num_text_i64(v->u.i, text));
		return;
	case SJ_V_DOUBLE:
		if (!isinf(v->u.d))
			sj_buf_put(out, text, sj_num_text(v->u.d, text));
		else if (flags & CANONICAL) /* RFC 8785 3.2.2.3 */
			out->status = out->status == SJ_OK ? SJ_INVALID : out->status;
		else /* reads back as what it was */
			sj_buf_puts(out, v->u.d < 0 ? "-1e999" : "1e999");
		return;
	case SJ_V_SHORT:
	case SJ_V_STRING:
		sj_json_print_string(out, sj_value_text(v));
		return;
	case SJ_V_ARRAY:
	case SJ_V_OBJECT:
		return;
	}
}

struct printer {
	struct sj_buf *out;
	unsigned flags;
	uint32_t depth;
	SJ_VEC(uint32_t) order; /* sorted places of the members of each open object, one after the other */
};

static int compare_keys(const struct printer *p, const struct sj_vmap *o, uint32_t a, uint32_t b)
{
	struct sj_slice x = sj_value_text(&o->members[a].key), y = sj_value_text(&o->members[b].key);
	return p->flags & SJ_PRINT_UTF16 ? sj_utf16_cmp(x, y) : sj_slice_cmp(x, y);
}

static void sift(const struct printer *p, const struct sj_vmap *o, uint32_t *heap, uint32_t at, uint32_t count)
{
	for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count && compare_keys(p, o, heap[child], heap[child + 1]) < 0)
			child++;
		if (compare_keys(p, o, heap[at], heap[child]) >= 0)
			return;
		uint32_t t = heap[at];
		heap[at] = heap[child];
		heap[child] = t;
	}
}

static bool sort_members(struct printer *p, struct sj_body *b)
{
	const struct sj_vmap *o = sj_vmap_of(b);
	uint32_t n = b->count, base = p->order.count;
	enum sj_status st = SJ_VEC_RESERVE(p->out->mem, &p->order, base + n, 0);
	if (st != SJ_OK) {
		p->out->status = p->out->status == SJ_OK ? st : p->out->status;
		return false;
	}
	uint32_t *heap = p->order.items + base;
	p->order.count += n;
	b->link.base = base;
	for (uint32_t i = 0; i < n; i++)
		heap[i] = i;
	for (uint32_t i = n / 2; i-- > 0;)
		sift(p, o, heap, i, n);
	for (uint32_t i = n; i-- > 1;) {
		uint32_t t = heap[0];
		heap[0] = heap[i];
		heap[i] = t;
		sift(p, o, heap, 0, i);
	}
	return true;
}

static void new_line(struct printer *p)
{
	if (!(p->flags & SJ_PRINT_PRETTY))
		return;
	sj_buf_putc(p->out, '\n');
	for (uint32_t i = 0; i < p->depth; i++)
		sj_buf_put(p->out, "  ", 2);
}

static bool is_sorted(const struct printer *p) { return (p->flags & (SJ_PRINT_SORTED | SJ_PRINT_UTF16)) != 0; }

/* Opens a container; an empty one is printed whole. false: nothing to walk. */
static bool enter(struct printer *p, struct sj_body *b, struct sj_body *up)
{
	bool object = b->type == SJ_V_OBJECT;
	if (b->count == 0) {
		sj_buf_put(p->out, object ? "{}" : "[]", 2);
		return false;
	}
	b->up = up;
	b->at = 0;
	if (object && is_sorted(p) && !sort_members(p, b))
		return false;
	sj_buf_putc(p->out, object ? '{' : '[');
	p->depth++;
	return true;
}

static void print(struct sj_buf *out, const struct sj_value *v, unsigned flags)
{
	if (!sj_value_is_container(v)) {
		print_scalar(out, v, flags);
		return;
	}
	struct printer p = {.out = out, .flags = flags};
	struct sj_body *b = sj_body_of(v);
	if (!enter(&p, b, NULL))
		b = NULL;
	while (b && out->status == SJ_OK) {
		bool object = b->type == SJ_V_OBJECT;
		if (b->at == b->count) {
			p.depth--;
			if (object && is_sorted(&p))
				p.order.count = (uint32_t)b->link.base;
			new_line(&p);
			sj_buf_putc(out, object ? '}' : ']');
			b = b->up;
			continue;
		}
		if (b->at)
			sj_buf_putc(out, ',');
		new_line(&p);
		uint32_t i = b->at++;
		const struct sj_value *child;
		if (object) {
			if (is_sorted(&p))
				i = p.order.items[b->link.base + i];
			const struct sj_member *member = &sj_vmap_of(b)->members[i];
			sj_json_print_string(out, sj_value_text(&member->key));
			sj_buf_put(out, ": ", flags & SJ_PRINT_PRETTY ? 2 : 1);
			child = &member->value;
		} else {
			child = sj_list_at(sj_list_of(b), i);
		}
		if (!sj_value_is_container(child))
			print_scalar(out, child, flags);
		else if (enter(&p, sj_body_of(child), b))
			b = sj_body_of(child);
	}
	SJ_VEC_FREE(out->mem, &p.order);
}

void sj_value_print(struct sj_buf *out, const struct sj_value *v, unsigned flags)
{
	print(out, v, flags & ~(unsigned)CANONICAL);
}
void sj_value_canonical(struct sj_buf *out, const struct sj_value *v) { print(out, v, SJ_PRINT_UTF16 | CANONICAL); }
