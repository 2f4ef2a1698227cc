/* Grammars: whatever they produce is valid, and what the protocol's examples say they can produce. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/test.h"
#include "infer/grammar.h"
#include "infer/gbnf.h"

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
	struct sj_engine_config cfg = {.size = sizeof cfg, .no_basic = g->files[0] != NULL, .strict = strict};
	struct sj_engine *e;
	*n = 0;
	if (sj_engine_create(&cfg, &e) != SJ_OK)
		return NULL;
	for (unsigned i = 0; i < 2 && g->files[i]; i++) {
		struct sj_diag diag = {0};
		struct sj_slice text = data_file(g->files[i]);
		if (!text.ptr) {
			sj_engine_destroy(e);
			return NULL;
		}
		if (sj_engine_add_catalog(e, text, SJ_NO_SLICE, SJ_VERSION_NONE, &diag) != SJ_OK)
			sj_fail_at(__FILE__, __LINE__, "%s: %s", g->files[i], diag.message);
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
