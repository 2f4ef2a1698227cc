/* What a thing says when it is pointed at. GTK's own tooltips are windows: an agent's words in one could lie over the
 * frame around a surface, or over another's. So they stand at the lower edge of the surface, inside its bounds. */
#include "face/gtk/internal.h"

#define DELAY_MS 400

struct tips {
	GtkWidget *overlay, *label;
	char *text; /* to be shown when the pointer has rested */
	guint timer;
};

void sj_gtk_tip(GtkWidget *widget, const char *text)
{
	g_object_set_data_full(G_OBJECT(widget), "sj-tip", text && *text ? g_strdup(text) : NULL, g_free);
}

const char *sj_gtk_tip_of(GtkWidget *widget) { return g_object_get_data(G_OBJECT(widget), "sj-tip"); }

static const char *tip_at(struct tips *t, double x, double y)
{
	GtkWidget *w = gtk_widget_pick(t->overlay, x, y, GTK_PICK_INSENSITIVE);
	for (; w && w != t->overlay; w = gtk_widget_get_parent(w)) {
		graphene_point_t from = {(float)x, (float)y}, to;
		const char *address = gtk_widget_compute_point(t->overlay, w, &from, &to)
		                              ? sj_gtk_link_at(w, (double)to.x, (double)to.y)
		                              : NULL;
		if (address || sj_gtk_tip_of(w))
			return address ? address : sj_gtk_tip_of(w);
	}
	return NULL;
}

static gboolean show(gpointer data)
{
	struct tips *t = data;
	t->timer = 0;
	gtk_label_set_text(GTK_LABEL(t->label), t->text);
	gtk_widget_set_visible(t->label, TRUE);
	return G_SOURCE_REMOVE;
}

static void want(struct tips *t, const char *text)
{
	if (g_strcmp0(t->text, text) == 0)
		return;
	g_clear_handle_id(&t->timer, g_source_remove);
	g_free(t->text);
	t->text = g_strdup(text);
	gtk_widget_set_visible(t->label, FALSE);
	if (text)
		t->timer = g_timeout_add(DELAY_MS, show, t);
}

static void on_motion(GtkEventControllerMotion *c, double x, double y, gpointer data)
{
	(void)c;
	want(data, tip_at(data, x, y));
}

static void on_leave(GtkEventControllerMotion *c, gpointer data)
{
	(void)c;
	want(data, NULL);
}

static void tips_free(gpointer data)
{
	struct tips *t = data;
	g_clear_handle_id(&t->timer, g_source_remove);
	g_free(t->text);
	g_free(t);
}

void sj_gtk_tips_show_in(GtkWidget *overlay)
{
	struct tips *t = g_new0(struct tips, 1);
	GtkEventController *motion = gtk_event_controller_motion_new();
	t->overlay = overlay;
	t->label = sj_gtk_label_new(0);
	gtk_label_set_wrap_mode(GTK_LABEL(t->label), PANGO_WRAP_WORD_CHAR);
	gtk_label_set_lines(GTK_LABEL(t->label), 4);
	gtk_label_set_ellipsize(GTK_LABEL(t->label), PANGO_ELLIPSIZE_END);
	gtk_widget_add_css_class(t->label, "sj-tip");
	gtk_widget_set_halign(t->label, GTK_ALIGN_START);
	gtk_widget_set_valign(t->label, GTK_ALIGN_END);
	gtk_widget_set_can_target(t->label, FALSE);
	gtk_widget_set_visible(t->label, FALSE);
	sj_gtk_hide(t->label, true); /* what it says is a description already */
	gtk_overlay_add_overlay(GTK_OVERLAY(overlay), t->label);
	g_signal_connect(motion, "motion", G_CALLBACK(on_motion), t);
	g_signal_connect(motion, "leave", G_CALLBACK(on_leave), t);
	gtk_widget_add_controller(overlay, motion);
	g_object_set_data_full(G_OBJECT(overlay), "sj-tips", t, tips_free);
}
