#include "base/num_exact.h"

#include <assert.h>

/* Whole numbers of up to 6144 bits. The largest needed: 800 digits times 2^1075 (3733 bits), and 2^54 times 10^1143
 * (3852 bits). */
enum { LIMBS = 192, KEPT_DIGITS = 800 };

struct big {
	uint32_t count;
	uint32_t limb[LIMBS]; /* least significant first */
};

static void multiply_add(struct big *b, uint32_t factor, uint32_t add)
{
	uint64_t carry = add;
	for (uint32_t i = 0; i < b->count; i++) {
		carry += (uint64_t)b->limb[i] * factor;
		b->limb[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry) {
		assert(b->count < LIMBS);
		b->limb[b->count++] = (uint32_t)carry;
	}
}

static void multiply_pow10(struct big *b, int64_t power)
{
	for (; power >= 9; power -= 9)
		multiply_add(b, 1000000000, 0);
	for (; power > 0; power--)
		multiply_add(b, 10, 0);
}

static void shift_left(struct big *b, uint32_t bits)
{
	for (; bits >= 31; bits -= 31)
		multiply_add(b, UINT32_C(1) << 31, 0);
	multiply_add(b, UINT32_C(1) << bits, 0);
}

static int compare(const struct big *a, const struct big *b)
{
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	for (uint32_t i = a->count; i-- > 0;)
		if (a->limb[i] != b->limb[i])
			return a->limb[i] < b->limb[i] ? -1 : 1;
	return 0;
}

/* The value as an integer times 10^*exponent. Digits beyond those that can matter become one 1 if any of them is not 0:
 * no middle between two doubles has as many digits, so the comparison comes out the same. */
static void read_digits(struct big *b, struct sj_slice digits, size_t leading, int64_t *exponent)
{
	size_t seen = 0;
	b->count = 0;
	for (size_t i = 0; i < digits.len; i++) {
		char c = digits.ptr[i];
		if (c == '.')
			continue;
		if (seen == KEPT_DIGITS) {
			for (; i < digits.len && (digits.ptr[i] == '0' || digits.ptr[i] == '.'); i++)
				;
			multiply_add(b, 10, i < digits.len);
			seen++;
			break;
		}
		multiply_add(b, 10, (uint32_t)(c - '0'));
		seen++;
	}
	if (seen > leading)
		*exponent -= (int64_t)(seen - leading);
}

/* How the value compares with the middle between the doubles of `bits` and `bits` + 1. */
static int compare_middle(const struct big *value, int64_t exponent, uint64_t bits)
{
	uint64_t m = bits & ((UINT64_C(1) << 52) - 1);
	int biased = (int)(bits >> 52);
	if (biased)
		m |= UINT64_C(1) << 52;
	int power = (biased ? biased : 1) - 1075 - 1; /* middle = (2m + 1) * 2^power */
	m = 2 * m + 1;
	struct big left = *value, right = {.count = 2, .limb = {(uint32_t)m, (uint32_t)(m >> 32)}};
	if (right.limb[1] == 0)
		right.count = 1;
	if (exponent >= 0)
		multiply_pow10(&left, exponent);
	else
		multiply_pow10(&right, -exponent);
	if (power >= 0)
		shift_left(&right, (uint32_t)power);
	else
		shift_left(&left, (uint32_t)-power);
	return compare(&left, &right);
}

uint64_t sj_num_exact(struct sj_slice digits, size_t leading, int64_t exponent, uint64_t guess)
{
	const uint64_t infinity = UINT64_C(0x7FF) << 52;
	struct big value;
	read_digits(&value, digits, leading, &exponent);
	for (;;) {
		int above = guess < infinity ? compare_middle(&value, exponent, guess) : -1;
		if (above > 0 || (above == 0 && (guess & 1))) {
			guess++;
			continue;
		}
		int below = guess > 0 ? compare_middle(&value, exponent, guess - 1) : 1;
		if (below < 0 || (below == 0 && (guess & 1))) {
			guess--;
			continue;
		}
		return guess;
	}
}
