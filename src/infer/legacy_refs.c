/* Which strings of a component name other components.
 *
 * The catalog says it: a property whose schema is a ComponentId or a ChildList, at any depth. Older catalogs do not say
 * it of every property, so that the protocol's own names count for every type.
 */
#include "infer/legacy_internal.h"

enum { MOST_STEPS = 20000, MOST_REFS = 16 }; /* of a walk over one catalog; $ref in a row */

struct place { /* of a schema */
	const struct sj_value *schema;
	struct sj_legacy_pattern at;
	uint32_t refs;
};
struct walk {
	struct sj_legacy *p;
	SJ_VEC(struct place) todo;
	uint32_t steps;
	bool names; /* the type has a property of the protocol's own that names components */
};

static bool same(const struct sj_legacy_pattern *a, const struct sj_legacy_pattern *b)
{
	if (a->count != b->count)
		return false;
	for (uint8_t i = 0; i < a->count; i++)
		if ((a->token[i].ptr != NULL) != (b->token[i].ptr != NULL) ||
		    !sj_slice_eq(a->token[i], b->token[i]))
			return false;
	return true;
}

static bool extend(struct sj_legacy_pattern *at, struct sj_slice token)
{
	if (at->count == SJ_LEGACY_TOKENS)
		return false;
	at->token[at->count++] = token;
	return true;
}

/* Of the type whose patterns begin at `first`, or of all. */
static enum sj_status add(struct sj_legacy *p, uint32_t first, const struct sj_legacy_pattern *at)
{
	struct sj_legacy_patterns *s = &p->patterns;
	for (uint32_t i = 0; i < s->list.count; i++)
		if ((i < s->common || i >= first) && same(&s->list.items[i], at))
			return SJ_OK;
	enum sj_status st = SJ_VEC_RESERVE(p->mem, &s->list, s->list.count + 1, 0);
	if (st == SJ_OK)
		s->list.items[s->list.count++] = *at;
	return st;
}

static enum sj_status add_words(struct sj_legacy *p, uint32_t first, const struct sj_legacy_pattern *from,
                                const char *const *words)
{
	struct sj_legacy_pattern at = *from;
	for (; *words; words++)
		if (!extend(&at, strcmp(*words, "*") == 0 ? SJ_NO_SLICE : sj_slice_of(*words)))
			return SJ_OK;
	return add(p, first, &at);
}

static enum sj_status add_child_list(struct sj_legacy *p, uint32_t first, const struct sj_legacy_pattern *at)
{
	static const char *const forms[][3] = {
		{"*"}, {"componentId"}, {"explicitList", "*"}, {"template", "componentId"}};
	enum sj_status st = SJ_OK;
	for (size_t i = 0; st == SJ_OK && i < sizeof forms / sizeof *forms; i++)
		st = add_words(p, first, at, forms[i]);
	return st;
}

static enum sj_status push(struct walk *w, const struct place *from, const struct sj_value *schema,
                           const struct sj_slice *token, bool followed)
{
	struct place next = *from;
	if (!schema || schema->type != SJ_V_OBJECT || (token && !extend(&next.at, *token)))
		return SJ_OK;
	next.schema = schema;
	next.refs = followed ? from->refs + 1 : 0;
	enum sj_status st = SJ_VEC_RESERVE(w->p->mem, &w->todo, w->todo.count + 1, 0);
	if (st == SJ_OK)
		w->todo.items[w->todo.count++] = next;
	return st;
}

static bool ends_with(struct sj_slice s, const char *tail)
{
	size_t n = strlen(tail);
	return s.len >= n && memcmp(s.ptr + s.len - n, tail, n) == 0;
}

static enum sj_status follow(struct walk *w, uint32_t first, const struct place *at, struct sj_slice ref)
{
	const char *hash = ref.len ? memchr(ref.ptr, '#', ref.len) : NULL;
	const struct sj_value *doc = &w->p->catalog;

	if (ends_with(ref, "/ComponentId"))
		return add(w->p, first, &at->at);
	if (ends_with(ref, "/ChildList"))
		return add_child_list(w->p, first, &at->at);
	if (!hash || at->refs >= MOST_REFS)
		return SJ_OK;
	if (ends_with(sj_slice(ref.ptr, (size_t)(hash - ref.ptr)), "common_types.json"))
		doc = &w->p->common;
	return push(w, at, sj_value_at(doc, sj_slice(hash + 1, ref.len - (size_t)(hash + 1 - ref.ptr))), NULL, true);
}

static bool is_own_property(const struct sj_legacy *p, struct sj_slice key)
{
	for (uint32_t i = 0; i < p->patterns.common; i++)
		if (sj_slice_eq(p->patterns.list.items[i].token[0], key))
			return true;
	return false;
}

static enum sj_status look(struct walk *w, uint32_t first, const struct place *at)
{
	static const char *const several[] = {"allOf", "anyOf", "oneOf"};
	const struct sj_value *s = at->schema, *ref = sj_value_get(s, SJ_LIT("$ref")),
			      *title = sj_value_get(s, SJ_LIT("title")),
			      *properties = sj_value_get(s, SJ_LIT("properties"));
	struct sj_slice any = SJ_NO_SLICE;
	enum sj_status st = SJ_OK;

	if (title && sj_value_is_string(title) && sj_slice_is(sj_value_text(title), "ComponentId"))
		st = add(w->p, first, &at->at);
	if (st == SJ_OK && ref && sj_value_is_string(ref))
		st = follow(w, first, at, sj_value_text(ref));
	if (st == SJ_OK)
		st = push(w, at, sj_value_get(s, SJ_LIT("items")), &any, false);
	for (uint32_t i = 0; st == SJ_OK && properties && properties->type == SJ_V_OBJECT &&
	                     i < sj_value_count(properties);
	     i++) {
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(properties, i, &key);
		w->names = w->names || (at->at.count == 0 && is_own_property(w->p, key));
		st = push(w, at, v, &key, false);
	}
	for (size_t k = 0; st == SJ_OK && k < sizeof several / sizeof *several; k++) {
		const struct sj_value *list = sj_value_get(s, sj_slice_of(several[k]));
		for (uint32_t i = 0; st == SJ_OK && list && list->type == SJ_V_ARRAY && i < sj_value_count(list); i++)
			st = push(w, at, sj_value_item(list, i), NULL, true);
	}
	return st;
}

static enum sj_status add_type(struct walk *w, struct sj_slice name, const struct sj_value *schema)
{
	struct sj_legacy_patterns *s = &w->p->patterns;
	struct place start = {0};
	uint32_t first = s->list.count;
	enum sj_status st = push(w, &start, schema, NULL, false);

	while (st == SJ_OK && w->todo.count > 0 && w->steps++ < MOST_STEPS) {
		struct place at = w->todo.items[--w->todo.count];
		st = look(w, first, &at);
	}
	w->todo.count = 0;
	if (st == SJ_OK)
		st = SJ_VEC_RESERVE(w->p->mem, &s->types, s->types.count + 1, 0);
	if (st == SJ_OK)
		st = sj_map_put(&s->names, name, s->types.count);
	if (st == SJ_OK)
		s->types.items[s->types.count++] = (struct sj_legacy_run){
			.first = first, .count = s->list.count - first, .names = w->names || s->list.count > first};
	w->names = false;
	return st;
}

enum sj_status sj_legacy_patterns_init(struct sj_legacy *p)
{
	static const char *const own[][4] = {
		{"child"}, {"contentChild"}, {"entryPointChild"}, {"tabItems", "*", "child"}, {"tabs", "*", "child"}};
	struct sj_legacy_pattern none = {0}, children = {.token = {SJ_LIT("children")}, .count = 1};
	const struct sj_value *components = p->catalog.type == SJ_V_OBJECT
	                                            ? sj_value_get(&p->catalog, SJ_LIT("components"))
	                                            : NULL;
	struct walk w = {.p = p};
	enum sj_status st = SJ_OK;

	sj_map_init(&p->patterns.names, p->mem, 1);
	for (size_t i = 0; st == SJ_OK && i < sizeof own / sizeof *own; i++)
		st = add_words(p, 0, &none, own[i]);
	if (st == SJ_OK)
		st = add_child_list(p, 0, &children);
	p->patterns.common = p->patterns.list.count;
	for (uint32_t i = 0;
	     st == SJ_OK && components && components->type == SJ_V_OBJECT && i < sj_value_count(components); i++) {
		struct sj_slice name;
		const struct sj_value *schema = sj_value_member(components, i, &name);
		st = add_type(&w, name, schema);
	}
	SJ_VEC_FREE(p->mem, &w.todo);
	return st;
}

void sj_legacy_patterns_finish(struct sj_legacy *p)
{
	SJ_VEC_FREE(p->mem, &p->patterns.list);
	SJ_VEC_FREE(p->mem, &p->patterns.types);
	sj_map_finish(&p->patterns.names);
}

bool sj_legacy_may_name(const struct sj_legacy *p, struct sj_slice type)
{
	uint32_t i = sj_map_get(&p->patterns.names, type);
	return i != SJ_MAP_NONE && p->patterns.types.items[i].names;
}

static struct sj_legacy_run patterns_of(const struct sj_legacy *p, struct sj_slice type)
{
	uint32_t i = sj_map_get(&p->patterns.names, type);
	return i == SJ_MAP_NONE ? (struct sj_legacy_run){0} : p->patterns.types.items[i];
}

static struct sj_value *props_of(struct sj_legacy *p, struct sj_value *component, struct sj_slice *type, bool own,
                                 enum sj_status *status)
{
	const struct sj_value *c = component->type == SJ_V_OBJECT ? sj_value_get(component, SJ_LIT("component")) : NULL;
	const struct sj_value *props;
	struct sj_value *place;

	*status = SJ_OK;
	if (!c)
		return NULL;
	if (!sj_legacy_is_v08(p)) {
		*type = sj_value_text(c);
		return component;
	}
	if (c->type != SJ_V_OBJECT || sj_value_count(c) == 0)
		return NULL;
	props = sj_value_member(c, 0, type);
	if (props->type != SJ_V_OBJECT)
		return NULL;
	place = own ? sj_value_own_member(p->mem, component, SJ_LIT("component"), status)
	            : (struct sj_value *)(uintptr_t)c;
	if (!place)
		return NULL;
	return own ? sj_value_own_member(p->mem, place, *type, status) : (struct sj_value *)(uintptr_t)props;
}

/* All strings at one pattern, depth first. */
static enum sj_status at_pattern(struct sj_legacy *p, struct sj_value *props, const struct sj_legacy_pattern *pattern,
                                 bool own, sj_legacy_ref_fn fn, void *ctx)
{
	struct {
		struct sj_value *v;
		uint32_t next;
	} on[SJ_LEGACY_TOKENS + 1];
	enum sj_status st = SJ_OK;
	uint8_t depth = 0;

	on[0].v = props;
	on[0].next = 0;
	for (;;) {
		struct sj_value *v = on[depth].v, *child = NULL;
		if (depth == pattern->count) {
			if (sj_value_is_string(v) && (st = fn(ctx, v)) != SJ_OK)
				return st;
		} else if (pattern->token[depth].ptr == NULL) {
			uint32_t i = on[depth].next++;
			if (v->type == SJ_V_ARRAY && i < sj_value_count(v)) {
				child = own ? sj_value_own_item(p->mem, v, i, &st)
				            : (struct sj_value *)(uintptr_t)sj_value_item(v, i);
			}
		} else if (v->type == SJ_V_OBJECT && on[depth].next++ == 0) {
			const struct sj_value *found = sj_value_get(v, pattern->token[depth]);
			child = found && own ? sj_value_own_member(p->mem, v, pattern->token[depth], &st)
			                     : (struct sj_value *)(uintptr_t)found;
		}
		if (st != SJ_OK)
			return st;
		if (child) {
			on[++depth].v = child;
			on[depth].next = 0;
		} else if (depth-- == 0) {
			return SJ_OK;
		}
	}
}

enum sj_status sj_legacy_refs(struct sj_legacy *p, struct sj_value *component, bool own, sj_legacy_ref_fn fn, void *ctx)
{
	struct sj_slice type = SJ_NO_SLICE;
	enum sj_status st;
	struct sj_value *props = props_of(p, component, &type, own, &st);
	if (!props)
		return st;
	struct sj_legacy_run own_patterns = patterns_of(p, type);
	for (uint32_t i = 0; st == SJ_OK && i < p->patterns.common; i++)
		st = at_pattern(p, props, &p->patterns.list.items[i], own, fn, ctx);
	for (uint32_t i = 0; st == SJ_OK && i < own_patterns.count; i++)
		st = at_pattern(p, props, &p->patterns.list.items[own_patterns.first + i], own, fn, ctx);
	return st;
}

bool sj_legacy_lists_refs(struct sj_legacy *p, const struct sj_legacy_node *component,
                          const struct sj_legacy_node *array)
{
	const struct sj_legacy_node *props = component, *c = sj_legacy_member(component, SJ_LIT("component")),
				    *n = array;
	struct sj_legacy_pattern at = {0};
	struct sj_slice type, path[SJ_LEGACY_TOKENS];
	size_t count = 0;

	if (!c)
		return false;
	if (sj_legacy_is_v08(p)) {
		props = c->first;
		if (!props)
			return false;
		type = props->key;
	} else {
		type = c->type == SJ_LN_STRING ? c->text : SJ_NO_SLICE;
	}
	for (; n && n != props; n = n->parent) {
		if (count == SJ_LEGACY_TOKENS)
			return false;
		path[count++] = n->key;
	}
	if (!n)
		return false;
	while (count > 0)
		extend(&at, path[--count]);
	if (!extend(&at, SJ_NO_SLICE))
		return false;
	struct sj_legacy_run own = patterns_of(p, type);
	for (uint32_t i = 0; i < p->patterns.list.count; i++)
		if ((i < p->patterns.common || i - own.first < own.count) && same(&p->patterns.list.items[i], &at))
			return true;
	return false;
}
