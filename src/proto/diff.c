/* Differences of two revisions. */
#include "proto/diff.h"

#include <stdlib.h>

#include "base/map.h"

struct side {
	const struct sj_value *spec;
	const struct sj_proto_ids *ids;
	struct sj_proto_tree tree;
	struct sj_map places; /* id to order */
};

struct diff {
	struct sj_mem *mem;
	struct side before, after;
	SJ_VEC(struct sj_slice) names; /* scratch: members that differ */
};

static enum sj_status side_init(struct side *s, struct sj_mem *mem, const struct sj_value *spec,
                                const struct sj_proto_ids *ids, uint32_t seed)
{
	s->spec = spec;
	s->ids = ids;
	sj_map_init(&s->places, mem, seed);
	enum sj_status st = sj_proto_tree_init(&s->tree, mem, spec);
	for (uint32_t i = 0; st == SJ_OK && i < s->tree.spots.count; i++)
		st = sj_map_put(&s->places, sj_proto_id_at(ids, i), i);
	return st;
}

static void side_finish(struct side *s)
{
	sj_proto_tree_finish(&s->tree);
	sj_map_finish(&s->places);
}

static enum sj_status append_text(struct sj_mem *mem, struct sj_value *array, struct sj_slice text)
{
	struct sj_value v;
	enum sj_status st = sj_value_string(mem, text, &v);
	return st == SJ_OK ? sj_value_append(mem, array, v) : st;
}

/* The next node with this parent, from `at` on. */
static uint32_t next_child(const struct side *s, uint32_t parent, uint32_t at)
{
	uint32_t end = s->tree.spots.items[parent].end;
	return at < end ? at : SJ_NO_NODE;
}

static bool same_children(const struct diff *d, uint32_t a, uint32_t b)
{
	uint32_t i = next_child(&d->before, a, a + 1), k = next_child(&d->after, b, b + 1);
	while (i != SJ_NO_NODE && k != SJ_NO_NODE) {
		if (!sj_slice_eq(sj_proto_id_at(d->before.ids, i), sj_proto_id_at(d->after.ids, k)))
			return false;
		i = next_child(&d->before, a, d->before.tree.spots.items[i].end);
		k = next_child(&d->after, b, d->after.tree.spots.items[k].end);
	}
	return i == k;
}

/* The two fields of the language that hold nodes. */
static bool holds_nodes(struct sj_slice key) { return sj_slice_is(key, "children") || sj_slice_is(key, "child"); }

static enum sj_status note(struct diff *d, struct sj_slice name)
{
	enum sj_status st = SJ_VEC_RESERVE(d->mem, &d->names, d->names.count + 1, 0);
	if (st == SJ_OK)
		d->names.items[d->names.count++] = name;
	return st;
}

static int by_name(const void *a, const void *b)
{
	return sj_slice_cmp(*(const struct sj_slice *)a, *(const struct sj_slice *)b);
}

static void sort_names(struct diff *d)
{
	if (d->names.count > 1)
		qsort(d->names.items, d->names.count, sizeof *d->names.items, by_name);
}

typedef bool (*skip_fn)(struct sj_slice key);

/* Members of two objects that differ, sorted; the values of skipped ones are not looked at. */
static enum sj_status compare_members(struct diff *d, const struct sj_value *a, const struct sj_value *b, skip_fn skip)
{
	enum sj_status st = SJ_OK;
	struct sj_slice key;
	d->names.count = 0;
	for (uint32_t i = 0; st == SJ_OK && i < sj_value_count(a); i++) {
		const struct sj_value *old = sj_value_member(a, i, &key), *now = sj_value_get(b, key);
		if (!skip(key) && (!now || !sj_value_equal(old, now)))
			st = note(d, key);
	}
	for (uint32_t i = 0; st == SJ_OK && i < sj_value_count(b); i++) {
		sj_value_member(b, i, &key);
		if (!skip(key) && !sj_value_get(a, key))
			st = note(d, key);
	}
	return st;
}

static enum sj_status put_changed(struct diff *d, uint32_t a, uint32_t b, struct sj_value *changed)
{
	const struct sj_value *old = d->before.tree.spots.items[a].node, *now = d->after.tree.spots.items[b].node;
	enum sj_status st = compare_members(d, old, now, holds_nodes);
	if (st == SJ_OK && !same_children(d, a, b))
		st = note(d, sj_value_get(now, SJ_LIT("children")) || sj_value_get(old, SJ_LIT("children"))
		                     ? SJ_LIT("children")
		                     : SJ_LIT("child"));
	if (st != SJ_OK || d->names.count == 0)
		return st;
	sort_names(d);
	struct sj_value entry, fields, id;
	st = sj_value_object_for(d->mem, 2, &entry);
	if (st != SJ_OK)
		return st;
	st = sj_value_string(d->mem, sj_proto_id_at(d->after.ids, b), &id);
	if (st == SJ_OK)
		st = sj_value_set(d->mem, &entry, SJ_LIT("id"), id);
	if (st == SJ_OK)
		st = sj_value_array(d->mem, &fields);
	if (st == SJ_OK) {
		for (uint32_t i = 0; st == SJ_OK && i < d->names.count; i++)
			st = append_text(d->mem, &fields, d->names.items[i]);
		if (st == SJ_OK)
			st = sj_value_set(d->mem, &entry, SJ_LIT("fields"), fields);
		else
			sj_value_unref(d->mem, fields);
	}
	if (st == SJ_OK)
		return sj_value_append(d->mem, changed, entry);
	sj_value_unref(d->mem, entry);
	return st;
}

static bool is_tree_or_state(struct sj_slice key)
{
	return sj_slice_is(key, "root") || sj_slice_is(key, "screens") || sj_slice_is(key, "state");
}
static bool is_none(struct sj_slice key)
{
	(void)key;
	return false;
}

static const struct sj_value *object_or(const struct sj_value *spec, struct sj_slice key, const struct sj_value *none)
{
	const struct sj_value *v = sj_value_get(spec, key);
	return v && v->type == SJ_V_OBJECT ? v : none;
}

static enum sj_status put_spec(struct diff *d, struct sj_value *list)
{
	struct sj_value none;
	struct sj_buf text;
	enum sj_status st = sj_value_object(d->mem, &none);
	if (st != SJ_OK)
		return st;
	sj_buf_init(&text, d->mem, 0);
	st = compare_members(d, d->before.spec, d->after.spec, is_tree_or_state);
	sort_names(d);
	for (uint32_t i = 0; st == SJ_OK && i < d->names.count; i++)
		st = append_text(d->mem, list, d->names.items[i]);
	if (st == SJ_OK)
		st = compare_members(d, object_or(d->before.spec, SJ_LIT("state"), &none),
		                     object_or(d->after.spec, SJ_LIT("state"), &none), is_none);
	sort_names(d);
	for (uint32_t i = 0; st == SJ_OK && i < d->names.count; i++) {
		sj_buf_clear(&text);
		sj_buf_printf(&text, "state.%.*s", SJ_ARG(d->names.items[i]));
		st = sj_buf_status(&text);
		if (st == SJ_OK)
			st = append_text(d->mem, list, sj_buf_view(&text));
	}
	sj_buf_finish(&text);
	sj_value_unref(d->mem, none);
	return st;
}

enum { ADDED, REMOVED, CHANGED, SPEC, LISTS };
static const char *const list_names[LISTS] = {"added", "removed", "changed", "spec"};

static enum sj_status fill(struct diff *d, struct sj_value lists[LISTS])
{
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; st == SJ_OK && i < d->after.tree.spots.count; i++) {
		struct sj_slice id = sj_proto_id_at(d->after.ids, i);
		uint32_t old = sj_map_get(&d->before.places, id);
		if (old == SJ_MAP_NONE)
			st = append_text(d->mem, &lists[ADDED], id);
		else
			st = put_changed(d, old, i, &lists[CHANGED]);
	}
	for (uint32_t i = 0; st == SJ_OK && i < d->before.tree.spots.count; i++) {
		struct sj_slice id = sj_proto_id_at(d->before.ids, i);
		if (sj_map_get(&d->after.places, id) == SJ_MAP_NONE)
			st = append_text(d->mem, &lists[REMOVED], id);
	}
	return st == SJ_OK ? put_spec(d, &lists[SPEC]) : st;
}

enum sj_status sj_proto_diff(struct sj_mem *mem, const struct sj_value *before, const struct sj_proto_ids *before_ids,
                             const struct sj_value *after, const struct sj_proto_ids *after_ids, struct sj_value *out)
{
	struct diff d = {.mem = mem};
	struct sj_value lists[LISTS] = {{SJ_V_ABSENT}}, all = SJ_ABSENT_VALUE;
	enum sj_status st = side_init(&d.before, mem, before, before_ids, 3);
	enum sj_status other = side_init(&d.after, mem, after, after_ids, 4);
	if (st == SJ_OK)
		st = other;
	for (int i = 0; st == SJ_OK && i < LISTS; i++)
		st = sj_value_array(mem, &lists[i]);
	if (st == SJ_OK)
		st = fill(&d, lists);
	if (st == SJ_OK)
		st = sj_value_object_for(mem, LISTS, &all);
	for (int i = 0; i < LISTS; i++) {
		if (st == SJ_OK)
			st = sj_value_set(mem, &all, sj_slice_of(list_names[i]), lists[i]);
		else
			sj_value_unref(mem, lists[i]);
	}
	SJ_VEC_FREE(mem, &d.names);
	side_finish(&d.before);
	side_finish(&d.after);
	if (st == SJ_OK)
		*out = all;
	else
		sj_value_unref(mem, all);
	return st;
}
