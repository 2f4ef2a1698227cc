/* Limits on what a peer may ask of an engine: each row makes one limit small, goes just as far as it allows, then one
 * step further, and names the fault that stops it. */
#include "engine/talk.h"

static struct talk t; /* too big for a stack */

static void open_small(struct sj_limits *l)
{
	struct sj_engine_config cfg = {.limits = l};
	CHECK_OK(talk_open(&t, sj_test_mem(), &cfg));
	CHECK_OK(talk_create(&t, "v1.0", "s"));
	talk_forget(&t);
}

#define UPDATE(path, value) "{'version':'v1.0','updateDataModel':{'surfaceId':'s','path':'" path "','value':" value "}}"
#define TEXT(text) \
	"{'version':'v1.0','updateComponents':{'surfaceId':'s','components':[{'id':'root','component':'Text','text':" text "}]}}"

#define COMPONENTS(list) "{'version':'v1.0','updateComponents':{'surfaceId':'s','components':[" list "]}}"
#define FORMAT(template) TEXT("{'call':'formatString','args':{'value':'" template "'}}")
#define CHECKBOX(value) COMPONENTS("{'id':'root','component':'CheckBox','label':'L','value':" value "}")
#define CHECK_REGEX(value, pattern) \
	COMPONENTS("{'id':'root','component':'CheckBox','label':'L','value':true,'checks':[{'message':'m','condition':" \
	           "{'call':'regex','args':{'value':" value ",'pattern':" pattern "}}}]}")

#define B64 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define K1 B64 B64 B64 B64 B64 B64 B64 B64 B64 B64 B64 B64 B64 B64 B64 B64

static const struct row {
	const char *name;
	size_t field;
	uint32_t limit;
	const char *within, *beyond, *code, *message;
} ROWS[] = {
	{"array_index", offsetof(struct sj_limits, array_index), 3, UPDATE("/a", "[1,2,3]") UPDATE("/a/3", "4"),
         UPDATE("/a/4", "5"), "LIMIT_EXCEEDED", "Cannot set path"},
	{"array_gap", offsetof(struct sj_limits, array_gap), 2, UPDATE("/a", "[]") UPDATE("/a/2", "1"),
         UPDATE("/a/6", "1"), "LIMIT_EXCEEDED", "Cannot set path"},
	{"pointer_tokens", offsetof(struct sj_limits, pointer_tokens), 2, UPDATE("/a/b", "1"), UPDATE("/a/b/c", "1"),
         "LIMIT_EXCEEDED", "Path has more than 2 segments"},
	{"pointer_bytes", offsetof(struct sj_limits, pointer_bytes), 6, UPDATE("/abcde", "1"), UPDATE("/abcdef", "1"),
         "LIMIT_EXCEEDED", "Path is longer than 6 bytes"},
	{"dynamic_depth", offsetof(struct sj_limits, dynamic_depth), 3,
         TEXT("{'call':'formatString','args':{'value':'x'}}"), TEXT("{'call':'not','args':{'value':{'path':'/a'}}}"),
         "VALIDATION_FAILED", "nested deeper than 3 levels"},
	{"surfaces", offsetof(struct sj_limits, surfaces), 1, "",
         "{'version':'v1.0','createSurface':{'surfaceId':'s2','catalogId':'" BASIC10 "'}}", "LIMIT_EXCEEDED",
         "There are 1 surfaces already"},
	{"held_bytes", offsetof(struct sj_limits, held_bytes), 90,
         "{'surfaceUpdate':{'surfaceId':'w','components':[{'id':'a','component':{'Divider':{}}}]}}",
         "{'dataModelUpdate':{'surfaceId':'w','contents':[]}}", "LIMIT_EXCEEDED", "holds back 88 bytes"},
	{"message_bytes", offsetof(struct sj_limits, message_bytes), 400, UPDATE("/a", "1"),
         UPDATE("/a",
                "'0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
                "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
                "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
                "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789'"),
         "LIMIT_EXCEEDED", "message_bytes"},
	{"json_depth", offsetof(struct sj_limits, json_depth), 6, UPDATE("/a", "[[[[1]]]]"),
         UPDATE("/a", "[[[[[1]]]]]"), "LIMIT_EXCEEDED", "json_depth"},
	{"json_values", offsetof(struct sj_limits, json_values), 30, UPDATE("/a", "[1,2,3,4,5]"),
         UPDATE("/a", "[1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0]"), "LIMIT_EXCEEDED", "json_values"},
	{"string_bytes", offsetof(struct sj_limits, string_bytes), 80, UPDATE("/a", "'0123456789'"),
         UPDATE("/a", "'012345678901234567890123456789012345678901234567890123456789012345678901234567890'"),
         "LIMIT_EXCEEDED", "string_bytes"},
	{"components", offsetof(struct sj_limits, components), 2,
         COMPONENTS("{'id':'root','component':'Divider'},{'id':'a','component':'Divider'}")
                 COMPONENTS("{'id':'a','component':'Divider'}"),
         COMPONENTS("{'id':'b','component':'Divider'}"), "LIMIT_EXCEEDED",
         "Component 'b' is more than the surface may hold"},
	{"components, in one message", offsetof(struct sj_limits, components), 2, "",
         COMPONENTS(
		 "{'id':'root','component':'Divider'},{'id':'a','component':'Divider'},{'id':'b','component':'Divider'}"),
         "LIMIT_EXCEEDED", "Component 'b' is more than the surface may hold"},
	{"nodes", offsetof(struct sj_limits, nodes), 4,
         COMPONENTS("{'id':'root','component':'Row','children':['a','a','a']},{'id':'a','component':'Divider'}"),
         COMPONENTS("{'id':'root','component':'Row','children':['a','a','a','a']}"), "LIMIT_EXCEEDED",
         "There is more of component 'a' than the limit allows."},
	{"template_rows", offsetof(struct sj_limits, template_rows), 3,
         COMPONENTS("{'id':'root','component':'List','children':{'componentId':'a','path':'/r'}},"
                    "{'id':'a','component':'Divider'}") UPDATE("/r", "[1,2,3]"),
         UPDATE("/r", "[1,2,3,4]"), "LIMIT_EXCEEDED", "There is more of component 'a' than the limit allows."},
	{"component_depth", offsetof(struct sj_limits, component_depth), 4,
         COMPONENTS("{'id':'root','component':'Card','child':'a'},{'id':'a','component':'Card','child':'b'},"
                    "{'id':'b','component':'Card','child':'c'},{'id':'c','component':'Divider'}"),
         COMPONENTS("{'id':'c','component':'Card','child':'d'},{'id':'d','component':'Divider'}"), "VALIDATION_FAILED",
         "Global recursion limit exceeded"},
	{"scope_depth", offsetof(struct sj_limits, scope_depth), 2,
         COMPONENTS("{'id':'root','component':'List','children':{'componentId':'a','path':'/r'}},"
                    "{'id':'a','component':'List','children':{'componentId':'b','path':'/r'}},"
                    "{'id':'b','component':'Divider'}") UPDATE("/r", "[1]"),
         COMPONENTS("{'id':'b','component':'List','children':{'componentId':'c','path':'/r'}},"
                    "{'id':'c','component':'Divider'}"),
         "LIMIT_EXCEEDED", "There is more of component 'c' than the limit allows."},
	{"call_depth", offsetof(struct sj_limits, call_depth), 2,
         CHECKBOX("{'call':'not','args':{'value':{'call':'not','args':{'value':true}}}}"),
         CHECKBOX(
		 "{'call':'not','args':{'value':{'call':'not','args':{'value':{'call':'not','args':{'value':true}}}}}}"),
         "VALIDATION_FAILED", "functionCall depth > 2"},
	{"call_args", offsetof(struct sj_limits, call_args), 2, FORMAT("${formatNumber(value: 1, decimals: 2)}"),
         FORMAT("${formatNumber(value: 1, decimals: 2, grouping: true)}"), "EXPRESSION_ERROR", "more than 2"},
	{"template_chars", offsetof(struct sj_limits, template_chars), 5, FORMAT("12345"), FORMAT("123456"),
         "EXPRESSION_ERROR", "Template is longer than 5 characters"},
	{"template_parts", offsetof(struct sj_limits, template_parts), 3, FORMAT("${a}b${c}"), FORMAT("${a}b${c}d"),
         "EXPRESSION_ERROR", "Template has more than 3 parts"},
	{"expression_depth", offsetof(struct sj_limits, expression_depth), 2, FORMAT("${${a}}"), FORMAT("${${${a}}}"),
         "EXPRESSION_ERROR", "2"},
	{"computed_bytes", offsetof(struct sj_limits, computed_bytes), 5000,
         UPDATE("/a", "'" K1 K1 "'") FORMAT("${a}${a}"), FORMAT("${a}${a}${a}"), "LIMIT_EXCEEDED", "computed_bytes"},
	{"expression_steps", offsetof(struct sj_limits, expression_steps), 12, FORMAT("${a}${b}"),
         FORMAT("${a}${a}${a}${a}${a}${a}${a}${a}${a}${a}"), "LIMIT_EXCEEDED", "steps"},
	{"regex_pattern", offsetof(struct sj_limits, regex_pattern), 4, CHECK_REGEX("'a'", "'^a*$'"),
         CHECK_REGEX("'a'", "'^aa*$'"), "EXPRESSION_ERROR", "longer than 4 bytes"},
	{"regex_subject", offsetof(struct sj_limits, regex_subject), 4, CHECK_REGEX("'aaaa'", "'^a*$'"),
         CHECK_REGEX("'aaaaa'", "'^a*$'"), "EXPRESSION_ERROR", "4"},
	{"regex_steps", offsetof(struct sj_limits, regex_steps), 200, CHECK_REGEX("'aa'", "'^a*$'"),
         CHECK_REGEX("'aaaaaaaaaaaaaaaaaaaaaaaaaab'", "'^(a|a)*$'"), "EXPRESSION_ERROR", "steps"},
};

SJ_TEST(each_limit_stops_the_first_step_beyond_it)
{
	for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
		const struct row *r = &ROWS[i];
		struct sj_limits l = SJ_LIMITS_DEFAULT;
		memcpy((char *)&l + r->field, &r->limit, sizeof r->limit);
		sj_case("%s", r->name);
		open_small(&l);
		CHECK_OK(talk_say(&t, "%s", r->within));
		CHECK_INT(talk_faults(&t), 0);
		talk_forget(&t);
		CHECK_OK(talk_say(&t, "%s", r->beyond));
		CHECK_INT(talk_faults(&t), 1);
		const struct heard *h = talk_event(&t, SJ_EV_DIAG, 0);
		CHECK_STR(sj_slice_of(sj_code_name(h->diag.code)), r->code);
		if (!strstr(h->diag.message, r->message))
			CHECK_STR(sj_slice_of(h->diag.message), r->message);
		talk_close(&t);
		sj_case_end();
	}
}

SJ_TEST(a_host_that_fetches_nothing_loses_events_and_hears_of_it_once)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	l.outbound = 4;
	open_small(&l);
	for (int i = 0; i < 9; i++)
		CHECK_OK(sj_engine_feed(t.e, t.peer, "{}\n", 3));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 5);
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_DIAG, 4)->diag.message),
	          "More than 4 events were waiting; later ones were lost");
	talk_close(&t);
}

SJ_TEST(what_one_engine_holds_has_an_end)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	struct sj_mem mem;
	sj_mem_init(&mem, NULL, 0);
	struct sj_engine_config cfg = {.limits = &l};
	CHECK_OK(talk_open(&t, &mem, &cfg));
	l.memory_bytes = (uint32_t)sj_engine_memory(t.e) + 20000;
	talk_close(&t);
	CHECK_OK(talk_open(&t, &mem, &cfg));
	CHECK_OK(talk_create(&t, "v1.0", "s"));
	enum sj_status st = SJ_OK;
	for (int i = 0; st == SJ_OK && i < 2000; i++)
		st = talk_say(&t, UPDATE("/k%d", "'0123456789012345'"), i);
	CHECK_INT(st, SJ_NOMEM);
	CHECK(sj_engine_memory(t.e) <= l.memory_bytes);
	talk_close(&t);
	CHECK_INT(mem.used_bytes, 0);
}

/* An agent that fills its share is told so and refused; another one, and what was there, go on. */
SJ_TEST(what_one_agent_holds_has_an_end)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	struct sj_mem mem;
	sj_mem_init(&mem, NULL, 0);
	l.peer_bytes = 30000;
	struct sj_engine_config cfg = {.limits = &l};
	CHECK_OK(talk_open(&t, &mem, &cfg));
	uint32_t greedy = t.peer, modest;
	CHECK_OK(sj_engine_peer_open(t.e, SJ_LIT("modest"), &modest));
	CHECK_OK(talk_create(&t, "v1.0", "s"));
	int refused = 0;
	for (int i = 0; refused == 0 && i < 2000; i++) {
		CHECK_OK(talk_say(&t, UPDATE("/k%d", "'0123456789012345'"), i));
		refused = talk_heard(&t, SJ_EV_DIAG) ? i : 0;
	}
	CHECK(refused > 50);
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 1);
	const struct sj_diag *d = &talk_event(&t, SJ_EV_DIAG, 0)->diag;
	CHECK_INT(d->code, SJ_E_LIMIT);
	CHECK_STR(sj_slice_of(d->message), "This agent's surfaces would hold more than they may (peer_bytes)");
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 1); /* the agent hears of it, once */
	struct sj_view *v = talk_view(&t, "s");
	const struct sj_value *model = sj_surface_get(sj_view_surface(v), SJ_ROOT_DATA, NULL, 0);
	CHECK_INT(sj_value_count(model), refused);
	talk_forget(&t);
	t.peer = modest;
	CHECK_OK(talk_create(&t, "v1.0", "s"));
	for (int i = 0; i < 50; i++)
		CHECK_OK(talk_say(&t, UPDATE("/k%d", "'0123456789012345'"), i));
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 0);
	/* What it gives back it may use again. */
	t.peer = greedy;
	CHECK_OK(talk_say(&t, "{'version':'v1.0','deleteSurface':{'surfaceId':'s'}}"));
	CHECK_OK(talk_create(&t, "v1.0", "s"));
	CHECK_OK(talk_say(&t, UPDATE("/k", "'0123456789012345'")));
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 0);
	talk_close(&t);
	CHECK_INT(mem.used_bytes, 0);
}

/* Where too many ways lead to a place that is written, everything is looked at instead: dearer, with the same result.
 */
/* One long text in a template of many rows stays within the surface's share; another surface, and the same one once the
 * text is short, go on as if nothing had been. */
SJ_TEST(large_computed_values_spoil_nobody_else)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	l.computed_bytes = 100000;
	open_small(&l);
	CHECK_OK(talk_say(
		&t, "%s",
		UPDATE("/a", "'" K1 K1 K1 "'") UPDATE("/r", "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]")
		COMPONENTS(
			"{'id':'root','component':'List','children':{'componentId':'a','path':'/r'}},"
			"{'id':'a','component':'Text','text':{'call':'formatString','args':{'value':'${/a}${/a}'}}}")));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_faults(&t), 1); /* sixteen rows fit, the rest says it once */
	CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->diag.code, SJ_E_LIMIT);
	talk_forget(&t);
	CHECK_OK(talk_say(&t, "%s", UPDATE("/a", "'x'")));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_faults(&t), 0);
	CHECK(strstr(talk_tree(&t, "s"), "\"text\":\"xx\"") != NULL);
	talk_close(&t);
}

SJ_TEST(watch_patterns_cost_no_truth)
{
	static const char components[] =
		"{'id':'root','component':'Column','children':['l','x','y','z']},"
		"{'id':'l','component':'List','children':{'componentId':'r','path':'/a'}},"
		"{'id':'r','component':'List','children':{'componentId':'q','path':'b'}},"
		"{'id':'q','component':'Text','text':{'path':'c'}},"
		"{'id':'x','component':'Text','text':{'path':'/a/0/b/0/c'}},"
		"{'id':'y','component':'Text','text':{'call':'formatString','args':{'value':'${/a/0/b} ${/a/1/b/0/c}'}}},"
		"{'id':'z','component':'List','children':{'componentId':'q','path':'/a/0/b'}}";
	char *want = NULL;
	for (uint32_t patterns = 64; patterns > 0; patterns = patterns == 64 ? 2 : patterns - 1) {
		struct sj_limits l = SJ_LIMITS_DEFAULT;
		l.watch_patterns = patterns;
		open_small(&l);
		CHECK_OK(talk_say(&t, COMPONENTS("%s"), components));
		CHECK_OK(talk_say(&t, UPDATE("/a", "[{'b':[{'c':1},{'c':2}]},{'b':[{'c':3}]}]")));
		(void)talk_whole(&t, "s");
		CHECK_OK(talk_say(&t, UPDATE("/a/0/b/0/c", "'new'")));
		CHECK_OK(talk_say(&t, UPDATE("/a/1/b/0/c", "'newer'")));
		CHECK_OK(talk_say(&t, UPDATE("/a/0/b/2", "{'c':'more'}")));
		CHECK_INT(talk_faults(&t), 0);
		const char *got = talk_whole(&t, "s");
		if (!want)
			want = sj_mem_strndup(sj_test_mem(), sj_slice_of(got));
		CHECK_STR(sj_slice_of(got), want);
		CHECK_STR(sj_slice_of(talk_at(&t, got, "/tree/children/1/text")), "\"new\"");
		CHECK_STR(sj_slice_of(talk_at(&t, got, "/tree/children/0/children/1/children/0/text")), "\"newer\"");
		CHECK_STR(sj_slice_of(talk_at(&t, got, "/tree/children/3/children/2/text")), "\"more\"");
		talk_close(&t);
	}
	sj_mem_free(sj_test_mem(), want, strlen(want) + 1);
}

/* No limit without a test: fields that have no row above are named here with the program that reaches them. */
SJ_TEST(every_limit_is_reached_somewhere)
{
	static const char *const elsewhere[][2] = {
		{"outbound", "here"},
		{"peer_bytes", "here"},
		{"memory_bytes", "here"},
		{"pending_calls", "a2ui_rpc: what_cannot_call_the_agent"},
		{"call_rest_ms", "a2ui_rpc: the_agent_answers_a_check"},
		{"call_timeout_ms", "a2ui_rpc: calls_to_the_agent"},
		{"drawing_bytes", "face_path"},
		{"drawing_segments", "face_path"},
		{"image_bytes", "face_images"},
		{"image_pixels", "face_images"},
		{"image_ms", "face_images"},
		{"images_bytes", "face_images"},
		{"schema_steps", "schema"},
		{"schema_depth", "schema"},
		{"settle_rounds", "surface_input"},
		{"watch_patterns", "here"},
	};
#define SJ_LIMIT_NAME(name, ours, upstream, unit, why) #name,
	static const char *const fields[] = {SJ_LIMITS(SJ_LIMIT_NAME)};
#undef SJ_LIMIT_NAME
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		bool found = false;
		for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++)
			found = found || strcmp(ROWS[k].name, fields[i]) == 0;
		for (size_t k = 0; k < sizeof elsewhere / sizeof *elsewhere; k++)
			found = found || strcmp(elsewhere[k][0], fields[i]) == 0;
		if (!found)
			sj_fail_at(__FILE__, __LINE__, "no test reaches %s", fields[i]);
	}
}
