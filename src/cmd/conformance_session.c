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

static void read_examples(struct side *s, const struct sj_value *paths)
{
	if (!paths || sj_value_array(s->t->mem, &s->examples) != SJ_OK)
		return;
	for (uint32_t i = 0; i < sj_value_count(paths); i++) {
		const struct sj_value *one = sj_value_item(paths, i);
		struct sj_value v = SJ_NULL_VALUE;
		if (!sj_value_is_string(one))
			v = sj_value_ref(*one);
		else if (!trial_load(s->t, sj_value_text(one), &v))
			return;
		if (sj_value_append(s->t->mem, &s->examples, v) != SJ_OK)
			trial_fail(s->t, "out of memory");
	}
	s->opt.examples = &s->examples;
}

/* Everything up to the session; its faults are the case's. `skip`: the trial is over without any. */
static enum sj_status open_session(struct side *s, struct sj_diag *diag, bool *skip)
{
	const struct sj_value *args = case_member(s->t, "args"), *format = cmd_member(args, "format"),
			      *other = cmd_member(args, "format_override"),
			      *allowed = cmd_member(args, "allowed_messages");
	enum sj_status st = open_agent(s, diag);
	*skip = false;
	read_examples(s, cmd_member(args, "examples"));
	s->opt.formats = s->formats;
	s->opt.nformats = other ? 2 : 1;
	if ((format && !sj_format_find(sj_value_text(format), &s->formats[0])) ||
	    (other && !sj_format_find(sj_value_text(other), &s->formats[1]))) {
		trial_skip(s->t, "there is no such format here");
		*skip = true;
	}
	if (allowed && allowed->type == SJ_V_ARRAY) {
		s->opt.allowed_messages = s->allowed;
		s->opt.nallowed = read_names(allowed, s->allowed);
	}
	if (st == SJ_OK && !*skip && !trial_failed(s->t))
		st = sj_session_create(s->agent, &s->opt, &s->session, diag);
	if (st == SJ_INVALID && diag->code == SJ_E_UNAVAILABLE) {
		trial_skip(s->t, "the format is not built in");
		*skip = true;
	}
	*skip = *skip || trial_failed(s->t);
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
	sj_session_destroy(s->session);
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

/* ---- formats and sessions ---------------------------------------------------------------------------------------- */

static void expect_snippet(struct side *s, enum sj_format_id id, const struct sj_value *contains,
                           const struct sj_value *absent)
{
	struct sj_diag d = {0};
	struct sj_buf text;
	if (!contains && !absent)
		return;
	sj_buf_init(&text, s->t->mem, 0);
	if (sj_session_prompt(s->session, id, false, &text, &d) != SJ_OK)
		trial_fail(s->t, "no prompt: %s", d.message);
	trial_contains(s->t, contains, sj_buf_view(&text), true);
	trial_contains(s->t, absent, sj_buf_view(&text), false);
	sj_buf_finish(&text);
}

static void feed(struct trial *t, struct sj_parser *p, const struct sj_value *chunks, uint32_t from, uint32_t n,
                 struct sj_parts *out)
{
	struct sj_diag d = {0};
	for (uint32_t i = from; i < from + n; i++) {
		struct sj_slice text = sj_value_text(sj_value_item(chunks, i));
		if (sj_parser_feed(p, text.ptr, text.len, out, &d) != SJ_OK)
			trial_fail(t, "chunk %u: %s", i, d.message);
	}
	if (from + n == sj_value_count(chunks) && sj_parser_end(p, out, &d) != SJ_OK)
		trial_fail(t, "at the end: %s", d.message);
}

/* Two parsers on the same chunks: one reads the first half, the other all of them, then the first goes on. Both must
 * give what a parser gives that is alone. */
static void probe(struct side *s, const struct sj_format *f, const struct sj_value *chunks,
                  const struct sj_value *distinct, const struct sj_value *isolated)
{
	struct trial *t = s->t;
	struct sj_parser *p[3] = {NULL, NULL, NULL};
	struct sj_parts parts[3] = {0};
	struct sj_value seen[3];
	uint32_t n = chunks ? sj_value_count(chunks) : 0, half = n / 2;
	for (int i = 0; i < 3; i++)
		if (sj_parser_create(f, NULL, &p[i]) != SJ_OK)
			trial_fail(t, "no parser");
	if (distinct && (p[0] == p[1]) != (distinct->type != SJ_V_TRUE))
		trial_fail(t, "two parsers are one");
	if (!trial_failed(t) && n > 0) {
		feed(t, p[2], chunks, 0, n, &parts[2]);
		feed(t, p[0], chunks, 0, half, &parts[0]);
		feed(t, p[1], chunks, 0, n, &parts[1]);
		feed(t, p[0], chunks, half, n - half, &parts[0]);
		for (int i = 0; i < 3; i++)
			seen[i] = value_of_response(t, &parts[i]);
		bool same = sj_value_equal(&seen[0], &seen[2]) && sj_value_equal(&seen[1], &seen[2]);
		if (sj_value_count(&seen[2]) == 0)
			trial_fail(t, "the chunks hold nothing");
		if (isolated && same != (isolated->type == SJ_V_TRUE))
			trial_fail(t, "one parser's state reached another");
		for (int i = 0; i < 3; i++)
			sj_value_unref(t->mem, seen[i]);
	}
	for (int i = 0; i < 3; i++) {
		sj_parts_finish(t->mem, &parts[i]);
		sj_parser_destroy(p[i]);
	}
}

static void parse_then(struct side *s, enum sj_format_id id, const struct sj_value *then)
{
	struct sj_parts parts = {0};
	struct sj_diag d = {0};
	enum sj_status st =
		sj_session_parse(s->session, id, text_of(cmd_member(then, "input")), &parts, NULL, &d);
	if (!is_over(s->t, then, st, &d)) {
		struct sj_value v = value_of_response(s->t, &parts);
		trial_match(s->t, "parts", cmd_member(then, "expect"), &v, true);
		sj_value_unref(s->t->mem, v);
	}
	sj_parts_finish(s->t->mem, &parts);
}

/* create_format: for every registered catalog; create_processor: for those negotiated. A format is bound to the
 * catalogs when it is made, whatever is asked of another one afterwards. */
void act_create_session(struct trial *t)
{
	const struct sj_value *args = case_member(t, "args"), *expect = case_member(t, "expect"),
			      *then = case_member(t, "then_parse"),
			      *unchanged = cmd_member(expect, "generator_catalogs_unchanged");
	struct side *s = side_open(t);
	struct sj_diag d = {0};
	bool skip = s == NULL;
	enum sj_status st = s ? open_session(s, &d, &skip) : SJ_NOMEM;
	if (!skip && !is_over(t, t->c, st, &d)) {
		enum sj_format_id id = s->formats[s->opt.nformats - 1];
		struct sj_buf before, after;
		const struct sj_catalog *active[SJ_SESSION_MAX_CATALOGS];
		uint32_t n = sj_session_catalog_count(s->session);
		for (uint32_t i = 0; i < n; i++)
			active[i] = sj_session_catalog(s->session, i);
		sj_buf_init(&before, t->mem, 0);
		sj_buf_init(&after, t->mem, 0);
		if (unchanged && sj_session_prompt(s->session, s->formats[0], false, &before, &d) != SJ_OK)
			trial_fail(t, "no prompt: %s", d.message);
		expect_active(t, expect, active, n);
		expect_snippet(s, id, cmd_member(expect, "prompt_snippet_contains"),
		               cmd_member(expect, "prompt_snippet_absent"));
		probe(s, sj_session_format(s->session, id), cmd_member(args, "probe_chunks"),
		      cmd_member(expect, "parsers_are_distinct"), cmd_member(expect, "parser_state_isolated"));
		if (then)
			parse_then(s, id, then);
		if (unchanged && sj_session_prompt(s->session, s->formats[0], false, &after, &d) != SJ_OK)
			trial_fail(t, "no prompt: %s", d.message);
		if (unchanged &&
		    sj_slice_eq(sj_buf_view(&before), sj_buf_view(&after)) != (unchanged->type == SJ_V_TRUE))
			trial_fail(t, "the prompt has changed");
		sj_buf_finish(&before);
		sj_buf_finish(&after);
	}
	side_close(s);
}

void act_prompt_snippet(struct trial *t)
{
	const struct sj_value *same = case_member(t, "expect_deterministic");
	struct side *s = side_open(t);
	struct sj_diag d = {0};
	struct sj_buf text, again;
	bool skip = s == NULL;
	enum sj_status st = s ? open_session(s, &d, &skip) : SJ_NOMEM;
	sj_buf_init(&text, t->mem, 0);
	sj_buf_init(&again, t->mem, 0);
	if (st == SJ_OK && !skip)
		st = sj_session_prompt(s->session, s->formats[0], false, &text, &d);
	if (st == SJ_INVALID && d.code == SJ_E_UNAVAILABLE && !skip) {
		trial_skip(t, d.message);
		skip = true;
	}
	if (!skip && !is_over(t, t->c, st, &d)) {
		trial_contains(t, case_member(t, "expect_contains"), sj_buf_view(&text), true);
		trial_contains(t, case_member(t, "expect_absent"), sj_buf_view(&text), false);
		if (same && sj_session_prompt(s->session, s->formats[0], false, &again, &d) != SJ_OK)
			trial_fail(t, "no second prompt: %s", d.message);
		if (same && !sj_slice_eq(sj_buf_view(&text), sj_buf_view(&again)))
			trial_fail(t, "two prompts differ");
	}
	sj_buf_finish(&text);
	sj_buf_finish(&again);
	side_close(s);
}
