/* Which nodes are shown, in which order, and what their controls are called. */
#include "face/text/internal.h"

#include "text/width.h"

#define MAX_LABEL 400u    /* bytes of a label gathered from a subtree: more is no label */
#define MAX_CHOSEN 10000u /* values of a choice that are looked at */
#define MAX_CHILDREN 1000u /* written out one by one; rows of a template have opt.max_rows */
#define MAX_BOXES 50000u  /* of one picture: rows inside rows multiply */

struct box *box_at(struct painter *p, uint32_t i) { return &p->boxes.items[i]; }

static bool has_action(struct painter *p, sj_node_id n)
{
	struct sj_prop prop;
	uint32_t count = sj_node_prop_count(p->surface, n);
	for (uint32_t i = 0; i < count; i++)
		if (sj_node_prop(p->surface, n, i, &prop) && prop.cls == SJ_PC_ACTION)
			return true;
	return false;
}

/* ---- labels ------------------------------------------------------------------------------------------------------ */

struct step {
	sj_node_id node;
	uint32_t next;
};

/* The words of one node without its children. */
static void put_own_words(struct painter *p, sj_node_id n, bool glyphs, struct sj_buf *out)
{
	enum sj_ui_kind kind = sj_node_kind(p->surface, n);
	struct sj_slice words = SJ_LIT("");
	if (sj_node_why(p->surface, n) != SJ_WHY_SHOWN)
		return;
	if (kind == SJ_UI_ICON) {
		if (glyphs)
			words = icon_text(p, n);
	} else if (kind == SJ_UI_IMAGE) {
		words = ui_line(p, n, SJ_P_DESCRIPTION);
	} else if (kind == SJ_UI_TEXT || ui_value(p, n, SJ_P_TEXT)) {
		const struct sj_value *v = ui_value(p, n, SJ_P_TEXT);
		struct sj_slice plain;
		if (sj_md_plain(&p->arena, value_text(p, v, true), &plain) == SJ_OK)
			words = one_line(p, plain);
		else
			p->status = SJ_NOMEM;
	} else {
		words = ui_line(p, n, SJ_P_LABEL);
	}
	if (words.len > 0 && out->len > 0)
		sj_buf_putc(out, ' ');
	sj_buf_slice(out, words);
}

static struct sj_slice gather(struct painter *p, sj_node_id top, bool glyphs)
{
	SJ_VEC(struct step) stack = {0};
	struct sj_buf words;

	sj_buf_init(&words, p->mem, 0);
	if (SJ_VEC_RESERVE(p->mem, &stack, 1, 0) == SJ_OK)
		stack.items[stack.count++] = (struct step){top, 0};
	while (stack.count > 0 && words.len < MAX_LABEL) {
		struct step *at = &stack.items[stack.count - 1];
		if (at->next == 0)
			put_own_words(p, at->node, glyphs, &words);
		if (at->next >= sj_node_child_count(p->surface, at->node)) {
			stack.count--;
			continue;
		}
		sj_node_id child = sj_node_child(p->surface, at->node, at->next++);
		if (SJ_VEC_RESERVE(p->mem, &stack, stack.count + 1, 0) != SJ_OK) {
			p->status = SJ_NOMEM;
			break;
		}
		stack.items[stack.count++] = (struct step){child, 0};
	}
	SJ_VEC_FREE(p->mem, &stack);
	sj_buf_clear(&p->scratch);
	sj_buf_slice(&p->scratch, sj_buf_view(&words));
	if (sj_buf_status(&words) != SJ_OK)
		p->status = SJ_NOMEM;
	sj_buf_finish(&words);
	return keep_scratch(p);
}

struct sj_slice subtree_text(struct painter *p, sj_node_id n)
{
	/* A screen reader is not helped by a drawn star beside the word; where there is no word the icon's name stands
	 * for it. */
	struct sj_slice words = gather(p, n, !p->opt.linear);
	return words.len > 0 ? words : gather(p, n, true);
}

struct sj_slice option_label(struct painter *p, const struct sj_value *option)
{
	const struct sj_value *label = option;
	if (option->type == SJ_V_OBJECT) {
		label = sj_value_get(option, SJ_LIT("label"));
		if (!label || label->type == SJ_V_NULL || label->type == SJ_V_ABSENT)
			label = sj_value_get(option, SJ_LIT("value"));
	}
	struct sj_slice text = one_line(p, value_text(p, label, false));
	return text.len > 0 ? text : SJ_LIT("?");
}

bool option_chosen(const struct sj_value *value, const struct sj_value *option)
{
	const struct sj_value *mine = option->type == SJ_V_OBJECT ? sj_value_get(option, SJ_LIT("value")) : option;
	if (!value || !mine)
		return false;
	if (value->type != SJ_V_ARRAY)
		return sj_value_equal(value, mine);
	for (uint32_t i = 0; i < sj_value_count(value) && i < MAX_CHOSEN; i++)
		if (sj_value_equal(sj_value_item(value, i), mine))
			return true;
	return false;
}

unsigned heading_level(const struct box *b)
{
	if (b->kind != SJ_UI_TEXT)
		return 0;
	if (b->variant.len == 2 && b->variant.ptr[0] == 'h' && b->variant.ptr[1] >= '1' && b->variant.ptr[1] <= '6')
		return (unsigned)(b->variant.ptr[1] - '0');
	if (b->markup && b->markup->count == 1 && b->markup->items[0].block == SJ_MD_HEADING)
		return b->markup->items[0].level;
	return 0;
}

bool is_masked(const struct box *b) { return b->kind == SJ_UI_TEXT_FIELD && sj_slice_is(b->variant, "obscured"); }

bool is_stopped(const struct box *b) { return b->kind == SJ_UI_BUTTON && b->why == SJ_WHY_SHOWN && !b->enabled; }

struct sj_slice reason_of(struct painter *p, const struct box *b)
{
	(void)p;
	return b->fault.len > 0 ? b->fault : SJ_LIT("Something else on this screen needs attention first.");
}

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static void read_checks(struct painter *p, struct box *b)
{
	struct sj_validity v = {0};
	sj_node_validity(p->surface, b->node, &v);
	if (!v.has_checks)
		return;
	if (v.pending) {
		b->fault = SJ_LIT("Being checked...");
	} else if (v.message.len > 0 || !v.valid) {
		struct sj_buf copy; /* the message may live in a value that moves */
		sj_buf_init(&copy, p->mem, 0);
		sj_buf_slice(&copy, v.message);
		sj_buf_clear(&p->scratch);
		sj_text_clean(&p->scratch, sj_buf_view(&copy), false);
		sj_buf_finish(&copy);
		struct sj_slice text = one_line(p, keep_scratch(p));
		if (!v.valid)
			b->fault = text.len > 0 ? text : SJ_LIT("This is not right yet.");
		else
			b->note = text;
	}
}

static void describe(struct painter *p, struct box *b)
{
	sj_node_id n = b->node;

	b->kind = sj_node_kind(p->surface, n);
	b->why = sj_node_why(p->surface, n);
	b->weight = 0;
	b->label = b->variant = b->fault = b->note = SJ_LIT("");
	if (b->why != SJ_WHY_SHOWN)
		return;
	b->weight = ui_number(p, n, SJ_P_WEIGHT, 0);
	b->variant = ui_line(p, n, SJ_P_VARIANT);
	b->enabled = sj_node_enabled(p->surface, n);
	read_checks(p, b);
	if (b->kind == SJ_UI_BUTTON) {
		b->label = subtree_text(p, n);
		if (b->label.len == 0)
			b->label = SJ_LIT("Button");
	} else {
		b->label = ui_line(p, n, SJ_P_LABEL);
	}
	if (b->kind == SJ_UI_TEXT || b->kind == SJ_UI_CUSTOM)
		b->markup = markup_of(p, value_text(p, ui_value(p, n, SJ_P_TEXT), true));
}

static bool add_child(struct painter *p, uint32_t parent, sj_node_id node, enum place place)
{
	if (sj_node_why(p->surface, node) == SJ_WHY_HIDDEN)
		return true;
	if (SJ_VEC_RESERVE(p->mem, &p->boxes, p->boxes.count + 1, 0) != SJ_OK) {
		p->status = SJ_NOMEM;
		return false;
	}
	struct box *b = box_at(p, p->boxes.count++);
	memset(b, 0, sizeof *b);
	b->node = node;
	b->parent = parent;
	b->place = place;
	b->label = b->variant = b->fault = b->note = SJ_LIT("");
	box_at(p, parent)->count++;
	return true;
}

static uint32_t selected_tab(struct painter *p, sj_node_id n)
{
	const struct sj_value *at = sj_node_local(p->surface, n, SJ_LIT("selected"));
	uint32_t tabs = sj_value_count(ui_value(p, n, SJ_P_TABS) ? ui_value(p, n, SJ_P_TABS) : &SJ_NULL_VALUE);
	return at && at->type == SJ_V_INT && at->u.i >= 0 && at->u.i < tabs ? (uint32_t)at->u.i : 0;
}

static bool modal_is_open(struct painter *p, sj_node_id n)
{
	const struct sj_value *open = sj_node_local(p->surface, n, SJ_LIT("open"));
	return open && open->type == SJ_V_TRUE;
}

static void list_children(struct painter *p, uint32_t i)
{
	sj_node_id n = box_at(p, i)->node;
	enum sj_ui_kind kind = box_at(p, i)->kind;
	uint32_t count = sj_node_child_count(p->surface, n);

	box_at(p, i)->first = p->boxes.count;
	if (box_at(p, i)->why != SJ_WHY_SHOWN || kind == SJ_UI_BUTTON)
		return; /* a button's child is its label */
	uint32_t tab = kind == SJ_UI_TABS ? selected_tab(p, n) : 0;
	bool open = kind == SJ_UI_MODAL && modal_is_open(p, n);
	for (uint32_t c = 0; c < count; c++) {
		sj_node_id child = sj_node_child(p->surface, n, c);
		struct sj_edge edge;
		sj_node_child_edge(p->surface, n, c, &edge);
		if (kind == SJ_UI_TABS && edge.index != tab)
			continue;
		if (kind == SJ_UI_MODAL && edge.ui == SJ_P_TRIGGER && sj_node_kind(p->surface, child) == SJ_UI_BUTTON &&
		    sj_node_why(p->surface, child) == SJ_WHY_SHOWN) {
			box_at(p, i)->label = subtree_text(p, child);
			continue;
		}
		if (kind == SJ_UI_MODAL && edge.ui == SJ_P_CONTENT && !open)
			continue;
		uint32_t most = edge.is_template || kind == SJ_UI_LIST ? p->opt.max_rows : MAX_CHILDREN;
		if (box_at(p, i)->count >= most || p->boxes.count >= MAX_BOXES) {
			box_at(p, i)->more = count - c;
			break;
		}
		bool content = kind == SJ_UI_MODAL && edge.ui == SJ_P_CONTENT;
		if (!add_child(p, i, child, content ? IN_CONTENT : IN_CHILDREN))
			return;
	}
}

void list_boxes(struct painter *p)
{
	sj_node_id root = sj_surface_root(p->surface);
	if (root == 0 || sj_node_why(p->surface, root) == SJ_WHY_HIDDEN)
		return;
	if (SJ_VEC_RESERVE(p->mem, &p->boxes, 16, 0) != SJ_OK) {
		p->status = SJ_NOMEM;
		return;
	}
	memset(box_at(p, 0), 0, sizeof(struct box));
	box_at(p, 0)->node = root;
	box_at(p, 0)->parent = UINT32_MAX;
	p->boxes.count = 1;
	for (uint32_t i = 0; i < p->boxes.count && p->status == SJ_OK; i++) {
		describe(p, box_at(p, i));
		list_children(p, i);
	}
}

uint32_t box_next(const struct painter *p, uint32_t i, bool *left)
{
	/* *left tells that box i was left upwards: its children have been seen. */
	const struct box *all = p->boxes.items;
	if (!*left && all[i].count > 0)
		return all[i].first;
	*left = false;
	uint32_t parent = all[i].parent;
	if (parent == UINT32_MAX)
		return UINT32_MAX;
	if (i + 1 < all[parent].first + all[parent].count)
		return i + 1;
	*left = true;
	return parent;
}

/* ---- controls ---------------------------------------------------------------------------------------------------- */

static void add_control(struct painter *p, struct box *b, enum sj_ui_prop prop, uint32_t option, bool enabled)
{
	struct sj_text_picture *out = p->out;
	if (sj_mem_grow(p->mem, (void **)&out->controls, &out->cap, sizeof *out->controls, out->ncontrols + 1, 0) !=
	    SJ_OK) {
		p->status = SJ_NOMEM;
		return;
	}
	out->controls[out->ncontrols++] =
		(struct sj_text_control){.node = b->node, .prop = prop, .option = option, .enabled = enabled};
	if (b->ncontrols++ == 0)
		b->control = out->ncontrols;
}

static void add_controls(struct painter *p, struct box *b)
{
	const struct sj_value *list;

	if (b->why != SJ_WHY_SHOWN)
		return;
	switch (b->kind) {
	case SJ_UI_BUTTON:
		add_control(p, b, SJ_P_ACTION, UINT32_MAX, b->enabled);
		return;
	case SJ_UI_TEXT_FIELD:
	case SJ_UI_CHECK_BOX:
	case SJ_UI_SLIDER:
	case SJ_UI_DATE_TIME:
	case SJ_UI_STEPPER:
	case SJ_UI_RATING:
		add_control(p, b, SJ_P_VALUE, UINT32_MAX, true);
		return;
	case SJ_UI_CHOICE:
	case SJ_UI_TABS:
		list = ui_value(p, b->node, b->kind == SJ_UI_TABS ? SJ_P_TABS : SJ_P_OPTIONS);
		for (uint32_t i = 0; list && i < sj_value_count(list) && i < MAX_OPTIONS; i++)
			add_control(p, b, b->kind == SJ_UI_TABS ? SJ_P_TABS : SJ_P_VALUE, i, true);
		return;
	case SJ_UI_MODAL:
		add_control(p, b, SJ_P_TRIGGER, UINT32_MAX, true);
		return;
	case SJ_UI_NAV:
		list = ui_value(p, b->node, SJ_P_OPTIONS);
		for (uint32_t i = 0; list && i < sj_value_count(list) && i < MAX_OPTIONS; i++)
			add_control(p, b, SJ_P_VALUE, i, true);
		return;
	case SJ_UI_OVERLAY:
		add_control(p, b, SJ_P_OPEN, UINT32_MAX, true);
		return;
	case SJ_UI_BOX:
	case SJ_UI_LIST_ITEM:
	case SJ_UI_APP_BAR:
	case SJ_UI_PROGRESS:
	case SJ_UI_SCROLL:
	case SJ_UI_PAGER:
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
	case SJ_UI_DIVIDER:
	case SJ_UI_SUMMARY:
	case SJ_UI_KIND_COUNT:
		break;
	}
	/* Anything else may be pressed when it carries an action; a component of the host's own may be an input. */
	if (has_action(p, b->node))
		add_control(p, b, SJ_P_ACTION, UINT32_MAX, b->enabled);
	else if (b->kind == SJ_UI_CUSTOM && sj_node_bound(p->surface, b->node, SJ_P_VALUE))
		add_control(p, b, SJ_P_VALUE, UINT32_MAX, true);
}

void number_controls(struct painter *p)
{
	/* Reading order is depth first; a modal's own control is its closing button and comes after what it closes. */
	bool left = false;
	for (uint32_t i = p->boxes.count > 0 ? 0 : UINT32_MAX; i != UINT32_MAX; i = box_next(p, i, &left)) {
		struct box *b = box_at(p, i);
		bool late = b->kind == SJ_UI_MODAL && b->count > 0;
		if (left == late)
			add_controls(p, b);
	}
}
