/* The pages Library, Tools and Logs. */
#include "app/desktop.h"

#include "face/gtk/widget.h"

#define MOST_LINES 300

GtkWidget *app_library_page(struct app *a)
{
	(void)a;
	return g_object_new(ADW_TYPE_STATUS_PAGE, "icon-name", "view-grid-symbolic", "title", _("No Prototypes Yet"),
	                    "description", _("Screens you keep will stand here: opened, edited, shared."), NULL);
}

static GtkWidget *row_of(const char *title, const char *subtitle)
{
	GtkWidget *row = adw_action_row_new();
	adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
	adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
	adw_action_row_set_subtitle(ADW_ACTION_ROW(row), subtitle);
	adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(row), 3);
	adw_action_row_set_title_lines(ADW_ACTION_ROW(row), 2);
	return row;
}

/* ---- tools ------------------------------------------------------------------------------------------------------- */

GtkWidget *app_tools_page(struct app *a)
{
	GtkWidget *page = adw_preferences_page_new(), *rules = adw_preferences_group_new();
	a->asked = adw_preferences_group_new();
	adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(rules), _("What Agents May Do"));
	adw_preferences_group_add(ADW_PREFERENCES_GROUP(rules),
	                          row_of(_("Describe screens"), _("Always. A screen cannot act by itself.")));
	adw_preferences_group_add(ADW_PREFERENCES_GROUP(rules),
	                          row_of(_("Open links, copy text, reach the network"),
	                                 _("Never. Nothing here is allowed to do so yet.")));
	adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(a->asked), _("What Was Asked For"));
	adw_preferences_group_set_description(ADW_PREFERENCES_GROUP(a->asked), _("Nothing yet."));
	adw_preferences_page_add(ADW_PREFERENCES_PAGE(page), ADW_PREFERENCES_GROUP(rules));
	adw_preferences_page_add(ADW_PREFERENCES_PAGE(page), ADW_PREFERENCES_GROUP(a->asked));
	return page;
}

void app_asked(struct app *a, const char *peer, const char *name, const char *json)
{
	char *subtitle = g_strdup_printf("%s · %.200s", peer, json);
	char *valid = g_utf8_make_valid(subtitle, -1), *plain = g_markup_escape_text(valid, -1);
	adw_preferences_group_set_description(ADW_PREFERENCES_GROUP(a->asked), NULL);
	adw_preferences_group_add(ADW_PREFERENCES_GROUP(a->asked), row_of(name, plain)); /* a subtitle is markup */
	g_free(plain);
	g_free(valid);
	g_free(subtitle);
}

/* ---- logs -------------------------------------------------------------------------------------------------------- */

static void line_free(gpointer p)
{
	struct app_line *l = p;
	g_free(l->peer);
	g_free(l->what);
	g_free(l->json);
	g_free(l);
}

void app_log(struct app *a, bool out, const char *peer, const char *what, char *json)
{
	struct app_line *l = g_new(struct app_line, 1);
	*l = (struct app_line){g_get_real_time(), out, g_strdup(peer), g_strdup(what), json};
	g_queue_push_head(&a->log, l);
	while (a->log.length > MOST_LINES)
		line_free(g_queue_pop_tail(&a->log));
	if (a->log_changed)
		a->log_changed(a->log_ctx);
}

void app_log_finish(struct app *a)
{
	a->log_changed = NULL;
	g_queue_clear_full(&a->log, line_free);
}

struct logs {
	struct app *app;
	GtkWidget *list, *empty, *stack;
	guint later;
};

static GtkWidget *line_row(const struct app_line *l)
{
	GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 10), *words = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
	GDateTime *t = g_date_time_new_from_unix_local(l->time_us / G_USEC_PER_SEC);
	char *time = g_date_time_format(t, "%H:%M:%S"), *head = g_strdup_printf("%s · %s", time, l->peer);
	GtkWidget *first = sj_gtk_label_new(0), *second = sj_gtk_label_new(0);
	sj_gtk_label_set(first, l->what);
	sj_gtk_label_set(second, head);
	gtk_widget_add_css_class(second, "caption");
	gtk_widget_add_css_class(second, "dim-label");
	gtk_box_append(GTK_BOX(words), first);
	gtk_box_append(GTK_BOX(words), second);
	if (l->json) {
		GtkWidget *json = sj_gtk_label_new(0);
		sj_gtk_label_set(json, l->json);
		gtk_label_set_wrap_mode(GTK_LABEL(json), PANGO_WRAP_WORD_CHAR);
		gtk_label_set_lines(GTK_LABEL(json), 3);
		gtk_label_set_ellipsize(GTK_LABEL(json), PANGO_ELLIPSIZE_END);
		gtk_widget_add_css_class(json, "monospace");
		gtk_widget_add_css_class(json, "caption");
		gtk_box_append(GTK_BOX(words), json);
	}
	gtk_widget_set_hexpand(words, TRUE);
	gtk_box_append(GTK_BOX(row), gtk_image_new_from_icon_name(l->out ? "go-up-symbolic" : "go-down-symbolic"));
	gtk_box_append(GTK_BOX(row), words);
	gtk_widget_add_css_class(row, "app-row");
	g_free(head);
	g_free(time);
	g_date_time_unref(t);
	return row;
}

static gboolean fill(gpointer data)
{
	struct logs *v = data;
	GtkWidget *child;
	v->later = 0;
	if (!v->app->log_changed)
		return G_SOURCE_REMOVE;
	while ((child = gtk_widget_get_first_child(v->list)))
		gtk_list_box_remove(GTK_LIST_BOX(v->list), child);
	for (GList *at = v->app->log.head; at; at = at->next)
		gtk_list_box_append(GTK_LIST_BOX(v->list), line_row(at->data));
	gtk_stack_set_visible_child_name(GTK_STACK(v->stack), v->app->log.length > 0 ? "lines" : "empty");
	return G_SOURCE_REMOVE;
}

static void changed(void *ctx)
{
	struct logs *v = ctx;
	if (v->later == 0)
		v->later = g_timeout_add(250, fill, v);
}

static void on_copy(GtkButton *b, gpointer data)
{
	struct logs *v = data;
	GString *text = g_string_new(NULL);
	for (GList *at = v->app->log.head; at; at = at->next) {
		const struct app_line *l = at->data;
		GDateTime *t = g_date_time_new_from_unix_utc(l->time_us / G_USEC_PER_SEC);
		char *time = g_date_time_format(t, "%FT%TZ");
		g_string_append_printf(text, "%s\t%s\t%s\t%s\t%s\n", time, l->out ? "out" : "in", l->peer, l->what,
		                       l->json ? l->json : "");
		g_free(time);
		g_date_time_unref(t);
	}
	gdk_clipboard_set_text(gtk_widget_get_clipboard(GTK_WIDGET(b)), text->str);
	g_string_free(text, TRUE);
	app_toast(v->app, _("Log copied"), NULL, NULL, NULL, NULL);
}

static void on_gone(gpointer data)
{
	struct logs *v = data;
	g_clear_handle_id(&v->later, g_source_remove);
	g_free(v);
}

GtkWidget *app_logs_page(struct app *a)
{
	struct logs *v = g_new0(struct logs, 1);
	GtkWidget *scroller = g_object_new(GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy", GTK_POLICY_NEVER, NULL);
	GtkWidget *clamp = adw_clamp_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12), *copy;
	v->app = a;
	v->stack = gtk_stack_new();
	v->list = gtk_list_box_new();
	gtk_list_box_set_selection_mode(GTK_LIST_BOX(v->list), GTK_SELECTION_NONE);
	gtk_widget_add_css_class(v->list, "boxed-list");
	gtk_accessible_update_property(GTK_ACCESSIBLE(v->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Log"), -1);
	copy = gtk_button_new_with_label(_("Copy All"));
	gtk_widget_set_halign(copy, GTK_ALIGN_END);
	g_signal_connect(copy, "clicked", G_CALLBACK(on_copy), v);
	gtk_box_append(GTK_BOX(box), copy);
	gtk_box_append(GTK_BOX(box), v->list);
	gtk_widget_add_css_class(box, "app-frames");
	adw_clamp_set_child(ADW_CLAMP(clamp), box);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), clamp);
	v->empty = g_object_new(ADW_TYPE_STATUS_PAGE, "icon-name", "view-list-symbolic", "title", _("Nothing Logged"),
	                        "description", _("What goes to agents and comes from them is listed here, secrets masked."),
	                        NULL);
	gtk_stack_add_named(GTK_STACK(v->stack), v->empty, "empty");
	gtk_stack_add_named(GTK_STACK(v->stack), scroller, "lines");
	g_object_set_data_full(G_OBJECT(v->stack), "logs", v, on_gone);
	a->log_changed = changed;
	a->log_ctx = v;
	return v->stack;
}
