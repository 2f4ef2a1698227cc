/* The one JSON reader under sj_json_parse and the stream: a machine that takes the text so far and can stop at any
 * byte. It never looks at a byte twice, but for the at most 12 bytes of an unfinished escape, literal or code point.
 *
 * All offsets are relative to the first byte of `text`, which may lie elsewhere at every call as long as the bytes
 * before `at` are the same. What the machine reports depends on the bytes alone, never on how they were cut.
 */
#ifndef SJ_JSON_READER_H
#define SJ_JSON_READER_H

#include <string.h>

#include "json/tape.h"

enum sj_reader_state {
	SJ_READ_VALUE,
	SJ_READ_FIRST_ITEM,
	SJ_READ_FIRST_KEY,
	SJ_READ_KEY,
	SJ_READ_COLON,
	SJ_READ_AFTER, /* a value: comma or closing bracket */
	SJ_READ_STRING,
	SJ_READ_NUMBER,
	SJ_READ_DONE,
};

struct sj_key_entry {
	uint32_t hash; /* of the decoded key */
	uint32_t cell;
};
struct sj_tape_index { /* of the object whose cell has aux = position + 1 */
	uint32_t object, count;
	const struct sj_key_entry *keys; /* by hash, then decoded text, then place */
	struct sj_key_entry *memory;     /* the same, for whoever frees it */
};

struct sj_reader {
	struct sj_arena *arena; /* of the cells; temporary memory comes from its account */
	struct sj_json_options opt;
	struct sj_cell *cells;
	uint32_t count, cap;
	SJ_VEC(struct sj_tape_index) indexes; /* owned until finish */
	enum sj_reader_state state;
	uint8_t number_state;
	bool is_key, is_escaped; /* of the open string */
	size_t at;               /* next byte to look at */
	size_t token;            /* first byte of the open string or number */
	uint32_t members; /* complete ones of the innermost container; those around it count their open child too */
	uint32_t depth;
	uint32_t stack[SJ_JSON_MAX_DEPTH]; /* cells of the open containers */
};

void sj_reader_init(struct sj_reader *r, struct sj_arena *arena, const struct sj_json_options *opt);
void sj_reader_finish(struct sj_reader *r); /* the cells stay in the arena */
/* Makes room for about this many cells before the first run. */
enum sj_status sj_reader_reserve(struct sj_reader *r, uint32_t cells);
/* SJ_OK: the document is complete, `at` is just past it. SJ_MORE: only when not `final`. */
enum sj_status sj_reader_run(struct sj_reader *r, struct sj_slice text, bool final, struct sj_diag *diag);
/* Sets code, offset, pointer of a fault at byte `at` that the caller found. */
enum sj_status sj_reader_fail(const struct sj_reader *r, struct sj_slice text, size_t at, enum sj_status status,
                              enum sj_code code, struct sj_diag *diag, const char *what);

/* A limit was reached at byte `at`: `what` up to the name of the limit, which `most` follows. Returns SJ_LIMIT. */
enum sj_status sj_reader_limit(const struct sj_reader *r, struct sj_slice text, size_t at, struct sj_diag *diag,
                               const char *what, size_t most);

/* Looks for a key that the closed object repeats: the cell of the first such, 0 when all differ. Makes a big object's
 * index. */
enum sj_status sj_reader_check_keys(struct sj_reader *r, uint32_t object, uint32_t count, const char *text,
                                    uint32_t *repeated);

/* One step through a string's source: writes the bytes of the next character and moves *at past it. Well-formed source
 * only. */
size_t sj_json_decode_step(struct sj_slice source, size_t *at, char out[4]);
/* A fingerprint of a key without escapes; sj_cell.aux of such key cells. */
static inline uint16_t sj_json_key_print(const char *ptr, size_t len)
{
	uint32_t head = 0, tail = 0;
	if (len >= 4) {
		memcpy(&head, ptr, 4);
		memcpy(&tail, ptr + len - 4, 4);
	} else if (len) {
		head = (uint32_t)(unsigned char)ptr[0] | (uint32_t)(unsigned char)ptr[len / 2] << 8 |
		       (uint32_t)(unsigned char)ptr[len - 1] << 16;
	}
	uint64_t mix = ((uint64_t)tail << 32 | head) + len;
	return (uint16_t)(mix * 0x9E3779B97F4A7C15u >> 48);
}
/* Order and hash of decoded strings. */
int sj_json_source_cmp(struct sj_slice a, bool a_escaped, struct sj_slice b, bool b_escaped);
uint32_t sj_json_source_hash(struct sj_slice source, bool escaped);

#endif
