/* The ids of a draft: one for each node of its spec, in preorder, so that a node can be named without being told apart
 * by place. They are no part of the spec.
 *
 * A node's id is the one its author gave it when no other node of the spec has the same; every other node is called
 * "~n". An authored id that begins with "~" is not taken over. Numbers only grow: `next` belongs to the draft, and
 * whoever goes back to an earlier revision carries the highest one on.
 */
#ifndef SJ_PROTO_IDS_H
#define SJ_PROTO_IDS_H

#include "proto/tree.h"

struct sj_proto_ids {
	struct sj_value list; /* of strings */
	uint32_t next;        /* number of the next node without an authored id; 0 counts as 1 */
};

/* Ids for a spec that has none yet; `next` 0 in a new draft. The caller owns the list. SJ_NOMEM. */
enum sj_status sj_proto_ids_make(struct sj_mem *mem, const struct sj_value *spec, uint32_t next,
                                 struct sj_proto_ids *out);
/* Ids for `after`, where `keep[i]` is the place in `before` of the node that node i of `after` goes on from;
 * SJ_NO_NODE: it is a new one. */
enum sj_status sj_proto_ids_carry(struct sj_mem *mem, const struct sj_proto_ids *before,
                                  const struct sj_proto_tree *after, const uint32_t *keep, struct sj_proto_ids *out);
void sj_proto_ids_release(struct sj_mem *mem, struct sj_proto_ids *ids);

/* The id of a node, borrowed from the list; "" beyond its end. */
struct sj_slice sj_proto_id_at(const struct sj_proto_ids *ids, uint32_t order);
/* The node's place in preorder, SJ_NO_NODE when no node is called that. */
uint32_t sj_proto_id_find(const struct sj_proto_ids *ids, struct sj_slice id);
/* Whether there is one id for each node of the tree. */
bool sj_proto_ids_fit(const struct sj_proto_ids *ids, const struct sj_proto_tree *tree);

#endif
