#include "schema/symbols.h"

#define MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)

static uint64_t load64(const char *p)
{
	uint64_t v;
	memcpy(&v, p, 8);
	return v;
}

static uint64_t load32(const char *p)
{
	uint32_t v;
	memcpy(&v, p, 4);
	return v;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * MULTIPLIER;
	return h ^ (h >> 29);
}

/* Only ever compared within one process, so byte order does not matter. Whole words, the last one overlapping: names
 * are short. */
static uint32_t hash(struct sj_slice s)
{
	uint64_t h = mix(s.len, 1);

	if (s.len >= 8) {
		for (size_t i = 0; i + 8 < s.len; i += 8)
			h = mix(h, load64(s.ptr + i));
		h = mix(h, load64(s.ptr + s.len - 8));
	} else if (s.len >= 4) {
		h = mix(h, load32(s.ptr) << 32 | load32(s.ptr + s.len - 4));
	} else if (s.len > 0) {
		uint64_t first = (unsigned char)s.ptr[0], middle = (unsigned char)s.ptr[s.len / 2];
		h = mix(h, first << 16 | middle << 8 | (unsigned char)s.ptr[s.len - 1]);
	}
	return (uint32_t)(h >> 32) ^ (uint32_t)h;
}

void sj_schema_symbols_init(struct sj_schema_symbols *s, struct sj_mem *mem)
{
	*s = (struct sj_schema_symbols){.mem = mem};
}

void sj_schema_symbols_finish(struct sj_schema_symbols *s)
{
	SJ_VEC_FREE(s->mem, &s->list);
	sj_mem_free(s->mem, s->slots, s->slot_count * sizeof *s->slots);
	*s = (struct sj_schema_symbols){.mem = s->mem};
}

static uint32_t probe(const struct sj_schema_symbols *s, struct sj_slice text, uint32_t h)
{
	uint32_t mask = s->slot_count - 1, i = h & mask;

	while (s->slots[i]) {
		const struct sj_schema_symbol *symbol = &s->list.items[s->slots[i] - SJ_SCHEMA_SYM_FIRST];
		if (symbol->hash == h && sj_slice_eq(symbol->text, text))
			break;
		i = (i + 1) & mask;
	}
	return i;
}

uint32_t sj_schema_symbol_find(const struct sj_schema_symbols *s, struct sj_slice text)
{
	if (text.len > s->longest || !s->slot_count)
		return SJ_SCHEMA_SYM_FOREIGN;
	uint32_t found = s->slots[probe(s, text, hash(text))];
	return found ? found : SJ_SCHEMA_SYM_FOREIGN;
}

static enum sj_status grow(struct sj_schema_symbols *s)
{
	uint32_t count = s->slot_count ? s->slot_count * 2 : 256;
	uint32_t *slots = sj_mem_zalloc(s->mem, count * sizeof *slots);

	if (!slots)
		return SJ_NOMEM;
	for (uint32_t n = 0; n < s->list.count; n++) {
		uint32_t i = s->list.items[n].hash & (count - 1);
		while (slots[i])
			i = (i + 1) & (count - 1);
		slots[i] = n + SJ_SCHEMA_SYM_FIRST;
	}
	sj_mem_free(s->mem, s->slots, s->slot_count * sizeof *s->slots);
	s->slots = slots;
	s->slot_count = count;
	return SJ_OK;
}

enum sj_status sj_schema_symbol_make(struct sj_schema_symbols *s, struct sj_slice text, uint32_t *out)
{
	enum sj_status status;

	if ((s->list.count + 1) * 2 > s->slot_count) {
		status = grow(s);
		if (status != SJ_OK)
			return status;
	}
	uint32_t h = hash(text), i = probe(s, text, h);
	if (!s->slots[i]) {
		status = SJ_VEC_RESERVE(s->mem, &s->list, s->list.count + 1, 0);
		if (status != SJ_OK)
			return status;
		s->list.items[s->list.count++] = (struct sj_schema_symbol){text, h};
		s->slots[i] = s->list.count - 1 + SJ_SCHEMA_SYM_FIRST;
		if (text.len > s->longest)
			s->longest = text.len;
	}
	*out = s->slots[i];
	return SJ_OK;
}
