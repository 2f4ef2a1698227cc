/* Containers that show one of several things: tabs, and dialogs with what opens them. */
#include "face/gtk/internal.h"
#include "surface/a11y.h"

/* ---- tabs -------------------------------------------------------------------------------------------------------- */

struct tabs {
	GtkWidget *bar, *panel;
	guint count;
};

static uint32_t selected(struct sj_gtk_node *n)
{
	const struct sj_value *at = sj_node_local(sj_gtk_core(n->surface), n->id, SJ_LIT("selected"));
	const struct sj_value *tabs = sj_gtk_value(n, SJ_P_TABS);
	uint32_t count = tabs && tabs->type == SJ_V_ARRAY ? sj_value_count(tabs) : 0;
	return at && at->type == SJ_V_INT && at->u.i >= 0 && at->u.i < count ? (uint32_t)at->u.i : 0;
}

static void show_page(struct sj_gtk_node *n)
{
	struct sj_surface *core = sj_gtk_core(n->surface);
	struct tabs *t = n->data;
	uint32_t at = selected(n), count = 0, all = sj_node_child_count(core, n->id);
	sj_node_id *ids = g_new(sj_node_id, all + 1);
	for (uint32_t i = 0; i < all; i++) {
		struct sj_edge edge;
		sj_node_child_edge(core, n->id, i, &edge);
		sj_node_id child = sj_node_child(core, n->id, i);
		if (edge.index == at && sj_node_why(core, child) != SJ_WHY_HIDDEN)
			ids[count++] = child;
	}
	sj_gtk_flex_set_nodes(n->box, ids, count);
	g_free(ids);
	guint i = 0;
	for (GtkWidget *b = gtk_widget_get_first_child(t->bar); b; b = gtk_widget_get_next_sibling(b), i++) {
		gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(b), i == at);
		gtk_accessible_update_state(GTK_ACCESSIBLE(b), GTK_ACCESSIBLE_STATE_SELECTED, i == at, -1);
		if (i == at)
			gtk_accessible_update_property(GTK_ACCESSIBLE(n->box), GTK_ACCESSIBLE_PROPERTY_LABEL,
			                               gtk_button_get_label(GTK_BUTTON(b)), -1);
	}
}

static void on_tab(GtkToggleButton *b, gpointer data)
{
	struct sj_gtk_node *n = data;
	if (n->updating)
		return;
	sj_gtk_set_local(n, "selected", sj_value_int(GPOINTER_TO_INT(g_object_get_data(G_OBJECT(b), "sj-tab"))));
	n->updating = true;
	show_page(n);
	n->updating = false;
}

static void tabs_build(struct sj_gtk_node *n)
{
	struct tabs *t = g_new0(struct tabs, 1);
	GtkWidget *scroller = g_object_new(GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy", GTK_POLICY_EXTERNAL,
	                                   "vscrollbar-policy", GTK_POLICY_NEVER, NULL);
	n->data = t;
	n->widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
	t->bar = g_object_new(GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_TAB_LIST, "spacing", 2, NULL);
	gtk_widget_add_css_class(t->bar, "sj-tabs");
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), t->bar);
	n->control = t->bar;
	n->box = sj_gtk_flex_new(n->surface, GTK_ORIENTATION_VERTICAL, GTK_ACCESSIBLE_ROLE_TAB_PANEL);
	gtk_box_append(GTK_BOX(n->widget), scroller);
	gtk_box_append(GTK_BOX(n->widget), GTK_WIDGET(n->box));
}

static void tabs_update(struct sj_gtk_node *n, uint64_t mask)
{
	struct tabs *t = n->data;
	const struct sj_value *tabs = sj_gtk_value(n, SJ_P_TABS);
	uint32_t count = tabs && tabs->type == SJ_V_ARRAY ? MIN(sj_value_count(tabs), SJ_GTK_OPTIONS) : 0, i = 0;
	if (!(mask & SJ_GTK_BIT(TABS)))
		return;
	for (; t->count > count; t->count--)
		gtk_box_remove(GTK_BOX(t->bar), gtk_widget_get_last_child(t->bar));
	for (; t->count < count; t->count++) {
		GtkWidget *b = g_object_new(GTK_TYPE_TOGGLE_BUTTON, "accessible-role", GTK_ACCESSIBLE_ROLE_TAB, NULL);
		gtk_widget_add_css_class(b, "flat");
		g_object_set_data(G_OBJECT(b), "sj-tab", GINT_TO_POINTER((int)t->count));
		g_signal_connect(b, "clicked", G_CALLBACK(on_tab), n);
		gtk_box_append(GTK_BOX(t->bar), b);
	}
	for (GtkWidget *b = gtk_widget_get_first_child(t->bar); b; b = gtk_widget_get_next_sibling(b), i++) {
		const struct sj_value *tab = sj_value_item(tabs, i);
		const struct sj_value *title = tab->type == SJ_V_OBJECT ? sj_value_get(tab, SJ_LIT("title")) : NULL;
		char *text = sj_gtk_value_text(title, SJ_GTK_LABEL_MOST, false);
		gtk_button_set_label(GTK_BUTTON(b), *text ? text : "?");
		sj_gtk_hide_parts(b);
		gtk_accessible_update_property(GTK_ACCESSIBLE(b), GTK_ACCESSIBLE_PROPERTY_LABEL, *text ? text : "?",
		                               -1);
		g_free(text);
	}
	show_page(n);
}

static void data_free(struct sj_gtk_node *n)
{
	g_free(n->data);
	n->data = NULL;
}

const struct sj_gtk_class SJ_GTK_TABS = {.build = tabs_build, .update = tabs_update, .local = show_page,
                                         .children = show_page, .finish = data_free, .bare = true};

/* ---- a dialog ---------------------------------------------------------------------------------------------------- */

struct modal {
	SjGtkFlex *content; /* while it is open */
	GtkWidget *sheet;
};

static sj_node_id child_in(struct sj_gtk_node *n, enum sj_ui_prop p)
{
	struct sj_surface *core = sj_gtk_core(n->surface);
	for (uint32_t i = 0; i < sj_node_child_count(core, n->id); i++) {
		struct sj_edge edge;
		sj_node_child_edge(core, n->id, i, &edge);
		if (edge.ui == p)
			return sj_node_child(core, n->id, i);
	}
	return 0;
}

static void on_closed(void *ctx) { sj_gtk_set_local(ctx, "open", sj_value_bool(false)); }

static void on_trigger(GtkButton *b, gpointer n)
{
	(void)b;
	sj_gtk_set_local(n, "open", sj_value_bool(true));
}

static void modal_children(struct sj_gtk_node *n)
{
	struct modal *m = n->data;
	sj_node_id trigger = child_in(n, SJ_P_TRIGGER), content = child_in(n, SJ_P_CONTENT);
	sj_gtk_flex_set_nodes(n->box, &trigger, trigger != 0);
	if (m->content)
		sj_gtk_flex_set_nodes(m->content, &content, content != 0);
}

static void modal_build(struct sj_gtk_node *n)
{
	struct sj_surface *core = sj_gtk_core(n->surface);
	sj_node_id trigger = child_in(n, SJ_P_TRIGGER);
	n->data = g_new0(struct modal, 1);
	n->box = sj_gtk_flex_new(n->surface, GTK_ORIENTATION_HORIZONTAL, GTK_ACCESSIBLE_ROLE_GENERIC);
	/* A button opens it by itself (controls.c); anything else is put into one. */
	if (trigger && sj_node_kind(core, trigger) == SJ_UI_BUTTON && sj_node_why(core, trigger) == SJ_WHY_SHOWN) {
		n->widget = GTK_WIDGET(n->box);
	} else {
		n->widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
		GtkWidget *button = gtk_button_new();
		char *words = trigger ? sj_gtk_words(n, trigger) : g_strdup(_("Open"));
		gtk_button_set_child(GTK_BUTTON(button), GTK_WIDGET(n->box));
		sj_gtk_hide_parts(button);
		gtk_widget_add_css_class(button, "flat");
		gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
		g_signal_connect(button, "clicked", G_CALLBACK(on_trigger), n);
		gtk_box_append(GTK_BOX(n->widget), button);
		n->control = button;
		g_free(words);
	}
	modal_children(n);
}

static void close_sheet(struct sj_gtk_node *n)
{
	struct modal *m = n->data;
	if (!m->sheet)
		return;
	sj_gtk_flex_drop_all(m->content);
	sj_gtk_sheet_close(n->surface, m->sheet);
	m->sheet = NULL;
	m->content = NULL;
}

/* Of the dialog: what it is called, else the first heading in it, else what opens it. */
static void modal_name(struct sj_gtk_node *n)
{
	struct modal *m = n->data;
	struct sj_a11y_tree facts;
	if (!m->sheet)
		return;
	if (sj_a11y_node(sj_gtk_core(n->surface), n->id, &facts) != SJ_OK)
		g_error("out of memory");
	if (facts.items.count > 0 && facts.items.items[0].name.len > 0) {
		char *name = sj_gtk_clean(facts.items.items[0].name, SJ_GTK_LABEL_MOST, false);
		sj_gtk_sheet_name(m->sheet, name);
		g_free(name);
	}
	sj_a11y_finish(&facts);
}

static void modal_local(struct sj_gtk_node *n)
{
	struct modal *m = n->data;
	const struct sj_value *open = sj_node_local(sj_gtk_core(n->surface), n->id, SJ_LIT("open"));
	bool is_open = open && open->type == SJ_V_TRUE;
	sj_node_id trigger = child_in(n, SJ_P_TRIGGER);
	struct sj_gtk_node *opener = trigger ? sj_gtk_find(n->surface, trigger) : NULL;
	if (n->control || (opener && opener->control))
		gtk_accessible_update_state(GTK_ACCESSIBLE(n->control ? n->control : opener->control),
		                            GTK_ACCESSIBLE_STATE_EXPANDED, is_open, -1);
	if (is_open && !m->sheet) {
		m->content = sj_gtk_flex_new(n->surface, GTK_ORIENTATION_VERTICAL, GTK_ACCESSIBLE_ROLE_GENERIC);
		char *title = trigger ? sj_gtk_words(n, trigger) : g_strdup("");
		m->sheet = sj_gtk_sheet_open(n->surface, GTK_WIDGET(m->content), title, on_closed, n);
		g_free(title);
		modal_name(n);
		modal_children(n);
	} else if (!is_open && m->sheet) {
		close_sheet(n);
		struct sj_gtk_node *t = trigger ? sj_gtk_find(n->surface, trigger) : NULL;
		if (n->control || (t && t->control))
			gtk_widget_grab_focus(n->control ? n->control : t->control);
	}
}

static void modal_finish(struct sj_gtk_node *n)
{
	close_sheet(n);
	data_free(n);
}

static void modal_flags(struct sj_gtk_node *n) { modal_name(n); }

const struct sj_gtk_class SJ_GTK_MODAL = {.build = modal_build, .local = modal_local, .children = modal_children,
                                          .finish = modal_finish, .flags = modal_flags, .bare = true};
