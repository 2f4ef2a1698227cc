/* Interned tokens and ids: a number for a text, counted. Texts of up to 16 bytes live in the entry. */
#include "surface/internal.h"

static uint32_t hash_of(const struct sj_surface *s, struct sj_slice text) { return (uint32_t)sj_token_hash(s, text); }

struct sj_slice sj_key_text(const struct sj_surface *s, uint32_t key)
{
	const struct sj_key *k = &s->keys.v.items[key];
	return sj_slice(k->len <= SJ_KEY_INLINE ? k->u.in : k->u.ptr, k->len);
}

static uint32_t find(const struct sj_surface *s, struct sj_slice text, uint32_t hash)
{
	const struct sj_keys *ks = &s->keys;
	if (!ks->table_cap)
		return SJ_NONE;
	uint32_t mask = ks->table_cap - 1;
	for (uint32_t i = hash & mask; ks->table[i].key != SJ_NONE; i = (i + 1) & mask)
		if (ks->table[i].hash == hash && sj_slice_eq(sj_key_text(s, ks->table[i].key), text))
			return ks->table[i].key;
	return SJ_NONE;
}

uint32_t sj_key_find(const struct sj_surface *s, struct sj_slice text)
{
	return find(s, text, hash_of(s, text));
}

uint32_t sj_key_find_hashed(const struct sj_surface *s, struct sj_slice text, uint64_t token_hash)
{
	return find(s, text, (uint32_t)token_hash);
}

static void place(struct sj_keys *ks, uint32_t key)
{
	uint32_t mask = ks->table_cap - 1, i = ks->v.items[key].hash & mask;
	while (ks->table[i].key != SJ_NONE)
		i = (i + 1) & mask;
	ks->table[i] = (struct sj_key_slot){ks->v.items[key].hash, key};
}

static bool grow_table(struct sj_surface *s)
{
	struct sj_keys *ks = &s->keys;
	uint32_t cap = ks->table_cap ? ks->table_cap * 2 : 16;
	struct sj_key_slot *table = sj_mem_alloc(s->mem, cap * sizeof *table);
	if (!table)
		return false;
	sj_mem_free(s->mem, ks->table, ks->table_cap * sizeof *table);
	memset(table, 0xff, cap * sizeof *table);
	ks->table = table;
	ks->table_cap = cap;
	for (uint32_t i = 0; i < ks->v.count; i++)
		if (ks->v.items[i].refs)
			place(ks, i);
	return true;
}

uint32_t sj_key_take(struct sj_surface *s, struct sj_slice text)
{
	struct sj_keys *ks = &s->keys;
	uint32_t hash = hash_of(s, text);
	uint32_t key = find(s, text, hash);
	if (key != SJ_NONE) {
		ks->v.items[key].refs++;
		return key;
	}
	if (text.len >= SJ_NONE || (ks->used + 1 > ks->table_cap / 4 * 3 && !grow_table(s)))
		return SJ_NONE;
	if (ks->first_free == SJ_NONE && SJ_ROOM(s->mem, &ks->v, ks->v.count + 1, 0) != SJ_OK)
		return SJ_NONE;
	struct sj_key k = {.hash = hash, .len = (uint32_t)text.len, .refs = 1};
	if (text.len > SJ_KEY_INLINE) {
		k.u.ptr = sj_mem_alloc(s->mem, text.len);
		if (!k.u.ptr)
			return SJ_NONE;
		memcpy(k.u.ptr, text.ptr, text.len);
	} else if (text.len) {
		memcpy(k.u.in, text.ptr, text.len);
	}
	if (ks->first_free != SJ_NONE) {
		key = ks->first_free;
		ks->first_free = ks->v.items[key].hash;
	} else {
		key = ks->v.count++;
	}
	ks->v.items[key] = k;
	ks->used++;
	place(ks, key);
	return key;
}

/* Linear probing without tombstones: what follows the gap moves up when its home allows it. */
static void unplace(struct sj_keys *ks, uint32_t key)
{
	uint32_t mask = ks->table_cap - 1, gap = ks->v.items[key].hash & mask;
	while (ks->table[gap].key != key)
		gap = (gap + 1) & mask;
	for (uint32_t i = (gap + 1) & mask; ks->table[i].key != SJ_NONE; i = (i + 1) & mask) {
		uint32_t home = ks->table[i].hash & mask;
		if (((i - home) & mask) >= ((i - gap) & mask)) {
			ks->table[gap] = ks->table[i];
			gap = i;
		}
	}
	ks->table[gap].key = SJ_NONE;
}

void sj_key_drop(struct sj_surface *s, uint32_t key)
{
	struct sj_keys *ks = &s->keys;
	struct sj_key *k = &ks->v.items[key];
	if (s->dying)
		return;
	assert(k->refs > 0);
	if (--k->refs)
		return;
	unplace(ks, key);
	ks->used--;
	if (k->len > SJ_KEY_INLINE)
		sj_mem_free(s->mem, k->u.ptr, k->len);
	k->hash = ks->first_free;
	ks->first_free = key;
}

void sj_keys_finish(struct sj_surface *s)
{
	struct sj_keys *ks = &s->keys;
	for (uint32_t i = 0; i < ks->v.count; i++)
		if (ks->v.items[i].refs && ks->v.items[i].len > SJ_KEY_INLINE)
			sj_mem_free(s->mem, ks->v.items[i].u.ptr, ks->v.items[i].len);
	SJ_VEC_FREE(s->mem, &ks->v);
	sj_mem_free(s->mem, ks->table, ks->table_cap * sizeof *ks->table);
}
