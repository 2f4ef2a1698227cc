/* The notation Vertical: what lines mean, what is mended and listed, the way back, and that neither the splitting of
 * bytes nor bad input changes anything. */
#include <stdio.h>

#include "base/limits.h"
#include "harness/random.h"
#include "harness/test.h"
#include "infer/infer.h"

/* A catalog with one of everything that a place for a value can be. */
static const char document[] =
	"{\"catalogId\":\"test\",\"protocolVersion\":\"1.0\",\"components\":{"
	"\"Text\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Text\"},"
	"\"text\":{\"$ref\":\"common_types.json#/$defs/DynamicString\"},"
	"\"variant\":{\"type\":\"string\",\"enum\":[\"body\",\"caption\"]},\"lines\":{\"type\":\"integer\"}},"
	"\"required\":[\"component\",\"text\"]},"
	"\"Gauge\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Gauge\"},"
	"\"value\":{\"type\":\"number\"},\"max\":{\"$ref\":\"common_types.json#/$defs/DynamicNumber\"},"
	"\"round\":{\"type\":\"boolean\"},\"hidden\":{\"$ref\":\"common_types.json#/$defs/DynamicBoolean\"}},"
	"\"required\":[\"component\",\"value\"]},"
	"\"Chart\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Chart\"},"
	"\"values\":{\"type\":\"array\",\"items\":{\"type\":\"number\"}},\"meta\":{\"type\":\"object\"}},"
	"\"required\":[\"component\",\"values\"]},"
	"\"Field\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Field\"},"
	"\"label\":{\"$ref\":\"common_types.json#/$defs/DynamicString\"},"
	"\"value\":{\"$ref\":\"common_types.json#/$defs/DynamicString\"},"
	"\"checks\":{\"type\":\"array\",\"items\":{\"$ref\":\"common_types.json#/$defs/CheckRule\"}}},"
	"\"required\":[\"component\",\"label\"]},"
	"\"Button\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Button\"},"
	"\"child\":{\"$ref\":\"common_types.json#/$defs/Child\"},\"action\":{\"$ref\":\"common_types.json#/$defs/Action\"}},"
	"\"required\":[\"component\",\"child\",\"action\"]},"
	"\"Card\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Card\"},"
	"\"child\":{\"$ref\":\"common_types.json#/$defs/Child\"}},\"required\":[\"component\",\"child\"]},"
	"\"Column\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Column\"},"
	"\"children\":{\"$ref\":\"common_types.json#/$defs/ChildList\"}},\"required\":[\"component\",\"children\"]},"
	"\"Tabs\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Tabs\"},\"tabs\":{\"type\":\"array\","
	"\"items\":{\"type\":\"object\",\"properties\":{\"title\":{\"$ref\":\"common_types.json#/$defs/DynamicString\"},"
	"\"child\":{\"$ref\":\"common_types.json#/$defs/Child\"}},\"required\":[\"title\",\"child\"]}}},"
	"\"required\":[\"component\",\"tabs\"]}},"
	"\"functions\":{\"required\":{\"type\":\"object\",\"returnType\":\"validationResult\",\"properties\":{"
	"\"call\":{\"const\":\"required\"},\"args\":{\"type\":\"object\",\"properties\":{\"value\":{}},\"required\":[\"value\"]}},"
	"\"required\":[\"call\",\"args\"]},"
	"\"regex\":{\"type\":\"object\",\"returnType\":\"validationResult\",\"properties\":{\"call\":{\"const\":\"regex\"},"
	"\"args\":{\"type\":\"object\",\"properties\":{\"value\":{},\"pattern\":{\"type\":\"string\"}},"
	"\"required\":[\"value\",\"pattern\"]}},\"required\":[\"call\",\"args\"]},"
	"\"openUrl\":{\"type\":\"object\",\"returnType\":\"void\",\"properties\":{\"call\":{\"const\":\"openUrl\"},"
	"\"args\":{\"type\":\"object\",\"properties\":{\"url\":{}},\"required\":[\"url\"]}},\"required\":[\"call\",\"args\"]},"
	"\"join\":{\"type\":\"object\",\"returnType\":\"string\",\"properties\":{\"call\":{\"const\":\"join\"},"
	"\"args\":{\"type\":\"object\",\"properties\":{\"a\":{},\"b\":{}}}},\"required\":[\"call\",\"args\"]}}}";

struct rig {
	struct sj_catalog *catalog;
	struct sj_format *format;
};

static enum sj_status open_in(struct sj_mem *mem, enum sj_version version, struct rig *r)
{
	struct sj_diag d = {0};
	enum sj_status st = sj_catalog_parse(mem, SJ_LIT(document), SJ_NO_SLICE, SJ_VERSION_NONE, NULL, NULL,
	                                     &r->catalog, &d);
	if (st != SJ_OK)
		return st;
	const struct sj_catalog *list[] = {r->catalog};
	struct sj_format_options opt = {
		.id = SJ_FORMAT_VERTICAL, .catalogs = list, .ncatalogs = 1, .version = version};
	st = sj_format_create(mem, &opt, &r->format, &d);
	if (st != SJ_OK)
		sj_catalog_destroy(r->catalog);
	return st;
}

static struct rig open_rig(void)
{
	struct rig r = {0};
	CHECK_OK(open_in(sj_test_mem(), SJ_VERSION_NONE, &r));
	return r;
}

static void close_rig(struct rig *r)
{
	sj_format_destroy(r->format);
	sj_catalog_destroy(r->catalog);
}

/* Components of each surface on a line of its own, ids of roots left out. */
static void print_surfaces(const struct sj_value *messages, struct sj_buf *out)
{
	for (uint32_t i = 0; i < sj_value_count(messages); i++) {
		const struct sj_value *list =
			sj_value_at(sj_value_item(messages, i), SJ_LIT("/createSurface/components"));
		if (i > 0)
			sj_buf_putc(out, '\n');
		for (uint32_t k = 0; list && k < sj_value_count(list); k++) {
			if (k > 0)
				sj_buf_putc(out, ' ');
			sj_value_print(out, sj_value_item(list, k), SJ_PRINT_COMPACT);
		}
	}
}

static void print_repairs(const struct sj_repairs *r, struct sj_buf *out)
{
	if (r->list.count == 0)
		sj_buf_puts(out, "none");
	for (uint32_t i = 0; i < r->list.count; i++)
		sj_buf_printf(out, "%s%s:%u", i > 0 ? " " : "", sj_repair_name(r->list.items[i].kind),
		              r->list.items[i].line);
}

struct line_case {
	struct sj_slice name, text, want, repairs;
};

/* Takes what lies before the next occurrence of `mark` off the rest, and the mark. */
static struct sj_slice take(struct sj_slice *rest, const char *mark)
{
	size_t n = strlen(mark), at = 0;
	while (at + n <= rest->len && memcmp(rest->ptr + at, mark, n) != 0)
		at++;
	struct sj_slice head = sj_slice(rest->ptr, at + n <= rest->len ? at : rest->len);
	size_t used = at + n <= rest->len ? at + n : rest->len;
	*rest = sj_slice(rest->ptr + used, rest->len - used);
	return head;
}

/* The next case of vertical_cases.txt. */
static bool next_case(struct sj_slice *rest, struct line_case *c)
{
	if (rest->len == 0)
		return false;
	struct sj_slice all = take(rest, "\n== ");
	c->name = take(&all, "\n");
	c->text = take(&all, "\n--\n");
	c->want = take(&all, "\n-- ");
	c->repairs = take(&all, "\n");
	return true;
}

static struct sj_slice all_cases(void)
{
	struct sj_slice rest = sj_slurp(sj_root("tests/infer/vertical_cases.txt"));
	take(&rest, "\n== ");
	CHECK(rest.len > 0);
	return rest;
}

SJ_TEST(lines)
{
	struct rig r = open_rig();
	struct sj_slice rest = all_cases();
	struct line_case c;
	while (next_case(&rest, &c)) {
		struct sj_repairs repairs = {.cap = SJ_REPAIRS_DEFAULT_CAP};
		struct sj_value messages = SJ_ABSENT_VALUE;
		struct sj_diag d = {0};
		struct sj_buf out, said;
		sj_buf_init(&out, sj_test_mem(), 0);
		sj_buf_init(&said, sj_test_mem(), 0);
		sj_case("%.*s", SJ_ARG(c.name));
		if (sj_format_compile(r.format, c.text, &messages, &repairs, &d) != SJ_OK)
			sj_fail_at(__FILE__, __LINE__, "%s at %s", d.message, d.pointer);
		print_surfaces(&messages, &out);
		print_repairs(&repairs, &said);
		CHECK_SLICE(sj_buf_view(&out), c.want);
		CHECK_SLICE(sj_buf_view(&said), c.repairs);
		sj_case_end();
		sj_buf_finish(&out);
		sj_buf_finish(&said);
		sj_value_unref(sj_test_mem(), messages);
		SJ_VEC_FREE(sj_test_mem(), &repairs.list);
	}
	close_rig(&r);
}

/* ---- what cannot be read ----------------------------------------------------------------------------------------- */

SJ_TEST(faults)
{
	static const struct {
		const char *text;
		enum sj_category category;
		unsigned line;
		const char *message;
	} cases[] = {
		{"", SJ_CAT_PARSE, 0, "the block holds no component"},
		{"# nothing\nhere", SJ_CAT_PARSE, 0, "the block holds no component"},
		{"Text(\"a\")\nSparkline(1)", SJ_CAT_VALIDATION, 2, "Unrecognized component 'Sparkline'"},
		{"Text(\"a\", nope=1)", SJ_CAT_VALIDATION, 1, NULL},
		{"\n\nText(variant=\"body\")", SJ_CAT_VALIDATION, 3, NULL},
		{"Text(\"a\", \"loud\")", SJ_CAT_VALIDATION, 1, NULL},
		{"Text(\"a\", $/v)", SJ_CAT_VALIDATION, 1, NULL}, /* a list of words takes no binding */
		{"Gauge(\"many\")", SJ_CAT_VALIDATION, 1, NULL},
		{"Text(nope(1))", SJ_CAT_VALIDATION, 1, "Unrecognized function 'nope'"},
		{"Text(Card(\"a\"))", SJ_CAT_COMPILE, 1, "a component stands where none can be"},
		{"Text(\"a\",\n \"body\", 1,\n 2)", SJ_CAT_COMPILE, 3, "Text takes at most 3 arguments by position"},
		{"Text(join(1, 2, 3))", SJ_CAT_COMPILE, 1, "join takes at most 2 arguments by position"},
		{"Button(\"t\", Event(id=1))", SJ_CAT_COMPILE, 1, "an Event needs a name"},
		{"Chart([1], {a})", SJ_CAT_PARSE, 1, "'a' has no value"},
		{"Text(=1)", SJ_CAT_PARSE, 1, "'=' stands where a value is expected"},
		{"Field(\"a\", \"b\", [?1])", SJ_CAT_PARSE, 1, "a check names a function after its question mark"},
		{"{\"version\": \"v1.0\", \"createSurface\": {}}", SJ_CAT_COMPILE, 1, "the JSON says no component"},
		{"{\"a\": Text(\"b\")}", SJ_CAT_COMPILE, 1, "a component stands where none can be"},
		{"<Text><Card child=\"x\"/></Text>", SJ_CAT_COMPILE, 1, "Text takes no children"},
	};
	struct rig r = open_rig();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sj_value messages = SJ_ABSENT_VALUE;
		struct sj_diag d = {0};
		sj_case("%s", cases[i].text);
		CHECK_INT(sj_format_compile(r.format, sj_slice_of(cases[i].text), &messages, NULL, &d), SJ_INVALID);
		CHECK_INT(messages.type, SJ_V_ABSENT);
		CHECK_STR(sj_slice_of(sj_category_name(d.category)), sj_category_name(cases[i].category));
		CHECK_INT(d.line, cases[i].line);
		if (cases[i].message)
			CHECK_STR(sj_slice_of(d.message), cases[i].message);
		sj_case_end();
	}
	close_rig(&r);
}

SJ_TEST(repairs_are_capped)
{
	struct rig r = open_rig();
	struct sj_value messages = SJ_ABSENT_VALUE;
	struct sj_diag d = {0};
	struct sj_repairs two = {.cap = 2};
	CHECK_INT(sj_format_compile(r.format, SJ_LIT("a = Text('b'"), &messages, &two, &d), SJ_LIMIT);
	CHECK_INT(d.category, SJ_CAT_PARSE);
	CHECK_INT(two.list.count, 2);
	two.list.count = 0;
	two.cap = 3;
	CHECK_OK(sj_format_compile(r.format, SJ_LIT("a = Text('b'"), &messages, &two, NULL));
	sj_value_unref(sj_test_mem(), messages);
	SJ_VEC_FREE(sj_test_mem(), &two.list);
	close_rig(&r);
}

SJ_TEST(version_09_has_two_messages)
{
	struct rig r = {0};
	struct sj_value messages = SJ_ABSENT_VALUE;
	struct sj_buf out;
	struct sj_diag d = {0};
	static const char old[] = "{\"catalogId\":\"test\",\"components\":{\"Text\":{\"properties\":{\"component\":{\"const\":\"Text\"},\"text\":{\"type\":\"string\"}}}}}";
	sj_buf_init(&out, sj_test_mem(), 0);
	CHECK_OK(sj_catalog_parse(sj_test_mem(), SJ_LIT(old), SJ_NO_SLICE, SJ_V09, NULL, NULL, &r.catalog, NULL));
	const struct sj_catalog *list[] = {r.catalog};
	struct sj_format_options opt = {.id = SJ_FORMAT_VERTICAL, .catalogs = list, .ncatalogs = 1};
	CHECK_OK(sj_format_create(sj_test_mem(), &opt, &r.format, NULL));
	if (sj_format_compile(r.format, SJ_LIT("Text(\"a\")\nText(\"b\")"), &messages, NULL, &d) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s at %s", d.message, d.pointer);
	sj_value_print(&out, &messages, SJ_PRINT_COMPACT);
	CHECK_STR(sj_buf_view(&out),
	          "[{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"default_surface\",\"catalogId\":\"test\"}},"
	          "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"default_surface\",\"components\":[{\"id\":\"root\",\"component\":\"Text\",\"text\":\"a\"}]}},"
	          "{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"default_surface_1\",\"catalogId\":\"test\"}},"
	          "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"default_surface_1\",\"components\":[{\"id\":\"root\",\"component\":\"Text\",\"text\":\"b\"}]}}]");
	sj_value_unref(sj_test_mem(), messages);
	sj_buf_finish(&out);
	close_rig(&r);
}

/* ---- streaming --------------------------------------------------------------------------------------------------- */

/* All messages of the parts in one array, and how often text changed to messages. */
static void gather(const struct sj_parts *parts, struct sj_value *messages, struct sj_buf *text)
{
	for (uint32_t i = 0; i < parts->list.count; i++) {
		const struct sj_part *p = &parts->list.items[i];
		if (p->text)
			sj_buf_put(text, p->text, p->len);
		for (uint32_t k = 0; p->kind == SJ_PART_MESSAGES && k < sj_value_count(&p->messages); k++)
			CHECK_OK(sj_value_append(sj_test_mem(), messages,
			                         sj_value_ref(*sj_value_item(&p->messages, k))));
	}
}

struct outcome {
	enum sj_status status;
	struct sj_value messages;
	uint32_t line; /* of the fault */
	struct sj_buf repairs;
	bool unterminated;
};

/* The response in pieces, whose lengths come from the generator (NULL: one byte each). */
static struct outcome stream(const struct rig *r, struct sj_slice response, struct sj_random *random)
{
	struct outcome o = {.status = SJ_OK};
	struct sj_diag d = {0};
	struct sj_parts parts = {0};
	struct sj_parser *p;
	struct sj_buf text;
	sj_buf_init(&text, sj_test_mem(), 0);
	CHECK_OK(sj_value_array(sj_test_mem(), &o.messages));
	CHECK_OK(sj_parser_create(r->format, NULL, &p));
	for (size_t at = 0; at < response.len && o.status == SJ_OK;) {
		size_t n = random ? 1 + sj_random_below(random, 17) : 1;
		n = n < response.len - at ? n : response.len - at;
		o.status = sj_parser_feed(p, response.ptr + at, n, &parts, &d);
		at += n;
	}
	if (o.status == SJ_OK)
		o.status = sj_parser_end(p, &parts, &d);
	gather(&parts, &o.messages, &text);
	sj_buf_init(&o.repairs, sj_test_mem(), 0);
	print_repairs(sj_parser_repairs(p), &o.repairs);
	o.line = d.line;
	sj_parser_destroy(p);
	sj_parts_finish(sj_test_mem(), &parts);
	sj_buf_finish(&text);
	return o;
}

static struct outcome whole(const struct rig *r, struct sj_slice response)
{
	struct outcome o = {.status = SJ_OK};
	struct sj_diag d = {0};
	struct sj_repairs repairs = {.cap = SJ_REPAIRS_DEFAULT_CAP};
	struct sj_parts parts = {0};
	struct sj_buf text;
	sj_buf_init(&text, sj_test_mem(), 0);
	CHECK_OK(sj_value_array(sj_test_mem(), &o.messages));
	o.status = sj_format_parse(r->format, response, &parts, &repairs, &d);
	gather(&parts, &o.messages, &text);
	sj_buf_init(&o.repairs, sj_test_mem(), 0);
	print_repairs(&repairs, &o.repairs);
	for (uint32_t i = 0; i < repairs.list.count; i++)
		o.unterminated = o.unterminated || strstr(repairs.list.items[i].text, "never came");
	o.line = d.line;
	sj_parts_finish(sj_test_mem(), &parts);
	SJ_VEC_FREE(sj_test_mem(), &repairs.list);
	sj_buf_finish(&text);
	return o;
}

static void check_same(const struct rig *r, struct sj_slice response, struct sj_random *random)
{
	struct outcome one = whole(r, response), other = stream(r, response, random);
	CHECK_INT(other.status, one.status);
	CHECK_INT(other.line, one.line);
	/* Whether a fence closes is seen at the end, so that in pieces it is taken away mark by mark; and that a block
	 * stays open is told first by who has it whole, last by who waited. */
	if (one.status == SJ_OK && !strstr(response.ptr, "```") && !one.unterminated)
		CHECK_SLICE(sj_buf_view(&other.repairs), sj_buf_view(&one.repairs));
	if (one.status == SJ_OK && !sj_value_equal(&one.messages, &other.messages)) {
		struct sj_buf a, b;
		sj_buf_init(&a, sj_test_mem(), 0);
		sj_buf_init(&b, sj_test_mem(), 0);
		print_surfaces(&one.messages, &a);
		print_surfaces(&other.messages, &b);
		sj_fail_at(__FILE__, __LINE__, "in pieces\n%.*s\nis\n%.*s\nwant\n%.*s", SJ_ARG(response),
		           SJ_ARG(sj_buf_view(&b)), SJ_ARG(sj_buf_view(&a)));
		sj_buf_finish(&a);
		sj_buf_finish(&b);
	}
	if (sj_failed())
		sj_fail_at(__FILE__, __LINE__, "of: %.*s", SJ_ARG(response));
	sj_value_unref(sj_test_mem(), one.messages);
	sj_value_unref(sj_test_mem(), other.messages);
	sj_buf_finish(&one.repairs);
	sj_buf_finish(&other.repairs);
}

SJ_TEST(every_split_gives_the_same)
{
	struct rig r = open_rig();
	struct sj_slice rest = all_cases();
	struct sj_random random = {.state = 17};
	struct line_case c;
	while (next_case(&rest, &c)) {
		struct sj_buf response;
		sj_case("%.*s", SJ_ARG(c.name));
		sj_buf_init(&response, sj_test_mem(), 0);
		sj_buf_printf(&response, "before <a2ui>\n%.*s\n</a2ui> after", SJ_ARG(c.text));
		check_same(&r, sj_buf_view(&response), NULL);
		for (int i = 0; i < 5; i++)
			check_same(&r, sj_buf_view(&response), &random);
		sj_buf_finish(&response);
		sj_case_end();
	}
	close_rig(&r);
}

/* Cases glued together and damaged: whatever they mean, they mean it in every split. */
SJ_TEST(every_split_of_damaged_blocks_gives_the_same)
{
	static const char signs[] = "\"'`()[]{}<>=,:;#/\\\n $?_aT";
	struct rig r = open_rig();
	struct sj_random random = {.state = 4711};
	struct sj_slice texts[128];
	uint32_t n = 0;
	struct sj_slice rest = all_cases();
	struct line_case c;
	while (next_case(&rest, &c) && n < 128)
		texts[n++] = c.text;
	for (int round = 0; round < 4000 && !sj_failed(); round++) {
		struct sj_buf b;
		sj_buf_init(&b, sj_test_mem(), 0);
		sj_buf_puts(&b, "<a2ui>\n");
		for (uint32_t k = 1 + sj_random_below(&random, 3); k > 0; k--) {
			sj_buf_slice(&b, texts[sj_random_below(&random, n)]);
			sj_buf_putc(&b, '\n');
		}
		for (uint32_t k = sj_random_below(&random, 4); k > 0; k--)
			b.ptr[7 + sj_random_below(&random, (uint32_t)b.len - 7)] =
				signs[sj_random_below(&random, sizeof signs - 1)];
		sj_buf_puts(&b, "</a2ui>");
		if (!strstr(b.ptr, "```")) /* see check_same */
			check_same(&r, sj_buf_view(&b), &random);
		sj_buf_finish(&b);
	}
	close_rig(&r);
}

SJ_TEST(a_component_is_out_when_its_line_is)
{
	struct rig r = open_rig();
	struct sj_parts parts = {0};
	struct sj_parser *p;
	static const char first[] = "<a2ui>\nText(\"a\")", second[] = "\nText(\"b\"";
	CHECK_OK(sj_parser_create(r.format, NULL, &p));
	CHECK_OK(sj_parser_feed(p, first, sizeof first - 2, &parts, NULL));
	CHECK_INT(parts.list.count, 0);
	CHECK_OK(sj_parser_feed(p, ")", 1, &parts, NULL));
	CHECK_INT(parts.list.count, 1);
	CHECK_OK(sj_parser_feed(p, second, sizeof second - 1, &parts, NULL));
	CHECK_INT(parts.list.count, 1);
	CHECK_OK(sj_parser_end(p, &parts, NULL)); /* neither the parenthesis nor the tag came */
	CHECK_INT(parts.list.count, 2);
	CHECK_STR(sj_value_text(sj_value_at(&parts.list.items[1].messages, SJ_LIT("/0/createSurface/surfaceId"))),
	          "default_surface_1");
	sj_parser_destroy(p);
	sj_parts_finish(sj_test_mem(), &parts);
	close_rig(&r);
}

/* ---- the way back ------------------------------------------------------------------------------------------------ */

static void check_round_trip(const struct sj_format *f, const struct sj_value *messages, struct sj_buf *text)
{
	struct sj_value back = SJ_ABSENT_VALUE;
	struct sj_repairs none = {.cap = 0};
	struct sj_diag d = {0};
	if (sj_format_decompile(f, messages, text, &d) != SJ_OK) {
		sj_fail_at(__FILE__, __LINE__, "%s at %s", d.message, d.pointer);
		return;
	}
	CHECK_OK(sj_format_compile(f, sj_buf_view(text), &back, &none, &d));
	CHECK(sj_value_equal(&back, messages));
	sj_value_unref(sj_test_mem(), back);
}

SJ_TEST(decompile_gives_back_what_was_compiled)
{
	struct rig r = open_rig();
	struct sj_slice rest = all_cases();
	struct line_case c;
	while (next_case(&rest, &c)) {
		struct sj_value messages = SJ_ABSENT_VALUE;
		struct sj_buf text;
		/* Tags number their children in a way that constructors do not. */
		if (c.text.ptr[0] == '<' || sj_slice_is(c.name, "one child for a list") ||
		    sj_slice_is(c.name, "list for one child"))
			continue;
		sj_case("%.*s", SJ_ARG(c.name));
		sj_buf_init(&text, sj_test_mem(), 0);
		CHECK_OK(sj_format_compile(r.format, c.text, &messages, NULL, NULL));
		check_round_trip(r.format, &messages, &text);
		sj_case_end();
		sj_value_unref(sj_test_mem(), messages);
		sj_buf_finish(&text);
	}
	close_rig(&r);
}

/* One component of an official example as the root of a surface, when it refers to no other. */
static bool as_surface(const struct sj_catalog *c, const struct sj_value *component, struct sj_value *messages)
{
	struct sj_mem *mem = sj_test_mem();
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value copy = sj_value_ref(*component), id;
	const struct sj_value *name = sj_value_get(component, SJ_LIT("component"));
	const struct sj_a2ui_component *type = name ? sj_catalog_component(c, sj_value_text(name)) : NULL;
	struct sj_buf json;
	bool leaf = type != NULL;
	for (uint32_t i = 0; leaf && i < type->nprops; i++) {
		const struct sj_a2ui_prop *row = &type->props[i];
		bool refers = row->cls == SJ_AC_CHILD || row->cls == SJ_AC_CHILD_LIST;
		for (uint32_t k = 0; k < row->nsub; k++)
			refers = refers || row->sub[k].cls == SJ_AC_CHILD;
		leaf = !refers || row->cls == SJ_AC_CHILD; /* one child may be named by its id */
	}
	CHECK_OK(sj_value_string(mem, SJ_LIT("root"), &id));
	CHECK_OK(sj_value_set(mem, &copy, SJ_LIT("id"), id));
	sj_buf_init(&json, mem, 0);
	sj_buf_puts(&json, "[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"default_surface\",\"catalogId\":");
	sj_json_print_string(&json, sj_catalog_id(c));
	sj_buf_puts(&json, ",\"components\":[");
	sj_value_print(&json, &copy, SJ_PRINT_COMPACT);
	sj_buf_puts(&json, "]}}]");
	sj_value_unref(mem, copy);
	CHECK_OK(sj_value_parse(mem, &opt, sj_buf_view(&json), messages, NULL));
	sj_buf_finish(&json);
	return leaf;
}

SJ_TEST(components_of_the_official_examples_round_trip)
{
	static const char folder[] = "a2ui/specification/v1_0/catalogs/basic/examples";
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct rig r = {0};
	char **names, path[512];
	if (!sj_data(folder)) {
		sj_skip("%s is not there", folder);
		return;
	}
	size_t n = sj_list_dir(sj_data(folder), ".json", &names), done = 0;
	CHECK_OK(sj_catalog_basic(sj_test_mem(), SJ_V10, NULL, NULL, &r.catalog));
	const struct sj_catalog *list[] = {r.catalog};
	struct sj_format_options fopt = {.id = SJ_FORMAT_VERTICAL, .catalogs = list, .ncatalogs = 1};
	CHECK_OK(sj_format_create(sj_test_mem(), &fopt, &r.format, NULL));
	for (size_t i = 0; i < n; i++) {
		struct sj_value doc;
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		CHECK_OK(sj_value_parse(sj_test_mem(), &opt, sj_slurp(sj_data(path)), &doc, NULL));
		const struct sj_value *messages =
			doc.type == SJ_V_ARRAY ? &doc : sj_value_get(&doc, SJ_LIT("messages"));
		for (uint32_t k = 0; messages && k < sj_value_count(messages); k++) {
			const struct sj_value *m = sj_value_item(messages, k);
			const struct sj_value *components = sj_value_at(m, SJ_LIT("/createSurface/components"));
			if (!components)
				components = sj_value_at(m, SJ_LIT("/updateComponents/components"));
			for (uint32_t c = 0; components && c < sj_value_count(components); c++) {
				struct sj_value one;
				struct sj_diag d = {0};
				struct sj_buf text;
				sj_case("%s %u %u", names[i], k, c);
				sj_buf_init(&text, sj_test_mem(), 0);
				bool leaf = as_surface(r.catalog, sj_value_item(components, c), &one);
				/* Some examples name what the catalog does not have; the check is another test's. */
				if (leaf && sj_format_check(r.format, sj_value_item(&one, 0), &d) == SJ_OK) {
					check_round_trip(r.format, &one, &text);
					done++;
				}
				sj_value_unref(sj_test_mem(), one);
				sj_buf_finish(&text);
				sj_case_end();
			}
		}
		sj_value_unref(sj_test_mem(), doc);
	}
	CHECK(done >= 300);
	close_rig(&r);
}

SJ_TEST(decompile_writes_the_notation)
{
	static const struct {
		const char *text;
	} cases[] = {
		{"Text(\"a\", variant=\"body\", lines=2)"},
		{"Text(\"\\n \\\" \\\\\")"},
		{"Text($/a/b)"},
		{"Text($\"/a b\")"},
		{"Text($\"/a//b\")"},
		{"Text(join(a=[1, {\"k\": true}], b=join(a=\"x\")))"},
		{"Button(Text(\"OK\"), action=Event(\"go\", id=$/id, list=[1, 2]))"},
		{"Button(\"t\", action=Event(\"go\", {\"name\": \"x\"}))"},
		{"Button(\"t\", action=openUrl(url=\"u\"))"},
		{"Column([Text(\"a\"), Card(Text(\"b\")), \"other\"])"},
		{"Tabs([{\"title\": \"A\", \"child\": Text(\"a\")}])"},
		{"Text(\"a\")\nText(\"b\")"},
	};
	struct rig r = open_rig();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sj_value messages = SJ_ABSENT_VALUE;
		struct sj_buf text;
		sj_buf_init(&text, sj_test_mem(), 0);
		CHECK_OK(sj_format_compile(r.format, sj_slice_of(cases[i].text), &messages, NULL, NULL));
		check_round_trip(r.format, &messages, &text);
		CHECK_STR(sj_buf_view(&text), cases[i].text);
		sj_value_unref(sj_test_mem(), messages);
		sj_buf_finish(&text);
	}
	close_rig(&r);
}

SJ_TEST(decompile_refuses_what_has_no_notation)
{
	static const char *const cases[] = {
		"[{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"s\"}}]",
		"[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"mine\",\"catalogId\":\"test\",\"components\":[{\"id\":\"root\",\"component\":\"Text\",\"text\":\"a\"}]}}]",
		"[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"default_surface\",\"catalogId\":\"test\",\"dataModel\":{},\"components\":[{\"id\":\"root\",\"component\":\"Text\",\"text\":\"a\"}]}}]",
		"[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"default_surface\",\"catalogId\":\"test\",\"components\":[{\"id\":\"root\",\"component\":\"Card\",\"child\":\"x\"},{\"id\":\"x\",\"component\":\"Text\",\"text\":\"a\"}]}}]",
		"[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"default_surface\",\"catalogId\":\"test\",\"components\":[]}}]",
		"{}",
	};
	struct rig r = open_rig();
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sj_value messages;
		struct sj_buf text;
		struct sj_diag d = {0};
		sj_case("%zu", i);
		sj_buf_init(&text, sj_test_mem(), 0);
		CHECK_OK(sj_value_parse(sj_test_mem(), &opt, sj_slice_of(cases[i]), &messages, NULL));
		CHECK_INT(sj_format_decompile(r.format, &messages, &text, &d), SJ_INVALID);
		CHECK_INT(d.category, SJ_CAT_COMPILE);
		CHECK_INT(text.len, 0);
		sj_case_end();
		sj_value_unref(sj_test_mem(), messages);
		sj_buf_finish(&text);
	}
	close_rig(&r);
}

SJ_TEST(prompt_leaves_containers_out)
{
	static const char *const in[] = {
		"<a2ui>", "## Component Signatures", "Text(text", "Gauge(value", "Button(child", "Event(", "openUrl("};
	static const char *const not_in[] = {"Card(", "Column(", "Tabs("};
	struct rig r = open_rig();
	struct sj_prompt_options opt = {.brief = false};
	struct sj_buf one, other;
	sj_buf_init(&one, sj_test_mem(), 0);
	sj_buf_init(&other, sj_test_mem(), 0);
	CHECK_OK(sj_prompt_write(r.format, &opt, &one, NULL));
	CHECK_OK(sj_prompt_write(r.format, &opt, &other, NULL));
	CHECK_SLICE(sj_buf_view(&one), sj_buf_view(&other));
	for (size_t i = 0; i < sizeof in / sizeof *in; i++)
		if (!strstr(one.ptr, in[i]))
			sj_fail_at(__FILE__, __LINE__, "%s is missing:\n%s", in[i], one.ptr);
	for (size_t i = 0; i < sizeof not_in / sizeof *not_in; i++)
		CHECK(!strstr(one.ptr, not_in[i]));
	sj_buf_finish(&one);
	sj_buf_finish(&other);
	close_rig(&r);
}

/* ---- hostile input ----------------------------------------------------------------------------------------------- */

static void fill(struct sj_buf *b, const char *unit, size_t times)
{
	for (size_t i = 0; i < times; i++)
		sj_buf_puts(b, unit);
}

/* Long runs of what makes readers look ahead, back, or deep. That none of them takes long is seen by the harness's
 * patience, that each means something by the status. */
SJ_TEST(long_runs)
{
	static const struct {
		const char *before, *unit, *after;
		size_t times;
		enum sj_status status;
	} cases[] = {
		{"Text(\"", "a", "\")", 300000, SJ_OK},
		{"Text(\"", "\n", "a\")", 100000, SJ_OK},
		{"Text(\"a\"", " ", ")", 300000, SJ_OK},
		{"Text(\"a", "\\\"", "\")", 100000, SJ_OK},
		{"Text(\"a", "\"b", "\")", 100000, SJ_OK},
		{"", "Text(\"a", "", 20000, SJ_OK}, /* one string with marks in it */
		{"", "x (y) \"z\n", "Text(\"a\")", 50000, SJ_OK},
		{"Text(", "(", "", 200, SJ_LIMIT},
		{"Column(", "[", "", 100000, SJ_LIMIT},
		{"", "{\"a\":", "", 100000, SJ_LIMIT},
		{"", "<Card>", "", 100000, SJ_LIMIT},
		{"", "Card(", "", 100000, SJ_LIMIT},
		{"Text(\"a\"", ")", "", 100000, SJ_OK},
		{"Text(\"a\"", "]", ")", 100000, SJ_OK},
		{"Chart([", "1,", "])", 100000, SJ_OK},
		{"Text(\"a\"", ",", ")", 100000, SJ_OK},
		{"", "/*", "", 100000, SJ_INVALID},
		{"", "# Text(\n", "", 50000, SJ_INVALID},
		{"", "- ", "Text(\"a\")", 100000, SJ_INVALID},
	};
	struct rig r = open_rig();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sj_value messages = SJ_ABSENT_VALUE;
		struct sj_random random = {.state = i};
		struct sj_diag d = {0};
		struct sj_buf b;
		sj_case("%s%s...", cases[i].before, cases[i].unit);
		sj_buf_init(&b, sj_test_mem(), 0);
		sj_buf_puts(&b, cases[i].before);
		fill(&b, cases[i].unit, cases[i].times);
		sj_buf_puts(&b, cases[i].after);
		CHECK_INT(sj_format_compile(r.format, sj_buf_view(&b), &messages, NULL, &d), cases[i].status);
		sj_value_unref(sj_test_mem(), messages);
		struct sj_buf wrapped;
		sj_buf_init(&wrapped, sj_test_mem(), 0);
		sj_buf_puts(&wrapped, "<a2ui>");
		sj_buf_slice(&wrapped, sj_buf_view(&b));
		sj_buf_puts(&wrapped, "\n</a2ui>");
		struct outcome o = stream(&r, sj_buf_view(&wrapped), &random);
		CHECK_INT(o.status, cases[i].status);
		sj_value_unref(sj_test_mem(), o.messages);
		sj_buf_finish(&o.repairs);
		sj_buf_finish(&wrapped);
		sj_buf_finish(&b);
		sj_case_end();
	}
	close_rig(&r);
}

/* ---- every allocation may fail ----------------------------------------------------------------------------------- */

static enum sj_status all_of_it(struct sj_mem *mem, void *ctx)
{
	static const char text[] =
		"<a2ui>\nx = Column([Text('it is a longer text'), Card({\"component\": \"Text\", \"text\": \"another longer text\"})])\n"
		"Button(Text(\"OK\"), Event(\"go\", id=$/a/rather/long/path, list=[1, {\"k\": 2}]))\n"
		"Field(\"Zip\", $/zip, [?required(\"It is needed\"), ?regex(\"^.$\")])\n"
		"Gauge(value=\"42\", props={\"max\": \"7%\"}) <Text variant='body'>some text {join(a=1)} here</Text>\n"
		"Button(\"t\", \"go\") Text(join(a=\"x\"))\n</a2ui>";
	struct rig r = {0};
	struct sj_parts parts = {0};
	struct sj_parser *p = NULL;
	struct sj_diag d = {0};
	struct sj_buf out;
	(void)ctx;
	enum sj_status st = open_in(mem, SJ_VERSION_NONE, &r);
	if (st != SJ_OK)
		return st;
	sj_buf_init(&out, mem, 0);
	st = sj_parser_create(r.format, NULL, &p);
	for (size_t at = 0; at < sizeof text - 1 && st == SJ_OK; at += 31)
		st = sj_parser_feed(p, text + at, sizeof text - 1 - at < 31 ? sizeof text - 1 - at : 31, &parts, &d);
	if (st == SJ_OK)
		st = sj_parser_end(p, &parts, &d);
	if (st == SJ_OK)
		st = sj_format_decompile(r.format, &parts.list.items[0].messages, &out, &d);
	if (st == SJ_OK) {
		struct sj_prompt_options none = {.brief = false};
		st = sj_prompt_write(r.format, &none, &out, &d);
	}
	if (st != SJ_OK && st != SJ_NOMEM)
		sj_fail_at(__FILE__, __LINE__, "%s at %s", d.message, d.pointer);
	sj_parser_destroy(p);
	sj_parts_finish(mem, &parts);
	sj_buf_finish(&out);
	close_rig(&r);
	return st;
}

SJ_TEST(torture) { sj_torture(all_of_it, NULL); }
