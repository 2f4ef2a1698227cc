/* Every case of the public suites of the core, and of the specification's own, is a case here. */
#include "cmd/conformance.h"
#include "harness/test.h"

struct seen {
	unsigned passed, contradicted, skipped;
};

static void one(void *ctx, const struct cmd_case *c)
{
	struct seen *seen = ctx;
	const char *file = strrchr(c->suite, '/');
	sj_case("%s: %.*s", file ? file + 1 : c->suite, SJ_ARG(c->name));
	if (c->verdict == CMD_FAILED)
		sj_fail_at(c->suite, 0, "%.*s", SJ_ARG(c->why));
	else if (c->verdict == CMD_SKIPPED)
		sj_skip("%.*s", SJ_ARG(c->why));
	seen->passed += c->verdict == CMD_PASSED;
	seen->contradicted += c->verdict == CMD_CONTRADICTED;
	seen->skipped += c->verdict == CMD_SKIPPED;
	sj_case_end();
}

static struct seen run(const char *folder)
{
	struct seen seen = {0};
	const char *path = sj_data(folder);
	if (!path) {
		sj_skip("%s is not there", folder);
		return seen;
	}
	CHECK_INT(cmd_conformance_run(sj_test_mem(), path, NULL, SJ_VERSION_NONE, one, &seen), CMD_OK);
	return seen;
}

SJ_TEST(core_suites)
{
	struct seen seen = run("a2ui/conformance/core");
	if (sj_data("a2ui/conformance/core")) {
		CHECK(seen.passed >= 300);
		CHECK_INT(seen.skipped, 0);
		CHECK_INT(seen.contradicted, 0);
	}
}

SJ_TEST(extension_suites)
{
	struct seen seen = run("a2ui/conformance/extensions");
	if (sj_data("a2ui/conformance/extensions")) {
		CHECK(seen.passed >= 17);
		CHECK_INT(seen.skipped, 0);
		CHECK_INT(seen.contradicted, 0);
	}
}

SJ_TEST(direct_json_suites)
{
	struct seen seen = run("a2ui/conformance/agent/direct_json");
	if (sj_data("a2ui/conformance/agent/direct_json")) {
		CHECK(seen.passed >= 72);
		CHECK_INT(seen.contradicted, 0);
	}
}

SJ_TEST(specification_cases)
{
	struct seen seen = run("a2ui/specification");
	if (sj_data("a2ui/specification")) {
		CHECK(seen.passed >= 300);
		CHECK_INT(seen.skipped, 0);
	}
}

/* The runner can fail: a suite that asks for what is not so. */
static void tally(void *ctx, const struct cmd_case *c)
{
	unsigned *count = ctx;
	CHECK((c->verdict == CMD_PASSED) == (c->why.len == 0));
	count[c->verdict]++;
}

/* A case that contradicts the newest text is told apart, and its row must go when it passes. */
SJ_TEST(contradicted_cases)
{
	static const struct conformance_known table[] = {{"core/a.json", "old", "section 9 says 2"},
	                                                 {NULL, NULL, NULL}};
	static const struct {
		const char *suite, *name;
		enum cmd_verdict before, after;
		const char *why;
	} cases[] = {
		{"x/core/a.json", "old", CMD_FAILED, CMD_CONTRADICTED, "got 2 (section 9 says 2)"},
		{"core/a.json", "old", CMD_FAILED, CMD_CONTRADICTED, "got 2 (section 9 says 2)"},
		{"x/core/a.json", "old", CMD_PASSED, CMD_FAILED,
	         "passes, but is listed as contradicted: section 9 says 2"},
		{"x/core/a.json", "old", CMD_SKIPPED, CMD_SKIPPED, "got 2"},
		{"x/core/a.json", "older", CMD_FAILED, CMD_FAILED, "got 2"},
		{"x/hardcore/a.json", "old", CMD_FAILED, CMD_FAILED, "got 2"},
		{"a.json", "old", CMD_PASSED, CMD_PASSED, ""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sj_buf why;
		sj_buf_init(&why, sj_test_mem(), 0);
		sj_buf_puts(&why, cases[i].before == CMD_PASSED ? "" : "got 2");
		CHECK_INT(conformance_judge(table, cases[i].suite, sj_slice_of(cases[i].name), cases[i].before, &why),
		          cases[i].after);
		CHECK_STR(sj_buf_view(&why), cases[i].why);
		sj_buf_finish(&why);
	}
}

/* Each row of the real table says where the case lies and why. */
SJ_TEST(known_contradictions_are_explained)
{
	for (const struct conformance_known *k = CONFORMANCE_KNOWN; k->suite; k++) {
		CHECK(strlen(k->suite) > 5 && strcmp(k->suite + strlen(k->suite) - 5, ".json") == 0);
		CHECK(strchr(k->suite, '/') != NULL);
		CHECK(k->name && k->name[0] && k->reason && strlen(k->reason) > 20);
	}
}

SJ_TEST(wrong_expectations_fail)
{
	unsigned count[CMD_VERDICTS] = {0};
	CHECK_INT(cmd_conformance_run(sj_test_mem(), sj_root("tests/cmd/suites/wrong.json"), sj_root("tests"),
	                              SJ_VERSION_NONE, tally, count),
	          CMD_OK);
	CHECK_INT(count[CMD_PASSED], 0);
	CHECK_INT(count[CMD_FAILED], 17);
	CHECK_INT(count[CMD_SKIPPED], 1);
}

SJ_TEST(wrong_expectations_of_chunks_fail)
{
	unsigned count[CMD_VERDICTS] = {0};
	CHECK_INT(cmd_conformance_run(sj_test_mem(), sj_root("tests/cmd/suites/wrong_chunks.json"), sj_root("tests"),
	                              SJ_VERSION_NONE, tally, count),
	          CMD_OK);
	CHECK_INT(count[CMD_FAILED], 10);
	CHECK_INT(count[CMD_PASSED] + count[CMD_SKIPPED], 0);
}

SJ_TEST(wrong_expectations_of_extensions_fail)
{
	unsigned count[CMD_VERDICTS] = {0};
	CHECK_INT(cmd_conformance_run(sj_test_mem(), sj_root("tests/cmd/suites/wrong_extensions.json"),
	                              sj_root("tests"), SJ_VERSION_NONE, tally, count),
	          CMD_OK);
	CHECK_INT(count[CMD_PASSED], 0);
	CHECK_INT(count[CMD_FAILED], 14);
	CHECK_INT(count[CMD_SKIPPED], 0);
}

SJ_TEST(right_expectations_pass)
{
	unsigned count[CMD_VERDICTS] = {0};
	CHECK_INT(cmd_conformance_run(sj_test_mem(), sj_root("tests/cmd/suites/right.json"), sj_root("tests"),
	                              SJ_VERSION_NONE, tally, count),
	          CMD_OK);
	CHECK_INT(count[CMD_FAILED], 0);
	CHECK_INT(count[CMD_PASSED], 6);
	CHECK_INT(cmd_conformance_run(sj_test_mem(), sj_root("tests/cmd/suites/right.json"), sj_root("tests"), SJ_V10,
	                              tally, count),
	          CMD_OK);
	CHECK_INT(count[CMD_PASSED], 6 + 4); /* two name v0.9 */
}
