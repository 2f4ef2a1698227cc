/* Recordings: whatever enters an engine leads to the same trees when it is replayed, and what is secret stands in no
 * recording. */
#include "cmd/record.h"
#include "cmd/replay.h"
#include "harness/random.h"
#include "harness/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BASIC "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
#define FORM                                                                                                           \
	"{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':'" BASIC "'}}\n"                               \
	"{'version':'v0.9','updateDataModel':{'surfaceId':'s','value':{'rows':[{'n':'a'},{'n':'b'}],'n':2,'pin':"      \
	"'given by the agent'}}}\n"                                                                                    \
	"{'version':'v0.9','updateComponents':{'surfaceId':'s','components':["                                         \
	"{'id':'root','component':'Column','children':['n','p','l','sl','tabs','g','g','off']},"                       \
	"{'id':'n','component':'TextField','label':'Name','value':{'path':'/name'}},"                                  \
	"{'id':'p','component':'TextField','label':'Pin','variant':'obscured','value':{'path':'/pin'},'checks':["      \
	"{'condition':{'call':'regex','args':{'value':{'path':'/pin'},'pattern':'^[0-9]{6}$'}},'message':'six'}]},"    \
	"{'id':'l','component':'List','children':{'componentId':'row','path':'/rows'}},"                               \
	"{'id':'row','component':'TextField','label':'Row','value':{'path':'n'}},"                                     \
	"{'id':'sl','component':'Slider','min':0,'max':10,'value':{'path':'/n'}},"                                     \
	"{'id':'tabs','component':'Tabs','tabs':[{'title':'One','child':'t1'},{'title':'Two','child':'t2'}]},"         \
	"{'id':'t1','component':'Text','text':{'path':'/name'}},{'id':'t2','component':'Text','text':'2'},"            \
	"{'id':'g','component':'Button','child':'t2','action':{'event':{'name':'go',"                                  \
	"'context':{'p':{'path':'/pin'}}}}},"                                                                          \
	"{'id':'off','component':'Button','child':'t2','checks':[{'condition':false,'message':'never'}],"              \
	"'action':{'functionCall':{'call':'openUrl','args':{'url':'https://example.org/'}}}}]}}\n"

struct play { /* a recorded session */
	struct sj_mem *mem;
	struct cmd_session s;
	struct sj_view *view;
	char path[512];
	struct sj_slice script;
	struct sj_buf trees;
};

static void feed(struct play *p, const char *text)
{
	char copy[4096];
	size_t n = (size_t)snprintf(copy, sizeof copy, "%s", text);
	for (size_t i = 0; i < n; i++)
		copy[i] = copy[i] == '\'' ? '"' : copy[i];
	CHECK_OK(cmd_session_feed(&p->s, sj_slice(copy, n), false));
	uint32_t count = sj_engine_view_count(p->s.engine);
	p->view = count ? sj_engine_view_at(p->s.engine, 0) : NULL;
}

static void begin(struct play *p)
{
	static struct cmd_args args;
	struct sj_engine_config cfg = {.size = sizeof cfg, .now_ms = 1000, .locale = "en"};
	const char *folder = getenv("TMPDIR");
	*p = (struct play){.mem = sj_test_mem()};
	args.mem = p->mem;
	sj_buf_init(&p->trees, p->mem, 0);
	snprintf(p->path, sizeof p->path, "%s/shoji-test-XXXXXX", folder ? folder : "/tmp");
	int fd = mkstemp(p->path);
	CHECK(fd >= 0);
	close(fd);
	CHECK_INT(cmd_session_open(&p->s, p->mem, &cfg), CMD_OK);
	p->s.refuse_tools = true;
	CHECK_INT(cmd_record_begin(&p->s, &args, &cfg), CMD_OK);
}

static void set(struct play *p, const char *id, const uint32_t *rows, uint32_t nrows, enum sj_phase phase,
                const char *json, enum sj_status want)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_mem *mem = sj_engine_mem(p->s.engine);
	struct sj_surface *s = sj_view_surface(p->view);
	struct sj_input in = {.prop = SJ_P_VALUE, .phase = phase};
	CHECK(sj_surface_settle(s) == SJ_OK);
	in.node = sj_surface_find(s, sj_slice_of(id), rows, nrows);
	CHECK(in.node != 0);
	CHECK_OK(sj_value_parse(mem, &opt, sj_slice_of(json), &in.value, NULL));
	CHECK_INT(sj_engine_input(p->s.engine, p->view, &in, NULL), want);
	sj_value_unref(mem, in.value);
	CHECK_OK(cmd_session_pump(&p->s));
}

static void press(struct play *p, sj_node_id node, enum sj_status want)
{
	CHECK_INT(sj_engine_press(p->s.engine, p->view, node, NULL), want);
	CHECK_OK(cmd_session_pump(&p->s));
}

static bool holds(struct sj_slice text, const char *part)
{
	size_t n = strlen(part);
	for (size_t i = 0; i + n <= text.len; i++)
		if (memcmp(text.ptr + i, part, n) == 0)
			return true;
	return false;
}

static void tell(void *ctx, uint32_t line, struct sj_slice text)
{
	(void)ctx;
	sj_fail_at(__FILE__, __LINE__, "line %u: %.*s", line, SJ_ARG(text));
}

static void ignore(void *ctx, uint32_t line, struct sj_slice text)
{
	(void)ctx;
	(void)line;
	(void)text;
}

/* Ends the recording; its script must lead back. */
static void end(struct play *p)
{
	struct cmd_replay_result result = {0};
	for (uint32_t i = 0; i < sj_engine_view_count(p->s.engine); i++)
		CHECK_OK(sj_view_tree(p->s.engine, sj_engine_view_at(p->s.engine, i), &p->trees));
	CHECK_INT(cmd_record_end(&p->s, p->path), CMD_OK);
	p->script = sj_slurp(p->path);
	CHECK(p->script.len > 0);
	CHECK_INT(cmd_replay_run(p->mem, p->script, tell, NULL, &result), CMD_OK);
	CHECK_INT(result.expectations, 1);
	CHECK_INT(result.failures, 0);
	unlink(p->path);
	cmd_session_close(&p->s);
}

static void finish(struct play *p) { sj_buf_finish(&p->trees); }

static sj_node_id nth_child_of_root(struct play *p, uint32_t i)
{
	struct sj_surface *s = sj_view_surface(p->view);
	CHECK(sj_surface_settle(s) == SJ_OK);
	return sj_node_child(s, sj_surface_root(s), i);
}

SJ_TEST(every_inlet_is_recorded)
{
	static const uint32_t second = 1;
	struct play p;
	begin(&p);
	feed(&p, FORM);
	cmd_record_look(&p.s, p.view);
	set(&p, "n", NULL, 0, SJ_EDIT_COMMIT, "\"Ada \\u20ac \\\"x\\\"\"", SJ_OK);
	set(&p, "row", &second, 1, SJ_EDIT_BEGIN, "null", SJ_OK);
	set(&p, "row", &second, 1, SJ_EDIT_UPDATE, "\"half\"", SJ_OK);
	set(&p, "row", &second, 1, SJ_EDIT_CANCEL, "null", SJ_OK);
	set(&p, "sl", NULL, 0, SJ_EDIT_COMMIT, "7", SJ_OK);
	set(&p, "t1", NULL, 0, SJ_EDIT_COMMIT, "1", SJ_INVALID); /* it takes no input */
	press(&p, nth_child_of_root(&p, 6), SJ_OK);              /* the second place of "g" */
	press(&p, nth_child_of_root(&p, 7), SJ_INVALID);         /* it is disabled */
	CHECK_OK(
		sj_engine_set_local(p.s.engine, p.view, nth_child_of_root(&p, 4), SJ_LIT("selected"), sj_value_int(1)));
	CHECK_OK(sj_engine_set_env(p.s.engine, NULL, SJ_LIT("locale"), SJ_LIT("de")));
	CHECK_OK(cmd_session_advance(&p.s, 61000));
	feed(&p, "{'version':'v0.9','updateDataModel':{'surfaceId':'s','path':'/rows/0/n','value':'split");
	feed(&p, " in two'}}\n{'version':'v0.9','nonsense':{}}\n");
	feed(&p, "{\"bad\": \"\xff\"}\n");
	CHECK_OK(cmd_session_feed(&p.s, SJ_NO_SLICE, true));
	end(&p);
	static const char *const lines[] = {
		"{\"config\":{\"now\":1000,\"locale\":\"en\"}}\n",
		"{\"look\":{\"surface\":\"s\"}}\n",
		"{\"user\":{\"surface\":\"s\",\"set\":{\"id\":\"n\",\"value\":\"Ada \xe2\x82\xac \\\"x\\\"\"}}}\n",
		"{\"user\":{\"surface\":\"s\",\"set\":{\"id\":\"row\",\"rows\":[1],\"phase\":\"update\",\"value\":\"half\"}}}\n",
		"{\"user\":{\"surface\":\"s\",\"set\":{\"id\":\"row\",\"rows\":[1],\"phase\":\"cancel\",\"value\":null}}}\n",
		"{\"user\":{\"surface\":\"s\",\"set\":{\"id\":\"t1\",\"value\":1},\"refused\":true}}\n",
		"{\"user\":{\"surface\":\"s\",\"press\":{\"id\":\"g\",\"way\":[6]}}}\n",
		"{\"user\":{\"surface\":\"s\",\"press\":{\"id\":\"off\"},\"refused\":true}}\n",
		"{\"user\":{\"surface\":\"s\",\"local\":{\"id\":\"tabs\",\"name\":\"selected\",\"value\":1}}}\n",
		"{\"env\":{\"locale\":\"de\"}}\n",
		"{\"tick\":60000}\n",
		"{\"bytes\":{\"hex\":\"7b22626164223a2022ff227d0a\"}}\n",
		"{\"bytes\":{\"text\":\"\",\"end\":true}}\n",
		"\"errors\":{\"$any\":true}}}\n",
	};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (!holds(p.script, lines[i]))
			sj_fail_at(__FILE__, __LINE__, "not recorded: %s", lines[i]);
	finish(&p);
}

SJ_TEST(refused_effects_are_answers)
{
	struct play p;
	begin(&p);
	feed(&p, "{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':'" BASIC "'}}\n"
	         "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[{'id':'root','component':'Button',"
	         "'child':'t','action':{'functionCall':{'call':'openUrl','args':{'url':'https://example.org/'}}}},"
	         "{'id':'t','component':'Text','text':'Open'}]}}\n");
	CHECK(sj_surface_settle(sj_view_surface(p.view)) == SJ_OK);
	press(&p, sj_surface_root(sj_view_surface(p.view)), SJ_OK);
	end(&p);
	CHECK(holds(p.script, "{\"answer\":{\"name\":\"openUrl\",\"error\":{\"code\":\"UNAVAILABLE\",\"message\":"));
	finish(&p);
}

SJ_TEST(secrets_are_masked_wherever_they_stand)
{
	struct play p;
	begin(&p);
	feed(&p, FORM);
	cmd_record_look(&p.s, p.view);
	set(&p, "p", NULL, 0, SJ_EDIT_UPDATE, "\"31\"", SJ_OK);
	set(&p, "p", NULL, 0, SJ_EDIT_COMMIT, "\"314159\"", SJ_OK); /* the check looks at its digits */
	feed(&p, "{'version':'v0.9','updateDataModel':{'surfaceId':'s','path':'/echo','value':'you typed 314159!'}}\n");
	feed(&p, "{'version':'v0.9','updateDataModel':{'surfaceId':'s','path':'/echo2','value':'31'}}\n");
	end(&p);
	CHECK(holds(sj_buf_view(&p.trees), "you typed 314159!")); /* it is no secret place */
	CHECK(!holds(p.script, "314159"));
	CHECK(!holds(p.script, "\"31\""));
	CHECK(!holds(p.script, "\\\"31\\\""));
	CHECK(!holds(p.script, "given by the agent"));
	CHECK(holds(p.script, "you typed 000000!"));
	CHECK(holds(p.script, "\"set\":{\"id\":\"p\",\"value\":\"000000\"}"));
	finish(&p);
	/* Where no check looks at it, its length is all that is told. */
	begin(&p);
	feed(&p, "{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':'" BASIC "'}}\n"
	         "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[{'id':'root','component':'TextField',"
	         "'label':'Word','variant':'obscured','value':{'path':'/w'}}]}}\n");
	set(&p, "root", NULL, 0, SJ_EDIT_COMMIT, "\"Caf\xc3\xa9 7\"", SJ_OK);
	end(&p);
	CHECK(holds(p.script, "\"value\":\"******\""));
	finish(&p);
}

SJ_TEST(a_recording_that_differs_fails)
{
	static const char *const scripts[] = {
		"{\"expect\":{\"trees\":[{\"surfaceId\":\"s\"}]}}\n",
		"{\"agent\":{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" BASIC "\"}}}\n"
		"{\"expect\":{\"trees\":[{\"dataModel\":{},\"surfaceId\":\"t\",\"tree\":null}]}}\n",
		"{\"bytes\":{\"hex\":\"7g\"}}\n",
		"{\"bytes\":{\"hex\":\"7\"}}\n",
		"{\"expect\":{\"error\":\"JSON_SYNTAX\"}}\n",
		"{\"look\":{\"surface\":\"s\"}}\n",
	};
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
		struct cmd_replay_result result = {0};
		CHECK_INT(cmd_replay_run(sj_test_mem(), sj_slice_of(scripts[i]), ignore, NULL, &result), CMD_OK);
		CHECK_INT(result.failures, 1);
	}
}

/* Any mixture of what a person does. */
SJ_TEST(random_sessions_lead_back)
{
	for (uint32_t seed = 1; seed <= 30; seed++) {
		struct sj_random r = {seed};
		struct play p;
		begin(&p);
		feed(&p, FORM);
		for (int i = 0; i < 25; i++) {
			uint32_t row = sj_random_below(&r, 2);
			char text[64];
			switch (sj_random_below(&r, 7)) {
			case 0:
				snprintf(text, sizeof text, "\"%u\"", sj_random_below(&r, 1000));
				set(&p, "n", NULL, 0, SJ_EDIT_COMMIT, text, SJ_OK);
				break;
			case 1:
				snprintf(text, sizeof text, "\"%06u\"", sj_random_below(&r, 1000000));
				set(&p, "p", NULL, 0, SJ_EDIT_COMMIT, text, SJ_OK);
				break;
			case 2:
				set(&p, "row", &row, 1, SJ_EDIT_COMMIT, "\"r\"", SJ_OK);
				break;
			case 3:
				cmd_record_look(&p.s, p.view);
				break;
			case 4:
				CHECK_OK(cmd_session_advance(&p.s, sj_engine_now(p.s.engine) + 10));
				break;
			case 5:
				feed(&p, "{'version':'v0.9','updateDataModel':{'surfaceId':'s','path':'/rows','value':[{'n':'x'},"
				         "{'n':'y'}]}}\n");
				break;
			default:
				press(&p, nth_child_of_root(&p, 5 + sj_random_below(&r, 2)), SJ_OK);
			}
		}
		end(&p);
		finish(&p);
	}
}
