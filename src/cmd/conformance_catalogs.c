/* Conformance: from_json, catalog_schema, select_catalog, common_types_schema, validate_common_type. */
#include "cmd/conformance.h"

#include "cmd/match.h"

/* ---- catalogs ---------------------------------------------------------------------------------------------------- */

static bool case_document(struct trial *t, struct sj_value *out)
{
	const struct sj_value *path = case_member(t, "catalogPath"), *doc = case_member(t, "catalog");
	if (path)
		return trial_load(t, sj_value_text(path), out);
	*out = doc ? sj_value_ref(*doc) : SJ_NULL_VALUE;
	return true;
}

static struct sj_catalog *parse_case(struct trial *t, struct sj_diag *d)
{
	const struct sj_value *id = case_member(t, "catalogId");
	struct sj_catalog *c = NULL;
	struct sj_value doc;
	struct sj_buf json;
	if (!case_document(t, &doc))
		return NULL;
	/* In these cases the id beside a document replaces the document's own. */
	if (id && cmd_member(&doc, "catalogId"))
		value_put(t->mem, &doc, "catalogId", sj_value_ref(*id));
	sj_buf_init(&json, t->mem, 0);
	sj_value_print(&json, &doc, SJ_PRINT_COMPACT);
	/* The case's version is what a document that names none is read as. */
	enum sj_version version = cmd_member(&doc, "protocolVersion") ? SJ_VERSION_NONE : t->version;
	if (sj_catalog_parse(t->mem, sj_buf_view(&json), id ? sj_value_text(id) : SJ_NO_SLICE, version, NULL, NULL, &c,
	                     d) != SJ_OK)
		c = NULL;
	sj_buf_finish(&json);
	sj_value_unref(t->mem, doc);
	return c;
}

/* Every reference leads to a place in the document itself. Breadth first over the document. */
static void check_self_contained(struct trial *t, const struct sj_value *doc)
{
	SJ_VEC(const struct sj_value *) queue = {0};
	if (SJ_VEC_RESERVE(t->mem, &queue, 1, 0) == SJ_OK)
		queue.items[queue.count++] = doc;
	for (uint32_t i = 0; i < queue.count && !trial_failed(t); i++) {
		const struct sj_value *v = queue.items[i], *ref = cmd_member(v, "$ref");
		if (ref && sj_value_is_string(ref)) {
			struct sj_slice text = sj_value_text(ref);
			if (text.len < 1 || text.ptr[0] != '#' ||
			    !sj_value_at(doc, sj_slice(text.ptr + 1, text.len - 1)))
				trial_fail(t, "the reference %.*s leads nowhere inside the document", SJ_ARG(text));
		}
		for (uint32_t k = 0; k < sj_value_count(v); k++) {
			struct sj_slice key;
			const struct sj_value *child =
				v->type == SJ_V_ARRAY ? sj_value_item(v, k) : sj_value_member(v, k, &key);
			if (!sj_value_is_container(child))
				continue;
			if (SJ_VEC_RESERVE(t->mem, &queue, queue.count + 1, 0) != SJ_OK) {
				trial_fail(t, "out of memory");
				break;
			}
			queue.items[queue.count++] = child;
		}
	}
	SJ_VEC_FREE(t->mem, &queue);
}

static bool count_fault(void *ctx, const struct sj_schema_fault *f)
{
	struct sj_buf *first = ctx;
	if (first->len == 0)
		sj_buf_puts(first, f->message);
	return true;
}

static void check_validity(struct trial *t, const struct sj_catalog *c, const struct sj_value *components, bool valid)
{
	for (uint32_t i = 0; components && i < sj_value_count(components); i++) {
		const struct sj_value *one = sj_value_item(components, i);
		struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
		struct sj_arena arena;
		struct sj_tape tape;
		struct sj_buf json, fault;
		sj_arena_init(&arena, t->mem, 0);
		sj_buf_init(&json, t->mem, 0);
		sj_buf_init(&fault, t->mem, 0);
		sj_value_print(&json, one, SJ_PRINT_COMPACT);
		enum sj_dialect dialect =
			cmd_contains(sj_buf_view(&json), SJ_LIT("\"@")) ? SJ_DIALECT_RESERVED : SJ_DIALECT_BARE;
		enum sj_status status = SJ_INVALID;
		if (sj_json_parse(&arena, &opt, sj_buf_view(&json), &tape, NULL) == SJ_OK)
			status = sj_catalog_check_alone(c, dialect, &tape, 0, &arena, count_fault, &fault);
		if ((status == SJ_OK) != valid)
			trial_fail(t, "component %u is %s: %.*s", i, valid ? "refused" : "accepted",
			           SJ_ARG(sj_buf_view(&fault)));
		sj_buf_finish(&fault);
		sj_buf_finish(&json);
		sj_arena_finish(&arena);
	}
}

/* The names under "required" are a set: sorted, they compare as one. */
static struct sj_value sorted_names(struct trial *t, const struct sj_value *names)
{
	struct sj_value out;
	if (sj_value_array(t->mem, &out) != SJ_OK)
		return sj_value_ref(*names);
	for (uint32_t i = 0; i < sj_value_count(names); i++) {
		const struct sj_value *v = sj_value_item(names, i);
		uint32_t at = 0;
		while (at < sj_value_count(&out) &&
		       sj_slice_cmp(sj_value_text(sj_value_item(&out, at)), sj_value_text(v)) < 0)
			at++;
		if (sj_value_insert(t->mem, &out, at, sj_value_ref(*v)) != SJ_OK)
			trial_fail(t, "out of memory");
	}
	return out;
}

/* Our documents mean what the published ones mean in words of our own: descriptions and titles are no part of the
 * comparison once everything else is, nor the order of required names. `in_names`: the members of this object are named
 * by the author, so that "title" may be a property. */
static struct sj_value without_prose(struct trial *t, const struct sj_value *doc)
{
	static const char *const prose[] = {"description", "title", "instructions"};
	struct step {
		struct sj_value *v;
		bool in_names;
	};
	SJ_VEC(struct step) queue = {0};
	enum sj_status status = SJ_VEC_RESERVE(t->mem, &queue, 1, 0);
	struct sj_value copy = value_copy(t->mem, doc);
	if (status == SJ_OK)
		queue.items[queue.count++] = (struct step){&copy, false};
	for (uint32_t i = 0; i < queue.count && status == SJ_OK; i++) {
		struct step at = queue.items[i];
		for (size_t k = 0; at.v->type == SJ_V_OBJECT && !at.in_names && k < sizeof prose / sizeof *prose; k++) {
			const struct sj_value *v = cmd_member(at.v, prose[k]);
			if (v && sj_value_is_string(v))
				status = sj_value_unset(t->mem, at.v, sj_slice_of(prose[k]));
		}
		const struct sj_value *required = at.in_names ? NULL : cmd_member(at.v, "required");
		if (required && required->type == SJ_V_ARRAY)
			value_put(t->mem, at.v, "required", sorted_names(t, required));
		uint32_t count = sj_value_count(at.v);
		for (uint32_t k = 0; k < count && status == SJ_OK; k++) {
			struct sj_slice key = SJ_LIT("");
			struct sj_value *child = at.v->type == SJ_V_ARRAY
			                                 ? sj_value_own_item(t->mem, at.v, k, &status)
			                                 : (sj_value_member(at.v, k, &key),
			                                    sj_value_own_member(t->mem, at.v, key, &status));
			bool names = !at.in_names && (sj_slice_is(key, "properties") || sj_slice_is(key, "$defs") ||
			                              sj_slice_is(key, "components"));
			if (child && sj_value_is_container(child) &&
			    (status = SJ_VEC_RESERVE(t->mem, &queue, queue.count + 1, 0)) == SJ_OK)
				queue.items[queue.count++] = (struct step){child, names};
		}
	}
	if (status != SJ_OK)
		trial_fail(t, "out of memory");
	SJ_VEC_FREE(t->mem, &queue);
	return copy;
}

static void match_document(struct trial *t, const char *what, const struct sj_value *want, struct sj_slice json,
                           bool exact)
{
	struct sj_value got = value_of_json(t->mem, json);
	struct sj_buf why;
	sj_buf_init(&why, t->mem, 0);
	if (!cmd_match(t->mem, want, &got, exact, &why)) {
		struct sj_value a = without_prose(t, want), b = without_prose(t, &got);
		trial_match(t, what, &a, &b, exact);
		sj_value_unref(t->mem, a);
		sj_value_unref(t->mem, b);
	}
	sj_buf_finish(&why);
	sj_value_unref(t->mem, got);
}

/* Names under "required" are a set: what the envelope adds does not count. Everything else compares as always. */
static bool is_required(const struct sj_value *want, const struct sj_value *got)
{
	for (uint32_t i = 0; i < sj_value_count(want); i++) {
		bool found = false;
		for (uint32_t k = 0; k < sj_value_count(got); k++)
			found = found || sj_value_equal(sj_value_item(want, i), sj_value_item(got, k));
		if (!found)
			return false;
	}
	return true;
}

static void check_definitions(struct trial *t, const char *what, const struct sj_value *want,
                              const struct sj_value *got)
{
	for (uint32_t i = 0; want && i < sj_value_count(want); i++) {
		struct sj_slice name;
		const struct sj_value *w = sj_value_member(want, i, &name), *g = got ? sj_value_get(got, name) : NULL;
		const struct sj_value *required = cmd_member(w, "required");
		struct sj_value rest = sj_value_ref(*w);
		if (!g) {
			trial_fail(t, "%s: '%.*s' is not there", what, SJ_ARG(name));
		} else {
			if (required && !is_required(required, cmd_member(g, "required") ? cmd_member(g, "required")
			                                                                 : &SJ_NULL_VALUE))
				trial_fail(t, "%s: '%.*s' requires too little", what, SJ_ARG(name));
			if (required && sj_value_unset(t->mem, &rest, SJ_LIT("required")) != SJ_OK)
				trial_fail(t, "out of memory");
			struct sj_value a = without_prose(t, &rest), b = without_prose(t, g);
			trial_match(t, what, &a, &b, false);
			sj_value_unref(t->mem, a);
			sj_value_unref(t->mem, b);
		}
		sj_value_unref(t->mem, rest);
	}
	/* A list of definitions is complete: filtered ones must not come back. */
	if (want && got && sj_value_count(want) != sj_value_count(got))
		trial_fail(t, "%s: %u, wanted %u", what, sj_value_count(got), sj_value_count(want));
}

static void check_catalog(struct trial *t, const struct sj_catalog *c, const struct sj_value *expect)
{
	const struct sj_value *id = cmd_member(expect, "catalogId"), *version = cmd_member(expect, "protocolVersion"),
			      *self = cmd_member(expect, "selfContained");
	const struct sj_value *theme = cmd_member(expect, "theme");
	struct sj_buf json;

	if (id && !sj_slice_eq(sj_value_text(id), sj_catalog_id(c)))
		trial_fail(t, "catalogId is '%.*s'", SJ_ARG(sj_catalog_id(c)));
	/* Unversioned documents are of the first version that has such catalogs. */
	enum sj_version v = sj_catalog_version(c) == SJ_VERSION_NONE ? SJ_V09 : sj_catalog_version(c);
	if (version && sj_version_find(sj_value_text(version)) != v)
		trial_fail(t, "protocolVersion is %s", sj_version_text(v));
	sj_buf_init(&json, t->mem, 0);
	if (sj_catalog_emit_resolved(c, &json) != SJ_OK)
		trial_fail(t, "the catalog could not be written");
	struct sj_value doc = value_of_json(t->mem, sj_buf_view(&json));
	check_definitions(t, "components", cmd_member(expect, "components"), cmd_member(&doc, "components"));
	check_definitions(t, "functions", cmd_member(expect, "functions"), cmd_member(&doc, "functions"));
	if (theme && sj_value_count(theme) == 0) {
		if (sj_catalog_has_theme(c))
			trial_fail(t, "there is a theme");
	} else if (theme) {
		trial_match(t, "theme", theme, cmd_member(&doc, "theme"), false);
	}
	sj_value_unref(t->mem, doc);
	sj_buf_clear(&json);
	if (self && self->type == SJ_V_TRUE) {
		if (sj_catalog_emit(c, &json) != SJ_OK)
			trial_fail(t, "the catalog could not be written");
		doc = value_of_json(t->mem, sj_buf_view(&json));
		check_self_contained(t, &doc);
		sj_value_unref(t->mem, doc);
	}
	sj_buf_finish(&json);
	check_validity(t, c, cmd_member(expect, "validComponents"), true);
	check_validity(t, c, cmd_member(expect, "invalidComponents"), false);
}

void act_from_json(struct trial *t)
{
	const struct sj_value *error = case_member(t, "expectError");
	struct sj_diag d = {0};
	struct sj_catalog *c = parse_case(t, &d);
	if (error)
		trial_expect_diag(t, error, &d);
	else if (!c)
		trial_fail(t, "unexpected %s: %s", sj_category_name(d.category), d.message);
	else if (case_member(t, "expect"))
		check_catalog(t, c, case_member(t, "expect"));
	sj_catalog_destroy(c);
}

/* "common_types.json#/$defs/X", wherever it is published, becomes "#/$defs/X", and so does "catalog.json#/..."; works
 * on the text: the documents spell references in one way only. */
static struct sj_value localised(struct trial *t, const struct sj_value *doc)
{
	static const char *const files[] = {"common_types.json#/", "catalog.json#/"};
	struct sj_buf text, out;
	struct sj_value v;

	sj_buf_init(&text, t->mem, 0);
	sj_buf_init(&out, t->mem, 0);
	sj_value_print(&text, doc, SJ_PRINT_COMPACT);
	for (size_t at = 0; at < text.len;) {
		if (text.ptr[at] == '"') { /* a string: does it end in a reference to the common types? */
			size_t end = at + 1;
			while (end < text.len && text.ptr[end] != '"')
				end += text.ptr[end] == '\\' ? 2 : 1;
			struct sj_slice s = {text.ptr + at + 1, end - at - 1};
			size_t from = 0; /* of the fragment, when the string is such a reference */
			for (size_t k = 0; k < sizeof files / sizeof *files && from == 0; k++)
				for (size_t m = 0, n = strlen(files[k]); m + n <= s.len && from == 0; m++)
					if (memcmp(s.ptr + m, files[k], n) == 0)
						from = m + n - 2;
			if (from > 0)
				sj_buf_printf(&out, "\"%.*s\"", (int)(s.len - from), s.ptr + from);
			else
				sj_buf_put(&out, text.ptr + at, end + 1 - at);
			at = end + 1;
		} else {
			sj_buf_putc(&out, text.ptr[at++]);
		}
	}
	v = value_of_json(t->mem, sj_buf_view(&out));
	sj_buf_finish(&text);
	sj_buf_finish(&out);
	return v;
}

/* A document with the definitions of the common types it refers to, and those they refer to. */
static struct sj_value bundled(struct trial *t, const struct sj_value *doc, const struct sj_value *types)
{
	struct sj_value common = localised(t, types), v = localised(t, doc);
	const struct sj_value *defs = cmd_member(&common, "$defs");
	struct sj_buf text, out;

	sj_buf_init(&text, t->mem, 0);
	sj_buf_init(&out, t->mem, 0);
	for (bool again = true; again;) {
		again = false;
		sj_buf_clear(&text);
		sj_value_print(&text, &v, SJ_PRINT_COMPACT);
		for (uint32_t i = 0; defs && i < sj_value_count(defs); i++) {
			struct sj_slice name;
			const struct sj_value *def = sj_value_member(defs, i, &name), *have = cmd_member(&v, "$defs");
			sj_buf_clear(&out);
			sj_buf_printf(&out, "\"#/$defs/%.*s\"", SJ_ARG(name));
			if ((have && sj_value_get(have, name)) || !cmd_contains(sj_buf_view(&text), sj_buf_view(&out)))
				continue;
			struct sj_value all = have ? sj_value_ref(*have) : SJ_NULL_VALUE;
			if (!have && sj_value_object(t->mem, &all) != SJ_OK)
				break;
			if (sj_value_set(t->mem, &all, name, sj_value_ref(*def)) != SJ_OK)
				break;
			value_put(t->mem, &v, "$defs", all);
			again = true;
		}
	}
	sj_value_unref(t->mem, common);
	sj_buf_finish(&text);
	sj_buf_finish(&out);
	return v;
}

static struct sj_value expected_catalog(struct trial *t)
{
	const struct sj_value *expect = case_member(t, "expect"), *files = case_member(t, "expectCatalog");
	struct sj_value doc, common, out;
	if (!files)
		return expect ? sj_value_ref(*expect) : SJ_NULL_VALUE;
	if (!trial_load(t, sj_value_text(cmd_member(files, "catalogPath")), &doc))
		return SJ_NULL_VALUE;
	if (!trial_load(t, sj_value_text(cmd_member(files, "commonTypesPath")), &common)) {
		sj_value_unref(t->mem, doc);
		return SJ_NULL_VALUE;
	}
	/* A catalog in the newer spelling of v1.0 beside common types in the earlier one: those are taken from our own
	 * document in the catalog's spelling, whose earlier form the cases of common_types compare with the file. */
	struct sj_buf catalog_text, common_text;
	sj_buf_init(&catalog_text, t->mem, 0);
	sj_buf_init(&common_text, t->mem, 0);
	sj_value_print(&catalog_text, &doc, SJ_PRINT_COMPACT);
	sj_value_print(&common_text, &common, SJ_PRINT_COMPACT);
	if (cmd_contains(sj_buf_view(&catalog_text), SJ_LIT("\"@call\"")) &&
	    !cmd_contains(sj_buf_view(&common_text), SJ_LIT("\"@call\""))) {
		sj_buf_clear(&common_text);
		if (sj_a2ui_schema_write(t->version, SJ_DIALECT_RESERVED, SJ_LIT("common_types.json"), &common_text)) {
			sj_value_unref(t->mem, common);
			common = value_of_json(t->mem, sj_buf_view(&common_text));
		}
	}
	sj_buf_finish(&catalog_text);
	sj_buf_finish(&common_text);
	out = bundled(t, &doc, &common);
	sj_value_unref(t->mem, doc);
	sj_value_unref(t->mem, common);
	return out;
}

void act_catalog_schema(struct trial *t)
{
	struct sj_diag d = {0};
	struct sj_buf json, again;
	struct sj_catalog *second = NULL;
	/* "The implementation of the basic catalog" is our own, not the file. */
	struct sj_catalog *c = NULL;
	if (case_member(t, "expectCatalog")) {
		if (sj_catalog_basic(t->mem, t->version, NULL, NULL, &c) != SJ_OK)
			c = NULL;
	} else {
		c = parse_case(t, &d);
	}
	if (!c) {
		trial_fail(t, "unexpected %s: %s", sj_category_name(d.category), d.message);
		return;
	}
	struct sj_value want = expected_catalog(t);
	sj_buf_init(&json, t->mem, 0);
	sj_buf_init(&again, t->mem, 0);
	if (sj_catalog_emit(c, &json) != SJ_OK)
		trial_fail(t, "the catalog could not be written");
	/* A case shows the part it is about; a file is the whole. */
	match_document(t, "catalog", &want, sj_buf_view(&json), case_member(t, "expectCatalog") != NULL);
	/* What was written reads back as itself. */
	if (sj_catalog_parse(t->mem, sj_buf_view(&json), SJ_NO_SLICE, sj_catalog_version(c), NULL, NULL, &second, &d) !=
	            SJ_OK ||
	    sj_catalog_emit(second, &again) != SJ_OK || !sj_slice_eq(sj_buf_view(&json), sj_buf_view(&again)))
		trial_fail(t, "written and read again it is another document: %s", d.message);
	sj_catalog_destroy(second);
	sj_buf_finish(&json);
	sj_buf_finish(&again);
	sj_value_unref(t->mem, want);
	sj_catalog_destroy(c);
}

/* ---- select_catalog ---------------------------------------------------------------------------------------------- */

#define MAX_SUPPORTED 16u

/* Own id of what the case asks about: the call, else the last component that names one. */
static const struct sj_value *own_id(const struct sj_value *args)
{
	const struct sj_value *components = cmd_member(args, "components"),
			      *found = cmd_member(cmd_member(args, "functionCall"), "catalogId");
	for (uint32_t i = 0; components && i < sj_value_count(components); i++) {
		struct sj_slice id;
		const struct sj_value *one = cmd_member(sj_value_member(components, i, &id), "catalogId");
		found = one && !cmd_member(args, "functionCall") ? one : found;
		if (one && sj_value_is_string(one) && cmd_member(args, "surface") &&
		    sj_value_equal(one, cmd_member(cmd_member(args, "surface"), "defaultCatalogId")) && found == one)
			found = NULL; /* naming the default is no choice */
	}
	return found;
}

void act_select_catalog(struct trial *t)
{
	const struct sj_value *args = case_member(t, "args"), *surface = cmd_member(args, "surface"),
			      *supported = cmd_member(surface, "supportedCatalogIds"),
			      *default_id = cmd_member(surface, "defaultCatalogId"),
			      *catalogs = cmd_member(args, "catalogs"), *own = own_id(args),
			      *expect = case_member(t, "expectSelected"), *error = case_member(t, "expectError");
	struct sj_slice ids[MAX_SUPPORTED], selected = SJ_NO_SLICE;
	struct sj_catalog_choice choice = {.default_id = default_id ? sj_value_text(default_id) : SJ_NO_SLICE,
	                                   .supported = ids};
	struct sj_diag d = {0};
	enum sj_status status;

	if (!surface) {
		trial_skip(t, "the agent side is not part of this engine");
		return;
	}
	if (cmd_member(surface, "id"))
		choice.surface_id = sj_value_text(cmd_member(surface, "id"));
	for (; supported && choice.nsupported < sj_value_count(supported) && choice.nsupported < MAX_SUPPORTED;
	     choice.nsupported++)
		ids[choice.nsupported] = sj_value_text(sj_value_item(supported, choice.nsupported));
	status = sj_catalog_choose(&choice, own ? sj_value_text(own) : SJ_NO_SLICE, &selected, &d);
	for (uint32_t i = 0; status == SJ_OK && catalogs && i < sj_value_count(catalogs); i++) {
		struct sj_slice id;
		const struct sj_value *version = cmd_member(sj_value_member(catalogs, i, &id), "protocolVersion");
		const struct sj_value *case_version = cmd_member(case_member(t, "catalog"), "protocolVersion");
		status = sj_catalog_mix(case_version ? sj_version_find(sj_value_text(case_version)) : SJ_V10, id,
		                        version ? sj_version_find(sj_value_text(version)) : SJ_VERSION_NONE, &d);
	}
	if (error)
		trial_expect_diag(t, error, &d);
	else if (status != SJ_OK)
		trial_fail(t, "unexpected %s", d.message);
	else if (!expect || !sj_slice_eq(selected, sj_value_text(expect)))
		trial_fail(t, "selected '%.*s'", SJ_ARG(selected));
}

/* ---- common types ------------------------------------------------------------------------------------------------ */

void act_common_types(struct trial *t)
{
	struct sj_value want;
	struct sj_buf text;
	if (!trial_load(t, sj_value_text(case_member(t, "expectFile")), &want))
		return;
	sj_buf_init(&text, t->mem, 0);
	/* v1.0 was published with two spellings of its keys; the file is in one of them. */
	sj_value_print(&text, &want, SJ_PRINT_COMPACT);
	enum sj_dialect dialect =
		cmd_contains(sj_buf_view(&text), SJ_LIT("\"@path\"")) ? SJ_DIALECT_RESERVED : SJ_DIALECT_BARE;
	sj_buf_clear(&text);
	if (!sj_a2ui_schema_write(t->version, dialect, SJ_LIT("common_types.json"), &text))
		trial_fail(t, "there is no such document");
	match_document(t, "common types", &want, sj_buf_view(&text), true);
	sj_buf_finish(&text);
	sj_value_unref(t->mem, want);
}

/* Validated, and the same value when written and read again. */
static enum sj_status validate_value(struct trial *t, struct sj_slice definition, const struct sj_value *value,
                                     struct sj_buf *fault)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	enum sj_status status = SJ_NOMEM;
	struct sj_arena arena;
	struct sj_tape tape;
	struct sj_buf json;
	sj_arena_init(&arena, t->mem, 0);
	sj_buf_init(&json, t->mem, 0);
	sj_value_print(&json, value, SJ_PRINT_COMPACT);
	/* These cases are written in the earlier spelling of v1.0. */
	if (sj_json_parse(&arena, &opt, sj_buf_view(&json), &tape, NULL) == SJ_OK)
		status = sj_a2ui_check_common_type(t->mem, t->version, SJ_DIALECT_BARE, definition, &tape, 0,
		                                   count_fault, fault);
	struct sj_value again = value_of_json(t->mem, sj_buf_view(&json));
	if (!sj_value_equal(&again, value))
		trial_fail(t, "the value does not survive writing and reading");
	sj_value_unref(t->mem, again);
	sj_buf_finish(&json);
	sj_arena_finish(&arena);
	return status;
}

void act_common_type(struct trial *t)
{
	const struct sj_value *definition = case_member(t, "definition"), *steps = case_member(t, "steps");
	struct sj_buf fault;

	sj_buf_init(&fault, t->mem, 0);
	for (uint32_t i = 0; steps && i < sj_value_count(steps); i++) {
		const struct sj_value *step = sj_value_item(steps, i), *error = cmd_member(step, "expectError");
		struct sj_diag refused = {0};
		sj_buf_clear(&fault);
		enum sj_status status = validate_value(t, sj_value_text(definition), cmd_member(step, "value"), &fault);
		if (status == SJ_INVALID)
			sj_diag_set(&refused, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION, "%.*s",
			            SJ_ARG(sj_buf_view(&fault)));
		if (error)
			trial_expect_diag(t, error, &refused);
		else if (status != SJ_OK)
			trial_fail(t, "value %u is refused: %.*s", i, SJ_ARG(sj_buf_view(&fault)));
	}
	sj_buf_finish(&fault);
}
