/* Pictures and recordings. Nothing is fetched: a picture that is not at hand is a frame with its description, and a
 * recording that is not at hand, or that nothing here can play, says what it is and where. */
#include "face/gtk/internal.h"
#include "face/gtk/picture.h"

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

/* Section 19 of the requirements; the sizes of the reference renderers. The first is the default. */
static const struct sj_gtk_frame FRAMES[] = {
	{"mediumFeature", 200, 150, 40, 300, .wide = true},
	{"icon", 24, 24, 24, 24},
	{"avatar", 40, 40, 40, 40, .cropped = true, .round = true},
	{"smallFeature", 100, 100, 40, 100},
	{"largeFeature", 300, 220, 40, 400, .wide = true},
	{"header", 300, 200, 40, 200, .wide = true, .cropped = true},
};

struct picture {
	struct sj_gtk_image *use; /* NULL: none */
	const char *why;          /* there is no use */
	const struct sj_gtk_drawing *drawing;
	char *words;
};

/* Asks the core nothing: it runs when an image is there, and the surface may be closed by then. */
static void picture_show(void *ctx)
{
	struct sj_gtk_node *n = ctx;
	struct picture *p = n->data;
	SjGtkPicture *w = SJ_GTK_PICTURE(n->widget);
	struct sj_gtk_image_state s = p->use ? sj_gtk_image_state(p->use) : (struct sj_gtk_image_state){.why = p->why};
	sj_gtk_picture_set(w, s.texture, s.width, s.height, s.loading ? NULL : p->drawing, s.loading ? NULL : p->words);
	char *tip = s.why && *p->words ? g_strdup_printf("%s\n%s", p->words, s.why) : NULL;
	sj_gtk_tip(n->widget, tip ? tip : s.why ? s.why : *p->words ? p->words : NULL);
	gtk_accessible_update_state(GTK_ACCESSIBLE(n->widget), GTK_ACCESSIBLE_STATE_BUSY, s.loading, -1);
	g_free(tip);
}

static void picture_build(struct sj_gtk_node *n)
{
	n->data = g_new0(struct picture, 1);
	n->widget = sj_gtk_picture_new();
	sj_gtk_hide_parts(n->widget); /* it is its name */
}

static void load(struct sj_gtk_node *n)
{
	struct picture *p = n->data;
	const struct sj_value *url = sj_gtk_value(n, SJ_P_URL);
	struct sj_gtk_image *before = p->use;
	p->use = NULL;
	p->why = NULL;
	if (url && sj_value_is_string(url))
		p->use = sj_gtk_image_use(sj_gtk_images(n->surface), sj_value_text(url), picture_show, n, &p->why);
	sj_gtk_image_drop(before); /* after the new one: it may be the same bytes */
}

static enum sj_gtk_fit fit_of(struct sj_gtk_node *n)
{
	static const struct {
		const char *word;
		enum sj_gtk_fit fit;
	} words[] = {{"contain", SJ_GTK_CONTAIN},
	             {"cover", SJ_GTK_COVER},
	             {"fill", SJ_GTK_FILL},
	             {"none", SJ_GTK_NATURAL},
	             {"scaleDown", SJ_GTK_SCALE_DOWN},
	             {"scale-down", SJ_GTK_SCALE_DOWN}};
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (sj_gtk_is(n, SJ_P_FIT, words[i].word))
			return words[i].fit;
	return SJ_GTK_FIT_NONE_SAID;
}

static void picture_update(struct sj_gtk_node *n, uint64_t mask)
{
	struct picture *p = n->data;
	if (mask & (SJ_GTK_BIT(VARIANT) | SJ_GTK_BIT(FIT))) {
		const struct sj_gtk_frame *frame = &FRAMES[0];
		for (size_t i = 0; i < G_N_ELEMENTS(FRAMES); i++)
			if (sj_gtk_is(n, SJ_P_VARIANT, FRAMES[i].variant))
				frame = &FRAMES[i];
		p->drawing = sj_gtk_drawing(frame->round ? SJ_LIT("person") : SJ_LIT("photo"));
		sj_gtk_picture_set_frame(SJ_GTK_PICTURE(n->widget), frame, fit_of(n));
	}
	g_free(p->words);
	p->words = sj_gtk_line(n, SJ_P_DESCRIPTION);
	if (mask & SJ_GTK_BIT(URL))
		load(n);
	picture_show(n);
}

static void picture_finish(struct sj_gtk_node *n)
{
	struct picture *p = n->data;
	sj_gtk_image_drop(p->use);
	g_free(p->words);
	g_free(p);
	n->data = NULL;
}

const struct sj_gtk_class SJ_GTK_IMAGE = {.build = picture_build, .update = picture_update, .finish = picture_finish};

/* ---- recordings -------------------------------------------------------------------------------------------------- */

static const struct sj_gtk_frame POSTER = {"poster", 300, 170, 40, 400, .wide = true};

struct media {
	GtkWidget *card, *words, *address, *poster, *player;
	struct sj_gtk_image *use; /* the poster */
};

/* GTK plays through a module of its own, which is a package of its own; without it there is a class that refuses. */
static bool can_play(void)
{
	GIOExtensionPoint *point = g_io_extension_point_lookup(GTK_MEDIA_FILE_EXTENSION_POINT_NAME);
	for (GList *l = point ? g_io_extension_point_get_extensions(point) : NULL; l; l = l->next)
		if (strcmp(g_type_name(g_io_extension_get_type(l->data)), "GtkNoMediaFile") != 0)
			return true;
	return false;
}

static void media_build(struct sj_gtk_node *n)
{
	struct media *m = g_new0(struct media, 1);
	GtkWidget *words = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2), *icon = sj_gtk_glyph_new(32);
	n->data = m;
	n->widget = g_object_new(GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 8, "accessible-role",
	                         GTK_ACCESSIBLE_ROLE_GROUP, NULL);
	m->card = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
	gtk_widget_add_css_class(m->card, "sj-placeholder");
	sj_gtk_glyph_set_drawing(SJ_GTK_GLYPH(icon),
	                         sj_gtk_drawing(n->kind == SJ_UI_VIDEO ? SJ_LIT("play") : SJ_LIT("volumeUp")));
	m->words = sj_gtk_label_new(0);
	m->address = gtk_label_new(NULL);
	gtk_label_set_xalign(GTK_LABEL(m->address), 0);
	gtk_label_set_ellipsize(GTK_LABEL(m->address), PANGO_ELLIPSIZE_MIDDLE);
	gtk_label_set_selectable(GTK_LABEL(m->address), TRUE);
	gtk_widget_add_css_class(m->address, "caption");
	gtk_widget_add_css_class(m->address, "dim-label");
	gtk_widget_set_hexpand(words, TRUE);
	gtk_box_append(GTK_BOX(words), m->words);
	sj_gtk_hide(m->words, true);
	gtk_box_append(GTK_BOX(words), m->address);
	gtk_box_append(GTK_BOX(m->card), icon);
	sj_gtk_hide(icon, true);
	gtk_box_append(GTK_BOX(m->card), words);
	gtk_box_append(GTK_BOX(n->widget), m->card);
}

static void poster_show(void *ctx)
{
	struct sj_gtk_node *n = ctx;
	struct media *m = n->data;
	struct sj_gtk_image_state s = sj_gtk_image_state(m->use);
	if (m->poster) {
		sj_gtk_picture_set(SJ_GTK_PICTURE(m->poster), s.texture, s.width, s.height, NULL, NULL);
		gtk_widget_set_visible(m->poster, s.texture != NULL);
	}
}

static void load_poster(struct sj_gtk_node *n)
{
	struct media *m = n->data;
	const struct sj_value *url = sj_gtk_value(n, SJ_P_POSTER);
	struct sj_gtk_image *before = m->use;
	const char *why;
	m->use = url && sj_value_is_string(url)
	                 ? sj_gtk_image_use(sj_gtk_images(n->surface), sj_value_text(url), poster_show, n, &why)
	                 : NULL;
	sj_gtk_image_drop(before);
	if (m->use && !m->poster) {
		m->poster = sj_gtk_picture_new();
		sj_gtk_picture_set_frame(SJ_GTK_PICTURE(m->poster), &POSTER, SJ_GTK_CONTAIN);
		sj_gtk_hide(m->poster, true);
		gtk_box_prepend(GTK_BOX(n->widget), m->poster);
	}
	if (m->use)
		poster_show(n);
	else if (m->poster)
		gtk_widget_set_visible(m->poster, FALSE);
}

static void load_player(struct sj_gtk_node *n, const char *url)
{
	struct media *m = n->data;
	const struct sj_gtk_host *host = sj_gtk_host(n->surface);
	GBytes *bytes = *url && host->resource && can_play() ? host->resource(host->ctx, url) : NULL;
	if (m->player)
		gtk_box_remove(GTK_BOX(n->widget), m->player);
	m->player = NULL;
	if (bytes) {
		GInputStream *in = g_memory_input_stream_new_from_bytes(bytes);
		GtkMediaStream *stream = gtk_media_file_new_for_input_stream(in);
		m->player = n->kind == SJ_UI_VIDEO ? gtk_video_new_for_media_stream(stream)
		                                   : gtk_media_controls_new(stream);
		gtk_box_append(GTK_BOX(n->widget), m->player);
		if (n->kind == SJ_UI_VIDEO)
			gtk_widget_set_size_request(m->player, -1, POSTER.height);
		g_object_unref(stream);
		g_object_unref(in);
		g_bytes_unref(bytes);
	}
	gtk_widget_set_tooltip_text(m->card, !*url        ? _("There is no address.")
	                                     : can_play() ? _("Recordings from elsewhere are not loaded.")
	                                                  : _("Nothing on this system plays recordings."));
	gtk_widget_set_visible(m->card, !m->player);
}

static void media_update(struct sj_gtk_node *n, uint64_t mask)
{
	struct media *m = n->data;
	char *words = sj_gtk_line(n, SJ_P_DESCRIPTION), *url = sj_gtk_line(n, SJ_P_URL);
	gtk_label_set_text(GTK_LABEL(m->words), *words ? words : n->kind == SJ_UI_VIDEO ? _("Video") : _("Audio"));
	gtk_label_set_text(GTK_LABEL(m->address), url);
	gtk_widget_set_visible(m->address, *url != 0);
	if (mask & SJ_GTK_BIT(URL))
		load_player(n, url);
	if (mask & SJ_GTK_BIT(POSTER))
		load_poster(n);
	g_free(words);
	g_free(url);
}

static void media_finish(struct sj_gtk_node *n)
{
	struct media *m = n->data;
	sj_gtk_image_drop(m->use);
	g_free(m);
	n->data = NULL;
}

const struct sj_gtk_class SJ_GTK_MEDIA = {.build = media_build, .update = media_update, .finish = media_finish};
