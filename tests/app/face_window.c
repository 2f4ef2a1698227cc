/* face_window [--width N] [--height N] [--unknown] [--demo NAME] [FILE]: surfaces in a plain window, for the tests of
 * the GTK face. With --unknown, components that no catalog has are taken.
 *
 * Every surface stands in the window below the one before it. What leaves the engine comes as JSON lines on stdout:
 * {"send": message}, {"tool": name, "arguments": object}, {"fault": code, "message": text}, {"surface": id}, {"gone":
 * id}, {"link": address}. Lines on stdin are messages of the agent, or one of
 *   ?model SURFACE   {"tree": ...}: the resolved tree and the data model
 *   ?a11y SURFACE    {"a11y": ...}: our own accessibility tree, and the order of the focus
 *   ?focus           {"focus": component id or "", "type": widget, "text", "caret", "bound", "undo",
 *                    "keys"}; keys: how many came down or up
 *   ?settled         {"settled": true} once nothing waits to be drawn
 *   ?advance MS      the clock goes on by so much
 *   ?quit
 */
#include <adwaita.h>
#include <stdio.h>

#include "cmd/demo.h"
#include "face/gtk/gtk.h"
#include "face/gtk/internal.h"

struct shown {
	struct sj_view *view; /* NULL: gone */
	GtkWidget *surface;
	char *id;
};

struct desk {
	struct sj_mem mem;
	struct cmd_session session;
	GtkWidget *window, *box;
	GPtrArray *shown; /* of struct shown */
	int64_t ahead_ms;
	guint settling, waiting, keys;
	bool quit;
};

static void say(const char *key, struct sj_slice json)
{
	printf("{\"%s\":%.*s}\n", key, (int)json.len, json.ptr ? json.ptr : "");
	fflush(stdout);
}

static void say_text(struct desk *d, const char *key, const char *text)
{
	struct sj_buf out;
	sj_buf_init(&out, &d->mem, 0);
	sj_json_print_string(&out, sj_slice_of(text));
	say(key, sj_buf_view(&out));
	sj_buf_finish(&out);
}

static gboolean reconcile(gpointer data);

static void later(struct desk *d)
{
	if (!d->waiting)
		d->waiting = g_idle_add(reconcile, d);
}

static void on_event(void *ctx, const struct sj_event *ev)
{
	struct desk *d = ctx;
	struct sj_buf out;
	char *id = g_strndup(ev->surface_id.ptr ? ev->surface_id.ptr : "", ev->surface_id.len);

	switch (ev->kind) {
	case SJ_EV_SEND:
		say("send", ev->json);
		break;
	case SJ_EV_TOOL_WANTED:
		sj_buf_init(&out, &d->mem, 0);
		sj_json_print_string(&out, ev->name);
		sj_buf_puts(&out, ",\"arguments\":");
		sj_buf_slice(&out, ev->json);
		say("tool", sj_buf_view(&out));
		sj_buf_finish(&out);
		break;
	case SJ_EV_DIAG:
		sj_buf_init(&out, &d->mem, 0);
		sj_json_print_string(&out, sj_slice_of(sj_code_name(ev->diag->code)));
		sj_buf_puts(&out, ",\"message\":");
		sj_json_print_string(&out, sj_slice_of(ev->diag->message));
		say("fault", sj_buf_view(&out));
		sj_buf_finish(&out);
		break;
	case SJ_EV_SURFACE_NEW:
		say_text(d, "surface", id);
		break;
	case SJ_EV_SURFACE_CHANGED:
		for (guint i = 0; i < d->shown->len; i++) {
			struct shown *s = d->shown->pdata[i];
			if (s->view == ev->view)
				sj_gtk_surface_refresh(SJ_GTK_SURFACE(s->surface));
		}
		break;
	case SJ_EV_SURFACE_GONE:
		for (guint i = 0; i < d->shown->len; i++) {
			struct shown *s = d->shown->pdata[i];
			if (s->view && strcmp(s->id, id) == 0) {
				sj_gtk_surface_close(SJ_GTK_SURFACE(s->surface));
				s->view = NULL;
			}
		}
		say_text(d, "gone", id);
		break;
	case SJ_EV_CALL_WANTED:
	case SJ_EV_CALL_GONE:
	case SJ_EV_CALL_DONE:
		break;
	}
	g_free(id);
	later(d);
}

/* A component that this app draws by itself, as a label. */
static void stage_build(struct sj_gtk_node *n) { n->widget = gtk_label_new(NULL); }

static void stage_update(struct sj_gtk_node *n, uint64_t mask)
{
	char *name = sj_gtk_line(n, SJ_P_LABEL), *words = g_strdup_printf("Stage: %s", name);
	(void)mask;
	gtk_label_set_text(GTK_LABEL(n->widget), words);
	g_free(words);
	g_free(name);
}

static const struct sj_gtk_class STAGE = {.build = stage_build, .update = stage_update};
static const struct sj_gtk_named WIDGETS[] = {{"StageRow", &STAGE}};

static void entered(void *ctx) { cmd_session_pump(&((struct desk *)ctx)->session); }

static void on_link(void *ctx, GtkWidget *surface, const char *address)
{
	(void)surface;
	say_text(ctx, "link", address);
}

/* Widgets of surfaces that came and went. Not inside a signal of one of them. */
static gboolean reconcile(gpointer data)
{
	struct desk *d = data;
	d->waiting = 0;
	for (guint i = d->shown->len; i-- > 0;) {
		struct shown *s = d->shown->pdata[i];
		if (s->view)
			continue;
		gtk_box_remove(GTK_BOX(d->box), s->surface);
		g_ptr_array_remove_index(d->shown, i);
		g_free(s->id);
		g_free(s);
	}
	for (uint32_t k = 0; k < sj_engine_view_count(d->session.engine); k++) {
		struct sj_view *v = sj_engine_view_at(d->session.engine, k);
		bool known = false;
		for (guint i = 0; i < d->shown->len; i++)
			known = known || ((struct shown *)d->shown->pdata[i])->view == v;
		if (known)
			continue;
		struct sj_gtk_host host = {.entered = entered, .link = on_link, .ctx = d, .widgets = WIDGETS,
		                           .nwidgets = G_N_ELEMENTS(WIDGETS)};
		struct sj_slice id = sj_view_id(v);
		struct shown *s = g_new(struct shown, 1);
		*s = (struct shown){v, sj_gtk_surface_new(d->session.engine, v, &host), g_strndup(id.ptr, id.len)};
		gtk_widget_set_vexpand(s->surface, TRUE);
		gtk_accessible_update_property(GTK_ACCESSIBLE(s->surface), GTK_ACCESSIBLE_PROPERTY_LABEL, s->id, -1);
		gtk_box_append(GTK_BOX(d->box), s->surface);
		g_ptr_array_add(d->shown, s);
	}
	return G_SOURCE_REMOVE;
}

/* ---- questions --------------------------------------------------------------------------------------------------- */

static struct sj_view *view_of(struct desk *d, const char *id)
{
	uint32_t count = sj_engine_view_count(d->session.engine);
	if (*id)
		return sj_engine_view(d->session.engine, UINT32_MAX, sj_slice_of(id));
	return count > 0 ? sj_engine_view_at(d->session.engine, count - 1) : NULL;
}

static void report(struct desk *d, const char *key, const char *id,
                   enum sj_status (*fn)(struct sj_engine *, struct sj_view *, struct sj_buf *))
{
	struct sj_view *v = view_of(d, id);
	struct sj_buf out;
	sj_buf_init(&out, &d->mem, 0);
	if (!v || fn(d->session.engine, v, &out) != SJ_OK)
		sj_buf_puts(&out, "null");
	say(key, sj_buf_view(&out));
	sj_buf_finish(&out);
}

static void report_focus(struct desk *d)
{
	GtkWidget *focus = gtk_root_get_focus(GTK_ROOT(d->window)), *w = focus;
	struct sj_buf out;
	char numbers[96];
	int caret = -1, bound = -1;
	bool undo = false;
	char *text = NULL;
	struct sj_slice id = SJ_LIT("");

	for (; w && !sj_gtk_node_of(w); w = gtk_widget_get_parent(w))
		;
	if (w && !sj_gtk_is_closed(sj_gtk_node_of(w)->surface))
		id = sj_node_component_id(sj_gtk_core(sj_gtk_node_of(w)->surface), sj_gtk_node_of(w)->id);
	if (GTK_IS_EDITABLE(focus)) {
		gtk_editable_get_selection_bounds(GTK_EDITABLE(focus), &bound, &caret);
		caret = gtk_editable_get_position(GTK_EDITABLE(focus));
		text = g_strdup(gtk_editable_get_text(GTK_EDITABLE(focus)));
		undo = gtk_editable_get_enable_undo(GTK_EDITABLE(focus));
	}
	sj_buf_init(&out, &d->mem, 0);
	sj_json_print_string(&out, id);
	sj_buf_puts(&out, ",\"type\":");
	sj_json_print_string(&out, sj_slice_of(focus ? G_OBJECT_TYPE_NAME(focus) : ""));
	sj_buf_puts(&out, ",\"text\":");
	sj_json_print_string(&out, sj_slice_of(text ? text : ""));
	g_snprintf(numbers, sizeof numbers, ",\"caret\":%d,\"bound\":%d,\"undo\":%s,\"keys\":%u", caret, bound,
	           undo ? "true" : "false", d->keys);
	sj_buf_puts(&out, numbers);
	say("focus", sj_buf_view(&out));
	sj_buf_finish(&out);
	g_free(text);
}

static gboolean on_settling(gpointer data)
{
	struct desk *d = data;
	bool whole = !d->waiting;
	for (guint i = 0; i < d->shown->len; i++) {
		struct shown *s = d->shown->pdata[i];
		whole = whole && sj_gtk_surface_is_settled(SJ_GTK_SURFACE(s->surface));
	}
	d->settling = whole ? d->settling + 1 : 1;
	if (d->settling < 4)
		return G_SOURCE_CONTINUE;
	d->settling = 0;
	say("settled", SJ_LIT("true"));
	return G_SOURCE_REMOVE;
}

static gboolean on_time(gpointer data)
{
	struct desk *d = data;
	cmd_session_advance(&d->session, g_get_real_time() / 1000 + d->ahead_ms);
	return G_SOURCE_CONTINUE;
}

static void on_line(struct desk *d, char *line)
{
	char *word = strchr(line, ' ');
	const char *rest = word ? word + 1 : "";
	if (*line != '?') {
		cmd_session_feed(&d->session, sj_slice_of(line), true);
		return;
	}
	if (word)
		*word = 0;
	if (strcmp(line, "?model") == 0) {
		report(d, "tree", rest, sj_view_tree);
	} else if (strcmp(line, "?a11y") == 0) {
		report(d, "a11y", rest, sj_view_a11y);
	} else if (strcmp(line, "?focus") == 0) {
		report_focus(d);
	} else if (strcmp(line, "?settled") == 0 && d->settling == 0) {
		d->settling = 1;
		g_timeout_add(10, on_settling, d);
	} else if (strcmp(line, "?advance") == 0) {
		d->ahead_ms += g_ascii_strtoll(rest, NULL, 10);
		on_time(d);
		say("advanced", SJ_LIT("true"));
	} else if (strcmp(line, "?quit") == 0) {
		d->quit = true;
	}
}

static gboolean on_read(GIOChannel *in, GIOCondition condition, gpointer data)
{
	struct desk *d = data;
	char *line = NULL;
	gsize end = 0;
	(void)condition;
	if (g_io_channel_read_line(in, &line, NULL, &end, NULL) != G_IO_STATUS_NORMAL) {
		d->quit = true;
		return G_SOURCE_REMOVE;
	}
	line[end] = 0;
	on_line(d, line);
	g_free(line);
	return G_SOURCE_CONTINUE;
}

/* Tells a test that what it sent has come. */
static gboolean on_any(GtkEventController *c, GdkEvent *event, gpointer data)
{
	GdkEventType type = gdk_event_get_event_type(event);
	(void)c;
	((struct desk *)data)->keys += type == GDK_KEY_PRESS || type == GDK_KEY_RELEASE;
	return GDK_EVENT_PROPAGATE;
}

static gboolean on_close(GtkWindow *window, gpointer data)
{
	(void)window;
	((struct desk *)data)->quit = true;
	return TRUE;
}

int main(int argc, char **argv)
{
	struct desk d = {.shown = g_ptr_array_new()};
	const struct sj_demo *demo = NULL;
	const char *file = NULL;
	int width = 420, height = 700;
	bool unknown = false;
	sj_mem_init(&d.mem, NULL, 0);
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--width") == 0 && i + 1 < argc)
			width = (int)g_ascii_strtoll(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--height") == 0 && i + 1 < argc)
			height = (int)g_ascii_strtoll(argv[++i], NULL, 10);
		else if (strcmp(argv[i], "--unknown") == 0)
			unknown = true;
		else if (strcmp(argv[i], "--demo") == 0 && i + 1 < argc)
			demo = cmd_demo_find(sj_slice_of(argv[++i]));
		else
			file = argv[i];
	}
	gtk_init();
	adw_init();
	g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, NULL);
	struct sj_engine_config cfg = {.size = sizeof cfg, .lazy_rows = true, .now_ms = g_get_real_time() / 1000,
	                               .gate_surface = demo && demo->gate_surface};
	if (unknown) {
		cfg.strict = true;
		cfg.strictness = (struct sj_strictness){true, true, true, true, false};
	}
	if (cmd_session_open(&d.session, &d.mem, &cfg) != CMD_OK)
		return 1;
	d.session.event = on_event;
	d.session.ctx = &d;
	d.window = gtk_window_new();
	gtk_window_set_title(GTK_WINDOW(d.window), "Shoji test");
	gtk_window_set_default_size(GTK_WINDOW(d.window), width, height);
	d.box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
	gtk_window_set_child(GTK_WINDOW(d.window), d.box);
	GtkEventController *all = gtk_event_controller_legacy_new();
	gtk_event_controller_set_propagation_phase(all, GTK_PHASE_CAPTURE);
	g_signal_connect(all, "event", G_CALLBACK(on_any), &d);
	gtk_widget_add_controller(d.window, all);
	g_signal_connect(d.window, "close-request", G_CALLBACK(on_close), &d);
	if (demo && (demo->attach(&d.session, true) != CMD_OK ||
	             cmd_session_play(&d.session, sj_slice_of(demo->script)) != CMD_OK))
		return 1;
	if (file) {
		struct sj_buf text;
		sj_buf_init(&text, &d.mem, 0);
		if (cmd_read(file, &text) != CMD_OK || cmd_session_play(&d.session, sj_buf_view(&text)) != CMD_OK)
			return 1;
		sj_buf_finish(&text);
	}
	later(&d);
	gtk_window_present(GTK_WINDOW(d.window));
	GIOChannel *in = g_io_channel_unix_new(0);
	guint reader = g_io_add_watch(in, G_IO_IN | G_IO_HUP, on_read, &d);
	guint timer = g_timeout_add(50, on_time, &d);
	while (!d.quit)
		g_main_context_iteration(NULL, TRUE);
	g_source_remove(timer);
	if (g_main_context_find_source_by_id(NULL, reader))
		g_source_remove(reader);
	g_io_channel_unref(in);
	for (guint i = 0; i < d.shown->len; i++)
		sj_gtk_surface_close(SJ_GTK_SURFACE(((struct shown *)d.shown->pdata[i])->surface));
	gtk_window_destroy(GTK_WINDOW(d.window));
	if (demo)
		demo->detach(&d.session);
	cmd_session_close(&d.session);
	return 0;
}
