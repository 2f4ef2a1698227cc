#include "app/widgets.h"

#include "app/words.h"
#include "face/gtk/widget.h"

/* ---- StageRow: one stage of a delivery and when it is; lighter than an amount of money --------------------------- */

struct stage {
	GtkWidget *name, *when;
};

static void stage_build(struct sj_gtk_node *n)
{
	struct stage *s = g_new0(struct stage, 1);
	n->data = s;
	n->widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
	s->name = sj_gtk_label_new(0);
	gtk_widget_set_hexpand(s->name, TRUE);
	s->when = sj_gtk_label_new(1);
	gtk_widget_add_css_class(s->when, "dim-label");
	gtk_box_append(GTK_BOX(n->widget), s->name);
	gtk_box_append(GTK_BOX(n->widget), s->when);
}

static void stage_update(struct sj_gtk_node *n, uint64_t mask)
{
	struct stage *s = n->data;
	char *name = sj_gtk_line(n, SJ_P_LABEL), *when = sj_gtk_line(n, SJ_P_VALUE);
	(void)mask;
	sj_gtk_label_set(s->name, name);
	sj_gtk_label_set(s->when, when);
	g_free(name);
	g_free(when);
}

static void data_free(struct sj_gtk_node *n)
{
	g_free(n->data);
	n->data = NULL;
}

static const struct sj_gtk_class STAGE = {.build = stage_build, .update = stage_update, .finish = data_free};

/* ---- Question: of a survey; its state is told at its side -------------------------------------------------------- */

struct question {
	GtkWidget *words, *state;
};

static void question_build(struct sj_gtk_node *n)
{
	struct question *q = g_new0(struct question, 1);
	GtkWidget *head = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
	n->data = q;
	n->widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
	gtk_widget_add_css_class(n->widget, "card");
	gtk_widget_add_css_class(n->widget, "sj-card");
	q->words = sj_gtk_label_new(0);
	gtk_widget_set_hexpand(q->words, TRUE);
	gtk_widget_add_css_class(q->words, "heading");
	q->state = gtk_image_new();
	gtk_widget_set_valign(q->state, GTK_ALIGN_START);
	gtk_box_append(GTK_BOX(head), q->words);
	gtk_box_append(GTK_BOX(head), q->state);
	gtk_box_append(GTK_BOX(n->widget), head);
	n->box = sj_gtk_flex_new(n->surface, GTK_ORIENTATION_VERTICAL, GTK_ACCESSIBLE_ROLE_GENERIC);
	sj_gtk_flex_follow(n->box, n->id);
	gtk_box_append(GTK_BOX(n->widget), GTK_WIDGET(n->box));
}

static void question_update(struct sj_gtk_node *n, uint64_t mask)
{
	struct question *q = n->data;
	char *words = sj_gtk_line(n, SJ_P_LABEL);
	bool required = sj_gtk_true(n, SJ_P_REQUIRED);
	(void)mask;
	sj_gtk_label_set(q->words, words);
	gtk_widget_set_visible(q->state, required);
	gtk_image_set_from_icon_name(GTK_IMAGE(q->state), "emblem-important-symbolic");
	gtk_widget_set_tooltip_text(q->state, _("An answer is needed"));
	gtk_accessible_update_property(GTK_ACCESSIBLE(n->widget), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
	g_free(words);
}

static const struct sj_gtk_class QUESTION = {.build = question_build, .update = question_update, .finish = data_free};

static const struct sj_gtk_named WIDGETS[] = {{"StageRow", &STAGE}, {"Question", &QUESTION}};

/* It stands beside this program, built or installed. */
static const char *decoder(void)
{
	char *self = g_file_read_link("/proc/self/exe", NULL), *folder = self ? g_path_get_dirname(self) : NULL;
	char *path = folder ? g_build_filename(folder, "shoji-decode", NULL) : NULL;
	const char *kept = path && g_file_test(path, G_FILE_TEST_IS_EXECUTABLE) ? g_intern_string(path) : NULL;
	g_free(path);
	g_free(folder);
	g_free(self);
	return kept;
}

void app_widgets(struct sj_gtk_host *host)
{
	host->decoder = decoder();
	host->widgets = WIDGETS;
	host->nwidgets = G_N_ELEMENTS(WIDGETS);
}
