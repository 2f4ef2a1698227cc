/* What the files of the locales share. Private to `text`. */
#ifndef SJ_TEXT_LOCALE_EN_H
#define SJ_TEXT_LOCALE_EN_H

#include "text/locale.h"

#define SJ_MAX_DECIMALS 100 /* as ECMA-402; more is a mistake, and a cheap way to ask for long output */

bool sj_locale_is_en(const char *locale); /* "", "en", "en-US", "und", "root" */
bool sj_currency_code(struct sj_slice code, char out[4]); /* three letters, made upper case; else false */

bool sj_date_pattern_ok(struct sj_slice pattern); /* every letter outside of quotes is a field of UTS #35 */
enum sj_status sj_locale_en_date(void *ctx, const char *locale, const char *tz, const struct sj_moment *when,
                                 struct sj_slice pattern, struct sj_buf *out);

#endif
