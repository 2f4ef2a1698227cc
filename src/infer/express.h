/* The parts of Express that lie in files of their own. Internal to infer. */
#ifndef SJ_INFER_EXPRESS_H
#define SJ_INFER_EXPRESS_H

#include "infer/format.h"

enum sj_status sj_express_write(const struct sj_format *f, const struct sj_value *messages, struct sj_buf *out,
                                bool *equated, struct sj_diag *diag);
enum sj_status sj_express_prompt(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out,
                                 struct sj_diag *diag);

#endif
