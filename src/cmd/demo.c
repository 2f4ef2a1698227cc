#include "cmd/demo.h"

#include <stdio.h>

static void list(FILE *to)
{
	for (const struct sj_demo *const *d = SJ_DEMOS; *d; d++)
		fprintf(to, "  %-10s %s\n", (*d)->name, (*d)->title);
}

const struct sj_demo *cmd_demo_find(struct sj_slice name)
{
	for (const struct sj_demo *const *d = SJ_DEMOS; *d; d++)
		if (sj_slice_is(name, (*d)->name))
			return *d;
	return NULL;
}

static int run(const struct sj_demo *d, const struct cmd_args *args)
{
	struct sj_engine_config cfg;
	struct cmd_session s;
	if (!cmd_engine_config(args, &cfg))
		return CMD_USAGE;
	cfg.gate_surface = d->gate_surface;
	int code = cmd_session_open(&s, args->mem, &cfg);
	if (code != CMD_OK)
		return code;
	code = d->attach(&s, true);
	if (code == CMD_OK)
		code = cmd_play_session(&s, args, sj_slice_of(d->script), true);
	d->detach(&s);
	cmd_session_close(&s);
	return code;
}

int cmd_demo(const struct cmd_args *args)
{
	if (args->nrest == 0) {
		puts("Demos:");
		list(stdout);
		return CMD_OK;
	}
	const struct sj_demo *d = cmd_demo_find(sj_slice_of(args->rest[0]));
	if (d)
		return run(d, args);
	cmd_usage_error("demo", "there is no demo %s", args->rest[0]);
	list(stderr);
	return CMD_USAGE;
}
