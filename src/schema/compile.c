#include "schema/compile.h"

#include "json/value.h"

#define TRY SJ_SCHEMA_TRY
#define ROOM SJ_SCHEMA_ROOM
#define ON_ARRAY SJ_SCHEMA_TYPE(SJ_J_ARRAY)
#define ON_OBJECT SJ_SCHEMA_TYPE(SJ_J_OBJECT)
#define ON_ANY SJ_SCHEMA_ANY_TYPE

enum sj_status sj_schema_compile_nomem(struct sj_schema_compiler *c)
{
	return sj_diag_set(c->diag, SJ_NOMEM, SJ_E_NOMEM, SJ_CAT_COMPILE, "out of memory");
}

static const struct sj_tape *tape_of(struct sj_schema_compiler *c, uint32_t doc)
{
	return &c->set->docs.items[doc].tape;
}

enum sj_status sj_schema_compile_text(struct sj_schema_compiler *c, uint32_t doc, uint32_t cell, struct sj_slice *out)
{
	*out = sj_tape_string(tape_of(c, doc), cell, &c->set->arena);
	return out->ptr ? SJ_OK : sj_schema_compile_nomem(c);
}

static enum sj_status symbol(struct sj_schema_compiler *c, struct sj_slice text, uint32_t *out)
{
	return sj_schema_symbol_make(&c->set->symbols, text, out) == SJ_OK ? SJ_OK : sj_schema_compile_nomem(c);
}

enum sj_status sj_schema_compile_symbol(struct sj_schema_compiler *c, const struct sj_schema_source *src, uint32_t cell,
                                        uint32_t *out)
{
	struct sj_slice text;

	TRY(sj_schema_compile_text(c, src->doc, cell, &text));
	return symbol(c, text, out);
}

void sj_schema_compile_place(struct sj_schema_compiler *c, uint32_t doc, uint32_t cell)
{
	struct sj_buf pointer;

	if (c->diag->pointer[0] != '\0')
		return;
	sj_buf_init(&pointer, c->set->mem, 0);
	sj_tape_pointer(tape_of(c, doc), cell, &pointer);
	sj_diag_pointer(c->diag, "%.*s", SJ_ARG(sj_buf_view(&pointer)));
	sj_buf_finish(&pointer);
}

static enum sj_status find(struct sj_schema_compiler *c, uint32_t doc, uint32_t cell, uint32_t resource,
                           struct sj_schema_place *place)
{
	struct sj_slice ref;

	if (sj_tape_type(tape_of(c, doc), cell) != SJ_J_STRING)
		return sj_schema_bad(c->set, doc, cell, c->diag, "a reference must be a string");
	TRY(sj_schema_compile_text(c, doc, cell, &ref));
	bool fresh = c->diag && c->diag->code == SJ_E_NONE;
	enum sj_status status = sj_schema_find(c->set, resource, ref, place, c->diag);
	if (status == SJ_INVALID && fresh)
		sj_schema_compile_place(c, doc, cell);
	return status;
}

/* Looks at a schema object without compiling it: does it start a resource, and is a $ref all it says? */
static void glance(struct sj_schema_compiler *c, uint32_t doc, uint32_t cell, bool *has_id, uint32_t *only_ref)
{
	const struct sj_tape *t = tape_of(c, doc);
	bool more = false;

	*has_id = false;
	*only_ref = 0;
	for (uint32_t key = cell + 1; key < sj_tape_next(t, cell); key = sj_tape_next(t, key + 1)) {
		enum sj_schema_keyword k = sj_schema_keyword_at(&c->set->symbols, t, key);
		if (k == SJ_SCHEMA_KW_ID)
			*has_id = true;
		else if (k == SJ_SCHEMA_KW_REF)
			*only_ref = key + 1;
		else if (k != SJ_SCHEMA_KW_COUNT && k != SJ_SCHEMA_KW_DEFS && k != SJ_SCHEMA_KW_DEFINITIONS)
			more = true;
	}
	if (more || *has_id)
		*only_ref = 0;
}

/* The node of a schema, made and left to be filled when new. `from` is the resource that refers to it: a schema of the
 * same resource that is nothing but a $ref within it is skipped. (Across resources it stays, for $dynamicRef looks at
 * the resources that were passed.) */
static enum sj_status intern(struct sj_schema_compiler *c, struct sj_schema_place at, uint32_t from, uint32_t *out)
{
	struct sj_schema_set *s = c->set;

	for (unsigned hops = 0;; hops++) {
		const struct sj_tape *t = tape_of(c, at.doc);
		enum sj_json_type type = sj_tape_type(t, at.cell);
		bool has_id;
		uint32_t ref;

		if (type == SJ_J_TRUE || type == SJ_J_FALSE) {
			*out = type == SJ_J_TRUE ? SJ_SCHEMA_TRUE : SJ_SCHEMA_FALSE;
			return SJ_OK;
		}
		if (type != SJ_J_OBJECT)
			return sj_schema_bad(s, at.doc, at.cell, c->diag, "a schema must be an object or a boolean");
		glance(c, at.doc, at.cell, &has_id, &ref);
		if (has_id) {
			uint32_t own = sj_schema_resource_at(s, at.doc, at.cell, SJ_SCHEMA_NONE);
			if (own == SJ_SCHEMA_NONE) {
				TRY(sj_schema_scan(s, at.doc, at.cell, at.resource, c->diag));
				own = sj_schema_resource_at(s, at.doc, at.cell, at.resource);
			}
			at.resource = own;
		}
		struct sj_schema_place target;
		if (!ref || at.resource != from)
			break;
		if (hops == 64)
			return sj_schema_bad(s, at.doc, ref, c->diag, "this '$ref' leads back to itself");
		TRY(find(c, at.doc, ref, at.resource, &target));
		if (target.resource != from)
			break;
		at = target;
	}
	uint32_t *known = &s->docs.items[at.doc].node_of[at.cell];
	if (!*known) {
		TRY(ROOM(c, nodes, 1));
		s->nodes.items[s->nodes.count++] = (struct sj_schema_node){
			.types = SJ_SCHEMA_ANY_TYPE, .doc = at.doc, .cell = at.cell, .resource = at.resource};
		s->resources.items[at.resource].used = true;
		*known = s->nodes.count; /* index + 1 */
	}
	*out = *known - 1;
	return SJ_OK;
}

enum sj_status sj_schema_compile_cell(struct sj_schema_compiler *c, const struct sj_schema_source *src, uint32_t cell,
                                      uint32_t *out)
{
	return intern(c, (struct sj_schema_place){src->doc, cell, src->resource, NULL}, src->resource, out);
}

enum sj_status sj_schema_emit(struct sj_schema_compiler *c, const struct sj_schema_source *src,
                              enum sj_schema_op_kind kind, unsigned on, uint32_t cell, uint32_t a, uint32_t b,
                              uint32_t third)
{
	struct sj_schema_node *node = &c->set->nodes.items[src->node];

	if (node->op_count == UINT16_MAX)
		return sj_schema_bad(c->set, src->doc, cell, c->diag, "the schema has too many keywords");
	TRY(ROOM(c, ops, 1));
	c->set->ops.items[c->set->ops.count++] = (struct sj_schema_op){
		.kind = (uint8_t)kind, .on = (uint8_t)on, .cell = cell, .a = a, .b = b, .c = third};
	node->op_count++;
	return SJ_OK;
}

enum sj_status sj_schema_compile_bad(struct sj_schema_compiler *c, const struct sj_schema_source *src, uint32_t cell,
                                     enum sj_schema_keyword k, const char *must)
{
	return sj_schema_bad(c->set, src->doc, cell, c->diag, "'%s' must be %s", sj_schema_keyword_text(k), must);
}

/* The nodes of a list of schemas, at an offset into `kids`. */
enum sj_status sj_schema_compile_list(struct sj_schema_compiler *c, const struct sj_schema_source *src,
                                      enum sj_schema_keyword k, uint32_t *offset, uint32_t *count)
{
	const struct sj_tape *t = src->tape;
	uint32_t cell = src->kw[k], node;

	if (sj_tape_type(t, cell) != SJ_J_ARRAY || t->cells[cell].len == 0)
		return sj_schema_compile_bad(c, src, cell, k, "an array of schemas that is not empty");
	*count = t->cells[cell].len;
	TRY(ROOM(c, kids, *count));
	*offset = c->set->kids.count;
	c->set->kids.count += *count;
	uint32_t at = *offset;
	for (uint32_t i = cell + 1; i < sj_tape_next(t, cell); i = sj_tape_next(t, i)) {
		TRY(sj_schema_compile_cell(c, src, i, &node));
		c->set->kids.items[at++] = node;
	}
	return SJ_OK;
}

static enum sj_status compile_references(struct sj_schema_compiler *c, const struct sj_schema_source *src)
{
	uint32_t ref = src->kw[SJ_SCHEMA_KW_REF], dynamic = src->kw[SJ_SCHEMA_KW_DYNAMIC_REF], node, sym;
	struct sj_schema_set *s = c->set;
	struct sj_schema_place place;

	if (ref) {
		TRY(find(c, src->doc, ref, src->resource, &place));
		TRY(intern(c, place, src->resource, &node));
		TRY(sj_schema_emit(c, src, SJ_SCHEMA_OP_REF, ON_ANY, ref, node, 0, 0));
	}
	if (!dynamic)
		return SJ_OK;
	TRY(find(c, src->doc, dynamic, src->resource, &place));
	bool late = place.anchor && place.anchor->dynamic;
	struct sj_slice name = place.anchor ? place.anchor->name : SJ_NO_SLICE;
	TRY(intern(c, place, src->resource, &node));
	if (!late) /* no $dynamicAnchor where it leads at first: a plain $ref */
		return sj_schema_emit(c, src, SJ_SCHEMA_OP_REF, ON_ANY, dynamic, node, 0, 0);
	TRY(symbol(c, name, &sym));
	bool known = false;
	for (uint32_t i = 0; i < s->dynamic_names.count; i++)
		known = known || s->dynamic_names.items[i] == sym;
	if (!known) {
		TRY(ROOM(c, dynamic_names, 1));
		s->dynamic_names.items[s->dynamic_names.count++] = sym;
	}
	return sj_schema_emit(c, src, SJ_SCHEMA_OP_DYNAMIC_REF, ON_ANY, dynamic, node, sym, 0);
}

static enum sj_status compile_union(struct sj_schema_compiler *c, const struct sj_schema_source *src,
                                    enum sj_schema_keyword k, enum sj_schema_op_kind op)
{
	struct sj_schema_set *s = c->set;
	uint32_t offset, count;

	if (!src->kw[k])
		return SJ_OK;
	TRY(ROOM(c, kids, 1));
	uint32_t list = s->kids.count++;
	TRY(sj_schema_compile_list(c, src, k, &offset, &count));
	s->kids.items[list] = count;
	TRY(ROOM(c, unions, 1));
	s->unions.items[s->unions.count++] = (struct sj_schema_union){
		.all = list, .by_type = {list, list, list, list, list, list, list}};
	return sj_schema_emit(c, src, op, ON_ANY, src->kw[k], s->unions.count - 1, 0, 0);
}

static enum sj_status compile_applicators(struct sj_schema_compiler *c, const struct sj_schema_source *src)
{
	uint32_t offset, count, node, then = SJ_SCHEMA_TRUE, otherwise = SJ_SCHEMA_TRUE;

	if (src->kw[SJ_SCHEMA_KW_ALL_OF]) {
		TRY(sj_schema_compile_list(c, src, SJ_SCHEMA_KW_ALL_OF, &offset, &count));
		TRY(sj_schema_emit(c, src, SJ_SCHEMA_OP_ALL_OF, ON_ANY, src->kw[SJ_SCHEMA_KW_ALL_OF], offset, count,
		                   0));
	}
	TRY(compile_union(c, src, SJ_SCHEMA_KW_ONE_OF, SJ_SCHEMA_OP_ONE_OF));
	TRY(compile_union(c, src, SJ_SCHEMA_KW_ANY_OF, SJ_SCHEMA_OP_ANY_OF));
	if (src->kw[SJ_SCHEMA_KW_NOT]) {
		TRY(sj_schema_compile_cell(c, src, src->kw[SJ_SCHEMA_KW_NOT], &node));
		TRY(sj_schema_emit(c, src, SJ_SCHEMA_OP_NOT, ON_ANY, src->kw[SJ_SCHEMA_KW_NOT], node, 0, 0));
	}
	if (src->kw[SJ_SCHEMA_KW_IF]) {
		TRY(sj_schema_compile_cell(c, src, src->kw[SJ_SCHEMA_KW_IF], &node));
		if (src->kw[SJ_SCHEMA_KW_THEN])
			TRY(sj_schema_compile_cell(c, src, src->kw[SJ_SCHEMA_KW_THEN], &then));
		if (src->kw[SJ_SCHEMA_KW_ELSE])
			TRY(sj_schema_compile_cell(c, src, src->kw[SJ_SCHEMA_KW_ELSE], &otherwise));
		TRY(sj_schema_emit(c, src, SJ_SCHEMA_OP_IF, ON_ANY, src->kw[SJ_SCHEMA_KW_IF], node, then, otherwise));
	}
	return SJ_OK;
}

static enum sj_status compile_unevaluated(struct sj_schema_compiler *c, const struct sj_schema_source *src)
{
	uint32_t items = src->kw[SJ_SCHEMA_KW_UNEVALUATED_ITEMS],
		 properties = src->kw[SJ_SCHEMA_KW_UNEVALUATED_PROPERTIES];
	uint32_t node;

	if (items) {
		TRY(sj_schema_compile_cell(c, src, items, &node));
		TRY(sj_schema_emit(c, src, SJ_SCHEMA_OP_UNEVALUATED_ITEMS, ON_ARRAY, items, node, 0, 0));
	}
	if (properties) {
		TRY(sj_schema_compile_cell(c, src, properties, &node));
		TRY(sj_schema_emit(c, src, SJ_SCHEMA_OP_UNEVALUATED_PROPERTIES, ON_OBJECT, properties, node, 0, 0));
	}
	return SJ_OK;
}

/* Fills one node. Cheap keywords come first, and those that need what the others marked come last. */
static enum sj_status fill(struct sj_schema_compiler *c, uint32_t index)
{
	struct sj_schema_node node = c->set->nodes.items[index];
	struct sj_schema_source src = {.node = index, .doc = node.doc, .resource = node.resource};
	struct sj_tape tape = *tape_of(c, node.doc); /* a copy: documents move when a metaschema joins them */
	uint8_t vocabulary;

	src.tape = &tape;
	TRY(sj_schema_vocabulary(c->set, node.resource, &vocabulary, c->diag));
	for (uint32_t key = node.cell + 1; key < sj_tape_next(&tape, node.cell); key = sj_tape_next(&tape, key + 1)) {
		enum sj_schema_keyword k = sj_schema_keyword_at(&c->set->symbols, &tape, key);
		if (k == SJ_SCHEMA_KW_COUNT)
			continue;
		uint8_t needs = sj_schema_keyword_vocabulary(k);
		if (!needs || vocabulary & needs)
			src.kw[k] = key + 1;
	}
	c->set->nodes.items[index].op = c->set->ops.count;
	TRY(sj_schema_compile_assertions(c, &src, vocabulary));
	TRY(compile_references(c, &src));
	TRY(compile_applicators(c, &src));
	return compile_unevaluated(c, &src);
}

/* The nodes that a $dynamicRef may reach: each anchor of a name somebody asks for, in each resource that can be in
 * scope. */
static enum sj_status compile_dynamic(struct sj_schema_compiler *c)
{
	struct sj_schema_set *s = c->set;
	uint32_t node;

	for (uint32_t n = 0; n < s->dynamic_names.count; n++) {
		uint32_t sym = s->dynamic_names.items[n];
		struct sj_slice name = sj_schema_symbol_text(&s->symbols, sym);
		for (uint32_t i = 0; i < s->anchors.count; i++) {
			struct sj_schema_anchor a = s->anchors.items[i];
			uint64_t key = (uint64_t)a.resource << 32 | sym;
			struct sj_schema_resource r = s->resources.items[a.resource];
			if (!a.dynamic || !r.used || !sj_slice_eq(a.name, name) ||
			    sj_map64_get(&s->dynamic_at, key) != SJ_MAP_NONE)
				continue;
			TRY(intern(c, (struct sj_schema_place){r.doc, a.cell, a.resource, NULL}, SJ_SCHEMA_NONE,
			           &node));
			if (sj_map64_put(&s->dynamic_at, key, node) != SJ_OK)
				return sj_schema_compile_nomem(c);
		}
	}
	return SJ_OK;
}

/* Fills everything that can be reached from the nodes made so far. */
static enum sj_status fill_all(struct sj_schema_compiler *c, uint32_t first)
{
	struct sj_schema_set *s = c->set;
	uint32_t next = first;

	do {
		while (next < s->nodes.count)
			TRY(fill(c, next++));
		TRY(compile_dynamic(c));
	} while (next < s->nodes.count);
	return SJ_OK;
}

struct mark {
	uint32_t nodes, ops, kids, objects, props, unions, pins, enums, dynamic_names;
};

static void cut_back(struct sj_schema_set *s, const struct mark *m)
{
	for (uint32_t d = 0; d < s->docs.count; d++)
		for (uint32_t i = 0; i < s->docs.items[d].tape.count; i++)
			if (s->docs.items[d].node_of[i] > m->nodes)
				s->docs.items[d].node_of[i] = 0;
	for (uint32_t i = 0; i < s->anchors.count; i++) {
		for (uint32_t n = 0; n < s->dynamic_names.count; n++) {
			uint64_t key = (uint64_t)s->anchors.items[i].resource << 32 | s->dynamic_names.items[n];
			uint32_t node = sj_map64_get(&s->dynamic_at, key);
			if (node != SJ_MAP_NONE && node >= m->nodes)
				sj_map64_del(&s->dynamic_at, key);
		}
	}
	s->nodes.count = m->nodes;
	s->ops.count = m->ops;
	s->kids.count = m->kids;
	s->objects.count = m->objects;
	s->props.count = m->props;
	s->unions.count = m->unions;
	s->pins.count = m->pins;
	s->enums.count = m->enums;
	s->dynamic_names.count = m->dynamic_names;
}

enum sj_status sj_schema_compile(struct sj_schema_set *s, struct sj_slice uri, const struct sj_schema **out,
                                 struct sj_diag *diag)
{
	struct sj_schema_compiler c = {s, diag};
	struct mark mark = {s->nodes.count, s->ops.count, s->kids.count, s->objects.count, s->props.count,
	                    s->unions.count, s->pins.count, s->enums.count, s->dynamic_names.count};
	struct sj_schema_place place;
	struct sj_schema *schema = NULL;
	uint32_t node = SJ_SCHEMA_NONE;

	enum sj_status status = sj_schema_find(s, SJ_SCHEMA_NONE, uri, &place, diag);
	if (status != SJ_OK)
		return status;
	status = intern(&c, place, SJ_SCHEMA_NONE, &node);
	if (status == SJ_OK) {
		for (schema = s->schemas; schema; schema = schema->next) {
			if (schema->node == node) {
				*out = schema;
				return SJ_OK;
			}
		}
		status = fill_all(&c, mark.nodes);
	}
	if (status == SJ_OK)
		status = sj_schema_choose(s, mark.nodes, mark.unions);
	if (status == SJ_OK)
		schema = sj_arena_alloc(&s->arena, sizeof *schema);
	if (status == SJ_OK && !schema)
		status = SJ_NOMEM;
	if (status != SJ_OK) {
		cut_back(s, &mark);
		return status == SJ_NOMEM ? sj_schema_compile_nomem(&c) : status;
	}
	*schema = (struct sj_schema){s, node, s->schemas};
	s->schemas = schema;
	*out = schema;
	return SJ_OK;
}
