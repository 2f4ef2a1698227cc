/* What becomes of each part of a message in another version. That whole examples stay what they are is
 * tests/face/convert_test.c. JSON is written with single quotes; of a stream, messages follow each other. */
#include "a2ui/convert.h"
#include "harness/test.h"

#include <stdio.h>
#include <stdlib.h>

static struct sj_value parse(struct sj_mem *mem, const char *text)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v = SJ_NULL_VALUE;
	char *copy = strdup(text);
	for (char *p = copy; *p; p++)
		*p = *p == '\'' ? '"' : *p;
	CHECK_OK(sj_value_parse(mem, &opt, sj_slice_of(copy), &v, NULL));
	free(copy);
	return v;
}

struct losses {
	char text[4000];
	size_t len;
};
static void on_lost(void *ctx, const struct sj_convert_loss *l)
{
	struct losses *all = ctx;
	int n = snprintf(all->text + all->len, sizeof all->text - all->len, "%u%.*s %s\n", l->message,
	                 SJ_ARG(l->pointer), l->reason);
	all->len += n > 0 ? (size_t)n : 0;
}

/* `lost`: a line for each loss, "MESSAGE/pointer reason". */
static void check(const char *from, enum sj_version to, enum sj_dialect d, const char *want, const char *lost, int line)
{
	struct sj_mem *mem = sj_test_mem();
	struct losses all = {.len = 0};
	struct sj_convert_options opt = {.to = to, .dialect = d, .lost = on_lost, .ctx = &all};
	struct sj_value messages = parse(mem, from), expected = parse(mem, want), got = SJ_NULL_VALUE;
	uint32_t n = 0, lines = 0;
	CHECK_OK(sj_convert(mem, &opt, &messages, &got, &n));
	if (!sj_value_equal(&got, &expected)) {
		struct sj_buf a, b;
		sj_buf_init(&a, mem, 0);
		sj_buf_init(&b, mem, 0);
		sj_value_print(&a, &got, SJ_PRINT_COMPACT);
		sj_value_print(&b, &expected, SJ_PRINT_COMPACT);
		sj_fail_at(__FILE__, line, "got\n%.*s\nwant\n%.*s", SJ_ARG(sj_buf_view(&a)), SJ_ARG(sj_buf_view(&b)));
		sj_buf_finish(&a);
		sj_buf_finish(&b);
	}
	for (const char *p = all.text; *p; p++)
		lines += *p == '\n';
	CHECK_INT(n, lines);
	if (strcmp(all.text, lost) != 0)
		sj_fail_at(__FILE__, line, "lost\n%swant\n%s", all.text, lost);
	sj_value_unref(mem, messages);
	sj_value_unref(mem, expected);
	sj_value_unref(mem, got);
}
#define CHECK_CONVERT(from, to, want, lost) check((from), (to), SJ_DIALECT_AUTO, (want), (lost), __LINE__)

#define BASIC09 "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
#define BASIC10 "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"
#define CREATE09 "{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':'" BASIC09 "'}}"
#define CREATE10 "{'version':'v1.0','createSurface':{'surfaceId':'s','catalogId':'" BASIC10 "'}}"
#define BEGIN "{'beginRendering':{'surfaceId':'s','root':'root'}}"
#define BEGAN "{'beginRendering':{'surfaceId':'s','catalogId':'" SJ_V08_STANDARD_ID "','root':'root'}}"
#define C08(list) "{'surfaceUpdate':{'surfaceId':'s','components':[" list "]}}"
#define C09(list) "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[" list "]}}"
#define C10(list) "{'version':'v1.0','updateComponents':{'surfaceId':'s','components':[" list "]}}"
#define D09(rest) "{'version':'v0.9','updateDataModel':{'surfaceId':'s'" rest "}}"
#define D10(rest) "{'version':'v1.0','updateDataModel':{'surfaceId':'s'" rest "}}"
#define D08(rest) "{'dataModelUpdate':{'surfaceId':'s'" rest "}}"

/* ---- components -------------------------------------------------------------------------------------------------- */

/* One component of v0.8 and of v0.9: the same both ways. */
SJ_TEST(properties_have_their_names_in_each_version)
{
	static const char *const rows[][2] = {
		{"{'id':'root','weight':2,'component':{'Text':{'text':{'literalString':'T'},'usageHint':'h2'}}}",
	         "{'id':'root','weight':2,'component':'Text','text':'T','variant':'h2'}"},
		{"{'id':'root','component':{'Image':{'url':{'path':'/u'},'altText':{'literalString':'A'},'fit':'scale-down','usageHint':'icon'}}}",
	         "{'id':'root','component':'Image','url':{'path':'/u'},'description':'A','fit':'scaleDown','variant':'icon'}"},
		{"{'id':'root','component':{'Icon':{'name':{'literalString':'home'}}}}", "{'id':'root','component':'Icon','name':'home'}"},
		{"{'id':'root','component':{'Row':{'children':{'explicitList':['a','b']},'distribution':'end','alignment':'center'}}}",
	         "{'id':'root','component':'Row','children':['a','b'],'justify':'end','align':'center'}"},
		{"{'id':'root','component':{'List':{'children':{'template':{'componentId':'a','dataBinding':'/l'}},'direction':'horizontal'}}}",
	         "{'id':'root','component':'List','children':{'componentId':'a','path':'/l'},'direction':'horizontal'}"},
		{"{'id':'root','component':{'Tabs':{'tabItems':[{'title':{'literalString':'T'},'child':'a'},{'title':{'path':'/t'},'child':'b'}]}}}",
	         "{'id':'root','component':'Tabs','tabs':[{'title':'T','child':'a'},{'title':{'path':'/t'},'child':'b'}]}"},
		{"{'id':'root','component':{'Modal':{'entryPointChild':'a','contentChild':'b'}}}",
	         "{'id':'root','component':'Modal','trigger':'a','content':'b'}"},
		{"{'id':'root','component':{'Button':{'child':'a','primary':true,'action':{'name':'go','context':[{'key':'k','value':{'path':'/k'}},"
	         "{'key':'n','value':{'literalNumber':1}}]}}}}",
	         "{'id':'root','component':'Button','child':'a','variant':'primary','action':{'event':{'name':'go','context':{'k':{'path':'/k'},'n':1}}}}"},
		{"{'id':'root','component':{'CheckBox':{'label':{'literalString':'L'},'value':{'path':'/v'}}}}",
	         "{'id':'root','component':'CheckBox','label':'L','value':{'path':'/v'}}"},
		{"{'id':'root','component':{'TextField':{'label':{'literalString':'L'},'text':{'path':'/v'},'textFieldType':'obscured'}}}",
	         "{'id':'root','component':'TextField','label':'L','value':{'path':'/v'},'variant':'obscured'}"},
		{"{'id':'root','component':{'MultipleChoice':{'selections':{'path':'/v'},'options':[{'label':{'literalString':'A'},'value':'a'}],"
	         "'maxAllowedSelections':1,'variant':'chips'}}}",
	         "{'id':'root','component':'ChoicePicker','value':{'path':'/v'},'options':[{'label':'A','value':'a'}],"
	         "'variant':'mutuallyExclusive','displayStyle':'chips'}"},
		{"{'id':'root','component':{'Slider':{'value':{'path':'/v'},'minValue':1,'maxValue':5}}}",
	         "{'id':'root','component':'Slider','value':{'path':'/v'},'min':1,'max':5}"},
		/* the pattern lets an empty field pass, as the property does */
		{"{'id':'root','component':{'TextField':{'label':{'literalString':'L'},'text':{'path':'/v'},'validationRegexp':'^[a-z]+$'}}}",
	         "{'id':'root','component':'TextField','label':'L','value':{'path':'/v'},'checks':[{'condition':{'call':'regex','args':"
	         "{'value':{'path':'/v'},'pattern':'^$|(?:^[a-z]+$)'},'returnType':'boolean'},'message':'This has not the expected form.'}]}"},
		{"{'id':'root','component':{'MultipleChoice':{'selections':{'path':'/v'},'options':[],'maxAllowedSelections':3}}}",
	         "{'id':'root','component':'ChoicePicker','value':{'path':'/v'},'options':[],'variant':'multipleSelection','checks':[{'condition':"
	         "{'call':'length','args':{'value':{'path':'/v'},'max':3},'returnType':'boolean'},'message':'Choose at most 3.'}]}"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char old[2000], new[2000];
		sj_case("%s", rows[i][0]);
		snprintf(old, sizeof old, "[" BEGAN "," C08("%s") "]", rows[i][0]);
		snprintf(new, sizeof new, "[" CREATE09 "," C09("%s") "]", rows[i][1]);
		CHECK_CONVERT(old, SJ_V09, new, "");
		CHECK_CONVERT(new, SJ_V08, old, "");
		sj_case_end();
	}
}

SJ_TEST(what_v08_leaves_out_is_said)
{
	CHECK_CONVERT("[" BEGIN "," C08("{'id':'a','component':{'Slider':{'value':{}}}},{'id':'b','component':{'Text':{'text':{}}}},"
	                                "{'id':'c','component':{'Button':{'child':'b','primary':false,'action':{'name':'n'}}}},"
	                                "{'id':'d','component':{'MultipleChoice':{'selections':{'literalArray':['x']},'options':[]}}},"
	                                "{'id':'e','component':{'Tabs':{'tabItems':[]}}},"
	                                "{'id':'f','component':{'TextField':{'label':{'literalString':'L'},'textFieldType':'date'}}},"
	                                "{'id':'g','component':{'Row':{'children':{}}}}") "]",
	              SJ_V09,
	              "[" CREATE09 "," C09("{'id':'a','component':'Slider','value':0,'max':100},{'id':'b','component':'Text','text':''},"
	                                   "{'id':'c','component':'Button','child':'b','action':{'event':{'name':'n'}}},"
	                                   "{'id':'d','component':'ChoicePicker','value':['x'],'options':[],'variant':'multipleSelection'},"
	                                   "{'id':'e','component':'Column','children':[]},"
	                                   "{'id':'f','component':'DateTimeInput','label':'L','enableDate':true,'value':''},"
	                                   "{'id':'g','component':'Row','children':[]}") "]",
	              "");
}

SJ_TEST(the_root_gets_its_name_and_gives_way)
{
	CHECK_CONVERT("[" C08("{'id':'top','component':{'Card':{'child':'root'}}},{'id':'root','component':{'Row':{'children':{'explicitList':"
	                      "['root_2','a-b']}}}},{'id':'root_2','component':{'Divider':{}}},{'id':'a-b','component':{'Divider':{}}}") ","
	              "{'beginRendering':{'surfaceId':'s','root':'top'}}]",
	              SJ_V09,
	              "[" CREATE09 "," C09("{'id':'root','component':'Card','child':'root_3'},{'id':'root_3','component':'Row','children':"
	                                   "['root_2','a-b']},{'id':'root_2','component':'Divider'},{'id':'a-b','component':'Divider'}") "]",
	              "");
	/* ids of v1.0 are identifiers */
	CHECK_CONVERT("[" CREATE09 "," C09("{'id':'root','component':'Row','children':['a-b','a_b','1']},{'id':'a-b','component':'Divider'},"
	                                   "{'id':'a_b','component':'Divider'},{'id':'1','component':'Divider'}") "]",
	              SJ_V10,
	              "[" CREATE10 "," C10("{'id':'root','component':'Row','children':['a_b_2','a_b','_1']},{'id':'a_b_2','component':'Divider'},"
	                                   "{'id':'a_b','component':'Divider'},{'id':'_1','component':'Divider'}") "]",
	              "");
}

SJ_TEST(headings_are_words_and_then_markdown)
{
	static const char *const rows[][2] = {
		{"'text':'Title','variant':'h1'", "'text':'# Title'"},
		{"'text':{'path':'/t'},'variant':'h3'", "'text':{'@call':'formatString','args':{'value':'### ${/t}'}}"},
		{"'text':{'call':'formatString','args':{'value':'A ${/t}'},'returnType':'string'},'variant':'h5'",
	         "'text':{'@call':'formatString','args':{'value':'##### A ${/t}'}}"},
		{"'text':'plain','variant':'caption'", "'text':'plain','variant':'caption'"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char old[800], new[800];
		snprintf(old, sizeof old, "[" CREATE09 "," C09("{'id':'root','component':'Text',%s}") "]", rows[i][0]);
		snprintf(new, sizeof new, "[" CREATE10 "," C10("{'id':'root','component':'Text',%s}") "]", rows[i][1]);
		CHECK_CONVERT(old, SJ_V10, new, "");
		CHECK_CONVERT(new, SJ_V09, old, "");
	}
	CHECK_CONVERT("[" CREATE09 "," C09("{'id':'root','component':'Text','variant':'h2','text':{'call':'formatNumber','args':{'value':"
	                                   "{'path':'/n'},'decimals':2},'returnType':'string'}}") "]",
	              SJ_V10,
	              "[" CREATE10 "," C10("{'id':'root','component':'Text','text':{'@call':'formatString','args':{'value':"
	                                   "'## ${formatNumber(value: /n, decimals: 2)}'}}}") "]",
	              "");
	CHECK_CONVERT("[" CREATE10 "," C10("{'id':'root','component':'Text','text':'## Two'}") "]", SJ_V08,
	              "[" BEGAN "," C08("{'id':'root','component':{'Text':{'text':{'literalString':'Two'},'usageHint':'h2'}}}") "]", "");
}

SJ_TEST(keys_are_spelled_as_their_version_spells_them)
{
	const char *bare = "[" CREATE09 "," C09("{'id':'root','component':'Button','child':'a','action':{'event':{'name':'go','context':"
	                                        "{'path':{'path':'/a'},'call':'b','list':[{'path':'/c'},{'@k':1}]}}}}") "]";
	const char *reserved = "[" CREATE10 "," C10("{'id':'root','component':'Button','child':'a','action':{'event':{'name':'go','context':"
	                                            "{'path':{'@path':'/a'},'call':'b','list':[{'@path':'/c'},{'@@k':1}]}}}}") "]";
	CHECK_CONVERT(bare, SJ_V10, reserved, "");
	CHECK_CONVERT(reserved, SJ_V09, bare, "");
	check(bare, SJ_V10, SJ_DIALECT_BARE,
	      "[" CREATE10 "," C10("{'id':'root','component':'Button','child':'a','action':{'event':{'name':'go','context':"
	                           "{'path':{'path':'/a'},'call':'b','list':[{'path':'/c'},{'@k':1}]}}}}") "]", "", __LINE__);
	CHECK_CONVERT("[" CREATE10 "," C10("{'id':'root','component':'Button','child':'a','action':{'event':{'name':'go','context':"
	                                   "{'x':{'path':'data'},'y':{'@path':'/y'}}}}}") "]",
	              SJ_V09,
	              "[" CREATE09 "," C09("{'id':'root','component':'Button','child':'a','action':{'event':{'name':'go','context':"
	                                   "{'x':{'path':'data'},'y':{'path':'/y'}}}}}") "]",
	              "2/updateComponents/components/0/action with bare keys an object that holds 'path' is no data\n");
}

SJ_TEST(checks_keep_their_words)
{
	CHECK_CONVERT("[" CREATE09 "," C09("{'id':'root','component':'CheckBox','label':'L','value':{'path':'/v'},'checks':[{'condition':{'path':'/v'},"
	                                   "'message':'M'},{'condition':true,'message':'T'},{'condition':false,'message':'F'},{'condition':"
	                                   "{'call':'email','args':{'value':{'path':'/e'}}},'message':'E'}]}") "]",
	              SJ_V10,
	              "[" CREATE10 "," C10("{'id':'root','component':'CheckBox','label':'L','value':{'@path':'/v'},'checks':[{'condition':{'@path':'/v'},"
	                                   "'message':'M'},{'condition':{'@call':'not','args':{'value':true}},'message':'F'},{'condition':{'@call':"
	                                   "'and','args':{'values':[{'@call':'email','args':{'value':{'@path':'/e'}}},true]}},'message':'E'}]}") "]",
	              "");
	CHECK_CONVERT("[" CREATE10 "," C10("{'id':'root','component':'CheckBox','label':'L','value':{'@path':'/v'},'checks':[{'condition':{'@path':'/v'}},"
	                                   "{'condition':{'@call':'and','args':{'values':[{'@call':'email','args':{'value':{'@path':'/e'}}},true]}},"
	                                   "'message':'E'}]}") "]",
	              SJ_V09,
	              "[" CREATE09 "," C09("{'id':'root','component':'CheckBox','label':'L','value':{'path':'/v'},'checks':[{'condition':{'path':'/v'},"
	                                   "'message':'This is not valid.'},{'condition':{'call':'email','args':{'value':{'path':'/e'}},'returnType':"
	                                   "'boolean'},'message':'E'}]}") "]",
	              "");
}

/* A part of a component is sent whole where parts are not known. */
SJ_TEST(parts_of_components_are_put_together)
{
	CHECK_CONVERT("[" CREATE09 "," C09("{'id':'root','component':'Text','text':'a','variant':'body'}") "," C09("{'id':'root','text':'b'}") "]",
	              SJ_V10,
	              "[" CREATE10 "," C10("{'id':'root','component':'Text','text':'a','variant':'body'}") "," C10("{'id':'root','component':'Text','text':'b','variant':'body'}") "]",
	              "");
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

SJ_TEST(initialisers_become_writes_before)
{
	CHECK_CONVERT("[" BEGIN "," C08("{'id':'root','component':{'TextField':{'label':{'literalString':'L'},'text':{'literalString':'x','path':'/n'}}}}") ","
	              C08("{'id':'root','component':{'TextField':{'label':{'literalString':'M'},'text':{'literalString':'x','path':'/n'}}}}") "]",
	              SJ_V09,
	              "[" CREATE09 "," D09(",'path':'/n','value':'x'") "," C09("{'id':'root','component':'TextField','label':'L','value':{'path':'/n'}}") ","
	              C09("{'id':'root','component':'TextField','label':'M','value':{'path':'/n'}}") "]",
	              "");
}

SJ_TEST(typed_entries_and_values)
{
	/* what was held comes after the surface, in order; the first write may be one */
	static const char held[] =
		"[" D08(",'contents':[{'key':'a','valueString':'x'},{'key':'m','valueMap':[{'key':'n','valueNumber':1}]}]")
		"," D08(",'contents':[{'key':'b','valueBoolean':true}]")
		"," D08(",'path':'/m','contents':[{'key':'k','valueString':'v'}]")
		"," D08(",'path':'/list','contents':[{'key':'0','valueString':'z'}]")
		"," BEGIN "]";
	static const char set[] =
		"[" CREATE10
		"," D10(",'value':{'a':'x','m':{'n':1}}")
		"," D10(",'path':'/b','value':true")
		"," D10(",'path':'/m/k','value':'v'")
		"," D10(",'path':'/list','value':{'0':'z'}") "]";
	CHECK_CONVERT(held, SJ_V10, set, "");
	static const char values[] =
		"[" CREATE09
		"," D09(",'value':{'a':'x','l':[1,'y'],'z':null}")
		"," D09(",'path':'/a/b','value':{'c':false}")
		"," D09(",'path':'/a'")
		"," D09(",'value':{'a':'new'}")
		"," D09(",'value':3") "]";
	static const char entries[] =
		"[" BEGAN
		"," D08(",'contents':[{'key':'a','valueString':'x'},{'key':'l','valueString':'[1,\\'y\\']'}]")
		"," D08(",'path':'/a','contents':[{'key':'b','valueMap':[{'key':'c','valueBoolean':false}]}]")
		"," D08(",'contents':[{'key':'a','valueString':'new'}]") "]";
	CHECK_CONVERT(values, SJ_V08, entries,
	              "2/updateDataModel/z v0.8 has no null\n"
	              "4/updateDataModel v0.8 cannot remove data\n"
	              "5/updateDataModel v0.8 merges into the model: members that are not named here stay\n"
	              "6/updateDataModel in v0.8 the whole model is a map\n");
}

/* v0.8 has no entry for a list: a text that is one stands for it. */
SJ_TEST(lists_travel_as_texts)
{
	CHECK_CONVERT("[" BEGIN "," D08(",'contents':[{'key':'l','valueString':' [1,{}] '},{'key':'t','valueString':'[no'}]") "]",
	              SJ_V09, "[" CREATE09 "," D09(",'value':{'l':[1,{}],'t':'[no'}") "]", "");
	CHECK_CONVERT("[" CREATE09 "," D09(",'path':'/t','value':'[1]'") "]", SJ_V08,
	              "[" BEGAN "," D08(",'contents':[{'key':'t','valueString':'[1]'}]") "]",
	              "2/updateDataModel/t v0.8 reads this text as the JSON that it spells\n");
}

SJ_TEST(null_and_nothing)
{
	CHECK_CONVERT("[" CREATE09 "," D09(",'path':'/a/b','value':null") "," D09(",'path':'/a'") "," D09("") "]",
	              SJ_V10,
	              "[" CREATE10 "," D10(",'path':'/a','value':{'b':null}") "," D10(
			      ",'path':'/a','value':null") "," D10(",'value':null") "]",
	              "");
	CHECK_CONVERT("[" CREATE10 "," D10(",'path':'/a','value':null") "," D10(",'path':'/b','value':{'c':null}") "]",
	              SJ_V09, "[" CREATE09 "," D09(",'path':'/a'") "," D09(",'path':'/b','value':{'c':null}") "]", "");
}

/* ---- surfaces ---------------------------------------------------------------------------------------------------- */

SJ_TEST(surfaces_and_their_looks)
{
	CHECK_CONVERT("[{'beginRendering':{'surfaceId':'s','root':'root','styles':{'primaryColor':'#102030','font':'Serif'}}}]", SJ_V09,
	              "[{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':'" BASIC09 "','theme':{'primaryColor':'#102030','font':'Serif'}}}]",
	              "");
	/* v1.0 has no theme: kept where vendors keep theirs, and found there on the way back */
	const char *themed = "[{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':'" BASIC09 "','sendDataModel':true,'theme':"
	                     "{'primaryColor':'#102030','agentDisplayName':'A'}}}]";
	const char *kept = "[{'version':'v1.0','createSurface':{'surfaceId':'s','catalogId':'" BASIC10 "','sendDataModel':true,'metadata':"
	                   "{'extensions':{'theme':{'primaryColor':'#102030','agentDisplayName':'A'}}}}}]";
	CHECK_CONVERT(themed, SJ_V10, kept, "");
	CHECK_CONVERT(kept, SJ_V09, themed, "");
	CHECK_CONVERT(
		themed, SJ_V08,
		"[{'beginRendering':{'surfaceId':'s','catalogId':'" SJ_V08_STANDARD_ID
		"','root':'root','styles':{'primaryColor':'#102030'}}}]",
		"1/createSurface/theme/agentDisplayName v0.8 has no style 'agentDisplayName'\n1/createSurface v0.8 sends no data model along\n");
	/* a surface that comes with everything */
	CHECK_CONVERT("[{'version':'v1.0','createSurface':{'surfaceId':'s','catalogId':'" BASIC10 "','dataModel':{'a':1},'components':"
	              "[{'id':'root','component':'Divider'}]}},{'version':'v1.0','deleteSurface':{'surfaceId':'s'}},"
	              "{'version':'v1.0','deleteSurface':{'surfaceId':'never'}}]",
	              SJ_V09,
	              "[" CREATE09 "," D09(",'value':{'a':1}") "," C09("{'id':'root','component':'Divider'}") ","
	              "{'version':'v0.9','deleteSurface':{'surfaceId':'s'}},{'version':'v0.9','deleteSurface':{'surfaceId':'never'}}]",
	              "");
	CHECK_CONVERT("[{'beginRendering':{'surfaceId':'s','root':'root','catalogId':'" SJ_V08_MINIMAL_ID "'}}]", SJ_V09,
	              "[{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':"
	              "'https://a2ui.org/specification/v0_9/catalogs/minimal/catalog.json'}}]", "");
}

SJ_TEST(what_waits_and_what_is_mixed)
{
	/* never begun: made, but nothing of it has the name of a root */
	CHECK_CONVERT("[" C08("{'id':'root','component':{'Divider':{}}}") "]", SJ_V09,
	              "[" CREATE09 "," C09("{'id':'root_2','component':'Divider'}") "]", "");
	/* one id, two lives, two versions */
	CHECK_CONVERT("[" BEGIN ",{'deleteSurface':{'surfaceId':'s'}}," CREATE09
	              "," C09("{'id':'root','component':'Divider'}") ",5,{'version':'v7','createSurface':{}}]",
	              SJ_V10,
	              "[" CREATE10 ",{'version':'v1.0','deleteSurface':{'surfaceId':'s'}}," CREATE10
	              "," C10("{'id':'root','component':'Divider'}") "]",
	              "5 this is no message of the protocol\n6 the message names no version that is known\n");
	/* what is of the version already stays as it is */
	CHECK_CONVERT("[" BEGIN "," C08("{'id':'x','component':{'Foo':1}}") "]", SJ_V08,
	              "[" BEGIN "," C08("{'id':'x','component':{'Foo':1}}") "]", "");
	CHECK_CONVERT("[" CREATE09 "]", SJ_V091, "[{'version':'v0.9.1','createSurface':{'surfaceId':'s','catalogId':'" BASIC09 "'}}]", "");
}

SJ_TEST(what_an_older_version_cannot_say)
{
	CHECK_CONVERT("[" CREATE10 "," C10("{'id':'root','component':'TextField','label':'L','placeholder':'P','accessibility':{'label':'A','live':'polite'},"
	                                   "'metadata':{}},{'id':'b','component':'Button','child':'root','action':{'event':{'name':'n','userMessage':'U'}}},"
	                                   "{'id':'c','component':'Text','text':{'@call':'@index'}}") ",{'version':'v1.0','callRendererFunction':{'functionCallId':'1',"
	              "'callFunction':{'@call':'f','catalogId':'c'}}}]",
	              SJ_V09,
	              "[" CREATE09 "," C09("{'id':'root','component':'TextField','label':'L','accessibility':{'label':'A'}},{'id':'b','component':'Button',"
	                                   "'child':'root','action':{'event':{'name':'n'}}},{'id':'c','component':'Text','text':{'call':'@index'}}") "]",
	              "2/updateComponents/components/0/metadata before v1.0 a component has no metadata\n"
	              "2/updateComponents/components/0/placeholder before v1.0 there is no 'placeholder' of TextField\n"
	              "2/updateComponents/components/0/accessibility before v1.0 accessibility has no 'live'\n"
	              "2/updateComponents/components/1/action before v1.0 an event has no userMessage\n"
	              "2/updateComponents/components/2/text before v1.0 there is no @index\n"
	              "3/callRendererFunction before v1.0 no functions are called\n");
	CHECK_CONVERT("[" CREATE09 "," C09("{'id':'root','component':'Button','child':'a','variant':'borderless','action':{'functionCall':{'call':'openUrl',"
	                                   "'args':{'url':'https://example.com'}}},'checks':[{'condition':true,'message':'M'}]},{'id':'a','component':"
	                                   "'Icon','name':'play'},{'id':'t','component':'Text','text':{'call':'formatString','args':{'value':'${/only}'}}}") "]",
	              SJ_V08,
	              "[" BEGAN "," C08("{'id':'root','component':{'Button':{'child':'a','action':{'name':'openUrl'}}}},{'id':'a','component':{'Icon':{'name':{}}}},"
	                                "{'id':'t','component':{'Text':{'text':{'path':'/only'}}}}") "]",
	              "2/updateComponents/components/0/variant v0.8 knows buttons that are primary and buttons that are not\n"
	              "2/updateComponents/components/0/action v0.8 has no functions: a press sends an event of that name\n"
	              "2/updateComponents/components/0/checks/0 v0.8 has no checks\n"
	              "2/updateComponents/components/1/name v0.8 has no such icon\n");
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static enum sj_status all_at_once(struct sj_mem *mem, void *ctx)
{
	static const char *const streams[] = {
		"[" C08("{'id':'top','component':{'Row':{'children':{'explicitList':['root','x-y']}}}},{'id':'root','component':{'TextField':{'label':"
		        "{'literalString':'a label of more than fourteen bytes'},'text':{'literalString':'x','path':'/a/b'},'validationRegexp':'^a+$'}}}") ","
		D08(",'contents':[{'key':'m','valueMap':[{'key':'n','valueNumber':1}]}]") ",{'beginRendering':{'surfaceId':'s','root':'top','styles':"
		"{'font':'Serif'}}}," D08(",'path':'/m','contents':[{'key':'o','valueString':'text'}]") "]",
		"[" CREATE09 "," C09("{'id':'root','component':'Text','variant':'h2','text':{'path':'/t'}}") "," D09(",'path':'/a/0/b','value':null") "]",
		"[" CREATE10 "," C10("{'id':'root','component':'Text','text':{'@call':'formatString','args':{'value':'# ${/t}'}}}") "]"};
	static const enum sj_version to[] = {SJ_V10, SJ_V08, SJ_V09};
	enum sj_status st = SJ_OK;
	(void)ctx;
	for (size_t i = 0; i < sizeof streams / sizeof *streams && st == SJ_OK; i++) {
		struct losses all = {.len = 0};
		struct sj_convert_options opt = {.to = to[i], .lost = on_lost, .ctx = &all};
		struct sj_value messages = parse(sj_test_mem(), streams[i]), out;
		uint32_t n;
		struct sj_buf text;
		/* The list lives on its own account, as values never cross. */
		sj_buf_init(&text, sj_test_mem(), 0);
		sj_value_print(&text, &messages, SJ_PRINT_COMPACT);
		sj_value_unref(sj_test_mem(), messages);
		struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
		st = sj_value_parse(mem, &wire, sj_buf_view(&text), &messages, NULL);
		sj_buf_finish(&text);
		if (st != SJ_OK)
			break;
		st = sj_convert(mem, &opt, &messages, &out, &n);
		if (st == SJ_OK)
			sj_value_unref(mem, out);
		sj_value_unref(mem, messages);
	}
	return st;
}

SJ_TEST(every_allocation_may_fail) { sj_torture(all_at_once, NULL); }

SJ_TEST(only_lists_of_messages_are_converted)
{
	struct sj_value v = sj_value_int(1), out;
	struct sj_value list = parse(sj_test_mem(), "[]");
	uint32_t n;
	CHECK_INT(sj_convert(sj_test_mem(), &(struct sj_convert_options){.to = SJ_V09}, &v, &out, &n), SJ_INVALID);
	CHECK_INT(sj_convert(sj_test_mem(), &(struct sj_convert_options){.to = SJ_VERSION_NONE}, &list, &out, &n),
	          SJ_INVALID);
	CHECK_OK(sj_convert(sj_test_mem(), &(struct sj_convert_options){.to = SJ_V09}, &list, &out, &n));
	CHECK_INT(sj_value_count(&out), 0);
	sj_value_unref(sj_test_mem(), out);
	sj_value_unref(sj_test_mem(), list);
}
