/* What a surface that lives adds: the places of its model, and values of the kinds that are there. */
#include "infer/grammar_live.h"

enum {
	MAX_PLACES = 400,  /* of the model: what is near the root comes first */
	MAX_SHAPES = 60,   /* lists and objects whose whole shape is spelled out */
	MAX_DEPTH = 16,    /* tokens of a path */
	MAX_PATH = 200,    /* bytes of one */
	MAX_ROWS = 8,      /* of a list, looked at for its kinds */
	MAX_MEMBERS = 64,  /* of one object */
	MAX_SHAPE_STEPS = 4000,
};

enum sj_status sj_grammar_surface_of(struct sj_engine *e, struct sj_view *v, struct sj_grammar_surface *out)
{
	struct sj_mem *mem = sj_engine_mem(e);
	struct sj_buf text;
	struct sj_arena arena;
	struct sj_tape t;
	struct sj_json_options opt = sj_json_options_wire(sj_engine_limits(e));
	struct sj_grammar_surface s = {.id = sj_view_id(v),
	                               .catalog_id = sj_view_catalog_id(v),
	                               .version = sj_view_version(v),
	                               .components = SJ_ABSENT_VALUE,
	                               .data = SJ_ABSENT_VALUE};
	sj_buf_init(&text, mem, 0);
	sj_arena_init(&arena, mem, 0);
	enum sj_status st = sj_view_components(e, v, &text);
	if (st == SJ_OK)
		st = sj_buf_status(&text);
	if (st == SJ_OK)
		st = sj_json_parse(&arena, &opt, sj_buf_view(&text), &t, NULL);
	if (st == SJ_OK)
		st = sj_value_from_tape(mem, &t, 0, &s.components);
	/* Which keys the agent writes is seen from what it has written. */
	for (uint32_t i = 0; st == SJ_OK && i < t.count; i++)
		if ((t.cells[i].flags & SJ_CELL_KEY) &&
		    (sj_tape_string_is(&t, i, SJ_LIT("@path")) || sj_tape_string_is(&t, i, SJ_LIT("@call"))))
			s.dialect = SJ_DIALECT_RESERVED;
	if (st == SJ_OK) {
		const struct sj_value *model = sj_surface_model(sj_view_surface(v), SJ_ROOT_DATA);
		s.data = model ? sj_value_ref(*model) : SJ_ABSENT_VALUE;
		*out = s;
	}
	sj_arena_finish(&arena);
	sj_buf_finish(&text);
	return st;
}

void sj_grammar_surface_finish(struct sj_engine *e, struct sj_grammar_surface *s)
{
	sj_value_unref(sj_engine_mem(e), s->components);
	sj_value_unref(sj_engine_mem(e), s->data);
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

struct place {
	const struct sj_value *v;
	struct sj_slice path, relative; /* relative: from the row of the innermost list; ptr NULL: in none */
	uint32_t depth;
};

static bool is_trap(struct sj_slice token)
{
	return token.len == 0 || sj_slice_is(token, "__proto__") || sj_slice_is(token, "constructor") ||
	       sj_slice_is(token, "prototype");
}

static struct sj_slice join(struct sj_grammar *g, struct sj_slice path, struct sj_slice token, bool relative)
{
	struct sj_buf text;
	sj_buf_init(&text, g->mem, 0);
	sj_buf_slice(&text, path);
	sj_pointer_append(&text, token);
	if (g->status == SJ_OK)
		g->status = sj_buf_status(&text);
	/* A relative path has no slash before it. */
	size_t skip = relative && path.len == 0 && text.len > 0;
	struct sj_slice kept =
		text.len > MAX_PATH ? SJ_NO_SLICE : sj_g_keep(g, sj_slice(text.ptr + skip, text.len - skip));
	sj_buf_finish(&text);
	return kept;
}

static void add_place(struct sj_grammar *g, struct place *places, uint32_t *n, const struct place *in,
                      struct sj_slice token, const struct sj_value *v, bool row)
{
	if (*n == MAX_PLACES || is_trap(token) || in->depth == MAX_DEPTH || v->type == SJ_V_ABSENT)
		return;
	struct place p = {.v = v, .path = join(g, in->path, token, false), .depth = in->depth + 1};
	if (row)
		p.relative = SJ_LIT("");
	else if (in->relative.ptr)
		p.relative = join(g, in->relative, token, true);
	if (p.path.ptr)
		places[(*n)++] = p;
}

/* Every place of the model, those near the root first. The root itself is the first. */
static struct place *places_of(struct sj_grammar *g, uint32_t *n)
{
	struct place *places = sj_g_alloc(g, MAX_PLACES * sizeof *places);
	*n = 0;
	if (!places || g->opt.surface->data.type != SJ_V_OBJECT)
		return NULL;
	places[(*n)++] = (struct place){.v = &g->opt.surface->data, .path = SJ_LIT("")};
	for (uint32_t i = 0; i < *n && g->status == SJ_OK; i++) {
		struct place in = places[i];
		uint32_t count = sj_value_count(in.v);
		for (uint32_t k = 0; k < count && *n < MAX_PLACES && in.v->type == SJ_V_OBJECT; k++) {
			struct sj_slice key;
			const struct sj_value *v = sj_value_member(in.v, k, &key);
			sj_g_know_key(g, sj_g_keep(g, key));
			add_place(g, places, n, &in, key, v, false);
		}
		for (uint32_t k = 0; k < count && k < MAX_ROWS && *n < MAX_PLACES && in.v->type == SJ_V_ARRAY; k++) {
			char digit = (char)('0' + k);
			add_place(g, places, n, &in, sj_slice(&digit, 1), sj_value_item(in.v, k), true);
		}
	}
	return places;
}

static const struct sj_g_node *words(struct sj_grammar *g, const struct place *places, uint32_t n, bool lists)
{
	const struct sj_g_node **all = sj_g_alloc(g, 2 * n * sizeof *all);
	uint32_t count = 0;
	for (uint32_t i = 1; all && i < n; i++) {
		if (lists && places[i].v->type != SJ_V_ARRAY)
			continue;
		all[count++] = sj_g_word(g, places[i].path);
		if (places[i].relative.len > 0) {
			const struct sj_g_node *word = sj_g_word(g, places[i].relative);
			bool seen = false; /* every row has it */
			for (uint32_t k = 0; k < count && !seen; k++)
				seen = sj_slice_eq(all[k]->text, word->text);
			if (!seen)
				all[count++] = word;
		}
	}
	return all ? sj_g_one_of(g, all, count) : &SJ_G_NOTHING;
}

void sj_g_live_data(struct sj_grammar *g)
{
	uint32_t n;
	const struct place *places = places_of(g, &n);
	if (!places || n < 2)
		return;
	g->path = sj_g_named(g, "known-path", words(g, places, n, false));
	g->list_path = sj_g_named(g, "known-list", words(g, places, n, true));
}

/* ---- values of the kind that is there ---------------------------------------------------------------------------- */

struct shaper {
	struct sj_grammar *g;
	uint32_t steps;
};

/* Recursion is bounded by the depth of values that grammars spell. */
static const struct sj_g_node *shape(struct shaper *s, const struct sj_value *v, uint32_t depth)
{
	struct sj_grammar *g = s->g;
	static const struct sj_g_node *const scalars[] = {&SJ_G_STRINGS, &SJ_G_NUMBERS, &SJ_G_BOOLS};
	if (++s->steps > MAX_SHAPE_STEPS)
		return &SJ_G_NOTHING;
	switch ((enum sj_value_type)v->type) {
	case SJ_V_FALSE: case SJ_V_TRUE: return &SJ_G_BOOLS;
	case SJ_V_INT: case SJ_V_DOUBLE: return &SJ_G_NUMBERS;
	case SJ_V_SHORT: case SJ_V_STRING: return &SJ_G_STRINGS;
	case SJ_V_ABSENT: case SJ_V_NULL: return sj_g_one_of(g, scalars, 3);
	case SJ_V_ARRAY: case SJ_V_OBJECT: break;
	}
	uint32_t count = sj_value_count(v);
	if (depth == 0 || (v->type == SJ_V_OBJECT && count > MAX_MEMBERS))
		return &SJ_G_NOTHING;
	if (v->type == SJ_V_ARRAY) {
		const struct sj_g_node *kinds[MAX_ROWS];
		uint32_t n = 0;
		for (uint32_t i = 0; i < count && i < MAX_ROWS; i++) {
			const struct sj_g_node *kind = shape(s, sj_value_item(v, i), depth - 1);
			/* Rows mostly look alike: of objects and lists the first stands for all. */
			bool seen = kind->kind == SJ_G_NEVER;
			for (uint32_t k = 0; k < n && !seen; k++)
				seen = kinds[k] == kind || (kind->kind >= SJ_G_ARRAY && kinds[k]->kind == kind->kind);
			if (!seen)
				kinds[n++] = kind;
		}
		const struct sj_g_node *item = n > 0 ? sj_g_one_of(g, kinds, n) : sj_g_one_of(g, scalars, 3);
		return sj_g_array(g, item, 0, -1);
	}
	struct sj_g_member *m = sj_g_alloc(g, count * sizeof *m);
	for (uint32_t i = 0; m && i < count; i++) {
		struct sj_slice key;
		const struct sj_value *value = sj_value_member(v, i, &key);
		m[i] = (struct sj_g_member){
			.name = sj_g_keep(g, key), .value = shape(s, value, depth - 1), .required = true};
	}
	return m ? sj_g_object(g, m, count) : &SJ_G_NOTHING;
}

const struct sj_g_node *sj_g_live_write(struct sj_grammar *g)
{
	enum { TEXTS, NUMBERS, BOOLS, NULLS, KINDS };
	uint32_t n, counts[KINDS] = {0}, count = 0, shapes = 0;
	const struct place *places = places_of(g, &n);
	const struct sj_g_node **parts = sj_g_alloc(g, (MAX_SHAPES + KINDS) * sizeof *parts), **paths[KINDS];
	for (unsigned k = 0; k < KINDS; k++)
		paths[k] = sj_g_alloc(g, (n + 1) * sizeof **paths);
	if (!places || !parts || g->status != SJ_OK)
		return &SJ_G_NOTHING;
	struct shaper s = {.g = g};
	const struct sj_value nothing = SJ_NULL_VALUE;
	for (uint32_t i = 0; i < n; i++) {
		const struct sj_value *v = places[i].v;
		unsigned kind = sj_value_is_string(v)   ? TEXTS
		                : sj_value_is_number(v) ? NUMBERS
		                : sj_value_is_bool(v)   ? BOOLS
		                                        : NULLS;
		const struct sj_g_node *word = sj_g_word(g, i == 0 ? SJ_LIT("/") : places[i].path);
		if (!sj_value_is_container(v)) {
			paths[kind][counts[kind]++] = word;
		} else if (sj_value_count(v) > 0 && shapes < MAX_SHAPES) {
			struct sj_g_member m[] = {
				{.name = SJ_LIT("path"), .value = word, .required = true},
				{.name = SJ_LIT("value"), .value = shape(&s, v, g->opt.value_depth), .required = true},
			};
			if (m[1].value->kind == SJ_G_NEVER)
				continue;
			shapes++;
			parts[count++] = sj_g_message(g, "updateDataModel", m, 2);
		}
	}
	const struct sj_g_node *kinds[KINDS] = {&SJ_G_STRINGS, &SJ_G_NUMBERS, &SJ_G_BOOLS, shape(&s, &nothing, 1)};
	for (unsigned k = 0; k < KINDS; k++) {
		struct sj_g_member m[] = {
			{.name = SJ_LIT("path"), .value = sj_g_one_of(g, paths[k], counts[k]), .required = true},
			{.name = SJ_LIT("value"), .value = kinds[k], .required = true},
		};
		if (counts[k] > 0)
			parts[count++] = sj_g_message(g, "updateDataModel", m, 2);
	}
	return sj_g_one_of(g, parts, count);
}
