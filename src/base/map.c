#include "base/map.h"

#include <string.h>

/* Linear probing at most 3/4 full, tombstones included. An empty slot of the slice map has value SJ_MAP_NONE and a NULL
 * key; a tombstone has SJ_MAP_NONE and a key pointer. The map of integers keeps no tombstones: a removal moves the
 * rest of its run back. SJ_MAP_NONE is therefore no valid value in either. */

static const char tombstone_mark = 0; /* only its address is used */

void sj_map_init(struct sj_map *m, struct sj_mem *mem, uint32_t seed)
{
	*m = (struct sj_map){.mem = mem, .seed = seed};
}

void sj_map_finish(struct sj_map *m)
{
	sj_mem_free(m->mem, m->slots, (size_t)m->cap * sizeof *m->slots);
	sj_map_init(m, m->mem, m->seed);
}

static bool is_empty(const struct sj_map_entry *e) { return e->value == SJ_MAP_NONE && !e->key.ptr; }

static struct sj_map_entry *find(const struct sj_map *m, struct sj_slice key, uint32_t hash)
{
	if (m->count == 0)
		return NULL;
	for (uint32_t i = hash & (m->cap - 1);; i = (i + 1) & (m->cap - 1)) {
		struct sj_map_entry *e = &m->slots[i];
		if (is_empty(e))
			return NULL;
		if (e->value != SJ_MAP_NONE && e->hash == hash && sj_slice_eq(e->key, key))
			return e;
	}
}

uint32_t sj_map_get(const struct sj_map *m, struct sj_slice key)
{
	const struct sj_map_entry *e = find(m, key, sj_slice_hash(key, m->seed));
	return e ? e->value : SJ_MAP_NONE;
}

static struct sj_map_entry *free_slot(struct sj_map_entry *slots, uint32_t cap, uint32_t hash)
{
	uint32_t i = hash & (cap - 1);
	while (slots[i].value != SJ_MAP_NONE)
		i = (i + 1) & (cap - 1);
	return &slots[i];
}

static enum sj_status rehash(struct sj_map *m)
{
	uint32_t cap = 8;
	while (cap / 2 < m->count + 1) {
		if (cap > UINT32_MAX / 2)
			return SJ_NOMEM;
		cap *= 2;
	}
	struct sj_map_entry *slots = sj_mem_alloc(m->mem, (size_t)cap * sizeof *slots);
	if (!slots)
		return SJ_NOMEM;
	for (uint32_t i = 0; i < cap; i++)
		slots[i] = (struct sj_map_entry){.value = SJ_MAP_NONE};
	for (uint32_t i = 0; i < m->cap; i++)
		if (m->slots[i].value != SJ_MAP_NONE)
			*free_slot(slots, cap, m->slots[i].hash) = m->slots[i];
	sj_mem_free(m->mem, m->slots, (size_t)m->cap * sizeof *slots);
	m->slots = slots;
	m->cap = cap;
	m->used = m->count;
	return SJ_OK;
}

enum sj_status sj_map_put(struct sj_map *m, struct sj_slice key, uint32_t value)
{
	uint32_t hash = sj_slice_hash(key, m->seed);
	struct sj_map_entry *e = find(m, key, hash);
	if (e) {
		e->value = value;
		return SJ_OK;
	}
	if (m->used >= m->cap / 4 * 3) {
		enum sj_status st = rehash(m);
		if (st != SJ_OK)
			return st;
	}
	e = free_slot(m->slots, m->cap, hash);
	if (is_empty(e))
		m->used++;
	*e = (struct sj_map_entry){.key = key, .hash = hash, .value = value};
	m->count++;
	return SJ_OK;
}

bool sj_map_del(struct sj_map *m, struct sj_slice key)
{
	struct sj_map_entry *e = find(m, key, sj_slice_hash(key, m->seed));
	if (!e)
		return false;
	*e = (struct sj_map_entry){.key = {&tombstone_mark, 0}, .value = SJ_MAP_NONE};
	m->count--;
	return true;
}

static uint32_t hash64(uint64_t k)
{
	k ^= k >> 32;
	k *= 0xD6E8FEB86659FD93u;
	k ^= k >> 32;
	k *= 0xD6E8FEB86659FD93u;
	return (uint32_t)(k >> 32);
}

void sj_map64_init(struct sj_map64 *m, struct sj_mem *mem) { *m = (struct sj_map64){.mem = mem}; }

void sj_map64_finish(struct sj_map64 *m)
{
	sj_mem_free(m->mem, m->keys, (size_t)m->cap * sizeof *m->keys);
	sj_mem_free(m->mem, m->values, (size_t)m->cap * sizeof *m->values);
	sj_map64_init(m, m->mem);
}

/* The slot of `key`, or the empty slot that ends its run. */
static uint32_t probe64(const uint64_t *keys, const uint32_t *values, uint32_t cap, uint64_t key)
{
	uint32_t i = hash64(key) & (cap - 1);
	while (values[i] != SJ_MAP_NONE && keys[i] != key)
		i = (i + 1) & (cap - 1);
	return i;
}

uint32_t sj_map64_get(const struct sj_map64 *m, uint64_t key)
{
	return m->count ? m->values[probe64(m->keys, m->values, m->cap, key)] : SJ_MAP_NONE;
}

static enum sj_status rehash64(struct sj_map64 *m)
{
	if (m->cap > UINT32_MAX / 2)
		return SJ_NOMEM;
	uint32_t cap = m->cap ? m->cap * 2 : 8;
	uint64_t *keys = sj_mem_alloc(m->mem, (size_t)cap * sizeof *keys);
	uint32_t *values = keys ? sj_mem_alloc(m->mem, (size_t)cap * sizeof *values) : NULL;
	if (!values) {
		sj_mem_free(m->mem, keys, (size_t)cap * sizeof *keys);
		return SJ_NOMEM;
	}
	memset(values, 0xFF, (size_t)cap * sizeof *values);
	for (uint32_t i = 0; i < m->cap; i++) {
		if (m->values[i] == SJ_MAP_NONE)
			continue;
		uint32_t at = probe64(keys, values, cap, m->keys[i]);
		keys[at] = m->keys[i];
		values[at] = m->values[i];
	}
	uint32_t count = m->count;
	sj_map64_finish(m);
	m->keys = keys;
	m->values = values;
	m->cap = cap;
	m->count = m->used = count;
	return SJ_OK;
}

enum sj_status sj_map64_put(struct sj_map64 *m, uint64_t key, uint32_t value)
{
	if (m->cap) {
		uint32_t at = probe64(m->keys, m->values, m->cap, key);
		if (m->values[at] != SJ_MAP_NONE) {
			m->values[at] = value;
			return SJ_OK;
		}
	}
	if (m->count >= m->cap / 4 * 3) {
		enum sj_status st = rehash64(m);
		if (st != SJ_OK)
			return st;
	}
	uint32_t at = probe64(m->keys, m->values, m->cap, key);
	m->keys[at] = key;
	m->values[at] = value;
	m->used = ++m->count;
	return SJ_OK;
}

bool sj_map64_del(struct sj_map64 *m, uint64_t key)
{
	if (m->count == 0)
		return false;
	uint32_t mask = m->cap - 1;
	uint32_t hole = probe64(m->keys, m->values, m->cap, key);
	if (m->values[hole] == SJ_MAP_NONE)
		return false;
	for (uint32_t i = (hole + 1) & mask; m->values[i] != SJ_MAP_NONE; i = (i + 1) & mask) {
		uint32_t home = hash64(m->keys[i]) & mask;
		if (((i - home) & mask) < ((i - hole) & mask)) /* its home lies after the hole: it must stay */
			continue;
		m->keys[hole] = m->keys[i];
		m->values[hole] = m->values[i];
		hole = i;
	}
	m->values[hole] = SJ_MAP_NONE;
	m->used = --m->count;
	return true;
}
