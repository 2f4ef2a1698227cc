/* oneOf and anyOf: finding the branches worth trying, and, for a report, the branch that was meant. */
#include "schema/run.h"

/* The list of branches worth trying. */
static uint32_t branches_for(struct sj_schema_run *r, const struct sj_schema_union *u, uint32_t cell)
{
	const struct sj_schema_set *s = r->set;

	if (s->plain)
		return u->all;
	if (!u->pin || r->cells[cell].type != SJ_J_OBJECT)
		return u->by_type[r->cells[cell].type];
	uint32_t value = sj_schema_member(r, cell, u->pin);
	if (!value)
		return u->by_type[SJ_J_OBJECT];
	uint32_t sym = sj_schema_symbol_at(r, value);
	const struct sj_schema_pin *pins = s->pins.items + u->slots;
	for (uint32_t slot = sj_schema_slot(sym, u->mask); pins[slot].sym; slot = (slot + 1) & u->mask)
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
                              uint32_t op, uint32_t cell, struct sj_schema_marks *m)
{
	struct sj_schema_report *outer = r->report, best = {0};
	struct distance closest = {0};
	struct sj_schema_marks best_marks = {0};
	uint32_t fits = 0, value = u->pin && r->cells[cell].type == SJ_J_OBJECT ? sj_schema_member(r, cell, u->pin) : 0;
	uint32_t list = branches_for(r, u, cell);
	bool pinned = value && !r->set->plain && list == u->unpinned && r->set->kids.items[list] == 0;

	if (r->set->kids.items[list] == 0)
		list = u->all;
	for (uint32_t i = 1; i <= r->set->kids.items[list] && r->status == SJ_OK; i++) {
		struct sj_schema_report mine = {.last = &mine.first};
		struct sj_schema_marks tried = {0};
		if (m && !sj_schema_marks_init(r, &tried, r->cells[cell].len))
			break;
		mine.kept = outer->kept;
		r->report = &mine;
		bool ok = sj_schema_check(r, r->set->kids.items[list + i], cell, m ? &tried : NULL);
		r->report = outer;
		if (ok) {
			fits++;
			if (m)
				sj_schema_marks_add(m, &tried);
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
			sj_schema_marks_add(m, &best_marks);
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

bool sj_schema_run_any_of(struct sj_schema_run *r, uint32_t node, uint32_t op, uint32_t cell, struct sj_schema_marks *m)
{
	const struct sj_schema_set *s = r->set;
	uint32_t index = s->ops.items[op].a;
	const struct sj_schema_union *u = &s->unions.items[index];
	struct sj_schema_report *report = r->report;
	bool ok = false;

	r->report = NULL;
	uint32_t list = branches_for(r, u, cell), count = s->kids.items[list];
	for (uint32_t i = 1; i <= count && r->status == SJ_OK && (m || !ok); i++) {
		struct sj_schema_marks tried;
		if (m && !sj_schema_marks_init(r, &tried, r->cells[cell].len))
			break;
		if (!sj_schema_check(r, s->kids.items[list + i], cell, m ? &tried : NULL))
			continue;
		ok = true;
		if (m)
			sj_schema_marks_add(m, &tried);
	}
	r->report = report;
	if (!ok && report && r->status == SJ_OK)
		explain_union(r, u, index, node, op, cell, m);
	return ok && r->status == SJ_OK;
}

bool sj_schema_run_one_of(struct sj_schema_run *r, uint32_t node, uint32_t op, uint32_t cell, struct sj_schema_marks *m)
{
	const struct sj_schema_set *s = r->set;
	uint32_t index = s->ops.items[op].a, fits = 0;
	const struct sj_schema_union *u = &s->unions.items[index];
	struct sj_schema_report *report = r->report;

	r->report = NULL;
	uint32_t list = branches_for(r, u, cell), count = s->kids.items[list];
	for (uint32_t i = 1; i <= count && r->status == SJ_OK && fits < 2; i++) {
		struct sj_schema_marks tried;
		if (m && !sj_schema_marks_init(r, &tried, r->cells[cell].len))
			break;
		if (!sj_schema_check(r, s->kids.items[list + i], cell, m ? &tried : NULL))
			continue;
		fits++;
		if (m)
			sj_schema_marks_add(m, &tried);
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
