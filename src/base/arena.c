#include "base/arena.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

enum {
	FIRST_BYTES = 512,
	LAST_STEP = 65536,
	LARGE = 16384, /* things beyond this do not make the step blocks grow */
	ALIGN = 16,
};

/* `bytes` counts the header. A block is either a step block, which cur and end may point into, or holds one large
 * thing; the large ones stand in the same list so that a rollback frees both kinds by age. */
struct sj_arena_block {
	struct sj_arena_block *next;
	size_t bytes;
	size_t step; /* size the next step block should have */
	size_t pad;
};
_Static_assert(sizeof(struct sj_arena_block) % ALIGN == 0, "content of a block starts aligned");

static char *content(struct sj_arena_block *b) { return (char *)(b + 1); }

void sj_arena_init(struct sj_arena *a, struct sj_mem *mem, size_t first_bytes)
{
	*a = (struct sj_arena){.mem = mem, .first_bytes = first_bytes ? first_bytes : FIRST_BYTES};
}

static void free_until(struct sj_arena *a, struct sj_arena_block *stop)
{
	while (a->head != stop) {
		struct sj_arena_block *dead = a->head;
		assert(dead); /* else the mark is not of this arena, or older than a reset */
		a->head = dead->next;
		sj_mem_free(a->mem, dead, dead->bytes);
	}
}

void sj_arena_finish(struct sj_arena *a)
{
	free_until(a, NULL);
	a->cur = a->end = NULL;
}

#ifdef SJ_ARENA_DEBUG

static struct sj_arena_block *push_block(struct sj_arena *a, size_t bytes)
{
	if (bytes > SIZE_MAX - sizeof(struct sj_arena_block))
		return NULL;
	bytes += sizeof(struct sj_arena_block);
	struct sj_arena_block *b = sj_mem_alloc(a->mem, bytes);
	if (!b)
		return NULL;
	*b = (struct sj_arena_block){.next = a->head, .bytes = bytes};
	a->head = b;
	return b;
}

void sj_arena_reset(struct sj_arena *a) { sj_arena_finish(a); }

void *sj_arena_alloc(struct sj_arena *a, size_t bytes)
{
	struct sj_arena_block *b = push_block(a, bytes);
	return b ? content(b) : NULL;
}

static char *alloc_bytes(struct sj_arena *a, size_t bytes) { return sj_arena_alloc(a, bytes); }

void *sj_arena_resize(struct sj_arena *a, void *ptr, size_t old_bytes, size_t new_bytes)
{
	if (ptr && new_bytes <= old_bytes)
		return ptr;
	void *moved = sj_arena_alloc(a, new_bytes);
	if (moved && old_bytes)
		memcpy(moved, ptr, old_bytes);
	return moved;
}

#else

static size_t align_up(size_t n) { return (n + (ALIGN - 1)) & ~(size_t)(ALIGN - 1); }

static struct sj_arena_block *push_block(struct sj_arena *a, size_t bytes, size_t step)
{
	struct sj_arena_block *b = sj_mem_alloc(a->mem, bytes);
	if (!b)
		return NULL;
	*b = (struct sj_arena_block){.next = a->head, .bytes = bytes, .step = step};
	a->head = b;
	return b;
}

void sj_arena_reset(struct sj_arena *a)
{
	struct sj_arena_block *keep = NULL;
	while (a->head) {
		struct sj_arena_block *b = a->head;
		a->head = b->next;
		if (keep && keep->bytes >= b->bytes) {
			sj_mem_free(a->mem, b, b->bytes);
			continue;
		}
		if (keep)
			sj_mem_free(a->mem, keep, keep->bytes);
		keep = b;
	}
	a->cur = a->end = NULL;
	if (!keep)
		return;
	keep->next = NULL;
	a->head = keep;
	a->cur = content(keep);
	a->end = (char *)keep + keep->bytes;
}

/* Room for `bytes` that did not fit the current block. */
static char *alloc_slow(struct sj_arena *a, size_t bytes)
{
	if (bytes > SIZE_MAX - 2 * sizeof(struct sj_arena_block))
		return NULL;
	size_t need = align_up(bytes) + sizeof(struct sj_arena_block);
	size_t step = a->head ? a->head->step : a->first_bytes;
	while (step < need && step < LARGE)
		step *= 2;
	if (need > step) { /* a block of its own; the current one stays current */
		struct sj_arena_block *own = push_block(a, need, step);
		return own ? content(own) : NULL;
	}
	struct sj_arena_block *b = push_block(a, step, step < LAST_STEP ? step * 2 : step);
	if (!b)
		return NULL;
	a->cur = content(b) + bytes;
	a->end = (char *)b + step;
	return content(b);
}

static char *alloc_bytes(struct sj_arena *a, size_t bytes)
{
	if (!a->cur || bytes > (size_t)(a->end - a->cur))
		return alloc_slow(a, bytes);
	char *p = a->cur;
	a->cur += bytes;
	return p;
}

void *sj_arena_alloc(struct sj_arena *a, size_t bytes)
{
	if (a->cur) {
		size_t skip = -(uintptr_t)a->cur & (ALIGN - 1);
		size_t room = (size_t)(a->end - a->cur);
		if (skip <= room && bytes <= room - skip) {
			char *p = a->cur + skip;
			a->cur = p + bytes;
			return p;
		}
	}
	return alloc_slow(a, bytes);
}

void *sj_arena_resize(struct sj_arena *a, void *ptr, size_t old_bytes, size_t new_bytes)
{
	if (!ptr)
		return sj_arena_alloc(a, new_bytes);
	char *p = ptr;
	if (p + old_bytes == a->cur && new_bytes <= (size_t)(a->end - p)) {
		a->cur = p + new_bytes;
		return p;
	}
	struct sj_arena_block *b = a->head;
	bool own_block = p == content(b) && a->end != (char *)b + b->bytes;
	if (own_block && new_bytes <= SIZE_MAX - 2 * sizeof *b) {
		size_t need = align_up(new_bytes) + sizeof *b;
		b = sj_mem_resize(a->mem, b, b->bytes, need);
		if (!b)
			return NULL;
		b->bytes = need;
		a->head = b;
		return content(b);
	}
	if (new_bytes <= old_bytes)
		return p;
	char *moved = sj_arena_alloc(a, new_bytes);
	if (moved)
		memcpy(moved, p, old_bytes);
	return moved;
}

#endif

void *sj_arena_zalloc(struct sj_arena *a, size_t bytes)
{
	void *p = sj_arena_alloc(a, bytes);
	if (p)
		memset(p, 0, bytes);
	return p;
}

struct sj_slice sj_arena_copy(struct sj_arena *a, struct sj_slice s)
{
	char *p = s.len < SIZE_MAX ? alloc_bytes(a, s.len + 1) : NULL;
	if (!p)
		return SJ_NO_SLICE;
	if (s.len)
		memcpy(p, s.ptr, s.len);
	p[s.len] = '\0';
	return (struct sj_slice){p, s.len};
}

struct sj_arena_mark sj_arena_mark(const struct sj_arena *a)
{
	return (struct sj_arena_mark){a->head, a->cur, a->end};
}

void sj_arena_rollback(struct sj_arena *a, struct sj_arena_mark m)
{
	free_until(a, m.head);
	a->cur = m.cur;
	a->end = m.end;
}
