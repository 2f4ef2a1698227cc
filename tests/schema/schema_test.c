/* Wording of faults, choice of the closest branch, limits, names, pointers, and memory that runs out. */
#include <stdio.h>

#include "harness/test.h"
#include "json/value.h"
#include "schema/schema.h"
#include "text/regex.h"

#define URI SJ_LIT("https://example.org/s.json")

static bool parse(struct sj_arena *arena, struct sj_slice text, struct sj_tape *out)
{
	struct sj_json_options json = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_diag diag = {0};

	if (sj_json_parse(arena, &json, text, out, &diag) == SJ_OK)
		return true;
	sj_fail_at(__FILE__, __LINE__, "test data is not JSON: %.*s", SJ_ARG(text));
	return false;
}

struct told {
	const struct sj_tape *t;
	struct sj_buf text;
	unsigned count, stop_after;
};

/* "POINTER keyword: message" a line. */
static bool tell(void *ctx, const struct sj_schema_fault *f)
{
	struct told *told = ctx;

	if (told->count++ > 0)
		sj_buf_putc(&told->text, '\n');
	sj_tape_pointer(told->t, f->cell, &told->text);
	sj_buf_printf(&told->text, " %.*s", SJ_ARG(f->keyword));
	if (f->property.len > 0)
		sj_buf_printf(&told->text, "(%.*s)", SJ_ARG(f->property));
	sj_buf_printf(&told->text, ": %s", f->message);
	return told->count != told->stop_after;
}

static void check_faults(int line, const struct sj_schema_options *opt, const char *schema_text, const char *instance,
                         const char *want)
{
	struct sj_schema_set *set;
	const struct sj_schema *schema;
	struct sj_diag diag = {0};
	struct sj_arena arena;
	struct sj_tape t;
	struct told told = {.t = &t};

	sj_arena_init(&arena, sj_test_mem(), 0);
	sj_buf_init(&told.text, sj_test_mem(), 0);
	CHECK_OK(sj_schema_set_create(sj_test_mem(), opt, &set));
	if (sj_schema_set_add(set, URI, sj_slice_of(schema_text), &diag) != SJ_OK ||
	    sj_schema_compile(set, URI, &schema, &diag) != SJ_OK) {
		sj_fail_at(__FILE__, line, "%s at %s", diag.message, diag.pointer);
	} else if (parse(&arena, sj_slice_of(instance), &t)) {
		enum sj_status got = sj_schema_validate(schema, &t, 0, &arena, tell, &told);
		if (got == SJ_LIMIT && !sj_regex_available()) {
			sj_skip("regular expressions are not built in");
		} else {
			CHECK_INT(got, *want ? SJ_INVALID : SJ_OK);
			sj_check_slice(__FILE__, line, "faults", sj_buf_view(&told.text), sj_slice_of(want));
		}
	}
	sj_buf_finish(&told.text);
	sj_schema_set_destroy(set);
	sj_arena_finish(&arena);
}

#define FAULTS(schema, instance, want) check_faults(__LINE__, NULL, schema, instance, want)

SJ_TEST(wording_of_types_and_constants)
{
	FAULTS("{\"type\":\"string\"}", "123", " type: 123 is not of type 'string'");
	FAULTS("{\"type\":\"object\"}", "\"not-an-object\"", " type: 'not-an-object' is not of type 'object'");
	FAULTS("{\"type\":\"array\"}", "123", " type: 123 is not of type 'array'");
	FAULTS("{\"type\":[\"integer\",\"null\"]}", "1.5", " type: 1.5 is not of type 'integer', 'null'");
	FAULTS("{\"type\":\"integer\"}", "1.0", "");
	FAULTS("{\"enum\":[\"doughnut\",\"pie\"]}", "\"line\"", " enum: 'line' is not one of ['doughnut', 'pie']");
	FAULTS("{\"enum\":[1,null,{\"a\":[true]}]}", "false", " enum: False is not one of [1, None, {'a': [True]}]");
	FAULTS("{\"const\":\"Text\"}", "\"text\"", " const: 'Text' was expected");
	FAULTS("{\"const\":[1.0]}", "[1]", "");
	FAULTS("false", "[]", " false: False schema does not allow []");
}

SJ_TEST(wording_of_objects)
{
	FAULTS("{\"required\":[\"root\"]}", "{}", " required(root): 'root' is a required property");
	FAULTS("{\"required\":[\"a\",\"b\",\"a\"]}", "{\"c\":1}",
		" required(a): 'a' is a required property\n required(b): 'b' is a required property");
	FAULTS("{\"properties\":{\"a\":{}},\"additionalProperties\":false}", "{\"a\":1,\"x\":2}",
		" additionalProperties(x): Additional properties are not allowed ('x' was unexpected)");
	FAULTS("{\"additionalProperties\":false}", "{\"x\":1,\"y\":2}",
		" additionalProperties(x): Additional properties are not allowed ('x', 'y' were unexpected)");
	FAULTS("{\"patternProperties\":{\"^a\":{}},\"additionalProperties\":false}", "{\"x\":1}",
		" additionalProperties(x): 'x' does not match any of the regexes: '^a'");
	FAULTS("{\"allOf\":[{\"properties\":{\"a\":{}}}],\"unevaluatedProperties\":false}", "{\"a\":1,\"b\":2}",
		" unevaluatedProperties(b): Unevaluated properties are not allowed ('b' was unexpected)");
	FAULTS("{\"dependentRequired\":{\"foo\":[\"bar\"]}}", "{\"foo\":1}",
		" dependentRequired(bar): 'bar' is a dependency of 'foo'");
	FAULTS("{\"minProperties\":1}", "{}", " minProperties: {} should be non-empty");
	FAULTS("{\"minProperties\":2}", "{\"a\":1}", " minProperties: {'a': 1} does not have enough properties");
	FAULTS("{\"maxProperties\":1}", "{\"a\":1,\"b\":{}}",
	       " maxProperties: {'a': 1, 'b': {}} has too many properties");
	FAULTS("{\"propertyNames\":{\"maxLength\":1}}", "{\"a\":1,\"bc\":2}", "/bc maxLength: 'bc' is too long");
	FAULTS("{\"properties\":{\"a\":{\"properties\":{\"b/c\":{\"type\":\"null\"}}}}}", "{\"a\":{\"b/c\":0}}",
		"/a/b~1c type: 0 is not of type 'null'");
}

SJ_TEST(wording_of_arrays)
{
	FAULTS("{\"minItems\":1}", "[]", " minItems: [] should be non-empty");
	FAULTS("{\"minItems\":2}", "[1]", " minItems: [1] is too short");
	FAULTS("{\"maxItems\":1}", "[1,[2]]", " maxItems: [1, [2]] is too long");
	FAULTS("{\"uniqueItems\":true}", "[1,1.0]", " uniqueItems: [1, 1.0] has non-unique elements");
	FAULTS("{\"contains\":{\"type\":\"null\"}}", "[1]",
		" contains: [1] does not contain items matching the given schema");
	FAULTS("{\"contains\":{\"const\":1},\"minContains\":2}", "[1]",
		" contains: Too few items match the given schema (expected at least 2 but only 1 matched)");
	FAULTS("{\"contains\":{\"const\":1},\"maxContains\":1}", "[1,1]",
		" contains: Too many items match the given schema (expected at most 1)");
	FAULTS("{\"prefixItems\":[true],\"items\":false}", "[1,2,3]",
	       " items: Expected at most 1 item but found 2 extra");
	FAULTS("{\"prefixItems\":[true],\"unevaluatedItems\":false}", "[1,\"x\",3]",
		" unevaluatedItems: Unevaluated items are not allowed ('x', 3 were unexpected)");
	FAULTS("{\"items\":{\"type\":\"string\"}}", "[\"a\",1,null]",
		"/1 type: 1 is not of type 'string'\n/2 type: None is not of type 'string'");
}

SJ_TEST(wording_of_numbers_and_strings)
{
	FAULTS("{\"minimum\":5}", "1", " minimum: 1 is less than the minimum of 5");
	FAULTS("{\"maximum\":5}", "9", " maximum: 9 is greater than the maximum of 5");
	FAULTS("{\"exclusiveMinimum\":1}", "1.0", " exclusiveMinimum: 1.0 is less than or equal to the minimum of 1");
	FAULTS("{\"exclusiveMaximum\":1}", "1", " exclusiveMaximum: 1 is greater than or equal to the maximum of 1");
	FAULTS("{\"multipleOf\":2}", "7", " multipleOf: 7 is not a multiple of 2");
	FAULTS("{\"minLength\":1}", "\"\"", " minLength: '' should be non-empty");
	FAULTS("{\"minLength\":3}", "\"\\ud83d\\ude00b\"", " minLength: '\xf0\x9f\x98\x80" "b' is too short");
	FAULTS("{\"maxLength\":2}", "\"it's\"", " maxLength: \"it's\" is too long");
	FAULTS("{\"pattern\":\"^a+$\"}", "\"b\\n\"", " pattern: 'b\\n' does not match '^a+$'");
	check_faults(__LINE__, &(struct sj_schema_options){.assert_format = true}, "{\"format\":\"date\"}",
	             "\"2023-02-29\"", " format: '2023-02-29' is not a 'date'");
	FAULTS("{\"format\":\"date\"}", "\"2023-02-29\"", ""); /* an annotation unless asked for */
	FAULTS("{\"not\":{\"type\":\"integer\"}}", "1", " not: 1 should not be valid under {'type': 'integer'}");
}

SJ_TEST(long_values_are_cut)
{
	FAULTS("{\"type\":\"string\"}",
		"[\"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\","
		"\"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789\","
		"\"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
		"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\"]",
		" type: ["
		"'0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789', "
		"'0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789', "
		"'\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
		"\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xe2\x80\xa6");
}

#define CHOICE                                                                                                         \
	"{\"oneOf\":[{\"type\":\"string\"},"                                                                           \
	"{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}},\"required\":[\"path\"],\"additionalProperties\":false}," \
	"{\"type\":\"object\",\"properties\":{\"call\":{\"type\":\"string\"},\"args\":{\"type\":\"object\"}},"         \
	"\"required\":[\"call\"],\"additionalProperties\":false}]}"
#define PINNED                                                                                                         \
	"{\"oneOf\":["                                                                                                 \
	"{\"properties\":{\"component\":{\"const\":\"Text\"},\"text\":{\"type\":\"string\"}},\"required\":[\"component\",\"text\"]}," \
	"{\"allOf\":[{\"properties\":{\"component\":{\"const\":\"Row\"},\"children\":{\"type\":\"array\"}}}],"         \
	"\"required\":[\"component\",\"children\"]}],\"unevaluatedProperties\":false}"

SJ_TEST(closest_branch)
{
	FAULTS(CHOICE, "123", " oneOf: 123 is not of type 'string', 'object'");
	FAULTS(CHOICE, "{\"path\":1}", "/path type: 1 is not of type 'string'");
	FAULTS(CHOICE, "{\"call\":\"f\",\"args\":[]}", "/args type: [] is not of type 'object'");
	FAULTS(CHOICE, "{\"call\":\"f\",\"x\":1}",
		" additionalProperties(x): Additional properties are not allowed ('x' was unexpected)");
	FAULTS(PINNED, "{\"component\":\"Text\",\"text\":1}", "/text type: 1 is not of type 'string'");
	FAULTS(PINNED, "{\"component\":\"Row\"}", " required(children): 'children' is a required property");
	FAULTS(PINNED, "{\"component\":\"Txt\",\"text\":\"a\"}",
	       "/component oneOf: 'Txt' is not one of ['Text', 'Row']");
	FAULTS(PINNED, "{\"component\":\"Text\",\"text\":1,\"color\":2}",
		" unevaluatedProperties(color): Unevaluated properties are not allowed ('color' was unexpected)\n"
		"/text type: 1 is not of type 'string'");
	FAULTS("{\"oneOf\":[{\"type\":\"number\"},{\"minimum\":1}]}", "1",
		" oneOf: 1 is valid under more than one of the given schemas");
	FAULTS("{\"anyOf\":[{\"minimum\":5},{\"minimum\":5,\"maximum\":0}]}", "3",
		" minimum: 3 is less than the minimum of 5");
	/* Deep faults of the right branch, however many, are closer than a missing name. */
	FAULTS("{\"oneOf\":[{\"required\":[\"a\"]},{\"properties\":{\"b\":{\"items\":{\"type\":\"null\"}}},\"required\":[\"b\"]}]}",
		"{\"b\":[1,2,3]}",
		"/b/0 type: 1 is not of type 'null'\n/b/1 type: 2 is not of type 'null'\n/b/2 type: 3 is not of type 'null'");
}

SJ_TEST(numbers_are_exact)
{
	FAULTS("{\"multipleOf\":0.01}", "0.07", "");
	FAULTS("{\"multipleOf\":0.1}", "1e300", "");
	FAULTS("{\"multipleOf\":3}", "1e300", " multipleOf: 1e300 is not a multiple of 3");
	FAULTS("{\"multipleOf\":1e300}", "3e300", "");
	FAULTS("{\"multipleOf\":7}", "700000000000000000000000000007", "");
	FAULTS("{\"multipleOf\":7}", "700000000000000000000000000008",
		" multipleOf: 700000000000000000000000000008 is not a multiple of 7");
	FAULTS("{\"multipleOf\":999999999999999999}", "1999999999999999998", "");
	FAULTS("{\"type\":\"integer\"}", "123456789012345678901234567890.0", "");
	FAULTS("{\"type\":\"integer\"}", "1e-1", " type: 1e-1 is not of type 'integer'");
	FAULTS("{\"type\":\"integer\"}", "0.0e-9", "");
	FAULTS("{\"maximum\":100000000000000000000000}", "100000000000000000000001",
		" maximum: 100000000000000000000001 is greater than the maximum of 100000000000000000000000");
	FAULTS("{\"minimum\":-0.0}", "0", "");
	FAULTS("{\"minimum\":-1.5}", "-1.50001", " minimum: -1.50001 is less than the minimum of -1.5");
	FAULTS("{\"const\":1e2}", "100", "");
	FAULTS("{\"const\":0}", "-0.0", "");
	FAULTS("{\"enum\":[9007199254740993]}", "9007199254740992",
		" enum: 9007199254740992 is not one of [9007199254740993]");
}

static void put_items(struct sj_buf *out, unsigned count, const char *last)
{
	sj_buf_putc(out, '[');
	for (unsigned i = 0; i < count; i++)
		sj_buf_printf(out, "{\"n\":%u,\"s\":\"%u\"},", i, i % 7);
	sj_buf_printf(out, "%s]", last);
}

/* A quarter of a million steps do not suffice to compare ten thousand items in pairs. */
SJ_TEST(unique_items_is_linear)
{
	struct sj_limits limits = SJ_LIMITS_DEFAULT;
	struct sj_schema_options opt = {.limits = &limits};
	const char *const last[] = {"{\"n\":10000,\"s\":\"4\"}", "{\"s\":\"\\u0035\",\"n\":5e0}"};

	limits.schema_steps = 250000;
	for (int i = 0; i < 2; i++) {
		struct sj_buf text;
		struct sj_schema_set *set;
		const struct sj_schema *schema = NULL;
		struct sj_arena arena;
		struct sj_tape t;
		sj_buf_init(&text, sj_test_mem(), 0);
		sj_arena_init(&arena, sj_test_mem(), 0);
		put_items(&text, 10000, last[i]);
		CHECK_OK(sj_schema_set_create(sj_test_mem(), &opt, &set));
		CHECK_OK(sj_schema_set_add(set, URI, SJ_LIT("{\"uniqueItems\":true}"), NULL));
		CHECK_OK(sj_schema_compile(set, URI, &schema, NULL));
		if (parse(&arena, sj_buf_view(&text), &t))
			CHECK_INT(sj_schema_validate(schema, &t, 0, &arena, NULL, NULL), i ? SJ_INVALID : SJ_OK);
		sj_schema_set_destroy(set);
		sj_arena_finish(&arena);
		sj_buf_finish(&text);
	}
}

static enum sj_status run(const struct sj_limits *limits, const char *schema_text, struct sj_slice instance)
{
	struct sj_schema_set *set;
	const struct sj_schema *schema;
	struct sj_schema_options opt = {.limits = limits};
	struct sj_arena arena;
	struct sj_tape t;
	enum sj_status status;

	sj_arena_init(&arena, sj_test_mem(), 0);
	CHECK_OK(sj_schema_set_create(sj_test_mem(), &opt, &set));
	status = sj_schema_set_add(set, URI, sj_slice_of(schema_text), NULL);
	if (status == SJ_OK)
		status = sj_schema_compile(set, URI, &schema, NULL);
	if (status == SJ_OK && parse(&arena, instance, &t))
		status = sj_schema_validate(schema, &t, 0, &arena, NULL, NULL);
	sj_schema_set_destroy(set);
	sj_arena_finish(&arena);
	return status;
}

SJ_TEST(limits_stop_a_run)
{
	struct sj_limits limits = SJ_LIMITS_DEFAULT;
	struct sj_buf deep;

	/* A schema that asks for itself on the same value. */
	CHECK_INT(run(NULL, "{\"allOf\":[{\"$ref\":\"#\"}]}", SJ_LIT("1")), SJ_LIMIT);
	CHECK_INT(run(NULL, "{\"not\":{\"allOf\":[{\"$ref\":\"#\"}]}}", SJ_LIT("1")), SJ_LIMIT);
	sj_buf_init(&deep, sj_test_mem(), 0);
	for (int i = 0; i < 100; i++)
		sj_buf_puts(&deep, "[");
	for (int i = 0; i < 100; i++)
		sj_buf_puts(&deep, "]");
	CHECK_INT(run(NULL, "{\"items\":{\"$ref\":\"#\"}}", sj_buf_view(&deep)), SJ_OK);
	limits.schema_depth = 99;
	CHECK_INT(run(&limits, "{\"items\":{\"$ref\":\"#\"}}", sj_buf_view(&deep)), SJ_LIMIT);
	limits = SJ_LIMITS_DEFAULT;
	limits.schema_steps = 150;
	CHECK_INT(run(&limits, "{\"items\":{\"$ref\":\"#\"}}", sj_buf_view(&deep)), SJ_LIMIT);
	limits.schema_steps = 250;
	CHECK_INT(run(&limits, "{\"items\":{\"$ref\":\"#\"}}", sj_buf_view(&deep)), SJ_OK);
	/* not and if must not turn a limit into a verdict. */
	limits.schema_steps = 20;
	CHECK_INT(run(&limits, "{\"not\":{\"items\":{\"minimum\":3}}}",
		SJ_LIT("[9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9,9]")), SJ_LIMIT);
	sj_buf_finish(&deep);
}

/* Each level is reached twice from the one above: 2^40 evaluations if none were remembered. */
SJ_TEST(shared_subschemas_are_not_run_again)
{
	static const char schema[] = "{\"properties\":{\"a\":{\"$ref\":\"#\"},\"n\":{\"type\":\"number\"}},"
		"\"allOf\":[{\"properties\":{\"a\":{\"$ref\":\"#\"}}}]}";
	struct sj_limits limits = SJ_LIMITS_DEFAULT;

	limits.schema_steps = 20000;
	for (int valid = 0; valid < 2; valid++) {
		struct sj_buf text;
		sj_buf_init(&text, sj_test_mem(), 0);
		for (int i = 0; i < 40; i++)
			sj_buf_puts(&text, "{\"a\":");
		sj_buf_puts(&text, valid ? "{\"n\":1}" : "{\"n\":\"1\"}");
		for (int i = 0; i < 40; i++)
			sj_buf_puts(&text, "}");
		CHECK_INT(run(&limits, schema, sj_buf_view(&text)), valid ? SJ_OK : SJ_INVALID);
		sj_buf_finish(&text);
	}
}

/* The verdict is found within the limits, the reasons are not: something is told all the same. */
SJ_TEST(an_unexplained_verdict_still_has_a_fault)
{
	struct sj_limits limits = SJ_LIMITS_DEFAULT;

	limits.schema_steps = 12;
	check_faults(__LINE__, &(struct sj_schema_options){.limits = &limits},
		"{\"allOf\":[{\"not\":{\"items\":{\"minimum\":1}}},{\"$ref\":\"#\"}]}", "[1,2,3,4]",
		" not: [1, 2, 3, 4] should not be valid under {'items': {'minimum': 1}}");
	limits.schema_steps = 8;
	check_faults(__LINE__, &(struct sj_schema_options){.limits = &limits},
		"{\"anyOf\":[{\"items\":{\"type\":\"string\"}}]}", "[1,2,3,4]",
		" limit: [1, 2, 3, 4] is not valid, but finding out why went beyond the limits");
}

static void check_bad(int line, const char *schema_text, const char *pointer, const char *message)
{
	struct sj_schema_set *set;
	const struct sj_schema *schema;
	struct sj_diag diag = {0};

	CHECK_OK(sj_schema_set_create(sj_test_mem(), NULL, &set));
	enum sj_status status = sj_schema_set_add(set, URI, sj_slice_of(schema_text), &diag);
	if (status == SJ_OK)
		status = sj_schema_compile(set, URI, &schema, &diag);
	if (status != SJ_INVALID)
		sj_fail_at(__FILE__, line, "status %d", (int)status);
	sj_check_slice(__FILE__, line, "pointer", sj_slice_of(diag.pointer), sj_slice_of(pointer));
	sj_check_slice(__FILE__, line, "message", sj_slice_of(diag.message), sj_slice_of(message));
	/* The set is as it was: the same URI can be given a good schema, or the root compiled again with the same
	 * answer. */
	struct sj_diag again = {0};
	if (sj_schema_set_add(set, URI, SJ_LIT("true"), &again) == SJ_OK)
		CHECK_OK(sj_schema_compile(set, URI, &schema, &again));
	else
		CHECK_INT(sj_schema_compile(set, URI, &schema, NULL), SJ_INVALID);
	sj_schema_set_destroy(set);
}

#define BAD(schema, pointer, message) check_bad(__LINE__, schema, pointer, message)

SJ_TEST(bad_schemas_are_refused)
{
	BAD("[]", "", "a schema must be an object or a boolean");
	BAD("{\"type\":\"text\"}", "/type", "'type' must be one of the seven type names or a list of them");
	BAD("{\"properties\":{\"a\":{\"minLength\":-1}}}", "/properties/a/minLength",
		"'minLength' must be an integer that is not negative");
	BAD("{\"maxItems\":1.5}", "/maxItems", "'maxItems' must be an integer that is not negative");
	BAD("{\"allOf\":[]}", "/allOf", "'allOf' must be an array of schemas that is not empty");
	BAD("{\"anyOf\":[true,1]}", "/anyOf/1", "a schema must be an object or a boolean");
	BAD("{\"required\":\"a\"}", "/required", "'required' must be an array of strings");
	BAD("{\"multipleOf\":0}", "/multipleOf", "'multipleOf' must be a number above zero");
	BAD("{\"items\":{\"$ref\":\"#/$defs/none\"}}", "/items/$ref", "'#/$defs/none' leads to no schema of the set");
	BAD("{\"$ref\":\"other.json\"}", "/$ref", "'other.json' leads to no schema of the set");
	BAD("{\"$ref\":\"#none\"}", "/$ref", "'#none' leads to no schema of the set");
	BAD("{\"allOf\":[{\"$ref\":\"#/allOf/0\"}]}", "/allOf/0/$ref", "this '$ref' leads back to itself");
	BAD("{\"$id\":\"a#b\"}", "/$id", "'$id' must have no fragment");
	BAD("{\"$defs\":{\"a\":{\"$anchor\":\"x\"},\"b\":{\"$anchor\":\"x\"}}}", "/$defs/a/$anchor",
		"the anchor 'x' is there twice");
	BAD("{\"$defs\":{\"a\":{\"$id\":\"x\"},\"b\":{\"$id\":\"x\"}}}", "/$defs/a",
		"the schema set has another schema named 'https://example.org/x'");
	BAD("{\"uniqueItems\":1}", "/uniqueItems", "'uniqueItems' must be a boolean");
	BAD("{\"$defs\":{\"a\":{\"$anchor\":\"1\"}}}", "/$defs/a/$anchor", "'1' is no anchor name");
}

/* What cannot be reached is not compiled, and so may be wrong. */
SJ_TEST(only_what_is_reached_is_compiled)
{
	struct sj_schema_set *set;
	const struct sj_schema *a, *b, *again;

	CHECK_OK(sj_schema_set_create(sj_test_mem(), NULL, &set));
	CHECK_OK(sj_schema_set_add(set, URI,
		SJ_LIT("{\"$defs\":{\"good\":{\"$anchor\":\"good\",\"type\":\"string\"},\"bad\":{\"type\":7}}}"), NULL));
	CHECK_OK(sj_schema_compile(set, SJ_LIT("https://example.org/s.json#/$defs/good"), &a, NULL));
	CHECK_OK(sj_schema_compile(set, SJ_LIT("https://example.org/s.json#good"), &b, NULL));
	CHECK(a == b);
	CHECK_INT(sj_schema_compile(set, SJ_LIT("https://example.org/s.json#/$defs/bad"), &b, NULL), SJ_INVALID);
	CHECK_OK(sj_schema_compile(set, SJ_LIT("https://example.org/s.json#/$defs/good"), &again, NULL));
	CHECK(a == again);
	CHECK_INT(sj_schema_compile(set, SJ_LIT("https://example.org/t.json"), &b, NULL), SJ_INVALID);
	sj_schema_set_destroy(set);
}

static enum sj_status validate_text(const struct sj_schema *schema, const char *text)
{
	struct sj_arena arena;
	struct sj_tape t;
	enum sj_status status = SJ_ABSENT;

	sj_arena_init(&arena, sj_test_mem(), 0);
	if (parse(&arena, sj_slice_of(text), &t))
		status = sj_schema_validate(schema, &t, 0, &arena, NULL, NULL);
	sj_arena_finish(&arena);
	return status;
}

SJ_TEST(aliases)
{
	struct sj_schema_set *set;
	const struct sj_schema *schema = NULL;

	CHECK_OK(sj_schema_set_create(sj_test_mem(), NULL, &set));
	CHECK_OK(sj_schema_set_add(set, SJ_LIT("https://a.org/x/envelope.json"),
	                           SJ_LIT("{\"items\":{\"$ref\":\"catalog.json#/v\"}}"), NULL));
	CHECK_OK(sj_schema_set_add(set, SJ_LIT("https://b.org/basic.json"), SJ_LIT("{\"v\":{\"type\":\"string\"}}"),
	                           NULL));
	CHECK_INT(sj_schema_compile(set, SJ_LIT("https://a.org/x/envelope.json"), &schema, NULL), SJ_INVALID);
	CHECK_INT(sj_schema_set_alias(set, SJ_LIT("https://b.org/none.json"), SJ_LIT("https://a.org/x/catalog.json")),
	          SJ_ABSENT);
	CHECK_OK(sj_schema_set_alias(set, SJ_LIT("https://b.org/basic.json"), SJ_LIT("https://a.org/x/catalog.json")));
	CHECK_OK(sj_schema_compile(set, SJ_LIT("https://a.org/x/envelope.json"), &schema, NULL));
	CHECK_OK(validate_text(schema, "[\"a\"]"));
	CHECK_INT(validate_text(schema, "[1]"), SJ_INVALID);
	/* A name that is taken stays. */
	CHECK_INT(sj_schema_set_alias(set, SJ_LIT("https://a.org/x/envelope.json"), SJ_LIT("https://b.org/basic.json")),
	          SJ_INVALID);
	/* A relative alias answers that reference wherever it is written. */
	CHECK_OK(sj_schema_set_add(set, SJ_LIT("https://c.org/e.json"), SJ_LIT("{\"$ref\":\"theirs.json#/v\"}"), NULL));
	CHECK_OK(sj_schema_set_alias(set, SJ_LIT("https://b.org/basic.json"), SJ_LIT("theirs.json")));
	CHECK_OK(sj_schema_compile(set, SJ_LIT("https://c.org/e.json"), &schema, NULL));
	CHECK_INT(validate_text(schema, "1"), SJ_INVALID);
	sj_schema_set_destroy(set);
}

SJ_TEST(part_of_a_tape)
{
	struct sj_schema_set *set;
	const struct sj_schema *schema = NULL;
	struct sj_arena arena;
	struct sj_tape t;
	struct told told = {.t = &t, .stop_after = 1};

	sj_arena_init(&arena, sj_test_mem(), 0);
	sj_buf_init(&told.text, sj_test_mem(), 0);
	CHECK_OK(sj_schema_set_create(sj_test_mem(), NULL, &set));
	CHECK_OK(sj_schema_set_add(set, URI, SJ_LIT("{\"additionalProperties\":{\"type\":\"number\"},\"minProperties\":3}"), NULL));
	CHECK_OK(sj_schema_compile(set, URI, &schema, NULL));
	if (parse(&arena, SJ_LIT("[0,{\"m\":{\"a\":\"x\",\"b\":null}}]"), &t)) {
		uint32_t cell = sj_tape_get(&t, sj_tape_item(&t, 0, 1), SJ_LIT("m"));
		CHECK_INT(sj_schema_validate(schema, &t, cell, &arena, tell, &told), SJ_INVALID);
		CHECK_SLICE(sj_buf_view(&told.text),
			SJ_LIT("/1/m minProperties: {'a': 'x', 'b': None} does not have enough properties"));
		CHECK_INT(told.count, 1); /* false from the callback stops it */
	}
	sj_schema_set_destroy(set);
	sj_buf_finish(&told.text);
	sj_arena_finish(&arena);
}

SJ_TEST(pointers_of_cells)
{
	static const struct {
		uint32_t cell;
		const char *pointer;
	} rows[] = {{0, ""},       {1, "/a"},    {2, "/a"},    {3, "/a/0"}, {4, "/a/1"},
	            {5, "/a/1/0"}, {6, "/~0~1"}, {7, "/~0~1"}, {8, "/"},    {9, "/"}};
	struct sj_arena arena;
	struct sj_tape t;

	sj_arena_init(&arena, sj_test_mem(), 0);
	if (parse(&arena, SJ_LIT("{\"a\":[1,[2]],\"\\u007e\\/\":{},\"\":null}"), &t)) {
		for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
			struct sj_buf out;
			sj_buf_init(&out, sj_test_mem(), 0);
			sj_tape_pointer(&t, rows[i].cell, &out);
			CHECK_SLICE(sj_buf_view(&out), sj_slice_of(rows[i].pointer));
			sj_buf_finish(&out);
		}
	}
	sj_arena_finish(&arena);
}

/* Escaped spellings name the same members and values. */
SJ_TEST(escaped_names_and_values)
{
	FAULTS("{\"properties\":{\"\\u0061\":{\"const\":\"b\\u0063\"}},\"required\":[\"a\"],\"additionalProperties\":false}",
		"{\"\\u0061\":\"\\u0062c\"}", "");
	FAULTS("{\"\\u0074ype\":\"string\"}", "1", " type: 1 is not of type 'string'");
	FAULTS("{\"maxLength\":1}", "\"\\u00e4\"", "");
	FAULTS("{\"pattern\":\"^\\\\u00e4$\"}", "\"\\u00e4\"", "");
	FAULTS("{\"propertyNames\":{\"enum\":[\"x\"]}}", "{\"\\u0078\":1}", "");
}

static void put_members(struct sj_buf *out, unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		sj_buf_printf(out, "%s\"k%u\":1", i > from ? "," : "", i);
}

/* More names than fit in one word of marks or of required bits. */
SJ_TEST(wide_objects)
{
	struct sj_buf schema, instance;

	sj_buf_init(&schema, sj_test_mem(), 0);
	sj_buf_init(&instance, sj_test_mem(), 0);
	sj_buf_puts(&schema, "{\"allOf\":[{\"properties\":{");
	for (unsigned i = 0; i < 150; i++)
		sj_buf_printf(&schema, "%s\"k%u\":{\"type\":\"integer\"}", i ? "," : "", i);
	sj_buf_puts(&schema, "},\"required\":[");
	for (unsigned i = 0; i < 150; i++)
		sj_buf_printf(&schema, "%s\"k%u\"", i ? "," : "", i);
	sj_buf_puts(&schema, "]}],\"unevaluatedProperties\":false}");

	sj_buf_puts(&instance, "{");
	put_members(&instance, 0, 150);
	sj_buf_puts(&instance, "}");
	FAULTS(schema.ptr, instance.ptr, "");
	sj_buf_clear(&instance);
	sj_buf_puts(&instance, "{");
	put_members(&instance, 1, 150);
	sj_buf_puts(&instance, ",\"x\":1}");
	FAULTS(schema.ptr, instance.ptr,
		" required(k0): 'k0' is a required property\n"
		" unevaluatedProperties(x): Unevaluated properties are not allowed ('x' was unexpected)");
	sj_buf_finish(&schema);
	sj_buf_finish(&instance);
}

/* The metaschema, built in: refers to nothing outside. */
SJ_TEST(metaschema_is_built_in)
{
	struct sj_schema_set *set;
	const struct sj_schema *schema = NULL;

	CHECK_OK(sj_schema_set_create(sj_test_mem(), NULL, &set));
	CHECK_OK(sj_schema_compile(set, SJ_LIT("https://json-schema.org/draft/2020-12/schema"), &schema, NULL));
	CHECK_OK(validate_text(schema, "{\"properties\":{\"a\":{\"type\":[\"string\"],\"minLength\":0}},\"$defs\":{\"x\":true}}"));
	CHECK_INT(validate_text(schema, "{\"properties\":{\"a\":{\"type\":\"text\"}}}"), SJ_INVALID);
	CHECK_INT(validate_text(schema, "{\"$defs\":{\"x\":{\"items\":{\"allOf\":[]}}}}"), SJ_INVALID);
	CHECK_INT(validate_text(schema, "7"), SJ_INVALID);
	sj_schema_set_destroy(set);
}

/* Random unions over a handful of names and constants, on random instances: looking branches up changes no verdict. */

struct dice {
	uint64_t state;
	struct sj_buf out;
};

static uint32_t roll(struct dice *d, uint32_t sides)
{
	d->state = d->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(d->state >> 33) % sides;
}

static void put_choice(struct dice *d, const char *const *choices, uint32_t count)
{
	sj_buf_puts(&d->out, choices[roll(d, count)]);
}

#define PUT_CHOICE(d, ...)                                                                                             \
	do {                                                                                                           \
		static const char *const choices[] = {__VA_ARGS__};                                                    \
		put_choice((d), choices, sizeof choices / sizeof *choices);                                            \
	} while (0)

static void put_schema(struct dice *d, unsigned depth);

static void put_schemas(struct dice *d, unsigned depth)
{
	for (uint32_t n = 1 + roll(d, 4); n > 0; n--) {
		put_schema(d, depth);
		if (n > 1)
			sj_buf_putc(&d->out, ',');
	}
}

static void put_schema(struct dice *d, unsigned depth)
{
	switch (roll(d, depth > 0 ? 10 : 5)) {
	case 0:
		PUT_CHOICE(d, "{\"type\":\"string\"}", "{\"type\":[\"object\",\"null\"]}", "{\"type\":\"integer\"}",
		           "true", "false", "{\"const\":1}", "{\"enum\":[\"x\",{\"k\":\"x\"}]}",
		           "{\"$ref\":\"#/$defs/text\"}", "{\"required\":[\"k\"]}");
		break;
	case 1:
	case 2:
	case 3:
	case 4:
		sj_buf_puts(&d->out, "{\"properties\":{");
		PUT_CHOICE(d, "\"k\":{\"const\":\"x\"}", "\"k\":{\"const\":\"y\"}", "\"k\":{\"enum\":[\"x\",\"z\"]}",
		           "\"l\":{\"const\":\"x\"}", "\"k\":{\"$ref\":\"#/$defs/text\"}", "\"k\":{\"const\":1}",
		           "\"k\":{\"enum\":[\"y\",1]}", "\"m\":true",
		           "\"k\":{\"const\":\"z\",\"type\":\"string\"},\"l\":{\"enum\":[\"x\",\"y\"]}");
		PUT_CHOICE(d, "}}", "},\"required\":[\"k\"]}", "},\"additionalProperties\":false}",
		           "},\"type\":\"object\"}", "},\"unevaluatedProperties\":false}");
		break;
	case 5:
	case 6:
		PUT_CHOICE(d, "{\"oneOf\":[", "{\"type\":\"object\",\"oneOf\":[",
		           "{\"unevaluatedProperties\":false,\"oneOf\":[");
		put_schemas(d, depth - 1);
		sj_buf_puts(&d->out, "]}");
		break;
	case 7:
		PUT_CHOICE(d, "{\"anyOf\":[", "{\"unevaluatedProperties\":false,\"anyOf\":[");
		put_schemas(d, depth - 1);
		sj_buf_puts(&d->out, "]}");
		break;
	case 8:
		sj_buf_puts(&d->out, "{\"allOf\":[");
		put_schemas(d, depth - 1);
		sj_buf_puts(&d->out, "]}");
		break;
	default:
		PUT_CHOICE(d, "{\"$ref\":\"#/$defs/one\"}", "{\"$ref\":\"#/$defs/two\"}",
		           "{\"not\":{\"$ref\":\"#/$defs/one\"}}",
		           "{\"$ref\":\"#/$defs/one\",\"properties\":{\"k\":{\"const\":\"y\"}}}");
		break;
	}
}

static void put_instance(struct dice *d)
{
	PUT_CHOICE(d, "\"x\"", "1", "null", "{}", "{\"k\":\"x\"}", "{\"k\":\"y\"}", "{\"k\":\"z\"}", "{\"k\":\"w\"}",
	           "{\"k\":1}", "{\"l\":\"x\"}", "{\"l\":\"x\",\"k\":\"z\"}", "{\"m\":1,\"k\":\"x\"}",
	           "{\"k\":{\"k\":\"x\"}}", "{\"\\u006b\":\"\\u0078\"}", "[\"x\"]");
}

SJ_TEST(random_unions_either_way)
{
	struct dice d = {.state = 8};
	unsigned valid = 0, invalid = 0;

	for (int round = 0; round < 3000 && !sj_failed(); round++) {
		struct sj_schema_options plain_opt = {.plain = true};
		struct sj_schema_set *fast_set, *plain_set;
		const struct sj_schema *fast = NULL, *plain = NULL;
		sj_buf_init(&d.out, sj_test_mem(), 0);
		sj_buf_puts(&d.out, "{\"oneOf\":[");
		put_schemas(&d, 3);
		sj_buf_puts(&d.out, "],\"$defs\":{\"text\":{\"const\":\"x\"},\"one\":");
		put_schema(&d, 2);
		sj_buf_puts(&d.out, ",\"two\":");
		put_schema(&d, 0);
		sj_buf_puts(&d.out, "}}");
		CHECK_OK(sj_schema_set_create(sj_test_mem(), NULL, &fast_set));
		CHECK_OK(sj_schema_set_create(sj_test_mem(), &plain_opt, &plain_set));
		CHECK_OK(sj_schema_set_add(fast_set, URI, sj_buf_view(&d.out), NULL));
		CHECK_OK(sj_schema_set_add(plain_set, URI, sj_buf_view(&d.out), NULL));
		enum sj_status compiled =
			sj_schema_compile(fast_set, URI, &fast, NULL); /* not when $defs/one is only itself */
		CHECK_INT(sj_schema_compile(plain_set, URI, &plain, NULL), compiled);
		struct dice instance = {.state = d.state};
		for (int i = 0; i < 12 && compiled == SJ_OK; i++) {
			sj_buf_init(&instance.out, sj_test_mem(), 0);
			put_instance(&instance);
			enum sj_status a = validate_text(fast, instance.out.ptr),
				       b = validate_text(plain, instance.out.ptr);
			if (a != b && a != SJ_LIMIT && b != SJ_LIMIT) /* $defs/one may ask for itself without end */
				sj_fail_at(__FILE__, __LINE__, "looked up %d, plain %d: %s on %s", (int)a, (int)b,
				           instance.out.ptr, d.out.ptr);
			valid += a == SJ_OK;
			invalid += a == SJ_INVALID;
			sj_buf_finish(&instance.out);
		}
		sj_schema_set_destroy(fast_set);
		sj_schema_set_destroy(plain_set);
		sj_buf_finish(&d.out);
	}
	CHECK(valid > 3000 && invalid > 3000);
}

/* Out of memory at every allocation, of compiling and of validating with a report. */

static const char torture_schema[] =
	"{\"$id\":\"https://example.org/s.json\",\"type\":\"object\",\"properties\":{"
	"\"a\":{\"$ref\":\"#/$defs/choice\"},\"b\":{\"items\":{\"$ref\":\"list.json#list\"},\"uniqueItems\":true,\"contains\":{\"type\":\"array\"}},"
	"\"c\":{\"pattern\":\"^x\",\"minLength\":2},\"d\":{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}},"
	"\"patternProperties\":{\"^p\":{\"enum\":[\"v\",1,null]}},\"required\":[\"a\",\"z\"],\"dependentRequired\":{\"a\":[\"y\"]},"
	"\"unevaluatedProperties\":false,"
	"\"$defs\":{\"choice\":{\"oneOf\":[{\"type\":\"string\"},{\"properties\":{\"k\":{\"const\":\"one\"},\"n\":{\"type\":\"integer\"}}},"
	"{\"properties\":{\"k\":{\"const\":\"two\"}},\"required\":[\"m\"]}]},"
	"\"list\":{\"$anchor\":\"list\",\"$id\":\"list.json\",\"prefixItems\":[true,{\"minimum\":3}],\"unevaluatedItems\":false,\"$anchor2\":1}}}";
static const char torture_instance[] =
	"{\"a\":{\"k\":\"\\u006fne\",\"n\":\"x\"},\"b\":[[1,2,3],[1,2,3],4,5,6,7,8,9,{\"q\":1},{\"q\":1.0}],\"c\":\"\\u0079\","
	"\"d\":{\"type\":\"text\",\"properties\":{\"a\":[]}},\"p1\":\"w\",\"other\":1}";

static bool count_fault(void *ctx, const struct sj_schema_fault *f)
{
	++*(unsigned *)ctx;
	return f->message[0] != '\0';
}

static enum sj_status torture(struct sj_mem *mem, void *ctx)
{
	struct sj_json_options json = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_slice text = sj_slice_of(torture_schema);
	struct sj_schema_set *set;
	const struct sj_schema *schema;
	struct sj_arena arena;
	struct sj_tape t;
	unsigned faults = 0;
	enum sj_status status = sj_schema_set_create(mem, NULL, &set);

	if (status != SJ_OK)
		return status;
	sj_arena_init(&arena, mem, 0);
	status = sj_schema_set_add(set, URI, text, NULL);
	if (status == SJ_OK)
		status = sj_schema_set_alias(set, URI, SJ_LIT("https://example.org/alias.json"));
	if (status == SJ_OK)
		status = sj_schema_compile(set, SJ_LIT("https://example.org/alias.json"), &schema, NULL);
	if (status == SJ_OK)
		status = sj_json_parse(&arena, &json, sj_slice_of(torture_instance), &t, NULL);
	if (status == SJ_OK) {
		status = sj_schema_validate(schema, &t, 0, &arena, count_fault, &faults);
		if (status == SJ_INVALID) {
			*(unsigned *)ctx = faults;
			status = SJ_OK;
		}
	}
	sj_arena_finish(&arena);
	sj_schema_set_destroy(set);
	return status;
}

SJ_TEST(all_faults_in_document_order)
{
	if (!sj_regex_available()) {
		sj_skip("regular expressions are not built in");
		return;
	}
	FAULTS(torture_schema, torture_instance,
		" dependentRequired(y): 'y' is a dependency of 'a'\n"
		" required(z): 'z' is a required property\n"
		" unevaluatedProperties(other): Unevaluated properties are not allowed ('other' was unexpected)\n"
		"/a/n type: 'x' is not of type 'integer'\n"
		"/b uniqueItems: [[1, 2, 3], [1, 2, 3], 4, 5, 6, 7, 8, 9, {'q': 1}, {'q': 1.0}] has non-unique elements\n"
		"/b/0 unevaluatedItems: Unevaluated items are not allowed (3 was unexpected)\n"
		"/b/0/1 minimum: 2 is less than the minimum of 3\n"
		"/b/1 unevaluatedItems: Unevaluated items are not allowed (3 was unexpected)\n"
		"/b/1/1 minimum: 2 is less than the minimum of 3\n"
		"/c minLength: 'y' is too short\n"
		"/c pattern: 'y' does not match '^x'\n"
		"/d/type enum: 'text' is not one of ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']\n"
		"/d/properties/a type: [] is not of type 'object', 'boolean'\n"
		"/p1 enum: 'w' is not one of ['v', 1, None]");
}

SJ_TEST(out_of_memory)
{
	unsigned faults = 0;

	sj_torture(torture, &faults);
	CHECK_INT(faults, sj_regex_available() ? 14 : 2);
}

/* After a refused allocation the set still works. */
SJ_TEST(a_set_survives_a_refused_allocation)
{
	struct sj_mem mem;

	if (!sj_regex_available()) {
		sj_skip("regular expressions are not built in");
		return;
	}
	for (uint64_t n = 1;; n++) {
		struct sj_schema_set *set;
		const struct sj_schema *schema = NULL;
		sj_mem_init(&mem, sj_test_mem(), 0);
		CHECK_OK(sj_schema_set_create(&mem, NULL, &set));
		CHECK_OK(sj_schema_set_add(set, URI, sj_slice_of(torture_schema), NULL));
		mem.fail_at = mem.calls + n;
		mem.fail_once = true;
		enum sj_status status = sj_schema_compile(set, URI, &schema, NULL);
		mem.fail_at = 0;
		if (status == SJ_NOMEM)
			CHECK_OK(sj_schema_compile(set, URI, &schema, NULL));
		else
			CHECK_OK(status);
		CHECK_INT(validate_text(schema, "{\"a\":\"s\",\"z\":1,\"y\":2}"), SJ_INVALID);
		CHECK_INT(validate_text(schema, "{\"a\":\"s\",\"z\":1}"), SJ_INVALID);
		CHECK_INT(validate_text(schema, "{\"a\":\"s\",\"p\":\"v\"}"), SJ_INVALID);
		sj_schema_set_destroy(set);
		CHECK_INT(mem.used_bytes, 0);
		if (status == SJ_OK || sj_failed())
			break;
	}
}
