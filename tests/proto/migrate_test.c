/* Stored values across an edit: the plan, and what it makes of values. */
#include "proto/migrate.h"

#include "draft.h"

#define SPEC(stored, state) SPEC_HEAD "\"stored\":" stored ",\"state\":" state ",\"root\":{\"type\":\"spacer\"}}"
#define BARE SPEC_HEAD "\"root\":{\"type\":\"spacer\"}}"

static const struct {
	const char *name, *before, *after, *plan, *values, *want;
} rows[] = {
	{"nothing is stored", BARE, BARE, "{\"keys\":[],\"begins\":[]}", "{\"x\":1}", "{}"},
	{"kept", SPEC("[\"a\",\"b\"]", "{\"a\":1,\"b\":\"x\"}"), SPEC("[\"b\",\"a\"]", "{\"a\":5,\"b\":\"y\"}"),
         "{\"keys\":[{\"key\":\"a\",\"do\":\"keep\"},{\"key\":\"b\",\"do\":\"keep\"}],\"begins\":[]}",
         "{\"a\":7,\"b\":\"z\"}", "{\"a\":7,\"b\":\"z\"}"},
	{"dropped", SPEC("[\"a\"]", "{\"a\":1}"), BARE, "{\"keys\":[{\"key\":\"a\",\"do\":\"drop\"}],\"begins\":[]}",
         "{\"a\":7}", "{}"},
	{"declared still, stored no more", SPEC("[\"a\"]", "{\"a\":1}"), SPEC("[\"zz\"]", "{\"a\":1,\"zz\":true}"),
         "{\"keys\":[{\"key\":\"a\",\"do\":\"drop\"}],\"begins\":[\"zz\"]}", "{\"a\":7}", "{}"},
	{"renamed: case and dashes", SPEC("[\"user_name\"]", "{\"user_name\":\"\"}"),
         SPEC("[\"userName\"]", "{\"userName\":\"x\"}"),
         "{\"keys\":[{\"key\":\"user_name\",\"do\":\"rename\",\"to\":\"userName\"}],\"begins\":[]}",
         "{\"user_name\":\"Ada\"}", "{\"userName\":\"Ada\"}"},
	{"renamed: a part of the name", SPEC("[\"count\"]", "{\"count\":0}"),
         SPEC("[\"itemCount\"]", "{\"itemCount\":5}"),
         "{\"keys\":[{\"key\":\"count\",\"do\":\"rename\",\"to\":\"itemCount\"}],\"begins\":[]}", "{\"count\":3}",
         "{\"itemCount\":3}"},
	{"renamed: one letter", SPEC("[\"colour\"]", "{\"colour\":\"r\"}"), SPEC("[\"color\"]", "{\"color\":\"g\"}"),
         "{\"keys\":[{\"key\":\"colour\",\"do\":\"rename\",\"to\":\"color\"}],\"begins\":[]}", "{\"colour\":\"b\"}",
         "{\"color\":\"b\"}"},
	{"renamed: the same beginning", SPEC("[\"volume\"]", "{\"volume\":40}"), SPEC("[\"loud\"]", "{\"loud\":40}"),
         "{\"keys\":[{\"key\":\"volume\",\"do\":\"rename\",\"to\":\"loud\"}],\"begins\":[]}", "{\"volume\":55}",
         "{\"loud\":55}"},
	{"nothing in common", SPEC("[\"volume\"]", "{\"volume\":40}"), SPEC("[\"speed\"]", "{\"speed\":1}"),
         "{\"keys\":[{\"key\":\"volume\",\"do\":\"drop\"}],\"begins\":[\"speed\"]}", "{\"volume\":55}", "{}"},
	{"two candidates are none", SPEC("[\"name\"]", "{\"name\":\"\"}"),
         SPEC("[\"firstName\",\"lastName\"]", "{\"firstName\":\"a\",\"lastName\":\"b\"}"),
         "{\"keys\":[{\"key\":\"name\",\"do\":\"drop\"}],\"begins\":[\"firstName\",\"lastName\"]}",
         "{\"name\":\"Ada\"}", "{}"},
	{"two for one are none", SPEC("[\"firstName\",\"lastName\"]", "{\"firstName\":\"a\",\"lastName\":\"b\"}"),
         SPEC("[\"name\"]", "{\"name\":\"\"}"),
         "{\"keys\":[{\"key\":\"firstName\",\"do\":\"drop\"},{\"key\":\"lastName\",\"do\":\"drop\"}],"
         "\"begins\":[\"name\"]}",
         "{\"firstName\":\"Ada\"}", "{}"},
	{"another type is no rename", SPEC("[\"count\"]", "{\"count\":0}"), SPEC("[\"counts\"]", "{\"counts\":\"\"}"),
         "{\"keys\":[{\"key\":\"count\",\"do\":\"drop\"}],\"begins\":[\"counts\"]}", "{\"count\":3}", "{}"},
	{"a name comes before a beginning", SPEC("[\"alpha\",\"other\"]", "{\"alpha\":1,\"other\":2}"),
         SPEC("[\"alphas\"]", "{\"alphas\":2}"),
         "{\"keys\":[{\"key\":\"alpha\",\"do\":\"rename\",\"to\":\"alphas\"},{\"key\":\"other\",\"do\":\"drop\"}],"
         "\"begins\":[]}",
         "{\"alpha\":3,\"other\":4}", "{\"alphas\":3}"},
	{"a key that is kept is no candidate", SPEC("[\"a\",\"name\"]", "{\"a\":1,\"name\":\"\"}"),
         SPEC("[\"name\"]", "{\"name\":\"\"}"),
         "{\"keys\":[{\"key\":\"a\",\"do\":\"drop\"},{\"key\":\"name\",\"do\":\"keep\"}],\"begins\":[]}",
         "{\"a\":1,\"name\":\"x\"}", "{\"name\":\"x\"}"},
	{"a number becomes a text", SPEC("[\"k\"]", "{\"k\":1}"), SPEC("[\"k\"]", "{\"k\":\"\"}"),
         "{\"keys\":[{\"key\":\"k\",\"do\":\"transform\",\"from\":\"number\",\"into\":\"string\"}],\"begins\":[]}",
         "{\"k\":2.50}", "{\"k\":\"2.5\"}"},
	{"a text becomes a number", SPEC("[\"k\"]", "{\"k\":\"1\"}"), SPEC("[\"k\"]", "{\"k\":1}"),
         "{\"keys\":[{\"key\":\"k\",\"do\":\"transform\",\"from\":\"string\",\"into\":\"number\"}],\"begins\":[]}",
         "{\"k\":\"-1e2\"}", "{\"k\":-100}"},
	{"a text that is no number", SPEC("[\"k\"]", "{\"k\":\"1\"}"), SPEC("[\"k\"]", "{\"k\":1}"),
         "{\"keys\":[{\"key\":\"k\",\"do\":\"transform\",\"from\":\"string\",\"into\":\"number\"}],\"begins\":[]}",
         "{\"k\":\" 12\"}", "{}"},
	{"a text beyond all numbers", SPEC("[\"k\"]", "{\"k\":\"1\"}"), SPEC("[\"k\"]", "{\"k\":1}"),
         "{\"keys\":[{\"key\":\"k\",\"do\":\"transform\",\"from\":\"string\",\"into\":\"number\"}],\"begins\":[]}",
         "{\"k\":\"1e999\"}", "{}"},
	{"a boolean becomes a text", SPEC("[\"k\"]", "{\"k\":true}"), SPEC("[\"k\"]", "{\"k\":\"\"}"),
         "{\"keys\":[{\"key\":\"k\",\"do\":\"transform\",\"from\":\"boolean\",\"into\":\"string\"}],\"begins\":[]}",
         "{\"k\":false}", "{\"k\":\"false\"}"},
	{"a text becomes a boolean", SPEC("[\"k\"]", "{\"k\":\"\"}"), SPEC("[\"k\"]", "{\"k\":true}"),
         "{\"keys\":[{\"key\":\"k\",\"do\":\"transform\",\"from\":\"string\",\"into\":\"boolean\"}],\"begins\":[]}",
         "{\"k\":\"true\"}", "{\"k\":true}"},
	{"a text that is no boolean", SPEC("[\"k\"]", "{\"k\":\"\"}"), SPEC("[\"k\"]", "{\"k\":true}"),
         "{\"keys\":[{\"key\":\"k\",\"do\":\"transform\",\"from\":\"string\",\"into\":\"boolean\"}],\"begins\":[]}",
         "{\"k\":\"yes\"}", "{}"},
	{"a number becomes a boolean", SPEC("[\"k\"]", "{\"k\":0}"), SPEC("[\"k\"]", "{\"k\":true}"),
         "{\"keys\":[{\"key\":\"k\",\"do\":\"transform\",\"from\":\"number\",\"into\":\"boolean\"}],\"begins\":[]}",
         "{\"k\":0}", "{\"k\":false}"},
	{"a boolean becomes a number", SPEC("[\"k\"]", "{\"k\":true}"), SPEC("[\"k\"]", "{\"k\":0}"),
         "{\"keys\":[{\"key\":\"k\",\"do\":\"transform\",\"from\":\"boolean\",\"into\":\"number\"}],\"begins\":[]}",
         "{\"k\":true}", "{\"k\":1}"},
	{"a value of a type it should not have", SPEC("[\"k\",\"l\"]", "{\"k\":true,\"l\":1}"),
         SPEC("[\"k\",\"l\"]", "{\"k\":true,\"l\":1}"),
         "{\"keys\":[{\"key\":\"k\",\"do\":\"keep\"},{\"key\":\"l\",\"do\":\"keep\"}],\"begins\":[]}",
         "{\"k\":\"true\",\"l\":null}", "{}"},
};

static enum sj_status migrate_row(struct sj_mem *mem, void *ctx)
{
	size_t i = *(size_t *)ctx;
	struct sj_value before = SJ_ABSENT_VALUE, after = SJ_ABSENT_VALUE, values = SJ_ABSENT_VALUE;
	struct sj_value plan = SJ_ABSENT_VALUE, out;
	enum sj_status st = draft_parse(mem, rows[i].before, &before);
	if (st == SJ_OK)
		st = draft_parse(mem, rows[i].after, &after);
	if (st == SJ_OK)
		st = draft_parse(mem, rows[i].values, &values);
	if (st == SJ_OK)
		st = sj_proto_migrate_plan(mem, &before, &after, &plan);
	if (st == SJ_OK) {
		CHECK_JSON(&plan, rows[i].plan);
		st = sj_proto_migrate(mem, &plan, &after, &values, &out);
	}
	if (st == SJ_OK) {
		CHECK_JSON(&out, rows[i].want);
		sj_value_unref(mem, out);
	}
	sj_value_unref(mem, plan);
	sj_value_unref(mem, values);
	sj_value_unref(mem, after);
	sj_value_unref(mem, before);
	return st;
}

SJ_TEST(plans)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		sj_case("%s", rows[i].name);
		CHECK_OK(migrate_row(sj_test_mem(), &i));
		sj_case_end();
	}
}

SJ_TEST(memory_runs_out)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		sj_torture(migrate_row, &i);
}
