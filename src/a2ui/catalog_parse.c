/* From a catalog document to its compiled form. */
#include "a2ui/catalog_internal.h"
#include "text/ident.h"

enum { MAX_ROWS = 20000 };

struct loader {
	struct sj_catalog *c;
	const struct sj_catalog_options *opt;
	struct sj_diag *diag;
	struct sj_cat_node root;
	struct sj_json_options json;
};

#define REFUSE(l, ...) sj_diag_set((l)->diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG, __VA_ARGS__)

static bool is_object(struct sj_cat_node n) { return sj_cat_is(n, SJ_J_OBJECT); }

static enum sj_status parse_text(struct loader *l, struct sj_slice text, struct sj_tape *out, struct sj_slice *kept)
{
	struct sj_catalog *c = l->c;
	*kept = sj_arena_copy(&c->arena, text);
	if (!kept->ptr)
		return SJ_NOMEM;
	struct sj_diag fault = {0};
	enum sj_status st = sj_json_parse(&c->arena, &l->json, *kept, out, &fault);
	if (st == SJ_NOMEM)
		return st;
	if (st != SJ_OK && l->diag && l->diag->code == SJ_E_NONE) {
		REFUSE(l, "Catalog is not valid JSON: %s", fault.message);
		l->diag->offset = fault.offset;
		l->diag->line = sj_json_line(text, (size_t)fault.offset);
	}
	return st;
}

static enum sj_status read_head(struct loader *l)
{
	struct sj_catalog *c = l->c;
	if (!is_object(l->root))
		return REFUSE(l, "A catalog must be a JSON object");
	struct sj_cat_node id = sj_cat_get(l->root, "catalogId"), version = sj_cat_get(l->root, "protocolVersion");
	if (id.t && !sj_cat_is(id, SJ_J_STRING))
		return REFUSE(l, "catalogId must be a string");
	if (version.t && !sj_cat_is(version, SJ_J_STRING))
		return REFUSE(l, "protocolVersion must be a string");
	struct sj_slice given = l->opt->id, said = id.t ? sj_cat_text(c, id) : SJ_NO_SLICE;
	if (given.len == 0 && said.len == 0)
		return REFUSE(l, "catalog_id must be provided or exist in catalog_schema");
	if (given.len > 0 && id.t && !l->opt->override_id && !sj_slice_eq(given, said))
		return REFUSE(l, "Catalog id '%.*s' conflicts with '%.*s' in the document", SJ_ARG(given),
		              SJ_ARG(said));
	c->id = given.len > 0 ? sj_arena_copy(&c->arena, given) : said;
	if (!c->id.ptr)
		return SJ_NOMEM;
	c->version = l->opt->version;
	if (version.t) {
		struct sj_slice text = sj_cat_text(c, version);
		enum sj_version v = sj_version_find(text);
		if (v == SJ_VERSION_NONE)
			return REFUSE(l, "Unsupported protocol version '%.*s' in catalog '%.*s'", SJ_ARG(text),
			              SJ_ARG(c->id));
		if (c->version != SJ_VERSION_NONE && !sj_version_compatible(v, c->version))
			return REFUSE(l, "Catalog '%.*s' is written for %s, not for %s", SJ_ARG(c->id),
			              sj_version_text(v), sj_version_text(c->version));
		c->version = v;
	}
	if (c->version == SJ_VERSION_NONE && l->opt->need_version)
		return REFUSE(l, "Catalog '%.*s' states no protocolVersion and none was given", SJ_ARG(c->id));
	c->rules = c->version == SJ_VERSION_NONE ? SJ_V09 : c->version;
	struct sj_cat_node advice = sj_cat_get(l->root, "instructions");
	c->instructions = sj_cat_text(c, advice);
	return SJ_OK;
}

/* v1.0 closes the document; x- keys are ours or a vendor's and mean nothing to others. */
static enum sj_status check_keys(struct loader *l)
{
	static const char *const keys[] = {"$schema",   "$id",          "protocolVersion", "title",     "description",
	                                   "catalogId", "instructions", "components",      "functions", "$defs"};
	for (uint32_t at = sj_tape_first(l->root.t, 0); at < l->root.t->cells[0].end;
	     at = sj_tape_next(l->root.t, sj_tape_next(l->root.t, at))) {
		bool known = sj_slice_starts(sj_tape_raw(l->root.t, at), "x-");
		for (size_t i = 0; i < sizeof keys / sizeof *keys && !known; i++)
			known = sj_tape_string_is(l->root.t, at, sj_slice_of(keys[i]));
		if (!known) {
			REFUSE(l, "Unknown member '%.*s' in catalog '%.*s'", SJ_ARG(sj_tape_raw(l->root.t, at)),
			       SJ_ARG(l->c->id));
			sj_diag_hint(l->diag, "catalog_definition.json names the members a catalog of v1.0 may hold.");
			return SJ_INVALID;
		}
	}
	return SJ_OK;
}

static enum sj_status check_name(struct loader *l, struct sj_slice name, const char *what, struct sj_slice owner)
{
	if (l->c->rules < SJ_V10 || sj_ident_check(name))
		return SJ_OK;
	return REFUSE(l, "Invalid UAX #31 %s identifier '%.*s'%s%.*s", what, SJ_ARG(name), owner.len ? " in " : "",
	              SJ_ARG(owner));
}

/* What $defs.anyComponent or anyFunction lets through: one byte per cell, set where a reference of the union leads.
 * NULL in *out without a union: then everything. */
static enum sj_status read_union(struct loader *l, const char *name, uint8_t **out)
{
	*out = NULL;
	struct sj_cat_node any = sj_cat_get(sj_cat_get(l->root, "$defs"), name);
	struct sj_cat_node list = sj_cat_get(any, "oneOf");
	if (!list.t)
		list = sj_cat_get(any, "anyOf");
	if (!sj_cat_is(list, SJ_J_ARRAY))
		return SJ_OK;
	uint8_t *set = sj_mem_zalloc(l->c->mem, l->root.t->count);
	if (!set)
		return SJ_NOMEM;
	for (uint32_t at = sj_tape_first(list.t, list.cell); at < list.t->cells[list.cell].end;
	     at = sj_tape_next(list.t, at)) {
		struct sj_cat_node ref = sj_cat_get((struct sj_cat_node){list.t, at}, "$ref"), to;
		struct sj_slice common;
		if (sj_cat_is(ref, SJ_J_STRING) &&
		    sj_cat_resolve(l->c, l->root, sj_cat_text(l->c, ref), &to, &common) == SJ_OK && to.t == l->root.t)
			set[to.cell] = 1;
	}
	*out = set;
	return SJ_OK;
}

/* Array of strings -> slices. */
static enum sj_status read_types(struct loader *l, struct sj_cat_node def, const char *key, struct sj_slice owner,
                                 const struct sj_slice **out, uint32_t *n)
{
	struct sj_cat_node list = sj_cat_get(def, key);
	if (!list.t)
		return SJ_OK;
	if (!sj_cat_is(list, SJ_J_ARRAY))
		return REFUSE(l, "%s of '%.*s' must be an array of strings", key, SJ_ARG(owner));
	uint32_t count = list.t->cells[list.cell].len, i = 0;
	struct sj_slice *names = sj_arena_alloc(&l->c->arena, (count + 1) * sizeof *names);
	if (!names)
		return SJ_NOMEM;
	for (uint32_t at = sj_tape_first(list.t, list.cell); at < list.t->cells[list.cell].end;
	     at = sj_tape_next(list.t, at)) {
		if (sj_tape_type(list.t, at) != SJ_J_STRING)
			return REFUSE(l, "%s of '%.*s' must be an array of strings", key, SJ_ARG(owner));
		names[i] = sj_cat_text(l->c, (struct sj_cat_node){list.t, at});
		if (!names[i++].ptr)
			return SJ_NOMEM;
	}
	*out = names;
	*n = count;
	return SJ_OK;
}

static enum sj_status compile_component(struct loader *l, struct sj_cat_component *comp)
{
	struct sj_catalog *c = l->c;
	struct sj_slice name = comp->pub.name;
	enum sj_status st = check_name(l, name, "component", SJ_NO_SLICE);
	if (st != SJ_OK)
		return st;
	if (c->rules >= SJ_V10 && sj_slice_is(name, "Surface"))
		return REFUSE(l, "Component name 'Surface' is reserved");
	if (!is_object(comp->def) && !sj_cat_is(comp->def, SJ_J_TRUE))
		return REFUSE(l, "Component '%.*s' must be defined by a JSON Schema", SJ_ARG(name));
	st = read_types(l, comp->def, "allowedParents", name, &comp->pub.allowed_parents, &comp->pub.nparents);
	if (st == SJ_OK)
		st = read_types(l, comp->def, "allowedChildren", name, &comp->pub.allowed_children,
		                &comp->pub.nchildren);
	if (st != SJ_OK)
		return st;
	struct sj_cat_node hint = sj_cat_get(comp->def, "x-shoji-kind");
	comp->pub.kind = sj_cat_is(hint, SJ_J_STRING) ? sj_ui_kind_find(sj_cat_text(c, hint)) : sj_cat_kind(name);
	comp->catalog = c;
	struct sj_cat_props props;
	st = sj_cat_collect(c, comp->def, &props);
	for (uint32_t i = 0; i < props.count && st == SJ_OK; i++)
		st = check_name(l, props.items[i].name, "property", name);
	if (st == SJ_OK) {
		comp->pub.open = comp->loose = !props.names_any;
		st = sj_cat_classify(c, comp, &props);
	}
	if (st == SJ_OK)
		st = sj_cat_component_shape(c, comp);
	sj_cat_props_free(c, &props);
	return st;
}

static enum sj_status read_components(struct loader *l)
{
	struct sj_catalog *c = l->c;
	struct sj_cat_node all = sj_cat_get(l->root, "components");
	if (!all.t)
		return SJ_OK;
	if (!is_object(all))
		return REFUSE(l, "components must be an object");
	uint32_t count = all.t->cells[all.cell].len;
	if (count > MAX_ROWS)
		return sj_diag_set(l->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_CATALOG, "A catalog may hold %d components",
		                   MAX_ROWS);
	c->components = sj_arena_zalloc(&c->arena, (count + 1) * sizeof *c->components);
	if (!c->components)
		return SJ_NOMEM;
	uint8_t *permitted;
	enum sj_status st = read_union(l, "anyComponent", &permitted);
	for (uint32_t at = sj_tape_first(all.t, all.cell); at < all.t->cells[all.cell].end && st == SJ_OK;) {
		uint32_t value = sj_tape_next(all.t, at);
		struct sj_slice name = sj_cat_text(c, (struct sj_cat_node){all.t, at});
		at = sj_tape_next(all.t, value);
		if (!name.ptr) {
			st = SJ_NOMEM;
		} else if (!permitted || permitted[value]) {
			struct sj_cat_component *comp = &c->components[c->ncomponents];
			comp->pub.name = name;
			comp->pub.index = c->ncomponents++;
			comp->def = (struct sj_cat_node){all.t, value};
			st = compile_component(l, comp);
		}
	}
	sj_mem_free(c->mem, permitted, all.t->count);
	return st != SJ_OK ? st
	                   : sj_cat_names_build(&c->arena, &c->component_index, c->components, sizeof *c->components,
	                                        c->ncomponents);
}

static bool looks_like_schema(struct sj_cat_node n)
{
	return sj_cat_is(sj_cat_get(n, "type"), SJ_J_STRING) || is_object(sj_cat_get(n, "properties")) ||
	       sj_cat_is(sj_cat_get(n, "$ref"), SJ_J_STRING);
}

/* The argument names, from a schema of the arguments or from a plain map. */
static enum sj_status read_params(struct loader *l, struct sj_cat_function *f)
{
	struct sj_catalog *c = l->c;
	struct sj_cat_props props = {0};
	enum sj_status st = SJ_OK;
	uint32_t count = 0;
	if (f->params.t) {
		count = f->params.t->cells[f->params.cell].len;
	} else if (f->args.t) {
		st = sj_cat_collect(c, f->args, &props);
		count = props.count;
	}
	struct sj_slice *names = sj_arena_zalloc(&c->arena, (count + 1) * sizeof *names);
	bool *required = sj_arena_zalloc(&c->arena, count + 1);
	if (st == SJ_OK && (!names || !required))
		st = SJ_NOMEM;
	uint32_t at = f->params.t ? sj_tape_first(f->params.t, f->params.cell) : 0;
	for (uint32_t i = 0; i < count && st == SJ_OK; i++) {
		if (f->params.t) {
			names[i] = sj_cat_text(c, (struct sj_cat_node){f->params.t, at});
			at = sj_tape_next(f->params.t, sj_tape_next(f->params.t, at));
		} else {
			names[i] = props.items[i].name;
			required[i] = props.items[i].required;
		}
		st = names[i].ptr ? check_name(l, names[i], "argument", f->pub.name) : SJ_NOMEM;
	}
	uint32_t *in_order = sj_arena_alloc(&c->arena, (count + 1) * sizeof *in_order);
	const uint32_t *order = st == SJ_OK && !f->params.t ? sj_cat_positions(c, &props) : in_order;
	if (st == SJ_OK && (!in_order || !order))
		st = SJ_NOMEM;
	for (uint32_t i = 0; i < count && st == SJ_OK && f->params.t; i++)
		in_order[i] = i;
	sj_cat_props_free(c, &props);
	f->pub.positions = order;
	f->pub.params = names;
	f->pub.required = required;
	f->pub.nparams = count;
	for (uint32_t i = 0; i < count && st == SJ_OK && !f->is_call_schema; i++)
		f->args_required = f->args_required || required[i];
	return st;
}

static const struct sj_cat_prop *prop_named(const struct sj_cat_props *props, const char *name)
{
	for (uint32_t i = 0; i < props->count; i++)
		if (sj_slice_is(props->items[i].name, name))
			return &props->items[i];
	return NULL;
}

static enum sj_status read_metadata(struct loader *l, struct sj_cat_function *f)
{
	static const struct { const char *word; enum sj_caller who;
	} callers[] = {
		{"rendererOnly", SJ_CALLER_RENDERER_ONLY},
		{"agentOnly", SJ_CALLER_AGENT_ONLY},
		{"rendererOrAgent", SJ_CALLER_ANY},
	};
	static const char *const types[] = {"string", "number", "boolean", "array",
	                                    "object", "any",    "void",    "validationResult"};
	struct sj_slice name = f->pub.name;
	struct sj_cat_node who = sj_cat_get(f->def, "allowedCallers"),
			   gesture = sj_cat_get(f->def, "requiresUserActivation");
	f->pub.allowed = SJ_CALLER_RENDERER_ONLY;
	if (who.t) {
		bool known = false;
		for (size_t i = 0; i < sizeof callers / sizeof *callers; i++)
			if (sj_cat_is(who, SJ_J_STRING) &&
			    sj_tape_string_is(who.t, who.cell, sj_slice_of(callers[i].word))) {
				f->pub.allowed = callers[i].who;
				known = true;
			}
		if (!known)
			return REFUSE(l, "allowedCallers of '%.*s' must be rendererOnly, agentOnly or rendererOrAgent",
			              SJ_ARG(name));
	}
	f->pub.needs_activation = sj_cat_is(gesture, SJ_J_TRUE);
	if (f->pub.needs_activation && f->pub.allowed != SJ_CALLER_RENDERER_ONLY)
		return REFUSE(l, "Function '%.*s' requires user activation, so only the renderer may call it",
		              SJ_ARG(name));
	if (f->pub.return_type.len == 0)
		f->pub.return_type = SJ_LIT("any");
	bool known = l->c->rules < SJ_V10;
	for (size_t i = 0; i < sizeof types / sizeof *types && !known; i++)
		known = sj_slice_is(f->pub.return_type, types[i]);
	if (!known)
		return REFUSE(l, "Unknown returnType '%.*s' of function '%.*s'", SJ_ARG(f->pub.return_type),
		              SJ_ARG(name));
	f->pub.is_effect = sj_slice_is(f->pub.return_type, "void");
	return SJ_OK;
}

/* The words a call of v0.9 may carry as its returnType. */
static bool is_call_type(struct sj_slice word)
{
	static const char *const words[] = {"string", "number", "boolean", "array", "object", "any", "void"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (sj_slice_is(word, words[i]))
			return true;
	return false;
}

/* Nothing but {call, args, returnType, catalogId}, each said once and in the usual way. */
static bool is_simple_call(const struct sj_cat_props *props)
{
	static const char *const names[] = {"call", "@call", "args", "returnType", "catalogId"};
	bool simple = !props->partial;
	for (uint32_t i = 0; i < props->count && simple; i++) {
		const struct sj_cat_prop *p = &props->items[i];
		bool known = false;
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			known = known || sj_slice_is(p->name, names[k]);
		bool constant = !sj_slice_is(p->name, "args") && !sj_slice_is(p->name, "catalogId");
		simple = known && p->again == 0 &&
		         (!constant || (sj_cat_is(sj_cat_get(p->schema, "const"), SJ_J_STRING) &&
		                        p->schema.t->cells[p->schema.cell].len == 1)) &&
		         !(p->required && (sj_slice_is(p->name, "returnType") || sj_slice_is(p->name, "catalogId")));
	}
	return simple;
}

static enum sj_status compile_function(struct loader *l, struct sj_cat_function *f)
{
	struct sj_catalog *c = l->c;
	enum sj_status st = check_name(l, f->pub.name, "function", SJ_NO_SLICE);
	if (st != SJ_OK)
		return st;
	if (!is_object(f->def))
		return REFUSE(l, "Function '%.*s' must be defined by an object", SJ_ARG(f->pub.name));
	struct sj_cat_props props;
	st = sj_cat_collect(c, f->def, &props);
	if (st != SJ_OK)
		return st;
	const struct sj_cat_prop *call = prop_named(&props, "call"), *args = prop_named(&props, "args"),
				 *gives = prop_named(&props, "returnType");
	f->reserved_key = !call;
	call = call ? call : prop_named(&props, "@call");
	struct sj_cat_node stated = sj_cat_get(f->def, "returnType");
	f->is_call_schema = call != NULL;
	f->simple = is_simple_call(&props);
	if (sj_cat_is(stated, SJ_J_STRING)) {
		f->pub.return_type = sj_cat_text(c, stated);
	} else if (call && gives) {
		f->pub.return_type = sj_cat_text(c, sj_cat_get(gives->schema, "const"));
		f->returns_stated = is_call_type(f->pub.return_type);
	}
	if (call) {
		f->args = args ? args->schema : f->args;
		f->args_required = args && args->required;
	} else {
		f->simple = true;
		struct sj_cat_node params = sj_cat_get(f->def, "parameters");
		if (is_object(params) && !looks_like_schema(params))
			f->params = params;
		else if (is_object(params))
			f->args = params;
	}
	sj_cat_props_free(c, &props);
	st = read_params(l, f);
	if (st == SJ_OK)
		st = read_metadata(l, f);
	if (st == SJ_OK)
		st = sj_cat_function_shape(c, f);
	if (st == SJ_OK && l->opt->impl)
		f->pub.impl = l->opt->impl(l->opt->impl_ctx, c->rules, f->pub.name);
	return st;
}

static enum sj_status read_functions(struct loader *l)
{
	struct sj_catalog *c = l->c;
	struct sj_cat_node all = sj_cat_get(l->root, "functions");
	if (!all.t)
		return SJ_OK;
	bool list = sj_cat_is(all, SJ_J_ARRAY); /* how capabilities of v0.9 carry them */
	if (!is_object(all) && !list)
		return REFUSE(l, "functions must be an object");
	uint32_t count = all.t->cells[all.cell].len;
	if (count > MAX_ROWS)
		return sj_diag_set(l->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_CATALOG, "A catalog may hold %d functions",
		                   MAX_ROWS);
	c->functions = sj_arena_zalloc(&c->arena, (count + 1) * sizeof *c->functions);
	if (!c->functions)
		return SJ_NOMEM;
	uint8_t *permitted = NULL;
	enum sj_status st = list ? SJ_OK : read_union(l, "anyFunction", &permitted);
	for (uint32_t at = sj_tape_first(all.t, all.cell); at < all.t->cells[all.cell].end && st == SJ_OK;) {
		uint32_t value = list ? at : sj_tape_next(all.t, at);
		struct sj_cat_node def = {all.t, value},
				   named = list ? sj_cat_get(def, "name") : (struct sj_cat_node){all.t, at};
		struct sj_slice name = sj_cat_text(c, named);
		at = sj_tape_next(all.t, value);
		if (!sj_cat_is(named, SJ_J_STRING)) {
			st = REFUSE(l, "A function needs a name");
		} else if (!name.ptr) {
			st = SJ_NOMEM;
		} else if (!permitted || permitted[value]) {
			struct sj_cat_function *f = &c->functions[c->nfunctions];
			f->pub.name = name;
			f->pub.index = c->nfunctions++;
			f->def = def;
			st = compile_function(l, f);
		}
	}
	sj_mem_free(c->mem, permitted, all.t->count);
	return st != SJ_OK ? st
	                   : sj_cat_names_build(&c->arena, &c->function_index, c->functions, sizeof *c->functions,
	                                        c->nfunctions);
}

static void find_theme(struct loader *l)
{
	struct sj_catalog *c = l->c;
	if (c->rules >= SJ_V10)
		return;
	c->theme = sj_cat_get(l->root, "theme");
	if (!c->theme.t)
		c->theme = sj_cat_get(sj_cat_get(l->root, "$defs"), "theme");
	if (!c->theme.t && c->rules == SJ_V08) {
		c->theme = sj_cat_get(l->root, "styles");
		c->theme_is_map = c->theme.t && !looks_like_schema(c->theme);
	} else if (is_object(c->theme)) {
		/* The inline form carries the theme's members alone. */
		c->theme_is_map = !looks_like_schema(c->theme) && !sj_cat_get(c->theme, "additionalProperties").t &&
		                  c->theme.t->cells[c->theme.cell].len > 0;
	}
	if (c->theme.t && !is_object(c->theme))
		c->theme = (struct sj_cat_node){0};
}

/* Every reference must lead somewhere: a catalog that cannot be checked against is refused when it is loaded, not when
 * it is first used. Anchors are the schema engine's to find, and the draft's own schema is built into it. */
static enum sj_status check_refs(struct loader *l)
{
	const struct sj_tape *t = l->root.t;
	for (uint32_t i = 0; i + 1 < t->count; i++) {
		if (!(t->cells[i].flags & SJ_CELL_KEY) || sj_tape_type(t, i + 1) != SJ_J_STRING ||
		    !sj_tape_string_is(t, i, SJ_LIT("$ref")))
			continue;
		struct sj_slice ref = sj_cat_text(l->c, (struct sj_cat_node){t, i + 1}), common;
		struct sj_cat_node to;
		if (!ref.ptr)
			return SJ_NOMEM;
		bool anchor = ref.len > 1 && ref.ptr[0] == '#' && ref.ptr[1] != '/';
		if (anchor || sj_slice_starts(ref, "https://json-schema.org/") ||
		    sj_slice_is(ref, "#/$defs/anyFunction") ||
		    sj_cat_resolve(l->c, l->root, ref, &to, &common) == SJ_OK)
			continue;
		REFUSE(l, "Unresolvable reference '%.*s' in catalog '%.*s'", SJ_ARG(ref), SJ_ARG(l->c->id));
		sj_diag_hint(l->diag, "References may lead into the catalog itself or to common_types.json.");
		return SJ_INVALID;
	}
	return SJ_OK;
}

static enum sj_status load(struct loader *l, struct sj_slice json)
{
	struct sj_catalog *c = l->c;
	enum sj_status st = parse_text(l, json, &c->doc, &c->text);
	if (st != SJ_OK)
		return st;
	l->root = (struct sj_cat_node){&c->doc, 0};
	st = read_head(l);
	if (st != SJ_OK)
		return st;
	struct sj_slice kept;
	if (l->opt->common_types.len > 0) {
		c->shared_text = sj_arena_copy(&c->arena, l->opt->common_types);
		st = c->shared_text.ptr ? SJ_OK : SJ_NOMEM;
	}
	if (st == SJ_OK && c->rules >= SJ_V09) {
		struct sj_buf text;
		sj_buf_init(&text, c->mem, 0);
		sj_data_common_types(&text, c->rules, SJ_DIALECT_BARE, c->rules >= SJ_V10, true);
		st = sj_buf_status(&text);
		if (st == SJ_OK)
			st = parse_text(l, sj_buf_view(&text), &c->common, &kept);
		sj_buf_finish(&text);
	}
	if (st == SJ_OK)
		st = sj_cat_generic(c);
	if (st == SJ_OK && c->rules >= SJ_V10)
		st = check_keys(l);
	if (st == SJ_OK)
		st = check_refs(l);
	/* Functions first: the shapes of v0.9 calls look them up. */
	if (st == SJ_OK)
		st = read_functions(l);
	if (st == SJ_OK)
		st = read_components(l);
	if (st == SJ_OK && (c->collect_steps > sj_cat_budget(c) || c->class_steps > sj_cat_budget(c)))
		return sj_diag_set(l->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_CATALOG,
		                   "The definitions of catalog '%.*s' refer to each other too often",
		                   SJ_ARG(c->id));
	if (st == SJ_OK)
		find_theme(l);
	return st;
}

enum sj_status sj_catalog_load(struct sj_mem *mem, struct sj_slice json, const struct sj_catalog_options *opt,
                               struct sj_catalog **out, struct sj_diag *diag)
{
	struct sj_catalog *c = sj_mem_zalloc(mem, sizeof *c);
	if (!c)
		return SJ_NOMEM;
	c->mem = mem;
	sj_arena_init(&c->arena, mem, 8192);
	c->lazy = sj_arena_zalloc(&c->arena, sizeof *c->lazy);
	struct loader l = {.c = c, .opt = opt, .diag = diag, .json = sj_json_options_wire(&SJ_LIMITS_DEFAULT)};
	enum sj_status st = c->lazy ? load(&l, json) : SJ_NOMEM;
	if (st != SJ_OK) {
		sj_catalog_destroy(c);
		return st;
	}
	*out = c;
	return SJ_OK;
}

enum sj_status sj_catalog_permissive(struct sj_mem *mem, struct sj_slice id, enum sj_version v, struct sj_catalog **out)
{
	struct sj_catalog *c;
	struct sj_buf text;
	sj_buf_init(&text, mem, 0);
	/* The basic types keep their kinds. */
	enum sj_version basic = v >= SJ_V10 || v == SJ_V08 ? v : SJ_V09;
	sj_data_basic(&text, basic, v >= SJ_V10 ? SJ_DIALECT_RESERVED : SJ_DIALECT_BARE);
	enum sj_status st = sj_buf_status(&text);
	if (st == SJ_OK) {
		struct sj_catalog_options opt = {.id = id, .override_id = true, .version = basic};
		st = sj_catalog_load(mem, sj_buf_view(&text), &opt, &c, NULL);
	}
	sj_buf_finish(&text);
	if (st != SJ_OK)
		return st;
	c->permissive = true;
	c->version = v;
	for (uint32_t i = 0; i < c->ncomponents; i++)
		c->components[i].loose = true;
	*out = c;
	return SJ_OK;
}
