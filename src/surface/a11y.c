/* Builds the accessibility tree: one walk over the nodes with a stack of its own. */
#include "surface/a11y.h"

#include <math.h>

#define NO_ITEM UINT32_MAX
#define MOST_OPTIONS 10000

static const char *const froms[] = {
#define FROM_ROW(name, word) [SJ_NAME_##name] = word,
	SJ_NAME_FROMS(FROM_ROW)
#undef FROM_ROW
};
const char *sj_name_from_word(enum sj_name_from f) { return (size_t)f < sizeof froms / sizeof *froms ? froms[f] : ""; }

struct step { /* what to visit next */
	sj_node_id node;
	uint32_t parent; /* item */
	enum sj_a11y_part part; /* SELF: the node; else the part of `node`, around `child` where there is one */
	sj_node_id child;
	uint32_t index, count;
	bool trigger, dialog; /* of a modal */
};
struct builder {
	struct sj_a11y_tree *t;
	struct sj_surface *s;
	struct sj_arena *arena;
	SJ_VEC(struct step) work;
	enum sj_status st;
	bool alone; /* one node is asked for: what is below it is not visited */
};

/* ---- values as text ---------------------------------------------------------------------------------------------- */

static struct sj_slice keep(struct builder *b, struct sj_buf *text)
{
	struct sj_slice kept = sj_buf_status(text) == SJ_OK ? sj_arena_copy(b->arena, sj_buf_view(text)) : SJ_NO_SLICE;
	if (!kept.ptr)
		b->st = SJ_NOMEM;
	return kept.ptr ? kept : SJ_LIT("");
}

static struct sj_slice value_text(struct builder *b, const struct sj_value *v)
{
	struct sj_buf text;
	if (!v || v->type == SJ_V_ABSENT || v->type == SJ_V_NULL || sj_value_is_container(v))
		return SJ_LIT("");
	sj_buf_init(&text, sj_surface_mem(b->s), 0);
	sj_surface_text(b->s, v, &text);
	struct sj_slice kept = keep(b, &text);
	sj_buf_finish(&text);
	return kept;
}

/* What a node says of a meaning. What stands at a secret place, or was made of it, is masked. */
static struct sj_slice ui_text(struct builder *b, sj_node_id n, enum sj_ui_prop ui)
{
	struct sj_slice text = value_text(b, sj_node_ui(b->s, n, ui));
	if (text.len && sj_surface_has_secrets(b->s))
		for (uint32_t i = 0; i < sj_node_prop_count(b->s, n); i++) {
			struct sj_prop p;
			if (sj_node_prop(b->s, n, i, &p) && p.ui == ui && (p.flags & (SJ_PF_SHOWS | SJ_PF_SECRET)))
				return SJ_LIT("•••");
		}
	return text;
}

static bool ui_true(struct builder *b, sj_node_id n, enum sj_ui_prop ui)
{
	const struct sj_value *v = sj_node_ui(b->s, n, ui);
	return v && v->type != SJ_V_ABSENT && sj_surface_truthy(b->s, v);
}

static bool ui_is(struct builder *b, sj_node_id n, enum sj_ui_prop ui, const char *word)
{
	const struct sj_value *v = sj_node_ui(b->s, n, ui);
	return v && sj_value_is_string(v) && sj_slice_is(sj_value_text(v), word);
}

static bool ui_number(struct builder *b, sj_node_id n, enum sj_ui_prop ui, double *out)
{
	const struct sj_value *v = sj_node_ui(b->s, n, ui);
	if (!v || !sj_value_is_number(v))
		return false;
	*out = sj_value_double(v);
	return true;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* "shoppingCart" reads "shopping cart". */
static struct sj_slice icon_words(struct builder *b, struct sj_slice name)
{
	struct sj_buf text;
	sj_buf_init(&text, sj_surface_mem(b->s), 0);
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		bool upper = c >= 'A' && c <= 'Z';
		if (upper && i > 0)
			sj_buf_putc(&text, ' ');
		sj_buf_putc(&text, c == '_' || c == '-' ? ' ' : upper ? (char)(c - 'A' + 'a') : c);
	}
	struct sj_slice kept = keep(b, &text);
	sj_buf_finish(&text);
	return kept;
}

static const struct sj_words *words(struct builder *b, struct sj_slice text)
{
	struct sj_words *w = sj_arena_zalloc(b->arena, sizeof *w);
	if (!w || sj_surface_words(b->s, b->arena, text, w) != SJ_OK) {
		b->st = SJ_NOMEM;
		return NULL;
	}
	return w;
}

static struct sj_slice plain(struct builder *b, struct sj_slice text)
{
	const struct sj_words *w = text.len ? words(b, text) : NULL;
	return w ? w->plain : SJ_LIT("");
}

/* The name a node has by itself, without what is inside it. */
static struct sj_slice own_name(struct builder *b, sj_node_id n, enum sj_ui_kind kind, enum sj_name_from *from)
{
	static const struct {
		enum sj_ui_prop ui;
		enum sj_name_from from;
	} inputs[] = {{SJ_P_LABEL, SJ_NAME_LABEL}, {SJ_P_PLACEHOLDER, SJ_NAME_PLACEHOLDER}},
	  pictures[] = {{SJ_P_DESCRIPTION, SJ_NAME_ALT}, {SJ_P_LABEL, SJ_NAME_LABEL}},
	  others[] = {{SJ_P_LABEL, SJ_NAME_LABEL}, {SJ_P_TEXT, SJ_NAME_TEXT}};
	struct sj_slice name = ui_text(b, n, SJ_P_A11Y_LABEL);
	*from = SJ_NAME_ACCESSIBILITY;
	if (name.len)
		return name;
	if (kind == SJ_UI_ICON) {
		const struct sj_value *v = sj_node_ui(b->s, n, SJ_P_NAME);
		*from = SJ_NAME_ICON;
		name = v && sj_value_is_string(v) ? icon_words(b, ui_text(b, n, SJ_P_NAME)) : SJ_LIT("");
	} else if (kind == SJ_UI_TEXT) {
		*from = SJ_NAME_TEXT;
		name = plain(b, ui_text(b, n, SJ_P_TEXT));
	} else {
		bool picture = kind == SJ_UI_IMAGE || kind == SJ_UI_VIDEO || kind == SJ_UI_AUDIO;
		for (size_t i = 0; i < 2 && !name.len; i++) {
			enum sj_ui_prop ui = picture             ? pictures[i].ui
			                     : sj_ui_is_input(kind) ? inputs[i].ui
			                                         : others[i].ui;
			*from = picture ? pictures[i].from : sj_ui_is_input(kind) ? inputs[i].from : others[i].from;
			name = ui_text(b, n, ui);
		}
	}
	if (!name.len)
		*from = SJ_NAME_NOTHING;
	return name;
}

static bool is_hidden(struct builder *b, sj_node_id n) { return ui_true(b, n, SJ_P_A11Y_HIDDEN); }

/* Names of everything below, in order; icons only where nothing else has one. `heading`: the first heading alone. */
#define NAME_NODES 200
static struct sj_slice content_name(struct builder *b, sj_node_id n, bool heading)
{
	sj_node_id work[NAME_NODES];
	struct sj_slice icon = SJ_LIT("");
	struct sj_buf text;
	uint32_t count = 0, seen = 0;
	sj_buf_init(&text, sj_surface_mem(b->s), 0);
	for (uint32_t i = sj_node_child_count(b->s, n); i-- > 0;)
		if (count < NAME_NODES)
			work[count++] = sj_node_child(b->s, n, i);
	while (count > 0 && seen++ < NAME_NODES && b->st == SJ_OK) {
		sj_node_id at = work[--count];
		enum sj_ui_kind kind = sj_node_kind(b->s, at);
		enum sj_name_from from;
		if (sj_node_why(b->s, at) != SJ_WHY_SHOWN || is_hidden(b, at))
			continue;
		struct sj_slice name = own_name(b, at, kind, &from);
		if (heading) {
			struct sj_slice level = ui_text(b, at, SJ_P_VARIANT);
			const struct sj_words *w = kind == SJ_UI_TEXT ? words(b, ui_text(b, at, SJ_P_TEXT)) : NULL;
			bool is = kind == SJ_UI_TEXT && w && name.len &&
			          ((level.len == 2 && level.ptr[0] == 'h') || (w->count && w->blocks[0].level));
			if (is) {
				sj_buf_slice(&text, w->count && w->blocks[0].level ? w->blocks[0].text : name);
				break;
			}
		} else if (from == SJ_NAME_ICON) {
			icon = icon.len ? icon : name;
		} else if (name.len) {
			if (text.len)
				sj_buf_putc(&text, ' ');
			sj_buf_slice(&text, name);
		}
		if (from == SJ_NAME_ACCESSIBILITY)
			continue; /* it stands for what is inside it */
		for (uint32_t i = sj_node_child_count(b->s, at); i-- > 0;)
			if (count < NAME_NODES)
				work[count++] = sj_node_child(b->s, at, i);
	}
	struct sj_slice kept = text.len ? keep(b, &text) : icon;
	sj_buf_finish(&text);
	return kept;
}

/* ---- items ------------------------------------------------------------------------------------------------------- */

static struct sj_slice item_id(struct builder *b, sj_node_id n, const char *part, uint32_t index)
{
	struct sj_buf text;
	sj_buf_init(&text, sj_surface_mem(b->s), 0);
	sj_buf_slice(&text, sj_node_component_id(b->s, n));
	if (sj_node_scope_depth(b->s, n) > 0)
		sj_node_data_path(b->s, n, &text);
	if (part)
		sj_buf_printf(&text, "/%s/%u", part, index);
	struct sj_slice kept = keep(b, &text);
	sj_buf_finish(&text);
	return kept;
}

static uint32_t add(struct builder *b, sj_node_id n, uint32_t parent, enum sj_a11y_part part, enum sj_role role)
{
	struct sj_a11y_tree *t = b->t;
	if (b->st == SJ_OK)
		b->st = SJ_VEC_RESERVE(sj_surface_mem(b->s), &t->items, t->items.count + 1, 0);
	if (b->st != SJ_OK)
		return NO_ITEM;
	const struct sj_a11y *up = parent == NO_ITEM ? NULL : &t->items.items[parent];
	t->items.items[t->items.count] = (struct sj_a11y){.node = n,
	                                                  .part = part,
	                                                  .parent = parent,
	                                                  .depth = up ? up->depth + 1 : 0,
	                                                  .in_control = up && (up->focusable || up->in_control),
	                                                  .role = role,
	                                                  .now = (double)NAN,
	                                                  .checked = -1,
	                                                  .expanded = -1,
	                                                  .selected = -1,
	                                                  .controls = NO_ITEM};
	return t->items.count++;
}

static void plan(struct builder *b, struct step next)
{
	if (b->alone)
		return;
	if (b->st == SJ_OK)
		b->st = SJ_VEC_RESERVE(sj_surface_mem(b->s), &b->work, b->work.count + 1, 0);
	if (b->st == SJ_OK)
		b->work.items[b->work.count++] = next;
}

/* Children are planned last first, so that the first is visited next. */
static void plan_children(struct builder *b, sj_node_id n, uint32_t parent, enum sj_a11y_part part)
{
	uint32_t count = b->alone ? 0 : sj_node_child_count(b->s, n);
	for (uint32_t i = count; i-- > 0;)
		plan(b, (struct step){part == SJ_PART_SELF ? sj_node_child(b->s, n, i) : n, parent, part,
		                      sj_node_child(b->s, n, i), i, count});
}

static void read_states(struct builder *b, sj_node_id n, enum sj_ui_kind kind, struct sj_a11y *it)
{
	struct sj_validity val;
	struct sj_prop p;
	sj_node_validity(b->s, n, &val);
	bool fails = val.has_checks && !val.valid && !val.pending;
	it->invalid = fails && sj_ui_is_input(kind);
	if (it->invalid) {
		it->error = sj_arena_copy(b->arena, val.message);
	} else if (fails && !it->description.len) { /* why a button cannot be pressed */
		it->description = sj_arena_copy(b->arena, val.message);
		it->description_from = it->description.len ? SJ_NAME_CHECK : SJ_NAME_NOTHING;
	}
	it->disabled = !sj_node_enabled(b->s, n);
	it->required = ui_true(b, n, SJ_P_REQUIRED) || sj_surface_requires(b->s, n);
	it->password = kind == SJ_UI_TEXT_FIELD && ui_is(b, n, SJ_P_VARIANT, "obscured");
	it->multiline = kind == SJ_UI_TEXT_FIELD && ui_is(b, n, SJ_P_VARIANT, "longText");
	it->focusable = (kind == SJ_UI_BUTTON || sj_ui_is_input(kind)) && !it->disabled;
	for (uint32_t i = 0; !it->focusable && i < sj_node_prop_count(b->s, n); i++)
		if (sj_node_prop(b->s, n, i, &p) && p.cls == SJ_PC_ACTION && !it->disabled) {
			it->focusable = true;
			if (it->role == SJ_ROLE_GROUP && sj_node_child_count(b->s, n) == 0)
				it->role = SJ_ROLE_BUTTON; /* a host's own component that can be pressed */
		}
	if (kind == SJ_UI_VIDEO || kind == SJ_UI_AUDIO)
		it->focusable = true; /* its controls */
}

static void read_value(struct builder *b, sj_node_id n, enum sj_ui_kind kind, struct sj_a11y *it)
{
	double least = 0, most = 0, now;
	switch ((int)kind) {
	case SJ_UI_CHECK_BOX:
		it->checked = ui_true(b, n, SJ_P_VALUE);
		break;
	case SJ_UI_SLIDER:
	case SJ_UI_STEPPER:
	case SJ_UI_RATING:
		it->has_range = true;
		(void)ui_number(b, n, SJ_P_MIN, &least);
		it->min = least;
		it->max = ui_number(b, n, SJ_P_MAX, &most) ? most : (double)INFINITY;
		if (ui_number(b, n, SJ_P_VALUE, &now))
			it->now = now;
		if (ui_number(b, n, SJ_P_STEPS, &now) && now >= 1 && isfinite(it->max))
			it->step = (it->max - it->min) / now;
		else if (kind != SJ_UI_SLIDER)
			it->step = 1;
		break;
	case SJ_UI_CHOICE:
		it->several = ui_is(b, n, SJ_P_VARIANT, "multipleSelection");
		it->role = it->several ? SJ_ROLE_GROUP : SJ_ROLE_RADIOGROUP;
		break;
	case SJ_UI_TEXT_FIELD:
	case SJ_UI_DATE_TIME:
	case SJ_UI_SUMMARY:
		it->value = ui_text(b, n, SJ_P_VALUE);
		if (it->password && it->value.len)
			it->value = SJ_LIT("•••");
		break;
	default:
		break;
	}
}

/* Headings of the language's markup, or of its variants; several blocks become parts. */
static void read_text(struct builder *b, sj_node_id n, uint32_t at)
{
	struct sj_slice text = ui_text(b, n, SJ_P_TEXT), variant = ui_text(b, n, SJ_P_VARIANT);
	const struct sj_words *w = text.len ? words(b, text) : NULL;
	bool parts = false;
	uint32_t level = 0;
	if (variant.len == 2 && variant.ptr[0] == 'h' && variant.ptr[1] >= '1' && variant.ptr[1] <= '6')
		level = (uint32_t)(variant.ptr[1] - '0');
	else if (w && w->count == 1)
		level = w->blocks[0].level;
	for (uint32_t i = 0; w && w->count > 1 && i < w->count; i++)
		parts = parts || w->blocks[i].level > 0;
	struct sj_a11y *it = &b->t->items.items[at];
	if (level) {
		it->role = SJ_ROLE_HEADING;
		it->level = level;
		return;
	}
	for (uint32_t i = 0; parts && i < w->count && b->st == SJ_OK; i++) {
		uint32_t k = add(b, n, at, SJ_PART_BLOCK, w->blocks[i].level ? SJ_ROLE_HEADING : SJ_ROLE_TEXT);
		if (k == NO_ITEM)
			return;
		struct sj_a11y *block = &b->t->items.items[k];
		block->index = i;
		block->id = item_id(b, n, "block", i);
		block->level = w->blocks[i].level;
		block->name = w->blocks[i].text;
		block->name_from = SJ_NAME_TEXT;
	}
}

static void add_options(struct builder *b, sj_node_id n, uint32_t parent, bool several)
{
	const struct sj_value *options = sj_node_ui(b->s, n, SJ_P_OPTIONS), *value = sj_node_ui(b->s, n, SJ_P_VALUE);
	uint32_t count = options && options->type == SJ_V_ARRAY ? sj_value_count(options) : 0;
	count = count < MOST_OPTIONS ? count : MOST_OPTIONS;
	for (uint32_t i = 0; i < count && b->st == SJ_OK; i++) {
		const struct sj_value *o = sj_value_item(options, i), *label = o, *mine = o;
		if (o->type == SJ_V_OBJECT) {
			label = sj_value_get(o, SJ_LIT("label"));
			mine = sj_value_get(o, SJ_LIT("value"));
		}
		bool on = value && mine && value->type != SJ_V_ARRAY && sj_value_equal(value, mine);
		for (uint32_t k = 0;
		     value && mine && value->type == SJ_V_ARRAY && k < sj_value_count(value) && k < MOST_OPTIONS && !on;
		     k++)
			on = sj_value_equal(sj_value_item(value, k), mine);
		uint32_t at = add(b, n, parent, SJ_PART_OPTION, several ? SJ_ROLE_CHECKBOX : SJ_ROLE_RADIO);
		if (at == NO_ITEM)
			return;
		struct sj_a11y *it = &b->t->items.items[at];
		it->index = i;
		it->id = item_id(b, n, "option", i);
		it->name = value_text(b, label);
		it->name_from = it->name.len ? SJ_NAME_OPTION : SJ_NAME_NOTHING;
		it->checked = on;
		it->position = i + 1;
		it->set_size = count;
		it->in_control = false; /* the group is no control: its options are */
	}
}

/* Is anything below (or this) something a person could use? */
static bool holds_control(struct builder *b, sj_node_id n)
{
	SJ_VEC(sj_node_id) work = {0};
	struct sj_mem *mem = sj_surface_mem(b->s);
	bool found = false;
	enum sj_status st = SJ_VEC_RESERVE(mem, &work, 16, 0);
	if (st == SJ_OK)
		work.items[work.count++] = n;
	while (st == SJ_OK && work.count > 0 && !found) {
		sj_node_id at = work.items[--work.count];
		enum sj_ui_kind kind = sj_node_kind(b->s, at);
		struct sj_prop p;
		if (sj_node_why(b->s, at) != SJ_WHY_SHOWN)
			continue;
		found = kind == SJ_UI_BUTTON || sj_ui_is_input(kind) || kind == SJ_UI_TABS;
		for (uint32_t i = 0; !found && i < sj_node_prop_count(b->s, at); i++)
			found = sj_node_prop(b->s, at, i, &p) && p.cls == SJ_PC_ACTION;
		uint32_t children = sj_node_child_count(b->s, at);
		st = SJ_VEC_RESERVE(mem, &work, work.count + children, 0);
		for (uint32_t i = 0; st == SJ_OK && i < children; i++)
			work.items[work.count++] = sj_node_child(b->s, at, i);
	}
	SJ_VEC_FREE(mem, &work);
	if (st != SJ_OK)
		b->st = st;
	return found;
}

/* ---- kinds with parts -------------------------------------------------------------------------------------------- */

static void plan_tabs(struct builder *b, sj_node_id n, uint32_t parent)
{
	const struct sj_value *tabs = sj_node_ui(b->s, n, SJ_P_TABS),
			      *local = sj_node_local(b->s, n, SJ_LIT("selected"));
	uint32_t count = tabs && tabs->type == SJ_V_ARRAY ? sj_value_count(tabs) : 0, chosen = 0, first = NO_ITEM;
	if (local && sj_value_is_number(local) && sj_value_double(local) >= 0 && sj_value_double(local) < count)
		chosen = (uint32_t)sj_value_double(local);
	for (uint32_t i = 0; i < count && i < MOST_OPTIONS && b->st == SJ_OK; i++) {
		const struct sj_value *tab = sj_value_item(tabs, i);
		uint32_t at = add(b, n, parent, SJ_PART_TAB, SJ_ROLE_TAB);
		if (at == NO_ITEM)
			return;
		first = first == NO_ITEM ? at : first;
		struct sj_a11y *it = &b->t->items.items[at];
		it->index = i;
		it->id = item_id(b, n, "tab", i);
		it->name = tab->type == SJ_V_OBJECT ? value_text(b, sj_value_get(tab, SJ_LIT("title"))) : SJ_LIT("");
		it->name_from = it->name.len ? SJ_NAME_TITLE : SJ_NAME_NOTHING;
		it->selected = i == chosen;
		it->position = i + 1;
		it->set_size = count;
	}
	for (uint32_t i = 0; i < sj_node_child_count(b->s, n); i++) {
		struct sj_edge e;
		sj_node_child_edge(b->s, n, i, &e);
		if (e.index == chosen)
			plan(b, (struct step){n, parent, SJ_PART_PANEL, sj_node_child(b->s, n, i), chosen, first});
	}
}

/* The children of a modal by their meaning; 0: not there. */
static sj_node_id modal_child(struct builder *b, sj_node_id n, enum sj_ui_prop ui)
{
	for (uint32_t i = 0; i < sj_node_child_count(b->s, n); i++) {
		struct sj_edge e;
		sj_node_child_edge(b->s, n, i, &e);
		if (e.ui == ui)
			return sj_node_child(b->s, n, i);
	}
	return 0;
}

static bool is_open(struct builder *b, sj_node_id n)
{
	const struct sj_value *open = sj_node_local(b->s, n, SJ_LIT("open"));
	return open && open->type == SJ_V_TRUE;
}

/* ---- visiting ---------------------------------------------------------------------------------------------------- */

static void visit_part(struct builder *b, const struct step *s)
{
	static const struct {
		enum sj_role role;
		const char *word;
	} parts[] = {[SJ_PART_PANEL] = {SJ_ROLE_TABPANEL, "panel"}, [SJ_PART_LISTITEM] = {SJ_ROLE_LISTITEM, "item"}};
	uint32_t at = add(b, s->node, s->parent, s->part, parts[s->part].role);
	if (at == NO_ITEM)
		return;
	struct sj_a11y *it = &b->t->items.items[at];
	it->index = s->index;
	it->id = item_id(b, s->node, parts[s->part].word, s->index);
	if (s->part == SJ_PART_PANEL) {
		it->in_control = false;
		if (s->count != NO_ITEM && s->count + s->index < at) { /* the tabs stand in a row */
			struct sj_a11y *tab = &b->t->items.items[s->count + s->index];
			it->name = tab->name;
			it->name_from = tab->name_from;
			tab->controls = at;
		}
	} else {
		it->position = s->index + 1;
		it->set_size = s->count;
	}
	plan(b, (struct step){.node = s->child, .parent = at});
}

static void visit_placeholder(struct builder *b, sj_node_id n, uint32_t parent)
{
	enum sj_why why = sj_node_why(b->s, n);
	uint32_t at = why == SJ_WHY_HIDDEN ? NO_ITEM : add(b, n, parent, SJ_PART_SELF, SJ_ROLE_TEXT);
	if (at == NO_ITEM)
		return;
	struct sj_a11y *it = &b->t->items.items[at];
	it->id = item_id(b, n, NULL, 0);
	it->name = sj_slice_of(sj_why_text(why));
	it->name_from = SJ_NAME_CONTENT;
	it->busy = why == SJ_WHY_PENDING;
}

/* The trigger of a dialog is a control whatever it is made of. */
static void mark_trigger(struct builder *b, const struct step *s, struct sj_a11y *it, enum sj_ui_kind kind)
{
	const struct sj_a11y *around = s->parent == NO_ITEM ? NULL : &b->t->items.items[s->parent];
	if (!around || around->part != SJ_PART_AROUND || !s->trigger)
		return;
	it->popup = true;
	it->expanded = is_open(b, around->node);
	it->focusable = !it->disabled;
	if (kind != SJ_UI_BUTTON && !sj_ui_is_input(kind)) {
		it->role = SJ_ROLE_BUTTON;
		if (!it->name.len) {
			it->name = content_name(b, it->node, false);
			it->name_from = it->name.len ? SJ_NAME_CONTENT : SJ_NAME_NOTHING;
		}
	}
}

static void visit_modal(struct builder *b, const struct step *s)
{
	sj_node_id n = s->node, trigger = modal_child(b, n, SJ_P_TRIGGER), content = modal_child(b, n, SJ_P_CONTENT);
	uint32_t around = add(b, n, s->parent, SJ_PART_AROUND, SJ_ROLE_NONE);
	if (around == NO_ITEM)
		return;
	b->t->items.items[around].id = item_id(b, n, "modal", 0);
	/* the dialog itself comes after the trigger */
	plan(b, (struct step){.node = n, .parent = around, .child = content, .dialog = true});
	if (trigger)
		plan(b, (struct step){.node = trigger, .parent = around, .trigger = true});
}

static void visit(struct builder *b, const struct step *s)
{
	sj_node_id n = s->node;
	enum sj_ui_kind kind = sj_node_kind(b->s, n);
	if (sj_node_why(b->s, n) != SJ_WHY_SHOWN) {
		visit_placeholder(b, n, s->parent);
		return;
	}
	if (kind == SJ_UI_MODAL && !s->dialog && !is_hidden(b, n)) {
		visit_modal(b, s);
		return;
	}
	uint32_t at = add(b, n, s->parent, SJ_PART_SELF, sj_ui_role(kind));
	if (at == NO_ITEM)
		return;
	struct sj_a11y *it = &b->t->items.items[at];
	it->id = item_id(b, n, NULL, 0);
	it->name = own_name(b, n, kind, &it->name_from);
	it->description = ui_text(b, n, SJ_P_A11Y_DESCRIPTION);
	it->description_from = it->description.len ? SJ_NAME_ACCESSIBILITY : SJ_NAME_NOTHING;
	if (!it->description.len && !sj_ui_is_input(kind) && kind == SJ_UI_CUSTOM) {
		it->description = ui_text(b, n, SJ_P_DETAIL);
		it->description_from = it->description.len ? SJ_NAME_DETAIL : SJ_NAME_NOTHING;
	} else if (!it->description.len && kind == SJ_UI_STEPPER) {
		it->description = ui_text(b, n, SJ_P_DETAIL);
		it->description_from = it->description.len ? SJ_NAME_DETAIL : SJ_NAME_NOTHING;
	} else if (!it->description.len && kind == SJ_UI_TEXT_FIELD && it->name_from != SJ_NAME_PLACEHOLDER) {
		it->description = ui_text(b, n, SJ_P_PLACEHOLDER);
		it->description_from = it->description.len ? SJ_NAME_PLACEHOLDER : SJ_NAME_NOTHING;
	}
	it->live = ui_text(b, n, SJ_P_A11Y_LIVE);
	it->hidden = is_hidden(b, n);
	/* A layout that is named is a thing: nothing may carry a name without a role. */
	if (it->role == SJ_ROLE_NONE && (it->name.len || it->description.len || it->live.len))
		it->role = SJ_ROLE_GROUP;
	if (it->hidden) {
		it->hides_control = holds_control(b, n);
		return;
	}
	read_states(b, n, kind, it);
	read_value(b, n, kind, it);
	if (it->role == SJ_ROLE_BUTTON && !it->name.len) {
		it->name = content_name(b, n, false);
		it->name_from = it->name.len ? SJ_NAME_CONTENT : SJ_NAME_NOTHING;
	}
	mark_trigger(b, s, it, kind);
	if (kind == SJ_UI_MODAL) {
		it->modal = is_open(b, n);
		it->expanded = it->modal;
		if (!it->name.len && (it->name = content_name(b, n, true)).len)
			it->name_from = SJ_NAME_CONTENT;
		sj_node_id trigger = modal_child(b, n, SJ_P_TRIGGER);
		enum sj_name_from from;
		if (!it->name.len && trigger &&
		    ((it->name = own_name(b, trigger, sj_node_kind(b->s, trigger), &from)).len ||
		     (it->name = content_name(b, trigger, false)).len))
			it->name_from = SJ_NAME_TRIGGER;
		if (it->modal && s->child)
			plan(b, (struct step){.node = s->child, .parent = at});
	} else if (kind == SJ_UI_TABS) {
		it->focusable = true;
		if (!b->alone)
			plan_tabs(b, n, at);
	} else if (kind == SJ_UI_CHOICE) {
		if (!b->alone)
			add_options(b, n, at, it->several);
	} else if (kind == SJ_UI_TEXT) {
		read_text(b, n, at);
	} else {
		plan_children(b, n, at, kind == SJ_UI_LIST ? SJ_PART_LISTITEM : SJ_PART_SELF);
	}
}

enum sj_status sj_a11y_build(struct sj_surface *s, struct sj_a11y_tree *out)
{
	struct builder b = {.t = out, .s = s, .arena = &out->arena, .st = SJ_OK};
	*out = (struct sj_a11y_tree){.surface = s};
	uint64_t refused = sj_surface_mem(s)->refused;
	sj_arena_init(&out->arena, sj_surface_mem(s), 4096);
	if (sj_surface_settle(s) == SJ_NOMEM)
		return SJ_NOMEM;
	if (sj_surface_root(s))
		plan(&b, (struct step){.node = sj_surface_root(s), .parent = NO_ITEM});
	while (b.st == SJ_OK && b.work.count > 0) {
		struct step next = b.work.items[--b.work.count];
		if (next.part == SJ_PART_SELF)
			visit(&b, &next);
		else
			visit_part(&b, &next);
	}
	SJ_VEC_FREE(sj_surface_mem(s), &b.work);
	if (sj_surface_mem(s)->refused != refused)
		return SJ_NOMEM; /* something may lack what there was no memory for */
	return b.st;
}

enum sj_status sj_a11y_node(struct sj_surface *s, sj_node_id n, struct sj_a11y_tree *out)
{
	struct builder b = {.t = out, .s = s, .arena = &out->arena, .st = SJ_OK, .alone = true};
	const struct step here = {.node = n, .parent = NO_ITEM, .dialog = true};
	*out = (struct sj_a11y_tree){.surface = s};
	uint64_t refused = sj_surface_mem(s)->refused;
	sj_arena_init(&out->arena, sj_surface_mem(s), 512);
	visit(&b, &here);
	return sj_surface_mem(s)->refused != refused ? SJ_NOMEM : b.st;
}

void sj_a11y_finish(struct sj_a11y_tree *t)
{
	if (!t->surface)
		return;
	SJ_VEC_FREE(sj_surface_mem(t->surface), &t->items);
	sj_arena_finish(&t->arena);
	t->surface = NULL;
}
