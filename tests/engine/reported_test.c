/* Payloads that went wrong in other renderers, as their users reported them (shared data, a2ui/reported): each has an
 * assertion of its own for what the report says is right. A case without one fails, and so does an assertion without
 * its case. */
#include <stdio.h>

#include "engine/talk.h"

static struct talk t;
static struct sj_mem own; /* of the parsed cases */

struct reported {
	const struct sj_value *payload; /* a list of messages, or what else the case holds */
	struct sj_slice text;           /* a payload that is text */
};

static struct sj_buf print(const struct sj_value *v)
{
	struct sj_buf out;
	sj_buf_init(&out, &own, 0);
	sj_value_print(&out, v, SJ_PRINT_COMPACT);
	return out;
}

static void say_value(const struct sj_value *message)
{
	struct sj_buf out = print(message);
	sj_buf_putc(&out, '\n');
	CHECK_OK(sj_engine_feed(t.e, t.peer, out.ptr, out.len));
	CHECK_OK(talk_take(&t));
	sj_buf_finish(&out);
}

/* Messages from..to of the payload. */
static void say(const struct reported *c, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to && i < sj_value_count(c->payload); i++)
		say_value(sj_value_item(c->payload, i));
}
static void say_all(const struct reported *c) { say(c, 0, UINT32_MAX); }

static const struct sj_diag *fault(uint32_t i) { return &talk_event(&t, SJ_EV_DIAG, i)->diag; }
static const char *root_prop(const char *name) { return talk_prop(&t, "s1", talk_node(&t, "s1", "root"), name); }

/* What a reviewer says of s1: "rule component: hint", a line each; of `basic` what the values alone show. Nobody but
 * the caller hears of it. */
static char said[1024];
static void on_lint(void *ctx, const struct sj_lint *l)
{
	size_t len = strlen(said);
	(void)ctx;
	snprintf(said + len, sizeof said - len, "%s %.*s: %s\n", sj_lint_name(l->rule), SJ_ARG(l->component),
	         l->diag.hint);
}
static const char *lint(bool basic)
{
	said[0] = 0;
	CHECK_OK(sj_view_lint(t.e, talk_view(&t, "s1"), basic, on_lint, NULL));
	return said;
}

/* ---- the cases --------------------------------------------------------------------------------------------------- */

/* "/name" is absolute in a template too. */
static void fp_01(const struct reported *c)
{
	say_all(c);
	CHECK_INT(talk_faults(&t), 0);
	CHECK_STR(sj_slice_of(talk_tree(&t, "s1")),
	          talk_quote(&t, "{'children':[{'id':'row','type':'Text'},{'id':'row','type':'Text'}],'id':'root',"
	                         "'type':'List'}"));
	CHECK_STR(sj_slice_of(lint(false)), "absolute-path-in-row row: Did you mean 'name'?\n");
	CHECK_OK(talk_data(&t, "v0.9", "s1", "/name", "'of the root'"));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s1"), "/children/1/text")), "\"of the root\"");
}

/* A relative path is valid, resolves in its row, and is kept as it was written. */
static void fp_02(const struct reported *c)
{
	say_all(c);
	CHECK_INT(talk_faults(&t), 0);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s1"), "/children/0/text")), "\"Apple\"");
	CHECK_STR(sj_slice_of(talk_at(&t, talk_defs(&t, "s1"), "/1/text")), "{\"path\":\"name\"}");
	struct sj_buf place;
	sj_buf_init(&place, &own, 0);
	CHECK(sj_node_bound_path(talk_surface(&t, "s1"), talk_row(&t, "s1", "row", 0), SJ_P_TEXT, &place));
	CHECK_STR(sj_buf_view(&place), "/products/0/name");
	sj_buf_finish(&place);
}

/* v1.0: a message without value is refused and changes nothing; null deletes. */
static void fp_03(const struct reported *c)
{
	say(c, 0, 1);
	const char *before = talk_everything(&t);
	say(c, 1, 2);
	CHECK_INT(talk_faults(&t), 1);
	CHECK_INT(fault(0)->code, SJ_E_VALIDATION_FAILED);
	CHECK_STR(sj_slice_of(fault(0)->pointer), "/updateDataModel/value");
	CHECK_STR(sj_slice_of(talk_everything(&t)), before);
	CHECK_OK(talk_data(&t, "v1.0", "s1", "/user/bio", "null"));
	CHECK_STR(sj_slice_of(talk_model(&t, "s1")), "{\"user\":{\"name\":\"Ann\"}}");
}

/* v0.9: null is a value, absence removes; v1.0 differs. */
static void fp_04(const struct reported *c)
{
	say_all(c);
	CHECK_INT(talk_faults(&t), 0);
	CHECK_STR(sj_slice_of(talk_model(&t, "s1")), "{\"x\":null,\"y\":2}");
	CHECK_OK(talk_data(&t, "v0.9", "s1", "/x", NULL));
	CHECK_STR(sj_slice_of(talk_model(&t, "s1")), "{\"y\":2}");
	CHECK_OK(talk_create(&t, "v1.0", "new"));
	CHECK_OK(talk_data(&t, "v1.0", "new", "/", "{'x':1,'y':2}"));
	CHECK_OK(talk_data(&t, "v1.0", "new", "/x", "null"));
	CHECK_STR(sj_slice_of(talk_model(&t, "new")), "{\"y\":2}");
}

/* Behind the end of a list: what lies between is absent when read and null when printed (docs/decisions/007). */
static void fp_05(const struct reported *c)
{
	say_all(c);
	CHECK_INT(talk_faults(&t), 0);
	CHECK_STR(sj_slice_of(talk_model(&t, "s1")), "{\"items\":[\"a\",\"b\",null,null,null,\"x\"]}");
	CHECK_OK(talk_components(&t, "v0.9", "s1", "{'id':'root','component':'Text','text':{'path':'/items/3'}}"));
	CHECK_STR(sj_slice_of(root_prop("text")), "absent");
}

static void fp_06(const struct reported *c)
{
	say(c, 0, 2);
	size_t bytes = sj_engine_memory(t.e);
	say(c, 2, 3);
	CHECK_INT(talk_faults(&t), 1);
	CHECK_INT(fault(0)->code, SJ_E_LIMIT);
	CHECK_INT(fault(0)->category, SJ_CAT_DATA);
	CHECK_STR(sj_slice_of(fault(0)->pointer), "/updateDataModel/path");
	CHECK_STR(sj_slice_of(talk_model(&t, "s1")), "{\"items\":[\"a\"]}");
	CHECK(sj_engine_memory(t.e) < bytes + 10000);
}

/* Nothing there: empty, still subscribed, fills in. A value of another type is coerced where text is drawn, so it is no
 * fault, however often it changes. */
static void fp_07(const struct reported *c)
{
	say_all(c);
	sj_node_id n = talk_node(&t, "s1", "t");
	CHECK_INT(talk_faults(&t), 0);
	CHECK_STR(sj_slice_of(talk_prop(&t, "s1", n, "text")), "absent");
	CHECK_STR(sj_slice_of(lint(true)), "");
	CHECK_STR(sj_slice_of(lint(false)),
	          "unwritten-path t: Send updateDataModel for it, or bind to a place that is written.\n");
	CHECK_OK(talk_data(&t, "v0.9", "s1", "/not/there", "{'x':1}")); /* no text: told once, and nothing is sent */
	CHECK_STR(sj_slice_of(lint(true)), "wrong-type t: \n");
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 0);
	CHECK_OK(talk_data(&t, "v0.9", "s1", "/not/there", "'now'"));
	CHECK_STR(sj_slice_of(talk_prop(&t, "s1", n, "text")), "\"now\"");
	for (int i = 0; i < 5; i++)
		CHECK_OK(talk_data(&t, "v0.9", "s1", "/not", i % 2 ? "{'there':{'x':1}}" : "7"));
	CHECK_STR(sj_slice_of(talk_prop(&t, "s1", n, "text")), "absent");
	CHECK_OK(talk_data(&t, "v0.9", "s1", "/not", "{'there':'again'}"));
	CHECK_STR(sj_slice_of(talk_prop(&t, "s1", n, "text")), "\"again\"");
	CHECK_INT(talk_faults(&t), 0);
}

static void fp_09(const struct reported *c)
{
	say_all(c);
	CHECK_INT(fault(0)->code, SJ_E_VALIDATION_FAILED);
	CHECK_STR(sj_slice_of(fault(0)->pointer), "/updateComponents/components/1/action");
	for (uint32_t i = 0; i < talk_faults(&t); i++) /* of the good component nothing is said */
		CHECK(sj_slice_starts(sj_slice_of(fault(i)->pointer), "/updateComponents/components/1"));
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 1);
	CHECK_STR(sj_slice_of(talk_defs(&t, "s1")), "[]");
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 0)->json, "/error/path")),
	          "\"/components/1/action\"");
}

/* Refused in every host, so that a payload means the same everywhere. */
static void fp_10(const struct reported *c)
{
	say_all(c);
	CHECK_INT(talk_faults(&t), 2);
	for (uint32_t i = 0; i < 2; i++) {
		CHECK_INT(fault(i)->code, SJ_E_DATA_ERROR);
		CHECK_INT(fault(i)->category, SJ_CAT_DATA);
		CHECK(strstr(fault(i)->message, i ? "'constructor'" : "'__proto__'") != NULL);
	}
	CHECK_STR(sj_slice_of(talk_model(&t, "s1")), "{}");
}

static void fp_11(const struct reported *c)
{
	say_all(c);
	CHECK_INT(talk_faults(&t), 0);
	CHECK_STR(sj_slice_of(talk_model(&t, "s1")),
	          talk_quote(&t, "{'user':{'a~1b':'v','detailed/info':'ok'}}"));
	CHECK_STR(sj_slice_of(talk_prop(&t, "s1", talk_node(&t, "s1", "t"), "text")), "\"ok\"");
}

/* The button is defined but placed nowhere: it is placed, then pressed. What the binding reads is data, whatever its
 * keys. */
static void fp_13(const struct reported *c)
{
	say_all(c);
	CHECK_OK(talk_components(&t, "v0.9", "s1", "{'id':'root','children':['t','b']}"));
	CHECK_INT(talk_faults(&t), 0);
	CHECK_OK(talk_press(&t, "s1", talk_node(&t, "s1", "b"), NULL));
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 1);
	const char *json = talk_event(&t, SJ_EV_SEND, 0)->json;
	CHECK_STR(sj_slice_of(talk_at(&t, json, "/action/context")), talk_quote(&t, "{'icon':{'path':'M12 2L2 7'}}"));
	CHECK_STR(sj_slice_of(talk_prop(&t, "s1", talk_node(&t, "s1", "t"), "text")), "\"x\"");
	/* a call in data is not run either */
	CHECK_OK(talk_data(&t, "v0.9", "s1", "/icon", "{'call':'openUrl','args':{'url':'https://example.com/'}}"));
	CHECK_OK(talk_press(&t, "s1", talk_node(&t, "s1", "b"), NULL));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 1)->json, "/action/context/icon/call")),
	          "\"openUrl\"");
	CHECK_INT(talk_heard(&t, SJ_EV_TOOL_WANTED), 0);
	CHECK_INT(talk_faults(&t), 0);
}

/* {path} binds; an own drawing is {svgPath}. The old payload is a binding to nothing: an icon without a name. */
static void fp_14(const struct reported *c)
{
	say_all(c);
	CHECK_INT(talk_faults(&t), 0);
	CHECK_STR(sj_slice_of(talk_tree(&t, "s1")), "{\"id\":\"root\",\"type\":\"Icon\"}");
	CHECK_INT(sj_node_kind(talk_surface(&t, "s1"), talk_node(&t, "s1", "root")), SJ_UI_ICON);
	CHECK_STR(sj_slice_of(lint(false)),
	          "unwritten-path root: Send updateDataModel for it, or bind to a place that is written.\n");
	CHECK_OK(talk_data(&t, "v0.9", "s1", "/M10 10h4v4z", "'star'"));
	CHECK_STR(sj_slice_of(root_prop("name")), "\"star\"");
	CHECK_OK(talk_components(&t, "v0.9", "s1", "{'id':'root','component':'Icon','name':{'svgPath':'M10 10h4v4z'}}"));
	CHECK_STR(sj_slice_of(root_prop("name")), "{\"svgPath\":\"M10 10h4v4z\"}");
	CHECK_INT(talk_faults(&t), 0);
}

/* Of the report's and the suites' words the suites' are sent: an ExpressionError. */
static void fp_15(const struct reported *c)
{
	say_all(c);
	CHECK_OK(talk_press(&t, "s1", talk_node(&t, "s1", "b"), NULL));
	CHECK_INT(talk_faults(&t), 1);
	CHECK_INT(fault(0)->code, SJ_E_EXPRESSION_ERROR);
	CHECK_INT(talk_heard(&t, SJ_EV_TOOL_WANTED), 0);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 0)->json, "/error/code")), "\"EXPRESSION_ERROR\"");
}

/* The five ways in which messages may follow each other. */
enum { SHAPES = 5 };
static const char *const shape_names[SHAPES] = {"array", "wrapper", "one object a feed", "lines", "back to back"};

static struct sj_buf shaped(const struct sj_value *messages, int shape)
{
	struct sj_buf out;
	sj_buf_init(&out, &own, 0);
	sj_buf_puts(&out, shape == 0 ? "[" : shape == 1 ? "{\"messages\":[" : "");
	for (uint32_t i = 0; i < sj_value_count(messages); i++) {
		sj_buf_puts(&out, shape < 2 ? (i ? "," : "") : shape == 4 ? "" : "\n");
		sj_value_print(&out, sj_value_item(messages, i), SJ_PRINT_COMPACT);
	}
	sj_buf_puts(&out, shape == 0 ? "]" : shape == 1 ? "]}" : "");
	return out;
}

/* Every shape cut anywhere gives the same surface and the same faults. */
static void every_cut(const struct sj_value *messages, const char *want, uint32_t faults)
{
	for (int shape = 0; shape < SHAPES; shape++) {
		struct sj_buf text = shaped(messages, shape);
		for (size_t cut = 0; cut <= text.len && !sj_failed(); cut++) {
			CHECK_OK(sj_engine_feed(t.e, t.peer, text.ptr, cut));
			CHECK_OK(sj_engine_feed(t.e, t.peer, text.ptr + cut, text.len - cut));
			CHECK_OK(sj_engine_feed_end(t.e, t.peer));
			CHECK_OK(talk_take(&t));
			CHECK_STR(sj_slice_of(talk_whole(&t, "s1")), want);
			CHECK_INT(talk_faults(&t), faults);
			CHECK_INT(talk_heard(&t, SJ_EV_SURFACE_NEW), 1);
			CHECK_OK(talk_say(&t, "{'version':'v0.9','deleteSurface':{'surfaceId':'s1'}}"));
			if (sj_failed())
				sj_fail_at(__FILE__, __LINE__, "%s, cut at %zu", shape_names[shape], cut);
			talk_forget(&t);
		}
		sj_buf_finish(&text);
	}
}

static void fp_16(const struct reported *c)
{
	say_all(c);
	CHECK_INT(talk_faults(&t), 1);
	CHECK_INT(fault(0)->code, SJ_E_EXPRESSION_ERROR);
	CHECK_STR(sj_slice_of(root_prop("text")), "error");
	CHECK_STR(sj_slice_of(talk_tree(&t, "s1")), "{\"id\":\"root\",\"type\":\"Text\"}");
	/* the surface lives on, and reading it again reports nothing again */
	CHECK_OK(talk_data(&t, "v0.9", "s1", "/x", "1"));
	CHECK_INT(talk_faults(&t), 1);
	CHECK_OK(talk_components(&t, "v0.9", "s1", "{'id':'root','component':'Text','text':'fine'}"));
	CHECK_STR(sj_slice_of(root_prop("text")), "\"fine\"");
	CHECK_OK(talk_say(&t, "{'version':'v0.9','deleteSurface':{'surfaceId':'s1'}}"));
	talk_forget(&t);
	every_cut(c->payload,
	          "{\"dataModel\":{},\"surfaceId\":\"s1\",\"tree\":{\"id\":\"root\",\"type\":\"Text\"}}", 1);
}

/* Each message is judged alone; one that travels the other way is an error by itself. */
static void fp_17(const struct reported *c)
{
	say_all(c);
	CHECK_INT(talk_faults(&t), 2);
	CHECK_STR(sj_slice_of(fault(0)->pointer), "/action");
	CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->message, 1);
	CHECK_STR(sj_slice_of(fault(1)->pointer), "/updateComponents/components/0/component");
	CHECK(strstr(fault(1)->message, "EvilWidget") != NULL);
	CHECK_INT(talk_event(&t, SJ_EV_DIAG, 1)->message, 3);
	CHECK_STR(sj_slice_of(talk_tree(&t, "s1")), "null");
}

/* The tags belong to the text around; the messages inside come in every shape. */
static void fp_18(const struct reported *c)
{
	static const char open_tag[] = "<a2ui-json>", close_tag[] = "</a2ui-json>";
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value messages, one;
	size_t head = sizeof open_tag - 1, tail = sizeof close_tag - 1;
	CHECK(c->text.len > head + tail && sj_slice_starts(c->text, open_tag));
	struct sj_slice inside = sj_slice(c->text.ptr + head, c->text.len - head - tail);
	CHECK_OK(sj_value_array(&own, &messages));
	while (inside.len > 0) { /* a message a line */
		const char *end = memchr(inside.ptr, '\n', inside.len);
		size_t n = end ? (size_t)(end - inside.ptr) : inside.len;
		CHECK_OK(sj_value_parse(&own, &opt, sj_slice(inside.ptr, n), &one, NULL));
		CHECK_OK(sj_value_append(&own, &messages, one));
		n += end != NULL;
		inside = sj_slice(inside.ptr + n, inside.len - n);
	}
	CHECK_INT(sj_value_count(&messages), 2);
	every_cut(&messages,
	          "{\"dataModel\":{},\"surfaceId\":\"s1\",\"tree\":{\"id\":\"root\",\"text\":\"Hello\",\"type\":\"Text\"}}", 0);
	sj_value_unref(&own, messages);
}

/* Strict reading: one error with its place. */
static void fp_19(const struct reported *c)
{
	CHECK_OK(talk_create(&t, "v0.9", "s1"));
	CHECK_OK(sj_engine_feed(t.e, t.peer, c->text.ptr, c->text.len));
	CHECK_OK(sj_engine_feed_end(t.e, t.peer));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_faults(&t), 1);
	CHECK_INT(fault(0)->code, SJ_E_JSON_SYNTAX);
	CHECK_INT(fault(0)->category, SJ_CAT_PARSE);
	size_t comma = 0; /* the text is a slice: no zero ends it */
	while (comma + 1 < c->text.len && memcmp(c->text.ptr + comma, ",]", 2) != 0)
		comma++;
	CHECK_INT(fault(0)->line, 2); /* createSurface was the first */
	CHECK_INT(fault(0)->offset - (uint64_t)(comma + 1),
	          strlen("{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s1\",\"catalogId\":\"\"}}\n") + strlen(BASIC09));
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 0);
	CHECK_STR(sj_slice_of(talk_defs(&t, "s1")), "[]");
}

/* What v0.9 does not know is refused by name; v1.0 knows two of the three. */
static void fp_21(const struct reported *c)
{
	static const char *const names[] = {"color", "placeholder", "posterUrl"};
	say_all(c);
	CHECK_INT(talk_faults(&t), 3);
	for (uint32_t i = 0; i < 3; i++) {
		char pointer[60], quoted[40];
		snprintf(pointer, sizeof pointer, "/updateComponents/components/%u", i + 1);
		snprintf(quoted, sizeof quoted, "'%s' was unexpected", names[i]);
		CHECK_STR(sj_slice_of(fault(i)->pointer), pointer);
		if (!strstr(fault(i)->message, quoted))
			sj_fail_at(__FILE__, __LINE__, "%s", fault(i)->message);
	}
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 1);
	talk_forget(&t);
	CHECK_OK(talk_create(&t, "v1.0", "new"));
	CHECK_OK(talk_components(&t, "v1.0", "new",
	                         "{'id':'f','component':'TextField','label':'N','placeholder':'Type'},"
	                         "{'id':'v','component':'Video','url':'https://example.com/a.mp4',"
	                         "'posterUrl':'https://example.com/p.png'}"));
	CHECK_INT(talk_faults(&t), 0);
	CHECK_OK(talk_components(&t, "v1.0", "new", "{'id':'i','component':'Icon','name':'star','color':'#ff0000'}"));
	CHECK_INT(talk_faults(&t), 1);
	CHECK(strstr(fault(0)->message, "'color' was unexpected") != NULL);
}

/* No envelope: said so, and never a surface that nobody named. */
static void fp_22(const struct reported *c)
{
	say_all(c);
	CHECK_INT(talk_faults(&t), 2);
	for (uint32_t i = 0; i < 2; i++) {
		CHECK_INT(fault(i)->code, SJ_E_VALIDATION_FAILED);
		CHECK_STR(sj_slice_of(fault(i)->message), "Missing required version field");
		CHECK_STR(sj_slice_of(fault(i)->pointer), "/version");
	}
	CHECK_INT(sj_engine_view_count(t.e), 0);
}

static void fp_23(const struct reported *c)
{
	say_all(c);
	CHECK_INT(talk_faults(&t), 1);
	CHECK_STR(sj_slice_of(fault(0)->message), "Missing required version field");
	CHECK_STR(sj_slice_of(fault(0)->hint), "This looks like a component: wrap it in updateComponents.");
	CHECK(talk_view(&t, "s1") != NULL);
	CHECK_INT(sj_surface_root(talk_surface(&t, "s1")), 0); /* what "the surface has no root" is read from */
	CHECK_OK(talk_message(&t, &(struct sj_diag){0}, "[]"));
	struct sj_diag d;
	CHECK_INT(talk_message(&t, &d, "{'id':'header','component':'Text','variant':'h5'}"), SJ_INVALID);
	CHECK_STR(sj_slice_of(d.hint), "This looks like a component: wrap it in updateComponents.");
}

/* A property of another's catalog: wherever the catalog says Dynamic, a list may be bound, and is resolved before
 * anyone uses it. */
static void fp_24(const struct reported *c)
{
	static const struct sj_host_prop props[] = {{.name = "columns", .type = "DynamicStringList", .required = true},
	                                            {.name = "rows", .type = "DynamicValue", .required = true},
	                                            {0}};
	static const struct sj_host_component components[] = {{.name = "DataTable", .props = props}, {0}};
	static const struct sj_host_catalog catalog = {
		.catalog_id = "https://example.com/table", .version = SJ_V09, .components = components};
	struct sj_diag d = {0};
	CHECK_OK(sj_engine_add_host_catalog(t.e, &catalog, &d));
	CHECK_OK(talk_say(&t, "{'version':'v0.9','createSurface':{'surfaceId':'s1','catalogId':'https://example.com/table'}}"));
	struct sj_buf root = print(sj_value_at(c->payload, SJ_LIT("/spec/root"))),
		      data = print(sj_value_at(c->payload, SJ_LIT("/dataModel")));
	CHECK_OK(talk_say(&t, "{'version':'v0.9','updateComponents':{'surfaceId':'s1','components':[{'id':'root',%s]}}",
	                  root.ptr + 1));
	CHECK_OK(talk_data(&t, "v0.9", "s1", "/", data.ptr));
	CHECK_INT(talk_faults(&t), 0);
	CHECK_STR(sj_slice_of(root_prop("rows")), "[[\"Person A\",\"Sick\"]]");
	CHECK_STR(sj_slice_of(root_prop("columns")), "[\"Name\",\"Type\"]");
	/* a list of texts where one is wanted: what is bound to something else is told once, to who asks */
	CHECK_STR(sj_slice_of(lint(true)), "");
	CHECK_OK(talk_say(&t, "{'version':'v0.9','updateComponents':{'surfaceId':'s1','components':[{'id':'root','component':"
	                      "'DataTable','columns':{'path':'/tableRows/0/0'},'rows':{'path':'/tableRows'}}]}}"));
	CHECK_STR(sj_slice_of(lint(true)), "wrong-type root: \n");
	CHECK_INT(talk_faults(&t), 0);
	/* gone again: an empty table, not an object that says where the rows would be */
	CHECK_OK(talk_data(&t, "v0.9", "s1", "/tableRows", NULL));
	CHECK_STR(sj_slice_of(root_prop("rows")), "absent");
	/* a literal of the wrong type is refused when it arrives */
	CHECK_OK(talk_say(&t, "{'version':'v0.9','updateComponents':{'surfaceId':'s1','components':[{'id':'root','columns':5}]}}"));
	CHECK_INT(talk_faults(&t), 1);
	CHECK_STR(sj_slice_of(fault(0)->pointer), "/updateComponents/components/0/columns");
	sj_buf_finish(&root);
	sj_buf_finish(&data);
}

static void fp_27(const struct reported *c)
{
	say(c, 0, 2);
	CHECK(talk_view(&t, "s1") != NULL);
	talk_forget(&t);
	say(c, 2, 3);
	CHECK_STR(sj_slice_of(talk_log(&t)), "GONE s1\n");
	CHECK(talk_view(&t, "s1") == NULL);
	CHECK_OK(talk_say(&t, "{'version':'v0.9','removeSurface':{'surfaceId':'s1'}}"));
	CHECK_INT(talk_faults(&t), 1);
	CHECK(strstr(fault(0)->message, "'removeSurface'") != NULL);
}

/* v0.8: a path that spells a component's id is a path. */
static void fp_12(const struct reported *c)
{
	say_all(c);
	CHECK_INT(talk_faults(&t), 0);
	CHECK_OK(talk_say(&t, "{'dataModelUpdate':{'surfaceId':'s1','contents':[{'key':'comments','valueString':'fine'}]}}"));
	CHECK_OK(talk_press(&t, "s1", talk_node(&t, "s1", "btn"), NULL));
	CHECK_STR(sj_slice_of(talk_at(&t, talk_event(&t, SJ_EV_SEND, 0)->json, "/userAction/context/comments")),
	          "\"fine\"");
}

/* v0.8: each day of a year is written as it was picked. */
static void fp_28(const struct reported *c)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	say_all(c);
	CHECK_OK(talk_say(&t, "{'beginRendering':{'surfaceId':'s1','root':'d'}}"));
	CHECK_INT(talk_faults(&t), 0);
	sj_node_id n = talk_node(&t, "s1", "d");
	CHECK_STR(sj_slice_of(talk_prop(&t, "s1", n, "value")), "\"2026-01-31\"");
	for (int month = 1; month <= 12; month++)
		for (int day = 1; day <= days[month - 1]; day++) {
			char text[20];
			snprintf(text, sizeof text, "\"2026-%02d-%02d\"", month, day);
			CHECK_OK(talk_type(&t, "s1", n, text, NULL));
			CHECK_STR(sj_slice_of(talk_at(&t, talk_model(&t, "s1"), "/when")), text);
			CHECK_STR(sj_slice_of(talk_prop(&t, "s1", n, "value")), text);
		}
}

/* Between the components and their data nothing is wrong. */
static void fp_30(const struct reported *c)
{
	say(c, 0, 2);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s1"), "/isValid")), "false");
	say(c, 2, 3);
	CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s1"), "/isValid")), "true");
	CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s1"), "/value")), "\"a@example.com\"");
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 0);
	CHECK_INT(talk_heard(&t, SJ_EV_SEND), 0);
}

static const struct row {
	const char *id;
	void (*check)(const struct reported *c);
} rows[] = {
	{"fp-01", fp_01}, {"fp-02", fp_02}, {"fp-03", fp_03}, {"fp-04", fp_04}, {"fp-05", fp_05}, {"fp-06", fp_06},
	{"fp-07", fp_07}, {"fp-09", fp_09}, {"fp-10", fp_10}, {"fp-11", fp_11}, {"fp-12", fp_12},  {"fp-13", fp_13},
	{"fp-14", fp_14}, {"fp-15", fp_15}, {"fp-16", fp_16}, {"fp-17", fp_17}, {"fp-18", fp_18}, {"fp-19", fp_19},
	{"fp-21", fp_21}, {"fp-22", fp_22}, {"fp-23", fp_23}, {"fp-24", fp_24}, {"fp-27", fp_27}, {"fp-28", fp_28},
	{"fp-30", fp_30},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void run(const struct row *r, const struct sj_value *record)
{
	const struct sj_value *payload = sj_value_get(record, SJ_LIT("payload"));
	struct reported c = {payload, payload && sj_value_is_string(payload) ? sj_value_text(payload) : SJ_NO_SLICE};
	CHECK(payload != NULL);
	if (!payload)
		return;
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	r->check(&c);
	talk_close(&t);
}

SJ_TEST(reported)
{
	const char *path = sj_data("a2ui/reported/cases.jsonl");
	struct sj_slice rest = path ? sj_slurp(path) : SJ_NO_SLICE;
	if (!rest.ptr) {
		sj_skip("a2ui/reported/cases.jsonl is not there");
		return;
	}
	bool met[ROWS] = {false};
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	sj_mem_init(&own, NULL, 0);
	while (rest.len > 0) {
		const char *end = memchr(rest.ptr, '\n', rest.len);
		struct sj_slice line = sj_slice(rest.ptr, end ? (size_t)(end - rest.ptr) : rest.len);
		rest = sj_slice(line.ptr + line.len + (end != NULL), rest.len - line.len - (end != NULL));
		struct sj_value record;
		if (line.len == 0)
			continue;
		CHECK_OK(sj_value_parse(&own, &opt, line, &record, NULL));
		struct sj_slice id = sj_value_text(sj_value_get(&record, SJ_LIT("id")));
		size_t k = 0;
		while (k < ROWS && !sj_slice_is(id, rows[k].id))
			k++;
		sj_case("%.*s", SJ_ARG(id));
		if (k == ROWS)
			sj_fail_at(__FILE__, __LINE__, "nothing is asserted for this case");
		else
			run(&rows[k], &record);
		if (k < ROWS)
			met[k] = true;
		sj_case_end();
		sj_value_unref(&own, record);
	}
	for (size_t k = 0; k < ROWS; k++)
		if (!met[k])
			sj_fail_at(__FILE__, __LINE__, "%s is not in the data", rows[k].id);
	CHECK_INT(own.used_bytes, 0);
}
