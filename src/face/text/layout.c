/* How wide each box is: backwards to learn what it would like, forwards to give it what there is. */
#include "face/text/internal.h"

#include "text/width.h"

#define WIDEST 1000u
#define MESSAGE 44u /* a check's message asks for no more than this */

static uint32_t least_of(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t most_of(uint32_t a, uint32_t b) { return a > b ? a : b; }

bool is_row(struct painter *p, const struct box *b)
{
	return b->kind == SJ_UI_ROW || (b->kind == SJ_UI_LIST && ui_is(p, b->node, SJ_P_DIRECTION, "horizontal"));
}

uint32_t gap_between(const struct painter *p, const struct box *a, const struct box *b)
{
	(void)p;
	bool tight =
		a->kind == SJ_UI_ICON || b->kind == SJ_UI_ICON || a->kind == SJ_UI_DIVIDER || b->kind == SJ_UI_DIVIDER;
	return tight ? 1 : 2;
}

/* ---- what it would like ------------------------------------------------------------------------------------------ */

static void measure_leaf(struct painter *p, struct box *b)
{
	size_t text = 0;

	b->natural = b->least = 1;
	if (b->why != SJ_WHY_SHOWN) {
		b->natural = 40;
		b->least = 16;
		return;
	}
	switch (b->kind) {
	case SJ_UI_TEXT:
		b->natural = b->markup->natural;
		b->least = b->markup->least;
		return;
	case SJ_UI_ICON:
		text = sj_text_width(icon_text(p, b->node));
		b->natural = b->least = (uint32_t)text;
		return;
	case SJ_UI_IMAGE:
	case SJ_UI_VIDEO:
	case SJ_UI_AUDIO:
		text = sj_text_width(media_text(p, b));
		b->natural = (uint32_t)text;
		b->least = least_of((uint32_t)text, 12);
		return;
	case SJ_UI_DIVIDER:
		return;
	case SJ_UI_BUTTON:
	case SJ_UI_TEXT_FIELD:
	case SJ_UI_CHECK_BOX:
	case SJ_UI_CHOICE:
	case SJ_UI_SLIDER:
	case SJ_UI_DATE_TIME:
	case SJ_UI_STEPPER:
	case SJ_UI_RATING:
	case SJ_UI_SUMMARY:
	case SJ_UI_TABS:
	case SJ_UI_MODAL:
	case SJ_UI_LIST_ITEM:
	case SJ_UI_PROGRESS:
	case SJ_UI_NAV:
	case SJ_UI_CUSTOM:
		b->natural = control_natural(p, b, &b->least);
		return;
	case SJ_UI_ROW:
	case SJ_UI_COLUMN:
	case SJ_UI_LIST:
	case SJ_UI_CARD:
	case SJ_UI_BOX:
	case SJ_UI_APP_BAR:
	case SJ_UI_OVERLAY:
	case SJ_UI_SCROLL:
	case SJ_UI_PAGER:
	case SJ_UI_KIND_COUNT:
		return;
	}
}

static void measure_children(struct painter *p, struct box *b)
{
	uint32_t natural = 0, least = 0, gaps = 0;
	bool row = is_row(p, b);
	double weights = 0, part = 0; /* columns one unit of weight wants */
	for (uint32_t c = b->first; c < b->first + b->count; c++) {
		const struct box *child = box_at(p, c);
		if (row && c > b->first)
			gaps += gap_between(p, child - 1, child);
		/* A row may go on in further lines, so it needs no more than its widest child. */
		if (row && child->weight > 0) {
			weights += child->weight;
			part = child->natural / child->weight > part ? child->natural / child->weight : part;
		} else {
			natural = row ? natural + child->natural : most_of(natural, child->natural);
		}
		least = most_of(least, child->least);
	}
	natural = weights * part < WIDEST ? natural + gaps + (uint32_t)(weights * part + 0.5) : WIDEST;
	natural = least_of(natural, WIDEST);
	if (b->kind == SJ_UI_CARD || b->kind == SJ_UI_MODAL) {
		natural += 4;
		least += 4;
	}
	b->natural = most_of(b->natural, natural);
	b->least = most_of(b->least, least);
}

void measure(struct painter *p)
{
	for (uint32_t i = p->boxes.count; i-- > 0;) {
		struct box *b = box_at(p, i);
		measure_leaf(p, b);
		measure_children(p, b);
		if (b->more > 0)
			b->natural = most_of(b->natural, 24);
		/* A row's buttons leave their reasons to the row; it must not grow for them. */
		bool by_row = b->kind == SJ_UI_BUTTON && b->parent != UINT32_MAX && is_row(p, box_at(p, b->parent));
		if ((b->fault.len > 0 || b->note.len > 0) && !by_row)
			b->natural = most_of(
				b->natural,
				least_of(MESSAGE, (uint32_t)sj_text_width(b->fault.len ? b->fault : b->note) + 4));
		b->natural = least_of(b->natural, WIDEST);
		b->least = least_of(most_of(b->least, 1), b->natural ? b->natural : 1);
	}
}

/* ---- what it gets ------------------------------------------------------------------------------------------------ */

/* Widths of a row's children within `room` columns (gaps already taken): the widest give way first, none below its
 * least. */
static void share(struct painter *p, struct box *b, uint32_t room)
{
	uint32_t lo = 0, hi = WIDEST, used = 0;
	while (lo < hi) {
		uint32_t cap = (lo + hi + 1) / 2, sum = 0;
		for (uint32_t c = b->first; c < b->first + b->count; c++) {
			const struct box *child = box_at(p, c);
			sum += most_of(child->least, least_of(child->natural, cap));
		}
		if (sum <= room)
			lo = cap;
		else
			hi = cap - 1;
	}
	for (uint32_t c = b->first; c < b->first + b->count; c++) {
		struct box *child = box_at(p, c);
		child->columns = most_of(child->least, least_of(child->natural, lo));
		used += child->columns;
	}
	for (uint32_t c = b->first; c < b->first + b->count && used < room; c++) {
		struct box *child = box_at(p, c);
		if (child->columns < child->natural) {
			child->columns++;
			used++;
		}
	}
}

/* Children with a weight share what the others leave, each at least what it needs; false when there is not that much.
 */
static bool share_by_weight(struct painter *p, struct box *b, uint32_t room)
{
	uint32_t end = b->first + b->count, left = room;
	double weights = 0;
	for (uint32_t c = b->first; c < end; c++) {
		struct box *child = box_at(p, c);
		child->columns = 0;
		if (child->weight > 0) {
			weights += child->weight;
		} else {
			child->columns = child->natural;
			left = left > child->natural ? left - child->natural : 0;
		}
	}
	if (!(weights > 0))
		return false;
	/* Whoever would get too little gets its least, and the rest is shared again. */
	for (bool again = true; again;) {
		again = false;
		for (uint32_t c = b->first; c < end; c++) {
			struct box *child = box_at(p, c);
			if (child->columns > 0 || !(left * (child->weight / weights) < child->least))
				continue;
			if (child->least > left)
				return false;
			child->columns = child->least;
			left -= child->least;
			weights -= child->weight;
			again = weights > 0;
		}
	}
	uint32_t rest = left, last = UINT32_MAX;
	for (uint32_t c = b->first; c < end; c++) {
		struct box *child = box_at(p, c);
		if (child->columns > 0)
			continue;
		child->columns = (uint32_t)(left * (child->weight / weights));
		rest -= least_of(child->columns, rest);
		last = c;
	}
	if (last != UINT32_MAX)
		box_at(p, last)->columns += rest;
	return true;
}

static bool stretches(const struct box *b)
{
	return b->kind == SJ_UI_CARD || b->kind == SJ_UI_COLUMN || b->kind == SJ_UI_LIST ||
	       b->kind == SJ_UI_TEXT_FIELD || b->kind == SJ_UI_ROW || b->kind == SJ_UI_SLIDER;
}

/* In several lines: each child as wide as it likes; one that is alone on its line and can be wide gets the whole of it.
 */
static void flow(struct painter *p, struct box *b)
{
	uint32_t used = 0, alone = UINT32_MAX;
	b->flows = true;
	for (uint32_t c = b->first; c < b->first + b->count; c++) {
		struct box *child = box_at(p, c);
		child->columns = least_of(child->natural, b->columns);
		uint32_t gap = used > 0 ? gap_between(p, child - 1, child) : 0;
		if (used > 0 && used + gap + child->columns <= b->columns) {
			used += gap + child->columns;
			alone = UINT32_MAX;
			continue;
		}
		if (alone != UINT32_MAX && stretches(box_at(p, alone)))
			box_at(p, alone)->columns = b->columns;
		used = child->columns;
		alone = c;
	}
	if (alone != UINT32_MAX && stretches(box_at(p, alone)))
		box_at(p, alone)->columns = b->columns;
}

static void assign_row(struct painter *p, struct box *b)
{
	uint32_t gaps = 0, natural = 0, least = 0;
	for (uint32_t c = b->first; c < b->first + b->count; c++) {
		const struct box *child = box_at(p, c);
		if (c > b->first)
			gaps += gap_between(p, child - 1, child);
		natural += child->natural;
		least += child->least;
	}
	bool scrolls = b->kind == SJ_UI_LIST; /* a list that would scroll sideways keeps its rows whole */
	if (gaps + least > b->columns || (scrolls && gaps + natural > b->columns)) {
		flow(p, b);
		return;
	}
	if (!share_by_weight(p, b, b->columns - gaps))
		share(p, b, b->columns - gaps);
}

static void assign_column(struct painter *p, struct box *b)
{
	uint32_t room = b->columns, own = 0;
	if (b->kind == SJ_UI_CARD)
		own = 4;
	room = room > own + 1 ? room - own : 1;
	bool stretch = !ui_is(p, b->node, SJ_P_ALIGN, "center") && !ui_is(p, b->node, SJ_P_ALIGN, "end");
	for (uint32_t c = b->first; c < b->first + b->count; c++) {
		struct box *child = box_at(p, c);
		child->columns = stretch || child->kind == SJ_UI_DIVIDER ? room : least_of(child->natural, room);
		if (child->place == IN_CONTENT)
			child->columns = room > 5 ? room - 4 : 1;
	}
}

void assign(struct painter *p, uint32_t columns)
{
	if (p->boxes.count == 0)
		return;
	/* As wide as it likes: a small card need not span the terminal. */
	box_at(p, 0)->columns = least_of(columns, most_of(box_at(p, 0)->natural, least_of(columns, 40)));
	for (uint32_t i = 0; i < p->boxes.count; i++) {
		struct box *b = box_at(p, i);
		if (b->count == 0)
			continue;
		if (is_row(p, b))
			assign_row(p, b);
		else
			assign_column(p, b);
	}
}
