/* Icons, pictures and recordings as widgets: what they show, how large they are, and what they say when they cannot. */
#include <adwaita.h>
#include <stdlib.h>

#include "face/gtk/internal.h"
#include "face/gtk/picture.h"
#include "face/stage.h"

/* Eight by four pixels, grey. */
#define PNG                                                                                                            \
	"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAECAAAAACWpiEsAAAADklEQVR42mNogAIG"                      \
	"3AwAIDMQAd6dRA0AAAAASUVORK5CYII="
#define CUT "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAE"

struct screen {
	struct stage stage;
	GtkWidget *window;
	SjGtkSurface *surface;
};

static void entered(void *ctx) { stage_drain(ctx); }

static GBytes *resource(void *ctx, const char *address)
{
	(void)ctx;
	return strcmp(address, "film.webm") == 0 ? g_bytes_new_static("film", 4) : NULL;
}

static void settle(struct screen *s)
{
	gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
	for (int quiet = 0; quiet < 20 && g_get_monotonic_time() < end;) {
		while (g_main_context_iteration(NULL, FALSE))
			;
		g_usleep(3000);
		quiet = sj_gtk_surface_is_settled(s->surface) ? quiet + 1 : 0;
	}
	CHECK(sj_gtk_surface_is_settled(s->surface));
}

static void screen_begin(struct screen *s, const char *components)
{
	gtk_init();
	adw_init();
	stage_begin(&s->stage, components, NULL);
	struct sj_gtk_host host = {.entered = entered, .ctx = &s->stage, .decoder = getenv("SHOJI_DECODER"),
	                           .resource = resource};
	s->surface = SJ_GTK_SURFACE(sj_gtk_surface_new(s->stage.engine, s->stage.view, &host));
	s->window = gtk_window_new();
	gtk_window_set_decorated(GTK_WINDOW(s->window), FALSE);
	gtk_window_set_default_size(GTK_WINDOW(s->window), 424, 900);
	gtk_window_set_child(GTK_WINDOW(s->window), GTK_WIDGET(s->surface));
	gtk_window_present(GTK_WINDOW(s->window));
	settle(s);
}

static void screen_end(struct screen *s)
{
	sj_gtk_surface_close(s->surface);
	gtk_window_destroy(GTK_WINDOW(s->window));
	while (g_main_context_iteration(NULL, FALSE))
		;
	stage_end(&s->stage);
}

static GtkWidget *widget(struct screen *s, const char *id)
{
	sj_node_id n = sj_surface_find(sj_gtk_core(s->surface), sj_slice_of(id), NULL, 0);
	struct sj_gtk_node *node = n ? sj_gtk_find(s->surface, n) : NULL;
	CHECK(node != NULL);
	return node ? node->widget : GTK_WIDGET(s->surface);
}

static GtkWidget *of_type(GtkWidget *w, GType type)
{
	GtkWidget *found = G_TYPE_CHECK_INSTANCE_TYPE(w, type) ? w : NULL;
	for (GtkWidget *c = gtk_widget_get_first_child(w); c && !found; c = gtk_widget_get_next_sibling(c))
		found = of_type(c, type);
	return found;
}

static void check_size(struct screen *s, const char *id, int width, int height)
{
	GtkWidget *w = widget(s, id);
	CHECK_INT(gtk_widget_get_width(w), width);
	CHECK_INT(gtk_widget_get_height(w), height);
}

#define COLUMN(ids) "{\"id\":\"root\",\"component\":\"Column\",\"children\":[" ids "]}"
#define IMAGE(id, url, more) ",{\"id\":\"" id "\",\"component\":\"Image\",\"url\":\"" url "\"" more "}"
#define VARIANT(name) ",\"variant\":\"" name "\""

SJ_TEST(variants_have_their_sizes)
{
	struct screen s;
	screen_begin(&s, COLUMN("\"i\",\"a\",\"s\",\"m\",\"l\",\"h\"") IMAGE("i", PNG, VARIANT("icon"))
	                         IMAGE("a", PNG, VARIANT("avatar")) IMAGE("s", PNG, VARIANT("smallFeature"))
	                                 IMAGE("m", PNG, "") IMAGE("l", PNG, VARIANT("largeFeature"))
	                                         IMAGE("h", PNG, VARIANT("header")));
	check_size(&s, "i", 24, 24);
	check_size(&s, "a", 40, 40);
	check_size(&s, "s", 100, 100);
	check_size(&s, "m", 400, 200); /* the whole width, in the picture's shape */
	check_size(&s, "l", 400, 200);
	check_size(&s, "h", 400, 200);
	screen_end(&s);
}

SJ_TEST(without_a_picture_there_is_a_frame_that_says_why)
{
	struct screen s;
	screen_begin(
		&s,
		COLUMN("\"m\",\"h\",\"b\",\"r\"") IMAGE("m", "https://x.test/a.png", ",\"description\":\"A cat\"")
			IMAGE("h", "https://x.test/a.png", VARIANT("header"))
				IMAGE("b", CUT, "") ",{\"id\":\"r\",\"component\":\"Row\",\"children\":[\"x\"]}" IMAGE(
					"x", "", ""));
	check_size(&s, "m", 400, 150);
	check_size(&s, "h", 400, 200);
	check_size(&s, "x", 200, 150); /* in a row: its own width */
	CHECK_STR(sj_slice_of(sj_gtk_tip_of(widget(&s, "m"))),
	          "A cat\nPictures from elsewhere are not loaded.");
	CHECK_STR(sj_slice_of(sj_gtk_tip_of(widget(&s, "b"))), "The picture is broken.");
	CHECK(gtk_widget_has_css_class(widget(&s, "b"), "sj-blank"));
	screen_end(&s);
}

SJ_TEST(a_row_makes_pictures_smaller_before_it_overflows)
{
	struct screen s;
	screen_begin(&s, "{\"id\":\"root\",\"component\":\"Row\",\"children\":[\"a\",\"b\",\"c\"]}" IMAGE("a", PNG, "")
	                         IMAGE("b", PNG, "") IMAGE("c", PNG, ""));
	int sum = 0;
	static const char *const ids[] = {"a", "b", "c"};
	for (int i = 0; i < 3; i++) {
		GtkWidget *w = widget(&s, ids[i]);
		sum += gtk_widget_get_width(w);
		CHECK(gtk_widget_get_width(w) >= 120 && gtk_widget_get_width(w) < 200);
		CHECK_INT(gtk_widget_get_height(w), (gtk_widget_get_width(w) + 1) / 2);
	}
	CHECK_INT(sum, 424 - 16 - 3 * 8);
	screen_end(&s);
}

SJ_TEST(an_icon_that_cannot_be_drawn_says_why)
{
	struct screen s;
	screen_begin(&s, COLUMN("\"a\",\"b\",\"c\"") ",{\"id\":\"a\",\"component\":\"Icon\",\"name\":\"shoppingCart\"}"
	                                             ",{\"id\":\"b\",\"component\":\"Icon\",\"name\":{\"svgPath\":\"M2 2h9v9z\"}}"
	                                             ",{\"id\":\"c\",\"component\":\"Icon\",\"name\":{\"svgPath\":\"M2 2h9v9x\"}}");
	check_size(&s, "a", 24, 24);
	CHECK(sj_gtk_tip_of(widget(&s, "a")) == NULL);
	CHECK(sj_gtk_tip_of(widget(&s, "b")) == NULL);
	CHECK_STR(sj_slice_of(sj_gtk_tip_of(widget(&s, "c"))), "The path has no command at byte 8.");
	screen_end(&s);
}

#define FILM(id, url) ",{\"id\":\"" id "\",\"component\":\"Video\",\"url\":\"" url "\",\"posterUrl\":\"" PNG "\"}"

/* A back end that only says that there is one. */
typedef GtkMediaFile FakeMedia;
typedef GtkMediaFileClass FakeMediaClass;
GType fake_media_get_type(void);
G_DEFINE_TYPE(FakeMedia, fake_media, GTK_TYPE_MEDIA_FILE)
static void fake_media_class_init(FakeMediaClass *c) { (void)c; }
static void fake_media_init(FakeMedia *m) { (void)m; }

SJ_TEST(recordings_are_played_where_that_is_possible_and_else_told_of)
{
	struct screen s;
	screen_begin(&s, COLUMN("\"a\",\"b\"") FILM("a", "https://x.test/film.mp4") FILM("b", "film.webm"));
	CHECK(!of_type(widget(&s, "a"), GTK_TYPE_VIDEO) && !of_type(widget(&s, "b"), GTK_TYPE_VIDEO));
	GtkWidget *poster = of_type(widget(&s, "a"), SJ_GTK_TYPE_PICTURE);
	CHECK(poster && gtk_widget_get_visible(poster) && gtk_widget_get_height(poster) == 200);
	screen_end(&s);

	g_io_extension_point_implement(GTK_MEDIA_FILE_EXTENSION_POINT_NAME, fake_media_get_type(), "fake", 10);
	screen_begin(&s, COLUMN("\"a\",\"b\"") FILM("a", "https://x.test/film.mp4") FILM("b", "film.webm"));
	CHECK(!of_type(widget(&s, "a"), GTK_TYPE_VIDEO));
	CHECK(of_type(widget(&s, "b"), GTK_TYPE_VIDEO) != NULL);
	screen_end(&s);
}
