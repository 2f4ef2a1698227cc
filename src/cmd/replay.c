#include "cmd/replay.h"

#include "base/num.h"
#include "cmd/match.h"

#define MAX_ROWS 32u

static void bad(struct cmd_replay *r, const char *z)
{
	if (r->why.len == 0)
		sj_buf_puts(&r->why, z);
}

/* ---- what happened ----------------------------------------------------------------------------------------------- */

static struct sj_value parsed(struct cmd_replay *r, struct sj_slice json)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v = SJ_NULL_VALUE;
	if (json.len > 0 && sj_value_parse(r->mem, &opt, json, &v, NULL) != SJ_OK)
		bad(r, "the engine gave out something that is no JSON");
	return v;
}

static void set_text(struct cmd_replay *r, struct sj_value *object, const char *key, struct sj_slice text)
{
	struct sj_value v;
	if (sj_value_string(r->mem, text, &v) != SJ_OK || sj_value_set(r->mem, object, sj_slice_of(key), v) != SJ_OK)
		bad(r, "out of memory");
}

static void set(struct cmd_replay *r, struct sj_value *object, const char *key, struct sj_value take)
{
	if (sj_value_set(r->mem, object, sj_slice_of(key), take) != SJ_OK)
		bad(r, "out of memory");
}

static void append(struct cmd_replay *r, struct sj_value *list, struct sj_value take)
{
	if (sj_value_append(r->mem, list, take) != SJ_OK)
		bad(r, "out of memory");
}

static struct sj_value fault_value(struct cmd_replay *r, const struct sj_diag *d, struct sj_slice surface_id)
{
	struct sj_value v;
	if (sj_value_object(r->mem, &v) != SJ_OK) {
		bad(r, "out of memory");
		return SJ_NULL_VALUE;
	}
	set_text(r, &v, "code", sj_slice_of(sj_code_name(d->code)));
	set_text(r, &v, "category", sj_slice_of(sj_category_name(d->category)));
	set_text(r, &v, "message", sj_slice_of(d->message));
	set_text(r, &v, "pointer", sj_slice_of(d->pointer));
	if (surface_id.len > 0)
		set_text(r, &v, "surfaceId", surface_id);
	return v;
}

static void on_event(void *ctx, const struct sj_event *ev)
{
	struct cmd_replay *r = ctx;
	struct sj_value v;
	switch (ev->kind) {
	case SJ_EV_SEND:
		append(r, &r->sent, parsed(r, ev->json));
		sj_value_unref(r->mem, r->metadata);
		r->metadata = parsed(r, ev->metadata);
		return;
	case SJ_EV_DIAG:
		if (ev->diag->severity != SJ_SEV_ERROR) {
			append(r, &r->warnings, fault_value(r, ev->diag, ev->surface_id));
			return;
		}
		if (sj_value_count(&r->errors) == 0)
			r->errors_line = r->line;
		append(r, &r->errors, fault_value(r, ev->diag, ev->surface_id));
		return;
	case SJ_EV_TOOL_WANTED:
	case SJ_EV_CALL_WANTED:
		if (sj_value_object(r->mem, &v) != SJ_OK ||
		    SJ_VEC_RESERVE(r->mem, &r->wanted, r->wanted.count + 1, 0) != SJ_OK) {
			bad(r, "out of memory");
			return;
		}
		set_text(r, &v, "name", ev->name);
		set(r, &v, "args", parsed(r, ev->json));
		append(r, &r->called, v);
		struct sj_value name = SJ_NULL_VALUE;
		if (sj_value_string(r->mem, ev->name, &name) != SJ_OK)
			bad(r, "out of memory");
		r->wanted.items[r->wanted.count++] = (struct cmd_wanted){ev->call_id, name};
		return;
	case SJ_EV_CALL_DONE:
		if (sj_value_object(r->mem, &v) != SJ_OK)
			return;
		if (ev->diag && ev->diag->code != SJ_E_NONE)
			set(r, &v, "error", fault_value(r, ev->diag, SJ_NO_SLICE));
		else
			set(r, &v, "value", parsed(r, ev->json));
		append(r, &r->done, v);
		return;
	case SJ_EV_CALL_GONE:
		for (uint32_t i = 0; i < r->wanted.count; i++)
			if (r->wanted.items[i].call_id == ev->call_id) {
				sj_value_unref(r->mem, r->wanted.items[i].name);
				r->wanted.count--;
				memmove(&r->wanted.items[i], &r->wanted.items[i + 1],
				        (r->wanted.count - i) * sizeof *r->wanted.items);
				return;
			}
		return;
	case SJ_EV_SURFACE_NEW:
	case SJ_EV_SURFACE_CHANGED:
	case SJ_EV_SURFACE_GONE:
		return;
	}
}

/* ---- the session ------------------------------------------------------------------------------------------------- */

static const char *text_or_null(const struct sj_value *config, const char *key, char *room, size_t size)
{
	const struct sj_value *v = cmd_member(config, key);
	struct sj_slice s = v ? sj_value_text(v) : SJ_NO_SLICE;
	if (!v || !sj_value_is_string(v) || s.len >= size)
		return NULL;
	memcpy(room, s.ptr, s.len);
	room[s.len] = 0;
	return room;
}

static bool flag(const struct sj_value *v, const char *key)
{
	const struct sj_value *m = cmd_member(v, key);
	return m && m->type == SJ_V_TRUE;
}

static bool open_session(struct cmd_replay *r, const struct sj_value *config)
{
	char gate[16], dialect[16];
	const struct sj_value *now = cmd_member(config, "now"), *catalogs = cmd_member(config, "catalogs"),
	                      *permissive = cmd_member(config, "permissive"), *strict = cmd_member(config, "strict");
	struct sj_engine_config cfg = {.size = sizeof cfg};

	cfg.locale = text_or_null(config, "locale", r->locale, sizeof r->locale);
	cfg.time_zone = text_or_null(config, "timeZone", r->zone, sizeof r->zone);
	cfg.now_ms = now && sj_value_is_number(now) ? (int64_t)sj_value_double(now) : 0;
	cfg.strict = strict && strict->type != SJ_V_FALSE;
	cfg.strictness = (struct sj_strictness){.allow_orphans = flag(strict, "orphans"),
	                                        .allow_dangling = flag(strict, "dangling"),
	                                        .allow_missing_root = flag(strict, "missingRoot"),
	                                        .allow_unknown = flag(strict, "unknown")};
	const char *g = text_or_null(config, "gate", gate, sizeof gate),
		   *d = text_or_null(config, "dialect", dialect, sizeof dialect);
	cfg.gate_surface = g && strcmp(g, "surface") == 0;
	const struct sj_value *demo = cmd_member(config, "demo"), *script = cmd_member(config, "script");
	if (demo && !(r->demo = cmd_demo_find(sj_value_text(demo)))) {
		bad(r, "there is no such demo");
		return true;
	}
	cfg.gate_surface = cfg.gate_surface || (r->demo && r->demo->gate_surface);
	cfg.dialect = d && strcmp(d, "bare") == 0       ? SJ_DIALECT_BARE
	              : d && strcmp(d, "reserved") == 0 ? SJ_DIALECT_RESERVED
	                                                : SJ_DIALECT_AUTO;
	if (cmd_session_open(&r->session, r->mem, &cfg) != CMD_OK)
		return false;
	r->session.event = on_event;
	r->session.ctx = r;
	r->open = true;
	for (uint32_t i = 0; catalogs && i < sj_value_count(catalogs); i++) {
		struct sj_buf json;
		struct sj_diag diag = {0};
		sj_buf_init(&json, r->mem, 0);
		sj_value_print(&json, sj_value_item(catalogs, i), SJ_PRINT_COMPACT);
		if (sj_engine_add_catalog(r->session.engine, sj_buf_view(&json), SJ_NO_SLICE, SJ_VERSION_NONE, &diag) !=
		    SJ_OK)
			bad(r, diag.message);
		sj_buf_finish(&json);
	}
	for (uint32_t i = 0; permissive && i < sj_value_count(permissive); i++)
		for (int f = 0; f < 2; f++)
			if (sj_engine_add_permissive(r->session.engine, sj_value_text(sj_value_item(permissive, i)),
			                             f ? SJ_V10 : SJ_V09) == SJ_NOMEM)
				return false;
	if (r->demo && r->demo->attach(&r->session, false) != CMD_OK)
		bad(r, "the demo could not be made");
	else if (r->demo && !(script && script->type == SJ_V_FALSE) &&
	         cmd_session_play(&r->session, sj_slice_of(r->demo->script)) != CMD_OK)
		bad(r, "the demo's script could not be played");
	return true;
}

struct sj_view *cmd_replay_view(struct cmd_replay *r, const struct sj_value *step)
{
	const struct sj_value *id = cmd_member(step, "surface");
	uint32_t count = sj_engine_view_count(r->session.engine);
	struct sj_view *v = NULL;
	if (id)
		v = sj_engine_view(r->session.engine, UINT32_MAX, sj_value_text(id));
	else if (count > 0)
		v = sj_engine_view_at(r->session.engine, count - 1);
	if (!v)
		bad(r, id ? "there is no such surface" : "there is no surface");
	return v;
}

sj_node_id cmd_replay_node(struct cmd_replay *r, struct sj_view *v, struct sj_slice id, const struct sj_value *rows)
{
	uint32_t at[MAX_ROWS], n = 0;
	const char *sign = id.len ? memchr(id.ptr, '@', id.len) : NULL;
	for (uint32_t i = 0; rows && i < sj_value_count(rows) && n < MAX_ROWS; i++)
		at[n++] = (uint32_t)sj_value_double(sj_value_item(rows, i));
	if (sign) {
		struct sj_slice list = {sign + 1, id.len - (size_t)(sign + 1 - id.ptr)};
		id.len = (size_t)(sign - id.ptr);
		while (list.len > 0 && n < MAX_ROWS) {
			const char *dot = memchr(list.ptr, '.', list.len);
			size_t len = dot ? (size_t)(dot - list.ptr) : list.len;
			if (!sj_num_index(sj_slice(list.ptr, len), &at[n++]))
				bad(r, "rows after @ are numbers with dots between them");
			list.ptr += dot ? len + 1 : len;
			list.len -= dot ? len + 1 : len;
		}
	}
	if (sj_surface_settle(sj_view_surface(v)) == SJ_NOMEM)
		bad(r, "out of memory");
	sj_node_id node = sj_surface_find(sj_view_surface(v), id, at, n);
	if (node == 0 && r->why.len == 0)
		sj_buf_printf(&r->why, "there is no node '%.*s'", SJ_ARG(id));
	return node;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static void pump(struct cmd_replay *r)
{
	if (cmd_session_pump(&r->session) != SJ_OK)
		bad(r, "out of memory");
}

static void step_agent(struct cmd_replay *r, const struct sj_value *message)
{
	struct sj_buf json;
	sj_buf_init(&json, r->mem, 0);
	sj_value_print(&json, message, SJ_PRINT_COMPACT);
	sj_buf_putc(&json, '\n');
	if (sj_buf_status(&json) != SJ_OK || cmd_session_feed(&r->session, sj_buf_view(&json), false) != SJ_OK)
		bad(r, "out of memory");
	sj_buf_finish(&json);
}

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Bytes that are no UTF-8 stand as hexadecimal digits. */
static void step_hex(struct cmd_replay *r, struct sj_slice hex)
{
	struct sj_buf bytes;
	sj_buf_init(&bytes, r->mem, 0);
	for (size_t i = 0; i + 1 < hex.len; i += 2) {
		int high = digit(hex.ptr[i]), low = digit(hex.ptr[i + 1]);
		if (high < 0 || low < 0)
			bad(r, "hex takes pairs of 0-9 and a-f");
		else
			sj_buf_putc(&bytes, (char)(high * 16 + low));
	}
	if (hex.len % 2)
		bad(r, "hex takes pairs of 0-9 and a-f");
	if (sj_buf_status(&bytes) != SJ_OK || cmd_session_feed(&r->session, sj_buf_view(&bytes), false) != SJ_OK)
		bad(r, "out of memory");
	sj_buf_finish(&bytes);
}

static void step_bytes(struct cmd_replay *r, const struct sj_value *bytes)
{
	/* {"bytes": "...", "end": true} or a string; each as one feed. */
	const struct sj_value *hex = cmd_member(bytes, "hex");
	if (hex && sj_value_is_string(hex)) {
		step_hex(r, sj_value_text(hex));
		return;
	}
	const struct sj_value *text = bytes->type == SJ_V_OBJECT ? cmd_member(bytes, "text") : bytes;
	if (!text || !sj_value_is_string(text)) {
		bad(r, "bytes takes a string, or {text, end}");
		return;
	}
	if (cmd_session_feed(&r->session, sj_value_text(text), flag(bytes, "end")) != SJ_OK)
		bad(r, "out of memory");
}

/* Compares how a doing went with "refused": absent means it must go well. */
static void check_refusal(struct cmd_replay *r, const struct sj_value *step, enum sj_status status, const char *message)
{
	const struct sj_value *refused = cmd_member(step, "refused");
	bool wanted = refused && refused->type != SJ_V_FALSE;
	if (status == SJ_OK && wanted) {
		bad(r, "it was to be refused, but it was done");
	} else if (status != SJ_OK && !wanted && r->why.len == 0) {
		sj_buf_printf(&r->why, "it was refused: %s", message);
	} else if (wanted && sj_value_is_string(refused) &&
	           !cmd_contains(sj_slice_of(message), sj_value_text(refused)) && r->why.len == 0) {
		sj_buf_printf(&r->why, "it was refused, but with: %s", message);
	}
}

static void user_set(struct cmd_replay *r, const struct sj_value *step, struct sj_view *v, sj_node_id node,
                     const struct sj_value *value, const struct sj_value *doing)
{
	static const struct {
		const char *name;
		enum sj_phase phase;
	} phases[] = {{"begin", SJ_EDIT_BEGIN},
	              {"update", SJ_EDIT_UPDATE},
	              {"commit", SJ_EDIT_COMMIT},
	              {"cancel", SJ_EDIT_CANCEL}};
	const struct sj_value *prop = cmd_member(doing, "prop"), *phase = cmd_member(doing, "phase");
	struct sj_input in = {.node = node,
	                      .prop = prop ? sj_ui_prop_find(sj_value_text(prop)) : SJ_P_VALUE,
	                      .phase = SJ_EDIT_COMMIT};
	struct sj_diag diag = {0};
	for (size_t i = 0; phase && i < sizeof phases / sizeof *phases; i++)
		if (sj_slice_is(sj_value_text(phase), phases[i].name))
			in.phase = phases[i].phase;
	/* Values never cross accounts: the engine gets its own copy. */
	struct sj_mem *mem = sj_engine_mem(r->session.engine);
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_buf json;
	sj_buf_init(&json, r->mem, 0);
	sj_value_print(&json, value ? value : &SJ_NULL_VALUE, SJ_PRINT_COMPACT);
	enum sj_status status = sj_value_parse(mem, &opt, sj_buf_view(&json), &in.value, &diag);
	sj_buf_finish(&json);
	if (status == SJ_OK) {
		status = sj_engine_input(r->session.engine, v, &in, &diag);
		sj_value_unref(mem, in.value);
	}
	check_refusal(r, step, status, diag.message);
}

static void user_local(struct cmd_replay *r, const struct sj_value *step, struct sj_view *v, sj_node_id node,
                       const struct sj_value *doing)
{
	const struct sj_value *name = cmd_member(doing, "name"), *value = cmd_member(doing, "value");
	struct sj_mem *mem = sj_engine_mem(r->session.engine);
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value copy;
	struct sj_buf json;
	if (!name || !value) {
		bad(r, "local takes id, name and value");
		return;
	}
	sj_buf_init(&json, r->mem, 0);
	sj_value_print(&json, value, SJ_PRINT_COMPACT);
	enum sj_status status = sj_value_parse(mem, &opt, sj_buf_view(&json), &copy, NULL);
	sj_buf_finish(&json);
	if (status == SJ_OK)
		status = sj_engine_set_local(r->session.engine, v, node, sj_value_text(name), copy);
	check_refusal(r, step, status, "");
}

static void user_step(struct cmd_replay *r, const struct sj_value *step, struct sj_view *v, sj_node_id node,
                      const struct sj_value *doing)
{
	struct sj_surface *s = sj_view_surface(v);
	const struct sj_value *now = sj_node_ui(s, node, SJ_P_VALUE), *min = sj_node_ui(s, node, SJ_P_MIN),
			      *max = sj_node_ui(s, node, SJ_P_MAX);
	const struct sj_value *by = cmd_member(doing, "by");
	double value = (now ? sj_value_double(now) : 0) + (by ? sj_value_double(by) : 1);
	/* Quantities and stars begin at 0 where nothing is said. */
	enum sj_ui_kind kind = sj_node_kind(s, node);
	bool from_zero = kind == SJ_UI_STEPPER || kind == SJ_UI_RATING || kind == SJ_UI_SLIDER;
	if (min && sj_value_is_number(min) ? value < sj_value_double(min) : from_zero && value < 0)
		value = min && sj_value_is_number(min) ? sj_value_double(min) : 0;
	if (max && sj_value_is_number(max) && value > sj_value_double(max))
		value = sj_value_double(max);
	struct sj_value next = sj_value_number(value);
	user_set(r, step, v, node, &next, doing);
}

static void user_line(struct cmd_replay *r, struct sj_view *v, const struct sj_value *line)
{
	struct sj_text_options look = {.width = 80, .numbers = true};
	struct sj_buf reply;
	bool redraw, quit;
	if (sj_text_draw(r->session.engine, v, &look, &r->picture) != SJ_OK) {
		bad(r, "out of memory");
		return;
	}
	sj_buf_init(&reply, r->mem, 0);
	if (sj_text_command(r->session.engine, v, &r->picture, sj_value_text(line), &reply, &redraw, &quit) != SJ_OK)
		bad(r, "out of memory");
	sj_buf_finish(&reply);
}

/* The n-th child of the n-th child ... of the root: for a component that is shown more than once in its scope. */
static sj_node_id node_by_way(struct cmd_replay *r, struct sj_view *v, const struct sj_value *way)
{
	struct sj_surface *s = sj_view_surface(v);
	if (sj_surface_settle(s) == SJ_NOMEM)
		bad(r, "out of memory");
	sj_node_id n = sj_surface_root(s);
	for (uint32_t i = 0; n && i < sj_value_count(way); i++) {
		double at = sj_value_double(sj_value_item(way, i));
		n = at >= 0 && at < sj_node_child_count(s, n) ? sj_node_child(s, n, (uint32_t)at) : 0;
	}
	if (!n)
		bad(r, "there is no node on that way");
	return n;
}

static void step_user(struct cmd_replay *r, const struct sj_value *user)
{
	static const char *const deeds[] = {"set", "press", "step", "local", "line"};
	const struct sj_value *doing = NULL;
	const char *deed = NULL;
	for (size_t i = 0; i < sizeof deeds / sizeof *deeds && !doing; i++) {
		doing = cmd_member(user, deeds[i]);
		deed = deeds[i];
	}
	if (!doing) {
		bad(r, "user does one of set, press, step, local, line");
		return;
	}
	struct sj_view *v = cmd_replay_view(r, user);
	if (!v)
		return;
	if (strcmp(deed, "line") == 0) {
		user_line(r, v, doing);
		pump(r);
		return;
	}
	const struct sj_value *id = doing->type == SJ_V_OBJECT ? cmd_member(doing, "id") : doing;
	if (!id || !sj_value_is_string(id)) {
		bad(r, "the id of a component is missing");
		return;
	}
	const struct sj_value *way = cmd_member(doing, "way");
	sj_node_id node = way ? node_by_way(r, v, way)
	                      : cmd_replay_node(r, v, sj_value_text(id), cmd_member(doing, "rows"));
	if (node == 0)
		return;
	if (strcmp(deed, "set") == 0) {
		user_set(r, user, v, node, cmd_member(doing, "value"), doing);
	} else if (strcmp(deed, "step") == 0) {
		user_step(r, user, v, node, doing);
	} else if (strcmp(deed, "local") == 0) {
		user_local(r, user, v, node, doing);
	} else {
		struct sj_diag diag = {0};
		enum sj_status status = sj_engine_press(r->session.engine, v, node, &diag);
		check_refusal(r, user, status, diag.message);
	}
	pump(r);
}

/* Reads a surface as a face would, which may evaluate what nothing had asked for. */
static void step_look(struct cmd_replay *r, const struct sj_value *look)
{
	struct sj_text_options options = {.width = 80};
	struct sj_view *v = cmd_replay_view(r, look);
	if (v && sj_text_draw(r->session.engine, v, &options, &r->picture) != SJ_OK)
		bad(r, "out of memory");
	pump(r);
}

static void step_env(struct cmd_replay *r, const struct sj_value *env)
{
	for (uint32_t i = 0; i < sj_value_count(env); i++) {
		struct sj_slice name;
		const struct sj_value *v = sj_value_member(env, i, &name);
		if (sj_engine_set_env(r->session.engine, NULL, name, sj_value_text(v)) != SJ_OK)
			bad(r, "the environment has no such member");
	}
	pump(r);
}

static void step_answer(struct cmd_replay *r, const struct sj_value *answer)
{
	const struct sj_value *name = cmd_member(answer, "name"), *value = cmd_member(answer, "value"),
			      *error = cmd_member(answer, "error");
	uint32_t at = 0;
	while (at < r->wanted.count && name && !sj_value_equal(&r->wanted.items[at].name, name))
		at++;
	if (at == r->wanted.count) {
		bad(r, "nobody waits for that answer");
		return;
	}
	struct cmd_wanted w = r->wanted.items[at];
	r->wanted.count--;
	memmove(&r->wanted.items[at], &r->wanted.items[at + 1], (r->wanted.count - at) * sizeof *r->wanted.items);
	struct sj_buf json;
	sj_buf_init(&json, r->mem, 0);
	if (value)
		sj_value_print(&json, value, SJ_PRINT_COMPACT);
	const struct sj_value *code = cmd_member(error, "code"), *message = cmd_member(error, "message");
	if (sj_engine_answer(r->session.engine, w.call_id, sj_buf_view(&json), code ? sj_value_text(code) : SJ_NO_SLICE,
	                     message ? sj_value_text(message) : SJ_NO_SLICE) == SJ_NOMEM)
		bad(r, "out of memory");
	sj_buf_finish(&json);
	sj_value_unref(r->mem, w.name);
	pump(r);
}

static void step_call(struct cmd_replay *r, const struct sj_value *call)
{
	const struct sj_value *function = cmd_member(call, "function"), *catalog = cmd_member(call, "catalogId"),
			      *args = cmd_member(call, "args"), *timeout = cmd_member(call, "timeout");
	struct sj_view *v = cmd_replay_view(r, call);
	struct sj_diag diag = {0};
	struct sj_buf json;
	uint64_t id;
	if (!v || !function) {
		bad(r, "call takes a function");
		return;
	}
	sj_buf_init(&json, r->mem, 0);
	if (args)
		sj_value_print(&json, args, SJ_PRINT_COMPACT);
	enum sj_status status = sj_engine_call_agent(r->session.engine, v, sj_value_text(function),
	                                             catalog ? sj_value_text(catalog) : SJ_NO_SLICE, sj_buf_view(&json),
	                                             timeout ? (uint32_t)sj_value_double(timeout) : 0, &id, &diag);
	sj_buf_finish(&json);
	check_refusal(r, call, status, diag.message);
	pump(r);
}

static void step_tick(struct cmd_replay *r, const struct sj_value *ms)
{
	if (cmd_session_advance(&r->session, sj_engine_now(r->session.engine) + (int64_t)sj_value_double(ms)) != SJ_OK)
		bad(r, "out of memory");
}

static void take_step(struct cmd_replay *r, const struct sj_value *step)
{
	const struct sj_value *v;
	if ((v = cmd_member(step, "config"))) {
		if (r->open)
			bad(r, "config comes before every other step");
		else if (!open_session(r, v))
			bad(r, "out of memory");
		return;
	}
	if (cmd_member(step, "note"))
		return;
	if (!r->open && !open_session(r, NULL)) {
		bad(r, "out of memory");
		return;
	}
	if (cmd_member(step, "on") || cmd_member(step, "then")) {
		if (cmd_session_rule(&r->session, step) != SJ_OK)
			bad(r, "out of memory");
	} else if ((v = cmd_member(step, "agent"))) {
		step_agent(r, v);
	} else if ((v = cmd_member(step, "bytes"))) {
		step_bytes(r, v);
	} else if ((v = cmd_member(step, "look"))) {
		step_look(r, v);
	} else if ((v = cmd_member(step, "user"))) {
		step_user(r, v);
	} else if ((v = cmd_member(step, "tick"))) {
		step_tick(r, v);
	} else if ((v = cmd_member(step, "env"))) {
		step_env(r, v);
	} else if ((v = cmd_member(step, "answer"))) {
		step_answer(r, v);
	} else if ((v = cmd_member(step, "call"))) {
		step_call(r, v);
	} else if ((v = cmd_member(step, "expect"))) {
		r->result.expectations++;
		cmd_expect(r, v);
	} else {
		bad(r, "a step is one of agent, bytes, user, look, tick, env, answer, call, on, then, expect, config, note");
	}
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

static void finish(struct cmd_replay *r)
{
	for (uint32_t i = 0; i < r->wanted.count; i++)
		sj_value_unref(r->mem, r->wanted.items[i].name);
	SJ_VEC_FREE(r->mem, &r->wanted);
	if (r->open && r->demo)
		r->demo->detach(&r->session);
	if (r->open)
		cmd_session_close(&r->session);
	sj_value_unref(r->mem, r->sent);
	sj_value_unref(r->mem, r->metadata);
	sj_value_unref(r->mem, r->errors);
	sj_value_unref(r->mem, r->warnings);
	sj_value_unref(r->mem, r->called);
	sj_value_unref(r->mem, r->done);
	sj_text_picture_finish(&r->picture);
	sj_buf_finish(&r->why);
}

static struct sj_slice next_line(struct sj_slice text, size_t *at)
{
	const char *end = memchr(text.ptr + *at, '\n', text.len - *at);
	struct sj_slice line = {text.ptr + *at, end ? (size_t)(end - text.ptr) - *at : text.len - *at};
	*at += line.len + 1;
	while (line.len > 0 && (line.ptr[line.len - 1] == '\r' || line.ptr[line.len - 1] == ' '))
		line.len--;
	return line;
}

int cmd_replay_run(struct sj_mem *mem, struct sj_slice script,
                   void (*fail)(void *ctx, uint32_t line, struct sj_slice text), void *ctx,
                   struct cmd_replay_result *out)
{
	struct cmd_replay r = {.mem = mem, .metadata = SJ_NULL_VALUE};
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	int code = CMD_OK;

	sj_buf_init(&r.why, mem, 0);
	sj_text_picture_init(&r.picture, mem);
	if (sj_value_array(mem, &r.sent) != SJ_OK || sj_value_array(mem, &r.errors) != SJ_OK ||
	    sj_value_array(mem, &r.warnings) != SJ_OK || sj_value_array(mem, &r.called) != SJ_OK ||
	    sj_value_array(mem, &r.done) != SJ_OK)
		code = CMD_IO;
	for (size_t at = 0; at < script.len && code == CMD_OK;) {
		struct sj_slice line = next_line(script, &at);
		struct sj_value step;
		struct sj_diag diag = {0};
		r.line++;
		if (line.len == 0)
			continue;
		if (sj_value_parse(mem, &opt, line, &step, &diag) != SJ_OK) {
			fail(ctx, r.line, sj_slice_of(diag.message));
			r.result.failures++;
			code = CMD_INVALID;
			break;
		}
		r.result.steps++;
		sj_buf_clear(&r.why);
		take_step(&r, &step);
		sj_value_unref(mem, step);
		if (r.why.len > 0) {
			fail(ctx, r.line, sj_buf_view(&r.why));
			r.result.failures++;
		}
	}
	if (code == CMD_OK && sj_value_count(&r.errors) > 0) {
		/* Nothing may go wrong in silence. */
		sj_buf_clear(&r.why);
		sj_buf_puts(&r.why, "a fault that no later expectation names: ");
		sj_value_print(&r.why, sj_value_item(&r.errors, 0), SJ_PRINT_COMPACT);
		fail(ctx, r.errors_line, sj_buf_view(&r.why));
		r.result.failures++;
	}
	*out = r.result;
	finish(&r);
	return code;
}

struct report {
	const char *name;
};

static void print_failure(void *ctx, uint32_t line, struct sj_slice text)
{
	const struct report *report = ctx;
	struct sj_mem mem;
	struct sj_buf out;
	sj_mem_init(&mem, NULL, 0);
	sj_buf_init(&out, &mem, 0);
	sj_buf_printf(&out, "%s:%u: ", report->name, line);
	sj_text_clean(&out, text, true);
	sj_buf_putc(&out, '\n');
	cmd_print(sj_buf_view(&out));
	sj_buf_finish(&out);
}

int cmd_replay(const struct cmd_args *args)
{
	struct cmd_replay_result result = {0};
	struct report report = {args->rest[0]};
	struct sj_buf text;
	sj_buf_init(&text, args->mem, 0);
	int code = cmd_read(args->rest[0], &text);
	if (code == CMD_OK && cmd_holds_messages(args->mem, sj_buf_view(&text))) {
		cmd_say("shoji: %s holds messages, and no script: shoji play %s shows them; docs/replay.md says what a script is\n",
		        args->rest[0], args->rest[0]);
		sj_buf_finish(&text);
		return CMD_INVALID;
	}
	bool runs = code == CMD_OK;
	if (runs)
		code = cmd_replay_run(args->mem, sj_buf_view(&text), print_failure, &report, &result);
	sj_buf_finish(&text);
	if (runs && code != CMD_IO && !cmd_has(args, CMD_OPT_QUIET))
		cmd_say("%u steps, %u expectations, %u failed\n", result.steps, result.expectations, result.failures);
	return code == CMD_OK && result.failures > 0 ? CMD_INVALID : code;
}
