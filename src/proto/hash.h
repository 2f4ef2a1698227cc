/* Hashes of specs. */
#ifndef SJ_PROTO_HASH_H
#define SJ_PROTO_HASH_H

#include "proto/tree.h"

/* SHA-256 of the canonical form (RFC 8785) in lower-case hexadecimal. SJ_NOMEM. */
enum sj_status sj_proto_hash(struct sj_mem *mem, const struct sj_value *v, char out[65]);
/* `spec` with {"~": name} at a pointer that is there. `*spec` is replaced. SJ_NOMEM. */
enum sj_status sj_proto_mask(struct sj_mem *mem, struct sj_value *spec, struct sj_slice pointer, struct sj_slice name);
/* Sets what is at a pointer into a spec: its parent has to be there. Takes `v`. SJ_NOMEM, SJ_ABSENT. */
enum sj_status sj_proto_put(struct sj_mem *mem, struct sj_value *spec, struct sj_slice pointer, struct sj_value v);

#endif
