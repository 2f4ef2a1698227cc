/* Reconciling: when a definition changes, the places that show its component are edited or replaced, nothing else is
 * looked at. */
#include "surface/plan.h"

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
			st = sj_slots_give(s, p, pn->slot0, pn->def->nslots);
		if (st == SJ_OK)
			sj_place_free(s, p, k);
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
	sj_plist_drop(s, p, l);
	return SJ_OK;
}

/* The component at a place is another one now: placeholder and real, or two types. The handle is new, the position
 * stays. */
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
		st = sj_slots_give(s, p, p->nodes.items[k].slot0, old->nslots);
		sj_place_close(s, p, k);
	}
	struct sj_pnode *pn = &p->nodes.items[k];
	pn->why = (uint8_t)(why == SJ_WHY_SHOWN ? SJ_WHY_PENDING : why);
	pn->born = s->batch;
	if (st == SJ_OK && why == SJ_WHY_SHOWN)
		st = sj_place_open(s, p, k);
	for (sj_giter_begin(&it, s, p->id, 0, NULL); st == SJ_OK && sj_giter_next(&it, &gid);) {
		st = sj_group_fit(s, gid);
		if (st != SJ_OK)
			break;
		struct sj_group *g = sj_group_at(s, gid);
		sj_group_fresh_node(s, g, k);
		if (why > SJ_WHY_PENDING)
			st = sj_place_report(s, g, k);
		if (st != SJ_OK)
			break;
		if (pn->parent == SJ_NONE && p->depth == 0) {
			s->root_changed = true;
			st = sj_note_new(s, sj_handle(g, k));
			continue;
		}
		struct sj_group *pg = pn->parent == SJ_NONE ? sj_group_at(s, g->parent) : g;
		const struct sj_plist *l =
			pn->parent == SJ_NONE ? &sj_plan_at(s, p->parent)->lists.items[p->list] : NULL;
		uint32_t pk = l ? l->k : pn->parent;
		if (sj_group_is_new(s, pg, pk))
			continue;
		/* A row that no face has seen was announced as a row; only its handle is another one. */
		st = sj_note_new(s, sj_handle(g, k));
		if (st == SJ_OK && (g->born != s->batch || announced))
			st = sj_note_replaced(s, pg, pk,
			                      l ? sj_plan_drawn(s, pg, pk, l->edge) + g->row
			                        : sj_plan_drawn(s, g, pk, pn->edge));
	}
	return st;
}

static bool same_address(const struct sj_def *a, uint32_t ia, const struct sj_def *b, uint32_t ib)
{
	const struct sj_caddr *x = &SJ_AREA(a, a->area.addrs, struct sj_caddr)[ia],
			      *y = &SJ_AREA(b, b->area.addrs, struct sj_caddr)[ib];
	if (x->root != y->root || x->relative != y->relative || x->up != y->up || x->count != y->count)
		return false;
	const struct sj_cseg *sx = SJ_AREA(a, a->area.segs, struct sj_cseg) + x->seg0,
			     *sy = SJ_AREA(b, b->area.segs, struct sj_cseg) + y->seg0;
	for (uint32_t i = 0; i < x->count; i++)
		if (!sj_slice_eq(sj_def_text(a, sx[i].off, sx[i].len), sj_def_text(b, sy[i].off, sy[i].len)))
			return false;
	return true;
}

static bool same_edge(const struct sj_def *a, const struct sj_dedge *x, const struct sj_def *b,
                      const struct sj_dedge *y)
{
	if (x->comp != y->comp || (x->addr == SJ_NONE) != (y->addr == SJ_NONE))
		return false;
	return x->addr == SJ_NONE || same_address(a, x->addr, b, y->addr);
}

/* Old kids under new edges: by component, in order, so that a child keeps its node when the list is reordered.
 * O(edges). */
static enum sj_status match_kids(struct sj_surface *s, const struct sj_def *old, uint32_t *had,
                                 const struct sj_def *new, uint32_t *kids)
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

static uint32_t drawn_count(const struct sj_group *g, const struct sj_def *d, const uint32_t *kids, uint32_t from,
                            uint32_t to)
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
static bool same_kid(const struct sj_def *old, const uint32_t *was, uint32_t i, const struct sj_def *new,
                     const uint32_t *kids, uint32_t j)
{
	return was[i] == kids[j] && (sj_def_edges(old)[i].addr == SJ_NONE) == (sj_def_edges(new)[j].addr == SJ_NONE);
}

struct carry { /* where a new slot's first value comes from, so that only a real difference is told */
	uint32_t slot; /* of the old definition, SJ_NONE */
	const struct sj_value *literal;
};

static const struct sj_dprop *prop_like(const struct sj_def *d, const struct sj_def *of, const struct sj_dprop *p,
                                        uint32_t hint)
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

static bool grew(const struct sj_value *was, const struct sj_value *is)
{
	if (!sj_value_is_string(was) || !sj_value_is_string(is))
		return false;
	struct sj_slice a = sj_value_text(was), b = sj_value_text(is);
	return a.len && b.len > a.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

/* Meanings whose literal differs between two definitions of one component. A text that only grew is told apart: *grown
 * is its property in the new definition, *from its old length. */
static uint64_t literal_mask(const struct sj_def *old, const struct sj_def *new, uint32_t *grown, uint32_t *from)
{
	uint64_t mask = 0;
	*grown = SJ_NONE;
	for (uint32_t i = 0; i < new->nprops; i++) {
		const struct sj_dprop *p = &new->props[i], *q = prop_like(old, new, p, i);
		bool differs = q ? !p->nins && !q->nins && !sj_value_equal(&p->literal, &q->literal) : !p->nins;
		if (p->nins && q && q->nins && !sj_value_equal(&p->literal, &q->literal))
			differs = true; /* a rule's message */
		if (differs && q && *grown == SJ_NONE && grew(&q->literal, &p->literal)) {
			*grown = i;
			*from = (uint32_t)sj_value_text(&q->literal).len;
			continue;
		}
		if (differs)
			mask |= (uint64_t)1 << p->ui;
	}
	for (uint32_t i = 0; i < old->nprops; i++)
		if (!prop_like(new, old, &old->props[i], i))
			mask |= (uint64_t)1 << old->props[i].ui;
	return mask;
}

static enum sj_status carry_slots(struct sj_surface *s, struct sj_group *g, uint32_t k, const struct sj_def *old,
                                  uint32_t slot0, const struct sj_def *new, const struct carry *from, uint64_t *mask)
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
		if (q && !q->nins &&
		    (slot->flags & (SJ_SF_MODEL | SJ_SF_LENT) || !sj_value_equal(&slot->v, &q->literal)))
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
		from[p->slot] = (struct carry){.slot = q && q->nins ? q->slot : SJ_NONE,
		                               .literal = q && !q->nins ? &q->literal : NULL};
	}
}

/* The same component with other properties or children: the node stays. */
static enum sj_status update(struct sj_surface *s, struct sj_plan *p, uint32_t k, const struct sj_def *old,
                             const struct sj_def *new, const struct carry *from, uint64_t mask)
{
	struct sj_giter it;
	uint32_t gid, one = SJ_NONE, *kids = &one;
	enum sj_status st = SJ_OK;
	if (new->nedges > 1 && !(kids = sj_kids_new(s, new->nedges)))
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
	for (sj_giter_begin(&it, s, p->id, 0, NULL);
	     st == SJ_OK && (end_old > lo || end_new > lo) && sj_giter_next(&it, &gid);) {
		struct sj_group *g = sj_group_at(s, gid);
		if (!sj_group_is_new(s, g, k))
			st = sj_note_splice(s, g, k, drawn_count(g, old, was, 0, lo),
			                    drawn_count(g, old, was, lo, end_old),
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
	p->eager = p->eager - sj_def_is_eager(old) + sj_def_is_eager(new);
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
			st = sj_plist_new(s, p, k, i, &kids[i]);
		else if (kids[i] == SJ_NONE)
			missing = true;
		else if (list)
			p->lists.items[kids[i]].edge = i;
		else
			p->nodes.items[kids[i]].edge = i;
	}
	uint32_t slot0 = pn->slot0;
	if (st == SJ_OK && new->nslots != old->nslots) {
		st = sj_slots_take(s, p, new->nslots, &pn->slot0);
		if (st == SJ_OK)
			st = sj_slots_give(s, p, slot0, old->nslots);
	}
	sj_place_unwatch(s, pn);
	if (st == SJ_OK && !sj_place_watch(s, p, k, new))
		st = SJ_NOMEM;
	if (st == SJ_OK && missing)
		st = sj_place_push(s, false, p->id, k);
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

/* Nodes below a component always stand before it among its uses (they were made later), so when a use is torn down
 * every use of the same entry below it has the new definition already. */
enum sj_status sj_plan_reconcile(struct sj_surface *s, uint32_t ref)
{
	struct sj_comp *c = sj_comp_at(s, ref);
	struct sj_def *old = c->built, *new = c->def;
	if (old == new)
		return SJ_OK;
	enum sj_status st = keep_action_list(s, ref, new);
	if (st != SJ_OK)
		return st;
	bool same = old && new && old->kind == new->kind && old->realm == new->realm &&
	            sj_slice_eq(sj_def_text(old, 0, old->type_len),
	                                                 sj_def_text(new, 0, new->type_len));
	uint64_t mask = 0;
	struct carry few[16], *from = few;
	if (same && c->first_use != SJ_NO_USE) {
		if (new->nslots > 16 && !(from = sj_mem_alloc(s->mem, new->nslots * sizeof *from)))
			return SJ_NOMEM;
		uint32_t grown, length = 0;
		mask = literal_mask(old, new, &grown, &length);
		plan_carry(old, new, from);
		if (mask)
			st = sj_note_mask(s, ref, mask);
		if (st == SJ_OK && grown != SJ_NONE) {
			st = sj_note_grown(s, ref, (enum sj_ui_prop)new->props[grown].ui, length);
			mask |= (uint64_t)1 << new->props[grown].ui;
		}
	}
	if (new)
		sj_def_ref(new);
	c->built = new;
	for (uint64_t use = c->first_use; use != SJ_NO_USE && st == SJ_OK; use = s->use_cursor) {
		struct sj_plan *p = sj_plan_at(s, (uint32_t)(use >> 32));
		uint32_t k = (uint32_t)use;
		s->use_cursor = p->nodes.items[k].next_use;
		enum sj_why was = (enum sj_why)p->nodes.items[k].why,
			    why = sj_place_judge(s, p, &p->nodes.items[k], new);
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
