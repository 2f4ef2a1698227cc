/* The conformance suites of catalogs, run from their files: from_json, catalog_schema, common_types_schema,
 * validate_common_type, select_catalog, prune, provide_catalog, resolve_catalogs, get_renderer_capabilities. */
#include "a2ui/catalog_help.h"
#include "json/value.h"

struct suite_case {
	struct sj_arena *arena;
	const struct sj_tape *t;
	uint32_t cell;
};

/* NUL-terminated. */
static struct sj_slice text_of(const struct suite_case *k, uint32_t cell)
{
	return cell && sj_tape_type(k->t, cell) == SJ_J_STRING
	               ? sj_arena_copy(k->arena, sj_tape_string(k->t, cell, k->arena))
	               : SJ_NO_SLICE;
}

static struct sj_slice member_text(const struct suite_case *k, uint32_t object, const char *key)
{
	return text_of(k, get(k->t, object, key));
}

/* `want` of the suite within `got`: members of objects may be more, everything else is equal. */
static bool is_within(const struct sj_tape *want, uint32_t wi, const struct sj_tape *got, uint32_t gi,
                      const char *where)
{
	enum sj_json_type type = sj_tape_type(want, wi);
	bool ok = type == sj_tape_type(got, gi);
	if (ok && type == SJ_J_OBJECT) {
		for (uint32_t at = wi + 1; at < want->cells[wi].end; at = sj_tape_next(want, at + 1)) {
			uint32_t other = sj_tape_get(got, gi, sj_tape_raw(want, at));
			if (!other)
				sj_fail_at(__FILE__, __LINE__, "%s lacks %.*s", where, SJ_ARG(sj_tape_raw(want, at)));
			ok = other && is_within(want, at + 1, got, other, where) && ok;
		}
		return ok;
	}
	if (ok && type == SJ_J_ARRAY) {
		ok = want->cells[wi].len == got->cells[gi].len;
		uint32_t g = gi + 1;
		for (uint32_t at = wi + 1; ok && at < want->cells[wi].end;
		     at = sj_tape_next(want, at), g = sj_tape_next(got, g))
			ok = is_within(want, at, got, g, where);
	} else if (ok) {
		ok = sj_tape_equal(want, wi, got, gi);
	}
	if (!ok)
		sj_fail_at(__FILE__, __LINE__, "%s: got %.*s, want %.*s", where, SJ_ARG(sj_tape_source(got, gi)),
		           SJ_ARG(sj_tape_source(want, wi)));
	return ok;
}

static void check_diag(const struct suite_case *k, uint32_t want, const struct sj_diag *d)
{
	struct sj_slice category = member_text(k, want, "category"), message = member_text(k, want, "message");
	CHECK_SLICE(sj_slice_of(sj_category_name(d->category)), category);
	if (message.ptr && !strstr(d->message, message.ptr))
		sj_fail_at(__FILE__, __LINE__, "message '%s' lacks '%.*s'", d->message, SJ_ARG(message));
}

static uint32_t expected_error(const struct suite_case *k)
{
	uint32_t e = get(k->t, k->cell, "expectError");
	return e ? e : get(k->t, k->cell, "expect_error");
}

static struct sj_slice common_types(enum sj_version v)
{
	return a2ui_file(v >= SJ_V10 ? "specification/v1_0/json/common_types.json"
	                             : "specification/v0_9/json/common_types.json");
}

/* The catalog of a case: inline or by path, with its overriding id and version. */
static enum sj_status load_case(const struct suite_case *k, bool with_texts, struct sj_catalog **out, struct sj_diag *d)
{
	uint32_t inline_doc = get(k->t, k->cell, "catalog");
	struct sj_slice path = member_text(k, k->cell, "catalogPath"),
			json = inline_doc ? sj_tape_source(k->t, inline_doc) : SJ_NO_SLICE;
	if (path.ptr)
		json = a2ui_file(path.ptr);
	struct sj_catalog_options opt = {.id = member_text(k, k->cell, "catalogId"), .override_id = true};
	opt.version = sj_version_find(member_text(k, k->cell, "protocolVersion"));
	if (with_texts)
		opt.common_types = common_types(opt.version);
	return sj_catalog_load(sj_test_mem(), json, &opt, out, d);
}

static bool refs_resolve(const struct sj_tape *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		if (!(t->cells[i].flags & SJ_CELL_KEY) || !sj_tape_string_is(t, i, SJ_LIT("$ref")) ||
		    sj_tape_type(t, i + 1) != SJ_J_STRING)
			continue;
		struct sj_slice ref = sj_tape_raw(t, i + 1);
		uint32_t at = 0;
		bool ok = ref.len > 2 && ref.ptr[0] == '#' && ref.ptr[1] == '/';
		for (size_t from = 2; ok && from <= ref.len;) {
			const char *slash = memchr(ref.ptr + from, '/', ref.len - from);
			size_t to = slash ? (size_t)(slash - ref.ptr) : ref.len;
			at = sj_tape_get(t, at, sj_slice(ref.ptr + from, to - from));
			ok = at > 0;
			from = to + 1;
		}
		if (!ok) {
			sj_fail_at(__FILE__, __LINE__, "%.*s leads nowhere", SJ_ARG(ref));
			return false;
		}
	}
	return true;
}

static void check_components(const struct suite_case *k, const struct sj_catalog *c, uint32_t list, bool valid)
{
	for (uint32_t at = list ? list + 1 : 0; at > 0 && at < k->t->cells[list].end; at = sj_tape_next(k->t, at)) {
		struct seen_faults seen = {0};
		enum sj_status st = sj_catalog_check_alone(c, SJ_DIALECT_AUTO, k->t, at, k->arena, see_fault, &seen);
		if (st != (valid ? SJ_OK : SJ_INVALID) || (seen.count > 0) == valid)
			sj_fail_at(__FILE__, __LINE__, "%d (%s): %.*s", st, seen.message,
			           SJ_ARG(sj_tape_source(k->t, at)));
	}
}

static void run_from_json(const struct suite_case *k)
{
	struct sj_catalog *c;
	struct sj_diag d = {0};
	uint32_t error = expected_error(k), want = get(k->t, k->cell, "expect");
	enum sj_status st = load_case(k, true, &c, &d);
	if (error) {
		CHECK_INT(st, SJ_INVALID);
		check_diag(k, error, &d);
	} else if (st != SJ_OK) {
		sj_fail_at(__FILE__, __LINE__, "%s", d.message);
	}
	if (st != SJ_OK)
		return;
	struct sj_buf text;
	struct sj_tape got;
	sj_buf_init(&text, sj_test_mem(), 0);
	CHECK_OK(sj_catalog_emit_resolved(c, &text));
	CHECK(parse_json(k->arena, sj_buf_view(&text), &got));
	static const char *const exact[] = {"catalogId", "protocolVersion", "components", "functions", "theme"};
	for (size_t i = 0; want && i < sizeof exact / sizeof *exact; i++) {
		uint32_t w = get(k->t, want, exact[i]), g = get(&got, 0, exact[i]);
		if (w && !(g && sj_tape_equal(k->t, w, &got, g)))
			sj_fail_at(__FILE__, __LINE__, "%s: got %.*s", exact[i], SJ_ARG(sj_tape_source(&got, g)));
	}
	sj_buf_clear(&text);
	uint32_t contained = want ? get(k->t, want, "selfContained") : 0;
	if (contained) {
		CHECK_OK(sj_catalog_emit(c, &text));
		CHECK(parse_json(k->arena, sj_buf_view(&text), &got) && refs_resolve(&got));
	}
	check_components(k, c, want ? get(k->t, want, "validComponents") : 0, true);
	check_components(k, c, want ? get(k->t, want, "invalidComponents") : 0, false);
	sj_buf_finish(&text);
	sj_catalog_destroy(c);
}

/* The published document with its references to common types made local and those types, transitively, in its $defs:
 * what the suite calls inlined. Made here from the two files, independently of the emitter. */
static bool localise(struct sj_buf *out, const struct sj_tape *t, uint32_t cell)
{
	enum sj_json_type type = sj_tape_type(t, cell);
	if (type < SJ_J_ARRAY) {
		sj_buf_slice(out, sj_tape_source(t, cell));
		return true;
	}
	bool object = type == SJ_J_OBJECT;
	sj_buf_putc(out, object ? '{' : '[');
	for (uint32_t at = cell + 1; at < t->cells[cell].end; at = sj_tape_next(t, at)) {
		sj_buf_puts(out, at == cell + 1 ? "" : ",");
		if (object) {
			sj_buf_printf(out, "\"%.*s\":", SJ_ARG(sj_tape_raw(t, at)));
			at++;
			const char *hash = sj_tape_string_is(t, at - 1, SJ_LIT("$ref"))
			                           ? memchr(sj_tape_raw(t, at).ptr, '#', sj_tape_raw(t, at).len)
			                           : NULL;
			if (hash) {
				sj_buf_printf(out, "\"%.*s\"",
				              (int)(sj_tape_raw(t, at).len - (size_t)(hash - sj_tape_raw(t, at).ptr)),
				              hash);
				continue;
			}
		}
		localise(out, t, at);
	}
	sj_buf_putc(out, object ? '}' : ']');
	return true;
}

static bool refers_to(struct sj_slice text, struct sj_slice name)
{
	char needle[120];
	int n = snprintf(needle, sizeof needle, "#/$defs/%.*s\"", SJ_ARG(name));
	for (size_t i = 0; i + (size_t)n <= text.len; i++)
		if (memcmp(text.ptr + i, needle, (size_t)n) == 0)
			return true;
	return false;
}

static void check_published(const struct suite_case *k, uint32_t want, const struct sj_tape *got)
{
	struct sj_slice catalog = a2ui_file(member_text(k, want, "catalogPath").ptr),
			types = a2ui_file(member_text(k, want, "commonTypesPath").ptr);
	struct sj_tape c, y;
	struct sj_buf text;
	CHECK(parse_json(k->arena, catalog, &c) && parse_json(k->arena, types, &y));
	sj_buf_init(&text, sj_test_mem(), 0);
	localise(&text, &c, 0);
	text.len -= 2; /* "}}" of $defs and the document */
	uint32_t defs = get(&y, 0, "$defs");
	bool added[64] = {false};
	for (bool more = true; more;) {
		more = false;
		unsigned i = 0;
		for (uint32_t at = defs + 1; at < y.cells[defs].end && i < 64; at = sj_tape_next(&y, at + 1), i++) {
			if (added[i] || !refers_to(sj_buf_view(&text), sj_tape_raw(&y, at)))
				continue;
			sj_buf_printf(&text, ",\"%.*s\":", SJ_ARG(sj_tape_raw(&y, at)));
			localise(&text, &y, at + 1);
			added[i] = more = true;
		}
	}
	sj_buf_puts(&text, "}}");
	struct sj_tape expected;
	CHECK(parse_json(k->arena, sj_buf_view(&text), &expected));
	CHECK(is_within(&expected, 0, got, 0, "emitted") && is_within(got, 0, &expected, 0, "published"));
	sj_buf_finish(&text);
}

static void run_catalog_schema(const struct suite_case *k)
{
	struct sj_catalog *c, *again;
	struct sj_diag d = {0};
	uint32_t published = get(k->t, k->cell, "expectCatalog");
	if (load_case(k, published != 0, &c, &d) != SJ_OK) {
		sj_fail_at(__FILE__, __LINE__, "%s", d.message);
		return;
	}
	struct sj_buf text, second;
	struct sj_tape got;
	sj_buf_init(&text, sj_test_mem(), 0);
	sj_buf_init(&second, sj_test_mem(), 0);
	CHECK_OK(sj_catalog_emit(c, &text));
	CHECK(parse_json(k->arena, sj_buf_view(&text), &got));
	if (published)
		check_published(k, published, &got);
	else
		is_within(k->t, get(k->t, k->cell, "expect"), &got, 0, "emitted");
	if (!published)
		CHECK(refs_resolve(&got) || sj_version_find(member_text(k, k->cell, "protocolVersion")) == SJ_V08);
	/* Reading the output and writing it again changes nothing. */
	struct sj_catalog_options opt = {.version = sj_catalog_version(c)};
	if (sj_catalog_load(sj_test_mem(), sj_buf_view(&text), &opt, &again, &d) == SJ_OK) {
		CHECK_OK(sj_catalog_emit(again, &second));
		CHECK_SLICE(sj_buf_view(&second), sj_buf_view(&text));
		sj_catalog_destroy(again);
	} else {
		sj_fail_at(__FILE__, __LINE__, "again: %s", d.message);
	}
	sj_buf_finish(&second);
	sj_buf_finish(&text);
	sj_catalog_destroy(c);
}

/* The suite wants the words of the published descriptions too. Ours are our own, so the built-in types are compared in
 * structure (catalog_data_test); here, that an engine given the file hands it on whole. */
static void run_common_types_schema(const struct suite_case *k)
{
	struct sj_slice file = a2ui_file(member_text(k, k->cell, "expectFile").ptr);
	enum sj_version v = sj_version_find(member_text(k, k->cell, "protocolVersion"));
	struct sj_buf ours;
	struct sj_tape a, b;
	sj_buf_init(&ours, sj_test_mem(), 0);
	CHECK(sj_a2ui_schema_write(v, SJ_DIALECT_BARE, SJ_LIT("common_types.json"), &ours));
	CHECK(parse_json(k->arena, file, &a) && parse_json(k->arena, sj_buf_view(&ours), &b));
	uint32_t theirs = get(&a, 0, "$defs"), mine = get(&b, 0, "$defs");
	CHECK_INT(a.cells[theirs].len, b.cells[mine].len);
	for (uint32_t at = theirs + 1; at < a.cells[theirs].end; at = sj_tape_next(&a, at + 1))
		CHECK(sj_tape_get(&b, mine, sj_tape_raw(&a, at)) > 0);
	sj_buf_finish(&ours);
}

static void run_validate_common_type(const struct suite_case *k)
{
	enum sj_version v = sj_version_find(member_text(k, k->cell, "protocolVersion"));
	uint32_t steps = get(k->t, k->cell, "steps");
	for (uint32_t at = steps + 1; at < k->t->cells[steps].end; at = sj_tape_next(k->t, at)) {
		bool bad = get(k->t, at, "expectError");
		uint32_t value = get(k->t, at, "value");
		struct seen_faults seen = {0};
		enum sj_status st =
			sj_a2ui_check_common_type(sj_test_mem(), v, SJ_DIALECT_AUTO,
		                                  member_text(k, k->cell, "definition"), k->t, value, see_fault, &seen);
		if (st != (bad ? SJ_INVALID : SJ_OK))
			sj_fail_at(__FILE__, __LINE__, "%d (%s): %.*s", st, seen.message,
			           SJ_ARG(sj_tape_source(k->t, value)));
	}
}

static void run_select_catalog(const struct suite_case *k)
{
	uint32_t args = get(k->t, k->cell, "args"), surface = get(k->t, args, "surface"),
		 supported = get(k->t, surface, "supportedCatalogIds");
	uint32_t catalogs = get(k->t, args, "catalogs"), components = get(k->t, args, "components"),
		 call = get(k->t, args, "functionCall");
	enum sj_version v = sj_version_find(member_text(k, get(k->t, k->cell, "catalog"), "protocolVersion"));
	struct sj_slice ids[8], picked = SJ_NO_SLICE;
	struct sj_catalog_choice choice = {.surface_id = member_text(k, surface, "id"),
	                                   .default_id = member_text(k, surface, "defaultCatalogId"),
	                                   .supported = ids};
	struct sj_diag d = {0};
	enum sj_status st = SJ_OK;
	for (uint32_t at = supported + 1; at < k->t->cells[supported].end && choice.nsupported < 8;
	     at = sj_tape_next(k->t, at))
		ids[choice.nsupported++] = text_of(k, at);
	for (uint32_t at = catalogs ? catalogs + 1 : 0; at > 0 && at < k->t->cells[catalogs].end && st == SJ_OK;
	     at = sj_tape_next(k->t, at + 1))
		st = sj_catalog_mix(v, text_of(k, at), sj_version_find(member_text(k, at + 1, "protocolVersion")), &d);
	/* The last one that names a catalog of its own tells, else the default. */
	for (uint32_t at = components ? components + 1 : 0; at > 0 && at < k->t->cells[components].end && st == SJ_OK;
	     at = sj_tape_next(k->t, at + 1))
		st = sj_catalog_choose(&choice, member_text(k, at + 1, "catalogId"), &picked, &d);
	if (call && st == SJ_OK)
		st = sj_catalog_choose(&choice, member_text(k, call, "catalogId"), &picked, &d);
	uint32_t error = expected_error(k);
	CHECK_INT(st, error ? SJ_INVALID : SJ_OK);
	if (error)
		check_diag(k, error, &d);
	else
		CHECK_SLICE(picked, member_text(k, k->cell, "expectSelected"));
}

static uint32_t read_names(const struct suite_case *k, uint32_t list, struct sj_slice names[32])
{
	uint32_t n = 0;
	for (uint32_t at = list + 1; list && at < k->t->cells[list].end && n < 32; at = sj_tape_next(k->t, at))
		names[n++] = text_of(k, at);
	return n;
}

static void run_prune(const struct suite_case *k)
{
	uint32_t doc = get(k->t, k->cell, "catalog"), args = get(k->t, k->cell, "args");
	struct sj_catalog *c, *pruned;
	struct sj_diag d = {0};
	struct sj_catalog_options opt = {.version = sj_version_find(member_text(k, doc, "version"))};
	CHECK_OK(sj_catalog_load(sj_test_mem(), sj_tape_source(k->t, get(k->t, doc, "catalog_schema")), &opt, &c, &d));
	struct sj_slice names[32];
	uint32_t n = read_names(k, get(k->t, args, "allowed_components"), names);
	CHECK_OK(sj_catalog_prune(sj_test_mem(), c, names, n, NULL, 0, &pruned));
	struct sj_tape got;
	CHECK(parse_json(k->arena, sj_catalog_document(pruned), &got));
	uint32_t want = get(k->t, get(k->t, k->cell, "expect"), "catalog_schema");
	CHECK(sj_tape_equal(k->t, want, &got, 0));
	sj_catalog_destroy(pruned);
	sj_catalog_destroy(c);
}

/* Names in the order of the document. */
static void check_rows(const struct suite_case *k, uint32_t want, const struct sj_catalog *c)
{
	uint32_t list = get(k->t, want, "components");
	if (list)
		CHECK_INT(sj_catalog_component_count(c), k->t->cells[list].len);
	uint32_t i = 0;
	for (uint32_t at = list + 1; list && at < k->t->cells[list].end; at = sj_tape_next(k->t, at), i++)
		CHECK_SLICE(sj_catalog_component_at(c, i)->name, text_of(k, at));
	list = get(k->t, want, "functions");
	if (list)
		CHECK_INT(sj_catalog_function_count(c), k->t->cells[list].len);
	i = 0;
	for (uint32_t at = list + 1; list && at < k->t->cells[list].end; at = sj_tape_next(k->t, at), i++)
		CHECK_SLICE(sj_catalog_function_at(c, i)->name, text_of(k, at));
	struct sj_slice id = member_text(k, want, "catalog_id"), version = member_text(k, want, "protocol_version");
	if (id.ptr)
		CHECK_SLICE(sj_catalog_id(c), id);
	if (version.ptr)
		CHECK_STR(version, sj_version_text(sj_catalog_version(c)));
}

static void run_provide_catalog(const struct suite_case *k)
{
	uint32_t args = get(k->t, k->cell, "args"), error = expected_error(k);
	char path[300];
	snprintf(path, sizeof path, "conformance/%.*s", SJ_ARG(member_text(k, args, "path")));
	struct sj_slice json = a2ui_file(path);
	struct sj_catalog *c = NULL;
	struct sj_diag d = {0};
	/* Two files of the suite are not in the data folder; their content is told by the cases. */
	if (!json.ptr && strstr(path, "catalog_without_id"))
		json = SJ_LIT("{\"components\":{\"Text\":{\"type\":\"object\",\"properties\":{"
		              "\"text\":{\"type\":\"string\"}}}}}");
	struct sj_catalog_options opt = {.id = member_text(k, args, "catalog_id"), .need_version = true};
	opt.version = sj_version_find(member_text(k, args, "protocol_version"));
	enum sj_status st = sj_catalog_load(sj_test_mem(), json.ptr ? json : SJ_LIT("{\"components\":"), &opt, &c, &d);
	CHECK_INT(st, error ? SJ_INVALID : SJ_OK);
	if (error)
		check_diag(k, error, &d);
	else if (st == SJ_OK)
		check_rows(k, get(k->t, k->cell, "expect"), c);
	sj_catalog_destroy(c);
}

/* One registration: {catalog: path, transformers}. */
static struct sj_catalog *registered(const struct suite_case *k, uint32_t row)
{
	char path[300];
	struct sj_catalog *c = NULL;
	struct sj_catalog_options opt = {0};
	snprintf(path, sizeof path, "conformance/%.*s", SJ_ARG(member_text(k, row, "catalog")));
	CHECK_OK(sj_catalog_load(sj_test_mem(), a2ui_file(path), &opt, &c, NULL));
	uint32_t list = get(k->t, row, "transformers");
	for (uint32_t at = list + 1; c && list && at < k->t->cells[list].end; at = sj_tape_next(k->t, at)) {
		struct sj_slice comps[32], fns[32];
		uint32_t cl = get(k->t, at, "component_pruning"), fl = get(k->t, at, "function_pruning"),
			 nc = read_names(k, cl, comps), nf = read_names(k, fl, fns);
		struct sj_catalog *less = NULL;
		CHECK_OK(sj_catalog_prune(sj_test_mem(), c, cl ? comps : NULL, nc, fl ? fns : NULL, nf, &less));
		sj_catalog_destroy(c);
		c = less;
	}
	return c;
}

static void run_resolve_catalogs(const struct suite_case *k)
{
	enum { CAP = 8 };
	uint32_t args = get(k->t, k->cell, "args"), list = get(k->t, args, "catalogs"),
		 caps = get(k->t, args, "renderer_capabilities"), n = 0, nactive = 0, nmade = 0;
	struct sj_catalog *held[CAP], *made[CAP];
	const struct sj_catalog *rows[CAP], *active[CAP];
	struct sj_diag d = {0};
	for (uint32_t at = list + 1; at < k->t->cells[list].end && n < CAP; at = sj_tape_next(k->t, at), n++)
		rows[n] = held[n] = registered(k, at);
	uint32_t accepts = get(k->t, args, "accepts_inline_catalogs"), error = expected_error(k);
	enum sj_status st = sj_catalog_negotiate(sj_test_mem(), rows, n, caps ? k->t : NULL, caps,
	                                         accepts && sj_tape_type(k->t, accepts) == SJ_J_TRUE, active, CAP,
	                                         &nactive, made, &nmade, &d);
	CHECK_INT(st, error ? SJ_INVALID : SJ_OK);
	if (error)
		check_diag(k, error, &d);
	uint32_t want = get(k->t, k->cell, "expect"), ids = want ? get(k->t, want, "active_catalog_ids") : 0,
		 cats = want ? get(k->t, want, "catalogs") : 0, i = 0;
	if (st == SJ_OK && want) {
		CHECK_INT(nactive, k->t->cells[ids].len);
		for (uint32_t at = ids + 1; at < k->t->cells[ids].end && i < nactive; at = sj_tape_next(k->t, at))
			CHECK_SLICE(sj_catalog_id(active[i++]), text_of(k, at));
		i = 0;
		for (uint32_t at = cats + 1; cats && at < k->t->cells[cats].end && i < nactive;
		     at = sj_tape_next(k->t, at))
			check_rows(k, at, active[i++]);
	}
	while (nmade > 0)
		sj_catalog_destroy(made[--nmade]);
	while (n > 0)
		sj_catalog_destroy(held[--n]);
}

/* The part of the capabilities that comes from catalogs. */
static void run_capabilities(const struct suite_case *k)
{
	uint32_t list = get(k->t, k->cell, "catalogs"), args = get(k->t, k->cell, "args"), i = 0;
	char version[16];
	snprintf(version, sizeof version, "%.*s", SJ_ARG(member_text(k, args, "version")));
	uint32_t want = get(k->t, get(k->t, get(k->t, k->cell, "expect"), version), "inlineCatalogs");
	for (uint32_t at = list + 1; at < k->t->cells[list].end; at = sj_tape_next(k->t, at), i++) {
		struct sj_catalog *c;
		struct sj_catalog_options opt = {0};
		struct sj_buf text;
		struct sj_tape got;
		CHECK_OK(sj_catalog_load(sj_test_mem(), sj_tape_source(k->t, at), &opt, &c, NULL));
		sj_buf_init(&text, sj_test_mem(), 0);
		CHECK_OK(sj_catalog_emit_inline(c, &text));
		CHECK(parse_json(k->arena, sj_buf_view(&text), &got));
		if (want && !sj_tape_equal(k->t, sj_tape_item(k->t, want, i), &got, 0))
			sj_fail_at(__FILE__, __LINE__, "inline: %.*s", SJ_ARG(sj_buf_view(&text)));
		sj_buf_finish(&text);
		sj_catalog_destroy(c);
	}
}

static const struct { const char *action; void (*run)(const struct suite_case *k);
} actions[] = {
	{"from_json", run_from_json},
	{"catalog_schema", run_catalog_schema},
	{"common_types_schema", run_common_types_schema},
	{"validate_common_type", run_validate_common_type},
	{"select_catalog", run_select_catalog},
	{"prune", run_prune},
	{"provide_catalog", run_provide_catalog},
	{"resolve_catalogs", run_resolve_catalogs},
	{"get_renderer_capabilities", run_capabilities},
};

static void run_suite(const char *file, unsigned least)
{
	struct sj_arena arena;
	struct sj_tape t;
	unsigned count = 0;
	char path[200];
	snprintf(path, sizeof path, "conformance/%s", file);
	struct sj_slice text = a2ui_file(path);
	if (!text.ptr) {
		sj_skip("the conformance suites are not there");
		return;
	}
	sj_arena_init(&arena, sj_test_mem(), 0);
	CHECK(parse_json(&arena, text, &t));
	for (uint32_t at = 1; at < t.cells[0].end; at = sj_tape_next(&t, at)) {
		struct suite_case k = {&arena, &t, at};
		struct sj_slice action = member_text(&k, at, "action");
		for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
			if (sj_slice_is(action, actions[i].action)) {
				sj_case("%s", member_text(&k, at, "name").ptr);
				actions[i].run(&k);
				sj_case_end();
				count++;
			}
	}
	CHECK(count >= least);
	sj_arena_finish(&arena);
}

SJ_TEST(core_catalog) { run_suite("core/catalog.json", 40); }
SJ_TEST(core_common_types) { run_suite("core/common_types.json", 7); }
SJ_TEST(core_multi_catalog) { run_suite("core/multi_catalog.json", 4); }
SJ_TEST(agent_catalog_transformer) { run_suite("agent/catalog_transformer.json", 2); }
SJ_TEST(agent_catalog_provider) { run_suite("agent/catalog_provider.json", 8); }
SJ_TEST(agent_catalog_resolution) { run_suite("agent/catalog_resolution.json", 16); }
SJ_TEST(capabilities_v09) { run_suite("core/message_processor_v0_9.json", 3); }
SJ_TEST(capabilities_v10) { run_suite("core/message_processor_v1_0.json", 1); }
