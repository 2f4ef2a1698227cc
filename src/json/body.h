/* The counted bodies behind struct sj_value. Every body begins with its count of owners.
 *
 * Containers carry three words of scratch (`up`, `at`, `link`) with which walks keep their way down: bodies form no
 * cycles, so a body stands at most once on a path from the root, and no walk calls out while it is under way. Hence
 * freeing, comparing, printing and copying need neither recursion nor memory, at any depth.
 */
#ifndef SJ_JSON_BODY_H
#define SJ_JSON_BODY_H

#include "json/value.h"

enum { SJ_SHORT_MAX = 14 }; /* bytes of a string inside its value */

struct sj_vstr {
	uint32_t refs, len, cap;
	char bytes[];
};

struct sj_body {
	uint32_t refs, stamp;
	uint32_t count; /* items or members */
	uint32_t at;    /* scratch: position of the walk */
	struct sj_body *up; /* scratch: container the walk came from */
	union {
		struct sj_body *other; /* scratch: the partner in a comparison */
		size_t base;           /* scratch: a number of the walk's own */
	} link;
	uint8_t type;           /* SJ_V_ARRAY or SJ_V_OBJECT */
	bool dense;             /* list: every chunk but the last is full */
};

/* Up to SJ_CHUNK values, itself counted: a copied list shares its chunks until one is written. */
enum { SJ_CHUNK = 128 };
struct sj_chunk {
	uint32_t refs, cap;
	struct sj_value items[];
};
struct sj_run { /* a list's view of one chunk */
	struct sj_chunk *chunk;
	uint32_t start, count; /* index of its first item; never 0 items */
};
struct sj_list {
	struct sj_body body;
	struct sj_run *runs; /* &one while run_cap is 1: most lists are short */
	uint32_t run_count, run_cap;
	struct sj_run one;
};

struct sj_member {
	struct sj_value key; /* SHORT or STRING */
	struct sj_value value;
};
struct sj_slot {
	uint32_t hash, place; /* member + 1; 0: empty */
};
struct sj_vmap {
	struct sj_body body;
	struct sj_member *members; /* `own`, until they outgrow it */
	struct sj_slot *slots;     /* NULL up to SJ_UNINDEXED members */
	uint32_t cap, slot_cap, own_cap;
	struct sj_member own[];
};
enum { SJ_UNINDEXED = 16 };

static inline struct sj_body *sj_body_of(const struct sj_value *v)
{
	return v->type == SJ_V_ARRAY ? &v->u.a->body : &v->u.o->body;
}
static inline struct sj_list *sj_list_of(struct sj_body *b) { return (struct sj_list *)(void *)b; }
static inline struct sj_vmap *sj_vmap_of(struct sj_body *b) { return (struct sj_vmap *)(void *)b; }

/* A string value of at most SJ_SHORT_MAX bytes; unused bytes are zero, so that equal text is equal memory. */
static inline struct sj_value sj_value_short(struct sj_slice s)
{
	struct sj_value v = {.type = SJ_V_SHORT, .len = (uint8_t)s.len};
	char *to = (char *)&v + offsetof(struct sj_value, in);
	const char *from = s.ptr;
	if (s.len >= 8) { /* two words that overlap: no call */
		memcpy(to, from, 8);
		memcpy(to + s.len - 8, from + s.len - 8, 8);
	} else if (s.len >= 4) {
		memcpy(to, from, 4);
		memcpy(to + s.len - 4, from + s.len - 4, 4);
	} else if (s.len) {
		to[0] = from[0];
		to[s.len / 2] = from[s.len / 2];
		to[s.len - 1] = from[s.len - 1];
	}
	return v;
}
static inline struct sj_value sj_value_of_body(struct sj_body *b)
{
	struct sj_value v = {.type = b->type};
	if (b->type == SJ_V_ARRAY)
		v.u.a = sj_list_of(b);
	else
		v.u.o = sj_vmap_of(b);
	return v;
}

/* Empty bodies, refs 1; an object with room for `count` members. */
struct sj_list *sj_list_new(struct sj_mem *m);
struct sj_vmap *sj_vmap_new(struct sj_mem *m, uint32_t count);
/* Appends a member whose key is known to be new. Takes both. */
enum sj_status sj_vmap_add(struct sj_mem *m, struct sj_vmap *o, struct sj_value key, struct sj_value value);
/* Appends; `expect` is how many items the list will hold in the end, 0 when unknown. */
enum sj_status sj_list_push(struct sj_mem *m, struct sj_list *a, struct sj_value take, uint32_t expect);
struct sj_value *sj_list_at(const struct sj_list *a, uint32_t index);
struct sj_member *sj_vmap_find(const struct sj_vmap *o, struct sj_slice key);
/* Give back a dead body's own memory and hand each child whose last owner it was to `dying` (containers are linked by
 * `up`). */
void sj_list_free(struct sj_mem *m, struct sj_list *a, struct sj_body **dying);
void sj_vmap_free(struct sj_mem *m, struct sj_vmap *o, struct sj_body **dying);
void sj_value_drop(struct sj_mem *m, struct sj_value v, struct sj_body **dying);
void sj_body_bury(struct sj_mem *m, struct sj_body *dying); /* frees the list that the functions above made */

/* Child `i` of a container in order. */
const struct sj_value *sj_body_child(const struct sj_body *b, uint32_t i);

/* Values in `v`, itself and holes included, and its height (a scalar has 0), counted up to `most`. */
uint32_t sj_value_measure(const struct sj_value *v, uint32_t most, uint32_t *height);

#endif
