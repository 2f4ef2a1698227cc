/* Boxes into blocks, children first, and the picture around them. */
#include "face/text/internal.h"

#include "text/width.h"

#define ROWS 50u /* of one long list, when the caller names no number */

static struct block draw_placeholder(struct painter *p, const struct box *b)
{
	struct sj_slice id = one_line(p, sj_node_component_id(p->surface, b->node));
	struct sj_slice type = one_line(p, sj_node_type(p->surface, b->node));
	sj_buf_clear(&p->scratch);
	sj_buf_puts(&p->scratch, p->opt.ascii ? "<" : "⟨");
	sj_buf_slice(&p->scratch, id);
	if (b->why == SJ_WHY_UNKNOWN_TYPE && type.len > 0)
		sj_buf_printf(&p->scratch, " (%.*s)", SJ_ARG(type));
	sj_buf_puts(&p->scratch, ": ");
	sj_buf_puts(&p->scratch, sj_why_text(b->why));
	sj_buf_puts(&p->scratch, p->opt.ascii ? ">" : "⟩");
	return block_text(p, keep_scratch(p), b->columns, DIM);
}

static struct block draw_text(struct painter *p, const struct box *b)
{
	unsigned style = sj_slice_is(b->variant, "caption") ? DIM : PLAIN;
	unsigned level = heading_level(b);
	/* Beside other things an underline would pull the row apart; above a rule there is one already. */
	const struct box *parent = b->parent == UINT32_MAX ? NULL : box_at(p, b->parent);
	bool beside = parent && parent->kind == SJ_UI_ROW;
	bool ruled = parent && b + 1 < box_at(p, parent->first) + parent->count && b[1].kind == SJ_UI_DIVIDER;
	return markup_block(p, b->markup, b->columns, style, level > 0 && (beside || ruled) ? 3 : level);
}

static struct block draw_divider(struct painter *p, const struct box *b)
{
	struct pen n;
	if (ui_is(p, b->node, SJ_P_AXIS, "vertical"))
		return VERTICAL_RULE;
	pen_begin(&n, p);
	pen_times(&n, "─", "-", b->columns);
	return pen_block(&n);
}

/* ---- containers -------------------------------------------------------------------------------------------------- */

static bool only_buttons(struct painter *p, const struct box *b)
{
	for (uint32_t c = b->first; c < b->first + b->count; c++)
		if (box_at(p, c)->kind != SJ_UI_BUTTON)
			return false;
	return b->count > 0;
}

static bool is_button_like(struct painter *p, const struct box *b)
{
	return b->kind == SJ_UI_BUTTON || b->kind == SJ_UI_MODAL || (b->kind == SJ_UI_ROW && only_buttons(p, b));
}

/* Space between two things on top of each other: what spans several lines stands apart, borders and rules do that
 * themselves. */
static bool wants_blank(struct painter *p, const struct box *above, const struct box *below)
{
	if (above->block.count == 0 || below->block.count == 0)
		return false;
	if (above->kind == SJ_UI_DIVIDER || below->kind == SJ_UI_DIVIDER)
		return false;
	if (above->kind == SJ_UI_CARD && below->kind == SJ_UI_CARD)
		return false;
	unsigned level = heading_level(above);
	if (level > 0)
		return false;
	/* A caption over a big figure is one thing; anything else ends where a heading begins. */
	if (heading_level(below) > 0 && heading_level(below) <= 3 && above->kind != SJ_UI_TEXT &&
	    above->kind != SJ_UI_CARD)
		return true;
	if (is_button_like(p, below) && !is_button_like(p, above))
		return true;
	if (above->kind == SJ_UI_CARD || below->kind == SJ_UI_CARD)
		return false;
	return above->block.count > 1 || below->block.count > 1;
}

static struct block centred(struct painter *p, const struct box *child, uint32_t room, bool end)
{
	struct block b = child->block;
	if (child->kind != SJ_UI_TEXT || end)
		return b.columns < room ? block_shift(p, b, end ? room - b.columns : (room - b.columns) / 2) : b;
	struct block out = NO_BLOCK; /* each line of a text by itself */
	for (uint32_t i = 0; i < b.count; i++) {
		struct block one = {b.lines + i, 1, 1, b.lines[i].columns};
		block_stack(p, &out, one.columns < room ? block_shift(p, one, (room - one.columns) / 2) : one);
	}
	return out;
}

static struct block draw_more(struct painter *p, const struct box *b)
{
	char number[SJ_NUM_TEXT];
	struct pen n;
	sj_num_text_i64(b->more, number);
	pen_begin(&n, p);
	pen_glyph(&n, "… ", "... ");
	pen_puts(&n, number);
	pen_puts(&n, " more");
	return pen_block(&n);
}

static struct block draw_column(struct painter *p, const struct box *b, uint32_t room)
{
	struct block all = NO_BLOCK;
	bool centre = ui_is(p, b->node, SJ_P_ALIGN, "center"), end = ui_is(p, b->node, SJ_P_ALIGN, "end");
	const struct box *above = NULL;
	for (uint32_t c = b->first; c < b->first + b->count; c++) {
		const struct box *child = box_at(p, c);
		if (child->block.count == 0)
			continue;
		struct block block = child->block;
		if (!block.lines)
			block = block_of(p, 1); /* a vertical rule has no height of its own */
		else if (centre || end)
			block = centred(p, child, room, end);
		if (above && wants_blank(p, above, child))
			block_blank(p, &all);
		block_stack(p, &all, block);
		above = child;
	}
	if (b->more > 0)
		block_stack(p, &all, draw_more(p, b));
	return all;
}

struct spread {
	uint32_t before, between; /* columns added */
};

static struct spread justify(struct painter *p, const struct box *b, uint32_t extra, uint32_t n)
{
	static const struct {
		const char *word;
		uint32_t before, parts, extra_parts; /* in units of one part: extra / (parts * n + extra_parts) */
	} rows[] = {{"spaceBetween", 0, 1, 0}, {"spaceAround", 1, 2, 0}, {"spaceEvenly", 1, 1, 1}};
	struct spread s = {0, 0};

	if (ui_is(p, b->node, SJ_P_JUSTIFY, "center"))
		s.before = extra / 2;
	else if (ui_is(p, b->node, SJ_P_JUSTIFY, "end"))
		s.before = extra;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!ui_is(p, b->node, SJ_P_JUSTIFY, rows[i].word))
			continue;
		uint32_t parts = rows[i].before == 0 ? n - 1 : rows[i].parts * n + rows[i].extra_parts;
		if (parts == 0)
			break;
		s.before = rows[i].before * (extra / parts);
		s.between = rows[i].before == 0 ? extra / parts : rows[i].parts * (extra / parts);
	}
	return s;
}

static struct block draw_line_of(struct painter *p, const struct box *b, uint32_t from, uint32_t to)
{
	uint32_t n = to - from, used = 0;
	struct block *parts = sj_arena_alloc(&p->arena, n * sizeof *parts);
	uint32_t *at = sj_arena_alloc(&p->arena, n * sizeof *at);
	if (!parts || !at) {
		p->status = SJ_NOMEM;
		return NO_BLOCK;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct box *child = box_at(p, from + i);
		parts[i] = child->block;
		used += child->columns + (i > 0 ? gap_between(p, child - 1, child) : 0);
	}
	struct spread s = justify(p, b, b->columns > used ? b->columns - used : 0, n);
	uint32_t x = s.before;
	for (uint32_t i = 0; i < n; i++) {
		const struct box *child = box_at(p, from + i);
		if (i > 0)
			x += gap_between(p, child - 1, child) + s.between;
		at[i] = x;
		x += child->columns;
	}
	return block_beside(p, parts, at, n, ui_is(p, b->node, SJ_P_ALIGN, "center"));
}

static struct block reason_block(struct painter *p, struct sj_slice text, uint32_t columns)
{
	struct sj_slice first = p->opt.ascii ? SJ_LIT("  ! ") : SJ_LIT("  ✗ ");
	return block_prefix(p, block_text(p, text, columns > 6 ? columns - 4 : 2, PLAIN), first, SJ_LIT("    "), BOLD);
}

/* Why buttons of a row cannot be pressed stands below the row, said once. */
static void add_reasons(struct painter *p, const struct box *b, struct block *all)
{
	for (uint32_t c = b->first; c < b->first + b->count; c++) {
		const struct box *child = box_at(p, c);
		bool said = false;
		if (!is_stopped(child))
			continue;
		for (uint32_t k = b->first; k < c; k++)
			said = said || (is_stopped(box_at(p, k)) &&
			                sj_slice_eq(reason_of(p, box_at(p, k)), reason_of(p, child)));
		if (!said)
			block_stack(p, all, reason_block(p, reason_of(p, child), b->columns));
	}
}

static struct block draw_row(struct painter *p, const struct box *b)
{
	struct block all = NO_BLOCK;
	if (!b->flows) {
		all = b->count > 0 ? draw_line_of(p, b, b->first, b->first + b->count) : all;
	} else {
		for (uint32_t from = b->first; from < b->first + b->count;) {
			uint32_t to = from + 1, used = box_at(p, from)->columns;
			for (; to < b->first + b->count; to++) {
				const struct box *child = box_at(p, to);
				used += gap_between(p, child - 1, child) + child->columns;
				if (used > b->columns)
					break;
			}
			block_stack(p, &all, draw_line_of(p, b, from, to));
			from = to;
		}
	}
	add_reasons(p, b, &all);
	if (b->more > 0)
		block_stack(p, &all, draw_more(p, b));
	return all;
}

static struct block draw_modal(struct painter *p, const struct box *b)
{
	struct block all = NO_BLOCK, inside = NO_BLOCK;
	struct pen n;
	bool open = false;
	for (uint32_t c = b->first; c < b->first + b->count; c++) {
		const struct box *child = box_at(p, c);
		open = open || child->place == IN_CONTENT;
		block_stack(p, child->place == IN_CONTENT ? &inside : &all, child->block);
	}
	if (b->label.len > 0 || !open) {
		pen_begin(&n, p);
		if (!open)
			pen_number(&n, b, 0);
		pen_puts(&n, "[ ");
		pen_text(&n, b->label.len > 0 ? b->label : SJ_LIT("Open"), BOLD);
		pen_glyph(&n, " … ]", " ... ]");
		block_stack(p, &all, pen_block(&n));
	}
	if (!open)
		return all;
	block_blank(p, &inside);
	pen_begin(&n, p);
	pen_number(&n, b, 0);
	pen_puts(&n, "[ Close ]");
	block_stack(p, &inside, pen_block(&n));
	block_stack(p, &all, block_box(p, inside, b->columns < 60 ? b->columns : 60, b->label));
	return all;
}

static struct block draw_tabs(struct painter *p, const struct box *b)
{
	const struct sj_value *tabs = ui_value(p, b->node, SJ_P_TABS);
	uint32_t count = tabs ? sj_value_count(tabs) : 0, from = 0, to = 0, active = 0;
	struct pen titles, rule;

	const struct sj_value *local = sj_node_local(p->surface, b->node, SJ_LIT("selected"));
	if (local && local->type == SJ_V_INT && local->u.i > 0 && local->u.i < count)
		active = (uint32_t)local->u.i;
	count = count < MAX_OPTIONS ? count : MAX_OPTIONS;
	pen_begin(&titles, p);
	for (uint32_t i = 0; i < count; i++) {
		const struct sj_value *tab = sj_value_item(tabs, i);
		const struct sj_value *title = tab->type == SJ_V_OBJECT ? sj_value_get(tab, SJ_LIT("title")) : NULL;
		struct sj_slice text = one_line(p, value_text(p, title, false));
		pen_puts(&titles, i > 0 ? "   " : " ");
		if (i == active)
			from = titles.columns - 1;
		pen_number(&titles, b, i);
		pen_text(&titles, text.len > 0 ? text : SJ_LIT("?"), i == active ? BOLD : PLAIN);
		if (i == active)
			to = titles.columns + 1;
	}
	pen_begin(&rule, p);
	uint32_t wide = titles.columns + 1 < b->columns ? b->columns : titles.columns + 1;
	pen_times(&rule, "─", "-", from);
	pen_times(&rule, "━", "=", to - from);
	pen_times(&rule, "─", "-", wide > to ? wide - to : 0);
	struct block all = NO_BLOCK;
	bool fits = titles.columns <= b->columns;
	struct line line = pen_line(&titles);
	struct block head = {&line, 1, 1, line.columns};
	if (fits) {
		block_stack(p, &all, block_prefix(p, head, SJ_LIT(""), SJ_LIT(""), PLAIN));
		block_stack(p, &all, pen_block(&rule));
	} else { /* one under the other, the active one marked */
		pen_line(&rule);
		for (uint32_t i = 0; i < count; i++) {
			const struct sj_value *tab = sj_value_item(tabs, i);
			const struct sj_value *title =
				tab->type == SJ_V_OBJECT ? sj_value_get(tab, SJ_LIT("title")) : NULL;
			struct pen n;
			pen_begin(&n, p);
			pen_glyph(&n, i == active ? "▸ " : "  ", i == active ? "> " : "  ");
			pen_number(&n, b, i);
			pen_text(&n, one_line(p, value_text(p, title, false)), i == active ? BOLD : PLAIN);
			block_stack(p, &all, pen_block(&n));
		}
		struct pen under;
		pen_begin(&under, p);
		pen_times(&under, "─", "-", b->columns);
		block_stack(p, &all, pen_block(&under));
	}
	block_stack(p, &all, draw_column(p, b, b->columns));
	return all;
}

/* ---- the sweep --------------------------------------------------------------------------------------------------- */

static struct block draw_box(struct painter *p, struct box *b)
{
	if (b->why != SJ_WHY_SHOWN)
		return draw_placeholder(p, b);
	switch (b->kind) {
	case SJ_UI_TEXT:
		return draw_text(p, b);
	case SJ_UI_DIVIDER:
		return draw_divider(p, b);
	case SJ_UI_ROW:
		return draw_row(p, b);
	case SJ_UI_LIST:
		return ui_is(p, b->node, SJ_P_DIRECTION, "horizontal") ? draw_row(p, b) : draw_column(p, b, b->columns);
	case SJ_UI_COLUMN:
	case SJ_UI_BOX:
	case SJ_UI_APP_BAR:
	case SJ_UI_SCROLL:
	case SJ_UI_PAGER:
	case SJ_UI_OVERLAY:
		return draw_column(p, b, b->columns);
	case SJ_UI_CARD:
		return block_box(p, draw_column(p, b, b->columns > 4 ? b->columns - 4 : 1), b->columns, SJ_LIT(""));
	case SJ_UI_TABS:
		return draw_tabs(p, b);
	case SJ_UI_MODAL:
		return draw_modal(p, b);
	case SJ_UI_LIST_ITEM:
	case SJ_UI_PROGRESS:
	case SJ_UI_NAV:
	case SJ_UI_CUSTOM: {
		struct block all = draw_control(p, b);
		block_stack(p, &all, draw_column(p, b, b->columns));
		return all;
	}
	case SJ_UI_IMAGE:
	case SJ_UI_ICON:
	case SJ_UI_VIDEO:
	case SJ_UI_AUDIO:
	case SJ_UI_BUTTON:
	case SJ_UI_TEXT_FIELD:
	case SJ_UI_CHECK_BOX:
	case SJ_UI_CHOICE:
	case SJ_UI_SLIDER:
	case SJ_UI_DATE_TIME:
	case SJ_UI_STEPPER:
	case SJ_UI_RATING:
	case SJ_UI_SUMMARY:
	case SJ_UI_KIND_COUNT:
		break;
	}
	return draw_control(p, b);
}

static void add_message(struct painter *p, const struct box *b, struct block *block)
{
	if (is_stopped(b) && b->parent != UINT32_MAX && is_row(p, box_at(p, b->parent)))
		return; /* the row says it */
	if (is_stopped(b) || b->fault.len > 0)
		block_stack(p, block, reason_block(p, is_stopped(b) ? reason_of(p, b) : b->fault, b->columns));
	else if (b->note.len > 0)
		block_stack(p, block,
		            block_prefix(p, block_text(p, b->note, b->columns > 12 ? b->columns - 8 : 4, PLAIN),
		                         SJ_LIT("  note: "), SJ_LIT("        "), BOLD));
}

void draw_boxes(struct painter *p)
{
	for (uint32_t i = p->boxes.count; i-- > 0 && p->status == SJ_OK;) {
		struct box *b = box_at(p, i);
		b->block = draw_box(p, b);
		if (b->why == SJ_WHY_SHOWN)
			add_message(p, b, &b->block);
	}
}

/* ---- the picture ------------------------------------------------------------------------------------------------- */

static struct sj_slice agent_name(struct painter *p)
{
	const struct sj_value *theme = sj_view_theme(p->view);
	const struct sj_value *name = theme ? sj_value_get(theme, SJ_LIT("agentDisplayName")) : NULL;
	return name && sj_value_is_string(name) ? one_line(p, sj_value_text(name)) : SJ_LIT("");
}

static void put_lines(struct painter *p, const struct block *b)
{
	for (uint32_t i = 0; i < b->count; i++) {
		struct sj_slice line = {b->lines ? b->lines[i].ptr : "", b->lines ? b->lines[i].len : 0};
		while (line.len > 0 && line.ptr[line.len - 1] == ' ')
			line.len--;
		if (line.len > 0)
			sj_buf_putc(&p->out->text, ' '); /* the first column is the program's */
		sj_buf_slice(&p->out->text, line);
		sj_buf_putc(&p->out->text, '\n');
	}
}

static void draw_picture(struct painter *p)
{
	struct sj_slice name = agent_name(p);

	if (name.len > 0)
		sj_buf_printf(&p->out->text, "Agent: %.*s\n", SJ_ARG(name));
	list_boxes(p);
	if (p->status == SJ_OK)
		number_controls(p);
	if (p->status != SJ_OK)
		return; /* boxes may be half described */
	if (p->opt.linear) {
		draw_linear(p);
		return;
	}
	measure(p);
	assign(p, p->opt.width - 1);
	draw_boxes(p);
	if (p->boxes.count == 0)
		sj_buf_puts(&p->out->text, "Nothing to show yet.\n");
	else
		put_lines(p, &box_at(p, 0)->block);
}

void sj_text_picture_init(struct sj_text_picture *p, struct sj_mem *mem)
{
	*p = (struct sj_text_picture){0};
	sj_buf_init(&p->text, mem, 0);
}

void sj_text_picture_finish(struct sj_text_picture *p)
{
	sj_mem_free(p->text.mem, p->controls, p->cap * sizeof *p->controls);
	sj_buf_finish(&p->text);
	p->controls = NULL;
	p->ncontrols = p->cap = 0;
}

enum sj_status sj_text_draw(struct sj_engine *e, struct sj_view *v, const struct sj_text_options *opt,
                            struct sj_text_picture *out)
{
	struct painter p = {.engine = e, .view = v, .surface = sj_view_surface(v), .opt = *opt, .out = out};

	p.mem = out->text.mem;
	p.opt.width = opt->width < 20 ? 20 : opt->width > 1000 ? 1000 : opt->width;
	p.opt.max_rows = opt->max_rows ? opt->max_rows : ROWS;
	sj_buf_clear(&out->text);
	out->ncontrols = 0;
	enum sj_status status = sj_surface_settle(p.surface);
	if (status == SJ_NOMEM)
		return status;
	sj_arena_init(&p.arena, p.mem, 8192);
	sj_buf_init(&p.scratch, p.mem, 0);
	draw_picture(&p);
	if (sj_buf_status(&out->text) != SJ_OK)
		p.status = SJ_NOMEM;
	sj_buf_finish(&p.scratch);
	SJ_VEC_FREE(p.mem, &p.boxes);
	sj_arena_finish(&p.arena);
	if (p.status != SJ_OK) {
		sj_buf_clear(&out->text);
		out->ncontrols = 0;
	}
	return p.status;
}
