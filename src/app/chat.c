/* Chat: conversations with agents. For now the agents are scripted; each has an engine, and its surfaces stand in
 * frames beside what was said. */
#include "app/desktop.h"
#include "app/views.h"
#include "face/gtk/widget.h"

struct app_chat {
	struct app *app;
	const struct sj_demo *demo;
	struct cmd_session session;
	char *name;                 /* of the connection, as the app knows it */
	GtkWidget *page, *stream, *empty, *row, *flap;
	struct app_views views;
	guint timer;
	bool pumping, again, over;
};

static void arm(struct app_chat *c);

static int64_t now_ms(void) { return g_get_real_time() / 1000; }

/* ---- the stream: what was said ----------------------------------------------------------------------------------- */

/* Secrets do not go into the stream or the log, whoever sent them. */
static char *redacted(struct app_chat *c, struct sj_slice json)
{
	char *text = sj_gtk_clean(json, 65536, true);
	for (uint32_t i = 0; i < sj_engine_view_count(c->session.engine); i++) {
		struct sj_surface *s = sj_view_surface(sj_engine_view_at(c->session.engine, i));
		struct sj_buf secrets;
		if (!sj_surface_has_secrets(s))
			continue;
		sj_buf_init(&secrets, c->session.mem, 0);
		sj_surface_secret_texts(s, &secrets);
		char **each = g_strsplit(secrets.ptr ? secrets.ptr : "", "\n", -1);
		for (char **at = each; *at; at++) {
			if (strlen(*at) < 3) /* "" and what is no text */
				continue;
			char **parts = g_strsplit(text, *at, -1);
			g_free(text);
			text = g_strjoinv("\"•••\"", parts);
			g_strfreev(parts);
		}
		g_strfreev(each);
		sj_buf_finish(&secrets);
	}
	return text;
}

static void say(struct app_chat *c, const char *icon, const char *words, const char *json)
{
	GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), *label = sj_gtk_label_new(0), *image;
	sj_gtk_label_set(label, words);
	image = gtk_image_new_from_icon_name(icon);
	gtk_widget_set_valign(image, GTK_ALIGN_START);
	gtk_widget_add_css_class(image, "dim-label");
	gtk_box_append(GTK_BOX(row), image);
	gtk_widget_set_hexpand(label, TRUE);
	if (json) {
		GtkWidget *more = gtk_expander_new(NULL), *text = sj_gtk_label_new(0);
		sj_gtk_label_set(text, json);
		gtk_label_set_wrap_mode(GTK_LABEL(text), PANGO_WRAP_WORD_CHAR);
		gtk_label_set_selectable(GTK_LABEL(text), TRUE);
		gtk_widget_add_css_class(text, "monospace");
		gtk_widget_add_css_class(text, "caption");
		gtk_expander_set_label_widget(GTK_EXPANDER(more), label);
		gtk_expander_set_child(GTK_EXPANDER(more), text);
		gtk_widget_set_hexpand(more, TRUE);
		gtk_box_append(GTK_BOX(row), more);
	} else {
		gtk_box_append(GTK_BOX(row), label);
	}
	gtk_box_append(GTK_BOX(c->stream), row);
	/* An endless conversation must not make an endless list. */
	guint count = 0;
	for (GtkWidget *w = gtk_widget_get_first_child(c->stream); w; w = gtk_widget_get_next_sibling(w))
		count++;
	if (count > 200)
		gtk_box_remove(GTK_BOX(c->stream), gtk_widget_get_first_child(c->stream));
}

static char *name_of_message(struct sj_slice json)
{
	char *text = sj_gtk_clean(json, 400, false), *at = strstr(text, "\"name\":\""), *name = NULL;
	if (at)
		name = g_strndup(at + 8, strcspn(at + 8, "\""));
	g_free(text);
	return name;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

/* May not call the engine: what is to be drawn is looked up after the pump. */
static void on_event(void *ctx, const struct sj_event *ev)
{
	struct app_chat *c = ctx;
	char *json, *name, *words;
	switch (ev->kind) {
	case SJ_EV_SEND:
		name = name_of_message(ev->json); /* first: looking for secrets settles surfaces, and *ev is gone */
		json = redacted(c, ev->json);
		words = name ? g_strdup_printf(_("You sent “%s”"), name) : g_strdup(_("Sent to the agent"));
		say(c, "document-send-symbolic", words, json);
		app_log(c->app, true, c->name, words, json);
		g_free(words);
		g_free(name);
		return;
	case SJ_EV_TOOL_WANTED:
	case SJ_EV_CALL_WANTED:
		name = sj_gtk_clean(ev->name, 100, false);
		json = redacted(c, ev->json);
		words = g_strdup_printf(_("The agent asked for %s"), name);
		say(c, "emblem-system-symbolic", words, json);
		app_asked(c->app, c->name, name, json);
		g_free(words);
		g_free(name);
		g_free(json);
		return;
	case SJ_EV_DIAG:
		json = sj_gtk_clean(sj_slice_of(ev->diag->message), 400, false);
		say(c, "dialog-warning-symbolic", json, NULL);
		app_log(c->app, false, c->name, json, g_strdup(sj_code_name(ev->diag->code)));
		g_free(json);
		return;
	case SJ_EV_SURFACE_GONE:
		app_views_gone(&c->views, ev);
		return;
	case SJ_EV_SURFACE_NEW:
		json = sj_gtk_clean(ev->surface_id, 100, false);
		words = g_strdup_printf(_("The agent opened the screen “%s”"), json);
		say(c, "view-paged-symbolic", words, NULL);
		app_log(c->app, false, c->name, words, NULL);
		g_free(words);
		g_free(json);
		return;
	case SJ_EV_SURFACE_CHANGED:
	case SJ_EV_CALL_GONE:
	case SJ_EV_CALL_DONE:
		return;
	}
}

/* ---- time -------------------------------------------------------------------------------------------------------- */

static void pump(struct app_chat *c)
{
	if (c->pumping) {
		c->again = true;
		return;
	}
	c->pumping = true;
	do {
		c->again = false;
		cmd_session_pump(&c->session);
	} while (c->again);
	c->pumping = false;
	gtk_widget_set_visible(c->empty, app_views_sync(&c->views) == 0);
	arm(c);
}

static void entered(void *ctx)
{
	struct app_chat *c = ctx;
	if (c->over)
		return;
	sj_engine_advance(c->session.engine, now_ms());
	pump(c);
}

static gboolean on_due(gpointer data)
{
	struct app_chat *c = data;
	c->timer = 0;
	cmd_session_advance(&c->session, now_ms());
	pump(c);
	return G_SOURCE_REMOVE;
}

static void arm(struct app_chat *c)
{
	int64_t due = cmd_session_due(&c->session);
	g_clear_handle_id(&c->timer, g_source_remove);
	if (due != INT64_MAX)
		c->timer = g_timeout_add((guint)CLAMP(due - now_ms(), 0, 3600000), on_due, c);
}

/* ---- a conversation ---------------------------------------------------------------------------------------------- */

static void chat_free(gpointer p)
{
	struct app_chat *c = p;
	c->over = true;
	g_clear_handle_id(&c->timer, g_source_remove);
	app_views_finish(&c->views);
	if (c->page && gtk_widget_get_parent(c->page) == c->app->chat_stack)
		gtk_stack_remove(GTK_STACK(c->app->chat_stack), c->page);
	if (c->row && gtk_widget_get_parent(c->row))
		gtk_list_box_remove(GTK_LIST_BOX(c->app->chat_list), c->row);
	c->demo->detach(&c->session);
	cmd_session_close(&c->session);
	g_object_unref(c->page);
	g_object_unref(c->row);
	g_free(c->name);
	g_free(c);
}

void app_chats_finish(struct app *a)
{
	g_ptr_array_set_free_func(a->chats, chat_free);
	g_ptr_array_set_size(a->chats, 0);
}

static struct app_chat *chat_of(GtkListBoxRow *row) { return row ? g_object_get_data(G_OBJECT(row), "chat") : NULL; }

static void show_chat(GtkListBox *list, GtkListBoxRow *row, gpointer data)
{
	struct app *a = data;
	struct app_chat *c = chat_of(row);
	(void)list;
	gtk_stack_set_visible_child(GTK_STACK(a->chat_stack),
	                            c ? c->page : gtk_stack_get_child_by_name(GTK_STACK(a->chat_stack), "start"));
	if (c)
		adw_leaflet_navigate(ADW_LEAFLET(a->chat_leaflet), ADW_NAVIGATION_DIRECTION_FORWARD);
}

static void on_back(GtkButton *b, gpointer data)
{
	(void)b;
	adw_leaflet_navigate(ADW_LEAFLET(((struct app *)data)->chat_leaflet), ADW_NAVIGATION_DIRECTION_BACK);
}

/* Closing is undone by the toast; the conversation lives on until that is gone. */
static void on_undo(AdwToast *toast, gpointer data)
{
	struct app_chat *c = data;
	(void)toast;
	gtk_widget_set_visible(c->row, TRUE);
	g_object_set_data(G_OBJECT(c->row), "closed", NULL);
	gtk_list_box_select_row(GTK_LIST_BOX(c->app->chat_list), GTK_LIST_BOX_ROW(c->row));
}

static void on_gone(gpointer data)
{
	struct app_chat *c = data;
	if (!c->over && g_object_get_data(G_OBJECT(c->row), "closed")) {
		g_ptr_array_remove(c->app->chats, c);
		chat_free(c);
	}
}

static void on_close(GtkButton *b, gpointer data)
{
	struct app_chat *c = data;
	struct app *a = c->app;
	(void)b;
	gtk_widget_set_visible(c->row, FALSE);
	g_object_set_data(G_OBJECT(c->row), "closed", GINT_TO_POINTER(1));
	gtk_list_box_unselect_all(GTK_LIST_BOX(a->chat_list));
	show_chat(NULL, NULL, a);
	app_toast(a, _("Conversation closed"), _("Undo"), G_CALLBACK(on_undo), c, on_gone);
}

static GtkWidget *icon_button(const char *icon, const char *name, GCallback fn, gpointer data)
{
	GtkWidget *b = gtk_button_new_from_icon_name(icon);
	gtk_widget_add_css_class(b, "flat");
	gtk_widget_set_tooltip_text(b, name);
	gtk_accessible_update_property(GTK_ACCESSIBLE(b), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
	g_signal_connect(b, "clicked", fn, data);
	return b;
}

static GtkWidget *chat_head(struct app_chat *c)
{
	GtkWidget *head = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *title = gtk_label_new(c->name), *toggle, *back;
	back = icon_button("go-previous-symbolic", _("Conversations"), G_CALLBACK(on_back), c->app);
	g_object_bind_property(c->app->chat_leaflet, "folded", back, "visible", G_BINDING_SYNC_CREATE);
	gtk_label_set_ellipsize(GTK_LABEL(title), PANGO_ELLIPSIZE_END);
	gtk_label_set_xalign(GTK_LABEL(title), 0);
	gtk_widget_set_hexpand(title, TRUE);
	gtk_widget_add_css_class(title, "title-4");
	toggle = gtk_toggle_button_new();
	gtk_button_set_icon_name(GTK_BUTTON(toggle), "view-list-symbolic");
	gtk_widget_add_css_class(toggle, "flat");
	gtk_widget_set_tooltip_text(toggle, _("What was said"));
	gtk_accessible_update_property(GTK_ACCESSIBLE(toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, _("What was said"), -1);
	g_object_bind_property(c->flap, "reveal-flap", toggle, "active",
	                       G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
	gtk_box_append(GTK_BOX(head), back);
	gtk_box_append(GTK_BOX(head), title);
	gtk_box_append(GTK_BOX(head), toggle);
	gtk_box_append(GTK_BOX(head),
	               icon_button("window-close-symbolic", _("Close Conversation"), G_CALLBACK(on_close), c));
	gtk_widget_add_css_class(head, "app-head");
	return head;
}

static void build_page(struct app_chat *c)
{
	GtkWidget *side = g_object_new(GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy", GTK_POLICY_NEVER, NULL);
	GtkWidget *scroller = app_views_init(&c->views, &c->session, c->name, entered, c);
	c->page = g_object_ref_sink(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0));
	c->empty = g_object_new(ADW_TYPE_STATUS_PAGE, "icon-name", "content-loading-symbolic", "title",
	                        _("Nothing to Show"), "description", _("The agent has no screen open."), "vexpand",
	                        TRUE, NULL);
	c->stream = gtk_box_new(GTK_ORIENTATION_VERTICAL, 10);
	gtk_widget_add_css_class(c->stream, "app-stream");
	app_views_add(&c->views, c->empty);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(side), c->stream);
	gtk_widget_set_size_request(side, 280, -1);
	gtk_widget_add_css_class(side, "background");
	c->flap = g_object_new(ADW_TYPE_FLAP, "content", scroller, "flap", side, "separator",
	                       gtk_separator_new(GTK_ORIENTATION_VERTICAL), "flap-position", GTK_PACK_END, "vexpand",
	                       TRUE, "reveal-flap", FALSE, NULL);
	gtk_box_append(GTK_BOX(c->page), chat_head(c));
	gtk_box_append(GTK_BOX(c->page), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL));
	gtk_box_append(GTK_BOX(c->page), c->flap);
}

static GtkWidget *chat_row(struct app_chat *c, const char *about)
{
	GtkWidget *row = gtk_list_box_row_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
	GtkWidget *name = gtk_label_new(c->name), *words = gtk_label_new(about);
	gtk_label_set_xalign(GTK_LABEL(name), 0);
	gtk_label_set_ellipsize(GTK_LABEL(name), PANGO_ELLIPSIZE_END);
	gtk_label_set_xalign(GTK_LABEL(words), 0);
	gtk_label_set_ellipsize(GTK_LABEL(words), PANGO_ELLIPSIZE_END);
	gtk_widget_add_css_class(words, "caption");
	gtk_widget_add_css_class(words, "dim-label");
	gtk_box_append(GTK_BOX(box), name);
	gtk_box_append(GTK_BOX(box), words);
	gtk_widget_add_css_class(box, "app-row");
	gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
	g_object_set_data(G_OBJECT(row), "chat", c);
	gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, c->name, -1);
	return row;
}

static const struct {
	const char *demo, *name, *about;
} AGENTS[] = {
	{"dining", N_("Dining"), N_("Order dinner and follow the rider")},
	{"survey", N_("Survey"), N_("Say how a service did, ticket by ticket")},
	{"calls", N_("Calls"), N_("Functions called both ways, and refused")},
};

void app_chat_open(struct app *a, const struct sj_demo *demo)
{
	struct app_chat *c = g_new0(struct app_chat, 1);
	struct sj_engine_config cfg = {.size = sizeof cfg, .lazy_rows = true, .gate_surface = demo->gate_surface};
	const char *name = demo->name, *about = demo->title;
	for (size_t i = 0; i < G_N_ELEMENTS(AGENTS); i++)
		if (strcmp(AGENTS[i].demo, demo->name) == 0) {
			name = _(AGENTS[i].name);
			about = _(AGENTS[i].about);
		}
	c->app = a;
	c->demo = demo;
	c->name = g_strdup_printf(_("%s (scripted agent)"), name);
	build_page(c);
	c->row = g_object_ref_sink(chat_row(c, about));
	if (cmd_session_open(&c->session, &a->mem, &cfg) != CMD_OK)
		g_error("out of memory");
	c->session.event = on_event;
	c->session.ctx = c;
	c->session.refuse_tools = true;
	sj_engine_advance(c->session.engine, now_ms());
	demo->attach(&c->session, true);
	c->pumping = true; /* frames come when the script has been read */
	cmd_session_play(&c->session, sj_slice_of(demo->script));
	c->pumping = false;
	g_ptr_array_add(a->chats, c);
	gtk_stack_add_child(GTK_STACK(a->chat_stack), c->page);
	gtk_list_box_append(GTK_LIST_BOX(a->chat_list), c->row);
	pump(c);
	gtk_list_box_select_row(GTK_LIST_BOX(a->chat_list), GTK_LIST_BOX_ROW(c->row));
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static void on_start(GtkButton *b, gpointer data)
{
	guint i = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(b), "agent"));
	const struct sj_demo *demo = cmd_demo_find(sj_slice_of(AGENTS[i].demo));
	if (demo)
		app_chat_open(data, demo);
}

static GtkWidget *start_page(struct app *a)
{
	GtkWidget *list = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12);
	gtk_widget_set_halign(list, GTK_ALIGN_CENTER);
	for (size_t i = 0; i < G_N_ELEMENTS(AGENTS); i++) {
		GtkWidget *b = gtk_button_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
		GtkWidget *name = gtk_label_new(_(AGENTS[i].name)), *about = sj_gtk_label_new(0.5f);
		gtk_label_set_text(GTK_LABEL(about), _(AGENTS[i].about));
		gtk_widget_add_css_class(name, "heading");
		gtk_widget_add_css_class(about, "caption");
		gtk_widget_add_css_class(about, "dim-label");
		gtk_box_append(GTK_BOX(box), name);
		gtk_box_append(GTK_BOX(box), about);
		gtk_widget_add_css_class(box, "app-row");
		gtk_button_set_child(GTK_BUTTON(b), box);
		gtk_accessible_update_property(GTK_ACCESSIBLE(b), GTK_ACCESSIBLE_PROPERTY_LABEL, _(AGENTS[i].name), -1);
		g_object_set_data(G_OBJECT(b), "agent", GUINT_TO_POINTER((guint)i));
		g_signal_connect(b, "clicked", G_CALLBACK(on_start), a);
		gtk_box_append(GTK_BOX(list), b);
	}
	return g_object_new(ADW_TYPE_STATUS_PAGE, "icon-name", APP_ID, "title", _("Talk to an Agent"), "description",
	                    _("These agents are scripts built into Shoji. They show what a screen can do, offline."),
	                    "child", list, NULL);
}

static void on_new(GtkButton *b, gpointer data)
{
	struct app *a = data;
	(void)b;
	gtk_list_box_unselect_all(GTK_LIST_BOX(a->chat_list));
	show_chat(NULL, NULL, a);
	adw_leaflet_navigate(ADW_LEAFLET(a->chat_leaflet), ADW_NAVIGATION_DIRECTION_FORWARD);
}

GtkWidget *app_chat_page(struct app *a)
{
	GtkWidget *side = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *scroller = gtk_scrolled_window_new();
	GtkWidget *start = gtk_button_new_with_label(_("New Conversation"));
	a->chat_leaflet = adw_leaflet_new();
	a->chat_list = gtk_list_box_new();
	a->chat_stack = gtk_stack_new();
	gtk_widget_add_css_class(a->chat_list, "navigation-sidebar");
	gtk_accessible_update_property(GTK_ACCESSIBLE(a->chat_list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Conversations"),
	                               -1);
	g_signal_connect(a->chat_list, "row-selected", G_CALLBACK(show_chat), a);
	gtk_widget_set_margin_start(start, 12);
	gtk_widget_set_margin_end(start, 12);
	gtk_widget_set_margin_top(start, 12);
	gtk_widget_set_margin_bottom(start, 6);
	g_signal_connect(start, "clicked", G_CALLBACK(on_new), a);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), a->chat_list);
	gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
	gtk_widget_set_vexpand(scroller, TRUE);
	gtk_widget_set_size_request(side, 220, -1);
	gtk_box_append(GTK_BOX(side), start);
	gtk_box_append(GTK_BOX(side), scroller);
	GtkWidget *home = start_page(a);
	gtk_stack_add_named(GTK_STACK(a->chat_stack), home, "start");
	gtk_widget_set_hexpand(a->chat_stack, TRUE);
	gtk_widget_set_size_request(a->chat_stack, 300, -1);
	adw_leaflet_append(ADW_LEAFLET(a->chat_leaflet), side);
	AdwLeafletPage *line =
		adw_leaflet_append(ADW_LEAFLET(a->chat_leaflet), gtk_separator_new(GTK_ORIENTATION_VERTICAL));
	adw_leaflet_page_set_navigatable(line, FALSE);
	adw_leaflet_append(ADW_LEAFLET(a->chat_leaflet), a->chat_stack);
	adw_leaflet_set_can_navigate_back(ADW_LEAFLET(a->chat_leaflet), TRUE);
	adw_leaflet_set_visible_child(ADW_LEAFLET(a->chat_leaflet), a->chat_stack);
	return a->chat_leaflet;
}
