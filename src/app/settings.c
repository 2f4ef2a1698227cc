/* Settings: what the person chose, kept in a file of key=value under the configuration folder. */
#include "app/desktop.h"

static char *path_of(void) { return g_build_filename(g_get_user_config_dir(), "shoji", "desktop.conf", NULL); }

void app_settings_load(struct app *a)
{
	char *path = path_of();
	a->settings = g_key_file_new();
	g_key_file_load_from_file(a->settings, path, G_KEY_FILE_NONE, NULL); /* none yet, or unreadable: the defaults */
	g_free(path);
}

void app_settings_save(struct app *a)
{
	char *path = path_of(), *folder = g_path_get_dirname(path);
	GError *error = NULL;
	if (g_mkdir_with_parents(folder, 0700) != 0 || !g_key_file_save_to_file(a->settings, path, &error)) {
		char *text = g_strdup_printf(_("Settings could not be saved: %s"), error ? error->message : folder);
		app_toast(a, text, NULL, NULL, NULL, NULL);
		g_free(text);
	}
	g_clear_error(&error);
	g_free(folder);
	g_free(path);
}

static int number(struct app *a, const char *key, int least, int most, int fallback)
{
	GError *error = NULL;
	int v = g_key_file_get_integer(a->settings, "look", key, &error);
	if (error)
		v = fallback;
	g_clear_error(&error);
	return CLAMP(v, least, most);
}

void app_settings_apply(struct app *a)
{
	static const AdwColorScheme schemes[] = {ADW_COLOR_SCHEME_DEFAULT, ADW_COLOR_SCHEME_FORCE_LIGHT,
	                                         ADW_COLOR_SCHEME_FORCE_DARK};
	static int base_dpi;
	GtkSettings *s = gtk_settings_get_default();
	if (base_dpi <= 0)
		g_object_get(s, "gtk-xft-dpi", &base_dpi, NULL);
	if (base_dpi <= 0)
		base_dpi = 96 * 1024;
	adw_style_manager_set_color_scheme(adw_style_manager_get_default(), schemes[number(a, "appearance", 0, 2, 0)]);
	g_object_set(s, "gtk-xft-dpi", base_dpi / 100 * number(a, "text-percent", 75, 300, 100), NULL);
}

static void on_appearance(GObject *row, GParamSpec *spec, gpointer data)
{
	struct app *a = data;
	(void)spec;
	g_key_file_set_integer(a->settings, "look", "appearance", (int)adw_combo_row_get_selected(ADW_COMBO_ROW(row)));
	app_settings_apply(a);
	app_settings_save(a);
}

static void on_text_size(GtkSpinButton *b, gpointer data)
{
	struct app *a = data;
	g_key_file_set_integer(a->settings, "look", "text-percent", gtk_spin_button_get_value_as_int(b));
	app_settings_apply(a);
	app_settings_save(a);
}

GtkWidget *app_settings_page(struct app *a)
{
	GtkWidget *page = adw_preferences_page_new(), *look = adw_preferences_group_new(),
		  *reach = adw_preferences_group_new(), *size = adw_action_row_new(), *network = adw_action_row_new(),
		  *appearance = adw_combo_row_new(), *spin = gtk_spin_button_new_with_range(75, 300, 25),
		  *off = gtk_switch_new();
	const char *const choices[] = {_("Like the System"), _("Light"), _("Dark"), NULL};
	GtkStringList *model = gtk_string_list_new(choices);
	adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(look), _("Look"));
	adw_preferences_row_set_title(ADW_PREFERENCES_ROW(appearance), _("Appearance"));
	adw_combo_row_set_model(ADW_COMBO_ROW(appearance), G_LIST_MODEL(model));
	adw_combo_row_set_selected(ADW_COMBO_ROW(appearance), (guint)number(a, "appearance", 0, 2, 0));
	g_object_unref(model);
	g_signal_connect(appearance, "notify::selected", G_CALLBACK(on_appearance), a);
	adw_preferences_row_set_title(ADW_PREFERENCES_ROW(size), _("Text Size (Percent)"));
	gtk_spin_button_set_value(GTK_SPIN_BUTTON(spin), number(a, "text-percent", 75, 300, 100));
	gtk_widget_set_valign(spin, GTK_ALIGN_CENTER);
	g_signal_connect(spin, "value-changed", G_CALLBACK(on_text_size), a);
	adw_action_row_add_suffix(ADW_ACTION_ROW(size), spin);
	adw_action_row_set_activatable_widget(ADW_ACTION_ROW(size), spin);
	adw_preferences_group_add(ADW_PREFERENCES_GROUP(look), appearance);
	adw_preferences_group_add(ADW_PREFERENCES_GROUP(look), size);
	adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(reach), _("Reach"));
	adw_preferences_row_set_title(ADW_PREFERENCES_ROW(network), _("Network"));
	gtk_accessible_update_property(GTK_ACCESSIBLE(off), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Network"), -1);
	adw_action_row_set_subtitle(ADW_ACTION_ROW(network), _("Off. Nothing in this version uses it."));
	gtk_widget_set_sensitive(off, FALSE);
	gtk_widget_set_valign(off, GTK_ALIGN_CENTER);
	adw_action_row_add_suffix(ADW_ACTION_ROW(network), off);
	adw_preferences_group_add(ADW_PREFERENCES_GROUP(reach), network);
	adw_preferences_page_add(ADW_PREFERENCES_PAGE(page), ADW_PREFERENCES_GROUP(look));
	adw_preferences_page_add(ADW_PREFERENCES_PAGE(page), ADW_PREFERENCES_GROUP(reach));
	return page;
}
