/* Writing compiled code: the builder a language drives, and the packing of its parts into the one block that holds
 * them. */
#include "surface/internal.h"

#include "base/num.h"

void sj_code_builder_init(struct sj_code_builder *b, struct sj_surface *s)
{
	*b = (struct sj_code_builder){.s = s, .last_name = SJ_NONE};
}

void sj_code_builder_clear(struct sj_code_builder *b)
{
	for (uint32_t i = 0; i < b->consts.count; i++)
		sj_value_unref(b->s->mem, b->consts.items[i]);
	b->status = SJ_OK;
	b->depth = b->max_depth = 0;
	b->last_name = SJ_NONE;
	b->ins.count = b->consts.count = b->addrs.count = b->segs.count = b->calls.count = b->text.count = 0;
}

void sj_code_builder_finish(struct sj_code_builder *b)
{
	sj_code_builder_clear(b);
	struct sj_mem *m = b->s->mem;
	SJ_VEC_FREE(m, &b->ins);
	SJ_VEC_FREE(m, &b->consts);
	SJ_VEC_FREE(m, &b->addrs);
	SJ_VEC_FREE(m, &b->segs);
	SJ_VEC_FREE(m, &b->calls);
	SJ_VEC_FREE(m, &b->text);
}

void sj_code_fail(struct sj_code_builder *b, enum sj_status st)
{
	if (b->status == SJ_OK)
		b->status = st;
}

uint32_t sj_code_text(struct sj_code_builder *b, struct sj_slice s)
{
	if (b->status != SJ_OK)
		return 0;
	if (s.len > UINT32_MAX / 2 - b->text.count) {
		sj_code_fail(b, SJ_LIMIT);
		return 0;
	}
	enum sj_status st = SJ_VEC_RESERVE(b->s->mem, &b->text, b->text.count + (uint32_t)s.len, 0);
	if (st != SJ_OK) {
		sj_code_fail(b, st);
		return 0;
	}
	uint32_t off = b->text.count;
	if (s.len)
		memcpy(b->text.items + off, s.ptr, s.len);
	b->text.count += (uint32_t)s.len;
	return off;
}

/* One operation that pops and pushes so many. A language that unbalances the stack is a fault of the program. */
static void emit(struct sj_code_builder *b, struct sj_ins in, uint32_t pops, uint32_t pushes)
{
	if (b->status != SJ_OK)
		return;
	assert(b->depth >= pops);
	enum sj_status st = b->depth < pops ? SJ_INVALID : SJ_VEC_RESERVE(b->s->mem, &b->ins, b->ins.count + 1, 0);
	if (st != SJ_OK) {
		sj_code_fail(b, st);
		return;
	}
	b->ins.items[b->ins.count++] = in;
	b->depth = b->depth - pops + pushes;
	if (b->depth > b->max_depth)
		b->max_depth = b->depth;
	if (b->max_depth > UINT16_MAX)
		sj_code_fail(b, SJ_LIMIT);
}

static uint32_t add_const(struct sj_code_builder *b, struct sj_value take)
{
	enum sj_status st = b->status;
	if (st == SJ_OK)
		st = SJ_VEC_RESERVE(b->s->mem, &b->consts, b->consts.count + 1, 0);
	if (st != SJ_OK) {
		sj_value_unref(b->s->mem, take);
		sj_code_fail(b, st);
		return 0;
	}
	b->consts.items[b->consts.count] = take;
	return b->consts.count++;
}

static uint32_t add_string(struct sj_code_builder *b, struct sj_slice s)
{
	struct sj_value v = SJ_ABSENT_VALUE;
	if (b->status == SJ_OK)
		sj_code_fail(b, sj_value_string(b->s->mem, s, &v));
	return add_const(b, v);
}

void sj_x_const(struct sj_code_builder *b, struct sj_value take)
{
	uint32_t c = add_const(b, take);
	emit(b, (struct sj_ins){.op = SJ_OP_CONST, .arg = c}, 0, 1);
}

uint32_t sj_code_addr(struct sj_code_builder *b, const struct sj_addr *a)
{
	if (b->status != SJ_OK)
		return 0;
	uint32_t max = b->s->limits->pointer_tokens < SJ_MAX_TOKENS ? b->s->limits->pointer_tokens : SJ_MAX_TOKENS;
	enum sj_status st = a->count > max ? SJ_LIMIT : SJ_VEC_RESERVE(b->s->mem, &b->addrs, b->addrs.count + 1, 0);
	if (st == SJ_OK)
		st = SJ_VEC_RESERVE(b->s->mem, &b->segs, b->segs.count + a->count, 0);
	if (st != SJ_OK) {
		sj_code_fail(b, st);
		return 0;
	}
	struct sj_caddr c = {
		.root = a->root, .relative = a->relative, .up = a->up, .count = a->count, .seg0 = b->segs.count};
	for (uint16_t i = 0; i < a->count; i++) {
		struct sj_cseg seg = {.len = SJ_NONE, .index = SJ_NONE};
		if (a->segs[i].kind == SJ_SEG_COMPUTED) {
			c.computed++;
		} else {
			seg.off = sj_code_text(b, a->segs[i].key);
			seg.len = (uint32_t)a->segs[i].key.len;
			if (!sj_num_index(a->segs[i].key, &seg.index))
				seg.index = SJ_NONE;
		}
		b->segs.items[b->segs.count++] = seg;
	}
	b->addrs.items[b->addrs.count] = c;
	return b->addrs.count++;
}

void sj_x_read(struct sj_code_builder *b, const struct sj_addr *a)
{
	uint32_t at = sj_code_addr(b, a);
	if (b->status == SJ_OK)
		emit(b, (struct sj_ins){.op = SJ_OP_READ, .arg = at}, b->addrs.items[at].computed, 1);
}

void sj_x_index(struct sj_code_builder *b, uint8_t up) { emit(b, (struct sj_ins){.op = SJ_OP_INDEX, .n8 = up}, 0, 1); }
void sj_x_text(struct sj_code_builder *b) { emit(b, (struct sj_ins){.op = SJ_OP_TEXT}, 1, 1); }
void sj_x_concat(struct sj_code_builder *b, uint32_t n)
{
	emit(b, (struct sj_ins){.op = SJ_OP_CONCAT, .arg = n}, n, 1);
}
void sj_x_list(struct sj_code_builder *b, uint32_t n) { emit(b, (struct sj_ins){.op = SJ_OP_LIST, .arg = n}, n, 1); }
void sj_x_select(struct sj_code_builder *b) { emit(b, (struct sj_ins){.op = SJ_OP_SELECT}, 3, 1); }

void sj_x_call(struct sj_code_builder *b, const struct sj_function *f, uint32_t nargs, const void *data)
{
	if (b->status != SJ_OK)
		return;
	enum sj_status st = SJ_VEC_RESERVE(b->s->mem, &b->calls, b->calls.count + 1, 0);
	if (st != SJ_OK) {
		sj_code_fail(b, st);
		return;
	}
	b->calls.items[b->calls.count] = (struct sj_callsite){.f = f, .data = data, .nargs = nargs};
	emit(b, (struct sj_ins){.op = SJ_OP_CALL, .arg = b->calls.count++}, nargs, 1);
}

void sj_x_map(struct sj_code_builder *b, const struct sj_slice *keys, uint32_t n)
{
	uint32_t first = b->consts.count;
	if (n > UINT16_MAX)
		sj_code_fail(b, SJ_LIMIT);
	for (uint32_t i = 0; i < n; i++)
		add_string(b, keys[i]);
	emit(b, (struct sj_ins){.op = SJ_OP_MAP, .n = (uint16_t)n, .arg = first}, n, 1);
}

void sj_x_fail(struct sj_code_builder *b, enum sj_code code, const char *message)
{
	uint32_t c = add_string(b, sj_slice_of(message));
	emit(b, (struct sj_ins){.op = SJ_OP_FAIL, .n = (uint16_t)code, .arg = c}, 0, 1);
}

enum sj_status sj_code_status(const struct sj_code_builder *b) { return b->status; }

/* ---- packing ----------------------------------------------------------------------------------------------------- */

size_t sj_code_area_bytes(const struct sj_code_builder *b)
{
	return b->calls.count * sizeof *b->calls.items + b->consts.count * sizeof *b->consts.items +
	       b->ins.count * sizeof *b->ins.items + b->addrs.count * sizeof *b->addrs.items +
	       b->segs.count * sizeof *b->segs.items + b->text.count;
}

static uint32_t lay(char *block, size_t *at, const void *items, size_t bytes)
{
	size_t here = *at;
	if (bytes)
		memcpy(block + here, items, bytes);
	*at += bytes;
	return (uint32_t)here;
}

/* From the widest alignment to the narrowest, so that nothing needs padding. `at` is a multiple of 8. */
void sj_code_area_pack(struct sj_code_builder *b, void *block, size_t at, struct sj_area *area)
{
	area->calls = lay(block, &at, b->calls.items, b->calls.count * sizeof *b->calls.items);
	area->consts = lay(block, &at, b->consts.items, b->consts.count * sizeof *b->consts.items);
	area->nconsts = b->consts.count;
	area->ins = lay(block, &at, b->ins.items, b->ins.count * sizeof *b->ins.items);
	area->addrs = lay(block, &at, b->addrs.items, b->addrs.count * sizeof *b->addrs.items);
	area->segs = lay(block, &at, b->segs.items, b->segs.count * sizeof *b->segs.items);
	area->text = lay(block, &at, b->text.items, b->text.count);
	b->consts.count = 0;
}

void sj_code_area_release(struct sj_surface *s, void *block, const struct sj_area *area)
{
	const struct sj_value *c = SJ_AREA(block, area->consts, struct sj_value);
	for (uint32_t i = 0; i < area->nconsts; i++)
		sj_value_unref(s->mem, c[i]);
}

/* ---- code that stands alone -------------------------------------------------------------------------------------- */

enum sj_status sj_code_begin(struct sj_surface *s, struct sj_code_builder **out)
{
	struct sj_code_builder *b = sj_mem_alloc(s->mem, sizeof *b);
	if (!b)
		return SJ_NOMEM;
	sj_code_builder_init(b, s);
	*out = b;
	return SJ_OK;
}

enum sj_status sj_code_end(struct sj_code_builder *b, struct sj_code_block **out)
{
	enum sj_status st = b->status;
	assert(st != SJ_OK || b->depth == 1);
	if (st == SJ_OK && b->depth != 1)
		st = SJ_INVALID;
	if (st == SJ_OK) {
		size_t bytes = sizeof(struct sj_code_block) + sj_code_area_bytes(b);
		struct sj_code_block *c = bytes <= UINT32_MAX ? sj_mem_alloc(b->s->mem, bytes) : NULL;
		if (c) {
			*c = (struct sj_code_block){
				.bytes = (uint32_t)bytes, .nins = b->ins.count, .stack = (uint16_t)b->max_depth};
			sj_code_area_pack(b, c, sizeof *c, &c->area);
			*out = c;
		} else {
			st = SJ_NOMEM;
		}
	}
	sj_code_abandon(b);
	return st;
}

void sj_code_abandon(struct sj_code_builder *b)
{
	if (!b)
		return;
	struct sj_mem *m = b->s->mem;
	sj_code_builder_finish(b);
	sj_mem_free(m, b, sizeof *b);
}

void sj_code_destroy(struct sj_surface *s, struct sj_code_block *c)
{
	if (!c)
		return;
	sj_code_area_release(s, c, &c->area);
	sj_mem_free(s->mem, c, c->bytes);
}
