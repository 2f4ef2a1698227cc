/* Calls in both directions: what an agent may call and the one answer it always gets; calls to
 * the agent, which settle once by answer, time-out, cancellation or the end of their surface; and functions in
 * properties and checks that somebody else answers later. */
#include <stdio.h>

#include "engine/talk.h"

static struct talk t;

#define HOST "https://example.com/host"

static enum sj_result play(struct sj_call *call, struct sj_value *out)
{
	enum sj_status st = sj_value_object(call->mem, out);
	if (st == SJ_OK)
		st = sj_value_set(call->mem, out, SJ_LIT("playing"), sj_value_ref(call->args[0]));
	if (st == SJ_OK)
		st = sj_value_set(call->mem, out, SJ_LIT("nargs"), sj_value_int(call->nargs));
	return st == SJ_OK ? SJ_R_OK : SJ_R_ERROR;
}

static enum sj_result fail(struct sj_call *call, struct sj_value *out)
{
	(void)out;
	sj_diag_set(call->diag, SJ_INVALID, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION, "inner words");
	return SJ_R_ERROR;
}

static enum sj_result nothing(struct sj_call *call, struct sj_value *out)
{
	(void)call;
	*out = SJ_ABSENT_VALUE;
	return SJ_R_ABSENT;
}

static void open(const struct sj_engine_config *cfg)
{
	static const struct sj_host_prop title[] = {{.name = "title", .type = "string", .required = true}, {0}},
					 any[] = {{.name = "x", .type = "DynamicValue"}, {0}};
	static const struct sj_host_function functions[] = {
		{.name = "play",
	         .kind = SJ_FN_PURE,
	         .return_type = "object",
	         .args = title,
	         .allowed = SJ_CALLER_ANY,
	         .eval = play},
		{.name = "fails",
	         .kind = SJ_FN_PURE,
	         .return_type = "any",
	         .args = any,
	         .allowed = SJ_CALLER_ANY,
	         .eval = fail},
		{.name = "quiet",
	         .kind = SJ_FN_PURE,
	         .return_type = "any",
	         .args = any,
	         .allowed = SJ_CALLER_ANY,
	         .eval = nothing},
		{.name = "local", .kind = SJ_FN_PURE, .return_type = "any", .args = any, .eval = nothing},
		{.name = "gesture",
	         .kind = SJ_FN_PURE,
	         .return_type = "any",
	         .args = any,
	         .allowed = SJ_CALLER_ANY,
	         .eval = nothing},
		{.name = "nap", .kind = SJ_FN_DEFERRED, .return_type = "any", .args = any, .allowed = SJ_CALLER_ANY},
		{.name = "ticker", .kind = SJ_FN_SOURCE, .return_type = "any", .args = any},
		{.name = "buzz", .kind = SJ_FN_EFFECT, .return_type = "void", .args = any, .allowed = SJ_CALLER_ANY},
		{0}};
	static const struct sj_host_catalog host = {
		.catalog_id = HOST, .version = SJ_V10, .functions = functions, .include_basic = true};
	/* what the agent can do, declared in a document and implemented nowhere here */
	static const char agent[] =
		"{'catalogId':'https://example.com/agent','protocolVersion':'1.0','components':{},'functions':{"
		"'isFree':{'type':'object','returnType':'validationResult','allowedCallers':'agentOnly','properties':{"
		"'call':{'const':'isFree'},'args':{'type':'object','properties':{'name':"
		"{'$ref':'https://a2ui.org/specification/v1_0/common_types.json#/$defs/DynamicString'}}}},'required':['call']},"
		"'nowhere':{'type':'object','returnType':'any','allowedCallers':'rendererOrAgent','properties':{"
		"'call':{'const':'nowhere'},'args':{'type':'object'}},'required':['call']}}}";
	struct sj_diag d = {0};
	CHECK_OK(talk_open(&t, sj_test_mem(), cfg));
	if (sj_engine_add_host_catalog(t.e, &host, &d) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s", d.message);
	/* A document may not combine the two; a host that knows better can. */
	const struct sj_catalog *made = sj_engine_catalog_at(t.e, sj_engine_catalog_count(t.e) - 1);
	sj_catalog_set_callers((struct sj_catalog *)(uintptr_t)made, SJ_LIT("gesture"), SJ_CALLER_ANY, true);
	if (sj_engine_add_catalog(t.e, sj_slice_of(talk_quote(&t, agent)), SJ_NO_SLICE, SJ_V10, &d) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s", d.message);
	talk_forget(&t);
}

static void create(const char *id)
{
	CHECK_OK(talk_say(&t, "{'version':'v1.0','createSurface':{'surfaceId':'%s','catalogId':'" HOST "'}}", id));
}

/* ---- the agent calls --------------------------------------------------------------------------------------------- */

static const struct inbound {
	const char *name, *call, *answer; /* `answer`: the response beside functionCallId */
} inbounds[] = {
	{"a value", "{'call':'play','catalogId':'" HOST "','args':{'title':'x'}}",
         "'value':{'playing':'x','nargs':1}"},
	{"reserved keys", "{'@call':'play','catalogId':'" HOST "','args':{'title':'x'}}",
         "'value':{'playing':'x','nargs':1}"},
	{"nothing is null", "{'call':'quiet','catalogId':'" HOST "'}", "'value':null"},
	{"a failure keeps its words to itself", "{'call':'fails','catalogId':'" HOST "'}",
         "'error':{'code':'EXECUTION_ERROR','message':'An error occurred during function execution.'}"},
	{"unknown catalog", "{'call':'play','catalogId':'nope','args':{'title':'x'}}",
         "'error':{'code':'INVALID_FUNCTION_CALL','message':'Catalog not found: nope'}"},
	{"catalog of v0.9", "{'call':'formatNumber','catalogId':'" BASIC09 "','args':{'value':1}}",
         "'error':{'code':'INVALID_FUNCTION_CALL','message':'Catalog not found: " BASIC09 "'}"},
	{"unknown function", "{'call':'nope','catalogId':'" HOST "'}",
         "'error':{'code':'INVALID_FUNCTION_CALL','message':'Function not found: nope'}"},
	{"declared, implemented nowhere", "{'call':'nowhere','catalogId':'https://example.com/agent','args':{}}",
         "'error':{'code':'INVALID_FUNCTION_CALL','message':'Function not found: nowhere'}"},
	{"agentOnly has nothing to do here",
         "{'call':'isFree','catalogId':'https://example.com/agent','args':{'name':'x'}}", "'value':null"},
	{"no catalog", "{'call':'play','args':{'title':'x'}}", NULL},
	{"no function", "{'catalogId':'" HOST "'}", NULL},
	{"an argument is missing", "{'call':'play','catalogId':'" HOST "','args':{}}", NULL},
	{"an argument of the wrong type", "{'call':'play','catalogId':'" HOST "','args':{'title':[]}}", NULL},
	{"an argument too many", "{'call':'play','catalogId':'" HOST "','args':{'title':'x','y':1}}", NULL},
	{"a member too many", "{'call':'play','catalogId':'" HOST "','args':{'title':'x'},'timeout':1}", NULL},
	{"arguments in a list", "{'call':'quiet','catalogId':'" HOST "','args':[]}", NULL},
};

SJ_TEST(one_answer_for_each_call)
{
	open(NULL);
	for (size_t i = 0; i < sizeof inbounds / sizeof *inbounds; i++) {
		sj_case("%s", inbounds[i].name);
		talk_forget(&t);
		CHECK_OK(talk_say(&t, "{'version':'v1.0','callRendererFunction':{'functionCallId':'c-1','callFunction':%s}}",
		                  inbounds[i].call));
		CHECK_INT(t.count, 1); /* the answer and nothing else */
		const char *json = talk_event(&t, SJ_EV_SEND, 0)->json;
		CHECK_OUTBOUND(&t, json);
		if (inbounds[i].answer) {
			char want[500];
			snprintf(want, sizeof want,
			         "{'version':'v1.0','rendererFunctionResponse':{'functionCallId':'c-1',%s}}",
			         inbounds[i].answer);
			CHECK_STR(sj_slice_of(json), talk_quote(&t, want));
		} else {
			CHECK_STR(sj_slice_of(talk_at(&t, json, "/rendererFunctionResponse/functionCallId")),
			          "\"c-1\"");
			CHECK_STR(sj_slice_of(talk_at(&t, json, "/rendererFunctionResponse/error/code")),
			          "\"INVALID_FUNCTION_CALL\"");
			CHECK_STR(sj_slice_of(talk_at(&t, json, "/rendererFunctionResponse/value")), "absent");
		}
		sj_case_end();
	}
	talk_close(&t);
}

static void check_response(const char *call, const char *code, const char *message)
{
	talk_forget(&t);
	CHECK_OK(talk_say(&t, "{'version':'v1.0','callRendererFunction':{'functionCallId':'c','callFunction':"
	                      "{'call':'%s','catalogId':'" HOST "'}}}",
	                  call));
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 1);
	const char *json = talk_event(&t, SJ_EV_SEND, 0)->json;
	char want[100];
	snprintf(want, sizeof want, code ? "\"%s\"" : "absent", code);
	CHECK_STR(sj_slice_of(talk_at(&t, json, "/rendererFunctionResponse/error/code")), want);
	if (message && !strstr(json, message))
		sj_fail_at(__FILE__, __LINE__, "%s does not say %s", json, message);
}

SJ_TEST(callers_and_gestures)
{
	open(NULL);
	check_response("local", "INVALID_FUNCTION_CALL",
	               "Function 'local' cannot be called by agent (allowedCallers is rendererOnly).");
	check_response("formatNumber", "INVALID_FUNCTION_CALL",
	               "Function 'formatNumber' cannot be called by agent (allowedCallers is rendererOnly).");
	check_response("gesture", "INVALID_FUNCTION_CALL",
	               "Function 'gesture' requires user activation context to execute.");
	sj_engine_activate(t.e, true);
	check_response("gesture", NULL, "\"value\":null");
	check_response("local", "INVALID_FUNCTION_CALL", "rendererOnly"); /* a gesture does not widen who may call */
	/* a press inside the host's gesture does not end it */
	create("s");
	CHECK_OK(talk_components(&t, "v1.0", "s",
	                         "{'id':'root','component':'Button','child':'t','action':{'event':{'name':'n'}}},"
	                         "{'id':'t','component':'Text','text':'x'}"));
	CHECK_OK(talk_press(&t, "s", talk_node(&t, "s", "root"), NULL));
	check_response("gesture", NULL, "\"value\":null");
	sj_engine_activate(t.e, false);
	check_response("gesture", "INVALID_FUNCTION_CALL", "requires user activation");
	CHECK_OK(talk_press(&t, "s", talk_node(&t, "s", "root"), NULL)); /* a press ends with the call */
	check_response("gesture", "INVALID_FUNCTION_CALL", "requires user activation");
	talk_close(&t);
}

SJ_TEST(slow_functions_and_deeds_are_the_hosts)
{
	struct sj_engine_config cfg = {.now_ms = 1000};
	open(&cfg);
	sj_case("answered");
	CHECK_OK(talk_say(&t, "{'version':'v1.0','callRendererFunction':{'functionCallId':'n1','callFunction':"
	                      "{'call':'nap','catalogId':'" HOST "','args':{'x':{'y':[1]}}}}}"));
	CHECK_STR(sj_slice_of(talk_log(&t)), "CALL nap {\"x\":{\"y\":[1]}}\n");
	uint64_t id = talk_event(&t, SJ_EV_CALL_WANTED, 0)->call_id;
	CHECK_INT(sj_engine_deadline(t.e), 1000 + SJ_LIMITS_DEFAULT.call_timeout_ms);
	CHECK_OK(sj_engine_answer(t.e, id, SJ_LIT("{\"done\":true}"), SJ_NO_SLICE, SJ_NO_SLICE));
	CHECK_INT(sj_engine_deadline(t.e), INT64_MAX);
	CHECK_OK(talk_take(&t));
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_SEND, 0)->json),
	          talk_quote(&t, "{'version':'v1.0','rendererFunctionResponse':{'functionCallId':'n1','value':{'done':true}}}"));
	CHECK_INT(sj_engine_answer(t.e, id, SJ_LIT("1"), SJ_NO_SLICE, SJ_NO_SLICE), SJ_ABSENT);
	talk_forget(&t);
	sj_case("refused by the host");
	CHECK_OK(talk_say(&t, "{'version':'v1.0','callRendererFunction':{'functionCallId':'b1','callFunction':"
	                      "{'call':'buzz','catalogId':'" HOST "'}}}"));
	CHECK_STR(sj_slice_of(talk_log(&t)), "TOOL buzz {}\n");
	id = talk_event(&t, SJ_EV_TOOL_WANTED, 0)->call_id;
	CHECK_OK(sj_engine_answer(t.e, id, SJ_NO_SLICE, SJ_LIT("DENIED"), SJ_LIT("The person said no.")));
	CHECK_OK(talk_take(&t));
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_SEND, 0)->json),
	          talk_quote(&t, "{'version':'v1.0','rendererFunctionResponse':{'functionCallId':'b1','error':"
	                         "{'code':'EXECUTION_ERROR','message':'The person said no.'}}}"));
	talk_forget(&t);
	sj_case("a deed gives null");
	CHECK_OK(talk_say(&t, "{'version':'v1.0','callRendererFunction':{'functionCallId':'b2','callFunction':"
	                      "{'call':'buzz','catalogId':'" HOST "'}}}"));
	CHECK_OK(sj_engine_answer(t.e, talk_event(&t, SJ_EV_TOOL_WANTED, 0)->call_id, SJ_NO_SLICE, SJ_NO_SLICE,
	                          SJ_NO_SLICE));
	CHECK_OK(talk_take(&t));
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_SEND, 0)->json),
	          talk_quote(&t, "{'version':'v1.0','rendererFunctionResponse':{'functionCallId':'b2','value':null}}"));
	talk_forget(&t);
	sj_case("the host never answers");
	CHECK_OK(talk_say(&t, "{'version':'v1.0','callRendererFunction':{'functionCallId':'n2','callFunction':"
	                      "{'call':'nap','catalogId':'" HOST "'}}}"));
	id = talk_event(&t, SJ_EV_CALL_WANTED, 0)->call_id;
	talk_forget(&t);
	CHECK_OK(sj_engine_advance(t.e, 1000 + SJ_LIMITS_DEFAULT.call_timeout_ms - 1));
	CHECK_OK(talk_take(&t));
	CHECK_INT(t.count, 0);
	CHECK_OK(sj_engine_advance(t.e, 1000 + SJ_LIMITS_DEFAULT.call_timeout_ms));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_CALL_GONE), 1); /* the host learns that nobody waits */
	CHECK_INT(talk_event(&t, SJ_EV_CALL_GONE, 0)->call_id, id);
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 1); /* the agent gets its one answer */
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 0)->json, "/rendererFunctionResponse/error/code")),
	          "\"EXECUTION_ERROR\"");
	CHECK_INT(sj_engine_answer(t.e, id, SJ_LIT("1"), SJ_NO_SLICE, SJ_NO_SLICE), SJ_ABSENT);
	talk_forget(&t);
	sj_case("the peer goes while the host works");
	CHECK_OK(talk_say(&t, "{'version':'v1.0','callRendererFunction':{'functionCallId':'n3','callFunction':"
	                      "{'call':'nap','catalogId':'" HOST "'}}}"));
	id = talk_event(&t, SJ_EV_CALL_WANTED, 0)->call_id;
	talk_forget(&t);
	sj_engine_peer_close(t.e, t.peer);
	CHECK_OK(talk_take(&t));
	CHECK_STR(sj_slice_of(talk_log(&t)), "CALL GONE\n");
	CHECK_INT(sj_engine_answer(t.e, id, SJ_LIT("1"), SJ_NO_SLICE, SJ_NO_SLICE), SJ_ABSENT);
	sj_case_end();
	talk_close(&t);
}

/* ---- this side calls --------------------------------------------------------------------------------------------- */

static uint64_t ask(const char *args, uint32_t timeout_ms)
{
	uint64_t id = 0;
	struct sj_diag d = {0};
	enum sj_status st = sj_engine_call_agent(t.e, talk_view(&t, "s"), SJ_LIT("required"), SJ_LIT(BASIC10),
	                                         sj_slice_of(talk_quote(&t, args)), timeout_ms, &id, &d);
	if (st != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s", d.message);
	CHECK_OK(talk_take(&t));
	return id;
}

static void respond(uint64_t id, const char *outcome)
{
	CHECK_OK(talk_say(&t, "{'version':'v1.0','agentFunctionResponse':{'functionCallId':'call-%llu',%s}}",
	                  (unsigned long long)id, outcome));
}

static void check_done(uint64_t id, const char *json, enum sj_code code, const char *name)
{
	CHECK_INT(talk_heard(&t, SJ_EV_CALL_DONE), 1);
	const struct heard *h = talk_event(&t, SJ_EV_CALL_DONE, 0);
	CHECK_INT(h->call_id, id);
	CHECK_STR(sj_slice_of(h->json), json);
	CHECK_INT(h->diag.code, code);
	CHECK_INT(h->diag.category, code ? SJ_CAT_RPC : SJ_CAT_NONE);
	CHECK_STR(sj_slice_of(h->name), name);
	/* nothing settles it a second time */
	CHECK_INT(sj_engine_cancel(t.e, id), SJ_ABSENT);
	respond(id, "'value':1");
	CHECK_OK(sj_engine_advance(t.e, sj_engine_now(t.e) + 1000000));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_CALL_DONE), 1);
	CHECK_INT(sj_engine_deadline(t.e), INT64_MAX);
	talk_forget(&t);
}

SJ_TEST(calls_to_the_agent)
{
	struct sj_engine_config cfg = {.now_ms = 500};
	open(&cfg);
	create("s");
	talk_forget(&t);
	sj_case("the message");
	uint64_t id = ask("{'value':'x'}", 0);
	char want[300];
	snprintf(want, sizeof want,
	         "SEND {'version':'v1.0','callAgentFunction':{'surfaceId':'s','functionCallId':'call-%llu','callFunction':"
	         "{'call':'required','catalogId':'" BASIC10 "','args':{'value':'x'}}}}\n",
	         (unsigned long long)id);
	CHECK_STR(sj_slice_of(talk_log(&t)), talk_quote(&t, want));
	CHECK_OUTBOUND(&t, talk_event(&t, SJ_EV_SEND, 0)->json);
	CHECK_INT(sj_engine_deadline(t.e), 500 + SJ_LIMITS_DEFAULT.call_timeout_ms);
	sj_case("a value");
	respond(id, "'value':{'a':[1,2.5]}");
	check_done(id, "{\"a\":[1,2.5]}", SJ_E_NONE, "");
	sj_case("null is a value");
	id = ask("{}", 0);
	respond(id, "'value':null");
	check_done(id, "null", SJ_E_NONE, "");
	sj_case("an error of the protocol");
	id = ask("{}", 0);
	respond(id, "'error':{'code':'UNKNOWN_FUNCTION','message':'never heard of it'}");
	check_done(id, "", SJ_E_UNKNOWN_FUNCTION, "UNKNOWN_FUNCTION");
	sj_case("an error of the domain");
	id = ask("{}", 0);
	respond(id, "'error':{'code':'OUT_OF_STOCK','message':'none left'}");
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_CALL_DONE, 0)->diag.message), "OUT_OF_STOCK: none left");
	check_done(id, "", SJ_E_EXECUTION_ERROR, "OUT_OF_STOCK");
	sj_case("an empty code is still an error");
	id = ask("{}", 0);
	respond(id, "'error':{'code':'','message':'m'}");
	check_done(id, "", SJ_E_EXECUTION_ERROR, "EXECUTION_ERROR");
	sj_case("time-out");
	id = ask("{}", 0);
	int64_t due = sj_engine_deadline(t.e);
	CHECK_INT(due, sj_engine_now(t.e) + SJ_LIMITS_DEFAULT.call_timeout_ms);
	CHECK_OK(sj_engine_advance(t.e, due - 1));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_CALL_DONE), 0);
	CHECK_OK(sj_engine_advance(t.e, due));
	CHECK_OK(talk_take(&t));
	check_done(id, "", SJ_E_TIMEOUT, "TIMEOUT");
	sj_case("a time-out of its own");
	id = ask("{}", 7);
	CHECK_INT(sj_engine_deadline(t.e), sj_engine_now(t.e) + 7);
	CHECK_OK(sj_engine_advance(t.e, sj_engine_now(t.e) + 7));
	CHECK_OK(talk_take(&t));
	check_done(id, "", SJ_E_TIMEOUT, "TIMEOUT");
	sj_case("cancelled");
	id = ask("{}", 0);
	CHECK_OK(sj_engine_cancel(t.e, id));
	CHECK_OK(talk_take(&t));
	check_done(id, "", SJ_E_CANCELLED, "CANCELLED");
	sj_case("the host may not answer for the agent");
	id = ask("{}", 0);
	CHECK_INT(sj_engine_answer(t.e, id, SJ_LIT("1"), SJ_NO_SLICE, SJ_NO_SLICE), SJ_ABSENT);
	CHECK_OK(sj_engine_cancel(t.e, id));
	talk_forget(&t);
	sj_case_end();
	talk_close(&t);
}

/* What the host gives goes out as it is: only when it is JSON. */
SJ_TEST(a_host_that_gives_no_json)
{
	static const char *const broken[] = {"{", "1 2", "{\"a\":1,\"a\":2}", "nope", "'x'"};
	struct sj_diag d = {0};
	uint64_t id = 77;
	open(NULL);
	create("s");
	CHECK_OK(talk_say(&t, "{'version':'v1.0','callRendererFunction':{'functionCallId':'n','callFunction':"
	                      "{'call':'nap','catalogId':'" HOST "'}}}"));
	uint64_t wanted = talk_event(&t, SJ_EV_CALL_WANTED, 0)->call_id;
	talk_forget(&t);
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		CHECK_INT(sj_engine_answer(t.e, wanted, sj_slice_of(broken[i]), SJ_NO_SLICE, SJ_NO_SLICE), SJ_INVALID);
		sj_diag_clear(&d);
		CHECK_INT(sj_engine_call_agent(t.e, talk_view(&t, "s"), SJ_LIT("f"), SJ_NO_SLICE,
		                               sj_slice_of(broken[i]), 0, &id, &d),
		          SJ_INVALID);
		CHECK_INT(d.category, SJ_CAT_PARSE);
	}
	sj_diag_clear(&d);
	CHECK_INT(sj_engine_call_agent(t.e, talk_view(&t, "s"), SJ_LIT("f"), SJ_NO_SLICE, SJ_LIT("[1]"), 0, &id, &d),
	          SJ_INVALID);
	CHECK_INT(d.category, SJ_CAT_VALIDATION);
	CHECK_INT(id, 77);
	CHECK_OK(talk_take(&t));
	CHECK_STR(sj_slice_of(talk_log(&t)), "");
	CHECK_OK(sj_engine_answer(t.e, wanted, SJ_LIT(" [1] "), SJ_NO_SLICE, SJ_NO_SLICE)); /* it still waited */
	CHECK_OK(talk_take(&t));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 0)->json, "/rendererFunctionResponse/value")),
	          "[1]");
	talk_close(&t);
}

SJ_TEST(several_calls_settle_each_for_itself)
{
	open(NULL);
	create("s");
	uint64_t a = ask("{}", 10), b = ask("{}", 20), c = ask("{}", 5);
	CHECK(a != b && b != c && a != c);
	CHECK_INT(sj_engine_deadline(t.e), 5);
	talk_forget(&t);
	CHECK_OK(sj_engine_advance(t.e, 12));
	respond(b, "'value':'b'");
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_CALL_DONE), 3);
	for (uint32_t i = 0; i < 3; i++) {
		const struct heard *h = talk_event(&t, SJ_EV_CALL_DONE, i);
		CHECK_INT(h->diag.code, h->call_id == b ? SJ_E_NONE : SJ_E_TIMEOUT);
		CHECK_STR(sj_slice_of(h->json), h->call_id == b ? "\"b\"" : "");
	}
	talk_close(&t);
}

SJ_TEST(answers_that_nobody_waits_for)
{
	static const char *const ids[] = {"call-2",  "call-0",  "call-",   "call-1x", "call- 1", "call--1",
	                                  "call-01", "call-+1", "",        "1",       "Call-1",  "c-1",
	                                  "call-18446744073709551617", "call-99999999999999999999999999"};
	uint32_t other;
	open(NULL);
	create("s");
	uint64_t id = ask("{}", 0);
	CHECK_INT(id, 1);
	talk_forget(&t);
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		CHECK_OK(talk_say(&t, "{'version':'v1.0','agentFunctionResponse':{'functionCallId':'%s','value':1}}",
		                  ids[i]));
	CHECK_OK(sj_engine_peer_open(t.e, SJ_LIT("other"), &other));
	uint32_t own = t.peer;
	t.peer = other; /* another peer may not answer what this one was asked */
	respond(id, "'value':'forged'");
	respond(id, "'error':{'code':'A','message':'b'}");
	t.peer = 0;
	respond(id, "'value':'forged'");
	CHECK_INT(t.count, 0);
	t.peer = own;
	respond(id, "'value':'true one'");
	CHECK_STR(sj_slice_of(talk_log(&t)), "DONE \"true one\"\n");
	talk_close(&t);
}

SJ_TEST(the_surface_goes_while_it_waits)
{
	open(NULL);
	create("s");
	uint64_t id = ask("{}", 0);
	talk_forget(&t);
	CHECK_OK(talk_say(&t, "{'version':'v1.0','deleteSurface':{'surfaceId':'s'}}"));
	CHECK_INT(talk_heard(&t, SJ_EV_SURFACE_GONE), 1);
	const struct heard *h = talk_event(&t, SJ_EV_CALL_DONE, 0);
	CHECK_INT(h->call_id, id);
	CHECK_INT(h->diag.code, SJ_E_DISPOSED);
	CHECK_STR(sj_slice_of(h->name), "DISPOSED");
	CHECK_INT(sj_engine_cancel(t.e, id), SJ_ABSENT);
	respond(id, "'value':1");
	CHECK_INT(talk_heard(&t, SJ_EV_CALL_DONE), 1);
	talk_close(&t);
}

SJ_TEST(what_cannot_call_the_agent)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	struct sj_engine_config cfg = {.limits = &l};
	struct sj_diag d = {0};
	uint64_t id = 77;
	l.pending_calls = 1000;
	open(&cfg);
	CHECK_OK(talk_create(&t, "v0.9", "old"));
	CHECK_INT(sj_engine_call_agent(t.e, talk_view(&t, "old"), SJ_LIT("f"), SJ_NO_SLICE, SJ_NO_SLICE, 0, &id, &d),
	          SJ_INVALID);
	CHECK_INT(d.code, SJ_E_STATE);
	CHECK(strstr(d.message, "v1.0") != NULL);
	CHECK_INT(id, 77);
	create("s");
	for (int i = 0; i < 1000; i++) {
		(void)ask("{}", 0);
		talk_forget(&t);
	}
	sj_diag_clear(&d);
	id = 77;
	CHECK_INT(sj_engine_call_agent(t.e, talk_view(&t, "s"), SJ_LIT("f"), SJ_NO_SLICE, SJ_NO_SLICE, 0, &id, &d),
	          SJ_LIMIT);
	CHECK_INT(d.code, SJ_E_LIMIT);
	CHECK_INT(d.category, SJ_CAT_RPC);
	CHECK_INT(id, 77);
	/* the agent's own slow calls share the table, and are answered when it is full */
	CHECK_OK(talk_say(&t, "{'version':'v1.0','callRendererFunction':{'functionCallId':'n','callFunction':"
	                      "{'call':'nap','catalogId':'" HOST "'}}}"));
	CHECK_INT(talk_heard(&t, SJ_EV_CALL_WANTED), 0);
	CHECK_STR(sj_slice_of(
			  talk_at(&t, talk_event(&t, SJ_EV_SEND, 0)->json, "/rendererFunctionResponse/error/message")),
	          "\"Too many calls are waiting.\"");
	/* one settles, one more fits */
	respond(500, "'value':1");
	talk_forget(&t);
	(void)ask("{}", 0);
	CHECK_OK(sj_engine_advance(t.e, SJ_LIMITS_DEFAULT.call_timeout_ms));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_CALL_DONE), 1000);
	talk_close(&t);
}

/* The agent that writes reserved keys is asked with them. */
SJ_TEST(the_call_speaks_the_agents_dialect)
{
	open(NULL);
	create("s");
	CHECK_OK(talk_components(&t, "v1.0", "s", "{'id':'root','component':'Text','text':{'@path':'/x'}}"));
	talk_forget(&t);
	(void)ask("{'value':1}", 0);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 0)->json, "/callAgentFunction/callFunction")),
	          talk_quote(&t, "{'@call':'required','args':{'value':1},'catalogId':'" BASIC10 "'}"));
	talk_close(&t);
}

/* ---- functions in properties that the host answers --------------------------------------------------------------- */

SJ_TEST(a_deferred_function_in_a_property)
{
	open(NULL);
	create("s");
	CHECK_OK(talk_components(&t, "v1.0", "s",
	                         "{'id':'root','component':'Text','text':{'@call':'nap','args':{'x':{'@path':'/x'}}}}"));
	CHECK_OK(talk_data(&t, "v1.0", "s", "/x", "1"));
	CHECK_INT(talk_faults(&t), 0);
	talk_forget(&t);
	sj_node_id n = talk_node(&t, "s", "root");
	CHECK_STR(sj_slice_of(talk_prop(&t, "s", n, "text")), "pending");
	CHECK_OK(talk_data(&t, "v1.0", "s", "/x", "2"));
	CHECK_STR(sj_slice_of(talk_log(&t)), "CALL GONE\nCALL nap {\"x\":2}\n");
	uint64_t id = talk_event(&t, SJ_EV_CALL_WANTED, 0)->call_id, old = talk_event(&t, SJ_EV_CALL_GONE, 0)->call_id;
	CHECK(old != id);
	CHECK_INT(sj_engine_answer(t.e, old, SJ_LIT("\"late\""), SJ_NO_SLICE, SJ_NO_SLICE), SJ_ABSENT);
	CHECK_OK(sj_engine_answer(t.e, id, SJ_LIT("\"two\""), SJ_NO_SLICE, SJ_NO_SLICE));
	CHECK_STR(sj_slice_of(talk_prop(&t, "s", n, "text")), "\"two\"");
	/* while the next is awaited the last value stays */
	CHECK_OK(talk_data(&t, "v1.0", "s", "/x", "3"));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s"), "/text")), "\"two\"");
	CHECK_OK(talk_data(&t, "v1.0", "s", "/y", "9")); /* what it does not read asks nothing */
	CHECK_INT(talk_heard(&t, SJ_EV_CALL_WANTED), 2);
	id = talk_event(&t, SJ_EV_CALL_WANTED, 1)->call_id;
	talk_forget(&t);
	CHECK_OK(sj_engine_answer(t.e, id, SJ_NO_SLICE, SJ_LIT("NO"), SJ_LIT("not today")));
	CHECK_OK(talk_take(&t));
	CHECK_STR(sj_slice_of(talk_prop(&t, "s", n, "text")), "error");
	CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s"), "/text")), "absent");
	CHECK_INT(talk_faults(&t), 1);
	/* the host is not limited by the agent's patience */
	CHECK_INT(sj_engine_deadline(t.e), INT64_MAX);
	talk_close(&t);
}

SJ_TEST(each_row_asks_for_itself_and_goes_with_its_call)
{
	open(NULL);
	create("s");
	CHECK_OK(talk_components(&t, "v1.0", "s",
	                         "{'id':'root','component':'List','children':{'componentId':'r','path':'/rows'}},"
	                         "{'id':'r','component':'Text','text':{'@call':'nap','args':{'x':{'@path':''}}}}"));
	CHECK_OK(talk_data(&t, "v1.0", "s", "/rows", "['a','b','c']"));
	CHECK_INT(talk_heard(&t, SJ_EV_CALL_WANTED), 3);
	uint64_t b = 0, c = 0;
	for (uint32_t i = 0; i < 3; i++) {
		const struct heard *h = talk_event(&t, SJ_EV_CALL_WANTED, i);
		b = strcmp(h->json, "{\"x\":\"b\"}") == 0 ? h->call_id : b;
		c = strcmp(h->json, "{\"x\":\"c\"}") == 0 ? h->call_id : c;
	}
	CHECK(b && c);
	CHECK_OK(sj_engine_answer(t.e, b, SJ_LIT("\"B\""), SJ_NO_SLICE, SJ_NO_SLICE));
	talk_forget(&t);
	CHECK_OK(talk_data(&t, "v1.0", "s", "/rows", "['a','b']"));
	CHECK_STR(sj_slice_of(talk_log(&t)), "CALL GONE\nCHANGED s\n");
	CHECK_INT(talk_event(&t, SJ_EV_CALL_GONE, 0)->call_id, c);
	CHECK_STR(sj_slice_of(talk_tree(&t, "s")),
	          talk_quote(&t, "{'children':[{'id':'r','type':'Text'},{'id':'r','text':'B','type':'Text'}],"
	                         "'id':'root','type':'List'}"));
	/* the surface goes: the one that is left is called off */
	talk_forget(&t);
	CHECK_OK(talk_say(&t, "{'version':'v1.0','deleteSurface':{'surfaceId':'s'}}"));
	CHECK_INT(talk_heard(&t, SJ_EV_CALL_GONE), 1);
	CHECK_INT(talk_event(&t, SJ_EV_CALL_GONE, 0)->diag.code, SJ_E_DISPOSED);
	talk_close(&t);
}

SJ_TEST(a_source_may_be_answered_again)
{
	open(NULL);
	create("s");
	CHECK_OK(talk_components(&t, "v1.0", "s",
	                         "{'id':'root','component':'Text','text':{'@call':'ticker','args':{'x':1}}}"));
	uint64_t id = talk_event(&t, SJ_EV_CALL_WANTED, 0)->call_id;
	sj_node_id n = talk_node(&t, "s", "root");
	CHECK_OK(sj_engine_answer(t.e, id, SJ_LIT("\"one\""), SJ_NO_SLICE, SJ_NO_SLICE));
	CHECK_STR(sj_slice_of(talk_prop(&t, "s", n, "text")), "\"one\"");
	CHECK_OK(sj_engine_answer(t.e, id, SJ_LIT("\"two\""), SJ_NO_SLICE, SJ_NO_SLICE));
	CHECK_STR(sj_slice_of(talk_prop(&t, "s", n, "text")), "\"two\"");
	talk_forget(&t);
	CHECK_OK(talk_components(&t, "v1.0", "s", "{'id':'root','component':'Text','text':'still'}"));
	CHECK_INT(talk_heard(&t, SJ_EV_CALL_GONE), 1); /* nobody listens any more */
	CHECK_INT(talk_event(&t, SJ_EV_CALL_GONE, 0)->call_id, id);
	CHECK_INT(sj_engine_answer(t.e, id, SJ_LIT("\"three\""), SJ_NO_SLICE, SJ_NO_SLICE), SJ_ABSENT);
	talk_close(&t);
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static void check_form(const char *condition)
{
	char text[1200];
	create("s");
	snprintf(text, sizeof text,
	         "{'id':'root','component':'Column','children':['f','b']},{'id':'t','component':'Text','text':'x'},"
	         "{'id':'f','component':'TextField','label':'L','value':{'@path':'/name'}},"
	         "{'id':'b','component':'Button','child':'t','action':{'event':{'name':'go'}},'checks':["
	         "{'condition':%s,'message':'taken'}]}",
	         condition);
	CHECK_OK(talk_components(&t, "v1.0", "s", text));
	CHECK_INT(talk_faults(&t), 0);
}

static enum sj_status press_b(void) { return talk_press(&t, "s", talk_node(&t, "s", "b"), NULL); }

SJ_TEST(a_deferred_check_is_not_valid_until_it_is)
{
	open(NULL);
	check_form("{'@call':'nap','args':{'x':{'@path':'/name'}}}");
	uint64_t id = talk_event(&t, SJ_EV_CALL_WANTED, 0)->call_id;
	CHECK_INT(press_b(), SJ_INVALID);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_valid(&t, "s"), "/b/valid")), "false");
	CHECK_OK(sj_engine_answer(t.e, id, SJ_LIT("true"), SJ_NO_SLICE, SJ_NO_SLICE));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_valid(&t, "s"), "/b/valid")), "true");
	CHECK_OK(press_b());
	CHECK_OK(talk_type(&t, "s", talk_node(&t, "s", "f"), "'Ann'", NULL));
	CHECK_INT(press_b(), SJ_INVALID); /* asked anew: pending again */
	CHECK_INT(talk_heard(&t, SJ_EV_CALL_WANTED), 2);
	id = talk_event(&t, SJ_EV_CALL_WANTED, 1)->call_id;
	CHECK_OK(sj_engine_answer(t.e, id, SJ_LIT("{\"valid\":false,\"code\":\"TAKEN\",\"message\":\"own words\"}"),
	                          SJ_NO_SLICE, SJ_NO_SLICE));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_valid(&t, "s"), "/b")),
	          talk_quote(&t, "{'code':'TAKEN','message':'own words','severity':'error','valid':false}"));
	CHECK_INT(press_b(), SJ_INVALID);
	CHECK_OK(talk_type(&t, "s", talk_node(&t, "s", "f"), "'Bob'", NULL));
	id = talk_event(&t, SJ_EV_CALL_WANTED, 2)->call_id;
	CHECK_OK(sj_engine_answer(t.e, id, SJ_NO_SLICE, SJ_LIT("X"), SJ_LIT("broken")));
	CHECK_INT(press_b(), SJ_INVALID); /* a check that failed to run counts as invalid */
	talk_close(&t);
}

SJ_TEST(the_agent_answers_a_check)
{
	struct sj_engine_config cfg = {.now_ms = 1};
	open(&cfg);
	check_form("{'@call':'isFree','catalogId':'https://example.com/agent','args':{'name':{'@path':'/name'}}}");
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 1);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 0)->json, "/callAgentFunction")),
	          talk_quote(&t, "{'callFunction':{'@call':'isFree','args':{},'catalogId':'https://example.com/agent'},"
	                         "'functionCallId':'call-1','surfaceId':'s'}"));
	CHECK_INT(press_b(), SJ_INVALID);
	/* a keystroke: the old call is called off, its answer means nothing; the new one waits until the keys rest */
	CHECK_OK(talk_type(&t, "s", talk_node(&t, "s", "f"), "'B'", NULL));
	CHECK_INT(sj_engine_deadline(t.e), 1 + SJ_LIMITS_DEFAULT.call_rest_ms);
	CHECK_OK(sj_engine_advance(t.e, 200));
	CHECK_OK(talk_type(&t, "s", talk_node(&t, "s", "f"), "'A'", NULL));
	CHECK_OK(sj_engine_advance(t.e, 200 + SJ_LIMITS_DEFAULT.call_rest_ms - 1));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 1);
	respond(3, "'value':{'valid':true}"); /* nobody was asked that yet */
	CHECK_INT(press_b(), SJ_INVALID);
	CHECK_OK(sj_engine_advance(t.e, 200 + SJ_LIMITS_DEFAULT.call_rest_ms));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 2);
	CHECK_INT(sj_engine_deadline(t.e), 200 + SJ_LIMITS_DEFAULT.call_rest_ms + SJ_LIMITS_DEFAULT.call_timeout_ms);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 1)->json, "/callAgentFunction/callFunction/args")),
	          "{\"name\":\"A\"}");
	respond(1, "'value':{'valid':true}");
	CHECK_INT(press_b(), SJ_INVALID);
	respond(3, "'value':{'valid':true}");
	CHECK_OK(press_b());
	CHECK_INT(talk_heard(&t, SJ_EV_CALL_WANTED) + talk_heard(&t, SJ_EV_CALL_GONE) + talk_heard(&t, SJ_EV_CALL_DONE),
	          0);
	/* no answer: invalid, and the agent hears what went wrong once; nothing was replaced, so this one went at once
	 */
	CHECK_OK(talk_type(&t, "s", talk_node(&t, "s", "f"), "'AB'", NULL));
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 4); /* with the action of the press */
	CHECK_INT(sj_engine_deadline(t.e), sj_engine_now(t.e) + SJ_LIMITS_DEFAULT.call_timeout_ms);
	talk_forget(&t);
	CHECK_OK(sj_engine_advance(t.e, sj_engine_now(t.e) + SJ_LIMITS_DEFAULT.call_timeout_ms));
	CHECK_OK(talk_take(&t));
	CHECK_INT(press_b(), SJ_INVALID);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_valid(&t, "s"), "/b/valid")), "false");
	CHECK_INT(talk_faults(&t), 1);
	CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->diag.code, SJ_E_TIMEOUT);
	/* an error of the agent: likewise */
	CHECK_OK(talk_type(&t, "s", talk_node(&t, "s", "f"), "'ABC'", NULL));
	respond(5, "'error':{'code':'UNKNOWN_FUNCTION','message':'m'}");
	CHECK_INT(press_b(), SJ_INVALID);
	/* and it recovers */
	CHECK_OK(talk_type(&t, "s", talk_node(&t, "s", "f"), "'ABCD'", NULL));
	respond(6, "'value':true");
	CHECK_OK(press_b());
	talk_close(&t);
}

SJ_TEST(agent_only_functions_are_no_properties)
{
	struct sj_diag d;
	open(NULL);
	create("s");
	CHECK_INT(talk_message(&t, &d,
	                       "{'version':'v1.0','updateComponents':{'surfaceId':'s','components':[{'id':'root','component':"
	                       "'Text','text':{'@call':'isFree','catalogId':'https://example.com/agent','args':{}}}]}}"),
	          SJ_INVALID);
	CHECK_INT(d.category, SJ_CAT_VALIDATION);
	CHECK_STR(sj_slice_of(d.message), "Function 'isFree' cannot be bound to a property (allowedCallers is agentOnly)");
	talk_close(&t);
}

SJ_TEST(an_agent_function_as_an_action)
{
	struct sj_engine_config cfg = {.now_ms = 1};
	open(&cfg);
	create("s");
	CHECK_OK(talk_components(&t, "v1.0", "s",
	                         "{'id':'root','component':'Button','child':'t','action':{'functionCall':{'@call':'isFree',"
	                         "'catalogId':'https://example.com/agent','args':{'name':{'@path':'/n'}}}}},"
	                         "{'id':'t','component':'Text','text':'x'}"));
	CHECK_OK(talk_data(&t, "v1.0", "s", "/n", "'Ann'"));
	CHECK_INT(talk_faults(&t), 0);
	talk_forget(&t);
	CHECK_OK(talk_press(&t, "s", talk_node(&t, "s", "root"), NULL));
	CHECK_INT(t.count, 1);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 0)->json, "/callAgentFunction")),
	          talk_quote(&t, "{'callFunction':{'@call':'isFree','args':{'name':'Ann'},"
	                         "'catalogId':'https://example.com/agent'},'functionCallId':'call-1','surfaceId':'s'}"));
	CHECK_INT(sj_engine_answer(t.e, 1, SJ_LIT("1"), SJ_NO_SLICE, SJ_NO_SLICE),
	          SJ_ABSENT); /* not the host's to answer */
	respond(1, "'value':true");
	CHECK_INT(t.count, 1);
	CHECK_OK(talk_press(&t, "s", talk_node(&t, "s", "root"), NULL));
	talk_forget(&t);
	CHECK_OK(sj_engine_advance(t.e, 1 + SJ_LIMITS_DEFAULT.call_timeout_ms));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->diag.code, SJ_E_TIMEOUT); /* for the host to show */
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 0);
	talk_close(&t);
}
