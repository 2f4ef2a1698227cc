/* Objects: members in insertion order; above SJ_UNINDEXED of them, a table from the key's hash to the member's place.
 */
#include <assert.h>
#include <string.h>

#include "json/body.h"

enum {
	FIRST_MEMBERS = 2,
	MOST_OWN = 64, /* members that lie behind the body; more get memory that can grow */
};

static size_t body_bytes(uint32_t own_cap) { return sizeof(struct sj_vmap) + own_cap * sizeof(struct sj_member); }

static void free_members(struct sj_mem *m, struct sj_vmap *o)
{
	if (o->members != o->own)
		sj_mem_free(m, o->members, o->cap * sizeof *o->members);
}

static void free_body(struct sj_mem *m, struct sj_vmap *o)
{
	free_members(m, o);
	sj_mem_free(m, o->slots, o->slot_cap * sizeof *o->slots);
	sj_mem_free(m, o, body_bytes(o->own_cap));
}

struct sj_vmap *sj_vmap_new(struct sj_mem *m, uint32_t count)
{
	uint32_t own_cap = count <= MOST_OWN ? count : 0;
	struct sj_vmap *o = sj_mem_alloc(m, body_bytes(own_cap));
	if (!o)
		return NULL;
	*o = (struct sj_vmap){.body = {.refs = 1, .stamp = sj_mem_serial(m), .type = SJ_V_OBJECT},
	                      .cap = own_cap,
	                      .own_cap = own_cap};
	o->members = o->own;
	if (count > own_cap) {
		o->members = sj_mem_alloc(m, count * sizeof *o->members);
		if (!o->members) {
			sj_mem_free(m, o, body_bytes(own_cap));
			return NULL;
		}
		o->cap = count;
	}
	return o;
}

enum sj_status sj_value_object(struct sj_mem *m, struct sj_value *out) { return sj_value_object_for(m, 0, out); }

enum sj_status sj_value_object_for(struct sj_mem *m, uint32_t members, struct sj_value *out)
{
	struct sj_vmap *o = sj_vmap_new(m, members);
	if (!o)
		return SJ_NOMEM;
	*out = (struct sj_value){.type = SJ_V_OBJECT, .u.o = o};
	return SJ_OK;
}

void sj_vmap_free(struct sj_mem *m, struct sj_vmap *o, struct sj_body **dying)
{
	for (uint32_t i = 0; i < o->body.count; i++) {
		sj_value_drop(m, o->members[i].key, dying);
		sj_value_drop(m, o->members[i].value, dying);
	}
	free_body(m, o);
}

/* The index. Its seed is the address of the slots, which nobody outside can know: keys chosen to collide do not. The
 * order of members never depends on it. */

static uint32_t hash_key(const struct sj_slot *slots, struct sj_slice key)
{
	uint64_t place = (uintptr_t)slots;
	return sj_slice_hash(key, (uint32_t)(place >> 4 ^ place >> 32));
}

static void put_slot(struct sj_slot *slots, uint32_t cap, uint32_t hash, uint32_t place)
{
	uint32_t i = hash & (cap - 1);
	while (slots[i].place)
		i = (i + 1) & (cap - 1);
	slots[i] = (struct sj_slot){hash, place};
}

/* A fresh index with room for twice the members. */
static enum sj_status reindex(struct sj_mem *m, struct sj_vmap *o, uint32_t count)
{
	uint32_t cap = 64;
	while (cap / 2 < count) {
		if (cap > UINT32_MAX / 2)
			return SJ_NOMEM;
		cap *= 2;
	}
	struct sj_slot *slots = sj_mem_zalloc(m, cap * sizeof *slots);
	if (!slots)
		return SJ_NOMEM;
	for (uint32_t i = 0; i < o->body.count; i++)
		put_slot(slots, cap, hash_key(slots, sj_value_text(&o->members[i].key)), i + 1);
	sj_mem_free(m, o->slots, o->slot_cap * sizeof *slots);
	o->slots = slots;
	o->slot_cap = cap;
	return SJ_OK;
}

/* The slot of member `place` - 1; it is there. */
static uint32_t slot_of(const struct sj_vmap *o, struct sj_slice key, uint32_t place)
{
	uint32_t i = hash_key(o->slots, key) & (o->slot_cap - 1);
	while (o->slots[i].place != place)
		i = (i + 1) & (o->slot_cap - 1);
	return i;
}

/* Linear probing without tombstones: the rest of the run moves up. */
static void remove_slot(struct sj_vmap *o, uint32_t hole)
{
	uint32_t mask = o->slot_cap - 1;
	for (uint32_t i = (hole + 1) & mask; o->slots[i].place; i = (i + 1) & mask) {
		uint32_t home = o->slots[i].hash & mask;
		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		o->slots[hole] = o->slots[i];
		hole = i;
	}
	o->slots[hole] = (struct sj_slot){0};
}

struct sj_member *sj_vmap_find(const struct sj_vmap *o, struct sj_slice key)
{
	if (o->slots) {
		uint32_t hash = hash_key(o->slots, key), mask = o->slot_cap - 1;
		for (uint32_t i = hash & mask; o->slots[i].place; i = (i + 1) & mask) {
			struct sj_member *found = &o->members[o->slots[i].place - 1];
			if (o->slots[i].hash == hash && sj_slice_eq(sj_value_text(&found->key), key))
				return found;
		}
		return NULL;
	}
	struct sj_member *members = o->members;
	if (key.len > SJ_SHORT_MAX) {
		for (uint32_t i = 0; i < o->body.count; i++)
			if (members[i].key.type == SJ_V_STRING && sj_slice_eq(sj_value_text(&members[i].key), key))
				return &members[i];
		return NULL;
	}
	struct sj_value probe = sj_value_short(key);
	for (uint32_t i = 0; i < o->body.count; i++)
		if (memcmp(&members[i].key, &probe, sizeof probe) == 0)
			return &members[i];
	return NULL;
}

/* Reading. */

const struct sj_value *sj_value_get(const struct sj_value *object, struct sj_slice key)
{
	if (object->type != SJ_V_OBJECT)
		return NULL;
	const struct sj_member *found = sj_vmap_find(object->u.o, key);
	return found ? &found->value : NULL;
}

const struct sj_value *sj_value_member(const struct sj_value *object, uint32_t i, struct sj_slice *key)
{
	if (object->type != SJ_V_OBJECT || i >= object->u.o->body.count)
		return NULL;
	const struct sj_member *p = &object->u.o->members[i];
	if (key)
		*key = sj_value_text(&p->key);
	return &p->value;
}

/* Writing. */

static struct sj_vmap *own(struct sj_mem *m, struct sj_value *v)
{
	struct sj_vmap *old = v->u.o;
	assert(v->type == SJ_V_OBJECT);
	if (old->body.refs == 1)
		return old;
	struct sj_vmap *o = sj_vmap_new(m, old->body.count);
	if (!o)
		return NULL;
	if (old->slots && reindex(m, o, old->body.count) != SJ_OK) {
		free_body(m, o);
		return NULL;
	}
	for (uint32_t i = 0; i < old->body.count; i++) {
		const struct sj_member *p = &old->members[i];
		o->members[i] = (struct sj_member){sj_value_ref(p->key), sj_value_ref(p->value)};
		if (o->slots)
			put_slot(o->slots, o->slot_cap, hash_key(o->slots, sj_value_text(&p->key)), i + 1);
	}
	o->body.count = old->body.count;
	old->body.refs--;
	v->u.o = o;
	return o;
}

static enum sj_status grow_members(struct sj_mem *m, struct sj_vmap *o)
{
	uint32_t cap = o->cap < FIRST_MEMBERS ? FIRST_MEMBERS : o->cap * 2;
	bool inside = o->members == o->own;
	if (o->cap >= UINT32_MAX / 2)
		return SJ_NOMEM;
	struct sj_member *moved = inside ? sj_mem_alloc(m, cap * sizeof *moved)
	                                 : sj_mem_resize(m, o->members, o->cap * sizeof *moved, cap * sizeof *moved);
	if (!moved)
		return SJ_NOMEM;
	if (inside)
		memcpy(moved, o->own, o->body.count * sizeof *moved);
	o->members = moved;
	o->cap = cap;
	return SJ_OK;
}

enum sj_status sj_vmap_add(struct sj_mem *m, struct sj_vmap *o, struct sj_value key, struct sj_value value)
{
	uint32_t count = o->body.count;
	enum sj_status st = count < o->cap ? SJ_OK : grow_members(m, o);
	if (st == SJ_OK && count >= SJ_UNINDEXED && (!o->slots || count + 1 > o->slot_cap / 4 * 3))
		st = reindex(m, o, o->cap);
	if (st != SJ_OK) {
		sj_value_unref(m, key);
		sj_value_unref(m, value);
		return st;
	}
	o->members[count] = (struct sj_member){key, value};
	o->body.count++;
	if (o->slots)
		put_slot(o->slots, o->slot_cap, hash_key(o->slots, sj_value_text(&key)), count + 1);
	return SJ_OK;
}

struct sj_value *sj_value_own_member(struct sj_mem *m, struct sj_value *object, struct sj_slice key,
                                     enum sj_status *status)
{
	const struct sj_member *found = object->type == SJ_V_OBJECT ? sj_vmap_find(object->u.o, key) : NULL;
	if (!found) {
		*status = SJ_ABSENT;
		return NULL;
	}
	size_t place = (size_t)(found - object->u.o->members);
	struct sj_vmap *o = own(m, object);
	if (!o) {
		*status = SJ_NOMEM;
		return NULL;
	}
	o->body.stamp = sj_mem_serial(m);
	*status = SJ_OK;
	return &o->members[place].value;
}

struct sj_value *sj_value_own_found(struct sj_mem *m, struct sj_value *object, const struct sj_value *found)
{
	struct sj_vmap *o = object->u.o;
	assert(object->type == SJ_V_OBJECT && o->body.refs == 1);
	assert((const char *)found >= (const char *)o->members &&
	       (const char *)found < (const char *)(o->members + o->body.count));
	o->body.stamp = sj_mem_serial(m);
	return (struct sj_value *)(uintptr_t)found;
}

enum sj_status sj_value_set(struct sj_mem *m, struct sj_value *object, struct sj_slice key, struct sj_value take)
{
	if (take.type == SJ_V_ABSENT)
		return sj_value_unset(m, object, key);
	enum sj_status st;
	struct sj_value *place = sj_value_own_member(m, object, key, &st);
	if (place) {
		struct sj_value old = *place;
		*place = take;
		sj_value_unref(m, old);
		return SJ_OK;
	}
	struct sj_value name;
	struct sj_vmap *o = st == SJ_ABSENT ? own(m, object) : NULL;
	if (!o || sj_value_string(m, key, &name) != SJ_OK) {
		sj_value_unref(m, take);
		return SJ_NOMEM;
	}
	st = sj_vmap_add(m, o, name, take);
	if (st == SJ_OK)
		o->body.stamp = sj_mem_serial(m);
	return st;
}

enum sj_status sj_value_unset(struct sj_mem *m, struct sj_value *object, struct sj_slice key)
{
	const struct sj_member *found = sj_vmap_find(object->u.o, key);
	if (!found)
		return SJ_OK;
	uint32_t at = (uint32_t)(found - object->u.o->members);
	struct sj_vmap *o = own(m, object);
	if (!o)
		return SJ_NOMEM;
	struct sj_member old = o->members[at];
	if (o->slots) {
		remove_slot(o, slot_of(o, sj_value_text(&old.key), at + 1));
		if (at + 1 < o->body.count)
			for (uint32_t i = 0; i < o->slot_cap; i++)
				o->slots[i].place -= o->slots[i].place > at + 1;
	}
	o->body.count--;
	memmove(&o->members[at], &o->members[at + 1], (o->body.count - at) * sizeof *o->members);
	o->body.stamp = sj_mem_serial(m);
	sj_value_unref(m, old.key);
	sj_value_unref(m, old.value);
	return SJ_OK;
}
