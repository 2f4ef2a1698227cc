#include "base/utf.h"

/* Length of the well-formed sequence at p (n bytes are there), 0 when ill-formed. Unicode 15, table 3-7. */
static size_t sequence_length(const unsigned char *p, size_t n)
{
	unsigned char c = p[0];
	if (c < 0x80)
		return 1;
	if (c < 0xC2)
		return 0;
	if (c < 0xE0)
		return n >= 2 && (p[1] & 0xC0) == 0x80 ? 2 : 0;
	if (c < 0xF0) {
		if (n < 3 || (p[1] & 0xC0) != 0x80 || (p[2] & 0xC0) != 0x80)
			return 0;
		if ((c == 0xE0 && p[1] < 0xA0) || (c == 0xED && p[1] > 0x9F))
			return 0;
		return 3;
	}
	if (c > 0xF4 || n < 4 || (p[1] & 0xC0) != 0x80 || (p[2] & 0xC0) != 0x80 || (p[3] & 0xC0) != 0x80)
		return 0;
	if ((c == 0xF0 && p[1] < 0x90) || (c == 0xF4 && p[1] > 0x8F))
		return 0;
	return 4;
}

/* As sequence_length, but a lone surrogate (WTF-8) counts as a sequence. */
static size_t loose_length(const unsigned char *p, size_t n)
{
	if (p[0] == 0xED && n >= 3 && p[1] >= 0xA0 && p[1] <= 0xBF && (p[2] & 0xC0) == 0x80)
		return 3;
	return sequence_length(p, n);
}

static uint32_t decode(const unsigned char *p, size_t length)
{
	switch (length) {
	case 1:
		return p[0];
	case 2:
		return (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu);
	case 3:
		return (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
	default:
		return (p[0] & 0x07u) << 18 | (p[1] & 0x3Fu) << 12 | (p[2] & 0x3Fu) << 6 | (p[3] & 0x3Fu);
	}
}

uint32_t sj_utf8_next(struct sj_slice s, size_t *at)
{
	const unsigned char *p = (const unsigned char *)s.ptr + *at;
	if (*p < 0x80) {
		++*at;
		return *p;
	}
	size_t n = loose_length(p, s.len - *at);
	*at += n ? n : 1;
	return n ? decode(p, n) : 0xFFFD;
}

size_t sj_utf8_check(struct sj_slice s)
{
	const unsigned char *p = (const unsigned char *)s.ptr;
	size_t i = 0;
	while (i < s.len) {
		uint64_t word;
		if (s.len - i >= sizeof word) {
			memcpy(&word, p + i, sizeof word);
			if (!(word & 0x8080808080808080u)) {
				i += sizeof word;
				continue;
			}
		}
		size_t n = sequence_length(p + i, s.len - i);
		if (n == 0)
			return i;
		i += n;
	}
	return s.len;
}

size_t sj_utf8_put(char out[4], uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (char)(0xC0 | c >> 6);
		out[1] = (char)(0x80 | (c & 0x3F));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (char)(0xE0 | c >> 12);
		out[1] = (char)(0x80 | (c >> 6 & 0x3F));
		out[2] = (char)(0x80 | (c & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | (c >> 18 & 0x07));
	out[1] = (char)(0x80 | (c >> 12 & 0x3F));
	out[2] = (char)(0x80 | (c >> 6 & 0x3F));
	out[3] = (char)(0x80 | (c & 0x3F));
	return 4;
}

size_t sj_utf8_count(struct sj_slice s)
{
	size_t n = 0;
	for (size_t at = 0; at < s.len; n++)
		sj_utf8_next(s, &at);
	return n;
}

size_t sj_utf16_count(struct sj_slice s)
{
	size_t n = 0;
	for (size_t at = 0; at < s.len; n++)
		if (sj_utf8_next(s, &at) >= 0x10000)
			n++;
	return n;
}

int sj_utf16_cmp(struct sj_slice a, struct sj_slice b)
{
	size_t i = 0, j = 0;
	while (i < a.len && j < b.len) {
		uint32_t x = sj_utf8_next(a, &i), y = sj_utf8_next(b, &j);
		if (x == y)
			continue;
		/* Code point order but for U+E000..U+FFFF, which UTF-16 sorts after the surrogates of the higher
		 * planes. */
		bool x_pair = x >= 0x10000, y_pair = y >= 0x10000;
		if (x_pair != y_pair) {
			uint32_t unit = x_pair ? 0xD800 + ((x - 0x10000) >> 10) : x;
			uint32_t other = y_pair ? 0xD800 + ((y - 0x10000) >> 10) : y;
			if (unit != other)
				return unit < other ? -1 : 1;
			/* A lone high surrogate against a pair that begins with the same one: what follows decides. */
			struct sj_slice rest = x_pair ? sj_slice(b.ptr + j, b.len - j) : sj_slice(a.ptr + i, a.len - i);
			uint32_t low = 0xDC00 + ((x_pair ? x : y) & 0x3FF);
			size_t at = 0;
			uint32_t next = rest.len ? sj_utf8_next(rest, &at) : 0;
			if (next >= 0x10000)
				next = 0xD800 + ((next - 0x10000) >> 10);
			bool rest_less = next < low;
			return rest_less == x_pair ? 1 : -1;
		}
		return x < y ? -1 : 1;
	}
	return (i < a.len) - (j < b.len);
}

size_t sj_utf8_cut(struct sj_slice s, size_t max)
{
	if (s.len <= max)
		return s.len;
	size_t cut = max;
	/* At most three continuation bytes belong to one code point; more are ill-formed and may be cut anywhere. */
	for (int back = 0; back < 3 && cut > 0 && ((unsigned char)s.ptr[cut] & 0xC0) == 0x80; back++)
		cut--;
	return ((unsigned char)s.ptr[cut] & 0xC0) == 0x80 ? max : cut;
}
