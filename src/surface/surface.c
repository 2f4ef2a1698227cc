/* Making and ending a surface. */
#include "surface/internal.h"

enum sj_status sj_room(struct sj_mem *m, void **items, uint32_t *cap, size_t item, uint32_t need, uint32_t max)
{
	if (max && need > max)
		return SJ_LIMIT;
	uint32_t want = *cap > UINT32_MAX / 2 ? UINT32_MAX : *cap + *cap / 2 + 1, least = item == 1   ? 64
	                                                                                  : item <= 8 ? 6
	                                                                                              : 3;
	if (want < least)
		want = least;
	if (want < need)
		want = need;
	if (max && want > max)
		want = max;
	if (want > SIZE_MAX / item)
		return SJ_NOMEM;
	void *moved = sj_mem_resize(m, *items, *cap * item, want * item);
	if (!moved)
		return SJ_NOMEM;
	*items = moved;
	*cap = want;
	return SJ_OK;
}

enum sj_status sj_surface_create(struct sj_mem *mem, const struct sj_surface_options *opt, struct sj_surface **out)
{
	struct sj_surface *s = sj_mem_zalloc(mem, sizeof *s);
	if (!s)
		return SJ_NOMEM;
	s->mem = mem;
	s->limits = opt->limits ? opt->limits : &SJ_LIMITS_DEFAULT;
	s->driver = opt->driver;
	s->ctx = opt->ctx;
	s->gate = opt->gate_surface;
	s->lazy = opt->lazy_rows;
	s->map_rows = opt->map_rows;
	s->keys.first_free = SJ_NONE;
	s->free_trie = s->free_watch = s->free_public = s->free_plan = s->free_gid = s->free_pending = SJ_NONE;
	s->root_plan = s->root_group = SJ_NONE;
	s->dirty_groups = s->last_dirty_group = s->dirty_lists = s->last_dirty_lists = SJ_NONE;
	s->use_cursor = SJ_NO_USE;
	s->cache.gid = s->cache.list_gid = SJ_NONE;
	s->batch = 1;
	sj_map64_init(&s->trie_edges, mem);
	sj_map64_init(&s->splice_of, mem);
	sj_map64_init(&s->pending_of, mem);
	sj_buf_init(&s->scratch, mem, 0);
	sj_map64_init(&s->charged, mem);
	for (int r = 0; r < SJ_ROOT_COUNT; r++)
		s->trie_roots[r] = SJ_NONE;
	if (opt->env)
		s->roots[SJ_ROOT_ENV] = sj_value_ref(*opt->env);
	enum sj_status st = sj_value_object(mem, &s->roots[SJ_ROOT_DATA]);
	if (st == SJ_OK)
		st = sj_surface_set_root(s, SJ_LIT("root"));
	if (st != SJ_OK) {
		sj_surface_destroy(s);
		return st;
	}
	s->root_dirty = false;
	*out = s;
	return SJ_OK;
}

void sj_surface_destroy(struct sj_surface *s)
{
	if (!s)
		return;
	if (s->txn_open)
		sj_txn_abort(s);
	s->dying = true;
	sj_plan_lose(s);
	sj_pending_finish(s);
	sj_input_finish(s);
	sj_changes_finish(s);
	sj_def_builders_finish(s);
	sj_def_drop(s, s->torn);
	for (uint32_t i = 0; i < s->comps.count; i++) {
		struct sj_def *def = s->comps.items[i].def, *built = s->comps.items[i].built;
		s->comps.items[i].def = s->comps.items[i].built = NULL;
		sj_def_drop(s, def);
		sj_def_drop(s, built);
	}
	SJ_VEC_FREE(s->mem, &s->comps);
	SJ_VEC_FREE(s->mem, &s->order);
	SJ_VEC_FREE(s->mem, &s->actions);
	SJ_VEC_FREE(s->mem, &s->plans);
	SJ_VEC_FREE(s->mem, &s->groups);
	SJ_VEC_FREE(s->mem, &s->work);
	SJ_VEC_FREE(s->mem, &s->fresh);
	SJ_VEC_FREE(s->mem, &s->kill);
	SJ_VEC_FREE(s->mem, &s->placeholders);
	SJ_VEC_FREE(s->mem, &s->undo);
	SJ_VEC_FREE(s->mem, &s->undo_text);
	SJ_VEC_FREE(s->mem, &s->origins);
	sj_trie_finish(s);
	sj_keys_finish(s);
	sj_buf_finish(&s->scratch);
	sj_map64_finish(&s->charged);
	for (int r = 0; r < SJ_ROOT_COUNT; r++) {
		sj_value_unref(s->mem, s->roots[r]);
		sj_value_unref(s->mem, s->secrets[r]);
	}
	sj_mem_free(s->mem, s, sizeof *s);
}

void *sj_surface_ctx(const struct sj_surface *s) { return s->ctx; }
struct sj_mem *sj_surface_mem(struct sj_surface *s) { return s->mem; }
const struct sj_limits *sj_surface_limits(const struct sj_surface *s) { return s->limits; }

void sj_surface_text(const struct sj_surface *s, const struct sj_value *v, struct sj_buf *out)
{
	s->driver->text(v, out);
}

bool sj_surface_truthy(const struct sj_surface *s, const struct sj_value *v) { return s->driver->truthy(v); }

enum sj_status sj_surface_words(const struct sj_surface *s, struct sj_arena *arena, struct sj_slice text,
                                struct sj_words *out)
{
	if (s->driver->words)
		return s->driver->words(arena, text, out);
	struct sj_word_block *one = sj_arena_alloc(arena, sizeof *one);
	if (!one)
		return SJ_NOMEM;
	*one = (struct sj_word_block){.text = text};
	*out = (struct sj_words){.plain = text, .blocks = one, .count = 1};
	return SJ_OK;
}

bool sj_surface_requires(struct sj_surface *s, sj_node_id n)
{
	return s->driver->requires && s->driver->requires(s->ctx, s, n);
}
