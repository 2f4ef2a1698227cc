/* The GTK face, in one process: places and sizes, what is made and what is not, and that typing is never torn. */
#include <adwaita.h>

#include "face/gtk/gtk.h"
#include "face/gtk/internal.h"
#include "face/stage.h"

struct screen {
	struct stage stage;
	GtkWidget *window;
	SjGtkSurface *surface;
};

static void entered(void *ctx) { stage_drain(ctx); }

static void spin(int ms)
{
	for (gint64 end = g_get_monotonic_time() + ms * 1000; g_get_monotonic_time() < end;)
		if (!g_main_context_iteration(NULL, FALSE))
			g_usleep(500);
}

/* ---- components of the app's own --------------------------------------------------------------------------------- */

static int slow_us;

static void own_build(struct sj_gtk_node *n) { n->widget = gtk_label_new(NULL); }

static void own_update(struct sj_gtk_node *n, uint64_t mask)
{
	char *text = sj_gtk_line(n, SJ_P_DESCRIPTION), *words = g_strdup_printf("own: %s", text);
	(void)mask;
	g_usleep((gulong)slow_us);
	gtk_label_set_text(GTK_LABEL(n->widget), words);
	g_free(words);
	g_free(text);
}

static const struct sj_gtk_class OWN_CLASS = {.build = own_build, .update = own_update};
static const struct sj_gtk_named OWN[] = {{"AudioPlayer", &OWN_CLASS}};

/* ---- a screen ---------------------------------------------------------------------------------------------------- */

/* Until nothing waits to be drawn, and three frames more. */
static void settle(struct screen *s)
{
	gint64 end = g_get_monotonic_time() + 10 * G_USEC_PER_SEC;
	for (int quiet = 0; quiet < 3 && g_get_monotonic_time() < end;) {
		spin(20);
		quiet = sj_gtk_surface_is_settled(s->surface) ? quiet + 1 : 0;
	}
	CHECK(sj_gtk_surface_is_settled(s->surface));
}

static void screen_begin(struct screen *s, const char *components, const char *model)
{
	gtk_init();
	adw_init();
	g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING | G_LOG_LEVEL_ERROR);
	g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, NULL);
	stage_begin(&s->stage, components, model);
	struct sj_gtk_host host = {.entered = entered, .ctx = &s->stage, .widgets = OWN, .nwidgets = G_N_ELEMENTS(OWN)};
	s->surface = SJ_GTK_SURFACE(sj_gtk_surface_new(s->stage.engine, s->stage.view, &host));
	s->window = gtk_window_new();
	gtk_window_set_decorated(GTK_WINDOW(s->window), FALSE);
	gtk_window_set_default_size(GTK_WINDOW(s->window), 416, 600);
	gtk_window_set_child(GTK_WINDOW(s->window), GTK_WIDGET(s->surface));
	gtk_window_present(GTK_WINDOW(s->window));
	settle(s);
}

static void screen_end(struct screen *s)
{
	sj_gtk_surface_close(s->surface);
	gtk_window_destroy(GTK_WINDOW(s->window));
	spin(20);
	stage_end(&s->stage);
}

static void feed(struct screen *s, const char *json)
{
	stage_feed(&s->stage, json);
	sj_gtk_surface_refresh(s->surface);
	settle(s);
}

#define UPDATE(inside) "{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[" inside "]}}"
#define DATA(path, value)                                                                                              \
	"{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"" path "\",\"value\":" value "}}"

static struct sj_gtk_node *at(struct screen *s, const char *id, const uint32_t *rows, uint32_t nrows)
{
	sj_node_id n = sj_surface_find(sj_gtk_core(s->surface), sj_slice_of(id), rows, nrows);
	return n ? sj_gtk_find(s->surface, n) : NULL;
}

static GtkWidget *widget(struct screen *s, const char *id)
{
	struct sj_gtk_node *n = at(s, id, NULL, 0);
	CHECK(n != NULL);
	return n ? n->widget : GTK_WIDGET(s->surface);
}

static GtkWidget *of_type(GtkWidget *w, GType type)
{
	if (G_TYPE_CHECK_INSTANCE_TYPE(w, type))
		return w;
	GtkWidget *found = NULL;
	for (GtkWidget *c = gtk_widget_get_first_child(w); c && !found; c = gtk_widget_get_next_sibling(c))
		found = of_type(c, type);
	return found;
}

static graphene_rect_t bounds(struct screen *s, GtkWidget *w)
{
	graphene_rect_t r = {{0, 0}, {0, 0}};
	CHECK(gtk_widget_compute_bounds(w, GTK_WIDGET(s->surface), &r));
	return r;
}

static uint32_t widgets(GtkWidget *w)
{
	uint32_t n = 1;
	for (GtkWidget *c = gtk_widget_get_first_child(w); c; c = gtk_widget_get_next_sibling(c))
		n += widgets(c);
	return n;
}

static GtkAdjustment *scroll(struct screen *s)
{
	GtkAdjustment *a;
	g_object_get(of_type(GTK_WIDGET(s->surface), SJ_GTK_TYPE_VIEWPORT), "vadjustment", &a, NULL);
	g_object_unref(a); /* the viewport holds it */
	return a;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* 416 wide, 8 of padding on each side: 400 for the root; leaves keep 4 around them. */
SJ_TEST(weights_share_what_is_left)
{
	struct screen s;
	screen_begin(&s, "{\"id\":\"root\",\"component\":\"Row\",\"children\":[\"a\",\"b\",\"c\"]},"
	             "{\"id\":\"a\",\"component\":\"Column\",\"weight\":1,\"children\":[\"ta\"]},"
	             "{\"id\":\"b\",\"component\":\"Column\",\"weight\":3,\"children\":[\"tb\"]},"
	             "{\"id\":\"c\",\"component\":\"Column\",\"weight\":1,\"children\":[\"tc\"]},"
	             "{\"id\":\"ta\",\"component\":\"Text\",\"text\":\"a\"},{\"id\":\"tb\",\"component\":\"Text\",\"text\":\"b\"},"
	             "{\"id\":\"tc\",\"component\":\"Text\",\"text\":\"c\"}", NULL);
	graphene_rect_t a = bounds(&s, widget(&s, "a")), b = bounds(&s, widget(&s, "b")),
			c = bounds(&s, widget(&s, "c"));
	CHECK_INT(a.origin.x, 8);
	CHECK_INT(a.size.width, 80);
	CHECK_INT(b.origin.x, 88);
	CHECK_INT(b.size.width, 240);
	CHECK_INT(c.origin.x, 328);
	CHECK_INT(c.size.width, 80);
	screen_end(&s);
}

SJ_TEST(neighbours_are_eight_apart)
{
	struct screen s;
	screen_begin(&s, "{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"a\",\"in\"]},"
	             "{\"id\":\"in\",\"component\":\"Column\",\"children\":[\"in2\"]},{\"id\":\"in2\",\"component\":\"Column\",\"children\":[\"b\"]},"
	             "{\"id\":\"a\",\"component\":\"Divider\"},{\"id\":\"b\",\"component\":\"Divider\"}", NULL);
	graphene_rect_t a = bounds(&s, widget(&s, "a")), b = bounds(&s, widget(&s, "b"));
	CHECK_INT(a.origin.y, 12);
	CHECK_INT(b.origin.y - a.origin.y - a.size.height, 8); /* however many invisible boxes lie between */
	CHECK_INT(b.size.width, 392);
	screen_end(&s);
}

SJ_TEST(a_row_too_narrow_goes_on_below)
{
	struct screen s;
	struct sj_buf json;
	sj_buf_init(&json, sj_test_mem(), 0);
	sj_buf_puts(&json, "{\"id\":\"root\",\"component\":\"Row\",\"children\":[\"b0\",\"b1\",\"b2\",\"b3\",\"b4\",\"b5\"]}");
	for (int i = 0; i < 6; i++)
		sj_buf_printf(&json, ",{\"id\":\"b%d\",\"component\":\"Button\",\"child\":\"t%d\",\"action\":{\"event\":{\"name\":\"x\"}}},"
		              "{\"id\":\"t%d\",\"component\":\"Text\",\"text\":\"Button %d\"}", i, i, i, i);
	screen_begin(&s, json.ptr, NULL);
	sj_buf_finish(&json);
	graphene_rect_t first = bounds(&s, widget(&s, "b0")), last = bounds(&s, widget(&s, "b5"));
	CHECK(last.origin.y >= first.origin.y + first.size.height);
	for (int i = 0; i < 6; i++) {
		char id[] = {'b', (char)('0' + i), 0};
		graphene_rect_t r = bounds(&s, widget(&s, id));
		CHECK(r.origin.x >= 8 && r.origin.x + r.size.width <= 408);
	}
	screen_end(&s);
}

/* ---- long lists -------------------------------------------------------------------------------------------------- */

static void long_list(struct screen *s, int rows)
{
	struct sj_buf model;
	sj_buf_init(&model, sj_test_mem(), 0);
	sj_buf_puts(&model, "{\"rows\":[");
	for (int i = 0; i < rows; i++)
		sj_buf_printf(&model, "%s{\"name\":\"Row %d\",\"note\":\"\"}", i ? "," : "", i);
	sj_buf_puts(&model, "]}");
	screen_begin(s, "{\"id\":\"root\",\"component\":\"List\",\"children\":{\"componentId\":\"row\",\"path\":\"/rows\"}},"
	             "{\"id\":\"row\",\"component\":\"Card\",\"child\":\"col\"},{\"id\":\"col\",\"component\":\"Column\",\"children\":[\"name\",\"note\"]},"
	             "{\"id\":\"name\",\"component\":\"Text\",\"text\":{\"@path\":\"name\"}},"
	             "{\"id\":\"note\",\"component\":\"TextField\",\"label\":\"Note\",\"value\":{\"@path\":\"note\"}}", model.ptr);
	sj_buf_finish(&model);
}

SJ_TEST(of_ten_thousand_rows_only_the_near_ones_are_made)
{
	struct screen s;
	long_list(&s, 10000);
	CHECK(widgets(GTK_WIDGET(s.surface)) < 1000);
	CHECK(at(&s, "row", (const uint32_t[]){0}, 1) != NULL);
	CHECK(at(&s, "row", (const uint32_t[]){9999}, 1) == NULL);
	GtkAdjustment *a = scroll(&s);
	CHECK(gtk_adjustment_get_upper(a) > 10000 * 60.0);
	for (int i = 0; i < 12; i++) { /* guesses become facts on the way */
		gtk_adjustment_set_value(a, gtk_adjustment_get_upper(a));
		settle(&s);
	}
	CHECK(at(&s, "row", (const uint32_t[]){9999}, 1) != NULL);
	CHECK(at(&s, "row", (const uint32_t[]){0}, 1) == NULL);
	CHECK(widgets(GTK_WIDGET(s.surface)) < 1000);
	graphene_rect_t last = bounds(&s, at(&s, "row", (const uint32_t[]){9999}, 1)->widget);
	CHECK(last.origin.y + last.size.height <= 600);
	GtkWidget *label = of_type(at(&s, "name", (const uint32_t[]){9999}, 1)->widget, GTK_TYPE_LABEL);
	CHECK_STR(sj_slice_of(gtk_label_get_text(GTK_LABEL(label))), "Row 9999");
	screen_end(&s);
}

SJ_TEST(the_row_in_use_stays)
{
	struct screen s;
	long_list(&s, 2000);
	struct sj_gtk_node *note = at(&s, "note", (const uint32_t[]){2}, 1);
	gtk_widget_grab_focus(note->control);
	GtkWidget *text = gtk_root_get_focus(GTK_ROOT(s.window));
	CHECK(GTK_IS_TEXT(text));
	gtk_editable_set_text(GTK_EDITABLE(note->control), "half a wo");
	gtk_editable_set_position(GTK_EDITABLE(note->control), 4);
	for (int i = 1; i <= 20; i++) {
		gtk_adjustment_set_value(scroll(&s), i * 2000.0);
		spin(30);
	}
	settle(&s);
	CHECK(at(&s, "note", (const uint32_t[]){2}, 1) == note);
	CHECK(at(&s, "note", (const uint32_t[]){20}, 1) == NULL);
	CHECK(gtk_root_get_focus(GTK_ROOT(s.window)) == text);
	CHECK_INT(gtk_editable_get_position(GTK_EDITABLE(note->control)), 4);
	CHECK_STR(sj_slice_of(gtk_editable_get_text(GTK_EDITABLE(note->control))), "half a wo");
	gtk_adjustment_set_value(scroll(&s), 0);
	settle(&s);
	CHECK(at(&s, "note", (const uint32_t[]){2}, 1) == note);
	screen_end(&s);
}

SJ_TEST(what_is_looked_at_does_not_move)
{
	struct screen s;
	long_list(&s, 2000);
	gtk_adjustment_set_value(scroll(&s), 30000);
	settle(&s);
	sj_node_id n = 0;
	uint32_t row = 0;
	for (; row < 2000 && !n; row++)
		if (at(&s, "name", &row, 1) && bounds(&s, at(&s, "name", &row, 1)->widget).origin.y > 100)
			n = at(&s, "name", &row, 1)->id;
	CHECK(n != 0);
	float before = bounds(&s, sj_gtk_find(s.surface, n)->widget).origin.y;
	/* A row above, near enough to be drawn, grows. */
	char path[64], json[256];
	g_snprintf(path, sizeof path, "/rows/%u/name", row - 4);
	g_snprintf(json, sizeof json, "{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"%s\",\"value\":"
	           "\"one  \\n\\ntwo  \\n\\nthree  \\n\\nfour\"}}", path);
	feed(&s, json);
	CHECK(sj_gtk_find(s.surface, n) != NULL);
	float after = bounds(&s, sj_gtk_find(s.surface, n)->widget).origin.y;
	CHECK(after - before < 2 && before - after < 2);
	screen_end(&s);
}

/* ---- changes ----------------------------------------------------------------------------------------------------- */

SJ_TEST(a_change_touches_its_widget_only)
{
	struct screen s;
	screen_begin(&s, "{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"a\",\"b\"]},"
	             "{\"id\":\"a\",\"component\":\"Text\",\"text\":{\"@path\":\"/a\"}},{\"id\":\"b\",\"component\":\"Text\",\"text\":\"still\"}",
	             "{\"a\":\"one\"}");
	GtkWidget *a = widget(&s, "a"), *b = widget(&s, "b"), *label = of_type(a, GTK_TYPE_LABEL);
	feed(&s, DATA("/a", "\"two\""));
	CHECK(widget(&s, "a") == a && widget(&s, "b") == b && of_type(a, GTK_TYPE_LABEL) == label);
	CHECK_STR(sj_slice_of(gtk_label_get_text(GTK_LABEL(label))), "two");
	feed(&s, UPDATE("{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"c\",\"b\",\"a\"]},{\"id\":\"c\",\"component\":\"Text\",\"text\":\"new\"}"));
	CHECK(widget(&s, "a") == a && widget(&s, "b") == b);
	CHECK(bounds(&s, widget(&s, "c")).origin.y < bounds(&s, b).origin.y);
	CHECK(bounds(&s, b).origin.y < bounds(&s, a).origin.y);
	feed(&s, UPDATE("{\"id\":\"b\",\"component\":\"Divider\"}"));
	CHECK(GTK_IS_SEPARATOR(widget(&s, "b")));
	feed(&s, UPDATE("{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"a\"]}"));
	CHECK(at(&s, "b", NULL, 0) == NULL);
	CHECK(widget(&s, "a") == a);
	screen_end(&s);
}

SJ_TEST(typing_is_not_torn)
{
	struct screen s;
	screen_begin(&s, "{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"f\",\"t\",\"echo\"]},"
	             "{\"id\":\"f\",\"component\":\"TextField\",\"label\":\"Name\",\"value\":{\"@path\":\"/f\"}},"
	             "{\"id\":\"t\",\"component\":\"Text\",\"text\":{\"@path\":\"/t\"}},{\"id\":\"echo\",\"component\":\"Text\",\"text\":{\"@path\":\"/f\"}}",
	             "{\"f\":\"Ann\",\"t\":\"x\"}");
	struct sj_gtk_node *f = at(&s, "f", NULL, 0);
	int place = 3;
	gtk_widget_grab_focus(f->control);
	gtk_editable_insert_text(GTK_EDITABLE(f->control), "abel", 4, &place);
	gtk_editable_select_region(GTK_EDITABLE(f->control), 2, 5);
	settle(&s);
	CHECK_STR(sj_slice_of(gtk_label_get_text(GTK_LABEL(of_type(widget(&s, "echo"), GTK_TYPE_LABEL)))), "Annabel");
	feed(&s, DATA("/t", "\"other\""));
	feed(&s, DATA("/f", "\"the agent's\"")); /* the person is typing: it waits */
	int from, to;
	CHECK_STR(sj_slice_of(gtk_editable_get_text(GTK_EDITABLE(f->control))), "Annabel");
	CHECK(gtk_editable_get_selection_bounds(GTK_EDITABLE(f->control), &from, &to));
	CHECK_INT(from, 2);
	CHECK_INT(to, 5);
	gtk_editable_insert_text(GTK_EDITABLE(f->control), "!", 1, &place); /* the next key wins */
	settle(&s);
	const struct sj_value *v =
		sj_value_at(sj_surface_model(sj_gtk_core(s.surface), SJ_ROOT_DATA), SJ_LIT("/f"));
	CHECK_STR(sj_value_text(v), "Annabel!");
	g_signal_emit_by_name(f->control, "activate");
	settle(&s);
	feed(&s, DATA("/f", "\"Bea\""));
	CHECK_STR(sj_slice_of(gtk_editable_get_text(GTK_EDITABLE(f->control))), "Bea");
	screen_end(&s);
}

/* An input method holds text that is not there yet: the agent's value would tear it away. */
SJ_TEST(a_composition_is_not_torn)
{
	struct screen s;
	screen_begin(&s, "{\"id\":\"root\",\"component\":\"TextField\",\"label\":\"Name\",\"value\":{\"@path\":\"/f\"}}",
	             "{\"f\":\"Ann\"}");
	struct sj_gtk_node *f = at(&s, "root", NULL, 0);
	GtkEditable *entry = GTK_EDITABLE(f->control), *inner = gtk_editable_get_delegate(entry);
	gtk_widget_grab_focus(f->control);
	g_signal_emit_by_name(inner, "preedit-changed", "か");
	feed(&s, DATA("/f", "\"Bea\""));
	CHECK_STR(sj_slice_of(gtk_editable_get_text(entry)), "Ann");
	g_signal_emit_by_name(inner, "preedit-changed", "");
	settle(&s);
	CHECK_STR(sj_slice_of(gtk_editable_get_text(entry)), "Bea"); /* it came to nothing */
	g_signal_emit_by_name(inner, "preedit-changed", "き");
	feed(&s, DATA("/f", "\"Cleo\""));
	int place = 3;
	g_signal_emit_by_name(inner, "preedit-changed", "");
	gtk_editable_insert_text(entry, "木", 3, &place);
	settle(&s);
	CHECK_STR(sj_slice_of(gtk_editable_get_text(entry)), "Bea木"); /* it came to something */
	const struct sj_value *v = sj_value_at(sj_surface_model(sj_gtk_core(s.surface), SJ_ROOT_DATA), SJ_LIT("/f"));
	CHECK_STR(sj_value_text(v), "Bea木");
	screen_end(&s);
}

SJ_TEST(a_field_that_goes_while_in_use_takes_its_text_along)
{
	struct screen s;
	screen_begin(&s, "{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"col\",\"t\"]},{\"id\":\"col\",\"component\":\"Column\",\"children\":[\"f\"]},"
	             "{\"id\":\"f\",\"component\":\"TextField\",\"label\":\"Name\",\"value\":{\"@path\":\"/f\"}},"
	             "{\"id\":\"t\",\"component\":\"Text\",\"text\":{\"@path\":\"/f\"}}", "{\"f\":\"\"}");
	struct sj_gtk_node *f = at(&s, "f", NULL, 0);
	gtk_widget_grab_focus(f->control);
	int place = 0;
	gtk_editable_insert_text(GTK_EDITABLE(f->control), "kept", 4, &place);
	feed(&s, UPDATE("{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"t\"]}"));
	CHECK(at(&s, "f", NULL, 0) == NULL);
	CHECK_STR(sj_slice_of(gtk_label_get_text(GTK_LABEL(of_type(widget(&s, "t"), GTK_TYPE_LABEL)))), "kept");
	screen_end(&s);
}

SJ_TEST(a_press_sends_its_message)
{
	struct screen s;
	screen_begin(&s, "{\"id\":\"root\",\"component\":\"Button\",\"child\":\"t\",\"action\":{\"event\":{\"name\":\"go\",\"context\":{\"n\":{\"@path\":\"/n\"}}}}},"
	             "{\"id\":\"t\",\"component\":\"Text\",\"text\":\"Go\"}", "{\"n\":7}");
	g_signal_emit_by_name(at(&s, "root", NULL, 0)->control, "clicked");
	settle(&s);
	CHECK_INT(s.stage.sent, 1);
	CHECK(strstr(s.stage.last.ptr, "\"name\":\"go\"") && strstr(s.stage.last.ptr, "\"n\":7"));
	screen_end(&s);
}

SJ_TEST(a_dialog_stays_inside)
{
	struct screen s;
	screen_begin(&s, "{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"m\"]},"
	             "{\"id\":\"m\",\"component\":\"Modal\",\"trigger\":\"b\",\"content\":\"c\"},"
	             "{\"id\":\"b\",\"component\":\"Button\",\"child\":\"bt\",\"action\":{\"event\":{\"name\":\"opened\"}}},"
	             "{\"id\":\"bt\",\"component\":\"Text\",\"text\":\"More\"},{\"id\":\"c\",\"component\":\"Text\",\"text\":\"The content\"}", NULL);
	struct sj_gtk_node *b = at(&s, "b", NULL, 0);
	CHECK(at(&s, "c", NULL, 0) == NULL);
	gtk_widget_grab_focus(b->control);
	g_signal_emit_by_name(b->control, "clicked");
	settle(&s);
	CHECK_INT(s.stage.sent, 1);
	GtkWidget *c = widget(&s, "c");
	CHECK(gtk_widget_is_ancestor(c, GTK_WIDGET(s.surface)));
	graphene_rect_t r = bounds(&s, c);
	CHECK(r.origin.x >= 0 && r.origin.y >= 0 && r.origin.x + r.size.width <= 416);
	CHECK(!gtk_widget_is_ancestor(gtk_root_get_focus(GTK_ROOT(s.window)), widget(&s, "m")));
	struct sj_gtk_node *m = at(&s, "m", NULL, 0);
	sj_gtk_set_local(m, "open", sj_value_bool(false));
	settle(&s);
	CHECK(at(&s, "c", NULL, 0) == NULL);
	CHECK(gtk_root_get_focus(GTK_ROOT(s.window)) == b->control);
	screen_end(&s);
}

SJ_TEST(an_app_draws_its_own_components)
{
	struct screen s;
	screen_begin(&s, "{\"id\":\"root\",\"component\":\"AudioPlayer\",\"url\":\"x\",\"description\":{\"@path\":\"/d\"}}", "{\"d\":\"one\"}");
	CHECK_STR(sj_slice_of(gtk_label_get_text(GTK_LABEL(widget(&s, "root")))), "own: one");
	feed(&s, DATA("/d", "\"two\""));
	CHECK_STR(sj_slice_of(gtk_label_get_text(GTK_LABEL(widget(&s, "root")))), "own: two");
	screen_end(&s);
}

/* Two hundred slow widgets, all changed every few milliseconds: the window stays responsive, and in the end the surface
 * is stopped. */
SJ_TEST(what_changes_too_fast_is_stopped)
{
	struct screen s;
	struct sj_buf json;
	sj_buf_init(&json, sj_test_mem(), 0);
	sj_buf_puts(&json, "{\"id\":\"root\",\"component\":\"Row\",\"children\":[");
	for (int i = 0; i < 40; i++)
		sj_buf_printf(&json, "%s\"v%d\"", i ? "," : "", i);
	sj_buf_puts(&json, "]}");
	for (int i = 0; i < 40; i++)
		sj_buf_printf(&json, ",{\"id\":\"v%d\",\"component\":\"AudioPlayer\",\"url\":\"x\",\"description\":{\"@path\":\"/d\"}}", i);
	screen_begin(&s, json.ptr, "{\"d\":\"0\"}");
	sj_buf_finish(&json);
	sj_gtk_surface_set_patience(s.surface, 400000);
	slow_us = 2000;
	gint64 start = g_get_monotonic_time(), longest = 0, last = start;
	for (int i = 0; !of_type(GTK_WIDGET(s.surface), ADW_TYPE_STATUS_PAGE) && i < 2000; i++) {
		char message[256];
		g_snprintf(message, sizeof message, DATA("/d", "\"%d\""), i);
		stage_feed(&s.stage, message);
		sj_gtk_surface_refresh(s.surface);
		g_main_context_iteration(NULL, FALSE);
		longest = MAX(longest, g_get_monotonic_time() - last);
		last = g_get_monotonic_time();
		g_usleep(1000);
	}
	slow_us = 0;
	GtkWidget *page = of_type(GTK_WIDGET(s.surface), ADW_TYPE_STATUS_PAGE);
	CHECK(page != NULL && gtk_widget_get_visible(page));
	CHECK(g_get_monotonic_time() - start >= 400000);
	CHECK(longest < 200000);
	GtkWidget *again = of_type(page, GTK_TYPE_BUTTON);
	g_signal_emit_by_name(again, "clicked");
	settle(&s);
	CHECK(!gtk_widget_get_visible(page));
	CHECK(g_str_has_prefix(gtk_label_get_text(GTK_LABEL(widget(&s, "v39"))), "own: "));
	screen_end(&s);
}

/* The pointer rests somewhere on the surface. */
static void point(struct screen *s, double x, double y)
{
	GtkWidget *overlay = of_type(GTK_WIDGET(s->surface), GTK_TYPE_OVERLAY);
	GListModel *all = gtk_widget_observe_controllers(overlay);
	for (guint i = 0; i < g_list_model_get_n_items(all); i++) {
		GtkEventController *c = g_list_model_get_item(all, i);
		if (GTK_IS_EVENT_CONTROLLER_MOTION(c))
			g_signal_emit_by_name(c, "motion", x, y);
		g_object_unref(c);
	}
	g_object_unref(all);
	spin(500);
}

static GtkWidget *styled(GtkWidget *w, const char *style)
{
	if (gtk_widget_has_css_class(w, style))
		return w;
	GtkWidget *found = NULL;
	for (GtkWidget *c = gtk_widget_get_first_child(w); c && !found; c = gtk_widget_get_next_sibling(c))
		found = styled(c, style);
	return found;
}

SJ_TEST(what_is_pointed_at_says_what_it_is_inside_the_surface)
{
	struct screen s;
	screen_begin(&s, "{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"late\",\"t\",\"b\"]},"
	             "{\"id\":\"t\",\"component\":\"Text\",\"text\":\"words\"},"
	             "{\"id\":\"b\",\"component\":\"Button\",\"child\":\"w\",\"action\":{\"event\":{\"name\":\"x\"}}},"
	             "{\"id\":\"w\",\"component\":\"Text\",\"text\":\"Go\"}", NULL);
	GtkWidget *tip = styled(GTK_WIDGET(s.surface), "sj-tip");
	CHECK(tip != NULL && !gtk_widget_get_visible(tip));
	point(&s, 40, 30); /* the placeholder of what has not come */
	CHECK(gtk_widget_get_visible(tip));
	CHECK_STR(sj_slice_of(gtk_label_get_text(GTK_LABEL(tip))), "late: This part has not arrived yet.");
	graphene_rect_t r = bounds(&s, tip);
	CHECK(r.origin.x >= 0 && r.origin.y >= 0 && r.origin.y + r.size.height <= 600);
	graphene_rect_t b = bounds(&s, widget(&s, "b"));
	point(&s, (double)b.origin.x + 5, (double)b.origin.y + 5);
	CHECK(!gtk_widget_get_visible(tip));
	screen_end(&s);
}

/* ---- hostile text ------------------------------------------------------------------------------------------------ */

SJ_TEST(text_is_never_markup)
{
	struct screen s;
	screen_begin(&s, "{\"id\":\"root\",\"component\":\"Text\",\"text\":\"a <span size='999999'>b</span> &lt; *c*\"}", NULL);
	GtkWidget *label = of_type(widget(&s, "root"), GTK_TYPE_LABEL);
	CHECK(!gtk_label_get_use_markup(GTK_LABEL(label)));
	CHECK_STR(sj_slice_of(gtk_label_get_text(GTK_LABEL(label))), "a <span size='999999'>b</span> < c");
	screen_end(&s);
}

SJ_TEST(endless_text_is_cut)
{
	struct screen s;
	struct sj_buf json;
	sj_buf_init(&json, sj_test_mem(), 0);
	sj_buf_puts(&json, "{\"id\":\"root\",\"component\":\"Text\",\"text\":\"");
	for (int i = 0; i < 60000; i++)
		sj_buf_puts(&json, "word ");
	sj_buf_puts(&json, "\"}");
	screen_begin(&s, json.ptr, NULL);
	sj_buf_finish(&json);
	const char *text = gtk_label_get_text(GTK_LABEL(of_type(widget(&s, "root"), GTK_TYPE_LABEL)));
	CHECK(strlen(text) >= SJ_GTK_TEXT_MOST && strlen(text) < SJ_GTK_TEXT_MOST + 16);
	CHECK(g_str_has_suffix(text, "…"));
	screen_end(&s);
}
