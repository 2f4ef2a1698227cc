/* Reports of a view: the resolved tree, the definitions as written, validation results. The tree's shape is
 * decision 008. */
#include <stdlib.h>

#include "a2ui/internal.h"
#include "base/utf.h"

/* Nodes nest at most component_depth levels in each of scope_depth scopes; the walk recurses no deeper than this. */
#define TREE_DEPTH 2048

enum item_kind { ITEM_PROP, ITEM_EDGES, ITEM_ID, ITEM_TYPE, ITEM_VALID, ITEM_ERRORS, ITEM_CHECKS, ITEM_ACTION };
struct item {
	struct sj_slice name;
	enum item_kind kind;
	uint32_t at; /* property index, or first child of the edge group */
};
struct items {
	struct sj_mem *mem;
	SJ_VEC(struct item) v;
	bool nomem;
};

static void add(struct items *l, struct sj_slice name, enum item_kind kind, uint32_t at)
{
	for (uint32_t i = 0; i < l->v.count; i++)
		if (sj_slice_eq(l->v.items[i].name, name)) {
			/* children inside a property's objects (tabs): the property prints, its children go in on the
			 * way */
			return;
		}
	if (SJ_VEC_RESERVE(l->mem, &l->v, l->v.count + 1, 0) != SJ_OK) {
		l->nomem = true;
		return;
	}
	l->v.items[l->v.count++] = (struct item){name, kind, at};
}

static int by_name(const void *a, const void *b)
{
	return sj_utf16_cmp(((const struct item *)a)->name, ((const struct item *)b)->name);
}

static bool put_node(struct sj_view *v, sj_node_id n, struct sj_buf *out, uint32_t depth);

static bool holds(struct sj_slice text, struct sj_slice part)
{
	for (size_t i = 0; i + part.len <= text.len; i++)
		if (memcmp(text.ptr + i, part.ptr, part.len) == 0)
			return true;
	return false;
}

/* A resolved value. One that shows what stands at a secret place, itself or within other text, is masked whole. */
static void put_value(struct sj_view *v, const struct sj_value *value, struct sj_buf *out)
{
	size_t from = out->len;
	sj_value_print(out, value, SJ_PRINT_UTF16);
	if (!sj_surface_has_secrets(v->core) || sj_buf_status(out) != SJ_OK)
		return;
	struct sj_buf secrets;
	sj_buf_init(&secrets, v->a->mem, 0);
	enum sj_status st = sj_surface_secret_texts(v->core, &secrets);
	bool shown = st != SJ_OK;
	for (size_t at = 0; at < secrets.len && !shown;) {
		size_t end = at;
		while (secrets.ptr[end] != '\n')
			end++;
		/* without its quotes, so that a part of a longer string is found */
		shown = holds(sj_slice(out->ptr + from, out->len - from), sj_slice(secrets.ptr + at + 1, end - at - 2));
		at = end + 1;
	}
	sj_buf_finish(&secrets);
	if (shown) {
		out->len = from;
		sj_buf_puts(out, "\"•••\"");
	}
	if (st != SJ_OK)
		out->status = st;
}

static bool put_placeholder(struct sj_view *v, sj_node_id n, struct sj_buf *out)
{
	sj_buf_puts(out, "{\"id\":");
	sj_json_print_string(out, sj_node_component_id(v->core, n));
	sj_buf_printf(out, ",\"state\":\"%s\",\"type\":\"Placeholder\"}", sj_why_name(sj_node_why(v->core, n)));
	return true;
}

/* Edges come in drawing order, those of a property together and by position: the first at or after *from that stands
 * there or behind. */
static void seek_edge(struct sj_view *v, sj_node_id n, uint32_t nchildren, struct sj_slice name, uint32_t index,
                      uint32_t *from)
{
	struct sj_edge e;
	for (; *from < nchildren; ++*from) {
		sj_node_child_edge(v->core, n, *from, &e);
		if (sj_slice_eq(e.name, name) && e.index >= index)
			return;
	}
}

/* The child standing at (property, position, member); `from` is where seek_edge found that position. */
static sj_node_id child_at(struct sj_view *v, sj_node_id n, uint32_t nchildren, struct sj_slice name, uint32_t index,
                           struct sj_slice member, uint32_t from)
{
	for (uint32_t i = from; i < nchildren; i++) {
		struct sj_edge e;
		sj_node_child_edge(v->core, n, i, &e);
		if (!sj_slice_eq(e.name, name) || e.index != index)
			break;
		if (sj_slice_eq(e.member, member))
			return sj_node_child(v->core, n, i);
	}
	return 0;
}

static bool put_object_with_children(struct sj_view *v, sj_node_id n, struct sj_slice prop, uint32_t index,
                                     const struct sj_value *object, uint32_t *from, struct sj_buf *out, uint32_t depth)
{
	uint32_t nchildren = sj_node_child_count(v->core, n), count = sj_value_count(object);
	struct items l = {.mem = v->a->mem};
	bool ok = SJ_VEC_RESERVE(l.mem, &l.v, count, 0) == SJ_OK;
	for (uint32_t i = 0; ok && i < count; i++) {
		l.v.items[i] = (struct item){.kind = ITEM_PROP, .at = i};
		(void)sj_value_member(object, i, &l.v.items[l.v.count++].name);
	}
	seek_edge(v, n, nchildren, prop, index, from);
	if (l.v.count > 1)
		qsort(l.v.items, l.v.count, sizeof *l.v.items, by_name);
	sj_buf_putc(out, '{');
	for (uint32_t i = 0; ok && i < l.v.count; i++) {
		struct sj_slice key = l.v.items[i].name;
		if (i)
			sj_buf_putc(out, ',');
		sj_json_print_string(out, key);
		sj_buf_putc(out, ':');
		sj_node_id child = child_at(v, n, nchildren, prop, index, key, *from);
		if (child)
			ok = put_node(v, child, out, depth + 1);
		else
			put_value(v, sj_value_member(object, l.v.items[i].at, &key), out);
	}
	sj_buf_putc(out, '}');
	SJ_VEC_FREE(v->a->mem, &l.v);
	return ok;
}

static bool put_prop(struct sj_view *v, sj_node_id n, const struct sj_prop *p, bool has_edges, struct sj_buf *out,
                     uint32_t depth)
{
	if (p->flags & SJ_PF_SHOWS) { /* whatever a function made of it */
		sj_buf_puts(out, "\"•••\"");
		return true;
	}
	if (!has_edges || !p->value || !sj_value_is_container(p->value)) {
		if (p->value)
			put_value(v, p->value, out);
		else
			sj_buf_puts(out, "null");
		return true;
	}
	uint32_t from = 0;
	if (p->value->type == SJ_V_OBJECT)
		return put_object_with_children(v, n, p->name, 0, p->value, &from, out, depth);
	bool ok = true;
	sj_buf_putc(out, '[');
	for (uint32_t i = 0; ok && i < sj_value_count(p->value); i++) {
		if (i)
			sj_buf_putc(out, ',');
		const struct sj_value *item = sj_value_item(p->value, i);
		if (item->type == SJ_V_OBJECT)
			ok = put_object_with_children(v, n, p->name, i, item, &from, out, depth);
		else
			put_value(v, item, out);
	}
	sj_buf_putc(out, ']');
	return ok;
}

/* The children of one property: a single one stands bare, lists and templates as arrays. */
static bool put_edges(struct sj_view *v, sj_node_id n, struct sj_slice name, uint32_t first, bool is_list,
                      struct sj_buf *out, uint32_t depth)
{
	uint32_t count = sj_node_child_count(v->core, n);
	bool ok = true, any = false;
	if (is_list)
		sj_buf_putc(out, '[');
	for (uint32_t i = first; ok && i < count; i++) {
		struct sj_edge e;
		sj_node_child_edge(v->core, n, i, &e);
		if (!sj_slice_eq(e.name, name) || e.member.len > 0)
			break;
		if (any)
			sj_buf_putc(out, ',');
		any = true;
		ok = put_node(v, sj_node_child(v->core, n, i), out, depth + 1);
	}
	if (is_list)
		sj_buf_putc(out, ']');
	return ok;
}

static bool put_checks(struct sj_view *v, sj_node_id n, struct sj_slice name, struct sj_buf *out)
{
	const struct sj_comp *comp = sj_component_ctx(v->core, sj_node_component(v->core, n));
	struct sj_json_options opt = sj_json_options_wire(v->a->opt.limits);
	struct sj_value source;
	if (sj_value_parse(v->a->mem, &opt, sj_slice(comp->source, comp->source_len), &source, NULL) != SJ_OK)
		return false;
	const struct sj_value *checks = sj_value_get(&source, name);
	if (checks)
		sj_value_print(out, checks, SJ_PRINT_UTF16);
	sj_value_unref(v->a->mem, source);
	return true;
}

static bool put_errors(struct sj_view *v, sj_node_id n, struct sj_buf *out)
{
	SJ_VEC(struct sj_slice) messages = {0};
	uint32_t count = 0;
	do { /* all of them: twice the room until some is left */
		if (SJ_VEC_RESERVE(v->a->mem, &messages, 2 * count + 8, 0) != SJ_OK) {
			SJ_VEC_FREE(v->a->mem, &messages);
			return false;
		}
		count = sj_node_failed_messages(v->core, n, messages.items, messages.cap);
	} while (count == messages.cap);
	sj_buf_putc(out, '[');
	for (uint32_t i = 0; i < count; i++) {
		if (i)
			sj_buf_putc(out, ',');
		sj_json_print_string(out, messages.items[i]);
	}
	sj_buf_putc(out, ']');
	SJ_VEC_FREE(v->a->mem, &messages);
	return true;
}

/* Is the property a list of children (an array in the tree) or a single child? The catalog tells. */
static bool edge_is_list(struct sj_view *v, sj_node_id n, const struct sj_edge *e)
{
	const struct sj_comp *comp = sj_component_ctx(v->core, sj_node_component(v->core, n));
	const struct sj_a2ui_prop *p = comp && comp->type ? sj_a2ui_prop_find(comp->type, e->name) : NULL;
	return e->is_template || !p || p->cls != SJ_AC_CHILD;
}

static bool put_node(struct sj_view *v, sj_node_id n, struct sj_buf *out, uint32_t depth)
{
	struct sj_surface *s = v->core;
	if (sj_node_why(s, n) != SJ_WHY_SHOWN && sj_node_why(s, n) != SJ_WHY_HIDDEN)
		return put_placeholder(v, n, out);
	if (depth > TREE_DEPTH)
		return false;
	struct items l = {.mem = v->a->mem};
	add(&l, SJ_LIT("id"), ITEM_ID, 0);
	add(&l, SJ_LIT("type"), ITEM_TYPE, 0);
	uint32_t nprops = sj_node_prop_count(s, n), nchildren = sj_node_child_count(s, n);
	struct sj_validity val;
	sj_node_validity(s, n, &val);
	for (uint32_t i = 0; i < nprops; i++) {
		struct sj_prop p;
		if (!sj_node_prop(s, n, i, &p) || p.name.len == 0 || sj_slice_starts(p.name, "accessibility."))
			continue; /* meanings without a property of their own */
		if (p.cls == SJ_PC_CHECK)
			add(&l, p.name, ITEM_CHECKS, i);
		else if (p.cls == SJ_PC_ACTION)
			add(&l, p.name, ITEM_ACTION, i);
		else if (p.value && p.value->type != SJ_V_ABSENT)
			add(&l, p.name, ITEM_PROP, i);
	}
	if (val.has_checks) {
		add(&l, SJ_LIT("isValid"), ITEM_VALID, 0);
		add(&l, SJ_LIT("validationErrors"), ITEM_ERRORS, 0);
	}
	struct sj_slice group = SJ_NO_SLICE;
	for (uint32_t i = 0; i < nchildren; i++) {
		struct sj_edge e;
		sj_node_child_edge(s, n, i, &e);
		if (e.member.len == 0 && (group.ptr == NULL || !sj_slice_eq(group, e.name)))
			add(&l, e.name, ITEM_EDGES, i);
		group = e.name;
	}
	/* A template without rows is an empty list. */
	sj_component_ref ref = sj_node_component(s, n);
	for (uint32_t i = 0; i < sj_component_edges(s, ref); i++) {
		struct sj_edge e;
		sj_component_edge(s, ref, i, &e);
		if (e.is_template)
			add(&l, e.name, ITEM_EDGES, nchildren);
		else
			break;
	}
	bool ok = !l.nomem;
	if (l.v.count > 1)
		qsort(l.v.items, l.v.count, sizeof *l.v.items, by_name);
	sj_buf_putc(out, '{');
	for (uint32_t i = 0; ok && i < l.v.count; i++) {
		const struct item *it = &l.v.items[i];
		if (i)
			sj_buf_putc(out, ',');
		sj_json_print_string(out, it->name);
		sj_buf_putc(out, ':');
		struct sj_prop p;
		struct sj_edge e = {.is_template = true};
		switch (it->kind) {
		case ITEM_ID:
			sj_json_print_string(out, sj_node_component_id(s, n));
			break;
		case ITEM_TYPE:
			sj_json_print_string(out, sj_node_type(s, n));
			break;
		case ITEM_VALID:
			sj_buf_puts(out, val.valid ? "true" : "false");
			break;
		case ITEM_ERRORS:
			ok = put_errors(v, n, out);
			break;
		case ITEM_CHECKS:
			ok = put_checks(v, n, it->name, out);
			break;
		case ITEM_ACTION:
			sj_buf_puts(out, "\"<Action>\"");
			break;
		case ITEM_PROP:
			(void)sj_node_prop(s, n, it->at, &p);
			ok = put_prop(v, n, &p, nchildren > 0, out, depth);
			break;
		case ITEM_EDGES:
			if (it->at < nchildren)
				sj_node_child_edge(s, n, it->at, &e);
			ok = put_edges(v, n, it->name, it->at, it->at >= nchildren || edge_is_list(v, n, &e), out,
			               depth);
			break;
		}
	}
	sj_buf_putc(out, '}');
	SJ_VEC_FREE(v->a->mem, &l.v);
	return ok;
}

enum sj_status sj_a2ui_tree(struct sj_view *v, struct sj_buf *out)
{
	enum sj_status st = sj_surface_settle(v->core);
	if (st == SJ_NOMEM)
		return st;
	sj_buf_puts(out, "{\"dataModel\":");
	sj_surface_print_masked(v->core, SJ_ROOT_DATA, out, SJ_PRINT_UTF16);
	sj_buf_puts(out, ",\"surfaceId\":");
	sj_json_print_string(out, sj_slice(v->id, v->id_len));
	sj_buf_puts(out, ",\"tree\":");
	sj_node_id root = sj_surface_root(v->core);
	if (!root)
		sj_buf_puts(out, "null");
	else if (!put_node(v, root, out, 0))
		return SJ_NOMEM;
	sj_buf_putc(out, '}');
	return sj_buf_status(out);
}

enum sj_status sj_a2ui_components(struct sj_view *v, struct sj_buf *out)
{
	sj_buf_putc(out, '[');
	for (uint32_t i = 0; i < sj_component_count(v->core); i++) {
		const struct sj_comp *comp = sj_component_ctx(v->core, sj_component_at(v->core, i));
		if (i)
			sj_buf_putc(out, ',');
		sj_buf_put(out, comp->source, comp->source_len);
	}
	sj_buf_putc(out, ']');
	return sj_buf_status(out);
}

/* A ValidationResult: the condition's own, else made of the rule. The rule's message fills in where the result has
 * none; severity defaults to error. */
static enum sj_status put_result(struct sj_view *v, const struct sj_validity *val, struct sj_buf *out)
{
	struct sj_mem *mem = v->a->mem;
	if (!val->result || val->result->type != SJ_V_OBJECT) {
		if (val->valid) {
			sj_buf_puts(out, "{\"valid\":true}");
			return SJ_OK;
		}
		sj_buf_puts(out, "{\"valid\":false,\"message\":");
		sj_json_print_string(out, val->message);
		sj_buf_puts(out, ",\"severity\":\"error\"}");
		return SJ_OK;
	}
	struct sj_value full = sj_value_ref(*val->result), text;
	enum sj_status st = SJ_OK;
	if (!sj_value_get(&full, SJ_LIT("message")) && val->message.len) {
		st = sj_value_string(mem, val->message, &text);
		if (st == SJ_OK)
			st = sj_value_set(mem, &full, SJ_LIT("message"), text);
	}
	if (st == SJ_OK && !sj_value_get(&full, SJ_LIT("severity"))) {
		st = sj_value_string(mem, SJ_LIT("error"), &text);
		if (st == SJ_OK)
			st = sj_value_set(mem, &full, SJ_LIT("severity"), text);
	}
	sj_value_print(out, &full, SJ_PRINT_COMPACT);
	sj_value_unref(mem, full);
	return st;
}

/* One member for each node with checks. Its key is the component's id, in a row followed by where the row's data is
 * ("field/rows/3"), so that no key comes twice; a component that stands twice in one scope has one result. */
static enum sj_status put_validity(struct sj_view *v, sj_node_id n, struct sj_arena *keys, struct sj_map *seen,
                                   struct sj_buf *out)
{
	struct sj_validity val;
	sj_node_validity(v->core, n, &val);
	if (!val.has_checks)
		return SJ_OK;
	struct sj_buf key;
	sj_buf_init(&key, v->a->mem, 0);
	sj_buf_slice(&key, sj_node_component_id(v->core, n));
	if (sj_node_scope_depth(v->core, n) > 0)
		sj_node_data_path(v->core, n, &key);
	enum sj_status st = sj_buf_status(&key);
	bool known = st == SJ_OK && sj_map_get(seen, sj_buf_view(&key)) != SJ_MAP_NONE;
	if (st == SJ_OK && !known) { /* the map borrows its keys */
		struct sj_slice kept = sj_arena_copy(keys, sj_buf_view(&key));
		st = kept.ptr ? sj_map_put(seen, kept, 0) : SJ_NOMEM;
	}
	if (st == SJ_OK && !known) {
		sj_buf_puts(out, seen->count > 1 ? "," : "");
		sj_json_print_string(out, sj_buf_view(&key));
		sj_buf_putc(out, ':');
		st = put_result(v, &val, out);
	}
	sj_buf_finish(&key);
	return st;
}

/* Visits every node without recursion: a stack of nodes to come, children in drawing order. */
enum sj_status sj_a2ui_validation(struct sj_view *v, struct sj_buf *out)
{
	struct sj_surface *s = v->core;
	SJ_VEC(sj_node_id) work = {0};
	struct sj_arena keys;
	struct sj_map seen;
	enum sj_status st = sj_surface_settle(s);
	if (st == SJ_NOMEM)
		return st;
	sj_arena_init(&keys, v->a->mem, 0);
	sj_map_init(&seen, v->a->mem, 0);
	st = SJ_VEC_RESERVE(v->a->mem, &work, 16, 0);
	if (st == SJ_OK && sj_surface_root(s))
		work.items[work.count++] = sj_surface_root(s);
	sj_buf_putc(out, '{');
	while (st == SJ_OK && work.count > 0) {
		sj_node_id n = work.items[--work.count];
		st = put_validity(v, n, &keys, &seen, out);
		uint32_t count = sj_node_child_count(s, n);
		if (st == SJ_OK)
			st = SJ_VEC_RESERVE(v->a->mem, &work, work.count + count, 0);
		for (uint32_t i = count; st == SJ_OK && i-- > 0;)
			work.items[work.count++] = sj_node_child(s, n, i);
	}
	sj_buf_putc(out, '}');
	sj_map_finish(&seen);
	sj_arena_finish(&keys);
	SJ_VEC_FREE(v->a->mem, &work);
	return st == SJ_OK ? sj_buf_status(out) : st;
}
