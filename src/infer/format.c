/* Making a format, and names across its catalogs. */
#include "infer/format.h"

#include <string.h>

/* A notation that is not built in has no row. */
static const struct sj_format_ops *const rows[SJ_FORMAT_COUNT] = {
	[SJ_FORMAT_DIRECT_JSON] = &SJ_FORMAT_OPS_DIRECT_JSON,
	[SJ_FORMAT_EXPRESS] = &SJ_FORMAT_OPS_EXPRESS,
	[SJ_FORMAT_VERTICAL] = &SJ_FORMAT_OPS_VERTICAL,
	[SJ_FORMAT_ELEMENTAL] = &SJ_FORMAT_OPS_ELEMENTAL,
};
static const char *const names[SJ_FORMAT_COUNT] = {
	[SJ_FORMAT_DIRECT_JSON] = "direct_json",
	[SJ_FORMAT_EXPRESS] = "express",
	[SJ_FORMAT_VERTICAL] = "vertical",
	[SJ_FORMAT_ELEMENTAL] = "elemental",
};

const char *sj_format_name(enum sj_format_id id) { return (unsigned)id < SJ_FORMAT_COUNT ? names[id] : ""; }

bool sj_format_find(struct sj_slice name, enum sj_format_id *out)
{
	for (unsigned i = 0; i < SJ_FORMAT_COUNT; i++) {
		size_t n = strlen(names[i]);
		bool same = name.len == n;
		for (size_t k = 0; same && k < n; k++)
			same = name.ptr[k] == names[i][k] || (name.ptr[k] == '-' && names[i][k] == '_');
		if (same) {
			*out = (enum sj_format_id)i;
			return true;
		}
	}
	return false;
}

enum sj_status sj_format_create(struct sj_mem *mem, const struct sj_format_options *opt, struct sj_format **out,
                                struct sj_diag *diag)
{
	struct sj_format *f;
	if (!rows[opt->id])
		return sj_diag_set(diag, SJ_INVALID, SJ_E_UNAVAILABLE, SJ_CAT_COMPILE, "the format %s is not built in",
		                   names[opt->id]);
	for (uint32_t i = 0; i < opt->ncatalogs; i++)
		for (uint32_t k = 0; k < i; k++)
			if (sj_slice_eq(sj_catalog_id(opt->catalogs[i]), sj_catalog_id(opt->catalogs[k])))
				return sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG,
				                   "two catalogs have the id '%.*s'",
				                   SJ_ARG(sj_catalog_id(opt->catalogs[i])));
	f = sj_mem_alloc(mem, sizeof *f);
	if (!f)
		return SJ_NOMEM;
	*f = (struct sj_format){.mem = mem, .ops = rows[opt->id], .opt = *opt};
	if (opt->ncatalogs > 0) {
		f->catalogs = sj_mem_alloc(mem, opt->ncatalogs * sizeof *f->catalogs);
		if (!f->catalogs) {
			sj_mem_free(mem, f, sizeof *f);
			return SJ_NOMEM;
		}
		memcpy(f->catalogs, opt->catalogs, opt->ncatalogs * sizeof *f->catalogs);
	}
	f->opt.catalogs = f->catalogs;
	if (f->opt.version == SJ_VERSION_NONE)
		f->opt.version = opt->ncatalogs > 0 ? sj_catalog_version(opt->catalogs[0]) : SJ_V10;
	if (f->opt.version == SJ_VERSION_NONE)
		f->opt.version = SJ_V09;
	if (f->opt.dialect == SJ_DIALECT_AUTO)
		f->opt.dialect = f->opt.version == SJ_V10 && opt->ncatalogs > 1 ? SJ_DIALECT_RESERVED : SJ_DIALECT_BARE;
	*out = f;
	return SJ_OK;
}

void sj_format_destroy(struct sj_format *f)
{
	if (!f)
		return;
	sj_mem_free(f->mem, f->catalogs, f->opt.ncatalogs * sizeof *f->catalogs);
	sj_mem_free(f->mem, f, sizeof *f);
}

enum sj_format_id sj_format_kind(const struct sj_format *f) { return f->opt.id; }
const char *sj_format_tag(const struct sj_format *f) { return f->ops->tags[0]; }
enum sj_version sj_format_version(const struct sj_format *f) { return f->opt.version; }

bool sj_format_streams(const struct sj_format *f) { return f->ops->streams; }

struct sj_slice sj_format_key_path(const struct sj_format *f)
{
	return f->opt.dialect == SJ_DIALECT_RESERVED ? SJ_LIT("@path") : SJ_LIT("path");
}

struct sj_slice sj_format_key_call(const struct sj_format *f)
{
	return f->opt.dialect == SJ_DIALECT_RESERVED ? SJ_LIT("@call") : SJ_LIT("call");
}

/* ---- names across catalogs --------------------------------------------------------------------------------------- */

static const void *row_of(const struct sj_catalog *c, bool function, struct sj_slice name)
{
	return function ? (const void *)sj_catalog_function(c, name) : (const void *)sj_catalog_component(c, name);
}

static enum sj_status find_name(const struct sj_format *f, bool function, struct sj_slice name, struct sj_slice own,
                                const struct sj_catalog **catalog, const void **out, struct sj_diag *diag)
{
	const char *what = function ? "function" : "component";
	const struct sj_catalog *found = NULL;
	uint32_t homes = 0;
	bool known = false;

	for (uint32_t i = 0; i < f->opt.ncatalogs; i++) {
		const struct sj_catalog *c = f->catalogs[i];
		if (own.ptr && !sj_slice_eq(sj_catalog_id(c), own))
			continue;
		known = true;
		if (row_of(c, function, name)) {
			found = found ? found : c;
			homes++;
		}
	}
	if (own.ptr && !known)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_VALIDATION,
		                   "%s '%.*s': catalogId '%.*s' is none of the active catalogs", what, SJ_ARG(name),
		                   SJ_ARG(own));
	if (homes == 0)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                   own.ptr ? "Unrecognized %s '%.*s' in catalog '%.*s'" : "Unrecognized %s '%.*s'%.*s",
		                   what, SJ_ARG(name), SJ_ARG(own));
	if (homes > 1) {
		sj_diag_hint(diag, "say which with a catalogId");
		return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                   "%s '%.*s' is in %u of the active catalogs: a catalogId must say which", what,
		                   SJ_ARG(name), homes);
	}
	*catalog = found;
	*out = row_of(found, function, name);
	return SJ_OK;
}

enum sj_status sj_format_component(const struct sj_format *f, struct sj_slice name, struct sj_slice own,
                                   const struct sj_catalog **catalog, const struct sj_a2ui_component **out,
                                   struct sj_diag *diag)
{
	const void *row = NULL;
	enum sj_status st = find_name(f, false, name, own, catalog, &row, diag);
	if (st == SJ_OK)
		*out = row;
	return st;
}

enum sj_status sj_format_function(const struct sj_format *f, struct sj_slice name, struct sj_slice own,
                                  const struct sj_catalog **catalog, const struct sj_a2ui_function **out,
                                  struct sj_diag *diag)
{
	const void *row = NULL;
	enum sj_status st = find_name(f, true, name, own, catalog, &row, diag);
	if (st == SJ_OK)
		*out = row;
	return st;
}
