/* Components of v0.8: {id, weight?, component: {Type: {properties}}}, checked against their catalog where they stand in
 * the message and compiled from there. What is kept of a definition is its flat form, {id, component, ..., weight}, so
 * that presses and reports read it as they read every other version's. */
#include "a2ui/internal.h"

struct entry {
	uint32_t cell, props, weight; /* weight 0: none */
	struct sj_slice id, type_name;
	const struct sj_a2ui_component *type;
	sj_component_ref ref; /* the definition that is there */
};

/* ---- the envelope of a component --------------------------------------------------------------------------------- */

static enum sj_status check_wrapper(struct sj_faults *f, uint32_t at, struct sj_arena *arena, struct entry *e)
{
	const struct sj_tape *t = f->tape;
	*e = (struct entry){.cell = at};
	if (sj_tape_type(t, at) != SJ_J_OBJECT)
		return sj_fault_at(f, at, NULL, "type_mismatch", "a component must be an object");
	uint32_t id = sj_member(t, at, "id"), wrapper = sj_member(t, at, "component");
	if (!id || sj_tape_type(t, id) != SJ_J_STRING)
		return sj_fault_at(f, id ? id : at, id ? NULL : "id", id ? "type_mismatch" : "missing_field",
		                   "Component is missing an 'id'%s", id ? " of type string" : "");
	e->id = sj_tape_string(t, id, arena);
	if (!e->id.ptr)
		return SJ_NOMEM;
	enum sj_status st =
		sj_fault_closed(f, at, (const char *const[]){"id", "weight", "component", NULL}, "a component");
	if (st != SJ_OK)
		return st;
	if (!wrapper)
		return sj_fault_at(f, at, "component", "missing_field",
		                   "Cannot create component %.*s without a type: 'component' is a required property",
		                   SJ_ARG(e->id));
	if (sj_tape_type(t, wrapper) != SJ_J_OBJECT || t->cells[wrapper].len != 1)
		return sj_fault_at(f, wrapper, NULL,
		                   sj_tape_type(t, wrapper) != SJ_J_OBJECT ? "type_mismatch" : "invalid_value",
		                   "component of '%.*s' must be an object with one key, the name of its type",
		                   SJ_ARG(e->id));
	uint32_t name = sj_tape_first(t, wrapper);
	e->type_name = sj_tape_string(t, name, arena);
	e->props = sj_tape_next(t, name);
	if (!e->type_name.ptr)
		return SJ_NOMEM;
	if (sj_tape_type(t, e->props) != SJ_J_OBJECT)
		return sj_fault_at(f, e->props, NULL, "type_mismatch", "The properties of '%.*s' must be an object",
		                   SJ_ARG(e->id));
	e->weight = sj_member(t, at, "weight");
	if (e->weight && sj_tape_type(t, e->weight) != SJ_J_NUMBER)
		return sj_fault_at(f, e->weight, NULL, "type_mismatch", "weight must be a number");
	return SJ_OK;
}

enum sj_status sj_v08_check_list(struct sj_mem *mem, struct sj_arena *scratch, uint32_t list, struct sj_faults *f)
{
	const struct sj_tape *t = f->tape;
	struct sj_map seen;
	sj_map_init(&seen, mem, 0);
	enum sj_status st = SJ_OK;
	for (uint32_t at = sj_tape_first(t, list); st != SJ_NOMEM && at < t->cells[list].end && f->count < f->cap;
	     at = sj_tape_next(t, at)) {
		struct entry e;
		enum sj_status one = check_wrapper(f, at, scratch, &e);
		if (one == SJ_OK && sj_map_get(&seen, e.id) != SJ_MAP_NONE) {
			struct sj_diag d = {0};
			sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY,
			            "Duplicate component id '%.*s' in one message", SJ_ARG(e.id));
			one = sj_fault_copy(f, &d, at, SJ_INVALID);
		} else if (one == SJ_OK) {
			one = sj_map_put(&seen, e.id, at);
		}
		st = one != SJ_OK ? one : st;
	}
	sj_map_finish(&seen);
	return st;
}

/* What compiles the properties recurses, so it relies on this. */
static enum sj_status check_depth(struct sj_faults *f, const struct sj_limits *l, const struct entry *e,
                                  struct sj_arena *arena)
{
	const struct sj_tape *t = f->tape;
	uint32_t cap = l->component_depth < l->dynamic_depth ? l->component_depth : l->dynamic_depth, depth = 0;
	uint32_t *ends = sj_arena_alloc(arena, (cap + (size_t)1) * sizeof *ends);
	if (!ends)
		return SJ_NOMEM;
	for (uint32_t i = e->props; i < t->cells[e->props].end; i++) {
		enum sj_json_type type = sj_tape_type(t, i);
		if (type != SJ_J_OBJECT && type != SJ_J_ARRAY)
			continue;
		while (depth > 0 && i >= ends[depth - 1])
			depth--;
		if (depth >= cap) {
			struct sj_diag d = {0};
			sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_RECURSION,
			            "Global recursion limit exceeded: component '%.*s' is nested deeper than %u levels",
			            SJ_ARG(e->id), cap);
			return sj_fault_copy(f, &d, i, SJ_INVALID);
		}
		ends[depth++] = t->cells[i].end;
	}
	return SJ_OK;
}

static enum sj_status check_entry(struct sj_faults *f, struct sj_view *v, struct entry *e, struct sj_arena *arena)
{
	enum sj_status st = check_depth(f, v->a->opt.limits, e, arena);
	if (st != SJ_OK)
		return st;
	e->ref = sj_component_find(v->core, e->id);
	e->type = sj_catalog_component(v->catalog, e->type_name);
	if (!e->type) {
		struct sj_diag d = {0};
		if (v->a->opt.rules.allow_unknown)
			return SJ_OK;
		sj_diag_set(&d, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		            "Unknown component '%.*s': catalog '%.*s' has no such type", SJ_ARG(e->type_name),
		            SJ_ARG(sj_catalog_id(v->catalog)));
		sj_diag_hint(&d, "Use one of the catalog's components.");
		return sj_fault_copy(f, &d, e->props, SJ_INVALID);
	}
	struct sj_fault_ctx ctx = {f, f->tape, e->props, e->props, "component", e->type_name, NULL};
	return sj_catalog_check_component(v->catalog, e->type, SJ_DIALECT_BARE, f->tape, e->props, arena,
	                                  sj_fault_schema, &ctx);
}

enum sj_status sj_v08_check_alone(struct sj_faults *f, uint32_t at, const struct sj_catalog *const *catalogs,
                                  uint32_t ncatalogs, struct sj_arena *scratch)
{
	struct entry e;
	enum sj_status st = check_wrapper(f, at, scratch, &e);
	if (st == SJ_OK)
		st = check_depth(f, &SJ_LIMITS_DEFAULT, &e, scratch);
	if (st != SJ_OK || ncatalogs == 0)
		return st;
	for (uint32_t i = 0; i < ncatalogs; i++) {
		struct sj_fault_ctx ctx = {f, f->tape, e.props, e.props, "component", e.type_name, NULL};
		e.type = sj_catalog_component(catalogs[i], e.type_name);
		if (e.type)
			return sj_catalog_check_component(catalogs[i], e.type, SJ_DIALECT_BARE, f->tape, e.props,
			                                  scratch, sj_fault_schema, &ctx);
	}
	st = sj_fault_at(f, e.props, NULL, "invalid_value", "Unknown component '%.*s': no active catalog has such a type",
	                 SJ_ARG(e.type_name));
	if (f->count <= f->cap)
		sj_diag_hint(&f->items[f->count - 1], "Use one of the catalog's components.");
	return st;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

struct bound {
	uint32_t literal, path; /* cells; 0: none */
};

/* Is this a bound value: an object of literals and a path, and of nothing else? */
static bool read_bound(const struct sj_tape *t, uint32_t cell, struct bound *out)
{
	static const char *const literals[] = {"literalString", "literalNumber", "literalBoolean", "literalArray"};
	*out = (struct bound){0};
	if (sj_tape_type(t, cell) != SJ_J_OBJECT || t->cells[cell].len == 0)
		return false;
	for (uint32_t at = sj_tape_first(t, cell); at < t->cells[cell].end;) {
		uint32_t value = sj_tape_next(t, at), before = out->literal;
		if (sj_tape_string_is(t, at, SJ_LIT("path")) && sj_tape_type(t, value) == SJ_J_STRING)
			out->path = value;
		else
			for (size_t i = 0; i < sizeof literals / sizeof *literals && out->literal == before; i++)
				if (sj_tape_string_is(t, at, sj_slice_of(literals[i])))
					out->literal = value;
		if (out->path != value && out->literal != value)
			return false;
		at = sj_tape_next(t, value);
	}
	return true;
}

static bool holds_bound(const struct sj_tape *t, uint32_t cell)
{
	struct bound b;
	for (uint32_t i = cell; i < t->cells[cell].end; i++)
		if (sj_tape_type(t, i) == SJ_J_OBJECT && read_bound(t, i, &b))
			return true;
	return false;
}

/* Recursion here is bounded by limits.dynamic_depth (check_depth). */
void sj_v08_compile_value(struct sj_compile *c, struct sj_code_builder *b, uint32_t cell)
{
	const struct sj_tape *t = c->tape;
	enum sj_json_type type = sj_tape_type(t, cell);
	struct bound value;
	if (read_bound(t, cell, &value)) {
		if (value.path)
			sj_compile_path(c, b, sj_tape_string(t, value.path, c->arena));
		else
			sj_compile_literal(c, b, value.literal);
		return;
	}
	if ((type != SJ_J_OBJECT && type != SJ_J_ARRAY) || !holds_bound(t, cell)) {
		sj_compile_literal(c, b, cell);
		return;
	}
	uint32_t n = t->cells[cell].len, i = 0;
	struct sj_slice *keys = type == SJ_J_OBJECT ? sj_arena_alloc(c->arena, n * sizeof *keys) : NULL;
	if (type == SJ_J_OBJECT && !keys) {
		sj_x_fail(b, SJ_E_NOMEM, "Out of memory");
		return;
	}
	for (uint32_t at = sj_tape_first(t, cell); at < t->cells[cell].end; at = sj_tape_next(t, at)) {
		if (type == SJ_J_OBJECT) {
			keys[i] = sj_tape_string(t, at, c->arena);
			at = sj_tape_next(t, at);
		}
		sj_v08_compile_value(c, b, at);
		i++;
	}
	if (type == SJ_J_OBJECT)
		sj_x_map(b, keys, i);
	else
		sj_x_list(b, i);
}

/* ---- one definition ---------------------------------------------------------------------------------------------- */

struct builder {
	struct sj_compile c;
	struct sj_def_builder *d;
	const struct entry *e;
	struct sj_faults *f;
	struct sj_tape old; /* the flat form of the definition that is replaced; old.count 0: none */
};

static void define_literal(struct builder *b, struct sj_slice name, enum sj_ui_prop ui, enum sj_prop_class cls,
                           uint32_t cell)
{
	struct sj_value v = SJ_ABSENT_VALUE;
	if (sj_value_from_tape(sj_surface_mem(b->c.view->core), b->c.tape, cell, &v) == SJ_OK)
		sj_def_literal(b->d, name, ui, cls, v);
}

/* A meaning that no property of v0.8 carries by itself; it has no name, so no report shows it. */
static void define_meaning(struct builder *b, enum sj_ui_prop ui, const char *word)
{
	struct sj_value v = SJ_ABSENT_VALUE;
	if (sj_value_string(sj_surface_mem(b->c.view->core), sj_slice_of(word), &v) == SJ_OK)
		sj_def_literal(b->d, SJ_LIT(""), ui, SJ_PC_VALUE, v);
}

static enum sj_status blame(struct builder *b, const struct sj_diag *d, uint32_t cell, enum sj_status st)
{
	return st == SJ_NOMEM ? st : sj_fault_copy(b->f, d, cell, st);
}

/* A literal beside a path is what the place begins with: written as if a dataModelUpdate had come just before. A
 * definition sent again with the same property does not write it again, so what the person entered stays. */
static enum sj_status seed(struct builder *b, const struct bound *value)
{
	struct sj_compile *c = &b->c;
	struct sj_path p;
	struct sj_value take;
	struct sj_diag d;
	sj_diag_clear(&d);
	enum sj_status st =
		sj_path_parse(c->arena, c->view->a->opt.limits, sj_tape_string(c->tape, value->path, c->arena), &p, &d);
	if (st == SJ_OK)
		st = sj_value_from_tape(sj_surface_mem(c->view->core), c->tape, value->literal, &take);
	if (st == SJ_OK)
		st = sj_surface_set(c->view->core, SJ_ROOT_DATA, p.tokens, p.count, take, &d);
	return st == SJ_OK ? st : blame(b, &d, value->path, st);
}

static bool is_unchanged(const struct builder *b, uint32_t key, uint32_t cell)
{
	uint32_t before = b->old.count ? sj_tape_get(&b->old, 0, sj_tape_string(b->c.tape, key, b->c.arena)) : 0;
	return before && sj_slice_eq(sj_tape_source(&b->old, before), sj_tape_source(b->c.tape, cell));
}

static enum sj_status seed_all(struct builder *b, uint32_t key, uint32_t cell)
{
	const struct sj_tape *t = b->c.tape;
	enum sj_status st = SJ_OK;
	bool known = false, told = false;
	for (uint32_t i = cell; st == SJ_OK && i < t->cells[cell].end; i++) {
		struct bound value;
		if (sj_tape_type(t, i) != SJ_J_OBJECT || !read_bound(t, i, &value) || !value.path || !value.literal)
			continue;
		if (!told)
			known = is_unchanged(b, key, cell);
		told = true;
		if (!known)
			st = seed(b, &value);
	}
	return st;
}

static void define_value(struct builder *b, struct sj_slice name, enum sj_ui_prop ui, uint32_t cell, unsigned flags)
{
	struct bound value;
	bool is_bound = read_bound(b->c.tape, cell, &value);
	if (is_bound && !value.path) {
		define_literal(b, name, ui, SJ_PC_VALUE, value.literal);
		return;
	}
	if (!is_bound && !holds_bound(b->c.tape, cell)) {
		/* {} says neither what nor where */
		if (sj_tape_type(b->c.tape, cell) != SJ_J_OBJECT || b->c.tape->cells[cell].len > 0)
			define_literal(b, name, ui, SJ_PC_VALUE, cell);
		return;
	}
	struct sj_code_builder *code = sj_def_code(b->d, name, ui, SJ_PC_VALUE,
	                                           is_bound ? flags | SJ_PF_BOUND : flags, SJ_ABSENT_VALUE);
	if (!code)
		return;
	sj_v08_compile_value(&b->c, code, cell);
	sj_def_code_end(b->d);
}

static enum sj_status define_children(struct builder *b, struct sj_slice name, enum sj_ui_prop ui, uint32_t cell)
{
	const struct sj_tape *t = b->c.tape;
	struct sj_arena *arena = b->c.arena;
	bool object = sj_tape_type(t, cell) == SJ_J_OBJECT;
	uint32_t list = object ? sj_member(t, cell, "explicitList") : cell;
	uint32_t template = object && !list ? sj_member(t, cell, "template") : 0;
	if (list && sj_tape_type(t, list) == SJ_J_ARRAY) {
		uint32_t n = 0;
		for (uint32_t at = sj_tape_first(t, list); at < t->cells[list].end; at = sj_tape_next(t, at))
			if (sj_tape_type(t, at) == SJ_J_STRING)
				sj_def_child(b->d, name, ui, n++, SJ_LIT(""), sj_tape_string(t, at, arena));
		if (n == 0) /* an empty list is still a property of the tree */
			define_literal(b, name, ui, SJ_PC_RAW, list);
		return SJ_OK;
	}
	if (!template || sj_tape_type(t, template) != SJ_J_OBJECT)
		return SJ_OK;
	uint32_t id = sj_member(t, template, "componentId"), path = sj_member(t, template, "dataBinding");
	if (!id || !path || sj_tape_type(t, id) != SJ_J_STRING || sj_tape_type(t, path) != SJ_J_STRING)
		return SJ_OK;
	struct sj_addr addr;
	struct sj_diag d = {0};
	if (!sj_compile_address(&b->c, sj_tape_string(t, path, arena), &addr, &d))
		return d.code ? blame(b, &d, path, SJ_INVALID) : SJ_NOMEM;
	sj_def_template(b->d, name, ui, &addr, sj_tape_string(t, id, arena), SJ_LIT(""));
	return SJ_OK;
}

/* Child references inside the objects of a list (tabItems[1].child), or inside one object. */
static void define_nested_children(struct builder *b, const struct sj_a2ui_prop *p, uint32_t object, uint32_t index)
{
	const struct sj_tape *t = b->c.tape;
	if (sj_tape_type(t, object) != SJ_J_OBJECT)
		return;
	for (uint32_t i = 0; i < p->nsub; i++) {
		uint32_t at = p->sub[i].cls == SJ_AC_CHILD && p->sub[i].name.len
		                      ? sj_tape_get(t, object, p->sub[i].name)
		                      : 0;
		if (at && sj_tape_type(t, at) == SJ_J_STRING)
			sj_def_child(b->d, p->name, p->ui, index, p->sub[i].name,
			             sj_tape_string(t, at, b->c.arena));
	}
}

static void define_structure(struct builder *b, const struct sj_a2ui_prop *p, uint32_t cell)
{
	const struct sj_tape *t = b->c.tape;
	uint32_t i = 0;
	if (p->cls == SJ_AC_OBJECT)
		define_nested_children(b, p, cell, 0);
	else if (sj_tape_type(t, cell) == SJ_J_ARRAY)
		for (uint32_t at = sj_tape_first(t, cell); at < t->cells[cell].end; at = sj_tape_next(t, at))
			define_nested_children(b, p, at, i++);
	define_value(b, p->name, p->ui, cell, 0);
}

static bool word_is(const struct builder *b, const char *name, const char *word)
{
	uint32_t at = sj_member(b->c.tape, b->e->props, name);
	return at && sj_tape_type(b->c.tape, at) == SJ_J_STRING &&
	       sj_tape_string_is(b->c.tape, at, sj_slice_of(word));
}

/* validationRegexp is a check of its own: what is entered must match, nothing entered passes. */
static void define_pattern(struct builder *b, uint32_t pattern)
{
	struct sj_mem *mem = sj_surface_mem(b->c.view->core);
	uint32_t text = sj_member(b->c.tape, b->e->props, "text");
	struct sj_value message = SJ_ABSENT_VALUE;
	if (!text || sj_tape_type(b->c.tape, pattern) != SJ_J_STRING)
		return;
	if (sj_value_string(mem, SJ_LIT(SJ_V08_PATTERN_MESSAGE), &message) != SJ_OK)
		return;
	struct sj_code_builder *code = sj_def_code(b->d, SJ_LIT(""), SJ_P_NONE, SJ_PC_CHECK, 0, message);
	if (!code)
		return;
	sj_v08_compile_value(&b->c, code, text);
	sj_compile_literal(&b->c, code, pattern);
	sj_x_call(code, &b->c.view->a->matches, 2, NULL);
	sj_def_code_end(b->d);
}

/* What the words of v0.8 mean in the neutral vocabulary where they are no words of it. */
static void define_meanings(struct builder *b)
{
	const struct sj_tape *t = b->c.tape;
	uint32_t props = b->e->props, at;
	switch ((int)b->e->type->kind) {
	case SJ_UI_BUTTON:
		at = sj_member(t, props, "primary");
		if (at && sj_tape_type(t, at) == SJ_J_TRUE)
			define_meaning(b, SJ_P_VARIANT, "primary");
		break;
	case SJ_UI_CHOICE:
		at = sj_member(t, props, "maxAllowedSelections");
		define_meaning(b, SJ_P_VARIANT,
		               at && sj_tape_type(t, at) == SJ_J_NUMBER && sj_tape_number(t, at) == 1
		                       ? "mutuallyExclusive"
		                       : "multipleSelection");
		break;
	case SJ_UI_TEXT_FIELD:
		at = sj_member(t, props, "validationRegexp");
		if (at)
			define_pattern(b, at);
		break;
	case SJ_UI_IMAGE:
		if (word_is(b, "fit", "scale-down"))
			define_meaning(b, SJ_P_FIT, "scaleDown");
		break;
	default:
		break;
	}
}

/* Meanings that the names of v0.8 do not tell by themselves. */
static enum sj_ui_prop meaning_of(const struct builder *b, struct sj_slice key, enum sj_ui_prop ui)
{
	enum sj_ui_kind kind = b->e->type ? b->e->type->kind : SJ_UI_CUSTOM;
	if (kind == SJ_UI_CHOICE && sj_slice_is(key, "variant"))
		return SJ_P_DISPLAY;
	if (kind == SJ_UI_CHOICE && sj_slice_is(key, "maxAllowedSelections"))
		return SJ_P_MAX;
	if (kind == SJ_UI_IMAGE && sj_slice_is(key, "fit") && word_is(b, "fit", "scale-down"))
		return SJ_P_NONE; /* define_meanings says it in the neutral word */
	return ui;
}

static enum sj_status define_props(struct builder *b)
{
	const struct sj_tape *t = b->c.tape;
	const struct entry *e = b->e;
	bool obscured = e->type && e->type->kind == SJ_UI_TEXT_FIELD && word_is(b, "textFieldType", "obscured");
	enum sj_status st = SJ_OK;
	for (uint32_t at = sj_tape_first(t, e->props); st == SJ_OK && at < t->cells[e->props].end;) {
		struct sj_slice key = sj_tape_string(t, at, b->c.arena);
		uint32_t value = sj_tape_next(t, at), name = at;
		at = sj_tape_next(t, value);
		if (!key.ptr)
			return SJ_NOMEM;
		if (key.len == 0) /* a name of ours, see define_meaning */
			continue;
		const struct sj_a2ui_prop *p = e->type ? sj_a2ui_prop_find(e->type, key) : NULL;
		enum sj_ui_prop ui = p ? meaning_of(b, key, p->ui) : SJ_P_NONE;
		switch (p ? p->cls : SJ_AC_PLAIN) {
		case SJ_AC_DYNAMIC:
			st = seed_all(b, name, value);
			define_value(b, key, ui, value, obscured && ui == SJ_P_VALUE ? SJ_PF_SECRET : 0);
			break;
		case SJ_AC_CHILD:
			if (sj_tape_type(t, value) == SJ_J_STRING)
				sj_def_child(b->d, key, ui, 0, SJ_LIT(""), sj_tape_string(t, value, b->c.arena));
			break;
		case SJ_AC_CHILD_LIST:
			st = define_children(b, key, ui, value);
			break;
		case SJ_AC_ACTION:
			/* A press reads the definition's text; the core only has to see whether the action changed. */
			sj_def_literal(b->d, key, SJ_P_ACTION, SJ_PC_ACTION,
			               sj_value_int(sj_slice_hash(sj_tape_source(t, value), 0)));
			break;
		case SJ_AC_OBJECT:
		case SJ_AC_ARRAY:
			st = seed_all(b, name, value);
			define_structure(b, p, value);
			break;
		case SJ_AC_PLAIN:
		case SJ_AC_COMMON:
		case SJ_AC_CHECKS:
		case SJ_AC_ACCESSIBILITY:
			define_literal(b, key, ui, SJ_PC_VALUE, value);
			break;
		}
	}
	if (e->weight)
		define_literal(b, SJ_LIT("weight"), SJ_P_WEIGHT, SJ_PC_VALUE, e->weight);
	if (e->type)
		define_meanings(b);
	return st;
}

/* {"id": ..., "component": "Type", the properties as they were written, "weight": ...} */
static struct sj_slice flat_form(const struct sj_tape *t, const struct entry *e, struct sj_mem *mem,
                                 struct sj_arena *arena)
{
	struct sj_buf text;
	struct sj_slice props = sj_tape_source(t, e->props);
	sj_buf_init(&text, mem, 0);
	sj_buf_puts(&text, "{\"id\":");
	sj_json_print_string(&text, e->id);
	sj_buf_puts(&text, ",\"component\":");
	sj_json_print_string(&text, e->type_name);
	if (t->cells[e->props].len > 0) {
		sj_buf_putc(&text, ',');
		sj_buf_put(&text, props.ptr + 1, props.len - 2);
	}
	if (e->weight) {
		sj_buf_puts(&text, ",\"weight\":");
		sj_buf_slice(&text, sj_tape_source(t, e->weight));
	}
	sj_buf_putc(&text, '}');
	struct sj_slice out = sj_buf_status(&text) == SJ_OK ? sj_arena_copy(arena, sj_buf_view(&text)) : SJ_NO_SLICE;
	sj_buf_finish(&text);
	return out;
}

static enum sj_status define(struct sj_view *v, const struct entry *e, struct sj_faults *f, struct sj_arena *arena)
{
	struct builder b = {.e = e, .f = f};
	struct sj_slice source = flat_form(f->tape, e, v->a->mem, arena);
	if (!source.ptr)
		return SJ_NOMEM;
	if (source.len > UINT32_MAX / 2)
		return SJ_LIMIT;
	if (e->ref) {
		const struct sj_comp *old = sj_component_ctx(v->core, e->ref);
		struct sj_json_options opt = sj_json_options_wire(v->a->opt.limits);
		struct sj_slice kept = sj_arena_copy(arena, sj_slice(old->source, old->source_len));
		if (!kept.ptr || sj_json_parse(arena, &opt, kept, &b.old, NULL) != SJ_OK)
			return SJ_NOMEM; /* it was JSON when it was kept */
	}
	struct sj_comp comp = {.catalog = v->catalog, .type = e->type, .source_len = (uint32_t)source.len};
	b.c = (struct sj_compile){.view = v,
	                          .tape = f->tape,
	                          .outer = e->cell,
	                          .dialect = SJ_DIALECT_BARE,
	                          .catalog = v->catalog,
	                          .type = e->type,
	                          .comp = &comp,
	                          .faults = f,
	                          .arena = arena};
	enum sj_status st =
		sj_def_begin(v->core, e->id, e->type_name, e->type ? e->type->kind : SJ_UI_CUSTOM, &b.d);
	if (st != SJ_OK)
		return st;
	sj_def_data(b.d, &comp, offsetof(struct sj_comp, source), source, sj_definition_release);
	sj_def_origin(b.d, (struct sj_origin){v->a->message, f->base + f->tape->cells[e->cell].off});
	if (!e->type)
		sj_def_unknown(b.d);
	st = define_props(&b);
	if (st != SJ_OK) {
		sj_def_abandon(b.d);
		return st;
	}
	return sj_def_end(b.d, NULL);
}

enum sj_status sj_v08_apply_components(struct sj_view *v, uint32_t list, struct sj_origin origin,
                                       const struct sj_graph_rules *rules, struct sj_faults *f)
{
	struct sj_a2ui *a = v->a;
	struct sj_arena *arena = &a->scratch;
	const struct sj_tape *t = f->tape;
	uint32_t n = t->cells[list].len, count = 0, done = 0, fresh = 0;
	struct entry *entries = sj_arena_alloc(arena, n * sizeof *entries);
	sj_component_ref *changed = sj_arena_alloc(arena, n * sizeof *changed);
	enum sj_status st = entries && changed ? SJ_OK : SJ_NOMEM;
	for (uint32_t at = sj_tape_first(t, list); st != SJ_NOMEM && at < t->cells[list].end && f->count < f->cap;
	     at = sj_tape_next(t, at)) {
		struct entry *e = &entries[count++];
		enum sj_status one = check_wrapper(f, at, arena, e);
		if (one == SJ_OK)
			one = check_entry(f, v, e, arena);
		st = one != SJ_OK ? one : st;
		fresh += !e->ref;
	}
	if (st != SJ_OK)
		return st;
	if (fresh > 3)
		sj_surface_expect(v->core, fresh);
	(void)origin;
	for (; st == SJ_OK && done < count; done++) {
		struct entry *e = &entries[done];
		if (e->ref)
			sj_topo_unhook(&v->topo, v->core, e->ref);
		st = define(v, e, f, arena);
		if (st == SJ_LIMIT && f->count == 0) {
			struct sj_diag d = {0};
			sj_diag_set(&d, st, SJ_E_LIMIT, SJ_CAT_VALIDATION,
			            "Component '%.*s' is more than the surface may hold", SJ_ARG(e->id));
			(void)sj_fault_copy(f, &d, e->cell, st);
		}
		changed[done] = sj_component_find(v->core, e->id);
		if (changed[done]) {
			enum sj_status hook =
				sj_topo_hook(&v->topo, v->core, changed[done], a->opt.limits->component_depth);
			st = st == SJ_OK ? hook : st;
		}
	}
	if (st == SJ_OK && f->count > 0)
		st = SJ_INVALID;
	struct sj_diag d = {0};
	if (st == SJ_OK)
		st = sj_compose_check(v, changed, count, &d);
	if (st == SJ_OK)
		st = sj_topo_check(v, rules, &d);
	if (st == SJ_INVALID && d.code)
		sj_fault_copy(f, &d, list, st);
	return st;
}
