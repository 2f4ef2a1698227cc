/* Conformance: the agent's session (provide_catalog, resolve_catalogs, prune, create_format, create_processor,
 * generate_prompt_snippet). */
#include <stdio.h>
#include <unistd.h>

#include "cmd/conformance.h"
#include "cmd/match.h"
#include "infer/session.h"

enum { REGISTERED = 16, STEPS = 16, NAMES = 64 };

/* ---- catalogs of a case ------------------------------------------------------------------------------------------ */

/* Like trial_read, but a file that is not there is the case's business. */
static bool read_file(struct trial *t, struct sj_slice path, struct sj_buf *out)
{
	static const char *const folders[] = {"conformance/", ""};
	char name[1200];
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		snprintf(name, sizeof name, "%s/%s%.*s", t->root, folders[i], SJ_ARG(path));
		if (access(name, R_OK) == 0)
			return cmd_read(name, out) == CMD_OK;
	}
	return false;
}

/* Copies of the suites may lack what is meant to be there. */
static bool is_here(struct trial *t, const struct sj_value *path)
{
	struct sj_buf text;
	sj_buf_init(&text, t->mem, 0);
	bool here = !path || !sj_value_is_string(path) || read_file(t, sj_value_text(path), &text);
	sj_buf_finish(&text);
	return here;
}

/* Documents inside a case name the common types by a shorter file name than published catalogs do. */
static void spell_common_types(struct sj_buf *json)
{
	static const char old[] = "\"common.json#", new[] = "\"common_types.json#";
	struct sj_buf out;
	sj_buf_init(&out, json->mem, 0);
	for (size_t i = 0; i < json->len; i++) {
		if (json->len - i >= sizeof old - 1 && memcmp(json->ptr + i, old, sizeof old - 1) == 0) {
			sj_buf_puts(&out, new);
			i += sizeof old - 2;
		} else {
			sj_buf_putc(&out, json->ptr[i]);
		}
	}
	sj_buf_finish(json);
	*json = out;
}

/* A provider: from a file (a path) or from memory (a document). */
static enum sj_status provide(struct trial *t, const struct sj_value *from, const struct sj_catalog_options *opt,
                              struct sj_catalog **out, struct sj_diag *diag)
{
	struct sj_buf text;
	enum sj_status st = SJ_OK;
	sj_buf_init(&text, t->mem, 0);
	if (from && sj_value_is_string(from)) {
		if (!read_file(t, sj_value_text(from), &text))
			st = sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG,
			                 "There is no catalog file %.*s", SJ_ARG(sj_value_text(from)));
	} else {
		sj_value_print(&text, from ? from : &SJ_NULL_VALUE, SJ_PRINT_COMPACT);
		spell_common_types(&text);
	}
	if (st == SJ_OK)
		st = sj_catalog_load(t->mem, sj_buf_view(&text), opt, out, diag);
	sj_buf_finish(&text);
	return st;
}

static struct sj_slice text_of(const struct sj_value *v)
{
	return v && sj_value_is_string(v) ? sj_value_text(v) : SJ_NO_SLICE;
}

static void expect_names(struct trial *t, const char *what, const struct sj_value *want, const struct sj_catalog *c,
                         bool functions)
{
	uint32_t n = functions ? sj_catalog_function_count(c) : sj_catalog_component_count(c);
	if (!want)
		return;
	if (n != sj_value_count(want))
		trial_fail(t, "%u %s, wanted %u", n, what, sj_value_count(want));
	for (uint32_t i = 0; i < n && !trial_failed(t); i++) {
		struct sj_slice name =
			functions ? sj_catalog_function_at(c, i)->name : sj_catalog_component_at(c, i)->name;
		bool found = false;
		for (uint32_t k = 0; k < sj_value_count(want); k++)
			found = found || sj_slice_eq(name, sj_value_text(sj_value_item(want, k)));
		if (!found)
			trial_fail(t, "%s: '%.*s' is there", what, SJ_ARG(name));
	}
}

static void expect_catalog(struct trial *t, const struct sj_value *want, const struct sj_catalog *c)
{
	const struct sj_value *id = cmd_member(want, "catalog_id"), *version = cmd_member(want, "protocol_version");
	if (id && !sj_slice_eq(sj_value_text(id), sj_catalog_id(c)))
		trial_fail(t, "catalog_id is '%.*s'", SJ_ARG(sj_catalog_id(c)));
	if (version && !sj_slice_is(sj_value_text(version), sj_version_text(sj_catalog_version(c))))
		trial_fail(t, "protocol_version is '%s'", sj_version_text(sj_catalog_version(c)));
	expect_names(t, "components", cmd_member(want, "components"), c, false);
	expect_names(t, "functions", cmd_member(want, "functions"), c, true);
}

/* Is this the error that the case expects? true: there is nothing more to compare. */
static bool is_over(struct trial *t, const struct sj_value *where, enum sj_status st, const struct sj_diag *d)
{
	const struct sj_value *want = cmd_member(where, "expect_error");
	if (want && st == SJ_OK)
		trial_fail(t, "a fault was expected, there was none");
	else if (want)
		trial_expect_diag(t, want, d);
	else if (st != SJ_OK)
		trial_fail(t, "%s: %s%s%s", sj_category_name(d->category), d->message, d->pointer[0] ? " at " : "",
		           d->pointer);
	return want != NULL || st != SJ_OK;
}

void act_provide_catalog(struct trial *t)
{
	const struct sj_value *args = case_member(t, "args"), *version = cmd_member(args, "protocol_version"),
			      *path = cmd_member(args, "path");
	struct sj_catalog_options opt = {.id = text_of(cmd_member(args, "catalog_id")), .need_version = true};
	struct sj_catalog *c = NULL;
	struct sj_diag d = {0};
	if (version)
		opt.version = sj_version_find(sj_value_text(version));
	if (!path)
		path = cmd_member(args, "catalog") ? cmd_member(args, "catalog") : cmd_member(args, "document");
	if (!is_here(t, path) && !case_member(t, "expect_error")) {
		trial_skip(t, "its catalog file is not in this copy of the suites");
		return;
	}
	enum sj_status st = provide(t, path, &opt, &c, &d);
	if (!is_over(t, t->c, st, &d))
		expect_catalog(t, case_member(t, "expect"), c);
	sj_catalog_destroy(c);
}

/* ---- the agent of a case ----------------------------------------------------------------------------------------- */

struct side {
	struct trial *t;
	struct sj_catalog *catalogs[REGISTERED];
	struct sj_registration rows[REGISTERED];
	struct sj_pruning steps[REGISTERED][STEPS];
	struct sj_slice names[REGISTERED][STEPS][NAMES], allowed[NAMES];
	uint32_t n;
	struct sj_agent *agent;
	struct sj_arena arena;
	struct sj_buf json;
	struct sj_tape caps;
	struct sj_value examples;
	struct sj_session_options opt;
	enum sj_format_id formats[2];
	struct sj_session *session;
};

static uint32_t read_names(const struct sj_value *list, struct sj_slice names[NAMES])
{
	uint32_t n = 0;
	while (list && n < sj_value_count(list) && n < NAMES) {
		names[n] = sj_value_text(sj_value_item(list, n));
		n++;
	}
	return n;
}

static enum sj_status add_registration(struct side *s, const struct sj_value *row, struct sj_diag *diag)
{
	const struct sj_value *doc = cmd_member(row, "catalog"), *steps = cmd_member(row, "transformers");
	struct sj_catalog_options opt = {.id = text_of(cmd_member(row, "catalog_id"))};
	enum sj_status st = provide(s->t, doc ? doc : row, &opt, &s->catalogs[s->n], diag);
	struct sj_registration *r = &s->rows[s->n];
	if (st != SJ_OK)
		return st;
	*r = (struct sj_registration){.catalog = s->catalogs[s->n], .transformers = s->steps[s->n]};
	for (uint32_t i = 0; steps && i < sj_value_count(steps) && i < STEPS; i++) {
		const struct sj_value *step = sj_value_item(steps, i),
				      *components = cmd_member(step, "component_pruning"),
				      *functions = cmd_member(step, "function_pruning");
		struct sj_pruning *p = &s->steps[s->n][i];
		if (components) {
			p->components = s->names[s->n][i];
			p->ncomponents = read_names(components, s->names[s->n][i]);
		} else if (functions) {
			p->functions = s->names[s->n][i];
			p->nfunctions = read_names(functions, s->names[s->n][i]);
		} else {
			trial_fail(s->t, "transformer %u is of no known kind", i);
		}
		r->ntransformers++;
	}
	s->n++;
	return SJ_OK;
}

static enum sj_status open_agent(struct side *s, struct sj_diag *diag)
{
	const struct sj_value *args = case_member(s->t, "args"), *list = cmd_member(args, "catalogs"),
			      *caps = cmd_member(args, "renderer_capabilities"),
			      *inlined = cmd_member(args, "accepts_inline_catalogs");
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; list && i < sj_value_count(list) && s->n < REGISTERED && st == SJ_OK; i++)
		st = add_registration(s, sj_value_item(list, i), diag);
	if (st == SJ_OK) {
		struct sj_agent_options opt = {.catalogs = s->rows,
		                               .ncatalogs = s->n,
		                               .accepts_inline = inlined && inlined->type == SJ_V_TRUE};
		st = sj_agent_create(s->t->mem, &opt, &s->agent, diag);
	}
	if (st == SJ_OK && caps && caps->type != SJ_V_NULL) {
		sj_value_print(&s->json, caps, SJ_PRINT_COMPACT);
		st = sj_json_parse(&s->arena, &wire, sj_buf_view(&s->json), &s->caps, diag);
		s->opt.capabilities = &s->caps;
	}
	return st;
}

static struct side *side_open(struct trial *t)
{
	struct side *s = sj_mem_zalloc(t->mem, sizeof *s);
	if (!s) {
		trial_fail(t, "out of memory");
		return NULL;
	}
	s->t = t;
	s->examples = SJ_NULL_VALUE;
	sj_arena_init(&s->arena, t->mem, 0);
	sj_buf_init(&s->json, t->mem, 0);
	return s;
}

static void side_close(struct side *s)
{
	if (!s)
		return;
	sj_agent_destroy(s->agent);
	for (uint32_t i = 0; i < s->n; i++)
		sj_catalog_destroy(s->catalogs[i]);
	sj_value_unref(s->t->mem, s->examples);
	sj_arena_finish(&s->arena);
	sj_buf_finish(&s->json);
	sj_mem_free(s->t->mem, s, sizeof *s);
}

static void expect_active(struct trial *t, const struct sj_value *expect, const struct sj_catalog *const *active,
                          uint32_t n)
{
	const struct sj_value *ids = cmd_member(expect, "active_catalog_ids"),
			      *catalogs = cmd_member(expect, "catalogs");
	if (ids && sj_value_count(ids) != n)
		trial_fail(t, "%u catalogs are active, wanted %u", n, sj_value_count(ids));
	for (uint32_t i = 0; ids && i < n && !trial_failed(t); i++)
		if (!sj_slice_eq(sj_catalog_id(active[i]), sj_value_text(sj_value_item(ids, i))))
			trial_fail(t, "active catalog %u is '%.*s'", i, SJ_ARG(sj_catalog_id(active[i])));
	if (catalogs && sj_value_count(catalogs) != n)
		trial_fail(t, "%u catalogs are active, wanted %u", n, sj_value_count(catalogs));
	for (uint32_t i = 0; catalogs && i < n && !trial_failed(t); i++)
		expect_catalog(t, sj_value_item(catalogs, i), active[i]);
}

void act_resolve_catalogs(struct trial *t)
{
	struct side *s = side_open(t);
	struct sj_negotiated n = {0};
	struct sj_diag d = {0};
	enum sj_status st = s ? open_agent(s, &d) : SJ_NOMEM;
	if (st == SJ_OK)
		st = sj_agent_negotiate(s->agent, s->opt.capabilities, 0, &n, &d);
	if (!is_over(t, t->c, st, &d))
		expect_active(t, case_member(t, "expect"), n.active, n.nactive);
	sj_negotiated_finish(&n);
	side_close(s);
}

void act_prune(struct trial *t)
{
	const struct sj_value *args = case_member(t, "args"), *catalog = case_member(t, "catalog"),
			      *doc = cmd_member(catalog, "catalog_schema"), *version = cmd_member(catalog, "version"),
			      *components = cmd_member(args, "allowed_components"),
			      *functions = cmd_member(args, "allowed_functions"), *expect = case_member(t, "expect");
	struct sj_slice names[2][NAMES];
	struct sj_pruning step = {0};
	struct sj_registration row = {.transformers = &step, .ntransformers = 1};
	struct sj_agent_options opt = {.catalogs = &row, .ncatalogs = 1};
	struct sj_catalog_options load = {0};
	struct sj_catalog *c = NULL;
	struct sj_agent *agent = NULL;
	struct sj_diag d = {0};
	if (version)
		load.version = sj_version_find(sj_value_text(version));
	if (components) {
		step.components = names[0];
		step.ncomponents = read_names(components, names[0]);
	}
	if (functions) {
		step.functions = names[1];
		step.nfunctions = read_names(functions, names[1]);
	}
	enum sj_status st = provide(t, doc ? doc : catalog, &load, &c, &d);
	row.catalog = c;
	if (st == SJ_OK)
		st = sj_agent_create(t->mem, &opt, &agent, &d);
	if (!is_over(t, t->c, st, &d)) {
		const struct sj_value *want = cmd_member(expect, "catalog_schema");
		struct sj_slice got = sj_catalog_document(sj_agent_catalog(agent, 0));
		if (want)
			trial_match_json(t, "catalog_schema", want, got, true);
		expect_catalog(t, expect, sj_agent_catalog(agent, 0));
	}
	sj_agent_destroy(agent);
	sj_catalog_destroy(c);
}
