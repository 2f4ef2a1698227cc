/* Memory: one account through which every byte of the engine is taken.
 *
 * A struct sj_mem holds an allocator, the bytes in use, a limit, and (in every build) a fault point: the n-th call
 * can be told to fail, which is how the torture tests reach each out-of-memory path. Accounts may be nested: a child
 * charges its parent too. Whoever takes memory from an account gives it back to the same account. Not thread-safe:
 * one account belongs to one thread.
 */
#ifndef SJ_BASE_MEM_H
#define SJ_BASE_MEM_H

#include "base/status.h"

/* realloc-like: (NULL,0,n) allocates, (p,old,0) frees and returns NULL, else resizes. NULL for n>0 means refused and p
 * intact. */
typedef void *(*sj_resize_fn)(void *ctx, void *ptr, size_t old_bytes, size_t new_bytes);

struct sj_mem {
	sj_resize_fn resize; /* NULL: malloc family */
	void *ctx;
	struct sj_mem *parent; /* charged as well; may be NULL */
	size_t used_bytes, peak_bytes, limit_bytes; /* limit 0: none */
	uint64_t calls;   /* allocations and growths so far */
	uint64_t refused; /* how many of them were; what was made meanwhile may lack something */
	uint64_t full;    /* how many of those because this very account was at its limit */
	uint64_t fail_at; /* 0: never; else the call with this number and all later ones fail (fail_once: only it) */
	bool fail_once;
	uint32_t serial; /* last number handed out by sj_mem_serial */
};

void sj_mem_init(struct sj_mem *m, struct sj_mem *parent, size_t limit_bytes);
void *sj_mem_alloc(struct sj_mem *m, size_t bytes);  /* NULL when refused; not cleared; bytes > 0 */
void *sj_mem_zalloc(struct sj_mem *m, size_t bytes); /* cleared */
void *sj_mem_resize(struct sj_mem *m, void *ptr, size_t old_bytes, size_t new_bytes);
void sj_mem_free(struct sj_mem *m, void *ptr, size_t bytes); /* NULL is a no-op; bytes as allocated */
/* Numbers that differ from each other within one account (until 2^32 have been asked for); never 0. Versions of counted
 * bodies come from here, so that a new body at an old address has another version. */
static inline uint32_t sj_mem_serial(struct sj_mem *m) { return ++m->serial ? m->serial : ++m->serial; }
/* Refusals anywhere on the accounts that share this one's topmost: what a caller compares before and after to learn
 * whether something is missing, whichever account it was to come from. */
static inline uint64_t sj_mem_refused(const struct sj_mem *m)
{
	while (m->parent)
		m = m->parent;
	return m->refused;
}
char *sj_mem_strndup(struct sj_mem *m, struct sj_slice s);   /* NUL-terminated; free with len + 1 */

/* Grows *items (of `item` bytes each) so that at least `need` fit; doubles; SJ_LIMIT beyond `max` items (0: no cap). */
SJ_COLD enum sj_status sj_mem_grow(struct sj_mem *m, void **items, uint32_t *cap, size_t item, uint32_t need,
                                   uint32_t max);

/* Typed front of sj_mem_grow for `struct { T *items; uint32_t count, cap; }`-shaped vectors. */
#define SJ_VEC(T)                                                                                                      \
	struct {                                                                                                       \
		T *items;                                                                                              \
		uint32_t count, cap;                                                                                   \
	}
#define SJ_VEC_RESERVE(mem, v, need, max)                                                                              \
	((need) <= (v)->cap ? SJ_OK                                                                                    \
	                    : sj_mem_grow((mem), (void **)&(v)->items, &(v)->cap, sizeof *(v)->items, (need), (max)))
#define SJ_VEC_FREE(mem, v)                                                                                            \
	do {                                                                                                           \
		sj_mem_free((mem), (v)->items, (size_t)(v)->cap * sizeof *(v)->items);                                 \
		(v)->items = NULL;                                                                                     \
		(v)->count = (v)->cap = 0;                                                                             \
	} while (0)

#endif
