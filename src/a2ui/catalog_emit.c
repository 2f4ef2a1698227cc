/* Catalogs as documents: the published form, the form that travels in capabilities, the form with references replaced.
 */
#include "a2ui/catalog_internal.h"
#include "json/value.h"

enum { MAX_ROUNDS = 64, MAX_FLAT_STEPS = 20000 };

struct emit {
	const struct sj_catalog *c;
	struct sj_catalog view;
	struct sj_cat_writer w;
	struct sj_buf *out;
	struct sj_cat_node root;
	uint8_t *used_doc, *used_common;
};

static struct sj_cat_node in_view(const struct emit *e, struct sj_cat_node n)
{
	return (struct sj_cat_node){!n.t ? NULL : n.t == &e->c->common ? &e->view.common : &e->view.doc, n.cell};
}

static void quoted(struct emit *e, struct sj_slice s) { sj_json_print_string(e->out, s); }

/* Which keys do the functions of the document name themselves by? */
enum sj_dialect sj_catalog_dialect(const struct sj_catalog *c)
{
	if (c->rules < SJ_V10)
		return SJ_DIALECT_BARE;
	for (uint32_t i = 0; i < c->nfunctions; i++)
		if (c->functions[i].is_call_schema)
			return c->functions[i].reserved_key ? SJ_DIALECT_RESERVED : SJ_DIALECT_BARE;
	return SJ_DIALECT_AUTO;
}

static enum sj_status begin(struct emit *e, const struct sj_catalog *c, struct sj_buf *out)
{
	*e = (struct emit){.c = c, .out = out};
	enum sj_status st = SJ_OK;
	struct sj_buf text;
	sj_buf_init(&text, c->mem, 0);
	if (c->rules >= SJ_V09 && c->shared_text.len == 0)
		sj_data_common_types(&text, c->rules,
		                     sj_catalog_dialect(c) == SJ_DIALECT_BARE ? SJ_DIALECT_BARE : SJ_DIALECT_RESERVED,
		                     false, false);
	st = sj_buf_status(&text);
	if (st == SJ_OK)
		st = sj_cat_view(c, c->shared_text.len > 0 ? c->shared_text : sj_buf_view(&text), &e->view);
	sj_buf_finish(&text);
	if (st != SJ_OK)
		return st;
	e->root = (struct sj_cat_node){&e->view.doc, 0};
	e->used_doc = sj_arena_zalloc(&e->view.arena, e->view.doc.count + 1);
	e->used_common = sj_arena_zalloc(&e->view.arena, e->view.common.count + 1);
	if (!e->used_doc || !e->used_common) {
		sj_arena_finish(&e->view.arena);
		return SJ_NOMEM;
	}
	e->w = (struct sj_cat_writer){
		.c = &e->view, .out = out, .used_doc = e->used_doc, .used_common = e->used_common};
	return SJ_OK;
}

static enum sj_status end(struct emit *e)
{
	sj_arena_finish(&e->view.arena);
	return sj_buf_status(e->out);
}

/* A member of the document as it stands, with a comma before it. */
static void copy_member(struct emit *e, const char *key)
{
	struct sj_cat_node n = sj_cat_get(e->root, key);
	if (!n.t)
		return;
	sj_buf_printf(e->out, ",\"%s\":", key);
	sj_cat_write(&e->w, n);
}

static void version_member(struct emit *e, bool always)
{
	if (!always && !sj_cat_get(e->root, "protocolVersion").t)
		return;
	const char *text = sj_version_text(e->c->version);
	sj_buf_printf(e->out, ",\"protocolVersion\":\"%s\"", text[0] ? text + 1 : text);
}

/* Can the definition be written as one object of properties? Only then does v0.9 flatten its allOf. */
static bool is_flat_part(struct emit *e, struct sj_cat_node def, unsigned depth, uint32_t *steps)
{
	static const char *const words[] = {"type", "properties", "required", "$ref", "allOf"};
	if (!sj_cat_is(def, SJ_J_OBJECT) || depth > 8 || ++*steps > MAX_FLAT_STEPS)
		return false;
	for (uint32_t at = sj_tape_first(def.t, def.cell); at < def.t->cells[def.cell].end;
	     at = sj_tape_next(def.t, at + 1)) {
		struct sj_slice key = sj_tape_raw(def.t, at);
		struct sj_cat_node value = {def.t, at + 1}, to;
		struct sj_slice common;
		bool known = !sj_cat_is_assertion(key) ||
		             (depth == 0 &&
		              (sj_slice_is(key, "unevaluatedProperties") || sj_slice_is(key, "additionalProperties")) &&
		              sj_tape_type(def.t, at + 1) <= SJ_J_TRUE);
		for (size_t i = 0; i < sizeof words / sizeof *words; i++)
			known = known || sj_slice_is(key, words[i]);
		if (!known)
			return false;
		if (sj_slice_is(key, "$ref") &&
		    (sj_cat_resolve(&e->view, def, sj_cat_text(&e->view, value), &to, &common) != SJ_OK ||
		     !is_flat_part(e, to, depth + 1, steps)))
			return false;
		for (uint32_t i = sj_slice_is(key, "allOf") && sj_cat_is(value, SJ_J_ARRAY)
		                          ? sj_tape_first(def.t, value.cell)
		                          : 0;
		     i > 0 && i < def.t->cells[value.cell].end; i = sj_tape_next(def.t, i))
			if (!is_flat_part(e, (struct sj_cat_node){def.t, i}, depth + 1, steps))
				return false;
	}
	return true;
}

static bool is_flat(struct emit *e, struct sj_cat_node def)
{
	uint32_t steps = 0;
	return is_flat_part(e, def, 0, &steps);
}

/* Annotations of a definition (description, x-..., allowedParents ...), with a comma after each. */
static void annotations(struct emit *e, struct sj_cat_node def)
{
	for (uint32_t at = sj_tape_first(def.t, def.cell); at < def.t->cells[def.cell].end;
	     at = sj_tape_next(def.t, at + 1)) {
		if (sj_cat_is_assertion(sj_tape_raw(def.t, at)))
			continue;
		sj_buf_slice(e->out, sj_tape_source(def.t, at));
		sj_buf_putc(e->out, ':');
		sj_cat_write(&e->w, (struct sj_cat_node){def.t, at + 1});
		sj_buf_putc(e->out, ',');
	}
}

static bool is_named(const struct sj_cat_prop *p, const char *name) { return sj_slice_is(p->name, name); }

static void property(struct emit *e, const struct sj_cat_prop *p, const char *before)
{
	sj_buf_puts(e->out, before);
	quoted(e, p->name);
	sj_buf_putc(e->out, ':');
	sj_cat_write(&e->w, p->schema);
}

static void common_ref(struct emit *e, const char *type, const char *about)
{
	struct sj_buf ref;
	sj_buf_init(&ref, e->c->mem, 0);
	sj_buf_printf(&ref, "common_types.json#/$defs/%s", type);
	sj_buf_puts(e->out, "{\"$ref\":");
	if (sj_buf_status(&ref) == SJ_OK)
		sj_cat_write_ref(&e->w, e->root, sj_buf_view(&ref));
	else
		e->out->status = sj_buf_status(&ref);
	if (about)
		sj_buf_printf(e->out, ",\"description\":\"%s\"", about);
	sj_buf_putc(e->out, '}');
	sj_buf_finish(&ref);
}

/* v0.9, published form: id and component first, what was spread over allOf in one object. */
static void flat_component(struct emit *e, const struct sj_cat_component *comp, struct sj_cat_node def,
                           const struct sj_cat_props *props)
{
	const struct sj_cat_prop *id = NULL;
	for (uint32_t i = 0; i < props->count; i++)
		id = is_named(&props->items[i], "id") && !props->items[i].common ? &props->items[i] : id;
	sj_buf_putc(e->out, '{');
	annotations(e, def);
	sj_buf_puts(e->out, "\"type\":\"object\",\"properties\":{\"id\":");
	if (id)
		sj_cat_write(&e->w, id->schema);
	else
		common_ref(e, "ComponentId", NULL);
	sj_buf_puts(e->out, ",\"component\":{\"const\":");
	quoted(e, comp->pub.name);
	sj_buf_putc(e->out, '}');
	for (uint32_t i = 0; i < props->count; i++) {
		const struct sj_cat_prop *p = &props->items[i];
		if (is_named(p, "id") || is_named(p, "component"))
			continue;
		if (p->common && is_named(p, "accessibility")) {
			sj_buf_puts(e->out, ",\"accessibility\":");
			common_ref(e, "AccessibilityAttributes", "Accessibility properties");
		} else {
			property(e, p, ",");
		}
	}
	sj_buf_puts(e->out, "},\"required\":[\"id\"");
	for (uint32_t i = 0; i < props->count; i++) {
		const struct sj_cat_prop *p = &props->items[i];
		if (!p->required || is_named(p, "id") || is_named(p, "component"))
			continue;
		sj_buf_putc(e->out, ',');
		quoted(e, p->name);
	}
	sj_buf_puts(e->out, ",\"component\"]");
	if (props->closed)
		sj_buf_puts(e->out, ",\"unevaluatedProperties\":false");
	sj_buf_putc(e->out, '}');
}

static enum sj_status write_component(struct emit *e, const struct sj_cat_component *comp)
{
	struct sj_cat_node def = in_view(e, comp->def);
	if (e->c->rules < SJ_V09 || e->c->rules >= SJ_V10 || !is_flat(e, def)) {
		sj_cat_write(&e->w, def);
		return SJ_OK;
	}
	struct sj_cat_props props;
	enum sj_status st = sj_cat_collect(&e->view, def, &props);
	if (st != SJ_OK)
		return st;
	if (props.partial)
		sj_cat_write(&e->w, def);
	else
		flat_component(e, comp, def, &props);
	sj_cat_props_free(&e->view, &props);
	return SJ_OK;
}

static void write_function(struct emit *e, const struct sj_cat_function *f)
{
	struct sj_cat_node def = in_view(e, f->def);
	bool close = e->c->rules >= SJ_V09 && e->c->rules < SJ_V10 && f->is_call_schema && f->returns_stated &&
	             !sj_cat_get(def, "unevaluatedProperties").t && !sj_cat_get(def, "additionalProperties").t;
	if (close) { /* a function that says what it gives is written whole: nothing else may stand in its call */
		e->w.open_object = def.cell;
		e->w.extra = "\"unevaluatedProperties\":false";
	}
	sj_cat_write(&e->w, def);
	e->w.extra = NULL;
	e->w.open_object = 0;
}

static void write_union(struct emit *e, const char *name, const char *section, bool components)
{
	const struct sj_catalog *c = e->c;
	uint32_t n = components ? c->ncomponents : c->nfunctions;
	sj_buf_printf(e->out, ",\"%s\":{\"oneOf\":[", name);
	for (uint32_t i = 0; i < n; i++) {
		struct sj_buf pointer;
		sj_buf_init(&pointer, c->mem, 0);
		sj_buf_puts(&pointer, "#/");
		sj_buf_puts(&pointer, section);
		sj_pointer_append(&pointer, components ? c->components[i].pub.name : c->functions[i].pub.name);
		sj_buf_puts(e->out, i ? ",{\"$ref\":" : "{\"$ref\":");
		if (sj_buf_status(&pointer) == SJ_OK)
			quoted(e, sj_buf_view(&pointer));
		else
			e->out->status = sj_buf_status(&pointer);
		sj_buf_putc(e->out, '}');
		sj_buf_finish(&pointer);
	}
	sj_buf_puts(e->out, "]");
	struct sj_cat_node told = sj_cat_get(sj_cat_get(sj_cat_get(e->root, "$defs"), name), "discriminator");
	if (components) {
		sj_buf_puts(e->out, ",\"discriminator\":{\"propertyName\":\"component\"}");
	} else if (told.t) {
		sj_buf_puts(e->out, ",\"discriminator\":");
		sj_cat_write(&e->w, told);
	}
	sj_buf_putc(e->out, '}');
}

/* Definitions referred to so far, and those they refer to in turn. Our own copy of a common type is left alone where
 * the document has one. */
static void write_defs(struct emit *e)
{
	struct sj_cat_node own = sj_cat_get(e->root, "$defs"),
			   common = sj_cat_get((struct sj_cat_node){&e->view.common, 0}, "$defs");
	uint8_t *done_doc = sj_arena_zalloc(&e->view.arena, e->view.doc.count + 1);
	uint8_t *done_common = sj_arena_zalloc(&e->view.arena, e->view.common.count + 1);
	if (!done_doc || !done_common) {
		e->out->status = SJ_NOMEM;
		return;
	}
	const struct { struct sj_cat_node defs; uint8_t *used, *done; } sources[] = {
		{own, e->used_doc, done_doc}, {common, e->used_common, done_common},
	};
	bool more = true;
	for (unsigned round = 0; more && round < MAX_ROUNDS; round++) {
		more = false;
		for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
			struct sj_cat_node defs = sources[s].defs;
			for (uint32_t at = sj_cat_is(defs, SJ_J_OBJECT) ? sj_tape_first(defs.t, defs.cell) : 0;
			     at > 0 && at < defs.t->cells[defs.cell].end; at = sj_tape_next(defs.t, at + 1)) {
				if (!sources[s].used[at + 1] || sources[s].done[at + 1])
					continue;
				sources[s].done[at + 1] = 1;
				more = true;
				if (sj_tape_string_is(defs.t, at, SJ_LIT("theme")) ||
				    sj_slice_starts(sj_tape_raw(defs.t, at), "any"))
					continue; /* written already, or below */
				/* The document's copy of a common type keeps its own words. */
				struct sj_cat_node from = {defs.t, at + 1};
				uint32_t copy =
					s == 1 && own.t
						? sj_tape_get(own.t, own.cell,
				                              sj_cat_text(&e->view, (struct sj_cat_node){defs.t, at}))
						: 0;
				if (copy)
					from = (struct sj_cat_node){own.t, copy};
				sj_buf_putc(e->out, ',');
				sj_buf_slice(e->out, sj_tape_source(defs.t, at));
				sj_buf_putc(e->out, ':');
				sj_cat_write(&e->w, from);
			}
		}
	}
	if (e->w.used_any_function && e->c->nfunctions == 0)
		sj_buf_puts(e->out, ",\"anyFunction\":{\"not\":{}}");
}

static void theme_schema(struct emit *e)
{
	if (e->c->theme_is_map)
		sj_buf_puts(e->out, "{\"type\":\"object\",\"properties\":");
	sj_cat_write(&e->w, in_view(e, e->c->theme));
	if (e->c->theme_is_map)
		sj_buf_putc(e->out, '}');
}

enum sj_status sj_catalog_emit(const struct sj_catalog *c, struct sj_buf *out)
{
	struct emit e;
	enum sj_status st = begin(&e, c, out);
	if (st != SJ_OK)
		return st;
	e.w.spelling = SJ_CAT_TOGETHER;
	sj_buf_puts(out, "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\"");
	copy_member(&e, "$id");
	version_member(&e, false);
	copy_member(&e, "title");
	copy_member(&e, "description");
	sj_buf_puts(out, ",\"catalogId\":");
	quoted(&e, c->id);
	copy_member(&e, "instructions");
	if (sj_cat_get(e.root, "components").t) {
		sj_buf_puts(out, ",\"components\":{");
		for (uint32_t i = 0; i < c->ncomponents && st == SJ_OK; i++) {
			sj_buf_puts(out, i ? "," : "");
			quoted(&e, c->components[i].pub.name);
			sj_buf_putc(out, ':');
			st = write_component(&e, &c->components[i]);
		}
		sj_buf_putc(out, '}');
	}
	if (sj_cat_get(e.root, "functions").t) {
		sj_buf_puts(out, ",\"functions\":{");
		for (uint32_t i = 0; i < c->nfunctions; i++) {
			sj_buf_puts(out, i ? "," : "");
			quoted(&e, c->functions[i].pub.name);
			sj_buf_putc(out, ':');
			write_function(&e, &c->functions[i]);
		}
		sj_buf_putc(out, '}');
	}
	sj_buf_puts(out, ",\"$defs\":{");
	size_t empty = out->len;
	if (c->theme.t) {
		sj_buf_puts(out, ",\"theme\":");
		theme_schema(&e);
	}
	if (c->ncomponents > 0)
		write_union(&e, "anyComponent", "components", true);
	if (c->nfunctions > 0)
		write_union(&e, "anyFunction", "functions", false);
	write_defs(&e);
	if (sj_buf_status(out) == SJ_OK && out->len > empty) { /* the comma before the first */
		memmove(out->ptr + empty, out->ptr + empty + 1, out->len - empty - 1);
		out->len--;
	}
	sj_buf_puts(out, "}}");
	enum sj_status ended = end(&e);
	return st != SJ_OK ? st : ended;
}

/* Capability form. */

static void inline_component_v09(struct emit *e, const struct sj_cat_component *comp, struct sj_cat_node def,
                                 const struct sj_cat_props *props)
{
	sj_buf_putc(e->out, '{');
	annotations(e, def);
	sj_buf_puts(e->out, "\"allOf\":[");
	common_ref(e, "ComponentCommon", NULL);
	sj_buf_puts(e->out, ",{\"properties\":{\"component\":{\"const\":");
	quoted(e, comp->pub.name);
	sj_buf_putc(e->out, '}');
	for (uint32_t i = 0; i < props->count; i++)
		if (!props->items[i].common && !is_named(&props->items[i], "component"))
			property(e, &props->items[i], ",");
	sj_buf_puts(e->out, "},\"required\":[\"component\"");
	for (uint32_t i = 0; i < props->count; i++) {
		const struct sj_cat_prop *p = &props->items[i];
		if (!p->required || is_named(p, "component") || p->common)
			continue;
		sj_buf_putc(e->out, ',');
		quoted(e, p->name);
	}
	sj_buf_puts(e->out, props->closed ? "]}],\"unevaluatedProperties\":false}" : "]}]}");
}

static enum sj_status inline_component(struct emit *e, const struct sj_cat_component *comp)
{
	struct sj_cat_node def = in_view(e, comp->def);
	if (e->c->rules < SJ_V09 || e->c->rules >= SJ_V10) {
		sj_cat_write(&e->w, def);
		return SJ_OK;
	}
	struct sj_cat_props props;
	enum sj_status st = sj_cat_collect(&e->view, def, &props);
	if (st != SJ_OK)
		return st;
	if (is_flat(e, def) && !props.partial) {
		inline_component_v09(e, comp, def, &props);
	} else {
		sj_buf_puts(e->out, "{\"allOf\":[");
		common_ref(e, "ComponentCommon", NULL);
		sj_buf_putc(e->out, ',');
		sj_cat_write(&e->w, def);
		sj_buf_puts(e->out, "]}");
	}
	sj_cat_props_free(&e->view, &props);
	return SJ_OK;
}

static void inline_function_v09(struct emit *e, const struct sj_cat_function *f)
{
	struct sj_cat_node about = sj_cat_get(in_view(e, f->def), "description");
	sj_buf_puts(e->out, "{\"name\":");
	quoted(e, f->pub.name);
	if (about.t) {
		sj_buf_puts(e->out, ",\"description\":");
		sj_cat_write(&e->w, about);
	}
	sj_buf_puts(e->out, ",\"returnType\":");
	quoted(e, f->pub.return_type);
	sj_buf_puts(e->out, ",\"parameters\":");
	if (f->params.t) {
		sj_buf_puts(e->out, "{\"type\":\"object\",\"properties\":");
		sj_cat_write(&e->w, in_view(e, f->params));
		sj_buf_putc(e->out, '}');
	} else if (f->args.t) {
		sj_cat_write(&e->w, in_view(e, f->args));
	} else {
		sj_buf_puts(e->out, "{\"type\":\"object\"}");
	}
	sj_buf_putc(e->out, '}');
}

static void inline_theme(struct emit *e)
{
	struct sj_cat_node theme = in_view(e, e->c->theme),
			   members = e->c->theme_is_map ? theme : sj_cat_get(theme, "properties");
	sj_buf_puts(e->out, e->c->rules == SJ_V08 ? ",\"styles\":" : ",\"theme\":");
	if (members.t)
		sj_cat_write(&e->w, members);
	else
		sj_buf_puts(e->out, "{}");
}

enum sj_status sj_catalog_emit_inline(const struct sj_catalog *c, struct sj_buf *out)
{
	struct emit e;
	enum sj_status st = begin(&e, c, out);
	bool v10 = c->rules >= SJ_V10;
	if (st != SJ_OK)
		return st;
	e.w.inlined = true;
	sj_buf_puts(out, "{\"catalogId\":");
	quoted(&e, c->id);
	if (v10) {
		version_member(&e, true);
		copy_member(&e, "title");
		copy_member(&e, "description");
		copy_member(&e, "instructions");
	}
	if (sj_cat_get(e.root, "components").t) {
		sj_buf_puts(out, ",\"components\":{");
		for (uint32_t i = 0; i < c->ncomponents && st == SJ_OK; i++) {
			sj_buf_puts(out, i ? "," : "");
			quoted(&e, c->components[i].pub.name);
			sj_buf_putc(out, ':');
			st = inline_component(&e, &c->components[i]);
		}
		sj_buf_putc(out, '}');
	} else if (c->rules == SJ_V08) { /* its form needs both */
		sj_buf_puts(out, ",\"components\":{}");
	}
	if (sj_cat_get(e.root, "functions").t && c->rules >= SJ_V09) {
		sj_buf_puts(out, v10 ? ",\"functions\":{" : ",\"functions\":[");
		for (uint32_t i = 0; i < c->nfunctions; i++) {
			sj_buf_puts(out, i ? "," : "");
			if (!v10) {
				inline_function_v09(&e, &c->functions[i]);
				continue;
			}
			quoted(&e, c->functions[i].pub.name);
			sj_buf_putc(out, ':');
			sj_cat_write(&e.w, in_view(&e, c->functions[i].def));
		}
		sj_buf_putc(out, v10 ? '}' : ']');
	}
	if (c->theme.t)
		inline_theme(&e);
	else if (c->rules == SJ_V08)
		sj_buf_puts(out, ",\"styles\":{}");
	sj_buf_putc(out, '}');
	enum sj_status ended = end(&e);
	return st != SJ_OK ? st : ended;
}

enum sj_status sj_catalog_emit_resolved(const struct sj_catalog *c, struct sj_buf *out)
{
	struct emit e;
	enum sj_status st = begin(&e, c, out);
	if (st != SJ_OK)
		return st;
	e.w.spelling = SJ_CAT_TOGETHER;
	e.w.inlined = e.w.inline_common = true;
	sj_buf_puts(out, "{\"catalogId\":");
	quoted(&e, c->id);
	sj_buf_printf(out, ",\"protocolVersion\":\"%s\",\"components\":{", sj_version_text(c->rules));
	for (uint32_t i = 0; i < c->ncomponents; i++) {
		sj_buf_puts(out, i ? "," : "");
		quoted(&e, c->components[i].pub.name);
		sj_buf_putc(out, ':');
		sj_cat_write(&e.w, in_view(&e, c->components[i].def));
	}
	sj_buf_puts(out, "},\"functions\":{");
	for (uint32_t i = 0; i < c->nfunctions; i++) {
		sj_buf_puts(out, i ? "," : "");
		quoted(&e, c->functions[i].pub.name);
		sj_buf_putc(out, ':');
		sj_cat_write(&e.w, in_view(&e, c->functions[i].def));
	}
	sj_buf_puts(out, "},\"theme\":");
	if (c->theme.t)
		sj_cat_write(&e.w, in_view(&e, c->theme));
	else
		sj_buf_puts(out, "{}");
	sj_buf_putc(out, '}');
	return end(&e);
}
