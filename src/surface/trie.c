/* The watch index: one trie over tokens with exact and star edges. A template's binding is one watch below a star,
 * whatever the number of rows; a write walks its own tokens only. */
#include "surface/internal.h"

#include "base/num.h"

#define HASH_ABOVE 8u /* children of one node that are still searched one by one */

static struct sj_trie_node *at(const struct sj_surface *s, uint32_t n) { return &s->trie.items[n]; }
static uint64_t edge_key(uint32_t node, uint32_t key) { return (uint64_t)node << 32 | key; }

static uint32_t new_node(struct sj_surface *s, uint32_t parent, uint32_t key)
{
	uint32_t n = s->free_trie;
	if (n != SJ_NONE) {
		s->free_trie = at(s, n)->parent;
	} else {
		if (SJ_ROOM(s->mem, &s->trie, s->trie.count + 1, 0) != SJ_OK)
			return SJ_NONE;
		n = s->trie.count++;
	}
	*at(s, n) = (struct sj_trie_node){.parent = parent,
	                                  .key = key,
	                                  .star = SJ_NONE,
	                                  .first_child = SJ_NONE,
	                                  .next = SJ_NONE,
	                                  .prev = SJ_NONE,
	                                  .watches = SJ_NONE,
	                                  .depth = parent == SJ_NONE ? 0 : (uint16_t)(at(s, parent)->depth + 1)};
	return n;
}

uint32_t sj_trie_root(struct sj_surface *s, enum sj_root root)
{
	if (s->trie_roots[root] == SJ_NONE)
		s->trie_roots[root] = new_node(s, SJ_NONE, SJ_NONE);
	return s->trie_roots[root];
}

static uint32_t child(const struct sj_surface *s, uint32_t node, uint32_t key)
{
	const struct sj_trie_node *t = at(s, node);
	if (t->hashed)
		return sj_map64_get(&s->trie_edges, edge_key(node, key));
	uint32_t c = t->first_child;
	while (c != SJ_NONE && at(s, c)->key != key)
		c = at(s, c)->next;
	return c;
}

static bool hash_children(struct sj_surface *s, uint32_t node)
{
	for (uint32_t c = at(s, node)->first_child; c != SJ_NONE; c = at(s, c)->next)
		if (sj_map64_put(&s->trie_edges, edge_key(node, at(s, c)->key), c) != SJ_OK)
			return false;
	at(s, node)->hashed = true;
	return true;
}

uint32_t sj_trie_step(struct sj_surface *s, uint32_t node, struct sj_slice token)
{
	uint32_t key = sj_key_take(s, token);
	if (key == SJ_NONE)
		return SJ_NONE;
	uint32_t c = child(s, node, key);
	if (c != SJ_NONE) {
		sj_key_drop(s, key);
		return c;
	}
	if (!at(s, node)->hashed && at(s, node)->children >= HASH_ABOVE && !hash_children(s, node))
		goto no_memory;
	c = new_node(s, node, key);
	if (c == SJ_NONE)
		goto no_memory;
	struct sj_trie_node *t = at(s, node);
	if (t->hashed && sj_map64_put(&s->trie_edges, edge_key(node, key), c) != SJ_OK) {
		at(s, c)->parent = s->free_trie;
		s->free_trie = c;
		goto no_memory;
	}
	at(s, c)->next = t->first_child;
	if (t->first_child != SJ_NONE)
		at(s, t->first_child)->prev = c;
	t->first_child = c;
	t->children++;
	t->refs++;
	return c;
no_memory:
	sj_key_drop(s, key);
	return SJ_NONE;
}

uint32_t sj_trie_step_star(struct sj_surface *s, uint32_t node)
{
	if (at(s, node)->star == SJ_NONE) {
		uint32_t c = new_node(s, node, SJ_NONE);
		if (c == SJ_NONE)
			return SJ_NONE;
		at(s, node)->star = c;
		at(s, node)->refs++;
	}
	return at(s, node)->star;
}

void sj_trie_hold(struct sj_surface *s, uint32_t node) { at(s, node)->refs++; }

void sj_trie_let(struct sj_surface *s, uint32_t node)
{
	if (s->dying)
		return;
	at(s, node)->refs--;
	sj_trie_prune(s, node);
}

void sj_trie_prune(struct sj_surface *s, uint32_t node)
{
	while (node != SJ_NONE && at(s, node)->refs == 0) {
		struct sj_trie_node *t = at(s, node);
		uint32_t parent = t->parent;
		if (parent == SJ_NONE) {
			for (int r = 0; r < SJ_ROOT_COUNT; r++)
				if (s->trie_roots[r] == node)
					s->trie_roots[r] = SJ_NONE;
		} else if (t->key == SJ_NONE) {
			at(s, parent)->star = SJ_NONE;
			at(s, parent)->refs--;
		} else {
			if (t->prev != SJ_NONE)
				at(s, t->prev)->next = t->next;
			else
				at(s, parent)->first_child = t->next;
			if (t->next != SJ_NONE)
				at(s, t->next)->prev = t->prev;
			if (at(s, parent)->hashed)
				sj_map64_del(&s->trie_edges, edge_key(parent, t->key));
			at(s, parent)->children--;
			at(s, parent)->refs--;
			if (at(s, parent)->children == 0)
				at(s, parent)->hashed = false;
			sj_key_drop(s, t->key);
		}
		t->parent = s->free_trie;
		t->key = SJ_NONE;
		s->free_trie = node;
		node = parent;
	}
}

uint32_t sj_trie_address(struct sj_surface *s, uint32_t plan, const void *block, const struct sj_area *area,
                         uint32_t addr, uint32_t *frames, bool *cut)
{
	const struct sj_caddr *a = &SJ_AREA(block, area->addrs, struct sj_caddr)[addr];
	const struct sj_cseg *segs = SJ_AREA(block, area->segs, struct sj_cseg) + a->seg0;
	const char *text = SJ_AREA(block, area->text, char);
	uint32_t node = SJ_NONE;
	*frames = 0;
	*cut = false;
	if (a->relative) {
		uint32_t p = plan;
		for (uint32_t up = a->up; up && sj_plan_at(s, p)->depth; up--)
			p = sj_plan_at(s, p)->parent;
		if (sj_plan_at(s, p)->depth) {
			node = sj_plan_at(s, p)->item;
			*frames = sj_plan_at(s, p)->frames;
		}
	}
	if (node == SJ_NONE)
		node = sj_trie_root(s, a->relative && a->root == SJ_ROOT_DATA ? SJ_ROOT_DATA : (enum sj_root)a->root);
	for (uint32_t i = 0; node != SJ_NONE && i < a->count; i++) {
		/* What a computed token will say is unknown: depend on everything below. */
		*cut = segs[i].len == SJ_NONE || at(s, node)->depth >= SJ_MAX_PATTERN;
		if (*cut)
			break;
		uint32_t next = sj_trie_step(s, node, sj_slice(text + segs[i].off, segs[i].len));
		if (next == SJ_NONE)
			sj_trie_prune(s, node);
		node = next;
	}
	return node;
}

/* ---- watches ----------------------------------------------------------------------------------------------------- */

uint32_t sj_watch_add(struct sj_surface *s, uint32_t trie, struct sj_watch w)
{
	uint32_t n = s->free_watch;
	if (n != SJ_NONE) {
		s->free_watch = s->watches.items[n].next;
	} else {
		if (SJ_ROOM(s->mem, &s->watches, s->watches.count + 1, 0) != SJ_OK) {
			sj_trie_prune(s, trie);
			return SJ_NONE;
		}
		n = s->watches.count++;
	}
	struct sj_trie_node *t = at(s, trie);
	w.trie = trie;
	w.next = SJ_NONE;
	w.prev = n;
	if (t->watches == SJ_NONE) {
		t->watches = n;
	} else {
		struct sj_watch *head = &s->watches.items[t->watches];
		w.prev = head->prev;
		s->watches.items[head->prev].next = n;
		head->prev = n;
	}
	t->refs++;
	s->watches.items[n] = w;
	return n;
}

void sj_watch_remove(struct sj_surface *s, uint32_t watch)
{
	if (s->dying)
		return;
	struct sj_watch *w = &s->watches.items[watch];
	uint32_t trie = w->trie, head = at(s, trie)->watches;
	if (watch == head)
		head = at(s, trie)->watches = w->next;
	else
		s->watches.items[w->prev].next = w->next;
	if (w->next != SJ_NONE)
		s->watches.items[w->next].prev = w->prev;
	else if (head != SJ_NONE)
		s->watches.items[head].prev = w->prev;
	w->next = s->free_watch;
	s->free_watch = watch;
	sj_trie_let(s, trie);
}

enum sj_status sj_surface_watch(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count,
                                sj_watch_fn fn, void *ctx, uint32_t *id)
{
	if (count > SJ_MAX_TOKENS || count > s->limits->pointer_tokens)
		return SJ_LIMIT;
	uint32_t p = s->free_public;
	if (p == SJ_NONE) {
		if (SJ_ROOM(s->mem, &s->publics, s->publics.count + 1, 0) != SJ_OK)
			return SJ_NOMEM;
		p = s->publics.count;
	}
	uint32_t node = sj_trie_root(s, root);
	for (uint32_t i = 0; node != SJ_NONE && i < count; i++) {
		uint32_t next = sj_trie_step(s, node, tokens[i]);
		if (next == SJ_NONE)
			sj_trie_prune(s, node);
		node = next;
	}
	uint32_t w =
		node == SJ_NONE
			? SJ_NONE
			: sj_watch_add(s, node, (struct sj_watch){.kind = SJ_W_PUBLIC, .what = p, .next_own = SJ_NONE});
	if (w == SJ_NONE)
		return SJ_NOMEM;
	if (p == s->free_public)
		s->free_public = s->publics.items[p].next;
	else
		s->publics.count++;
	s->publics.items[p] = (struct sj_public_watch){.fn = fn, .ctx = ctx, .watch = w};
	*id = p + 1;
	return SJ_OK;
}

void sj_surface_unwatch(struct sj_surface *s, uint32_t id)
{
	if (!id || id > s->publics.count || !s->publics.items[id - 1].fn)
		return;
	struct sj_public_watch *p = &s->publics.items[id - 1];
	sj_watch_remove(s, p->watch);
	if (p->marked)
		s->marked_publics--;
	*p = (struct sj_public_watch){.next = s->free_public};
	s->free_public = id - 1;
}

/* Keys go with the surface. */
void sj_trie_finish(struct sj_surface *s)
{
	SJ_VEC_FREE(s->mem, &s->trie);
	SJ_VEC_FREE(s->mem, &s->watches);
	SJ_VEC_FREE(s->mem, &s->publics);
	sj_map64_finish(&s->trie_edges);
}

/* ---- waking ------------------------------------------------------------------------------------------------------ */

/* The functions below hand `text` down: with LEND the text that is lent, else the value that now stands at the very
 * place of the watches, NULL when that is not known. */
#define APPEND 256u /* beside slot flags: the text only grew */
#define LEND 512u

/* The slot shows this very text: it gives up its count and remembers how much of it a face knows. */
static void lend(struct sj_surface *s, struct sj_slot *slot, const struct sj_value *text)
{
	if (slot->v.type != SJ_V_STRING || slot->flags & (SJ_SF_MODEL | SJ_SF_LENT) || slot->v.u.s != text->u.s)
		return;
	if (!(slot->flags & SJ_SF_CHANGED)) {
		slot->seen = (uint32_t)sj_value_text(&slot->v).len;
		slot->flags |= SJ_SF_APPENDED;
	}
	sj_slot_uncharge(s, slot);
	sj_value_unref(s->mem, slot->v);
	slot->v = SJ_ABSENT_VALUE;
	slot->flags |= SJ_SF_LENT;
}

static void wake_slot(struct sj_surface *s, struct sj_group *g, const struct sj_watch *w, unsigned flags,
                      const struct sj_value *text)
{
	const struct sj_pnode *pn = &sj_plan_at(s, w->plan)->nodes.items[w->k];
	if (w->k >= g->ninsts || !g->insts[w->k].gen || pn->slot0 + w->what >= g->nslots)
		return;
	struct sj_slot *slot = &g->slots[pn->slot0 + w->what];
	if (flags & LEND) {
		lend(s, slot, text);
		return;
	}
	if (slot->flags & SJ_SF_LENT && !(flags & APPEND))
		slot->flags &= (uint8_t)~SJ_SF_APPENDED;
	slot->flags |= (uint8_t)flags;
	if (text && sj_plan_at(s, w->plan)->depth == 0) { /* whose watches stand at the whole address */
		s->woken.gid = g->id;
		s->woken.slot = pn->slot0 + w->what;
		s->woken.epoch = s->epoch;
		s->woken.v = text;
	}
	sj_group_mark(s, g, w->k);
}

/* `rows`: what the stars on the way were, outermost first. */
static void wake_one(struct sj_surface *s, const struct sj_watch *w, const uint32_t *rows, unsigned flags,
                     const struct sj_value *text)
{
	if (flags & LEND && w->kind != SJ_W_SLOT)
		return;
	if (w->kind == SJ_W_PUBLIC) {
		struct sj_public_watch *p = &s->publics.items[w->what];
		s->marked_publics += !p->marked;
		p->marked = true;
		return;
	}
	if (sj_plan_at(s, w->plan)->depth == 0) {
		if (s->root_group == SJ_NONE)
			return;
		struct sj_group *g = sj_group_at(s, s->root_group);
		if (w->kind == SJ_W_SLOT)
			wake_slot(s, g, w, flags, text);
		else
			sj_group_mark_list(s, g, w->what);
		return;
	}
	if (w->frames == 1 &&
	    sj_plan_at(s, w->plan)->depth == 1) { /* one row of a list at the top: no need to iterate */
		const struct sj_group *top = s->root_group == SJ_NONE ? NULL : sj_group_at(s, s->root_group);
		uint32_t list = sj_plan_at(s, w->plan)->list;
		const struct sj_rows *r = top && list < top->nlists ? &top->lists[list] : NULL;
		struct sj_group *g = r && rows[0] < r->count ? sj_group_at(s, r->ids[rows[0]]) : NULL;
		if (g && g->plan == w->plan && w->kind == SJ_W_SLOT)
			wake_slot(s, g, w, flags, text);
		else if (g && g->plan == w->plan)
			sj_group_mark_list(s, g, w->what);
		return;
	}
	struct sj_giter it;
	uint32_t gid;
	for (sj_giter_begin(&it, s, w->plan, w->frames, rows); sj_giter_next(&it, &gid);) {
		if (w->kind == SJ_W_SLOT)
			wake_slot(s, sj_group_at(s, gid), w, flags, text);
		else
			sj_group_mark_list(s, sj_group_at(s, gid), w->what);
	}
}

enum { MANY_ROWS = 64 }; /* from here on it pays to know which rows nobody sees */

struct rows { /* indices the stars bound so far */
	uint32_t n, v[SJ_MAX_FRAMES];
};

static void wake_node(struct sj_surface *s, uint32_t node, const struct rows *rows, bool values, bool shapes,
                      unsigned flags, const struct sj_value *text)
{
	for (uint32_t w = at(s, node)->watches; w != SJ_NONE; w = s->watches.items[w].next)
		if (s->watches.items[w].kind == SJ_W_LIST && !s->watches.items[w].deep ? shapes : values)
			wake_one(s, &s->watches.items[w], rows->v, flags, text);
}

static const struct sj_value *member(const struct sj_value *v, struct sj_slice key)
{
	const struct sj_value *m = NULL;
	uint32_t i;
	if (v && v->type == SJ_V_OBJECT)
		m = sj_value_get(v, key);
	else if (v && v->type == SJ_V_ARRAY && sj_num_index(key, &i))
		m = sj_value_item(v, i);
	return m && m->type != SJ_V_ABSENT ? m : NULL;
}

static const struct sj_value *item(const struct sj_surface *s, const struct sj_value *v, uint32_t i)
{
	struct sj_slice key;
	const struct sj_value *m = v ? sj_row_at(s, v, i, &key) : NULL;
	return m && m->type != SJ_V_ABSENT ? m : NULL;
}

/* Surely equal without a look below. */
static bool same(const struct sj_value *a, const struct sj_value *b)
{
	if (a == b)
		return true;
	if (!a || !b || a->type != b->type)
		return false;
	if (sj_value_is_counted(*a))
		return a->u.s == b->u.s && !sj_value_is_container(a);
	return sj_value_equal(a, b);
}

/* Rows that nobody looks at and that stay stale until somebody does (lazy_rows). */
struct sleepers {
	const struct sj_rows *rows; /* NULL: every row is woken one by one */
};

/* Whether all that is watched below a star, itself included, are values in the rows of one list at the top whose rows
 * have nothing that counts unseen. */
static struct sleepers find_sleepers(const struct sj_surface *s, uint32_t star)
{
	const struct sleepers none = {NULL};
	uint32_t stack[64], top = 0, plan = SJ_NONE;
	if (!s->lazy || s->root_group == SJ_NONE)
		return none;
	stack[top++] = star;
	while (top) {
		const struct sj_trie_node *t = &s->trie.items[stack[--top]];
		for (uint32_t i = t->watches; i != SJ_NONE; i = s->watches.items[i].next) {
			const struct sj_watch *w = &s->watches.items[i];
			if (w->kind != SJ_W_SLOT || w->frames != 1 || (plan != SJ_NONE && w->plan != plan))
				return none;
			plan = w->plan;
		}
		if (t->star != SJ_NONE)
			return none;
		for (uint32_t c = t->first_child; c != SJ_NONE; c = s->trie.items[c].next) {
			if (top == sizeof stack / sizeof *stack)
				return none;
			stack[top++] = c;
		}
	}
	const struct sj_plan *p = plan == SJ_NONE ? NULL : sj_plan_at(s, plan);
	const struct sj_group *g = sj_group_at(s, s->root_group);
	if (!p || p->depth != 1 || p->eager || p->list >= g->nlists)
		return none;
	return (struct sleepers){&g->lists[p->list]};
}

/* Leaves row `i` stale without a look at what changed in it; false: it is awake. */
static bool leave_asleep(struct sj_surface *s, const struct sleepers *z, uint32_t i)
{
	if (!z->rows || i >= z->rows->count || (i >= z->rows->lo && i < z->rows->hi))
		return false;
	struct sj_group *g = sj_group_at(s, z->rows->ids[i]);
	for (uint32_t k = 0; k < g->nslots; k++) {
		struct sj_slot *slot = &g->slots[k];
		if (slot->flags & SJ_SF_LENT)
			slot->flags &= (uint8_t)~SJ_SF_APPENDED;
		slot->flags |= SJ_SF_DIRTY | SJ_SF_FORCE;
	}
	return true;
}

struct level { /* one level of the walk below a place */
	uint32_t node, child; /* child: next exact edge to follow */
	uint32_t i, n;        /* rows still to visit under the star; n 0 until begun */
	const struct sj_value *before, *after;
	bool counted; /* the level's own index is in rows */
	struct sleepers sleepers;
};

/* Wakes what stands on a node itself; true: something below may differ. `known`: the two are not equal. */
static bool enter(struct sj_surface *s, const struct level *l, const struct rows *rows, bool known)
{
	static const struct sj_value absent = {.type = SJ_V_ABSENT};
	const struct sj_trie_node *t = at(s, l->node);
	const struct sj_value *b = l->before ? l->before : &absent, *a = l->after ? l->after : &absent;
	bool containers = sj_value_is_container(b) || sj_value_is_container(a);
	if (!known && same(l->before, l->after))
		return false;
	if (t->watches != SJ_NONE) {
		bool lists = sj_has_rows(s, b) || sj_has_rows(s, a);
		bool shape = lists && (a->type != b->type || sj_value_count(a) != sj_value_count(b));
		bool value = !lists; /* a shape watch alone needs no look at the contents */
		for (uint32_t w = t->watches; w != SJ_NONE && !value; w = s->watches.items[w].next)
			value = s->watches.items[w].kind != SJ_W_LIST || s->watches.items[w].deep;
		if (value && !known && (containers || b->type == SJ_V_STRING) && sj_value_equal(b, a))
			return false;
		wake_node(s, l->node, rows, value, shape, SJ_SF_DIRTY | (containers ? SJ_SF_FORCE : 0), l->after);
	}
	return containers && (t->star != SJ_NONE || t->first_child != SJ_NONE);
}

static void wake_below(struct sj_surface *s, uint32_t node, struct rows *rows, const struct sj_value *before,
                       const struct sj_value *after, bool known)
{
	struct level stack[SJ_MAX_PATTERN + 2];
	uint32_t top = 0;
	stack[0] = (struct level){.node = node, .before = before, .after = after};
	if (!enter(s, &stack[0], rows, known))
		return;
	stack[0].child = at(s, node)->first_child;
	for (;;) {
		struct level *l = &stack[top];
		struct level next = {.node = SJ_NONE};
		if (l->child != SJ_NONE) {
			next.node = l->child;
			l->child = at(s, l->child)->next;
			struct sj_slice key = sj_key_text(s, at(s, next.node)->key);
			next.before = member(l->before, key);
			next.after = member(l->after, key);
		} else if (at(s, l->node)->star != SJ_NONE && rows->n < SJ_MAX_FRAMES) {
			if (!l->n) {
				uint32_t nb = l->before && sj_has_rows(s, l->before) ? sj_value_count(l->before) : 0;
				uint32_t na = l->after && sj_has_rows(s, l->after) ? sj_value_count(l->after) : 0;
				l->n = (nb > na ? nb : na) + 1;
				if (!rows->n && l->n > MANY_ROWS)
					l->sleepers = find_sleepers(s, at(s, l->node)->star);
			}
			while (l->i + 1 < l->n && leave_asleep(s, &l->sleepers, l->i))
				l->i++;
			if (l->i + 1 < l->n) {
				next.node = at(s, l->node)->star;
				next.before = item(s, l->before, l->i);
				next.after = item(s, l->after, l->i);
				next.counted = true;
				rows->v[rows->n] = l->i++;
			}
		}
		if (next.node != SJ_NONE) {
			rows->n += next.counted;
			if (enter(s, &next, rows, false)) {
				next.child = at(s, next.node)->first_child;
				stack[++top] = next;
			} else {
				rows->n -= next.counted;
			}
			continue;
		}
		rows->n -= l->counted;
		if (!top--)
			break;
	}
}

/* Too many patterns match at once: everything is looked at again. Slow, and never wrong. */
static void wake_all(struct sj_surface *s)
{
	for (uint32_t w = 0; w < s->trie.count; w++) {
		if (s->trie.items[w].watches == SJ_NONE)
			continue;
		for (uint32_t i = s->trie.items[w].watches; i != SJ_NONE; i = s->watches.items[i].next) {
			struct sj_watch all = s->watches.items[i];
			all.frames = 0;
			wake_one(s, &all, NULL, SJ_SF_DIRTY | SJ_SF_FORCE, NULL);
		}
	}
}

/* Rows that are members of an object have no number in a path, and one that comes or goes moves those behind it. */
static bool rows_are_members(const struct sj_surface *s, const struct sj_wake_at *w, uint32_t depth)
{
	const struct sj_value *v = s->map_rows ? sj_surface_get(s, w->root, w->tokens, depth) : NULL;
	return v && v->type == SJ_V_OBJECT;
}

void sj_wake(struct sj_surface *s, const struct sj_wake_at *w, const struct sj_value *before,
             const struct sj_value *after)
{
	if (s->trie_roots[w->root] == SJ_NONE)
		return;
	struct {
		uint32_t node, depth;
		uint64_t stars; /* bit i: token i was matched by a star */
	} stack[2 * SJ_MAX_TOKENS + 2];
	uint32_t keys[SJ_MAX_TOKENS], index[SJ_MAX_TOKENS], known = 0, top = 0, visited = 0;
	uint32_t budget = s->limits->watch_patterns * (w->count + 1);
	/* Down to the first choice there is one way. */
	uint32_t first = s->trie_roots[w->root];
	while (known < w->count && at(s, first)->watches == SJ_NONE && at(s, first)->star == SJ_NONE) {
		uint32_t key = w->hashes ? sj_key_find_hashed(s, w->tokens[known], w->hashes[known])
		                         : sj_key_find(s, w->tokens[known]);
		first = key == SJ_NONE ? SJ_NONE : child(s, first, key);
		if (first == SJ_NONE)
			return;
		known++;
	}
	if (known == w->count && !w->lend && !w->append) {
		struct rows none;
		none.n = 0;
		wake_below(s, first, &none, before, after, w->differs);
		return;
	}
	stack[top].node = first;
	stack[top].depth = known;
	stack[top++].stars = 0;
	while (top) {
		top--;
		uint32_t node = stack[top].node, depth = stack[top].depth;
		uint64_t stars = stack[top].stars;
		if (++visited > budget) {
			wake_all(s);
			return;
		}
		const struct sj_trie_node *t = at(s, node);
		if (depth < w->count && t->watches == SJ_NONE && t->star == SJ_NONE && t->first_child == SJ_NONE)
			continue;
		if (t->watches != SJ_NONE || depth == w->count) {
			struct rows rows;
			rows.n = 0;
			for (uint64_t bits = stars; bits && rows.n < SJ_MAX_FRAMES; bits &= bits - 1)
				rows.v[rows.n++] = index[__builtin_ctzll(bits)];
			if (depth == w->count) {
				if (w->lend)
					wake_node(s, node, &rows, true, false, LEND, w->lend);
				else if (w->append)
					wake_node(s, node, &rows, true, false, SJ_SF_DIRTY | APPEND, NULL);
				else
					wake_below(s, node, &rows, before, after, w->differs);
				continue;
			}
			if (!w->lend)
				wake_node(s, node, &rows, true,
				          (w->shape_above || s->map_rows) && depth + 1 == w->count,
				          SJ_SF_DIRTY | SJ_SF_FORCE, NULL);
		}
		if (t->star != SJ_NONE && rows_are_members(s, w, depth)) {
			if (w->lend) /* nothing is lent: what is appended to is copied */
				continue;
			wake_all(s);
			return;
		}
		if (known == depth) {
			index[depth] = SJ_NONE;
			keys[depth] = w->hashes ? sj_key_find_hashed(s, w->tokens[depth], w->hashes[depth])
			                        : sj_key_find(s, w->tokens[depth]);
			known++;
		}
		if (t->star != SJ_NONE && (index[depth] != SJ_NONE || sj_num_index(w->tokens[depth], &index[depth]))) {
			stack[top].node = t->star;
			stack[top].depth = depth + 1;
			stack[top++].stars = stars | (uint64_t)1 << depth;
		}
		uint32_t exact = keys[depth] == SJ_NONE ? SJ_NONE : child(s, node, keys[depth]);
		if (exact != SJ_NONE) {
			stack[top].node = exact;
			stack[top].depth = depth + 1;
			stack[top++].stars = stars;
		}
	}
}
