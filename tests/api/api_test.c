/* The public library, through its public headers; the harness brings the memory accounts. */
#include "harness/test.h"
#include "shoji/host.h"

#include <stdio.h>
#include <stdlib.h>

#define BASIC "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"

static struct shoji_text text(const char *z) { return (struct shoji_text){z, strlen(z)}; }
static struct sj_slice slice(struct shoji_text t) { return sj_slice(t.ptr, t.len); }

struct rig {
	struct shoji_engine *e;
	uint32_t peer;
	char said[4096]; /* events since the last look, one word each; sent messages after theirs */
};

static void open_rig(struct rig *r, const struct shoji_options *options)
{
	memset(r, 0, sizeof *r);
	CHECK_INT(shoji_create(options, &r->e), SHOJI_OK);
	CHECK_INT(shoji_peer_open(r->e, text("test"), &r->peer), SHOJI_OK);
}

static void say(struct rig *r, const char *word, struct shoji_text more)
{
	size_t n = strlen(r->said);
	snprintf(r->said + n, sizeof r->said - n, "%s%s%s%.*s", n ? " " : "", word, more.len ? " " : "", (int)more.len,
	         more.len ? more.ptr : "");
}

static const char *look(struct rig *r)
{
	static const char *const WORDS[] = {"new",  "changed",   "gone",      "send", "tool",
	                                    "call", "call-gone", "call-done", "fault"};
	struct shoji_event ev = SHOJI_EVENT_INIT;
	r->said[0] = '\0';
	while (shoji_next(r->e, &ev) == SHOJI_OK) {
		const struct shoji_change *changes;
		uint32_t count;
		struct shoji_text more = ev.kind == SHOJI_EVENT_SEND ? ev.json : (struct shoji_text){"", 0};
		if (ev.kind == SHOJI_EVENT_FAULT)
			more = text(ev.fault->code);
		if (ev.kind == SHOJI_EVENT_TOOL_WANTED || ev.kind == SHOJI_EVENT_CALL_WANTED)
			more = ev.name;
		say(r, WORDS[ev.kind], more);
		if (ev.kind == SHOJI_EVENT_SURFACE_CHANGED)
			CHECK_INT(shoji_changes(r->e, ev.view, &changes, &count), SHOJI_OK);
	}
	return r->said;
}

static const char *feed(struct rig *r, const char *messages)
{
	CHECK_INT(shoji_feed(r->e, r->peer, messages, strlen(messages)), SHOJI_OK);
	CHECK_INT(shoji_feed_end(r->e, r->peer), SHOJI_OK);
	return look(r);
}

static const char FORM[] =
	"{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" BASIC "\"}}\n"
	"{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":["
	"{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"name\",\"hello\",\"go\"]},"
	"{\"id\":\"name\",\"component\":\"TextField\",\"label\":\"Name\",\"value\":{\"path\":\"/name\"},"
	"\"checks\":[{\"condition\":{\"call\":\"required\",\"args\":{\"value\":{\"path\":\"/name\"}}},\"message\":\"Who?\"}]},"
	"{\"id\":\"hello\",\"component\":\"Text\",\"text\":{\"path\":\"/name\"}},"
	"{\"id\":\"go\",\"component\":\"Button\",\"child\":\"label\",\"action\":{\"event\":{\"name\":\"go\",\"context\":{\"n\":{\"path\":\"/name\"}}}}},"
	"{\"id\":\"label\",\"component\":\"Text\",\"text\":\"Go\"}]}}\n";

static uint64_t find(struct shoji_view *v, const char *id) { return shoji_node_find(v, text(id), NULL, 0); }

static enum shoji_status type_text(struct rig *r, struct shoji_view *v, const char *id, const char *what,
                                   struct shoji_fault *fault)
{
	struct shoji_input in = SHOJI_INPUT_INIT;
	in.node = find(v, id);
	in.serial = 7;
	in.value_is_text = true;
	in.value = text(what);
	return shoji_input(r->e, v, &in, fault);
}

SJ_TEST(a_surface_from_messages_to_nodes)
{
	struct rig r;
	open_rig(&r, NULL);
	CHECK_INT(shoji_abi(), SHOJI_ABI);
	CHECK_STR(sj_slice_of(feed(&r, FORM)), "new changed");
	CHECK_INT(shoji_view_count(r.e), 1);
	struct shoji_view *v = shoji_view_find(r.e, r.peer, text("s"));
	CHECK(v && v == shoji_view_at(r.e, 0));
	CHECK_STR(slice(shoji_view_surface_id(v)), "s");
	CHECK_INT(shoji_view_peer(v), r.peer);
	CHECK_STR(sj_slice_of(shoji_view_version(v)), "v0.9");
	uint64_t root = shoji_node_root(v), name = find(v, "name");
	CHECK_STR(sj_slice_of(shoji_node_kind(v, root)), "column");
	CHECK_INT(shoji_node_child_count(v, root), 3);
	CHECK(shoji_node_child(v, root, 0) == name);
	CHECK(shoji_node_child(v, root, 3) == 0);
	CHECK(shoji_node_parent(v, name) == root);
	CHECK_STR(sj_slice_of(shoji_node_kind(v, name)), "textField");
	CHECK_STR(sj_slice_of(shoji_node_role(v, name)), "textbox");
	CHECK_STR(sj_slice_of(shoji_node_why(v, name)), "resolved");
	CHECK_STR(slice(shoji_node_component(v, name)), "name");
	struct shoji_text t;
	CHECK_INT(shoji_node_text(r.e, v, name, "label", &t), SHOJI_OK);
	CHECK_STR(slice(t), "Name");
	CHECK_INT(shoji_node_json(r.e, v, name, "label", &t), SHOJI_OK);
	CHECK_STR(slice(t), "\"Name\"");
	CHECK_INT(shoji_node_text(r.e, v, name, "url", &t), SHOJI_ABSENT);
	CHECK_INT(shoji_node_text(r.e, v, name, "no such meaning", &t), SHOJI_ABSENT);
	CHECK(!shoji_node_valid(v, name, &t));
	CHECK_STR(slice(t), "Who?");
	shoji_destroy(r.e);
}

SJ_TEST(input_reaches_what_depends_on_it_and_a_press_sends)
{
	struct rig r;
	struct shoji_options o = SHOJI_OPTIONS_INIT;
	o.now_ms = 1000;
	open_rig(&r, &o);
	feed(&r, FORM);
	struct shoji_view *v = shoji_view_at(r.e, 0);
	CHECK_INT(type_text(&r, v, "name", "A \"b\"", NULL), SHOJI_OK);
	struct shoji_text t;
	CHECK_INT(shoji_node_text(r.e, v, find(v, "hello"), "text", &t), SHOJI_OK);
	CHECK_STR(slice(t), "A \"b\"");
	CHECK(shoji_node_valid(v, find(v, "name"), NULL));
	CHECK_STR(sj_slice_of(look(&r)), "changed");
	CHECK_INT(shoji_press(r.e, v, find(v, "go"), NULL), SHOJI_OK);
	CHECK_STR(sj_slice_of(look(&r)), "send {\"version\":\"v0.9\",\"action\":{\"name\":\"go\",\"surfaceId\":\"s\","
	                                 "\"sourceComponentId\":\"go\",\"timestamp\":\"1970-01-01T00:00:01.000Z\","
	                                 "\"context\":{\"n\":\"A \\\"b\\\"\"}}}");
	shoji_destroy(r.e);
}

SJ_TEST(changes_name_the_input_that_caused_them)
{
	struct rig r;
	open_rig(&r, NULL);
	feed(&r, FORM);
	struct shoji_view *v = shoji_view_at(r.e, 0);
	type_text(&r, v, "name", "x", NULL);
	const struct shoji_change *c;
	uint32_t n, own = 0, others = 0;
	CHECK_INT(shoji_changes(r.e, v, &c, &n), SHOJI_OK);
	for (uint32_t i = 0; i < n; i++) {
		if (c[i].kind != SHOJI_CHANGE_SET)
			continue;
		CHECK_INT(c[i].cause, 7);
		own += c[i].node == find(v, "name") && c[i].echo;
		others += c[i].node == find(v, "hello") && !c[i].echo;
	}
	CHECK_INT(own, 1);
	CHECK_INT(others, 1);
	shoji_destroy(r.e);
}

SJ_TEST(faults_are_told_and_change_nothing)
{
	struct rig r;
	open_rig(&r, NULL);
	feed(&r, FORM);
	struct shoji_view *v = shoji_view_at(r.e, 0);
	struct shoji_fault f = {.size = sizeof f};
	CHECK_INT(shoji_press(r.e, v, find(v, "hello"), &f), SHOJI_INVALID);
	CHECK_STR(sj_slice_of(f.code), "INVALID_STATE");
	CHECK(f.message[0] != '\0');
	CHECK_INT(shoji_press(r.e, v, 0, &f), SHOJI_INVALID);
	struct shoji_input in = SHOJI_INPUT_INIT;
	in.node = find(v, "name");
	in.value = text("{not json");
	CHECK_INT(shoji_input(r.e, v, &in, &f), SHOJI_INVALID);
	CHECK_STR(sj_slice_of(f.code), "JSON_SYNTAX");
	CHECK_INT(shoji_add_catalog(r.e, text("[]"), &f), SHOJI_INVALID);
	CHECK_STR(sj_slice_of(f.category), "CatalogError");
	struct shoji_text t;
	CHECK_INT(shoji_node_text(r.e, v, find(v, "hello"), "text", &t), SHOJI_ABSENT);
	CHECK(strncmp(feed(&r, "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"x\",\"component\":\"Nope\"}]}}"),
	              "fault ", 6) == 0);
	shoji_destroy(r.e);
}

SJ_TEST(a_caller_built_with_smaller_structs_is_served)
{
	struct rig r;
	struct { /* the first members of struct shoji_options, as an old program knows them, and a guard */
		uint32_t size, memory_limit_bytes;
		char guard[64];
	} old = {.size = 8, .memory_limit_bytes = 64u << 20};
	memset(old.guard, 0x5a, sizeof old.guard);
	CHECK_INT(shoji_create((const struct shoji_options *)(const void *)&old, &r.e), SHOJI_OK);
	CHECK_INT(shoji_peer_open(r.e, text("old"), &r.peer), SHOJI_OK);
	CHECK_INT(shoji_feed(r.e, r.peer, FORM, sizeof FORM - 1), SHOJI_OK);
	struct shoji_event ev;
	memset(&ev, 0x5a, sizeof ev);
	ev.size = offsetof(struct shoji_event, message);
	CHECK_INT(shoji_next(r.e, &ev), SHOJI_OK);
	CHECK_INT(ev.kind, SHOJI_EVENT_SURFACE_NEW);
	CHECK_INT(ev.peer, r.peer);
	CHECK_INT(ev.message, 0x5a5a5a5a); /* not written: the old program's struct ends before it */
	shoji_destroy(r.e);
}

static void *counting(void *ctx, void *ptr, size_t old_bytes, size_t new_bytes)
{
	size_t *used = ctx;
	*used += new_bytes - old_bytes;
	if (new_bytes == 0) {
		free(ptr);
		return NULL;
	}
	return realloc(ptr, new_bytes);
}

SJ_TEST(all_memory_comes_from_the_program_and_goes_back)
{
	struct rig r;
	size_t used = 0;
	struct shoji_options o = SHOJI_OPTIONS_INIT;
	o.resize = counting;
	o.resize_ctx = &used;
	open_rig(&r, &o);
	feed(&r, FORM);
	CHECK(shoji_memory_bytes(r.e) > 0);
	CHECK_INT(shoji_memory_bytes(r.e) <= used, true);
	shoji_peer_close(r.e, r.peer);
	CHECK_STR(sj_slice_of(look(&r)), "gone");
	CHECK_INT(shoji_view_count(r.e), 0);
	shoji_destroy(r.e);
	CHECK_INT(used, 0);
	shoji_destroy(NULL);
}

/* ---- a program's own components and functions -------------------------------------------------------------------- */

static void twice(void *ctx, struct shoji_text arguments, struct shoji_result *result)
{
	char out[64];
	double x = 0;
	++*(int *)ctx;
	if (arguments.len < 3 || arguments.ptr[1] == 'n') { /* [null] */
		shoji_result_error(result, "twice needs a number");
		return;
	}
	x = strtod(arguments.ptr + 1, NULL);
	snprintf(out, sizeof out, "%.0f", x * 2);
	shoji_result_json(result, text(out));
}

static enum shoji_status add_host(struct shoji_engine *e, int *calls, struct shoji_fault *f)
{
	const struct shoji_host_property stepper[] = {
		{"label", "DynamicString", "label", true, "What is counted."},
		{"count", "DynamicNumber", "value", true, NULL},
		{0},
	};
	const struct shoji_host_component components[] = {{"Counter", "stepper", stepper, false, "Counts."}, {0}};
	const struct shoji_host_property number[] = {{"x", "DynamicNumber", NULL, true, NULL}, {0}};
	const struct shoji_host_function functions[] = {
		{"twice", SHOJI_FUNCTION_PURE, "number", number, false, twice, calls, "Doubles."},
		{0},
	};
	struct shoji_host host = SHOJI_HOST_INIT;
	host.catalog_id = "https://example.org/counter";
	host.components = components;
	host.functions = functions;
	return shoji_add_host(e, &host, f);
}

SJ_TEST(a_programs_own_components_and_functions)
{
	struct rig r;
	int calls = 0;
	struct shoji_fault f = {.size = sizeof f};
	open_rig(&r, NULL);
	CHECK_INT(add_host(r.e, &calls, &f), SHOJI_OK);
	CHECK_INT(add_host(r.e, &calls, &f), SHOJI_INVALID); /* the id is taken */
	CHECK_STR(sj_slice_of(f.category), "CatalogError");
	feed(&r, "{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"c\",\"catalogId\":\"https://example.org/counter\"}}\n"
	         "{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"c\",\"path\":\"/n\",\"value\":21}}\n"
	         "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"c\",\"components\":["
	         "{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"c\",\"d\"]},"
	         "{\"id\":\"c\",\"component\":\"Counter\",\"label\":\"Eggs\",\"count\":{\"path\":\"/n\"}},"
	         "{\"id\":\"d\",\"component\":\"Counter\",\"label\":\"Twice\",\"count\":{\"call\":\"twice\",\"returnType\":\"number\",\"args\":{\"x\":{\"path\":\"/n\"}}}}]}}\n");
	struct shoji_view *v = shoji_view_at(r.e, 0);
	struct shoji_text t;
	CHECK_STR(sj_slice_of(shoji_node_kind(v, find(v, "c"))), "stepper");
	CHECK_INT(shoji_node_text(r.e, v, find(v, "c"), "value", &t), SHOJI_OK);
	CHECK_STR(slice(t), "21");
	CHECK_INT(shoji_node_text(r.e, v, find(v, "d"), "value", &t), SHOJI_OK);
	CHECK_STR(slice(t), "42");
	CHECK_INT(calls, 1);
	struct shoji_input in = SHOJI_INPUT_INIT;
	in.node = find(v, "c");
	in.value = text("4");
	CHECK_INT(shoji_input(r.e, v, &in, NULL), SHOJI_OK);
	CHECK_STR(sj_slice_of(look(&r)), "changed");
	CHECK_INT(shoji_node_text(r.e, v, find(v, "d"), "value", &t), SHOJI_OK);
	CHECK_STR(slice(t), "8");
	CHECK_INT(calls, 2);
	/* A function that fails makes its property absent and one fault, not a broken surface. */
	CHECK_STR(sj_slice_of(feed(&r, "{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"c\",\"path\":\"/n\"}}")),
	          "fault EXPRESSION_ERROR send "
	          "{\"version\":\"v0.9\",\"error\":{\"code\":\"EXPRESSION_ERROR\",\"surfaceId\":\"c\",\"message\":\"twice needs a number\"}} changed");
	CHECK_INT(shoji_node_text(r.e, v, find(v, "d"), "value", &t), SHOJI_ABSENT);
	shoji_destroy(r.e);
}

static enum sj_status run_with(struct sj_mem *mem, void *ctx);

static void *charged(void *ctx, void *ptr, size_t old_bytes, size_t new_bytes)
{
	struct sj_mem *mem = ctx;
	if (new_bytes)
		return sj_mem_resize(mem, ptr, old_bytes, new_bytes);
	sj_mem_free(mem, ptr, old_bytes);
	return NULL;
}

static enum sj_status run_with(struct sj_mem *mem, void *ctx)
{
	struct shoji_options o = SHOJI_OPTIONS_INIT;
	struct shoji_engine *e;
	struct shoji_event ev = SHOJI_EVENT_INIT;
	struct shoji_text t;
	uint32_t peer = 0;
	int calls = 0;
	(void)ctx;
	o.resize = charged;
	o.resize_ctx = mem;
	enum shoji_status st = shoji_create(&o, &e);
	if (st != SHOJI_OK)
		return (enum sj_status)st;
	st = add_host(e, &calls, NULL);
	if (st == SHOJI_OK)
		st = shoji_peer_open(e, text("p"), &peer);
	if (st == SHOJI_OK)
		st = shoji_feed(e, peer, FORM, sizeof FORM - 1);
	while (st == SHOJI_OK && (st = shoji_next(e, &ev)) == SHOJI_OK)
		if (ev.view)
			st = shoji_view_tree(e, ev.view, &t);
	if (st == SHOJI_ABSENT)
		st = SHOJI_OK;
	shoji_destroy(e);
	return (enum sj_status)st;
}

SJ_TEST(running_out_of_memory_is_returned_and_leaks_nothing) { sj_torture(run_with, NULL); }
