/* Identifiers by UAX #31: ^[\p{XID_Start}_][\p{XID_Continue}]*$, tables generated from the Unicode Character Database.
 */
#ifndef SJ_TEXT_IDENT_H
#define SJ_TEXT_IDENT_H

#include "base/slice.h"

bool sj_xid_start(uint32_t code_point);
bool sj_xid_continue(uint32_t code_point);
bool sj_ident_check(struct sj_slice s); /* ill-formed UTF-8 and the empty text are no identifiers */

#endif
