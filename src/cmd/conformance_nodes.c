/* Conformance: resolve_nodes. The case names nodes by paths of edges ("root/children/0/child"); identity is the node's
 * handle, and what a node "emitted" is read from the change records between two steps. */
#include "cmd/conformance.h"

#define CASE_CATALOG "urn:suite:nodes"

struct seen {
	struct sj_slice path; /* in the arena */
	sj_node_id node;
};
struct tree {
	SJ_VEC(struct seen) items;
};
struct resolver {
	struct trial *t;
	struct bench bench;
	struct sj_surface *surface; /* NULL: disposed */
	struct sj_view *view;
	struct sj_arena arena;
	struct tree now, before;
	SJ_VEC(sj_node_id) emitted; /* since the last step, each node once */
};

/* ---- paths ------------------------------------------------------------------------------------------------------- */

static void add(struct resolver *r, struct sj_slice path, sj_node_id node)
{
	struct sj_slice kept = sj_arena_copy(&r->arena, path);
	if (!kept.ptr || SJ_VEC_RESERVE(r->t->mem, &r->now.items, r->now.items.count + 1, 0) != SJ_OK) {
		trial_fail(r->t, "out of memory");
		return;
	}
	r->now.items.items[r->now.items.count++] = (struct seen){kept, node};
}

/* "/children/0", "/child", "/tabs/1/child" */
static void put_edge(struct sj_buf *out, const struct sj_edge *e)
{
	sj_buf_printf(out, "/%.*s", SJ_ARG(e->name));
	if (e->is_template || e->ui == SJ_P_CHILDREN || e->member.len > 0)
		sj_buf_printf(out, "/%u", e->index);
	if (e->member.len > 0)
		sj_buf_printf(out, "/%.*s", SJ_ARG(e->member));
}

/* Breadth first: children are added behind. */
static void look(struct resolver *r)
{
	struct tree old = r->before;
	r->before = r->now;
	r->now = old;
	r->now.items.count = 0;
	if (!r->surface)
		return;
	if (sj_surface_settle(r->surface) != SJ_OK)
		trial_fail(r->t, "the surface did not settle");
	if (sj_surface_root(r->surface))
		add(r, SJ_LIT("root"), sj_surface_root(r->surface));
	for (uint32_t i = 0; i < r->now.items.count; i++) {
		for (uint32_t c = 0; c < sj_node_child_count(r->surface, r->now.items.items[i].node); c++) {
			struct seen parent = r->now.items.items[i];
			struct sj_edge edge;
			struct sj_buf path;
			sj_node_child_edge(r->surface, parent.node, c, &edge);
			sj_buf_init(&path, r->t->mem, 0);
			sj_buf_slice(&path, parent.path);
			put_edge(&path, &edge);
			add(r, sj_buf_view(&path), sj_node_child(r->surface, parent.node, c));
			sj_buf_finish(&path);
		}
	}
}

static const struct seen *find(const struct tree *tree, struct sj_slice path)
{
	for (uint32_t i = 0; i < tree->items.count; i++)
		if (sj_slice_eq(tree->items.items[i].path, path))
			return &tree->items.items[i];
	return NULL;
}

static const struct seen *find_node(const struct tree *tree, sj_node_id node)
{
	for (uint32_t i = 0; i < tree->items.count; i++)
		if (tree->items.items[i].node == node)
			return &tree->items.items[i];
	return NULL;
}

/* ---- emissions --------------------------------------------------------------------------------------------------- */

static void note_changes(struct resolver *r)
{
	const struct sj_change *changes;
	uint32_t count;
	r->emitted.count = 0;
	if (!r->surface)
		return;
	if (sj_surface_changes(r->surface, &changes, &count) != SJ_OK) {
		trial_fail(r->t, "the changes could not be read");
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		bool known = false;
		if (changes[i].kind != SJ_CH_SET && changes[i].kind != SJ_CH_APPEND && changes[i].kind != SJ_CH_SPLICE)
			continue;
		for (uint32_t k = 0; k < r->emitted.count; k++)
			known = known || r->emitted.items[k] == changes[i].node;
		if (known || SJ_VEC_RESERVE(r->t->mem, &r->emitted, r->emitted.count + 1, 0) != SJ_OK)
			continue;
		r->emitted.items[r->emitted.count++] = changes[i].node;
	}
}

/* ---- what a node is ---------------------------------------------------------------------------------------------- */

static struct sj_value one_member(struct trial *t, const char *key, struct sj_value take)
{
	struct sj_value v;
	if (sj_value_object(t->mem, &v) != SJ_OK)
		return SJ_NULL_VALUE;
	value_put(t->mem, &v, key, take);
	return v;
}

static void put_child(struct resolver *r, struct sj_value *props, const struct seen *parent, uint32_t i)
{
	struct trial *t = r->t;
	struct sj_edge edge;
	struct sj_buf path;
	struct sj_value text = SJ_NULL_VALUE, ref, list;
	sj_node_child_edge(r->surface, parent->node, i, &edge);
	sj_buf_init(&path, t->mem, 0);
	sj_buf_slice(&path, parent->path);
	put_edge(&path, &edge);
	if (sj_value_string(t->mem, sj_buf_view(&path), &text) != SJ_OK)
		trial_fail(t, "out of memory");
	sj_buf_finish(&path);
	ref = one_member(t, "node", text);
	if (!edge.is_template && edge.ui != SJ_P_CHILDREN && edge.member.len == 0) {
		if (sj_value_set(t->mem, props, edge.name, ref) != SJ_OK)
			trial_fail(t, "out of memory");
		return;
	}
	const struct sj_value *old = sj_value_get(props, edge.name);
	if (old)
		list = sj_value_ref(*old);
	else if (sj_value_array(t->mem, &list) != SJ_OK)
		return;
	if (sj_value_append(t->mem, &list, ref) != SJ_OK || sj_value_set(t->mem, props, edge.name, list) != SJ_OK)
		trial_fail(t, "out of memory");
}

static struct sj_value describe(struct resolver *r, const struct seen *at)
{
	struct trial *t = r->t;
	struct sj_surface *s = r->surface;
	struct sj_value v, props;
	struct sj_buf path;
	if (sj_value_object(t->mem, &v) != SJ_OK || sj_value_object(t->mem, &props) != SJ_OK)
		return SJ_NULL_VALUE;
	value_put_text(t->mem, &v, "component_id", sj_node_component_id(s, at->node));
	value_put_text(t->mem, &v, "type", sj_node_type(s, at->node));
	value_put_text(t->mem, &v, "state", sj_slice_of(sj_why_name(sj_node_why(s, at->node))));
	sj_buf_init(&path, t->mem, 0);
	sj_node_data_path(s, at->node, &path);
	value_put_text(t->mem, &v, "data_path", sj_buf_view(&path));
	sj_buf_finish(&path);
	for (uint32_t i = 0; i < sj_node_prop_count(s, at->node); i++) {
		struct sj_prop prop;
		struct sj_value one;
		if (!sj_node_prop(s, at->node, i, &prop))
			continue;
		if (prop.cls == SJ_PC_ACTION) {
			one = one_member(t, "action", sj_value_bool(true));
		} else {
			one = one_member(t, "value", value_copy(t->mem, prop.value));
			value_put(t->mem, &one, "writable", sj_value_bool((prop.flags & SJ_PF_BOUND) != 0));
		}
		if (sj_value_set(t->mem, &props, prop.name, one) != SJ_OK)
			trial_fail(t, "out of memory");
	}
	for (uint32_t i = 0; i < sj_node_child_count(s, at->node); i++)
		put_child(r, &props, at, i);
	value_put(t->mem, &v, "props", props);
	return v;
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

static void check_nodes(struct resolver *r, const struct sj_value *want)
{
	for (uint32_t i = 0; i < r->now.items.count; i++) {
		const struct seen *at = &r->now.items.items[i];
		const struct sj_value *w = sj_value_get(want, at->path);
		if (!w) {
			trial_fail(r->t, "there is a node %.*s", SJ_ARG(at->path));
			return;
		}
		struct sj_value got = describe(r, at);
		char what[128];
		size_t n = at->path.len < sizeof what - 1 ? at->path.len : sizeof what - 1;
		memcpy(what, at->path.ptr, n);
		what[n] = 0;
		trial_match(r->t, what, w, &got, false);
		sj_value_unref(r->t->mem, got);
	}
	for (uint32_t i = 0; i < sj_value_count(want); i++) {
		struct sj_slice path;
		sj_value_member(want, i, &path);
		if (!find(&r->now, path))
			trial_fail(r->t, "there is no node %.*s", SJ_ARG(path));
	}
}

/* Complete: a node that is not named emitted nothing. */
static void check_emissions(struct resolver *r, const struct sj_value *want)
{
	struct sj_value got;
	if (sj_value_object(r->t->mem, &got) != SJ_OK)
		return;
	for (uint32_t i = 0; i < r->emitted.count; i++) {
		const struct seen *at = find_node(&r->now, r->emitted.items[i]);
		if (!at)
			continue; /* it went in the same step */
		if (sj_value_set(r->t->mem, &got, at->path, sj_value_int(1)) != SJ_OK)
			trial_fail(r->t, "out of memory");
	}
	trial_match(r->t, "emissions", want, &got, true);
	sj_value_unref(r->t->mem, got);
}

static void check_destroyed(struct resolver *r, const struct sj_value *want)
{
	struct sj_value got;
	if (sj_value_object(r->t->mem, &got) != SJ_OK)
		return;
	for (uint32_t i = 0; i < r->before.items.count; i++) {
		const struct seen *at = &r->before.items.items[i];
		if (r->surface && sj_node_alive(r->surface, at->node))
			continue;
		if (sj_value_set(r->t->mem, &got, at->path, sj_value_int(1)) != SJ_OK)
			trial_fail(r->t, "out of memory");
	}
	trial_match(r->t, "destroyed", want, &got, true);
	sj_value_unref(r->t->mem, got);
}

static void check_identity(struct resolver *r, const struct sj_value *paths, bool same)
{
	for (uint32_t i = 0; paths && i < sj_value_count(paths); i++) {
		struct sj_slice path = sj_value_text(sj_value_item(paths, i));
		const struct seen *old = find(&r->before, path), *now = find(&r->now, path);
		if (!old || !now || (old->node == now->node) != same)
			trial_fail(r->t, "%.*s is %s node", SJ_ARG(path), same ? "another" : "the same");
	}
}

static void check_data(struct resolver *r, const struct sj_value *want)
{
	for (uint32_t i = 0; want && i < sj_value_count(want); i++) {
		struct sj_slice pointer;
		const struct sj_value *w = sj_value_member(want, i, &pointer);
		trial_match(r->t, "data", w, sj_value_at(sj_surface_model(r->surface, SJ_ROOT_DATA), pointer), true);
	}
}

static void check(struct resolver *r, const struct sj_value *expect)
{
	static const char *const known[] = {"nodes",          "data",      "emissions", "same_nodes",
	                                    "replaced_nodes", "destroyed", "events",    "functions"};
	for (uint32_t i = 0; i < sj_value_count(expect); i++) {
		struct sj_slice key;
		bool found = false;
		sj_value_member(expect, i, &key);
		for (size_t k = 0; k < sizeof known / sizeof *known; k++)
			found = found || sj_slice_is(key, known[k]);
		if (!found)
			trial_fail(r->t, "the runner does not know what to compare with '%.*s'", SJ_ARG(key));
	}
	if (cmd_member(expect, "nodes"))
		check_nodes(r, cmd_member(expect, "nodes"));
	if (cmd_member(expect, "emissions"))
		check_emissions(r, cmd_member(expect, "emissions"));
	if (cmd_member(expect, "destroyed"))
		check_destroyed(r, cmd_member(expect, "destroyed"));
	check_identity(r, cmd_member(expect, "same_nodes"), true);
	check_identity(r, cmd_member(expect, "replaced_nodes"), false);
	check_data(r, cmd_member(expect, "data"));
	const struct sj_value *events = cmd_member(expect, "events"), *functions = cmd_member(expect, "functions");
	uint32_t sent = 0;
	for (uint32_t i = 0; i < sj_value_count(&r->bench.sent); i++) {
		const struct sj_value *action = cmd_member(sj_value_item(&r->bench.sent, i), "action");
		if (!action)
			continue;
		if (events && sent < sj_value_count(events))
			trial_match(r->t, "event", sj_value_item(events, sent), action, false);
		sent++;
	}
	if (sent != (events ? sj_value_count(events) : 0))
		trial_fail(r->t, "%u events were sent", sent);
	if (functions)
		trial_match(r->t, "functions", functions, &r->bench.called, false);
	else if (sj_value_count(&r->bench.called) > 0)
		trial_fail(r->t, "a function was run");
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static void send(struct resolver *r, const char *kind, const char *key1, const struct sj_value *v1, const char *key2,
                 const struct sj_value *v2)
{
	struct sj_mem *mem = r->t->mem;
	struct sj_value message, body;
	if (sj_value_object(mem, &message) != SJ_OK || sj_value_object(mem, &body) != SJ_OK)
		return;
	value_put_text(mem, &message, "version", SJ_LIT("v0.9"));
	value_put_text(mem, &body, "surfaceId", SJ_LIT("s"));
	if (key1 && v1)
		value_put(mem, &body, key1, sj_value_ref(*v1));
	if (key2 && v2)
		value_put(mem, &body, key2, sj_value_ref(*v2));
	value_put(mem, &message, kind, body);
	bench_feed(&r->bench, &message);
	sj_value_unref(mem, message);
}

static void write_prop(struct resolver *r, sj_node_id node, struct sj_slice name, const struct sj_value *value)
{
	struct sj_prop prop;
	struct sj_diag d = {0};
	if (!sj_node_prop_named(r->surface, node, name, &prop)) {
		trial_fail(r->t, "the node has no property %.*s", SJ_ARG(name));
		return;
	}
	struct sj_input in = {.node = node,
	                      .prop = prop.ui,
	                      .phase = SJ_EDIT_COMMIT,
	                      .value = value_copy(sj_engine_mem(r->bench.engine), value)};
	if (sj_engine_input(r->bench.engine, r->view, &in, &d) != SJ_OK)
		trial_fail(r->t, "the write was refused: %s", d.message);
	sj_value_unref(sj_engine_mem(r->bench.engine), in.value);
}

static void step_op(struct resolver *r, const struct sj_value *step)
{
	const struct sj_value *op = cmd_member(step, "op"), *path = cmd_member(step, "node"),
			      *property = cmd_member(step, "property");
	const struct seen *at = path ? find(&r->now, sj_value_text(path)) : NULL;
	struct sj_diag d = {0};

	if (path && !at) {
		trial_fail(r->t, "there is no node %.*s", SJ_ARG(sj_value_text(path)));
	} else if (value_text_is(op, "write") && at && property) {
		write_prop(r, at->node, sj_value_text(property), cmd_member(step, "value"));
	} else if (value_text_is(op, "set_data")) {
		send(r, "updateDataModel", "path", cmd_member(step, "path"), "value", cmd_member(step, "value"));
	} else if (value_text_is(op, "update_components")) {
		send(r, "updateComponents", "components", cmd_member(step, "components"), NULL, NULL);
	} else if (value_text_is(op, "remove_component")) {
		/* No message of the protocol does this; a host can. */
		sj_txn_begin(r->surface, 0, (struct sj_origin){0, 0});
		if (sj_surface_remove_component(r->surface, sj_value_text(cmd_member(step, "component_id"))) != SJ_OK)
			trial_fail(r->t, "the component could not be removed");
		sj_txn_commit(r->surface);
	} else if (value_text_is(op, "invoke") && at) {
		if (sj_engine_press(r->bench.engine, r->view, at->node, &d) != SJ_OK)
			trial_fail(r->t, "the press was refused: %s", d.message);
	} else if (value_text_is(op, "dispose")) {
		r->surface = NULL; /* it goes with the message */
		send(r, "deleteSurface", NULL, NULL, NULL, NULL);
	} else {
		trial_fail(r->t, "the runner does not know this op");
	}
	bench_drain(&r->bench);
}

static bool mount(struct resolver *r)
{
	struct trial *t = r->t;
	const struct sj_value *fixture = case_member(t, "fixture"), *catalog, *components, *data;
	struct sj_value doc, file, id;
	if (!fixture || !trial_load(t, sj_value_text(fixture), &file))
		return false;
	catalog = cmd_member(&file, "catalog");
	components = cmd_member(&file, "components");
	data = cmd_member(&file, "data");
	struct sj_slice path = catalog ? sj_value_text(catalog) : SJ_LIT("");
	if (sj_slice_starts(path, "../"))
		path = sj_slice(path.ptr + 3, path.len - 3); /* fixtures count from conformance/ */
	bool ok =
		trial_load(t, path, &doc) && bench_add_document(&r->bench, &doc, SJ_LIT(CASE_CATALOG), SJ_VERSION_NONE);
	if (ok && sj_value_string(t->mem, SJ_LIT(CASE_CATALOG), &id) == SJ_OK) {
		send(r, "createSurface", "catalogId", &id, NULL, NULL);
		sj_value_unref(t->mem, id);
		if (data && sj_value_count(data) > 0)
			send(r, "updateDataModel", "value", data, NULL, NULL);
		if (components && sj_value_count(components) > 0)
			send(r, "updateComponents", "components", components, NULL, NULL);
		r->view = sj_engine_view(r->bench.engine, UINT32_MAX, SJ_LIT("s"));
		ok = r->view != NULL && r->bench.faults.count == 0;
		if (!ok)
			trial_fail(t, "the fixture was refused: %s",
			           r->bench.faults.count ? r->bench.faults.items[0].diag.message : "");
		else
			r->surface = sj_view_surface(r->view);
	}
	if (ok)
		sj_value_unref(t->mem, doc);
	sj_value_unref(t->mem, file);
	return ok;
}

void act_nodes(struct trial *t)
{
	const struct sj_value *steps = case_member(t, "steps");
	struct resolver r = {.t = t};
	if (!bench_open(&r.bench, t, NULL))
		return;
	sj_arena_init(&r.arena, t->mem, 0);
	if (mount(&r)) {
		look(&r);
		note_changes(&r);
		bench_forget(&r.bench);
		if (case_member(t, "expect"))
			check(&r, case_member(t, "expect"));
		for (uint32_t i = 0; steps && i < sj_value_count(steps) && !trial_failed(t); i++) {
			const struct sj_value *step = sj_value_item(steps, i);
			bench_forget(&r.bench);
			step_op(&r, step);
			note_changes(&r);
			look(&r);
			if (r.bench.faults.count > 0)
				trial_fail(t, "unexpected %s", r.bench.faults.items[0].diag.message);
			if (cmd_member(step, "expect"))
				check(&r, cmd_member(step, "expect"));
		}
	}
	SJ_VEC_FREE(t->mem, &r.now.items);
	SJ_VEC_FREE(t->mem, &r.before.items);
	SJ_VEC_FREE(t->mem, &r.emitted);
	sj_arena_finish(&r.arena);
	bench_close(&r.bench);
}
