/* The window: from a message to its first frame, from a keystroke to its frame, and memory. Needs a display; measure
 * under Xvfb with GSK_RENDERER=cairo. Beside each figure stands what a bare GTK window of this machine takes.
 *
 *   window_bench [COMPONENTS...]      (default: 40 2000 20000)
 */
#define _POSIX_C_SOURCE 200809L
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <adwaita.h>

#include "face/gtk/gtk.h"

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double resident_mb(void)
{
	long pages = 0, resident = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (!f || fscanf(f, "%ld %ld", &pages, &resident) != 2)
		abort();
	fclose(f);
	return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static bool painted;
static double frame_began; /* of the last frame */

static void on_begin(GdkFrameClock *clock, gpointer data)
{
	(void)clock;
	(void)data;
	frame_began = now_ms();
}

static void on_paint(GdkFrameClock *clock, gpointer data)
{
	(void)clock;
	(void)data;
	painted = true;
}

static void until_painted(void)
{
	painted = false;
	while (!painted)
		g_main_context_iteration(NULL, TRUE);
}

static void until_idle(void)
{
	for (double end = now_ms() + 250; now_ms() < end;) {
		if (!g_main_context_iteration(NULL, FALSE))
			g_usleep(1000);
	}
}

static GtkWidget *window_new(void)
{
	GtkWidget *w = gtk_window_new();
	gtk_window_set_default_size(GTK_WINDOW(w), 500, 800);
	gtk_window_present(GTK_WINDOW(w));
	g_signal_connect(gtk_widget_get_frame_clock(w), "before-paint", G_CALLBACK(on_begin), NULL);
	g_signal_connect(gtk_widget_get_frame_clock(w), "after-paint", G_CALLBACK(on_paint), NULL);
	until_idle();
	return w;
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

#define CATALOG "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"

static char *messages(int components)
{
	GString *s = g_string_new("{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" CATALOG
	                          "\"}}\n{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":["
	                          "{\"id\":\"root\",\"component\":\"Column\",\"children\":[");
	for (int i = 1; i < components; i++)
		g_string_append_printf(s, "%s\"c%d\"", i > 1 ? "," : "", i);
	g_string_append(s, "]}");
	/* All fields but the first have places of their own; two texts follow what is typed into it. */
	for (int i = 1; i < components; i++) {
		g_string_append_printf(s, ",{\"id\":\"c%d\",\"component\":", i);
		if (i == 2 || i == 4)
			g_string_append(s, "\"Text\",\"text\":{\"path\":\"/f1\"}}");
		else if (i % 4 == 1)
			g_string_append_printf(s, "\"TextField\",\"label\":\"Field %d\",\"value\":{\"path\":\"/f%d\"}}", i, i);
		else if (i % 4 == 3)
			g_string_append_printf(s, "\"CheckBox\",\"label\":\"Box %d\",\"value\":false}", i);
		else
			g_string_append_printf(s, "\"Text\",\"text\":\"**Line** %d of a long list of things\"}", i);
	}
	g_string_append(s, "]}}\n");
	return g_string_free(s, FALSE);
}

struct host {
	struct sj_engine *engine;
};

static void entered(void *ctx)
{
	struct host *h = ctx;
	struct sj_event ev;
	while (sj_engine_next(h->engine, &ev) == SJ_OK)
		;
}

static GtkWidget *first_entry(GtkWidget *w)
{
	if (GTK_IS_TEXT(w))
		return w;
	GtkWidget *found = NULL;
	for (GtkWidget *c = gtk_widget_get_first_child(w); c && !found; c = gtk_widget_get_next_sibling(c))
		found = first_entry(c);
	return found;
}

static uint32_t widgets(GtkWidget *w)
{
	uint32_t n = 1;
	for (GtkWidget *c = gtk_widget_get_first_child(w); c; c = gtk_widget_get_next_sibling(c))
		n += widgets(c);
	return n;
}

/* ---- what is measured -------------------------------------------------------------------------------------------- */

#define KEYS 100

struct keys {
	double p50,
		p95; /* from the key to the end of its frame: the wait for the frame clock (0 to 16.7 ms) is in it */
	double work;     /* p95 without that wait: handling the key, and the whole frame */
};

static struct keys keystrokes(GtkWidget *entry)
{
	double ms[KEYS], work[KEYS];
	int at = 0;
	for (int i = 0; i < KEYS; i++) {
		/* A fast typist: without a pause the frame clock's period would be all that is measured. */
		for (double end = now_ms() + 30 + i % 17; now_ms() < end;)
			if (!g_main_context_iteration(NULL, FALSE))
				g_usleep(500);
		double start = now_ms();
		if (i % 20 == 19)
			gtk_editable_set_text(GTK_EDITABLE(entry), "");
		else
			gtk_editable_insert_text(GTK_EDITABLE(entry), "x", 1, &at);
		double handled = now_ms() - start;
		until_painted();
		ms[i] = now_ms() - start;
		work[i] = handled + now_ms() - frame_began;
	}
	qsort(ms, KEYS, sizeof *ms, by_value);
	qsort(work, KEYS, sizeof *work, by_value);
	return (struct keys){ms[KEYS / 2], ms[KEYS * 95 / 100], work[KEYS * 95 / 100]};
}

static void bare(double *first, struct keys *key)
{
	GtkWidget *w = window_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *entry = gtk_entry_new();
	double start = now_ms();
	gtk_box_append(GTK_BOX(box), entry);
	for (int i = 0; i < 20; i++)
		gtk_box_append(GTK_BOX(box), gtk_label_new("A line of text"));
	gtk_window_set_child(GTK_WINDOW(w), box);
	until_painted();
	*first = now_ms() - start;
	gtk_widget_grab_focus(entry);
	until_idle();
	*key = keystrokes(first_entry(entry));
	gtk_window_destroy(GTK_WINDOW(w));
	until_idle();
}

static void measure(int components, double bare_first, struct keys bare_key)
{
	struct sj_engine_config cfg = {.size = sizeof cfg, .lazy_rows = true};
	struct host host = {NULL};
	struct sj_gtk_host face = {.entered = entered, .ctx = &host};
	uint32_t peer;
	char *text = messages(components);
	size_t len = strlen(text);
	double first[5], before = 0, open_mb = 0, closed_mb = 0;
	struct keys key = {0, 0, 0};
	uint32_t live = 0;

	for (int run = 0; run < 5; run++) {
		GtkWidget *w = window_new();
		before = resident_mb();
		double start = now_ms();
		if (sj_engine_create(&cfg, &host.engine) != SJ_OK ||
		    sj_engine_peer_open(host.engine, SJ_LIT("bench"), &peer) != SJ_OK ||
		    sj_engine_feed(host.engine, peer, text, len) != SJ_OK)
			abort();
		entered(&host);
		GtkWidget *s = sj_gtk_surface_new(host.engine, sj_engine_view_at(host.engine, 0), &face);
		gtk_window_set_child(GTK_WINDOW(w), s);
		do
			until_painted();
		while (!first_entry(s));
		first[run] = now_ms() - start;
		until_idle();
		if (run == 4) {
			live = widgets(s);
			gtk_widget_grab_focus(first_entry(s));
			until_idle();
			key = keystrokes(first_entry(s));
			open_mb = resident_mb();
		}
		gtk_window_destroy(GTK_WINDOW(w));
		until_idle();
		sj_engine_destroy(host.engine);
		malloc_trim(0);
		closed_mb = resident_mb();
	}
	qsort(first, 5, sizeof *first, by_value);
	printf("%6d components: first frame %6.1f ms (bare %4.1f)   key to frame p50 %4.1f p95 %4.1f, of it work p95 %4.1f ms"
	       " (bare %4.1f %4.1f %4.1f)   %5.1f MB open, %5.1f before, %5.1f after closing   %u widgets\n",
	       components, first[2], bare_first, key.p50, key.p95, key.work, bare_key.p50, bare_key.p95, bare_key.work,
	       open_mb, before, closed_mb, live);
	fflush(stdout);
	g_free(text);
}

int main(int argc, char **argv)
{
	double first;
	struct keys key;
	if (!gtk_init_check()) {
		fputs("No display. Try: xvfb-run -a window_bench\n", stderr);
		return 77;
	}
	adw_init();
	bare(&first, &key);
	bare(&first, &key);
	if (argc == 1) {
		measure(40, first, key);
		measure(2000, first, key);
		measure(20000, first, key);
	}
	for (int i = 1; i < argc; i++)
		measure((int)g_ascii_strtoll(argv[i], NULL, 10), first, key);
	return 0;
}
