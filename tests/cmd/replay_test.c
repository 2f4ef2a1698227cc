/* The scripts of tests/cases, and the runner of scripts itself. */
#include "cmd/replay.h"
#include "harness/test.h"

#include <stdio.h>

static void fail(void *ctx, uint32_t line, struct sj_slice text)
{
	sj_fail_at(ctx, (int)line, "%.*s", SJ_ARG(text));
}

SJ_TEST(cases)
{
	char **names;
	size_t count = sj_list_dir(sj_root("tests/cases"), ".jsonl", &names);
	CHECK(count >= 70);
	for (size_t i = 0; i < count; i++) {
		char path[256];
		struct cmd_replay_result result = {0};
		snprintf(path, sizeof path, "tests/cases/%s", names[i]);
		sj_case("%s", names[i]);
		struct sj_slice text = sj_slurp(sj_root(path));
		CHECK(text.ptr != NULL);
		CHECK_INT(cmd_replay_run(sj_test_mem(), text, fail, names[i], &result), CMD_OK);
		CHECK(result.expectations > 0);
		sj_case_end();
	}
}

/* ---- scripts that must fail, and with which words ---------------------------------------------------------------- */

#define CREATE                                                                                                         \
	"{\"agent\":[{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"https://a2ui.org/specification/v0_9/"    \
	"catalogs/basic/catalog.json\"}},{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\","  \
	"\"component\":\"TextField\",\"label\":\"Name\",\"value\":{\"path\":\"/n\"}}]}}]}\n"

struct heard {
	uint32_t line, count;
	char text[2048];
};

static void hear(void *ctx, uint32_t line, struct sj_slice text)
{
	struct heard *h = ctx;
	if (h->count++ > 0)
		return;
	h->line = line;
	snprintf(h->text, sizeof h->text, "%.*s", SJ_ARG(text));
}

static const struct {
	const char *script;
	uint32_t line;
	const char *text;
} failing[] = {
	{CREATE "{\"expect\":{\"nodes\":{\"root\":{\"label\":\"Nome\"}}}}", 2,
         "label: wanted \"Nome\", got \"Name\" (node root)"},
	{CREATE "{\"expect\":{\"nodes\":{\"root\":{\"label\":{\"$absent\":true}}}}}", 2,
         "label: wanted {\"$absent\":true}, got \"Name\" (node root)"},
	{CREATE "{\"expect\":{\"nodes\":{\"nobody\":{}}}}", 2, "there is no node 'nobody'"},
	{CREATE "{\"expect\":{\"nodes\":{\"root\":{\"$gone\":true}}}}", 2, "nodes: it is still there: root"},
	{CREATE "{\"expect\":{\"nodes\":{\"root\":{\"$enabled\":false}}}}", 2,
         "$enabled: wanted false, got true (node root)"},
	{CREATE "{\"expect\":{\"nodes\":{\"root\":{\"$moon\":1}}}}", 2,
         "nodes: there is no such thing as $moon (node root)"},
	{CREATE "{\"expect\":{\"data\":{\"/n\":\"x\"}}}", 2, "data: wanted \"x\", got nothing"},
	{CREATE "{\"user\":{\"set\":{\"id\":\"root\",\"value\":\"x\"}}}\n{\"expect\":{\"data\":{\"\":{}}}}", 3,
         "data: wanted exactly {}, got {\"n\":\"x\"}"},
	{CREATE "{\"expect\":{\"sent\":1}}", 2, "sent: wanted 1, got 0"},
	{CREATE "{\"expect\":{\"sent\":[{}]}}", 2, "sent: wanted [{}], got []"},
	{CREATE "{\"expect\":{\"surfaces\":[\"t\"]}}", 2, "surfaces: at /0: wanted \"t\", got \"s\""},
	{CREATE "{\"expect\":{\"errors\":1}}", 2, "errors: wanted 1, got 0"},
	{CREATE "{\"expect\":{\"picture\":[\"Nome\"]}}", 2, "picture: it does not show Nome"},
	{CREATE "{\"expect\":{\"pictureLacks\":[\"Name\"]}}", 2, "pictureLacks: it shows Name"},
	{CREATE "{\"expect\":{\"tree\":{\"id\":\"other\"}}}", 2, "tree: at /id: wanted \"other\", got \"root\""},
	{CREATE "{\"expect\":{\"explain\":{\"component\":\"root\",\"code\":\"no-root\"}}}", 2,
         "explain: there is no finding like {\"component\":\"root\",\"code\":\"no-root\"}"},
	{CREATE "{\"expect\":{\"explain\":2}}", 2, "explain: wanted 2, got 0"},
	{CREATE "{\"expect\":{\"a11y\":{\"root\":{\"name\":\"Nome\"}}}}", 2,
         "a11y: at /name: wanted \"Nome\", got \"Name\" (item root)"},
	{CREATE "{\"expect\":{\"a11y\":{\"nobody\":{}}}}", 2, "a11y: there is no item nobody"},
	{CREATE "{\"expect\":{\"a11y\":{\"root\":{\"$gone\":true}}}}", 2, "a11y: it is still there: root"},
	{CREATE "{\"expect\":{\"weather\":1}}", 2, "expect: nothing can be expected of weather"},
	{CREATE "{\"user\":{\"press\":\"root\"}}", 2, "it was refused: "},
	{CREATE "{\"user\":{\"set\":{\"id\":\"root\",\"value\":\"x\"},\"refused\":true}}", 2,
         "it was to be refused, but it was done"},
	{CREATE "{\"user\":{\"dance\":1}}", 2, "user does one of set, press, step, local, line"},
	{CREATE "{\"user\":{\"press\":\"nobody\"}}", 2, "there is no node 'nobody'"},
	{CREATE "{\"answer\":{\"value\":1}}", 2, "nobody waits for that answer"},
	{CREATE "{\"config\":{}}", 2, "config comes before every other step"},
	{CREATE "{\"sing\":1}", 2, "a step is one of "},
	{"{\"user\":{\"press\":\"root\"}}", 1, "there is no surface"},
	{"{\"config\":{\"demo\":\"opera\"}}", 1, "there is no such demo"},
	{"{\"agent\":{\"version\":\"v9\"}}\n{\"expect\":{}}", 2, "errors: nobody expected "},
	{"{\"note\":\"x\"}\n{\"agent\":{\"version\":\"v9\"}}\n{\"note\":\"y\"}", 2,
         "a fault that no later expectation names: "},
};

SJ_TEST(failing_scripts)
{
	for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) {
		struct heard h = {0};
		struct cmd_replay_result result = {0};
		sj_case("%s", failing[i].text);
		CHECK_INT(cmd_replay_run(sj_test_mem(), sj_slice_of(failing[i].script), hear, &h, &result), CMD_OK);
		CHECK_INT(result.failures, 1);
		CHECK_INT(h.count, 1);
		CHECK_INT(h.line, failing[i].line);
		if (strncmp(h.text, failing[i].text, strlen(failing[i].text)) != 0)
			CHECK_STR(sj_slice_of(h.text), failing[i].text);
		sj_case_end();
	}
}

SJ_TEST(no_json)
{
	struct heard h = {0};
	struct cmd_replay_result result = {0};
	CHECK_INT(cmd_replay_run(sj_test_mem(), SJ_LIT("{\"note\":1}\n{oops\n{\"note\":2}"), hear, &h, &result),
	          CMD_INVALID);
	CHECK_INT(h.line, 2);
	CHECK_INT(result.steps, 1);
}

/* The words of a step are its own: every step of the manual page's kind is known. */
SJ_TEST(steps)
{
	static const char script[] =
		"{\"note\":\"time, environment, agent functions\"}\n"
		"{\"config\":{\"now\":1000,\"locale\":\"en\",\"timeZone\":\"UTC\",\"gate\":\"own\",\"permissive\":[\"urn:p\"]}}\n"
		"{\"on\":{\"call\":\"ping\"},\"reply\":[{\"version\":\"v1.0\",\"agentFunctionResponse\":{\"functionCallId\":"
		"\"{{/callAgentFunction/functionCallId}}\",\"value\":\"{{/callAgentFunction/callFunction/args/n}}\"}}]}\n"
		"{\"agent\":{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"urn:p\"}}}\n"
		"{\"env\":{\"locale\":\"ko\"}}\n"
		"{\"call\":{\"function\":\"ping\",\"catalogId\":\"urn:p\",\"args\":{\"n\":7}}}\n"
		"{\"expect\":{\"done\":[{\"value\":7}],\"sent\":1}}\n"
		"{\"call\":{\"function\":\"silence\",\"catalogId\":\"urn:p\",\"timeout\":50}}\n"
		"{\"tick\":49}\n{\"expect\":{\"done\":0,\"sent\":1}}\n{\"tick\":1}\n{\"expect\":{\"done\":[{\"error\":{\"code\":\"TIMEOUT\"}}]}}\n";
	struct heard h = {0};
	struct cmd_replay_result result = {0};
	CHECK_INT(cmd_replay_run(sj_test_mem(), sj_slice_of(script), hear, &h, &result), CMD_OK);
	CHECK_STR(sj_slice_of(h.text), "");
	CHECK_INT(result.expectations, 3);
	CHECK_INT(result.steps, 12);
}
