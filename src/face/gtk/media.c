/* Pictures and recordings. Nothing is fetched: a picture that is not at hand is a frame with its description. */
#include "face/gtk/internal.h"

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

struct picture {
	GtkWidget *frame, *icon, *words;
};

static const struct {
	const char *variant;
	int width, height;
} SIZES[] = {{"icon", 24, 24},           {"avatar", 40, 40},        {"smallFeature", 100, 100},
             {"mediumFeature", 200, 150}, {"largeFeature", 300, 220}, {"header", -1, 200}};

static void picture_build(struct sj_gtk_node *n)
{
	struct picture *p = g_new0(struct picture, 1);
	n->data = p;
	n->widget = g_object_new(GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "accessible-role",
	                         GTK_ACCESSIBLE_ROLE_IMG, NULL);
	p->frame = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
	gtk_widget_set_valign(p->frame, GTK_ALIGN_CENTER);
	gtk_widget_set_vexpand(p->frame, TRUE);
	p->icon = gtk_image_new_from_icon_name("image-x-generic-symbolic");
	p->words = gtk_label_new(NULL);
	gtk_label_set_wrap(GTK_LABEL(p->words), TRUE);
	gtk_label_set_lines(GTK_LABEL(p->words), 3);
	gtk_label_set_ellipsize(GTK_LABEL(p->words), PANGO_ELLIPSIZE_END);
	gtk_label_set_justify(GTK_LABEL(p->words), GTK_JUSTIFY_CENTER);
	gtk_widget_add_css_class(p->words, "caption");
	gtk_widget_add_css_class(n->widget, "sj-picture");
	gtk_box_append(GTK_BOX(p->frame), p->icon);
	gtk_box_append(GTK_BOX(p->frame), p->words);
	gtk_box_append(GTK_BOX(n->widget), p->frame);
	sj_gtk_hide_parts(n->widget); /* it is its name */
}

static void picture_update(struct sj_gtk_node *n, uint64_t mask)
{
	struct picture *p = n->data;
	char *words = sj_gtk_line(n, SJ_P_DESCRIPTION), *variant = sj_gtk_line(n, SJ_P_VARIANT);
	int width = 200, height = 150;
	(void)mask;
	for (size_t i = 0; i < G_N_ELEMENTS(SIZES); i++)
		if (strcmp(variant, SIZES[i].variant) == 0) {
			width = SIZES[i].width;
			height = SIZES[i].height;
		}
	gtk_widget_set_size_request(n->widget, width, height);
	if (strcmp(variant, "avatar") == 0) {
		gtk_image_set_from_icon_name(GTK_IMAGE(p->icon), "avatar-default-symbolic");
		gtk_widget_add_css_class(n->widget, "sj-round");
	}
	gtk_image_set_pixel_size(GTK_IMAGE(p->icon), height >= 150 ? 32 : 16);
	gtk_label_set_text(GTK_LABEL(p->words), words);
	gtk_widget_set_visible(p->words, *words && height >= 100);
	gtk_widget_set_tooltip_text(n->widget, *words ? words : NULL);
	g_free(words);
	g_free(variant);
}

static void data_free(struct sj_gtk_node *n)
{
	g_free(n->data);
	n->data = NULL;
}

const struct sj_gtk_class SJ_GTK_IMAGE = {.build = picture_build, .update = picture_update, .finish = data_free};

/* ---- recordings -------------------------------------------------------------------------------------------------- */

struct media {
	GtkWidget *icon, *words, *address;
};

static void media_build(struct sj_gtk_node *n)
{
	struct media *m = g_new0(struct media, 1);
	GtkWidget *words = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
	n->data = m;
	n->widget = g_object_new(GTK_TYPE_BOX, "spacing", 12, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
	gtk_widget_add_css_class(n->widget, "sj-placeholder");
	m->icon = gtk_image_new_from_icon_name(n->kind == SJ_UI_VIDEO ? "video-x-generic-symbolic"
	                                                             : "audio-x-generic-symbolic");
	m->words = gtk_label_new(NULL);
	m->address = gtk_label_new(NULL);
	gtk_label_set_xalign(GTK_LABEL(m->words), 0);
	gtk_label_set_xalign(GTK_LABEL(m->address), 0);
	gtk_label_set_ellipsize(GTK_LABEL(m->address), PANGO_ELLIPSIZE_MIDDLE);
	gtk_label_set_wrap(GTK_LABEL(m->words), TRUE);
	gtk_widget_add_css_class(m->address, "caption");
	gtk_widget_add_css_class(m->address, "dim-label");
	gtk_box_append(GTK_BOX(words), m->words);
	sj_gtk_hide(m->words, true);
	gtk_box_append(GTK_BOX(words), m->address);
	gtk_box_append(GTK_BOX(n->widget), m->icon);
	sj_gtk_hide(m->icon, true);
	gtk_box_append(GTK_BOX(n->widget), words);
}

static void media_update(struct sj_gtk_node *n, uint64_t mask)
{
	struct media *m = n->data;
	char *words = sj_gtk_line(n, SJ_P_DESCRIPTION), *url = sj_gtk_line(n, SJ_P_URL);
	(void)mask;
	gtk_label_set_text(GTK_LABEL(m->words), *words ? words : n->kind == SJ_UI_VIDEO ? _("Video") : _("Audio"));
	gtk_label_set_text(GTK_LABEL(m->address), url);
	gtk_widget_set_visible(m->address, *url != 0);
	g_free(words);
	g_free(url);
}

const struct sj_gtk_class SJ_GTK_MEDIA = {.build = media_build, .update = media_update, .finish = data_free};
