#include "schema/keyword.h"

#include "schema/program.h"

#define VOCAB_CORE 0
#define VOCAB_NOTE 0
#define VOCAB_APPLICATOR SJ_SCHEMA_VOCAB_APPLICATOR
#define VOCAB_UNEVALUATED SJ_SCHEMA_VOCAB_UNEVALUATED
#define VOCAB_VALIDATION SJ_SCHEMA_VOCAB_VALIDATION
#define VOCAB_FORMAT 0 /* whether it asserts is decided where it is compiled */

static const struct row {
	const char *text;
	uint8_t shape, vocabulary;
} rows[SJ_SCHEMA_KW_COUNT + 1] = {
#define ROW(name, text, shape, vocabulary) [SJ_SCHEMA_KW_##name] = {text, SJ_SCHEMA_SHAPE_##shape, VOCAB_##vocabulary},
	SJ_SCHEMA_KEYWORDS(ROW)
#undef ROW
	[SJ_SCHEMA_KW_COUNT] = {"", SJ_SCHEMA_SHAPE_OTHER, 0},
};

enum sj_status sj_schema_keywords_make(struct sj_schema_symbols *s)
{
	for (unsigned k = 0; k < SJ_SCHEMA_KW_COUNT; k++) {
		uint32_t sym;
		enum sj_status status = sj_schema_symbol_make(s, sj_slice_of(rows[k].text), &sym);
		if (status != SJ_OK)
			return status;
	}
	return SJ_OK;
}

enum sj_schema_keyword sj_schema_keyword_at(const struct sj_schema_symbols *s, const struct sj_tape *t, uint32_t key)
{
	if (t->cells[key].flags & SJ_CELL_ESCAPED) {
		for (unsigned k = 0; k < SJ_SCHEMA_KW_COUNT; k++)
			if (sj_tape_string_is(t, key, sj_slice_of(rows[k].text)))
				return (enum sj_schema_keyword)k;
		return SJ_SCHEMA_KW_COUNT;
	}
	uint32_t sym = sj_schema_symbol_find(s, sj_tape_raw(t, key));
	if (sym == SJ_SCHEMA_SYM_FOREIGN || sym - SJ_SCHEMA_SYM_FIRST >= SJ_SCHEMA_KW_COUNT)
		return SJ_SCHEMA_KW_COUNT;
	return (enum sj_schema_keyword)(sym - SJ_SCHEMA_SYM_FIRST);
}

enum sj_schema_shape sj_schema_keyword_shape(enum sj_schema_keyword k) { return (enum sj_schema_shape)rows[k].shape; }
uint8_t sj_schema_keyword_vocabulary(enum sj_schema_keyword k) { return rows[k].vocabulary; }
const char *sj_schema_keyword_text(enum sj_schema_keyword k) { return rows[k].text; }
