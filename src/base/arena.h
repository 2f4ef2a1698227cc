/* An arena: many small things that live and die together (a message, a component definition, a compiled schema).
 *
 * Blocks start at `first_bytes` and double up to 64 KiB; a large thing gets its own. Nothing in an arena
 * is freed alone. sj_arena_reset keeps the largest block for the next round. Built with SJ_ARENA_DEBUG the same API
 * takes one allocation per thing, so that ASan and valgrind see each overrun. */
#ifndef SJ_BASE_ARENA_H
#define SJ_BASE_ARENA_H

#include "base/mem.h"

struct sj_arena_block;
struct sj_arena {
	struct sj_mem *mem;
	struct sj_arena_block *head;
	char *cur, *end;
	size_t first_bytes;
};
struct sj_arena_mark { /* where to roll back to */
	struct sj_arena_block *head;
	char *cur, *end;
};

void sj_arena_init(struct sj_arena *a, struct sj_mem *mem, size_t first_bytes); /* first_bytes 0: 512 */
void sj_arena_finish(struct sj_arena *a);
void sj_arena_reset(struct sj_arena *a);
void *sj_arena_alloc(struct sj_arena *a, size_t bytes); /* 16-byte aligned, not cleared; NULL when refused */
void *sj_arena_zalloc(struct sj_arena *a, size_t bytes);
/* Resizes the thing of `old_bytes` that was allocated last: in place while its block has room, else moved (a thing with
 * a block of its own grows by the allocator's resize). Growing anything else copies it. Not across a mark: what was
 * marked must stay where it is. NULL when refused, `ptr` intact. */
void *sj_arena_resize(struct sj_arena *a, void *ptr, size_t old_bytes, size_t new_bytes);
/* Byte-aligned copy with a NUL after it; {NULL,0} when refused. */
struct sj_slice sj_arena_copy(struct sj_arena *a, struct sj_slice s);
struct sj_arena_mark sj_arena_mark(const struct sj_arena *a);
void sj_arena_rollback(struct sj_arena *a, struct sj_arena_mark m); /* frees what came after the mark */

#endif
