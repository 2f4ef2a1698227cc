/* Lists: placeholders and keys inside templates, and what the templates come to when they are unrolled. */
#include "proto/internal.h"

static const struct sj_value *field(const struct sj_value *v, const char *name)
{
	return v ? sj_value_get(v, sj_slice_of(name)) : NULL;
}

struct template {
	const struct sj_pnode_ref *holder;
	const struct sj_value *items; /* NULL: over data */
	struct sj_slice alias;
};

static struct template template_of(const struct sj_check *c, const struct sj_pnode_ref *n)
{
	struct template t = {0};
	if (n->holder == UINT32_MAX)
		return t;
	t.holder = &c->nodes.items[n->holder];
	const struct sj_value *repeat = field(t.holder->value, "repeat"), *as = field(repeat, "as");
	t.items = field(repeat, "items");
	t.alias = sj_value_text(as);
	return t;
}

static bool has_group(struct sj_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] == '{')
			return true;
	return false;
}

static bool check_emit_name(struct sj_check *c, const struct template *t, struct sj_slice text,
                            const struct sj_place *at)
{
	struct sj_buf name;
	bool ok = true;
	sj_buf_init(&name, c->mem, 0);
	for (uint32_t i = 0; ok && t->items && i < sj_value_count(t->items); i++) {
		sj_buf_clear(&name);
		sj_placeholder_fill(text, t->alias, sj_value_item(t->items, i), i, &name);
		if (sj_buf_status(&name) != SJ_OK)
			c->status = SJ_NOMEM;
		if (name.len == 0 || c->status != SJ_OK)
			ok = sj_check_fail(c, at, NULL, "Expanded emit name is empty for item %u", i);
	}
	sj_buf_finish(&name);
	return ok;
}

static bool check_key(struct sj_check *c, const struct template *t, struct sj_slice text, const struct sj_place *at)
{
	size_t next = 0, from, to;
	struct sj_slice name;
	if (!sj_placeholder_next(text, t->alias, &next, &from, &to, &name))
		return sj_proto_is_key(text) || sj_check_fail(c, at, NULL, "Invalid key value");
	if (!t->items)
		return sj_check_fail(c, at, NULL, "State key placeholder needs literal items");
	struct sj_buf key;
	bool ok = true;
	sj_buf_init(&key, c->mem, 0);
	for (uint32_t i = 0; ok && i < sj_value_count(t->items); i++) {
		sj_buf_clear(&key);
		sj_placeholder_fill(text, t->alias, sj_value_item(t->items, i), i, &key);
		struct sj_place repeat = {.up = t->holder->at, .key = SJ_LIT("repeat")},
				items = {.up = &repeat, .key = SJ_LIT("items")}, item = {.up = &items, .index = i};
		if (sj_buf_status(&key) != SJ_OK)
			c->status = SJ_NOMEM;
		if (c->status != SJ_OK || !sj_proto_is_key(sj_buf_view(&key)))
			ok = sj_check_fail(c, &item, NULL, "Bound state key \"%.*s\" is invalid",
			                   (int)(key.len < 200 ? key.len : 200), key.ptr ? key.ptr : "");
	}
	sj_buf_finish(&key);
	return ok;
}

static bool check_binding(void *ctx, struct sj_check *c, const struct sj_pnode_ref *n, enum sj_binds kind,
                          struct sj_slice text, const struct sj_place *at)
{
	const struct template *t = ctx;
	size_t next = 0, from, to;
	struct sj_slice name;
	(void)n;
	if (!t->holder)
		return kind != SJ_BINDS_KEY || !has_group(text) ||
		       sj_check_fail(c, at, NULL, "State key placeholder outside a repeat template");
	while (sj_placeholder_next(text, t->alias, &next, &from, &to, &name))
		for (uint32_t i = 0; name.len && t->items && i < sj_value_count(t->items); i++)
			if (!sj_value_get(sj_value_item(t->items, i), name))
				return sj_check_fail(c, at, NULL, "Unknown repeat field \"%.*s\"", (int)name.len,
				                     name.ptr);
	if (kind == SJ_BINDS_EMIT_NAME)
		return check_emit_name(c, t, text, at);
	return kind != SJ_BINDS_KEY || check_key(c, t, text, at);
}

/* ---- unrolled ---------------------------------------------------------------------------------------------------- */

static uint32_t images_of(const struct sj_pnode_ref *n)
{
	const struct sj_value *items = field(n->value, "items");
	uint32_t cost = n->type == SJ_NODE_IMAGE ? sj_image_cost(field(n->value, "asset")) : 0;
	for (uint32_t i = 0; items && items->type == SJ_V_ARRAY && i < sj_value_count(items); i++)
		cost += sj_image_cost(field(sj_value_item(items, i), "image"));
	return cost;
}

static bool check_expanded(struct sj_check *c)
{
	uint32_t nodes = 0, images = 0;
	for (uint32_t i = 0; i < c->nodes.count;) {
		const struct sj_pnode_ref *n = &c->nodes.items[i];
		const struct sj_value *items = field(field(n->value, "repeat"), "items");
		nodes++;
		images += images_of(n);
		if (nodes > SJ_PROTO_NODES)
			return sj_check_fail(c, n->at, NULL, "Expanded node limit exceeded");
		if (images > SJ_PROTO_IMAGES)
			return sj_check_fail(c, n->at, NULL, "Expanded image limit exceeded");
		uint32_t rows = items ? sj_value_count(items) : 0;
		for (uint32_t row = 0; row < rows; row++)
			for (uint32_t k = i + 1; k < n->end; k++) {
				nodes++;
				images += images_of(&c->nodes.items[k]);
				if (nodes > SJ_PROTO_NODES)
					return sj_check_fail(c, n->at, "repeat", "Expanded node limit exceeded");
				if (images > SJ_PROTO_IMAGES)
					return sj_check_fail(c, n->at, "repeat", "Expanded image limit exceeded");
			}
		i = items ? n->end : i + 1;
	}
	return true;
}

bool sj_check_repeats(struct sj_check *c)
{
	for (uint32_t i = 0; i < c->nodes.count; i++) {
		const struct sj_pnode_ref *n = &c->nodes.items[i];
		struct template t = template_of(c, n);
		const struct sj_value *repeat = field(n->value, "repeat");
		if (t.holder && repeat)
			return sj_check_fail(c, n->at, "repeat", "Nested repeat is not supported");
		if (t.holder && n->type == SJ_NODE_PAGER)
			return sj_check_fail(c, n->at, NULL, "Pager cannot appear inside a repeat template");
		if (field(repeat, "from") && sj_value_count(field(n->value, "children")) != 1)
			return sj_check_fail(c, n->at, "children", "A repeat over data has exactly one child");
		if (!sj_bindings(c, n, check_binding, &t))
			return false;
	}
	return check_expanded(c);
}
