/* Arrays: a table of runs over counted chunks. A dense list (every chunk but the last is full) finds an item by shift
 * and mask; after an insertion or removal in the middle the table is searched. */
#include <assert.h>
#include <string.h>

#include "json/body.h"

enum { FIRST_ITEMS = 4, MERGE_BELOW = SJ_CHUNK / 4 };

static size_t chunk_bytes(uint32_t cap) { return sizeof(struct sj_chunk) + cap * sizeof(struct sj_value); }

static struct sj_chunk *new_chunk(struct sj_mem *m, uint32_t cap)
{
	struct sj_chunk *c = sj_mem_alloc(m, chunk_bytes(cap));
	if (c)
		*c = (struct sj_chunk){.refs = 1, .cap = cap};
	return c;
}

static void free_body(struct sj_mem *m, struct sj_list *a)
{
	if (a->runs != &a->one)
		sj_mem_free(m, a->runs, a->run_cap * sizeof *a->runs);
	sj_mem_free(m, a, sizeof *a);
}

struct sj_list *sj_list_new(struct sj_mem *m)
{
	struct sj_list *a = sj_mem_alloc(m, sizeof *a);
	if (!a)
		return NULL;
	*a = (struct sj_list){.body = {.refs = 1, .stamp = sj_mem_serial(m), .type = SJ_V_ARRAY, .dense = true},
	                      .run_cap = 1};
	a->runs = &a->one;
	return a;
}

enum sj_status sj_value_array(struct sj_mem *m, struct sj_value *out)
{
	struct sj_list *a = sj_list_new(m);
	if (!a)
		return SJ_NOMEM;
	*out = (struct sj_value){.type = SJ_V_ARRAY, .u.a = a};
	return SJ_OK;
}

/* The last owner of a run's chunk gives back its items. */
static void drop_chunk(struct sj_mem *m, struct sj_chunk *c, uint32_t count, struct sj_body **dying)
{
	if (--c->refs)
		return;
	for (uint32_t i = 0; i < count; i++)
		sj_value_drop(m, c->items[i], dying);
	sj_mem_free(m, c, chunk_bytes(c->cap));
}

void sj_list_free(struct sj_mem *m, struct sj_list *a, struct sj_body **dying)
{
	for (uint32_t r = 0; r < a->run_count; r++)
		drop_chunk(m, a->runs[r].chunk, a->runs[r].count, dying);
	free_body(m, a);
}

/* Looking. */

static uint32_t run_of(const struct sj_list *a, uint32_t index)
{
	if (a->body.dense)
		return index / SJ_CHUNK;
	uint32_t lo = 0, hi = a->run_count;
	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (a->runs[mid].start <= index)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

struct sj_value *sj_list_at(const struct sj_list *a, uint32_t index)
{
	const struct sj_run *r = &a->runs[run_of(a, index)];
	return &r->chunk->items[index - r->start];
}

const struct sj_value *sj_value_item(const struct sj_value *array, uint32_t index)
{
	if (array->type != SJ_V_ARRAY || index >= array->u.a->body.count)
		return NULL;
	return sj_list_at(array->u.a, index);
}

/* Making writable. */

static enum sj_status reserve_runs(struct sj_mem *m, struct sj_list *a, uint32_t need)
{
	if (need <= a->run_cap)
		return SJ_OK;
	uint32_t cap = need < 4 ? 4 : need + need / 2;
	bool inside = a->runs == &a->one;
	struct sj_run *runs = inside ? sj_mem_alloc(m, cap * sizeof *runs)
	                             : sj_mem_resize(m, a->runs, a->run_cap * sizeof *runs, cap * sizeof *runs);
	if (!runs)
		return SJ_NOMEM;
	if (inside)
		runs[0] = a->one;
	a->runs = runs;
	a->run_cap = cap;
	return SJ_OK;
}

/* Makes *v the only owner of its list, which shares its chunks with the old one. */
static struct sj_list *own(struct sj_mem *m, struct sj_value *v)
{
	struct sj_list *old = v->u.a;
	assert(v->type == SJ_V_ARRAY);
	if (old->body.refs == 1)
		return old;
	struct sj_list *a = sj_list_new(m);
	if (!a)
		return NULL;
	if (reserve_runs(m, a, old->run_count) != SJ_OK) {
		free_body(m, a);
		return NULL;
	}
	for (uint32_t r = 0; r < old->run_count; r++) {
		a->runs[r] = old->runs[r];
		a->runs[r].chunk->refs++;
	}
	a->run_count = old->run_count;
	a->body.count = old->body.count;
	a->body.dense = old->body.dense;
	old->body.refs--;
	v->u.a = a;
	return a;
}

/* Makes run r's chunk unshared and large enough for `need` items. */
static struct sj_chunk *own_chunk(struct sj_mem *m, struct sj_run *r, uint32_t need)
{
	struct sj_chunk *old = r->chunk;
	uint32_t cap = old->cap;
	if (need > cap)
		cap = need > cap * 2 ? need : cap * 2;
	if (cap > SJ_CHUNK)
		cap = SJ_CHUNK;
	if (old->refs == 1) {
		if (cap == old->cap)
			return old;
		struct sj_chunk *c = sj_mem_resize(m, old, chunk_bytes(old->cap), chunk_bytes(cap));
		if (!c)
			return NULL;
		c->cap = cap;
		r->chunk = c;
		return c;
	}
	struct sj_chunk *c = new_chunk(m, cap);
	if (!c)
		return NULL;
	for (uint32_t i = 0; i < r->count; i++)
		c->items[i] = sj_value_ref(old->items[i]);
	old->refs--;
	r->chunk = c;
	return c;
}

static void touch(struct sj_mem *m, struct sj_list *a) { a->body.stamp = sj_mem_serial(m); }

/* Writing. */

enum sj_status sj_list_push(struct sj_mem *m, struct sj_list *a, struct sj_value take, uint32_t expect)
{
	if (a->body.count == UINT32_MAX)
		return SJ_LIMIT;
	struct sj_run *last = a->run_count ? &a->runs[a->run_count - 1] : NULL;
	if (last && last->count < SJ_CHUNK) {
		if (!own_chunk(m, last, last->count + 1))
			return SJ_NOMEM;
	} else {
		uint32_t cap = expect > a->body.count ? expect - a->body.count : last ? SJ_CHUNK : FIRST_ITEMS;
		if (reserve_runs(m, a, a->run_count + 1) != SJ_OK)
			return SJ_NOMEM;
		struct sj_chunk *c = new_chunk(m, cap < SJ_CHUNK ? cap : SJ_CHUNK);
		if (!c)
			return SJ_NOMEM;
		last = &a->runs[a->run_count++];
		*last = (struct sj_run){.chunk = c, .start = a->body.count};
	}
	last->chunk->items[last->count++] = take;
	a->body.count++;
	return SJ_OK;
}

enum sj_status sj_value_append(struct sj_mem *m, struct sj_value *array, struct sj_value take)
{
	struct sj_list *a = own(m, array);
	enum sj_status st = a ? sj_list_push(m, a, take, 0) : SJ_NOMEM;
	if (st == SJ_OK)
		touch(m, a);
	else
		sj_value_unref(m, take);
	return st;
}

bool sj_value_item_shared(const struct sj_value *array, uint32_t index)
{
	if (array->type != SJ_V_ARRAY || index >= array->u.a->body.count)
		return false;
	const struct sj_list *a = array->u.a;
	return a->runs[run_of(a, index)].chunk->refs != 1;
}
struct sj_value *sj_value_own_item(struct sj_mem *m, struct sj_value *array, uint32_t index, enum sj_status *status)
{
	if (array->type != SJ_V_ARRAY || index >= array->u.a->body.count) {
		*status = SJ_ABSENT;
		return NULL;
	}
	struct sj_list *a = own(m, array);
	struct sj_run *r = a ? &a->runs[run_of(a, index)] : NULL;
	struct sj_chunk *c = r ? own_chunk(m, r, r->count) : NULL;
	if (!c) {
		*status = SJ_NOMEM;
		return NULL;
	}
	touch(m, a);
	*status = SJ_OK;
	return &c->items[index - r->start];
}

enum sj_status sj_value_set_item(struct sj_mem *m, struct sj_value *array, uint32_t index, struct sj_value take)
{
	uint32_t count = array->u.a->body.count;
	enum sj_status st;
	if (index < count) {
		struct sj_value *place = sj_value_own_item(m, array, index, &st);
		if (!place) {
			sj_value_unref(m, take);
			return st;
		}
		struct sj_value old = *place;
		*place = take;
		sj_value_unref(m, old);
		return SJ_OK;
	}
	struct sj_list *a = own(m, array);
	st = a ? SJ_OK : SJ_NOMEM;
	while (st == SJ_OK && a->body.count < index)
		st = sj_list_push(m, a, SJ_ABSENT_VALUE, index + 1);
	if (st == SJ_OK)
		st = sj_list_push(m, a, take, index + 1);
	if (st == SJ_OK) {
		touch(m, a);
		return SJ_OK;
	}
	if (a)
		sj_value_truncate(m, array, count); /* takes nothing: the chunks beyond are ours alone */
	sj_value_unref(m, take);
	return st;
}

static void shift_starts(struct sj_list *a, uint32_t from, uint32_t by)
{
	for (uint32_t r = from; r < a->run_count; r++)
		a->runs[r].start += by; /* by may be "minus one": unsigned arithmetic wraps */
}

/* Runs before the last must be full for a list to be dense. */
static void judge_run(struct sj_list *a, uint32_t r)
{
	if (r + 1 < a->run_count && a->runs[r].count != SJ_CHUNK)
		a->body.dense = false;
	else if (a->run_count <= 1)
		a->body.dense = true;
}

/* Halves the full run r. */
static enum sj_status split(struct sj_mem *m, struct sj_list *a, uint32_t r)
{
	enum { HALF = SJ_CHUNK / 2 };
	if (reserve_runs(m, a, a->run_count + 1) != SJ_OK || !own_chunk(m, &a->runs[r], SJ_CHUNK))
		return SJ_NOMEM;
	struct sj_chunk *c = new_chunk(m, SJ_CHUNK);
	if (!c)
		return SJ_NOMEM;
	struct sj_run *low = &a->runs[r];
	memcpy(c->items, low->chunk->items + HALF, HALF * sizeof *c->items);
	low->count = HALF;
	memmove(low + 2, low + 1, (a->run_count - r - 1) * sizeof *low);
	low[1] = (struct sj_run){.chunk = c, .start = low->start + HALF, .count = HALF};
	a->run_count++;
	a->body.dense = false;
	return SJ_OK;
}

enum sj_status sj_value_insert(struct sj_mem *m, struct sj_value *array, uint32_t index, struct sj_value take)
{
	uint32_t count = array->u.a->body.count;
	if (index >= count)
		return sj_value_set_item(m, array, index, take);
	struct sj_list *a = count < UINT32_MAX ? own(m, array) : NULL;
	struct sj_run *run = NULL;
	if (a) {
		uint32_t r = run_of(a, index);
		if (a->runs[r].count < SJ_CHUNK || split(m, a, r) == SJ_OK)
			run = &a->runs[run_of(a, index)];
	}
	struct sj_chunk *c = run ? own_chunk(m, run, run->count + 1) : NULL;
	if (!c) {
		sj_value_unref(m, take);
		return SJ_NOMEM;
	}
	struct sj_value *place = &c->items[index - run->start];
	memmove(place + 1, place, (run->count - (index - run->start)) * sizeof *place);
	*place = take;
	run->count++;
	a->body.count++;
	shift_starts(a, (uint32_t)(run - a->runs) + 1, 1);
	touch(m, a);
	return SJ_OK;
}

static void remove_run(struct sj_list *a, uint32_t r)
{
	memmove(&a->runs[r], &a->runs[r + 1], (a->run_count - r - 1) * sizeof *a->runs);
	a->run_count--;
}

/* Joins a small run with a small neighbour, so that a list that shrank gives its chunks back. A refusal of memory is no
 * fault: the list is whole either way. */
static void merge(struct sj_mem *m, struct sj_list *a, uint32_t r)
{
	if (a->run_count < 2 || a->runs[r].count > MERGE_BELOW)
		return;
	if (r + 1 == a->run_count)
		r--;
	struct sj_run *low = &a->runs[r], *high = low + 1;
	if (low->count + high->count > SJ_CHUNK / 2 || !own_chunk(m, low, low->count + high->count))
		return;
	struct sj_chunk *gone = high->chunk;
	bool shared = gone->refs > 1;
	for (uint32_t i = 0; i < high->count; i++)
		low->chunk->items[low->count + i] = shared ? sj_value_ref(gone->items[i]) : gone->items[i];
	low->count += high->count;
	if (shared)
		gone->refs--;
	else
		sj_mem_free(m, gone, chunk_bytes(gone->cap));
	remove_run(a, r + 1);
	judge_run(a, r);
}

enum sj_status sj_value_remove(struct sj_mem *m, struct sj_value *array, uint32_t index)
{
	if (index >= array->u.a->body.count)
		return SJ_ABSENT;
	struct sj_list *a = own(m, array);
	if (!a)
		return SJ_NOMEM;
	uint32_t r = run_of(a, index);
	struct sj_run *run = &a->runs[r];
	struct sj_chunk *c = own_chunk(m, run, run->count);
	if (!c)
		return SJ_NOMEM;
	struct sj_value *place = &c->items[index - run->start], old = *place;
	run->count--;
	memmove(place, place + 1, (run->count - (index - run->start)) * sizeof *place);
	a->body.count--;
	shift_starts(a, r + 1, UINT32_MAX);
	if (run->count == 0) {
		sj_mem_free(m, c, chunk_bytes(c->cap));
		remove_run(a, r);
	} else {
		judge_run(a, r);
		merge(m, a, r);
	}
	judge_run(a, 0);
	touch(m, a);
	sj_value_unref(m, old);
	return SJ_OK;
}

enum sj_status sj_value_truncate(struct sj_mem *m, struct sj_value *array, uint32_t count)
{
	if (count >= array->u.a->body.count)
		return SJ_OK;
	struct sj_list *a = own(m, array);
	if (!a)
		return SJ_NOMEM;
	/* The part of a chunk that stays must be ours before its tail can be cut off. */
	uint32_t keep = count ? run_of(a, count - 1) + 1 : 0;
	if (keep) {
		struct sj_run *r = &a->runs[keep - 1];
		if (count - r->start < r->count && !own_chunk(m, r, r->count))
			return SJ_NOMEM;
	}
	struct sj_body *dying = NULL;
	while (a->run_count > keep) {
		struct sj_run *r = &a->runs[--a->run_count];
		drop_chunk(m, r->chunk, r->count, &dying);
	}
	if (keep) {
		struct sj_run *r = &a->runs[keep - 1];
		while (r->count > count - r->start)
			sj_value_drop(m, r->chunk->items[--r->count], &dying);
	}
	a->body.count = count;
	judge_run(a, 0);
	touch(m, a);
	sj_body_bury(m, dying);
	return SJ_OK;
}
