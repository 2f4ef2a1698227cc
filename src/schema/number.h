/* JSON numbers as exact decimals over their source text, for the keywords that ask about a number's value: a schema
 * that says multipleOf 0.01 means decimal cents, and a double cannot answer that. */
#ifndef SJ_SCHEMA_NUMBER_H
#define SJ_SCHEMA_NUMBER_H

#include "base/slice.h"

/* 0.d1d2d3... times 10^exponent, d1 and the last digit not zero; zero has no digits. The digits lie in two runs of the
 * source, before and after its decimal point. */
struct sj_schema_number {
	const char *head, *tail;
	size_t head_len, digits;
	int64_t exponent;
	bool negative;
};

void sj_schema_number_read(struct sj_slice text, struct sj_schema_number *out);
int sj_schema_number_cmp(const struct sj_schema_number *a, const struct sj_schema_number *b); /* <0, 0, >0 */
bool sj_schema_number_integral(struct sj_slice text);
bool sj_schema_number_multiple(const struct sj_schema_number *value, const struct sj_schema_number *divisor);
uint64_t sj_schema_number_hash(struct sj_slice text); /* equal numbers, however spelt, hash alike */

#endif
