/* Choosing among catalogs. */
#include "a2ui/catalog_internal.h"

enum sj_status sj_catalog_choose(const struct sj_catalog_choice *choice, struct sj_slice own_id, struct sj_slice *out,
                                 struct sj_diag *diag)
{
	struct sj_slice id = own_id.ptr ? own_id : choice->default_id;
	if (!id.ptr)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG,
		                   "Surface '%.*s' has no default catalogId", SJ_ARG(choice->surface_id));
	for (uint32_t i = 0; choice->supported && i <= choice->nsupported; i++) {
		if (i == choice->nsupported)
			return sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG,
			                   "Catalog '%.*s' is not supported by surface '%.*s'.", SJ_ARG(id),
			                   SJ_ARG(choice->surface_id));
		if (sj_slice_eq(choice->supported[i], id))
			break;
	}
	*out = id;
	return SJ_OK;
}

enum sj_status sj_catalog_mix(enum sj_version surface, struct sj_slice catalog_id, enum sj_version catalog,
                              struct sj_diag *diag)
{
	if (sj_version_compatible(surface, catalog) || (catalog == SJ_VERSION_NONE && surface < SJ_V10))
		return SJ_OK;
	return sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG,
	                   "Protocol version mismatch: cannot mix catalog '%.*s' (%s) with surface version %s.",
	                   SJ_ARG(catalog_id), catalog == SJ_VERSION_NONE ? "no version" : sj_version_text(catalog),
	                   sj_version_text(surface));
}

struct negotiation {
	struct sj_mem *mem;
	const struct sj_catalog *const *held;
	uint32_t nheld;
	const struct sj_catalog **active;
	uint32_t cap, n;
	struct sj_catalog **made;
	uint32_t nmade;
	struct sj_diag *diag;
};

static enum sj_status activate(struct negotiation *g, const struct sj_catalog *c)
{
	for (uint32_t i = 0; i < g->n; i++)
		if (g->active[i] == c)
			return SJ_OK;
	if (g->n == g->cap)
		return sj_diag_set(g->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_CATALOG,
		                   "More than %u catalogs in one session", g->cap);
	g->active[g->n++] = c;
	return SJ_OK;
}

const char *sj_capabilities_key(enum sj_version v)
{
	return v == SJ_V091 || v == SJ_VERSION_NONE ? "v0.9" : sj_version_text(v);
}

static enum sj_status by_entry(struct negotiation *g, struct sj_cat_node entry, enum sj_version v, bool accepts_inline,
                               bool *refused)
{
	enum sj_status st = SJ_OK;
	struct sj_cat_node ids = sj_cat_get(entry, "supportedCatalogIds"), list = sj_cat_get(entry, "inlineCatalogs");
	for (uint32_t at = sj_cat_is(ids, SJ_J_ARRAY) ? sj_tape_first(ids.t, ids.cell) : 0;
	     at > 0 && at < ids.t->cells[ids.cell].end && st == SJ_OK; at = sj_tape_next(ids.t, at))
		for (uint32_t i = 0; i < g->nheld && st == SJ_OK; i++)
			if (sj_tape_type(ids.t, at) == SJ_J_STRING &&
			    sj_tape_string_is(ids.t, at, g->held[i]->id) &&
			    strcmp(sj_capabilities_key(g->held[i]->rules), sj_capabilities_key(v)) == 0)
				st = activate(g, g->held[i]);
	for (uint32_t at = sj_cat_is(list, SJ_J_ARRAY) ? sj_tape_first(list.t, list.cell) : 0;
	     at > 0 && at < list.t->cells[list.cell].end && st == SJ_OK; at = sj_tape_next(list.t, at)) {
		*refused = !accepts_inline;
		if (!accepts_inline)
			continue;
		if (g->nmade == g->cap)
			return sj_diag_set(g->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_CATALOG,
			                   "More than %u catalogs in one session", g->cap);
		struct sj_catalog_options opt = {.version = v};
		st = sj_catalog_load(g->mem, sj_tape_source(list.t, at), &opt, &g->made[g->nmade], g->diag);
		if (st == SJ_OK)
			st = activate(g, g->made[g->nmade++]);
	}
	return st;
}

static enum sj_status negotiate(struct negotiation *g, const struct sj_tape *caps, uint32_t cell, bool accepts_inline)
{
	enum sj_status st = SJ_OK;
	if (!caps) {
		for (uint32_t i = 0; i < g->nheld && st == SJ_OK; i++)
			st = activate(g, g->held[i]);
		return st;
	}
	bool refused = false, found = g->nheld == 0;
	/* Which entries count: those of the versions held, in that order. Who holds nothing can only be brought
	 * catalogs, of any version. */
	static const enum sj_version any[] = {SJ_V10, SJ_V09, SJ_V08};
	uint32_t n = g->nheld > 0 ? g->nheld : sizeof any / sizeof *any;
	for (uint32_t i = 0; i < n && st == SJ_OK; i++) {
		enum sj_version v = g->nheld > 0 ? g->held[i]->rules : any[i];
		const char *name = sj_capabilities_key(v);
		bool seen = false;
		for (uint32_t k = 0; k < i && g->nheld > 0; k++)
			seen = seen || strcmp(sj_capabilities_key(g->held[k]->rules), name) == 0;
		struct sj_cat_node whole = {caps, cell}, entry = sj_cat_get(whole, name);
		/* The schemas of v0.9.x have one key; the reference renderer writes the other when it speaks v0.9.1. */
		if (!entry.t && strcmp(name, "v0.9") == 0)
			entry = sj_cat_get(whole, "v0.9.1");
		/* v0.8 has one object without versions. */
		if (v == SJ_V08 && !entry.t &&
		    (sj_cat_get(whole, "supportedCatalogIds").t || sj_cat_get(whole, "inlineCatalogs").t))
			entry = whole;
		if (seen || !sj_cat_is(entry, SJ_J_OBJECT))
			continue;
		found = true;
		st = by_entry(g, entry, v, accepts_inline, &refused);
	}
	if (st != SJ_OK)
		return st;
	if (!found)
		return sj_diag_set(g->diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                   "Capabilities have no entry for %s", sj_capabilities_key(g->held[0]->rules));
	if (g->n > 0)
		return SJ_OK;
	return sj_diag_set(g->diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG,
	                   "No client-supported catalog found%s",
	                   refused ? "; the agent does not accept inline catalogs" : "");
}

enum sj_status sj_catalog_negotiate(struct sj_mem *mem, const struct sj_catalog *const *held, uint32_t nheld,
                                    const struct sj_tape *caps, uint32_t cell, bool accepts_inline,
                                    const struct sj_catalog **active, uint32_t cap, uint32_t *nactive,
                                    struct sj_catalog **made, uint32_t *nmade, struct sj_diag *diag)
{
	struct negotiation g = {
		.mem = mem, .held = held, .nheld = nheld, .active = active, .cap = cap, .made = made, .diag = diag};
	enum sj_status st = negotiate(&g, caps, cell, accepts_inline);
	if (st != SJ_OK) {
		while (g.nmade > 0)
			sj_catalog_destroy(made[--g.nmade]);
		return st;
	}
	*nactive = g.n;
	*nmade = g.nmade;
	return SJ_OK;
}
