/* Life of the driver: catalogs, peers, capabilities, the data model that travels. */
#include "a2ui/internal.h"

/* ---- what the core asks of the language -------------------------------------------------------------------------- */

static void check_v09(enum sj_result r, const struct sj_value *v, struct sj_check_outcome *out)
{
	sj_a2ui_check_v09(r, v, &out->valid, &out->severity, &out->result);
}
static void check_v10(enum sj_result r, const struct sj_value *v, struct sj_check_outcome *out)
{
	sj_a2ui_check_v10(r, v, &out->valid, &out->severity, &out->result);
}

/* Arguments: text and pattern. */
static enum sj_result matches(struct sj_call *call, struct sj_value *out)
{
	const struct sj_function *regex = call->ctx;
	if (call->nargs == 0 || !sj_value_is_string(&call->args[0]) || sj_value_text(&call->args[0]).len == 0) {
		*out = sj_value_bool(true);
		return SJ_R_OK;
	}
	struct sj_call inner = *call;
	inner.ctx = regex->ctx;
	return regex->eval(&inner, out);
}

static void on_fault(void *ctx, struct sj_surface *s, sj_node_id node, const struct sj_diag *d)
{
	struct sj_view *v = ctx;
	(void)s;
	(void)node;
	(void)sj_emit_fault(v->a, v->peer, v->version, sj_slice(v->id, v->id_len), v, d, d->severity == SJ_SEV_ERROR);
}

static enum sj_status put_env(struct sj_a2ui *a, struct sj_slice name, const char *text)
{
	struct sj_value v;
	enum sj_status st = sj_value_string(a->mem, sj_slice_of(text), &v);
	return st == SJ_OK ? sj_value_set(a->mem, &a->env, name, v) : st;
}

static enum sj_status make_env(struct sj_a2ui *a)
{
	enum sj_status st = sj_value_object(a->mem, &a->env);
	if (st == SJ_OK)
		st = put_env(a, SJ_LIT("locale"), a->opt.locale ? a->opt.locale : "en");
	if (st == SJ_OK)
		st = put_env(a, SJ_LIT("timeZone"), a->opt.time_zone ? a->opt.time_zone : "UTC");
	return st;
}

enum sj_status sj_a2ui_create(const struct sj_a2ui_options *opt, struct sj_a2ui **out)
{
	struct sj_a2ui *a = sj_mem_zalloc(opt->mem, sizeof *a);
	if (!a)
		return SJ_NOMEM;
	a->opt = *opt;
	a->mem = opt->mem;
	sj_arena_init(&a->scratch, a->mem, 4096);
	sj_arena_init(&a->work, a->mem, 4096);
	sj_map_init(&a->views, a->mem, 0);
	a->env = SJ_ABSENT_VALUE;
	a->deferred = (struct sj_function){.name = "deferred", .kind = SJ_FN_DEFERRED};
	a->source = (struct sj_function){.name = "source", .kind = SJ_FN_SOURCE};
	a->agent = (struct sj_function){.name = "agent", .kind = SJ_FN_DEFERRED, .remote = true};
	a->driver_v09 = (struct sj_driver){.name = "a2ui v0.9",
	                                   .text = sj_a2ui_text,
	                                   .truthy = sj_a2ui_truthy_v09,
	                                   .check = check_v09,
	                                   .call_wanted = sj_rpc_call_wanted,
	                                   .call_gone = sj_rpc_call_gone,
	                                   .fault = on_fault,
	                                   .words = sj_a2ui_words,
	                                   .requires = sj_a2ui_requires};
	a->driver_v10 = a->driver_v09;
	a->driver_v10.name = "a2ui v1.0";
	a->driver_v10.truthy = sj_a2ui_truthy_v10;
	a->driver_v10.check = check_v10;
	enum sj_status st = sj_fn_table_create(a->mem, opt->limits, opt->locales, &a->fns);
	if (st == SJ_OK) {
		const struct sj_function *regex = sj_fn_impl(a->fns, SJ_V09, SJ_LIT("regex"));
		a->matches = (struct sj_function){
			.name = "matches", .kind = SJ_FN_PURE, .eval = matches, .ctx = (void *)(uintptr_t)regex};
		st = make_env(a);
	}
	if (st != SJ_OK) {
		sj_a2ui_destroy(a);
		return st;
	}
	*out = a;
	return SJ_OK;
}

void sj_a2ui_destroy(struct sj_a2ui *a)
{
	if (!a)
		return;
	while (a->first)
		sj_view_free(a->first);
	for (uint32_t i = 0; i < a->pending.count; i++) {
		struct sj_pending *p = &a->pending.items[i];
		if (p->rpc_id)
			sj_mem_free(a->mem, p->rpc_id, p->rpc_len + 1);
		if (p->held)
			sj_mem_free(a->mem, p->held, p->held_len + 1);
	}
	for (uint32_t i = 0; i < a->catalogs.count; i++)
		sj_catalog_destroy(a->catalogs.items[i]);
	SJ_VEC_FREE(a->mem, &a->catalogs);
	SJ_VEC_FREE(a->mem, &a->pending);
	SJ_VEC_FREE(a->mem, &a->view_slots);
	SJ_VEC_FREE(a->mem, &a->free_slots);
	sj_map_finish(&a->views);
	sj_fn_table_destroy(a->fns);
	sj_value_unref(a->mem, a->env);
	sj_arena_finish(&a->scratch);
	sj_arena_finish(&a->work);
	sj_mem_free(a->mem, a, sizeof *a);
}

struct sj_fn_table *sj_a2ui_functions(struct sj_a2ui *a) { return a->fns; }
void sj_a2ui_set_line(struct sj_a2ui *a, uint32_t line) { a->base_line = line; }
void sj_a2ui_set_now(struct sj_a2ui *a, int64_t now_ms) { a->now_ms = now_ms; }

/* ---- catalogs ---------------------------------------------------------------------------------------------------- */

enum sj_status sj_a2ui_add_catalog(struct sj_a2ui *a, struct sj_catalog *take, struct sj_diag *diag)
{
	for (uint32_t i = 0; i < a->catalogs.count; i++) {
		const struct sj_catalog *c = a->catalogs.items[i];
		if (!sj_slice_eq(sj_catalog_id(c), sj_catalog_id(take)) ||
		    !sj_version_compatible(sj_catalog_version(c), sj_catalog_version(take)))
			continue;
		enum sj_status st = sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG,
		                                "Catalog '%.*s' is registered already", SJ_ARG(sj_catalog_id(take)));
		sj_catalog_destroy(take);
		return st;
	}
	enum sj_status st = SJ_VEC_RESERVE(a->mem, &a->catalogs, a->catalogs.count + 1, 0);
	if (st != SJ_OK) {
		sj_catalog_destroy(take);
		return st;
	}
	a->catalogs.items[a->catalogs.count++] = take;
	return SJ_OK;
}

uint32_t sj_a2ui_catalog_count(const struct sj_a2ui *a) { return a->catalogs.count; }
const struct sj_catalog *sj_a2ui_catalog_at(const struct sj_a2ui *a, uint32_t i) { return a->catalogs.items[i]; }

/* An unversioned catalog is older than v1.0, so it never serves a surface of v1.0. */
static bool fits(const struct sj_catalog *c, enum sj_version v)
{
	enum sj_version have = sj_catalog_version(c);
	return have == SJ_VERSION_NONE ? v < SJ_V10 : sj_version_compatible(have, v);
}

const struct sj_catalog *sj_a2ui_catalog_find(const struct sj_a2ui *a, struct sj_slice id, enum sj_version v,
                                              const struct sj_catalog **wrong)
{
	*wrong = NULL;
	for (uint32_t i = 0; i < a->catalogs.count; i++) {
		const struct sj_catalog *c = a->catalogs.items[i];
		if (!sj_slice_eq(sj_catalog_id(c), id))
			continue;
		if (fits(c, v))
			return c;
		*wrong = c;
	}
	return NULL;
}

enum sj_status sj_a2ui_capabilities(struct sj_a2ui *a, const enum sj_version *versions, uint32_t n,
                                    bool inline_catalogs, struct sj_buf *out, struct sj_diag *diag)
{
	if (n == 0)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                   "At least one protocol version must be named");
	sj_buf_putc(out, '{');
	for (uint32_t k = 0; k < n; k++) {
		/* v0.9.1 shares the key of v0.9; what v0.8 says stands beside the keys, since it knew none. */
		bool flat = versions[k] == SJ_V08;
		enum sj_status made = flat ? sj_v08_catalogs(a) : SJ_OK;
		if (made != SJ_OK)
			return made;
		sj_buf_puts(out, k ? "," : "");
		if (!flat)
			sj_buf_printf(out, "\"%s\":{", versions[k] == SJ_V091 ? "v0.9" : sj_version_text(versions[k]));
		sj_buf_puts(out, "\"supportedCatalogIds\":[");
		bool first = true;
		for (uint32_t i = 0; i < a->catalogs.count; i++) {
			if (!fits(a->catalogs.items[i], versions[k]))
				continue;
			if (!first)
				sj_buf_putc(out, ',');
			first = false;
			sj_json_print_string(out, sj_catalog_id(a->catalogs.items[i]));
		}
		sj_buf_putc(out, ']');
		if (inline_catalogs) {
			sj_buf_puts(out, ",\"inlineCatalogs\":[");
			first = true;
			for (uint32_t i = 0; i < a->catalogs.count; i++) {
				if (!fits(a->catalogs.items[i], versions[k]))
					continue;
				if (!first)
					sj_buf_putc(out, ',');
				first = false;
				enum sj_status st = sj_catalog_emit_inline(a->catalogs.items[i], out);
				if (st != SJ_OK)
					return st;
			}
			sj_buf_putc(out, ']');
		}
		sj_buf_puts(out, flat ? "" : "}");
	}
	sj_buf_putc(out, '}');
	return sj_buf_status(out);
}

/* ---- data model -------------------------------------------------------------------------------------------------- */

enum sj_status sj_a2ui_data_model(struct sj_a2ui *a, uint32_t peer, enum sj_version version, struct sj_buf *out,
                                  bool *present, struct sj_diag *diag)
{
	*present = false;
	enum sj_version only = SJ_VERSION_NONE;
	if (a->nsending == 0) /* asked for with every message that goes out */
		return SJ_OK;
	for (struct sj_view *v = a->first; v; v = v->next) {
		if (!v->sends || v->peer != peer)
			continue;
		if (version != SJ_VERSION_NONE && !sj_version_compatible(v->version, version))
			continue;
		if (only != SJ_VERSION_NONE && version == SJ_VERSION_NONE && !sj_version_compatible(only, v->version))
			return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
			                   "Surfaces of several protocol versions send their data model: name one version");
		only = v->version;
	}
	if (only == SJ_VERSION_NONE)
		return SJ_OK;
	enum sj_version named = version != SJ_VERSION_NONE ? version : only;
	sj_buf_printf(out, "{\"version\":\"%s\",\"surfaces\":{", sj_version_text(named));
	bool first = true;
	for (struct sj_view *v = a->first; v; v = v->next) {
		if (!v->sends || v->peer != peer || !sj_version_compatible(v->version, named))
			continue;
		if (!first)
			sj_buf_putc(out, ',');
		first = false;
		sj_json_print_string(out, sj_slice(v->id, v->id_len));
		sj_buf_putc(out, ':');
		/* The owner gets its own surface's model; a secret only inside the action it is bound to
		 * (docs/security.md). */
		sj_surface_print_masked(v->core, SJ_ROOT_DATA, out, SJ_PRINT_COMPACT);
	}
	sj_buf_puts(out, "}}");
	*present = true;
	return sj_buf_status(out);
}

/* ---- views ------------------------------------------------------------------------------------------------------- */

uint32_t sj_a2ui_view_count(const struct sj_a2ui *a) { return a->nviews; }
struct sj_view *sj_a2ui_view_at(struct sj_a2ui *a, uint32_t i)
{
	/* Callers walk by index: the last place is remembered until a view comes or goes. */
	struct sj_view *v = a->cursor && a->cursor_at <= i ? a->cursor : a->first;
	uint32_t at = v == a->cursor && v ? a->cursor_at : 0;
	for (; v && at < i; at++)
		v = v->next;
	a->cursor = v;
	a->cursor_at = i;
	return v;
}
void sj_a2ui_drop_peer(struct sj_a2ui *a, uint32_t peer)
{
	for (struct sj_view *v = a->first, *next; v; v = next) {
		next = v->next;
		if (v->peer != peer)
			continue;
		if (!v->waiting)
			(void)sj_emit(a, &(struct sj_out){.kind = SJ_OUT_SURFACE_GONE,
			                                  .peer = peer,
			                                  .view = v,
			                                  .surface_id = sj_slice(v->id, v->id_len)});
		sj_view_free(v);
	}
	sj_pending_drop_peer(a, peer);
}

struct sj_slice sj_a2ui_view_id(const struct sj_view *v) { return sj_slice(v->id, v->id_len); }
uint32_t sj_a2ui_view_peer(const struct sj_view *v) { return v->peer; }
enum sj_version sj_a2ui_view_version(const struct sj_view *v) { return v->version; }
struct sj_surface *sj_a2ui_view_surface(const struct sj_view *v) { return v->core; }
const struct sj_value *sj_a2ui_view_theme(const struct sj_view *v)
{
	return v->theme.type == SJ_V_ABSENT ? NULL : &v->theme;
}
bool sj_a2ui_view_begun(const struct sj_view *v) { return !v->waiting; }
bool sj_a2ui_view_sends(const struct sj_view *v) { return v->sends; }
struct sj_slice sj_a2ui_view_catalog_id(const struct sj_view *v)
{
	return v->catalog ? sj_catalog_id(v->catalog) : SJ_NO_SLICE;
}
uint32_t sj_a2ui_view_uid(const struct sj_view *v) { return v->uid; }
bool *sj_a2ui_view_mark(struct sj_view *v) { return &v->mark; }
