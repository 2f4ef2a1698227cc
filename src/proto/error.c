/* The one error and the places it names; numbers as the language prints them. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/num.h"
#include "base/num_exact.h"
#include "proto/internal.h"

void sj_proto_error_init(struct sj_proto_error *e, struct sj_mem *mem)
{
	sj_buf_init(&e->path, mem, 0);
	sj_buf_init(&e->message, mem, 0);
}

void sj_proto_error_finish(struct sj_proto_error *e)
{
	sj_buf_finish(&e->path);
	sj_buf_finish(&e->message);
}

void sj_proto_error_print(const struct sj_proto_error *e, struct sj_buf *out)
{
	sj_buf_puts(out, "{\"path\":");
	sj_json_print_string(out, sj_buf_view(&e->path));
	sj_buf_puts(out, ",\"message\":");
	sj_json_print_string(out, sj_buf_view(&e->message));
	sj_buf_putc(out, '}');
}

static bool is_plain(struct sj_slice key)
{
	if (key.len == 0 || (key.ptr[0] >= '0' && key.ptr[0] <= '9'))
		return false;
	for (size_t i = 0; i < key.len; i++) {
		char ch = key.ptr[i];
		if (!((ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_'))
			return false;
	}
	return true;
}

void sj_path_key(struct sj_buf *out, struct sj_slice key)
{
	if (is_plain(key)) {
		if (out->len > 0)
			sj_buf_putc(out, '.');
		sj_buf_slice(out, key);
		return;
	}
	if (out->len == 0)
		sj_buf_putc(out, '$');
	sj_buf_putc(out, '[');
	sj_json_print_string(out, key);
	sj_buf_putc(out, ']');
}

void sj_path_index(struct sj_buf *out, uint32_t index) { sj_buf_printf(out, "[%u]", index); }

void sj_path_use(struct sj_buf *out, struct sj_slice component)
{
	sj_buf_puts(out, " (use ");
	sj_buf_slice(out, component);
	sj_buf_puts(out, ") → components");
	sj_path_key(out, component);
	sj_buf_puts(out, ".root");
}

/* The contract bounds how deep a place is. */
enum { MOST_STEPS = 512 };

uint32_t sj_place_steps(const struct sj_place *at, const struct sj_place **steps, uint32_t cap)
{
	uint32_t n = 0, i = 0;
	for (const struct sj_place *p = at; p; p = p->up)
		n++;
	for (const struct sj_place *p = at; p && n <= cap; p = p->up)
		steps[n - ++i] = p;
	return n <= cap ? n : 0;
}

void sj_place_print(const struct sj_place *at, struct sj_buf *out)
{
	const struct sj_place *steps[MOST_STEPS];
	uint32_t n = sj_place_steps(at, steps, MOST_STEPS);
	size_t from = out->len;
	for (uint32_t i = 0; i < n; i++)
		if (steps[i]->use.ptr)
			sj_path_use(out, steps[i]->use);
		else if (steps[i]->key.ptr)
			sj_path_key(out, steps[i]->key);
		else
			sj_path_index(out, steps[i]->index);
	if (out->len == from)
		sj_buf_putc(out, '$');
}

bool sj_check_fail(struct sj_check *c, const struct sj_place *at, const char *key, const char *format, ...)
{
	if (!c->error || c->error->message.len > 0 || c->status != SJ_OK)
		return false;
	struct sj_place below = {.up = at, .key = key ? sj_slice_of(key) : SJ_NO_SLICE};
	char text[1024]; /* the sentences are ours; names in them are cut by their formats */
	va_list args;
	va_start(args, format);
	(void)vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (c->authored)
		sj_place_authored(c, key ? &below : at, &c->error->path);
	else
		sj_place_print(key ? &below : at, &c->error->path);
	sj_buf_puts(&c->error->message, text);
	if (sj_buf_status(&c->error->path) != SJ_OK || sj_buf_status(&c->error->message) != SJ_OK)
		c->status = SJ_NOMEM;
	return false;
}

void sj_proto_number(double n, struct sj_buf *out)
{
	char text[SJ_NUM_TEXT];
	if (fabs(n) < 1e15 || n != floor(n)) { /* JavaScript's spelling is plain digits up to there */
		if (n == 0)
			n = 0; /* not -0 */
		sj_buf_put(out, text, sj_num_text(n, text));
		return;
	}
	/* Integral and large: its exact value, by long division of mantissa * 2^exponent. */
	uint32_t digits[36] = {0}; /* base 10^9, lowest first; 2^1024 has 309 digits */
	int exponent;
	double part = frexp(fabs(n), &exponent);
	uint64_t mantissa = (uint64_t)ldexp(part, 53);
	exponent -= 53;
	for (; exponent < 0; exponent++)
		mantissa >>= 1; /* integral: what falls off is 0 */
	uint32_t used = 0;
	for (; mantissa; mantissa /= 1000000000u)
		digits[used++] = (uint32_t)(mantissa % 1000000000u);
	for (; exponent > 0; exponent--) {
		uint32_t carry = 0;
		for (uint32_t i = 0; i < used; i++) {
			uint32_t d = digits[i] * 2 + carry;
			digits[i] = d % 1000000000u;
			carry = d / 1000000000u;
		}
		if (carry)
			digits[used++] = carry;
	}
	if (n < 0)
		sj_buf_putc(out, '-');
	sj_buf_printf(out, "%u", digits[used - 1]);
	for (uint32_t i = used - 1; i-- > 0;)
		sj_buf_printf(out, "%09u", digits[i]);
}

void sj_scalar_text(const struct sj_value *v, struct sj_buf *out)
{
	if (sj_value_is_string(v))
		sj_buf_slice(out, sj_value_text(v));
	else if (sj_value_is_number(v))
		sj_proto_number(sj_value_double(v), out);
	else if (sj_value_is_bool(v))
		sj_buf_puts(out, v->type == SJ_V_TRUE ? "true" : "false");
}
