/* The nodes of a spec in preorder, for whoever numbers, lists or compares them. */
#include "proto/internal.h"

struct walk {
	sj_proto_node_fn fn;
	void *ctx;
	struct sj_buf pointer;
	uint32_t count, parent, depth;
};

static bool visit(struct walk *w, const struct sj_value *node);

static bool visit_child(void *ctx, const struct sj_value *child, struct sj_slice field, uint32_t index)
{
	struct walk *w = ctx;
	size_t len = w->pointer.len;
	sj_pointer_append(&w->pointer, field);
	if (index != UINT32_MAX)
		sj_buf_printf(&w->pointer, "/%u", index);
	bool on = visit(w, child);
	if (sj_buf_status(&w->pointer) == SJ_OK)
		w->pointer.len = len;
	return on;
}

static bool visit(struct walk *w, const struct sj_value *node)
{
	uint32_t mine = w->count, parent = w->parent;
	if (sj_buf_status(&w->pointer) != SJ_OK || node->type != SJ_V_OBJECT || w->depth >= SJ_PROTO_DEPTH)
		return sj_buf_status(&w->pointer) == SJ_OK;
	if (!w->fn(w->ctx, node, mine, parent, sj_buf_view(&w->pointer)))
		return false;
	w->count++;
	w->parent = mine;
	w->depth++;
	bool on = sj_node_children(node, visit_child, w);
	w->depth--;
	w->parent = parent;
	return on;
}

enum sj_status sj_proto_nodes(struct sj_mem *mem, const struct sj_value *spec, sj_proto_node_fn fn, void *ctx)
{
	struct walk w = {.fn = fn, .ctx = ctx, .parent = UINT32_MAX};
	const struct sj_value *root = sj_value_get(spec, SJ_LIT("root")),
			      *screens = sj_value_get(spec, SJ_LIT("screens"));
	sj_buf_init(&w.pointer, mem, 0);
	bool on = !root || visit_child(&w, root, SJ_LIT("root"), UINT32_MAX);
	for (uint32_t i = 0; on && screens && i < sj_value_count(screens); i++) {
		struct sj_slice key;
		const struct sj_value *screen = sj_value_member(screens, i, &key);
		sj_buf_clear(&w.pointer);
		sj_buf_puts(&w.pointer, "/screens");
		on = visit_child(&w, screen, key, UINT32_MAX);
	}
	enum sj_status st = sj_buf_status(&w.pointer);
	sj_buf_finish(&w.pointer);
	return st;
}
