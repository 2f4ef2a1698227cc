/* The place where a pattern is read, and the output it is written to; what regex_parse.c and regex_escape.c share.
 * Private to them. */
#ifndef SJ_TEXT_REGEX_READER_H
#define SJ_TEXT_REGEX_READER_H

#include "text/regex_parse.h"

struct sj_regex_reader {
	struct sj_slice p; /* well-formed UTF-8 */
	size_t at;
	struct sj_diag *diag;
	struct sj_buf *out;
};

static inline int sj_rx_peek_at(const struct sj_regex_reader *r, size_t ahead) /* a byte, -1 at the end */
{
	return r->p.len - r->at > ahead ? (unsigned char)r->p.ptr[r->at + ahead] : -1;
}
static inline int sj_rx_peek(const struct sj_regex_reader *r) { return sj_rx_peek_at(r, 0); }
static inline bool sj_rx_take(struct sj_regex_reader *r, const char *text)
{
	if (!sj_slice_starts(sj_slice(r->p.ptr + r->at, r->p.len - r->at), text))
		return false;
	r->at += strlen(text);
	return true;
}
static inline bool sj_rx_is_digit(int c) { return c >= '0' && c <= '9'; }
static inline bool sj_rx_is_alpha(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static inline bool sj_rx_is_punct(int c) { return c >= 0x20 && c < 0x7F && !sj_rx_is_digit(c) && !sj_rx_is_alpha(c); }

enum sj_status sj_rx_refuse(struct sj_regex_reader *r, size_t at, const char *what);
/* Every literal but an ASCII letter or digit is written by its number, so that nothing in it can mean something. */
void sj_rx_put_code(struct sj_regex_reader *r, uint32_t code);
enum sj_status sj_rx_insert(struct sj_regex_reader *r, size_t written, const char *text);

/* The three below read on from behind the \ or [ at `begin`. */

/* An escape that stands for one character, in classes and outside. */
enum sj_status sj_regex_char_escape(struct sj_regex_reader *r, size_t begin, uint32_t *code);
/* \d \D \w \W \s \S \p \P, written for the inside of a class. *is_class is false and nothing is read for any other. */
enum sj_status sj_regex_class_escape(struct sj_regex_reader *r, size_t begin, bool *is_class);
enum sj_status sj_regex_class(struct sj_regex_reader *r, size_t begin);

#endif
