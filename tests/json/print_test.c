#include <math.h>

#include "harness/random.h"
#include "json/random_json.h"
#include "json/text.h"

static void check_string(const char *text, size_t len, const char *want)
{
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 0);
	sj_json_print_string(&out, sj_slice(text, len));
	CHECK_STR(sj_buf_view(&out), want);
	sj_buf_finish(&out);
}

SJ_TEST(strings)
{
	check_string("", 0, "\"\"");
	check_string("plain", 5, "\"plain\"");
	check_string("\"\\/\b\f\n\r\t", 8, "\"\\\"\\\\/\\b\\f\\n\\r\\t\"");
	check_string("\0\x1F\x7F", 3, "\"\\u0000\\u001f\x7F\"");
	check_string("\xC3\xA9\xE2\x80\xA8\xF0\x9F\x98\x80", 9, "\"\xC3\xA9\xE2\x80\xA8\xF0\x9F\x98\x80\"");
	check_string("a\xED\xA0\xBDz", 5, "\"a\\ud83dz\""); /* a lone surrogate */
	check_string("\xED\xB8\x80", 3, "\"\\ude00\"");
	check_string("a\xFFz\xC3", 4, "\"a\xEF\xBF\xBDz\xEF\xBF\xBD\""); /* not UTF-8 */
	check_string("\xED\x9F\xBF\xEE\x80\x80", 6, "\"\xED\x9F\xBF\xEE\x80\x80\"");
}

SJ_TEST(pretty)
{
	struct sj_value v = value_of("{\"b\":[1,[],{\"x\":null}],\"a\":{}}");
	check_print(__FILE__, __LINE__, &v, SJ_PRINT_PRETTY,
	            "{\n  \"b\": [\n    1,\n    [],\n    {\n      \"x\": null\n    }\n  ],\n  \"a\": {}\n}");
	check_print(__FILE__, __LINE__, &v, SJ_PRINT_PRETTY | SJ_PRINT_SORTED,
	            "{\n  \"a\": {},\n  \"b\": [\n    1,\n    [],\n    {\n      \"x\": null\n    }\n  ]\n}");
	drop(v);
	v = value_of("\"scalar\"");
	check_print(__FILE__, __LINE__, &v, SJ_PRINT_PRETTY, "\"scalar\"");
}

SJ_TEST(orders)
{
	/* U+1F600 sorts after U+FB33 by code point, before it by UTF-16 units (D83D). */
	struct sj_value v = value_of("{\"\xEF\xAC\xB3\":1,\"\xF0\x9F\x98\x80\":2,\"b\":{\"d\":3,\"c\":4},\"a\":5,\"\":6}");
	CHECK_VALUE(&v, "{\"\xEF\xAC\xB3\":1,\"\xF0\x9F\x98\x80\":2,\"b\":{\"d\":3,\"c\":4},\"a\":5,\"\":6}");
	check_print(__FILE__, __LINE__, &v, SJ_PRINT_SORTED,
	            "{\"\":6,\"a\":5,\"b\":{\"c\":4,\"d\":3},\"\xEF\xAC\xB3\":1,\"\xF0\x9F\x98\x80\":2}");
	check_print(__FILE__, __LINE__, &v, SJ_PRINT_UTF16,
	            "{\"\":6,\"a\":5,\"b\":{\"c\":4,\"d\":3},\"\xF0\x9F\x98\x80\":2,\"\xEF\xAC\xB3\":1}");
	drop(v);
}

static void check_canonical(const char *text, const char *want)
{
	struct sj_value v = value_of(text);
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 0);
	sj_value_canonical(&out, &v);
	CHECK_OK(sj_buf_status(&out));
	CHECK_STR(sj_buf_view(&out), want);
	sj_buf_finish(&out);
	drop(v);
}

SJ_TEST(canonical_form)
{
	/* The examples of RFC 8785, sections 3.2.2 and 3.2.3. */
	check_canonical("{\"numbers\":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"
	                "\"string\":\"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\",\"literals\":[null,true,false]}",
	                "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
	                "\"string\":\"\xE2\x82\xAC$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
	check_canonical("{\"\\u20ac\":\"Euro Sign\",\"\\r\":\"Carriage Return\",\"\\ufb33\":\"Hebrew Letter Dalet With Dagesh\","
	                "\"1\":\"One\",\"\\ud83d\\ude00\":\"Emoji: Grinning Face\",\"\\u0080\":\"Control\","
	                "\"\\u00f6\":\"Latin Small Letter O With Diaeresis\"}",
	                "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\xC2\x80\":\"Control\","
	                "\"\xC3\xB6\":\"Latin Small Letter O With Diaeresis\",\"\xE2\x82\xAC\":\"Euro Sign\","
	                "\"\xF0\x9F\x98\x80\":\"Emoji: Grinning Face\",\"\xEF\xAC\xB3\":\"Hebrew Letter Dalet With Dagesh\"}");
}

SJ_TEST(infinities)
{
	struct sj_value v = sj_value_number(-(double)INFINITY);
	struct sj_buf out;
	CHECK_VALUE(&v, "-1e999"); /* reads back as it was */
	sj_buf_init(&out, sj_test_mem(), 0);
	sj_value_canonical(&out, &v);
	CHECK_INT(sj_buf_status(&out), SJ_INVALID);
	sj_buf_finish(&out);
}

SJ_TEST(failures_stick)
{
	struct sj_value v = value_of("[[[[1,2,3,4,5,6,7,8]]]]");
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 10);
	sj_value_print(&out, &v, SJ_PRINT_COMPACT);
	CHECK_INT(sj_buf_status(&out), SJ_LIMIT);
	CHECK_STR(sj_buf_view(&out), "[[[[1,2,3,");
	sj_buf_finish(&out);
	drop(v);
}

/* What is printed in any form reads back as an equal value, and prints the same again. */
SJ_TEST(printing_and_reading_are_inverse)
{
	static const unsigned forms[] = {SJ_PRINT_COMPACT, SJ_PRINT_SORTED, SJ_PRINT_UTF16, SJ_PRINT_PRETTY,
	                                 SJ_PRINT_PRETTY | SJ_PRINT_SORTED};
	struct sj_random r = {31};
	struct sj_mem *m = sj_test_mem();
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_buf text, printed, again;
	sj_buf_init(&text, m, 0);
	sj_buf_init(&printed, m, 0);
	sj_buf_init(&again, m, 0);
	for (int round = 0; round < 1500 && !sj_failed(); round++) {
		struct sj_value v, w;
		unsigned form = forms[round % 5];
		sj_buf_clear(&text);
		random_document(&r, &text, round % 200);
		CHECK_OK(sj_value_parse(m, &wire, sj_buf_view(&text), &v, NULL));
		sj_buf_clear(&printed);
		sj_value_print(&printed, &v, form);
		CHECK_OK(sj_value_parse(m, &wire, sj_buf_view(&printed), &w, NULL));
		CHECK(sj_value_equal(&v, &w));
		sj_buf_clear(&again);
		sj_value_print(&again, &w, form);
		CHECK_SLICE(sj_buf_view(&again), sj_buf_view(&printed));
		drop(v);
		drop(w);
	}
	sj_buf_finish(&text);
	sj_buf_finish(&printed);
	sj_buf_finish(&again);
}
