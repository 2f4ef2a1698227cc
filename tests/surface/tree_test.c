/* Bindings, templates, shared and recursive children, placeholders, identity, and what a face is told. */
#include "surface/rig.h"

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
	CHANGES("SET c text");
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
	CHECK_INT(sj_value_refs(sj_surface_get(r.s, SJ_ROOT_DATA, &SJ_LIT("foo"), 1)), 1); /* no cache makes the model shared */
	rig_close(&r);
}
