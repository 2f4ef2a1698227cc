#include "harness/random.h"
#include "json/random_json.h"
#include "json/text.h"

/* RFC 6901, section 5. */
static const char example[] = "{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"e^f\":3,\"g|h\":4,\"i\\\\j\":5,\"k\\\"l\":6,"
			      "\" \":7,\"m~n\":8,\"~1\":9,\"/\":10}";
static const struct {
	const char *pointer, *value; /* NULL: absent */
} rows[] = {
	{"/foo", "[\"bar\",\"baz\"]"},
	{"/foo/0", "\"bar\""},
	{"/foo/1", "\"baz\""},
	{"/foo/2", NULL},
	{"/foo/-", NULL},
	{"/foo/00", NULL},
	{"/foo/01", NULL},
	{"/foo/+1", NULL},
	{"/foo/4294967296", NULL},
	{"/foo/0/0", NULL},
	{"/", "0"},
	{"/a~1b", "1"},
	{"/c%d", "2"},
	{"/e^f", "3"},
	{"/g|h", "4"},
	{"/i\\j", "5"},
	{"/k\"l", "6"},
	{"/ ", "7"},
	{"/m~0n", "8"},
	{"/~01", "9"},
	{"/~1", "10"},
	{"/m~0", NULL},
	{"/m~0nn", NULL},
	{"/nothing", NULL},
	{"//", NULL},
	{"foo", NULL},
};

SJ_TEST(look_up)
{
	struct sj_value v = value_of(example);
	CHECK(sj_value_at(&v, SJ_LIT("")) == &v);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		sj_case("%s", rows[i].pointer);
		const struct sj_value *got = sj_value_at(&v, sj_slice_of(rows[i].pointer));
		if (!rows[i].value)
			CHECK(got == NULL);
		else if (!got)
			sj_fail_at(__FILE__, __LINE__, "absent, want %s", rows[i].value);
		else
			CHECK_VALUE(got, rows[i].value);
		sj_case_end();
	}
	drop(v);
}

SJ_TEST(holes_are_absent)
{
	struct sj_value a = value_of("[1]");
	CHECK_OK(sj_value_set_item(sj_test_mem(), &a, 2, SJ_NULL_VALUE));
	CHECK(sj_value_at(&a, SJ_LIT("/1")) == NULL);
	CHECK(sj_value_at(&a, SJ_LIT("/2")) != NULL);
	drop(a);
}

SJ_TEST(well_formed)
{
	static const char *const good[] = {"", "/", "//", "/a", "/~0~1", "/a~1b/0"}, *const bad[] = {
											     "a",   " /a", "/~", "/~2",
											     "/a~", "/~a", "~0"};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		CHECK(sj_pointer_check(sj_slice_of(good[i])));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(!sj_pointer_check(sj_slice_of(bad[i])));
}

SJ_TEST(tokens)
{
	static const char *const want[] = {"a", "", "b/c", "~1", "x"};
	struct sj_slice p = SJ_LIT("/a//b~1c/~01/x"), token;
	struct sj_buf buf;
	size_t at = 0, n = 0;
	sj_buf_init(&buf, sj_test_mem(), 0);
	while (sj_pointer_next(p, &at, &buf, &token))
		CHECK_STR(token, want[n++]);
	CHECK_INT(n, 5);
	at = 0;
	CHECK(!sj_pointer_next(SJ_LIT(""), &at, &buf, &token));
	sj_buf_finish(&buf);
}

/* A pointer written from tokens reads back as those tokens, and finds what is built along them. */
SJ_TEST(append_and_next_are_inverse)
{
	struct sj_random r = {11};
	struct sj_mem *m = sj_test_mem();
	for (int round = 0; round < 300 && !sj_failed(); round++) {
		enum { MOST = 6 };
		char text[MOST][8];
		struct sj_slice tokens[MOST], got;
		uint32_t n = sj_random_below(&r, MOST + 1);
		struct sj_buf pointer, buf;
		sj_buf_init(&pointer, m, 0);
		sj_buf_init(&buf, m, 0);
		for (uint32_t i = 0; i < n; i++) {
			uint32_t len = sj_random_below(&r, 8);
			for (uint32_t k = 0; k < len; k++)
				text[i][k] = "~/01ab-"[sj_random_below(&r, 7)];
			tokens[i] = sj_slice(text[i], len);
			sj_pointer_append(&pointer, tokens[i]);
		}
		CHECK(sj_pointer_check(sj_buf_view(&pointer)));
		size_t at = 0;
		for (uint32_t i = 0; i < n; i++) {
			CHECK(sj_pointer_next(sj_buf_view(&pointer), &at, &buf, &got));
			CHECK_SLICE(got, tokens[i]);
		}
		CHECK(!sj_pointer_next(sj_buf_view(&pointer), &at, &buf, &got));
		struct sj_value v = sj_value_int(round);
		for (uint32_t i = n; i-- > 0;) {
			struct sj_value outer;
			CHECK_OK(sj_value_object(m, &outer));
			CHECK_OK(sj_value_set(m, &outer, SJ_LIT("other"), SJ_NULL_VALUE));
			CHECK_OK(sj_value_set(m, &outer, tokens[i], v));
			v = outer;
		}
		const struct sj_value *found = sj_value_at(&v, sj_buf_view(&pointer));
		CHECK(found && found->type == SJ_V_INT && found->u.i == round);
		drop(v);
		sj_buf_finish(&pointer);
		sj_buf_finish(&buf);
	}
}
