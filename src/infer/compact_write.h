/* Values as Express and Elemental spell them. Internal to infer. */
#ifndef SJ_INFER_COMPACT_WRITE_H
#define SJ_INFER_COMPACT_WRITE_H

#include "infer/compact.h"

struct sj_cwriter {
	const struct sj_format *f;
	struct sj_buf *out;
	bool elemental;
	bool equated;              /* a catalogId was left out or put in that the messages have otherwise */
	struct sj_slice surface;   /* default catalog of the surface; ptr NULL: not known */
	const struct sj_value *own; /* value of the component being written, for its checks */
};
/* The value where `prop` is expected. SJ_NOMEM; what cannot be said shorter is written out, so that it never fails
 * otherwise. */
enum sj_status sj_compact_write(struct sj_cwriter *w, const struct sj_value *v, const struct sj_a2ui_prop *prop);
/* A call that stands alone, `id` written beside its arguments when ptr is not NULL. SJ_ABSENT: the notation cannot say
 * it. */
enum sj_status sj_compact_write_call(struct sj_cwriter *w, const struct sj_value *call, struct sj_slice id);
/* Which type an object is of, and the catalogId to write beside it (ptr NULL: none). SJ_ABSENT: no such type. */
enum sj_status sj_compact_type(struct sj_cwriter *w, const struct sj_value *component,
                               const struct sj_a2ui_component **type, struct sj_slice *written);
/* The arguments of a component: `from` members by position, then the others by name. */
uint32_t sj_compact_leading(const struct sj_a2ui_component *type, const struct sj_value *component);
void sj_compact_string(struct sj_cwriter *w, struct sj_slice s);
void sj_compact_key(struct sj_cwriter *w, struct sj_slice s);
void sj_compact_path_text(struct sj_cwriter *w, struct sj_slice path);
const struct sj_a2ui_prop *sj_compact_prop(const struct sj_a2ui_component *type, struct sj_slice name);
/* {componentId, path} and nothing else. */
bool sj_compact_template(const struct sj_value *v, struct sj_slice *id, struct sj_slice *path);
const struct sj_value *sj_compact_own_value(const struct sj_a2ui_component *type, const struct sj_value *component);

#endif
