/* Paths and writes to the model: how a path is read, what null means in which version, arrays,
 * traps, and what a binding reads where nothing is. */
#include <stdio.h>

#include "a2ui/path.h"
#include "engine/talk.h"

static struct talk t;

/* ---- reading a path ---------------------------------------------------------------------------------------------- */

static const struct {
	const char *text, *tokens; /* tokens parted by '|', each ended by it */
	bool relative;
} paths[] = {
	{"", "", true},
	{"/", "", false},
	{"/a", "a|", false},
	{"/a/", "a|", false},
	{"a", "a|", true},
	{"a/", "a|", true},
	{"a/b/c", "a|b|c|", true},
	{"/a/b", "a|b|", false},
	{"/a//b", "a||b|", false},
	{"/0/01/-1", "0|01|-1|", false},
	{"/~0", "~|", false},
	{"/~1", "/|", false},
	{"/~01", "~1|", false},
	{"/~10", "/0|", false},
	{"/a~1b/c~0d/~0~1", "a/b|c~d|~/|", false},
	{"~01", "~1|", true},
	{"/a b/[0]/\"", "a b|[0]|\"|", false},
	{"/é/😀", "é|😀|", false},
	{"/__proto__x/constructors/prototypes/proto", "__proto__x|constructors|prototypes|proto|", false},
};

SJ_TEST(tokens)
{
	struct sj_arena arena;
	sj_arena_init(&arena, sj_test_mem(), 0);
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct sj_path p;
		struct sj_diag d = {0};
		char got[200] = "";
		size_t len = 0;
		sj_case("'%s'", paths[i].text);
		CHECK_OK(sj_path_parse(&arena, &SJ_LIMITS_DEFAULT, sj_slice_of(paths[i].text), &p, &d));
		for (uint32_t k = 0; k < p.count; k++)
			len += (size_t)snprintf(got + len, sizeof got - len, "%.*s|", SJ_ARG(p.tokens[k]));
		CHECK_STR(sj_slice_of(got), paths[i].tokens);
		CHECK_INT(p.relative, paths[i].relative);
		sj_case_end();
	}
	sj_arena_finish(&arena);
}

SJ_TEST(refused_paths)
{
	static const struct {
		const char *text;
		enum sj_code code;
		enum sj_category category;
	} bad[] = {
		{"/~", SJ_E_POINTER, SJ_CAT_VALIDATION},
		{"/a~", SJ_E_POINTER, SJ_CAT_VALIDATION},
		{"/a~2b", SJ_E_POINTER, SJ_CAT_VALIDATION},
		{"/~~1", SJ_E_POINTER, SJ_CAT_VALIDATION},
		{"a~/b", SJ_E_POINTER, SJ_CAT_VALIDATION},
		{"/__proto__", SJ_E_DATA_ERROR, SJ_CAT_DATA},
		{"/a/__proto__/b", SJ_E_DATA_ERROR, SJ_CAT_DATA},
		{"__proto__", SJ_E_DATA_ERROR, SJ_CAT_DATA},
		{"/constructor", SJ_E_DATA_ERROR, SJ_CAT_DATA},
		{"/constructor/prototype/x", SJ_E_DATA_ERROR, SJ_CAT_DATA},
		{"/a/prototype", SJ_E_DATA_ERROR, SJ_CAT_DATA},
		{"/a/prototype/", SJ_E_DATA_ERROR, SJ_CAT_DATA},
	};
	struct sj_arena arena;
	sj_arena_init(&arena, sj_test_mem(), 0);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct sj_path p = {0};
		struct sj_diag d = {0};
		sj_case("'%s'", bad[i].text);
		CHECK_INT(sj_path_parse(&arena, &SJ_LIMITS_DEFAULT, sj_slice_of(bad[i].text), &p, &d), SJ_INVALID);
		CHECK_INT(d.code, bad[i].code);
		CHECK_INT(d.category, bad[i].category);
		CHECK_STR(sj_slice_of(d.detail), bad[i].code == SJ_E_POINTER ? "invalid_pointer" : "");
		CHECK(strstr(d.message, bad[i].text) != NULL);
		CHECK(p.tokens == NULL);
		sj_case_end();
	}
	sj_arena_finish(&arena);
}

SJ_TEST(joining)
{
	static const char *const rows[][3] = {
		{"foo", "/bar/", "/bar/foo"}, {"foo", "/bar", "/bar/foo"}, {"foo", "", "/foo"},   {"foo", "/", "/foo"},
		{"/foo", "/bar", "/foo"},     {"/", "/bar", "/"},          {"", "/bar", "/bar"},  {"", "", "/"},
		{"a/b", "/rows/3", "/rows/3/a/b"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sj_buf out;
		sj_case("'%s' in '%s'", rows[i][0], rows[i][1]);
		sj_buf_init(&out, sj_test_mem(), 0);
		sj_path_join(&out, sj_slice_of(rows[i][0]), sj_slice_of(rows[i][1]));
		CHECK_STR(sj_buf_view(&out), rows[i][2]);
		sj_buf_finish(&out);
		sj_case_end();
	}
}

/* ---- writes ------------------------------------------------------------------------------------------------------ */

/* Each step is a write from one peer; `want` is the model afterwards, or the words of the refusal, which changes
 * nothing. value NULL: the member is absent. */
static const struct write {
	const char *name, *version, *start, *path, *value, *want, *refused;
} writes[] = {
	{"v0.9: null is a value", "v0.9", "{'a':1,'b':2}", "/a", "null", "{'a':null,'b':2}", NULL},
	{"v0.9: absent removes", "v0.9", "{'a':1,'b':2}", "/a", NULL, "{'b':2}", NULL},
	{"v0.9.1: null is a value", "v0.9.1", "{'a':1}", "/a", "null", "{'a':null}", NULL},
	{"v0.9.1: absent removes", "v0.9.1", "{'a':1}", "/a", NULL, "{}", NULL},
	{"v1.0: null removes", "v1.0", "{'a':1,'b':2}", "/a", "null", "{'b':2}", NULL},
	{"v1.0: null below is a value", "v1.0", "{}", "/a", "{'x':null,'y':[null]}", "{'a':{'x':null,'y':[null]}}",
         NULL},
	{"v1.0: absent is refused", "v1.0", "{'a':1}", "/a", NULL, NULL, "'value' is a required property"},
	{"v1.0: null for the root empties it", "v1.0", "{'a':1}", "/", "null", "{}", NULL},
	{"v0.9: absent for the root empties it", "v0.9", "{'a':1}", "/", NULL, "{}", NULL},
	{"v0.9: absent for the root, as ''", "v0.9", "{'a':1}", "", NULL, "{}", NULL},
	{"the root is replaced whole", "v0.9", "{'a':1}", "/", "{'b':2}", "{'b':2}", NULL},
	{"the root, as ''", "v1.0", "{'a':1}", "", "{'b':2}", "{'b':2}", NULL},
	{"a relative path starts at the root", "v0.9", "{}", "a/b", "1", "{'a':{'b':1}}", NULL},
	{"a trailing slash is dropped", "v0.9", "{}", "/a/b/", "1", "{'a':{'b':1}}", NULL},
	{"an empty key", "v0.9", "{}", "/a//b", "1", "{'a':{'':{'b':1}}}", NULL},
	{"escapes", "v0.9", "{}", "/a~1b/~01", "1", "{'a/b':{'~1':1}}", NULL},
	{"an index makes a list", "v0.9", "{}", "/a/0", "1", "{'a':[1]}", NULL},
	{"an index inside makes a list", "v0.9", "{}", "/a/0/b/0", "1", "{'a':[{'b':[1]}]}", NULL},
	{"no index makes an object", "v0.9", "{}", "/a/x", "1", "{'a':{'x':1}}", NULL},
	{"a leading zero is no index", "v0.9", "{}", "/a/00", "1", "{'a':{'00':1}}", NULL},
	{"a minus is no index", "v0.9", "{}", "/a/-", "1", "{'a':{'-':1}}", NULL},
	{"an index is a key of an object", "v0.9", "{'a':{'x':1}}", "/a/0", "2", "{'a':{'x':1,'0':2}}", NULL},
	{"the end of a list", "v0.9", "{'a':[1,2]}", "/a/2", "3", "{'a':[1,2,3]}", NULL},
	{"beyond the end: what is between is null when printed", "v0.9", "{'a':[1]}", "/a/3", "4",
         "{'a':[1,null,null,4]}", NULL},
	{"an item is replaced", "v1.0", "{'a':[1,2,3]}", "/a/1", "{'x':1}", "{'a':[1,{'x':1},3]}", NULL},
	{"removing an item keeps the length", "v1.0", "{'a':[1,2,3]}", "/a/1", "null", "{'a':[1,null,3]}", NULL},
	{"removing the last item keeps the length", "v0.9", "{'a':[1,2]}", "/a/1", NULL, "{'a':[1,null]}", NULL},
	{"removing beyond the end does nothing", "v0.9", "{'a':[1]}", "/a/5", NULL, "{'a':[1]}", NULL},
	{"removing what is not there makes nothing", "v1.0", "{'a':1}", "/x/y/z", "null", "{'a':1}", NULL},
	{"removing through a scalar does nothing", "v1.0", "{'a':1}", "/a/b", "null", "{'a':1}", NULL},
	{"null on the way is replaced", "v0.9", "{'a':null}", "/a/b", "1", "{'a':{'b':1}}", NULL},
	{"null on the way is replaced by a list", "v0.9", "{'a':null}", "/a/0", "1", "{'a':[1]}", NULL},
	{"a hole on the way is replaced", "v0.9", "{'a':[1]}", "/a/2/b", "1", "{'a':[1,null,{'b':1}]}", NULL},
	{"not through a number", "v0.9", "{'a':1}", "/a/b", "1", NULL, "Cannot set path"},
	{"not through text", "v0.9", "{'a':'x'}", "/a/0", "1", NULL, "Cannot set path"},
	{"not through false", "v1.0", "{'a':{'b':false}}", "/a/b/c/d", "1", NULL, "Cannot set path"},
	{"no key on a list", "v0.9", "{'a':[1]}", "/a/x", "1", NULL, "non-numeric segment"},
	{"no key on a list on the way", "v0.9", "{'a':[1]}", "/a/x/0", "1", NULL, "non-numeric segment"},
	{"no leading zero on a list", "v0.9", "{'a':[1]}", "/a/00", "1", NULL, "non-numeric segment"},
	{"no minus on a list", "v0.9", "{'a':[1]}", "/a/-", "1", NULL, "non-numeric segment"},
	{"no fraction on a list", "v0.9", "{'a':[1]}", "/a/1.0", "1", NULL, "non-numeric segment"},
	{"not far beyond the end", "v0.9", "{'a':[1]}", "/a/1002", "1", NULL, "Cannot set path"},
	{"no endless index", "v0.9", "{'a':[1]}", "/a/4294967294", "1", NULL, "Cannot set path"},
	{"no index that no number holds", "v0.9", "{'a':[1]}", "/a/99999999999999999999999", "1", NULL,
         "Cannot set path"},
	{"no endless index on a new list", "v0.9", "{}", "/a/999999999", "1", NULL, "Cannot set path"},
	{"a trap", "v0.9", "{}", "/__proto__/polluted", "'yes'", NULL, "__proto__"},
	{"a trap to remove", "v1.0", "{}", "/a/constructor", "null", NULL, "constructor"},
	{"a trap in data is data", "v0.9", "{}", "/a", "{'__proto__':{'x':1}}", "{'a':{'__proto__':{'x':1}}}", NULL},
};

SJ_TEST(one_write_each)
{
	for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
		const struct write *w = &writes[i];
		sj_case("%s", w->name);
		CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
		CHECK_OK(talk_create(&t, w->version, "s"));
		CHECK_OK(talk_data(&t, w->version, "s", "/", w->start));
		CHECK_INT(talk_faults(&t), 0);
		const char *before = talk_model(&t, "s");
		size_t bytes = sj_engine_memory(t.e);
		CHECK_OK(talk_data(&t, w->version, "s", w->path, w->value));
		if (w->refused) {
			CHECK_INT(talk_faults(&t), 1);
			if (!strstr(talk_event(&t, SJ_EV_DIAG, 0)->diag.message, w->refused))
				sj_fail_at(__FILE__, __LINE__, "'%s' does not say '%s'",
				           talk_event(&t, SJ_EV_DIAG, 0)->diag.message, w->refused);
			CHECK_STR(sj_slice_of(talk_model(&t, "s")), before);
			CHECK(sj_engine_memory(t.e) < bytes + 20000); /* nothing grew with the number in the path */
		} else {
			CHECK_INT(talk_faults(&t), 0);
			/* Compared as values: where a new key goes is no matter. */
			struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
			struct sj_value want;
			struct sj_buf text;
			CHECK_OK(sj_value_parse(&t.kept_mem, &opt, sj_slice_of(talk_quote(&t, w->want)), &want, NULL));
			sj_buf_init(&text, &t.kept_mem, 0);
			sj_value_print(&text, &want, SJ_PRINT_UTF16);
			CHECK_SLICE(sj_slice_of(talk_model(&t, "s")), sj_buf_view(&text));
			sj_buf_finish(&text);
			sj_value_unref(&t.kept_mem, want);
		}
		talk_close(&t);
		sj_case_end();
	}
}

/* As far beyond the end as the limits let one go, and not a step further. */
SJ_TEST(the_last_index)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	struct sj_engine_config cfg = {.limits = &l};
	l.array_gap = 5;
	l.array_index = 20;
	CHECK_OK(talk_open(&t, sj_test_mem(), &cfg));
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/a", "[]"));
	static const struct {
		const char *path;
		bool fits;
		uint32_t length;
	} steps[] = {{"/a/6", false, 0},  {"/a/5", true, 6},   {"/a/12", false, 6}, {"/a/11", true, 12},
	             {"/a/17", true, 18}, {"/a/21", false, 18}, {"/a/20", true, 21}, {"/a/20", true, 21},
	             {"/b/6", false, 21}, {"/b/0", true, 21}};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		talk_forget(&t);
		CHECK_OK(talk_data(&t, "v0.9", "s", steps[i].path, "1"));
		CHECK_INT(talk_faults(&t), steps[i].fits ? 0 : 1);
		if (!steps[i].fits)
			CHECK_INT(talk_event(&t, SJ_EV_DIAG, 0)->diag.code, SJ_E_LIMIT);
		struct sj_slice key = SJ_LIT("a");
		CHECK_INT(sj_value_count(sj_surface_get(talk_surface(&t, "s"), SJ_ROOT_DATA, &key, 1)),
		          steps[i].length);
	}
	talk_close(&t);
}

/* ---- reads ------------------------------------------------------------------------------------------------------- */

SJ_TEST(what_a_binding_reads)
{
	static const char *const rows[][2] = {{"/a", "1"},
	                                      {"/a/b", "absent"},
	                                      {"/n", "null"},
	                                      {"/n/x", "absent"},
	                                      {"/l/0", "'p'"},
	                                      {"/l/2", "absent"},
	                                      {"/l/-1", "absent"},
	                                      {"/l/x", "absent"},
	                                      {"/l/00", "absent"},
	                                      {"/l/length", "absent"},
	                                      {"/nope/x", "absent"},
	                                      {"/o/x~1y", "2"},
	                                      {"/o/", "{'':3,'x/y':2}"},
	                                      {"/s/0", "absent"},
	                                      {"a", "1"},
	                                      {"l/1", "'q'"},
	                                      {"/l/4294967296", "absent"},
	                                      {"/l/99999999999999999999", "absent"}};
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(sj_engine_add_permissive(t.e, SJ_LIT("loose"), SJ_V09));
	CHECK_OK(talk_say(&t, "{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':'loose'}}"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/", "{'a':1,'n':null,'l':['p','q'],'o':{'x/y':2,'':3},'s':'text'}"));
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[200];
		sj_case("%s", rows[i][0]);
		snprintf(text, sizeof text, "{'id':'root','component':'Text','text':{'path':'%s'}}", rows[i][0]);
		CHECK_OK(talk_components(&t, "v0.9", "s", text));
		CHECK_STR(sj_slice_of(talk_prop(&t, "s", talk_node(&t, "s", "root"), "text")),
		          talk_quote(&t, rows[i][1]));
		CHECK_INT(talk_faults(&t), 0); /* absent is no fault */
		sj_case_end();
	}
	talk_close(&t);
}

/* A binding with a path that cannot be read is a fault of its property, once. */
SJ_TEST(a_binding_with_a_broken_path)
{
	static const char *const broken[] = {"/a~2", "/__proto__/x", "/constructor"};
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		char text[200];
		sj_case("%s", broken[i]);
		CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
		CHECK_OK(sj_engine_add_permissive(t.e, SJ_LIT("loose"), SJ_V09));
		CHECK_OK(talk_say(&t, "{'version':'v0.9','createSurface':{'surfaceId':'s','catalogId':'loose'}}"));
		snprintf(text, sizeof text, "{'id':'root','component':'Text','text':{'path':'%s'}}", broken[i]);
		CHECK_OK(talk_components(&t, "v0.9", "s", text));
		CHECK_OK(talk_data(&t, "v0.9", "s", "/x", "1"));
		CHECK_INT(talk_faults(&t), 1);
		CHECK(strstr(talk_event(&t, SJ_EV_DIAG, 0)->diag.message, broken[i]) != NULL);
		CHECK_STR(sj_slice_of(talk_at(&t, talk_tree(&t, "s"), "/type")), "\"Text\"");
		talk_close(&t);
		sj_case_end();
	}
}

/* A write that changes nothing is told to nobody; one beside it wakes nobody else. */
SJ_TEST(only_real_changes_are_told)
{
	CHECK_OK(talk_open(&t, sj_test_mem(), NULL));
	CHECK_OK(talk_create(&t, "v0.9", "s"));
	CHECK_OK(talk_components(&t, "v0.9", "s", "{'id':'root','component':'Text','text':{'path':'/foo'}}"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/foo", "'x'"));
	talk_forget(&t);
	CHECK_OK(talk_data(&t, "v0.9", "s", "/foo", "'x'"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/foobar", "'y'"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/", "{'foo':'x','foobar':'z'}"));
	CHECK_OK(talk_data(&t, "v0.9", "s", "/gone/away", NULL));
	CHECK_STR(sj_slice_of(talk_log(&t)), "");
	CHECK_OK(talk_data(&t, "v0.9", "s", "/", "{'foo':'w'}"));
	CHECK_STR(sj_slice_of(talk_log(&t)), "CHANGED s\n");
	talk_close(&t);
}
