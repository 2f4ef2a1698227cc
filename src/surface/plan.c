/* Plans: the static subtrees. Edited place by place when a definition changes, never walked as a whole. */
#include "surface/internal.h"

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

/* ---- making places ------------------------------------------------------------------------------------------------------------- */

/* Why a component is not shown at this place; a data scope is a plan, so a component that is its own ancestor within the plan is cyclic. */
static enum sj_why judge(struct sj_surface *s, const struct sj_plan *p, const struct sj_pnode *pn, const struct sj_def *d)
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

static enum sj_status take_slots(struct sj_surface *s, struct sj_plan *p, uint32_t n, uint32_t *slot0)
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

static enum sj_status give_slots(struct sj_surface *s, struct sj_plan *p, uint32_t slot0, uint32_t n)
{
	if (!n)
		return SJ_OK;
	enum sj_status st = SJ_ROOM(s->mem, &p->ranges, p->ranges.count + 1, 0);
	if (st != SJ_OK)
		return st;
	p->ranges.items[p->ranges.count++] = (struct sj_range){slot0, n};
	p->garbage += n;
	return SJ_OK;
}

static bool add_watch(struct sj_surface *s, struct sj_plan *p, uint32_t k, const struct sj_def *d, uint32_t addr, enum sj_watch_kind kind, uint32_t what)
{
	uint32_t frames, trie = sj_trie_address(s, p->id, d, &d->area, addr, &frames);
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
	uint32_t w = sj_watch_add(s, trie, (struct sj_watch){.next_own = pn->watches, .plan = p->id, .k = k, .what = what, .frames = frames, .kind = (uint8_t)kind});
	if (w == SJ_NONE)
		return false;
	pn->watches = w;
	return true;
}

static void drop_watches(struct sj_surface *s, struct sj_pnode *pn)
{
	while (pn->watches != SJ_NONE) {
		uint32_t w = pn->watches;
		pn->watches = s->watches.items[w].next_own;
		sj_watch_remove(s, w);
	}
}

static bool watch_all(struct sj_surface *s, struct sj_plan *p, uint32_t k, const struct sj_def *d)
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

static enum sj_status new_list(struct sj_surface *s, struct sj_plan *p, uint32_t k, uint32_t edge, uint32_t *out)
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

static enum sj_status push_pair(struct sj_surface *s, bool fresh, uint32_t plan, uint32_t k)
{
	struct sj_pair pair = {plan, k};
	enum sj_status st = fresh ? SJ_ROOM(s->mem, &s->fresh, s->fresh.count + 1, 0) : SJ_ROOM(s->mem, &s->work, s->work.count + 1, 0);
	if (st == SJ_OK && fresh)
		s->fresh.items[s->fresh.count++] = pair;
	else if (st == SJ_OK)
		s->work.items[s->work.count++] = pair;
	return st;
}

static uint32_t *new_kids(struct sj_surface *s, uint32_t n)
{
	uint32_t *v = sj_mem_alloc(s->mem, n * sizeof *v);
	if (v)
		memset(v, 0xff, n * sizeof *v);
	return v;
}

/* The place shows its component: kids, slots, watches. Explicit children are made by sj_plan_grow. */
static enum sj_status open_place(struct sj_surface *s, struct sj_plan *p, uint32_t k)
{
	struct sj_pnode *pn = &p->nodes.items[k];
	const struct sj_def *d = sj_comp_of(s, pn->comp)->built;
	pn->def = d;
	pn->why = SJ_WHY_SHOWN;
	pn->watches = SJ_NONE;
	pn->slot0 = 0;
	pn->kids.v = NULL;
	if (d->nedges == 1)
		pn->kids.one = SJ_NONE;
	else if (d->nedges && !(pn->kids.v = new_kids(s, d->nedges))) {
		pn->why = SJ_WHY_PENDING; /* nothing to take down */
		return SJ_NOMEM;
	}
	enum sj_status st = take_slots(s, p, d->nslots, &pn->slot0);
	const struct sj_dedge *e = sj_def_edges(d);
	bool explicit_kids = d->nedges && !(d->flags & SJ_DF_TEMPLATE);
	for (uint32_t i = 0; d->flags & SJ_DF_TEMPLATE && i < d->nedges && st == SJ_OK; i++) {
		if (e[i].addr == SJ_NONE)
			explicit_kids = true;
		else
			st = new_list(s, p, k, i, &sj_pnode_kids(pn, d->nedges)[i]);
	}
	if (st == SJ_OK && !watch_all(s, p, k, d))
		st = SJ_NOMEM;
	if (st == SJ_OK && explicit_kids)
		st = push_pair(s, false, p->id, k);
	return st;
}

static enum sj_status report_placeholder(struct sj_surface *s, const struct sj_group *g, uint32_t k)
{
	enum sj_status st = SJ_ROOM(s->mem, &s->placeholders, s->placeholders.count + 1, 0);
	if (st == SJ_OK)
		s->placeholders.items[s->placeholders.count++] = sj_handle(g, k);
	return st;
}

static enum sj_status add_place(struct sj_surface *s, struct sj_plan *p, uint32_t parent, uint32_t edge, uint32_t comp, uint32_t *out)
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
	enum sj_why why = judge(s, p, pn, sj_comp_of(s, comp)->built);
	if (why == SJ_WHY_SHOWN && s->node_count + s->planned >= s->limits->nodes) {
		why = SJ_WHY_OVER_LIMIT;
		s->limit_hit = true;
	}
	pn->why = (uint8_t)(why == SJ_WHY_SHOWN ? SJ_WHY_PENDING : why);
	s->planned += p->groups ? p->groups : 1;
	enum sj_status st = p->groups ? push_pair(s, true, p->id, k) : SJ_OK;
	return st == SJ_OK && why == SJ_WHY_SHOWN ? open_place(s, p, k) : st;
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
				st = report_placeholder(s, g, k);
		}
	}
	s->fresh.count = 0;
	s->planned = 0;
	return st;
}

/* ---- plans --------------------------------------------------------------------------------------------------------------------- */

static enum sj_status new_plan(struct sj_surface *s, uint32_t parent, uint32_t list, bool over, uint32_t *out)
{
	uint32_t id = s->free_plan != SJ_NONE ? s->free_plan : s->plans.count;
	enum sj_status st = id < s->plans.count ? SJ_OK : SJ_ROOM(s->mem, &s->plans, id + 1, 0);
	struct sj_plan *p = st == SJ_OK ? sj_mem_alloc(s->mem, sizeof *p) : NULL;
	if (!p)
		return SJ_NOMEM;
	*p = (struct sj_plan){.id = id, .parent = parent, .list = list, .item = SJ_NONE, .free_k = SJ_NONE, .free_list = SJ_NONE, .over = over};
	if (parent != SJ_NONE) {
		const struct sj_plan *up = sj_plan_at(s, parent);
		p->depth = up->depth + 1;
		if (!over) {
			const struct sj_plist *l = &up->lists.items[list];
			const struct sj_def *d = up->nodes.items[l->k].def;
			uint32_t addr = sj_def_edges(d)[l->edge].addr, frames;
			uint32_t node = sj_trie_address(s, parent, d, &d->area, addr, &frames);
			if (node == SJ_NONE) {
				sj_mem_free(s->mem, p, sizeof *p);
				return SJ_NOMEM;
			}
			uint32_t star = sj_trie_step_star(s, node);
			if (star == SJ_NONE) {
				sj_trie_prune(s, node);
				sj_mem_free(s->mem, p, sizeof *p);
				return SJ_NOMEM;
			}
			sj_trie_hold(s, star);
			p->item = star;
			p->frames = frames | 1u << (p->depth - 1);
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
			st = report_placeholder(s, g, i);
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
static void drop_list(struct sj_surface *s, struct sj_plan *p, uint32_t l)
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
static void close_place(struct sj_surface *s, struct sj_plan *p, uint32_t k)
{
	struct sj_pnode *pn = &p->nodes.items[k];
	if (pn->why != SJ_WHY_SHOWN)
		return;
	const struct sj_def *d = pn->def;
	drop_watches(s, pn);
	const struct sj_dedge *e = sj_def_edges(d);
	bool kids = d->nedges == 1 || pn->kids.v;
	for (uint32_t i = 0; kids && d->flags & SJ_DF_TEMPLATE && i < d->nedges; i++) {
		uint32_t l = sj_pnode_kids(pn, d->nedges)[i];
		if (e[i].addr != SJ_NONE && l != SJ_NONE)
			drop_list(s, p, l);
	}
	if (d->nedges > 1)
		sj_mem_free(s->mem, pn->kids.v, d->nedges * sizeof *pn->kids.v);
	pn->kids.v = NULL;
	pn->why = SJ_WHY_PENDING;
}

static void free_place(struct sj_surface *s, struct sj_plan *p, uint32_t k)
{
	close_place(s, p, k);
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
			free_place(s, p, k);
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

/* ---- reconciling --------------------------------------------------------------------------------------------------------------- */

static enum sj_status note_gone_all(struct sj_surface *s, uint32_t plan, uint32_t k)
{
	struct sj_giter it;
	uint32_t gid;
	enum sj_status st = SJ_OK;
	for (sj_giter_begin(&it, s, plan, 0, NULL); st == SJ_OK && sj_giter_next(&it, &gid);) {
		struct sj_group *g = sj_group_at(s, gid);
		if (k < g->ninsts && g->insts[k].gen && !sj_group_is_new(s, g, k))
			st = sj_note_gone(s, g, k);
	}
	return st;
}

/* A child and all below it go, in the plan and in its groups. */
static enum sj_status kill_tree(struct sj_surface *s, struct sj_plan *p, uint32_t top)
{
	enum sj_status st = note_gone_all(s, p->id, top);
	s->kill.count = 0;
	if (st == SJ_OK)
		st = SJ_ROOM(s->mem, &s->kill, 1, 0);
	if (st != SJ_OK)
		return st;
	s->kill.items[s->kill.count++] = top;
	for (uint32_t i = 0; i < s->kill.count; i++) {
		struct sj_pnode *pn = &p->nodes.items[s->kill.items[i]];
		if (pn->why != SJ_WHY_SHOWN)
			continue;
		const struct sj_def *d = pn->def;
		const struct sj_dedge *e = sj_def_edges(d);
		st = SJ_ROOM(s->mem, &s->kill, s->kill.count + d->nedges, 0);
		if (st != SJ_OK)
			return st;
		for (uint32_t j = 0; j < d->nedges; j++) {
			uint32_t kid = sj_pnode_kids(pn, d->nedges)[j];
			if (e[j].addr == SJ_NONE && kid != SJ_NONE)
				s->kill.items[s->kill.count++] = kid;
		}
	}
	struct sj_giter it;
	uint32_t gid;
	for (sj_giter_begin(&it, s, p->id, 0, NULL); sj_giter_next(&it, &gid);)
		for (uint32_t i = 0; i < s->kill.count; i++)
			sj_group_clear_node(s, sj_group_at(s, gid), s->kill.items[i]);
	for (uint32_t i = s->kill.count; i-- && st == SJ_OK;) {
		uint32_t k = s->kill.items[i];
		const struct sj_pnode *pn = &p->nodes.items[k];
		if (pn->why == SJ_WHY_SHOWN)
			st = give_slots(s, p, pn->slot0, pn->def->nslots);
		if (st == SJ_OK)
			free_place(s, p, k);
	}
	return st;
}

/* The rows of a template edge that is no more. */
static enum sj_status kill_list(struct sj_surface *s, struct sj_plan *p, uint32_t l)
{
	struct sj_giter it;
	uint32_t gid;
	for (sj_giter_begin(&it, s, p->id, 0, NULL); sj_giter_next(&it, &gid);) {
		struct sj_group *g = sj_group_at(s, gid);
		if (l >= g->nlists)
			continue;
		bool announced = !sj_group_is_new(s, g, p->lists.items[l].k);
		for (uint32_t i = 0; announced && i < g->lists[l].count; i++) {
			struct sj_group *row = sj_group_at(s, g->lists[l].ids[i]);
			enum sj_status st = sj_group_is_new(s, row, 0) ? SJ_OK : sj_note_gone(s, row, 0);
			if (st != SJ_OK)
				return st;
		}
		sj_rows_clear(s, &g->lists[l]);
	}
	drop_list(s, p, l);
	return SJ_OK;
}

/* The component at a place is another one now: placeholder and real, or two types. The handle is new, the position stays. */
static enum sj_status replace(struct sj_surface *s, struct sj_plan *p, uint32_t k, enum sj_why why)
{
	enum sj_status st = note_gone_all(s, p->id, k);
	struct sj_giter it;
	uint32_t gid;
	const struct sj_def *old = p->nodes.items[k].why == SJ_WHY_SHOWN ? p->nodes.items[k].def : NULL;
	if (old) {
		const struct sj_dedge *e = sj_def_edges(old);
		for (uint32_t i = 0; i < old->nedges && st == SJ_OK; i++) {
			uint32_t *kid = &sj_pnode_kids(&p->nodes.items[k], old->nedges)[i];
			if (e[i].addr != SJ_NONE || *kid == SJ_NONE)
				continue;
			/* What is below goes without records: its top has one. */
			p->nodes.items[*kid].born = s->batch;
			st = kill_tree(s, p, *kid);
			sj_pnode_kids(&p->nodes.items[k], old->nedges)[i] = SJ_NONE;
		}
	}
	if (st != SJ_OK)
		return st;
	bool announced = p->nodes.items[k].born != s->batch;
	for (sj_giter_begin(&it, s, p->id, 0, NULL); sj_giter_next(&it, &gid);)
		sj_group_clear_node(s, sj_group_at(s, gid), k);
	if (old) {
		st = give_slots(s, p, p->nodes.items[k].slot0, old->nslots);
		close_place(s, p, k);
	}
	struct sj_pnode *pn = &p->nodes.items[k];
	pn->why = (uint8_t)(why == SJ_WHY_SHOWN ? SJ_WHY_PENDING : why);
	pn->born = s->batch;
	if (st == SJ_OK && why == SJ_WHY_SHOWN)
		st = open_place(s, p, k);
	for (sj_giter_begin(&it, s, p->id, 0, NULL); st == SJ_OK && sj_giter_next(&it, &gid);) {
		st = sj_group_fit(s, gid);
		if (st != SJ_OK)
			break;
		struct sj_group *g = sj_group_at(s, gid);
		sj_group_fresh_node(s, g, k);
		if (why > SJ_WHY_PENDING)
			st = report_placeholder(s, g, k);
		if (st != SJ_OK)
			break;
		if (pn->parent == SJ_NONE && p->depth == 0) {
			s->root_changed = true;
			st = sj_note_new(s, sj_handle(g, k));
			continue;
		}
		struct sj_group *pg = pn->parent == SJ_NONE ? sj_group_at(s, g->parent) : g;
		const struct sj_plist *l = pn->parent == SJ_NONE ? &sj_plan_at(s, p->parent)->lists.items[p->list] : NULL;
		uint32_t pk = l ? l->k : pn->parent;
		if (sj_group_is_new(s, pg, pk))
			continue;
		/* A row that no face has seen was announced as a row; only its handle is another one. */
		st = sj_note_new(s, sj_handle(g, k));
		if (st == SJ_OK && (g->born != s->batch || announced))
			st = sj_note_replaced(s, pg, pk, l ? sj_plan_drawn(s, pg, pk, l->edge) + g->row : sj_plan_drawn(s, g, pk, pn->edge));
	}
	return st;
}

static bool same_address(const struct sj_def *a, uint32_t ia, const struct sj_def *b, uint32_t ib)
{
	const struct sj_caddr *x = &SJ_AREA(a, a->area.addrs, struct sj_caddr)[ia], *y = &SJ_AREA(b, b->area.addrs, struct sj_caddr)[ib];
	if (x->root != y->root || x->relative != y->relative || x->up != y->up || x->count != y->count)
		return false;
	const struct sj_cseg *sx = SJ_AREA(a, a->area.segs, struct sj_cseg) + x->seg0, *sy = SJ_AREA(b, b->area.segs, struct sj_cseg) + y->seg0;
	for (uint32_t i = 0; i < x->count; i++)
		if (!sj_slice_eq(sj_def_text(a, sx[i].off, sx[i].len), sj_def_text(b, sy[i].off, sy[i].len)))
			return false;
	return true;
}

static bool same_edge(const struct sj_def *a, const struct sj_dedge *x, const struct sj_def *b, const struct sj_dedge *y)
{
	if (x->comp != y->comp || (x->addr == SJ_NONE) != (y->addr == SJ_NONE))
		return false;
	return x->addr == SJ_NONE || same_address(a, x->addr, b, y->addr);
}

/* Old kids under new edges: by component, in order, so that a child keeps its node when the list is reordered. O(edges). */
static enum sj_status match_kids(struct sj_surface *s, const struct sj_def *old, uint32_t *had, const struct sj_def *new, uint32_t *kids)
{
	const struct sj_dedge *eo = sj_def_edges(old), *en = sj_def_edges(new);
	uint32_t same = 0;
	while (same < old->nedges && same < new->nedges && same_edge(old, &eo[same], new, &en[same])) {
		kids[same] = had[same];
		had[same] = SJ_NONE;
		same++;
	}
	if (same == old->nedges || same == new->nedges)
		return SJ_OK;
	uint32_t n = old->nedges - same;
	uint32_t *next = sj_mem_alloc(s->mem, n * sizeof *next);
	if (!next)
		return SJ_NOMEM;
	for (uint32_t i = old->nedges; i-- > same;) {
		uint32_t *head = &sj_comp_at(s, eo[i].comp)->scratch; /* old edge + 1 */
		next[i - same] = *head;
		*head = i + 1;
	}
	for (uint32_t i = same; i < new->nedges; i++) {
		uint32_t *link = &sj_comp_at(s, en[i].comp)->scratch;
		while (*link && !same_edge(old, &eo[*link - 1], new, &en[i]))
			link = &next[*link - 1 - same];
		if (!*link)
			continue;
		uint32_t at = *link - 1;
		*link = next[at - same];
		kids[i] = had[at];
		had[at] = SJ_NONE;
	}
	for (uint32_t i = same; i < old->nedges; i++)
		sj_comp_at(s, eo[i].comp)->scratch = 0;
	sj_mem_free(s->mem, next, n * sizeof *next);
	return SJ_OK;
}

static uint32_t drawn_count(const struct sj_group *g, const struct sj_def *d, const uint32_t *kids, uint32_t from, uint32_t to)
{
	if (!(d->flags & SJ_DF_TEMPLATE))
		return to - from;
	const struct sj_dedge *e = sj_def_edges(d);
	uint32_t n = 0;
	for (uint32_t i = from; i < to; i++)
		n += e[i].addr == SJ_NONE ? 1 : kids[i] < g->nlists ? g->lists[kids[i]].count : 0;
	return n;
}

/* Numbers of places and of lists overlap. */
static bool same_kid(const struct sj_def *old, const uint32_t *was, uint32_t i, const struct sj_def *new, const uint32_t *kids, uint32_t j)
{
	return was[i] == kids[j] && (sj_def_edges(old)[i].addr == SJ_NONE) == (sj_def_edges(new)[j].addr == SJ_NONE);
}

struct carry { /* where a new slot's first value comes from, so that only a real difference is told */
	uint32_t slot; /* of the old definition, SJ_NONE */
	const struct sj_value *literal;
};

static const struct sj_dprop *prop_like(const struct sj_def *d, const struct sj_def *of, const struct sj_dprop *p, uint32_t hint)
{
	struct sj_slice name = sj_def_text(of, p->name, p->name_len);
	/* A far-away namesake in a huge definition may be missed: then a change is told that was none. */
	for (uint32_t i = 0; i < d->nprops && i < 64; i++) {
		const struct sj_dprop *q = &d->props[(i + hint) % d->nprops];
		if (q->cls == p->cls && q->ui == p->ui && sj_slice_eq(sj_def_text(d, q->name, q->name_len), name) &&
		    (p->cls != SJ_PC_CHECK || q - d->props == p - of->props))
			return q;
	}
	return NULL;
}

/* Meanings whose literal differs between two definitions of one component. */
static uint64_t literal_mask(const struct sj_def *old, const struct sj_def *new)
{
	uint64_t mask = 0;
	for (uint32_t i = 0; i < new->nprops; i++) {
		const struct sj_dprop *p = &new->props[i], *q = prop_like(old, new, p, i);
		bool differs = q ? !p->nins && !q->nins && !sj_value_equal(&p->literal, &q->literal) : !p->nins;
		if (p->nins && q && q->nins && !sj_value_equal(&p->literal, &q->literal))
			differs = true; /* a rule's message */
		if (differs)
			mask |= (uint64_t)1 << p->ui;
	}
	for (uint32_t i = 0; i < old->nprops; i++)
		if (!prop_like(new, old, &old->props[i], i))
			mask |= (uint64_t)1 << old->props[i].ui;
	return mask;
}

static enum sj_status carry_slots(struct sj_surface *s, struct sj_group *g, uint32_t k, const struct sj_def *old, uint32_t slot0,
                                  const struct sj_def *new, const struct carry *from, uint64_t *mask)
{
	struct sj_slot few[16], *was = few;
	if (old->nslots > 16) {
		was = sj_mem_alloc(s->mem, old->nslots * sizeof *was);
		if (!was)
			return SJ_NOMEM;
	}
	struct sj_pnode *pn = &sj_plan_at(s, g->plan)->nodes.items[k];
	if (old->nslots) {
		memcpy(was, &g->slots[slot0], old->nslots * sizeof *was);
		memset(&g->slots[slot0], 0, old->nslots * sizeof *was);
	}
	for (uint32_t i = 0; i < new->nslots; i++) {
		struct sj_slot *slot = &g->slots[pn->slot0 + i];
		if (from[i].slot != SJ_NONE) {
			*slot = was[from[i].slot];
			was[from[i].slot] = (struct sj_slot){.v = SJ_ABSENT_VALUE};
			if (slot->flags & SJ_SF_PENDING && slot0 + from[i].slot != pn->slot0 + i) {
				sj_pending_forget(s, g->id, slot0 + from[i].slot);
				slot->flags &= (uint8_t)~SJ_SF_PENDING;
			}
		} else {
			struct sj_value v = from[i].literal ? sj_value_ref(*from[i].literal) : SJ_ABSENT_VALUE;
			*slot = (struct sj_slot){.v = v, .result = v.type == SJ_V_ABSENT ? SJ_R_ABSENT : SJ_R_OK};
		}
		slot->flags |= SJ_SF_DIRTY;
	}
	for (uint32_t i = 0; i < old->nprops; i++) {
		const struct sj_dprop *p = &old->props[i];
		if (!p->nins)
			continue;
		struct sj_slot *slot = &was[p->slot];
		const struct sj_dprop *q = prop_like(new, old, p, i);
		if (q && !q->nins && (slot->flags & (SJ_SF_MODEL | SJ_SF_LENT) || !sj_value_equal(&slot->v, &q->literal)))
			*mask |= (uint64_t)1 << p->ui;
		if (slot->flags & SJ_SF_PENDING)
			sj_pending_forget(s, g->id, slot0 + p->slot);
		sj_slot_clear(s, slot);
	}
	if (was != few)
		sj_mem_free(s->mem, was, old->nslots * sizeof *was);
	return SJ_OK;
}

static void plan_carry(const struct sj_def *old, const struct sj_def *new, struct carry *from)
{
	for (uint32_t i = 0; i < new->nprops; i++) {
		const struct sj_dprop *p = &new->props[i];
		if (!p->nins)
			continue;
		const struct sj_dprop *q = prop_like(old, new, p, i);
		from[p->slot] = (struct carry){.slot = q && q->nins ? q->slot : SJ_NONE, .literal = q && !q->nins ? &q->literal : NULL};
	}
}

/* The same component with other properties or children: the node stays. */
static enum sj_status update(struct sj_surface *s, struct sj_plan *p, uint32_t k, const struct sj_def *old, const struct sj_def *new,
                             const struct carry *from, uint64_t mask)
{
	struct sj_giter it;
	uint32_t gid, one = SJ_NONE, *kids = &one;
	enum sj_status st = SJ_OK;
	if (new->nedges > 1 && !(kids = new_kids(s, new->nedges)))
		return SJ_NOMEM;
	/* `had` keeps what no new edge took over. */
	uint32_t had_one = SJ_NONE, *had = &had_one, *was = sj_pnode_kids(&p->nodes.items[k], old->nedges);
	if (old->nedges > 1 && !(had = sj_mem_alloc(s->mem, old->nedges * sizeof *had)))
		st = SJ_NOMEM;
	if (st == SJ_OK && old->nedges) {
		memcpy(had, was, old->nedges * sizeof *had);
		st = match_kids(s, old, had, new, kids);
	}
	if (st != SJ_OK)
		goto failed;
	uint32_t lo = 0, end_old = old->nedges, end_new = new->nedges;
	while (lo < end_old && lo < end_new && same_kid(old, was, lo, new, kids, lo))
		lo++;
	while (end_old > lo && end_new > lo && same_kid(old, was, end_old - 1, new, kids, end_new - 1))
		end_old--, end_new--;
	for (sj_giter_begin(&it, s, p->id, 0, NULL); st == SJ_OK && (end_old > lo || end_new > lo) && sj_giter_next(&it, &gid);) {
		struct sj_group *g = sj_group_at(s, gid);
		if (!sj_group_is_new(s, g, k))
			st = sj_note_splice(s, g, k, drawn_count(g, old, was, 0, lo), drawn_count(g, old, was, lo, end_old),
			                    drawn_count(g, new, kids, lo, end_new));
	}
	for (uint32_t i = 0; i < old->nedges && st == SJ_OK; i++) {
		if (had[i] == SJ_NONE)
			continue;
		st = sj_def_edges(old)[i].addr == SJ_NONE ? kill_tree(s, p, had[i]) : kill_list(s, p, had[i]);
		sj_pnode_kids(&p->nodes.items[k], old->nedges)[i] = SJ_NONE; /* whatever happens next must not see it */
	}
	if (st != SJ_OK)
		goto failed;
	/* From here on the place is the new definition's. */
	struct sj_pnode *pn = &p->nodes.items[k];
	if (old->nedges > 1)
		sj_mem_free(s->mem, pn->kids.v, old->nedges * sizeof *pn->kids.v);
	pn->def = new;
	pn->kids.v = NULL;
	if (new->nedges > 1)
		pn->kids.v = kids;
	else
		pn->kids.one = one;
	if (had != &had_one)
		sj_mem_free(s->mem, had, old->nedges * sizeof *had);
	bool missing = false;
	kids = sj_pnode_kids(pn, new->nedges);
	for (uint32_t i = 0; i < new->nedges && st == SJ_OK; i++) {
		bool list = sj_def_edges(new)[i].addr != SJ_NONE;
		if (kids[i] == SJ_NONE && list)
			st = new_list(s, p, k, i, &kids[i]);
		else if (kids[i] == SJ_NONE)
			missing = true;
		else if (list)
			p->lists.items[kids[i]].edge = i;
		else
			p->nodes.items[kids[i]].edge = i;
	}
	uint32_t slot0 = pn->slot0;
	if (st == SJ_OK && new->nslots != old->nslots) {
		st = take_slots(s, p, new->nslots, &pn->slot0);
		if (st == SJ_OK)
			st = give_slots(s, p, slot0, old->nslots);
	}
	drop_watches(s, pn);
	if (st == SJ_OK && !watch_all(s, p, k, new))
		st = SJ_NOMEM;
	if (st == SJ_OK && missing)
		st = push_pair(s, false, p->id, k);
	for (sj_giter_begin(&it, s, p->id, 0, NULL); st == SJ_OK && sj_giter_next(&it, &gid);) {
		st = sj_group_fit(s, gid);
		if (st != SJ_OK)
			break;
		struct sj_group *g = sj_group_at(s, gid);
		uint64_t more = 0;
		st = carry_slots(s, g, k, old, slot0, new, from, &more);
		for (uint32_t i = 0; new->flags & SJ_DF_TEMPLATE && i < new->nedges; i++) {
			if (sj_def_edges(new)[i].addr == SJ_NONE)
				continue;
			if (!g->lists[kids[i]].hi)
				g->lists[kids[i]].hi = 50;
			sj_group_mark_list(s, g, kids[i]);
		}
		sj_group_mark(s, g, k);
		if (st == SJ_OK && more)
			st = sj_note_mask(s, pn->comp, more);
		if (st == SJ_OK && (mask || more))
			st = sj_note_changed(s, g, k, SJ_IF_DEF);
	}
	return st;
failed:
	if (kids != &one)
		sj_mem_free(s->mem, kids, new->nedges * sizeof *kids);
	if (had && had != &had_one)
		sj_mem_free(s->mem, had, old->nedges * sizeof *had);
	return st;
}

static enum sj_status keep_action_list(struct sj_surface *s, uint32_t ref, const struct sj_def *now)
{
	struct sj_comp *c = sj_comp_at(s, ref);
	bool has = now && now->flags & SJ_DF_ACTION;
	if (has == (c->action_at != SJ_NONE))
		return SJ_OK;
	if (has) {
		enum sj_status st = SJ_ROOM(s->mem, &s->actions, s->actions.count + 1, 0);
		if (st != SJ_OK)
			return st;
		c->action_at = s->actions.count;
		s->actions.items[s->actions.count++] = ref;
		return SJ_OK;
	}
	uint32_t last = s->actions.items[--s->actions.count];
	s->actions.items[c->action_at] = last;
	sj_comp_at(s, last)->action_at = c->action_at;
	c->action_at = SJ_NONE;
	return SJ_OK;
}

/* Nodes below a component always stand before it among its uses (they were made later), so when a use is torn down every use of the
 * same entry below it has the new definition already. */
enum sj_status sj_plan_reconcile(struct sj_surface *s, uint32_t ref)
{
	struct sj_comp *c = sj_comp_at(s, ref);
	struct sj_def *old = c->built, *new = c->def;
	if (old == new)
		return SJ_OK;
	enum sj_status st = keep_action_list(s, ref, new);
	if (st != SJ_OK)
		return st;
	bool same = old && new && old->kind == new->kind && sj_slice_eq(sj_def_text(old, 0, old->type_len), sj_def_text(new, 0, new->type_len));
	uint64_t mask = 0;
	struct carry few[16], *from = few;
	if (same && c->first_use != SJ_NO_USE) {
		if (new->nslots > 16 && !(from = sj_mem_alloc(s->mem, new->nslots * sizeof *from)))
			return SJ_NOMEM;
		mask = literal_mask(old, new);
		plan_carry(old, new, from);
		if (mask)
			st = sj_note_mask(s, ref, mask);
	}
	if (new)
		sj_def_ref(new);
	c->built = new;
	for (uint64_t use = c->first_use; use != SJ_NO_USE && st == SJ_OK; use = s->use_cursor) {
		struct sj_plan *p = sj_plan_at(s, (uint32_t)(use >> 32));
		uint32_t k = (uint32_t)use;
		s->use_cursor = p->nodes.items[k].next_use;
		enum sj_why was = (enum sj_why)p->nodes.items[k].why, why = judge(s, p, &p->nodes.items[k], new);
		if (was == SJ_WHY_OVER_LIMIT && why == SJ_WHY_SHOWN && s->node_count >= s->limits->nodes)
			why = SJ_WHY_OVER_LIMIT;
		if (was == SJ_WHY_SHOWN && why == SJ_WHY_SHOWN && same)
			st = update(s, p, k, old, new, from, mask);
		else if (was != why || (was == SJ_WHY_SHOWN && !same))
			st = replace(s, p, k, why);
	}
	s->use_cursor = SJ_NO_USE;
	if (from != few)
		sj_mem_free(s->mem, from, new->nslots * sizeof *from);
	/* On failure the tree is torn down next, by the definition each place was left with; `old` stays until then. */
	if (st != SJ_OK)
		s->torn = old;
	else
		sj_def_drop(s, old);
	sj_comp_release(s, ref);
	return st;
}
