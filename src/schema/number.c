#include "schema/number.h"

/* Far beyond any text that fits in memory, and far from overflow when lengths are added. */
#define EXPONENT_CAP (INT64_C(1) << 56)

static char digit(const struct sj_schema_number *n, size_t i)
{
	return i < n->head_len ? n->head[i] : n->tail[i - n->head_len];
}

void sj_schema_number_read(struct sj_slice text, struct sj_schema_number *out)
{
	const char *p = text.ptr, *end = text.ptr + text.len;
	bool negative = p < end && *p == '-';
	int64_t exponent = 0;

	p += negative;
	while (p < end && *p == '0')
		p++;
	const char *head = p;
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	size_t head_len = (size_t)(p - head), tail_len = 0;
	const char *tail = p;
	if (p < end && *p == '.') {
		tail = ++p;
		while (p < end && *p >= '0' && *p <= '9')
			p++;
		tail_len = (size_t)(p - tail);
	}
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		bool below = p < end && *p == '-';
		if (p < end && (*p == '-' || *p == '+'))
			p++;
		for (; p < end && *p >= '0' && *p <= '9'; p++)
			if (exponent < EXPONENT_CAP)
				exponent = exponent * 10 + (*p - '0');
		if (below)
			exponent = -exponent;
	}
	exponent += (int64_t)head_len;
	if (head_len == 0) {
		while (tail_len > 0 && *tail == '0') {
			tail++;
			tail_len--;
			exponent--;
		}
	}
	*out = (struct sj_schema_number){
		.head = head, .tail = tail, .head_len = head_len, .digits = head_len + tail_len,
		.exponent = exponent, .negative = negative};
	while (out->digits > 0 && digit(out, out->digits - 1) == '0')
		out->digits--;
	if (out->digits == 0) {
		out->negative = false;
		out->exponent = 0;
	}
}

int sj_schema_number_cmp(const struct sj_schema_number *a, const struct sj_schema_number *b)
{
	int sign = a->negative ? -1 : 1;

	if (a->negative != b->negative)
		return sign;
	if (a->digits == 0 || b->digits == 0) {
		int order = (a->digits > 0) - (b->digits > 0);
		return order * sign;
	}
	if (a->exponent != b->exponent)
		return a->exponent > b->exponent ? sign : -sign;
	for (size_t i = 0; i < a->digits && i < b->digits; i++)
		if (digit(a, i) != digit(b, i))
			return digit(a, i) > digit(b, i) ? sign : -sign;
	return a->digits == b->digits ? 0 : a->digits > b->digits ? sign : -sign;
}

bool sj_schema_number_integral(struct sj_slice text)
{
	struct sj_schema_number n;
	size_t i = 0;

	while (i < text.len && text.ptr[i] != '.' && text.ptr[i] != 'e' && text.ptr[i] != 'E')
		i++;
	if (i == text.len)
		return true;
	sj_schema_number_read(text, &n);
	return n.digits == 0 || n.exponent >= (int64_t)n.digits;
}

/* a * b mod m for m < 2^63, by doubling. */
static uint64_t mul_mod(uint64_t a, uint64_t b, uint64_t m)
{
	uint64_t r = 0;

	for (a %= m; b; b >>= 1) {
		if (b & 1)
			r = (r + a) % m;
		a = a * 2 % m;
	}
	return r;
}

bool sj_schema_number_multiple(const struct sj_schema_number *value, const struct sj_schema_number *divisor)
{
	if (value->digits == 0)
		return true;
	if (divisor->digits == 0)
		return false;
	/* Both are digits times a power of ten and neither ends in zero, so a value with a smaller power is no
	 * multiple. */
	int64_t shift = (value->exponent - (int64_t)value->digits) - (divisor->exponent - (int64_t)divisor->digits);
	if (shift < 0)
		return false;
	if (divisor->digits > 18) /* beyond 64-bit arithmetic: only the number itself counts */
		return sj_schema_number_cmp(value, &(struct sj_schema_number){
			.head = divisor->head, .tail = divisor->tail, .head_len = divisor->head_len,
			.digits = divisor->digits, .exponent = divisor->exponent, .negative = value->negative}) == 0;
	uint64_t m = 0, rest = 0, power = 10, factor = 1;
	for (size_t i = 0; i < divisor->digits; i++)
		m = m * 10 + (uint64_t)(digit(divisor, i) - '0');
	if (m == 1)
		return true;
	for (size_t i = 0; i < value->digits; i++)
		rest = (mul_mod(10, rest, m) + (uint64_t)(digit(value, i) - '0')) % m;
	factor %= m;
	power %= m;
	for (uint64_t n = (uint64_t)shift; n; n >>= 1) {
		if (n & 1)
			factor = mul_mod(factor, power, m);
		power = mul_mod(power, power, m);
	}
	return mul_mod(rest, factor, m) == 0;
}

uint64_t sj_schema_number_hash(struct sj_slice text)
{
	struct sj_schema_number n;
	uint64_t h = UINT64_C(0x9e3779b97f4a7c15);

	sj_schema_number_read(text, &n);
	h ^= (uint64_t)n.exponent * 2 + n.negative;
	for (size_t i = 0; i < n.digits; i++)
		h = (h ^ (uint64_t)(unsigned char)digit(&n, i)) * UINT64_C(0x100000001b3);
	return h;
}
