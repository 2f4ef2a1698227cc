/* Markdown from anyone. Beyond not crashing: spans stand in order and are whole, well-formed text stays well-formed,
 * what comes out is bounded by what went in, only links have addresses, and all memory comes back. */
#include <stdlib.h>

#include "base/utf.h"
#include "text/markdown.h"

#define MUST(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool well_formed(struct sj_slice s)
{
	return sj_utf8_check(s) == s.len;
}

static void look(const struct sj_md *md, struct sj_slice source)
{
	uint32_t next = 0;
	size_t bytes = 0;
	bool clean = well_formed(source);
	for (uint32_t i = 0; i < md->npara; i++) {
		const struct sj_md_para *p = &md->paras[i];
		MUST(p->first == next && p->level <= 16);
		MUST(p->block != SJ_MD_HEADING || (p->level >= 1 && p->level <= 6));
		MUST((p->block != SJ_MD_ITEM && p->block != SJ_MD_QUOTE) || p->level >= 1);
		MUST(p->number == 0 || p->block == SJ_MD_ITEM);
		MUST(p->block != SJ_MD_RULE || p->count == 0);
		next += p->count;
	}
	MUST(next == md->nspan);
	for (uint32_t i = 0; i < md->nspan; i++) {
		const struct sj_md_span *s = &md->spans[i];
		MUST(s->text.len > 0 && s->flags <= 31);
		MUST(s->flags & SJ_MD_LINK || s->href.len == 0);
		MUST(!clean || (well_formed(s->text) && well_formed(s->href)));
		bytes += s->text.len;
	}
	MUST(bytes <= 4 * source.len); /* a tab before code becomes up to four blanks */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sj_slice source = {(const char *)data, size}, plain = SJ_NO_SLICE;
	struct sj_arena arena;
	struct sj_mem mem;
	struct sj_md md;

	sj_mem_init(&mem, NULL, 0);
	sj_arena_init(&arena, &mem, 0);
	MUST(sj_md_parse(&arena, source, &md) == SJ_OK);
	look(&md, source);
	MUST(sj_md_plain(&arena, source, &plain) == SJ_OK);
	MUST(plain.ptr != NULL && plain.len <= 5 * size);
	sj_arena_finish(&arena);
	MUST(mem.used_bytes == 0);
	return 0;
}
