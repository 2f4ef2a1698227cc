/* What is read off an accessibility tree: the order of the focus, the tree as JSON, the checks. */
#include "surface/a11y.h"

#include <math.h>
#include <stdio.h>

#include "base/map.h"
#include "base/num.h"

/* ---- focus ------------------------------------------------------------------------------------------------------- */

uint32_t sj_a11y_focus_order(const struct sj_a11y_tree *t, uint32_t *out, uint32_t cap)
{
	uint32_t n = 0, from = 0, to = t->items.count;
	for (uint32_t i = 0; i < t->items.count; i++)
		if (t->items.items[i].modal) { /* the last one that opened last in drawing order holds the focus */
			from = i;
			for (to = i + 1; to < t->items.count && t->items.items[to].depth > t->items.items[i].depth;
			     to++)
				;
		}
	for (uint32_t i = from; i < to; i++) {
		if (!t->items.items[i].focusable)
			continue;
		if (n < cap)
			out[n] = i;
		n++;
	}
	return n;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

struct members {
	struct sj_buf *out;
	bool any;
};

static void key(struct members *m, const char *name)
{
	sj_buf_printf(m->out, "%s\"%s\":", m->any ? "," : "{", name);
	m->any = true;
}

static void put_text(struct members *m, const char *name, struct sj_slice text)
{
	if (!text.len)
		return;
	key(m, name);
	sj_json_print_string(m->out, text);
}

static void put_flag(struct members *m, const char *name, bool on)
{
	if (!on)
		return;
	key(m, name);
	sj_buf_puts(m->out, "true");
}

static void put_state(struct members *m, const char *name, int state)
{
	if (state < 0)
		return;
	key(m, name);
	sj_buf_puts(m->out, state ? "true" : "false");
}

static void put_count(struct members *m, const char *name, uint32_t n)
{
	if (!n)
		return;
	key(m, name);
	sj_buf_printf(m->out, "%u", n);
}

static void put_number(struct members *m, const char *name, double d)
{
	char text[SJ_NUM_TEXT];
	if (!isfinite(d))
		return;
	key(m, name);
	sj_buf_put(m->out, text, sj_num_text(d, text));
}

/* Members in alphabetical order but for "children", which the caller closes. */
static void put_item(const struct sj_a11y_tree *t, const struct sj_a11y *it, struct sj_buf *out)
{
	struct members m = {out, false};
	put_flag(&m, "busy", it->busy);
	put_state(&m, "checked", it->checked);
	if (it->part == SJ_PART_SELF)
		put_text(&m, "component", sj_node_component_id(t->surface, it->node));
	if (it->controls != UINT32_MAX)
		put_text(&m, "controls", t->items.items[it->controls].id);
	put_text(&m, "description", it->description);
	put_text(&m, "descriptionFrom", sj_slice_of(sj_name_from_word(it->description_from)));
	put_flag(&m, "disabled", it->disabled);
	put_text(&m, "errorMessage", it->error);
	put_state(&m, "expanded", it->expanded);
	put_flag(&m, "hidden", it->hidden);
	put_text(&m, "id", it->id);
	put_flag(&m, "invalid", it->invalid);
	put_count(&m, "level", it->level);
	put_text(&m, "live", it->live);
	put_flag(&m, "modal", it->modal);
	put_flag(&m, "multiline", it->multiline);
	put_flag(&m, "multiselectable", it->several);
	put_text(&m, "name", it->name);
	put_text(&m, "nameFrom", sj_slice_of(sj_name_from_word(it->name_from)));
	put_flag(&m, "password", it->password);
	if (it->popup)
		put_text(&m, "popup", SJ_LIT("dialog"));
	put_count(&m, "position", it->position);
	if (it->has_range) {
		struct members r = {out, false};
		key(&m, "range");
		put_number(&r, "max", it->max);
		put_number(&r, "min", it->min);
		put_number(&r, "now", it->now);
		if (it->step > 0)
			put_number(&r, "step", it->step);
		sj_buf_puts(out, r.any ? "}" : "{}");
	}
	put_flag(&m, "required", it->required);
	put_text(&m, "role", sj_slice_of(sj_ui_role_name(it->role)));
	put_state(&m, "selected", it->selected);
	put_count(&m, "setSize", it->set_size);
	put_text(&m, "value", it->value);
}

void sj_a11y_print(const struct sj_a11y_tree *t, struct sj_slice id, struct sj_buf *out)
{
	uint32_t n = sj_a11y_focus_order(t, NULL, 0);
	struct sj_mem *mem = sj_surface_mem(t->surface);
	uint32_t *order = n ? sj_mem_alloc(mem, n * sizeof *order) : NULL;
	if (n && !order) {
		out->status = SJ_NOMEM;
		return;
	}
	n = sj_a11y_focus_order(t, order, n);
	sj_buf_puts(out, "{\"focusOrder\":[");
	for (uint32_t i = 0; i < n; i++) {
		sj_buf_puts(out, i ? "," : "");
		sj_json_print_string(out, t->items.items[order[i]].id);
	}
	if (order)
		sj_mem_free(mem, order, n * sizeof *order);
	sj_buf_puts(out, "],\"surfaceId\":");
	sj_json_print_string(out, id);
	sj_buf_puts(out, t->items.count ? ",\"tree\":" : ",\"tree\":null");
	for (uint32_t i = 0; i < t->items.count; i++) {
		uint32_t depth = t->items.items[i].depth,
			 next = i + 1 < t->items.count ? t->items.items[i + 1].depth : 0;
		put_item(t, &t->items.items[i], out);
		if (i + 1 < t->items.count && next > depth) {
			sj_buf_puts(out, ",\"children\":[");
			continue;
		}
		sj_buf_putc(out, '}');
		for (uint32_t up = depth; up > next; up--)
			sj_buf_puts(out, "]}");
		if (i + 1 < t->items.count)
			sj_buf_putc(out, ',');
	}
	sj_buf_putc(out, '}');
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static const struct {
	const char *name, *wants;
} rules[] = {
#define RULE_ROW(name, rule, wants) [SJ_RULE_##name] = {rule, wants},
	SJ_A11Y_RULES(RULE_ROW)
#undef RULE_ROW
};
const char *sj_a11y_rule_name(enum sj_a11y_rule r) { return (size_t)r < SJ_RULE_COUNT ? rules[r].name : ""; }
const char *sj_a11y_rule_wants(enum sj_a11y_rule r) { return (size_t)r < SJ_RULE_COUNT ? rules[r].wants : ""; }

bool sj_a11y_rule_find(struct sj_slice name, enum sj_a11y_rule *out)
{
	for (int i = 0; i < SJ_RULE_COUNT; i++)
		if (sj_slice_is(name, rules[i].name)) {
			*out = (enum sj_a11y_rule)i;
			return true;
		}
	return false;
}

struct check {
	const struct sj_a11y_tree *t;
	void (*fn)(void *ctx, enum sj_a11y_rule rule, uint32_t item, const char *message);
	void *ctx;
	struct sj_map ids;
	uint32_t heading; /* level of the last one; 0 none */
};

static void tell(struct check *c, enum sj_a11y_rule rule, uint32_t i, const char *message)
{
	c->fn(c->ctx, rule, i, message);
}

static void check_name(struct check *c, uint32_t i, const struct sj_a11y *it)
{
	if (it->name.len || it->part == SJ_PART_AROUND)
		return;
	switch ((int)it->role) {
	case SJ_ROLE_BUTTON:
		tell(c, SJ_RULE_BUTTON_NAME, i, "The button has no name: nothing is read aloud when it gets the focus.");
		break;
	case SJ_ROLE_TEXTBOX:
	case SJ_ROLE_RADIOGROUP:
	case SJ_ROLE_SLIDER:
	case SJ_ROLE_DATETIME:
	case SJ_ROLE_SPINBUTTON:
		tell(c, SJ_RULE_LABEL, i, "The input has no label.");
		break;
	case SJ_ROLE_GROUP:
		if (sj_node_kind(c->t->surface, it->node) == SJ_UI_CHOICE)
			tell(c, SJ_RULE_LABEL, i, "The input has no label.");
		break;
	case SJ_ROLE_CHECKBOX:
	case SJ_ROLE_RADIO:
		if (it->part == SJ_PART_OPTION)
			tell(c, SJ_RULE_TOGGLE_NAME, i, "The option has no label.");
		else
			tell(c, SJ_RULE_LABEL, i, "The input has no label.");
		break;
	case SJ_ROLE_IMAGE:
		if (sj_node_kind(c->t->surface, it->node) == SJ_UI_ICON)
			tell(c, SJ_RULE_ROLE_IMG_ALT, i, "The icon has no name.");
		else
			tell(c, SJ_RULE_IMAGE_ALT, i, "The image has no description; one that only decorates is hidden.");
		break;
	case SJ_ROLE_TAB:
		tell(c, SJ_RULE_TAB_NAME, i, "The tab has no title.");
		break;
	case SJ_ROLE_DIALOG:
		if (it->modal)
			tell(c, SJ_RULE_DIALOG_NAME, i, "The open dialog has no name.");
		break;
	case SJ_ROLE_HEADING:
		tell(c, SJ_RULE_EMPTY_HEADING, i, "The heading has no words.");
		break;
	default:
		break;
	}
}

static void check_values(struct check *c, uint32_t i, const struct sj_a11y *it)
{
	if (it->live.len && !sj_slice_is(it->live, "off") && !sj_slice_is(it->live, "polite") &&
	    !sj_slice_is(it->live, "assertive"))
		tell(c, SJ_RULE_VALID_ATTR, i, "live is none of off, polite, assertive.");
	if (it->has_range && it->min > it->max)
		tell(c, SJ_RULE_VALID_ATTR, i, "The range ends before it begins.");
	else if (it->has_range && !isnan(it->now) && (it->now < it->min || it->now > it->max))
		tell(c, SJ_RULE_VALID_ATTR, i, "The value lies outside its range.");
	bool toggles = it->role == SJ_ROLE_CHECKBOX || it->role == SJ_ROLE_RADIO;
	bool ranges = it->role == SJ_ROLE_SLIDER || it->role == SJ_ROLE_SPINBUTTON;
	if ((it->checked >= 0 && !toggles) || (it->has_range && !ranges) ||
	    (it->selected >= 0 && it->role != SJ_ROLE_TAB) || (it->level && it->role != SJ_ROLE_HEADING))
		tell(c, SJ_RULE_ALLOWED_ATTR, i, "The role does not have this state.");
}

static bool has_part(const struct check *c, uint32_t i, enum sj_a11y_part part)
{
	return i + 1 < c->t->items.count && c->t->items.items[i + 1].parent == i &&
	       c->t->items.items[i + 1].part == part;
}

static enum sj_status check_item(struct check *c, uint32_t i)
{
	const struct sj_a11y *it = &c->t->items.items[i];
	enum sj_status st = SJ_OK;
	if (sj_map_get(&c->ids, it->id) != SJ_MAP_NONE)
		tell(c, SJ_RULE_DUPLICATE_ID, i, "The component stands more than once in the same place of the data.");
	else
		st = sj_map_put(&c->ids, it->id, i);
	if (it->hidden) {
		if (it->hides_control)
			tell(c, SJ_RULE_HIDDEN_FOCUS, i, "What is hidden holds something to use, which nobody can reach then.");
		return st;
	}
	check_name(c, i, it);
	check_values(c, i, it);
	if (it->in_control && it->focusable)
		tell(c, SJ_RULE_NESTED, i, "The control stands inside another one.");
	if ((it->role == SJ_ROLE_TABLIST && !has_part(c, i, SJ_PART_TAB)) ||
	    (sj_node_kind(c->t->surface, it->node) == SJ_UI_CHOICE && it->part == SJ_PART_SELF &&
	     !has_part(c, i, SJ_PART_OPTION)))
		tell(c, SJ_RULE_REQUIRED_CHILDREN, i, "There is nothing to choose from.");
	if (it->role == SJ_ROLE_HEADING && it->level) {
		if (c->heading && it->level > c->heading + 1)
			tell(c, SJ_RULE_HEADING_ORDER, i, "The heading is more than one level below the one before it.");
		c->heading = it->level;
	}
	return st;
}

enum sj_status sj_a11y_check(const struct sj_a11y_tree *t,
                             void (*fn)(void *ctx, enum sj_a11y_rule rule, uint32_t item, const char *message),
                             void *ctx)
{
	struct check c = {.t = t, .fn = fn, .ctx = ctx};
	enum sj_status st = SJ_OK;
	sj_map_init(&c.ids, sj_surface_mem(t->surface), 0);
	for (uint32_t i = 0; st == SJ_OK && i < t->items.count; i++)
		st = check_item(&c, i);
	sj_map_finish(&c.ids);
	return st;
}
