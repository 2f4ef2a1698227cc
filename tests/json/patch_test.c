#include "base/num.h"
#include "harness/random.h"
#include "json/random_json.h"
#include "json/text.h"

static const struct {
	const char *doc, *patch, *result; /* result NULL: refused */
	enum sj_code code;
	const char *pointer, *message;
} rows[] = {
	{"{}", "[]", "{}"},
	{"{\"a\":1}", "[{\"op\":\"add\",\"path\":\"/b\",\"value\":[null]}]", "{\"a\":1,\"b\":[null]}"},
	{"[1,2]", "[{\"op\":\"add\",\"path\":\"/2\",\"value\":3},{\"op\":\"add\",\"path\":\"/-\",\"value\":4}]",
         "[1,2,3,4]"},
	{"[1,2]", "[{\"op\":\"add\",\"path\":\"/0\",\"value\":0}]", "[0,1,2]"},
	{"{\"a\":{\"b\":1}}", "[{\"op\":\"move\",\"from\":\"/a/b\",\"path\":\"/c\"}]", "{\"a\":{},\"c\":1}"},
	{"[1,2,3]", "[{\"op\":\"move\",\"from\":\"/0\",\"path\":\"/2\"}]", "[2,3,1]"},
	{"{\"a\":[1]}", "[{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/a/0\"}]", "{\"a\":[[1],1]}"},
	{"{\"a\":1}", "[{\"op\":\"copy\",\"from\":\"\",\"path\":\"/b\"}]", "{\"a\":1,\"b\":{\"a\":1}}"},
	{"{\"a\":1}", "[{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/a\"}]", "{\"a\":1}"},
	{"{\"a\":1}", "[{\"op\":\"move\",\"from\":\"/a\",\"path\":\"\"}]", "1"},
	{"{\"a\":{\"b\":1},\"ab\":2}", "[{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/ab\"}]", "{\"ab\":{\"b\":1}}"},
	{"{\"a\":1}", "[{\"op\":\"test\",\"path\":\"\",\"value\":{\"a\":1.0}}]", "{\"a\":1}"},
	{"{\"a\":null}", "[{\"op\":\"test\",\"path\":\"/a\",\"value\":null}]", "{\"a\":null}"},
	{"{\"a~b/c\":1}", "[{\"op\":\"replace\",\"path\":\"/a~0b~1c\",\"value\":2,\"more\":0}]", "{\"a~b/c\":2}"},
	{"1", "[{\"op\":\"replace\",\"path\":\"\",\"value\":[2]},{\"op\":\"add\",\"path\":\"/-\",\"value\":3}]",
         "[2,3]"},

	{"{}", "{}", NULL, SJ_E_PATCH, "", "a patch must be an array of operations"},
	{"{}", "[1]", NULL, SJ_E_PATCH, "/0", "an operation must be an object"},
	{"{}", "[{}]", NULL, SJ_E_PATCH, "/0", "the operation needs this member, a string: \"op\""},
	{"{}", "[{\"op\":\"add\"}]", NULL, SJ_E_PATCH, "/0", "the operation needs this member, a string: \"path\""},
	{"{}", "[{\"op\":\"add\",\"path\":\"/a\"}]", NULL, SJ_E_PATCH, "/0",
         "the operation needs this member: \"value\""},
	{"{}", "[{\"op\":\"copy\",\"path\":\"/a\",\"from\":1}]", NULL, SJ_E_PATCH, "/0",
         "the operation needs this member, a string: \"from\""},
	{"{}", "[{\"op\":\"spam\",\"path\":\"/a\"}]", NULL, SJ_E_PATCH, "/0", "no such operation: \"spam\""},
	{"{}", "[{\"op\":\"remove\",\"path\":\"a\"}]", NULL, SJ_E_POINTER, "/0", "not a JSON Pointer: \"a\""},
	{"{}", "[{\"op\":\"remove\",\"path\":\"/~2\"}]", NULL, SJ_E_POINTER, "/0", "not a JSON Pointer: \"/~2\""},
	{"{\"a\":1}", "[{\"op\":\"remove\",\"path\":\"/a\"},{\"op\":\"remove\",\"path\":\"/a\"}]", NULL, SJ_E_PATCH,
         "/1", "there is nothing at the path: \"/a\""},
	{"{}", "[{\"op\":\"remove\",\"path\":\"\"}]", NULL, SJ_E_PATCH, "/0", "the whole document cannot be removed"},
	{"{}", "[{\"op\":\"replace\",\"path\":\"/a\",\"value\":1}]", NULL, SJ_E_PATCH, "/0",
         "there is nothing at the path: \"/a\""},
	{"[1]", "[{\"op\":\"replace\",\"path\":\"/-\",\"value\":1}]", NULL, SJ_E_PATCH, "/0",
         "there is nothing at the path: \"/-\""},
	{"[1]", "[{\"op\":\"add\",\"path\":\"/2\",\"value\":1}]", NULL, SJ_E_PATCH, "/0",
         "the index lies beyond the end of the array: \"/2\""},
	{"[1]", "[{\"op\":\"add\",\"path\":\"/01\",\"value\":1}]", NULL, SJ_E_PATCH, "/0",
         "not an array index: \"/01\""},
	{"[1]", "[{\"op\":\"add\",\"path\":\"/0/x\",\"value\":1}]", NULL, SJ_E_PATCH, "/0",
         "the path goes through something that is neither array nor object: \"/0/x\""},
	{"{}", "[{\"op\":\"add\",\"path\":\"/a/b\",\"value\":1}]", NULL, SJ_E_PATCH, "/0",
         "there is nothing at the path: \"/a/b\""},
	{"{\"a\":{}}", "[{\"op\":\"move\",\"from\":\"/a\",\"path\":\"/a/b\"}]", NULL, SJ_E_PATCH, "/0",
         "a value cannot be moved into itself: \"/a/b\""},
	{"{}", "[{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/b\"}]", NULL, SJ_E_PATCH, "/0",
         "there is nothing to copy from: \"/a\""},
	{"{\"a\":1}",
         "[{\"op\":\"add\",\"path\":\"/b\",\"value\":1},{\"op\":\"test\",\"path\":\"/a\",\"value\":\"1\"}]", NULL,
         SJ_E_PATCH_TEST, "/1", "the value at the path is another one: \"/a\""},
	{"{}", "[{\"op\":\"test\",\"path\":\"/a\",\"value\":null}]", NULL, SJ_E_PATCH_TEST, "/0",
         "there is nothing at the path: \"/a\""},
};

SJ_TEST(operations)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		sj_case("%s to %s", rows[i].patch, rows[i].doc);
		struct sj_value doc = value_of(rows[i].doc), patch = value_of(rows[i].patch),
				same = value_of(rows[i].patch);
		struct sj_diag d = {.code = SJ_E_NONE};
		const void *before = sj_value_identity(&doc);
		enum sj_status st = sj_json_patch(sj_test_mem(), &doc, &patch, &d);
		CHECK_INT(st, rows[i].result ? SJ_OK : SJ_INVALID);
		CHECK_VALUE(&doc, rows[i].result ? rows[i].result : rows[i].doc);
		CHECK_INT(d.code, rows[i].code);
		CHECK_STR(sj_slice_of(d.message), rows[i].message ? rows[i].message : "");
		CHECK_STR(sj_slice_of(d.pointer), rows[i].pointer ? rows[i].pointer : "");
		if (!rows[i].result)
			CHECK(sj_value_identity(&doc) == before);
		CHECK(sj_value_equal(&patch, &same));
		sj_case_end();
		drop(same);
		drop(doc);
		drop(patch);
	}
}

SJ_TEST(an_operation_may_not_repeat_a_member)
{
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v;
	struct sj_diag d = {.code = SJ_E_NONE};
	CHECK_INT(sj_value_parse(sj_test_mem(), &wire, SJ_LIT("[{\"op\":\"add\",\"path\":\"/a\",\"value\":1,\"op\":\"remove\"}]"), &v,
	                         &d),
	          SJ_INVALID);
	CHECK_INT(d.code, SJ_E_JSON_DUPLICATE_KEY);
}

SJ_TEST(other_owners_of_the_document_see_nothing)
{
	struct sj_value doc = value_of("{\"a\":[1,2,{\"b\":3}]}"), other = sj_value_ref(doc);
	struct sj_value patch = value_of("[{\"op\":\"replace\",\"path\":\"/a/2/b\",\"value\":4},{\"op\":\"remove\",\"path\":\"/a/0\"}]");
	CHECK_OK(sj_json_patch(sj_test_mem(), &doc, &patch, NULL));
	CHECK_VALUE(&doc, "{\"a\":[2,{\"b\":4}]}");
	CHECK_VALUE(&other, "{\"a\":[1,2,{\"b\":3}]}");
	drop(doc);
	drop(other);
	drop(patch);
}

SJ_TEST(copies_do_not_multiply_without_bound)
{
	/* Each operation doubles the document: sharing would make room for 2^60 values. */
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_buf_putc(&b, '[');
	for (int i = 0; i < 60; i++)
		sj_buf_printf(&b, "%s{\"op\":\"copy\",\"from\":\"\",\"path\":\"/k%d\"}", i ? "," : "", i);
	sj_buf_putc(&b, ']');
	struct sj_value doc = value_of("{\"x\":1}"), patch = value_of(b.ptr);
	struct sj_diag d = {.code = SJ_E_NONE};
	CHECK_INT(sj_json_patch(sj_test_mem(), &doc, &patch, &d), SJ_LIMIT);
	CHECK_INT(d.code, SJ_E_LIMIT);
	CHECK_STR(sj_slice_of(d.pointer),
	          "/20"); /* operation n copies 2^(n+1) values: together 2^(n+2) - 2, at most 4,000,000 */
	CHECK_VALUE(&doc, "{\"x\":1}");
	drop(patch);
	drop(doc);
	sj_buf_finish(&b);
}

SJ_TEST(patches_do_not_nest_without_bound)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value doc = value_of("{\"a\":{}}"),
			patch = value_of("[{\"op\":\"add\",\"path\":\"\",\"value\":[[]]},"
	                                 "{\"op\":\"copy\",\"from\":\"\",\"path\":\"/0/0\"}]");
	CHECK_OK(sj_json_patch(m, &doc, &patch, NULL));
	CHECK_VALUE(&doc, "[[[[]]]]");
	drop(patch);
	/* A path of n tokens to the innermost array: each round makes the document about twice as deep. */
	struct sj_buf b;
	sj_buf_init(&b, m, 0);
	enum sj_status st = SJ_OK;
	for (int depth = 4; st == SJ_OK && depth < 5000; depth *= 2) {
		sj_buf_clear(&b);
		sj_buf_puts(&b, "[{\"op\":\"copy\",\"from\":\"\",\"path\":\"");
		for (int i = 0; i < depth - 1; i++)
			sj_buf_puts(&b, "/0");
		sj_buf_puts(&b, "/-\"}]");
		patch = value_of(b.ptr);
		st = sj_json_patch(m, &doc, &patch, NULL);
		drop(patch);
	}
	CHECK_INT(st, SJ_LIMIT);
	drop(doc);
	sj_buf_finish(&b);
}

/* A random place in a random document, as a pointer; its parent is a container. false: the document is a scalar. */
static bool random_place(struct sj_random *r, const struct sj_value *doc, struct sj_buf *pointer)
{
	const struct sj_value *v = doc;
	sj_buf_clear(pointer);
	while (sj_value_is_container(v) && sj_value_count(v) && (pointer->len == 0 || sj_random_below(r, 3))) {
		uint32_t i = sj_random_below(r, sj_value_count(v));
		if (v->type == SJ_V_OBJECT) {
			struct sj_slice key;
			v = sj_value_member(v, i, &key);
			sj_pointer_append(pointer, key);
		} else {
			char text[SJ_NUM_TEXT];
			sj_pointer_append(pointer, sj_slice(text, sj_num_text_i64(i, text)));
			v = sj_value_item(v, i);
		}
	}
	return pointer->len > 0;
}

static struct sj_value operation(const char *op, struct sj_slice path, struct sj_slice from, struct sj_value value)
{
	struct sj_mem *m = sj_test_mem();
	struct sj_value list, object, text;
	CHECK_OK(sj_value_array(m, &list));
	CHECK_OK(sj_value_object(m, &object));
	CHECK_OK(sj_value_string(m, sj_slice_of(op), &text));
	CHECK_OK(sj_value_set(m, &object, SJ_LIT("op"), text));
	CHECK_OK(sj_value_string(m, path, &text));
	CHECK_OK(sj_value_set(m, &object, SJ_LIT("path"), text));
	if (from.ptr) {
		CHECK_OK(sj_value_string(m, from, &text));
		CHECK_OK(sj_value_set(m, &object, SJ_LIT("from"), text));
	}
	CHECK_OK(sj_value_set(m, &object, SJ_LIT("value"), value));
	CHECK_OK(sj_value_append(m, &list, object));
	return list;
}

static enum sj_status apply(struct sj_value *doc, struct sj_value patch)
{
	enum sj_status st = sj_json_patch(sj_test_mem(), doc, &patch, NULL);
	drop(patch);
	return st;
}

/* remove then add what was there, replace and back, copy then remove, move and back: each gives the document back, but
 * for the order of members, which equality ignores. */
SJ_TEST(inverse_operations)
{
	struct sj_random r = {21};
	struct sj_mem *m = sj_test_mem();
	struct sj_buf text, place, other;
	sj_buf_init(&text, m, 0);
	sj_buf_init(&place, m, 0);
	sj_buf_init(&other, m, 0);
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	for (int round = 0; round < 2000 && !sj_failed(); round++) {
		struct sj_value doc, before;
		sj_buf_clear(&text);
		random_document(&r, &text, 40);
		CHECK_OK(sj_value_parse(m, &wire, sj_buf_view(&text), &doc, NULL));
		before = sj_value_ref(doc);
		if (random_place(&r, &doc, &place)) {
			struct sj_slice p = sj_buf_view(&place);
			struct sj_value there = sj_value_ref(*sj_value_at(&doc, p));
			struct sj_value mark = value_of("[\"a mark that is nowhere\"]");
			CHECK_OK(apply(&doc, operation("test", p, SJ_NO_SLICE, sj_value_ref(there))));
			CHECK_OK(apply(&doc, operation("remove", p, SJ_NO_SLICE, SJ_ABSENT_VALUE)));
			CHECK(!sj_value_equal(&doc, &before));
			CHECK_OK(apply(&doc, operation("add", p, SJ_NO_SLICE, sj_value_ref(there))));
			CHECK(sj_value_equal(&doc, &before));
			CHECK_OK(apply(&doc, operation("replace", p, SJ_NO_SLICE, sj_value_ref(mark))));
			CHECK(sj_value_equal(sj_value_at(&doc, p), &mark));
			CHECK_OK(apply(&doc, operation("replace", p, SJ_NO_SLICE, sj_value_ref(there))));
			CHECK(sj_value_equal(&doc, &before));
			/* A new member of the root or a new last item takes the copy, and gives it up again. */
			if (doc.type == SJ_V_OBJECT || doc.type == SJ_V_ARRAY) {
				sj_buf_clear(&other);
				if (doc.type == SJ_V_OBJECT)
					sj_buf_puts(&other, "/a key that is nowhere");
				else
					sj_buf_printf(&other, "/%u", sj_value_count(&doc));
				struct sj_slice q = sj_buf_view(&other);
				CHECK_OK(apply(&doc, operation("copy", q, p, SJ_ABSENT_VALUE)));
				CHECK(sj_value_equal(sj_value_at(&doc, q), &there));
				CHECK_OK(apply(&doc, operation("remove", q, SJ_NO_SLICE, SJ_ABSENT_VALUE)));
				CHECK(sj_value_equal(&doc, &before));
				if (doc.type == SJ_V_OBJECT) {
					CHECK_OK(apply(&doc, operation("move", q, p, SJ_ABSENT_VALUE)));
					CHECK(sj_value_equal(sj_value_at(&doc, q), &there));
					CHECK_OK(apply(&doc, operation("move", p, q, SJ_ABSENT_VALUE)));
					CHECK(sj_value_equal(&doc, &before));
				}
			}
			drop(mark);
			drop(there);
		}
		if (sj_failed())
			sj_fail_at(__FILE__, __LINE__, "round %d at %s of %s", round, place.ptr, text.ptr);
		drop(before);
		drop(doc);
	}
	sj_buf_finish(&text);
	sj_buf_finish(&place);
	sj_buf_finish(&other);
}
