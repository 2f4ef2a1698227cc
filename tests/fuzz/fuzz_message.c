/* A stream of messages from anyone, and a person who uses whatever comes of it. The first byte chooses an engine, the
 * second how the rest is cut. Beyond not crashing: cuts make no difference to any tree; every report and every message
 * that leaves is JSON; what was asked of the host is taken back when the peer goes; and an engine gives back all it
 * took.
 */
#include <stdio.h>
#include <stdlib.h>

#include "engine/engine.h"
#include "harness/random.h"

#define MUST(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ENGINES = 4, LIFE = 200 /* inputs of one engine: making one costs more than most inputs */, MOST_NODES = 300 };

static struct {
	struct sj_mem mem;
	struct sj_engine *e;
	unsigned used;
} engines[ENGINES];

static void *resize(void *ctx, void *ptr, size_t old_bytes, size_t new_bytes)
{
	if (new_bytes == 0) {
		sj_mem_free(ctx, ptr, old_bytes);
		return NULL;
	}
	return ptr ? sj_mem_resize(ctx, ptr, old_bytes, new_bytes) : sj_mem_alloc(ctx, new_bytes);
}

/* A few hundred bytes can ask for a million nodes, which is allowed and too slow to be tried often. */
static const struct sj_limits *fewer_nodes(void)
{
	static struct sj_limits l; /* filled the same way each time */
	l = SJ_LIMITS_DEFAULT;
	l.nodes = 2000;
	return &l;
}

static const struct sj_limits *small_limits(void)
{
	static struct sj_limits l;
	l = SJ_LIMITS_DEFAULT;
	l.message_bytes = 2000;
	l.json_depth = 20;
	l.string_bytes = 500;
	l.components = 12;
	l.nodes = 40;
	l.template_rows = 5;
	l.array_index = 20;
	l.array_gap = 3;
	l.component_depth = 6;
	l.scope_depth = 3;
	l.call_depth = 2;
	l.template_chars = 100;
	l.template_parts = 5;
	l.expression_depth = 3;
	l.expression_steps = 40;
	l.surfaces = 6;
	l.pending_calls = 4;
	l.pointer_tokens = 4;
	l.pointer_bytes = 40;
	l.watch_patterns = 2;
	return &l;
}

static enum sj_result echo(struct sj_call *call, struct sj_value *out)
{
	*out = sj_value_ref(call->args[0]);
	return out->type == SJ_V_ABSENT ? SJ_R_ABSENT : SJ_R_OK;
}

/* Besides the basic catalogs: one that accepts everything, and one with every kind of host function. */
static struct sj_engine *engine(unsigned k)
{
	static const struct sj_host_prop args[] = {{.name = "x", .type = "DynamicValue"}, {0}};
	static const struct sj_host_function functions[] = {
		{.name = "echo",
	         .kind = SJ_FN_PURE,
	         .return_type = "any",
	         .args = args,
	         .allowed = SJ_CALLER_ANY,
	         .eval = echo},
		{.name = "slow", .kind = SJ_FN_DEFERRED, .return_type = "any", .args = args, .allowed = SJ_CALLER_ANY},
		{.name = "tick", .kind = SJ_FN_SOURCE, .return_type = "any", .args = args},
		{.name = "deed", .kind = SJ_FN_EFFECT, .return_type = "void", .args = args, .allowed = SJ_CALLER_ANY},
		{0}};
	static const struct sj_host_catalog host = {
		.catalog_id = "host", .version = SJ_V10, .functions = functions, .include_basic = true};
	if (engines[k].e && engines[k].used++ < LIFE)
		return engines[k].e;
	sj_engine_destroy(engines[k].e);
	MUST(engines[k].mem.used_bytes == 0);
	struct sj_engine_config cfg = {.size = sizeof cfg,
	                               .resize = resize,
	                               .resize_ctx = &engines[k].mem,
	                               .strict = k == 1 || k == 2,
	                               .gate_surface = k == 2,
	                               .lazy_rows = k == 2,
	                               .limits = k == 3 ? small_limits() : fewer_nodes()};
	if (k == 2)
		cfg.strictness = (struct sj_strictness){true, true, true, true, false};
	MUST(sj_engine_create(&cfg, &engines[k].e) == SJ_OK);
	MUST(sj_engine_add_permissive(engines[k].e, SJ_LIT("any"), SJ_V09) == SJ_OK);
	MUST(sj_engine_add_permissive(engines[k].e, SJ_LIT("any"), SJ_V10) == SJ_OK);
	MUST(sj_engine_add_host_catalog(engines[k].e, &host, NULL) == SJ_OK);
	engines[k].used = 0;
	return engines[k].e;
}

static void must_be_json(struct sj_slice text)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_UPSTREAM);
	struct sj_mem mem;
	struct sj_arena arena;
	struct sj_tape t;
	opt.max_depth = 10000; /* a report nests deeper than the messages it came from, and is longer */
	opt.max_bytes = opt.max_values = UINT32_MAX;
	sj_mem_init(&mem, NULL, 0);
	sj_arena_init(&arena, &mem, 0);
	struct sj_diag d = {0};
	if (sj_json_parse(&arena, &opt, text, &t, &d) != SJ_OK) {
		fprintf(stderr, "no JSON (%s at %llu): %.*s\n", d.message, (unsigned long long)d.offset, SJ_ARG(text));
		abort();
	}
	sj_arena_finish(&arena);
}

/* Answers half of what is asked, the other half stays asked. */
static void take(struct sj_engine *e)
{
	struct sj_event ev;
	enum sj_status st;
	uint64_t answered[8];
	unsigned n = 0;
	while ((st = sj_engine_next(e, &ev)) == SJ_OK) {
		if (ev.kind == SJ_EV_SEND || ev.kind == SJ_EV_TOOL_WANTED || ev.kind == SJ_EV_CALL_WANTED)
			must_be_json(ev.json);
		if (ev.metadata.len)
			must_be_json(ev.metadata);
		MUST(ev.kind != SJ_EV_DIAG || (ev.diag && ev.diag->code != SJ_E_NONE && ev.diag->message[0]));
		MUST(ev.kind != SJ_EV_SURFACE_CHANGED || ev.view);
		if (ev.kind == SJ_EV_SURFACE_CHANGED) {
			const struct sj_change *list;
			uint32_t count;
			MUST(sj_surface_changes(sj_view_surface(ev.view), &list, &count) != SJ_NOMEM);
		}
		if ((ev.kind == SJ_EV_TOOL_WANTED || ev.kind == SJ_EV_CALL_WANTED) && ev.call_id % 2 && n < 8)
			answered[n++] = ev.call_id;
	}
	MUST(st == SJ_ABSENT);
	for (unsigned i = 0; i < n; i++)
		(void)sj_engine_answer(e, answered[i], SJ_LIT("{\"valid\":true}"),
		                       answered[i] % 4 == 1 ? SJ_LIT("NO") : SJ_NO_SLICE, SJ_NO_SLICE);
}

/* Ids and trees of a peer's surfaces, in order. */
static void put_trees(struct sj_engine *e, uint32_t peer, struct sj_buf *out)
{
	for (uint32_t i = 0; i < sj_engine_view_count(e); i++) {
		struct sj_view *v = sj_engine_view_at(e, i);
		if (sj_view_peer(v) != peer)
			continue;
		size_t from = out->len;
		MUST(sj_view_tree(e, v, out) == SJ_OK);
		must_be_json(sj_slice(out->ptr + from, out->len - from));
		sj_buf_putc(out, '\n');
		from = out->len;
		MUST(sj_view_components(e, v, out) == SJ_OK);
		must_be_json(sj_slice(out->ptr + from, out->len - from));
		sj_buf_putc(out, '\n');
		from = out->len;
		MUST(sj_view_validation(e, v, out) == SJ_OK);
		must_be_json(sj_slice(out->ptr + from, out->len - from));
		sj_buf_putc(out, '\n');
	}
	MUST(sj_buf_status(out) == SJ_OK);
}

/* A person who presses and types whatever can be pressed and typed into. */
static void use(struct sj_engine *e, struct sj_view *v)
{
	struct sj_surface *s = sj_view_surface(v);
	sj_node_id nodes[MOST_NODES];
	uint32_t count = 0;
	(void)sj_surface_settle(s);
	if (sj_surface_root(s))
		nodes[count++] = sj_surface_root(s);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t k = 0; k < sj_node_child_count(s, nodes[i]) && count < MOST_NODES; k++)
			nodes[count++] = sj_node_child(s, nodes[i], k);
	struct sj_value text;
	MUST(sj_value_string(sj_engine_mem(e), SJ_LIT("typed, and longer than a short value"), &text) == SJ_OK);
	for (uint32_t i = 0; i < count; i++) {
		struct sj_diag d = {0};
		enum sj_status st = sj_engine_press(e, v, nodes[i], &d);
		MUST(st == SJ_OK || (st == SJ_INVALID && d.message[0]) || st == SJ_LIMIT);
		struct sj_input in = {.node = nodes[i],
		                      .prop = SJ_P_VALUE,
		                      .phase = (enum sj_phase)(i % 4),
		                      .serial = i,
		                      .value = i % 3 ? text : sj_value_bool(i % 2)};
		sj_diag_clear(&d);
		st = sj_engine_input(e, v, &in, &d);
		MUST(st == SJ_OK || ((st == SJ_INVALID || st == SJ_LIMIT) && d.message[0]));
		if (i % 16 == 15)
			take(e);
	}
	sj_value_unref(sj_engine_mem(e), text);
	take(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	struct sj_engine *e = engine(data[0] % ENGINES);
	struct sj_random r = {data[1]};
	const char *bytes = (const char *)data + 2;
	size_t n = size - 2;
	uint32_t whole, cut;
	MUST(sj_engine_peer_open(e, SJ_LIT("whole"), &whole) == SJ_OK);
	MUST(sj_engine_feed(e, whole, bytes, n) == SJ_OK);
	MUST(sj_engine_feed_end(e, whole) == SJ_OK);
	struct sj_buf want, got;
	sj_buf_init(&want, NULL, 0);
	sj_buf_init(&got, NULL, 0);
	put_trees(e, whole, &want);
	take(e);
	sj_engine_peer_close(e, whole); /* what it asked does not stand in the way of the other */
	take(e);
	MUST(sj_engine_peer_open(e, SJ_LIT("cut"), &cut) == SJ_OK);
	uint32_t most = data[1] % 4 == 0 ? 1 : 1 + (uint32_t)data[1] / 4;
	for (size_t at = 0; at < n;) {
		size_t step = 1 + sj_random_below(&r, most);
		step = step < n - at ? step : n - at;
		MUST(sj_engine_feed(e, cut, bytes + at, step) == SJ_OK);
		at += step;
	}
	MUST(sj_engine_feed_end(e, cut) == SJ_OK);
	put_trees(e, cut, &got);
	MUST(sj_slice_eq(sj_buf_view(&want), sj_buf_view(&got)));
	take(e);
	for (uint32_t i = 0; i < sj_engine_view_count(e); i++)
		use(e, sj_engine_view_at(e, i));
	MUST(sj_engine_set_env(e, NULL, SJ_LIT("timeZone"), data[1] & 1 ? SJ_LIT("UTC") : SJ_LIT("+01:00")) == SJ_OK);
	sj_buf_clear(&got);
	put_trees(e, cut, &got);
	take(e);
	if (data[1] & 2) /* somebody did not answer in time */
		MUST(sj_engine_advance(e, sj_engine_now(e) + 100000) == SJ_OK);
	take(e);
	sj_engine_peer_close(e, cut);
	take(e);
	MUST(sj_engine_view_count(e) == 0);
	MUST(sj_engine_deadline(e) == INT64_MAX);
	sj_buf_finish(&want);
	sj_buf_finish(&got);
	return 0;
}
