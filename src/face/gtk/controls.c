/* Buttons and the inputs that hold one value. */
#include "face/gtk/internal.h"

#include <math.h>

#include "base/num.h"

GtkWidget *sj_gtk_caption(GtkWidget *stack)
{
	GtkWidget *label = sj_gtk_label_new(0);
	gtk_widget_add_css_class(label, "sj-label");
	gtk_box_append(GTK_BOX(stack), label);
	sj_gtk_hide(label, true); /* the control has its words as its name; GTK 4.8 would join label and relation */
	return label;
}

void sj_gtk_caption_set(struct sj_gtk_node *n, GtkWidget *label)
{
	char *text = sj_gtk_line(n, SJ_P_LABEL);
	bool required = sj_gtk_true(n, SJ_P_REQUIRED);
	char *words = required && *text ? g_strdup_printf("%s *", text) : g_strdup(text);
	sj_gtk_label_set(label, words);
	gtk_widget_set_visible(label, *words != 0);
	if (n->control)
		gtk_accessible_update_property(GTK_ACCESSIBLE(n->control), GTK_ACCESSIBLE_PROPERTY_REQUIRED, required,
		                               -1);
	g_free(words);
	g_free(text);
}

/* ---- button ------------------------------------------------------------------------------------------------------ */

static void on_pressed(GtkButton *button, gpointer data)
{
	struct sj_gtk_node *n = data;
	struct sj_surface *core = sj_gtk_core(n->surface);
	(void)button;
	if (sj_gtk_is_closed(n->surface) || !sj_node_alive(core, n->id))
		return;
	/* What opens a dialog may be a button with a deed of its own, or with none. */
	sj_node_id up = sj_node_parent(core, n->id);
	if (up && sj_node_kind(core, up) == SJ_UI_MODAL && sj_node_child_count(core, up) > 0) {
		struct sj_gtk_node *modal = sj_gtk_find(n->surface, up);
		for (uint32_t i = 0; modal && i < sj_node_child_count(core, up); i++) {
			struct sj_edge edge;
			sj_node_child_edge(core, up, i, &edge);
			if (sj_node_child(core, up, i) == n->id && edge.ui == SJ_P_TRIGGER)
				sj_gtk_set_local(modal, "open", sj_value_bool(true));
		}
	}
	sj_gtk_press(n);
}

static void button_build(struct sj_gtk_node *n)
{
	sj_gtk_stack(n);
	n->control = gtk_button_new();
	g_signal_connect(n->control, "clicked", G_CALLBACK(on_pressed), n);
	if (sj_node_child_count(sj_gtk_core(n->surface), n->id) > 0) {
		n->box = sj_gtk_flex_new(n->surface, GTK_ORIENTATION_HORIZONTAL, GTK_ACCESSIBLE_ROLE_GENERIC);
		sj_gtk_flex_set_layout(n->box, SJ_GTK_CENTER, SJ_GTK_CENTER);
		sj_gtk_flex_follow(n->box, n->id);
		gtk_button_set_child(GTK_BUTTON(n->control), GTK_WIDGET(n->box));
	} else {
		GtkWidget *label = sj_gtk_label_new(0.5f);
		gtk_button_set_child(GTK_BUTTON(n->control), label);
		sj_gtk_hide_parts(n->control);
	}
	gtk_widget_add_css_class(n->control, "sj-button");
	gtk_box_append(GTK_BOX(n->widget), n->control);
}

static void button_update(struct sj_gtk_node *n, uint64_t mask)
{
	static const struct {
		const char *variant, *style;
	} styles[] = {{"primary", "suggested-action"}, {"borderless", "flat"}};
	for (size_t i = 0; mask & SJ_GTK_BIT(VARIANT) && i < G_N_ELEMENTS(styles); i++)
		if (sj_gtk_is(n, SJ_P_VARIANT, styles[i].variant))
			gtk_widget_add_css_class(n->control, styles[i].style);
		else
			gtk_widget_remove_css_class(n->control, styles[i].style);
	if (!n->box && mask & SJ_GTK_BIT(LABEL)) {
		char *text = sj_gtk_line(n, SJ_P_LABEL);
		sj_gtk_label_set(gtk_button_get_child(GTK_BUTTON(n->control)), *text ? text : _("Button"));
		g_free(text);
	}
}

const struct sj_gtk_class SJ_GTK_BUTTON = {.build = button_build, .update = button_update};

/* ---- text field -------------------------------------------------------------------------------------------------- */

struct field {
	GtkWidget *label, *scroller;
	bool is_long, composing;
};

static char *field_text(struct sj_gtk_node *n)
{
	struct field *f = n->data;
	GtkTextIter start, end;
	if (!f->is_long)
		return g_strdup(gtk_editable_get_text(GTK_EDITABLE(n->control)));
	GtkTextBuffer *b = gtk_text_view_get_buffer(GTK_TEXT_VIEW(n->control));
	gtk_text_buffer_get_bounds(b, &start, &end);
	return gtk_text_buffer_get_text(b, &start, &end, FALSE);
}

static void field_done(struct sj_gtk_node *n);

static void field_changed(struct sj_gtk_node *n)
{
	char *text;
	if (n->updating)
		return;
	n->touched = true;
	if (!n->editing)
		sj_gtk_input(n, SJ_EDIT_BEGIN, NULL);
	text = field_text(n);
	sj_gtk_input_text(n, SJ_EDIT_UPDATE, text);
	g_free(text);
	/* Assistive technology writes without the focus: there will be no leaving. */
	if (!(gtk_widget_get_state_flags(n->control) & GTK_STATE_FLAG_FOCUS_WITHIN) &&
	    !gtk_widget_has_focus(n->control))
		field_done(n);
}

static void field_done(struct sj_gtk_node *n)
{
	if (!n->editing)
		return;
	char *text = field_text(n);
	sj_gtk_input_text(n, SJ_EDIT_COMMIT, text);
	g_free(text);
	sj_gtk_again(n, SJ_GTK_BIT(VALUE));
}

static void on_preedit(GtkWidget *widget, const char *preedit, gpointer data)
{
	struct sj_gtk_node *n = data;
	(void)widget;
	((struct field *)n->data)->composing = preedit && *preedit;
	/* A composition that came to nothing: what was held back meanwhile is shown now. */
	if (!(preedit && *preedit) && n->waiting && !n->editing)
		sj_gtk_again(n, SJ_GTK_BIT(VALUE));
}

static void on_activate(GtkWidget *widget, gpointer data)
{
	(void)widget;
	field_done(data);
}

static void on_leave(GtkEventControllerFocus *c, gpointer data)
{
	(void)c;
	field_done(data);
}

static GtkWidget *one_line(struct sj_gtk_node *n)
{
	GtkWidget *entry;
	if (sj_gtk_is(n, SJ_P_VARIANT, "obscured")) {
		entry = gtk_password_entry_new();
		gtk_password_entry_set_show_peek_icon(GTK_PASSWORD_ENTRY(entry), TRUE);
		sj_gtk_hide_parts(entry); /* the icon: the entry has its action */
	} else {
		entry = gtk_entry_new();
		if (sj_gtk_is(n, SJ_P_VARIANT, "number"))
			gtk_entry_set_input_purpose(GTK_ENTRY(entry), GTK_INPUT_PURPOSE_NUMBER);
	}
	g_signal_connect_swapped(entry, "changed", G_CALLBACK(field_changed), n);
	g_signal_connect(entry, "activate", G_CALLBACK(on_activate), n);
	GtkWidget *inner = GTK_WIDGET(gtk_editable_get_delegate(GTK_EDITABLE(entry)));
	if (GTK_IS_TEXT(inner))
		g_signal_connect(inner, "preedit-changed", G_CALLBACK(on_preedit), n);
	return entry;
}

static GtkWidget *many_lines(struct sj_gtk_node *n, struct field *f)
{
	GtkWidget *view = gtk_text_view_new();
	gtk_text_view_set_wrap_mode(GTK_TEXT_VIEW(view), GTK_WRAP_WORD_CHAR);
	gtk_text_view_set_accepts_tab(GTK_TEXT_VIEW(view), FALSE);
	gtk_text_view_set_left_margin(GTK_TEXT_VIEW(view), 8);
	gtk_text_view_set_right_margin(GTK_TEXT_VIEW(view), 8);
	gtk_text_view_set_top_margin(GTK_TEXT_VIEW(view), 8);
	gtk_text_view_set_bottom_margin(GTK_TEXT_VIEW(view), 8);
	f->scroller = g_object_new(GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy", GTK_POLICY_NEVER,
	                           "min-content-height", 80, "max-content-height", 240, "propagate-natural-height",
	                           TRUE, NULL);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(f->scroller), view);
	gtk_widget_add_css_class(f->scroller, "sj-long");
	g_signal_connect_swapped(gtk_text_view_get_buffer(GTK_TEXT_VIEW(view)), "changed", G_CALLBACK(field_changed),
	                         n);
	g_signal_connect(view, "preedit-changed", G_CALLBACK(on_preedit), n);
	return view;
}

static void field_build(struct sj_gtk_node *n)
{
	struct field *f = g_new0(struct field, 1);
	sj_gtk_stack(n);
	n->data = f;
	f->label = sj_gtk_caption(n->widget);
	f->is_long = sj_gtk_is(n, SJ_P_VARIANT, "longText");
	n->control = f->is_long ? many_lines(n, f) : one_line(n);
	GtkEventController *focus = gtk_event_controller_focus_new();
	g_signal_connect(focus, "leave", G_CALLBACK(on_leave), n);
	gtk_widget_add_controller(n->control, focus);
	gtk_box_append(GTK_BOX(n->widget), f->is_long ? f->scroller : n->control);
}

/* Never set what is there already: that would take the caret, the selection, undo and a running composition. */
static void field_set(struct sj_gtk_node *n, const char *text)
{
	struct field *f = n->data;
	char *now = field_text(n);
	if (strcmp(now, text) != 0) {
		if (n->editing || f->composing)
			n->waiting = true;
		else if (f->is_long)
			gtk_text_buffer_set_text(gtk_text_view_get_buffer(GTK_TEXT_VIEW(n->control)), text, -1);
		else
			gtk_editable_set_text(GTK_EDITABLE(n->control), text);
	}
	g_free(now);
}

static void field_update(struct sj_gtk_node *n, uint64_t mask)
{
	struct field *f = n->data;
	if (mask & (SJ_GTK_BIT(LABEL) | SJ_GTK_BIT(REQUIRED)))
		sj_gtk_caption_set(n, f->label);
	if (mask & SJ_GTK_BIT(PLACEHOLDER) && !f->is_long) {
		char *hint = sj_gtk_line(n, SJ_P_PLACEHOLDER);
		g_object_set(n->control, "placeholder-text", hint, NULL);
		g_free(hint);
	}
	if (mask & SJ_GTK_BIT(VALUE)) {
		char *text = sj_gtk_value_text(sj_gtk_value(n, SJ_P_VALUE), 16 * SJ_GTK_TEXT_MOST, f->is_long);
		field_set(n, text);
		g_free(text);
	}
}

static void data_free(struct sj_gtk_node *n)
{
	g_free(n->data);
	n->data = NULL;
}

static void field_finish(struct sj_gtk_node *n)
{
	struct field *f = n->data;
	/* The widget may live on for the rest of an event; its signals must not come back. */
	g_signal_handlers_disconnect_by_data(n->control, n);
	if (f->is_long)
		g_signal_handlers_disconnect_by_data(gtk_text_view_get_buffer(GTK_TEXT_VIEW(n->control)), n);
	else if (gtk_editable_get_delegate(GTK_EDITABLE(n->control)))
		g_signal_handlers_disconnect_by_data(gtk_editable_get_delegate(GTK_EDITABLE(n->control)), n);
	data_free(n);
}

const struct sj_gtk_class SJ_GTK_FIELD = {.build = field_build, .update = field_update, .finish = field_finish};

/* ---- check box --------------------------------------------------------------------------------------------------- */

static void on_toggled(GtkCheckButton *box, gpointer data)
{
	struct sj_gtk_node *n = data;
	struct sj_value v = sj_value_bool(gtk_check_button_get_active(box));
	if (n->updating)
		return;
	n->touched = true;
	sj_gtk_input(n, SJ_EDIT_COMMIT, &v);
}

static void check_build(struct sj_gtk_node *n)
{
	GtkWidget *label = sj_gtk_label_new(0);
	sj_gtk_stack(n);
	n->control = sj_gtk_check_button_new(GTK_ACCESSIBLE_ROLE_CHECKBOX, label);
	g_signal_connect(n->control, "toggled", G_CALLBACK(on_toggled), n);
	gtk_box_append(GTK_BOX(n->widget), n->control);
}

static void check_update(struct sj_gtk_node *n, uint64_t mask)
{
	if (mask & SJ_GTK_BIT(LABEL)) {
		char *text = sj_gtk_line(n, SJ_P_LABEL);
		sj_gtk_label_set(gtk_check_button_get_child(GTK_CHECK_BUTTON(n->control)), text);
		g_free(text);
	}
	if (mask & SJ_GTK_BIT(VALUE))
		gtk_check_button_set_active(GTK_CHECK_BUTTON(n->control), sj_gtk_true(n, SJ_P_VALUE));
}

const struct sj_gtk_class SJ_GTK_CHECK = {.build = check_build, .update = check_update};

/* ---- slider ------------------------------------------------------------------------------------------------------ */

struct slider {
	GtkWidget *label, *value;
};

static void show_number(GtkWidget *label, double v)
{
	char *text = sj_gtk_number_text(v);
	gtk_label_set_text(GTK_LABEL(label), text);
	g_free(text);
}

static double snapped(struct sj_gtk_node *n, double v)
{
	double min = sj_gtk_number(n, SJ_P_MIN, 0), max = sj_gtk_number(n, SJ_P_MAX, 100),
	       steps = floor(sj_gtk_number(n, SJ_P_STEPS, 0));
	if (steps >= 1 && max > min) {
		double part = (max - min) / steps;
		v = min + round((v - min) / part) * part;
	} else if (max - min >= 10) {
		v = round(v); /* finer than anybody means */
	} else {
		v = round(v * 100) / 100;
	}
	return CLAMP(v, min, max);
}

static void on_slid(GtkRange *range, gpointer data)
{
	struct sj_gtk_node *n = data;
	struct slider *s = n->data;
	struct sj_value v;
	if (n->updating)
		return;
	n->touched = true;
	v = sj_value_number(snapped(n, gtk_range_get_value(range)));
	show_number(s->value, sj_value_double(&v));
	if (fabs(sj_value_double(&v) - gtk_range_get_value(range)) > 1e-9) {
		n->updating = true;
		gtk_range_set_value(range, sj_value_double(&v));
		n->updating = false;
	}
	sj_gtk_input(n, SJ_EDIT_UPDATE, &v);
}

static void slider_build(struct sj_gtk_node *n)
{
	struct slider *s = g_new0(struct slider, 1);
	GtkWidget *head = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
	sj_gtk_stack(n);
	n->data = s;
	s->label = sj_gtk_caption(head);
	gtk_widget_set_hexpand(s->label, TRUE);
	s->value = gtk_label_new(NULL);
	gtk_widget_add_css_class(s->value, "numeric");
	gtk_widget_set_hexpand(s->value, TRUE);
	gtk_label_set_xalign(GTK_LABEL(s->value), 1);
	gtk_box_append(GTK_BOX(head), s->value);
	sj_gtk_hide(head, true); /* name and value of the slider */
	gtk_box_append(GTK_BOX(n->widget), head);
	n->control = gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, NULL);
	gtk_widget_set_size_request(n->control, 120, -1);
	g_signal_connect(n->control, "value-changed", G_CALLBACK(on_slid), n);
	gtk_box_append(GTK_BOX(n->widget), n->control);
}

static void slider_update(struct sj_gtk_node *n, uint64_t mask)
{
	struct slider *s = n->data;
	double min = sj_gtk_number(n, SJ_P_MIN, 0), max = sj_gtk_number(n, SJ_P_MAX, 100);
	double steps = floor(sj_gtk_number(n, SJ_P_STEPS, 0));
	if (mask & (SJ_GTK_BIT(LABEL) | SJ_GTK_BIT(REQUIRED)))
		sj_gtk_caption_set(n, s->label);
	if (mask & (SJ_GTK_BIT(MIN) | SJ_GTK_BIT(MAX) | SJ_GTK_BIT(STEPS)) && max > min) {
		double step = steps >= 1 ? (max - min) / steps : max - min >= 10 ? 1 : (max - min) / 100;
		gtk_range_set_range(GTK_RANGE(n->control), min, max);
		gtk_range_set_increments(GTK_RANGE(n->control), step, step * 10);
		gtk_scale_clear_marks(GTK_SCALE(n->control));
		for (int i = 0; steps >= 1 && steps <= 20 && i <= (int)steps; i++)
			gtk_scale_add_mark(GTK_SCALE(n->control), min + i * step, GTK_POS_BOTTOM, NULL);
	}
	if (mask & (SJ_GTK_BIT(VALUE) | SJ_GTK_BIT(MIN) | SJ_GTK_BIT(MAX))) {
		double v = sj_gtk_number(n, SJ_P_VALUE, min);
		gtk_range_set_value(GTK_RANGE(n->control), v);
		show_number(s->value, v);
	}
}

const struct sj_gtk_class SJ_GTK_SLIDER = {.build = slider_build, .update = slider_update, .finish = data_free};

/* ---- stepper: how many of a thing -------------------------------------------------------------------------------- */

struct stepper {
	GtkWidget *label, *detail, *less, *amount, *more;
};

static void step(struct sj_gtk_node *n, double by)
{
	double min = sj_gtk_number(n, SJ_P_MIN, 0), max = sj_gtk_number(n, SJ_P_MAX, 1e9);
	struct sj_value v = sj_value_number(CLAMP(sj_gtk_number(n, SJ_P_VALUE, min) + by, min, max));
	n->touched = true;
	if (!sj_gtk_input(n, SJ_EDIT_COMMIT, &v))
		return;
	/* The focus stays on a button, which does not tell of the amount. */
	char *amount = sj_gtk_number_text(sj_value_double(&v));
	sj_gtk_say(n->surface, amount, false);
	g_free(amount);
}

static void on_less(GtkButton *b, gpointer n)
{
	(void)b;
	step(n, -1);
}

static void on_more(GtkButton *b, gpointer n)
{
	(void)b;
	step(n, 1);
}

static GtkWidget *round_button(const char *icon, GCallback fn, struct sj_gtk_node *n)
{
	GtkWidget *b = gtk_button_new_from_icon_name(icon);
	gtk_widget_add_css_class(b, "circular");
	sj_gtk_hide_parts(b);
	gtk_widget_set_valign(b, GTK_ALIGN_CENTER);
	g_signal_connect(b, "clicked", fn, n);
	return b;
}

static GtkWidget *wrapped(float xalign, const char *style)
{
	GtkWidget *label = sj_gtk_label_new(xalign);
	if (style)
		gtk_widget_add_css_class(label, style);
	return label;
}

static void stepper_build(struct sj_gtk_node *n)
{
	struct stepper *s = g_new0(struct stepper, 1);
	GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8), *words = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2);
	sj_gtk_stack(n);
	n->data = s;
	s->label = wrapped(0, NULL);
	s->detail = wrapped(0, "dim-label");
	gtk_widget_add_css_class(s->detail, "caption");
	gtk_widget_set_hexpand(words, TRUE);
	gtk_widget_set_valign(words, GTK_ALIGN_CENTER);
	gtk_box_append(GTK_BOX(words), s->label);
	gtk_box_append(GTK_BOX(words), s->detail);
	s->less = round_button("list-remove-symbolic", G_CALLBACK(on_less), n);
	s->amount = gtk_label_new("0");
	gtk_label_set_width_chars(GTK_LABEL(s->amount), 3);
	gtk_widget_add_css_class(s->amount, "numeric");
	s->more = round_button("list-add-symbolic", G_CALLBACK(on_more), n);
	gtk_box_append(GTK_BOX(row), words);
	gtk_box_append(GTK_BOX(row), s->less);
	gtk_box_append(GTK_BOX(row), s->amount);
	gtk_box_append(GTK_BOX(row), s->more);
	gtk_box_append(GTK_BOX(n->widget), row);
	n->control = row;
	sj_gtk_hide(words, true); /* the name and the description of the row */
}

static void stepper_update(struct sj_gtk_node *n, uint64_t mask)
{
	struct stepper *s = n->data;
	char *label = sj_gtk_line(n, SJ_P_LABEL), *detail = sj_gtk_detail(n);
	double min = sj_gtk_number(n, SJ_P_MIN, 0), v = sj_gtk_number(n, SJ_P_VALUE, min);
	double max = sj_gtk_number(n, SJ_P_MAX, 1e9);
	(void)mask;
	sj_gtk_label_set(s->label, label);
	sj_gtk_label_set(s->detail, detail);
	gtk_widget_set_visible(s->detail, *detail != 0);
	show_number(s->amount, v);
	gtk_widget_set_sensitive(s->less, v > min);
	gtk_widget_set_sensitive(s->more, v < max);
	char *less = g_strdup_printf(_("Fewer: %s"), label), *more = g_strdup_printf(_("More: %s"), label);
	gtk_accessible_update_property(GTK_ACCESSIBLE(s->less), GTK_ACCESSIBLE_PROPERTY_LABEL, less, -1);
	gtk_accessible_update_property(GTK_ACCESSIBLE(s->more), GTK_ACCESSIBLE_PROPERTY_LABEL, more, -1);
	g_free(less);
	g_free(more);
	g_free(label);
	g_free(detail);
}

const struct sj_gtk_class SJ_GTK_STEPPER = {.build = stepper_build, .update = stepper_update, .finish = data_free};

/* ---- rating ------------------------------------------------------------------------------------------------------ */

#define MOST_STARS 20

struct rating {
	GtkWidget *label, *row;
	int stars;
};

static void on_star(GtkButton *b, gpointer data)
{
	struct sj_gtk_node *n = data;
	struct sj_value v = sj_value_int(GPOINTER_TO_INT(g_object_get_data(G_OBJECT(b), "sj-star")));
	n->touched = true;
	sj_gtk_input(n, SJ_EDIT_COMMIT, &v);
}

static void rating_build(struct sj_gtk_node *n)
{
	struct rating *r = g_new0(struct rating, 1);
	sj_gtk_stack(n);
	n->data = r;
	r->label = sj_gtk_caption(n->widget);
	r->row = g_object_new(GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_RADIO_GROUP, NULL);
	gtk_box_append(GTK_BOX(n->widget), r->row);
	n->control = r->row;
}

static void rating_update(struct sj_gtk_node *n, uint64_t mask)
{
	struct rating *r = n->data;
	double max = sj_gtk_number(n, SJ_P_MAX, 5), v = sj_gtk_number(n, SJ_P_VALUE, 0);
	int stars = max >= 1 && max <= MOST_STARS ? (int)max : 5, on = (int)round(CLAMP(v, 0, stars));
	GtkWidget *star;

	if (mask & (SJ_GTK_BIT(LABEL) | SJ_GTK_BIT(REQUIRED)))
		sj_gtk_caption_set(n, r->label);
	while (r->stars > stars) {
		gtk_box_remove(GTK_BOX(r->row), gtk_widget_get_last_child(r->row));
		r->stars--;
	}
	while (r->stars < stars) {
		star = g_object_new(GTK_TYPE_BUTTON, "accessible-role", GTK_ACCESSIBLE_ROLE_RADIO, NULL);
		gtk_widget_add_css_class(star, "flat");
		gtk_widget_add_css_class(star, "circular");
		g_object_set_data(G_OBJECT(star), "sj-star", GINT_TO_POINTER(++r->stars));
		char *name = g_strdup_printf(_("%d of %d"), r->stars, stars);
		gtk_accessible_update_property(GTK_ACCESSIBLE(star), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
		gtk_widget_set_tooltip_text(star, name);
		g_free(name);
		g_signal_connect(star, "clicked", G_CALLBACK(on_star), n);
		gtk_box_append(GTK_BOX(r->row), star);
	}
	int i = 1;
	for (star = gtk_widget_get_first_child(r->row); star; star = gtk_widget_get_next_sibling(star), i++) {
		gtk_button_set_icon_name(GTK_BUTTON(star), i <= on ? "starred-symbolic" : "non-starred-symbolic");
		sj_gtk_hide_parts(star);
		gtk_accessible_update_state(GTK_ACCESSIBLE(star), GTK_ACCESSIBLE_STATE_CHECKED,
		                            i == on ? GTK_ACCESSIBLE_TRISTATE_TRUE : GTK_ACCESSIBLE_TRISTATE_FALSE, -1);
	}
}

const struct sj_gtk_class SJ_GTK_RATING = {.build = rating_build, .update = rating_update, .finish = data_free};

/* ---- summary: a name and an amount on one line ------------------------------------------------------------------- */

struct summary {
	GtkWidget *label, *value;
};

static void summary_build(struct sj_gtk_node *n)
{
	struct summary *s = g_new0(struct summary, 1);
	n->widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
	n->data = s;
	s->label = wrapped(0, NULL);
	gtk_widget_set_hexpand(s->label, TRUE);
	sj_gtk_hide(s->label, true); /* the name of the row */
	s->value = wrapped(1, "heading");
	gtk_box_append(GTK_BOX(n->widget), s->label);
	gtk_box_append(GTK_BOX(n->widget), s->value);
}

static void summary_update(struct sj_gtk_node *n, uint64_t mask)
{
	struct summary *s = n->data;
	char *label = sj_gtk_line(n, SJ_P_LABEL), *value = sj_gtk_line(n, SJ_P_VALUE), *detail = sj_gtk_detail(n);
	(void)mask;
	sj_gtk_label_set(s->label, label);
	sj_gtk_label_set(s->value, *value ? value : detail);
	g_free(label);
	g_free(value);
	g_free(detail);
}

const struct sj_gtk_class SJ_GTK_SUMMARY = {.build = summary_build, .update = summary_update, .finish = data_free};

/* ---- a catalog's own component without a widget of its own ------------------------------------------------------- */

struct custom {
	GtkWidget *label, *text, *value;
};

static void custom_build(struct sj_gtk_node *n)
{
	struct custom *c = g_new0(struct custom, 1);
	sj_gtk_stack(n);
	n->data = c;
	c->label = sj_gtk_caption(n->widget);
	c->text = sj_gtk_markup_new();
	c->value = wrapped(0, NULL);
	gtk_box_append(GTK_BOX(n->widget), c->text);
	gtk_box_append(GTK_BOX(n->widget), c->value);
	n->box = sj_gtk_flex_new(n->surface, GTK_ORIENTATION_VERTICAL, GTK_ACCESSIBLE_ROLE_GENERIC);
	sj_gtk_flex_follow(n->box, n->id);
	gtk_box_append(GTK_BOX(n->widget), GTK_WIDGET(n->box));
}

static void custom_update(struct sj_gtk_node *n, uint64_t mask)
{
	struct custom *c = n->data;
	char *value = sj_gtk_line(n, SJ_P_VALUE);
	char *text = sj_gtk_value_text(sj_gtk_value(n, SJ_P_TEXT), 4 * SJ_GTK_TEXT_MOST, true);
	(void)mask;
	sj_gtk_caption_set(n, c->label);
	sj_gtk_markup_set(c->text, n, sj_slice_of(text), "", 0);
	gtk_widget_set_visible(c->text, *text != 0);
	sj_gtk_label_set(c->value, value);
	gtk_widget_set_visible(c->value, *value != 0);
	g_free(text);
	g_free(value);
}

const struct sj_gtk_class SJ_GTK_CUSTOM = {.build = custom_build, .update = custom_update, .finish = data_free};
