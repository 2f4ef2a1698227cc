#include "cmd/demo.h"

#include <stdio.h>

static void list(FILE *to)
{
	for (const struct sj_demo *const *d = SJ_DEMOS; *d; d++)
		fprintf(to, "  %-10s %s\n", (*d)->name, (*d)->title);
}

int cmd_demo(const struct cmd_args *args)
{
	if (args->nrest == 0) {
		puts("Demos:");
		list(stdout);
		return CMD_OK;
	}
	for (const struct sj_demo *const *d = SJ_DEMOS; *d; d++)
		if (strcmp((*d)->name, args->rest[0]) == 0)
			return (*d)->run(args);
	cmd_usage_error("demo", "there is no demo %s", args->rest[0]);
	list(stderr);
	return CMD_USAGE;
}
