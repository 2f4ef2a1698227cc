#include "base/map.h"
#include "harness/random.h"
#include "harness/test.h"

enum { KEYS = 500 };

static void check_against_table(uint32_t seed)
{
	static char names[KEYS][8];
	struct sj_random r = {seed};
	struct sj_map m;
	uint32_t want[KEYS], count = 0;
	sj_map_init(&m, sj_test_mem(), seed);
	for (uint32_t i = 0; i < KEYS; i++) {
		want[i] = SJ_MAP_NONE;
		names[i][0] = (char)('a' + i % 26);
		names[i][1] = (char)('a' + i / 26);
	}
	for (int step = 0; step < 20000; step++) {
		uint32_t i = sj_random_below(&r, KEYS);
		struct sj_slice key = {names[i], 2};
		switch (sj_random_below(&r, 3)) {
		case 0:
			CHECK_INT(sj_map_del(&m, key), want[i] != SJ_MAP_NONE);
			count -= want[i] != SJ_MAP_NONE;
			want[i] = SJ_MAP_NONE;
			break;
		case 1:
			count += want[i] == SJ_MAP_NONE;
			want[i] = (uint32_t)step;
			CHECK_OK(sj_map_put(&m, key, want[i]));
			break;
		default:
			CHECK_INT(sj_map_get(&m, key), want[i]);
		}
		CHECK_INT(m.count, count);
		if (sj_failed())
			break;
	}
	for (uint32_t i = 0; i < KEYS; i++)
		CHECK_INT(sj_map_get(&m, sj_slice(names[i], 2)), want[i]);
	CHECK(m.cap <= 2048);
	sj_map_finish(&m);
}

SJ_TEST(map_does_as_a_table)
{
	for (uint32_t seed = 1; seed <= 3; seed++)
		check_against_table(seed);
}

SJ_TEST(map_of_nothing)
{
	struct sj_map m;
	sj_map_init(&m, sj_test_mem(), 0);
	CHECK_INT(sj_map_get(&m, SJ_LIT("x")), SJ_MAP_NONE);
	CHECK(!sj_map_del(&m, SJ_LIT("x")));
	CHECK_OK(sj_map_put(&m, SJ_LIT(""), 3));
	CHECK_OK(sj_map_put(&m, SJ_NO_SLICE, 4)); /* the same key */
	CHECK_INT(sj_map_get(&m, SJ_LIT("")), 4);
	CHECK_INT(m.count, 1);
	CHECK(sj_map_del(&m, SJ_NO_SLICE));
	CHECK_INT(m.count, 0);
	sj_map_finish(&m);
}

SJ_TEST(map64_does_as_a_table)
{
	struct sj_map64 m;
	struct sj_random r = {9};
	uint32_t want[KEYS], count = 0;
	sj_map64_init(&m, sj_test_mem());
	CHECK_INT(sj_map64_get(&m, 5), SJ_MAP_NONE);
	CHECK(!sj_map64_del(&m, 5));
	memset(want, 0xFF, sizeof want);
	for (int step = 0; step < 30000; step++) {
		uint32_t i = sj_random_below(&r, KEYS);
		uint64_t key = (uint64_t)i << 40 | i % 3; /* many keys alike in their low bits */
		switch (sj_random_below(&r, 3)) {
		case 0:
			CHECK_INT(sj_map64_del(&m, key), want[i] != SJ_MAP_NONE);
			count -= want[i] != SJ_MAP_NONE;
			want[i] = SJ_MAP_NONE;
			break;
		case 1:
			count += want[i] == SJ_MAP_NONE;
			want[i] = (uint32_t)step;
			CHECK_OK(sj_map64_put(&m, key, want[i]));
			break;
		default:
			CHECK_INT(sj_map64_get(&m, key), want[i]);
		}
		CHECK_INT(m.count, count);
		if (sj_failed())
			break;
	}
	for (uint32_t i = 0; i < KEYS; i++)
		CHECK_INT(sj_map64_get(&m, (uint64_t)i << 40 | i % 3), want[i]);
	sj_map64_finish(&m);
}

static enum sj_status fill(struct sj_mem *mem, void *ctx)
{
	(void)ctx;
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	struct sj_map m;
	struct sj_map64 n;
	enum sj_status st = SJ_OK;
	sj_map_init(&m, mem, 1);
	sj_map64_init(&n, mem);
	uint32_t i = 0;
	for (; i < 26 && st == SJ_OK; i++) {
		st = sj_map_put(&m, sj_slice(letters + i, 1), i);
		if (st == SJ_OK)
			st = sj_map64_put(&n, i, i);
	}
	/* A refused put leaves what was there. */
	for (uint32_t k = 0; k + 1 < i; k++)
		if (sj_map_get(&m, sj_slice(letters + k, 1)) != k || sj_map64_get(&n, k) != k)
			st = SJ_INVALID;
	sj_map_finish(&m);
	sj_map64_finish(&n);
	return st;
}

SJ_TEST(map_torture) { sj_torture(fill, NULL); }
