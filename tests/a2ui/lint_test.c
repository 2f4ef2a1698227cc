/* Lints: what each rule finds, what it lets be, and that the official examples give no false alarm. */
#include <stdio.h>

#include "engine/talk.h"

static struct talk t;

struct said {
	char text[8192]; /* "rule:component:pointer " for each */
	size_t len;
	char hint[512];  /* of the last */
};

static void on_lint(void *ctx, const struct sj_lint *l)
{
	struct said *s = ctx;
	CHECK_INT(l->diag.severity, SJ_SEV_WARNING);
	CHECK_INT(l->diag.code, SJ_E_LINT);
	CHECK_STR(sj_slice_of(l->diag.detail), sj_lint_name(l->rule));
	CHECK(l->diag.message[0] != 0);
	s->len += (size_t)snprintf(s->text + s->len, sizeof s->text - s->len, "%s%s:%.*s:%s", s->len ? " " : "",
	                           sj_lint_name(l->rule), SJ_ARG(l->component), l->diag.pointer);
	snprintf(s->hint, sizeof s->hint, "%s", l->diag.hint);
}

static struct said lint(const char *surface, bool basic)
{
	struct said s = {.len = 0};
	uint32_t before = talk_heard(&t, SJ_EV_SEND);
	CHECK_OK(sj_view_lint(t.e, talk_view(&t, surface), basic, on_lint, &s));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), before); /* nobody but the caller hears of it */
	return s;
}

#define ROOT(children) "{'id':'root','component':'Column','children':[" children "]}"
#define TEXT(id, text) "{'id':'" id "','component':'Text','text':" text "}"
#define FIELD(id, more) "{'id':'" id "','component':'TextField','label':'L'," more "}"
#define BUTTON(id, more) "{'id':'" id "','component':'Button','child':'bt'" more "}," TEXT("bt", "'Go'")
#define EVENT ",'action':{'event':{'name':'n'}}"
#define LIST(text) "{'id':'root','component':'List','children':{'componentId':'row','path':'/rows'}}," TEXT("row", text)

static const struct {
	const char *name, *version, *components, *model, *said, *hint;
} rows[] = {
	{"nothing to say", "v0.9",
         ROOT("'f','b','x'") "," FIELD("f", "'value':{'path':'/f'}") "," BUTTON("b", EVENT) "," TEXT("x", "'x'"), NULL,
         "", ""},
	{"absolute path in a row", "v0.9", LIST("{'path':'/name'}"), "{'rows':[{'name':'a'}]}",
         "absolute-path-in-row:row:/text/path", "Did you mean 'name'?"},
	{"an absolute path that is there is meant", "v0.9", LIST("{'path':'/name'}"),
         "{'rows':[{'name':'a'}],'name':'b'}", "", ""},
	{"inside a text", "v0.9", LIST("{'call':'formatString','args':{'value':'a ${/name}'},'returnType':'string'}"),
         "{'rows':[{'name':'a'}]}", "absolute-path-in-row:row:/text/args/value", "Did you mean 'name'?"},
	{"nothing writes there", "v0.9", ROOT("'x'") "," TEXT("x", "{'path':'/user/nmae'}"), "{'user':{'name':'A'}}",
         "unwritten-path:x:/text/path", "Did you mean '/user/name'?"},
	{"an input writes there", "v0.9",
         ROOT("'x','f'") "," TEXT("x", "{'path':'/f'}") "," FIELD("f", "'value':{'path':'/f'}"), NULL, "", ""},
	{"an input writes below", "v0.9",
         ROOT("'b','f'") "," FIELD("f", "'value':{'path':'/form/f'}") "," BUTTON(
		 "b", ",'action':{'event':{'name':'n','context':{'all':{'path':'/form'}}}}"),
         NULL, "", ""},
	{"a context that nothing fills", "v0.9",
         ROOT("'b'") "," BUTTON("b", ",'action':{'event':{'name':'n','context':{'all':{'path':'/no'}}}}"), NULL,
         "unwritten-path:b:/action/event/context/all/path", NULL},
	{"a list that nothing fills", "v0.9", LIST("'x'"), NULL, "unwritten-path:root:/children/path", NULL},
	{"a check over what is entered", "v0.9",
         ROOT("'f'") "," FIELD(
		 "f", "'value':{'path':'/f'},'checks':[{'message':'m','condition':{'call':'required','args':{'value':"
		      "{'path':'/f'}}}}]"),
         NULL, "", ""},
	{"wrong type", "v0.9", ROOT("'s'") ",{'id':'s','component':'Slider','label':'L','max':5,'value':{'path':'/s'}}",
         "{'s':[1]}", "wrong-type:s:/value", NULL},
	{"text that spells a number is none", "v0.9",
         ROOT("'s'") ",{'id':'s','component':'Slider','label':'L','max':5,'value':{'path':'/s'}}", "{'s':'3'}", "", ""},
	{"template over no list", "v0.9", LIST("'x'"), "{'rows':{'a':1}}", "template-over-no-list:root:/children",
         NULL},
	{"a path as text", "v0.9", ROOT("'f'") "," FIELD("f", "'value':'/user/name'"), NULL, "path-as-text:f:/value",
         "Write {\"path\": ...} to bind it."},
	{"a text that begins with a stroke is one", "v0.9", ROOT("'x'") "," TEXT("x", "'/ 2 of 3'"), NULL, "", ""},
	{"unbound", "v0.9", ROOT("'f'") "," FIELD("f", "'value':'abc'"), NULL, "unbound-input:f:/value", NULL},
	{"without any value", "v0.9", ROOT("'f'") ",{'id':'f','component':'TextField','label':'L'}", NULL,
         "unbound-input:f:", NULL},
	{"no label", "v0.9", ROOT("'s'") ",{'id':'s','component':'Slider','max':5,'value':{'path':'/s'}}", NULL,
         "input-without-label:s:", NULL},
	{"an accessibility label will do", "v0.9",
         ROOT("'s'") ",{'id':'s','component':'Slider','max':5,'value':{'path':'/s'},'accessibility':{'label':'L'}}",
         NULL, "", ""},
	{"a button that says nothing", "v0.9",
         ROOT("'b'") ",{'id':'b','component':'Button','child':'d','action':{'event':{'name':'n'}}},{'id':'d','component':'Divider'}",
         NULL, "button-without-text:b:", NULL},
	{"an icon says something", "v0.9",
         ROOT("'b'") ",{'id':'b','component':'Button','child':'d','action':{'event':{'name':'n'}}},{'id':'d','component':'Icon','name':'send'}",
         NULL, "", ""},
	{"an event without a name", "v0.9", ROOT("'b'") "," BUTTON("b", ",'action':{'event':{'name':''}}"), NULL,
         "event-without-name:b:/action/event/name", NULL},
	{"an image without a description", "v0.9",
         ROOT("'i'") ",{'id':'i','component':'Image','url':'https://e.example/'}", NULL, "image-without-alt:i:", NULL},
	{"one that is hidden", "v1.0",
         ROOT("'r'") ",{'id':'r','component':'Row','children':['i'],'accessibility':{'hidden':true}},{'id':'i','component':'Image','url':"
                     "'https://e.example/'}",
         NULL, "", ""},
	{"nobody names it", "v0.9", ROOT("'x'") "," TEXT("x", "'x'") "," TEXT("y", "'y'"), NULL,
         "unreachable-component:y:", NULL},
	{"an icon that is none", "v0.9", ROOT("'i'") ",{'id':'i','component':'Icon','name':{'path':'/i'}}",
         "{'i':'shoping_cart'}", "unknown-icon:i:/name", "Did you mean 'shoppingCart'?"},
	{"an icon by data", "v1.0", ROOT("'i'") ",{'id':'i','component':'Icon','name':{'path':'/i'}}", "{'i':'star'}",
         "", ""},
	{"checks that nothing can change", "v0.9",
         ROOT("'f'") "," FIELD(
		 "f",
		 "'value':{'path':'/f'},'checks':[{'message':'m','condition':true},{'message':'n','condition':{'call':"
		 "'required','args':{'value':''}}}]"),
         NULL, "check-never-fails:f:/checks/0/condition check-always-fails:f:/checks/1/condition", NULL},
	{"and in v1.0", "v1.0",
         ROOT("'f'") "," FIELD("f",
                               "'value':{'path':'/f'},'checks':[{'condition':{'call':'email','args':{'value':'x'}}}]"),
         NULL, "check-always-fails:f:/checks/0/condition", NULL},
};

SJ_TEST(each_rule_finds_what_it_names_and_nothing_else)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		sj_case("%s", rows[i].name);
		CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
		CHECK_OK(talk_create(&t, rows[i].version, "s"));
		if (rows[i].model)
			CHECK_OK(talk_data(&t, rows[i].version, "s", "/", rows[i].model));
		CHECK_OK(talk_components(&t, rows[i].version, "s", rows[i].components));
		CHECK_INT(talk_faults(&t), 0);
		struct said s = lint("s", false);
		CHECK_STR(sj_slice_of(s.text), rows[i].said);
		if (rows[i].hint)
			CHECK_STR(sj_slice_of(s.hint), rows[i].hint);
		talk_close(&t);
		sj_case_end();
	}
}

/* Without being asked for lints, only what values show to be wrong. */
SJ_TEST(basic_is_about_values)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/", "{'v':{'a':1}}"));
	CHECK_OK(talk_components(&t, "v0.9", "s", ROOT("'s','i'") ",{'id':'s','component':'Slider','max':5,'value':{'path':'/v'}},{'id':'i',"
	                                                          "'component':'Image','url':{'path':'/v'}}"));
	CHECK_STR(sj_slice_of(lint("s", true).text), "wrong-type:s:/value wrong-type:i:/url");
	talk_close(&t);
}

SJ_TEST(a_type_that_changed_is_remembered)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	CHECK_OK(talk_components(&t, "v0.9", "s", ROOT("'x'") "," TEXT("x", "'x'")));
	CHECK_OK(talk_components(&t, "v0.9", "s", TEXT("x", "'y'")));
	CHECK_STR(sj_slice_of(lint("s", false).text), "");
	CHECK_OK(talk_components(&t, "v0.9", "s", "{'id':'x','component':'Divider'}"));
	CHECK_OK(talk_components(&t, "v0.9", "s", "{'id':'x','component':'Divider','axis':'vertical'}"));
	CHECK_STR(sj_slice_of(lint("s", false).text), "type-changed:x:/component");
	talk_close(&t);
}

/* Catalogs that accept everything: words of earlier versions, buttons without an action. */
SJ_TEST(permissive_catalogs_need_a_reviewer)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(sj_engine_add_permissive(t.e, SJ_LIT("urn:any"), SJ_V10));
	CHECK_OK(talk_say(&t, "{'version':'v1.0','createSurface':{'surfaceId':'s','catalogId':'urn:any','components':[%s]}}",
	                  ROOT("'x','y','b'") ",{'id':'x','component':'Text','text':'x','variant':'h2'},{'id':'y','component':'Text',"
	                  "'text':'y','usageHint':'h1'}," BUTTON("b", "")));
	CHECK_INT(talk_faults(&t), 0);
	CHECK_STR(sj_slice_of(lint("s", false).text),
	          "older-version-word:x:/variant older-version-word:y:/usageHint button-without-action:b:");
	talk_close(&t);
}

SJ_TEST(deprecated_by_the_catalog)
{
	static const char catalog[] =
		"{'catalogId':'urn:d','protocolVersion':'1.0','components':{'Old':{'type':'object','x-deprecated-reason':'Use New.',"
		"'properties':{'component':{'const':'Old'},'a':{'type':'string','x-deprecated-reason':'Use b.'},'b':{'type':'string',"
		"'deprecated':true},'c':{'type':'string'}},'required':['component']}}}";
	struct sj_diag d = {0};
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_INT(sj_engine_add_catalog(t.e, sj_slice_of(talk_quote(&t, catalog)), SJ_NO_SLICE, SJ_V10, &d), SJ_OK);
	CHECK_STR(sj_slice_of(d.message), "");
	CHECK_OK(talk_say(&t, "{'version':'v1.0','createSurface':{'surfaceId':'s','catalogId':'urn:d','components':[{'id':'root',"
	                      "'component':'Old','a':'1','b':'2','c':'3'}]}}"));
	CHECK_INT(talk_faults(&t), 0);
	CHECK_STR(sj_slice_of(lint("s", false).text), "deprecated:root:/component deprecated:root:/a deprecated:root:/b");
	talk_close(&t);
}

/* ---- the official examples --------------------------------------------------------------------------------------- */

struct listing {
	struct sj_slice text; /* of the list */
	const char *file;
	uint32_t found;
};

static bool is_listed(const struct listing *l, struct sj_slice rule, struct sj_slice component)
{
	bool here = false;
	char want[256];
	snprintf(want, sizeof want, "%s %.*s", l->file, SJ_ARG(component));
	for (size_t at = 0; at < l->text.len;) {
		size_t end = at;
		while (end < l->text.len && l->text.ptr[end] != '\n')
			end++;
		struct sj_slice line = sj_slice(l->text.ptr + at, end - at);
		if (sj_slice_starts(line, "= "))
			here = sj_slice_eq(sj_slice(line.ptr + 2, line.len - 2), rule);
		else if (here && sj_slice_is(line, want))
			return true;
		at = end + 1;
	}
	return false;
}

static void on_example(void *ctx, const struct sj_lint *l)
{
	struct listing *list = ctx;
	list->found++;
	if (!is_listed(list, sj_slice_of(sj_lint_name(l->rule)), l->component))
		sj_fail_at(__FILE__, __LINE__, "%s: %s", list->file, l->diag.message);
}

SJ_TEST(no_false_alarm_on_the_official_examples)
{
	static const char *const folders[] = {"v0_8/json/catalogs/basic", "v0_8/json/catalogs/minimal",
	                                      "v0_9/catalogs/basic",      "v0_9/catalogs/minimal",
	                                      "v0_9_1/catalogs/basic",    "v1_0/catalogs/basic"};
	struct listing list = {.text = sj_slurp(sj_root("tests/a2ui/lint_examples.txt"))};
	uint32_t lines = 0, files = 0;
	for (size_t i = 0; i < list.text.len; i++)
		lines += list.text.ptr[i] == 'v' && i > 0 && list.text.ptr[i - 1] == '\n';
	for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
		char folder[256], file[1024], name[512], **entries;
		snprintf(folder, sizeof folder, "a2ui/specification/%s/examples", folders[f]);
		const char *path = sj_data(folder);
		if (!path) {
			sj_skip("the public data is not there");
			return;
		}
		char where[512];
		snprintf(where, sizeof where, "%s", path);
		size_t count = sj_list_dir(where, ".json", &entries);
		for (size_t i = 0; i < count; i++) {
			snprintf(file, sizeof file, "%s/%s", folder, entries[i]);
			snprintf(name, sizeof name, "%.*s/%s", (int)(strstr(folders[f], "/catalogs") - folders[f]),
			         folders[f], entries[i]);
			list.file = name;
			struct sj_slice text = sj_slurp(sj_data(file));
			CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
			CHECK_OK(sj_engine_feed(t.e, t.peer, text.ptr, text.len));
			CHECK_OK(sj_engine_feed_end(t.e, t.peer));
			CHECK_OK(talk_take(&t));
			for (uint32_t k = 0; k < sj_engine_view_count(t.e); k++)
				CHECK_OK(sj_view_lint(t.e, sj_engine_view_at(t.e, k), false, on_example, &list));
			talk_close(&t);
			files++;
		}
	}
	CHECK(files > 150);
	CHECK_INT(list.found, lines); /* each listed one was found */
}

static enum sj_status in_little_memory(struct sj_mem *mem, void *ctx)
{
	static struct talk small;
	struct said s = {.len = 0};
	(void)ctx;
	enum sj_status st = talk_open(&small, mem, NULL);
	if (st == SJ_OK)
		st = talk_create(&small, "v0.9", "s");
	if (st == SJ_OK)
		st = talk_data(&small, "v0.9", "s", "/", "{'user':{'name':'A'},'i':'stra'}");
	if (st == SJ_OK)
		st = talk_components(
			&small, "v0.9", "s",
			ROOT("'f','x','i'") "," FIELD("f", "'value':{'path':'/f'},'checks':[{'message':'m','condition':true}]") "," TEXT(
				"x", "{'path':'/nmae'}") ",{'id':'i','component':'Icon','name':{'path':'/i'}}");
	if (st == SJ_OK)
		st = sj_view_lint(small.e, talk_view(&small, "s"), false, on_lint, &s);
	if (st == SJ_OK)
		CHECK_STR(sj_slice_of(s.text), "check-never-fails:f:/checks/0/condition unwritten-path:x:/text/path unknown-icon:i:/name");
	talk_close(&small);
	return st;
}

SJ_TEST(runs_out_of_memory_cleanly) { sj_torture(in_little_memory, NULL); }
