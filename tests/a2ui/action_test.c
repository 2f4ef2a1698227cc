/* What a press does: the event that leaves, with everything in it resolved now and in the
 * control's own scope; functions as actions; who may be pressed; and whose data model travels beside it. */
#include <stdio.h>

#include "engine/talk.h"

static struct talk t;

#define LOOSE "https://example.com/loose"

/* Basic catalogs and a catalog that accepts everything, of both families. */
static void open(const struct sj_engine_config *cfg)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), cfg));
	CHECK_OK(sj_engine_add_permissive(t.e, SJ_LIT(LOOSE), SJ_V09));
	CHECK_OK(sj_engine_add_permissive(t.e, SJ_LIT(LOOSE), SJ_V10));
}

static void create_loose(const char *version)
{
	CHECK_OK(talk_say(&t, "{'version':'%s','createSurface':{'surfaceId':'s','catalogId':'" LOOSE "'}}", version));
}

/* One button with this action on a surface of the version's basic catalog; the model. */
static void one_button(const char *version, const char *action, const char *model)
{
	char text[2000];
	open(NULL);
	CHECK_OK(talk_create(&t, version, "s"));
	snprintf(text, sizeof text,
	         "{'id':'root','component':'Button','child':'t','action':%s},{'id':'t','component':'Text','text':'Go'}",
	         action);
	CHECK_OK(talk_components(&t, version, "s", text));
	CHECK_OK(talk_data(&t, version, "s", "/", model));
	CHECK_INT(talk_faults(&t), 0);
	talk_forget(&t);
}

static enum sj_status press(const char *component, struct sj_diag *d)
{
	return talk_press(&t, "s", talk_node(&t, "s", component), d);
}

/* The only event that was sent, checked against the published schema; "" and a failed case otherwise. */
static const char *sent(void)
{
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 1);
	const char *json = talk_event(&t, SJ_EV_SEND, 0)->json;
	CHECK_OUTBOUND(&t, json);
	return json;
}

static void check_context(const char *version, const char *context, const char *model, const char *want)
{
	char action[1000];
	snprintf(action, sizeof action, "{'event':{'name':'n','context':%s}}", context);
	one_button(version, action, model);
	CHECK_OK(press("root", NULL));
	CHECK_STR(sj_slice_of(talk_at(&t, sent(), "/action/context")), talk_quote(&t, want));
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 0);
	talk_close(&t);
}

/* ---- the event --------------------------------------------------------------------------------------------------- */

SJ_TEST(the_whole_event)
{
	struct sj_engine_config cfg = {.now_ms = 1767225600123};
	open(&cfg);
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	CHECK_OK(talk_components(&t, "v0.9", "s",
	                         "{'id':'root','component':'Button','child':'t','action':{'event':{'name':'go'}}},"
	                         "{'id':'t','component':'Text','text':'Go'}"));
	talk_forget(&t);
	CHECK_OK(press("root", NULL));
	CHECK_STR(sj_slice_of(talk_log(&t)),
	          talk_quote(&t, "SEND {'version':'v0.9','action':{'name':'go','surfaceId':'s','sourceComponentId':'root',"
	                         "'timestamp':'2026-01-01T00:00:00.123Z','context':{}}}\n"));
	(void)sent();
	/* the clock is the host's, and only goes forward */
	CHECK_OK(sj_engine_advance(t.e, 1767225601456));
	CHECK_OK(sj_engine_advance(t.e, 5));
	talk_forget(&t);
	CHECK_OK(press("root", NULL));
	CHECK_STR(sj_slice_of(talk_at(&t, sent(), "/action/timestamp")), "\"2026-01-01T00:00:01.456Z\"");
	talk_close(&t);
}

SJ_TEST(the_event_has_the_surfaces_version)
{
	static const char *const versions[] = {"v0.9", "v0.9.1", "v1.0"};
	for (size_t i = 0; i < 3; i++) {
		char want[20];
		sj_case("%s", versions[i]);
		one_button(versions[i], "{'event':{'name':'n'}}", "{}");
		CHECK_OK(press("root", NULL));
		snprintf(want, sizeof want, "\"%s\"", versions[i]);
		CHECK_STR(sj_slice_of(talk_at(&t, sent(), "/version")), want);
		talk_close(&t);
		sj_case_end();
	}
}

SJ_TEST(contexts)
{
	static const struct {
		const char *name, *version, *context, *model, *want;
	} cases[] = {
		{"literals of every kind", "v0.9", "{'a':'x','b':1.5,'c':true,'e':[1,'two'],'f':''}", "{}",
	         "{'a':'x','b':1.5,'c':true,'e':[1,'two'],'f':''}"},
		{"bindings", "v0.9", "{'a':{'path':'/u/id'},'b':{'path':'/list/1'},'c':{'path':'/u'}}",
	         "{'u':{'id':'u7'},'list':[1,[2]]}", "{'a':'u7','b':[2],'c':{'id':'u7'}}"},
		{"what is absent is null", "v0.9", "{'a':{'path':'/nope'},'b':1}", "{}", "{'a':null,'b':1}"},
		{"calls", "v0.9",
	         "{'a':{'call':'formatNumber','args':{'value':{'path':'/n'},'decimals':1},'returnType':'string'},"
	         "'b':{'call':'not','args':{'value':{'path':'/flag'}}}}",
	         "{'n':3,'flag':true}", "{'a':'3.0','b':false}"},
		{"keys named path and call are data", "v0.9", "{'path':'/a/file','call':'external','n':{'path':'/n'}}",
	         "{'n':1}", "{'call':'external','n':1,'path':'/a/file'}"},
		{"keys named path and call, v1.0 bare", "v1.0", "{'path':'/a/file','call':'external','args':'x'}", "{}",
	         "{'args':'x','call':'external','path':'/a/file'}"},
		{"reserved dialect", "v1.0",
	         "{'p':{'@path':'/n'},'path':'x','i':{'@call':'not','args':{'value':false}}}", "{'n':4}",
	         "{'i':true,'p':4,'path':'x'}"},
		{"reserved dialect below objects and lists", "v1.0", "{'a':{'x':{'@path':'/n'},'y':[{'@path':'/n'}]}}",
	         "{'n':4}", "{'a':{'x':4,'y':[4]}}"},
		{"escaped keys", "v1.0", "{'o':{'@@path':'/n','z':{'@path':'/n'}}}", "{'n':4}",
	         "{'o':{'@path':'/n','z':4}}"},
		{"data with path and call is data", "v0.9", "{'icon':{'path':'/icon'},'all':{'path':'/'}}",
	         "{'icon':{'path':'M12 2L2 7'},'f':{'call':'openUrl','args':{'url':'https://example.com'}}}",
	         "{'all':{'f':{'args':{'url':'https://example.com'},'call':'openUrl'},'icon':{'path':'M12 2L2 7'}},"
	         "'icon':{'path':'M12 2L2 7'}}"},
		{"text with every sort of character", "v0.9", "{'a':{'path':'/t'}}",
	         "{'t':'\\u0001\\n\\\\/\\u20ac\\ud83d\\ude00'}", "{'a':'\\u0001\\n\\\\/€😀'}"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		sj_case("%s", cases[i].name);
		check_context(cases[i].version, cases[i].context, cases[i].model, cases[i].want);
		sj_case_end();
	}
}

SJ_TEST(everything_is_resolved_when_it_is_pressed)
{
	one_button("v0.9", "{'event':{'name':'n','context':{'a':{'path':'/a'}}}}", "{'a':1}");
	CHECK_OK(talk_data(&t, "v0.9", "s", "/a", "2"));
	CHECK_OK(press("root", NULL));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/a", NULL));
	CHECK_OK(press("root", NULL));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 0)->json, "/action/context/a")), "2");
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 1)->json, "/action/context/a")), "null");
	talk_close(&t);
}

/* Two levels of rows; paths relative to each, absolute ones, and the index. */
SJ_TEST(scopes)
{
	open(NULL);
	CHECK_OK(talk_create(&t, "v1.0", "s"));
	CHECK_OK(talk_components(
		&t, "v1.0", "s",
		"{'id':'root','component':'List','children':{'componentId':'row','path':'/rows'}},"
		"{'id':'row','component':'Column','children':['b','kids']},{'id':'t','component':'Text','text':'x'},"
		"{'id':'b','component':'Button','child':'t','action':{'event':{'name':'outer','context':"
		"{'id':{'@path':'id'},'top':{'@path':'/top'},'i':{'@call':'@index'},'whole':{'@path':''}}}}},"
		"{'id':'kids','component':'List','children':{'componentId':'kid','path':'kids'}},"
		"{'id':'kid','component':'Button','child':'t','action':{'event':{'name':'inner','userMessage':"
		"{'@call':'formatString','args':{'value':'Took ${name} of row ${@index(offset: 1)}'}},'context':"
		"{'name':{'@path':'name'},'i':{'@call':'@index','args':{'offset':10}}}}}}"));
	CHECK_OK(talk_data(&t, "v1.0", "s", "/",
	                   "{'top':'T','rows':[{'id':'a','kids':[{'name':'a0'}]},{'id':'b','kids':[{'name':'b0'},"
	                   "{'name':'b1'},{'name':'b2'}]}]}"));
	CHECK_INT(talk_faults(&t), 0);
	talk_forget(&t);
	CHECK_OK(talk_press(&t, "s", talk_row(&t, "s", "b", 1), NULL));
	const char *json = sent();
	CHECK_STR(sj_slice_of(talk_at(&t, json, "/action/sourceComponentId")), "\"b\"");
	CHECK_STR(sj_slice_of(talk_at(&t, json, "/action/context")),
	          talk_quote(&t, "{'i':1,'id':'b','top':'T','whole':{'id':'b','kids':[{'name':'b0'},{'name':'b1'},"
	                         "{'name':'b2'}]}}"));
	talk_forget(&t);
	const uint32_t at[] = {1, 2};
	CHECK_OK(talk_press(&t, "s", sj_surface_find(talk_surface(&t, "s"), SJ_LIT("kid"), at, 2), NULL));
	json = sent();
	CHECK_STR(sj_slice_of(talk_at(&t, json, "/action/context")), talk_quote(&t, "{'i':12,'name':'b2'}"));
	CHECK_STR(sj_slice_of(talk_at(&t, json, "/action/userMessage")), "\"Took b2 of row 3\"");
	talk_close(&t);
}

SJ_TEST(user_message)
{
	sj_case("a literal");
	one_button("v1.0", "{'event':{'name':'n','userMessage':'I pressed it'}}", "{}");
	CHECK_OK(press("root", NULL));
	CHECK_STR(sj_slice_of(talk_at(&t, sent(), "/action/userMessage")), "\"I pressed it\"");
	talk_close(&t);
	sj_case("a number becomes text, absent becomes nothing");
	one_button("v1.0", "{'event':{'name':'n','userMessage':{'@path':'/m'}}}", "{'m':12.5}");
	CHECK_OK(press("root", NULL));
	CHECK_STR(sj_slice_of(talk_at(&t, sent(), "/action/userMessage")), "\"12.5\"");
	CHECK_OK(talk_data(&t, "v1.0", "s", "/m", "null"));
	talk_forget(&t);
	CHECK_OK(press("root", NULL));
	CHECK_STR(sj_slice_of(talk_at(&t, sent(), "/action/userMessage")), "\"\"");
	talk_close(&t);
	sj_case("v0.9 has none");
	open(NULL);
	create_loose("v0.9");
	CHECK_OK(talk_components(&t, "v0.9", "s",
	                         "{'id':'root','component':'Button','action':{'event':{'name':'n','userMessage':'hi'}}}"));
	talk_forget(&t);
	CHECK_OK(press("root", NULL));
	CHECK_STR(sj_slice_of(talk_at(&t, sent(), "/action/userMessage")), "absent");
	talk_close(&t);
	sj_case_end();
}

SJ_TEST(the_short_form_is_an_event)
{
	struct sj_diag d;
	open(NULL);
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	CHECK_OK(talk_components(&t, "v0.9", "s",
	                         "{'id':'root','component':'Button','child':'t','action':{'name':'go','context':"
	                         "{'a':{'path':'/a'}}}},{'id':'t','component':'Text','text':'Go'}"));
	CHECK_INT(talk_faults(&t), 0);
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 1);
	CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->diag.severity, SJ_SEV_WARNING);
	CHECK_OK(talk_data(&t, "v0.9", "s", "/a", "'x'"));
	talk_forget(&t);
	CHECK_OK(press("root", &d));
	const char *json = sent();
	CHECK_STR(sj_slice_of(talk_at(&t, json, "/action/name")), "\"go\"");
	CHECK_STR(sj_slice_of(talk_at(&t, json, "/action/context")), "{\"a\":\"x\"}");
	talk_close(&t);
}

/* ---- unknown functions ------------------------------------------------------------------------------------------- */

SJ_TEST(an_unknown_function_in_a_context)
{
	static const char *const versions[] = {"v0.9", "v1.0"};
	for (size_t i = 0; i < 2; i++) {
		sj_case("%s", versions[i]);
		open(NULL);
		create_loose(versions[i]);
		CHECK_OK(talk_components(&t, versions[i], "s",
		                         "{'id':'root','component':'Button','action':{'event':{'name':'n','context':"
		                         "{'value':{'call':'noSuchFunction'},'kept':'literal'}}}}"));
		CHECK_INT(talk_faults(&t), 0);
		talk_forget(&t);
		CHECK_OK(press("root", NULL));
		CHECK_INT(talk_faults(&t), 1);
		CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->diag.code, SJ_E_EXPRESSION_ERROR);
		CHECK_INT(talk_heard(&t, SJ_EV_SEND), 2); /* the error, the event */
		const char *error = talk_event(&t, SJ_EV_SEND, 0)->json, *event = talk_event(&t, SJ_EV_SEND, 1)->json;
		CHECK_STR(sj_slice_of(talk_at(&t, error, "/error/code")), "\"EXPRESSION_ERROR\"");
		CHECK_STR(sj_slice_of(talk_at(&t, error, "/error/surfaceId")), "\"s\"");
		CHECK(strstr(error, "noSuchFunction") != NULL);
		CHECK_STR(sj_slice_of(talk_at(&t, event, "/action/context")),
		          talk_quote(&t, "{'kept':'literal','value':null}"));
		CHECK_OUTBOUND(&t, error);
		CHECK_OUTBOUND(&t, event);
		talk_close(&t);
		sj_case_end();
	}
}

SJ_TEST(an_unknown_function_as_the_action)
{
	static const char *const versions[] = {"v0.9", "v1.0"};
	for (size_t i = 0; i < 2; i++) {
		sj_case("%s", versions[i]);
		open(NULL);
		create_loose(versions[i]);
		CHECK_OK(talk_components(&t, versions[i], "s",
		                         "{'id':'root','component':'Button','action':{'functionCall':"
		                         "{'call':'noSuchFunction'}}}"));
		talk_forget(&t);
		CHECK_OK(press("root", NULL));
		CHECK_INT(talk_faults(&t), 1);
		CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->diag.code, SJ_E_EXPRESSION_ERROR);
		CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_DIAG, 0)->diag.message),
		          "Unrecognized function 'noSuchFunction'");
		CHECK_STR(sj_slice_of(talk_at(&t, sent(), "/error/code")), "\"EXPRESSION_ERROR\"");
		CHECK_INT(talk_heard(&t, SJ_EV_TOOL_WANTED) + talk_heard(&t, SJ_EV_CALL_WANTED), 0);
		talk_close(&t);
		sj_case_end();
	}
}

/* One failing member spoils itself alone. */
SJ_TEST(each_member_fails_alone)
{
	open(NULL);
	create_loose("v0.9");
	CHECK_OK(talk_components(&t, "v0.9", "s",
	                         "{'id':'root','component':'Button','action':{'event':{'name':'n','context':{"
	                         "'a':{'call':'formatNumber','args':{'value':'abc'}},'b':{'call':'nope'},"
	                         "'c':{'path':'/c'},'d':{'call':'regex','args':{'value':'x','pattern':'('}}}}}}"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/c", "[1]"));
	talk_forget(&t);
	CHECK_OK(press("root", NULL));
	CHECK_INT(talk_faults(&t), 3);
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_DIAG, 0)->diag.message),
	          "Function 'formatNumber' needs 'value' as a number");
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_DIAG, 1)->diag.message), "Unrecognized function 'nope'");
	CHECK(strstr(talk_event(&t, SJ_EV_DIAG, 2)->diag.message, "pattern") != NULL);
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 4);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 3)->json, "/action/context")),
	          talk_quote(&t, "{'a':null,'b':null,'c':[1],'d':null}"));
	talk_close(&t);
}

/* ---- functions as actions ---------------------------------------------------------------------------------------- */

SJ_TEST(open_url_asks_the_host)
{
	one_button("v1.0", "{'functionCall':{'@call':'openUrl','args':{'url':{'@path':'/u'}}}}",
	           "{'u':'https://example.com/?q=1'}");
	CHECK_OK(press("root", NULL));
	CHECK_STR(sj_slice_of(talk_log(&t)), talk_quote(&t, "TOOL openUrl {'url':'https://example.com/?q=1'}\n"));
	const struct heard *h = talk_event(&t, SJ_EV_TOOL_WANTED, 0);
	CHECK_STR(sj_slice_of(h->surface), "s");
	CHECK_INT(h->peer, t.peer);
	CHECK(h->call_id != 0);
	uint64_t id = h->call_id;
	CHECK_INT(sj_engine_deadline(t.e), INT64_MAX); /* a person may take their time */
	CHECK_OK(sj_engine_answer(t.e, id, SJ_NO_SLICE, SJ_NO_SLICE, SJ_NO_SLICE));
	CHECK_INT(sj_engine_answer(t.e, id, SJ_NO_SLICE, SJ_NO_SLICE, SJ_NO_SLICE), SJ_ABSENT);
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 0); /* a function sends no event */
	/* the host could not: told to the host's log, not to the agent */
	CHECK_OK(press("root", NULL));
	id = talk_event(&t, SJ_EV_TOOL_WANTED, 1)->call_id;
	CHECK_OK(sj_engine_answer(t.e, id, SJ_NO_SLICE, SJ_LIT("UNAVAILABLE"), SJ_LIT("no browser")));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 1);
	CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->diag.code, SJ_E_UNAVAILABLE);
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_DIAG, 0)->diag.message), "no browser");
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 0);
	talk_close(&t);
}

SJ_TEST(addresses_that_may_not_be_opened)
{
	static const char *const urls[] = {"javascript:alert(document.domain)",
	                                   "JaVaScRiPt:alert(1)",
	                                   " javascript:alert(1)",
	                                   "java\\nscript:alert(1)",
	                                   "data:text/html,x",
	                                   "file:///etc/passwd",
	                                   "vbscript:x",
	                                   "ftp://example.com/",
	                                   "//example.com",
	                                   "example.com",
	                                   "http",
	                                   "https:",
	                                   "",
	                                   "about:blank",
	                                   "https://user:pw@example.com/",
	                                   "https://bank.example@evil.example",
	                                   "https://bank.example/\u202Egnp.exe",
	                                   "https://bank.example\u200B.evil.example/",
	                                   "https://example.com/\xC2\x85",
	                                   "intent://x#Intent;end"};
	static const char *const versions[] = {"v0.9", "v1.0"};
	for (size_t i = 0; i < 2 * sizeof urls / sizeof *urls; i++) {
		char model[200];
		sj_case("%s: %s", versions[i % 2], urls[i / 2]);
		snprintf(model, sizeof model, "{'u':'%s'}", urls[i / 2]);
		if (i % 2) {
			one_button("v1.0", "{'functionCall':{'@call':'openUrl','args':{'url':{'@path':'/u'}}}}", model);
		} else { /* the basic catalog of v0.9 takes literals only, and no others than URIs */
			open(NULL);
			create_loose("v0.9");
			CHECK_OK(talk_components(&t, "v0.9", "s",
			                         "{'id':'root','component':'Button','action':{'functionCall':"
			                         "{'call':'openUrl','args':{'url':{'path':'/u'}}}}}"));
			CHECK_OK(talk_data(&t, "v0.9", "s", "/", model));
			talk_forget(&t);
		}
		CHECK_OK(press("root", NULL));
		CHECK_INT(talk_heard(&t, SJ_EV_TOOL_WANTED), 0);
		CHECK_INT(talk_faults(&t), 1);
		CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->diag.code, SJ_E_EXPRESSION_ERROR);
		CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_DIAG, 0)->diag.message),
		          "openUrl: only http and https addresses may be opened");
		CHECK_STR(sj_slice_of(talk_at(&t, sent(), "/error/code")), "\"EXPRESSION_ERROR\"");
		talk_close(&t);
		sj_case_end();
	}
	sj_case("no text at all");
	one_button("v1.0", "{'functionCall':{'@call':'openUrl','args':{'url':{'@path':'/u'}}}}",
	           "{'u':{'url':'https://example.com'}}");
	CHECK_OK(press("root", NULL));
	CHECK_INT(talk_heard(&t, SJ_EV_TOOL_WANTED), 0);
	CHECK_INT(talk_faults(&t), 1);
	talk_close(&t);
	sj_case_end();
}

/* An effect bound to a property never happens: not when it is shown, not when it is read. */
SJ_TEST(an_effect_in_a_property_is_not_done)
{
	open(NULL);
	create_loose("v0.9");
	CHECK_OK(talk_components(&t, "v0.9", "s",
	                         "{'id':'root','component':'Text','text':{'call':'openUrl','args':"
	                         "{'url':'https://example.com'}}}"));
	CHECK_STR(sj_slice_of(talk_prop(&t, "s", talk_node(&t, "s", "root"), "text")), "error");
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_TOOL_WANTED), 0);
	CHECK_INT(talk_faults(&t), 1);
	CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->diag.code, SJ_E_EXPRESSION_ERROR);
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_DIAG, 0)->diag.message),
	          "Function 'openUrl' acts and may only be the action of a control");
	talk_close(&t);
}

static enum sj_result boom(struct sj_call *call, struct sj_value *out)
{
	(void)out;
	sj_diag_set(call->diag, SJ_INVALID, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION, "boom");
	return SJ_R_ERROR;
}

static enum sj_result verdict(struct sj_call *call, struct sj_value *out)
{
	/* {valid: false, severity: the argument} */
	enum sj_status st = sj_value_object(call->mem, out);
	if (st == SJ_OK)
		st = sj_value_set(call->mem, out, SJ_LIT("valid"), sj_value_bool(false));
	if (st == SJ_OK)
		st = sj_value_set(call->mem, out, SJ_LIT("severity"), sj_value_ref(call->args[0]));
	return st == SJ_OK ? SJ_R_OK : SJ_R_ERROR;
}

static void open_host(const struct sj_engine_config *cfg)
{
	static const struct sj_host_prop args[] = {{.name = "x", .type = "DynamicValue"}, {0}};
	static const struct sj_host_function functions[] = {
		{.name = "boom", .kind = SJ_FN_PURE, .return_type = "any", .args = args, .eval = boom},
		{.name = "verdict",
	         .kind = SJ_FN_PURE,
	         .return_type = "validationResult",
	         .args = args,
	         .eval = verdict},
		{.name = "copyText", .kind = SJ_FN_EFFECT, .return_type = "void", .args = args},
		{.name = "slow", .kind = SJ_FN_DEFERRED, .return_type = "any", .args = args},
		{0}};
	static const struct sj_host_catalog host = {.catalog_id = "https://example.com/host",
	                                            .version = SJ_V10,
	                                            .functions = functions,
	                                            .include_basic = true};
	struct sj_diag d = {0};
	open(cfg);
	if (sj_engine_add_host_catalog(t.e, &host, &d) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s", d.message);
	CHECK_OK(talk_say(&t, "{'version':'v1.0','createSurface':{'surfaceId':'s','catalogId':'https://example.com/host'}}"));
}

SJ_TEST(host_functions_as_actions)
{
	open_host(NULL);
	CHECK_OK(talk_components(&t, "v1.0", "s",
	                         "{'id':'root','component':'Column','children':['a','b','c','d']},"
	                         "{'id':'t','component':'Text','text':'x'},"
	                         "{'id':'a','component':'Button','child':'t','action':{'functionCall':{'@call':'boom'}}},"
	                         "{'id':'b','component':'Button','child':'t','action':{'functionCall':{'@call':'copyText',"
	                         "'args':{'x':{'@path':'/v'}}}}},"
	                         "{'id':'c','component':'Button','child':'t','action':{'functionCall':{'@call':'slow',"
	                         "'args':{'x':[1,{'@path':'/v'}]}}}},"
	                         "{'id':'d','component':'Button','child':'t','action':{'functionCall':{'@call':'not',"
	                         "'args':{'value':true}}}}"));
	CHECK_OK(talk_data(&t, "v1.0", "s", "/v", "{'k':1}"));
	CHECK_INT(talk_faults(&t), 0);
	talk_forget(&t);
	sj_case("a pure one that fails");
	CHECK_OK(press("a", NULL));
	CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->diag.code, SJ_E_EXPRESSION_ERROR);
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_DIAG, 0)->diag.message), "boom");
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 1);
	talk_forget(&t);
	sj_case("a pure one does nothing");
	CHECK_OK(press("d", NULL));
	CHECK_STR(sj_slice_of(talk_log(&t)), "");
	sj_case("an effect is the host's");
	CHECK_OK(press("b", NULL));
	CHECK_STR(sj_slice_of(talk_log(&t)), "TOOL copyText {\"x\":{\"k\":1}}\n");
	talk_forget(&t);
	sj_case("one that is answered later is the host's");
	CHECK_OK(press("c", NULL));
	CHECK_STR(sj_slice_of(talk_log(&t)), "CALL slow {\"x\":[1,{\"k\":1}]}\n");
	uint64_t id = talk_event(&t, SJ_EV_CALL_WANTED, 0)->call_id;
	talk_forget(&t);
	/* the agent may not answer for the host */
	CHECK_OK(talk_say(&t, "{'version':'v1.0','agentFunctionResponse':{'functionCallId':'call-%llu','value':1}}",
	                  (unsigned long long)id));
	CHECK_OK(sj_engine_answer(t.e, id, SJ_LIT("1"), SJ_NO_SLICE, SJ_NO_SLICE));
	CHECK_OK(talk_take(&t));
	CHECK_STR(sj_slice_of(talk_log(&t)), "");
	sj_case_end();
	talk_close(&t);
}

/* ---- who may be pressed ------------------------------------------------------------------------------------------ */

static void check_refused(const char *component, const char *says)
{
	struct sj_diag d;
	uint32_t before = t.count;
	CHECK_INT(press(component, &d), SJ_INVALID);
	CHECK_INT(d.code, SJ_E_STATE);
	CHECK_INT(d.category, SJ_CAT_STATE);
	if (!strstr(d.message, says))
		sj_fail_at(__FILE__, __LINE__, "'%s' does not say '%s'", d.message, says);
	CHECK_INT(t.count, before); /* nobody else hears of it */
}

SJ_TEST(what_cannot_be_pressed)
{
	struct sj_diag d;
	one_button("v0.9", "{'event':{'name':'n'}}", "{}");
	check_refused("t", "has no action");
	CHECK_INT(talk_press(&t, "s", 0, &d), SJ_INVALID);
	CHECK_INT(d.code, SJ_E_STATE);
	sj_node_id old = talk_node(&t, "s", "root");
	CHECK_OK(talk_components(&t, "v0.9", "s", "{'id':'root','component':'Text','text':'x'}"));
	talk_forget(&t);
	CHECK_INT(talk_press(&t, "s", old, &d), SJ_INVALID);
	CHECK_STR(sj_slice_of(d.message), "This control is no longer on the screen");
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 0);
	talk_close(&t);
}

static void form(const struct sj_engine_config *cfg)
{
	open(cfg);
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	CHECK_OK(talk_components(&t, "v0.9", "s",
	                         "{'id':'root','component':'Column','children':['field','send','clear']},"
	                         "{'id':'t','component':'Text','text':'x'},"
	                         "{'id':'field','component':'TextField','label':'Name','value':{'path':'/name'},'checks':["
	                         "{'condition':{'call':'required','args':{'value':{'path':'/name'}}},'message':'Name!'}]},"
	                         "{'id':'send','component':'Button','child':'t','action':{'event':{'name':'send'}},'checks':["
	                         "{'condition':{'call':'required','args':{'value':{'path':'/terms'}}},'message':'Accept!'},"
	                         "{'condition':{'call':'required','args':{'value':{'path':'/other'}}},'message':'Other!'}]},"
	                         "{'id':'clear','component':'Button','child':'t','action':{'event':{'name':'clear'}}}"));
	CHECK_INT(talk_faults(&t), 0);
	talk_forget(&t);
}

SJ_TEST(own_checks_gate_a_button)
{
	form(NULL);
	check_refused("send", "'send' is disabled: Accept!");
	CHECK_OK(press("clear", NULL)); /* the field's failing check is the field's */
	CHECK_STR(sj_slice_of(talk_at(&t, sent(), "/action/name")), "\"clear\"");
	CHECK_OK(talk_data(&t, "v0.9", "s", "/terms", "true"));
	check_refused("send", "'send' is disabled: Other!");
	CHECK_OK(talk_data(&t, "v0.9", "s", "/other", "0"));
	talk_forget(&t);
	CHECK_OK(press("send", NULL));
	CHECK_STR(sj_slice_of(talk_at(&t, sent(), "/action/name")), "\"send\"");
	talk_close(&t);
}

SJ_TEST(the_surface_gates_every_button_when_the_host_says_so)
{
	struct sj_engine_config cfg = {.gate_surface = true};
	form(&cfg);
	check_refused("clear", "'clear' is disabled");
	CHECK_OK(talk_data(&t, "v0.9", "s", "/", "{'terms':true,'other':1}"));
	check_refused("send", "'send' is disabled");
	CHECK_OK(talk_type(&t, "s", talk_node(&t, "s", "field"), "'A'", NULL));
	talk_forget(&t);
	CHECK_OK(press("clear", NULL));
	CHECK_OK(press("send", NULL));
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 2);
	CHECK_OK(talk_type(&t, "s", talk_node(&t, "s", "field"), "''", NULL));
	check_refused("clear", "'clear' is disabled");
	talk_close(&t);
}

SJ_TEST(only_errors_disable)
{
	static const struct {
		const char *severity;
		bool blocks;
	} cases[] = {{"'error'", true}, {"'warning'", false}, {"'info'", false}};
	for (size_t i = 0; i < 3; i++) {
		char text[600];
		sj_case("%s", cases[i].severity);
		struct sj_engine_config cfg = {.gate_surface = true};
		open_host(&cfg);
		snprintf(text, sizeof text,
		         "{'id':'root','component':'Button','child':'t','action':{'event':{'name':'n'}},'checks':["
		         "{'condition':{'@call':'verdict','args':{'x':%s}},'message':'M'}]},"
		         "{'id':'t','component':'Text','text':'x'}",
		         cases[i].severity);
		CHECK_OK(talk_components(&t, "v1.0", "s", text));
		CHECK_INT(talk_faults(&t), 0);
		CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s"), "/validationErrors")), "[\"M\"]");
		CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s"), "/isValid")), cases[i].blocks ? "false" : "true");
		talk_forget(&t);
		if (cases[i].blocks)
			check_refused("root", "'root' is disabled: M");
		else
			CHECK_OK(press("root", NULL));
		talk_close(&t);
		sj_case_end();
	}
}

/* ---- the data model that travels beside it ----------------------------------------------------------------------- */

static void say_sender(const char *version, const char *id, bool sends, const char *model)
{
	CHECK_OK(talk_say(&t, "{'version':'%s','createSurface':{'surfaceId':'%s','catalogId':'%s','sendDataModel':%s}}",
	                  version, id, strcmp(version, "v1.0") ? BASIC09 : BASIC10, sends ? "true" : "false"));
	CHECK_OK(talk_components(&t, version, id,
	                         "{'id':'root','component':'Button','child':'t','action':{'event':{'name':'n'}}},"
	                         "{'id':'t','component':'Text','text':'Go'}"));
	CHECK_OK(talk_data(&t, version, id, "/", model));
}

static const char *metadata_of(const char *surface)
{
	uint32_t n = talk_heard(&t, SJ_EV_SEND);
	CHECK_OK(talk_press(&t, surface, talk_node(&t, surface, "root"), NULL));
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), n + 1);
	CHECK_INT(talk_event(&t, SJ_EV_SEND, n)->peer, t.peer);
	return talk_event(&t, SJ_EV_SEND, n)->metadata;
}

SJ_TEST(the_model_goes_to_its_owner_only)
{
	uint32_t other;
	open(NULL);
	CHECK_OK(sj_engine_peer_open(t.e, SJ_LIT("other"), &other));
	uint32_t first = t.peer;
	say_sender("v0.9", "a", true, "{'mine':1}");
	say_sender("v0.9", "quiet", false, "{'secret':2}");
	t.peer = other;
	say_sender("v0.9", "a", true, "{'theirs':3}");
	say_sender("v1.0", "new", true, "{'n':4}");
	t.peer = first;
	CHECK_STR(sj_slice_of(metadata_of("a")), talk_quote(&t, "{'version':'v0.9','surfaces':{'a':{'mine':1}}}"));
	/* any message of this peer carries the flagged surfaces, whichever was pressed */
	CHECK_STR(sj_slice_of(metadata_of("quiet")), talk_quote(&t, "{'version':'v0.9','surfaces':{'a':{'mine':1}}}"));
	t.peer = other;
	CHECK_STR(sj_slice_of(metadata_of("a")), talk_quote(&t, "{'version':'v0.9','surfaces':{'a':{'theirs':3}}}"));
	CHECK_STR(sj_slice_of(metadata_of("new")), talk_quote(&t, "{'version':'v1.0','surfaces':{'new':{'n':4}}}"));
	/* not any more once it is gone */
	CHECK_OK(talk_say(&t, "{'version':'v1.0','deleteSurface':{'surfaceId':'new'}}"));
	t.peer = first;
	CHECK_OK(talk_say(&t, "{'version':'v0.9','deleteSurface':{'surfaceId':'a'}}"));
	CHECK_STR(sj_slice_of(metadata_of("quiet")), "");
	talk_close(&t);
}

/* Errors and answers to calls carry it too, each of its own version. */
SJ_TEST(every_outbound_message_carries_it)
{
	open(NULL);
	say_sender("v0.9", "old", true, "{'o':1}");
	say_sender("v1.0", "new", true, "{'n':2}");
	talk_forget(&t);
	CHECK_OK(talk_say(&t, "{'version':'v0.9','updateComponents':{'surfaceId':'old','components':[]}}"));
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_SEND, 0)->metadata),
	          talk_quote(&t, "{'version':'v0.9','surfaces':{'old':{'o':1}}}"));
	CHECK_OK(talk_say(&t, "{'version':'v1.0','callRendererFunction':{'functionCallId':'c','callFunction':"
	                      "{'call':'nope','catalogId':'nope'}}}"));
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_SEND, 1)->metadata),
	          talk_quote(&t, "{'version':'v1.0','surfaces':{'new':{'n':2}}}"));
	CHECK_OK(talk_say(&t, "{'version':'v0.9','updateDataModel':{'surfaceId':'unknown','value':1}}"));
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_SEND, 2)->metadata),
	          talk_quote(&t, "{'version':'v0.9','surfaces':{'old':{'o':1}}}"));
	talk_close(&t);
}

/* What was typed into an obscured field: masked wherever it is looked at and in the model that travels; the action that
 * names it carries it, for that is what the person pressed. */
SJ_TEST(a_secret_travels_in_its_own_action_only)
{
	open(NULL);
	CHECK_OK(talk_say(&t, "{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':'" BASIC09
	                      "','sendDataModel':true}}"));
	CHECK_OK(talk_components(&t, "v0.9", "s",
	                         "{'id':'root','component':'Column','children':['pw','go']},"
	                         "{'id':'t','component':'Text','text':'x'},"
	                         "{'id':'pw','component':'TextField','label':'P','variant':'obscured','value':{'path':'/pw'}},"
	                         "{'id':'go','component':'Button','child':'t','action':{'event':{'name':'login','context':"
	                         "{'password':{'path':'/pw'}}}}}"));
	CHECK_OK(talk_type(&t, "s", talk_node(&t, "s", "pw"), "'hunter2'", NULL));
	talk_forget(&t);
	CHECK_OK(press("go", NULL));
	CHECK_STR(sj_slice_of(talk_at(&t, sent(), "/action/context/password")), "\"hunter2\"");
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_SEND, 0)->metadata),
	          talk_quote(&t, "{'version':'v0.9','surfaces':{'s':{'pw':'•••'}}}"));
	CHECK(strstr(talk_whole(&t, "s"), "hunter2") == NULL);
	CHECK(strstr(talk_whole(&t, "s"), "•••") != NULL);
	talk_close(&t);
}
