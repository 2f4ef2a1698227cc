/* The engine: a queue of events over the languages' drivers, one stream reader per peer, the clock. */
#include "engine/engine.h"

#include <assert.h>

#include "a2ui/protocol.h"
#include "json/stream.h"

struct queued { /* one event, its diagnostic (where it has one) and its text behind it in one block */
	struct queued *next;
	size_t bytes;
	struct sj_event e;
	uint32_t view_uid; /* the view is looked up again when the event is taken: it may be gone by then */
	bool with_models;
	enum sj_version version;
	char rest[];
};

/* What the host said of every surface; a new one hears it before anything on it is evaluated. */
struct env {
	char *name, *value;
	size_t name_len, value_len;
};

struct peer {
	bool open;
	struct sj_mem *account; /* of its surfaces and of what it sent so far; NULL when it is closed */
	struct sj_json_stream *stream;
	char *name;
	size_t name_len;
	struct sj_origin origin; /* messages so far */
};

struct sj_engine {
	struct sj_mem mem;
	struct sj_engine_config cfg;
	struct sj_limits limits;
	char locale[64], time_zone[64]; /* copies: the caller's text need not outlive the call */
	struct sj_a2ui *a2ui;
	SJ_VEC(struct peer) peers;
	SJ_VEC(struct env) env;
	SJ_VEC(struct sj_view *) touched; /* views that may have changes to announce */
	struct queued *first, *last, *given; /* `given`: what the last next() handed out */
	uint32_t queued;
	int64_t now_ms;
	bool overflow, unsettled;
	sj_inlet_fn witness;
	void *witness_ctx;
	struct { /* what travels beside messages: the same text until something enters */
		struct sj_buf text;
		uint32_t peer;
		enum sj_version version;
		bool valid, present;
	} models;
};

enum { KEPT_BYTES = 64 * 1024 }; /* of the models' text, between turns */

/* Everything that enters begins a turn. */
static void begin_turn(struct sj_engine *e)
{
	if (e->models.text.cap > KEPT_BYTES)
		sj_buf_finish(&e->models.text);
	e->models.valid = false;
	sj_fn_table_turn(sj_a2ui_functions(e->a2ui));
}

void sj_engine_witness(struct sj_engine *e, sj_inlet_fn fn, void *ctx)
{
	e->witness = fn;
	e->witness_ctx = ctx;
}

static void before(struct sj_engine *e, const struct sj_inlet *in)
{
	if (e->witness)
		e->witness(e->witness_ctx, in);
}

static enum sj_status after(struct sj_engine *e, struct sj_inlet *in, enum sj_status st)
{
	in->done = true;
	in->status = st;
	before(e, in);
	return st;
}

/* ---- queue ------------------------------------------------------------------------------------------------------- */

static void free_queued(struct sj_engine *e, struct queued *q) { sj_mem_free(&e->mem, q, q ? q->bytes : 0); }

static struct sj_slice keep(char **at, struct sj_slice s)
{
	if (!s.ptr)
		return s;
	memcpy(*at, s.ptr, s.len);
	struct sj_slice kept = sj_slice(*at, s.len);
	*at += s.len;
	return kept;
}

static enum sj_event_kind event_kind(enum sj_out_kind k)
{
	switch (k) {
	case SJ_OUT_SURFACE_NEW:
		return SJ_EV_SURFACE_NEW;
	case SJ_OUT_SURFACE_GONE:
		return SJ_EV_SURFACE_GONE;
	case SJ_OUT_SEND:
		return SJ_EV_SEND;
	case SJ_OUT_TOOL_WANTED:
		return SJ_EV_TOOL_WANTED;
	case SJ_OUT_CALL_WANTED:
		return SJ_EV_CALL_WANTED;
	case SJ_OUT_CALL_GONE:
		return SJ_EV_CALL_GONE;
	case SJ_OUT_CALL_DONE:
		return SJ_EV_CALL_DONE;
	case SJ_OUT_DIAG:
		break;
	}
	return SJ_EV_DIAG;
}

static enum sj_status push(struct sj_engine *e, const struct sj_out *o)
{
	/* Outbound messages are capped: a host that never fetches learns it by one diagnostic, not by memory. */
	if (e->queued >= e->limits.outbound) {
		e->overflow = true;
		return SJ_OK;
	}
	size_t diag = o->diag ? sizeof *o->diag : 0, begin = (offsetof(struct queued, rest) + 7u) & ~(size_t)7u;
	size_t bytes = begin + diag + o->surface_id.len + o->name.len + o->json.len + o->metadata.len +
	               o->source.len;
	struct queued *q = sj_mem_alloc(&e->mem, bytes);
	if (!q)
		return SJ_NOMEM;
	char *at = (char *)q + begin + diag;
	q->next = NULL;
	q->bytes = bytes;
	q->e = (struct sj_event){
		.kind = event_kind(o->kind), .peer = o->peer, .call_id = o->call_id, .message = o->message};
	q->view_uid = o->view ? sj_a2ui_view_uid(o->view) : 0;
	q->with_models = o->with_models;
	q->version = o->version;
	q->e.surface_id = keep(&at, o->surface_id);
	q->e.name = keep(&at, o->name);
	q->e.json = keep(&at, o->json);
	q->e.metadata = keep(&at, o->metadata);
	q->e.source = keep(&at, o->source);
	if (o->diag)
		q->e.diag = memcpy((char *)q + begin, o->diag, diag);
	if (e->last)
		e->last->next = q;
	else
		e->first = q;
	e->last = q;
	e->queued++;
	return SJ_OK;
}

static void forget_view(struct sj_engine *e, struct sj_view *v)
{
	if (!*sj_a2ui_view_mark(v))
		return;
	for (uint32_t i = 0; i < e->touched.count; i++)
		if (e->touched.items[i] == v)
			e->touched.items[i] = NULL;
}

/* Peer 0 and the host's own surfaces are on the peer's account like any other. */
static struct sj_mem *account_of(void *ctx, uint32_t peer)
{
	struct sj_engine *e = ctx;
	return peer < e->peers.count && e->peers.items[peer].account ? e->peers.items[peer].account : &e->mem;
}

static enum sj_status on_emit(void *ctx, const struct sj_out *o)
{
	struct sj_engine *e = ctx;
	if (o->kind == SJ_OUT_SURFACE_NEW)
		for (uint32_t i = 0; i < e->env.count; i++) {
			const struct env *env = &e->env.items[i];
			enum sj_status st = sj_surface_set_env(sj_a2ui_view_surface(o->view),
			                                       sj_slice(env->name, env->name_len),
			                                       sj_slice(env->value, env->value_len));
			if (st != SJ_OK)
				return st;
		}
	if (o->kind == SJ_OUT_SURFACE_GONE) {
		struct sj_out gone = *o;
		forget_view(e, o->view);
		gone.view = NULL;
		return push(e, &gone);
	}
	return push(e, o);
}

static void on_touched(void *ctx, struct sj_view *v)
{
	struct sj_engine *e = ctx;
	bool *mark = sj_a2ui_view_mark(v);
	e->unsettled = true;
	if (*mark)
		return;
	if (SJ_VEC_RESERVE(&e->mem, &e->touched, e->touched.count + 1, 0) != SJ_OK)
		return; /* the surface stays dirty; the next touch tries again */
	e->touched.items[e->touched.count++] = v;
	*mark = true;
}

static void free_env(struct sj_engine *e, struct env *env)
{
	if (env->name)
		sj_mem_free(&e->mem, env->name, env->name_len + 1);
	if (env->value)
		sj_mem_free(&e->mem, env->value, env->value_len + 1);
}

/* Remembered for the surfaces to come. A name said again takes the new value. */
static enum sj_status keep_env(struct sj_engine *e, struct sj_slice name, struct sj_slice value)
{
	uint32_t at = 0;
	while (at < e->env.count && !sj_slice_eq(sj_slice(e->env.items[at].name, e->env.items[at].name_len), name))
		at++;
	enum sj_status st = SJ_VEC_RESERVE(&e->mem, &e->env, at + 1, 0);
	if (st != SJ_OK)
		return st;
	struct env fresh = {.name = sj_mem_strndup(&e->mem, name),
	                    .value = sj_mem_strndup(&e->mem, value),
	                    .name_len = name.len,
	                    .value_len = value.len};
	if (!fresh.name || !fresh.value) {
		free_env(e, &fresh);
		return SJ_NOMEM;
	}
	if (at == e->env.count)
		e->env.count++;
	else
		free_env(e, &e->env.items[at]);
	e->env.items[at] = fresh;
	return SJ_OK;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

/* A name longer than any real one is no name: the default stands. */
static void keep_name(char *out, size_t size, const char *name, const char *otherwise)
{
	size_t n = name ? strlen(name) : size;
	if (n >= size) {
		name = otherwise;
		n = strlen(name);
	}
	memcpy(out, name, n + 1);
}

enum sj_status sj_engine_create(const struct sj_engine_config *cfg, struct sj_engine **out)
{
	struct sj_mem first;
	sj_mem_init(&first, NULL, 0);
	first.resize = cfg->resize;
	first.ctx = cfg->resize_ctx;
	struct sj_engine *e = sj_mem_zalloc(&first, sizeof *e);
	if (!e)
		return SJ_NOMEM;
	e->mem = first; /* the engine's own block is on its own account */
	memcpy(&e->cfg, cfg, cfg->size < sizeof e->cfg ? cfg->size : sizeof e->cfg);
	e->limits = e->cfg.limits ? *e->cfg.limits : SJ_LIMITS_DEFAULT;
	e->mem.limit_bytes = e->limits.memory_bytes;
	keep_name(e->locale, sizeof e->locale, e->cfg.locale, "en");
	keep_name(e->time_zone, sizeof e->time_zone, e->cfg.time_zone, "UTC");
	e->now_ms = e->cfg.now_ms;
	sj_buf_init(&e->models.text, &e->mem, 0);
	struct sj_strictness live = {.allow_orphans = true, .allow_dangling = true, .allow_missing_root = true};
	struct sj_strictness s = e->cfg.strict ? e->cfg.strictness : live;
	struct sj_a2ui_options opt = {
		.mem = &e->mem,
		.limits = &e->limits,
		.locales = e->cfg.locales,
		.rules = {.allow_orphans = s.allow_orphans,
	                  .allow_dangling = s.allow_dangling,
	                  .allow_missing_root = s.allow_missing_root,
	                  .allow_unknown = s.allow_unknown,
	                  .skip_graph = s.skip_graph},
		.dialect = e->cfg.dialect,
		.gate_surface = e->cfg.gate_surface,
		.lazy_rows = e->cfg.lazy_rows,
		.alias_unknown_catalogs = e->cfg.alias_unknown_catalogs,
		.no_basic = e->cfg.no_basic,
		.keep_refused = e->cfg.keep_refused,
		.locale = e->locale,
		.time_zone = e->time_zone,
		.emit = on_emit,
		.touched = on_touched,
		.account = account_of,
		.ctx = e,
	};
	uint32_t host;
	enum sj_status st = sj_a2ui_create(&opt, &e->a2ui);
	if (st == SJ_OK)
		st = sj_engine_peer_open(e, SJ_LIT("host"), &host);
	if (st == SJ_OK) {
		sj_a2ui_set_now(e->a2ui, e->now_ms);
		/* v0.9.1 uses the catalogs of v0.9 under their own ids. */
		static const struct {
			enum sj_version version;
			enum sj_status (*create)(struct sj_mem *, enum sj_version, sj_impl_fn, void *,
			                         struct sj_catalog **);
		} STANDARD[] = {{SJ_V09, sj_catalog_basic}, {SJ_V10, sj_catalog_basic}, {SJ_V09, sj_catalog_minimal}};
		for (size_t i = 0; st == SJ_OK && !e->cfg.no_basic && i < sizeof STANDARD / sizeof STANDARD[0]; i++) {
			struct sj_catalog *c;
			st = STANDARD[i].create(&e->mem, STANDARD[i].version, sj_fn_impl, sj_a2ui_functions(e->a2ui),
			                        &c);
			if (st == SJ_OK)
				st = sj_a2ui_add_catalog(e->a2ui, c, NULL);
		}
	}
	if (st != SJ_OK) {
		sj_engine_destroy(e);
		return st;
	}
	*out = e;
	return SJ_OK;
}

/* Everything on it has been given back. */
static void free_account(struct sj_engine *e, struct peer *p)
{
	assert(!p->account || p->account->used_bytes == 0);
	sj_mem_free(&e->mem, p->account, sizeof *p->account);
	p->account = NULL;
}

void sj_engine_destroy(struct sj_engine *e)
{
	if (!e)
		return;
	sj_a2ui_destroy(e->a2ui);
	for (struct queued *q = e->first, *next; q; q = next) {
		next = q->next;
		free_queued(e, q);
	}
	free_queued(e, e->given);
	for (uint32_t i = 0; i < e->peers.count; i++) {
		sj_json_stream_destroy(e->peers.items[i].stream);
		if (e->peers.items[i].name)
			sj_mem_free(&e->mem, e->peers.items[i].name, e->peers.items[i].name_len + 1);
		free_account(e, &e->peers.items[i]);
	}
	SJ_VEC_FREE(&e->mem, &e->peers);
	for (uint32_t i = 0; i < e->env.count; i++)
		free_env(e, &e->env.items[i]);
	SJ_VEC_FREE(&e->mem, &e->env);
	SJ_VEC_FREE(&e->mem, &e->touched);
	sj_buf_finish(&e->models.text);
	struct sj_mem mem = e->mem;
	sj_mem_free(&mem, e, sizeof *e);
}

size_t sj_engine_memory(const struct sj_engine *e) { return e->mem.used_bytes; }
const struct sj_limits *sj_engine_limits(const struct sj_engine *e) { return &e->limits; }
struct sj_mem *sj_engine_mem(struct sj_engine *e) { return &e->mem; }

enum sj_status sj_engine_add_catalog(struct sj_engine *e, struct sj_slice json, struct sj_slice id,
                                     enum sj_version version, struct sj_diag *diag)
{
	struct sj_catalog *c;
	enum sj_status st =
		sj_catalog_parse(&e->mem, json, id, version, sj_fn_impl, sj_a2ui_functions(e->a2ui), &c, diag);
	return st == SJ_OK ? sj_a2ui_add_catalog(e->a2ui, c, diag) : st;
}

enum sj_status sj_engine_add_host_catalog(struct sj_engine *e, const struct sj_host_catalog *host, struct sj_diag *diag)
{
	struct sj_catalog *c;
	enum sj_status st = sj_catalog_from_host(&e->mem, host, sj_fn_impl, sj_a2ui_functions(e->a2ui), &c, diag);
	return st == SJ_OK ? sj_a2ui_add_catalog(e->a2ui, c, diag) : st;
}

enum sj_status sj_engine_add_permissive(struct sj_engine *e, struct sj_slice id, enum sj_version version)
{
	struct sj_catalog *c;
	enum sj_status st = sj_catalog_permissive(&e->mem, id, version, &c);
	return st == SJ_OK ? sj_a2ui_add_catalog(e->a2ui, c, NULL) : st;
}

uint32_t sj_engine_catalog_count(const struct sj_engine *e) { return sj_a2ui_catalog_count(e->a2ui); }
const struct sj_catalog *sj_engine_catalog_at(const struct sj_engine *e, uint32_t i)
{
	return sj_a2ui_catalog_at(e->a2ui, i);
}

/* ---- peers ------------------------------------------------------------------------------------------------------- */

enum sj_status sj_engine_peer_open(struct sj_engine *e, struct sj_slice name, uint32_t *peer)
{
	enum sj_status st = SJ_VEC_RESERVE(&e->mem, &e->peers, e->peers.count + 1, 0);
	if (st != SJ_OK)
		return st;
	struct peer *p = &e->peers.items[e->peers.count];
	*p = (struct peer){.open = true, .name_len = name.len};
	p->account = sj_mem_alloc(&e->mem, sizeof *p->account);
	if (!p->account)
		return SJ_NOMEM;
	sj_mem_init(p->account, &e->mem, e->limits.peer_bytes);
	struct sj_json_options opt = sj_json_options_wire(&e->limits);
	st = sj_json_stream_create(p->account, &opt, &p->stream);
	if (st == SJ_OK) {
		p->name = sj_mem_strndup(&e->mem, name);
		if (!p->name) {
			sj_json_stream_destroy(p->stream);
			st = SJ_NOMEM;
		}
	}
	if (st != SJ_OK) {
		sj_mem_free(&e->mem, p->account, sizeof *p->account);
		return st;
	}
	*peer = e->peers.count++;
	return SJ_OK;
}

void sj_engine_peer_close(struct sj_engine *e, uint32_t peer)
{
	if (peer >= e->peers.count || !e->peers.items[peer].open)
		return;
	struct peer *p = &e->peers.items[peer];
	begin_turn(e);
	p->open = false;
	sj_a2ui_drop_peer(e->a2ui, peer);
	/* Its number is never given again, and is all that stays. */
	sj_json_stream_destroy(p->stream);
	sj_mem_free(&e->mem, p->name, p->name_len + 1);
	free_account(e, p);
	p->stream = NULL;
	p->name = NULL;
}

/* ---- inlets ------------------------------------------------------------------------------------------------------ */

/* Everything that was fed is read, also when memory runs out on the way: what it was short for is lost, each message
 * whole, and the others are done. */
static enum sj_status drain(struct sj_engine *e, uint32_t peer)
{
	enum sj_status worst = SJ_OK;
	begin_turn(e);
	for (;;) {
		struct peer *p = &e->peers.items[peer];
		struct sj_tape t;
		uint64_t offset;
		uint32_t line;
		struct sj_diag d;
		sj_diag_clear(&d);
		enum sj_status st = sj_json_stream_next(p->stream, &t, &offset, &line, &d);
		if (st == SJ_MORE)
			return worst;
		if (st == SJ_NOMEM) {
			p->origin.message++;
			worst = st;
			continue;
		}
		if (st != SJ_OK) { /* not JSON: nobody can be named in an answer */
			st = push(e, &(struct sj_out){.kind = SJ_OUT_DIAG,
			                              .peer = peer,
			                              .diag = &d,
			                              .message = ++p->origin.message});
			if (st != SJ_OK)
				worst = st;
			continue;
		}
		struct sj_origin origin = {p->origin.message, offset};
		sj_a2ui_set_line(e->a2ui, line);
		st = sj_a2ui_batch(e->a2ui, peer, &t, &origin, NULL);
		e->peers.items[peer].origin.message = origin.message;
		if (st == SJ_NOMEM)
			worst = st;
	}
}

static enum sj_status feed_now(struct sj_engine *e, uint32_t peer, const char *bytes, size_t n)
{
	sj_json_stream_feed(e->peers.items[peer].stream, bytes, n);
	return drain(e, peer);
}

enum sj_status sj_engine_feed(struct sj_engine *e, uint32_t peer, const char *bytes, size_t n)
{
	if (peer >= e->peers.count || !e->peers.items[peer].open)
		return SJ_INVALID;
	if (!e->witness) /* a byte at a time must stay cheap */
		return sj_json_stream_defer(e->peers.items[peer].stream, bytes, n) ? SJ_OK
		                                                                   : feed_now(e, peer, bytes, n);
	struct sj_inlet in = {.kind = SJ_IN_FEED, .peer = peer, .text = {bytes, n}};
	before(e, &in);
	bool waits = sj_json_stream_defer(e->peers.items[peer].stream, bytes, n);
	return after(e, &in, waits ? SJ_OK : feed_now(e, peer, bytes, n));
}

enum sj_status sj_engine_feed_end(struct sj_engine *e, uint32_t peer)
{
	if (peer >= e->peers.count || !e->peers.items[peer].open)
		return SJ_INVALID;
	/* The next byte begins a new stream; its reader is made first, so that a refusal leaves the old one as it is.
	 */
	struct sj_json_options opt = sj_json_options_wire(&e->limits);
	struct sj_json_stream *fresh;
	enum sj_status st = sj_json_stream_create(e->peers.items[peer].account, &opt, &fresh);
	if (st != SJ_OK)
		return st;
	struct sj_inlet in = {.kind = SJ_IN_FEED_END, .peer = peer};
	before(e, &in);
	sj_json_stream_end(e->peers.items[peer].stream);
	st = drain(e, peer);
	sj_json_stream_destroy(e->peers.items[peer].stream);
	e->peers.items[peer].stream = fresh;
	return after(e, &in, st);
}

static enum sj_status one_message(struct sj_engine *e, uint32_t peer, struct sj_slice json, struct sj_diag *diag)
{
	struct sj_arena arena;
	struct sj_tape t;
	struct sj_json_options opt = sj_json_options_wire(&e->limits);
	if (peer >= e->peers.count || !e->peers.items[peer].open)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_STATE, SJ_CAT_STATE, "No such peer");
	begin_turn(e);
	sj_arena_init(&arena, &e->mem, 0);
	struct sj_diag d = {0};
	struct sj_inlet in = {.kind = SJ_IN_MESSAGE, .peer = peer, .text = json};
	before(e, &in);
	enum sj_status st = sj_json_parse(&arena, &opt, json, &t, &d);
	if (st == SJ_OK) {
		struct sj_origin origin = {e->peers.items[peer].origin.message, 0};
		sj_a2ui_set_line(e->a2ui, 1);
		st = sj_a2ui_batch(e->a2ui, peer, &t, &origin, &d);
		e->peers.items[peer].origin.message = origin.message;
	}
	if (st != SJ_OK && diag)
		*diag = d;
	sj_arena_finish(&arena);
	return after(e, &in, st);
}

enum sj_status sj_engine_message(struct sj_engine *e, uint32_t peer, struct sj_slice json, struct sj_diag *diag)
{
	return one_message(e, peer, json, diag);
}
enum sj_status sj_engine_host_message(struct sj_engine *e, uint32_t as_peer, struct sj_slice json, struct sj_diag *diag)
{
	return one_message(e, as_peer, json, diag);
}

enum sj_status sj_engine_input(struct sj_engine *e, struct sj_view *v, const struct sj_input *in, struct sj_diag *diag)
{
	struct sj_surface *s = sj_a2ui_view_surface(v);
	struct sj_inlet inlet = {.kind = SJ_IN_INPUT, .view = v, .node = in->node, .input = in};
	begin_turn(e);
	before(e, &inlet);
	enum sj_status st = sj_surface_settle(s);
	if (st == SJ_NOMEM)
		return after(e, &inlet, st);
	struct sj_input own = *in; /* its value goes to the surface's account */
	st = sj_value_copy(sj_surface_mem(s), &in->value, &own.value);
	if (st != SJ_OK)
		return after(e, &inlet, st);
	st = sj_surface_input(s, &own, diag);
	sj_value_unref(sj_surface_mem(s), own.value);
	on_touched(e, v);
	return after(e, &inlet, st);
}

enum sj_status sj_engine_press(struct sj_engine *e, struct sj_view *v, sj_node_id node, struct sj_diag *diag)
{
	struct sj_inlet in = {.kind = SJ_IN_PRESS, .view = v, .node = node};
	begin_turn(e);
	before(e, &in);
	enum sj_status st = sj_a2ui_press(e->a2ui, v, node, diag);
	on_touched(e, v);
	return after(e, &in, st);
}

enum sj_status sj_engine_set_local(struct sj_engine *e, struct sj_view *v, sj_node_id node, struct sj_slice name,
                                   struct sj_value take)
{
	struct sj_value shown = take; /* after the call it is gone */
	struct sj_inlet in = {.kind = SJ_IN_LOCAL, .view = v, .node = node, .name = name, .value = &shown};
	begin_turn(e);
	before(e, &in);
	struct sj_surface *s = sj_a2ui_view_surface(v);
	struct sj_value own;
	enum sj_status st = sj_value_copy(sj_surface_mem(s), &take, &own);
	sj_value_unref(&e->mem, take);
	if (st == SJ_OK)
		st = sj_node_set_local(s, node, name, own);
	on_touched(e, v);
	in.value = NULL;
	return after(e, &in, st);
}

enum sj_status sj_engine_set_env(struct sj_engine *e, struct sj_view *v, struct sj_slice name, struct sj_slice value)
{
	enum sj_status st = SJ_OK;
	struct sj_inlet in = {.kind = SJ_IN_ENV, .view = v, .name = name, .text = value};
	begin_turn(e);
	before(e, &in);
	if (v) {
		st = sj_surface_set_env(sj_a2ui_view_surface(v), name, value);
		on_touched(e, v);
		return after(e, &in, st);
	}
	st = keep_env(e, name, value);
	for (uint32_t i = 0; st == SJ_OK && i < sj_engine_view_count(e); i++) {
		struct sj_view *each = sj_engine_view_at(e, i);
		st = sj_surface_set_env(sj_a2ui_view_surface(each), name, value);
		on_touched(e, each);
	}
	return after(e, &in, st);
}

enum sj_status sj_engine_advance(struct sj_engine *e, int64_t now_ms)
{
	struct sj_inlet in = {.kind = SJ_IN_ADVANCE, .now_ms = now_ms};
	begin_turn(e);
	before(e, &in);
	if (now_ms > e->now_ms)
		e->now_ms = now_ms;
	sj_a2ui_set_now(e->a2ui, e->now_ms);
	sj_a2ui_expire(e->a2ui);
	return after(e, &in, SJ_OK);
}

int64_t sj_engine_deadline(const struct sj_engine *e) { return sj_a2ui_deadline(e->a2ui); }
int64_t sj_engine_now(const struct sj_engine *e) { return e->now_ms; }

enum sj_status sj_engine_answer(struct sj_engine *e, uint64_t call_id, struct sj_slice json, struct sj_slice code,
                                struct sj_slice message)
{
	struct sj_inlet in = {.kind = SJ_IN_ANSWER, .call_id = call_id, .text = json, .error_code = code,
	                      .error_message = message};
	begin_turn(e);
	before(e, &in);
	return after(e, &in, sj_a2ui_answer(e->a2ui, call_id, json, code, message));
}

enum sj_status sj_engine_call_agent(struct sj_engine *e, struct sj_view *v, struct sj_slice function,
                                    struct sj_slice catalog_id, struct sj_slice args_json, uint32_t timeout_ms,
                                    uint64_t *call_id, struct sj_diag *diag)
{
	struct sj_inlet in = {.kind = SJ_IN_CALL, .view = v, .name = function, .text = args_json,
	                      .catalog_id = catalog_id, .timeout_ms = timeout_ms};
	before(e, &in);
	return after(e, &in,
	             sj_a2ui_call_agent(e->a2ui, v, function, catalog_id, args_json, timeout_ms, call_id, diag));
}

enum sj_status sj_engine_cancel(struct sj_engine *e, uint64_t call_id)
{
	struct sj_inlet in = {.kind = SJ_IN_CANCEL, .call_id = call_id};
	begin_turn(e);
	before(e, &in);
	return after(e, &in, sj_a2ui_cancel(e->a2ui, call_id, SJ_E_CANCELLED));
}
void sj_engine_activate(struct sj_engine *e, bool active) { sj_a2ui_activate(e->a2ui, active); }

/* ---- views ------------------------------------------------------------------------------------------------------- */

uint32_t sj_engine_view_count(const struct sj_engine *e) { return sj_a2ui_view_count(e->a2ui); }
struct sj_view *sj_engine_view_at(const struct sj_engine *e, uint32_t i) { return sj_a2ui_view_at(e->a2ui, i); }
struct sj_view *sj_engine_view(const struct sj_engine *e, uint32_t peer, struct sj_slice id)
{
	return sj_a2ui_view_find(e->a2ui, peer, id);
}
struct sj_slice sj_view_id(const struct sj_view *v) { return sj_a2ui_view_id(v); }
uint32_t sj_view_peer(const struct sj_view *v) { return sj_a2ui_view_peer(v); }
enum sj_version sj_view_version(const struct sj_view *v) { return sj_a2ui_view_version(v); }
struct sj_surface *sj_view_surface(const struct sj_view *v) { return sj_a2ui_view_surface(v); }
const struct sj_value *sj_view_theme(const struct sj_view *v) { return sj_a2ui_view_theme(v); }
bool sj_view_begun(const struct sj_view *v) { return sj_a2ui_view_begun(v); }
bool sj_view_sends_data_model(const struct sj_view *v) { return sj_a2ui_view_sends(v); }
struct sj_slice sj_view_catalog_id(const struct sj_view *v) { return sj_a2ui_view_catalog_id(v); }

enum sj_status sj_view_tree(struct sj_engine *e, struct sj_view *v, struct sj_buf *out)
{
	(void)e;
	return sj_a2ui_tree(v, out);
}
enum sj_status sj_view_components(struct sj_engine *e, struct sj_view *v, struct sj_buf *out)
{
	(void)e;
	return sj_a2ui_components(v, out);
}
enum sj_status sj_view_validation(struct sj_engine *e, struct sj_view *v, struct sj_buf *out)
{
	(void)e;
	return sj_a2ui_validation(v, out);
}
enum sj_status sj_view_explain(struct sj_engine *e, struct sj_view *v, struct sj_slice only, struct sj_buf *out)
{
	(void)e;
	return sj_a2ui_explain(v, only, out);
}
enum sj_status sj_view_lint(struct sj_engine *e, struct sj_view *v, bool basic,
                            void (*fn)(void *ctx, const struct sj_lint *l), void *ctx)
{
	(void)e;
	return sj_a2ui_lint(v, basic, fn, ctx);
}
enum sj_status sj_view_a11y(struct sj_engine *e, struct sj_view *v, struct sj_buf *out)
{
	(void)e;
	return sj_a2ui_a11y(v, out);
}
enum sj_status sj_view_a11y_check(struct sj_engine *e, struct sj_view *v, struct sj_buf *out, uint32_t *count)
{
	(void)e;
	return sj_a2ui_a11y_check(v, out, count);
}
enum sj_status sj_engine_data_model_message(struct sj_engine *e, uint32_t peer, enum sj_version version,
                                            struct sj_buf *out, bool *present, struct sj_diag *diag)
{
	return sj_a2ui_data_model(e->a2ui, peer, version, out, present, diag);
}
enum sj_status sj_engine_capabilities(struct sj_engine *e, const enum sj_version *versions, uint32_t n,
                                      bool inline_catalogs, struct sj_buf *out, struct sj_diag *diag)
{
	return sj_a2ui_capabilities(e->a2ui, versions, n, inline_catalogs, out, diag);
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* false: no memory. */
static bool add_models(struct sj_engine *e, struct queued *q)
{
	if (!e->models.valid || e->models.peer != q->e.peer || e->models.version != q->version) {
		sj_buf_clear(&e->models.text);
		enum sj_status st = sj_a2ui_data_model(e->a2ui, q->e.peer, q->version, &e->models.text,
		                                       &e->models.present, NULL);
		e->models.valid = st == SJ_OK;
		e->models.peer = q->e.peer;
		e->models.version = q->version;
		if (st != SJ_OK) {
			sj_buf_finish(&e->models.text);
			return false;
		}
	}
	q->e.metadata = e->models.present ? sj_buf_view(&e->models.text) : SJ_NO_SLICE;
	return true;
}

enum sj_status sj_engine_next(struct sj_engine *e, struct sj_event *out)
{
	free_queued(e, e->given);
	e->given = NULL;
	/* Bring touched surfaces up to date first: what fails on the way is an event too. */
	if (e->unsettled) {
		for (uint32_t i = 0; i < e->touched.count; i++)
			if (e->touched.items[i] &&
			    sj_surface_settle(sj_a2ui_view_surface(e->touched.items[i])) == SJ_NOMEM)
				return SJ_NOMEM;
		e->unsettled = false;
	}
	if (e->first) {
		struct queued *q = e->first;
		if (q->with_models && !add_models(e, q))
			return SJ_NOMEM;
		e->first = q->next;
		if (!e->first)
			e->last = NULL;
		e->queued--;
		e->given = q;
		struct sj_view *v = q->view_uid ? sj_a2ui_view_find(e->a2ui, q->e.peer, q->e.surface_id) : NULL;
		q->e.view = v && sj_a2ui_view_uid(v) == q->view_uid ? v : NULL;
		*out = q->e;
		return SJ_OK;
	}
	if (e->overflow) {
		e->overflow = false;
		struct sj_diag d = {0};
		sj_diag_set(&d, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_STATE,
		            "More than %u events were waiting; later ones were lost", e->limits.outbound);
		enum sj_status st = push(e, &(struct sj_out){.kind = SJ_OUT_DIAG, .diag = &d});
		return st == SJ_OK ? sj_engine_next(e, out) : st;
	}
	while (e->touched.count > 0) {
		struct sj_view *v = e->touched.items[--e->touched.count];
		if (!v)
			continue;
		*sj_a2ui_view_mark(v) = false;
		if (!sj_surface_is_dirty(sj_a2ui_view_surface(v)))
			continue;
		*out = (struct sj_event){.kind = SJ_EV_SURFACE_CHANGED,
		                         .peer = sj_a2ui_view_peer(v),
		                         .view = v,
		                         .surface_id = sj_a2ui_view_id(v)};
		return SJ_OK;
	}
	return SJ_ABSENT;
}
