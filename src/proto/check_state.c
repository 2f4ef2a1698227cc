/* What keys must hold: pagers and their references, then the four passes over the types of state, then what Shoji added
 * to the language, then what a library does not keep. */
#include <math.h>

#include "proto/internal.h"

static const struct sj_value *field(const struct sj_value *v, const char *name)
{
	return v ? sj_value_get(v, sj_slice_of(name)) : NULL;
}
static struct sj_slice text_of(const struct sj_value *v, const char *name)
{
	const struct sj_value *m = field(v, name);
	return m ? sj_value_text(m) : SJ_NO_SLICE;
}

/* ---- pagers ------------------------------------------------------------------------------------------------------ */

static bool is_pager(const struct sj_check *c, uint32_t upto, struct sj_slice id)
{
	for (uint32_t i = 0; i < upto; i++)
		if (c->nodes.items[i].type == SJ_NODE_PAGER && sj_slice_eq(text_of(c->nodes.items[i].value, "id"), id))
			return true;
	return false;
}

static bool check_set_page(void *ctx, struct sj_check *c, const struct sj_pnode_ref *n, const struct sj_value *action,
                           struct sj_slice type, const struct sj_place *at)
{
	(void)ctx, (void)n;
	return !sj_slice_is(type, "setPage") || is_pager(c, c->nodes.count, text_of(action, "pager")) ||
	       sj_check_fail(c, at, "pager", "Unknown pager id");
}

bool sj_check_pagers(struct sj_check *c)
{
	for (uint32_t i = 0; i < c->nodes.count; i++) {
		const struct sj_pnode_ref *n = &c->nodes.items[i];
		if (n->type == SJ_NODE_PAGER && is_pager(c, i, text_of(n->value, "id")))
			return sj_check_fail(c, n->at, "id", "Duplicate pager id");
	}
	for (uint32_t i = 0; i < c->nodes.count; i++) {
		const struct sj_pnode_ref *n = &c->nodes.items[i];
		if (field(n->value, "pager") && !is_pager(c, c->nodes.count, text_of(n->value, "pager")))
			return sj_check_fail(c, n->at, "pager", "Unknown pager id");
	}
	for (uint32_t i = 0; i < c->nodes.count; i++)
		if (!sj_actions(c, &c->nodes.items[i], check_set_page, NULL))
			return false;
	return true;
}

/* ---- keys, once an item ------------------------------------------------------------------------------------------ */

/* A key of a node, with the placeholders of one item filled in. */
struct keys {
	struct sj_check *c;
	const struct sj_pnode_ref *n;
	const struct sj_value *items; /* NULL: no literal template around it */
	struct sj_slice alias;
	uint32_t item; /* UINT32_MAX: none is filled in */
	struct sj_buf text;
};

static const struct sj_value *state_of(struct keys *k, const struct sj_value *object, const char *name)
{
	struct sj_slice key = text_of(object, name);
	if (k->item != UINT32_MAX) {
		sj_buf_clear(&k->text);
		sj_placeholder_fill(key, k->alias, sj_value_item(k->items, k->item), k->item, &k->text);
		if (sj_buf_status(&k->text) != SJ_OK) {
			k->c->status = SJ_NOMEM;
			return NULL;
		}
		key = sj_buf_view(&k->text);
	}
	return k->c->state ? sj_value_get(k->c->state, key) : NULL;
}

static bool fail(struct keys *k, const struct sj_place *at, const char *key, const char *message)
{
	if (k->item == UINT32_MAX)
		return sj_check_fail(k->c, at, key, "%s", message);
	return sj_check_fail(k->c, at, key, "%s (repeat item %u)", message, k->item);
}

static bool holds_group(const struct sj_value *object, const char *name)
{
	struct sj_slice key = text_of(object, name);
	for (size_t i = 0; i < key.len; i++)
		if (key.ptr[i] == '{')
			return true;
	return false;
}

typedef bool (*key_check)(struct keys *k, const struct sj_value *object, const struct sj_place *at);

/* Runs a check once, or once an item when one of the keys holds placeholders. */
static bool each_item(struct sj_check *c, const struct sj_pnode_ref *n, const struct sj_value *object,
                      const struct sj_place *at, key_check fn)
{
	static const char *const names[] = {"stateKey", "hourKey", "minuteKey", "key"};
	struct keys k = {.c = c, .n = n, .item = UINT32_MAX};
	bool groups = false, ok = true;
	for (int i = 0; i < 4; i++)
		groups = groups || holds_group(object, names[i]);
	if (!groups || n->holder == UINT32_MAX)
		return fn(&k, object, at);
	const struct sj_value *repeat = field(c->nodes.items[n->holder].value, "repeat");
	k.items = field(repeat, "items");
	k.alias = text_of(repeat, "as");
	sj_buf_init(&k.text, c->mem, 0);
	for (k.item = 0; ok && k.items && k.item < sj_value_count(k.items); k.item++)
		ok = fn(&k, object, at);
	sj_buf_finish(&k.text);
	return ok;
}

/* ---- pass a: components ------------------------------------------------------------------------------------------ */

static bool is_integer(const struct sj_value *v, double lo, double hi)
{
	double d = v && sj_value_is_number(v) ? sj_value_double(v) : (double)NAN;
	return d == floor(d) && d >= lo && d <= hi;
}

bool sj_proto_is_date(struct sj_slice s)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int part[3] = {0};
	if (s.len != 10 || s.ptr[4] != '-' || s.ptr[7] != '-')
		return false;
	for (size_t i = 0, p = 0; i < 10; i++) {
		if (i == 4 || i == 7) {
			p++;
			continue;
		}
		if (s.ptr[i] < '0' || s.ptr[i] > '9')
			return false;
		part[p] = part[p] * 10 + (s.ptr[i] - '0');
	}
	bool leap = (part[0] % 4 == 0 && part[0] % 100 != 0) || part[0] % 400 == 0;
	if (part[0] < 1900 || part[0] > 2100 || part[1] < 1 || part[1] > 12 || part[2] < 1)
		return false;
	return part[2] <= days[part[1] - 1] + (part[1] == 2 && leap);
}

static bool check_options(struct keys *k, const struct sj_value *v, const struct sj_place *at, const char *message)
{
	const struct sj_value *state = state_of(k, v, "stateKey"), *options = field(v, "options");
	if (!state || !sj_value_is_string(state))
		return fail(k, at, "stateKey", message);
	for (uint32_t i = 0; i < sj_value_count(options); i++)
		for (uint32_t m = 0; m < i; m++)
			if (sj_value_equal(field(sj_value_item(options, i), "value"),
			                   field(sj_value_item(options, m), "value"))) {
				struct sj_place list = {.up = at, .key = SJ_LIT("options")},
						item = {.up = &list, .index = i};
				return fail(k, &item, "value", "Duplicate radio option value");
			}
	return true;
}

static bool check_slider(struct keys *k, const struct sj_value *v, const struct sj_place *at)
{
	double min = sj_value_double(field(v, "min")), max = sj_value_double(field(v, "max"));
	const struct sj_value *step = field(v, "step"), *state;
	if (!(max > min))
		return fail(k, at, "max", "Slider max must be greater than min");
	if (step) {
		double by = sj_value_double(step), steps = (max - min) / by;
		if (!(by > 0) || !(steps >= 1 - 1e-9) || fabs(steps - floor(steps + 0.5)) > 1e-9)
			return fail(k, at, "step", "Slider step must be positive and divide the range evenly");
	}
	state = state_of(k, v, "stateKey");
	double now = state && sj_value_is_number(state) ? sj_value_double(state) : (double)NAN;
	return (now >= min && now <= max) ||
	       fail(k, at, "stateKey", "Slider requires a numeric state key within min and max");
}

static bool check_chip(struct keys *k, const struct sj_value *v, const struct sj_place *at)
{
	const struct sj_value *variant = field(v, "variant"), *state;
	bool filter = variant && sj_slice_is(sj_value_text(variant), "filter");
	if (!field(v, "stateKey"))
		return !filter || fail(k, at, "stateKey", "Filter chip requires a boolean state key");
	if (variant && !filter)
		return fail(k, at, "stateKey", "Only a filter chip can bind a state key");
	state = state_of(k, v, "stateKey");
	return (state && sj_value_is_bool(state)) ||
	       fail(k, at, "stateKey", "Filter chip requires a boolean state key");
}

static bool check_progress(struct keys *k, const struct sj_value *v, const struct sj_place *at)
{
	const struct sj_value *max = field(v, "max"), *state;
	if (max && !field(v, "stateKey"))
		return fail(k, at, "max", "Requires stateKey");
	if (max && !(sj_value_double(max) > 0))
		return fail(k, at, "max", "Progress max must be greater than 0");
	if (!field(v, "stateKey"))
		return true;
	state = state_of(k, v, "stateKey");
	double now = state && sj_value_is_number(state) ? sj_value_double(state) : (double)NAN;
	return (now >= 0 && now <= (max ? sj_value_double(max) : 1)) ||
	       fail(k, at, "stateKey", "Progress requires a numeric state key within 0 and max");
}

static bool check_time(struct keys *k, const struct sj_value *v, const struct sj_place *at)
{
	if (!is_integer(state_of(k, v, "hourKey"), 0, 23))
		return fail(k, at, "hourKey", "Time picker hour requires an integer 0..23 state key");
	if (!is_integer(state_of(k, v, "minuteKey"), 0, 59))
		return fail(k, at, "minuteKey", "Time picker minute requires an integer 0..59 state key");
	return state_of(k, v, "hourKey") != state_of(k, v, "minuteKey") ||
	       fail(k, at, "minuteKey", "Time picker hour and minute keys must differ");
}

static bool check_component(struct keys *k, const struct sj_value *v, const struct sj_place *at)
{
	const struct sj_value *state;
	switch ((int)k->n->type) {
	case SJ_NODE_TEXT_FIELD:
		state = state_of(k, v, "stateKey");
		return (state && sj_value_is_string(state)) ||
		       fail(k, at, "stateKey", "Text field requires a string state key");
	case SJ_NODE_SWITCH:
	case SJ_NODE_CHECKBOX:
		state = state_of(k, v, "stateKey");
		return (state && sj_value_is_bool(state)) ||
		       fail(k, at, "stateKey", "Toggle control requires a boolean state key");
	case SJ_NODE_SLIDER:
		return check_slider(k, v, at);
	case SJ_NODE_RADIO_GROUP:
		return check_options(k, v, at, "Radio group requires a string state key");
	case SJ_NODE_SEGMENTED_BUTTON:
		return check_options(k, v, at, "Segmented button requires a string state key");
	case SJ_NODE_SELECT:
		return check_options(k, v, at, "Select requires a string state key");
	case SJ_NODE_CHIP:
		return check_chip(k, v, at);
	case SJ_NODE_FAB:
		return !field(v, "label") || !field(v, "size") || fail(k, at, "size", "Extended FAB cannot set size");
	case SJ_NODE_PROGRESS:
		return check_progress(k, v, at);
	case SJ_NODE_TIME_PICKER:
		return check_time(k, v, at);
	case SJ_NODE_DATE_PICKER:
		state = state_of(k, v, "stateKey");
		return (state && sj_value_is_string(state) && sj_proto_is_date(sj_value_text(state))) ||
		       fail(k, at, "stateKey", "Date picker requires a YYYY-MM-DD state key in 1900..2100");
	case SJ_NODE_TAB_BAR:
	case SJ_NODE_BOTTOM_NAV:
		return !field(v, "stateKey") || is_integer(state_of(k, v, "stateKey"), 0, INFINITY) ||
		       fail(k, at, "stateKey", "Selection requires a nonnegative integer state key");
	default:
		return true;
	}
}

/* ---- passes b, c, d ---------------------------------------------------------------------------------------------- */

static bool check_trailing(struct keys *k, const struct sj_value *v, const struct sj_place *at)
{
	const struct sj_value *state = state_of(k, v, "stateKey");
	return (state && sj_value_is_bool(state)) ||
	       fail(k, at, "stateKey", "Toggle control requires a boolean state key");
}

static bool check_open(struct keys *k, const struct sj_value *v, const struct sj_place *at)
{
	const struct sj_value *state = state_of(k, v, "key");
	const char *message = k->n->type == SJ_NODE_DIALOG     ? "Dialog requires a boolean state key"
	                      : k->n->type == SJ_NODE_SNACKBAR ? "Snackbar requires a boolean state key"
	                                                       : "Sheet requires a boolean state key";
	return !state || sj_value_is_bool(state) || fail(k, at, "key", message);
}

static bool check_toggle(struct keys *k, const struct sj_value *v, const struct sj_place *at)
{
	const struct sj_value *state = state_of(k, v, "key");
	return (state && sj_value_is_bool(state)) || fail(k, at, "key", "Toggle requires a boolean state key");
}
static bool check_increment(struct keys *k, const struct sj_value *v, const struct sj_place *at)
{
	const struct sj_value *state = state_of(k, v, "key");
	return (state && sj_value_is_number(state)) || fail(k, at, "key", "Increment requires a numeric state key");
}
static bool check_decrement(struct keys *k, const struct sj_value *v, const struct sj_place *at)
{
	const struct sj_value *state = state_of(k, v, "key");
	return (state && sj_value_is_number(state)) || fail(k, at, "key", "Decrement requires a numeric state key");
}

static bool check_action(void *ctx, struct sj_check *c, const struct sj_pnode_ref *n, const struct sj_value *action,
                         struct sj_slice type, const struct sj_place *at)
{
	(void)ctx;
	key_check fn = sj_slice_is(type, "toggle")      ? check_toggle
	               : sj_slice_is(type, "increment") ? check_increment
	               : sj_slice_is(type, "decrement") ? check_decrement
	                                                : NULL;
	return !fn || each_item(c, n, action, at, fn);
}

bool sj_check_states(struct sj_check *c)
{
	static const struct {
		const char *field;
		key_check fn;
	} parts[] = {{"trailing", check_trailing}, {"openWhen", check_open}};
	for (uint32_t i = 0; i < c->nodes.count; i++)
		if (!each_item(c, &c->nodes.items[i], c->nodes.items[i].value, c->nodes.items[i].at, check_component))
			return false;
	for (int p = 0; p < 2; p++)
		for (uint32_t i = 0; i < c->nodes.count; i++) {
			const struct sj_pnode_ref *n = &c->nodes.items[i];
			const struct sj_value *part = field(n->value, parts[p].field);
			struct sj_place at = {.up = n->at, .key = sj_slice_of(parts[p].field)};
			bool keyed = part && (field(part, "stateKey") || field(part, "key"));
			if (keyed && !each_item(c, n, part, &at, parts[p].fn))
				return false;
		}
	for (uint32_t i = 0; i < c->nodes.count; i++)
		if (!sj_actions(c, &c->nodes.items[i], check_action, NULL))
			return false;
	return true;
}
