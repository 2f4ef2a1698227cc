#include "cmd/record.h"

#include <stdio.h>

#include "base/utf.h"
#include "cmd/replay.h"

/* How much a masked text still tells: the number of its characters; their kinds as well, where a check looks at them.
 */
enum mask { MASK_LENGTH, MASK_KINDS, MASKS };

struct step {
	char *text; /* owned: the line, or the bytes of a feed; NUL-terminated */
	size_t len;
	bool fed;
	size_t value_at; /* of a line: where what a person typed begins; SIZE_MAX: nowhere */
};
struct wanted {
	uint64_t call_id;
	char name[64];
};
struct cmd_recorder {
	struct sj_mem *mem;
	struct cmd_session *s;
	SJ_VEC(struct step) steps;
	SJ_VEC(struct sj_slice) secrets; /* owned, NUL-terminated; each once, the longest first */
	SJ_VEC(struct wanted) wanted;    /* unanswered, oldest first */
	struct sj_buf line;              /* of the inlet that is under way */
	size_t value_at;
	int64_t now_ms;
	bool failed; /* something could not be kept */
};

static void keep(struct cmd_recorder *r, struct sj_slice text, bool fed)
{
	char *copy = SJ_VEC_RESERVE(r->mem, &r->steps, r->steps.count + 1, 0) == SJ_OK ? sj_mem_strndup(r->mem, text)
	                                                                              : NULL;
	if (copy)
		r->steps.items[r->steps.count++] = (struct step){copy, text.len, fed, fed ? 0 : r->value_at};
	r->value_at = SIZE_MAX;
	r->failed = r->failed || !copy;
}

/* ---- secrets ----------------------------------------------------------------------------------------------------- */

static void add_secret(struct cmd_recorder *r, struct sj_slice text)
{
	uint32_t at = r->secrets.count;
	if (text.len == 0)
		return;
	for (uint32_t i = 0; i < r->secrets.count; i++)
		if (sj_slice_eq(r->secrets.items[i], text))
			return;
	char *copy = SJ_VEC_RESERVE(r->mem, &r->secrets, at + 1, 0) == SJ_OK ? sj_mem_strndup(r->mem, text) : NULL;
	r->failed = r->failed || !copy;
	if (!copy)
		return;
	while (at > 0 && r->secrets.items[at - 1].len < text.len) {
		r->secrets.items[at] = r->secrets.items[at - 1];
		at--;
	}
	r->secrets.items[at] = sj_slice(copy, text.len);
	r->secrets.count++;
}

/* What stands at secret places now. */
static void gather_secrets(struct cmd_recorder *r)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_buf texts;
	sj_buf_init(&texts, r->mem, 0);
	for (uint32_t i = 0; i < sj_engine_view_count(r->s->engine); i++)
		if (sj_surface_secret_texts(sj_view_surface(sj_engine_view_at(r->s->engine, i)), &texts) != SJ_OK)
			r->failed = true;
	for (size_t at = 0; at < texts.len;) {
		const char *end = memchr(texts.ptr + at, '\n', texts.len - at);
		size_t n = end ? (size_t)(end - texts.ptr) - at : texts.len - at;
		struct sj_value v;
		if (sj_value_parse(r->mem, &opt, sj_slice(texts.ptr + at, n), &v, NULL) == SJ_OK) {
			if (sj_value_is_string(&v))
				add_secret(r, sj_value_text(&v));
			sj_value_unref(r->mem, v);
		}
		at += n + 1;
	}
	sj_buf_finish(&texts);
}

/* What the secret fields hold, whoever wrote it. Reading them evaluates them: only where somebody looks anyway. */
static void gather_shown(struct cmd_recorder *r, struct sj_view *view)
{
	struct sj_surface *s = sj_view_surface(view);
	SJ_VEC(sj_node_id) todo = {0};
	struct sj_prop p;
	if (sj_surface_settle(s) == SJ_NOMEM)
		r->failed = true;
	for (sj_node_id n = sj_surface_root(s); n; n = todo.count > 0 ? todo.items[--todo.count] : 0) {
		uint32_t children = sj_node_child_count(s, n);
		for (uint32_t i = 0; sj_node_kind(s, n) == SJ_UI_TEXT_FIELD && i < sj_node_prop_count(s, n); i++)
			if (sj_node_prop(s, n, i, &p) && p.flags & SJ_PF_SECRET && p.value &&
			    sj_value_is_string(p.value))
				add_secret(r, sj_value_text(p.value));
		if (SJ_VEC_RESERVE(r->mem, &todo, todo.count + children, 0) != SJ_OK) {
			r->failed = true;
			break;
		}
		for (uint32_t i = 0; i < children; i++)
			todo.items[todo.count++] = sj_node_child(s, n, i);
	}
	SJ_VEC_FREE(r->mem, &todo);
}

static bool is_secret_input(struct sj_surface *s, const struct sj_input *in)
{
	struct sj_prop p;
	for (uint32_t i = 0; i < sj_node_prop_count(s, in->node); i++)
		if (sj_node_prop(s, in->node, i, &p) && p.ui == in->prop && p.flags & SJ_PF_SECRET)
			return true;
	return false;
}

static void put_mask(struct sj_buf *out, struct sj_slice text, enum mask mask)
{
	for (size_t at = 0; at < text.len;) {
		uint32_t c = sj_utf8_next(text, &at);
		char kind = c >= '0' && c <= '9'   ? '0'
		            : c >= 'a' && c <= 'z' ? 'x'
		            : c >= 'A' && c <= 'Z' ? 'X'
		            : c == '@' || c == '.' ? (char)c
		            : c >= 0x80            ? 'x'
		                                   : '*';
		sj_buf_putc(out, mask == MASK_LENGTH ? '*' : kind);
	}
}

enum { SHORT_SECRET = 4 }; /* shorter ones stand in other words by chance: they are masked where they stand alone */

/* `text` with its secrets masked. */
static void mask_text(const struct cmd_recorder *r, struct sj_slice text, enum mask mask, struct sj_buf *out)
{
	for (size_t at = 0; at < text.len;) {
		const struct sj_slice *found = NULL;
		for (uint32_t i = 0; i < r->secrets.count && !found; i++) {
			const struct sj_slice *s = &r->secrets.items[i];
			bool alone = s->len == text.len, enough = s->len >= SHORT_SECRET;
			if ((alone || enough) && s->len <= text.len - at && memcmp(text.ptr + at, s->ptr, s->len) == 0)
				found = s;
		}
		if (found)
			put_mask(out, *found, mask);
		else
			sj_buf_putc(out, text.ptr[at]);
		at += found ? found->len : 1;
	}
}

/* One string of JSON with its quotes. A name stays as it is, unless it holds a secret that is no
 * chance. */
static void mask_string(const struct cmd_recorder *r, struct sj_slice token, bool name, enum mask mask,
                        struct sj_buf *out)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v;
	struct sj_buf masked;
	if (sj_value_parse(r->mem, &opt, token, &v, NULL) != SJ_OK) {
		mask_text(r, token, mask, out);
		return;
	}
	struct sj_slice text = sj_value_text(&v);
	sj_buf_init(&masked, r->mem, 0);
	if (!name || text.len >= SHORT_SECRET)
		mask_text(r, text, mask, &masked);
	else
		sj_buf_slice(&masked, text);
	if (sj_slice_eq(sj_buf_view(&masked), text))
		sj_buf_slice(out, token); /* byte for byte */
	else
		sj_json_print_string(out, sj_buf_view(&masked));
	if (sj_buf_status(&masked) != SJ_OK)
		out->status = SJ_NOMEM;
	sj_buf_finish(&masked);
	sj_value_unref(r->mem, v);
}

/* JSON, or what was meant to be: its strings are masked, the rest stays. Before `values_at`, names of ours stand. */
static void mask_json(const struct cmd_recorder *r, struct sj_slice json, size_t values_at, enum mask mask,
                      struct sj_buf *out)
{
	size_t at = 0;
	while (at < json.len) {
		size_t end = at;
		if (json.ptr[at] != '"') {
			sj_buf_putc(out, json.ptr[at++]);
			continue;
		}
		for (end = at + 1; end < json.len && json.ptr[end] != '"'; end++)
			end += json.ptr[end] == '\\';
		end = end < json.len ? end + 1 : json.len;
		size_t next = end;
		while (next < json.len && (json.ptr[next] == ' ' || json.ptr[next] == '\t'))
			next++;
		mask_string(r, sj_slice(json.ptr + at, end - at),
		            at < values_at || (next < json.len && json.ptr[next] == ':'), mask, out);
		at = end;
	}
}

/* ---- inlets ------------------------------------------------------------------------------------------------------ */

static void put_member(struct sj_buf *b, const char *name, struct sj_slice text)
{
	sj_buf_printf(b, ",\"%s\":", name);
	sj_json_print_string(b, text);
}

/* "id", and what tells this node from others of the same component: rows, or the way to it from the root. */
static void put_node(struct cmd_recorder *r, struct sj_surface *s, sj_node_id n)
{
	enum { MOST = 64 };
	uint32_t rows[MOST], count = 0, depth = sj_node_scope_depth(s, n);
	struct sj_slice id = sj_node_component_id(s, n);

	sj_buf_puts(&r->line, "{\"id\":");
	sj_json_print_string(&r->line, id);
	for (sj_node_id at = n; at && count < depth && count < MOST; at = sj_node_parent(s, at)) {
		sj_node_id up = sj_node_parent(s, at);
		if ((up ? sj_node_scope_depth(s, up) : 0) < depth - count)
			rows[count++] = (uint32_t)sj_node_row(s, at);
	}
	for (uint32_t i = 0; i < count; i++)
		sj_buf_printf(&r->line, "%s%u%s", i ? "," : ",\"rows\":[", rows[count - 1 - i],
		              i + 1 == count ? "]" : "");
	for (uint32_t i = 0; i < count / 2; i++) {
		uint32_t row = rows[i];
		rows[i] = rows[count - 1 - i];
		rows[count - 1 - i] = row;
	}
	if (sj_surface_find(s, id, rows, count) == n)
		return;
	/* The component is shown more than once in this scope. */
	SJ_VEC(uint32_t) way = {0};
	for (sj_node_id at = n, up; (up = sj_node_parent(s, at)) != 0; at = up) {
		uint32_t i = 0;
		while (i < sj_node_child_count(s, up) && sj_node_child(s, up, i) != at)
			i++;
		if (SJ_VEC_RESERVE(r->mem, &way, way.count + 1, 0) != SJ_OK) {
			r->failed = true;
			break;
		}
		way.items[way.count++] = i;
	}
	for (uint32_t i = way.count; i-- > 0;)
		sj_buf_printf(&r->line, "%s%u%s", i + 1 == way.count ? ",\"way\":[" : ",", way.items[i], i ? "" : "]");
	SJ_VEC_FREE(r->mem, &way);
}

static void put_deed(struct cmd_recorder *r, const struct sj_inlet *in, const char *deed)
{
	struct sj_surface *s = sj_view_surface(in->view);
	sj_buf_puts(&r->line, "{\"user\":{\"surface\":");
	sj_json_print_string(&r->line, sj_view_id(in->view));
	sj_buf_printf(&r->line, ",\"%s\":", deed);
	if (sj_surface_settle(s) == SJ_NOMEM)
		r->failed = true;
	put_node(r, s, in->node);
}

static void put_input(struct cmd_recorder *r, const struct sj_inlet *in)
{
	static const char *const phases[] = {[SJ_EDIT_BEGIN] = "begin", [SJ_EDIT_UPDATE] = "update",
	                                     [SJ_EDIT_COMMIT] = "commit", [SJ_EDIT_CANCEL] = "cancel"};
	const struct sj_input *input = in->input;
	put_deed(r, in, "set");
	if (input->phase != SJ_EDIT_COMMIT)
		put_member(&r->line, "phase", sj_slice_of(phases[input->phase]));
	if (input->prop != SJ_P_VALUE)
		put_member(&r->line, "prop", sj_slice_of(sj_ui_prop_name(input->prop)));
	if (input->value.type != SJ_V_ABSENT) {
		sj_buf_puts(&r->line, ",\"value\":");
		r->value_at = r->line.len;
		sj_value_print(&r->line, &input->value, SJ_PRINT_COMPACT);
	}
	sj_buf_putc(&r->line, '}');
	if (sj_value_is_string(&input->value) && is_secret_input(sj_view_surface(in->view), input))
		add_secret(r, sj_value_text(&input->value));
}

static void put_answer(struct cmd_recorder *r, const struct sj_inlet *in)
{
	uint32_t i = 0;
	while (i < r->wanted.count && r->wanted.items[i].call_id != in->call_id)
		i++;
	if (i == r->wanted.count)
		return;
	sj_buf_puts(&r->line, "{\"answer\":{\"name\":");
	sj_json_print_string(&r->line, sj_slice_of(r->wanted.items[i].name));
	if (in->error_code.len > 0) {
		sj_buf_puts(&r->line, ",\"error\":{\"code\":");
		sj_json_print_string(&r->line, in->error_code);
		put_member(&r->line, "message", in->error_message);
		sj_buf_putc(&r->line, '}');
	} else if (in->text.len > 0) {
		sj_buf_puts(&r->line, ",\"value\":");
		sj_buf_slice(&r->line, in->text);
	}
	sj_buf_puts(&r->line, "}}");
	r->wanted.count--;
	memmove(&r->wanted.items[i], &r->wanted.items[i + 1], (r->wanted.count - i) * sizeof *r->wanted.items);
}

static void begin_line(struct cmd_recorder *r, const struct sj_inlet *in)
{
	sj_buf_clear(&r->line);
	switch (in->kind) {
	case SJ_IN_INPUT:
		put_input(r, in);
		return;
	case SJ_IN_PRESS:
		put_deed(r, in, "press");
		sj_buf_putc(&r->line, '}');
		return;
	case SJ_IN_LOCAL:
		put_deed(r, in, "local");
		put_member(&r->line, "name", in->name);
		sj_buf_puts(&r->line, ",\"value\":");
		sj_value_print(&r->line, in->value, SJ_PRINT_COMPACT);
		sj_buf_putc(&r->line, '}');
		return;
	case SJ_IN_ENV:
		sj_buf_puts(&r->line, "{\"env\":{");
		sj_json_print_string(&r->line, in->name);
		sj_buf_putc(&r->line, ':');
		sj_json_print_string(&r->line, in->text);
		sj_buf_puts(&r->line, "}}");
		return;
	case SJ_IN_ADVANCE:
		if (in->now_ms > r->now_ms)
			sj_buf_printf(&r->line, "{\"tick\":%lld}", (long long)(in->now_ms - r->now_ms));
		return;
	case SJ_IN_ANSWER:
		put_answer(r, in);
		return;
	case SJ_IN_FEED_END:
		sj_buf_puts(&r->line, "{\"bytes\":{\"text\":\"\",\"end\":true}}");
		return;
	case SJ_IN_FEED: /* kept as it is */
	case SJ_IN_CALL: /* these are no inlets of `play` */
	case SJ_IN_CANCEL:
	case SJ_IN_MESSAGE:
		return;
	}
}

static void on_inlet(void *ctx, const struct sj_inlet *in)
{
	struct cmd_recorder *r = ctx;
	if (!in->done) {
		if (in->kind == SJ_IN_FEED)
			keep(r, in->text, true);
		else
			begin_line(r, in);
		return;
	}
	if (in->kind == SJ_IN_ADVANCE)
		r->now_ms = sj_engine_now(r->s->engine);
	if (in->kind == SJ_IN_INPUT || in->kind == SJ_IN_PRESS || in->kind == SJ_IN_LOCAL)
		sj_buf_puts(&r->line, in->status == SJ_OK ? "}}" : ",\"refused\":true}}");
	r->failed = r->failed || sj_buf_status(&r->line) != SJ_OK;
	if (in->kind != SJ_IN_FEED && r->line.len > 0)
		keep(r, sj_buf_view(&r->line), false);
	gather_secrets(r);
}

void cmd_record_event(struct cmd_session *s, const struct sj_event *ev)
{
	struct cmd_recorder *r = s->recorder;
	if (!r || (ev->kind != SJ_EV_TOOL_WANTED && ev->kind != SJ_EV_CALL_WANTED && ev->kind != SJ_EV_CALL_GONE))
		return;
	if (ev->kind == SJ_EV_CALL_GONE) {
		for (uint32_t i = 0; i < r->wanted.count; i++)
			if (r->wanted.items[i].call_id == ev->call_id) {
				r->wanted.count--;
				memmove(&r->wanted.items[i], &r->wanted.items[i + 1],
				        (r->wanted.count - i) * sizeof *r->wanted.items);
				return;
			}
		return;
	}
	if (SJ_VEC_RESERVE(r->mem, &r->wanted, r->wanted.count + 1, 0) != SJ_OK) {
		r->failed = true;
		return;
	}
	struct wanted *w = &r->wanted.items[r->wanted.count++];
	w->call_id = ev->call_id;
	snprintf(w->name, sizeof w->name, "%.*s", SJ_ARG(ev->name));
}

void cmd_record_look(struct cmd_session *s, struct sj_view *v)
{
	struct cmd_recorder *r = s->recorder;
	if (!r)
		return;
	sj_buf_clear(&r->line);
	sj_buf_puts(&r->line, "{\"look\":{\"surface\":");
	sj_json_print_string(&r->line, sj_view_id(v));
	sj_buf_puts(&r->line, "}}");
	struct sj_slice line = sj_buf_view(&r->line);
	const struct step *last = r->steps.count > 0 ? &r->steps.items[r->steps.count - 1] : NULL;
	if (!last || last->fed || !sj_slice_eq(sj_slice(last->text, last->len), line))
		keep(r, line, false);
	gather_shown(r, v);
}

/* ---- beginning --------------------------------------------------------------------------------------------------- */

static int put_catalogs(struct cmd_recorder *r, const struct cmd_args *args)
{
	int code = CMD_OK;
	for (int i = 0; i < args->ncatalogs && code == CMD_OK; i++) {
		struct sj_value v;
		struct sj_buf text;
		sj_buf_init(&text, r->mem, 0);
		code = cmd_read(args->catalogs[i], &text);
		if (code == CMD_OK && !cmd_parse(r->mem, sj_buf_view(&text), args->catalogs[i], &v))
			code = CMD_INVALID;
		sj_buf_puts(&r->line, i == 0 ? ",\"catalogs\":[" : ",");
		if (code == CMD_OK) {
			sj_value_print(&r->line, &v, SJ_PRINT_COMPACT);
			sj_value_unref(r->mem, v);
		}
		sj_buf_finish(&text);
	}
	sj_buf_puts(&r->line, args->ncatalogs > 0 ? "]" : "");
	for (int i = 0; i < args->npermissive; i++) {
		sj_buf_puts(&r->line, i == 0 ? ",\"permissive\":[" : ",");
		sj_json_print_string(&r->line, sj_slice_of(args->permissive[i]));
	}
	sj_buf_puts(&r->line, args->npermissive > 0 ? "]" : "");
	return code;
}

int cmd_record_begin(struct cmd_session *s, const struct cmd_args *args, const struct sj_engine_config *cfg)
{
	struct cmd_recorder *r = sj_mem_zalloc(s->mem, sizeof *r);
	if (!r)
		return CMD_IO;
	r->mem = s->mem;
	r->s = s;
	r->now_ms = cfg->now_ms;
	r->value_at = SIZE_MAX;
	s->recorder = r;
	sj_buf_init(&r->line, r->mem, 0);
	sj_buf_printf(&r->line, "{\"config\":{\"now\":%lld", (long long)cfg->now_ms);
	if (cfg->gate_surface)
		put_member(&r->line, "gate", SJ_LIT("surface"));
	if (cfg->locale)
		put_member(&r->line, "locale", sj_slice_of(cfg->locale));
	if (cfg->time_zone)
		put_member(&r->line, "timeZone", sj_slice_of(cfg->time_zone));
	int code = put_catalogs(r, args);
	sj_buf_puts(&r->line, "}}");
	keep(r, sj_buf_view(&r->line), false);
	sj_engine_witness(s->engine, on_inlet, r);
	return code;
}

/* The session lives in its player while that runs: events and inlets go by the engine, which does not move. */
void cmd_record_forget(struct cmd_session *s)
{
	struct cmd_recorder *r = s->recorder;
	if (!r)
		return;
	sj_engine_witness(s->engine, NULL, NULL);
	for (uint32_t i = 0; i < r->steps.count; i++)
		sj_mem_free(r->mem, r->steps.items[i].text, r->steps.items[i].len + 1);
	for (uint32_t i = 0; i < r->secrets.count; i++)
		sj_mem_free(r->mem, (char *)(uintptr_t)r->secrets.items[i].ptr, r->secrets.items[i].len + 1);
	SJ_VEC_FREE(r->mem, &r->steps);
	SJ_VEC_FREE(r->mem, &r->secrets);
	SJ_VEC_FREE(r->mem, &r->wanted);
	sj_buf_finish(&r->line);
	sj_mem_free(r->mem, r, sizeof *r);
	s->recorder = NULL;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

/* Bytes that are no UTF-8 cannot stand in JSON: those are written as digits. */
static void put_bytes(struct sj_buf *out, struct sj_slice bytes)
{
	if (sj_utf8_check(bytes) == bytes.len) {
		sj_buf_puts(out, "{\"bytes\":");
		sj_json_print_string(out, bytes);
		sj_buf_putc(out, '}');
		return;
	}
	sj_buf_puts(out, "{\"bytes\":{\"hex\":\"");
	for (size_t i = 0; i < bytes.len; i++)
		sj_buf_printf(out, "%02x", (unsigned)(unsigned char)bytes.ptr[i]);
	sj_buf_puts(out, "\"}}");
}

static void put_script(struct cmd_recorder *r, enum mask mask, struct sj_slice trees, struct sj_buf *out)
{
	struct sj_buf masked;
	sj_buf_init(&masked, r->mem, 0);
	for (uint32_t i = 0; i < r->steps.count; i++) {
		struct sj_slice text = {r->steps.items[i].text, r->steps.items[i].len};
		sj_buf_clear(&masked);
		mask_json(r, text, r->steps.items[i].value_at, mask, &masked);
		if (r->steps.items[i].fed)
			put_bytes(out, sj_buf_view(&masked));
		else
			sj_buf_slice(out, sj_buf_view(&masked));
		sj_buf_putc(out, '\n');
		if (sj_buf_status(&masked) != SJ_OK)
			out->status = SJ_NOMEM;
	}
	sj_buf_puts(out, "{\"expect\":{\"trees\":[");
	mask_json(r, trees, 0, mask, out);
	sj_buf_puts(out, "],\"errors\":{\"$any\":true}}}\n");
	sj_buf_finish(&masked);
}

struct outcome {
	char why[512]; /* the first failure */
};

static void first_failure(void *ctx, uint32_t line, struct sj_slice text)
{
	struct outcome *o = ctx;
	if (!o->why[0])
		snprintf(o->why, sizeof o->why, "line %u: %.*s", line, SJ_ARG(text));
}

static bool leads_back(struct cmd_recorder *r, const struct sj_buf *script, struct outcome *o)
{
	struct cmd_replay_result result = {0};
	*o = (struct outcome){0};
	return cmd_replay_run(r->mem, sj_buf_view(script), first_failure, o, &result) == CMD_OK && result.failures == 0;
}

static int write_file(const char *path, struct sj_slice text)
{
	FILE *f = fopen(path, "wb");
	bool ok = f && fwrite(text.ptr, 1, text.len, f) == text.len;
	ok = f && fclose(f) == 0 && ok;
	if (!ok)
		cmd_say("shoji: %s: the recording cannot be written\n", path);
	return ok ? CMD_OK : CMD_IO;
}

int cmd_record_end(struct cmd_session *s, const char *path)
{
	struct cmd_recorder *r = s->recorder;
	struct sj_buf trees, script;
	struct outcome o = {0};
	int code = CMD_OK;
	if (!r)
		return CMD_OK;
	sj_engine_witness(s->engine, NULL, NULL);
	sj_buf_init(&trees, r->mem, 0);
	sj_buf_init(&script, r->mem, 0);
	for (uint32_t i = 0; i < sj_engine_view_count(s->engine); i++) {
		gather_shown(r, sj_engine_view_at(s->engine, i));
		if (i > 0)
			sj_buf_putc(&trees, ',');
		if (sj_view_tree(s->engine, sj_engine_view_at(s->engine, i), &trees) != SJ_OK)
			r->failed = true;
	}
	gather_secrets(r);
	for (int mask = MASK_LENGTH; mask < MASKS; mask++) {
		sj_buf_clear(&script);
		put_script(r, (enum mask)mask, sj_buf_view(&trees), &script);
		if (r->failed || sj_buf_status(&script) != SJ_OK || leads_back(r, &script, &o) || r->secrets.count == 0)
			break;
	}
	if (r->failed || sj_buf_status(&script) != SJ_OK || sj_buf_status(&trees) != SJ_OK) {
		cmd_say("shoji: out of memory\n");
		code = CMD_IO;
	} else {
		code = write_file(path, sj_buf_view(&script));
		if (o.why[0])
			cmd_say("The recording does not lead to the same trees%s: %s\n",
			        r->secrets.count ? " (what is secret is masked in it)" : "", o.why);
	}
	sj_buf_finish(&trees);
	sj_buf_finish(&script);
	cmd_record_forget(s);
	return code;
}
