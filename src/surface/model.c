/* The model: reading and the three writes. A write happens in place where nobody else holds the container, puts the old
 * value into the journal, and wakes what depends on the difference. */
#include "surface/internal.h"

#include "base/num.h"

const struct sj_value *sj_value_walk(const struct sj_value *v, const struct sj_slice *tokens, uint32_t count)
{
	for (uint32_t i = 0; v && i < count; i++) {
		uint32_t index;
		if (v->type == SJ_V_OBJECT)
			v = sj_value_get(v, tokens[i]);
		else if (v->type == SJ_V_ARRAY && sj_num_index(tokens[i], &index))
			v = sj_value_item(v, index);
		else
			return NULL;
	}
	return v && v->type != SJ_V_ABSENT ? v : NULL;
}

const struct sj_value *sj_surface_get(const struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens,
                                      uint32_t count)
{
	return sj_value_walk(&s->roots[root], tokens, count);
}

/* LOCAL and ENV come into being when somebody looks or writes. */
static bool make_root(struct sj_surface *s, enum sj_root root)
{
	return s->roots[root].type != SJ_V_ABSENT || sj_value_object(s->mem, &s->roots[root]) == SJ_OK;
}

const struct sj_value *sj_surface_model(const struct sj_surface *s, enum sj_root root)
{
	make_root((struct sj_surface *)(uintptr_t)s, root);
	return &s->roots[root];
}

struct sj_value sj_surface_snapshot(struct sj_surface *s, enum sj_root root)
{
	make_root(s, root);
	return sj_value_ref(s->roots[root]);
}

/* ---- finding the place ------------------------------------------------------------------------------------------- */

struct place {
	uint32_t depth; /* tokens of the deepest container on the way that exists, plus one: where something is put */
	const struct sj_value *at;   /* what stands at that place now; NULL: nothing, not even a hole */
	const struct sj_value *in;   /* the container that holds it; NULL: the place is the root */
	bool shared;                 /* somebody else holds one of the containers on the way */
};

SJ_COLD static enum sj_status refuse(struct sj_diag *diag, const struct sj_slice *tokens, uint32_t count, uint32_t at,
                             const char *why)
{
	char text[sizeof diag->pointer];
	size_t n = 0;
	for (uint32_t i = 0; i < count && n + tokens[i].len + 2 < sizeof text; i++) {
		text[n++] = '/';
		memcpy(text + n, tokens[i].ptr, tokens[i].len);
		n += tokens[i].len;
	}
	sj_diag_set(diag, SJ_INVALID, SJ_E_DATA_ERROR, SJ_CAT_DATA, "Cannot set path '%.*s': %s '%.*s'.", (int)n, text,
	            why, at < count ? (int)(tokens[at].len > 80 ? 80 : tokens[at].len) : 0,
	            at < count ? tokens[at].ptr : "");
	return SJ_INVALID;
}

SJ_COLD static enum sj_status refuse_limit(struct sj_diag *diag, const char *why)
{
	return sj_diag_set(diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_DATA, "Cannot set path: %s.", why);
}

static enum sj_status check_index(const struct sj_surface *s, uint32_t index, uint32_t length, struct sj_diag *diag)
{
	if (index > s->limits->array_index)
		return refuse_limit(diag, "the array index is above the limit");
	if (index > length && index - length > s->limits->array_gap)
		return refuse_limit(diag, "the array index is too far beyond the end");
	return SJ_OK;
}

/* Walks as far as containers exist. Errors are found before anything changes. */
static enum sj_status find(const struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count,
                           bool lists, struct place *p, struct sj_diag *diag)
{
	if (count > SJ_MAX_TOKENS || count > s->limits->pointer_tokens)
		return refuse_limit(diag, "the path has more tokens than the limit");
	const struct sj_value *v = &s->roots[root];
	*p = (struct place){.at = v};
	uint32_t i = 0;
	for (; i < count; i++) {
		if (v->type == SJ_V_ABSENT || v->type == SJ_V_NULL)
			break;
		uint32_t index;
		const struct sj_value *next;
		if (v->type == SJ_V_OBJECT) {
			next = sj_value_get(v, tokens[i]);
		} else if (v->type == SJ_V_ARRAY) {
			if (!sj_num_index(tokens[i], &index))
				return refuse(diag, tokens, count, i, "an array has no non-numeric segment");
			next = sj_value_item(v, index);
			if (!next) {
				enum sj_status st = check_index(s, index, sj_value_count(v), diag);
				if (st != SJ_OK)
					return st;
			}
		} else {
			return refuse(diag, tokens, count, i, "a value that is no container is in the way of");
		}
		p->depth = i + 1;
		p->at = next;
		p->in = v;
		p->shared |= sj_value_refs(v) != 1 || (v->type == SJ_V_ARRAY && sj_value_item_shared(v, index));
		if (!next) {
			i++;
			break;
		}
		v = next;
	}
	/* What is missing is made: arrays in it must not be long either. */
	for (; lists && i < count; i++) {
		uint32_t index;
		if (!sj_num_index(tokens[i], &index))
			continue;
		enum sj_status st = check_index(s, index, 0, diag);
		if (st != SJ_OK)
			return st;
	}
	return SJ_OK;
}

/* The containers between the place where something exists and the named one, around the value. */
static enum sj_status wrap(struct sj_surface *s, const struct sj_slice *tokens, uint32_t from, uint32_t count,
                           bool lists, struct sj_value *v)
{
	for (uint32_t i = count; i-- > from;) {
		struct sj_value box;
		uint32_t index;
		bool list = lists && sj_num_index(tokens[i], &index);
		enum sj_status st = list ? sj_value_array(s->mem, &box) : sj_value_object(s->mem, &box);
		if (st != SJ_OK)
			return st;
		struct sj_value inner = *v;
		*v = SJ_ABSENT_VALUE;
		st = list ? sj_value_set_item(s->mem, &box, index, inner)
		          : sj_value_set(s->mem, &box, tokens[i], inner);
		if (st != SJ_OK) {
			sj_value_unref(s->mem, box);
			return st;
		}
		*v = box;
	}
	return SJ_OK;
}

static struct sj_value *own(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count)
{
	struct sj_value *v = &s->roots[root];
	for (uint32_t i = 0; i < count && v; i++) {
		enum sj_status st = SJ_OK;
		uint32_t index = 0;
		if (v->type == SJ_V_ARRAY)
			sj_num_index(tokens[i], &index);
		v = v->type == SJ_V_ARRAY ? sj_value_own_item(s->mem, v, index, &st)
		                          : sj_value_own_member(s->mem, v, tokens[i], &st);
	}
	return v;
}

SJ_COLD static enum sj_status no_memory(struct sj_diag *diag)
{
	return sj_diag_set(diag, SJ_NOMEM, SJ_E_NOMEM, SJ_CAT_NONE, "Out of memory.");
}

/* The writable container that holds a place, or the root itself when the place is the root. */
static struct sj_value *own_container(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens,
                                      const struct place *p)
{
	if (p->in && !p->shared)
		return (struct sj_value *)(uintptr_t)p->in; /* nobody else sees the way down */
	return own(s, root, tokens, p->depth ? p->depth - 1 : 0);
}

/* Hashes of the tokens; returns that of the place. */
static uint64_t hash_place(const struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count,
                           uint64_t hashes[SJ_MAX_TOKENS])
{
	uint64_t place = sj_place_hash(root);
	for (uint32_t i = 0; i < count; i++) {
		hashes[i] = sj_token_hash(s, tokens[i]);
		place = sj_place_below(place, hashes[i]);
	}
	return place;
}

/* Puts `v` at a place; `v` is consumed in every case. */
static enum sj_status put(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, const struct place *p,
                          uint32_t count, struct sj_value v, struct sj_diag *diag)
{
	uint32_t depth = p->depth;
	bool exists = p->at;
	uint64_t hashes[SJ_MAX_TOKENS], place = hash_place(s, root, tokens, count, hashes);
	s->epoch++; /* before anything is copied */
	struct sj_undo *u = sj_undo_reserve(s, tokens, count, place);
	struct sj_value *at = u ? own_container(s, root, tokens, p) : NULL;
	if (at && exists && depth && !p->shared && at->type == SJ_V_OBJECT) {
		at = sj_value_own_found(s->mem, at, p->at);
	} else if (at && exists && depth) {
		enum sj_status st = SJ_OK;
		uint32_t index = 0;
		if (at->type == SJ_V_ARRAY)
			sj_num_index(tokens[depth - 1], &index);
		at = at->type == SJ_V_ARRAY ? sj_value_own_item(s->mem, at, index, &st)
		                            : sj_value_own_member(s->mem, at, tokens[depth - 1], &st);
	}
	if (!at) {
		sj_value_unref(s->mem, v);
		return no_memory(diag);
	}
	u->root = (uint8_t)root;
	u->depth = (uint16_t)depth;
	struct sj_wake_at wake = {
		.root = root, .tokens = tokens, .count = depth, .differs = true, .hashes = hashes};
	if (exists) {
		u->kind = SJ_U_REPLACED;
		u->old = *at;
		*at = v;
		s->undo.count++;
		sj_wake(s, &wake, &u->old, at);
		return SJ_OK;
	}
	u->kind = SJ_U_ADDED;
	uint32_t index = 0;
	enum sj_status st;
	if (at->type == SJ_V_ARRAY) {
		u->n = sj_value_count(at);
		sj_num_index(tokens[depth - 1], &index);
		st = sj_value_set_item(s->mem, at, index, v);
	} else {
		st = sj_value_set(s->mem, at, tokens[depth - 1], v);
	}
	if (st != SJ_OK)
		return no_memory(diag);
	s->undo.count++;
	wake.shape_above = true;
	const struct sj_value *now =
		at->type == SJ_V_ARRAY ? sj_value_item(at, index) : sj_value_get(at, tokens[depth - 1]);
	sj_wake(s, &wake, NULL, now);
	return SJ_OK;
}

/* ---- writes ------------------------------------------------------------------------------------------------------ */

static enum sj_status set(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count,
                          bool lists, struct sj_value take, struct sj_diag *diag)
{
	assert(s->txn_open);
	struct place p = {0};
	if (!make_root(s, root)) {
		sj_value_unref(s->mem, take);
		return no_memory(diag);
	}
	enum sj_status st = find(s, root, tokens, count, lists, &p, diag);
	if (st == SJ_OK && take.type == SJ_V_ABSENT) {
		return sj_surface_unset(s, root, tokens, count, diag);
	}
	if (st == SJ_OK && p.depth == count && p.at && sj_value_equal(p.at, &take)) {
		sj_value_unref(s->mem, take); /* no difference, no news: the older body stays */
		return SJ_OK;
	}
	if (st == SJ_OK && wrap(s, tokens, p.depth, count, lists, &take) != SJ_OK)
		st = no_memory(diag);
	if (st != SJ_OK) {
		sj_value_unref(s->mem, take);
		return st;
	}
	return put(s, root, tokens, &p, count, take, diag);
}

enum sj_status sj_surface_set(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count,
                              struct sj_value take, struct sj_diag *diag)
{
	return set(s, root, tokens, count, true, take, diag);
}

enum sj_status sj_surface_set_in_objects(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens,
                                         uint32_t count, struct sj_value take)
{
	return set(s, root, tokens, count, false, take, NULL);
}

enum sj_status sj_surface_unset(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count,
                                struct sj_diag *diag)
{
	assert(s->txn_open);
	if (count > SJ_MAX_TOKENS || count > s->limits->pointer_tokens)
		return refuse_limit(diag, "the path has more tokens than the limit");
	struct sj_value empty;
	if (count == 0) {
		if (s->roots[root].type == SJ_V_ABSENT)
			return SJ_OK;
		if (s->roots[root].type == SJ_V_OBJECT && sj_value_count(&s->roots[root]) == 0)
			return SJ_OK;
		return sj_value_object(s->mem, &empty) == SJ_OK
		               ? put(s, root, tokens, &(struct place){.at = &s->roots[root]}, 0, empty, diag)
		               : no_memory(diag);
	}
	const struct sj_value *in = sj_value_walk(&s->roots[root], tokens, count - 1);
	if (!in || !sj_value_is_container(in) || !sj_value_walk(in, &tokens[count - 1], 1))
		return SJ_OK;
	if (in->type == SJ_V_ARRAY)
		return put(s, root, tokens, &(struct place){.depth = count, .at = in, .in = in, .shared = true}, count,
		           SJ_ABSENT_VALUE, diag);
	/* The journal keeps the whole object: only so does the member come back to its place in the order. */
	struct sj_value without = sj_value_ref(*in);
	if (sj_value_unset(s->mem, &without, tokens[count - 1]) != SJ_OK) {
		sj_value_unref(s->mem, without);
		return no_memory(diag);
	}
	return put(s, root, tokens, &(struct place){.depth = count - 1, .at = in, .in = in, .shared = true}, count,
	           without, diag);
}

enum sj_status sj_surface_splice(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count,
                                 uint32_t at, uint32_t remove, const struct sj_value *insert, uint32_t ninsert,
                                 struct sj_diag *diag)
{
	assert(s->txn_open);
	const struct sj_value *is = count <= SJ_MAX_TOKENS ? sj_value_walk(&s->roots[root], tokens, count) : NULL;
	enum sj_status st = SJ_OK;
	uint32_t n = is && is->type == SJ_V_ARRAY ? sj_value_count(is) : 0;
	if (!is || is->type != SJ_V_ARRAY || at > n || remove > n - at)
		st = refuse(diag, tokens, count, count, "there is no such run of items in an array");
	else if (n - remove > s->limits->array_index || ninsert > s->limits->array_index - (n - remove))
		st = refuse_limit(diag, "the array would be longer than the limit");
	struct sj_value next = st == SJ_OK && is ? sj_value_ref(*is) : SJ_ABSENT_VALUE;
	uint32_t taken = 0;
	for (uint32_t i = 0; i < remove && st == SJ_OK; i++)
		st = sj_value_remove(s->mem, &next, at);
	for (; taken < ninsert && st == SJ_OK; taken++)
		st = sj_value_insert(s->mem, &next, at + taken, insert[taken]);
	for (; taken < ninsert; taken++)
		sj_value_unref(s->mem, insert[taken]);
	if (st != SJ_OK) {
		sj_value_unref(s->mem, next);
		return st == SJ_NOMEM ? no_memory(diag) : st;
	}
	if (is && sj_value_equal(is, &next)) {
		sj_value_unref(s->mem, next);
		return SJ_OK;
	}
	return put(s, root, tokens, &(struct place){.depth = count, .at = is, .in = is, .shared = true}, count, next,
	           diag);
}

enum sj_status sj_surface_append_text(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens,
                                      uint32_t count, struct sj_slice more, struct sj_diag *diag)
{
	assert(s->txn_open);
	const struct sj_value *is = count <= SJ_MAX_TOKENS ? sj_value_walk(&s->roots[root], tokens, count) : NULL;
	if (!is || !sj_value_is_string(is))
		return refuse(diag, tokens, count, count, "there is no text to append to");
	if (!more.len)
		return SJ_OK;
	uint32_t was = (uint32_t)sj_value_text(is).len;
	if (more.len > s->limits->string_bytes - was)
		return refuse_limit(diag, "the text would be longer than the limit");
	uint64_t hashes[SJ_MAX_TOKENS], place = hash_place(s, root, tokens, count, hashes);
	s->epoch++; /* before anything is copied */
	struct sj_undo *u = sj_undo_reserve(s, tokens, count, place);
	struct sj_value *at = u ? own(s, root, tokens, count) : NULL;
	if (!at)
		return no_memory(diag);
	/* Who shows this text holds a count of it: they give it up, so that the bytes are added in place. */
	if (at->type == SJ_V_STRING)
		sj_wake(s, &(struct sj_wake_at){.root = root, .tokens = tokens, .count = count, .lend = at}, NULL, at);
	if (sj_value_string_append(s->mem, at, more) != SJ_OK)
		return no_memory(diag);
	u->kind = SJ_U_APPENDED;
	u->root = (uint8_t)root;
	u->depth = (uint16_t)count;
	u->n = was;
	s->undo.count++;
	struct sj_wake_at wake = {.root = root, .tokens = tokens, .count = count, .append = true};
	const struct sj_value absent = SJ_ABSENT_VALUE;
	sj_wake(s, &wake, &absent, at);
	return SJ_OK;
}
