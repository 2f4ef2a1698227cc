/* Putting values where placeholders stand: a component's properties, the items of a literal list. */
#include <string.h>

#include "proto/internal.h"

static bool next(const struct sj_fill *f, struct sj_slice text, size_t *at, size_t *from, size_t *to,
                 struct sj_slice *field)
{
	while (sj_placeholder_next(text, f->alias, at, from, to, field))
		if (field->len > 0 || !f->no_index)
			return true;
	return false;
}

static enum sj_status filled(struct sj_fill *f, struct sj_slice text, struct sj_value *out)
{
	struct sj_buf buf;
	size_t at = 0, from, to, done = 0;
	struct sj_slice field;
	sj_buf_init(&buf, f->mem, 0);
	while (next(f, text, &at, &from, &to, &field)) {
		const struct sj_value *v = field.len ? sj_value_get(f->item, field) : NULL;
		if (field.len && !v)
			continue;
		sj_buf_put(&buf, text.ptr + done, from - done);
		if (v)
			sj_scalar_text(v, &buf);
		else
			sj_proto_number(f->index, &buf);
		done = to;
	}
	sj_buf_put(&buf, text.ptr + done, text.len - done);
	enum sj_status st = sj_buf_status(&buf);
	if (st == SJ_OK)
		st = sj_value_string(f->mem, sj_buf_view(&buf), out);
	sj_buf_finish(&buf);
	return st;
}

void sj_fill_member(struct sj_fill *f, struct sj_value *object, struct sj_slice key, bool operand)
{
	const struct sj_value *v = object->type == SJ_V_OBJECT && f->status == SJ_OK ? sj_value_get(object, key) : NULL;
	size_t at = 0, from, to;
	struct sj_slice field, text = v && sj_value_is_string(v) ? sj_value_text(v) : SJ_NO_SLICE;
	struct sj_value fresh = SJ_ABSENT_VALUE;
	if (!text.ptr || !next(f, text, &at, &from, &to, &field))
		return;
	bool whole = operand && from == 0 && to == text.len;
	const struct sj_value *of_item = whole && field.len ? sj_value_get(f->item, field) : NULL;
	for (at = 0; f->seen && next(f, text, &at, &from, &to, &field);)
		if (field.len)
			f->seen(f->ctx, field);
	if (of_item)
		fresh = sj_value_ref(*of_item);
	else if (whole && field.len == 0)
		fresh = sj_value_int(f->index);
	else
		f->status = filled(f, text, &fresh);
	if (f->status == SJ_OK)
		f->status = sj_value_set(f->mem, object, key, fresh);
}

static struct sj_value *own(struct sj_fill *f, struct sj_value *object, const char *key, enum sj_value_type type)
{
	const struct sj_value *v = object && object->type == SJ_V_OBJECT && f->status == SJ_OK
	                                   ? sj_value_get(object, sj_slice_of(key))
	                                   : NULL;
	return v && v->type == type ? sj_value_own_member(f->mem, object, sj_slice_of(key), &f->status) : NULL;
}

static struct sj_value *own_item(struct sj_fill *f, struct sj_value *array, uint32_t i)
{
	const struct sj_value *v = f->status == SJ_OK ? sj_value_item(array, i) : NULL;
	return v && v->type == SJ_V_OBJECT ? sj_value_own_item(f->mem, array, i, &f->status) : NULL;
}

static void fill_condition(struct sj_fill *f, struct sj_value *v, uint32_t depth)
{
	static const char *const lists[] = {"all", "any"};
	if (!v || depth > SJ_PROTO_CONDITION_DEPTH)
		return;
	sj_fill_member(f, v, SJ_LIT("key"), false);
	sj_fill_member(f, v, SJ_LIT("equals"), true);
	sj_fill_member(f, v, SJ_LIT("notEquals"), true);
	for (int i = 0; i < 2; i++) {
		struct sj_value *list = own(f, v, lists[i], SJ_V_ARRAY);
		for (uint32_t k = 0; list && k < sj_value_count(list); k++)
			fill_condition(f, own_item(f, list, k), depth + 1);
	}
	fill_condition(f, own(f, v, "not", SJ_V_OBJECT), depth + 1);
}

static bool is_type(const struct sj_value *v, const char *type)
{
	const struct sj_value *t = sj_value_get(v, SJ_LIT("type"));
	return t && sj_value_is_string(t) && sj_slice_is(sj_value_text(t), type);
}

static void fill_taps(struct sj_fill *f, struct sj_value *object)
{
	struct sj_value *list = own(f, object, "onTap", SJ_V_ARRAY);
	for (uint32_t i = 0; list && i < sj_value_count(list); i++) {
		struct sj_value *action = own_item(f, list, i);
		if (!action)
			continue;
		if (is_type(action, "emit"))
			sj_fill_member(f, action, SJ_LIT("name"), false);
		else
			sj_fill_member(f, action, SJ_LIT("key"), false);
		if (is_type(action, "setState"))
			sj_fill_member(f, action, SJ_LIT("value"), true);
		if (is_type(action, "request"))
			sj_fill_member(f, action, SJ_LIT("url"), false);
	}
}

static void fill_button(struct sj_fill *f, struct sj_value *button)
{
	if (!button)
		return;
	sj_fill_member(f, button, SJ_LIT("label"), false);
	fill_taps(f, button);
}

static void fill_list(struct sj_fill *f, struct sj_value *node, const char *name)
{
	struct sj_value *list = own(f, node, name, SJ_V_ARRAY);
	for (uint32_t i = 0; list && i < sj_value_count(list); i++)
		fill_button(f, own_item(f, list, i));
}

static void fill_component(struct sj_fill *f, struct sj_value *node)
{
	switch ((int)sj_node_type_of(node)) {
	case SJ_NODE_TEXT:
		sj_fill_member(f, node, SJ_LIT("text"), false);
		return;
	case SJ_NODE_BUTTON:
	case SJ_NODE_FAB:
	case SJ_NODE_PASTE_BUTTON:
		sj_fill_member(f, node, SJ_LIT("label"), false);
		return;
	case SJ_NODE_SEGMENTED_BUTTON:
		fill_list(f, node, "options");
		return;
	case SJ_NODE_TOP_APP_BAR:
		sj_fill_member(f, node, SJ_LIT("title"), false);
		fill_button(f, own(f, node, "navigationIcon", SJ_V_OBJECT));
		fill_list(f, node, "actions");
		return;
	case SJ_NODE_DIALOG:
		sj_fill_member(f, node, SJ_LIT("title"), false);
		sj_fill_member(f, node, SJ_LIT("text"), false);
		fill_button(f, own(f, node, "confirm", SJ_V_OBJECT));
		fill_button(f, own(f, node, "dismiss", SJ_V_OBJECT));
		return;
	case SJ_NODE_SNACKBAR:
		sj_fill_member(f, node, SJ_LIT("text"), false);
		fill_button(f, own(f, node, "action", SJ_V_OBJECT));
		return;
	default:
		return;
	}
}

void sj_fill_node(struct sj_fill *f, struct sj_value *node)
{
	static const char *const keys[] = {"stateKey", "hourKey", "minuteKey"};
	if (node->type != SJ_V_OBJECT)
		return;
	fill_component(f, node);
	fill_condition(f, own(f, node, "visibleWhen", SJ_V_OBJECT), 0);
	struct sj_value *list = own(f, node, "styleWhen", SJ_V_ARRAY);
	for (uint32_t i = 0; list && i < sj_value_count(list); i++) {
		struct sj_value *entry = own_item(f, list, i);
		fill_condition(f, own(f, entry, "when", SJ_V_OBJECT), 0);
	}
	fill_taps(f, node);
	for (int i = 0; i < 3; i++)
		sj_fill_member(f, node, sj_slice_of(keys[i]), false);
	struct sj_value *part = own(f, node, "trailing", SJ_V_OBJECT);
	if (part)
		sj_fill_member(f, part, SJ_LIT("stateKey"), false);
	part = own(f, node, "openWhen", SJ_V_OBJECT);
	if (part)
		sj_fill_member(f, part, SJ_LIT("key"), false);
}
