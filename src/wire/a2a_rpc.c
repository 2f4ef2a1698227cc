/* JSON-RPC 2.0 as A2A uses it: a request that carries a message, a reply that carries the agent's. */
#include "wire/a2a.h"

static const struct {
	const char *name;
	enum sj_a2a_method method;
} methods[] = {
	{"message/send", SJ_A2A_SEND},
	{"message/stream", SJ_A2A_STREAM},
};

static const struct sj_value *member(const struct sj_value *v, const char *key)
{
	return v && v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(key)) : NULL;
}

/* code: INVALID_STATE for what is no request, UNKNOWN_FUNCTION for its method, VALIDATION_FAILED for its params. */
static enum sj_status refuse(struct sj_diag *diag, enum sj_code code, const char *pointer, const char *what)
{
	sj_diag_pointer(diag, "%s", pointer);
	return sj_diag_set(diag, SJ_INVALID, code, SJ_CAT_RPC, "%s", what);
}

static enum sj_status read_request(const struct sj_value *doc, struct sj_a2a_request *out, struct sj_diag *diag)
{
	const struct sj_value *id = member(doc, "id"), *version = member(doc, "jsonrpc"),
			      *method = member(doc, "method"), *message = member(member(doc, "params"), "message"),
			      *parts = member(message, "parts"), *context = member(message, "contextId");
	size_t i = 0, n = sizeof methods / sizeof *methods;

	if (doc->type != SJ_V_OBJECT)
		return refuse(diag, SJ_E_STATE, "", "a request is an object");
	if (id && !sj_value_is_string(id) && !sj_value_is_number(id) && id->type != SJ_V_NULL)
		return refuse(diag, SJ_E_STATE, "/id", "a request's id is a string, a number or null");
	if (id)
		out->id = sj_value_ref(*id);
	if (!version || !sj_value_is_string(version) || !sj_slice_is(sj_value_text(version), "2.0"))
		return refuse(diag, SJ_E_STATE, "/jsonrpc", "jsonrpc must be \"2.0\"");
	if (!method || !sj_value_is_string(method))
		return refuse(diag, SJ_E_STATE, "/method", "a request names its method");
	while (i < n && !sj_slice_is(sj_value_text(method), methods[i].name))
		i++;
	if (i == n)
		return refuse(diag, SJ_E_UNKNOWN_FUNCTION, "/method", "the method is not known here");
	if (!message || message->type != SJ_V_OBJECT)
		return refuse(diag, SJ_E_VALIDATION_FAILED, "/params/message", "params hold no message");
	if (!parts || parts->type != SJ_V_ARRAY)
		return refuse(diag, SJ_E_VALIDATION_FAILED, "/params/message/parts",
		              "a message has an array of parts");
	if (context && !sj_value_is_string(context))
		return refuse(diag, SJ_E_VALIDATION_FAILED, "/params/message/contextId", "contextId must be a string");
	out->method = methods[i].method;
	out->message = sj_value_ref(*message);
	/* From the object's own cell: a short string lives in it, and the message keeps it alive. */
	out->context_id = context ? sj_value_text(context) : SJ_NO_SLICE;
	return SJ_OK;
}

enum sj_status sj_a2a_request_read(struct sj_mem *mem, const struct sj_json_options *opt, struct sj_slice bytes,
                                   struct sj_a2a_request *out, struct sj_diag *diag)
{
	struct sj_value doc;
	*out = (struct sj_a2a_request){.id = SJ_ABSENT_VALUE, .message = SJ_ABSENT_VALUE};
	enum sj_status status = sj_value_parse(mem, opt, bytes, &doc, diag);
	if (status != SJ_OK)
		return status;
	status = read_request(&doc, out, diag);
	sj_value_unref(mem, doc);
	return status;
}

void sj_a2a_request_finish(struct sj_mem *mem, struct sj_a2a_request *r)
{
	sj_value_unref(mem, r->id);
	sj_value_unref(mem, r->message);
	*r = (struct sj_a2a_request){.id = SJ_ABSENT_VALUE, .message = SJ_ABSENT_VALUE};
}

static void put_head(struct sj_buf *out, const struct sj_a2a_request *r)
{
	sj_buf_puts(out, "{\"jsonrpc\":\"2.0\",\"id\":");
	sj_value_print(out, &r->id, SJ_PRINT_COMPACT); /* an absent id prints as null, as the RPC asks for */
}

void sj_a2a_reply(struct sj_buf *out, const struct sj_a2a_request *r, struct sj_slice message_id,
                  const struct sj_value *parts)
{
	put_head(out, r);
	sj_buf_puts(out, ",\"result\":{\"kind\":\"message\",\"messageId\":");
	sj_json_print_string(out, message_id);
	if (r->context_id.len > 0) {
		sj_buf_puts(out, ",\"contextId\":");
		sj_json_print_string(out, r->context_id);
	}
	sj_buf_puts(out, ",\"role\":\"agent\",\"parts\":");
	sj_value_print(out, parts, SJ_PRINT_COMPACT);
	sj_buf_puts(out, "}}");
}

void sj_a2a_refusal(struct sj_buf *out, const struct sj_a2a_request *r, const struct sj_diag *diag)
{
	int code = diag->category != SJ_CAT_RPC                 ? -32700
	           : diag->code == SJ_E_UNKNOWN_FUNCTION       ? -32601
	           : diag->code == SJ_E_VALIDATION_FAILED      ? -32602
	                                                       : -32600;
	put_head(out, r);
	sj_buf_printf(out, ",\"error\":{\"code\":%d,\"message\":", code);
	sj_json_print_string(out, sj_slice_of(diag->message));
	sj_buf_puts(out, "}}");
}
