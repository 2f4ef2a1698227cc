#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/num.h"
#include "cmd/record.h"
#include "face/text/text.h"

struct player {
	struct cmd_session session;
	struct sj_text_options look;
	struct sj_text_picture picture;
	bool show_messages;
	uint32_t faults;
	bool changed; /* a surface came or went: the picture no longer fits */
	bool fixed_clock;
	int64_t ahead_ms; /* how far waiting has put our clock before the real one */
	struct sj_view *view; /* the one talked to; NULL: the last */
};

static void on_event(void *ctx, const struct sj_event *ev)
{
	struct player *p = ctx;
	switch (ev->kind) {
	case SJ_EV_SEND:
		if (!p->show_messages)
			return;
		cmd_say_json(ev->json);
		if (ev->metadata.len > 0) {
			cmd_say("\n{\"metadata\":");
			cmd_say_json(ev->metadata);
			cmd_say("}");
		}
		cmd_say("\n");
		return;
	case SJ_EV_TOOL_WANTED:
	case SJ_EV_CALL_WANTED:
		if (p->session.host) /* what it does not do is refused all the same */
			return;
		cmd_say("The agent asks for %.*s %.*s. It was not done: this program does nothing outside its own window.\n",
		        SJ_ARG(ev->name), SJ_ARG(ev->json));
		return;
	case SJ_EV_DIAG:
		p->faults += ev->diag->severity == SJ_SEV_ERROR;
		if (ev->message > 0)
			cmd_say("Message %u: ", ev->message);
		cmd_say("%s: %s%s%s\n", ev->diag->severity == SJ_SEV_ERROR ? sj_code_name(ev->diag->code) : "note",
		        ev->diag->message, ev->diag->pointer[0] ? " at " : "", ev->diag->pointer);
		return;
	case SJ_EV_CALL_DONE:
		if (!p->session.host && ev->diag && ev->diag->code != SJ_E_NONE)
			cmd_say("The agent's answer: %s\n", ev->diag->message);
		return;
	case SJ_EV_SURFACE_GONE:
	case SJ_EV_SURFACE_NEW:
		p->view = NULL; /* the newest is shown */
		p->changed = true;
		return;
	case SJ_EV_SURFACE_CHANGED:
	case SJ_EV_CALL_GONE:
		return;
	}
}

/* ---- how it looks ------------------------------------------------------------------------------------------------ */

static uint32_t terminal_width(void)
{
	struct winsize size;
	if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
		return size.ws_col < 100 ? size.ws_col : 100;
	return 80;
}

bool cmd_look(const struct cmd_args *args, struct sj_text_options *out)
{
	const char *width = args->value[CMD_OPT_WIDTH], *colour = args->value[CMD_OPT_COLOUR];
	uint32_t columns = terminal_width();
	if (width && (!sj_num_index(sj_slice_of(width), &columns) || columns < 20 || columns > 1000)) {
		cmd_usage_error(NULL, "--width takes 20 to 1000 columns, not %s", width);
		return false;
	}
	if (colour && strcmp(colour, "auto") != 0 && strcmp(colour, "always") != 0 && strcmp(colour, "never") != 0) {
		cmd_usage_error(NULL, "--colour is auto, always or never, not %s", colour);
		return false;
	}
	const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
	bool can = isatty(STDOUT_FILENO) && !(refused && *refused) && terminal && strcmp(terminal, "dumb") != 0;
	*out = (struct sj_text_options){
		.width = columns,
		.ascii = cmd_has(args, CMD_OPT_ASCII),
		.linear = cmd_has(args, CMD_OPT_LINEAR),
		.colour = colour && strcmp(colour, "auto") != 0 ? strcmp(colour, "always") == 0 : can,
	};
	return true;
}

static int64_t clock_ms(void)
{
	struct timespec now;
	return clock_gettime(CLOCK_REALTIME, &now) == 0 ? (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 : 0;
}

static int draw(struct player *p, struct sj_view *view)
{
	cmd_record_look(&p->session, view);
	if (sj_text_draw(p->session.engine, view, &p->look, &p->picture) != SJ_OK)
		return CMD_IO;
	cmd_print(sj_buf_view(&p->picture.text));
	return CMD_OK;
}

static int draw_all(struct player *p)
{
	uint32_t count = sj_engine_view_count(p->session.engine);
	int code = CMD_OK;
	for (uint32_t i = 0; i < count && code == CMD_OK; i++) {
		struct sj_view *view = sj_engine_view_at(p->session.engine, i);
		if (i > 0)
			cmd_print(SJ_LIT("\n"));
		if (count > 1) {
			struct sj_slice id = sj_view_id(view);
			struct sj_buf line;
			sj_buf_init(&line, p->session.mem, 0);
			sj_buf_puts(&line, "Surface: ");
			sj_text_clean(&line, id, false);
			sj_buf_putc(&line, '\n');
			cmd_print(sj_buf_view(&line));
			sj_buf_finish(&line);
		}
		code = draw(p, view);
	}
	if (count == 0)
		cmd_say("No surface was created.\n");
	return code;
}

/* ---- the dialogue ------------------------------------------------------------------------------------------------ */

static struct sj_view *current(const struct player *p)
{
	uint32_t count = sj_engine_view_count(p->session.engine);
	for (uint32_t i = 0; p->view && i < count; i++)
		if (sj_engine_view_at(p->session.engine, i) == p->view)
			return p->view;
	return count > 0 ? sj_engine_view_at(p->session.engine, count - 1) : NULL;
}

/* ":" lists the surfaces, ":2" goes to the second. */
static void choose_surface(struct player *p, struct sj_slice line)
{
	uint32_t number, count = sj_engine_view_count(p->session.engine);
	if (sj_num_index(sj_slice(line.ptr + 1, line.len - 1), &number) && number >= 1 && number <= count) {
		p->view = sj_engine_view_at(p->session.engine, number - 1);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		cmd_say(":%u goes to surface %.*s\n", i + 1,
		        SJ_ARG(sj_view_id(sj_engine_view_at(p->session.engine, i))));
}

static int one_command(struct player *p, struct sj_view *view, struct sj_slice line, bool *redraw, bool *quit)
{
	struct sj_buf reply;
	sj_buf_init(&reply, p->session.mem, 0);
	enum sj_status status = sj_text_command(p->session.engine, view, &p->picture, line, &reply, redraw, quit);
	if (status == SJ_OK)
		status = cmd_session_pump(&p->session);
	cmd_print(sj_buf_view(&reply));
	sj_buf_finish(&reply);
	return status == SJ_OK ? CMD_OK : CMD_IO;
}

static size_t without_end(const char *line)
{
	size_t len = strlen(line);
	while (len > 0 && (line[len - 1] == '\n' || line[len - 1] == '\r'))
		len--;
	return len;
}

static int64_t now_ms(const struct player *p)
{
	return p->fixed_clock ? sj_engine_now(p->session.engine) : clock_ms() + p->ahead_ms;
}

/* An empty line: the clock goes to the moment when something happens by itself, if there is one. */
static enum sj_status wait_for_agent(struct player *p)
{
	int64_t due = cmd_session_due(&p->session), now = now_ms(p);
	if (due == INT64_MAX)
		return SJ_OK;
	if (due > now)
		p->ahead_ms += due - now;
	return cmd_session_advance(&p->session, due > now ? due : now);
}

static int dialogue(struct player *p)
{
	char line[65536];
	bool redraw = true, quit = false;
	int code = CMD_OK;

	p->look.numbers = true;
	cmd_say("A number presses, 5=hello types, 7+ and 7- step; ? helps, q leaves.\n");
	while (code == CMD_OK && !quit) {
		struct sj_view *view = current(p);
		if (!view) {
			cmd_say("No surface is open.\n");
			return CMD_OK;
		}
		if (redraw || p->changed)
			code = draw(p, view);
		p->changed = redraw = false;
		cmd_print(cmd_session_due(&p->session) < INT64_MAX ? SJ_LIT("(Enter waits) > ") : SJ_LIT("> "));
		fflush(stdout);
		if (code != CMD_OK || !fgets(line, sizeof line, stdin))
			break;
		if (sj_engine_advance(p->session.engine, now_ms(p)) != SJ_OK)
			code = CMD_IO;
		if (line[0] == ':') {
			choose_surface(p, sj_slice(line, without_end(line)));
			redraw = true;
		} else if (without_end(line) == 0) {
			redraw = true;
			if (wait_for_agent(p) != SJ_OK)
				code = CMD_IO;
		} else if (code == CMD_OK) {
			code = one_command(p, view, sj_slice_of(line), &redraw, &quit);
			/* What came meanwhile is shown only now: the numbers that were typed are those of the last
			 * picture. */
			uint32_t waiting = p->session.later.count;
			if (code == CMD_OK && cmd_session_advance(&p->session, now_ms(p)) != SJ_OK)
				code = CMD_IO;
			redraw = redraw || p->session.later.count < waiting;
		}
	}
	if (!quit)
		cmd_print(SJ_LIT("\n"));
	return code;
}

int cmd_play_session(struct cmd_session *take, const struct cmd_args *args, struct sj_slice input, bool may_talk)
{
	struct player p = {.session = *take, .show_messages = cmd_has(args, CMD_OPT_SHOW_MESSAGES),
	                   .fixed_clock = cmd_has(args, CMD_OPT_NOW)};
	int code = CMD_OK;

	sj_text_picture_init(&p.picture, p.session.mem);
	p.session.event = on_event;
	p.session.ctx = &p;
	p.session.refuse_tools = true;
	if (!cmd_look(args, &p.look))
		code = CMD_USAGE;
	if (code == CMD_OK && !p.fixed_clock && sj_engine_advance(p.session.engine, clock_ms()) != SJ_OK)
		code = CMD_IO;
	if (code == CMD_OK)
		code = cmd_session_play(&p.session, input);
	bool talks = cmd_has(args, CMD_OPT_DIALOGUE) || (may_talk && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO));
	uint32_t faults = p.faults; /* of the file, not of what the person tried */
	if (code == CMD_OK)
		code = talks ? dialogue(&p) : draw_all(&p);
	if (code == CMD_OK && cmd_session_pump(&p.session) != SJ_OK)
		code = CMD_IO;
	sj_text_picture_finish(&p.picture);
	*take = p.session;
	return code == CMD_OK && faults > 0 ? CMD_INVALID : code;
}

int cmd_play(const struct cmd_args *args)
{
	struct sj_engine_config cfg;
	struct cmd_session s;
	struct sj_buf text;
	const char *record = args->value[CMD_OPT_RECORD];
	bool from_stdin = strcmp(args->rest[0], "-") == 0;

	if (!cmd_engine_config(args, &cfg))
		return CMD_USAGE;
	if (from_stdin && cmd_has(args, CMD_OPT_DIALOGUE)) {
		cmd_usage_error("play", "--dialogue reads standard input, so the messages must come from a file");
		return CMD_USAGE;
	}
	int code = cmd_session_open(&s, args->mem, &cfg);
	if (code != CMD_OK)
		return code;
	sj_buf_init(&text, args->mem, 0);
	code = cmd_session_catalogs(&s, args);
	if (code == CMD_OK && record)
		code = cmd_record_begin(&s, args, &cfg);
	if (code == CMD_OK)
		code = cmd_read(args->rest[0], &text);
	if (code == CMD_OK) {
		code = cmd_play_session(&s, args, sj_buf_view(&text), !from_stdin);
		int recorded = record && code != CMD_USAGE ? cmd_record_end(&s, record) : CMD_OK;
		code = recorded != CMD_OK ? recorded : code;
	}
	sj_buf_finish(&text);
	cmd_session_close(&s);
	return code;
}
