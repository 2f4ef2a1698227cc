/* Events of an agent kit (Google's ADK, as JSON) to A2A status updates, and the tool by which a model of that kit sends
 * A2UI. Names of members are read in both spellings, errorCode and error_code. Requirements a2ui 18 and 22.
 *
 * What a text of the model means is not known here: `split` says it (infer does, in the programs of this repository).
 */
#ifndef SJ_WIRE_ADK_H
#define SJ_WIRE_ADK_H

#include "wire/a2a.h"

#define SJ_ADK_TOOL "send_a2ui_json_to_client"
#define SJ_ADK_TOOL_ARG "a2ui_json"
#define SJ_ADK_TOOL_RESULT "validated_a2ui_json"

struct sj_adk_options {
	const struct sj_a2a_dialect *dialect; /* of the parts; NULL: v0.8 */
	bool has_catalog;                     /* the session agreed on A2UI: without, no event is ours to convert */
	struct sj_slice task_id, context_id, message_id; /* of the updates; message_id is unique to the call */
	struct sj_slice timestamp;                       /* ISO 8601, or empty: left out */
	/* Appends to `parts` the A2A parts of a text; it may refuse with SJ_INVALID, then the text stays as it is.
	 * NULL: every text is one text part. */
	enum sj_status (*split)(void *ctx, struct sj_slice text, struct sj_value *parts);
	/* A tool's argument as an array of messages, checked (the caller owns it), or SJ_INVALID with a diag. */
	enum sj_status (*read)(void *ctx, struct sj_slice text, struct sj_value *messages, struct sj_diag *diag);
	void *ctx;
};

/* Appends the A2A events of one event of the kit to an array: {kind: "status-update", taskId, contextId, final: false,
 * status: {state, message?, timestamp?}}. An errorCode gives a state "failed" with errorMessage; content gives one
 * "working", or "input-required" and "auth-required" when it holds a long-running call. A call of the tool above is not
 * shown, and its answer becomes A2UI parts; other calls and answers travel as data parts with adk_type in their
 * metadata. Nothing is appended on failure. SJ_INVALID: the event is no object. */
enum sj_status sj_adk_convert(struct sj_mem *mem, const struct sj_adk_options *opt, const struct sj_value *event,
                              struct sj_value *events, struct sj_diag *diag);

/* Runs the tool: {"validated_a2ui_json": [...]} or {"error": text}, which the kit gives back to the model, so that it
 * can mend its call. SJ_NOMEM is the only failure. */
enum sj_status sj_adk_run_tool(struct sj_mem *mem, const struct sj_adk_options *opt, const struct sj_value *args,
                               struct sj_value *result);

#endif
