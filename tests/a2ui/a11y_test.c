/* The accessibility tree of A2UI surfaces: roles, names and where they come from, states, parts,
 * the order of the focus, and the checks. */
#include <stdio.h>

#include "engine/talk.h"
#include "surface/a11y.h"

static struct talk t;

static void open_screen(const char *version, const char *components, const char *model)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_create(&t, version, "s"));
	if (model)
		CHECK_OK(talk_data(&t, version, "s", "/", model));
	if (components)
		CHECK_OK(talk_components(&t, version, "s", components));
	CHECK_INT(talk_faults(&t), 0);
}

static const char *tree_of(void)
{
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 0);
	CHECK_OK(sj_view_a11y(t.e, talk_view(&t, "s"), &out));
	struct sj_slice kept = sj_arena_copy(&t.kept, sj_buf_view(&out));
	sj_buf_finish(&out);
	return kept.ptr ? kept.ptr : "";
}

/* "rule:id" of every breach. */
static const char *breaches(void)
{
	struct sj_buf out, list;
	uint32_t count;
	sj_buf_init(&out, sj_test_mem(), 0);
	sj_buf_init(&list, sj_test_mem(), 0);
	CHECK_OK(sj_view_a11y_check(t.e, talk_view(&t, "s"), &out, &count));
	for (size_t at = 0; at < out.len; count--) {
		size_t end = at;
		while (out.ptr[end] != '\n')
			end++;
		out.ptr[end] = 0;
		const char *rule = talk_at(&t, out.ptr + at, "/rule"), *id = talk_at(&t, out.ptr + at, "/id");
		sj_buf_printf(&list, "%s%.*s:%.*s", list.len ? " " : "", (int)strlen(rule) - 2, rule + 1,
		              (int)strlen(id) - 2, id + 1);
		at = end + 1;
	}
	CHECK_INT(count, 0);
	struct sj_slice kept = sj_arena_copy(&t.kept, sj_buf_view(&list));
	sj_buf_finish(&list);
	sj_buf_finish(&out);
	return kept.len ? kept.ptr : "";
}

#define ROOT(children) "{'id':'root','component':'Column','children':[" children "]}"
#define TEXT(id, text) "{'id':'" id "','component':'Text','text':" text "}"
#define BUTTON(id, more) "{'id':'" id "','component':'Button','child':'bt','action':{'event':{'name':'n'}}" more "}," TEXT("bt", "'Go on'")

/* The one child of the root, whole. */
static const struct {
	const char *name, *version, *components, *model, *item;
} items[] = {
	{"text", "v0.9", ROOT("'x'") "," TEXT("x", "'Hello **you**'"), NULL,
         "{'component':'x','id':'x','name':'Hello you','nameFrom':'text','role':'text'}"},
	{"heading by Markdown", "v1.0", ROOT("'x'") "," TEXT("x", "'## Big *words*'"), NULL,
         "{'component':'x','id':'x','level':2,'name':'Big words','nameFrom':'text','role':'heading'}"},
	{"heading by variant", "v0.9", ROOT("'x'") ",{'id':'x','component':'Text','text':'Big','variant':'h3'}", NULL,
         "{'component':'x','id':'x','level':3,'name':'Big','nameFrom':'text','role':'heading'}"},
	{"a heading among other blocks", "v0.9", ROOT("'x'") "," TEXT("x", "'# A\\n\\nb'"), NULL,
         "{'component':'x','id':'x','name':'A\\nb','nameFrom':'text','role':'text','children':["
         "{'id':'x/block/0','level':1,'name':'A','nameFrom':'text','role':'heading'},"
         "{'id':'x/block/1','name':'b','nameFrom':'text','role':'text'}]}"},
	{"button named by its child", "v0.9", ROOT("'b'") "," BUTTON("b", ""), NULL,
         "{'component':'b','id':'b','name':'Go on','nameFrom':'content','role':'button','children':["
         "{'component':'bt','id':'bt','name':'Go on','nameFrom':'text','role':'text'}]}"},
	{"an explicit label beats it", "v0.9",
         ROOT("'b'") "," BUTTON("b", ",'accessibility':{'label':{'path':'/l'},'description':'D'}"), "{'l':'Mute'}",
         "{'component':'b','description':'D','descriptionFrom':'accessibility','id':'b','name':'Mute','nameFrom':"
         "'accessibility','role':'button','children':[{'component':'bt','id':'bt','name':'Go on','nameFrom':'text','role':"
         "'text'}]}"},
	{"a label bound to nothing does not", "v0.9",
         ROOT("'b'") "," BUTTON("b", ",'accessibility':{'label':{'path':'/l'}}"), NULL,
         "{'component':'b','id':'b','name':'Go on','nameFrom':'content','role':'button','children':["
         "{'component':'bt','id':'bt','name':'Go on','nameFrom':'text','role':'text'}]}"},
	{"button of an icon alone", "v0.9",
         ROOT("'b'") ",{'id':'b','component':'Button','child':'i','action':{'event':{'name':'n'}}},"
                     "{'id':'i','component':'Icon','name':'shoppingCart'}",
         NULL,
         "{'component':'b','id':'b','name':'shopping cart','nameFrom':'content','role':'button','children':["
         "{'component':'i','id':'i','name':'shopping cart','nameFrom':'name','role':'img'}]}"},
	{"a failing check says why a button is disabled", "v0.9",
         ROOT("'b'") "," BUTTON("b", ",'checks':[{'condition':{'path':'/ok'},'message':'Agree first'}]"), NULL,
         "{'component':'b','description':'Agree first','descriptionFrom':'check','disabled':true,'id':'b','name':'Go on',"
         "'nameFrom':'content','role':'button','children':[{'component':'bt','id':'bt','name':'Go on','nameFrom':'text',"
         "'role':'text'}]}"},
	{"text field", "v0.9",
         ROOT("'f'") ",{'id':'f','component':'TextField','label':'Mail','value':{'path':'/m'},'variant':'longText'}",
         "{'m':'a@b'}",
         "{'component':'f','id':'f','multiline':true,'name':'Mail','nameFrom':'label','role':'textbox','value':'a@b'}"},
	{"its error, and that it is required", "v0.9",
         ROOT("'f'") ",{'id':'f','component':'TextField','label':'Mail','value':{'path':'/m'},'checks':["
                     "{'message':'Needed','condition':{'call':'required','args':{'value':{'path':'/m'}}}}]}",
         NULL,
         "{'component':'f','errorMessage':'Needed','id':'f','invalid':true,'name':'Mail','nameFrom':'label','required':true,"
         "'role':'textbox'}"},
	{"required through and, in checks that come first", "v1.0",
         ROOT("'f'") ",{'id':'f','component':'TextField','checks':[{'condition':{'call':'and','args':{'values':["
                     "{'call':'required','args':{'value':{'path':'/m'}}},{'call':'email','args':{'value':{'path':'/m'}}}]}}}],"
                     "'label':'Mail','value':{'path':'/m'}}",
         "{'m':'a@b.example'}",
         "{'component':'f','id':'f','name':'Mail','nameFrom':'label','required':true,'role':'textbox','value':"
         "'a@b.example'}"},
	{"what is asked of another place is not required here", "v0.9",
         ROOT("'f'") ",{'id':'f','component':'TextField','label':'Mail','value':{'path':'/m'},'checks':["
                     "{'message':'Needed','condition':{'call':'required','args':{'value':{'path':'/n'}}}}]}",
         "{'n':'x'}", "{'component':'f','id':'f','name':'Mail','nameFrom':'label','role':'textbox'}"},
	{"placeholder", "v1.0",
         ROOT("'f'") ",{'id':'f','component':'TextField','label':'Mail','placeholder':'you@example.com','value':"
                     "{'path':'/m'}}",
         NULL,
         "{'component':'f','description':'you@example.com','descriptionFrom':'placeholder','id':'f','name':'Mail','nameFrom':"
         "'label','role':'textbox'}"},
	{"what is obscured is masked", "v0.9",
         ROOT("'f'") ",{'id':'f','component':'TextField','label':'Word','value':{'path':'/m'},'variant':'obscured'}",
         "{'m':'tops3cret'}",
         "{'component':'f','id':'f','name':'Word','nameFrom':'label','password':true,'role':'textbox','value':'•••'}"},
	{"check box", "v0.9", ROOT("'c'") ",{'id':'c','component':'CheckBox','label':'Yes','value':{'path':'/c'}}", "{'c':true}",
         "{'checked':true,'component':'c','id':'c','name':'Yes','nameFrom':'label','role':'checkbox'}"},
	{"slider", "v1.0",
         ROOT("'s'") ",{'id':'s','component':'Slider','label':'Loud','min':2,'max':10,'steps':4,'value':{'path':'/s'}}",
         "{'s':4}",
         "{'component':'s','id':'s','name':'Loud','nameFrom':'label','range':{'max':10,'min':2,'now':4,'step':2},'role':"
         "'slider'}"},
	{"a slider without a value", "v0.9", ROOT("'s'") ",{'id':'s','component':'Slider','label':'L','max':10,'value':{'path':'/s'}}",
         NULL, "{'component':'s','id':'s','name':'L','nameFrom':'label','range':{'max':10,'min':0},'role':'slider'}"},
	{"date", "v0.9",
         ROOT("'d'") ",{'id':'d','component':'DateTimeInput','enableDate':true,'label':'When','value':{'path':'/d'}}",
         "{'d':'2026-01-31'}",
         "{'component':'d','id':'d','name':'When','nameFrom':'label','role':'datetime','value':'2026-01-31'}"},
	{"one of several", "v0.9",
         ROOT("'c'") ",{'id':'c','component':'ChoicePicker','label':'Size','variant':'mutuallyExclusive','value':{'path':'/c'},"
                     "'options':[{'label':'Small','value':'s'},{'label':'Big','value':'b'}]}",
         "{'c':['b']}",
         "{'component':'c','id':'c','name':'Size','nameFrom':'label','role':'radiogroup','children':["
         "{'checked':false,'id':'c/option/0','name':'Small','nameFrom':'option','position':1,'role':'radio','setSize':2},"
         "{'checked':true,'id':'c/option/1','name':'Big','nameFrom':'option','position':2,'role':'radio','setSize':2}]}"},
	{"some of several", "v0.9",
         ROOT("'c'") ",{'id':'c','component':'ChoicePicker','label':'With','variant':'multipleSelection','value':['a'],"
                     "'options':[{'label':'A','value':'a'}]}",
         NULL,
         "{'component':'c','id':'c','multiselectable':true,'name':'With','nameFrom':'label','role':'group','children':["
         "{'checked':true,'id':'c/option/0','name':'A','nameFrom':'option','position':1,'role':'checkbox','setSize':1}]}"},
	{"image", "v0.9", ROOT("'i'") ",{'id':'i','component':'Image','url':'https://e.example/x.png','description':'A cat'}", NULL,
         "{'component':'i','id':'i','name':'A cat','nameFrom':'description','role':'img'}"},
	{"list", "v0.9",
         ROOT("'l'") ",{'id':'l','component':'List','children':{'componentId':'r','path':'/rows'}}," TEXT("r", "{'path':'n'}"),
         "{'rows':[{'n':'a'},{'n':'b'}]}",
         "{'component':'l','id':'l','role':'list','children':["
         "{'id':'l/item/0','position':1,'role':'listitem','setSize':2,'children':["
         "{'component':'r','id':'r/rows/0','name':'a','nameFrom':'text','role':'text'}]},"
         "{'id':'l/item/1','position':2,'role':'listitem','setSize':2,'children':["
         "{'component':'r','id':'r/rows/1','name':'b','nameFrom':'text','role':'text'}]}]}"},
	{"tabs", "v0.9",
         ROOT("'x'") ",{'id':'x','component':'Tabs','tabs':[{'title':'One','child':'a'},{'title':{'path':'/t'},'child':'b'}]}," TEXT(
                 "a", "'A'") "," TEXT("b", "'B'"),
         "{'t':'Two'}",
         "{'component':'x','id':'x','role':'tablist','children':["
         "{'controls':'x/panel/0','id':'x/tab/0','name':'One','nameFrom':'title','position':1,'role':'tab','selected':true,"
         "'setSize':2},"
         "{'id':'x/tab/1','name':'Two','nameFrom':'title','position':2,'role':'tab','selected':false,'setSize':2},"
         "{'id':'x/panel/0','name':'One','nameFrom':'title','role':'tabpanel','children':["
         "{'component':'a','id':'a','name':'A','nameFrom':'text','role':'text'}]}]}"},
	{"a closed dialog", "v0.9",
         ROOT("'m'") ",{'id':'m','component':'Modal','trigger':'b','content':'c'}," BUTTON("b", "") "," TEXT("c", "'# Sure?'"), NULL,
         "{'id':'m/modal/0','role':'none','children':["
         "{'component':'b','expanded':false,'id':'b','name':'Go on','nameFrom':'content','popup':'dialog','role':'button',"
         "'children':[{'component':'bt','id':'bt','name':'Go on','nameFrom':'text','role':'text'}]},"
         "{'component':'m','expanded':false,'id':'m','name':'Sure?','nameFrom':'content','role':'dialog'}]}"},
	{"what opens a dialog is a button whatever it is made of", "v0.9",
         ROOT("'m'") ",{'id':'m','component':'Modal','trigger':'b','content':'c'}," TEXT("b", "'Open'") "," TEXT("c", "'x'"), NULL,
         "{'id':'m/modal/0','role':'none','children':["
         "{'component':'b','expanded':false,'id':'b','name':'Open','nameFrom':'text','popup':'dialog','role':'button'},"
         "{'component':'m','expanded':false,'id':'m','name':'Open','nameFrom':'trigger','role':'dialog'}]}"},
	{"hidden: nothing below it", "v1.0",
         ROOT("'h'") ",{'id':'h','component':'Row','children':['a'],'accessibility':{'hidden':{'path':'/h'}}}," TEXT("a", "'x'"),
         "{'h':true}", "{'component':'h','hidden':true,'id':'h','role':'none'}"},
	{"a layout with a name is a group; live", "v1.0",
         ROOT("'h'") ",{'id':'h','component':'Row','children':[],'accessibility':{'label':'News','live':'polite'}}", NULL,
         "{'component':'h','id':'h','live':'polite','name':'News','nameFrom':'accessibility','role':'group'}"},
	{"what has not arrived", "v0.9", ROOT("'later'"), NULL,
         "{'busy':true,'component':'later','id':'later','name':'This part has not arrived yet.','nameFrom':'content','role':"
         "'text'}"},
};

SJ_TEST(items_are_as_the_platform_wants_them)
{
	for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
		sj_case("%s", items[i].name);
		open_screen(items[i].version, items[i].components, items[i].model);
		CHECK_STR(sj_slice_of(talk_at(&t, tree_of(), "/tree/children/0")),
		          talk_at(&t, talk_quote(&t, items[i].item), ""));
		talk_close(&t);
		sj_case_end();
	}
}

/* What is told of one node alone is what the tree tells of it, but for what opens a dialog. */
SJ_TEST(one_node_alone_is_as_in_the_tree)
{
	for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
		struct sj_a11y_tree all, one;
		uint32_t seen = 0;
		sj_case("%s", items[i].name);
		open_screen(items[i].version, items[i].components, items[i].model);
		struct sj_surface *s = sj_view_surface(talk_view(&t, "s"));
		CHECK_OK(sj_a11y_build(s, &all));
		for (uint32_t k = 0; k < all.items.count; k++) {
			const struct sj_a11y *want = &all.items.items[k];
			if (want->part != SJ_PART_SELF)
				continue;
			seen++;
			CHECK_OK(sj_a11y_node(s, want->node, &one));
			CHECK_INT(one.items.count > 0, true);
			const struct sj_a11y *got = &one.items.items[0];
			if (!want->popup)
				CHECK_INT(got->role, want->role);
			CHECK_SLICE(got->id, want->id);
			CHECK_SLICE(got->name, want->name);
			CHECK_INT(got->name_from, want->name_from);
			CHECK_SLICE(got->description, want->description);
			CHECK_SLICE(got->error, want->error);
			CHECK_SLICE(got->live, want->live);
			CHECK_INT(got->hidden, want->hidden);
			CHECK_INT(got->required, want->required);
			CHECK_INT(got->invalid, want->invalid);
			CHECK_INT(got->disabled, want->disabled);
			CHECK_INT(got->checked, want->checked);
			CHECK_INT(got->busy, want->busy);
			sj_a11y_finish(&one);
		}
		CHECK_INT(seen > 0, true);
		sj_a11y_finish(&all);
		talk_close(&t);
		sj_case_end();
	}
}

SJ_TEST(nothing_is_a_tree_too)
{
	open_screen("v0.9", NULL, NULL);
	CHECK_STR(sj_slice_of(tree_of()), "{\"focusOrder\":[],\"surfaceId\":\"s\",\"tree\":null}");
	talk_close(&t);
}

/* In drawing order; groups are one stop; what is disabled is none; an open dialog keeps the focus to itself. */
SJ_TEST(order_of_the_focus)
{
	open_screen("v0.9",
	            ROOT("'f','off','l','m','x'") ",{'id':'f','component':'TextField','label':'L','value':{'path':'/f'}},"
	            "{'id':'off','component':'Button','child':'bt','action':{'event':{'name':'n'}},'checks':[{'condition':{'path':"
	            "'/no'},'message':'m'}]},"
	            "{'id':'l','component':'List','children':{'componentId':'c','path':'/rows'}},"
	            "{'id':'c','component':'CheckBox','label':'C','value':{'path':'on'}},"
	            "{'id':'m','component':'Modal','trigger':'o','content':'in'},"
	            "{'id':'o','component':'Button','child':'bt','action':{'event':{'name':'n'}}},"
	            "{'id':'in','component':'TextField','label':'In','value':{'path':'/in'}},"
	            "{'id':'x','component':'Tabs','tabs':[{'title':'A','child':'p'},{'title':'B','child':'q'}]},"
	            "{'id':'p','component':'ChoicePicker','label':'P','value':['1'],'options':[{'label':'1','value':'1'}]},"
	            "{'id':'q','component':'TextField','label':'Q','value':{'path':'/q'}}," TEXT("bt", "'T'"),
	            "{'rows':[{},{}]}");
	CHECK_STR(sj_slice_of(talk_at(&t, tree_of(), "/focusOrder")),
	          talk_quote(&t, "['f','c/rows/0','c/rows/1','o','x','p']"));
	CHECK_OK(sj_engine_set_local(t.e, talk_view(&t, "s"), talk_node(&t, "s", "x"), SJ_LIT("selected"),
	                             sj_value_int(1)));
	CHECK_STR(sj_slice_of(talk_at(&t, tree_of(), "/focusOrder")),
	          talk_quote(&t, "['f','c/rows/0','c/rows/1','o','x','q']"));
	CHECK_OK(sj_engine_set_local(t.e, talk_view(&t, "s"), talk_node(&t, "s", "m"), SJ_LIT("open"),
	                             sj_value_bool(true)));
	CHECK_STR(sj_slice_of(talk_at(&t, tree_of(), "/focusOrder")), "[\"in\"]");
	talk_close(&t);
}

/* Bindings of accessibility follow the data. */
SJ_TEST(what_is_bound_follows)
{
	open_screen("v1.0", ROOT("'b'") "," BUTTON("b", ",'accessibility':{'label':{'path':'/l'},'hidden':{'path':'/h'}}"),
	            "{'l':'One'}");
	CHECK_STR(sj_slice_of(talk_at(&t, tree_of(), "/tree/children/0/name")), "\"One\"");
	CHECK_OK(talk_data(&t, "v1.0", "s", "/l", "'Two'"));
	CHECK_STR(sj_slice_of(talk_at(&t, tree_of(), "/tree/children/0/name")), "\"Two\"");
	CHECK_OK(talk_data(&t, "v1.0", "s", "/h", "true"));
	CHECK_STR(sj_slice_of(talk_at(&t, tree_of(), "/tree/children/0/hidden")), "true");
	CHECK_STR(sj_slice_of(talk_at(&t, tree_of(), "/focusOrder")), "[]");
	talk_close(&t);
}

static const struct {
	const char *version, *components, *model, *breaches;
} checks[] = {
	{"v0.9", ROOT("'b'") "," BUTTON("b", ""), NULL, ""},
	{"v0.9", ROOT("'b'") ",{'id':'b','component':'Button','child':'bt','action':{'event':{'name':'n'}}}," TEXT("bt", "{'path':'/no'}"),
         NULL, "button-name:b"},
	{"v0.9", ROOT("'f'") ",{'id':'f','component':'TextField','label':{'path':'/no'},'value':{'path':'/f'}}", NULL, "label:f"},
	{"v0.9", ROOT("'f'") ",{'id':'f','component':'Slider','max':3,'value':{'path':'/f'}}", NULL, "label:f"},
	{"v0.9", ROOT("'f'") ",{'id':'f','component':'Slider','label':'L','max':3,'value':{'path':'/f'}}", "{'f':7}",
         "aria-valid-attr-value:f"},
	{"v0.9", ROOT("'i'") ",{'id':'i','component':'Image','url':'https://e.example/'}", NULL, "image-alt:i"},
	{"v1.0", ROOT("'i'") ",{'id':'i','component':'Image','url':'https://e.example/','accessibility':{'hidden':true}}", NULL, ""},
	{"v1.0", ROOT("'r'") ",{'id':'r','component':'Row','children':['b'],'accessibility':{'hidden':true}}," BUTTON("b", ""), NULL,
         "aria-hidden-focus:r"},
	{"v0.9", ROOT("'i'") ",{'id':'i','component':'Icon','name':{'path':'/no'}}", NULL, "role-img-alt:i"},
	{"v0.9", ROOT("'a','b'") "," TEXT("a", "'# A'") "," TEXT("b", "'### B'"), NULL, "heading-order:b"},
	{"v0.9", ROOT("'a','b','c'") "," TEXT("a", "'## A'") "," TEXT("b", "'### B'") "," TEXT("c", "'# C'"), NULL, ""},
	{"v0.9", ROOT("'a'") ",{'id':'a','component':'Text','text':{'path':'/no'},'variant':'h1'}", NULL, "empty-heading:a"},
	{"v0.9", ROOT("'a','a'") "," TEXT("a", "'A'"), NULL, "duplicate-id:a"},
	{"v0.9", ROOT("'c'") ",{'id':'c','component':'ChoicePicker','label':'C','value':[],'options':[]}", NULL,
         "aria-required-children:c"},
	{"v0.9", ROOT("'c'") ",{'id':'c','component':'ChoicePicker','label':'C','value':[],'options':[{'label':'','value':'1'}]}", NULL,
         "aria-toggle-field-name:c/option/0"},
	{"v0.9", ROOT("'x'") ",{'id':'x','component':'Tabs','tabs':[{'title':{'path':'/no'},'child':'a'}]}," TEXT("a", "'A'"), NULL,
         "aria-tab-name:x/tab/0"},
	{"v0.9", ROOT("'o'") ",{'id':'o','component':'Button','child':'b','action':{'event':{'name':'n'}}}," BUTTON("b", ""), NULL,
         "nested-interactive:b"},
};

SJ_TEST(each_rule_finds_its_breach_and_no_other)
{
	for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
		sj_case("%zu %s", i, checks[i].breaches);
		open_screen(checks[i].version, checks[i].components, checks[i].model);
		CHECK_STR(sj_slice_of(breaches()), checks[i].breaches);
		talk_close(&t);
		sj_case_end();
	}
}

static enum sj_status in_little_memory(struct sj_mem *mem, void *ctx)
{
	static struct talk small;
	struct sj_buf out;
	uint32_t count = 0;
	(void)ctx;
	enum sj_status st = talk_open(&small, mem, NULL);
	if (st == SJ_OK)
		st = talk_create(&small, "v0.9", "s");
	if (st == SJ_OK)
		st = talk_components(
			&small, "v0.9", "s",
			ROOT("'b','x','c','m'") "," BUTTON(
				"b",
				"") ",{'id':'x','component':'Tabs','tabs':[{'title':'A',"
				    "'child':'h'}]}," TEXT(
					    "h",
					    "'# H\\n\\ntext'") ",{'id':'c','component':'ChoicePicker','label':'C','value':"
							       "['1'],'options':[{'label':'1','value':'1'}]},{'id':'m','component':'Modal','trigger':'b','content':'h'}");
	sj_buf_init(&out, mem, 0);
	if (st == SJ_OK)
		st = sj_view_a11y(small.e, talk_view(&small, "s"), &out);
	if (st == SJ_OK)
		st = sj_view_a11y_check(small.e, talk_view(&small, "s"), &out, &count);
	if (st == SJ_OK) {
		struct sj_a11y_tree one;
		st = sj_a11y_node(sj_view_surface(talk_view(&small, "s")), talk_node(&small, "s", "b"), &one);
		sj_a11y_finish(&one);
	}
	if (st == SJ_OK)
		CHECK_INT(count, 2); /* the button and its text stand twice */
	sj_buf_finish(&out);
	talk_close(&small);
	return st;
}

SJ_TEST(runs_out_of_memory_cleanly) { sj_torture(in_little_memory, NULL); }
