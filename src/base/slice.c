#include "base/slice.h"

bool sj_slice_starts(struct sj_slice a, const char *prefix)
{
	size_t n = strlen(prefix);
	return a.len >= n && (n == 0 || memcmp(a.ptr, prefix, n) == 0);
}

int sj_slice_cmp(struct sj_slice a, struct sj_slice b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int c = n ? memcmp(a.ptr, b.ptr, n) : 0;
	return c ? c : (a.len > b.len) - (a.len < b.len);
}

/* Little-endian whatever the machine, so that hashes (and with them recordings) agree everywhere. */
static uint64_t load64(const char *p)
{
	const unsigned char *u = (const unsigned char *)p;
	return (uint64_t)u[0] | (uint64_t)u[1] << 8 | (uint64_t)u[2] << 16 | (uint64_t)u[3] << 24 |
	       (uint64_t)u[4] << 32 | (uint64_t)u[5] << 40 | (uint64_t)u[6] << 48 | (uint64_t)u[7] << 56;
}

static uint64_t load32(const char *p)
{
	const unsigned char *u = (const unsigned char *)p;
	return (uint32_t)u[0] | (uint32_t)u[1] << 8 | (uint32_t)u[2] << 16 | (uint32_t)u[3] << 24;
}

/* n bytes, 1 to 7, as one number. */
static uint64_t load_tail(const char *p, size_t n)
{
	uint64_t v = 0;
	if (n >= 4) /* the halves may overlap: they agree there */
		return load32(p) | load32(p + n - 4) << (8 * (n - 4));
	for (size_t i = 0; i < n; i++)
		v |= (uint64_t)(unsigned char)p[i] << (8 * i);
	return v;
}

/* Both halves of the 128-bit product folded together: every input bit reaches every output bit. */
static uint64_t fold(uint64_t a, uint64_t b)
{
	__extension__ typedef unsigned __int128 wide;
	wide p = (wide)a * b;
	return (uint64_t)p ^ (uint64_t)(p >> 64);
}

uint32_t sj_slice_hash(struct sj_slice a, uint32_t seed)
{
	const uint64_t k1 = 0x9E3779B97F4A7C15u, k2 = 0xD1B54A32D192ED03u; /* odd, from the golden ratio and sqrt(3) */
	uint64_t h = fold(seed ^ k1, a.len ^ k2);
	const char *p = a.ptr;
	size_t n = a.len;
	for (; n >= 8; p += 8, n -= 8)
		h = fold(h ^ load64(p), k1) + k2;
	if (n)
		h = fold(h ^ load_tail(p, n), k1) + k2;
	h = fold(h, k2);
	return (uint32_t)(h ^ h >> 32);
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

bool sj_slice_folds(struct sj_slice a, struct sj_slice b)
{
	size_t i = 0, k = 0;
	for (;;) {
		while (i < a.len && (a.ptr[i] == '-' || a.ptr[i] == '_' || a.ptr[i] == ' '))
			i++;
		while (k < b.len && (b.ptr[k] == '-' || b.ptr[k] == '_' || b.ptr[k] == ' '))
			k++;
		if (i == a.len || k == b.len)
			return i == a.len && k == b.len;
		if (lower(a.ptr[i++]) != lower(b.ptr[k++]))
			return false;
	}
}
