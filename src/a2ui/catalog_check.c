/* Thin version: accepts everything until the schema engine is there; to be replaced before this module is called done. */
#include "a2ui/catalog_internal.h"

void sj_cat_set_destroy(struct sj_cat_set *s, struct sj_mem *mem) { (void)s; (void)mem; }

enum sj_status sj_cat_component_shape(struct sj_catalog *c, struct sj_cat_component *comp, const struct sj_cat_props *props)
{
	(void)c; (void)comp; (void)props;
	return SJ_OK;
}

enum sj_status sj_cat_function_shape(struct sj_catalog *c, struct sj_cat_function *f)
{
	(void)c; (void)f;
	return SJ_OK;
}

enum sj_status sj_catalog_check_component(const struct sj_catalog *c, const struct sj_a2ui_component *type, enum sj_dialect dialect,
                                          const struct sj_tape *t, uint32_t cell, struct sj_arena *scratch, sj_schema_fault_fn fn, void *ctx)
{
	(void)c; (void)type; (void)dialect; (void)t; (void)cell; (void)scratch; (void)fn; (void)ctx;
	return SJ_OK;
}

enum sj_status sj_catalog_check_call(const struct sj_catalog *c, const struct sj_a2ui_function *f, enum sj_dialect dialect,
                                     const struct sj_tape *t, uint32_t cell, struct sj_arena *scratch, sj_schema_fault_fn fn, void *ctx)
{
	(void)c; (void)f; (void)dialect; (void)t; (void)cell; (void)scratch; (void)fn; (void)ctx;
	return SJ_OK;
}

enum sj_status sj_catalog_check_theme(const struct sj_catalog *c, const struct sj_tape *t, uint32_t cell, struct sj_arena *scratch,
                                      sj_schema_fault_fn fn, void *ctx)
{
	(void)c; (void)t; (void)cell; (void)scratch; (void)fn; (void)ctx;
	return SJ_OK;
}

enum sj_status sj_catalog_emit(const struct sj_catalog *c, struct sj_buf *out) { sj_buf_slice(out, sj_catalog_document(c)); return sj_buf_status(out); }
enum sj_status sj_catalog_emit_inline(const struct sj_catalog *c, struct sj_buf *out) { return sj_catalog_emit(c, out); }
enum sj_status sj_catalog_prune(struct sj_mem *mem, const struct sj_catalog *c, const struct sj_slice *components, uint32_t ncomponents,
                                const struct sj_slice *functions, uint32_t nfunctions, struct sj_catalog **out)
{
	(void)mem; (void)c; (void)components; (void)ncomponents; (void)functions; (void)nfunctions; (void)out;
	return SJ_ABSENT;
}
enum sj_status sj_catalog_from_host(struct sj_mem *mem, const struct sj_host_catalog *host, sj_impl_fn impl, void *impl_ctx,
                                    struct sj_catalog **out, struct sj_diag *diag)
{
	(void)mem; (void)host; (void)impl; (void)impl_ctx; (void)out; (void)diag;
	return SJ_ABSENT;
}
