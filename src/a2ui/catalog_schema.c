/* What the schema engine is given: the catalog and its common types as two documents, and a third that says what a
 * whole component, call or theme is. Made when first needed, one set per key dialect. */
#include "a2ui/catalog_internal.h"
#include "json/value.h"

struct sj_cat_set {
	struct sj_schema_set *engine;
};

void sj_cat_lazy_destroy(struct sj_cat_lazy *lazy, struct sj_mem *mem)
{
	if (!lazy)
		return;
	for (size_t i = 0; i < sizeof lazy->sets / sizeof *lazy->sets; i++)
		if (lazy->sets[i]) {
			sj_schema_set_destroy(lazy->sets[i]->engine);
			sj_mem_free(mem, lazy->sets[i], sizeof *lazy->sets[i]);
		}
}

/* A reference to a place of the catalog document or of the common types: pointer, percent-encoded, quoted. */
static void place(struct sj_buf *out, const struct sj_catalog *view, struct sj_cat_node n)
{
	static const char digits[] = "0123456789ABCDEF";
	struct sj_buf pointer;
	sj_buf_init(&pointer, out->mem, 0);
	sj_tape_pointer(n.t, n.cell, &pointer);
	sj_buf_puts(out, n.t == &view->common ? "{\"$ref\":\"common_types.json#" : "{\"$ref\":\"catalog.json#");
	for (size_t i = 0; i < pointer.len; i++) {
		unsigned char c = (unsigned char)pointer.ptr[i];
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		             (c && strchr("/_-.~$@", c));
		if (plain) {
			sj_buf_putc(out, (char)c);
		} else {
			sj_buf_putc(out, '%');
			sj_buf_putc(out, digits[c >> 4]);
			sj_buf_putc(out, digits[c & 15]);
		}
	}
	sj_buf_puts(out, "\"}");
	if (sj_buf_status(&pointer) != SJ_OK)
		out->status = sj_buf_status(&pointer);
	sj_buf_finish(&pointer);
}

static void map_of(struct sj_buf *out, const struct sj_catalog *view, struct sj_cat_node map)
{
	sj_buf_puts(out, "{\"type\":\"object\",\"properties\":{");
	for (uint32_t at = sj_tape_first(map.t, map.cell); at < map.t->cells[map.cell].end;
	     at = sj_tape_next(map.t, at + 1)) {
		sj_buf_puts(out, at == map.cell + 1 ? "" : ",");
		sj_buf_slice(out, sj_tape_source(map.t, at));
		sj_buf_putc(out, ':');
		place(out, view, (struct sj_cat_node){map.t, at + 1});
	}
	sj_buf_puts(out, "}}");
}

static struct sj_cat_node in_view(const struct sj_catalog *c, const struct sj_catalog *view, struct sj_cat_node n)
{
	return (struct sj_cat_node){!n.t ? NULL : n.t == &c->common ? &view->common : &view->doc, n.cell};
}

/* Closed at its own level, a definition would refuse even the id: the envelope's members are added to it. */
static const char *missing_members(struct sj_catalog *view, struct sj_cat_node def, struct sj_cat_node *properties)
{
	struct sj_cat_node closed = sj_cat_get(def, "additionalProperties");
	*properties = sj_cat_get(def, "properties");
	if (view->rules < SJ_V09 || !sj_cat_is(closed, SJ_J_FALSE) || !sj_cat_is(*properties, SJ_J_OBJECT))
		return NULL;
	bool id = sj_cat_get(*properties, "id").t, component = sj_cat_get(*properties, "component").t;
	return id && component ? NULL
	       : id            ? "\"component\":true"
	       : component     ? "\"id\":true"
	                       : "\"id\":true,\"component\":true";
}

/* The catalog document as the engine gets it: definitions alone, without its own name. */
static void catalog_document(struct sj_buf *out, struct sj_catalog *view, const struct sj_catalog *c)
{
	struct sj_cat_writer w = {.c = view, .out = out, .spelling = SJ_CAT_APART};
	struct sj_cat_node root = {&view->doc, 0};
	static const char *const sections[] = {"components", "functions", "theme", "styles"};
	sj_buf_puts(out, "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\"");
	for (size_t s = 0; s < sizeof sections / sizeof *sections; s++) {
		struct sj_cat_node section = sj_cat_get(root, sections[s]);
		if (!section.t)
			continue;
		sj_buf_printf(out, ",\"%s\":", sections[s]);
		if (s > 0 || !sj_cat_is(section, SJ_J_OBJECT)) {
			sj_cat_write(&w, section);
			continue;
		}
		sj_buf_putc(out, '{');
		for (uint32_t at = sj_tape_first(section.t, section.cell); at < section.t->cells[section.cell].end;
		     at = sj_tape_next(section.t, at + 1)) {
			struct sj_cat_node properties, def = {section.t, at + 1};
			sj_buf_puts(out, at == section.cell + 1 ? "" : ",");
			sj_buf_slice(out, sj_tape_source(section.t, at));
			sj_buf_putc(out, ':');
			w.extra = missing_members(view, def, &properties);
			w.open_object = w.extra ? properties.cell : 0;
			sj_cat_write(&w, def);
			w.extra = NULL;
			w.open_object = 0;
		}
		sj_buf_putc(out, '}');
	}
	sj_buf_puts(out, ",\"$defs\":{\"anyFunction\":");
	if (c->nfunctions == 0)
		sj_buf_puts(out, "false");
	for (uint32_t i = 0; i < c->nfunctions; i++)
		sj_buf_printf(out, "%s{\"$ref\":\"check.json#/$defs/f%u\"}", i ? "," : "{\"oneOf\":[", i);
	sj_buf_puts(out, c->nfunctions ? "]}" : "");
	struct sj_cat_node defs = sj_cat_get(root, "$defs");
	for (uint32_t at = sj_cat_is(defs, SJ_J_OBJECT) ? sj_tape_first(defs.t, defs.cell) : 0;
	     at > 0 && at < defs.t->cells[defs.cell].end; at = sj_tape_next(defs.t, at + 1)) {
		if (sj_tape_string_is(defs.t, at, SJ_LIT("anyFunction")) ||
		    sj_tape_string_is(defs.t, at, SJ_LIT("anyComponent")))
			continue;
		sj_buf_putc(out, ',');
		sj_buf_slice(out, sj_tape_source(defs.t, at));
		sj_buf_putc(out, ':');
		sj_cat_write(&w, (struct sj_cat_node){defs.t, at + 1});
	}
	sj_buf_puts(out, "}}");
}

static void component(struct sj_buf *out, const struct sj_catalog *view, const struct sj_catalog *c,
                      const struct sj_cat_component *comp)
{
	struct sj_cat_node def = in_view(c, view, comp->def);
	if (c->rules < SJ_V10) {
		place(out, view, def);
		return;
	}
	sj_buf_puts(out, "{\"allOf\":[{\"$ref\":\"common_types.json#/$defs/ComponentCommon\"}");
	if (!comp->pub.open) {
		sj_buf_putc(out, ',');
		place(out, view, def);
	}
	sj_buf_puts(out, ",{\"type\":\"object\",\"properties\":{\"component\":{\"const\":");
	sj_json_print_string(out, comp->pub.name);
	sj_buf_puts(out, comp->pub.open ? "}}}]}" : "}}}],\"unevaluatedProperties\":false}");
}

static void arguments(struct sj_buf *out, const struct sj_catalog *view, const struct sj_catalog *c,
                      const struct sj_cat_function *f)
{
	if (f->params.t)
		map_of(out, view, in_view(c, view, f->params));
	else if (f->args.t)
		place(out, view, in_view(c, view, f->args));
	else
		sj_buf_puts(out, f->is_call_schema ? "false" : "{\"type\":\"object\"}");
}

/* What catalog.json#/$defs/anyFunction holds of a function: its own schema where it is one of a call, else one made
 * from its arguments. */
static void function(struct sj_buf *out, const struct sj_catalog *view, const struct sj_catalog *c,
                     const struct sj_cat_function *f, enum sj_dialect d)
{
	const char *key = d == SJ_DIALECT_RESERVED ? "@call" : "call";
	bool same_key = f->reserved_key == (d == SJ_DIALECT_RESERVED);
	if (f->is_call_schema && same_key) {
		place(out, view, in_view(c, view, f->def));
		return;
	}
	sj_buf_printf(out, "{\"type\":\"object\",\"properties\":{\"%s\":{\"const\":", key);
	sj_json_print_string(out, f->pub.name);
	sj_buf_puts(out, "},\"args\":");
	arguments(out, view, c, f);
	sj_buf_printf(out, "},\"required\":[\"%s\"%s]}", key, f->args_required ? ",\"args\"" : "");
}

static void check_document(struct sj_buf *out, const struct sj_catalog *view, const struct sj_catalog *c,
                           enum sj_dialect d)
{
	sj_buf_puts(out, "{\"$defs\":{\"none\":true");
	for (uint32_t i = 0; i < c->ncomponents; i++) {
		sj_buf_printf(out, ",\"c%u\":", i);
		component(out, view, c, &c->components[i]);
	}
	for (uint32_t i = 0; i < c->nfunctions; i++) {
		sj_buf_printf(out, ",\"f%u\":", i);
		function(out, view, c, &c->functions[i], d);
		/* A whole call: the shape every call has, and this function. */
		sj_buf_printf(out, ",\"g%u\":{\"allOf\":[{\"$ref\":\"common_types.json#/$defs/FunctionCall\"},", i);
		sj_buf_printf(out, "{\"$ref\":\"#/$defs/f%u\"}]}", i);
	}
	if (c->theme.t) {
		sj_buf_puts(out, ",\"t0\":");
		if (c->theme_is_map)
			map_of(out, view, in_view(c, view, c->theme));
		else
			place(out, view, in_view(c, view, c->theme));
	}
	sj_buf_puts(out, "}}");
}

static enum sj_status add(struct sj_cat_set *set, const char *base, const char *file, struct sj_buf *text,
                          struct sj_diag *diag)
{
	enum sj_status st = sj_buf_status(text);
	struct sj_buf name;
	sj_buf_init(&name, text->mem, 0);
	sj_buf_puts(&name, base);
	sj_buf_puts(&name, file);
	if (st == SJ_OK)
		st = sj_buf_status(&name);
	if (st == SJ_OK)
		st = sj_schema_set_add(set->engine, sj_buf_view(&name), sj_buf_view(text), diag);
	sj_buf_finish(&name);
	sj_buf_clear(text);
	return st;
}

static enum sj_status fill(struct sj_cat_set *set, const struct sj_catalog *c, enum sj_dialect d, struct sj_diag *diag)
{
	struct sj_catalog view;
	enum sj_status st = sj_cat_view(c, SJ_NO_SLICE, &view);
	if (st != SJ_OK)
		return st;
	const char *base = sj_data_base(c->rules);
	struct sj_buf text;
	sj_buf_init(&text, c->mem, 0);
	if (c->rules >= SJ_V09) {
		sj_data_common_types(&text, c->rules, d, c->rules >= SJ_V10, true);
		st = add(set, base, "common_types.json", &text, diag);
	}
	if (st == SJ_OK) {
		catalog_document(&text, &view, c);
		st = add(set, base, "catalog.json", &text, diag);
	}
	if (st == SJ_OK) {
		check_document(&text, &view, c, d);
		st = add(set, base, "check.json", &text, diag);
	}
	sj_buf_finish(&text);
	sj_arena_finish(&view.arena);
	return st;
}

enum sj_status sj_cat_schema(const struct sj_catalog *c, enum sj_dialect d, enum sj_cat_what what, uint32_t index,
                             const struct sj_schema **out, struct sj_diag *diag)
{
	struct sj_cat_set **slot = &c->lazy->sets[d == SJ_DIALECT_RESERVED];
	if (!*slot) {
		struct sj_cat_set *set = sj_mem_zalloc(c->mem, sizeof *set);
		if (!set)
			return SJ_NOMEM;
		struct sj_schema_options opt = {.assert_format = true};
		enum sj_status st = sj_schema_set_create(c->mem, &opt, &set->engine);
		if (st == SJ_OK) {
			st = fill(set, c, d, diag);
			if (st != SJ_OK)
				sj_schema_set_destroy(set->engine);
		}
		if (st != SJ_OK) {
			sj_mem_free(c->mem, set, sizeof *set);
			return st;
		}
		*slot = set;
	}
	static const char letters[] = {[SJ_CAT_COMPONENT] = 'c', [SJ_CAT_FUNCTION] = 'g', [SJ_CAT_THEME] = 't'};
	struct sj_buf uri;
	sj_buf_init(&uri, c->mem, 0);
	sj_buf_printf(&uri, "%scheck.json#/$defs/%c%u", sj_data_base(c->rules), letters[what], index);
	enum sj_status st = sj_buf_status(&uri);
	if (st == SJ_OK)
		st = sj_schema_compile((*slot)->engine, sj_buf_view(&uri), out, diag);
	sj_buf_finish(&uri);
	return st;
}
