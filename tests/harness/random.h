/* A small seeded generator for property tests: the same numbers on every machine. */
#ifndef SJ_TEST_RANDOM_H
#define SJ_TEST_RANDOM_H

#include <stdint.h>

struct sj_random {
	uint64_t state; /* any value */
};

static inline uint64_t sj_random_next(struct sj_random *r)
{
	uint64_t z = r->state += 0x9E3779B97F4A7C15u; /* splitmix64, Steele et al. 2014 */
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
	z = (z ^ z >> 27) * 0x94D049BB133111EBu;
	return z ^ z >> 31;
}

static inline uint32_t sj_random_below(struct sj_random *r, uint32_t n)
{
	return (uint32_t)((sj_random_next(r) >> 32) * n >> 32);
}

#endif
