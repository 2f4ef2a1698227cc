/* Component and call checks: the fast walk agrees with the schema engine, and both with the official composition. */
#include "a2ui/catalog_help.h"
#include "a2ui/catalog_internal.h"

struct bench {
	const struct spec *spec;
	struct sj_catalog *c;
	const struct sj_schema *official;
	enum sj_dialect dialect;
	struct mutator m;
	unsigned valid, invalid, fast;
};

static void judge(struct bench *b, struct sj_slice text, const char *file)
{
	struct sj_arena arena;
	struct sj_tape t;
	struct seen_faults seen = {0};
	sj_arena_init(&arena, sj_test_mem(), 0);
	if (parse_json(&arena, text, &t)) {
		uint32_t type = get(&t, 0, "component");
		const struct sj_a2ui_component *comp =
			type && sj_tape_type(&t, type) == SJ_J_STRING
				? sj_catalog_component(b->c, sj_tape_string(&t, type, &arena))
				: NULL;
		if (comp) {
			const struct sj_schema *schema;
			bool fast = sj_cat_fast_component(b->c, (const struct sj_cat_component *)(const void *)comp,
			                                  b->dialect, &t, 0);
			CHECK_OK(sj_cat_schema(b->c, b->dialect, SJ_CAT_COMPONENT, comp->index, &schema, NULL));
			enum sj_status slow = sj_schema_validate(schema, &t, 0, &arena, NULL, NULL);
			if (fast && slow != SJ_OK)
				sj_fail_at(__FILE__, __LINE__, "%s: accepted too fast: %.*s", file, SJ_ARG(text));
			enum sj_status whole =
				sj_catalog_check_component(b->c, comp, b->dialect, &t, 0, &arena, see_fault, &seen);
			if ((whole == SJ_INVALID) != (seen.count > 0))
				sj_fail_at(__FILE__, __LINE__, "%s: %d with %u faults: %.*s", file, whole, seen.count,
				           SJ_ARG(text));
			if (b->dialect == SJ_DIALECT_BARE && whole != slow)
				sj_fail_at(__FILE__, __LINE__, "%s: whole %d, engine %d: %.*s", file, whole, slow,
				           SJ_ARG(text));
			enum sj_status official =
				b->official ? sj_schema_validate(b->official, &t, 0, &arena, NULL, NULL) : whole;
			if (whole != official)
				sj_fail_at(__FILE__, __LINE__, "%s: ours %d, official %d (%s): %.*s", file, whole,
				           official, seen.message, SJ_ARG(text));
			b->valid += whole == SJ_OK;
			b->invalid += whole == SJ_INVALID;
			b->fast += fast;
		}
	}
	sj_arena_finish(&arena);
}

static void judge_component(void *ctx, const char *file, const struct sj_tape *t, uint32_t cell)
{
	struct bench *b = ctx;
	struct sj_buf text, changed;
	struct sj_arena arena;
	struct sj_tape own, again;
	sj_buf_init(&text, sj_test_mem(), 0);
	sj_buf_init(&changed, sj_test_mem(), 0);
	sj_arena_init(&arena, sj_test_mem(), 0);
	if (b->dialect == SJ_DIALECT_RESERVED)
		to_reserved(&text, t, cell);
	else
		sj_buf_slice(&text, sj_tape_source(t, cell));
	judge(b, sj_buf_view(&text), file);
	CHECK(parse_json(&arena, sj_buf_view(&text), &own));
	for (unsigned round = 0; round < 60 && !sj_failed(); round++) {
		sj_buf_clear(&changed);
		mutate(&b->m, &own, 0, &changed);
		judge(b, sj_buf_view(&changed), file);
		/* And one more change on top, sometimes. */
		struct sj_arena inner;
		sj_arena_init(&inner, sj_test_mem(), 0);
		if (pick(&b->m, 3) == 0 && parse_json(&inner, sj_buf_view(&changed), &again) &&
		    again.cells[0].len > 0) {
			struct sj_buf twice;
			sj_buf_init(&twice, sj_test_mem(), 0);
			mutate(&b->m, &again, 0, &twice);
			judge(b, sj_buf_view(&twice), file);
			sj_buf_finish(&twice);
		}
		sj_arena_finish(&inner);
	}
	sj_arena_finish(&arena);
	sj_buf_finish(&changed);
	sj_buf_finish(&text);
}

static void judge_message(void *ctx, const char *file, const struct sj_tape *t, uint32_t cell)
{
	each_component(t, cell, judge_component, ctx, file);
}

static bool add(struct sj_schema_set *set, const char *base, const char *name, struct sj_slice text)
{
	char uri[400];
	struct sj_diag diag = {0};
	snprintf(uri, sizeof uri, "%s%s", base, name);
	if (text.ptr && sj_schema_set_add(set, sj_slice_of(uri), text, &diag) == SJ_OK)
		return true;
	sj_fail_at(__FILE__, __LINE__, "%s: %s", uri, diag.message);
	return false;
}

/* The published documents of a version. v1.0: any function counts as known, since nested calls are the driver's there.
 */
static struct sj_schema_set *official_set(const struct spec *s, bool any_function)
{
	struct sj_schema_options opt = {.assert_format = true};
	struct sj_schema_set *set = NULL;
	char path[200];
	CHECK_OK(sj_schema_set_create(sj_test_mem(), &opt, &set));
	snprintf(path, sizeof path, "specification/%s/json/common_types.json", s->folder);
	add(set, s->base, "common_types.json", a2ui_file(path));
	snprintf(path, sizeof path, "specification/%s/json/%s", s->folder, s->envelope);
	add(set, s->base, s->envelope, a2ui_file(path));
	snprintf(path, sizeof path, "specification/%s/catalogs/basic/catalog.json", s->folder);
	struct sj_slice catalog = a2ui_file(path);
	struct sj_arena arena;
	struct sj_tape t;
	struct sj_buf text;
	sj_arena_init(&arena, sj_test_mem(), 0);
	sj_buf_init(&text, sj_test_mem(), 0);
	if (any_function && parse_json(&arena, catalog, &t)) {
		struct sj_slice all = sj_tape_source(&t, get(&t, get(&t, 0, "$defs"), "anyFunction"));
		sj_buf_put(&text, catalog.ptr, (size_t)(all.ptr - catalog.ptr));
		sj_buf_puts(&text, "{\"properties\":{\"call\":{\"not\":{\"const\":\"@index\"}}}}");
		sj_buf_put(&text, all.ptr + all.len, catalog.len - (size_t)(all.ptr + all.len - catalog.ptr));
		catalog = sj_buf_view(&text);
	}
	add(set, s->base, "catalog.json", catalog);
	sj_buf_finish(&text);
	sj_arena_finish(&arena);
	return set;
}

static void run(const struct spec *s, enum sj_dialect d, uint64_t seed)
{
	struct bench b = {.spec = s, .dialect = d, .m = {.state = seed, .reserved = d == SJ_DIALECT_RESERVED}};
	struct sj_schema_set *set = NULL;
	if (!a2ui_file("specification/v1_0/json/common_types.json").ptr) {
		sj_skip("the specification is not there");
		return;
	}
	if (d == SJ_DIALECT_BARE) {
		char uri[300];
		set = official_set(s, s->v == SJ_V10);
		snprintf(uri, sizeof uri, "%s%s", s->base,
		         s->v == SJ_V10 ? "agent_to_renderer.json#/$defs/Component"
		                        : "catalog.json#/$defs/anyComponent");
		CHECK_OK(sj_schema_compile(set, sj_slice_of(uri), &b.official, NULL));
	}
	CHECK_OK(sj_catalog_basic(sj_test_mem(), s->v, NULL, NULL, &b.c));
	CHECK(each_message(s, judge_message, &b) >= 80);
	CHECK(b.valid > 3000 && b.invalid > 5000);
	if (b.fast * 100 < b.valid * 90)
		sj_fail_at(__FILE__, __LINE__, "only %u of %u valid components took the fast way", b.fast, b.valid);
	sj_catalog_destroy(b.c);
	sj_schema_set_destroy(set);
}

SJ_TEST(components_of_v09_are_judged_as_published) { run(&specs[0], SJ_DIALECT_BARE, 9); }
SJ_TEST(components_of_v091_are_judged_as_published) { run(&specs[1], SJ_DIALECT_BARE, 91); }
SJ_TEST(components_of_v10_are_judged_as_published) { run(&specs[2], SJ_DIALECT_BARE, 10); }
SJ_TEST(fast_and_slow_agree_on_reserved_keys) { run(&specs[2], SJ_DIALECT_RESERVED, 101); }
