/* The official JSON-Schema-Test-Suite, draft 2020-12: required files whole, optional ones as far as optional.txt says.
 */
#include <stdio.h>

#include "harness/test.h"
#include "schema/schema.h"
#include "text/regex.h"

#define REMOTES "http://localhost:1234/"

static bool parse(struct sj_arena *arena, struct sj_slice text, struct sj_tape *out)
{
	struct sj_json_options json = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_diag diag = {0};

	return sj_json_parse(arena, &json, text, out, &diag) == SJ_OK;
}

/* Registers the remote schemas of one folder of the suite under the URIs its cases use. */
static void add_remotes(struct sj_schema_set *set, const char *folder)
{
	char path[256], uri[256];
	char **names;

	snprintf(path, sizeof path, "json-schema/remotes/%s", folder);
	const char *found = sj_data(path);
	if (!found)
		return;
	snprintf(path, sizeof path, "%s", found);
	size_t count = sj_list_dir(path, ".json", &names);
	for (size_t i = 0; i < count; i++) {
		char file[512];
		struct sj_diag diag = {0};
		snprintf(file, sizeof file, "%s/%s", path, names[i]);
		snprintf(uri, sizeof uri, REMOTES "%s%s%s", folder, *folder ? "/" : "", names[i]);
		if (sj_schema_set_add(set, sj_slice_of(uri), sj_slurp(file), &diag) != SJ_OK)
			sj_fail_at(__FILE__, __LINE__, "remote %s: %s", uri, diag.message);
	}
}

/* A line of optional.txt, cut at its bars. */
struct row {
	struct sj_slice verb, file, group, test, reason;
};

static bool next_row(struct sj_slice table, size_t *at, struct row *row)
{
	while (*at < table.len) {
		struct sj_slice *fields[] = {&row->verb, &row->file, &row->group, &row->test, &row->reason};
		size_t field = 0, end = *at;
		while (end < table.len && table.ptr[end] != '\n')
			end++;
		*row = (struct row){0};
		for (size_t from = *at, i = *at; i <= end && field < 5; i++) {
			if (i < end && table.ptr[i] != '|')
				continue;
			*fields[field++] = sj_slice(table.ptr + from, i - from);
			from = i + 1;
		}
		*at = end + 1;
		if (row->verb.len > 0 && row->verb.ptr[0] != '#')
			return true;
	}
	return false;
}

/* Why the table skips this case (or, with an empty group, the whole file); {NULL,0} when it does not. */
static struct sj_slice skipped(struct sj_slice table, const char *file, struct sj_slice group, struct sj_slice test)
{
	struct row row;

	for (size_t at = 0; next_row(table, &at, &row);)
		if (sj_slice_is(row.verb, "skip") && sj_slice_is(row.file, file) && sj_slice_eq(row.group, group) &&
		    (row.test.len == 0 || sj_slice_eq(row.test, test)))
			return row.reason;
	return SJ_NO_SLICE;
}

struct suite {
	const char *file;
	struct sj_slice table; /* optional.txt, or empty */
	bool assert_format, plain;
};

static void run_group(const struct suite *suite, const struct sj_tape *t, uint32_t group)
{
	static const char *const folders[] = {"draft2020-12", "draft2020-12/nested", "draft2020-12/baseUriChange",
		"draft2020-12/baseUriChangeFolder", "draft2020-12/baseUriChangeFolderInSubschema"};
	struct sj_schema_options opt = {.assert_format = suite->assert_format, .plain = suite->plain};
	struct sj_schema_set *set;
	const struct sj_schema *schema = NULL;
	struct sj_diag diag = {0};
	struct sj_arena arena;
	struct sj_slice uri = SJ_LIT("mem:///suite/case.json");

	sj_arena_init(&arena, sj_test_mem(), 0);
	CHECK_OK(sj_schema_set_create(sj_test_mem(), &opt, &set));
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		add_remotes(set, folders[i]);
	struct sj_slice name = sj_tape_string(t, sj_tape_get(t, group, SJ_LIT("description")), &arena);
	struct sj_slice source = sj_tape_source(t, sj_tape_get(t, group, SJ_LIT("schema")));
	enum sj_status status = sj_schema_set_add(set, uri, source, &diag);
	if (status == SJ_OK)
		status = sj_schema_compile(set, uri, &schema, &diag);
	uint32_t tests = sj_tape_get(t, group, SJ_LIT("tests"));
	for (uint32_t i = sj_tape_first(t, tests); i < sj_tape_next(t, tests); i = sj_tape_next(t, i)) {
		struct sj_slice what = sj_tape_string(t, sj_tape_get(t, i, SJ_LIT("description")), &arena);
		struct sj_slice reason = skipped(suite->table, suite->file, name, what);
		bool valid = sj_tape_type(t, sj_tape_get(t, i, SJ_LIT("valid"))) == SJ_J_TRUE;
		sj_case("%s: %.*s: %.*s%s", suite->file, SJ_ARG(name), SJ_ARG(what), suite->plain ? " (plain)" : "");
		if (!sj_regex_available() && strstr(suite->file, "regex")) {
			sj_skip("regular expressions are not built in");
		} else if (reason.ptr) {
			sj_skip("%.*s", SJ_ARG(reason));
		} else if (status != SJ_OK) {
			sj_fail_at(__FILE__, __LINE__, "does not compile: %s at %s", diag.message, diag.pointer);
		} else {
			enum sj_status got =
				sj_schema_validate(schema, t, sj_tape_get(t, i, SJ_LIT("data")), &arena, NULL, NULL);
			if (got == SJ_LIMIT && !sj_regex_available())
				sj_skip("regular expressions are not built in");
			else
				CHECK_INT(got, valid ? SJ_OK : SJ_INVALID);
		}
		sj_case_end();
	}
	sj_schema_set_destroy(set);
	sj_arena_finish(&arena);
}

static void run_file(const struct suite *suite)
{
	char path[256];
	struct sj_arena arena;
	struct sj_tape t;

	snprintf(path, sizeof path, "json-schema/draft2020-12/%s", suite->file);
	const char *found = sj_data(path);
	if (!found) {
		sj_skip("%s is not there", path);
		return;
	}
	sj_arena_init(&arena, sj_test_mem(), 0);
	if (!parse(&arena, sj_slurp(found), &t))
		sj_fail_at(__FILE__, __LINE__, "%s is not JSON", path);
	else
		for (uint32_t group = 1; group < sj_tape_next(&t, 0); group = sj_tape_next(&t, group))
			run_group(suite, &t, group);
	sj_arena_finish(&arena);
}

/* Every file of the folder itself is required. */
static void run_required(bool plain)
{
	const char *found = sj_data("json-schema/draft2020-12");
	char **names;

	if (!found) {
		sj_skip("the JSON Schema suite is not there");
		return;
	}
	size_t count = sj_list_dir(found, ".json", &names);
	CHECK(count >= 45);
	for (size_t i = 0; i < count; i++)
		run_file(&(struct suite){.file = names[i], .plain = plain});
}

SJ_TEST(required) { run_required(false); }
SJ_TEST(required_plain) { run_required(true); }

SJ_TEST(optional)
{
	struct sj_slice table = sj_slurp(sj_root("tests/schema/optional.txt"));
	struct row row;

	CHECK(table.ptr != NULL);
	for (size_t at = 0; next_row(table, &at, &row);) {
		char file[128];
		snprintf(file, sizeof file, "%.*s", SJ_ARG(row.file));
		if (!sj_slice_is(row.verb, "skip")) {
			run_file(&(struct suite){
				.file = file, .table = table, .assert_format = sj_slice_is(row.verb, "assert")});
		} else if (row.group.len == 0) {
			sj_case("%s", file);
			sj_skip("%.*s", SJ_ARG(row.reason));
			sj_case_end();
		}
	}
}
