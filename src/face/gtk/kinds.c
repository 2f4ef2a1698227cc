/* How each kind is drawn: the table, and the rows that need few words. */
#include "face/gtk/internal.h"

const struct sj_gtk_class *sj_gtk_class_of(enum sj_ui_kind kind, enum sj_why why)
{
	static const struct sj_gtk_class *const classes[SJ_UI_KIND_COUNT] = {
		[SJ_UI_CUSTOM] = &SJ_GTK_CUSTOM,   [SJ_UI_TEXT] = &SJ_GTK_TEXT,
		[SJ_UI_IMAGE] = &SJ_GTK_IMAGE,     [SJ_UI_ICON] = &SJ_GTK_ICON,
		[SJ_UI_VIDEO] = &SJ_GTK_MEDIA,     [SJ_UI_AUDIO] = &SJ_GTK_MEDIA,
		[SJ_UI_ROW] = &SJ_GTK_ROW,         [SJ_UI_COLUMN] = &SJ_GTK_COLUMN,
		[SJ_UI_LIST] = &SJ_GTK_LIST,       [SJ_UI_CARD] = &SJ_GTK_CARD,
		[SJ_UI_TABS] = &SJ_GTK_TABS,       [SJ_UI_MODAL] = &SJ_GTK_MODAL,
		[SJ_UI_DIVIDER] = &SJ_GTK_DIVIDER, [SJ_UI_BUTTON] = &SJ_GTK_BUTTON,
		[SJ_UI_TEXT_FIELD] = &SJ_GTK_FIELD, [SJ_UI_CHECK_BOX] = &SJ_GTK_CHECK,
		[SJ_UI_CHOICE] = &SJ_GTK_CHOICE,   [SJ_UI_SLIDER] = &SJ_GTK_SLIDER,
		[SJ_UI_DATE_TIME] = &SJ_GTK_DATE,  [SJ_UI_STEPPER] = &SJ_GTK_STEPPER,
		[SJ_UI_RATING] = &SJ_GTK_RATING,   [SJ_UI_SUMMARY] = &SJ_GTK_SUMMARY,
	};
	return why != SJ_WHY_SHOWN || kind >= SJ_UI_KIND_COUNT ? &SJ_GTK_PLACEHOLDER : classes[kind];
}

GtkWidget *sj_gtk_stack(struct sj_gtk_node *n)
{
	n->widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
	return n->widget; /* its role: sj_gtk_role */
}

/* ---- flags ------------------------------------------------------------------------------------------------------- */

static void show_fault(struct sj_gtk_node *n, const char *words, const char *style)
{
	if (!n->fault) {
		if (!*words || !GTK_IS_BOX(n->widget))
			return;
		n->fault = sj_gtk_label_new(0);
		gtk_widget_add_css_class(n->fault, "caption");
		gtk_box_append(GTK_BOX(n->widget), n->fault);
	}
	sj_gtk_label_set(n->fault, words);
	gtk_widget_set_visible(n->fault, *words != 0);
	const char *const styles[] = {"error", "warning", "dim-label"};
	for (size_t i = 0; i < G_N_ELEMENTS(styles); i++)
		if (strcmp(styles[i], style) == 0)
			gtk_widget_add_css_class(n->fault, styles[i]);
		else
			gtk_widget_remove_css_class(n->fault, styles[i]);
}

void sj_gtk_flags(struct sj_gtk_node *n)
{
	struct sj_surface *core = sj_gtk_core(n->surface);
	struct sj_validity v = {0};
	if (!n->control) {
		sj_gtk_name(n);
		return;
	}
	bool enabled = sj_node_enabled(core, n->id);
	if (gtk_widget_get_sensitive(n->control) != enabled)
		gtk_widget_set_sensitive(n->control, enabled);
	sj_node_validity(core, n->id, &v);
	char *words = v.pending ? g_strdup(_("Being checked…")) : sj_gtk_clean(v.message, SJ_GTK_LABEL_MOST, false);
	bool wrong = v.has_checks && !v.valid && !v.pending;
	if (wrong && !*words) {
		g_free(words);
		words = g_strdup(_("This is not right yet."));
	}
	/* What nobody has touched yet is not called wrong; it says what it wants. */
	bool severe = wrong && (n->touched || n->kind == SJ_UI_BUTTON);
	bool is_news = severe && sj_ui_is_input(n->kind) &&
	               (!n->called_wrong || !n->fault ||
	                strcmp(gtk_label_get_text(GTK_LABEL(n->fault)), words) != 0);
	n->called_wrong = severe;
	if (is_news)
		sj_gtk_say(n->surface, words, false);
	show_fault(n, v.has_checks ? words : "",
	           severe && n->kind != SJ_UI_BUTTON ? "error"
	           : v.valid && !v.pending           ? "warning"
	                                             : "dim-label");
	if (sj_ui_is_input(n->kind)) {
		gtk_accessible_update_state(GTK_ACCESSIBLE(n->control), GTK_ACCESSIBLE_STATE_INVALID,
		                            wrong ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
		if (n->fault && gtk_widget_get_visible(n->fault)) {
			/* The first takes one reference, the second a list of them. AT-SPI is told of the second. */
			gtk_accessible_update_relation(GTK_ACCESSIBLE(n->control),
			                               GTK_ACCESSIBLE_RELATION_ERROR_MESSAGE, n->fault, -1);
			gtk_accessible_update_relation(GTK_ACCESSIBLE(n->control),
			                               GTK_ACCESSIBLE_RELATION_DESCRIBED_BY, n->fault, NULL, -1);
		} else if (n->fault) {
			gtk_accessible_reset_relation(GTK_ACCESSIBLE(n->control),
			                              GTK_ACCESSIBLE_RELATION_ERROR_MESSAGE);
			gtk_accessible_reset_relation(GTK_ACCESSIBLE(n->control),
			                              GTK_ACCESSIBLE_RELATION_DESCRIBED_BY);
		}
		if (severe)
			gtk_widget_add_css_class(n->control, "error");
		else
			gtk_widget_remove_css_class(n->control, "error");
	}
	g_free(words);
	sj_gtk_name(n);
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void text_build(struct sj_gtk_node *n) { n->widget = sj_gtk_markup_new(); }

static float inherited_align(struct sj_gtk_node *n)
{
	struct sj_surface *core = sj_gtk_core(n->surface);
	sj_node_id up = sj_node_parent(core, n->id);
	const struct sj_value *align = up && sj_node_kind(core, up) == SJ_UI_COLUMN ? sj_node_ui(core, up, SJ_P_ALIGN)
	                                                                            : NULL;
	struct sj_slice word = align && sj_value_is_string(align) ? sj_value_text(align) : SJ_LIT("");
	return sj_slice_is(word, "center") ? 0.5f : sj_slice_is(word, "end") ? 1.0f : 0.0f;
}

static void text_update(struct sj_gtk_node *n, uint64_t mask)
{
	if (!(mask & (SJ_GTK_BIT(TEXT) | SJ_GTK_BIT(VARIANT) | SJ_GTK_BIT(LABEL))))
		return;
	const struct sj_value *v = sj_gtk_value(n, SJ_P_TEXT);
	char *variant = sj_gtk_line(n, SJ_P_VARIANT);
	char *text = sj_gtk_value_text(v, 4 * SJ_GTK_TEXT_MOST, true);
	sj_gtk_markup_set(n->widget, n, sj_slice_of(text), variant, inherited_align(n));
	g_free(text);
	g_free(variant);
}

const struct sj_gtk_class SJ_GTK_TEXT = {.build = text_build, .update = text_update};

/* ---- containers -------------------------------------------------------------------------------------------------- */

static enum sj_gtk_justify word_of(struct sj_gtk_node *n, enum sj_ui_prop p, enum sj_gtk_justify fallback)
{
	static const struct {
		const char *word;
		enum sj_gtk_justify is;
	} words[] = {{"start", SJ_GTK_START},
	             {"center", SJ_GTK_CENTER},
	             {"end", SJ_GTK_END},
	             {"spaceBetween", SJ_GTK_BETWEEN},
	             {"spaceAround", SJ_GTK_AROUND},
	             {"spaceEvenly", SJ_GTK_EVENLY},
	             {"stretch", SJ_GTK_STRETCH}};
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (sj_gtk_is(n, p, words[i].word))
			return words[i].is;
	return fallback;
}

static void box_update(struct sj_gtk_node *n, uint64_t mask)
{
	if (mask & (SJ_GTK_BIT(JUSTIFY) | SJ_GTK_BIT(ALIGN)))
		sj_gtk_flex_set_layout(n->box, word_of(n, SJ_P_JUSTIFY, SJ_GTK_START),
		                       word_of(n, SJ_P_ALIGN, SJ_GTK_STRETCH));
}

static void box_build(struct sj_gtk_node *n, GtkOrientation axis, GtkAccessibleRole role)
{
	n->box = sj_gtk_flex_new(n->surface, axis, role);
	sj_gtk_flex_follow(n->box, n->id);
	n->widget = GTK_WIDGET(n->box);
}

/* More than a row can hold in view stands in one line that is scrolled. */
static void scrolled_row(struct sj_gtk_node *n, GtkAccessibleRole role)
{
	n->box = sj_gtk_flex_new(n->surface, GTK_ORIENTATION_HORIZONTAL, role);
	n->widget = gtk_scrolled_window_new();
	gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(n->widget), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER);
	gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(n->widget), TRUE);
	sj_gtk_flex_set_clip(n->box, n->widget);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(n->widget), GTK_WIDGET(n->box));
	g_signal_connect_swapped(gtk_scrolled_window_get_hadjustment(GTK_SCROLLED_WINDOW(n->widget)), "value-changed",
	                         G_CALLBACK(sj_gtk_touch), n->surface);
	sj_gtk_flex_follow(n->box, n->id);
}

static void scrolled_finish(struct sj_gtk_node *n)
{
	if (GTK_IS_SCROLLED_WINDOW(n->widget))
		g_signal_handlers_disconnect_by_data(
			gtk_scrolled_window_get_hadjustment(GTK_SCROLLED_WINDOW(n->widget)), n->surface);
}

static void row_build(struct sj_gtk_node *n)
{
	if (sj_node_child_count(sj_gtk_core(n->surface), n->id) > SJ_GTK_LONG)
		scrolled_row(n, GTK_ACCESSIBLE_ROLE_GROUP);
	else
		box_build(n, GTK_ORIENTATION_HORIZONTAL, GTK_ACCESSIBLE_ROLE_GENERIC);
}

static void column_build(struct sj_gtk_node *n)
{
	box_build(n, GTK_ORIENTATION_VERTICAL, GTK_ACCESSIBLE_ROLE_GENERIC);
}

static void list_build(struct sj_gtk_node *n)
{
	if (sj_gtk_is(n, SJ_P_DIRECTION, "horizontal"))
		scrolled_row(n, GTK_ACCESSIBLE_ROLE_LIST);
	else
		box_build(n, GTK_ORIENTATION_VERTICAL, GTK_ACCESSIBLE_ROLE_LIST);
}

static void card_build(struct sj_gtk_node *n)
{
	box_build(n, GTK_ORIENTATION_VERTICAL, GTK_ACCESSIBLE_ROLE_GROUP);
	gtk_widget_add_css_class(n->widget, "card");
	gtk_widget_add_css_class(n->widget, "sj-card");
}

const struct sj_gtk_class SJ_GTK_ROW = {
	.build = row_build, .update = box_update, .finish = scrolled_finish, .bare = true};
const struct sj_gtk_class SJ_GTK_COLUMN = {.build = column_build, .update = box_update, .bare = true};
const struct sj_gtk_class SJ_GTK_LIST = {
	.build = list_build, .update = box_update, .finish = scrolled_finish, .bare = true};
const struct sj_gtk_class SJ_GTK_CARD = {.build = card_build};

static void divider_build(struct sj_gtk_node *n)
{
	n->widget = gtk_separator_new(sj_gtk_is(n, SJ_P_AXIS, "vertical") ? GTK_ORIENTATION_VERTICAL
	                                                                  : GTK_ORIENTATION_HORIZONTAL);
}

const struct sj_gtk_class SJ_GTK_DIVIDER = {.build = divider_build};

/* ---- what is not there ------------------------------------------------------------------------------------------- */

static void placeholder_build(struct sj_gtk_node *n)
{
	struct sj_surface *core = sj_gtk_core(n->surface);
	GtkWidget *icon = NULL, *label;
	n->widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
	gtk_widget_add_css_class(n->widget, "sj-placeholder");
	char *id = sj_gtk_clean(sj_node_component_id(core, n->id), 80, false);
	char *type = sj_gtk_clean(sj_node_type(core, n->id), 80, false);
	char *why;
	if (n->why == SJ_WHY_PENDING) {
		icon = gtk_image_new_from_icon_name("content-loading-symbolic");
		label = sj_gtk_label_new(0);
		sj_gtk_label_set(label, _("Loading…"));
		gtk_widget_add_css_class(n->widget, "sj-pending");
		why = g_strdup_printf("%s: %s", id, _(sj_why_text(n->why)));
	} else {
		icon = gtk_image_new_from_icon_name("dialog-question-symbolic");
		char *words = n->why == SJ_WHY_UNKNOWN_TYPE && *type
		                      ? g_strdup_printf(_("Unknown component “%s”"), type)
		                      : g_strdup(_(sj_why_text(n->why)));
		label = sj_gtk_label_new(0);
		sj_gtk_label_set(label, words);
		g_free(words);
		why = g_strdup_printf("%s%s%s%s: %s", id, *type ? " (" : "", type, *type ? ")" : "",
		                      _(sj_why_text(n->why)));
	}
	gtk_box_append(GTK_BOX(n->widget), icon);
	sj_gtk_hide(icon, true);
	gtk_box_append(GTK_BOX(n->widget), label);
	sj_gtk_tip(n->widget, why);
	gtk_accessible_update_property(GTK_ACCESSIBLE(label), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, why, -1);
	gtk_accessible_update_state(GTK_ACCESSIBLE(label), GTK_ACCESSIBLE_STATE_BUSY, n->why == SJ_WHY_PENDING, -1);
	g_free(why);
	g_free(id);
	g_free(type);
}

static void placeholder_flags(struct sj_gtk_node *n) { (void)n; }

const struct sj_gtk_class SJ_GTK_PLACEHOLDER = {.build = placeholder_build, .flags = placeholder_flags};
