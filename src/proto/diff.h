/* What changed between two revisions of a draft, by the ids of their nodes. */
#ifndef SJ_PROTO_DIFF_H
#define SJ_PROTO_DIFF_H

#include "proto/ids.h"

/* {"added": [id], "removed": [id], "changed": [{"id", "fields": [name]}], "spec": [name]}, all in the order of the
 * nodes (`removed`: of those before) and names sorted. A node has changed where one of its own fields has; `children`
 * and `child` have where other nodes stand there, or the same in another order. `spec` names the members of the whole
 * beside its nodes that differ; `state` stands there as "state.KEY". The caller owns *out. SJ_NOMEM. */
enum sj_status sj_proto_diff(struct sj_mem *mem, const struct sj_value *before, const struct sj_proto_ids *before_ids,
                             const struct sj_value *after, const struct sj_proto_ids *after_ids, struct sj_value *out);

#endif
