/* The ICU plugin, libshoji-icu.so: struct sj_locale_ops for every locale ICU knows. The command and the app load it
 * with dlopen for the first locale beyond "en", because ICU's data is thirty times the size of the rest.
 *
 *   sj_icu_open_fn *open = dlsym(so, "sj_icu_open");
 *   struct sj_locale_ops icu;
 *   if (open && open(SJ_ICU_ABI, mem, &icu) == SJ_OK)
 *           locales.extra = &icu;
 *   ... sj_icu_close(&icu) at the end. The module stays loaded (RTLD_NODELETE), as ICU's own caches do.
 *
 * An open plugin keeps a few formatters, the ones used last; they are ICU's own memory, not the account's. It belongs
 * to one thread. Calendars are Gregorian (proleptic) unless the locale asks for another (-u-ca-), because the patterns
 * come from agents who think of 2026.
 */
#ifndef SJ_TEXT_ICU_PLUGIN_H
#define SJ_TEXT_ICU_PLUGIN_H

#include "text/locale.h"

#define SJ_ICU_ABI 1u

typedef enum sj_status sj_icu_open_fn(uint32_t abi, struct sj_mem *mem, struct sj_locale_ops *out);
typedef void sj_icu_close_fn(struct sj_locale_ops *ops);
typedef const struct sj_locale_ops *sj_icu_locale_ops_fn(void);

#define SJ_ICU_EXPORT __attribute__((visibility("default")))
SJ_ICU_EXPORT sj_icu_open_fn sj_icu_open;   /* SJ_INVALID: another abi */
SJ_ICU_EXPORT sj_icu_close_fn sj_icu_close; /* NULL is a no-op */
/* The same without a cache: opens a formatter for each call. Needs no closing. */
SJ_ICU_EXPORT sj_icu_locale_ops_fn sj_icu_locale_ops;

#endif
