/* Patches: one component that is there is written anew, of its own type, and refers to nothing but what is there and
 * cannot lead back to it. */
#include "infer/grammar_live.h"

enum {
	BLOCK = 16,      /* ids of one rule, so that a list of all that may follow is shared */
	MAX_HEIGHT = 24, /* of what is referred to, and depth of what refers: together below the protocol's 50 */
};

struct live { /* a component */
	struct sj_slice id;
	uint32_t catalog, index; /* its type; catalog UINT32_MAX: none that is known */
	const struct sj_a2ui_component *type;
	uint32_t first_edge, edges;
	uint32_t height, depth, order; /* order: what it refers to comes after it */
};
struct graph {
	struct sj_grammar *g;
	struct live *items;
	uint32_t n;
	SJ_VEC(uint32_t) edges;
	struct sj_map ids;
	uint32_t *by_order;
	bool constrained; /* some type says what it stands in, or what stands in it */
};

/* ---- reading the surface ----------------------------------------------------------------------------------------- */

static struct sj_slice text_member(const struct sj_value *v, const char *key)
{
	const struct sj_value *m = v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(key)) : NULL;
	return m && sj_value_is_string(m) ? sj_value_text(m) : SJ_NO_SLICE;
}

static void add_edge(struct graph *x, const struct sj_value *id)
{
	uint32_t child = sj_value_is_string(id) ? sj_map_get(&x->ids, sj_value_text(id)) : SJ_MAP_NONE;
	if (child == SJ_MAP_NONE)
		return;
	enum sj_status st = SJ_VEC_RESERVE(x->g->mem, &x->edges, x->edges.count + 1, 0);
	if (st != SJ_OK)
		x->g->status = st;
	else
		x->edges.items[x->edges.count++] = child;
}

static void add_edges(struct graph *x, const struct sj_a2ui_prop *p, const struct sj_value *v)
{
	/* Properties nest no deeper than references are found in: two levels, as everywhere. */
	for (uint32_t i = 0; p->cls == SJ_AC_CHILD_LIST && v->type == SJ_V_ARRAY && i < sj_value_count(v); i++)
		add_edge(x, sj_value_item(v, i));
	if (p->cls == SJ_AC_CHILD)
		add_edge(x, v);
	/* A template refers too, though the protocol lets one lead back: the order here does not. */
	const struct sj_value *row =
		p->cls == SJ_AC_CHILD_LIST && v->type == SJ_V_OBJECT ? sj_value_get(v, SJ_LIT("componentId")) : NULL;
	if (row)
		add_edge(x, row);
	for (uint32_t i = 0;
	     (p->cls == SJ_AC_ARRAY || p->cls == SJ_AC_OBJECT) && i < (v->type == SJ_V_ARRAY ? sj_value_count(v) : 1);
	     i++) {
		const struct sj_value *item = v->type == SJ_V_ARRAY ? sj_value_item(v, i) : v;
		for (uint32_t k = 0; k < p->nsub; k++) {
			const struct sj_value *sub = p->sub[k].name.len == 0          ? item
			                             : item->type == SJ_V_OBJECT ? sj_value_get(item, p->sub[k].name)
			                                                         : NULL;
			if (sub && p->sub[k].cls == SJ_AC_CHILD)
				add_edge(x, sub);
		}
	}
}

static void find_type(struct graph *x, struct live *c, const struct sj_value *def)
{
	const struct sj_grammar_options *o = &x->g->opt;
	struct sj_slice type = text_member(def, "component"), own = text_member(def, "catalogId");
	c->catalog = UINT32_MAX;
	if (!own.ptr)
		own = o->surface->catalog_id;
	for (uint32_t i = 0; i < o->ncatalogs && c->catalog == UINT32_MAX; i++) {
		if (own.len > 0 && !sj_slice_eq(own, sj_catalog_id(o->catalogs[i])))
			continue;
		c->type = sj_catalog_component(o->catalogs[i], type);
		if (c->type) {
			c->catalog = i;
			c->index = c->type->index;
			x->constrained = x->constrained || c->type->allowed_parents || c->type->allowed_children;
		}
	}
}

static void read_graph(struct graph *x)
{
	const struct sj_value *list = &x->g->opt.surface->components;
	uint32_t n = list->type == SJ_V_ARRAY ? sj_value_count(list) : 0;
	x->items = sj_g_alloc(x->g, n * sizeof *x->items);
	x->by_order = sj_g_alloc(x->g, n * sizeof *x->by_order);
	for (uint32_t i = 0; x->by_order && i < n && x->g->status == SJ_OK; i++) {
		struct live *c = &x->items[x->n];
		const struct sj_value *def = sj_value_item(list, i);
		c->id = text_member(def, "id");
		if (!c->id.ptr)
			c->id = SJ_LIT("");
		find_type(x, c, def);
		c->id = sj_g_keep(x->g, c->id);
		enum sj_status st = sj_map_put(&x->ids, c->id, x->n++);
		if (st != SJ_OK)
			x->g->status = st;
	}
	for (uint32_t i = 0; i < x->n && x->g->status == SJ_OK; i++) {
		struct live *c = &x->items[i];
		const struct sj_value *def = sj_value_item(list, i);
		c->first_edge = x->edges.count;
		for (uint32_t k = 0; c->type && k < sj_value_count(def); k++) {
			struct sj_slice key;
			const struct sj_value *v = sj_value_member(def, k, &key);
			const struct sj_a2ui_prop *p = sj_a2ui_prop_find(c->type, key);
			if (p)
				add_edges(x, p, v);
		}
		c->edges = x->edges.count - c->first_edge;
	}
}

/* Depth first, without recursion: heights, and an order in which children come after their parents. False: there is a
 * cycle (through a template), so there is no such order. */
static bool sort_graph(struct graph *x)
{
	struct { uint32_t at, edge; } *stack = sj_g_alloc(x->g, (x->n + 1) * sizeof *stack);
	uint8_t *colour = sj_g_alloc(x->g, x->n);
	uint32_t depth = 0, next = x->n;
	bool cycle = false;
	for (uint32_t start = 0; stack && colour && start < x->n; start++) {
		if (colour[start])
			continue;
		stack[depth].at = start;
		stack[depth++].edge = 0;
		colour[start] = 1;
		while (depth > 0) {
			struct live *c = &x->items[stack[depth - 1].at];
			if (stack[depth - 1].edge < c->edges) {
				uint32_t child = x->edges.items[c->first_edge + stack[depth - 1].edge++];
				cycle = cycle || colour[child] == 1;
				if (!colour[child]) {
					colour[child] = 1;
					stack[depth].at = child;
					stack[depth++].edge = 0;
				}
				continue;
			}
			c->height = 1;
			for (uint32_t i = 0; i < c->edges; i++) {
				const struct live *child = &x->items[x->edges.items[c->first_edge + i]];
				c->height = child->height >= c->height ? child->height + 1 : c->height;
			}
			colour[stack[--depth].at] = 2;
			c->order = --next;
			x->by_order[next] = (uint32_t)(c - x->items);
		}
	}
	for (uint32_t k = 0; k < x->n; k++) {
		const struct live *c = &x->items[x->by_order[k]];
		for (uint32_t i = 0; i < c->edges; i++) {
			struct live *child = &x->items[x->edges.items[c->first_edge + i]];
			child->depth = child->depth <= c->depth ? c->depth + 1 : child->depth;
		}
	}
	return !cycle;
}

/* ---- references -------------------------------------------------------------------------------------------------- */

static bool in_list(const struct sj_slice *names, uint32_t n, struct sj_slice name)
{
	for (uint32_t i = 0; i < n; i++)
		if (sj_slice_eq(names[i], name))
			return true;
	return !names;
}

static bool may_hold(const struct live *parent, const struct live *child)
{
	return child->height <= MAX_HEIGHT && child->id.len > 0 && child->type &&
	       in_list(child->type->allowed_parents, child->type->nparents, parent->type->name) &&
	       in_list(parent->type->allowed_children, parent->type->nchildren, child->type->name);
}

/* Ids that come after `from` in the order: the rest of its block, then a rule for all blocks behind it. */
static const struct sj_g_node *those_after(struct graph *x, uint32_t from, const struct sj_g_node **blocks)
{
	const struct sj_g_node *all[BLOCK + 1];
	uint32_t n = 0, end = (from / BLOCK + 1) * BLOCK;
	for (uint32_t i = from; i < x->n && i < end; i++) {
		const struct live *c = &x->items[x->by_order[i]];
		if (c->height <= MAX_HEIGHT && c->id.len > 0)
			all[n++] = sj_g_word(x->g, c->id);
	}
	all[n] = end < x->n ? blocks[end / BLOCK] : &SJ_G_NOTHING;
	if (all[n]->kind != SJ_G_NEVER)
		n++;
	return sj_g_one_of(x->g, all, n);
}

static const struct sj_g_node *references(struct graph *x, const struct live *c, const struct sj_g_node **blocks)
{
	if (!x->constrained)
		return those_after(x, c->order + 1, blocks);
	const struct sj_g_node **all = sj_g_alloc(x->g, x->n * sizeof *all);
	uint32_t n = 0;
	for (uint32_t i = c->order + 1; all && i < x->n; i++)
		if (may_hold(c, &x->items[x->by_order[i]]))
			all[n++] = sj_g_word(x->g, x->items[x->by_order[i]].id);
	return all ? sj_g_one_of(x->g, all, n) : &SJ_G_NOTHING;
}

/* Does the node, read with this reference, refer to components? Rules of calls and values never do, so only lists of
 * children and definitions of the catalog are opened. */
static bool refers(const struct sj_g_node *node, const struct sj_g_node *reference, unsigned depth)
{
	if (node == reference)
		return true;
	if (depth > 30)
		return true;
	switch ((enum sj_g_kind)node->kind) {
	case SJ_G_RULE: {
		struct sj_slice name = node->rule->name;
		if (name.len > 1 && name.ptr[0] == 'k' && name.ptr[1] >= '0' &&
		    name.ptr[1] <= '9') { /* kN-: of a later catalog */
			const char *dash = memchr(name.ptr, '-', name.len);
			name = dash ? sj_slice(dash + 1, name.len - (size_t)(dash + 1 - name.ptr)) : name;
		}
		bool may = sj_slice_starts(name, "child-list") || sj_slice_starts(name, "def-") ||
		           sj_slice_starts(name, "component-");
		return may && node->rule->body && refers(node->rule->body, reference, depth + 1);
	}
	case SJ_G_ARRAY: return refers(node->item, reference, depth + 1);
	case SJ_G_ONE_OF:
		for (uint32_t i = 0; i < node->n; i++)
			if (refers(node->items[i], reference, depth + 1))
				return true;
		return false;
	case SJ_G_OBJECT:
		for (uint32_t i = 0; i < node->n; i++)
			if (refers(node->members[i].value, reference, depth + 1))
				return true;
		return node->n == 0 && node->item && node->item->kind != SJ_G_JSON &&
		       refers(node->item, reference, depth + 1);
	case SJ_G_NEVER: case SJ_G_JSON: case SJ_G_LITERAL: case SJ_G_NULL: case SJ_G_BOOL: case SJ_G_NUMBER:
	case SJ_G_STRING: case SJ_G_COMPONENT: case SJ_G_LIST: case SJ_G_TREE: break;
	}
	return false;
}

bool sj_g_refers(const struct sj_g_node *node, const struct sj_g_node *reference) { return refers(node, reference, 0); }

/* ---- patches ----------------------------------------------------------------------------------------------------- */

static bool is_wanted(const struct graph *x, const struct live *c)
{
	const struct sj_grammar_options *o = &x->g->opt;
	bool named = !o->patch_ids;
	for (uint32_t i = 0; o->patch_ids && i < o->npatch_ids; i++)
		named = named || sj_slice_eq(o->patch_ids[i], c->id);
	return named && c->catalog != UINT32_MAX && c->id.len > 0 && sj_g_is_listed(x->g, c->type->name);
}

/* Each property alone: what refers to components is left to the whole definition. */
static const struct sj_g_node *properties(struct sj_grammar *g, const struct sj_g_node *tail,
                                          const struct sj_g_node *reference, struct sj_slice type, int number)
{
	const struct sj_g_node *body = sj_g_open(tail);
	const struct sj_g_node **all = sj_g_alloc(g, (body->n + 1) * sizeof *all);
	uint32_t n = 0;
	if (!all || body->kind != SJ_G_OBJECT)
		return &SJ_G_NOTHING;
	for (uint32_t i = 0; i < body->n; i++) {
		struct sj_g_member m = body->members[i];
		if (sj_slice_is(m.name, "component") || refers(m.value, reference, 0))
			continue;
		m.required = true;
		all[n++] = sj_g_object(g, &m, 1);
	}
	return sj_g_tail(g, "property", type, number, sj_g_one_of(g, all, n));
}

static const struct sj_g_node *message(struct sj_grammar *g, const struct sj_g_node *component)
{
	struct sj_g_member m = {
		.name = SJ_LIT("components"), .value = sj_g_array(g, component, 1, 1), .required = true};
	return component->kind == SJ_G_NEVER ? component : sj_g_message(g, "updateComponents", &m, 1);
}

static const struct sj_g_node *all_patches(struct graph *x, bool sorted)
{
	struct sj_grammar *g = x->g;
	const struct sj_g_node *marker = g->reference;
	uint32_t blocks_n = x->n / BLOCK + 2, count = 0;
	const struct sj_g_node **blocks = sj_g_alloc(g, blocks_n * sizeof *blocks);
	const struct sj_g_node **parts = sj_g_alloc(g, (2 * x->n + 1) * sizeof *parts),
			       **ids = sj_g_alloc(g, x->n * sizeof *ids);
	uint8_t *done = sj_g_alloc(g, x->n);
	if (!blocks || !parts || !ids || !done)
		return &SJ_G_NOTHING;
	for (uint32_t b = blocks_n; b-- > 0;)
		blocks[b] =
			b * BLOCK < x->n ? sj_g_named(g, "behind", those_after(x, b * BLOCK, blocks)) : &SJ_G_NOTHING;
	for (uint32_t i = 0; i < x->n && g->status == SJ_OK; i++) {
		struct live *c = &x->items[i];
		if (done[i] || !is_wanted(x, c))
			continue;
		/* All of this type at once, when nothing in it refers to others. */
		const struct sj_g_node *tail = sj_g_component_tail(g, c->catalog, c->index, (int)g->nrules);
		bool holds = refers(tail, marker, 0);
		uint32_t n = 0;
		for (uint32_t k = i; k < x->n; k++)
			if (x->items[k].catalog == c->catalog && x->items[k].index == c->index &&
			    is_wanted(x, &x->items[k])) {
				done[k] = 1;
				ids[n++] = sj_g_word(g, x->items[k].id);
			}
		const struct sj_g_node *same = sj_g_one_of(g, ids, n);
		if (!holds)
			parts[count++] = sj_g_component(g, same, &tail, 1);
		if (g->opt.version < SJ_V10) {
			const struct sj_g_node *one = properties(g, tail, marker, c->type->name, (int)g->nrules);
			parts[count++] = sj_g_component(g, same, &one, 1);
		}
		for (uint32_t k = i; holds && sorted && k < x->n; k++) {
			struct live *each = &x->items[k];
			if (each->catalog != c->catalog || each->index != c->index || !is_wanted(x, each) ||
			    each->depth > MAX_HEIGHT)
				continue;
			sj_g_read_refer(g, sj_g_named(g, "reference", references(x, each, blocks)));
			const struct sj_g_node *own =
				sj_g_component_tail(g, each->catalog, each->index, (int)g->nrules);
			if (own->kind != SJ_G_NEVER)
				parts[count++] = sj_g_component(g, sj_g_word(g, each->id), &own, 1);
			sj_g_read_refer(g, marker);
		}
	}
	return message(g, sj_g_one_of(g, parts, count));
}

const struct sj_g_node *sj_g_patch(struct sj_grammar *g)
{
	struct graph x = {.g = g};
	sj_map_init(&x.ids, g->mem, 0);
	read_graph(&x);
	bool sorted = sort_graph(&x);
	const struct sj_g_node *out = g->status == SJ_OK ? all_patches(&x, sorted) : &SJ_G_NOTHING;
	sj_map_finish(&x.ids);
	SJ_VEC_FREE(g->mem, &x.edges);
	return out;
}
