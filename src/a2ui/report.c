/* Reports of a view: the resolved tree, the definitions as written, validation results. The tree's shape is
 * decision 008. */
#include <stdlib.h>

#include "a2ui/internal.h"
#include "base/utf.h"

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

/* What is being written: a node, and in it the children of a property, a property with children inside its objects
 * (tabs), or one such object. A stack of them, so that depth costs memory and no calls. */
enum frame_kind { FRAME_NODE, FRAME_EDGES, FRAME_LIST, FRAME_OBJECT };
struct frame {
	enum frame_kind kind;
	sj_node_id n;
	struct items l; /* NODE, OBJECT: members in order of their names */
	uint32_t at;    /* the next of them; EDGES: the next child; LIST: the next item */
	struct sj_slice name; /* of the property */
	const struct sj_value *value; /* LIST, OBJECT */
	uint32_t from;  /* LIST, OBJECT: the first edge of the property that was not passed */
	uint32_t index; /* OBJECT: its position */
	bool is_list, any; /* EDGES */
};
struct tree {
	struct sj_view *v;
	struct sj_buf *out;
	SJ_VEC(struct frame) open;
};

static bool push(struct tree *t, struct frame f)
{
	if (SJ_VEC_RESERVE(t->v->a->mem, &t->open, t->open.count + 1, 0) != SJ_OK) {
		SJ_VEC_FREE(t->v->a->mem, &f.l.v);
		return false;
	}
	t->open.items[t->open.count++] = f;
	return true;
}

static void pop(struct tree *t)
{
	t->open.count--;
	SJ_VEC_FREE(t->v->a->mem, &t->open.items[t->open.count].l.v);
}

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

static bool enter_object(struct tree *t, sj_node_id n, struct sj_slice prop, uint32_t index,
                         const struct sj_value *object, uint32_t *from)
{
	struct frame f = {.kind = FRAME_OBJECT, .n = n, .name = prop, .value = object, .index = index};
	uint32_t count = sj_value_count(object);
	f.l.mem = t->v->a->mem;
	if (SJ_VEC_RESERVE(f.l.mem, &f.l.v, count, 0) != SJ_OK)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		f.l.v.items[i] = (struct item){.kind = ITEM_PROP, .at = i};
		(void)sj_value_member(object, i, &f.l.v.items[f.l.v.count++].name);
	}
	seek_edge(t->v, n, sj_node_child_count(t->v->core, n), prop, index, from);
	f.from = *from;
	if (count > 1)
		qsort(f.l.v.items, count, sizeof *f.l.v.items, by_name);
	sj_buf_putc(t->out, '{');
	return push(t, f);
}

static bool enter_prop(struct tree *t, sj_node_id n, const struct sj_prop *p, bool has_edges)
{
	uint32_t from = 0;
	if (p->flags & SJ_PF_SHOWS) { /* whatever a function made of it */
		sj_buf_puts(t->out, "\"•••\"");
		return true;
	}
	if (!p->value) {
		sj_buf_puts(t->out, "null");
		return true;
	}
	if (!has_edges || !sj_value_is_container(p->value)) {
		put_value(t->v, p->value, t->out);
		return true;
	}
	if (p->value->type == SJ_V_OBJECT)
		return enter_object(t, n, p->name, 0, p->value, &from);
	sj_buf_putc(t->out, '[');
	return push(t, (struct frame){.kind = FRAME_LIST, .n = n, .name = p->name, .value = p->value});
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

/* Writes a placeholder, or opens the node. */
static bool enter_node(struct tree *t, sj_node_id n)
{
	struct sj_view *v = t->v;
	struct sj_surface *s = v->core;
	if (sj_node_why(s, n) != SJ_WHY_SHOWN && sj_node_why(s, n) != SJ_WHY_HIDDEN)
		return put_placeholder(v, n, t->out);
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
	if (l.nomem) {
		SJ_VEC_FREE(l.mem, &l.v);
		return false;
	}
	if (l.v.count > 1)
		qsort(l.v.items, l.v.count, sizeof *l.v.items, by_name);
	sj_buf_putc(t->out, '{');
	return push(t, (struct frame){.kind = FRAME_NODE, .n = n, .l = l});
}

/* The next member of a node. */
static bool node_step(struct tree *t, struct frame *f)
{
	struct sj_view *v = t->v;
	struct sj_surface *s = v->core;
	struct sj_buf *out = t->out;
	sj_node_id n = f->n;
	const struct item it = f->l.v.items[f->at];
	uint32_t nchildren = sj_node_child_count(s, n);
	struct sj_validity val;
	struct sj_prop p;
	struct sj_edge e = {.is_template = true};
	if (f->at++)
		sj_buf_putc(out, ',');
	sj_json_print_string(out, it.name);
	sj_buf_putc(out, ':');
	switch (it.kind) {
	case ITEM_ID:
		sj_json_print_string(out, sj_node_component_id(s, n));
		return true;
	case ITEM_TYPE:
		sj_json_print_string(out, sj_node_type(s, n));
		return true;
	case ITEM_VALID:
		sj_node_validity(s, n, &val);
		sj_buf_puts(out, val.valid ? "true" : "false");
		return true;
	case ITEM_ERRORS:
		return put_errors(v, n, out);
	case ITEM_CHECKS:
		return put_checks(v, n, it.name, out);
	case ITEM_ACTION:
		sj_buf_puts(out, "\"<Action>\"");
		return true;
	case ITEM_PROP:
		(void)sj_node_prop(s, n, it.at, &p);
		return enter_prop(t, n, &p, nchildren > 0);
	case ITEM_EDGES:
		if (it.at < nchildren)
			sj_node_child_edge(s, n, it.at, &e);
		bool is_list = it.at >= nchildren || edge_is_list(v, n, &e);
		if (is_list)
			sj_buf_putc(out, '[');
		return push(t, (struct frame){
				       .kind = FRAME_EDGES, .n = n, .name = it.name, .at = it.at, .is_list = is_list});
	}
	return true;
}

/* The next child of one property: a single one stands bare, lists and templates as arrays. SJ_ABSENT: none is left. */
static enum sj_status edge_step(struct tree *t, struct frame *f)
{
	struct sj_surface *s = t->v->core;
	struct sj_edge e;
	if (f->at >= sj_node_child_count(s, f->n))
		return SJ_ABSENT;
	sj_node_child_edge(s, f->n, f->at, &e);
	if (!sj_slice_eq(e.name, f->name) || e.member.len > 0)
		return SJ_ABSENT;
	if (f->any)
		sj_buf_putc(t->out, ',');
	f->any = true;
	return enter_node(t, sj_node_child(s, f->n, f->at++)) ? SJ_OK : SJ_NOMEM;
}

static bool list_step(struct tree *t, struct frame *f)
{
	const struct sj_value *item = sj_value_item(f->value, f->at);
	if (f->at > 0)
		sj_buf_putc(t->out, ',');
	uint32_t index = f->at++;
	if (item->type == SJ_V_OBJECT) {
		uint32_t place = t->open.count - 1, from = f->from;
		bool ok = enter_object(t, f->n, f->name, index, item, &from);
		t->open.items[place].from = from;
		return ok;
	}
	put_value(t->v, item, t->out);
	return true;
}

static bool object_step(struct tree *t, struct frame *f)
{
	struct sj_slice key = f->l.v.items[f->at].name;
	uint32_t member = f->l.v.items[f->at].at;
	if (f->at++)
		sj_buf_putc(t->out, ',');
	sj_json_print_string(t->out, key);
	sj_buf_putc(t->out, ':');
	sj_node_id child = child_at(t->v, f->n, sj_node_child_count(t->v->core, f->n), f->name, f->index, key, f->from);
	if (child)
		return enter_node(t, child);
	put_value(t->v, sj_value_member(f->value, member, &key), t->out);
	return true;
}

static bool put_node(struct sj_view *v, sj_node_id root, struct sj_buf *out)
{
	struct tree t = {.v = v, .out = out};
	bool ok = enter_node(&t, root);
	while (ok && t.open.count > 0) {
		struct frame *f = &t.open.items[t.open.count - 1]; /* until the step pushes another */
		enum sj_status st = SJ_OK;
		bool is_list = f->kind == FRAME_LIST || (f->kind == FRAME_EDGES && f->is_list);
		bool braces = f->kind == FRAME_NODE || f->kind == FRAME_OBJECT;
		if (f->kind == FRAME_EDGES)
			st = edge_step(&t, f);
		else if (f->at == (f->kind == FRAME_LIST ? sj_value_count(f->value) : f->l.v.count))
			st = SJ_ABSENT;
		else if (!(f->kind == FRAME_NODE ? node_step : f->kind == FRAME_LIST ? list_step : object_step)(&t, f))
			st = SJ_NOMEM;
		if (st == SJ_ABSENT) {
			if (is_list || braces)
				sj_buf_putc(out, braces ? '}' : ']');
			pop(&t);
		}
		ok = st != SJ_NOMEM;
	}
	while (t.open.count > 0)
		pop(&t);
	SJ_VEC_FREE(v->a->mem, &t.open);
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
	else if (!put_node(v, root, out))
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
