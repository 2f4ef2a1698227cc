/* Where a node's strings bind, where its actions stand, where its children hang: one order for every pass. */
#include "proto/internal.h"

/* ---- strings ----------------------------------------------------------------------------------------------------- */

struct binder {
	struct sj_check *c;
	const struct sj_pnode_ref *n;
	sj_bind_fn fn;
	void *ctx;
};

static bool bind(struct binder *b, const struct sj_value *object, const char *field, enum sj_binds kind,
                 const struct sj_place *at)
{
	const struct sj_value *v = object ? sj_value_get(object, sj_slice_of(field)) : NULL;
	struct sj_place below = {.up = at, .key = sj_slice_of(field)};
	return !v || !sj_value_is_string(v) || b->fn(b->ctx, b->c, b->n, kind, sj_value_text(v), &below);
}

static bool bind_condition(struct binder *b, const struct sj_value *v, const struct sj_place *at)
{
	static const char *const lists[] = {"all", "any"};
	if (!bind(b, v, "key", SJ_BINDS_KEY, at) || !bind(b, v, "equals", SJ_BINDS_OPERAND, at) ||
	    !bind(b, v, "notEquals", SJ_BINDS_OPERAND, at))
		return false;
	for (int i = 0; i < 2; i++) {
		const struct sj_value *list = sj_value_get(v, sj_slice_of(lists[i]));
		struct sj_place field = {.up = at, .key = sj_slice_of(lists[i])};
		for (uint32_t k = 0; list && k < sj_value_count(list); k++) {
			struct sj_place below = {.up = &field, .index = k};
			if (!bind_condition(b, sj_value_item(list, k), &below))
				return false;
		}
	}
	const struct sj_value *inner = sj_value_get(v, SJ_LIT("not"));
	struct sj_place below = {.up = at, .key = SJ_LIT("not")};
	return !inner || bind_condition(b, inner, &below);
}

static bool bind_leaf(struct binder *b, const struct sj_value *v, const struct sj_place *at)
{
	(void)b, (void)v, (void)at; /* leaves name what they read; no braces are read in them */
	return true;
}

static bool bind_actions(struct binder *b, const struct sj_value *list, const struct sj_place *at)
{
	for (uint32_t i = 0; list && i < sj_value_count(list); i++) {
		const struct sj_value *action = sj_value_item(list, i);
		struct sj_place below = {.up = at, .index = i};
		const struct sj_value *type = sj_value_get(action, SJ_LIT("type"));
		struct sj_slice t = sj_value_text(type);
		bool emits = sj_slice_is(t, "emit");
		if (emits && !bind(b, action, "name", SJ_BINDS_EMIT_NAME, &below))
			return false;
		if (!emits && !bind(b, action, "key", SJ_BINDS_KEY, &below))
			return false;
		if (sj_slice_is(t, "setState") && !bind(b, action, "value", SJ_BINDS_OPERAND, &below))
			return false;
		if (sj_slice_is(t, "request") &&
		    (!bind(b, action, "url", SJ_BINDS_TEXT, &below) ||
		     !bind_leaf(b, sj_value_get(action, SJ_LIT("body")), &below)))
			return false;
	}
	return true;
}

static bool bind_tapped(struct binder *b, const struct sj_value *button, const struct sj_place *at)
{
	struct sj_place taps = {.up = at, .key = SJ_LIT("onTap")};
	return !button || (bind(b, button, "label", SJ_BINDS_TEXT, at) &&
	                   bind_actions(b, sj_value_get(button, SJ_LIT("onTap")), &taps));
}

static bool bind_part(struct binder *b, const char *field)
{
	struct sj_place at = {.up = b->n->at, .key = sj_slice_of(field)};
	return bind_tapped(b, sj_value_get(b->n->value, sj_slice_of(field)), &at);
}

static bool bind_list(struct binder *b, const char *field, bool tapped)
{
	const struct sj_value *list = sj_value_get(b->n->value, sj_slice_of(field));
	struct sj_place at = {.up = b->n->at, .key = sj_slice_of(field)};
	for (uint32_t i = 0; list && i < sj_value_count(list); i++) {
		struct sj_place below = {.up = &at, .index = i};
		const struct sj_value *item = sj_value_item(list, i);
		if (!(tapped ? bind_tapped(b, item, &below) : bind(b, item, "label", SJ_BINDS_TEXT, &below)))
			return false;
	}
	return true;
}

static bool bind_component(struct binder *b)
{
	const struct sj_value *v = b->n->value;
	const struct sj_place *at = b->n->at;
	switch ((int)b->n->type) {
	case SJ_NODE_TEXT:
		return bind(b, v, "text", SJ_BINDS_TEXT, at);
	case SJ_NODE_BUTTON:
	case SJ_NODE_FAB:
	case SJ_NODE_PASTE_BUTTON:
		return bind(b, v, "label", SJ_BINDS_TEXT, at);
	case SJ_NODE_SEGMENTED_BUTTON:
		return bind_list(b, "options", false);
	case SJ_NODE_TOP_APP_BAR:
		return bind(b, v, "title", SJ_BINDS_TEXT, at) && bind_part(b, "navigationIcon") &&
		       bind_list(b, "actions", true);
	case SJ_NODE_DIALOG:
		return bind(b, v, "title", SJ_BINDS_TEXT, at) && bind(b, v, "text", SJ_BINDS_TEXT, at) &&
		       bind_part(b, "confirm") && bind_part(b, "dismiss");
	case SJ_NODE_SNACKBAR:
		return bind(b, v, "text", SJ_BINDS_TEXT, at) && bind_part(b, "action");
	default:
		return true;
	}
}

bool sj_bindings(struct sj_check *c, const struct sj_pnode_ref *n, sj_bind_fn fn, void *ctx)
{
	static const char *const keys[] = {"stateKey", "hourKey", "minuteKey"};
	struct binder b = {c, n, fn, ctx};
	const struct sj_value *v = n->value, *found;
	if (!bind_component(&b))
		return false;
	struct sj_place at = {.up = n->at, .key = SJ_LIT("visibleWhen")};
	found = sj_value_get(v, SJ_LIT("visibleWhen"));
	if (found && !bind_condition(&b, found, &at))
		return false;
	at.key = SJ_LIT("styleWhen");
	found = sj_value_get(v, at.key);
	for (uint32_t i = 0; found && i < sj_value_count(found); i++) {
		struct sj_place entry = {.up = &at, .index = i}, when = {.up = &entry, .key = SJ_LIT("when")};
		if (!bind_condition(&b, sj_value_get(sj_value_item(found, i), SJ_LIT("when")), &when))
			return false;
	}
	at.key = SJ_LIT("onTap");
	if (!bind_actions(&b, sj_value_get(v, at.key), &at))
		return false;
	for (int i = 0; i < 3; i++)
		if (!bind(&b, v, keys[i], SJ_BINDS_KEY, n->at))
			return false;
	at.key = SJ_LIT("trailing");
	if (!bind(&b, sj_value_get(v, at.key), "stateKey", SJ_BINDS_KEY, &at))
		return false;
	at.key = SJ_LIT("openWhen");
	return bind(&b, sj_value_get(v, at.key), "key", SJ_BINDS_KEY, &at);
}

/* ---- actions ----------------------------------------------------------------------------------------------------- */

struct actor {
	struct sj_check *c;
	const struct sj_pnode_ref *n;
	sj_action_fn fn;
	void *ctx;
};

static bool act(struct actor *a, const struct sj_value *object, const struct sj_place *at)
{
	const struct sj_value *list = object ? sj_value_get(object, SJ_LIT("onTap")) : NULL;
	struct sj_place taps = {.up = at, .key = SJ_LIT("onTap")};
	for (uint32_t i = 0; list && i < sj_value_count(list); i++) {
		struct sj_place below = {.up = &taps, .index = i};
		const struct sj_value *action = sj_value_item(list, i);
		if (!a->fn(a->ctx, a->c, a->n, action, sj_value_text(sj_value_get(action, SJ_LIT("type"))), &below))
			return false;
	}
	return true;
}

bool sj_actions(struct sj_check *c, const struct sj_pnode_ref *n, sj_action_fn fn, void *ctx)
{
	static const char *const parts[] = {"navigationIcon", "confirm", "dismiss", "action"};
	struct actor a = {c, n, fn, ctx};
	const struct sj_value *list = n->type == SJ_NODE_TOP_APP_BAR ? sj_value_get(n->value, SJ_LIT("actions")) : NULL;
	for (int i = 0; i < 4; i++) {
		struct sj_place at = {.up = n->at, .key = sj_slice_of(parts[i])};
		if (!act(&a, sj_value_get(n->value, at.key), &at))
			return false;
		struct sj_place actions = {.up = n->at, .key = SJ_LIT("actions")};
		for (uint32_t k = 0; i == 0 && list && k < sj_value_count(list); k++) {
			struct sj_place below = {.up = &actions, .index = k};
			if (!act(&a, sj_value_item(list, k), &below))
				return false;
		}
	}
	return act(&a, n->value, n->at);
}

/* ---- children ---------------------------------------------------------------------------------------------------- */

bool sj_node_children(const struct sj_value *node, sj_child_fn fn, void *ctx)
{
	const struct sj_value *one = sj_value_get(node, SJ_LIT("child")),
			      *list = sj_value_get(node, SJ_LIT("children"));
	if (one && !fn(ctx, one, SJ_LIT("child"), UINT32_MAX))
		return false;
	for (uint32_t i = 0; list && list->type == SJ_V_ARRAY && i < sj_value_count(list); i++)
		if (!fn(ctx, sj_value_item(list, i), SJ_LIT("children"), i))
			return false;
	return true;
}
