#include <stdarg.h>
#include <stdio.h>

#include "json/value.h"
#include "schema/keyword.h"
#include "schema/program.h"
#include "base/num.h"
#include "schema/uri.h"

/* Where a set may be cut back to when adding a document or a subschema's names fails half-way. */
struct mark {
	uint32_t docs, resources, anchors;
};

struct place {
	uint32_t cell, resource;
};
struct scan {
	struct sj_schema_set *set;
	uint32_t doc;
	SJ_VEC(struct place) todo;
	struct sj_diag *diag;
};

static uint64_t at(uint32_t doc, uint32_t cell) { return (uint64_t)doc << 32 | cell; }

static enum sj_status no_memory(struct sj_diag *diag)
{
	return sj_diag_set(diag, SJ_NOMEM, SJ_E_NOMEM, SJ_CAT_COMPILE, "out of memory");
}

enum sj_status sj_schema_bad(const struct sj_schema_set *s, uint32_t doc, uint32_t cell, struct sj_diag *diag,
                             const char *format, ...)
{
	char text[256];
	struct sj_buf pointer;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (diag && diag->code == SJ_E_NONE) {
		sj_diag_set(diag, SJ_INVALID, SJ_E_SCHEMA_COMPILE, SJ_CAT_CATALOG, "%s", text);
		sj_buf_init(&pointer, s->mem, 0);
		sj_tape_pointer(&s->docs.items[doc].tape, cell, &pointer);
		sj_diag_pointer(diag, "%.*s", SJ_ARG(sj_buf_view(&pointer)));
		sj_buf_finish(&pointer);
	}
	return SJ_INVALID;
}

enum sj_status sj_schema_set_create(struct sj_mem *mem, const struct sj_schema_options *opt, struct sj_schema_set **out)
{
	struct sj_schema_set *s = sj_mem_zalloc(mem, sizeof *s);
	enum sj_status status;

	if (!s)
		return SJ_NOMEM;
	s->mem = mem;
	s->limits = opt && opt->limits ? *opt->limits : SJ_LIMITS_DEFAULT;
	s->assert_format = opt && opt->assert_format;
	s->plain = opt && opt->plain;
	sj_arena_init(&s->arena, mem, 4096);
	sj_map_init(&s->by_uri, mem, 0);
	sj_map_init(&s->by_anchor, mem, 0);
	sj_map_init(&s->by_pattern, mem, 0);
	sj_map64_init(&s->root_at, mem);
	sj_map64_init(&s->dynamic_at, mem);
	sj_schema_symbols_init(&s->symbols, mem);
	status = sj_schema_keywords_make(&s->symbols);
	if (status == SJ_OK)
		status = SJ_VEC_RESERVE(mem, &s->nodes, 2, 0);
	if (status != SJ_OK) {
		sj_schema_set_destroy(s);
		return status;
	}
	s->nodes.items[SJ_SCHEMA_TRUE] = (struct sj_schema_node){.types = SJ_SCHEMA_ANY_TYPE,
	                                                         .accepts = SJ_SCHEMA_ANY_TYPE,
	                                                         .doc = SJ_SCHEMA_NONE,
	                                                         .resource = SJ_SCHEMA_NONE};
	s->nodes.items[SJ_SCHEMA_FALSE] = (struct sj_schema_node){.doc = SJ_SCHEMA_NONE, .resource = SJ_SCHEMA_NONE};
	s->nodes.count = 2;
	*out = s;
	return SJ_OK;
}

void sj_schema_set_destroy(struct sj_schema_set *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->patterns.count; i++)
		if (s->patterns.items[i].regex)
			sj_regex_destroy(s->patterns.items[i].regex);
	SJ_VEC_FREE(s->mem, &s->docs);
	SJ_VEC_FREE(s->mem, &s->resources);
	SJ_VEC_FREE(s->mem, &s->anchors);
	SJ_VEC_FREE(s->mem, &s->nodes);
	SJ_VEC_FREE(s->mem, &s->ops);
	SJ_VEC_FREE(s->mem, &s->kids);
	SJ_VEC_FREE(s->mem, &s->objects);
	SJ_VEC_FREE(s->mem, &s->props);
	SJ_VEC_FREE(s->mem, &s->unions);
	SJ_VEC_FREE(s->mem, &s->pins);
	SJ_VEC_FREE(s->mem, &s->enums);
	SJ_VEC_FREE(s->mem, &s->patterns);
	SJ_VEC_FREE(s->mem, &s->dynamic_names);
	sj_map_finish(&s->by_uri);
	sj_map_finish(&s->by_anchor);
	sj_map_finish(&s->by_pattern);
	sj_map64_finish(&s->root_at);
	sj_map64_finish(&s->dynamic_at);
	sj_schema_symbols_finish(&s->symbols);
	sj_arena_finish(&s->arena);
	sj_mem_free(s->mem, s, sizeof *s);
}

uint32_t sj_schema_resource_at(const struct sj_schema_set *s, uint32_t doc, uint32_t cell, uint32_t outer)
{
	uint32_t found = sj_map64_get(&s->root_at, at(doc, cell));
	return found == SJ_MAP_NONE ? outer : found;
}

/* Text before a "#" with an empty fragment, or all of it; *fragment tells whether a real one follows. */
static struct sj_slice without_fragment(struct sj_slice uri, bool *fragment)
{
	struct sj_schema_uri parts;

	sj_schema_uri_split(uri, &parts);
	*fragment = parts.fragment.ptr && parts.fragment.len > 0;
	if (parts.fragment.ptr)
		uri.len = (size_t)(parts.fragment.ptr - uri.ptr) - 1;
	return uri;
}

static enum sj_status resolve(struct sj_schema_set *s, struct sj_slice base, struct sj_slice ref, struct sj_slice *out)
{
	struct sj_buf buf;
	enum sj_status status;

	sj_buf_init(&buf, s->mem, 0);
	sj_schema_uri_resolve(&buf, base, ref);
	status = sj_buf_status(&buf);
	if (status == SJ_OK) {
		*out = sj_arena_copy(&s->arena, sj_buf_view(&buf));
		if (!out->ptr)
			status = SJ_NOMEM;
	}
	sj_buf_finish(&buf);
	return status;
}

/* A resource that begins at (doc, cell) under `uri`, which lives in the arena. */
static enum sj_status add_resource(struct scan *c, uint32_t cell, struct sj_slice uri, uint32_t parent, uint32_t *out)
{
	struct sj_schema_set *s = c->set;
	uint32_t index = s->resources.count;
	enum sj_status status;

	if (sj_map_get(&s->by_uri, uri) != SJ_MAP_NONE)
		return sj_schema_bad(s, c->doc, cell, c->diag, "the schema set has another schema named '%.*s'",
		                     SJ_ARG(uri));
	status = SJ_VEC_RESERVE(s->mem, &s->resources, index + 1, 0);
	if (status == SJ_OK)
		status = sj_map64_put(&s->root_at, at(c->doc, cell), index);
	if (status != SJ_OK)
		return no_memory(c->diag);
	s->resources.items[index] =
		(struct sj_schema_resource){.uri = uri, .doc = c->doc, .cell = cell, .parent = parent};
	s->resources.count++; /* from here on cut_back removes it */
	if (sj_map_put(&s->by_uri, uri, index) != SJ_OK)
		return no_memory(c->diag);
	*out = index;
	return SJ_OK;
}

static enum sj_status anchor_key(struct sj_schema_set *s, uint32_t resource, struct sj_slice name, struct sj_buf *key)
{
	sj_buf_init(key, s->mem, 0);
	for (unsigned shift = 0; shift < 32; shift += 8)
		sj_buf_putc(key, (char)(resource >> shift & 0xff));
	sj_buf_slice(key, name);
	return sj_buf_status(key);
}

static bool is_anchor_name(struct sj_slice name)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
		if (!letter && (i == 0 || !((c >= '0' && c <= '9') || c == '-' || c == '.')))
			return false;
	}
	return name.len > 0;
}

static enum sj_status add_anchor(struct scan *c, uint32_t cell, uint32_t name_cell, uint32_t resource, bool dynamic)
{
	struct sj_schema_set *s = c->set;
	const struct sj_tape *t = &s->docs.items[c->doc].tape;
	struct sj_buf key;
	enum sj_status status;

	if (sj_tape_type(t, name_cell) != SJ_J_STRING)
		return sj_schema_bad(s, c->doc, name_cell, c->diag, "an anchor must be a string");
	struct sj_slice name = sj_tape_string(t, name_cell, &s->arena);
	if (!name.ptr)
		return no_memory(c->diag);
	if (!is_anchor_name(name))
		return sj_schema_bad(s, c->doc, name_cell, c->diag, "'%.*s' is no anchor name", SJ_ARG(name));
	status = anchor_key(s, resource, name, &key);
	struct sj_slice filed = status == SJ_OK ? sj_arena_copy(&s->arena, sj_buf_view(&key)) : SJ_NO_SLICE;
	sj_buf_finish(&key);
	if (!filed.ptr)
		return no_memory(c->diag);
	uint32_t known = sj_map_get(&s->by_anchor, filed);
	if (known != SJ_MAP_NONE) {
		struct sj_schema_anchor *anchor = &s->anchors.items[known];
		if (anchor->cell != cell)
			return sj_schema_bad(s, c->doc, name_cell, c->diag, "the anchor '%.*s' is there twice",
			                     SJ_ARG(name));
		anchor->dynamic = anchor->dynamic || dynamic;
		return SJ_OK;
	}
	status = SJ_VEC_RESERVE(s->mem, &s->anchors, s->anchors.count + 1, 0);
	if (status != SJ_OK)
		return no_memory(c->diag);
	s->anchors.items[s->anchors.count++] = (struct sj_schema_anchor){resource, cell, name, filed, dynamic};
	if (sj_map_put(&s->by_anchor, filed, s->anchors.count - 1) != SJ_OK)
		return no_memory(c->diag);
	return SJ_OK;
}

static enum sj_status push(struct scan *c, uint32_t cell, uint32_t resource)
{
	if (SJ_VEC_RESERVE(c->set->mem, &c->todo, c->todo.count + 1, 0) != SJ_OK)
		return no_memory(c->diag);
	c->todo.items[c->todo.count++] = (struct place){cell, resource};
	return SJ_OK;
}

static enum sj_status push_below(struct scan *c, uint32_t cell, uint32_t resource, enum sj_schema_shape shape)
{
	const struct sj_tape *t = &c->set->docs.items[c->doc].tape;
	enum sj_json_type type = sj_tape_type(t, cell);
	enum sj_status status = SJ_OK;

	if (shape == SJ_SCHEMA_SHAPE_SCHEMA)
		return push(c, cell, resource);
	if ((shape == SJ_SCHEMA_SHAPE_LIST && type == SJ_J_ARRAY) ||
	    (shape == SJ_SCHEMA_SHAPE_MAP && type == SJ_J_OBJECT))
		for (uint32_t i = sj_tape_first(t, cell); i < sj_tape_next(t, cell) && status == SJ_OK;
		     i = sj_tape_next(t, i))
			if (!(t->cells[i].flags & SJ_CELL_KEY))
				status = push(c, i, resource);
	return status;
}

/* The names one schema object declares, then its subschemas onto the stack. */
static enum sj_status scan_schema(struct scan *c, uint32_t cell, uint32_t resource)
{
	struct sj_schema_set *s = c->set;
	const struct sj_tape *t = &s->docs.items[c->doc].tape;
	enum sj_status status = SJ_OK;

	if (sj_tape_type(t, cell) != SJ_J_OBJECT)
		return SJ_OK;
	uint32_t id = sj_tape_get(t, cell, SJ_LIT("$id"));
	if (id && sj_map64_get(&s->root_at, at(c->doc, cell)) != SJ_MAP_NONE) {
		resource = sj_schema_resource_at(s, c->doc, cell, resource);
	} else if (id) {
		struct sj_slice uri, base = s->resources.items[resource].uri;
		bool fragment;
		if (sj_tape_type(t, id) != SJ_J_STRING)
			return sj_schema_bad(s, c->doc, id, c->diag, "'$id' must be a string");
		struct sj_slice ref = sj_tape_string(t, id, &s->arena);
		if (!ref.ptr || resolve(s, base, ref, &uri) != SJ_OK)
			return no_memory(c->diag);
		uri = without_fragment(uri, &fragment);
		if (fragment)
			return sj_schema_bad(s, c->doc, id, c->diag, "'$id' must have no fragment");
		status = add_resource(c, cell, uri, resource, &resource);
		if (status != SJ_OK)
			return status;
	}
	for (uint32_t key = cell + 1; key < sj_tape_next(t, cell); key = sj_tape_next(t, key + 1)) {
		enum sj_schema_keyword keyword = sj_schema_keyword_at(&s->symbols, t, key);
		if (keyword == SJ_SCHEMA_KW_ANCHOR || keyword == SJ_SCHEMA_KW_DYNAMIC_ANCHOR)
			status = add_anchor(c, cell, key + 1, resource, keyword == SJ_SCHEMA_KW_DYNAMIC_ANCHOR);
		else
			status = push_below(c, key + 1, resource, sj_schema_keyword_shape(keyword));
		if (status != SJ_OK)
			return status;
	}
	return SJ_OK;
}

static struct mark mark_of(const struct sj_schema_set *s)
{
	return (struct mark){s->docs.count, s->resources.count, s->anchors.count};
}

static void cut_back(struct sj_schema_set *s, struct mark m)
{
	while (s->anchors.count > m.anchors)
		sj_map_del(&s->by_anchor, s->anchors.items[--s->anchors.count].key);
	while (s->resources.count > m.resources) {
		const struct sj_schema_resource *r = &s->resources.items[--s->resources.count];
		if (sj_map_get(&s->by_uri, r->uri) == s->resources.count)
			sj_map_del(&s->by_uri, r->uri);
		sj_map64_del(&s->root_at, at(r->doc, r->cell));
	}
	s->docs.count = m.docs;
}

static enum sj_status scan_all(struct scan *c, uint32_t cell, uint32_t resource)
{
	enum sj_status status = push(c, cell, resource);

	while (status == SJ_OK && c->todo.count > 0) {
		struct place next = c->todo.items[--c->todo.count];
		status = scan_schema(c, next.cell, next.resource);
	}
	SJ_VEC_FREE(c->set->mem, &c->todo);
	return status;
}

enum sj_status sj_schema_scan(struct sj_schema_set *s, uint32_t doc, uint32_t cell, uint32_t resource,
                              struct sj_diag *diag)
{
	struct scan c = {.set = s, .doc = doc, .diag = diag};
	struct mark mark = mark_of(s);
	enum sj_status status = scan_all(&c, cell, resource);

	if (status != SJ_OK)
		cut_back(s, mark);
	return status;
}

/* The document's own resource, and its other name when $id says differently. */
static enum sj_status add_document(struct sj_schema_set *s, struct sj_slice uri, struct sj_slice text,
                                   struct sj_diag *diag)
{
	struct sj_json_options json = sj_json_options_wire(&s->limits);
	struct scan c = {.set = s, .doc = s->docs.count, .diag = diag};
	struct sj_schema_document doc = {.node_of = NULL};
	struct sj_slice base;
	bool fragment;
	uint32_t id, root;
	enum sj_status status = sj_json_parse(&s->arena, &json, text, &doc.tape, diag);

	if (status != SJ_OK)
		return status;
	doc.node_of = sj_arena_zalloc(&s->arena, doc.tape.count * sizeof *doc.node_of);
	if (!doc.node_of || SJ_VEC_RESERVE(s->mem, &s->docs, s->docs.count + 1, 0) != SJ_OK)
		return no_memory(diag);
	s->docs.items[s->docs.count++] = doc;

	enum sj_json_type type = sj_tape_type(&doc.tape, 0);
	if (type != SJ_J_OBJECT && type != SJ_J_TRUE && type != SJ_J_FALSE)
		return sj_schema_bad(s, c.doc, 0, diag, "a schema must be an object or a boolean");
	if (resolve(s, SJ_NO_SLICE, uri, &base) != SJ_OK)
		return no_memory(diag);
	base = without_fragment(base, &fragment);
	if (fragment)
		return sj_schema_bad(s, c.doc, 0, diag, "a document's URI must have no fragment");
	struct sj_slice own = base;
	id = type == SJ_J_OBJECT ? sj_tape_get(&doc.tape, 0, SJ_LIT("$id")) : 0;
	if (id) {
		if (sj_tape_type(&doc.tape, id) != SJ_J_STRING)
			return sj_schema_bad(s, c.doc, id, diag, "'$id' must be a string");
		struct sj_slice ref = sj_tape_string(&doc.tape, id, &s->arena);
		if (!ref.ptr || resolve(s, base, ref, &own) != SJ_OK)
			return no_memory(diag);
		own = without_fragment(own, &fragment);
		if (fragment)
			return sj_schema_bad(s, c.doc, id, diag, "'$id' must have no fragment");
	}
	status = add_resource(&c, 0, own, SJ_SCHEMA_NONE, &root);
	if (status == SJ_OK)
		status = scan_all(&c, 0, root);
	if (status == SJ_OK && !sj_slice_eq(base, own)) {
		if (sj_map_get(&s->by_uri, base) != SJ_MAP_NONE)
			return sj_schema_bad(s, c.doc, 0, diag, "the schema set has another schema named '%.*s'",
			                     SJ_ARG(base));
		if (sj_map_put(&s->by_uri, base, root) != SJ_OK)
			return no_memory(diag);
	}
	return status;
}

/* `text` is used where it lies. */
static enum sj_status add_text(struct sj_schema_set *s, struct sj_slice uri, struct sj_slice text, struct sj_diag *diag)
{
	struct mark mark = mark_of(s);
	enum sj_status status = add_document(s, uri, text, diag);

	if (status != SJ_OK)
		cut_back(s, mark);
	return status;
}

enum sj_status sj_schema_set_add(struct sj_schema_set *s, struct sj_slice uri, struct sj_slice text,
                                 struct sj_diag *diag)
{
	struct sj_arena_mark before = sj_arena_mark(&s->arena);
	struct sj_slice copy = sj_arena_copy(&s->arena, text);

	if (!copy.ptr)
		return no_memory(diag);
	enum sj_status status = add_text(s, uri, copy, diag);
	if (status != SJ_OK)
		sj_arena_rollback(&s->arena, before);
	return status;
}

/* The resource named `uri` (no fragment), a metaschema being added when first asked for; NONE. */
static enum sj_status find_resource(struct sj_schema_set *s, struct sj_slice uri, uint32_t *out, struct sj_diag *diag)
{
	enum sj_status status;

	*out = sj_map_get(&s->by_uri, uri);
	if (*out != SJ_MAP_NONE)
		return SJ_OK;
	struct sj_slice builtin = sj_schema_builtin(uri);
	if (builtin.ptr) {
		status = add_text(s, uri, builtin, diag);
		if (status != SJ_OK)
			return status;
		*out = sj_map_get(&s->by_uri, uri);
	}
	return SJ_OK;
}

enum sj_status sj_schema_set_alias(struct sj_schema_set *s, struct sj_slice uri, struct sj_slice alias)
{
	struct sj_slice name;
	uint32_t resource, taken = sj_map_get(&s->by_uri, alias);
	enum sj_status status = find_resource(s, uri, &resource, NULL);

	if (status != SJ_OK)
		return status;
	if (resource == SJ_SCHEMA_NONE)
		return SJ_ABSENT;
	if (taken != SJ_MAP_NONE)
		return taken == resource ? SJ_OK : SJ_INVALID;
	name = sj_arena_copy(&s->arena, alias);
	return name.ptr ? sj_map_put(&s->by_uri, name, resource) : SJ_NOMEM;
}

/* Walks a pointer from the root of a resource, passing into the resources embedded on the way. */
static enum sj_status walk(struct sj_schema_set *s, struct sj_slice pointer, struct sj_schema_place *place, bool *found)
{
	const struct sj_tape *t = &s->docs.items[place->doc].tape;
	struct sj_slice token;
	struct sj_buf buf;
	size_t i = 0;
	uint32_t index;

	*found = sj_pointer_check(pointer);
	sj_buf_init(&buf, s->mem, 0);
	while (*found && sj_pointer_next(pointer, &i, &buf, &token)) {
		if (sj_buf_status(&buf) != SJ_OK)
			break;
		if (sj_tape_type(t, place->cell) == SJ_J_OBJECT)
			place->cell = sj_tape_get(t, place->cell, token);
		else if (sj_tape_type(t, place->cell) == SJ_J_ARRAY && sj_num_index(token, &index))
			place->cell = sj_tape_item(t, place->cell, index);
		else
			place->cell = 0;
		*found = place->cell != 0;
		place->resource = sj_schema_resource_at(s, place->doc, place->cell, place->resource);
	}
	enum sj_status status = sj_buf_status(&buf);
	sj_buf_finish(&buf);
	return status;
}

/* `fragment` is decoded already. */
static enum sj_status find_fragment(struct sj_schema_set *s, struct sj_slice fragment, struct sj_schema_place *place,
                                    bool *found)
{
	struct sj_buf key;
	enum sj_status status;

	*found = true;
	if (fragment.len == 0)
		return SJ_OK;
	if (fragment.ptr[0] == '/')
		return walk(s, fragment, place, found);
	status = anchor_key(s, place->resource, fragment, &key);
	uint32_t index = status == SJ_OK ? sj_map_get(&s->by_anchor, sj_buf_view(&key)) : SJ_MAP_NONE;
	sj_buf_finish(&key);
	*found = index != SJ_MAP_NONE;
	if (*found) {
		place->anchor = &s->anchors.items[index];
		place->cell = place->anchor->cell;
	}
	return status;
}

static enum sj_status find(struct sj_schema_set *s, struct sj_slice base, struct sj_slice ref, struct sj_buf *uri,
                           struct sj_buf *fragment, struct sj_schema_place *place, bool *found, struct sj_diag *diag)
{
	struct sj_schema_uri parts;
	struct sj_slice name;
	uint32_t resource;
	bool has_fragment;
	enum sj_status status;

	sj_schema_uri_resolve(uri, base, ref);
	if (sj_buf_status(uri) != SJ_OK)
		return sj_buf_status(uri);
	sj_schema_uri_split(sj_buf_view(uri), &parts);
	sj_schema_uri_decode(fragment, parts.fragment);
	if (sj_buf_status(fragment) != SJ_OK)
		return sj_buf_status(fragment);
	name = without_fragment(sj_buf_view(uri), &has_fragment);
	status = find_resource(s, name, &resource, diag);
	if (status == SJ_OK && resource == SJ_SCHEMA_NONE) {
		name = without_fragment(ref, &has_fragment);
		resource = sj_map_get(&s->by_uri, name);
	}
	*found = false;
	if (status != SJ_OK || resource == SJ_SCHEMA_NONE)
		return status;
	*place = (struct sj_schema_place){
		s->resources.items[resource].doc, s->resources.items[resource].cell, resource, NULL};
	return find_fragment(s, sj_buf_view(fragment), place, found);
}

enum sj_status sj_schema_find(struct sj_schema_set *s, uint32_t resource, struct sj_slice ref,
                              struct sj_schema_place *out, struct sj_diag *diag)
{
	struct sj_buf uri, fragment;
	struct sj_schema_place place = {0};
	bool found = false;

	sj_buf_init(&uri, s->mem, 0);
	sj_buf_init(&fragment, s->mem, 0);
	struct sj_slice base = resource == SJ_SCHEMA_NONE ? SJ_NO_SLICE : s->resources.items[resource].uri;
	enum sj_status status = find(s, base, ref, &uri, &fragment, &place, &found, diag);
	if (status == SJ_NOMEM)
		no_memory(diag);
	else if (status == SJ_OK && !found)
		status = sj_diag_set(diag, SJ_INVALID, SJ_E_SCHEMA_COMPILE, SJ_CAT_CATALOG,
			"'%.*s' leads to no schema of the set", SJ_ARG(ref));
	sj_buf_finish(&uri);
	sj_buf_finish(&fragment);
	if (status == SJ_OK)
		*out = place;
	return status;
}

/* What a metaschema's $vocabulary switches on. */
static enum sj_status read_vocabulary(struct sj_schema_set *s, uint32_t meta, uint8_t *flags, struct sj_diag *diag)
{
	static const struct {
		const char *name;
		uint8_t flag;
	} known[] = {
		{"core", 0}, {"applicator", SJ_SCHEMA_VOCAB_APPLICATOR}, {"unevaluated", SJ_SCHEMA_VOCAB_UNEVALUATED},
		{"validation", SJ_SCHEMA_VOCAB_VALIDATION}, {"meta-data", 0}, {"format-annotation", 0},
		{"format-assertion", SJ_SCHEMA_VOCAB_FORMAT}, {"content", 0},
	};
	static const char prefix[] = "https://json-schema.org/draft/2020-12/vocab/";
	const struct sj_schema_resource *r = &s->resources.items[meta];
	const struct sj_tape *t = &s->docs.items[r->doc].tape;
	uint32_t list = sj_tape_type(t, r->cell) == SJ_J_OBJECT ? sj_tape_get(t, r->cell, SJ_LIT("$vocabulary")) : 0;

	if (!list)
		return SJ_OK;
	if (sj_tape_type(t, list) != SJ_J_OBJECT)
		return sj_schema_bad(s, r->doc, list, diag, "'$vocabulary' must be an object");
	*flags = 0;
	for (uint32_t key = list + 1; key < sj_tape_next(t, list); key = sj_tape_next(t, key + 1)) {
		struct sj_slice name = sj_tape_string(t, key, &s->arena);
		bool needed = sj_tape_type(t, key + 1) == SJ_J_TRUE, understood = false;
		if (!name.ptr)
			return no_memory(diag);
		if (sj_slice_starts(name, prefix)) {
			struct sj_slice tail = sj_slice(name.ptr + sizeof prefix - 1, name.len - (sizeof prefix - 1));
			for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
				if (sj_slice_is(tail, known[i].name)) {
					*flags |= known[i].flag;
					understood = true;
				}
			}
		}
		if (needed && !understood)
			return sj_schema_bad(s, r->doc, key, diag, "the vocabulary '%.*s' is not known here",
			                     SJ_ARG(name));
	}
	return SJ_OK;
}

enum sj_status sj_schema_vocabulary(struct sj_schema_set *s, uint32_t resource, uint8_t *out, struct sj_diag *diag)
{
	uint8_t flags = SJ_SCHEMA_VOCAB_APPLICATOR | SJ_SCHEMA_VOCAB_UNEVALUATED | SJ_SCHEMA_VOCAB_VALIDATION;
	uint32_t meta = SJ_SCHEMA_NONE, said = 0, at_resource = resource;
	enum sj_status status = SJ_OK;

	/* An embedded resource without its own $schema speaks the dialect of the one around it. */
	for (; at_resource != SJ_SCHEMA_NONE; at_resource = s->resources.items[at_resource].parent) {
		const struct sj_schema_resource *r = &s->resources.items[at_resource];
		const struct sj_tape *t = &s->docs.items[r->doc].tape;
		if (r->vocabulary) {
			*out = r->vocabulary;
			return SJ_OK;
		}
		said = sj_tape_type(t, r->cell) == SJ_J_OBJECT ? sj_tape_get(t, r->cell, SJ_LIT("$schema")) : 0;
		if (said && sj_tape_type(t, said) == SJ_J_STRING) {
			bool fragment;
			struct sj_slice uri = sj_tape_string(t, said, &s->arena);
			if (!uri.ptr)
				return no_memory(diag);
			/* Most schemas name the standard metaschema, which switches everything on: no need to read it.
			 */
			if (!sj_slice_eq(uri, SJ_LIT("https://json-schema.org/draft/2020-12/schema")))
				status = find_resource(s, without_fragment(uri, &fragment), &meta, diag);
			break;
		}
	}
	if (status == SJ_OK && meta != SJ_SCHEMA_NONE)
		status = read_vocabulary(s, meta, &flags, diag);
	if (status == SJ_OK)
		*out = s->resources.items[resource].vocabulary = flags | SJ_SCHEMA_VOCAB_KNOWN;
	return status;
}
