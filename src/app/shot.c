/* `shoji shot`: a surface as a picture, drawn by the GTK face in a window nobody sees. */
#include "app/app.h"

#include <stdlib.h>

#include "face/gtk/gtk.h"

#define TALLEST 4000

struct shot {
	struct cmd_session session;
	GtkWidget *window, *surface;
	GMainLoop *loop;
	const char *out;
	int width, height;
	bool done, failed;
	guint frames;
};

static void entered(void *ctx) { cmd_session_pump(&((struct shot *)ctx)->session); }

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

/* Two frames in a row without work: what is drawn is whole. */
static gboolean on_tick(GtkWidget *w, GdkFrameClock *clock, gpointer data)
{
	struct shot *s = data;
	(void)w;
	(void)clock;
	s->frames = sj_gtk_surface_is_settled(SJ_GTK_SURFACE(s->surface)) ? s->frames + 1 : 0;
	if (s->frames < 3)
		return G_SOURCE_CONTINUE;
	save(s);
	s->done = true;
	return G_SOURCE_REMOVE;
}

int app_shot(const struct app_shot *o, struct cmd_session *take, struct sj_slice text)
{
	struct shot s = {.session = *take, .out = o->out, .width = o->width, .height = o->height};
	int code = cmd_session_play(&s.session, text);
	uint32_t count = sj_engine_view_count(s.session.engine);

	if (code == CMD_OK && count == 0) {
		cmd_say("No surface was created.\n");
		code = CMD_INVALID;
	}
	if (code == CMD_OK) {
		struct sj_gtk_host host = {.entered = entered, .ctx = &s};
		struct sj_view *view = sj_engine_view_at(s.session.engine, count - 1);
		adw_init();
		g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, NULL);
		adw_style_manager_set_color_scheme(adw_style_manager_get_default(),
		                                   o->dark ? ADW_COLOR_SCHEME_FORCE_DARK
		                                           : ADW_COLOR_SCHEME_FORCE_LIGHT);
		s.window = gtk_window_new();
		gtk_window_set_decorated(GTK_WINDOW(s.window), FALSE);
		s.surface = sj_gtk_surface_new(s.session.engine, view, &host);
		gtk_window_set_child(GTK_WINDOW(s.window), s.surface);
		sj_gtk_surface_finish_now(SJ_GTK_SURFACE(s.surface), s.height > 0 ? s.height : TALLEST);
		if (s.height <= 0) {
			s.height = CLAMP(sj_gtk_surface_height(SJ_GTK_SURFACE(s.surface), s.width), 40, TALLEST);
		}
		gtk_window_set_default_size(GTK_WINDOW(s.window), s.width, s.height);
		gtk_widget_add_tick_callback(s.window, on_tick, &s, NULL);
		gtk_window_present(GTK_WINDOW(s.window));
		while (!s.done)
			g_main_context_iteration(NULL, TRUE);
		gtk_window_destroy(GTK_WINDOW(s.window));
		code = s.failed ? CMD_IO : CMD_OK;
		if (s.failed)
			cmd_say("%s could not be written.\n", s.out);
	}
	*take = s.session;
	return code;
}
