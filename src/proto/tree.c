/* The nodes of a spec in preorder. */
#include "proto/tree.h"

struct filling {
	struct sj_proto_tree *tree;
	enum sj_status status;
};

static bool put(void *ctx, const struct sj_value *node, uint32_t order, uint32_t parent, struct sj_slice pointer)
{
	struct filling *f = ctx;
	struct sj_proto_tree *t = f->tree;
	f->status = SJ_VEC_RESERVE(t->mem, &t->spots, order + 1, 0);
	if (f->status != SJ_OK)
		return false;
	t->spots.items[t->spots.count++] =
		(struct sj_proto_spot){.node = node,
	                               .parent = parent,
	                               .end = order + 1,
	                               .depth = parent == SJ_NO_NODE ? 0 : t->spots.items[parent].depth + 1,
	                               .pointer_at = (uint32_t)t->pointers.len,
	                               .pointer_len = (uint32_t)pointer.len};
	sj_buf_slice(&t->pointers, pointer);
	f->status = sj_buf_status(&t->pointers);
	return f->status == SJ_OK;
}

enum sj_status sj_proto_tree_init(struct sj_proto_tree *t, struct sj_mem *mem, const struct sj_value *spec)
{
	*t = (struct sj_proto_tree){.mem = mem};
	sj_buf_init(&t->pointers, mem, 0);
	struct filling f = {.tree = t};
	enum sj_status st = sj_proto_nodes(mem, spec, put, &f);
	if (st == SJ_OK)
		st = f.status;
	/* The last node below a node is the last one of its last child. */
	for (uint32_t i = t->spots.count; i-- > 0;) {
		const struct sj_proto_spot *s = &t->spots.items[i];
		if (s->parent != SJ_NO_NODE && t->spots.items[s->parent].end < s->end)
			t->spots.items[s->parent].end = s->end;
	}
	return st;
}

void sj_proto_tree_finish(struct sj_proto_tree *t)
{
	SJ_VEC_FREE(t->mem, &t->spots);
	sj_buf_finish(&t->pointers);
}

struct sj_slice sj_proto_tree_pointer(const struct sj_proto_tree *t, uint32_t order)
{
	const struct sj_proto_spot *s = &t->spots.items[order];
	return sj_slice(t->pointers.ptr + s->pointer_at, s->pointer_len);
}
