#include "wire/adk.h"

static const struct sj_value *member(const struct sj_value *v, const char *camel, const char *snake)
{
	const struct sj_value *m = v && v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(camel)) : NULL;
	if (!m && v && v->type == SJ_V_OBJECT)
		m = sj_value_get(v, sj_slice_of(snake));
	return m && m->type != SJ_V_NULL ? m : NULL;
}

static const struct sj_value *text_member(const struct sj_value *v, const char *camel, const char *snake)
{
	const struct sj_value *m = member(v, camel, snake);
	return m && sj_value_is_string(m) ? m : NULL;
}

static enum sj_status put_text(struct sj_mem *mem, struct sj_value *object, const char *key, struct sj_slice text)
{
	struct sj_value v;
	enum sj_status status = sj_value_string(mem, text, &v);
	return status == SJ_OK ? sj_value_set(mem, object, sj_slice_of(key), v) : status;
}

/* ---- parts of a message ------------------------------------------------------------------------------------------ */

static enum sj_status put_text_part(struct sj_mem *mem, struct sj_slice text, struct sj_value *parts)
{
	struct sj_value part;
	enum sj_status status = sj_a2a_text_part(mem, text, &part);
	return status == SJ_OK ? sj_value_append(mem, parts, part) : status;
}

static enum sj_status put_model_text(struct sj_mem *mem, const struct sj_adk_options *opt, struct sj_slice text,
                                     struct sj_value *parts)
{
	uint32_t before = sj_value_count(parts);
	enum sj_status status = opt->split ? opt->split(opt->ctx, text, parts) : SJ_INVALID;
	if (status != SJ_INVALID && status != SJ_LIMIT)
		return status;
	status = sj_value_truncate(mem, parts, before);
	return status == SJ_OK ? put_text_part(mem, text, parts) : status;
}

/* {kind: "data", data, metadata: {adk_type, adk_is_long_running?}} */
static enum sj_status put_data_part(struct sj_mem *mem, const struct sj_value *data, const char *type,
                                    bool long_running, struct sj_value *parts)
{
	struct sj_value part, metadata;
	enum sj_status status = sj_value_object(mem, &part);
	if (status != SJ_OK)
		return status;
	status = put_text(mem, &part, "kind", SJ_LIT("data"));
	if (status == SJ_OK)
		status = sj_value_set(mem, &part, SJ_LIT("data"), sj_value_ref(*data));
	if (status == SJ_OK)
		status = sj_value_object(mem, &metadata);
	if (status == SJ_OK) {
		status = put_text(mem, &metadata, "adk_type", sj_slice_of(type));
		if (status == SJ_OK && long_running)
			status = sj_value_set(mem, &metadata, SJ_LIT("adk_is_long_running"), sj_value_bool(true));
		if (status == SJ_OK)
			status = sj_value_set(mem, &part, SJ_LIT("metadata"), metadata);
		else
			sj_value_unref(mem, metadata);
	}
	if (status == SJ_OK)
		return sj_value_append(mem, parts, part);
	sj_value_unref(mem, part);
	return status;
}

static bool is_long_running(const struct sj_value *event, const struct sj_value *call)
{
	const struct sj_value *ids = member(event, "longRunningToolIds", "long_running_tool_ids"),
			      *id = text_member(call, "id", "id");
	for (uint32_t i = 0; ids && id && i < sj_value_count(ids); i++) {
		const struct sj_value *one = ids->type == SJ_V_ARRAY ? sj_value_item(ids, i) : NULL;
		if (one && sj_value_is_string(one) && sj_slice_eq(sj_value_text(one), sj_value_text(id)))
			return true;
	}
	return false;
}

static bool is_named(const struct sj_value *call, const char *name)
{
	const struct sj_value *v = text_member(call, "name", "name");
	return v && sj_slice_is(sj_value_text(v), name);
}

static enum sj_status put_parts(struct sj_mem *mem, const struct sj_adk_options *opt, const struct sj_value *event,
                                struct sj_value *parts, const char **state)
{
	const struct sj_value *list = member(member(event, "content", "content"), "parts", "parts");
	enum sj_status status = SJ_OK;
	*state = "working";
	for (uint32_t i = 0; list && list->type == SJ_V_ARRAY && i < sj_value_count(list) && status == SJ_OK; i++) {
		const struct sj_value *part = sj_value_item(list, i), *text = text_member(part, "text", "text"),
				      *call = member(part, "functionCall", "function_call"),
				      *answer = member(part, "functionResponse", "function_response");
		if (text) {
			status = put_model_text(mem, opt, sj_value_text(text), parts);
		} else if (call && !is_named(call, SJ_ADK_TOOL)) {
			bool waits = is_long_running(event, call);
			if (waits && is_named(call, "adk_request_credential"))
				*state = "auth-required";
			else if (waits && strcmp(*state, "working") == 0)
				*state = "input-required";
			status = put_data_part(mem, call, "function_call", waits, parts);
		} else if (answer && is_named(answer, SJ_ADK_TOOL)) {
			const struct sj_value *messages = member(member(answer, "response", "response"),
			                                         SJ_ADK_TOOL_RESULT, SJ_ADK_TOOL_RESULT);
			status = sj_a2a_put_messages(mem, opt->dialect, messages, parts);
		} else if (answer) {
			status = put_data_part(mem, answer, "function_response", false, parts);
		}
	}
	return status;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* Takes the parts. */
static enum sj_status new_message(struct sj_mem *mem, const struct sj_adk_options *opt, struct sj_value take,
                                  struct sj_value *out)
{
	enum sj_status status = sj_value_object(mem, out);
	if (status != SJ_OK) {
		sj_value_unref(mem, take);
		return status;
	}
	status = sj_value_set(mem, out, SJ_LIT("parts"), take);
	if (status == SJ_OK)
		status = put_text(mem, out, "kind", SJ_LIT("message"));
	if (status == SJ_OK)
		status = put_text(mem, out, "messageId", opt->message_id);
	if (status == SJ_OK)
		status = put_text(mem, out, "role", SJ_LIT("agent"));
	if (status != SJ_OK)
		sj_value_unref(mem, *out);
	return status;
}

/* Takes the parts. */
static enum sj_status new_status(struct sj_mem *mem, const struct sj_adk_options *opt, const char *state,
                                 struct sj_value take, struct sj_value *out)
{
	struct sj_value message;
	enum sj_status status = new_message(mem, opt, take, &message);
	if (status != SJ_OK)
		return status;
	status = sj_value_object(mem, out);
	if (status != SJ_OK) {
		sj_value_unref(mem, message);
		return status;
	}
	status = sj_value_set(mem, out, SJ_LIT("message"), message);
	if (status == SJ_OK)
		status = put_text(mem, out, "state", sj_slice_of(state));
	if (status == SJ_OK && opt->timestamp.len > 0)
		status = put_text(mem, out, "timestamp", opt->timestamp);
	if (status != SJ_OK)
		sj_value_unref(mem, *out);
	return status;
}

/* Takes the parts. */
static enum sj_status put_update(struct sj_mem *mem, const struct sj_adk_options *opt, const char *state,
                                 struct sj_value take, struct sj_value *events)
{
	struct sj_value inner, update;
	enum sj_status status = new_status(mem, opt, state, take, &inner);
	if (status != SJ_OK)
		return status;
	status = sj_value_object(mem, &update);
	if (status != SJ_OK) {
		sj_value_unref(mem, inner);
		return status;
	}
	status = sj_value_set(mem, &update, SJ_LIT("status"), inner);
	if (status == SJ_OK)
		status = put_text(mem, &update, "kind", SJ_LIT("status-update"));
	if (status == SJ_OK)
		status = put_text(mem, &update, "taskId", opt->task_id);
	if (status == SJ_OK)
		status = put_text(mem, &update, "contextId", opt->context_id);
	if (status == SJ_OK)
		status = sj_value_set(mem, &update, SJ_LIT("final"), sj_value_bool(false));
	if (status == SJ_OK)
		return sj_value_append(mem, events, update);
	sj_value_unref(mem, update);
	return status;
}

static enum sj_status put_failure(struct sj_mem *mem, const struct sj_adk_options *opt, const struct sj_value *event,
                                  struct sj_value *events)
{
	const struct sj_value *text = text_member(event, "errorMessage", "error_message");
	struct sj_value parts;
	enum sj_status status = sj_value_array(mem, &parts);
	if (status != SJ_OK)
		return status;
	status = put_text_part(mem, text ? sj_value_text(text) : SJ_LIT("The agent failed while it was working."),
	                       &parts);
	if (status == SJ_OK)
		return put_update(mem, opt, "failed", parts, events);
	sj_value_unref(mem, parts);
	return status;
}

enum sj_status sj_adk_convert(struct sj_mem *mem, const struct sj_adk_options *opt, const struct sj_value *event,
                              struct sj_value *events, struct sj_diag *diag)
{
	uint32_t before = sj_value_count(events);
	const char *state;
	struct sj_value parts;
	enum sj_status status;

	if (event->type != SJ_V_OBJECT)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                   "an event is an object");
	if (!opt->has_catalog)
		return SJ_OK;
	status = member(event, "errorCode", "error_code") ? put_failure(mem, opt, event, events) : SJ_OK;
	if (status == SJ_OK)
		status = sj_value_array(mem, &parts);
	if (status == SJ_OK) {
		status = put_parts(mem, opt, event, &parts, &state);
		if (status == SJ_OK && sj_value_count(&parts) > 0)
			status = put_update(mem, opt, state, parts, events);
		else
			sj_value_unref(mem, parts);
	}
	if (status != SJ_OK)
		(void)sj_value_truncate(mem, events, before); /* shorter: needs no memory */
	return status;
}

/* ---- the tool ---------------------------------------------------------------------------------------------------- */

enum sj_status sj_adk_run_tool(struct sj_mem *mem, const struct sj_adk_options *opt, const struct sj_value *args,
                               struct sj_value *result)
{
	const struct sj_value *json = member(args, SJ_ADK_TOOL_ARG, SJ_ADK_TOOL_ARG);
	struct sj_diag d = {0};
	struct sj_value out, messages = SJ_ABSENT_VALUE;
	struct sj_buf text;
	enum sj_status status = sj_value_object(mem, &out);

	if (status != SJ_OK)
		return status;
	sj_buf_init(&text, mem, 0);
	if (!json) {
		status = sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                     "missing required arg " SJ_ADK_TOOL_ARG);
	} else {
		/* Some models send the messages themselves instead of their text. */
		if (sj_value_is_string(json))
			sj_buf_slice(&text, sj_value_text(json));
		else
			sj_value_print(&text, json, SJ_PRINT_COMPACT);
		status = sj_buf_status(&text);
		if (status == SJ_OK)
			status = opt->read(opt->ctx, sj_buf_view(&text), &messages, &d);
	}
	if (status == SJ_OK) {
		status = sj_value_set(mem, &out, SJ_LIT(SJ_ADK_TOOL_RESULT), messages);
	} else if (status != SJ_NOMEM) {
		sj_buf_clear(&text);
		sj_buf_printf(&text, "Failed to call tool " SJ_ADK_TOOL ": %s%s%s", d.message,
		              d.pointer[0] ? " at " : "", d.pointer);
		status = sj_buf_status(&text);
		if (status == SJ_OK)
			status = put_text(mem, &out, "error", sj_buf_view(&text));
	}
	sj_buf_finish(&text);
	if (status == SJ_OK)
		*result = out;
	else
		sj_value_unref(mem, out);
	return status;
}
