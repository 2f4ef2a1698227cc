/* Plans: the static subtrees. Edited place by place when a definition changes, never walked as a whole. */
#include "surface/plan.h"

#include <stdlib.h>

static uint64_t use_of(uint32_t plan, uint32_t k) { return (uint64_t)plan << 32 | k; }

static struct sj_pnode *node_of(const struct sj_surface *s, uint64_t use)
{
	return &sj_plan_at(s, (uint32_t)(use >> 32))->nodes.items[(uint32_t)use];
}

static void link_use(struct sj_surface *s, uint32_t plan, uint32_t k)
{
	struct sj_pnode *pn = &sj_plan_at(s, plan)->nodes.items[k];
	struct sj_comp *c = sj_comp_at(s, pn->comp);
	pn->prev_use = SJ_NO_USE;
	pn->next_use = c->first_use;
	if (c->first_use != SJ_NO_USE)
		node_of(s, c->first_use)->prev_use = use_of(plan, k);
	c->first_use = use_of(plan, k);
}

static void unlink_use(struct sj_surface *s, uint32_t plan, uint32_t k)
{
	struct sj_pnode *pn = &sj_plan_at(s, plan)->nodes.items[k];
	uint32_t comp = pn->comp;
	if (s->dying)
		return;
	if (s->use_cursor == use_of(plan, k))
		s->use_cursor = pn->next_use;
	if (pn->prev_use != SJ_NO_USE)
		node_of(s, pn->prev_use)->next_use = pn->next_use;
	else
		sj_comp_at(s, comp)->first_use = pn->next_use;
	if (pn->next_use != SJ_NO_USE)
		node_of(s, pn->next_use)->prev_use = pn->prev_use;
	sj_comp_release(s, comp);
}

uint32_t sj_plan_drawn(const struct sj_surface *s, const struct sj_group *g, uint32_t k, uint32_t edge)
{
	struct sj_pnode *pn = &sj_plan_at(s, g->plan)->nodes.items[k];
	const struct sj_def *d = pn->def;
	if (!(d->flags & SJ_DF_TEMPLATE))
		return edge;
	const struct sj_dedge *e = sj_def_edges(d);
	const uint32_t *kids = sj_pnode_kids(pn, d->nedges);
	uint32_t n = 0;
	for (uint32_t i = 0; i < edge; i++)
		n += e[i].addr == SJ_NONE ? 1 : g->lists[kids[i]].count;
	return n;
}

/* ---- making places ----------------------------------------------------------------------------------------------- */

/* Why a component is not shown at this place; a data scope is a plan, so a component that is its own ancestor within
 * the plan is cyclic. */
enum sj_why sj_place_judge(struct sj_surface *s, const struct sj_plan *p, const struct sj_pnode *pn,
                           const struct sj_def *d)
{
	if (p->over)
		return SJ_WHY_OVER_LIMIT;
	if (!d)
		return SJ_WHY_PENDING;
	for (uint32_t up = pn->parent; up != SJ_NONE; up = p->nodes.items[up].parent)
		if (p->nodes.items[up].comp == pn->comp)
			return SJ_WHY_CYCLIC;
	if (d->flags & SJ_DF_UNKNOWN)
		return SJ_WHY_UNKNOWN_TYPE;
	if (pn->depth > s->limits->component_depth)
		return SJ_WHY_OVER_LIMIT;
	return SJ_WHY_SHOWN;
}

enum sj_status sj_slots_take(struct sj_surface *s, struct sj_plan *p, uint32_t n, uint32_t *slot0)
{
	*slot0 = 0;
	if (!n)
		return SJ_OK;
	for (uint32_t i = p->ranges.count, tried = 0; i-- && tried < 16; tried++) {
		if (p->ranges.items[i].count != n)
			continue;
		*slot0 = p->ranges.items[i].start;
		p->ranges.items[i] = p->ranges.items[--p->ranges.count];
		p->garbage -= n;
		return SJ_OK;
	}
	(void)s;
	if (n > UINT32_MAX / 2 - p->nslots)
		return SJ_NOMEM;
	*slot0 = p->nslots;
	p->nslots += n;
	return SJ_OK;
}

enum sj_status sj_slots_give(struct sj_surface *s, struct sj_plan *p, uint32_t slot0, uint32_t n)
{
	if (!n)
		return SJ_OK;
	enum sj_status st = SJ_ROOM(s->mem, &p->ranges, p->ranges.count + 1, 0);
	if (st != SJ_OK)
		return st;
	p->ranges.items[p->ranges.count++] = (struct sj_range){slot0, n};
	p->garbage += n;
	if (p->garbage > 64 && p->garbage > p->nslots / 2)
		p->holey = s->holey = true;
	return SJ_OK;
}

static bool add_watch(struct sj_surface *s, struct sj_plan *p, uint32_t k, const struct sj_def *d, uint32_t addr,
                      enum sj_watch_kind kind, uint32_t what)
{
	bool cut;
	uint32_t frames, trie = sj_trie_address(s, p->id, d, &d->area, addr, &frames, &cut);
	if (trie == SJ_NONE)
		return false;
	struct sj_pnode *pn = &p->nodes.items[k];
	for (uint32_t w = pn->watches; w != SJ_NONE; w = s->watches.items[w].next_own) {
		const struct sj_watch *o = &s->watches.items[w];
		if (o->what != what || o->kind != kind)
			break; /* watches of one slot stand together */
		if (o->trie == trie)
			return true;
	}
	uint32_t w = sj_watch_add(s, trie,
	                          (struct sj_watch){.next_own = pn->watches,
	                                            .plan = p->id,
	                                            .k = k,
	                                            .what = what,
	                                            .frames = frames,
	                                            .kind = (uint8_t)kind,
	                                            .deep = cut});
	if (w == SJ_NONE)
		return false;
	pn->watches = w;
	return true;
}

void sj_place_unwatch(struct sj_surface *s, struct sj_pnode *pn)
{
	while (pn->watches != SJ_NONE && !s->dying) {
		uint32_t w = pn->watches;
		pn->watches = s->watches.items[w].next_own;
		sj_watch_remove(s, w);
	}
}

bool sj_place_watch(struct sj_surface *s, struct sj_plan *p, uint32_t k, const struct sj_def *d)
{
	const struct sj_ins *ins = SJ_AREA(d, d->area.ins, struct sj_ins);
	for (uint32_t i = 0; i < d->nprops; i++)
		for (uint32_t j = 0; j < d->props[i].nins; j++) {
			const struct sj_ins *in = &ins[d->props[i].ins0 + j];
			if (in->op == SJ_OP_READ && !add_watch(s, p, k, d, in->arg, SJ_W_SLOT, d->props[i].slot))
				return false;
		}
	if (!(d->flags & SJ_DF_TEMPLATE))
		return true;
	const struct sj_dedge *e = sj_def_edges(d);
	for (uint32_t i = 0; i < d->nedges; i++)
		if (e[i].addr != SJ_NONE &&
		    !add_watch(s, p, k, d, e[i].addr, SJ_W_LIST, sj_pnode_kids(&p->nodes.items[k], d->nedges)[i]))
			return false;
	return true;
}

enum sj_status sj_plist_new(struct sj_surface *s, struct sj_plan *p, uint32_t k, uint32_t edge, uint32_t *out)
{
	uint32_t l = p->free_list;
	if (l != SJ_NONE) {
		p->free_list = p->lists.items[l].edge;
	} else {
		enum sj_status st = SJ_ROOM(s->mem, &p->lists, p->lists.count + 1, 0);
		if (st != SJ_OK)
			return st;
		l = p->lists.count++;
	}
	p->lists.items[l] = (struct sj_plist){.k = k, .edge = edge, .child = SJ_NONE, .over = SJ_NONE};
	*out = l;
	return SJ_OK;
}

enum sj_status sj_place_push(struct sj_surface *s, bool fresh, uint32_t plan, uint32_t k)
{
	struct sj_pair pair = {plan, k};
	enum sj_status st = fresh ? SJ_ROOM(s->mem, &s->fresh, s->fresh.count + 1, 0)
	                          : SJ_ROOM(s->mem, &s->work, s->work.count + 1, 0);
	if (st == SJ_OK && fresh)
		s->fresh.items[s->fresh.count++] = pair;
	else if (st == SJ_OK)
		s->work.items[s->work.count++] = pair;
	return st;
}

uint32_t *sj_kids_new(struct sj_surface *s, uint32_t n)
{
	uint32_t *v = sj_mem_alloc(s->mem, n * sizeof *v);
	if (v)
		memset(v, 0xff, n * sizeof *v);
	return v;
}

/* The place shows its component: kids, slots, watches. Explicit children are made by sj_plan_grow. */
enum sj_status sj_place_open(struct sj_surface *s, struct sj_plan *p, uint32_t k)
{
	struct sj_pnode *pn = &p->nodes.items[k];
	const struct sj_def *d = sj_comp_of(s, pn->comp)->built;
	pn->def = d;
	pn->why = SJ_WHY_SHOWN;
	p->eager += sj_def_is_eager(d);
	pn->watches = SJ_NONE;
	pn->slot0 = 0;
	pn->kids.v = NULL;
	if (d->nedges == 1)
		pn->kids.one = SJ_NONE;
	else if (d->nedges && !(pn->kids.v = sj_kids_new(s, d->nedges))) {
		pn->why = SJ_WHY_PENDING; /* nothing to take down */
		p->eager -= sj_def_is_eager(d);
		return SJ_NOMEM;
	}
	enum sj_status st = sj_slots_take(s, p, d->nslots, &pn->slot0);
	const struct sj_dedge *e = sj_def_edges(d);
	bool explicit_kids = d->nedges && !(d->flags & SJ_DF_TEMPLATE);
	for (uint32_t i = 0; d->flags & SJ_DF_TEMPLATE && i < d->nedges && st == SJ_OK; i++) {
		if (e[i].addr == SJ_NONE)
			explicit_kids = true;
		else
			st = sj_plist_new(s, p, k, i, &sj_pnode_kids(pn, d->nedges)[i]);
	}
	if (st == SJ_OK && !sj_place_watch(s, p, k, d))
		st = SJ_NOMEM;
	if (st == SJ_OK && explicit_kids)
		st = sj_place_push(s, false, p->id, k);
	return st;
}

enum sj_status sj_place_report(struct sj_surface *s, const struct sj_group *g, uint32_t k)
{
	enum sj_status st = SJ_ROOM(s->mem, &s->placeholders, s->placeholders.count + 1, 0);
	if (st == SJ_OK)
		s->placeholders.items[s->placeholders.count++] = sj_handle(g, k);
	return st;
}

static enum sj_status add_place(struct sj_surface *s, struct sj_plan *p, uint32_t parent, uint32_t edge, uint32_t comp,
                                uint32_t *out)
{
	uint32_t k = p->free_k;
	if (k != SJ_NONE) {
		p->free_k = p->nodes.items[k].parent;
	} else {
		enum sj_status st = SJ_ROOM(s->mem, &p->nodes, p->nodes.count + 1, 1u << 24);
		if (st != SJ_OK)
			return SJ_NOMEM;
		k = p->nodes.count++;
	}
	struct sj_pnode *pn = &p->nodes.items[k];
	*pn = (struct sj_pnode){.comp = comp, .parent = parent, .edge = edge, .watches = SJ_NONE, .born = s->batch,
		.depth = parent == SJ_NONE ? 0 : (uint16_t)(p->nodes.items[parent].depth + 1), .why = SJ_WHY_PENDING};
	link_use(s, p->id, k);
	p->live++;
	*out = k;
	enum sj_why why = sj_place_judge(s, p, pn, sj_comp_of(s, comp)->built);
	if (why == SJ_WHY_SHOWN && s->node_count + s->planned >= s->limits->nodes) {
		why = SJ_WHY_OVER_LIMIT;
		s->limit_hit = true;
	}
	pn->why = (uint8_t)(why == SJ_WHY_SHOWN ? SJ_WHY_PENDING : why);
	s->planned += p->groups ? p->groups : 1;
	enum sj_status st = p->groups ? sj_place_push(s, true, p->id, k) : SJ_OK;
	return st == SJ_OK && why == SJ_WHY_SHOWN ? sj_place_open(s, p, k) : st;
}

enum sj_status sj_plan_grow(struct sj_surface *s)
{
	enum sj_status st = SJ_OK;
	while (s->work.count && st == SJ_OK) {
		struct sj_pair at = s->work.items[--s->work.count];
		struct sj_plan *p = sj_plan_at(s, at.plan);
		if ((uintptr_t)p & 1 || !p->nodes.items[at.k].comp || p->nodes.items[at.k].why != SJ_WHY_SHOWN)
			continue; /* went while it waited */
		const struct sj_def *d = p->nodes.items[at.k].def;
		const struct sj_dedge *e = sj_def_edges(d);
		for (uint32_t i = 0; i < d->nedges && st == SJ_OK; i++) {
			if (sj_pnode_kids(&p->nodes.items[at.k], d->nedges)[i] != SJ_NONE)
				continue;
			uint32_t kid = SJ_NONE;
			st = add_place(s, p, at.k, i, e[i].comp, &kid);
			sj_pnode_kids(&p->nodes.items[at.k], d->nedges)[i] = kid;
		}
	}
	for (uint32_t i = 0; i < s->fresh.count && st == SJ_OK; i++) {
		struct sj_plan *p = sj_plan_at(s, s->fresh.items[i].plan);
		uint32_t k = s->fresh.items[i].k, gid;
		struct sj_giter it;
		for (sj_giter_begin(&it, s, p->id, 0, NULL); st == SJ_OK && sj_giter_next(&it, &gid);) {
			st = sj_group_fit(s, gid);
			if (st != SJ_OK)
				break;
			struct sj_group *g = sj_group_at(s, gid);
			sj_group_fresh_node(s, g, k);
			const struct sj_pnode *pn = &p->nodes.items[k];
			if (pn->parent != SJ_NONE && !sj_group_is_new(s, g, pn->parent))
				st = sj_note_new(s, sj_handle(g, k));
			if (st == SJ_OK && pn->why > SJ_WHY_PENDING)
				st = sj_place_report(s, g, k);
		}
	}
	s->fresh.count = 0;
	s->planned = 0;
	return st;
}

/* ---- unused slots ------------------------------------------------------------------------------------------------ */

static int by_slot(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Slots move down in place, so groups need no memory; those of rows keep their size until they are made anew. */
static void close_gaps(struct sj_surface *s, struct sj_plan *p)
{
	uint64_t *order = p->live ? sj_mem_alloc(s->mem, p->live * sizeof *order) : NULL;
	if (!order)
		return;
	uint32_t n = 0, to = 0;
	for (uint32_t k = 0; k < p->nodes.count; k++)
		if (p->nodes.items[k].comp && p->nodes.items[k].why == SJ_WHY_SHOWN && p->nodes.items[k].def->nslots)
			order[n++] = (uint64_t)p->nodes.items[k].slot0 << 32 | k;
	qsort(order, n, sizeof *order, by_slot);
	for (uint32_t i = 0; i < n; i++) {
		struct sj_pnode *pn = &p->nodes.items[(uint32_t)order[i]];
		uint32_t from = pn->slot0, count = pn->def->nslots, gid;
		struct sj_giter it;
		for (sj_giter_begin(&it, s, p->id, 0, NULL); from != to && sj_giter_next(&it, &gid);) {
			struct sj_group *g = sj_group_at(s, gid);
			for (uint32_t j = 0; j < count; j++) {
				struct sj_slot *slot = &g->slots[from + j];
				if (slot->flags & SJ_SF_PENDING) {
					/* Calls know their slot by number: this one is made again. */
					sj_pending_forget(s, gid, from + j);
					slot->flags = (uint8_t)((slot->flags & ~SJ_SF_PENDING) | SJ_SF_DIRTY);
					sj_group_mark(s, g, (uint32_t)order[i]);
				}
				g->slots[to + j] = *slot;
				*slot = (struct sj_slot){.v = SJ_ABSENT_VALUE};
			}
		}
		pn->slot0 = to;
		to += count;
	}
	sj_mem_free(s->mem, order, p->live * sizeof *order);
	p->nslots = to;
	p->garbage = 0;
	p->ranges.count = 0;
	p->holey = false;
}

void sj_plan_close_gaps(struct sj_surface *s)
{
	s->holey = false;
	for (uint32_t i = 0; i < s->plans.count; i++) {
		struct sj_plan *p = s->plans.items[i];
		if (!((uintptr_t)p & 1) && p->holey)
			close_gaps(s, p);
	}
}

/* ---- plans ------------------------------------------------------------------------------------------------------- */

static enum sj_status new_plan(struct sj_surface *s, uint32_t parent, uint32_t list, bool over, uint32_t *out)
{
	uint32_t id = s->free_plan != SJ_NONE ? s->free_plan : s->plans.count;
	enum sj_status st = id < s->plans.count ? SJ_OK : SJ_ROOM(s->mem, &s->plans, id + 1, 0);
	struct sj_plan *p = st == SJ_OK ? sj_mem_alloc(s->mem, sizeof *p) : NULL;
	if (!p)
		return SJ_NOMEM;
	*p = (struct sj_plan){.id = id,
	                      .parent = parent,
	                      .list = list,
	                      .item = SJ_NONE,
	                      .free_k = SJ_NONE,
	                      .free_list = SJ_NONE,
	                      .over = over};
	if (parent != SJ_NONE) {
		const struct sj_plan *up = sj_plan_at(s, parent);
		p->depth = up->depth + 1;
		if (!over) {
			const struct sj_plist *l = &up->lists.items[list];
			const struct sj_def *d = up->nodes.items[l->k].def;
			uint32_t addr = sj_def_edges(d)[l->edge].addr, frames;
			bool cut;
			uint32_t node = sj_trie_address(s, parent, d, &d->area, addr, &frames, &cut);
			if (node == SJ_NONE) {
				sj_mem_free(s->mem, p, sizeof *p);
				return SJ_NOMEM;
			}
			/* Below a cut pattern no star can say which row it is: everything in the rows depends on the
			 * ancestor. */
			uint32_t star = cut ? node : sj_trie_step_star(s, node);
			if (star == SJ_NONE) {
				sj_trie_prune(s, node);
				sj_mem_free(s->mem, p, sizeof *p);
				return SJ_NOMEM;
			}
			sj_trie_hold(s, star);
			p->item = star;
			p->frames = cut ? frames : frames | 1u << (p->depth - 1);
		}
	}
	if (id == s->plans.count)
		s->plans.count++;
	else
		s->free_plan = (uint32_t)((uintptr_t)s->plans.items[id] >> 1);
	s->plans.items[id] = p;
	*out = id;
	return SJ_OK;
}

enum sj_status sj_plan_root(struct sj_surface *s)
{
	uint32_t k;
	enum sj_status st = new_plan(s, SJ_NONE, SJ_NONE, false, &s->root_plan);
	if (st == SJ_OK)
		st = add_place(s, sj_plan_at(s, s->root_plan), SJ_NONE, 0, s->root_comp, &k);
	if (st == SJ_OK)
		st = sj_plan_grow(s);
	if (st == SJ_OK)
		st = sj_group_create(s, s->root_plan, SJ_NONE, 0, &s->root_group);
	if (st != SJ_OK)
		return st;
	const struct sj_plan *p = sj_plan_at(s, s->root_plan);
	struct sj_group *g = sj_group_at(s, s->root_group);
	for (uint32_t i = 0; i < p->nodes.count && st == SJ_OK; i++)
		if (p->nodes.items[i].comp && p->nodes.items[i].why > SJ_WHY_PENDING)
			st = sj_place_report(s, g, i);
	s->root_changed = true;
	return st == SJ_OK ? sj_note_new(s, sj_handle(g, 0)) : st;
}

enum sj_status sj_plan_child(struct sj_surface *s, uint32_t plan, uint32_t list, bool over, uint32_t *out)
{
	struct sj_plist *l = &sj_plan_at(s, plan)->lists.items[list];
	uint32_t *at = over ? &l->over : &l->child;
	if (*at == SJ_NONE) {
		enum sj_status st = new_plan(s, plan, list, over, at);
		if (st != SJ_OK)
			return st;
		const struct sj_pnode *pn = &sj_plan_at(s, plan)->nodes.items[l->k];
		const struct sj_def *d = pn->def;
		uint32_t k;
		st = add_place(s, sj_plan_at(s, *at), SJ_NONE, 0, sj_def_edges(d)[l->edge].comp, &k);
		if (st == SJ_OK)
			st = sj_plan_grow(s);
		if (st != SJ_OK)
			return st;
	}
	*out = *at;
	return SJ_OK;
}

/* Depth of this recursion is the depth of frames, which is capped. */
void sj_plist_drop(struct sj_surface *s, struct sj_plan *p, uint32_t l)
{
	s->cache.gid = s->cache.list_gid = SJ_NONE; /* the number may stand for another address next */
	if (p->lists.items[l].child != SJ_NONE)
		sj_plan_destroy(s, p->lists.items[l].child);
	if (p->lists.items[l].over != SJ_NONE)
		sj_plan_destroy(s, p->lists.items[l].over);
	p->lists.items[l] = (struct sj_plist){.k = SJ_NONE, .edge = p->free_list, .child = SJ_NONE, .over = SJ_NONE};
	p->free_list = l;
}

/* What the plan holds for a place that shows its component; its instances are gone already. */
void sj_place_close(struct sj_surface *s, struct sj_plan *p, uint32_t k)
{
	struct sj_pnode *pn = &p->nodes.items[k];
	if (pn->why != SJ_WHY_SHOWN)
		return;
	const struct sj_def *d = pn->def;
	sj_place_unwatch(s, pn);
	const struct sj_dedge *e = sj_def_edges(d);
	bool kids = d->nedges == 1 || pn->kids.v;
	for (uint32_t i = 0; kids && d->flags & SJ_DF_TEMPLATE && i < d->nedges; i++) {
		uint32_t l = sj_pnode_kids(pn, d->nedges)[i];
		if (e[i].addr != SJ_NONE && l != SJ_NONE)
			sj_plist_drop(s, p, l);
	}
	if (d->nedges > 1)
		sj_mem_free(s->mem, pn->kids.v, d->nedges * sizeof *pn->kids.v);
	pn->kids.v = NULL;
	pn->why = SJ_WHY_PENDING;
	p->eager -= sj_def_is_eager(d);
}

void sj_place_free(struct sj_surface *s, struct sj_plan *p, uint32_t k)
{
	sj_place_close(s, p, k);
	unlink_use(s, p->id, k);
	p->nodes.items[k].comp = 0;
	p->nodes.items[k].parent = p->free_k;
	p->free_k = k;
	p->live--;
}

void sj_plan_destroy(struct sj_surface *s, uint32_t plan)
{
	struct sj_plan *p = sj_plan_at(s, plan);
	assert(p->groups == 0);
	for (uint32_t k = 0; k < p->nodes.count; k++)
		if (p->nodes.items[k].comp)
			sj_place_free(s, p, k);
	if (p->item != SJ_NONE)
		sj_trie_let(s, p->item);
	SJ_VEC_FREE(s->mem, &p->nodes);
	SJ_VEC_FREE(s->mem, &p->lists);
	SJ_VEC_FREE(s->mem, &p->ranges);
	s->plans.items[plan] = (struct sj_plan *)((uintptr_t)s->free_plan << 1 | 1u);
	s->free_plan = plan;
	sj_mem_free(s->mem, p, sizeof *p);
}

void sj_plan_lose(struct sj_surface *s)
{
	s->work.count = s->fresh.count = 0;
	s->planned = 0;
	if (s->root_group != SJ_NONE) {
		const struct sj_group *g = sj_group_at(s, s->root_group);
		if (g->born != s->batch && !s->lost_root)
			s->lost_root = sj_handle(g, 0);
		sj_group_destroy(s, s->root_group);
	}
	s->root_group = SJ_NONE;
	if (s->root_plan != SJ_NONE)
		sj_plan_destroy(s, s->root_plan);
	s->root_plan = SJ_NONE;
	s->root_changed = true;
}
