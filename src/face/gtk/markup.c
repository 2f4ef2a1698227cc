/* Markdown as labels with Pango attributes. Nothing an agent wrote is ever parsed as Pango markup. */
#include "face/gtk/internal.h"

#include "text/markdown.h"

static bool is_link(const struct sj_md_span *span) { return span->flags & SJ_MD_LINK && span->href.len > 0; }

static bool has_links(const struct sj_md *md, const struct sj_md_para *p)
{
	for (uint32_t i = p->first; i < p->first + p->count; i++)
		if (is_link(&md->spans[i]))
			return true;
	return false;
}

/* ---- one paragraph ----------------------------------------------------------------------------------------------- */

static void add(PangoAttrList *list, PangoAttribute *a, guint start, guint end)
{
	a->start_index = start;
	a->end_index = end;
	pango_attr_list_insert(list, a);
}

static void set_spans(GtkWidget *label, const struct sj_md *md, const struct sj_md_para *p, bool links_work)
{
	PangoAttrList *list = pango_attr_list_new();
	GString *text = g_string_new(NULL);
	GPtrArray *links = NULL;

	for (uint32_t i = p->first; i < p->first + p->count && text->len < SJ_GTK_TEXT_MOST; i++) {
		const struct sj_md_span *span = &md->spans[i];
		char *words = sj_gtk_clean(span->text, SJ_GTK_TEXT_MOST, true);
		guint start = (guint)text->len;
		g_string_append(text, words);
		guint end = (guint)text->len;
		g_free(words);
		if (span->flags & SJ_MD_BOLD)
			add(list, pango_attr_weight_new(PANGO_WEIGHT_BOLD), start, end);
		if (span->flags & SJ_MD_ITALIC)
			add(list, pango_attr_style_new(PANGO_STYLE_ITALIC), start, end);
		if (span->flags & SJ_MD_STRIKE)
			add(list, pango_attr_strikethrough_new(TRUE), start, end);
		if (span->flags & SJ_MD_CODE_SPAN)
			add(list, pango_attr_family_new("monospace"), start, end);
		if (links_work && is_link(span)) {
			struct sj_gtk_link *l = g_new(struct sj_gtk_link, 1);
			*l = (struct sj_gtk_link){start, end, sj_gtk_clean(span->href, 2048, false)};
			add(list, pango_attr_underline_new(PANGO_UNDERLINE_SINGLE), start, end);
			if (!links)
				links = g_ptr_array_new_with_free_func(sj_gtk_link_free);
			g_ptr_array_add(links, l);
		}
	}
	if (p->block == SJ_MD_CODE)
		add(list, pango_attr_family_new("monospace"), 0, (guint)text->len);
	sj_gtk_label_set(label, text->str);
	/* GTK 4.8 calls a label without words "GtkLabel", and also one whose name was taken back. */
	if (text->len == 0 || g_object_get_data(G_OBJECT(label), "sj-named")) {
		g_object_set_data(G_OBJECT(label), "sj-named", label);
		gtk_accessible_update_property(GTK_ACCESSIBLE(label), GTK_ACCESSIBLE_PROPERTY_LABEL, text->str, -1);
	}
	gtk_label_set_attributes(GTK_LABEL(label), list);
	if (SJ_GTK_IS_STOP(gtk_widget_get_parent(label)))
		sj_gtk_set_links(label, links);
	pango_attr_list_unref(list);
	g_string_free(text, TRUE);
}

static const char *const HEADINGS[] = {"title-1", "title-2", "title-3", "title-4", "heading", "heading"};

static const char *style_of(const struct sj_md *md, const struct sj_md_para *p, const char *style)
{
	if (p->block == SJ_MD_HEADING)
		return HEADINGS[(p->level - 1u) % 6];
	if (style && style[0] == 'h' && style[1] >= '1' && style[1] <= '6' && style[2] == 0 && md->npara == 1)
		return HEADINGS[style[1] - '1'];
	return p->block == SJ_MD_QUOTE ? "sj-quote" : p->block == SJ_MD_CODE ? "sj-code" : NULL;
}

static GtkWidget *paragraph(const struct sj_md *md, const struct sj_md_para *p, const char *style, float align,
                            bool links)
{
	const char *class = style_of(md, p, style);
	if (p->block == SJ_MD_RULE)
		return gtk_separator_new(GTK_ORIENTATION_HORIZONTAL);
	GtkWidget *label = sj_gtk_label_new(align), *stop = label;
	if (links && has_links(md, p))
		stop = sj_gtk_stop_new(label, p->count == 1);
	set_spans(label, md, p, links && stop != label);
	if (class)
		gtk_widget_add_css_class(label, class);
	guint level = p->block == SJ_MD_HEADING           ? p->level
	              : style && style[0] == 'h' && class ? (guint)(style[1] - '0')
	                                                  : 0;
	if (level > 0) {
		g_object_set(stop, "accessible-role", GTK_ACCESSIBLE_ROLE_HEADING, NULL);
		gtk_accessible_update_property(GTK_ACCESSIBLE(stop), GTK_ACCESSIBLE_PROPERTY_LEVEL, level, -1);
	}
	if (style && strcmp(style, "caption") == 0) {
		gtk_widget_add_css_class(label, "caption");
		gtk_widget_add_css_class(label, "dim-label");
	}
	if (p->block != SJ_MD_ITEM) {
		if (p->level > 0 && p->block == SJ_MD_PARAGRAPH)
			gtk_widget_set_margin_start(stop, 20 * p->level);
		return stop;
	}
	GtkWidget *row = g_object_new(GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_GENERIC, NULL), *mark;
	char *text = p->number > 0 ? g_strdup_printf("%u.", p->number) : g_strdup("•");
	mark = gtk_label_new(text);
	sj_gtk_hide(mark, p->number == 0);
	g_free(text);
	gtk_widget_set_valign(mark, GTK_ALIGN_START);
	gtk_widget_set_size_request(mark, 20 * p->level, -1);
	gtk_label_set_xalign(GTK_LABEL(mark), 1);
	gtk_widget_set_margin_end(mark, 8);
	gtk_widget_set_hexpand(stop, TRUE);
	gtk_box_append(GTK_BOX(row), mark);
	gtk_box_append(GTK_BOX(row), stop);
	return row;
}

/* ---- the text ---------------------------------------------------------------------------------------------------- */

GtkWidget *sj_gtk_markup_new(void)
{
	GtkWidget *box = g_object_new(GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6,
	                              "accessible-role", GTK_ACCESSIBLE_ROLE_GENERIC, NULL);
	gtk_widget_set_valign(box, GTK_ALIGN_START);
	return box;
}

/* Text that is still arriving keeps its label, so that a screen reader and a selection do not lose it. */
static bool same_shape(GtkWidget *box, const struct sj_md *md, const char *style, bool links)
{
	GtkWidget *only = gtk_widget_get_first_child(box);
	const char *was = g_object_get_data(G_OBJECT(box), "sj-style");
	return only && !gtk_widget_get_next_sibling(only) && md->npara == 1 &&
	       (links && has_links(md, &md->paras[0]) ? SJ_GTK_IS_STOP(only) : GTK_IS_LABEL(only)) &&
	       md->paras[0].block == SJ_MD_PARAGRAPH && md->paras[0].level == 0 &&
	       g_object_get_data(G_OBJECT(box), "sj-plain") && g_strcmp0(was, style) == 0;
}

void sj_gtk_markup_set(GtkWidget *box, struct sj_gtk_node *n, struct sj_slice text, const char *style, float align)
{
	struct sj_mem mem;
	struct sj_arena arena;
	struct sj_md md;
	bool links = sj_gtk_has_links(n->surface);

	sj_mem_init(&mem, NULL, 0);
	sj_arena_init(&arena, &mem, 0);
	if (sj_md_parse(&arena, text, &md) != SJ_OK)
		g_error("out of memory");
	if (same_shape(box, &md, style, links)) {
		GtkWidget *only = gtk_widget_get_first_child(box);
		set_spans(SJ_GTK_IS_STOP(only) ? sj_gtk_stop_label(only) : only, &md, &md.paras[0], links);
	} else {
		GtkWidget *child;
		while ((child = gtk_widget_get_first_child(box)))
			gtk_box_remove(GTK_BOX(box), child);
		for (uint32_t i = 0; i < md.npara; i++)
			gtk_box_append(GTK_BOX(box), paragraph(&md, &md.paras[i], style, align, links));
		bool plain = md.npara == 1 && md.paras[0].block == SJ_MD_PARAGRAPH;
		g_object_set_data(G_OBJECT(box), "sj-plain", GINT_TO_POINTER(plain));
		g_object_set_data_full(G_OBJECT(box), "sj-style", g_strdup(style), g_free);
	}
	sj_arena_finish(&arena);
}
