/* `shoji open`: the surfaces in a window; what the person does goes out as JSON lines, what the agent says comes in as
 * such.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <glib-unix.h>

#include "app/app.h"
#include "app/beside.h"
#include "app/views.h"

struct opened {
	struct cmd_session session;
	struct app_views views;
	GMainLoop *loop;
	GtkWidget *window;
	const struct cmd_args *args;
	char *folder; /* of FILE; NULL: none */
	guint timer, input;
	bool pumping, again, had_some, over, lost; /* lost: nobody reads what we write */
};

/* ---- out --------------------------------------------------------------------------------------------------------- */

static void print_line(struct opened *o, const char *before, struct sj_slice json, const char *after)
{
	if (fputs(before, stdout) < 0 || fwrite(json.ptr ? json.ptr : "", 1, json.len, stdout) != json.len ||
	    fputs(after, stdout) < 0 || fputc('\n', stdout) == EOF || fflush(stdout) != 0)
		o->lost = true;
}

static void on_event(void *ctx, const struct sj_event *ev)
{
	struct opened *o = ctx;
	switch (ev->kind) {
	case SJ_EV_SEND:
		print_line(o, "", ev->json, "");
		if (ev->metadata.len > 0)
			print_line(o, "{\"metadata\":", ev->metadata, "}");
		return;
	case SJ_EV_SURFACE_GONE:
		app_views_gone(&o->views, ev);
		return;
	case SJ_EV_DIAG:
		cmd_say("Message %u: %s: %s%s%s\n", ev->message, sj_code_name(ev->diag->code), ev->diag->message,
		        ev->diag->pointer[0] ? " at " : "", ev->diag->pointer);
		return;
	case SJ_EV_TOOL_WANTED:
	case SJ_EV_CALL_WANTED:
	case SJ_EV_SURFACE_NEW:
	case SJ_EV_SURFACE_CHANGED:
	case SJ_EV_CALL_GONE:
	case SJ_EV_CALL_DONE:
		return;
	}
}

static void finish(struct opened *o, const char *who)
{
	if (o->over)
		return;
	o->over = true;
	print_line(o, "{\"closed\":\"", sj_slice_of(who), "\"}");
	g_main_loop_quit(o->loop);
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

static void arm(struct opened *o);

static void pump(struct opened *o)
{
	if (o->pumping || o->over) {
		o->again = true;
		return;
	}
	o->pumping = true;
	do {
		o->again = false;
		cmd_session_pump(&o->session);
	} while (o->again);
	o->pumping = false;
	uint32_t count = app_views_sync(&o->views);
	o->had_some = o->had_some || count > 0;
	if (o->had_some && count == 0)
		finish(o, "agent");
	else if (o->lost)
		g_main_loop_quit(o->loop);
	else
		arm(o);
}

static void entered(void *ctx)
{
	struct opened *o = ctx;
	if (o->over)
		return;
	sj_engine_advance(o->session.engine, app_now_ms(o->args));
	pump(o);
}

static gboolean on_due(gpointer data)
{
	struct opened *o = data;
	o->timer = 0;
	cmd_session_advance(&o->session, app_now_ms(o->args));
	pump(o);
	return G_SOURCE_REMOVE;
}

static void arm(struct opened *o)
{
	int64_t due = cmd_session_due(&o->session);
	g_clear_handle_id(&o->timer, g_source_remove);
	if (due != INT64_MAX)
		o->timer = g_timeout_add((guint)CLAMP(due - app_now_ms(o->args), 0, 3600000), on_due, o);
}

/* ---- in ---------------------------------------------------------------------------------------------------------- */

static gboolean on_input(gint fd, GIOCondition condition, gpointer data)
{
	struct opened *o = data;
	char bytes[65536];
	(void)condition;
	ssize_t n = read(fd, bytes, sizeof bytes);
	if (n < 0)
		return G_SOURCE_CONTINUE; /* nothing there after all */
	if (n == 0) {
		o->input = 0;
		sj_engine_feed_end(o->session.engine, o->session.peer);
		pump(o);
		return G_SOURCE_REMOVE;
	}
	sj_engine_advance(o->session.engine, app_now_ms(o->args));
	if (sj_engine_feed(o->session.engine, o->session.peer, bytes, (size_t)n) != SJ_OK)
		cmd_say("shoji: out of memory\n");
	pump(o);
	return G_SOURCE_CONTINUE;
}

static GBytes *resource(void *ctx, const char *address)
{
	struct opened *o = ctx;
	return o->folder ? app_beside(o->folder, address) : NULL;
}

static gboolean on_close(GtkWindow *w, gpointer data)
{
	(void)w;
	finish(data, "person");
	return GDK_EVENT_STOP; /* it is destroyed after the loop */
}

static void show(struct opened *o)
{
	int width = 480, height = 640;
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
	app_number(o->args, CMD_OPT_WIDTH, 320, 4000, &width);
	app_number(o->args, CMD_OPT_HEIGHT, 200, 4000, &height);
	bool piped = strcmp(o->args->rest[0], "-") == 0;
	char *name = piped ? g_strdup(_("a program")) : g_path_get_basename(o->args->rest[0]);
	GtkWidget *scroller = app_views_init(&o->views, &o->session, name, entered, o);
	o->folder = piped ? NULL : g_path_get_dirname(o->args->rest[0]);
	o->views.resource = resource;
	gtk_widget_set_vexpand(scroller, TRUE);
	o->window = adw_window_new();
	gtk_box_append(GTK_BOX(box), adw_header_bar_new());
	gtk_box_append(GTK_BOX(box), scroller);
	adw_window_set_content(ADW_WINDOW(o->window), box);
	gtk_window_set_title(GTK_WINDOW(o->window), name);
	gtk_window_set_default_size(GTK_WINDOW(o->window), width, height);
	g_signal_connect(o->window, "close-request", G_CALLBACK(on_close), o);
	app_style_init(gtk_widget_get_display(o->window));
	g_free(name);
}

int app_open(const struct cmd_args *args)
{
	struct opened o = {.args = args};
	struct sj_buf text;
	int unused;
	if (!app_number(args, CMD_OPT_WIDTH, 320, 4000, &unused) ||
	    !app_number(args, CMD_OPT_HEIGHT, 200, 4000, &unused))
		return CMD_USAGE;
	int code = app_session(args, &o.session, &text);
	if (code != CMD_OK)
		return code;
	o.session.event = on_event;
	o.session.ctx = &o;
	o.session.refuse_tools = true;
	const char *x = g_getenv("DISPLAY"), *wayland = g_getenv("WAYLAND_DISPLAY"), *backend = g_getenv("GDK_BACKEND");
	if (!(x && *x) && !(wayland && *wayland) && !(backend && strcmp(backend, "broadway") == 0)) {
		cmd_say("shoji: there is no display to open a window on; `shoji play` talks in the terminal, `shoji shot` draws a\n"
		        "picture, `./run --browser` shows the app in a browser.\n");
		code = CMD_IO;
	} else if (!gtk_init_check()) {
		cmd_say("shoji: the display cannot be used.\n");
		code = CMD_IO;
	}
	if (code == CMD_OK) {
		app_words_init();
		adw_init();
		if (cmd_has(args, CMD_OPT_DARK))
			adw_style_manager_set_color_scheme(adw_style_manager_get_default(),
			                                   ADW_COLOR_SCHEME_FORCE_DARK);
		sj_engine_advance(o.session.engine, app_now_ms(args));
		o.loop = g_main_loop_new(NULL, FALSE);
		show(&o);
		o.pumping = true;
		code = cmd_session_play(&o.session, sj_buf_view(&text));
		o.pumping = false;
		pump(&o);
		gtk_window_present(GTK_WINDOW(o.window));
		/* A terminal is the person's, not the agent's. */
		if (strcmp(args->rest[0], "-") == 0 || !isatty(STDIN_FILENO)) {
			g_unix_set_fd_nonblocking(STDIN_FILENO, TRUE, NULL);
			o.input = g_unix_fd_add(STDIN_FILENO, G_IO_IN | G_IO_HUP, on_input, &o);
		}
		if (!o.over)
			g_main_loop_run(o.loop);
		o.over = true;
		g_clear_handle_id(&o.input, g_source_remove);
		g_clear_handle_id(&o.timer, g_source_remove);
		app_views_finish(&o.views);
		gtk_window_destroy(GTK_WINDOW(o.window));
		g_main_loop_unref(o.loop);
		g_free(o.folder);
		if (o.lost)
			code = CMD_IO;
	}
	sj_buf_finish(&text);
	cmd_session_close(&o.session);
	return code;
}
