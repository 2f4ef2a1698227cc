/* Our own data against the published files: the same structure, the same verdicts. */
#include "a2ui/catalog_help.h"

static bool is_annotation(struct sj_slice key, enum sj_json_type type)
{
	static const char *const words[] = {"description", "title", "examples", "instructions", "$comment"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (sj_slice_is(key, words[i]) && (type == SJ_J_STRING || type == SJ_J_ARRAY))
			return true;
	return false;
}

static void difference(const struct sj_tape *t, uint32_t cell, const char *what, struct sj_slice key)
{
	struct sj_buf pointer;
	sj_buf_init(&pointer, sj_test_mem(), 0);
	sj_tape_pointer(t, cell, &pointer);
	sj_fail_at(__FILE__, __LINE__, "%.*s: %s %.*s", SJ_ARG(sj_buf_view(&pointer)), what, SJ_ARG(key));
	sj_buf_finish(&pointer);
}

/* A key without its backslashes: the published files escape nothing but backslashes and quotes. */
static struct sj_slice decoded(const struct sj_tape *t, uint32_t key, char room[256])
{
	struct sj_slice raw = sj_tape_raw(t, key);
	size_t n = 0;
	for (size_t i = 0; i < raw.len && n < 256; i++) {
		i += raw.ptr[i] == '\\' && i + 1 < raw.len;
		room[n++] = raw.ptr[i];
	}
	return sj_slice(room, n);
}

/* Equal but for annotations and the order of members, of required names and of enumerated words. */
static bool same(const struct sj_tape *a, uint32_t ai, const struct sj_tape *b, uint32_t bi, bool as_set)
{
	if (sj_tape_type(a, ai) != sj_tape_type(b, bi)) {
		difference(a, ai, "another type", SJ_NO_SLICE);
		return false;
	}
	bool ok = true;
	if (sj_tape_type(a, ai) == SJ_J_OBJECT) {
		for (int side = 0; side < 2; side++) {
			const struct sj_tape *x = side ? b : a, *y = side ? a : b;
			uint32_t xi = side ? bi : ai, yi = side ? ai : bi;
			for (uint32_t at = xi + 1; at < x->cells[xi].end; at = sj_tape_next(x, at + 1)) {
				char room[256];
				struct sj_slice key = decoded(x, at, room);
				uint32_t other = sj_tape_get(y, yi, key);
				if (is_annotation(key, sj_tape_type(x, at + 1)))
					continue;
				if (!other)
					difference(x, xi, side ? "ours lacks" : "only ours has", key);
				ok = ok && other;
				bool set = sj_slice_is(key, "required") || sj_slice_is(key, "enum");
				if (other && side == 0)
					ok = same(a, at + 1, b, other, set) && ok;
			}
		}
		return ok;
	}
	if (sj_tape_type(a, ai) == SJ_J_ARRAY) {
		if (a->cells[ai].len != b->cells[bi].len) {
			difference(a, ai, "another length", SJ_NO_SLICE);
			return false;
		}
		uint32_t bat = bi + 1;
		for (uint32_t at = ai + 1; at < a->cells[ai].end;
		     at = sj_tape_next(a, at), bat = sj_tape_next(b, bat)) {
			bool found = false;
			for (uint32_t k = bi + 1; as_set && k < b->cells[bi].end; k = sj_tape_next(b, k))
				found = found || sj_tape_equal(a, at, b, k);
			if (as_set && !found)
				difference(a, at, "no such word", sj_tape_source(a, at));
			ok = (as_set ? found : same(a, at, b, bat, false)) && ok;
		}
		return ok;
	}
	ok = sj_tape_equal(a, ai, b, bi);
	if (!ok)
		difference(a, ai, "another value", sj_tape_source(a, ai));
	return ok;
}

static void compare_file(enum sj_version v, enum sj_dialect d, const char *name, const char *path)
{
	struct sj_slice theirs = a2ui_file(path);
	struct sj_buf ours;
	struct sj_arena arena;
	struct sj_tape a, b;
	sj_case("%s: %s", sj_version_text(v), path);
	sj_buf_init(&ours, sj_test_mem(), 0);
	sj_arena_init(&arena, sj_test_mem(), 0);
	if (!theirs.ptr)
		sj_skip("the file is not there");
	else if (!sj_a2ui_schema_write(v, d, sj_slice_of(name), &ours) || sj_buf_status(&ours) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "we have no %s", name);
	else if (!parse_json(&arena, sj_buf_view(&ours), &a) || !parse_json(&arena, theirs, &b))
		sj_fail_at(__FILE__, __LINE__, "not JSON");
	else
		CHECK(same(&a, 0, &b, 0, false));
	sj_arena_finish(&arena);
	sj_buf_finish(&ours);
	sj_case_end();
}

SJ_TEST(our_data_has_the_structure_of_the_published_files)
{
	for (size_t s = 0; s < SPECS; s++) {
		char path[200], folder[600], **names;
		snprintf(path, sizeof path, "a2ui/specification/%s/json", specs[s].folder);
		const char *found = sj_data(path);
		if (!found) {
			sj_skip("the specification of %s is not there", specs[s].folder);
			return;
		}
		snprintf(folder, sizeof folder, "%s", found);
		size_t n = sj_list_dir(folder, ".json", &names);
		CHECK(n >= 10);
		for (size_t i = 0; i < n; i++) {
			snprintf(path, sizeof path, "specification/%s/json/%s", specs[s].folder, names[i]);
			compare_file(specs[s].v, SJ_DIALECT_BARE, names[i], path);
		}
		CHECK_INT(sj_a2ui_schema_count(specs[s].v), n + 1); /* and the catalog */
		snprintf(path, sizeof path, "specification/%s/catalogs/basic/catalog.json", specs[s].folder);
		compare_file(specs[s].v, SJ_DIALECT_BARE, "catalog.json", path);
	}
	compare_file(SJ_V10, SJ_DIALECT_RESERVED, "catalog.json", "catalogs/basic/v1/catalog.json");
}

SJ_TEST(our_documents_of_v08_have_the_structure_of_the_published_ones)
{
	const char *found = sj_data("a2ui/specification/v0_8/json");
	char folder[600], path[200], **names;
	if (!found) {
		sj_skip("the specification of v0.8 is not there");
		return;
	}
	snprintf(folder, sizeof folder, "%s", found);
	size_t n = sj_list_dir(folder, ".json", &names);
	CHECK_INT(sj_a2ui_schema_count(SJ_V08), n);
	for (size_t i = 0; i < n; i++) {
		snprintf(path, sizeof path, "specification/v0_8/json/%s", names[i]);
		compare_file(SJ_V08, SJ_DIALECT_BARE, names[i], path);
	}
}

SJ_TEST(the_minimal_catalog_has_the_structure_of_the_published_one)
{
	struct sj_slice theirs = a2ui_file("specification/v0_9/catalogs/minimal/catalog.json");
	struct sj_catalog *c;
	struct sj_arena arena;
	struct sj_tape a, b;
	if (!theirs.ptr) {
		sj_skip("the file is not there");
		return;
	}
	CHECK_OK(sj_catalog_minimal(sj_test_mem(), SJ_V09, NULL, NULL, &c));
	sj_arena_init(&arena, sj_test_mem(), 0);
	CHECK(parse_json(&arena, sj_catalog_document(c), &a) && parse_json(&arena, theirs, &b) &&
	      same(&a, 0, &b, 0, false));
	sj_arena_finish(&arena);
	sj_catalog_destroy(c);
	CHECK_INT(sj_catalog_minimal(sj_test_mem(), SJ_V10, NULL, NULL, &c), SJ_ABSENT);
}

/* Verdicts. */

static bool add_text(struct sj_schema_set *set, const char *base, const char *name, struct sj_slice text)
{
	char uri[400];
	struct sj_diag diag = {0};
	snprintf(uri, sizeof uri, "%s%s", base, name);
	if (text.ptr && sj_schema_set_add(set, sj_slice_of(uri), text, &diag) == SJ_OK)
		return true;
	sj_fail_at(__FILE__, __LINE__, "%s: %s", uri, diag.message);
	return false;
}

static struct sj_schema_set *new_set(void)
{
	struct sj_schema_options opt = {.assert_format = true};
	struct sj_schema_set *set = NULL;
	CHECK_OK(sj_schema_set_create(sj_test_mem(), &opt, &set));
	return set;
}

static struct sj_schema_set *published_set(const struct spec *s)
{
	struct sj_schema_set *set = new_set();
	for (uint32_t i = 0; sj_a2ui_schema_name(s->v, i); i++) {
		char path[300];
		const char *name = sj_a2ui_schema_name(s->v, i);
		bool is_catalog = strcmp(name, "catalog.json") == 0;
		snprintf(path, sizeof path, "specification/%s/%s/%s", s->folder, is_catalog ? "catalogs/basic" : "json",
		         name);
		add_text(set, s->base, name, a2ui_file(path));
	}
	return set;
}

static struct sj_schema_set *our_set(const struct spec *s, enum sj_dialect d, struct sj_slice catalog)
{
	struct sj_schema_set *set = new_set();
	for (uint32_t i = 0; sj_a2ui_schema_name(s->v, i); i++) {
		struct sj_buf text;
		const char *name = sj_a2ui_schema_name(s->v, i);
		sj_buf_init(&text, sj_test_mem(), 0);
		CHECK(sj_a2ui_schema_write(s->v, d, sj_slice_of(name), &text));
		add_text(set, s->base, name,
		         strcmp(name, "catalog.json") == 0 && catalog.ptr ? catalog : sj_buf_view(&text));
		sj_buf_finish(&text);
	}
	return set;
}

static const struct sj_schema *compile(struct sj_schema_set *set, const char *base, const char *what)
{
	const struct sj_schema *schema = NULL;
	struct sj_diag diag = {0};
	char uri[400];
	snprintf(uri, sizeof uri, "%s%s", base, what);
	if (sj_schema_compile(set, sj_slice_of(uri), &schema, &diag) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s: %s", uri, diag.message);
	return schema;
}

struct pair {
	const struct sj_schema *ours, *theirs;
	struct mutator m;
	bool reserved;
	unsigned valid, invalid;
};

static void judge_both(struct pair *p, struct sj_slice text, const char *file)
{
	struct sj_arena arena;
	struct sj_tape t;
	sj_arena_init(&arena, sj_test_mem(), 0);
	if (parse_json(&arena, text, &t)) {
		enum sj_status ours = sj_schema_validate(p->ours, &t, 0, &arena, NULL, NULL);
		enum sj_status theirs = sj_schema_validate(p->theirs, &t, 0, &arena, NULL, NULL);
		if (ours != theirs)
			sj_fail_at(__FILE__, __LINE__, "%s: ours %d, published %d: %.*s", file, ours, theirs,
			           SJ_ARG(text));
		p->valid += theirs == SJ_OK;
		p->invalid += theirs == SJ_INVALID;
	}
	sj_arena_finish(&arena);
}

static void judge_message(void *ctx, const char *file, const struct sj_tape *t, uint32_t cell)
{
	struct pair *p = ctx;
	struct sj_buf text, changed;
	struct sj_arena arena;
	struct sj_tape own;
	sj_buf_init(&text, sj_test_mem(), 0);
	sj_buf_init(&changed, sj_test_mem(), 0);
	sj_arena_init(&arena, sj_test_mem(), 0);
	if (p->reserved)
		to_reserved(&text, t, cell);
	else
		sj_buf_slice(&text, sj_tape_source(t, cell));
	judge_both(p, sj_buf_view(&text), file);
	CHECK(parse_json(&arena, sj_buf_view(&text), &own));
	for (unsigned round = 0; round < 25 && !sj_failed(); round++) {
		sj_buf_clear(&changed);
		mutate(&p->m, &own, 0, &changed);
		judge_both(p, sj_buf_view(&changed), file);
	}
	sj_arena_finish(&arena);
	sj_buf_finish(&changed);
	sj_buf_finish(&text);
}

SJ_TEST(our_schemas_judge_like_the_published_ones)
{
	for (size_t s = 0; s < SPECS; s++) {
		if (!a2ui_file("specification/v1_0/json/common_types.json").ptr) {
			sj_skip("the specification is not there");
			return;
		}
		struct sj_schema_set *ours = our_set(&specs[s], SJ_DIALECT_BARE, SJ_NO_SLICE),
				     *theirs = published_set(&specs[s]);
		struct pair p = {.m.state = 77};
		p.ours = compile(ours, specs[s].base, specs[s].envelope);
		p.theirs = compile(theirs, specs[s].base, specs[s].envelope);
		if (p.ours && p.theirs)
			each_message(&specs[s], judge_message, &p);
		CHECK(p.valid > 300 && p.invalid > 1000);
		sj_schema_set_destroy(ours);
		sj_schema_set_destroy(theirs);
	}
}

/* The reserved dialect is published as a catalog alone: its components stand on our common types in both sets. */
SJ_TEST(our_reserved_catalog_judges_like_the_published_one)
{
	struct sj_slice catalog = a2ui_file("catalogs/basic/v1/catalog.json");
	const struct spec *s = &specs[2];
	if (!catalog.ptr) {
		sj_skip("the catalog is not there");
		return;
	}
	/* Its $id has another folder than the common types it refers to; the protocol's runner registers it beside
	 * them. */
	struct sj_buf text;
	sj_buf_init(&text, sj_test_mem(), 0);
	static const char name[] = "\"$id\": \"https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json\"";
	const char *id = strstr(catalog.ptr, name);
	CHECK(id != NULL);
	if (id) {
		size_t at = (size_t)(id - catalog.ptr), line = sizeof name - 1;
		sj_buf_put(&text, catalog.ptr, at);
		sj_buf_puts(&text, "\"$id\": \"https://a2ui.org/specification/v1_0/catalog.json\"");
		sj_buf_put(&text, catalog.ptr + at + line, catalog.len - at - line);
		struct sj_buf own;
		sj_buf_init(&own, sj_test_mem(), 0);
		sj_a2ui_schema_write(SJ_V10, SJ_DIALECT_RESERVED, SJ_LIT("catalog.json"), &own);
		const char *mine = strstr(own.ptr, "catalogs/basic/catalog.json\",\"protocol");
		CHECK(mine != NULL);
		struct sj_buf moved;
		sj_buf_init(&moved, sj_test_mem(), 0);
		sj_buf_put(&moved, own.ptr, (size_t)(mine - own.ptr));
		sj_buf_puts(&moved, mine + strlen("catalogs/basic/"));
		struct sj_schema_set *ours = our_set(s, SJ_DIALECT_RESERVED, sj_buf_view(&moved)),
				     *theirs = our_set(s, SJ_DIALECT_RESERVED, sj_buf_view(&text));
		struct pair p = {.m = {.state = 5, .reserved = true}, .reserved = true};
		p.ours = compile(ours, s->base, s->envelope);
		p.theirs = compile(theirs, s->base, s->envelope);
		if (p.ours && p.theirs)
			each_message(s, judge_message, &p);
		CHECK(p.valid > 300 && p.invalid > 1000);
		sj_schema_set_destroy(ours);
		sj_schema_set_destroy(theirs);
		sj_buf_finish(&moved);
		sj_buf_finish(&own);
	}
	sj_buf_finish(&text);
}
