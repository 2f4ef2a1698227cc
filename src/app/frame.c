#include "app/frame.h"

#include "face/gtk/widget.h"

#define CLAIM_MOST 60 /* bytes */

GtkWidget *app_frame_new(GtkWidget *surface, const char *connection, const char *claim)
{
	GtkWidget *frame = g_object_new(GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "accessible-role",
	                                GTK_ACCESSIBLE_ROLE_GROUP, NULL);
	GtkWidget *strip = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), *name = gtk_label_new(connection);
	GtkWidget *says = gtk_label_new(NULL);
	gtk_label_set_ellipsize(GTK_LABEL(name), PANGO_ELLIPSIZE_END);
	gtk_label_set_xalign(GTK_LABEL(name), 0);
	gtk_widget_add_css_class(name, "heading");
	gtk_label_set_ellipsize(GTK_LABEL(says), PANGO_ELLIPSIZE_END);
	gtk_label_set_xalign(GTK_LABEL(says), 0);
	gtk_widget_add_css_class(says, "dim-label");
	gtk_widget_add_css_class(says, "caption");
	gtk_widget_set_hexpand(says, TRUE);
	gtk_box_append(GTK_BOX(strip), gtk_image_new_from_icon_name("system-users-symbolic"));
	gtk_box_append(GTK_BOX(strip), name);
	gtk_box_append(GTK_BOX(strip), says);
	gtk_widget_add_css_class(strip, "app-strip");
	gtk_widget_add_css_class(frame, "app-frame");
	gtk_widget_set_overflow(frame, GTK_OVERFLOW_HIDDEN);
	gtk_widget_set_overflow(surface, GTK_OVERFLOW_HIDDEN);
	gtk_widget_set_vexpand(surface, TRUE);
	gtk_box_append(GTK_BOX(frame), strip);
	gtk_box_append(GTK_BOX(frame), surface);
	g_object_set_data(G_OBJECT(frame), "app-surface", surface);
	g_object_set_data(G_OBJECT(frame), "app-claim", says);
	gtk_accessible_update_property(GTK_ACCESSIBLE(frame), GTK_ACCESSIBLE_PROPERTY_LABEL, connection, -1);
	app_frame_set_claim(frame, claim);
	return frame;
}

SjGtkSurface *app_frame_surface(GtkWidget *frame) { return g_object_get_data(G_OBJECT(frame), "app-surface"); }

void app_frame_set_claim(GtkWidget *frame, const char *claim)
{
	GtkWidget *says = g_object_get_data(G_OBJECT(frame), "app-claim");
	/* The quotes and an isolate around it: a name cannot turn the words of ours beside it. */
	char *isolated = claim && *claim ? g_strdup_printf("\u2068%s\u2069", claim) : NULL;
	char *text = isolated ? g_strdup_printf(_("calls itself “%s”"), isolated) : g_strdup("");
	gtk_label_set_text(GTK_LABEL(says), text);
	g_free(isolated);
	gtk_widget_set_tooltip_text(says, *text ? _("The agent says so. Nobody has checked it.") : NULL);
	g_free(text);
}

static char *said(const struct sj_view *v, struct sj_slice key)
{
	const struct sj_value *theme = sj_view_theme(v);
	const struct sj_value *word = theme && theme->type == SJ_V_OBJECT ? sj_value_get(theme, key) : NULL;
	return word && sj_value_is_string(word) ? g_strstrip(sj_gtk_clean(sj_value_text(word), CLAIM_MOST, false))
	                                        : NULL;
}

char *app_claim_of(const struct sj_view *v)
{
	char *name = said(v, SJ_LIT("agentDisplayName")), *icon = said(v, SJ_LIT("iconUrl"));
	/* The picture it calls its own is not fetched: its address is told, for what it is worth. */
	char *claim =
		name && icon && *icon ? g_strdup_printf("%s (%s)", name, icon) : g_strdup(name && *name ? name : icon);
	g_free(name);
	g_free(icon);
	return claim;
}

/* ---- style ------------------------------------------------------------------------------------------------------- */

static const char SHEET[] =
	".app-strip { padding: 6px 12px; background: alpha(@accent_bg_color, 0.12); border-bottom: 1px solid"
	" alpha(currentColor, 0.15); }\n"
	".app-frame { border-radius: 12px; border: 1px solid alpha(currentColor, 0.2); background: @window_bg_color; }\n"
	".app-frames { padding: 12px; }\n"
	".app-stream { padding: 12px; }\n"
	".app-head { padding: 6px 12px; }\n"
	".app-row { padding: 6px 8px; }\n";

void app_style_init(GdkDisplay *display)
{
	if (g_object_get_data(G_OBJECT(display), "app-style"))
		return;
	GtkCssProvider *css = gtk_css_provider_new();
	gtk_css_provider_load_from_data(css, SHEET, -1);
	gtk_style_context_add_provider_for_display(display, GTK_STYLE_PROVIDER(css),
	                                           GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
	g_object_set_data_full(G_OBJECT(display), "app-style", css, g_object_unref);
}
