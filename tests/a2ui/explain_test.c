/* Why a screen looks as it does: each cause is found and named, and what is suggested takes it away. */
#include <stdio.h>

#include "engine/talk.h"

#include "a2ui/explain.h"

static struct talk t;
static struct sj_mem own;

/* A surface of the basic catalog: components and model as the talk writes them, quotes single. */
struct screen {
	const char *version, *components, *model;
	bool lenient; /* nothing is asked of types and of the graph, and few nodes are allowed */
	const char *const *raw; /* instead: whole messages, ended by NULL */
};

static void open_screen(const struct screen *s)
{
	static const struct sj_host_prop none[] = {{0}};
	static const struct sj_host_function functions[] = {
		{.name = "ask", .kind = SJ_FN_DEFERRED, .return_type = "any", .args = none}, {0}};
	static const struct sj_host_catalog host = {.catalog_id = "https://example.com/asking",
	                                            .version = SJ_V10,
	                                            .functions = functions,
	                                            .include_basic = true};
	struct sj_limits limits = SJ_LIMITS_DEFAULT;
	struct sj_engine_config cfg = {.size = sizeof cfg};
	if (s->lenient) {
		limits.nodes = 40;
		cfg.limits = &limits;
		cfg.strict = true;
		cfg.strictness = (struct sj_strictness){.allow_unknown = true, .skip_graph = true};
	}
	CHECK_OK(talk_open(&t, sj_test_mem(), &cfg));
	for (size_t i = 0; s->raw && s->raw[i]; i++)
		CHECK_OK(talk_say(&t, "%s", s->raw[i]));
	if (s->raw)
		return;
	if (strcmp(s->version, "asking") == 0) {
		CHECK_OK(sj_engine_add_host_catalog(t.e, &host, NULL));
		CHECK_OK(talk_say(&t, "{'version':'v1.0','createSurface':{'surfaceId':'s','catalogId':'%s'}}", host.catalog_id));
		CHECK_OK(talk_components(&t, "v1.0", "s", s->components));
		return;
	}
	CHECK_OK(talk_create(&t, s->version, "s"));
	if (s->model)
		CHECK_OK(talk_data(&t, s->version, "s", "/", s->model));
	if (s->components)
		CHECK_OK(talk_components(&t, s->version, "s", s->components));
}

/* The lines of the report as an array. */
static struct sj_value explain(const char *only)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_buf out;
	struct sj_value list, v;
	sj_buf_init(&out, &own, 0);
	CHECK_OK(sj_value_array(&own, &list));
	CHECK_OK(sj_view_explain(t.e, talk_view(&t, "s"), sj_slice_of(only), &out));
	for (size_t at = 0; at < out.len;) {
		size_t end = at;
		while (out.ptr[end] != '\n')
			end++;
		CHECK_OK(sj_value_parse(&own, &opt, sj_slice(out.ptr + at, end - at), &v, NULL));
		CHECK_OK(sj_value_append(&own, &list, v));
		at = end + 1;
	}
	sj_buf_finish(&out);
	return list;
}

static const struct sj_value *at(const struct sj_value *v, const char *pointer)
{
	return sj_value_at(v, sj_slice_of(pointer));
}
static struct sj_slice text(const struct sj_value *v, const char *pointer)
{
	const struct sj_value *m = at(v, pointer);
	return m ? sj_value_text(m) : SJ_LIT("");
}

static const struct sj_value *find(const struct sj_value *lines, struct sj_slice code, struct sj_slice component,
                                   struct sj_slice property)
{
	for (uint32_t i = 1; i < sj_value_count(lines); i++) {
		const struct sj_value *v = sj_value_item(lines, i);
		if (sj_slice_eq(text(v, "/code"), code) && sj_slice_eq(text(v, "/component"), component) &&
		    sj_slice_eq(text(v, "/property"), property))
			return v;
	}
	return NULL;
}

/* Sends what a finding suggests: nothing of it is refused, and the finding is gone. */
static void mend(const struct screen *s, const struct sj_value *finding)
{
	const struct sj_value *send = at(finding, "/suggestion/send");
	talk_close(&t);
	open_screen(s);
	talk_forget(&t);
	CHECK(send != NULL && sj_value_count(send) > 0);
	for (uint32_t i = 0; send && i < sj_value_count(send); i++) {
		struct sj_buf b;
		sj_buf_init(&b, &own, 0);
		sj_value_print(&b, sj_value_item(send, i), SJ_PRINT_COMPACT);
		sj_buf_putc(&b, '\n');
		CHECK_OK(sj_engine_feed(t.e, t.peer, b.ptr, b.len));
		CHECK_OK(talk_take(&t));
		sj_buf_finish(&b);
	}
	CHECK_INT(talk_faults(&t), 0);
	struct sj_value after = explain(NULL);
	CHECK(!find(&after, text(finding, "/code"), text(finding, "/component"), text(finding, "/property")));
	sj_value_unref(&own, after);
}

#define COLUMN(children) "{'id':'root','component':'Column','children':[" children "]}"
#define T(text) COLUMN("'t'") ",{'id':'t','component':'Text','text':" text "}"
#define LIST(path, text)                                                                                               \
	"{'id':'root','component':'List','children':{'componentId':'row','path':'" path                                \
	"'}},{'id':'row','component':'Text','text':" text "}"
#define FIELD(checks) COLUMN("'f','b'") ",{'id':'f','component':'TextField','label':'L','value':{'path':'/v'}},"       \
	"{'id':'b','component':'Button','child':'bt','action':{'event':{'name':'go'}},'checks':[" checks "]},"         \
	"{'id':'bt','component':'Text','text':'Go'}"
#define CALL(name, args) "{'call':'" name "','args':" args "}"
#define V "{'path':'/v'}"

static const struct row {
	const char *name, *version, *components, *model;
	const char *code, *component, *property;
	const char *cause;      /* whole */
	const char *suggestion; /* first message sent; NULL: none at all, "": not compared */
	bool lenient;
} rows[] = {
	{"nothing came", "v0.9", NULL, NULL, "no-components", "", "",
         "The surface was created, and no component ever came.", ""},
	{"no root", "v0.9", "{'id':'a','component':'Text','text':'x'},{'id':'b','component':'Card','child':'a'}", NULL,
         "no-root", "", "", "None of the 2 components has the id 'root', where the screen begins.",
         "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[{'id':'root','component':'Column',"
         "'children':['b']}]}}"},
	{"a child that never came", "v0.9", COLUMN("'a'"), NULL, "missing-component", "root", "children",
         "'root' (Column) names 'a' in children, and no message ever defined a component of that id.",
         "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[{'id':'a','component':'Text','text':'a'}]}}"},
	{"a child misspelt", "v1.0", COLUMN("'sumbit'") ",{'id':'submit','component':'Text','text':'x'}", NULL,
         "missing-component", "root", "children",
         "'root' (Column) names 'sumbit' in children, and no message ever defined a component of that id.",
         "{'version':'v1.0','updateComponents':{'surfaceId':'s','components':[{'id':'root','component':'Column',"
         "'children':['submit']}]}}"},
	{"a tab's child that never came", "v0.9",
         "{'id':'root','component':'Tabs','tabs':[{'title':'A','child':'a'},{'title':'B','child':'b'}]},"
         "{'id':'a','component':'Text','text':'x'}",
         NULL, "missing-component", "root", "tabs",
         "'root' (Tabs) names 'b' in tabs, and no message ever defined a component of that id.", ""},
	{"nothing at the place", "v0.9", T("{'path':'/not/there'}"), NULL, "binding-absent", "t", "text",
         "'t' (Text) is empty: its text reads /not/there, where there is nothing.",
         "{'version':'v0.9','updateDataModel':{'surfaceId':'s','path':'/not/there','value':'text'}}"},
	{"a key misspelt", "v0.9", T("{'path':'/user/nmae'}"), "{'user':{'name':'Ann'}}", "binding-absent", "t", "text",
         "'t' (Text) is empty: its text reads /user/nmae, where there is nothing.",
         "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[{'id':'t','component':'Text','text':"
         "{'path':'/user/name'}}]}}"},
	{"a key elsewhere", "v1.0", T("{'path':'/name'}"), "{'user':{'a/b':{'name':'Ann'}}}", "binding-absent", "t",
         "text", "'t' (Text) is empty: its text reads /name, where there is nothing.",
         "{'version':'v1.0','updateComponents':{'surfaceId':'s','components':[{'id':'t','component':'Text','text':"
         "{'path':'/user/a~1b/name'}}]}}"},
	{"a scalar in the way", "v0.9", T("{'path':'/a/b/c'}"), "{'a':1}", "binding-absent", "t", "text",
         "'t' (Text) is empty: its text reads /a/b/c, where there is nothing.",
         "{'version':'v0.9','updateDataModel':{'surfaceId':'s','path':'/a','value':{'b':{'c':'text'}}}}"},
	{"null there", "v0.9", T("{'path':'/n'}"), "{'n':null}", "value-null", "t", "text",
         "'t' (Text) is empty: its text reads /n, which holds null.", ""},
	{"an empty text there", "v0.9", T("{'path':'/n'}"), "{'n':''}", "value-empty", "t", "text",
         "'t' (Text) is empty: its text reads /n, which holds an empty text.", ""},
	{"an empty text written", "v1.0", T("' '"), NULL, "value-empty", "t", "text",
         "'t' (Text) is empty: its text is an empty text.", ""},
	{"an object for a text", "v0.9", T("{'path':'/o'}"), "{'o':{'n':1,'s':'x'}}", "binding-wrong-type", "t", "text",
         "'t' (Text) cannot show its text: it wants a text, and /o holds an object.",
         "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[{'id':'t','component':'Text','text':"
         "{'path':'/o/s'}}]}}"},
	{"a list for a text", "v0.9", T("{'path':'/o'}"), "{'o':[1]}", "binding-wrong-type", "t", "text",
         "'t' (Text) cannot show its text: it wants a text, and /o holds a list.", ""},
	{"a text for a number", "v0.9", "{'id':'root','component':'Slider','label':'L','max':10,'value':{'path':'/v'}}",
         "{'v':'much'}", "binding-wrong-type", "root", "value",
         "'root' (Slider) cannot show its value: it wants a number, and /v holds a text.", ""},
	{"an image without an address", "v0.9", "{'id':'root','component':'Image','url':{'path':'/u'}}", NULL,
         "binding-absent", "root", "url", "'root' (Image) is empty: its url reads /u, where there is nothing.",
         "{'version':'v0.9','updateDataModel':{'surfaceId':'s','path':'/u','value':'https://example.com/'}}"},
	{"an icon whose drawing was taken for a path", "v0.9",
         "{'id':'root','component':'Icon','name':{'path':'M10 10h4v4z'}}", NULL, "binding-absent", "root", "name",
         "'root' (Icon) is empty: its name reads /M10 10h4v4z, where there is nothing.", ""},
	{"an absolute path in a row", "v0.9", LIST("/products", "{'path':'/name'}"),
         "{'products':[{'name':'Apple'},{'name':'Pear'}]}", "binding-absent", "row", "text",
         "'row' (Text), in 2 places is empty: its text reads /name, where there is nothing.",
         "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[{'id':'row','component':'Text','text':"
         "{'path':'name'}}]}}"},
	{"a relative path to what stands outside", "v0.9", LIST("/products", "{'path':'name'}"),
         "{'products':[{'x':1}],'name':'Ann'}", "binding-absent", "row", "text",
         "'row' (Text) is empty: its text reads /products/0/name, where there is nothing.",
         "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[{'id':'row','component':'Text','text':"
         "{'path':'/name'}}]}}"},
	{"rows without the key", "v0.9", LIST("/products", "{'path':'name'}"), "{'products':[{'x':1},{'name':'b'},{}]}",
         "binding-absent", "row", "text",
         "'row' (Text), in 2 places is empty: its text reads /products/0/name, where there is nothing.",
         "{'version':'v0.9','updateDataModel':{'surfaceId':'s','path':'/products/0/name','value':'text'}}"},
	{"no list", "v0.9", LIST("/rows", "{'path':'n'}"), NULL, "list-absent", "root", "children",
         "'root' (List) has no rows: its list is /rows, where there is nothing.",
         "{'version':'v0.9','updateDataModel':{'surfaceId':'s','path':'/rows','value':[{'n':'text'}]}}"},
	{"a list misspelt", "v1.0", LIST("/row", "{'path':'n'}"), "{'rows':[{'n':'a'}]}", "list-absent", "root",
         "children", "'root' (List) has no rows: its list is /row, where there is nothing.",
         "{'version':'v1.0','updateComponents':{'surfaceId':'s','components':[{'id':'root','component':'List',"
         "'children':{'componentId':'row','path':'/rows'}}]}}"},
	{"an empty list", "v0.9", LIST("/rows", "{'path':'n'}"), "{'rows':[]}", "list-empty", "root", "children",
         "'root' (List) has no rows: the list at /rows is empty.", ""},
	{"an object for a list", "v0.9", LIST("/rows", "{'path':'n'}"), "{'rows':{'items':[{'n':'a'}]}}",
         "list-wrong-type", "root", "children",
         "'root' (List) has no rows: a list is wanted at /rows, which holds an object.", ""},
	{"children: none", "v0.9", COLUMN(""), NULL, "no-children", "root", "children",
         "'root' (Column) was sent with an empty list of children.", NULL},
	{"a circle through a template", "v0.9",
         "{'id':'root','component':'Column','children':['a']},{'id':'a','component':'List','children':"
         "{'componentId':'root','path':''}}",
         "{}", "list-wrong-type", "a", "children",
         "'a' (List) has no rows: a list is wanted at /, which holds an object.", NULL},
	{"a function that fails", "v0.9",
         T("{'call':'formatString','args':{'value':'${nope()}'},'returnType':'string'}"), NULL, "expression-error", "t",
         "text", "'t' (Text) cannot compute its text: a function it calls failed.",
         "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[{'id':'t','component':'Text','text':'text'}]}}"},
	{"nobody names it", "v0.9", T("'x'") ",{'id':'lost','component':'Text','text':'y'}", NULL,
         "unreachable-component", "lost", "", "'lost' (Text) is defined, and nothing on the screen names it.",
         "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[{'id':'root','component':'Column',"
         "'children':['t','lost']}]}}"},
	{"required", "v0.9", FIELD("{'message':'Fill in','condition':" CALL("required", "{'value':" V "}") "}"), NULL,
         "check-disables", "b", "", "'b' (Button) is disabled: one of its checks fails, with the words \"Fill in\".",
         "{'version':'v0.9','updateDataModel':{'surfaceId':'s','path':'/v','value':'text'}}"},
	{"an address", "v0.9",
         FIELD("{'message':'m','condition':" CALL("and", "{'values':[" CALL("required", "{'value':" V "}") "," CALL(
								 "email", "{'value':" V "}") "]}") "}"),
         "{'v':'x'}", "check-disables", "b", "",
         "'b' (Button) is disabled: one of its checks fails, with the words \"m\".", ""},
	{"a length and a number", "v1.0",
         FIELD("{'message':'m','condition':" CALL(
		 "length", "{'value':" V ",'min':3}") "},"
                                                      "{'message':'n','condition':" CALL(
							      "numeric", "{'value':{'path':'/n'},'min':18}") "}"),
         "{'v':'x'}", "check-disables", "b", "",
         "'b' (Button) is disabled: one of its checks fails, with the words \"m\".",
         "{'version':'v1.0','updateDataModel':{'surfaceId':'s','path':'/v','value':'xxx'}}"},
	{"a box to tick", "v0.9", FIELD("{'message':'m','condition':{'path':'/ok'}}"), NULL, "check-disables", "b", "",
         "'b' (Button) is disabled: one of its checks fails, with the words \"m\".",
         "{'version':'v0.9','updateDataModel':{'surfaceId':'s','path':'/ok','value':true}}"},
	{"a condition turned round: nothing sure can be said", "v0.9",
         FIELD("{'message':'m','condition':" CALL("not", "{'value':" V "}") "}"), "{'v':true}", "check-disables", "b",
         "", "'b' (Button) is disabled: one of its checks fails, with the words \"m\".", NULL},
	{"a type that is none", "v0.9", COLUMN("'a'") ",{'id':'a','component':'Dial','text':'x'}", NULL, "unknown-type",
         "a", "", "'a' (Dial) is of a type that its catalog does not have.",
         "{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[{'id':'a','component':'Text','text':'a'}]}}",
         true},
	{"more nodes than may be", "v0.9",
         COLUMN("'a','a','a','a','a'") ",{'id':'a','component':'Row','children':"
                                       "['b','b','b','b','b','b','b','b','b','b']},{'id':'b','component':'Text','text':'x'}",
         NULL, "over-limit", "a", "children", "'a' (Row), in 16 places has more below it than the limits of one surface allow.", NULL, true},
	{"an answer that has not come", "asking", T("{'call':'ask'}"), NULL, "answer-awaited", "t", "text",
         "'t' (Text) waits for the answer to a call in its text.", NULL},
	{"another tab", "v0.9",
         "{'id':'root','component':'Tabs','tabs':[{'title':'A','child':'a'},{'title':'B','child':'b'}]},"
         "{'id':'a','component':'Text','text':'x'},{'id':'b','component':'Text','text':'y'}",
         NULL, "in-other-tab", "b", "", "'b' (Text) stands in a tab of 'root' that is not the chosen one.", NULL},
	{"a closed dialog", "v0.9",
         "{'id':'root','component':'Modal','trigger':'a','content':'b'},{'id':'a','component':'Text','text':'x'},"
         "{'id':'b','component':'Text','text':'y'}",
         NULL, "in-closed-modal", "b", "",
         "'b' (Text) stands in the dialog of 'root', which opens when its trigger is pressed.", NULL},
};

/* A code without a row is not tested. Two cannot come of any message: one that closes a circle is refused, also where
 * nothing is asked of the graph, and no property of the protocol hides a component; the core's own tests
 * (tests/surface) have those states. */
SJ_TEST(each_code_has_a_row)
{
	for (size_t what = 0; what < SJ_WN_COUNT; what++) {
		static const char *const codes[] = {
#define CODE_TEXT(name, code, state, severity) code,
			SJ_WHYNOTS(CODE_TEXT)
#undef CODE_TEXT
		};
		bool found = what == SJ_WN_CYCLIC || what == SJ_WN_HIDDEN;
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
			found = found || strcmp(rows[i].code, codes[what]) == 0;
		if (!found)
			sj_fail_at(__FILE__, __LINE__, "no row is about %s", codes[what]);
	}
}

SJ_TEST(a_message_that_closes_a_circle_is_refused)
{
	struct screen s = {"v0.9", COLUMN("'a'") ",{'id':'a','component':'Column','children':['root']}", NULL, true};
	open_screen(&s);
	CHECK_INT(talk_faults(&t), 1);
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_DIAG, 0)->diag.message),
	          "Circular component reference: root -> a -> root. Circular reference detected");
	talk_close(&t);
}

SJ_TEST(each_cause_is_named_and_mended)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *r = &rows[i];
		struct screen s = {r->version, r->components, r->model, r->lenient};
		sj_case("%s", r->name);
		sj_mem_init(&own, NULL, 0);
		open_screen(&s);
		struct sj_value lines = explain(NULL);
		const struct sj_value *f = find(&lines, sj_slice_of(r->code), sj_slice_of(r->component),
		                                sj_slice_of(r->property));
		CHECK(f != NULL);
		if (f) {
			CHECK_STR(text(f, "/cause"), r->cause);
			const struct sj_value *send = at(f, "/suggestion/send");
			CHECK((send != NULL) == (r->suggestion != NULL));
			if (send && r->suggestion[0]) {
				struct sj_buf b;
				sj_buf_init(&b, &own, 0);
				sj_value_print(&b, sj_value_item(send, 0), SJ_PRINT_COMPACT);
				CHECK_STR(sj_buf_view(&b), talk_quote(&t, r->suggestion));
				sj_buf_finish(&b);
			}
		}
		/* every suggestion of the screen, not only the one that the row is about */
		for (uint32_t k = 1; k < sj_value_count(&lines); k++)
			if (at(sj_value_item(&lines, k), "/suggestion/send"))
				mend(&s, sj_value_item(&lines, k));
		sj_value_unref(&own, lines);
		talk_close(&t);
		CHECK_INT(own.used_bytes, 0);
		sj_case_end();
	}
}

SJ_TEST(v0_8_is_mended_in_its_own_words)
{
	static const char *const messages[] = {
		"{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'top','component':{'Column':{'children':{'explicitList':"
		"['a','b','c','l','gone']}}}},{'id':'a','component':{'Text':{'text':{'path':'/titel'}}}},"
		"{'id':'b','weight':2,'component':{'Text':{'text':{'path':'/user/name'}}}},"
		"{'id':'c','component':{'CheckBox':{'label':{'literalString':'L'},'value':{'path':'/done'}}}},"
		"{'id':'l','component':{'List':{'children':{'template':{'componentId':'row','dataBinding':'/rows'}}}}},"
		"{'id':'row','component':{'Text':{'text':{'path':'name'}}}},"
		"{'id':'z','component':{'Text':{'text':{'literalString':'nobody'}}}}]}}",
		"{'dataModelUpdate':{'surfaceId':'s','contents':[{'key':'title','valueString':'Hello'}]}}",
		"{'beginRendering':{'surfaceId':'s','root':'top'}}", NULL};
	static const struct {
		const char *code, *component, *property, *send;
	} wanted[] = {
		{"binding-absent", "a", "text",
	         "{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'a','component':{'Text':{'text':{'path':'/title'}}}}]}}"},
		{"binding-absent", "b", "text",
	         "{'dataModelUpdate':{'surfaceId':'s','path':'/user','contents':[{'key':'name','valueString':'text'}]}}"},
		{"missing-component", "top", "children",
	         "{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'gone','component':{'Text':{'text':{'literalString':'gone'}"
	         "}}}]}}"},
		{"unreachable-component", "z", "",
	         "{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'top','component':{'Column':{'children':{'explicitList':"
	         "['a','b','c','l','gone','z']}}}}]}}"},
		{"list-absent", "l", "children", NULL}, /* an entry cannot say a list */
	};
	struct screen s = {.raw = messages};
	sj_mem_init(&own, NULL, 0);
	open_screen(&s);
	struct sj_value lines = explain(NULL);
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		const struct sj_value *f = find(&lines, sj_slice_of(wanted[i].code), sj_slice_of(wanted[i].component),
		                                sj_slice_of(wanted[i].property));
		sj_case("%s of %s", wanted[i].code, wanted[i].component);
		CHECK(f != NULL);
		const struct sj_value *send = f ? at(f, "/suggestion/send") : NULL;
		CHECK((send != NULL) == (wanted[i].send != NULL));
		if (send) {
			struct sj_buf b;
			sj_buf_init(&b, &own, 0);
			sj_value_print(&b, sj_value_item(send, 0), SJ_PRINT_COMPACT);
			CHECK_STR(sj_buf_view(&b), talk_quote(&t, wanted[i].send));
			sj_buf_finish(&b);
			mend(&s, f);
		}
		sj_case_end();
	}
	sj_value_unref(&own, lines);
	talk_close(&t);
	CHECK_INT(own.used_bytes, 0);
}

SJ_TEST(the_first_line_says_how_the_screen_stands)
{
	static const struct {
		const char *components, *summary;
		bool blank;
	} states[] = {
		{NULL, "The screen is blank: The surface was created, and no component ever came.", true},
		{COLUMN("'a'"),
	         "The screen is blank: 'root' (Column) names 'a' in children, and no message ever defined a component of "
	         "that id.",
	         true},
		{COLUMN(""), "The screen is blank: 'root' (Column) was sent with an empty list of children.", true},
		{T("'x'"), "Everything that was sent is on the screen.", false},
		{T("'x'") ",{'id':'y','component':'Text','text':'y'}", "1 thing on the screen is amiss.", false},
	};
	sj_mem_init(&own, NULL, 0);
	for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
		struct screen s = {"v0.9", states[i].components, NULL};
		open_screen(&s);
		struct sj_value lines = explain(NULL);
		CHECK_STR(text(sj_value_item(&lines, 0), "/summary"), states[i].summary);
		CHECK_INT(at(sj_value_item(&lines, 0), "/blank")->type == SJ_V_TRUE, states[i].blank);
		sj_value_unref(&own, lines);
		talk_close(&t);
	}
}

/* The chain: component, binding, place, who wrote last, what was meant. */
SJ_TEST(the_chain_leads_to_who_wrote)
{
	struct screen s = {"v0.9", T("{'path':'/user/nmae'}"), "{'user':{'name':'Ann'}}"};
	sj_mem_init(&own, NULL, 0);
	open_screen(&s);
	struct sj_value lines = explain("t");
	CHECK_INT(sj_value_count(&lines), 2);
	struct sj_buf b;
	sj_buf_init(&b, &own, 0);
	const struct sj_value *f = sj_value_item(&lines, 1);
	CHECK_INT(sj_value_double(at(f, "/message")), 3);
	CHECK_INT(sj_value_double(at(f, "/chain/3/message")), 2);
	sj_value_print(&b, at(f, "/chain/1"), SJ_PRINT_COMPACT);
	sj_value_print(&b, at(f, "/chain/2"), SJ_PRINT_COMPACT);
	sj_value_print(&b, at(f, "/chain/4"), SJ_PRINT_COMPACT);
	CHECK_STR(sj_buf_view(&b), talk_quote(&t, "{'what':'binding','path':'/user/nmae'}{'what':'place','pointer':'/user/nmae',"
	                                          "'holds':'nothing'}{'what':'meant','pointer':'/user/name','path':"
	                                          "'/user/name'}"));
	/* the component's own byte, not its message's */
	CHECK_INT(sj_value_double(at(f, "/offset")) > sj_value_double(at(f, "/chain/3/offset")) + 100, true);
	sj_buf_finish(&b);
	sj_value_unref(&own, lines);
	lines = explain("root");
	CHECK_INT(sj_value_count(&lines), 1);
	sj_value_unref(&own, lines);
	talk_close(&t);
}

/* Of what was typed into an obscured field nothing is shown. */
SJ_TEST(no_value_of_the_model_is_shown)
{
	struct screen s = {"v0.9",
	                   COLUMN("'f','t'") ",{'id':'f','component':'TextField','label':'L','variant':'obscured','value':"
	                                     "{'path':'/p'}},{'id':'t','component':'Slider','label':'S','max':5,'value':{'path':'/p'}}",
	                   "{'p':'tops3cret'}"};
	struct sj_buf out;
	sj_mem_init(&own, NULL, 0);
	open_screen(&s);
	sj_buf_init(&out, &own, 0);
	CHECK_OK(sj_view_explain(t.e, talk_view(&t, "s"), SJ_NO_SLICE, &out));
	CHECK(strstr(out.ptr, "binding-wrong-type") != NULL);
	CHECK(strstr(out.ptr, "tops3cret") == NULL);
	sj_buf_finish(&out);
	talk_close(&t);
}

static enum sj_status in_little_memory(struct sj_mem *mem, void *ctx)
{
	static struct talk small;
	struct sj_buf out;
	(void)ctx;
	enum sj_status st = talk_open(&small, mem, NULL);
	if (st == SJ_OK)
		st = talk_create(&small, "v0.9", "s");
	if (st == SJ_OK)
		st = talk_data(&small, "v0.9", "s", "/", "{'user':{'name':'Ann'},'rows':[{'a':1}]}");
	if (st == SJ_OK)
		st = talk_components(&small, "v0.9", "s",
		                     COLUMN("'t','l','x','b'") ",{'id':'t','component':'Text','text':{'path':'/user/nmae'}},"
		                     "{'id':'l','component':'List','children':{'componentId':'t','path':'/row'}},"
		                     "{'id':'b','component':'Button','child':'t','action':{'event':{'name':'n'}},'checks':"
		                     "[{'message':'m','condition':{'path':'/ok'}}]}");
	sj_buf_init(&out, mem, 0);
	if (st == SJ_OK)
		st = sj_view_explain(small.e, talk_view(&small, "s"), SJ_NO_SLICE, &out);
	if (st == SJ_OK)
		CHECK(strstr(out.ptr, "/user/name") != NULL);
	sj_buf_finish(&out);
	talk_close(&small);
	return st;
}

SJ_TEST(runs_out_of_memory_cleanly) { sj_torture(in_little_memory, NULL); }
