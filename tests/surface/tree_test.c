/* Bindings, templates, shared and recursive children, placeholders, identity, and what a face is told. */
#include "surface/rig.h"

#include <stdio.h>

#define TREE(want) CHECK_STR(sj_slice_of(rig_tree(&r)), want)
#define CHANGES(want) CHECK_STR(sj_slice_of(rig_changes(&r)), want)
#define LOG(want) CHECK_STR(sj_slice_of(rig_take_log(&r)), want)

SJ_TEST(literals_and_bindings)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	TREE("(none)");
	CHECK_INT(sj_surface_root(r.s), 0);
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['a','b']},{'id':'a','type':'Text','text':'hello'},"
	                        "{'id':'b','type':'Text','text':{'$':'/who/name'},'variant':{'fmt':['<',{'$':'/n'},'>']}}]"));
	TREE("root:Column{a:Text(text=\"hello\") b:Text(variant=\"<>\")}");
	CHECK_OK(rig_set(&r, "/who/name", "'Ada'"));
	CHECK_OK(rig_set(&r, "/n", "7"));
	TREE("root:Column{a:Text(text=\"hello\") b:Text(text=\"Ada\",variant=\"<7>\")}");
	CHECK_OK(rig_set(&r, "/who", "{'name':['x',1]}"));
	TREE("root:Column{a:Text(text=\"hello\") b:Text(text=[\"x\",1],variant=\"<7>\")}");
	CHECK_OK(rig_unset(&r, "/who"));
	TREE("root:Column{a:Text(text=\"hello\") b:Text(variant=\"<7>\")}");
	CHECK_STR(sj_slice_of(rig_model(&r)), "{\"n\":7}");
	LOG("");
	rig_close(&r);
}

SJ_TEST(templates_and_scopes)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'List','children':{'each':'/rows','of':'row'}},"
	                        "{'id':'row','type':'Row','children':['n','x']},"
	                        "{'id':'n','type':'Text','text':{'fmt':[{'at':0},':',{'$':'name'},'/',{'$':'/cur'}]}},"
	                        "{'id':'x','type':'List','children':{'each':'sub','of':'leaf'}},"
	                        "{'id':'leaf','type':'Text','text':{'fmt':[{'at':1},'.',{'at':0},'=',{'$':''},'^',{'$':'^name'}]}}]"));
	TREE("root:List");
	CHECK_OK(rig_set(&r, "/", "{'cur':'$','rows':[{'name':'a','sub':[1,2]},{'name':'b'}]}"));
	TREE("root:List{row:Row{n:Text(text=\"0:a/$\") x:List{leaf:Text(text=\"0.0=1^a\") leaf:Text(text=\"0.1=2^a\")}} "
	     "row:Row{n:Text(text=\"1:b/$\") x:List}}");
	rig_changes(&r);
	sj_node_id n1 = rig_find_row(&r, "n", 1);
	CHECK_OK(rig_set(&r, "/rows/1/name", "'B'"));
	CHANGES("SET n@1 text");
	CHECK_OK(rig_set(&r, "/rows/1/sub", "[5]"));
	CHANGES("NEW leaf@0; SPLICE x@1 0 -0 +1");
	CHECK_OK(rig_set(&r, "/rows/0/sub/1", "9"));
	CHANGES("SET leaf@1 text");
	CHECK_OK(rig_set(&r, "/cur", "'E'"));
	CHANGES("SET n@0 text; SET n@1 text");
	CHECK_OK(rig_set(&r, "/rows/2", "{'name':'c'}"));
	CHANGES("NEW row@2; SPLICE root 2 -0 +1");
	CHECK(sj_node_alive(r.s, n1));
	CHECK_STR(sj_slice_of(rig_text(&r, n1, SJ_P_TEXT)), "1:B/E");
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	uint32_t at[2] = {0, 1};
	sj_node_id leaf = sj_surface_find(r.s, SJ_LIT("leaf"), at, 2);
	sj_node_data_path(r.s, leaf, &b);
	CHECK_SLICE(sj_buf_view(&b), SJ_LIT("/rows/0/sub/1"));
	CHECK_INT(sj_node_scope_depth(r.s, leaf), 2);
	CHECK_INT(sj_node_row(r.s, leaf), 1);
	sj_buf_clear(&b);
	sj_node_data_path(r.s, sj_surface_root(r.s), &b);
	CHECK_SLICE(sj_buf_view(&b), SJ_LIT("/"));
	CHECK_INT(sj_node_row(r.s, sj_surface_root(r.s)), -1);
	sj_buf_finish(&b);
	/* Identity is by index: an insert in the middle gives rows new values and adds one at the end. */
	CHECK_OK(rig_set(&r, "/rows", "[{'name':'a','sub':[1,9]},{'name':'new'},{'name':'B','sub':[5]},{'name':'c'}]"));
	CHANGES("GONE -; NEW row@3; NEW leaf@0; SPLICE root 3 -0 +1; SPLICE x@1 0 -1 +0; SPLICE x@2 0 -0 +1; SET n@1 text; SET n@2 text");
	CHECK(sj_node_alive(r.s, n1));
	CHECK_OK(rig_set(&r, "/rows", "7"));
	TREE("root:List");
	CHECK_INT(sj_surface_node_count(r.s), 1);
	CHECK(!sj_node_alive(r.s, n1));
	rig_close(&r);
}

SJ_TEST(placeholders_and_order_of_arrival)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'a','type':'Text','text':'A'}]"));
	TREE("(none)");
	CHECK_INT(sj_surface_orphans(r.s, NULL), 1);
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['a','b','a','c']}]"));
	TREE("root:Column{a:Text(text=\"A\") b!pending a:Text(text=\"A\") c!pending}");
	struct sj_slice missing, parent;
	CHECK_INT(sj_surface_dangling(r.s, &missing, &parent), 2);
	CHECK_SLICE(missing, SJ_LIT("b"));
	CHECK_SLICE(parent, SJ_LIT("root"));
	CHECK_INT(sj_surface_orphans(r.s, NULL), 0);
	rig_changes(&r);
	sj_node_id pending = rig_find(&r, "b");
	CHECK_OK(rig_define(&r, "[{'id':'b','type':'Card','child':'c'}]"));
	CHANGES("GONE -; NEW b; SPLICE root 1 -1 +1");
	CHECK(!sj_node_alive(r.s, pending));
	TREE("root:Column{a:Text(text=\"A\") b:Card{c!pending} a:Text(text=\"A\") c!pending}");
	CHECK_OK(rig_define(&r, "[{'id':'c','type':'Mystery','text':'?'}]"));
	CHANGES("GONE -; GONE -; NEW c; NEW c; SPLICE b 0 -1 +1; SPLICE root 3 -1 +1");
	TREE("root:Column{a:Text(text=\"A\") b:Card{c!unknown-type} a:Text(text=\"A\") c!unknown-type}");
	LOG("fault UNKNOWN_COMPONENT_TYPE c: Component 'c' is of the unknown type 'Mystery'.\n"
	    "fault UNKNOWN_COMPONENT_TYPE c: Component 'c' is of the unknown type 'Mystery'.\n");
	/* Removing a definition makes its edges pending; other instances of what was below live on. */
	sj_node_id c = rig_find(&r, "c");
	CHECK_OK(rig_remove(&r, "b"));
	TREE("root:Column{a:Text(text=\"A\") b!pending a:Text(text=\"A\") c!unknown-type}");
	CHECK(!sj_node_alive(r.s, c));
	CHECK_INT(sj_surface_dangling(r.s, NULL, NULL), 1);
	CHECK_OK(rig_remove(&r, "root"));
	TREE("(none)");
	CHECK_INT(sj_surface_node_count(r.s), 0);
	rig_close(&r);
}

SJ_TEST(cycles_and_recursive_templates)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['a','root']},{'id':'a','type':'Card','child':'b'},"
	                        "{'id':'b','type':'Card','child':'a'}]"));
	TREE("root:Column{a:Card{b:Card{a!cyclic}} root!cyclic}");
	LOG("fault CYCLIC_REFERENCE root: Component 'root' is inside itself.\nfault CYCLIC_REFERENCE a: Component 'a' is inside itself.\n");
	CHECK_OK(rig_define(&r, "[{'id':'b','type':'Card','child':'c'},{'id':'c','type':'Text','text':'end'},{'id':'root','type':'Column','children':['a']}]"));
	TREE("root:Column{a:Card{b:Card{c:Text(text=\"end\")}}}");
	/* The same component in a deeper scope is no cycle. */
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','child':'t'},{'id':'t','type':'Column','text':{'$':'name'},'children':{'each':'kids','of':'t'}}]"));
	CHECK_OK(rig_set(&r, "/", "{'name':'top','kids':[{'name':'x','kids':[{'name':'y'},{'name':'z','kids':[{'name':'w'}]}]},{'name':'v'}]}"));
	TREE("root:Column{t:Column(text=\"top\"){t:Column(text=\"x\"){t:Column(text=\"y\") t:Column(text=\"z\"){t:Column(text=\"w\")}} t:Column(text=\"v\")}}");
	rig_changes(&r);
	CHECK_OK(rig_set(&r, "/kids/0/kids/1/kids/0/name", "'W'"));
	CHANGES("SET t@0 text");
	/* Redefining the recursive component reaches every depth. */
	CHECK_OK(rig_define(&r, "[{'id':'t','type':'Column','text':{'fmt':['*',{'$':'name'}]},'children':{'each':'kids','of':'t'}}]"));
	TREE("root:Column{t:Column(text=\"*top\"){t:Column(text=\"*x\"){t:Column(text=\"*y\") t:Column(text=\"*z\"){t:Column(text=\"*W\")}} t:Column(text=\"*v\")}}");
	CHECK_OK(rig_remove(&r, "t"));
	TREE("root:Column{t!pending}");
	rig_close(&r);
}

SJ_TEST(children_follow_their_component)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['a','b','c','d']},{'id':'a','type':'Text','text':'1'},{'id':'b','type':'Text','text':'2'},"
	                        "{'id':'c','type':'Text','text':'3'},{'id':'d','type':'Text','text':'4'}]"));
	rig_tree(&r);
	rig_changes(&r);
	sj_node_id b = rig_find(&r, "b"), c = rig_find(&r, "c"), d = rig_find(&r, "d");
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['a','c','b','d']}]"));
	CHANGES("SPLICE root 1 -2 +2");
	CHECK_INT(rig_find(&r, "b"), b);
	CHECK_INT(rig_find(&r, "c"), c);
	CHECK_INT(sj_node_child(r.s, sj_surface_root(r.s), 1), c);
	CHECK_INT(sj_node_child(r.s, sj_surface_root(r.s), 2), b);
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['c','d','e']}]"));
	TREE("root:Column{c:Text(text=\"3\") d:Text(text=\"4\") e!pending}");
	CHANGES("GONE -; GONE -; NEW e; SPLICE root 0 -4 +3");
	CHECK(sj_node_alive(r.s, d));
	CHECK(!sj_node_alive(r.s, b));
	/* The same definition again tells nothing. */
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['c','d','e']},{'id':'c','type':'Text','text':'3'}]"));
	CHANGES("");
	/* Same type: the node stays; another type: it is replaced. */
	CHECK_OK(rig_define(&r, "[{'id':'c','type':'Text','text':'33'}]"));
	CHANGES("APPEND c text 1..2"); /* a text that only grew */
	CHECK_OK(rig_define(&r, "[{'id':'c','type':'Text','text':'333'}]"));
	rig_tree(&r);
	CHECK_OK(rig_define(&r, "[{'id':'c','type':'Text','text':'3333','variant':'x'}]"));
	CHANGES("APPEND c text 2..4; SET c variant");
	CHECK_OK(rig_define(&r, "[{'id':'c','type':'Text','text':'33334'}]"));
	rig_tree(&r);
	CHECK_OK(rig_define(&r, "[{'id':'c','type':'Text','text':'other'}]"));
	CHANGES("SET c text variant");
	CHECK_INT(rig_find(&r, "c"), c);
	CHECK_OK(rig_define(&r, "[{'id':'c','type':'Button','label':'33'}]"));
	CHANGES("GONE -; NEW c; SPLICE root 0 -1 +1");
	CHECK(!sj_node_alive(r.s, c));
	/* A literal that becomes a binding with the same value is no change. */
	CHECK_OK(rig_set(&r, "/l", "'33'"));
	CHECK_OK(rig_define(&r, "[{'id':'c','type':'Button','label':{'$':'/l'}}]"));
	CHANGES("");
	CHECK_OK(rig_define(&r, "[{'id':'c','type':'Button','label':'34'}]"));
	CHANGES("SET c label");
	rig_close(&r);
}

SJ_TEST(notifications_are_exact)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['a','b','c','d']},{'id':'a','type':'Text','text':{'$':'/foo'}},"
	                        "{'id':'b','type':'Text','text':{'$':'/foobar'}},{'id':'c','type':'Text','text':{'$':'/foo/x/y'}},"
	                        "{'id':'d','type':'Text','text':{'fn':'count','of':[{'$':'/foo'}]}}]"));
	CHECK_OK(rig_set(&r, "/foo", "{'x':{'y':1},'z':2}"));
	rig_tree(&r);
	rig_changes(&r);
	CHECK_OK(rig_set(&r, "/foo/x/y", "1")); /* equal: silent */
	CHANGES("");
	CHECK_OK(rig_set(&r, "/foo/x/y", "2")); /* exact and ancestor */
	CHANGES("SET a text; SET c text");
	CHECK_OK(rig_set(&r, "/foo", "{'x':{'y':2},'z':2}"));
	CHANGES("");
	CHECK_OK(rig_set(&r, "/foo", "{'x':{'y':3},'z':2,'n':0}")); /* descendants */
	CHANGES("SET a text; SET d text; SET c text");
	CHECK_OK(rig_set(&r, "/foobar", "5"));
	CHANGES("SET b text");
	/* There and back within a transaction is no change. */
	rig_begin(&r);
	CHECK_OK(rig_set(&r, "/foobar", "6"));
	CHECK_OK(rig_set(&r, "/foobar", "5"));
	sj_txn_commit(r.s);
	CHANGES("");
	CHECK_INT(sj_value_refs(sj_surface_get(r.s, SJ_ROOT_DATA, &SJ_LIT("foo"), 1)),
	          1); /* no cache makes the model shared */
	rig_close(&r);
}

SJ_TEST(unused_slots_are_taken_back)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'List','text':{'$':'/t'},'children':['a','z'],'more':{'each':'/rows','of':'row'}},{'id':'z','type':'Text','text':{'$':'/z'}},"
	                        "{'id':'row','type':'Row','children':['b','n']},{'id':'n','type':'Text','text':{'$':'n'}}]"));
	CHECK_OK(rig_set(&r, "/", "{'t':'a title that is counted','z':9,'rows':[{'n':'first row of two'},{'n':2}]}"));
	size_t after = 0;
	char def[4096];
	for (int i = 0; i < 400; i++) {
		/* A new number of bindings each time, in the root's plan and in the rows'. */
		int n = i % 40;
		for (int c = 0; c < 2; c++) {
			int len = snprintf(def, sizeof def, "[{'id':'%s','type':'Text'", c ? "a" : "b");
			for (int p = 0; p < n; p++)
				len += snprintf(def + len, sizeof def - (size_t)len,
				                ",'p%d':{'fn':'same','of':[{'$':'%sn'}]}", p, c ? "/rows/1/" : "");
			snprintf(def + len, sizeof def - (size_t)len, "}]");
			CHECK_OK(rig_define(&r, def));
		}
		struct sj_prop p;
		CHECK_STR(sj_slice_of(rig_text(&r, rig_find(&r, "z"), SJ_P_TEXT)), "9");
		CHECK_STR(sj_slice_of(rig_text(&r, rig_find_row(&r, "n", 0), SJ_P_TEXT)), "first row of two");
		if (n) {
			CHECK(sj_node_prop(r.s, rig_find(&r, "a"), (uint32_t)n - 1, &p) && p.value &&
			      p.value->u.i == 2);
			CHECK(sj_node_prop(r.s, rig_find_row(&r, "b", 1), (uint32_t)n - 1, &p) && p.value &&
			      p.value->u.i == 2);
		}
		CHECK_OK(rig_set(&r, "/rows/1/n", "3"));
		sj_surface_settle(r.s);
		if (n)
			CHECK(sj_node_prop(r.s, rig_find_row(&r, "b", 1), (uint32_t)n - 1, &p) && p.value &&
			      p.value->u.i == 3);
		CHECK_OK(rig_set(&r, "/rows/1/n", "2"));
		rig_changes(&r);
		if (i == 80)
			after = r.mem->used_bytes;
		if (i > 80 && n == 0)
			CHECK(r.mem->used_bytes < after + 16384);
	}
	rig_close(&r);
}

SJ_TEST(many_children_in_any_order)
{
	/* 2,000 children in messages of 10, shuffled: each arrives once, and the face hears of each once. */
	struct rig r;
	enum { N = 2000 };
	struct sj_buf b;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_buf_puts(&b, "[{'id':'root','type':'Column','children':[");
	for (int i = 0; i < N; i++)
		sj_buf_printf(&b, "%s'c%d'", i ? "," : "", i);
	sj_buf_puts(&b, "]}]");
	CHECK_OK(rig_define(&r, b.ptr));
	sj_buf_finish(&b);
	rig_changes(&r);
	CHECK_INT(sj_surface_dangling(r.s, NULL, NULL), N);
	uint32_t replaced = 0, news = 0;
	for (int m = 0; m < N / 10; m++) {
		sj_buf_init(&b, sj_test_mem(), 0);
		for (int i = 0; i < 10; i++)
			sj_buf_printf(&b, "%s{'id':'c%d','type':'Text','text':'t'}", i ? "," : "[",
			              (m * 10 + i) * 787 % N);
		sj_buf_puts(&b, "]");
		CHECK_OK(rig_define(&r, b.ptr));
		sj_buf_finish(&b);
		const struct sj_change *c;
		uint32_t n;
		CHECK_OK(sj_surface_changes(r.s, &c, &n));
		for (uint32_t i = 0; i < n; i++) {
			replaced += c[i].kind == SJ_CH_SPLICE ? c[i].add : 0;
			news += c[i].kind == SJ_CH_NEW;
			CHECK(c[i].kind != SJ_CH_SPLICE || c[i].add == c[i].remove);
		}
	}
	CHECK_INT(replaced, N);
	CHECK_INT(news, N);
	CHECK_INT(sj_surface_dangling(r.s, NULL, NULL), 0);
	CHECK_INT(sj_surface_node_count(r.s), N + 1);
	rig_close(&r);
}

SJ_TEST(patterns_too_long_are_watched_from_above)
{
	/* Thirty frames of five tokens each: longer than a pattern may be. Every row must still follow its place. */
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':{'each':'/a/b/c/d/e','of':'t'}},"
	                        "{'id':'t','type':'Column','text':{'$':'n'},'children':{'each':'a/b/c/d/e','of':'t'}}]"));
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	enum { DEEP = 30 };
	for (int i = 0; i < DEEP; i++)
		sj_buf_printf(&b, "{'n':%d,'a':{'b':{'c':{'d':{'e':[", i);
	for (int i = 0; i < DEEP; i++)
		sj_buf_puts(&b, "]}}}}}");
	CHECK_OK(rig_set(&r, "/", b.ptr));
	sj_buf_finish(&b);
	rig_changes(&r);
	CHECK_INT(sj_surface_node_count(r.s), DEEP);
	uint32_t rows[DEEP] = {0};
	/* The model is set row by row through nodes, whose bound places have up to 6 x 29 tokens: too many for a write.
	 */
	sj_node_id n5 = sj_surface_find(r.s, SJ_LIT("t"), rows, 5);
	rig_begin(&r);
	CHECK_OK(sj_node_write(r.s, n5, SJ_P_TEXT, sj_value_int(55), NULL));
	sj_txn_commit(r.s);
	CHECK_STR(sj_slice_of(rig_changes(&r)), "SET t@0 text");
	/* A write far above changes the deepest rows. */
	struct sj_slice top[] = {SJ_LIT("a"), SJ_LIT("b"), SJ_LIT("c"), SJ_LIT("d"),
	                         SJ_LIT("e"), SJ_LIT("0"), SJ_LIT("a")};
	struct sj_value old = sj_value_ref(*sj_surface_get(r.s, SJ_ROOT_DATA, top, 7));
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_value_print(&b, &old, SJ_PRINT_COMPACT);
	sj_value_unref(r.mem, old);
	char *at = strstr(b.ptr, "\"n\":28");
	CHECK(at != NULL);
	memcpy(at, "\"n\":99", 6);
	at = strstr(b.ptr, "\"n\":29");
	memcpy(at, "\"n\":77", 6);
	CHECK_OK(rig_set(&r, "/a/b/c/d/e/0/a", b.ptr));
	sj_buf_finish(&b);
	rig_tree(&r);
	sj_node_id n28 = sj_surface_find(r.s, SJ_LIT("t"), rows, 28);
	CHECK_STR(sj_slice_of(rig_text(&r, n28, SJ_P_TEXT)), "99");
	CHECK_STR(sj_slice_of(rig_text(&r, sj_node_child(r.s, n28, 0), SJ_P_TEXT)), "77");
	rig_close(&r);
}
