/* Events of an agent kit become A2A updates; its tool answers the model. */
#include "wire/adk.h"
#include "base/limits.h"
#include "harness/test.h"

static struct sj_value json(const char *text)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v = SJ_NULL_VALUE;
	CHECK_OK(sj_value_parse(sj_test_mem(), &opt, sj_slice_of(text), &v, NULL));
	return v;
}

/* A language of this test: "a|b" is text a and a message {"m": b}; "!" cannot be read. */
static enum sj_status split(void *ctx, struct sj_slice text, struct sj_value *parts)
{
	struct sj_mem *mem = ctx;
	struct sj_value part, messages, message;
	size_t n = 0;
	while (n < text.len && text.ptr[n] != '|')
		n++;
	enum sj_status status = sj_a2a_text_part(mem, sj_slice(text.ptr, n), &part);
	if (status == SJ_OK)
		status = sj_value_append(mem, parts, part);
	if (status == SJ_OK && text.len > 0 && text.ptr[text.len - 1] == '!')
		return SJ_INVALID;
	if (status != SJ_OK || n == text.len)
		return status;
	status = sj_value_array(mem, &messages);
	if (status != SJ_OK)
		return status;
	status = sj_value_object(mem, &message);
	if (status == SJ_OK) {
		status = sj_value_set(mem, &message, SJ_LIT("version"), sj_value_int(1));
		if (status == SJ_OK)
			status = sj_value_append(mem, &messages, message);
		else
			sj_value_unref(mem, message);
	}
	if (status == SJ_OK)
		status = sj_a2a_put_messages(mem, &SJ_A2A_DIALECTS[3], &messages, parts);
	sj_value_unref(mem, messages);
	return status;
}

static enum sj_status read_list(void *ctx, struct sj_slice text, struct sj_value *messages, struct sj_diag *diag)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	enum sj_status status = sj_value_parse(ctx, &opt, text, messages, diag);
	if (status == SJ_OK && messages->type != SJ_V_ARRAY) {
		sj_value_unref(ctx, *messages);
		sj_diag_pointer(diag, "/0");
		return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION, "no list");
	}
	return status;
}

static struct sj_adk_options options(struct sj_mem *mem)
{
	return (struct sj_adk_options){.dialect = &SJ_A2A_DIALECTS[3],
	                               .has_catalog = true,
	                               .task_id = SJ_LIT("t"),
	                               .context_id = SJ_LIT("c"),
	                               .message_id = SJ_LIT("m"),
	                               .split = split,
	                               .read = read_list,
	                               .ctx = mem};
}

#define UPDATE(state, parts)                                                                                           \
	"{\"status\":{\"message\":{\"parts\":[" parts                                                                  \
	"],\"kind\":\"message\",\"messageId\":\"m\",\"role\":\"agent\"},\"state\":\"" state                            \
	"\"},\"kind\":\"status-update\",\"taskId\":\"t\",\"contextId\":\"c\",\"final\":false}"
#define TEXT(s) "{\"kind\":\"text\",\"text\":\"" s "\"}"
#define A2UI(data) "{\"kind\":\"data\",\"data\":" data ",\"metadata\":{\"mimeType\":\"application/a2ui+json\"}}"
#define CALL(data, more) "{\"kind\":\"data\",\"data\":" data ",\"metadata\":{\"adk_type\":\"function_call\"" more "}}"

static const struct {
	const char *name, *event, *want;
} events[] = {
	{"failure", "{\"errorCode\":\"E\",\"errorMessage\":\"Server crash\"}", UPDATE("failed", TEXT("Server crash"))},
	{"failure in snake case", "{\"error_code\":\"E\",\"error_message\":\"Server crash\"}",
         UPDATE("failed", TEXT("Server crash"))},
	{"failure without words", "{\"errorCode\":\"E\",\"errorMessage\":null}",
         UPDATE("failed", TEXT("The agent failed while it was working."))},
	{"no failure", "{\"errorCode\":null}", ""},
	{"text", "{\"content\":{\"parts\":[{\"text\":\"hello\"}]}}", UPDATE("working", TEXT("hello"))},
	{"text with messages", "{\"content\":{\"parts\":[{\"text\":\"hello|x\"},{\"text\":\"bye\"}]}}",
         UPDATE("working", TEXT("hello") "," A2UI("[{\"version\":1}]") "," TEXT("bye"))},
	{"text that cannot be read", "{\"content\":{\"parts\":[{\"text\":\"a|b!\"}]}}",
         UPDATE("working", TEXT("a|b!"))},
	{"failure and text", "{\"errorCode\":\"E\",\"errorMessage\":\"x\",\"content\":{\"parts\":[{\"text\":\"y\"}]}}",
         UPDATE("failed", TEXT("x")) "," UPDATE("working", TEXT("y"))},
	{"call", "{\"content\":{\"parts\":[{\"functionCall\":{\"id\":\"1\",\"name\":\"f\"}}]}}",
         UPDATE("working", CALL("{\"id\":\"1\",\"name\":\"f\"}", ""))},
	{"long-running call",
         "{\"longRunningToolIds\":[\"1\"],\"content\":{\"parts\":[{\"function_call\":{\"id\":\"1\",\"name\":\"f\"}}]}}",
         UPDATE("input-required", CALL("{\"id\":\"1\",\"name\":\"f\"}", ",\"adk_is_long_running\":true"))},
	{"credential",
         "{\"long_running_tool_ids\":[\"1\"],\"content\":{\"parts\":[{\"functionCall\":{\"id\":\"1\",\"name\":\"adk_request_credential\"}}]}}",
         UPDATE("auth-required",
                CALL("{\"id\":\"1\",\"name\":\"adk_request_credential\"}", ",\"adk_is_long_running\":true"))},
	{"call of the tool is not shown",
         "{\"content\":{\"parts\":[{\"functionCall\":{\"id\":\"1\",\"name\":\"send_a2ui_json_to_client\"}}]}}", ""},
	{"answer of the tool",
         "{\"content\":{\"parts\":[{\"functionResponse\":{\"name\":\"send_a2ui_json_to_client\",\"response\":{\"validated_a2ui_json\":[{\"version\":\"v1.0\"}]}}}]}}",
         UPDATE("working", A2UI("[{\"version\":\"v1.0\"}]"))},
	{"refusal of the tool",
         "{\"content\":{\"parts\":[{\"functionResponse\":{\"name\":\"send_a2ui_json_to_client\",\"response\":{\"error\":\"no\"}}}]}}",
         ""},
	{"answer of another", "{\"content\":{\"parts\":[{\"functionResponse\":{\"name\":\"f\",\"response\":1}}]}}",
         UPDATE("working",
                "{\"kind\":\"data\",\"data\":{\"name\":\"f\",\"response\":1},\"metadata\":{\"adk_type\":\"function_response\"}}")},
	{"odd shapes", "{\"content\":{\"parts\":[7,{},{\"text\":5}]},\"longRunningToolIds\":{\"a\":1}}", ""},
	{"parts is no list", "{\"content\":{\"parts\":{\"text\":\"x\"}}}", ""},
};

SJ_TEST(events)
{
	struct sj_adk_options opt = options(sj_test_mem());
	for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
		struct sj_value event = json(events[i].event), got = json("[]");
		struct sj_diag d = {0};
		struct sj_buf out, want;
		sj_buf_init(&out, sj_test_mem(), 0);
		sj_buf_init(&want, sj_test_mem(), 0);
		sj_case("%s", events[i].name);
		CHECK_OK(sj_adk_convert(sj_test_mem(), &opt, &event, &got, &d));
		sj_value_print(&out, &got, SJ_PRINT_COMPACT);
		sj_buf_printf(&want, "[%s]", events[i].want);
		CHECK_SLICE(sj_buf_view(&out), sj_buf_view(&want));
		sj_case_end();
		sj_buf_finish(&out);
		sj_buf_finish(&want);
		sj_value_unref(sj_test_mem(), event);
		sj_value_unref(sj_test_mem(), got);
	}
}

SJ_TEST(without_a_catalog_nothing_is_converted)
{
	struct sj_adk_options opt = options(sj_test_mem());
	struct sj_value event = json("{\"errorCode\":\"E\",\"content\":{\"parts\":[{\"text\":\"x\"}]}}"), got = json("[]"),
			bad = json("[]");
	struct sj_diag d = {0};
	opt.has_catalog = false;
	CHECK_OK(sj_adk_convert(sj_test_mem(), &opt, &event, &got, &d));
	CHECK_INT(sj_value_count(&got), 0);
	CHECK_INT(sj_adk_convert(sj_test_mem(), &opt, &bad, &got, &d), SJ_INVALID);
	CHECK_STR(sj_slice_of(d.message), "an event is an object");
	sj_value_unref(sj_test_mem(), event);
	sj_value_unref(sj_test_mem(), got);
	sj_value_unref(sj_test_mem(), bad);
}

SJ_TEST(timestamps)
{
	struct sj_adk_options opt = options(sj_test_mem());
	struct sj_value event = json("{\"content\":{\"parts\":[{\"text\":\"x\"}]}}"), got = json("[]");
	opt.timestamp = SJ_LIT("2026-01-02T03:04:05Z");
	opt.split = NULL;
	CHECK_OK(sj_adk_convert(sj_test_mem(), &opt, &event, &got, NULL));
	CHECK_STR(sj_value_text(sj_value_at(&got, SJ_LIT("/0/status/timestamp"))), "2026-01-02T03:04:05Z");
	CHECK_STR(sj_value_text(sj_value_at(&got, SJ_LIT("/0/status/message/parts/0/text"))), "x");
	sj_value_unref(sj_test_mem(), event);
	sj_value_unref(sj_test_mem(), got);
}

SJ_TEST(tool)
{
	static const struct {
		const char *args, *want;
	} cases[] = {
		{"{\"a2ui_json\":\"[{\\\"a\\\":1}]\"}", "{\"validated_a2ui_json\":[{\"a\":1}]}"},
		{"{\"a2ui_json\":[{\"a\":1}]}", "{\"validated_a2ui_json\":[{\"a\":1}]}"},
		{"{\"wrongArg\":\"b\"}",
	         "{\"error\":\"Failed to call tool send_a2ui_json_to_client: missing required arg a2ui_json\"}"},
		{"[]", "{\"error\":\"Failed to call tool send_a2ui_json_to_client: missing required arg a2ui_json\"}"},
		{"{\"a2ui_json\":\"{}\"}", "{\"error\":\"Failed to call tool send_a2ui_json_to_client: no list at /0\"}"},
	};
	struct sj_adk_options opt = options(sj_test_mem());
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sj_value args = json(cases[i].args), got = SJ_ABSENT_VALUE;
		struct sj_buf out;
		sj_buf_init(&out, sj_test_mem(), 0);
		CHECK_OK(sj_adk_run_tool(sj_test_mem(), &opt, &args, &got));
		sj_value_print(&out, &got, SJ_PRINT_COMPACT);
		CHECK_STR(sj_buf_view(&out), cases[i].want);
		sj_buf_finish(&out);
		sj_value_unref(sj_test_mem(), args);
		sj_value_unref(sj_test_mem(), got);
	}
}

static enum sj_status torture(struct sj_mem *mem, void *ctx)
{
	static const char text[] = "{\"errorCode\":\"E\",\"longRunningToolIds\":[\"1\"],\"content\":{\"parts\":[{\"text\":\"hello|x\"},{\"text\":\"a!\"},{\"functionCall\":{\"id\":\"1\",\"name\":\"some_function\"}},{\"functionResponse\":{\"name\":\"send_a2ui_json_to_client\",\"response\":{\"validated_a2ui_json\":[{\"version\":\"v1.0\"}]}}}]}}";
	struct sj_json_options json_opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_adk_options opt = options(mem);
	struct sj_value event = SJ_ABSENT_VALUE, list = SJ_ABSENT_VALUE, args = SJ_ABSENT_VALUE,
			result = SJ_ABSENT_VALUE;
	struct sj_diag d = {0};
	(void)ctx;
	opt.timestamp = SJ_LIT("2026-01-02T03:04:05Z");
	enum sj_status status = sj_value_parse(mem, &json_opt, SJ_LIT(text), &event, NULL);
	if (status == SJ_OK)
		status = sj_value_array(mem, &list);
	if (status == SJ_OK) {
		status = sj_adk_convert(mem, &opt, &event, &list, &d);
		CHECK_INT(sj_value_count(&list), status == SJ_OK ? 2 : 0);
	}
	if (status == SJ_OK)
		status = sj_value_parse(mem, &json_opt, SJ_LIT("{\"a2ui_json\":[{\"a\":\"a text of some length\"}]}"),
		                        &args, NULL);
	if (status == SJ_OK)
		status = sj_adk_run_tool(mem, &opt, &args, &result);
	sj_value_unref(mem, result);
	sj_value_unref(mem, args);
	sj_value_unref(mem, list);
	sj_value_unref(mem, event);
	return status;
}

SJ_TEST(every_allocation_may_fail) { sj_torture(torture, NULL); }
