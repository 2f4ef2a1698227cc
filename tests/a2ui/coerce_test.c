/* The value rules of the language: coercions, truthiness, check outcomes, addresses that may be opened. */
#include "a2ui/functions.h"

#include <stdio.h>

#include "harness/test.h"

static struct sj_value read_json(struct sj_slice text)
{
	struct sj_value v = SJ_ABSENT_VALUE;
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	CHECK_OK(sj_value_parse(sj_test_mem(), &opt, text, &v, NULL));
	return v;
}

SJ_TEST(coerce_table)
{
	static const struct {
		const char *json, *text;
		bool v09, v10, to_bool;
		double number;
	} cases[] = {
		{"null", "", false, false, false, 0},
		{"false", "false", false, false, false, 0},
		{"true", "true", true, true, true, 1},
		{"0", "0", false, false, false, 0},
		{"-0.0", "0", false, false, false, 0},
		{"7", "7", true, true, true, 7},
		{"-1.5", "-1.5", true, true, true, -1.5},
		{"1e21", "1e+21", true, true, true, 1e21},
		{"0.000001", "0.000001", true, true, true, 0.000001},
		{"1e-7", "1e-7", true, true, true, 1e-7},
		{"9007199254740993", "9007199254740992", true, true, true, 9007199254740992.0},
		{"\"\"", "", false, false, false, 0},
		{"\"0\"", "0", true, true, false, 0},
		{"\"false\"", "false", true, true, false, 0},
		{"\"true\"", "true", true, true, true, 0},
		{"\"TrUe\"", "TrUe", true, true, true, 0},
		{"\"yes\"", "yes", true, true, false, 0},
		{"\"12.5\"", "12.5", true, true, false, 12.5},
		{"\"12 apples\"", "12 apples", true, true, false, 0},
		{"[]", "[]", true, true, false, 0},
		{"[1,null,\"a\"]", "[1,null,\"a\"]", true, true, false, 0},
		{"{}", "{}", true, true, false, 0},
		{"{\"a\":1}", "{\"a\":1}", true, true, false, 0},
		{"{\"valid\":false}", "{\"valid\":false}", true, false, false, 0},
		{"{\"valid\":true}", "{\"valid\":true}", true, true, true, 0},
		{"{\"valid\":0}", "{\"valid\":0}", true, true, false, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sj_value v = read_json(sj_slice_of(cases[i].json));
		struct sj_buf b;
		sj_buf_init(&b, sj_test_mem(), 0);
		sj_case("%s", cases[i].json);
		sj_a2ui_text(&v, &b);
		CHECK_STR(b.len ? sj_buf_view(&b) : SJ_LIT(""), cases[i].text);
		CHECK_INT(sj_a2ui_truthy_v09(&v), cases[i].v09);
		CHECK_INT(sj_a2ui_truthy_v10(&v), cases[i].v10);
		CHECK_INT(sj_a2ui_to_bool(&v), cases[i].to_bool);
		CHECK(sj_a2ui_to_number(&v) == cases[i].number);
		sj_case_end();
		sj_buf_finish(&b);
		sj_value_unref(sj_test_mem(), v);
	}
	const struct sj_value absent = SJ_ABSENT_VALUE;
	CHECK(!sj_a2ui_truthy_v09(&absent) && !sj_a2ui_truthy_v10(&absent) && !sj_a2ui_to_bool(&absent));
	CHECK(sj_a2ui_to_number(&absent) == 0);
}

SJ_TEST(coerce_checks)
{
	static const struct {
		const char *json;
		enum sj_result r;
		bool valid09, valid10, object10;
		enum sj_severity sev10;
	} cases[] = {
		{"true", SJ_R_OK, true, true, false, SJ_SEV_ERROR},
		{"false", SJ_R_OK, false, false, false, SJ_SEV_ERROR},
		{"null", SJ_R_OK, false, false, false, SJ_SEV_ERROR},
		{"\"x\"", SJ_R_OK, true, true, false, SJ_SEV_ERROR},
		{"{\"valid\":false}", SJ_R_OK, true, false, true, SJ_SEV_ERROR},
		{"{\"valid\":false,\"severity\":\"warning\"}", SJ_R_OK, true, false, true, SJ_SEV_WARNING},
		{"{\"valid\":false,\"severity\":\"info\"}", SJ_R_OK, true, false, true, SJ_SEV_INFO},
		{"{\"valid\":false,\"severity\":\"fatal\"}", SJ_R_OK, true, false, true, SJ_SEV_ERROR},
		{"{\"valid\":true,\"code\":\"C\"}", SJ_R_OK, true, true, true, SJ_SEV_ERROR},
		{"{\"code\":\"C\"}", SJ_R_OK, true, true, false, SJ_SEV_ERROR},
		{"true", SJ_R_PENDING, false, false, false, SJ_SEV_ERROR},
		{"true", SJ_R_ERROR, false, false, false, SJ_SEV_ERROR},
		{"null", SJ_R_ABSENT, false, false, false, SJ_SEV_ERROR},
		{"{\"valid\":true}", SJ_R_PENDING, false, false, false, SJ_SEV_ERROR},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sj_value v = read_json(sj_slice_of(cases[i].json));
		bool valid;
		enum sj_severity sev;
		const struct sj_value *result;
		sj_case("%s %d", cases[i].json, (int)cases[i].r);
		sj_a2ui_check_v09(cases[i].r, &v, &valid, &sev, &result);
		CHECK_INT(valid, cases[i].valid09);
		CHECK_INT(sev, SJ_SEV_ERROR);
		CHECK(result == NULL);
		sj_a2ui_check_v10(cases[i].r, &v, &valid, &sev, &result);
		CHECK_INT(valid, cases[i].valid10);
		CHECK_INT(sev, cases[i].sev10);
		CHECK(result == (cases[i].object10 ? &v : NULL));
		sj_case_end();
		sj_value_unref(sj_test_mem(), v);
	}
}

SJ_TEST(coerce_url)
{
	static const char *const allowed[] = {
		"https://example.com",
		"http://example.com/path",
		"HTTPS://EXAMPLE.COM/",
		"https://example.com/@user?mail=a@b#@",
		"https://ex\xC3\xA4mple.com/\xED\x95\x9C",
		"https://sub.domain.co.uk:8080/p?q=1#f",
		"https://[::1]/",
		"https://b\xc3\xbc"
		"cher.example/%20",
	};
	static const char *const refused[] = {
		"",
		"https",
		"https:",
		"https://",
		"https:///x",
		"https://?x",
		"https://#",
		"https://:80",
		"https://@x",
		"/relative",
		"relative/path",
		"../up",
		"?tab=profile",
		"//example.com",
		"www.example.com",
		"javascript:alert(1)",
		"  javascript:alert(1)",
		"javascript://%0Aalert(1)",
		"java\nscript:alert(1)",
		"data:text/html,x",
		"vbscript:x",
		"file:///etc/passwd",
		"chrome://settings",
		"about:blank",
		"mailto:a@b.co",
		"ftp://example.com",
		"https:\\\\example.com",
		"https:/\\example.com",
		" https://example.com",
		"https://example.com\n",
		"https://exam\tple.com",
		"https://example.com/a b",
		"httpsx://example.com",
		"blob:https://example.com",
		"https://user@example.com/",
		"https://bank.example@evil.example?",
		"https://example.com/\xE2\x80\xAE",
	};
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
		sj_case("allowed %s", allowed[i]);
		CHECK(sj_a2ui_url_allowed(sj_slice_of(allowed[i])));
		sj_case_end();
	}
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		sj_case("refused %s", refused[i]);
		CHECK(!sj_a2ui_url_allowed(sj_slice_of(refused[i])));
		sj_case_end();
	}
	CHECK(!sj_a2ui_url_allowed(sj_slice("https://a\0b", 11)));
}
