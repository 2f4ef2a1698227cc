#include "json/value.h"

#include <assert.h>
#include <math.h>

#include "base/num.h"
#include "json/body.h"

static const double largest_int = 9007199254740992.0; /* 2^53 */

struct sj_value sj_value_int(int64_t i)
{
	if (i < -(INT64_C(1) << 53) || i > INT64_C(1) << 53)
		return (struct sj_value){.type = SJ_V_DOUBLE, .u.d = (double)i};
	return (struct sj_value){.type = SJ_V_INT, .u.i = i};
}

struct sj_value sj_value_number(double d)
{
	if (isnan(d))
		return SJ_NULL_VALUE;
	if (d >= -largest_int && d <= largest_int) {
		int64_t i = (int64_t)d;
		if ((double)i == d)
			return (struct sj_value){.type = SJ_V_INT, .u.i = i};
	}
	return (struct sj_value){.type = SJ_V_DOUBLE, .u.d = d};
}

double sj_value_double(const struct sj_value *v)
{
	return v->type == SJ_V_INT ? (double)v->u.i : v->type == SJ_V_DOUBLE ? v->u.d : 0;
}

/* Strings. */

static struct sj_vstr *new_string(struct sj_mem *m, size_t cap)
{
	if (cap > UINT32_MAX - sizeof(struct sj_vstr))
		return NULL;
	struct sj_vstr *s = sj_mem_alloc(m, sizeof *s + cap);
	if (s)
		*s = (struct sj_vstr){.refs = 1, .cap = (uint32_t)cap};
	return s;
}

enum sj_status sj_value_string(struct sj_mem *m, struct sj_slice s, struct sj_value *out)
{
	if (s.len <= SJ_SHORT_MAX) {
		*out = sj_value_short(s);
		return SJ_OK;
	}
	struct sj_vstr *body = new_string(m, s.len);
	if (!body)
		return SJ_NOMEM;
	memcpy(body->bytes, s.ptr, s.len);
	body->len = (uint32_t)s.len;
	*out = (struct sj_value){.type = SJ_V_STRING, .u.s = body};
	return SJ_OK;
}

struct sj_slice sj_value_text(const struct sj_value *v)
{
	if (v->type == SJ_V_SHORT)
		return (struct sj_slice){(const char *)v + offsetof(struct sj_value, in), v->len};
	if (v->type == SJ_V_STRING)
		return (struct sj_slice){v->u.s->bytes, v->u.s->len};
	return SJ_LIT("");
}

enum sj_status sj_value_string_set(struct sj_mem *m, struct sj_value *string, struct sj_slice text)
{
	struct sj_value v = {.type = SJ_V_STRING, .u.s = string->type == SJ_V_STRING ? string->u.s : NULL};
	if (text.len <= SJ_SHORT_MAX || text.len > UINT32_MAX / 2) {
		enum sj_status st = sj_value_string(m, text, &v);
		if (st != SJ_OK)
			return st;
	} else {
		bool mine = v.u.s && v.u.s->refs == 1 && text.len <= v.u.s->cap && v.u.s->cap / 2 <= text.len;
		struct sj_vstr *body = mine ? v.u.s : new_string(m, (text.len + 15u) & ~(size_t)15u);
		if (!body)
			return SJ_NOMEM;
		memcpy(body->bytes, text.ptr, text.len);
		body->len = (uint32_t)text.len;
		if (mine)
			return SJ_OK;
		v.u.s = body;
	}
	sj_value_unref(m, *string);
	*string = v;
	return SJ_OK;
}
enum sj_status sj_value_string_append(struct sj_mem *m, struct sj_value *string, struct sj_slice more)
{
	struct sj_slice old = sj_value_text(string);
	if (more.len > UINT32_MAX / 2 - old.len)
		return SJ_LIMIT;
	if (more.len == 0)
		return SJ_OK;
	size_t len = old.len + more.len;
	if (len <= SJ_SHORT_MAX) {
		char text[SJ_SHORT_MAX];
		memcpy(text, old.ptr, old.len);
		memcpy(text + old.len, more.ptr, more.len);
		*string = sj_value_short(sj_slice(text, len));
		return SJ_OK;
	}
	bool mine = string->type == SJ_V_STRING && string->u.s->refs == 1;
	if (!mine || len > string->u.s->cap) {
		size_t cap = len < 32 ? 64 : len * 2;
		/* `more` may lie inside the old text, so the old body goes only after the copy. */
		struct sj_vstr *body = new_string(m, cap);
		if (!body)
			return SJ_NOMEM;
		memcpy(body->bytes, old.ptr, old.len);
		memcpy(body->bytes + old.len, more.ptr, more.len);
		body->len = (uint32_t)len;
		sj_value_unref(m, *string);
		*string = (struct sj_value){.type = SJ_V_STRING, .u.s = body};
		return SJ_OK;
	}
	memcpy(string->u.s->bytes + old.len, more.ptr, more.len);
	string->u.s->len = (uint32_t)len;
	return SJ_OK;
}

/* Bodies. */

void sj_value_drop(struct sj_mem *m, struct sj_value v, struct sj_body **dying)
{
	if (!sj_value_is_counted(v) || --*(uint32_t *)(void *)v.u.s)
		return;
	if (v.type == SJ_V_STRING) {
		sj_mem_free(m, v.u.s, sizeof *v.u.s + v.u.s->cap);
		return;
	}
	struct sj_body *b = sj_body_of(&v);
	b->up = *dying;
	*dying = b;
}

void sj_body_bury(struct sj_mem *m, struct sj_body *dying)
{
	while (dying) {
		struct sj_body *b = dying;
		dying = b->up;
		if (b->type == SJ_V_ARRAY)
			sj_list_free(m, sj_list_of(b), &dying);
		else
			sj_vmap_free(m, sj_vmap_of(b), &dying);
	}
}

void sj_value_free_counted(struct sj_mem *m, struct sj_value v)
{
	struct sj_body *dying = NULL;
	++*(uint32_t *)(void *)v.u.s; /* the inline half counted down already; drop does so again */
	sj_value_drop(m, v, &dying);
	sj_body_bury(m, dying);
}

uint32_t sj_value_count(const struct sj_value *v) { return sj_value_is_container(v) ? sj_body_of(v)->count : 0; }
uint32_t sj_value_stamp(const struct sj_value *v) { return sj_value_is_container(v) ? sj_body_of(v)->stamp : 0; }
const void *sj_value_identity(const struct sj_value *v) { return sj_value_is_counted(*v) ? v->u.s : NULL; }

uint32_t sj_value_refs(const struct sj_value *v)
{
	return sj_value_is_counted(*v) ? *(const uint32_t *)(const void *)v->u.s : 1;
}

const struct sj_value *sj_body_child(const struct sj_body *b, uint32_t i)
{
	if (b->type == SJ_V_ARRAY)
		return sj_list_at((const struct sj_list *)(const void *)b, i);
	return &((const struct sj_vmap *)(const void *)b)->members[i].value;
}

/* Equality. */

static bool scalars_equal(const struct sj_value *a, const struct sj_value *b)
{
	switch ((enum sj_value_type)a->type) {
	case SJ_V_ABSENT:
	case SJ_V_NULL:
	case SJ_V_FALSE:
	case SJ_V_TRUE:
		return true;
	case SJ_V_INT:
		return a->u.i == b->u.i;
	case SJ_V_DOUBLE:
		return a->u.d == b->u.d;
	case SJ_V_SHORT:
	case SJ_V_STRING:
		return sj_slice_eq(sj_value_text(a), sj_value_text(b));
	case SJ_V_ARRAY:
	case SJ_V_OBJECT:
		break;
	}
	return false;
}

/* The child of b that stands opposite child i of a; NULL when there is none. */
static const struct sj_value *opposite(const struct sj_body *a, const struct sj_body *b, uint32_t i)
{
	if (a->type == SJ_V_ARRAY)
		return sj_body_child(b, i);
	const struct sj_vmap *x = (const struct sj_vmap *)(const void *)a, *y = (const struct sj_vmap *)(const void *)b;
	struct sj_slice key = sj_value_text(&x->members[i].key);
	/* Nearly always both objects have the same order. */
	if (sj_slice_eq(key, sj_value_text(&y->members[i].key)))
		return &y->members[i].value;
	const struct sj_member *found = sj_vmap_find(y, key);
	return found ? &found->value : NULL;
}

/* When both lists show the same chunk at place i: its items, which need no look. */
static uint32_t shared_items(const struct sj_body *a, const struct sj_body *b, uint32_t i)
{
	if (a->type != SJ_V_ARRAY || !a->dense || !b->dense || i % SJ_CHUNK)
		return 0;
	const struct sj_run *x = &((const struct sj_list *)(const void *)a)->runs[i / SJ_CHUNK];
	const struct sj_run *y = &((const struct sj_list *)(const void *)b)->runs[i / SJ_CHUNK];
	return x->chunk == y->chunk ? x->count : 0;
}

bool sj_value_equal(const struct sj_value *a, const struct sj_value *b)
{
	if (a->type != b->type)
		return false;
	if (!sj_value_is_container(a))
		return scalars_equal(a, b);
	struct sj_body *x = sj_body_of(a), *y = sj_body_of(b);
	if (x == y)
		return true;
	if (x->count != y->count)
		return false;
	x->up = NULL;
	x->link.other = y;
	x->at = 0;
	while (x) {
		if (x->at == x->count) {
			x = x->up;
			y = x ? x->link.other : NULL;
			continue;
		}
		uint32_t same = shared_items(x, y, x->at);
		if (same) {
			x->at += same;
			continue;
		}
		const struct sj_value *p = sj_body_child(x, x->at), *q = opposite(x, y, x->at);
		x->at++;
		if (!q || p->type != q->type)
			return false;
		if (!sj_value_is_container(p)) {
			if (!scalars_equal(p, q))
				return false;
			continue;
		}
		struct sj_body *px = sj_body_of(p), *qy = sj_body_of(q);
		if (px == qy)
			continue;
		if (px->count != qy->count)
			return false;
		px->up = x;
		px->link.other = qy;
		px->at = 0;
		x = px;
		y = qy;
	}
	return true;
}

uint32_t sj_value_measure(const struct sj_value *v, uint32_t most, uint32_t *height)
{
	*height = 0;
	if (!sj_value_is_container(v))
		return 1;
	struct sj_body *b = sj_body_of(v);
	uint32_t total = 1, depth = 1;
	b->up = NULL;
	b->at = 0;
	while (b && total < most) {
		if (depth > *height)
			*height = depth;
		if (b->at == b->count) {
			b = b->up;
			depth--;
			continue;
		}
		const struct sj_value *child = sj_body_child(b, b->at++);
		total++;
		if (!sj_value_is_container(child))
			continue;
		struct sj_body *c = sj_body_of(child);
		c->up = b;
		c->at = 0;
		b = c;
		depth++;
	}
	return total;
}
