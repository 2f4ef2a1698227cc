/* Escapes, and classes in brackets. */
#include "base/utf.h"
#include "text/regex_reader.h"

/* ECMA-262's WhiteSpace and LineTerminator: without PCRE2_UCP, \s is U+0009..000D and the space. */
#define SPACES "\\s\\p{Z}\\x{feff}"
#define NOT_SPACES                                                                                                     \
	"\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}"            \
	"\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{d7ff}\\x{e000}-\\x{fefe}"              \
	"\\x{ff00}-\\x{10ffff}"

enum sj_status sj_rx_refuse(struct sj_regex_reader *r, size_t at, const char *what)
{
	return sj_regex_refuse(r->diag, at, what);
}

void sj_rx_put_code(struct sj_regex_reader *r, uint32_t code)
{
	struct sj_buf *out = r->out;
	if (code < 0x80 && (sj_rx_is_digit((int)code) || sj_rx_is_alpha((int)code)))
		sj_buf_putc(out, (char)code);
	else if (code >= 0x80)
		sj_buf_code(out, code);
	else
		sj_buf_printf(out, "\\x{%x}", (unsigned)code);
}

enum sj_status sj_rx_insert(struct sj_regex_reader *r, size_t written, const char *text)
{
	struct sj_buf *out = r->out;
	size_t n = strlen(text), tail = out->len - written;
	sj_buf_put(out, text, n);
	if (sj_buf_status(out) != SJ_OK)
		return sj_buf_status(out);
	memmove(out->ptr + written + n, out->ptr + written, tail);
	memcpy(out->ptr + written, text, n);
	return SJ_OK;
}

static int hex_value(int c)
{
	return sj_rx_is_digit(c)      ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
	                              : -1;
}

static bool take_hex(struct sj_regex_reader *r, unsigned digits, uint32_t *out)
{
	uint32_t v = 0;
	for (unsigned i = 0; i < digits; i++) {
		int h = hex_value(sj_rx_peek_at(r, i));
		if (h < 0)
			return false;
		v = v * 16 + (uint32_t)h;
	}
	r->at += digits;
	*out = v;
	return true;
}

/* Behind \u. Two escaped surrogates make one code point. */
static enum sj_status unicode_escape(struct sj_regex_reader *r, size_t begin, uint32_t *code)
{
	if (sj_rx_take(r, "{")) {
		uint32_t v = 0;
		size_t first = r->at;
		for (int h; (h = hex_value(sj_rx_peek(r))) >= 0; r->at++) {
			v = v * 16 + (uint32_t)h;
			if (v > 0x10FFFF)
				return sj_rx_refuse(r, begin, "code point above U+10FFFF");
		}
		if (r->at == first || !sj_rx_take(r, "}"))
			return sj_rx_refuse(r, begin, "malformed \\u escape");
		*code = v;
	} else {
		if (!take_hex(r, 4, code))
			return sj_rx_refuse(r, begin, "malformed \\u escape");
		size_t after = r->at;
		uint32_t low;
		if (*code >= 0xD800 && *code < 0xDC00 && sj_rx_take(r, "\\u") && take_hex(r, 4, &low) &&
		    low >= 0xDC00 && low < 0xE000)
			*code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
		else
			r->at = after;
	}
	if (*code >= 0xD800 && *code < 0xE000)
		return sj_rx_refuse(r, begin, "lone surrogate");
	return SJ_OK;
}

/* The letters that mean something elsewhere, so that the refusal can say what. */
static const char *foreign_escape(int c)
{
	switch (c) {
	case 'A':
	case 'Z':
	case 'z':
	case 'G':
		return "anchor \\A, \\Z, \\z or \\G (write ^ or $)";
	case 'K':
		return "\\K";
	case 'Q':
	case 'E':
		return "\\Q...\\E quoting";
	case 'C':
		return "\\C";
	case 'X':
	case 'R':
	case 'N':
	case 'h':
	case 'H':
	case 'V':
		return "escape \\X, \\R, \\N, \\h, \\H or \\V";
	case 'a':
	case 'e':
		return "control escape \\a or \\e (write \\x07 or \\x1b)";
	case 'g':
		return "\\g reference (write \\1 or \\k<name>)";
	case 'l':
	case 'L':
	case 'U':
		return "case conversion \\l, \\L or \\U";
	default:
		return "unknown escape";
	}
}

enum sj_status sj_regex_char_escape(struct sj_regex_reader *r, size_t begin, uint32_t *code)
{
	static const char letters[] = "tnvfr", values[] = "\t\n\v\f\r";
	int c = sj_rx_peek(r);
	if (c < 0)
		return sj_rx_refuse(r, begin, "pattern ends with \\");
	r->at++;
	const char *letter = c > 0 && c < 0x80 ? strchr(letters, c) : NULL;
	if (letter != NULL) {
		*code = (unsigned char)values[letter - letters];
		return SJ_OK;
	}
	if (sj_rx_is_punct(c)) {
		*code = (uint32_t)c;
		return SJ_OK;
	}
	switch (c) {
	case '0':
		if (sj_rx_is_digit(sj_rx_peek(r)))
			return sj_rx_refuse(r, begin, "octal escape (write \\xHH)");
		*code = 0;
		return SJ_OK;
	case 'c':
		if (!sj_rx_is_alpha(sj_rx_peek(r)))
			return sj_rx_refuse(r, begin, "\\c without a letter");
		*code = (uint32_t)sj_rx_peek(r) % 32;
		r->at++;
		return SJ_OK;
	case 'x':
		return take_hex(r, 2, code) ? SJ_OK : sj_rx_refuse(r, begin, "malformed \\x escape");
	case 'u':
		return unicode_escape(r, begin, code);
	default:
		return sj_rx_refuse(r, begin, sj_rx_is_digit(c) ? "octal escape (write \\xHH)" : foreign_escape(c));
	}
}

enum sj_status sj_regex_class_escape(struct sj_regex_reader *r, size_t begin, bool *is_class)
{
	struct sj_buf *out = r->out;
	int c = sj_rx_peek(r);
	*is_class = true;
	r->at++;
	switch (c) {
	case 'd':
	case 'D':
	case 'w':
	case 'W': /* ASCII only, as PCRE2 without PCRE2_UCP */
		sj_buf_putc(out, '\\');
		sj_buf_putc(out, (char)c);
		return SJ_OK;
	case 's':
		sj_buf_puts(out, SPACES);
		return SJ_OK;
	case 'S':
		sj_buf_puts(out, NOT_SPACES);
		return SJ_OK;
	case 'p':
	case 'P': {
		size_t open = r->at;
		const char *close = memchr(r->p.ptr + open, '}', r->p.len - open);
		if (!sj_rx_take(r, "{") || close == NULL)
			return sj_rx_refuse(r, begin, "\\p without {property}");
		r->at = (size_t)(close - r->p.ptr) + 1;
		if (!sj_regex_property(out, sj_slice(r->p.ptr + open + 1, r->at - open - 2), c == 'P'))
			return sj_rx_refuse(r, begin, "unknown Unicode property");
		return SJ_OK;
	}
	default:
		r->at--;
		*is_class = false;
		return SJ_OK;
	}
}

/* One member of a class, written; a single character is returned as well, for ranges. */
static enum sj_status class_member(struct sj_regex_reader *r, bool *is_single, uint32_t *code)
{
	size_t begin = r->at;
	*is_single = true;
	if (!sj_rx_take(r, "\\")) {
		if (sj_rx_peek(r) == '[' &&
		    (sj_rx_peek_at(r, 1) == ':' || sj_rx_peek_at(r, 1) == '.' || sj_rx_peek_at(r, 1) == '=')) {
			/* [:alpha:] inside [...]: ECMA-262 would read it as these very letters, which nobody means */
			char closing[3] = {(char)sj_rx_peek_at(r, 1), ']', '\0'};
			for (size_t i = r->at + 2; i + 1 < r->p.len && r->p.ptr[i] != ']'; i++)
				if (memcmp(r->p.ptr + i, closing, 2) == 0)
					return sj_rx_refuse(r, begin, "POSIX class (write \\p{...} or a range)");
		}
		*code = sj_utf8_next(r->p, &r->at);
		return SJ_OK;
	}
	bool is_class;
	enum sj_status status = sj_regex_class_escape(r, begin, &is_class);
	if (status != SJ_OK || is_class) {
		*is_single = false;
		return status;
	}
	if (sj_rx_take(r, "b")) {
		*code = 8;
		return SJ_OK;
	}
	if (sj_rx_peek(r) == 'B')
		return sj_rx_refuse(r, begin, "\\B in a class");
	return sj_regex_char_escape(r, begin, code);
}

enum sj_status sj_regex_class(struct sj_regex_reader *r, size_t begin)
{
	struct sj_buf *out = r->out;
	bool negated = sj_rx_take(r, "^");
	if (sj_rx_take(r, "]")) {
		sj_buf_puts(out, negated ? "." : "(?!)"); /* with PCRE2_DOTALL */
		return SJ_OK;
	}
	sj_buf_puts(out, negated ? "[^" : "[");
	while (!sj_rx_take(r, "]")) {
		bool single, last_single;
		uint32_t first, last;
		size_t member = r->at;
		if (sj_rx_peek(r) < 0)
			return sj_rx_refuse(r, begin, "class without ]");
		enum sj_status status = class_member(r, &single, &first);
		if (status != SJ_OK)
			return status;
		if (single)
			sj_rx_put_code(r, first);
		if (sj_rx_peek(r) != '-' || sj_rx_peek_at(r, 1) == ']' || sj_rx_peek_at(r, 1) < 0)
			continue;
		r->at++;
		size_t dash = out->len;
		status = class_member(r, &last_single, &last);
		if (status != SJ_OK)
			return status;
		if (single && last_single) {
			if (last < first)
				return sj_rx_refuse(r, member, "range out of order");
			sj_buf_putc(out, '-');
			sj_rx_put_code(r, last);
			continue;
		}
		/* A class escape makes no range: the dash is itself. */
		if ((status = sj_rx_insert(r, dash, "\\x{2d}")) != SJ_OK)
			return status;
		if (last_single)
			sj_rx_put_code(r, last);
	}
	sj_buf_putc(out, ']');
	return SJ_OK;
}
