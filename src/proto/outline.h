/* A spec at a glance: its nodes with ids, types and what they are called, for whoever is to change it. */
#ifndef SJ_PROTO_OUTLINE_H
#define SJ_PROTO_OUTLINE_H

#include "proto/ids.h"

/* Longer labels are cut. */
enum { SJ_PROTO_LABEL_BYTES = 60 };

/* One line a node: two blanks for each level, the id, the type, the label in quotes and for lists where their rows come
 * from. A root of `screens` follows a line that names its screen. The buffer's status tells of failure. */
enum sj_status sj_proto_outline_text(struct sj_mem *mem, const struct sj_value *spec, const struct sj_proto_ids *ids,
                                     struct sj_buf *out);
/* The same as an array of {"id","type","depth","label"?,"rows"?,"screen"?}. The caller owns *out. SJ_NOMEM. */
enum sj_status sj_proto_outline(struct sj_mem *mem, const struct sj_value *spec, const struct sj_proto_ids *ids,
                                struct sj_value *out);

/* What a node is called: its description, else its own text; borrowed from the node, {NULL,0} when it has none. */
struct sj_slice sj_proto_label(const struct sj_value *node);

#endif
