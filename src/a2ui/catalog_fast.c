/* The fast walk: one pass over a component on its tape, accepting only what is certainly valid. "false" means "not
 * certain": the schema engine then decides and words the fault. Nothing here allocates. */
#include "a2ui/catalog_internal.h"

/* Recursion follows shapes and nested calls, both cut off here; deeper values are the engine's. */
enum { MAX_WALK_DEPTH = 24 };

struct walk {
	const struct sj_catalog *c;
	const struct sj_tape *t;
	bool v10, reserved;
};

static bool accept(const struct walk *w, const struct sj_shape *s, uint32_t cell, unsigned depth);
static bool accept_call(const struct walk *w, uint32_t cell, enum sj_dynamic_type wanted, unsigned depth);

static enum sj_json_type type_of(const struct walk *w, uint32_t cell) { return sj_tape_type(w->t, cell); }
static bool is_bool(enum sj_json_type t) { return t == SJ_J_TRUE || t == SJ_J_FALSE; }

/* The raw text of a string that needs no decoding; ptr NULL when it does. */
static struct sj_slice plain_text(const struct walk *w, uint32_t cell)
{
	const struct sj_cell *c = sj_tape_at(w->t, cell);
	return c->flags & (SJ_CELL_ESCAPED | SJ_CELL_OPEN) ? SJ_NO_SLICE : sj_tape_raw(w->t, cell);
}

static bool in_words(const struct sj_shape *s, struct sj_slice text)
{
	for (uint32_t i = 0; i < s->n; i++)
		if (sj_slice_eq(s->u.words[i], text))
			return true;
	return false;
}

static bool key_is(const struct walk *w, uint32_t key, const char *bare, size_t len)
{
	struct sj_slice k = plain_text(w, key);
	if (w->reserved && k.len > 0 && k.ptr[0] == '@')
		k = sj_slice(k.ptr + 1, k.len - 1);
	else if (w->reserved)
		return false;
	return k.len == len && memcmp(k.ptr, bare, len) == 0;
}

static bool is_path_key(const struct walk *w, uint32_t key) { return key_is(w, key, "path", 4); }
static bool is_call_key(const struct walk *w, uint32_t key) { return key_is(w, key, "call", 4); }

/* {path: "..."} and nothing else. */
static bool is_binding(const struct walk *w, uint32_t cell)
{
	const struct sj_cell *c = sj_tape_at(w->t, cell);
	return c->type == SJ_J_OBJECT && c->len == 1 && is_path_key(w, cell + 1) && type_of(w, cell + 2) == SJ_J_STRING;
}

/* A literal of the reserved dialect, at any depth: no directive but a well-formed one. */
static bool accept_nested(const struct walk *w, uint32_t cell, unsigned depth)
{
	if (depth > MAX_WALK_DEPTH)
		return false;
	enum sj_json_type type = type_of(w, cell);
	if (type != SJ_J_OBJECT && type != SJ_J_ARRAY)
		return true;
	if (type == SJ_J_OBJECT && w->t->cells[cell].len > 0) {
		if (is_binding(w, cell))
			return true;
		for (uint32_t at = sj_tape_first(w->t, cell); at < w->t->cells[cell].end;
		     at = sj_tape_next(w->t, at + 1))
			if (is_call_key(w, at))
				return accept_call(w, cell, SJ_DYN_ANY, depth + 1);
	}
	for (uint32_t at = sj_tape_first(w->t, cell); at < w->t->cells[cell].end; at = sj_tape_next(w->t, at)) {
		if (type == SJ_J_OBJECT) {
			struct sj_slice key = plain_text(w, at);
			if (!key.ptr || (key.len > 0 && key.ptr[0] == '@' && (key.len == 1 || key.ptr[1] != '@')))
				return false;
			at++;
		}
		if (!accept_nested(w, at, depth + 1))
			return false;
	}
	return true;
}

static bool accept_object_value(const struct walk *w, enum sj_dynamic_type dyn, uint32_t cell, unsigned depth)
{
	if (is_binding(w, cell))
		return true;
	bool path = false, call = false;
	for (uint32_t at = sj_tape_first(w->t, cell); at < w->t->cells[cell].end; at = sj_tape_next(w->t, at + 1)) {
		if (!plain_text(w, at).ptr)
			return false;
		path = path || is_path_key(w, at);
		call = call || is_call_key(w, at);
	}
	if (call)
		return !path && accept_call(w, cell, dyn, depth + 1);
	return dyn == SJ_DYN_ANY && w->v10 && !path && (!w->reserved || accept_nested(w, cell, depth + 1));
}

static bool accept_dynamic(const struct walk *w, enum sj_dynamic_type dyn, uint32_t cell, unsigned depth)
{
	switch (type_of(w, cell)) {
	case SJ_J_STRING: return dyn == SJ_DYN_STRING || dyn == SJ_DYN_ANY;
	case SJ_J_NUMBER: return dyn == SJ_DYN_NUMBER || dyn == SJ_DYN_ANY;
	case SJ_J_TRUE: case SJ_J_FALSE: return dyn == SJ_DYN_BOOLEAN || dyn == SJ_DYN_ANY;
	case SJ_J_OBJECT: return accept_object_value(w, dyn, cell, depth);
	case SJ_J_NULL: return false;
	case SJ_J_ARRAY: break;
	}
	if (dyn == SJ_DYN_ANY)
		return !w->reserved || accept_nested(w, cell, depth + 1);
	if (dyn != SJ_DYN_STRING_LIST)
		return false;
	for (uint32_t at = sj_tape_first(w->t, cell); at < w->t->cells[cell].end; at = sj_tape_next(w->t, at))
		if (type_of(w, at) != SJ_J_STRING)
			return false;
	return true;
}

/* v0.9: a call is checked by the catalog at hand. `returns`: the cell of returnType, 0 when absent. */
static bool accept_function(const struct walk *w, const struct sj_cat_function *f, uint32_t args, uint32_t returns,
                            enum sj_dynamic_type wanted, unsigned depth)
{
	static const char *const words[] = {[SJ_DYN_ANY] = NULL, [SJ_DYN_STRING] = "string", [SJ_DYN_NUMBER] = "number",
	                                    [SJ_DYN_BOOLEAN] = "boolean", [SJ_DYN_STRING_LIST] = "array"};
	if (!f->simple)
		return false;
	if (returns) {
		struct sj_slice said = type_of(w, returns) == SJ_J_STRING ? plain_text(w, returns) : SJ_NO_SLICE;
		if (!f->returns_stated || !said.ptr || !sj_slice_eq(said, f->pub.return_type) ||
		    (words[wanted] && !sj_slice_is(said, words[wanted])))
			return false;
	}
	return args ? accept(w, &f->args_shape, args, depth + 1) : !f->args_required;
}

static bool accept_args(const struct walk *w, uint32_t args, unsigned depth)
{
	if (type_of(w, args) != SJ_J_OBJECT)
		return false;
	for (uint32_t at = sj_tape_first(w->t, args); at < w->t->cells[args].end; at = sj_tape_next(w->t, at)) {
		uint32_t value = ++at;
		enum sj_json_type type = type_of(w, value);
		if (w->reserved ? !accept_dynamic(w, SJ_DYN_ANY, value, depth + 1) : type == SJ_J_NULL)
			return false;
	}
	return true;
}

static bool accept_call(const struct walk *w, uint32_t cell, enum sj_dynamic_type wanted, unsigned depth)
{
	if (depth > MAX_WALK_DEPTH || type_of(w, cell) != SJ_J_OBJECT)
		return false;
	uint32_t call = 0, args = 0, returns = 0;
	for (uint32_t at = sj_tape_first(w->t, cell); at < w->t->cells[cell].end; at = sj_tape_next(w->t, at + 1)) {
		struct sj_slice key = plain_text(w, at);
		if (is_call_key(w, at) && type_of(w, at + 1) == SJ_J_STRING)
			call = at + 1;
		else if (sj_slice_is(key, "args") && accept_args(w, at + 1, depth + 1))
			args = at + 1;
		else if (!w->v10 && sj_slice_is(key, "returnType"))
			returns = at + 1;
		else if (!(w->v10 && sj_slice_is(key, "catalogId") && type_of(w, at + 1) == SJ_J_STRING))
			return false;
	}
	struct sj_slice name = call ? plain_text(w, call) : SJ_NO_SLICE;
	if (!name.ptr || name.len == 0 || name.ptr[0] == '@')
		return false;
	if (w->v10)
		return true;
	uint32_t i = sj_cat_names_find(&w->c->function_index, w->c->functions, sizeof *w->c->functions, name);
	return i != UINT32_MAX && accept_function(w, &w->c->functions[i], args, returns, wanted, depth);
}

static bool accept_table(const struct walk *w, const struct sj_shape_table *table, uint32_t cell, unsigned depth)
{
	const struct sj_cell *cells = w->t->cells;
	if (cells[cell].flags & (SJ_CELL_DUPS | SJ_CELL_OPEN))
		return false;
	uint64_t seen = 0;
	for (uint32_t at = cell + 1; at < cells[cell].end; at = cells[at + 1].end) {
		struct sj_slice key = plain_text(w, at);
		if (!key.ptr)
			return false;
		uint32_t i = sj_cat_names_find(&table->index, table->names, sizeof *table->names, key);
		const struct sj_shape *shape = i != UINT32_MAX ? &table->shapes[i] : table->rest;
		if (i != UINT32_MAX)
			seen |= (uint64_t)1 << i;
		if (!shape || !accept(w, shape, at + 1, depth + 1))
			return false;
	}
	return (seen & table->required) == table->required && (!table->any_of || (seen & table->any_of));
}

/* Is the value certainly refused? For picking the one branch that can be meant. */
static bool refuses(const struct walk *w, const struct sj_shape *s, uint32_t cell)
{
	enum sj_json_type type = type_of(w, cell);
	switch ((enum sj_shape_kind)s->kind) {
	case SJ_SH_STRING: return type != SJ_J_STRING;
	case SJ_SH_WORDS:
		return type != SJ_J_STRING || (plain_text(w, cell).ptr && !in_words(s, plain_text(w, cell)));
	case SJ_SH_NUMBER: case SJ_SH_INTEGER: return type != SJ_J_NUMBER;
	case SJ_SH_BOOL: return !is_bool(type);
	case SJ_SH_ARRAY: return type != SJ_J_ARRAY;
	case SJ_SH_OBJECT: {
		if (type != SJ_J_OBJECT)
			return s->typed;
		const struct sj_shape_table *table = s->u.table;
		uint64_t seen = 0;
		for (uint32_t at = sj_tape_first(w->t, cell); at < w->t->cells[cell].end;
		     at = sj_tape_next(w->t, at + 1)) {
			struct sj_slice key = plain_text(w, at);
			if (!key.ptr)
				return false;
			uint32_t i = sj_cat_names_find(&table->index, table->names, sizeof *table->names, key);
			if (i != UINT32_MAX)
				seen |= (uint64_t)1 << i;
		}
		return (seen & table->required) != table->required;
	}
	case SJ_SH_BINDING: case SJ_SH_CALL:
		if (type != SJ_J_OBJECT)
			return true;
		for (uint32_t at = sj_tape_first(w->t, cell); at < w->t->cells[cell].end;
		     at = sj_tape_next(w->t, at + 1))
			if (!plain_text(w, at).ptr || (s->kind == SJ_SH_CALL ? is_call_key(w, at) : is_path_key(w, at)))
				return false;
		return true;
	case SJ_SH_DYNAMIC:
		return (type == SJ_J_NULL) ||
		       (type != SJ_J_OBJECT && s->dyn != SJ_DYN_ANY && s->dyn != SJ_DYN_STRING_LIST &&
		        !accept_dynamic(w, (enum sj_dynamic_type)s->dyn, cell, 0));
	case SJ_SH_SLOW: case SJ_SH_ANY: case SJ_SH_ONE_OF: case SJ_SH_ANY_OF: break;
	}
	return false;
}

static bool accept_one_of(const struct walk *w, const struct sj_shape *s, uint32_t cell, unsigned depth)
{
	const struct sj_shape *only = NULL;
	for (uint32_t i = 0; i < s->n; i++) {
		if (refuses(w, &s->u.shapes[i], cell))
			continue;
		if (only)
			return false;
		only = &s->u.shapes[i];
	}
	return only && accept(w, only, cell, depth + 1);
}

static bool accept(const struct walk *w, const struct sj_shape *s, uint32_t cell, unsigned depth)
{
	if (depth > MAX_WALK_DEPTH)
		return false;
	enum sj_json_type type = type_of(w, cell);
	switch ((enum sj_shape_kind)s->kind) {
	case SJ_SH_SLOW: return false;
	case SJ_SH_ANY: return true;
	case SJ_SH_STRING: return type == SJ_J_STRING;
	case SJ_SH_WORDS: {
		struct sj_slice text = type == SJ_J_STRING ? plain_text(w, cell) : SJ_NO_SLICE;
		return text.ptr && in_words(s, text);
	}
	case SJ_SH_NUMBER: return type == SJ_J_NUMBER && (!s->has_min || sj_tape_number(w->t, cell) >= s->min);
	case SJ_SH_INTEGER: {
		int64_t i;
		return type == SJ_J_NUMBER && sj_tape_int(w->t, cell, &i) && (!s->has_min || (double)i >= s->min);
	}
	case SJ_SH_BOOL: return is_bool(type);
	case SJ_SH_BINDING: return is_binding(w, cell);
	case SJ_SH_CALL: return accept_call(w, cell, SJ_DYN_ANY, depth);
	case SJ_SH_DYNAMIC: return accept_dynamic(w, (enum sj_dynamic_type)s->dyn, cell, depth);
	case SJ_SH_OBJECT: return type == SJ_J_OBJECT && accept_table(w, s->u.table, cell, depth);
	case SJ_SH_ONE_OF: return accept_one_of(w, s, cell, depth);
	case SJ_SH_ANY_OF:
		for (uint32_t i = 0; i < s->n; i++)
			if (accept(w, &s->u.shapes[i], cell, depth + 1))
				return true;
		return false;
	case SJ_SH_ARRAY: break;
	}
	if (type != SJ_J_ARRAY || (s->has_min && (double)w->t->cells[cell].len < s->min))
		return false;
	for (uint32_t at = cell + 1; at < w->t->cells[cell].end; at = sj_tape_next(w->t, at))
		if (!accept(w, s->u.shapes, at, depth + 1))
			return false;
	return true;
}

static struct walk begin(const struct sj_catalog *c, enum sj_dialect d, const struct sj_tape *t)
{
	bool v10 = c->rules >= SJ_V10;
	return (struct walk){.c = c, .t = t, .v10 = v10, .reserved = v10 && d == SJ_DIALECT_RESERVED};
}

bool sj_cat_fast_component(const struct sj_catalog *c, const struct sj_cat_component *comp, enum sj_dialect d,
                           const struct sj_tape *t, uint32_t cell)
{
	struct walk w = begin(c, d, t);
	return accept(&w, &comp->shape, cell, 0);
}

bool sj_cat_fast_call(const struct sj_catalog *c, const struct sj_cat_function *f, enum sj_dialect d,
                      const struct sj_tape *t, uint32_t cell)
{
	struct walk w = begin(c, d, t);
	if (!accept_call(&w, cell, SJ_DYN_ANY, 0))
		return false;
	uint32_t call = sj_tape_get(t, cell, w.reserved ? SJ_LIT("@call") : SJ_LIT("call")),
		 args = sj_tape_get(t, cell, SJ_LIT("args"));
	if (!call || !sj_tape_string_is(t, call, f->pub.name))
		return false;
	return !w.v10 || accept_function(&w, f, args, 0, SJ_DYN_ANY, 0);
}
