/* One validation in progress, shared by the evaluator (validate.c), the keywords that look at whole arrays (items.c) and the
 * writer of faults (fault.c).
 *
 * There is one evaluator and two ways to run it. First without a `report`: it stops at the first fault. Only when that fails
 * and somebody wants to know why, it runs again with one, goes on after faults and collects them as small records, from which
 * sentences are made at the very end.
 */
#ifndef SJ_SCHEMA_RUN_H
#define SJ_SCHEMA_RUN_H

#include "schema/program.h"

/* Faults beyond the ops' own: kinds from SJ_SCHEMA_OP_COUNT on. */
enum sj_schema_fault_kind {
	SJ_SCHEMA_FAULT_TYPE = SJ_SCHEMA_OP_COUNT, /* cell is not of the node's type */
	SJ_SCHEMA_FAULT_TYPES,                     /* cell is of no branch's type; at: union */
	SJ_SCHEMA_FAULT_PIN,                       /* cell is none of the strings that tell the branches apart; at: union */
	SJ_SCHEMA_FAULT_NEVER,                     /* the schema `false` */
	SJ_SCHEMA_FAULT_REQUIRED,                  /* property: the missing name */
	SJ_SCHEMA_FAULT_ADDITIONAL,                /* extra: key cells, see `first` and `count` */
	SJ_SCHEMA_FAULT_DEPENDENCY,                /* property: the missing name; at: symbol of the trigger */
	SJ_SCHEMA_FAULT_MANY,                      /* oneOf: more than one branch fits */
	SJ_SCHEMA_FAULT_EXTRA_ITEMS,               /* items: false beyond a prefix; at: prefix length */
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

/* items.c: whether no two items of the array are equal. */
bool sj_schema_unique(struct sj_schema_run *r, uint32_t array);

/* fault.c: adds a record and answers it, NULL when it is not kept. */
struct sj_schema_record *sj_schema_report_add(struct sj_schema_run *r, uint8_t kind, uint32_t cell, uint32_t node, uint32_t op);
/* Hands the faults out in document order. */
void sj_schema_report_tell(struct sj_schema_run *r, struct sj_schema_report *report, sj_schema_fault_fn fn, void *ctx);

#endif
