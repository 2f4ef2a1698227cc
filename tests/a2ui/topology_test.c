/* Graph rules of a surface: presets of strictness, cycles, depth, composition, and two
 * properties: the order of arrival does not matter, and a long history of accepted and refused messages is judged as a
 * search of the whole graph would. */
#include <stdio.h>

#include "engine/talk.h"
#include "harness/random.h"

static struct talk t;

static void open_with(const struct sj_strictness *s, const struct sj_limits *limits)
{
	struct sj_engine_config cfg = {.limits = limits};
	if (s) {
		cfg.strict = true;
		cfg.strictness = *s;
	}
	CHECK_OK(talk_open(&t, sj_test_mem(), &cfg));
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	talk_forget(&t);
}

/* ---- presets ----------------------------------------------------------------------------------------------------- */

enum { ORPHANS = 1, DANGLING = 2, ROOT = 4, UNKNOWN = 8, SKIP = 16 };

static const struct sj_strictness *preset(unsigned allowed)
{
	static struct sj_strictness s;
	s = (struct sj_strictness){.allow_orphans = allowed & ORPHANS,
	                           .allow_dangling = allowed & DANGLING,
	                           .allow_missing_root = allowed & ROOT,
	                           .allow_unknown = allowed & UNKNOWN,
	                           .skip_graph = allowed & SKIP};
	return &s;
}

/* What each switch lets through, and what it says otherwise. */
static const struct graph_fault {
	const char *name, *components;
	unsigned needs; /* switches that must be on for it to pass; 0: never passes */
	enum sj_category category;
	const char *says, *names; /* fragments of the message (Appendix A) */
} graph_faults[] = {
	{"orphan", "{'id':'root','component':'Text','text':'a'},{'id':'lost','component':'Text','text':'b'}", ORPHANS,
         SJ_CAT_INTEGRITY, "Orphaned component", "'lost' is not reachable from 'root'"},
	{"orphan that only names itself",
         "{'id':'root','component':'Text','text':'a'},"
         "{'id':'lost','component':'Column','children':{'componentId':'lost','path':'kids'}}",
         ORPHANS, SJ_CAT_INTEGRITY, "Orphaned component", "'lost' is not reachable from 'root'"},
	{"dangling child", "{'id':'root','component':'Card','child':'nobody'}", DANGLING, SJ_CAT_INTEGRITY,
         "Dangling reference", "'root' references non-existent component 'nobody'"},
	{"dangling template",
         "{'id':'root','component':'List','children':{'componentId':'nobody','path':'/rows'}}", DANGLING,
         SJ_CAT_INTEGRITY, "Dangling reference", "'nobody'"},
	{"dangling tab", "{'id':'root','component':'Tabs','tabs':[{'title':'A','child':'nobody'}]}", DANGLING,
         SJ_CAT_INTEGRITY, "Dangling reference", "'nobody'"},
	{"missing root", "{'id':'a','component':'Text','text':'a'}", ROOT | ORPHANS, SJ_CAT_INTEGRITY, NULL, NULL},
	{"unknown type", "{'id':'root','component':'Widget','src':'x'}", UNKNOWN, SJ_CAT_VALIDATION,
         "Unknown component 'Widget'", "Widget"},
	{"self-reference", "{'id':'root','component':'Card','child':'root'}", 0, SJ_CAT_INTEGRITY,
         "Self-reference detected", "'root'"},
	{"cycle of two",
         "{'id':'root','component':'Card','child':'a'},{'id':'a','component':'Card','child':'root'}", 0,
         SJ_CAT_INTEGRITY, "Circular component reference", "root -> a -> root"},
	{"cycle of three",
         "{'id':'root','component':'Card','child':'a'},{'id':'a','component':'Column','children':['b']},"
         "{'id':'b','component':'Tabs','tabs':[{'title':'A','child':'root'}]}",
         0, SJ_CAT_INTEGRITY, "Circular reference detected", "root -> a -> b -> root"},
	{"cycle beside the root",
         "{'id':'root','component':'Text','text':'x'},{'id':'a','component':'Card','child':'b'},"
         "{'id':'b','component':'Modal','trigger':'root','content':'a'}",
         0, SJ_CAT_INTEGRITY, "Circular", "a -> b -> a"},
};
enum { GRAPH_FAULTS = sizeof graph_faults / sizeof *graph_faults };

static void judge(const struct graph_fault *g, unsigned allowed)
{
	struct sj_diag d;
	open_with(allowed == UINT32_MAX ? NULL : preset(allowed), NULL);
	if (allowed == UINT32_MAX) /* a live renderer: what may still arrive is allowed */
		allowed = ORPHANS | DANGLING | ROOT;
	else if (allowed & SKIP)
		allowed |= ORPHANS | DANGLING | ROOT;
	const char *before = talk_everything(&t);
	enum sj_status st = talk_message(
		&t, &d, "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[%s]}}", g->components);
	bool passes = g->needs && (g->needs & allowed) == g->needs;
	CHECK_INT(st, passes ? SJ_OK : SJ_INVALID);
	CHECK_INT(talk_faults(&t), passes ? g->needs == UNKNOWN : 1);
	if (passes && g->needs == UNKNOWN) /* accepted, drawn as a placeholder, reported once */
		CHECK_STR(sj_slice_of(talk_log(&t)),
		          "DIAG UNKNOWN_COMPONENT_TYPE \n"
		          "SEND {\"version\":\"v0.9\",\"error\":{\"code\":\"UNKNOWN_COMPONENT_TYPE\",\"surfaceId\":\"s\","
		          "\"message\":\"Component 'root' is of the unknown type 'Widget'.\"}}\nCHANGED s\n");
	if (!passes) {
		CHECK_INT(d.category, g->category);
		CHECK_STR(sj_slice_of(talk_everything(&t)), before);
		CHECK_INT(talk_heard(&t, SJ_EV_SEND), 1);
		if (g->says && !strstr(d.message, g->says))
			sj_fail_at(__FILE__, __LINE__, "'%s' lacks '%s'", d.message, g->says);
		if (g->names && !strstr(d.message, g->names))
			sj_fail_at(__FILE__, __LINE__, "'%s' lacks '%s'", d.message, g->names);
	}
	talk_close(&t);
}

SJ_TEST(every_preset_judges_every_fault)
{
	static const struct {
		const char *name;
		unsigned allowed;
	} presets[] = {{"strict", 0},       {"relaxed", ORPHANS | DANGLING | ROOT | UNKNOWN},
	               {"live", UINT32_MAX}, {"orphans allowed", ORPHANS},
	               {"dangling allowed", DANGLING}, {"missing root allowed", ROOT},
	               {"unknown allowed", UNKNOWN}, {"no graph phase", SKIP}};
	for (size_t p = 0; p < sizeof presets / sizeof *presets; p++)
		for (size_t i = 0; i < GRAPH_FAULTS; i++) {
			sj_case("%s: %s", presets[p].name, graph_faults[i].name);
			judge(&graph_faults[i], presets[p].allowed);
			sj_case_end();
		}
}

SJ_TEST(missing_root_is_named)
{
	struct sj_diag d;
	open_with(preset(ORPHANS), NULL);
	CHECK_INT(talk_message(&t, &d,
	                       "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':["
	                       "{'id':'a','component':'Text','text':'a'}]}}"),
	          SJ_INVALID);
	CHECK_INT(d.category, SJ_CAT_INTEGRITY);
	CHECK_STR(sj_slice_of(d.message), "Missing root component: no component has the id 'root'");
	CHECK_STR(sj_slice_of(d.pointer), "/updateComponents/components");
	talk_close(&t);
}

/* The order of the phases: duplicate ids, then schemas, then composition, then the graph. */
SJ_TEST(duplicates_come_before_schemas_before_the_graph)
{
	struct sj_diag d;
	open_with(preset(0), NULL);
	CHECK_INT(talk_message(&t, &d,
	                       "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':["
	                       "{'id':'a','component':'Text','text':['bad']},{'id':'b','component':'Text','text':'x'},"
	                       "{'id':'b','component':'Text','text':'y'},{'id':'c','component':'Card','child':'c'}]}}"),
	          SJ_INVALID);
	CHECK_INT(d.category, SJ_CAT_INTEGRITY);
	CHECK_STR(sj_slice_of(d.message), "Duplicate component id 'b' in one message");
	CHECK_STR(sj_slice_of(d.pointer), "/updateComponents/components/2");
	CHECK_INT(talk_message(&t, &d,
	                       "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':["
	                       "{'id':'c','component':'Card','child':'c'},{'id':'a','component':'Text','text':['bad']}]}}"),
	          SJ_INVALID);
	CHECK_INT(d.category, SJ_CAT_VALIDATION);
	CHECK_STR(sj_slice_of(d.pointer), "/updateComponents/components/1/text");
	talk_close(&t);
}

SJ_TEST(a_cycle_made_of_two_messages_is_refused)
{
	struct sj_diag d;
	open_with(NULL, NULL);
	CHECK_OK(talk_components(&t, "v0.9", "s",
	                         "{'id':'root','component':'Card','child':'a'},{'id':'a','component':'Card','child':'b'}"));
	CHECK_OK(talk_components(&t, "v0.9", "s", "{'id':'b','component':'Text','text':'leaf'}"));
	const char *before = talk_everything(&t);
	for (int i = 0; i < 3; i++) { /* as often as it is tried */
		CHECK_INT(talk_message(&t, &d,
		                       "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':["
		                       "{'id':'b','component':'Card','child':'root'}]}}"),
		          SJ_INVALID);
		CHECK_INT(d.category, SJ_CAT_INTEGRITY);
		CHECK(strstr(d.message, "root -> a -> b -> root") != NULL);
		CHECK(strstr(d.hint, "'root'") != NULL);
		CHECK_STR(sj_slice_of(talk_everything(&t)), before);
	}
	talk_close(&t);
}

/* ---- recursion through data -------------------------------------------------------------------------------------- */

SJ_TEST(a_template_may_name_itself)
{
	open_with(preset(0), NULL);
	CHECK_OK(talk_components(
		&t, "v0.9", "s",
		"{'id':'root','component':'Column','children':['name','kids']},"
		"{'id':'name','component':'Text','text':{'path':'name'}},"
		"{'id':'kids','component':'List','children':{'componentId':'node','path':'kids'}},"
		"{'id':'node','component':'Column','children':['name','kids']}"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/",
	                   "{'name':'a','kids':[{'name':'b','kids':[{'name':'c'}]},{'name':'d','kids':[]}]}"));
	CHECK_STR(sj_slice_of(talk_log(&t)), "CHANGED s\nCHANGED s\n");
	CHECK_STR(sj_slice_of(talk_tree(&t, "s")),
	          talk_quote(&t,
	                     "{'children':[{'id':'name','text':'a','type':'Text'},{'children':["
	                     "{'children':[{'id':'name','text':'b','type':'Text'},{'children':["
	                     "{'children':[{'id':'name','text':'c','type':'Text'},"
	                     "{'children':[],'id':'kids','type':'List'}],'id':'node','type':'Column'}"
	                     "],'id':'kids','type':'List'}],'id':'node','type':'Column'},"
	                     "{'children':[{'id':'name','text':'d','type':'Text'},"
	                     "{'children':[],'id':'kids','type':'List'}],'id':'node','type':'Column'}"
	                     "],'id':'kids','type':'List'}],'id':'root','type':'Column'}"));
	talk_close(&t);
}

/* A template over the same place for ever: "/x" is absolute, so each level shows the same rows again. The scopes are
 * limited, the tree says so, and the agent hears it once for a component. */
SJ_TEST(endless_recursion_ends_at_the_scope_limit)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	l.scope_depth = 3;
	open_with(NULL, &l);
	CHECK_OK(talk_components(&t, "v0.9", "s",
	                         "{'id':'root','component':'List','children':{'componentId':'root2','path':'/x'}},"
	                         "{'id':'root2','component':'List','children':{'componentId':'root2','path':'/x'}}"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/x", "[1]"));
	CHECK_STR(sj_slice_of(talk_tree(&t, "s")),
	          talk_quote(&t, "{'children':[{'children':[{'children':[{'children':["
	                         "{'id':'root2','state':'over-limit','type':'Placeholder'}"
	                         "],'id':'root2','type':'List'}],'id':'root2','type':'List'}],'id':'root2',"
	                         "'type':'List'}],'id':'root','type':'List'}"));
	CHECK_INT(talk_faults(&t), 1);
	CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->diag.code, SJ_E_LIMIT);
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 1);
	talk_close(&t);
}

/* ---- depth ------------------------------------------------------------------------------------------------------- */

/* A chain of Cards below root, n components in all, the last a Text. `from`..`to` of them as one list. */
static const char *chain(uint32_t n, uint32_t from, uint32_t to)
{
	struct sj_buf b;
	sj_buf_init(&b, &t.kept_mem, 0);
	for (uint32_t i = from; i < to; i++) {
		sj_buf_puts(&b, i > from ? "," : "");
		if (i == 0)
			sj_buf_puts(&b, "{'id':'root'");
		else
			sj_buf_printf(&b, "{'id':'c%u'", i);
		if (i + 1 < n)
			sj_buf_printf(&b, ",'component':'Card','child':'c%u'}", i + 1);
		else
			sj_buf_puts(&b, ",'component':'Text','text':'deep'}");
	}
	const char *kept = sj_arena_copy(&t.kept, sj_buf_view(&b)).ptr;
	sj_buf_finish(&b);
	return kept;
}

static enum sj_status say_chain(struct sj_diag *d, const char *components)
{
	return talk_message(&t, d, "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[%s]}}",
	                    components);
}

static void check_too_deep(enum sj_status st, const struct sj_diag *d)
{
	CHECK_INT(st, SJ_INVALID);
	CHECK_INT(d->category, SJ_CAT_RECURSION);
	CHECK(sj_category_is(d->category, SJ_CAT_VALIDATION));
	if (!strstr(d->message, "Global recursion limit exceeded"))
		sj_fail_at(__FILE__, __LINE__, "%s", d->message);
}

SJ_TEST(fifty_levels_and_no_more)
{
	struct sj_diag d;
	sj_case("50 at once");
	open_with(preset(0), NULL);
	CHECK_OK(say_chain(&d, chain(50, 0, 50)));
	talk_close(&t);
	sj_case("51 at once, as often as it is tried");
	open_with(preset(0), NULL);
	for (int i = 0; i < 3; i++)
		check_too_deep(say_chain(&d, chain(51, 0, 51)), &d);
	CHECK_STR(sj_slice_of(talk_defs(&t, "s")), "[]");
	CHECK_OK(say_chain(&d, chain(50, 0, 50))); /* what was refused leaves nothing behind */
	talk_close(&t);
	sj_case("the 51st arrives last");
	open_with(NULL, NULL);
	check_too_deep(say_chain(&d, chain(51, 0, 51)), &d);
	CHECK_OK(say_chain(&d, chain(51, 0, 50)));
	check_too_deep(say_chain(&d, chain(51, 50, 51)), &d);
	check_too_deep(say_chain(&d, chain(51, 50, 51)), &d);
	talk_close(&t);
	sj_case("the root arrives last, one component a message");
	open_with(NULL, NULL);
	for (uint32_t i = 51; i-- > 1;)
		CHECK_OK(say_chain(&d, chain(51, i, i + 1)));
	check_too_deep(say_chain(&d, chain(51, 0, 1)), &d);
	talk_close(&t);
	sj_case("a refused cycle does not hide depth");
	open_with(NULL, NULL);
	CHECK_OK(say_chain(&d, chain(50, 0, 50)));
	CHECK_INT(say_chain(&d, "{'id':'c49','component':'Card','child':'c3'}"), SJ_INVALID);
	check_too_deep(say_chain(&d, "{'id':'c49','component':'Card','child':'x'},{'id':'x','component':'Text','text':'t'}"),
	               &d);
	talk_close(&t);
	sj_case("what became shallow may grow again");
	open_with(NULL, NULL);
	CHECK_OK(say_chain(&d, chain(50, 0, 50)));
	CHECK_OK(say_chain(&d, "{'id':'root','component':'Card','child':'c25'}"));
	CHECK_OK(say_chain(&d, "{'id':'c49','component':'Card','child':'x'},{'id':'x','component':'Text','text':'t'}"));
	talk_close(&t);
	sj_case_end();
}

/* ---- composition ------------------------------------------------------------------------------------------------- */

static void open_composed(const struct sj_strictness *s)
{
	static const char *const in_form[] = {"Form", NULL}, *const in_surface[] = {"Surface", NULL},
				 *const holds[] = {"Field", "Note", NULL}, *const any_form[] = {"Form", "Box", NULL};
	static const struct sj_host_prop kids[] = {{.name = "children", .type = "ChildList", .required = true}, {0}},
					 text[] = {{.name = "text", .type = "DynamicString"}, {0}};
	static const struct sj_host_component components[] = {
		{.name = "Page", .props = kids, .allowed_parents = in_surface},
		{.name = "Form", .props = kids, .allowed_children = holds},
		{.name = "Box", .props = kids},
		{.name = "Field", .props = text, .allowed_parents = in_form},
		{.name = "Note", .props = text, .allowed_parents = any_form},
		{.name = "Free", .props = text},
		{0}};
	static const struct sj_host_catalog catalog = {
		.catalog_id = "https://example.com/c", .version = SJ_V10, .components = components};
	struct sj_engine_config cfg = {.strict = s != NULL};
	struct sj_diag d = {0};
	if (s)
		cfg.strictness = *s;
	CHECK_OK(talk_open(&t, sj_test_mem(), &cfg));
	CHECK_OK(sj_engine_add_host_catalog(t.e, &catalog, &d));
	CHECK_OK(talk_say(&t, "{'version':'v1.0','createSurface':{'surfaceId':'s','catalogId':'https://example.com/c'}}"));
	talk_forget(&t);
}

static enum sj_status compose(struct sj_diag *d, const char *components)
{
	return talk_message(&t, d, "{'version':'v1.0','updateComponents':{'surfaceId':'s','components':[%s]}}",
	                    components);
}

static void check_composition(const char *components, enum sj_code code, const char *message)
{
	struct sj_diag d;
	const char *before = talk_everything(&t);
	uint32_t from = talk_heard(&t, SJ_EV_SEND);
	CHECK_INT(compose(&d, components), SJ_INVALID);
	CHECK_INT(d.code, code);
	CHECK_INT(d.category, SJ_CAT_VALIDATION);
	CHECK_STR(sj_slice_of(d.message), message);
	CHECK_STR(sj_slice_of(talk_everything(&t)), before);
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), from + 1);
	const char *sent = talk_event(&t, SJ_EV_SEND, from)->json;
	CHECK_STR(sj_slice_of(talk_at(&t, sent, "/error/code")),
	          code == SJ_E_UNALLOWED_PARENT ? "\"UNALLOWED_PARENT\"" : "\"UNALLOWED_CHILD\"");
	CHECK_STR(sj_slice_of(talk_at(&t, sent, "/error/path")), "\"/components\"");
	CHECK_OUTBOUND(&t, sent);
}

SJ_TEST(composition_holds_whichever_end_is_updated)
{
	struct sj_diag d;
	sj_case("the child is placed where it may not stand");
	open_composed(NULL);
	check_composition("{'id':'root','component':'Box','children':['f']},{'id':'f','component':'Field'}",
	                  SJ_E_UNALLOWED_PARENT,
	                  "Component 'f' (Field) cannot be placed under parent 'root' (Box). Allowed parents: ['Form'].");
	talk_close(&t);
	sj_case("the child arrives after its parent");
	open_composed(NULL);
	CHECK_OK(compose(&d, "{'id':'root','component':'Box','children':['f']}"));
	check_composition("{'id':'f','component':'Field'}", SJ_E_UNALLOWED_PARENT,
	                  "Component 'f' (Field) cannot be placed under parent 'root' (Box). Allowed parents: ['Form'].");
	CHECK_OK(compose(&d, "{'id':'f','component':'Free'}"));
	talk_close(&t);
	sj_case("only the parent is updated");
	open_composed(NULL);
	CHECK_OK(compose(&d, "{'id':'root','component':'Form','children':['f','n']},{'id':'f','component':'Field'},"
	                     "{'id':'n','component':'Note','text':'x'}"));
	check_composition("{'id':'root','component':'Box','children':['n','f']}", SJ_E_UNALLOWED_PARENT,
	                  "Component 'f' (Field) cannot be placed under parent 'root' (Box). Allowed parents: ['Form'].");
	talk_close(&t);
	sj_case("only the child changes its type");
	open_composed(NULL);
	CHECK_OK(compose(&d, "{'id':'root','component':'Form','children':['f']},{'id':'f','component':'Field'}"));
	check_composition("{'id':'f','component':'Free'}", SJ_E_UNALLOWED_CHILD,
	                  "Container 'root' (Form) cannot contain child 'f' (Free). Allowed children: ['Field', 'Note'].");
	talk_close(&t);
	sj_case("a second parent is added to a child that is there");
	open_composed(NULL);
	CHECK_OK(compose(&d, "{'id':'root','component':'Box','children':['a','b']},"
	                     "{'id':'a','component':'Form','children':['f']},{'id':'f','component':'Field'}"));
	check_composition("{'id':'b','component':'Box','children':['f']}", SJ_E_UNALLOWED_PARENT,
	                  "Component 'f' (Field) cannot be placed under parent 'b' (Box). Allowed parents: ['Form'].");
	CHECK_OK(compose(&d, "{'id':'b','component':'Form','children':['f']}"));
	talk_close(&t);
	sj_case("a template's item is a child");
	open_composed(NULL);
	check_composition(
		"{'id':'root','component':'Box','children':{'componentId':'f','path':'/x'}},{'id':'f','component':'Field'}",
		SJ_E_UNALLOWED_PARENT,
		"Component 'f' (Field) cannot be placed under parent 'root' (Box). Allowed parents: ['Form'].");
	talk_close(&t);
	sj_case("the root's parent is Surface");
	open_composed(NULL);
	CHECK_OK(compose(&d, "{'id':'root','component':'Page','children':[]}"));
	check_composition("{'id':'root','component':'Note','text':'x'}", SJ_E_UNALLOWED_PARENT,
	                  "Component 'root' (Note) cannot be placed under parent 'Surface' (Surface). Allowed parents: "
	                  "['Form', 'Box'].");
	check_composition("{'id':'root','component':'Box','children':['p']},{'id':'p','component':'Page','children':[]}",
	                  SJ_E_UNALLOWED_PARENT,
	                  "Component 'p' (Page) cannot be placed under parent 'root' (Box). Allowed parents: ['Surface'].");
	talk_close(&t);
	sj_case("composition comes before the graph");
	open_composed(preset(0));
	check_composition("{'id':'root','component':'Box','children':['f','gone']},{'id':'f','component':'Field'}",
	                  SJ_E_UNALLOWED_PARENT,
	                  "Component 'f' (Field) cannot be placed under parent 'root' (Box). Allowed parents: ['Form'].");
	talk_close(&t);
	sj_case_end();
}

/* ---- order of arrival -------------------------------------------------------------------------------------------- */

static const char *const pieces[] = {
	"{'id':'root','component':'Column','children':['head','list','tabs','btn']}",
	"{'id':'head','component':'Text','text':{'path':'/title'}}",
	"{'id':'list','component':'List','children':{'componentId':'row','path':'/rows'}}",
	"{'id':'row','component':'Row','children':['name','qty']}",
	"{'id':'name','component':'Text','text':{'path':'name'}}",
	"{'id':'qty','component':'Slider','max':9,'value':{'path':'qty'}}",
	"{'id':'tabs','component':'Tabs','tabs':[{'title':'One','child':'one'},{'title':'Two','child':'name'}]}",
	"{'id':'one','component':'Card','child':'field'}",
	("{'id':'field','component':'TextField','label':'L','value':{'path':'/title'},'checks':[{'condition':"
	"{'call':'required','args':{'value':{'path':'/title'}}},'message':'no title'}]}"),
	"{'id':'btn','component':'Button','child':'head','action':{'event':{'name':'go'}}}",
};
enum { PIECES = sizeof pieces / sizeof *pieces };

SJ_TEST(any_order_of_arrival_gives_the_same_tree)
{
	enum { ROUNDS = 150 };
	static const char *const data[] = {"{'title':'T','rows':[{'name':'a','qty':1},{'name':'b','qty':2}]}"};
	char *want = NULL;
	for (uint64_t seed = 0; seed < ROUNDS && !sj_failed(); seed++) {
		struct sj_random r = {seed};
		uint32_t order[PIECES + 1], n = PIECES + 1; /* the last stands for the data */
		for (uint32_t i = 0; i < n; i++)
			order[i] = i;
		for (uint32_t i = n; seed > 0 && i-- > 1;) {
			uint32_t k = sj_random_below(&r, i + 1), swap = order[i];
			order[i] = order[k];
			order[k] = swap;
		}
		open_with(NULL, NULL);
		for (uint32_t i = 0; i < n;) {
			if (order[i] == PIECES) {
				CHECK_OK(talk_data(&t, "v0.9", "s", "/", data[0]));
				i++;
				continue;
			}
			struct sj_buf b; /* one to three of them in one message */
			sj_buf_init(&b, &t.kept_mem, 0);
			for (uint32_t k = 1 + sj_random_below(&r, 3); k > 0 && i < n && order[i] < PIECES; k--, i++) {
				sj_buf_puts(&b, b.len ? "," : "");
				sj_buf_puts(&b, pieces[order[i]]);
			}
			CHECK_OK(talk_components(&t, "v0.9", "s", b.ptr));
			sj_buf_finish(&b);
			if (sj_random_below(&r, 2))
				(void)talk_tree(&t, "s"); /* whether or not somebody looked in between */
		}
		CHECK_INT(talk_faults(&t), 0);
		const char *got = talk_whole(&t, "s");
		if (!want) {
			want = sj_mem_strndup(sj_test_mem(), sj_slice_of(got));
			CHECK(strstr(got, "Placeholder") == NULL);
		} else if (strcmp(got, want) != 0) {
			sj_fail_at(__FILE__, __LINE__, "seed %llu: got %s\nwant %s", (unsigned long long)seed, got,
			           want);
		}
		talk_close(&t);
	}
	sj_mem_free(sj_test_mem(), want, strlen(want) + 1);
}

/* ---- a long history against a search of the whole ---------------------------------------------------------------- */

enum { IDS = 9, KIDS = 3, DEPTH = 5 };
struct naive { /* a component's edges; nkids -1: undefined */
	int nkids;
	uint32_t kids[KIDS];
	bool is_template;
};

/* Height by memory of what is known; a component met again while it is open is a cycle. */
static int naive_height(const struct naive *g, uint32_t at, int *height)
{
	if (g[at].nkids < 0)
		return 0;
	if (height[at])
		return height[at]; /* -1: open */
	height[at] = -1;
	int best = 0;
	for (int i = 0; i < g[at].nkids && !g[at].is_template; i++) {
		int h = naive_height(g, g[at].kids[i], height);
		if (h < 0)
			return -1;
		if (h > best)
			best = h;
	}
	return height[at] = best + 1;
}

static bool naive_reached(const struct naive *g)
{
	bool seen[IDS] = {true};
	for (int again = IDS; again > 0; again--)
		for (uint32_t i = 0; i < IDS; i++)
			for (int k = 0; seen[i] && k < g[i].nkids; k++)
				seen[g[i].kids[k]] = true;
	for (uint32_t i = 0; i < IDS; i++)
		if (g[i].nkids >= 0 && !seen[i])
			return false;
	return true;
}

enum verdict { FINE, CYCLE, DEEP, ORPHAN };
static enum verdict naive_verdict(const struct naive *g, bool orphans_allowed)
{
	int height[IDS] = {0}, deepest = 0;
	for (uint32_t i = 0; i < IDS; i++) {
		int h = naive_height(g, i, height);
		if (h < 0)
			return CYCLE;
		deepest = h > deepest ? h : deepest;
	}
	return deepest > DEPTH ? DEEP : !orphans_allowed && !naive_reached(g) ? ORPHAN : FINE;
}

static void put_id(struct sj_buf *b, uint32_t i)
{
	if (i == 0)
		sj_buf_puts(b, "'root'");
	else
		sj_buf_printf(b, "'c%u'", i);
}

static void put_component(struct sj_buf *b, uint32_t id, const struct naive *c)
{
	sj_buf_puts(b, "{'id':");
	put_id(b, id);
	sj_buf_puts(b, ",'component':'Column','children':");
	if (c->is_template) {
		sj_buf_puts(b, "{'path':'/rows','componentId':");
		put_id(b, c->kids[0]);
		sj_buf_puts(b, "}}");
		return;
	}
	sj_buf_putc(b, '[');
	for (int i = 0; i < c->nkids; i++) {
		sj_buf_puts(b, i ? "," : "");
		put_id(b, c->kids[i]);
	}
	sj_buf_puts(b, "]}");
}

static void history(uint64_t seed, bool orphans_allowed)
{
	struct sj_random r = {seed};
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	struct naive g[IDS];
	l.component_depth = DEPTH;
	open_with(preset(orphans_allowed ? ORPHANS | DANGLING | ROOT : DANGLING | ROOT), &l);
	for (uint32_t i = 0; i < IDS; i++)
		g[i].nkids = -1;
	static unsigned counts[4];
	for (int step = 0; step < 60 && !sj_failed(); step++) {
		struct naive next[IDS];
		struct sj_buf b;
		struct sj_diag d;
		bool named[IDS] = {false};
		memcpy(next, g, sizeof g);
		sj_buf_init(&b, &t.kept_mem, 0);
		for (uint32_t n = 1 + sj_random_below(&r, 4); n > 0; n--) {
			uint32_t id = sj_random_below(&r, IDS);
			if (named[id])
				continue;
			named[id] = true;
			next[id].is_template = sj_random_below(&r, 8) == 0;
			next[id].nkids = next[id].is_template ? 1 : (int)sj_random_below(&r, KIDS + 1);
			for (int k = 0; k < next[id].nkids; k++) /* mostly downwards, so that not all is refused */
				next[id].kids[k] = sj_random_below(&r, 6) == 0 || id + 1 == IDS
				                           ? sj_random_below(&r, IDS)
				                           : id + 1 + sj_random_below(&r, IDS - id - 1);
			sj_buf_puts(&b, b.len ? "," : "");
			put_component(&b, id, &next[id]);
		}
		bool spoiled = sj_random_below(&r, 8) == 0; /* refused for another reason */
		if (spoiled)
			sj_buf_puts(&b, ",{'id':'bad','component':'Card'}");
		enum verdict want = naive_verdict(next, orphans_allowed);
		enum sj_status st = say_chain(&d, b.ptr);
		counts[want]++;
		bool right = spoiled          ? st == SJ_INVALID && d.category == SJ_CAT_VALIDATION
		             : want == FINE   ? st == SJ_OK
		             : want == DEEP   ? st == SJ_INVALID && d.category == SJ_CAT_RECURSION
		             : want == CYCLE  ? st == SJ_INVALID && strstr(d.message, "Circular reference detected")
		                              : st == SJ_INVALID && strstr(d.message, "Orphaned component");
		if (!right)
			sj_fail_at(__FILE__, __LINE__, "seed %llu, step %d: verdict %d wanted, got %d (%s) for %s",
			           (unsigned long long)seed, step, (int)want, (int)st, d.message, b.ptr);
		if (st == SJ_OK)
			memcpy(g, next, sizeof g);
		sj_buf_finish(&b);
		talk_forget(&t);
	}
	talk_close(&t);
}

SJ_TEST(a_long_history_is_judged_like_the_whole_graph)
{
	for (uint64_t seed = 1; seed <= 120 && !sj_failed(); seed++)
		history(seed, seed % 2 == 0);
}
