/* Grammars: whatever they produce is valid, and what the protocol's examples say they can produce. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/test.h"
#include "infer/grammar.h"
#include "infer/gbnf.h"
#include "infer/schema_walk.h"

static struct sj_slice data_file(const char *relative)
{
	char path[600];
	snprintf(path, sizeof path, "a2ui/%s", relative);
	const char *found = sj_data(path);
	return found ? sj_slurp(found) : SJ_NO_SLICE;
}

/* ---- what the validator says ------------------------------------------------------------------------------------- */

struct verdict {
	uint32_t envelope, graph, data, values; /* faults by what they are about; values: of evaluation */
	char first[1600];
};

static void read_events(struct sj_engine *e, struct verdict *v)
{
	struct sj_event ev;
	while (sj_engine_next(e, &ev) == SJ_OK) {
		if (ev.kind != SJ_EV_DIAG)
			continue;
		uint32_t *count = ev.diag->category == SJ_CAT_INTEGRITY || ev.diag->category == SJ_CAT_RECURSION
		                          ? &v->graph
		                  : ev.diag->category == SJ_CAT_DATA       ? &v->data
		                  : ev.diag->category == SJ_CAT_EXPRESSION ? &v->values
		                                                           : &v->envelope;
		if (++*count == 1 && (count == &v->envelope || !v->first[0]))
			snprintf(v->first, sizeof v->first, "%s at %s", ev.diag->message, ev.diag->pointer);
	}
}

static bool see_fault(void *ctx, const struct sj_schema_fault *f)
{
	struct verdict *v = ctx;
	if (v->envelope++ == 0)
		snprintf(v->first, sizeof v->first, "%s (%.*s)", f->message, SJ_ARG(f->keyword));
	return true;
}

/* Every component of the sentence alone against its catalog: a message that is refused for its graph is not looked at
 * any further by the engine. */
static void check_components(struct sj_slice sentence, const struct sj_catalog *const *catalogs, uint32_t n,
                             enum sj_dialect d, struct verdict *v)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_arena arena;
	struct sj_tape t;
	struct sj_diag diag = {0};
	sj_arena_init(&arena, sj_test_mem(), 0);
	if (sj_json_parse(&arena, &opt, sentence, &t, &diag) != SJ_OK) {
		v->envelope++;
		snprintf(v->first, sizeof v->first, "not JSON: %s", diag.message);
	}
	for (uint32_t i = 0; v->envelope == 0 && i < t.count; i++) {
		if (!(t.cells[i].flags & SJ_CELL_KEY) || !sj_tape_string_is(&t, i, SJ_LIT("components")) ||
		    sj_tape_type(&t, i + 1) != SJ_J_ARRAY)
			continue;
		for (uint32_t c = sj_tape_first(&t, i + 1); c < t.cells[i + 1].end; c = sj_tape_next(&t, c)) {
			if (sj_tape_type(&t, c) != SJ_J_OBJECT || !sj_tape_get(&t, c, SJ_LIT("component")))
				continue;
			uint32_t own = sj_tape_get(&t, c, SJ_LIT("catalogId"));
			const struct sj_catalog *catalog = catalogs[0];
			for (uint32_t k = 0; own && k < n; k++)
				if (sj_tape_string_is(&t, own, sj_catalog_id(catalogs[k])))
					catalog = catalogs[k];
			struct sj_slice type = sj_tape_string(&t, sj_tape_get(&t, c, SJ_LIT("component")), &arena);
			const struct sj_a2ui_component *row = sj_catalog_component(catalog, type);
			/* Alone, a catalog takes a call without a catalogId for its own; beside others it is the
			 * first's. */
			if (n == 1)
				sj_catalog_check_alone(catalog, d, &t, c, &arena, see_fault, v);
			else if (row)
				sj_catalog_check_component(catalog, row, d, &t, c, &arena, see_fault, v);
			else
				v->envelope++;
		}
	}
	sj_arena_finish(&arena);
}

/* ---- catalogs ---------------------------------------------------------------------------------------------------- */

struct ground {
	const char *name;
	enum sj_version v;
	enum sj_dialect d;
	const char *files[2]; /* of catalogs; none: the basic one */
	const char *own;      /* one of the repository */
};

static const struct ground grounds[] = {
	{"basic v0.9", SJ_V09, SJ_DIALECT_BARE, {NULL}},
	{"basic v0.9.1", SJ_V091, SJ_DIALECT_BARE, {NULL}},
	{"basic v1.0", SJ_V10, SJ_DIALECT_BARE, {NULL}},
	{"basic v1.0, reserved keys", SJ_V10, SJ_DIALECT_RESERVED, {NULL}},
	{"published v0.9", SJ_V09, SJ_DIALECT_BARE, {"specification/v0_9/catalogs/basic/catalog.json"}},
	{"published v0.9.1", SJ_V091, SJ_DIALECT_BARE, {"specification/v0_9_1/catalogs/basic/catalog.json"}},
	{"published v1.0", SJ_V10, SJ_DIALECT_RESERVED, {"specification/v1_0/catalogs/basic/catalog.json"}},
	{"minimal v0.9", SJ_V09, SJ_DIALECT_BARE, {"specification/v0_9/catalogs/minimal/catalog.json"}},
	{"simplified v0.9", SJ_V09, SJ_DIALECT_BARE, {"conformance/test_data/simplified_catalog_v09.json"}},
	{"simplified v1.0",
         SJ_V10,
         SJ_DIALECT_RESERVED,
         {"conformance/test_data/catalogs/simplified_catalog_v1_0.json"}},
	{"forms v1.0", SJ_V10, SJ_DIALECT_RESERVED, {"conformance/test_data/catalogs/forms_catalog_v1_0.json"}},
	{"testing v1.0", SJ_V10, SJ_DIALECT_BARE, {"specification/v1_0/test/testing_catalog.json"}},
	{"odd v0.9", SJ_V09, SJ_DIALECT_BARE, {NULL}, "tests/infer/odd_v09.json"},
	{"odd v1.0", SJ_V10, SJ_DIALECT_BARE, {NULL}, "tests/infer/odd_v10.json"},
	{"odd v1.0, reserved keys", SJ_V10, SJ_DIALECT_RESERVED, {NULL}, "tests/infer/odd_v10.json"},
	{"forms and custom v1.0",
         SJ_V10,
         SJ_DIALECT_RESERVED,
         {"conformance/test_data/catalogs/forms_catalog_v1_0.json",
          "conformance/test_data/catalogs/custom_catalog_v1_0.json"}},
};
enum { GROUNDS = sizeof grounds / sizeof *grounds };

/* Catalogs of a ground, registered with a new engine. NULL: the data is not there. */
static struct sj_engine *engine_of(const struct ground *g, const struct sj_catalog *catalogs[2], uint32_t *n,
                                   bool strict)
{
	struct sj_engine_config cfg = {.size = sizeof cfg, .no_basic = g->files[0] || g->own, .strict = strict};
	struct sj_engine *e;
	*n = 0;
	if (sj_engine_create(&cfg, &e) != SJ_OK)
		return NULL;
	for (unsigned i = 0; i < 2 && (g->files[i] || (g->own && i == 0)); i++) {
		struct sj_diag diag = {0};
		struct sj_slice text = g->own ? sj_slurp(sj_root(g->own)) : data_file(g->files[i]);
		if (!text.ptr) {
			sj_engine_destroy(e);
			return NULL;
		}
		if (sj_engine_add_catalog(e, text, SJ_NO_SLICE, SJ_VERSION_NONE, &diag) != SJ_OK)
			sj_fail_at(__FILE__, __LINE__, "%s: %s", g->name, diag.message);
		catalogs[(*n)++] = sj_engine_catalog_at(e, sj_engine_catalog_count(e) - 1);
	}
	for (uint32_t i = 0; *n == 0 && i < sj_engine_catalog_count(e); i++) {
		const struct sj_catalog *c = sj_engine_catalog_at(e, i);
		if (sj_version_compatible(sj_catalog_version(c), g->v) && sj_catalog_component_count(c) >= 18)
			catalogs[(*n)++] = c;
	}
	return e;
}

static struct gbnf *grammar_of(const struct sj_grammar_options *opt, const char *what)
{
	struct sj_buf text;
	struct sj_diag diag = {0};
	const char *why = NULL;
	uint32_t line = 0;
	struct gbnf *g = NULL;
	sj_buf_init(&text, sj_test_mem(), 0);
	if (sj_grammar_gbnf(sj_test_mem(), opt, &text, &diag) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s: %s", what, diag.message);
	else if (!(g = gbnf_parse(sj_buf_view(&text), &why, &line)))
		sj_fail_at(__FILE__, __LINE__, "%s: line %u: %s", what, line, why);
	sj_buf_finish(&text);
	return g;
}

/* The seed and the number of walks can be said from outside, for long runs. */
static uint32_t walks_wanted(uint32_t otherwise)
{
	const char *text = getenv("SHOJI_WALKS");
	return text ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

/* ---- random walks ------------------------------------------------------------------------------------------------ */

static void walk(const struct ground *ground, const struct sj_grammar_options *more, uint32_t walks)
{
	const struct sj_catalog *catalogs[2];
	uint32_t n;
	struct sj_engine *e = engine_of(ground, catalogs, &n, false);
	if (!e) {
		sj_skip("the public data is not there");
		return;
	}
	struct sj_grammar_options opt = *more;
	opt.catalogs = catalogs;
	opt.ncatalogs = n;
	opt.version = ground->v;
	opt.dialect = ground->d;
	struct gbnf *g = grammar_of(&opt, ground->name);
	uint64_t seed = 20261201;
	struct sj_buf text;
	sj_buf_init(&text, sj_test_mem(), 0);
	uint32_t graph = 0, data = 0, values = 0, bad = 0;
	size_t bytes = 0;
	for (uint32_t i = 0; g && i < walks && bad < 3; i++) {
		struct verdict v = {0};
		sj_buf_clear(&text);
		gbnf_random(g, &seed, 100 + test_random(&seed, 1200), &text);
		bytes += text.len;
		check_components(sj_buf_view(&text), catalogs, n, ground->d, &v);
		uint32_t peer;
		CHECK_OK(sj_engine_peer_open(e, SJ_LIT("agent"), &peer));
		CHECK_OK(sj_engine_feed(e, peer, text.ptr, text.len));
		CHECK_OK(sj_engine_feed_end(e, peer));
		read_events(e, &v);
		sj_engine_peer_close(e, peer);
		while (sj_engine_view_count(e) > 0)
			sj_fail_at(__FILE__, __LINE__, "a view is left");
		struct verdict rest = {0};
		read_events(e, &rest);
		graph += v.graph > 0;
		data += v.data > 0;
		values += v.values > 0;
		bool fine = v.envelope == 0 && (opt.ids != SJ_GRAMMAR_IDS_TREE || v.graph == 0);
		if (!fine) {
			bad++;
			sj_fail_at(__FILE__, __LINE__, "%s: walk %u: %s\n%.*s", ground->name, i, v.first,
			           (int)(text.len > 3000 ? 3000 : text.len), text.ptr);
		}
	}
	if (g && getenv("SHOJI_WALKS"))
		fprintf(stderr, "%s: %u rules, %u walks, %zu bytes, graph faults in %u, data faults in %u, evaluation faults in %u\n", ground->name,
		        gbnf_rules(g), walks, bytes, graph, data, values);
	sj_buf_finish(&text);
	if (g)
		gbnf_free(g);
	sj_engine_destroy(e);
}

SJ_TEST(random_walks)
{
	for (unsigned i = 0; i < GROUNDS; i++) {
		sj_case("walks: %s", grounds[i].name);
		walk(&grounds[i],
		     &(struct sj_grammar_options){.messages = SJ_GRAMMAR_CREATE | SJ_GRAMMAR_UPDATE | SJ_GRAMMAR_DATA |
		                                              SJ_GRAMMAR_DELETE,
		                                  .compact = i % 2},
		     walks_wanted(300));
		sj_case_end();
	}
}

/* ---- patches of surfaces that live ------------------------------------------------------------------------------- */

static const struct {
	enum sj_version v;
	const char *folder;
} examples[] = {
	{SJ_V09, "specification/v0_9/catalogs/basic/examples"},
	{SJ_V091, "specification/v0_9_1/catalogs/basic/examples"},
	{SJ_V10, "specification/v1_0/catalogs/basic/examples"},
};
enum { EXAMPLES = sizeof examples / sizeof *examples };

struct tally {
	uint32_t files, surfaces, unfit, walks, bad;
	size_t bytes;
};

static bool feed(struct sj_engine *e, uint32_t peer, struct sj_slice text, struct verdict *v)
{
	*v = (struct verdict){0};
	CHECK_OK(sj_engine_feed(e, peer, text.ptr, text.len));
	CHECK_OK(sj_engine_feed_end(e, peer));
	read_events(e, v);
	return v->envelope + v->graph + v->data == 0;
}

/* One example: what it makes is patched at random, each time anew. Strict, but for components that lose their place. */
static void patch_example(struct sj_engine *e, struct sj_slice text, const char *name, uint32_t walks, struct tally *t)
{
	uint32_t peer;
	struct verdict v;
	t->files++;
	CHECK_OK(sj_engine_peer_open(e, SJ_LIT("agent"), &peer));
	bool whole = feed(e, peer, text, &v);
	uint32_t n = sj_engine_view_count(e);
	struct gbnf *g = NULL;
	struct sj_grammar_surface s = {.version = SJ_VERSION_NONE};
	if (whole && n == 1) {
		struct sj_view *view = sj_engine_view_at(e, 0);
		CHECK_OK(sj_grammar_surface_of(e, view, &s));
		const struct sj_catalog *catalog = NULL;
		for (uint32_t i = 0; i < sj_engine_catalog_count(e); i++)
			if (sj_slice_eq(sj_catalog_id(sj_engine_catalog_at(e, i)), s.catalog_id))
				catalog = sj_engine_catalog_at(e, i);
		CHECK(catalog != NULL);
		struct sj_grammar_options opt = {.catalogs = &catalog, .ncatalogs = 1, .surface = &s,
		                                 .messages = SJ_GRAMMAR_PATCH, .compact = t->files % 2};
		g = grammar_of(&opt, name);
		sj_grammar_surface_finish(e, &s);
		t->surfaces++;
	} else {
		t->unfit++;
	}
	sj_engine_peer_close(e, peer);
	read_events(e, &v);
	uint64_t seed = 7 + t->files;
	struct sj_buf patch;
	sj_buf_init(&patch, sj_test_mem(), 0);
	for (uint32_t i = 0; g && i < walks && t->bad < 3; i++) {
		sj_buf_clear(&patch);
		gbnf_random(g, &seed, 20 + test_random(&seed, 400), &patch);
		t->bytes += patch.len;
		t->walks++;
		CHECK_OK(sj_engine_peer_open(e, SJ_LIT("agent"), &peer));
		CHECK(feed(e, peer, text, &v));
		if (!feed(e, peer, sj_buf_view(&patch), &v)) {
			t->bad++;
			sj_fail_at(__FILE__, __LINE__, "%s: %s\n%.*s", name, v.first,
			           (int)(patch.len > 2000 ? 2000 : patch.len), patch.ptr);
		}
		sj_engine_peer_close(e, peer);
		read_events(e, &v);
	}
	sj_buf_finish(&patch);
	if (g)
		gbnf_free(g);
}

SJ_TEST(patches_of_examples)
{
	uint32_t walks = walks_wanted(0) ? walks_wanted(0) / 40 : 6;
	for (unsigned i = 0; i < EXAMPLES; i++) {
		struct tally t = {0};
		char folder[600], path[1300], **names;
		struct sj_engine_config cfg = {.size = sizeof cfg, .strict = true, .strictness.allow_orphans = true};
		struct sj_engine *e;
		sj_case("patches: %s", examples[i].folder);
		snprintf(folder, sizeof folder, "a2ui/%s", examples[i].folder);
		const char *found = sj_data(folder);
		if (!found) {
			sj_skip("the public data is not there");
			sj_case_end();
			continue;
		}
		snprintf(folder, sizeof folder, "%s", found);
		CHECK_OK(sj_engine_create(&cfg, &e));
		size_t count = sj_list_dir(folder, ".json", &names);
		for (size_t k = 0; k < count; k++) {
			snprintf(path, sizeof path, "%s/%s", folder, names[k]);
			patch_example(e, sj_slurp(path), names[k], walks, &t);
		}
		/* What is put together piece by piece is no whole surface to the strict while it grows. */
		CHECK(t.surfaces >= 30);
		if (getenv("SHOJI_WALKS"))
			fprintf(stderr, "%s: %u files, %u surfaces, %u unfit, %u walks, %zu bytes\n", examples[i].folder, t.files,
			        t.surfaces, t.unfit, t.walks, t.bytes);
		sj_engine_destroy(e);
		sj_case_end();
	}
}

/* ---- trees ------------------------------------------------------------------------------------------------------- */

SJ_TEST(trees)
{
	for (unsigned i = 0; i < GROUNDS; i++) {
		const struct sj_catalog *catalogs[2];
		uint32_t n, bad = 0, deepest = 0;
		sj_case("trees: %s", grounds[i].name);
		struct sj_engine *e = engine_of(&grounds[i], catalogs, &n, true);
		if (!e) {
			sj_skip("the public data is not there");
			sj_case_end();
			continue;
		}
		struct sj_grammar_options opt = {.catalogs = catalogs,
		                                 .ncatalogs = n,
		                                 .version = grounds[i].v,
		                                 .dialect = grounds[i].d,
		                                 .messages = SJ_GRAMMAR_CREATE,
		                                 .ids = SJ_GRAMMAR_IDS_TREE,
		                                 .compact = i % 2};
		struct gbnf *g = grammar_of(&opt, grounds[i].name);
		struct sj_buf text;
		uint64_t seed = 99 + i;
		sj_buf_init(&text, sj_test_mem(), 0);
		for (uint32_t k = 0; g && k < walks_wanted(200) && bad < 3; k++) {
			struct verdict v;
			uint32_t peer;
			sj_buf_clear(&text);
			gbnf_random(g, &seed, 50 + test_random(&seed, 1500), &text);
			CHECK_OK(sj_engine_peer_open(e, SJ_LIT("agent"), &peer));
			/* Strict: not one fault of any kind but of evaluation. */
			if (!feed(e, peer, sj_buf_view(&text), &v)) {
				bad++;
				sj_fail_at(__FILE__, __LINE__, "%s: walk %u: %s\n%.*s", grounds[i].name, k, v.first,
				           (int)(text.len > 3000 ? 3000 : text.len), text.ptr);
			}
			CHECK_INT(sj_engine_view_count(e), 1);
			uint32_t components = sj_component_count(sj_view_surface(sj_engine_view_at(e, 0)));
			CHECK(components >= 1);
			deepest = components > deepest ? components : deepest;
			sj_engine_peer_close(e, peer);
			read_events(e, &v);
		}
		CHECK(deepest >= 3 || grounds[i].own ||
		      sj_catalog_component_count(catalogs[0]) < 3); /* odd ones hold nothing */
		if (g && getenv("SHOJI_WALKS"))
			fprintf(stderr, "%s: %u rules, up to %u components\n", grounds[i].name, gbnf_rules(g), deepest);
		sj_buf_finish(&text);
		if (g)
			gbnf_free(g);
		sj_engine_destroy(e);
		sj_case_end();
	}
}

/* ---- schemas ----------------------------------------------------------------------------------------------------- */

static bool schema_of(const struct sj_grammar_options *opt, const char *what, struct sj_value *out)
{
	struct sj_buf text;
	struct sj_diag diag = {0};
	struct sj_json_options json = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	sj_buf_init(&text, sj_test_mem(), 0);
	bool ok = sj_grammar_schema(sj_test_mem(), opt, &text, &diag) == SJ_OK;
	if (!ok)
		sj_fail_at(__FILE__, __LINE__, "%s: %s", what, diag.message);
	/* Duplicate keys in a schema would be a fault of ours: the reader refuses them. */
	if (ok && sj_value_parse(sj_test_mem(), &json, sj_buf_view(&text), out, &diag) != SJ_OK) {
		sj_fail_at(__FILE__, __LINE__, "%s: %s at %zu", what, diag.message, (size_t)diag.offset);
		ok = false;
	}
	sj_buf_finish(&text);
	return ok;
}

/* The same schema in our own validator. */
static struct sj_schema_set *validator_of(const struct sj_value *schema, const struct sj_schema **out)
{
	struct sj_schema_options opt = {.assert_format = true};
	struct sj_schema_set *set;
	struct sj_diag diag = {0};
	struct sj_buf text;
	sj_buf_init(&text, sj_test_mem(), 0);
	sj_value_print(&text, schema, SJ_PRINT_COMPACT);
	CHECK_OK(sj_schema_set_create(sj_test_mem(), &opt, &set));
	if (sj_schema_set_add(set, SJ_LIT("mem:schema"), sj_buf_view(&text), &diag) != SJ_OK ||
	    sj_schema_compile(set, SJ_LIT("mem:schema"), out, &diag) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s at %s", diag.message, diag.pointer);
	sj_buf_finish(&text);
	return set;
}

static bool is_valid(const struct sj_schema *schema, struct sj_slice text, struct verdict *v)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_arena arena;
	struct sj_tape t;
	*v = (struct verdict){0};
	sj_arena_init(&arena, sj_test_mem(), 0);
	bool ok = sj_json_parse(&arena, &opt, text, &t, NULL) == SJ_OK &&
	          sj_schema_validate(schema, &t, 0, &arena, see_fault, v) == SJ_OK;
	sj_arena_finish(&arena);
	return ok;
}

static void walk_schema(const struct ground *ground, bool strict, uint32_t walks)
{
	static const char *const subset[] = {"type",    "properties",  "required", "additionalProperties",
	                                     "items",   "anyOf",       "enum",     "$ref",
	                                     "$defs",   "description", "pattern",  "format",
	                                     "minimum", "maximum",     "minItems", "maxItems",
	                                     NULL};
	const struct sj_catalog *catalogs[2];
	uint32_t n, bad = 0, refused = 0;
	struct sj_engine *e = engine_of(ground, catalogs, &n, false);
	struct sj_value schema = SJ_ABSENT_VALUE;
	if (!e) {
		sj_skip("the public data is not there");
		return;
	}
	struct sj_slice keys[] = {SJ_LIT("name"), SJ_LIT("path"), SJ_LIT("n\xc3\xa9")};
	struct sj_grammar_options opt = {.catalogs = catalogs,
	                                 .ncatalogs = n,
	                                 .version = ground->v,
	                                 .dialect = ground->d,
	                                 .strict_subset = strict,
	                                 .keys = keys,
	                                 .nkeys = strict ? 3 : 0};
	struct sj_buf text, other;
	sj_buf_init(&text, sj_test_mem(), 0);
	sj_buf_init(&other, sj_test_mem(), 0);
	if (schema_of(&opt, ground->name, &schema)) {
		const struct sj_schema *compiled = NULL;
		struct sj_schema_set *set = validator_of(&schema, &compiled);
		uint64_t seed = 5;
		if (strict && !schema_holds_only(&schema, subset, &other))
			sj_fail_at(__FILE__, __LINE__, "%s: beyond the subset: %.*s", ground->name,
			           SJ_ARG(sj_buf_view(&other)));
		CHECK(sj_value_get(&schema, SJ_LIT("type")) != NULL);
		for (uint32_t i = 0; compiled && i < walks && bad < 3; i++) {
			struct verdict v;
			sj_buf_clear(&text);
			schema_random(&schema, &seed, 20 + test_random(&seed, 300), &text);
			if (!is_valid(compiled, sj_buf_view(&text), &v)) {
				bad++;
				sj_fail_at(__FILE__, __LINE__, "%s: not of its own schema: %s\n%.*s", ground->name,
				           v.first, SJ_ARG(sj_buf_view(&text)));
			}
			if (strict) { /* as the model wrote it, to what it means */
				struct sj_json_options json = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
				struct sj_value whole;
				CHECK_OK(sj_value_parse(sj_test_mem(), &json, sj_buf_view(&text), &whole, NULL));
				CHECK_OK(sj_grammar_drop_nulls(sj_test_mem(), &whole));
				sj_buf_clear(&text);
				sj_value_print(&text, &whole, SJ_PRINT_COMPACT);
				sj_value_unref(sj_test_mem(), whole);
			}
			v = (struct verdict){0};
			check_components(sj_buf_view(&text), catalogs, n, ground->d, &v);
			uint32_t peer;
			CHECK_OK(sj_engine_peer_open(e, SJ_LIT("agent"), &peer));
			CHECK_OK(sj_engine_feed(e, peer, text.ptr, text.len));
			CHECK_OK(sj_engine_feed_end(e, peer));
			read_events(e, &v);
			sj_engine_peer_close(e, peer);
			struct verdict rest = {0};
			read_events(e, &rest);
			refused += v.graph + v.data > 0;
			if (v.envelope > 0) {
				bad++;
				sj_fail_at(__FILE__, __LINE__, "%s: walk %u: %s\n%.*s", ground->name, i, v.first,
				           (int)(text.len > 3000 ? 3000 : text.len), text.ptr);
			}
		}
		sj_schema_set_destroy(set);
	}
	if (getenv("SHOJI_WALKS"))
		fprintf(stderr, "%s%s: %u walks, graph or data faults in %u\n", ground->name, strict ? ", strict" : "",
		        walks, refused);
	sj_value_unref(sj_test_mem(), schema);
	sj_buf_finish(&text);
	sj_buf_finish(&other);
	sj_engine_destroy(e);
}

SJ_TEST(schema_walks)
{
	for (unsigned i = 0; i < 2 * GROUNDS; i++) {
		bool strict = i >= GROUNDS;
		sj_case("schema: %s%s", grounds[i % GROUNDS].name, strict ? ", strict" : "");
		walk_schema(&grounds[i % GROUNDS], strict, walks_wanted(100));
		sj_case_end();
	}
}

/* ---- what the examples say --------------------------------------------------------------------------------------- */

struct coverage {
	uint32_t messages, said, with_keys, hyphens;
	struct sj_buf *missing;
};

static void find_keys(const struct sj_value *v, struct sj_slice *keys, uint32_t *n, bool in_data, unsigned depth)
{
	for (uint32_t i = 0; depth < 30 && i < sj_value_count(v); i++) {
		struct sj_slice key = SJ_NO_SLICE;
		const struct sj_value *item =
			v->type == SJ_V_OBJECT ? sj_value_member(v, i, &key) : sj_value_item(v, i);
		bool data = in_data || sj_slice_is(key, "value") || sj_slice_is(key, "context") ||
		            sj_slice_is(key, "dataModel");
		if (in_data && key.ptr && *n < 150)
			keys[(*n)++] = key;
		find_keys(item, keys, n, data, depth + 1);
	}
}

/* Can the grammar say the message, its members in the grammar's order? Both flavours, and our validator of the schema.
 */
static bool says(const struct sj_grammar_options *opt, const struct sj_value *message, struct sj_buf *why)
{
	struct sj_value schema = SJ_ABSENT_VALUE;
	struct sj_buf text, plain;
	struct verdict v;
	bool whole = false;
	if (!schema_of(opt, "coverage", &schema))
		return false;
	sj_buf_init(&text, sj_test_mem(), 0);
	sj_buf_init(&plain, sj_test_mem(), 0);
	sj_value_print(&plain, message, SJ_PRINT_COMPACT);
	const struct sj_schema *compiled = NULL;
	struct sj_schema_set *set = validator_of(&schema, &compiled);
	bool fits = schema_fit(&schema, message, &text, why);
	if (!is_valid(compiled, sj_buf_view(&plain), &v)) {
		if (fits) {
			sj_buf_clear(why);
			sj_buf_puts(why, v.first);
		}
	} else if (fits) {
		struct gbnf *g = grammar_of(opt, "coverage");
		size_t good = g ? gbnf_match(g, sj_buf_view(&text), &whole) : 0;
		if (!whole) {
			sj_buf_clear(why);
			sj_buf_printf(why, "byte %zu: %.*s", good, (int)(text.len - good > 60 ? 60 : text.len - good),
			              text.ptr + good);
		}
		if (g)
			gbnf_free(g);
	}
	sj_schema_set_destroy(set);
	sj_value_unref(sj_test_mem(), schema);
	sj_buf_finish(&text);
	sj_buf_finish(&plain);
	return whole;
}

static void cover(const struct sj_catalog *catalog, enum sj_version version, const char *name,
                  const struct sj_value *message, struct coverage *c)
{
	const struct sj_value *body = NULL;
	for (uint32_t i = 0; i < sj_value_count(message); i++) {
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(message, i, &key);
		body = v->type == SJ_V_OBJECT ? v : body;
	}
	const struct sj_value *id = body ? sj_value_get(body, SJ_LIT("surfaceId")) : NULL;
	struct sj_buf why;
	struct sj_slice keys[150];
	struct sj_grammar_options opt = {.catalogs = &catalog,
	                                 .ncatalogs = 1,
	                                 .version = version,
	                                 .compact = true,
	                                 .surface_id = id ? sj_value_text(id) : SJ_LIT("main"),
	                                 .messages = SJ_GRAMMAR_CREATE | SJ_GRAMMAR_UPDATE | SJ_GRAMMAR_DATA |
	                                             SJ_GRAMMAR_DELETE,
	                                 .shape = SJ_GRAMMAR_SHAPE_ONE,
	                                 .keys = keys};
	sj_buf_init(&why, sj_test_mem(), 0);
	c->messages++;
	bool said = says(&opt, message, &why);
	c->said += said;
	if (!said) { /* known keys may stand beside each other */
		uint32_t n = 0;
		find_keys(message, keys, &n, false, 0);
		opt.nkeys = n;
		sj_buf_clear(&why);
		said = n > 0 && says(&opt, message, &why);
	}
	c->with_keys += said;
	/* The one thing beyond a grammar of v1.0 in the examples: ids with hyphens, which the protocol only tolerates.
	 */
	struct sj_buf plain;
	sj_buf_init(&plain, sj_test_mem(), 0);
	sj_value_print(&plain, body, SJ_PRINT_COMPACT);
	bool hyphen = false;
	static const char id_key[] = "\"id\":\"";
	for (size_t at = 0; at + sizeof id_key < plain.len; at++)
		for (size_t k = at + sizeof id_key - 1;
		     memcmp(plain.ptr + at, id_key, sizeof id_key - 1) == 0 && k < plain.len && plain.ptr[k] != '"';
		     k++)
			hyphen = hyphen || plain.ptr[k] == '-';
	sj_buf_finish(&plain);
	bool expected = version >= SJ_V10 && hyphen;
	c->hyphens += expected;
	if (said == expected)
		sj_buf_printf(c->missing, "%s: %.*s\n", name, SJ_ARG(sj_buf_view(&why)));
	sj_buf_finish(&why);
}

SJ_TEST(examples_can_be_said)
{
	for (unsigned i = 0; i < EXAMPLES; i++) {
		char folder[600], path[1300], **names;
		struct sj_catalog *catalog;
		struct sj_buf missing;
		struct coverage c = {.missing = &missing};
		struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
		sj_case("coverage: %s", examples[i].folder);
		snprintf(folder, sizeof folder, "a2ui/%s", examples[i].folder);
		const char *found = sj_data(folder);
		if (!found) {
			sj_skip("the public data is not there");
			sj_case_end();
			continue;
		}
		snprintf(folder, sizeof folder, "%s", found);
		sj_buf_init(&missing, sj_test_mem(), 0);
		CHECK_OK(sj_catalog_basic(sj_test_mem(), examples[i].v, NULL, NULL, &catalog));
		size_t count = sj_list_dir(folder, ".json", &names);
		for (size_t k = 0; k < count; k++) {
			struct sj_value file;
			snprintf(path, sizeof path, "%s/%s", folder, names[k]);
			if (sj_value_parse(sj_test_mem(), &opt, sj_slurp(path), &file, NULL) != SJ_OK) {
				sj_fail_at(__FILE__, __LINE__, "%s is not JSON", path);
				continue;
			}
			const struct sj_value *list =
				file.type == SJ_V_OBJECT ? sj_value_get(&file, SJ_LIT("messages")) : &file;
			for (uint32_t m = 0; list && m < sj_value_count(list); m++)
				cover(catalog, examples[i].v, names[k], sj_value_item(list, m), &c);
			sj_value_unref(sj_test_mem(), file);
		}
		if (getenv("SHOJI_WALKS"))
			fprintf(stderr, "%s: %u messages, %u said, %u with known keys\n%.*s", examples[i].folder,
			        c.messages, c.said, c.with_keys, SJ_ARG(sj_buf_view(&missing)));
		/* With known keys everything but those ids; without, what has no two keys of one letter: most of it. */
		CHECK_STR(sj_buf_view(&missing), "");
		CHECK_INT(c.with_keys, c.messages - c.hyphens);
		CHECK(c.messages > 100 && c.said * 5 >= c.messages * 4);
		sj_buf_finish(&missing);
		sj_catalog_destroy(catalog);
		sj_case_end();
	}
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

static enum sj_status try(struct sj_grammar_options opt, bool schema, char message[256])
{
	struct sj_buf out;
	struct sj_diag diag = {0};
	sj_buf_init(&out, sj_test_mem(), 0);
	enum sj_status st = schema ? sj_grammar_schema(sj_test_mem(), &opt, &out, &diag)
	                           : sj_grammar_gbnf(sj_test_mem(), &opt, &out, &diag);
	snprintf(message, 256, "%.255s", diag.message);
	sj_buf_finish(&out);
	return st;
}

SJ_TEST(options_that_contradict_each_other)
{
	char why[256];
	struct sj_catalog *v09, *v10, *loose;
	CHECK_OK(sj_catalog_minimal(sj_test_mem(), SJ_V09, NULL, NULL, &v09));
	CHECK_OK(sj_catalog_basic(sj_test_mem(), SJ_V10, NULL, NULL, &v10));
	CHECK_OK(sj_catalog_permissive(sj_test_mem(), SJ_LIT("p"), SJ_V09, &loose));
	const struct sj_catalog *one[] = {v09}, *mixed[] = {v09, v10}, *twice[] = {v09, v09}, *any[] = {loose};
	CHECK_INT(try((struct sj_grammar_options){0}, false, why), SJ_INVALID);
	CHECK_STR(sj_slice_of(why), "a grammar needs a catalog");
	CHECK_INT(try((struct sj_grammar_options){.catalogs = mixed, .ncatalogs = 2}, false, why), SJ_INVALID);
	CHECK_INT(try((struct sj_grammar_options){.catalogs = twice, .ncatalogs = 2}, false, why), SJ_INVALID);
	CHECK_STR(sj_slice_of(why), "before v1.0 a surface has one catalog");
	CHECK_INT(try((struct sj_grammar_options){.catalogs = any, .ncatalogs = 1}, false, why), SJ_INVALID);
	struct sj_grammar_options o = {.catalogs = one, .ncatalogs = 1};
	o.messages = SJ_GRAMMAR_PATCH | SJ_GRAMMAR_DATA;
	CHECK_INT(try(o, false, why), SJ_INVALID);
	CHECK_STR(sj_slice_of(why), "a patch stands alone");
	o.messages = SJ_GRAMMAR_PATCH;
	CHECK_INT(try(o, true, why), SJ_INVALID);
	CHECK_STR(sj_slice_of(why), "a patch needs a surface that lives");
	o.messages = SJ_GRAMMAR_CREATE;
	o.ids = SJ_GRAMMAR_IDS_TREE;
	CHECK_INT(try(o, true, why), SJ_INVALID);
	CHECK_STR(sj_slice_of(why), "only GBNF can say a tree");
	o.shape = SJ_GRAMMAR_SHAPE_ONE;
	CHECK_INT(try(o, false, why), SJ_INVALID);
	CHECK_STR(sj_slice_of(why), "before v1.0 a surface takes two messages");
	o = (struct sj_grammar_options){.catalogs = one, .ncatalogs = 1, .strict_subset = true};
	CHECK_INT(try(o, false, why), SJ_INVALID);
	/* Nobody has this type. */
	struct sj_slice nobody = SJ_LIT("Nobody");
	o = (struct sj_grammar_options){.catalogs = one, .ncatalogs = 1, .components = &nobody, .ncomponents = 1};
	CHECK_INT(try(o, false, why), SJ_INVALID);
	CHECK_STR(sj_slice_of(why), "with these options nothing can be said");
	o = (struct sj_grammar_options){.catalogs = one, .ncatalogs = 1, .max_bytes = 1000};
	CHECK_INT(try(o, false, why), SJ_LIMIT);
	CHECK_INT(try(o, true, why), SJ_LIMIT);
	sj_catalog_destroy(v09);
	sj_catalog_destroy(v10);
	sj_catalog_destroy(loose);
}

/* Definitions that multiply: each refers twice to the next. Output is linear all the same, or refused. */
SJ_TEST(catalogs_that_multiply)
{
	struct sj_buf text;
	struct sj_catalog *c;
	char why[256];
	sj_buf_init(&text, sj_test_mem(), 0);
	sj_buf_puts(&text, "{\"catalogId\":\"m\",\"components\":{\"A\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"A\"},"
	                   "\"x\":{\"$ref\":\"#/$defs/d0\"}},\"required\":[\"component\"]}},\"$defs\":{");
	for (int i = 0; i < 20; i++)
		sj_buf_printf(&text, "\"d%d\":{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#/$defs/d%d\"},\"b\":{\"$ref\":\"#/$defs/d%d\"}}},", i, i + 1, i + 1);
	sj_buf_puts(&text, "\"d20\":{\"type\":\"string\"}}}");
	if (sj_catalog_parse(sj_test_mem(), sj_buf_view(&text), SJ_NO_SLICE, SJ_VERSION_NONE, NULL, NULL, &c, NULL) ==
	    SJ_OK) {
		const struct sj_catalog *one[] = {c};
		enum sj_status st =
			try((struct sj_grammar_options){.catalogs = one, .ncatalogs = 1, .messages = SJ_GRAMMAR_UPDATE},
		            false, why);
		CHECK(st == SJ_OK || st == SJ_LIMIT);
		sj_catalog_destroy(c);
	}
	sj_buf_finish(&text);
}

SJ_TEST(nulls_are_dropped)
{
	static const struct { const char *from, *to; } cases[] = {
		{"{\"a\":null,\"b\":{\"c\":null,\"d\":[{\"e\":null},null,1]},\"f\":0}", "{\"b\":{\"d\":[{},null,1]},\"f\":0}"},
		{"null", "null"},
		{"[[[{\"x\":null}]]]", "[[[{}]]]"},
		{"{}", "{}"},
	};
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct sj_value v, kept;
		struct sj_buf text;
		CHECK_OK(sj_value_parse(sj_test_mem(), &opt, sj_slice_of(cases[i].from), &v, NULL));
		kept = sj_value_ref(v); /* somebody else holds it too: theirs stays */
		CHECK_OK(sj_grammar_drop_nulls(sj_test_mem(), &v));
		sj_buf_init(&text, sj_test_mem(), 0);
		sj_value_print(&text, &v, SJ_PRINT_COMPACT);
		CHECK_STR(sj_buf_view(&text), cases[i].to);
		sj_buf_clear(&text);
		sj_value_print(&text, &kept, SJ_PRINT_COMPACT);
		CHECK_STR(sj_buf_view(&text), cases[i].from);
		sj_buf_finish(&text);
		sj_value_unref(sj_test_mem(), v);
		sj_value_unref(sj_test_mem(), kept);
	}
}

/* ---- no memory --------------------------------------------------------------------------------------------------- */

struct torture {
	struct sj_grammar_options opt;
	bool schema;
};

static enum sj_status torture_one(struct sj_mem *mem, void *ctx)
{
	struct torture *t = ctx;
	struct sj_buf out;
	sj_buf_init(&out, mem, 0);
	enum sj_status st =
		t->schema ? sj_grammar_schema(mem, &t->opt, &out, NULL) : sj_grammar_gbnf(mem, &t->opt, &out, NULL);
	sj_buf_finish(&out);
	return st;
}

SJ_TEST(no_memory)
{
	struct sj_catalog *c;
	struct sj_engine_config cfg = {.size = sizeof cfg};
	struct sj_engine *e;
	struct verdict v;
	static const char live[] =
		"{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"odd\",\"dataModel\":{\"a\":[{\"b\":1,\"c\":\"x\"}],"
		"\"d\":{\"e\":true,\"f\":null}},\"components\":[{\"id\":\"root\",\"component\":\"Shapes\",\"list\":[1]}]}}";
	struct sj_slice odd = sj_slurp(sj_root("tests/infer/odd_v10.json"));
	CHECK_OK(sj_catalog_parse(sj_test_mem(), odd, SJ_NO_SLICE, SJ_VERSION_NONE, NULL, NULL, &c, NULL));
	CHECK_OK(sj_engine_create(&cfg, &e));
	CHECK_OK(sj_engine_add_catalog(e, odd, SJ_NO_SLICE, SJ_VERSION_NONE, NULL));
	CHECK(feed(e, 0, SJ_LIT(live), &v));
	struct sj_grammar_surface s;
	CHECK_OK(sj_grammar_surface_of(e, sj_engine_view_at(e, 0), &s));
	const struct sj_catalog *one[] = {c};
	struct torture t = {.opt = {.catalogs = one, .ncatalogs = 1}};
	sj_torture(torture_one, &t);
	t.schema = true;
	sj_torture(torture_one, &t);
	t.opt.surface = &s;
	t.opt.messages = SJ_GRAMMAR_PATCH;
	sj_torture(torture_one, &t);
	t.schema = false;
	sj_torture(torture_one, &t);
	t.opt = (struct sj_grammar_options){.catalogs = one,
	                                    .ncatalogs = 1,
	                                    .messages = SJ_GRAMMAR_CREATE,
	                                    .ids = SJ_GRAMMAR_IDS_TREE,
	                                    .max_components = 5};
	sj_torture(torture_one, &t);
	sj_grammar_surface_finish(e, &s);
	sj_engine_destroy(e);
	sj_catalog_destroy(c);
}
