/* Examples as a notation shows them best: what makes one surface joined into one message where the version allows it,
 * and children before their parents where the notation nests them. What a renderer shows in the end is the same. */
#include "infer/compact_section.h"

static const struct sj_value *body_of(const struct sj_value *m, const char *kind)
{
	const struct sj_value *body = m->type == SJ_V_OBJECT ? sj_value_get(m, sj_slice_of(kind)) : NULL;
	return body && body->type == SJ_V_OBJECT ? body : NULL;
}

static bool same_surface(const struct sj_value *a, const struct sj_value *b)
{
	const struct sj_value *x = sj_value_get(a, SJ_LIT("surfaceId")), *y = sj_value_get(b, SJ_LIT("surfaceId"));
	return x && y && sj_value_equal(x, y);
}

static bool has_root(const struct sj_value *components)
{
	struct sj_slice id;
	for (uint32_t i = 0; components && i < sj_value_count(components); i++)
		if (sj_value_item(components, i)->type == SJ_V_OBJECT &&
		    sj_text_member(sj_value_item(components, i), "id", &id) && sj_slice_is(id, "root"))
			return true;
	return false;
}

/* The whole model: no path, or that of the root. */
static const struct sj_value *whole_model(const struct sj_value *update)
{
	const struct sj_value *path = sj_value_get(update, SJ_LIT("path")),
			      *value = sj_value_get(update, SJ_LIT("value"));
	bool root = !path || (sj_value_is_string(path) &&
	                      (sj_value_text(path).len == 0 || sj_slice_is(sj_value_text(path), "/")));
	return root && value && value->type == SJ_V_OBJECT ? value : NULL;
}

/* ---- children first ---------------------------------------------------------------------------------------------- */

struct order {
	const struct sj_format *f;
	const struct sj_value *list;
	struct sj_map ids; /* id: place */
	uint8_t *state;    /* 1: on the way, 2: done */
	struct sj_value out;
};

/* The i-th child of a component that stands where elements nest; NONE: no more. UINT32_MAX - 1: one that is not here.
 */
static uint32_t child_at(const struct order *o, const struct sj_value *c, uint32_t i)
{
	struct sj_cwriter w = {.f = o->f};
	const struct sj_a2ui_component *type;
	struct sj_slice written, id, path;
	if (sj_compact_type(&w, c, &type, &written) != SJ_OK)
		return SJ_MAP_NONE;
	for (uint32_t k = 0; k < type->npositions; k++) {
		const struct sj_a2ui_prop *p = type->positions[k];
		const struct sj_value *v = sj_value_get(c, p->name);
		uint32_t n = 0;
		bool templated = v && p->cls == SJ_AC_CHILD_LIST && sj_compact_template(v, &id, &path);
		if (v && p->cls == SJ_AC_CHILD && sj_value_is_string(v)) {
			n = 1;
			id = sj_value_text(v);
		} else if (templated) {
			n = 1;
		} else if (v && p->cls == SJ_AC_CHILD_LIST && v->type == SJ_V_ARRAY) {
			n = sj_value_count(v);
			if (i < n)
				id = sj_value_text(sj_value_item(v, i));
		}
		if (i >= n) {
			i -= n;
			continue;
		}
		uint32_t at = sj_map_get(&o->ids, id);
		return at == SJ_MAP_NONE ? SJ_MAP_NONE - 1 : at;
	}
	return SJ_MAP_NONE;
}

enum { MAX_WAY = 64 };

/* One component behind all that is below it. Too deep: it stands as it comes. */
static enum sj_status place(struct order *o, uint32_t root)
{
	struct { uint32_t at, next;
	} way[MAX_WAY];
	uint32_t n = 0;
	enum sj_status st = SJ_OK;
	if (o->state[root])
		return SJ_OK;
	o->state[root] = 1;
	way[n].at = root;
	way[n++].next = 0;
	while (n > 0 && st == SJ_OK) {
		uint32_t at = way[n - 1].at, kid = child_at(o, sj_value_item(o->list, at), way[n - 1].next++);
		if (kid == SJ_MAP_NONE) {
			o->state[at] = 2;
			st = sj_value_append(o->f->mem, &o->out, sj_value_ref(*sj_value_item(o->list, at)));
			n--;
		} else if (kid != SJ_MAP_NONE - 1 && !o->state[kid] && n < MAX_WAY) {
			o->state[kid] = 1;
			way[n].at = kid;
			way[n++].next = 0;
		}
	}
	return st;
}

static enum sj_status children_first(const struct sj_format *f, const struct sj_value *list, struct sj_value *out)
{
	struct order o = {.f = f, .list = list};
	uint32_t n = sj_value_count(list);
	sj_map_init(&o.ids, f->mem, 0);
	o.state = sj_mem_zalloc(f->mem, (size_t)n + 1);
	enum sj_status st = o.state ? sj_value_array(f->mem, &o.out) : SJ_NOMEM;
	for (uint32_t i = 0; i < n && st == SJ_OK; i++) {
		struct sj_slice id;
		if (sj_value_item(list, i)->type == SJ_V_OBJECT && sj_text_member(sj_value_item(list, i), "id", &id))
			st = sj_map_put(&o.ids, id, i);
	}
	uint32_t root = st == SJ_OK ? sj_map_get(&o.ids, SJ_LIT("root")) : SJ_MAP_NONE;
	if (root != SJ_MAP_NONE)
		st = place(&o, root);
	for (uint32_t i = 0; i < n && st == SJ_OK; i++)
		st = place(&o, i);
	sj_map_finish(&o.ids);
	sj_mem_free(f->mem, o.state, (size_t)n + 1);
	if (st == SJ_OK)
		*out = o.out;
	else
		sj_value_unref(f->mem, o.out);
	return st;
}

/* ---- joining ----------------------------------------------------------------------------------------------------- */

/* Joins message `m` into the one that is last; SJ_ABSENT: it stays by itself. */
static enum sj_status join(const struct sj_format *f, struct sj_value *out, const struct sj_value *m)
{
	uint32_t n = sj_value_count(out);
	const struct sj_value *last = n ? body_of(sj_value_item(out, n - 1), "createSurface") : NULL;
	const struct sj_value *more = body_of(m, "updateComponents"), *data = body_of(m, "updateDataModel"),
			      *take = NULL;
	const char *key = more ? "components" : "dataModel";
	enum sj_status st = SJ_OK;
	if (f->opt.version < SJ_V10 || !last || (!more && !data) || !same_surface(last, more ? more : data) ||
	    sj_value_get(last, sj_slice_of(key)))
		return SJ_ABSENT;
	take = more ? sj_value_get(more, SJ_LIT("components")) : whole_model(data);
	if (!take || (more && !has_root(take)))
		return SJ_ABSENT;
	struct sj_value *message = sj_value_own_item(f->mem, out, n - 1, &st), *body = NULL;
	if (message && st == SJ_OK)
		body = sj_value_own_member(f->mem, message, SJ_LIT("createSurface"), &st);
	return body && st == SJ_OK ? sj_value_set(f->mem, body, sj_slice_of(key), sj_value_ref(*take)) : st;
}

/* A message that stays: in the format's own spelling of the version, the whole model at the root's path. */
static enum sj_status keep(const struct sj_format *f, struct sj_value *out, const struct sj_value *m)
{
	struct sj_value copy = sj_value_ref(*m), text;
	struct sj_slice version;
	enum sj_status st = SJ_OK;
	if (sj_text_member(m, "version", &version) && sj_version_compatible(sj_version_find(version), f->opt.version)) {
		st = sj_value_string(f->mem, sj_slice_of(sj_version_text(f->opt.version)), &text);
		if (st == SJ_OK)
			st = sj_value_set(f->mem, &copy, SJ_LIT("version"), text);
	}
	const struct sj_value *data = body_of(m, "updateDataModel");
	if (st == SJ_OK && data && whole_model(data)) {
		struct sj_value *body = sj_value_own_member(f->mem, &copy, SJ_LIT("updateDataModel"), &st);
		if (body && st == SJ_OK)
			st = sj_value_string(f->mem, SJ_LIT("/"), &text);
		if (body && st == SJ_OK)
			st = sj_value_set(f->mem, body, SJ_LIT("path"), text);
	}
	if (st != SJ_OK) {
		sj_value_unref(f->mem, copy);
		return st;
	}
	return sj_value_append(f->mem, out, copy);
}

static enum sj_status reorder(const struct sj_format *f, struct sj_value *messages)
{
	static const char *const kinds[] = {"createSurface", "updateComponents"};
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; i < sj_value_count(messages) && st == SJ_OK; i++)
		for (size_t k = 0; k < 2 && st == SJ_OK; k++) {
			const struct sj_value *body = body_of(sj_value_item(messages, i), kinds[k]),
					      *list = body ? sj_value_get(body, SJ_LIT("components")) : NULL;
			struct sj_value ordered;
			if (!list || list->type != SJ_V_ARRAY)
				continue;
			st = children_first(f, list, &ordered);
			struct sj_value *m = st == SJ_OK ? sj_value_own_item(f->mem, messages, i, &st) : NULL,
					*own = NULL;
			if (m && st == SJ_OK)
				own = sj_value_own_member(f->mem, m, sj_slice_of(kinds[k]), &st);
			if (own && st == SJ_OK)
				st = sj_value_set(f->mem, own, SJ_LIT("components"), ordered);
		}
	return st;
}

enum sj_status sj_compact_fold(const struct sj_format *f, const struct sj_value *messages, struct sj_value *out)
{
	struct sj_value made;
	enum sj_status st = sj_value_array(f->mem, &made);
	for (uint32_t i = 0; i < sj_value_count(messages) && st == SJ_OK; i++) {
		st = join(f, &made, sj_value_item(messages, i));
		if (st == SJ_ABSENT)
			st = keep(f, &made, sj_value_item(messages, i));
	}
	if (st == SJ_OK && f->opt.id == SJ_FORMAT_ELEMENTAL)
		st = reorder(f, &made);
	if (st == SJ_OK)
		*out = made;
	else
		sj_value_unref(f->mem, made);
	return st;
}
