/* Sessions: formats bound to what was negotiated, and everything said checked against what was said before. */
#include "harness/test.h"
#include <stdio.h>

#include "infer/session.h"

#define LABELS "{\"catalogId\":\"x:labels\",\"protocolVersion\":\"1.0\",\"components\":{\"Label\":{\"type\":\"object\",\"properties\":" \
	"{\"component\":{\"const\":\"Label\"},\"text\":{\"$ref\":\"common_types.json#/$defs/DynamicString\"}},\"required\":" \
	"[\"component\",\"text\"]},\"Box\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Box\"},\"inside\":{\"$ref\":" \
	"\"common_types.json#/$defs/Child\"}},\"required\":[\"component\"]},\"Spare\":{\"type\":\"object\",\"properties\":" \
	"{\"component\":{\"const\":\"Spare\"}},\"required\":[\"component\"]}},\"functions\":{\"ring\":{\"type\":\"object\",\"returnType\":" \
	"\"void\",\"allowedCallers\":\"rendererOrAgent\",\"properties\":{\"@call\":{\"const\":\"ring\"}},\"required\":[\"@call\"]}}}"

static struct sj_value value(struct sj_mem *mem, const char *json)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v;
	return sj_value_parse(mem, &opt, sj_slice_of(json), &v, NULL) == SJ_OK ? v : SJ_NULL_VALUE;
}

/* An agent with one catalog, of which "Spare" was pruned, and a session of a renderer that sent no capabilities. */
static enum sj_status open_one(struct sj_mem *mem, struct sj_agent **agent, struct sj_session **s)
{
	static const struct sj_slice keep[] = {{"Label", 5}, {"Box", 3}};
	static const struct sj_pruning steps[] = {{.components = keep, .ncomponents = 2}};
	struct sj_catalog_options load = {.id = SJ_NO_SLICE};
	struct sj_registration row = {.transformers = steps, .ntransformers = 1};
	struct sj_agent_options opt = {&row, 1, false};
	struct sj_session_options plain = {.dialect = SJ_DIALECT_AUTO};
	struct sj_catalog *c = NULL;
	*agent = NULL;
	*s = NULL;
	enum sj_status st = sj_catalog_load(mem, SJ_LIT(LABELS), &load, &c, NULL);
	row.catalog = c;
	if (st == SJ_OK)
		st = sj_agent_create(mem, &opt, agent, NULL);
	sj_catalog_destroy(c);
	if (st == SJ_OK)
		st = sj_session_create(*agent, &plain, s, NULL);
	if (st != SJ_OK) {
		sj_agent_destroy(*agent);
		*agent = NULL;
	}
	return st;
}

static void close_one(struct sj_agent *agent, struct sj_session *s)
{
	sj_session_destroy(s);
	sj_agent_destroy(agent);
}

#define CREATE(id) "{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"" id "\",\"catalogId\":\"x:labels\"}}"
#define UPDATE(id, components) "{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"" id "\",\"components\":[" components "]}}"
#define LABEL(id, text) "{\"id\":\"" id "\",\"component\":\"Label\",\"text\":\"" text "\"}"
#define BOX(id, inside) "{\"id\":\"" id "\",\"component\":\"Box\",\"inside\":\"" inside "\"}"
#define DATA(id, path, json) "{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"" id "\",\"path\":\"" path "\",\"value\":" json "}}"
#define DELETE(id) "{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"" id "\"}}"

/* What the session takes the renderer to show. */
static void check_state(struct sj_session *s, const char *want)
{
	struct sj_engine *e = sj_session_engine(s);
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 0);
	CHECK(e != NULL);
	for (uint32_t i = 0; e && i < sj_engine_view_count(e); i++) {
		struct sj_view *v = sj_engine_view_at(e, i);
		sj_buf_printf(&out, "%.*s ", SJ_ARG(sj_view_id(v)));
		CHECK_OK(sj_view_components(e, v, &out));
		sj_buf_putc(&out, ' ');
		sj_value_print(&out, sj_surface_model(sj_view_surface(v), SJ_ROOT_DATA), SJ_PRINT_SORTED);
		sj_buf_putc(&out, '\n');
	}
	CHECK_STR(sj_buf_view(&out), want);
	sj_buf_finish(&out);
}

#define FIRST "m [{\"id\":\"root\",\"component\":\"Label\",\"text\":\"one\"}] {\"a\":1}\n"

static const struct step {
	const char *what, *messages;
	unsigned flags;
	uint32_t taken;
	const char *pointer; /* of the fault; NULL: none */
	enum sj_category category;
	const char *state;
} steps[] = {
	{"a surface", "[" CREATE("m") "," UPDATE("m", LABEL("root", "one")) "," DATA("m", "/a", "1") "]", 0, 3, NULL,
         SJ_CAT_NONE, FIRST},
	{"a second one of the same id", "[" CREATE("m") "]", 0, 0, "/0", SJ_CAT_INTEGRITY, FIRST},
	{"an update of no surface", "[" DATA("m", "/a", "2") "," UPDATE("n", LABEL("root", "x")) "]", SJ_ACCEPT_WHOLE,
         0, "/1", SJ_CAT_NONE, FIRST},
	{"the same, and what came before it stays", "[" DATA("m", "/a", "2") "," UPDATE("n", LABEL("root", "x")) "]", 0,
         1, "/1", SJ_CAT_NONE, "m [{\"id\":\"root\",\"component\":\"Label\",\"text\":\"one\"}] {\"a\":2}\n"},
	{"a pruned component",
         "[" DATA("m", "/a", "1") "," UPDATE("m", "{\"id\":\"root\",\"component\":\"Spare\"}") "]", 0, 1,
         "/1/updateComponents/components/0", SJ_CAT_VALIDATION, FIRST},
	{"a reference that leads nowhere", "[" UPDATE("m", BOX("root", "in")) "]", SJ_ACCEPT_WHOLE, 0, "/0",
         SJ_CAT_INTEGRITY, FIRST},
	{"which may still come", "[" UPDATE("m", BOX("root", "in")) "]", SJ_ACCEPT_MORE, 1, NULL, SJ_CAT_NONE,
         "m [{\"id\":\"root\",\"component\":\"Box\",\"inside\":\"in\"}] {\"a\":1}\n"},
	{"and comes", "[" UPDATE("m", LABEL("in", "two")) "]", 0, 1, NULL, SJ_CAT_NONE,
         "m [{\"id\":\"root\",\"component\":\"Box\",\"inside\":\"in\"},{\"id\":\"in\",\"component\":\"Label\",\"text\":\"two\"}] {\"a\":1}\n"},
	{"no root", "[" CREATE("n") "," UPDATE("n", LABEL("top", "x")) "]", SJ_ACCEPT_WHOLE, 0, "/1", SJ_CAT_INTEGRITY,
         "m [{\"id\":\"root\",\"component\":\"Box\",\"inside\":\"in\"},{\"id\":\"in\",\"component\":\"Label\",\"text\":\"two\"}] {\"a\":1}\n"},
	{"the surface goes and comes", "[" DELETE("m") "," CREATE("m") "]", 0, 2, NULL, SJ_CAT_NONE, "m [] {}\n"},
	{"and the old one comes back with what failed", "[" UPDATE("m", LABEL("root", "one")) "," DELETE("m") ",7]",
         SJ_ACCEPT_WHOLE, 0, "/2", SJ_CAT_NONE, "m [] {}\n"},
	{"a call and an answer change nothing",
         "[{\"version\":\"v1.0\",\"callRendererFunction\":{\"functionCallId\":\"c\",\"callFunction\":{\"@call\":\"ring\",\"catalogId\":\"x:labels\"}}},"
         "{\"version\":\"v1.0\",\"agentFunctionResponse\":{\"functionCallId\":\"d\",\"value\":1}}]",
         0, 2, NULL, SJ_CAT_NONE, "m [] {}\n"},
	{"a broken answer", "[{\"version\":\"v1.0\",\"agentFunctionResponse\":{\"value\":1}}]", 0, 0, "/0",
         SJ_CAT_VALIDATION, "m [] {}\n"},
	{"no list", "{}", 0, 0, "", SJ_CAT_VALIDATION, "m [] {}\n"},
};

SJ_TEST(output_is_checked_against_what_was_said)
{
	struct sj_agent *agent;
	struct sj_session *s;
	CHECK_OK(open_one(sj_test_mem(), &agent, &s));
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		const struct step *k = &steps[i];
		struct sj_value messages = value(sj_test_mem(), k->messages);
		struct sj_diag d = {0};
		uint32_t taken = 99;
		sj_case("%s", k->what);
		CHECK(messages.type != SJ_V_NULL);
		CHECK_INT(sj_session_accept(s, &messages, k->flags, &taken, &d), k->pointer ? SJ_INVALID : SJ_OK);
		CHECK_INT(taken, k->taken);
		if (k->pointer)
			CHECK(sj_slice_starts(sj_slice_of(d.pointer), k->pointer));
		else
			CHECK_STR(sj_slice_of(d.message), "");
		CHECK(k->category == SJ_CAT_NONE || sj_category_is(d.category, k->category));
		if (sj_failed())
			sj_fail_at(__FILE__, __LINE__, "%s at %s: %s", sj_category_name(d.category), d.pointer,
			           d.message);
		check_state(s, k->state);
		sj_value_unref(sj_test_mem(), messages);
		sj_case_end();
	}
	close_one(agent, s);
}

/* However long a session is, taking a response back gives what was there before it. */
SJ_TEST(a_long_session_can_still_take_back)
{
	static const char broken[] =
		"[" UPDATE("m", LABEL("root", "lost")) "," DATA("m", "/n", "-1") "," DELETE("m") ",0]";
	struct sj_agent *agent;
	struct sj_session *s;
	struct sj_value begin = value(sj_test_mem(),
	                              "[" CREATE("m") "," UPDATE("m", LABEL("root", "one")) "," CREATE("x") "]"),
			bad = value(sj_test_mem(), broken);
	struct sj_diag d = {0};
	CHECK_OK(open_one(sj_test_mem(), &agent, &s));
	CHECK_OK(sj_session_accept(s, &begin, 0, NULL, NULL));
	size_t peak = 0, early = 0;
	for (int i = 0; i < 2000; i++) {
		char json[256];
		snprintf(json, sizeof json, "[" DATA("m", "/n", "%d") "," DATA("m", "/list/0", "\"%d\"") "]", i, i);
		struct sj_value v = value(sj_test_mem(), json);
		CHECK_OK(sj_session_accept(s, &v, SJ_ACCEPT_WHOLE, NULL, &d));
		sj_value_unref(sj_test_mem(), v);
		early = i == 400 ? sj_test_mem()->used_bytes : early;
		peak = sj_test_mem()->used_bytes;
	}
	CHECK(peak < early + 100000); /* the log is made short again and again */
	CHECK_INT(sj_session_accept(s, &bad, SJ_ACCEPT_WHOLE, NULL, &d), SJ_INVALID);
	check_state(s, "m [{\"id\":\"root\",\"component\":\"Label\",\"text\":\"one\"}] {\"list\":[\"1999\"],\"n\":1999}\nx [] {}\n");
	sj_value_unref(sj_test_mem(), begin);
	sj_value_unref(sj_test_mem(), bad);
	close_one(agent, s);
}

SJ_TEST(a_response_is_one_whole)
{
	static const char good[] = "Here.<a2ui-json>[" CREATE("m") "," UPDATE(
		"m", LABEL("root", "one")) "]</a2ui-json> And data: "
					   "<a2ui-json>[" DATA("m", "/a", "1") "]</a2ui-json>",
			  bad[] = "<a2ui-json>[" DATA("m", "/a", "2") "]</a2ui-json><a2ui-json>[" DATA(
				  "n", "/a", "2") "]</a2ui-json>";
	struct sj_agent *agent;
	struct sj_session *s;
	struct sj_parts parts = {0};
	struct sj_diag d = {0};
	CHECK_OK(open_one(sj_test_mem(), &agent, &s));
	CHECK_OK(sj_session_parse(s, SJ_FORMAT_DIRECT_JSON, SJ_LIT(good), &parts, NULL, &d));
	CHECK_INT(parts.list.count, 4);
	check_state(s, FIRST);
	CHECK_INT(sj_session_parse(s, SJ_FORMAT_DIRECT_JSON, SJ_LIT(bad), &parts, NULL, &d), SJ_INVALID);
	CHECK_INT(parts.list.count, 4);
	CHECK(sj_slice_starts(sj_slice_of(d.pointer), "/1"));
	check_state(s, FIRST);
	sj_diag_clear(&d);
	CHECK_INT(sj_session_parse(s, SJ_FORMAT_EXPRESS, SJ_LIT(good), &parts, NULL, &d), SJ_INVALID);
	CHECK_INT(d.code, SJ_E_UNAVAILABLE);
	sj_parts_finish(sj_test_mem(), &parts);
	close_one(agent, s);
}

static const char examples_good[] = "[[" CREATE("e") "," UPDATE("e", LABEL("root", "shown")) "]]";
static const char examples_bad[] = "[[" CREATE("e") "," UPDATE("e", "{\"id\":\"root\",\"component\":\"Spare\"}") "]]";

SJ_TEST(a_session_is_made_with_good_examples_only)
{
	struct sj_agent *agent;
	struct sj_session *s, *t = NULL;
	CHECK_OK(open_one(sj_test_mem(), &agent, &s));
	struct sj_value good = value(sj_test_mem(), examples_good), bad = value(sj_test_mem(), examples_bad);
	static const struct sj_slice wrong[] = {{"surfaceUpdate", 13}};
	struct sj_session_options opt = {.examples = &bad};
	struct sj_diag d = {0};
	struct sj_buf out;
	CHECK_INT(sj_session_create(agent, &opt, &t, &d), SJ_INVALID);
	CHECK_INT(d.category, SJ_CAT_VALIDATION);
	CHECK(sj_slice_starts(sj_slice_of(d.pointer), "/0/1"));
	opt = (struct sj_session_options){.allowed_messages = wrong, .nallowed = 1};
	sj_diag_clear(&d);
	CHECK_INT(sj_session_create(agent, &opt, &t, &d), SJ_INVALID);
	CHECK_INT(d.category, SJ_CAT_VALIDATION);
	opt = (struct sj_session_options){.examples = &good};
	CHECK_OK(sj_session_create(agent, &opt, &t, NULL));
	sj_buf_init(&out, sj_test_mem(), 0);
	CHECK_OK(sj_session_prompt(t, SJ_FORMAT_DIRECT_JSON, true, &out, NULL));
	CHECK(strstr(out.ptr, "shown") != NULL && strstr(out.ptr, "- Label(text: string*)\n") != NULL);
	CHECK(strstr(out.ptr, "Spare") == NULL);
	check_state(t, ""); /* examples are no part of the conversation */
	sj_buf_finish(&out);
	sj_session_destroy(t);
	close_one(agent, s);
	sj_value_unref(sj_test_mem(), good);
	sj_value_unref(sj_test_mem(), bad);
}

static enum sj_status whole(struct sj_mem *mem, void *ctx)
{
	struct sj_agent *agent;
	struct sj_session *s;
	struct sj_value messages =
		value(mem, "[" CREATE("m") "," UPDATE("m", LABEL("root", "one")) "," DATA("m", "/a", "1") "]");
	struct sj_parts parts = {0};
	enum sj_status st = messages.type == SJ_V_NULL ? SJ_NOMEM : open_one(mem, &agent, &s);
	(void)ctx;
	if (st == SJ_OK) {
		uint32_t taken = 0;
		st = sj_session_accept(s, &messages, SJ_ACCEPT_WHOLE, &taken, NULL);
		CHECK_INT(taken, st == SJ_OK ? 3 : 0);
		if (st == SJ_OK)
			st = sj_session_parse(s, SJ_FORMAT_DIRECT_JSON,
			                      SJ_LIT("Bye.<a2ui-json>[" DELETE("m") "]</a2ui-json>"), &parts, NULL,
			                      NULL);
		CHECK_INT(parts.list.count, st == SJ_OK ? 2 : 0);
		close_one(agent, s);
	}
	sj_parts_finish(mem, &parts);
	sj_value_unref(mem, messages);
	return st;
}

SJ_TEST(memory_may_fail) { sj_torture(whole, NULL); }
