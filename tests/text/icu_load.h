/* Opens the ICU plugin that was built beside the tests. */
#ifndef SJ_TEST_ICU_LOAD_H
#define SJ_TEST_ICU_LOAD_H

#include "text/icu/icu_plugin.h"

/* Only the types of the header are used: the functions come from the module. */
struct icu_loaded {
	void *module;
	struct sj_locale_ops ops;
	const struct sj_locale_ops *uncached;
	sj_icu_close_fn *close;
	sj_icu_open_fn *open;
};
bool icu_load(struct icu_loaded *icu); /* false after sj_skip: not built */
void icu_unload(struct icu_loaded *icu);

#endif
