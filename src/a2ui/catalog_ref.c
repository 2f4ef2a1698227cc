/* Places in catalog documents: following references, and the properties a schema names. */
#include "a2ui/catalog_internal.h"
#include "base/num.h"

enum { MAX_COLLECT_DEPTH = 16, MAX_COLLECT_STEPS = 20000, MAX_PROPS = 20000, INDEX_FROM = 32 };

struct sj_cat_node sj_cat_get(struct sj_cat_node object, const char *key)
{
	if (!object.t || object.cell >= object.t->count || sj_tape_type(object.t, object.cell) != SJ_J_OBJECT)
		return (struct sj_cat_node){0};
	uint32_t at = sj_tape_get(object.t, object.cell, sj_slice_of(key));
	return at ? (struct sj_cat_node){object.t, at} : (struct sj_cat_node){0};
}

bool sj_cat_is(struct sj_cat_node n, enum sj_json_type type) { return n.t && sj_tape_type(n.t, n.cell) == type; }

struct sj_slice sj_cat_text(struct sj_catalog *c, struct sj_cat_node n)
{
	return sj_cat_is(n, SJ_J_STRING) ? sj_tape_string(n.t, n.cell, &c->arena) : SJ_NO_SLICE;
}

static int hex(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
	                              : -1;
}

/* Compares a decoded key with a token of a URI fragment: %XX, then ~0 and ~1. */
static bool token_is(struct sj_slice token, struct sj_slice key)
{
	size_t k = 0;
	for (size_t i = 0; i < token.len; i++) {
		char c = token.ptr[i];
		if (c == '%' && i + 2 < token.len && hex(token.ptr[i + 1]) >= 0 && hex(token.ptr[i + 2]) >= 0) {
			c = (char)(hex(token.ptr[i + 1]) * 16 + hex(token.ptr[i + 2]));
			i += 2;
		}
		if (c == '~' && i + 1 < token.len && (token.ptr[i + 1] == '0' || token.ptr[i + 1] == '1'))
			c = token.ptr[++i] == '0' ? '~' : '/';
		if (k == key.len || key.ptr[k++] != c)
			return false;
	}
	return k == key.len;
}

static struct sj_cat_node step(struct sj_cat_node n, struct sj_slice token, struct sj_arena *arena)
{
	enum sj_json_type type = sj_tape_type(n.t, n.cell);
	if (type == SJ_J_ARRAY) {
		uint32_t index, at = 0;
		if (sj_num_index(token, &index))
			at = sj_tape_item(n.t, n.cell, index);
		return at ? (struct sj_cat_node){n.t, at} : (struct sj_cat_node){0};
	}
	if (type != SJ_J_OBJECT)
		return (struct sj_cat_node){0};
	if (!memchr(token.ptr, '%', token.len) && !memchr(token.ptr, '~', token.len)) {
		uint32_t at = sj_tape_get(n.t, n.cell, token);
		return at ? (struct sj_cat_node){n.t, at} : (struct sj_cat_node){0};
	}
	for (uint32_t at = sj_tape_first(n.t, n.cell); at < n.t->cells[n.cell].end;) {
		uint32_t value = sj_tape_next(n.t, at);
		if (token_is(token, sj_tape_string(n.t, at, arena)))
			return (struct sj_cat_node){n.t, value};
		at = sj_tape_next(n.t, value);
	}
	return (struct sj_cat_node){0};
}

static struct sj_cat_node pointer(const struct sj_tape *t, struct sj_slice p, struct sj_arena *arena)
{
	struct sj_cat_node n = {t, 0};
	if (t->count == 0 || (p.len > 0 && p.ptr[0] != '/'))
		return (struct sj_cat_node){0};
	for (size_t at = 0; at < p.len && n.t;) {
		size_t from = at + 1, to = from;
		while (to < p.len && p.ptr[to] != '/')
			to++;
		n = step(n, sj_slice(p.ptr + from, to - from), arena);
		at = to;
	}
	return n;
}

static bool ends_with(struct sj_slice s, const char *tail)
{
	size_t n = strlen(tail);
	return s.len >= n && memcmp(s.ptr + s.len - n, tail, n) == 0 && (s.len == n || s.ptr[s.len - n - 1] == '/');
}

/* The name in "/$defs/Name"; empty when the fragment is something else. */
static struct sj_slice def_name(struct sj_slice fragment)
{
	static const char defs[] = "/$defs/";
	if (!sj_slice_starts(fragment, defs))
		return SJ_NO_SLICE;
	struct sj_slice name = sj_slice(fragment.ptr + sizeof defs - 1, fragment.len - (sizeof defs - 1));
	return memchr(name.ptr, '/', name.len) ? SJ_NO_SLICE : name;
}

static struct sj_cat_node common_def(const struct sj_catalog *c, struct sj_slice name)
{
	if (name.len == 0 || c->common.count == 0)
		return (struct sj_cat_node){0};
	uint32_t defs = sj_tape_get(&c->common, 0, SJ_LIT("$defs"));
	uint32_t at = defs ? sj_tape_get(&c->common, defs, name) : 0;
	return at ? (struct sj_cat_node){&c->common, at} : (struct sj_cat_node){0};
}

/* A document may carry copies of the common types it uses (so do the ones we emit): such a copy is the common type
 * itself. Told by its keywords, so that a local definition that happens to share a name ("Action", "Child") keeps its
 * own meaning. */
static bool is_copy(struct sj_cat_node local, struct sj_cat_node common)
{
	static const char *const keywords[] = {"type",       "oneOf", "allOf", "anyOf",   "$ref",
	                                       "properties", "items", "enum",  "required"};
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
		struct sj_cat_node a = sj_cat_get(local, keywords[i]), b = sj_cat_get(common, keywords[i]);
		if (!a.t != !b.t)
			return false;
		if (!a.t)
			continue;
		const struct sj_cell *x = sj_tape_at(a.t, a.cell), *y = sj_tape_at(b.t, b.cell);
		if (x->type != y->type || (x->type >= SJ_J_ARRAY && x->len != y->len) ||
		    (x->type == SJ_J_STRING && !sj_slice_eq(sj_tape_raw(a.t, a.cell), sj_tape_raw(b.t, b.cell))))
			return false;
	}
	return true;
}

enum sj_status sj_cat_resolve(struct sj_catalog *c, struct sj_cat_node from, struct sj_slice ref,
                              struct sj_cat_node *to, struct sj_slice *common)
{
	*to = (struct sj_cat_node){0};
	*common = SJ_NO_SLICE;
	if (ref.len == 0)
		return SJ_ABSENT;
	const char *hash = memchr(ref.ptr, '#', ref.len);
	struct sj_slice uri = hash ? sj_slice(ref.ptr, (size_t)(hash - ref.ptr)) : ref;
	struct sj_slice fragment = hash ? sj_slice(hash + 1, ref.len - uri.len - 1) : SJ_NO_SLICE;
	struct sj_slice name = def_name(fragment);
	bool in_common = ends_with(uri, "common_types.json") || (uri.len == 0 && from.t == &c->common);
	bool in_doc = (uri.len == 0 && from.t == &c->doc) || ends_with(uri, "catalog.json");
	if (!in_common && !in_doc) {
		struct sj_cat_node own = sj_cat_get((struct sj_cat_node){&c->doc, 0}, "$id");
		in_doc = sj_cat_is(own, SJ_J_STRING) && sj_tape_string_is(own.t, own.cell, uri);
	}
	if (in_common) {
		*to = common_def(c, name);
		*common = to->t ? name : SJ_NO_SLICE;
		if (!to->t)
			*to = pointer(&c->common, fragment, &c->arena);
		return to->t ? SJ_OK : SJ_ABSENT;
	}
	if (!in_doc)
		return SJ_ABSENT;
	*to = pointer(&c->doc, fragment, &c->arena);
	struct sj_cat_node shared = common_def(c, name);
	if (shared.t && (!to->t || is_copy(*to, shared))) {
		*to = shared;
		*common = name;
	}
	return to->t ? SJ_OK : SJ_ABSENT;
}

uint32_t sj_cat_budget(const struct sj_catalog *c)
{
	const uint32_t at_least = 20000, per_cell = 8; /* a plain catalog takes less than one step a cell */
	return at_least + per_cell * (c->doc.count + c->common.count);
}

static uint32_t find_prop(const struct sj_cat_props *props, struct sj_slice name)
{
	if (props->count >= INDEX_FROM)
		return sj_map_get(&props->index, name);
	for (uint32_t i = 0; i < props->count; i++)
		if (sj_slice_eq(props->items[i].name, name))
			return i;
	return SJ_MAP_NONE;
}

/* A name that comes twice must satisfy both schemas: both are kept, more are only counted. */
static enum sj_status add_prop(struct sj_catalog *c, struct sj_cat_props *out, struct sj_slice name,
                               struct sj_cat_node schema, bool common, bool mixed_in)
{
	uint32_t i = find_prop(out, name);
	if (i != SJ_MAP_NONE) {
		out->items[i].again++;
		out->items[i].second = schema;
		out->items[i].common = out->items[i].common && common;
		return SJ_OK;
	}
	enum sj_status st =
		sj_mem_grow(c->mem, (void **)&out->items, &out->cap, sizeof *out->items, out->count + 1, MAX_PROPS);
	if (st != SJ_OK)
		return st;
	out->items[out->count++] = (struct sj_cat_prop){
		.name = name, .schema = schema, .common = common, .mixed_in = mixed_in};
	if (out->count == INDEX_FROM)
		for (i = 0; i < out->count && st == SJ_OK; i++)
			st = sj_map_put(&out->index, out->items[i].name, i);
	else if (out->count > INDEX_FROM)
		st = sj_map_put(&out->index, name, out->count - 1);
	return st;
}

static bool is_false(struct sj_cat_node n) { return n.t && sj_tape_type(n.t, n.cell) == SJ_J_FALSE; }

static enum sj_status mark_required(struct sj_catalog *c, struct sj_cat_props *out, const struct sj_tape *t,
                                    uint32_t name)
{
	struct sj_slice text = sj_cat_text(c, (struct sj_cat_node){t, name});
	if (sj_tape_type(t, name) == SJ_J_STRING && !text.ptr)
		return SJ_NOMEM;
	uint32_t i = text.ptr ? find_prop(out, text) : SJ_MAP_NONE;
	if (i != SJ_MAP_NONE)
		out->items[i].required = true;
	else
		out->partial = true;
	return SJ_OK;
}

/* Depth is bounded by MAX_COLLECT_DEPTH: what lies deeper below allOf and references is left to the schema engine. */
static enum sj_status collect(struct sj_catalog *c, struct sj_cat_node schema, struct sj_cat_props *out, bool common,
                              bool mixed_in, uint32_t depth, bool required_only)
{
	if (depth > MAX_COLLECT_DEPTH || ++out->steps > MAX_COLLECT_STEPS || ++c->collect_steps > sj_cat_budget(c)) {
		out->partial = true;
		return SJ_OK;
	}
	if (!sj_cat_is(schema, SJ_J_OBJECT))
		return SJ_OK;
	enum sj_status st = SJ_OK;
	struct sj_cat_node ref = sj_cat_get(schema, "$ref");
	if (sj_cat_is(ref, SJ_J_STRING)) {
		struct sj_cat_node to;
		struct sj_slice name;
		out->names_any = true;
		if (sj_cat_resolve(c, schema, sj_cat_text(c, ref), &to, &name) == SJ_OK)
			st = collect(c, to, out, common || sj_slice_is(name, "ComponentCommon"), true, depth + 1,
			             required_only);
		if (st != SJ_OK)
			return st;
	}
	struct sj_cat_node all = sj_cat_get(schema, "allOf");
	if (sj_cat_is(all, SJ_J_ARRAY)) {
		out->names_any = true;
		for (uint32_t at = sj_tape_first(all.t, all.cell); at < all.t->cells[all.cell].end && st == SJ_OK;
		     at = sj_tape_next(all.t, at))
			st = collect(c, (struct sj_cat_node){all.t, at}, out, common, mixed_in, depth + 1,
			             required_only);
		if (st != SJ_OK)
			return st;
	}
	struct sj_cat_node props = sj_cat_get(schema, "properties");
	if (sj_cat_is(props, SJ_J_OBJECT) && !required_only) {
		out->names_any = true;
		for (uint32_t at = sj_tape_first(props.t, props.cell); at < props.t->cells[props.cell].end;) {
			uint32_t value = sj_tape_next(props.t, at);
			struct sj_slice name = sj_tape_string(props.t, at, &c->arena);
			if (!name.ptr)
				return SJ_NOMEM;
			st = add_prop(c, out, name, (struct sj_cat_node){props.t, value}, common, mixed_in);
			if (st != SJ_OK)
				return st;
			at = sj_tape_next(props.t, value);
		}
	}
	struct sj_cat_node required = sj_cat_get(schema, "required");
	for (uint32_t at = required_only && sj_cat_is(required, SJ_J_ARRAY) ? sj_tape_first(required.t, required.cell)
	                                                                    : 0;
	     at > 0 && at < required.t->cells[required.cell].end && st == SJ_OK; at = sj_tape_next(required.t, at))
		st = mark_required(c, out, required.t, at);
	if (st != SJ_OK)
		return st;
	bool closed = is_false(sj_cat_get(schema, "unevaluatedProperties")),
	     shut = is_false(sj_cat_get(schema, "additionalProperties"));
	if (depth == 0)
		out->closed = closed || shut;
	if ((depth > 0 && (closed || shut)) || (shut && (all.t || ref.t)))
		out->partial = true; /* closed against members that stand elsewhere */
	for (uint32_t at = sj_tape_first(schema.t, schema.cell); at < schema.t->cells[schema.cell].end;) {
		struct sj_slice word = sj_tape_raw(schema.t, at);
		uint32_t value = sj_tape_next(schema.t, at);
		out->partial = out->partial || (schema.t->cells[at].flags & SJ_CELL_ESCAPED);
		at = sj_tape_next(schema.t, value);
		if (!sj_cat_is_assertion(word) || sj_slice_is(word, "$ref") || sj_slice_is(word, "allOf") ||
		    sj_slice_is(word, "properties"))
			continue;
		if (sj_slice_is(word, "type")) {
			out->partial = out->partial || !sj_tape_string_is(schema.t, value, SJ_LIT("object"));
			continue;
		}
		out->names_any = true;
		bool plain = sj_slice_is(word, "required") || sj_slice_is(word, "additionalProperties") ||
		             sj_slice_is(word, "unevaluatedProperties");
		out->partial = out->partial || !(plain || (depth == 0 && sj_slice_is(word, "anyOf")));
	}
	return SJ_OK;
}

enum sj_status sj_cat_collect_more(struct sj_catalog *c, struct sj_cat_node schema, struct sj_cat_props *out)
{
	bool closed = out->closed;
	enum sj_status st = collect(c, schema, out, true, false, 1, false);
	if (st == SJ_OK)
		st = collect(c, schema, out, true, false, 1, true);
	out->closed = closed;
	return st;
}

enum sj_status sj_cat_collect(struct sj_catalog *c, struct sj_cat_node schema, struct sj_cat_props *out)
{
	*out = (struct sj_cat_props){0};
	sj_map_init(&out->index, c->mem, 0);
	enum sj_status st = collect(c, schema, out, false, false, 0, false);
	if (st == SJ_OK)
		st = collect(c, schema, out, false, false, 0, true);
	if (st != SJ_OK)
		sj_cat_props_free(c, out);
	return st;
}

void sj_cat_props_free(struct sj_catalog *c, struct sj_cat_props *p)
{
	sj_mem_free(c->mem, p->items, (size_t)p->cap * sizeof *p->items);
	if (p->index.mem)
		sj_map_finish(&p->index);
	*p = (struct sj_cat_props){0};
}

/* The index an author gave, else a place behind all of those. */
static double stated_position(const struct sj_cat_prop *p)
{
	struct sj_cat_node n = sj_cat_get(p->schema, "positionalIndex");
	double at = sj_cat_is(n, SJ_J_NUMBER) ? sj_tape_number(n.t, n.cell) : -1;
	return at >= 0 ? at : 1e300;
}

/* Which of two comes first; what is alike keeps its order. */
static bool comes_first(const struct sj_cat_prop *a, const struct sj_cat_prop *b)
{
	double x = stated_position(a), y = stated_position(b);
	return x < y || (!(y < x) && !a->mixed_in && b->mixed_in);
}

const uint32_t *sj_cat_positions(struct sj_catalog *c, const struct sj_cat_props *props)
{
	uint32_t n = props->count, *from = sj_arena_alloc(&c->arena, (2 * (size_t)n + 1) * sizeof *from), *to;
	if (!from)
		return NULL;
	to = from + n;
	for (uint32_t i = 0; i < n; i++)
		from[i] = i;
	/* Merges runs of 1, 2, 4, ...: a document may name thousands of members in the worst order. */
	for (uint32_t run = 1; run < n; run *= 2) {
		for (uint32_t low = 0; low < n; low += 2 * run) {
			uint32_t mid = n - low > run ? low + run : n, high = n - low > 2 * run ? low + 2 * run : n;
			for (uint32_t at = low, a = low, b = mid; at < high; at++) {
				bool right = a == mid || (b < high && comes_first(&props->items[from[b]],
				                                                  &props->items[from[a]]));
				to[at] = right ? from[b++] : from[a++];
			}
		}
		uint32_t *swap = from;
		from = to;
		to = swap;
	}
	return from;
}
