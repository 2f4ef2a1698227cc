/* Applying a schema to a node: what both allow, or less. */
#include "infer/grammar_read.h"

enum {
	MAX_DEPTH = 24,      /* schemas in each other; recursion here goes no deeper than a few times that */
	MAX_STEPS = 400000,  /* schemas looked at for one catalog */
	MAX_TURNS = 3,       /* how often a definition may hold itself */
	MAX_OF_ARRAY = 1000, /* bounds beyond it are as good as none */
};

const struct sj_g_node SJ_G_TOP = {.kind = SJ_G_JSON, .no_marks = true};
static const struct sj_g_node TOP_ARRAY = {.kind = SJ_G_ARRAY, .item = &SJ_G_TOP};
static const struct sj_g_node TOP_OBJECT = {.kind = SJ_G_OBJECT, .item = &SJ_G_TOP, .no_marks = true};

enum { NULLS = 1, BOOLS = 2, NUMBERS = 4, STRINGS = 8, ARRAYS = 16, OBJECTS = 32, ALL = 63 };

/* ---- keywords ---------------------------------------------------------------------------------------------------- */

#define KEYWORDS(X)                                                                                                    \
	X(REF, "$ref") X(TYPE, "type") X(ENUM, "enum") X(CONST, "const") X(ALL_OF, "allOf") X(ANY_OF, "anyOf")        \
	X(ONE_OF, "oneOf") X(NOT, "not") X(IF, "if") X(THEN, "then") X(ELSE, "else") X(MINIMUM, "minimum")           \
	X(MAXIMUM, "maximum") X(OVER, "exclusiveMinimum") X(UNDER, "exclusiveMaximum") X(MULTIPLE, "multipleOf")      \
	X(MIN_LENGTH, "minLength") X(MAX_LENGTH, "maxLength") X(PATTERN, "pattern") X(FORMAT, "format")              \
	X(ITEMS, "items") X(MIN_ITEMS, "minItems") X(MAX_ITEMS, "maxItems") X(UNIQUE, "uniqueItems")                 \
	X(PREFIX, "prefixItems") X(CONTAINS, "contains") X(MIN_CONTAINS, "minContains")                              \
	X(MAX_CONTAINS, "maxContains") X(UNEVALUATED_ITEMS, "unevaluatedItems") X(PROPERTIES, "properties")           \
	X(REQUIRED, "required") X(ADDITIONAL, "additionalProperties") X(UNEVALUATED, "unevaluatedProperties")        \
	X(PATTERN_PROPERTIES, "patternProperties") X(NAMES, "propertyNames") X(MIN_PROPERTIES, "minProperties")       \
	X(MAX_PROPERTIES, "maxProperties") X(DEPENDENT, "dependentRequired") X(DEPENDENT_SCHEMAS, "dependentSchemas") \
	X(DEPENDENCIES, "dependencies") X(DYNAMIC_REF, "$dynamicRef") X(RECURSIVE_REF, "$recursiveRef") X(ID, "$id")

enum keyword {
#define KEYWORD_ENUM(name, text) KW_##name,
	KEYWORDS(KEYWORD_ENUM)
#undef KEYWORD_ENUM
	KW_COUNT
};
static const struct sj_slice names[KW_COUNT] = {
#define KEYWORD_NAME(name, text) [KW_##name] = {text, sizeof text - 1},
	KEYWORDS(KEYWORD_NAME)
#undef KEYWORD_NAME
};

struct schema {
	uint32_t at[KW_COUNT]; /* cells; 0: not there */
	uint32_t count;        /* keywords that can refuse */
};

static void look(const struct sj_tape *t, uint32_t cell, struct schema *s)
{
	*s = (struct schema){{0}, 0};
	for (uint32_t key = sj_tape_first(t, cell); key < t->cells[cell].end; key = sj_tape_next(t, key + 1))
		for (unsigned k = 0; k < KW_COUNT; k++)
			if (sj_tape_is(t, key, names[k])) {
				s->at[k] = key + 1;
				s->count++;
			}
}

static const struct sj_g_node *give_up(struct sj_g_read *r)
{
	r->gave_up++;
	return &SJ_G_NOTHING;
}

/* ---- alternatives ------------------------------------------------------------------------------------------------ */

unsigned sj_g_types_of(const struct sj_g_node *node)
{
	unsigned mask = 0;
	node = sj_g_open(node);
	switch ((enum sj_g_kind)node->kind) {
	case SJ_G_NEVER: case SJ_G_RULE: return 0;
	case SJ_G_JSON: return ALL;
	case SJ_G_NULL: return NULLS;
	case SJ_G_BOOL: return BOOLS;
	case SJ_G_NUMBER: return NUMBERS;
	case SJ_G_STRING: return STRINGS;
	case SJ_G_ARRAY: case SJ_G_LIST: case SJ_G_TREE: return ARRAYS;
	case SJ_G_OBJECT: case SJ_G_COMPONENT: return OBJECTS;
	case SJ_G_LITERAL:
		switch (node->text.len ? node->text.ptr[0] : 0) {
		case '"': return STRINGS;
		case '{': return OBJECTS;
		case '[': return ARRAYS;
		case 'n': return NULLS;
		case 't': case 'f': return BOOLS;
		default: return NUMBERS;
		}
	case SJ_G_ONE_OF: break;
	}
	for (uint32_t i = 0; i < node->n; i++)
		mask |= node->items[i]->kind == SJ_G_ONE_OF ? ALL : sj_g_types_of(node->items[i]);
	return mask;
}

/* Calls fn on every alternative of `in` that is of one type, and joins what comes back. A rule none of whose
 * alternatives change stays a rule. Recursion follows rules in rules, which are few. */
typedef const struct sj_g_node *(*alt_fn)(struct sj_g_read *r, const struct sj_g_node *alt, void *ctx);
static const struct sj_g_node *each(struct sj_g_read *r, const struct sj_g_node *in, alt_fn fn, void *ctx,
                                    unsigned depth)
{
	static const struct sj_g_node *const parts[] = {&SJ_G_NULLS, &SJ_G_BOOLS, &SJ_G_NUMBERS, &SJ_G_STRINGS,
	                                                &TOP_ARRAY, &TOP_OBJECT};
	const struct sj_g_node *open = sj_g_open(in);
	if (depth > MAX_DEPTH)
		return give_up(r);
	if (open->kind == SJ_G_NEVER)
		return open;
	const struct sj_g_node *const *items = &open;
	uint32_t n = 1;
	if (open->kind == SJ_G_ONE_OF) {
		items = open->items;
		n = open->n;
	} else if (open->kind == SJ_G_JSON) {
		items = parts;
		n = sizeof parts / sizeof *parts;
	}
	const struct sj_g_node **out = sj_g_alloc(r->g, n * sizeof *out);
	bool same = true;
	for (uint32_t i = 0; out && i < n; i++) {
		bool deeper = sj_g_open(items[i])->kind == SJ_G_ONE_OF || sj_g_open(items[i])->kind == SJ_G_JSON;
		out[i] = deeper && (n > 1 || items[i] != open) ? each(r, items[i], fn, ctx, depth + 1)
		                                               : fn(r, items[i], ctx);
		same = same && out[i] == items[i];
	}
	return !out ? &SJ_G_NOTHING : same ? in : sj_g_one_of(r->g, out, n);
}

static const struct sj_g_node *keep_type(struct sj_g_read *r, const struct sj_g_node *alt, void *ctx)
{
	(void)r;
	return sj_g_types_of(alt) & ~*(unsigned *)ctx ? &SJ_G_NOTHING : alt;
}

const struct sj_g_node *sj_g_of_types(struct sj_g_read *r, const struct sj_g_node *in, unsigned mask)
{
	return each(r, in, keep_type, &mask, 0);
}

static unsigned type_bit(const struct sj_tape *t, uint32_t cell, bool *integer)
{
	static const struct { const char *word; unsigned bit; } words[] = {
		{"null", NULLS}, {"boolean", BOOLS}, {"number", NUMBERS}, {"integer", NUMBERS},
		{"string", STRINGS}, {"array", ARRAYS}, {"object", OBJECTS},
	};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (sj_tape_type(t, cell) == SJ_J_STRING && sj_tape_string_is(t, cell, sj_slice_of(words[i].word))) {
			*integer = i == 3;
			return words[i].bit;
		}
	return 0;
}

static const struct sj_g_node *only_integers(struct sj_g_read *r, const struct sj_g_node *alt, void *ctx)
{
	struct sj_g_node *copy;
	(void)ctx;
	if (alt->kind == SJ_G_LITERAL && sj_g_types_of(alt) == NUMBERS)
		return give_up(r);
	if (alt->kind != SJ_G_NUMBER || alt->integer)
		return alt;
	const struct sj_g_node *out = sj_g_copy(r->g, alt, &copy);
	if (copy)
		copy->integer = true;
	return out;
}

static const struct sj_g_node *apply_type(struct sj_g_read *r, const struct sj_g_node *in, uint32_t cell)
{
	const struct sj_tape *t = &r->doc;
	unsigned mask = 0;
	bool integer = false, number = false;
	if (sj_tape_type(t, cell) == SJ_J_STRING) {
		mask = type_bit(t, cell, &integer);
	} else if (sj_tape_type(t, cell) == SJ_J_ARRAY) {
		for (uint32_t at = sj_tape_first(t, cell); at < t->cells[cell].end; at = sj_tape_next(t, at)) {
			bool is_integer = false;
			unsigned bit = type_bit(t, at, &is_integer);
			number = number || (bit == NUMBERS && !is_integer);
			integer = integer || is_integer;
			mask |= bit;
		}
	}
	in = sj_g_of_types(r, in, mask);
	return integer && !number ? each(r, in, only_integers, NULL, 0) : in;
}

/* ---- numbers, strings -------------------------------------------------------------------------------------------- */

struct applied {
	const struct schema *s;
	uint32_t cell;
	unsigned depth;
	const struct sj_g_node *from; /* what the whole schema is applied to */
};

static double number_of(struct sj_g_read *r, uint32_t cell, double otherwise)
{
	return cell && sj_tape_type(&r->doc, cell) == SJ_J_NUMBER ? sj_tape_number(&r->doc, cell) : otherwise;
}

static void raise_min(struct sj_g_node *n, double min)
{
	if (!n->has_min || n->min < min)
		n->min = min;
	n->has_min = true;
}

static void lower_max(struct sj_g_node *n, double max)
{
	if (!n->has_max || n->max > max)
		n->max = max;
	n->has_max = true;
}

static const struct sj_g_node *apply_number(struct sj_g_read *r, const struct sj_g_node *alt, const struct schema *s)
{
	struct sj_g_node *n;
	if (!s->at[KW_MINIMUM] && !s->at[KW_MAXIMUM] && !s->at[KW_OVER] && !s->at[KW_UNDER] && !s->at[KW_MULTIPLE])
		return alt;
	if (alt->kind == SJ_G_LITERAL)
		return give_up(r);
	const struct sj_g_node *out = sj_g_copy(r->g, alt, &n);
	if (!n)
		return out;
	double step = number_of(r, s->at[KW_MULTIPLE], 1);
	if (s->at[KW_MULTIPLE]) {
		/* Of the steps only whole ones of one are spelled; a fraction of one still allows them. */
		double ones = step > 0 ? 1 / step : 0;
		if (ones < 1 || ones > 1e6 || ones - (double)(int64_t)ones != 0)
			return give_up(r);
		n->integer = true;
	}
	if (s->at[KW_MINIMUM])
		raise_min(n, number_of(r, s->at[KW_MINIMUM], 0));
	if (s->at[KW_MAXIMUM])
		lower_max(n, number_of(r, s->at[KW_MAXIMUM], 0));
	/* Beyond an exclusive bound by one is within it. */
	if (s->at[KW_OVER])
		raise_min(n, number_of(r, s->at[KW_OVER], 0) + 1);
	if (s->at[KW_UNDER])
		lower_max(n, number_of(r, s->at[KW_UNDER], 0) - 1);
	if (n->has_min && n->has_max && n->min > n->max)
		return &SJ_G_NOTHING;
	/* Numbers are spelled around the whole ones: there has to be one. */
	if (n->has_min && n->has_max && n->max - n->min < 1) {
		double whole = (double)(int64_t)(n->max < 1e15 && n->max > -1e15 ? n->max : 0);
		whole -= whole > n->max;
		if (whole < n->min)
			return give_up(r);
	}
	return out;
}

static const struct sj_g_node *apply_string(struct sj_g_read *r, const struct sj_g_node *alt, const struct schema *s)
{
	static const struct { const char *word; enum sj_g_string str; } formats[] = {
		{"date", SJ_G_STR_DATE}, {"time", SJ_G_STR_TIME}, {"date-time", SJ_G_STR_DATE_TIME},
		{"uri", SJ_G_STR_URI}, {"uri-reference", SJ_G_STR_URI}, {"iri", SJ_G_STR_URI},
		{"iri-reference", SJ_G_STR_URI}, {"email", SJ_G_STR_EMAIL}, {"idn-email", SJ_G_STR_EMAIL},
		{"uuid", SJ_G_STR_UUID},
	};
	static const char *const beyond[] = {"regex", "duration", "hostname", "idn-hostname", "ipv4", "ipv6",
	                                     "uri-template", "json-pointer", "relative-json-pointer"};
	if (!s->at[KW_MIN_LENGTH] && !s->at[KW_MAX_LENGTH] && !s->at[KW_PATTERN] && !s->at[KW_FORMAT])
		return alt;
	if (alt->kind == SJ_G_LITERAL || alt->str != SJ_G_STR_ANY)
		return give_up(r);
	uint32_t format = s->at[KW_FORMAT], pattern = s->at[KW_PATTERN];
	for (size_t i = 0; format && i < sizeof beyond / sizeof *beyond; i++)
		if (sj_tape_type(&r->doc, format) == SJ_J_STRING &&
		    sj_tape_string_is(&r->doc, format, sj_slice_of(beyond[i])))
			return give_up(r);
	const struct sj_g_node *out = alt;
	for (size_t i = 0; format && i < sizeof formats / sizeof *formats; i++)
		if (sj_tape_type(&r->doc, format) == SJ_J_STRING &&
		    sj_tape_string_is(&r->doc, format, sj_slice_of(formats[i].word)))
			out = sj_g_string(r->g, formats[i].str);
	if (pattern) {
		if (out != alt || s->at[KW_MIN_LENGTH] || s->at[KW_MAX_LENGTH] || alt->has_min || alt->has_max ||
		    sj_tape_type(&r->doc, pattern) != SJ_J_STRING)
			return give_up(r);
		struct sj_slice text = sj_tape_string(&r->doc, pattern, &r->arena);
		if (!text.ptr) {
			r->g->status = SJ_NOMEM;
			return &SJ_G_NOTHING;
		}
		out = sj_g_pattern(r->g, text);
		return out->kind == SJ_G_NEVER ? give_up(r) : out;
	}
	if (!s->at[KW_MIN_LENGTH] && !s->at[KW_MAX_LENGTH])
		return out;
	if (out != alt)
		return give_up(r);
	struct sj_g_node *n;
	out = sj_g_copy(r->g, alt, &n);
	if (!n)
		return out;
	if (s->at[KW_MIN_LENGTH])
		raise_min(n, number_of(r, s->at[KW_MIN_LENGTH], 0));
	if (s->at[KW_MAX_LENGTH])
		lower_max(n, number_of(r, s->at[KW_MAX_LENGTH], 0));
	return n->has_max && (n->max < 0 || (n->has_min && n->min > n->max)) ? &SJ_G_NOTHING : out;
}

/* ---- arrays, objects --------------------------------------------------------------------------------------------- */

static const struct sj_g_node *apply_array(struct sj_g_read *r, const struct sj_g_node *alt, const struct applied *a)
{
	const struct schema *s = a->s;
	static const enum keyword kin[] = {KW_ITEMS, KW_MIN_ITEMS, KW_MAX_ITEMS, KW_UNIQUE, KW_PREFIX, KW_CONTAINS,
	                                   KW_MIN_CONTAINS, KW_MAX_CONTAINS, KW_UNEVALUATED_ITEMS};
	bool any = false;
	struct sj_g_node *n;
	for (size_t i = 0; i < sizeof kin / sizeof *kin; i++)
		any = any || s->at[kin[i]];
	if (!any)
		return alt;
	if (alt->kind == SJ_G_LITERAL || s->at[KW_CONTAINS] || s->at[KW_PREFIX] || s->at[KW_UNEVALUATED_ITEMS])
		return give_up(r);
	const struct sj_g_node *out = sj_g_copy(r->g, alt, &n);
	if (!n)
		return out;
	if (s->at[KW_ITEMS])
		n->item = sj_g_apply(r, n->item, s->at[KW_ITEMS], a->depth + 1);
	if (s->at[KW_MIN_ITEMS])
		raise_min(n, number_of(r, s->at[KW_MIN_ITEMS], 0));
	if (s->at[KW_MAX_ITEMS])
		lower_max(n, number_of(r, s->at[KW_MAX_ITEMS], 0));
	/* That items differ is not for a grammar to say: at most one. */
	if (s->at[KW_UNIQUE] && sj_tape_type(&r->doc, s->at[KW_UNIQUE]) == SJ_J_TRUE)
		lower_max(n, 1);
	if (n->item->kind == SJ_G_NEVER)
		lower_max(n, 0);
	if (n->has_max && n->max > MAX_OF_ARRAY)
		n->has_max = false;
	if (n->has_min && (n->min > MAX_OF_ARRAY || (n->has_max && n->min > n->max)))
		return give_up(r);
	return out;
}

struct members {
	struct sj_g_member *items;
	uint32_t count;
};

static uint32_t member_index(const struct members *m, const struct sj_tape *t, uint32_t name)
{
	for (uint32_t i = 0; i < m->count; i++)
		if (sj_tape_is(t, name, m->items[i].name))
			return i;
	return UINT32_MAX;
}

static struct sj_slice text_of(struct sj_g_read *r, uint32_t cell)
{
	struct sj_slice s = sj_tape_string(&r->doc, cell, &r->arena);
	if (!s.ptr)
		r->g->status = SJ_NOMEM;
	return s.ptr ? sj_g_keep(r->g, s) : SJ_LIT("");
}

static struct sj_slice about_of(struct sj_g_read *r, uint32_t schema)
{
	uint32_t at = sj_tape_type(&r->doc, schema) == SJ_J_OBJECT
	                      ? sj_tape_get(&r->doc, schema, SJ_LIT("description"))
	                      : 0;
	return at && sj_tape_type(&r->doc, at) == SJ_J_STRING ? text_of(r, at) : SJ_NO_SLICE;
}

static bool in_properties(struct sj_g_read *r, uint32_t properties, struct sj_slice name)
{
	return properties && sj_tape_get(&r->doc, properties, name);
}

/* Was the member there before this schema was looked at? Then only its own level evaluates it, as far as we know. */
static bool came_in(const struct applied *a, struct sj_slice name)
{
	const struct sj_g_node *from = sj_g_open(a->from);
	for (uint32_t i = 0; from->kind == SJ_G_OBJECT && i < from->n; i++)
		if (sj_slice_eq(from->members[i].name, name))
			return true;
	return from->kind == SJ_G_ONE_OF; /* which of them it was is not known any more */
}

static const struct sj_g_node *apply_object(struct sj_g_read *r, const struct sj_g_node *alt, struct applied *a)
{
	const struct schema *s = a->s;
	const struct sj_tape *t = &r->doc;
	static const enum keyword kin[] = {KW_PROPERTIES, KW_REQUIRED, KW_ADDITIONAL, KW_UNEVALUATED,
	                                   KW_PATTERN_PROPERTIES, KW_NAMES, KW_MIN_PROPERTIES, KW_MAX_PROPERTIES,
	                                   KW_DEPENDENT, KW_DEPENDENT_SCHEMAS, KW_DEPENDENCIES};
	bool any = false;
	for (size_t i = 0; i < sizeof kin / sizeof *kin; i++)
		any = any || s->at[kin[i]];
	if (!any)
		return alt;
	uint32_t properties = s->at[KW_PROPERTIES], required = s->at[KW_REQUIRED];
	if (alt->kind == SJ_G_LITERAL || s->at[KW_DEPENDENT] || s->at[KW_DEPENDENT_SCHEMAS] || s->at[KW_DEPENDENCIES] ||
	    (properties && sj_tape_type(t, properties) != SJ_J_OBJECT) ||
	    (required && sj_tape_type(t, required) != SJ_J_ARRAY))
		return give_up(r);
	struct members m = {NULL, alt->n};
	uint32_t room = alt->n + (properties ? t->cells[properties].len : 0) + (required ? t->cells[required].len : 0);
	m.items = sj_g_alloc(r->g, room * sizeof *m.items);
	if (!m.items)
		return &SJ_G_NOTHING;
	for (uint32_t i = 0; i < alt->n; i++)
		m.items[i] = alt->members[i];
	const struct sj_g_node *rest = alt->item;
	bool closed = alt->closed;
	for (uint32_t key = properties ? sj_tape_first(t, properties) : 0;
	     key > 0 && key < t->cells[properties].end; key = sj_tape_next(t, key + 1)) {
		uint32_t i = member_index(&m, t, key);
		if (i == UINT32_MAX && !rest)
			continue; /* it cannot be there */
		if (i == UINT32_MAX) {
			i = m.count++;
			m.items[i] = (struct sj_g_member){.name = text_of(r, key), .value = rest};
		}
		m.items[i].value = sj_g_apply(r, m.items[i].value, key + 1, a->depth + 1);
		if (!m.items[i].about.ptr)
			m.items[i].about = about_of(r, key + 1);
	}
	for (uint32_t at = required ? sj_tape_first(t, required) : 0; at > 0 && at < t->cells[required].end;
	     at = sj_tape_next(t, at)) {
		if (sj_tape_type(t, at) != SJ_J_STRING)
			return give_up(r);
		uint32_t i = member_index(&m, t, at);
		if (i == UINT32_MAX && !rest)
			return &SJ_G_NOTHING;
		if (i == UINT32_MAX)
			m.items[m.count++] =
				(struct sj_g_member){.name = text_of(r, at), .value = rest, .required = true};
		else
			m.items[i].required = true;
	}
	if (s->at[KW_ADDITIONAL] && !s->at[KW_PATTERN_PROPERTIES]) {
		uint32_t schema = s->at[KW_ADDITIONAL];
		for (uint32_t i = 0; i < m.count; i++)
			if (!in_properties(r, properties, m.items[i].name))
				m.items[i].value = sj_g_apply(r, m.items[i].value, schema, a->depth + 1);
		rest = rest ? sj_g_apply(r, rest, schema, a->depth + 1) : NULL;
		closed = closed || sj_tape_type(t, schema) == SJ_J_FALSE;
	}
	if (s->at[KW_UNEVALUATED]) {
		uint32_t schema = s->at[KW_UNEVALUATED];
		for (uint32_t i = 0; i < m.count; i++)
			if (!in_properties(r, properties, m.items[i].name) && came_in(a, m.items[i].name))
				m.items[i].value = sj_g_apply(r, m.items[i].value, schema, a->depth + 1);
		rest = rest ? sj_g_apply(r, rest, schema, a->depth + 1) : NULL;
		closed = closed || sj_tape_type(t, schema) == SJ_J_FALSE;
	}
	if (rest && rest->kind == SJ_G_NEVER)
		rest = NULL;
	if (s->at[KW_PATTERN_PROPERTIES] || s->at[KW_NAMES]) {
		if (m.count > 0)
			return give_up(r); /* whether a pattern means them is not known */
		rest = NULL;
	}
	/* What can never be there goes; what must and cannot makes the whole nothing. */
	uint32_t kept = 0, must = 0;
	for (uint32_t i = 0; i < m.count; i++) {
		if (m.items[i].value->kind == SJ_G_NEVER) {
			if (m.items[i].required)
				return &SJ_G_NOTHING;
			continue;
		}
		must += m.items[i].required;
		m.items[kept++] = m.items[i];
	}
	if (number_of(r, s->at[KW_MIN_PROPERTIES], 0) > must)
		return give_up(r);
	double most = number_of(r, s->at[KW_MAX_PROPERTIES], 1e9);
	if (most < kept || (kept == 0 && most < 1e9 && rest && most > 0))
		return give_up(r);
	if (most <= 0)
		rest = NULL;
	struct sj_g_node *n;
	const struct sj_g_node *out = sj_g_copy(r->g, alt, &n);
	if (n) {
		n->members = m.items;
		n->n = kept;
		n->item = rest;
		n->closed = closed;
	}
	return out;
}

static const struct sj_g_node *apply_alt(struct sj_g_read *r, const struct sj_g_node *alt, void *ctx)
{
	struct applied *a = ctx;
	const struct sj_g_node *open = sj_g_open(alt);
	const struct sj_g_node *out = open;
	switch (sj_g_types_of(open)) {
	case NUMBERS: out = apply_number(r, open, a->s); break;
	case STRINGS: out = apply_string(r, open, a->s); break;
	case ARRAYS: out = apply_array(r, open, a); break;
	case OBJECTS: out = apply_object(r, open, a); break;
	default: break;
	}
	return out == open ? alt : out;
}

/* ---- const, enum ------------------------------------------------------------------------------------------------- */

struct wanted {
	struct sj_slice json;
	unsigned type;
	bool found;
};

/* Is the literal surely one of the alternative's texts? */
static const struct sj_g_node *holds(struct sj_g_read *r, const struct sj_g_node *alt, void *ctx)
{
	struct wanted *w = ctx;
	const struct sj_g_node *n = sj_g_open(alt);
	(void)r;
	if (sj_g_types_of(n) != w->type)
		return alt;
	bool free_array = n->kind == SJ_G_ARRAY && n->item->kind == SJ_G_JSON && !n->has_min && !n->has_max;
	bool free_object = n->kind == SJ_G_OBJECT && n->n == 0 && n->item && n->item->kind == SJ_G_JSON;
	w->found = w->found || n->kind == SJ_G_NULL || n->kind == SJ_G_BOOL || free_array || free_object ||
	           (n->kind == SJ_G_LITERAL && sj_slice_eq(n->text, w->json)) ||
	           (n->kind == SJ_G_STRING && n->str == SJ_G_STR_ANY && !n->has_min && !n->has_max) ||
	           (n->kind == SJ_G_NUMBER && !n->integer && !n->has_min && !n->has_max);
	return alt;
}

static const struct sj_g_node *apply_literal(struct sj_g_read *r, const struct sj_g_node *in, uint32_t cell)
{
	struct sj_buf json;
	struct sj_value v = SJ_ABSENT_VALUE;
	sj_buf_init(&json, r->g->mem, 0);
	enum sj_status st = sj_value_from_tape(r->g->mem, &r->doc, cell, &v);
	if (st == SJ_OK)
		sj_value_print(&json, &v, SJ_PRINT_COMPACT);
	sj_value_unref(r->g->mem, v);
	if (st == SJ_OK)
		st = sj_buf_status(&json);
	if (st != SJ_OK && r->g->status == SJ_OK)
		r->g->status = st;
	const struct sj_g_node *out = sj_g_literal(r->g, sj_g_keep(r->g, sj_buf_view(&json)));
	sj_buf_finish(&json);
	struct wanted w = {.json = out->text, .type = sj_g_types_of(out)};
	if (r->g->status == SJ_OK && in->kind != SJ_G_JSON)
		(void)each(r, in, holds, &w, 0);
	return in->kind == SJ_G_JSON || w.found ? out : &SJ_G_NOTHING;
}

static const struct sj_g_node *apply_enum(struct sj_g_read *r, const struct sj_g_node *in, uint32_t cell)
{
	const struct sj_tape *t = &r->doc;
	if (sj_tape_type(t, cell) != SJ_J_ARRAY)
		return give_up(r);
	const struct sj_g_node **all = sj_g_alloc(r->g, (t->cells[cell].len + 1) * sizeof *all);
	uint32_t n = 0;
	for (uint32_t at = sj_tape_first(t, cell); all && at < t->cells[cell].end; at = sj_tape_next(t, at))
		all[n++] = apply_literal(r, in, at);
	return all ? sj_g_one_of(r->g, all, n) : &SJ_G_NOTHING;
}

/* ---- unions ------------------------------------------------------------------------------------------------------ */

static bool lacks(const struct sj_g_node *a, const struct sj_g_node *b)
{
	/* b needs, or as a closed object refuses, what a cannot have, or always has. */
	for (uint32_t i = 0; i < b->n; i++) {
		bool found = false;
		for (uint32_t k = 0; k < a->n; k++)
			found = found || sj_slice_eq(a->members[k].name, b->members[i].name);
		if (b->members[i].required && !found && a->n > 0)
			return true;
	}
	for (uint32_t i = 0; i < a->n; i++) {
		if (!a->members[i].required)
			continue;
		bool found = false;
		for (uint32_t k = 0; k < b->n; k++) {
			if (!sj_slice_eq(a->members[i].name, b->members[k].name))
				continue;
			found = true;
			const struct sj_g_node *x = sj_g_open(a->members[i].value), *y = sj_g_open(b->members[k].value);
			if (x->kind == SJ_G_LITERAL && y->kind == SJ_G_LITERAL && !sj_slice_eq(x->text, y->text))
				return true;
		}
		if (!found && b->closed)
			return true;
	}
	return false;
}

static bool is_moment(const struct sj_g_node *n)
{
	return n->kind == SJ_G_STRING && n->str >= SJ_G_STR_DATE && n->str <= SJ_G_STR_DATE_TIME;
}

/* Is no text of alternative `a` valid for the schema whose node is `b`? Only when that is certain. */
static bool apart(const struct sj_g_node *a, const struct sj_g_node *b, unsigned depth)
{
	a = sj_g_open(a);
	b = sj_g_open(b);
	if (depth > 6)
		return false;
	for (int side = 0; side < 2; side++) {
		const struct sj_g_node *x = side ? b : a, *y = side ? a : b;
		if (x->kind != SJ_G_ONE_OF)
			continue;
		bool all = true;
		for (uint32_t i = 0; i < x->n && all; i++)
			all = side ? apart(y, x->items[i], depth + 1) : apart(x->items[i], y, depth + 1);
		return all;
	}
	if (!(sj_g_types_of(a) & sj_g_types_of(b)))
		return true;
	if (a->kind == SJ_G_LITERAL && b->kind == SJ_G_LITERAL)
		return !sj_slice_eq(a->text, b->text);
	if (is_moment(a) && is_moment(b))
		return a->str != b->str;
	return a->kind == SJ_G_OBJECT && b->kind == SJ_G_OBJECT && lacks(a, b);
}

/* The types a schema states outright, whatever became of its node. */
static unsigned stated_types(struct sj_g_read *r, uint32_t cell)
{
	const struct sj_tape *t = &r->doc;
	uint32_t type = sj_tape_type(t, cell) == SJ_J_OBJECT ? sj_tape_get(t, cell, SJ_LIT("type")) : 0;
	bool integer;
	unsigned bit = type ? type_bit(t, type, &integer) : 0;
	return bit ? bit : ALL;
}

static const struct sj_g_node *apply_union(struct sj_g_read *r, const struct sj_g_node *in, uint32_t cell,
                                           unsigned depth, bool exactly_one)
{
	const struct sj_tape *t = &r->doc;
	if (sj_tape_type(t, cell) != SJ_J_ARRAY)
		return give_up(r);
	uint32_t n = t->cells[cell].len, i = 0;
	const struct sj_g_node **all = sj_g_alloc(r->g, n * sizeof *all), **kept = sj_g_alloc(r->g, n * sizeof *kept);
	unsigned *unsure = sj_g_alloc(r->g, n * sizeof *unsure); /* types of a branch that was not understood */
	if (!all || !kept || !unsure)
		return &SJ_G_NOTHING;
	for (uint32_t at = sj_tape_first(t, cell); at < t->cells[cell].end; at = sj_tape_next(t, at), i++) {
		uint32_t before = r->gave_up;
		all[i] = sj_g_apply(r, in, at, depth + 1);
		unsure[i] = r->gave_up != before ? stated_types(r, at) : 0;
	}
	if (!exactly_one || n == 1)
		return sj_g_one_of(r->g, all, n);
	if (n > 64)
		return give_up(r); /* every two have to be compared */
	/* A text of two branches is refused, so only what is apart from all others may stay. */
	for (i = 0; i < n; i++) {
		bool good = true;
		for (uint32_t k = 0; k < n && good; k++)
			good = k == i || (!(unsure[k] & sj_g_types_of(all[i])) && apart(all[i], all[k], 0));
		kept[i] = good ? all[i] : &SJ_G_NOTHING;
	}
	return sj_g_one_of(r->g, kept, n);
}

/* if/then/else where the condition is a type alone. */
static const struct sj_g_node *apply_if(struct sj_g_read *r, const struct sj_g_node *in, const struct schema *s,
                                        unsigned depth)
{
	const struct sj_tape *t = &r->doc;
	uint32_t cell = s->at[KW_IF];
	if (!s->at[KW_THEN] && !s->at[KW_ELSE])
		return in;
	bool integer = false;
	uint32_t type = sj_tape_type(t, cell) == SJ_J_OBJECT && t->cells[cell].len == 1
	                        ? sj_tape_get(t, cell, SJ_LIT("type"))
	                        : 0;
	unsigned mask = type ? type_bit(t, type, &integer) : 0;
	if (!mask || integer)
		return give_up(r);
	const struct sj_g_node *yes = sj_g_of_types(r, in, mask), *no = sj_g_of_types(r, in, ALL & ~mask);
	if (s->at[KW_THEN])
		yes = sj_g_apply(r, yes, s->at[KW_THEN], depth + 1);
	if (s->at[KW_ELSE])
		no = sj_g_apply(r, no, s->at[KW_ELSE], depth + 1);
	return sj_g_one_of(r->g, (const struct sj_g_node *const[]){yes, no}, 2);
}

/* ---- references -------------------------------------------------------------------------------------------------- */

/* The cell a "#/..." reference leads to; 0: nowhere. */
static uint32_t target_of(struct sj_g_read *r, struct sj_slice ref, struct sj_slice *definition)
{
	uint32_t cell = 0, steps = 0;
	size_t at = 0;
	struct sj_slice token;
	struct sj_buf text;
	*definition = SJ_NO_SLICE;
	if (ref.len < 2 || ref.ptr[0] != '#' || memchr(ref.ptr, '%', ref.len))
		return 0;
	sj_buf_init(&text, r->g->mem, 0);
	bool in_defs = false;
	while (sj_pointer_next(sj_slice(ref.ptr + 1, ref.len - 1), &at, &text, &token)) {
		enum sj_json_type type = sj_tape_type(&r->doc, cell);
		cell = type == SJ_J_OBJECT ? sj_tape_get(&r->doc, cell, token) : 0;
		if (steps == 0)
			in_defs = sj_slice_is(token, "$defs");
		if (in_defs && steps == 1)
			*definition = sj_g_keep(r->g, token);
		steps++;
		if (!cell)
			break;
	}
	if (sj_buf_status(&text) != SJ_OK)
		r->g->status = sj_buf_status(&text);
	sj_buf_finish(&text);
	if (steps != 2)
		*definition = SJ_NO_SLICE;
	return cell;
}

void sj_g_remember(struct sj_g_read *r, struct sj_g_memo memo)
{
	enum sj_status st = SJ_VEC_RESERVE(r->g->mem, &r->memos, r->memos.count + 1, 0);
	if (st == SJ_OK)
		r->memos.items[r->memos.count++] = memo;
	else
		r->g->status = st;
}

static const struct sj_g_node *refer(struct sj_g_read *r, const struct sj_g_node *in, uint32_t ref_cell, unsigned depth)
{
	if (sj_tape_type(&r->doc, ref_cell) != SJ_J_STRING)
		return give_up(r);
	struct sj_slice ref = sj_tape_string(&r->doc, ref_cell, &r->arena), name;
	if (!ref.ptr) {
		r->g->status = SJ_NOMEM;
		return &SJ_G_NOTHING;
	}
	uint32_t target = target_of(r, ref, &name);
	if (!target)
		return give_up(r);
	const struct sj_g_node *common = name.ptr ? sj_g_common_type(r, name, target, depth) : NULL;
	if (common)
		return in->kind == SJ_G_JSON ? common : give_up(r);
	uint32_t turns = 0;
	for (uint32_t i = 0; i < r->busy.count; i++)
		turns += r->busy.items[i] == target;
	if (turns >= MAX_TURNS)
		return &SJ_G_NOTHING; /* this far down it ends */
	bool plain = in->kind == SJ_G_JSON && r->busy.count == 0;
	for (uint32_t i = 0; plain && i < r->memos.count; i++) {
		const struct sj_g_memo *m = &r->memos.items[i];
		if (m->cell == target && m->level == r->level && m->in_action == r->in_action &&
		    m->reference == r->reference)
			return m->node;
	}
	enum sj_status st = SJ_VEC_RESERVE(r->g->mem, &r->busy, r->busy.count + 1, 0);
	if (st != SJ_OK) {
		r->g->status = st;
		return &SJ_G_NOTHING;
	}
	r->busy.items[r->busy.count++] = target;
	const struct sj_g_node *out = sj_g_apply(r, in, target, depth + 1);
	r->busy.count--;
	if (plain) {
		struct sj_g_rule *rule = name.ptr && out->kind >= SJ_G_ARRAY && out->kind < SJ_G_RULE
		                                 ? sj_g_rule(r->g, "def", name, (int)r->g->nrules)
		                                 : NULL;
		if (rule) {
			rule->body = out;
			rule->about = about_of(r, target);
			out = sj_g_refer(r->g, rule);
		}
		sj_g_remember(r, (struct sj_g_memo){target, r->level, r->in_action, r->reference, out});
	}
	return out;
}

/* ---- a schema ---------------------------------------------------------------------------------------------------- */

const struct sj_g_node *sj_g_apply(struct sj_g_read *r, const struct sj_g_node *in, uint32_t cell, unsigned depth)
{
	const struct sj_tape *t = &r->doc;
	struct schema s;
	if (r->g->status != SJ_OK || in->kind == SJ_G_NEVER)
		return &SJ_G_NOTHING;
	if (sj_tape_type(t, cell) == SJ_J_TRUE)
		return in;
	if (sj_tape_type(t, cell) == SJ_J_FALSE)
		return &SJ_G_NOTHING;
	if (sj_tape_type(t, cell) != SJ_J_OBJECT || depth > MAX_DEPTH)
		return give_up(r);
	if (++r->steps > MAX_STEPS) {
		r->g->status = SJ_LIMIT;
		return &SJ_G_NOTHING;
	}
	look(t, cell, &s);
	if (s.count == 0)
		return in;
	if (s.at[KW_NOT] || s.at[KW_DYNAMIC_REF] || s.at[KW_RECURSIVE_REF] || s.at[KW_ID])
		return give_up(r);
	struct applied a = {.s = &s, .cell = cell, .depth = depth, .from = in};
	const struct sj_g_node *out = in;
	/* References first: what they lead to may be a common type, which only stands for the whole of a value. */
	if (s.at[KW_REF])
		out = refer(r, out, s.at[KW_REF], depth);
	if (s.at[KW_ALL_OF] && sj_tape_type(t, s.at[KW_ALL_OF]) != SJ_J_ARRAY)
		return give_up(r);
	for (int pass = 0; s.at[KW_ALL_OF] && pass < 2; pass++)
		for (uint32_t at = sj_tape_first(t, s.at[KW_ALL_OF]); at < t->cells[s.at[KW_ALL_OF]].end;
		     at = sj_tape_next(t, at)) {
			bool is_ref = sj_tape_type(t, at) == SJ_J_OBJECT && sj_tape_get(t, at, SJ_LIT("$ref"));
			if (is_ref == (pass == 0))
				out = sj_g_apply(r, out, at, depth + 1);
		}
	if (s.at[KW_TYPE])
		out = apply_type(r, out, s.at[KW_TYPE]);
	if (s.at[KW_PROPERTIES] || s.at[KW_REQUIRED] || s.count > 1 || !s.at[KW_REF])
		out = each(r, out, apply_alt, &a, 0);
	if (s.at[KW_CONST])
		out = apply_literal(r, out, s.at[KW_CONST]);
	if (s.at[KW_ENUM])
		out = apply_enum(r, out, s.at[KW_ENUM]);
	if (s.at[KW_ANY_OF])
		out = apply_union(r, out, s.at[KW_ANY_OF], depth, false);
	if (s.at[KW_ONE_OF])
		out = apply_union(r, out, s.at[KW_ONE_OF], depth, true);
	if (s.at[KW_IF])
		out = apply_if(r, out, &s, depth);
	return out;
}
