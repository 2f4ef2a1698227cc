/* Bringing nodes up to date: structure, values, aggregates, language. */
#include "surface/internal.h"

bool sj_has_work(const struct sj_surface *s)
{
	return s->first_changed || s->root_dirty || s->tree_lost || s->gate_dirty || s->dirty_groups != SJ_NONE ||
	       s->dirty_lists != SJ_NONE || s->placeholders.count || s->marked_publics ||
	       (s->owes_settled && !s->txn_open);
}

bool sj_surface_is_dirty(const struct sj_surface *s)
{
	return sj_has_work(s) || s->changed.count || s->news.count || s->gones.count || s->splices.count ||
	       s->root_changed || s->focus.moved;
}

/* ---- structure --------------------------------------------------------------------------------------------------- */

static enum sj_status reconcile_all(struct sj_surface *s)
{
	while (s->first_changed) {
		uint32_t ref = s->first_changed;
		enum sj_status st = sj_plan_reconcile(s, ref);
		struct sj_comp *c = sj_comp_at(s, ref);
		if (st != SJ_OK && c->built != c->def)
			return st; /* stays marked */
		s->first_changed = c->next_changed;
		if (!s->first_changed)
			s->last_changed = 0;
		c->flags &= ~SJ_CF_CHANGED;
		sj_comp_release(s, ref);
		if (st != SJ_OK)
			return st;
	}
	return SJ_OK;
}

static enum sj_status fit_rows(struct sj_surface *s)
{
	while (s->dirty_lists != SJ_NONE) {
		struct sj_group *g = sj_group_at(s, s->dirty_lists);
		uint32_t l = g->first_list;
		if (l == SJ_NONE) {
			sj_group_unmark_lists(s, g);
			continue;
		}
		g->first_list = g->lists[l].next_dirty;
		g->lists[l].dirty = false;
		enum sj_status st = sj_group_rows(s, g->id, l);
		if (st != SJ_OK)
			return st;
	}
	return SJ_OK;
}

static enum sj_status structure(struct sj_surface *s)
{
	if (!s->first_changed && !s->root_dirty && !s->tree_lost && s->dirty_lists == SJ_NONE)
		return SJ_OK;
	s->woken.v = NULL; /* slots may move, definitions go */
	s->read.segs = NULL;
	const struct sj_comp *root = sj_comp_at(s, s->root_comp);
	if (s->root_plan != SJ_NONE && (s->root_dirty || s->tree_lost || !root->def))
		sj_plan_lose(s);
	s->root_dirty = s->tree_lost = false;
	enum sj_status st = reconcile_all(s);
	if (st == SJ_OK)
		st = sj_plan_grow(s);
	if (st == SJ_OK && s->root_plan == SJ_NONE && sj_comp_at(s, s->root_comp)->def)
		st = sj_plan_root(s);
	if (st == SJ_OK)
		st = fit_rows(s);
	s->kill.count = 0;
	if (st == SJ_OK && s->holey)
		sj_plan_close_gaps(s);
	if (st == SJ_OK)
		return st;
	/* Half-edited structure is worse than none: the next settle builds it again. */
	sj_plan_lose(s);
	s->placeholders.count = 0;
	s->tree_lost = true;
	if (s->torn)
		sj_def_drop(s, s->torn);
	s->torn = NULL;
	return SJ_NOMEM;
}

static void report_placeholders(struct sj_surface *s)
{
	for (uint32_t i = 0; i < s->placeholders.count; i++) {
		uint32_t k;
		sj_node_id n = s->placeholders.items[i];
		const struct sj_group *g = sj_node_group(s, n, &k);
		if (!g || !s->driver->fault)
			continue;
		struct sj_diag d;
		sj_diag_clear(&d);
		struct sj_slice id = sj_node_component_id(s, n), type = sj_node_type(s, n);
		switch (sj_node_why(s, n)) {
		case SJ_WHY_CYCLIC:
			sj_diag_set(&d, SJ_INVALID, SJ_E_CYCLIC_REFERENCE, SJ_CAT_INTEGRITY,
			            "Component '%.*s' is inside itself.", SJ_ARG(id));
			break;
		case SJ_WHY_UNKNOWN_TYPE:
			sj_diag_set(&d, SJ_INVALID, SJ_E_UNKNOWN_COMPONENT_TYPE, SJ_CAT_CATALOG,
			            "Component '%.*s' is of the unknown type '%.*s'.", SJ_ARG(id), SJ_ARG(type));
			break;
		case SJ_WHY_OVER_LIMIT:
			sj_diag_set(&d, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_VALIDATION,
			            "There is more of component '%.*s' than the limit allows.", SJ_ARG(id));
			break;
		case SJ_WHY_SHOWN:
		case SJ_WHY_PENDING:
		case SJ_WHY_HIDDEN:
			continue;
		}
		s->driver->fault(s->ctx, s, n, &d);
	}
	SJ_VEC_FREE(s->mem, &s->placeholders);
}

/* ---- values and aggregates --------------------------------------------------------------------------------------- */

static bool fails(const struct sj_surface *s, const struct sj_group *g, const struct sj_pnode *pn)
{
	const struct sj_def *d = pn->def;
	for (uint32_t i = 0; d->flags & SJ_DF_CHECK && i < d->nprops; i++) {
		if (d->props[i].cls != SJ_PC_CHECK || !d->props[i].nins)
			continue;
		const struct sj_slot *slot = &g->slots[pn->slot0 + d->props[i].slot];
		struct sj_check_outcome o = {.valid = true};
		s->driver->check((enum sj_result)slot->result, &slot->v, &o);
		if (!o.valid && o.severity == SJ_SEV_ERROR)
			return true;
	}
	return false;
}

static bool hides(const struct sj_group *g, const struct sj_pnode *pn)
{
	const struct sj_def *d = pn->def;
	for (uint32_t i = 0; d->flags & SJ_DF_VISIBLE && i < d->nprops; i++)
		if (d->props[i].cls == SJ_PC_VISIBLE && d->props[i].nins &&
		    g->slots[pn->slot0 + d->props[i].slot].v.type == SJ_V_FALSE)
			return true;
	return false;
}

/* `eager`: only what is observable while nobody looks: checks. */
static enum sj_status value_node(struct sj_surface *s, uint32_t gid, uint32_t k, bool eager)
{
	struct sj_group *g = sj_group_at(s, gid);
	const struct sj_pnode *pn = &sj_plan_at(s, g->plan)->nodes.items[k];
	if (!g->insts[k].gen || pn->why != SJ_WHY_SHOWN)
		return SJ_OK;
	const struct sj_def *d = pn->def;
	if (!d->nslots && !(g->insts[k].flags & (SJ_IF_INVALID | SJ_IF_HIDDEN)))
		return SJ_OK;
	enum sj_status st =
		s->changed.count < s->changed.cap ? SJ_OK : SJ_ROOM(s->mem, &s->changed, s->changed.count + 1, 0);
	bool set = false, checked = false;
	unsigned note = 0;
	for (uint32_t i = 0; i < d->nprops && st == SJ_OK; i++) {
		const struct sj_dprop *p = &d->props[i];
		if (!p->nins || !(g->slots[pn->slot0 + p->slot].flags & SJ_SF_DIRTY))
			continue;
		if (eager && p->cls != SJ_PC_CHECK && p->cls != SJ_PC_VISIBLE)
			continue;
		bool changed = false;
		st = sj_eval_slot(s, gid, k, i, true, &changed);
		checked |= p->cls == SJ_PC_CHECK;
		if (!changed)
			continue;
		if (p->cls == SJ_PC_CHECK)
			note |= SJ_IF_FLAGS;
		else if (p->cls != SJ_PC_VISIBLE)
			set = true;
		if (s->edit.open && p->ui == s->edit.prop && sj_handle(g, k) == s->edit.node)
			sj_edit_saw(s);
	}
	struct sj_inst *in = &g->insts[k];
	if (!((d->flags & (SJ_DF_CHECK | SJ_DF_VISIBLE)) || in->flags & (SJ_IF_INVALID | SJ_IF_HIDDEN))) {
		if (!set)
			return st;
		enum sj_status noted = sj_note_changed(s, g, k, SJ_IF_SET);
		return st == SJ_OK ? noted : st;
	}
	if (checked || (in->flags & SJ_IF_INVALID && !(d->flags & SJ_DF_CHECK))) {
		bool bad = fails(s, g, pn);
		if (bad != !!(in->flags & SJ_IF_INVALID)) {
			in->flags ^= SJ_IF_INVALID;
			s->invalid_count += bad ? 1u : UINT32_MAX;
			note |= SJ_IF_FLAGS;
		}
	}
	if (hides(g, pn) != !!(in->flags & SJ_IF_HIDDEN)) {
		in->flags ^= SJ_IF_HIDDEN;
		note |= SJ_IF_FLAGS;
	}
	if (set)
		note |= SJ_IF_SET;
	if (note) {
		enum sj_status noted = sj_note_changed(s, g, k, note);
		if (st == SJ_OK)
			st = noted;
	}
	return st;
}

static enum sj_status values(struct sj_surface *s)
{
	while (s->dirty_groups != SJ_NONE) {
		struct sj_group *g = sj_group_at(s, s->dirty_groups);
		const struct sj_plan *p = sj_plan_at(s, g->plan);
		bool eager = s->lazy && g->parent != SJ_NONE && !sj_group_in_window(s, g);
		bool nothing = eager && !p->eager; /* stays stale */
		for (uint32_t k = 0; g->flags & SJ_GF_ALL && !nothing && k < p->nodes.count; k++) {
			enum sj_status st = value_node(s, g->id, k, eager);
			if (st != SJ_OK)
				return st;
		}
		while (g->first_dirty != SJ_NONE) {
			uint32_t k = g->first_dirty;
			enum sj_status st = nothing ? SJ_OK : value_node(s, g->id, k, eager);
			if (st != SJ_OK)
				return st;
			g->first_dirty = g->insts[k].next_dirty;
			g->insts[k].flags &= (uint16_t)~SJ_IF_DIRTY;
		}
		sj_group_unmark(s, g);
	}
	return SJ_OK;
}

/* With a gate for the whole surface every action closes while anything is invalid. */
static enum sj_status gate(struct sj_surface *s)
{
	bool closed = s->gate && s->invalid_count;
	s->gate_dirty = false;
	if (closed == s->gate_closed)
		return SJ_OK;
	for (uint32_t i = 0; i < s->actions.count; i++)
		for (uint64_t use = sj_comp_at(s, s->actions.items[i])->first_use; use != SJ_NO_USE;) {
			uint32_t plan = (uint32_t)(use >> 32), k = (uint32_t)use, gid;
			struct sj_giter it;
			for (sj_giter_begin(&it, s, plan, 0, NULL); sj_giter_next(&it, &gid);)
				if (sj_note_changed(s, sj_group_at(s, gid), k, SJ_IF_FLAGS) != SJ_OK) {
					s->gate_dirty = true;
					return SJ_NOMEM;
				}
			use = sj_plan_at(s, plan)->nodes.items[k].next_use;
		}
	s->gate_closed = closed;
	return SJ_OK;
}

/* ---- the passes -------------------------------------------------------------------------------------------------- */

static void call_watches(struct sj_surface *s)
{
	/* A callback may remove watches, add some, or write: each marked one is called once. */
	for (uint32_t i = 0; s->marked_publics && i < s->publics.count; i++) {
		struct sj_public_watch *p = &s->publics.items[i];
		if (!p->fn || !p->marked)
			continue;
		p->marked = false;
		s->marked_publics--;
		p->fn(p->ctx, i + 1);
	}
}

/* A small vector that stopped growing gives its slack back; a refusal leaves it as it is. */
#define TRIM(v)                                                                                                        \
	do {                                                                                                           \
		if ((v)->cap > (v)->count && (v)->cap <= 64 && (v)->count)                                             \
			trim(s->mem, (void **)&(v)->items, &(v)->cap, sizeof *(v)->items, (v)->count);                 \
	} while (0)
static void trim(struct sj_mem *m, void **items, uint32_t *cap, size_t item, uint32_t count)
{
	void *moved = sj_mem_resize(m, *items, *cap * item, count * item);
	if (moved) {
		*items = moved;
		*cap = count;
	}
}

/* Big scratch is given back: a surface at rest is small. */
static void slim(struct sj_surface *s, bool grew)
{
	if (grew && !s->txn_open) { /* what an abort puts back must find its room */
		TRIM(&s->keys.v);
		TRIM(&s->comps);
		TRIM(&s->order);
		TRIM(&s->trie);
		TRIM(&s->watches);
		TRIM(&s->plans);
		TRIM(&s->groups);
		if (s->root_plan != SJ_NONE)
			TRIM(&sj_plan_at(s, s->root_plan)->nodes);
	}
	if (s->work.cap > 4)
		SJ_VEC_FREE(s->mem, &s->work);
	if (s->fresh.cap > 4)
		SJ_VEC_FREE(s->mem, &s->fresh);
	if (s->kill.cap > 4)
		SJ_VEC_FREE(s->mem, &s->kill);
	if (s->scratch.cap > 64) {
		sj_buf_finish(&s->scratch);
		sj_buf_init(&s->scratch, s->mem, 0);
	}
}

enum sj_status sj_surface_settle(struct sj_surface *s)
{
	if (!sj_has_work(s) || s->settling)
		return SJ_OK;
	enum sj_status st = SJ_OK;
	bool grew = s->first_changed != 0;
	s->settling = true;
	s->limit_hit = false;
	for (uint32_t round = 0; st == SJ_OK && sj_has_work(s); round++) {
		if (round > s->limits->settle_rounds) {
			st = SJ_LIMIT;
			break;
		}
		st = structure(s);
		if (st == SJ_OK && s->placeholders.count)
			report_placeholders(s);
		if (st == SJ_OK)
			st = values(s);
		if (st == SJ_OK)
			st = gate(s);
		if (st != SJ_OK)
			break;
		if (s->focus.node)
			sj_focus_settle(s);
		if (s->marked_publics)
			call_watches(s);
		s->owes_settled = s->txn_open;
		if (s->driver->settled && !s->txn_open)
			s->driver->settled(s->ctx, s);
	}
	slim(s, grew);
	s->settling = false;
	return st == SJ_OK && s->limit_hit ? SJ_LIMIT : st;
}

void sj_node_window(struct sj_surface *s, sj_node_id list, uint32_t lo, uint32_t hi)
{
	uint32_t k;
	struct sj_group *g = sj_node_group(s, list, &k);
	const struct sj_pnode *pn = g ? &sj_plan_at(s, g->plan)->nodes.items[k] : NULL;
	if (!pn || pn->why != SJ_WHY_SHOWN)
		return;
	const struct sj_dedge *e = sj_def_edges(pn->def);
	for (uint32_t i = 0; i < pn->def->nedges; i++) {
		if (e[i].addr == SJ_NONE)
			continue;
		struct sj_rows *rows =
			&g->lists[sj_pnode_kids(&sj_plan_at(s, g->plan)->nodes.items[k], pn->def->nedges)[i]];
		rows->lo = lo;
		rows->hi = hi;
		for (uint32_t r = lo; s->lazy && r < hi && r < rows->count; r++)
			sj_group_wake_stale(s, rows->ids[r]);
	}
}
