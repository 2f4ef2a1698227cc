/* The surface as one line per thing, each beginning with what it is: for a screen reader, a log, or a program that
 * reads along. Lines begin with the face's own words; text of the agent that spans lines goes on after two blanks. */
#include "face/text/internal.h"

static struct sj_buf *out_of(struct painter *p) { return &p->out->text; }

static void put_role(struct painter *p, const char *role, const struct box *b, uint32_t option)
{
	sj_buf_puts(out_of(p), role);
	if (b->control > 0 && option < b->ncontrols)
		sj_buf_printf(out_of(p), " %u", b->control + option);
}

static struct sj_slice name_of(struct painter *p, const struct box *b)
{
	struct sj_slice name = ui_line(p, b->node, SJ_P_A11Y_LABEL);
	return name.len > 0 ? name : b->label;
}

static void put_end(struct painter *p, const struct box *b)
{
	struct sj_slice more = ui_line(p, b->node, SJ_P_A11Y_DESCRIPTION);
	if (more.len > 0)
		sj_buf_printf(out_of(p), ", %.*s", SJ_ARG(more));
	if (b->kind == SJ_UI_BUTTON && !b->enabled)
		sj_buf_printf(out_of(p), ", disabled: %.*s", SJ_ARG(reason_of(p, b)));
	else if (b->fault.len > 0)
		sj_buf_printf(out_of(p), ", error: %.*s", SJ_ARG(b->fault));
	else if (b->note.len > 0)
		sj_buf_printf(out_of(p), ", note: %.*s", SJ_ARG(b->note));
	sj_buf_putc(out_of(p), '\n');
}

static void put_name(struct painter *p, const struct box *b, const char *fallback)
{
	struct sj_slice name = name_of(p, b);
	sj_buf_puts(out_of(p), ": ");
	if (name.len > 0)
		sj_buf_slice(out_of(p), name);
	else
		sj_buf_puts(out_of(p), fallback);
}

static void put_markup(struct painter *p, const struct box *b)
{
	unsigned heading = heading_level(b);
	for (uint32_t i = 0; b->markup && i < b->markup->count; i++) {
		const struct paragraph *para = &b->markup->items[i];
		if (para->block == SJ_MD_RULE)
			continue;
		if (para->block == SJ_MD_HEADING || heading > 0)
			sj_buf_printf(out_of(p), "heading level %u: ", heading ? heading : para->level);
		else if (para->block == SJ_MD_ITEM)
			sj_buf_puts(out_of(p), "item: ");
		else if (para->block == SJ_MD_QUOTE)
			sj_buf_puts(out_of(p), "quote: ");
		else
			sj_buf_puts(out_of(p), "text: ");
		for (size_t c = 0; c < para->text.len; c++) {
			sj_buf_putc(out_of(p), para->text.ptr[c]);
			if (para->text.ptr[c] == '\n')
				sj_buf_puts(out_of(p), "  ");
		}
		sj_buf_putc(out_of(p), '\n');
	}
}

static void put_quoted(struct painter *p, struct sj_slice value, const char *empty)
{
	if (value.len > 0)
		sj_buf_printf(out_of(p), ", \"%.*s\"", SJ_ARG(value));
	else
		sj_buf_printf(out_of(p), ", %s", empty);
}

static void put_field(struct painter *p, const struct box *b)
{
	struct sj_slice value = ui_line(p, b->node, SJ_P_VALUE), hint = ui_line(p, b->node, SJ_P_PLACEHOLDER);
	bool is_long = sj_slice_is(b->variant, "longText");
	put_role(p, is_masked(b) ? "password field" : is_long ? "long text field" : "text field", b, 0);
	put_name(p, b, "no label");
	if (ui_true(p, b->node, SJ_P_REQUIRED))
		sj_buf_puts(out_of(p), ", required");
	if (is_masked(b) && value.len > 0)
		sj_buf_puts(out_of(p), ", filled in");
	else
		put_quoted(p, value, "empty");
	if (value.len == 0 && hint.len > 0)
		sj_buf_printf(out_of(p), ", for example: %.*s", SJ_ARG(hint));
	put_end(p, b);
}

static void put_choice(struct painter *p, const struct box *b)
{
	const struct sj_value *options = ui_value(p, b->node, SJ_P_OPTIONS), *value = ui_value(p, b->node, SJ_P_VALUE);
	uint32_t count = options ? sj_value_count(options) : 0;
	bool many = sj_slice_is(b->variant, "multipleSelection");

	sj_buf_puts(out_of(p), many ? "choose any" : "choose one");
	put_name(p, b, "no label");
	sj_buf_printf(out_of(p), ", %u option%s", count, count == 1 ? "" : "s");
	put_end(p, b);
	for (uint32_t i = 0; i < count && i < MAX_OPTIONS; i++) {
		const struct sj_value *option = sj_value_item(options, i);
		bool on = option_chosen(value, option);
		put_role(p, many ? "check box" : "radio button", b, i);
		sj_buf_printf(out_of(p), ": %.*s, %s\n", SJ_ARG(option_label(p, option)),
		              many ? on ? "checked" : "not checked" : on ? "selected" : "not selected");
	}
}

static void put_quantity(struct painter *p, const struct box *b, const char *role)
{
	char low[SJ_NUM_TEXT], high[SJ_NUM_TEXT];
	struct sj_slice value = ui_line(p, b->node, SJ_P_VALUE), detail = detail_text(p, b);
	bool rating = b->kind == SJ_UI_RATING, has_max = ui_value(p, b->node, SJ_P_MAX) != NULL;

	sj_num_text(ui_number(p, b->node, SJ_P_MIN, 0), low);
	sj_num_text(ui_number(p, b->node, SJ_P_MAX, rating ? 5 : 100), high);
	put_role(p, role, b, 0);
	put_name(p, b, "no label");
	if (detail.len > 0)
		sj_buf_printf(out_of(p), ", %.*s", SJ_ARG(detail));
	if (value.len == 0)
		value = rating ? SJ_LIT("0") : sj_slice_of(low);
	sj_buf_printf(out_of(p), ", %.*s", SJ_ARG(value));
	if (rating)
		sj_buf_printf(out_of(p), " of %s stars", high);
	else if (has_max || b->kind == SJ_UI_SLIDER)
		sj_buf_printf(out_of(p), ", from %s to %s", low, high);
	put_end(p, b);
}

static void put_tabs(struct painter *p, const struct box *b)
{
	const struct sj_value *tabs = ui_value(p, b->node, SJ_P_TABS);
	const struct sj_value *local = sj_node_local(p->surface, b->node, SJ_LIT("selected"));
	uint32_t count = tabs ? sj_value_count(tabs) : 0, active = 0;
	if (local && local->type == SJ_V_INT && local->u.i > 0 && local->u.i < count)
		active = (uint32_t)local->u.i;
	for (uint32_t i = 0; i < count && i < MAX_OPTIONS; i++) {
		const struct sj_value *tab = sj_value_item(tabs, i);
		const struct sj_value *title = tab->type == SJ_V_OBJECT ? sj_value_get(tab, SJ_LIT("title")) : NULL;
		put_role(p, "tab", b, i);
		sj_buf_printf(out_of(p), ": %.*s%s\n", SJ_ARG(one_line(p, value_text(p, title, false))),
		              i == active ? ", selected" : "");
	}
}

static void put_named(struct painter *p, const struct box *b, const char *role)
{
	if (name_of(p, b).len == 0)
		return;
	sj_buf_puts(out_of(p), role);
	put_name(p, b, "");
	put_end(p, b);
}

static void put_custom(struct painter *p, const struct box *b)
{
	struct sj_slice value = ui_line(p, b->node, SJ_P_VALUE), name = name_of(p, b);
	if (b->ncontrols > 0 && p->out->controls[b->control - 1].prop == SJ_P_ACTION) {
		put_role(p, "button", b, 0);
		put_name(p, b, "Button");
		put_end(p, b);
	} else if (b->ncontrols > 0) {
		put_field(p, b);
	} else if (name.len > 0 || value.len > 0) {
		sj_buf_printf(out_of(p), "text: %.*s%s%.*s", SJ_ARG(name), name.len > 0 && value.len > 0 ? ": " : "",
		              SJ_ARG(value));
		put_end(p, b);
	}
	put_markup(p, b);
}

static void enter(struct painter *p, const struct box *b)
{
	struct sj_slice id = one_line(p, sj_node_component_id(p->surface, b->node)), words;

	if (b->why != SJ_WHY_SHOWN) {
		sj_buf_printf(out_of(p), "not shown: %.*s: %s\n", SJ_ARG(id), sj_why_text(b->why));
		return;
	}
	switch (b->kind) {
	case SJ_UI_TEXT:
		put_markup(p, b);
		return;
	case SJ_UI_IMAGE:
	case SJ_UI_ICON:
		words = b->kind == SJ_UI_ICON ? icon_text(p, b->node) : ui_line(p, b->node, SJ_P_DESCRIPTION);
		if (ui_line(p, b->node, SJ_P_A11Y_LABEL).len > 0)
			words = ui_line(p, b->node, SJ_P_A11Y_LABEL);
		sj_buf_printf(out_of(p), "%s: %.*s", b->kind == SJ_UI_ICON ? "icon" : "image", SJ_ARG(words));
		if (words.len == 0)
			sj_buf_puts(out_of(p), "no description");
		put_end(p, b);
		return;
	case SJ_UI_VIDEO:
	case SJ_UI_AUDIO:
		words = ui_line(p, b->node, SJ_P_DESCRIPTION);
		sj_buf_puts(out_of(p), b->kind == SJ_UI_VIDEO ? "video" : "audio");
		if (words.len > 0)
			sj_buf_printf(out_of(p), ": %.*s", SJ_ARG(words));
		sj_buf_printf(out_of(p), " %.*s", SJ_ARG(ui_line(p, b->node, SJ_P_URL)));
		put_end(p, b);
		return;
	case SJ_UI_LIST:
		sj_buf_printf(out_of(p), "list of %u", b->count + b->more);
		if (name_of(p, b).len > 0)
			put_name(p, b, "");
		put_end(p, b);
		return;
	case SJ_UI_ROW:
	case SJ_UI_COLUMN:
	case SJ_UI_CARD:
	case SJ_UI_BOX:
	case SJ_UI_LIST_ITEM:
	case SJ_UI_APP_BAR:
	case SJ_UI_OVERLAY:
	case SJ_UI_SCROLL:
	case SJ_UI_PAGER:
		if (b->ncontrols > 0) {
			put_role(p, "button", b, 0);
			put_name(p, b, "press");
			put_end(p, b);
		} else {
			put_named(p, b, "group");
		}
		return;
	case SJ_UI_DIVIDER:
	case SJ_UI_KIND_COUNT:
		return;
	case SJ_UI_TABS:
		put_tabs(p, b);
		return;
	case SJ_UI_MODAL:
		if (b->count > 0) {
			sj_buf_puts(out_of(p), "dialog");
			put_name(p, b, "no name");
		} else {
			put_role(p, "button", b, 0);
			put_name(p, b, "Open");
			sj_buf_puts(out_of(p), ", opens a dialog");
		}
		put_end(p, b);
		return;
	case SJ_UI_BUTTON:
		put_role(p, "button", b, 0);
		put_name(p, b, "no label");
		put_end(p, b);
		return;
	case SJ_UI_TEXT_FIELD:
		put_field(p, b);
		return;
	case SJ_UI_CHECK_BOX:
		put_role(p, "check box", b, 0);
		put_name(p, b, "no label");
		sj_buf_puts(out_of(p), ui_true(p, b->node, SJ_P_VALUE) ? ", checked" : ", not checked");
		put_end(p, b);
		return;
	case SJ_UI_CHOICE:
		put_choice(p, b);
		return;
	case SJ_UI_DATE_TIME:
		put_role(p, "date field", b, 0);
		put_name(p, b, "no label");
		put_quoted(p, ui_line(p, b->node, SJ_P_VALUE), "empty");
		put_end(p, b);
		return;
	case SJ_UI_SLIDER:
		put_quantity(p, b, "slider");
		return;
	case SJ_UI_STEPPER:
		put_quantity(p, b, "stepper");
		return;
	case SJ_UI_RATING:
		put_quantity(p, b, "rating");
		return;
	case SJ_UI_SUMMARY:
	case SJ_UI_PROGRESS:
	case SJ_UI_NAV:
	case SJ_UI_CUSTOM:
		break;
	}
	put_custom(p, b);
}

static void leave(struct painter *p, const struct box *b)
{
	if (b->more > 0)
		sj_buf_printf(out_of(p), "and %u more\n", b->more);
	if (b->kind == SJ_UI_LIST && b->why == SJ_WHY_SHOWN)
		sj_buf_puts(out_of(p), "end of list\n");
	if (b->kind == SJ_UI_MODAL && b->count > 0) {
		put_role(p, "button", b, 0);
		sj_buf_puts(out_of(p), ": Close\nend of dialog\n");
	}
}

void draw_linear(struct painter *p)
{
	bool left = false;
	uint32_t hidden = UINT32_MAX; /* the box whose whole subtree is hidden from assistive technology */
	if (p->boxes.count == 0)
		sj_buf_puts(out_of(p), "Nothing to show yet.\n");
	for (uint32_t i = p->boxes.count > 0 ? 0 : UINT32_MAX; i != UINT32_MAX; i = box_next(p, i, &left)) {
		const struct box *b = box_at(p, i);
		if (hidden == i && left) {
			hidden = UINT32_MAX;
			continue;
		}
		if (hidden != UINT32_MAX)
			continue;
		if (!left && b->why == SJ_WHY_SHOWN && ui_true(p, b->node, SJ_P_A11Y_HIDDEN)) {
			hidden = b->count > 0 ? i : UINT32_MAX;
			continue;
		}
		if (!left)
			enter(p, b);
		if (left || b->count == 0)
			leave(p, b);
	}
}
