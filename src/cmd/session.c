#include "cmd/session.h"

#include "base/num.h"
#include "text/locale.h"

/* ---- life -------------------------------------------------------------------------------------------------------- */

int cmd_session_open(struct cmd_session *s, struct sj_mem *mem, const struct sj_engine_config *cfg)
{
	struct sj_engine_config plain = {.size = sizeof plain};
	*s = (struct cmd_session){.mem = mem};
	if (sj_value_array(mem, &s->rules) != SJ_OK || sj_engine_create(cfg ? cfg : &plain, &s->engine) != SJ_OK ||
	    sj_engine_peer_open(s->engine, SJ_LIT("agent"), &s->peer) != SJ_OK) {
		cmd_say("shoji: out of memory\n");
		cmd_session_close(s);
		return CMD_IO;
	}
	return CMD_OK;
}

void cmd_session_close(struct cmd_session *s)
{
	cmd_record_forget(s);
	sj_engine_destroy(s->engine);
	s->engine = NULL;
	cmd_agent_finish(s);
}

bool cmd_engine_config(const struct cmd_args *args, struct sj_engine_config *out)
{
	const char *gate = args->value[CMD_OPT_SUBMIT_GATE], *now = args->value[CMD_OPT_NOW];
	double ms = 0;
	*out = (struct sj_engine_config){.size = sizeof *out};
	if (gate && strcmp(gate, "own") != 0 && strcmp(gate, "surface") != 0) {
		cmd_usage_error(NULL, "--submit-gate is own or surface, not %s", gate);
		return false;
	}
	if (now && (!sj_num_parse(sj_slice_of(now), &ms) || ms < 0 || ms > 8.64e15)) {
		cmd_usage_error(NULL, "--now takes milliseconds since 1970, not %s", now);
		return false;
	}
	const char *locale = args->value[CMD_OPT_LOCALE], *zone = args->value[CMD_OPT_TZ];
	if (locale && !sj_locale_is_tag(locale)) {
		cmd_usage_error(NULL, "--locale takes a language tag such as en, ko or pt-BR, not %s", locale);
		return false;
	}
	if (zone && !sj_zone_is_built_in(zone)) {
		cmd_usage_error(NULL, "--tz takes UTC or an offset such as +09:00, not %s: the clocks of other zones are not built in", zone);
		return false;
	}
	if (locale && !SJ_LOCALE_EN.supports(SJ_LOCALE_EN.ctx, locale))
		cmd_say("shoji: numbers and dates of the locale %s are not built in: they are written as in en\n", locale);
	out->gate_surface = gate && strcmp(gate, "surface") == 0;
	out->locale = args->value[CMD_OPT_LOCALE];
	out->time_zone = args->value[CMD_OPT_TZ];
	out->now_ms = (int64_t)ms;
	return true;
}

int cmd_session_catalog(struct cmd_session *s, struct sj_slice json, const char *name)
{
	struct sj_diag diag = {0};
	if (sj_engine_add_catalog(s->engine, json, SJ_NO_SLICE, SJ_VERSION_NONE, &diag) == SJ_OK)
		return CMD_OK;
	cmd_say("shoji: %s: %s%s%s\n", name, diag.message, diag.pointer[0] ? " at " : "", diag.pointer);
	return CMD_INVALID;
}

int cmd_session_catalogs(struct cmd_session *s, const struct cmd_args *args)
{
	int code = CMD_OK;
	for (int i = 0; i < args->ncatalogs && code == CMD_OK; i++) {
		struct sj_buf json;
		sj_buf_init(&json, s->mem, 0);
		code = cmd_read(args->catalogs[i], &json);
		if (code == CMD_OK)
			code = cmd_session_catalog(s, sj_buf_view(&json), args->catalogs[i]);
		sj_buf_finish(&json);
	}
	for (int i = 0; i < args->npermissive && code == CMD_OK; i++) {
		static const enum sj_version families[] = {SJ_V09, SJ_V10};
		for (size_t f = 0; f < sizeof families / sizeof *families && code == CMD_OK; f++)
			if (sj_engine_add_permissive(s->engine, sj_slice_of(args->permissive[i]), families[f]) ==
			    SJ_NOMEM)
				code = CMD_IO;
	}
	return code;
}

const struct sj_value *cmd_member(const struct sj_value *v, const char *key)
{
	return v && v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(key)) : NULL;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

enum sj_status cmd_session_pump(struct cmd_session *s)
{
	struct sj_event ev;
	enum sj_status status;

	while ((status = sj_engine_next(s->engine, &ev)) == SJ_OK) {
		struct sj_value sent = SJ_ABSENT_VALUE;
		enum sj_event_kind kind = ev.kind;
		uint64_t call = ev.call_id;
		cmd_record_event(s, &ev);
		if (s->event)
			s->event(s->ctx, &ev);
		if (kind == SJ_EV_SEND) {
			struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
			status = sj_value_parse(s->mem, &opt, ev.json, &sent, NULL);
		}
		/* A host may have called the engine: from here on `ev` is gone. */
		bool done = s->host && s->host(s, &ev);
		if (!done && kind == SJ_EV_SEND && status == SJ_OK)
			status = cmd_agent_answer(s, &sent);
		else if (!done && s->refuse_tools && (kind == SJ_EV_TOOL_WANTED || kind == SJ_EV_CALL_WANTED))
			sj_engine_answer(s->engine, call, SJ_NO_SLICE, SJ_LIT("UNAVAILABLE"),
			                 SJ_LIT("This program does nothing outside its own window."));
		sj_value_unref(s->mem, sent);
		if (status == SJ_NOMEM)
			return status;
	}
	return status == SJ_ABSENT ? SJ_OK : status;
}

enum sj_status cmd_session_feed(struct cmd_session *s, struct sj_slice bytes, bool end)
{
	enum sj_status status = sj_engine_feed(s->engine, s->peer, bytes.ptr, bytes.len);
	if (status == SJ_OK && end)
		status = sj_engine_feed_end(s->engine, s->peer);
	return status == SJ_OK ? cmd_session_pump(s) : status;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

bool cmd_is_script(struct sj_mem *mem, struct sj_slice text)
{
	static const char *const keys[] = {"agent",  "bytes",  "user", "on",   "then",
	                                   "expect", "config", "env",  "tick", "note", "look"};
	const char *end = text.len ? memchr(text.ptr, '\n', text.len) : NULL;
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value first;
	bool found = false;
	if (sj_value_parse(mem, &opt, sj_slice(text.ptr, end ? (size_t)(end - text.ptr) : text.len), &first, NULL) !=
	    SJ_OK)
		return false;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		found = found || cmd_member(&first, keys[i]);
	sj_value_unref(mem, first);
	return found;
}

bool cmd_holds_messages(struct sj_mem *mem, struct sj_slice text)
{
	static const char *const keys[] = {"version", "messages", "beginRendering", "surfaceUpdate", "dataModelUpdate",
	                                   "deleteSurface"};
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	const char *end = text.len ? memchr(text.ptr, '\n', text.len) : NULL;
	struct sj_value v;
	bool found = false;
	if (sj_value_parse(mem, &opt, text, &v, NULL) != SJ_OK &&
	    sj_value_parse(mem, &opt, sj_slice(text.ptr, end ? (size_t)(end - text.ptr) : text.len), &v, NULL) != SJ_OK)
		return false;
	const struct sj_value *first = v.type == SJ_V_ARRAY && sj_value_count(&v) > 0 ? sj_value_item(&v, 0) : &v;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		found = found || cmd_member(first, keys[i]);
	sj_value_unref(mem, v);
	return found && !cmd_is_script(mem, text);
}

static int play_step(struct cmd_session *s, const struct sj_value *step)
{
	const struct sj_value *agent = cmd_member(step, "agent"), *bytes = cmd_member(step, "bytes");
	struct sj_buf json;
	enum sj_status status = SJ_OK;
	if (cmd_member(step, "on") || cmd_member(step, "then"))
		return cmd_session_rule(s, step) == SJ_OK ? CMD_OK : CMD_IO;
	if (bytes && sj_value_is_string(bytes))
		return cmd_session_feed(s, sj_value_text(bytes), false) == SJ_OK ? CMD_OK : CMD_IO;
	if (!agent)
		return CMD_OK;
	sj_buf_init(&json, s->mem, 0);
	sj_value_print(&json, agent, SJ_PRINT_COMPACT);
	sj_buf_putc(&json, '\n');
	status = sj_buf_status(&json);
	if (status == SJ_OK)
		status = cmd_session_feed(s, sj_buf_view(&json), false);
	sj_buf_finish(&json);
	return status == SJ_OK ? CMD_OK : CMD_IO;
}

int cmd_session_play(struct cmd_session *s, struct sj_slice text)
{
	int code = CMD_OK;
	if (!cmd_is_script(s->mem, text))
		return cmd_session_feed(s, text, true) == SJ_OK ? CMD_OK : CMD_IO;
	for (size_t at = 0; at < text.len && code == CMD_OK;) {
		const char *end = memchr(text.ptr + at, '\n', text.len - at);
		size_t len = end ? (size_t)(end - text.ptr) - at : text.len - at;
		struct sj_slice line = {text.ptr + at, len};
		struct sj_value step;
		at += len + 1;
		while (line.len > 0 && (line.ptr[line.len - 1] == '\r' || line.ptr[line.len - 1] == ' '))
			line.len--;
		if (line.len == 0)
			continue;
		if (!cmd_parse(s->mem, line, "script", &step))
			return CMD_INVALID;
		code = play_step(s, &step);
		sj_value_unref(s->mem, step);
	}
	return code;
}
