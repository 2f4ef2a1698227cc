/* The window, its menu, its shortcuts. */
#include "app/desktop.h"
#include "app/frame.h"

void app_toast(struct app *a, const char *text, const char *button, GCallback pressed, gpointer data,
               GDestroyNotify gone)
{
	AdwToast *t = adw_toast_new("");
	char *plain = g_markup_escape_text(text, -1); /* a toast's title is markup */
	adw_toast_set_title(t, plain);
	g_free(plain);
	if (button) {
		adw_toast_set_button_label(t, button);
		g_signal_connect(t, "button-clicked", pressed, data);
	}
	if (gone)
		g_object_set_data_full(G_OBJECT(t), "app-gone", data, gone);
	adw_toast_overlay_add_toast(ADW_TOAST_OVERLAY(a->toasts), t);
}

/* ---- actions ----------------------------------------------------------------------------------------------------- */

static void on_about(GSimpleAction *action, GVariant *value, gpointer data)
{
	struct app *a = data;
	(void)action;
	(void)value;
	adw_show_about_window(GTK_WINDOW(a->window), "application-name", "Shoji", "application-icon", APP_ID, "version",
	                      SHOJI_VERSION, "comments",
	                      _("Screens that agents describe, drawn and kept on your own machine."), "license-type",
	                      GTK_LICENSE_APACHE_2_0, NULL);
}

static const char SHORTCUTS[] =
	"<interface><object class='GtkShortcutsWindow' id='w'><property name='modal'>1</property>"
	"<child><object class='GtkShortcutsSection'><child><object class='GtkShortcutsGroup'>"
	"<property name='title'>%s</property>"
	"<child><object class='GtkShortcutsShortcut'><property name='title'>%s</property><property"
	" name='accelerator'>&lt;Alt&gt;1...5</property></object></child>"
	"<child><object class='GtkShortcutsShortcut'><property name='title'>%s</property><property"
	" name='accelerator'>&lt;Control&gt;n</property></object></child>"
	"<child><object class='GtkShortcutsShortcut'><property name='title'>%s</property><property"
	" name='accelerator'>F10</property></object></child>"
	"<child><object class='GtkShortcutsShortcut'><property name='title'>%s</property><property"
	" name='accelerator'>&lt;Control&gt;question</property></object></child>"
	"<child><object class='GtkShortcutsShortcut'><property name='title'>%s</property><property"
	" name='accelerator'>&lt;Control&gt;q</property></object></child>"
	"</object></child></object></child></object></interface>";

static void on_shortcuts(GSimpleAction *action, GVariant *value, gpointer data)
{
	struct app *a = data;
	char *xml = g_markup_printf_escaped(SHORTCUTS, _("General"), _("Go to a page"), _("New conversation"),
	                                    _("Menu"), _("Keyboard shortcuts"), _("Quit"));
	GtkBuilder *b = gtk_builder_new_from_string(xml, -1);
	GtkWidget *w = GTK_WIDGET(gtk_builder_get_object(b, "w"));
	(void)action;
	(void)value;
	gtk_window_set_transient_for(GTK_WINDOW(w), GTK_WINDOW(a->window));
	gtk_window_present(GTK_WINDOW(w));
	g_object_unref(b);
	g_free(xml);
}

static void on_quit(GSimpleAction *action, GVariant *value, gpointer data)
{
	struct app *a = data;
	(void)action;
	(void)value;
	gtk_window_close(GTK_WINDOW(a->window));
}

static void on_new(GSimpleAction *action, GVariant *value, gpointer data)
{
	struct app *a = data;
	(void)action;
	(void)value;
	adw_view_stack_set_visible_child_name(ADW_VIEW_STACK(a->stack), "chat");
	gtk_list_box_unselect_all(GTK_LIST_BOX(a->chat_list));
}

static void on_page(GSimpleAction *action, GVariant *value, gpointer data)
{
	struct app *a = data;
	(void)action;
	adw_view_stack_set_visible_child_name(ADW_VIEW_STACK(a->stack), g_variant_get_string(value, NULL));
}

static void add_actions(struct app *a)
{
	static const GActionEntry entries[] = {{"about", on_about, NULL, NULL, NULL, {0}},
	                                       {"shortcuts", on_shortcuts, NULL, NULL, NULL, {0}},
	                                       {"quit", on_quit, NULL, NULL, NULL, {0}},
	                                       {"new", on_new, NULL, NULL, NULL, {0}},
	                                       {"page", on_page, "s", NULL, NULL, {0}}};
	static const struct {
		const char *action, *keys[3];
	} keys[] = {{"app.quit", {"<Control>q", "<Control>w", NULL}},
	            {"app.shortcuts", {"<Control>question", NULL}},
	            {"app.new", {"<Control>n", NULL}},
	            {"app.page::chat", {"<Alt>1", NULL}},
	            {"app.page::library", {"<Alt>2", NULL}},
	            {"app.page::tools", {"<Alt>3", NULL}},
	            {"app.page::logs", {"<Alt>4", NULL}},
	            {"app.page::settings", {"<Alt>5", NULL}}};
	g_action_map_add_action_entries(G_ACTION_MAP(a->application), entries, G_N_ELEMENTS(entries), a);
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		gtk_application_set_accels_for_action(GTK_APPLICATION(a->application), keys[i].action, keys[i].keys);
}

/* ---- the window -------------------------------------------------------------------------------------------------- */

static GtkWidget *menu_button(void)
{
	GMenu *menu = g_menu_new();
	GtkWidget *b = gtk_menu_button_new();
	g_menu_append(menu, _("New Conversation"), "app.new");
	g_menu_append(menu, _("Keyboard Shortcuts"), "app.shortcuts");
	g_menu_append(menu, _("About Shoji"), "app.about");
	gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(b), "open-menu-symbolic");
	gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(b), G_MENU_MODEL(menu));
	gtk_menu_button_set_primary(GTK_MENU_BUTTON(b), TRUE);
	gtk_widget_set_tooltip_text(b, _("Main Menu"));
	/* The button inside is what has the focus. */
	for (GtkWidget *w = b; w; w = w == b ? gtk_widget_get_first_child(b) : NULL)
		gtk_accessible_update_property(GTK_ACCESSIBLE(w), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Main Menu"), -1);
	g_object_unref(menu);
	return b;
}

static gboolean on_close(GtkWindow *window, gpointer data)
{
	struct app *a = data;
	(void)window;
	a->quits = true;
	app_log_finish(a);
	app_chats_finish(a); /* engines go before the widgets that show them */
	return GDK_EVENT_PROPAGATE;
}

GtkWidget *app_window_new(struct app *a)
{
	GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *bar = adw_header_bar_new(),
		  *title = adw_view_switcher_title_new(), *bottom = adw_view_switcher_bar_new();
	const struct {
		const char *name, *title, *icon;
		GtkWidget *page;
	} pages[] = {{"chat", _("Chat"), "user-available-symbolic", app_chat_page(a)},
	             {"library", _("Library"), "view-grid-symbolic", app_library_page(a)},
	             {"tools", _("Tools"), "applications-engineering-symbolic", app_tools_page(a)},
	             {"logs", _("Logs"), "view-list-symbolic", app_logs_page(a)},
	             {"settings", _("Settings"), "emblem-system-symbolic", app_settings_page(a)}};
	a->window = adw_application_window_new(GTK_APPLICATION(a->application));
	app_style_init(gtk_widget_get_display(a->window));
	a->stack = adw_view_stack_new();
	for (size_t i = 0; i < G_N_ELEMENTS(pages); i++)
		adw_view_stack_add_titled_with_icon(ADW_VIEW_STACK(a->stack), pages[i].page, pages[i].name,
		                                    pages[i].title, pages[i].icon);
	adw_view_switcher_title_set_stack(ADW_VIEW_SWITCHER_TITLE(title), ADW_VIEW_STACK(a->stack));
	adw_view_switcher_title_set_title(ADW_VIEW_SWITCHER_TITLE(title), "Shoji");
	adw_view_switcher_bar_set_stack(ADW_VIEW_SWITCHER_BAR(bottom), ADW_VIEW_STACK(a->stack));
	g_object_bind_property(title, "title-visible", bottom, "reveal", G_BINDING_SYNC_CREATE);
	adw_header_bar_set_title_widget(ADW_HEADER_BAR(bar), title);
	adw_header_bar_set_centering_policy(ADW_HEADER_BAR(bar), ADW_CENTERING_POLICY_STRICT);
	adw_header_bar_pack_end(ADW_HEADER_BAR(bar), menu_button());
	a->toasts = adw_toast_overlay_new();
	gtk_widget_set_vexpand(a->stack, TRUE);
	adw_toast_overlay_set_child(ADW_TOAST_OVERLAY(a->toasts), a->stack);
	gtk_widget_set_vexpand(a->toasts, TRUE);
	gtk_box_append(GTK_BOX(box), bar);
	gtk_box_append(GTK_BOX(box), a->toasts);
	gtk_box_append(GTK_BOX(box), bottom);
	adw_application_window_set_content(ADW_APPLICATION_WINDOW(a->window), box);
	gtk_window_set_title(GTK_WINDOW(a->window), "Shoji");
	gtk_window_set_default_size(GTK_WINDOW(a->window), 980, 760);
	gtk_widget_set_size_request(a->window, 320, 400);
	g_signal_connect(a->window, "close-request", G_CALLBACK(on_close), a);
	add_actions(a);
	return a->window;
}
