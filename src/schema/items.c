/* uniqueItems in linear time: items are hashed by value and only those with equal hashes compared. */
#include "schema/number.h"
#include "schema/run.h"

enum { FEW = 8 }; /* up to so many, comparing all pairs is faster */

static bool equal(struct sj_schema_run *r, uint32_t a, uint32_t b)
{
	const struct sj_cell *x = &r->cells[a], *y = &r->cells[b];

	if (x->type != y->type || (x->type >= SJ_J_ARRAY && (x->len != y->len || x->end - a != y->end - b)))
		return false;
	if (x->type == SJ_J_NUMBER) {
		struct sj_schema_number m, n;
		sj_schema_number_read(sj_tape_raw(r->t, a), &m);
		sj_schema_number_read(sj_tape_raw(r->t, b), &n);
		return sj_schema_number_cmp(&m, &n) == 0;
	}
	return sj_schema_spend(r, x->end - a) && sj_tape_equal(r->t, a, r->t, b);
}

static bool differ_pairwise(struct sj_schema_run *r, uint32_t array)
{
	uint32_t end = r->cells[array].end;

	for (uint32_t a = array + 1; a < end; a = r->cells[a].end)
		for (uint32_t b = r->cells[a].end; b < end; b = r->cells[b].end)
			if (equal(r, a, b) || r->status != SJ_OK)
				return false;
	return true;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ (h >> 31);
}

/* The hash of one cell; `hashes` holds those of the cells after it. Equal values hash alike: members in any order,
 * numbers and strings by value. */
static uint64_t hash_cell(struct sj_schema_run *r, uint32_t cell, const uint64_t *hashes, uint32_t base)
{
	const struct sj_cell *c = &r->cells[cell];
	uint64_t h = mix(c->type, 7);

	if (c->type == SJ_J_NUMBER)
		return mix(h, sj_schema_number_hash(sj_tape_raw(r->t, cell)));
	if (c->type == SJ_J_STRING) {
		struct sj_arena_mark before = sj_arena_mark(r->arena);
		struct sj_slice text = sj_tape_string(r->t, cell, r->arena);
		if (!text.ptr)
			r->status = SJ_NOMEM;
		else
			h = mix(h, (uint64_t)sj_slice_hash(text, 1) << 32 | sj_slice_hash(text, 2));
		sj_arena_rollback(r->arena, before);
		return h;
	}
	if (c->type == SJ_J_ARRAY)
		for (uint32_t i = cell + 1; i < c->end; i = r->cells[i].end)
			h = mix(h, hashes[i - base]);
	uint64_t sum = 0;
	if (c->type == SJ_J_OBJECT)
		for (uint32_t key = cell + 1; key < c->end; key = r->cells[key + 1].end)
			sum += mix(hashes[key - base], hashes[key + 1 - base]);
	return mix(h, sum);
}

static bool differ_hashed(struct sj_schema_run *r, uint32_t array)
{
	uint32_t base = array + 1, end = r->cells[array].end, size = 16;
	uint64_t *hashes = sj_arena_alloc(r->arena, (end - base) * sizeof *hashes);

	while (size < r->cells[array].len * 2)
		size *= 2;
	uint32_t *slots = sj_arena_zalloc(r->arena, size * sizeof *slots);
	if (!hashes || !slots) {
		r->status = SJ_NOMEM;
		return false;
	}
	for (uint32_t i = end; i > base && r->status == SJ_OK; i--)
		hashes[i - 1 - base] = hash_cell(r, i - 1, hashes, base);
	for (uint32_t item = base; item < end && r->status == SJ_OK; item = r->cells[item].end) {
		uint64_t h = hashes[item - base];
		uint32_t slot = (uint32_t)(h >> 32) & (size - 1);
		for (; slots[slot]; slot = (slot + 1) & (size - 1)) {
			if (!sj_schema_spend(r, 1))
				return false;
			if (hashes[slots[slot] - base] == h && equal(r, slots[slot], item))
				return false;
		}
		slots[slot] = item; /* never 0: the array itself comes before its items */
	}
	return r->status == SJ_OK;
}

bool sj_schema_unique(struct sj_schema_run *r, uint32_t array)
{
	struct sj_arena_mark before = sj_arena_mark(r->arena);

	if (!sj_schema_spend(r, r->cells[array].end - array))
		return false;
	bool differ = r->cells[array].len <= FEW ? differ_pairwise(r, array) : differ_hashed(r, array);
	sj_arena_rollback(r->arena, before);
	return differ;
}
