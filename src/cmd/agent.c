/* The scripted agent: rules that answer what is sent to it, as data. A rule fits by what was sent; the first one that
 * fits answers. */
#include "cmd/match.h"
#include "cmd/session.h"

/* ---- which rule -------------------------------------------------------------------------------------------------- */

static bool is_text(const struct sj_value *v, const struct sj_value *text)
{
	return v && text && sj_value_is_string(v) && sj_value_is_string(text) &&
	       sj_slice_eq(sj_value_text(v), sj_value_text(text));
}

/* Each kind of message has a name that a rule asks for, and an object that its "with" looks into. */
static bool rule_fits(struct sj_mem *mem, const struct sj_value *rule, const struct sj_value *sent)
{
	const struct sj_value *on = cmd_member(rule, "on"), *with = cmd_member(on, "with"), *got = NULL;
	const struct sj_value *action =
		cmd_member(sent, "action") ? cmd_member(sent, "action") : cmd_member(sent, "userAction");
	const struct sj_value *call = cmd_member(cmd_member(sent, "callAgentFunction"), "callFunction");
	const struct sj_value *response = cmd_member(sent, "rendererFunctionResponse");
	bool fits = false;
	if (cmd_member(on, "action")) {
		fits = is_text(cmd_member(action, "name"), cmd_member(on, "action"));
		got = cmd_member(action, "context");
	} else if (cmd_member(on, "call")) {
		fits = is_text(cmd_member(call, "call"), cmd_member(on, "call")) ||
		       is_text(cmd_member(call, "@call"), cmd_member(on, "call"));
		got = cmd_member(call, "args");
	} else if (cmd_member(on, "response")) {
		fits = is_text(cmd_member(response, "functionCallId"), cmd_member(on, "response"));
		got = response;
	}
	if (!fits || !with)
		return fits;
	struct sj_buf why;
	sj_buf_init(&why, mem, 0);
	fits = cmd_match(mem, with, got, false, &why);
	sj_buf_finish(&why);
	return fits;
}

/* ---- what it says ------------------------------------------------------------------------------------------------ */

struct frame {
	const struct sj_value *v;
	uint32_t next;
};

/* A string that is one "{{pointer}}" stands for the value there. */
static const struct sj_value *placeholder(const struct sj_value *v, const struct sj_value *sent)
{
	struct sj_slice text = sj_value_text(v);
	if (!sj_value_is_string(v) || text.len < 4 || memcmp(text.ptr, "{{", 2) != 0 ||
	    memcmp(text.ptr + text.len - 2, "}}", 2) != 0)
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

/* ---- rules ------------------------------------------------------------------------------------------------------- */

/* {"then": message} lines are kept in the rule before them, in an array of its own. */
static enum sj_status add_then(struct cmd_session *s, const struct sj_value *step)
{
	enum sj_status status = SJ_OK;
	uint32_t count = sj_value_count(&s->rules);
	struct sj_value *rule = count > 0 ? sj_value_own_item(s->mem, &s->rules, count - 1, &status) : NULL;
	if (!rule)
		return status == SJ_OK ? SJ_INVALID : status;
	if (!sj_value_get(rule, SJ_LIT("then"))) {
		struct sj_value list;
		status = sj_value_array(s->mem, &list);
		if (status == SJ_OK)
			status = sj_value_set(s->mem, rule, SJ_LIT("then"), list);
	}
	struct sj_value *list = status == SJ_OK ? sj_value_own_member(s->mem, rule, SJ_LIT("then"), &status) : NULL;
	return list ? sj_value_append(s->mem, list, sj_value_ref(*step)) : status;
}

enum sj_status cmd_session_rule(struct cmd_session *s, const struct sj_value *step)
{
	return cmd_member(step, "on") ? sj_value_append(s->mem, &s->rules, sj_value_ref(*step)) : add_then(s, step);
}

static enum sj_status keep(struct cmd_session *s, struct sj_slice text, int64_t due_ms)
{
	enum sj_status status = SJ_VEC_RESERVE(s->mem, &s->later, s->later.count + 1, 0);
	char *copy = status == SJ_OK ? sj_mem_strndup(s->mem, text) : NULL;
	if (!copy)
		return SJ_NOMEM;
	s->later.items[s->later.count++] = (struct cmd_later){due_ms, s->later_order++, copy, text.len};
	return SJ_OK;
}

static enum sj_status say(struct cmd_session *s, const struct sj_value *what, const struct sj_value *sent,
                          int64_t after_ms)
{
	struct sj_buf text;
	sj_buf_init(&text, s->mem, 0);
	cmd_expand(s->mem, what, sent, &text);
	sj_buf_putc(&text, '\n');
	enum sj_status status = sj_buf_status(&text);
	if (status == SJ_OK && after_ms > 0)
		status = keep(s, sj_buf_view(&text), sj_engine_now(s->engine) + after_ms);
	else if (status == SJ_OK)
		status = sj_engine_feed(s->engine, s->peer, text.ptr, text.len);
	sj_buf_finish(&text);
	return status;
}

enum sj_status cmd_agent_answer(struct cmd_session *s, const struct sj_value *sent)
{
	const struct sj_value *rule = NULL;
	enum sj_status status = SJ_OK;
	for (uint32_t i = 0; !rule && i < sj_value_count(&s->rules); i++)
		if (rule_fits(s->mem, sj_value_item(&s->rules, i), sent))
			rule = sj_value_item(&s->rules, i);
	const struct sj_value *reply = cmd_member(rule, "reply"), *then = cmd_member(rule, "then");
	if (reply)
		status = say(s, reply, sent, 0);
	for (uint32_t i = 0; status == SJ_OK && then && i < sj_value_count(then); i++) {
		const struct sj_value *step = sj_value_item(then, i), *after = cmd_member(step, "after");
		status = say(s, cmd_member(step, "then"), sent, after ? (int64_t)sj_value_double(after) : 0);
	}
	return status;
}

/* ---- later ------------------------------------------------------------------------------------------------------- */

static uint32_t first_due(const struct cmd_session *s)
{
	uint32_t first = 0;
	for (uint32_t i = 1; i < s->later.count; i++) {
		const struct cmd_later *a = &s->later.items[i], *b = &s->later.items[first];
		if (a->due_ms < b->due_ms || (a->due_ms == b->due_ms && a->order < b->order))
			first = i;
	}
	return first;
}

int64_t cmd_session_due(const struct cmd_session *s)
{
	int64_t engine = sj_engine_deadline(s->engine),
		later = s->later.count > 0 ? s->later.items[first_due(s)].due_ms : INT64_MAX;
	return engine < later ? engine : later;
}

enum sj_status cmd_session_advance(struct cmd_session *s, int64_t now_ms)
{
	enum sj_status status = SJ_OK;
	while (status == SJ_OK && s->later.count > 0) {
		uint32_t at = first_due(s);
		struct cmd_later l = s->later.items[at];
		if (l.due_ms > now_ms)
			break;
		memmove(&s->later.items[at], &s->later.items[at + 1], (--s->later.count - at) * sizeof l);
		status = sj_engine_advance(s->engine, l.due_ms);
		if (status == SJ_OK)
			status = cmd_session_feed(s, sj_slice(l.text, l.len), false);
		sj_mem_free(s->mem, l.text, l.len + 1);
	}
	if (status == SJ_OK)
		status = sj_engine_advance(s->engine, now_ms);
	return status == SJ_OK ? cmd_session_pump(s) : status;
}

void cmd_agent_finish(struct cmd_session *s)
{
	for (uint32_t i = 0; i < s->later.count; i++)
		sj_mem_free(s->mem, s->later.items[i].text, s->later.items[i].len + 1);
	SJ_VEC_FREE(s->mem, &s->later);
	sj_value_unref(s->mem, s->rules);
	s->rules = SJ_NULL_VALUE;
}
