#include "base/num.h"

#include <math.h>
#include <string.h>

#include "base/num_exact.h"
#include "base/pow10.h"

enum {
	MANTISSA_BITS = 52,
	EXPONENT_BIAS = 1023,
	EXPONENT_ALL = 0x7FF,
	DIGITS_64 = 19, /* decimal digits that always fit 64 bits */
};

__extension__ typedef unsigned __int128 wide;

static bool is_digit(char c) { return (unsigned char)(c - '0') < 10; }

static double from_bits(uint64_t bits)
{
	double d;
	memcpy(&d, &bits, sizeof d);
	return d;
}

/* floor(log2(10^k)) for |k| <= 400 and floor(log10(2^q)) for |q| <= 1100, by fixed-point constants. */
static int log2_pow10(int k) { return (int)((int64_t)k * 217706 >> 16); }
static int log10_pow2(int q) { return (int)((int64_t)q * 1262611 >> 22); }
static int log10_pow2_three_quarters(int q) { return (int)(((int64_t)q * 1262611 - 524031) >> 22); }

/* Reading.
 *
 * 1. Up to 15 digits and a power of ten within 10^22: both are exact doubles, so one operation rounds correctly.
 * 2. Else the 64-bit mantissa times the 128-bit power, whose leading bits decide nearly always (Lemire, "Number parsing
 * at a gigabyte per second", 2021).
 * 3. Else whole integers are compared (num_exact.c). */

/* Bits of the double nearest to w * 10^q. false: the product is too close to the middle between two doubles to decide;
 * *bits is then off by one at most. */
static bool nearest(uint64_t w, int64_t q, uint64_t *bits)
{
	if (w == 0 || q < SJ_POW10_FIRST) {
		*bits = 0;
		return true;
	}
	if (q > 308) {
		*bits = (uint64_t)EXPONENT_ALL << MANTISSA_BITS;
		return true;
	}
	int zeros = __builtin_clzll(w);
	w <<= zeros;
	struct sj_pow10 power = sj_pow10_table[q - SJ_POW10_FIRST];
	wide product = (wide)w * power.hi;
	uint64_t hi = (uint64_t)(product >> 64), lo = (uint64_t)product;
	bool sure = true;
	/* The bits below the mantissa are about to carry: refine with the power's low half. */
	if ((hi & 0x1FF) == 0x1FF) {
		uint64_t more = (uint64_t)((wide)w * power.lo >> 64);
		lo += more;
		hi += lo < more;
		sure = lo != UINT64_MAX || (q >= SJ_POW10_UP && q <= SJ_POW10_EXACT);
	}
	int top = (int)(hi >> 63), shift = top + 64 - MANTISSA_BITS - 3;
	uint64_t m = hi >> shift; /* the mantissa and one bit for rounding */
	int exponent = log2_pow10((int)q) + 63 + top - zeros + EXPONENT_BIAS;
	if (exponent <= 0) { /* subnormal */
		if (exponent <= -63) {
			*bits = 0;
			return sure;
		}
		m >>= 1 - exponent;
		m += m & 1;
		*bits = m >> 1; /* a carry into bit 52 is the smallest normal number */
		return sure;
	}
	/* Exactly in the middle: to even. Only powers of five below 2^64 can leave no remainder. */
	if (lo <= 1 && q >= -4 && q <= 23 && (m & 3) == 1 && m << shift == hi)
		m &= ~UINT64_C(1);
	m += m & 1;
	m >>= 1;
	if (m >> (MANTISSA_BITS + 1)) {
		m >>= 1;
		exponent++;
	}
	if (exponent >= EXPONENT_ALL)
		*bits = (uint64_t)EXPONENT_ALL << MANTISSA_BITS;
	else
		*bits = (uint64_t)exponent << MANTISSA_BITS | (m & ((UINT64_C(1) << MANTISSA_BITS) - 1));
	return sure;
}

static const double small_powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* A decimal number taken apart: `digits` are the source bytes from the first digit that counts to the last, a point
 * possibly among them. value = mantissa * 10^exponent, but for what `cut` says was left out of the mantissa. */
struct decimal {
	uint64_t mantissa;
	int64_t exponent;
	struct sj_slice digits;
	bool minus, cut;
};

static double to_double(const struct decimal *d)
{
	enum { SMALL = sizeof small_powers / sizeof *small_powers - 1 };
	double v;
	uint64_t bits, above;
	if (!d->cut && d->mantissa <= UINT64_C(1) << 53 && d->exponent >= -SMALL && d->exponent <= SMALL) {
		v = (double)d->mantissa;
		v = d->exponent < 0 ? v / small_powers[-d->exponent] : v * small_powers[d->exponent];
	} else {
		bool sure = nearest(d->mantissa, d->exponent, &bits);
		if (sure && d->cut) /* the true mantissa lies between this one and the next */
			sure = nearest(d->mantissa + 1, d->exponent, &above) && above == bits;
		v = from_bits(sure ? bits : sj_num_exact(d->digits, DIGITS_64, d->exponent, bits));
	}
	return d->minus ? -v : v;
}

/* Reads [digits][.digits][e[+-]digits] from *at; what is missing is for the caller to judge. */
struct shape {
	size_t int_digits, fraction_digits, exponent_digits;
	bool leading_zero, has_point, has_e;
};

static struct shape read_decimal(struct sj_slice t, size_t *at, struct decimal *d)
{
	struct shape shape = {0};
	size_t i = *at, first = 0, end = 0, count = 0; /* count: digits since the first that is not 0 */
	for (; i < t.len; i++) {
		char c = t.ptr[i];
		if (c == '.' && !shape.has_point) {
			shape.has_point = true;
			continue;
		}
		if (!is_digit(c))
			break;
		if (shape.has_point)
			shape.fraction_digits++;
		else if (++shape.int_digits == 1)
			shape.leading_zero = c == '0';
		if (count == 0 && c == '0') {
			d->exponent -= shape.has_point;
			continue;
		}
		if (count++ == 0)
			first = i;
		end = i + 1;
		if (count <= DIGITS_64) {
			d->mantissa = d->mantissa * 10 + (uint64_t)(c - '0');
			d->exponent -= shape.has_point;
		} else {
			d->cut |= c != '0';
			d->exponent += !shape.has_point;
		}
	}
	d->digits = sj_slice(t.ptr + first, end - first);
	if (i < t.len && (t.ptr[i] | 0x20) == 'e') {
		shape.has_e = true;
		i++;
		bool minus = i < t.len && t.ptr[i] == '-';
		if (i < t.len && (t.ptr[i] == '-' || t.ptr[i] == '+'))
			i++;
		int64_t e = 0;
		for (; i < t.len && is_digit(t.ptr[i]); i++, shape.exponent_digits++)
			if (e < INT64_C(1000000000000000)) /* beyond any text's length: clamped */
				e = e * 10 + (t.ptr[i] - '0');
		d->exponent += minus ? -e : e;
	}
	*at = i;
	return shape;
}

bool sj_num_parse(struct sj_slice text, double *out)
{
	struct decimal d = {.minus = text.len && text.ptr[0] == '-'};
	size_t at = d.minus;
	struct shape s = read_decimal(text, &at, &d);
	if (at != text.len || s.int_digits == 0 || (s.leading_zero && s.int_digits > 1) ||
	    (s.has_point && s.fraction_digits == 0) || (s.has_e && s.exponent_digits == 0))
		return false;
	*out = to_double(&d);
	return true;
}

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool sj_num_parse_loose(struct sj_slice text, double *out)
{
	while (text.len && is_blank(text.ptr[0])) {
		text.ptr++;
		text.len--;
	}
	while (text.len && is_blank(text.ptr[text.len - 1]))
		text.len--;
	struct decimal d = {.minus = text.len && text.ptr[0] == '-'};
	size_t at = d.minus || (text.len && text.ptr[0] == '+');
	struct shape s = read_decimal(text, &at, &d);
	if (at != text.len || s.int_digits + s.fraction_digits == 0 || (s.has_e && s.exponent_digits == 0))
		return false;
	*out = to_double(&d);
	return true;
}

/* Writing: the shortest decimal inside the interval that rounds to the value, and of those the nearest, after Raffaello
 * Giulietti, "The Schubfach way to render doubles", 2020. */

/* floor(g * cp / 2^64) with the lowest bit set when anything was cut off, where g carries 128 bits. */
static uint64_t round_to_odd(struct sj_pow10 g, uint64_t cp)
{
	uint64_t low = (uint64_t)((wide)g.lo * cp >> 64);
	wide p = (wide)g.hi * cp + low;
	return (uint64_t)(p >> 64) | ((uint64_t)p > 1);
}

/* value = digits * 10^exponent */
static uint64_t shortest(uint64_t bits, int *exponent)
{
	uint64_t fraction = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1);
	int biased = (int)(bits >> MANTISSA_BITS) & EXPONENT_ALL;
	uint64_t c = biased ? fraction | UINT64_C(1) << MANTISSA_BITS : fraction;
	int q = (biased ? biased : 1) - EXPONENT_BIAS - MANTISSA_BITS;
	bool odd = c & 1;
	bool closer_below = fraction == 0 && biased > 1; /* a power of two: the neighbour below is half as far */
	int k = closer_below ? log10_pow2_three_quarters(q) : log10_pow2(q);
	int h = q + log2_pow10(-k) + 1;
	struct sj_pow10 g = sj_pow10_table[-k - SJ_POW10_FIRST];
	if (-k < SJ_POW10_UP || -k > SJ_POW10_EXACT) /* always rounded up here */
		g.hi += ++g.lo == 0;
	uint64_t middle = round_to_odd(g, (4 * c) << h);
	uint64_t lower = round_to_odd(g, (4 * c - 2 + closer_below) << h) + odd;
	uint64_t upper = round_to_odd(g, (4 * c + 2) << h) - odd;
	uint64_t s = middle / 4;
	if (s >= 10) {
		uint64_t tens = s / 10;
		bool below = lower <= 40 * tens, above = 40 * tens + 40 <= upper;
		if (below != above) {
			*exponent = k + 1;
			return tens + above;
		}
	}
	*exponent = k;
	bool below = lower <= 4 * s, above = 4 * s + 4 <= upper;
	if (below != above)
		return s + above;
	uint64_t half = 4 * s + 2;
	return s + (middle > half || (middle == half && (s & 1)));
}

/* Writes n in decimal, ending before `end`; returns the first byte. */
static char *put_digits(char *end, uint64_t n)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748"
	                            "49505152535455565758596061626364656667686970717273747576777879808182838485868788899091929394959697"
	                            "9899";
	while (n >= 100) {
		end -= 2;
		memcpy(end, pairs + n % 100 * 2, 2);
		n /= 100;
	}
	if (n >= 10) {
		end -= 2;
		memcpy(end, pairs + n * 2, 2);
	} else {
		*--end = (char)('0' + n);
	}
	return end;
}

size_t sj_num_text_i64(int64_t value, char out[SJ_NUM_TEXT])
{
	char room[24], *end = room + sizeof room;
	uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	char *p = put_digits(end, magnitude);
	if (value < 0)
		*--p = '-';
	size_t n = (size_t)(end - p);
	memcpy(out, p, n);
	out[n] = '\0';
	return n;
}

static size_t put_word(char *out, const char *word)
{
	size_t n = strlen(word);
	memcpy(out, word, n + 1);
	return n;
}

size_t sj_num_text(double value, char out[SJ_NUM_TEXT])
{
	if (isnan(value))
		return put_word(out, "NaN");
	if (isinf(value))
		return put_word(out, value < 0 ? "-Infinity" : "Infinity");
	int64_t integer;
	if (sj_num_is_int(value, &integer))
		return sj_num_text_i64(integer, out);
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	int exponent;
	uint64_t digits = shortest(bits, &exponent);
	while (digits % 10 == 0) {
		digits /= 10;
		exponent++;
	}
	char room[24], *end = room + sizeof room, *d = put_digits(end, digits);
	int count = (int)(end - d);
	int point = count + exponent; /* ECMA-262 Number::toString: its n; `count` is its k */
	char *o = out;
	if (value < 0)
		*o++ = '-';
	if (count <= point && point <= 21) {
		memcpy(o, d, (size_t)count);
		memset(o + count, '0', (size_t)(point - count));
		o += point;
	} else if (0 < point && point <= 21) {
		memcpy(o, d, (size_t)point);
		o[point] = '.';
		memcpy(o + point + 1, d + point, (size_t)(count - point));
		o += count + 1;
	} else if (-6 < point && point <= 0) {
		memcpy(o, "0.", 2);
		memset(o + 2, '0', (size_t)-point);
		memcpy(o + 2 - point, d, (size_t)count);
		o += 2 - point + count;
	} else {
		*o++ = d[0];
		if (count > 1) {
			*o++ = '.';
			memcpy(o, d + 1, (size_t)(count - 1));
			o += count - 1;
		}
		int e = point - 1;
		*o++ = 'e';
		*o++ = e < 0 ? '-' : '+';
		char *p = put_digits(end, (uint64_t)(e < 0 ? -e : e));
		memcpy(o, p, (size_t)(end - p));
		o += end - p;
	}
	*o = '\0';
	return (size_t)(o - out);
}

bool sj_num_is_int(double value, int64_t *out)
{
	if (!(value >= -9007199254740992.0 && value <= 9007199254740992.0))
		return false;
	int64_t i = (int64_t)value;
	if ((double)i != value)
		return false;
	*out = i;
	return true;
}

bool sj_num_index(struct sj_slice text, uint32_t *out)
{
	enum { INDEX_DIGITS = 10 }; /* of UINT32_MAX */
	if (text.len == 0 || text.len > INDEX_DIGITS || (text.ptr[0] == '0' && text.len > 1))
		return false;
	uint64_t n = 0;
	for (size_t i = 0; i < text.len; i++) {
		if (!is_digit(text.ptr[i]))
			return false;
		n = n * 10 + (uint64_t)(text.ptr[i] - '0');
	}
	if (n >= UINT32_MAX)
		return false;
	*out = (uint32_t)n;
	return true;
}
