/* Local state, edit sessions, focus, checks and the gate, calls answered later, windows, limits, follow-up rounds. */
#include "surface/rig.h"

#include <stdio.h>

#define TREE(want) CHECK_STR(sj_slice_of(rig_tree(&r)), want)
#define CHANGES(want) CHECK_STR(sj_slice_of(rig_changes(&r)), want)
#define LOG(want) CHECK_STR(sj_slice_of(rig_take_log(&r)), want)
#define MODEL(want) CHECK_STR(sj_slice_of(rig_model(&r)), want)

static enum sj_status type(struct rig *r, sj_node_id n, enum sj_phase phase, uint32_t serial, const char *json)
{
	struct sj_value v = json ? rig_json(r->mem, json) : SJ_ABSENT_VALUE;
	struct sj_input in = {.node = n, .prop = SJ_P_VALUE, .phase = phase, .serial = serial, .value = v};
	struct sj_diag d;
	sj_diag_clear(&d);
	enum sj_status st = sj_surface_input(r->s, &in, &d);
	if (st == SJ_INVALID)
		CHECK_INT(d.code, SJ_E_STATE);
	sj_value_unref(r->mem, v);
	return st;
}

SJ_TEST(local_state)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'List','children':{'each':'/rows','of':'tabs'}},{'id':'tabs','type':'Tabs'}]"));
	CHECK_OK(rig_set(&r, "/rows", "[1,2]"));
	sj_node_id t0 = rig_find_row(&r, "tabs", 0), t1 = rig_find_row(&r, "tabs", 1);
	rig_changes(&r);
	CHECK(sj_node_local(r.s, t0, SJ_LIT("selected")) == NULL);
	CHECK_OK(sj_node_set_local(r.s, t1, SJ_LIT("selected"), sj_value_int(2)));
	CHANGES("LOCAL tabs@1");
	CHECK_OK(sj_node_set_local(r.s, t1, SJ_LIT("selected"), sj_value_int(2)));
	CHANGES("");
	CHECK(sj_node_local(r.s, t0, SJ_LIT("selected")) == NULL);
	CHECK_INT(sj_node_local(r.s, t1, SJ_LIT("selected"))->u.i, 2);
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_value_print(&b, sj_surface_model(r.s, SJ_ROOT_LOCAL), SJ_PRINT_COMPACT);
	CHECK_SLICE(sj_buf_view(&b), SJ_LIT("{\"tabs\":{\"/rows/1\":{\"selected\":2}}}"));
	sj_buf_finish(&b);
	MODEL("{\"rows\":[1,2]}");
	/* Inside a transaction it goes the way of the transaction. */
	rig_begin(&r);
	CHECK_OK(sj_node_set_local(r.s, t1, SJ_LIT("selected"), sj_value_int(3)));
	sj_txn_abort(r.s);
	CHECK_INT(sj_node_local(r.s, t1, SJ_LIT("selected"))->u.i, 2);
	CHANGES("LOCAL tabs@1");
	CHECK_OK(rig_set(&r, "/rows", "[1]"));
	rig_tree(&r);
	CHECK_INT(sj_node_set_local(r.s, t1, SJ_LIT("selected"), sj_value_int(3)), SJ_INVALID);
	/* It is kept per id and scope: a row that comes back finds it. */
	CHECK_OK(rig_set(&r, "/rows", "[1,2]"));
	CHECK_INT(sj_node_local(r.s, rig_find_row(&r, "tabs", 1), SJ_LIT("selected"))->u.i, 2);
	rig_close(&r);
}

SJ_TEST(edit_sessions)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['f','t','u','x']},{'id':'f','type':'TextField','value':{'$':'/v'}},"
	                        "{'id':'t','type':'Text','text':{'fmt':['=',{'$':'/v'}]}},{'id':'u','type':'TextField','value':'start'},{'id':'x','type':'Text'}]"));
	CHECK_OK(rig_set(&r, "/v", "'old'"));
	sj_node_id f = rig_find(&r, "f"), u = rig_find(&r, "u");
	rig_changes(&r);
	CHECK_OK(type(&r, f, SJ_EDIT_BEGIN, 1, NULL));
	CHANGES("");
	CHECK_OK(type(&r, f, SJ_EDIT_UPDATE, 2, "'old n'"));
	CHANGES("APPEND f value 3..5 echo 2; APPEND t text 4..6");
	MODEL("{\"v\":\"old n\"}");
	/* An agent writes the same place: the model takes it, the person's text stays. */
	CHECK_OK(rig_set(&r, "/v", "'agent'"));
	CHANGES("SET f value held; SET t text");
	CHECK_OK(type(&r, f, SJ_EDIT_UPDATE, 3, "'old ne'"));
	CHANGES("SET f value echo 3; SET t text");
	CHECK_OK(type(&r, f, SJ_EDIT_COMMIT, 4, "'old new'"));
	CHANGES("APPEND f value 6..7 echo 4; APPEND t text 7..8");
	/* After the session an agent's write is shown as any other. */
	CHECK_OK(rig_set(&r, "/v", "'later'"));
	CHANGES("SET f value; SET t text");
	/* Cancel brings the first value back. */
	CHECK_OK(type(&r, f, SJ_EDIT_BEGIN, 5, NULL));
	CHECK_OK(type(&r, f, SJ_EDIT_UPDATE, 6, "'oops'"));
	CHECK_OK(rig_set(&r, "/v", "'agent again'"));
	rig_changes(&r);
	CHECK_OK(type(&r, f, SJ_EDIT_CANCEL, 7, NULL));
	MODEL("{\"v\":\"later\"}");
	CHANGES("SET f value echo 7; SET t text");
	/* A session that ends without a word over an agent's write shows the agent's. */
	CHECK_OK(type(&r, f, SJ_EDIT_BEGIN, 8, NULL));
	CHECK_OK(rig_set(&r, "/v", "'agent wins'"));
	CHANGES("SET f value held; SET t text");
	CHECK_OK(type(&r, f, SJ_EDIT_COMMIT, 9, NULL));
	CHANGES("SET f value");
	MODEL("{\"v\":\"agent wins\"}");
	/* Unbound: local state wins over the definition. */
	CHECK_STR(sj_slice_of(rig_text(&r, u, SJ_P_VALUE)), "start");
	CHECK_OK(type(&r, u, SJ_EDIT_UPDATE, 10, "'mine'"));
	CHANGES("LOCAL u");
	CHECK_STR(sj_slice_of(rig_text(&r, u, SJ_P_VALUE)), "mine");
	CHECK_OK(type(&r, u, SJ_EDIT_BEGIN, 11, NULL));
	CHECK_OK(type(&r, u, SJ_EDIT_UPDATE, 12, "'other'"));
	CHECK_OK(type(&r, u, SJ_EDIT_CANCEL, 13, NULL));
	CHECK_STR(sj_slice_of(rig_text(&r, u, SJ_P_VALUE)), "mine");
	/* What is refused. */
	CHECK_INT(type(&r, rig_find(&r, "x"), SJ_EDIT_UPDATE, 14, "'x'"), SJ_INVALID);
	CHECK_INT(type(&r, 12345, SJ_EDIT_UPDATE, 15, "'x'"), SJ_INVALID);
	rig_begin(&r);
	CHECK_INT(type(&r, f, SJ_EDIT_UPDATE, 16, "'x'"), SJ_INVALID);
	sj_txn_commit(r.s);
	CHECK_OK(type(&r, f, SJ_EDIT_BEGIN, 17, NULL));
	CHECK_OK(rig_remove(&r, "f"));
	rig_tree(&r);
	CHECK_INT(type(&r, f, SJ_EDIT_UPDATE, 18, "'x'"), SJ_INVALID);
	MODEL("{\"v\":\"agent wins\"}");
	rig_close(&r);
}

SJ_TEST(bound_places_in_rows)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'List','children':{'each':'/rows','of':'s'}},{'id':'s','type':'CheckBox','value':{'$':'on'},"
	                        "'label':{'key':[{'$':'id'}],'under':'/liked'}}]"));
	CHECK_OK(rig_set(&r, "/rows", "[{'id':'a/b','on':false},{'id':'c','on':true}]"));
	sj_node_id s0 = rig_find_row(&r, "s", 0), s1 = rig_find_row(&r, "s", 1);
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	CHECK(sj_node_bound(r.s, s1, SJ_P_VALUE));
	CHECK(sj_node_bound_path(r.s, s1, SJ_P_VALUE, &b));
	CHECK_SLICE(sj_buf_view(&b), SJ_LIT("/rows/1/on"));
	sj_buf_clear(&b);
	CHECK(sj_node_bound_path(r.s, s0, SJ_P_LABEL, &b));
	CHECK_SLICE(sj_buf_view(&b), SJ_LIT("/liked/a~1b"));
	sj_buf_finish(&b);
	CHECK(!sj_node_bound(r.s, s0, SJ_P_TEXT));
	CHECK_OK(type(&r, s0, SJ_EDIT_COMMIT, 1, "true"));
	rig_begin(&r);
	CHECK_OK(sj_node_write(r.s, s0, SJ_P_LABEL, sj_value_int(4), NULL));
	struct sj_diag d;
	sj_diag_clear(&d);
	CHECK_INT(sj_node_write(r.s, s0, SJ_P_TEXT, sj_value_int(4), &d), SJ_INVALID);
	CHECK_INT(d.code, SJ_E_STATE);
	sj_txn_commit(r.s);
	MODEL("{\"rows\":[{\"id\":\"a/b\",\"on\":true},{\"id\":\"c\",\"on\":true}],\"liked\":{\"a/b\":4}}");
	CHANGES("ROOT root; NEW root");
	TREE("root:List{s:CheckBox(value=true,label=4) s:CheckBox(value=true)}");
	CHECK_OK(rig_set(&r, "/rows/1/id", "'a/b'")); /* a computed token that changes reads another place */
	CHANGES("SET s@1 label");
	rig_close(&r);
}

SJ_TEST(focus_finds_a_successor)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['card','f']},{'id':'card','type':'Card','child':'g'},{'id':'f','type':'TextField'},"
	                        "{'id':'g','type':'TextField'}]"));
	sj_node_id f = rig_find(&r, "f"), g = rig_find(&r, "g");
	rig_changes(&r);
	CHECK_INT(sj_surface_focused(r.s), 0);
	sj_surface_focus(r.s, f);
	CHECK_INT(sj_surface_focused(r.s), f);
	/* The node is replaced: same id and scope. */
	CHECK_OK(rig_define(&r, "[{'id':'f','type':'CheckBox'}]"));
	CHANGES("GONE -; NEW f; SPLICE root 1 -1 +1; FOCUS f");
	CHECK(sj_surface_focused(r.s) == rig_find(&r, "f") && rig_find(&r, "f") != f);
	/* It moves to another parent: still the same id and scope. */
	sj_surface_focus(r.s, g);
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['g','f']}]"));
	CHANGES("GONE -; NEW g; SPLICE root 0 -1 +1; FOCUS g");
	/* It goes: the nearest ancestor that is left. */
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['card','f']}]"));
	rig_changes(&r);
	sj_surface_focus(r.s, rig_find(&r, "g"));
	CHECK_OK(rig_define(&r, "[{'id':'card','type':'Card'}]"));
	CHANGES("GONE -; SPLICE card 0 -1 +0; FOCUS card");
	rig_changes(&r);
	CHECK_INT(sj_surface_focused(r.s), rig_find(&r, "card"));
	CHECK_OK(rig_remove(&r, "root"));
	rig_tree(&r);
	CHECK_INT(sj_surface_focused(r.s), 0);
	rig_close(&r);
}

SJ_TEST(focus_in_rows)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'List','children':{'each':'/rows','of':'f'}},{'id':'f','type':'TextField','value':{'$':''}}]"));
	CHECK_OK(rig_set(&r, "/rows", "[1,2,3]"));
	sj_node_id f2 = rig_find_row(&r, "f", 2);
	rig_changes(&r);
	sj_surface_focus(r.s, f2);
	CHECK_OK(rig_set(&r, "/rows", "[1,2]"));
	CHANGES("GONE -; SPLICE root 2 -1 +0; FOCUS root");
	CHECK_INT(sj_surface_focused(r.s), sj_surface_root(r.s));
	sj_surface_focus(r.s, 0);
	CHECK_INT(sj_surface_focused(r.s), 0);
	rig_close(&r);
}

SJ_TEST(checks_and_gate)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, RIG_GATE));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['f','b','c']},"
	                        "{'id':'f','type':'TextField','value':{'$':'/v'},'checks':[{'if':{'$':'/v'},'say':'needed'},{'if':{'$':'/w'},'say':'second'}]},"
	                        "{'id':'b','type':'Button','action':1},{'id':'c','type':'Button','action':1,'checks':[{'if':{'$':'/o'},'say':'rule'}]}]"));
	CHECK_OK(rig_set(&r, "/o", "{'valid':false,'severity':'warning','message':'careful','code':'W1'}"));
	rig_changes(&r);
	sj_node_id f = rig_find(&r, "f"), b = rig_find(&r, "b"), c = rig_find(&r, "c");
	struct sj_validity v;
	sj_node_validity(r.s, f, &v);
	CHECK(v.has_checks && !v.valid && !v.pending);
	CHECK_SLICE(v.message, SJ_LIT("needed"));
	struct sj_slice all[4];
	CHECK_INT(sj_node_failed_messages(r.s, f, all, 4), 2);
	CHECK_SLICE(all[1], SJ_LIT("second"));
	CHECK_INT(sj_node_failed_messages(r.s, f, all, 1), 1);
	sj_node_validity(r.s, c, &v);
	CHECK(v.has_checks && v.valid);
	CHECK_INT(v.severity, SJ_SEV_WARNING);
	CHECK_SLICE(v.message, SJ_LIT("careful"));
	CHECK_SLICE(v.code, SJ_LIT("W1"));
	CHECK(v.result != NULL);
	CHECK_INT(sj_surface_invalid_count(r.s), 1);
	CHECK(sj_node_enabled(r.s, f));
	CHECK(!sj_node_enabled(r.s, b));
	CHECK(!sj_node_enabled(r.s, c));
	CHECK_OK(rig_set(&r, "/v", "'x'"));
	CHANGES("SET f value; FLAGS f");
	CHECK_OK(rig_set(&r, "/w", "1"));
	CHANGES("FLAGS f; FLAGS b; FLAGS c"); /* the gate opens */
	CHECK_INT(sj_surface_invalid_count(r.s), 0);
	CHECK(sj_node_enabled(r.s, b) && sj_node_enabled(r.s, c));
	CHECK_OK(rig_set(&r, "/o", "{'valid':false}"));
	CHANGES("FLAGS c; FLAGS b");
	CHECK(!sj_node_enabled(r.s, b) && !sj_node_enabled(r.s, c));
	CHECK_OK(rig_remove(&r, "c"));
	CHANGES("GONE -; NEW c; SPLICE root 2 -1 +1; FLAGS b");
	CHECK_INT(sj_surface_invalid_count(r.s), 0);
	CHECK(sj_node_enabled(r.s, b));
	CHECK_OK(rig_define(&r, "[{'id':'f','type':'TextField','value':{'$':'/v'}}]"));
	CHANGES("SET f *");
	sj_node_validity(r.s, f, &v);
	CHECK(!v.has_checks && v.valid);
	rig_close(&r);
	/* Without a gate only the action's own checks count; rows go with their checks. */
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','child':'b','more':{'each':'/rows','of':'f'}},{'id':'b','type':'Button','action':1},"
	                        "{'id':'f','type':'TextField','checks':[{'if':{'$':''},'say':'no'}]}]"));
	CHECK_OK(rig_set(&r, "/rows", "[0,0,1]"));
	TREE("root:Column{b:Button f:TextField#\"no\" f:TextField#\"no\" f:TextField}");
	CHECK_INT(sj_surface_invalid_count(r.s), 2);
	CHECK(sj_node_enabled(r.s, rig_find(&r, "b")));
	CHECK_OK(rig_set(&r, "/rows", "[0]"));
	TREE("root:Column{b:Button f:TextField#\"no\"}");
	CHECK_INT(sj_surface_invalid_count(r.s), 1);
	CHECK_OK(rig_unset(&r, "/rows"));
	TREE("root:Column{b:Button}");
	CHECK_INT(sj_surface_invalid_count(r.s), 0);
	rig_close(&r);
}

SJ_TEST(hidden_parts)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['a']},{'id':'a','type':'Button','visible':{'$':'/show'},'action':1,'child':'t'},{'id':'t','type':'Text','text':'x'}]"));
	TREE("root:Column{a:Button{t:Text(text=\"x\")}}");
	rig_changes(&r);
	CHECK_OK(rig_set(&r, "/show", "false"));
	CHANGES("FLAGS a");
	TREE("root:Column{a!hidden}");
	CHECK(!sj_node_enabled(r.s, rig_find(&r, "a")));
	CHECK_OK(rig_set(&r, "/show", "true"));
	CHANGES("FLAGS a");
	TREE("root:Column{a:Button{t:Text(text=\"x\")}}");
	CHECK_OK(rig_set(&r, "/show", "false"));
	rig_changes(&r);
	CHECK_OK(rig_define(&r, "[{'id':'a','type':'Button','action':1,'child':'t'}]"));
	CHANGES("SET a *; FLAGS a");
	TREE("root:Column{a:Button{t:Text(text=\"x\")}}");
	rig_close(&r);
}

static enum sj_status answer(struct rig *r, uint32_t id, const char *json)
{
	return sj_surface_answer(r->s, id, SJ_R_OK, rig_json(r->mem, json), NULL);
}

SJ_TEST(calls_answered_later)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['a','b']},"
	                        "{'id':'a','type':'Text','text':{'fmt':['<',{'fn':'remote','of':[{'$':'/q'},{'fn':'count','of':[{'$':'/l'}]}]},'>']}},"
	                        "{'id':'b','type':'TextField','checks':[{'if':{'fn':'remote','of':[{'$':'/q'}]},'say':'bad'}]}]"));
	TREE("root:Column{a:Text(text=?) b:TextField#\"bad\"}");
	LOG("call 1 remote(null0)\ncall 2 remote(null)\n");
	struct sj_validity v;
	sj_node_validity(r.s, rig_find(&r, "b"), &v);
	CHECK(v.pending && !v.valid);
	rig_changes(&r);
	CHECK_OK(answer(&r, 1, "'one'"));
	CHANGES("SET a text");
	TREE("root:Column{a:Text(text=\"<one>\") b:TextField#\"bad\"}");
	CHECK_OK(answer(&r, 2, "true"));
	CHANGES("FLAGS b");
	CHECK_INT(answer(&r, 1, "'late'"), SJ_ABSENT);
	CHECK_INT(answer(&r, 77, "'none'"), SJ_ABSENT);
	CHECK_INT(sj_surface_answer(r.s, 0, SJ_R_OK, SJ_NULL_VALUE, NULL), SJ_ABSENT);
	/* Something the arguments do not depend on in value: no new call. */
	CHECK_OK(rig_set(&r, "/l/x", "1"));
	CHECK_OK(rig_unset(&r, "/l/x"));
	TREE("root:Column{a:Text(text=\"<one>\") b:TextField}");
	LOG("");
	/* New arguments: new calls; the last value stays meanwhile. */
	CHECK_OK(rig_set(&r, "/q", "5"));
	TREE("root:Column{a:Text(text=?\"<one>\") b:TextField#\"bad\"}");
	LOG("call 3 remote(50)\ncall 4 remote(5)\n");
	CHECK_OK(rig_set(&r, "/q", "6"));
	rig_tree(&r);
	LOG("gone 3\ncall 5 remote(60)\ngone 4\ncall 6 remote(6)\n");
	struct sj_diag d;
	sj_diag_clear(&d);
	sj_diag_set(&d, SJ_INVALID, SJ_E_TIMEOUT, SJ_CAT_RPC, "no answer");
	CHECK_OK(sj_surface_answer(r.s, 5, SJ_R_ERROR, SJ_ABSENT_VALUE, &d));
	CHECK_OK(answer(&r, 6, "false"));
	TREE("root:Column{a:Text(text=!) b:TextField#\"bad\"}");
	LOG("fault TIMEOUT a: no answer\n");
	/* The same definition again: the same calls; without the definition they are let go. */
	CHECK_OK(rig_set(&r, "/q", "7"));
	rig_tree(&r);
	LOG("call 7 remote(70)\ncall 8 remote(7)\n");
	CHECK_OK(rig_define(&r, "[{'id':'b','type':'TextField','checks':[{'if':{'fn':'remote','of':[{'$':'/q'}]},'say':'worse'}]}]"));
	TREE("root:Column{a:Text(text=?) b:TextField#\"worse\"}");
	LOG("");
	CHECK_OK(rig_remove(&r, "a"));
	rig_tree(&r);
	LOG("gone 7\n");
	CHECK_INT(answer(&r, 7, "1"), SJ_ABSENT);
	CHECK_OK(rig_define(&r, "[{'id':'b','type':'TextField'}]"));
	rig_tree(&r);
	LOG("gone 8\n");
	/* Refused, and used where no answer can come. */
	r.refuse_calls = true;
	CHECK_OK(rig_define(&r, "[{'id':'a','type':'Text','text':{'fn':'remote'},'label':{'fn':'fx'}}]"));
	TREE("root:Column{a:Text(text=!,label=!) b:TextField}");
	LOG("fault EXPRESSION_ERROR a: The call failed.\nfault EXPRESSION_ERROR a: A function with effects cannot be used in a binding.\n");
	rig_close(&r);
	LOG("");
	/* A source speaks again and again until it is closed. */
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Text','text':{'fn':'clock'}}]"));
	TREE("root:Text(text=?)");
	LOG("call 1 clock()\n");
	CHECK_OK(answer(&r, 1, "1"));
	TREE("root:Text(text=1)");
	CHECK_OK(answer(&r, 1, "2"));
	TREE("root:Text(text=2)");
	CHECK_OK(rig_remove(&r, "root"));
	rig_tree(&r);
	LOG("gone 1\n");
	rig_close(&r);
}

SJ_TEST(calls_in_rows_and_their_limit)
{
	struct rig r;
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	l.pending_calls = 3;
	CHECK_OK(rig_open(&r, sj_test_mem(), &l, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'List','children':{'each':'/r','of':'x'}},{'id':'x','type':'Text','text':{'fn':'remote','of':[{'$':''}]}}]"));
	CHECK_OK(rig_set(&r, "/r", "[1,2]"));
	rig_tree(&r);
	LOG("call 1 remote(1)\ncall 2 remote(2)\n");
	CHECK_OK(answer(&r, 2, "'two'"));
	TREE("root:List{x:Text(text=?) x:Text(text=\"two\")}");
	CHECK_OK(rig_set(&r, "/r", "[1,2,3,4]"));
	TREE("root:List{x:Text(text=?) x:Text(text=\"two\") x:Text(text=?) x:Text(text=!)}");
	LOG("call 3 remote(3)\nfault LIMIT_EXCEEDED x: More calls wait for an answer than the limit allows.\n");
	CHECK_OK(rig_set(&r, "/r", "[1]"));
	rig_tree(&r);
	LOG("gone 3\n");
	rig_close(&r);
	CHECK_STR(sj_slice_of(rig_take_log(&r)), "");
}

SJ_TEST(faults_are_told_once)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Text','text':{'fn':'boom','of':[{'$':'/bad'}]},'label':{'at':0},"
	                        "'value':{'list':[1,{'fn':'boom','of':[{'$':'/bad'}]},{'$':'/none'}]},'detail':{'map':{'a':{'$':'/bad'},'b':{'$':'/none'}}}}]"));
	CHECK_OK(rig_set(&r, "/bad", "1"));
	TREE("root:Text(text=!,label=!,value=[1,null,null],detail={\"a\":1})");
	LOG("fault EXPRESSION_ERROR root: boom\n"
	    "fault EXPRESSION_ERROR root: @index function can only be evaluated inside a collection template iteration scope.\n"
	    "fault EXPRESSION_ERROR root: boom\n");
	CHECK_OK(rig_set(&r, "/bad", "2"));
	TREE("root:Text(text=!,label=!,value=[1,null,null],detail={\"a\":2})");
	LOG("");
	CHECK_OK(rig_set(&r, "/bad", "0"));
	TREE("root:Text(label=!,value=[1,null,null],detail={\"a\":0})");
	CHECK_OK(rig_set(&r, "/bad", "3"));
	rig_tree(&r);
	LOG("fault EXPRESSION_ERROR root: boom\nfault EXPRESSION_ERROR root: boom\n");
	/* The fault of the way not taken is none. */
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Text','text':{'pick':[{'$':'/bad'},'yes',{'fn':'boom','of':[1]}]}}]"));
	TREE("root:Text(text=\"yes\")");
	LOG("");
	rig_close(&r);
}

SJ_TEST(standalone_code)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'List','children':{'each':'/r','of':'x'}},{'id':'x','type':'Text'}]"));
	CHECK_OK(rig_set(&r, "/r", "[{'n':'a'},{'n':'b'}]"));
	rig_tree(&r);
	struct sj_code_builder *b;
	struct sj_code_block *c;
	struct sj_seg seg = {.kind = SJ_SEG_KEY, .key = SJ_LIT("n")};
	struct sj_addr at = {.relative = true, .count = 1, .segs = &seg};
	struct sj_slice keys[2] = {SJ_LIT("who"), SJ_LIT("row")};
	CHECK_OK(sj_code_begin(r.s, &b));
	sj_x_read(b, &at);
	sj_x_index(b, 0);
	sj_x_map(b, keys, 2);
	CHECK_OK(sj_code_status(b));
	CHECK_OK(sj_code_end(b, &c));
	struct sj_value v;
	struct sj_diag d;
	sj_diag_clear(&d);
	CHECK_INT(sj_surface_eval(r.s, rig_find_row(&r, "x", 1), c, &v, &d), SJ_R_OK);
	struct sj_buf t;
	sj_buf_init(&t, sj_test_mem(), 0);
	sj_value_print(&t, &v, SJ_PRINT_COMPACT);
	CHECK_SLICE(sj_buf_view(&t), SJ_LIT("{\"who\":\"b\",\"row\":1}"));
	sj_value_unref(r.mem, v);
	CHECK_INT(sj_surface_eval(r.s, 0, c, &v, &d), SJ_R_OK);
	sj_buf_clear(&t);
	sj_value_print(&t, &v, SJ_PRINT_COMPACT);
	CHECK_SLICE(sj_buf_view(&t), SJ_LIT("{}"));
	CHECK_INT(d.code, SJ_E_EXPRESSION_ERROR);
	sj_value_unref(r.mem, v);
	sj_buf_finish(&t);
	sj_code_destroy(r.s, c);
	CHECK_OK(sj_code_begin(r.s, &b));
	sj_code_abandon(b);
	rig_close(&r);
}

SJ_TEST(windows)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, RIG_LAZY));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'List','children':{'each':'/r','of':'x'}},"
	                        "{'id':'x','type':'TextField','value':{'fn':'boom','of':[{'$':'bad'}]},'label':{'$':'n'},'checks':[{'if':{'$':'n'},'say':'no'}]}]"));
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_buf_puts(&b, "[");
	for (int i = 0; i < 200; i++)
		sj_buf_printf(&b, "%s{'n':%d,'bad':%d}", i ? "," : "", i == 150 ? 0 : i + 1, i >= 100);
	sj_buf_puts(&b, "]");
	CHECK_OK(rig_set(&r, "/r", b.ptr));
	sj_surface_settle(r.s);
	LOG(""); /* rows 100.. are not valued yet */
	CHECK_INT(sj_surface_invalid_count(r.s), 1); /* but for their checks */
	rig_changes(&r);
	sj_node_id root = sj_surface_root(r.s);
	CHECK_INT(sj_node_child_count(r.s, root), 200);
	/* Read outside the window: valued on the way. */
	CHECK_STR(sj_slice_of(rig_text(&r, sj_node_child(r.s, root, 120), SJ_P_LABEL)), "121");
	/* Writes outside the window are told to nobody; inside they are. */
	CHECK_OK(rig_set(&r, "/r/130/n", "7"));
	CHECK_OK(rig_set(&r, "/r/3/n", "8"));
	CHANGES("FLAGS x@130; SET x@3 label; FLAGS x@3");
	CHECK_STR(sj_slice_of(rig_text(&r, sj_node_child(r.s, root, 130), SJ_P_LABEL)), "7");
	sj_node_window(r.s, root, 98, 102);
	sj_surface_settle(r.s);
	LOG("fault EXPRESSION_ERROR x: boom\nfault EXPRESSION_ERROR x: boom\n");
	CHANGES("SET x@98 label; SET x@99 label; SET x@100 label value; SET x@101 label value");
	CHECK_OK(rig_set(&r, "/r/3/n", "9"));
	CHANGES("FLAGS x@3");
	sj_buf_finish(&b);
	rig_close(&r);
}

/* A whole list written anew: rows outside the window go stale without a look at what changed in them. */
SJ_TEST(rows_asleep_wake_with_their_new_values)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, RIG_LAZY));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'List','children':{'each':'/r','of':'x'}},"
	                        "{'id':'x','type':'Text','text':{'$':'n'},'label':{'$':'/title'}}]"));
	CHECK_OK(rig_set(&r, "/title", "'t'"));
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	for (int round = 0; round < 2; round++) {
		sj_buf_clear(&b);
		sj_buf_puts(&b, "[");
		for (int i = round; i < 200;
		     i++) /* the second time without the first row, and row 101 reads as before */
			sj_buf_printf(&b, "%s{'n':'n%d'}", i > round ? "," : "", round && i == 102 ? 101 : i);
		sj_buf_puts(&b, "]");
		CHECK_OK(rig_set(&r, "/r", b.ptr));
		sj_surface_settle(r.s);
		sj_node_id root = sj_surface_root(r.s);
		if (round == 0) {
			sj_node_window(r.s, root, 100, 103);
			sj_surface_settle(r.s);
			sj_node_window(r.s, root, 0, 2);
			rig_changes(&r);
			continue;
		}
		CHANGES("GONE -; SPLICE root 199 -1 +0; SET x@0 text; SET x@1 text");
		CHECK(!sj_surface_is_dirty(r.s));
		CHECK_STR(sj_slice_of(rig_text(&r, sj_node_child(r.s, root, 150), SJ_P_TEXT)), "n151");
		sj_node_window(r.s, root, 100, 103);
		sj_surface_settle(r.s);
		CHANGES("SET x@100 text; SET x@102 text");
		CHECK_STR(sj_slice_of(rig_text(&r, sj_node_child(r.s, root, 101), SJ_P_TEXT)), "n101");
		CHECK_OK(rig_set(&r, "/title", "'u'"));
		CHANGES("SET x@100 label; SET x@101 label; SET x@102 label");
		CHECK_STR(sj_slice_of(rig_text(&r, sj_node_child(r.s, root, 0), SJ_P_LABEL)), "u");
	}
	sj_buf_finish(&b);
	rig_close(&r);
}

SJ_TEST(limits_leave_placeholders)
{
	struct rig r;
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	l.template_rows = 3;
	l.scope_depth = 2;
	l.component_depth = 4;
	CHECK_OK(rig_open(&r, sj_test_mem(), &l, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'List','children':{'each':'/r','of':'x'}},{'id':'x','type':'Text','text':{'$':''}}]"));
	CHECK_OK(rig_set(&r, "/r", "[1,2,3]"));
	TREE("root:List{x:Text(text=1) x:Text(text=2) x:Text(text=3)}");
	rig_changes(&r);
	CHECK_OK(rig_set(&r, "/r", "[1,2,3,4,5]"));
	CHANGES("NEW x@3; SPLICE root 3 -0 +1");
	TREE("root:List{x:Text(text=1) x:Text(text=2) x:Text(text=3) x!over-limit}");
	LOG("fault LIMIT_EXCEEDED x: There is more of component 'x' than the limit allows.\n");
	CHECK_OK(rig_set(&r, "/r", "[1,2,3,4,5,6]"));
	CHANGES("");
	CHECK_OK(rig_set(&r, "/r", "[1,2]"));
	TREE("root:List{x:Text(text=1) x:Text(text=2)}");
	CHANGES("GONE -; GONE -; SPLICE root 2 -2 +0");
	CHECK_OK(rig_set(&r, "/r", "[1,2,3,4]"));
	rig_tree(&r);
	rig_changes(&r);
	CHECK_OK(rig_set(&r, "/r", "[1,2,3]"));
	CHANGES("GONE -; SPLICE root 3 -1 +0");
	/* Frames. */
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':{'each':'/t','of':'t'}},{'id':'t','type':'Column','children':{'each':'k','of':'t'}}]"));
	CHECK_OK(rig_set(&r, "/t", "[{'k':[{'k':[{'k':[]}]},{}]}]"));
	TREE("root:Column{t:Column{t:Column{t!over-limit} t:Column}}");
	/* Depth of components. */
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Card','child':'a'},{'id':'a','type':'Card','child':'b'},{'id':'b','type':'Card','child':'c'},"
	                        "{'id':'c','type':'Card','child':'d'},{'id':'d','type':'Card','child':'e'},{'id':'e','type':'Card'}]"));
	TREE("root:Card{a:Card{b:Card{c:Card{d:Card{e!over-limit}}}}}");
	rig_close(&r);
	/* Nodes: sharing multiplies definitions, and stops at the limit. */
	l = SJ_LIMITS_DEFAULT;
	l.nodes = 1000;
	CHECK_OK(rig_open(&r, sj_test_mem(), &l, 0));
	char defs[2048] = "[{'id':'root','type':'Column','children':['c1','c1']}";
	for (int i = 1; i < 20; i++)
		snprintf(defs + strlen(defs), sizeof defs - strlen(defs),
		         ",{'id':'c%d','type':'Column','children':['c%d','c%d']}", i, i + 1, i + 1);
	strcat(defs, "]");
	CHECK_OK(rig_define(&r, defs));
	CHECK_INT(sj_surface_settle(r.s), SJ_LIMIT);
	CHECK(sj_surface_node_count(r.s) >= 1000 && sj_surface_node_count(r.s) < 1100);
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':{'each':'/r','of':'x'}},{'id':'x','type':'Text'}]"));
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	for (int i = 0; i < 2000; i++)
		sj_buf_puts(&b, i ? ",1" : "[1");
	sj_buf_puts(&b, "]");
	CHECK_OK(rig_set(&r, "/r", b.ptr));
	CHECK_INT(sj_surface_settle(r.s), SJ_LIMIT);
	CHECK_INT(sj_surface_node_count(r.s), 1001);
	sj_node_id last = sj_node_child(r.s, sj_surface_root(r.s), 999);
	CHECK_INT(sj_node_why(r.s, last), SJ_WHY_OVER_LIMIT);
	sj_buf_finish(&b);
	rig_close(&r);
	/* Definitions, and steps of one expression. */
	l = SJ_LIMITS_DEFAULT;
	l.components = 2;
	l.expression_steps = 6;
	CHECK_OK(rig_open(&r, sj_test_mem(), &l, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Text','text':{'fmt':['a','b','c']}},{'id':'b','type':'Text'}]"));
	CHECK_INT(rig_define(&r, "[{'id':'b','type':'Card'},{'id':'c','type':'Text'}]"), SJ_LIMIT);
	CHECK_SLICE(sj_component_type(r.s, sj_component_find(r.s, SJ_LIT("b"))), SJ_LIT("Text"));
	TREE("root:Text(text=!)");
	LOG("fault LIMIT_EXCEEDED root: The expression takes more steps than the limit allows.\n");
	rig_close(&r);
}

static void follow_up(struct rig *r)
{
	const struct sj_value *n = sj_surface_get(r->s, SJ_ROOT_DATA, &SJ_LIT("n"), 1);
	if (n && n->u.i < 3) {
		struct sj_slice at = SJ_LIT("n");
		sj_txn_begin(r->s, 0, (struct sj_origin){0, 0});
		CHECK_OK(sj_surface_set(r->s, SJ_ROOT_DATA, &at, 1, sj_value_int(n->u.i + 1), NULL));
		sj_txn_commit(r->s);
	}
}

static void for_ever(struct rig *r)
{
	struct sj_slice at = SJ_LIT("n");
	sj_txn_begin(r->s, 0, (struct sj_origin){0, 0});
	CHECK_OK(sj_surface_set(r->s, SJ_ROOT_DATA, &at, 1, sj_value_int(r->settled_count), NULL));
	sj_txn_commit(r->s);
}

SJ_TEST(the_language_may_follow_up)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	r.settled = follow_up;
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Text','text':{'$':'/n'}}]"));
	TREE("root:Text");
	CHECK_INT(r.settled_count, 1);
	CHECK_OK(sj_surface_settle(r.s));
	CHECK_INT(r.settled_count, 1);
	CHECK_OK(rig_set(&r, "/n", "1"));
	CHECK_OK(sj_surface_settle(r.s));
	TREE("root:Text(text=3)");
	CHECK_INT(r.settled_count, 4);
	r.settled = for_ever;
	CHECK_OK(rig_set(&r, "/n", "100"));
	CHECK_INT(sj_surface_settle(r.s), SJ_LIMIT);
	CHECK_INT(r.settled_count, 4 + 1 + (int)r.limits.settle_rounds);
	r.settled = NULL;
	CHECK_OK(sj_surface_settle(r.s));
	/* Not inside a transaction, but after it, even when a preview has done all the work. */
	r.settled_count = 0;
	rig_begin(&r);
	CHECK_OK(rig_set(&r, "/n", "5"));
	CHECK_OK(sj_surface_settle(r.s));
	CHECK_INT(r.settled_count, 0);
	sj_txn_commit(r.s);
	CHECK_OK(sj_surface_settle(r.s));
	CHECK_INT(r.settled_count, 1);
	rig_close(&r);
}

SJ_TEST(a_slow_face_cannot_make_notes_grow)
{
	struct rig r;
	CHECK_OK(rig_open(&r, sj_test_mem(), NULL, 0));
	CHECK_OK(rig_define(&r, "[{'id':'root','type':'Column','children':['a','b'],'more':{'each':'/r','of':'b'}},{'id':'a','type':'Text'},{'id':'b','type':'Text'}]"));
	rig_changes(&r);
	size_t after = 0;
	for (int i = 0; i < 3000; i++) {
		CHECK_OK(rig_define(&r, i % 2 ? "[{'id':'a','type':'Text'}]" : "[{'id':'a','type':'Card'}]"));
		CHECK_OK(rig_set(&r, "/r", i % 2 ? "[1,2,3]" : "[]"));
		CHECK_OK(rig_define(&r, i % 3 ? "[{'id':'root','type':'Column','children':['b','a'],'more':{'each':'/r','of':'b'}}]"
		                              : "[{'id':'root','type':'Column','children':['a','b','a'],'more':{'each':'/r','of':'b'}}]"));
		sj_surface_settle(r.s);
		if (i == 500)
			after = r.mem->used_bytes;
	}
	CHECK(r.mem->used_bytes < after + 4096);
	rig_close(&r);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void seen(void *ctx, uint32_t watch)
{
	(void)ctx;
	(void)watch;
}

/* One deed of the person or of the host; every one may run out of memory and must leave all as it was or finish. */
static enum sj_status deed(struct rig *r, int i)
{
	struct sj_slice at = SJ_LIT("t"), pw = SJ_LIT("pw");
	struct sj_value v;
	struct sj_buf b;
	uint32_t id;
	enum sj_status st;
	struct sj_input in = {.prop = SJ_P_VALUE, .serial = (uint32_t)i};
	switch (i) {
	case 0: return sj_node_set_local(r->s, sj_surface_root(r->s), SJ_LIT("open"), sj_value_bool(true));
	case 1: case 2: case 3: case 4: {
		static const char *const names[] = {"f", "f", "u", "s"};
		static const enum sj_phase phases[] = {SJ_EDIT_BEGIN, SJ_EDIT_COMMIT, SJ_EDIT_UPDATE, SJ_EDIT_COMMIT};
		if (sj_value_string(r->mem, SJ_LIT("what the person typed, at length"), &v) != SJ_OK)
			return SJ_NOMEM;
		in.node = sj_surface_find(r->s, sj_slice_of(names[i - 1]), NULL, 0);
		in.phase = phases[i - 1];
		in.value = v;
		st = in.node ? sj_surface_input(r->s, &in, NULL) : SJ_NOMEM;
		sj_value_unref(r->mem, v);
		return st;
	}
	case 5:
		sj_surface_focus(r->s, sj_surface_find(r->s, SJ_LIT("f"), NULL, 0));
		return rig_define(r, "[{'id':'f','type':'CheckBox','value':{'$':'/v'}}]");
	case 6: return sj_surface_set_env(r->s, SJ_LIT("locale"), SJ_LIT("de-CH-with-something-long"));
	case 7: return sj_surface_mark_secret(r->s, &pw, 1);
	case 8:
		sj_buf_init(&b, r->mem, 0);
		sj_surface_print_masked(r->s, SJ_ROOT_LOCAL, &b, 0);
		st = sj_buf_status(&b);
		if (st == SJ_OK)
			CHECK(strstr(b.ptr, "typed") != NULL && strstr(b.ptr, "•••") != NULL);
		sj_buf_finish(&b);
		return st;
	case 9:
		if (sj_value_string(r->mem, SJ_LIT("an answer of some length, to be counted"), &v) != SJ_OK)
			return SJ_NOMEM;
		sj_surface_answer(r->s, r->next_call, SJ_R_OK, v, NULL);
		return SJ_OK;
	case 10:
		sj_txn_begin(r->s, 0, (struct sj_origin){1, 1});
		st = sj_surface_append_text(r->s, SJ_ROOT_DATA, &at, 1,
		                            SJ_LIT(" and some more of the text that streams in"), NULL);
		if (st == SJ_OK)
			sj_txn_commit(r->s);
		else
			sj_txn_abort(r->s);
		return st;
	case 11:
		st = sj_surface_watch(r->s, SJ_ROOT_DATA, &at, 1, seen, NULL, &id);
		if (st == SJ_OK)
			sj_surface_unwatch(r->s, id);
		return st;
	case 12: return rig_set(r, "/rows", "[1,2,3,4,5]");
	default: return SJ_ABSENT;
	}
}

static enum sj_status hurt(struct sj_mem *mem, void *ctx)
{
	(void)ctx;
	struct rig r;
	enum sj_status st = rig_open(&r, mem, NULL, RIG_GATE);
	if (st == SJ_OK)
		st = rig_define(&r, "[{'id':'root','type':'Column','children':['f','u','s','c'],'more':{'each':'/rows','of':'x'}},{'id':'f','type':'TextField','value':{'$':'/v'}},"
		                    "{'id':'u','type':'TextField'},{'id':'s','type':'TextField','value':{'fmt':[''],'secret':1}},"
		                    "{'id':'x','type':'Text','text':{'fn':'remote','of':[{'$':''}]}},"
		                    "{'id':'c','type':'Text','text':{'fn':'remote','of':[{'$':'/v'}]},'label':{'$':'/t'},'detail':{'list':[{'map':{'a':{'env':'locale'}}}]}}]");
	if (st == SJ_OK)
		st = rig_set(&r, "/t", "'a text that is long enough to be counted'");
	if (st == SJ_OK)
		st = sj_surface_settle(r.s);
	for (int i = 0; st == SJ_OK; i++) {
		st = deed(&r, i);
		if (st == SJ_OK)
			st = sj_surface_settle(r.s);
		const struct sj_change *c;
		uint32_t n;
		if (st == SJ_OK && i % 2)
			st = sj_surface_changes(r.s, &c, &n);
	}
	if (st == SJ_NOMEM) {
		/* With memory again everything goes on. */
		mem->fail_at = 0;
		CHECK(!r.s || !sj_txn_open(r.s));
	}
	if (st == SJ_NOMEM && r.s) {
		rig_tree(&r);
		CHECK_OK(sj_surface_settle(r.s));
		CHECK_OK(rig_set(&r, "/t", "'x'"));
		if (sj_component_find(r.s, SJ_LIT("c")))
			CHECK_STR(sj_slice_of(rig_text(&r, rig_find(&r, "c"), SJ_P_LABEL)), "x");
	}
	rig_close(&r);
	return st == SJ_ABSENT ? SJ_OK : st;
}

SJ_TEST(every_allocation_of_input_fails_once)
{
	sj_torture(hurt, NULL);
}
