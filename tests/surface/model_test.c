/* Writes, their errors and limits, public watches, touched places, origins, secrets, snapshots, streaming text. */
#include "surface/rig.h"

#include <stdio.h>

#define MODEL(want) CHECK_STR(sj_slice_of(rig_model(&r)), want)
#define TREE(want) CHECK_STR(sj_slice_of(rig_tree(&r)), want)
#define CHANGES(want) CHECK_STR(sj_slice_of(rig_changes(&r)), want)

static enum sj_status set_diag(struct rig *r, const char *path, const char *json, struct sj_diag *d)
{
	struct sj_slice tokens[64];
	uint32_t n = rig_path(path, tokens);
	sj_diag_clear(d);
	rig_begin(r);
	enum sj_status st = sj_surface_set(r->s, SJ_ROOT_DATA, tokens, n, rig_json(r->mem, json), d);
	sj_txn_commit(r->s);
	return st;
}

SJ_TEST(writes_make_what_is_missing)
{
	struct rig r;
	struct sj_diag d;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	MODEL("{}");
	CHECK_OK(rig_set(&r, "/a/b", "1"));
	CHECK_OK(rig_set(&r, "/l/0/x", "2"));
	CHECK_OK(rig_set(&r, "/l/2", "3"));
	MODEL("{\"a\":{\"b\":1},\"l\":[{\"x\":2},null,3]}");
	CHECK_OK(rig_set(&r, "/n", "null"));
	CHECK_OK(rig_set(&r, "/n/01", "4")); /* no index: a member */
	MODEL("{\"a\":{\"b\":1},\"l\":[{\"x\":2},null,3],\"n\":{\"01\":4}}");
	CHECK_INT(set_diag(&r, "/a/b/c", "1", &d), SJ_INVALID);
	CHECK_INT(d.code, SJ_E_DATA_ERROR);
	CHECK(strstr(d.message, "Cannot set path '/a/b/c'") != NULL);
	CHECK_INT(set_diag(&r, "/l/x", "1", &d), SJ_INVALID);
	CHECK(strstr(d.message, "non-numeric segment") != NULL);
	CHECK_INT(set_diag(&r, "/l/x/y", "1", &d), SJ_INVALID);
	CHECK(strstr(d.message, "non-numeric segment") != NULL);
	CHECK_INT(set_diag(&r, "/l/01", "1", &d), SJ_INVALID);
	CHECK_INT(set_diag(&r, "/l/999999999", "1", &d), SJ_LIMIT);
	CHECK_INT(d.code, SJ_E_LIMIT);
	CHECK_INT(set_diag(&r, "/new/999999", "1", &d), SJ_LIMIT);
	CHECK_INT(set_diag(&r, "/l/1003", "1", &d), SJ_OK);
	CHECK_INT(set_diag(&r, "/l/2005", "1", &d), SJ_LIMIT);
	CHECK_OK(rig_set(&r, "/", "[1]"));
	MODEL("[1]");
	CHECK_OK(rig_set(&r, "/", "{}"));
	char deep[256] = "";
	for (int i = 0; i < 65; i++)
		strcat(deep, "/x");
	struct sj_slice tokens[65];
	for (int i = 0; i < 65; i++)
		tokens[i] = SJ_LIT("x");
	rig_begin(&r);
	CHECK_INT(sj_surface_set(r.s, SJ_ROOT_DATA, tokens, 65, SJ_NULL_VALUE, NULL), SJ_LIMIT);
	CHECK_OK(sj_surface_set(r.s, SJ_ROOT_DATA, tokens, 64, SJ_NULL_VALUE, NULL));
	sj_txn_abort(r.s);
	MODEL("{}");
	rig_close(&r);
}

SJ_TEST(unset_and_splice)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_set(&r, "/", "{'a':1,'b':{'c':2},'l':[1,2,3]}"));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'List','text':{'$':'/b/c'},'children':{'each':'/l','of':'x'}},{'id':'x','type':'Text','text':{'$':''}}]"));
	TREE("root:List(text=2){x:Text(text=1) x:Text(text=2) x:Text(text=3)}");
	rig_changes(&r);
	CHECK_OK(rig_unset(&r, "/nothing/here"));
	CHECK_OK(rig_unset(&r, "/l/7"));
	CHANGES("");
	MODEL("{\"a\":1,\"b\":{\"c\":2},\"l\":[1,2,3]}");
	CHECK_OK(rig_unset(&r, "/l/1")); /* a hole: the length stays */
	MODEL("{\"a\":1,\"b\":{\"c\":2},\"l\":[1,null,3]}");
	CHANGES("SET x@1 text");
	TREE("root:List(text=2){x:Text(text=1) x:Text x:Text(text=3)}");
	CHECK_OK(rig_unset(&r, "/l/1"));
	CHANGES("");
	CHECK_OK(rig_unset(&r, "/b/c"));
	MODEL("{\"a\":1,\"b\":{},\"l\":[1,null,3]}");
	CHANGES("SET root text");
	struct sj_slice l = SJ_LIT("l");
	struct sj_value in[2] = {sj_value_int(8), sj_value_int(9)};
	rig_begin(&r);
	CHECK_OK(sj_surface_splice(r.s, SJ_ROOT_DATA, &l, 1, 1, 1, in, 2, NULL));
	sj_txn_commit(r.s);
	MODEL("{\"a\":1,\"b\":{},\"l\":[1,8,9,3]}");
	CHANGES("NEW x@3; SPLICE root 3 -0 +1; SET x@1 text; SET x@2 text");
	rig_begin(&r);
	CHECK_INT(sj_surface_splice(r.s, SJ_ROOT_DATA, &l, 1, 4, 1, NULL, 0, NULL), SJ_INVALID);
	CHECK_OK(sj_surface_splice(r.s, SJ_ROOT_DATA, &l, 1, 0, 4, NULL, 0, NULL));
	MODEL("{\"a\":1,\"b\":{},\"l\":[]}");
	sj_txn_abort(r.s);
	MODEL("{\"a\":1,\"b\":{},\"l\":[1,8,9,3]}");
	CHANGES("");
	CHECK_OK(rig_unset(&r, "/"));
	MODEL("{}");
	TREE("root:List");
	rig_close(&r);
}

struct seen {
	struct rig *r;
	int count[8];
	uint32_t id[8];
};
static void saw(void *ctx, uint32_t watch)
{
	struct seen *s = ctx;
	for (int i = 0; i < 8; i++)
		if (s->id[i] == watch)
			s->count[i]++;
}

static void watch(struct rig *r, struct seen *s, int i, const char *path)
{
	struct sj_slice tokens[64];
	uint32_t n = rig_path(path, tokens);
	CHECK_OK(sj_surface_watch(r->s, SJ_ROOT_DATA, tokens, n, saw, s, &s->id[i]));
}

static int calls(struct rig *r, struct seen *s)
{
	sj_surface_settle(r->s);
	int mask = 0;
	for (int i = 0; i < 8; i++) {
		if (s->count[i] > 1)
			return -1;
		mask |= s->count[i] << i;
		s->count[i] = 0;
	}
	return mask;
}

SJ_TEST(public_watches)
{
	struct rig r;
	struct seen s = {0};
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	watch(&r, &s, 0, "/foo");
	watch(&r, &s, 1, "/foobar");
	watch(&r, &s, 2, "/foo/x/y");
	watch(&r, &s, 3, "/");
	watch(&r, &s, 4, "/l/1");
	CHECK_INT(calls(&r, &s), 0);
	CHECK_OK(rig_set(&r, "/foo/x/y", "1"));
	CHECK_INT(calls(&r, &s), 1 | 4 | 8);
	CHECK_OK(rig_set(&r, "/foo/x/y", "1"));
	CHECK_INT(calls(&r, &s), 0);
	CHECK_OK(rig_set(&r, "/foo/x/z", "1"));
	CHECK_INT(calls(&r, &s), 1 | 8);
	CHECK_OK(rig_set(&r, "/foo", "{'x':{'y':1}}"));
	CHECK_INT(calls(&r, &s), 1 | 8);
	CHECK_OK(rig_set(&r, "/foo", "5"));
	CHECK_INT(calls(&r, &s), 1 | 4 | 8);
	CHECK_OK(rig_set(&r, "/foobar", "5"));
	CHECK_INT(calls(&r, &s), 2 | 8);
	CHECK_OK(rig_set(&r, "/l", "[1,2]"));
	CHECK_INT(calls(&r, &s), 8 | 16);
	CHECK_OK(rig_set(&r, "/l/0", "3"));
	CHECK_INT(calls(&r, &s), 8);
	/* Each once a settle, however many writes. */
	rig_begin(&r);
	CHECK_OK(rig_set(&r, "/foo", "6"));
	CHECK_OK(rig_set(&r, "/foo", "7"));
	sj_txn_commit(r.s);
	CHECK_INT(calls(&r, &s), 1 | 8);
	sj_surface_unwatch(r.s, s.id[3]);
	sj_surface_unwatch(r.s, s.id[3]);
	CHECK_OK(rig_set(&r, "/foo", "8"));
	CHECK_INT(calls(&r, &s), 1);
	rig_begin(&r);
	CHECK_OK(rig_set(&r, "/l/1", "9"));
	sj_txn_commit(r.s);
	sj_surface_unwatch(r.s, s.id[4]); /* marked, and gone before the settle */
	CHECK_INT(calls(&r, &s), 0);
	watch(&r, &s, 5, "/l/1");
	CHECK_INT(s.id[5], s.id[4]);
	rig_close(&r);
}

SJ_TEST(touched_places)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_set(&r, "/", "{'a':1,'b':2,'t':'long enough to be counted'}"));
	rig_begin(&r);
	CHECK_OK(rig_set(&r, "/b", "3"));
	CHECK_OK(rig_set(&r, "/new/x", "1"));
	CHECK_OK(rig_set(&r, "/a", "5"));
	CHECK_OK(rig_set(&r, "/b", "4"));
	CHECK_OK(rig_set(&r, "/a", "1")); /* back to what it was: not touched */
	CHECK_OK(rig_set(&r, "/a", "1"));
	struct sj_slice t = SJ_LIT("t");
	CHECK_OK(sj_surface_append_text(r.s, SJ_ROOT_DATA, &t, 1, SJ_LIT(" more"), NULL));
	CHECK_INT(sj_txn_touched(r.s), 3);
	static const char *const want[] = {"/b", "/new/x", "/t"};
	for (uint32_t i = 0; i < 3; i++) {
		enum sj_root root;
		struct sj_buf b;
		sj_buf_init(&b, sj_test_mem(), 0);
		CHECK(sj_txn_touched_at(r.s, i, &root, &b));
		CHECK_SLICE(sj_buf_view(&b), sj_slice_of(want[i]));
		CHECK_INT(root, SJ_ROOT_DATA);
		sj_buf_finish(&b);
	}
	struct sj_buf none;
	sj_buf_init(&none, sj_test_mem(), 0);
	enum sj_root root;
	CHECK(!sj_txn_touched_at(r.s, 3, &root, &none));
	sj_buf_finish(&none);
	sj_txn_commit(r.s);
	rig_close(&r);
}

static struct sj_origin origin_of(struct rig *r, const char *path)
{
	struct sj_slice tokens[64];
	uint32_t n = rig_path(path, tokens);
	struct sj_origin o = {0, 0};
	sj_surface_origin(r->s, SJ_ROOT_DATA, tokens, n, &o);
	return o;
}

SJ_TEST(origins)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_INT(origin_of(&r, "/a").message, 0);
	CHECK_OK(rig_set(&r, "/a", "{'b':1}")); /* message 1 */
	CHECK_OK(rig_set(&r, "/a/b", "2"));     /* message 2 */
	CHECK_INT(origin_of(&r, "/a").message, 1);
	CHECK_INT(origin_of(&r, "/a/b").message, 2);
	CHECK_INT(origin_of(&r, "/a/b").offset, 200);
	CHECK_INT(origin_of(&r, "/a/b/c").message, 2);
	CHECK_INT(origin_of(&r, "/x").message, 0);
	CHECK_OK(rig_set(&r, "/a", "7")); /* message 3 overwrites what was below */
	CHECK_INT(origin_of(&r, "/a/b").message, 3);
	rig_begin(&r);
	CHECK_OK(rig_set(&r, "/a", "8"));
	sj_txn_abort(r.s);
	CHECK_INT(origin_of(&r, "/a").message, 3);
	struct sj_slice a = SJ_LIT("a");
	sj_txn_begin(r.s, 9, (struct sj_origin){0, 0}); /* the person */
	CHECK_OK(sj_surface_set(r.s, SJ_ROOT_DATA, &a, 1, sj_value_int(9), NULL));
	sj_txn_commit(r.s);
	CHECK_INT(origin_of(&r, "/a").message, 3);
	/* Memory is bounded: the newest are known. */
	char path[32];
	size_t peak = 0;
	for (int i = 0; i < 20000; i++) {
		snprintf(path, sizeof path, "/m/k%d", i);
		CHECK_OK(rig_set(&r, path, "1"));
		if (i == 9000)
			peak = r.mem->used_bytes;
	}
	CHECK_INT(origin_of(&r, "/m/k19999").message, r.message - 1);
	CHECK_INT(origin_of(&r, "/m/k18500").message, r.message - 1500);
	CHECK(r.mem->used_bytes < peak + 20000 * 120); /* members of the model only */
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Text'}]"));
	CHECK_INT(sj_component_origin(r.s, sj_component_find(r.s, SJ_LIT("root"))).message, r.message - 1);
	rig_close(&r);
}

static void check_masked(struct rig *r, enum sj_root root, const char *want, int line)
{
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_surface_print_masked(r->s, root, &b, SJ_PRINT_COMPACT);
	sj_check_slice(__FILE__, line, "masked", sj_buf_view(&b), sj_slice_of(want));
	sj_buf_finish(&b);
}
#define MASKED(root, want) check_masked(&r, root, want, __LINE__)

SJ_TEST(secrets)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_set(&r, "/", "{'pin':'1234','user':'ada','deep':{'x':[1,true,null,{'k':'v'}],'y':2}}"));
	CHECK(!sj_surface_has_secrets(r.s));
	MASKED(SJ_ROOT_DATA, "{\"pin\":\"1234\",\"user\":\"ada\",\"deep\":{\"x\":[1,true,null,{\"k\":\"v\"}],\"y\":2}}");
	struct sj_slice pin[] = {SJ_LIT("pin")}, deep[] = {SJ_LIT("deep"), SJ_LIT("x")},
			gone[] = {SJ_LIT("gone"), SJ_LIT("x")};
	CHECK_OK(sj_surface_mark_secret(r.s, pin, 1));
	CHECK_OK(sj_surface_mark_secret(r.s, deep, 2));
	CHECK_OK(sj_surface_mark_secret(r.s, gone, 2));
	CHECK(sj_surface_has_secrets(r.s));
	MASKED(SJ_ROOT_DATA, "{\"pin\":\"•••\",\"user\":\"ada\",\"deep\":{\"x\":[\"•••\",\"•••\",null,{\"k\":\"•••\"}],\"y\":2}}");
	MODEL("{\"pin\":\"1234\",\"user\":\"ada\",\"deep\":{\"x\":[1,true,null,{\"k\":\"v\"}],\"y\":2}}");
	CHECK_OK(rig_set(&r, "/deep", "{'x':'s'}"));
	MASKED(SJ_ROOT_DATA, "{\"pin\":\"•••\",\"user\":\"ada\",\"deep\":{\"x\":\"•••\"}}");
	CHECK_OK(sj_surface_mark_secret(r.s, NULL, 0));
	MASKED(SJ_ROOT_DATA, "{\"pin\":\"•••\",\"user\":\"•••\",\"deep\":{\"x\":\"•••\"}}");
	/* Typing into an obscured field marks its place; an unbound one marks its local state. */
	rig_close(&r);
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['p','q']},{'id':'p','type':'TextField','value':{'$':'/pw','secret':1}},"
	                        "{'id':'q','type':'TextField','value':{'fmt':['']  ,'secret':1}}]"));
	struct sj_value v = rig_json(r.mem, "'hunter2'");
	struct sj_input in = {
		.node = rig_find(&r, "p"), .prop = SJ_P_VALUE, .phase = SJ_EDIT_COMMIT, .serial = 1, .value = v};
	CHECK_OK(sj_surface_input(r.s, &in, NULL));
	MODEL("{\"pw\":\"hunter2\"}");
	MASKED(SJ_ROOT_DATA, "{\"pw\":\"•••\"}");
	in.node = rig_find(&r, "q");
	CHECK_OK(sj_surface_input(r.s, &in, NULL));
	MASKED(SJ_ROOT_LOCAL, "{\"q\":{\"\":{\"value\":\"•••\"}}}");
	CHECK_STR(sj_slice_of(rig_text(&r, in.node, SJ_P_VALUE)), "hunter2");
	rig_close(&r);
}

/* A long list is held in runs of items; a write copies one run and leaves the others to both. */
SJ_TEST(snapshots_of_long_lists_stay_as_they_were)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	for (int i = 0; i < 300; i++) {
		char path[32];
		snprintf(path, sizeof path, "/l/%d/x", i);
		CHECK_OK(rig_set(&r, path, "0"));
	}
	struct sj_value snap = sj_surface_snapshot(r.s, SJ_ROOT_DATA);
	CHECK_OK(rig_set(&r, "/l/0/x", "1"));
	CHECK_OK(rig_set(&r, "/l/200/x", "2"));
	CHECK_OK(rig_set(&r, "/l/201/y", "3"));
	const struct sj_value *was = sj_value_get(&snap, SJ_LIT("l"));
	CHECK_INT(sj_value_get(sj_value_item(was, 0), SJ_LIT("x"))->u.i, 0);
	CHECK_INT(sj_value_get(sj_value_item(was, 200), SJ_LIT("x"))->u.i, 0);
	CHECK(sj_value_get(sj_value_item(was, 201), SJ_LIT("y")) == NULL);
	const struct sj_slice now[] = {SJ_LIT("l"), SJ_LIT("200"), SJ_LIT("x")};
	CHECK_INT(sj_surface_get(r.s, SJ_ROOT_DATA, now, 3)->u.i, 2);
	sj_value_unref(r.mem, snap);
	rig_close(&r);
}

SJ_TEST(snapshots_stay_as_they_were)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'List','children':{'each':'/l','of':'x'}},{'id':'x','type':'Text','text':{'$':'n'}}]"));
	CHECK_OK(rig_set(&r, "/l", "[{'n':1},{'n':2}]"));
	rig_tree(&r);
	struct sj_value snap = sj_surface_snapshot(r.s, SJ_ROOT_DATA);
	CHECK_OK(rig_set(&r, "/l/0/n", "5"));
	rig_begin(&r);
	CHECK_OK(rig_set(&r, "/l/1/n", "6"));
	struct sj_value inside = sj_surface_snapshot(r.s, SJ_ROOT_DATA);
	CHECK_OK(rig_set(&r, "/l/2/n", "7"));
	sj_txn_abort(r.s);
	TREE("root:List{x:Text(text=5) x:Text(text=2)}");
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_value_print(&b, &snap, 0);
	CHECK_SLICE(sj_buf_view(&b), SJ_LIT("{\"l\":[{\"n\":1},{\"n\":2}]}"));
	sj_buf_clear(&b);
	sj_value_print(&b, &inside, 0);
	CHECK_SLICE(sj_buf_view(&b), SJ_LIT("{\"l\":[{\"n\":5},{\"n\":6}]}"));
	sj_buf_finish(&b);
	sj_value_unref(r.mem, snap);
	sj_value_unref(r.mem, inside);
	rig_close(&r);
}

SJ_TEST(streaming_text_is_told_as_growth)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['a','b']},{'id':'a','type':'Text','text':{'$':'/t'}},"
	                        "{'id':'b','type':'Text','text':{'fmt':['> ',{'$':'/t'}]}}]"));
	CHECK_OK(rig_set(&r, "/t", "'0123456789abcdef'"));
	rig_tree(&r);
	rig_changes(&r);
	struct sj_slice t = SJ_LIT("t");
	uint64_t calls = 0;
	for (int i = 0; i < 200; i++) {
		rig_begin(&r);
		CHECK_OK(sj_surface_append_text(r.s, SJ_ROOT_DATA, &t, 1, SJ_LIT("0123456789"), NULL));
		sj_txn_commit(r.s);
		if (i == 1)
			CHANGES("APPEND a text 26..36; APPEND b text 28..38");
		else if (i == 2) /* two in one batch, settled in between */
			rig_tree(&r);
		else if (i == 3)
			CHANGES("APPEND a text 36..56; APPEND b text 38..58");
		else
			rig_changes(&r);
	}
	(void)calls;
	CHECK_INT(sj_value_text(sj_node_ui(r.s, rig_find(&r, "a"), SJ_P_TEXT)).len, 2016);
	/* A longer text that starts with the old one is growth too; another one is not. */
	CHECK_OK(rig_set(&r, "/t", "'short'"));
	CHANGES("SET a text; SET b text");
	CHECK_OK(rig_set(&r, "/t", "'shorter'"));
	CHANGES("APPEND a text 5..7; APPEND b text 7..9");
	rig_begin(&r);
	CHECK_OK(sj_surface_append_text(r.s, SJ_ROOT_DATA, &t, 1, SJ_LIT(" and shorter and shorter"), NULL));
	CHECK_OK(rig_set(&r, "/t", "'a wholly different text of some length'"));
	sj_txn_commit(r.s);
	CHANGES("SET a text; SET b text");
	rig_begin(&r);
	CHECK_OK(sj_surface_append_text(r.s, SJ_ROOT_DATA, &t, 1, SJ_LIT("!"), NULL));
	rig_tree(&r);
	sj_txn_abort(r.s);
	TREE("root:Column{a:Text(text=\"a wholly different text of some length\") b:Text(text=\"> a wholly different text of some length\")}");
	rig_begin(&r);
	CHECK_INT(sj_surface_append_text(r.s, SJ_ROOT_DATA, NULL, 0, SJ_LIT("x"), NULL), SJ_INVALID);
	sj_txn_commit(r.s);
	rig_close(&r);
}

SJ_TEST(environment_wakes_its_readers_only)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['a','b']},{'id':'a','type':'Text','text':{'env':'locale'}},{'id':'b','type':'Text','text':{'env':'appearance'}}]"));
	CHECK_OK(sj_surface_set_env(r.s, SJ_LIT("locale"), SJ_LIT("en")));
	TREE("root:Column{a:Text(text=\"en\") b:Text}");
	rig_changes(&r);
	CHECK_OK(sj_surface_set_env(r.s, SJ_LIT("appearance"), SJ_LIT("dark")));
	CHANGES("SET b text");
	CHECK_OK(sj_surface_set_env(r.s, SJ_LIT("appearance"), SJ_LIT("dark")));
	CHANGES("");
	MODEL("{}");
	rig_close(&r);
}
