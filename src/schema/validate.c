#include "base/utf.h"
#include "schema/number.h"
#include "schema/run.h"
#include "text/ident.h"

enum { MOST_MEMOS = 1 << 18 };

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
		if (r->cells[cell].flags & SJ_CELL_ESCAPED)
			sj_arena_rollback(r->arena, before);
	}
	r->syms[cell - r->low] = sym;
	return sym;
}

bool sj_schema_text_at(struct sj_schema_run *r, uint32_t cell, struct sj_slice *text)
{
	if (!sj_schema_spend(r, 1 + r->cells[cell].len / 64))
		return false;
	*text = sj_tape_string(r->t, cell, r->arena);
	if (!text->ptr)
		r->status = SJ_NOMEM;
	return text->ptr != NULL;
}

bool sj_schema_search(struct sj_schema_run *r, uint32_t pattern, struct sj_slice text, bool *found)
{
	const struct sj_schema_pattern *p = &r->set->patterns.items[pattern];
	enum sj_status status = SJ_LIMIT; /* what cannot be decided is no verdict */

	*found = false;
	if (!sj_schema_spend(r, 1 + text.len / 64))
		return false;
	if (p->identifier) {
		*found = sj_ident_check(text);
		return true;
	}
	if (p->regex)
		status = sj_regex_search(p->regex, text, found, NULL);
	if (status != SJ_OK)
		r->status = status == SJ_NOMEM ? SJ_NOMEM : SJ_LIMIT;
	return status == SJ_OK;
}

bool sj_schema_marks_init(struct sj_schema_run *r, struct sj_schema_marks *m, uint32_t bits)
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

bool sj_schema_fail(struct sj_schema_run *r, uint8_t kind, uint32_t cell, uint32_t node, uint32_t op)
{
	if (r->report)
		sj_schema_report_add(r, kind, cell, node, op);
	return false;
}

bool sj_schema_is_integral(const struct sj_schema_run *r, uint32_t cell)
{
	return sj_schema_number_integral(sj_tape_raw(r->t, cell));
}

/* Without reporting, for schemas whose failure is no fault: not, if, contains. */
static bool check_quietly(struct sj_schema_run *r, uint32_t n, uint32_t cell, struct sj_schema_marks *m)
{
	struct sj_schema_report *report = r->report;

	r->report = NULL;
	bool ok = sj_schema_check(r, n, cell, m);
	r->report = report;
	return ok && r->status == SJ_OK;
}

/* Arrays. */

static bool run_items(struct sj_schema_run *r, uint32_t node, uint32_t op_index, uint32_t cell,
                      struct sj_schema_marks *m)
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
				r->report ? sj_schema_report_add(r, SJ_SCHEMA_FAULT_EXTRA_ITEMS, cell, node, op_index)
					  : NULL;
			if (record)
				record->at = op->b;
			return false;
		}
		ok = sj_schema_check(r, n, item, NULL) && ok;
		if (!ok && sj_schema_over(r))
			return false;
		if (m)
			sj_schema_mark(m, i);
	}
	return ok;
}

static bool run_contains(struct sj_schema_run *r, uint32_t node, uint32_t op_index, uint32_t cell,
                         struct sj_schema_marks *m)
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
			sj_schema_mark(m, i);
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

/* Everything else in place. */

static bool run_if(struct sj_schema_run *r, const struct sj_schema_op *op, uint32_t cell, struct sj_schema_marks *m)
{
	struct sj_schema_marks tried;

	if (m && !sj_schema_marks_init(r, &tried, r->cells[cell].len))
		return false;
	bool holds = check_quietly(r, op->a, cell, m ? &tried : NULL);
	if (r->status != SJ_OK)
		return false;
	if (holds && m)
		sj_schema_marks_add(m, &tried);
	return sj_schema_check(r, holds ? op->b : op->c, cell, m);
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

static bool in_enum(struct sj_schema_run *r, const struct sj_schema_node *node, const struct sj_schema_op *op,
                    uint32_t cell)
{
	if (r->cells[cell].type == SJ_J_STRING) {
		uint32_t sym = sj_schema_symbol_at(r, cell);
		const uint32_t *slots = r->set->enums.items + op->a;
		for (uint32_t slot = sj_schema_slot(sym, op->b); slots[slot]; slot = (slot + 1) & op->b)
			if (slots[slot] == sym)
				return true;
		return false;
	}
	const struct sj_tape *t = &r->set->docs.items[node->doc].tape;
	for (uint32_t i = op->cell + 1; op->c && i < sj_tape_next(t, op->cell) && r->status == SJ_OK;
	     i = sj_tape_next(t, i))
		if (equals_const(r, node, i, cell))
			return true;
	return false;
}

static bool number_holds(struct sj_schema_run *r, const struct sj_schema_node *node, const struct sj_schema_op *op,
                         uint32_t cell)
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
	if (!sj_regex_available())
		return true;
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

	if (!sj_schema_text_at(r, cell, &text))
		return false;
	if (op->kind == SJ_SCHEMA_OP_PATTERN)
		sj_schema_search(r, op->a, text, &ok);
	else
		ok = op->kind == SJ_SCHEMA_OP_FORMAT ? format_holds(r, op, text) : length_holds(op, text);
	sj_arena_rollback(r->arena, before);
	return ok;
}

static bool run_scalar(struct sj_schema_run *r, const struct sj_schema_node *node, const struct sj_schema_op *op,
                       uint32_t cell)
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

static bool run_op(struct sj_schema_run *r, uint32_t n, uint32_t index, uint32_t cell, struct sj_schema_marks *m)
{
	const struct sj_schema_node *node = &r->set->nodes.items[n];
	const struct sj_schema_op *op = &r->set->ops.items[index];
	bool ok = true;

	switch (op->kind) {
	case SJ_SCHEMA_OP_OBJECT:
		return sj_schema_run_object(r, n, index, cell, m);
	case SJ_SCHEMA_OP_DEPENDENT_REQUIRED:
		return sj_schema_run_dependent_required(r, n, index, cell);
	case SJ_SCHEMA_OP_DEPENDENT_SCHEMAS:
		return sj_schema_run_dependent_schemas(r, op, cell, m);
	case SJ_SCHEMA_OP_ITEMS:
		return run_items(r, n, index, cell, m);
	case SJ_SCHEMA_OP_CONTAINS:
		return run_contains(r, n, index, cell, m);
	case SJ_SCHEMA_OP_REF:
		return sj_schema_check(r, op->a, cell, m);
	case SJ_SCHEMA_OP_DYNAMIC_REF:
		return sj_schema_check(r, dynamic_target(r, op), cell, m);
	case SJ_SCHEMA_OP_ALL_OF:
		for (uint32_t i = 0; i < op->b; i++) {
			ok = sj_schema_check(r, r->set->kids.items[op->a + i], cell, m) && ok;
			if (!ok && sj_schema_over(r))
				return false;
		}
		return ok;
	case SJ_SCHEMA_OP_ANY_OF:
		return sj_schema_run_any_of(r, n, index, cell, m);
	case SJ_SCHEMA_OP_ONE_OF:
		return sj_schema_run_one_of(r, n, index, cell, m);
	case SJ_SCHEMA_OP_NOT:
		if (!check_quietly(r, op->a, cell, NULL))
			return r->status == SJ_OK;
		return sj_schema_fail(r, op->kind, cell, n, index);
	case SJ_SCHEMA_OP_IF:
		return run_if(r, op, cell, m);
	case SJ_SCHEMA_OP_UNEVALUATED_ITEMS:
	case SJ_SCHEMA_OP_UNEVALUATED_PROPERTIES:
		return sj_schema_run_unevaluated(r, n, index, cell, m);
	default:
		return run_scalar(r, node, op, cell) || sj_schema_fail(r, op->kind, cell, n, index);
	}
}

/* All ops of a node. Recursion goes with the schema and is cut at limits.schema_depth. */
static bool run_ops(struct sj_schema_run *r, uint32_t n, uint32_t cell, struct sj_schema_marks *outer)
{
	const struct sj_schema_node *node = &r->set->nodes.items[n];
	const struct sj_schema_op *ops = r->set->ops.items + node->op;
	uint8_t type = r->cells[cell].type, last = ops[node->op_count - 1].kind;
	bool container = type >= SJ_J_ARRAY, scoped = false, ok = true;
	struct sj_schema_marks own, *m = container ? outer : NULL;

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
		if (sj_schema_marks_init(r, &own, r->cells[cell].len))
			m = &own;
		else
			ok = false;
	}
	for (uint32_t i = 0; i < node->op_count && r->status == SJ_OK; i++) {
		if (!(ops[i].on >> type & 1))
			continue;
		if (!run_op(r, n, node->op + i, cell, m)) {
			ok = false;
			if (sj_schema_over(r))
				break;
		}
	}
	if (m == &own && outer)
		sj_schema_marks_add(outer, &own);
	r->scope_count -= scoped;
	r->depth++;
	return ok && r->status == SJ_OK;
}

static bool memo_start(struct sj_schema_run *r)
{
	uint32_t size = 256;

	while (size < MOST_MEMOS && size / 2 < r->cells[r->low].end - r->low)
		size *= 2;
	r->memo = sj_mem_zalloc(r->arena->mem, size * sizeof *r->memo); /* outlives the arena's rollbacks */
	r->memo_count = r->memo ? size : 0;
	if (!r->memo)
		r->status = SJ_NOMEM;
	return r->memo != NULL;
}

/* A schema that reaches the same node and value along two paths, and those below along two paths each, does work
 * doubled with every level: the protocol's own function calls do. So a run that takes unusually long begins to remember
 * verdicts. Only where a verdict is all there is: no marks, no report, no dynamic scope. The table forgets rather than
 * grows. */
static bool run_remembered(struct sj_schema_run *r, uint32_t n, uint32_t cell)
{
	uint64_t key = ((uint64_t)n << 32 | cell) << 1;

	if (!r->memo && !memo_start(r))
		return false;
	uint64_t *slot = &r->memo[(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (r->memo_count - 1)];
	if (*slot >> 1 == key >> 1)
		return sj_schema_spend(r, 1) && (*slot & 1);
	bool ok = run_ops(r, n, cell, NULL);
	if (r->status == SJ_OK)
		*slot = key | ok;
	return ok;
}

bool sj_schema_run_node(struct sj_schema_run *r, uint32_t n, uint32_t cell, struct sj_schema_marks *m)
{
	if (r->steps >= r->memo_below || m || r->report || r->cells[cell].type < SJ_J_ARRAY)
		return run_ops(r, n, cell, m);
	return run_remembered(r, n, cell);
}

static bool start(struct sj_schema_run *r, const struct sj_schema *schema, uint32_t cell,
                  struct sj_schema_report *report)
{
	uint64_t usual = 1000 + UINT64_C(32) * (r->cells[cell].end - cell);

	r->steps = r->set->limits.schema_steps;
	r->memo_below = r->scope || r->steps < usual ? 0 : r->steps - usual;
	r->depth = r->set->limits.schema_depth;
	r->scope_count = 0;
	r->report = report;
	r->status = SJ_OK;
	return sj_schema_check(r, schema->node, cell, NULL);
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
			if (r.status == SJ_LIMIT && !report.first)
				sj_schema_report_add(&r, SJ_SCHEMA_FAULT_UNKNOWN, cell, schema->node, 0);
			if (r.status == SJ_NOMEM)
				status = SJ_NOMEM;
			else
				sj_schema_report_tell(&r, &report, fn, ctx);
		}
	}
	sj_mem_free(arena->mem, r.memo, r.memo_count * sizeof *r.memo);
	sj_arena_rollback(arena, mark_before);
	return status;
}
