/* What the driver tells about itself and its surfaces: resolved trees (docs/decisions/008), definitions, validation
 * results, the data model that is asked for, and capabilities. */
#include <stdio.h>

#include "engine/talk.h"

static struct talk t;

static void open(const char *version, const char *components, const char *model)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_create(&t, version, "s"));
	if (components)
		CHECK_OK(talk_components(&t, version, "s", components));
	if (model)
		CHECK_OK(talk_data(&t, version, "s", "/", model));
	CHECK_INT(talk_faults(&t), 0);
}

/* ---- trees ------------------------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *version, *components, *model, *tree;
} trees[] = {
	{"nothing yet", "v0.9", NULL, NULL, "null"},
	{"components without a root", "v0.9", "{'id':'a','component':'Text','text':'x'}", NULL, "null"},
	{"properties sorted, numbers short, absent ones left out", "v0.9",
         "{'id':'root','component':'Slider','max':10.0,'min':1e1,'label':{'path':'/nope'},'value':{'path':'/v'}}",
         "{'v':2.50}", "{'id':'root','max':10,'min':10,'type':'Slider','value':2.5}"},
	{"a child that has not arrived", "v0.9", "{'id':'root','component':'Card','child':'later'}", NULL,
         "{'child':{'id':'later','state':'pending','type':'Placeholder'},'id':'root','type':'Card'}"},
	{"children stand where they are named", "v0.9",
         "{'id':'root','component':'Column','children':['a','b','a']},{'id':'a','component':'Text','text':'A'},"
         "{'id':'b','component':'Divider'}",
         NULL,
         "{'children':[{'id':'a','text':'A','type':'Text'},{'id':'b','type':'Divider'},"
         "{'id':'a','text':'A','type':'Text'}],'id':'root','type':'Column'}"},
	{"no children", "v0.9", "{'id':'root','component':'Column','children':[]}", NULL,
         "{'children':[],'id':'root','type':'Column'}"},
	{"a template without rows", "v0.9",
         "{'id':'root','component':'List','children':{'componentId':'r','path':'/rows'}},"
         "{'id':'r','component':'Text','text':'x'}",
         "{}", "{'children':[],'id':'root','type':'List'}"},
	{"a template over what is no list", "v0.9",
         "{'id':'root','component':'List','children':{'componentId':'r','path':'/rows'}},"
         "{'id':'r','component':'Text','text':'x'}",
         "{'rows':'text'}", "{'children':[],'id':'root','type':'List'}"},
	{"rows", "v0.9",
         "{'id':'root','component':'List','children':{'componentId':'r','path':'/rows'}},"
         "{'id':'r','component':'Text','text':{'path':'n'}}",
         "{'rows':[{'n':'a'},{},{'n':null},5]}",
         "{'children':[{'id':'r','text':'a','type':'Text'},{'id':'r','type':'Text'},"
         "{'id':'r','text':null,'type':'Text'},{'id':'r','type':'Text'}],'id':'root','type':'List'}"},
	{"an action is a word", "v0.9",
         "{'id':'root','component':'Button','child':'t','variant':'primary','action':{'event':{'name':'n','context':"
         "{'a':{'path':'/a'}}}}},{'id':'t','component':'Text','text':'x'}",
         NULL,
         "{'action':'<Action>','child':{'id':'t','text':'x','type':'Text'},'id':'root','type':'Button',"
         "'variant':'primary'}"},
	{"children inside a property's objects", "v0.9",
         "{'id':'root','component':'Tabs','tabs':[{'title':{'path':'/t'},'child':'a'},{'title':'B','child':'gone'}]},"
         "{'id':'a','component':'Text','text':'A'}",
         "{'t':'T'}",
         "{'id':'root','tabs':[{'child':{'id':'a','text':'A','type':'Text'},'title':'T'},"
         "{'child':{'id':'gone','state':'pending','type':'Placeholder'},'title':'B'}],'type':'Tabs'}"},
	{"two single children", "v0.9",
         "{'id':'root','component':'Modal','trigger':'a','content':'b'},{'id':'a','component':'Text','text':'A'},"
         "{'id':'b','component':'Text','text':'B'}",
         NULL,
         "{'content':{'id':'b','text':'B','type':'Text'},'id':'root','trigger':{'id':'a','text':'A','type':'Text'},"
         "'type':'Modal'}"},
	{"checks as they were written, with their verdict", "v0.9",
         "{'id':'root','component':'TextField','label':'L','value':{'path':'/v'},'checks':["
         "{'condition':{'call':'required','args':{'value':{'path':'/v'}}},'message':'first'},"
         "{'condition':{'call':'length','args':{'value':{'path':'/v'},'min':3}},'message':'second'},"
         "{'condition':true,'message':'never'}]}",
         "{'v':''}",
         "{'checks':[{'condition':{'args':{'value':{'path':'/v'}},'call':'required'},'message':'first'},"
         "{'condition':{'args':{'min':3,'value':{'path':'/v'}},'call':'length'},'message':'second'},"
         "{'condition':true,'message':'never'}],'id':'root','isValid':false,'label':'L','type':'TextField',"
         "'validationErrors':['first','second'],'value':''}"},
	{"nested lists and objects of a literal", "v0.9",
         "{'id':'root','component':'ChoicePicker','options':[{'label':'A','value':'a'},{'label':{'path':'/b'},"
         "'value':'b'}],'value':['a']}",
         "{'b':'B'}",
         "{'id':'root','options':[{'label':'A','value':'a'},{'label':'B','value':'b'}],'type':'ChoicePicker',"
         "'value':['a']}"},
	{"accessibility is one property", "v0.9",
         "{'id':'root','component':'Text','text':'x','accessibility':{'label':{'path':'/l'},'description':'d'}}",
         "{'l':'L'}",
         "{'accessibility':{'description':'d','label':'L'},'id':'root','text':'x','type':'Text'}"},
	{"keys sorted by UTF-16", "v0.9",
         "{'id':'root','component':'Text','text':'x'}", "{'\\ud83d\\ude00':1,'\\uffee':2,'\\u00e9':3,'a':4}", NULL},
};

SJ_TEST(resolved_trees)
{
	for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
		sj_case("%s", trees[i].name);
		open(trees[i].version, trees[i].components, trees[i].model);
		if (trees[i].tree)
			CHECK_STR(sj_slice_of(talk_tree(&t, "s")), talk_quote(&t, trees[i].tree));
		else /* U+1F600 is D83D DE00 and stands before U+FFEE */
			CHECK(strstr(talk_whole(&t, "s"), "{\"dataModel\":{\"a\":4,\"\xc3\xa9\":3,\"\xf0\x9f\x98\x80\":1,"
			                                  "\"\xef\xbf\xae\":2}") == talk_whole(&t, "s") ||
			      strncmp(talk_whole(&t, "s"),
			              "{\"dataModel\":{\"a\":4,\"\xc3\xa9\":3,\"\xf0\x9f\x98\x80\":1,\"\xef\xbf\xae\":2}", 40) == 0);
		talk_close(&t);
		sj_case_end();
	}
}

/* The whole document, and that asking twice, or before anything was drained, makes no difference. */
SJ_TEST(the_whole_report)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	const char *text = talk_quote(&t, "{'version':'v0.9','createSurface':{'surfaceId':'a/b','catalogId':'" BASIC09
	                                  "'}}{'version':'v0.9','updateComponents':{'surfaceId':'a/b','components':["
	                                  "{'id':'root','component':'Text','text':{'path':'/x'}}]}}"
	                                  "{'version':'v0.9','updateDataModel':{'surfaceId':'a/b','path':'/x','value':'y'}}");
	CHECK_OK(sj_engine_feed(t.e, t.peer, text, strlen(text)));
	const char *first = talk_whole(&t, "a/b");
	CHECK_STR(sj_slice_of(first), talk_quote(&t, "{'dataModel':{'x':'y'},'surfaceId':'a/b','tree':"
	                                             "{'id':'root','text':'y','type':'Text'}}"));
	CHECK_STR(sj_slice_of(talk_whole(&t, "a/b")), first);
	CHECK_OK(talk_take(&t));
	CHECK_STR(sj_slice_of(talk_whole(&t, "a/b")), first);
	CHECK_STR(sj_slice_of(talk_log(&t)), "NEW a/b\nCHANGED a/b\n");
	talk_close(&t);
}

SJ_TEST(unknown_types_are_placeholders_where_they_are_allowed)
{
	struct sj_engine_config cfg = {.strict = true,
	                               .strictness = {.allow_orphans = true,
	                                              .allow_dangling = true,
	                                              .allow_missing_root = true,
	                                              .allow_unknown = true}};
	CHECK_OK(talk_open(&t, sj_test_mem(), &cfg));
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	CHECK_OK(talk_components(&t, "v0.9", "s",
	                         "{'id':'root','component':'List','children':{'componentId':'w','path':'/rows'}},"
	                         "{'id':'w','component':'Widget','child':'x'}"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/rows", "[1,2]"));
	CHECK_STR(sj_slice_of(talk_tree(&t, "s")),
	          talk_quote(&t, "{'children':[{'id':'w','state':'unknown-type','type':'Placeholder'},"
	                         "{'id':'w','state':'unknown-type','type':'Placeholder'}],'id':'root','type':'List'}"));
	talk_close(&t);
}

/* ---- definitions ------------------------------------------------------------------------------------------------- */

SJ_TEST(definitions_as_written)
{
	open("v0.9",
	     "{ 'text' : {'path':'/x'} , 'id':'b', 'component':'Text'},{'component':'Card','child':'b','id':'root'}", NULL);
	/* in order of first definition; a later one takes the place of the earlier */
	CHECK_OK(talk_components(&t, "v0.9", "s", "{'id':'root','component':'Column','children':['b']}"));
	CHECK_OK(talk_components(&t, "v0.9", "s", "{'id':'b','variant':'h1'},{'id':'c','component':'Divider'}"));
	CHECK_INT(talk_faults(&t), 0);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_defs(&t, "s"), "")),
	          talk_quote(&t, "[{'component':'Text','id':'b','text':{'path':'/x'},'variant':'h1'},"
	                         "{'children':['b'],'component':'Column','id':'root'},{'component':'Divider','id':'c'}]"));
	talk_close(&t);
}

/* ---- validation results ------------------------------------------------------------------------------------------ */

SJ_TEST(validation_results)
{
	open("v0.9",
	     "{'id':'root','component':'Column','children':['ok','bad','none','list']},"
	     "{'id':'ok','component':'CheckBox','label':'L','value':true,'checks':[{'condition':true,'message':'m'}]},"
	     "{'id':'bad','component':'CheckBox','label':'L','value':true,'checks':[{'condition':true,'message':'m'},"
	     "{'condition':false,'message':'told'},{'condition':false,'message':'not told'}]},"
	     "{'id':'none','component':'CheckBox','label':'L','value':true},"
	     "{'id':'list','component':'List','children':{'componentId':'row','path':'/rows'}},"
	     "{'id':'row','component':'TextField','label':'L','value':{'path':'v'},'checks':[{'condition':"
	     "{'call':'required','args':{'value':{'path':'v'}}},'message':'empty'}]}",
	     "{'rows':[]}");
	CHECK_STR(sj_slice_of(talk_valid(&t, "s")),
	          talk_quote(&t, "{'ok':{'valid':true},'bad':{'valid':false,'message':'told','severity':'error'}}"));
	/* Several rows have one component: a key of each must tell them apart, or the report is no JSON object. */
	CHECK_OK(talk_data(&t, "v0.9", "s", "/rows", "[{'v':'x'},{}]"));
	const char *valid = talk_valid(&t, "s");
	CHECK_STR(sj_slice_of(talk_at(&t, valid, "/row~1rows~10/valid")), "true");
	CHECK_STR(sj_slice_of(talk_at(&t, valid, "/row~1rows~11/valid")), "false");
	CHECK_STR(sj_slice_of(talk_at(&t, valid, "/row~1rows~11/message")), "\"empty\"");
	talk_close(&t);
	sj_case("v1.0 results keep their own members");
	open("v1.0",
	     "{'id':'root','component':'TextField','label':'L','value':{'@path':'/v'},'checks':["
	     "{'condition':{'@call':'email','args':{'value':{'@path':'/v'}}}}]}",
	     "{'v':'nope'}");
	CHECK_STR(sj_slice_of(talk_at(&t, talk_valid(&t, "s"), "/root")),
	          talk_quote(&t, "{'code':'INVALID_EMAIL','message':"
	                         "'Please enter a valid email address (e.g. user@example.com).','severity':'error',"
	                         "'valid':false}"));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s"), "/validationErrors")),
	          "[\"Please enter a valid email address (e.g. user@example.com).\"]");
	CHECK_OK(talk_data(&t, "v1.0", "s", "/v", "'a@example.com'"));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_valid(&t, "s"), "/root" "/valid")), "true");
	sj_case_end();
	talk_close(&t);
}

/* ---- the data model that is asked for ---------------------------------------------------------------------------- */

static const char *data_model(uint32_t peer, enum sj_version v, enum sj_status want, struct sj_diag *d)
{
	struct sj_buf out;
	bool present = true;
	sj_buf_init(&out, &t.kept_mem, 0);
	sj_diag_clear(d);
	CHECK_INT(sj_engine_data_model_message(t.e, peer, v, &out, &present, d), want);
	const char *text = out.len ? sj_arena_copy(&t.kept, sj_buf_view(&out)).ptr : "";
	CHECK_INT(present, text[0] != '\0');
	sj_buf_finish(&out);
	return text;
}

static void sender(const char *version, const char *id, const char *model)
{
	CHECK_OK(talk_say(&t, "{'version':'%s','createSurface':{'surfaceId':'%s','catalogId':'%s','sendDataModel':true}}",
	                  version, id, strcmp(version, "v1.0") ? BASIC09 : BASIC10));
	CHECK_OK(talk_data(&t, version, id, "/", model));
}

SJ_TEST(data_model_message)
{
	struct sj_diag d;
	open("v0.9", NULL, "{'silent':1}");
	CHECK_STR(sj_slice_of(data_model(t.peer, SJ_VERSION_NONE, SJ_OK, &d)),
	          ""); /* flagged by nobody: nothing to send */
	sender("v0.9", "a", "{'x':1}");
	CHECK_STR(sj_slice_of(data_model(t.peer, SJ_VERSION_NONE, SJ_OK, &d)),
	          talk_quote(&t, "{'version':'v0.9','surfaces':{'a':{'x':1}}}"));
	CHECK_STR(sj_slice_of(data_model(t.peer, SJ_V10, SJ_OK, &d)), "");
	CHECK_STR(sj_slice_of(data_model(0, SJ_VERSION_NONE, SJ_OK, &d)), ""); /* another peer has none */
	sender("v0.9.1", "b", "{'y':[2]}"); /* of one family: no conflict */
	const char *both = data_model(t.peer, SJ_V09, SJ_OK, &d);
	CHECK_STR(sj_slice_of(talk_at(&t, both, "/surfaces")), talk_quote(&t, "{'a':{'x':1},'b':{'y':[2]}}"));
	talk_check_document(__FILE__, __LINE__, &t, 0, "client_data_model.json", both);
	sender("v1.0", "c", "{'z':3}");
	CHECK_STR(sj_slice_of(data_model(t.peer, SJ_VERSION_NONE, SJ_INVALID, &d)), "");
	CHECK_INT(d.category, SJ_CAT_VALIDATION);
	const char *one = data_model(t.peer, SJ_V10, SJ_OK, &d);
	CHECK_STR(sj_slice_of(one), talk_quote(&t, "{'version':'v1.0','surfaces':{'c':{'z':3}}}"));
	talk_check_document(__FILE__, __LINE__, &t, 2, "renderer_data_model.json", one);
	CHECK_STR(sj_slice_of(talk_at(&t, data_model(t.peer, SJ_V091, SJ_OK, &d), "/surfaces/a/x")), "1");
	CHECK_OK(talk_say(&t, "{'version':'v1.0','deleteSurface':{'surfaceId':'c'}}"));
	CHECK_STR(sj_slice_of(data_model(t.peer, SJ_V10, SJ_OK, &d)), "");
	talk_close(&t);
}

/* ---- capabilities ------------------------------------------------------------------------------------------------ */

static const char *capabilities(const enum sj_version *v, uint32_t n, bool inline_catalogs, enum sj_status want)
{
	struct sj_buf out;
	struct sj_diag d = {0};
	sj_buf_init(&out, &t.kept_mem, 0);
	CHECK_INT(sj_engine_capabilities(t.e, v, n, inline_catalogs, &out, &d), want);
	CHECK_INT(d.category, want == SJ_OK ? SJ_CAT_NONE : SJ_CAT_VALIDATION);
	const char *text = out.len ? sj_arena_copy(&t.kept, sj_buf_view(&out)).ptr : "";
	sj_buf_finish(&out);
	return text;
}

#define MINIMAL09 "https://a2ui.org/specification/v0_9/catalogs/minimal/minimal_catalog.json"

SJ_TEST(capabilities_by_version)
{
	const enum sj_version v09[] = {SJ_V09}, v091[] = {SJ_V091}, v10[] = {SJ_V10}, both[] = {SJ_V10, SJ_V09};
	struct sj_diag d = {0};
	open("v0.9", NULL, NULL);
	const char *old = capabilities(v09, 1, false, SJ_OK);
	CHECK_STR(sj_slice_of(talk_at(&t, old, "/v0.9/supportedCatalogIds/0")), "\"" BASIC09 "\"");
	CHECK_STR(sj_slice_of(talk_at(&t, old, "/v0.9/inlineCatalogs")), "absent");
	talk_check_document(__FILE__, __LINE__, &t, 0, "client_capabilities.json", old);
	CHECK_STR(sj_slice_of(capabilities(v091, 1, false, SJ_OK)), old); /* v0.9.1 is keyed v0.9 */
	const char *new = capabilities(v10, 1, false, SJ_OK);
	CHECK_STR(sj_slice_of(new), talk_quote(&t, "{'v1.0':{'supportedCatalogIds':['" BASIC10 "']}}"));
	talk_check_document(__FILE__, __LINE__, &t, 2, "renderer_capabilities.json", new);
	const char *two = capabilities(both, 2, false, SJ_OK);
	CHECK_STR(sj_slice_of(talk_at(&t, two, "/v1.0/supportedCatalogIds/0")), "\"" BASIC10 "\"");
	CHECK_STR(sj_slice_of(talk_at(&t, two, "/v0.9/supportedCatalogIds/0")), "\"" BASIC09 "\"");
	(void)capabilities(v10, 0, false, SJ_INVALID); /* at least one version must be named */
	/* registered ones follow in the order of their registration, each under its own version only */
	CHECK_OK(sj_engine_add_catalog(
		t.e,
		sj_slice_of(talk_quote(&t, "{'catalogId':'https://example.com/own','protocolVersion':"
	                                   "'1.0','components':{},'functions':{}}")),
		SJ_NO_SLICE, SJ_VERSION_NONE, &d));
	CHECK_STR(sj_slice_of(capabilities(v10, 1, false, SJ_OK)),
	          talk_quote(&t, "{'v1.0':{'supportedCatalogIds':['" BASIC10 "','https://example.com/own']}}"));
	CHECK_STR(sj_slice_of(capabilities(v09, 1, false, SJ_OK)), old);
	/* a second one of the same id and family is refused, and the first stays */
	CHECK_INT(sj_engine_add_catalog(
			  t.e,
			  sj_slice_of(talk_quote(&t, "{'catalogId':'https://example.com/own','protocolVersion':"
	                                             "'1.0','components':{},'functions':{}}")),
			  SJ_NO_SLICE, SJ_VERSION_NONE, &d),
	          SJ_INVALID);
	CHECK_INT(d.category, SJ_CAT_CATALOG);
	const char *whole = capabilities(v10, 1, true, SJ_OK);
	CHECK_STR(sj_slice_of(talk_at(&t, whole, "/v1.0/inlineCatalogs/1/catalogId")), "\"https://example.com/own\"");
	CHECK_STR(sj_slice_of(talk_at(&t, whole, "/v1.0/inlineCatalogs/0/catalogId")), "\"" BASIC10 "\"");
	CHECK(strstr(talk_at(&t, capabilities(v09, 1, true, SJ_OK), "/v0.9/inlineCatalogs/0/components/Text"),
	             "ComponentCommon") != NULL);
	talk_close(&t);
}
