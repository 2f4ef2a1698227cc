/* The nodes of a spec as one table in preorder: what ids, outlines, patches and diffs look things up in.
 *
 * Everything in it is borrowed from the spec, which must not change while the table lives. Only a spec that was checked
 * has one: sj_proto_nodes walks it to its whole depth.
 */
#ifndef SJ_PROTO_TREE_H
#define SJ_PROTO_TREE_H

#include "proto/proto.h"

#define SJ_NO_NODE UINT32_MAX

struct sj_proto_spot {
	const struct sj_value *node;
	uint32_t parent; /* SJ_NO_NODE at a root */
	uint32_t end;    /* one past the last node below it */
	uint32_t depth;  /* 0 at a root */
	uint32_t pointer_at, pointer_len;
};
struct sj_proto_tree {
	struct sj_mem *mem;
	SJ_VEC(struct sj_proto_spot) spots;
	struct sj_buf pointers; /* one after the other */
};

/* SJ_NOMEM; to be finished whatever it returned. */
enum sj_status sj_proto_tree_init(struct sj_proto_tree *t, struct sj_mem *mem, const struct sj_value *spec);
void sj_proto_tree_finish(struct sj_proto_tree *t);
/* Where the node stands in the spec, RFC 6901; borrowed from the tree. */
struct sj_slice sj_proto_tree_pointer(const struct sj_proto_tree *t, uint32_t order);

#endif
