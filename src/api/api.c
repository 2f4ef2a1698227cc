/* Engines, inlets and the outlet of the public library. */
#include "api/api.h"

_Static_assert((int)SHOJI_OK == (int)SJ_OK && (int)SHOJI_ABSENT == (int)SJ_ABSENT &&
                       (int)SHOJI_INVALID == (int)SJ_INVALID && (int)SHOJI_LIMIT == (int)SJ_LIMIT &&
                       (int)SHOJI_NOMEM == (int)SJ_NOMEM,
               "public status numbers");
_Static_assert((int)SHOJI_EVENT_SURFACE_CHANGED == (int)SJ_EV_SURFACE_CHANGED &&
                       (int)SHOJI_EVENT_SEND == (int)SJ_EV_SEND && (int)SHOJI_EVENT_FAULT == (int)SJ_EV_DIAG &&
                       (int)SHOJI_EVENT_CALL_DONE == (int)SJ_EV_CALL_DONE,
               "public event numbers");
_Static_assert((int)SHOJI_DIALECT_RESERVED == (int)SJ_DIALECT_RESERVED &&
                       (int)SHOJI_DIALECT_BARE == (int)SJ_DIALECT_BARE,
               "public dialect numbers");
_Static_assert((int)SHOJI_EDIT_UPDATE == (int)SJ_EDIT_UPDATE && (int)SHOJI_EDIT_CANCEL == (int)SJ_EDIT_CANCEL,
               "public phase numbers");

uint32_t shoji_abi(void) { return SHOJI_ABI; }

void api_take(void *to, size_t to_bytes, const void *from)
{
	uint32_t given;
	memcpy(&given, from, sizeof given);
	memcpy(to, from, given < to_bytes ? given : to_bytes);
}

void api_give(void *to, const void *from, size_t from_bytes)
{
	uint32_t wanted;
	memcpy(&wanted, to, sizeof wanted);
	size_t bytes = wanted < from_bytes ? wanted : from_bytes;
	if (bytes > sizeof wanted)
		memcpy((char *)to + sizeof wanted, (const char *)from + sizeof wanted, bytes - sizeof wanted);
}

static void copy_text(char *to, size_t bytes, const char *from)
{
	struct sj_slice s = sj_slice_of(from);
	size_t n = sj_utf8_cut(s, bytes - 1);
	memcpy(to, s.ptr, n);
	to[n] = '\0';
}

static void fill_fault(struct shoji_fault *f, const struct sj_diag *d)
{
	*f = (struct shoji_fault){.size = sizeof *f, .line = d->line, .offset = d->offset};
	copy_text(f->code, sizeof f->code, sj_code_name(d->code));
	copy_text(f->category, sizeof f->category, sj_category_name(d->category));
	copy_text(f->pointer, sizeof f->pointer, d->pointer);
	copy_text(f->message, sizeof f->message, d->message);
	copy_text(f->hint, sizeof f->hint, d->hint);
}

enum shoji_status api_fault(struct shoji_fault *out, enum sj_status st, const struct sj_diag *d)
{
	if (out && st != SJ_OK) {
		struct shoji_fault f;
		fill_fault(&f, d);
		api_give(out, &f, sizeof f);
	}
	return (enum shoji_status)st;
}

enum shoji_status api_text(struct shoji_engine *e, struct shoji_text *out)
{
	enum sj_status st = sj_buf_status(&e->text);
	if (st == SJ_OK)
		*out = api_out(sj_buf_view(&e->text));
	return (enum shoji_status)st;
}

/* ---- engine ------------------------------------------------------------------------------------------------------ */

enum shoji_status shoji_create(const struct shoji_options *options, struct shoji_engine **out)
{
	struct shoji_options o = SHOJI_OPTIONS_INIT;
	if (options)
		api_take(&o, sizeof o, options);
	struct sj_limits limits = o.reference_limits ? SJ_LIMITS_UPSTREAM : SJ_LIMITS_DEFAULT;
	if (o.memory_limit_bytes)
		limits.memory_bytes = o.memory_limit_bytes;
	struct sj_engine_config cfg = {
		.size = sizeof cfg,
		.limits = &limits,
		.resize = o.resize,
		.resize_ctx = o.resize_ctx,
		.gate_surface = o.gate_surface,
		.dialect = (enum sj_dialect)o.dialect,
		.locale = o.locale,
		.time_zone = o.time_zone,
		.lazy_rows = o.lazy_rows,
		.now_ms = o.now_ms,
	};
	struct sj_engine *engine;
	enum sj_status st = sj_engine_create(&cfg, &engine);
	if (st != SJ_OK)
		return (enum shoji_status)st;
	struct sj_mem *mem = sj_engine_mem(engine);
	struct shoji_engine *e = sj_mem_zalloc(mem, sizeof *e);
	if (!e) {
		sj_engine_destroy(engine);
		return SHOJI_NOMEM;
	}
	e->engine = engine;
	e->mem = mem;
	sj_buf_init(&e->text, mem, 0);
	*out = e;
	return SHOJI_OK;
}

void shoji_destroy(struct shoji_engine *e)
{
	if (!e)
		return;
	struct sj_engine *engine = e->engine;
	while (e->functions) {
		struct api_function *f = e->functions;
		e->functions = f->next;
		sj_mem_free(e->mem, f, sizeof *f);
	}
	sj_buf_finish(&e->text);
	sj_mem_free(e->mem, e, sizeof *e);
	sj_engine_destroy(engine);
}

size_t shoji_memory_bytes(const struct shoji_engine *e) { return sj_engine_memory(e->engine); }

enum shoji_status shoji_add_catalog(struct shoji_engine *e, struct shoji_text json, struct shoji_fault *fault)
{
	struct sj_diag d = {0};
	return api_fault(fault, sj_engine_add_catalog(e->engine, api_in(json), SJ_NO_SLICE, SJ_VERSION_NONE, &d), &d);
}

/* ---- inlets ------------------------------------------------------------------------------------------------------ */

enum shoji_status shoji_peer_open(struct shoji_engine *e, struct shoji_text name, uint32_t *peer)
{
	return (enum shoji_status)sj_engine_peer_open(e->engine, api_in(name), peer);
}

void shoji_peer_close(struct shoji_engine *e, uint32_t peer) { sj_engine_peer_close(e->engine, peer); }

enum shoji_status shoji_feed(struct shoji_engine *e, uint32_t peer, const char *bytes, size_t count)
{
	return (enum shoji_status)sj_engine_feed(e->engine, peer, bytes, count);
}

enum shoji_status shoji_feed_end(struct shoji_engine *e, uint32_t peer)
{
	return (enum shoji_status)sj_engine_feed_end(e->engine, peer);
}

/* A value as the program gives it: JSON, or the text of a string. */
static enum sj_status read_value(struct shoji_engine *e, struct shoji_text text, bool is_text, struct sj_value *out,
                                 struct sj_diag *d)
{
	if (is_text)
		return sj_value_string(e->mem, api_in(text), out);
	struct sj_json_options opt = sj_json_options_wire(sj_engine_limits(e->engine));
	return sj_value_parse(e->mem, &opt, api_in(text), out, d);
}

enum shoji_status shoji_input(struct shoji_engine *e, struct shoji_view *v, const struct shoji_input *in,
                              struct shoji_fault *fault)
{
	struct shoji_input i = SHOJI_INPUT_INIT;
	api_take(&i, sizeof i, in);
	struct sj_diag d = {0};
	struct sj_input inner = {
		.node = i.node, .prop = SJ_P_VALUE, .phase = (enum sj_phase)i.phase, .serial = i.serial};
	enum sj_status st = SJ_OK;
	if (i.phase == SHOJI_EDIT_UPDATE || i.phase == SHOJI_EDIT_COMMIT)
		st = read_value(e, i.value, i.value_is_text, &inner.value, &d);
	if (st == SJ_OK) {
		st = sj_engine_input(e->engine, api_view(v), &inner, &d);
		sj_value_unref(e->mem, inner.value);
	}
	return api_fault(fault, st, &d);
}

enum shoji_status shoji_press(struct shoji_engine *e, struct shoji_view *v, uint64_t node, struct shoji_fault *fault)
{
	struct sj_diag d = {0};
	return api_fault(fault, sj_engine_press(e->engine, api_view(v), node, &d), &d);
}

enum shoji_status shoji_set_local(struct shoji_engine *e, struct shoji_view *v, uint64_t node, const char *name,
                                  struct shoji_text json)
{
	struct sj_value value;
	enum sj_status st = read_value(e, json, false, &value, NULL);
	if (st == SJ_OK)
		st = sj_engine_set_local(e->engine, api_view(v), node, sj_slice_of(name), value);
	return (enum shoji_status)st;
}

enum shoji_status shoji_set_env(struct shoji_engine *e, struct shoji_view *v, const char *name, struct shoji_text value)
{
	return (enum shoji_status)sj_engine_set_env(e->engine, v ? api_view(v) : NULL, sj_slice_of(name),
	                                            api_in(value));
}

enum shoji_status shoji_advance(struct shoji_engine *e, int64_t now_ms)
{
	return (enum shoji_status)sj_engine_advance(e->engine, now_ms);
}

int64_t shoji_deadline(const struct shoji_engine *e) { return sj_engine_deadline(e->engine); }

enum shoji_status shoji_answer(struct shoji_engine *e, uint64_t call_id, struct shoji_text json, const char *error_code,
                               struct shoji_text error_message)
{
	return (enum shoji_status)sj_engine_answer(e->engine, call_id, api_in(json), sj_slice_of(error_code),
	                                           api_in(error_message));
}

/* ---- outlet ------------------------------------------------------------------------------------------------------ */

enum shoji_status shoji_next(struct shoji_engine *e, struct shoji_event *out)
{
	struct sj_event ev;
	enum sj_status st = sj_engine_next(e->engine, &ev);
	if (st != SJ_OK)
		return (enum shoji_status)st;
	struct shoji_event given = {
		.kind = (enum shoji_event_kind)ev.kind,
		.peer = ev.peer,
		.message = ev.message,
		.view = (struct shoji_view *)ev.view,
		.surface_id = api_out(ev.surface_id),
		.name = api_out(ev.name),
		.json = api_out(ev.json),
		.metadata = api_out(ev.metadata),
		.call_id = ev.call_id,
	};
	if (ev.diag) {
		fill_fault(&e->fault, ev.diag);
		given.fault = &e->fault;
	}
	api_give(out, &given, sizeof given);
	return SHOJI_OK;
}
