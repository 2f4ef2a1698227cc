/* A date, a time, or both. The pickers open inside the surface, below the field: a popover could cover what frames it.
 */
#include "face/gtk/internal.h"

#include "text/locale.h"

struct date {
	GtkWidget *label, *row, *day, *words, *time, *clear, *reveal, *typed_day, *calendar;
	bool dates, times, typed;
};

static struct sj_moment moment_of(struct sj_gtk_node *n, bool *valid)
{
	struct sj_moment m = {0};
	const struct sj_value *v = sj_gtk_value(n, SJ_P_VALUE);
	*valid = v && sj_value_is_string(v) && sj_moment_parse(sj_value_text(v), &m);
	return m;
}

/* "9:5", "09:05", "0905" and "9" are times of day; what is none counts as midnight. */
static char *clock_of(const struct date *d)
{
	const char *text = gtk_editable_get_text(GTK_EDITABLE(d->time));
	int parts[2] = {0, 0}, digits = 0, at = 0;
	for (; *text && at < 2; text++) {
		if (*text >= '0' && *text <= '9' && digits < 2) {
			parts[at] = parts[at] * 10 + (*text - '0');
			digits++;
		} else if (digits > 0) {
			digits = 0;
			at++;
			if (at < 2 && *text >= '0' && *text <= '9') {
				parts[at] = *text - '0';
				digits = 1;
			}
		}
	}
	bool valid = parts[0] < 24 && parts[1] < 60;
	return g_strdup_printf("%02d:%02d:00", valid ? parts[0] : 0, valid ? parts[1] : 0);
}

static void write_value(struct sj_gtk_node *n)
{
	struct date *d = n->data;
	GDateTime *day = gtk_calendar_get_date(GTK_CALENDAR(d->calendar));
	char *date = g_date_time_format(day, "%Y-%m-%d");
	char *time = clock_of(d);
	char *iso = d->dates && d->times ? g_strdup_printf("%sT%s", date, time) : g_strdup(d->dates ? date : time);
	bool late = false;
	const struct sj_value *min = sj_gtk_value(n, SJ_P_MIN), *max = sj_gtk_value(n, SJ_P_MAX);
	/* ISO texts of one form stand in the order of time. */
	if (min && sj_value_is_string(min) && sj_slice_cmp(sj_slice_of(iso), sj_value_text(min)) < 0)
		late = true;
	if (max && sj_value_is_string(max) && sj_value_text(max).len > 0) {
		struct sj_slice most = sj_value_text(max);
		if (sj_slice_cmp(sj_slice(iso, MIN(strlen(iso), most.len)), most) > 0)
			late = true;
	}
	n->touched = true;
	if (!late)
		sj_gtk_input_text(n, SJ_EDIT_COMMIT, iso);
	n->updating = true;
	n->cls->update(n, SJ_GTK_BIT(VALUE));
	n->updating = false;
	g_free(iso);
	g_free(time);
	g_free(date);
	g_date_time_unref(day);
}

static void on_picked(GtkCalendar *c, gpointer data)
{
	struct sj_gtk_node *n = data;
	(void)c;
	if (n->updating)
		return;
	write_value(n);
}

/* Assistive technology writes without the focus, and its "activate" does not reach an entry of GTK 4.8. */
static bool is_remote(GtkEditable *e)
{
	return !(gtk_widget_get_state_flags(GTK_WIDGET(e)) & GTK_STATE_FLAG_FOCUS_WITHIN);
}

static void time_done(struct sj_gtk_node *n)
{
	struct date *d = n->data;
	if (n->updating || !d->typed)
		return;
	d->typed = false;
	write_value(n);
}

static void on_time(GtkEntry *e, gpointer n)
{
	(void)e;
	time_done(n);
}

static void on_time_left(GtkEventControllerFocus *c, gpointer n)
{
	(void)c;
	time_done(n);
}

static void on_time_typed(GtkEditable *e, gpointer data)
{
	struct sj_gtk_node *n = data;
	if (n->updating)
		return;
	((struct date *)n->data)->typed = true;
	if (is_remote(e) && *gtk_editable_get_text(e))
		time_done(n);
}

static void on_open(GtkToggleButton *b, gpointer data)
{
	struct date *d = ((struct sj_gtk_node *)data)->data;
	bool open = gtk_toggle_button_get_active(b);
	gtk_revealer_set_reveal_child(GTK_REVEALER(d->reveal), open);
	sj_gtk_hide(d->reveal, !open);
	gtk_accessible_update_state(GTK_ACCESSIBLE(b), GTK_ACCESSIBLE_STATE_EXPANDED, open, -1);
}

static void on_clear(GtkButton *b, gpointer data)
{
	struct sj_gtk_node *n = data;
	(void)b;
	n->touched = true;
	sj_gtk_input_text(n, SJ_EDIT_COMMIT, "");
}

static GtkWidget *time_entry(struct sj_gtk_node *n)
{
	GtkWidget *entry = gtk_entry_new();
	GtkEventController *focus = gtk_event_controller_focus_new();
	gtk_editable_set_width_chars(GTK_EDITABLE(entry), 5);
	gtk_editable_set_max_width_chars(GTK_EDITABLE(entry), 5);
	gtk_entry_set_placeholder_text(GTK_ENTRY(entry), _("hh:mm"));
	gtk_widget_add_css_class(entry, "numeric");
	gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Time"), -1);
	g_signal_connect(entry, "activate", G_CALLBACK(on_time), n);
	g_signal_connect(entry, "changed", G_CALLBACK(on_time_typed), n);
	g_signal_connect(focus, "leave", G_CALLBACK(on_time_left), n);
	gtk_widget_add_controller(entry, focus);
	return entry;
}

/* GtkCalendar names none of its parts, and its days can be reached by keyboard alone: for assistive technology it is
 * four buttons in a group whose name is the day (show_moment); a day can be typed beside it. */
static GtkWidget *calendar_new(void)
{
	static const char *const names[] = {N_("Previous Month"), N_("Next Month"), N_("Previous Year"),
	                                    N_("Next Year")};
	GtkWidget *calendar = g_object_new(GTK_TYPE_CALENDAR, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
	GtkWidget *header = gtk_widget_get_first_child(calendar);
	size_t i = 0;
	for (GtkWidget *c = header ? gtk_widget_get_first_child(header) : NULL; c; c = gtk_widget_get_next_sibling(c)) {
		if (!GTK_IS_BUTTON(c))
			sj_gtk_hide(c, true);
		else if (i < G_N_ELEMENTS(names))
			gtk_accessible_update_property(GTK_ACCESSIBLE(c), GTK_ACCESSIBLE_PROPERTY_LABEL, _(names[i++]),
			                               -1);
	}
	for (GtkWidget *c = header ? gtk_widget_get_next_sibling(header) : NULL; c; c = gtk_widget_get_next_sibling(c))
		sj_gtk_hide(c, true);
	return calendar;
}

static void day_done(struct sj_gtk_node *n)
{
	struct date *d = n->data;
	struct sj_moment m;
	bool is_set;
	GDateTime *day = NULL, *now = gtk_calendar_get_date(GTK_CALENDAR(d->calendar));
	(void)moment_of(n, &is_set);
	if (!n->updating &&
	    sj_moment_parse(sj_slice_of(gtk_editable_get_text(GTK_EDITABLE(d->typed_day))), &m) && m.has_date &&
	    m.year >= 1 && m.year <= 9999)
		day = g_date_time_new_local((int)m.year, (int)m.month, (int)m.day, 12, 0, 0);
	if (day && (!is_set || g_date_time_get_year(day) != g_date_time_get_year(now) ||
	            g_date_time_get_day_of_year(day) != g_date_time_get_day_of_year(now))) {
		n->updating = true;
		gtk_calendar_select_day(GTK_CALENDAR(d->calendar), day);
		n->updating = false;
		write_value(n);
	}
	g_clear_pointer(&day, g_date_time_unref);
	g_date_time_unref(now);
}

static void on_day(GtkEntry *e, gpointer n)
{
	(void)e;
	day_done(n);
}

static void on_day_left(GtkEventControllerFocus *c, gpointer n)
{
	(void)c;
	day_done(n);
}

static void on_day_typed(GtkEditable *e, gpointer n)
{
	if (is_remote(e))
		day_done(n);
}

static GtkWidget *day_entry(struct sj_gtk_node *n)
{
	GtkWidget *entry = gtk_entry_new();
	gtk_editable_set_width_chars(GTK_EDITABLE(entry), 10);
	gtk_editable_set_max_width_chars(GTK_EDITABLE(entry), 10);
	gtk_widget_set_halign(entry, GTK_ALIGN_START);
	gtk_entry_set_placeholder_text(GTK_ENTRY(entry), _("yyyy-mm-dd"));
	gtk_widget_add_css_class(entry, "numeric");
	gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Day"), -1);
	gtk_accessible_update_property(GTK_ACCESSIBLE(entry), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
	                               _("Year, month and day, then Enter"), -1);
	GtkEventController *focus = gtk_event_controller_focus_new();
	g_signal_connect(entry, "activate", G_CALLBACK(on_day), n);
	g_signal_connect(entry, "changed", G_CALLBACK(on_day_typed), n);
	g_signal_connect(focus, "leave", G_CALLBACK(on_day_left), n);
	gtk_widget_add_controller(entry, focus);
	return entry;
}

static void date_build(struct sj_gtk_node *n)
{
	struct date *d = g_new0(struct date, 1);
	GtkWidget *inside = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
	sj_gtk_stack(n);
	n->data = d;
	d->label = sj_gtk_caption(n->widget);
	d->row = GTK_WIDGET(sj_gtk_wrap_new(GTK_ACCESSIBLE_ROLE_GROUP));
	d->day = gtk_toggle_button_new();
	d->words = gtk_label_new(NULL);
	gtk_box_append(GTK_BOX(inside), gtk_image_new_from_icon_name("x-office-calendar-symbolic"));
	gtk_box_append(GTK_BOX(inside), d->words);
	gtk_button_set_child(GTK_BUTTON(d->day), inside);
	sj_gtk_hide(inside, true);
	gtk_accessible_update_state(GTK_ACCESSIBLE(d->day), GTK_ACCESSIBLE_STATE_EXPANDED, FALSE, -1);
	g_signal_connect(d->day, "toggled", G_CALLBACK(on_open), n);
	d->time = time_entry(n);
	d->clear = gtk_button_new_from_icon_name("edit-clear-symbolic");
	gtk_widget_add_css_class(d->clear, "flat");
	gtk_widget_set_tooltip_text(d->clear, _("Clear"));
	sj_gtk_hide_parts(d->clear);
	gtk_accessible_update_property(GTK_ACCESSIBLE(d->clear), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Clear"), -1);
	g_signal_connect(d->clear, "clicked", G_CALLBACK(on_clear), n);
	GtkWidget *parts[] = {d->day, d->time, d->clear};
	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
		sj_gtk_wrap_append(SJ_GTK_WRAP(d->row), parts[i]);
	d->reveal = gtk_revealer_new();
	sj_gtk_hide(d->reveal, true);
	d->calendar = calendar_new();
	gtk_widget_set_halign(d->calendar, GTK_ALIGN_START);
	/* Another month or year selects its day without a word of it. */
	const char *const moves[] = {"day-selected", "next-month", "prev-month", "next-year", "prev-year"};
	for (size_t i = 0; i < G_N_ELEMENTS(moves); i++)
		g_signal_connect(d->calendar, moves[i], G_CALLBACK(on_picked), n);
	d->typed_day = day_entry(n);
	GtkWidget *opened = g_object_new(GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6,
	                                 "accessible-role", GTK_ACCESSIBLE_ROLE_GENERIC, NULL);
	gtk_box_append(GTK_BOX(opened), d->typed_day);
	gtk_box_append(GTK_BOX(opened), d->calendar);
	gtk_revealer_set_child(GTK_REVEALER(d->reveal), opened);
	gtk_box_append(GTK_BOX(n->widget), d->row);
	gtk_box_append(GTK_BOX(n->widget), d->reveal);
	n->control = d->row;
}

static void show_moment(struct sj_gtk_node *n, struct date *d)
{
	bool valid;
	struct sj_moment m = moment_of(n, &valid);
	char *raw = sj_gtk_line(n, SJ_P_VALUE);
	if (valid && m.has_date && m.year >= 1 && m.year <= 9999) {
		GDateTime *day = g_date_time_new_local((int)m.year, (int)m.month, (int)m.day, 12, 0, 0);
		if (day) {
			char *words = g_date_time_format(day, _("%-e %B %Y"));
			gtk_label_set_text(GTK_LABEL(d->words), g_strstrip(words));
			gtk_calendar_select_day(GTK_CALENDAR(d->calendar), day);
			gtk_accessible_update_property(GTK_ACCESSIBLE(d->calendar), GTK_ACCESSIBLE_PROPERTY_LABEL,
			                               gtk_label_get_text(GTK_LABEL(d->words)), -1);
			char *iso = g_date_time_format(day, "%Y-%m-%d");
			if (!(gtk_widget_get_state_flags(d->typed_day) & GTK_STATE_FLAG_FOCUS_WITHIN))
				gtk_editable_set_text(GTK_EDITABLE(d->typed_day), iso);
			g_free(iso);
			g_free(words);
			g_date_time_unref(day);
		}
	} else {
		gtk_label_set_text(GTK_LABEL(d->words), *raw && !valid ? raw : _("Choose a date"));
		gtk_accessible_update_property(GTK_ACCESSIBLE(d->calendar), GTK_ACCESSIBLE_PROPERTY_LABEL,
		                               gtk_label_get_text(GTK_LABEL(d->words)), -1);
	}
	char *clock = valid && m.has_time ? g_strdup_printf("%02d:%02d", m.hour, m.minute) : g_strdup("");
	if (!d->typed && strcmp(gtk_editable_get_text(GTK_EDITABLE(d->time)), clock) != 0)
		gtk_editable_set_text(GTK_EDITABLE(d->time), clock);
	g_free(clock);
	gtk_widget_set_visible(d->clear, *raw != 0);
	char *name = sj_gtk_line(n, SJ_P_LABEL);
	char *spoken = g_strdup_printf("%s%s%s", name, *name ? ": " : "", gtk_label_get_text(GTK_LABEL(d->words)));
	gtk_accessible_update_property(GTK_ACCESSIBLE(d->day), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
	g_free(spoken);
	g_free(name);
	g_free(raw);
}

static void date_update(struct sj_gtk_node *n, uint64_t mask)
{
	struct date *d = n->data;
	if (mask & (SJ_GTK_BIT(LABEL) | SJ_GTK_BIT(REQUIRED)))
		sj_gtk_caption_set(n, d->label);
	if (mask & (SJ_GTK_BIT(ENABLE_DATE) | SJ_GTK_BIT(ENABLE_TIME))) {
		d->dates = sj_gtk_true(n, SJ_P_ENABLE_DATE);
		d->times = sj_gtk_true(n, SJ_P_ENABLE_TIME);
		if (!d->dates && !d->times)
			d->dates = d->times = true; /* neither is named: both */
		gtk_widget_set_visible(d->day, d->dates);
		gtk_widget_set_visible(d->time, d->times);
	}
	if (mask & SJ_GTK_BIT(VALUE))
		show_moment(n, d);
}

static void date_finish(struct sj_gtk_node *n)
{
	g_free(n->data);
	n->data = NULL;
}

const struct sj_gtk_class SJ_GTK_DATE = {.build = date_build, .update = date_update, .finish = date_finish};
