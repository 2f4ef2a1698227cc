/* What becomes of stored values when a prototype changes.
 *
 * A plan is JSON, so that it can be shown before it is carried out:
 * {"keys": [{"key", "do": "keep" | "rename" | "transform" | "drop", "to"?, "from"?, "into"?}], "begins": [key]}.
 * `keys` has one entry for each stored key of the old spec, in its order; `begins` names the stored keys of the new
 * spec that nothing goes into. `to` is the new name of a renamed key, `from` and `into` are the types of a transformed
 * one. docs/prototype.md says when a key counts as renamed.
 */
#ifndef SJ_PROTO_MIGRATE_H
#define SJ_PROTO_MIGRATE_H

#include "proto/proto.h"

/* Two checked specs. The caller owns *out. SJ_NOMEM. */
enum sj_status sj_proto_migrate_plan(struct sj_mem *mem, const struct sj_value *before, const struct sj_value *after,
                                     struct sj_value *out);
/* `values`: what is stored, an object of scalars; *out: what is to be stored for `after`. A value that does not have
 * the type its key is to have, or that cannot be turned into it, is left out: its key begins anew. SJ_NOMEM. */
enum sj_status sj_proto_migrate(struct sj_mem *mem, const struct sj_value *plan, const struct sj_value *after,
                                const struct sj_value *values, struct sj_value *out);

#endif
