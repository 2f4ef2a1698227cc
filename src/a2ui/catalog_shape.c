/* From schemas to shapes: what the fast walk can be certain of. */
#include "a2ui/catalog_internal.h"

enum { MAX_SHAPE_DEPTH = 10, MAX_ALTERNATIVES = 8 };

static const struct sj_shape any_shape = {.kind = SJ_SH_ANY};

#define W(word) {word, sizeof(word) - 1}

bool sj_cat_is_assertion(struct sj_slice keyword)
{
	/* Every keyword of every schema of a catalog is looked up here, so lengths are compared before texts. */
	static const struct sj_slice words[] = {
		W("type"), W("enum"), W("const"), W("multipleOf"), W("maximum"), W("exclusiveMaximum"),
		W("minimum"), W("exclusiveMinimum"), W("maxLength"), W("minLength"), W("pattern"),
		W("maxItems"), W("minItems"), W("uniqueItems"), W("maxContains"), W("minContains"),
		W("maxProperties"), W("minProperties"), W("required"), W("dependentRequired"), W("allOf"),
		W("anyOf"), W("oneOf"), W("not"), W("if"), W("then"), W("else"), W("dependentSchemas"),
		W("dependencies"), W("prefixItems"), W("items"), W("contains"), W("properties"),
		W("patternProperties"), W("additionalProperties"), W("propertyNames"), W("unevaluatedItems"),
		W("unevaluatedProperties"), W("$ref"), W("$dynamicRef"), W("$recursiveRef"), W("$id"),
		W("format"),
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (words[i].len == keyword.len && memcmp(words[i].ptr, keyword.ptr, keyword.len) == 0)
			return true;
	return false;
}

/* The keywords of one schema object that this file looks at. */
struct keywords {
	struct sj_cat_node type, list, konst, minimum, min_items, items, all_of, any_of, one_of, ref;
	uint32_t assertions; /* how many keywords can refuse */
	bool objectish, other;
};

static void read_keywords(struct sj_cat_node n, struct keywords *k)
{
	*k = (struct keywords){0};
	const struct { const char *word; struct sj_cat_node *at;
	} known[] = {
		{"type", &k->type},          {"enum", &k->list},   {"const", &k->konst},  {"minimum", &k->minimum},
		{"minItems", &k->min_items}, {"items", &k->items}, {"allOf", &k->all_of}, {"anyOf", &k->any_of},
		{"oneOf", &k->one_of},       {"$ref", &k->ref},
	};
	static const char *const object_words[] = {"properties", "required", "additionalProperties",
	                                           "unevaluatedProperties"};
	for (uint32_t at = sj_tape_first(n.t, n.cell); at < n.t->cells[n.cell].end;) {
		struct sj_slice word = sj_tape_raw(n.t, at);
		uint32_t value = sj_tape_next(n.t, at);
		bool escaped = n.t->cells[at].flags & SJ_CELL_ESCAPED, found = false;
		at = sj_tape_next(n.t, value);
		if (!escaped && !sj_cat_is_assertion(word))
			continue;
		k->assertions++;
		for (size_t i = 0; i < sizeof known / sizeof *known && !found; i++)
			if (sj_slice_is(word, known[i].word)) {
				*known[i].at = (struct sj_cat_node){n.t, value};
				found = true;
			}
		for (size_t i = 0; i < sizeof object_words / sizeof *object_words && !found; i++)
			if (sj_slice_is(word, object_words[i]))
				k->objectish = found = true;
		k->other = k->other || escaped || !found;
	}
}

static enum sj_status shape_of(struct sj_catalog *c, struct sj_cat_node schema, uint32_t depth, struct sj_shape *out);

static enum sj_status words_of(struct sj_catalog *c, struct sj_cat_node list, struct sj_shape *out)
{
	if (!sj_cat_is(list, SJ_J_ARRAY))
		return SJ_OK;
	uint32_t n = list.t->cells[list.cell].len, i = 0;
	struct sj_slice *words = sj_arena_alloc(&c->arena, (n + 1) * sizeof *words);
	if (!words)
		return SJ_NOMEM;
	for (uint32_t at = sj_tape_first(list.t, list.cell); at < list.t->cells[list.cell].end;
	     at = sj_tape_next(list.t, at)) {
		if (sj_tape_type(list.t, at) != SJ_J_STRING)
			return SJ_OK;
		words[i] = sj_cat_text(c, (struct sj_cat_node){list.t, at});
		if (!words[i++].ptr)
			return SJ_NOMEM;
	}
	*out = (struct sj_shape){.kind = SJ_SH_WORDS, .n = n, .u.words = words};
	return SJ_OK;
}

static enum sj_status alternatives(struct sj_catalog *c, struct sj_cat_node list, enum sj_shape_kind kind,
                                   uint32_t depth, struct sj_shape *out)
{
	if (!sj_cat_is(list, SJ_J_ARRAY) || list.t->cells[list.cell].len > MAX_ALTERNATIVES)
		return SJ_OK;
	uint32_t n = list.t->cells[list.cell].len, i = 0;
	struct sj_shape *shapes = sj_arena_zalloc(&c->arena, (n + 1) * sizeof *shapes);
	if (!shapes)
		return SJ_NOMEM;
	enum sj_status st = SJ_OK;
	for (uint32_t at = sj_tape_first(list.t, list.cell); at < list.t->cells[list.cell].end && st == SJ_OK;
	     at = sj_tape_next(list.t, at))
		st = shape_of(c, (struct sj_cat_node){list.t, at}, depth + 1, &shapes[i++]);
	if (st == SJ_OK)
		*out = (struct sj_shape){.kind = (uint8_t)kind, .n = n, .u.shapes = shapes};
	return st;
}

static uint64_t bit_of(const struct sj_cat_props *props, const struct sj_tape *t, uint32_t name)
{
	for (uint32_t i = 0; i < props->count; i++)
		if (sj_tape_type(t, name) == SJ_J_STRING && sj_tape_string_is(t, name, props->items[i].name))
			return (uint64_t)1 << i;
	return 0;
}

/* anyOf: [{required: [a]}, {required: [b]}] as a mask; 0 when it is anything else. */
static uint64_t any_of_mask(const struct sj_cat_props *props, struct sj_cat_node any_of)
{
	uint64_t mask = 0;
	if (!sj_cat_is(any_of, SJ_J_ARRAY))
		return 0;
	for (uint32_t at = sj_tape_first(any_of.t, any_of.cell); at < any_of.t->cells[any_of.cell].end;
	     at = sj_tape_next(any_of.t, at)) {
		struct sj_cat_node branch = {any_of.t, at}, required = sj_cat_get(branch, "required");
		if (!sj_cat_is(branch, SJ_J_OBJECT) || any_of.t->cells[at].len != 1 ||
		    !sj_cat_is(required, SJ_J_ARRAY) || any_of.t->cells[required.cell].len != 1)
			return 0;
		uint64_t bit = bit_of(props, any_of.t, sj_tape_first(any_of.t, required.cell));
		if (!bit)
			return 0;
		mask |= bit;
	}
	return mask;
}

/* Narrows a shape by a second schema of the same name, where the outcome is plain. */
static enum sj_status both(struct sj_catalog *c, struct sj_cat_node second, uint32_t depth, struct sj_shape *shape)
{
	struct sj_shape other;
	enum sj_status st = shape_of(c, second, depth + 1, &other);
	if (st != SJ_OK || other.kind == SJ_SH_ANY ||
	    (other.kind == SJ_SH_STRING && (shape->kind == SJ_SH_STRING || shape->kind == SJ_SH_WORDS)))
		return st;
	if (shape->kind == SJ_SH_ANY || (shape->kind == SJ_SH_STRING && other.kind == SJ_SH_WORDS))
		*shape = other;
	else
		shape->kind = SJ_SH_SLOW;
	return st;
}

/* Rows of a table from collected properties. */
static enum sj_status table_of(struct sj_catalog *c, const struct sj_cat_props *props, uint32_t depth,
                               struct sj_shape_table **out)
{
	*out = NULL;
	if (props->count > 64 || props->partial)
		return SJ_OK;
	struct sj_shape_table *table = sj_arena_zalloc(&c->arena, sizeof *table);
	struct sj_slice *names = sj_arena_zalloc(&c->arena, (props->count + 1) * sizeof *names);
	struct sj_shape *shapes = sj_arena_zalloc(&c->arena, (props->count + 1) * sizeof *shapes);
	if (!table || !names || !shapes)
		return SJ_NOMEM;
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; i < props->count && st == SJ_OK; i++) {
		const struct sj_cat_prop *p = &props->items[i];
		names[i] = p->name;
		if (p->again < 2)
			st = shape_of(c, p->schema, depth + 1, &shapes[i]);
		if (p->again == 1 && st == SJ_OK)
			st = both(c, p->second, depth, &shapes[i]);
		if (p->required)
			table->required |= (uint64_t)1 << i;
	}
	if (st != SJ_OK)
		return st;
	table->names = names;
	table->shapes = shapes;
	table->n = props->count;
	st = sj_cat_names_build(&c->arena, &table->index, names, sizeof *names, table->n);
	*out = st == SJ_OK ? table : NULL;
	return st;
}

static enum sj_status object_of(struct sj_catalog *c, struct sj_cat_node schema, const struct keywords *k,
                                uint32_t depth, struct sj_shape *out)
{
	struct sj_cat_props props;
	struct sj_shape_table *table = NULL;
	enum sj_status st = sj_cat_collect(c, schema, &props);
	if (st != SJ_OK)
		return st;
	uint64_t any_of = any_of_mask(&props, k->any_of);
	struct sj_cat_node rest = sj_cat_get(schema, "additionalProperties");
	if (!k->any_of.t || any_of)
		st = table_of(c, &props, depth, &table);
	if (table && st == SJ_OK) {
		table->any_of = any_of;
		if (sj_cat_is(rest, SJ_J_OBJECT)) {
			struct sj_shape *shape = sj_arena_zalloc(&c->arena, sizeof *shape);
			st = shape ? shape_of(c, rest, depth + 1, shape) : SJ_NOMEM;
			table->rest = shape;
		} else if (!props.closed) {
			table->rest = &any_shape;
		}
		*out = (struct sj_shape){.kind = SJ_SH_OBJECT, .typed = k->type.t != NULL, .u.table = table};
	}
	sj_cat_props_free(c, &props);
	return st;
}

static enum sj_status common_shape(struct sj_catalog *c, struct sj_cat_node def, struct sj_slice name, uint32_t depth,
                                   struct sj_shape *out)
{
	enum sj_a2ui_class cls;
	enum sj_dynamic_type dyn;
	if (sj_slice_is(name, "FunctionCall") || sj_slice_is(name, "DataBinding")) {
		*out = (struct sj_shape){.kind = sj_slice_is(name, "FunctionCall") ? SJ_SH_CALL : SJ_SH_BINDING};
		return SJ_OK;
	}
	if (sj_data_common_class(c->rules, name, &cls, &dyn) && cls == SJ_AC_DYNAMIC) {
		*out = (struct sj_shape){.kind = SJ_SH_DYNAMIC, .dyn = (uint8_t)dyn};
		return SJ_OK;
	}
	for (uint32_t i = 0; i < c->nmemos; i++)
		if (c->memos[i].cell == def.cell) {
			*out = c->memos[i].shape;
			return SJ_OK;
		}
	enum sj_status st = shape_of(c, def, depth + 1, out);
	if (st == SJ_OK && c->nmemos < SJ_CAT_MEMOS && depth < MAX_SHAPE_DEPTH / 2)
		c->memos[c->nmemos++] = (struct sj_cat_memo){def.cell, *out};
	return st;
}

static enum sj_status shape_of(struct sj_catalog *c, struct sj_cat_node schema, uint32_t depth, struct sj_shape *out)
{
	*out = (struct sj_shape){.kind = SJ_SH_SLOW};
	if (depth > MAX_SHAPE_DEPTH || ++c->shape_steps > sj_cat_budget(c))
		return SJ_OK;
	if (sj_cat_is(schema, SJ_J_TRUE))
		*out = any_shape;
	if (!sj_cat_is(schema, SJ_J_OBJECT))
		return SJ_OK;
	struct keywords k;
	read_keywords(schema, &k);
	if (k.assertions == 0)
		*out = any_shape;
	if (k.assertions == 0 || k.other)
		return SJ_OK;
	if (k.ref.t && k.assertions == 1) {
		struct sj_cat_node to;
		struct sj_slice name;
		if (!sj_cat_is(k.ref, SJ_J_STRING) ||
		    sj_cat_resolve(c, schema, sj_cat_text(c, k.ref), &to, &name) != SJ_OK)
			return SJ_OK;
		return name.len > 0 ? common_shape(c, to, name, depth, out) : shape_of(c, to, depth + 1, out);
	}
	if (k.assertions == 1 && k.one_of.t)
		return alternatives(c, k.one_of, SJ_SH_ONE_OF, depth, out);
	if (k.assertions == 1 && k.any_of.t)
		return alternatives(c, k.any_of, SJ_SH_ANY_OF, depth, out);
	if (k.assertions == 1 && k.list.t)
		return words_of(c, k.list, out);
	if (k.assertions == 1 && k.konst.t) {
		struct sj_slice *word = sj_arena_alloc(&c->arena, sizeof *word);
		if (!word)
			return SJ_NOMEM;
		*word = sj_cat_text(c, k.konst);
		if (sj_cat_is(k.konst, SJ_J_STRING))
			*out = (struct sj_shape){.kind = SJ_SH_WORDS, .n = 1, .u.words = word};
		return SJ_OK;
	}
	bool has_type = sj_cat_is(k.type, SJ_J_STRING);
	struct sj_slice type = has_type ? sj_tape_raw(k.type.t, k.type.cell) : SJ_NO_SLICE;
	bool object = sj_slice_is(type, "object") || (!k.type.t && (k.objectish || k.all_of.t));
	if (object && !k.list.t && !k.konst.t && !k.minimum.t && !k.min_items.t && !k.items.t && !k.one_of.t)
		return object_of(c, schema, &k, depth, out);
	if (!has_type || k.objectish || k.all_of.t || k.any_of.t || k.one_of.t || k.ref.t || k.konst.t)
		return SJ_OK;
	if (sj_slice_is(type, "string") && k.list.t && k.assertions == 2)
		return words_of(c, k.list, out);
	if (sj_slice_is(type, "array") && k.assertions == 1u + (k.items.t != NULL) + (k.min_items.t != NULL)) {
		struct sj_shape *item = sj_arena_zalloc(&c->arena, sizeof *item);
		if (!item)
			return SJ_NOMEM;
		*item = any_shape;
		*out = (struct sj_shape){.kind = SJ_SH_ARRAY, .u.shapes = item, .has_min = k.min_items.t != NULL};
		out->min = out->has_min ? sj_tape_number(k.min_items.t, k.min_items.cell) : 0;
		return k.items.t ? shape_of(c, k.items, depth + 1, item) : SJ_OK;
	}
	bool number = sj_slice_is(type, "number"), integer = sj_slice_is(type, "integer");
	if ((number || integer) && k.assertions == 1u + (k.minimum.t != NULL)) {
		*out = (struct sj_shape){.kind = number ? SJ_SH_NUMBER : SJ_SH_INTEGER, .has_min = k.minimum.t != NULL};
		out->min = out->has_min ? sj_tape_number(k.minimum.t, k.minimum.cell) : 0;
	} else if (k.assertions == 1) {
		out->kind = sj_slice_is(type, "string")    ? SJ_SH_STRING
		            : sj_slice_is(type, "boolean") ? SJ_SH_BOOL
		                                           : SJ_SH_SLOW;
	}
	return SJ_OK;
}

/* ComponentCommon of v1.0 stands beside the catalog's definition: its members join the table. */
static enum sj_status join_common(struct sj_catalog *c, struct sj_cat_props *all)
{
	struct sj_cat_node common;
	struct sj_slice name;
	enum sj_status st = sj_cat_resolve(c, (struct sj_cat_node){&c->common, 0}, SJ_LIT("#/$defs/ComponentCommon"),
	                                   &common, &name);
	return st == SJ_OK ? sj_cat_collect_more(c, common, all) : SJ_OK;
}

/* The envelope asks for the type's own name, whether or not the definition does. */
static enum sj_status add_type_name(struct sj_catalog *c, const struct sj_cat_component *comp,
                                    struct sj_shape_table *table)
{
	uint32_t at = sj_cat_names_find(&table->index, table->names, sizeof *table->names, SJ_LIT("component"));
	if (at != UINT32_MAX || table->n >= 64)
		return SJ_OK;
	struct sj_slice *names = sj_arena_alloc(&c->arena, (table->n + 1) * sizeof *names);
	struct sj_shape *shapes = sj_arena_alloc(&c->arena, (table->n + 1) * sizeof *shapes);
	if (!names || !shapes)
		return SJ_NOMEM;
	if (table->n > 0) {
		memcpy(names, table->names, table->n * sizeof *names);
		memcpy(shapes, table->shapes, table->n * sizeof *shapes);
	}
	names[table->n] = SJ_LIT("component");
	shapes[table->n++] = (struct sj_shape){.kind = SJ_SH_WORDS, .n = 1, .u.words = &comp->pub.name};
	table->names = names;
	table->shapes = shapes;
	return sj_cat_names_build(&c->arena, &table->index, names, sizeof *names, table->n);
}

enum sj_status sj_cat_component_shape(struct sj_catalog *c, struct sj_cat_component *comp)
{
	comp->shape = (struct sj_shape){.kind = SJ_SH_SLOW};
	if (c->rules < SJ_V09 || comp->pub.open)
		return SJ_OK;
	struct sj_cat_props all;
	struct sj_shape_table *table = NULL;
	enum sj_status st = sj_cat_collect(c, comp->def, &all);
	if (st != SJ_OK)
		return st;
	bool closed = all.closed || c->rules >= SJ_V10;
	struct keywords k = {0};
	if (sj_cat_is(comp->def, SJ_J_OBJECT))
		read_keywords(comp->def, &k);
	if (c->rules >= SJ_V10)
		st = join_common(c, &all);
	bool simple = !k.other && !k.any_of.t && !k.one_of.t && !k.list.t && !k.konst.t && !k.items.t && !k.minimum.t &&
	              !k.min_items.t;
	if (st == SJ_OK && simple && !(k.type.t && !sj_slice_is(sj_tape_raw(k.type.t, k.type.cell), "object")))
		st = table_of(c, &all, 0, &table);
	if (st == SJ_OK && table && c->rules >= SJ_V10)
		st = add_type_name(c, comp, table);
	if (st == SJ_OK && table) {
		table->rest = closed ? NULL : &any_shape;
		comp->shape = (struct sj_shape){.kind = SJ_SH_OBJECT, .typed = true, .u.table = table};
	}
	sj_cat_props_free(c, &all);
	return st;
}

enum sj_status sj_cat_function_shape(struct sj_catalog *c, struct sj_cat_function *f)
{
	f->args_shape = (struct sj_shape){.kind = SJ_SH_SLOW};
	if (f->params.t || c->rules < SJ_V09)
		return SJ_OK;
	if (f->args.t)
		return shape_of(c, f->args, 0, &f->args_shape);
	if (!f->is_call_schema)
		f->args_shape = any_shape;
	return SJ_OK;
}
