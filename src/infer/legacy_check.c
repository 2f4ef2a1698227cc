/* The schemas of a legacy processor, and whether a message is valid by them.
 *
 * v0.9: the envelope names its components as catalog.json#/$defs/anyComponent; a catalog that does not define it gets
 * one made of its components. v0.8: the envelope leaves the component open and the catalog's components are put in its
 * place, and its styles in the place of the styles.
 */
#include <stdio.h>

#include "infer/legacy_internal.h"

static enum sj_status unusable(struct sj_diag *diag, const char *what, const struct sj_diag *why)
{
	return sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG, "the %s cannot be used: %s", what,
	                   why->message);
}

static enum sj_status read_schema(struct sj_legacy *p, struct sj_slice text, const char *what, struct sj_value *out,
                                  struct sj_diag *diag)
{
	struct sj_json_options json = p->json;
	struct sj_diag why = {0};
	enum sj_status st;
	if (!text.ptr)
		return SJ_OK;
	json.dup = SJ_DUP_LAST;
	st = sj_value_parse(p->mem, &json, text, out, &why);
	if (st == SJ_OK && out->type != SJ_V_OBJECT)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG, "the %s is no JSON object",
		                   what);
	return st == SJ_OK || st == SJ_NOMEM ? st : unusable(diag, what, &why);
}

/* The uri of `name` beside the document `base`. */
static void beside(struct sj_slice base, const char *name, struct sj_buf *out)
{
	size_t n = base.len;
	while (n > 0 && base.ptr[n - 1] != '/')
		n--;
	sj_buf_clear(out);
	sj_buf_put(out, base.ptr, n);
	sj_buf_puts(out, name);
}

static enum sj_status add_text(struct sj_legacy *p, const struct sj_buf *uri, struct sj_slice text, const char *what,
                               struct sj_diag *diag)
{
	struct sj_diag why = {0};
	enum sj_status st =
		sj_buf_status(uri) != SJ_OK ? SJ_NOMEM : sj_schema_set_add(p->set, sj_buf_view(uri), text, &why);
	return st == SJ_OK || st == SJ_NOMEM ? st : unusable(diag, what, &why);
}

static enum sj_status add_value(struct sj_legacy *p, const struct sj_buf *uri, const struct sj_value *v,
                                const char *what, struct sj_diag *diag)
{
	struct sj_buf text;
	enum sj_status st;
	sj_buf_init(&text, p->mem, 0);
	sj_value_print(&text, v, SJ_PRINT_COMPACT);
	st = sj_buf_status(&text) == SJ_OK ? add_text(p, uri, sj_buf_view(&text), what, diag) : SJ_NOMEM;
	sj_buf_finish(&text);
	return st;
}

/* "#/components/NAME" as a reference: escaped as a pointer, then as a fragment. */
static void put_reference(struct sj_buf *out, const char *document, struct sj_slice name)
{
	struct sj_buf pointer, ref;
	sj_buf_init(&pointer, out->mem, 0);
	sj_buf_init(&ref, out->mem, 0);
	sj_pointer_append(&pointer, name);
	sj_buf_printf(&ref, "%s#/components", document);
	for (size_t i = 0; i < pointer.len; i++) {
		unsigned char c = (unsigned char)pointer.ptr[i];
		if (c > 0x20 && c < 0x7f && !strchr("%\"<>\\^`{|}#", c))
			sj_buf_putc(&ref, (char)c);
		else
			sj_buf_printf(&ref, "%%%02X", c);
	}
	if (sj_buf_status(&pointer) != SJ_OK || sj_buf_status(&ref) != SJ_OK)
		out->status = SJ_NOMEM;
	else
		sj_json_print_string(out, sj_buf_view(&ref));
	sj_buf_finish(&pointer);
	sj_buf_finish(&ref);
}

static const struct sj_value *components_of(const struct sj_legacy *p)
{
	const struct sj_value *c =
		p->catalog.type == SJ_V_OBJECT ? sj_value_get(&p->catalog, SJ_LIT("components")) : NULL;
	return c && c->type == SJ_V_OBJECT ? c : NULL;
}

/* v0.9: {"oneOf": [each component, told by its name]}; of a catalog without components nothing is valid. */
static void print_any_component(const struct sj_value *components, struct sj_buf *out)
{
	uint32_t n = components ? sj_value_count(components) : 0;
	if (n == 0)
		sj_buf_puts(out, "false");
	for (uint32_t i = 0; i < n; i++) {
		struct sj_slice name;
		sj_value_member(components, i, &name);
		sj_buf_puts(out, i == 0 ? "{\"oneOf\":[" : ",");
		sj_buf_puts(out, "{\"required\":[\"component\"],\"properties\":{\"component\":{\"const\":");
		sj_json_print_string(out, name);
		sj_buf_puts(out, "}},\"allOf\":[{\"$ref\":");
		put_reference(out, "", name);
		sj_buf_puts(out, "}]}");
	}
	if (n > 0)
		sj_buf_puts(out, "]}");
}

/* Sets the member, parsed from JSON, of the object at `path` (keys, NULL-ended), if that is there. */
static enum sj_status set_at(struct sj_legacy *p, struct sj_value *root, const char *const *path, const char *key,
                             struct sj_slice json)
{
	struct sj_value *v = root, parsed;
	enum sj_status st = SJ_OK;
	for (; v && *path; path++) {
		if (v->type != SJ_V_OBJECT)
			return SJ_OK;
		v = sj_value_own_member(p->mem, v, sj_slice_of(*path), &st);
	}
	if (!v || v->type != SJ_V_OBJECT)
		return st;
	st = sj_value_parse(p->mem, &p->json, json, &parsed, NULL);
	return st == SJ_OK ? sj_value_set(p->mem, v, sj_slice_of(key), parsed) : st;
}

/* What the envelope and the common types ask of a catalog, where this one does not define it. */
static enum sj_status complete_catalog(struct sj_legacy *p, struct sj_value *catalog)
{
	static const char *const here[] = {NULL}, *const defs[] = {"$defs", NULL};
	struct {
		const char *name;
		struct sj_slice schema;
	} asked[] = {{"anyComponent", SJ_NO_SLICE}, {"anyFunction", SJ_LIT("true")}, {"theme", SJ_LIT("true")}};
	const struct sj_value *d = sj_value_get(catalog, SJ_LIT("$defs"));
	struct sj_buf any;
	enum sj_status st = SJ_OK;

	sj_buf_init(&any, p->mem, 0);
	print_any_component(components_of(p), &any);
	asked[0].schema = sj_buf_view(&any);
	if (!d || d->type != SJ_V_OBJECT)
		st = set_at(p, catalog, here, "$defs", SJ_LIT("{}"));
	if (sj_buf_status(&any) != SJ_OK)
		st = SJ_NOMEM;
	for (size_t i = 0; st == SJ_OK && i < sizeof asked / sizeof *asked; i++) {
		d = sj_value_get(catalog, SJ_LIT("$defs"));
		if (!sj_value_get(d, sj_slice_of(asked[i].name)))
			st = set_at(p, catalog, defs, asked[i].name, asked[i].schema);
	}
	sj_buf_finish(&any);
	return st;
}

static enum sj_status complete_envelope(struct sj_legacy *p, struct sj_value *s2c)
{
	static const char *const component[] = {"properties", "surfaceUpdate", "properties", "components",
	                                        "items",      "properties",    "component",  NULL},
				 *const styles[] = {"properties", "beginRendering", "properties", "styles", NULL};
	const struct sj_value *components = components_of(p), *style = NULL;
	struct sj_buf json;
	enum sj_status st = SJ_OK;

	if (p->catalog.type == SJ_V_OBJECT)
		style = sj_value_get(&p->catalog, SJ_LIT("styles"));
	sj_buf_init(&json, p->mem, 0);
	if (components) {
		sj_buf_putc(&json, '{');
		for (uint32_t i = 0; i < sj_value_count(components); i++) {
			struct sj_slice name;
			sj_value_member(components, i, &name);
			if (i > 0)
				sj_buf_putc(&json, ',');
			sj_json_print_string(&json, name);
			sj_buf_puts(&json, ":{\"$ref\":");
			put_reference(&json, "catalog.json", name);
			sj_buf_putc(&json, '}');
		}
		sj_buf_putc(&json, '}');
		st = sj_buf_status(&json) == SJ_OK ? set_at(p, s2c, component, "properties", sj_buf_view(&json))
		                                   : SJ_NOMEM;
		if (st == SJ_OK)
			st = set_at(p, s2c, component, "additionalProperties", SJ_LIT("false"));
	}
	if (st == SJ_OK && style && style->type == SJ_V_OBJECT) {
		sj_buf_clear(&json);
		sj_value_print(&json, style, SJ_PRINT_COMPACT);
		st = sj_buf_status(&json) == SJ_OK ? set_at(p, s2c, styles, "properties", sj_buf_view(&json))
		                                   : SJ_NOMEM;
		if (st == SJ_OK)
			st = set_at(p, s2c, styles, "additionalProperties", SJ_LIT("false"));
	}
	sj_buf_finish(&json);
	return st;
}

static enum sj_status add_common(struct sj_legacy *p, struct sj_slice given, const struct sj_buf *uri,
                                 struct sj_diag *diag)
{
	struct sj_buf text;
	enum sj_status st = SJ_OK;
	if (given.ptr)
		return add_text(p, uri, given, "common types", diag);
	if (sj_legacy_is_v08(p))
		return SJ_OK;
	sj_buf_init(&text, p->mem, 0);
	if (sj_a2ui_schema_write(p->version, SJ_DIALECT_BARE, SJ_LIT("common_types.json"), &text))
		st = add_text(p, uri, sj_buf_view(&text), "common types", diag);
	if (sj_buf_status(&text) != SJ_OK)
		st = SJ_NOMEM;
	sj_buf_finish(&text);
	return st;
}

/* Is a stand-in valid by the catalog? */
static enum sj_status try_stand_in(struct sj_legacy *p)
{
	struct sj_value v;
	enum sj_status st = sj_legacy_stand_in(p, SJ_LIT("loading_x"), &v);
	if (st != SJ_OK)
		return st;
	st = sj_legacy_check_component(p, &v);
	p->stand_ins = st == SJ_OK;
	sj_value_unref(p->mem, v);
	return st == SJ_NOMEM ? st : SJ_OK;
}

static enum sj_status add_schemas(struct sj_legacy *p, const struct sj_legacy_options *opt, struct sj_value *s2c,
                                  struct sj_buf *uri, struct sj_diag *diag)
{
	const struct sj_value *id = sj_value_get(s2c, SJ_LIT("$id"));
	struct sj_schema_options schema = {.limits = p->limits};
	struct sj_value catalog = sj_value_ref(p->catalog);
	struct sj_diag why = {0};
	struct sj_slice base = p->version == SJ_V08   ? SJ_LIT("https://a2ui.org/specification/v0_8/x")
	                       : p->version == SJ_V10 ? SJ_LIT("https://a2ui.org/specification/v1_0/x")
	                                              : SJ_LIT("https://a2ui.org/specification/v0_9/x");
	if (id && sj_value_is_string(id))
		base = sj_value_text(id);
	enum sj_status st = sj_schema_set_create(p->mem, &schema, &p->set);
	if (st == SJ_OK && catalog.type != SJ_V_OBJECT)
		st = sj_value_object(p->mem, &catalog);
	if (st == SJ_OK && !sj_legacy_is_v08(p))
		st = complete_catalog(p, &catalog);
	if (st == SJ_OK) {
		beside(base, "catalog.json", uri);
		st = add_value(p, uri, &catalog, "catalog", diag);
	}
	if (st == SJ_OK) {
		beside(base, "common_types.json", uri);
		st = add_common(p, opt->common, uri, diag);
	}
	if (st == SJ_OK) {
		beside(base, "server_to_client.json", uri);
		st = add_value(p, uri, s2c, "message schema", diag);
	}
	sj_value_unref(p->mem, catalog);
	if (st != SJ_OK)
		return st;
	st = sj_schema_compile(p->set, sj_buf_view(uri), &p->schema, &why);
	return st == SJ_OK || st == SJ_NOMEM ? st : unusable(diag, "message schema", &why);
}

enum sj_status sj_legacy_check_init(struct sj_legacy *p, const struct sj_legacy_options *opt, struct sj_diag *diag)
{
	struct sj_value s2c = SJ_ABSENT_VALUE;
	struct sj_buf uri;
	enum sj_status st = read_schema(p, opt->catalog, "catalog", &p->catalog, diag);

	if (st == SJ_OK)
		st = read_schema(p, opt->common, "common types", &p->common, diag);
	p->checks = !opt->unchecked && opt->s2c.ptr;
	p->stand_ins = true;
	if (st != SJ_OK || !p->checks)
		return st;
	sj_buf_init(&uri, p->mem, 0);
	st = read_schema(p, opt->s2c, "message schema", &s2c, diag);
	if (st == SJ_OK && sj_legacy_is_v08(p))
		st = complete_envelope(p, &s2c);
	if (st == SJ_OK)
		st = add_schemas(p, opt, &s2c, &uri, diag);
	sj_value_unref(p->mem, s2c);
	sj_buf_finish(&uri);
	return st == SJ_OK ? try_stand_in(p) : st;
}

/* ---- one message ------------------------------------------------------------------------------------------------- */

struct told {
	const struct sj_tape *t;
	struct sj_mem *mem;
	struct sj_diag *diag;
	uint32_t count;
};

static bool tell(void *ctx, const struct sj_schema_fault *f)
{
	struct told *told = ctx;
	struct sj_diag *d = told->diag;
	size_t len = strlen(d->message);

	if (told->count++ == 0) {
		struct sj_buf pointer;
		sj_buf_init(&pointer, told->mem, 0);
		sj_tape_pointer(told->t, f->cell, &pointer);
		if (sj_buf_status(&pointer) == SJ_OK && pointer.len > 0)
			snprintf(d->pointer, sizeof d->pointer, "%.*s", SJ_ARG(sj_buf_view(&pointer)));
		sj_buf_finish(&pointer);
	}
	/* Only whole sentences, so that nothing is cut within a character. */
	if (len + strlen(f->message) + 2 < sizeof d->message)
		snprintf(d->message + len, sizeof d->message - len, "%s%s", told->count > 1 ? "; " : " ", f->message);
	return told->count < 4;
}

enum sj_status sj_legacy_check(struct sj_legacy *p, const struct sj_value *message, struct sj_diag *diag)
{
	struct sj_json_options json = p->json;
	struct sj_diag d = {0};
	struct sj_arena arena;
	struct sj_tape tape;
	struct sj_buf text;
	enum sj_status st;

	if (!p->checks)
		return SJ_OK;
	json.max_bytes = UINT32_MAX; /* the message was measured when it was read; printing may make it longer */
	sj_arena_init(&arena, p->mem, 0);
	sj_buf_init(&text, p->mem, 0);
	sj_value_print(&text, message, SJ_PRINT_COMPACT);
	st = sj_buf_status(&text) == SJ_OK ? sj_json_parse(&arena, &json, sj_buf_view(&text), &tape, NULL) : SJ_NOMEM;
	if (st == SJ_OK) {
		struct told told = {.t = &tape, .mem = p->mem, .diag = &d};
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION, "Validation failed:");
		st = sj_schema_validate(p->schema, &tape, 0, &arena, diag ? tell : NULL, &told);
	}
	if (st == SJ_LIMIT)
		st = sj_diag_set(diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_VALIDATION,
		                 "Validation failed: it went beyond the limits");
	else if (st == SJ_INVALID && diag && diag->code == SJ_E_NONE)
		*diag = d;
	sj_buf_finish(&text);
	sj_arena_finish(&arena);
	return st;
}

enum sj_status sj_legacy_check_component(struct sj_legacy *p, const struct sj_value *component)
{
	struct sj_value list, message;
	enum sj_status st;

	if (!p->checks)
		return SJ_OK;
	st = sj_value_array(p->mem, &list);
	if (st != SJ_OK)
		return st;
	st = sj_value_append(p->mem, &list, sj_value_ref(*component));
	if (st != SJ_OK) {
		sj_value_unref(p->mem, list);
		return st;
	}
	st = sj_legacy_update_message(p, SJ_LIT("s"), SJ_NO_SLICE, list, &message);
	if (st != SJ_OK)
		return st;
	st = sj_legacy_check(p, &message, NULL);
	sj_value_unref(p->mem, message);
	return st == SJ_LIMIT ? SJ_INVALID : st;
}
