/* Every case of the public suites of the core, and of the specification's own, is a case here. */
#include "cmd/conformance.h"
#include "harness/test.h"

struct seen {
	unsigned passed, skipped;
};

static void one(void *ctx, const char *suite, struct sj_slice name, enum cmd_verdict verdict, struct sj_slice why)
{
	struct seen *seen = ctx;
	const char *file = strrchr(suite, '/');
	sj_case("%s: %.*s", file ? file + 1 : suite, SJ_ARG(name));
	if (verdict == CMD_FAILED)
		sj_fail_at(suite, 0, "%.*s", SJ_ARG(why));
	else if (verdict == CMD_SKIPPED)
		sj_skip("%.*s", SJ_ARG(why));
	seen->passed += verdict == CMD_PASSED;
	seen->skipped += verdict == CMD_SKIPPED;
	sj_case_end();
}

static struct seen run(const char *folder)
{
	struct seen seen = {0, 0};
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
		CHECK(seen.skipped <= 8); /* v0.8 */
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
static void tally(void *ctx, const char *suite, struct sj_slice name, enum cmd_verdict verdict, struct sj_slice why)
{
	unsigned *count = ctx;
	(void)suite;
	(void)name;
	CHECK((verdict == CMD_PASSED) == (why.len == 0));
	count[verdict]++;
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
