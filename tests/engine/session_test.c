/* A session as a person has one: typing with agents writing in between, several agents that share an engine, changes of
 * language and place, and the events that tell of all of it. */
#include <stdio.h>

#include "engine/talk.h"

static struct talk t;

static void open_form(const char *variant)
{
	char text[900];
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	snprintf(text, sizeof text,
	         "{'id':'root','component':'Column','children':['f','echo','twice','len']},"
	         "{'id':'f','component':'TextField','label':'L','value':{'path':'/v'},'variant':'%s'},"
	         "{'id':'echo','component':'Text','text':{'path':'/v'}},"
	         "{'id':'twice','component':'Text','text':{'call':'formatString','args':{'value':'<${/v}>'},"
	         "'returnType':'string'}},"
	         "{'id':'len','component':'Text','text':{'path':'/other'}}",
	         variant);
	CHECK_OK(talk_components(&t, "v0.9", "s", text));
	CHECK_INT(talk_faults(&t), 0);
	talk_forget(&t);
}

static const char *text_of(const char *component)
{
	return talk_prop(&t, "s", talk_node(&t, "s", component), "text");
}

/* ---- typing ------------------------------------------------------------------------------------------------------ */

SJ_TEST(keystrokes_write_at_once_and_send_nothing)
{
	open_form("shortText");
	sj_node_id f = talk_node(&t, "s", "f");
	CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_BEGIN, NULL, NULL));
	CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_UPDATE, "'h'", NULL));
	CHECK_STR(sj_slice_of(text_of("echo")), "\"h\"");
	CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_UPDATE, "'hé'", NULL));
	CHECK_STR(sj_slice_of(text_of("twice")), "\"<hé>\"");
	CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_COMMIT, "'héj'", NULL));
	CHECK_STR(sj_slice_of(talk_model(&t, "s")), "{\"v\":\"héj\"}");
	CHECK_STR(sj_slice_of(talk_log(&t)), "CHANGED s\nCHANGED s\nCHANGED s\n");
	talk_close(&t);
}

SJ_TEST(cancel_restores_what_was_there)
{
	static const struct {
		const char *name, *before, *after;
	} cases[] = {{"text", "{'v':'old'}", "{\"v\":\"old\"}"},
	             {"nothing", "{}", "{}"},
	             {"null", "{'v':null}", "{\"v\":null}"}};
	for (size_t i = 0; i < 3; i++) {
		sj_case("%s", cases[i].name);
		open_form("shortText");
		CHECK_OK(talk_data(&t, "v0.9", "s", "/", cases[i].before));
		sj_node_id f = talk_node(&t, "s", "f");
		CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_BEGIN, NULL, NULL));
		CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_UPDATE, "'a'", NULL));
		CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_UPDATE, "'ab'", NULL));
		CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_CANCEL, NULL, NULL));
		CHECK_STR(sj_slice_of(talk_model(&t, "s")), cases[i].after);
		talk_close(&t);
		sj_case_end();
	}
}

/* The agent writes to the place that is being typed into: its write is in the model, the person's next keystroke
 * wins. */
SJ_TEST(an_agents_write_does_not_tear_the_text)
{
	open_form("shortText");
	sj_node_id f = talk_node(&t, "s", "f");
	CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_BEGIN, NULL, NULL));
	CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_UPDATE, "'mine'", NULL));
	const char *write = talk_quote(&t, "{'version':'v0.9','updateDataModel':{'surfaceId':'s','path':'/v','value':'theirs'}}");
	CHECK_OK(sj_engine_feed(t.e, t.peer, write, strlen(write)));
	const struct sj_change *list;
	uint32_t n, held = 0, told = 0;
	CHECK_OK(sj_surface_changes(talk_surface(&t, "s"), &list, &n));
	for (uint32_t i = 0; i < n; i++) {
		held += list[i].node == f && list[i].held;
		told += list[i].node == talk_node(&t, "s", "echo") && list[i].kind == SJ_CH_SET && !list[i].held;
	}
	CHECK_INT(held, 1);
	CHECK_INT(told, 1);
	CHECK_OK(talk_take(&t));
	CHECK_STR(sj_slice_of(talk_model(&t, "s")), "{\"v\":\"theirs\"}");
	CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_UPDATE, "'mine!'", NULL));
	CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_COMMIT, "'mine!'", NULL));
	CHECK_STR(sj_slice_of(talk_model(&t, "s")), "{\"v\":\"mine!\"}");
	talk_close(&t);
}

SJ_TEST(what_cannot_be_typed_into)
{
	struct sj_diag d;
	open_form("shortText");
	sj_node_id f = talk_node(&t, "s", "f");
	CHECK_INT(talk_type(&t, "s", talk_node(&t, "s", "echo"), "'x'", &d), SJ_INVALID);
	CHECK_INT(d.code, SJ_E_STATE);
	CHECK_INT(talk_type(&t, "s", 0, "'x'", &d), SJ_INVALID);
	CHECK_INT(d.code, SJ_E_STATE);
	/* the field goes while it is edited */
	CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_BEGIN, NULL, NULL));
	CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_UPDATE, "'x'", NULL));
	CHECK_OK(talk_components(&t, "v0.9", "s", "{'id':'root','children':['echo']}"));
	CHECK_INT(talk_edit(&t, "s", f, SJ_EDIT_UPDATE, "'y'", &d), SJ_INVALID);
	CHECK_INT(d.code, SJ_E_STATE);
	CHECK_STR(sj_slice_of(talk_model(&t, "s")), "{\"v\":\"x\"}");
	talk_close(&t);
}

/* A place that is bound through a scalar cannot be written; the person's text is refused with the model's words. */
SJ_TEST(typing_where_the_model_refuses)
{
	struct sj_diag d;
	open_form("shortText");
	CHECK_OK(talk_components(&t, "v0.9", "s", "{'id':'f','value':{'path':'/n/x'}}"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/n", "1"));
	CHECK_INT(talk_type(&t, "s", talk_node(&t, "s", "f"), "'x'", &d), SJ_INVALID);
	CHECK_INT(d.category, SJ_CAT_DATA);
	CHECK(strstr(d.message, "Cannot set path") != NULL);
	CHECK_STR(sj_slice_of(talk_model(&t, "s")), "{\"n\":1}");
	talk_close(&t);
}

/* Unbound, and bound to a call: what is typed stays on this side. */
SJ_TEST(an_unbound_field_keeps_its_text_to_itself)
{
	open_form("shortText");
	CHECK_OK(talk_components(&t, "v0.9", "s", "{'id':'f','component':'TextField','label':'L','value':'literal'}"));
	sj_node_id f = talk_node(&t, "s", "f");
	CHECK_OK(talk_type(&t, "s", f, "'typed'", NULL));
	const struct sj_value *shown = sj_node_ui(talk_surface(&t, "s"), f, SJ_P_VALUE);
	CHECK(shown && sj_slice_is(sj_value_text(shown), "typed"));
	CHECK_STR(sj_slice_of(talk_model(&t, "s")), "{}");
	CHECK(strstr(talk_whole(&t, "s"), "typed") == NULL);
	talk_close(&t);
}

SJ_TEST(a_quantity_in_a_row)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	CHECK_OK(talk_components(&t, "v0.9", "s",
	                         "{'id':'root','component':'List','children':{'componentId':'q','path':'/rows'}},"
	                         "{'id':'q','component':'Slider','max':9,'value':{'path':'n'}}"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/rows", "[{'n':1},{'n':2}]"));
	sj_node_id second = talk_row(&t, "s", "q", 1);
	CHECK_OK(talk_type(&t, "s", second, "7", NULL));
	CHECK_STR(sj_slice_of(talk_model(&t, "s")), talk_quote(&t, "{'rows':[{'n':1},{'n':7}]}"));
	/* a row in front: rows keep their places, so the handle means the second row still */
	CHECK_OK(talk_data(&t, "v0.9", "s", "/rows", "[{'n':0},{'n':1},{'n':7}]"));
	CHECK_STR(sj_slice_of(talk_prop(&t, "s", second, "value")), "1");
	CHECK_OK(talk_data(&t, "v0.9", "s", "/rows", "[{'n':0}]"));
	struct sj_diag d;
	CHECK_INT(talk_type(&t, "s", second, "3", &d), SJ_INVALID);
	CHECK_INT(d.code, SJ_E_STATE);
	talk_close(&t);
}

/* ---- secrets ----------------------------------------------------------------------------------------------------- */

SJ_TEST(what_is_typed_obscured_is_shown_to_nobody)
{
	open_form("obscured");
	sj_node_id f = talk_node(&t, "s", "f");
	CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_BEGIN, NULL, NULL));
	CHECK_OK(talk_edit(&t, "s", f, SJ_EDIT_UPDATE, "'hunter2\\\\\\u0022'", NULL));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/other", "'plain'"));
	const char *whole = talk_whole(&t, "s");
	CHECK(strstr(whole, "hunter2") == NULL);
	CHECK_STR(sj_slice_of(talk_at(&t, whole, "/dataModel")), "{\"other\":\"plain\",\"v\":\"•••\"}");
	CHECK_STR(sj_slice_of(talk_at(&t, whole, "/tree/children/0/value")), "\"•••\"");
	CHECK_STR(sj_slice_of(talk_at(&t, whole, "/tree/children/1/text")), "\"•••\""); /* bound elsewhere */
	CHECK_STR(sj_slice_of(talk_at(&t, whole, "/tree/children/2/text")), "\"•••\""); /* part of other text */
	CHECK_STR(sj_slice_of(talk_at(&t, whole, "/tree/children/3/text")), "\"plain\"");
	/* where it is drawn it is what was typed: the face draws dots */
	CHECK_STR(sj_slice_of(talk_prop(&t, "s", f, "value")), "\"hunter2\\\\\\\"\"");
	talk_close(&t);
}

/* ---- environment ------------------------------------------------------------------------------------------------- */

SJ_TEST(a_change_of_language_or_zone_is_read_again)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	CHECK_OK(talk_components(&t, "v0.9", "s",
	                         "{'id':'root','component':'Column','children':['d','n','p']},"
	                         "{'id':'d','component':'Text','text':{'call':'formatDate','args':{'value':{'path':'/at'},"
	                         "'format':'yyyy-MM-dd HH:mm'},'returnType':'string'}},"
	                         "{'id':'n','component':'Text','text':{'call':'formatNumber','args':{'value':{'path':'/n'},"
	                         "'decimals':1},'returnType':'string'}},"
	                         "{'id':'p','component':'Text','text':{'path':'/n'}}"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/", "{'at':'2026-01-31T23:30:00Z','n':1234.5}"));
	CHECK_STR(sj_slice_of(text_of("d")), "\"2026-01-31 23:30\"");
	CHECK_STR(sj_slice_of(text_of("n")), "\"1,234.5\"");
	talk_forget(&t);
	CHECK_OK(sj_engine_set_env(t.e, NULL, SJ_LIT("timeZone"), SJ_LIT("+09:00")));
	const struct sj_change *list;
	uint32_t n;
	CHECK_OK(sj_surface_changes(talk_surface(&t, "s"), &list, &n));
	CHECK_INT(n, 1); /* what reads no zone is not touched */
	CHECK(n && list[0].node == talk_node(&t, "s", "d") && list[0].kind == SJ_CH_SET);
	CHECK_STR(sj_slice_of(text_of("d")), "\"2026-02-01 08:30\"");
	CHECK_OK(talk_take(&t));
	/* the same again changes nothing */
	talk_forget(&t);
	CHECK_OK(sj_engine_set_env(t.e, talk_view(&t, "s"), SJ_LIT("timeZone"), SJ_LIT("+09:00")));
	CHECK_OK(talk_take(&t));
	CHECK_STR(sj_slice_of(talk_log(&t)), "");
	CHECK(strstr(talk_whole(&t, "s"), "timeZone") == NULL); /* the environment is no data */
	talk_close(&t);
}

/* ---- several agents ---------------------------------------------------------------------------------------------- */

SJ_TEST(two_agents_with_one_surface_id)
{
	uint32_t first, second;
	struct sj_diag d;
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	first = t.peer;
	CHECK_OK(sj_engine_peer_open(t.e, SJ_LIT("other"), &second));
	static const char one[] = "{'id':'root','component':'Button','child':'t','action':{'event':{'name':'go'}}},"
				  "{'id':'t','component':'Text','text':{'path':'/who'}}";
	for (int i = 0; i < 2; i++) {
		t.peer = i ? second : first;
		CHECK_OK(talk_create(&t, "v0.9", "s"));
		CHECK_OK(talk_components(&t, "v0.9", "s", one));
		CHECK_OK(talk_data(&t, "v0.9", "s", "/who", i ? "'second'" : "'first'"));
	}
	CHECK_INT(talk_faults(&t), 0);
	CHECK_INT(sj_engine_view_count(t.e), 2);
	CHECK(sj_engine_view(t.e, first, SJ_LIT("s")) != sj_engine_view(t.e, second, SJ_LIT("s")));
	CHECK(sj_engine_view(t.e, UINT32_MAX, SJ_LIT("s")) == sj_engine_view_at(t.e, 0)); /* any: the first made */
	CHECK_INT(sj_view_peer(sj_engine_view_at(t.e, 1)), second);
	talk_forget(&t);
	/* each press goes to its own agent */
	t.peer = second;
	CHECK_OK(talk_press(&t, "s", talk_node(&t, "s", "root"), NULL));
	CHECK_INT(talk_event(&t, SJ_EV_SEND, 0)->peer, second);
	t.peer = first;
	CHECK_OK(talk_press(&t, "s", talk_node(&t, "s", "root"), NULL));
	CHECK_INT(talk_event(&t, SJ_EV_SEND, 1)->peer, first);
	/* nor can one write to, or delete, the other's */
	CHECK_OK(talk_create(&t, "v0.9", "mine"));
	talk_forget(&t);
	t.peer = second;
	CHECK_INT(talk_message(&t, &d, "{'version':'v0.9','updateDataModel':{'surfaceId':'mine','path':'/x','value':1}}"),
	          SJ_INVALID);
	CHECK_STR(sj_slice_of(d.message), "Surface not found for message: mine");
	CHECK_INT(talk_event(&t, SJ_EV_SEND, 0)->peer, second);
	CHECK_OK(talk_say(&t, "{'version':'v0.9','deleteSurface':{'surfaceId':'mine'}}"));
	CHECK_OK(talk_say(&t, "{'version':'v0.9','deleteSurface':{'surfaceId':'s'}}"));
	t.peer = first;
	CHECK(talk_view(&t, "mine") != NULL);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s"), "/child/text")), "\"first\"");
	/* a peer goes with its surfaces, and cannot be fed any more */
	t.peer = second;
	CHECK_OK(talk_create(&t, "v0.9", "a"));
	CHECK_OK(talk_create(&t, "v0.9", "b"));
	talk_forget(&t);
	sj_engine_peer_close(t.e, second);
	CHECK_OK(talk_take(&t));
	CHECK_STR(sj_slice_of(talk_log(&t)), "GONE a\nGONE b\n");
	CHECK_INT(sj_engine_view_count(t.e), 2);
	CHECK_INT(sj_engine_feed(t.e, second, "{}", 2), SJ_INVALID);
	CHECK_INT(sj_engine_feed_end(t.e, second), SJ_INVALID);
	CHECK_INT(talk_message(&t, &d, "{}"), SJ_INVALID);
	CHECK_INT(d.code, SJ_E_STATE);
	CHECK_INT(sj_engine_feed(t.e, 99, "{}", 2), SJ_INVALID);
	sj_engine_peer_close(t.e, second); /* again: nothing */
	sj_engine_peer_close(t.e, 99);
	talk_close(&t);
}

/* One agent's unfinished message does not hold up another's. */
SJ_TEST(streams_do_not_mix)
{
	uint32_t second;
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(sj_engine_peer_open(t.e, SJ_LIT("other"), &second));
	const char *a = talk_quote(&t, "{'version':'v0.9','createSurface':{'surfaceId':'a','catalogId':'" BASIC09 "'}}"),
		   *b = talk_quote(&t, "{'version':'v0.9','createSurface':{'surfaceId':'b','catalogId':'" BASIC09 "'}}");
	size_t n = strlen(a);
	for (size_t i = 0; i < n; i++) {
		CHECK_OK(sj_engine_feed(t.e, t.peer, a + i, 1));
		CHECK_OK(sj_engine_feed(t.e, second, b + i, 1));
	}
	CHECK_OK(talk_take(&t));
	CHECK_STR(sj_slice_of(talk_log(&t)), "NEW a\nNEW b\n");
	CHECK_INT(talk_event(&t, SJ_EV_SURFACE_NEW, 0)->peer, t.peer);
	CHECK_INT(talk_event(&t, SJ_EV_SURFACE_NEW, 1)->peer, second);
	CHECK_INT(talk_event(&t, SJ_EV_SURFACE_NEW, 1)->message, 1); /* counted per peer */
	talk_close(&t);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* A surface that comes, changes and goes before anyone looks: told in order, and a view that is gone is no pointer. */
SJ_TEST(events_of_what_is_gone)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	const char *all = talk_quote(
		&t, "[{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':'" BASIC09 "'}},"
		    "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[{'id':'a','component':'Nope'}]}},"
		    "{'version':'v0.9','deleteSurface':{'surfaceId':'s'}}]");
	CHECK_OK(sj_engine_feed(t.e, t.peer, all, strlen(all)));
	CHECK_OK(talk_take(&t));
	CHECK_INT(t.count, 4);
	for (uint32_t i = 0; i < t.count; i++)
		CHECK(!t.heard[i].has_view);
	CHECK_INT(t.heard[0].kind, SJ_EV_SURFACE_NEW);
	CHECK_INT(t.heard[3].kind, SJ_EV_SURFACE_GONE);
	/* made again under the same id: an old event does not point to the new one */
	talk_forget(&t);
	all = talk_quote(&t, "[{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':'" BASIC09 "'}},"
	                     "{'version':'v0.9','deleteSurface':{'surfaceId':'s'}},"
	                     "{'version':'v1.0','createSurface':{'surfaceId':'s'}}]");
	CHECK_OK(sj_engine_feed(t.e, t.peer, all, strlen(all)));
	CHECK_OK(talk_take(&t));
	CHECK_STR(sj_slice_of(talk_log(&t)), "NEW s\nGONE s\nNEW s\n");
	CHECK(!t.heard[0].has_view);
	CHECK(t.heard[2].has_view);
	talk_close(&t);
}

/* Input while events are drained is legal. */
SJ_TEST(input_between_events)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	const char *first = talk_quote(&t, "{'version':'v0.9','createSurface':{'surfaceId':'a','catalogId':'" BASIC09
	                                   "'}}{}{'version':'v0.9','deleteSurface':{'surfaceId':'a'}}"),
		   *more = talk_quote(&t, "{'version':'v0.9','createSurface':{'surfaceId':'b','catalogId':'" BASIC09 "'}}");
	struct sj_event ev;
	unsigned kinds[4], n = 0;
	CHECK_OK(sj_engine_feed(t.e, t.peer, first, strlen(first)));
	while (sj_engine_next(t.e, &ev) == SJ_OK) {
		if (n == 0)
			CHECK_OK(sj_engine_feed(t.e, t.peer, more, strlen(more)));
		if (n < 4)
			kinds[n] = ev.kind;
		n++;
	}
	CHECK_INT(n, 4);
	CHECK_INT(kinds[0], SJ_EV_SURFACE_NEW);
	CHECK_INT(kinds[1], SJ_EV_DIAG);
	CHECK_INT(kinds[2], SJ_EV_SURFACE_GONE);
	CHECK_INT(kinds[3], SJ_EV_SURFACE_NEW);
	talk_close(&t);
}

SJ_TEST(the_host_writes_as_an_agent)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	struct sj_diag d = {0};
	CHECK_OK(sj_engine_host_message(
		t.e, t.peer,
		sj_slice_of(talk_quote(&t, "{'version':'v0.9','updateComponents':{'surfaceId':'s',"
	                                   "'components':[{'id':'root','component':'Button','child':"
	                                   "'root2','action':{'event':{'name':'paid'}}}]}}")),
		&d));
	CHECK_INT(sj_view_peer(talk_view(&t, "s")), t.peer);
	CHECK_OK(talk_press(&t, "s", talk_node(&t, "s", "root"), NULL));
	CHECK_INT(talk_event(&t, SJ_EV_SEND, 0)->peer, t.peer); /* the owner hears of it */
	talk_close(&t);
}

/* The config's texts are the host's; it may free them. */
SJ_TEST(the_configuration_is_copied)
{
	char locale[] = "en", zone[] = "+02:00";
	struct sj_engine_config cfg = {.locale = locale, .time_zone = zone};
	CHECK_OK(talk_open(&t, sj_test_mem(), &cfg));
	memset(locale, 'x', sizeof locale - 1);
	memset(zone, 'x', sizeof zone - 1);
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	CHECK_OK(talk_components(&t, "v0.9", "s",
	                         "{'id':'root','component':'Text','text':{'call':'formatDate','args':{'value':"
	                         "'2026-01-01T00:00:00Z','format':'HH:mm'},'returnType':'string'}}"));
	CHECK_STR(sj_slice_of(text_of("root")), "\"02:00\"");
	talk_close(&t);
}

/* The same inlets give the same trees and messages, byte for byte, whatever the cuts and however often one looks. */
SJ_TEST(a_session_can_be_played_again)
{
	char *first = NULL;
	for (int round = 0; round < 3; round++) {
		struct sj_engine_config cfg = {.now_ms = 1000};
		CHECK_OK(talk_open(&t, sj_test_mem(), &cfg));
		CHECK_OK(talk_create(&t, "v1.0", "s"));
		const char *text = talk_quote(
			&t, "{'version':'v1.0','updateComponents':{'surfaceId':'s','components':["
			    "{'id':'root','component':'Column','children':['f','b']},{'id':'t','component':'Text','text':'x'},"
			    "{'id':'f','component':'TextField','label':'L','value':{'@path':'/v'}},"
			    "{'id':'b','component':'Button','child':'t','action':{'event':{'name':'n','context':"
			    "{'v':{'@path':'/v'}}}}}]}}\n");
		size_t n = strlen(text), step = round == 0 ? n : round == 1 ? 1 : 13;
		for (size_t at = 0; at < n; at += step)
			CHECK_OK(sj_engine_feed(t.e, t.peer, text + at, step < n - at ? step : n - at));
		if (round == 2)
			(void)talk_whole(&t, "s");
		CHECK_OK(talk_type(&t, "s", talk_node(&t, "s", "f"), "'typed'", NULL));
		CHECK_OK(sj_engine_advance(t.e, 5000));
		CHECK_OK(talk_press(&t, "s", talk_node(&t, "s", "b"), NULL));
		struct sj_buf all;
		sj_buf_init(&all, &t.kept_mem, 0);
		sj_buf_puts(&all, talk_everything(&t));
		sj_buf_puts(&all, talk_event(&t, SJ_EV_SEND, 0)->json);
		if (!first)
			first = sj_mem_strndup(sj_test_mem(), sj_buf_view(&all));
		else
			CHECK_STR(sj_buf_view(&all), first);
		sj_buf_finish(&all);
		talk_close(&t);
	}
	sj_mem_free(sj_test_mem(), first, strlen(first) + 1);
}

/* ---- witnesses --------------------------------------------------------------------------------------------------- */

struct witness {
	struct sj_engine *e;
	struct sj_buf log; /* kinds as numbers; in brackets between the two calls for one inlet */
	bool refused;
};

static void see(void *ctx, const struct sj_inlet *in)
{
	struct witness *w = ctx;
	if (in->done) {
		sj_buf_putc(&w->log, ')');
		w->refused = in->status != SJ_OK;
		return;
	}
	sj_buf_printf(&w->log, "(%d", (int)in->kind);
	if (in->kind == SJ_IN_FEED)
		sj_buf_printf(&w->log, ":%zu", in->text.len);
	if (in->kind == SJ_IN_ENV)
		sj_buf_printf(&w->log, ":%.*s=%.*s", SJ_ARG(in->name), SJ_ARG(in->text));
	if (in->kind == SJ_IN_ADVANCE)
		sj_buf_printf(&w->log, ":%lld/%lld", (long long)in->now_ms, (long long)sj_engine_now(w->e));
	if (in->kind == SJ_IN_LOCAL)
		sj_buf_printf(&w->log, ":%.*s=%lld", SJ_ARG(in->name), (long long)in->value->u.i);
}

SJ_TEST(a_witness_sees_every_inlet_twice)
{
	static struct talk w_talk;
	struct witness w = {0};
	struct sj_diag d = {0};
	CHECK_OK(talk_open(&w_talk, sj_test_mem(), NULL));
	struct sj_engine *e = w.e = w_talk.e;
	CHECK_OK(talk_create(&w_talk, "v0.9", "s"));
	CHECK_OK(talk_components(&w_talk, "v0.9", "s", "{'id':'root','component':'Text','text':'x'}"));
	struct sj_view *v = sj_engine_view_at(e, 0);
	CHECK(sj_surface_settle(sj_view_surface(v)) == SJ_OK);
	sj_node_id root = sj_surface_root(sj_view_surface(v));
	sj_buf_init(&w.log, sj_test_mem(), 0);
	sj_engine_witness(e, see, &w);
	CHECK_OK(sj_engine_feed(e, w_talk.peer, "[]", 2));
	CHECK_OK(sj_engine_feed_end(e, w_talk.peer));
	struct sj_input in = {.node = root, .prop = SJ_P_VALUE, .phase = SJ_EDIT_COMMIT, .value = sj_value_int(1)};
	CHECK_INT(sj_engine_input(e, v, &in, &d), SJ_INVALID);
	CHECK(w.refused);
	CHECK_INT(sj_engine_press(e, v, root, &d), SJ_INVALID);
	CHECK_OK(sj_engine_set_local(e, v, root, SJ_LIT("open"), sj_value_int(7)));
	CHECK(!w.refused);
	CHECK_OK(sj_engine_set_env(e, NULL, SJ_LIT("locale"), SJ_LIT("de")));
	CHECK_OK(sj_engine_advance(e, 5));
	CHECK_INT(sj_engine_answer(e, 99, SJ_NO_SLICE, SJ_NO_SLICE, SJ_NO_SLICE), SJ_ABSENT);
	CHECK_INT(sj_engine_cancel(e, 99), SJ_ABSENT);
	CHECK(w.refused);
	CHECK_STR(sj_buf_view(&w.log), "(0:2)(1)(2)(3)(4:open=7)(5:locale=de)(6:5/0)(7)(9)");
	sj_engine_witness(e, NULL, NULL);
	CHECK_OK(sj_engine_advance(e, 6));
	CHECK_INT(w.log.len, strlen("(0:2)(1)(2)(3)(4:open=7)(5:locale=de)(6:5/0)(7)(9)"));
	sj_buf_finish(&w.log);
	talk_close(&w_talk);
}
