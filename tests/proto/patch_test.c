/* Patches of drafts: each operation, each refusal with its place, and what holds for all of them. */
#include "proto/patch.h"

#include "draft.h"
#include "harness/random.h"

static const char start[] = SPEC_HEAD
	"\"state\":{\"name\":\"Ada\",\"on\":true,\"n\":1},\"data\":{\"list\":[1,2,3],\"user\":{\"a/b\":\"x\"}},"
	"\"root\":{\"type\":\"column\",\"id\":\"all\",\"children\":["
	"{\"type\":\"text\",\"id\":\"title\",\"text\":\"One\"},{\"type\":\"switch\",\"stateKey\":\"on\"},"
	"{\"type\":\"card\",\"id\":\"card\",\"children\":[{\"type\":\"text\",\"id\":\"inner\",\"text\":\"In\"},"
	"{\"type\":\"textField\",\"stateKey\":\"name\"}]}]},"
	"\"screens\":{\"more\":{\"type\":\"box\",\"id\":\"more\",\"children\":[]}}}";

struct draft {
	struct sj_value spec;
	struct sj_proto_ids ids;
};

static enum sj_status draft_init(struct draft *d, struct sj_mem *mem, const char *text)
{
	enum sj_status st = draft_parse(mem, text, &d->spec);
	if (st == SJ_OK && (st = sj_proto_ids_make(mem, &d->spec, 0, &d->ids)) != SJ_OK)
		sj_value_unref(mem, d->spec);
	return st;
}

static void draft_finish(struct draft *d, struct sj_mem *mem)
{
	sj_proto_ids_release(mem, &d->ids);
	sj_value_unref(mem, d->spec);
}

static enum sj_status run(struct sj_mem *mem, const struct draft *d, const char *ops, struct sj_proto_patched *out,
                          struct sj_proto_error *e)
{
	struct sj_value list;
	struct sj_proto_options opt = {.library = true};
	enum sj_status st = draft_parse(mem, ops, &list);
	if (st != SJ_OK)
		return st;
	st = sj_proto_patch(mem, &d->spec, &d->ids, &list, &opt, out, e);
	sj_value_unref(mem, list);
	return st;
}

/* Ops that go through: what is at `pointer` afterwards (NULL: nothing), the ids, and which of them were put in. */
static const struct {
	const char *name, *ops, *pointer, *want, *ids, *changed;
} good[] = {
	{"a text", "[{\"op\":\"replaceNode\",\"id\":\"title\",\"node\":{\"type\":\"text\",\"text\":\"Two\"}}]",
         "/root/children/0", "{\"type\":\"text\",\"text\":\"Two\"}",
         "[\"all\",\"title\",\"~1\",\"card\",\"inner\",\"~2\",\"more\"]", "[\"title\"]"},
	{"a node by its number",
         "[{\"op\":\"replaceNode\",\"id\":\"~1\",\"node\":{\"type\":\"checkbox\",\"stateKey\":\"on\"}}]",
         "/root/children/1/type", "\"checkbox\"", "[\"all\",\"title\",\"~1\",\"card\",\"inner\",\"~2\",\"more\"]",
         "[\"~1\"]"},
	{"more nodes than before",
         "[{\"op\":\"replaceNode\",\"id\":\"~1\",\"node\":{\"type\":\"row\",\"id\":\"bar\",\"children\":["
         "{\"type\":\"text\",\"id\":\"new\",\"text\":\"\"},{\"type\":\"text\",\"text\":\"\"},"
         "{\"type\":\"text\",\"id\":\"title\",\"text\":\"\"}]}}]",
         "/root/children/1/id", "\"bar\"",
         "[\"all\",\"title\",\"~1\",\"new\",\"~3\",\"~4\",\"card\",\"inner\",\"~2\",\"more\"]",
         "[\"~1\",\"new\",\"~3\",\"~4\"]"},
	{"fewer nodes than before",
         "[{\"op\":\"replaceNode\",\"id\":\"card\",\"node\":{\"type\":\"card\",\"children\":[]}}]",
         "/root/children/2/children", "[]", "[\"all\",\"title\",\"~1\",\"card\",\"more\"]", "[\"card\"]"},
	{"an inner id comes back to life",
         "[{\"op\":\"replaceNode\",\"id\":\"card\",\"node\":{\"type\":\"card\",\"children\":["
         "{\"type\":\"text\",\"id\":\"inner\",\"text\":\"\"}]}}]",
         "/root/children/2/children/0/text", "\"\"", "[\"all\",\"title\",\"~1\",\"card\",\"inner\",\"more\"]",
         "[\"card\",\"inner\"]"},
	{"the same node twice",
         "[{\"op\":\"replaceNode\",\"id\":\"title\",\"node\":{\"type\":\"spacer\"}},"
         "{\"op\":\"replaceNode\",\"id\":\"title\",\"node\":{\"type\":\"text\",\"text\":\"3\"}}]",
         "/root/children/0/type", "\"text\"", "[\"all\",\"title\",\"~1\",\"card\",\"inner\",\"~2\",\"more\"]",
         "[\"title\"]"},
	{"an inner node, then the one around it",
         "[{\"op\":\"replaceNode\",\"id\":\"inner\",\"node\":{\"type\":\"spacer\"}},"
         "{\"op\":\"replaceNode\",\"id\":\"card\",\"node\":{\"type\":\"spacer\"}}]",
         "/root/children/2", "{\"type\":\"spacer\"}", "[\"all\",\"title\",\"~1\",\"card\",\"more\"]", "[\"card\"]"},
	{"the root of a screen",
         "[{\"op\":\"replaceNode\",\"id\":\"more\",\"node\":{\"type\":\"text\",\"text\":\"M\"}}]", "/screens/more/text",
         "\"M\"", "[\"all\",\"title\",\"~1\",\"card\",\"inner\",\"~2\",\"more\"]", "[\"more\"]"},
	{"data is added to", "[{\"op\":\"add\",\"path\":\"/data/list/-\",\"value\":4}]", "/data/list", "[1,2,3,4]",
         NULL, "[]"},
	{"data is put between", "[{\"op\":\"add\",\"path\":\"/data/list/1\",\"value\":{\"a\":[]}}]", "/data/list",
         "[1,{\"a\":[]},2,3]", NULL, "[]"},
	{"data is replaced", "[{\"op\":\"replace\",\"path\":\"/data/user/a~1b\",\"value\":null}]", "/data/user",
         "{\"a/b\":null}", NULL, "[]"},
	{"data is removed", "[{\"op\":\"remove\",\"path\":\"/data/list/0\"}]", "/data/list", "[2,3]", NULL, "[]"},
	{"all data is replaced", "[{\"op\":\"add\",\"path\":\"/data\",\"value\":{}}]", "/data", "{}", NULL, "[]"},
	{"all data is removed", "[{\"op\":\"remove\",\"path\":\"/data\"}]", "/data", NULL, NULL, "[]"},
	{"state is replaced", "[{\"op\":\"replace\",\"path\":\"/state/name\",\"value\":\"Bob\"}]", "/state/name",
         "\"Bob\"", NULL, "[]"},
	{"state is added", "[{\"op\":\"add\",\"path\":\"/state/more\",\"value\":2.5}]", "/state/more", "2.5", NULL,
         "[]"},
	{"state is removed", "[{\"op\":\"remove\",\"path\":\"/state/n\"}]", "/state/n", NULL, NULL, "[]"},
	{"a test that holds",
         "[{\"op\":\"test\",\"path\":\"/state/n\",\"value\":1},{\"op\":\"test\",\"path\":\"/data/list\",\"value\":[1,2,3]},"
         "{\"op\":\"replace\",\"path\":\"/state/n\",\"value\":2}]",
         "/state/n", "2", NULL, "[]"},
};

SJ_TEST(operations)
{
	struct sj_mem *mem = sj_test_mem();
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct draft d;
		struct sj_proto_patched out;
		struct sj_proto_error e;
		sj_case("%s", good[i].name);
		sj_proto_error_init(&e, mem);
		CHECK_OK(draft_init(&d, mem, start));
		enum sj_status st = run(mem, &d, good[i].ops, &out, &e);
		CHECK_STR(sj_buf_view(&e.message), "");
		if (st == SJ_OK) {
			const struct sj_value *at = sj_value_at(&out.spec, sj_slice_of(good[i].pointer));
			if (at && good[i].want)
				CHECK_JSON(at, good[i].want);
			CHECK(!at == !good[i].want);
			CHECK_JSON(&out.ids.list,
			           good[i].ids ? good[i].ids
			                       : "[\"all\",\"title\",\"~1\",\"card\",\"inner\",\"~2\",\"more\"]");
			CHECK_JSON(&out.changed, good[i].changed);
			CHECK_INT(strlen(out.locality), 64);
			sj_proto_patched_release(mem, &out);
		}
		CHECK_JSON(&d.spec, start);
		draft_finish(&d, mem);
		sj_proto_error_finish(&e);
		sj_case_end();
	}
}

static const struct {
	const char *name, *ops, *path, *message;
} bad[] = {
	{"no list", "{}", "ops", "Expected array"},
	{"an empty list", "[]", "ops", "Array length out of range"},
	{"no object", "[1]", "ops[0]", "Expected object"},
	{"no operation", "[{\"path\":\"/data\"}]", "ops[0].op",
         "Unknown operation: use add, replace, remove, test or replaceNode"},
	{"an unknown operation", "[{\"op\":\"move\",\"from\":\"/data\",\"path\":\"/data\"}]", "ops[0].op",
         "Unknown operation: use add, replace, remove, test or replaceNode"},
	{"an unknown member", "[{\"op\":\"remove\",\"path\":\"/data/list\",\"value\":1}]", "ops[0].value",
         "Unknown property"},
	{"the first unknown member", "[{\"op\":\"remove\",\"zz\":1,\"b\":1,\"path\":\"/data\"}]", "ops[0].b",
         "Unknown property"},
	{"no path", "[{\"op\":\"add\",\"value\":1}]", "ops[0].path", "Required property"},
	{"no value", "[{\"op\":\"add\",\"path\":\"/data/x\"}]", "ops[0].value", "Required property"},
	{"no id", "[{\"op\":\"replaceNode\",\"node\":{}}]", "ops[0].id", "Required property"},
	{"no node", "[{\"op\":\"replaceNode\",\"id\":\"title\"}]", "ops[0].node", "Required property"},
	{"a path that is a number", "[{\"op\":\"remove\",\"path\":1}]", "ops[0].path", "Invalid string value"},
	{"a path that is no pointer", "[{\"op\":\"remove\",\"path\":\"/data/~\"}]", "ops[0].path",
         "Not a JSON Pointer"},
	{"the tree by path", "[{\"op\":\"replace\",\"path\":\"/root/children/0/text\",\"value\":\"x\"}]", "ops[0].path",
         "Patches write below /data and /state: replaceNode changes the tree"},
	{"the window by path", "[{\"op\":\"add\",\"path\":\"/window/opacity\",\"value\":1}]", "ops[0].path",
         "Patches write below /data and /state: replaceNode changes the tree"},
	{"the whole", "[{\"op\":\"replace\",\"path\":\"\",\"value\":{}}]", "ops[0].path",
         "Patches write below /data and /state: replaceNode changes the tree"},
	{"a neighbour of data", "[{\"op\":\"add\",\"path\":\"/database\",\"value\":{}}]", "ops[0].path",
         "Patches write below /data and /state: replaceNode changes the tree"},
	{"state as a whole", "[{\"op\":\"replace\",\"path\":\"/state\",\"value\":{}}]", "ops[0].path",
         "Patches write below /data and /state: replaceNode changes the tree"},
	{"below a state key", "[{\"op\":\"add\",\"path\":\"/state/name/x\",\"value\":1}]", "ops[0].path",
         "Invalid state key"},
	{"a bad state key", "[{\"op\":\"add\",\"path\":\"/state/a-b\",\"value\":1}]", "ops[0].path",
         "Invalid state key"},
	{"state that is a list", "[{\"op\":\"add\",\"path\":\"/state/l\",\"value\":[]}]", "ops[0].value",
         "State holds strings, numbers and booleans"},
	{"state that is null", "[{\"op\":\"replace\",\"path\":\"/state/n\",\"value\":null}]", "ops[0].value",
         "State holds strings, numbers and booleans"},
	{"state that is not there", "[{\"op\":\"replace\",\"path\":\"/state/q\",\"value\":1}]", "ops[0].path",
         "There is nothing at the path: \"/state/q\""},
	{"data that is not there", "[{\"op\":\"remove\",\"path\":\"/data/q/r\"}]", "ops[0].path",
         "There is nothing at the path: \"/data/q/r\""},
	{"beyond the end of a list", "[{\"op\":\"add\",\"path\":\"/data/list/4\",\"value\":1}]", "ops[0].path",
         "The index lies beyond the end of the array: \"/data/list/4\""},
	{"a dash to replace", "[{\"op\":\"replace\",\"path\":\"/data/list/-\",\"value\":1}]", "ops[0].path",
         "There is nothing at the path: \"/data/list/-\""},
	{"through a text", "[{\"op\":\"add\",\"path\":\"/data/user/a~1b/c\",\"value\":1}]", "ops[0].path",
         "The path goes through something that is neither array nor object: \"/data/user/a~1b/c\""},
	{"a test that fails",
         "[{\"op\":\"replace\",\"path\":\"/state/n\",\"value\":7},{\"op\":\"test\",\"path\":\"/state/n\",\"value\":1}]",
         "ops[1].value", "The value at the path is another one: \"/state/n\""},
	{"an unknown id", "[{\"op\":\"replaceNode\",\"id\":\"x\",\"node\":{}}]", "ops[0].id",
         "Unknown node id: the outline lists those there are"},
	{"an id that is no text", "[{\"op\":\"replaceNode\",\"id\":1,\"node\":{}}]", "ops[0].id",
         "Invalid string value"},
	{"the root", "[{\"op\":\"replaceNode\",\"id\":\"all\",\"node\":{\"type\":\"spacer\"}}]", "ops[0].id",
         "The root cannot be replaced"},
	{"a node that is gone",
         "[{\"op\":\"replaceNode\",\"id\":\"card\",\"node\":{\"type\":\"spacer\"}},"
         "{\"op\":\"replaceNode\",\"id\":\"inner\",\"node\":{\"type\":\"spacer\"}}]",
         "ops[1].id", "An earlier operation replaced a node around this one"},
	{"a node that is no object", "[{\"op\":\"replaceNode\",\"id\":\"card\",\"node\":[]}]", "ops[0].node",
         "Expected object"},
	/* What the result gets wrong is told where the spec has it. */
	{"a bad node", "[{\"op\":\"replaceNode\",\"id\":\"inner\",\"node\":{\"type\":\"text\"}}]",
         "root.children[2].children[0].text", "Required property"},
	{"a state key that is needed", "[{\"op\":\"remove\",\"path\":\"/state/name\"}]",
         "root.children[2].children[1].stateKey", "Text field requires a string state key"},
	{"data that is no object", "[{\"op\":\"replace\",\"path\":\"/data\",\"value\":[]}]", "data", "Expected object"},
	{"a use of a component",
         "[{\"op\":\"replaceNode\",\"id\":\"inner\",\"node\":{\"type\":\"use\",\"component\":\"c\"}}]",
         "root.children[2].children[0].component", "Unknown component \"c\""},
};

SJ_TEST(refusals)
{
	struct sj_mem *mem = sj_test_mem();
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct draft d;
		struct sj_proto_patched out;
		struct sj_proto_error e;
		sj_case("%s", bad[i].name);
		sj_proto_error_init(&e, mem);
		CHECK_OK(draft_init(&d, mem, start));
		enum sj_status st = run(mem, &d, bad[i].ops, &out, &e);
		CHECK_INT(st, SJ_INVALID);
		if (st == SJ_OK)
			sj_proto_patched_release(mem, &out);
		CHECK_STR(sj_buf_view(&e.path), bad[i].path);
		CHECK_STR(sj_buf_view(&e.message), bad[i].message);
		CHECK_JSON(&d.spec, start);
		draft_finish(&d, mem);
		sj_proto_error_finish(&e);
		sj_case_end();
	}
}

SJ_TEST(as_many_operations_as_allowed)
{
	struct sj_mem *mem = sj_test_mem();
	for (int n = SJ_PROTO_PATCH_OPS; n <= SJ_PROTO_PATCH_OPS + 1; n++) {
		struct draft d;
		struct sj_buf ops;
		struct sj_proto_patched out;
		struct sj_proto_error e;
		sj_buf_init(&ops, mem, 0);
		sj_proto_error_init(&e, mem);
		for (int i = 0; i < n; i++)
			sj_buf_printf(&ops, "%c{\"op\":\"add\",\"path\":\"/data/list/-\",\"value\":%d}", i ? ',' : '[',
			              i);
		sj_buf_putc(&ops, ']');
		CHECK_OK(draft_init(&d, mem, start));
		enum sj_status st = run(mem, &d, ops.ptr, &out, &e);
		CHECK_INT(st, n > SJ_PROTO_PATCH_OPS ? SJ_INVALID : SJ_OK);
		CHECK_STR(sj_buf_view(&e.path), st == SJ_OK ? "" : "ops");
		if (st == SJ_OK) {
			CHECK_INT(sj_value_count(sj_value_at(&out.spec, SJ_LIT("/data/list"))), 67);
			sj_proto_patched_release(mem, &out);
		}
		draft_finish(&d, mem);
		sj_proto_error_finish(&e);
		sj_buf_finish(&ops);
	}
}

SJ_TEST(data_and_state_begin_with_the_first_of_it)
{
	struct sj_mem *mem = sj_test_mem();
	struct draft d;
	struct sj_proto_patched out;
	struct sj_proto_error e;
	sj_proto_error_init(&e, mem);
	CHECK_OK(draft_init(&d, mem, SPEC_HEAD "\"root\":{\"type\":\"spacer\"}}"));
	CHECK_OK(run(mem, &d,
	             "[{\"op\":\"add\",\"path\":\"/data/a\",\"value\":[]},{\"op\":\"add\",\"path\":\"/state/k\",\"value\":1}]",
	             &out, &e));
	CHECK_JSON(&out.spec, SPEC_HEAD "\"root\":{\"type\":\"spacer\"},\"data\":{\"a\":[]},\"state\":{\"k\":1}}");
	sj_proto_patched_release(mem, &out);
	draft_finish(&d, mem);
	sj_proto_error_finish(&e);
}

/* The last one is the hash of the whole, as another program computed it.
 *
 * The hash is that of what was left alone: whatever takes the place of the same node, it is the same one. */
SJ_TEST(locality)
{
	struct sj_mem *mem = sj_test_mem();
	static const char *const ops[] = {
		"[{\"op\":\"replaceNode\",\"id\":\"title\",\"node\":{\"type\":\"text\",\"text\":\"Two\"}}]",
		"[{\"op\":\"replaceNode\",\"id\":\"title\",\"node\":{\"type\":\"row\",\"children\":[{\"type\":\"spacer\"}]}}]",
		"[{\"op\":\"replaceNode\",\"id\":\"inner\",\"node\":{\"type\":\"text\",\"text\":\"Two\"}}]",
		"[{\"op\":\"add\",\"path\":\"/data/x\",\"value\":1}]",
		"[{\"op\":\"add\",\"path\":\"/data/y\",\"value\":[1]},{\"op\":\"remove\",\"path\":\"/data/list\"}]",
		"[{\"op\":\"test\",\"path\":\"/data/list/0\",\"value\":1}]",
	};
	char hash[6][SJ_PROTO_HASH_TEXT];
	struct draft d;
	struct sj_proto_error e;
	sj_proto_error_init(&e, mem);
	CHECK_OK(draft_init(&d, mem, start));
	for (int i = 0; i < 6; i++) {
		struct sj_proto_patched out;
		CHECK_OK(run(mem, &d, ops[i], &out, &e));
		memcpy(hash[i], out.locality, sizeof hash[i]);
		sj_proto_patched_release(mem, &out);
	}
	CHECK_STR(sj_slice_of(hash[0]), hash[1]);
	CHECK(memcmp(hash[0], hash[2], sizeof hash[0]) != 0);
	CHECK_STR(sj_slice_of(hash[3]), hash[4]);
	CHECK(memcmp(hash[3], hash[0], sizeof hash[0]) != 0);
	CHECK_STR(sj_slice_of(hash[5]), "b5364198763aa1e4f861d9d450a6a74bba8438570dc2a5a4f4809597294918a2");
	draft_finish(&d, mem);
	sj_proto_error_finish(&e);
}

static void put_random_node(struct sj_random *r, struct sj_buf *out, int depth)
{
	uint32_t kind = sj_random_below(r, depth > 3 ? 2 : 4);
	sj_buf_printf(out, "{\"type\":\"%s\"", (const char *const[]){"text", "spacer", "row", "card"}[kind]);
	if (sj_random_below(r, 2))
		sj_buf_printf(out, ",\"id\":\"n%u\"", sj_random_below(r, 12));
	if (kind == 0)
		sj_buf_printf(out, ",\"text\":\"t%u\"", sj_random_below(r, 100));
	if (kind > 1) {
		sj_buf_puts(out, ",\"children\":[");
		for (uint32_t n = sj_random_below(r, 4), i = 0; i < n; i++) {
			if (i)
				sj_buf_putc(out, ',');
			put_random_node(r, out, depth + 1);
		}
		sj_buf_putc(out, ']');
	}
	sj_buf_putc(out, '}');
}

static void check_unique(const struct sj_proto_ids *ids)
{
	for (uint32_t i = 0; i < sj_value_count(&ids->list); i++)
		CHECK_INT(sj_proto_id_find(ids, sj_proto_id_at(ids, i)), i);
}

/* A hundred drafts are changed over and over: each revision prints as it did when it was made, whatever came after it;
 * every node outside keeps its id and its text; ids are unique and numbers never come back. */
SJ_TEST(revisions_never_alias)
{
	enum { DRAFTS = 100, STEPS = 12 };
	struct sj_mem *mem = sj_test_mem();
	for (uint32_t seed = 0; seed < DRAFTS; seed++) {
		struct sj_random r = {seed};
		struct sj_value specs[STEPS + 1];
		struct sj_proto_ids ids[STEPS + 1];
		struct sj_buf texts[STEPS + 1], ops;
		uint32_t made = 0;
		sj_buf_init(&ops, mem, 0);
		sj_buf_puts(&ops, SPEC_HEAD "\"root\":{\"type\":\"column\",\"id\":\"top\",\"children\":[");
		put_random_node(&r, &ops, 0);
		sj_buf_putc(&ops, ',');
		put_random_node(&r, &ops, 0);
		sj_buf_puts(&ops, "]}}");
		CHECK_OK(draft_parse(mem, ops.ptr, &specs[0]));
		CHECK_OK(sj_proto_ids_make(mem, &specs[0], 0, &ids[0]));
		for (;;) {
			sj_buf_init(&texts[made], mem, 0);
			sj_value_print(&texts[made], &specs[made], SJ_PRINT_COMPACT);
			check_unique(&ids[made]);
			if (made == STEPS || sj_value_count(&ids[made].list) < 2)
				break;
			struct draft d = {specs[made], ids[made]};
			struct sj_proto_patched out;
			struct sj_proto_error e;
			uint32_t target = 1 + sj_random_below(&r, sj_value_count(&ids[made].list) - 1);
			sj_proto_error_init(&e, mem);
			sj_buf_clear(&ops);
			sj_buf_printf(&ops, "[{\"op\":\"replaceNode\",\"id\":\"%.*s\",\"node\":",
			              SJ_ARG(sj_proto_id_at(&ids[made], target)));
			put_random_node(&r, &ops, 2);
			sj_buf_puts(&ops, "}]");
			CHECK_OK(run(mem, &d, ops.ptr, &out, &e));
			sj_proto_error_finish(&e);
			if (sj_failed())
				break;
			made++;
			specs[made] = out.spec;
			ids[made] = out.ids;
			CHECK(ids[made].next >= ids[made - 1].next);
			CHECK(sj_slice_eq(sj_proto_id_at(&ids[made], target), sj_proto_id_at(&ids[made - 1], target)));
			for (uint32_t i = 0; i < target; i++)
				CHECK(sj_slice_eq(sj_proto_id_at(&ids[made], i), sj_proto_id_at(&ids[made - 1], i)));
			/* Nobody may write into one revision through another. */
			struct sj_value own = sj_value_ref(specs[made]);
			enum sj_status st;
			struct sj_value *root = sj_value_own_member(mem, &own, SJ_LIT("root"), &st);
			CHECK_OK(sj_value_set(mem, root, SJ_LIT("type"), sj_value_int(1)));
			sj_value_unref(mem, own);
			sj_value_unref(mem, out.changed);
		}
		for (uint32_t i = 0; i <= made; i++) {
			sj_buf_clear(&ops);
			sj_value_print(&ops, &specs[i], SJ_PRINT_COMPACT);
			CHECK_SLICE(sj_buf_view(&ops), sj_buf_view(&texts[i]));
			sj_buf_finish(&texts[i]);
			sj_value_unref(mem, specs[i]);
			sj_proto_ids_release(mem, &ids[i]);
		}
		sj_buf_finish(&ops);
	}
}

static enum sj_status patch_all(struct sj_mem *mem, void *ctx)
{
	struct draft d;
	struct sj_proto_patched out;
	struct sj_proto_error e;
	enum sj_status st = draft_init(&d, mem, start);
	if (st != SJ_OK)
		return st;
	sj_proto_error_init(&e, mem);
	st = run(mem, &d, ctx, &out, &e);
	if (st == SJ_OK)
		sj_proto_patched_release(mem, &out);
	else if (st == SJ_INVALID) /* what it should be */
		st = SJ_OK;
	CHECK_JSON(&d.spec, start);
	draft_finish(&d, mem);
	sj_proto_error_finish(&e);
	return st;
}

SJ_TEST(memory_runs_out)
{
	static char all[] = "[{\"op\":\"add\",\"path\":\"/data/list/-\",\"value\":\"a text that is longer than a value\"},"
			    "{\"op\":\"replace\",\"path\":\"/state/name\",\"value\":\"a text that is longer than a value\"},"
			    "{\"op\":\"test\",\"path\":\"/data/user/a~1b\",\"value\":\"x\"},"
			    "{\"op\":\"replaceNode\",\"id\":\"card\",\"node\":{\"type\":\"row\",\"children\":["
			    "{\"type\":\"text\",\"id\":\"inner\",\"text\":\"\"},{\"type\":\"text\",\"text\":\"\"}]}}]";
	static char refused[] = "[{\"op\":\"replaceNode\",\"id\":\"nobody\",\"node\":{}}]";
	sj_torture(patch_all, all);
	sj_torture(patch_all, refused);
}
