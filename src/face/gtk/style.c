/* The face's style sheet: spacing and shapes only. Colours are the theme's, by inheritance. */
#include "face/gtk/internal.h"

static const char SHEET[] =
	".sj-root { padding: 8px; }\n"
	".sj-leaf { margin: 4px; }\n"
	".sj-button .sj-leaf { margin: 0 2px; }\n"
	".sj-button { padding-left: 12px; padding-right: 12px; }\n"
	".sj-card { padding: 12px; }\n"
	".sj-card .sj-card { background: none; box-shadow: none; border: 1px solid alpha(currentColor, 0.15); }\n"
	".sj-label { font-size: smaller; opacity: 0.8; }\n"
	".sj-quote { padding-left: 10px; border-left: 3px solid alpha(currentColor, 0.3); }\n"
	".sj-code { padding: 8px; border-radius: 6px; background: alpha(currentColor, 0.07); }\n"
	".sj-placeholder { padding: 10px 12px; border-radius: 9px; border: 1px dashed alpha(currentColor, 0.3); }\n"
	".sj-placeholder label, .sj-placeholder image { opacity: 0.75; }\n"
	".sj-pending { border: none; background: alpha(currentColor, 0.06); }\n"
	".sj-picture { border-radius: 9px; }\n"
	".sj-blank { background: alpha(currentColor, 0.08); }\n"
	".sj-picture image, .sj-picture label { opacity: 0.6; }\n"
	".sj-picture label { margin: 0 8px; }\n"
	".sj-round { border-radius: 9999px; }\n"
	".sj-long { border-radius: 6px; background: alpha(currentColor, 0.1); }\n"
	".sj-long textview, .sj-long textview text { background: none; }\n"
	".sj-chip { padding: 2px 14px; }\n"
	".sj-tabs { border-bottom: 1px solid alpha(currentColor, 0.15); padding-bottom: 4px; }\n"
	".sj-tip { margin: 6px; padding: 4px 8px; border-radius: 6px; background: alpha(black, 0.8); color: white; }\n"
	".sj-scrim { background: alpha(black, 0.35); padding: 16px; }\n"
	".sj-sheet { background: @window_bg_color; color: @window_fg_color; border-radius: 12px; padding: 6px;"
	" box-shadow: 0 4px 24px alpha(black, 0.3); }\n"
	".sj-sheet-bar { padding: 6px 6px 0 10px; }\n";

void sj_gtk_init(GdkDisplay *display)
{
	if (g_object_get_data(G_OBJECT(display), "sj-style"))
		return;
	GtkCssProvider *p = gtk_css_provider_new();
	gtk_css_provider_load_from_data(p, SHEET, -1);
	gtk_style_context_add_provider_for_display(display, GTK_STYLE_PROVIDER(p),
	                                           GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
	/* An address that can be copied is not shown selected when the focus comes by. */
	g_object_set(gtk_settings_get_for_display(display), "gtk-label-select-on-focus", FALSE, NULL);
	g_object_set_data_full(G_OBJECT(display), "sj-style", p, g_object_unref);
}
