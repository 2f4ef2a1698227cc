#include "base/limits.h"

const struct sj_limits SJ_LIMITS_DEFAULT = {
#define OURS(name, ours, upstream, unit, why) .name = ours,
	SJ_LIMITS(OURS)
#undef OURS
};

const struct sj_limits SJ_LIMITS_UPSTREAM = {
#define UPSTREAM(name, ours, upstream, unit, why) .name = upstream,
	SJ_LIMITS(UPSTREAM)
#undef UPSTREAM
};
