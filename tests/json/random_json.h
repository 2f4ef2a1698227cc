/* Random documents for property tests: every kind of value, white space, escapes, code points of every length. */
#ifndef SJ_TEST_RANDOM_JSON_H
#define SJ_TEST_RANDOM_JSON_H

#include "base/buf.h"
#include "base/utf.h"
#include "harness/random.h"

static inline void random_space(struct sj_random *r, struct sj_buf *out)
{
	while (sj_random_below(r, 6) == 0)
		sj_buf_putc(out, " \n\t\r"[sj_random_below(r, 4)]);
}

static inline uint32_t random_code(struct sj_random *r)
{
	static const uint32_t below[] = {0x80, 0x80, 0x80, 0x800, 0x10000, 0x110000};
	uint32_t c = sj_random_below(r, below[sj_random_below(r, 6)]);
	return c < ' ' || (c >= 0xD800 && c < 0xE000) ? 'x' : c;
}

static inline void random_string(struct sj_random *r, struct sj_buf *out, uint32_t most)
{
	static const char *const escapes[] = {"\\\"",   "\\\\", "\\/",     "\\b",     "\\f",     "\\n",
	                                      "\\r",    "\\t",  "\\u0041", "\\u0000", "\\u20aC", "\\ud83d\\uDE00",
	                                      "\\uFFFF"};
	sj_buf_putc(out, '"');
	for (uint32_t n = sj_random_below(r, most + 1); n > 0; n--) {
		if (sj_random_below(r, 8) == 0) {
			sj_buf_puts(out, escapes[sj_random_below(r, sizeof escapes / sizeof *escapes)]);
			continue;
		}
		uint32_t c = random_code(r);
		sj_buf_code(out, c == '"' || c == '\\' ? '_' : c);
	}
	sj_buf_putc(out, '"');
}

static inline void random_number(struct sj_random *r, struct sj_buf *out)
{
	static const char *const rows[] = {
		"0",     "-0",    "1",       "-1",    "12345678901234567890", "0.1",
		"1e3",   "1E+30", "-2.5e-7", "1e400", "9007199254740993",     "3.141592653589793",
		"1e-400"};
	if (sj_random_below(r, 2))
		sj_buf_puts(out, rows[sj_random_below(r, sizeof rows / sizeof *rows)]);
	else
		sj_buf_printf(out, "%d", (int)sj_random_below(r, 200000) - 100000);
}

/* Scalars and opening brackets are drawn until `budget` values stand there; then everything open is closed. Keys of one
 * object are different by their number. */
static inline void random_document(struct sj_random *r, struct sj_buf *out, uint32_t budget)
{
	enum { DEEPEST = 24 };
	char open[DEEPEST];
	uint32_t counts[DEEPEST], depth = 0;
	random_space(r, out);
	for (;;) {
		bool full = budget == 0;
		if (depth && (full || sj_random_below(r, 7) == 0)) {
			sj_buf_putc(out, open[--depth]);
			if (depth == 0)
				break;
			random_space(r, out);
			continue;
		}
		if (depth) {
			if (counts[depth - 1]++)
				sj_buf_putc(out, ',');
			random_space(r, out);
			if (open[depth - 1] == '}') {
				random_string(r, out, sj_random_below(r, 12) == 0 ? 30 : 5);
				out->len--; /* before the closing quote: the number that makes the key differ */
				sj_buf_printf(out, "%u\"", counts[depth - 1]);
				random_space(r, out);
				sj_buf_putc(out, ':');
				random_space(r, out);
			}
		}
		budget -= !full;
		uint32_t kind =
			depth == 0 && budget ? 7 + sj_random_below(r, 2) : sj_random_below(r, depth < DEEPEST ? 9 : 7);
		switch (kind) {
		case 0:
			sj_buf_puts(out, "null");
			break;
		case 1:
			sj_buf_puts(out, "true");
			break;
		case 2:
			sj_buf_puts(out, "false");
			break;
		case 3:
		case 4:
			random_number(r, out);
			break;
		case 5:
		case 6:
			random_string(r, out, sj_random_below(r, 10) == 0 ? 100 : 20);
			break;
		default:
			sj_buf_putc(out, kind == 7 ? '[' : '{');
			counts[depth] = 0;
			open[depth++] = kind == 7 ? ']' : '}';
		}
		random_space(r, out);
		if (depth == 0)
			break;
	}
	random_space(r, out);
}

/* A few bytes changed, removed or doubled. */
static inline void random_damage(struct sj_random *r, struct sj_buf *text)
{
	static const char likely[] = "{}[],:\"\\u0tfn-+.eE \n\x80\xC3\xE2\xF0\xED\xFF\x01";
	for (uint32_t n = 1 + sj_random_below(r, 3); n > 0 && text->len > 1; n--) {
		size_t at = sj_random_below(r, (uint32_t)text->len);
		switch (sj_random_below(r, 3)) {
		case 0:
			text->ptr[at] = likely[sj_random_below(r, sizeof likely - 1)];
			break;
		case 1:
			memmove(text->ptr + at, text->ptr + at + 1, text->len - at - 1);
			text->len--;
			break;
		default:
			sj_buf_putc(text, 'x');
			memmove(text->ptr + at + 1, text->ptr + at, text->len - at - 1);
			text->ptr[at] = likely[sj_random_below(r, sizeof likely - 1)];
		}
	}
}

#endif
