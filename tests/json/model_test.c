/* Random writes to lists and objects against plain arrays, with snapshots that must not change. */
#include "base/num.h"
#include "harness/random.h"
#include "json/text.h"

enum { MOST_ITEMS = 1500, SNAPSHOTS = 3, KEYS = 60 };

struct list_model {
	struct sj_value list;
	int64_t items[MOST_ITEMS]; /* -1: a hole */
	uint32_t count;
};

static void check_list(const struct list_model *l)
{
	CHECK_INT(sj_value_count(&l->list), l->count);
	for (uint32_t i = 0; i < l->count && !sj_failed(); i++) {
		const struct sj_value *v = sj_value_item(&l->list, i);
		if (l->items[i] < 0)
			CHECK_INT(v->type, SJ_V_ABSENT);
		else if (v->type == SJ_V_ARRAY) /* every seventh value is counted */
			CHECK_INT(sj_value_item(v, 0)->u.i, l->items[i]);
		else
			CHECK_INT(v->u.i, l->items[i]);
	}
	CHECK(sj_value_item(&l->list, l->count) == NULL);
}

static struct sj_value list_value(int64_t n)
{
	struct sj_value v = sj_value_int(n), a;
	if (n % 7)
		return v;
	CHECK_OK(sj_value_array(sj_test_mem(), &a));
	CHECK_OK(sj_value_append(sj_test_mem(), &a, v));
	return a;
}

static void write_list(struct sj_random *r, struct list_model *l, int64_t n)
{
	struct sj_mem *m = sj_test_mem();
	uint32_t at = sj_random_below(r, l->count + 1), op = sj_random_below(r, 12);
	if (l->count > MOST_ITEMS - 50)
		op = 8;
	switch (op) {
	case 0:
	case 1:
	case 2:
		CHECK_OK(sj_value_append(m, &l->list, list_value(n)));
		l->items[l->count++] = n;
		return;
	case 3:
	case 4:
	case 5:
		CHECK_OK(sj_value_insert(m, &l->list, at, list_value(n)));
		memmove(&l->items[at + 1], &l->items[at], (l->count - at) * sizeof l->items[0]);
		l->items[at] = n;
		l->count++;
		return;
	case 6:
	case 7:
		if (at == l->count)
			return;
		CHECK_OK(sj_value_remove(m, &l->list, at));
		l->count--;
		memmove(&l->items[at], &l->items[at + 1], (l->count - at) * sizeof l->items[0]);
		return;
	case 8:
		if (sj_random_below(r, 8) && l->count < MOST_ITEMS / 2)
			return;
		CHECK_OK(sj_value_truncate(m, &l->list, at));
		l->count = at;
		return;
	case 9: /* beyond the end */
		at = l->count + sj_random_below(r, 20);
		CHECK_OK(sj_value_set_item(m, &l->list, at, list_value(n)));
		while (l->count < at)
			l->items[l->count++] = -1;
		l->items[l->count++] = n;
		return;
	case 10: { /* in place */
		enum sj_status st;
		struct sj_value *place = sj_value_own_item(m, &l->list, at, &st);
		CHECK_INT(st, at < l->count ? SJ_OK : SJ_ABSENT);
		if (!place)
			return;
		sj_value_unref(m, *place);
		*place = list_value(n);
		l->items[at] = n;
		return;
	}
	default:
		if (at == l->count)
			return;
		CHECK_OK(sj_value_set_item(m, &l->list, at, list_value(n)));
		l->items[at] = n;
	}
}

static void compare_lists(uint64_t seed)
{
	static struct list_model now, past[SNAPSHOTS];
	struct sj_random r = {seed};
	CHECK_OK(sj_value_array(sj_test_mem(), &now.list));
	now.count = 0;
	for (int i = 0; i < SNAPSHOTS; i++) {
		past[i] = now;
		sj_value_ref(now.list);
	}
	for (int step = 0; step < 6000 && !sj_failed(); step++) {
		write_list(&r, &now, step);
		if (sj_random_below(&r, 100) == 0) {
			struct list_model *p = &past[sj_random_below(&r, SNAPSHOTS)];
			check_list(p);
			drop(p->list);
			*p = now;
			sj_value_ref(now.list);
		}
		if (step % 50 == 0)
			check_list(&now);
	}
	check_list(&now);
	for (int i = 0; i < SNAPSHOTS; i++) {
		check_list(&past[i]);
		drop(past[i].list);
	}
	drop(now.list);
}

SJ_TEST(lists)
{
	for (uint64_t seed = 1; seed <= 4; seed++)
		compare_lists(seed);
}

struct object_model {
	struct sj_value object;
	struct {
		uint32_t key;
		int64_t value;
	} members[KEYS];
	uint32_t count;
};

/* Every third key is longer than what fits into a value. */
static struct sj_slice key_text(uint32_t key, char room[64])
{
	size_t n = 0;
	if (key % 3 == 0) {
		memcpy(room, "a key of some length ", 21);
		n = 21;
	}
	return sj_slice(room, n + sj_num_text_i64(key, room + n));
}

static void check_object(const struct object_model *o)
{
	char room[64];
	CHECK_INT(sj_value_count(&o->object), o->count);
	bool there[KEYS] = {false};
	for (uint32_t i = 0; i < o->count; i++) {
		struct sj_slice key = SJ_NO_SLICE;
		const struct sj_value *v = sj_value_member(&o->object, i, &key);
		CHECK_SLICE(key, key_text(o->members[i].key, room));
		CHECK_INT(v->u.i, o->members[i].value);
		CHECK(sj_value_get(&o->object, key) == v);
		there[o->members[i].key] = true;
	}
	for (uint32_t k = 0; k < KEYS; k++)
		CHECK_INT(sj_value_get(&o->object, key_text(k, room)) != NULL, there[k]);
}

static void write_object(struct sj_random *r, struct object_model *o, int64_t n, uint32_t keys)
{
	struct sj_mem *m = sj_test_mem();
	char room[64];
	uint32_t key = sj_random_below(r, keys), i = 0;
	struct sj_slice text = key_text(key, room);
	while (i < o->count && o->members[i].key != key)
		i++;
	switch (sj_random_below(r, 4)) {
	case 0:
		CHECK_OK(sj_value_unset(m, &o->object, text));
		if (i < o->count) {
			o->count--;
			memmove(&o->members[i], &o->members[i + 1], (o->count - i) * sizeof o->members[0]);
		}
		return;
	case 1: {
		enum sj_status st;
		struct sj_value *place = sj_value_own_member(m, &o->object, text, &st);
		CHECK_INT(st, i < o->count ? SJ_OK : SJ_ABSENT);
		if (place) {
			*place = sj_value_int(n);
			o->members[i].value = n;
		}
		return;
	}
	default:
		CHECK_OK(sj_value_set(m, &o->object, text, sj_value_int(n)));
		o->members[i].key = key;
		o->members[i].value = n;
		o->count += i == o->count;
	}
}

static void compare_objects(uint64_t seed)
{
	static struct object_model now, past;
	struct sj_random r = {seed};
	CHECK_OK(sj_value_object(sj_test_mem(), &now.object));
	now.count = 0;
	past = now;
	sj_value_ref(now.object);
	for (int step = 0; step < 4000 && !sj_failed(); step++) {
		write_object(&r, &now, step, step % 1000 < 500 ? 12 : KEYS);
		if (sj_random_below(&r, 60) == 0) {
			check_object(&past);
			drop(past.object);
			past = now;
			sj_value_ref(now.object);
		}
		if (step % 20 == 0)
			check_object(&now);
	}
	check_object(&now);
	check_object(&past);
	drop(past.object);
	drop(now.object);
}

SJ_TEST(objects)
{
	for (uint64_t seed = 1; seed <= 4; seed++)
		compare_objects(seed);
}
