/* A borrowed run of bytes: (pointer, length), never NUL-terminated by promise. Text is UTF-8 unless a comment says
 * otherwise. A slice says nothing about lifetime; the function that returns one does. */
#ifndef SJ_BASE_SLICE_H
#define SJ_BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct sj_slice {
	const char *ptr;
	size_t len;
};

/* A function that runs only where something is wrong or has to grow: the compiler keeps it, and the way to it,
 * aside. */
#define SJ_COLD __attribute__((cold))

#define SJ_LIT(s) ((struct sj_slice){(s), sizeof(s) - 1})
#define SJ_NO_SLICE ((struct sj_slice){NULL, 0})
/* printf("%.*s", SJ_ARG(slice)) */
#define SJ_ARG(s) (int)(s).len, ((s).ptr ? (s).ptr : "")

static inline struct sj_slice sj_slice(const char *ptr, size_t len) { return (struct sj_slice){ptr, len}; }
static inline struct sj_slice sj_slice_of(const char *z) { return (struct sj_slice){z, z ? strlen(z) : 0}; }
static inline bool sj_slice_eq(struct sj_slice a, struct sj_slice b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}
/* Equal but for the case of ASCII letters, '-', '_' and blanks. */
bool sj_slice_folds(struct sj_slice a, struct sj_slice b);
static inline bool sj_slice_is(struct sj_slice a, const char *z) { return sj_slice_eq(a, sj_slice_of(z)); }
bool sj_slice_starts(struct sj_slice a, const char *prefix);
/* Byte order (which for UTF-8 is code point order): <0, 0, >0. */
int sj_slice_cmp(struct sj_slice a, struct sj_slice b);
/* A 32-bit hash, the same on every machine for the same seed. */
uint32_t sj_slice_hash(struct sj_slice a, uint32_t seed);

#endif
