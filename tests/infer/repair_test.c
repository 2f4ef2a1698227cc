/* The repair ladder: what is mended, how it is listed, what is left alone. */
#include <stdio.h>

#include "harness/test.h"
#include "infer/infer.h"
#include "json/value.h"

struct rig {
	struct sj_catalog *c;
	struct sj_format *f;
};

static bool rig_open(struct rig *r, enum sj_version v)
{
	*r = (struct rig){NULL, NULL};
	CHECK_OK(sj_catalog_basic(sj_test_mem(), v, NULL, NULL, &r->c));
	struct sj_format_options opt = {
		.id = SJ_FORMAT_DIRECT_JSON, .catalogs = (const struct sj_catalog *const *)&r->c, .ncatalogs = 1};
	return r->c && sj_format_create(sj_test_mem(), &opt, &r->f, NULL) == SJ_OK;
}

static void rig_close(struct rig *r)
{
	sj_format_destroy(r->f);
	sj_catalog_destroy(r->c);
}

/* Messages as compact JSON, then the kinds of repairs in order. */
static enum sj_status mend(const struct rig *r, struct sj_slice payload, uint32_t cap, struct sj_buf *out,
                           struct sj_diag *d)
{
	struct sj_repairs repairs = {.cap = cap};
	struct sj_value messages = SJ_ABSENT_VALUE;
	enum sj_status st = sj_format_compile(r->f, payload, &messages, &repairs, d);
	if (st == SJ_OK)
		sj_value_print(out, &messages, SJ_PRINT_COMPACT);
	for (uint32_t i = 0; i < repairs.list.count; i++) {
		CHECK(repairs.list.items[i].text[0] != '\0');
		CHECK(repairs.list.items[i].line > 0);
		sj_buf_printf(out, " %s", sj_repair_name(repairs.list.items[i].kind));
	}
	sj_value_unref(sj_test_mem(), messages);
	SJ_VEC_FREE(sj_test_mem(), &repairs.list);
	return st;
}

static void expect(const struct rig *r, const char *payload, const char *want)
{
	struct sj_diag d = {0};
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 0);
	sj_case("%.100s", payload);
	enum sj_status st = mend(r, sj_slice_of(payload), SJ_REPAIRS_DEFAULT_CAP, &out, &d);
	if (st != SJ_OK)
		sj_buf_printf(&out, "%s%s: %s", out.len ? " " : "", sj_category_name(d.category), d.message);
	CHECK_STR(sj_buf_view(&out), want);
	/* Nothing is mended when nothing may be, and then the fault stands. */
	sj_buf_clear(&out);
	sj_diag_clear(&d);
	bool touched = strchr(want, ']') && want[strlen(want) - 1] != ']' && st == SJ_OK &&
	               strcmp(strrchr(want, ' '), " not_a_list") != 0;
	if (touched)
		CHECK(mend(r, sj_slice_of(payload), 0, &out, &d) != SJ_OK);
	sj_case_end();
	sj_buf_finish(&out);
}

#define DEL "{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"s\"}}"

SJ_TEST(lexical)
{
	static const struct {
		const char *payload, *want;
	} cases[] = {
		{"[" DEL "]", "[" DEL "]"},
		{DEL, "[" DEL "] not_a_list"},
		{DEL "\n" DEL, "[" DEL "," DEL "] not_a_list"},
		{"[" DEL "," DEL ",]", "[" DEL "," DEL "] trailing_comma"},
		{"[" DEL DEL "]", "[" DEL "," DEL "] literal"},
		{"{\"messages\":[" DEL "]}", "[" DEL "] not_a_list"},
		{"[{'version':'v1.0','deleteSurface':{'surfaceId':'s'}}]",
	         "[" DEL "] quotes quotes quotes quotes quotes"},
		{"[{version:\"v1.0\",deleteSurface:{surfaceId:\"s\"}}]", "[" DEL "] literal literal literal"},
		{"[{\"version\":\"v1.0\" \"deleteSurface\":{\"surfaceId\":\"s\"}}]", "[" DEL "] literal"},
		{"[{\"version\" \"v1.0\",\"deleteSurface\":{\"surfaceId\":\"s\"}}]", "[" DEL "] literal"},
		{"[ // one\n" DEL " /* two */ # three\n]", "[" DEL "] comment comment comment"},
		{"Here: [" DEL "] done", "[" DEL "] text_around text_around"},
		{"```json\n[" DEL "]\n```", "[" DEL "] fence"},
		{"Sure:\n```json\n[" DEL "]\n```\n", "[" DEL "] fence text_around fence"},
		{"[{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"s\"", "[" DEL "] unclosed unclosed"},
		{"[{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"s\"}]", "[" DEL "] unclosed"},
		{"[" DEL "}]", "[" DEL "] unclosed"},
		{"[" DEL "]]", "[" DEL "] unclosed"},
		{"[{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"value\":[True,False,None,undefined,-1.5e3]}}]",
	         "[{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"value\":[true,false,null,null,-1500]}}] literal "
	         "literal literal literal"},
		{"[{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"value\":\"a\nb\\'c\\d\"}}]",
	         "[{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"value\":\"a\\nb'c\\\\d\"}}] literal quotes "
	         "literal"},
		{"[{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"value\":'say \"hi\"'}}]",
	         "[{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"value\":\"say \\\"hi\\\"\"}}] quotes"},
		{"\xEF\xBB\xBF[" DEL "]", "[" DEL "]"},
		{"[]", "[]"},
		/* Typographic quotes, braces and commas inside a string are its own. */
		{"[{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"value\":\"\xE2\x80\x9Cx\xE2\x80\x9D,} // "
	         "True\"}}]",
	         "[{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"value\":\"\xE2\x80\x9Cx\xE2\x80\x9D,} // "
	         "True\"}}]"},
		{"", "ParseError: there is no JSON in the block"},
		{"no json", "ParseError: there is no JSON in the block"},
		{"[1]", "ParseError: expected a message, which is an object"},
		{"[{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":s}}]",
	         "ParseError: expected a value, found the word 's'"},
		{"[{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"s",
	         "ParseError: the payload ends inside a string"},
		{"[{\"a\":1,\"a\":2}]", "ParseError: a key that this object has already, found 'a'"},
	};
	struct rig r;
	if (rig_open(&r, SJ_V10))
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
			expect(&r, cases[i].payload, cases[i].want);
	rig_close(&r);
}

#define UPD(components) "{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[" components "]}}"
#define TEXT "{\"id\":\"a\",\"component\":\"Text\",\"text\":\"x\"}"

SJ_TEST(guided)
{
	static const struct {
		const char *payload, *want;
	} cases[] = {
		{"[" UPD("{\"id\":\"a\",\"component\":\"Text\",\"props\":{\"text\":\"x\"}}") "]",
	         "[" UPD(TEXT) "] nested_props"},
		{"[" UPD("{\"id\":\"a\",\"component\":\"Text\",\"properties\":{\"text\":\"x\"}}") "]",
	         "[" UPD(TEXT) "] nested_props"},
		{"[" UPD("{\"id\":\"a\",\"component\":\"text\",\"text\":\"x\"}") "]", "[" UPD(TEXT) "] name_case"},
		{"[" UPD("{\"id\":\"a\",\"component\":\"Texd\",\"Text\":\"x\"}") "]",
	         "[" UPD(TEXT) "] name_case name_case"},
		{"[" UPD("{\"id\":\"a\",\"type\":\"Text\",\"text\":\"x\"}") "]", "[" UPD(TEXT) "] wrapped_type"},
		{"[" UPD("{\"id\":\"a\",\"Text\":{\"text\":\"x\"}}") "]",
	         "[" UPD("{\"id\":\"a\",\"component\":\"Text\",\"text\":\"x\"}") "] wrapped_type"},
		{"[" UPD("{\"id\":\"a\",\"component\":{\"Text\":{\"text\":{\"literalString\":\"x\"}}}}") "]",
	         "[" UPD(TEXT) "] wrapped_type alias"},
		{"[" UPD("{\"id\":\"a\",\"component\":\"Text\",\"text\":\"x\",\"usageHint\":\"caption\"}") "]",
	         "[" UPD("{\"id\":\"a\",\"component\":\"Text\",\"text\":\"x\",\"variant\":\"caption\"}") "] alias"},
		{"[" UPD("{\"id\":\"a\",\"component\":\"Text\",\"text\":\"x\",\"variant\":\"Caption\"}") "]",
	         "[" UPD("{\"id\":\"a\",\"component\":\"Text\",\"text\":\"x\",\"variant\":\"caption\"}") "] name_case"},
		{"[" UPD("{\"id\":\"a\",\"component\":\"Row\",\"children\":[\"b\"],\"justify\":\"space-between\"}") "]",
	         "[" UPD("{\"id\":\"a\",\"component\":\"Row\",\"children\":[\"b\"],\"justify\":\"spaceBetween\"}") "] name_case"},
		{"[" UPD("{\"id\":\"a\",\"component\":\"Slider\",\"label\":\"L\",\"min\":\"0\",\"max\":\"10\",\"value\":\"/v\"}") "]",
	         "[" UPD("{\"id\":\"a\",\"component\":\"Slider\",\"label\":\"L\",\"min\":0,\"max\":10,\"value\":{\"path\":\"/v\"}}") "]"
	         " scalar scalar path_string"},
		{"[" UPD("{\"id\":\"a\",\"component\":\"CheckBox\",\"label\":\"L\",\"value\":\"true\"}") "]",
	         "[" UPD("{\"id\":\"a\",\"component\":\"CheckBox\",\"label\":\"L\",\"value\":true}") "] scalar"},
		{"[" UPD("{\"id\":\"a\",\"component\":\"Column\",\"children\":\"b\"}") "]",
	         "[" UPD("{\"id\":\"a\",\"component\":\"Column\",\"children\":[\"b\"]}") "] scalar"},
		{"[{\"version\":\"v1.0\",\"surfaceId\":\"s\",\"components\":[" TEXT "]}]",
	         "[" UPD(TEXT) "] flat_operation"},
		{"[{\"version\":\"v1.0\",\"type\":\"update_components\",\"surfaceId\":\"s\",\"components\":[" TEXT
	         "]}]",
	         "[" UPD(TEXT) "] flat_operation"},
		{"[{\"version\":\"v1.0\",\"UpdateComponents\":{\"surfaceId\":\"s\",\"components\":[" TEXT "]}}]",
	         "[" UPD(TEXT) "] name_case"},
		{"[{\"version\":\"v1.0\",\"surfaceId\":\"s\",\"updateComponents\":{\"components\":[" TEXT "]}}]",
	         "[{\"version\":\"v1.0\",\"updateComponents\":{\"components\":[" TEXT
	         "],\"surfaceId\":\"s\"}}] flat_operation"},
		{"[{\"version\":\"1.0\",\"deleteSurface\":{\"surfaceId\":\"s\"}}]", "[" DEL "] version"},
		{"[" DEL ",{\"deleteSurface\":{\"surfaceId\":\"s\"}}]",
	         "[" DEL ",{\"deleteSurface\":{\"surfaceId\":\"s\"},\"version\":\"v1.0\"}] version"},
		{"[" DEL "," TEXT "]", "[" DEL "," UPD(TEXT) "] bare_component"},
		/* What could mean two things, or nothing, is refused with the first fault. */
		{"[{\"updateDataModel\":{\"surfaceId\":\"s\",\"value\":1}}]",
	         "ValidationError: Missing required version field"},
		{"[" TEXT "]", "ValidationError: Missing required version field"},
		{"[" UPD("{\"id\":\"a\",\"component\":\"Chart\",\"text\":\"x\"}") "]",
	         "ValidationError: Unknown component 'Chart': no active catalog has such a type"},
		{"[" UPD("{\"id\":\"a\",\"component\":\"text\",\"colour\":\"x\"}") "]",
	         "ValidationError: Unknown component 'text': no active catalog has such a type"},
		{"[{\"version\":\"v0.9\",\"deleteSurface\":{\"surfaceId\":\"s\"}}]",
	         "ValidationError: Protocol version v0.9 of the message does not match that of the active catalogs (v1.0)"},
	};
	struct rig r;
	if (rig_open(&r, SJ_V10))
		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
			expect(&r, cases[i].payload, cases[i].want);
	rig_close(&r);
}

SJ_TEST(too_many)
{
	struct sj_diag d = {0};
	struct sj_buf out;
	struct rig r;
	sj_buf_init(&out, sj_test_mem(), 0);
	if (rig_open(&r, SJ_V10)) {
		CHECK_INT(mend(&r, SJ_LIT("[{'version':'v1.0','deleteSurface':{'surfaceId':'s'}}]"), 4, &out, &d),
		          SJ_LIMIT);
		CHECK_INT(d.category, SJ_CAT_PARSE);
		sj_diag_clear(&d);
		sj_buf_clear(&out);
		CHECK_INT(mend(&r, SJ_LIT("[" UPD("{\"id\":\"a\",\"component\":\"texd\",\"Text\":\"x\"}") "]"), 1, &out,
		               &d),
		          SJ_INVALID);
		CHECK_STR(sj_slice_of(d.message), "Unknown component 'texd': no active catalog has such a type");
		CHECK_STR(sj_slice_of(d.pointer), "/0/updateComponents/components/0/component");
	}
	sj_buf_finish(&out);
	rig_close(&r);
}

/* Whatever is valid goes through untouched: the official examples of every version, as they are and squeezed. */
static void untouched(const struct rig *r, const char *folder)
{
	char **names = NULL;
	const char *found = sj_data(folder);
	if (!found)
		return;
	char path[512];
	snprintf(path, sizeof path, "%s", found);
	size_t n = sj_list_dir(path, ".json", &names);
	CHECK(n > 0);
	for (size_t i = 0; i < n; i++) {
		char file[1024];
		struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
		struct sj_value doc;
		struct sj_buf text;
		snprintf(file, sizeof file, "%s/%s", path, names[i]);
		sj_case("%s/%s", folder, names[i]);
		CHECK_OK(sj_value_parse(sj_test_mem(), &opt, sj_slurp(file), &doc, NULL));
		const struct sj_value *list =
			doc.type == SJ_V_OBJECT ? sj_value_get(&doc, SJ_LIT("messages")) : &doc;
		for (unsigned flags = 0; list && flags <= SJ_PRINT_PRETTY; flags += SJ_PRINT_PRETTY) {
			struct sj_repairs repairs = {.cap = 64};
			struct sj_value got = SJ_ABSENT_VALUE;
			struct sj_diag d = {0};
			sj_buf_init(&text, sj_test_mem(), 0);
			sj_value_print(&text, list, flags);
			CHECK_INT(sj_format_compile(r->f, sj_buf_view(&text), &got, &repairs, &d), SJ_OK);
			CHECK_STR(sj_slice_of(d.message), "");
			CHECK_INT(repairs.list.count, 0);
			CHECK(sj_value_equal(&got, list));
			sj_value_unref(sj_test_mem(), got);
			SJ_VEC_FREE(sj_test_mem(), &repairs.list);
			sj_buf_finish(&text);
		}
		sj_value_unref(sj_test_mem(), doc);
		sj_case_end();
	}
}

SJ_TEST(valid_messages_stay)
{
	static const struct {
		enum sj_version v;
		const char *folder;
	} sets[] = {{SJ_V09, "a2ui/specification/v0_9/catalogs/basic/examples"},
	            {SJ_V091, "a2ui/specification/v0_9_1/catalogs/basic/examples"},
	            {SJ_V10, "a2ui/specification/v1_0/catalogs/basic/examples"}};
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		struct rig r;
		if (rig_open(&r, sets[i].v))
			untouched(&r, sets[i].folder);
		rig_close(&r);
	}
}
