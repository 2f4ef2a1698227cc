/* Names and descriptions for assistive technology, by what the agent says of a node and else by what is visible. */
#include "face/gtk/internal.h"

static GtkAccessible *target_of(struct sj_gtk_node *n) { return GTK_ACCESSIBLE(n->control ? n->control : n->widget); }

/* NULL: a text says itself. */
static char *visible_name(struct sj_gtk_node *n)
{
	if (n->kind == SJ_UI_BUTTON)
		return sj_gtk_words(n, n->id);
	if (n->kind == SJ_UI_IMAGE || n->kind == SJ_UI_VIDEO || n->kind == SJ_UI_AUDIO)
		return sj_gtk_line(n, SJ_P_DESCRIPTION);
	return n->kind == SJ_UI_TEXT || n->kind == SJ_UI_ICON ? NULL : sj_gtk_line(n, SJ_P_LABEL);
}

void sj_gtk_name(struct sj_gtk_node *n)
{
	char *label = sj_gtk_line(n, SJ_P_A11Y_LABEL), *about = sj_gtk_line(n, SJ_P_A11Y_DESCRIPTION);
	bool hidden = sj_gtk_true(n, SJ_P_A11Y_HIDDEN);

	if (!*label) {
		g_free(label);
		label = visible_name(n);
	}
	if (label && !*label && n->kind == SJ_UI_TEXT_FIELD) {
		g_free(label);
		label = sj_gtk_line(n, SJ_P_PLACEHOLDER);
	}
	if (label && *label)
		gtk_accessible_update_property(target_of(n), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
	if (*about)
		gtk_accessible_update_property(target_of(n), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, about, -1);
	else if (n->fault && gtk_widget_get_visible(n->fault))
		gtk_accessible_update_property(target_of(n), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
		                               gtk_label_get_text(GTK_LABEL(n->fault)), -1);
	else
		gtk_accessible_reset_property(target_of(n), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
	/* The subtree leaves the tree of assistive technology and the order of the focus. */
	gtk_accessible_update_state(GTK_ACCESSIBLE(n->widget), GTK_ACCESSIBLE_STATE_HIDDEN, hidden, -1);
	if (gtk_widget_get_can_focus(n->widget) == hidden)
		gtk_widget_set_can_focus(n->widget, !hidden);
	g_free(label);
	g_free(about);
}
