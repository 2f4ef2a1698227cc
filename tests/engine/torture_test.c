/* A rich session while memory runs out. For every allocation of it: that one fails, and what was asked for is either
 * done whole or not at all, with SJ_NOMEM; asked again with memory back, the session goes on to where it would have
 * come without the failure; and in the end every byte is given back. */
#include <stdio.h>

#include "engine/talk.h"

static struct talk t;

#define LOOSE "https://example.com/loose"
#define UC "{'version':'v1.0','updateComponents':{'surfaceId':'s','components':["

static uint64_t asked;

static enum sj_status call_agent(void)
{
	struct sj_diag d;
	sj_diag_clear(&d);
	enum sj_status st = sj_engine_call_agent(t.e, talk_view(&t, "s"), SJ_LIT("f"), SJ_LIT(LOOSE),
	                                         SJ_LIT("{\"a\":1}"), 50, &asked, &d);
	return st == SJ_OK ? talk_take(&t) : st;
}

static enum sj_status press(void)
{
	sj_node_id n = talk_node(&t, "s", "go");
	if (!n)
		return SJ_NOMEM; /* a tree that was lost is built again by the next settle */
	return talk_press(&t, "s", n, NULL);
}

static enum sj_status type(const char *json)
{
	sj_node_id n = talk_node(&t, "s", "f");
	return n ? talk_type(&t, "s", n, json, NULL) : SJ_NOMEM;
}

static enum sj_status environment(void)
{
	enum sj_status st = sj_engine_set_env(t.e, NULL, SJ_LIT("timeZone"), SJ_LIT("+05:30"));
	return st == SJ_OK ? talk_take(&t) : st;
}

static enum sj_status tool_answer(void)
{
	enum sj_status st = sj_engine_answer(t.e, talk_event(&t, SJ_EV_TOOL_WANTED, 0)->call_id, SJ_NO_SLICE,
	                                     SJ_NO_SLICE, SJ_NO_SLICE);
	return st == SJ_ABSENT ? SJ_OK : st == SJ_OK ? talk_take(&t) : st;
}

static enum sj_status in_pieces(const char *text)
{
	text = talk_quote(&t, text);
	enum sj_status st = SJ_OK;
	for (size_t n = strlen(text), at = 0; at < n && st == SJ_OK; at += 9)
		st = sj_engine_feed(t.e, t.peer, text + at, n - at < 9 ? n - at : 9);
	if (st != SJ_OK)
		(void)sj_engine_feed(t.e, t.peer, "\n", 1);
	enum sj_status taken = talk_take(&t);
	return st == SJ_OK ? taken : st;
}

enum { MOST_STEPS = 22 };
static enum sj_status loose_step(int i)
{
	switch (i) {
	case 0:
		return talk_say(&t, "{'version':'v1.0','createSurface':{'surfaceId':'s','catalogId':'" LOOSE
		                    "','sendDataModel':true,'metadata':{'extensions':{'x':1}},'dataModel':{'user':{'name':'Ann'},"
		                    "'at':'2026-01-31T23:30:00Z'},'components':[{'id':'root','component':'Column','children':["
		                    "'hello','when']},{'id':'hello','component':'Text','text':{'@call':'formatString','args':"
		                    "{'value':'Hello ${/user/name}, ${formatNumber(value: 1234.5, decimals: 2)}'}}},"
		                    "{'id':'when','component':'Text','text':{'@call':'formatDate','args':{'value':"
		                    "{'@path':'/at'},'format':'EEE d MMM yyyy HH:mm'}}}]}}");
	case 1:
		return talk_say(&t, UC "{'id':'root','component':'Column','children':['hello','when','list','f','go','tabs']},"
		                       "{'id':'list','component':'List','children':{'componentId':'row','path':'/rows'}},"
		                       "{'id':'row','component':'Row','children':['name','inner']},"
		                       "{'id':'name','component':'Text','text':{'@path':'name'}},"
		                       "{'id':'inner','component':'List','children':{'componentId':'leaf','path':'kids'}},"
		                       "{'id':'leaf','component':'Text','text':{'@call':'formatString','args':{'value':"
		                       "'${@index()}: ${k} of ${/user/name}'}}}]}}");
	case 2:
		return talk_say(&t, UC "{'id':'f','component':'TextField','label':'Name','value':{'@path':'/user/name'},"
		                       "'variant':'obscured','accessibility':{'label':{'@path':'/user/name'}},'checks':["
		                       "{'condition':{'@call':'required','args':{'value':{'@path':'/user/name'}}},'message':'M'},"
		                       "{'condition':{'@call':'regex','args':{'value':{'@path':'/user/name'},'pattern':"
		                       "'^[A-Z][a-z]+$'}},'message':'a longer message than fits into a short value'}]},"
		                       "{'id':'go','component':'Button','child':'name','action':{'event':{'name':'go',"
		                       "'userMessage':{'@path':'/user/name'},'context':{'who':{'@path':'/user'},'list':[1,"
		                       "{'@path':'/rows/0/name'}],'bad':{'@call':'nope'}}}}},"
		                       "{'id':'tabs','component':'Tabs','tabs':[{'title':{'@path':'/user/name'},'child':'name'},"
		                       "{'title':'Second','child':'hello'}]}]}}");
	case 3:
		return talk_say(&t, "{'version':'v1.0','updateDataModel':{'surfaceId':'s','path':'/rows','value':["
		                    "{'name':'first row of them','kids':[{'k':'a'},{'k':'b'}]},{'name':'second','kids':[]},"
		                    "{'name':'third','kids':[{'k':'a text too long to lie in the value'}]}]}}");
	case 4: /* refused */
		return talk_say(&t, UC "{'id':'x','component':'Text','text':'a'},{'id':'x','component':'Text','text':'b'}]}}");
	case 5: /* refused after much was done */
		return talk_say(&t, UC "{'id':'name','component':'Card','child':'row'},{'id':'y','component':'Text'},"
		                       "{'id':'row','component':'Card','child':'name'}]}}");
	case 6:
		return type("'Bob'");
	case 7:
		return press();
	case 8:
		return in_pieces("{'version':'v1.0','updateDataModel':{'surfaceId':'s','path':'/rows/1/kids/0','value':"
		                 "{'k':'written in pieces, with \\u00e9 and more'}}}\n");
	case 9:
		return call_agent();
	case 10:
		return talk_say(&t, "{'version':'v1.0','agentFunctionResponse':{'functionCallId':'call-%llu','value':[1,2]}}",
		                (unsigned long long)asked);
	case 11:
		return talk_say(&t, "{'version':'v1.0','callRendererFunction':{'functionCallId':'c','callFunction':"
		                    "{'call':'nope','catalogId':'nope'}}}");
	case 12:
		return environment();
	case 13:
		return talk_say(&t, "[{'version':'v0.9','createSurface':{'surfaceId':'old','catalogId':'" LOOSE "'}}]");
	case 14:
		return talk_say(&t, "{'version':'v0.9','updateComponents':{'surfaceId':'old','components':["
		                    "{'id':'root','component':'Button','child':'c','action':{'functionCall':{'call':'openUrl',"
		                    "'args':{'url':'https://example.com/a/long/address'}}}}]}}");
	case 15: /* merges */
		return talk_say(&t, "{'version':'v0.9','updateComponents':{'surfaceId':'old','components':[{'id':'root',"
		                    "'variant':'primary','child':'d'}]}}");
	case 16: {
		sj_node_id n = talk_node(&t, "old", "root");
		return n ? talk_press(&t, "old", n, NULL) : SJ_NOMEM;
	}
	case 17:
		return tool_answer();
	case 18: /* rows go, one type changes */
		return talk_say(&t, "[{'version':'v1.0','updateDataModel':{'surfaceId':'s','path':'/rows/2','value':null}},"
		                    "{'version':'v1.0','updateComponents':{'surfaceId':'s','components':[{'id':'hello','component':"
		                    "'Card','child':'later'}]}}]");
	case 19:
		return talk_say(&t, "{'version':'v0.9','deleteSurface':{'surfaceId':'old'}}");
	case 20: /* no JSON */
		return talk_say(&t, "{'version':}");
	case 21: {
		enum sj_status st = sj_engine_feed_end(t.e, t.peer);
		return st == SJ_OK ? talk_take(&t) : st;
	}
	default:
		return SJ_OK;
	}
}

/* The same with the basic catalogs: what is right and what is wrong by their schemas. */
static enum sj_status basic_step(int i)
{
	switch (i) {
	case 0:
		return talk_say(&t, "{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':'" BASIC09
		                    "','theme':{'primaryColor':'#102030'}}}");
	case 1:
		return talk_components(&t, "v0.9", "s",
		                       "{'id':'root','component':'Column','children':['f','b']},"
		                       "{'id':'f','component':'TextField','label':'Name','value':{'path':'/n'},'checks':["
		                       "{'condition':{'call':'required','args':{'value':{'path':'/n'}}},'message':'M'}]},"
		                       "{'id':'b','component':'Button','child':'t','action':{'name':'short'}},"
		                       "{'id':'t','component':'Text','text':{'call':'formatString','args':{'value':'${/n}!'},"
		                       "'returnType':'string'}}");
	case 2: /* refused: three faults in three places */
		return talk_components(&t, "v0.9", "s",
		                       "{'id':'f','component':'TextField','label':[1],'value':{'path':'/n'}},"
		                       "{'id':'b','component':'Button','child':'t','action':{'nope':1}},"
		                       "{'id':'t','component':'Text','text':'x','variant':'nonsense','\\u0065xtra':1}");
	case 3:
		return talk_components(&t, "v0.9", "s", "{'id':'f','label':{'path':'\\/label'}}");
	case 4:
		return talk_say(&t, "{'version':'v0.9','createSurface':{'surfaceId':'bad','catalogId':'" BASIC09
		                    "','theme':{'primaryColor':'red'}}}");
	case 5:
		return talk_data(&t, "v0.9", "s", "/n", "'a text that is longer than fifteen bytes'");
	case 6: {
		sj_node_id n = talk_node(&t, "s", "b");
		return n ? talk_press(&t, "s", n, NULL) : SJ_NOMEM;
	}
	case 7:
		return talk_data(&t, "v0.9", "s", "/a~2/b", "1");
	default:
		return SJ_OK;
	}
}

/* v0.8: what waits for beginRendering, and what comes after it. */
static enum sj_status old_step(int i)
{
	switch (i) {
	case 0:
		return talk_say(&t, "{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'top','component':{'List':{'children':"
		                    "{'template':{'componentId':'f','dataBinding':'/m'}}}}},{'id':'f','component':{'TextField':"
		                    "{'label':{'literalString':'L','path':'/label'},'text':{'path':'v'},'validationRegexp':"
		                    "'^[a-z]+$'}}}]}}");
	case 1: /* wrong by its catalog, which is known only later */
		return talk_say(&t, "{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'x','component':{'Text':{}}}]}}");
	case 2:
		return talk_say(&t, "{'dataModelUpdate':{'surfaceId':'s','contents':[{'key':'m','valueMap':[{'key':'a','valueMap':"
		                    "[{'key':'v','valueString':'a text that is longer than fifteen bytes'}]}]}]}}");
	case 3:
		return talk_say(&t, "{'beginRendering':{'surfaceId':'s','root':'top','styles':{'font':'Serif'}}}");
	case 4:
		return talk_say(&t, "{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'go','component':{'Button':{'child':'f',"
		                    "'action':{'name':'go','context':[{'key':'v','value':{'path':'/m'}}]}}}},{'id':'f','weight':1,"
		                    "'component':{'Text':{'text':{'literalString':'x','path':'/late'}}}}]}}");
	case 5:
		return talk_say(&t, "{'dataModelUpdate':{'surfaceId':'s','contents':[{'key':'n','valueNumber':5},{'key':'m',"
		                    "'valueMap':[{'key':'b','valueMap':[]}]}]}}");
	case 6:
		return talk_say(&t, "{'beginRendering':{'surfaceId':'s','root':'go'}}");
	case 7: {
		sj_node_id n = talk_node(&t, "s", "go");
		return n ? talk_press(&t, "s", n, NULL) : SJ_NOMEM;
	}
	default:
		return SJ_OK;
	}
}

static const struct session {
	enum sj_status (*step)(int i);
	int steps, two_messages; /* number of the step that is a batch of two: it may be done by half */
	bool no_basic;
	uint32_t sent, tools; /* heard in the end */
} loose = {loose_step, MOST_STEPS, 18, true, 6, 1}, basic = {basic_step, 8, -1, false, 4, 0},
  old = {old_step, 8, -1, false, 2, 0};
static const struct session *session;

static enum sj_status begin(struct sj_mem *mem)
{
	struct sj_engine_config cfg = {.no_basic = session->no_basic, .now_ms = 1000};
	enum sj_status st = talk_open(&t, mem, &cfg);
	asked = 0;
	if (st == SJ_OK)
		st = sj_engine_add_permissive(t.e, SJ_LIT(LOOSE), SJ_V10);
	if (st == SJ_OK)
		st = sj_engine_add_permissive(t.e, SJ_LIT(LOOSE), SJ_V09);
	return st;
}

static enum sj_status whole_session(struct sj_mem *mem, void *ctx)
{
	(void)ctx;
	enum sj_status st = begin(mem);
	for (int i = 0; i < session->steps && st == SJ_OK; i++)
		st = session->step(i);
	talk_close(&t);
	return st;
}

/* Any one allocation fails, from the first of the engine on; all after it, or it alone. */
SJ_TEST(a_session_that_stops_gives_everything_back)
{
	session = &loose;
	sj_torture(whole_session, NULL);
}

/* ---- going on ---------------------------------------------------------------------------------------------------- */

static char *wanted[MOST_STEPS + 1]; /* everything that is there before the first step, and after each */

static char *everything(void) { return sj_mem_strndup(sj_test_mem(), sj_slice_of(talk_everything(&t))); }

static bool is_state(const char *now, int i) { return i >= 0 && strcmp(now, wanted[i]) == 0; }

static void one_failure(uint64_t n, bool once)
{
	struct sj_mem mem;
	sj_mem_init(&mem, NULL, 0);
	CHECK_OK(begin(&mem));
	mem.fail_at = mem.calls + n;
	mem.fail_once = once;
	for (int i = 0; i < session->steps && !sj_failed(); i++) {
		bool before = mem.calls >= mem.fail_at;
		enum sj_status st = session->step(i);
		bool hit = mem.fail_at && !before && mem.calls >= mem.fail_at;
		if (hit)
			mem.fail_at = 0; /* memory is back */
		if (!hit && st != SJ_OK) {
			sj_fail_at(__FILE__, __LINE__, "allocation %llu: step %d gives %d without a failure",
			           (unsigned long long)n, i, (int)st);
			break;
		}
		if (!hit)
			continue;
		if (st != SJ_OK && st != SJ_NOMEM)
			sj_fail_at(__FILE__, __LINE__, "allocation %llu: step %d gives %d", (unsigned long long)n, i,
			           (int)st);
		const char *now = talk_everything(&t);
		if (st == SJ_OK ? !is_state(now, i + 1)
		                : !is_state(now, i) && !is_state(now, i + 1) && i != session->two_messages)
			sj_fail_at(__FILE__, __LINE__, "allocation %llu: step %d gives %d and leaves %s\nbefore %s\nafter %s",
			           (unsigned long long)n, i, (int)st, now, wanted[i], wanted[i + 1]);
		if (st == SJ_OK)
			continue;
		st = session->step(i);
		if (st != SJ_OK)
			sj_fail_at(__FILE__, __LINE__, "allocation %llu: step %d, asked again, gives %d",
			           (unsigned long long)n, i, (int)st);
		now = talk_everything(&t);
		if (!is_state(now, i + 1))
			sj_fail_at(__FILE__, __LINE__, "allocation %llu: step %d, asked again, leaves %s\nwanted %s",
			           (unsigned long long)n, i, now, wanted[i + 1]);
	}
	mem.fail_at = 0;
	const char *last = talk_everything(&t);
	if (!sj_failed() && !is_state(last, session->steps))
		sj_fail_at(__FILE__, __LINE__, "allocation %llu: the session ends with %s\nwanted %s",
		           (unsigned long long)n, last, wanted[session->steps]);
	talk_close(&t);
	CHECK_INT(mem.used_bytes, 0);
}

/* Every `stride`-th allocation of the session fails, in turn. */
static void go_on(const struct session *which, uint64_t stride)
{
	struct sj_mem mem;
	session = which;
	sj_mem_init(&mem, NULL, 0);
	CHECK_OK(begin(&mem));
	uint64_t calls = 0;
	wanted[0] = everything();
	for (int i = 0; i < session->steps; i++) {
		uint64_t from = mem.calls;
		CHECK_OK(session->step(i));
		calls += mem.calls - from;
		wanted[i + 1] = everything();
	}
	uint32_t sent = talk_heard(&t, SJ_EV_SEND), tools = talk_heard(&t, SJ_EV_TOOL_WANTED);
	CHECK(calls > 100);
	CHECK_INT(sent, which->sent);
	CHECK_INT(tools, which->tools);
	talk_close(&t);
	CHECK_INT(mem.used_bytes, 0);
	for (int once = 0; once < 2; once++)
		for (uint64_t n = 1; n <= calls && !sj_failed(); n += stride)
			one_failure(n, once);
	if (which == &loose && !sj_failed()) { /* what the states should show, not only that they are the same */
		CHECK(strstr(wanted[4], "Hello Ann, 1,234.50") != NULL);
		CHECK(strstr(wanted[7], "•••") != NULL);
		CHECK(strcmp(wanted[4], wanted[6]) == 0); /* what is refused leaves nothing behind */
	}
	for (int i = 0; i <= session->steps; i++)
		sj_mem_free(sj_test_mem(), wanted[i], strlen(wanted[i]) + 1);
}

SJ_TEST(a_session_goes_on_when_memory_is_back) { go_on(&loose, 1); }
SJ_TEST(so_does_one_of_the_basic_catalog) { go_on(&basic, 3); }
SJ_TEST(so_does_one_of_v08) { go_on(&old, 1); }
