/* Trees to values: what stands where decides what it means. One loop over a stack of what is being built. */
#include "infer/compact_lower.h"

#include <string.h>

#include "base/num.h"

enum { MAX_ALIASES = 32 };

const struct sj_a2ui_prop SJ_COMPACT_ANY = {.cls = SJ_AC_DYNAMIC};
const struct sj_a2ui_prop SJ_COMPACT_CHILD = {.cls = SJ_AC_CHILD};
const struct sj_a2ui_prop SJ_COMPACT_LITERAL = {.cls = SJ_AC_PLAIN};
/* A property of a type that is open: names of components are read as ids. */
static const struct sj_a2ui_prop loose = {.cls = SJ_AC_DYNAMIC};
static const struct sj_a2ui_prop template_members[] = {
	{.name = {"componentId", 11}, .cls = SJ_AC_CHILD},
	{.name = {"path", 4}, .cls = SJ_AC_PLAIN, .dyn = SJ_DYN_STRING},
};

const struct sj_a2ui_prop *sj_compact_member(const struct sj_a2ui_prop *prop, struct sj_slice name)
{
	const struct sj_a2ui_prop *sub = prop->sub;
	uint32_t nsub = prop->nsub;
	if (prop->cls == SJ_AC_CHILD_LIST) {
		sub = template_members;
		nsub = 2;
	}
	for (uint32_t i = 0; i < nsub; i++)
		if (sj_slice_eq(sub[i].name, name) || (i + 1 == nsub && sub[i].name.len == 0))
			return &sub[i];
	if (prop == &loose)
		return prop;
	return prop->cls == SJ_AC_PLAIN || prop->cls == SJ_AC_OBJECT || prop->cls == SJ_AC_ARRAY ||
			       prop->cls == SJ_AC_COMMON
		       ? &SJ_COMPACT_LITERAL
		       : &SJ_COMPACT_ANY;
}

const struct sj_a2ui_prop *sj_compact_item(const struct sj_a2ui_prop *prop)
{
	switch (prop->cls) {
	case SJ_AC_CHILD_LIST:
		return &SJ_COMPACT_CHILD;
	case SJ_AC_ARRAY:
		return prop->nsub == 1 && prop->sub[0].name.len == 0 ? &prop->sub[0] : prop;
	case SJ_AC_CHECKS:
		return prop;
	case SJ_AC_PLAIN:
	case SJ_AC_COMMON:
	case SJ_AC_OBJECT:
		return &SJ_COMPACT_LITERAL;
	case SJ_AC_DYNAMIC:
	case SJ_AC_CHILD:
	case SJ_AC_ACTION:
	case SJ_AC_ACCESSIBILITY:
	default:
		return prop == &loose ? prop : &SJ_COMPACT_ANY;
	}
}

static enum sj_status note(struct sj_lower *l, uint32_t n, enum sj_repair_kind kind, const char *what,
                           struct sj_slice name)
{
	const struct sj_cnode *c = sj_lower_node(l, n);
	return sj_repair_note(l->mem, l->p->repairs, kind, c->line, c->off, l->p->diag, "%s '%.*s'", what,
	                      (int)(name.len < 60 ? name.len : 60), name.ptr ? name.ptr : "");
}

/* What a call to sj_format_* found wrong stands at the place of the node. */
void sj_lower_place(struct sj_lower *l, uint32_t n)
{
	struct sj_diag *d = l->p->diag;
	if (d && d->code != SJ_E_NONE && d->line == 0) {
		d->line = sj_lower_node(l, n)->line;
		d->offset = sj_lower_node(l, n)->off;
	}
}

enum sj_status sj_lower_push(struct sj_lower *l, const struct sj_lower_frame *f)
{
	enum sj_status st = SJ_VEC_RESERVE(l->mem, &l->stack, l->stack.count + 1, 0);
	if (st == SJ_OK && l->stack.count >= SJ_LIMITS_DEFAULT.json_depth)
		st = sj_diag_set(l->p->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_PARSE, "more than %u levels of nesting",
		                 SJ_LIMITS_DEFAULT.json_depth);
	if (st == SJ_OK)
		l->stack.items[l->stack.count++] = *f;
	else
		sj_value_unref(l->mem, f->acc);
	return st;
}

/* Takes `v`. */
static enum sj_status deliver(struct sj_lower *l, uint32_t base, struct sj_slice key, struct sj_value v)
{
	if (l->stack.count == base) {
		sj_value_unref(l->mem, l->result);
		l->result = v;
		return SJ_OK;
	}
	struct sj_lower_frame *f = sj_lower_top(l);
	return f->kind == SJ_F_ARRAY ? sj_value_append(l->mem, &f->acc, v) : sj_value_set(l->mem, &f->acc, key, v);
}

enum sj_status sj_lower_set_text(struct sj_mem *m, struct sj_value *object, struct sj_slice key, struct sj_slice text)
{
	struct sj_value v;
	enum sj_status st = sj_value_string(m, text, &v);
	return st == SJ_OK ? sj_value_set(m, object, key, v) : st;
}

/* ---- components -------------------------------------------------------------------------------------------------- */

static bool is_builtin(struct sj_slice name)
{
	return sj_slice_is(name, "Event") || sj_slice_is(name, "event") || sj_slice_is(name, "_template");
}

bool sj_lower_is_component(const struct sj_lower *l, struct sj_slice name)
{
	bool function = false, component = false;
	if (name.len > 0 && name.ptr[0] == '@')
		return false;
	for (uint32_t i = 0; i < l->f->opt.ncatalogs; i++) {
		const struct sj_catalog *c = l->f->catalogs[i];
		if ((l->fixed.ptr && !sj_slice_eq(sj_catalog_id(c), l->fixed)) ||
		    (is_builtin(name) && sj_catalog_is_permissive(c)))
			continue;
		component = component || sj_catalog_component(c, name);
		function = function || sj_catalog_function(c, name);
		/* A permissive catalog takes any name: then its case tells. */
		if (sj_catalog_is_permissive(c) && name.len && name.ptr[0] >= 'a' && name.ptr[0] <= 'z')
			return false;
	}
	return component || (!function && !is_builtin(name));
}

static enum sj_status begin_component(struct sj_lower *l, uint32_t n, struct sj_slice id)
{
	const struct sj_cnode *c = sj_lower_node(l, n);
	struct sj_lower_frame f = {.kind = SJ_F_COMPONENT, .node = n, .at = n + 1, .id = id, .name = c->text};
	const struct sj_catalog *from = NULL;
	struct sj_slice own, written;
	enum sj_status st = sj_lower_word(l, n, "catalogId", &own);
	if (st == SJ_OK && own.ptr && l->f->opt.version < SJ_V10)
		st = sj_lower_stamp(l, n, own, NULL, &written);
	if (st == SJ_OK)
		st = sj_format_component(l->f, c->text, own.ptr ? own : l->fixed, &from, &f.type, l->p->diag);
	if (st == SJ_OK)
		st = sj_lower_stamp(l, n, own, from, &written);
	if (st != SJ_OK) {
		sj_lower_place(l, n);
		return st;
	}
	uint32_t depth = 0;
	for (uint32_t i = 0; i < l->stack.count; i++)
		depth += l->stack.items[i].kind == SJ_F_COMPONENT;
	if (depth >= SJ_LIMITS_DEFAULT.component_depth)
		return sj_diag_set(l->p->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_RECURSION,
		                   "components are nested more than %u deep", SJ_LIMITS_DEFAULT.component_depth);
	if (sj_value_count(&l->components) >= SJ_LIMITS_DEFAULT.components)
		return sj_diag_set(l->p->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_VALIDATION, "more than %u components",
		                   SJ_LIMITS_DEFAULT.components);
	f.slot = sj_value_count(&l->components);
	if (!l->p->children_first)
		st = sj_value_append(l->mem, &l->components, SJ_NULL_VALUE);
	if (st == SJ_OK)
		st = sj_value_object(l->mem, &f.acc);
	if (st != SJ_OK)
		return st;
	st = sj_lower_set_text(l->mem, &f.acc, SJ_LIT("id"), id);
	if (st == SJ_OK)
		st = sj_lower_set_text(l->mem, &f.acc, SJ_LIT("component"), c->text);
	if (st == SJ_OK && written.ptr)
		st = sj_lower_set_text(l->mem, &f.acc, SJ_LIT("catalogId"), written);
	if (st != SJ_OK) {
		sj_value_unref(l->mem, f.acc);
		return st;
	}
	return sj_lower_push(l, &f);
}

/* Takes a name that the author chose for a component that is not a variable of its own. */
static enum sj_status claim(struct sj_lower *l, uint32_t n, struct sj_slice id)
{
	uint32_t state = sj_map_get(&l->used, id);
	if (state != SJ_MAP_NONE && state != 0)
		return SJ_LOWER_FAULT(l, n, SJ_CAT_INTEGRITY, "two components have the id '%.*s'", SJ_ARG(id));
	return sj_map_put(&l->used, id, 1);
}

/* A component where its id belongs: the id is delivered, the component follows. */
static enum sj_status hoist(struct sj_lower *l, uint32_t base, uint32_t n, struct sj_slice key)
{
	struct sj_slice id;
	struct sj_value v;
	enum sj_status st = sj_lower_word(l, n, "id", &id);
	if (st == SJ_OK)
		st = id.ptr ? claim(l, n, id) : sj_lower_inline_id(l, key, false, 0, &id);
	if (st == SJ_OK)
		st = sj_value_string(l->mem, id, &v);
	if (st == SJ_OK)
		st = deliver(l, base, key, v);
	return st == SJ_OK ? begin_component(l, n, id) : st;
}

/* Which property a child element goes to that names no slot. */
static const struct sj_a2ui_prop *default_slot(const struct sj_lower_frame *f)
{
	for (uint32_t i = 0; i < f->type->npositions; i++)
		if (f->type->positions[i]->cls == SJ_AC_CHILD_LIST)
			return f->type->positions[i];
	for (uint32_t i = 0; i < f->type->npositions; i++)
		if (f->type->positions[i]->cls == SJ_AC_CHILD && !sj_value_get(&f->acc, f->type->positions[i]->name))
			return f->type->positions[i];
	if (f->type->open)
		return sj_a2ui_prop_find(f->type, SJ_LIT("children"));
	return NULL;
}

/* Words inside an element are its first text. */
static enum sj_status element_words(struct sj_lower *l, uint32_t base, uint32_t n)
{
	struct sj_lower_frame *f = sj_lower_top(l);
	for (uint32_t i = 0; i < f->type->npositions; i++) {
		const struct sj_a2ui_prop *p = f->type->positions[i];
		if (p->dyn == SJ_DYN_STRING && (p->cls == SJ_AC_DYNAMIC || p->cls == SJ_AC_PLAIN) &&
		    !sj_value_get(&f->acc, p->name))
			return sj_lower_begin(l, base, n, p, p->name);
	}
	return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "%.*s has no place for words", SJ_ARG(f->name));
}

static enum sj_status child_element(struct sj_lower *l, uint32_t base, uint32_t n)
{
	struct sj_lower_frame *f = sj_lower_top(l);
	const struct sj_cnode *c = sj_lower_node(l, n);
	if (c->kind == SJ_N_STRING)
		return element_words(l, base, n);
	const struct sj_a2ui_prop *prop = c->key.ptr ? sj_a2ui_prop_find(f->type, c->key) : default_slot(f);
	struct sj_slice id;
	struct sj_value v, list;
	if (!prop)
		return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "%.*s has no place for this child", SJ_ARG(f->name));
	struct sj_slice name = c->key.ptr ? c->key : prop->name;
	if (prop->cls != SJ_AC_CHILD_LIST || sj_slice_is(c->text, "_template")) {
		if (sj_value_get(&f->acc, name))
			return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "%.*s takes one child as '%.*s'",
			                      SJ_ARG(f->name), SJ_ARG(name));
		return sj_lower_begin(l, base, n, prop, name);
	}
	const struct sj_value *before = sj_value_get(&f->acc, name);
	if (before && before->type != SJ_V_ARRAY)
		return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "'%.*s' is given as an attribute and by children",
		                      SJ_ARG(name));
	enum sj_status st = sj_lower_word(l, n, "id", &id);
	if (st == SJ_OK)
		st = id.ptr ? claim(l, n, id)
		            : sj_lower_inline_id(l, name, true, before ? sj_value_count(before) : 0, &id);
	if (st == SJ_OK && !before) {
		st = sj_value_array(l->mem, &list);
		if (st == SJ_OK)
			st = sj_value_set(l->mem, &f->acc, name, list);
	}
	struct sj_value *own = st == SJ_OK ? sj_value_own_member(l->mem, &f->acc, name, &st) : NULL;
	if (own && st == SJ_OK)
		st = sj_value_string(l->mem, id, &v);
	if (own && st == SJ_OK)
		st = sj_value_append(l->mem, own, v);
	return st == SJ_OK ? begin_component(l, n, id) : st;
}

/* The next argument of a component. */
static enum sj_status component_argument(struct sj_lower *l, uint32_t base, uint32_t n)
{
	struct sj_lower_frame *f = sj_lower_top(l);
	const struct sj_cnode *c = sj_lower_node(l, n);
	const struct sj_a2ui_prop *prop;
	struct sj_slice name;
	if (c->element)
		return f->second ? SJ_OK : child_element(l, base, n);
	if (c->key.ptr) {
		name = c->key;
		if (sj_slice_is(name, "catalogId"))
			return SJ_OK;
		if (sj_slice_is(name, "id")) {
			if (c->kind != SJ_N_STRING || !sj_slice_eq(c->text, f->id))
				return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "the id of this component is '%.*s'",
				                      SJ_ARG(f->id));
			return SJ_OK;
		}
		prop = sj_slice_is(name, "component") ? NULL : sj_a2ui_prop_find(f->type, name);
		if (!prop && !(f->type->open && !sj_slice_is(name, "component")))
			return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "%.*s has no property '%.*s'", SJ_ARG(f->name),
			                      SJ_ARG(name));
	} else {
		if (f->seen >= f->type->npositions)
			return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "%.*s takes at most %u arguments by position",
			             SJ_ARG(f->name), f->type->npositions);
		prop = f->type->positions[f->seen++];
		name = prop->name;
	}
	if (!prop || (f->type->open && prop->name.len == 0))
		prop = &loose;
	if (c->kind == SJ_N_SKIP || (prop->cls == SJ_AC_CHECKS) != f->second)
		return SJ_OK;
	if (sj_value_get(&f->acc, name))
		return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "'%.*s' of '%.*s' is given twice", SJ_ARG(name),
		                      SJ_ARG(f->id));
	return sj_lower_begin(l, base, n, prop, name);
}

static enum sj_status finish_component(struct sj_lower *l, struct sj_lower_frame *f)
{
	for (uint32_t i = 0; i < f->type->nprops; i++) {
		const struct sj_a2ui_prop *p = &f->type->props[i];
		if (p->required && p->cls != SJ_AC_COMMON && !sj_value_get(&f->acc, p->name))
			return SJ_LOWER_FAULT(l, f->node, SJ_CAT_VALIDATION, "'%.*s' lacks %.*s, which %.*s requires",
			             SJ_ARG(f->id), SJ_ARG(p->name), SJ_ARG(f->name));
	}
	struct sj_value done = f->acc;
	f->acc = SJ_ABSENT_VALUE;
	return l->p->children_first ? sj_value_append(l->mem, &l->components, done)
	                            : sj_value_set_item(l->mem, &l->components, f->slot, done);
}

/* ---- one value --------------------------------------------------------------------------------------------------- */

static enum sj_status scalar(struct sj_lower *l, uint32_t n, struct sj_value *out)
{
	const struct sj_cnode *c = sj_lower_node(l, n);
	switch ((enum sj_cnode_kind)c->kind) {
	case SJ_N_STRING:
		return sj_value_string(l->mem, c->text, out);
	case SJ_N_NUMBER:
		*out = sj_value_number(c->number);
		return SJ_OK;
	case SJ_N_TRUE:
	case SJ_N_FALSE:
		*out = sj_value_bool(c->kind == SJ_N_TRUE);
		return SJ_OK;
	case SJ_N_NULL:
	case SJ_N_SKIP:
	case SJ_N_PATH:
	case SJ_N_REF:
	case SJ_N_CALL:
	case SJ_N_CHECK:
	case SJ_N_ARRAY:
	case SJ_N_OBJECT:
	default:
		*out = SJ_NULL_VALUE;
		return SJ_OK;
	}
}

static enum sj_status begin_path(struct sj_lower *l, uint32_t base, uint32_t n, const struct sj_a2ui_prop *prop,
                                 struct sj_slice key)
{
	const struct sj_cnode *c = sj_lower_node(l, n);
	struct sj_value text, v;
	if (prop == &SJ_COMPACT_LITERAL || prop == &template_members[1])
		return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "a path stands where only plain data may");
	if (prop->cls != SJ_AC_DYNAMIC)
		return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "'%.*s' cannot be bound to a path", SJ_ARG(key));
	enum sj_status st = sj_value_string(l->mem, c->text, &text);
	if (st == SJ_OK)
		st = sj_lower_wrap(l->mem, sj_format_key_path(l->f), text, &v);
	return st == SJ_OK ? deliver(l, base, key, v) : st;
}

static enum sj_status deliver_text(struct sj_lower *l, uint32_t base, struct sj_slice key, struct sj_slice text)
{
	struct sj_value v;
	enum sj_status st = sj_value_string(l->mem, text, &v);
	return st == SJ_OK ? deliver(l, base, key, v) : st;
}

static bool takes_id(const struct sj_a2ui_prop *prop) { return prop->cls == SJ_AC_CHILD || prop == &loose; }

/* A variable: the id of a component, or its value put in. */
static enum sj_status begin_name(struct sj_lower *l, uint32_t base, uint32_t n, const struct sj_a2ui_prop *prop,
                                 struct sj_slice key)
{
	struct sj_slice name = sj_lower_node(l, n)->text;
	uint32_t var = sj_map_get(&l->names, name), hops = 0;
	while (var != SJ_MAP_NONE && sj_lower_node(l, l->p->stmts.items[var].node)->kind == SJ_N_REF) {
		name = sj_lower_node(l, l->p->stmts.items[var].node)->text;
		var = sj_map_get(&l->names, name);
		if (++hops > MAX_ALIASES)
			return SJ_LOWER_FAULT(l, n, SJ_CAT_COMPILE, "'%.*s' only leads to other names",
			                      SJ_ARG(sj_lower_node(l, n)->text));
	}
	if (var == SJ_MAP_NONE) {
		if (takes_id(prop))
			return deliver_text(l, base, key, name);
		if (prop->cls != SJ_AC_PLAIN || prop->dyn != SJ_DYN_STRING)
			return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "nothing is named '%.*s'", SJ_ARG(name));
		enum sj_status st = note(l, n, SJ_REPAIR_LITERAL, "a word was read as the string", name);
		return st == SJ_OK ? deliver_text(l, base, key, name) : st;
	}
	if (l->component[var]) {
		if (!takes_id(prop))
			return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION,
			                      "the component '%.*s' stands where a value is expected", SJ_ARG(name));
		return deliver_text(l, base, key, l->p->stmts.items[var].name);
	}
	uint32_t tree = l->p->stmts.items[var].node, span = sj_lower_node(l, tree)->end - tree, depth = l->stack.count;
	if (l->busy[var])
		return SJ_LOWER_FAULT(l, n, SJ_CAT_COMPILE, "'%.*s' contains itself", SJ_ARG(name));
	if (span > SJ_LIMITS_DEFAULT.expression_steps - l->inlined)
		return sj_diag_set(l->p->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_COMPILE,
		                   "variables that stand for values were put in too often");
	l->inlined += span;
	enum sj_status st = sj_lower_begin(l, base, tree, prop, key);
	if (st == SJ_OK && l->stack.count > depth) {
		l->busy[var] = 1;
		l->stack.items[depth].var = var + 1;
	}
	return st;
}

static enum sj_status begin_frame(struct sj_lower *l, uint32_t n, enum sj_frame_kind kind,
                                  const struct sj_a2ui_prop *prop, struct sj_slice key)
{
	struct sj_lower_frame f = {.kind = kind, .node = n, .at = n + 1, .prop = prop, .key = key,
	                           .name = sj_lower_node(l, n)->text};
	enum sj_status st = kind == SJ_F_ARRAY ? sj_value_array(l->mem, &f.acc) : sj_value_object(l->mem, &f.acc);
	if (st == SJ_OK && kind == SJ_F_CALL) {
		f.action = prop->cls == SJ_AC_ACTION;
		st = sj_lower_open_call(l, n, &f);
		if (st != SJ_OK)
			sj_value_unref(l->mem, f.acc);
	}
	return st == SJ_OK ? sj_lower_push(l, &f) : st;
}

/* A value where a list is meant: the list is made around it. */
static enum sj_status listed(struct sj_lower *l, uint32_t base, uint32_t n, const struct sj_a2ui_prop *prop,
                             struct sj_slice key)
{
	struct sj_lower_frame f = {
		.kind = SJ_F_ARRAY, .node = n, .at = sj_lower_node(l, n)->end, .prop = prop, .key = key};
	enum sj_status st = note(l, n, SJ_REPAIR_SCALAR, "a list was made of the one value of", key);
	if (st == SJ_OK)
		st = sj_value_array(l->mem, &f.acc);
	if (st == SJ_OK)
		st = sj_lower_push(l, &f);
	return st == SJ_OK ? sj_lower_begin(l, base, n, sj_compact_item(prop), SJ_NO_SLICE) : st;
}

/* A plain attribute where a number or a boolean is meant. */
static bool attribute_value(const struct sj_cnode *c, const struct sj_a2ui_prop *prop, struct sj_value *out)
{
	double number;
	bool yes = sj_slice_is(c->text, "true");
	if (prop->cls != SJ_AC_DYNAMIC && prop->cls != SJ_AC_PLAIN)
		return false;
	if (prop->dyn == SJ_DYN_NUMBER && sj_num_parse(c->text, &number)) {
		*out = sj_value_number(number);
		return true;
	}
	if (prop->dyn == SJ_DYN_BOOLEAN && (yes || sj_slice_is(c->text, "false"))) {
		*out = sj_value_bool(yes);
		return true;
	}
	return false;
}

/* A text where an action is meant is the name of an event. */
static enum sj_status event_of(struct sj_lower *l, uint32_t base, uint32_t n, struct sj_slice key)
{
	struct sj_value name, event, v;
	enum sj_status st = note(l, n, SJ_REPAIR_SCALAR, "an event was made of the text of", key);
	if (st == SJ_OK)
		st = sj_value_string(l->mem, sj_lower_node(l, n)->text, &name);
	if (st == SJ_OK)
		st = sj_lower_wrap(l->mem, SJ_LIT("name"), name, &event);
	if (st == SJ_OK)
		st = sj_lower_wrap(l->mem, SJ_LIT("event"), event, &v);
	return st == SJ_OK ? deliver(l, base, key, v) : st;
}

static enum sj_status begin_call(struct sj_lower *l, uint32_t base, uint32_t n, const struct sj_a2ui_prop *prop,
                                 struct sj_slice key)
{
	struct sj_slice name = sj_lower_node(l, n)->text;
	bool component = sj_lower_is_component(l, name);
	if (sj_slice_is(name, "_template")) {
		if (prop->cls != SJ_AC_CHILD_LIST && prop != &loose)
			return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION,
			                      "_template(...) stands where no list of children is");
		return begin_frame(l, n, SJ_F_TEMPLATE, prop, key);
	}
	if (prop->cls == SJ_AC_ACTION && is_builtin(name))
		return begin_frame(l, n, SJ_F_EVENT, prop, key);
	if (component && takes_id(prop))
		return hoist(l, base, n, key);
	if (prop->cls == SJ_AC_CHILD_LIST)
		return listed(l, base, n, prop, key);
	if (prop == &SJ_COMPACT_LITERAL || prop->cls == SJ_AC_CHILD)
		return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "the call of %.*s stands where %s", SJ_ARG(name),
		             prop->cls == SJ_AC_CHILD ? "a component is expected" : "only plain data may");
	if (component) { /* or unknown altogether: the look-up says so */
		const struct sj_a2ui_component *type;
		const struct sj_catalog *from;
		enum sj_status st = sj_format_component(l->f, name, l->fixed, &from, &type, l->p->diag);
		sj_lower_place(l, n);
		return st != SJ_OK
		               ? st
		               : SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION,
		                                "the component %.*s stands where a value is expected", SJ_ARG(name));
	}
	l->p->calls_in_plain = l->p->calls_in_plain || prop->cls == SJ_AC_PLAIN;
	return begin_frame(l, n, SJ_F_CALL, prop, key);
}

/* Calls itself at most through one variable and one list made around a value, never with the depth of the input.
 * Takes up one tree: a value is delivered at once, or a frame is on the stack that will. */
enum sj_status sj_lower_begin(struct sj_lower *l, uint32_t base, uint32_t n, const struct sj_a2ui_prop *prop,
                              struct sj_slice key)
{
	const struct sj_cnode *c = sj_lower_node(l, n);
	struct sj_value v;
	enum sj_status st;
	switch ((enum sj_cnode_kind)c->kind) {
	case SJ_N_PATH:
		return begin_path(l, base, n, prop, key);
	case SJ_N_REF:
		if (prop->cls == SJ_AC_CHILD_LIST) {
			uint32_t var = sj_map_get(&l->names, c->text);
			if (var == SJ_MAP_NONE || l->component[var])
				return listed(l, base, n, prop, key);
		}
		return begin_name(l, base, n, prop, key);
	case SJ_N_CALL:
		return begin_call(l, base, n, prop, key);
	case SJ_N_CHECK:
		if (prop->cls != SJ_AC_CHECKS)
			return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "a check stands where none belongs");
		if (l->stack.count == base || sj_lower_top(l)->kind != SJ_F_ARRAY)
			return listed(l, base, n, prop, key);
		return sj_lower_begin_check(l, n, key);
	case SJ_N_ARRAY:
		return begin_frame(l, n, SJ_F_ARRAY, prop, key);
	case SJ_N_OBJECT:
		return begin_frame(l, n, SJ_F_OBJECT, prop, key);
	case SJ_N_STRING:
		if (prop->cls == SJ_AC_CHILD_LIST)
			return listed(l, base, n, prop, key);
		if (prop->cls == SJ_AC_ACTION)
			return event_of(l, base, n, key);
		if (c->attribute && attribute_value(c, prop, &v))
			return deliver(l, base, key, v);
		break;
	case SJ_N_SKIP:
		return SJ_OK;
	case SJ_N_NUMBER:
	case SJ_N_TRUE:
	case SJ_N_FALSE:
	case SJ_N_NULL:
	default:
		break;
	}
	st = scalar(l, n, &v);
	return st == SJ_OK ? deliver(l, base, key, v) : st;
}

/* ---- the loop ---------------------------------------------------------------------------------------------------- */

static enum sj_status template_argument(struct sj_lower *l, uint32_t base, uint32_t n)
{
	struct sj_lower_frame *f = sj_lower_top(l);
	const struct sj_cnode *c = sj_lower_node(l, n);
	bool row = c->element || (c->key.ptr ? sj_slice_is(c->key, "component") || sj_slice_is(c->key, "componentId")
	                                     : f->seen++ == 1);
	bool path = !row && (c->key.ptr ? sj_slice_is(c->key, "path") : f->seen == 1);
	if (row && sj_value_get(&f->acc, SJ_LIT("componentId")))
		return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "a template takes one component");
	if (row)
		return sj_lower_begin(l, base, n, &SJ_COMPACT_CHILD, SJ_LIT("componentId"));
	if (!path || (c->kind != SJ_N_PATH && c->kind != SJ_N_STRING))
		return SJ_LOWER_FAULT(l, n, SJ_CAT_PARSE, "_template takes a path and a component");
	return deliver_text(l, base, SJ_LIT("path"), c->text);
}

static enum sj_status event_argument(struct sj_lower *l, uint32_t base, uint32_t n)
{
	static const char *const members[] = {"name", "context", "userMessage"};
	struct sj_lower_frame *f = sj_lower_top(l);
	const struct sj_cnode *c = sj_lower_node(l, n);
	if (!c->key.ptr && f->seen >= 3)
		return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "Event takes a name, a context and a userMessage");
	struct sj_slice name = c->key.ptr ? c->key : sj_slice_of(members[f->seen++]);
	if (c->kind == SJ_N_SKIP)
		return SJ_OK;
	return sj_lower_begin(l, base, n, &SJ_COMPACT_ANY, name);
}

static enum sj_status finish(struct sj_lower *l, struct sj_lower_frame *f, struct sj_value *out)
{
	enum sj_status st = SJ_OK;
	switch (f->kind) {
	case SJ_F_COMPONENT:
		return finish_component(l, f);
	case SJ_F_CALL:
		st = sj_lower_call_object(l, f, out);
		if (st == SJ_OK && f->action) {
			struct sj_value call = *out;
			st = sj_lower_wrap(l->mem, SJ_LIT("functionCall"), call, out);
		}
		return st;
	case SJ_F_CHECK:
		return sj_lower_finish_check(l, f, out);
	case SJ_F_TEMPLATE:
		if (!sj_value_get(&f->acc, SJ_LIT("path")) || !sj_value_get(&f->acc, SJ_LIT("componentId")))
			return SJ_LOWER_FAULT(l, f->node, SJ_CAT_PARSE, "_template takes a path and a component");
		break;
	case SJ_F_EVENT:
		if (!sj_value_get(&f->acc, SJ_LIT("name")))
			return SJ_LOWER_FAULT(l, f->node, SJ_CAT_PARSE, "Event takes a name");
		st = sj_lower_wrap(l->mem, SJ_LIT("event"), f->acc, out);
		f->acc = SJ_ABSENT_VALUE;
		return st;
	case SJ_F_ARRAY:
	case SJ_F_OBJECT:
	default:
		break;
	}
	*out = f->acc;
	f->acc = SJ_ABSENT_VALUE;
	return SJ_OK;
}

static enum sj_status member(struct sj_lower *l, uint32_t base, uint32_t n)
{
	struct sj_lower_frame *f = sj_lower_top(l);
	const struct sj_cnode *c = sj_lower_node(l, n);
	if (c->kind == SJ_N_SKIP)
		return SJ_OK;
	if (f->kind == SJ_F_ARRAY)
		return sj_lower_begin(l, base, n, sj_compact_item(f->prop), SJ_NO_SLICE);
	if (sj_value_get(&f->acc, c->key))
		return SJ_LOWER_FAULT(l, n, SJ_CAT_VALIDATION, "the key '%.*s' is given twice", SJ_ARG(c->key));
	return sj_lower_begin(l, base, n, sj_compact_member(f->prop, c->key), c->key);
}

static enum sj_status argument(struct sj_lower *l, uint32_t base, uint32_t n)
{
	switch (sj_lower_top(l)->kind) {
	case SJ_F_COMPONENT:
		return component_argument(l, base, n);
	case SJ_F_CHECK:
		if (sj_lower_top(l)->name.len == 0)
			return sj_lower_begin(l, base, n, &SJ_COMPACT_ANY, SJ_LIT("condition"));
		return sj_lower_call_argument(l, base, n);
	case SJ_F_CALL:
		return sj_lower_call_argument(l, base, n);
	case SJ_F_TEMPLATE:
		return template_argument(l, base, n);
	case SJ_F_EVENT:
		return event_argument(l, base, n);
	case SJ_F_ARRAY:
	case SJ_F_OBJECT:
	default:
		return member(l, base, n);
	}
}

/* Builds until nothing is left on the stack; after a fault takes down what is. */
static enum sj_status run(struct sj_lower *l, enum sj_status st)
{
	const uint32_t base = 0;
	while (st == SJ_OK && l->stack.count > base) {
		struct sj_lower_frame *f = sj_lower_top(l);
		if (f->at < sj_lower_node(l, f->node)->end) {
			uint32_t n = f->at;
			f->at = sj_lower_node(l, n)->end;
			st = argument(l, base, n);
			continue;
		}
		if (f->kind == SJ_F_COMPONENT && !f->second) {
			f->second = true;
			f->at = f->node + 1;
			f->seen = 0;
			continue;
		}
		struct sj_value v = SJ_ABSENT_VALUE;
		st = finish(l, f, &v);
		if (st != SJ_OK)
			break;
		struct sj_lower_frame done = *f;
		l->stack.count--;
		sj_value_unref(l->mem, done.acc);
		if (done.var)
			l->busy[done.var - 1] = 0;
		if (done.kind != SJ_F_COMPONENT)
			st = deliver(l, base, done.key, v);
	}
	while (l->stack.count > base) {
		struct sj_lower_frame *f = sj_lower_top(l);
		sj_value_unref(l->mem, f->acc);
		if (f->var)
			l->busy[f->var - 1] = 0;
		l->stack.count--;
	}
	return st;
}

enum sj_status sj_lower_component(struct sj_lower *l, uint32_t s)
{
	const struct sj_cstmt *stmt = &l->p->stmts.items[s];
	return run(l, begin_component(l, stmt->node, stmt->name));
}

static enum sj_status value(struct sj_lower *l, uint32_t node, const struct sj_a2ui_prop *prop, bool call,
                            struct sj_value *out)
{
	sj_value_unref(l->mem, l->result);
	l->result = SJ_ABSENT_VALUE;
	enum sj_status st = run(l, call ? begin_frame(l, node, SJ_F_CALL, prop, SJ_NO_SLICE)
	                                : sj_lower_begin(l, 0, node, prop, SJ_NO_SLICE));
	if (st == SJ_OK) {
		*out = l->result;
		l->result = SJ_ABSENT_VALUE;
	}
	return st;
}

enum sj_status sj_lower_value(struct sj_lower *l, uint32_t node, const struct sj_a2ui_prop *prop,
                              struct sj_value *out)
{
	return value(l, node, prop, false, out);
}

enum sj_status sj_lower_call(struct sj_lower *l, uint32_t node, struct sj_value *out)
{
	l->alone = true;
	enum sj_status st = sj_lower_word(l, node, "functionCallId", &l->call_id);
	if (st == SJ_OK)
		st = value(l, node, &SJ_COMPACT_ANY, true, out);
	l->alone = false;
	return st;
}

void sj_lower_finish(struct sj_lower *l)
{
	SJ_VEC_FREE(l->mem, &l->stack);
	sj_value_unref(l->mem, l->components);
	sj_value_unref(l->mem, l->result);
	l->components = l->result = SJ_ABSENT_VALUE;
}
