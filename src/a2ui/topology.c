/* Graph rules of one message: root, dangling references, cycles and depth, reachability,
 * composition. Cost is proportional to the components a message names; see struct sj_topo for how cycles are found
 * without walking the whole. */
#include <stdio.h>

#include "a2ui/internal.h"

void sj_topo_init(struct sj_topo *t, struct sj_mem *mem)
{
	*t = (struct sj_topo){.mem = mem};
}

void sj_topo_finish(struct sj_topo *t)
{
	SJ_VEC_FREE(t->mem, &t->nodes);
	SJ_VEC_FREE(t->mem, &t->edges);
}

/* Grows by half: most surfaces have about ten components. */
static enum sj_status reserve(struct sj_topo *t, void **items, uint32_t *cap, size_t item, uint32_t need)
{
	uint32_t want = *cap + *cap / 2;
	if (need <= *cap)
		return SJ_OK;
	return sj_mem_grow(t->mem, items, cap, item, need, want > need && want >= 8 ? want : need > 8 ? need : 8);
}

static enum sj_status reach(struct sj_topo *t, sj_component_ref c)
{
	if (c < t->nodes.count)
		return SJ_OK;
	enum sj_status st = reserve(t, (void **)&t->nodes.items, &t->nodes.cap, sizeof *t->nodes.items, c + 1);
	if (st != SJ_OK)
		return st;
	for (uint32_t i = t->nodes.count; i <= c; i++)
		t->nodes.items[i] = (struct sj_topo_node){0};
	t->nodes.count = c + 1;
	return SJ_OK;
}

void sj_topo_unhook(struct sj_topo *t, const struct sj_surface *s, sj_component_ref c)
{
	if (!sj_component_defined(s, c))
		return;
	uint32_t n = sj_component_edges(s, c);
	for (uint32_t i = 0; i < n; i++) {
		struct sj_edge e;
		sj_component_edge(s, c, i, &e);
		if (e.child >= t->nodes.count)
			continue;
		for (uint32_t *at = &t->nodes.items[e.child].first_parent; *at; at = &t->edges.items[*at - 1].next) {
			struct sj_topo_edge *edge = &t->edges.items[*at - 1];
			if (edge->parent != c)
				continue;
			uint32_t freed = *at;
			t->templates -= edge->is_template;
			*at = edge->next;
			edge->next = t->free_edge;
			t->free_edge = freed;
			break;
		}
	}
}

static enum sj_status add_parent(struct sj_topo *t, sj_component_ref child, sj_component_ref parent, bool is_template)
{
	enum sj_status st = reach(t, child);
	if (st != SJ_OK)
		return st;
	uint32_t edge = t->free_edge;
	if (edge) {
		t->free_edge = t->edges.items[edge - 1].next;
	} else {
		st = reserve(t, (void **)&t->edges.items, &t->edges.cap, sizeof *t->edges.items, t->edges.count + 1);
		if (st != SJ_OK)
			return st;
		edge = ++t->edges.count;
	}
	t->edges.items[edge - 1] = (struct sj_topo_edge){
		.parent = parent & 0x7fffffffu, .is_template = is_template, .next = t->nodes.items[child].first_parent};
	t->nodes.items[child].first_parent = edge;
	t->templates += is_template;
	return SJ_OK;
}

/* Raises the heights above `c` until nothing changes. Each step raises a height by at least one and nothing is raised
 * above one that is beyond the limit, so a cycle ends there. */
static enum sj_status raise_heights(struct sj_topo *t, sj_component_ref c, uint32_t max_height)
{
	/* As long as there is one parent there is nothing to remember. */
	for (;;) {
		const struct sj_topo_node *n = &t->nodes.items[c];
		if (n->height > max_height)
			t->doubtful = true;
		if (n->height > max_height || !n->first_parent)
			return SJ_OK;
		const struct sj_topo_edge *e = &t->edges.items[n->first_parent - 1];
		if (e->next)
			break;
		if (e->is_template || t->nodes.items[e->parent].height >= n->height + 1)
			return SJ_OK;
		t->nodes.items[e->parent].height = n->height + 1;
		c = e->parent;
	}
	SJ_VEC(uint32_t) work = {0};
	enum sj_status st = SJ_VEC_RESERVE(t->mem, &work, 8, 0);
	if (st == SJ_OK)
		work.items[work.count++] = c;
	while (st == SJ_OK && work.count > 0) {
		uint32_t at = work.items[--work.count];
		uint32_t height = t->nodes.items[at].height;
		if (height > max_height) {
			t->doubtful = true;
			continue;
		}
		for (uint32_t e = t->nodes.items[at].first_parent; e; e = t->edges.items[e - 1].next) {
			struct sj_topo_node *up = &t->nodes.items[t->edges.items[e - 1].parent];
			if (t->edges.items[e - 1].is_template || up->height >= height + 1)
				continue;
			up->height = height + 1;
			st = SJ_VEC_RESERVE(t->mem, &work, work.count + 1, 0);
			if (st != SJ_OK)
				break;
			work.items[work.count++] = t->edges.items[e - 1].parent;
		}
	}
	SJ_VEC_FREE(t->mem, &work);
	return st;
}

enum sj_status sj_topo_hook(struct sj_topo *t, const struct sj_surface *s, sj_component_ref c, uint32_t max_height)
{
	enum sj_status st = reach(t, c);
	uint32_t height = 1, n = sj_component_edges(s, c);
	for (uint32_t i = 0; st == SJ_OK && i < n; i++) {
		struct sj_edge e;
		sj_component_edge(s, c, i, &e);
		st = add_parent(t, e.child, c, e.is_template);
		if (st == SJ_OK && !e.is_template && t->nodes.items[e.child].height + 1 > height)
			height = t->nodes.items[e.child].height + 1;
	}
	if (st == SJ_OK && height > t->nodes.items[c].height) {
		t->nodes.items[c].height = height;
		st = raise_heights(t, c, max_height);
	}
	if (st != SJ_OK)
		t->doubtful = true;
	return st;
}

/* ---- exact search ------------------------------------------------------------------------------------------------ */

enum { WHITE, GREY, BLACK };
struct frame {
	sj_component_ref c;
	uint32_t edge;
};

static void name_cycle(struct sj_surface *s, const struct frame *stack, uint32_t depth, sj_component_ref back,
                       struct sj_diag *diag)
{
	char path[200] = "";
	size_t len = 0;
	uint32_t from = depth;
	while (from > 0 && stack[from - 1].c != back)
		from--;
	for (uint32_t i = from ? from - 1 : 0; i < depth && len < sizeof path - 40; i++) {
		struct sj_slice id = sj_component_id(s, stack[i].c);
		int n = snprintf(path + len, sizeof path - len, "%.*s -> ", (int)(id.len > 24 ? 24 : id.len), id.ptr);
		len += n > 0 ? (size_t)n : 0;
	}
	struct sj_slice id = sj_component_id(s, back);
	if (depth > 0 && stack[depth - 1].c == back)
		sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY,
		            "Self-reference detected: component '%.*s' names itself as a child. Circular reference detected", SJ_ARG(id));
	else
		sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY,
		            "Circular component reference: %s%.*s. Circular reference detected", path, SJ_ARG(id));
	sj_diag_hint(diag, "Remove '%.*s' from the children of its own descendant.", SJ_ARG(id));
}

/* Depth-first over every definition; recomputes all heights exactly. SJ_INVALID names the fault, and leaves the heights
 * doubtful: the candidate goes, and those of what was there before it are no longer bounds. */
static enum sj_status exact_search(struct sj_view *v, struct sj_diag *diag)
{
	struct sj_surface *s = v->core;
	struct sj_topo *t = &v->topo;
	uint32_t n = t->nodes.count, limit = v->a->opt.limits->component_depth;
	uint8_t *colour = sj_mem_zalloc(t->mem, n ? n : 1);
	SJ_VEC(struct frame) stack = {0};
	enum sj_status st = colour ? SJ_OK : SJ_NOMEM;
	t->doubtful = true;
	for (uint32_t i = 0; st == SJ_OK && i < n; i++)
		t->nodes.items[i].height = 0;
	uint32_t deepest = 0;
	sj_component_ref deepest_at = 0;
	for (uint32_t start = 1; st == SJ_OK && start < n; start++) {
		if (colour[start] != WHITE || !sj_component_defined(s, start))
			continue;
		st = SJ_VEC_RESERVE(t->mem, &stack, 1, 0);
		if (st != SJ_OK)
			break;
		stack.items[stack.count++] = (struct frame){start, 0};
		colour[start] = GREY;
		t->nodes.items[start].height = 1;
		while (st == SJ_OK && stack.count > 0) {
			struct frame *f = &stack.items[stack.count - 1];
			struct sj_topo_node *node = &t->nodes.items[f->c];
			if (f->edge == sj_component_edges(s, f->c)) {
				colour[f->c] = BLACK;
				if (node->height > deepest) {
					deepest = node->height;
					deepest_at = f->c;
				}
				uint32_t height = node->height;
				if (--stack.count > 0) {
					struct sj_topo_node *up = &t->nodes.items[stack.items[stack.count - 1].c];
					if (up->height < height + 1)
						up->height = height + 1;
				}
				continue;
			}
			struct sj_edge e;
			sj_component_edge(s, f->c, f->edge++, &e);
			if (e.is_template || !sj_component_defined(s, e.child)) {
				continue;
			} else if (colour[e.child] == GREY) {
				name_cycle(s, stack.items, stack.count, e.child, diag);
				st = SJ_INVALID;
			} else if (colour[e.child] == BLACK) {
				if (node->height < t->nodes.items[e.child].height + 1)
					node->height = t->nodes.items[e.child].height + 1;
			} else {
				st = SJ_VEC_RESERVE(t->mem, &stack, stack.count + 1, 0);
				if (st != SJ_OK)
					break;
				colour[e.child] = GREY;
				t->nodes.items[e.child].height = 1;
				stack.items[stack.count++] = (struct frame){e.child, 0};
			}
		}
	}
	if (st == SJ_OK && deepest > limit)
		st = sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_RECURSION,
		                 "Global recursion limit exceeded: components below '%.*s' are nested %u deep, the limit is %u",
		                 SJ_ARG(sj_component_id(s, deepest_at)), deepest, limit);
	t->doubtful = st != SJ_OK;
	SJ_VEC_FREE(t->mem, &stack);
	sj_mem_free(t->mem, colour, n ? n : 1);
	return st;
}

static enum sj_status check_dangling(struct sj_view *v, struct sj_diag *diag)
{
	struct sj_slice missing, parent;
	if (sj_surface_dangling(v->core, &missing, &parent) == 0)
		return SJ_OK;
	sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY,
	            "Dangling reference: component '%.*s' references non-existent component '%.*s'", SJ_ARG(parent), SJ_ARG(missing));
	sj_diag_hint(diag, "Define a component with id '%.*s', or remove the reference.", SJ_ARG(missing));
	return SJ_INVALID;
}

/* Components that refer to each other through templates alone have parents and may still hang in the air: then only a
 * walk from the root knows. Costs the whole surface, in strict presets with templates. */
static enum sj_status find_unreached(struct sj_view *v, struct sj_slice *orphan)
{
	struct sj_surface *s = v->core;
	struct sj_mem *mem = v->topo.mem;
	uint32_t n = v->topo.nodes.count;
	SJ_VEC(sj_component_ref) work = {0};
	uint8_t *seen = sj_mem_zalloc(mem, n ? n : 1);
	enum sj_status st = seen ? SJ_VEC_RESERVE(mem, &work, n ? n : 1, 0) : SJ_NOMEM;
	sj_component_ref root = sj_surface_root_component(s);
	if (st == SJ_OK && root && root < n) {
		seen[root] = 1;
		work.items[work.count++] = root;
	}
	while (st == SJ_OK && work.count > 0) {
		sj_component_ref c = work.items[--work.count];
		for (uint32_t i = 0; i < sj_component_edges(s, c); i++) {
			struct sj_edge e;
			sj_component_edge(s, c, i, &e);
			if (e.child < n && !seen[e.child] && sj_component_defined(s, e.child)) {
				seen[e.child] = 1;
				work.items[work.count++] = e.child;
			}
		}
	}
	*orphan = SJ_NO_SLICE;
	for (uint32_t i = 0; st == SJ_OK && i < sj_component_count(s) && !orphan->ptr; i++) {
		sj_component_ref c = sj_component_at(s, i);
		if (c < n && !seen[c])
			*orphan = sj_component_id(s, c);
	}
	SJ_VEC_FREE(mem, &work);
	sj_mem_free(mem, seen, n ? n : 1);
	return st;
}

enum sj_status sj_topo_check(struct sj_view *v, const struct sj_graph_rules *rules, struct sj_diag *diag)
{
	if (rules->skip_graph)
		return v->topo.doubtful ? exact_search(v, diag) : SJ_OK;
	sj_component_ref root = sj_surface_root_component(v->core);
	if (!rules->allow_missing_root && !sj_component_defined(v->core, root)) {
		sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY,
		            "Missing root component: no component has the id '%.*s'",
		            SJ_ARG(sj_component_id(v->core, root)));
		sj_diag_hint(diag, "Give the outermost component the id '%.*s'.",
		             SJ_ARG(sj_component_id(v->core, root)));
		return SJ_INVALID;
	}
	enum sj_status st = SJ_OK;
	if (!rules->allow_dangling)
		st = check_dangling(v, diag);
	if (st == SJ_OK && v->topo.doubtful)
		st = exact_search(v, diag);
	if (st != SJ_OK || rules->allow_orphans)
		return st;
	struct sj_slice orphan = SJ_NO_SLICE;
	if (sj_surface_orphans(v->core, &orphan) == 0 && v->topo.templates > 0)
		st = find_unreached(v, &orphan);
	if (st == SJ_OK && orphan.ptr) {
		sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY,
		            "Orphaned component: '%.*s' is not reachable from '%.*s'", SJ_ARG(orphan),
		            SJ_ARG(sj_component_id(v->core, root)));
		sj_diag_hint(diag, "Name '%.*s' in the children of a component that is on the screen.", SJ_ARG(orphan));
		return SJ_INVALID;
	}
	return st;
}

/* ---- composition ------------------------------------------------------------------------------------------------- */

static bool in_list(const struct sj_slice *names, uint32_t n, struct sj_slice name)
{
	for (uint32_t i = 0; i < n; i++)
		if (sj_slice_eq(names[i], name))
			return true;
	return false;
}

static void list_text(const struct sj_slice *names, uint32_t n, char *out, size_t size)
{
	size_t len = 0;
	for (uint32_t i = 0; i < n && len + 40 < size; i++) {
		int w = snprintf(out + len, size - len, "%s'%.*s'", i ? ", " : "",
		                 (int)(names[i].len > 30 ? 30 : names[i].len), names[i].ptr);
		len += w > 0 ? (size_t)w : 0;
	}
}

static enum sj_status check_edge(struct sj_surface *s, sj_component_ref parent, sj_component_ref child,
                                 struct sj_diag *diag)
{
	const struct sj_comp *p = parent ? sj_component_ctx(s, parent) : NULL, *c = sj_component_ctx(s, child);
	struct sj_slice pid = parent ? sj_component_id(s, parent) : SJ_LIT("Surface");
	struct sj_slice ptype = parent ? sj_component_type(s, parent) : SJ_LIT("Surface");
	struct sj_slice cid = sj_component_id(s, child), ctype = sj_component_type(s, child);
	char names[300] = "";
	if (c && c->type && c->type->allowed_parents && !in_list(c->type->allowed_parents, c->type->nparents, ptype)) {
		list_text(c->type->allowed_parents, c->type->nparents, names, sizeof names);
		return sj_diag_set(diag, SJ_INVALID, SJ_E_UNALLOWED_PARENT, SJ_CAT_VALIDATION,
		                   "Component '%.*s' (%.*s) cannot be placed under parent '%.*s' (%.*s). Allowed parents: [%s].", SJ_ARG(cid),
		                   SJ_ARG(ctype), SJ_ARG(pid), SJ_ARG(ptype), names);
	}
	if (p && p->type && p->type->allowed_children &&
	    !in_list(p->type->allowed_children, p->type->nchildren, ctype)) {
		list_text(p->type->allowed_children, p->type->nchildren, names, sizeof names);
		return sj_diag_set(diag, SJ_INVALID, SJ_E_UNALLOWED_CHILD, SJ_CAT_VALIDATION,
		                   "Container '%.*s' (%.*s) cannot contain child '%.*s' (%.*s). Allowed children: [%s].", SJ_ARG(pid), SJ_ARG(ptype),
		                   SJ_ARG(cid), SJ_ARG(ctype), names);
	}
	return SJ_OK;
}

enum sj_status sj_compose_check(struct sj_view *v, const sj_component_ref *changed, uint32_t n, struct sj_diag *diag)
{
	struct sj_surface *s = v->core;
	for (uint32_t i = 0; i < n; i++) {
		sj_component_ref c = changed[i];
		enum sj_status st = SJ_OK;
		if (c == sj_surface_root_component(s))
			st = check_edge(s, 0, c, diag);
		/* Its own children, and every parent that already names it: a constraint may sit on either end. */
		uint32_t edges = sj_component_edges(s, c);
		for (uint32_t k = 0; st == SJ_OK && k < edges; k++) {
			struct sj_edge e;
			sj_component_edge(s, c, k, &e);
			if (sj_component_defined(s, e.child))
				st = check_edge(s, c, e.child, diag);
		}
		for (uint32_t e = c < v->topo.nodes.count ? v->topo.nodes.items[c].first_parent : 0; st == SJ_OK && e;
		     e = v->topo.edges.items[e - 1].next)
			st = check_edge(s, v->topo.edges.items[e - 1].parent, c, diag);
		if (st != SJ_OK)
			return st;
	}
	return SJ_OK;
}
