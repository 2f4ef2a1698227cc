#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void sj_mem_init(struct sj_mem *m, struct sj_mem *parent, size_t limit_bytes)
{
	*m = (struct sj_mem){.parent = parent, .limit_bytes = limit_bytes};
}

/* Counts one call in every account of the chain; false when one of them is told to fail here, or is full. */
static bool admit(struct sj_mem *m, size_t more)
{
	struct sj_mem *full = NULL;
	bool fails = false;
	for (; m; m = m->parent) {
		m->calls++;
		if (m->fail_at && (m->calls == m->fail_at || (m->calls > m->fail_at && !m->fail_once)))
			fails = true;
		if (!full &&
		    (more > SIZE_MAX - m->used_bytes || (m->limit_bytes && m->used_bytes + more > m->limit_bytes)))
			full = m;
	}
	if (full && !fails)
		full->full++;
	return !fails && !full;
}

static void note_refusal(struct sj_mem *m)
{
	for (; m; m = m->parent)
		m->refused++;
}

static void charge(struct sj_mem *m, size_t old_bytes, size_t new_bytes)
{
	for (; m; m = m->parent) {
		assert(m->used_bytes >= old_bytes);
		m->used_bytes = m->used_bytes - old_bytes + new_bytes;
		if (m->used_bytes > m->peak_bytes)
			m->peak_bytes = m->used_bytes;
	}
}

/* The nearest allocator up the chain. */
static void *raw_resize(struct sj_mem *m, void *ptr, size_t old_bytes, size_t new_bytes)
{
	for (; m; m = m->parent)
		if (m->resize)
			return m->resize(m->ctx, ptr, old_bytes, new_bytes);
	if (new_bytes)
		return ptr ? realloc(ptr, new_bytes) : malloc(new_bytes);
	free(ptr);
	return NULL;
}

void *sj_mem_resize(struct sj_mem *m, void *ptr, size_t old_bytes, size_t new_bytes)
{
	assert(ptr || old_bytes == 0);
	if (new_bytes == 0) {
		sj_mem_free(m, ptr, old_bytes);
		return NULL;
	}
	bool admitted = new_bytes <= old_bytes || admit(m, new_bytes - old_bytes);
	void *moved = admitted ? raw_resize(m, ptr, old_bytes, new_bytes) : NULL;
	if (moved)
		charge(m, old_bytes, new_bytes);
	else
		note_refusal(m);
	return moved;
}

void *sj_mem_alloc(struct sj_mem *m, size_t bytes)
{
	assert(bytes > 0);
	return sj_mem_resize(m, NULL, 0, bytes);
}

void *sj_mem_zalloc(struct sj_mem *m, size_t bytes)
{
	void *p = sj_mem_alloc(m, bytes);
	if (p)
		memset(p, 0, bytes);
	return p;
}

void sj_mem_free(struct sj_mem *m, void *ptr, size_t bytes)
{
	if (!ptr)
		return;
	raw_resize(m, ptr, bytes, 0);
	charge(m, bytes, 0);
}

char *sj_mem_strndup(struct sj_mem *m, struct sj_slice s)
{
	char *z = s.len < SIZE_MAX ? sj_mem_alloc(m, s.len + 1) : NULL;
	if (!z)
		return NULL;
	if (s.len)
		memcpy(z, s.ptr, s.len);
	z[s.len] = '\0';
	return z;
}

enum sj_status sj_mem_grow(struct sj_mem *m, void **items, uint32_t *cap, size_t item, uint32_t need, uint32_t max)
{
	if (need <= *cap)
		return SJ_OK;
	if (max && need > max)
		return SJ_LIMIT;
	uint32_t want = *cap > UINT32_MAX / 2 ? UINT32_MAX : *cap * 2;
	if (want < 8)
		want = 8;
	if (want < need)
		want = need;
	if (max && want > max)
		want = max;
	if (want > SIZE_MAX / item)
		return SJ_NOMEM;
	void *moved = sj_mem_resize(m, *items, *cap * item, want * item);
	if (!moved)
		return SJ_NOMEM;
	*items = moved;
	*cap = want;
	return SJ_OK;
}
