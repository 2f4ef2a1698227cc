/* A2UI over A2A: activation, parts, metadata, requests. */
#include "wire/a2a.h"
#include "base/limits.h"
#include "harness/test.h"

static struct sj_value json(const char *text)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v = SJ_NULL_VALUE;
	CHECK_OK(sj_value_parse(sj_test_mem(), &opt, sj_slice_of(text), &v, NULL));
	return v;
}

/* Takes the value. */
static void check_json(int line, struct sj_value v, const char *want)
{
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 0);
	sj_value_print(&out, &v, SJ_PRINT_COMPACT);
	sj_check_slice(__FILE__, line, "value", sj_buf_view(&out), sj_slice_of(want));
	sj_buf_finish(&out);
	sj_value_unref(sj_test_mem(), v);
}
#define CHECK_JSON(v, want) check_json(__LINE__, (v), (want))

#define BASE "https://a2ui.org/a2a-extension/a2ui/v"

SJ_TEST(versions_by_number)
{
	static const struct {
		const char *a, *b;
		int order;
	} pairs[] = {
		{"1.0", "1.0", 0},      {"0.9", "0.9.0", 0},   {"0.9", "0.9.1", -1}, {"1.10", "1.9", 1},
		{"1.10.0", "1.2.0", 1}, {"2", "1.99.99", 1},   {"1.00", "1.0", 0},   {"1.010", "1.9", 1},
		{"0.8", "0.10", -1},    {"", "0", 0},          {"", "0.1", -1},
		{"1.18446744073709551616", "1.18446744073709551615", 1}, {"99999999999999999999", "1", 1},
	};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		struct sj_slice a = sj_slice_of(pairs[i].a), b = sj_slice_of(pairs[i].b);
		int one = sj_a2a_version_cmp(a, b), other = sj_a2a_version_cmp(b, a);
		CHECK_INT((one > 0) - (one < 0), pairs[i].order);
		CHECK_INT((other > 0) - (other < 0), -pairs[i].order);
	}
}

SJ_TEST(uris_and_dialects)
{
	static const char *const no[] = {"",          BASE,          BASE "1.",
	                                 BASE ".1",   BASE "1..0",   BASE "1.0/",
	                                 BASE "1.0 ", BASE "x",      "http://a2ui.org/a2a-extension/a2ui/v1.0",
	                                 "v1.0",      BASE "1.0-rc1"};
	struct sj_slice v;
	CHECK(sj_a2a_uri_version(SJ_LIT(BASE "0.9.1"), &v));
	CHECK_STR(v, "0.9.1");
	for (size_t i = 0; i < sizeof no / sizeof *no; i++)
		CHECK(!sj_a2a_uri_version(sj_slice_of(no[i]), &v));
	for (int i = 0; i < SJ_A2A_NDIALECTS; i++) {
		const struct sj_a2a_dialect *d = &SJ_A2A_DIALECTS[i];
		CHECK(sj_a2a_dialect(sj_slice_of(d->version)) == d);
		CHECK(sj_a2a_dialect(sj_slice_of(d->version + 1)) == d);
		CHECK(sj_a2a_dialect(sj_slice_of(d->uri)) == d);
		CHECK(i == 0 || sj_a2a_version_cmp(sj_slice_of(d[-1].version + 1), sj_slice_of(d->version + 1)) < 0);
	}
	CHECK_STR(sj_slice_of(sj_a2a_dialect(SJ_LIT("v1.0"))->uri), "https://a2ui.org/a2a-extension/a2ui/v1.0");
	CHECK_STR(sj_slice_of(sj_a2a_dialect(SJ_LIT("0.8"))->mime), "application/json+a2ui");
	CHECK_STR(sj_slice_of(sj_a2a_dialect(SJ_LIT("0.9"))->mime), "application/a2ui+json");
	CHECK(!sj_a2a_dialect(SJ_LIT("")));
	CHECK(!sj_a2a_dialect(SJ_LIT("vv1.0")));
	CHECK(!sj_a2a_dialect(SJ_LIT("1.1")));
}

SJ_TEST(newest_in_common)
{
	static const struct {
		const char *requested, *advertised, *newest;
	} cases[] = {
		{"[\"" BASE "0.8\"]", "[\"" BASE "0.8\"]", BASE "0.8"},
		{"[]", "[\"" BASE "0.8\"]", NULL},
		{"[\"" BASE "0.8\"]", "[]", NULL},
		{"[\"" BASE "0.9\",\"" BASE "1.0\",\"" BASE "0.9.1\"]", NULL, BASE "1.0"},
		{"[\"" BASE "0.9\",\"" BASE "0.9.1\",\"" BASE "7.0\"]", NULL, BASE "0.9.1"},
		{"[\"" BASE "1.0.0\"]", NULL, NULL}, /* identifiers are compared as they are written */
		{"[\"" BASE "1.9\",\"" BASE "1.10\",\"" BASE "1.11\"]", "[\"" BASE "1.9\",\"" BASE "1.10\"]",
	         BASE "1.10"},
		{"[\"urn:other\",7,null,\"" BASE "0.8\"]", "[\"urn:other\",\"" BASE "0.8\"]", BASE "0.8"},
		{"[\"urn:other\"]", "[\"urn:other\"]", NULL},
		{"\"" BASE "0.8\"", NULL, NULL},
		{"[\"" BASE "0.8\"]", "{}", NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sj_value r = json(cases[i].requested),
				a = cases[i].advertised ? json(cases[i].advertised) : SJ_NULL_VALUE;
		struct sj_slice uri = SJ_NO_SLICE;
		sj_case("%zu", i);
		CHECK_INT(sj_a2a_newest(&r, cases[i].advertised ? &a : NULL, &uri), cases[i].newest != NULL);
		if (cases[i].newest)
			CHECK_STR(uri, cases[i].newest);
		sj_case_end();
		sj_value_unref(sj_test_mem(), r);
		sj_value_unref(sj_test_mem(), a);
	}
	CHECK(!sj_a2a_newest(NULL, NULL, &(struct sj_slice){NULL, 0}));
}

SJ_TEST(header)
{
	struct sj_slice rest = SJ_LIT(" urn:a ,urn:b,, \t,urn:c\t"), uri;
	CHECK(sj_a2a_header_next(&rest, &uri));
	CHECK_STR(uri, "urn:a");
	CHECK(sj_a2a_header_next(&rest, &uri));
	CHECK_STR(uri, "urn:b");
	CHECK(sj_a2a_header_next(&rest, &uri));
	CHECK_STR(uri, "urn:c");
	CHECK(!sj_a2a_header_next(&rest, &uri));
	rest = SJ_NO_SLICE;
	CHECK(!sj_a2a_header_next(&rest, &uri));
}

SJ_TEST(requested_by_a_message)
{
	struct sj_value m = json("{\"extensions\":[\"urn:a\",5],\"metadata\":{\"X-A2A-Extensions\":\"urn:b, urn:c\"}}"),
			list = json("[\"urn:header\"]"),
			other = json("{\"metadata\":{\"X-A2A-Extensions\":[\"urn:d\"]}}");
	CHECK_OK(sj_a2a_requested(sj_test_mem(), &m, &list));
	CHECK_OK(sj_a2a_requested(sj_test_mem(), &other, &list));
	CHECK_JSON(list, "[\"urn:header\",\"urn:a\",\"urn:b\",\"urn:c\",\"urn:d\"]");
	sj_value_unref(sj_test_mem(), m);
	sj_value_unref(sj_test_mem(), other);
}

SJ_TEST(agent_card)
{
	struct sj_value out, ids = json("[\"a\",\"b\"]");
	struct sj_diag d = {0};
	CHECK_OK(sj_a2a_extension(sj_test_mem(), SJ_LIT("0.8"), NULL, false, &out, &d));
	CHECK_JSON(out, "{\"uri\":\"" BASE "0.8\",\"description\":\"Shows user interfaces described with A2UI.\"}");
	CHECK_OK(sj_a2a_extension(sj_test_mem(), SJ_LIT("v1.0"), &ids, true, &out, &d));
	CHECK_JSON(out, "{\"uri\":\"" BASE "1.0\",\"description\":\"Shows user interfaces described with A2UI.\",\"params\":{\"supportedCatalogIds\":[\"a\",\"b\"],\"acceptsInlineCatalogs\":true}}");
	CHECK_OK(sj_a2a_extension(sj_test_mem(), SJ_LIT("1.0"), NULL, true, &out, &d));
	CHECK_JSON(out, "{\"uri\":\"" BASE "1.0\",\"description\":\"Shows user interfaces described with A2UI.\",\"params\":{\"acceptsInlineCatalogs\":true}}");
	CHECK_INT(sj_a2a_extension(sj_test_mem(), SJ_LIT("latest"), NULL, false, &out, &d), SJ_INVALID);
	CHECK_STR(sj_slice_of(d.message), "'latest' is no version of A2UI");
	sj_value_unref(sj_test_mem(), ids);
}

SJ_TEST(mime_types)
{
	static const char *const yes[] = {"application/a2ui+json", "application/json+a2ui", "Application/A2UI+JSON",
	                                  "application/a2ui+json; charset=utf-8", "application/a2ui+json ;a=b"};
	static const char *const no[] = {"", "application/json", "application/a2ui+jso", "application/a2ui+json2", ";",
	                                 "text/a2ui+json"};
	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
		CHECK(sj_a2a_is_mime(sj_slice_of(yes[i])));
	for (size_t i = 0; i < sizeof no / sizeof *no; i++)
		CHECK(!sj_a2a_is_mime(sj_slice_of(no[i])));
}

static void check_messages(int line, const char *part, enum sj_status want, const char *messages)
{
	struct sj_value p = json(part), out = SJ_ABSENT_VALUE;
	struct sj_diag d = {0};
	enum sj_status got = sj_a2a_part_messages(sj_test_mem(), &p, &out, &d);
	if (got != want)
		sj_fail_at(__FILE__, line, "status %d, want %d", (int)got, (int)want);
	if (want == SJ_OK)
		check_json(line, out, messages);
	if (want == SJ_INVALID)
		CHECK_STR(sj_slice_of(d.pointer), "/data");
	CHECK_INT(sj_a2a_part_is_a2ui(&p), want != SJ_ABSENT);
	sj_value_unref(sj_test_mem(), p);
}
#define CHECK_MESSAGES(part, status, messages) check_messages(__LINE__, (part), (status), (messages))

SJ_TEST(parts_are_read)
{
	CHECK_MESSAGES("{\"kind\":\"data\",\"data\":{\"a\":1},\"metadata\":{\"mimeType\":\"application/json+a2ui\"}}", SJ_OK, "[{\"a\":1}]");
	CHECK_MESSAGES("{\"kind\":\"data\",\"data\":[{\"a\":1},{\"b\":2}],\"metadata\":{\"mimeType\":\"application/a2ui+json\"}}", SJ_OK, "[{\"a\":1},{\"b\":2}]");
	CHECK_MESSAGES("{\"data\":[],\"mediaType\":\"application/a2ui+json\"}", SJ_OK, "[]");
	CHECK_MESSAGES("{\"kind\":\"data\",\"data\":\"x\",\"metadata\":{\"mimeType\":\"application/a2ui+json\"}}", SJ_INVALID, NULL);
	CHECK_MESSAGES("{\"kind\":\"data\",\"metadata\":{\"mimeType\":\"application/a2ui+json\"}}", SJ_ABSENT, NULL);
	CHECK_MESSAGES("{\"kind\":\"data\",\"data\":{},\"metadata\":{\"mimeType\":\"application/json\"}}", SJ_ABSENT, NULL);
	CHECK_MESSAGES("{\"kind\":\"data\",\"data\":{},\"metadata\":{\"mimeType\":7}}", SJ_ABSENT, NULL);
	CHECK_MESSAGES("{\"kind\":\"text\",\"text\":\"x\"}", SJ_ABSENT, NULL);
	CHECK_MESSAGES("[]", SJ_ABSENT, NULL);
}

static void check_put(int line, const char *version, const char *messages, const char *want)
{
	struct sj_value m = json(messages), parts = json("[0]");
	CHECK_OK(sj_a2a_put_messages(sj_test_mem(), version ? sj_a2a_dialect(sj_slice_of(version)) : NULL, &m, &parts));
	check_json(line, parts, want);
	sj_value_unref(sj_test_mem(), m);
}

#define DATA(json, mime) "{\"kind\":\"data\",\"data\":" json ",\"metadata\":{\"mimeType\":\"" mime "\"}}"

SJ_TEST(messages_become_parts)
{
	check_put(__LINE__, "0.8", "[{\"a\":1},{\"b\":2}]",
	          "[0," DATA("{\"a\":1}", SJ_A2A_MIME_V08) "," DATA("{\"b\":2}", SJ_A2A_MIME_V08) "]");
	check_put(__LINE__, NULL, "[{\"a\":1}]", "[0," DATA("{\"a\":1}", SJ_A2A_MIME_V08) "]");
	check_put(__LINE__, "1.0", "[{\"version\":\"v1.0\"},{\"version\":\"v1.0\",\"b\":2}]",
	          "[0," DATA("[{\"version\":\"v1.0\"},{\"version\":\"v1.0\",\"b\":2}]", SJ_A2A_MIME) "]");
	check_put(__LINE__, "0.9", "[{\"version\":\"v0.9\"},{\"old\":1},{\"version\":\"v0.8\"},{\"version\":\"v0.9\"}]",
	          "[0," DATA("[{\"version\":\"v0.9\"}]", SJ_A2A_MIME) "," DATA("{\"old\":1}", SJ_A2A_MIME) ","
	          DATA("{\"version\":\"v0.8\"}", SJ_A2A_MIME) "," DATA("[{\"version\":\"v0.9\"}]", SJ_A2A_MIME) "]");
	check_put(__LINE__, "1.0", "[]", "[0]");
}

SJ_TEST(metadata_of_each_version)
{
	static const struct {
		const char *version, *want;
	} cases[] = {
		{"0.8", "{\"a2uiClientCapabilities\":{\"c\":1},\"a2uiClientDataModel\":{\"d\":2}}"},
		{"0.9", "{\"a2uiClientCapabilities\":{\"c\":1},\"a2uiClientDataModel\":{\"d\":2}}"},
		{"0.9.1", "{\"a2uiClientCapabilities\":{\"c\":1},\"a2uiClientDataModel\":{\"d\":2}}"},
		{"1.0", "{\"a2uiRendererCapabilities\":{\"c\":1},\"a2uiRendererDataModel\":{\"d\":2}}"},
	};
	struct sj_value caps = json("{\"c\":1}"), model = json("{\"d\":2}"), absent = SJ_ABSENT_VALUE;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sj_value m = json("{}");
		CHECK_OK(sj_a2a_metadata(sj_test_mem(), sj_a2a_dialect(sj_slice_of(cases[i].version)), &caps, &model,
		                         &m));
		CHECK(sj_a2a_capabilities(&m) && sj_value_equal(sj_a2a_capabilities(&m), &caps));
		CHECK(sj_a2a_data_model(&m) && sj_value_equal(sj_a2a_data_model(&m), &model));
		CHECK_JSON(m, cases[i].want);
	}
	struct sj_value m = json("{}");
	CHECK_OK(sj_a2a_metadata(sj_test_mem(), &SJ_A2A_DIALECTS[3], NULL, &absent, &m));
	CHECK(!sj_a2a_capabilities(&m));
	CHECK_JSON(m, "{}");
	m = json("{\"a2uiClientCapabilities\":1,\"a2uiRendererCapabilities\":2}");
	CHECK_INT(sj_a2a_capabilities(&m)->u.i, 2); /* the newer spelling wins */
	CHECK(!sj_a2a_data_model(&m));
	sj_value_unref(sj_test_mem(), m);
	CHECK(!sj_a2a_capabilities(NULL));
	sj_value_unref(sj_test_mem(), caps);
	sj_value_unref(sj_test_mem(), model);
}

static enum sj_status read_request(const char *text, struct sj_a2a_request *r, struct sj_diag *d)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	*d = (struct sj_diag){0};
	return sj_a2a_request_read(sj_test_mem(), &opt, sj_slice_of(text), r, d);
}

SJ_TEST(request_and_reply)
{
	struct sj_a2a_request r;
	struct sj_diag d;
	struct sj_buf out;
	struct sj_value parts = json("[{\"kind\":\"text\",\"text\":\"hi\"}]");
	sj_buf_init(&out, sj_test_mem(), 0);
	CHECK_OK(read_request("{\"jsonrpc\":\"2.0\",\"method\":\"message/stream\",\"id\":\"a-rather-long-identifier\",\"params\":{\"message\":{\"contextId\":\"ctx\",\"parts\":[]}}}", &r, &d));
	CHECK_INT(r.method, SJ_A2A_STREAM);
	CHECK_STR(r.context_id, "ctx");
	sj_a2a_reply(&out, &r, SJ_LIT("m1"), &parts);
	CHECK_STR(sj_buf_view(&out), "{\"jsonrpc\":\"2.0\",\"id\":\"a-rather-long-identifier\",\"result\":{\"kind\":\"message\",\"messageId\":\"m1\",\"contextId\":\"ctx\",\"role\":\"agent\",\"parts\":[{\"kind\":\"text\",\"text\":\"hi\"}]}}");
	sj_a2a_request_finish(sj_test_mem(), &r);
	CHECK_OK(read_request("{\"jsonrpc\":\"2.0\",\"method\":\"message/send\",\"id\":7,\"params\":{\"message\":{\"parts\":[]}}}", &r, &d));
	CHECK_INT(r.method, SJ_A2A_SEND);
	CHECK_INT(r.context_id.len, 0);
	sj_buf_clear(&out);
	sj_a2a_reply(&out, &r, SJ_LIT("m2"), &parts);
	CHECK_STR(sj_buf_view(&out), "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"kind\":\"message\",\"messageId\":\"m2\",\"role\":\"agent\",\"parts\":[{\"kind\":\"text\",\"text\":\"hi\"}]}}");
	sj_a2a_request_finish(sj_test_mem(), &r);
	sj_value_unref(sj_test_mem(), parts);
	sj_buf_finish(&out);
}

SJ_TEST(bad_requests_are_refused)
{
	static const struct {
		const char *text, *pointer, *id;
		int code;
	} cases[] = {
		{"{broken", "", "null", -32700},
		{"[]", "", "null", -32600},
		{"{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"message/send\"}", "/id", "null", -32600},
		{"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"message/send\"}", "/jsonrpc", "1", -32600},
		{"{\"id\":1,\"method\":\"message/send\"}", "/jsonrpc", "1", -32600},
		{"{\"jsonrpc\":\"2.0\",\"id\":1}", "/method", "1", -32600},
		{"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"tasks/get\"}", "/method", "\"x\"", -32601},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\"}", "/params/message", "1", -32602},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\",\"params\":{\"message\":{}}}", "/params/message/parts", "1", -32602},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"message/send\",\"params\":{\"message\":{\"parts\":[],\"contextId\":1}}}", "/params/message/contextId", "1", -32602},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sj_a2a_request r;
		struct sj_diag d;
		struct sj_buf out, want;
		sj_case("%zu", i);
		sj_buf_init(&out, sj_test_mem(), 0);
		sj_buf_init(&want, sj_test_mem(), 0);
		CHECK_INT(read_request(cases[i].text, &r, &d), SJ_INVALID);
		CHECK_STR(sj_slice_of(d.pointer), cases[i].pointer);
		sj_a2a_refusal(&out, &r, &d);
		sj_buf_printf(&want, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%d,\"message\":\"", cases[i].id,
		              cases[i].code);
		CHECK(sj_slice_starts(sj_buf_view(&out), want.ptr));
		sj_a2a_request_finish(sj_test_mem(), &r);
		sj_buf_finish(&out);
		sj_buf_finish(&want);
		sj_case_end();
	}
}

/* ---- every allocation may fail ----------------------------------------------------------------------------------- */

static enum sj_status all_of_it(struct sj_mem *mem, void *ctx)
{
	(void)ctx;
	static const char text[] = "{\"jsonrpc\":\"2.0\",\"method\":\"message/send\",\"id\":\"a-rather-long-identifier\",\"params\":{\"message\":{\"contextId\":\"ctx\",\"parts\":[{\"data\":{\"a\":\"long enough to be counted\"},\"mediaType\":\"application/a2ui+json\"}],\"extensions\":[\"" BASE "1.0\"],\"metadata\":{\"X-A2A-Extensions\":\"" BASE "0.9, " BASE "0.8\"}}}}";
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_a2a_request r;
	struct sj_diag d = {0};
	struct sj_value uris, parts, messages, card, metadata;
	enum sj_status status = sj_a2a_request_read(mem, &opt, SJ_LIT(text), &r, &d);
	uris = parts = messages = card = metadata = SJ_ABSENT_VALUE;
	if (status == SJ_OK)
		status = sj_value_array(mem, &uris);
	if (status == SJ_OK)
		status = sj_a2a_requested(mem, &r.message, &uris);
	if (status == SJ_OK)
		status = sj_a2a_extension(mem, SJ_LIT("1.0"), &uris, true, &card, &d);
	if (status == SJ_OK)
		status = sj_value_object(mem, &metadata);
	if (status == SJ_OK)
		status = sj_a2a_metadata(mem, &SJ_A2A_DIALECTS[3], &card, &card, &metadata);
	if (status == SJ_OK)
		status = sj_a2a_part_messages(mem, sj_value_item(sj_value_get(&r.message, SJ_LIT("parts")), 0),
		                              &messages, &d);
	if (status == SJ_OK)
		status = sj_value_array(mem, &parts);
	if (status == SJ_OK)
		status = sj_a2a_put_messages(mem, &SJ_A2A_DIALECTS[3], &messages, &parts);
	if (status == SJ_OK)
		CHECK_INT(sj_value_count(&parts), 1);
	sj_value_unref(mem, uris);
	sj_value_unref(mem, parts);
	sj_value_unref(mem, messages);
	sj_value_unref(mem, card);
	sj_value_unref(mem, metadata);
	sj_a2a_request_finish(mem, &r);
	return status;
}

SJ_TEST(torture) { sj_torture(all_of_it, NULL); }
