/* A GtkCheckButton that can be pressed through AT-SPI, which GTK 4.8 offers for buttons only; and that is a radio
 * button by role where it stands in a group. An action of the widget's class is an action of its accessible object. */
#include "face/gtk/internal.h"

struct _SjGtkCheckButton {
	GtkCheckButton parent_instance;
};

G_DEFINE_TYPE(SjGtkCheckButton, sj_gtk_check_button, GTK_TYPE_CHECK_BUTTON)

static void press(GtkWidget *w, const char *action, GVariant *args)
{
	(void)action;
	(void)args;
	if (gtk_widget_is_sensitive(w))
		gtk_widget_activate(w);
}

static void sj_gtk_check_button_class_init(SjGtkCheckButtonClass *c)
{
	gtk_widget_class_install_action(GTK_WIDGET_CLASS(c), "check.press", NULL, press);
}

static void sj_gtk_check_button_init(SjGtkCheckButton *b) { (void)b; }

GtkWidget *sj_gtk_check_button_new(GtkAccessibleRole role, GtkWidget *label)
{
	GtkWidget *b = g_object_new(SJ_GTK_TYPE_CHECK_BUTTON, "accessible-role", role, NULL);
	if (label)
		gtk_check_button_set_child(GTK_CHECK_BUTTON(b), label);
	sj_gtk_hide_parts(b);
	return b;
}
