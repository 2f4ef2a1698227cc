/* Differences of revisions. */
#include "proto/diff.h"
#include "proto/patch.h"

#include "draft.h"

static const char start[] = SPEC_HEAD
	"\"theme\":{\"mode\":\"dark\"},\"state\":{\"a\":1,\"b\":2},\"root\":{\"type\":\"column\",\"id\":\"all\",\"children\":["
	"{\"type\":\"text\",\"id\":\"t\",\"text\":\"One\",\"style\":{\"alpha\":1}},"
	"{\"type\":\"scroll\",\"id\":\"s\",\"child\":{\"type\":\"spacer\",\"id\":\"x\"}}]}}";

/* Each is compared with `start`, both with ids of their own. */
static const struct {
	const char *name, *after, *want;
} rows[] = {
	{"nothing", start, "{\"added\":[],\"removed\":[],\"changed\":[],\"spec\":[]}"},
	{"fields of a node",
         SPEC_HEAD "\"theme\":{\"mode\":\"dark\"},\"state\":{\"a\":1,\"b\":2},\"root\":{\"type\":\"column\",\"id\":\"all\","
                   "\"children\":[{\"type\":\"text\",\"id\":\"t\",\"text\":\"Two\",\"transition\":\"fade\"},"
                   "{\"type\":\"scroll\",\"id\":\"s\",\"child\":{\"type\":\"spacer\",\"id\":\"x\"}}]}}",
         "{\"added\":[],\"removed\":[],\"changed\":[{\"id\":\"t\",\"fields\":[\"style\",\"text\",\"transition\"]}],"
         "\"spec\":[]}"},
	{"the order of members is nothing",
         SPEC_HEAD "\"state\":{\"b\":2,\"a\":1},\"theme\":{\"mode\":\"dark\"},\"root\":{\"id\":\"all\",\"type\":\"column\","
                   "\"children\":[{\"text\":\"One\",\"type\":\"text\",\"id\":\"t\",\"style\":{\"alpha\":1.0}},"
                   "{\"type\":\"scroll\",\"id\":\"s\",\"child\":{\"type\":\"spacer\",\"id\":\"x\"}}]}}",
         "{\"added\":[],\"removed\":[],\"changed\":[],\"spec\":[]}"},
	{"a node more, another order",
         SPEC_HEAD "\"theme\":{\"mode\":\"dark\"},\"state\":{\"a\":1,\"b\":2},\"root\":{\"type\":\"column\",\"id\":\"all\","
                   "\"children\":[{\"type\":\"scroll\",\"id\":\"s\",\"child\":{\"type\":\"spacer\",\"id\":\"y\"}},"
                   "{\"type\":\"text\",\"id\":\"t\",\"text\":\"One\",\"style\":{\"alpha\":1}}]}}",
         "{\"added\":[\"y\"],\"removed\":[\"x\"],\"changed\":[{\"id\":\"all\",\"fields\":[\"children\"]},"
         "{\"id\":\"s\",\"fields\":[\"child\"]}],\"spec\":[]}"},
	{"the whole",
         "{\"id\":\"q\",\"window\":{\"placement\":{\"type\":\"fullscreen\"}},\"data\":{},\"state\":{\"a\":2,\"c\":1},"
         "\"root\":{\"type\":\"column\",\"id\":\"all\",\"children\":[]},"
         "\"screens\":{\"m\":{\"type\":\"spacer\",\"id\":\"more\"}}}",
         "{\"added\":[\"more\"],\"removed\":[\"t\",\"s\",\"x\"],\"changed\":[{\"id\":\"all\",\"fields\":[\"children\"]}],"
         "\"spec\":[\"data\",\"id\",\"theme\",\"state.a\",\"state.b\",\"state.c\"]}"},
	{"no state",
         SPEC_HEAD "\"theme\":{\"mode\":\"dark\"},\"root\":{\"type\":\"spacer\",\"id\":\"all\"}}",
         "{\"added\":[],\"removed\":[\"t\",\"s\",\"x\"],\"changed\":[{\"id\":\"all\",\"fields\":[\"children\",\"type\"]}],"
         "\"spec\":[\"state.a\",\"state.b\"]}"},
};

static enum sj_status diff_row(struct sj_mem *mem, void *ctx)
{
	size_t i = *(size_t *)ctx;
	struct sj_value a = SJ_ABSENT_VALUE, b = SJ_ABSENT_VALUE, out;
	struct sj_proto_ids ai = {.list = SJ_ABSENT_VALUE}, bi = {.list = SJ_ABSENT_VALUE};
	enum sj_status st = draft_parse(mem, start, &a);
	if (st == SJ_OK)
		st = draft_parse(mem, rows[i].after, &b);
	if (st == SJ_OK)
		st = sj_proto_ids_make(mem, &a, 0, &ai);
	if (st == SJ_OK)
		st = sj_proto_ids_make(mem, &b, 0, &bi);
	if (st == SJ_OK)
		st = sj_proto_diff(mem, &a, &ai, &b, &bi, &out);
	if (st == SJ_OK) {
		CHECK_JSON(&out, rows[i].want);
		sj_value_unref(mem, out);
	}
	sj_proto_ids_release(mem, &ai);
	sj_proto_ids_release(mem, &bi);
	sj_value_unref(mem, a);
	sj_value_unref(mem, b);
	return st;
}

SJ_TEST(differences)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		sj_case("%s", rows[i].name);
		CHECK_OK(diff_row(sj_test_mem(), &i));
		sj_case_end();
	}
}

SJ_TEST(memory_runs_out)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		sj_torture(diff_row, &i);
}

/* A patch changes in the diff what it says it changed. */
SJ_TEST(a_patch_seen_as_a_difference)
{
	struct sj_mem *mem = sj_test_mem();
	struct sj_value spec, ops, out;
	struct sj_proto_ids ids;
	struct sj_proto_patched p;
	struct sj_proto_error e;
	sj_proto_error_init(&e, mem);
	CHECK_OK(draft_parse(mem, start, &spec));
	CHECK_OK(sj_proto_ids_make(mem, &spec, 0, &ids));
	CHECK_OK(draft_parse(mem,
	                     "[{\"op\":\"replaceNode\",\"id\":\"t\",\"node\":{\"type\":\"row\",\"children\":["
	                     "{\"type\":\"spacer\"}]}},{\"op\":\"replace\",\"path\":\"/state/a\",\"value\":5}]",
	                     &ops));
	CHECK_OK(sj_proto_patch(mem, &spec, &ids, &ops, &(struct sj_proto_options){0}, &p, &e));
	CHECK_OK(sj_proto_diff(mem, &spec, &ids, &p.spec, &p.ids, &out));
	CHECK_JSON(&p.changed, "[\"t\",\"~1\"]");
	CHECK_JSON(&out, "{\"added\":[\"~1\"],\"removed\":[],\"changed\":[{\"id\":\"t\",\"fields\":[\"children\",\"id\","
	                 "\"style\",\"text\",\"type\"]}],\"spec\":[\"state.a\"]}");
	sj_value_unref(mem, out);
	sj_proto_patched_release(mem, &p);
	sj_value_unref(mem, ops);
	sj_value_unref(mem, spec);
	sj_proto_ids_release(mem, &ids);
	sj_proto_error_finish(&e);
}
