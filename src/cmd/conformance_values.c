/* Conformance: data_model, parse_expression_template, evaluate_function, resolve_path. */
#include "a2ui/functions.h"
#include "a2ui/path.h"
#include "a2ui/template.h"
#include "cmd/conformance.h"

/* ---- data_model -------------------------------------------------------------------------------------------------- */

#define MAX_WATCHES 16u
#define MODEL_CATALOG "urn:suite:model"

struct model {
	struct trial *t;
	struct bench bench;
	struct sj_surface *surface; /* NULL: disposed */
	struct sj_slice paths[MAX_WATCHES];
	uint32_t watches[MAX_WATCHES], calls[MAX_WATCHES], n;
};

static void on_watch(void *ctx, uint32_t watch)
{
	struct model *m = ctx;
	for (uint32_t i = 0; i < m->n; i++)
		if (m->watches[i] == watch)
			m->calls[i]++;
}

static const struct sj_value *read_path(struct model *m, struct sj_arena *arena, struct sj_slice path)
{
	struct sj_path p;
	if (!m->surface || sj_path_parse(arena, &SJ_LIMITS_DEFAULT, path, &p, NULL) != SJ_OK)
		return NULL;
	const struct sj_value *v = sj_surface_get(m->surface, SJ_ROOT_DATA, p.tokens, p.count);
	return v && v->type != SJ_V_ABSENT ? v : NULL;
}

static void send(struct model *m, const char *kind, struct sj_slice path, const struct sj_value *value)
{
	struct sj_mem *mem = m->t->mem;
	struct sj_value message, body;
	if (sj_value_object(mem, &message) != SJ_OK || sj_value_object(mem, &body) != SJ_OK)
		return;
	value_put_text(mem, &message, "version", SJ_LIT("v0.9"));
	value_put_text(mem, &body, "surfaceId", SJ_LIT("s"));
	if (strcmp(kind, "createSurface") == 0)
		value_put_text(mem, &body, "catalogId", SJ_LIT(MODEL_CATALOG));
	if (path.ptr)
		value_put_text(mem, &body, "path", path);
	if (value)
		value_put(mem, &body, "value", sj_value_ref(*value));
	value_put(mem, &message, kind, body);
	bench_forget(&m->bench);
	bench_feed(&m->bench, &message);
	sj_value_unref(mem, message);
	if (m->surface && sj_surface_settle(m->surface) != SJ_OK)
		trial_fail(m->t, "the surface did not settle");
}

static void check_read(struct model *m, const struct sj_value *step, struct sj_slice path)
{
	const struct sj_value *expect = cmd_member(step, "expect"), *type = cmd_member(step, "expect_type"),
			      *absent = cmd_member(step, "expect_absent");
	struct sj_arena arena;
	sj_arena_init(&arena, m->t->mem, 0);
	const struct sj_value *got = read_path(m, &arena, path);
	if (expect)
		trial_match(m->t, "get", expect, got, true);
	if (absent && absent->type == SJ_V_TRUE && got)
		trial_fail(m->t, "'%.*s' is there", SJ_ARG(path));
	if (type) {
		const char *is = !got                       ? "absent"
		                 : got->type == SJ_V_ARRAY  ? "list"
		                 : got->type == SJ_V_OBJECT ? "object"
		                                            : "scalar";
		if (!value_text_is(type, is))
			trial_fail(m->t, "'%.*s' is of type %s", SJ_ARG(path), is);
	}
	sj_arena_finish(&arena);
}

static void check_watches(struct model *m, const struct sj_value *step)
{
	const struct sj_value *notified = cmd_member(step, "expect_notified"),
			      *values = cmd_member(step, "expect_values");
	for (uint32_t i = 0; notified && i < m->n; i++) {
		uint32_t wanted = 0;
		/* A path watched twice is named twice: each watch fires once. */
		for (uint32_t k = 0, same = 0; k < sj_value_count(notified); k++)
			if (sj_slice_eq(sj_value_text(sj_value_item(notified, k)), m->paths[i]))
				wanted = ++same > 0;
		if (m->calls[i] != wanted)
			trial_fail(m->t, "the watch of '%.*s' fired %u times, wanted %u", SJ_ARG(m->paths[i]),
			           m->calls[i], wanted);
	}
	for (uint32_t i = 0; values && i < sj_value_count(values); i++) {
		struct sj_slice path;
		const struct sj_value *want = sj_value_member(values, i, &path);
		struct sj_arena arena;
		sj_arena_init(&arena, m->t->mem, 0);
		trial_match(m->t, "value", want, read_path(m, &arena, path), true);
		sj_arena_finish(&arena);
	}
}

static void model_step(struct model *m, const struct sj_value *step)
{
	const struct sj_value *op = cmd_member(step, "op"), *path = cmd_member(step, "path"),
			      *error = cmd_member(step, "expect_error");
	struct sj_slice where = path ? sj_value_text(path) : SJ_LIT("");

	memset(m->calls, 0, sizeof m->calls);
	if (value_text_is(op, "get")) {
		check_read(m, step, where);
	} else if (value_text_is(op, "dispose")) {
		m->surface = NULL; /* it goes with the message */
		send(m, "deleteSurface", SJ_NO_SLICE, NULL);
	} else if (value_text_is(op, "set") || value_text_is(op, "delete")) {
		bool gone = m->surface == NULL;
		send(m, "updateDataModel", where, value_text_is(op, "set") ? cmd_member(step, "value") : NULL);
		if (error)
			trial_expect_error(m->t, error, &m->bench);
		else if (!gone && m->bench.faults.count > 0)
			trial_fail(m->t, "unexpected %s", m->bench.faults.items[0].diag.message);
	} else {
		trial_fail(m->t, "the runner does not know this op");
	}
	check_watches(m, step);
}

void act_data_model(struct trial *t)
{
	const struct sj_value *initial = case_member(t, "initial"), *watch = case_member(t, "watch"),
			      *steps = case_member(t, "steps");
	struct model m = {.t = t};
	struct sj_arena arena;

	if (!bench_open(&m.bench, t, NULL))
		return;
	sj_arena_init(&arena, t->mem, 0);
	if (sj_engine_add_permissive(m.bench.engine, SJ_LIT(MODEL_CATALOG), SJ_V09) != SJ_OK)
		trial_fail(t, "out of memory");
	send(&m, "createSurface", SJ_NO_SLICE, NULL);
	struct sj_view *v = sj_engine_view(m.bench.engine, UINT32_MAX, SJ_LIT("s"));
	if (!v) {
		trial_fail(t, "no surface could be made");
	} else {
		m.surface = sj_view_surface(v);
		if (initial)
			send(&m, "updateDataModel", SJ_LIT("/"), initial);
		for (uint32_t i = 0; watch && i < sj_value_count(watch) && i < MAX_WATCHES; i++) {
			struct sj_path p;
			m.paths[i] = sj_value_text(sj_value_item(watch, i));
			if (sj_path_parse(&arena, &SJ_LIMITS_DEFAULT, m.paths[i], &p, NULL) != SJ_OK ||
			    sj_surface_watch(m.surface, SJ_ROOT_DATA, p.tokens, p.count, on_watch, &m, &m.watches[i]) !=
			            SJ_OK)
				trial_fail(t, "'%.*s' cannot be watched", SJ_ARG(m.paths[i]));
			m.n++;
		}
		for (uint32_t i = 0; steps && i < sj_value_count(steps) && !trial_failed(t); i++)
			model_step(&m, sj_value_item(steps, i));
	}
	sj_arena_finish(&arena);
	bench_close(&m.bench);
}

/* ---- parse_expression_template ----------------------------------------------------------------------------------- */

void act_parse_template(struct trial *t)
{
	const struct sj_value *input = case_member(t, "input"), *expect = case_member(t, "expect"),
			      *error = case_member(t, "expect_error");
	struct sj_arena arena;
	struct sj_diag d = {0};
	struct sj_tpl tpl;

	if (!error)
		error = case_member(t, "expectError");
	sj_arena_init(&arena, t->mem, 0);
	enum sj_status status = sj_tpl_parse(&arena, &SJ_LIMITS_DEFAULT, sj_value_text(input), &tpl, &d);
	if (error) {
		trial_expect_diag(t, error, &d);
	} else if (status != SJ_OK) {
		trial_fail(t, "unexpected %s", d.message);
	} else {
		struct sj_buf json;
		sj_buf_init(&json, t->mem, 0);
		sj_tpl_json(&tpl, &json);
		trial_match_json(t, "parts", expect, sj_buf_view(&json), true);
		sj_buf_finish(&json);
	}
	sj_arena_finish(&arena);
}

/* ---- evaluate_function ------------------------------------------------------------------------------------------- */

static void evaluate_directly(struct trial *t)
{
	const struct sj_value *error = case_member(t, "expectError"), *args = case_member(t, "args");
	struct sj_value out = SJ_ABSENT_VALUE;
	struct sj_fn_table *table;
	struct sj_diag d = {0};

	if (sj_fn_table_create(t->mem, &SJ_LIMITS_DEFAULT, NULL, &table) != SJ_OK) {
		trial_fail(t, "out of memory");
		return;
	}
	enum sj_result r = sj_fn_evaluate(table, t->mem, t->version == SJ_VERSION_NONE ? SJ_V09 : t->version,
	                                  sj_value_text(case_member(t, "function")), args, &out, &d);
	if (error) {
		trial_expect_diag(t, error, &d);
	} else if (r == SJ_R_ERROR) {
		trial_fail(t, "unexpected %s", d.message);
	} else {
		const struct sj_value none = SJ_NULL_VALUE;
		trial_match(t, "result", case_member(t, "expect"), out.type == SJ_V_ABSENT ? &none : &out, true);
	}
	sj_value_unref(t->mem, out);
	sj_fn_table_destroy(table);
}

/* On a surface: a text bound to the call, so that the call's catalog is resolved as on the wire. */
static void evaluate_on_surface(struct trial *t)
{
	static const char frame[] = "{\"version\":\"%s\",\"createSurface\":{\"surfaceId\":\"s\"%.*s,\"components\":[{\"id\":\"root\",\"component\":\"Text\","
				    "\"catalogId\":%.*s,\"text\":{\"@call\":%.*s%.*s,\"args\":%.*s}}]}}";
	const struct sj_value *error = case_member(t, "expectError"), *surface = case_member(t, "surface"),
			      *own = case_member(t, "catalogId"), *default_id = cmd_member(surface, "catalogId"),
			      *paths = case_member(t, "catalogPaths");
	struct sj_buf json, create, basic, name, call, args;
	struct sj_value doc;
	struct bench b;

	if (!paths || !trial_load(t, sj_value_text(sj_value_item(paths, 0)), &doc) || !bench_open(&b, t, NULL))
		return;
	struct sj_buf *all[] = {&json, &create, &basic, &name, &call, &args};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		sj_buf_init(all[i], t->mem, 0);
	sj_value_print(&basic, cmd_member(&doc, "catalogId"), SJ_PRINT_COMPACT);
	sj_value_print(&name, case_member(t, "function"), SJ_PRINT_COMPACT);
	sj_value_print(&args, case_member(t, "args"), SJ_PRINT_COMPACT);
	if (default_id) {
		sj_buf_puts(&create, ",\"catalogId\":");
		sj_value_print(&create, default_id, SJ_PRINT_COMPACT);
	}
	if (own) {
		sj_buf_puts(&call, ",\"catalogId\":");
		sj_value_print(&call, own, SJ_PRINT_COMPACT);
	}
	/* The text itself comes from the first catalog, the call from wherever the case says. */
	sj_buf_printf(&json, frame, sj_version_text(t->version), SJ_ARG(sj_buf_view(&create)),
	              SJ_ARG(sj_buf_view(&basic)), SJ_ARG(sj_buf_view(&name)), SJ_ARG(sj_buf_view(&call)),
	              SJ_ARG(sj_buf_view(&args)));
	struct sj_value message = value_of_json(t->mem, sj_buf_view(&json));
	if (bench_catalogs(&b, NULL, true)) {
		bench_feed(&b, &message);
		struct sj_view *v = sj_engine_view(b.engine, UINT32_MAX, SJ_LIT("s"));
		if (error) {
			trial_expect_error(t, error, &b);
		} else if (!v || b.faults.count > 0) {
			trial_fail(t, "unexpected %s",
			           b.faults.count ? b.faults.items[0].diag.message : "lack of a surface");
		} else {
			struct sj_surface *s = sj_view_surface(v);
			struct sj_prop prop = {.value = NULL};
			if (sj_surface_settle(s) == SJ_OK && sj_surface_root(s))
				sj_node_prop_named(s, sj_surface_root(s), SJ_LIT("text"), &prop);
			trial_match(t, "result", case_member(t, "expect"), prop.value, true);
		}
	}
	sj_value_unref(t->mem, message);
	sj_value_unref(t->mem, doc);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		sj_buf_finish(all[i]);
	bench_close(&b);
}

void act_evaluate(struct trial *t)
{
	if (case_member(t, "surface"))
		evaluate_on_surface(t);
	else
		evaluate_directly(t);
}

/* ---- resolve_path ------------------------------------------------------------------------------------------------ */

void act_resolve_path(struct trial *t)
{
	const struct sj_value *args = case_member(t, "args"), *context = cmd_member(args, "contextPath");
	struct sj_value got;
	struct sj_buf out;
	sj_buf_init(&out, t->mem, 0);
	sj_path_join(&out, sj_value_text(cmd_member(args, "path")), context ? sj_value_text(context) : SJ_NO_SLICE);
	if (sj_value_string(t->mem, sj_buf_view(&out), &got) == SJ_OK) {
		trial_match(t, "path", case_member(t, "expect"), &got, true);
		sj_value_unref(t->mem, got);
	}
	sj_buf_finish(&out);
}
