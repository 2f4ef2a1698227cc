/* The surfaces of one answer: what came, what can be reached from the root, what was emitted.
 *
 * `reached` and `missing` grow with every component, so that a component nobody asked for costs nothing. The whole tree
 * is only walked when it is about to be emitted, or when a component dropped a child.
 */
#include <stdlib.h>

#include "infer/legacy_internal.h"

enum { WHITE, GREY, BLACK }; /* marks of the search */

struct sj_slice sj_legacy_op_name(enum sj_version v, enum sj_legacy_op op)
{
	static const char *const names[2][5] = {
		{"", "beginRendering", "surfaceUpdate", "dataModelUpdate", "deleteSurface"},
		{"", "createSurface", "updateComponents", "updateDataModel", "deleteSurface"}};
	return sj_slice_of(names[v != SJ_V08][op]);
}

enum sj_legacy_op sj_legacy_op_find(enum sj_version v, struct sj_slice key)
{
	for (int op = SJ_LO_START; op <= SJ_LO_DELETE; op++)
		if (sj_slice_eq(key, sj_legacy_op_name(v, (enum sj_legacy_op)op)))
			return (enum sj_legacy_op)op;
	return SJ_LO_NONE;
}

static struct sj_slice id_of(const struct sj_legacy_component *c) { return sj_slice(c->id, c->id_len); }

/* ---- making and dropping ----------------------------------------------------------------------------------------- */

static void empty(struct sj_legacy *p, struct sj_legacy_surface *s)
{
	for (uint32_t i = 0; i < s->components.count; i++) {
		struct sj_legacy_component *c = &s->components.items[i];
		sj_value_unref(p->mem, c->value);
		sj_value_unref(p->mem, c->shown);
		SJ_VEC_FREE(p->mem, &c->refs);
		sj_mem_free(p->mem, c->id, c->id_len + 1);
	}
	SJ_VEC_FREE(p->mem, &s->components);
	sj_map_finish(&s->ids);
	sj_mem_free(p->mem, s->id, s->id ? s->id_len + 1 : 0);
	*s = (struct sj_legacy_surface){0};
}

void sj_legacy_surfaces_finish(struct sj_legacy *p)
{
	for (uint32_t i = 0; i < p->surfaces.count; i++)
		if (p->surfaces.items[i].live)
			empty(p, &p->surfaces.items[i]);
	SJ_VEC_FREE(p->mem, &p->surfaces);
	sj_map_finish(&p->surface_ids);
}

void sj_legacy_surface_drop(struct sj_legacy *p, struct sj_slice id)
{
	uint32_t i = sj_map_get(&p->surface_ids, id);
	if (i == SJ_MAP_NONE)
		return;
	sj_map_del(&p->surface_ids, id);
	if (p->last_surface == i)
		p->last_surface = SJ_LEGACY_NONE;
	empty(p, &p->surfaces.items[i]);
}

static enum sj_status too_many(struct sj_diag *diag, const char *what, uint32_t most)
{
	return sj_diag_set(diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_VALIDATION, "more than %u %s", most, what);
}

enum sj_status sj_legacy_surface_find(struct sj_legacy *p, struct sj_slice id, uint32_t *out, struct sj_diag *diag)
{
	uint32_t i = sj_map_get(&p->surface_ids, id);
	if (i != SJ_MAP_NONE) {
		*out = i;
		return SJ_OK;
	}
	for (i = 0; i < p->surfaces.count && p->surfaces.items[i].live;)
		i++;
	if (i >= p->limits->surfaces)
		return too_many(diag, "surfaces", p->limits->surfaces);
	enum sj_status st = SJ_VEC_RESERVE(p->mem, &p->surfaces, i + 1, 0);
	if (st != SJ_OK)
		return st;
	struct sj_legacy_surface s = {.id = sj_mem_strndup(p->mem, id), .id_len = id.len, .live = true,
	                              .root = SJ_LEGACY_NONE};
	if (!s.id)
		return SJ_NOMEM;
	sj_map_init(&s.ids, p->mem, 2);
	st = sj_map_put(&p->surface_ids, sj_slice(s.id, s.id_len), i);
	if (st != SJ_OK) {
		sj_mem_free(p->mem, s.id, s.id_len + 1);
		return st;
	}
	p->surfaces.items[i] = s;
	if (i == p->surfaces.count)
		p->surfaces.count++;
	*out = i;
	return SJ_OK;
}

static enum sj_status intern(struct sj_legacy *p, struct sj_legacy_surface *s, struct sj_slice id, uint32_t *out,
                             struct sj_diag *diag)
{
	uint32_t i = sj_map_get(&s->ids, id);
	if (i != SJ_MAP_NONE) {
		*out = i;
		return SJ_OK;
	}
	i = s->components.count;
	if (i >= p->limits->components)
		return too_many(diag, "components on one surface", p->limits->components);
	enum sj_status st = SJ_VEC_RESERVE(p->mem, &s->components, i + 1, 0);
	if (st != SJ_OK)
		return st;
	struct sj_legacy_component c = {.id = sj_mem_strndup(p->mem, id), .id_len = id.len};
	if (!c.id)
		return SJ_NOMEM;
	st = sj_map_put(&s->ids, id_of(&c), i);
	if (st != SJ_OK) {
		sj_mem_free(p->mem, c.id, c.id_len + 1);
		return st;
	}
	s->components.items[s->components.count++] = c;
	*out = i;
	return SJ_OK;
}

/* ---- reaching ---------------------------------------------------------------------------------------------------- */

static enum sj_status push(struct sj_legacy *p, uint32_t i)
{
	enum sj_status st = SJ_VEC_RESERVE(p->mem, &p->scratch, p->scratch.count + 1, 0);
	if (st == SJ_OK)
		p->scratch.items[p->scratch.count++] = i;
	return st;
}

/* All that `from` leads to; nothing is visited twice. */
static enum sj_status reach(struct sj_legacy *p, struct sj_legacy_surface *s, uint32_t from)
{
	enum sj_status st;
	p->scratch.count = 0;
	st = push(p, from);
	while (st == SJ_OK && p->scratch.count > 0) {
		struct sj_legacy_component *c = &s->components.items[p->scratch.items[--p->scratch.count]];
		if (c->reached)
			continue;
		c->reached = true;
		s->missing += c->value.type == SJ_V_ABSENT;
		for (uint32_t i = 0; st == SJ_OK && i < c->refs.count; i++)
			if (!s->components.items[c->refs.items[i]].reached)
				st = push(p, c->refs.items[i]);
	}
	return st;
}

static enum sj_status reach_anew(struct sj_legacy *p, struct sj_legacy_surface *s)
{
	for (uint32_t i = 0; i < s->components.count; i++)
		s->components.items[i].reached = false;
	s->missing = 0;
	s->stale = false;
	return s->root == SJ_LEGACY_NONE ? SJ_OK : reach(p, s, s->root);
}

enum sj_status sj_legacy_surface_root(struct sj_legacy *p, uint32_t surface, struct sj_slice id, struct sj_diag *diag)
{
	struct sj_legacy_surface *s = &p->surfaces.items[surface];
	uint32_t root;
	enum sj_status st = intern(p, s, id, &root, diag);
	if (st != SJ_OK || root == s->root)
		return st;
	s->stale = s->stale || s->root != SJ_LEGACY_NONE;
	s->root = root;
	s->dirty = true;
	return s->stale ? SJ_OK : reach(p, s, root);
}

/* ---- components -------------------------------------------------------------------------------------------------- */

struct collect { /* of a component's references */
	struct sj_legacy *p;
	struct sj_legacy_surface *s;
	struct sj_diag *diag;
	struct sj_slice id;
	uint32_t start; /* in scratch */
	bool lone;
};

static bool is_lone_name(struct sj_slice ref, struct sj_slice id)
{
	static const char prefix[] = "loading_children_";
	size_t n = sizeof prefix - 1;
	return ref.len == n + id.len && memcmp(ref.ptr, prefix, n) == 0 &&
	       sj_slice_eq(sj_slice(ref.ptr + n, id.len), id);
}

static enum sj_status collect(void *ctx, struct sj_value *ref)
{
	struct collect *c = ctx;
	struct sj_slice name = sj_value_text(ref);
	uint32_t i;

	if (c->lone && is_lone_name(name, c->id))
		return SJ_OK;
	if (sj_slice_eq(name, c->id))
		return sj_diag_set(c->diag, SJ_INVALID, SJ_E_CYCLIC_REFERENCE, SJ_CAT_RECURSION,
		                   "Self-reference detected: component '%.*s' names itself", SJ_ARG(name));
	enum sj_status st = intern(c->p, c->s, name, &i, c->diag);
	return st == SJ_OK ? push(c->p, i) : st;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* The references in `scratch`, each once, become those of component `i`. */
static enum sj_status take_refs(struct sj_legacy *p, struct sj_legacy_surface *s, uint32_t i)
{
	struct sj_legacy_component *c = &s->components.items[i];
	uint32_t n = p->scratch.count, kept = 0, at = 0;
	bool lost = false;

	if (n > 1)
		qsort(p->scratch.items, n, sizeof *p->scratch.items, by_number);
	for (uint32_t k = 0; k < n; k++)
		if (k == 0 || p->scratch.items[k] != p->scratch.items[kept - 1])
			p->scratch.items[kept++] = p->scratch.items[k];
	for (uint32_t k = 0; k < c->refs.count && !lost; k++) {
		while (at < kept && p->scratch.items[at] < c->refs.items[k])
			at++;
		lost = at == kept || p->scratch.items[at] != c->refs.items[k];
	}
	enum sj_status st = SJ_VEC_RESERVE(p->mem, &c->refs, kept, 0);
	if (st != SJ_OK)
		return st;
	if (kept > 0)
		memcpy(c->refs.items, p->scratch.items, kept * sizeof *p->scratch.items);
	c->refs.count = kept;
	if (!c->reached)
		return SJ_OK;
	s->dirty = true;
	if (lost)
		s->stale = true;
	for (uint32_t k = 0; st == SJ_OK && !s->stale && k < kept; k++)
		st = reach(p, s, s->components.items[i].refs.items[k]);
	return st;
}

enum sj_status sj_legacy_surface_put(struct sj_legacy *p, uint32_t surface, struct sj_value take, bool lone,
                                     struct sj_diag *diag)
{
	struct sj_legacy_surface *s = &p->surfaces.items[surface];
	const struct sj_value *id = take.type == SJ_V_OBJECT ? sj_value_get(&take, SJ_LIT("id")) : NULL;
	struct collect refs = {.p = p, .s = s, .diag = diag, .lone = lone};
	struct sj_legacy_component *c;
	enum sj_status st = SJ_OK;
	uint32_t i;

	if (!id || !sj_value_is_string(id)) { /* only without checks */
		sj_value_unref(p->mem, take);
		return SJ_OK;
	}
	refs.id = sj_value_text(id);
	st = intern(p, s, refs.id, &i, diag);
	if (st != SJ_OK || sj_value_equal(&s->components.items[i].value, &take)) {
		sj_value_unref(p->mem, take);
		return st;
	}
	p->scratch.count = 0;
	st = sj_legacy_refs(p, &take, false, collect, &refs);
	if (st != SJ_OK) {
		sj_value_unref(p->mem, take);
		return st;
	}
	c = &s->components.items[i];
	if (c->value.type == SJ_V_ABSENT && c->reached && !s->stale)
		s->missing--;
	sj_value_unref(p->mem, c->value);
	c->value = take;
	c->lone = lone;
	return take_refs(p, s, i);
}

/* ---- showing ----------------------------------------------------------------------------------------------------- */

/* Depth first from the root: a circle, or a tree that is too deep. */
static enum sj_status check_graph(struct sj_legacy *p, struct sj_legacy_surface *s, struct sj_diag *diag)
{
	struct sj_legacy_component *all = s->components.items;
	enum sj_status st;
	for (uint32_t i = 0; i < s->components.count; i++)
		all[i].mark = WHITE;
	p->scratch.count = 0;
	st = push(p, s->root);
	while (st == SJ_OK && p->scratch.count > 0) {
		struct sj_legacy_component *c = &all[p->scratch.items[p->scratch.count - 1]];
		if (c->mark == WHITE) {
			c->mark = GREY;
			for (uint32_t i = 0; st == SJ_OK && i < c->refs.count; i++) {
				const struct sj_legacy_component *child = &all[c->refs.items[i]];
				if (child->mark == GREY)
					return sj_diag_set(diag, SJ_INVALID, SJ_E_CYCLIC_REFERENCE, SJ_CAT_RECURSION,
					                   "Circular reference detected: component '%s' leads back to '%s'",
					                   c->id, child->id);
				if (child->mark == WHITE)
					st = push(p, c->refs.items[i]);
			}
			continue;
		}
		if (c->mark == GREY) {
			c->mark = BLACK;
			c->height = 1;
			for (uint32_t i = 0; i < c->refs.count; i++)
				if (all[c->refs.items[i]].height >= c->height)
					c->height = all[c->refs.items[i]].height + 1;
			if (c->height > p->limits->component_depth)
				return sj_diag_set(diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_RECURSION,
				                   "Global recursion limit exceeded: components are nested deeper "
				                   "than %u levels",
				                   p->limits->component_depth);
		}
		p->scratch.count--;
	}
	return st;
}

enum sj_status sj_legacy_stand_in(struct sj_legacy *p, struct sj_slice id, struct sj_value *out)
{
	struct sj_value v, name;
	enum sj_status st = sj_value_parse(p->mem, &p->json,
	                                   sj_legacy_is_v08(p)
	                                           ? SJ_LIT("{\"component\":{\"Row\":{\"children\":{\"explicitList\":[]}}}}")
	                                           : SJ_LIT("{\"component\":\"Row\",\"children\":[]}"),
	                                   &v, NULL);
	if (st != SJ_OK)
		return st;
	st = sj_value_string(p->mem, id, &name);
	if (st == SJ_OK)
		st = sj_value_set(p->mem, &v, SJ_LIT("id"), name);
	if (st == SJ_OK)
		*out = v;
	else
		sj_value_unref(p->mem, v);
	return st;
}

enum sj_status sj_legacy_update_message(struct sj_legacy *p, struct sj_slice surface, struct sj_slice root,
                                        struct sj_value take, struct sj_value *out)
{
	struct sj_value m = SJ_ABSENT_VALUE, body = SJ_ABSENT_VALUE, v;
	enum sj_status st = sj_value_object(p->mem, &body);

	if (st == SJ_OK)
		st = sj_value_string(p->mem, surface, &v);
	if (st == SJ_OK)
		st = sj_value_set(p->mem, &body, SJ_LIT("surfaceId"), v);
	if (st == SJ_OK && root.ptr) {
		st = sj_value_string(p->mem, root, &v);
		if (st == SJ_OK)
			st = sj_value_set(p->mem, &body, SJ_LIT("root"), v);
	}
	if (st == SJ_OK) {
		st = sj_value_set(p->mem, &body, SJ_LIT("components"), take);
		take = SJ_ABSENT_VALUE;
	}
	if (st == SJ_OK)
		st = sj_value_object(p->mem, &m);
	if (st == SJ_OK && !sj_legacy_is_v08(p)) {
		st = sj_value_string(p->mem, sj_slice_of(sj_version_text(p->version)), &v);
		if (st == SJ_OK)
			st = sj_value_set(p->mem, &m, SJ_LIT("version"), v);
	}
	if (st == SJ_OK) {
		st = sj_value_set(p->mem, &m, sj_legacy_op_name(p->version, SJ_LO_UPDATE), body);
		body = SJ_ABSENT_VALUE;
	}
	sj_value_unref(p->mem, take);
	sj_value_unref(p->mem, body);
	if (st == SJ_OK)
		*out = m;
	else
		sj_value_unref(p->mem, m);
	return st;
}

struct replace { /* of references to what is not here, by stand-ins */
	struct sj_legacy *p;
	struct sj_legacy_surface *s;
	struct sj_slice id;
	struct sj_value *stand_ins;
	struct sj_map *known; /* the stand-ins that are listed already, by number of the component they stand for */
	bool lone;
};

/* A stand-in stands once, at the first place that needs it. */
static enum sj_status list_stand_in(struct replace *r, struct sj_slice key, struct sj_slice id)
{
	struct sj_value v;
	if (sj_map_get(r->known, key) != SJ_MAP_NONE)
		return SJ_OK;
	enum sj_status st = sj_map_put(r->known, key, 1);
	if (st == SJ_OK)
		st = sj_legacy_stand_in(r->p, id, &v);
	return st == SJ_OK ? sj_value_append(r->p->mem, r->stand_ins, v) : st;
}

static enum sj_status replace(void *ctx, struct sj_value *ref)
{
	struct replace *r = ctx;
	struct sj_slice name = sj_value_text(ref);
	struct sj_buf id;

	if (r->lone && is_lone_name(name, r->id)) {
		/* The key must outlive the map: the component's own id does, and nobody refers to it as missing. */
		return list_stand_in(r, r->id, name);
	}
	uint32_t i = sj_map_get(&r->s->ids, name);
	if (i == SJ_MAP_NONE || r->s->components.items[i].value.type != SJ_V_ABSENT)
		return SJ_OK;
	sj_buf_init(&id, r->p->mem, 0);
	sj_buf_puts(&id, "loading_");
	sj_buf_slice(&id, name);
	enum sj_status st = sj_buf_status(&id);
	if (st == SJ_OK)
		st = list_stand_in(r, id_of(&r->s->components.items[i]), sj_buf_view(&id));
	if (st == SJ_OK)
		st = sj_value_string_set(r->p->mem, ref, sj_buf_view(&id));
	sj_buf_finish(&id);
	return st;
}

static bool needs_stand_ins(const struct sj_legacy_surface *s, const struct sj_legacy_component *c)
{
	for (uint32_t i = 0; i < c->refs.count; i++)
		if (s->components.items[c->refs.items[i]].value.type == SJ_V_ABSENT)
			return true;
	return c->lone;
}

static int by_id(const void *a, const void *b)
{
	const struct sj_legacy_component *const *x = a, *const *y = b;
	return sj_slice_cmp(id_of(*x), id_of(*y));
}

/* The reachable components by id, then their stand-ins. *changed: not what was emitted last. */
static enum sj_status build(struct sj_legacy *p, struct sj_legacy_surface *s, struct sj_legacy_component **order,
                            uint32_t n, struct sj_value *list, bool *changed)
{
	struct sj_map known;
	struct sj_value stand_ins = SJ_ABSENT_VALUE;
	struct replace r = {.p = p, .s = s, .stand_ins = &stand_ins, .known = &known};
	enum sj_status st = sj_value_array(p->mem, &stand_ins);

	*changed = false;
	sj_map_init(&known, p->mem, 3);
	for (uint32_t i = 0; st == SJ_OK && i < n; i++) {
		struct sj_value v = sj_value_ref(order[i]->value);
		if (needs_stand_ins(s, order[i])) {
			r.id = id_of(order[i]);
			r.lone = order[i]->lone;
			st = sj_legacy_refs(p, &v, true, replace, &r);
		}
		*changed = *changed || !sj_value_equal(&order[i]->shown, &v);
		if (st == SJ_OK)
			st = sj_value_append(p->mem, list, v);
		else
			sj_value_unref(p->mem, v);
	}
	for (uint32_t i = 0; st == SJ_OK && i < sj_value_count(&stand_ins); i++)
		st = sj_value_append(p->mem, list, sj_value_ref(*sj_value_item(&stand_ins, i)));
	sj_map_finish(&known);
	sj_value_unref(p->mem, stand_ins);
	return st;
}

enum sj_status sj_legacy_surface_show(struct sj_legacy *p, uint32_t surface, struct sj_diag *diag)
{
	struct sj_legacy_surface *s = &p->surfaces.items[surface];
	struct sj_legacy_component **order = NULL;
	struct sj_value list = SJ_ABSENT_VALUE, message;
	enum sj_status st = SJ_OK;
	uint32_t n = 0, total;
	bool changed;

	if (!s->started || !s->dirty || s->root == SJ_LEGACY_NONE)
		return SJ_OK;
	if (s->stale && p->credit < s->components.count)
		return SJ_OK;
	if (s->stale) {
		p->credit -= s->components.count;
		st = reach_anew(p, s);
	}
	if (st != SJ_OK || s->components.items[s->root].value.type == SJ_V_ABSENT ||
	    (s->missing > 0 && !p->stand_ins))
		return st;
	st = check_graph(p, s, diag);
	if (st != SJ_OK)
		return st;
	total = s->components.count;
	order = sj_mem_alloc(p->mem, total * sizeof(*order));
	if (!order)
		return SJ_NOMEM;
	for (uint32_t i = 0; i < total; i++)
		if (s->components.items[i].reached && s->components.items[i].value.type != SJ_V_ABSENT)
			order[n++] = &s->components.items[i];
	if (n > 1)
		qsort(order, n, sizeof(*order), by_id);
	st = sj_value_array(p->mem, &list);
	if (st == SJ_OK)
		st = build(p, s, order, n, &list, &changed);
	if (st == SJ_OK && changed) {
		for (uint32_t i = 0; i < n; i++) {
			sj_value_unref(p->mem, order[i]->shown);
			order[i]->shown = sj_value_ref(*sj_value_item(&list, i));
		}
		struct sj_slice root = s->named_root ? id_of(&s->components.items[s->root]) : SJ_NO_SLICE;
		st = sj_legacy_update_message(p, sj_slice(s->id, s->id_len), root, list, &message);
		list = SJ_ABSENT_VALUE;
		if (st == SJ_OK)
			st = sj_legacy_emit(p, message);
	}
	s->dirty = s->dirty && st != SJ_OK;
	sj_value_unref(p->mem, list);
	sj_mem_free(p->mem, order, total * sizeof(*order));
	return st;
}

enum sj_status sj_legacy_surfaces_end(struct sj_legacy *p, struct sj_diag *diag)
{
	enum sj_status st = SJ_OK;
	p->credit = UINT64_MAX;
	for (uint32_t i = 0; st == SJ_OK && i < p->surfaces.count; i++) {
		struct sj_legacy_surface *s = &p->surfaces.items[i];
		if (!s->live)
			continue;
		st = sj_legacy_surface_show(p, i, diag);
		if (st == SJ_OK && s->started && s->dirty && s->root != SJ_LEGACY_NONE)
			st = check_graph(p, s, diag);
	}
	return st;
}
