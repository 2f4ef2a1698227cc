/* `shoji shot`: a surface as a picture, drawn by the GTK face in a window nobody sees. */
#include "app/app.h"
#include "app/beside.h"
#include "app/widgets.h"
#include "base/num.h"

#define TALLEST 4000

struct shot {
	struct cmd_session session;
	GtkWidget *window, *surface;
	const char *out;
	char *folder; /* of the file; NULL: standard input */
	int width, height, percent;
	bool done, failed;
	guint quiet; /* frames in a row without work */
};

static void entered(void *ctx) { cmd_session_pump(&((struct shot *)ctx)->session); }

static GBytes *resource(void *ctx, const char *address)
{
	const struct shot *s = ctx;
	return s->folder ? app_beside(s->folder, address) : NULL;
}

static void on_event(void *ctx, const struct sj_event *ev)
{
	(void)ctx;
	if (ev->kind == SJ_EV_DIAG && ev->diag->severity == SJ_SEV_ERROR)
		cmd_say("Message %u: %s: %s\n", ev->message, sj_code_name(ev->diag->code), ev->diag->message);
}

static void save(struct shot *s)
{
	GdkPaintable *p = gtk_widget_paintable_new(s->window);
	GtkSnapshot *snapshot = gtk_snapshot_new();
	int w = gtk_widget_get_width(s->window), h = gtk_widget_get_height(s->window);
	gdk_paintable_snapshot(p, GDK_SNAPSHOT(snapshot), w, h);
	GskRenderNode *node = gtk_snapshot_free_to_node(snapshot);
	graphene_rect_t area = GRAPHENE_RECT_INIT(0, 0, (float)w, (float)h);
	GskRenderer *r = gtk_native_get_renderer(GTK_NATIVE(s->window));
	GdkTexture *t = node ? gsk_renderer_render_texture(r, node, &area) : NULL;
	s->failed = !t || !gdk_texture_save_to_png(t, s->out);
	g_clear_object(&t);
	g_clear_pointer(&node, gsk_render_node_unref);
	g_object_unref(p);
}

/* Three frames in a row without work: what is drawn is whole. */
static gboolean on_tick(GtkWidget *w, GdkFrameClock *clock, gpointer data)
{
	struct shot *s = data;
	(void)w;
	(void)clock;
	s->quiet = sj_gtk_surface_is_settled(SJ_GTK_SURFACE(s->surface)) ? s->quiet + 1 : 0;
	if (s->quiet < 3)
		return G_SOURCE_CONTINUE;
	save(s);
	s->done = true;
	return G_SOURCE_REMOVE;
}

/* The same picture whatever the desktop's own settings are. */
static void settle_look(const struct cmd_args *args, int percent)
{
	adw_init();
	g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, "gtk-cursor-blink", FALSE,
	             "gtk-font-name", "Cantarell 11", "gtk-xft-dpi", 96 * 1024 / 100 * percent, "gtk-xft-antialias", 1,
	             "gtk-xft-hinting", 1, "gtk-xft-hintstyle", "hintslight", "gtk-xft-rgba", "none",
	             "gtk-icon-theme-name", "Adwaita", NULL);
	adw_style_manager_set_color_scheme(adw_style_manager_get_default(), cmd_has(args, CMD_OPT_DARK)
	                                                                            ? ADW_COLOR_SCHEME_FORCE_DARK
	                                                                            : ADW_COLOR_SCHEME_FORCE_LIGHT);
	if (cmd_has(args, CMD_OPT_RTL))
		gtk_widget_set_default_direction(GTK_TEXT_DIR_RTL);
}

static int draw(struct shot *s, struct sj_view *view)
{
	struct sj_gtk_host host = {.entered = entered, .resource = resource, .ctx = s};
	app_widgets(&host);
	s->window = gtk_window_new();
	gtk_window_set_decorated(GTK_WINDOW(s->window), FALSE);
	s->surface = sj_gtk_surface_new(s->session.engine, view, &host);
	gtk_window_set_child(GTK_WINDOW(s->window), s->surface);
	sj_gtk_surface_finish_now(SJ_GTK_SURFACE(s->surface), s->height > 0 ? s->height : TALLEST);
	if (s->height <= 0)
		s->height = CLAMP(sj_gtk_surface_height(SJ_GTK_SURFACE(s->surface), s->width), 40, TALLEST);
	gtk_window_set_default_size(GTK_WINDOW(s->window), s->width, s->height);
	gtk_widget_add_tick_callback(s->window, on_tick, s, NULL);
	gtk_window_present(GTK_WINDOW(s->window));
	gtk_window_set_focus(GTK_WINDOW(s->window), NULL); /* no caret, no ring */
	while (!s->done)
		g_main_context_iteration(NULL, TRUE);
	sj_gtk_surface_close(SJ_GTK_SURFACE(s->surface));
	gtk_window_destroy(GTK_WINDOW(s->window));
	if (s->failed)
		cmd_say("shoji: %s cannot be written\n", s->out);
	return s->failed ? CMD_IO : CMD_OK;
}

int app_shot(const struct cmd_args *args)
{
	struct shot s = {.out = cmd_has(args, CMD_OPT_OUTPUT) ? args->value[CMD_OPT_OUTPUT] : "out.png", .width = 390,
	                 .percent = 100};
	struct sj_buf text;
	if (!app_number(args, CMD_OPT_WIDTH, 100, 4000, &s.width) ||
	    !app_number(args, CMD_OPT_HEIGHT, 40, TALLEST, &s.height) ||
	    !app_number(args, CMD_OPT_TEXT_SIZE, 50, 400, &s.percent))
		return CMD_USAGE;
	int code = app_session(args, &s.session, &text);
	if (code != CMD_OK)
		return code;
	s.session.event = on_event;
	s.session.refuse_tools = true;
	if (strcmp(args->rest[0], "-") == 0)
		code = cmd_read("-", &text);
	if (code == CMD_OK)
		code = cmd_session_play(&s.session, sj_buf_view(&text));
	const char *id = args->value[CMD_OPT_SURFACE];
	uint32_t count = sj_engine_view_count(s.session.engine);
	struct sj_view *view = id        ? sj_engine_view(s.session.engine, UINT32_MAX, sj_slice_of(id))
	                       : count > 0 ? sj_engine_view_at(s.session.engine, count - 1)
	                                   : NULL;
	if (code == CMD_OK && !view) {
		cmd_say(id ? "shoji: there is no surface %s\n" : "No surface was created.\n", id);
		code = CMD_INVALID;
	}
	g_setenv("GSK_RENDERER", "cairo", FALSE);
	g_setenv("GTK_A11Y", "none", TRUE);
	g_setenv("GSETTINGS_BACKEND", "memory", TRUE);
	if (code == CMD_OK && !app_display())
		code = CMD_IO;
	if (code == CMD_OK) {
		settle_look(args, s.percent);
		s.folder = strcmp(args->rest[0], "-") == 0 ? NULL : g_path_get_dirname(args->rest[0]);
		code = draw(&s, view);
	}
	g_free(s.folder);
	sj_buf_finish(&text);
	cmd_session_close(&s.session);
	return code;
}
