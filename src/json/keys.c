/* Whether an object names a key twice, and the sorted index of a big one. */
#include <string.h>

#include "json/reader.h"

enum { SMALL_OBJECT = 16 }; /* members up to which keys are compared in pairs */

static struct sj_slice cell_source(const struct sj_cell *c, const char *text)
{
	return (struct sj_slice){text + c->off, c->len};
}

static bool keys_equal(const struct sj_cell *a, const struct sj_cell *b, const char *text)
{
	if (!((a->flags | b->flags) & SJ_CELL_ESCAPED))
		return a->aux == b->aux && a->len == b->len && memcmp(text + a->off, text + b->off, a->len) == 0;
	return sj_json_source_cmp(cell_source(a, text), a->flags & SJ_CELL_ESCAPED, cell_source(b, text),
	                          b->flags & SJ_CELL_ESCAPED) == 0;
}

/* The first key that repeats an earlier one, 0 when all differ. A 64-bit set of fingerprints settles nearly every
 * object in one pass; only a collision in it asks for comparisons. */
static uint32_t repeated_key_small(const struct sj_cell *cells, uint32_t object, uint32_t count, const char *text)
{
	uint32_t keys[SMALL_OBJECT];
	uint64_t seen = 0;
	bool clash = false;
	uint32_t k = object + 1;
	for (uint32_t i = 0; i < count; i++) {
		keys[i] = k;
		uint64_t bit = UINT64_C(1) << (cells[k].aux & 63);
		clash |= (seen & bit) != 0 || (cells[k].flags & SJ_CELL_ESCAPED);
		seen |= bit;
		k = cells[k + 1].end;
	}
	if (!clash)
		return 0;
	for (uint32_t j = 1; j < count; j++)
		for (uint32_t i = 0; i < j; i++)
			if (keys_equal(&cells[keys[i]], &cells[keys[j]], text))
				return keys[j];
	return 0;
}

static int entry_cmp(const struct sj_cell *cells, const char *text, struct sj_key_entry a, struct sj_key_entry b)
{
	if (a.hash != b.hash)
		return a.hash < b.hash ? -1 : 1;
	const struct sj_cell *x = &cells[a.cell], *y = &cells[b.cell];
	return sj_json_source_cmp(cell_source(x, text), x->flags & SJ_CELL_ESCAPED, cell_source(y, text),
	                          y->flags & SJ_CELL_ESCAPED);
}

/* Sorts the keys of a big object into a new index. A merge sort, because its cost cannot be driven up by chosen keys.
 */
static enum sj_status index_object(struct sj_reader *r, uint32_t object, uint32_t count, const char *text,
                                   uint32_t *repeated)
{
	struct sj_mem *mem = r->arena->mem;
	struct sj_cell *cells = r->cells;
	size_t bytes = count * sizeof(struct sj_key_entry);
	enum sj_status st = SJ_VEC_RESERVE(mem, &r->indexes, r->indexes.count + 1, 0);
	if (st != SJ_OK)
		return st;
	struct sj_key_entry *from = sj_mem_alloc(mem, bytes), *to = from ? sj_mem_alloc(mem, bytes) : NULL;
	if (!to) {
		sj_mem_free(mem, from, bytes);
		return SJ_NOMEM;
	}
	uint32_t k = object + 1;
	for (uint32_t i = 0; i < count; i++) {
		from[i].hash = sj_json_source_hash(cell_source(&cells[k], text), cells[k].flags & SJ_CELL_ESCAPED);
		from[i].cell = k;
		k = cells[k + 1].end;
	}
	for (uint32_t width = 1; width < count; width *= 2) {
		for (uint32_t lo = 0; lo < count; lo += 2 * width) {
			uint32_t mid = count - lo > width ? lo + width : count;
			uint32_t hi = count - mid > width ? mid + width : count;
			uint32_t i = lo, j = mid, o = lo;
			while (i < mid && j < hi)
				to[o++] = entry_cmp(cells, text, from[i], from[j]) <= 0 ? from[i++] : from[j++];
			while (i < mid)
				to[o++] = from[i++];
			while (j < hi)
				to[o++] = from[j++];
		}
		struct sj_key_entry *t = from;
		from = to;
		to = t;
	}
	sj_mem_free(mem, to, bytes);
	*repeated = 0;
	for (uint32_t i = 1; i < count; i++)
		if (from[i - 1].hash == from[i].hash && entry_cmp(cells, text, from[i - 1], from[i]) == 0 &&
		    (*repeated == 0 || from[i].cell < *repeated))
			*repeated = from[i].cell;
	if (r->indexes.count >= UINT16_MAX) { /* the numbers of indexes are used up: this object is searched through */
		sj_mem_free(mem, from, bytes);
		return SJ_OK;
	}
	r->indexes.items[r->indexes.count] = (struct sj_tape_index){object, count, from, from};
	cells[object].aux = (uint16_t)++r->indexes.count;
	return SJ_OK;
}

enum sj_status sj_reader_check_keys(struct sj_reader *r, uint32_t object, uint32_t count, const char *text,
                                    uint32_t *repeated)
{
	if (count > SMALL_OBJECT)
		return index_object(r, object, count, text, repeated);
	*repeated = repeated_key_small(r->cells, object, count, text);
	return SJ_OK;
}
