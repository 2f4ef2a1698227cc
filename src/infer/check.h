/* Checks on tapes for the files of infer. */
#ifndef SJ_INFER_CHECK_H
#define SJ_INFER_CHECK_H

#include "a2ui/check.h"
#include "infer/format.h"

struct sj_check sj_format_checker(const struct sj_format *f);
/* Each message of the array; the pointer begins with its place. */
enum sj_status sj_format_check_all(const struct sj_format *f, const struct sj_value *messages, struct sj_diag *diag);

#endif
