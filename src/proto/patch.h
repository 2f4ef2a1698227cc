/* Changes of a draft: a list of operations on a spec and its ids gives the next spec and its ids, or one error and
 * nothing (docs/prototype.md, "Patches").
 *
 * `add`, `replace`, `remove` and `test` write below /data and /state; `replaceNode` changes the tree. Names of nodes
 * mean the nodes that the patch began with. The result is checked whole. The old spec stays as it is: the new one
 * shares with it what did not change.
 */
#ifndef SJ_PROTO_PATCH_H
#define SJ_PROTO_PATCH_H

#include "proto/ids.h"

enum { SJ_PROTO_PATCH_OPS = 64, SJ_PROTO_HASH_TEXT = 65 };

struct sj_proto_patched {
	struct sj_value spec;
	struct sj_proto_ids ids;
	struct sj_value changed; /* array: ids of the nodes that were put in, in preorder */
	/* SHA-256 of everything that the patch left alone, in hexadecimal: it was computed from the old spec and from
	 * the new one, and the two are the same. */
	char locality[SJ_PROTO_HASH_TEXT];
};

/* `spec` has no components left, and `ids` one id for each of its nodes; `ops` belongs to the same account. The caller
 * releases *out. An error of an operation is at "ops", "ops[2]" or a member ("ops[2].path"); one of the result is where
 * the spec has it. SJ_OK, SJ_INVALID, SJ_LIMIT, SJ_NOMEM. */
enum sj_status sj_proto_patch(struct sj_mem *mem, const struct sj_value *spec, const struct sj_proto_ids *ids,
                              const struct sj_value *ops, const struct sj_proto_options *opt,
                              struct sj_proto_patched *out, struct sj_proto_error *error);
void sj_proto_patched_release(struct sj_mem *mem, struct sj_proto_patched *p);

#endif
