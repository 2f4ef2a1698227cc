/* A program's tables as a catalog, and its pure functions as JSON in, JSON out. */
#include "api/api.h"

struct shoji_result {
	struct sj_call *call;
	struct sj_value value;
	enum sj_result result;
	bool nomem;
};

void shoji_result_json(struct shoji_result *r, struct shoji_text json)
{
	if (r->result != SJ_R_ABSENT)
		return; /* the first word counts */
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_diag d = {0};
	enum sj_status st = sj_value_parse(r->call->mem, &opt, api_in(json), &r->value, &d);
	r->result = st == SJ_OK ? SJ_R_OK : SJ_R_ERROR;
	if (st != SJ_OK)
		sj_diag_set(r->call->diag, st, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION, "The result is not JSON: %s",
		            d.message);
}

void shoji_result_error(struct shoji_result *r, const char *message)
{
	if (r->result != SJ_R_ABSENT)
		return;
	r->result = SJ_R_ERROR;
	sj_diag_set(r->call->diag, SJ_INVALID, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION, "%s", message);
}

/* The eval of every pure function of a program. One that says nothing answers null. */
static enum sj_result call_program(struct sj_call *call, struct sj_value *out)
{
	const struct api_function *f = call->ctx;
	struct sj_buf arguments;
	sj_buf_init(&arguments, call->mem, 0);
	sj_buf_putc(&arguments, '[');
	for (uint32_t i = 0; i < call->nargs; i++) {
		if (i > 0)
			sj_buf_putc(&arguments, ',');
		sj_value_print(&arguments, &call->args[i], SJ_PRINT_COMPACT);
	}
	sj_buf_putc(&arguments, ']');
	struct shoji_result r = {.call = call, .result = SJ_R_ABSENT};
	if (sj_buf_status(&arguments) == SJ_OK)
		f->call(f->ctx, api_out(sj_buf_view(&arguments)), &r);
	else
		r.result = SJ_R_ERROR;
	sj_buf_finish(&arguments);
	if (r.result == SJ_R_ERROR)
		return SJ_R_ERROR;
	*out = r.result == SJ_R_OK ? r.value : SJ_NULL_VALUE;
	return SJ_R_OK;
}

/* ---- tables: the public rows have the words, the inner ones the numbers ------------------------------------------ */

static uint32_t count_properties(const struct shoji_host_property *p)
{
	uint32_t n = 0;
	while (p && p[n].name)
		n++;
	return n;
}

/* Inner rows of one table; NULL when there is no memory. */
static const struct sj_host_prop *properties(struct sj_arena *a, const struct shoji_host_property *from)
{
	uint32_t n = count_properties(from);
	struct sj_host_prop *to = sj_arena_zalloc(a, (n + 1u) * sizeof *to);
	for (uint32_t i = 0; to && i < n; i++)
		to[i] = (struct sj_host_prop){
			.name = from[i].name,
			.type = from[i].type,
			.ui = from[i].meaning ? sj_ui_prop_find(sj_slice_of(from[i].meaning)) : SJ_P_NONE,
			.required = from[i].required,
			.description = from[i].description,
		};
	return to;
}

static const struct sj_host_component *components(struct sj_arena *a, const struct shoji_host_component *from)
{
	uint32_t n = 0;
	while (from && from[n].name)
		n++;
	struct sj_host_component *to = sj_arena_zalloc(a, (n + 1u) * sizeof *to);
	for (uint32_t i = 0; to && i < n; i++) {
		to[i] = (struct sj_host_component){
			.name = from[i].name,
			.kind = from[i].kind ? sj_ui_kind_find(sj_slice_of(from[i].kind)) : SJ_UI_CUSTOM,
			.props = properties(a, from[i].properties),
			.description = from[i].description,
			.checkable = from[i].checkable,
		};
		if (!to[i].props)
			return NULL;
	}
	return to;
}

static const struct sj_host_function *functions(struct shoji_engine *e, struct sj_arena *a,
                                                const struct shoji_host_function *from)
{
	uint32_t n = 0;
	while (from && from[n].name)
		n++;
	struct sj_host_function *to = sj_arena_zalloc(a, (n + 1u) * sizeof *to);
	for (uint32_t i = 0; to && i < n; i++) {
		to[i] = (struct sj_host_function){
			.name = from[i].name,
			.kind = (enum sj_fn_kind)from[i].kind,
			.return_type = from[i].returns,
			.args = properties(a, from[i].arguments),
			.needs_activation = from[i].needs_press,
			.description = from[i].description,
		};
		if (!to[i].args)
			return NULL;
		if (from[i].kind != SHOJI_FUNCTION_PURE || !from[i].call)
			continue;
		/* Kept with the engine even when the catalog is refused: an engine is given few catalogs, and once. */
		struct api_function *f = sj_mem_alloc(e->mem, sizeof *f);
		if (!f)
			return NULL;
		*f = (struct api_function){.next = e->functions, .call = from[i].call, .ctx = from[i].ctx};
		e->functions = f;
		to[i].eval = call_program;
		to[i].ctx = f;
	}
	return to;
}

_Static_assert((int)SHOJI_FUNCTION_PURE == (int)SJ_FN_PURE && (int)SHOJI_FUNCTION_DEFERRED == (int)SJ_FN_DEFERRED &&
                       (int)SHOJI_FUNCTION_EFFECT == (int)SJ_FN_EFFECT,
               "public function kinds");

enum shoji_status shoji_add_host(struct shoji_engine *e, const struct shoji_host *host, struct shoji_fault *fault)
{
	struct shoji_host h = SHOJI_HOST_INIT;
	api_take(&h, sizeof h, host);
	struct sj_diag d = {0};
	struct sj_arena tables;
	sj_arena_init(&tables, e->mem, 0);
	struct sj_host_catalog inner = {
		.catalog_id = h.catalog_id,
		.title = h.title,
		.instructions = h.instructions,
		.version = sj_version_find(sj_slice_of(h.version)),
		.components = components(&tables, h.components),
		.functions = functions(e, &tables, h.functions),
		.include_basic = h.include_basic,
	};
	enum sj_status st = SJ_NOMEM;
	if (inner.components && inner.functions)
		st = sj_engine_add_host_catalog(e->engine, &inner, &d);
	sj_arena_finish(&tables);
	return api_fault(fault, st, &d);
}
