/* Transactions: a journal of what was, in the order it was changed, and the way back. */
#include "surface/internal.h"

#include "base/num.h"

void sj_txn_begin(struct sj_surface *s, uint32_t cause, struct sj_origin origin)
{
	assert(!s->txn_open);
	s->txn_open = true;
	s->cause = cause;
	s->origin = origin;
	s->own_input = false;
}

bool sj_txn_open(const struct sj_surface *s) { return s->txn_open; }

/* Tokens lie in s->undo_text as length and bytes. */
struct sj_undo *sj_undo_reserve(struct sj_surface *s, const struct sj_slice *tokens, uint32_t count, uint64_t place)
{
	size_t bytes = 0;
	for (uint32_t i = 0; i < count; i++)
		bytes += sizeof(uint32_t) + tokens[i].len;
	if (!s->undo.cap && SJ_ROOM(s->mem, &s->undo, 1, 1) != SJ_OK)
		return NULL; /* one write at a time is the usual transaction */
	if (bytes > UINT32_MAX / 2 - s->undo_text.count || SJ_ROOM(s->mem, &s->undo, s->undo.count + 1, 0) != SJ_OK ||
	    SJ_ROOM(s->mem, &s->undo_text, s->undo_text.count + (uint32_t)bytes, 0) != SJ_OK)
		return NULL;
	struct sj_undo *u = &s->undo.items[s->undo.count];
	*u = (struct sj_undo){.count = (uint16_t)count,
	                      .text = s->undo_text.count,
	                      .node = s->undo_node,
	                      .place = place,
	                      .old = SJ_ABSENT_VALUE};
	/* The text is counted with the entry: an entry that is not used leaves a little behind until the end of the
	 * transaction. */
	for (uint32_t i = 0; i < count; i++) {
		uint32_t len = (uint32_t)tokens[i].len;
		char *at = s->undo_text.items + s->undo_text.count;
		memcpy(at, &len, sizeof len);
		if (len)
			memcpy(at + sizeof len, tokens[i].ptr, len);
		s->undo_text.count += (uint32_t)sizeof len + len;
	}
	return u;
}

static void read_tokens(const struct sj_surface *s, const struct sj_undo *u, struct sj_slice tokens[SJ_MAX_TOKENS])
{
	const char *at = s->undo_text.items + u->text;
	for (uint32_t i = 0; i < u->count; i++) {
		uint32_t len;
		memcpy(&len, at, sizeof len);
		tokens[i] = sj_slice(at + sizeof len, len);
		at += sizeof len + len;
	}
}

/* An idle surface keeps room for one small transaction. */
static void end(struct sj_surface *s)
{
	s->txn_open = false;
	s->own_input = false;
	s->undo.count = s->undo_text.count = 0;
	SJ_VEC_FREE(s->mem, &s->touched);
	if (s->undo.cap > 3)
		SJ_VEC_FREE(s->mem, &s->undo);
	if (s->undo_text.cap > 128)
		SJ_VEC_FREE(s->mem, &s->undo_text);
	sj_def_builders_finish(s);
}

void sj_txn_commit(struct sj_surface *s)
{
	assert(s->txn_open);
	for (uint32_t i = 0; i < s->undo.count; i++) {
		struct sj_undo *u = &s->undo.items[i];
		switch ((enum sj_undo_kind)u->kind) {
		case SJ_U_DEF:
			sj_def_drop(s, u->def);
			sj_comp_at(s, u->n)->refs--;
			sj_comp_release(s, u->n);
			break;
		case SJ_U_ROOT_COMP:
			if (u->n) {
				sj_comp_at(s, u->n)->refs--;
				sj_comp_release(s, u->n);
			}
			break;
		case SJ_U_REPLACED:
		case SJ_U_ADDED:
		case SJ_U_APPENDED:
			if (s->origin.message && u->root != SJ_ROOT_LOCAL)
				sj_origin_note(s, u->place, s->origin);
			sj_value_unref(s->mem, u->old);
			break;
		}
	}
	end(s);
}

/* The writable value at a place whose containers exist. */
static struct sj_value *own_place(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens,
                                  uint32_t count)
{
	struct sj_value *v = &s->roots[root];
	for (uint32_t i = 0; i < count && v; i++) {
		enum sj_status st = SJ_OK;
		uint32_t index;
		if (v->type == SJ_V_OBJECT)
			v = sj_value_own_member(s->mem, v, tokens[i], &st);
		else if (v->type == SJ_V_ARRAY && sj_num_index(tokens[i], &index))
			v = sj_value_own_item(s->mem, v, index, &st);
		else
			v = NULL;
	}
	return v;
}

static void undo_write(struct sj_surface *s, struct sj_undo *u)
{
	struct sj_slice tokens[SJ_MAX_TOKENS];
	read_tokens(s, u, tokens);
	enum sj_root root = (enum sj_root)u->root;
	struct sj_wake_at at = {.root = root, .tokens = tokens, .count = u->depth};
	s->epoch++;
	if (u->kind == SJ_U_REPLACED) {
		struct sj_value *v = own_place(s, root, tokens, u->depth), was;
		assert(v);
		if (!v)
			return;
		was = *v;
		*v = u->old;
		u->old = was;
		sj_wake(s, &at, &was, v);
	} else if (u->kind == SJ_U_ADDED) {
		struct sj_value *v = own_place(s, root, tokens, u->depth - 1u);
		assert(v);
		if (!v)
			return;
		const struct sj_slice last = tokens[u->depth - 1];
		const struct sj_value *is =
			v->type == SJ_V_OBJECT ? sj_value_get(v, last) : sj_value_item(v, sj_value_count(v) - 1);
		struct sj_value was = is ? sj_value_ref(*is) : SJ_ABSENT_VALUE;
		if (v->type == SJ_V_OBJECT)
			sj_value_unset(s->mem, v, last);
		else
			sj_value_truncate(s->mem, v, u->n);
		at.shape_above = true;
		sj_wake(s, &at, &was, NULL);
		sj_value_unref(s->mem, was);
	} else {
		struct sj_value *v = own_place(s, root, tokens, u->depth), old;
		assert(v);
		if (!v || sj_value_string(s->mem, sj_slice(sj_value_text(v).ptr, u->n), &old) != SJ_OK)
			return;
		struct sj_value was = *v;
		*v = old;
		sj_wake(s, &at, &was, v);
		sj_value_unref(s->mem, was);
	}
	if (u->node) {
		uint32_t k;
		struct sj_group *g = sj_node_group(s, u->node, &k);
		if (g)
			sj_note_changed(s, g, k, SJ_IF_LOCAL);
	}
}

/* Going back needs memory only for what somebody else holds a count of since the transaction began. It may then borrow
 * beyond the account: an abort cannot fail. */
struct lifted {
	size_t limit;
	uint64_t fail_at;
};
enum { ACCOUNTS = 8 };
static void lift(struct sj_mem *m, struct lifted *l)
{
	for (int i = 0; m && i < ACCOUNTS; i++, m = m->parent) {
		l[i] = (struct lifted){m->limit_bytes, m->fail_at};
		m->limit_bytes = 0;
		m->fail_at = 0;
	}
}

static void put_back(struct sj_mem *m, const struct lifted *l)
{
	for (int i = 0; m && i < ACCOUNTS; i++, m = m->parent) {
		m->limit_bytes = l[i].limit;
		m->fail_at = l[i].fail_at;
	}
}

void sj_txn_abort(struct sj_surface *s)
{
	assert(s->txn_open);
	struct lifted l[ACCOUNTS];
	lift(s->mem, l);
	for (uint32_t i = s->undo.count; i--;) {
		struct sj_undo *u = &s->undo.items[i];
		struct sj_def *now;
		uint32_t root;
		switch ((enum sj_undo_kind)u->kind) {
		case SJ_U_DEF:
			now = sj_comp_at(s, u->n)->def;
			sj_comp_swap(s, u->n, u->def, u->order);
			if (u->def == NULL && u->once) {
				sj_comp_at(s, u->n)->flags &= ~SJ_CF_ONCE;
				s->ever_defined--;
			}
			sj_def_drop(s, now);
			sj_comp_at(s, u->n)->refs--;
			break;
		case SJ_U_ROOT_COMP:
			root = s->root_comp;
			sj_comp_root(s, u->n);
			sj_comp_at(s, root)->refs--;
			sj_comp_release(s, root);
			break;
		case SJ_U_REPLACED:
		case SJ_U_ADDED:
		case SJ_U_APPENDED:
			undo_write(s, u);
			sj_value_unref(s->mem, u->old);
			break;
		}
	}
	put_back(s->mem, l);
	end(s);
}

/* ---- what was touched -------------------------------------------------------------------------------------------- */

static bool is_write(const struct sj_undo *u) { return u->kind <= SJ_U_APPENDED; }

static bool same_place(const struct sj_surface *s, const struct sj_undo *a, const struct sj_undo *b)
{
	struct sj_slice x[SJ_MAX_TOKENS], y[SJ_MAX_TOKENS];
	if (a->root != b->root || a->count != b->count)
		return false;
	read_tokens(s, a, x);
	read_tokens(s, b, y);
	for (uint32_t i = 0; i < a->count; i++)
		if (!sj_slice_eq(x[i], y[i]))
			return false;
	return true;
}

/* The place holds something else than before its first entry. */
static bool is_net(const struct sj_surface *s, const struct sj_undo *u)
{
	struct sj_slice tokens[SJ_MAX_TOKENS];
	read_tokens(s, u, tokens);
	const struct sj_value absent = SJ_ABSENT_VALUE;
	const struct sj_value *now = sj_value_walk(&s->roots[u->root], tokens, u->count);
	if (u->kind == SJ_U_APPENDED)
		return !now || !sj_value_is_string(now) || sj_value_text(now).len != u->n;
	/* The old value stands at the changed place, which may be above the named one when containers were made. */
	const struct sj_value *was =
		u->kind == SJ_U_ADDED ? NULL
				      : sj_value_walk(&u->old, tokens + u->depth, (uint32_t)(u->count - u->depth));
	return !sj_value_equal(was ? was : &absent, now ? now : &absent);
}

static uint64_t hash_place(const struct sj_surface *s, const struct sj_undo *u)
{
	struct sj_slice tokens[SJ_MAX_TOKENS];
	uint64_t h = u->root;
	read_tokens(s, u, tokens);
	for (uint32_t i = 0; i < u->count; i++)
		h = sj_quick_hash(tokens[i], h);
	return h;
}

/* Lists the first entry of each place that makes a difference; made again when the journal has grown. Without memory it
 * is empty. */
static void list_touched(struct sj_surface *s)
{
	if (s->touched_at == s->undo.count && s->touched.count)
		return;
	struct sj_map64 first;
	sj_map64_init(&first, s->mem);
	s->touched.count = 0;
	s->touched_at = s->undo.count;
	for (uint32_t i = 0; i < s->undo.count; i++) {
		const struct sj_undo *u = &s->undo.items[i];
		if (!is_write(u))
			continue;
		uint64_t h = hash_place(s, u);
		uint32_t seen = sj_map64_get(&first, h);
		if (seen != SJ_MAP_NONE && same_place(s, &s->undo.items[seen], u))
			continue;
		if (sj_map64_put(&first, h, i) != SJ_OK ||
		    SJ_ROOM(s->mem, &s->touched, s->touched.count + 1, 0) != SJ_OK) {
			s->touched.count = 0;
			break;
		}
		if (is_net(s, u))
			s->touched.items[s->touched.count++] = i;
	}
	sj_map64_finish(&first);
}

uint32_t sj_txn_touched(const struct sj_surface *s)
{
	list_touched((struct sj_surface *)(uintptr_t)s);
	return s->touched.count;
}

bool sj_txn_touched_at(const struct sj_surface *s, uint32_t i, enum sj_root *root, struct sj_buf *pointer)
{
	list_touched((struct sj_surface *)(uintptr_t)s);
	if (i >= s->touched.count)
		return false;
	struct sj_slice tokens[SJ_MAX_TOKENS];
	const struct sj_undo *u = &s->undo.items[s->touched.items[i]];
	read_tokens(s, u, tokens);
	*root = (enum sj_root)u->root;
	for (uint32_t t = 0; t < u->count; t++)
		sj_pointer_append(pointer, tokens[t]);
	return true;
}
