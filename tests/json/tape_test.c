#include <stdlib.h>

#include "base/buf.h"
#include "harness/test.h"
#include "json/tape.h"

static struct sj_arena arena;
static struct sj_json_options wire;

static void begin(void)
{
	sj_arena_init(&arena, sj_test_mem(), 0);
	wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
}

static struct sj_tape parse(const char *text)
{
	struct sj_tape t = {0};
	struct sj_diag d = {.code = SJ_E_NONE};
	if (sj_json_parse(&arena, &wire, sj_slice_of(text), &t, &d) != SJ_OK) {
		sj_fail_at(__FILE__, __LINE__, "%s: %s at %llu", text, d.message, (unsigned long long)d.offset);
		exit(1);
	}
	return t;
}

static void end(void) { sj_arena_finish(&arena); }

SJ_TEST(cells_lie_in_document_order)
{
	begin();
	struct sj_tape t = parse(" {\"a\": [1, true , null],\"b\\n\" :{} , \"c\":\"x\"}\n");
	static const struct sj_cell want[] = {
		{.off = 1, .len = 3, .end = 10, .type = SJ_J_OBJECT},
		{.off = 3, .len = 1, .end = 2, .type = SJ_J_STRING, .flags = SJ_CELL_KEY},
		{.off = 7, .len = 3, .end = 6, .type = SJ_J_ARRAY},
		{.off = 8, .len = 1, .end = 4, .type = SJ_J_NUMBER},
		{.off = 11, .len = 4, .end = 5, .type = SJ_J_TRUE},
		{.off = 18, .len = 4, .end = 6, .type = SJ_J_NULL},
		{.off = 25, .len = 3, .end = 7, .type = SJ_J_STRING, .flags = SJ_CELL_KEY | SJ_CELL_ESCAPED},
		{.off = 31, .len = 0, .end = 8, .type = SJ_J_OBJECT},
		{.off = 37, .len = 1, .end = 9, .type = SJ_J_STRING, .flags = SJ_CELL_KEY},
		{.off = 41, .len = 1, .end = 10, .type = SJ_J_STRING},
	};
	CHECK_INT(t.count, 10);
	for (uint32_t i = 0; i < 10; i++) {
		sj_case("cell %u", i);
		CHECK_INT(t.cells[i].off, want[i].off);
		CHECK_INT(t.cells[i].len, want[i].len);
		CHECK_INT(t.cells[i].end, want[i].end);
		CHECK_INT(t.cells[i].type, want[i].type);
		CHECK_INT(t.cells[i].flags, want[i].flags);
		sj_case_end();
	}
	end();
}

SJ_TEST(sources)
{
	begin();
	struct sj_tape t = parse("{ \"a]\" : [ [ ] , { \"b\" : \"}\\\"\" } ] , \"c\" : -1.5e3 , \"d\":[[[ ]\n] ] }");
	CHECK_STR(sj_tape_source(&t, 0), "{ \"a]\" : [ [ ] , { \"b\" : \"}\\\"\" } ] , \"c\" : -1.5e3 , \"d\":[[[ ]\n] ] }");
	CHECK_STR(sj_tape_source(&t, 1), "\"a]\"");
	CHECK_STR(sj_tape_source(&t, 2), "[ [ ] , { \"b\" : \"}\\\"\" } ]");
	CHECK_STR(sj_tape_source(&t, 3), "[ ]");
	CHECK_STR(sj_tape_source(&t, 4), "{ \"b\" : \"}\\\"\" }");
	CHECK_STR(sj_tape_source(&t, 6), "\"}\\\"\"");
	CHECK_STR(sj_tape_source(&t, sj_tape_get(&t, 0, SJ_LIT("c"))), "-1.5e3");
	uint32_t d = sj_tape_get(&t, 0, SJ_LIT("d"));
	CHECK_STR(sj_tape_source(&t, d), "[[[ ]\n] ]");
	CHECK_STR(sj_tape_source(&t, d + 1), "[[ ]\n]");
	CHECK_STR(sj_tape_source(&t, d + 2), "[ ]");
	CHECK_STR(sj_tape_raw(&t, 6), "}\\\"");
	end();
}

SJ_TEST(strings_are_decoded)
{
	static const struct {
		const char *source, *text;
		size_t len;
	} rows[] = {
		{"\"\"", "", 0},
		{"\"plain\"", "plain", 5},
		{"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t", 8},
		{"\"a\\u0000b\"", "a\0b", 3},
		{"\"\\u00e9\\u20AC\\ud83d\\ude00\"", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 9},
		{"\"before \\n after\"", "before \n after", 14},
		{"\"\xC3\xA9\\\\\xE2\x82\xAC\"", "\xC3\xA9\\\xE2\x82\xAC", 6},
	};
	begin();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sj_tape t = parse(rows[i].source);
		struct sj_slice want = {rows[i].text, rows[i].len};
		CHECK_SLICE(sj_tape_string(&t, 0, &arena), want);
		CHECK(sj_tape_string_is(&t, 0, want));
		CHECK(!sj_tape_string_is(&t, 0, SJ_LIT("something else entirely")));
		if (want.len)
			CHECK(!sj_tape_string_is(&t, 0, sj_slice(want.ptr, want.len - 1)));
	}
	end();
}

SJ_TEST(lone_surrogates_are_kept_when_asked)
{
	begin();
	wire.surrogate = SJ_SURROGATE_KEEP;
	struct sj_tape t = parse("[\"\\ud83d\",\"\\ude00x\",\"\\ud83d\\ude00\",\"\\ude00\\ud83d\",\"\\ud83d\\ud83d\\ude00\"]");
	CHECK_STR(sj_tape_string(&t, 1, &arena), "\xED\xA0\xBD");
	CHECK_STR(sj_tape_string(&t, 2, &arena), "\xED\xB8\x80x");
	CHECK_STR(sj_tape_string(&t, 3, &arena), "\xF0\x9F\x98\x80");
	CHECK_STR(sj_tape_string(&t, 4, &arena), "\xED\xB8\x80\xED\xA0\xBD");
	CHECK_STR(sj_tape_string(&t, 5, &arena), "\xED\xA0\xBD\xF0\x9F\x98\x80");
	end();
}

SJ_TEST(members_are_found)
{
	begin();
	struct sj_tape t = parse("{\"id\":1,\"\":2,\"a\\u0062c\":3,\"abd\":4,\"longer key than a word\":5}");
	CHECK_INT(sj_tape_number(&t, sj_tape_get(&t, 0, SJ_LIT("id"))), 1);
	CHECK_INT(sj_tape_number(&t, sj_tape_get(&t, 0, SJ_LIT(""))), 2);
	CHECK_INT(sj_tape_number(&t, sj_tape_get(&t, 0, SJ_NO_SLICE)), 2);
	CHECK_INT(sj_tape_number(&t, sj_tape_get(&t, 0, SJ_LIT("abc"))), 3);
	CHECK_INT(sj_tape_number(&t, sj_tape_get(&t, 0, SJ_LIT("longer key than a word"))), 5);
	CHECK_INT(sj_tape_get(&t, 0, SJ_LIT("ab")), 0);
	CHECK_INT(sj_tape_get(&t, 0, SJ_LIT("a\\u0062c")), 0);
	CHECK_INT(sj_tape_get(&t, 2, SJ_LIT("id")), 0); /* not an object */
	end();
}

SJ_TEST(items_are_found)
{
	begin();
	struct sj_tape t = parse("[[1,2],{\"a\":[]},\"x\"]");
	CHECK_INT(sj_tape_item(&t, 0, 0), 1);
	CHECK_INT(sj_tape_item(&t, 0, 1), 4);
	CHECK_STR(sj_tape_raw(&t, sj_tape_item(&t, 0, 2)), "x");
	CHECK_INT(sj_tape_item(&t, 0, 3), 0);
	CHECK_INT(sj_tape_item(&t, 4, 0), 0); /* an object */
	end();
}

/* 1000 keys "kN", some spelt with escapes; look-ups use the sorted index. */
static struct sj_buf big_object(const char *extra)
{
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_buf_putc(&b, '{');
	for (int i = 0; i < 1000; i++)
		sj_buf_printf(&b, i % 5 ? "\"k%d\":%d," : "\"\\u006b%d\":%d,", i, i);
	sj_buf_printf(&b, "%s}", extra);
	return b;
}

SJ_TEST(big_objects)
{
	begin();
	struct sj_buf b = big_object("\"last\":-1");
	struct sj_tape t = parse(b.ptr);
	CHECK_INT(t.cells[0].len, 1001);
	for (int i = 0; i < 1000; i++) {
		char key[8] = {'k'};
		int n = 1;
		for (int scale = i >= 100 ? 100 : i >= 10 ? 10 : 1; scale; scale /= 10)
			key[n++] = (char)('0' + i / scale % 10);
		uint32_t c = sj_tape_get(&t, 0, sj_slice(key, (size_t)n));
		if (c == 0 || sj_tape_number(&t, c) != i)
			sj_fail_at(__FILE__, __LINE__, "%s is not found", key);
	}
	CHECK_INT(sj_tape_get(&t, 0, SJ_LIT("k1000")), 0);
	CHECK_INT(sj_tape_get(&t, 0, SJ_LIT("k01")), 0);
	CHECK_INT(sj_tape_number(&t, sj_tape_get(&t, 0, SJ_LIT("last"))), -1);
	sj_buf_finish(&b);
	end();
}

SJ_TEST(repeated_keys_are_refused)
{
	begin();
	struct sj_buf many = big_object("\"k999\":0"), escaped = big_object("\"\\u006b7\":0");
	const struct {
		const char *text, *pointer;
		size_t offset;
	} rows[] = {
		{"{\"a\":1,\"a\":2}", "", 8},
		{"{\"a\":1,\"b\":2,\"\\u0061\":3}", "", 14},
		{"{\"\":1,\"\":2}", "", 7},
		{"[{\"x\":{\"q\":1,\"r\":{\"q\":1},\"q\":2}}]", "/0/x", 26},
		{"{\"same first and last part A\":1,\"same first and last part B\":1,\"same first and last part A\":2}", "", 64},
		{"{\"b\":1,\"a\":1,\"b\":1,\"a\":1}", "", 14},
		{many.ptr, "", many.len - 8},
		{escaped.ptr, "", escaped.len - 11},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		sj_case("%.30s", rows[i].text);
		struct sj_tape t = {.count = 77};
		struct sj_diag d = {.code = SJ_E_NONE};
		CHECK_INT(sj_json_parse(&arena, &wire, sj_slice_of(rows[i].text), &t, &d), SJ_INVALID);
		CHECK_INT(d.code, SJ_E_JSON_DUPLICATE_KEY);
		CHECK_INT(d.offset, rows[i].offset);
		CHECK_STR(sj_slice_of(d.pointer), rows[i].pointer);
		CHECK_INT(t.count, 77);
		sj_case_end();
	}
	sj_buf_finish(&many);
	sj_buf_finish(&escaped);
	end();
}

SJ_TEST(the_last_of_repeated_keys_counts_when_asked)
{
	begin();
	wire.dup = SJ_DUP_LAST;
	struct sj_buf many = big_object("\"\\u006b3\":-3,\"k3\":-4");
	struct sj_tape t = parse("{\"a\":1,\"b\":2,\"a\":3,\"\\u0061\":4}");
	CHECK_INT(t.cells[0].len, 4);
	CHECK(t.cells[0].flags & SJ_CELL_DUPS);
	CHECK_INT(sj_tape_number(&t, sj_tape_get(&t, 0, SJ_LIT("a"))), 4);
	CHECK_INT(sj_tape_number(&t, sj_tape_get(&t, 0, SJ_LIT("b"))), 2);
	struct sj_tape u = parse("{\"b\":2,\"a\":4}");
	CHECK(sj_tape_equal(&t, 0, &u, 0));
	CHECK(sj_tape_equal(&u, 0, &t, 0));
	struct sj_tape w = parse("{\"b\":2,\"a\":1}");
	CHECK(!sj_tape_equal(&t, 0, &w, 0));
	struct sj_tape x = parse(many.ptr);
	CHECK_INT(sj_tape_number(&x, sj_tape_get(&x, 0, SJ_LIT("k3"))), -4);
	CHECK_INT(sj_tape_number(&x, sj_tape_get(&x, 0, SJ_LIT("k4"))), 4);
	sj_buf_finish(&many);
	end();
}

SJ_TEST(integers)
{
	static const struct {
		const char *text;
		bool good;
		int64_t value;
	} rows[] = {
		{"0", true, 0},
		{"-0", true, 0},
		{"-0.0e5", true, 0},
		{"1", true, 1},
		{"1.0", true, 1},
		{"1e2", true, 100},
		{"1.5E1", true, 15},
		{"100e-2", true, 1},
		{"1230.00e-1", true, 123},
		{"0e999999999999999999", true, 0},
		{"9223372036854775807", true, INT64_MAX},
		{"-9223372036854775808", true, INT64_MIN},
		{"9223372036854775808", false, 0},
		{"-9223372036854775809", false, 0},
		{"92233720368547758070e-1", true, INT64_MAX},
		{"0.9223372036854775807e19", true, INT64_MAX},
		{"1e18", true, 1000000000000000000},
		{"1e19", false, 0},
		{"1e999999999999999999", false, 0},
		{"0.5", false, 0},
		{"1e-1", false, 0},
		{"105e-1", false, 0},
		{"1.0000000000000000000000000000000000", true, 1},
		{"1.0000000000000000000000000000000001", false, 0},
		{"1000000000000000000000000000000e-30", true, 1},
		{"true", false, 0},
		{"\"1\"", false, 0},
	};
	begin();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		sj_case("%s", rows[i].text);
		struct sj_tape t = parse(rows[i].text);
		int64_t got = 99;
		CHECK_INT(sj_tape_int(&t, 0, &got), rows[i].good);
		CHECK_INT(got, rows[i].good ? rows[i].value : 99);
		sj_case_end();
	}
	end();
}

static const struct {
	const char *a, *b;
	bool equal;
} equalities[] = {
	{"1", "1.0", true},
	{"1e2", "100", true},
	{"0", "-0", true},
	{"1", "2", false},
	{"1", "\"1\"", false},
	{"null", "false", false},
	{"true", "true", true},
	{"\"a\\u0062\"", "\"\\u0061b\"", true},
	{"\"a\"", "\"ab\"", false},
	{"\"\\n\"", "\"n\"", false},
	{"[]", "[]", true},
	{"[]", "{}", false},
	{"[1,2]", "[2,1]", false},
	{"[1,2]", "[1,2,3]", false},
	{"[[],[[]]]", "[ [ ] , [ [ ] ] ]", true},
	{"[[],[[]]]", "[[[]],[]]", false},
	{"{\"a\":1,\"b\":[2]}", "{\"b\":[2],\"a\":1}", true},
	{"{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false},
	{"{\"a\":1}", "{\"a\":1,\"b\":2}", false},
	{"{\"a\":{\"b\":{\"c\":[1,{\"d\":null}]}}}", "{\"\\u0061\":{\"b\":{\"c\":[1,{\"d\":null}]}}}", true},
	{"{\"a\":{\"b\":{\"c\":[1,{\"d\":null}]}}}", "{\"a\":{\"b\":{\"c\":[1,{\"d\":false}]}}}", false},
};

SJ_TEST(equality)
{
	begin();
	for (size_t i = 0; i < sizeof equalities / sizeof *equalities; i++) {
		sj_case("%s and %s", equalities[i].a, equalities[i].b);
		struct sj_tape a = parse(equalities[i].a), b = parse(equalities[i].b);
		CHECK_INT(sj_tape_equal(&a, 0, &b, 0), equalities[i].equal);
		CHECK_INT(sj_tape_equal(&b, 0, &a, 0), equalities[i].equal);
		CHECK(sj_tape_equal(&a, 0, &a, 0));
		sj_case_end();
	}
	end();
}

SJ_TEST(equality_of_big_objects_in_any_order)
{
	begin();
	struct sj_buf a = big_object("\"z\":{}"), b;
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_buf_puts(&b, "{\"z\":{}");
	for (int i = 999; i >= 0; i--)
		sj_buf_printf(&b, i % 3 ? ",\"k%d\":%d.0" : ",\"\\u006B%d\":%d", i, i);
	sj_buf_putc(&b, '}');
	struct sj_tape x = parse(a.ptr), y = parse(b.ptr);
	CHECK(sj_tape_equal(&x, 0, &y, 0));
	CHECK(sj_tape_equal(&y, 0, &x, 0));
	b.ptr[b.len - 2] = '1'; /* "k0":1 */
	y = parse(b.ptr);
	CHECK(!sj_tape_equal(&x, 0, &y, 0));
	sj_buf_finish(&a);
	sj_buf_finish(&b);
	end();
}

static const struct {
	const char *text;
	enum sj_code code;
	size_t offset;
	const char *pointer;
} faults[] = {
	{"", SJ_E_JSON_INCOMPLETE, 0, ""},
	{"  ", SJ_E_JSON_INCOMPLETE, 2, ""},
	{"{", SJ_E_JSON_INCOMPLETE, 1, ""},
	{"[1,", SJ_E_JSON_INCOMPLETE, 3, ""},
	{"[1", SJ_E_JSON_INCOMPLETE, 2, ""},
	{"{\"a\"", SJ_E_JSON_INCOMPLETE, 4, ""},
	{"{\"a\":[{\"b\":", SJ_E_JSON_INCOMPLETE, 11, "/a/0"},
	{"\"abc", SJ_E_JSON_INCOMPLETE, 4, ""},
	{"\"abc\\u12", SJ_E_JSON_INCOMPLETE, 8, ""},
	{"\"\xE2\x82", SJ_E_JSON_INCOMPLETE, 3, ""},
	{"tru", SJ_E_JSON_INCOMPLETE, 3, ""},
	{"-", SJ_E_JSON_INCOMPLETE, 1, ""},
	{"1.", SJ_E_JSON_INCOMPLETE, 2, ""},
	{"1e+", SJ_E_JSON_INCOMPLETE, 3, ""},
	{"[1}", SJ_E_JSON_SYNTAX, 2, ""},
	{"{\"a\":1]", SJ_E_JSON_SYNTAX, 6, ""},
	{"[1,]", SJ_E_JSON_SYNTAX, 3, ""},
	{"{\"a\":1,}", SJ_E_JSON_SYNTAX, 7, ""},
	{"{a:1}", SJ_E_JSON_SYNTAX, 1, ""},
	{"{\"a\" 1}", SJ_E_JSON_SYNTAX, 5, ""},
	{"{\"x\":[0,{\"y/~\":[[nul]]}]}", SJ_E_JSON_SYNTAX, 20, "/x/1/y~1~0/0"},
	{"[1 2]", SJ_E_JSON_SYNTAX, 3, ""},
	{"1 2", SJ_E_JSON_SYNTAX, 2, ""},
	{"{} x", SJ_E_JSON_SYNTAX, 3, ""},
	{"'a'", SJ_E_JSON_SYNTAX, 0, ""},
	{"\xEF\xBB\xBF{}", SJ_E_JSON_SYNTAX, 0, ""},
	{"[\"a\tb\"]", SJ_E_JSON_SYNTAX, 3, ""},
	{"[\"\\x\"]", SJ_E_JSON_SYNTAX, 3, ""},
	{"[\"\\u12G4\"]", SJ_E_JSON_SYNTAX, 6, ""},
	{"[\"\\ud800\\u12\"]", SJ_E_JSON_SYNTAX, 12, ""},
	{"[01]", SJ_E_JSON_NUMBER, 2, ""},
	{"[-x]", SJ_E_JSON_NUMBER, 2, ""},
	{"[1.e1]", SJ_E_JSON_NUMBER, 3, ""},
	{"[1e]", SJ_E_JSON_NUMBER, 3, ""},
	{"[+1]", SJ_E_JSON_SYNTAX, 1, ""},
	{"[.5]", SJ_E_JSON_SYNTAX, 1, ""},
	{"[NaN]", SJ_E_JSON_SYNTAX, 1, ""},
	{"[\"a\x80\"]", SJ_E_JSON_UTF8, 3, ""},
	{"[\"\xED\xA0\x80\"]", SJ_E_JSON_UTF8, 2, ""},
	{"[\"\xC0\xAF\"]", SJ_E_JSON_UTF8, 2, ""},
	{"[\"ab\\ud83dx\"]", SJ_E_JSON_SURROGATE, 4, ""},
	{"[\"ab\\ude00\"]", SJ_E_JSON_SURROGATE, 4, ""},
	{"[\"ab\\ud83d\\n\"]", SJ_E_JSON_SURROGATE, 4, ""},
	{"[\"ab\\ud83d\\u0041\"]", SJ_E_JSON_SURROGATE, 4, ""},
};

SJ_TEST(faults_have_code_place_and_pointer)
{
	begin();
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		sj_case("%s", faults[i].text);
		struct sj_tape t;
		struct sj_diag d = {.code = SJ_E_NONE};
		size_t used = sj_test_mem()->used_bytes;
		CHECK_INT(sj_json_parse(&arena, &wire, sj_slice_of(faults[i].text), &t, &d), SJ_INVALID);
		CHECK_STR(sj_slice_of(sj_code_name(d.code)), sj_code_name(faults[i].code));
		CHECK_INT(d.category, SJ_CAT_PARSE);
		CHECK_INT(d.offset, faults[i].offset);
		CHECK_INT(d.line, 1);
		CHECK_STR(sj_slice_of(d.pointer), faults[i].pointer);
		CHECK(d.message[0] != '\0');
		CHECK_INT(sj_test_mem()->used_bytes, used); /* nothing is left in the arena */
		CHECK_INT(sj_json_parse(&arena, &wire, sj_slice_of(faults[i].text), &t, NULL), SJ_INVALID);
		sj_case_end();
	}
	end();
}

SJ_TEST(messages)
{
	begin();
	struct sj_tape t;
	struct sj_diag d = {.code = SJ_E_NONE};
	sj_json_parse(&arena, &wire, SJ_LIT("{\"a\":\n\n tru3}"), &t, &d);
	CHECK_STR(sj_slice_of(d.message), "expected true, false or null, found '3'");
	CHECK_INT(d.line, 3);
	sj_diag_clear(&d);
	sj_json_parse(&arena, &wire, SJ_LIT("[\"\x01\"]"), &t, &d);
	CHECK_STR(sj_slice_of(d.message), "a control character inside a string, found byte 0x01");
	sj_diag_clear(&d);
	sj_json_parse(&arena, &wire, SJ_LIT("[1"), &t, &d);
	CHECK_STR(sj_slice_of(d.message), "the document ends inside an array or object");
	end();
}

SJ_TEST(caps)
{
	static const struct {
		const char *text;
		enum sj_status status;
		size_t offset;
	} rows[] = {
		{"[[[]]]", SJ_OK, 0},
		{"[[[[]]]]", SJ_LIMIT, 3},
		{"[[[{", SJ_LIMIT, 3},          /* before the text's other faults */
		{"[1,2,3,4,5,6,7]", SJ_OK, 0},
		{"[1,2,3,4,5,6,7,8]", SJ_LIMIT, 15},
		{"[1,2,3,4,5,6,7,8,", SJ_LIMIT, 15},
		{"{\"a\":1,\"b\":2,\"c\":3,\"d\":4}", SJ_LIMIT, 23},
		{"[\"12345678\"]", SJ_OK, 0},
		{"[\"123456789\"]", SJ_LIMIT, 2},
		{"{\"123456789\":1}", SJ_LIMIT, 2},
		{"[\"1234567\\n\"]", SJ_LIMIT, 2},   /* bytes of source count */
		{"[\"123456\\n\"]", SJ_OK, 0},
		{"[\"1234567\xC3\xA9\"]", SJ_LIMIT, 2},
		{"[\"123456\xC3\xA9\"]", SJ_OK, 0},
		{"                              ", SJ_INVALID, 30},
		{"                               ", SJ_LIMIT, 30},
	};
	begin();
	wire.max_depth = 3;
	wire.max_values = 8;
	wire.max_string_bytes = 8;
	wire.max_bytes = 30;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		sj_case("%s", rows[i].text);
		struct sj_tape t;
		struct sj_diag d = {.code = SJ_E_NONE};
		CHECK_INT(sj_json_parse(&arena, &wire, sj_slice_of(rows[i].text), &t, &d), rows[i].status);
		if (rows[i].status == SJ_LIMIT)
			CHECK_INT(d.code, SJ_E_LIMIT);
		CHECK_INT(d.offset, rows[i].offset);
		sj_case_end();
	}
	end();
}

SJ_TEST(no_option_goes_deeper_than_the_ceiling)
{
	begin();
	wire.max_depth = UINT32_MAX;
	static char text[2 * SJ_JSON_MAX_DEPTH + 2];
	memset(text, '[', SJ_JSON_MAX_DEPTH);
	memset(text + SJ_JSON_MAX_DEPTH, ']', SJ_JSON_MAX_DEPTH);
	struct sj_tape t, u;
	CHECK_OK(sj_json_parse(&arena, &wire, sj_slice(text, 2 * SJ_JSON_MAX_DEPTH), &t, NULL));
	CHECK_OK(sj_json_parse(&arena, &wire, sj_slice(text, 2 * SJ_JSON_MAX_DEPTH), &u, NULL));
	CHECK_INT(t.count, SJ_JSON_MAX_DEPTH);
	CHECK(sj_tape_equal(&t, 0, &u, 0));
	CHECK_INT(sj_tape_source(&t, 0).len, 2 * SJ_JSON_MAX_DEPTH);
	memset(text, '[', SJ_JSON_MAX_DEPTH + 1);
	CHECK_INT(sj_json_parse(&arena, &wire, sj_slice(text, sizeof text), &t, NULL), SJ_LIMIT);
	end();
}

SJ_TEST(pointers_of_deep_faults_are_cut)
{
	begin();
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	for (int i = 0; i < 100; i++)
		sj_buf_puts(&b, "{\"key\":");
	sj_buf_puts(&b, "?");
	struct sj_tape t;
	struct sj_diag d = {.code = SJ_E_NONE};
	CHECK_INT(sj_json_parse(&arena, &wire, sj_buf_view(&b), &t, &d), SJ_INVALID);
	CHECK(sj_slice_starts(sj_slice_of(d.pointer), "/key/key/key"));
	CHECK_STR(sj_slice_of(d.pointer + strlen(d.pointer) - 3), "\xE2\x80\xA6");
	sj_buf_finish(&b);
	end();
}

SJ_TEST(lines)
{
	struct sj_slice s = SJ_LIT("a\nbc\n\nd");
	CHECK_INT(sj_json_line(s, 0), 1);
	CHECK_INT(sj_json_line(s, 1), 1);
	CHECK_INT(sj_json_line(s, 2), 2);
	CHECK_INT(sj_json_line(s, 5), 3);
	CHECK_INT(sj_json_line(s, 6), 4);
	CHECK_INT(sj_json_line(s, 99), 4);
}

SJ_TEST(same_arena_many_documents)
{
	begin();
	struct sj_tape t[50];
	for (int i = 0; i < 50; i++)
		t[i] = parse("{\"a\":[1,2,{\"b\":\"c\"}],\"d\":[[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[]]}");
	for (int i = 0; i < 50; i++)
		CHECK(sj_tape_equal(&t[i], 0, &t[0], 0));
	end();
}
