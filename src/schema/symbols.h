/* Symbols: every string a compiled schema compares instance strings with (member names, const, enum) gets a small
 * number, so that a validation hashes each string of the instance at most once and compares numbers afterwards. */
#ifndef SJ_SCHEMA_SYMBOLS_H
#define SJ_SCHEMA_SYMBOLS_H

#include "base/arena.h"

#define SJ_SCHEMA_SYM_UNKNOWN 0u /* not looked up yet */
#define SJ_SCHEMA_SYM_FOREIGN 1u /* no symbol: equals no string of any schema */
#define SJ_SCHEMA_SYM_FIRST 2u

struct sj_schema_symbol {
	struct sj_slice text; /* lives in the set's arena */
	uint32_t hash;
};
struct sj_schema_symbols {
	struct sj_mem *mem;
	SJ_VEC(struct sj_schema_symbol) list; /* symbol n is items[n - SJ_SCHEMA_SYM_FIRST] */
	uint32_t *slots; /* symbols by hash, linear probing; 0 is empty */
	uint32_t slot_count;
	size_t longest;
};

void sj_schema_symbols_init(struct sj_schema_symbols *s, struct sj_mem *mem);
void sj_schema_symbols_finish(struct sj_schema_symbols *s);
/* The symbol of `text`, made when new; `text` must outlive the table. SJ_NOMEM. */
enum sj_status sj_schema_symbol_make(struct sj_schema_symbols *s, struct sj_slice text, uint32_t *out);
uint32_t sj_schema_symbol_find(const struct sj_schema_symbols *s, struct sj_slice text); /* or FOREIGN */
static inline struct sj_slice sj_schema_symbol_text(const struct sj_schema_symbols *s, uint32_t sym)
{
	return s->list.items[sym - SJ_SCHEMA_SYM_FIRST].text;
}

#endif
