#include "cmd/session.h"

static int print_trees(struct cmd_session *s)
{
	struct sj_buf out;
	sj_buf_init(&out, s->mem, 0);
	for (uint32_t i = 0; i < sj_engine_view_count(s->engine); i++) {
		sj_view_tree(s->engine, sj_engine_view_at(s->engine, i), &out);
		sj_buf_putc(&out, '\n');
	}
	int code = sj_buf_status(&out) == SJ_OK ? CMD_OK : CMD_IO;
	cmd_print_json(sj_buf_view(&out));
	sj_buf_finish(&out);
	return code;
}

int cmd_tree(const struct cmd_args *args)
{
	struct sj_engine_config cfg;
	struct cmd_session s;
	struct sj_buf text;
	struct cmd_faults faults = {.count = 0};

	if (!cmd_engine_config(args, &cfg))
		return CMD_USAGE;
	int code = cmd_session_open(&s, args->mem, &cfg);
	if (code != CMD_OK)
		return code;
	s.event = cmd_faults_event;
	s.ctx = &faults;
	sj_buf_init(&text, args->mem, 0);
	sj_buf_init(&faults.lines, args->mem, 0);
	code = cmd_session_catalogs(&s, args);
	if (code == CMD_OK)
		code = cmd_read(args->rest[0], &text);
	faults.text = sj_buf_view(&text);
	if (code == CMD_OK)
		code = cmd_session_play(&s, sj_buf_view(&text));
	if (code == CMD_OK)
		code = print_trees(&s);
	/* Reading the trees evaluates what nothing had asked for yet, which may report more. */
	if (code == CMD_OK && cmd_session_pump(&s) != SJ_OK)
		code = CMD_IO;
	cmd_print_json(sj_buf_view(&faults.lines));
	sj_buf_finish(&faults.lines);
	sj_buf_finish(&text);
	cmd_session_close(&s);
	return code == CMD_OK && faults.count > 0 ? CMD_INVALID : code;
}
