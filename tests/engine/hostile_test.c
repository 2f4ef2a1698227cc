/* What an agent may try against the engine as a whole: many cheap messages that cause dear answers, checks that take
 * all the time there is, peers without end. */
#include "engine/talk.h"

#include <stdio.h>

#include "text/regex.h"

static struct talk t; /* too big for a stack */

#define BAD(surface) "{'version':'v0.9','updateComponents':{'surfaceId':'" surface "','components':[{}]}}"

static const char *long_text(size_t n)
{
	char *text = sj_arena_alloc(&t.kept, n + 1);
	memset(text, 'x', n);
	text[n] = '\0';
	return text;
}

SJ_TEST(many_refusals_hold_one_copy_of_the_model)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_say(&t, "{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':'" BASIC09
	                      "','sendDataModel':true}}"));
	struct sj_buf write;
	sj_buf_init(&write, sj_test_mem(), 0);
	sj_buf_puts(&write, "{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/big\",\"value\":\"");
	sj_buf_puts(&write, long_text(1000000));
	sj_buf_puts(&write, "\"}}");
	CHECK_OK(sj_engine_feed(t.e, t.peer, write.ptr, write.len));
	CHECK_OK(talk_take(&t));
	talk_forget(&t);
	size_t before = sj_engine_memory(t.e);
	const char *bad = talk_quote(&t, BAD("s"));
	for (int i = 0; i < 300; i++)
		CHECK_OK(sj_engine_feed(t.e, t.peer, bad, strlen(bad)));
	CHECK(sj_engine_memory(t.e) - before < 2000000);
	uint32_t sent = 0;
	size_t most = 0;
	struct sj_event ev;
	while (sj_engine_next(t.e, &ev) == SJ_OK) {
		if (ev.kind != SJ_EV_SEND)
			continue;
		sent++;
		CHECK_INT(ev.metadata.len, 1000000 + strlen("{\"version\":\"v0.9\",\"surfaces\":{\"s\":{\"big\":\"\"}}}"));
		most = sj_engine_memory(t.e) > most ? sj_engine_memory(t.e) : most;
	}
	CHECK_INT(sent, 300);
	CHECK(most - before < 4000000);
	CHECK_OK(sj_engine_feed(t.e, t.peer, "\n", 1));
	CHECK_OK(talk_take(&t));
	CHECK(sj_engine_memory(t.e) < before + 500000);
	sj_buf_finish(&write);
	talk_close(&t);
}

/* An answer shows the model as it is when the message leaves, an action as it was when the person acted. */
SJ_TEST(models_are_those_of_the_deed)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_say(&t, "{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':'" BASIC09
	                      "','sendDataModel':true}}"));
	CHECK_OK(talk_components(&t, "v0.9", "s",
	                         "{'id':'root','component':'Button','child':'l','action':{'event':{'name':'go'}}},"
	                         "{'id':'l','component':'Text','text':'Go'}"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/n", "1"));
	talk_forget(&t);
	struct sj_diag d = {0};
	CHECK_OK(sj_engine_press(t.e, talk_view(&t, "s"), talk_node(&t, "s", "root"), &d));
	const char *more = talk_quote(&t, BAD("s") "{'version':'v0.9','updateDataModel':{'surfaceId':'s','path':'/n',"
	                                           "'value':2}}");
	CHECK_OK(sj_engine_feed(t.e, t.peer, more, strlen(more)));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 2);
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_SEND, 0)->metadata),
	          talk_quote(&t, "{'version':'v0.9','surfaces':{'s':{'n':1}}}"));
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_SEND, 1)->metadata),
	          talk_quote(&t, "{'version':'v0.9','surfaces':{'s':{'n':2}}}"));
	talk_close(&t);
}

SJ_TEST(a_closed_peer_leaves_its_number_only)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	size_t before = sj_engine_memory(t.e);
	uint32_t first = t.peer, peer = 0;
	for (uint32_t i = 1; i <= 1000; i++) {
		CHECK_OK(sj_engine_peer_open(t.e, SJ_LIT("somebody"), &peer));
		CHECK_INT(peer, first + i);
		CHECK_OK(sj_engine_feed(t.e, peer, "{\"version\":", 11));
		sj_engine_peer_close(t.e, peer);
		CHECK_INT(sj_engine_feed(t.e, peer, "1", 1), SJ_INVALID);
	}
	CHECK(sj_engine_memory(t.e) - before < 1000 * 128);
	talk_close(&t);
}

SJ_TEST(faults_of_a_batch_are_counted_from_its_beginning)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_say(&t, "\n[\n{},\n\n{'version':'v0.9','deleteSurface':{'surfaceId':'s',\n'x':1}},\n{'a':\n1}]\n{}"));
	static const struct {
		uint32_t line, offset;
		const char *pointer;
	} want[] = {{3, 3, "/version"}, {6, 64, "/deleteSurface/x"}, {7, 69, "/version"}, {9, 79, "/version"}};
	for (uint32_t i = 0; i < 4; i++) {
		const struct sj_diag *d = &talk_event(&t, SJ_EV_DIAG, i)->diag;
		CHECK_INT(d->line, want[i].line);
		CHECK_INT(d->offset, want[i].offset);
		CHECK_STR(sj_slice_of(d->pointer), want[i].pointer);
	}
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 4);
	talk_close(&t);
}

/* An answer belongs to the function that was asked, not to the place where it stood. */
SJ_TEST(another_function_at_the_same_place_is_asked)
{
	static const struct sj_host_prop any[] = {{0}};
	static const struct sj_host_function functions[] = {
		{.name = "first", .kind = SJ_FN_DEFERRED, .return_type = "any", .args = any},
		{.name = "second", .kind = SJ_FN_DEFERRED, .return_type = "any", .args = any},
		{0}};
	static const struct sj_host_catalog host = {.catalog_id = "https://example.com/two",
	                                            .version = SJ_V10,
	                                            .functions = functions,
	                                            .include_basic = true};
	struct sj_diag d = {0};
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(sj_engine_add_host_catalog(t.e, &host, &d));
	CHECK_OK(talk_say(&t, "{'version':'v1.0','createSurface':{'surfaceId':'s','catalogId':'https://example.com/two'}}"));
	static const char *const names[] = {"first", "first", "second", "first"};
	for (uint32_t i = 0, asked = 0; i < 4; i++) {
		char component[200], answer[20];
		snprintf(component, sizeof component, "{'id':'root','component':'Text','text':{'call':'%s'}}",
		         names[i]);
		talk_forget(&t);
		CHECK_OK(talk_components(&t, "v1.0", "s", component));
		bool again = i > 0 && strcmp(names[i], names[i - 1]) == 0;
		CHECK_INT(talk_heard(&t, SJ_EV_CALL_WANTED), again ? 0 : 1);
		if (!again) {
			CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_CALL_WANTED, 0)->name), names[i]);
			CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_CALL_WANTED, 0)->json), "{}");
			snprintf(answer, sizeof answer, "\"%s %u\"", names[i], ++asked);
			CHECK_OK(sj_engine_answer(t.e, talk_event(&t, SJ_EV_CALL_WANTED, 0)->call_id,
			                          sj_slice_of(answer), SJ_NO_SLICE, SJ_NO_SLICE));
			CHECK_OK(talk_take(&t));
		}
		CHECK_STR(sj_slice_of(talk_prop(&t, "s", talk_node(&t, "s", "root"), "text")),
		          i < 2 ? "\"first 1\"" : i == 2 ? "\"second 2\"" : "\"first 3\"");
	}
	talk_close(&t);
}

/* 400 checks that each go to the limit of one search: the first of them do, the rest are not tried, and neither another
 * surface nor the next deed pays for it. */
SJ_TEST(patterns_of_one_surface_share_a_turn)
{
	if (!sj_regex_available()) {
		sj_skip("built without regular expressions");
		return;
	}
	struct sj_limits limits = SJ_LIMITS_DEFAULT;
	limits.regex_steps = 1000;
	struct sj_engine_config cfg = {.size = sizeof cfg, .limits = &limits};
	CHECK_OK(talk_open(&t, sj_test_mem(), &cfg));
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_buf_puts(&b, "{'id':'root','component':'Column','children':{'path':'/rows','componentId':'f'}},"
	                "{'id':'f','component':'TextField','label':'l','value':{'path':'v'},'checks':[{'message':'m',"
	                "'condition':{'call':'regex','args':{'value':{'path':'v'},'pattern':'^(a+)+$'}}}]}");
	CHECK_OK(talk_create(&t, "v0.9", "bad"));
	CHECK_OK(talk_create(&t, "v0.9", "good"));
	CHECK_OK(talk_components(&t, "v0.9", "bad", b.ptr));
	CHECK_OK(talk_components(&t, "v0.9", "good", b.ptr));
	sj_buf_clear(&b);
	sj_buf_putc(&b, '[');
	for (int i = 0; i < 400; i++)
		sj_buf_printf(&b, "%s{'v':'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'}", i ? "," : "");
	sj_buf_putc(&b, ']');
	talk_forget(&t);
	CHECK_OK(talk_data(&t, "v0.9", "bad", "/rows", b.ptr));
	uint32_t tried = 0, untried = 0;
	for (uint32_t i = 0; i < talk_heard(&t, SJ_EV_DIAG); i++) {
		const char *message = talk_event(&t, SJ_EV_DIAG, i)->diag.message;
		tried += strstr(message, "gave no answer") != NULL;
		untried += strstr(message, "was not tried") != NULL;
	}
	CHECK_INT(tried + untried, 400);
	/* Searches of 47 bytes take 1,000 + 16 * 47 steps each, and some for memory; all together 200 * 1,000. */
	CHECK(tried > 200 * 1000 / 2000 && tried <= 1 + 200 * 1000 / 1752);
	talk_forget(&t);
	CHECK_OK(talk_data(&t, "v0.9", "good", "/rows", "[{'v':'aaa'}]"));
	CHECK_INT(talk_faults(&t), 0);
	CHECK_OK(talk_type(&t, "bad", talk_row(&t, "bad", "f", 399), "\"aa\"", NULL));
	CHECK_INT(talk_faults(&t), 0);
	struct sj_validity val;
	sj_node_validity(talk_surface(&t, "bad"), talk_row(&t, "bad", "f", 399), &val);
	CHECK(val.valid);
	sj_buf_finish(&b);
	talk_close(&t);
}

/* Each tab's child is found beside its title, however many there are. */
SJ_TEST(children_inside_objects_stand_in_their_places)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	CHECK_OK(talk_components(&t, "v0.9", "s",
	                         "{'id':'root','component':'Tabs','tabs':[{'title':'A','child':'x'},{'title':'B','child':'y'},"
	                         "{'title':'C','child':'x'}]},{'id':'x','component':'Text','text':'1'},"
	                         "{'id':'y','component':'Text','text':'2'}"));
	CHECK_STR(sj_slice_of(talk_tree(&t, "s")),
	          talk_quote(&t, "{'id':'root','tabs':[{'child':{'id':'x','text':'1','type':'Text'},'title':'A'},"
	                         "{'child':{'id':'y','text':'2','type':'Text'},'title':'B'},"
	                         "{'child':{'id':'x','text':'1','type':'Text'},'title':'C'}],'type':'Tabs'}"));
	talk_close(&t);
}

/* What is typed into an obscured field does not travel with each key, whatever a binding makes of it. */
SJ_TEST(a_secret_is_masked_in_calls_of_properties)
{
	static const char catalog[] =
		"{'catalogId':'c','protocolVersion':'1.0','components':{},'functions':{'ask':{'type':'object',"
		"'returnType':'any','allowedCallers':'agentOnly','properties':{'call':{'const':'ask'},'args':{"
		"'type':'object','properties':{'q':{}}}},'required':['call']}}}";
	struct sj_diag d = {0};
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(sj_engine_add_catalog(t.e, sj_slice_of(talk_quote(&t, catalog)), SJ_NO_SLICE, SJ_V10, &d));
	CHECK_OK(talk_create(&t, "v1.0", "s"));
#define ASKS(of) \
	",'checks':[{'message':'m','condition':{'call':'and','args':{'values':[{'call':'ask','catalogId':'c'," \
	"'args':{'q':" of "}},{'call':'required','args':{'value':{'path':'/pw'}}}]}}}]"
	CHECK_OK(talk_components(
		&t, "v1.0", "s",
		"{'id':'root','component':'Column','children':['p','a','b','o']},"
		"{'id':'p','component':'TextField','label':'P','variant':'obscured','value':{'path':'/pw'}},"
		"{'id':'a','component':'TextField','label':'A','value':{'path':'/a'}" ASKS("{'path':'/pw'}") "},"
		"{'id':'b','component':'TextField','label':'B','value':{'path':'/b'}"
		ASKS("{'call':'length','args':{'value':{'path':'/pw'},'min':3}}") "},"
		"{'id':'o','component':'TextField','label':'O','value':{'path':'/o'}" ASKS("{'path':'/o'}") "}"));
	talk_forget(&t);
	CHECK_OK(talk_type(&t, "s", talk_node(&t, "s", "p"), "\"hunter2\"", NULL));
	CHECK_OK(talk_type(&t, "s", talk_node(&t, "s", "o"), "\"open\"", NULL));
	CHECK_OK(sj_engine_advance(t.e, SJ_LIMITS_DEFAULT.call_rest_ms)); /* they replace calls still unanswered */
	CHECK_OK(talk_take(&t));
	uint32_t masked = 0, open = 0;
	for (uint32_t i = 0; i < talk_heard(&t, SJ_EV_SEND); i++) {
		const char *json = talk_event(&t, SJ_EV_SEND, i)->json;
		CHECK(strstr(json, "hunter2") == NULL && strstr(json, "true") == NULL);
		masked += strstr(json, "\"args\":{\"q\":\"•••\"}") != NULL;
		open += strstr(json, "\"args\":{\"q\":\"open\"}") != NULL;
	}
	CHECK_INT(masked, 2);
	CHECK_INT(open, 1);
	/* Another key tells nothing new, so nothing is asked. */
	talk_forget(&t);
	CHECK_OK(talk_type(&t, "s", talk_node(&t, "s", "p"), "\"hunter22\"", NULL));
	CHECK_OK(sj_engine_advance(t.e, 2 * SJ_LIMITS_DEFAULT.call_rest_ms));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 0);
	talk_close(&t);
}

/* A formatted PIN is a PIN. What reads another place is shown. */
SJ_TEST(what_is_made_of_a_secret_is_masked_in_the_tree)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	CHECK_OK(talk_components(
		&t, "v0.9", "s",
		"{'id':'root','component':'Column','children':['p','n','o']},"
		"{'id':'p','component':'TextField','label':'P','variant':'obscured','value':{'path':'/pin'}},"
		"{'id':'n','component':'Text','text':{'call':'formatNumber','args':{'value':{'path':'/pin'}}}},"
		"{'id':'o','component':'Text','text':{'call':'formatNumber','args':{'value':{'path':'/open'}}}}"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/open", "5678"));
	CHECK_OK(talk_type(&t, "s", talk_node(&t, "s", "p"), "\"1234\"", NULL));
	CHECK_STR(sj_slice_of(talk_tree(&t, "s")),
	          talk_quote(&t, "{'children':[{'id':'p','label':'P','type':'TextField','value':'•••','variant':'obscured'},"
	                         "{'id':'n','text':'•••','type':'Text'},{'id':'o','text':'5,678','type':'Text'}],"
	                         "'id':'root','type':'Column'}"));
	CHECK_STR(sj_slice_of(talk_prop(&t, "s", talk_node(&t, "s", "n"), "text")), "\"1,234\""); /* for the person */
	talk_close(&t);
}

/* Keys of the report outlive the node that gave them: many rows, each with its own, and one component that stands
 * twice. */
SJ_TEST(every_row_has_its_own_result)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	CHECK_OK(talk_components(
		&t, "v0.9", "s",
		"{'id':'root','component':'Column','children':['one','list','one']},"
		"{'id':'list','component':'List','children':{'path':'/rows','componentId':'f'}},"
		"{'id':'one','component':'TextField','label':'1','checks':[{'condition':true,'message':'m'}]},"
		"{'id':'f','component':'TextField','label':'l','checks':[{'condition':true,'message':'m'}]}"));
	struct sj_buf rows, want;
	sj_buf_init(&rows, sj_test_mem(), 0);
	sj_buf_init(&want, sj_test_mem(), 0);
	sj_buf_puts(&want, "{\"one\":{\"valid\":true}");
	for (int i = 0; i < 100; i++) {
		sj_buf_printf(&rows, "%s%d", i ? "," : "[", i);
		sj_buf_printf(&want, ",\"f/rows/%d\":{\"valid\":true}", i);
	}
	sj_buf_putc(&rows, ']');
	sj_buf_putc(&want, '}');
	CHECK_OK(talk_data(&t, "v0.9", "s", "/rows", rows.ptr));
	CHECK_STR(sj_slice_of(talk_valid(&t, "s")), want.ptr);
	sj_buf_finish(&rows);
	sj_buf_finish(&want);
	talk_close(&t);
}
