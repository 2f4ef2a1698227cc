/* The tape: one JSON document as flat 16-byte cells over its text, for the life of a message.
 *
 * cells[0] is the root. A container's cell is followed by its content in document order; `end` is the index just past
 * it, so skipping is one assignment. An object's content is key cell, value cell, key cell, ... Cells hold spans
 * (offset into `text`), decoded only when read. A tape is built by one of two readers: sj_json_parse (whole text, in
 * place: the tape borrows the caller's bytes) or a struct sj_json_stream (any split; the tape borrows the stream's
 * buffer).
 */
#ifndef SJ_JSON_TAPE_H
#define SJ_JSON_TAPE_H

#include "base/arena.h"
#include "base/limits.h"
#include "base/status.h"

enum sj_json_type { SJ_J_NULL, SJ_J_FALSE, SJ_J_TRUE, SJ_J_NUMBER, SJ_J_STRING, SJ_J_ARRAY, SJ_J_OBJECT };

struct sj_cell {
	uint32_t off; /* string: first byte inside the quotes; number, literal: first byte; container: its bracket */
	uint32_t len;        /* string, number, literal: bytes of source; container: members (pairs) */
	uint32_t end;        /* container: index past its content; else own index + 1 */
	uint8_t type;        /* enum sj_json_type */
	uint8_t flags;       /* SJ_CELL_* */
	uint16_t aux;        /* private to the look-up: a key's fingerprint, a big object's entry in `indexes` */
};
#define SJ_CELL_ESCAPED 1u /* the string holds a backslash: decode before use */
#define SJ_CELL_OPEN 2u    /* stream only: the container or string is still arriving; `end`/`len` are so far */
#define SJ_CELL_KEY 4u     /* the string is an object key */
#define SJ_CELL_DUPS 8u    /* SJ_DUP_LAST only: the object names a key more than once; `len` counts every time */

/* Deeper than this no reader goes, whatever the options say: walks over a tape keep their stack in a local array. */
#define SJ_JSON_MAX_DEPTH 1024

struct sj_tape_index; /* the keys of an object of more than 16 members, sorted */
struct sj_tape {
	const struct sj_cell *cells;
	uint32_t count;
	const char *text;
	size_t text_len;
	const struct sj_tape_index *indexes;
};

enum sj_json_dup { SJ_DUP_REFUSE, SJ_DUP_LAST };
enum sj_json_surrogate { SJ_SURROGATE_REFUSE, SJ_SURROGATE_KEEP };
struct sj_json_options {
	enum sj_json_dup dup;
	enum sj_json_surrogate surrogate;
	uint32_t max_depth, max_values, max_string_bytes;
	uint32_t max_bytes;
};
/* Refuse duplicates and lone surrogates; limits taken from `l`. */
struct sj_json_options sj_json_options_wire(const struct sj_limits *l);

/* Parses one document that fills `text` but for white space around it. The cells live in `arena`; the tape borrows
 * `text`. With SJ_DUP_LAST the earlier members stay on the tape; every look-up (sj_tape_get, values) sees the last one.
 * Errors: SJ_INVALID, SJ_LIMIT, SJ_NOMEM with diag->offset at the offending byte and a pointer to the innermost open
 * container. */
enum sj_status sj_json_parse(struct sj_arena *arena, const struct sj_json_options *opt, struct sj_slice text,
                             struct sj_tape *out, struct sj_diag *diag);

/* Reading. All take a cell index. */
static inline const struct sj_cell *sj_tape_at(const struct sj_tape *t, uint32_t i) { return &t->cells[i]; }
static inline enum sj_json_type sj_tape_type(const struct sj_tape *t, uint32_t i)
{
	return (enum sj_json_type)t->cells[i].type;
}
static inline struct sj_slice sj_tape_raw(const struct sj_tape *t,
                                          uint32_t i) /* source span; string: inside the quotes */
{
	return (struct sj_slice){t->text + t->cells[i].off, t->cells[i].len};
}
static inline uint32_t sj_tape_next(const struct sj_tape *t, uint32_t i) { return t->cells[i].end; }
/* Source span of a whole value, quotes and brackets included. */
struct sj_slice sj_tape_source(const struct sj_tape *t, uint32_t i);
/* The string's decoded text: the source itself when nothing is escaped, else a copy in `arena`. {NULL,0} when out of
 * memory. */
struct sj_slice sj_tape_string(const struct sj_tape *t, uint32_t i, struct sj_arena *arena);
double sj_tape_number(const struct sj_tape *t, uint32_t i);
/* True for any spelling of an integer within int64 ("1", "1.0", "1e2"). */
bool sj_tape_int(const struct sj_tape *t, uint32_t i, int64_t *out);
/* Compares the decoded string with `s` without allocating. */
bool sj_tape_string_is(const struct sj_tape *t, uint32_t i, struct sj_slice s);
/* The same, without a call where the text settles it. */
static inline bool sj_tape_is(const struct sj_tape *t, uint32_t i, struct sj_slice s)
{
	const struct sj_cell *c = &t->cells[i];
	if (c->flags & SJ_CELL_ESCAPED)
		return sj_tape_string_is(t, i, s);
	return c->len == s.len && memcmp(t->text + c->off, s.ptr, s.len) == 0;
}
/* Value cell of member `key` of object cell `obj` (decoded comparison); 0 when absent (the root can be no member).
 * Linear up to 16 members, logarithmic above; linear in an object that is still open. */
uint32_t sj_tape_get(const struct sj_tape *t, uint32_t obj, struct sj_slice key);
uint32_t sj_tape_item(const struct sj_tape *t, uint32_t array, uint32_t index); /* 0 when out of range; O(index) */
/* Iterates content: for (uint32_t c = sj_tape_first(t, i); c < t->cells[i].end; c = sj_tape_next(t, c)). For an object
 * the cells alternate key, value. */
static inline uint32_t sj_tape_first(const struct sj_tape *t, uint32_t i) { (void)t; return i + 1; }
/* Deep equality by JSON value (numbers by value, object order ignored). No recursion on depth. */
bool sj_tape_equal(const struct sj_tape *a, uint32_t ai, const struct sj_tape *b, uint32_t bi);
/* 1-based line of a byte offset in `text`. */
uint32_t sj_json_line(struct sj_slice text, size_t offset);

#endif
