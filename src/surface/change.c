/* What a face is told: level-triggered notes, turned into records when asked. */
#include "surface/internal.h"

enum sj_status sj_note_changed(struct sj_surface *s, struct sj_group *g, uint32_t k, unsigned flags)
{
	if (k >= g->ninsts || !g->insts[k].gen || sj_group_is_new(s, g, k))
		return SJ_OK; /* a new node is read whole */
	struct sj_inst *in = &g->insts[k];
	if (!(in->flags & SJ_IF_QUEUED)) {
		enum sj_status st = SJ_ROOM(s->mem, &s->changed, s->changed.count + 1, 0);
		if (st != SJ_OK)
			return st;
		s->changed.items[s->changed.count++] =
			(struct sj_changed){.gid = g->id, .k = k, .cause = s->cause, .gen = in->gen};
	}
	in->flags |= (uint16_t)(flags | SJ_IF_QUEUED);
	return SJ_OK;
}

/* A face that does not ask must not make the notes grow: those about nodes that came and went are dropped. */
enum sj_status sj_note_new(struct sj_surface *s, sj_node_id n)
{
	if (s->news.count >= 64 && s->news.count > 2 * s->node_count) {
		uint32_t kept = 0;
		for (uint32_t i = 0; i < s->news.count; i++)
			if (sj_node_alive(s, s->news.items[i]))
				s->news.items[kept++] = s->news.items[i];
		s->news.count = kept;
	}
	enum sj_status st = SJ_ROOM(s->mem, &s->news, s->news.count + 1, 0);
	if (st == SJ_OK)
		s->news.items[s->news.count++] = n;
	return st;
}

enum sj_status sj_note_gone(struct sj_surface *s, struct sj_group *g, uint32_t k)
{
	enum sj_status st = SJ_ROOM(s->mem, &s->gones, s->gones.count + 1, 0);
	if (st == SJ_OK)
		s->gones.items[s->gones.count++] = sj_handle(g, k);
	return st;
}

static struct sj_splice *splice_of(struct sj_surface *s, struct sj_group *g, uint32_t k)
{
	sj_node_id n = sj_handle(g, k);
	uint32_t at = sj_map64_get(&s->splice_of, n);
	if (at == SJ_MAP_NONE) {
		if (SJ_ROOM(s->mem, &s->splices, s->splices.count + 1, 0) != SJ_OK ||
		    sj_map64_put(&s->splice_of, n, s->splices.count) != SJ_OK)
			return NULL;
		at = s->splices.count++;
		s->splices.items[at] = (struct sj_splice){.node = n, .cause = s->cause};
	}
	return &s->splices.items[at];
}

/* Two splices become one that covers both; replaced children keep the coordinates of the last. */
enum sj_status sj_note_splice(struct sj_surface *s, struct sj_group *g, uint32_t k, uint32_t lo, uint32_t remove,
                              uint32_t add)
{
	if (!remove && !add)
		return SJ_OK;
	struct sj_splice *p = splice_of(s, g, k);
	if (!p)
		return SJ_NOMEM;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < p->replaced.count; i++) {
		uint32_t at = p->replaced.items[i];
		if (at >= lo && at < lo + remove)
			continue;
		p->replaced.items[kept++] = at < lo ? at : at - remove + add;
	}
	p->replaced.count = kept;
	if (!p->remove && !p->add) {
		p->lo = lo;
		p->remove = remove;
		p->add = add;
		return SJ_OK;
	}
	uint32_t start = p->lo < lo ? p->lo : lo, end = p->lo + p->add, other = lo + remove;
	if (other > end)
		end = other;
	/* In the coordinates between the two, the union is [start, end). */
	p->remove += end - start - p->add;
	p->add = end - start - remove + add;
	p->lo = start;
	return SJ_OK;
}

enum sj_status sj_note_replaced(struct sj_surface *s, struct sj_group *g, uint32_t k, uint32_t index)
{
	struct sj_splice *p = splice_of(s, g, k);
	if (!p)
		return SJ_NOMEM;
	if (p->replaced.count && p->replaced.items[p->replaced.count - 1] == index)
		return SJ_OK;
	if (p->replaced.count >= 64 && p->replaced.count > 2 * sj_node_child_count(s, p->node)) {
		/* The same children again and again while nobody asks: one splice over all of them. */
		uint32_t lo = index, hi = index;
		for (uint32_t i = 0; i < p->replaced.count; i++) {
			lo = p->replaced.items[i] < lo ? p->replaced.items[i] : lo;
			hi = p->replaced.items[i] > hi ? p->replaced.items[i] : hi;
		}
		return sj_note_splice(s, g, k, lo, hi + 1 - lo, hi + 1 - lo);
	}
	enum sj_status st = SJ_ROOM(s->mem, &p->replaced, p->replaced.count + 1, 0);
	if (st == SJ_OK)
		p->replaced.items[p->replaced.count++] = index;
	return st;
}

static enum sj_status keep_masked(struct sj_surface *s, uint32_t ref)
{
	struct sj_comp *c = sj_comp_at(s, ref);
	if (!(c->flags & SJ_CF_MASKED)) {
		enum sj_status st = SJ_ROOM(s->mem, &s->masked, s->masked.count + 1, 0);
		if (st != SJ_OK)
			return st;
		s->masked.items[s->masked.count++] = ref;
		c->flags |= SJ_CF_MASKED;
	}
	return SJ_OK;
}

enum sj_status sj_note_mask(struct sj_surface *s, uint32_t ref, uint64_t mask)
{
	struct sj_comp *c = sj_comp_at(s, ref);
	c->mask |= mask;
	if (c->grown && mask & (uint64_t)1 << c->grown)
		c->grown = SJ_P_NONE;
	return keep_masked(s, ref);
}

enum sj_status sj_note_grown(struct sj_surface *s, uint32_t ref, enum sj_ui_prop ui, uint32_t from)
{
	struct sj_comp *c = sj_comp_at(s, ref);
	uint64_t bit = (uint64_t)1 << ui;
	if (ui == SJ_P_NONE || c->mask & bit || (c->grown && c->grown != (uint8_t)ui))
		return sj_note_mask(s, ref, bit);
	if (!c->grown) {
		c->grown = (uint8_t)ui;
		c->grown_from = from;
	}
	return keep_masked(s, ref);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static inline bool push(struct sj_surface *s, struct sj_change c)
{
	if (s->records.count == s->records.cap && SJ_ROOM(s->mem, &s->records, s->records.count + 1, 0) != SJ_OK)
		return false;
	s->records.items[s->records.count++] = c;
	return true;
}

static bool push_splice(struct sj_surface *s, struct sj_splice *p)
{
	if (!sj_node_alive(s, p->node))
		return true;
	uint32_t k;
	const struct sj_group *g = sj_node_group(s, p->node, &k);
	if (sj_group_is_new(s, g, k))
		return true;
	struct sj_change c = {.kind = SJ_CH_SPLICE,
	                      .cause = p->cause,
	                      .node = p->node,
	                      .lo = p->lo,
	                      .hi = p->lo + p->add,
	                      .add = p->add,
	                      .remove = p->remove};
	if ((p->add || p->remove) && !push(s, c))
		return false;
	/* Heap sort: no recursion, no memory; then neighbours become one record. */
	uint32_t *v = p->replaced.items, n = p->replaced.count;
	for (uint32_t end = n, start = n / 2; end > 1;) {
		if (start)
			start--;
		else {
			uint32_t t = v[--end];
			v[end] = v[0];
			v[0] = t;
		}
		for (uint32_t i = start, child; (child = 2 * i + 1) < end; i = child) {
			if (child + 1 < end && v[child + 1] > v[child])
				child++;
			if (v[i] >= v[child])
				break;
			uint32_t t = v[i];
			v[i] = v[child];
			v[child] = t;
		}
	}
	for (uint32_t i = 0; i < n;) {
		uint32_t j = i + 1, count = 1;
		for (; j < n && v[j] <= v[j - 1] + 1; j++)
			count += v[j] != v[j - 1];
		c = (struct sj_change){.kind = SJ_CH_SPLICE,
		                       .cause = p->cause,
		                       .node = p->node,
		                       .lo = v[i],
		                       .hi = v[i] + count,
		                       .add = count,
		                       .remove = count};
		bool inside = v[i] >= p->lo && v[i] + count <= p->lo + p->add && p->add;
		if (!inside && !push(s, c))
			return false;
		i = j;
	}
	return true;
}

static bool push_changed(struct sj_surface *s, const struct sj_changed *ch)
{
	const struct sj_group *g = sj_group_at(s, ch->gid);
	if ((uintptr_t)g & 1 || ch->k >= g->ninsts || g->insts[ch->k].gen != ch->gen ||
	    !(g->insts[ch->k].flags & SJ_IF_QUEUED))
		return true;
	const struct sj_pnode *pn = &sj_plan_at(s, g->plan)->nodes.items[ch->k];
	unsigned flags = g->insts[ch->k].flags;
	sj_node_id n = sj_handle(g, ch->k);
	uint64_t mask = flags & SJ_IF_DEF ? sj_comp_at(s, pn->comp)->mask : 0;
	const struct sj_def *d = pn->why == SJ_WHY_SHOWN ? pn->def : NULL;
	bool edited = n == s->edit.node;
	const struct sj_comp *comp = sj_comp_of(s, pn->comp);
	for (uint32_t i = 0; d && flags & SJ_IF_DEF && comp->grown && i < d->nprops; i++) {
		const struct sj_dprop *p = &d->props[i];
		if (p->ui != comp->grown || p->nins)
			continue;
		struct sj_change c = {.kind = SJ_CH_APPEND,
		                      .prop = comp->grown,
		                      .cause = ch->cause,
		                      .node = n,
		                      .mask = (uint64_t)1 << p->ui,
		                      .lo = comp->grown_from,
		                      .hi = (uint32_t)sj_value_text(&p->literal).len};
		if (!push(s, c))
			return false;
	}
	for (uint32_t i = 0; d && flags & SJ_IF_SET && i < d->nprops; i++) {
		const struct sj_dprop *p = &d->props[i];
		const struct sj_slot *slot = p->nins ? &g->slots[pn->slot0 + p->slot] : NULL;
		if (!slot || !(slot->flags & SJ_SF_CHANGED) || p->cls == SJ_PC_CHECK || p->cls == SJ_PC_VISIBLE)
			continue;
		if (!(slot->flags & SJ_SF_APPENDED) || mask & (uint64_t)1 << p->ui) {
			mask |= (uint64_t)1 << p->ui;
			continue;
		}
		struct sj_change c = {.kind = SJ_CH_APPEND,
		                      .prop = p->ui,
		                      .cause = ch->cause,
		                      .node = n,
		                      .mask = (uint64_t)1 << p->ui,
		                      .lo = slot->seen};
		const struct sj_value *v = sj_slot_value(s, ch->gid, ch->k, i);
		c.hi = v ? (uint32_t)sj_value_text(v).len : 0;
		if (edited && p->ui == s->edit.prop) {
			c.echo = s->edit.echo;
			c.held = s->edit.held;
			c.cause = s->edit.echo ? s->edit.cause : c.cause;
		}
		if (!push(s, c))
			return false;
	}
	struct sj_change c = {.kind = SJ_CH_SET, .cause = ch->cause, .node = n, .mask = mask};
	if (edited && mask & (uint64_t)1 << s->edit.prop) {
		c.echo = s->edit.echo;
		c.held = s->edit.held;
		c.cause = s->edit.echo ? s->edit.cause : c.cause;
	}
	if (mask && !push(s, c))
		return false;
	if (flags & SJ_IF_FLAGS && !push(s, (struct sj_change){.kind = SJ_CH_FLAGS, .cause = ch->cause, .node = n}))
		return false;
	return !(flags & SJ_IF_LOCAL) ||
	       push(s, (struct sj_change){.kind = SJ_CH_LOCAL, .cause = ch->cause, .node = n});
}

static bool gather(struct sj_surface *s)
{
	s->records.count = 0;
	for (uint32_t i = 0; i < s->gones.count; i++)
		if (!push(s, (struct sj_change){.kind = SJ_CH_GONE, .cause = s->cause, .node = s->gones.items[i]}))
			return false;
	/* What went one by one before the whole tree went comes first: its parents were still there. */
	if (s->lost_root && !push(s, (struct sj_change){.kind = SJ_CH_GONE, .cause = s->cause, .node = s->lost_root}))
		return false;
	if (s->root_changed &&
	    !push(s, (struct sj_change){.kind = SJ_CH_ROOT, .cause = s->cause, .node = sj_surface_root(s)}))
		return false;
	for (uint32_t i = 0; i < s->news.count; i++)
		if (sj_node_alive(s, s->news.items[i]) &&
		    !push(s, (struct sj_change){.kind = SJ_CH_NEW, .cause = s->cause, .node = s->news.items[i]}))
			return false;
	for (uint32_t i = 0; i < s->splices.count; i++)
		if (!push_splice(s, &s->splices.items[i]))
			return false;
	for (uint32_t i = 0; i < s->changed.count; i++)
		if (!push_changed(s, &s->changed.items[i]))
			return false;
	return !s->focus.moved ||
	       push(s, (struct sj_change){.kind = SJ_CH_FOCUS, .cause = s->cause, .node = sj_surface_focused(s)});
}

static void forget_notes(struct sj_surface *s)
{
	for (uint32_t i = 0; i < s->changed.count; i++) {
		const struct sj_changed *ch = &s->changed.items[i];
		struct sj_group *g = sj_group_at(s, ch->gid);
		if ((uintptr_t)g & 1 || ch->k >= g->ninsts || g->insts[ch->k].gen != ch->gen)
			continue;
		struct sj_inst *in = &g->insts[ch->k];
		const struct sj_pnode *pn = &sj_plan_at(s, g->plan)->nodes.items[ch->k];
		const struct sj_def *d = pn->why == SJ_WHY_SHOWN ? pn->def : NULL;
		for (uint32_t j = 0; d && in->flags & (SJ_IF_SET | SJ_IF_FLAGS) && j < d->nslots; j++)
			g->slots[pn->slot0 + j].flags &= (uint8_t)~(SJ_SF_CHANGED | SJ_SF_APPENDED);
		in->flags &= SJ_IF_DIRTY | SJ_IF_INVALID | SJ_IF_HIDDEN;
	}
	for (uint32_t i = 0; i < s->masked.count; i++) {
		struct sj_comp *c = sj_comp_at(s, s->masked.items[i]);
		c->mask = 0;
		c->grown = SJ_P_NONE;
		c->flags &= ~SJ_CF_MASKED;
		sj_comp_release(s, s->masked.items[i]);
	}
	if (s->splices.count) {
		for (uint32_t i = 0; i < s->splices.count; i++)
			SJ_VEC_FREE(s->mem, &s->splices.items[i].replaced);
		sj_map64_finish(&s->splice_of);
		sj_map64_init(&s->splice_of, s->mem);
		SJ_VEC_FREE(s->mem, &s->splices);
	}
	s->changed.count = s->news.count = s->gones.count = s->masked.count = 0;
	if (s->changed.cap > 8)
		SJ_VEC_FREE(s->mem, &s->changed);
	if (s->news.cap > 4)
		SJ_VEC_FREE(s->mem, &s->news);
	if (s->gones.cap > 4)
		SJ_VEC_FREE(s->mem, &s->gones);
	if (s->masked.cap > 4)
		SJ_VEC_FREE(s->mem, &s->masked);
	s->root_changed = s->focus.moved = false;
	s->lost_root = 0;
	s->edit.echo = s->edit.held = false;
	s->batch++;
}

enum sj_status sj_surface_changes(struct sj_surface *s, const struct sj_change **out, uint32_t *count)
{
	enum sj_status st = sj_surface_settle(s);
	if (s->records.cap > 4)
		SJ_VEC_FREE(s->mem, &s->records);
	if (!gather(s)) {
		s->records.count = 0;
		return SJ_NOMEM; /* nothing was forgotten: ask again */
	}
	forget_notes(s);
	*out = s->records.items;
	*count = s->records.count;
	return st;
}

void sj_changes_finish(struct sj_surface *s)
{
	for (uint32_t i = 0; i < s->splices.count; i++)
		SJ_VEC_FREE(s->mem, &s->splices.items[i].replaced);
	SJ_VEC_FREE(s->mem, &s->splices);
	SJ_VEC_FREE(s->mem, &s->changed);
	SJ_VEC_FREE(s->mem, &s->news);
	SJ_VEC_FREE(s->mem, &s->gones);
	SJ_VEC_FREE(s->mem, &s->masked);
	SJ_VEC_FREE(s->mem, &s->records);
	sj_map64_finish(&s->splice_of);
}
