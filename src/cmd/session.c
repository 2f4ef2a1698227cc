#include "cmd/session.h"

#include "base/num.h"
#include "json/stream.h"

/* ---- life --------------------------------------------------------------------------------------------------------------------- */

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
	sj_engine_destroy(s->engine);
	s->engine = NULL;
	sj_value_unref(s->mem, s->rules);
	s->rules = SJ_NULL_VALUE;
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
			if (sj_engine_add_permissive(s->engine, sj_slice_of(args->permissive[i]), families[f]) == SJ_NOMEM)
				code = CMD_IO;
	}
	return code;
}

/* ---- the scripted agent ------------------------------------------------------------------------------------------------------- */

static const struct sj_value *member(const struct sj_value *v, const char *key)
{
	return v && v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(key)) : NULL;
}

static bool is_text(const struct sj_value *v, const struct sj_value *text)
{
	return v && text && sj_value_is_string(v) && sj_value_is_string(text) && sj_slice_eq(sj_value_text(v), sj_value_text(text));
}

static bool rule_fits(const struct sj_value *rule, const struct sj_value *sent)
{
	const struct sj_value *on = member(rule, "on");
	const struct sj_value *action = member(sent, "action") ? member(sent, "action") : member(sent, "userAction");
	const struct sj_value *call = member(member(sent, "callAgentFunction"), "callFunction");
	if (member(on, "action"))
		return is_text(member(action, "name"), member(on, "action"));
	if (member(on, "call"))
		return is_text(member(call, "call"), member(on, "call")) || is_text(member(call, "@call"), member(on, "call"));
	return false;
}

struct frame {
	const struct sj_value *v;
	uint32_t next;
};

/* A string that is one "{{pointer}}" stands for the value there. */
static const struct sj_value *placeholder(const struct sj_value *v, const struct sj_value *sent)
{
	struct sj_slice text = sj_value_text(v);
	if (!sj_value_is_string(v) || text.len < 4 || memcmp(text.ptr, "{{", 2) != 0 || memcmp(text.ptr + text.len - 2, "}}", 2) != 0)
		return v;
	const struct sj_value *found = sj_value_at(sent, sj_slice(text.ptr + 2, text.len - 4));
	return found ? found : v;
}

void cmd_expand(struct sj_mem *mem, const struct sj_value *reply, const struct sj_value *sent, struct sj_buf *out)
{
	SJ_VEC(struct frame) stack = {0};
	const struct sj_value *at = reply;

	while (at) {
		const struct sj_value *v = placeholder(at, sent);
		at = NULL;
		if (v->type == SJ_V_ARRAY || v->type == SJ_V_OBJECT) {
			if (SJ_VEC_RESERVE(mem, &stack, stack.count + 1, 0) != SJ_OK) {
				out->status = SJ_NOMEM;
				break;
			}
			stack.items[stack.count++] = (struct frame){v, 0};
			sj_buf_putc(out, v->type == SJ_V_ARRAY ? '[' : '{');
		} else {
			sj_value_print(out, v, SJ_PRINT_COMPACT);
		}
		while (stack.count > 0 && !at) {
			struct frame *f = &stack.items[stack.count - 1];
			bool array = f->v->type == SJ_V_ARRAY;
			if (f->next == sj_value_count(f->v)) {
				sj_buf_putc(out, array ? ']' : '}');
				stack.count--;
				continue;
			}
			struct sj_slice key;
			if (f->next > 0)
				sj_buf_putc(out, ',');
			at = array ? sj_value_item(f->v, f->next) : sj_value_member(f->v, f->next, &key);
			f->next++;
			if (!array) {
				sj_json_print_string(out, key);
				sj_buf_putc(out, ':');
			}
		}
	}
	SJ_VEC_FREE(mem, &stack);
}

enum sj_status cmd_session_rule(struct cmd_session *s, const struct sj_value *step)
{
	return sj_value_append(s->mem, &s->rules, sj_value_ref(*step));
}

/* Writes what the rules answer to a message, one JSON text per line. */
static void answer(struct cmd_session *s, struct sj_slice json, struct sj_buf *out)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value sent;
	if (sj_value_count(&s->rules) == 0 || sj_value_parse(s->mem, &opt, json, &sent, NULL) != SJ_OK)
		return;
	for (uint32_t i = 0; i < sj_value_count(&s->rules); i++) {
		const struct sj_value *rule = sj_value_item(&s->rules, i);
		if (!rule_fits(rule, &sent))
			continue;
		const struct sj_value *reply = member(rule, "reply");
		if (reply) {
			cmd_expand(s->mem, reply, &sent, out);
			sj_buf_putc(out, '\n');
		}
		break;
	}
	sj_value_unref(s->mem, sent);
}

/* ---- events ------------------------------------------------------------------------------------------------------------------- */

enum sj_status cmd_session_pump(struct cmd_session *s)
{
	struct sj_event ev;
	enum sj_status status;

	while ((status = sj_engine_next(s->engine, &ev)) == SJ_OK) {
		struct sj_buf text;
		bool wanted = ev.kind == SJ_EV_TOOL_WANTED || ev.kind == SJ_EV_CALL_WANTED, done = false;
		uint64_t call = ev.call_id;
		if (s->event)
			s->event(s->ctx, &ev);
		sj_buf_init(&text, s->mem, 0);
		if (wanted && s->tool)
			done = s->tool(s->host_ctx, &ev, &text);
		if (ev.kind == SJ_EV_SEND) {
			answer(s, ev.json, &text);
			if (s->agent)
				s->agent(s->host_ctx, &ev, &text);
		}
		status = sj_buf_status(&text);
		if (status == SJ_OK && done)
			sj_engine_answer(s->engine, call, sj_buf_view(&text), SJ_NO_SLICE, SJ_NO_SLICE);
		else if (status == SJ_OK && wanted && s->refuse_tools)
			sj_engine_answer(s->engine, call, SJ_NO_SLICE, SJ_LIT("UNAVAILABLE"),
			                 SJ_LIT("This program does nothing outside its own window."));
		else if (status == SJ_OK && !wanted && text.len > 0)
			status = sj_engine_feed(s->engine, s->peer, text.ptr, text.len);
		sj_buf_finish(&text);
		if (status != SJ_OK)
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

/* ---- files -------------------------------------------------------------------------------------------------------------------- */

bool cmd_is_script(struct sj_mem *mem, struct sj_slice text)
{
	static const char *const keys[] = {"agent", "bytes", "user", "on", "expect", "config", "env", "tick", "note"};
	const char *end = text.len ? memchr(text.ptr, '\n', text.len) : NULL;
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value first;
	bool found = false;
	if (sj_value_parse(mem, &opt, sj_slice(text.ptr, end ? (size_t)(end - text.ptr) : text.len), &first, NULL) != SJ_OK)
		return false;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		found = found || member(&first, keys[i]);
	sj_value_unref(mem, first);
	return found;
}

static int play_step(struct cmd_session *s, const struct sj_value *step)
{
	const struct sj_value *agent = member(step, "agent"), *bytes = member(step, "bytes");
	struct sj_buf json;
	enum sj_status status = SJ_OK;
	if (member(step, "on"))
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
