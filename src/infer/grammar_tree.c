/* A new surface whose graph is whole: ids are numbered, and each is defined after the component that refers to it,
 * exactly once. Components with places for others write those places last, so that what is common to a type is one
 * rule, and what is different for every id is short. */
#include "infer/grammar_gbnf.h"
#include "infer/grammar_live.h"

#include <stdio.h>

enum { MAX_SINGLES = 8, MAX_TREE = 400, MAX_TREE_CHILDREN = 16, TREE_ID = 48 };

enum slot { SLOT_NONE, SLOT_SINGLES, SLOT_LIST, SLOT_ROWS };
struct type { /* of component */
	const struct sj_g_node *head; /* its members without the places: a tail without an end */
	struct sj_slice name;
	enum slot slot;
	bool template;                            /* LIST: one component may be repeated instead */
	struct sj_slice places[MAX_SINGLES];      /* members that hold them; LIST, ROWS: one */
	uint32_t nplaces, min;                    /* min: rows */
	struct sj_slice row_place;                /* ROWS: member of a row */
	const struct sj_g_node *row;              /* ... and the others */
};
struct id {
	char text[TREE_ID];
	uint32_t depth, first, children; /* of its children among the ids */
};
struct sj_g_tree {
	struct type *types;
	uint32_t ntypes;
	struct id *ids;
	uint32_t nids;
};

/* ---- types ------------------------------------------------------------------------------------------------------- */

static bool is_list(const struct sj_g_node *node, const struct sj_g_node *reference, bool *template)
{
	const struct sj_g_node *open = sj_g_open(node);
	*template = open->kind == SJ_G_ONE_OF && node->kind == SJ_G_RULE && sj_g_refers(node, reference);
	if (*template)
		open = open->items[0];
	return open->kind == SJ_G_ARRAY && open->item == reference && !open->has_max &&
	       (!open->has_min || open->min <= 0);
}

static bool is_rows(struct sj_grammar *g, const struct sj_g_node *node, const struct sj_g_node *reference,
                    struct type *t)
{
	const struct sj_g_node *open = sj_g_open(node), *row = open->kind == SJ_G_ARRAY ? sj_g_open(open->item) : NULL;
	if (!row || row->kind != SJ_G_OBJECT || open->has_max)
		return false;
	struct sj_g_member *m = sj_g_alloc(g, (row->n + 1) * sizeof *m);
	uint32_t n = 0, places = 0;
	for (uint32_t i = 0; m && i < row->n; i++) {
		if (row->members[i].value == reference && row->members[i].required) {
			t->row_place = row->members[i].name;
			places++;
		} else if (!sj_g_refers(row->members[i].value, reference)) {
			m[n++] = row->members[i];
		} else if (row->members[i].required) {
			return false;
		}
	}
	t->row = m ? sj_g_object(g, m, n) : &SJ_G_NOTHING;
	t->min = open->has_min && open->min > 0 ? (uint32_t)open->min : 0;
	return places == 1;
}

/* What of the type may be said here. False: it asks for more than one kind of place, or for one that is unknown. */
static bool read_type(struct sj_grammar *g, uint32_t catalog, uint32_t index, struct type *t)
{
	const struct sj_a2ui_component *row = sj_catalog_component_at(g->opt.catalogs[catalog], index);
	const struct sj_g_node *reference = g->reference, *tail;
	/* Who may stand in whom is not looked at: such types are left out. */
	if (row->allowed_parents || row->allowed_children || !sj_g_is_listed(g, row->name))
		return false;
	tail = sj_g_component_tail(g, catalog, index, -1);
	const struct sj_g_node *body = sj_g_open(tail);
	*t = (struct type){.head = tail, .name = row->name};
	if (body->kind == SJ_G_NEVER || !sj_g_refers(body, reference))
		return body->kind != SJ_G_NEVER;
	if (body->kind != SJ_G_OBJECT)
		return false;
	struct sj_g_member *m = sj_g_alloc(g, body->n * sizeof *m);
	uint32_t n = 0;
	for (uint32_t i = 0; m && i < body->n; i++) {
		const struct sj_g_member *member = &body->members[i];
		struct type kind = {0};
		bool template = false;
		if (!sj_g_refers(member->value, reference)) {
			m[n++] = *member;
		} else if (member->value == reference && member->required &&
		           (t->slot == SLOT_NONE || t->slot == SLOT_SINGLES) && t->nplaces < MAX_SINGLES) {
			t->slot = SLOT_SINGLES;
			t->places[t->nplaces++] = member->name;
		} else if (t->slot == SLOT_NONE && is_list(member->value, reference, &template)) {
			t->slot = SLOT_LIST;
			t->template = template;
			t->places[t->nplaces++] = member->name;
		} else if (t->slot == SLOT_NONE && is_rows(g, member->value, reference, &kind)) {
			t->slot = SLOT_ROWS;
			t->min = kind.min;
			t->row = kind.row;
			t->row_place = kind.row_place;
			t->places[t->nplaces++] = member->name;
		} else if (member->required) {
			return false;
		}
	}
	t->head = m ? sj_g_object(g, m, n) : &SJ_G_NOTHING;
	return true;
}

/* The wider near the root: a screen has more parts than a part has. */
static void make_ids(struct sj_grammar *g, struct sj_g_tree *tree)
{
	uint32_t most = g->opt.max_components < MAX_TREE ? g->opt.max_components : MAX_TREE;
	uint32_t width = g->opt.max_children < MAX_TREE_CHILDREN ? g->opt.max_children : MAX_TREE_CHILDREN;
	tree->ids = sj_g_alloc(g, most * sizeof *tree->ids);
	if (!tree->ids)
		return;
	memcpy(tree->ids[tree->nids++].text, "root", 5);
	for (uint32_t i = 0; i < tree->nids && tree->nids < most; i++) {
		struct id *parent = &tree->ids[i];
		uint32_t children = width > 2 * parent->depth + 2 ? width - 2 * parent->depth : 2;
		children = children < width ? children : width;
		parent->first = tree->nids;
		for (uint32_t k = 0; k < children && tree->nids < most; k++) {
			struct id *child = &tree->ids[tree->nids];
			int n = i == 0 ? snprintf(child->text, TREE_ID, "c%u", k + 1)
			               : snprintf(child->text, TREE_ID, "%s_%u", parent->text, k + 1);
			if (n < 0 || n >= TREE_ID)
				return;
			child->depth = parent->depth + 1;
			parent->children++;
			tree->nids++;
		}
	}
}

const struct sj_g_node *sj_g_tree(struct sj_grammar *g)
{
	uint32_t total = 0;
	bool has_leaf = false;
	for (uint32_t c = 0; c < g->opt.ncatalogs; c++)
		total += sj_catalog_component_count(g->opt.catalogs[c]);
	struct sj_g_tree *tree = sj_g_alloc(g, sizeof *tree);
	struct sj_g_node *node = sj_g_alloc(g, sizeof *node);
	if (!tree || !node || !(tree->types = sj_g_alloc(g, total * sizeof *tree->types)))
		return &SJ_G_NOTHING;
	for (uint32_t c = 0; c < g->opt.ncatalogs; c++)
		for (uint32_t i = 0; i < sj_catalog_component_count(g->opt.catalogs[c]); i++)
			if (read_type(g, c, i, &tree->types[tree->ntypes])) {
				const struct type *t = &tree->types[tree->ntypes++];
				has_leaf = has_leaf || t->slot == SLOT_NONE || t->slot == SLOT_LIST ||
				           (t->slot == SLOT_ROWS && t->min == 0);
			}
	make_ids(g, tree);
	if (!has_leaf || tree->nids == 0)
		return &SJ_G_NOTHING;
	*node = (struct sj_g_node){.kind = SJ_G_TREE, .tree = tree};
	return node;
}

/* ---- printing ---------------------------------------------------------------------------------------------------- */

static void put(struct sj_g_gbnf *p, const char *text) { sj_g_put(p, sj_slice_of(text)); }

static void comma(struct sj_g_gbnf *p)
{
	put(p, ",");
	sj_g_space(p);
}

static void put_id(struct sj_g_gbnf *p, const struct id *id)
{
	put(p, "\"");
	put(p, id->text);
	put(p, "\"");
}

/* The definitions of the first n children of the id, each with a comma before it. */
static void definitions(struct sj_g_gbnf *p, const struct id *id, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++) {
		comma(p);
		sj_g_rawf(p, "t%u", id->first + k);
	}
}

static void end_of_object(struct sj_g_gbnf *p)
{
	sj_g_space(p);
	put(p, "}");
}

static void list_of(struct sj_g_gbnf *p, const struct sj_g_tree *tree, const struct id *id, uint32_t n)
{
	put(p, "[");
	sj_g_space(p);
	for (uint32_t k = 0; k < n; k++) {
		if (k)
			comma(p);
		put_id(p, &tree->ids[id->first + k]);
	}
	if (n)
		sj_g_space(p);
	put(p, "]");
	end_of_object(p);
	definitions(p, id, n);
}

/* The value of a list of children, the end of its component, and the definitions of the children. */
static void list_rule(struct sj_g_gbnf *p, const struct sj_g_tree *tree, uint32_t i, bool template)
{
	const struct id *id = &tree->ids[i];
	struct sj_g_kept kept;
	sj_g_begin(p, &kept, template ? "kids%u" : "list%u", i);
	if (template) {
		sj_g_rawf(p, "list%u", i);
		if (id->children > 0 && p->g->list_path->kind != SJ_G_NEVER) {
			sj_g_raw(p, "|");
			put(p, "{");
			sj_g_space(p);
			put(p, "\"componentId\":");
			sj_g_space(p);
			put_id(p, &tree->ids[id->first]);
			comma(p);
			put(p, "\"path\":");
			sj_g_space(p);
			sj_g_node_put(p, p->g->list_path);
			end_of_object(p);
			end_of_object(p);
			definitions(p, id, 1);
		}
	} else {
		for (uint32_t n = 0; n <= id->children; n++) {
			if (n)
				sj_g_raw(p, "|");
			list_of(p, tree, id, n);
		}
	}
	sj_g_end(p, &kept);
}

static void rows_of(struct sj_g_gbnf *p, const struct sj_g_tree *tree, const struct id *id, uint32_t type, uint32_t n)
{
	put(p, "[");
	sj_g_space(p);
	for (uint32_t k = 0; k < n; k++) {
		if (k)
			comma(p);
		put(p, "{");
		sj_g_space(p);
		sj_g_key(p, tree->types[type].row_place);
		put_id(p, &tree->ids[id->first + k]);
		sj_g_rawf(p, "row%u", type);
	}
	if (n)
		sj_g_space(p);
	put(p, "]");
	end_of_object(p);
	definitions(p, id, n);
}

static void singles_of(struct sj_g_gbnf *p, const struct sj_g_tree *tree, const struct id *id, const struct type *t)
{
	for (uint32_t k = 0; k < t->nplaces; k++) {
		if (k) {
			comma(p);
			sj_g_key(p, t->places[k]);
		}
		put_id(p, &tree->ids[id->first + k]);
	}
	end_of_object(p);
	definitions(p, id, t->nplaces);
}

static void id_rule(struct sj_g_gbnf *p, const struct sj_g_tree *tree, uint32_t i)
{
	const struct id *id = &tree->ids[i];
	struct sj_g_kept kept;
	sj_g_begin(p, &kept, "t%u", i);
	put(p, "{");
	sj_g_space(p);
	sj_g_key(p, SJ_LIT("id"));
	put_id(p, id);
	comma(p);
	sj_g_raw(p, "(");
	bool first = true, lists[2] = {false, false};
	for (uint32_t k = 0; k < tree->ntypes; k++) {
		const struct type *t = &tree->types[k];
		uint32_t from = t->slot == SLOT_ROWS ? t->min : 0, to = t->slot == SLOT_ROWS ? id->children : 0;
		if (t->slot == SLOT_LIST) {
			lists[t->template] = true;
			continue;
		}
		if (t->slot == SLOT_SINGLES && t->nplaces > id->children)
			continue;
		for (uint32_t n = from; n <= to; n++) {
			if (!first)
				sj_g_raw(p, "|");
			first = false;
			if (t->slot == SLOT_NONE) {
				sj_g_node_put(p, t->head);
				continue;
			}
			sj_g_rawf(p, "head%u", k);
			if (t->slot == SLOT_SINGLES)
				singles_of(p, tree, id, t);
			else
				rows_of(p, tree, id, k, n);
		}
	}
	for (int template = 0; template < 2; template++) {
		if (!lists[template])
			continue;
		sj_g_raw(p, first      ? template ? "heads-kids" : "heads-list"
		            : template ? "| heads-kids"
		                       : "| heads-list");
		first = false;
		sj_g_rawf(p, template ? "kids%u" : "list%u", i);
	}
	sj_g_raw(p, ")");
	sj_g_end(p, &kept);
	if (lists[1])
		list_rule(p, tree, i, true);
	if (lists[0] || lists[1])
		list_rule(p, tree, i, false);
}

/* What a type says before its first place; of a row what it says after its place. */
static void type_rules(struct sj_g_gbnf *p, const struct sj_g_tree *tree)
{
	struct sj_g_kept kept;
	for (uint32_t k = 0; k < tree->ntypes; k++) {
		const struct type *t = &tree->types[k];
		if (t->slot == SLOT_NONE)
			continue;
		sj_g_begin(p, &kept, "head%u", k);
		sj_g_members(p, t->head, true);
		comma(p);
		sj_g_key(p, t->places[0]);
		sj_g_end(p, &kept);
		if (t->slot != SLOT_ROWS)
			continue;
		sj_g_begin(p, &kept, "row%u", k);
		sj_g_members(p, t->row, false);
		end_of_object(p);
		sj_g_end(p, &kept);
	}
	for (int template = 0; template < 2; template++) {
		bool first = true;
		for (uint32_t k = 0; k < tree->ntypes; k++) {
			if (tree->types[k].slot != SLOT_LIST || tree->types[k].template != template)
				continue;
			if (first)
				sj_g_begin(p, &kept, template ? "heads-kids" : "heads-list");
			else
				sj_g_raw(p, "|");
			first = false;
			sj_g_rawf(p, "head%u", k);
		}
		if (!first)
			sj_g_end(p, &kept);
	}
}

void sj_g_tree_put(struct sj_g_gbnf *p, const struct sj_g_tree *tree)
{
	put(p, "[");
	sj_g_space(p);
	sj_g_raw(p, "t0");
	sj_g_space(p);
	put(p, "]");
	if (p->tree_done)
		return;
	p->tree_done = true;
	type_rules(p, tree);
	for (uint32_t i = 0; i < tree->nids; i++)
		id_rule(p, tree, i);
}
