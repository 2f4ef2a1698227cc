/* The agent: registered catalogs, each changed once by its transformers. */
#include "infer/session.h"

struct sj_agent {
	struct sj_mem *mem;
	struct sj_catalog **catalogs; /* owned */
	uint32_t ncatalogs;
	bool accepts_inline;
};

/* Our own copy of a catalog after every transformer. Without any it is still a copy: a registration is borrowed only
 * while the agent is made. */
static enum sj_status transformed(struct sj_mem *mem, const struct sj_registration *r, struct sj_catalog **out)
{
	struct sj_catalog *c = NULL;
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; i < r->ntransformers || !c; i++) {
		static const struct sj_pruning all = {0};
		const struct sj_pruning *p = i < r->ntransformers ? &r->transformers[i] : &all;
		struct sj_catalog *next = NULL;
		st = sj_catalog_prune(mem, c ? c : r->catalog, p->components, p->ncomponents, p->functions,
		                      p->nfunctions, &next);
		sj_catalog_destroy(c);
		if (st != SJ_OK)
			return st;
		c = next;
	}
	*out = c;
	return SJ_OK;
}

enum sj_status sj_agent_create(struct sj_mem *mem, const struct sj_agent_options *opt, struct sj_agent **out,
                               struct sj_diag *diag)
{
	struct sj_agent *a;
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; i < opt->ncatalogs; i++)
		for (uint32_t k = 0; k < i; k++)
			if (sj_slice_eq(sj_catalog_id(opt->catalogs[i].catalog),
			                sj_catalog_id(opt->catalogs[k].catalog)))
				return sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG,
				                   "Catalog '%.*s' is registered twice",
				                   SJ_ARG(sj_catalog_id(opt->catalogs[i].catalog)));
	a = sj_mem_alloc(mem, sizeof *a);
	if (!a)
		return SJ_NOMEM;
	*a = (struct sj_agent){.mem = mem, .ncatalogs = opt->ncatalogs, .accepts_inline = opt->accepts_inline};
	if (opt->ncatalogs > 0)
		a->catalogs = sj_mem_zalloc(mem, opt->ncatalogs * sizeof *a->catalogs);
	if (opt->ncatalogs > 0 && !a->catalogs) {
		sj_mem_free(mem, a, sizeof *a);
		return SJ_NOMEM;
	}
	for (uint32_t i = 0; i < opt->ncatalogs && st == SJ_OK; i++)
		st = transformed(mem, &opt->catalogs[i], &a->catalogs[i]);
	if (st != SJ_OK) {
		sj_agent_destroy(a);
		return st;
	}
	*out = a;
	return SJ_OK;
}

void sj_agent_destroy(struct sj_agent *a)
{
	if (!a)
		return;
	for (uint32_t i = 0; i < a->ncatalogs; i++)
		sj_catalog_destroy(a->catalogs[i]);
	sj_mem_free(a->mem, a->catalogs, a->ncatalogs * sizeof *a->catalogs);
	sj_mem_free(a->mem, a, sizeof *a);
}

uint32_t sj_agent_catalog_count(const struct sj_agent *a) { return a->ncatalogs; }
const struct sj_catalog *sj_agent_catalog(const struct sj_agent *a, uint32_t i) { return a->catalogs[i]; }
bool sj_agent_accepts_inline(const struct sj_agent *a) { return a->accepts_inline; }
struct sj_mem *sj_agent_mem(const struct sj_agent *a) { return a->mem; }

enum sj_status sj_agent_capabilities(const struct sj_agent *a, struct sj_buf *out)
{
	uint32_t entries = 0;
	sj_buf_putc(out, '{');
	for (uint32_t i = 0; i < a->ncatalogs; i++) {
		const char *key = sj_capabilities_key(sj_catalog_version(a->catalogs[i]));
		bool said = false;
		for (uint32_t k = 0; k < i; k++)
			said = said || strcmp(sj_capabilities_key(sj_catalog_version(a->catalogs[k])), key) == 0;
		if (said)
			continue;
		sj_buf_printf(out, "%s\"%s\":{\"supportedCatalogIds\":[", entries++ ? "," : "", key);
		for (uint32_t k = i, n = 0; k < a->ncatalogs; k++) {
			if (strcmp(sj_capabilities_key(sj_catalog_version(a->catalogs[k])), key) != 0)
				continue;
			sj_buf_puts(out, n++ ? "," : "");
			sj_json_print_string(out, sj_catalog_id(a->catalogs[k]));
		}
		sj_buf_printf(out, "],\"acceptsInlineCatalogs\":%s}", a->accepts_inline ? "true" : "false");
	}
	sj_buf_putc(out, '}');
	return sj_buf_status(out);
}

enum sj_status sj_agent_negotiate(const struct sj_agent *a, const struct sj_tape *capabilities, uint32_t cell,
                                  struct sj_negotiated *out, struct sj_diag *diag)
{
	const struct sj_catalog *const *held = (const struct sj_catalog *const *)a->catalogs;
	*out = (struct sj_negotiated){0};
	return sj_catalog_negotiate(a->mem, held, a->ncatalogs, capabilities, cell, a->accepts_inline, out->active,
	                            SJ_SESSION_MAX_CATALOGS, &out->nactive, out->made, &out->nmade, diag);
}

void sj_negotiated_finish(struct sj_negotiated *n)
{
	for (uint32_t i = 0; i < n->nmade; i++)
		sj_catalog_destroy(n->made[i]);
	*n = (struct sj_negotiated){0};
}
