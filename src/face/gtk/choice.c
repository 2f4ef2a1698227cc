/* A choice among options: radio buttons, check boxes or chips. It always writes a list. */
#include "face/gtk/internal.h"


struct option {
	GtkWidget *widget;
	char *label, *folded;
};
struct choice {
	GtkWidget *label, *filter, *list, *more;
	GArray *options;
	bool chips, many;
};

static void option_clear(gpointer p)
{
	struct option *o = p;
	g_free(o->label);
	g_free(o->folded);
}

static const struct sj_value *value_at(struct sj_gtk_node *n, guint i)
{
	const struct sj_value *options = sj_gtk_value(n, SJ_P_OPTIONS);
	const struct sj_value *option = options && options->type == SJ_V_ARRAY ? sj_value_item(options, i) : NULL;
	const struct sj_value *v = option && option->type == SJ_V_OBJECT ? sj_value_get(option, SJ_LIT("value")) : NULL;
	return v ? v : option;
}

static void choose(struct sj_gtk_node *n, guint i, bool on)
{
	struct choice *c = n->data;
	struct sj_mem *mem = sj_gtk_mem(n->surface);
	const struct sj_value *now = sj_gtk_value(n, SJ_P_VALUE), *mine = value_at(n, i);
	struct sj_value list;
	if (!mine || sj_value_array(mem, &list) != SJ_OK)
		return;
	for (uint32_t k = 0; c->many && now && now->type == SJ_V_ARRAY && k < sj_value_count(now); k++)
		if (!sj_value_equal(sj_value_item(now, k), mine))
			sj_value_append(mem, &list, sj_value_ref(*sj_value_item(now, k)));
	if (on)
		sj_value_append(mem, &list, sj_value_ref(*mine));
	n->touched = true;
	bool done = sj_gtk_input(n, SJ_EDIT_COMMIT, &list);
	sj_value_unref(mem, list);
	if (!done) { /* refused: what is drawn goes back to what is */
		n->updating = true;
		n->cls->update(n, SJ_GTK_BIT(VALUE));
		n->updating = false;
	}
}

static void on_toggled(GtkWidget *widget, gpointer data)
{
	struct sj_gtk_node *n = data;
	struct choice *c = n->data;
	gboolean active;
	if (n->updating)
		return;
	g_object_get(widget, "active", &active, NULL);
	if (!active && !c->many) {
		if (!c->chips)
			return; /* the one that is left; the one that is taken tells */
		n->updating = true;
		g_object_set(widget, "active", TRUE, NULL);
		n->updating = false;
		return;
	}
	choose(n, GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(widget), "sj-option")), active);
}

static void apply_filter(struct sj_gtk_node *n)
{
	struct choice *c = n->data;
	char *text = g_utf8_casefold(gtk_editable_get_text(GTK_EDITABLE(c->filter)), -1);
	for (guint i = 0; i < c->options->len; i++) {
		struct option *o = &g_array_index(c->options, struct option, i);
		gtk_widget_set_visible(o->widget, !*text || strstr(o->folded, text) != NULL);
	}
	g_free(text);
}

static void on_filter(GtkSearchEntry *entry, gpointer n)
{
	(void)entry;
	apply_filter(n);
}

static void fill(struct sj_gtk_node *n)
{
	struct choice *c = n->data;
	const struct sj_value *options = sj_gtk_value(n, SJ_P_OPTIONS);
	uint32_t all = options && options->type == SJ_V_ARRAY ? sj_value_count(options) : 0;
	uint32_t count = MIN(all, SJ_GTK_OPTIONS);
	GtkWidget *first = NULL, *child;

	if (c->chips)
		sj_gtk_wrap_clear(SJ_GTK_WRAP(c->list));
	while ((child = gtk_widget_get_first_child(c->list)))
		gtk_box_remove(GTK_BOX(c->list), child);
	g_array_set_size(c->options, 0);
	for (uint32_t i = 0; i < count; i++) {
		struct option o = {NULL, sj_gtk_option_label(sj_value_item(options, i)), NULL};
		o.folded = g_utf8_casefold(o.label, -1);
		if (c->chips) {
			o.widget = g_object_new(GTK_TYPE_TOGGLE_BUTTON, "accessible-role",
			                        c->many ? GTK_ACCESSIBLE_ROLE_CHECKBOX : GTK_ACCESSIBLE_ROLE_RADIO,
			                        "label", o.label, NULL);
			sj_gtk_hide_parts(o.widget);
			gtk_widget_add_css_class(o.widget, "pill");
			gtk_widget_add_css_class(o.widget, "sj-chip");
			gtk_label_set_ellipsize(GTK_LABEL(gtk_button_get_child(GTK_BUTTON(o.widget))),
			                        PANGO_ELLIPSIZE_END);
			sj_gtk_wrap_append(SJ_GTK_WRAP(c->list), o.widget);
		} else {
			GtkWidget *label = sj_gtk_label_new(0);
			sj_gtk_label_set(label, o.label);
			o.widget = sj_gtk_check_button_new(c->many ? GTK_ACCESSIBLE_ROLE_CHECKBOX
			                                           : GTK_ACCESSIBLE_ROLE_RADIO,
			                                   label);
			if (!c->many && first)
				gtk_check_button_set_group(GTK_CHECK_BUTTON(o.widget), GTK_CHECK_BUTTON(first));
			first = first ? first : o.widget;
			gtk_box_append(GTK_BOX(c->list), o.widget);
		}
		gtk_accessible_update_property(GTK_ACCESSIBLE(o.widget), GTK_ACCESSIBLE_PROPERTY_LABEL, o.label, -1);
		g_object_set_data(G_OBJECT(o.widget), "sj-option", GUINT_TO_POINTER(i));
		g_signal_connect(o.widget, "toggled", G_CALLBACK(on_toggled), n);
		g_array_append_val(c->options, o);
	}
	char *more = all > count ? g_strdup_printf(_("… %u more"), all - count) : count == 0 ? g_strdup(_("No options"))
	                                                                                 : g_strdup("");
	gtk_label_set_text(GTK_LABEL(c->more), more);
	gtk_widget_set_visible(c->more, *more != 0);
	g_free(more);
}

static void choice_build(struct sj_gtk_node *n)
{
	struct choice *c = g_new0(struct choice, 1);
	sj_gtk_stack(n);
	n->data = c;
	c->options = g_array_new(FALSE, FALSE, sizeof(struct option));
	g_array_set_clear_func(c->options, option_clear);
	c->many = sj_gtk_is(n, SJ_P_VARIANT, "multipleSelection");
	c->chips = sj_gtk_is(n, SJ_P_DISPLAY, "chips");
	c->label = sj_gtk_caption(n->widget);
	c->filter = gtk_search_entry_new();
	g_object_set(c->filter, "placeholder-text", _("Filter"), NULL);
	gtk_accessible_update_property(GTK_ACCESSIBLE(c->filter), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Filter"), -1);
	g_signal_connect(c->filter, "search-changed", G_CALLBACK(on_filter), n);
	gtk_box_append(GTK_BOX(n->widget), c->filter);
	GtkAccessibleRole role = c->many ? GTK_ACCESSIBLE_ROLE_GROUP : GTK_ACCESSIBLE_ROLE_RADIO_GROUP;
	if (c->chips)
		c->list = GTK_WIDGET(sj_gtk_wrap_new(role));
	else
		c->list = g_object_new(GTK_TYPE_BOX, "accessible-role", role, "orientation", GTK_ORIENTATION_VERTICAL,
		                       "spacing", 2, NULL);
	c->more = gtk_label_new(NULL);
	gtk_label_set_xalign(GTK_LABEL(c->more), 0);
	gtk_widget_add_css_class(c->more, "dim-label");
	gtk_box_append(GTK_BOX(n->widget), c->list);
	gtk_box_append(GTK_BOX(n->widget), c->more);
	n->control = c->list;
}

static void choice_update(struct sj_gtk_node *n, uint64_t mask)
{
	struct choice *c = n->data;
	if (mask & (SJ_GTK_BIT(LABEL) | SJ_GTK_BIT(REQUIRED)))
		sj_gtk_caption_set(n, c->label);
	if (mask & SJ_GTK_BIT(OPTIONS))
		fill(n);
	if (mask & SJ_GTK_BIT(FILTERABLE))
		gtk_widget_set_visible(c->filter, sj_gtk_true(n, SJ_P_FILTERABLE));
	if (mask & (SJ_GTK_BIT(VALUE) | SJ_GTK_BIT(OPTIONS))) {
		const struct sj_value *value = sj_gtk_value(n, SJ_P_VALUE);
		const struct sj_value *options = sj_gtk_value(n, SJ_P_OPTIONS);
		for (guint i = 0; i < c->options->len; i++) {
			struct option *o = &g_array_index(c->options, struct option, i);
			const struct sj_value *option = options ? sj_value_item(options, i) : NULL;
			if (!o->widget || !option)
				continue;
			bool chosen = sj_gtk_option_chosen(value, option);
			g_object_set(o->widget, "active", chosen, NULL);
			gtk_accessible_update_state(GTK_ACCESSIBLE(o->widget), GTK_ACCESSIBLE_STATE_CHECKED,
			                            chosen ? GTK_ACCESSIBLE_TRISTATE_TRUE
			                                   : GTK_ACCESSIBLE_TRISTATE_FALSE,
			                            -1);
		}
	}
}

static void choice_finish(struct sj_gtk_node *n)
{
	struct choice *c = n->data;
	g_array_unref(c->options);
	g_free(c);
	n->data = NULL;
}

const struct sj_gtk_class SJ_GTK_CHOICE = {.build = choice_build, .update = choice_update, .finish = choice_finish};
