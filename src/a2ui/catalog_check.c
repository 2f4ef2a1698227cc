/* Does a component, call or theme satisfy the catalog? The fast walk says yes where it is certain; everything else, and
 * every no, is the schema engine's, because it words the fault. */
#include "a2ui/catalog_internal.h"
#include "base/utf.h"
#include "text/ident.h"

#include <stdio.h>

struct judge {
	const struct sj_catalog *c;
	const struct sj_tape *t;
	struct sj_arena *scratch;
	sj_schema_fault_fn fn;
	void *ctx;
};

/* The message is `before`, the text, `after`. */
static enum sj_status fault(const struct judge *j, uint32_t cell, const char *keyword, struct sj_slice property,
                            const char *before, struct sj_slice text, const char *after)
{
	struct sj_schema_fault f = {.cell = cell, .keyword = sj_slice_of(keyword), .property = property};
	text.len = sj_utf8_cut(text, 128);
	snprintf(f.message, sizeof f.message, "%s%.*s%s", before, SJ_ARG(text), after);
	if (j->fn)
		j->fn(j->ctx, &f);
	return SJ_INVALID;
}

/* A walk over the keys of a payload, without what vendors put into its metadata. */
struct key_walk {
	const struct sj_tape *t;
	uint32_t at, end, top; /* top: the next key of the payload's own level */
};

static struct key_walk keys_of(const struct sj_tape *t, uint32_t cell)
{
	return (struct key_walk){t, cell + 1, t->cells[cell].end, cell + 1};
}

/* The next key's cell; 0 at the end. `odd` is set on the way by what only decoding can judge. */
static uint32_t next_key(struct key_walk *w, bool *odd)
{
	while (w->at < w->end) {
		uint32_t i = w->at++;
		const struct sj_cell *c = &w->t->cells[i];
		*odd = *odd || (c->flags & (SJ_CELL_DUPS | SJ_CELL_OPEN));
		if (!(c->flags & SJ_CELL_KEY))
			continue;
		if (i == w->top) {
			w->top = w->t->cells[i + 1].end;
			if (c->len == 8 && memcmp(w->t->text + c->off, "metadata", 8) == 0)
				w->at = w->top;
		}
		return i;
	}
	return 0;
}

static bool is_directive(struct sj_slice key) { return sj_slice_is(key, "@path") || sj_slice_is(key, "@call"); }
static bool is_reserved(struct sj_slice key)
{
	return key.len > 0 && key.ptr[0] == '@' && (key.len == 1 || key.ptr[1] != '@');
}

/* Keys that begin with one @ belong to the protocol, wherever they stand in a payload of the reserved dialect. The cell
 * of the first that is no directive, 0 when all is well. */
static uint32_t find_directive(const struct sj_tape *t, uint32_t cell, struct sj_arena *scratch)
{
	struct key_walk w = keys_of(t, cell);
	bool odd = false;
	for (uint32_t i; (i = next_key(&w, &odd)) > 0;) {
		struct sj_slice key =
			t->cells[i].flags & SJ_CELL_ESCAPED ? sj_tape_string(t, i, scratch) : sj_tape_raw(t, i);
		if (is_reserved(key) && !is_directive(key))
			return i;
	}
	return 0;
}

/* What a look at the keys tells before anything else is asked. */
struct keys {
	bool at;  /* one begins with @ */
	bool odd; /* escapes, repeated keys or an end that has not come: not for the fast walk */
	bool bad; /* one begins with a single @ and is no directive */
};

static struct keys look(const struct sj_tape *t, uint32_t cell)
{
	struct keys k = {0};
	struct key_walk w = keys_of(t, cell);
	k.odd = t->cells[cell].flags & (SJ_CELL_DUPS | SJ_CELL_OPEN);
	for (uint32_t i; (i = next_key(&w, &k.odd)) > 0;) {
		const struct sj_cell *c = &t->cells[i];
		if (c->flags & SJ_CELL_ESCAPED)
			k.odd = true;
		if (c->len == 0 || t->text[c->off] != '@')
			continue;
		struct sj_slice key = sj_tape_raw(t, i);
		k.at = true;
		k.bad = k.bad || (is_reserved(key) && !is_directive(key));
	}
	return k;
}

static enum sj_status engine(const struct judge *j, enum sj_dialect d, enum sj_cat_what what, uint32_t index,
                             uint32_t cell)
{
	const struct sj_schema *schema;
	struct sj_diag diag = {0};
	enum sj_status st = sj_cat_schema(j->c, d, what, index, &schema, &diag);
	if (st == SJ_INVALID || st == SJ_ABSENT)
		return fault(j, cell, "$ref", SJ_NO_SLICE,
		             "the catalog's own schema cannot be used: ", sj_slice_of(diag.message), "");
	if (st != SJ_OK)
		return st;
	st = sj_schema_validate(schema, j->t, cell, j->scratch, j->fn, j->ctx);
	if (st == SJ_OK && d == SJ_DIALECT_RESERVED && j->c->rules >= SJ_V10) {
		uint32_t key = find_directive(j->t, cell, j->scratch);
		if (key)
			st = fault(j, key + 1, "propertyNames", sj_tape_raw(j->t, key), "'",
			           sj_tape_raw(j->t, key), "' is no directive: a key that begins with @ takes two");
	}
	return st;
}

typedef bool (*fast_fn)(const struct judge *j, const void *row, enum sj_dialect d, uint32_t cell);

static bool fast_component(const struct judge *j, const void *row, enum sj_dialect d, uint32_t cell)
{
	return sj_cat_fast_component(j->c, row, d, j->t, cell);
}

static bool fast_call(const struct judge *j, const void *row, enum sj_dialect d, uint32_t cell)
{
	return sj_cat_fast_call(j->c, row, d, j->t, cell);
}

/* One value in one dialect; AUTO reads what the keys say: one that begins with @ means reserved. Without any, a payload
 * is good when it is good in either reading: plain objects that happen to hold `path` or `call` are data in the
 * reserved one. */
static enum sj_status decide(const struct judge *j, enum sj_dialect d, enum sj_cat_what what, uint32_t index,
                             fast_fn fast, const void *row, uint32_t cell)
{
	bool v10 = j->c->rules >= SJ_V10;
	struct keys k = look(j->t, cell);
	if (!v10)
		d = SJ_DIALECT_BARE;
	bool both = d == SJ_DIALECT_AUTO && !k.at && !k.odd;
	if (d == SJ_DIALECT_AUTO)
		d = k.at || k.odd ? SJ_DIALECT_RESERVED : SJ_DIALECT_BARE;
	if (!k.odd && !(d == SJ_DIALECT_RESERVED && k.bad) && fast(j, row, d, cell))
		return SJ_OK;
	if (!both)
		return engine(j, d, what, index, cell);
	struct judge silent = *j;
	silent.fn = NULL;
	enum sj_status st = engine(&silent, SJ_DIALECT_BARE, what, index, cell);
	if (st != SJ_INVALID)
		return st;
	st = fast(j, row, SJ_DIALECT_RESERVED, cell) ? SJ_OK : engine(&silent, SJ_DIALECT_RESERVED, what, index, cell);
	return st == SJ_INVALID ? engine(j, SJ_DIALECT_BARE, what, index, cell) : st;
}

enum sj_status sj_catalog_check_component(const struct sj_catalog *c, const struct sj_a2ui_component *type,
                                          enum sj_dialect dialect, const struct sj_tape *t, uint32_t cell,
                                          struct sj_arena *scratch, sj_schema_fault_fn fn, void *ctx)
{
	const struct sj_cat_component *comp = (const struct sj_cat_component *)(const void *)type;
	struct judge j = {c, t, scratch, fn, ctx};
	if (c->permissive || type->index == UINT32_MAX || (comp->pub.open && c->rules < SJ_V10))
		return sj_tape_type(t, cell) == SJ_J_OBJECT
		               ? SJ_OK
		               : fault(&j, cell, "type", SJ_NO_SLICE, "a component is an object", SJ_NO_SLICE, "");
	return decide(&j, dialect, SJ_CAT_COMPONENT, type->index, fast_component, comp, cell);
}

enum sj_status sj_catalog_check_call(const struct sj_catalog *c, const struct sj_a2ui_function *f,
                                     enum sj_dialect dialect, const struct sj_tape *t, uint32_t cell,
                                     struct sj_arena *scratch, sj_schema_fault_fn fn, void *ctx)
{
	struct judge j = {c, t, scratch, fn, ctx};
	if (c->permissive)
		return SJ_OK;
	if (c->rules < SJ_V09)
		return fault(&j, cell, "const", SJ_NO_SLICE, "v0.8 has no function calls", SJ_NO_SLICE, "");
	return decide(&j, dialect, SJ_CAT_FUNCTION, f->index, fast_call, f, cell);
}

enum sj_status sj_catalog_check_theme(const struct sj_catalog *c, const struct sj_tape *t, uint32_t cell,
                                      struct sj_arena *scratch, sj_schema_fault_fn fn, void *ctx)
{
	struct judge j = {c, t, scratch, fn, ctx};
	return c->theme.t ? engine(&j, SJ_DIALECT_BARE, SJ_CAT_THEME, 0, cell) : SJ_OK;
}

/* One call found in a component that is checked against this catalog alone. */
static enum sj_status call_alone(const struct judge *j, enum sj_dialect d, uint32_t cell, uint32_t name_cell)
{
	struct sj_slice name = sj_tape_string(j->t, name_cell, j->scratch);
	uint32_t id = sj_tape_get(j->t, cell, SJ_LIT("catalogId")), args = sj_tape_get(j->t, cell, SJ_LIT("args"));
	if (!name.ptr)
		return SJ_NOMEM;
	if (sj_slice_is(name, "@index"))
		return id ? fault(j, id, "unevaluatedProperties", SJ_LIT("catalogId"), "@index takes no catalogId",
		                  SJ_NO_SLICE, "")
		          : SJ_OK;
	if (!sj_ident_check(name))
		return fault(j, name_cell, "pattern", SJ_NO_SLICE, "'", name, "' is not the name of a function");
	for (uint32_t at = args && sj_tape_type(j->t, args) == SJ_J_OBJECT ? sj_tape_first(j->t, args) : 0;
	     at > 0 && at < j->t->cells[args].end; at = sj_tape_next(j->t, at + 1)) {
		struct sj_slice arg = sj_tape_string(j->t, at, j->scratch);
		if (!arg.ptr)
			return SJ_NOMEM;
		if (!sj_ident_check(arg))
			return fault(j, at + 1, "propertyNames", arg, "'", arg, "' is not the name of an argument");
	}
	if (id && !(sj_tape_type(j->t, id) == SJ_J_STRING && sj_tape_string_is(j->t, id, j->c->id)))
		return SJ_OK; /* another catalog's: not for this one to judge */
	const struct sj_a2ui_function *f = sj_catalog_function(j->c, name);
	if (!f)
		return fault(j, name_cell, "oneOf", SJ_NO_SLICE, "Unrecognized function '", name, "'");
	return sj_catalog_check_call(j->c, f, d, j->t, cell, j->scratch, j->fn, j->ctx);
}

enum sj_status sj_catalog_check_alone(const struct sj_catalog *c, enum sj_dialect dialect, const struct sj_tape *t,
                                      uint32_t cell, struct sj_arena *scratch, sj_schema_fault_fn fn, void *ctx)
{
	struct judge j = {c, t, scratch, fn, ctx};
	uint32_t type = sj_tape_type(t, cell) == SJ_J_OBJECT ? sj_tape_get(t, cell, SJ_LIT("component")) : 0;
	if (!type)
		return fault(&j, cell, "required", SJ_LIT("component"), "'component' is a required property",
		             SJ_NO_SLICE, "");
	struct sj_slice name = sj_tape_type(t, type) == SJ_J_STRING ? sj_tape_string(t, type, scratch) : SJ_NO_SLICE;
	const struct sj_a2ui_component *comp = sj_catalog_component(c, name);
	if (!comp)
		return fault(&j, type, "oneOf", SJ_NO_SLICE, "Unknown component '", name, "'");
	if (c->rules < SJ_V10)
		return sj_catalog_check_component(c, comp, SJ_DIALECT_BARE, t, cell, scratch, fn, ctx);
	if (dialect == SJ_DIALECT_AUTO)
		dialect = look(t, cell).at ? SJ_DIALECT_RESERVED : SJ_DIALECT_BARE;
	enum sj_status st = sj_catalog_check_component(c, comp, dialect, t, cell, scratch, fn, ctx);
	struct sj_slice key = dialect == SJ_DIALECT_RESERVED ? SJ_LIT("@call") : SJ_LIT("call");
	uint32_t metadata = sj_tape_get(t, cell, SJ_LIT("metadata")), holder = 0;
	for (uint32_t i = cell + 1; i < t->cells[cell].end && st != SJ_NOMEM; i++) {
		if (i == metadata) {
			i = t->cells[i].end - 1;
			continue;
		}
		if (sj_tape_type(t, i) != SJ_J_OBJECT || i == holder)
			continue;
		uint32_t called = sj_tape_get(t, i, key);
		if (!called || sj_tape_type(t, called) != SJ_J_STRING)
			continue;
		/* Names of arguments are the author's: an argument called `call` makes no call of them. */
		holder = sj_tape_get(t, i, SJ_LIT("args"));
		enum sj_status one = call_alone(&j, dialect, i, called);
		st = one != SJ_OK ? one : st;
	}
	return st;
}

enum sj_status sj_a2ui_check_common_type(struct sj_mem *mem, enum sj_version v, enum sj_dialect d,
                                         struct sj_slice definition, const struct sj_tape *t, uint32_t cell,
                                         sj_schema_fault_fn fn, void *ctx)
{
	if (v < SJ_V09)
		return SJ_ABSENT;
	struct sj_schema_options opt = {.assert_format = true};
	struct sj_schema_set *set;
	enum sj_status st = sj_schema_set_create(mem, &opt, &set);
	if (st != SJ_OK)
		return st;
	struct sj_buf text, uri;
	sj_buf_init(&text, mem, 0);
	sj_buf_init(&uri, mem, 0);
	sj_data_common_types(&text, v, d == SJ_DIALECT_RESERVED ? d : SJ_DIALECT_BARE, false, true);
	sj_buf_puts(&uri, sj_data_base(v));
	sj_buf_puts(&uri, "common_types.json");
	st = sj_buf_status(&text) != SJ_OK ? sj_buf_status(&text) : sj_buf_status(&uri);
	if (st == SJ_OK)
		st = sj_schema_set_add(set, sj_buf_view(&uri), sj_buf_view(&text), NULL);
	sj_buf_clear(&text);
	/* Without a catalog every function is one. */
	sj_buf_printf(&text, "%scatalog.json", sj_data_base(v));
	if (st == SJ_OK)
		st = sj_buf_status(&text);
	if (st == SJ_OK)
		st = sj_schema_set_add(set, sj_buf_view(&text), SJ_LIT("{\"$defs\":{\"anyFunction\":true}}"), NULL);
	sj_buf_puts(&uri, "#/$defs/");
	sj_buf_slice(&uri, definition);
	const struct sj_schema *schema = NULL;
	if (st == SJ_OK)
		st = sj_buf_status(&uri);
	if (st == SJ_OK) {
		st = sj_schema_compile(set, sj_buf_view(&uri), &schema, NULL);
		st = st == SJ_INVALID ? SJ_ABSENT : st;
	}
	if (st == SJ_OK) {
		struct sj_arena arena;
		sj_arena_init(&arena, mem, 0);
		st = sj_schema_validate(schema, t, cell, &arena, fn, ctx);
		sj_arena_finish(&arena);
	}
	sj_buf_finish(&text);
	sj_buf_finish(&uri);
	sj_schema_set_destroy(set);
	return st;
}
