/* Schema-guided repair. */
#include "infer/direct.h"

enum sj_status sj_heal_message(struct sj_direct *d, struct sj_value *v)
{
	(void)d;
	(void)v;
	return SJ_INVALID;
}

enum sj_status sj_heal_component(struct sj_direct *d, enum sj_version version, struct sj_value *v)
{
	(void)d;
	(void)version;
	(void)v;
	return SJ_INVALID;
}
