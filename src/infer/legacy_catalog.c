/* The agent's side as it was before negotiation: one catalog for a client, chosen and put together from documents. */
#include "infer/legacy.h"

static const struct sj_value *get(const struct sj_value *v, const char *key)
{
	return v && v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(key)) : NULL;
}

static bool is_list(const struct sj_value *v) { return v && v->type == SJ_V_ARRAY && sj_value_count(v) > 0; }

static const struct sj_value *first_wanted(const struct sj_value *supported, const struct sj_value *ids)
{
	for (uint32_t i = 0; is_list(ids) && i < sj_value_count(ids); i++)
		for (uint32_t k = 0; k < sj_value_count(supported); k++) {
			const struct sj_value *doc = sj_value_item(supported, k), *id = get(doc, "catalogId");
			if (id && sj_value_equal(id, sj_value_item(ids, i)))
				return doc;
		}
	return NULL;
}

/* The members of one section of `from` replace or join those of `to`. */
static enum sj_status merge(struct sj_mem *mem, struct sj_value *to, const struct sj_value *from, const char *section)
{
	const struct sj_value *more = get(from, section);
	enum sj_status st = SJ_OK;
	if (!more || more->type != SJ_V_OBJECT)
		return SJ_OK;
	if (!get(to, section)) {
		struct sj_value empty;
		st = sj_value_object(mem, &empty);
		if (st == SJ_OK)
			st = sj_value_set(mem, to, sj_slice_of(section), empty);
	}
	struct sj_value *all = st == SJ_OK ? sj_value_own_member(mem, to, sj_slice_of(section), &st) : NULL;
	for (uint32_t i = 0; all && all->type == SJ_V_OBJECT && i < sj_value_count(more) && st == SJ_OK; i++) {
		struct sj_slice name;
		const struct sj_value *v = sj_value_member(more, i, &name);
		st = sj_value_set(mem, all, name, sj_value_ref(*v));
	}
	return st;
}

enum sj_status sj_legacy_select(struct sj_mem *mem, const struct sj_value *supported,
                                const struct sj_value *capabilities, bool accepts_inline, struct sj_value *out,
                                struct sj_diag *diag)
{
	const struct sj_value *ids = get(capabilities, "supportedCatalogIds"),
			      *inlines = get(capabilities, "inlineCatalogs");
	if (sj_value_count(supported) == 0)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG,
		                   "The agent has no catalog to choose from");
	if (is_list(inlines) && !accepts_inline)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG,
		                   "The client sent catalogs of its own, but the agent does not accept inline catalogs");
	const struct sj_value *chosen = first_wanted(supported, ids);
	/* What a client brings along is an addition to some catalog, if need be to the agent's first. */
	if (!chosen && is_list(ids) && !is_list(inlines))
		return sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG,
		                   "No client-supported catalog found among those of the agent");
	struct sj_value merged = sj_value_ref(chosen ? *chosen : *sj_value_item(supported, 0));
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; is_list(inlines) && i < sj_value_count(inlines) && st == SJ_OK; i++) {
		static const char *const sections[] = {"components", "functions", "styles"};
		for (size_t k = 0; k < sizeof sections / sizeof *sections && st == SJ_OK; k++)
			st = merge(mem, &merged, sj_value_item(inlines, i), sections[k]);
	}
	if (st == SJ_OK)
		*out = merged;
	else
		sj_value_unref(mem, merged);
	return st;
}

/* ---- modifiers --------------------------------------------------------------------------------------------------- */

enum { MAX_DEPTH = SJ_JSON_MAX_DEPTH };

/* Visits every object below the document, parents first; `path` holds who owns whom, so that each is made our own on
 * the way down. */
static enum sj_status loosen(struct sj_mem *mem, struct sj_value *doc)
{
	static const char *const closers[] = {"additionalProperties", "unevaluatedProperties"};
	struct level {
		struct sj_value *v;
		uint32_t next;
	};
	SJ_VEC(struct level) path = {0};
	enum sj_status st = SJ_VEC_RESERVE(mem, &path, 1, 0);
	if (st == SJ_OK)
		path.items[path.count++] = (struct level){doc, 0};
	while (path.count > 0 && st == SJ_OK) {
		struct level *at = &path.items[path.count - 1];
		for (size_t i = 0; at->next == 0 && at->v->type == SJ_V_OBJECT && st == SJ_OK && i < 2; i++) {
			const struct sj_value *closer = get(at->v, closers[i]);
			if (closer && closer->type == SJ_V_FALSE)
				st = sj_value_unset(mem, at->v, sj_slice_of(closers[i]));
		}
		if (st != SJ_OK)
			break;
		if (at->next == sj_value_count(at->v) || path.count == MAX_DEPTH) {
			path.count--;
			continue;
		}
		struct sj_slice key;
		const struct sj_value *child = at->v->type == SJ_V_ARRAY ? sj_value_item(at->v, at->next)
		                                                         : sj_value_member(at->v, at->next, &key);
		uint32_t index = at->next++;
		if (!sj_value_is_container(child))
			continue;
		struct sj_value *own = at->v->type == SJ_V_ARRAY ? sj_value_own_item(mem, at->v, index, &st)
		                                                 : sj_value_own_member(mem, at->v, key, &st);
		if (st == SJ_OK)
			st = SJ_VEC_RESERVE(mem, &path, path.count + 1, 0);
		if (st == SJ_OK && own)
			path.items[path.count++] = (struct level){own, 0};
	}
	SJ_VEC_FREE(mem, &path);
	return st;
}

enum sj_status sj_legacy_modify(struct sj_mem *mem, struct sj_slice modifier, struct sj_value *document,
                                struct sj_diag *diag)
{
	struct sj_value copy = sj_value_ref(*document);
	if (!sj_slice_is(modifier, "remove_strict_validation")) {
		sj_value_unref(mem, copy);
		return sj_diag_set(diag, SJ_INVALID, SJ_E_USAGE, SJ_CAT_CATALOG, "There is no modifier '%.*s'",
		                   SJ_ARG(modifier));
	}
	enum sj_status st = loosen(mem, &copy);
	if (st != SJ_OK) {
		sj_value_unref(mem, copy);
		return st;
	}
	sj_value_unref(mem, *document);
	*document = copy;
	return SJ_OK;
}
