/* Public suites: JSONTestSuite (parsing and transform), json-patch-tests. */
#include <stdio.h>

#include "harness/test.h"
#include "json/stream.h"
#include "json/value.h"

enum { SUITE_FILES = 318, TRANSFORM_FILES = 22 };

static struct sj_slice slurp(const char *folder, const char *name)
{
	char relative[300];
	snprintf(relative, sizeof relative, "%.60s/%.200s", folder, name);
	return sj_slurp(sj_data(relative));
}

/* The status of one document that fills `text`. */
static enum sj_status parse_whole(const struct sj_json_options *opt, struct sj_slice text, enum sj_code *code)
{
	struct sj_arena a;
	struct sj_tape t;
	struct sj_diag d = {.code = SJ_E_NONE};
	sj_arena_init(&a, sj_test_mem(), 0);
	enum sj_status st = sj_json_parse(&a, opt, text, &t, &d);
	*code = d.code;
	sj_arena_finish(&a);
	return st;
}

/* The same through the stream, byte by byte: one document and nothing else, or the first fault. */
static enum sj_status parse_bytes(const struct sj_json_options *opt, struct sj_slice text)
{
	struct sj_json_stream *s;
	enum sj_status first = SJ_MORE, st;
	unsigned documents = 0;
	if (sj_json_stream_create(sj_test_mem(), opt, &s) != SJ_OK)
		return SJ_NOMEM;
	for (size_t i = 0; i <= text.len && first <= SJ_MORE; i++) {
		struct sj_tape t;
		uint64_t offset;
		uint32_t line;
		if (i < text.len)
			sj_json_stream_feed(s, text.ptr + i, 1);
		else
			sj_json_stream_end(s);
		while ((st = sj_json_stream_next(s, &t, &offset, &line, NULL)) != SJ_MORE) {
			documents += st == SJ_OK;
			first = first <= SJ_MORE ? st : first;
			if (st != SJ_OK)
				first = st;
		}
	}
	sj_json_stream_destroy(s);
	if (first == SJ_MORE) /* white space only: no document, which a stream may be */
		return SJ_INVALID;
	return documents > 1 ? SJ_INVALID : first;
}

/* What we do where the suite leaves it open. */
static const struct {
	const char *name;
	enum sj_status status;
	enum sj_code code;
} open_cases[] = {
	/* Numbers beyond doubles become infinite or 0, as in ECMAScript. */
	{"i_number_double_huge_neg_exp.json", SJ_OK, SJ_E_NONE},
	{"i_number_huge_exp.json", SJ_OK, SJ_E_NONE},
	{"i_number_neg_int_huge_exp.json", SJ_OK, SJ_E_NONE},
	{"i_number_pos_double_huge_exp.json", SJ_OK, SJ_E_NONE},
	{"i_number_real_neg_overflow.json", SJ_OK, SJ_E_NONE},
	{"i_number_real_pos_overflow.json", SJ_OK, SJ_E_NONE},
	{"i_number_real_underflow.json", SJ_OK, SJ_E_NONE},
	{"i_number_too_big_neg_int.json", SJ_OK, SJ_E_NONE},
	{"i_number_too_big_pos_int.json", SJ_OK, SJ_E_NONE},
	{"i_number_very_big_negative_int.json", SJ_OK, SJ_E_NONE},
	/* Lone surrogates are refused on the wire; SJ_SURROGATE_KEEP takes them. */
	{"i_object_key_lone_2nd_surrogate.json", SJ_INVALID, SJ_E_JSON_SURROGATE},
	{"i_string_1st_surrogate_but_2nd_missing.json", SJ_INVALID, SJ_E_JSON_SURROGATE},
	{"i_string_1st_valid_surrogate_2nd_invalid.json", SJ_INVALID, SJ_E_JSON_SURROGATE},
	{"i_string_incomplete_surrogate_and_escape_valid.json", SJ_INVALID, SJ_E_JSON_SURROGATE},
	{"i_string_incomplete_surrogate_pair.json", SJ_INVALID, SJ_E_JSON_SURROGATE},
	{"i_string_incomplete_surrogates_escape_valid.json", SJ_INVALID, SJ_E_JSON_SURROGATE},
	{"i_string_invalid_lonely_surrogate.json", SJ_INVALID, SJ_E_JSON_SURROGATE},
	{"i_string_invalid_surrogate.json", SJ_INVALID, SJ_E_JSON_SURROGATE},
	{"i_string_inverted_surrogates_U+1D11E.json", SJ_INVALID, SJ_E_JSON_SURROGATE},
	{"i_string_lone_second_surrogate.json", SJ_INVALID, SJ_E_JSON_SURROGATE},
	/* Text is UTF-8. */
	{"i_string_UTF-16LE_with_BOM.json", SJ_INVALID, SJ_E_JSON_SYNTAX},
	{"i_string_UTF-8_invalid_sequence.json", SJ_INVALID, SJ_E_JSON_UTF8},
	{"i_string_UTF8_surrogate_U+D800.json", SJ_INVALID, SJ_E_JSON_UTF8},
	{"i_string_invalid_utf-8.json", SJ_INVALID, SJ_E_JSON_UTF8},
	{"i_string_iso_latin_1.json", SJ_INVALID, SJ_E_JSON_UTF8},
	{"i_string_lone_utf8_continuation_byte.json", SJ_INVALID, SJ_E_JSON_UTF8},
	{"i_string_not_in_unicode_range.json", SJ_INVALID, SJ_E_JSON_UTF8},
	{"i_string_overlong_sequence_2_bytes.json", SJ_INVALID, SJ_E_JSON_UTF8},
	{"i_string_overlong_sequence_6_bytes.json", SJ_INVALID, SJ_E_JSON_UTF8},
	{"i_string_overlong_sequence_6_bytes_null.json", SJ_INVALID, SJ_E_JSON_UTF8},
	{"i_string_truncated-utf-8.json", SJ_INVALID, SJ_E_JSON_UTF8},
	{"i_string_utf16BE_no_BOM.json", SJ_INVALID, SJ_E_JSON_SYNTAX},
	{"i_string_utf16LE_no_BOM.json", SJ_INVALID, SJ_E_JSON_SYNTAX},
	/* Deeper than json_depth. */
	{"i_structure_500_nested_arrays.json", SJ_LIMIT, SJ_E_LIMIT},
	{"i_structure_UTF-8_BOM_empty_object.json", SJ_INVALID, SJ_E_JSON_SYNTAX},
};

static void check_open(const char *name, enum sj_status st, enum sj_code code)
{
	for (size_t i = 0; i < sizeof open_cases / sizeof *open_cases; i++)
		if (strcmp(open_cases[i].name, name) == 0) {
			CHECK_INT(st, open_cases[i].status);
			CHECK_STR(sj_slice_of(sj_code_name(code)), sj_code_name(open_cases[i].code));
			return;
		}
	sj_fail_at(__FILE__, __LINE__, "%s is not in the table of open cases", name);
}

SJ_TEST(json_test_suite)
{
	static const char folder[] = "json-parsing/test_parsing";
	char **names;
	if (!sj_data(folder)) {
		sj_skip("no JSONTestSuite");
		return;
	}
	size_t n = sj_list_dir(sj_data(folder), ".json", &names);
	CHECK_INT(n, SUITE_FILES);
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT), lax = wire;
	lax.dup = SJ_DUP_LAST;
	for (size_t i = 0; i < n; i++) {
		struct sj_slice text = slurp(folder, names[i]);
		enum sj_code code, lax_code;
		enum sj_status st = parse_whole(&wire, text, &code);
		enum sj_status lax_st = parse_whole(&lax, text, &lax_code);
		sj_case("%s", names[i]);
		if (names[i][0] == 'y') {
			/* The two that repeat a key are ours to refuse on the wire. */
			bool repeats = sj_slice_starts(sj_slice_of(names[i]), "y_object_duplicated_key");
			CHECK_INT(st, repeats ? SJ_INVALID : SJ_OK);
			CHECK_INT(code, repeats ? SJ_E_JSON_DUPLICATE_KEY : SJ_E_NONE);
			CHECK_INT(lax_st, SJ_OK);
		} else if (names[i][0] == 'n') {
			CHECK(st == SJ_INVALID || st == SJ_LIMIT);
			CHECK(lax_st == SJ_INVALID || lax_st == SJ_LIMIT);
		} else {
			check_open(names[i], st, code);
		}
		CHECK_INT(parse_bytes(&wire, text), st);
		CHECK_INT(parse_bytes(&lax, text), lax_st);
		sj_case_end();
	}
}

/* What is read, printed compactly; lone surrogates are kept, the last of equal keys counts. */
static const struct {
	const char *name, *text;
} transforms[] = {
	{"number_-9223372036854775808.json", "[-9223372036854776000]"},
	{"number_-9223372036854775809.json", "[-9223372036854776000]"},
	{"number_1.0.json", "[1]"},
	{"number_1.000000000000000005.json", "[1]"},
	{"number_1000000000000000.json", "[1000000000000000]"},
	{"number_10000000000000000999.json", "[10000000000000000000]"},
	{"number_1e-999.json", "[0]"},
	{"number_1e6.json", "[1000000]"},
	{"number_9223372036854775807.json", "[9223372036854776000]"},
	{"number_9223372036854775808.json", "[9223372036854776000]"},
	{"object_key_nfc_nfd.json", "{\"\xC3\xA9\":\"NFC\",\"e\xCC\x81\":\"NFD\"}"},
	{"object_key_nfd_nfc.json", "{\"e\xCC\x81\":\"NFD\",\"\xC3\xA9\":\"NFC\"}"},
	{"object_same_key_different_values.json", "{\"a\":2}"},
	{"object_same_key_same_value.json", "{\"a\":1}"},
	{"object_same_key_unclear_values.json", "{\"a\":0}"},
	{"string_1_escaped_invalid_codepoint.json", "[\"\\ud800\"]"},
	{"string_1_invalid_codepoint.json", NULL}, /* surrogates in UTF-8: refused */
	{"string_2_escaped_invalid_codepoints.json", "[\"\\ud800\\ud800\"]"},
	{"string_2_invalid_codepoints.json", NULL},
	{"string_3_escaped_invalid_codepoints.json", "[\"\\ud800\\ud800\\ud800\"]"},
	{"string_3_invalid_codepoints.json", NULL},
	{"string_with_escaped_NULL.json", "[\"A\\u0000B\"]"},
};

SJ_TEST(json_test_suite_transform)
{
	static const char folder[] = "json-parsing/test_transform";
	char **names;
	if (!sj_data(folder)) {
		sj_skip("no JSONTestSuite");
		return;
	}
	CHECK_INT(sj_list_dir(sj_data(folder), ".json", &names), TRANSFORM_FILES);
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	opt.dup = SJ_DUP_LAST;
	opt.surrogate = SJ_SURROGATE_KEEP;
	for (size_t i = 0; i < sizeof transforms / sizeof *transforms; i++) {
		struct sj_slice text = slurp(folder, transforms[i].name);
		struct sj_value v;
		sj_case("%s", transforms[i].name);
		CHECK(text.ptr != NULL);
		enum sj_status st = sj_value_parse(sj_test_mem(), &opt, text, &v, NULL);
		CHECK_INT(st, transforms[i].text ? SJ_OK : SJ_INVALID);
		if (st == SJ_OK) {
			struct sj_buf out;
			sj_buf_init(&out, sj_test_mem(), 0);
			sj_value_print(&out, &v, SJ_PRINT_COMPACT);
			CHECK_STR(sj_buf_view(&out), transforms[i].text);
			sj_buf_finish(&out);
			sj_value_unref(sj_test_mem(), v);
		}
		sj_case_end();
	}
}

static void run_patch_case(const struct sj_value *entry, unsigned number)
{
	struct sj_mem *m = sj_test_mem();
	const struct sj_value *comment = sj_value_get(entry, SJ_LIT("comment"));
	const struct sj_value *doc = sj_value_get(entry, SJ_LIT("doc")), *patch = sj_value_get(entry, SJ_LIT("patch"));
	const struct sj_value *expected = sj_value_get(entry, SJ_LIT("expected"));
	const struct sj_value *error = sj_value_get(entry, SJ_LIT("error"));
	if (!doc || !patch)
		return; /* a heading */
	const struct sj_value *disabled = sj_value_get(entry, SJ_LIT("disabled"));
	if (disabled && disabled->type == SJ_V_TRUE && error)
		return; /* it repeats a key in an operation, which the reader refuses (patch_test.c) */
	struct sj_slice title = comment ? sj_value_text(comment) : SJ_LIT("");
	sj_case("%u %.*s", number, SJ_ARG(title));
	struct sj_value work = sj_value_ref(*doc), before = sj_value_ref(*doc);
	struct sj_diag d = {.code = SJ_E_NONE};
	enum sj_status st = sj_json_patch(m, &work, patch, &d);
	if (error) {
		CHECK_INT(st, SJ_INVALID);
		CHECK(d.code == SJ_E_PATCH || d.code == SJ_E_PATCH_TEST || d.code == SJ_E_POINTER);
		CHECK(d.pointer[0] == '/' || patch->type != SJ_V_ARRAY);
		CHECK_INT(sj_value_identity(&work) == sj_value_identity(&before), 1);
	} else {
		CHECK_INT(st, SJ_OK);
		if (d.code != SJ_E_NONE)
			sj_fail_at(__FILE__, __LINE__, "%s", d.message);
		if (expected)
			CHECK(sj_value_equal(&work, expected));
	}
	sj_value_unref(m, work);
	sj_value_unref(m, before);
	sj_case_end();
}

static void run_patch_file(const char *relative, uint32_t cases)
{
	struct sj_slice text = sj_slurp(sj_data(relative));
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value all;
	opt.dup = SJ_DUP_LAST; /* one of its cases, disabled, repeats a key */
	if (!text.ptr) {
		sj_skip("no json-patch-tests");
		return;
	}
	if (sj_value_parse(sj_test_mem(), &opt, text, &all, NULL) != SJ_OK) {
		sj_fail_at(__FILE__, __LINE__, "%s cannot be read", relative);
		return;
	}
	CHECK_INT(sj_value_count(&all), cases);
	for (uint32_t i = 0; i < sj_value_count(&all); i++)
		run_patch_case(sj_value_item(&all, i), i);
	sj_value_unref(sj_test_mem(), all);
}

SJ_TEST(json_patch_tests) { run_patch_file("json-patch/tests.json", 95); }
SJ_TEST(json_patch_spec_tests) { run_patch_file("json-patch/spec_tests.json", 17); }
