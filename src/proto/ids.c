/* Ids of drafts. */
#include "proto/ids.h"

#include "base/map.h"
#include "base/num.h"

static struct sj_slice authored(const struct sj_proto_spot *s)
{
	const struct sj_value *id = sj_value_get(s->node, SJ_LIT("id"));
	return id && sj_value_is_string(id) ? sj_value_text(id) : SJ_NO_SLICE;
}

/* How often each authored id stands in the spec. */
static enum sj_status count_authored(struct sj_map *m, const struct sj_proto_tree *t)
{
	for (uint32_t i = 0; i < t->spots.count; i++) {
		struct sj_slice id = authored(&t->spots.items[i]);
		if (!id.ptr)
			continue;
		uint32_t n = sj_map_get(m, id);
		if (sj_map_put(m, id, n == SJ_MAP_NONE ? 1 : n + 1) != SJ_OK)
			return SJ_NOMEM;
	}
	return SJ_OK;
}

static enum sj_status put_number(struct sj_mem *mem, struct sj_proto_ids *ids)
{
	char text[SJ_NUM_TEXT + 1] = "~";
	size_t n = sj_num_text_i64(ids->next, text + 1);
	struct sj_value v;
	enum sj_status st = sj_value_string(mem, sj_slice(text, n + 1), &v);
	if (st == SJ_OK)
		st = sj_value_append(mem, &ids->list, v);
	if (st == SJ_OK)
		ids->next++;
	return st;
}

static enum sj_status fill(struct sj_mem *mem, const struct sj_proto_ids *before, const struct sj_proto_tree *after,
                           const uint32_t *keep, struct sj_map *counts, struct sj_map *kept, struct sj_proto_ids *ids)
{
	enum sj_status st = count_authored(counts, after);
	for (uint32_t i = 0; st == SJ_OK && keep && i < after->spots.count; i++)
		if (keep[i] != SJ_NO_NODE)
			st = sj_map_put(kept, sj_proto_id_at(before, keep[i]), i);
	for (uint32_t i = 0; st == SJ_OK && i < after->spots.count; i++) {
		struct sj_slice id = authored(&after->spots.items[i]);
		struct sj_value v;
		if (keep && keep[i] != SJ_NO_NODE) {
			const struct sj_value *old = sj_value_item(&before->list, keep[i]);
			st = sj_value_append(mem, &ids->list, sj_value_ref(*old));
		} else if (id.ptr && id.ptr[0] != '~' && sj_map_get(counts, id) == 1 &&
		           sj_map_get(kept, id) == SJ_MAP_NONE) {
			st = sj_value_string(mem, id, &v);
			if (st == SJ_OK)
				st = sj_value_append(mem, &ids->list, v);
		} else {
			st = put_number(mem, ids);
		}
	}
	return st;
}

static enum sj_status make(struct sj_mem *mem, const struct sj_proto_ids *before, uint32_t next,
                           const struct sj_proto_tree *after, const uint32_t *keep, struct sj_proto_ids *out)
{
	struct sj_proto_ids ids = {.next = next ? next : 1};
	struct sj_map counts, kept;
	sj_map_init(&counts, mem, 1);
	sj_map_init(&kept, mem, 2);
	enum sj_status st = sj_value_array(mem, &ids.list);
	if (st == SJ_OK) {
		st = fill(mem, before, after, keep, &counts, &kept, &ids);
		if (st != SJ_OK)
			sj_value_unref(mem, ids.list);
	}
	sj_map_finish(&kept);
	sj_map_finish(&counts);
	if (st == SJ_OK)
		*out = ids;
	return st;
}

enum sj_status sj_proto_ids_make(struct sj_mem *mem, const struct sj_value *spec, uint32_t next,
                                 struct sj_proto_ids *out)
{
	struct sj_proto_tree t;
	enum sj_status st = sj_proto_tree_init(&t, mem, spec);
	if (st == SJ_OK)
		st = make(mem, NULL, next, &t, NULL, out);
	sj_proto_tree_finish(&t);
	return st;
}

enum sj_status sj_proto_ids_carry(struct sj_mem *mem, const struct sj_proto_ids *before,
                                  const struct sj_proto_tree *after, const uint32_t *keep, struct sj_proto_ids *out)
{
	return make(mem, before, before->next, after, keep, out);
}

void sj_proto_ids_release(struct sj_mem *mem, struct sj_proto_ids *ids)
{
	sj_value_unref(mem, ids->list);
	*ids = (struct sj_proto_ids){.list = SJ_ABSENT_VALUE};
}

struct sj_slice sj_proto_id_at(const struct sj_proto_ids *ids, uint32_t order)
{
	const struct sj_value *v = sj_value_item(&ids->list, order);
	return v ? sj_value_text(v) : SJ_LIT("");
}

uint32_t sj_proto_id_find(const struct sj_proto_ids *ids, struct sj_slice id)
{
	for (uint32_t i = 0; i < sj_value_count(&ids->list); i++)
		if (sj_slice_eq(sj_proto_id_at(ids, i), id))
			return i;
	return SJ_NO_NODE;
}

bool sj_proto_ids_fit(const struct sj_proto_ids *ids, const struct sj_proto_tree *tree)
{
	return sj_value_count(&ids->list) == tree->spots.count;
}
