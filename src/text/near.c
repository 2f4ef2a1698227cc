#include "text/near.h"

/* Lower case, without separators; the bytes written. */
static uint32_t bare(struct sj_slice s, char out[SJ_NEAR_BYTES])
{
	uint32_t n = 0;
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];
		if (c == '-' || c == '_' || c == ' ')
			continue;
		out[n++] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
	}
	return n;
}

uint32_t sj_near_distance(struct sj_slice a, struct sj_slice b)
{
	char x[SJ_NEAR_BYTES], y[SJ_NEAR_BYTES];
	/* Three rows of the usual table: a swap looks back two. */
	uint32_t rows[3][SJ_NEAR_BYTES + 1];
	if (a.len > SJ_NEAR_BYTES || b.len > SJ_NEAR_BYTES)
		return UINT32_MAX;
	uint32_t n = bare(a, x), m = bare(b, y);
	for (uint32_t j = 0; j <= m; j++)
		rows[0][j] = j;
	for (uint32_t i = 1; i <= n; i++) {
		uint32_t *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
		now[0] = i;
		for (uint32_t j = 1; j <= m; j++) {
			uint32_t best = last[j - 1] + (x[i - 1] != y[j - 1]);
			best = last[j] + 1 < best ? last[j] + 1 : best;
			best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
			if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1] && before[j - 2] + 1 < best)
				best = before[j - 2] + 1;
			now[j] = best;
		}
	}
	return rows[n % 3][m];
}

static bool holds(struct sj_slice whole, struct sj_slice part)
{
	char x[SJ_NEAR_BYTES], y[SJ_NEAR_BYTES];
	if (whole.len > SJ_NEAR_BYTES || part.len > SJ_NEAR_BYTES)
		return false;
	uint32_t n = bare(whole, x), m = bare(part, y);
	for (uint32_t i = 0; m > 0 && i + m <= n; i++)
		if (memcmp(x + i, y, m) == 0)
			return n < 2 * m;
	return false;
}

bool sj_near(struct sj_slice a, struct sj_slice b, uint32_t *steps)
{
	size_t shorter = a.len < b.len ? a.len : b.len;
	uint32_t d = sj_near_distance(a, b), most = shorter < 6 ? 1 : shorter < 9 ? 2 : 3;
	*steps = d;
	if (d == UINT32_MAX || shorter == 0)
		return false;
	return (d <= most && d < shorter) || holds(a, b) || holds(b, a);
}
