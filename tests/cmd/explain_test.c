/* What `shoji explain` says of messages that were refused, and what they would have brought. */
#include "cmd/run.h"
#include "json/value.h"

#include <stdio.h>
#include <string.h>

#define CATALOG(v) "https://a2ui.org/specification/" v "/catalogs/basic/catalog.json"
#define CREATE                                                                                                         \
	"{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" CATALOG("v0_9") "\"}}\n"
#define UPDATE(list) "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[" list "]}}\n"

static struct sj_mem own;

static const struct sj_value *at(const struct sj_value *v, const char *pointer)
{
	return sj_value_at(v, sj_slice_of(pointer));
}

static struct sj_slice text(const struct sj_value *v, const char *pointer)
{
	const struct sj_value *m = at(v, pointer);
	return m ? sj_value_text(m) : SJ_LIT("");
}

/* The lines of a report as an array. */
static struct sj_value explain(const char *input)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct outcome o = RUN(input, "explain", "--json", "-");
	struct sj_value list, v;
	CHECK_STR(o.err, "");
	CHECK_OK(sj_value_array(&own, &list));
	for (size_t from = 0; from < o.out.len;) {
		const char *end = memchr(o.out.ptr + from, '\n', o.out.len - from);
		size_t len = (size_t)(end - o.out.ptr) - from;
		CHECK_OK(sj_value_parse(&own, &opt, sj_slice(o.out.ptr + from, len), &v, NULL));
		CHECK_OK(sj_value_append(&own, &list, v));
		from += len + 1;
	}
	return list;
}

/* The last finding of a code; *count: how many. */
static const struct sj_value *find(const struct sj_value *lines, const char *code, uint32_t *count)
{
	const struct sj_value *found = NULL;
	*count = 0;
	for (uint32_t i = 1; i < sj_value_count(lines); i++)
		if (sj_slice_is(text(sj_value_item(lines, i), "/code"), code)) {
			found = sj_value_item(lines, i);
			++*count;
		}
	return found;
}

static void put_suggestion(struct sj_buf *out, const struct sj_value *finding)
{
	const struct sj_value *send = at(finding, "/suggestion/send");
	for (uint32_t i = 0; send && i < sj_value_count(send); i++) {
		sj_value_print(out, sj_value_item(send, i), SJ_PRINT_COMPACT);
		sj_buf_putc(out, '\n');
	}
}

/* ---- the official cases of what is invalid ----------------------------------------------------------------------- */

struct tally {
	uint32_t invalid, refused, mended, accepted;
};

static void one_case(const char *version, const struct sj_value *message, struct tally *t)
{
	static const char *const later[] = {"updateComponents", "updateDataModel", "deleteSurface"};
	bool old = strcmp(version, "v1.0") != 0;
	struct sj_buf input;
	uint32_t before, after;
	sj_buf_init(&input, &own, 0);
	for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
		const struct sj_value *body = sj_value_get(message, sj_slice_of(later[i]));
		struct sj_slice id = body && body->type == SJ_V_OBJECT ? text(body, "/surfaceId") : SJ_LIT("");
		if (id.len)
			sj_buf_printf(&input, "{\"version\":\"%s\",\"createSurface\":{\"surfaceId\":\"%.*s\",\"catalogId\":\"%s\"}}\n",
			              version, SJ_ARG(id), old ? CATALOG("v0_9") : CATALOG("v1_0"));
	}
	sj_value_print(&input, message, SJ_PRINT_COMPACT);
	sj_buf_putc(&input, '\n');
	struct sj_value lines = explain(input.ptr);
	const struct sj_value *refusal = find(&lines, "message-refused", &before);
	t->invalid++;
	t->refused += refusal != NULL;
	if (refusal && at(refusal, "/suggestion/send")) {
		CHECK(sj_value_count(at(refusal, "/suggestion/changed")) > 0);
		t->mended++;
		put_suggestion(&input, refusal);
		struct sj_value again = explain(input.ptr);
		find(&again, "message-refused", &after);
		CHECK_INT(after, before);
		t->accepted += after == before;
		sj_value_unref(&own, again);
	}
	sj_value_unref(&own, lines);
	sj_buf_finish(&input);
}

SJ_TEST(what_is_suggested_for_an_official_invalid_message_is_accepted)
{
	static const struct {
		const char *folder, *version;
		struct tally want;
	} suites[] = {
		{"a2ui/specification/v0_9/test/cases", "v0.9", {38, 38, 30, 30}},
		{"a2ui/specification/v0_9_1/test/cases", "v0.9.1", {38, 38, 30, 30}},
		{"a2ui/specification/v1_0/test/cases", "v1.0", {61, 59, 38, 38}},
	};
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	sj_mem_init(&own, NULL, 0);
	for (size_t i = 0; i < sizeof suites / sizeof *suites; i++) {
		char **names, path[512];
		struct tally t = {0};
		sj_case("%s", suites[i].folder);
		const char *folder = sj_data(suites[i].folder);
		if (!folder) {
			sj_skip("the public suites are not here");
			continue;
		}
		size_t count = sj_list_dir(folder, ".json", &names);
		for (size_t k = 0; k < count; k++) {
			struct sj_value doc;
			snprintf(path, sizeof path, "%s/%s", suites[i].folder, names[k]);
			CHECK_OK(sj_value_parse(&own, &opt, sj_slurp(sj_data(path)), &doc, NULL));
			const struct sj_value *tests = sj_value_get(&doc, SJ_LIT("tests"));
			struct sj_slice schema = text(&doc, "/schema");
			bool ours = sj_slice_starts(schema, "server_to") || sj_slice_starts(schema, "agent_to");
			for (uint32_t n = 0; ours && tests && n < sj_value_count(tests); n++) {
				const struct sj_value *one = sj_value_item(tests, n);
				if (at(one, "/valid")->type == SJ_V_FALSE && at(one, "/data")->type == SJ_V_OBJECT)
					one_case(suites[i].version, at(one, "/data"), &t);
			}
			sj_value_unref(&own, doc);
		}
		CHECK_INT(t.invalid, suites[i].want.invalid);
		CHECK_INT(t.refused, suites[i].want.refused);
		CHECK_INT(t.mended, suites[i].want.mended);
		CHECK_INT(t.accepted, suites[i].want.accepted);
		sj_case_end();
	}
}

/* ---- kinds of mending -------------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *input;
	const char *send;    /* all messages suggested; NULL: none */
	const char *changed; /* the first sentence */
} kinds[] = {
	{"a member too many", CREATE UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":\"x\",\"colour\":\"red\"}"),
         UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":\"x\"}"),
         "removed \"colour\" at \"/updateComponents/components/0\""},
	{"a name of another version",
         CREATE UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":\"x\",\"usageHint\":\"h1\"}"),
         UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":\"x\",\"variant\":\"h1\"}"),
         "'usageHint' is called 'variant' in this version"},
	{"a word that is none", CREATE UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":\"x\",\"variant\":\"h9\"}"),
         UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":\"x\",\"variant\":\"h1\"}"),
         "wrote \"h1\" at \"/updateComponents/components/0/variant\""},
	{"a member that must be there", CREATE UPDATE("{\"id\":\"root\",\"component\":\"Text\"}"),
         UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":\"text\"}"),
         "added an example of \"text\" at \"/updateComponents/components/0\""},
	{"two faults", CREATE UPDATE("{\"id\":\"root\",\"component\":\"text\",\"text\":\"x\",\"colour\":\"red\"}"),
         UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":\"x\"}"), NULL},
	{"no JSON", CREATE "{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/x\",\"value\":1,}}\n",
         "{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/x\",\"value\":1}}\n",
         "took a trailing comma away"},
	{"a function misspelt",
         CREATE UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":{\"call\":\"formatStrin\",\"args\":{\"value\":\"x\"}}}"),
         UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":{\"call\":\"formatString\",\"args\":{\"value\":\"x\"}}}"),
         "wrote \"formatString\" at \"/updateComponents/components/0/text/call\""},
	{"sent too early", UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":\"x\"}") CREATE,
         UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":\"x\"}"),
         "nothing: what it lacked has come since, or comes with a message mended before it"},
	{"the wrong catalog", "{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"basic\"}}\n", CREATE,
         "wrote \"" CATALOG("v0_9") "\" at \"/createSurface/catalogId\""},
	{"of v0.8", "{\"surfaceUpdate\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\",\"component\":{\"Text\":{\"text\":"
                    "{\"literalString\":\"x\"},\"usageHint\":\"h9\"}}}]}}\n{\"beginRendering\":{\"surfaceId\":\"s\",\"root\":\"root\"}}\n",
         "{\"surfaceUpdate\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\",\"component\":{\"Text\":{\"text\":"
         "{\"literalString\":\"x\"},\"usageHint\":\"h1\"}}}]}}\n",
         NULL},
	{"nothing sure can be said", CREATE "{\"version\":\"v0.9\",\"dance\":{\"surfaceId\":\"s\"}}\n", NULL, NULL},
	{"a surface twice", CREATE CREATE, NULL, NULL},
};

SJ_TEST(each_kind_of_fault_is_mended)
{
	sj_mem_init(&own, NULL, 0);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		uint32_t count;
		struct sj_buf sent;
		sj_case("%s", kinds[i].name);
		sj_buf_init(&sent, &own, 0);
		struct sj_value lines = explain(kinds[i].input);
		const struct sj_value *refusal = find(&lines, "message-refused", &count);
		CHECK_INT(count, 1);
		CHECK_INT(refusal && at(refusal, "/suggestion/send"), kinds[i].send != NULL);
		if (refusal && at(refusal, "/suggestion/send") && kinds[i].send) {
			struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
			struct sj_value want;
			CHECK_INT(sj_value_count(at(refusal, "/suggestion/send")), 1);
			CHECK_OK(sj_value_parse(&own, &opt, sj_slice(kinds[i].send, strlen(kinds[i].send) - 1), &want,
			                        NULL));
			put_suggestion(&sent, refusal);
			if (!sj_value_equal(at(refusal, "/suggestion/send/0"), &want))
				CHECK_STR(sj_buf_view(&sent), kinds[i].send);
			if (kinds[i].changed)
				CHECK_STR(text(refusal, "/suggestion/changed/0"), kinds[i].changed);
			sj_value_unref(&own, want);
		}
		sj_value_unref(&own, lines);
		sj_buf_finish(&sent);
		CHECK_INT(own.used_bytes, 0);
		sj_case_end();
	}
}

/* ---- what is missing because a message was refused --------------------------------------------------------------- */

static const struct {
	const char *name, *input, *code, *cause;
} blames[] = {
	{"a child",
         CREATE UPDATE("{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"a\"]}")
                 UPDATE("{\"id\":\"a\",\"component\":\"Text\",\"text\":\"x\",\"colour\":1}"),
         "missing-component",
         "'root' (Column) names 'a' in children, and no message ever defined a component of that id. Message 3 (line 3, byte "
         "322) would have brought it, and was refused: "},
	{"all components", CREATE UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":\"x\",\"colour\":1}"), "no-components",
         "The surface was created, and no component ever came. Message 2 (line 2, byte "},
	{"the root",
         CREATE UPDATE("{\"id\":\"a\",\"component\":\"Text\",\"text\":\"x\"}")
                 UPDATE("{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"a\"],\"colour\":1}"),
         "no-root", "None of the 1 components has the id 'root', where the screen begins. Message 3 (line 3, byte "},
	{"data",
         CREATE UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":{\"path\":\"/a/b\"}}")
                 "{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/a\",\"value\":{\"b\":\"x\"},\"more\":1}}\n",
         "binding-absent",
         "'root' (Text) is empty: its text reads /a/b, where there is nothing. Message 3 (line 3, byte "},
};

SJ_TEST(a_refused_message_is_named_as_the_cause)
{
	sj_mem_init(&own, NULL, 0);
	for (size_t i = 0; i < sizeof blames / sizeof *blames; i++) {
		uint32_t count;
		struct sj_buf input;
		sj_case("%s", blames[i].name);
		sj_buf_init(&input, &own, 0);
		sj_buf_puts(&input, blames[i].input);
		struct sj_value lines = explain(blames[i].input);
		const struct sj_value *f = find(&lines, blames[i].code, &count);
		CHECK_INT(count, 1);
		if (f) {
			struct sj_slice cause = text(f, "/cause"), summary = text(sj_value_item(&lines, 0), "/summary");
			if (!sj_slice_starts(cause, blames[i].cause))
				CHECK_STR(cause, blames[i].cause);
			CHECK(sj_slice_starts(summary, "The screen is blank: "));
			CHECK_SLICE(sj_slice(summary.ptr + summary.len - cause.len, cause.len), cause);
			put_suggestion(&input, f);
			struct sj_value again = explain(input.ptr);
			CHECK_STR(text(sj_value_item(&again, 0), "/summary"),
			          "Everything that was sent is on the screen.");
			sj_value_unref(&own, again);
		}
		sj_value_unref(&own, lines);
		sj_buf_finish(&input);
		sj_case_end();
	}
}

/* ---- a component that is not there ------------------------------------------------------------------------------- */

SJ_TEST(a_component_that_is_not_there)
{
	static const char screen[] = CREATE UPDATE(
		"{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"title\",\"gone\"]},"
		"{\"id\":\"title\",\"component\":\"Text\",\"text\":\"x\"}")
		UPDATE("{\"id\":\"refused\",\"component\":\"Text\",\"text\":\"x\",\"colour\":1}");
	struct outcome o = RUN(screen, "explain", "-", "titel");
	CHECK_INT(o.status, 1);
	CHECK_STR(o.out, "");
	CHECK_STR(o.err, "shoji: there is no component 'titel'; perhaps 'title' is meant\n");
	o = RUN(screen, "explain", "-", "zzz");
	CHECK_INT(o.status, 1);
	CHECK_STR(o.err, "shoji: there is no component 'zzz'\n");
	o = RUN(screen, "explain", "-", "title");
	CHECK_INT(o.status, 0);
	CHECK_STR(o.err, "");
	o = RUN(screen, "explain", "-", "gone");
	CHECK_INT(o.status, 1);
	CHECK_HAS(o.out, "missing-component: ");
	o = RUN(screen, "explain", "-", "refused");
	CHECK_INT(o.status, 1);
	CHECK_HAS(o.out, "message-refused: ");
}
