/* shoji-desktop window|open|shot [OPTION]... ARGUMENT... */
#include <stdio.h>

#include "app/app.h"
#include "base/num.h"
#include "cmd/desktop.h"

static const struct cmd_verb VERBS[] = {CMD_DESKTOP_ROWS(app_window, app_open, app_shot)};

bool app_number(const struct cmd_args *args, enum cmd_option option, int least, int most, int *out)
{
	const char *text = args->value[option];
	uint32_t n;
	if (!text)
		return true;
	if (!sj_num_index(sj_slice_of(text), &n) || n < (uint32_t)least || n > (uint32_t)most) {
		cmd_usage_error(NULL, "a number from %d to %d is wanted, not %s", least, most, text);
		return false;
	}
	*out = (int)n;
	return true;
}

int64_t app_now_ms(const struct cmd_args *args)
{
	const char *now = args->value[CMD_OPT_NOW];
	double ms;
	return now && sj_num_parse(sj_slice_of(now), &ms) ? (int64_t)ms : g_get_real_time() / 1000;
}

int app_session(const struct cmd_args *args, struct cmd_session *s, struct sj_buf *text)
{
	struct sj_engine_config cfg;
	if (!cmd_engine_config(args, &cfg))
		return CMD_USAGE;
	cfg.lazy_rows = true;
	int code = cmd_session_open(s, args->mem, &cfg);
	if (code != CMD_OK)
		return code;
	sj_buf_init(text, args->mem, 0);
	code = cmd_session_catalogs(s, args);
	if (code == CMD_OK && strcmp(args->rest[0], "-") != 0)
		code = cmd_read(args->rest[0], text);
	if (code != CMD_OK) {
		sj_buf_finish(text);
		cmd_session_close(s);
	}
	return code;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "window";
	struct cmd_args args;
	struct sj_mem mem;
	sj_mem_init(&mem, NULL, 0);
	for (size_t i = 0; i < sizeof VERBS / sizeof *VERBS; i++) {
		const struct cmd_verb *verb = &VERBS[i];
		if (strcmp(verb->name, name) != 0)
			continue;
		if (!cmd_options(verb, argc > 2 ? argc - 2 : 0, argc > 2 ? argv + 2 : argv, &args))
			return CMD_USAGE;
		if (cmd_has(&args, CMD_OPT_HELP)) {
			cmd_verb_help(verb);
			return cmd_finish(CMD_OK);
		}
		args.mem = &mem;
		return cmd_finish(verb->run(&args));
	}
	cmd_usage_error(NULL, "there is no verb %s", name);
	return CMD_USAGE;
}
