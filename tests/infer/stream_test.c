/* Direct JSON in pieces: every split gives the same in the end, and what went out as deltas makes the same surfaces. */
#include "a2ui/check.h"
#include "engine/engine.h"
#include "harness/random.h"
#include "harness/test.h"
#include "infer/infer.h"
#include "json/value.h"

/* ---- a format over the catalogs of the suites -------------------------------------------------------------------- */

struct rig {
	struct sj_catalog *catalogs[2];
	uint32_t n;
	struct sj_format *f;
};

static const char CATALOG[] =
	"{\"catalogId\":\"test/plain\",\"protocolVersion\":\"1.0\",\"components\":{"
	"\"Text\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Text\"},"
	"\"text\":{\"$ref\":\"common_types.json#/$defs/DynamicString\"},"
	"\"variant\":{\"type\":\"string\",\"enum\":[\"body\",\"caption\"]}},\"required\":[\"component\",\"text\"]},"
	"\"Column\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Column\"},"
	"\"children\":{\"$ref\":\"common_types.json#/$defs/ChildList\"}},\"required\":[\"component\",\"children\"]}},"
	"\"$defs\":{\"anyComponent\":{\"oneOf\":[{\"$ref\":\"#/components/Text\"},{\"$ref\":\"#/components/Column\"}]}}}";

static bool rig_open(struct rig *r, struct sj_slice catalog)
{
	struct sj_diag d = {0};
	*r = (struct rig){.n = 1};
	enum sj_status st = sj_catalog_parse(sj_test_mem(), catalog, SJ_NO_SLICE, SJ_VERSION_NONE, NULL, NULL,
	                                     &r->catalogs[0], &d);
	CHECK_INT(st, SJ_OK);
	if (st != SJ_OK)
		return false;
	struct sj_format_options opt = {.id = SJ_FORMAT_DIRECT_JSON,
	                                .catalogs = (const struct sj_catalog *const *)r->catalogs,
	                                .ncatalogs = r->n};
	CHECK_OK(sj_format_create(sj_test_mem(), &opt, &r->f, &d));
	return r->f != NULL;
}

static void rig_close(struct rig *r)
{
	sj_format_destroy(r->f);
	for (uint32_t i = 0; i < r->n; i++)
		sj_catalog_destroy(r->catalogs[i]);
}

/* ---- what came out, in one line ---------------------------------------------------------------------------------- */

struct story {
	struct sj_buf text; /* of the run so far */
	struct sj_value entries; /* text, or [number, message] */
};

static void story_text(struct story *s)
{
	struct sj_value v;
	if (s->text.len > 0 && sj_value_string(sj_test_mem(), sj_buf_view(&s->text), &v) == SJ_OK)
		CHECK_OK(sj_value_append(sj_test_mem(), &s->entries, v));
	sj_buf_clear(&s->text);
}

/* A message that goes out again stands in its old place. */
static void story_message(struct story *s, uint32_t number, const struct sj_value *m)
{
	struct sj_mem *mem = sj_test_mem();
	struct sj_value pair;
	for (uint32_t i = sj_value_count(&s->entries); i-- > 0;) {
		const struct sj_value *e = sj_value_item(&s->entries, i);
		if (e->type != SJ_V_ARRAY || sj_value_item(e, 0)->u.i != number)
			continue;
		CHECK_OK(sj_value_array(mem, &pair));
		CHECK_OK(sj_value_append(mem, &pair, sj_value_int(number)));
		CHECK_OK(sj_value_append(mem, &pair, sj_value_ref(*m)));
		CHECK_OK(sj_value_set_item(mem, &s->entries, i, pair));
		return;
	}
	story_text(s);
	CHECK_OK(sj_value_array(mem, &pair));
	CHECK_OK(sj_value_append(mem, &pair, sj_value_int(number)));
	CHECK_OK(sj_value_append(mem, &pair, sj_value_ref(*m)));
	CHECK_OK(sj_value_append(mem, &s->entries, pair));
}

static void story_parts(struct story *s, const struct sj_parts *parts)
{
	for (uint32_t i = 0; i < parts->list.count; i++) {
		const struct sj_part *p = &parts->list.items[i];
		if (p->kind == SJ_PART_TEXT)
			sj_buf_put(&s->text, p->text, p->len);
		for (uint32_t k = 0; k < sj_value_count(&p->messages); k++)
			story_message(s, p->number + k, sj_value_item(&p->messages, k));
	}
}

static void story_end(struct story *s, enum sj_status st, const struct sj_diag *d, const struct sj_repairs *r,
                      struct sj_buf *out)
{
	story_text(s);
	sj_value_print(out, &s->entries, SJ_PRINT_COMPACT);
	if (st != SJ_OK)
		sj_buf_printf(out, " %d %s %u %llu %s %s", st, sj_category_name(d->category), d->line,
		              (unsigned long long)d->offset, d->pointer, d->message);
	for (uint32_t i = 0; i < r->list.count; i++)
		sj_buf_printf(out, "\n%s %u %llu %s", sj_repair_name(r->list.items[i].kind), r->list.items[i].line,
		              (unsigned long long)r->list.items[i].offset, r->list.items[i].text);
	sj_value_unref(sj_test_mem(), s->entries);
	sj_buf_finish(&s->text);
}

/* first: bytes of the first piece, 0: as the others. feed: where messages go as they come (JSON lines); may be NULL. */
static void tell(const struct rig *r, struct sj_slice text, const struct sj_parser_options *opt, size_t first,
                 size_t step, struct sj_buf *feed, struct sj_buf *out)
{
	struct sj_parser *p = NULL;
	struct story s = {.text = {0}};
	struct sj_diag d = {0};
	struct sj_parts parts = {0};
	enum sj_status st = sj_parser_create(r->f, opt, &p);
	CHECK_INT(st, SJ_OK);
	sj_buf_init(&s.text, sj_test_mem(), 0);
	CHECK_OK(sj_value_array(sj_test_mem(), &s.entries));
	for (size_t at = 0, n; st == SJ_OK && at <= text.len; at += n) {
		n = at == 0 && first > 0 ? first : step;
		n = n > text.len - at ? text.len - at : n;
		st = at == text.len ? sj_parser_end(p, &parts, &d)
		                    : sj_parser_feed(p, text.ptr + at, n, &parts, &d);
		story_parts(&s, &parts);
		for (uint32_t i = 0; feed && i < parts.list.count; i++)
			for (uint32_t k = 0; k < sj_value_count(&parts.list.items[i].messages); k++) {
				sj_value_print(feed, sj_value_item(&parts.list.items[i].messages, k), SJ_PRINT_COMPACT);
				sj_buf_putc(feed, '\n');
			}
		sj_parts_clear(sj_test_mem(), &parts);
		if (at == text.len)
			break;
	}
	story_end(&s, st, &d, sj_parser_repairs(p), out);
	sj_parts_finish(sj_test_mem(), &parts);
	sj_parser_destroy(p);
}

/* ---- every split of a response ----------------------------------------------------------------------------------- */

/* The surfaces that JSON lines make, as text. */
static void draw(struct sj_slice catalog, struct sj_slice lines, struct sj_buf *out)
{
	struct sj_engine_config cfg = {.size = sizeof cfg, .no_basic = catalog.ptr != NULL};
	struct sj_engine *e = NULL;
	struct sj_event ev;
	CHECK_OK(sj_engine_create(&cfg, &e));
	if (catalog.ptr)
		CHECK_OK(sj_engine_add_catalog(e, catalog, SJ_NO_SLICE, SJ_VERSION_NONE, NULL));
	CHECK_OK(sj_engine_feed(e, 0, lines.ptr, lines.len));
	CHECK_OK(sj_engine_feed_end(e, 0));
	size_t before = out->len;
	while (sj_engine_next(e, &ev) == SJ_OK) /* in pieces, one fault may come several times */
		if (out->len == before && ev.kind == SJ_EV_DIAG && ev.diag->severity == SJ_SEV_ERROR)
			sj_buf_printf(out, "fault: %s\n", ev.diag->message);
	for (uint32_t i = 0; i < sj_engine_view_count(e); i++) {
		CHECK_OK(sj_view_tree(e, sj_engine_view_at(e, i), out));
		sj_buf_puts(out, "\n");
	}
	sj_engine_destroy(e);
}

static void same(const struct sj_buf *got, const struct sj_buf *want, size_t first, size_t step)
{
	if (sj_slice_eq(sj_buf_view(got), sj_buf_view(want)))
		return;
	sj_fail_at(__FILE__, __LINE__, "pieces of %zu, then %zu: got\n%.*s\nwant\n%.*s", first, step,
	           SJ_ARG(sj_buf_view(got)), SJ_ARG(sj_buf_view(want)));
}

static void every_split(const struct rig *r, struct sj_slice catalog, struct sj_slice text)
{
	static const size_t steps[] = {1, 2, 3, 7, 16, 61};
	static const struct sj_slice keys[] = {{"text", 4}, {"value", 5}, {"greeting", 8}, {"name", 4}};
	struct sj_buf want, got, feed, tree, own;
	struct sj_parser_options opt = {.repair_cap = SJ_REPAIRS_DEFAULT_CAP};
	sj_buf_init(&want, sj_test_mem(), 0);
	sj_buf_init(&got, sj_test_mem(), 0);
	sj_buf_init(&feed, sj_test_mem(), 0);
	sj_buf_init(&tree, sj_test_mem(), 0);
	sj_buf_init(&own, sj_test_mem(), 0);
	tell(r, text, &opt, 0, text.len + 1, &feed, &want);
	draw(catalog, sj_buf_view(&feed), &tree);
	size_t nsteps = sizeof steps / sizeof *steps;
	size_t points = text.len < 1200 ? text.len : 0;
	for (size_t i = 0; i < nsteps + points && !sj_failed(); i++) {
		size_t first = i < nsteps ? 0 : i - nsteps + 1, step = i < nsteps ? steps[i] : text.len + 1;
		for (int progressive = 0; progressive < 2 && !sj_failed(); progressive++) {
			opt.progressive_keys = keys;
			opt.nprogressive = progressive ? 4 : 0;
			opt.deltas = false;
			sj_buf_clear(&got);
			if (text.len < 6000)
				tell(r, text, &opt, first, step, NULL, &got);
			if (text.len < 6000)
				same(&got, &want, first, step);
			opt.deltas = true;
			sj_buf_clear(&got);
			sj_buf_clear(&feed);
			sj_buf_clear(&own);
			tell(r, text, &opt, first, step, &feed, &got);
			draw(catalog, sj_buf_view(&feed), &own);
			same(&own, &tree, first, step);
		}
	}
	sj_buf_finish(&want);
	sj_buf_finish(&got);
	sj_buf_finish(&feed);
	sj_buf_finish(&tree);
	sj_buf_finish(&own);
}

/* ---- responses --------------------------------------------------------------------------------------------------- */

SJ_TEST(responses_in_pieces)
{
	static const char *const responses[] = {
		"",
		"  Just words, <a2ui>other</a2ui> tags, <b>, < and <a2ui-jsonx>.  ",
		"Before\n<a2ui-json kind=\"x>y\">[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"s1\",\"catalogId\":\"test/"
		"plain\"}},{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"s1\",\"components\":[{\"id\":\"root\",\"component\":"
		"\"Column\",\"children\":[\"a\",\"b\"]},{\"id\":\"a\",\"component\":\"Text\",\"text\":\"A </a2ui-json> \\u00e9 \\\" "
		"\"},{\"id\":\"b\",\"component\":\"Text\",\"text\":{\"path\":\"/list/1/name\"}}]}},{\"version\":\"v1.0\",\"updateDataModel\":"
		"{\"surfaceId\":\"s1\",\"path\":\"/\",\"value\":{\"list\":[{\"name\":\"x\"},{\"name\":\"yy\",\"n\":12.5e3,\"deep\":{\"a\":[[1],"
		"[]],\"b\":{}}}],\"\":1,\"__proto__\":2,\"greeting\":\"Hello there, this is a long text that grows\"}}}]</a2ui-json>\n\n After "
		" \n",
		"<a2ui-json>{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"s1\",\"catalogId\":\"test/plain\",\"components\":[{\"id\":"
		"\"root\",\"component\":\"Text\",\"text\":{\"path\":\"/t\"}}],\"dataModel\":{\"t\":\"late\"}}}\n{\"version\":\"v1.0\","
		"\"updateDataModel\":{\"surfaceId\":\"s1\",\"path\":\"/t\",\"value\":\"later\"}}</a2ui-json>",
		"<a2ui-json>{\"messages\":[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"s1\",\"catalogId\":\"test/plain\","
		"\"components\":[{\"id\":\"root\",\"component\":\"Text\",\"text\":\"x\"}],\"sendDataModel\":true}}]}</a2ui-json>",
		"<a2ui-json>\n```json\n[{'version': 'v1.0', // says it\n createSurface: {\xE2\x80\x9CsurfaceId\xE2\x80\x9D: "
		"\"s1\",catalogId:'test/plain',},}\n{\"version\":\"v1.0\" \"updateDataModel\":{\"surfaceId\":\"s1\",\"path\":\"/a\",\"value\":"
		"[True,None,],}},]\n```\n</a2ui-json>",
		"<a2ui-json>Sure, here it is: [{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"s1\"}}] Done.</a2ui-json>x",
		"<a2ui-json>[{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"s1\"}",
		"<a2ui-json>[{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"s1\"}}]</a2ui",
		"<a2ui-json>[{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"s1",
		"<a2ui-json>words only</a2ui-json> tail",
		"<a2ui-json>[1]</a2ui-json>",
		"<a2ui-json>[{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"s1\",\"components\":[{\"id\":\"a\",\"component\":"
		"\"Nope\"}]}},{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"s2\"}}]</a2ui-json>",
		"<a2ui-json>[]</a2ui-json><a2ui-json> [ { \"version\" : \"v1.0\" , \"deleteSurface\" : { \"surfaceId\" : \"s\" } } , ] "
		"</a2ui-json>",
	};
	struct rig r;
	struct sj_slice catalog = sj_slice_of(CATALOG);
	if (rig_open(&r, catalog))
		for (size_t i = 0; i < sizeof responses / sizeof *responses; i++) {
			sj_case("response %zu", i);
			every_split(&r, catalog, sj_slice_of(responses[i]));
			sj_case_end();
		}
	rig_close(&r);
}

/* Messages of v0.8 name no version, wrap their components and type their data; they go out when they are whole. */
SJ_TEST(responses_of_v0_8_in_pieces)
{
	static const char *const responses[] = {
		"Here.\n<a2ui-json>[{\"surfaceUpdate\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"top\",\"component\":{\"Column\":"
		"{\"children\":{\"explicitList\":[\"a\",\"b\"]}}}},{\"id\":\"a\",\"weight\":1,\"component\":{\"Text\":{\"text\":{"
		"\"literalString\":\"A </a2ui-json> \\u00e9\"}}}},{\"id\":\"b\",\"component\":{\"Text\":{\"text\":{\"path\":\"/n\"}}}}]}},"
		"{\"dataModelUpdate\":{\"surfaceId\":\"s\",\"contents\":[{\"key\":\"n\",\"valueString\":\"x\"},{\"key\":\"m\","
		"\"valueMap\":[{\"key\":\"k\",\"valueNumber\":1.5},{\"key\":\"t\",\"valueBoolean\":true}]}]}},"
		"{\"beginRendering\":{\"surfaceId\":\"s\",\"root\":\"top\",\"styles\":{\"font\":\"Inter\"}}}]</a2ui-json> After.",
		"<a2ui-json>[{'surfaceUpdate':{surfaceId:'s','components':[{'id':'top','component':{'Text':{'text':{"
		"'literalString':'x',},},},},],}}\n{\"beginRendering\":{\"surfaceId\":\"s\",\"root\":\"top\"}}]</a2ui-json>",
		"<a2ui-json>[{\"surfaceUpdate\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"a\",\"component\":{\"Nope\":{}}}]}},"
		"{\"deleteSurface\":{\"surfaceId\":\"s\"}}]</a2ui-json>",
		"<a2ui-json>[{\"dataModelUpdate\":{\"surfaceId\":\"s\",\"contents\":[{\"key\":\"n\",\"valueNumber\":\"1\"}]}}]"
		"</a2ui-json>",
	};
	struct rig r = {.n = 1};
	CHECK_OK(sj_catalog_basic(sj_test_mem(), SJ_V08, NULL, NULL, &r.catalogs[0]));
	struct sj_format_options opt = {.id = SJ_FORMAT_DIRECT_JSON,
	                                .catalogs = (const struct sj_catalog *const *)r.catalogs,
	                                .ncatalogs = r.n};
	CHECK_OK(sj_format_create(sj_test_mem(), &opt, &r.f, NULL));
	for (size_t i = 0; i < sizeof responses / sizeof *responses; i++) {
		sj_case("response %zu", i);
		every_split(&r, SJ_NO_SLICE, sj_slice_of(responses[i]));
		sj_case_end();
	}
	rig_close(&r);
}

/* What is said of them alone is what a renderer would say. */
SJ_TEST(messages_of_v0_8_are_checked)
{
	static const struct {
		const char *message, *pointer, *says; /* says NULL: it is good */
	} rows[] = {
		{"{\"beginRendering\":{\"surfaceId\":\"s\",\"root\":\"r\"}}", "", NULL},
		{"{\"beginRendering\":{\"surfaceId\":\"s\"}}", "/beginRendering/root", "'root' is a required property"},
		{"{\"surfaceUpdate\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"a\",\"component\":{\"Text\":{\"text\":{"
	         "\"literalString\":\"x\"}}}}]}}",
	         "", NULL},
		{"{\"surfaceUpdate\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"a\",\"component\":\"Text\"}]}}",
	         "/surfaceUpdate/components/0/component",
	         "component of 'a' must be an object with one key, the name of its type"},
		{"{\"surfaceUpdate\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"a\",\"component\":{\"Nope\":{}}}]}}",
	         "/surfaceUpdate/components/0/component/Nope",
	         "Unknown component 'Nope': no active catalog has such a type"},
		{"{\"surfaceUpdate\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"a\",\"component\":{\"Divider\":{}}},{\"id\":\"a\","
	         "\"component\":{\"Divider\":{}}}]}}",
	         "/surfaceUpdate/components/1", "Duplicate component id 'a' in one message"},
		{"{\"dataModelUpdate\":{\"surfaceId\":\"s\",\"contents\":[{\"key\":\"m\",\"valueMap\":[{\"key\":\"k\"}]}]}}",
	         "/dataModelUpdate/contents/0/valueMap/0", ""},
	};
	struct sj_catalog *c = NULL;
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	CHECK_OK(sj_catalog_basic(sj_test_mem(), SJ_V08, NULL, NULL, &c));
	struct sj_check check = {
		.mem = sj_test_mem(), .catalogs = (const struct sj_catalog *const *)&c, .ncatalogs = 1};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sj_arena arena;
		struct sj_tape t;
		struct sj_diag d = {0};
		sj_case("message %zu", i);
		sj_arena_init(&arena, sj_test_mem(), 0);
		CHECK_OK(sj_json_parse(&arena, &wire, sj_slice_of(rows[i].message), &t, NULL));
		enum sj_status st = sj_check_message(&check, &t, 0, &arena, NULL, &d);
		CHECK_INT(st, rows[i].says ? SJ_INVALID : SJ_OK);
		CHECK_STR(sj_slice_of(d.pointer), rows[i].pointer);
		if (rows[i].says && rows[i].says[0])
			CHECK_STR(sj_slice_of(d.message), rows[i].says);
		sj_arena_finish(&arena);
		sj_case_end();
	}
	sj_catalog_destroy(c);
}

/* A long one, of surfaces, components and data that a model might have written. */
static void long_response(struct sj_buf *out, uint32_t rounds, uint64_t seed)
{
	struct sj_random rnd = {seed};
	sj_buf_puts(out, "Here you are.\n<a2ui-json>[");
	for (uint32_t i = 0; i < rounds; i++) {
		uint32_t rows = 1 + sj_random_below(&rnd, 6);
		sj_buf_printf(out,
		              "%s\n  {\"version\": \"v1.0\", \"createSurface\": {\"surfaceId\": \"s%u\", \"catalogId\": "
		              "\"test/plain\"}},\n  {\"version\": \"v1.0\", \"updateComponents\": {\"surfaceId\": \"s%u\", "
		              "\"components\": [\n    {\"id\": \"root\", \"component\": \"Column\", \"children\": "
		              "{\"componentId\": \"row\", \"path\": \"/rows\"}},\n    {\"id\": \"row\", \"component\": \"Text\", "
		              "\"text\": {\"path\": \"name\"}}",
		              i ? "," : "", i, i);
		for (uint32_t k = 0; k < rows; k++)
			sj_buf_printf(out, ",\n    {\"id\": \"t%u\", \"component\": \"Text\", \"text\": \"Line %u \\\"%u\\\"\"}", k,
			              k, sj_random_below(&rnd, 1000));
		sj_buf_printf(out,
		              "]}},\n  {\"version\": \"v1.0\", \"updateDataModel\": {\"surfaceId\": \"s%u\", \"path\": "
		              "\"/rows\", \"value\": [",
		              i);
		for (uint32_t k = 0; k < rows; k++)
			sj_buf_printf(out, "%s{\"name\": \"row %u\", \"more\": {\"a\": [%u, null, {\"b\": %s}]}}", k ? ", " : "", k,
			              sj_random_below(&rnd, 100), sj_random_below(&rnd, 2) ? "true" : "[[]]");
		sj_buf_puts(out, "]}}");
	}
	sj_buf_puts(out, "\n]</a2ui-json>\nThat is all.");
}

SJ_TEST(long_responses_in_pieces)
{
	struct rig r;
	struct sj_slice catalog = sj_slice_of(CATALOG);
	if (rig_open(&r, catalog))
		for (uint32_t i = 0; i < 4; i++) {
			struct sj_buf text;
			sj_buf_init(&text, sj_test_mem(), 0);
			long_response(&text, 1 + 4 * i, 7 + i);
			sj_case("response of %zu bytes", text.len);
			every_split(&r, catalog, sj_buf_view(&text));
			sj_case_end();
			sj_buf_finish(&text);
		}
	rig_close(&r);
}

/* The responses of the public suites, under the catalog they name. */
SJ_TEST(suite_responses_in_pieces)
{
	static const char *const files[] = {"a2ui/conformance/agent/direct_json/response_streaming.json",
	                                    "a2ui/conformance/agent/direct_json/response_parser.json"};
	const char *path = sj_data("a2ui/conformance/test_data/catalogs/simplified_catalog_v1_0.json");
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct rig r;
	if (!path) {
		sj_skip("the suites are not there");
		return;
	}
	struct sj_slice catalog = sj_slurp(path);
	if (rig_open(&r, catalog))
		for (size_t f = 0; f < 2; f++) {
			struct sj_value cases;
			CHECK_OK(sj_value_parse(sj_test_mem(), &opt, sj_slurp(sj_data(files[f])), &cases, NULL));
			for (uint32_t i = 0; i < sj_value_count(&cases); i++) {
				const struct sj_value *c = sj_value_item(&cases, i),
						      *steps = sj_value_get(c, SJ_LIT("steps")),
						      *input = sj_value_get(c, SJ_LIT("input"));
				struct sj_buf text;
				if (!steps && !input)
					continue;
				sj_buf_init(&text, sj_test_mem(), 0);
				for (uint32_t k = 0; steps && k < sj_value_count(steps); k++)
					sj_buf_slice(&text, sj_value_text(sj_value_get(sj_value_item(steps, k),
					                                               SJ_LIT("input"))));
				if (input)
					sj_buf_slice(&text, sj_value_text(input));
				sj_case("%.*s", SJ_ARG(sj_value_text(sj_value_get(c, SJ_LIT("name")))));
				every_split(&r, catalog, sj_buf_view(&text));
				sj_case_end();
				sj_buf_finish(&text);
			}
			sj_value_unref(sj_test_mem(), cases);
		}
	rig_close(&r);
}

/* The single shot says the same as the parser. */
SJ_TEST(whole_and_pieces_agree)
{
	static const char text[] = "A\n<a2ui-json>[{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"s1\"}},]</a2ui-json>B";
	struct sj_parts parts = {0};
	struct sj_repairs repairs = {.cap = 4};
	struct sj_diag d = {0};
	struct rig r;
	if (rig_open(&r, sj_slice_of(CATALOG))) {
		CHECK_OK(sj_format_parse(r.f, sj_slice_of(text), &parts, &repairs, &d));
		CHECK_INT(parts.list.count, 3);
		CHECK_INT(parts.list.items[1].kind, SJ_PART_MESSAGES);
		CHECK_INT(sj_value_count(&parts.list.items[1].messages), 1);
		CHECK_INT(repairs.list.count, 1);
		CHECK_INT(repairs.list.items[0].kind, SJ_REPAIR_TRAILING_COMMA);
		CHECK_INT(repairs.list.items[0].offset, strstr(text, "]<") - text);
		sj_parts_clear(sj_test_mem(), &parts);
		repairs.list.count = 0;
		repairs.cap = 0;
		CHECK_INT(sj_format_parse(r.f, sj_slice_of(text), &parts, &repairs, &d), SJ_INVALID);
		CHECK_INT(repairs.list.count, 0);
		CHECK_STR(sj_slice_of(sj_code_name(d.code)), "JSON_SYNTAX");
		CHECK_INT(d.category, SJ_CAT_PARSE);
		CHECK_INT(d.line, 2);
	}
	sj_parts_finish(sj_test_mem(), &parts);
	SJ_VEC_FREE(sj_test_mem(), &repairs.list);
	rig_close(&r);
}

/* Out of memory anywhere gives everything back. */
struct torture {
	struct sj_slice text;
	size_t step;
	bool deltas;
};

static enum sj_status read_all(struct sj_mem *mem, void *ctx)
{
	const struct torture *t = ctx;
	struct sj_catalog *c = NULL;
	struct sj_format *f = NULL;
	struct sj_parser *p = NULL;
	struct sj_parts parts = {0};
	struct sj_parser_options opt = {.deltas = t->deltas, .repair_cap = 64};
	enum sj_status st =
		sj_catalog_parse(mem, sj_slice_of(CATALOG), SJ_NO_SLICE, SJ_VERSION_NONE, NULL, NULL, &c, NULL);
	struct sj_format_options fo = {
		.id = SJ_FORMAT_DIRECT_JSON, .catalogs = (const struct sj_catalog *const *)&c, .ncatalogs = 1};
	if (st == SJ_OK)
		st = sj_format_create(mem, &fo, &f, NULL);
	if (st == SJ_OK)
		st = sj_parser_create(f, &opt, &p);
	for (size_t at = 0; st == SJ_OK && at < t->text.len; at += t->step)
		st = sj_parser_feed(p, t->text.ptr + at, t->step < t->text.len - at ? t->step : t->text.len - at,
		                    &parts, NULL);
	if (st == SJ_OK)
		st = sj_parser_end(p, &parts, NULL);
	sj_parts_finish(mem, &parts);
	sj_parser_destroy(p);
	sj_format_destroy(f);
	sj_catalog_destroy(c);
	return st;
}

SJ_TEST(torture)
{
	struct sj_buf text;
	sj_buf_init(&text, sj_test_mem(), 0);
	long_response(&text, 1, 3);
	for (int deltas = 0; deltas < 2; deltas++)
		sj_torture(read_all, &(struct torture){sj_buf_view(&text), 160, deltas});
	sj_buf_finish(&text);
}
