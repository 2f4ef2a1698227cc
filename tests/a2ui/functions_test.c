/* The function table and the value rules: the public suite, tables of values, absence, versions, locales, the regex
 * cache. */
#include "a2ui/functions.h"

#include <stdio.h>

#include "a2ui/fn_internal.h"
#include "harness/test.h"

static struct sj_value read_json(struct sj_slice text)
{
	struct sj_value v = SJ_ABSENT_VALUE;
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	CHECK_OK(sj_value_parse(sj_test_mem(), &opt, text, &v, NULL));
	return v;
}

static struct sj_fn_table *new_table(const struct sj_locales *locales)
{
	struct sj_fn_table *t = NULL;
	CHECK_OK(sj_fn_table_create(sj_test_mem(), &SJ_LIMITS_DEFAULT, locales, &t));
	return t;
}

/* ---- the public suite -------------------------------------------------------------------------------------------- */

static struct sj_slice text_of(const struct sj_value *object, const char *key)
{
	const struct sj_value *v = object ? sj_value_get(object, sj_slice_of(key)) : NULL;
	return v ? sj_value_text(v) : SJ_NO_SLICE;
}

static void suite_case(struct sj_fn_table *t, const struct sj_value *c)
{
	struct sj_value out = SJ_ABSENT_VALUE;
	struct sj_diag d = {0};
	const struct sj_value *error = sj_value_get(c, SJ_LIT("expectError")),
			      *expect = sj_value_get(c, SJ_LIT("expect"));
	enum sj_version v = sj_slice_is(text_of(c, "protocolVersion"), "v1.0") ? SJ_V10 : SJ_V09;
	enum sj_result r =
		sj_fn_evaluate(t, sj_test_mem(), v, text_of(c, "function"), sj_value_get(c, SJ_LIT("args")), &out, &d);
	if (error) {
		CHECK_INT(r, SJ_R_ERROR);
		CHECK_STR(text_of(error, "category"), sj_category_name(d.category));
		CHECK(d.message[0] != '\0');
	} else {
		CHECK_INT(r, SJ_R_OK);
		CHECK(expect && sj_value_equal(&out, expect));
		sj_value_unref(sj_test_mem(), out);
	}
}

SJ_TEST(functions_conformance)
{
	const char *path = sj_data("a2ui/conformance/core/functions.json");
	if (!path) {
		sj_skip("the public suite is not there");
		return;
	}
	struct sj_value suite = read_json(sj_slurp(path));
	struct sj_fn_table *t = new_table(NULL);
	uint32_t ran = 0;
	for (uint32_t i = 0; i < sj_value_count(&suite); i++) {
		const struct sj_value *c = sj_value_item(&suite, i);
		/* A case that names a catalog asks about looking it up, which is above this table. */
		if (!sj_slice_is(text_of(c, "action"), "evaluate_function") || sj_value_get(c, SJ_LIT("catalogId")))
			continue;
		sj_case("%.*s", SJ_ARG(text_of(c, "name")));
		if (sj_slice_is(text_of(c, "function"), "regex") && !sj_regex_available())
			sj_skip("built without regular expressions");
		else
			suite_case(t, c);
		sj_case_end();
		ran++;
	}
	CHECK(ran >= 47);
	sj_fn_table_destroy(t);
	sj_value_unref(sj_test_mem(), suite);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Calls a row's own eval with arguments by name; names that are not in `args` are ABSENT. `want`: JSON, "absent", or
 * "!" and a part of the message. */
static void call_row(struct sj_fn_table *t, enum sj_version v, const char *name, const char *args, const char *locale,
                     const char *zone, const char *want)
{
	struct sj_mem *mem = sj_test_mem();
	const struct sj_fn_row *row = sj_fn_find(t, sj_slice_of(name));
	const struct sj_function *f = sj_fn_impl(t, v, sj_slice_of(name));
	CHECK(row && f);
	if (!row || !f)
		return;
	struct sj_value object = read_json(sj_slice_of(args));
	struct sj_value list[SJ_FN_MAX_PARAMS + 2], out = SJ_ABSENT_VALUE;
	uint32_t n = 0;
	for (; row->params[n]; n++) {
		const struct sj_value *a = sj_value_get(&object, sj_slice_of(row->params[n]));
		list[n] = a ? *a : SJ_ABSENT_VALUE;
	}
	if (row->uses_locale) {
		const char *env[2] = {locale, zone};
		for (int i = 0; i < 2; i++) {
			list[n] = SJ_ABSENT_VALUE;
			if (env[i])
				CHECK_OK(sj_value_string(mem, sj_slice_of(env[i]), &list[n]));
			n++;
		}
	}
	struct sj_diag d = {0};
	struct sj_call c = {.mem = mem, .ctx = f->ctx, .args = list, .nargs = n, .diag = &d};
	enum sj_result r = f->eval(&c, &out);
	if (want[0] == '!') {
		CHECK_INT(r, SJ_R_ERROR);
		CHECK_INT(d.code, SJ_E_EXPRESSION_ERROR);
		CHECK_INT(d.category, SJ_CAT_EXPRESSION);
		if (!strstr(d.message, want + 1))
			sj_fail_at(__FILE__, __LINE__, "%s(%s): \"%s\" does not hold \"%s\"", name, args, d.message,
			           want + 1);
	} else if (sj_slice_is(sj_slice_of(want), "absent")) {
		CHECK_INT(r, SJ_R_ABSENT);
		CHECK_INT(out.type, SJ_V_ABSENT);
		CHECK_INT(d.code, SJ_E_NONE);
	} else {
		struct sj_buf text;
		sj_buf_init(&text, mem, 0);
		CHECK_INT(r, SJ_R_OK);
		CHECK_INT(d.code, SJ_E_NONE);
		sj_value_print(&text, &out, SJ_PRINT_COMPACT);
		if (!sj_slice_is(sj_buf_view(&text), want))
			sj_fail_at(__FILE__, __LINE__, "%s(%s): got %.*s, want %s", name, args,
			           SJ_ARG(sj_buf_view(&text)), want);
		sj_buf_finish(&text);
		sj_value_unref(mem, out);
	}
	if (row->uses_locale)
		for (uint32_t i = n - 2; i < n; i++)
			sj_value_unref(mem, list[i]);
	sj_value_unref(mem, object);
}

struct row_case {
	const char *name, *args, *want;
};

static void run_table(const struct row_case *cases, size_t n, enum sj_version v)
{
	struct sj_fn_table *t = new_table(NULL);
	for (size_t i = 0; i < n; i++) {
		sj_case("%s %s", cases[i].name, cases[i].args);
		if (sj_slice_is(sj_slice_of(cases[i].name), "regex") && !sj_regex_available())
			sj_skip("built without regular expressions");
		else
			call_row(t, v, cases[i].name, cases[i].args, NULL, NULL, cases[i].want);
		sj_case_end();
	}
	sj_fn_table_destroy(t);
}
#define RUN(table, v) run_table((table), sizeof(table) / sizeof *(table), (v))

static const struct row_case CHECKS[] = {
	{"required", "{}", "false"},
	{"required", "{\"value\":null}", "false"},
	{"required", "{\"value\":\"\"}", "false"},
	{"required", "{\"value\":[]}", "false"},
	{"required", "{\"value\":\" \"}", "true"},
	{"required", "{\"value\":0}", "true"},
	{"required", "{\"value\":false}", "true"},
	{"required", "{\"value\":{}}", "true"},
	{"required", "{\"value\":[null]}", "true"},
	{"required", "{\"value\":\"a text that is not short\"}", "true"},

	{"regex", "{\"value\":\"xabcx\",\"pattern\":\"abc\"}", "true"}, /* a search, not a match of the whole */
	{"regex", "{\"value\":\"ABC\",\"pattern\":\"abc\"}", "false"},
	{"regex", "{\"pattern\":\"^$\"}", "true"}, /* nothing there is the empty text a person sees */
	{"regex", "{\"pattern\":\"^[0-9]+$\"}", "false"},
	{"regex", "{\"value\":null,\"pattern\":\"null\"}", "false"},
	{"regex", "{\"value\":12345,\"pattern\":\"^[0-9]{5}$\"}", "true"},
	{"regex", "{\"value\":true,\"pattern\":\"^true$\"}", "true"},
	{"regex", "{\"value\":\"\xf0\x9f\x8c\x8d\",\"pattern\":\"^.$\"}", "true"},
	{"regex", "{\"value\":\"abc\"}", "false"},
	{"regex", "{\"value\":\"abc\",\"pattern\":\"[invalid(\"}", "!Invalid regex pattern '[invalid('"},
	{"regex", "{\"value\":\"abc\",\"pattern\":5}", "!'pattern' as a string"},
	{"regex", "{\"value\":[\"abc\"],\"pattern\":\"a\"}", "!'value' as text"},

	{"length", "{\"value\":\"\",\"min\":1}", "false"},
	{"length", "{\"min\":1}", "false"},
	{"length", "{\"max\":3}", "true"},
	{"length", "{\"value\":null,\"min\":0,\"max\":0}", "true"},
	{"length", "{\"value\":\"abc\",\"min\":3,\"max\":3}", "true"},
	{"length", "{\"value\":\"abcd\",\"max\":3}", "false"},
	{"length", "{\"value\":\"ab\",\"min\":3}", "false"},
	{"length", "{\"value\":\"\xc3\xa9\xc3\xa9\",\"max\":2}", "true"},
	{"length", "{\"value\":\"\xf0\x9f\x8c\x8d\",\"max\":1}", "false"}, /* two UTF-16 units */
	{"length", "{\"value\":\"\xf0\x9f\x8c\x8d\",\"min\":2,\"max\":2}", "true"},
	{"length", "{\"value\":[1,2,3],\"min\":3,\"max\":3}", "true"},
	{"length", "{\"value\":[],\"min\":1}", "false"},
	{"length", "{\"value\":12345,\"min\":5,\"max\":5}", "true"},
	{"length", "{\"value\":\"abc\"}", "true"},
	{"length", "{\"value\":\"abc\",\"max\":\"3\"}", "true"},
	{"length", "{\"value\":\"abc\",\"max\":\"x\"}", "!'max' as a number"},
	{"length", "{\"value\":\"abc\",\"min\":-1}", "!whole numbers, 0 or more"},
	{"length", "{\"value\":\"abc\",\"min\":1.5}", "!whole numbers, 0 or more"},
	{"length", "{\"value\":{\"a\":1},\"min\":1}", "!not as an object"},

	{"numeric", "{\"min\":0}", "false"},
	{"numeric", "{\"value\":null,\"min\":0}", "false"},
	{"numeric", "{\"value\":\"\",\"min\":0}", "false"},
	{"numeric", "{\"value\":0,\"min\":0,\"max\":0}", "true"},
	{"numeric", "{\"value\":\"-3\",\"min\":0}", "false"},
	{"numeric", "{\"value\":\" 7 \",\"min\":7,\"max\":7}", "true"},
	{"numeric", "{\"value\":\"1e2\",\"max\":100}", "true"},
	{"numeric", "{\"value\":\".5\",\"min\":0.5}", "true"},
	{"numeric", "{\"value\":\"12abc\",\"min\":0}", "false"},
	{"numeric", "{\"value\":\"0x1F\",\"min\":0}", "false"},
	{"numeric", "{\"value\":true,\"min\":0}", "false"},
	{"numeric", "{\"value\":[5],\"min\":0}", "false"},
	{"numeric", "{\"value\":100.001,\"max\":100}", "false"},
	{"numeric", "{\"value\":5}", "true"},
	{"numeric", "{\"value\":5,\"min\":null,\"max\":4}", "false"},
	{"numeric", "{\"value\":5,\"min\":\"a\"}", "!'min' as a number"},

	{"email", "{}", "false"},
	{"email", "{\"value\":\"\"}", "false"},
	{"email", "{\"value\":\"a@b.co\"}", "true"},
	{"email", "{\"value\":\"A.b+c%d_e-f@x-y.z.museum\"}", "true"},
	{"email", "{\"value\":\"a@b.c\"}", "false"},
	{"email", "{\"value\":\"a@.com\"}", "false"},
	{"email", "{\"value\":\"a@com\"}", "false"},
	{"email", "{\"value\":\"@b.co\"}", "false"},
	{"email", "{\"value\":\"a@\"}", "false"},
	{"email", "{\"value\":\"a@b.c0m\"}", "false"},
	{"email", "{\"value\":\"a@b..co\"}", "true"},
	{"email", "{\"value\":\"a@-.co\"}", "true"},
	{"email", "{\"value\":\"a b@c.de\"}", "false"},
	{"email", "{\"value\":\"a@b@c.de\"}", "false"},
	{"email", "{\"value\":\"a@b.co \"}", "false"},
	{"email", "{\"value\":\"a@b.co\\n\"}", "false"},
	{"email", "{\"value\":\"\xc3\xa9@b.co\"}", "false"},
	{"email", "{\"value\":5}", "false"},
	{"email", "{\"value\":[\"a@b.co\"]}", "!'value' as text"},

	{"and", "{}", "false"},
	{"and", "{\"values\":null}", "false"},
	{"and", "{\"values\":[1,\"a\",[],{},true]}", "true"},
	{"and", "{\"values\":[true,null]}", "false"},
	{"and", "{\"values\":[true,0]}", "false"},
	{"and", "{\"values\":[true,{\"valid\":false}]}", "true"}, /* before v1.0 an object is just true */
	{"and", "{\"values\":[]}", "!at least 2"},
	{"and", "{\"values\":true}", "!at least 2"},
	{"or", "{}", "false"},
	{"or", "{\"values\":[false,\"\",0,null]}", "false"},
	{"or", "{\"values\":[false,\"false\"]}", "true"},
	{"or", "{\"values\":[true]}", "!at least 2"},
	{"not", "{}", "true"},
	{"not", "{\"value\":null}", "true"},
	{"not", "{\"value\":\"false\"}", "false"},
	{"not", "{\"value\":[]}", "false"},
	{"not", "{\"value\":{\"valid\":false}}", "false"},
};
SJ_TEST(functions_checks) { RUN(CHECKS, SJ_V09); }

static const struct row_case CHECKS_V10[] = {
	{"and", "{\"values\":[{\"valid\":true},{\"valid\":true}]}", "true"},
	{"and", "{\"values\":[{\"valid\":true},{\"valid\":false}]}", "false"},
	{"and", "{\"values\":[{\"valid\":\"false\"},true]}", "true"}, /* no boolean: no ValidationResult */
	{"or", "{\"values\":[{\"valid\":false},false]}", "false"},
	{"or", "{\"values\":[{\"valid\":false},{\"valid\":true}]}", "true"},
	{"not", "{\"value\":{\"valid\":false}}", "true"},
	{"not", "{\"value\":{\"valid\":true}}", "false"},
	{"not", "{\"value\":{}}", "false"},
	{"email", "{\"value\":\"a@b.co\"}", "true"},
	{"email", "{\"value\":\"nobody\"}",
	 "{\"valid\":false,\"code\":\"INVALID_EMAIL\",\"message\":\"Please enter a valid email address (e.g. user@example.com).\","
	 "\"severity\":\"error\"}"},
	{"email", "{}",
	 "{\"valid\":false,\"code\":\"INVALID_EMAIL\",\"message\":\"Please enter a valid email address (e.g. user@example.com).\","
	 "\"severity\":\"error\"}"},
	{"required", "{}", "false"},
	{"numeric", "{\"value\":15,\"min\":18}", "false"},
};
SJ_TEST(functions_checks_v10) { RUN(CHECKS_V10, SJ_V10); }

/* Expected texts were taken from the reference client's formatters (en-US, UTC); where it differs, docs/functions.md
 * says how. */
static const struct row_case FORMATS[] = {
	{"formatNumber", "{}", "absent"},
	{"formatNumber", "{\"decimals\":2}", "absent"},
	{"formatNumber", "{\"value\":null}", "\"0\""},
	{"formatNumber", "{\"value\":\"\"}", "\"0\""},
	{"formatNumber", "{\"value\":0}", "\"0\""},
	{"formatNumber", "{\"value\":-1,\"decimals\":1}", "\"-1.0\""},
	{"formatNumber", "{\"value\":1234567.891}", "\"1,234,567.891\""},
	{"formatNumber", "{\"value\":1234.56789}", "\"1,234.568\""},
	{"formatNumber", "{\"value\":1234.567,\"grouping\":false}", "\"1234.567\""},
	{"formatNumber", "{\"value\":1234.567,\"grouping\":\"false\"}", "\"1234.567\""},
	{"formatNumber", "{\"value\":1234.567,\"grouping\":null}", "\"1,234.567\""},
	{"formatNumber", "{\"value\":1234.567,\"decimals\":null}", "\"1,234.567\""},
	{"formatNumber", "{\"value\":1234.567,\"decimals\":\"1\"}", "\"1,234.6\""},
	{"formatNumber", "{\"value\":1234.567,\"decimals\":2.7}", "\"1,234.57\""},
	{"formatNumber", "{\"value\":\"12.5\",\"decimals\":2}", "\"12.50\""},
	{"formatNumber", "{\"value\":\" 1e3 \"}", "\"1,000\""},
	{"formatNumber", "{\"value\":true}", "\"1\""},
	{"formatNumber", "{\"value\":1e21}", "\"1,000,000,000,000,000,000,000\""},
	{"formatNumber", "{\"value\":0.0001}", "\"0\""},
	{"formatNumber", "{\"value\":0.0001,\"decimals\":20}", "\"0.00010000000000000000\""},
	{"formatNumber", "{\"value\":\"abc\"}", "!'value' as a number"},
	{"formatNumber", "{\"value\":[1]}", "!'value' as a number"},
	{"formatNumber", "{\"value\":1,\"decimals\":-1}", "!between 0 and 100"},
	{"formatNumber", "{\"value\":1,\"decimals\":101}", "!between 0 and 100"},
	{"formatNumber", "{\"value\":1,\"decimals\":\"two\"}", "!'decimals' as a number"},

	{"formatCurrency", "{\"value\":1234.5,\"currency\":\"USD\"}", "\"$1,234.50\""},
	{"formatCurrency", "{\"value\":-5,\"currency\":\"USD\"}", "\"-$5.00\""},
	{"formatCurrency", "{\"value\":1234567.891,\"currency\":\"EUR\"}", "\"\xe2\x82\xac" "1,234,567.89\""},
	{"formatCurrency", "{\"value\":9900,\"currency\":\"KRW\"}", "\"\xe2\x82\xa9" "9,900\""},
	{"formatCurrency", "{\"value\":9900,\"currency\":\"JPY\",\"decimals\":2}", "\"\xc2\xa5" "9,900.00\""},
	{"formatCurrency", "{\"value\":1.5,\"currency\":\"KWD\"}", "\"KWD\xc2\xa0" "1.500\""},
	{"formatCurrency", "{\"value\":12,\"currency\":\"XYZ\"}", "\"XYZ\xc2\xa0" "12.00\""},
	{"formatCurrency", "{\"value\":12,\"currency\":\"usd\"}", "\"$12.00\""},
	{"formatCurrency", "{\"value\":1234.5,\"currency\":\"USD\",\"decimals\":3,\"grouping\":false}", "\"$1234.500\""},
	{"formatCurrency", "{\"value\":null,\"currency\":\"USD\"}", "\"$0.00\""},
	{"formatCurrency", "{\"currency\":\"USD\"}", "absent"},
	{"formatCurrency", "{\"value\":12}", "absent"},
	{"formatCurrency", "{\"value\":12,\"currency\":null}", "absent"},
	{"formatCurrency", "{\"value\":12,\"currency\":\"\"}", "absent"},
	{"formatCurrency", "{\"value\":12,\"currency\":\"US\"}", "!'US' is no ISO 4217"},
	{"formatCurrency", "{\"value\":12,\"currency\":5}", "!'currency' as a string"},
	{"formatCurrency", "{\"value\":\"abc\",\"currency\":\"USD\"}", "!'value' as a number"},

	{"formatDate", "{\"format\":\"yyyy\"}", "absent"},
	{"formatDate", "{\"value\":\"2026-09-04\"}", "absent"},
	{"formatDate", "{\"value\":null,\"format\":\"yyyy\"}", "\"\""},
	{"formatDate", "{\"value\":\"\",\"format\":\"yyyy\"}", "\"\""},
	{"formatDate", "{\"value\":\"soon\",\"format\":\"yyyy\"}", "\"\""},
	{"formatDate", "{\"value\":\"2026-09-04T12:00:00Z\",\"format\":\"MMM dd, yyyy\"}", "\"Sep 04, 2026\""},
	{"formatDate", "{\"value\":\"2026-09-04T14:30:00Z\",\"format\":\"h:mm a\"}", "\"2:30 PM\""},
	{"formatDate", "{\"value\":\"2026-01-16\",\"format\":\"EEEE, d MMMM\"}", "\"Friday, 16 January\""},
	{"formatDate", "{\"value\":\"2026-01-16\",\"format\":\"yy M d E\"}", "\"26 1 16 Fri\""},
	{"formatDate", "{\"value\":\"2026-01-02T03:04:05.678+09:00\",\"format\":\"ISO\"}", "\"2026-01-01T18:04:05.678Z\""},
	{"formatDate", "{\"value\":\"2026-01-02T03:04:05.678+09:00\",\"format\":\"d HH:mm:ss.SSS\"}", "\"1 18:04:05.678\""},
	{"formatDate", "{\"value\":\"2026-09-04\",\"format\":\"ISO\"}", "\"2026-09-04T00:00:00.000Z\""},
	{"formatDate", "{\"value\":\"2026-09-04T12:00\",\"format\":\"ISO\"}", "\"2026-09-04T12:00:00.000Z\""},
	{"formatDate", "{\"value\":1767225600000,\"format\":\"ISO\"}", "\"2026-01-01T00:00:00.000Z\""},
	{"formatDate", "{\"value\":0,\"format\":\"yyyy-MM-dd\"}", "\"1970-01-01\""},
	{"formatDate", "{\"value\":-1,\"format\":\"ISO\"}", "\"1969-12-31T23:59:59.999Z\""},
	{"formatDate", "{\"value\":1e17,\"format\":\"yyyy\"}", "\"\""},
	{"formatDate", "{\"value\":\"2026-02-30\",\"format\":\"ISO\"}", "\"\""},
	{"formatDate", "{\"value\":\"2025-02-29T10:00:00Z\",\"format\":\"d\"}", "\"\""},
	{"formatDate", "{\"value\":\"2024-02-29T10:00:00Z\",\"format\":\"d MMM\"}", "\"29 Feb\""},
	{"formatDate", "{\"value\":\"2026-09-04 12:05:00\",\"format\":\"HH:mm\"}", "\"12:05\""},
	{"formatDate", "{\"value\":\"2026-09\",\"format\":\"MMM yyyy\"}", "\"Sep 2026\""},
	{"formatDate", "{\"value\":\"2026\",\"format\":\"yyyy-MM-dd\"}", "\"2026-01-01\""},
	{"formatDate", "{\"value\":\"2026-13\",\"format\":\"MMM yyyy\"}", "\"\""},
	{"formatDate", "{\"value\":\"14:30\",\"format\":\"h:mm a\"}", "\"2:30 PM\""},
	{"formatDate", "{\"value\":\"14:30\",\"format\":\"'day' HH\"}", "\"day 14\""},
	{"formatDate", "{\"value\":\"14:30\",\"format\":\"d HH\"}", "\"\""},
	{"formatDate", "{\"value\":\"14:30\",\"format\":\"ISO\"}", "\"\""},
	{"formatDate", "{\"value\":\"2026-09-04\",\"format\":\"\"}", "\"\""},
	{"formatDate", "{\"value\":\"2026-09-04\",\"format\":\"foo\"}", "!'foo' is no date pattern"},
	{"formatDate", "{\"value\":\"2026-09-04\",\"format\":7}", "!'format' as a string"},
	{"formatDate", "{\"value\":true,\"format\":\"yyyy\"}", "!ISO 8601"},
	{"formatDate", "{\"value\":[2026],\"format\":\"yyyy\"}", "!ISO 8601"},

	{"pluralize", "{\"other\":\"items\"}", "absent"},
	{"pluralize", "{\"value\":5}", "absent"},
	{"pluralize", "{\"value\":1,\"one\":\"item\",\"other\":\"items\"}", "\"item\""},
	{"pluralize", "{\"value\":1.5,\"one\":\"item\",\"other\":\"items\"}", "\"items\""},
	{"pluralize", "{\"value\":0,\"one\":\"item\",\"other\":\"items\"}", "\"items\""},
	{"pluralize", "{\"value\":2,\"two\":\"a pair\",\"other\":\"items\"}", "\"a pair\""},
	{"pluralize", "{\"value\":2.5,\"two\":\"a pair\",\"other\":\"items\"}", "\"items\""},
	{"pluralize", "{\"value\":-1,\"one\":\"item\",\"other\":\"items\"}", "\"item\""},
	{"pluralize", "{\"value\":0,\"zero\":\"\",\"other\":\"items\"}", "\"\""},
	{"pluralize", "{\"value\":0,\"zero\":null,\"other\":\"items\"}", "\"items\""},
	{"pluralize", "{\"value\":\"1\",\"one\":\"item\",\"other\":\"items\"}", "\"item\""},
	{"pluralize", "{\"value\":null,\"zero\":\"none\",\"other\":\"items\"}", "\"none\""},
	{"pluralize", "{\"value\":3,\"few\":\"few\",\"many\":\"many\",\"other\":\"a text that is not short\"}",
	 "\"a text that is not short\""},
	{"pluralize", "{\"value\":3,\"other\":7}", "\"7\""},
	{"pluralize", "{\"value\":\"x\",\"other\":\"items\"}", "!'value' as a number"},
	{"pluralize", "{\"value\":3,\"other\":[1]}", "!forms as text"},

	{"capitalize", "{}", "absent"},
	{"capitalize", "{\"value\":null}", "\"\""},
	{"capitalize", "{\"value\":\"\"}", "\"\""},
	{"capitalize", "{\"value\":\"hello world\"}", "\"Hello world\""},
	{"capitalize", "{\"value\":\"Hello\"}", "\"Hello\""},
	{"capitalize", "{\"value\":\"\xc3\xa9t\xc3\xa9\"}", "\"\xc3\x89t\xc3\xa9\""},
	{"capitalize", "{\"value\":\"\xd0\xb6\xd1\x83\xd0\xba\"}", "\"\xd0\x96\xd1\x83\xd0\xba\""},
	{"capitalize", "{\"value\":\"\xcf\x83x\"}", "\"\xce\xa3x\""},
	{"capitalize", "{\"value\":\"\xc7\xa7x\"}", "\"\xc7\xa6x\""},
	{"capitalize", "{\"value\":\"\xc3\xb7\"}", "\"\xc3\xb7\""},
	{"capitalize", "{\"value\":\"\xe5\x90\x8d\"}", "\"\xe5\x90\x8d\""},
	{"capitalize", "{\"value\":true}", "\"True\""},
	{"capitalize", "{\"value\":12}", "\"12\""},
	{"capitalize", "{\"value\":[]}", "!'value' as text"},

	/* A template that is itself computed is data: shown, never read. */
	{"formatString", "{}", "absent"},
	{"formatString", "{\"value\":null}", "\"\""},
	{"formatString", "{\"value\":\"costs $5 {net}\"}", "\"costs $5 {net}\""},
	{"formatString", "{\"value\":\"Hi ${/name} \\\\${x} ${\"}", "\"Hi ${/name} \\\\${x} ${\""},
	{"formatString", "{\"value\":1.5}", "\"1.5\""},
	{"formatString", "{\"value\":[1,\"a\"]}", "\"[1,\\\"a\\\"]\""},
};
SJ_TEST(functions_formats) { RUN(FORMATS, SJ_V09); }

/* Every row, nothing there at all: no error, and nothing that looks like data. */
SJ_TEST(functions_absent)
{
	struct sj_fn_table *t = new_table(NULL);
	for (uint32_t i = 0; i < SJ_FN_COUNT; i++) {
		const struct sj_fn_row *row = &t->rows[i];
		for (int v10 = 0; v10 < 2 && row->kind == SJ_FN_PURE; v10++) {
			struct sj_diag d = {0};
			struct sj_value out = SJ_ABSENT_VALUE;
			struct sj_call c = {.mem = sj_test_mem(), .ctx = t, .diag = &d};
			sj_case("%s %s", row->name, v10 ? "v1.0" : "v0.9");
			enum sj_result r = (v10 ? row->fn_v10 : row->fn_v09).eval(&c, &out);
			CHECK(r == SJ_R_OK || r == SJ_R_ABSENT);
			CHECK(r == SJ_R_ABSENT ? out.type == SJ_V_ABSENT
			                       : sj_a2ui_truthy_v10(&out) == sj_slice_is(sj_slice_of(row->name), "not")
			                                 || sj_slice_is(sj_slice_of(row->name), "length"));
			CHECK_INT(d.code, SJ_E_NONE);
			sj_value_unref(sj_test_mem(), out);
			sj_case_end();
		}
	}
	sj_fn_table_destroy(t);
}

/* ---- direct evaluation ------------------------------------------------------------------------------------------- */

static const struct {
	const char *name, *args, *want;
	enum sj_category category;
} DIRECT[] = {
	{"formatString", "{\"value\":\"a ${/missing} b ${x}c\"}", "\"a  b c\"", SJ_CAT_NONE},
	{"formatString", "{\"value\":\"${true} ${null}|${007}|${'x'}\"}", "\"true |7|x\"", SJ_CAT_NONE},
	{"formatString", "{\"value\":\"${and(values: x)}\"}", "\"false\"", SJ_CAT_NONE},
	{"formatString",
         "{\"value\":\"${formatCurrency(value: 5, currency: 'USD')} ${pluralize(value: 1, one: capitalize(value: 'item'), other: 'n')}\"}",
         "\"$5.00 Item\"", SJ_CAT_NONE},
	{"formatString", "{\"value\":\"${formatString(value: 'a${b}')}\"}", "\"a\"", SJ_CAT_NONE},
	{"formatString", "{\"value\":\"${formatString(value: capitalize(value: 'a${b}'))}\"}", "\"A${b}\"", SJ_CAT_NONE},
	{"formatString", "{\"value\":\"${formatString(value: 'a\\\\\\\\${b}')}\"}", "\"a${b}\"", SJ_CAT_NONE},
	{"formatString", "{\"value\":\"${formatNumber(value: /n)}!\"}", "\"!\"", SJ_CAT_NONE},
	{"formatString", "{\"value\":\"${email(value: 'x')}\"}", "\"false\"", SJ_CAT_NONE},
	{"formatString", "{\"value\":\"${x\"}", "!Unclosed interpolation", SJ_CAT_PARSE},
	{"formatString", "{\"value\":\"${nosuch()}\"}", "!Unrecognized function 'nosuch'", SJ_CAT_EXPRESSION},
	{"formatString", "{\"value\":\"${formatNumber(value: 'abc')}\"}", "!'value' as a number", SJ_CAT_EXPRESSION},
	{"formatString", "{\"value\":\"${formatNumber(amount: 1)}\"}", "!has no argument 'amount'", SJ_CAT_EXPRESSION},
	{"formatString", "{\"value\":\"${formatNumber()}\"}", "!needs the argument 'value'", SJ_CAT_EXPRESSION},
	{"formatString", "{\"value\":\"${openUrl(url: 'https://a.example')}\"}", "!never runs inside a value",
         SJ_CAT_EXPRESSION},
	{"formatString", "{\"value\":\"${@index()}\"}",
         "!@index function can only be evaluated inside a collection template iteration scope.", SJ_CAT_VALIDATION},
	{"formatString", "{}", "!needs the argument 'value'", SJ_CAT_EXPRESSION},
	{"required", "{}", "false", SJ_CAT_NONE},
	{"regex", "{\"value\":\"a\"}", "!needs the argument 'pattern'", SJ_CAT_EXPRESSION},
	{"pluralize", "{\"value\":1}", "!needs the argument 'other'", SJ_CAT_EXPRESSION},
	{"email", "{\"value\":\"x\"}", "false", SJ_CAT_NONE},
	{"email", "{\"value\":\"x@example.org\"}", "true", SJ_CAT_NONE},
	{"openUrl", "{\"url\":\"https://example.org/a?b#c\"}", "null", SJ_CAT_NONE},
	{"openUrl", "{\"url\":\"data:text/html,x\"}", "!Unsupported URL scheme", SJ_CAT_EXPRESSION},
	{"openUrl", "{\"url\":7}", "!a string", SJ_CAT_EXPRESSION},
	{"openUrl", "{}", "!a string", SJ_CAT_EXPRESSION},
	{"nosuch", "{}", "!Unrecognized function 'nosuch'", SJ_CAT_EXPRESSION},
};

SJ_TEST(functions_direct)
{
	struct sj_fn_table *t = new_table(NULL);
	for (size_t i = 0; i < sizeof DIRECT / sizeof *DIRECT; i++) {
		for (int v10 = 0; v10 < 2; v10++) {
			struct sj_value args = read_json(sj_slice_of(DIRECT[i].args)), out = SJ_ABSENT_VALUE;
			struct sj_diag d = {0};
			const char *want = DIRECT[i].want;
			sj_case("%s %s %s", v10 ? "v1.0" : "v0.9", DIRECT[i].name, DIRECT[i].args);
			enum sj_result r = sj_fn_evaluate(t, sj_test_mem(), v10 ? SJ_V10 : SJ_V09,
			                                  sj_slice_of(DIRECT[i].name), &args, &out, &d);
			CHECK_INT(d.category, DIRECT[i].category);
			if (want[0] == '!') {
				CHECK_INT(r, SJ_R_ERROR);
				if (!strstr(d.message, want + 1))
					sj_fail_at(__FILE__, __LINE__, "\"%s\" does not hold \"%s\"", d.message,
					           want + 1);
			} else if (sj_slice_is(sj_slice_of(DIRECT[i].args), "{\"value\":\"${email(value: 'x')}\"}") &&
			           v10) {
				CHECK_INT(r, SJ_R_OK); /* inside text a ValidationResult is what it is: an object */
				CHECK(sj_slice_starts(sj_value_text(&out), "{\"valid\":false"));
			} else {
				struct sj_buf text;
				sj_buf_init(&text, sj_test_mem(), 0);
				CHECK_INT(r, SJ_R_OK);
				sj_value_print(&text, &out, SJ_PRINT_COMPACT);
				CHECK_STR(sj_buf_view(&text), want);
				sj_buf_finish(&text);
			}
			sj_case_end();
			sj_value_unref(sj_test_mem(), out);
			sj_value_unref(sj_test_mem(), args);
		}
	}
	sj_fn_table_destroy(t);
}

/* formatString is text that makes text: it may not dig itself in. */
SJ_TEST(functions_template_nesting)
{
	struct sj_fn_table *t = new_table(NULL);
	struct sj_buf text, next;
	sj_buf_init(&text, sj_test_mem(), 0);
	sj_buf_init(&next, sj_test_mem(), 0);
	sj_buf_puts(&text, "${1}");
	for (int depth = 1; depth <= 6; depth++) {
		struct sj_value args, out = SJ_ABSENT_VALUE, s;
		struct sj_diag d = {0};
		CHECK_OK(sj_value_object(sj_test_mem(), &args));
		CHECK_OK(sj_value_string(sj_test_mem(), sj_buf_view(&text), &s));
		CHECK_OK(sj_value_set(sj_test_mem(), &args, SJ_LIT("value"), s));
		enum sj_result r = sj_fn_evaluate(t, sj_test_mem(), SJ_V09, SJ_LIT("formatString"), &args, &out, &d);
		CHECK_INT(r, depth <= 4 ? SJ_R_OK : SJ_R_ERROR);
		if (r == SJ_R_OK)
			CHECK_STR(sj_value_text(&out), "1");
		else
			CHECK(strstr(d.message, "formatString inside formatString") != NULL);
		sj_value_unref(sj_test_mem(), out);
		sj_value_unref(sj_test_mem(), args);
		sj_buf_clear(&next);
		sj_buf_puts(&next, "${formatString(value: '");
		for (size_t i = 0; i < text.len; i++) {
			if (text.ptr[i] == '\'' || text.ptr[i] == '\\')
				sj_buf_putc(&next, '\\');
			sj_buf_putc(&next, text.ptr[i]);
		}
		sj_buf_puts(&next, "')}");
		sj_buf_clear(&text);
		sj_buf_slice(&text, sj_buf_view(&next));
	}
	sj_buf_finish(&text);
	sj_buf_finish(&next);
	sj_fn_table_destroy(t);
}

/* ---- the table itself -------------------------------------------------------------------------------------------- */

SJ_TEST(functions_lookup)
{
	struct sj_fn_table *t = new_table(NULL);
	for (uint32_t i = 0; i < SJ_FN_COUNT; i++) {
		const char *name = t->rows[i].name;
		if (i)
			CHECK(sj_slice_cmp(sj_slice_of(t->rows[i - 1].name), sj_slice_of(name)) < 0);
		CHECK(sj_fn_find(t, sj_slice_of(name)) == &t->rows[i]);
		CHECK(sj_fn_impl(t, SJ_V091, sj_slice_of(name)) == &t->rows[i].fn_v09);
		CHECK(sj_fn_impl(t, SJ_V10, sj_slice_of(name)) == &t->rows[i].fn_v10);
		CHECK((t->rows[i].kind == SJ_FN_PURE) == (t->rows[i].fn_v09.eval != NULL));
	}
	CHECK(sj_fn_find(t, SJ_LIT("")) == NULL);
	CHECK(sj_fn_find(t, SJ_LIT("zzz")) == NULL);
	CHECK(sj_fn_find(t, SJ_LIT("format")) == NULL);
	CHECK(sj_fn_impl(t, SJ_V09, SJ_LIT("Required")) == NULL);
	CHECK_INT(sj_fn_find(t, SJ_LIT("openUrl"))->kind, SJ_FN_EFFECT);
	sj_fn_table_destroy(t);
	sj_fn_table_destroy(NULL);
}

/* docs/functions.md has a row per function, beginning with its name and its arguments. */
SJ_TEST(functions_documented)
{
	struct sj_slice doc = sj_slurp(sj_root("docs/functions.md"));
	struct sj_fn_table *t = new_table(NULL);
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	CHECK(doc.len > 0);
	for (uint32_t i = 0; i < SJ_FN_COUNT && doc.len; i++) {
		const struct sj_fn_row *row = &t->rows[i];
		sj_buf_clear(&b);
		sj_buf_printf(&b, "\n| `%s` | ", row->name);
		for (uint32_t k = 0; row->params[k]; k++)
			sj_buf_printf(&b, "%s`%s`%s", k ? ", " : "", row->params[k],
			              sj_fn_source(row)->required & 1u << k || row->params[1] == NULL ? "" : "?");
		sj_buf_puts(&b, " |");
		sj_case("%s", row->name);
		if (!strstr(doc.ptr, b.ptr))
			sj_fail_at(__FILE__, __LINE__, "no row begins \"%s\"", b.ptr + 1);
		sj_case_end();
	}
	uint32_t rows = 0;
	for (const char *at = doc.ptr; at && (at = strstr(at, "\n| `")); at++)
		rows++;
	CHECK_INT(rows, SJ_FN_COUNT);
	sj_buf_finish(&b);
	sj_fn_table_destroy(t);
}

/* ---- locales ----------------------------------------------------------------------------------------------------- */

static enum sj_status say(const char *what, const char *locale, const char *zone, struct sj_buf *out)
{
	sj_buf_printf(out, "%s/%s/%s", what, locale, zone);
	return sj_buf_status(out);
}
static enum sj_status cy_number(void *ctx, const char *locale, double v, int decimals, bool grouping,
                                struct sj_buf *out)
{
	(void)ctx, (void)v;
	sj_buf_printf(out, "%d%s ", decimals, grouping ? "g" : "");
	return say("number", locale, "", out);
}
static enum sj_status cy_currency(void *ctx, const char *locale, double v, struct sj_slice code, int decimals,
                                  bool grouping, struct sj_buf *out)
{
	(void)ctx, (void)v, (void)code, (void)decimals, (void)grouping;
	return say("currency", locale, "", out);
}
static enum sj_status cy_date(void *ctx, const char *locale, const char *tz, const struct sj_moment *when,
                              struct sj_slice pattern, struct sj_buf *out)
{
	(void)ctx, (void)when;
	if (sj_slice_is(pattern, "xxx")) /* a place seven hours west, but for half an hour */
		sj_buf_puts(out, "-06:30");
	else
		say("date", locale, tz, out);
	return sj_buf_status(out);
}
/* Welsh: six categories, each with its own rule. */
static enum sj_plural cy_plural(void *ctx, const char *locale, double v)
{
	(void)ctx, (void)locale;
	return v == 0   ? SJ_PLURAL_ZERO
	       : v == 1 ? SJ_PLURAL_ONE
	       : v == 2 ? SJ_PLURAL_TWO
	       : v == 3 ? SJ_PLURAL_FEW
	       : v == 6 ? SJ_PLURAL_MANY
	                : SJ_PLURAL_OTHER;
}
static bool cy_supports(void *ctx, const char *locale)
{
	(void)ctx;
	return sj_slice_is(sj_slice_of(locale), "cy");
}
static const struct sj_locale_ops CY = {"cy", cy_number, cy_currency, cy_date, cy_plural, cy_supports, NULL};

SJ_TEST(functions_locale)
{
	const struct sj_locales locales = {&CY};
	struct sj_fn_table *t = new_table(&locales);
	static const char FORMS[] = "\"zero\":\"cathod\",\"one\":\"gath\",\"two\":\"gathod\",\"few\":\"cath\",\"many\":\"chath\",\"other\":\"arall\"}";
	static const char *const want[] = {"\"cathod\"", "\"gath\"",  "\"gathod\"", "\"cath\"",
	                                   "\"arall\"",  "\"arall\"", "\"chath\""};
	for (int i = 0; i < 7; i++) {
		char args[200];
		snprintf(args, sizeof args, "{\"value\":%d,%s", i, FORMS);
		call_row(t, SJ_V09, "pluralize", args, "cy", NULL, want[i]);
	}
	call_row(t, SJ_V09, "pluralize", "{\"value\":3,\"few\":\"few\",\"other\":\"other\"}", "en", NULL, "\"other\"");
	call_row(t, SJ_V09, "formatNumber", "{\"value\":1}", "cy", NULL, "\"-1g number/cy/\"");
	call_row(t, SJ_V09, "formatNumber", "{\"value\":1,\"decimals\":3,\"grouping\":false}", "cy", NULL,
	         "\"3 number/cy/\"");
	call_row(t, SJ_V09, "formatNumber", "{\"value\":1}", "de", NULL, "\"1\""); /* no provider: en answers */
	call_row(t, SJ_V09, "formatNumber", "{\"value\":1}",
	         "cy-and-then-a-great-many-subtags-that-no-locale-has-in-any-standard-of-this-world", NULL, "\"1\"");
	call_row(t, SJ_V09, "formatCurrency", "{\"value\":1,\"currency\":\"GBP\"}", "cy", NULL, "\"currency/cy/\"");
	call_row(t, SJ_V09, "formatDate", "{\"value\":\"2026-09-04\",\"format\":\"d\"}", "cy", "Europe/London",
	         "\"date/cy/Europe/London\"");
	call_row(t, SJ_V09, "formatDate", "{\"value\":\"2026-09-04\",\"format\":\"d\"}", "cy", NULL, "\"date/cy/UTC\"");
	/* A time without a zone is the zone's: ISO needs its distance from UTC, which the provider knows. */
	call_row(t, SJ_V09, "formatDate", "{\"value\":\"2026-09-04T20:00\",\"format\":\"ISO\"}", "cy", "Far/West",
	         "\"2026-09-05T02:30:00.000Z\"");
	call_row(t, SJ_V09, "formatDate", "{\"value\":\"2026-09-04T20:00\",\"format\":\"ISO\"}", "en", "+09:00",
	         "\"2026-09-04T11:00:00.000Z\"");
	call_row(t, SJ_V09, "formatDate", "{\"value\":\"2026-09-04T20:00Z\",\"format\":\"ISO\"}", "en", "+09:00",
	         "\"2026-09-04T20:00:00.000Z\"");
	call_row(t, SJ_V09, "formatDate", "{\"value\":\"2026-09-04T20:00Z\",\"format\":\"d HH:mm\"}", "en", "+09:00",
	         "\"5 05:00\"");
	call_row(t, SJ_V09, "formatDate", "{\"value\":\"2026-09-04\",\"format\":\"ISO\"}", "en", "+09:00",
	         "\"2026-09-04T00:00:00.000Z\"");
	sj_fn_table_destroy(t);
}

/* ---- regex cache ------------------------------------------------------------------------------------------------- */

static bool search(struct sj_fn_table *t, const char *pattern, const char *text, enum sj_status want)
{
	bool found = false;
	struct sj_diag d = {0};
	CHECK_INT(sj_fn_regexes_search(&t->regexes, sj_slice_of(pattern), sj_slice_of(text), &found, &d), want);
	CHECK_INT(d.category, want == SJ_OK ? SJ_CAT_NONE : SJ_CAT_EXPRESSION);
	return found;
}

SJ_TEST(functions_regex_cache)
{
	if (!sj_regex_available()) {
		sj_skip("built without regular expressions");
		return;
	}
	struct sj_fn_table *t = new_table(NULL);
	char pattern[16];
	for (int i = 0; i < SJ_FN_REGEXES; i++) {
		snprintf(pattern, sizeof pattern, "^a%d$", i);
		CHECK(search(t, pattern, pattern, SJ_OK) == false);
		CHECK_INT(t->regexes.compilations, i + 1);
	}
	CHECK(search(t, "^a0$", "a0", SJ_OK));
	CHECK_INT(t->regexes.compilations, SJ_FN_REGEXES);
	CHECK(search(t, "new", "a new one", SJ_OK)); /* takes the place of ^a1$, now the oldest */
	CHECK_INT(t->regexes.compilations, SJ_FN_REGEXES + 1);
	CHECK(search(t, "^a0$", "a0", SJ_OK));
	CHECK(search(t, "^a2$", "a2", SJ_OK));
	CHECK_INT(t->regexes.compilations, SJ_FN_REGEXES + 1);
	CHECK(search(t, "^a1$", "a1", SJ_OK));
	CHECK_INT(t->regexes.compilations, SJ_FN_REGEXES + 2);
	/* A bad pattern is remembered as well. */
	search(t, "(", "x", SJ_INVALID);
	search(t, "(", "y", SJ_INVALID);
	CHECK_INT(t->regexes.compilations, SJ_FN_REGEXES + 3);
	sj_fn_table_destroy(t);
}

SJ_TEST(functions_regex_bounds)
{
	if (!sj_regex_available()) {
		sj_skip("built without regular expressions");
		return;
	}
	struct sj_fn_table *t = new_table(NULL);
	struct sj_buf b;
	bool found;
	struct sj_diag d = {0};
	sj_buf_init(&b, sj_test_mem(), 0);
	for (uint32_t i = 0; i <= SJ_LIMITS_DEFAULT.regex_pattern; i++)
		sj_buf_putc(&b, 'a');
	CHECK_INT(sj_fn_regexes_search(&t->regexes, sj_buf_view(&b), SJ_LIT("a"), &found, &d), SJ_LIMIT);
	CHECK(strstr(d.message, "longer than 1000 bytes") != NULL);
	CHECK_INT(t->regexes.compilations, 0);
	/* The classic that takes 2^n steps gives up, and says so. */
	sj_diag_clear(&d);
	CHECK_INT(sj_fn_regexes_search(&t->regexes, SJ_LIT("^(a+)+$"),
	                               SJ_LIT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"), &found, &d),
	          SJ_LIMIT);
	CHECK(strstr(d.message, "gave no answer") != NULL);
	CHECK_INT(d.category, SJ_CAT_EXPRESSION);
	sj_buf_finish(&b);
	sj_fn_table_destroy(t);
}

/* Patterns that each stay below the limit of one search must not stand still together. */
SJ_TEST(functions_regex_turn)
{
	if (!sj_regex_available()) {
		sj_skip("built without regular expressions");
		return;
	}
	struct sj_limits limits = SJ_LIMITS_DEFAULT;
	limits.regex_steps = 2000;
	struct sj_fn_table *t = NULL;
	CHECK_INT(sj_fn_table_create(sj_test_mem(), &limits, NULL, &t), SJ_OK);
	static const char pattern[] = "^(a+)+$", text[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!";
	struct sj_diag d = {0};
	uint32_t tried = 0;
	bool found;
	for (uint32_t i = 0; i < 4 * SJ_FN_TURN && !strstr(d.message, "was not tried"); i++) {
		sj_diag_clear(&d);
		CHECK_INT(sj_fn_regexes_search(&t->regexes, sj_slice_of(pattern), sj_slice_of(text), &found, &d),
		          SJ_LIMIT);
		tried++;
	}
	/* 200 times 2,000 steps, at 2,000 and 16 for each byte of the text a search, and what compiling took. */
	CHECK_INT(tried, 1 + (200 * 2000 - 16 * 7 + 2000 + 16 * 47 - 1) / (2000 + 16 * 47));
	CHECK_INT(d.code, SJ_E_EXPRESSION_ERROR);
	/* Even a simple one waits for the next turn, or belongs to somebody else. */
	search(t, "^a$", "a", SJ_LIMIT);
	sj_fn_regexes_own(&t->regexes, t);
	CHECK(search(t, "^a$", "a", SJ_OK));
	t->regexes.left = 0;
	search(t, "^a$", "a", SJ_LIMIT);
	sj_fn_table_turn(t);
	CHECK(search(t, "^a$", "a", SJ_OK));
	sj_fn_table_destroy(t);
}

/* ---- out of memory ----------------------------------------------------------------------------------------------- */

static enum sj_status evaluate_all(struct sj_mem *mem, void *ctx)
{
	static const char *const cases[][2] = {
		{"formatNumber", "{\"value\":1234567.25,\"decimals\":30}"},
		{"formatCurrency", "{\"value\":123456789.5,\"currency\":\"XYZ\"}"},
		{"formatDate", "{\"value\":\"2026-09-04T12:00\",\"format\":\"ISO\"}"},
		{"formatDate", "{\"value\":\"2026-09-04T12:00Z\",\"format\":\"EEEE, d MMMM yyyy\"}"},
		{"pluralize", "{\"value\":5,\"other\":123456789012345680000}"},
		{"capitalize", "{\"value\":\"a rather long line of text\"}"},
		{"email", "{\"value\":\"nobody\"}"},
		{"regex", "{\"value\":12,\"pattern\":\"^[a-z]+x?$\"}"},
		{"regex", "{\"value\":12,\"pattern\":\"[\"}"},
		{"formatString", "{\"value\":\"a ${formatNumber(value: 12345678.25, decimals: 12)} b ${pluralize(value: 1, other: capitalize(value: 'some longer text here'))}\"}"},
	};
	(void)ctx;
	struct sj_fn_table *t = NULL;
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	enum sj_status s = sj_fn_table_create(mem, &SJ_LIMITS_DEFAULT, NULL, &t);
	for (size_t i = 0; s == SJ_OK && i < sizeof cases / sizeof *cases; i++) {
		struct sj_value args = SJ_ABSENT_VALUE, out = SJ_ABSENT_VALUE;
		struct sj_diag d = {0};
		s = sj_value_parse(mem, &opt, sj_slice_of(cases[i][1]), &args, NULL);
		if (s == SJ_OK &&
		    sj_fn_evaluate(t, mem, SJ_V10, sj_slice_of(cases[i][0]), &args, &out, &d) == SJ_R_ERROR &&
		    d.code == SJ_E_NOMEM)
			s = SJ_NOMEM;
		sj_value_unref(mem, out);
		sj_value_unref(mem, args);
	}
	sj_fn_table_destroy(t);
	return s;
}

SJ_TEST(functions_out_of_memory) { sj_torture(evaluate_all, NULL); }

/* A formatter that has run before allocates its output and nothing else. */
SJ_TEST(functions_allocate_only_output)
{
	struct sj_mem *mem = sj_test_mem();
	struct sj_fn_table *t = new_table(NULL);
	static const char *const cases[][2] = {
		{"formatNumber", "{\"value\":1234.5}"},
		{"formatNumber", "{\"value\":123456789012.5}"},
		{"formatCurrency", "{\"value\":1234.5,\"currency\":\"USD\"}"},
		{"formatDate", "{\"value\":\"2026-09-04T12:00Z\",\"format\":\"EEEE, d MMMM yyyy\"}"},
		{"pluralize", "{\"value\":5,\"other\":\"a text that is not short\"}"},
		{"numeric", "{\"value\":\"12\",\"min\":1}"},
		{"regex", "{\"value\":\"12\",\"pattern\":\"^[0-9]+$\"}"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (sj_slice_is(sj_slice_of(cases[i][0]), "regex") && !sj_regex_available())
			continue;
		struct sj_value args = read_json(sj_slice_of(cases[i][1])), out = SJ_ABSENT_VALUE;
		for (int round = 0; round < 2; round++) {
			struct sj_diag d = {0};
			uint64_t calls = mem->calls;
			CHECK_INT(sj_fn_evaluate(t, mem, SJ_V09, sj_slice_of(cases[i][0]), &args, &out, &d), SJ_R_OK);
			bool shares = sj_slice_is(sj_slice_of(cases[i][0]), "pluralize");
			if (round == 1 && mem->calls - calls != (out.type == SJ_V_STRING && !shares ? 1 : 0))
				sj_fail_at(__FILE__, __LINE__, "%s: %llu allocations", cases[i][1],
				           (unsigned long long)(mem->calls - calls));
			sj_value_unref(mem, out);
		}
		sj_value_unref(mem, args);
	}
	sj_fn_table_destroy(t);
}
