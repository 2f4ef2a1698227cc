/* The things a person reads values from and works with. What they look like must be clear without colour: [ Press ], (
 * not now ), [text____], [x], (o), <chip>. */
#include "face/text/internal.h"

#include "base/utf.h"
#include "text/locale.h"
#include "text/width.h"

#define FIELD 60u       /* columns no field exceeds */
#define SHORT_FIELD 24u /* numbers and dates */
#define LONG_ROWS 3u    /* of an empty long text */

static uint32_t at_most(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* ---- numbers of controls ----------------------------------------------------------------------------------------- */

void pen_number(struct pen *n, const struct box *b, uint32_t option)
{
	char number[SJ_NUM_TEXT];
	if (!n->painter->opt.numbers || option >= b->ncontrols)
		return;
	sj_num_text_i64((int64_t)b->control + option, number);
	pen_text(n, sj_slice_of(number), BOLD);
	pen_text(n, SJ_LIT(") "), BOLD);
}

uint32_t number_columns(const struct painter *p, const struct box *b, uint32_t option)
{
	char number[SJ_NUM_TEXT];
	if (!p->opt.numbers || option >= b->ncontrols)
		return 0;
	return (uint32_t)sj_num_text_i64((int64_t)b->control + option, number) + 2;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

struct sj_slice masked(struct painter *p, struct sj_slice text)
{
	sj_buf_clear(&p->scratch);
	for (size_t at = 0; at < text.len;) {
		unsigned columns;
		at += sj_grapheme_next(sj_slice(text.ptr + at, text.len - at), &columns);
		sj_buf_puts(&p->scratch, p->opt.ascii ? "*" : "•");
	}
	return keep_scratch(p);
}

/* "logo" of "https://host/a/logo.png?v=2"; nothing when the name was made by a machine. */
static struct sj_slice file_name(struct sj_slice url)
{
	size_t end = 0, from, digits = 0;
	while (end < url.len && url.ptr[end] != '?' && url.ptr[end] != '#')
		end++;
	for (from = end; from > 0 && url.ptr[from - 1] != '/';)
		from--;
	size_t dot = end;
	while (dot > from && url.ptr[dot - 1] != '.')
		dot--;
	if (dot == from || end - dot > 4 || dot - 1 - from > 32)
		return SJ_LIT("");
	for (size_t i = from; i < dot; i++)
		digits += url.ptr[i] >= '0' && url.ptr[i] <= '9';
	return digits * 2 > dot - from ? SJ_LIT("") : sj_slice(url.ptr + from, dot - 1 - from);
}

struct sj_slice media_text(struct painter *p, const struct box *b)
{
	static const char *const words[] = {[SJ_UI_IMAGE] = "image", [SJ_UI_VIDEO] = "video", [SJ_UI_AUDIO] = "audio"};
	struct sj_slice description = ui_line(p, b->node, SJ_P_DESCRIPTION), url = ui_line(p, b->node, SJ_P_URL);
	if (b->kind == SJ_UI_ICON)
		return icon_text(p, b->node);
	bool file_only = b->kind == SJ_UI_IMAGE; /* nobody follows the address of a picture */
	sj_buf_clear(&p->scratch);
	sj_buf_printf(&p->scratch, "[%s", words[b->kind]);
	if (description.len > 0)
		sj_buf_printf(&p->scratch, ": %.*s", SJ_ARG(description));
	else if (file_only && file_name(url).len > 0)
		sj_buf_printf(&p->scratch, ": %.*s", SJ_ARG(file_name(url)));
	sj_buf_putc(&p->scratch, ']');
	if (!file_only && url.len > 0) {
		sj_buf_putc(&p->scratch, ' ');
		sj_buf_slice(&p->scratch, url);
	}
	return keep_scratch(p);
}

struct sj_slice detail_text(struct painter *p, const struct box *b)
{
	const struct sj_value *v = ui_value(p, b->node, SJ_P_DETAIL);
	struct sj_slice code = ui_line(p, b->node, SJ_P_CURRENCY);
	if (v && sj_value_is_number(v) && code.len > 0) {
		sj_buf_clear(&p->scratch);
		if (SJ_LOCALE_EN.currency(SJ_LOCALE_EN.ctx, "en", sj_value_double(v), code, -1, true, &p->scratch) ==
		    SJ_OK)
			return keep_scratch(p);
	}
	return one_line(p, value_text(p, v, false));
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static struct block label_block(struct painter *p, const struct box *b)
{
	struct block none = NO_BLOCK;
	if (b->label.len == 0)
		return none;
	sj_buf_clear(&p->scratch);
	sj_buf_slice(&p->scratch, b->label);
	if (ui_true(p, b->node, SJ_P_REQUIRED))
		sj_buf_puts(&p->scratch, " (required)");
	return block_text(p, keep_scratch(p), b->columns, PLAIN);
}

/* One line of a field: [text____]; `tail` shows the end of a text that does not fit. */
static struct block field_line(struct painter *p, const struct box *b, struct sj_slice text, unsigned style,
                               uint32_t columns, bool first)
{
	struct pen n;
	uint32_t number = number_columns(p, b, 0);
	uint32_t inside = columns > number + 4 ? columns - number - 2 : 2;
	size_t used, fits = sj_text_fit(text, inside, &used);

	pen_begin(&n, p);
	if (first)
		pen_number(&n, b, 0);
	else
		pen_pad(&n, number);
	pen_puts(&n, "[");
	if (fits < text.len) {
		fits = sj_text_fit(text, inside - 1, &used);
		pen_text(&n, sj_slice(text.ptr, fits), style);
		pen_glyph(&n, "…", "~");
		used++;
	} else {
		pen_text(&n, text, style);
	}
	pen_times(&n, "_", "_", inside > used ? inside - (uint32_t)used : 0);
	pen_puts(&n, "]");
	return pen_block(&n);
}

static struct block draw_field(struct painter *p, struct box *b)
{
	struct block all = label_block(p, b);
	struct sj_slice value = value_text(p, ui_value(p, b->node, SJ_P_VALUE), true);
	struct sj_slice hint = ui_line(p, b->node, SJ_P_PLACEHOLDER);
	bool is_long = sj_slice_is(b->variant, "longText");
	uint32_t most = sj_slice_is(b->variant, "number") ? SHORT_FIELD : FIELD;
	uint32_t columns = at_most(b->columns, most + number_columns(p, b, 0));
	unsigned style = PLAIN;

	if (is_masked(b))
		value = masked(p, value);
	if (value.len == 0 && hint.len > 0) {
		sj_buf_clear(&p->scratch);
		sj_buf_printf(&p->scratch, "(%.*s)", SJ_ARG(hint));
		value = keep_scratch(p);
		style = DIM;
	}
	if (!is_long) {
		block_stack(p, &all, field_line(p, b, one_line(p, value), style, columns, true));
		return all;
	}
	uint32_t rows = 0, inside = columns > number_columns(p, b, 0) + 4 ? columns - number_columns(p, b, 0) - 2 : 2;
	for (struct sj_slice rest = value; rest.len > 0 || rows < LONG_ROWS; rows++) {
		size_t skip = 0, len = rest.len > 0 ? sj_text_wrap(rest, inside, &skip) : 0;
		block_stack(p, &all, field_line(p, b, sj_slice(rest.ptr, len), style, columns, rows == 0));
		rest.ptr += skip;
		rest.len -= skip;
	}
	return all;
}

static void put_moment(struct painter *p, const struct box *b, struct sj_slice iso, struct sj_buf *out)
{
	struct sj_moment m;
	bool date = ui_true(p, b->node, SJ_P_ENABLE_DATE), time = ui_true(p, b->node, SJ_P_ENABLE_TIME);
	if (!date && !time)
		date = time = true; /* neither is named: both */
	if (iso.len == 0) {
		sj_buf_printf(out, "(%s%s%s)", date ? "yyyy-mm-dd" : "", date && time ? " " : "", time ? "hh:mm" : "");
		return;
	}
	if (!sj_moment_parse(iso, &m)) {
		sj_buf_slice(out, iso);
		return;
	}
	if (m.has_date && date)
		sj_buf_printf(out, "%04d-%02u-%02u", (int)m.year, m.month, m.day);
	if (m.has_date && date && m.has_time && time)
		sj_buf_putc(out, ' ');
	if (m.has_time && time)
		sj_buf_printf(out, "%02u:%02u", m.hour, m.minute);
}

static struct block draw_date(struct painter *p, struct box *b)
{
	struct block all = label_block(p, b);
	struct sj_slice iso = ui_line(p, b->node, SJ_P_VALUE);
	sj_buf_clear(&p->scratch);
	put_moment(p, b, iso, &p->scratch);
	uint32_t columns = at_most(b->columns, SHORT_FIELD + number_columns(p, b, 0));
	block_stack(p, &all, field_line(p, b, keep_scratch(p), iso.len ? PLAIN : DIM, columns, true));
	return all;
}

static struct block draw_button(struct painter *p, struct box *b)
{
	bool primary = sj_slice_is(b->variant, "primary");
	uint32_t number = number_columns(p, b, 0);
	uint32_t room = b->columns > number + 6 ? b->columns - number - 4 : 2;
	struct block label = block_text(p, b->label, room, b->enabled ? primary ? BOLD | REVERSE : BOLD : DIM);
	struct block all = block_of(p, label.count);
	for (uint32_t i = 0; i < all.count; i++) {
		struct pen n;
		pen_begin(&n, p);
		if (i == 0)
			pen_number(&n, b, 0);
		else
			pen_pad(&n, number);
		pen_puts(&n, b->enabled ? "[ " : "( ");
		sj_buf_put(&n.buf, label.lines[i].ptr, label.lines[i].len);
		n.columns += label.lines[i].columns;
		pen_pad(&n, number + 2 + label.columns);
		pen_puts(&n, b->enabled ? " ]" : " )");
		all.lines[i] = pen_line(&n);
		all.columns = all.lines[i].columns;
	}
	return all;
}

static struct block draw_check_box(struct painter *p, struct box *b)
{
	struct pen n;
	bool on = ui_true(p, b->node, SJ_P_VALUE);
	pen_begin(&n, p);
	pen_number(&n, b, 0);
	pen_puts(&n, on ? "[x] " : "[ ] ");
	uint32_t indent = n.columns;
	struct line mark = pen_line(&n);
	pen_begin(&n, p);
	pen_pad(&n, indent);
	struct line rest = pen_line(&n);
	struct block label = block_text(p, b->label, b->columns > indent + 2 ? b->columns - indent : 2, PLAIN);
	if (label.count == 0)
		label = block_of(p, 1);
	return block_prefix(p, label, sj_slice(mark.ptr, mark.len), sj_slice(rest.ptr, rest.len), PLAIN);
}

/* ---- choices ----------------------------------------------------------------------------------------------------- */

static void pen_option(struct pen *n, struct painter *p, const struct box *b, const struct sj_value *option, uint32_t i,
                       bool on)
{
	bool many = sj_slice_is(b->variant, "multipleSelection"), chips = ui_is(p, b->node, SJ_P_DISPLAY, "chips");
	struct sj_slice label = option_label(p, option);
	pen_number(n, b, i);
	if (chips)
		pen_glyph(n, on ? "<✓ " : "<", on ? "<x " : "<");
	else if (many)
		pen_puts(n, on ? "[x] " : "[ ] ");
	else
		pen_glyph(n, on ? "(•) " : "( ) ", on ? "(*) " : "( ) ");
	pen_text(n, label, on ? BOLD : PLAIN);
	if (chips)
		pen_puts(n, ">");
}

static struct block draw_choice(struct painter *p, struct box *b)
{
	struct block all = label_block(p, b), line = NO_BLOCK;
	const struct sj_value *options = ui_value(p, b->node, SJ_P_OPTIONS), *value = ui_value(p, b->node, SJ_P_VALUE);
	uint32_t all_of_them = options ? sj_value_count(options) : 0;
	uint32_t count = at_most(all_of_them, MAX_OPTIONS), wide = 0;
	bool chips = ui_is(p, b->node, SJ_P_DISPLAY, "chips");

	struct line *items = sj_arena_alloc(&p->arena, (count + 1) * sizeof *items);
	if (!items) {
		p->status = SJ_NOMEM;
		return all;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct pen n;
		pen_begin(&n, p);
		pen_option(&n, p, b, sj_value_item(options, i), i, option_chosen(value, sj_value_item(options, i)));
		items[i] = pen_line(&n);
		wide += items[i].columns + 3;
	}
	/* Few short ones stand in a line. */
	bool across = chips || (count <= 4 && wide <= b->columns + 3 && wide <= FIELD);
	struct pen n;
	pen_begin(&n, p);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t gap = n.columns > 0 ? chips ? 2 : 3 : 0;
		if (n.columns > 0 && (!across || n.columns + gap + items[i].columns > b->columns)) {
			block_stack(p, &all, pen_block(&n));
			pen_begin(&n, p);
			gap = 0;
		}
		pen_pad(&n, n.columns + gap);
		sj_buf_put(&n.buf, items[i].ptr, items[i].len);
		n.columns += items[i].columns;
	}
	line = pen_block(&n);
	if (line.columns > 0)
		block_stack(p, &all, line);
	if (count == 0)
		block_stack(p, &all, block_text(p, SJ_LIT("(no options)"), b->columns, DIM));
	if (count < all_of_them) {
		sj_buf_clear(&p->scratch);
		sj_buf_printf(&p->scratch, "%s%u more", p->opt.ascii ? "... " : "… ", all_of_them - count);
		block_stack(p, &all, block_text(p, keep_scratch(p), b->columns, PLAIN));
	}
	return all;
}

/* ---- quantities -------------------------------------------------------------------------------------------------- */

static struct block draw_slider(struct painter *p, struct box *b)
{
	double min = ui_number(p, b->node, SJ_P_MIN, 0), max = ui_number(p, b->node, SJ_P_MAX, 100);
	double value = ui_number(p, b->node, SJ_P_VALUE, min);
	char low[SJ_NUM_TEXT], high[SJ_NUM_TEXT], now[SJ_NUM_TEXT];
	struct block all;
	struct pen n;

	sj_num_text(min, low);
	sj_num_text(max, high);
	sj_num_text(value, now);
	sj_buf_clear(&p->scratch);
	if (b->label.len > 0)
		sj_buf_printf(&p->scratch, "%.*s: ", SJ_ARG(b->label));
	sj_buf_puts(&p->scratch, now);
	all = block_text(p, keep_scratch(p), b->columns, PLAIN);
	pen_begin(&n, p);
	pen_number(&n, b, 0);
	pen_puts(&n, low);
	pen_glyph(&n, " ├", " [");
	uint32_t ends = n.columns + 3 + (uint32_t)strlen(high);
	uint32_t columns = at_most(b->columns, FIELD), track = columns > ends + 6 ? columns - ends : 6;
	double part = max > min ? (value - min) / (max - min) : 0;
	uint32_t at = part >= 1 ? track - 1 : part > 0 ? (uint32_t)(part * (track - 1) + 0.5) : 0;
	pen_times(&n, "━", "=", at);
	pen_glyph(&n, "●", "O");
	pen_times(&n, "─", "-", track - 1 - at);
	pen_glyph(&n, "┤ ", "] ");
	pen_puts(&n, high);
	block_stack(p, &all, pen_block(&n));
	return all;
}

/* Left text, leader, right text, within the box; on two lines when there is no room. */
static struct block two_ends(struct painter *p, const struct box *b, struct sj_slice left, struct line right, bool dots)
{
	uint32_t columns = at_most(b->columns, FIELD), wide = (uint32_t)sj_text_width(left),
		 number = number_columns(p, b, 0);
	struct pen n;
	pen_begin(&n, p);
	pen_number(&n, b, 0);
	if (number + wide + 2 + right.columns <= columns) {
		pen_text(&n, left, PLAIN);
		pen_puts(&n, " ");
		uint32_t fill = columns - n.columns - right.columns;
		if (dots && fill > 2) {
			pen_times(&n, "·", ".", fill - 1);
			fill = 1;
		}
		pen_pad(&n, n.columns + fill);
		sj_buf_put(&n.buf, right.ptr, right.len);
		n.columns += right.columns;
		return pen_block(&n);
	}
	struct line head = pen_line(&n);
	struct block all = block_prefix(p, block_text(p, left, columns > number + 2 ? columns - number : 2, PLAIN),
	                                sj_slice(head.ptr, head.len), SJ_LIT("  "), PLAIN);
	struct line *copy = sj_arena_alloc(&p->arena, sizeof *copy);
	if (!copy) {
		p->status = SJ_NOMEM;
		return all;
	}
	*copy = right;
	struct block tail = {copy, 1, 1, right.columns};
	block_stack(p, &all, right.columns < columns ? block_shift(p, tail, columns - right.columns) : tail);
	return all;
}

static struct block draw_stepper(struct painter *p, struct box *b)
{
	struct sj_slice detail = detail_text(p, b), amount = ui_line(p, b->node, SJ_P_VALUE);
	struct pen n;
	pen_begin(&n, p);
	if (detail.len > 0) {
		pen_text(&n, detail, PLAIN);
		pen_puts(&n, "  ");
	}
	pen_glyph(&n, "− ", "- ");
	pen_text(&n, amount.len > 0 ? amount : SJ_LIT("0"), BOLD);
	pen_puts(&n, " +");
	return two_ends(p, b, b->label, pen_line(&n), false);
}

static struct block draw_rating(struct painter *p, struct box *b)
{
	double value = ui_number(p, b->node, SJ_P_VALUE, 0), max = ui_number(p, b->node, SJ_P_MAX, 5);
	uint32_t stars = max >= 1 && max <= 20 ? (uint32_t)max : 5;
	uint32_t on = value >= stars ? stars : value > 0 ? (uint32_t)(value + 0.5) : 0;
	char now[SJ_NUM_TEXT], most[SJ_NUM_TEXT];
	struct block all = label_block(p, b);
	struct pen n;
	sj_num_text(value, now);
	sj_num_text_i64(stars, most);
	pen_begin(&n, p);
	pen_number(&n, b, 0);
	pen_times(&n, "★", "*", on);
	pen_times(&n, "☆", ".", stars - on);
	pen_puts(&n, "  ");
	pen_puts(&n, now);
	pen_puts(&n, " of ");
	pen_puts(&n, most);
	block_stack(p, &all, pen_block(&n));
	return all;
}

static struct block draw_summary(struct painter *p, struct box *b)
{
	struct sj_slice value = ui_line(p, b->node, SJ_P_VALUE), detail = detail_text(p, b);
	struct pen n;
	pen_begin(&n, p);
	pen_text(&n, value.len > 0 ? value : detail, BOLD);
	struct block all = two_ends(p, b, b->label, pen_line(&n), true);
	if (value.len > 0 && detail.len > 0)
		block_stack(p, &all, block_text(p, detail, b->columns, DIM));
	return all;
}

/* A component of the host's own: what its meanings say. */
static struct block draw_custom(struct painter *p, struct box *b)
{
	struct sj_slice value = ui_line(p, b->node, SJ_P_VALUE), detail = detail_text(p, b);
	struct block all = NO_BLOCK;
	if (b->ncontrols > 0 && p->out->controls[b->control - 1].prop == SJ_P_ACTION) {
		struct box button = *b;
		if (button.label.len == 0)
			button.label = one_line(p, sj_node_type(p->surface, b->node));
		all = draw_button(p, &button);
	} else if (b->ncontrols > 0) {
		all = draw_field(p, b);
	} else if (b->label.len > 0 && value.len > 0) {
		all = draw_summary(p, b);
		detail = SJ_LIT("");
	} else if (b->label.len > 0 || value.len > 0) {
		all = block_text(p, b->label.len > 0 ? b->label : value, b->columns, BOLD);
	}
	block_stack(p, &all, markup_block(p, b->markup, b->columns, PLAIN, 0));
	block_stack(p, &all, block_text(p, detail, b->columns, PLAIN));
	if (all.count == 0 && b->count == 0) {
		sj_buf_clear(&p->scratch);
		sj_buf_printf(&p->scratch, "[%.*s]", SJ_ARG(one_line(p, sj_node_type(p->surface, b->node))));
		all = block_text(p, keep_scratch(p), b->columns, PLAIN);
	}
	return all;
}

struct block draw_control(struct painter *p, struct box *b)
{
	switch (b->kind) {
	case SJ_UI_BUTTON:
		return draw_button(p, b);
	case SJ_UI_TEXT_FIELD:
		return draw_field(p, b);
	case SJ_UI_CHECK_BOX:
		return draw_check_box(p, b);
	case SJ_UI_CHOICE:
		return draw_choice(p, b);
	case SJ_UI_SLIDER:
		return draw_slider(p, b);
	case SJ_UI_DATE_TIME:
		return draw_date(p, b);
	case SJ_UI_STEPPER:
		return draw_stepper(p, b);
	case SJ_UI_RATING:
		return draw_rating(p, b);
	case SJ_UI_SUMMARY:
		return draw_summary(p, b);
	case SJ_UI_IMAGE:
	case SJ_UI_ICON:
	case SJ_UI_VIDEO:
	case SJ_UI_AUDIO:
		return block_text(p, media_text(p, b), b->columns, PLAIN);
	case SJ_UI_CUSTOM:
	case SJ_UI_TEXT:
	case SJ_UI_ROW:
	case SJ_UI_COLUMN:
	case SJ_UI_LIST:
	case SJ_UI_CARD:
	case SJ_UI_TABS:
	case SJ_UI_MODAL:
	case SJ_UI_DIVIDER:
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
	return draw_custom(p, b);
}

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

static uint32_t choice_columns(struct painter *p, const struct box *b, uint32_t *widest)
{
	const struct sj_value *options = ui_value(p, b->node, SJ_P_OPTIONS);
	uint32_t count = options ? at_most(sj_value_count(options), MAX_OPTIONS) : 0, sum = 0;
	bool chips = ui_is(p, b->node, SJ_P_DISPLAY, "chips");
	*widest = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t wide = (uint32_t)sj_text_width(option_label(p, sj_value_item(options, i))) + 4 +
		                number_columns(p, b, i);
		*widest = wide > *widest ? wide : *widest;
		sum += wide + 3;
	}
	return chips || (count <= 4 && sum <= FIELD) ? at_most(sum, FIELD) : *widest;
}

uint32_t control_natural(struct painter *p, struct box *b, uint32_t *least)
{
	uint32_t label = (uint32_t)sj_text_width(b->label), number = number_columns(p, b, 0), wide = 0, widest;
	const struct sj_value *tabs;

	*least = 8 + number;
	switch (b->kind) {
	case SJ_UI_BUTTON:
		*least = at_most(label, 24) + 4 + number;
		return label + 4 + number;
	case SJ_UI_CHECK_BOX:
		*least = at_most(label, 12) + 4 + number;
		return label + 4 + number;
	case SJ_UI_TEXT_FIELD:
		*least = 14 + number;
		wide = sj_slice_is(b->variant, "number") ? SHORT_FIELD : 40;
		break;
	case SJ_UI_DATE_TIME:
		*least = 20 + number;
		wide = SHORT_FIELD;
		break;
	case SJ_UI_CHOICE:
		wide = choice_columns(p, b, &widest);
		*least = at_most(widest, 24);
		return wide > label ? wide : label;
	case SJ_UI_SLIDER:
		*least = 20 + number;
		wide = 40;
		break;
	case SJ_UI_STEPPER:
	case SJ_UI_SUMMARY:
		*least = 16 + number;
		wide = label + number + 16 + (uint32_t)sj_text_width(detail_text(p, b)) +
		       (b->kind == SJ_UI_SUMMARY ? (uint32_t)sj_text_width(ui_line(p, b->node, SJ_P_VALUE)) : 0);
		return wide;
	case SJ_UI_RATING:
		wide = 20 + number;
		break;
	case SJ_UI_TABS:
		tabs = ui_value(p, b->node, SJ_P_TABS);
		for (uint32_t i = 0; tabs && i < sj_value_count(tabs) && i < MAX_OPTIONS; i++) {
			const struct sj_value *tab = sj_value_item(tabs, i);
			const struct sj_value *title =
				tab->type == SJ_V_OBJECT ? sj_value_get(tab, SJ_LIT("title")) : NULL;
			wide += (uint32_t)sj_text_width(one_line(p, value_text(p, title, false))) + 3 +
			        number_columns(p, b, i);
		}
		*least = 12;
		return wide;
	case SJ_UI_MODAL:
		*least = at_most(label, 24) + 7 + number;
		return label + 7 + number;
	case SJ_UI_CUSTOM:
		if (b->ncontrols > 0)
			wide = 40 + number;
		else if (b->label.len > 0)
			wide = label + (uint32_t)sj_text_width(ui_line(p, b->node, SJ_P_VALUE)) + 8;
		if (b->markup->natural > wide)
			wide = b->markup->natural;
		*least = b->markup->least > 12 ? b->markup->least : 12;
		return wide > 0       ? wide
		       : b->count > 0 ? 1
		                      : 2 + (uint32_t)sj_text_width(sj_node_type(p->surface, b->node));
	case SJ_UI_TEXT:
	case SJ_UI_IMAGE:
	case SJ_UI_ICON:
	case SJ_UI_VIDEO:
	case SJ_UI_AUDIO:
	case SJ_UI_ROW:
	case SJ_UI_COLUMN:
	case SJ_UI_LIST:
	case SJ_UI_CARD:
	case SJ_UI_DIVIDER:
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
	wide += number;
	return label > wide ? label : wide;
}
