/* The protocol's schemas: its own test cases, its examples, and mutated messages with and without branch look-up. */
#include "schema/a2ui_set.h"
#include "text/regex.h"

static bool parse(struct sj_arena *arena, struct sj_slice text, struct sj_tape *out)
{
	struct sj_json_options json = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_diag diag = {0};

	return sj_json_parse(arena, &json, text, out, &diag) == SJ_OK;
}

static const struct sj_schema *compile(struct sj_schema_set *set, const struct a2ui_version *v, const char *document)
{
	const struct sj_schema *schema = NULL;
	struct sj_diag diag = {0};
	char uri[600];

	snprintf(uri, sizeof uri, "%s%s", v->base, document);
	if (sj_schema_compile(set, sj_slice_of(uri), &schema, &diag) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s: %s at %s", uri, diag.message, diag.pointer);
	return schema;
}

struct first_fault {
	unsigned count;
	char message[256], keyword[32];
	uint32_t cell;
};

static bool keep_first(void *ctx, const struct sj_schema_fault *f)
{
	struct first_fault *first = ctx;

	if (first->count++ == 0) {
		snprintf(first->message, sizeof first->message, "%s", f->message);
		snprintf(first->keyword, sizeof first->keyword, "%.*s", SJ_ARG(f->keyword));
		first->cell = f->cell;
	}
	return true;
}

/* Runs one {schema, catalog?, tests} file. */
static void run_cases(const struct a2ui_version *v, const char *path, const char *name)
{
	struct sj_arena arena;
	struct sj_tape t;
	char document[128], catalog[160] = "catalogs/basic/catalog.json";

	sj_arena_init(&arena, sj_test_mem(), 0);
	if (!parse(&arena, sj_slurp(path), &t)) {
		sj_fail_at(__FILE__, __LINE__, "%s is not JSON", path);
		sj_arena_finish(&arena);
		return;
	}
	snprintf(document, sizeof document, "%.*s", SJ_ARG(sj_tape_raw(&t, sj_tape_get(&t, 0, SJ_LIT("schema")))));
	uint32_t named = sj_tape_get(&t, 0, SJ_LIT("catalog"));
	if (named)
		snprintf(catalog, sizeof catalog, "test/%.*s", SJ_ARG(sj_tape_raw(&t, named)));
	struct sj_schema_set *set = a2ui_set(v, catalog, false);
	const struct sj_schema *schema = set ? compile(set, v, document) : NULL;
	uint32_t tests = sj_tape_get(&t, 0, SJ_LIT("tests"));
	for (uint32_t i = tests + 1; schema && i < sj_tape_next(&t, tests); i = sj_tape_next(&t, i)) {
		struct first_fault fault = {0};
		bool valid = sj_tape_type(&t, sj_tape_get(&t, i, SJ_LIT("valid"))) == SJ_J_TRUE;
		struct sj_slice what = sj_tape_string(&t, sj_tape_get(&t, i, SJ_LIT("description")), &arena);
		sj_case("%s/%s: %.*s", v->folder, name, SJ_ARG(what));
		enum sj_status got = sj_schema_validate(
			schema, &t, sj_tape_get(&t, i, SJ_LIT("data")), &arena, keep_first, &fault);
		if (got == SJ_LIMIT && !sj_regex_available()) {
			sj_skip("regular expressions are not built in");
		} else {
			CHECK_INT(got, valid ? SJ_OK : SJ_INVALID);
			CHECK_INT(fault.count > 0, !valid);
		}
		if (valid && fault.count)
			sj_fail_at(__FILE__, __LINE__, "%s: %s", fault.keyword, fault.message);
		sj_case_end();
	}
	sj_schema_set_destroy(set);
	sj_arena_finish(&arena);
}

SJ_TEST(specification_cases)
{
	for (size_t i = 0; i < A2UI_VERSIONS; i++) {
		char folder[512], path[1024], **names;
		if (!a2ui_path(&a2ui_versions[i], "test/cases", folder)) {
			sj_skip("the specification of %s is not there", a2ui_versions[i].folder);
			return;
		}
		size_t count = sj_list_dir(folder, ".json", &names);
		CHECK(count >= 8);
		for (size_t n = 0; n < count; n++) {
			snprintf(path, sizeof path, "%s/%s", folder, names[n]);
			run_cases(&a2ui_versions[i], path, names[n]);
		}
	}
}

/* Calls `fn` for every message of every official example of a version. */
typedef void (*message_fn)(void *ctx, const char *file, const struct sj_tape *t, uint32_t cell);

static size_t each_example(const struct a2ui_version *v, message_fn fn, void *ctx)
{
	char folder[512], path[1024], **names;
	size_t messages = 0;

	if (!a2ui_path(v, "catalogs/basic/examples", folder))
		return 0;
	size_t count = sj_list_dir(folder, ".json", &names);
	for (size_t n = 0; n < count; n++) {
		struct sj_arena arena;
		struct sj_tape t;
		snprintf(path, sizeof path, "%s/%s", folder, names[n]);
		sj_arena_init(&arena, sj_test_mem(), 0);
		if (!parse(&arena, sj_slurp(path), &t)) {
			sj_fail_at(__FILE__, __LINE__, "%s is not JSON", path);
		} else {
			uint32_t list = sj_tape_type(&t, 0) == SJ_J_ARRAY ? 0 : sj_tape_get(&t, 0, SJ_LIT("messages"));
			for (uint32_t i = list + 1; i < sj_tape_next(&t, list); i = sj_tape_next(&t, i), messages++)
				fn(ctx, names[n], &t, i);
		}
		sj_arena_finish(&arena);
	}
	return messages;
}

struct checker {
	const struct a2ui_version *v;
	const struct sj_schema *schema;
};

static void check_valid(void *ctx, const char *file, const struct sj_tape *t, uint32_t cell)
{
	struct checker *c = ctx;
	struct sj_arena arena;
	struct first_fault fault = {0};

	sj_arena_init(&arena, sj_test_mem(), 0);
	sj_case("%s/%s at cell %u", c->v->folder, file, (unsigned)cell);
	CHECK_OK(sj_schema_validate(c->schema, t, cell, &arena, keep_first, &fault));
	if (fault.count)
		sj_fail_at(__FILE__, __LINE__, "%s: %s", fault.keyword, fault.message);
	sj_case_end();
	sj_arena_finish(&arena);
}

SJ_TEST(official_examples)
{
	for (size_t i = 0; i < A2UI_VERSIONS; i++) {
		struct checker c = {.v = &a2ui_versions[i]};
		struct sj_schema_set *set = a2ui_set(c.v, "catalogs/basic/catalog.json", false);
		if (!set) {
			sj_skip("the specification of %s is not there", c.v->folder);
			return;
		}
		c.schema = compile(set, c.v, c.v->envelope);
		if (c.schema)
			CHECK(each_example(c.v, check_valid, &c) >= 80);
		sj_schema_set_destroy(set);
	}
}

/* Branch look-up must change no verdict: both ways over messages with a value dropped, swapped or replaced. */

struct mutation {
	const struct sj_schema *fast, *plain;
	uint64_t state;
	unsigned valid, invalid;
};

static uint32_t pick(struct mutation *m, uint32_t below)
{
	m->state = m->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(m->state >> 33) % below;
}

static void compare(struct mutation *m, struct sj_slice text, const char *file)
{
	struct sj_arena arena;
	struct sj_tape t;
	struct first_fault fault = {0};

	sj_arena_init(&arena, sj_test_mem(), 0);
	if (parse(&arena, text, &t)) {
		enum sj_status fast = sj_schema_validate(m->fast, &t, 0, &arena, keep_first, &fault);
		enum sj_status plain = sj_schema_validate(m->plain, &t, 0, &arena, NULL, NULL);
		if (fast != plain || (fast != SJ_OK && fast != SJ_INVALID) || (fault.count > 0) != (fast == SJ_INVALID))
			sj_fail_at(__FILE__, __LINE__, "%s: looked up %d, plain %d, %u faults: %.*s", file, fast, plain,
				fault.count, SJ_ARG(text));
		m->valid += fast == SJ_OK;
		m->invalid += fast == SJ_INVALID;
	}
	sj_arena_finish(&arena);
}

/* One random change to the source of a message; the result need not be JSON. */
static void mutate(struct mutation *m, const struct sj_tape *t, uint32_t cell, struct sj_buf *out)
{
	static const char *const values[] = {"null",
	                                     "true",
	                                     "0",
	                                     "-1.5",
	                                     "\"\"",
	                                     "\"Text\"",
	                                     "[]",
	                                     "{}",
	                                     "\"2024-02-30\"",
	                                     "{\"path\":\"/a\"}",
	                                     "{\"call\":\"required\",\"args\":{\"value\":1}}",
	                                     "{\"call\":\"@index\"}",
	                                     "[\"a\"]",
	                                     "1e3"};
	struct sj_slice whole = sj_tape_source(t, cell);
	uint32_t at = cell + 1 + pick(m, sj_tape_next(t, cell) - cell - 1), from;
	struct sj_slice old = sj_tape_source(t, at), other;
	bool key = t->cells[at].flags & SJ_CELL_KEY;

	do
		from = cell + 1 + pick(m, sj_tape_next(t, cell) - cell - 1);
	while (key && !(t->cells[from].flags & SJ_CELL_KEY));
	other = sj_tape_source(t, from);
	if (!key && pick(m, 2))
		other = sj_slice_of(values[pick(m, sizeof values / sizeof *values)]);
	sj_buf_put(out, whole.ptr, (size_t)(old.ptr - whole.ptr));
	if (key && pick(m, 3) == 0)
		sj_buf_puts(out, "\"extra\":1,");
	if (key && pick(m, 3) == 0)
		sj_buf_slice(out, old);
	else
		sj_buf_slice(out, other);
	const char *rest = old.ptr + old.len;
	sj_buf_put(out, rest, (size_t)(whole.ptr + whole.len - rest));
}

static void mutate_message(void *ctx, const char *file, const struct sj_tape *t, uint32_t cell)
{
	struct mutation *m = ctx;

	for (unsigned round = 0; round < 40; round++) {
		struct sj_buf text;
		sj_buf_init(&text, sj_test_mem(), 0);
		mutate(m, t, cell, &text);
		compare(m, sj_buf_view(&text), file);
		sj_buf_finish(&text);
	}
}

SJ_TEST(looking_branches_up_changes_no_verdict)
{
	for (size_t i = 0; i < A2UI_VERSIONS; i++) {
		const struct a2ui_version *v = &a2ui_versions[i];
		struct sj_schema_set *fast = a2ui_set(v, "catalogs/basic/catalog.json", false);
		struct sj_schema_set *plain = a2ui_set(v, "catalogs/basic/catalog.json", true);
		struct mutation m = {.state = 20240229};
		if (!fast || !plain) {
			sj_skip("the specification of %s is not there", v->folder);
		} else {
			m.fast = compile(fast, v, v->envelope);
			m.plain = compile(plain, v, v->envelope);
			if (m.fast && m.plain)
				each_example(v, mutate_message, &m);
			CHECK(m.valid > 500 && m.invalid > 1000);
		}
		sj_schema_set_destroy(fast);
		sj_schema_set_destroy(plain);
	}
}
