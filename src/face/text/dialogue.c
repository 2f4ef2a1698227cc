/* The dialogue: what a person types, applied to the numbered controls of the last picture. */
#include "base/num.h"
#include "face/text/text.h"
#include "text/locale.h"

struct talk {
	struct sj_engine *engine;
	struct sj_view *view;
	struct sj_surface *surface;
	const struct sj_text_control *control;
	uint32_t number;
	struct sj_buf *reply;
};

static const char HELP[] = "Type a number to press, tick or choose what it stands before.\n"
                           "  3         press button 3, tick box 3, choose option 3, open tab 3\n"
                           "  5=hello   write hello into field 5 (5= empties it; \\n is a new line in a long text)\n"
                           "  7+ 7-     one more, one less\n"
                           "  3?        what is 3?\n"
                           "  Enter     show the screen again\n"
                           "  ?         this help\n"
                           "  q         leave\n";

static const struct sj_value *value_of(struct talk *t, enum sj_ui_prop prop)
{
	const struct sj_value *v = sj_node_ui(t->surface, t->control->node, prop);
	return v && v->type != SJ_V_ABSENT && v->type != SJ_V_NULL ? v : NULL;
}

static double number_of(struct talk *t, enum sj_ui_prop prop, double fallback)
{
	const struct sj_value *v = value_of(t, prop);
	double d;
	if (v && sj_value_is_number(v))
		return sj_value_double(v);
	return v && sj_num_parse_loose(sj_value_text(v), &d) ? d : fallback;
}

static bool word_is(struct talk *t, enum sj_ui_prop prop, const char *word)
{
	const struct sj_value *v = value_of(t, prop);
	return v && sj_slice_is(sj_value_text(v), word);
}

static bool flag_of(struct talk *t, enum sj_ui_prop prop)
{
	const struct sj_value *v = value_of(t, prop);
	return v && v->type == SJ_V_TRUE;
}

static void say(struct talk *t, const char *z)
{
	sj_buf_puts(t->reply, z);
	sj_buf_putc(t->reply, '\n');
}

static void say_diag(struct talk *t, const struct sj_diag *d)
{
	sj_buf_puts(t->reply, "That did not work: ");
	sj_text_clean(t->reply, sj_slice_of(d->message), false);
	sj_buf_putc(t->reply, '\n');
}

/* Gives a value to the control's input; takes it. */
static bool give(struct talk *t, struct sj_value take)
{
	struct sj_input in = {
		.node = t->control->node, .prop = t->control->prop, .phase = SJ_EDIT_COMMIT, .value = take};
	struct sj_diag diag = {0};
	enum sj_status status = sj_engine_input(t->engine, t->view, &in, &diag);
	sj_value_unref(sj_engine_mem(t->engine), take);
	if (status != SJ_OK)
		say_diag(t, &diag);
	return status == SJ_OK;
}

static bool give_text(struct talk *t, struct sj_slice text)
{
	struct sj_value v;
	if (sj_value_string(sj_engine_mem(t->engine), text, &v) != SJ_OK) {
		say(t, "There is no memory left for that.");
		return false;
	}
	return give(t, v);
}

static bool set_local(struct talk *t, struct sj_slice name, struct sj_value v)
{
	if (sj_engine_set_local(t->engine, t->view, t->control->node, name, v) == SJ_OK)
		return true;
	say(t, "That did not work.");
	return false;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

static bool write_number(struct talk *t, double d)
{
	enum sj_ui_kind kind = sj_node_kind(t->surface, t->control->node);
	bool rating = kind == SJ_UI_RATING;
	const struct sj_value *has_max = value_of(t, SJ_P_MAX);
	double min = number_of(t, SJ_P_MIN, 0), max = number_of(t, SJ_P_MAX, rating ? 5 : 100);
	bool bounded_above = has_max || rating || kind == SJ_UI_SLIDER;
	char low[SJ_NUM_TEXT], high[SJ_NUM_TEXT];

	if (d >= min && (!bounded_above || d <= max))
		return give(t, sj_value_number(d));
	sj_num_text(min, low);
	sj_num_text(max, high);
	if (bounded_above)
		sj_buf_printf(t->reply, "%u takes a number from %s to %s.\n", t->number, low, high);
	else
		sj_buf_printf(t->reply, "%u takes a number from %s on.\n", t->number, low);
	return false;
}

/* "2026-12-01 18:30" is as good as the ISO form with a T. */
static bool write_date(struct talk *t, struct sj_slice text)
{
	bool date = flag_of(t, SJ_P_ENABLE_DATE), time = flag_of(t, SJ_P_ENABLE_TIME);
	struct sj_moment m;
	struct sj_buf iso;
	bool done = false;

	if (!date && !time)
		date = time = true;
	sj_buf_init(&iso, sj_engine_mem(t->engine), 64);
	for (size_t i = 0; i < text.len; i++)
		sj_buf_putc(&iso, text.ptr[i] == ' ' ? 'T' : text.ptr[i]);
	if (text.len == 0 || (sj_buf_status(&iso) == SJ_OK && sj_moment_parse(sj_buf_view(&iso), &m) &&
	                      (!m.has_date || date) && (!m.has_time || time) && (m.has_date || !date)))
		done = give_text(t, sj_buf_view(&iso));
	else
		sj_buf_printf(t->reply, "%u takes %s, like %u=%s%s%s.\n", t->number,
		              date && time ? "a date and a time"
		              : date       ? "a date"
		                           : "a time",
		              t->number, date ? "2026-12-01" : "", date && time ? " " : "", time ? "18:30" : "");
	sj_buf_finish(&iso);
	return done;
}

static bool write_long(struct talk *t, struct sj_slice text)
{
	struct sj_buf lines;
	sj_buf_init(&lines, sj_engine_mem(t->engine), 0);
	for (size_t i = 0; i < text.len; i++) {
		char next = i + 1 < text.len ? text.ptr[i + 1] : 0;
		if (text.ptr[i] == '\\' && (next == 'n' || next == '\\')) {
			sj_buf_putc(&lines, next == 'n' ? '\n' : '\\');
			i++;
		} else {
			sj_buf_putc(&lines, text.ptr[i]);
		}
	}
	bool done = sj_buf_status(&lines) == SJ_OK && give_text(t, sj_buf_view(&lines));
	sj_buf_finish(&lines);
	return done;
}

static bool write_check(struct talk *t, struct sj_slice text)
{
	static const char *const yes[] = {"x", "yes", "y", "true", "on", "1"}, *const no[] = {"",      "no",  "n",
	                                                                                      "false", "off", "0"};
	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
		if (sj_slice_is(text, yes[i]))
			return give(t, sj_value_bool(true));
		if (sj_slice_is(text, no[i]))
			return give(t, sj_value_bool(false));
	}
	say(t, "A box takes yes or no.");
	return false;
}

static bool write_text(struct talk *t, struct sj_slice text)
{
	double d;
	if (t->control->prop != SJ_P_VALUE || t->control->option != UINT32_MAX) {
		sj_buf_printf(t->reply, "%u takes no text; type %u alone.\n", t->number, t->number);
		return false;
	}
	switch (sj_node_kind(t->surface, t->control->node)) {
	case SJ_UI_TEXT_FIELD:
		return word_is(t, SJ_P_VARIANT, "longText") ? write_long(t, text) : give_text(t, text);
	case SJ_UI_CHECK_BOX:
		return write_check(t, text);
	case SJ_UI_DATE_TIME:
		return write_date(t, text);
	case SJ_UI_SLIDER:
	case SJ_UI_STEPPER:
	case SJ_UI_RATING:
		if (sj_num_parse_loose(text, &d))
			return write_number(t, d);
		sj_buf_printf(t->reply, "%u takes a number.\n", t->number);
		return false;
	case SJ_UI_CUSTOM:
	case SJ_UI_TEXT:
	case SJ_UI_IMAGE:
	case SJ_UI_ICON:
	case SJ_UI_VIDEO:
	case SJ_UI_AUDIO:
	case SJ_UI_ROW:
	case SJ_UI_COLUMN:
	case SJ_UI_LIST:
	case SJ_UI_CARD:
	case SJ_UI_TABS:
	case SJ_UI_MODAL:
	case SJ_UI_DIVIDER:
	case SJ_UI_BUTTON:
	case SJ_UI_CHOICE:
	case SJ_UI_SUMMARY:
	case SJ_UI_BOX:
	case SJ_UI_LIST_ITEM:
	case SJ_UI_APP_BAR:
	case SJ_UI_PROGRESS:
	case SJ_UI_OVERLAY:
	case SJ_UI_SCROLL:
	case SJ_UI_PAGER:
	case SJ_UI_NAV:
	case SJ_UI_KIND_COUNT:
		break;
	}
	/* A component of the host's own keeps the kind of value it has. */
	const struct sj_value *now = value_of(t, SJ_P_VALUE);
	if (now && sj_value_is_number(now)) {
		if (sj_num_parse_loose(text, &d))
			return give(t, sj_value_number(d));
		sj_buf_printf(t->reply, "%u takes a number.\n", t->number);
		return false;
	}
	return now && sj_value_is_bool(now) ? write_check(t, text) : give_text(t, text);
}

/* ---- pressing ---------------------------------------------------------------------------------------------------- */

static bool press_node(struct talk *t, sj_node_id n)
{
	struct sj_diag diag = {0};
	if (sj_engine_press(t->engine, t->view, n, &diag) == SJ_OK)
		return true;
	say_diag(t, &diag);
	return false;
}

static const struct sj_value *option_value(const struct sj_value *option)
{
	const struct sj_value *v = option->type == SJ_V_OBJECT ? sj_value_get(option, SJ_LIT("value")) : option;
	return v ? v : option;
}

/* Always a list: of one, or of all that are on. */
static bool choose(struct talk *t)
{
	struct sj_mem *mem = sj_engine_mem(t->engine);
	const struct sj_value *options = value_of(t, SJ_P_OPTIONS), *now = value_of(t, SJ_P_VALUE);
	const struct sj_value *option = options ? sj_value_item(options, t->control->option) : NULL;
	bool many = word_is(t, SJ_P_VARIANT, "multipleSelection"), was_on = false;
	struct sj_value list;

	if (!option) {
		say(t, "That option is gone.");
		return false;
	}
	const struct sj_value *mine = option_value(option);
	enum sj_status status = sj_value_array(mem, &list);
	for (uint32_t i = 0; status == SJ_OK && many && now && i < sj_value_count(now); i++) {
		const struct sj_value *item = sj_value_item(now, i);
		if (sj_value_equal(item, mine))
			was_on = true;
		else
			status = sj_value_append(mem, &list, sj_value_ref(*item));
	}
	if (status == SJ_OK && !was_on)
		status = sj_value_append(mem, &list, sj_value_ref(*mine));
	if (status == SJ_OK)
		return give(t, list);
	say(t, "There is no memory left for that.");
	return false;
}

static bool toggle_modal(struct talk *t)
{
	const struct sj_value *open = sj_node_local(t->surface, t->control->node, SJ_LIT("open"));
	bool was_open = open && open->type == SJ_V_TRUE;
	if (!set_local(t, SJ_LIT("open"), sj_value_bool(!was_open)))
		return false;
	/* What opens a dialog may be a button with a deed of its own. */
	for (uint32_t i = 0; !was_open && i < sj_node_child_count(t->surface, t->control->node); i++) {
		struct sj_edge edge;
		sj_node_id child = sj_node_child(t->surface, t->control->node, i);
		sj_node_child_edge(t->surface, t->control->node, i, &edge);
		if (edge.ui == SJ_P_TRIGGER && sj_node_kind(t->surface, child) == SJ_UI_BUTTON &&
		    sj_node_enabled(t->surface, child))
			sj_engine_press(t->engine, t->view, child, NULL);
	}
	return true;
}

static bool press(struct talk *t)
{
	if (t->control->prop == SJ_P_ACTION) {
		if (sj_node_enabled(t->surface, t->control->node))
			return press_node(t, t->control->node);
		struct sj_validity v = {0};
		sj_node_validity(t->surface, t->control->node, &v);
		sj_buf_printf(t->reply, "%u cannot be pressed now", t->number);
		if (!v.valid && v.message.len > 0) {
			sj_buf_puts(t->reply, ": ");
			sj_text_clean(t->reply, v.message, false);
		}
		sj_buf_puts(t->reply, "\n");
		return false;
	}
	if (t->control->prop == SJ_P_TABS)
		return set_local(t, SJ_LIT("selected"), sj_value_int(t->control->option));
	if (t->control->prop == SJ_P_TRIGGER)
		return toggle_modal(t);
	if (t->control->option != UINT32_MAX)
		return choose(t);
	if (sj_node_kind(t->surface, t->control->node) == SJ_UI_CHECK_BOX) {
		return give(t, sj_value_bool(!flag_of(t, SJ_P_VALUE)));
	}
	sj_buf_printf(t->reply, "Write into it with %u=...\n", t->number);
	return false;
}

static bool step(struct talk *t, int sign)
{
	enum sj_ui_kind kind = sj_node_kind(t->surface, t->control->node);
	const struct sj_value *now = value_of(t, SJ_P_VALUE);
	double by = 1, min = number_of(t, SJ_P_MIN, 0), max = number_of(t, SJ_P_MAX, kind == SJ_UI_RATING ? 5 : 100);
	double value = number_of(t, SJ_P_VALUE, min), steps = number_of(t, SJ_P_STEPS, 0);

	if (t->control->prop == SJ_P_VALUE && kind == SJ_UI_TEXT_FIELD && word_is(t, SJ_P_VARIANT, "number")) {
		char text[SJ_NUM_TEXT];
		return give_text(t, sj_slice(text, sj_num_text(number_of(t, SJ_P_VALUE, 0) + sign, text)));
	}
	bool is_number = kind == SJ_UI_SLIDER || kind == SJ_UI_STEPPER || kind == SJ_UI_RATING ||
	                 (kind == SJ_UI_CUSTOM && now && sj_value_is_number(now));
	if (t->control->prop != SJ_P_VALUE || t->control->option != UINT32_MAX || !is_number) {
		sj_buf_printf(t->reply, "%u is no number.\n", t->number);
		return false;
	}
	if (kind == SJ_UI_SLIDER) {
		if (steps >= 1)
			by = (max - min) / steps;
		else if (max - min < 10)
			by = (max - min) / 10;
	}
	double next = value + sign * by;
	bool bounded_above = value_of(t, SJ_P_MAX) || kind != SJ_UI_STEPPER;
	if (kind == SJ_UI_CUSTOM && !value_of(t, SJ_P_MAX))
		bounded_above = false;
	if (next < min)
		next = min;
	if (bounded_above && next > max)
		next = max;
	return give(t, sj_value_number(next));
}

/* ---- reading the line -------------------------------------------------------------------------------------------- */

static void explain(struct talk *t)
{
	struct sj_slice type = sj_node_type(t->surface, t->control->node),
			id = sj_node_component_id(t->surface, t->control->node);
	struct sj_validity v = {0};
	sj_buf_printf(t->reply, "%u is ", t->number);
	sj_text_clean(t->reply, type, false);
	sj_buf_puts(t->reply, " \"");
	sj_text_clean(t->reply, id, false);
	sj_buf_puts(t->reply, "\"");
	sj_node_validity(t->surface, t->control->node, &v);
	if (v.has_checks && !v.valid) {
		sj_buf_puts(t->reply, ". ");
		sj_text_clean(t->reply, v.message.len > 0 ? v.message : SJ_LIT("It is not right yet"), false);
	}
	sj_buf_puts(t->reply, "\n");
}

static struct sj_slice trim(struct sj_slice s)
{
	while (s.len > 0 && (s.ptr[s.len - 1] == '\n' || s.ptr[s.len - 1] == '\r'))
		s.len--;
	while (s.len > 0 && s.ptr[0] == ' ')
		s.ptr++, s.len--;
	return s;
}

enum sj_status sj_text_command(struct sj_engine *e, struct sj_view *v, const struct sj_text_picture *p,
                               struct sj_slice line, struct sj_buf *reply, bool *redraw, bool *quit)
{
	struct talk t = {.engine = e, .view = v, .surface = sj_view_surface(v), .reply = reply};
	struct sj_slice s = trim(line), rest;
	size_t digits = 0;

	*redraw = *quit = false;
	if (sj_slice_is(s, "q") || sj_slice_is(s, "quit")) {
		*quit = true;
		return sj_buf_status(reply);
	}
	if (s.len == 0 || sj_slice_is(s, "r")) {
		*redraw = true;
		return sj_buf_status(reply);
	}
	while (digits < s.len && s.ptr[digits] >= '0' && s.ptr[digits] <= '9')
		digits++;
	if (sj_slice_is(s, "?") || sj_slice_is(s, "help") || digits == 0) {
		if (s.ptr[0] != '?' && !sj_slice_is(s, "help"))
			sj_buf_puts(reply, "That begins with no number. ");
		sj_buf_puts(reply, HELP);
		return sj_buf_status(reply);
	}
	if (!sj_num_index(sj_slice(s.ptr, digits), &t.number) || t.number == 0 || t.number > p->ncontrols) {
		sj_buf_printf(reply, "There is no %.*s; the numbers go from 1 to %u.\n",
		              (int)(digits < 12 ? digits : 12), s.ptr, p->ncontrols);
		return sj_buf_status(reply);
	}
	t.control = &p->controls[t.number - 1];
	rest = sj_slice(s.ptr + digits, s.len - digits);
	if (rest.len > 0 && rest.ptr[0] != '=')
		rest = trim(rest);
	if (!sj_node_alive(t.surface, t.control->node)) {
		sj_buf_printf(reply, "%u is gone.\n", t.number);
		*redraw = true;
	} else if (rest.len == 0) {
		*redraw = press(&t);
	} else if (rest.ptr[0] == '=') {
		*redraw = write_text(&t, sj_slice(rest.ptr + 1, rest.len - 1));
	} else if (sj_slice_is(rest, "+") || sj_slice_is(rest, "-")) {
		*redraw = step(&t, rest.ptr[0] == '+' ? 1 : -1);
	} else if (sj_slice_is(rest, "?")) {
		explain(&t);
	} else {
		sj_buf_puts(reply, "After the number comes nothing, =, + , - or ?. ");
		sj_buf_puts(reply, HELP);
	}
	return sj_buf_status(reply);
}
