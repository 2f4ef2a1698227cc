/* The environment that the host tells an engine: it reaches the surfaces that are there and those to come. */
#include "engine/talk.h"

static struct sj_slice env_of(struct talk *t, const char *surface, const char *name)
{
	struct sj_slice key = sj_slice_of(name);
	struct sj_view *v = sj_engine_view(t->e, t->peer, sj_slice_of(surface));
	const struct sj_value *value = v ? sj_surface_get(sj_view_surface(v), SJ_ROOT_ENV, &key, 1) : NULL;
	return value && sj_value_is_string(value) ? sj_value_text(value) : SJ_LIT("(absent)");
}

static enum sj_status run(struct sj_mem *mem, void *ctx)
{
	static struct talk t; /* too big for a stack */
	(void)ctx;
	enum sj_status st = talk_open(&t, mem, NULL);
	if (st == SJ_OK)
		st = talk_create(&t, "v0.9", "before");
	if (st == SJ_OK)
		st = sj_engine_set_env(t.e, NULL, SJ_LIT("locale"), SJ_LIT("de"));
	if (st == SJ_OK)
		st = sj_engine_set_env(t.e, NULL, SJ_LIT("appearance"), SJ_LIT("light"));
	if (st == SJ_OK)
		st = sj_engine_set_env(t.e, NULL, SJ_LIT("appearance"), SJ_LIT("dark"));
	if (st == SJ_OK) { /* one surface alone: no word for the others */
		struct sj_view *v = sj_engine_view(t.e, t.peer, SJ_LIT("before"));
		st = sj_engine_set_env(t.e, v, SJ_LIT("widthClass"), SJ_LIT("compact"));
	}
	if (st == SJ_OK)
		st = talk_create(&t, "v1.0", "after");
	if (st == SJ_OK) {
		CHECK_STR(env_of(&t, "before", "locale"), "de");
		CHECK_STR(env_of(&t, "before", "appearance"), "dark");
		CHECK_STR(env_of(&t, "before", "widthClass"), "compact");
		CHECK_STR(env_of(&t, "after", "locale"), "de");
		CHECK_STR(env_of(&t, "after", "appearance"), "dark");
		CHECK_STR(env_of(&t, "after", "timeZone"), "UTC");
		CHECK_STR(env_of(&t, "after", "widthClass"), "(absent)");
	}
	talk_close(&t);
	return st;
}

SJ_TEST(the_environment_reaches_surfaces_to_come)
{
	struct sj_mem mem;
	sj_mem_init(&mem, NULL, 0);
	CHECK_OK(run(&mem, NULL));
	CHECK_INT(mem.used_bytes, 0);
}

SJ_TEST(running_out_of_memory_is_returned_and_leaks_nothing) { sj_torture(run, NULL); }
