#include <math.h>

#include "base/num.h"
#include "json/text.h"

SJ_TEST(numbers_are_normal)
{
	struct sj_value v = sj_value_number(-0.0);
	CHECK(v.type == SJ_V_INT && v.u.i == 0);
	v = sj_value_number(3.0);
	CHECK(v.type == SJ_V_INT && v.u.i == 3);
	v = sj_value_number(9007199254740992.0);
	CHECK(v.type == SJ_V_INT && v.u.i == INT64_C(1) << 53);
	v = sj_value_number(9007199254740994.0);
	CHECK(v.type == SJ_V_DOUBLE && v.u.d == 9007199254740994.0);
	v = sj_value_int((INT64_C(1) << 53) + 2);
	CHECK(v.type == SJ_V_DOUBLE && v.u.d == 9007199254740994.0);
	v = sj_value_int(-(INT64_C(1) << 53));
	CHECK(v.type == SJ_V_INT);
	v = sj_value_number((double)NAN);
	CHECK(v.type == SJ_V_NULL);
	v = sj_value_number((double)INFINITY);
	CHECK(v.type == SJ_V_DOUBLE);
	v = sj_value_number(0.5);
	CHECK(sj_value_double(&v) == 0.5);
	v = sj_value_int(-7);
	CHECK(sj_value_double(&v) == -7);
	v = sj_value_bool(true);
	CHECK(sj_value_double(&v) == 0 && sj_value_is_bool(&v) && !sj_value_is_number(&v));
	struct sj_value a = value_of("[1,1.0,10e-1,100000000000000000000,-0,1e400,123456789012345,1234567890123456]");
	for (uint32_t i = 0; i < 3; i++)
		CHECK_INT(sj_value_item(&a, i)->type, SJ_V_INT);
	CHECK_VALUE(&a, "[1,1,1,100000000000000000000,0,1e999,123456789012345,1234567890123456]");
	drop(a);
}

SJ_TEST(strings_short_and_long)
{
	static const char text[] = "0123456789abcdefghij";
	for (size_t n = 0; n <= 20; n++) {
		struct sj_value v;
		CHECK_OK(sj_value_string(sj_test_mem(), sj_slice(text, n), &v));
		CHECK_INT(v.type, n <= 14 ? SJ_V_SHORT : SJ_V_STRING);
		CHECK_SLICE(sj_value_text(&v), sj_slice(text, n));
		CHECK_INT(sj_value_is_counted(v), n > 14);
		CHECK_INT(sj_value_refs(&v), 1);
		drop(v);
	}
	struct sj_value n = SJ_NULL_VALUE;
	CHECK_STR(sj_value_text(&n), "");
}

SJ_TEST(strings_grow_in_place)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value v, shared;
	char want[3000];
	size_t len = 0;
	CHECK_OK(sj_value_string(m, SJ_LIT(""), &v));
	for (int i = 0; i < 1000; i++) {
		CHECK_OK(sj_value_string_append(m, &v, sj_slice("abc", (size_t)i % 4)));
		memcpy(want + len, "abc", (size_t)i % 4);
		len += (size_t)i % 4;
	}
	CHECK_SLICE(sj_value_text(&v), sj_slice(want, len));
	CHECK(m->calls < 12); /* doubling, not a copy each time */
	shared = sj_value_ref(v);
	CHECK_OK(sj_value_string_append(m, &v, SJ_LIT("!")));
	CHECK_INT(sj_value_text(&v).len, len + 1);
	CHECK_SLICE(sj_value_text(&shared), sj_slice(want, len)); /* the other owner sees nothing */
	CHECK_OK(sj_value_string_append(m, &v, sj_value_text(&v))); /* its own text */
	CHECK_INT(sj_value_text(&v).len, 2 * len + 2);
	CHECK_SLICE(sj_slice(sj_value_text(&v).ptr + len + 1, len), sj_slice(want, len));
	drop(shared);
	drop(v);
}

SJ_TEST(arrays)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value a;
	CHECK_OK(sj_value_array(m, &a));
	CHECK_OK(sj_value_append(m, &a, sj_value_int(1)));
	CHECK_OK(sj_value_append(m, &a, sj_value_bool(false)));
	CHECK_OK(sj_value_insert(m, &a, 1, SJ_NULL_VALUE));
	CHECK_VALUE(&a, "[1,null,false]");
	CHECK_OK(sj_value_set_item(m, &a, 0, sj_value_int(7)));
	CHECK_OK(sj_value_set_item(m, &a, 5, sj_value_int(8))); /* beyond the end: holes */
	CHECK_INT(sj_value_count(&a), 6);
	CHECK_INT(sj_value_item(&a, 4)->type, SJ_V_ABSENT);
	CHECK_VALUE(&a, "[7,null,false,null,null,8]");
	CHECK_OK(sj_value_remove(m, &a, 0));
	CHECK_INT(sj_value_remove(m, &a, 5), SJ_ABSENT);
	CHECK_OK(sj_value_truncate(m, &a, 3));
	CHECK_OK(sj_value_truncate(m, &a, 9));
	CHECK_VALUE(&a, "[null,false,null]");
	CHECK(sj_value_item(&a, 3) == NULL);
	CHECK(sj_value_get(&a, SJ_LIT("0")) == NULL);
	CHECK_OK(sj_value_insert(m, &a, 3, sj_value_int(4))); /* at the end */
	CHECK_OK(sj_value_truncate(m, &a, 0));
	CHECK_VALUE(&a, "[]");
	CHECK_OK(sj_value_insert(m, &a, 0, sj_value_int(4)));
	CHECK_VALUE(&a, "[4]");
	drop(a);
}

SJ_TEST(objects_keep_insertion_order)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value o = value_of("{\"b\":1,\"a\":2,\"a key longer than fourteen\":3}");
	struct sj_slice key = SJ_NO_SLICE;
	CHECK_OK(sj_value_set(m, &o, SJ_LIT("z"), sj_value_int(4)));
	CHECK_OK(sj_value_set(m, &o, SJ_LIT("b"), sj_value_int(5))); /* its place stays */
	CHECK_VALUE(&o, "{\"b\":5,\"a\":2,\"a key longer than fourteen\":3,\"z\":4}");
	CHECK_INT(sj_value_member(&o, 2, &key)->u.i, 3);
	CHECK_STR(key, "a key longer than fourteen");
	CHECK(sj_value_member(&o, 4, &key) == NULL);
	CHECK_INT(sj_value_get(&o, SJ_LIT("a key longer than fourteen"))->u.i, 3);
	CHECK(sj_value_get(&o, SJ_LIT("a key longer than fourteeN")) == NULL);
	CHECK_OK(sj_value_unset(m, &o, SJ_LIT("a")));
	CHECK_OK(sj_value_unset(m, &o, SJ_LIT("no such")));
	CHECK_VALUE(&o, "{\"b\":5,\"a key longer than fourteen\":3,\"z\":4}");
	CHECK_OK(sj_value_set(m, &o, SJ_LIT("z"), SJ_ABSENT_VALUE)); /* to set nothing is to unset */
	CHECK_INT(sj_value_count(&o), 2);
	CHECK_OK(sj_value_set(m, &o, SJ_LIT(""), SJ_NULL_VALUE));
	CHECK_INT(sj_value_get(&o, SJ_NO_SLICE)->type, SJ_V_NULL);
	drop(o);
}

static void put_number(char key[64], const char *prefix, int i)
{
	size_t n = strlen(prefix);
	memcpy(key, prefix, n);
	sj_num_text_i64(i, key + n);
}

SJ_TEST(big_objects)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value o;
	char key[64];
	CHECK_OK(sj_value_object(m, &o));
	for (int i = 0; i < 2000; i++) {
		put_number(key, i % 2 ? "k" : "a long prefix of ", i);
		CHECK_OK(sj_value_set(m, &o, sj_slice_of(key), sj_value_int(i)));
	}
	for (int i = 0; i < 2000; i += 3) {
		put_number(key, i % 2 ? "k" : "a long prefix of ", i);
		CHECK_OK(sj_value_unset(m, &o, sj_slice_of(key)));
	}
	CHECK_INT(sj_value_count(&o), 1333);
	int at = 0;
	for (int i = 0; i < 2000; i++) {
		put_number(key, i % 2 ? "k" : "a long prefix of ", i);
		const struct sj_value *v = sj_value_get(&o, sj_slice_of(key));
		CHECK_INT(v != NULL, i % 3 != 0);
		if (!v)
			continue;
		struct sj_slice name = SJ_NO_SLICE;
		CHECK(sj_value_member(&o, (uint32_t)at++, &name) == v);
		CHECK_STR(name, key);
		CHECK_INT(v->u.i, i);
	}
	drop(o);
}

SJ_TEST(writes_do_not_reach_other_owners)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value a = value_of("{\"list\":[1,{\"x\":1},[2]],\"other\":{}}"), b = sj_value_ref(a);
	enum sj_status st;
	CHECK_INT(sj_value_refs(&a), 2);
	struct sj_value *list = sj_value_own_member(m, &a, SJ_LIT("list"), &st);
	struct sj_value *object = sj_value_own_item(m, list, 1, &st);
	CHECK_OK(sj_value_set(m, object, SJ_LIT("x"), sj_value_int(99)));
	CHECK_VALUE(&a, "{\"list\":[1,{\"x\":99},[2]],\"other\":{}}");
	CHECK_VALUE(&b, "{\"list\":[1,{\"x\":1},[2]],\"other\":{}}");
	/* Only what lies on the way was copied. */
	CHECK(sj_value_identity(sj_value_get(&a, SJ_LIT("other"))) ==
	      sj_value_identity(sj_value_get(&b, SJ_LIT("other"))));
	CHECK(sj_value_identity(sj_value_item(sj_value_get(&a, SJ_LIT("list")), 2)) ==
	      sj_value_identity(sj_value_item(sj_value_get(&b, SJ_LIT("list")), 2)));
	CHECK(sj_value_own_member(m, &a, SJ_LIT("none"), &st) == NULL);
	CHECK_INT(st, SJ_ABSENT);
	CHECK(sj_value_own_item(m, sj_value_own_member(m, &a, SJ_LIT("list"), &st), 3, &st) == NULL);
	CHECK_INT(st, SJ_ABSENT);
	drop(b);
	drop(a);
}

SJ_TEST(unshared_writes_are_in_place)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value a = value_of("{\"rows\":[{\"n\":1},{\"n\":2}]}");
	const void *root = sj_value_identity(&a), *rows = sj_value_identity(sj_value_get(&a, SJ_LIT("rows")));
	uint64_t calls = m->calls;
	enum sj_status st;
	struct sj_value *list = sj_value_own_member(m, &a, SJ_LIT("rows"), &st);
	CHECK_OK(sj_value_set(m, sj_value_own_item(m, list, 1, &st), SJ_LIT("n"), sj_value_int(3)));
	CHECK_INT(m->calls, calls); /* no allocation */
	CHECK(sj_value_identity(&a) == root);
	CHECK(sj_value_identity(sj_value_get(&a, SJ_LIT("rows"))) == rows);
	CHECK_VALUE(&a, "{\"rows\":[{\"n\":1},{\"n\":3}]}");
	drop(a);
}

SJ_TEST(a_write_to_a_snapshot_copies_one_chunk)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value a;
	CHECK_OK(sj_value_array(m, &a));
	for (int i = 0; i < 10000; i++)
		CHECK_OK(sj_value_append(m, &a, sj_value_int(i)));
	size_t used = m->used_bytes;
	struct sj_value snapshot = sj_value_ref(a);
	CHECK_INT(m->used_bytes, used); /* a snapshot costs one count */
	CHECK_OK(sj_value_set_item(m, &a, 5000, sj_value_int(-1)));
	size_t copied = m->used_bytes - used; /* one chunk of 128 values and the table of 79 chunks */
	CHECK(copied < 128 * 16 + 79 * 32 + 200);
	CHECK_INT(sj_value_item(&snapshot, 5000)->u.i, 5000);
	CHECK_INT(sj_value_item(&a, 5000)->u.i, -1);
	used = m->used_bytes;
	CHECK_OK(sj_value_set_item(m, &a, 5001, sj_value_int(-2)));
	CHECK_INT(m->used_bytes, used); /* the chunk is ours now */
	CHECK_OK(sj_value_remove(m, &a, 100));
	CHECK_INT(sj_value_item(&a, 4999)->u.i, -1);
	CHECK_INT(sj_value_item(&snapshot, 100)->u.i, 100);
	for (uint32_t i = 0; i < 10000; i++)
		CHECK_INT(sj_value_item(&snapshot, i)->u.i, i);
	drop(snapshot);
	drop(a);
}

SJ_TEST(items_in_a_shared_chunk_are_told)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value a;
	CHECK_OK(sj_value_array(m, &a));
	for (int i = 0; i < 300; i++)
		CHECK_OK(sj_value_append(m, &a, sj_value_int(i)));
	CHECK(!sj_value_item_shared(&a, 200));
	struct sj_value snapshot = sj_value_ref(a);
	CHECK_OK(sj_value_set_item(m, &a, 0, sj_value_int(-1)));
	CHECK(!sj_value_item_shared(&a, 0));
	CHECK(sj_value_item_shared(&a, 200)); /* in memory that the snapshot shows too */
	CHECK(!sj_value_item_shared(&a, 300)); /* beyond the end */
	drop(snapshot);
	CHECK(!sj_value_item_shared(&a, 200));
	drop(a);
}

SJ_TEST(a_text_set_again_keeps_its_memory)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value v = sj_value_int(7);
	CHECK_OK(sj_value_string_set(m, &v, SJ_LIT("short")));
	CHECK_INT(v.type, SJ_V_SHORT);
	CHECK_OK(sj_value_string_set(m, &v, SJ_LIT("0123456789abcdefgh")));
	const void *body = sj_value_identity(&v);
	uint64_t calls = m->calls;
	CHECK_OK(sj_value_string_set(m, &v, SJ_LIT("another text of some length")));
	CHECK_OK(sj_value_string_set(m, &v, SJ_LIT("and a shorter one")));
	CHECK_INT(m->calls, calls);
	CHECK(sj_value_identity(&v) == body);
	CHECK_SLICE(sj_value_text(&v), SJ_LIT("and a shorter one"));
	struct sj_value other = sj_value_ref(v);
	CHECK_OK(sj_value_string_set(m, &v, SJ_LIT("a text for one owner")));
	CHECK_SLICE(sj_value_text(&other), SJ_LIT("and a shorter one"));
	CHECK_SLICE(sj_value_text(&v), SJ_LIT("a text for one owner"));
	CHECK_OK(sj_value_string_set(m, &v, SJ_LIT("")));
	CHECK_SLICE(sj_value_text(&v), SJ_LIT(""));
	drop(other);
	drop(v);
}

SJ_TEST(a_member_just_found_is_written_in_place)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value a = value_of("{\"x\":1,\"y\":2}");
	uint32_t stamp = sj_value_stamp(&a);
	*sj_value_own_found(m, &a, sj_value_get(&a, SJ_LIT("y"))) = sj_value_int(3);
	CHECK_VALUE(&a, "{\"x\":1,\"y\":3}");
	CHECK(sj_value_stamp(&a) != stamp);
	drop(a);
}

SJ_TEST(stamps_tell_of_writes)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value v = value_of("{\"a\":[1],\"b\":[]}");
	struct sj_value one = sj_value_int(1);
	CHECK_INT(sj_value_stamp(&one), 0);
	CHECK(sj_value_identity(&one) == NULL);
	uint32_t root = sj_value_stamp(&v), a = sj_value_stamp(sj_value_get(&v, SJ_LIT("a")));
	uint32_t b = sj_value_stamp(sj_value_get(&v, SJ_LIT("b")));
	enum sj_status st;
	struct sj_value *list = sj_value_own_member(m, &v, SJ_LIT("a"), &st);
	CHECK_OK(sj_value_append(m, list, SJ_NULL_VALUE));
	CHECK(sj_value_stamp(&v) != root);
	CHECK(sj_value_stamp(list) != a);
	CHECK_INT(sj_value_stamp(sj_value_get(&v, SJ_LIT("b"))), b);
	/* Every kind of write. */
	uint32_t seen = sj_value_stamp(list);
	CHECK_OK(sj_value_set_item(m, list, 0, SJ_NULL_VALUE));
	CHECK(sj_value_stamp(list) != seen);
	seen = sj_value_stamp(list);
	CHECK_OK(sj_value_insert(m, list, 0, SJ_NULL_VALUE));
	CHECK(sj_value_stamp(list) != seen);
	seen = sj_value_stamp(list);
	CHECK_OK(sj_value_remove(m, list, 0));
	CHECK(sj_value_stamp(list) != seen);
	seen = sj_value_stamp(list);
	CHECK_OK(sj_value_truncate(m, list, 1));
	CHECK(sj_value_stamp(list) != seen);
	seen = sj_value_stamp(&v);
	CHECK_OK(sj_value_unset(m, &v, SJ_LIT("b")));
	CHECK(sj_value_stamp(&v) != seen);
	seen = sj_value_stamp(&v);
	CHECK_OK(sj_value_unset(m, &v, SJ_LIT("b"))); /* nothing there, nothing written */
	CHECK_INT(sj_value_stamp(&v), seen);
	/* A copy made by a write has a stamp of its own. */
	struct sj_value w = sj_value_ref(v);
	CHECK_OK(sj_value_set(m, &w, SJ_LIT("c"), SJ_NULL_VALUE));
	CHECK(sj_value_stamp(&w) != seen);
	CHECK_INT(sj_value_stamp(&v), seen);
	drop(w);
	drop(v);
}

/* 100,000 levels, built from the inside out: no walk may use the C stack for depth. */
static struct sj_value deep(int levels, int leaf)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value v = sj_value_int(leaf);
	for (int i = 0; i < levels; i++) {
		struct sj_value outer;
		if (i % 2) {
			CHECK_OK(sj_value_object(m, &outer));
			CHECK_OK(sj_value_set(m, &outer, SJ_LIT("k"), v));
		} else {
			CHECK_OK(sj_value_array(m, &outer));
			CHECK_OK(sj_value_append(m, &outer, v));
		}
		v = outer;
	}
	return v;
}

SJ_TEST(depth_costs_no_stack)
{
	enum { LEVELS = 100000 };
	struct sj_value a = deep(LEVELS, 1), b = deep(LEVELS, 1), c = deep(LEVELS, 2);
	CHECK(sj_value_equal(&a, &b));
	CHECK(!sj_value_equal(&a, &c));
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 0);
	sj_value_print(&out, &a, SJ_PRINT_SORTED);
	CHECK_INT(out.len, LEVELS / 2 * 2 + LEVELS / 2 * 6 + 1);
	CHECK_STR(sj_slice(out.ptr, 12), "{\"k\":[{\"k\":[");
	sj_buf_finish(&out);
	drop(a);
	drop(b);
	drop(c);
}

SJ_TEST(equality)
{
	static const struct {
		const char *a, *b;
		bool equal;
	} rows[] = {
		{"1", "1.0", true},
		{"-0", "0", true},
		{"1", "true", false},
		{"\"a\"", "\"a\"", true},
		{"\"a string of sixteen\"", "\"a string of sixteen\"", true},
		{"\"a string of sixteen\"", "\"a string of Sixteen\"", false},
		{"[]", "{}", false},
		{"[[1],[2]]", "[[1],[2]]", true},
		{"[[1],[2]]", "[[1],[3]]", false},
		{"{\"a\":1,\"b\":{\"c\":[]}}", "{\"b\":{\"c\":[]},\"a\":1}", true},
		{"{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false},
		{"{\"a\":1}", "{\"a\":1,\"b\":2}", false},
		{"1e400", "1e500", true},
		{"1e400", "-1e400", false},
		{"0.1", "0.10000000000000001", true},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sj_value a = value_of(rows[i].a), b = value_of(rows[i].b);
		sj_case("%s and %s", rows[i].a, rows[i].b);
		CHECK_INT(sj_value_equal(&a, &b), rows[i].equal);
		CHECK_INT(sj_value_equal(&b, &a), rows[i].equal);
		CHECK(sj_value_equal(&a, &a));
		sj_case_end();
		drop(a);
		drop(b);
	}
	struct sj_value absent = SJ_ABSENT_VALUE, null = SJ_NULL_VALUE;
	CHECK(sj_value_equal(&absent, &absent));
	CHECK(!sj_value_equal(&absent, &null));
}

SJ_TEST(equality_of_a_value_with_what_holds_it)
{
	/* The walks of both sides meet in the same bodies. */
	struct sj_mem *m = sj_test_mem();
	struct sj_value inner = value_of("[[[1]]]"), outer;
	CHECK_OK(sj_value_array(m, &outer));
	CHECK_OK(sj_value_append(m, &outer, sj_value_ref(inner)));
	CHECK(!sj_value_equal(&inner, &outer));
	CHECK(!sj_value_equal(&outer, &inner));
	struct sj_value twice;
	CHECK_OK(sj_value_array(m, &twice));
	CHECK_OK(sj_value_append(m, &twice, sj_value_ref(inner)));
	CHECK_OK(sj_value_append(m, &twice, sj_value_ref(inner)));
	struct sj_value same = value_of("[[[[1]]],[[[1]]]]");
	CHECK(sj_value_equal(&twice, &same));
	CHECK(sj_value_equal(&same, &twice));
	drop(same);
	drop(twice);
	drop(outer);
	drop(inner);
}

SJ_TEST(repeated_keys_as_in_ecmascript)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v;
	opt.dup = SJ_DUP_LAST;
	CHECK_OK(sj_value_parse(sj_test_mem(), &opt, SJ_LIT("{\"a\":[1],\"b\":2,\"\\u0061\":{\"c\":3},\"b\":[]}"), &v,
	                        NULL));
	CHECK_VALUE(&v, "{\"a\":{\"c\":3},\"b\":[]}"); /* the first place, the last value */
	drop(v);
}

SJ_TEST(long_keys_are_shared_inside_one_document)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value v = value_of("[{\"a key longer than fourteen\":1},{\"a key longer than fourteen\":2}]");
	struct sj_slice a = SJ_NO_SLICE, b = SJ_NO_SLICE;
	sj_value_member(sj_value_item(&v, 0), 0, &a);
	sj_value_member(sj_value_item(&v, 1), 0, &b);
	CHECK(a.ptr == b.ptr);
	enum sj_status st;
	struct sj_value *first = sj_value_own_item(m, &v, 0, &st);
	CHECK_OK(sj_value_unset(m, first, SJ_LIT("a key longer than fourteen")));
	CHECK_VALUE(&v, "[{},{\"a key longer than fourteen\":2}]");
	drop(v);
}

SJ_TEST(values_of_parts_of_a_tape)
{
	struct sj_arena arena;
	struct sj_tape t;
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	sj_arena_init(&arena, sj_test_mem(), 0);
	CHECK_OK(sj_json_parse(&arena, &wire, SJ_LIT("{\"a\":[1,{\"b\":\"\\u00e9 with escapes and \\\"quotes\\\"\"}],\"c\":\"\\n\"}"),
	                       &t, NULL));
	struct sj_value v;
	CHECK_OK(sj_value_from_tape(sj_test_mem(), &t, sj_tape_get(&t, 0, SJ_LIT("a")), &v));
	CHECK_VALUE(&v, "[1,{\"b\":\"\xC3\xA9 with escapes and \\\"quotes\\\"\"}]");
	drop(v);
	CHECK_OK(sj_value_from_tape(sj_test_mem(), &t, sj_tape_get(&t, 0, SJ_LIT("c")), &v));
	CHECK_INT(v.type, SJ_V_SHORT);
	CHECK_STR(sj_value_text(&v), "\n");
	sj_arena_finish(&arena);
}

SJ_TEST(lists_that_shrink_give_memory_back)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value a;
	CHECK_OK(sj_value_array(m, &a));
	for (int i = 0; i < 20000; i++)
		CHECK_OK(sj_value_append(m, &a, sj_value_int(i)));
	/* Removed evenly, so that no chunk empties by itself. */
	for (uint32_t keep = 0; sj_value_count(&a) > 200; keep++) {
		if (keep >= sj_value_count(&a))
			keep = 0;
		CHECK_OK(sj_value_remove(m, &a, keep));
	}
	CHECK(m->used_bytes < 200 * 16 * 8);
	drop(a);
}

/* A copy is on the other account, whole, and shares nothing. */
SJ_TEST(a_copy_crosses_accounts)
{
	static const char *const texts[] = {
		"null", "12.5", "\"short\"", "\"a text that does not fit beside its type\"",
		"{\"a\":[1,\"\\ud800 alone, and long enough to be counted\",{\"b\":false}],\"c\":1e-7}"};
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	opt.surrogate = SJ_SURROGATE_KEEP;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct sj_mem from, to;
		struct sj_value a, b;
		sj_mem_init(&from, NULL, 0);
		sj_mem_init(&to, NULL, 0);
		CHECK_OK(sj_value_parse(&from, &opt, sj_slice_of(texts[i]), &a, NULL));
		CHECK_OK(sj_value_copy(&to, &a, &b));
		CHECK(sj_value_equal(&a, &b));
		sj_value_unref(&from, a);
		CHECK_INT(from.used_bytes, 0);
		sj_value_unref(&to, b);
		CHECK_INT(to.used_bytes, 0);
	}
}
