/* Ids for components that are written where they belong and have none of their own. */
#include "base/num.h"
#include "infer/compact_lower.h"

enum { MAX_ID = 128 };

static enum sj_status keep(struct sj_lower *l, struct sj_slice *s)
{
	*s = sj_arena_copy(&l->p->arena, *s);
	return s->ptr ? SJ_OK : SJ_NOMEM;
}

/* An id nobody has: `want`, or that with a number. The result lives in the program's arena. */
static enum sj_status free_id(struct sj_lower *l, struct sj_buf *b, struct sj_slice *out)
{
	if (b->len > MAX_ID && sj_buf_status(b) == SJ_OK) {
		sj_buf_clear(b);
		sj_buf_printf(b, "part_%u", ++l->parts);
	}
	if (sj_buf_status(b) != SJ_OK)
		return sj_buf_status(b);
	struct sj_slice base = sj_buf_view(b);
	uint32_t tried = sj_map_get(&l->used, base);
	tried = tried == 0 ? 1 : tried; /* 0: kept for an author's id that comes later */
	enum sj_status st = keep(l, &base);
	*out = base;
	if (st == SJ_OK && tried == SJ_MAP_NONE)
		return sj_map_put(&l->used, base, 1);
	while (st == SJ_OK) {
		char digits[SJ_NUM_TEXT];
		sj_buf_clear(b);
		sj_buf_slice(b, base);
		sj_buf_putc(b, '_');
		sj_buf_put(b, digits, sj_num_text_i64(++tried, digits));
		st = sj_buf_status(b);
		if (st != SJ_OK || sj_map_get(&l->used, sj_buf_view(b)) != SJ_MAP_NONE)
			continue;
		*out = sj_buf_view(b);
		st = keep(l, out);
		if (st == SJ_OK)
			st = sj_map_put(&l->used, base, tried);
		return st == SJ_OK ? sj_map_put(&l->used, *out, 1) : st;
	}
	return st;
}

static void put_part(struct sj_buf *b, const struct sj_lower_frame *parent, struct sj_slice key)
{
	if (parent->kind == SJ_F_TEMPLATE)
		return;
	sj_buf_putc(b, '_');
	if (parent->kind == SJ_F_ARRAY)
		sj_buf_printf(b, "%u", sj_value_count(&parent->acc));
	else
		sj_buf_slice(b, key);
}

/* parent_prop, parent_prop_0, parent_prop_0_member: the way from the component that it stands in. */
enum sj_status sj_lower_inline_id(struct sj_lower *l, struct sj_slice key, bool counted, uint32_t index,
                                struct sj_slice *out)
{
	struct sj_buf b;
	uint32_t i = l->stack.count;
	sj_buf_init(&b, l->mem, SJ_LIMITS_DEFAULT.string_bytes);
	while (i > 0 && l->stack.items[i - 1].kind != SJ_F_COMPONENT)
		i--;
	sj_buf_slice(&b, i > 0 ? l->stack.items[i - 1].id : SJ_LIT("part"));
	for (; i > 0 && i < l->stack.count; i++)
		put_part(&b, &l->stack.items[i - 1], l->stack.items[i].key);
	if (l->stack.count)
		put_part(&b, sj_lower_top(l), key);
	if (counted)
		sj_buf_printf(&b, "_%u", index);
	enum sj_status st = free_id(l, &b, out);
	sj_buf_finish(&b);
	return st;
}

