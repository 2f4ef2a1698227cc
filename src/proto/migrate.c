/* Stored values across an edit. */
#include "proto/migrate.h"

#include "base/num.h"

enum type { NONE, STRING, NUMBER, BOOLEAN };
static const char *const type_names[] = {"none", "string", "number", "boolean"};

static enum type type_of(const struct sj_value *v)
{
	if (v && sj_value_is_string(v))
		return STRING;
	if (v && sj_value_is_number(v))
		return NUMBER;
	return v && sj_value_is_bool(v) ? BOOLEAN : NONE;
}

/* The stored keys of a spec, and what they begin with. A list may hold 64, so searching it is no cost. */
struct stored {
	const struct sj_value *keys, *state;
};

static struct stored stored_of(const struct sj_value *spec)
{
	return (struct stored){sj_value_get(spec, SJ_LIT("stored")), sj_value_get(spec, SJ_LIT("state"))};
}
static uint32_t count(const struct stored *s) { return s->keys ? sj_value_count(s->keys) : 0; }
static struct sj_slice key_at(const struct stored *s, uint32_t i) { return sj_value_text(sj_value_item(s->keys, i)); }
static const struct sj_value *initial(const struct stored *s, struct sj_slice key)
{
	return s->state ? sj_value_get(s->state, key) : NULL;
}
static bool has(const struct stored *s, struct sj_slice key)
{
	for (uint32_t i = 0; i < count(s); i++)
		if (sj_slice_eq(key_at(s, i), key))
			return true;
	return false;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

/* `inner` is the beginning or the end of `outer`, whatever the case of letters: "name" and "userName". */
static bool is_part(struct sj_slice inner, struct sj_slice outer)
{
	if (inner.len < 3 || inner.len >= outer.len)
		return false;
	bool head = true, tail = true;
	for (size_t i = 0; i < inner.len; i++) {
		head = head && lower(inner.ptr[i]) == lower(outer.ptr[i]);
		tail = tail && lower(inner.ptr[i]) == lower(outer.ptr[outer.len - inner.len + i]);
	}
	return head || tail;
}

/* One letter more, less or another one, in a name long enough for that to mean little. */
static bool is_near(struct sj_slice a, struct sj_slice b)
{
	if (a.len > b.len) {
		struct sj_slice t = a;
		a = b;
		b = t;
	}
	if (a.len < 4 || b.len - a.len > 1)
		return false;
	size_t i = 0;
	while (i < a.len && a.ptr[i] == b.ptr[i])
		i++;
	size_t skip = a.len == b.len ? 1 : 0;
	return sj_slice_eq(sj_slice(a.ptr + i + (i < a.len ? skip : 0), a.len - i - (i < a.len ? skip : 0)),
	                   sj_slice(b.ptr + i + (i < b.len), b.len - i - (i < b.len)));
}

static bool same_name(struct sj_slice a, struct sj_slice b)
{
	return sj_slice_folds(a, b) || is_part(a, b) || is_part(b, a) || is_near(a, b);
}

struct planning {
	struct stored before, after;
};

/* Whether an old key that is gone could have become a new one: of the same type, and with a name like it, or (by
 * `initial`) beginning with the same value. */
static bool fits(const struct planning *p, struct sj_slice old, struct sj_slice now, bool by_name)
{
	const struct sj_value *a = initial(&p->before, old), *b = initial(&p->after, now);
	if (has(&p->after, old) || has(&p->before, now) || type_of(a) != type_of(b))
		return false;
	return by_name ? same_name(old, now) : sj_value_equal(a, b);
}

/* The one key on the other side that fits, when neither has a second choice. */
static bool only_partner(const struct planning *p, struct sj_slice old, bool by_name, struct sj_slice *out)
{
	uint32_t found = 0;
	for (uint32_t i = 0; i < count(&p->after); i++)
		if (fits(p, old, key_at(&p->after, i), by_name)) {
			*out = key_at(&p->after, i);
			found++;
		}
	if (found != 1)
		return false;
	found = 0;
	for (uint32_t i = 0; i < count(&p->before); i++)
		found += fits(p, key_at(&p->before, i), *out, by_name);
	return found == 1;
}

/* Names speak first; an equal beginning counts only among keys that no name has claimed. */
static bool renamed(const struct planning *p, struct sj_slice old, struct sj_slice *to)
{
	struct sj_slice other;
	if (only_partner(p, old, true, to))
		return true;
	if (!only_partner(p, old, false, to))
		return false;
	for (uint32_t i = 0; i < count(&p->before); i++)
		if (only_partner(p, key_at(&p->before, i), true, &other) && sj_slice_eq(other, *to))
			return false;
	return true;
}

static enum sj_status set_text(struct sj_mem *mem, struct sj_value *object, const char *key, struct sj_slice text)
{
	struct sj_value v;
	enum sj_status st = sj_value_string(mem, text, &v);
	return st == SJ_OK ? sj_value_set(mem, object, sj_slice_of(key), v) : st;
}

static enum sj_status fill_entry(struct sj_mem *mem, const struct planning *p, struct sj_slice key,
                                 struct sj_value *entry)
{
	enum type from = type_of(initial(&p->before, key)), into = type_of(initial(&p->after, key));
	struct sj_slice to;
	const char *deed = "drop";
	enum sj_status st = set_text(mem, entry, "key", key);
	if (has(&p->after, key)) {
		deed = from == into ? "keep" : "transform";
		to = SJ_NO_SLICE;
	} else if (renamed(p, key, &to)) {
		deed = "rename";
	}
	if (st == SJ_OK)
		st = set_text(mem, entry, "do", sj_slice_of(deed));
	if (st == SJ_OK && deed[0] == 'r')
		st = set_text(mem, entry, "to", to);
	if (st == SJ_OK && deed[0] == 't')
		st = set_text(mem, entry, "from", sj_slice_of(type_names[from]));
	if (st == SJ_OK && deed[0] == 't')
		st = set_text(mem, entry, "into", sj_slice_of(type_names[into]));
	return st;
}

static bool begins(const struct planning *p, struct sj_slice key)
{
	struct sj_slice to;
	if (has(&p->before, key))
		return false;
	for (uint32_t i = 0; i < count(&p->before); i++)
		if (!has(&p->after, key_at(&p->before, i)) && renamed(p, key_at(&p->before, i), &to) &&
		    sj_slice_eq(to, key))
			return false;
	return true;
}

static enum sj_status fill_plan(struct sj_mem *mem, const struct planning *p, struct sj_value *keys,
                                struct sj_value *anew)
{
	enum sj_status st = SJ_OK;
	struct sj_value v;
	for (uint32_t i = 0; st == SJ_OK && i < count(&p->before); i++) {
		st = sj_value_object_for(mem, 4, &v);
		if (st == SJ_OK && (st = fill_entry(mem, p, key_at(&p->before, i), &v)) != SJ_OK)
			sj_value_unref(mem, v);
		else if (st == SJ_OK)
			st = sj_value_append(mem, keys, v);
	}
	for (uint32_t i = 0; st == SJ_OK && i < count(&p->after); i++)
		if (begins(p, key_at(&p->after, i)))
			st = sj_value_append(mem, anew, sj_value_ref(*sj_value_item(p->after.keys, i)));
	return st;
}

enum sj_status sj_proto_migrate_plan(struct sj_mem *mem, const struct sj_value *before, const struct sj_value *after,
                                     struct sj_value *out)
{
	struct planning p = {stored_of(before), stored_of(after)};
	struct sj_value keys = SJ_ABSENT_VALUE, anew = SJ_ABSENT_VALUE, plan = SJ_ABSENT_VALUE;
	enum sj_status st = sj_value_array(mem, &keys);
	if (st == SJ_OK)
		st = sj_value_array(mem, &anew);
	if (st == SJ_OK)
		st = fill_plan(mem, &p, &keys, &anew);
	if (st == SJ_OK)
		st = sj_value_object_for(mem, 2, &plan);
	if (st == SJ_OK)
		st = sj_value_set(mem, &plan, SJ_LIT("keys"), sj_value_ref(keys));
	if (st == SJ_OK)
		st = sj_value_set(mem, &plan, SJ_LIT("begins"), sj_value_ref(anew));
	sj_value_unref(mem, keys);
	sj_value_unref(mem, anew);
	if (st == SJ_OK)
		*out = plan;
	else
		sj_value_unref(mem, plan);
	return st;
}

/* SJ_ABSENT: the value has no counterpart of that type. A number becomes the text that the language shows; a text
 * becomes a number where it is one in JSON, and a boolean where it is "true" or "false"; true is 1 and whatever is not
 * 0 is true. */
static enum sj_status convert(struct sj_mem *mem, const struct sj_value *v, enum type into, struct sj_value *out)
{
	enum type from = type_of(v);
	double n;
	if (from == into) {
		*out = sj_value_ref(*v);
		return SJ_OK;
	}
	if (into == NUMBER && from == BOOLEAN) {
		*out = sj_value_int(v->type == SJ_V_TRUE);
		return SJ_OK;
	}
	if (into == BOOLEAN && from == NUMBER) {
		*out = sj_value_bool(sj_value_double(v) != 0);
		return SJ_OK;
	}
	if (into == NUMBER && from == STRING && sj_num_parse(sj_value_text(v), &n) && n - n == 0) {
		*out = sj_value_number(n);
		return SJ_OK;
	}
	if (into == BOOLEAN && from == STRING) {
		bool yes = sj_slice_is(sj_value_text(v), "true");
		if (!yes && !sj_slice_is(sj_value_text(v), "false"))
			return SJ_ABSENT;
		*out = sj_value_bool(yes);
		return SJ_OK;
	}
	if (into != STRING || from == NONE)
		return SJ_ABSENT;
	struct sj_buf text;
	sj_buf_init(&text, mem, 0);
	if (from == NUMBER)
		sj_proto_number(sj_value_double(v), &text);
	else
		sj_buf_puts(&text, v->type == SJ_V_TRUE ? "true" : "false");
	enum sj_status st = sj_buf_status(&text);
	if (st == SJ_OK)
		st = sj_value_string(mem, sj_buf_view(&text), out);
	sj_buf_finish(&text);
	return st;
}

static enum sj_status carry(struct sj_mem *mem, const struct sj_value *entry, const struct stored *after,
                            const struct sj_value *values, struct sj_value *out)
{
	const struct sj_value *key = sj_value_get(entry, SJ_LIT("key")), *deed = sj_value_get(entry, SJ_LIT("do"));
	const struct sj_value *to = sj_value_get(entry, SJ_LIT("to"));
	if (!key || !deed || sj_slice_is(sj_value_text(deed), "drop"))
		return SJ_OK;
	const struct sj_value *v = sj_value_get(values, sj_value_text(key));
	struct sj_slice name = sj_value_text(to ? to : key);
	enum type into = type_of(initial(after, name));
	if (!v || into == NONE || !has(after, name))
		return SJ_OK;
	if (type_of(v) != into && !sj_slice_is(sj_value_text(deed), "transform"))
		return SJ_OK;
	struct sj_value made;
	enum sj_status st = convert(mem, v, into, &made);
	if (st == SJ_OK)
		st = sj_value_set(mem, out, name, made);
	return st == SJ_ABSENT ? SJ_OK : st;
}

enum sj_status sj_proto_migrate(struct sj_mem *mem, const struct sj_value *plan, const struct sj_value *after,
                                const struct sj_value *values, struct sj_value *out)
{
	struct stored to = stored_of(after);
	struct sj_value all;
	enum sj_status st = sj_value_object(mem, &all);
	if (st != SJ_OK)
		return st;
	const struct sj_value *keys = sj_value_get(plan, SJ_LIT("keys"));
	for (uint32_t i = 0; st == SJ_OK && keys && i < sj_value_count(keys); i++)
		st = carry(mem, sj_value_item(keys, i), &to, values, &all);
	if (st == SJ_OK)
		*out = all;
	else
		sj_value_unref(mem, all);
	return st;
}
