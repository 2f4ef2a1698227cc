#include "engine/talk.h"

#include <stdarg.h>
#include <stdio.h>

#include "schema/a2ui_set.h"

static void *resize(void *ctx, void *ptr, size_t old_bytes, size_t new_bytes)
{
	struct sj_mem *m = ctx;
	if (new_bytes == 0) {
		sj_mem_free(m, ptr, old_bytes);
		return NULL;
	}
	return ptr ? sj_mem_resize(m, ptr, old_bytes, new_bytes) : sj_mem_alloc(m, new_bytes);
}

enum sj_status talk_open(struct talk *t, struct sj_mem *mem, const struct sj_engine_config *cfg)
{
	struct sj_engine_config own = {.size = sizeof own};
	if (cfg)
		own = *cfg;
	own.size = sizeof own;
	own.resize = resize;
	own.resize_ctx = mem;
	t->mem = mem;
	t->e = NULL;
	t->count = 0;
	t->peer = 0;
	memset(t->sets, 0, sizeof t->sets);
	sj_mem_init(&t->kept_mem, NULL, 0);
	sj_arena_init(&t->kept, &t->kept_mem, 4096);
	enum sj_status st = sj_engine_create(&own, &t->e);
	if (st == SJ_OK)
		st = sj_engine_peer_open(t->e, SJ_LIT("agent"), &t->peer);
	return st;
}

void talk_close(struct talk *t)
{
	for (size_t i = 0; i < sizeof t->sets / sizeof *t->sets; i++)
		sj_schema_set_destroy(t->sets[i]);
	sj_engine_destroy(t->e);
	t->e = NULL;
	sj_arena_finish(&t->kept);
}

static const char *keep(struct talk *t, struct sj_slice s) { return s.len ? sj_arena_copy(&t->kept, s).ptr : ""; }

const char *talk_quote(struct talk *t, const char *text)
{
	size_t n = strlen(text);
	char *out = sj_arena_alloc(&t->kept, n + 1);
	for (size_t i = 0; i <= n; i++)
		out[i] = text[i] == '\'' ? '"' : text[i];
	return out;
}

static const char *vformat(struct talk *t, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
static const char *vformat(struct talk *t, const char *format, va_list args)
{
	size_t room = 4096;
	for (;;) {
		va_list again;
		va_copy(again, args);
		char *text = sj_arena_alloc(&t->kept, room);
		int n = vsnprintf(text, room, format, again);
		va_end(again);
		if ((size_t)n >= room) {
			room = (size_t)n + 1;
			continue;
		}
		for (int i = 0; i < n; i++)
			if (text[i] == '\'')
				text[i] = '"';
		return text;
	}
}

enum sj_status talk_say(struct talk *t, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *text = vformat(t, format, args);
	va_end(args);
	enum sj_status st = sj_engine_feed(t->e, t->peer, text, strlen(text));
	/* After a fault the next document begins with the next line. */
	enum sj_status end = sj_engine_feed(t->e, t->peer, "\n", 1);
	st = st == SJ_OK ? end : st;
	enum sj_status taken = talk_take(t);
	return st == SJ_OK ? taken : st;
}

enum sj_status talk_message(struct talk *t, struct sj_diag *d, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const char *text = vformat(t, format, args);
	va_end(args);
	sj_diag_clear(d);
	enum sj_status st = sj_engine_message(t->e, t->peer, sj_slice_of(text), d);
	enum sj_status taken = talk_take(t);
	return taken == SJ_NOMEM ? taken : st;
}

enum sj_status talk_take(struct talk *t)
{
	struct sj_event ev;
	enum sj_status st;
	while ((st = sj_engine_next(t->e, &ev)) == SJ_OK) {
		if (ev.kind == SJ_EV_SURFACE_CHANGED) {
			const struct sj_change *list;
			uint32_t n;
			if (sj_surface_changes(sj_view_surface(ev.view), &list, &n) == SJ_NOMEM)
				return SJ_NOMEM;
		}
		if (t->count == sizeof t->heard / sizeof *t->heard)
			continue;
		struct heard *h = &t->heard[t->count++];
		*h = (struct heard){.kind = ev.kind,
		                    .peer = ev.peer,
		                    .message = ev.message,
		                    .has_view = ev.view != NULL,
		                    .surface = keep(t, ev.surface_id),
		                    .name = keep(t, ev.name),
		                    .json = keep(t, ev.json),
		                    .metadata = keep(t, ev.metadata),
		                    .call_id = ev.call_id};
		if (ev.diag)
			h->diag = *ev.diag;
	}
	return st == SJ_ABSENT ? SJ_OK : st;
}

void talk_forget(struct talk *t)
{
	t->count = 0;
	sj_arena_reset(&t->kept);
}

enum sj_status talk_create(struct talk *t, const char *version, const char *surface)
{
	return talk_say(t, "{'version':'%s','createSurface':{'surfaceId':'%s','catalogId':'%s'}}", version, surface,
	                strcmp(version, "v1.0") == 0 ? BASIC10 : BASIC09);
}

enum sj_status talk_components(struct talk *t, const char *version, const char *surface, const char *components)
{
	return talk_say(t, "{'version':'%s','updateComponents':{'surfaceId':'%s','components':[%s]}}", version, surface,
	                components);
}

enum sj_status talk_data(struct talk *t, const char *version, const char *surface, const char *path, const char *value)
{
	return talk_say(t, "{'version':'%s','updateDataModel':{'surfaceId':'%s','path':'%s'%s%s}}", version, surface,
	                path, value ? ",'value':" : "", value ? value : "");
}

uint32_t talk_heard(const struct talk *t, enum sj_event_kind kind)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < t->count; i++)
		n += t->heard[i].kind == kind;
	return n;
}

const struct heard *talk_event(const struct talk *t, enum sj_event_kind kind, uint32_t i)
{
	static const struct heard none = {
		.surface = "", .name = "(no such event)", .json = "(no such event)", .metadata = "(no such event)"};
	for (uint32_t k = 0; k < t->count; k++)
		if (t->heard[k].kind == kind && i-- == 0)
			return &t->heard[k];
	return &none;
}

uint32_t talk_faults(const struct talk *t)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < t->count; i++)
		n += t->heard[i].kind == SJ_EV_DIAG && t->heard[i].diag.severity == SJ_SEV_ERROR;
	return n;
}

const char *talk_log(struct talk *t)
{
	struct sj_buf out;
	sj_buf_init(&out, &t->kept_mem, 0);
	for (uint32_t i = 0; i < t->count; i++) {
		const struct heard *h = &t->heard[i];
		switch (h->kind) {
		case SJ_EV_SURFACE_NEW:
			sj_buf_printf(&out, "NEW %s\n", h->surface);
			break;
		case SJ_EV_SURFACE_CHANGED:
			sj_buf_printf(&out, "CHANGED %s\n", h->surface);
			break;
		case SJ_EV_SURFACE_GONE:
			sj_buf_printf(&out, "GONE %s\n", h->surface);
			break;
		case SJ_EV_SEND:
			sj_buf_puts(&out, "SEND ");
			sj_buf_puts(&out, h->json);
			sj_buf_puts(&out, h->metadata[0] ? " WITH " : "");
			sj_buf_puts(&out, h->metadata);
			sj_buf_putc(&out, '\n');
			break;
		case SJ_EV_TOOL_WANTED:
			sj_buf_printf(&out, "TOOL %s %s\n", h->name, h->json);
			break;
		case SJ_EV_CALL_WANTED:
			sj_buf_printf(&out, "CALL %s %s\n", h->name, h->json);
			break;
		case SJ_EV_CALL_GONE:
			sj_buf_puts(&out, "CALL GONE\n");
			break;
		case SJ_EV_CALL_DONE:
			sj_buf_printf(&out, "DONE %s%s\n", h->json, h->diag.code ? sj_code_name(h->diag.code) : "");
			break;
		case SJ_EV_DIAG:
			sj_buf_printf(&out, "DIAG %s %s\n", sj_code_name(h->diag.code), h->diag.pointer);
			break;
		}
	}
	const char *kept = keep(t, sj_buf_view(&out));
	sj_buf_finish(&out);
	return kept;
}

struct sj_view *talk_view(struct talk *t, const char *surface)
{
	return sj_engine_view(t->e, t->peer, sj_slice_of(surface));
}

struct sj_surface *talk_surface(struct talk *t, const char *surface)
{
	struct sj_view *v = talk_view(t, surface);
	return v ? sj_view_surface(v) : NULL;
}

static const char *report(struct talk *t, struct sj_view *v,
                          enum sj_status (*fn)(struct sj_engine *, struct sj_view *, struct sj_buf *))
{
	struct sj_buf out;
	if (!v)
		return "";
	sj_buf_init(&out, &t->kept_mem, 0);
	enum sj_status st = fn(t->e, v, &out);
	const char *text = st == SJ_OK ? keep(t, sj_buf_view(&out)) : "(failed)";
	sj_buf_finish(&out);
	return text;
}

const char *talk_whole(struct talk *t, const char *surface) { return report(t, talk_view(t, surface), sj_view_tree); }
const char *talk_defs(struct talk *t, const char *surface)
{
	return report(t, talk_view(t, surface), sj_view_components);
}
const char *talk_valid(struct talk *t, const char *surface)
{
	return report(t, talk_view(t, surface), sj_view_validation);
}

const char *talk_tree(struct talk *t, const char *surface)
{
	const char *whole = talk_whole(t, surface), *at = strstr(whole, ",\"tree\":");
	if (!at)
		return whole;
	at += strlen(",\"tree\":");
	return keep(t, sj_slice(at, strlen(at) - 1));
}

static enum sj_status print_model(struct sj_engine *e, struct sj_view *v, struct sj_buf *out)
{
	(void)e;
	sj_value_print(out, sj_surface_model(sj_view_surface(v), SJ_ROOT_DATA), SJ_PRINT_UTF16);
	return sj_buf_status(out);
}

const char *talk_model(struct talk *t, const char *surface) { return report(t, talk_view(t, surface), print_model); }

const char *talk_everything(struct talk *t)
{
	struct sj_buf out;
	sj_buf_init(&out, &t->kept_mem, 0);
	for (uint32_t i = 0; i < sj_engine_view_count(t->e); i++) {
		struct sj_view *v = sj_engine_view_at(t->e, i);
		sj_buf_puts(&out, report(t, v, sj_view_tree));
		sj_buf_puts(&out, report(t, v, print_model));
		sj_buf_puts(&out, report(t, v, sj_view_components));
		sj_buf_puts(&out, report(t, v, sj_view_validation));
		sj_buf_putc(&out, '\n');
	}
	const char *kept = keep(t, sj_buf_view(&out));
	sj_buf_finish(&out);
	return kept;
}

sj_node_id talk_node(struct talk *t, const char *surface, const char *component)
{
	struct sj_surface *s = talk_surface(t, surface);
	if (!s || sj_surface_settle(s) == SJ_NOMEM)
		return 0;
	return sj_surface_find(s, sj_slice_of(component), NULL, 0);
}

sj_node_id talk_row(struct talk *t, const char *surface, const char *component, uint32_t row)
{
	struct sj_surface *s = talk_surface(t, surface);
	if (!s || sj_surface_settle(s) == SJ_NOMEM)
		return 0;
	return sj_surface_find(s, sj_slice_of(component), &row, 1);
}

const char *talk_prop(struct talk *t, const char *surface, sj_node_id n, const char *name)
{
	struct sj_surface *s = talk_surface(t, surface);
	struct sj_prop p;
	if (!s || !sj_node_prop_named(s, n, sj_slice_of(name), &p))
		return "absent";
	if (p.result != SJ_R_OK || !p.value)
		return p.result == SJ_R_PENDING ? "pending" : p.result == SJ_R_ERROR ? "error" : "absent";
	struct sj_buf out;
	sj_buf_init(&out, &t->kept_mem, 0);
	sj_value_print(&out, p.value, SJ_PRINT_UTF16);
	const char *text = keep(t, sj_buf_view(&out));
	sj_buf_finish(&out);
	return text;
}

enum sj_status talk_press(struct talk *t, const char *surface, sj_node_id n, struct sj_diag *d)
{
	if (d)
		sj_diag_clear(d);
	enum sj_status st = sj_engine_press(t->e, talk_view(t, surface), n, d), taken = talk_take(t);
	return taken == SJ_NOMEM ? taken : st;
}

enum sj_status talk_edit(struct talk *t, const char *surface, sj_node_id n, enum sj_phase phase, const char *json,
                         struct sj_diag *d)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_mem *mem = sj_engine_mem(t->e); /* what the engine keeps lives in its own account */
	struct sj_value v = SJ_ABSENT_VALUE;
	if (d)
		sj_diag_clear(d);
	enum sj_status st = json ? sj_value_parse(mem, &opt, sj_slice_of(talk_quote(t, json)), &v, NULL) : SJ_OK;
	if (st != SJ_OK)
		return st;
	struct sj_input in = {.node = n, .prop = SJ_P_VALUE, .phase = phase, .serial = 1, .value = v};
	st = sj_engine_input(t->e, talk_view(t, surface), &in, d);
	sj_value_unref(mem, v);
	return talk_take(t) == SJ_NOMEM ? SJ_NOMEM : st;
}

enum sj_status talk_type(struct talk *t, const char *surface, sj_node_id n, const char *json, struct sj_diag *d)
{
	return talk_edit(t, surface, n, SJ_EDIT_COMMIT, json, d);
}

const char *talk_at(struct talk *t, const char *json, const char *pointer)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v;
	if (sj_value_parse(&t->kept_mem, &opt, sj_slice_of(json), &v, NULL) != SJ_OK)
		return "(not JSON)";
	const struct sj_value *at = sj_value_at(&v, sj_slice_of(pointer));
	struct sj_buf out;
	sj_buf_init(&out, &t->kept_mem, 0);
	if (at)
		sj_value_print(&out, at, SJ_PRINT_UTF16);
	else
		sj_buf_puts(&out, "absent");
	const char *text = keep(t, sj_buf_view(&out));
	sj_buf_finish(&out);
	sj_value_unref(&t->kept_mem, v);
	return text;
}

/* ---- outbound messages against the published schemas ------------------------------------------------------------- */

static const char *const outbound[A2UI_VERSIONS + 1] = {"client_to_server.json", "client_to_server.json",
                                                        "renderer_to_agent.json", "client_to_server.json"};

bool talk_can_check_outbound(void)
{
	char path[512];
	return a2ui_path(&a2ui_versions[2], "json/renderer_to_agent.json", path);
}

struct first {
	char text[256];
};
static bool first_fault(void *ctx, const struct sj_schema_fault *f)
{
	snprintf(((struct first *)ctx)->text, sizeof ((struct first *)ctx)->text, "%s", f->message);
	return false;
}

void talk_check_document(const char *file, int line, struct talk *t, size_t k, const char *document, const char *json)
{
	if (!talk_can_check_outbound())
		return;
	const struct a2ui_version *v = k == A2UI_VERSIONS ? &a2ui_v08 : &a2ui_versions[k];
	if (!t->sets[k])
		t->sets[k] = a2ui_set(
			v, v == &a2ui_v08 ? "json/standard_catalog_definition.json" : "catalogs/basic/catalog.json",
			false);
	const struct sj_schema *schema = NULL;
	struct sj_diag d = {0};
	struct first fault = {""};
	char uri[200];
	struct sj_tape tape;
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	snprintf(uri, sizeof uri, "%s%s", v->base, document);
	if (!t->sets[k] || sj_schema_compile(t->sets[k], sj_slice_of(uri), &schema, &d) != SJ_OK)
		sj_fail_at(file, line, "%s: %s", uri, d.message);
	else if (sj_json_parse(&t->kept, &opt, sj_slice_of(json), &tape, &d) != SJ_OK)
		sj_fail_at(file, line, "not JSON (%s): %s", d.message, json);
	else if (sj_schema_validate(schema, &tape, 0, &t->kept, first_fault, &fault) != SJ_OK)
		sj_fail_at(file, line, "%s refuses %s: %s", document, json, fault.text);
}

void talk_check_outbound(const char *file, int line, struct talk *t, const char *json)
{
	const char *version = talk_at(t, json, "/version");
	size_t k = strcmp(version, "\"v0.9\"") == 0     ? 0
	           : strcmp(version, "\"v0.9.1\"") == 0 ? 1
	           : strcmp(version, "absent") == 0     ? 3
	                                                : 2;
	talk_check_document(file, line, t, k, outbound[k], json);
}
