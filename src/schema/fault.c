/* Faults in words: the sentences Python's jsonschema made common, values printed as Python prints them. */
#include "base/num.h"
#include "base/utf.h"
#include "schema/run.h"

enum { MOST_FAULTS = 200 }; /* kept for one validation; more help nobody */

/* A message being written; what does not fit is cut at a character and ends in "…". */
struct text {
	char *out;
	size_t len, cap;
	bool cut;
};

static void put(struct text *t, const char *p, size_t n)
{
	if (t->cut)
		return;
	if (n > t->cap - t->len) {
		n = sj_utf8_cut(sj_slice(p, n), t->cap - t->len);
		t->cut = true;
	}
	memcpy(t->out + t->len, p, n);
	t->len += n;
}

static void puts_text(struct text *t, const char *z) { put(t, z, strlen(z)); }
static void put_slice(struct text *t, struct sj_slice s) { put(t, s.ptr ? s.ptr : "", s.len); }

static void put_u32(struct text *t, uint32_t n)
{
	char digits[SJ_NUM_TEXT];
	put(t, digits, sj_num_text_i64(n, digits));
}

/* In single quotes, unless that would need escaping and double quotes would not. */
static void put_quoted(struct text *t, struct sj_slice s)
{
	static const char hex[] = "0123456789abcdef";
	bool has_single = s.len && memchr(s.ptr, '\'', s.len), has_double = s.len && memchr(s.ptr, '"', s.len);
	char quote = has_single && !has_double ? '"' : '\'';

	put(t, &quote, 1);
	for (size_t i = 0; i < s.len && !t->cut; i++) {
		unsigned char c = (unsigned char)s.ptr[i];
		char escape[4] = {'\\', 'x', hex[c >> 4], hex[c & 15]};
		if (c == '\n' || c == '\r' || c == '\t') {
			escape[1] = c == '\n' ? 'n' : c == '\r' ? 'r' : 't';
			put(t, escape, 2);
		} else if (c == '\\' || c == (unsigned char)quote) {
			escape[1] = (char)c;
			put(t, escape, 2);
		} else if (c < 0x20 || c == 0x7f) {
			put(t, escape, 4);
		} else {
			size_t at = i;
			sj_utf8_next(s, &at);
			put(t, s.ptr + i, at - i);
			i = at - 1;
		}
	}
	put(t, &quote, 1);
}

static void put_string(struct text *t, const struct sj_tape *tape, uint32_t cell, struct sj_arena *arena)
{
	struct sj_arena_mark before = sj_arena_mark(arena);
	struct sj_slice s = sj_tape_string(tape, cell, arena);

	put_quoted(t, s.ptr ? s : sj_tape_raw(tape, cell));
	sj_arena_rollback(arena, before);
}

static void put_scalar(struct text *t, const struct sj_tape *tape, uint32_t cell, struct sj_arena *arena)
{
	switch (sj_tape_type(tape, cell)) {
	case SJ_J_NULL:
		puts_text(t, "None");
		break;
	case SJ_J_FALSE:
		puts_text(t, "False");
		break;
	case SJ_J_TRUE:
		puts_text(t, "True");
		break;
	case SJ_J_NUMBER:
		put_slice(t, sj_tape_raw(tape, cell));
		break;
	case SJ_J_STRING:
		put_string(t, tape, cell, arena);
		break;
	case SJ_J_ARRAY:
	case SJ_J_OBJECT:
		puts_text(t, sj_tape_type(tape, cell) == SJ_J_ARRAY ? "[" : "{");
		break;
	}
}

/* A whole value. Each nesting level takes a character of the message, so the stack can be no higher than the message is
 * long. */
static void put_value(struct text *t, const struct sj_tape *tape, uint32_t cell, struct sj_arena *arena)
{
	struct {
		uint32_t end;
		bool object;
	} open[sizeof ((struct sj_schema_fault *)0)->message];
	uint32_t stop = sj_tape_next(tape, cell);
	size_t depth = 0;
	bool first = true;

	for (uint32_t i = cell;; i++) {
		while (depth > 0 && open[depth - 1].end == i) {
			puts_text(t, open[--depth].object ? "}" : "]");
			first = false;
		}
		if (i == stop || t->cut)
			return;
		const struct sj_cell *c = &tape->cells[i];
		bool value_of_key = depth > 0 && open[depth - 1].object && !(c->flags & SJ_CELL_KEY);
		if (value_of_key)
			puts_text(t, ": ");
		else if (!first)
			puts_text(t, ", ");
		put_scalar(t, tape, i, arena);
		first = false;
		if (c->type >= SJ_J_ARRAY && !t->cut) {
			open[depth].end = c->end;
			open[depth++].object = c->type == SJ_J_OBJECT;
			first = true;
		}
	}
}

static const char *const keywords[] = {
#define KEYWORD(name, text) [SJ_SCHEMA_OP_##name] = text,
	SJ_SCHEMA_OPS(KEYWORD)
#undef KEYWORD
	[SJ_SCHEMA_FAULT_TYPE] = "type",
	[SJ_SCHEMA_FAULT_NEVER] = "false",
	[SJ_SCHEMA_FAULT_REQUIRED] = "required",
	[SJ_SCHEMA_FAULT_ADDITIONAL] = "additionalProperties",
	[SJ_SCHEMA_FAULT_DEPENDENCY] = "dependentRequired",
	[SJ_SCHEMA_FAULT_EXTRA_ITEMS] = "items",
	[SJ_SCHEMA_FAULT_UNKNOWN] = "limit",
};

struct writer {
	struct sj_schema_run *r;
	const struct sj_schema_record *f;
	const struct sj_schema_op *op;
	const struct sj_tape *schema; /* the document of the fault's node; NULL for the built-in nodes */
	struct text text;
};

static void put_instance(struct writer *w, uint32_t cell) { put_value(&w->text, w->r->t, cell, w->r->arena); }
static void put_schema(struct writer *w, uint32_t cell) { put_value(&w->text, w->schema, cell, w->r->arena); }

static void put_types(struct text *t, uint8_t types, uint8_t *told)
{
	static const struct {
		uint8_t bits;
		const char *name;
	} names[] = {
		{SJ_SCHEMA_TYPE(SJ_J_STRING), "string"}, {SJ_SCHEMA_INTEGER, "integer"},
		{SJ_SCHEMA_TYPE(SJ_J_NUMBER), "number"}, {SJ_SCHEMA_BOOLEAN, "boolean"},
		{SJ_SCHEMA_TYPE(SJ_J_ARRAY), "array"},   {SJ_SCHEMA_TYPE(SJ_J_OBJECT), "object"},
		{SJ_SCHEMA_TYPE(SJ_J_NULL), "null"},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!(types & names[i].bits) || (*told & names[i].bits) == names[i].bits)
			continue;
		puts_text(t, *told ? ", '" : "'");
		puts_text(t, names[i].name);
		puts_text(t, "'");
		*told |= names[i].bits;
	}
}

/* The type names as the schema lists them. */
static void write_type(struct writer *w)
{
	const struct sj_schema_node *node = &w->r->set->nodes.items[w->f->node];
	uint32_t type = sj_tape_get(w->schema, node->cell, SJ_LIT("type"));

	put_instance(w, w->f->cell);
	puts_text(&w->text, " is not of type ");
	if (sj_tape_type(w->schema, type) == SJ_J_STRING) {
		put_schema(w, type);
		return;
	}
	for (uint32_t i = type + 1; i < sj_tape_next(w->schema, type); i++) {
		if (i > type + 1)
			puts_text(&w->text, ", ");
		put_schema(w, i);
	}
}

/* Branch by branch, each type once. */
static void write_types(struct writer *w)
{
	const struct sj_schema_set *s = w->r->set;
	const struct sj_schema_union *u = &s->unions.items[w->f->at];
	uint8_t told = 0;

	put_instance(w, w->f->cell);
	puts_text(&w->text, " is not of type ");
	for (uint32_t i = 1; i <= s->kids.items[u->all]; i++) {
		const struct sj_schema_node *node = &s->nodes.items[s->kids.items[u->all + i]];
		uint8_t types = node->types & SJ_SCHEMA_INTEGER ? node->types : node->accepts;
		put_types(&w->text, types, &told);
	}
}

/* The strings that tell a union's branches apart, in the order of their symbols, which is the order they were met in.
 */
static void write_pin(struct writer *w)
{
	const struct sj_schema_set *s = w->r->set;
	const struct sj_schema_union *u = &s->unions.items[w->f->at];
	uint32_t last = 0;

	put_instance(w, w->f->cell);
	puts_text(&w->text, " is not one of [");
	while (!w->text.cut) {
		uint32_t next = UINT32_MAX;
		for (uint32_t i = 0; i <= u->mask; i++) {
			uint32_t sym = s->pins.items[u->slots + i].sym;
			if (sym > last && sym < next)
				next = sym;
		}
		if (next == UINT32_MAX)
			break;
		if (last)
			puts_text(&w->text, ", ");
		put_quoted(&w->text, sj_schema_symbol_text(&s->symbols, next));
		last = next;
	}
	puts_text(&w->text, "]");
}

static void write_extra(struct writer *w)
{
	const struct sj_schema_record *f = w->f;

	for (uint32_t i = 0; i < f->extra_count && !w->text.cut; i++) {
		if (i > 0)
			puts_text(&w->text, ", ");
		put_instance(w, f->extra[i]);
	}
}

static void write_additional(struct writer *w)
{
	const struct sj_schema_set *s = w->r->set;
	const struct sj_schema_object *o = &s->objects.items[w->op->a];
	bool one = w->f->extra_count == 1;

	if (o->pattern_count == 0) {
		puts_text(&w->text, "Additional properties are not allowed (");
		write_extra(w);
		puts_text(&w->text, one ? " was unexpected)" : " were unexpected)");
		return;
	}
	write_extra(w);
	puts_text(&w->text, one ? " does not match any of the regexes: " : " do not match any of the regexes: ");
	for (uint32_t i = 0; i < o->pattern_count; i++) {
		if (i > 0)
			puts_text(&w->text, ", ");
		put_quoted(&w->text, s->patterns.items[s->kids.items[o->patterns + 2 * i]].text);
	}
}

static void write_contains(struct writer *w)
{
	if (w->f->at > w->op->c) {
		puts_text(&w->text, "Too many items match the given schema (expected at most ");
		put_u32(&w->text, w->op->c);
		puts_text(&w->text, ")");
	} else if (w->f->at == 0) {
		put_instance(w, w->f->cell);
		puts_text(&w->text, " does not contain items matching the given schema");
	} else {
		puts_text(&w->text, "Too few items match the given schema (expected at least ");
		put_u32(&w->text, w->op->b);
		puts_text(&w->text, " but only ");
		put_u32(&w->text, w->f->at);
		puts_text(&w->text, " matched)");
	}
}

/* "VALUE <middle> LIMIT" */
static void write_pair(struct writer *w, const char *middle)
{
	put_instance(w, w->f->cell);
	puts_text(&w->text, middle);
	put_schema(w, w->op->cell);
}

static void write_size(struct writer *w, const char *one_short, const char *otherwise)
{
	put_instance(w, w->f->cell);
	puts_text(&w->text, w->op->a == 1 && one_short ? one_short : otherwise);
}

static void write_op(struct writer *w)
{
	switch (w->f->kind) {
	case SJ_SCHEMA_OP_CONST:
	case SJ_SCHEMA_OP_CONST_SYM:
		put_schema(w, w->op->cell);
		puts_text(&w->text, " was expected");
		break;
	case SJ_SCHEMA_OP_ENUM:
		write_pair(w, " is not one of ");
		break;
	case SJ_SCHEMA_OP_MINIMUM:
		write_pair(w, " is less than the minimum of ");
		break;
	case SJ_SCHEMA_OP_MAXIMUM:
		write_pair(w, " is greater than the maximum of ");
		break;
	case SJ_SCHEMA_OP_ABOVE:
		write_pair(w, " is less than or equal to the minimum of ");
		break;
	case SJ_SCHEMA_OP_BELOW:
		write_pair(w, " is greater than or equal to the maximum of ");
		break;
	case SJ_SCHEMA_OP_MULTIPLE_OF:
		write_pair(w, " is not a multiple of ");
		break;
	case SJ_SCHEMA_OP_PATTERN:
		write_pair(w, " does not match ");
		break;
	case SJ_SCHEMA_OP_FORMAT:
		write_pair(w, " is not a ");
		break;
	case SJ_SCHEMA_OP_NOT:
		write_pair(w, " should not be valid under ");
		break;
	case SJ_SCHEMA_OP_MIN_LENGTH:
	case SJ_SCHEMA_OP_MIN_ITEMS:
		write_size(w, " should be non-empty", " is too short");
		break;
	case SJ_SCHEMA_OP_MAX_LENGTH:
	case SJ_SCHEMA_OP_MAX_ITEMS:
		write_size(w, NULL, w->op->a == 0 ? " is expected to be empty" : " is too long");
		break;
	case SJ_SCHEMA_OP_MIN_PROPERTIES:
		write_size(w, " should be non-empty", " does not have enough properties");
		break;
	case SJ_SCHEMA_OP_MAX_PROPERTIES:
		write_size(w, NULL, w->op->a == 0 ? " is expected to be empty" : " has too many properties");
		break;
	case SJ_SCHEMA_OP_UNIQUE:
		write_size(w, NULL, " has non-unique elements");
		break;
	case SJ_SCHEMA_OP_CONTAINS:
		write_contains(w);
		break;
	case SJ_SCHEMA_OP_UNEVALUATED_ITEMS:
	case SJ_SCHEMA_OP_UNEVALUATED_PROPERTIES:
		puts_text(&w->text, w->f->kind == SJ_SCHEMA_OP_UNEVALUATED_ITEMS
		                            ? "Unevaluated items are not allowed ("
		                            : "Unevaluated properties are not allowed (");
		write_extra(w);
		puts_text(&w->text, w->f->extra_count == 1 ? " was unexpected)" : " were unexpected)");
		break;
	default:
		write_size(w, NULL, " is not valid under any of the given schemas");
		break;
	}
}

static void write_message(struct writer *w)
{
	const struct sj_schema_record *f = w->f;

	switch (f->kind) {
	case SJ_SCHEMA_FAULT_TYPE:
		write_type(w);
		break;
	case SJ_SCHEMA_FAULT_TYPES:
		write_types(w);
		break;
	case SJ_SCHEMA_FAULT_PIN:
		write_pin(w);
		break;
	case SJ_SCHEMA_FAULT_NEVER:
		puts_text(&w->text, "False schema does not allow ");
		put_instance(w, f->cell);
		break;
	case SJ_SCHEMA_FAULT_REQUIRED:
		put_quoted(&w->text, f->property);
		puts_text(&w->text, " is a required property");
		break;
	case SJ_SCHEMA_FAULT_ADDITIONAL:
		write_additional(w);
		break;
	case SJ_SCHEMA_FAULT_DEPENDENCY:
		put_quoted(&w->text, f->property);
		puts_text(&w->text, " is a dependency of ");
		put_quoted(&w->text, sj_schema_symbol_text(&w->r->set->symbols, f->at));
		break;
	case SJ_SCHEMA_FAULT_MANY:
		put_instance(w, f->cell);
		puts_text(&w->text, " is valid under more than one of the given schemas");
		break;
	case SJ_SCHEMA_FAULT_UNKNOWN:
		put_instance(w, f->cell);
		puts_text(&w->text, " is not valid, but finding out why went beyond the limits");
		break;
	case SJ_SCHEMA_FAULT_EXTRA_ITEMS:
		puts_text(&w->text, "Expected at most ");
		put_u32(&w->text, f->at);
		puts_text(&w->text, f->at == 1 ? " item but found " : " items but found ");
		put_u32(&w->text, w->r->cells[f->cell].len - f->at);
		puts_text(&w->text, " extra");
		break;
	default:
		write_op(w);
		break;
	}
}

static struct sj_slice keyword_of(const struct writer *w)
{
	if (w->f->kind == SJ_SCHEMA_FAULT_PIN || w->f->kind == SJ_SCHEMA_FAULT_TYPES ||
	    w->f->kind == SJ_SCHEMA_FAULT_MANY)
		return sj_slice_of(keywords[w->op->kind]);
	return sj_slice_of(keywords[w->f->kind]);
}

struct sj_schema_record *sj_schema_report_add(struct sj_schema_run *r, uint8_t kind, uint32_t cell, uint32_t node,
                                              uint32_t op)
{
	struct sj_schema_report *report = r->report;
	struct sj_schema_record *f;

	report->count++;
	if (report->kept >= MOST_FAULTS)
		return NULL;
	f = sj_arena_zalloc(r->arena, sizeof *f);
	if (!f) {
		r->status = SJ_NOMEM;
		return NULL;
	}
	f->kind = kind;
	f->cell = cell;
	f->node = node;
	f->op = op;
	*report->last = f;
	report->last = &f->next;
	report->kept++;
	return f;
}

/* Stable, so that faults of one value stay in the order they were found. */
static struct sj_schema_record *sorted(struct sj_schema_record *list)
{
	struct sj_schema_record *out = NULL, **last = &out;

	while (list) {
		struct sj_schema_record *f = list;
		list = f->next;
		struct sj_schema_record **at = out && *last && (*last)->cell <= f->cell ? last : &out;
		while (*at && (*at)->cell <= f->cell)
			at = &(*at)->next;
		f->next = *at;
		*at = f;
		last = at;
	}
	return out;
}

void sj_schema_report_tell(struct sj_schema_run *r, struct sj_schema_report *report, sj_schema_fault_fn fn, void *ctx)
{
	const struct sj_schema_set *s = r->set;

	for (const struct sj_schema_record *f = sorted(report->first); f; f = f->next) {
		const struct sj_schema_node *node = &s->nodes.items[f->node];
		struct sj_schema_fault fault = {.cell = f->cell, .schema_cell = node->cell};
		fault.schema = node->doc == SJ_SCHEMA_NONE ? NULL : &s->docs.items[node->doc].tape;
		struct writer w = {
			.r = r, .f = f, .op = f->op < s->ops.count ? &s->ops.items[f->op] : NULL,
			.schema = fault.schema,
			.text = {.out = fault.message, .cap = sizeof fault.message - sizeof "…"}};
		fault.keyword = keyword_of(&w);
		fault.property = f->property;
		if (f->extra_count > 0 && r->cells[f->cell].type == SJ_J_OBJECT)
			fault.property = sj_tape_string(r->t, f->extra[0], r->arena);
		write_message(&w);
		if (w.text.cut)
			memcpy(fault.message + w.text.len, "…", sizeof "…" - 1);
		if (!fn(ctx, &fault))
			return;
	}
}
