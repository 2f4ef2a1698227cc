/* v0.8 through an engine: what waits for beginRendering, wrappers, typed data, initialisers, actions, and how it lives
 * beside the other versions. The rules that a script can show are in tests/cases/v08_*.jsonl. */
#include <stdio.h>

#include "engine/talk.h"

static struct talk t; /* too big for a stack */

#define BEGIN(id, root) "{'beginRendering':{'surfaceId':'" id "','root':'" root "'}}"
#define UPDATE(id, list) "{'surfaceUpdate':{'surfaceId':'" id "','components':[" list "]}}"
#define DATA(id, entries) "{'dataModelUpdate':{'surfaceId':'" id "','contents':[" entries "]}}"
#define TEXT(id, text) "{'id':'" id "','component':{'Text':{'text':" text "}}}"
#define LITERAL(s) "{'literalString':'" s "'}"

static void open_plain(void) { CHECK_OK(talk_open(&t, sj_test_mem(), NULL)); }

static void open_begun(void)
{
	open_plain();
	CHECK_OK(talk_say(&t, BEGIN("s", "top")));
	CHECK_INT(talk_faults(&t), 0);
	talk_forget(&t);
}

static const char *prop(const char *id, const char *name) { return talk_prop(&t, "s", talk_node(&t, "s", id), name); }

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

SJ_TEST(nothing_is_lost_before_begin_rendering)
{
	open_plain();
	CHECK_OK(talk_say(&t, UPDATE("s", TEXT("top", "{'path':'/a'}"))));
	CHECK_OK(talk_say(&t, DATA("s", "{'key':'a','valueString':'first'}")));
	CHECK_OK(talk_say(&t, DATA("s", "{'key':'a','valueString':'second'}")));
	CHECK_STR(sj_slice_of(talk_log(&t)), ""); /* nobody hears of it */
	CHECK(talk_view(&t, "s") != NULL);
	CHECK_STR(sj_slice_of(talk_tree(&t, "s")), "null");
	CHECK_OK(talk_say(&t, BEGIN("s", "top")));
	CHECK_STR(sj_slice_of(talk_log(&t)), "NEW s\nCHANGED s\n");
	CHECK_STR(sj_slice_of(prop("top", "text")), "\"second\"");
	talk_close(&t);
}

SJ_TEST(one_that_waits_comes_and_goes_in_silence)
{
	open_plain();
	CHECK_OK(talk_say(&t, UPDATE("s", TEXT("top", LITERAL("x")))));
	CHECK_OK(talk_say(&t, "{'deleteSurface':{'surfaceId':'s'}}"));
	CHECK_STR(sj_slice_of(talk_log(&t)), "");
	CHECK(talk_view(&t, "s") == NULL);
	CHECK_OK(talk_say(&t, BEGIN("s", "top")));
	CHECK_STR(sj_slice_of(talk_tree(&t, "s")), "null");
	talk_close(&t);
}

/* The catalog is known when the surface begins: only then properties are judged, each message for itself, and blamed
 * where it stood in the stream. */
SJ_TEST(held_messages_are_judged_when_they_are_applied)
{
	open_plain();
	CHECK_OK(talk_say(&t, UPDATE("s", TEXT("top", LITERAL("right")))));
	CHECK_OK(talk_say(&t, UPDATE("s", TEXT("top", "'wrong'"))));
	CHECK_OK(talk_say(&t, UPDATE("s", TEXT("other", LITERAL("right too")))));
	CHECK_INT(talk_faults(&t), 0);
	CHECK_OK(talk_say(&t, BEGIN("s", "top")));
	CHECK_INT(talk_faults(&t), 1);
	const struct heard *h = talk_event(&t, SJ_EV_DIAG, 0);
	CHECK_INT(h->message, 2);
	CHECK_INT(h->diag.line, 2);
	CHECK_STR(sj_slice_of(h->diag.pointer), "/surfaceUpdate/components/0/component/Text/text");
	CHECK_STR(sj_slice_of(prop("top", "text")), "\"right\"");
	CHECK(strstr(talk_defs(&t, "s"), "right too") != NULL);
	talk_close(&t);
}

SJ_TEST(a_begin_that_is_refused_leaves_it_waiting)
{
	struct sj_diag d;
	open_plain();
	CHECK_OK(talk_say(&t, UPDATE("s", TEXT("top", LITERAL("x")))));
	CHECK_INT(talk_message(&t, &d, "{'beginRendering':{'surfaceId':'s','root':'top','catalogId':'nowhere'}}"),
	          SJ_INVALID);
	CHECK_STR(sj_slice_of(d.message), "Catalog not found: nowhere");
	CHECK_STR(sj_slice_of(d.pointer), "/beginRendering/catalogId");
	CHECK_INT(talk_message(&t, &d, "{'beginRendering':{'surfaceId':'s','root':'top','styles':{'primaryColor':'red'}}}"),
	          SJ_INVALID);
	CHECK_STR(sj_slice_of(d.pointer), "/beginRendering/styles/primaryColor");
	CHECK(strstr(d.message, "Validation failed for theme on surface 's'") != NULL);
	CHECK_STR(sj_slice_of(talk_tree(&t, "s")), "null");
	CHECK_OK(talk_say(&t, BEGIN("s", "top")));
	CHECK_STR(sj_slice_of(prop("top", "text")), "\"x\"");
	talk_close(&t);
}

SJ_TEST(strict_graph_rules_hold_for_all_that_was_held_together)
{
	struct sj_engine_config cfg = {.strict = true};
	struct sj_diag d;
	CHECK_OK(talk_open(&t, sj_test_mem(), &cfg));
	CHECK_OK(talk_say(&t, UPDATE("s", "{'id':'top','component':{'Card':{'child':'c'}}}")));
	CHECK_INT(talk_message(&t, &d, BEGIN("s", "top")), SJ_INVALID);
	CHECK_STR(sj_slice_of(d.pointer), "/beginRendering/root");
	CHECK(strstr(d.message, "references non-existent component 'c'") != NULL);
	CHECK_OK(talk_say(&t, UPDATE("s", TEXT("c", LITERAL("x")))));
	CHECK_INT(talk_message(&t, &d, BEGIN("s", "nothing")), SJ_INVALID);
	CHECK_STR(sj_slice_of(d.message), "Missing root component: no component has the id 'nothing'");
	CHECK_INT(talk_message(&t, &d, BEGIN("s", "top")), SJ_OK);
	CHECK_INT(talk_message(&t, &d, UPDATE("s", TEXT("stray", LITERAL("x")))), SJ_INVALID);
	CHECK_STR(sj_slice_of(d.message), "Orphaned component: 'stray' is not reachable from 'top'");
	talk_close(&t);
}

SJ_TEST(begin_rendering_again_names_another_root)
{
	struct sj_diag d;
	open_begun();
	CHECK_OK(talk_say(&t, UPDATE("s", TEXT("top", LITERAL("one")) "," TEXT("b", LITERAL("two")))));
	CHECK_OK(talk_say(&t, "{'beginRendering':{'surfaceId':'s','root':'b','styles':{'font':'Serif'}}}"));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s"), "/text")), "\"two\"");
	CHECK_STR(sj_value_text(sj_value_get(sj_view_theme(talk_view(&t, "s")), SJ_LIT("font"))), "Serif");
	CHECK_INT(talk_message(&t, &d, "{'beginRendering':{'surfaceId':'s','root':'b','catalogId':'" BASIC09 "'}}"),
	          SJ_INVALID);
	CHECK_INT(d.category, SJ_CAT_INTEGRITY);
	talk_close(&t);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

SJ_TEST(faults_of_v08_point_into_the_message)
{
	static const struct row {
		const char *json, *pointer, *detail, *message;
	} rows[] = {
		{"{'beginRendering':{'root':'r'}}", "/beginRendering/surfaceId", "missing_field",
	         "'surfaceId' is a required"},
		{"{'beginRendering':{'surfaceId':'n'}}", "/beginRendering/root", "missing_field",
	         "'root' is a required"},
		{"{'beginRendering':{'surfaceId':1,'root':'r'}}", "/beginRendering/surfaceId", "type_mismatch",
	         "surfaceId must be a string"},
		{"{'beginRendering':{'surfaceId':'n','root':'r','rootComponentId':'r'}}",
	         "/beginRendering/rootComponentId", "invalid_value", "'rootComponentId' was unexpected"},
		{"{'beginRendering':{'surfaceId':'n','root':'r','styles':1}}", "/beginRendering/styles",
	         "type_mismatch", "styles must be an object"},
		{"{'surfaceUpdate':{'surfaceId':'s'}}", "/surfaceUpdate/components", "missing_field",
	         "'components' is a required"},
		{"{'surfaceUpdate':{'surfaceId':'s','components':[]}}", "/surfaceUpdate/components", "invalid_value",
	         "at least one"},
		{UPDATE("s", "{'component':{'Text':{}}}"), "/surfaceUpdate/components/0/id", "missing_field",
	         "missing an 'id'"},
		{UPDATE("s", "{'id':'a'}"), "/surfaceUpdate/components/0/component", "missing_field", "without a type"},
		{UPDATE("s", "{'id':'a','component':'Text'}"), "/surfaceUpdate/components/0/component", "type_mismatch",
	         "an object with one key"},
		{UPDATE("s", "{'id':'a','component':{'Text':{},'Row':{}}}"), "/surfaceUpdate/components/0/component",
	         "invalid_value", "an object with one key"},
		{UPDATE("s", "{'id':'a','component':{'Text':[]}}"), "/surfaceUpdate/components/0/component/Text",
	         "type_mismatch", "must be an object"},
		{UPDATE("s", "{'id':'a','component':{'Chart':{}}}"), "/surfaceUpdate/components/0/component/Chart",
	         "invalid_value", "Unknown component 'Chart'"},
		{UPDATE("s", "{'id':'a','weight':'1','component':{'Text':{'text':{}}}}"),
	         "/surfaceUpdate/components/0/weight", "type_mismatch", "weight must be a number"},
		{UPDATE("s", "{'id':'a','text':'x','component':{'Text':{'text':{}}}}"),
	         "/surfaceUpdate/components/0/text", "invalid_value", "'text' was unexpected"},
		{UPDATE("s", TEXT("a", LITERAL("x")) "," TEXT("a", LITERAL("y"))), "/surfaceUpdate/components/1",
	         "invalid_value", "Duplicate component id 'a'"},
		{UPDATE("s", TEXT("a", LITERAL("x")) ","
	                                             "{'id':'b','component':{'Text':{}}}"),
	         "/surfaceUpdate/components/1/component/Text/text", "missing_field", "'text' is a required"},
		{UPDATE("s", TEXT("a", "{'literalNumber':1}")), "/surfaceUpdate/components/0/component/Text/text",
	         "invalid_value", "Validation failed for component 'Text'"},
		{"{'dataModelUpdate':{'surfaceId':'s'}}", "/dataModelUpdate/contents", "missing_field",
	         "'contents' is a required"},
		{"{'dataModelUpdate':{'surfaceId':'s','contents':{}}}", "/dataModelUpdate/contents", "type_mismatch",
	         "must be an array"},
		{"{'dataModelUpdate':{'surfaceId':'s','value':1,'contents':[]}}", "/dataModelUpdate/value",
	         "invalid_value", "'value' was unexpected"},
		{"{'dataModelUpdate':{'surfaceId':'s','path':'/a~2','contents':[]}}", "/dataModelUpdate/path",
	         "invalid_pointer", "Invalid path"},
		{DATA("s", "{'valueString':'x'}"), "/dataModelUpdate/contents/0/key", "missing_field",
	         "'key' is a required"},
		{DATA("s", "{'key':1,'valueString':'x'}"), "/dataModelUpdate/contents/0/key", "type_mismatch",
	         "key must be a string"},
		{DATA("s", "{'key':'a'}"), "/dataModelUpdate/contents/0", "missing_field", "has no value"},
		{DATA("s", "{'key':'a','valueString':'x','valueNumber':1}"), "/dataModelUpdate/contents/0/valueNumber",
	         "invalid_value", "more than one value"},
		{DATA("s", "{'key':'a','valueNumber':'1'}"), "/dataModelUpdate/contents/0/valueNumber", "type_mismatch",
	         "valueNumber must be a number"},
		{DATA("s", "{'key':'a','valueBoolean':0}"), "/dataModelUpdate/contents/0/valueBoolean", "type_mismatch",
	         "valueBoolean must be a boolean"},
		{DATA("s", "{'key':'a','valueList':[]}"), "/dataModelUpdate/contents/0/valueList", "invalid_value",
	         "'valueList' was unexpected"},
		{DATA("s", "{'key':'a','valueMap':[{'key':'b','valueMap':[{'key':'c','valueString':1}]}]}"),
	         "/dataModelUpdate/contents/0/valueMap/0/valueMap/0/valueString", "type_mismatch", "must be a string"},
		{DATA("s", "{'key':'__proto__','valueString':'x'}"), "/dataModelUpdate/contents/0/key", "",
	         "'__proto__' is refused"},
		{"{'version':'v0.8','createSurface':{'surfaceId':'n'}}", "/createSurface", "invalid_value",
	         "action 'createSurface' is not supported in protocol version v0.8"},
		{"{'beginRendering':{'surfaceId':'n','root':'r'},'deleteSurface':{'surfaceId':'n'}}", "",
	         "invalid_value", "multiple conflicting update actions"},
	};
	open_begun();
	CHECK_OK(talk_say(&t, UPDATE("s", TEXT("top", LITERAL("x"))) DATA("s", "{'key':'kept','valueNumber':1}")));
	const char *before = sj_arena_copy(&t.kept, sj_slice_of(talk_everything(&t))).ptr;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *r = &rows[i];
		struct sj_diag d;
		sj_case("%s", r->json);
		CHECK_INT(talk_message(&t, &d, "%s", r->json), SJ_INVALID);
		CHECK_STR(sj_slice_of(d.pointer), r->pointer);
		CHECK_STR(sj_slice_of(d.detail), r->detail);
		if (!strstr(d.message, r->message))
			CHECK_STR(sj_slice_of(d.message), r->message);
		CHECK_STR(sj_slice_of(talk_everything(&t)), before);
		const char *sent = talk_event(&t, SJ_EV_SEND, talk_heard(&t, SJ_EV_SEND) - 1)->json;
		CHECK_OUTBOUND(&t, sent);
		CHECK(strstr(sent, "\"error\":{\"code\":") != NULL && !strstr(sent, "version\""));
		sj_case_end();
	}
	talk_close(&t);
}

/* What a model adds beside a message of another version, and the other way round. */
SJ_TEST(a_surface_takes_messages_of_its_own_version)
{
	struct sj_diag d;
	open_begun();
	CHECK_OK(talk_create(&t, "v0.9", "n"));
	CHECK_INT(talk_message(&t, &d, UPDATE("n", TEXT("root", LITERAL("x")))), SJ_INVALID);
	CHECK_STR(sj_slice_of(d.message), "Surface n was made with protocol version v0.9 and takes no messages of v0.8");
	CHECK_STR(sj_slice_of(d.pointer), "/surfaceUpdate/surfaceId");
	CHECK_INT(talk_message(&t, &d, BEGIN("n", "root")), SJ_INVALID);
	CHECK_INT(talk_message(&t, &d, DATA("n", "{'key':'a','valueString':'x'}")), SJ_INVALID);
	CHECK_INT(talk_message(&t, &d, "{'version':'v1.0','updateDataModel':{'surfaceId':'s','value':{}}}"), SJ_INVALID);
	CHECK_STR(sj_slice_of(d.message), "Surface s was made with protocol version v0.8 and takes no other messages");
	CHECK_INT(talk_message(&t, &d, "{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':'" BASIC09 "'}}"),
	          SJ_INVALID);
	CHECK_STR(sj_slice_of(d.message), "Surface s already exists");
	CHECK_INT(talk_message(&t, &d, "{'version':'v1.0','deleteSurface':{'surfaceId':'s'}}"), SJ_OK);
	CHECK(talk_view(&t, "s") == NULL);
	talk_close(&t);
}

/* ---- components -------------------------------------------------------------------------------------------------- */

static struct sj_slice meaning(const char *id, enum sj_ui_prop ui)
{
	struct sj_surface *s = talk_surface(&t, "s");
	sj_node_id n = talk_node(&t, "s", id);
	struct sj_buf out;
	sj_buf_init(&out, &t.kept_mem, 0);
	for (uint32_t i = 0; i < sj_node_prop_count(s, n); i++) {
		struct sj_prop p;
		if (sj_node_prop(s, n, i, &p) && p.ui == ui && p.value)
			sj_value_print(&out, p.value, SJ_PRINT_COMPACT);
	}
	struct sj_slice kept = sj_arena_copy(&t.kept, sj_buf_view(&out));
	sj_buf_finish(&out);
	return kept.ptr ? kept : SJ_LIT("");
}

SJ_TEST(every_standard_component_has_its_meaning)
{
	static const struct row {
		const char *type, *props, *kind;
		enum sj_ui_prop ui;
		const char *value;
	} rows[] = {
		{"Text", "'text':{'literalString':'T'},'usageHint':'h2'", "text", SJ_P_VARIANT, "'h2'"},
		{"Text", "'text':{'literalString':'T'}", "text", SJ_P_TEXT, "'T'"},
		{"Image", "'url':{'literalString':'u'},'altText':{'literalString':'A'}", "image", SJ_P_DESCRIPTION,
	         "'A'"},
		{"Image", "'url':{'literalString':'u'},'fit':'scale-down'", "image", SJ_P_FIT, "'scaleDown'"},
		{"Image", "'url':{'literalString':'u'},'fit':'cover','usageHint':'avatar'", "image", SJ_P_FIT,
	         "'cover'"},
		{"Image", "'url':{'literalString':'u'},'usageHint':'avatar'", "image", SJ_P_VARIANT, "'avatar'"},
		{"Icon", "'name':{'literalString':'home'}", "icon", SJ_P_NAME, "'home'"},
		{"Video", "'url':{'literalString':'u'}", "video", SJ_P_URL, "'u'"},
		{"AudioPlayer", "'url':{'literalString':'u'},'description':{'literalString':'D'}", "audio",
	         SJ_P_DESCRIPTION, "'D'"},
		{"Row", "'children':{'explicitList':[]},'distribution':'spaceBetween','alignment':'center'", "row",
	         SJ_P_JUSTIFY, "'spaceBetween'"},
		{"Column", "'children':{'explicitList':[]},'alignment':'center'", "column", SJ_P_ALIGN, "'center'"},
		{"List", "'children':{'explicitList':[]},'direction':'horizontal'", "list", SJ_P_DIRECTION,
	         "'horizontal'"},
		{"Divider", "'axis':'vertical'", "divider", SJ_P_AXIS, "'vertical'"},
		{"Button", "'child':'c','action':{'name':'go'},'primary':true", "button", SJ_P_VARIANT, "'primary'"},
		{"Button", "'child':'c','action':{'name':'go'},'primary':false", "button", SJ_P_VARIANT, ""},
		{"CheckBox", "'label':{'literalString':'L'},'value':{'literalBoolean':true}", "checkBox", SJ_P_VALUE,
	         "true"},
		{"TextField", "'label':{'literalString':'L'},'text':{'literalString':'V'}", "textField", SJ_P_VALUE,
	         "'V'"},
		{"TextField", "'label':{'literalString':'L'},'textFieldType':'longText'", "textField", SJ_P_VARIANT,
	         "'longText'"},
		{"DateTimeInput", "'value':{'literalString':'2026-01-31'},'enableDate':true", "dateTime",
	         SJ_P_ENABLE_DATE, "true"},
		{"MultipleChoice",
	         "'selections':{'literalArray':['a']},'options':[{'label':{'literalString':'A'},'value':'a'}]",
	         "choice", SJ_P_OPTIONS, "[{'label':'A','value':'a'}]"},
		{"MultipleChoice", "'selections':{'literalArray':['a']},'options':[],'maxAllowedSelections':1",
	         "choice", SJ_P_VARIANT, "'mutuallyExclusive'"},
		{"MultipleChoice", "'selections':{'literalArray':['a']},'options':[],'maxAllowedSelections':2",
	         "choice", SJ_P_VARIANT, "'multipleSelection'"},
		{"MultipleChoice", "'selections':{'literalArray':['a']},'options':[],'variant':'chips'", "choice",
	         SJ_P_DISPLAY, "'chips'"},
		{"MultipleChoice", "'selections':{'literalArray':['a']},'options':[]", "choice", SJ_P_VALUE, "['a']"},
		{"Slider", "'value':{'literalNumber':4},'minValue':1,'maxValue':9", "slider", SJ_P_MAX, "9"},
		{"Slider", "'value':{'literalNumber':4},'minValue':1,'maxValue':9", "slider", SJ_P_MIN, "1"},
	};
	open_begun();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *r = &rows[i];
		sj_case("%s {%s}", r->type, r->props);
		CHECK_OK(talk_say(&t, "{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'top','weight':2,'component':{'%s':{%s}}}]}}",
		                  r->type, r->props));
		CHECK_INT(talk_faults(&t), 0);
		struct sj_surface *s = talk_surface(&t, "s");
		CHECK_STR(sj_slice_of(sj_ui_kind_name(sj_node_kind(s, talk_node(&t, "s", "top")))), r->kind);
		CHECK_SLICE(meaning("top", r->ui), sj_slice_of(talk_quote(&t, r->value)));
		CHECK_SLICE(meaning("top", SJ_P_WEIGHT), SJ_LIT("2"));
		sj_case_end();
	}
	/* Those with children of their own. */
	CHECK_OK(talk_say(
		&t,
		UPDATE("s",
	               "{'id':'top','component':{'Column':{'children':{'explicitList':['card','tabs','modal']}}}},"
	               "{'id':'card','component':{'Card':{'child':'a'}}},"
	               "{'id':'tabs','component':{'Tabs':{'tabItems':[{'title':{'literalString':'One'},'child':'b'},"
	               "{'title':{'path':'/two'},'child':'c'}]}}},"
	               "{'id':'modal','component':{'Modal':{'entryPointChild':'d','contentChild':'e'}}}," TEXT("a", LITERAL("A")) "," TEXT(
			       "b", LITERAL("B")) "," TEXT("c",
	                                                   LITERAL("C")) "," TEXT("d",
	                                                                          LITERAL("D")) "," TEXT("e",
	                                                                                                 LITERAL("E")))
			DATA("s", "{'key':'two','valueString':'Two'}")));
	CHECK_INT(talk_faults(&t), 0);
	CHECK_STR(sj_slice_of(talk_tree(&t, "s")),
	          talk_quote(&t, "{'children':[{'child':{'id':'a','text':'A','type':'Text'},'id':'card','type':'Card'},"
	                         "{'id':'tabs','tabItems':[{'child':{'id':'b','text':'B','type':'Text'},'title':'One'},"
	                         "{'child':{'id':'c','text':'C','type':'Text'},'title':'Two'}],'type':'Tabs'},"
	                         "{'contentChild':{'id':'e','text':'E','type':'Text'},'entryPointChild':{'id':'d','text':'D',"
	                         "'type':'Text'},'id':'modal','type':'Modal'}],'id':'top','type':'Column'}"));
	talk_close(&t);
}

/* A string that happens to be a component's id stays a string (a2ui#1155). */
SJ_TEST(only_places_for_ids_hold_ids)
{
	open_begun();
	CHECK_OK(talk_say(
		&t, UPDATE("s", "{'id':'top','component':{'Button':{'child':'lbl','action':{'name':'lbl','context':"
	                        "[{'key':'lbl','value':{'literalString':'lbl'}}]}}}}," TEXT("lbl", LITERAL("top")))));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s"), "/child/text")), "\"top\"");
	CHECK_OK(talk_press(&t, "s", talk_node(&t, "s", "top"), NULL));
	const char *sent = talk_event(&t, SJ_EV_SEND, 0)->json;
	CHECK_OUTBOUND(&t, sent);
	CHECK_STR(sj_slice_of(talk_at(&t, sent, "/userAction/context")), talk_quote(&t, "{'lbl':'lbl'}"));
	talk_close(&t);
}

SJ_TEST(catalogs_of_a_host_in_the_form_of_v08)
{
	static const char json[] = "{\"catalogId\":\"own\",\"protocolVersion\":\"v0.8\",\"components\":{\"Panel\":{\"type\":"
		"\"object\",\"properties\":{\"children\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"headChild\":"
		"{\"type\":\"string\"},\"note\":{\"type\":\"string\"},\"press\":{\"type\":\"object\",\"properties\":{\"name\":"
		"{\"type\":\"string\"},\"context\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"key\":{},"
		"\"value\":{}}}}}}},\"additionalProperties\":false}},\"styles\":{}}";
	struct sj_diag d;
	open_plain();
	CHECK_OK(sj_engine_add_catalog(t.e, SJ_LIT(json), SJ_NO_SLICE, SJ_VERSION_NONE, &d));
	CHECK_OK(talk_say(&t, "{'beginRendering':{'surfaceId':'s','root':'p','catalogId':'own'}}"));
	CHECK_OK(talk_say(&t, UPDATE("s", "{'id':'p','component':{'Panel':{'headChild':'h','children':['a','a'],'note':'a',"
	                                  "'press':{'name':'go'}}}},{'id':'h','component':{'Panel':{}}},"
	                                  "{'id':'a','component':{'Panel':{'note':'x'}}}")));
	CHECK_INT(talk_faults(&t), 0);
	CHECK_STR(sj_slice_of(talk_tree(&t, "s")),
	          talk_quote(&t, "{'children':[{'id':'a','note':'x','type':'Panel'},{'id':'a','note':'x','type':'Panel'}],"
	                         "'headChild':{'id':'h','type':'Panel'},'id':'p','note':'a','press':'<Action>','type':'Panel'}"));
	CHECK_OK(talk_press(&t, "s", talk_node(&t, "s", "p"), NULL));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 0)->json, "/userAction/name")), "\"go\"");
	talk_close(&t);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

#define ROWS_OF(path) \
	UPDATE("s", "{'id':'top','component':{'List':{'children':{'template':{'componentId':'row','dataBinding':'" path "'}}}}}," \
	            "{'id':'row','component':{'Row':{'children':{'explicitList':['name','field']}}}}," \
	            TEXT("name", "{'path':'name'}") "," \
	            "{'id':'field','component':{'TextField':{'label':{'literalString':'L'},'text':{'path':'note'}}}}")

static const char *names(void)
{
	struct sj_buf out;
	sj_buf_init(&out, &t.kept_mem, 0);
	for (int i = 0; i < 9; i++) {
		char at[40];
		snprintf(at, sizeof at, "/children/%d/children/0/text", i);
		const char *text = talk_at(&t, talk_tree(&t, "s"), at);
		if (strcmp(text, "absent") == 0)
			break;
		sj_buf_puts(&out, text);
	}
	struct sj_slice kept = sj_arena_copy(&t.kept, sj_buf_view(&out));
	sj_buf_finish(&out);
	return kept.ptr ? kept.ptr : "";
}

#define ENTRY(key, name) "{'key':'" key "','valueMap':[{'key':'name','valueString':'" name "'}]}"

SJ_TEST(a_map_is_repeated_over_in_the_order_of_its_keys)
{
	open_begun();
	CHECK_OK(talk_say(&t, ROWS_OF("/map")));
	CHECK_STR(sj_slice_of(names()), "");
	CHECK_OK(talk_say(&t, DATA("s", "{'key':'map','valueMap':[" ENTRY("z", "Z") "," ENTRY("7", "seven") "]}")));
	CHECK_STR(sj_slice_of(names()), "\"Z\"\"seven\"");
	/* one value of a row, a new row, a row that is set whole */
	CHECK_OK(talk_say(&t, "{'dataModelUpdate':{'surfaceId':'s','path':'/map/7','contents':[{'key':'name','valueString':'7'}]}}"));
	CHECK_STR(sj_slice_of(names()), "\"Z\"\"7\"");
	CHECK_OK(talk_say(&t, "{'dataModelUpdate':{'surfaceId':'s','path':'/map','contents':[" ENTRY("a", "A") "]}}"));
	CHECK_STR(sj_slice_of(names()), "\"Z\"\"7\"\"A\"");
	CHECK_OK(talk_say(&t, "{'dataModelUpdate':{'surfaceId':'s','path':'/map','contents':[" ENTRY("z", "zet") "]}}"));
	CHECK_STR(sj_slice_of(names()), "\"zet\"\"7\"\"A\"");
	/* what is typed in a row goes to its member, whatever the key looks like */
	CHECK_OK(talk_type(&t, "s", talk_row(&t, "s", "field", 1), "\"typed\"", NULL));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_model(&t, "s"), "/map/7")),
	          talk_quote(&t, "{'name':'7','note':'typed'}"));
	/* and the whole replaced by fewer */
	CHECK_OK(talk_say(&t, DATA("s", "{'key':'map','valueMap':[" ENTRY("q", "Q") "]}")));
	CHECK_STR(sj_slice_of(names()), "\"Q\"");
	talk_close(&t);
}

/* Maps in maps: scopes are named by keys all the way. */
SJ_TEST(maps_repeat_in_maps)
{
	open_begun();
	CHECK_OK(talk_say(&t, UPDATE("s", "{'id':'top','component':{'List':{'children':{'template':{'componentId':'group','dataBinding':'/g'}}}}},"
	                                  "{'id':'group','component':{'Column':{'children':{'template':{'componentId':'leaf','dataBinding':'items'}}}}},"
	                                  "{'id':'leaf','component':{'Button':{'child':'face','action':{'name':'pick','context':["
	                                  "{'key':'what','value':{'path':'v'}}]}}}}," TEXT("face", "{'path':'v'}"))));
	CHECK_OK(talk_say(&t, DATA("s", "{'key':'g','valueMap':[{'key':'one','valueMap':[{'key':'items','valueMap':["
	                                "{'key':'x','valueMap':[{'key':'v','valueString':'1x'}]},{'key':'y','valueMap':[{'key':'v','valueString':'1y'}]}]}]},"
	                                "{'key':'two','valueMap':[{'key':'items','valueMap':[{'key':'x','valueMap':[{'key':'v','valueString':'2x'}]}]}]}]}")));
	CHECK_INT(talk_faults(&t), 0);
	const char *tree = talk_tree(&t, "s");
	CHECK_STR(sj_slice_of(talk_at(&t, tree, "/children/0/children/1/child/text")), "\"1y\"");
	CHECK_STR(sj_slice_of(talk_at(&t, tree, "/children/1/children/0/child/text")), "\"2x\"");
	CHECK_OK(talk_say(&t, "{'dataModelUpdate':{'surfaceId':'s','path':'/g/two/items/x','contents':[{'key':'v','valueString':'new'}]}}"));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s"), "/children/1/children/0/child/text")), "\"new\"");
	uint32_t rows[] = {1, 0};
	CHECK_OK(talk_press(&t, "s", sj_surface_find(talk_surface(&t, "s"), SJ_LIT("leaf"), rows, 2), NULL));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 0)->json, "/userAction/context/what")), "\"new\"");
	talk_close(&t);
}

/* Objects are no lists in the other versions, and stay none beside a surface of v0.8. */
SJ_TEST(later_versions_repeat_over_lists_alone)
{
	open_begun();
	CHECK_OK(talk_create(&t, "v0.9", "n"));
	CHECK_OK(talk_components(&t, "v0.9", "n", "{'id':'root','component':'List','children':{'componentId':'r','path':'/m'}},"
	                                          "{'id':'r','component':'Text','text':{'path':'x'}}"));
	CHECK_OK(talk_data(&t, "v0.9", "n", "/m", "{'a':{'x':'1'}}"));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "n"), "/children")), "[]");
	talk_close(&t);
}

/* ---- beside each other ------------------------------------------------------------------------------------------- */

SJ_TEST(three_versions_live_side_by_side)
{
	open_plain();
	CHECK_OK(talk_say(&t, UPDATE("old", "{'id':'b','component':{'Button':{'child':'l','action':{'name':'go','context':[{'key':'v','value':{'path':'/v'}}]}}}},"
	                                    TEXT("l", "{'path':'/v'}"))));
	CHECK_OK(talk_create(&t, "v0.9", "mid"));
	CHECK_OK(talk_say(&t, DATA("old", "{'key':'v','valueString':'eight'}")));
	CHECK_OK(talk_create(&t, "v1.0", "new"));
	CHECK_OK(talk_say(&t, BEGIN("old", "b")));
	CHECK_OK(talk_components(&t, "v0.9", "mid", "{'id':'root','component':'Button','child':'l','action':{'event':{'name':'go','context':{'v':{'path':'/v'}}}}},"
	                                            "{'id':'l','component':'Text','text':{'path':'/v'}}"));
	CHECK_OK(talk_components(&t, "v1.0", "new", "{'id':'root','component':'Button','child':'l','action':{'event':{'name':'go','context':{'v':{'@path':'/v'}}}}},"
	                                            "{'id':'l','component':'Text','text':{'@path':'/v'}}"));
	CHECK_OK(talk_data(&t, "v1.0", "new", "/v", "'ten'"));
	CHECK_OK(talk_data(&t, "v0.9", "mid", "/v", "'nine'"));
	CHECK_INT(talk_heard(&t, SJ_EV_SURFACE_NEW), 3);
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_SURFACE_NEW, 2)->surface), "old");
	talk_forget(&t);
	static const struct row { const char *surface, *button, *action, *value;
	} rows[] = {{"new", "root", "/action", "\"ten\""},
	            {"old", "b", "/userAction", "\"eight\""},
	            {"mid", "root", "/action", "\"nine\""}};
	for (uint32_t i = 0; i < 3; i++) {
		char at[60];
		CHECK_OK(talk_press(&t, rows[i].surface, talk_node(&t, rows[i].surface, rows[i].button), NULL));
		const char *sent = talk_event(&t, SJ_EV_SEND, i)->json;
		CHECK_OUTBOUND(&t, sent);
		snprintf(at, sizeof at, "%s/context/v", rows[i].action);
		CHECK_STR(sj_slice_of(talk_at(&t, sent, at)), rows[i].value);
		snprintf(at, sizeof at, "%s/surfaceId", rows[i].action);
		CHECK_STR(sj_slice_of(talk_at(&t, sent, at)), talk_quote(&t, i == 0   ? "'new'"
		                                                             : i == 1 ? "'old'"
		                                                                      : "'mid'"));
	}
	/* Each fault is answered in the version of the message. */
	struct sj_diag d;
	CHECK_INT(talk_message(&t, &d, UPDATE("old", TEXT("l", "1"))), SJ_INVALID);
	CHECK_INT(talk_message(&t, &d, "{'version':'v0.9','updateComponents':{'surfaceId':'mid','components':[{'id':'l','component':'Text','text':{}}]}}"), SJ_INVALID);
	for (uint32_t i = 3; i < talk_heard(&t, SJ_EV_SEND); i++)
		CHECK_OUTBOUND(&t, talk_event(&t, SJ_EV_SEND, i)->json);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 3)->json, "/version")), "absent");
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 3)->json, "/error/path")),
	          "\"/components/0/component/Text/text\"");
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 4)->json, "/version")), "\"v0.9\"");
	talk_close(&t);
}

SJ_TEST(capabilities_of_v08_are_flat)
{
	static const enum sj_version only[] = {SJ_V08}, both[] = {SJ_V08, SJ_V09};
	struct sj_buf out;
	open_plain();
	sj_buf_init(&out, sj_test_mem(), 0);
	CHECK_OK(sj_engine_capabilities(t.e, only, 1, false, &out, NULL));
	CHECK_STR(sj_buf_view(&out),
	          "{\"supportedCatalogIds\":[\"" SJ_V08_STANDARD_ID "\",\"" SJ_V08_MINIMAL_ID "\"]}");
	sj_buf_clear(&out);
	CHECK_OK(sj_engine_capabilities(t.e, both, 2, true, &out, NULL));
	sj_buf_putc(&out, '\0');
	talk_check_document(__FILE__, __LINE__, &t, 3, "a2ui_client_capabilities_schema.json", out.ptr);
	CHECK(strstr(out.ptr, "\"v0.9\":{\"supportedCatalogIds\":[") != NULL);
	sj_buf_finish(&out);
	talk_close(&t);
}
