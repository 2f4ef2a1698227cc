/* Compiling the keywords that look at one value and, by name or position, at what is in it. */
#include "schema/compile.h"
#include "json/value.h"
#include "schema/number.h"

#define TRY SJ_SCHEMA_TRY
#define ROOM SJ_SCHEMA_ROOM
#define ON_NUMBER SJ_SCHEMA_TYPE(SJ_J_NUMBER)
#define ON_STRING SJ_SCHEMA_TYPE(SJ_J_STRING)
#define ON_ARRAY SJ_SCHEMA_TYPE(SJ_J_ARRAY)
#define ON_OBJECT SJ_SCHEMA_TYPE(SJ_J_OBJECT)
#define ON_ANY SJ_SCHEMA_ANY_TYPE

/* A bound: an integer that is not negative; one beyond 32 bits bounds nothing we can hold, and counts as the largest.
 */
static enum sj_status bound(struct sj_schema_compiler *c, const struct sj_schema_source *src, enum sj_schema_keyword k,
                            uint32_t *out)
{
	uint32_t cell = src->kw[k];
	int64_t value;

	if (sj_tape_type(src->tape, cell) != SJ_J_NUMBER || !sj_schema_number_integral(sj_tape_raw(src->tape, cell)) ||
	    (sj_tape_raw(src->tape, cell).ptr[0] == '-' && sj_tape_number(src->tape, cell) < 0))
		return sj_schema_compile_bad(c, src, cell, k, "an integer that is not negative");
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

static enum sj_status compile_type(struct sj_schema_compiler *c, const struct sj_schema_source *src)
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
		return sj_schema_compile_bad(c, src, cell, SJ_SCHEMA_KW_TYPE,
		                             "one of the seven type names or a list of them");
	if (bits & ON_NUMBER)
		bits &= (uint8_t)~SJ_SCHEMA_INTEGER;
	c->set->nodes.items[src->node].types = bits;
	return SJ_OK;
}

static enum sj_status compile_const(struct sj_schema_compiler *c, const struct sj_schema_source *src)
{
	uint32_t cell = src->kw[SJ_SCHEMA_KW_CONST], sym;

	if (!cell)
		return SJ_OK;
	if (sj_tape_type(src->tape, cell) != SJ_J_STRING)
		return sj_schema_emit(c, src, SJ_SCHEMA_OP_CONST, ON_ANY, cell, 0, 0, 0);
	TRY(sj_schema_compile_symbol(c, src, cell, &sym));
	return sj_schema_emit(c, src, SJ_SCHEMA_OP_CONST_SYM, ON_ANY, cell, sym, 0, 0);
}

static uint32_t table_size(uint32_t entries)
{
	uint32_t size = 2;
	while (size < entries * 2)
		size *= 2;
	return size;
}

static enum sj_status compile_enum(struct sj_schema_compiler *c, const struct sj_schema_source *src)
{
	uint32_t cell = src->kw[SJ_SCHEMA_KW_ENUM], others = 0, sym;
	const struct sj_tape *t = src->tape;
	struct sj_schema_set *s = c->set;

	if (!cell)
		return SJ_OK;
	if (sj_tape_type(t, cell) != SJ_J_ARRAY)
		return sj_schema_compile_bad(c, src, cell, SJ_SCHEMA_KW_ENUM, "an array");
	uint32_t size = table_size(t->cells[cell].len), base = s->enums.count;
	TRY(ROOM(c, enums, size));
	memset(s->enums.items + base, 0, size * sizeof *s->enums.items);
	s->enums.count += size;
	for (uint32_t i = cell + 1; i < sj_tape_next(t, cell); i = sj_tape_next(t, i)) {
		if (sj_tape_type(t, i) != SJ_J_STRING) {
			others++;
			continue;
		}
		TRY(sj_schema_compile_symbol(c, src, i, &sym));
		uint32_t slot = sj_schema_slot(sym, size - 1);
		while (s->enums.items[base + slot] && s->enums.items[base + slot] != sym)
			slot = (slot + 1) & (size - 1);
		s->enums.items[base + slot] = sym;
	}
	return sj_schema_emit(c, src, SJ_SCHEMA_OP_ENUM, ON_ANY, cell, base, size - 1, others);
}

static enum sj_status compile_numbers(struct sj_schema_compiler *c, const struct sj_schema_source *src)
{
	static const struct {
		enum sj_schema_keyword k;
		enum sj_schema_op_kind op;
	} rows[] = {
		{SJ_SCHEMA_KW_MINIMUM, SJ_SCHEMA_OP_MINIMUM},
		{SJ_SCHEMA_KW_MAXIMUM, SJ_SCHEMA_OP_MAXIMUM},
		{SJ_SCHEMA_KW_EXCLUSIVE_MINIMUM, SJ_SCHEMA_OP_ABOVE},
		{SJ_SCHEMA_KW_EXCLUSIVE_MAXIMUM, SJ_SCHEMA_OP_BELOW},
		{SJ_SCHEMA_KW_MULTIPLE_OF, SJ_SCHEMA_OP_MULTIPLE_OF},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint32_t cell = src->kw[rows[i].k];
		if (!cell)
			continue;
		if (sj_tape_type(src->tape, cell) != SJ_J_NUMBER)
			return sj_schema_compile_bad(c, src, cell, rows[i].k, "a number");
		if (rows[i].k == SJ_SCHEMA_KW_MULTIPLE_OF) {
			struct sj_schema_number n;
			sj_schema_number_read(sj_tape_raw(src->tape, cell), &n);
			if (n.negative || n.digits == 0)
				return sj_schema_compile_bad(c, src, cell, rows[i].k, "a number above zero");
		}
		TRY(sj_schema_emit(c, src, rows[i].op, ON_NUMBER, cell, 0, 0, 0));
	}
	return SJ_OK;
}

static enum sj_status compile_bounds(struct sj_schema_compiler *c, const struct sj_schema_source *src)
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
		TRY(sj_schema_emit(c, src, rows[i].op, rows[i].on, src->kw[rows[i].k], n, 0, 0));
	}
	return SJ_OK;
}

/* The pattern with this text, compiled once a set. */
static enum sj_status pattern(struct sj_schema_compiler *c, const struct sj_schema_source *src, uint32_t cell,
                              uint32_t *out)
{
	struct sj_schema_set *s = c->set;
	struct sj_regex *regex = NULL;
	struct sj_slice text;
	enum sj_status status = SJ_OK;

	TRY(sj_schema_compile_text(c, src->doc, cell, &text));
	*out = sj_map_get(&s->by_pattern, text);
	if (*out != SJ_MAP_NONE)
		return SJ_OK;
	TRY(ROOM(c, patterns, 1));
	bool fresh = c->diag && c->diag->code == SJ_E_NONE;
	/* The one pattern of the protocol's schemas that we can tell ourselves: UAX #31 identifiers. */
	bool identifier = sj_slice_eq(text, SJ_LIT("^[\\p{XID_Start}_][\\p{XID_Continue}]*$"));
	if (!identifier && sj_regex_available())
		status = sj_regex_compile(s->mem, text, &s->limits, &regex, c->diag);
	if (status != SJ_OK) {
		if (fresh && status != SJ_NOMEM)
			sj_schema_compile_place(c, src->doc, cell);
		return status == SJ_LIMIT ? SJ_INVALID : status;
	}
	*out = s->patterns.count;
	if (sj_map_put(&s->by_pattern, text, *out) != SJ_OK) {
		sj_regex_destroy(regex);
		return sj_schema_compile_nomem(c);
	}
	s->patterns.items[s->patterns.count++] = (struct sj_schema_pattern){regex, text, identifier};
	return SJ_OK;
}

static enum sj_status compile_strings(struct sj_schema_compiler *c, const struct sj_schema_source *src,
                                      uint8_t vocabulary)
{
	uint32_t cell = src->kw[SJ_SCHEMA_KW_PATTERN], found;

	if (cell) {
		if (sj_tape_type(src->tape, cell) != SJ_J_STRING)
			return sj_schema_compile_bad(c, src, cell, SJ_SCHEMA_KW_PATTERN, "a string");
		TRY(pattern(c, src, cell, &found));
		TRY(sj_schema_emit(c, src, SJ_SCHEMA_OP_PATTERN, ON_STRING, cell, found, 0, 0));
	}
	cell = src->kw[SJ_SCHEMA_KW_FORMAT];
	if (cell) {
		struct sj_slice name;
		if (sj_tape_type(src->tape, cell) != SJ_J_STRING)
			return sj_schema_compile_bad(c, src, cell, SJ_SCHEMA_KW_FORMAT, "a string");
		TRY(sj_schema_compile_text(c, src->doc, cell, &name));
		found = sj_schema_format(name);
		if (found != SJ_SCHEMA_NONE && (c->set->assert_format || vocabulary & SJ_SCHEMA_VOCAB_FORMAT))
			TRY(sj_schema_emit(c, src, SJ_SCHEMA_OP_FORMAT, ON_STRING, cell, found, 0, 0));
	}
	return SJ_OK;
}

static enum sj_status check_strings(struct sj_schema_compiler *c, const struct sj_schema_source *src, uint32_t cell,
                                    enum sj_schema_keyword k)
{
	const struct sj_tape *t = src->tape;
	bool good = sj_tape_type(t, cell) == SJ_J_ARRAY;

	for (uint32_t i = cell + 1; good && i < sj_tape_next(t, cell); i = sj_tape_next(t, i))
		good = sj_tape_type(t, i) == SJ_J_STRING;
	return good ? SJ_OK : sj_schema_compile_bad(c, src, cell, k, "an array of strings");
}

static enum sj_status check_object(struct sj_schema_compiler *c, const struct sj_schema_source *src,
                                   enum sj_schema_keyword k)
{
	return sj_tape_type(src->tape, src->kw[k]) == SJ_J_OBJECT
	               ? SJ_OK
	               : sj_schema_compile_bad(c, src, src->kw[k], k, "an object");
}

static struct sj_schema_prop *prop_of(struct sj_schema_set *s, const struct sj_schema_object *o, uint32_t sym)
{
	uint32_t slot = sj_schema_slot(sym, o->mask);

	while (s->props.items[o->slots + slot].sym && s->props.items[o->slots + slot].sym != sym)
		slot = (slot + 1) & o->mask;
	return &s->props.items[o->slots + slot];
}

static enum sj_status compile_required(struct sj_schema_compiler *c, const struct sj_schema_source *src,
                                       struct sj_schema_object *o)
{
	struct sj_schema_set *s = c->set;
	const struct sj_tape *t = src->tape;
	uint32_t cell = src->kw[SJ_SCHEMA_KW_REQUIRED], sym;

	o->required = s->kids.count;
	if (!cell)
		return SJ_OK;
	TRY(ROOM(c, kids, t->cells[cell].len));
	for (uint32_t i = cell + 1; i < sj_tape_next(t, cell); i = sj_tape_next(t, i)) {
		TRY(sj_schema_compile_symbol(c, src, i, &sym));
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

static enum sj_status compile_patterns(struct sj_schema_compiler *c, const struct sj_schema_source *src,
                                       struct sj_schema_object *o)
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
		TRY(sj_schema_compile_cell(c, src, key + 1, &node));
		c->set->kids.items[at] = regex;
		c->set->kids.items[at + 1] = node;
	}
	return SJ_OK;
}

static enum sj_status compile_object(struct sj_schema_compiler *c, const struct sj_schema_source *src)
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
			TRY(sj_schema_compile_symbol(c, src, key, &sym));
			TRY(sj_schema_compile_cell(c, src, key + 1, &node));
			*prop_of(s, &o, sym) = (struct sj_schema_prop){.sym = sym, .node = node};
		}
	}
	TRY(compile_required(c, src, &o));
	TRY(compile_patterns(c, src, &o));
	if (additional)
		TRY(sj_schema_compile_cell(c, src, additional, &o.additional));
	if (names)
		TRY(sj_schema_compile_cell(c, src, names, &o.names));
	TRY(ROOM(c, objects, 1));
	s->objects.items[s->objects.count++] = o;
	uint32_t said = properties ? properties : additional ? additional : required;
	return sj_schema_emit(c, src, SJ_SCHEMA_OP_OBJECT, ON_OBJECT, said, s->objects.count - 1, 0, 0);
}

static enum sj_status compile_array(struct sj_schema_compiler *c, const struct sj_schema_source *src, bool applicators,
                                    bool validation)
{
	uint32_t prefix = src->kw[SJ_SCHEMA_KW_PREFIX_ITEMS], items = src->kw[SJ_SCHEMA_KW_ITEMS];
	uint32_t contains = src->kw[SJ_SCHEMA_KW_CONTAINS], unique = src->kw[SJ_SCHEMA_KW_UNIQUE_ITEMS];
	uint32_t offset = 0, count = 0, node = SJ_SCHEMA_NONE;

	if (unique) {
		enum sj_json_type type = sj_tape_type(src->tape, unique);
		if (type != SJ_J_TRUE && type != SJ_J_FALSE)
			return sj_schema_compile_bad(c, src, unique, SJ_SCHEMA_KW_UNIQUE_ITEMS, "a boolean");
		if (type == SJ_J_TRUE)
			TRY(sj_schema_emit(c, src, SJ_SCHEMA_OP_UNIQUE, ON_ARRAY, unique, 0, 0, 0));
	}
	if (!applicators)
		return SJ_OK;
	if (prefix)
		TRY(sj_schema_compile_list(c, src, SJ_SCHEMA_KW_PREFIX_ITEMS, &offset, &count));
	if (items)
		TRY(sj_schema_compile_cell(c, src, items, &node));
	if (prefix || items)
		TRY(sj_schema_emit(c, src, SJ_SCHEMA_OP_ITEMS, ON_ARRAY, items ? items : prefix, offset, count, node));
	if (contains) {
		uint32_t min = 1, max = UINT32_MAX;
		if (validation && src->kw[SJ_SCHEMA_KW_MIN_CONTAINS])
			TRY(bound(c, src, SJ_SCHEMA_KW_MIN_CONTAINS, &min));
		if (validation && src->kw[SJ_SCHEMA_KW_MAX_CONTAINS])
			TRY(bound(c, src, SJ_SCHEMA_KW_MAX_CONTAINS, &max));
		TRY(sj_schema_compile_cell(c, src, contains, &node));
		TRY(sj_schema_emit(c, src, SJ_SCHEMA_OP_CONTAINS, ON_ARRAY, contains, node, min, max));
	}
	return SJ_OK;
}

static enum sj_status compile_dependent_required(struct sj_schema_compiler *c, const struct sj_schema_source *src)
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
		TRY(sj_schema_compile_symbol(c, src, key, &sym));
		s->kids.items[s->kids.count++] = sym;
		s->kids.items[s->kids.count++] = t->cells[key + 1].len;
		for (uint32_t i = key + 2; i < sj_tape_next(t, key + 1); i = sj_tape_next(t, i)) {
			TRY(sj_schema_compile_symbol(c, src, i, &sym));
			s->kids.items[s->kids.count++] = sym;
		}
	}
	return sj_schema_emit(c, src, SJ_SCHEMA_OP_DEPENDENT_REQUIRED, ON_OBJECT, cell, start, 0, 0);
}

static enum sj_status compile_dependent_schemas(struct sj_schema_compiler *c, const struct sj_schema_source *src)
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
		TRY(sj_schema_compile_symbol(c, src, key, &sym));
		TRY(sj_schema_compile_cell(c, src, key + 1, &node));
		s->kids.items[at] = sym;
		s->kids.items[at + 1] = node;
	}
	return sj_schema_emit(c, src, SJ_SCHEMA_OP_DEPENDENT_SCHEMAS, ON_OBJECT, cell, start, count, 0);
}

enum sj_status sj_schema_compile_assertions(struct sj_schema_compiler *c, const struct sj_schema_source *src,
                                            uint8_t vocabulary)
{
	TRY(compile_type(c, src));
	TRY(compile_const(c, src));
	TRY(compile_enum(c, src));
	TRY(compile_numbers(c, src));
	TRY(compile_bounds(c, src));
	TRY(compile_strings(c, src, vocabulary));
	TRY(compile_dependent_required(c, src));
	TRY(compile_object(c, src));
	TRY(compile_array(c, src, vocabulary & SJ_SCHEMA_VOCAB_APPLICATOR, vocabulary & SJ_SCHEMA_VOCAB_VALIDATION));
	return compile_dependent_schemas(c, src);
}
