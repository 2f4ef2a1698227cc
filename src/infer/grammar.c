/* What a model may write, put together: messages around components, components around what their catalogs say. */
#include "infer/grammar_live.h"

enum {
	DEFAULT_MESSAGES = 16,
	DEFAULT_COMPONENTS = 64,
	DEFAULT_TREE = 40,
	DEFAULT_CHILDREN = 6,
	DEFAULT_VALUE_DEPTH = 4
};

static struct sj_g_member member(const char *name, const struct sj_g_node *value, bool required)
{
	return (struct sj_g_member){.name = sj_slice_of(name), .value = value, .required = required};
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static enum sj_status refuse(struct sj_diag *diag, const char *why)
{
	return sj_diag_set(diag, SJ_INVALID, SJ_E_UNAVAILABLE, SJ_CAT_COMPILE, "%s", why);
}

static enum sj_status resolve(struct sj_grammar *g, bool schema, struct sj_diag *diag)
{
	struct sj_grammar_options *o = &g->opt;
	if (o->version != SJ_VERSION_NONE && o->version < SJ_V09)
		return refuse(diag, "grammars are made for v0.9, v0.9.1 and v1.0");
	if (o->ncatalogs == 0)
		return refuse(diag, "a grammar needs a catalog");
	if (o->version == SJ_VERSION_NONE)
		o->version = o->surface ? o->surface->version : sj_catalog_version(o->catalogs[0]);
	if (o->version == SJ_VERSION_NONE)
		o->version = SJ_V09;
	if (o->version < SJ_V09)
		return refuse(diag, "grammars are made for v0.9, v0.9.1 and v1.0");
	for (uint32_t i = 0; i < o->ncatalogs; i++) {
		enum sj_status st = sj_catalog_mix(o->version, sj_catalog_id(o->catalogs[i]),
		                                   sj_catalog_version(o->catalogs[i]), diag);
		if (st != SJ_OK)
			return st;
		if (sj_catalog_is_permissive(o->catalogs[i]))
			return refuse(diag, "a permissive catalog does not say what its components are");
	}
	if (o->version < SJ_V10 && o->ncatalogs > 1)
		return refuse(diag, "before v1.0 a surface has one catalog");
	if (o->surface && !sj_version_compatible(o->surface->version, o->version))
		return refuse(diag, "the surface is of another version");
	if (o->version < SJ_V10)
		o->dialect = SJ_DIALECT_BARE;
	else if (o->dialect == SJ_DIALECT_AUTO && o->surface)
		o->dialect = o->surface->dialect;
	if (o->dialect == SJ_DIALECT_AUTO)
		o->dialect = o->ncatalogs > 1 ? SJ_DIALECT_RESERVED : SJ_DIALECT_BARE;
	g->reserved = o->dialect == SJ_DIALECT_RESERVED;
	if (o->messages == 0)
		o->messages = SJ_GRAMMAR_UPDATE | SJ_GRAMMAR_DATA | (o->surface ? 0 : SJ_GRAMMAR_CREATE);
	if (o->messages & SJ_GRAMMAR_PATCH) {
		if (o->messages != SJ_GRAMMAR_PATCH)
			return refuse(diag, "a patch stands alone");
		if (!o->surface)
			return refuse(diag, "a patch needs a surface that lives");
	}
	if (o->surface && (o->messages & SJ_GRAMMAR_CREATE))
		return refuse(diag, "the surface is there already: it cannot be created");
	if (o->ids == SJ_GRAMMAR_IDS_TREE && (schema || o->surface))
		return refuse(diag, schema ? "only GBNF can say a tree" : "a tree is for a new surface");
	if (o->ids == SJ_GRAMMAR_IDS_TREE && !(o->messages & SJ_GRAMMAR_CREATE))
		return refuse(diag, "a tree needs the message that creates its surface");
	if (o->ids == SJ_GRAMMAR_IDS_TREE && o->shape == SJ_GRAMMAR_SHAPE_ONE && o->version < SJ_V10)
		return refuse(diag, "before v1.0 a surface takes two messages");
	if (o->strict_subset && !schema)
		return refuse(diag, "the strict subset is of JSON Schema");
	if (o->shape == SJ_GRAMMAR_SHAPE_AUTO)
		o->shape = o->messages == SJ_GRAMMAR_PATCH ? SJ_GRAMMAR_SHAPE_ONE
		           : schema                         ? SJ_GRAMMAR_SHAPE_WRAPPER
		                                            : SJ_GRAMMAR_SHAPE_LIST;
	if (o->surface)
		o->surface_id = o->surface->id;
	else if (o->surface_id.len == 0)
		o->surface_id = SJ_LIT("main");
	uint32_t depth = o->strict_subset ? 2 : SJ_G_MAX_CALL_DEPTH;
	o->call_depth = o->call_depth == 0 || o->call_depth > SJ_G_MAX_CALL_DEPTH ? depth : o->call_depth;
	o->max_messages = o->max_messages ? o->max_messages : DEFAULT_MESSAGES;
	if (!o->max_components)
		o->max_components = o->ids == SJ_GRAMMAR_IDS_TREE ? DEFAULT_TREE : DEFAULT_COMPONENTS;
	o->max_children = o->max_children ? o->max_children : DEFAULT_CHILDREN;
	o->value_depth = o->value_depth ? o->value_depth : DEFAULT_VALUE_DEPTH;
	o->value_depth = o->value_depth > SJ_G_MAX_VALUE_DEPTH ? SJ_G_MAX_VALUE_DEPTH : o->value_depth;
	o->max_bytes = o->max_bytes ? o->max_bytes : (size_t)4 << 20;
	return SJ_OK;
}

/* ---- components -------------------------------------------------------------------------------------------------- */

bool sj_g_is_listed(const struct sj_grammar *g, struct sj_slice type)
{
	for (uint32_t i = 0; g->opt.components && i < g->opt.ncomponents; i++)
		if (sj_slice_eq(g->opt.components[i], type))
			return true;
	return !g->opt.components;
}

/* The type comes first among what follows the id. */
static const struct sj_g_node *with_type(struct sj_grammar *g, struct sj_slice type, const struct sj_g_node *members)
{
	struct sj_g_member *m = sj_g_alloc(g, (members->n + 1) * sizeof *m);
	if (!m)
		return &SJ_G_NOTHING;
	m[0] = (struct sj_g_member){.name = SJ_LIT("component"), .value = sj_g_word(g, type), .required = true};
	for (uint32_t i = 0; i < members->n; i++)
		m[i + 1] = members->members[i];
	return sj_g_object(g, m, members->n + 1);
}

const struct sj_g_node *sj_g_tail(struct sj_grammar *g, const char *prefix, struct sj_slice name, int number,
                                  const struct sj_g_node *body)
{
	if (body->kind == SJ_G_NEVER)
		return body;
	struct sj_g_rule *r = sj_g_rule(g, prefix, name, number);
	if (!r)
		return &SJ_G_NOTHING;
	r->body = body;
	r->is_tail = true;
	return sj_g_refer(g, r);
}

const struct sj_g_node *sj_g_component_tail(struct sj_grammar *g, uint32_t catalog, uint32_t index, int number)
{
	const struct sj_a2ui_component *type = sj_catalog_component_at(g->opt.catalogs[catalog], index);
	const struct sj_g_node *body = sj_g_open(sj_g_read_component(g, catalog, index));
	if (body->kind == SJ_G_OBJECT) {
		body = with_type(g, type->name, body);
	} else if (body->kind == SJ_G_ONE_OF) {
		const struct sj_g_node **parts = sj_g_alloc(g, body->n * sizeof *parts);
		for (uint32_t i = 0; parts && i < body->n; i++)
			parts[i] = with_type(g, type->name, sj_g_open(body->items[i]));
		body = parts ? sj_g_one_of(g, parts, body->n) : &SJ_G_NOTHING;
	}
	return sj_g_tail(g, "component", type->name, number, body);
}

const struct sj_g_node *sj_g_component(struct sj_grammar *g, const struct sj_g_node *id,
                                       const struct sj_g_node *const *tails, uint32_t n)
{
	const struct sj_g_node **kept = sj_g_alloc(g, n * sizeof *kept);
	uint32_t count = 0;
	for (uint32_t i = 0; kept && i < n; i++)
		if (tails[i]->kind != SJ_G_NEVER)
			kept[count++] = tails[i];
	struct sj_g_node *node = sj_g_alloc(g, sizeof *node);
	if (!node || count == 0)
		return &SJ_G_NOTHING;
	*node = (struct sj_g_node){.kind = SJ_G_COMPONENT, .item = id, .items = kept, .n = count};
	return node;
}

/* Every component that is allowed, with this id. */
static const struct sj_g_node *const *all_tails(struct sj_grammar *g, uint32_t *n)
{
	uint32_t total = 0;
	for (uint32_t c = 0; c < g->opt.ncatalogs; c++)
		total += sj_catalog_component_count(g->opt.catalogs[c]);
	const struct sj_g_node **tails = sj_g_alloc(g, total * sizeof *tails);
	*n = 0;
	for (uint32_t c = 0; tails && c < g->opt.ncatalogs; c++)
		for (uint32_t i = 0; i < sj_catalog_component_count(g->opt.catalogs[c]); i++)
			if (sj_g_is_listed(g, sj_catalog_component_at(g->opt.catalogs[c], i)->name))
				tails[(*n)++] = sj_g_component_tail(g, c, i, -1);
	return tails;
}

static const struct sj_g_node *list_of(struct sj_grammar *g, const struct sj_g_node *head, const struct sj_g_node *item,
                                       const struct sj_g_node *last, double max)
{
	struct sj_g_node *node = sj_g_alloc(g, sizeof *node);
	const struct sj_g_node **ends = sj_g_alloc(g, 3 * sizeof *ends);
	if (!node || !ends || (head->kind == SJ_G_NEVER && item->kind == SJ_G_NEVER && last->kind == SJ_G_NEVER))
		return &SJ_G_NOTHING;
	ends[0] = head;
	ends[1] = last;
	ends[2] = &SJ_G_NOTHING;
	*node = (struct sj_g_node){.kind = SJ_G_LIST, .items = ends, .n = 3, .item = item, .max = max, .has_max = true};
	return node;
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static const struct sj_g_node *version(struct sj_grammar *g)
{
	const struct sj_g_node *own = sj_g_word(g, sj_slice_of(sj_version_text(g->opt.version)));
	if (g->opt.version != SJ_V091)
		return own;
	return sj_g_one_of(g, (const struct sj_g_node *const[]){own, sj_g_word(g, SJ_LIT("v0.9"))}, 2);
}

const struct sj_g_node *sj_g_message(struct sj_grammar *g, const char *action, const struct sj_g_member *members,
                                     uint32_t n)
{
	struct sj_g_member *body = sj_g_alloc(g, (n + 1) * sizeof *body);
	if (!body)
		return &SJ_G_NOTHING;
	body[0] = member("surfaceId", sj_g_word(g, g->opt.surface_id), true);
	for (uint32_t i = 0; i < n; i++)
		body[i + 1] = members[i];
	struct sj_g_member whole[] = {member("version", version(g), true),
	                              member(action, sj_g_object(g, body, n + 1), true)};
	const struct sj_g_node *message = sj_g_object(g, whole, 2);
	return sj_g_named(g, action, message);
}

static const struct sj_g_node *create(struct sj_grammar *g, const struct sj_g_node *components, bool needed)
{
	struct sj_g_member m[5];
	uint32_t n = 0;
	m[n++] = member("catalogId", sj_g_word(g, sj_catalog_id(g->opt.catalogs[0])), true);
	if (g->opt.version < SJ_V10)
		m[n++] = member("theme", sj_g_read_theme(g, 0), false);
	m[n++] = member("sendDataModel", &SJ_G_BOOLS, false);
	if (g->opt.version >= SJ_V10) {
		m[n++] = member("dataModel", &SJ_G_OBJECTS, false);
		m[n++] = member("components", components, needed);
	}
	return sj_g_message(g, "createSurface", m, n);
}

/* Any place, any value: what fits there is only known of a surface that lives. */
static const struct sj_g_node *write_data(struct sj_grammar *g)
{
	struct sj_g_member m[] = {
		member("path", g->path, false),
		member("value", &SJ_G_ANYTHING, g->opt.version >= SJ_V10),
	};
	struct sj_g_member root[] = {
		member("path", sj_g_word(g, SJ_LIT("/")), false),
		member("value", &SJ_G_OBJECTS, true),
	};
	/* The model itself is an object; without a path it is the model that is meant. */
	m[0].required = true;
	const struct sj_g_node *parts[] = {sj_g_message(g, "updateDataModel", m, 2),
	                                   sj_g_message(g, "updateDataModel", root, 2)};
	return sj_g_one_of(g, parts, 2);
}

static const struct sj_g_node *patch(struct sj_grammar *g)
{
	const struct sj_g_node *parts[] = {sj_g_patch(g), sj_g_live_write(g)};
	const struct sj_g_node *one = sj_g_one_of(g, parts, 2);
	return g->opt.shape == SJ_GRAMMAR_SHAPE_ONE ? one : list_of(g, one, &SJ_G_NOTHING, &SJ_G_NOTHING, 0);
}

/* The surface whole, at once; then data alone. */
static const struct sj_g_node *tree_messages(struct sj_grammar *g)
{
	bool v10 = g->opt.version >= SJ_V10;
	const struct sj_g_node *tree = sj_g_tree(g), *nothing = &SJ_G_NOTHING;
	if (tree->kind == SJ_G_NEVER)
		return tree;
	struct sj_g_member m = member("components", tree, true);
	const struct sj_g_node *first = create(g, tree, true),
			       *second = v10 ? nothing : sj_g_message(g, "updateComponents", &m, 1);
	const struct sj_g_node *data = g->opt.messages & SJ_GRAMMAR_DATA ? write_data(g) : nothing;
	if (g->opt.shape == SJ_GRAMMAR_SHAPE_ONE)
		return first;
	double max = (double)g->opt.max_messages - 1 - !v10;
	struct sj_g_node *list;
	const struct sj_g_node *out =
		sj_g_copy(g, list_of(g, first, sj_g_named(g, "message", data), nothing, max > 0 ? max : 0), &list);
	const struct sj_g_node **ends = sj_g_alloc(g, 3 * sizeof *ends);
	if (list && ends) {
		ends[0] = first;
		ends[1] = nothing;
		ends[2] = second;
		list->items = ends;
	}
	return out;
}

static const struct sj_g_node *messages(struct sj_grammar *g)
{
	unsigned which = g->opt.messages;
	const struct sj_g_node *first = &SJ_G_NOTHING, *update = &SJ_G_NOTHING, *data = &SJ_G_NOTHING,
			       *last = &SJ_G_NOTHING, *components = &SJ_G_NOTHING;
	if (which & (SJ_GRAMMAR_CREATE | SJ_GRAMMAR_UPDATE)) {
		uint32_t n;
		const struct sj_g_node *id = sj_g_string(g, SJ_G_STR_ID);
		const struct sj_g_node *const *tails = all_tails(g, &n);
		const struct sj_g_node *any =
			tails ? sj_g_named(g, "component", sj_g_component(g, id, tails, n)) : &SJ_G_NOTHING;
		const struct sj_g_node *root =
			tails ? sj_g_component(g, sj_g_word(g, SJ_LIT("root")), tails, n) : &SJ_G_NOTHING;
		components = list_of(g, any, any, &SJ_G_NOTHING, (double)g->opt.max_components - 1);
		const struct sj_g_node *rooted =
			list_of(g, root, any, &SJ_G_NOTHING, (double)g->opt.max_components - 1);
		if (components->kind == SJ_G_NEVER)
			return components;
		struct sj_g_member m = member("components", components, true);
		if (which & SJ_GRAMMAR_UPDATE)
			update = sj_g_message(g, "updateComponents", &m, 1);
		if (which & SJ_GRAMMAR_CREATE)
			first = create(g, rooted, false);
	}
	if (which & SJ_GRAMMAR_DATA)
		data = g->opt.surface ? sj_g_live_write(g) : &SJ_G_NOTHING;
	if ((which & SJ_GRAMMAR_DATA) && data->kind == SJ_G_NEVER)
		data = write_data(g);
	if (which & SJ_GRAMMAR_DELETE)
		last = sj_g_message(g, "deleteSurface", NULL, 0);
	const struct sj_g_node *middle = sj_g_one_of(g, (const struct sj_g_node *const[]){update, data}, 2);
	if (g->opt.shape == SJ_GRAMMAR_SHAPE_ONE)
		return sj_g_one_of(g, (const struct sj_g_node *const[]){first, middle, last}, 3);
	double max = g->opt.max_messages - (first->kind != SJ_G_NEVER) - (double)(last->kind != SJ_G_NEVER);
	return list_of(g, first, sj_g_named(g, "message", middle), last, max > 0 ? max : 0);
}

/* Keeps the keys sorted, each once; more than a model can attend to are left out. */
void sj_g_know_key(struct sj_grammar *g, struct sj_slice key)
{
	uint32_t at = g->nkeys;
	while (at > 0 && sj_slice_cmp(g->keys[at - 1], key) > 0)
		at--;
	if ((at > 0 && sj_slice_eq(g->keys[at - 1], key)) || g->nkeys == SJ_G_MAX_KEYS || key.len == 0)
		return;
	memmove(g->keys + at + 1, g->keys + at, (g->nkeys - at) * sizeof *g->keys);
	g->keys[at] = key;
	g->nkeys++;
}

static enum sj_status build(struct sj_grammar *g, struct sj_diag *diag)
{
	g->readers = sj_g_alloc(g, g->opt.ncatalogs * sizeof *g->readers);
	g->keys = sj_g_alloc(g, SJ_G_MAX_KEYS * sizeof *g->keys);
	for (uint32_t i = 0; g->keys && i < g->opt.nkeys; i++)
		sj_g_know_key(g, g->opt.keys[i]);
	g->path = sj_g_string(g, SJ_G_STR_PATH);
	g->list_path = g->path;
	if (g->opt.surface && g->keys)
		sj_g_live_data(g);
	g->reference = sj_g_string(g, SJ_G_STR_ID);
	uint32_t opened = 0;
	enum sj_status st = g->status;
	while (st == SJ_OK && opened < g->opt.ncatalogs)
		st = sj_g_read_open(g, opened++, diag);
	if (st == SJ_OK) {
		g->root = g->opt.messages == SJ_GRAMMAR_PATCH ? patch(g)
		          : g->opt.ids == SJ_GRAMMAR_IDS_TREE        ? tree_messages(g)
		                                                       : messages(g);
		if (g->opt.shape == SJ_GRAMMAR_SHAPE_WRAPPER) {
			struct sj_g_member m = member("messages", g->root, true);
			g->root = sj_g_object(g, &m, 1);
		}
		st = g->status;
		if (st == SJ_OK && g->root->kind == SJ_G_NEVER)
			st = refuse(diag, "with these options nothing can be said");
	}
	while (opened > 0)
		sj_g_read_close(g, --opened);
	return st;
}

static enum sj_status make(struct sj_mem *mem, const struct sj_grammar_options *opt, struct sj_buf *out,
                           struct sj_diag *diag, bool schema)
{
	struct sj_grammar g = {.mem = mem, .opt = *opt, .status = SJ_OK};
	enum sj_status st = resolve(&g, schema, diag);
	if (st != SJ_OK)
		return st;
	sj_arena_init(&g.arena, mem, 16384);
	sj_map_init(&g.names, mem, 0);
	st = build(&g, diag);
	if (st == SJ_OK)
		st = schema ? sj_g_print_schema(&g, out) : sj_g_print_gbnf(&g, out);
	if (st == SJ_LIMIT)
		sj_diag_set(diag, st, SJ_E_LIMIT, SJ_CAT_COMPILE, "the %s would be larger than %zu bytes, or a catalog refers to itself without end",
		            schema ? "schema" : "grammar", g.opt.max_bytes);
	sj_map_finish(&g.names);
	sj_arena_finish(&g.arena);
	return st;
}

enum sj_status sj_grammar_gbnf(struct sj_mem *mem, const struct sj_grammar_options *opt, struct sj_buf *out,
                               struct sj_diag *diag)
{
	return make(mem, opt, out, diag, false);
}

enum sj_status sj_grammar_schema(struct sj_mem *mem, const struct sj_grammar_options *opt, struct sj_buf *out,
                                 struct sj_diag *diag)
{
	return make(mem, opt, out, diag, true);
}
