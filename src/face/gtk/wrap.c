/* Plain widgets side by side that go on in further lines: chips, stars. Each has its natural width. */
#include "face/gtk/internal.h"

struct _SjGtkWrap {
	GtkWidget parent_instance;
};

G_DEFINE_TYPE(SjGtkWrap, sj_gtk_wrap, GTK_TYPE_WIDGET)

#define GAP 6

/* Lays out for a width; gives places when `place`. Returns the height. */
static int lay(SjGtkWrap *w, int width, bool place)
{
	bool rtl = gtk_widget_get_direction(GTK_WIDGET(w)) == GTK_TEXT_DIR_RTL;
	int x = 0, y = 0, line = 0;
	for (GtkWidget *c = gtk_widget_get_first_child(GTK_WIDGET(w)); c; c = gtk_widget_get_next_sibling(c)) {
		int least, natural, height;
		if (!gtk_widget_should_layout(c))
			continue;
		gtk_widget_measure(c, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL, NULL);
		natural = width >= 0 ? MAX(least, MIN(natural, width)) : natural;
		gtk_widget_measure(c, GTK_ORIENTATION_VERTICAL, natural, NULL, &height, NULL, NULL);
		if (x > 0 && width >= 0 && x + natural > width) {
			x = 0;
			y += line + GAP;
			line = 0;
		}
		if (place) {
			GtkAllocation at = {rtl ? width - x - natural : x, y, natural, height};
			gtk_widget_size_allocate(c, &at, -1);
		}
		x += natural + GAP;
		line = MAX(line, height);
	}
	return y + line;
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *least, int *natural,
                    int *least_base, int *natural_base)
{
	*least = *natural = 0;
	*least_base = *natural_base = -1;
	if (orientation == GTK_ORIENTATION_VERTICAL) {
		*least = *natural = lay(SJ_GTK_WRAP(widget), for_size, false);
		return;
	}
	for (GtkWidget *c = gtk_widget_get_first_child(widget); c; c = gtk_widget_get_next_sibling(c)) {
		int min, nat;
		if (!gtk_widget_should_layout(c))
			continue;
		gtk_widget_measure(c, orientation, -1, &min, &nat, NULL, NULL);
		*least = MAX(*least, min);
		*natural += nat + (*natural > 0 ? GAP : 0);
	}
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
	(void)height;
	(void)baseline;
	lay(SJ_GTK_WRAP(widget), width, true);
}

static GtkSizeRequestMode request_mode(GtkWidget *widget)
{
	(void)widget;
	return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

void sj_gtk_wrap_clear(SjGtkWrap *w)
{
	GtkWidget *child;
	while ((child = gtk_widget_get_first_child(GTK_WIDGET(w))))
		gtk_widget_unparent(child);
}

static void dispose(GObject *o)
{
	sj_gtk_wrap_clear(SJ_GTK_WRAP(o));
	G_OBJECT_CLASS(sj_gtk_wrap_parent_class)->dispose(o);
}

static void sj_gtk_wrap_class_init(SjGtkWrapClass *c)
{
	GtkWidgetClass *w = GTK_WIDGET_CLASS(c);
	G_OBJECT_CLASS(c)->dispose = dispose;
	w->measure = measure;
	w->size_allocate = size_allocate;
	w->get_request_mode = request_mode;
}

static void sj_gtk_wrap_init(SjGtkWrap *w) { (void)w; }

SjGtkWrap *sj_gtk_wrap_new(GtkAccessibleRole role)
{
	return g_object_new(SJ_GTK_TYPE_WRAP, "accessible-role", role, NULL);
}

void sj_gtk_wrap_append(SjGtkWrap *w, GtkWidget *child) { gtk_widget_insert_before(child, GTK_WIDGET(w), NULL); }
