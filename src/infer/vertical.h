/* The notation Vertical, internal to infer: one constructor a line, each a surface of its own. Requirements a2ui 17.
 *
 * Models write it with slips, so reading has two steps that see the same bytes in the same way. The *scan* finds where
 * statements begin and end; it stops at any byte and goes on later, never reads a byte more than a bounded number of
 * times, and decides nothing that a later byte could change. The *parse* reads one whole statement. What a quotation
 * mark means is decided in one place for both (struct sj_vertical_string).
 */
#ifndef SJ_INFER_VERTICAL_H
#define SJ_INFER_VERTICAL_H

#include "infer/format.h"

struct sj_vertical {
	const struct sj_format *f;
	struct sj_slice text;
	/* Up to where a string of each kind is known not to close; only saves looking again. */
	size_t hopeless[8];
	bool in_tag;      /* tokens are those of a tag, whose strings end at the next quotation mark */
};

enum sj_tri { SJ_NO, SJ_YES, SJ_UNSURE /* the bytes so far do not tell */ };

/* One string literal, from its quotation mark on. */
enum sj_quote { SJ_QUOTE_DOUBLE, SJ_QUOTE_SINGLE, SJ_QUOTE_BACK, SJ_QUOTE_CURLY };
struct sj_vertical_string {
	size_t from, to;      /* its content */
	size_t next;          /* first byte behind it */
	size_t at, line_end;  /* how far it was looked at; where its first line ends, 0: not seen yet */
	enum sj_quote quote;
	bool raw, triple;
	bool plain;           /* in a tag: the next such mark closes it, whatever follows */
	bool is_cut;          /* it had no end and was given one */
	bool has_inner;       /* marks in it were read as text */
};
/* Does a string begin at `at` (a quotation mark, or r before one)? */
enum sj_tri sj_vertical_opens(const struct sj_vertical *v, size_t at, bool final, struct sj_vertical_string *s);
/* Looks for its end. SJ_YES: to and next are set. SJ_UNSURE only when not final. */
enum sj_tri sj_vertical_closes(struct sj_vertical *v, bool final, struct sj_vertical_string *s);

struct sj_vertical_scan { /* begins as zeros */
	size_t at;
	size_t start, end; /* of the statement found, or of the open one */
	struct sj_vertical_string string;
	uint32_t depth;
	uint8_t mode;
	char last;         /* byte of code before this line break */
	size_t hopeless[8];
	char stack[128];   /* ( [ { of code, T in a tag, C in an element's content */
};
/* The next whole statement: SJ_YES. SJ_NO: there is none left (final). */
enum sj_tri sj_vertical_next(struct sj_vertical *v, struct sj_vertical_scan *s, bool final);

/* The byte in the set, or NULL; unlike strchr, a NUL of the input is in none. */
static inline const char *sj_vertical_in(const char *set, char c) { return c ? strchr(set, c) : NULL; }
bool sj_vertical_is_component(const struct sj_vertical *v, struct sj_slice name);
/* The same but for case, hyphens and underscores? */
bool sj_vertical_alike(struct sj_slice a, struct sj_slice b);
bool sj_vertical_is_name(struct sj_slice text, size_t at, bool first); /* a byte of an identifier */
size_t sj_vertical_curly(struct sj_slice text, size_t at); /* bytes of a typographic quotation mark, or 0 */

/* vertical_token.c: the tokens of one statement. */
enum sj_vertical_kind {
	SJ_VT_END,
	SJ_VT_STRING,
	SJ_VT_NUMBER,
	SJ_VT_NAME,
	SJ_VT_PATH, /* $/a, $a or $"any text": the span is that of the path */
	SJ_VT_BARE, /* a run of bytes that is nothing else */
	SJ_VT_SIGN, /* one byte */
};
struct sj_vertical_token {
	enum sj_vertical_kind kind;
	char sign;
	size_t at, end;             /* all of it */
	size_t from, to;            /* its content */
	struct sj_vertical_string s;
	bool commented;             /* a comment stood before it, at `comment` */
	size_t comment;
};
/* The token at `at` or behind it. */
void sj_vertical_token(struct sj_vertical *v, size_t at, struct sj_vertical_token *t);
/* The text of a string, escapes read; entities: a tag's, with &amp; and its kin instead. */
void sj_vertical_text(struct sj_slice text, const struct sj_vertical_token *t, bool entities, struct sj_buf *out);

/* vertical_parse.c: one statement (of `v->text`, which is no longer than it) to component lists, appended to
 * `surfaces`: arrays of components, the root first. `base` and `line` are where the text lies in the payload. */
enum sj_status sj_vertical_parse(struct sj_vertical *v, size_t base, uint32_t line, struct sj_value *surfaces,
                                 struct sj_repairs *repairs, struct sj_diag *diag);
/* vertical_write.c */
enum sj_status sj_vertical_decompile(const struct sj_format *f, const struct sj_value *messages, struct sj_buf *out,
                                     struct sj_diag *diag);
/* vertical_prompt.c */
enum sj_status sj_vertical_prompt(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out,
                                  struct sj_diag *diag);
/* "default_surface", "default_surface_1", ... */
void sj_vertical_surface_id(uint32_t index, char out[32]);

#endif
