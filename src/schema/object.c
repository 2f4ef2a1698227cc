/* The keywords that look at the members of an object, and what is left over when all others have looked. */
#include "schema/run.h"

uint32_t sj_schema_member(struct sj_schema_run *r, uint32_t object, uint32_t sym)
{
	uint32_t end = r->cells[object].end;

	for (uint32_t key = object + 1; key < end; key = r->cells[key + 1].end)
		if (sj_schema_symbol_at(r, key) == sym)
			return key + 1;
	return 0;
}

static const struct sj_schema_prop *find_prop(const struct sj_schema_set *s, const struct sj_schema_object *o,
                                              uint32_t sym)
{
	const struct sj_schema_prop *props = s->props.items + o->slots;

	for (uint32_t slot = sj_schema_slot(sym, o->mask); props[slot].sym; slot = (slot + 1) & o->mask)
		if (props[slot].sym == sym)
			return &props[slot];
	return NULL;
}

/* patternProperties for one member. */
static bool run_patterns(struct sj_schema_run *r, const struct sj_schema_object *o, uint32_t key, bool *known)
{
	struct sj_arena_mark before = sj_arena_mark(r->arena);
	struct sj_slice name;
	bool ok = true, found;

	if (!sj_schema_text_at(r, key, &name))
		return false;
	for (uint32_t i = 0; i < o->pattern_count; i++) {
		if (!sj_schema_search(r, r->set->kids.items[o->patterns + 2 * i], name, &found))
			return false;
		if (!found)
			continue;
		*known = true;
		ok = sj_schema_check(r, r->set->kids.items[o->patterns + 2 * i + 1], key + 1, NULL) && ok;
		if (!ok && sj_schema_over(r))
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
		if (sj_schema_member(r, cell, sym))
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

bool sj_schema_run_object(struct sj_schema_run *r, uint32_t node, uint32_t op, uint32_t cell, struct sj_schema_marks *m)
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
				ok = sj_schema_check(r, prop->node, key + 1, NULL) && ok;
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
				ok = sj_schema_check(r, o->additional, key + 1, NULL) && ok;
			}
		}
		if (o->names != SJ_SCHEMA_NONE)
			ok = sj_schema_check(r, o->names, key, NULL) && ok;
		if (!ok && sj_schema_over(r))
			return false;
		if (known && m)
			sj_schema_mark(m, i);
	}
	return check_required(r, o, cell, seen, node, op) && ok;
}

bool sj_schema_run_dependent_required(struct sj_schema_run *r, uint32_t node, uint32_t op, uint32_t cell)
{
	const uint32_t *kids = r->set->kids.items + r->set->ops.items[op].a;
	uint32_t triggers = *kids++;
	bool ok = true;

	for (uint32_t i = 0; i < triggers; i++) {
		uint32_t trigger = kids[0], count = kids[1];
		kids += 2;
		if (!sj_schema_spend(r, (uint64_t)(count + 1) * (r->cells[cell].len + 1)))
			return false;
		for (uint32_t k = 0; sj_schema_member(r, cell, trigger) && k < count; k++) {
			if (sj_schema_member(r, cell, kids[k]))
				continue;
			ok = false;
			if (!r->report)
				return false;
			struct sj_schema_record *record =
				sj_schema_report_add(r, SJ_SCHEMA_FAULT_DEPENDENCY, cell, node, op);
			if (record) {
				record->property = sj_schema_symbol_text(&r->set->symbols, kids[k]);
				record->at = trigger;
			}
		}
		kids += count;
	}
	return ok;
}

bool sj_schema_run_dependent_schemas(struct sj_schema_run *r, const struct sj_schema_op *op, uint32_t cell,
                                     struct sj_schema_marks *m)
{
	const uint32_t *kids = r->set->kids.items + op->a;
	bool ok = true;

	for (uint32_t i = 0; i < op->b; i++, kids += 2) {
		if (!sj_schema_spend(r, r->cells[cell].len + 1))
			return false;
		if (!sj_schema_member(r, cell, kids[0]))
			continue;
		ok = sj_schema_check(r, kids[1], cell, m) && ok;
		if (!ok && sj_schema_over(r))
			return false;
	}
	return ok;
}

/* unevaluatedProperties and unevaluatedItems. */

bool sj_schema_run_unevaluated(struct sj_schema_run *r, uint32_t node, uint32_t op_index, uint32_t cell,
                               struct sj_schema_marks *m)
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
		if (!sj_schema_marked(m, i)) {
			if (op->a == SJ_SCHEMA_FALSE) {
				ok = false;
				if (r->report && !told)
					extra = sj_schema_report_add(r, op->kind, cell, node, op_index);
				told = true;
				add_extra(r, extra, at, r->cells[cell].len);
			} else {
				ok = sj_schema_check(r, op->a, value, NULL) && ok;
			}
			if (!ok && sj_schema_over(r))
				return false;
			sj_schema_mark(m, i);
		}
		at = r->cells[value].end;
	}
	return ok;
}
