/* Everything the face and the app do by hand because GTK 4.8 and libadwaita 1.2 (Debian 12) lack it, in one place. */
#ifndef SJ_FACE_GTK_COMPAT_H
#define SJ_FACE_GTK_COMPAT_H

#include <adwaita.h>
#include <gtk/gtk.h>

/* Words for the person, by gettext; N_ marks those that are looked up later. */
#define _(s) g_dgettext("shoji", s)
#define N_(s) s

/* An announcement for assistive technology. GTK has one from 4.14 on; before, `label`, which is drawn nowhere and has
 * the role status or alert, changes its name, and AT-SPI tells of that: once the label has an object on the bus, which
 * GTK 4 gives to a widget when it is asked for, or when what it can do with the focus changes. */
static inline void sj_compat_announce(GtkWidget *widget, GtkWidget *label, const char *text, bool assertive)
{
#if GTK_CHECK_VERSION(4, 14, 0)
	(void)label;
	gtk_accessible_announce(GTK_ACCESSIBLE(widget), text,
	                        assertive ? GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_HIGH
	                                  : GTK_ACCESSIBLE_ANNOUNCEMENT_PRIORITY_MEDIUM);
#else
	(void)widget;
	(void)assertive;
	if (gtk_widget_get_root(label) && !g_object_get_data(G_OBJECT(label), "sj-on-bus")) {
		g_object_set_data(G_OBJECT(label), "sj-on-bus", label);
		gtk_widget_set_focusable(label, TRUE);
		gtk_widget_set_focusable(label, FALSE);
	}
	gtk_label_set_text(GTK_LABEL(label), text);
	gtk_accessible_update_property(GTK_ACCESSIBLE(label), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
#endif
}

#endif
