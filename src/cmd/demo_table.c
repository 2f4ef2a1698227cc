#include "cmd/demo.h"

/* The build names the demos that are there. */
#ifdef SJ_DEMO_DINING
extern const struct sj_demo sj_demo_dining;
#endif
#ifdef SJ_DEMO_SURVEY
extern const struct sj_demo sj_demo_survey;
#endif
#ifdef SJ_DEMO_CALLS
extern const struct sj_demo sj_demo_calls;
#endif

const struct sj_demo *const SJ_DEMOS[] = {
#ifdef SJ_DEMO_DINING
	&sj_demo_dining,
#endif
#ifdef SJ_DEMO_SURVEY
	&sj_demo_survey,
#endif
#ifdef SJ_DEMO_CALLS
	&sj_demo_calls,
#endif
	NULL,
};
