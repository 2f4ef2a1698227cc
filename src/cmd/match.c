#include "cmd/match.h"

#define NO_PARENT UINT32_MAX
#define SHOWN 400u /* bytes of a value in a report */

struct pair {
	const struct sj_value *want, *got;
	uint32_t parent; /* of the pair that led here */
	uint32_t index;  /* item; UINT32_MAX: member `key` */
	struct sj_slice key;
};

struct matcher {
	struct sj_mem *mem;
	SJ_VEC(struct pair) pairs;
	bool exact, ok;
	struct sj_buf *why;
};

bool cmd_contains(struct sj_slice text, struct sj_slice part)
{
	for (size_t i = 0; i + part.len <= text.len; i++)
		if (part.len == 0 || memcmp(text.ptr + i, part.ptr, part.len) == 0)
			return true;
	return false;
}

static void put_value(struct matcher *m, const struct sj_value *v)
{
	struct sj_buf text;
	if (!v || v->type == SJ_V_ABSENT) {
		sj_buf_puts(m->why, "nothing");
		return;
	}
	sj_buf_init(&text, m->mem, 0);
	sj_value_print(&text, v, SJ_PRINT_SORTED);
	sj_buf_put(m->why, text.ptr, text.len < SHOWN ? text.len : SHOWN);
	if (text.len > SHOWN)
		sj_buf_puts(m->why, "...");
	sj_buf_finish(&text);
}

static void put_place(struct matcher *m, uint32_t i)
{
	uint32_t path[64], n = 0;
	for (; i != NO_PARENT && m->pairs.items[i].parent != NO_PARENT && n < 64; i = m->pairs.items[i].parent)
		path[n++] = i;
	if (n > 0)
		sj_buf_puts(m->why, "at ");
	while (n > 0) {
		const struct pair *p = &m->pairs.items[path[--n]];
		if (p->index != UINT32_MAX)
			sj_buf_printf(m->why, "/%u", p->index);
		else
			sj_pointer_append(m->why, p->key);
		if (n == 0)
			sj_buf_puts(m->why, ": ");
	}
}

static void differ(struct matcher *m, uint32_t i, const char *what)
{
	m->ok = false;
	put_place(m, i);
	sj_buf_puts(m->why, "wanted ");
	if (what)
		sj_buf_printf(m->why, "%s ", what);
	put_value(m, m->pairs.items[i].want);
	sj_buf_puts(m->why, ", got ");
	put_value(m, m->pairs.items[i].got);
}

static void add(struct matcher *m, const struct sj_value *want, const struct sj_value *got, uint32_t parent,
                uint32_t index, struct sj_slice key)
{
	if (SJ_VEC_RESERVE(m->mem, &m->pairs, m->pairs.count + 1, 0) != SJ_OK) {
		m->ok = false;
		sj_buf_puts(m->why, "out of memory");
		return;
	}
	m->pairs.items[m->pairs.count++] = (struct pair){want, got, parent, index, key};
}

/* "$absent" and its like; true when the wanted value was one. */
static bool special(struct matcher *m, uint32_t i)
{
	struct pair p = m->pairs.items[i];
	struct sj_slice key;
	if (p.want->type != SJ_V_OBJECT || sj_value_count(p.want) != 1)
		return false;
	const struct sj_value *arg = sj_value_member(p.want, 0, &key);
	bool there = p.got && p.got->type != SJ_V_ABSENT;
	if (sj_slice_is(key, "$absent")) {
		if (there)
			differ(m, i, NULL);
	} else if (sj_slice_is(key, "$any")) {
		if (!there)
			differ(m, i, NULL);
	} else if (sj_slice_is(key, "$contains")) {
		if (!there || !sj_value_is_string(p.got) || !cmd_contains(sj_value_text(p.got), sj_value_text(arg)))
			differ(m, i, NULL);
	} else {
		return false;
	}
	return true;
}

static void compare(struct matcher *m, uint32_t i)
{
	struct pair p = m->pairs.items[i];
	if (special(m, i))
		return;
	if (!p.got || p.got->type == SJ_V_ABSENT) {
		differ(m, i, NULL);
		return;
	}
	if (p.want->type == SJ_V_OBJECT && p.got->type == SJ_V_OBJECT) {
		if (m->exact && sj_value_count(p.want) != sj_value_count(p.got)) {
			differ(m, i, "exactly");
			return;
		}
		for (uint32_t k = 0; k < sj_value_count(p.want) && m->ok; k++) {
			struct sj_slice key;
			const struct sj_value *v = sj_value_member(p.want, k, &key);
			add(m, v, sj_value_get(p.got, key), i, UINT32_MAX, key);
		}
	} else if (p.want->type == SJ_V_ARRAY && p.got->type == SJ_V_ARRAY) {
		if (sj_value_count(p.want) != sj_value_count(p.got)) {
			differ(m, i, NULL);
			return;
		}
		for (uint32_t k = 0; k < sj_value_count(p.want) && m->ok; k++)
			add(m, sj_value_item(p.want, k), sj_value_item(p.got, k), i, k, SJ_NO_SLICE);
	} else if (!sj_value_equal(p.want, p.got)) {
		differ(m, i, NULL);
	}
}

bool cmd_match(struct sj_mem *mem, const struct sj_value *want, const struct sj_value *got, bool exact,
               struct sj_buf *why)
{
	struct matcher m = {.mem = mem, .exact = exact, .ok = true, .why = why};
	add(&m, want, got, NO_PARENT, UINT32_MAX, SJ_NO_SLICE);
	for (uint32_t i = 0; i < m.pairs.count && m.ok; i++)
		compare(&m, i);
	SJ_VEC_FREE(mem, &m.pairs);
	return m.ok;
}
