#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* FIRST CUT: libc conversions; replaced by the exact algorithms. */
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static double convert(struct sj_slice t)
{
	char small[64];
	char *z = t.len < sizeof small ? small : malloc(t.len + 1);
	memcpy(z, t.ptr, t.len);
	z[t.len] = 0;
	double d = strtod(z, NULL);
	if (z != small)
		free(z);
	return d;
}

bool sj_num_parse(struct sj_slice t, double *out)
{
	size_t i = 0;
	if (i < t.len && t.ptr[i] == '-')
		i++;
	if (i >= t.len || !is_digit(t.ptr[i]))
		return false;
	if (t.ptr[i] == '0')
		i++;
	else
		while (i < t.len && is_digit(t.ptr[i]))
			i++;
	if (i < t.len && t.ptr[i] == '.') {
		size_t from = ++i;
		while (i < t.len && is_digit(t.ptr[i]))
			i++;
		if (i == from)
			return false;
	}
	if (i < t.len && (t.ptr[i] == 'e' || t.ptr[i] == 'E')) {
		i++;
		if (i < t.len && (t.ptr[i] == '-' || t.ptr[i] == '+'))
			i++;
		size_t from = i;
		while (i < t.len && is_digit(t.ptr[i]))
			i++;
		if (i == from)
			return false;
	}
	if (i != t.len)
		return false;
	*out = convert(t);
	return true;
}

bool sj_num_parse_loose(struct sj_slice t, double *out)
{
	while (t.len && strchr(" \t\n\r\v\f", t.ptr[0]) && t.ptr[0])
		t.ptr++, t.len--;
	while (t.len && strchr(" \t\n\r\v\f", t.ptr[t.len - 1]) && t.ptr[t.len - 1])
		t.len--;
	size_t i = 0, digits = 0;
	if (i < t.len && (t.ptr[i] == '-' || t.ptr[i] == '+'))
		i++;
	for (; i < t.len && is_digit(t.ptr[i]); i++)
		digits++;
	if (i < t.len && t.ptr[i] == '.')
		for (i++; i < t.len && is_digit(t.ptr[i]); i++)
			digits++;
	if (!digits)
		return false;
	if (i < t.len && (t.ptr[i] == 'e' || t.ptr[i] == 'E')) {
		i++;
		if (i < t.len && (t.ptr[i] == '-' || t.ptr[i] == '+'))
			i++;
		size_t from = i;
		while (i < t.len && is_digit(t.ptr[i]))
			i++;
		if (i == from)
			return false;
	}
	if (i != t.len)
		return false;
	*out = convert(t);
	return true;
}

size_t sj_num_text(double v, char out[SJ_NUM_TEXT])
{
	if (isnan(v))
		return (size_t)snprintf(out, SJ_NUM_TEXT, "NaN");
	if (isinf(v))
		return (size_t)snprintf(out, SJ_NUM_TEXT, v < 0 ? "-Infinity" : "Infinity");
	if (v == 0)
		return (size_t)snprintf(out, SJ_NUM_TEXT, "0");
	char e[40];
	for (int p = 0; p < 17; p++) {
		snprintf(e, sizeof e, "%.*e", p, v);
		if (strtod(e, NULL) == v)
			break;
	}
	char digits[24];
	int n = 0, x = 0;
	bool neg = e[0] == '-';
	char *q = e + neg;
	for (; *q && *q != 'e'; q++)
		if (*q != '.')
			digits[n++] = *q;
	x = (int)strtol(q + 1, NULL, 10) + 1;
	while (n > 1 && digits[n - 1] == '0')
		n--;
	char *o = out;
	if (neg)
		*o++ = '-';
	if (x > 0 && x <= 21) {
		for (int i = 0; i < (n > x ? n : x); i++) {
			if (i == x)
				*o++ = '.';
			*o++ = i < n ? digits[i] : '0';
		}
	} else if (x <= 0 && x > -6) {
		*o++ = '0';
		*o++ = '.';
		for (int i = x; i < 0; i++)
			*o++ = '0';
		memcpy(o, digits, (size_t)n);
		o += n;
	} else {
		*o++ = digits[0];
		if (n > 1)
			*o++ = '.';
		memcpy(o, digits + 1, (size_t)n - 1);
		o += n - 1;
		o += sprintf(o, "e%+d", x - 1);
	}
	*o = 0;
	return (size_t)(o - out);
}

size_t sj_num_text_i64(int64_t value, char out[SJ_NUM_TEXT])
{
	return (size_t)snprintf(out, SJ_NUM_TEXT, "%lld", (long long)value);
}

bool sj_num_is_int(double value, int64_t *out)
{
	if (!(value >= -9007199254740992.0 && value <= 9007199254740992.0) || value != (double)(int64_t)value)
		return false;
	*out = (int64_t)value;
	return true;
}

bool sj_num_index(struct sj_slice t, uint32_t *out)
{
	if (t.len == 0 || t.len > 10 || (t.ptr[0] == '0' && t.len > 1))
		return false;
	uint64_t n = 0;
	for (size_t i = 0; i < t.len; i++) {
		if (!is_digit(t.ptr[i]))
			return false;
		n = n * 10 + (uint64_t)(t.ptr[i] - '0');
	}
	if (n >= UINT32_MAX)
		return false;
	*out = (uint32_t)n;
	return true;
}
