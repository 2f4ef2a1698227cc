#include "json/value.h"
#include "schema/keyword.h"
#include "schema/number.h"
#include "schema/program.h"

struct compiler {
	struct sj_schema_set *set;
	struct sj_diag *diag;
};

/* The schema object being compiled: its keywords by their value cells, 0 where absent. */
struct source {
	const struct sj_tape *tape;
	uint32_t node, doc, resource;
	uint32_t kw[SJ_SCHEMA_KW_COUNT];
};

#define TRY(expr)                                                                                                      \
	do {                                                                                                           \
		enum sj_status try_status = (expr);                                                                    \
		if (try_status != SJ_OK)                                                                               \
			return try_status;                                                                             \
	} while (0)

#define ON_NUMBER SJ_SCHEMA_TYPE(SJ_J_NUMBER)
#define ON_STRING SJ_SCHEMA_TYPE(SJ_J_STRING)
#define ON_ARRAY SJ_SCHEMA_TYPE(SJ_J_ARRAY)
#define ON_OBJECT SJ_SCHEMA_TYPE(SJ_J_OBJECT)
#define ON_ANY SJ_SCHEMA_ANY_TYPE

static enum sj_status no_memory(struct compiler *c)
{
	return sj_diag_set(c->diag, SJ_NOMEM, SJ_E_NOMEM, SJ_CAT_COMPILE, "out of memory");
}

/* Room for `n` more in one of the pools; its items may move. */
#define ROOM(c, vec, n)                                                                                                \
	(SJ_VEC_RESERVE((c)->set->mem, &(c)->set->vec, (c)->set->vec.count + (n), 0) == SJ_OK ? SJ_OK : no_memory(c))

static const struct sj_tape *tape_of(struct compiler *c, uint32_t doc) { return &c->set->docs.items[doc].tape; }

static enum sj_status text_at(struct compiler *c, uint32_t doc, uint32_t cell, struct sj_slice *out)
{
	*out = sj_tape_string(tape_of(c, doc), cell, &c->set->arena);
	return out->ptr ? SJ_OK : no_memory(c);
}

static enum sj_status symbol(struct compiler *c, struct sj_slice text, uint32_t *out)
{
	return sj_schema_symbol_make(&c->set->symbols, text, out) == SJ_OK ? SJ_OK : no_memory(c);
}

static enum sj_status symbol_at(struct compiler *c, const struct source *src, uint32_t cell, uint32_t *out)
{
	struct sj_slice text;

	TRY(text_at(c, src->doc, cell, &text));
	return symbol(c, text, out);
}

static enum sj_status find(struct compiler *c, uint32_t doc, uint32_t cell, uint32_t resource, struct sj_schema_place *place)
{
	struct sj_slice ref;

	if (sj_tape_type(tape_of(c, doc), cell) != SJ_J_STRING)
		return sj_schema_bad(c->set, doc, cell, c->diag, "a reference must be a string");
	TRY(text_at(c, doc, cell, &ref));
	bool fresh = c->diag && c->diag->code == SJ_E_NONE;
	enum sj_status status = sj_schema_find(c->set, resource, ref, place, c->diag);
	if (status == SJ_INVALID && fresh && c->diag->pointer[0] == '\0') {
		struct sj_buf pointer;
		sj_buf_init(&pointer, c->set->mem, 0);
		sj_tape_pointer(tape_of(c, doc), cell, &pointer);
		sj_diag_pointer(c->diag, "%.*s", SJ_ARG(sj_buf_view(&pointer)));
		sj_buf_finish(&pointer);
	}
	return status;
}

/* Looks at a schema object without compiling it: does it start a resource, and is a $ref all it says? */
static void glance(struct compiler *c, uint32_t doc, uint32_t cell, bool *has_id, uint32_t *only_ref)
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

/* The node of a schema, made and left to be filled when new. `from` is the resource that refers to it: a schema of the same
 * resource that is nothing but a $ref within it is skipped. (Across resources it stays, for $dynamicRef looks at the
 * resources that were passed.) */
static enum sj_status intern(struct compiler *c, struct sj_schema_place at, uint32_t from, uint32_t *out)
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

static enum sj_status intern_cell(struct compiler *c, const struct source *src, uint32_t cell, uint32_t *out)
{
	return intern(c, (struct sj_schema_place){src->doc, cell, src->resource, NULL}, src->resource, out);
}

static enum sj_status emit(struct compiler *c, const struct source *src, enum sj_schema_op_kind kind, unsigned on, uint32_t cell,
                           uint32_t a, uint32_t b, uint32_t third)
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

static enum sj_status bad(struct compiler *c, const struct source *src, uint32_t cell, enum sj_schema_keyword k, const char *must)
{
	return sj_schema_bad(c->set, src->doc, cell, c->diag, "'%s' must be %s", sj_schema_keyword_text(k), must);
}

/* A bound: an integer that is not negative; one beyond 32 bits bounds nothing we can hold, and counts as the largest. */
static enum sj_status bound(struct compiler *c, const struct source *src, enum sj_schema_keyword k, uint32_t *out)
{
	uint32_t cell = src->kw[k];
	int64_t value;

	if (sj_tape_type(src->tape, cell) != SJ_J_NUMBER || !sj_schema_number_integral(sj_tape_raw(src->tape, cell)) ||
	    (sj_tape_raw(src->tape, cell).ptr[0] == '-' && sj_tape_number(src->tape, cell) < 0))
		return bad(c, src, cell, k, "an integer that is not negative");
	*out = sj_tape_int(src->tape, cell, &value) && value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
	return SJ_OK;
}

static bool type_bit(struct sj_slice name, uint8_t *bits)
{
	static const struct {
		const char *name;
		unsigned bits;
	} types[] = {
		{"null", SJ_SCHEMA_TYPE(SJ_J_NULL)}, {"boolean", SJ_SCHEMA_BOOLEAN}, {"integer", SJ_SCHEMA_INTEGER},
		{"number", ON_NUMBER}, {"string", ON_STRING}, {"array", ON_ARRAY}, {"object", ON_OBJECT},
	};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (sj_slice_is(name, types[i].name)) {
			*bits = (uint8_t)(*bits | types[i].bits);
			return true;
		}
	}
	return false;
}

static enum sj_status compile_type(struct compiler *c, const struct source *src)
{
	uint32_t cell = src->kw[SJ_SCHEMA_KW_TYPE];
	const struct sj_tape *t = src->tape;
	uint8_t bits = 0;
	bool good = false;

	if (!cell)
		return SJ_OK;
	if (sj_tape_type(t, cell) == SJ_J_STRING) {
		good = type_bit(sj_tape_raw(t, cell), &bits);
	} else if (sj_tape_type(t, cell) == SJ_J_ARRAY) {
		good = t->cells[cell].len > 0;
		for (uint32_t i = cell + 1; i < sj_tape_next(t, cell) && good; i = sj_tape_next(t, i))
			good = sj_tape_type(t, i) == SJ_J_STRING && type_bit(sj_tape_raw(t, i), &bits);
	}
	if (!good)
		return bad(c, src, cell, SJ_SCHEMA_KW_TYPE, "one of the seven type names or a list of them");
	if (bits & ON_NUMBER)
		bits &= (uint8_t)~SJ_SCHEMA_INTEGER;
	c->set->nodes.items[src->node].types = bits;
	return SJ_OK;
}

static enum sj_status compile_const(struct compiler *c, const struct source *src)
{
	uint32_t cell = src->kw[SJ_SCHEMA_KW_CONST], sym;

	if (!cell)
		return SJ_OK;
	if (sj_tape_type(src->tape, cell) != SJ_J_STRING)
		return emit(c, src, SJ_SCHEMA_OP_CONST, ON_ANY, cell, 0, 0, 0);
	TRY(symbol_at(c, src, cell, &sym));
	return emit(c, src, SJ_SCHEMA_OP_CONST_SYM, ON_ANY, cell, sym, 0, 0);
}

static uint32_t table_size(uint32_t entries)
{
	uint32_t size = 2;
	while (size < entries * 2)
		size *= 2;
	return size;
}

static uint32_t slot_of(uint32_t sym, uint32_t mask) { return sym * 0x9e3779b1u >> 7 & mask; }

static enum sj_status compile_enum(struct compiler *c, const struct source *src)
{
	uint32_t cell = src->kw[SJ_SCHEMA_KW_ENUM], others = 0, sym;
	const struct sj_tape *t = src->tape;
	struct sj_schema_set *s = c->set;

	if (!cell)
		return SJ_OK;
	if (sj_tape_type(t, cell) != SJ_J_ARRAY)
		return bad(c, src, cell, SJ_SCHEMA_KW_ENUM, "an array");
	uint32_t size = table_size(t->cells[cell].len), base = s->enums.count;
	TRY(ROOM(c, enums, size));
	memset(s->enums.items + base, 0, size * sizeof *s->enums.items);
	s->enums.count += size;
	for (uint32_t i = cell + 1; i < sj_tape_next(t, cell); i = sj_tape_next(t, i)) {
		if (sj_tape_type(t, i) != SJ_J_STRING) {
			others++;
			continue;
		}
		TRY(symbol_at(c, src, i, &sym));
		uint32_t slot = slot_of(sym, size - 1);
		while (s->enums.items[base + slot] && s->enums.items[base + slot] != sym)
			slot = (slot + 1) & (size - 1);
		s->enums.items[base + slot] = sym;
	}
	return emit(c, src, SJ_SCHEMA_OP_ENUM, ON_ANY, cell, base, size - 1, others);
}

static enum sj_status compile_numbers(struct compiler *c, const struct source *src)
{
	static const struct {
		enum sj_schema_keyword k;
		enum sj_schema_op_kind op;
	} rows[] = {
		{SJ_SCHEMA_KW_MINIMUM, SJ_SCHEMA_OP_MINIMUM}, {SJ_SCHEMA_KW_MAXIMUM, SJ_SCHEMA_OP_MAXIMUM},
		{SJ_SCHEMA_KW_EXCLUSIVE_MINIMUM, SJ_SCHEMA_OP_ABOVE}, {SJ_SCHEMA_KW_EXCLUSIVE_MAXIMUM, SJ_SCHEMA_OP_BELOW},
		{SJ_SCHEMA_KW_MULTIPLE_OF, SJ_SCHEMA_OP_MULTIPLE_OF},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint32_t cell = src->kw[rows[i].k];
		if (!cell)
			continue;
		if (sj_tape_type(src->tape, cell) != SJ_J_NUMBER)
			return bad(c, src, cell, rows[i].k, "a number");
		if (rows[i].k == SJ_SCHEMA_KW_MULTIPLE_OF) {
			struct sj_schema_number n;
			sj_schema_number_read(sj_tape_raw(src->tape, cell), &n);
			if (n.negative || n.digits == 0)
				return bad(c, src, cell, rows[i].k, "a number above zero");
		}
		TRY(emit(c, src, rows[i].op, ON_NUMBER, cell, 0, 0, 0));
	}
	return SJ_OK;
}

static enum sj_status compile_bounds(struct compiler *c, const struct source *src)
{
	static const struct {
		enum sj_schema_keyword k;
		enum sj_schema_op_kind op;
		unsigned on;
	} rows[] = {
		{SJ_SCHEMA_KW_MIN_LENGTH, SJ_SCHEMA_OP_MIN_LENGTH, ON_STRING},
		{SJ_SCHEMA_KW_MAX_LENGTH, SJ_SCHEMA_OP_MAX_LENGTH, ON_STRING},
		{SJ_SCHEMA_KW_MIN_ITEMS, SJ_SCHEMA_OP_MIN_ITEMS, ON_ARRAY},
		{SJ_SCHEMA_KW_MAX_ITEMS, SJ_SCHEMA_OP_MAX_ITEMS, ON_ARRAY},
		{SJ_SCHEMA_KW_MIN_PROPERTIES, SJ_SCHEMA_OP_MIN_PROPERTIES, ON_OBJECT},
		{SJ_SCHEMA_KW_MAX_PROPERTIES, SJ_SCHEMA_OP_MAX_PROPERTIES, ON_OBJECT},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint32_t n;
		if (!src->kw[rows[i].k])
			continue;
		TRY(bound(c, src, rows[i].k, &n));
		TRY(emit(c, src, rows[i].op, rows[i].on, src->kw[rows[i].k], n, 0, 0));
	}
	return SJ_OK;
}

/* The pattern with this text, compiled once a set. */
static enum sj_status pattern(struct compiler *c, const struct source *src, uint32_t cell, uint32_t *out)
{
	struct sj_schema_set *s = c->set;
	struct sj_regex *regex;
	struct sj_slice text;

	TRY(text_at(c, src->doc, cell, &text));
	*out = sj_map_get(&s->by_pattern, text);
	if (*out != SJ_MAP_NONE)
		return SJ_OK;
	TRY(ROOM(c, patterns, 1));
	bool fresh = c->diag && c->diag->code == SJ_E_NONE;
	enum sj_status status = sj_regex_compile(s->mem, text, &s->limits, &regex, c->diag);
	if (status != SJ_OK) {
		if (fresh && status != SJ_NOMEM) {
			struct sj_buf pointer;
			sj_buf_init(&pointer, s->mem, 0);
			sj_tape_pointer(src->tape, cell, &pointer);
			sj_diag_pointer(c->diag, "%.*s", SJ_ARG(sj_buf_view(&pointer)));
			sj_buf_finish(&pointer);
		}
		return status == SJ_LIMIT ? SJ_INVALID : status;
	}
	*out = s->patterns.count;
	if (sj_map_put(&s->by_pattern, text, *out) != SJ_OK) {
		sj_regex_destroy(regex);
		return no_memory(c);
	}
	s->patterns.items[s->patterns.count++] = (struct sj_schema_pattern){regex, text};
	return SJ_OK;
}

static enum sj_status compile_strings(struct compiler *c, const struct source *src, uint8_t vocabulary)
{
	uint32_t cell = src->kw[SJ_SCHEMA_KW_PATTERN], found;

	if (cell) {
		if (sj_tape_type(src->tape, cell) != SJ_J_STRING)
			return bad(c, src, cell, SJ_SCHEMA_KW_PATTERN, "a string");
		TRY(pattern(c, src, cell, &found));
		TRY(emit(c, src, SJ_SCHEMA_OP_PATTERN, ON_STRING, cell, found, 0, 0));
	}
	cell = src->kw[SJ_SCHEMA_KW_FORMAT];
	if (cell) {
		struct sj_slice name;
		if (sj_tape_type(src->tape, cell) != SJ_J_STRING)
			return bad(c, src, cell, SJ_SCHEMA_KW_FORMAT, "a string");
		TRY(text_at(c, src->doc, cell, &name));
		found = sj_schema_format(name);
		if (found != SJ_SCHEMA_NONE && (c->set->assert_format || vocabulary & SJ_SCHEMA_VOCAB_FORMAT))
			TRY(emit(c, src, SJ_SCHEMA_OP_FORMAT, ON_STRING, cell, found, 0, 0));
	}
	return SJ_OK;
}

static enum sj_status check_strings(struct compiler *c, const struct source *src, uint32_t cell, enum sj_schema_keyword k)
{
	const struct sj_tape *t = src->tape;
	bool good = sj_tape_type(t, cell) == SJ_J_ARRAY;

	for (uint32_t i = cell + 1; good && i < sj_tape_next(t, cell); i = sj_tape_next(t, i))
		good = sj_tape_type(t, i) == SJ_J_STRING;
	return good ? SJ_OK : bad(c, src, cell, k, "an array of strings");
}

static enum sj_status check_object(struct compiler *c, const struct source *src, enum sj_schema_keyword k)
{
	return sj_tape_type(src->tape, src->kw[k]) == SJ_J_OBJECT ? SJ_OK : bad(c, src, src->kw[k], k, "an object");
}

static struct sj_schema_prop *prop_of(struct sj_schema_set *s, const struct sj_schema_object *o, uint32_t sym)
{
	uint32_t slot = slot_of(sym, o->mask);

	while (s->props.items[o->slots + slot].sym && s->props.items[o->slots + slot].sym != sym)
		slot = (slot + 1) & o->mask;
	return &s->props.items[o->slots + slot];
}

static enum sj_status compile_required(struct compiler *c, const struct source *src, struct sj_schema_object *o)
{
	struct sj_schema_set *s = c->set;
	const struct sj_tape *t = src->tape;
	uint32_t cell = src->kw[SJ_SCHEMA_KW_REQUIRED], sym;

	o->required = s->kids.count;
	if (!cell)
		return SJ_OK;
	TRY(ROOM(c, kids, t->cells[cell].len));
	for (uint32_t i = cell + 1; i < sj_tape_next(t, cell); i = sj_tape_next(t, i)) {
		TRY(symbol_at(c, src, i, &sym));
		struct sj_schema_prop *prop = prop_of(s, o, sym);
		if (!prop->sym)
			*prop = (struct sj_schema_prop){.sym = sym, .node = SJ_SCHEMA_NONE};
		if (prop->bit)
			continue;
		s->kids.items[s->kids.count++] = sym;
		prop->bit = UINT64_C(1) << (o->required_count++ & 63);
		o->required_bits |= prop->bit;
	}
	if (o->required_count > 64)
		o->required_bits = 0;
	return SJ_OK;
}

static enum sj_status compile_patterns(struct compiler *c, const struct source *src, struct sj_schema_object *o)
{
	uint32_t cell = src->kw[SJ_SCHEMA_KW_PATTERN_PROPERTIES];
	const struct sj_tape *t = src->tape;

	if (!cell)
		return SJ_OK;
	TRY(check_object(c, src, SJ_SCHEMA_KW_PATTERN_PROPERTIES));
	TRY(ROOM(c, kids, t->cells[cell].len * 2));
	o->patterns = c->set->kids.count;
	o->pattern_count = t->cells[cell].len;
	c->set->kids.count += t->cells[cell].len * 2;
	uint32_t at = o->patterns;
	for (uint32_t key = cell + 1; key < sj_tape_next(t, cell); key = sj_tape_next(t, key + 1), at += 2) {
		uint32_t regex, node;
		TRY(pattern(c, src, key, &regex));
		TRY(intern_cell(c, src, key + 1, &node));
		c->set->kids.items[at] = regex;
		c->set->kids.items[at + 1] = node;
	}
	return SJ_OK;
}

static enum sj_status compile_object(struct compiler *c, const struct source *src)
{
	struct sj_schema_set *s = c->set;
	const struct sj_tape *t = src->tape;
	uint32_t properties = src->kw[SJ_SCHEMA_KW_PROPERTIES], required = src->kw[SJ_SCHEMA_KW_REQUIRED];
	uint32_t additional = src->kw[SJ_SCHEMA_KW_ADDITIONAL_PROPERTIES], names = src->kw[SJ_SCHEMA_KW_PROPERTY_NAMES];
	struct sj_schema_object o = {.additional = SJ_SCHEMA_NONE, .names = SJ_SCHEMA_NONE, .required_cell = required};
	uint32_t entries = 0, sym, node;

	if (!properties && !required && !additional && !names && !src->kw[SJ_SCHEMA_KW_PATTERN_PROPERTIES])
		return SJ_OK;
	if (properties) {
		TRY(check_object(c, src, SJ_SCHEMA_KW_PROPERTIES));
		entries += t->cells[properties].len;
	}
	if (required) {
		TRY(check_strings(c, src, required, SJ_SCHEMA_KW_REQUIRED));
		entries += t->cells[required].len;
	}
	uint32_t size = table_size(entries);
	TRY(ROOM(c, props, size));
	o.slots = s->props.count;
	o.mask = size - 1;
	memset(s->props.items + o.slots, 0, size * sizeof *s->props.items);
	s->props.count += size;
	if (properties) {
		for (uint32_t key = properties + 1; key < sj_tape_next(t, properties); key = sj_tape_next(t, key + 1)) {
			TRY(symbol_at(c, src, key, &sym));
			TRY(intern_cell(c, src, key + 1, &node));
			*prop_of(s, &o, sym) = (struct sj_schema_prop){.sym = sym, .node = node};
		}
	}
	TRY(compile_required(c, src, &o));
	TRY(compile_patterns(c, src, &o));
	if (additional)
		TRY(intern_cell(c, src, additional, &o.additional));
	if (names)
		TRY(intern_cell(c, src, names, &o.names));
	TRY(ROOM(c, objects, 1));
	s->objects.items[s->objects.count++] = o;
	uint32_t said = properties ? properties : additional ? additional : required;
	return emit(c, src, SJ_SCHEMA_OP_OBJECT, ON_OBJECT, said, s->objects.count - 1, 0, 0);
}

/* The nodes of a list of schemas, at an offset into `kids`. */
static enum sj_status compile_list(struct compiler *c, const struct source *src, enum sj_schema_keyword k, uint32_t *offset,
                                   uint32_t *count)
{
	const struct sj_tape *t = src->tape;
	uint32_t cell = src->kw[k], node;

	if (sj_tape_type(t, cell) != SJ_J_ARRAY || t->cells[cell].len == 0)
		return bad(c, src, cell, k, "an array of schemas that is not empty");
	*count = t->cells[cell].len;
	TRY(ROOM(c, kids, *count));
	*offset = c->set->kids.count;
	c->set->kids.count += *count;
	uint32_t at = *offset;
	for (uint32_t i = cell + 1; i < sj_tape_next(t, cell); i = sj_tape_next(t, i)) {
		TRY(intern_cell(c, src, i, &node));
		c->set->kids.items[at++] = node;
	}
	return SJ_OK;
}

static enum sj_status compile_array(struct compiler *c, const struct source *src, bool applicators, bool validation)
{
	uint32_t prefix = src->kw[SJ_SCHEMA_KW_PREFIX_ITEMS], items = src->kw[SJ_SCHEMA_KW_ITEMS];
	uint32_t contains = src->kw[SJ_SCHEMA_KW_CONTAINS], unique = src->kw[SJ_SCHEMA_KW_UNIQUE_ITEMS];
	uint32_t offset = 0, count = 0, node = SJ_SCHEMA_NONE;

	if (unique) {
		enum sj_json_type type = sj_tape_type(src->tape, unique);
		if (type != SJ_J_TRUE && type != SJ_J_FALSE)
			return bad(c, src, unique, SJ_SCHEMA_KW_UNIQUE_ITEMS, "a boolean");
		if (type == SJ_J_TRUE)
			TRY(emit(c, src, SJ_SCHEMA_OP_UNIQUE, ON_ARRAY, unique, 0, 0, 0));
	}
	if (!applicators)
		return SJ_OK;
	if (prefix)
		TRY(compile_list(c, src, SJ_SCHEMA_KW_PREFIX_ITEMS, &offset, &count));
	if (items)
		TRY(intern_cell(c, src, items, &node));
	if (prefix || items)
		TRY(emit(c, src, SJ_SCHEMA_OP_ITEMS, ON_ARRAY, items ? items : prefix, offset, count, node));
	if (contains) {
		uint32_t min = 1, max = UINT32_MAX;
		if (validation && src->kw[SJ_SCHEMA_KW_MIN_CONTAINS])
			TRY(bound(c, src, SJ_SCHEMA_KW_MIN_CONTAINS, &min));
		if (validation && src->kw[SJ_SCHEMA_KW_MAX_CONTAINS])
			TRY(bound(c, src, SJ_SCHEMA_KW_MAX_CONTAINS, &max));
		TRY(intern_cell(c, src, contains, &node));
		TRY(emit(c, src, SJ_SCHEMA_OP_CONTAINS, ON_ARRAY, contains, node, min, max));
	}
	return SJ_OK;
}

static enum sj_status compile_dependent_required(struct compiler *c, const struct source *src)
{
	uint32_t cell = src->kw[SJ_SCHEMA_KW_DEPENDENT_REQUIRED], sym;
	const struct sj_tape *t = src->tape;
	struct sj_schema_set *s = c->set;

	if (!cell)
		return SJ_OK;
	TRY(check_object(c, src, SJ_SCHEMA_KW_DEPENDENT_REQUIRED));
	uint32_t start = s->kids.count;
	TRY(ROOM(c, kids, 1));
	s->kids.items[s->kids.count++] = t->cells[cell].len;
	for (uint32_t key = cell + 1; key < sj_tape_next(t, cell); key = sj_tape_next(t, key + 1)) {
		TRY(check_strings(c, src, key + 1, SJ_SCHEMA_KW_DEPENDENT_REQUIRED));
		TRY(ROOM(c, kids, 2 + t->cells[key + 1].len));
		TRY(symbol_at(c, src, key, &sym));
		s->kids.items[s->kids.count++] = sym;
		s->kids.items[s->kids.count++] = t->cells[key + 1].len;
		for (uint32_t i = key + 2; i < sj_tape_next(t, key + 1); i = sj_tape_next(t, i)) {
			TRY(symbol_at(c, src, i, &sym));
			s->kids.items[s->kids.count++] = sym;
		}
	}
	return emit(c, src, SJ_SCHEMA_OP_DEPENDENT_REQUIRED, ON_OBJECT, cell, start, 0, 0);
}

static enum sj_status compile_dependent_schemas(struct compiler *c, const struct source *src)
{
	uint32_t cell = src->kw[SJ_SCHEMA_KW_DEPENDENT_SCHEMAS], sym, node;
	const struct sj_tape *t = src->tape;
	struct sj_schema_set *s = c->set;

	if (!cell)
		return SJ_OK;
	TRY(check_object(c, src, SJ_SCHEMA_KW_DEPENDENT_SCHEMAS));
	uint32_t count = t->cells[cell].len, start = s->kids.count, at = start;
	TRY(ROOM(c, kids, count * 2));
	s->kids.count += count * 2;
	for (uint32_t key = cell + 1; key < sj_tape_next(t, cell); key = sj_tape_next(t, key + 1), at += 2) {
		TRY(symbol_at(c, src, key, &sym));
		TRY(intern_cell(c, src, key + 1, &node));
		s->kids.items[at] = sym;
		s->kids.items[at + 1] = node;
	}
	return emit(c, src, SJ_SCHEMA_OP_DEPENDENT_SCHEMAS, ON_OBJECT, cell, start, count, 0);
}

static enum sj_status compile_references(struct compiler *c, const struct source *src)
{
	uint32_t ref = src->kw[SJ_SCHEMA_KW_REF], dynamic = src->kw[SJ_SCHEMA_KW_DYNAMIC_REF], node, sym;
	struct sj_schema_set *s = c->set;
	struct sj_schema_place place;

	if (ref) {
		TRY(find(c, src->doc, ref, src->resource, &place));
		TRY(intern(c, place, src->resource, &node));
		TRY(emit(c, src, SJ_SCHEMA_OP_REF, ON_ANY, ref, node, 0, 0));
	}
	if (!dynamic)
		return SJ_OK;
	TRY(find(c, src->doc, dynamic, src->resource, &place));
	bool late = place.anchor && place.anchor->dynamic;
	struct sj_slice name = place.anchor ? place.anchor->name : SJ_NO_SLICE;
	TRY(intern(c, place, src->resource, &node));
	if (!late) /* no $dynamicAnchor where it leads at first: a plain $ref */
		return emit(c, src, SJ_SCHEMA_OP_REF, ON_ANY, dynamic, node, 0, 0);
	TRY(symbol(c, name, &sym));
	bool known = false;
	for (uint32_t i = 0; i < s->dynamic_names.count; i++)
		known = known || s->dynamic_names.items[i] == sym;
	if (!known) {
		TRY(ROOM(c, dynamic_names, 1));
		s->dynamic_names.items[s->dynamic_names.count++] = sym;
	}
	return emit(c, src, SJ_SCHEMA_OP_DYNAMIC_REF, ON_ANY, dynamic, node, sym, 0);
}

static enum sj_status compile_union(struct compiler *c, const struct source *src, enum sj_schema_keyword k,
                                    enum sj_schema_op_kind op)
{
	struct sj_schema_set *s = c->set;
	uint32_t offset, count;

	if (!src->kw[k])
		return SJ_OK;
	TRY(ROOM(c, kids, 1));
	uint32_t list = s->kids.count++;
	TRY(compile_list(c, src, k, &offset, &count));
	s->kids.items[list] = count;
	TRY(ROOM(c, unions, 1));
	s->unions.items[s->unions.count++] = (struct sj_schema_union){
		.all = list, .by_type = {list, list, list, list, list, list, list}};
	return emit(c, src, op, ON_ANY, src->kw[k], s->unions.count - 1, 0, 0);
}

static enum sj_status compile_applicators(struct compiler *c, const struct source *src)
{
	uint32_t offset, count, node, then = SJ_SCHEMA_TRUE, otherwise = SJ_SCHEMA_TRUE;

	if (src->kw[SJ_SCHEMA_KW_ALL_OF]) {
		TRY(compile_list(c, src, SJ_SCHEMA_KW_ALL_OF, &offset, &count));
		TRY(emit(c, src, SJ_SCHEMA_OP_ALL_OF, ON_ANY, src->kw[SJ_SCHEMA_KW_ALL_OF], offset, count, 0));
	}
	TRY(compile_union(c, src, SJ_SCHEMA_KW_ONE_OF, SJ_SCHEMA_OP_ONE_OF));
	TRY(compile_union(c, src, SJ_SCHEMA_KW_ANY_OF, SJ_SCHEMA_OP_ANY_OF));
	if (src->kw[SJ_SCHEMA_KW_NOT]) {
		TRY(intern_cell(c, src, src->kw[SJ_SCHEMA_KW_NOT], &node));
		TRY(emit(c, src, SJ_SCHEMA_OP_NOT, ON_ANY, src->kw[SJ_SCHEMA_KW_NOT], node, 0, 0));
	}
	if (src->kw[SJ_SCHEMA_KW_IF]) {
		TRY(intern_cell(c, src, src->kw[SJ_SCHEMA_KW_IF], &node));
		if (src->kw[SJ_SCHEMA_KW_THEN])
			TRY(intern_cell(c, src, src->kw[SJ_SCHEMA_KW_THEN], &then));
		if (src->kw[SJ_SCHEMA_KW_ELSE])
			TRY(intern_cell(c, src, src->kw[SJ_SCHEMA_KW_ELSE], &otherwise));
		TRY(emit(c, src, SJ_SCHEMA_OP_IF, ON_ANY, src->kw[SJ_SCHEMA_KW_IF], node, then, otherwise));
	}
	return compile_dependent_schemas(c, src);
}

static enum sj_status compile_unevaluated(struct compiler *c, const struct source *src)
{
	uint32_t items = src->kw[SJ_SCHEMA_KW_UNEVALUATED_ITEMS], properties = src->kw[SJ_SCHEMA_KW_UNEVALUATED_PROPERTIES];
	uint32_t node;

	if (items) {
		TRY(intern_cell(c, src, items, &node));
		TRY(emit(c, src, SJ_SCHEMA_OP_UNEVALUATED_ITEMS, ON_ARRAY, items, node, 0, 0));
	}
	if (properties) {
		TRY(intern_cell(c, src, properties, &node));
		TRY(emit(c, src, SJ_SCHEMA_OP_UNEVALUATED_PROPERTIES, ON_OBJECT, properties, node, 0, 0));
	}
	return SJ_OK;
}

/* Fills one node. Cheap keywords come first, and those that need what the others marked come last. */
static enum sj_status fill(struct compiler *c, uint32_t index)
{
	struct sj_schema_node node = c->set->nodes.items[index];
	struct source src = {.node = index, .doc = node.doc, .resource = node.resource};
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
	TRY(compile_type(c, &src));
	TRY(compile_const(c, &src));
	TRY(compile_enum(c, &src));
	TRY(compile_numbers(c, &src));
	TRY(compile_bounds(c, &src));
	TRY(compile_strings(c, &src, vocabulary));
	TRY(compile_dependent_required(c, &src));
	TRY(compile_object(c, &src));
	TRY(compile_array(c, &src, vocabulary & SJ_SCHEMA_VOCAB_APPLICATOR, vocabulary & SJ_SCHEMA_VOCAB_VALIDATION));
	TRY(compile_references(c, &src));
	TRY(compile_applicators(c, &src));
	return compile_unevaluated(c, &src);
}

/* The nodes that a $dynamicRef may reach: each anchor of a name somebody asks for, in each resource that can be in scope. */
static enum sj_status compile_dynamic(struct compiler *c)
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
			if (!a.dynamic || !r.used || !sj_slice_eq(a.name, name) || sj_map64_get(&s->dynamic_at, key) != SJ_MAP_NONE)
				continue;
			TRY(intern(c, (struct sj_schema_place){r.doc, a.cell, a.resource, NULL}, SJ_SCHEMA_NONE, &node));
			if (sj_map64_put(&s->dynamic_at, key, node) != SJ_OK)
				return no_memory(c);
		}
	}
	return SJ_OK;
}

/* Fills everything that can be reached from the nodes made so far. */
static enum sj_status fill_all(struct compiler *c, uint32_t first)
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

enum sj_status sj_schema_compile(struct sj_schema_set *s, struct sj_slice uri, const struct sj_schema **out, struct sj_diag *diag)
{
	struct compiler c = {s, diag};
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
		return status == SJ_NOMEM ? no_memory(&c) : status;
	}
	*schema = (struct sj_schema){s, node, s->schemas};
	s->schemas = schema;
	*out = schema;
	return SJ_OK;
}
