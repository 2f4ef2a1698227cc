#include "base/utf.h"
#include "schema/number.h"
#include "schema/run.h"

/* Which members (by position) or items of one instance were looked at by a keyword that succeeded: what JSON Schema calls
 * annotations. Kept only while an unevaluatedProperties or unevaluatedItems around asks for it. */
struct marks {
	uint64_t *words;
	uint32_t count; /* of words */
	uint64_t one;   /* the words of most instances */
};

static bool run_node(struct sj_schema_run *r, uint32_t n, uint32_t cell, struct marks *m);

uint32_t sj_schema_symbol_slow(struct sj_schema_run *r, uint32_t cell)
{
	const struct sj_schema_symbols *symbols = &r->set->symbols;
	struct sj_arena_mark before = sj_arena_mark(r->arena);
	uint32_t sym = SJ_SCHEMA_SYM_FOREIGN;

	if (r->cells[cell].type == SJ_J_STRING) {
		struct sj_slice text = sj_tape_raw(r->t, cell);
		if (r->cells[cell].flags & SJ_CELL_ESCAPED && text.len <= symbols->longest * 6) {
			text = sj_tape_string(r->t, cell, r->arena);
			if (!text.ptr) {
				r->status = SJ_NOMEM;
				return sym;
			}
		}
		sym = sj_schema_symbol_find(symbols, text);
		sj_arena_rollback(r->arena, before);
	}
	r->syms[cell - r->low] = sym;
	return sym;
}

/* Marks. */

static bool marks_init(struct sj_schema_run *r, struct marks *m, uint32_t bits)
{
	m->count = bits / 64 + 1;
	m->one = 0;
	m->words = &m->one;
	if (m->count > 1) {
		if (!sj_schema_spend(r, m->count))
			return false;
		m->words = sj_arena_zalloc(r->arena, m->count * sizeof *m->words);
		if (!m->words)
			r->status = SJ_NOMEM;
	}
	return m->words != NULL;
}

static void mark(struct marks *m, uint32_t i) { m->words[i / 64] |= UINT64_C(1) << (i & 63); }
static bool marked(const struct marks *m, uint32_t i) { return m->words[i / 64] >> (i & 63) & 1; }

static void marks_add(struct marks *to, const struct marks *from)
{
	for (uint32_t i = 0; i < to->count; i++)
		to->words[i] |= from->words[i];
}

static uint32_t item_count(const struct sj_schema_run *r, uint32_t cell) { return r->cells[cell].len; }

/* Reports. */

static bool fail(struct sj_schema_run *r, uint8_t kind, uint32_t cell, uint32_t node, uint32_t op)
{
	if (r->report)
		sj_schema_report_add(r, kind, cell, node, op);
	return false;
}

static bool type_fits(const struct sj_schema_run *r, const struct sj_schema_node *node, uint32_t cell)
{
	uint8_t type = r->cells[cell].type;

	if (node->types >> type & 1)
		return true;
	return type == SJ_J_NUMBER && node->types & SJ_SCHEMA_INTEGER && sj_schema_number_integral(sj_tape_raw(r->t, cell));
}

/* Node `n` on a value; `m` may be NULL. When a report is being made, a wrong type ends the node: the rest would be noise. */
static inline bool check(struct sj_schema_run *r, uint32_t n, uint32_t cell, struct marks *m)
{
	const struct sj_schema_node *node = &r->set->nodes.items[n];

	if (!type_fits(r, node, cell))
		return fail(r, n == SJ_SCHEMA_FALSE ? SJ_SCHEMA_FAULT_NEVER : SJ_SCHEMA_FAULT_TYPE, cell, n, 0);
	return node->op_count == 0 || run_node(r, n, cell, m);
}

/* The same without reporting, for schemas whose failure is no fault: not, if, contains. */
static bool check_quietly(struct sj_schema_run *r, uint32_t n, uint32_t cell, struct marks *m)
{
	struct sj_schema_report *report = r->report;

	r->report = NULL;
	bool ok = check(r, n, cell, m);
	r->report = report;
	return ok && r->status == SJ_OK;
}

/* Whether to leave the keyword: at the first fault without a report, and always when the run is over. */
static bool over(const struct sj_schema_run *r) { return !r->report || r->status != SJ_OK; }

/* Value cell of the member with this symbol; 0 when absent. */
static uint32_t member(struct sj_schema_run *r, uint32_t object, uint32_t sym)
{
	uint32_t end = r->cells[object].end;

	for (uint32_t key = object + 1; key < end; key = r->cells[key + 1].end)
		if (sj_schema_symbol_at(r, key) == sym)
			return key + 1;
	return 0;
}

/* Objects. */

static uint32_t slot_of(uint32_t sym, uint32_t mask) { return sym * 0x9e3779b1u >> 7 & mask; }

static const struct sj_schema_prop *find_prop(const struct sj_schema_set *s, const struct sj_schema_object *o, uint32_t sym)
{
	const struct sj_schema_prop *props = s->props.items + o->slots;

	for (uint32_t slot = slot_of(sym, o->mask); props[slot].sym; slot = (slot + 1) & o->mask)
		if (props[slot].sym == sym)
			return &props[slot];
	return NULL;
}

/* A string's decoded text, which may lie in the arena; false ends the run. */
static bool text_at(struct sj_schema_run *r, uint32_t cell, struct sj_slice *text)
{
	if (!sj_schema_spend(r, 1 + r->cells[cell].len / 64))
		return false;
	*text = sj_tape_string(r->t, cell, r->arena);
	if (!text->ptr)
		r->status = SJ_NOMEM;
	return text->ptr != NULL;
}

static bool search(struct sj_schema_run *r, uint32_t pattern, struct sj_slice text, bool *found)
{
	enum sj_status status;

	*found = false;
	if (!sj_schema_spend(r, 1 + text.len / 64))
		return false;
	status = sj_regex_search(r->set->patterns.items[pattern].regex, text, found, NULL);
	if (status != SJ_OK)
		r->status = status == SJ_NOMEM ? SJ_NOMEM : SJ_LIMIT;
	return status == SJ_OK;
}

/* patternProperties for one member. */
static bool run_patterns(struct sj_schema_run *r, const struct sj_schema_object *o, uint32_t key, bool *known)
{
	struct sj_arena_mark before = sj_arena_mark(r->arena);
	struct sj_slice name;
	bool ok = true, found;

	if (!text_at(r, key, &name))
		return false;
	for (uint32_t i = 0; i < o->pattern_count; i++) {
		if (!search(r, r->set->kids.items[o->patterns + 2 * i], name, &found))
			return false;
		if (!found)
			continue;
		*known = true;
		ok = check(r, r->set->kids.items[o->patterns + 2 * i + 1], key + 1, NULL) && ok;
		if (!ok && over(r))
			return false;
	}
	if (!r->report) /* whose records live in the arena too */
		sj_arena_rollback(r->arena, before);
	return ok;
}

static bool add_extra(struct sj_schema_run *r, struct sj_schema_record *record, uint32_t cell, uint32_t room)
{
	if (!record)
		return true;
	if (!record->extra) {
		record->extra = sj_arena_alloc(r->arena, room * sizeof *record->extra);
		if (!record->extra) {
			r->status = SJ_NOMEM;
			return false;
		}
	}
	record->extra[record->extra_count++] = cell;
	return true;
}

static bool check_required(struct sj_schema_run *r, const struct sj_schema_object *o, uint32_t cell, uint64_t seen,
                           uint32_t node, uint32_t op)
{
	bool ok = true;

	if (o->required_count == 0 || (o->required_bits && (seen & o->required_bits) == o->required_bits))
		return true;
	if (o->required_bits && !r->report)
		return false;
	if (!sj_schema_spend(r, (uint64_t)o->required_count * (r->cells[cell].len + 1)))
		return false;
	for (uint32_t i = 0; i < o->required_count; i++) {
		uint32_t sym = r->set->kids.items[o->required + i];
		if (member(r, cell, sym))
			continue;
		ok = false;
		if (!r->report)
			return false;
		struct sj_schema_record *record = sj_schema_report_add(r, SJ_SCHEMA_FAULT_REQUIRED, cell, node, op);
		if (record)
			record->property = sj_schema_symbol_text(&r->set->symbols, sym);
	}
	return ok;
}

static bool run_object(struct sj_schema_run *r, uint32_t node, uint32_t op, uint32_t cell, struct marks *m)
{
	const struct sj_schema_set *s = r->set;
	const struct sj_schema_object *o = &s->objects.items[s->ops.items[op].a];
	uint32_t end = r->cells[cell].end, i = 0;
	struct sj_schema_record *extra = NULL;
	uint64_t seen = 0;
	bool ok = true, told = false;

	if (!sj_schema_spend(r, r->cells[cell].len))
		return false;
	for (uint32_t key = cell + 1; key < end; key = r->cells[key + 1].end, i++) {
		uint32_t sym = sj_schema_symbol_at(r, key);
		const struct sj_schema_prop *prop = sym == SJ_SCHEMA_SYM_FOREIGN ? NULL : find_prop(s, o, sym);
		bool known = false;
		if (prop) {
			seen |= prop->bit;
			if (prop->node != SJ_SCHEMA_NONE) {
				known = true;
				ok = check(r, prop->node, key + 1, NULL) && ok;
			}
		}
		if (o->pattern_count)
			ok = run_patterns(r, o, key, &known) && ok;
		if (!known && o->additional != SJ_SCHEMA_NONE) {
			known = true;
			if (o->additional == SJ_SCHEMA_FALSE) {
				ok = false;
				if (r->report && !told)
					extra = sj_schema_report_add(r, SJ_SCHEMA_FAULT_ADDITIONAL, cell, node, op);
				told = true;
				add_extra(r, extra, key, r->cells[cell].len);
			} else {
				ok = check(r, o->additional, key + 1, NULL) && ok;
			}
		}
		if (o->names != SJ_SCHEMA_NONE)
			ok = check(r, o->names, key, NULL) && ok;
		if (!ok && over(r))
			return false;
		if (known && m)
			mark(m, i);
	}
	return check_required(r, o, cell, seen, node, op) && ok;
}

static bool run_dependent_required(struct sj_schema_run *r, uint32_t node, uint32_t op, uint32_t cell)
{
	const uint32_t *kids = r->set->kids.items + r->set->ops.items[op].a;
	uint32_t triggers = *kids++;
	bool ok = true;

	for (uint32_t i = 0; i < triggers; i++) {
		uint32_t trigger = kids[0], count = kids[1];
		kids += 2;
		if (!sj_schema_spend(r, (uint64_t)(count + 1) * (r->cells[cell].len + 1)))
			return false;
		for (uint32_t k = 0; member(r, cell, trigger) && k < count; k++) {
			if (member(r, cell, kids[k]))
				continue;
			ok = false;
			if (!r->report)
				return false;
			struct sj_schema_record *record = sj_schema_report_add(r, SJ_SCHEMA_FAULT_DEPENDENCY, cell, node, op);
			if (record) {
				record->property = sj_schema_symbol_text(&r->set->symbols, kids[k]);
				record->at = trigger;
			}
		}
		kids += count;
	}
	return ok;
}

static bool run_dependent_schemas(struct sj_schema_run *r, const struct sj_schema_op *op, uint32_t cell, struct marks *m)
{
	const uint32_t *kids = r->set->kids.items + op->a;
	bool ok = true;

	for (uint32_t i = 0; i < op->b; i++, kids += 2) {
		if (!sj_schema_spend(r, r->cells[cell].len + 1))
			return false;
		if (!member(r, cell, kids[0]))
			continue;
		ok = check(r, kids[1], cell, m) && ok;
		if (!ok && over(r))
			return false;
	}
	return ok;
}

/* Arrays. */

static bool run_items(struct sj_schema_run *r, uint32_t node, uint32_t op_index, uint32_t cell, struct marks *m)
{
	const struct sj_schema_op *op = &r->set->ops.items[op_index];
	uint32_t end = r->cells[cell].end, i = 0;
	bool ok = true;

	if (!sj_schema_spend(r, r->cells[cell].len))
		return false;
	for (uint32_t item = cell + 1; item < end; item = r->cells[item].end, i++) {
		uint32_t n = i < op->b ? r->set->kids.items[op->a + i] : op->c;
		if (n == SJ_SCHEMA_NONE)
			break;
		if (n == SJ_SCHEMA_FALSE && i >= op->b) {
			struct sj_schema_record *record =
				r->report ? sj_schema_report_add(r, SJ_SCHEMA_FAULT_EXTRA_ITEMS, cell, node, op_index) : NULL;
			if (record)
				record->at = op->b;
			return false;
		}
		ok = check(r, n, item, NULL) && ok;
		if (!ok && over(r))
			return false;
		if (m)
			mark(m, i);
	}
	return ok;
}

static bool run_contains(struct sj_schema_run *r, uint32_t node, uint32_t op_index, uint32_t cell, struct marks *m)
{
	const struct sj_schema_op *op = &r->set->ops.items[op_index];
	uint32_t end = r->cells[cell].end, i = 0, found = 0;

	if (!sj_schema_spend(r, r->cells[cell].len))
		return false;
	for (uint32_t item = cell + 1; item < end; item = r->cells[item].end, i++) {
		if (!check_quietly(r, op->a, item, NULL)) {
			if (r->status != SJ_OK)
				return false;
			continue;
		}
		found++;
		if (m)
			mark(m, i);
		else if (found >= op->b && op->c == UINT32_MAX)
			return true;
		if (found > op->c)
			break;
	}
	if (found >= op->b && found <= op->c)
		return true;
	if (r->report) {
		struct sj_schema_record *record = sj_schema_report_add(r, SJ_SCHEMA_OP_CONTAINS, cell, node, op_index);
		if (record)
			record->at = found;
	}
	return false;
}

/* oneOf and anyOf. */

/* The list of branches worth trying. */
static uint32_t branches_for(struct sj_schema_run *r, const struct sj_schema_union *u, uint32_t cell)
{
	const struct sj_schema_set *s = r->set;

	if (s->plain)
		return u->all;
	if (!u->pin || r->cells[cell].type != SJ_J_OBJECT)
		return u->by_type[r->cells[cell].type];
	uint32_t value = member(r, cell, u->pin);
	if (!value)
		return u->by_type[SJ_J_OBJECT];
	uint32_t sym = sj_schema_symbol_at(r, value);
	const struct sj_schema_pin *pins = s->pins.items + u->slots;
	for (uint32_t slot = slot_of(sym, u->mask); pins[slot].sym; slot = (slot + 1) & u->mask)
		if (pins[slot].sym == sym)
			return pins[slot].list;
	return u->unpinned;
}

/* How far a branch is from fitting; compared member by member, smaller is closer. */
struct distance {
	uint32_t type;    /* the instance is of a wrong type altogether */
	uint32_t pinned;  /* a member that is another constant than the branch wants */
	uint32_t shallow; /* faults of the instance itself: names missing or unexpected */
	uint32_t all;
};

static struct distance distance_of(struct sj_schema_run *r, const struct sj_schema_report *report, uint32_t cell)
{
	struct distance d = {.all = report->count};

	for (const struct sj_schema_record *f = report->first; f; f = f->next) {
		bool is_const = f->kind == SJ_SCHEMA_OP_CONST || f->kind == SJ_SCHEMA_OP_CONST_SYM ||
		                f->kind == SJ_SCHEMA_OP_ENUM || f->kind == SJ_SCHEMA_FAULT_PIN;
		if (f->cell == cell) {
			d.shallow++;
			d.type += f->kind == SJ_SCHEMA_FAULT_TYPE || f->kind == SJ_SCHEMA_FAULT_TYPES ||
			          f->kind == SJ_SCHEMA_FAULT_NEVER;
		} else if (is_const && r->cells[cell].type == SJ_J_OBJECT) {
			for (uint32_t key = cell + 1; key < f->cell; key = r->cells[key + 1].end)
				d.pinned += key + 1 == f->cell;
		}
	}
	return d;
}

static bool is_closer(const struct distance *a, const struct distance *b)
{
	if ((a->type > 0) != (b->type > 0))
		return a->type == 0;
	if ((a->pinned > 0) != (b->pinned > 0))
		return a->pinned == 0;
	if (a->shallow != b->shallow)
		return a->shallow < b->shallow;
	return a->all < b->all;
}

/* Tries every branch for the report and keeps the faults of the closest. Answers how many fit. */
static uint32_t explain_union(struct sj_schema_run *r, const struct sj_schema_union *u, uint32_t index, uint32_t node,
                              uint32_t op, uint32_t cell, struct marks *m)
{
	struct sj_schema_report *outer = r->report, best = {0};
	struct distance closest = {0};
	struct marks best_marks = {0};
	uint32_t fits = 0, value = u->pin && r->cells[cell].type == SJ_J_OBJECT ? member(r, cell, u->pin) : 0;
	uint32_t list = branches_for(r, u, cell);
	bool pinned = value && !r->set->plain && list == u->unpinned && r->set->kids.items[list] == 0;

	if (r->set->kids.items[list] == 0)
		list = u->all;
	for (uint32_t i = 1; i <= r->set->kids.items[list] && r->status == SJ_OK; i++) {
		struct sj_schema_report mine = {.last = &mine.first};
		struct marks tried = {0};
		if (m && !marks_init(r, &tried, item_count(r, cell)))
			break;
		mine.kept = outer->kept;
		r->report = &mine;
		bool ok = check(r, r->set->kids.items[list + i], cell, m ? &tried : NULL);
		r->report = outer;
		if (ok) {
			fits++;
			if (m)
				marks_add(m, &tried);
			continue;
		}
		struct distance d = distance_of(r, &mine, cell);
		if (i == 1 || best.count == 0 || is_closer(&d, &closest)) {
			closest = d;
			best = mine;
			best_marks = tried;
			if (best_marks.count == 1)
				best_marks.words = NULL; /* it pointed into a copy that is gone */
		}
	}
	if (fits > 0 || r->status != SJ_OK)
		return fits;
	if (m) { /* what the closest branch looked at is no surprise to unevaluatedProperties */
		if (!best_marks.words)
			best_marks.words = &best_marks.one;
		if (best_marks.count == m->count)
			marks_add(m, &best_marks);
	}
	if (pinned || closest.type > 0) {
		struct sj_schema_record *record = sj_schema_report_add(
			r, pinned ? SJ_SCHEMA_FAULT_PIN : SJ_SCHEMA_FAULT_TYPES, pinned ? value : cell, node, op);
		if (record)
			record->at = index;
	} else if (best.first) {
		*outer->last = best.first;
		outer->last = best.last;
		outer->count += best.count;
		outer->kept = best.kept;
	} else {
		sj_schema_report_add(r, r->set->ops.items[op].kind, cell, node, op);
	}
	return fits;
}

static bool run_any_of(struct sj_schema_run *r, uint32_t node, uint32_t op, uint32_t cell, struct marks *m)
{
	const struct sj_schema_set *s = r->set;
	uint32_t index = s->ops.items[op].a;
	const struct sj_schema_union *u = &s->unions.items[index];
	struct sj_schema_report *report = r->report;
	bool ok = false;

	r->report = NULL;
	uint32_t list = branches_for(r, u, cell), count = s->kids.items[list];
	for (uint32_t i = 1; i <= count && r->status == SJ_OK && (m || !ok); i++) {
		struct marks tried;
		if (m && !marks_init(r, &tried, item_count(r, cell)))
			break;
		if (!check(r, s->kids.items[list + i], cell, m ? &tried : NULL))
			continue;
		ok = true;
		if (m)
			marks_add(m, &tried);
	}
	r->report = report;
	if (!ok && report && r->status == SJ_OK)
		explain_union(r, u, index, node, op, cell, m);
	return ok && r->status == SJ_OK;
}

static bool run_one_of(struct sj_schema_run *r, uint32_t node, uint32_t op, uint32_t cell, struct marks *m)
{
	const struct sj_schema_set *s = r->set;
	uint32_t index = s->ops.items[op].a, fits = 0;
	const struct sj_schema_union *u = &s->unions.items[index];
	struct sj_schema_report *report = r->report;

	r->report = NULL;
	uint32_t list = branches_for(r, u, cell), count = s->kids.items[list];
	for (uint32_t i = 1; i <= count && r->status == SJ_OK && fits < 2; i++) {
		struct marks tried;
		if (m && !marks_init(r, &tried, item_count(r, cell)))
			break;
		if (!check(r, s->kids.items[list + i], cell, m ? &tried : NULL))
			continue;
		fits++;
		if (m)
			marks_add(m, &tried);
	}
	r->report = report;
	if (fits != 1 && report && r->status == SJ_OK) {
		if (fits == 0)
			explain_union(r, u, index, node, op, cell, m);
		else
			sj_schema_report_add(r, SJ_SCHEMA_FAULT_MANY, cell, node, op);
	}
	return fits == 1 && r->status == SJ_OK;
}

/* Everything else in place. */

static bool run_if(struct sj_schema_run *r, const struct sj_schema_op *op, uint32_t cell, struct marks *m)
{
	struct marks tried;

	if (m && !marks_init(r, &tried, item_count(r, cell)))
		return false;
	bool holds = check_quietly(r, op->a, cell, m ? &tried : NULL);
	if (r->status != SJ_OK)
		return false;
	if (holds && m)
		marks_add(m, &tried);
	return check(r, holds ? op->b : op->c, cell, m);
}

/* The outermost resource in scope that declares the anchor decides; the static target when none does. */
static uint32_t dynamic_target(const struct sj_schema_run *r, const struct sj_schema_op *op)
{
	for (uint32_t i = 0; i < r->scope_count; i++) {
		uint32_t node = sj_map64_get(&r->set->dynamic_at, (uint64_t)r->scope[i] << 32 | op->b);
		if (node != SJ_MAP_NONE)
			return node;
	}
	return op->a;
}

static bool run_unevaluated(struct sj_schema_run *r, uint32_t node, uint32_t op_index, uint32_t cell, struct marks *m)
{
	const struct sj_schema_op *op = &r->set->ops.items[op_index];
	uint32_t end = r->cells[cell].end, i = 0;
	bool keyed = r->cells[cell].type == SJ_J_OBJECT, ok = true;
	struct sj_schema_record *extra = NULL;
	bool told = false;

	if (!sj_schema_spend(r, r->cells[cell].len))
		return false;
	for (uint32_t at = cell + 1; at < end; i++) {
		uint32_t value = at + keyed;
		if (!marked(m, i)) {
			if (op->a == SJ_SCHEMA_FALSE) {
				ok = false;
				if (r->report && !told)
					extra = sj_schema_report_add(r, op->kind, cell, node, op_index);
				told = true;
				add_extra(r, extra, at, r->cells[cell].len);
			} else {
				ok = check(r, op->a, value, NULL) && ok;
			}
			if (!ok && over(r))
				return false;
			mark(m, i);
		}
		at = r->cells[value].end;
	}
	return ok;
}

/* Scalars. */

static bool equals_const(struct sj_schema_run *r, const struct sj_schema_node *node, uint32_t want, uint32_t cell)
{
	const struct sj_tape *t = &r->set->docs.items[node->doc].tape;
	const struct sj_cell *a = &t->cells[want], *b = &r->cells[cell];

	if (a->type != b->type || (a->type >= SJ_J_ARRAY && a->len != b->len))
		return false;
	if (a->type == SJ_J_NUMBER) {
		struct sj_schema_number x, y;
		sj_schema_number_read(sj_tape_raw(t, want), &x);
		sj_schema_number_read(sj_tape_raw(r->t, cell), &y);
		return sj_schema_number_cmp(&x, &y) == 0;
	}
	return sj_schema_spend(r, b->end - cell) && sj_tape_equal(t, want, r->t, cell);
}

static bool in_enum(struct sj_schema_run *r, const struct sj_schema_node *node, const struct sj_schema_op *op, uint32_t cell)
{
	if (r->cells[cell].type == SJ_J_STRING) {
		uint32_t sym = sj_schema_symbol_at(r, cell);
		const uint32_t *slots = r->set->enums.items + op->a;
		for (uint32_t slot = slot_of(sym, op->b); slots[slot]; slot = (slot + 1) & op->b)
			if (slots[slot] == sym)
				return true;
		return false;
	}
	const struct sj_tape *t = &r->set->docs.items[node->doc].tape;
	for (uint32_t i = op->cell + 1; op->c && i < sj_tape_next(t, op->cell) && r->status == SJ_OK; i = sj_tape_next(t, i))
		if (equals_const(r, node, i, cell))
			return true;
	return false;
}

static bool number_holds(struct sj_schema_run *r, const struct sj_schema_node *node, const struct sj_schema_op *op, uint32_t cell)
{
	struct sj_schema_number limit, value;

	sj_schema_number_read(sj_tape_raw(&r->set->docs.items[node->doc].tape, op->cell), &limit);
	sj_schema_number_read(sj_tape_raw(r->t, cell), &value);
	if (op->kind == SJ_SCHEMA_OP_MULTIPLE_OF)
		return sj_schema_number_multiple(&value, &limit);
	int order = sj_schema_number_cmp(&value, &limit);
	switch (op->kind) {
	case SJ_SCHEMA_OP_MINIMUM:
		return order >= 0;
	case SJ_SCHEMA_OP_MAXIMUM:
		return order <= 0;
	case SJ_SCHEMA_OP_ABOVE:
		return order > 0;
	default:
		return order < 0;
	}
}

/* Characters are code points. */
static bool length_holds(const struct sj_schema_op *op, struct sj_slice text)
{
	if (op->kind == SJ_SCHEMA_OP_MAX_LENGTH && text.len <= op->a)
		return true;
	if (op->kind == SJ_SCHEMA_OP_MIN_LENGTH && text.len < op->a)
		return false;
	size_t count = sj_utf8_count(text);
	return op->kind == SJ_SCHEMA_OP_MAX_LENGTH ? count <= op->a : count >= op->a;
}

static bool format_holds(struct sj_schema_run *r, const struct sj_schema_op *op, struct sj_slice text)
{
	struct sj_regex *regex;

	if (op->a != SJ_SCHEMA_FORMAT_REGEX)
		return sj_schema_format_check(op->a, text);
	enum sj_status status = sj_regex_compile(r->set->mem, text, &r->set->limits, &regex, NULL);
	if (status == SJ_OK)
		sj_regex_destroy(regex);
	else if (status == SJ_NOMEM)
		r->status = SJ_NOMEM;
	return status == SJ_OK;
}

/* The keywords that read a string's text, which is decoded for them and dropped again. */
static bool text_holds(struct sj_schema_run *r, const struct sj_schema_op *op, uint32_t cell)
{
	struct sj_arena_mark before = sj_arena_mark(r->arena);
	struct sj_slice text;
	bool ok = false;

	if (!text_at(r, cell, &text))
		return false;
	if (op->kind == SJ_SCHEMA_OP_PATTERN)
		search(r, op->a, text, &ok);
	else
		ok = op->kind == SJ_SCHEMA_OP_FORMAT ? format_holds(r, op, text) : length_holds(op, text);
	sj_arena_rollback(r->arena, before);
	return ok;
}

static bool run_scalar(struct sj_schema_run *r, const struct sj_schema_node *node, const struct sj_schema_op *op, uint32_t cell)
{
	switch (op->kind) {
	case SJ_SCHEMA_OP_CONST:
		return equals_const(r, node, op->cell, cell);
	case SJ_SCHEMA_OP_CONST_SYM:
		return r->cells[cell].type == SJ_J_STRING && sj_schema_symbol_at(r, cell) == op->a;
	case SJ_SCHEMA_OP_ENUM:
		return in_enum(r, node, op, cell);
	case SJ_SCHEMA_OP_MINIMUM:
	case SJ_SCHEMA_OP_MAXIMUM:
	case SJ_SCHEMA_OP_ABOVE:
	case SJ_SCHEMA_OP_BELOW:
	case SJ_SCHEMA_OP_MULTIPLE_OF:
		return number_holds(r, node, op, cell);
	case SJ_SCHEMA_OP_MIN_LENGTH:
	case SJ_SCHEMA_OP_MAX_LENGTH:
	case SJ_SCHEMA_OP_PATTERN:
	case SJ_SCHEMA_OP_FORMAT:
		return text_holds(r, op, cell);
	case SJ_SCHEMA_OP_MIN_ITEMS:
	case SJ_SCHEMA_OP_MIN_PROPERTIES:
		return r->cells[cell].len >= op->a;
	case SJ_SCHEMA_OP_MAX_ITEMS:
	case SJ_SCHEMA_OP_MAX_PROPERTIES:
		return r->cells[cell].len <= op->a;
	case SJ_SCHEMA_OP_UNIQUE:
		return sj_schema_unique(r, cell);
	default:
		return true;
	}
}

static bool run_op(struct sj_schema_run *r, uint32_t n, uint32_t index, uint32_t cell, struct marks *m)
{
	const struct sj_schema_node *node = &r->set->nodes.items[n];
	const struct sj_schema_op *op = &r->set->ops.items[index];
	bool ok = true;

	switch (op->kind) {
	case SJ_SCHEMA_OP_OBJECT:
		return run_object(r, n, index, cell, m);
	case SJ_SCHEMA_OP_DEPENDENT_REQUIRED:
		return run_dependent_required(r, n, index, cell);
	case SJ_SCHEMA_OP_DEPENDENT_SCHEMAS:
		return run_dependent_schemas(r, op, cell, m);
	case SJ_SCHEMA_OP_ITEMS:
		return run_items(r, n, index, cell, m);
	case SJ_SCHEMA_OP_CONTAINS:
		return run_contains(r, n, index, cell, m);
	case SJ_SCHEMA_OP_REF:
		return check(r, op->a, cell, m);
	case SJ_SCHEMA_OP_DYNAMIC_REF:
		return check(r, dynamic_target(r, op), cell, m);
	case SJ_SCHEMA_OP_ALL_OF:
		for (uint32_t i = 0; i < op->b; i++) {
			ok = check(r, r->set->kids.items[op->a + i], cell, m) && ok;
			if (!ok && over(r))
				return false;
		}
		return ok;
	case SJ_SCHEMA_OP_ANY_OF:
		return run_any_of(r, n, index, cell, m);
	case SJ_SCHEMA_OP_ONE_OF:
		return run_one_of(r, n, index, cell, m);
	case SJ_SCHEMA_OP_NOT:
		if (!check_quietly(r, op->a, cell, NULL))
			return r->status == SJ_OK;
		return fail(r, op->kind, cell, n, index);
	case SJ_SCHEMA_OP_IF:
		return run_if(r, op, cell, m);
	case SJ_SCHEMA_OP_UNEVALUATED_ITEMS:
	case SJ_SCHEMA_OP_UNEVALUATED_PROPERTIES:
		return run_unevaluated(r, n, index, cell, m);
	default:
		return run_scalar(r, node, op, cell) || fail(r, op->kind, cell, n, index);
	}
}

/* All ops of a node. Recursion goes with the schema and is cut at limits.schema_depth. */
static bool run_node(struct sj_schema_run *r, uint32_t n, uint32_t cell, struct marks *outer)
{
	const struct sj_schema_node *node = &r->set->nodes.items[n];
	const struct sj_schema_op *ops = r->set->ops.items + node->op;
	uint8_t type = r->cells[cell].type, last = ops[node->op_count - 1].kind;
	bool container = type >= SJ_J_ARRAY, scoped = false, ok = true;
	struct marks own, *m = container ? outer : NULL;

	if (r->depth == 0 || !sj_schema_spend(r, 1)) {
		r->status = SJ_LIMIT;
		return false;
	}
	r->depth--;
	if (r->scope && (r->scope_count == 0 || r->scope[r->scope_count - 1] != node->resource)) {
		r->scope[r->scope_count++] = node->resource;
		scoped = true;
	}
	if (container && last >= SJ_SCHEMA_OP_UNEVALUATED_ITEMS && r->cells[cell].len > 0) {
		/* Its own unevaluated... sees what its own keywords looked at, not what its neighbours did. */
		if (marks_init(r, &own, item_count(r, cell)))
			m = &own;
		else
			ok = false;
	}
	for (uint32_t i = 0; i < node->op_count && r->status == SJ_OK; i++) {
		if (!(ops[i].on >> type & 1))
			continue;
		if (!run_op(r, n, node->op + i, cell, m)) {
			ok = false;
			if (over(r))
				break;
		}
	}
	if (m == &own && outer)
		marks_add(outer, &own);
	r->scope_count -= scoped;
	r->depth++;
	return ok && r->status == SJ_OK;
}

static bool start(struct sj_schema_run *r, const struct sj_schema *schema, uint32_t cell, struct sj_schema_report *report)
{
	r->steps = r->set->limits.schema_steps;
	r->depth = r->set->limits.schema_depth;
	r->scope_count = 0;
	r->report = report;
	r->status = SJ_OK;
	return check(r, schema->node, cell, NULL);
}

enum sj_status sj_schema_validate(const struct sj_schema *schema, const struct sj_tape *t, uint32_t cell,
                                  struct sj_arena *arena, sj_schema_fault_fn fn, void *ctx)
{
	const struct sj_schema_set *s = schema->set;
	struct sj_arena_mark mark_before = sj_arena_mark(arena);
	struct sj_schema_run r = {.set = s, .t = t, .cells = t->cells, .low = cell, .arena = arena};
	enum sj_status status = SJ_NOMEM;

	r.syms = sj_arena_zalloc(arena, (t->cells[cell].end - cell) * sizeof *r.syms);
	if (s->dynamic_names.count)
		r.scope = sj_arena_alloc(arena, (s->limits.schema_depth + 1) * sizeof *r.scope);
	if (r.syms && (r.scope || !s->dynamic_names.count)) {
		bool ok = start(&r, schema, cell, NULL);
		status = r.status != SJ_OK ? r.status : ok ? SJ_OK : SJ_INVALID;
		if (status == SJ_INVALID && fn) {
			struct sj_schema_report report = {.last = &report.first};
			start(&r, schema, cell, &report);
			if (r.status == SJ_NOMEM)
				status = SJ_NOMEM;
			else
				sj_schema_report_tell(&r, &report, fn, ctx);
		}
	}
	sj_arena_rollback(arena, mark_before);
	return status;
}
