#include "cmd/session.h"

/* Offsets become lines where the input is a file of messages. */
static void print_lines(struct sj_mem *mem, struct sj_slice lines, struct sj_slice text)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	for (size_t at = 0; at < lines.len;) {
		size_t end = at;
		struct sj_value v;
		struct sj_buf b;
		while (end < lines.len && lines.ptr[end] != '\n')
			end++;
		sj_buf_init(&b, mem, 0);
		if (text.len && sj_value_parse(mem, &opt, sj_slice(lines.ptr + at, end - at), &v, NULL) == SJ_OK) {
			const struct sj_value *offset = cmd_member(&v, "offset");
			if (offset && offset->type == SJ_V_INT && (size_t)offset->u.i <= text.len)
				(void)sj_value_set(mem, &v, SJ_LIT("line"),
				                   sj_value_int(sj_json_line(text, (size_t)offset->u.i)));
			sj_value_print(&b, &v, SJ_PRINT_UTF16);
			sj_value_unref(mem, v);
		} else {
			sj_buf_put(&b, lines.ptr + at, end - at);
		}
		sj_buf_putc(&b, '\n');
		cmd_print_json(sj_buf_view(&b));
		sj_buf_finish(&b);
		at = end + 1;
	}
}

static int report(struct cmd_session *s, const struct cmd_args *args, struct sj_slice text)
{
	const char *only = args->value[CMD_OPT_SURFACE];
	bool check = cmd_has(args, CMD_OPT_CHECK);
	uint32_t shown = 0, breaches = 0;
	struct sj_buf out;
	enum sj_status st = SJ_OK;
	sj_buf_init(&out, s->mem, 0);
	for (uint32_t i = 0; st == SJ_OK && i < sj_engine_view_count(s->engine); i++) {
		struct sj_view *view = sj_engine_view_at(s->engine, i);
		uint32_t count = 0;
		if (only && !sj_slice_is(sj_view_id(view), only))
			continue;
		shown++;
		if (check) {
			st = sj_view_a11y_check(s->engine, view, &out, &count);
			breaches += count;
		} else {
			st = sj_view_a11y(s->engine, view, &out);
			sj_buf_putc(&out, '\n');
		}
	}
	if (check)
		print_lines(s->mem, sj_buf_view(&out), text);
	else
		cmd_print_json(sj_buf_view(&out));
	sj_buf_finish(&out);
	if (st != SJ_OK)
		return CMD_IO;
	if (shown == 0 && only) {
		cmd_say("shoji: there is no surface '%s'\n", only);
		return CMD_INVALID;
	}
	return breaches > 0 ? CMD_INVALID : CMD_OK;
}

int cmd_a11y(const struct cmd_args *args)
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
		code = report(&s, args,
		              cmd_is_script(args->mem, sj_buf_view(&text)) ? SJ_NO_SLICE : sj_buf_view(&text));
	/* What was refused is not in any tree: a screen is not sound because nothing of it came. */
	cmd_print_json(sj_buf_view(&faults.lines));
	sj_buf_finish(&faults.lines);
	sj_buf_finish(&text);
	cmd_session_close(&s);
	return code == CMD_OK && faults.count > 0 ? CMD_INVALID : code;
}
