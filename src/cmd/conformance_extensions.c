/* Conformance: the extensions for A2A and ADK. */
#include "cmd/conformance.h"
#include "cmd/match.h"
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
	                             .message_id = SJ_LIT("message")};
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
