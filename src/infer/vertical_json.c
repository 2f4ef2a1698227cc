/* Components that were written as JSON where Vertical has constructors. */
#include "infer/vertical_build.h"

static const struct sj_value *member(const struct sj_value *v, const char *key)
{
	return v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(key)) : NULL;
}

/* What a JSON object says of its type, and where its properties stand. */
struct shape {
	struct sj_slice name;
	const struct sj_value *props;
	const char *name_key; /* NULL: the name is itself the key of the properties */
};

static bool shape_of(const struct sj_build *b, const struct sj_value *v, struct shape *out)
{
	static const char *const keys[] = {"component", "type"};
	if (v->type != SJ_V_OBJECT)
		return false;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct sj_value *name = member(v, keys[i]);
		if (name && sj_value_is_string(name)) {
			*out = (struct shape){sj_value_text(name), v, keys[i]};
			return true;
		}
	}
	/* {"Text": {...}}, or that under "component" as v0.8 has it. */
	const struct sj_value *inner = member(v, "component");
	const struct sj_value *home = inner && inner->type == SJ_V_OBJECT ? inner : v;
	if (sj_value_count(home) != 1)
		return false;
	struct sj_slice name;
	const struct sj_value *props = sj_value_member(home, 0, &name);
	if (props->type != SJ_V_OBJECT || !sj_vertical_is_component(&(struct sj_vertical){.f = b->f}, name))
		return false;
	*out = (struct shape){name, props, NULL};
	return true;
}

static enum sj_status put_members(struct sj_build *b, size_t at, struct sj_value *component,
                                  const struct sj_a2ui_component *type, struct sj_slice id, const struct shape *shape)
{
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; i < sj_value_count(shape->props) && st == SJ_OK; i++) {
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(shape->props, i, &key);
		struct sj_buf text;
		if ((shape->name_key && sj_slice_is(key, shape->name_key)) ||
		    (sj_slice_is(key, "id") && sj_value_is_string(v) && sj_slice_eq(sj_value_text(v), id)))
			continue;
		st = sj_build_name(b, at, type, &key);
		sj_buf_init(&text, b->f->mem, 0);
		if (sj_value_is_string(v))
			sj_buf_slice(&text, sj_value_text(v));
		else if (st == SJ_OK && !sj_value_is_container(v))
			sj_value_print(&text, v, SJ_PRINT_COMPACT);
		if (st == SJ_OK)
			st = sj_buf_status(&text);
		if (st == SJ_OK)
			st = sj_build_property(b, at, component, type, id, key, sj_buf_view(&text), sj_value_ref(*v));
		sj_buf_finish(&text);
	}
	return st;
}

static enum sj_status build_one(struct sj_build *b, size_t at, const struct sj_value *v, struct sj_slice id,
                                uint32_t slot)
{
	const struct sj_catalog *catalog;
	const struct sj_a2ui_component *type;
	const struct sj_value *own = member(v, "catalogId");
	struct shape shape;
	struct sj_value component;
	if (!shape_of(b, v, &shape)) {
		if (b->diag && (member(v, "createSurface") || member(v, "updateComponents")))
			sj_diag_hint(b->diag, "Vertical writes components, one a line; surfaces are made for them");
		return sj_build_fault(b, at, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_COMPILE,
		                      "the JSON says no component");
	}
	enum sj_status st = sj_build_type(
		b, at, shape.name, own && sj_value_is_string(own) ? sj_value_text(own) : SJ_NO_SLICE, &catalog, &type);
	if (st == SJ_OK)
		st = sj_value_object(b->f->mem, &component);
	if (st != SJ_OK)
		return st;
	st = sj_build_head(b, &component, id, type, catalog);
	if (st == SJ_OK)
		st = put_members(b, at, &component, type, id, &shape);
	if (st == SJ_OK)
		st = sj_build_checks(b, &component, type);
	if (st == SJ_OK)
		return sj_build_place_component(b, slot, component);
	sj_value_unref(b->f->mem, component);
	return st;
}

/* Puts a component aside; *value becomes its id. */
static enum sj_status put_aside(struct sj_build *b, size_t at, struct sj_slice parent, struct sj_slice key,
                                uint32_t index, struct sj_value *value)
{
	struct sj_mem *mem = b->f->mem;
	struct sj_buf id;
	struct sj_value text = SJ_ABSENT_VALUE;
	struct sj_build_pending one = {.at = at};
	sj_buf_init(&id, mem, 0);
	sj_buf_slice(&id, parent);
	sj_buf_putc(&id, '_');
	sj_buf_slice(&id, key);
	if (index != UINT32_MAX)
		sj_buf_printf(&id, "_%u", index);
	enum sj_status st = sj_buf_status(&id);
	if (st == SJ_OK)
		one.id = sj_arena_copy(&b->arena, sj_buf_view(&id));
	sj_buf_finish(&id);
	if (st == SJ_OK && !one.id.ptr)
		st = SJ_NOMEM;
	if (st == SJ_OK)
		st = sj_value_string(mem, one.id, &text);
	if (st == SJ_OK)
		st = sj_build_reserve(b, &one.slot);
	if (st == SJ_OK)
		st = SJ_VEC_RESERVE(mem, &b->pending, b->pending.count + 1, 0);
	if (st != SJ_OK) {
		sj_value_unref(mem, text);
		return st;
	}
	one.value = *value;
	*value = text;
	b->pending.items[b->pending.count++] = one;
	return SJ_OK;
}

enum sj_status sj_build_inline(struct sj_build *b, size_t at, const struct sj_a2ui_prop *row, struct sj_slice id,
                               struct sj_value *value)
{
	struct shape shape;
	enum sj_status st = SJ_OK;
	if (!row || (row->cls != SJ_AC_CHILD && row->cls != SJ_AC_CHILD_LIST))
		return SJ_OK;
	if (shape_of(b, value, &shape)) {
		st = sj_build_note(b, SJ_HEAL_JSON, at);
		return st == SJ_OK ? put_aside(b, at, id, row->name, UINT32_MAX, value) : st;
	}
	for (uint32_t i = 0; value->type == SJ_V_ARRAY && i < sj_value_count(value) && st == SJ_OK; i++) {
		if (!shape_of(b, sj_value_item(value, i), &shape))
			continue;
		st = sj_build_note(b, SJ_HEAL_JSON, at);
		struct sj_value *item = st == SJ_OK ? sj_value_own_item(b->f->mem, value, i, &st) : NULL;
		if (item)
			st = put_aside(b, at, id, row->name, i, item);
	}
	return st;
}

enum sj_status sj_build_pending(struct sj_build *b)
{
	enum sj_status st = SJ_OK;
	/* Building one may put others aside. */
	for (uint32_t i = 0; i < b->pending.count && st == SJ_OK; i++) {
		struct sj_build_pending one = b->pending.items[i];
		b->pending.items[i].value = SJ_ABSENT_VALUE;
		st = build_one(b, one.at, &one.value, one.id, one.slot);
		sj_value_unref(b->f->mem, one.value);
	}
	for (uint32_t i = 0; i < b->pending.count; i++)
		sj_value_unref(b->f->mem, b->pending.items[i].value);
	b->pending.count = 0;
	return st;
}

static enum sj_status build_surface(struct sj_build *b, size_t at, const struct sj_value *v, struct sj_value *surfaces)
{
	uint32_t slot;
	enum sj_status st = sj_build_surface(b);
	if (st == SJ_OK)
		st = sj_build_reserve(b, &slot);
	if (st == SJ_OK)
		st = build_one(b, at, v, SJ_LIT("root"), slot);
	return st == SJ_OK ? sj_build_finish_surface(b, surfaces) : st;
}

enum sj_status sj_build_json(struct sj_build *b, size_t at, struct sj_value take, struct sj_value *surfaces)
{
	enum sj_status st = SJ_OK;
	if (take.type == SJ_V_ARRAY && sj_value_count(&take) == 0 && sj_value_count(surfaces) == 0)
		st = sj_build_fault(b, at, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_COMPILE,
		                    "the list holds no component");
	else if (take.type == SJ_V_ARRAY)
		for (uint32_t i = 0; i < sj_value_count(&take) && st == SJ_OK; i++)
			st = build_surface(b, at, sj_value_item(&take, i), surfaces);
	else
		st = build_surface(b, at, &take, surfaces);
	sj_value_unref(b->f->mem, take);
	return st;
}
