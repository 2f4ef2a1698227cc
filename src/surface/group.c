/* Groups: instances of plans. One block of memory each: header, slots, lists, instances. */
#include "surface/internal.h"

uint16_t sj_next_gen(struct sj_surface *s)
{
	if (++s->gen == 0)
		s->gen = 1;
	return s->gen;
}

void sj_slot_uncharge(struct sj_surface *s, struct sj_slot *slot)
{
	if (!(slot->flags & SJ_SF_CHARGED))
		return;
	uint64_t body = (uint64_t)(uintptr_t)sj_value_identity(&slot->v);
	uint32_t bytes = sj_map64_get(&s->charged, body);
	slot->flags &= (uint8_t)~SJ_SF_CHARGED;
	if (bytes == SJ_MAP_NONE)
		return;
	s->charged_bytes -= bytes;
	sj_map64_del(&s->charged, body);
}

void sj_slot_clear(struct sj_surface *s, struct sj_slot *slot)
{
	sj_slot_uncharge(s, slot);
	if (!(slot->flags & (SJ_SF_MODEL | SJ_SF_LENT)))
		sj_value_unref(s->mem, slot->v);
	*slot = (struct sj_slot){.v = SJ_ABSENT_VALUE};
}

/* ---- iterating the groups of a plan ------------------------------------------------------------------------------ */

void sj_giter_begin(struct sj_giter *it, struct sj_surface *s, uint32_t plan, uint32_t frames, const uint32_t *rows)
{
	it->s = s;
	it->plan = plan;
	it->depth = sj_plan_at(s, plan)->depth;
	it->first = true;
	uint32_t p = plan, bound = 0;
	for (uint32_t d = it->depth; d; d--) {
		it->level[d].plan = p;
		it->level[d].list = sj_plan_at(s, p)->list;
		p = sj_plan_at(s, p)->parent;
	}
	for (uint32_t d = 1; d <= it->depth; d++)
		it->level[d].bound = frames & 1u << (d - 1) ? rows[bound++] : SJ_NONE;
}

static const struct sj_rows *level_rows(const struct sj_giter *it, uint32_t d)
{
	const struct sj_group *g = sj_group_at(it->s, it->level[d - 1].gid);
	return it->level[d].list < g->nlists ? &g->lists[it->level[d].list] : NULL;
}

static void open_level(struct sj_giter *it, uint32_t d)
{
	const struct sj_rows *rows = level_rows(it, d);
	uint32_t n = rows ? rows->count : 0, bound = it->level[d].bound;
	it->level[d].i = bound == SJ_NONE ? 0 : bound;
	it->level[d].end = bound == SJ_NONE || bound >= n ? n : bound + 1;
}

bool sj_giter_next(struct sj_giter *it, uint32_t *gid)
{
	uint32_t d = it->depth;
	if (it->first) {
		it->first = false;
		if (it->s->root_group == SJ_NONE)
			return false;
		it->level[0].gid = it->s->root_group;
		if (!d) {
			*gid = it->s->root_group;
			return true;
		}
		d = 1;
		open_level(it, d);
	}
	while (d) {
		const struct sj_rows *rows = level_rows(it, d);
		if (it->level[d].i >= it->level[d].end || !rows || it->level[d].i >= rows->count) {
			d--;
			continue;
		}
		uint32_t next = rows->ids[it->level[d].i++];
		if (sj_group_at(it->s, next)->plan != it->level[d].plan)
			continue;
		it->level[d].gid = next;
		if (d == it->depth) {
			*gid = next;
			return true;
		}
		open_level(it, ++d);
	}
	return false;
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

/* Oldest first, so that nodes are valued in the order they were marked. */
static void chain(struct sj_surface *s, struct sj_group *g)
{
	if (g->flags & SJ_GF_DIRTY)
		return;
	g->flags |= SJ_GF_DIRTY;
	g->next_dirty = SJ_NONE;
	g->prev_dirty = s->last_dirty_group;
	if (s->last_dirty_group != SJ_NONE)
		sj_group_at(s, s->last_dirty_group)->next_dirty = g->id;
	else
		s->dirty_groups = g->id;
	s->last_dirty_group = g->id;
}

void sj_group_mark_all(struct sj_surface *s, struct sj_group *g)
{
	chain(s, g);
	g->flags |= SJ_GF_ALL;
}

void sj_group_mark(struct sj_surface *s, struct sj_group *g, uint32_t k)
{
	struct sj_inst *in = &g->insts[k];
	chain(s, g);
	if ((in->flags & SJ_IF_DIRTY) || (g->flags & SJ_GF_ALL))
		return;
	in->flags |= SJ_IF_DIRTY;
	in->next_dirty = SJ_NONE;
	if (g->first_dirty == SJ_NONE)
		g->first_dirty = k;
	else
		g->insts[g->last_dirty].next_dirty = k;
	g->last_dirty = k;
}

void sj_group_unmark(struct sj_surface *s, struct sj_group *g)
{
	if (!(g->flags & SJ_GF_DIRTY))
		return;
	g->flags &= ~(SJ_GF_DIRTY | SJ_GF_ALL);
	if (g->prev_dirty != SJ_NONE)
		sj_group_at(s, g->prev_dirty)->next_dirty = g->next_dirty;
	else
		s->dirty_groups = g->next_dirty;
	if (g->next_dirty != SJ_NONE)
		sj_group_at(s, g->next_dirty)->prev_dirty = g->prev_dirty;
	else
		s->last_dirty_group = g->prev_dirty;
}

void sj_group_mark_list(struct sj_surface *s, struct sj_group *g, uint32_t list)
{
	if (list >= g->nlists)
		return;
	struct sj_rows *rows = &g->lists[list];
	if (!rows->dirty) {
		rows->dirty = true;
		rows->next_dirty = SJ_NONE;
		if (g->first_list == SJ_NONE)
			g->first_list = list;
		else
			g->lists[g->last_list].next_dirty = list;
		g->last_list = list;
	}
	if (g->flags & SJ_GF_LISTS)
		return;
	g->flags |= SJ_GF_LISTS;
	g->next_lists = SJ_NONE;
	g->prev_lists = s->last_dirty_lists;
	if (s->last_dirty_lists != SJ_NONE)
		sj_group_at(s, s->last_dirty_lists)->next_lists = g->id;
	else
		s->dirty_lists = g->id;
	s->last_dirty_lists = g->id;
}

void sj_group_unmark_lists(struct sj_surface *s, struct sj_group *g)
{
	if (!(g->flags & SJ_GF_LISTS))
		return;
	g->flags &= ~SJ_GF_LISTS;
	if (g->prev_lists != SJ_NONE)
		sj_group_at(s, g->prev_lists)->next_lists = g->next_lists;
	else
		s->dirty_lists = g->next_lists;
	if (g->next_lists != SJ_NONE)
		sj_group_at(s, g->next_lists)->prev_lists = g->prev_lists;
	else
		s->last_dirty_lists = g->prev_lists;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void lay_out(struct sj_group *g)
{
	char *at = (char *)(g + 1);
	g->slots = (struct sj_slot *)(void *)at;
	at += g->nslots * sizeof *g->slots;
	g->lists = (struct sj_rows *)(void *)at;
	at += g->nlists * sizeof *g->lists;
	g->insts = (struct sj_inst *)(void *)at;
}

static size_t block_bytes(uint32_t nslots, uint32_t nlists, uint32_t ninsts)
{
	size_t n = sizeof(struct sj_group) + nslots * sizeof(struct sj_slot) + nlists * sizeof(struct sj_rows) +
	           ninsts * sizeof(struct sj_inst);
	return (n + 7u) & ~(size_t)7u;
}

static uint32_t roomy(const struct sj_surface *s, const struct sj_group *g, uint32_t have, uint32_t need)
{
	/* The root's group grows for as long as components arrive; a row's is exact. */
	return need <= have ? have : g->id == s->root_group && have ? need + need / 2 : need;
}

enum sj_status sj_group_fit(struct sj_surface *s, uint32_t gid)
{
	struct sj_group *g = sj_group_at(s, gid);
	const struct sj_plan *p = sj_plan_at(s, g->plan);
	if (g->ninsts >= p->nodes.count && g->nslots >= p->nslots && g->nlists >= p->lists.count)
		return SJ_OK;
	struct sj_group n = *g;
	n.ninsts = roomy(s, g, g->ninsts, p->nodes.count);
	n.nslots = roomy(s, g, g->nslots, p->nslots);
	n.nlists = roomy(s, g, g->nlists, p->lists.count);
	n.bytes = block_bytes(n.nslots, n.nlists, n.ninsts);
	struct sj_group *m = sj_mem_alloc(s->mem, n.bytes);
	if (!m)
		return SJ_NOMEM;
	*m = n;
	lay_out(m);
	memset(m + 1, 0, n.bytes - sizeof *m);
	if (g->nslots)
		memcpy(m->slots, g->slots, g->nslots * sizeof *g->slots);
	if (g->nlists)
		memcpy(m->lists, g->lists, g->nlists * sizeof *g->lists);
	if (g->ninsts)
		memcpy(m->insts, g->insts, g->ninsts * sizeof *g->insts);
	s->groups.items[gid] = m;
	sj_mem_free(s->mem, g, g->bytes);
	return SJ_OK;
}

/* Slots, lists and handle of a node that begins to exist in this group. */
static void begin_node(struct sj_surface *s, struct sj_group *g, uint32_t k, uint16_t gen)
{
	struct sj_plan *p = sj_plan_at(s, g->plan);
	struct sj_pnode *pn = &p->nodes.items[k];
	const struct sj_def *d = pn->why == SJ_WHY_SHOWN ? pn->def : NULL;
	g->insts[k].gen = gen;
	g->insts[k].flags &= SJ_IF_DIRTY;
	s->node_count++;
	if (!d)
		return;
	for (uint32_t i = 0; i < d->nslots; i++) {
		g->slots[pn->slot0 + i].flags = SJ_SF_DIRTY;
		g->slots[pn->slot0 + i].result = SJ_R_ABSENT;
	}
	if (!(d->flags & SJ_DF_TEMPLATE))
		return;
	const uint32_t *kids = sj_pnode_kids(pn, d->nedges);
	const struct sj_dedge *e = sj_def_edges(d);
	for (uint32_t i = 0; i < d->nedges; i++) {
		if (e[i].addr == SJ_NONE)
			continue;
		struct sj_rows *rows = &g->lists[kids[i]];
		assert(!rows->count);
		rows->lo = 0;
		rows->hi = 50; /* until a face says what it shows */
		sj_group_mark_list(s, g, kids[i]);
	}
}

void sj_group_fresh_node(struct sj_surface *s, struct sj_group *g, uint32_t k)
{
	begin_node(s, g, k, sj_next_gen(s));
	sj_group_mark(s, g, k);
}

enum sj_status sj_group_create(struct sj_surface *s, uint32_t plan, uint32_t parent, uint32_t row, uint32_t *out)
{
	struct sj_plan *p = sj_plan_at(s, plan);
	uint32_t gid;
	if (s->free_gid != SJ_NONE) {
		gid = s->free_gid;
	} else {
		enum sj_status st = SJ_ROOM(s->mem, &s->groups, s->groups.count + 1, 1u << 24);
		if (st != SJ_OK)
			return st;
		gid = s->groups.count;
	}
	size_t bytes = block_bytes(p->nslots, p->lists.count, p->nodes.count);
	struct sj_group *g = sj_mem_alloc(s->mem, bytes);
	if (!g)
		return SJ_NOMEM;
	*g = (struct sj_group){.id = gid,
	                       .plan = plan,
	                       .parent = parent,
	                       .row = row,
	                       .born = s->batch,
	                       .ninsts = p->nodes.count,
	                       .nslots = p->nslots,
	                       .nlists = p->lists.count,
	                       .bytes = bytes,
	                       .first_dirty = SJ_NONE,
	                       .first_list = SJ_NONE};
	lay_out(g);
	memset(g + 1, 0, bytes - sizeof *g);
	if (gid == s->groups.count)
		s->groups.count++;
	else
		s->free_gid = (uint32_t)((uintptr_t)s->groups.items[gid] >> 1);
	s->groups.items[gid] = g;
	p->groups++;
	uint16_t gen = sj_next_gen(s);
	for (uint32_t k = 0; k < p->nodes.count; k++)
		if (p->nodes.items[k].comp)
			begin_node(s, g, k, gen);
	sj_group_mark_all(s, g);
	*out = gid;
	return SJ_OK;
}

static void clear_slot(struct sj_surface *s, struct sj_group *g, uint32_t i)
{
	if (g->slots[i].flags & SJ_SF_PENDING)
		sj_pending_forget(s, g->id, i);
	sj_slot_clear(s, &g->slots[i]);
}

void sj_rows_clear(struct sj_surface *s, struct sj_rows *rows)
{
	for (uint32_t i = rows->count; i--;)
		sj_group_destroy(s, rows->ids[i]);
	sj_mem_free(s->mem, rows->ids, rows->cap * sizeof *rows->ids);
	rows->ids = NULL;
	rows->count = rows->cap = 0;
	rows->over = false;
}

void sj_group_clear_node(struct sj_surface *s, struct sj_group *g, uint32_t k)
{
	if (k >= g->ninsts || !g->insts[k].gen)
		return;
	struct sj_inst *in = &g->insts[k];
	struct sj_pnode *pn = &sj_plan_at(s, g->plan)->nodes.items[k];
	if (pn->why == SJ_WHY_SHOWN) {
		const struct sj_def *d = pn->def;
		for (uint32_t i = 0; i < d->nslots; i++)
			clear_slot(s, g, pn->slot0 + i);
		const struct sj_dedge *e = sj_def_edges(d);
		const uint32_t *kids = sj_pnode_kids(pn, d->nedges);
		for (uint32_t i = 0; d->flags & SJ_DF_TEMPLATE && i < d->nedges; i++)
			if (e[i].addr != SJ_NONE)
				sj_rows_clear(s, &g->lists[kids[i]]);
	}
	if (in->flags & SJ_IF_INVALID)
		s->invalid_count--;
	in->gen = 0;
	in->flags &= SJ_IF_DIRTY;
	s->node_count--;
}

/* Goes by the arrays, not by the plan, which may be half-edited when memory ran out. Depth of this recursion is the
 * depth of frames, which is capped. */
void sj_group_destroy(struct sj_surface *s, uint32_t gid)
{
	struct sj_group *g = sj_group_at(s, gid);
	struct sj_plan *p = sj_plan_at(s, g->plan);
	for (uint32_t i = 0; i < g->nslots; i++)
		clear_slot(s, g, i);
	for (uint32_t i = 0; i < g->nlists; i++)
		sj_rows_clear(s, &g->lists[i]);
	for (uint32_t k = 0; k < g->ninsts; k++) {
		if (!g->insts[k].gen)
			continue;
		s->node_count--;
		if (g->insts[k].flags & SJ_IF_INVALID)
			s->invalid_count--;
	}
	sj_group_unmark(s, g);
	sj_group_unmark_lists(s, g);
	p->groups--;
	/* A free number holds the next one, told from a pointer by its lowest bit. */
	s->groups.items[gid] = (struct sj_group *)((uintptr_t)s->free_gid << 1 | 1u);
	s->free_gid = gid;
	if (s->cache.gid == gid)
		s->cache.gid = SJ_NONE;
	if (s->cache.list_gid == gid)
		s->cache.list_gid = SJ_NONE;
	sj_mem_free(s->mem, g, g->bytes);
}

bool sj_group_in_window(const struct sj_surface *s, const struct sj_group *g)
{
	while (g->parent != SJ_NONE) {
		const struct sj_group *up = sj_group_at(s, g->parent);
		const struct sj_rows *rows = &up->lists[sj_plan_at(s, g->plan)->list];
		if (g->row < rows->lo || g->row >= rows->hi)
			return false;
		g = up;
	}
	return true;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static enum sj_status drop_row(struct sj_surface *s, uint32_t gid, uint32_t list, bool announced)
{
	struct sj_rows *rows = &sj_group_at(s, gid)->lists[list];
	struct sj_group *row = sj_group_at(s, rows->ids[rows->count - 1]);
	if (announced && !sj_group_is_new(s, row, 0)) {
		enum sj_status st = sj_note_gone(s, row, 0);
		if (st != SJ_OK)
			return st;
	}
	rows->count--;
	sj_group_destroy(s, row->id);
	return SJ_OK;
}

static enum sj_status add_row(struct sj_surface *s, uint32_t gid, uint32_t list, uint32_t plan, bool announced)
{
	struct sj_rows *rows = &sj_group_at(s, gid)->lists[list];
	uint32_t row = rows->count, id;
	if (row + 1 > rows->cap) {
		enum sj_status st = sj_room(s->mem, (void **)&rows->ids, &rows->cap, sizeof *rows->ids, row + 1, 0);
		if (st != SJ_OK)
			return st;
	}
	enum sj_status st = sj_group_create(s, plan, gid, row, &id);
	if (st != SJ_OK)
		return st;
	rows = &sj_group_at(s, gid)->lists[list];
	rows->ids[row] = id;
	rows->count++;
	return announced ? sj_note_new(s, sj_handle(sj_group_at(s, id), 0)) : SJ_OK;
}

enum sj_status sj_group_rows(struct sj_surface *s, uint32_t gid, uint32_t list)
{
	struct sj_group *g = sj_group_at(s, gid);
	struct sj_plan *p = sj_plan_at(s, g->plan);
	struct sj_plist *l = &p->lists.items[list];
	if (l->k == SJ_NONE)
		return SJ_OK;
	const struct sj_def *d = p->nodes.items[l->k].def;
	const struct sj_value *v = sj_eval_address(s, gid, d, &d->area, sj_def_edges(d)[l->edge].addr);
	uint32_t want = v && sj_has_rows(s, v) ? sj_value_count(v) : 0;
	uint32_t max = p->depth >= s->limits->scope_depth || p->depth >= SJ_MAX_FRAMES ? 0 : s->limits->template_rows;
	bool over = want > max;
	if (over)
		want = max;
	bool announced = !sj_group_is_new(s, g, l->k);
	uint32_t k = l->k, edge = l->edge, had = g->lists[list].count, kept = had;
	uint32_t before = sj_plan_drawn(s, g, k, edge);
	enum sj_status st = SJ_OK;
	uint32_t have = had - g->lists[list].over;
	if (g->lists[list].over && (!over || have != want)) {
		g->lists[list].over = false;
		st = drop_row(s, gid, list, announced);
		kept--;
	}
	for (; st == SJ_OK && have > want; have--, kept--)
		st = drop_row(s, gid, list, announced);
	if (st == SJ_OK && have < want && l->child == SJ_NONE) {
		uint32_t child;
		st = sj_plan_child(s, g->plan, list, false, &child);
	}
	uint32_t live =
		st == SJ_OK && have < want ? sj_plan_at(s, sj_plan_at(s, g->plan)->lists.items[list].child)->live : 0;
	for (; st == SJ_OK && have < want; have++) {
		if (s->node_count + live > s->limits->nodes) {
			s->limit_hit = true;
			over = true;
			break;
		}
		st = add_row(s, gid, list, sj_plan_at(s, g->plan)->lists.items[list].child, announced);
		g = sj_group_at(s, gid);
	}
	if (st == SJ_OK && over && !g->lists[list].over) {
		uint32_t child;
		st = sj_plan_child(s, g->plan, list, true, &child);
		if (st == SJ_OK)
			st = add_row(s, gid, list, child, announced);
		g = sj_group_at(s, gid);
		if (st == SJ_OK) {
			g->lists[list].over = true;
			const struct sj_rows *rows = &g->lists[list];
			st = SJ_ROOM(s->mem, &s->placeholders, s->placeholders.count + 1, 0);
			if (st == SJ_OK)
				s->placeholders.items[s->placeholders.count++] =
					sj_handle(sj_group_at(s, rows->ids[rows->count - 1]), 0);
		}
	}
	g = sj_group_at(s, gid);
	uint32_t now = g->lists[list].count;
	if (st == SJ_OK && announced && (kept != had || now != kept))
		st = sj_note_splice(s, g, k, before + kept, had - kept, now - kept);
	return st;
}

/* A row that comes into view: what was left stale is valued by the next settle. Depth is the depth of frames. */
void sj_group_wake_stale(struct sj_surface *s, uint32_t gid)
{
	struct sj_group *g = sj_group_at(s, gid);
	for (uint32_t i = 0; i < g->nslots; i++)
		if (g->slots[i].flags & SJ_SF_DIRTY) {
			sj_group_mark_all(s, g);
			break;
		}
	for (uint32_t l = 0; l < g->nlists; l++)
		for (uint32_t r = g->lists[l].lo; r < g->lists[l].hi && r < g->lists[l].count; r++)
			sj_group_wake_stale(s, g->lists[l].ids[r]);
}
