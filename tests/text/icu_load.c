#include "text/icu_load.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/test.h"

/* POSIX promises that a function pointer fits a void *; ISO C has no cast for it. */
static void symbol(void *module, const char *name, void *function)
{
	void *p = dlsym(module, name);
	memcpy(function, &p, sizeof p);
}

bool icu_load(struct icu_loaded *icu)
{
	/* BUILD/tests/test_x -> BUILD/src/text/icu */
	char exe[4096], path[4200];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
	exe[n > 0 ? n : 0] = '\0';
	for (int up = 0; up < 2; up++) {
		char *slash = strrchr(exe, '/');
		if (slash)
			*slash = '\0';
	}
	snprintf(path, sizeof path, "%s/src/text/icu/libshoji-icu.so", exe);
	*icu = (struct icu_loaded){.module = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)};
	if (icu->module == NULL) {
		sj_skip("the ICU plugin was not built");
		return false;
	}
	sj_icu_locale_ops_fn *ops = NULL;
	symbol(icu->module, "sj_icu_open", &icu->open);
	symbol(icu->module, "sj_icu_close", &icu->close);
	symbol(icu->module, "sj_icu_locale_ops", &ops);
	CHECK(icu->open != NULL && icu->close != NULL && ops != NULL);
	icu->uncached = ops();
	CHECK_OK(icu->open(SJ_ICU_ABI, sj_test_mem(), &icu->ops));
	return true;
}

void icu_unload(struct icu_loaded *icu)
{
	icu->close(&icu->ops);
	dlclose(icu->module);
}
