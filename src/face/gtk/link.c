/* Links in a paragraph: by pointer, by keyboard, and for assistive technology. */
#include "face/gtk/internal.h"

void sj_gtk_link_free(gpointer p)
{
	g_free(((struct sj_gtk_link *)p)->address);
	g_free(p);
}

const char *sj_gtk_link_at(GtkWidget *label, double x, double y)
{
	GPtrArray *links = g_object_get_data(G_OBJECT(label), "sj-links");
	int left, top, index, trailing;
	if (!links || !GTK_IS_LABEL(label))
		return NULL;
	PangoLayout *layout = gtk_label_get_layout(GTK_LABEL(label));
	gtk_label_get_layout_offsets(GTK_LABEL(label), &left, &top);
	if (!pango_layout_xy_to_index(layout, (int)((x - left) * PANGO_SCALE), (int)((y - top) * PANGO_SCALE),
	                                        &index, &trailing))
		return NULL;
	for (guint i = 0; i < links->len; i++) {
		const struct sj_gtk_link *l = links->pdata[i];
		if ((guint)index >= l->start && (guint)index < l->end)
			return l->address;
	}
	return NULL;
}

static struct sj_gtk_node *owner_of(GtkWidget *label)
{
	for (GtkWidget *w = label; w; w = gtk_widget_get_parent(w))
		if (sj_gtk_node_of(w))
			return sj_gtk_node_of(w);
	return NULL;
}

static void on_click(GtkGestureClick *g, int n, double x, double y, gpointer label)
{
	const char *address = sj_gtk_link_at(label, x, y);
	struct sj_gtk_node *node = owner_of(label);
	(void)g;
	(void)n;
	if (address && node)
		sj_gtk_follow(node, address);
}

/* The links of a paragraph share a stop of the keyboard, a box around its label, for a GtkLabel takes no focus: the
 * arrows go from one to the next, Enter follows. The one that Enter would follow has a double line below it and is told
 * of in the description. */
static guint current_link(GtkWidget *label)
{
	return GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(label), "sj-link-at"));
}

static void mark_link(GtkWidget *label, bool focused)
{
	GPtrArray *links = g_object_get_data(G_OBJECT(label), "sj-links");
	PangoAttrList *plain = g_object_get_data(G_OBJECT(label), "sj-attributes");
	const struct sj_gtk_link *l =
		links && current_link(label) < links->len ? links->pdata[current_link(label)] : NULL;
	if (!l || !plain)
		return;
	PangoAttrList *list = pango_attr_list_copy(plain);
	if (focused) {
		PangoAttribute *a = pango_attr_underline_new(PANGO_UNDERLINE_DOUBLE);
		a->start_index = l->start;
		a->end_index = l->end;
		pango_attr_list_change(list, a);
	}
	gtk_label_set_attributes(GTK_LABEL(label), list);
	pango_attr_list_unref(list);
	char *about = links->len > 1 ? g_strdup_printf(_("Link %u of %u: %s"), current_link(label) + 1, links->len,
	                                               l->address)
	                             : g_strdup_printf(_("Link: %s"), l->address);
	GtkAccessible *stop = GTK_ACCESSIBLE(gtk_widget_get_parent(label));
	gtk_accessible_update_property(stop, GTK_ACCESSIBLE_PROPERTY_LABEL, gtk_label_get_text(GTK_LABEL(label)), -1);
	gtk_accessible_update_property(stop, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, about, -1);
	g_free(about);
}

static gboolean on_key(GtkEventControllerKey *k, guint key, guint code, GdkModifierType mods, gpointer label)
{
	GPtrArray *links = g_object_get_data(G_OBJECT(label), "sj-links");
	struct sj_gtk_node *node = owner_of(label);
	(void)k;
	(void)code;
	(void)mods;
	if (!links || links->len == 0 || !node)
		return GDK_EVENT_PROPAGATE;
	guint at = MIN(current_link(label), links->len - 1);
	bool on = key == GDK_KEY_Right || key == GDK_KEY_Down, back = key == GDK_KEY_Left || key == GDK_KEY_Up;
	const struct sj_gtk_link *l = links->pdata[at];
	if (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter) {
		sj_gtk_follow(node, l->address);
		return GDK_EVENT_STOP;
	}
	if ((!on || at + 1 >= links->len) && (!back || at == 0))
		return GDK_EVENT_PROPAGATE;
	g_object_set_data(G_OBJECT(label), "sj-link-at", GUINT_TO_POINTER(on ? at + 1 : at - 1));
	mark_link(label, true);
	l = links->pdata[current_link(label)];
	char *words = g_strndup(gtk_label_get_text(GTK_LABEL(label)) + l->start, l->end - l->start);
	sj_gtk_say(node->surface, words, false);
	g_free(words);
	return GDK_EVENT_STOP;
}

static void on_enter(GtkEventControllerFocus *c, gpointer label)
{
	(void)c;
	mark_link(label, true);
}

static void on_leave(GtkEventControllerFocus *c, gpointer label)
{
	(void)c;
	mark_link(label, false);
}

/* ---- the box ----------------------------------------------------------------------------------------------------- */

struct _SjGtkStop {
	GtkWidget parent_instance;
	GtkWidget *label;
};

G_DEFINE_TYPE(SjGtkStop, sj_gtk_stop, GTK_TYPE_WIDGET)

static void follow(GtkWidget *stop, const char *action, GVariant *args)
{
	GtkWidget *label = SJ_GTK_STOP(stop)->label;
	GPtrArray *links = g_object_get_data(G_OBJECT(label), "sj-links");
	struct sj_gtk_node *node = owner_of(label);
	(void)action;
	(void)args;
	if (links && node && current_link(label) < links->len)
		sj_gtk_follow(node, ((struct sj_gtk_link *)links->pdata[current_link(label)])->address);
}

static void dispose(GObject *o)
{
	g_clear_pointer(&SJ_GTK_STOP(o)->label, gtk_widget_unparent);
	G_OBJECT_CLASS(sj_gtk_stop_parent_class)->dispose(o);
}

static void sj_gtk_stop_class_init(SjGtkStopClass *c)
{
	GtkWidgetClass *w = GTK_WIDGET_CLASS(c);
	G_OBJECT_CLASS(c)->dispose = dispose;
	gtk_widget_class_set_layout_manager_type(w, GTK_TYPE_BIN_LAYOUT);
	gtk_widget_class_install_action(w, "link.follow", NULL, follow); /* an action of AT-SPI, too */
}

static void sj_gtk_stop_init(SjGtkStop *s) { gtk_widget_set_focusable(GTK_WIDGET(s), TRUE); }

GtkWidget *sj_gtk_stop_new(GtkWidget *label, bool whole)
{
	SjGtkStop *stop = g_object_new(SJ_GTK_TYPE_STOP, "accessible-role",
	                               whole ? GTK_ACCESSIBLE_ROLE_LINK : GTK_ACCESSIBLE_ROLE_LABEL, NULL);
	GtkGesture *click = gtk_gesture_click_new();
	GtkEventController *keys = gtk_event_controller_key_new(), *focus = gtk_event_controller_focus_new();
	g_signal_connect(click, "released", G_CALLBACK(on_click), label);
	g_signal_connect(keys, "key-pressed", G_CALLBACK(on_key), label);
	g_signal_connect(focus, "enter", G_CALLBACK(on_enter), label);
	g_signal_connect(focus, "leave", G_CALLBACK(on_leave), label);
	gtk_widget_add_controller(label, GTK_EVENT_CONTROLLER(click));
	gtk_widget_add_controller(GTK_WIDGET(stop), keys);
	gtk_widget_add_controller(GTK_WIDGET(stop), focus);
	stop->label = label;
	gtk_widget_set_parent(label, GTK_WIDGET(stop));
	sj_gtk_hide(label, true); /* its words are the name */
	return GTK_WIDGET(stop);
}

GtkWidget *sj_gtk_stop_label(GtkWidget *stop) { return SJ_GTK_STOP(stop)->label; }

void sj_gtk_set_links(GtkWidget *label, GPtrArray *links)
{
	g_object_set_data_full(G_OBJECT(label), "sj-links", links, (GDestroyNotify)g_ptr_array_unref);
	if (!links)
		return;
	if (current_link(label) >= links->len)
		g_object_set_data(G_OBJECT(label), "sj-link-at", NULL);
	g_object_set_data_full(G_OBJECT(label), "sj-attributes",
	                       pango_attr_list_copy(gtk_label_get_attributes(GTK_LABEL(label))),
	                       (GDestroyNotify)pango_attr_list_unref);
	mark_link(label, gtk_widget_has_focus(gtk_widget_get_parent(label)));
}
