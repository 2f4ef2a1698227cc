#include "base/arena.h"
#include "base/buf.h"
#include "base/mem.h"
#include "harness/test.h"

SJ_TEST(accounts_nest)
{
	struct sj_mem all, part;
	sj_mem_init(&all, NULL, 1000);
	sj_mem_init(&part, &all, 600);
	char *a = sj_mem_alloc(&part, 400);
	CHECK(a != NULL);
	CHECK_INT(part.used_bytes, 400);
	CHECK_INT(all.used_bytes, 400);
	CHECK(sj_mem_alloc(&part, 201) == NULL); /* its own limit */
	char *b = sj_mem_alloc(&all, 500);
	CHECK(b != NULL);
	CHECK(sj_mem_alloc(&part, 101) == NULL); /* the parent's */
	CHECK_INT(part.used_bytes, 400);
	CHECK_INT(all.used_bytes, 900);
	a = sj_mem_resize(&part, a, 400, 500);
	CHECK_INT(all.used_bytes, 1000);
	CHECK(sj_mem_resize(&part, a, 500, 501) == NULL);
	CHECK_INT(part.used_bytes, 500); /* refused: nothing charged, the old block stays */
	a[499] = 1;
	a = sj_mem_resize(&part, a, 500, 10);
	CHECK_INT(part.used_bytes, 10);
	CHECK(sj_mem_resize(&part, a, 10, 0) == NULL);
	sj_mem_free(&all, b, 500);
	sj_mem_free(&all, NULL, 0);
	CHECK_INT(part.used_bytes, 0);
	CHECK_INT(all.used_bytes, 0);
	CHECK_INT(all.peak_bytes, 1000);
	CHECK_INT(part.peak_bytes, 500);
}

SJ_TEST(fault_points)
{
	struct sj_mem m;
	sj_mem_init(&m, NULL, 0);
	m.fail_at = 2;
	void *a = sj_mem_alloc(&m, 1);
	CHECK(a != NULL);
	CHECK(sj_mem_alloc(&m, 1) == NULL);
	CHECK(sj_mem_alloc(&m, 1) == NULL); /* and all later ones */
	m.fail_at = m.calls + 1;
	m.fail_once = true;
	CHECK(sj_mem_alloc(&m, 1) == NULL);
	void *b = sj_mem_alloc(&m, 1);
	CHECK(b != NULL);
	CHECK_INT(m.calls, 5);
	a = sj_mem_resize(&m, a, 1, 1); /* no growth, no call */
	CHECK_INT(m.calls, 5);
	sj_mem_free(&m, a, 1);
	sj_mem_free(&m, b, 1);
	CHECK_INT(m.used_bytes, 0);
}

struct counting {
	size_t given, returned;
	char room[4096];
	size_t at;
};

static void *from_room(void *ctx, void *ptr, size_t old_bytes, size_t new_bytes)
{
	struct counting *c = ctx;
	c->given += new_bytes;
	c->returned += old_bytes;
	if (new_bytes == 0 || c->at + new_bytes > sizeof c->room)
		return NULL;
	void *p = c->room + c->at;
	c->at += (new_bytes + 15) & ~(size_t)15;
	if (old_bytes)
		memcpy(p, ptr, old_bytes < new_bytes ? old_bytes : new_bytes);
	return p;
}

SJ_TEST(own_allocator)
{
	static _Alignas(16) struct counting c;
	memset(&c, 0, sizeof c);
	struct sj_mem m, child;
	sj_mem_init(&m, NULL, 0);
	m.resize = from_room;
	m.ctx = &c;
	sj_mem_init(&child, &m, 0); /* takes the nearest allocator up the chain */
	char *z = sj_mem_strndup(&child, SJ_LIT("hello"));
	CHECK_STR(sj_slice_of(z), "hello");
	CHECK(z == c.room);
	CHECK(sj_mem_alloc(&child, 5000) == NULL); /* refused by the allocator: nothing charged */
	CHECK_INT(m.used_bytes, 6);
	sj_mem_free(&child, z, 6);
	CHECK_INT(c.returned, 6);
	CHECK_INT(m.used_bytes, 0);
}

SJ_TEST(serials_differ)
{
	struct sj_mem m;
	sj_mem_init(&m, NULL, 0);
	CHECK_INT(sj_mem_serial(&m), 1);
	CHECK_INT(sj_mem_serial(&m), 2);
	m.serial = UINT32_MAX;
	CHECK_INT(sj_mem_serial(&m), 1);
}

SJ_TEST(vectors)
{
	SJ_VEC(int) v = {NULL, 0, 0};
	struct sj_mem *m = sj_test_mem();
	for (uint32_t i = 0; i < 20; i++) {
		CHECK_OK(SJ_VEC_RESERVE(m, &v, v.count + 1, 20));
		v.items[v.count++] = (int)i;
	}
	CHECK_INT(v.cap, 20); /* doubled from 8, held at the cap */
	CHECK_INT(SJ_VEC_RESERVE(m, &v, 21, 20), SJ_LIMIT);
	for (uint32_t i = 0; i < 20; i++)
		CHECK_INT(v.items[i], i);
	m->fail_at = m->calls + 1;
	CHECK_INT(SJ_VEC_RESERVE(m, &v, 21, 0), SJ_NOMEM);
	m->fail_at = 0;
	CHECK_INT(v.items[19], 19);
	SJ_VEC_FREE(m, &v);
	CHECK_INT(v.cap, 0);
}

SJ_TEST(arena_allocates_aligned)
{
	struct sj_arena a;
	sj_arena_init(&a, sj_test_mem(), 0);
	for (size_t n = 0; n < 300; n += 7) {
		char *p = sj_arena_alloc(&a, n);
		CHECK(p != NULL && (uintptr_t)p % 16 == 0);
		memset(p, (int)n, n);
		struct sj_slice s = sj_arena_copy(&a, SJ_LIT("byte aligned"));
		CHECK_STR(s, "byte aligned");
		CHECK_INT(s.ptr[s.len], 0);
	}
	char *z = sj_arena_zalloc(&a, 100);
	for (int i = 0; i < 100; i++)
		CHECK_INT(z[i], 0);
	char *big = sj_arena_alloc(&a, 1000000); /* larger than any block */
	memset(big, 1, 1000000);
	CHECK_STR(sj_arena_copy(&a, SJ_NO_SLICE), "");
	CHECK(sj_arena_alloc(&a, SIZE_MAX - 8) == NULL);
	sj_arena_finish(&a);
	CHECK_INT(sj_test_mem()->used_bytes, 0);
}

SJ_TEST(arena_rolls_back)
{
	struct sj_arena a;
	sj_arena_init(&a, sj_test_mem(), 64);
	struct sj_slice kept = sj_arena_copy(&a, SJ_LIT("kept"));
	size_t before = sj_test_mem()->used_bytes;
	struct sj_arena_mark mark = sj_arena_mark(&a);
	for (int round = 0; round < 3; round++) {
		for (size_t n = 1; n < 2000; n += 100)
			memset(sj_arena_alloc(&a, n), 0x55, n);
		memset(sj_arena_alloc(&a, 100000), 0x55, 100000);
		sj_arena_rollback(&a, mark);
		CHECK_INT(sj_test_mem()->used_bytes, before);
	}
	CHECK_STR(kept, "kept");
	CHECK_STR(sj_arena_copy(&a, SJ_LIT("more")), "more");
	CHECK_STR(kept, "kept");
	sj_arena_finish(&a);
}

SJ_TEST(arena_reset_keeps_one_block)
{
	struct sj_arena a;
	sj_arena_init(&a, sj_test_mem(), 128);
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < 100; i++)
			memset(sj_arena_alloc(&a, 100), i, 100);
		sj_arena_reset(&a);
	}
	uint64_t calls = sj_test_mem()->calls;
	for (int i = 0; i < 10; i++)
		memset(sj_arena_alloc(&a, 100), i, 100);
	sj_arena_reset(&a);
#ifndef SJ_ARENA_DEBUG
	CHECK_INT(sj_test_mem()->calls, calls); /* served by the block that was kept */
#else
	(void)calls;
#endif
	sj_arena_finish(&a);
	sj_arena_reset(&a);
	CHECK_STR(sj_arena_copy(&a, SJ_LIT("usable again")), "usable again");
	sj_arena_finish(&a);
}

SJ_TEST(arena_resize_keeps_content)
{
	struct sj_arena a;
	sj_arena_init(&a, sj_test_mem(), 256);
	unsigned char *p = NULL;
	size_t n = 0;
	for (size_t want = 1; want < 300000; want = want * 3 / 2 + 1) {
		p = sj_arena_resize(&a, p, n, want);
		CHECK(p != NULL && (uintptr_t)p % 16 == 0);
		for (size_t i = n; i < want; i++)
			p[i] = (unsigned char)(i * 7);
		n = want;
	}
	for (size_t i = 0; i < n; i++)
		if (p[i] != (unsigned char)(i * 7)) {
			CHECK_INT(i, -1);
			break;
		}
	p = sj_arena_resize(&a, p, n, 10); /* shrinks in place */
	CHECK_INT(p[9], 63);
	struct sj_slice other = sj_arena_copy(&a, SJ_LIT("behind"));
	unsigned char *moved = sj_arena_resize(&a, p, 10, 50);
	CHECK_INT(moved[9], 63);
	moved[49] = 1;
	CHECK_STR(other, "behind");
	sj_arena_finish(&a);
}

static enum sj_status use_arena(struct sj_mem *mem, void *ctx)
{
	(void)ctx;
	struct sj_arena a;
	sj_arena_init(&a, mem, 64);
	enum sj_status st = SJ_OK;
	char *p = NULL;
	size_t n = 0;
	for (size_t want = 16; want < 5000 && st == SJ_OK; want *= 2) {
		char *q = sj_arena_resize(&a, p, n, want);
		if (!q)
			st = SJ_NOMEM;
		else
			p = q;
		n = q ? want : n;
		if (st == SJ_OK && !sj_arena_copy(&a, SJ_LIT("some text between")).ptr)
			st = SJ_NOMEM;
		if (st == SJ_OK && !sj_arena_zalloc(&a, 100))
			st = SJ_NOMEM;
	}
	if (n)
		memset(p, 1, n); /* what was there stays usable after a refusal */
	sj_arena_finish(&a);
	return st;
}

SJ_TEST(arena_torture) { sj_torture(use_arena, NULL); }

SJ_TEST(buffer_grows_and_sticks)
{
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_buf_puts(&b, "one");
	sj_buf_putc(&b, ' ');
	sj_buf_slice(&b, SJ_LIT("two"));
	sj_buf_printf(&b, " %s-%d", "three", 4);
	sj_buf_code(&b, 0x20AC);
	sj_buf_put(&b, NULL, 0);
	CHECK_STR(sj_buf_view(&b), "one two three-4\xE2\x82\xAC");
	CHECK_INT(b.ptr[b.len], 0);
	sj_test_mem()->fail_at = sj_test_mem()->calls + 1;
	for (int i = 0; i < 100; i++)
		sj_buf_puts(&b, "x");
	CHECK_INT(sj_buf_status(&b), SJ_NOMEM);
	size_t len = b.len;
	sj_test_mem()->fail_at = 0;
	sj_buf_puts(&b, "ignored");
	sj_buf_printf(&b, "ignored");
	CHECK_INT(b.len, len);
	sj_buf_clear(&b);
	CHECK_OK(sj_buf_status(&b));
	CHECK_STR(sj_buf_view(&b), "");
	CHECK_INT(b.ptr[0], 0);
	sj_buf_finish(&b);
}

SJ_TEST(buffer_cap)
{
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 100);
	for (int i = 0; i < 100; i++)
		sj_buf_putc(&b, 'x');
	CHECK_OK(sj_buf_status(&b));
	CHECK_INT(b.len, 100);
	CHECK(b.cap <= 101);
	sj_buf_putc(&b, 'x');
	CHECK_INT(sj_buf_status(&b), SJ_LIMIT);
	CHECK_INT(b.len, 100);
	sj_buf_finish(&b);
	sj_buf_init(&b, sj_test_mem(), 10);
	sj_buf_puts(&b, "too long for it");
	CHECK_INT(sj_buf_status(&b), SJ_LIMIT);
	CHECK_STR(sj_buf_view(&b), "");
	sj_buf_finish(&b);
}
