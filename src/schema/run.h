/* One validation in progress, shared by the evaluator (validate.c), the keywords that look at whole arrays (items.c)
 * and the writer of faults (fault.c).
 *
 * There is one evaluator and two ways to run it. First without a `report`: it stops at the first fault. Only when that
 * fails and somebody wants to know why, it runs again with one, goes on after faults and collects them as small
 * records, from which sentences are made at the very end.
 */
#ifndef SJ_SCHEMA_RUN_H
#define SJ_SCHEMA_RUN_H

#include "schema/program.h"

/* Faults beyond the ops' own: kinds from SJ_SCHEMA_OP_COUNT on. */
enum sj_schema_fault_kind {
	SJ_SCHEMA_FAULT_TYPE = SJ_SCHEMA_OP_COUNT, /* cell is not of the node's type */
	SJ_SCHEMA_FAULT_TYPES,                     /* cell is of no branch's type; at: union */
	SJ_SCHEMA_FAULT_PIN,         /* cell is none of the strings that tell the branches apart; at: union */
	SJ_SCHEMA_FAULT_NEVER,       /* the schema `false` */
	SJ_SCHEMA_FAULT_REQUIRED,    /* property: the missing name */
	SJ_SCHEMA_FAULT_ADDITIONAL,  /* extra: key cells, see `first` and `count` */
	SJ_SCHEMA_FAULT_DEPENDENCY,  /* property: the missing name; at: symbol of the trigger */
	SJ_SCHEMA_FAULT_MANY,        /* oneOf: more than one branch fits */
	SJ_SCHEMA_FAULT_EXTRA_ITEMS, /* items: false beyond a prefix; at: prefix length */
	SJ_SCHEMA_FAULT_UNKNOWN, /* the report did not get as far as the first fault */
};

struct sj_schema_record {
	struct sj_schema_record *next;
	uint32_t cell, node, op, at;
	uint8_t kind;
	struct sj_slice property;
	uint32_t *extra; /* key or item cells that were unexpected */
	uint32_t extra_count;
};
/* Faults found; those beyond the cap are counted but not kept. */
struct sj_schema_report {
	struct sj_schema_record *first, **last;
	uint32_t count, kept;
};

struct sj_schema_run {
	const struct sj_schema_set *set;
	const struct sj_tape *t;
	const struct sj_cell *cells;
	uint32_t *syms; /* by cell - low: symbol of a string, UNKNOWN until asked for */
	uint32_t low;
	struct sj_arena *arena;
	uint64_t steps;
	uint64_t memo_below; /* with fewer steps left than this, verdicts are remembered */
	uint64_t *memo;      /* (node << 32 | cell) << 1 | verdict; NULL until needed */
	uint32_t memo_count;
	uint32_t depth;
	enum sj_status status; /* not OK: the run is being abandoned and results mean nothing */
	uint32_t *scope, scope_count; /* resources passed, outermost first; only with $dynamicRef in the set */
	struct sj_schema_report *report;
};

/* Spends steps; false when they are used up. */
static inline bool sj_schema_spend(struct sj_schema_run *r, uint64_t n)
{
	if (r->steps < n) {
		r->steps = 0;
		r->status = SJ_LIMIT;
		return false;
	}
	r->steps -= n;
	return true;
}
uint32_t sj_schema_symbol_slow(struct sj_schema_run *r, uint32_t cell);
static inline uint32_t sj_schema_symbol_at(struct sj_schema_run *r, uint32_t cell)
{
	uint32_t sym = r->syms[cell - r->low];
	return sym ? sym : sj_schema_symbol_slow(r, cell);
}

/* Which members (by position) or items of one instance were looked at by a keyword that succeeded: what JSON Schema
 * calls annotations. Kept only while an unevaluatedProperties or unevaluatedItems around asks for it. */
struct sj_schema_marks {
	uint64_t *words;
	uint32_t count; /* of words */
	uint64_t one;   /* the words of most instances */
};
bool sj_schema_marks_init(struct sj_schema_run *r, struct sj_schema_marks *m, uint32_t bits); /* false ends the run */
static inline void sj_schema_mark(struct sj_schema_marks *m, uint32_t i)
{
	m->words[i / 64] |= UINT64_C(1) << (i & 63);
}
static inline bool sj_schema_marked(const struct sj_schema_marks *m, uint32_t i)
{
	return m->words[i / 64] >> (i & 63) & 1;
}
static inline void sj_schema_marks_add(struct sj_schema_marks *to, const struct sj_schema_marks *from)
{
	for (uint32_t i = 0; i < to->count; i++)
		to->words[i] |= from->words[i];
}

/* Adds a fault without details when a report is being made. Always false. */
bool sj_schema_fail(struct sj_schema_run *r, uint8_t kind, uint32_t cell, uint32_t node, uint32_t op);
/* Whether to leave a keyword that found a fault: at once without a report, and whenever the run is over. */
static inline bool sj_schema_over(const struct sj_schema_run *r) { return !r->report || r->status != SJ_OK; }

bool sj_schema_is_integral(const struct sj_schema_run *r, uint32_t cell);
bool sj_schema_run_node(struct sj_schema_run *r, uint32_t n, uint32_t cell, struct sj_schema_marks *m);
/* Node `n` on a value; `m` may be NULL. When a report is being made, a wrong type ends the node: the rest would be
 * noise. */
static inline bool sj_schema_check(struct sj_schema_run *r, uint32_t n, uint32_t cell, struct sj_schema_marks *m)
{
	const struct sj_schema_node *node = &r->set->nodes.items[n];
	uint8_t type = r->cells[cell].type;

	if (!(node->types >> type & 1) &&
	    !(type == SJ_J_NUMBER && node->types & SJ_SCHEMA_INTEGER && sj_schema_is_integral(r, cell)))
		return sj_schema_fail(r, n == SJ_SCHEMA_FALSE ? SJ_SCHEMA_FAULT_NEVER : SJ_SCHEMA_FAULT_TYPE, cell, n,
		                      0);
	return node->op_count == 0 || sj_schema_run_node(r, n, cell, m);
}

/* A string's decoded text, which may lie in the arena; false ends the run. */
bool sj_schema_text_at(struct sj_schema_run *r, uint32_t cell, struct sj_slice *text);
bool sj_schema_search(struct sj_schema_run *r, uint32_t pattern, struct sj_slice text, bool *found); /* likewise */

/* object.c. The keywords take their node and op for faults. */
uint32_t sj_schema_member(struct sj_schema_run *r, uint32_t object, uint32_t sym); /* value cell; 0 when absent */
bool sj_schema_run_object(struct sj_schema_run *r, uint32_t node, uint32_t op, uint32_t cell,
                          struct sj_schema_marks *m);
bool sj_schema_run_dependent_required(struct sj_schema_run *r, uint32_t node, uint32_t op, uint32_t cell);
bool sj_schema_run_dependent_schemas(struct sj_schema_run *r, const struct sj_schema_op *op, uint32_t cell,
                                     struct sj_schema_marks *m);
bool sj_schema_run_unevaluated(struct sj_schema_run *r, uint32_t node, uint32_t op, uint32_t cell,
                               struct sj_schema_marks *m);

/* union.c */
bool sj_schema_run_any_of(struct sj_schema_run *r, uint32_t node, uint32_t op, uint32_t cell,
                          struct sj_schema_marks *m);
bool sj_schema_run_one_of(struct sj_schema_run *r, uint32_t node, uint32_t op, uint32_t cell,
                          struct sj_schema_marks *m);

/* items.c: whether no two items of the array are equal. */
bool sj_schema_unique(struct sj_schema_run *r, uint32_t array);

/* fault.c: adds a record and answers it, NULL when it is not kept. */
struct sj_schema_record *sj_schema_report_add(struct sj_schema_run *r, uint8_t kind, uint32_t cell, uint32_t node,
                                              uint32_t op);
/* Hands the faults out in document order. */
void sj_schema_report_tell(struct sj_schema_run *r, struct sj_schema_report *report, sj_schema_fault_fn fn, void *ctx);

#endif
