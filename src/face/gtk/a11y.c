/* What assistive technology is told: roles, names, descriptions, what is hidden, and what is announced. The facts are
 * those of the accessibility tree (surface/a11y.h); this is how GTK is told them.
 *
 * GTK 4.8 tells the platform of a subset: no "required", no heading level, no place in a set, of relations only
 * labelled by, described by, controls and flows to. What has no place goes into the description
 * (docs/accessibility.md).
 */
#include "face/gtk/internal.h"
#include "surface/a11y.h"

/* ---- roles ------------------------------------------------------------------------------------------------------- */

static bool is_plain(GtkWidget *w)
{
	GtkAccessibleRole role = gtk_accessible_get_accessible_role(GTK_ACCESSIBLE(w));
	return (G_OBJECT_TYPE(w) == GTK_TYPE_BOX || SJ_GTK_IS_FLEX(w)) &&
	       (role == GTK_ACCESSIBLE_ROLE_GROUP || role == GTK_ACCESSIBLE_ROLE_GENERIC);
}

/* A box has no say in what it is until it is shown for the first time: a row of a list, a group, or nothing but
 * layout. */
void sj_gtk_role(struct sj_gtk_node *n)
{
	struct sj_surface *core = sj_gtk_core(n->surface);
	sj_node_id up = sj_node_parent(core, n->id);
	GtkAccessibleRole role = GTK_ACCESSIBLE_ROLE_GENERIC;
	if (!is_plain(n->widget))
		return;
	if (up && sj_node_kind(core, up) == SJ_UI_LIST)
		role = GTK_ACCESSIBLE_ROLE_LIST_ITEM;
	else if (n->why == SJ_WHY_SHOWN && !n->control &&
	         (sj_ui_role(n->kind) == SJ_ROLE_GROUP || n->kind == SJ_UI_VIDEO || n->kind == SJ_UI_AUDIO ||
	          n->kind == SJ_UI_SUMMARY || sj_gtk_value(n, SJ_P_A11Y_LABEL) ||
	          sj_gtk_value(n, SJ_P_A11Y_DESCRIPTION)))
		role = GTK_ACCESSIBLE_ROLE_GROUP;
	g_object_set(n->widget, "accessible-role", role, NULL);
}

void sj_gtk_hide(GtkWidget *w, bool hidden)
{
	gtk_accessible_update_state(GTK_ACCESSIBLE(w), GTK_ACCESSIBLE_STATE_HIDDEN, hidden, -1);
}

void sj_gtk_hide_parts(GtkWidget *w)
{
	for (GtkWidget *c = gtk_widget_get_first_child(w); c; c = gtk_widget_get_next_sibling(c))
		sj_gtk_hide(c, true);
}

/* What is inside a button is its name, and no thing of its own; unless it could be used itself. */
static bool holds_control(struct sj_gtk_node *n)
{
	struct sj_surface *core = sj_gtk_core(n->surface);
	GArray *stack = g_array_new(FALSE, FALSE, sizeof(sj_node_id));
	bool found = false;
	g_array_append_val(stack, n->id);
	while (stack->len > 0 && !found) {
		sj_node_id at = g_array_index(stack, sj_node_id, stack->len - 1);
		g_array_set_size(stack, stack->len - 1);
		for (uint32_t i = 0; i < sj_node_child_count(core, at); i++) {
			sj_node_id child = sj_node_child(core, at, i);
			enum sj_ui_kind kind = sj_node_kind(core, child);
			found = found || kind == SJ_UI_BUTTON || kind == SJ_UI_TABS || sj_ui_is_input(kind);
			g_array_append_val(stack, child);
		}
	}
	g_array_unref(stack);
	return found;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static GtkAccessible *target_of(struct sj_gtk_node *n)
{
	GtkWidget *w = n->control ? n->control : n->widget;
	if (n->kind == SJ_UI_LIST && n->box)
		w = GTK_WIDGET(n->box); /* inside what scrolls it */
	/* A text of one paragraph is its label. */
	if (n->kind == SJ_UI_TEXT && n->why == SJ_WHY_SHOWN && GTK_IS_LABEL(gtk_widget_get_first_child(w)) &&
	    !gtk_widget_get_next_sibling(gtk_widget_get_first_child(w)))
		w = gtk_widget_get_first_child(w);
	return GTK_ACCESSIBLE(w);
}

static void add_sentence(GString *out, const char *text)
{
	if (!text || !*text)
		return;
	if (out->len > 0)
		g_string_append(out,
		                g_unichar_ispunct(g_utf8_get_char(g_utf8_prev_char(out->str + out->len))) ? " " : ". ");
	g_string_append(out, text);
}

/* The description, what is wrong, and that it must be filled in. */
static char *description(struct sj_gtk_node *n, const struct sj_a11y *it)
{
	GString *out = g_string_new(NULL);
	char *own = it->description_from == SJ_NAME_DETAIL /* as it is seen: in its currency */
	                    ? sj_gtk_detail(n)
	                    : sj_gtk_clean(it->description, SJ_GTK_LABEL_MOST, false);
	const char *fault = n->fault && gtk_widget_get_visible(n->fault) ? gtk_label_get_text(GTK_LABEL(n->fault)) : "";
	if (it->description_from != SJ_NAME_CHECK) /* that is the fault's own words */
		add_sentence(out, own);
	add_sentence(out, fault);
	if (it->required && sj_ui_is_input(n->kind))
		add_sentence(out, _("Required"));
	g_free(own);
	return g_string_free(out, FALSE);
}

static bool is_bare(struct sj_gtk_node *n)
{
	return !sj_gtk_value(n, SJ_P_A11Y_LABEL) && !sj_gtk_value(n, SJ_P_A11Y_DESCRIPTION) &&
	       !sj_gtk_value(n, SJ_P_A11Y_HIDDEN) && !sj_gtk_value(n, SJ_P_A11Y_LIVE);
}

/* What opens a dialog says whether it is open. */
static void say_expanded(struct sj_gtk_node *n)
{
	struct sj_surface *core = sj_gtk_core(n->surface);
	sj_node_id up = sj_node_parent(core, n->id);
	struct sj_edge edge;
	for (uint32_t i = 0; up && sj_node_kind(core, up) == SJ_UI_MODAL && i < sj_node_child_count(core, up); i++) {
		const struct sj_value *open = sj_node_local(core, up, SJ_LIT("open"));
		sj_node_child_edge(core, up, i, &edge);
		if (edge.ui == SJ_P_TRIGGER && sj_node_child(core, up, i) == n->id)
			gtk_accessible_update_state(GTK_ACCESSIBLE(n->control), GTK_ACCESSIBLE_STATE_EXPANDED,
			                            open && open->type == SJ_V_TRUE, -1);
	}
}

void sj_gtk_name(struct sj_gtk_node *n)
{
	struct sj_surface *core = sj_gtk_core(n->surface);
	struct sj_a11y_tree facts;
	GtkAccessible *target = target_of(n);

	if (n->kind == SJ_UI_TEXT && !n->has_a11y && is_bare(n))
		return; /* it says itself */
	if (sj_a11y_node(core, n->id, &facts) != SJ_OK)
		g_error("out of memory");
	if (facts.items.count > 0) {
		const struct sj_a11y *it = &facts.items.items[0];
		/* A text, and a component that an app draws as one, says itself. */
		bool own = it->name_from != SJ_NAME_ACCESSIBILITY &&
		           (n->kind == SJ_UI_TEXT || GTK_IS_LABEL(target));
		char *name = !own                    ? sj_gtk_clean(it->name, SJ_GTK_LABEL_MOST, false)
		             : GTK_IS_LABEL(target) ? g_strdup(gtk_label_get_text(GTK_LABEL(target)))
		                                    : g_strdup("");
		if (GTK_IS_LABEL(target))
			g_object_set_data(G_OBJECT(target), "sj-named", target); /* markup.c keeps it so */
		char *about = description(n, it);
		if (!*name && (n->kind == SJ_UI_VIDEO || n->kind == SJ_UI_AUDIO)) {
			g_free(name);
			name = g_strdup(n->kind == SJ_UI_VIDEO ? _("Video") : _("Audio"));
		}
		/* Without a name GTK gives the name of the widget's type. */
		gtk_accessible_update_property(target, GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
		if (*about)
			gtk_accessible_update_property(target, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, about, -1);
		else
			gtk_accessible_reset_property(target, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
		/* The subtree leaves the tree of assistive technology and the order of the focus. */
		if (it->hidden || n->has_a11y)
			sj_gtk_hide(n->widget, it->hidden);
		if (gtk_widget_get_can_focus(n->widget) == it->hidden)
			gtk_widget_set_can_focus(n->widget, !it->hidden);
		n->has_a11y = !is_bare(n);
		g_free(name);
		g_free(about);
	}
	sj_a11y_finish(&facts);
	if (n->control)
		say_expanded(n);
	if (n->kind == SJ_UI_BUTTON && n->box)
		sj_gtk_hide(GTK_WIDGET(n->box), !holds_control(n));
	if (sj_gtk_live(core, n->id))
		sj_gtk_watch_live(n->surface, n->id);
}

/* ---- live regions ------------------------------------------------------------------------------------------------ */

enum sj_gtk_live sj_gtk_live(struct sj_surface *core, sj_node_id id)
{
	const struct sj_value *v = sj_node_ui(core, id, SJ_P_A11Y_LIVE);
	struct sj_slice word = v && sj_value_is_string(v) ? sj_value_text(v) : SJ_LIT("");
	return sj_slice_is(word, "assertive") ? SJ_GTK_LIVE_ALARM
	       : sj_slice_is(word, "polite")  ? SJ_GTK_LIVE_SPOKEN
	                                      : SJ_GTK_LIVE_OFF;
}

sj_node_id sj_gtk_live_above(struct sj_surface *core, sj_node_id id)
{
	for (; id && sj_node_alive(core, id); id = sj_node_parent(core, id))
		if (sj_gtk_live(core, id) != SJ_GTK_LIVE_OFF)
			return id;
	return 0;
}
