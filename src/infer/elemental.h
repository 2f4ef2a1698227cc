/* The parts of Elemental that lie in files of their own. Internal to infer. */
#ifndef SJ_INFER_ELEMENTAL_H
#define SJ_INFER_ELEMENTAL_H

#include "infer/compact_write.h"

/* TextField <-> text-field, enableDate <-> enable-date: a capital is a dash and its small letter; the first capital of
 * a component's name needs no dash. */
void sj_elemental_kebab(struct sj_buf *out, struct sj_slice name);
void sj_elemental_tag(struct sj_buf *out, struct sj_slice type); /* without ui- */
void sj_elemental_camel(struct sj_buf *out, struct sj_slice kebab);
enum sj_status sj_elemental_write(const struct sj_format *f, const struct sj_value *messages, struct sj_buf *out,
                                  bool *equated, struct sj_diag *diag);
enum sj_status sj_elemental_prompt(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out,
                                   struct sj_diag *diag);

#endif
