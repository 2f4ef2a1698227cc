/* The widget of a picture: its sizes, and where the texture goes. */
#include "face/gtk/picture.h"

#include <math.h>

#define WORDS_FROM 90 /* pixels: a frame that is smaller has no room for words */

struct _SjGtkPicture {
	GtkWidget parent_instance;
	const struct sj_gtk_frame *frame;
	enum sj_gtk_fit fit;
	GdkTexture *texture;
	int width, height; /* natural */
	GtkWidget *blank, *glyph, *words;
};

G_DEFINE_TYPE(SjGtkPicture, sj_gtk_picture, GTK_TYPE_WIDGET)

graphene_rect_t sj_gtk_fit_rect(enum sj_gtk_fit fit, double width, double height, double area_width, double area_height)
{
	double across = area_width / width, down = area_height / height, w = width, h = height, scale = 1;
	switch (fit) {
	case SJ_GTK_FILL:
		return GRAPHENE_RECT_INIT(0, 0, (float)area_width, (float)area_height);
	case SJ_GTK_FIT_NONE_SAID:
	case SJ_GTK_COVER:
		scale = MAX(across, down);
		break;
	case SJ_GTK_CONTAIN:
		scale = MIN(across, down);
		break;
	case SJ_GTK_SCALE_DOWN:
		scale = MIN(1, MIN(across, down));
		break;
	case SJ_GTK_NATURAL:
		break;
	}
	w *= scale;
	h *= scale;
	return GRAPHENE_RECT_INIT((float)((area_width - w) / 2), (float)((area_height - h) / 2), (float)w, (float)h);
}

static void measure(GtkWidget *w, GtkOrientation axis, int across, int *least, int *natural, int *b1, int *b2)
{
	SjGtkPicture *p = SJ_GTK_PICTURE(w);
	const struct sj_gtk_frame *f = p->frame;
	(void)b1;
	(void)b2;
	if (axis == GTK_ORIENTATION_HORIZONTAL) {
		*least = f->least;
		*natural = f->width;
		return;
	}
	*least = *natural = f->height;
	if (f->wide && !f->cropped && p->texture) {
		double ratio = (double)p->height / p->width;
		*natural = (int)lround(CLAMP(ratio * (across > 0 ? across : f->width), 1, f->tallest));
		*least = *natural;
	} else if (across > 0 && !f->cropped && across < f->width) {
		*least = *natural = MAX(1, f->height * across / f->width);
	}
}

static void size_allocate(GtkWidget *w, int width, int height, int baseline)
{
	SjGtkPicture *p = SJ_GTK_PICTURE(w);
	GtkAllocation all = {0, 0, width, height};
	gtk_widget_set_child_visible(p->blank, !p->texture);
	if (p->texture)
		return;
	/* A box is never allocated less than its least: what is too much is cut off by the frame. */
	int w0, h0;
	gtk_widget_measure(p->blank, GTK_ORIENTATION_HORIZONTAL, -1, &w0, NULL, NULL, NULL);
	all.width = MAX(width, w0);
	gtk_widget_measure(p->blank, GTK_ORIENTATION_VERTICAL, all.width, &h0, NULL, NULL, NULL);
	all.height = MAX(height, h0);
	all.x = (width - all.width) / 2;
	all.y = (height - all.height) / 2;
	gtk_widget_size_allocate(p->blank, &all, baseline);
}

static void snapshot(GtkWidget *w, GtkSnapshot *s)
{
	SjGtkPicture *p = SJ_GTK_PICTURE(w);
	int width = gtk_widget_get_width(w), height = gtk_widget_get_height(w);
	if (!p->texture) {
		gtk_widget_snapshot_child(w, p->blank, s);
		return;
	}
	graphene_rect_t at =
		sj_gtk_fit_rect(p->frame->cropped ? SJ_GTK_COVER : p->fit, p->width, p->height, width, height);
	gtk_snapshot_push_clip(s, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
	gtk_snapshot_append_texture(s, p->texture, &at);
	gtk_snapshot_pop(s);
}

static GtkSizeRequestMode request_mode(GtkWidget *w)
{
	(void)w;
	return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void dispose(GObject *o)
{
	SjGtkPicture *p = SJ_GTK_PICTURE(o);
	g_clear_object(&p->texture);
	g_clear_pointer(&p->blank, gtk_widget_unparent);
	G_OBJECT_CLASS(sj_gtk_picture_parent_class)->dispose(o);
}

static void sj_gtk_picture_class_init(SjGtkPictureClass *c)
{
	GtkWidgetClass *w = GTK_WIDGET_CLASS(c);
	G_OBJECT_CLASS(c)->dispose = dispose;
	w->measure = measure;
	w->size_allocate = size_allocate;
	w->snapshot = snapshot;
	w->get_request_mode = request_mode;
	gtk_widget_class_set_css_name(w, "picture");
	gtk_widget_class_set_accessible_role(w, GTK_ACCESSIBLE_ROLE_IMG);
}

static void sj_gtk_picture_init(SjGtkPicture *p)
{
	static const struct sj_gtk_frame plain = {.width = 200, .height = 150, .least = 40};
	p->frame = &plain;
	p->blank = g_object_new(GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 4, "accessible-role",
	                        GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
	p->glyph = sj_gtk_glyph_new(32);
	p->words = gtk_label_new(NULL);
	gtk_label_set_wrap(GTK_LABEL(p->words), TRUE);
	gtk_label_set_lines(GTK_LABEL(p->words), 3);
	gtk_label_set_ellipsize(GTK_LABEL(p->words), PANGO_ELLIPSIZE_END);
	gtk_label_set_justify(GTK_LABEL(p->words), GTK_JUSTIFY_CENTER);
	gtk_widget_add_css_class(p->words, "caption");
	gtk_widget_set_valign(p->glyph, GTK_ALIGN_END);
	gtk_widget_set_vexpand(p->glyph, TRUE);
	gtk_widget_set_valign(p->words, GTK_ALIGN_START);
	gtk_widget_set_vexpand(p->words, TRUE);
	gtk_box_append(GTK_BOX(p->blank), p->glyph);
	gtk_box_append(GTK_BOX(p->blank), p->words);
	gtk_widget_set_parent(p->blank, GTK_WIDGET(p));
	gtk_widget_set_overflow(GTK_WIDGET(p), GTK_OVERFLOW_HIDDEN);
	gtk_widget_add_css_class(GTK_WIDGET(p), "sj-picture");
}

bool sj_gtk_picture_is_wide(const SjGtkPicture *p) { return p->frame->wide; }

GtkWidget *sj_gtk_picture_new(void) { return g_object_new(SJ_GTK_TYPE_PICTURE, NULL); }

static void set_class(SjGtkPicture *p, const char *name, bool on)
{
	if (on)
		gtk_widget_add_css_class(GTK_WIDGET(p), name);
	else
		gtk_widget_remove_css_class(GTK_WIDGET(p), name);
}

void sj_gtk_picture_set_frame(SjGtkPicture *p, const struct sj_gtk_frame *frame, enum sj_gtk_fit fit)
{
	p->frame = frame;
	p->fit = fit;
	sj_gtk_glyph_set_size(SJ_GTK_GLYPH(p->glyph), frame->height >= WORDS_FROM ? 32 : 16);
	set_class(p, "sj-round", frame->round);
	gtk_widget_queue_resize(GTK_WIDGET(p));
}

void sj_gtk_picture_set(SjGtkPicture *p, GdkTexture *texture, int width, int height, const struct sj_gtk_drawing *d,
                        const char *words)
{
	g_set_object(&p->texture, texture);
	p->width = width;
	p->height = height;
	set_class(p, "sj-blank", !texture);
	gtk_widget_set_visible(p->glyph, d != NULL);
	if (d)
		sj_gtk_glyph_set_drawing(SJ_GTK_GLYPH(p->glyph), d);
	gtk_label_set_text(GTK_LABEL(p->words), words ? words : "");
	bool told = words && *words && p->frame->height >= WORDS_FROM;
	gtk_widget_set_visible(p->words, told);
	/* Alone in the middle, or above its words. */
	gtk_widget_set_valign(p->glyph, told ? GTK_ALIGN_END : GTK_ALIGN_CENTER);
	gtk_widget_queue_resize(GTK_WIDGET(p));
}
