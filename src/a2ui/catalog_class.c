/* From schemas to classes: what a property of a component is to the driver. Told from references, never from names. */
#include "a2ui/catalog_internal.h"

enum { MAX_SUB_DEPTH = 6, MAX_REF_DEPTH = 24 };

struct verdict {
	enum sj_a2ui_class cls;
	enum sj_dynamic_type dyn;
	const struct sj_a2ui_prop *sub;
	uint32_t nsub;
};

struct classer {
	struct sj_catalog *c;
	enum sj_ui_kind kind;
	uint32_t subs; /* nested levels of properties under way */
	enum sj_status status;
};

static struct verdict classify(struct classer *k, struct sj_cat_node schema, uint32_t depth);

/* The stronger of two readings of one value. */
static unsigned strength(enum sj_a2ui_class cls)
{
	static const unsigned char order[] = {
		[SJ_AC_PLAIN] = 0,         [SJ_AC_OBJECT] = 1, [SJ_AC_ARRAY] = 2,  [SJ_AC_DYNAMIC] = 3,
		[SJ_AC_ACCESSIBILITY] = 4, [SJ_AC_CHECKS] = 5, [SJ_AC_ACTION] = 6, [SJ_AC_CHILD] = 7,
		[SJ_AC_CHILD_LIST] = 8,    [SJ_AC_COMMON] = 9,
	};
	return order[cls];
}

static enum sj_dynamic_type literal_type(struct sj_catalog *c, struct sj_cat_node schema)
{
	struct sj_cat_node type = sj_cat_get(schema, "type");
	for (int hops = 0; hops < 4 && !type.t; hops++) { /* "weight" is a reference in some catalogs */
		struct sj_cat_node ref = sj_cat_get(schema, "$ref"), to;
		struct sj_slice common;
		if (!sj_cat_is(ref, SJ_J_STRING) ||
		    sj_cat_resolve(c, schema, sj_cat_text(c, ref), &to, &common) != SJ_OK)
			break;
		schema = to;
		type = sj_cat_get(schema, "type");
	}
	if (!sj_cat_is(type, SJ_J_STRING))
		return SJ_DYN_ANY;
	struct sj_slice word = sj_tape_raw(type.t, type.cell);
	return sj_slice_is(word, "string")                                   ? SJ_DYN_STRING
	       : sj_slice_is(word, "number") || sj_slice_is(word, "integer") ? SJ_DYN_NUMBER
	       : sj_slice_is(word, "boolean")                                ? SJ_DYN_BOOLEAN
	       : sj_slice_is(word, "array")                                  ? SJ_DYN_STRING_LIST
	                                                                     : SJ_DYN_ANY;
}

static bool ends_with(struct sj_slice text, struct sj_slice end)
{
	return text.len >= end.len && memcmp(text.ptr + text.len - end.len, end.ptr, end.len) == 0;
}

/* v0.8 has no word for "the id of a component": a plain text under one of these names is one, and a plain list under
 * `children` is a list of them. */
static void read_v08_name(struct sj_slice name, struct sj_cat_node schema, struct verdict *v)
{
	struct sj_cat_node type = sj_cat_get(schema, "type");
	if (v->cls != SJ_AC_PLAIN || !sj_cat_is(type, SJ_J_STRING) || sj_cat_get(schema, "enum").t)
		return;
	struct sj_slice word = sj_tape_raw(type.t, type.cell);
	if (sj_slice_is(word, "string") && (sj_slice_is(name, "child") || ends_with(name, SJ_LIT("Child")) ||
	                                    ends_with(name, SJ_LIT("ComponentId"))))
		v->cls = SJ_AC_CHILD;
	else if (sj_slice_is(word, "array") && sj_slice_is(name, "children"))
		v->cls = SJ_AC_CHILD_LIST;
}

/* Properties of an object schema as rows. */
static void sub_props(struct classer *k, struct sj_cat_node schema, uint32_t depth, struct verdict *out, bool *classy)
{
	*classy = false;
	struct sj_cat_props props;
	k->status = sj_cat_collect(k->c, schema, &props);
	if (k->status != SJ_OK)
		return;
	struct sj_cat_node rest = sj_cat_get(schema, "additionalProperties");
	bool has_rest = sj_cat_is(rest, SJ_J_OBJECT);
	uint32_t n = props.count + has_rest;
	struct sj_a2ui_prop *rows = n ? sj_arena_zalloc(&k->c->arena, n * sizeof *rows) : NULL;
	if (n && !rows)
		k->status = SJ_NOMEM;
	k->subs++;
	for (uint32_t i = 0; i < n && k->status == SJ_OK; i++) {
		struct sj_cat_node node = i < props.count ? props.items[i].schema : rest;
		struct verdict v = classify(k, node, depth + 1);
		if (k->c->rules == SJ_V08 && i < props.count)
			read_v08_name(props.items[i].name, node, &v);
		rows[i] = (struct sj_a2ui_prop){.cls = v.cls, .dyn = v.dyn, .sub = v.sub, .nsub = v.nsub};
		if (i < props.count) {
			rows[i].name = props.items[i].name;
			rows[i].required = props.items[i].required;
			rows[i].ui = sj_cat_meaning(k->kind, rows[i].name, v.cls);
		}
		*classy = *classy || v.cls != SJ_AC_PLAIN;
	}
	k->subs--;
	sj_cat_props_free(k->c, &props);
	out->sub = rows;
	out->nsub = n;
}

static struct verdict of_array(struct classer *k, struct sj_cat_node items, uint32_t depth)
{
	struct verdict v = {.cls = SJ_AC_PLAIN}, item = classify(k, items, depth + 1);
	switch (item.cls) {
	case SJ_AC_PLAIN:
		return v;
	case SJ_AC_CHILD:
		v.cls = SJ_AC_CHILD_LIST;
		return v;
	case SJ_AC_OBJECT:
		v = item;
		v.cls = SJ_AC_ARRAY;
		return v;
	case SJ_AC_DYNAMIC:
	case SJ_AC_CHILD_LIST:
	case SJ_AC_ACTION:
	case SJ_AC_CHECKS:
	case SJ_AC_ACCESSIBILITY:
	case SJ_AC_ARRAY:
	case SJ_AC_COMMON:
		break;
	}
	struct sj_a2ui_prop *row = sj_arena_zalloc(&k->c->arena, sizeof *row);
	if (!row) {
		k->status = SJ_NOMEM;
		return v;
	}
	*row = (struct sj_a2ui_prop){.cls = item.cls, .dyn = item.dyn, .sub = item.sub, .nsub = item.nsub};
	return (struct verdict){.cls = SJ_AC_ARRAY, .sub = row, .nsub = 1};
}

/* {explicitList, template}: how v0.8 writes children. */
static bool is_v08_children(struct sj_cat_node schema)
{
	struct sj_cat_node props = sj_cat_get(schema, "properties");
	return sj_cat_get(props, "explicitList").t || sj_cat_get(sj_cat_get(props, "template"), "properties").t;
}

/* {literalString, path} and its kin: how v0.8 writes values. */
static bool is_v08_value(struct sj_cat_node schema)
{
	static const char *const names[] = {"literalString", "literalNumber", "literalBoolean", "literalArray"};
	struct sj_cat_node props = sj_cat_get(schema, "properties");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (sj_cat_get(props, names[i]).t)
			return true;
	return false;
}

/* {name, context: [{key, value}]}: how v0.8 writes actions. */
static bool is_v08_action(struct sj_cat_node schema)
{
	struct sj_cat_node props = sj_cat_get(schema, "properties"), context = sj_cat_get(props, "context");
	struct sj_cat_node entry = sj_cat_get(sj_cat_get(context, "items"), "properties");
	return sj_cat_get(props, "name").t && sj_cat_get(entry, "key").t && sj_cat_get(entry, "value").t;
}

static void merge(struct verdict *v, struct verdict more, bool alternatives)
{
	bool typed = alternatives && v->cls == SJ_AC_PLAIN && more.cls == SJ_AC_DYNAMIC && more.dyn == SJ_DYN_ANY;
	enum sj_dynamic_type literal = v->dyn;
	const struct sj_a2ui_prop *sub = v->sub;
	uint32_t nsub = v->nsub;
	if (v->cls == SJ_AC_DYNAMIC && more.cls == SJ_AC_OBJECT) {
		v->sub = more.sub; /* a literal object beside a binding: its own members may be dynamic too */
		v->nsub = more.nsub;
		return;
	}
	if (strength(more.cls) <= strength(v->cls))
		return;
	bool object = v->cls == SJ_AC_OBJECT;
	*v = more;
	if (typed || (alternatives && v->cls == SJ_AC_OBJECT))
		v->dyn = literal;
	if (object && v->cls == SJ_AC_DYNAMIC) {
		v->sub = sub;
		v->nsub = nsub;
		v->dyn = literal;
	}
}

static struct verdict classify(struct classer *k, struct sj_cat_node schema, uint32_t depth)
{
	struct verdict v = {.cls = SJ_AC_PLAIN, .dyn = SJ_DYN_ANY};
	if (k->status != SJ_OK || depth > MAX_REF_DEPTH || k->subs > MAX_SUB_DEPTH ||
	    ++k->c->class_steps > sj_cat_budget(k->c))
		return v;
	bool v10 = k->c->rules >= SJ_V10;
	if (!sj_cat_is(schema, SJ_J_OBJECT)) {
		v.cls = v10 && sj_cat_is(schema, SJ_J_TRUE) ? SJ_AC_DYNAMIC : SJ_AC_PLAIN;
		return v;
	}
	struct sj_cat_node ref = sj_cat_get(schema, "$ref");
	if (sj_cat_is(ref, SJ_J_STRING)) {
		struct sj_cat_node to;
		struct sj_slice common;
		if (sj_cat_resolve(k->c, schema, sj_cat_text(k->c, ref), &to, &common) != SJ_OK)
			return v;
		if (common.len > 0) {
			if (sj_slice_is(common, "CheckRule"))
				v.cls = SJ_AC_CHECKS; /* one rule; an array of them becomes CHECKS below */
			else
				sj_data_common_class(k->c->rules, common, &v.cls, &v.dyn);
			return v;
		}
		merge(&v, classify(k, to, depth + 1), false);
	}
	static const char *const combiners[] = {"allOf", "oneOf", "anyOf"};
	for (size_t i = 0; i < sizeof combiners / sizeof *combiners; i++) {
		struct sj_cat_node list = sj_cat_get(schema, combiners[i]);
		for (uint32_t at = sj_cat_is(list, SJ_J_ARRAY) ? sj_tape_first(list.t, list.cell) : 0;
		     at > 0 && at < list.t->cells[list.cell].end; at = sj_tape_next(list.t, at)) {
			struct verdict more = classify(k, (struct sj_cat_node){list.t, at}, depth + 1);
			merge(&v, more, i > 0);
			if (v.cls == SJ_AC_PLAIN && v.dyn == SJ_DYN_ANY)
				v.dyn = literal_type(k->c, (struct sj_cat_node){list.t, at});
		}
	}
	struct sj_cat_node items = sj_cat_get(schema, "items");
	if (sj_cat_is(items, SJ_J_OBJECT)) {
		struct sj_cat_node item_ref = sj_cat_get(items, "$ref"), to;
		struct sj_slice common = SJ_NO_SLICE;
		if (sj_cat_is(item_ref, SJ_J_STRING))
			sj_cat_resolve(k->c, items, sj_cat_text(k->c, item_ref), &to, &common);
		if (sj_slice_is(common, "CheckRule"))
			merge(&v, (struct verdict){.cls = SJ_AC_CHECKS}, false);
		else
			merge(&v, of_array(k, items, depth), false);
	} else if (is_v08_children(schema)) {
		merge(&v, (struct verdict){.cls = SJ_AC_CHILD_LIST}, false);
	} else if (is_v08_value(schema)) {
		merge(&v, (struct verdict){.cls = SJ_AC_DYNAMIC}, false);
	} else if (k->c->rules == SJ_V08 && is_v08_action(schema)) {
		merge(&v, (struct verdict){.cls = SJ_AC_ACTION}, false);
	} else if (sj_cat_is(sj_cat_get(schema, "properties"), SJ_J_OBJECT) ||
	           sj_cat_is(sj_cat_get(schema, "additionalProperties"), SJ_J_OBJECT)) {
		struct verdict object = {.cls = SJ_AC_OBJECT};
		bool classy;
		sub_props(k, schema, depth, &object, &classy);
		if (classy)
			merge(&v, object, false);
	}
	struct sj_cat_node title = sj_cat_get(schema, "title");
	if (v.cls == SJ_AC_PLAIN && sj_cat_is(title, SJ_J_STRING) &&
	    sj_tape_string_is(title.t, title.cell, SJ_LIT("ComponentId")))
		v.cls = SJ_AC_CHILD; /* how catalogs without references mark theirs */
	struct sj_cat_node type = sj_cat_get(schema, "type");
	bool free_form =
		schema.t->cells[schema.cell].len == 0 ||
		(sj_cat_is(type, SJ_J_STRING) &&
	         (sj_slice_is(sj_tape_raw(type.t, type.cell), "array") ||
	          sj_slice_is(sj_tape_raw(type.t, type.cell), "object")) &&
	         !items.t && !sj_cat_get(schema, "properties").t && !sj_cat_get(schema, "additionalProperties").t);
	if (v10 && v.cls == SJ_AC_PLAIN && free_form)
		v.cls = SJ_AC_DYNAMIC; /* v1.0 resolves bindings and calls inside lists and objects of any shape */
	return v;
}

static struct sj_a2ui_prop common_row(const char *name, enum sj_a2ui_class cls)
{
	return (struct sj_a2ui_prop){.name = sj_slice_of(name), .cls = cls};
}

static const struct sj_a2ui_prop accessibility_members[] = {
	{.name = {"label", 5}, .cls = SJ_AC_DYNAMIC, .dyn = SJ_DYN_STRING, .ui = SJ_P_A11Y_LABEL},
	{.name = {"description", 11}, .cls = SJ_AC_DYNAMIC, .dyn = SJ_DYN_STRING, .ui = SJ_P_A11Y_DESCRIPTION},
	{.name = {"live", 4}, .cls = SJ_AC_PLAIN, .dyn = SJ_DYN_STRING, .ui = SJ_P_A11Y_LIVE},
	{.name = {"hidden", 6}, .cls = SJ_AC_DYNAMIC, .dyn = SJ_DYN_BOOLEAN, .ui = SJ_P_A11Y_HIDDEN},
};

/* Members every component may have, appended unless the catalog names them itself. */
static uint32_t add_common(struct sj_a2ui_prop *rows, uint32_t n, enum sj_version v)
{
	static const struct { const char *name; enum sj_a2ui_class cls; bool v10; } common[] = {
		{"id", SJ_AC_COMMON, false}, {"component", SJ_AC_COMMON, false}, {"catalogId", SJ_AC_COMMON, true},
		{"accessibility", SJ_AC_ACCESSIBILITY, false}, {"metadata", SJ_AC_COMMON, true},
	};
	for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
		uint32_t at = 0;
		while (at < n && !sj_slice_is(rows[at].name, common[i].name))
			at++;
		if (at == n && (v >= SJ_V10 || !common[i].v10))
			rows[n++] = common_row(common[i].name, common[i].cls);
		else if (at < n && common[i].cls == SJ_AC_COMMON && (v >= SJ_V10 || !common[i].v10))
			rows[at].cls = SJ_AC_COMMON;
	}
	for (uint32_t i = 0; i < n; i++)
		if (rows[i].cls == SJ_AC_ACCESSIBILITY) {
			rows[i].sub = accessibility_members;
			rows[i].nsub = v >= SJ_V10 ? 4 : 2;
		}
	return n;
}
enum { COMMON_MAX = 5 };

/* One meaning stands for one property: of several candidates the best name keeps it. Those given by a hint stay. */
static void settle_meanings(struct sj_a2ui_prop *rows, const bool *hinted, uint32_t n, enum sj_ui_kind kind)
{
	for (uint32_t i = 0; i < n; i++) {
		if (rows[i].ui == SJ_P_NONE)
			continue;
		for (uint32_t j = 0; j < n; j++) {
			if (j == i || rows[j].ui != rows[i].ui || hinted[j])
				continue;
			uint32_t a = sj_cat_meaning_rank(kind, rows[i].name, rows[i].cls),
				 b = sj_cat_meaning_rank(kind, rows[j].name, rows[j].cls);
			if (hinted[i] || a < b || (a == b && i < j))
				rows[j].ui = SJ_P_NONE;
		}
	}
}

enum sj_status sj_cat_classify(struct sj_catalog *c, struct sj_cat_component *comp, const struct sj_cat_props *props)
{
	struct classer k = {.c = c, .kind = comp->pub.kind};
	struct sj_a2ui_prop *rows = sj_arena_zalloc(&c->arena, (props->count + COMMON_MAX) * sizeof *rows);
	bool *hinted = sj_arena_zalloc(&c->arena, props->count + COMMON_MAX);
	if (!rows || !hinted)
		return SJ_NOMEM;
	uint32_t n = 0, *row_of = sj_arena_alloc(&c->arena, (props->count + 1) * sizeof *row_of);
	const struct sj_a2ui_prop **positions = sj_arena_alloc(&c->arena, (props->count + 1) * sizeof *positions);
	const uint32_t *order = sj_cat_positions(c, props);
	if (!row_of || !positions || !order)
		return SJ_NOMEM;
	/* The catalog's own first, then what comes from the common types. */
	for (int common = 0; common < 2; common++)
		for (uint32_t i = 0; i < props->count; i++) {
			const struct sj_cat_prop *p = &props->items[i];
			if (p->common != (common == 1))
				continue;
			struct verdict v = classify(&k, p->schema, 0);
			if (c->rules == SJ_V08)
				read_v08_name(p->name, p->schema, &v);
			struct sj_a2ui_prop *row = &rows[n];
			row_of[i] = n;
			*row = (struct sj_a2ui_prop){.name = p->name,
			                             .cls = v.cls,
			                             .dyn = v.dyn,
			                             .sub = v.sub,
			                             .nsub = v.nsub,
			                             .required = p->required};
			if (row->cls == SJ_AC_PLAIN && row->dyn == SJ_DYN_ANY)
				row->dyn = literal_type(c, p->schema);
			row->ui = sj_cat_meaning(comp->pub.kind, p->name, v.cls);
			struct sj_cat_node hint = sj_cat_get(p->schema, "x-shoji-ui");
			if (sj_cat_is(hint, SJ_J_STRING)) {
				row->ui = sj_ui_prop_find(sj_cat_text(c, hint));
				hinted[n] = true;
			}
			n++;
		}
	if (k.status != SJ_OK)
		return k.status;
	n = add_common(rows, n, c->rules);
	for (uint32_t i = 0; i < n; i++)
		if (rows[i].cls == SJ_AC_COMMON)
			rows[i].ui = SJ_P_NONE;
	settle_meanings(rows, hinted, n, comp->pub.kind);
	comp->pub.props = rows;
	comp->pub.nprops = n;
	for (uint32_t i = 0; i < props->count; i++) {
		const struct sj_a2ui_prop *row = &rows[row_of[order[i]]];
		if (!props->items[order[i]].common && row->cls != SJ_AC_COMMON && row->cls != SJ_AC_ACCESSIBILITY)
			positions[comp->pub.npositions++] = row;
	}
	comp->pub.positions = positions;
	return sj_cat_names_build(&c->arena, &comp->index, rows, sizeof *rows, n);
}

/* Properties by their usual names, for types nothing is known about. */
static const struct { const char *name; enum sj_a2ui_class cls; enum sj_dynamic_type dyn;
} usual[] = {
	{"children", SJ_AC_CHILD_LIST, SJ_DYN_ANY}, {"child", SJ_AC_CHILD, SJ_DYN_ANY},
	{"trigger", SJ_AC_CHILD, SJ_DYN_ANY},       {"content", SJ_AC_CHILD, SJ_DYN_ANY},
	{"action", SJ_AC_ACTION, SJ_DYN_ANY},       {"checks", SJ_AC_CHECKS, SJ_DYN_ANY},
	{"tabs", SJ_AC_ARRAY, SJ_DYN_ANY},          {"options", SJ_AC_ARRAY, SJ_DYN_ANY},
	{"text", SJ_AC_DYNAMIC, SJ_DYN_ANY},        {"label", SJ_AC_DYNAMIC, SJ_DYN_ANY},
	{"title", SJ_AC_DYNAMIC, SJ_DYN_ANY},       {"name", SJ_AC_DYNAMIC, SJ_DYN_ANY},
	{"value", SJ_AC_DYNAMIC, SJ_DYN_ANY},       {"url", SJ_AC_DYNAMIC, SJ_DYN_ANY},
	{"description", SJ_AC_DYNAMIC, SJ_DYN_ANY}, {"placeholder", SJ_AC_DYNAMIC, SJ_DYN_ANY},
	{"min", SJ_AC_DYNAMIC, SJ_DYN_ANY},         {"max", SJ_AC_DYNAMIC, SJ_DYN_ANY},
	{"variant", SJ_AC_PLAIN, SJ_DYN_STRING},    {"weight", SJ_AC_PLAIN, SJ_DYN_NUMBER},
};
static const struct { const char *name; enum sj_a2ui_class cls;
} usual_v08[] = {
	{"entryPointChild", SJ_AC_CHILD}, {"contentChild", SJ_AC_CHILD}, {"tabItems", SJ_AC_ARRAY},
};
static const struct sj_a2ui_prop tab_members[] = {
	{.name = {"title", 5}, .cls = SJ_AC_DYNAMIC, .dyn = SJ_DYN_STRING, .ui = SJ_P_LABEL},
	{.name = {"child", 5}, .cls = SJ_AC_CHILD, .ui = SJ_P_CHILD},
};
static const struct sj_a2ui_prop option_members[] = {
	{.name = {"label", 5}, .cls = SJ_AC_DYNAMIC, .dyn = SJ_DYN_STRING, .ui = SJ_P_LABEL},
	{.name = {"value", 5}, .cls = SJ_AC_PLAIN, .dyn = SJ_DYN_STRING, .ui = SJ_P_VALUE},
};

enum sj_status sj_cat_generic(struct sj_catalog *c)
{
	enum { N = sizeof usual / sizeof *usual, V08 = sizeof usual_v08 / sizeof *usual_v08 };
	struct sj_a2ui_prop *rows = sj_arena_zalloc(&c->arena, (N + V08 + COMMON_MAX) * sizeof *rows);
	bool *hinted = sj_arena_zalloc(&c->arena, N + V08 + COMMON_MAX);
	if (!rows || !hinted)
		return SJ_NOMEM;
	for (uint32_t i = 0; i < N; i++) {
		rows[i] = common_row(usual[i].name, usual[i].cls);
		rows[i].dyn = usual[i].dyn;
		rows[i].ui = sj_cat_meaning(SJ_UI_CUSTOM, rows[i].name, rows[i].cls);
		if (rows[i].cls == SJ_AC_ARRAY) {
			bool tabs = sj_slice_is(rows[i].name, "tabs");
			rows[i].sub = tabs ? tab_members : option_members;
			rows[i].nsub = 2;
		}
	}
	uint32_t n = N;
	for (uint32_t i = 0; c->rules == SJ_V08 && i < V08; i++, n++) {
		rows[n] = common_row(usual_v08[i].name, usual_v08[i].cls);
		rows[n].ui = sj_cat_meaning(SJ_UI_CUSTOM, rows[n].name, rows[n].cls);
		if (rows[n].cls == SJ_AC_ARRAY) {
			rows[n].sub = tab_members;
			rows[n].nsub = 2;
		}
	}
	n = add_common(rows, n, c->rules);
	settle_meanings(rows, hinted, n, SJ_UI_CUSTOM);
	c->generic = (struct sj_cat_component){
		.catalog = c, .loose = true, .pub = {.props = rows, .nprops = n, .open = true, .index = UINT32_MAX}};
	c->any_prop = (struct sj_a2ui_prop){.cls = SJ_AC_DYNAMIC, .dyn = SJ_DYN_ANY};
	return sj_cat_names_build(&c->arena, &c->generic.index, rows, sizeof *rows, n);
}
