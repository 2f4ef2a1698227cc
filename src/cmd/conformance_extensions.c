/* Conformance: the extensions for A2A and ADK. */
#include "cmd/conformance.h"
#include "cmd/match.h"
#include "infer/legacy_stream.h"
#include "wire/adk.h"

static const struct sj_value *arg(const struct trial *t, const char *key)
{
	return cmd_member(case_member(t, "args"), key);
}

static struct sj_slice text_of(const struct sj_value *v)
{
	return v && sj_value_is_string(v) ? sj_value_text(v) : SJ_NO_SLICE;
}

static bool is_true(const struct sj_value *v) { return v && v->type == SJ_V_TRUE; }

/* What a case expects is a value; `take` is what was found. */
static void match_value(struct trial *t, const char *what, struct sj_value take)
{
	const struct sj_value *want = case_member(t, "expect");
	if (want)
		trial_match(t, what, want, &take, true);
	else
		trial_fail(t, "the case expects nothing");
	sj_value_unref(t->mem, take);
}

/* ---- what an agent said ------------------------------------------------------------------------------------------ */

static enum sj_status put_text(struct sj_mem *mem, const struct sj_part *p, struct sj_value *parts)
{
	struct sj_value part;
	if (!p->text || p->len == 0)
		return SJ_OK;
	enum sj_status st = sj_a2a_text_part(mem, sj_slice(p->text, p->len), &part);
	return st == SJ_OK ? sj_value_append(mem, parts, part) : st;
}

/* The A2A parts of a model's answer: its text, and the messages between its tags. The suite does not say which dialect
 * was agreed on, so the newest is written. An answer without tags, or with a block that cannot be read, is text. */
static enum sj_status split_text(void *ctx, struct sj_slice text, struct sj_value *parts)
{
	struct sj_mem *mem = ctx;
	struct sj_parts said = {0};
	struct sj_diag d = {0};
	enum sj_status st = sj_legacy_parse(mem, text, &said, &d);
	for (uint32_t i = 0; st == SJ_OK && i < said.list.count; i++) {
		const struct sj_part *p = &said.list.items[i];
		st = put_text(mem, p, parts);
		if (st == SJ_OK && p->kind == SJ_PART_MESSAGES)
			st = sj_a2a_put_messages(mem, &SJ_A2A_DIALECTS[SJ_A2A_NDIALECTS - 1], &p->messages, parts);
	}
	sj_parts_finish(mem, &said);
	return st;
}

static enum sj_status read_messages(void *ctx, struct sj_slice text, struct sj_value *messages, struct sj_diag *diag)
{
	return sj_legacy_fix(ctx, text, messages, diag);
}

/* ---- A2A --------------------------------------------------------------------------------------------------------- */

void act_create_part(struct trial *t)
{
	const struct sj_value *data = arg(t, "data"), *version = arg(t, "version");
	const struct sj_a2a_dialect *dialect = version ? sj_a2a_dialect(text_of(version)) : NULL;
	struct sj_value part, got;

	if (version && !dialect) {
		trial_fail(t, "version %.*s is not known", SJ_ARG(text_of(version)));
		return;
	}
	if (!data || sj_a2a_part(t->mem, dialect, sj_value_ref(*data), &part) != SJ_OK) {
		trial_fail(t, "no part could be made");
		return;
	}
	/* Whatever the case asks of the part, it must hold the data and be recognised. */
	trial_match(t, "data", data, cmd_member(&part, "data"), true);
	if (!value_text_is(cmd_member(&part, "kind"), "data") || !sj_a2a_part_is_a2ui(&part))
		trial_fail(t, "the part is not recognised as one of A2UI");
	if (sj_value_object(t->mem, &got) == SJ_OK) {
		const struct sj_value *mime = cmd_member(cmd_member(&part, "metadata"), "mimeType");
		value_put_text(t->mem, &got, "mimeType", text_of(mime));
		match_value(t, "part", got);
	}
	sj_value_unref(t->mem, part);
}

void act_is_part(struct trial *t)
{
	static const char frame[] = "{\"kind\":\"data\",\"data\":{},\"metadata\":{}}";
	const struct sj_value *given = arg(t, "part"), *mime = arg(t, "mimeType");
	struct sj_value part = given ? sj_value_ref(*given) : value_of_json(t->mem, SJ_LIT(frame));
	if (mime) {
		struct sj_value metadata;
		if (sj_value_object(t->mem, &metadata) == SJ_OK) {
			value_put(t->mem, &metadata, "mimeType", sj_value_ref(*mime));
			value_put(t->mem, &part, "metadata", metadata);
		}
	}
	match_value(t, "result", sj_value_bool(sj_a2a_part_is_a2ui(&part)));
	sj_value_unref(t->mem, part);
}

void act_get_extension(struct trial *t)
{
	struct sj_value card, got;
	struct sj_diag d = {0};
	if (sj_a2a_extension(t->mem, text_of(arg(t, "version")), arg(t, "supportedCatalogIds"),
	                     is_true(arg(t, "acceptsInlineCatalogs")), &card, &d) != SJ_OK) {
		trial_fail(t, "unexpected %s", d.message);
		return;
	}
	if (sj_value_object(t->mem, &got) == SJ_OK) {
		const struct sj_value *params = cmd_member(&card, "params");
		value_put_text(t->mem, &got, "uri", text_of(cmd_member(&card, "uri")));
		value_put(t->mem, &got, "params", params ? sj_value_ref(*params) : SJ_NULL_VALUE);
		match_value(t, "extension", got);
	}
	sj_value_unref(t->mem, card);
}

/* {KEY: uri or null, version: that of the uri} */
static void match_newest(struct trial *t, const char *key, bool with_version)
{
	struct sj_slice uri, version;
	struct sj_value got;
	bool found = sj_a2a_newest(arg(t, "requested"), arg(t, "advertised"), &uri);
	if (sj_value_object(t->mem, &got) != SJ_OK)
		return;
	if (!found)
		value_put(t->mem, &got, key, SJ_NULL_VALUE);
	else
		value_put_text(t->mem, &got, key, uri);
	if (found && with_version && sj_a2a_uri_version(uri, &version))
		value_put_text(t->mem, &got, "version", version);
	match_value(t, "result", got);
}

void act_try_activate(struct trial *t) { match_newest(t, "activated", true); }
void act_select_newest(struct trial *t) { match_newest(t, "newest", false); }

/* Of what this library speaks: nothing is advertised by the case. */
void act_try_activate_extension(struct trial *t)
{
	struct sj_slice uri;
	match_value(t, "result", sj_value_bool(sj_a2a_newest(arg(t, "uris"), NULL, &uri)));
}

/* A part in the words of the case: {kind, text} or {kind, mimeType, data}. */
static struct sj_value flat_part(struct trial *t, const struct sj_value *part)
{
	static const char *const kept[] = {"kind", "text", "data"};
	const struct sj_value *mime = cmd_member(cmd_member(part, "metadata"), "mimeType");
	struct sj_value out = value_of_json(t->mem, SJ_LIT("{}"));
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		if (cmd_member(part, kept[i]))
			value_put(t->mem, &out, kept[i], sj_value_ref(*cmd_member(part, kept[i])));
	if (mime)
		value_put(t->mem, &out, "mimeType", sj_value_ref(*mime));
	return out;
}

static void match_reply(struct trial *t, struct sj_slice reply, const struct sj_value *request)
{
	struct sj_value doc = value_of_json(t->mem, reply), got, list;
	const struct sj_value *result = cmd_member(&doc, "result"), *parts = cmd_member(result, "parts");
	trial_match(t, "id", cmd_member(request, "id"), cmd_member(&doc, "id"), true);
	if (!value_text_is(cmd_member(result, "role"), "agent") || !parts)
		trial_fail(t, "the reply holds no message of the agent");
	if (sj_value_object(t->mem, &got) == SJ_OK && sj_value_array(t->mem, &list) == SJ_OK) {
		for (uint32_t i = 0; parts && i < sj_value_count(parts); i++)
			if (sj_value_append(t->mem, &list, flat_part(t, sj_value_item(parts, i))) != SJ_OK)
				trial_fail(t, "out of memory");
		value_put(t->mem, &got, "parts", list);
		match_value(t, "reply", got);
	}
	sj_value_unref(t->mem, doc);
}

/* A request comes in as bytes, the model's output is split, and a reply goes out as bytes. */
void act_a2a_request(struct trial *t)
{
	const struct sj_value *request = arg(t, "request"), *output = arg(t, "runnerOutput");
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_a2a_request r;
	struct sj_value parts, part;
	struct sj_diag d = {0};
	struct sj_buf json, reply;

	sj_buf_init(&json, t->mem, 0);
	sj_buf_init(&reply, t->mem, 0);
	sj_value_print(&json, request, SJ_PRINT_COMPACT);
	if (sj_a2a_request_read(t->mem, &opt, sj_buf_view(&json), &r, &d) != SJ_OK) {
		trial_fail(t, "unexpected %s", d.message);
	} else if (sj_value_array(t->mem, &parts) == SJ_OK) {
		enum sj_status st = split_text(t->mem, text_of(output), &parts);
		if (st == SJ_INVALID && sj_value_truncate(t->mem, &parts, 0) == SJ_OK &&
		    sj_a2a_text_part(t->mem, text_of(output), &part) == SJ_OK)
			st = sj_value_append(t->mem, &parts, part);
		if (st != SJ_OK)
			trial_fail(t, "no parts could be made");
		sj_a2a_reply(&reply, &r, SJ_LIT("reply"), &parts);
		match_reply(t, sj_buf_view(&reply), request);
		sj_value_unref(t->mem, parts);
	}
	sj_a2a_request_finish(t->mem, &r);
	sj_buf_finish(&json);
	sj_buf_finish(&reply);
}

/* ---- ADK --------------------------------------------------------------------------------------------------------- */

/* The event of the kit that the case abbreviates. */
static struct sj_value event_of_case(struct trial *t)
{
	static const char *const kept[] = {"errorCode", "errorMessage"};
	const struct sj_value *text = arg(t, "contentText");
	struct sj_value event = value_of_json(t->mem, SJ_LIT("{}"));
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		if (arg(t, kept[i]))
			value_put(t->mem, &event, kept[i], sj_value_ref(*arg(t, kept[i])));
	if (text) {
		struct sj_buf json;
		sj_buf_init(&json, t->mem, 0);
		sj_buf_puts(&json, "{\"role\":\"model\",\"parts\":[{\"text\":");
		sj_value_print(&json, text, SJ_PRINT_COMPACT);
		sj_buf_puts(&json, "}]}");
		value_put(t->mem, &event, "content", value_of_json(t->mem, sj_buf_view(&json)));
		sj_buf_finish(&json);
	}
	return event;
}

/* {type, state, message} in the words of the case: TaskStatusUpdateEvent, FAILED, the texts of the message. */
static void match_update(struct trial *t, const struct sj_value *update)
{
	const struct sj_value *status = cmd_member(update, "status"),
			      *parts = cmd_member(cmd_member(status, "message"), "parts");
	struct sj_slice state = text_of(cmd_member(status, "state"));
	struct sj_value got;
	struct sj_buf text;

	if (sj_value_object(t->mem, &got) != SJ_OK)
		return;
	sj_buf_init(&text, t->mem, 0);
	for (size_t i = 0; i < state.len; i++) {
		char c = state.ptr[i];
		sj_buf_putc(&text, c == '-' ? '_' : c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
	}
	value_put_text(t->mem, &got, "state", sj_buf_view(&text));
	sj_buf_clear(&text);
	for (uint32_t i = 0; parts && i < sj_value_count(parts); i++)
		sj_buf_slice(&text, text_of(cmd_member(sj_value_item(parts, i), "text")));
	value_put_text(t->mem, &got, "message", sj_buf_view(&text));
	value_put_text(t->mem, &got, "type",
	               value_text_is(cmd_member(update, "kind"), "status-update") ? SJ_LIT("TaskStatusUpdateEvent")
	                                                                          : SJ_LIT("?"));
	sj_buf_finish(&text);
	match_value(t, "event", got);
}

void act_convert_event(struct trial *t)
{
	struct sj_adk_options opt = {.has_catalog = is_true(arg(t, "hasCatalog")),
	                             .task_id = SJ_LIT("task"),
	                             .context_id = SJ_LIT("context"),
	                             .message_id = SJ_LIT("message"),
	                             .split = split_text,
	                             .ctx = t->mem};
	struct sj_value event = event_of_case(t), events;
	struct sj_diag d = {0};
	if (sj_value_array(t->mem, &events) == SJ_OK) {
		uint32_t wanted = is_true(case_member(t, "expectEmpty")) ? 0 : 1;
		if (sj_adk_convert(t->mem, &opt, &event, &events, &d) != SJ_OK)
			trial_fail(t, "unexpected %s", d.message);
		else if (sj_value_count(&events) != wanted)
			trial_fail(t, "%u events, wanted %u", sj_value_count(&events), wanted);
		else if (wanted == 1)
			match_update(t, sj_value_item(&events, 0));
		sj_value_unref(t->mem, events);
	}
	sj_value_unref(t->mem, event);
}

/* {success, containsValidatedJson, errorContains} */
void act_execute_tool(struct trial *t)
{
	struct sj_adk_options opt = {.read = read_messages, .ctx = t->mem};
	const struct sj_value *args = case_member(t, "args"), *expect = case_member(t, "expect"),
			      *json = arg(t, "a2uiJson");
	struct sj_value given, result, want = SJ_ABSENT_VALUE;
	if (!args || !expect || sj_value_object(t->mem, &given) != SJ_OK)
		return;
	/* The case spells the tool's argument in its own way. */
	for (uint32_t i = 0; i < sj_value_count(args); i++) {
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(args, i, &key);
		if (v == json)
			value_put(t->mem, &given, SJ_ADK_TOOL_ARG, sj_value_ref(*v));
		else if (sj_value_set(t->mem, &given, key, sj_value_ref(*v)) != SJ_OK)
			trial_fail(t, "out of memory");
	}
	if (sj_adk_run_tool(t->mem, &opt, &given, &result) != SJ_OK) {
		trial_fail(t, "out of memory");
	} else {
		const struct sj_value *error = cmd_member(&result, "error"),
				      *text = cmd_member(expect, "errorContains"),
				      *valid = cmd_member(&result, SJ_ADK_TOOL_RESULT);
		if (is_true(cmd_member(expect, "success")) != (error == NULL))
			trial_fail(t, "%.*s", SJ_ARG(error ? text_of(error) : SJ_LIT("the tool succeeded")));
		if (text && !cmd_contains(text_of(error), text_of(text)))
			trial_fail(t, "the error is '%.*s'", SJ_ARG(text_of(error)));
		if (is_true(cmd_member(expect, "containsValidatedJson"))) {
			struct sj_value sent = value_of_json(t->mem, text_of(json));
			if (sent.type == SJ_V_ARRAY)
				want = sj_value_ref(sent);
			else if (sj_value_array(t->mem, &want) == SJ_OK &&
			         sj_value_append(t->mem, &want, sj_value_ref(sent)) != SJ_OK)
				trial_fail(t, "out of memory");
			trial_match(t, "validated", &want, valid, true);
			sj_value_unref(t->mem, want);
			sj_value_unref(t->mem, sent);
		}
		sj_value_unref(t->mem, result);
	}
	sj_value_unref(t->mem, given);
}
