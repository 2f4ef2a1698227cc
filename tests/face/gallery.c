/* Pictures of the official examples: each at two widths, light and dark, compared with the ones in the repository.
 *
 * SHOJI_GALLERY is the folder of the references; what differs is written to SHOJI_GALLERY_OUT. With
 * SHOJI_GALLERY_WRITE set the references are made anew (tools/gallery).
 *
 * The versions of one example share a picture, NAME-WIDTH-MODE.png; a version that looks otherwise has one of its own,
 * NAME.VERSION-WIDTH-MODE.png.
 */
#include <adwaita.h>

#include "face/gtk/gtk.h"
#include "harness/test.h"

#define TALLEST 4000
#define CHANNEL 40       /* of 255: a smaller difference is another rasteriser, not another picture */
#define MOST_DIFFERENT 0.01 /* of all pixels */

static const char *const FOLDERS[] = {"v0_9/catalogs/basic/examples", "v0_9/catalogs/minimal/examples",
                                      "v0_9_1/catalogs/basic/examples", "v1_0/catalogs/basic/examples",
                                      "v0_8/json/catalogs/basic/examples", "v0_8/json/catalogs/minimal/examples"};
static const int WIDTHS[] = {390, 800};

struct run {
	const char *references, *out;
	bool writes;
};

static void spin(void)
{
	while (g_main_context_iteration(NULL, FALSE))
		;
}

static void drain(void *ctx)
{
	struct sj_event ev;
	while (sj_engine_next(ctx, &ev) == SJ_OK)
		;
}

static GdkTexture *draw(struct sj_slice json, int width)
{
	struct sj_engine_config cfg = {.size = sizeof cfg, .lazy_rows = true};
	struct sj_engine *e;
	uint32_t peer;
	GdkTexture *texture = NULL;

	CHECK_OK(sj_engine_create(&cfg, &e));
	CHECK_OK(sj_engine_peer_open(e, SJ_LIT("gallery"), &peer));
	CHECK_OK(sj_engine_feed(e, peer, json.ptr, json.len));
	CHECK_OK(sj_engine_feed_end(e, peer));
	drain(e);
	CHECK(sj_engine_view_count(e) > 0);
	if (sj_engine_view_count(e) > 0) {
		struct sj_gtk_host host = {.entered = drain, .ctx = e};
		GtkWidget *surface = sj_gtk_surface_new(e, sj_engine_view_at(e, 0), &host), *window = gtk_window_new();
		sj_gtk_surface_finish_now(SJ_GTK_SURFACE(surface), TALLEST);
		gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
		gtk_window_set_child(GTK_WINDOW(window), surface);
		gtk_window_set_default_size(GTK_WINDOW(window), width,
		                            CLAMP(sj_gtk_surface_height(SJ_GTK_SURFACE(surface), width), 40, TALLEST));
		gtk_window_present(GTK_WINDOW(window));
		gtk_window_set_focus(GTK_WINDOW(window), NULL);
		gint64 end = g_get_monotonic_time() + 10 * G_USEC_PER_SEC;
		for (int quiet = 0; quiet < 3 && g_get_monotonic_time() < end;) {
			g_usleep(5000);
			spin();
			bool ready =
				gtk_widget_get_width(window) > 0 && sj_gtk_surface_is_settled(SJ_GTK_SURFACE(surface));
			quiet = ready ? quiet + 1 : 0;
		}
		GdkPaintable *p = gtk_widget_paintable_new(window);
		GtkSnapshot *snapshot = gtk_snapshot_new();
		int w = gtk_widget_get_width(window), h = gtk_widget_get_height(window);
		gdk_paintable_snapshot(p, GDK_SNAPSHOT(snapshot), w, h);
		GskRenderNode *node = gtk_snapshot_free_to_node(snapshot);
		graphene_rect_t area = GRAPHENE_RECT_INIT(0, 0, (float)w, (float)h);
		if (node)
			texture = gsk_renderer_render_texture(gtk_native_get_renderer(GTK_NATIVE(window)), node, &area);
		g_clear_pointer(&node, gsk_render_node_unref);
		g_object_unref(p);
		gtk_window_destroy(GTK_WINDOW(window));
		spin();
	}
	sj_engine_destroy(e);
	return texture;
}

/* The part of the pixels that differ; 1 when the sizes do. */
static double difference(GdkTexture *a, GdkTexture *b)
{
	int w = gdk_texture_get_width(a), h = gdk_texture_get_height(a);
	if (w != gdk_texture_get_width(b) || h != gdk_texture_get_height(b))
		return 1;
	size_t bytes = (size_t)w * (size_t)h * 4, different = 0;
	guchar *x = g_malloc(bytes), *y = g_malloc(bytes);
	gdk_texture_download(a, x, (size_t)w * 4);
	gdk_texture_download(b, y, (size_t)w * 4);
	for (size_t i = 0; i < bytes; i += 4) {
		int most = 0;
		for (size_t c = 0; c < 4; c++)
			most = MAX(most, abs(x[i + c] - y[i + c]));
		different += most > CHANNEL;
	}
	g_free(x);
	g_free(y);
	return (double)different / ((double)w * h);
}

static GdkTexture *load(const char *folder, const char *name)
{
	char *path = g_build_filename(folder, name, NULL);
	GdkTexture *t = gdk_texture_new_from_filename(path, NULL);
	g_free(path);
	return t;
}

static void save(GdkTexture *t, const char *folder, const char *name)
{
	char *path = g_build_filename(folder, name, NULL);
	CHECK(gdk_texture_save_to_png(t, path));
	g_free(path);
}

static void one(const struct run *r, GdkTexture *now, const char *shared, const char *own)
{
	GdkTexture *special = load(r->references, own), *common = special ? NULL : load(r->references, shared);
	GdkTexture *was = special ? special : common;
	double d = was ? difference(now, was) : 1;
	if (d > MOST_DIFFERENT && r->writes) {
		save(now, r->references, common ? own : shared);
	} else if (d > MOST_DIFFERENT) {
		save(now, r->out, own);
		sj_fail_at(__FILE__, __LINE__, "%s: %s (look at %s/%s)", was == special ? own : shared,
		           !was ? "there is no such reference" : "it looks otherwise", r->out, own);
	}
	g_clear_object(&special);
	g_clear_object(&common);
}

static void example(const struct run *r, const char *folder, const char *file)
{
	char *path = g_build_filename("a2ui/specification", folder, file, NULL),
	     *name = g_strndup(file, strlen(file) - 5);
	char *version = g_strndup(folder, (size_t)(strchr(folder, '/') - folder));
	struct sj_slice json = sj_slurp(sj_data(path));
	sj_case("%s/%s", version, name);
	for (int dark = 0; dark <= 1; dark++)
		for (size_t i = 0; i < G_N_ELEMENTS(WIDTHS); i++) {
			const char *mode = dark ? "dark" : "light";
			adw_style_manager_set_color_scheme(adw_style_manager_get_default(),
			                                   dark ? ADW_COLOR_SCHEME_FORCE_DARK
			                                        : ADW_COLOR_SCHEME_FORCE_LIGHT);
			GdkTexture *now = draw(json, WIDTHS[i]);
			char *shared = g_strdup_printf("%s-%d-%s.png", name, WIDTHS[i], mode);
			char *own = g_strdup_printf("%s.%s-%d-%s.png", name, version, WIDTHS[i], mode);
			CHECK(now != NULL);
			if (now)
				one(r, now, shared, own);
			g_clear_object(&now);
			g_free(shared);
			g_free(own);
		}
	sj_case_end();
	g_free(version);
	g_free(name);
	g_free(path);
}

static bool has_font(const char *name)
{
	PangoFontMap *map = pango_cairo_font_map_get_default();
	PangoFontFamily *family = pango_font_map_get_family(map, name);
	return family && g_ascii_strcasecmp(pango_font_family_get_name(family), name) == 0;
}

SJ_TEST(gallery)
{
	struct run r = {g_getenv("SHOJI_GALLERY"), g_getenv("SHOJI_GALLERY_OUT"),
	                g_getenv("SHOJI_GALLERY_WRITE") != NULL};
	if (!sj_data("a2ui/specification")) {
		sj_skip("the public examples are not here");
		return;
	}
	gtk_init();
	adw_init();
	if (!has_font("Cantarell")) {
		sj_skip("the font of the references, Cantarell, is not installed");
		return;
	}
	g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, "gtk-cursor-blink", FALSE,
	             "gtk-font-name", "Cantarell 11", "gtk-xft-dpi", 96 * 1024, "gtk-xft-antialias", 1,
	             "gtk-xft-hinting", 1, "gtk-xft-hintstyle", "hintslight", "gtk-xft-rgba", "none",
	             "gtk-icon-theme-name", "Adwaita", NULL);
	g_mkdir_with_parents(r.writes ? r.references : r.out, 0755);
	for (size_t i = 0; i < G_N_ELEMENTS(FOLDERS); i++) {
		char **files = NULL, *folder = g_build_filename("a2ui/specification", FOLDERS[i], NULL);
		size_t count = sj_list_dir(sj_data(folder), ".json", &files);
		for (size_t k = 0; k < count; k++)
			example(&r, FOLDERS[i], files[k]);
		g_free(folder);
	}
}
