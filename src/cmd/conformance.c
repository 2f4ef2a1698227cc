/* shoji conformance: finds suites and runs their cases; conformance_report.c counts. */
#include "cmd/conformance.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cmd/match.h"

static const struct {
	const char *action;
	void (*run)(struct trial *t);
	const char *arg; /* two things share the action's name: this one is meant when args has that member */
} actions[] = {
	{"process_messages", act_messages},
	{"validate", act_messages},
	{"get_renderer_data_model", act_renderer_data_model},
	{"get_renderer_capabilities", act_renderer_capabilities},
	{"data_model", act_data_model},
	{"parse_expression_template", act_parse_template},
	{"evaluate_function", act_evaluate},
	{"resolve_path", act_resolve_path},
	{"dispatch_action", act_dispatch},
	{"handle_rpc", act_rpc, "message"},
	{"handle_rpc", act_rpc, "outboundCall"},
	{"accessibility_check", act_accessibility},
	{"resolve_nodes", act_nodes},
	{"from_json", act_from_json},
	{"catalog_schema", act_catalog_schema},
	{"select_catalog", act_select_catalog, "surface"},
	{"select_catalog", act_select_for_client, "supportedCatalogs"},
	{"load_catalog", act_load_catalog},
	{"generate_prompt", act_generate_prompt},
	{"provide_catalog", act_provide_catalog},
	{"resolve_catalogs", act_resolve_catalogs},
	{"prune", act_prune},
	{"create_format", act_create_session},
	{"create_processor", act_create_session},
	{"generate_prompt_snippet", act_prompt_snippet},
	{"common_types_schema", act_common_types},
	{"validate_common_type", act_common_type},
	{"create_a2ui_part", act_create_part},
	{"is_a2ui_part", act_is_part},
	{"get_extension", act_get_extension},
	{"try_activate", act_try_activate},
	{"try_activate_extension", act_try_activate_extension},
	{"select_newest", act_select_newest},
	{"convert_event", act_convert_event},
	{"execute_tool", act_execute_tool},
	{"handle_rpc", act_a2a_request, "request"},
	{"unwrap", act_unwrap},
	{"unwrap_response", act_unwrap},
	{"wrap", act_wrap},
	{"wrap_response", act_wrap},
	{"compile", act_compile},
	{"compile_payload", act_compile},
	{"decompile", act_decompile},
	{"decompile_payload", act_decompile},
	{"parse_response", act_parse_response},
	{"parse_chunk", act_parse_chunk},
	{"process_chunk", act_process_chunk},
	{"parse_full", act_parse_full},
	{"fix_payload", act_fix_payload},
	{"has_parts", act_has_parts},
};

struct run {
	struct sj_mem *mem;
	const char *root;     /* given; NULL: found beside the suite */
	enum sj_version only; /* NONE: all */
	cmd_suite_fn report;
	void *ctx;
};

/* ---- one case ---------------------------------------------------------------------------------------------------- */

static void report(struct run *r, const char *suite, struct sj_slice name, const struct sj_value *action,
                   enum sj_version version, struct trial *t)
{
	struct cmd_case c = {.suite = suite, .name = name, .version = version};
	c.action = action && sj_value_is_string(action) ? sj_value_text(action) : SJ_NO_SLICE;
	c.verdict = t->skipped ? CMD_SKIPPED : trial_failed(t) ? CMD_FAILED : CMD_PASSED;
	c.verdict = conformance_judge(CONFORMANCE_KNOWN, suite, name, c.verdict, &t->why);
	c.why = sj_buf_view(&t->why);
	r->report(r->ctx, &c);
}

static const struct sj_value *first_item(const struct sj_value *v)
{
	const struct sj_value *list = cmd_member(v, "messages") ? cmd_member(v, "messages") : cmd_member(v, "payload");
	if (list && list->type == SJ_V_ARRAY)
		return sj_value_item(list, 0);
	return list && cmd_member(list, "messages") ? sj_value_item(cmd_member(list, "messages"), 0) : list;
}

/* What the case says of itself, else the version of its first message. */
static enum sj_version version_of_case(const struct sj_value *c)
{
	const struct sj_value *v = cmd_member(c, "protocolVersion"), *catalog = cmd_member(c, "catalog"),
			      *steps = cmd_member(c, "steps");
	const struct sj_value *first = first_item(c);
	if (!v)
		v = cmd_member(catalog, "protocolVersion");
	if (!v)
		v = cmd_member(catalog, "version");
	if (!first && steps && steps->type == SJ_V_ARRAY)
		first = first_item(sj_value_item(steps, 0));
	if (!v && first && (cmd_member(first, "beginRendering") || cmd_member(first, "surfaceUpdate")))
		return SJ_V08;
	if (!v)
		v = cmd_member(first, "version");
	return v && sj_value_is_string(v) ? sj_version_find(sj_value_text(v)) : SJ_VERSION_NONE;
}

/* Where the case and its messages name no version: that of what it is about. Only the report asks. */
static enum sj_version version_by_hint(const struct sj_value *c)
{
	static const struct {
		const char *in_path;
		enum sj_version version;
	} hints[] = {{"v0_8", SJ_V08}, {"v08", SJ_V08}, {"v0_9_1", SJ_V091}, {"v0_9", SJ_V09},
	             {"v09", SJ_V09}, {"v1_0", SJ_V10}, {"v10", SJ_V10}};
	const struct sj_value *args = cmd_member(c, "args"), *v = cmd_member(args, "version"),
			      *catalog = cmd_member(args, "catalog");
	if (!v)
		v = cmd_member(args, "protocolVersion");
	if (v && sj_value_is_string(v))
		return sj_version_find(sj_value_text(v));
	if (!catalog && cmd_member(args, "catalogs"))
		catalog = sj_value_item(cmd_member(args, "catalogs"), 0);
	if (catalog && catalog->type == SJ_V_OBJECT)
		catalog = cmd_member(catalog, "catalog");
	for (size_t i = 0; catalog && sj_value_is_string(catalog) && i < sizeof hints / sizeof *hints; i++)
		if (cmd_contains(sj_value_text(catalog), sj_slice_of(hints[i].in_path)))
			return hints[i].version;
	return SJ_VERSION_NONE;
}

static void run_case(struct run *s, const char *suite, const char *root, const struct sj_value *c)
{
	const struct sj_value *name = cmd_member(c, "name"), *action = cmd_member(c, "action");
	struct trial t = {.mem = s->mem, .root = root, .c = c, .version = version_of_case(c),
	                  .reserved_keys = strstr(suite, "reserved_keys") != NULL};
	enum sj_version version = t.version != SJ_VERSION_NONE ? t.version : version_by_hint(c);
	size_t i = 0, n = sizeof actions / sizeof *actions;

	if (s->only != SJ_VERSION_NONE && version != SJ_VERSION_NONE && version != s->only)
		return;
	sj_buf_init(&t.why, s->mem, 0);
	while (i < n && (!value_text_is(action, actions[i].action) ||
	                 (actions[i].arg && !cmd_member(cmd_member(c, "args"), actions[i].arg))))
		i++;
	if (i == n)
		trial_skip(&t, "no part in this action");
	else
		actions[i].run(&t);
	report(s, suite, name ? sj_value_text(name) : SJ_LIT("(no name)"), action, version, &t);
	sj_buf_finish(&t.why);
}

/* ---- one file ---------------------------------------------------------------------------------------------------- */

static bool is_folder(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The nearest folder above that holds specification/. */
static void find_root(const char *path, const char *given, char *out, size_t size)
{
	char try[1200];
	snprintf(out, size, "%s", given ? given : path);
	if (given)
		return;
	for (char *slash = strrchr(out, '/'); slash; slash = strrchr(out, '/')) {
		*slash = 0;
		snprintf(try, sizeof try, "%s/specification", out);
		if (is_folder(try))
			return;
	}
	/* A relative path that began below the root: go up with dots. */
	snprintf(out, size, "..");
	for (int i = 0; i < 4; i++) {
		snprintf(try, sizeof try, "%s/specification", out);
		if (is_folder(try))
			return;
		size_t len = strlen(out);
		snprintf(out + len, size - len, "/..");
	}
	snprintf(out, size, ".");
}

/* specification/v1_0/test/... */
static enum sj_version version_of_path(const char *path)
{
	static const struct {
		const char *folder;
		enum sj_version version;
	} known[] = {{"/v0_8/", SJ_V08}, {"/v0_9/", SJ_V09}, {"/v0_9_1/", SJ_V091}, {"/v1_0/", SJ_V10}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (strstr(path, known[i].folder))
			return known[i].version;
	return SJ_VERSION_NONE;
}

static void run_schema_cases(struct run *s, const char *path, const char *root, const struct sj_value *doc)
{
	const struct sj_value *tests = cmd_member(doc, "tests");
	struct trial open = {.mem = s->mem, .root = root};
	sj_buf_init(&open.why, s->mem, 0);
	struct schema_suite *suite = schema_suite_open(&open, path, doc);
	enum sj_version version = version_of_path(path);
	for (uint32_t i = 0; i < sj_value_count(tests); i++) {
		const struct sj_value *test = sj_value_item(tests, i), *name = cmd_member(test, "description");
		struct trial t = {.mem = s->mem, .root = root, .c = test};
		sj_buf_init(&t.why, s->mem, 0);
		if (suite)
			schema_suite_test(suite, &t, test);
		else
			trial_fail(&t, "%.*s", SJ_ARG(sj_buf_view(&open.why)));
		report(s, path, name ? sj_value_text(name) : SJ_LIT("(no name)"), NULL, version, &t);
		sj_buf_finish(&t.why);
	}
	schema_suite_close(suite);
	sj_buf_finish(&open.why);
}

static bool is_suite(const struct sj_value *doc)
{
	const struct sj_value *first =
		doc->type == SJ_V_ARRAY && sj_value_count(doc) > 0 ? sj_value_item(doc, 0) : NULL;
	return cmd_member(first, "action") != NULL || (doc->type == SJ_V_ARRAY && sj_value_count(doc) == 0);
}

/* `named`: the person asked for this very file. */
static int run_file(struct run *s, const char *path, bool named)
{
	char root[1024];
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value doc;
	struct sj_buf text;
	int code;

	sj_buf_init(&text, s->mem, 0);
	code = cmd_read(path, &text);
	find_root(path, s->root, root, sizeof root);
	if (code == CMD_OK && sj_value_parse(s->mem, &opt, sj_buf_view(&text), &doc, NULL) == SJ_OK) {
		if (cmd_member(&doc, "tests") && cmd_member(&doc, "schema")) {
			run_schema_cases(s, path, root, &doc);
		} else if (is_suite(&doc)) {
			for (uint32_t i = 0; i < sj_value_count(&doc); i++)
				run_case(s, path, root, sj_value_item(&doc, i));
		} else if (named) {
			cmd_say("shoji: %s: this is no suite\n", path);
			code = CMD_INVALID;
		}
		sj_value_unref(s->mem, doc);
	} else if (code == CMD_OK && named) {
		cmd_say("shoji: %s: this is no JSON\n", path);
		code = CMD_INVALID;
	}
	sj_buf_finish(&text);
	return code;
}

/* ---- folders ----------------------------------------------------------------------------------------------------- */

struct names {
	SJ_VEC(char *) v;
};

static bool add_name(struct sj_mem *mem, struct names *n, const char *folder, const char *name)
{
	struct sj_buf path;
	sj_buf_init(&path, mem, 0);
	sj_buf_printf(&path, "%s%s%s", folder, folder[0] && name[0] ? "/" : "", name);
	char *copy = sj_buf_status(&path) == SJ_OK ? sj_mem_strndup(mem, sj_buf_view(&path)) : NULL;
	sj_buf_finish(&path);
	if (!copy || SJ_VEC_RESERVE(mem, &n->v, n->v.count + 1, 0) != SJ_OK)
		return false;
	n->v.items[n->v.count++] = copy;
	return true;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool list(struct sj_mem *mem, const char *folder, struct names *out)
{
	DIR *d = opendir(folder);
	struct dirent *e;
	bool ok = d != NULL;
	while (ok && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.' && strcmp(e->d_name, "test_data") != 0)
			ok = add_name(mem, out, folder, e->d_name);
	if (d)
		closedir(d);
	if (out->v.count > 1)
		qsort(out->v.items, out->v.count, sizeof *out->v.items, by_name);
	return ok;
}

static void free_names(struct sj_mem *mem, struct names *n)
{
	for (uint32_t i = 0; i < n->v.count; i++)
		sj_mem_free(mem, n->v.items[i], strlen(n->v.items[i]) + 1);
	SJ_VEC_FREE(mem, &n->v);
}

/* A folder and all below it, each folder's entries by name. `todo` is a stack: its top is the next to look at. */
static int run_path(struct run *s, const char *path)
{
	struct names todo = {0};
	int code = CMD_OK;
	if (!is_folder(path))
		return run_file(s, path, true);
	if (!add_name(s->mem, &todo, path, ""))
		return CMD_IO;
	while (todo.v.count > 0 && code == CMD_OK) {
		char *at = todo.v.items[--todo.v.count];
		size_t len = strlen(at);
		if (is_folder(at)) {
			struct names entries = {0};
			if (!list(s->mem, at, &entries)) {
				cmd_say("shoji: %s: the folder cannot be read\n", at);
				code = CMD_IO;
			}
			for (uint32_t i = entries.v.count; i-- > 0 && code == CMD_OK;)
				if (!add_name(s->mem, &todo, entries.v.items[i], ""))
					code = CMD_IO;
			free_names(s->mem, &entries);
		} else if (len > 5 && strcmp(at + len - 5, ".json") == 0) {
			code = run_file(s, at, false);
		}
		sj_mem_free(s->mem, at, len + 1);
	}
	free_names(s->mem, &todo);
	return code;
}

int cmd_conformance_run(struct sj_mem *mem, const char *path, const char *root, enum sj_version only, cmd_suite_fn fn,
                        void *ctx)
{
	struct run r = {.mem = mem, .root = root, .only = only, .report = fn, .ctx = ctx};
	return run_path(&r, path);
}
