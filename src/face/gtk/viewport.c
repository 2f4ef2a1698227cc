/* The scrolling part of a surface: one child, as wide as there is room, scrolled vertically. What the person looks at
 * stays where it is while the heights of what is above change from guesses to facts. */
#include "face/gtk/internal.h"

#include <math.h>

struct _SjGtkViewport {
	GtkWidget parent_instance;
	GtkWidget *child;
	GtkAdjustment *across, *down;
	GtkWidget *anchor;      /* weak: what stood at the upper edge when it was last looked at */
	double anchor_y;        /* and where its upper edge was */
	GtkWidget *focus;       /* weak: to be scrolled to after the next layout */
	GtkRoot *root;
	gulong focus_signal;
	bool moving;            /* we set an adjustment ourselves */
	bool begun;             /* it has once been wider than there is room */
	void (*moved)(void *ctx);
	void *ctx;
};

enum { PROP_0, PROP_HADJUSTMENT, PROP_VADJUSTMENT, PROP_HSCROLL_POLICY, PROP_VSCROLL_POLICY };

G_DEFINE_TYPE_WITH_CODE(SjGtkViewport, sj_gtk_viewport, GTK_TYPE_WIDGET,
                        G_IMPLEMENT_INTERFACE(GTK_TYPE_SCROLLABLE, NULL))

static bool top_of(SjGtkViewport *v, GtkWidget *w, double *y, double *height)
{
	graphene_rect_t r;
	if (!gtk_widget_compute_bounds(w, GTK_WIDGET(v), &r))
		return false;
	*y = (double)r.origin.y;
	*height = (double)r.size.height;
	return true;
}

/* ---- the anchor -------------------------------------------------------------------------------------------------- */

static void remember_anchor(SjGtkViewport *v)
{
	GtkWidget *best = NULL, *at = v->child;
	double best_y = 0, y, height, room = gtk_widget_get_height(GTK_WIDGET(v));

	while (at) {
		GtkWidget *next = NULL;
		for (GtkWidget *c = gtk_widget_get_first_child(at); c && !next; c = gtk_widget_get_next_sibling(c))
			if (gtk_widget_get_child_visible(c) && gtk_widget_get_visible(c) && top_of(v, c, &y, &height) &&
			    y + height > 0 && height > 0)
				next = c;
		if (!next)
			break;
		best = next;
		best_y = y;
		at = height > room / 4 ? next : NULL;
	}
	g_set_weak_pointer(&v->anchor, best);
	v->anchor_y = best_y;
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *least, int *natural,
                    int *least_base, int *natural_base)
{
	SjGtkViewport *v = SJ_GTK_VIEWPORT(widget);
	*least = *natural = 0;
	*least_base = *natural_base = -1;
	if (v->child)
		gtk_widget_measure(v->child, orientation, for_size, least, natural, NULL, NULL);
	*least = orientation == GTK_ORIENTATION_VERTICAL ? 0 : MIN(*least, 120); /* the rest is scrolled to */
}

static void place(SjGtkViewport *v, int width, int height)
{
	GtkAllocation at = {-(int)gtk_adjustment_get_value(v->across), -(int)round(gtk_adjustment_get_value(v->down)),
	                    width, height};
	gtk_widget_size_allocate(v->child, &at, -1);
}

static void adjust(GtkAdjustment *a, double value, double upper, double page)
{
	double most = MAX(upper - page, 0);
	gtk_adjustment_configure(a, CLAMP(value, 0, most), 0, MAX(upper, page), 48, page * 0.9, page);
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
	SjGtkViewport *v = SJ_GTK_VIEWPORT(widget);
	int least = 0, tall = 0;
	double y, h;
	(void)baseline;
	if (!v->child || !v->across || !v->down)
		return;
	gtk_widget_measure(v->child, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
	int wide = MAX(least, width);
	gtk_widget_measure(v->child, GTK_ORIENTATION_VERTICAL, wide, NULL, &tall, NULL, NULL);
	tall = MAX(tall, height);
	v->moving = true;
	/* What is too wide begins where reading begins. */
	bool begins_right = !v->begun && gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL;
	adjust(v->across, begins_right ? wide : gtk_adjustment_get_value(v->across), wide, width);
	v->begun = v->begun || wide > width;
	adjust(v->down, gtk_adjustment_get_value(v->down), tall, height);
	place(v, wide, tall);
	if (v->anchor && gtk_adjustment_get_value(v->down) > 0 && top_of(v, v->anchor, &y, &h) &&
	    fabs(y - v->anchor_y) >= 1) {
		adjust(v->down, gtk_adjustment_get_value(v->down) + y - v->anchor_y, tall, height);
		place(v, wide, tall);
	}
	v->moving = false;
	remember_anchor(v);
	if (v->focus) {
		GtkWidget *focus = v->focus;
		g_clear_weak_pointer(&v->focus);
		sj_gtk_viewport_show(v, focus);
	}
	if (v->moved)
		v->moved(v->ctx);
}

static void value_changed(GtkAdjustment *a, gpointer data)
{
	SjGtkViewport *v = SJ_GTK_VIEWPORT(data);
	(void)a;
	if (v->moving)
		return;
	g_clear_weak_pointer(&v->anchor); /* the person moved: what is there now is taken after the next layout */
	gtk_widget_queue_allocate(GTK_WIDGET(v));
}

void sj_gtk_viewport_show(SjGtkViewport *v, GtkWidget *widget)
{
	double y, height, room = gtk_widget_get_height(GTK_WIDGET(v));
	if (!gtk_widget_is_ancestor(widget, GTK_WIDGET(v)) || !top_of(v, widget, &y, &height) || room <= 0)
		return;
	double value = gtk_adjustment_get_value(v->down), at = value + y, space = MIN(24, room / 4);
	if (y < space)
		gtk_adjustment_set_value(v->down, MAX(at - space, 0));
	else if (y + height + space > room)
		gtk_adjustment_set_value(v->down, height + 2 * space > room ? at - space : at + height + space - room);
}

static void focus_moved(GtkRoot *root, GParamSpec *spec, gpointer data)
{
	SjGtkViewport *v = SJ_GTK_VIEWPORT(data);
	GtkWidget *focus = gtk_root_get_focus(root);
	(void)spec;
	if (!focus || !gtk_widget_is_ancestor(focus, GTK_WIDGET(v)))
		return;
	g_set_weak_pointer(&v->focus, focus);
	gtk_widget_queue_allocate(GTK_WIDGET(v));
}

static void root(GtkWidget *widget)
{
	SjGtkViewport *v = SJ_GTK_VIEWPORT(widget);
	GTK_WIDGET_CLASS(sj_gtk_viewport_parent_class)->root(widget);
	v->root = gtk_widget_get_root(widget);
	v->focus_signal = g_signal_connect(v->root, "notify::focus-widget", G_CALLBACK(focus_moved), v);
}

static void unroot(GtkWidget *widget)
{
	SjGtkViewport *v = SJ_GTK_VIEWPORT(widget);
	g_clear_signal_handler(&v->focus_signal, v->root);
	v->root = NULL;
	GTK_WIDGET_CLASS(sj_gtk_viewport_parent_class)->unroot(widget);
}

/* ---- the object -------------------------------------------------------------------------------------------------- */

static void set_adjustment(SjGtkViewport *v, GtkAdjustment **at, GtkAdjustment *a)
{
	if (!a)
		a = gtk_adjustment_new(0, 0, 0, 0, 0, 0);
	if (*at) {
		g_signal_handlers_disconnect_by_data(*at, v);
		g_object_unref(*at);
	}
	*at = g_object_ref_sink(a);
	g_signal_connect(a, "value-changed", G_CALLBACK(value_changed), v);
	gtk_widget_queue_allocate(GTK_WIDGET(v));
}

static void set_property(GObject *o, guint id, const GValue *value, GParamSpec *spec)
{
	SjGtkViewport *v = SJ_GTK_VIEWPORT(o);
	(void)spec;
	if (id == PROP_HADJUSTMENT)
		set_adjustment(v, &v->across, g_value_get_object(value));
	else if (id == PROP_VADJUSTMENT)
		set_adjustment(v, &v->down, g_value_get_object(value));
}

static void get_property(GObject *o, guint id, GValue *value, GParamSpec *spec)
{
	SjGtkViewport *v = SJ_GTK_VIEWPORT(o);
	(void)spec;
	if (id == PROP_HADJUSTMENT)
		g_value_set_object(value, v->across);
	else if (id == PROP_VADJUSTMENT)
		g_value_set_object(value, v->down);
	else
		g_value_set_enum(value, id == PROP_HSCROLL_POLICY ? GTK_SCROLL_MINIMUM : GTK_SCROLL_NATURAL);
}

static void dispose(GObject *o)
{
	SjGtkViewport *v = SJ_GTK_VIEWPORT(o);
	v->moved = NULL;
	g_clear_weak_pointer(&v->anchor);
	g_clear_weak_pointer(&v->focus);
	g_clear_pointer(&v->child, gtk_widget_unparent);
	if (v->across)
		g_signal_handlers_disconnect_by_data(v->across, v);
	if (v->down)
		g_signal_handlers_disconnect_by_data(v->down, v);
	g_clear_object(&v->across);
	g_clear_object(&v->down);
	G_OBJECT_CLASS(sj_gtk_viewport_parent_class)->dispose(o);
}

static GtkSizeRequestMode request_mode(GtkWidget *widget)
{
	(void)widget;
	return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void sj_gtk_viewport_class_init(SjGtkViewportClass *c)
{
	GObjectClass *o = G_OBJECT_CLASS(c);
	GtkWidgetClass *w = GTK_WIDGET_CLASS(c);
	o->set_property = set_property;
	o->get_property = get_property;
	o->dispose = dispose;
	w->measure = measure;
	w->size_allocate = size_allocate;
	w->get_request_mode = request_mode;
	w->root = root;
	w->unroot = unroot;
	g_object_class_override_property(o, PROP_HADJUSTMENT, "hadjustment");
	g_object_class_override_property(o, PROP_VADJUSTMENT, "vadjustment");
	g_object_class_override_property(o, PROP_HSCROLL_POLICY, "hscroll-policy");
	g_object_class_override_property(o, PROP_VSCROLL_POLICY, "vscroll-policy");
	gtk_widget_class_set_accessible_role(w, GTK_ACCESSIBLE_ROLE_GENERIC);
}

static void sj_gtk_viewport_init(SjGtkViewport *v) { gtk_widget_set_overflow(GTK_WIDGET(v), GTK_OVERFLOW_HIDDEN); }

SjGtkViewport *sj_gtk_viewport_new(GtkWidget *child, void (*moved)(void *ctx), void *ctx)
{
	SjGtkViewport *v = g_object_new(SJ_GTK_TYPE_VIEWPORT, NULL);
	v->child = child;
	v->moved = moved;
	v->ctx = ctx;
	gtk_widget_set_parent(child, GTK_WIDGET(v));
	return v;
}
