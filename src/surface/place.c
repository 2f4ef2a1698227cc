/* What is remembered about places of the model: who wrote them last, and which are secret. */
#include "surface/internal.h"

#include "base/num.h"

/* ---- origins ----------------------------------------------------------------------------------------------------- */

#define ORIGINS_MAX 3072u /* three quarters of 4,096 entries, 96 KiB */

/* A collision of places names a wrong message in an explanation, nothing worse. */
static struct sj_origin_entry *origin_slot(const struct sj_surface *s, uint64_t place)
{
	uint32_t mask = s->origins.cap - 1, i = (uint32_t)(place ^ place >> 32) & mask;
	while (s->origins.items[i].message && s->origins.items[i].place != place)
		i = (i + 1) & mask;
	return &s->origins.items[i];
}

/* Twice the room, or, at the cap, the same room without the older half. */
static bool rehash_origins(struct sj_surface *s)
{
	uint32_t cap = s->origins.cap ? s->origins.cap : 1, old_cap = s->origins.cap;
	uint32_t since = 0;
	if (s->origins.count >= ORIGINS_MAX)
		since = s->origin_serial - ORIGINS_MAX / 2;
	else
		cap *= 2;
	struct sj_origin_entry *old = s->origins.items, *items = sj_mem_zalloc(s->mem, cap * sizeof *items);
	if (!items)
		return false;
	s->origins.items = items;
	s->origins.cap = cap;
	s->origins.count = 0;
	for (uint32_t i = 0; i < old_cap; i++)
		if (old[i].message && (!since || old[i].serial - since < UINT32_MAX / 2)) {
			*origin_slot(s, old[i].place) = old[i];
			s->origins.count++;
		}
	sj_mem_free(s->mem, old, old_cap * sizeof *old);
	return true;
}

void sj_origin_note(struct sj_surface *s, uint64_t place, struct sj_origin o)
{
	if (s->origins.count + 1 > s->origins.cap / 4 * 3 + s->origins.cap % 4 / 2 && !rehash_origins(s))
		return; /* without memory the origin is unknown */
	struct sj_origin_entry *e = origin_slot(s, place);
	s->origins.count += !e->message;
	*e = (struct sj_origin_entry){
		.place = place, .offset = o.offset, .message = o.message, .serial = ++s->origin_serial};
}

/* A later write above a place has overwritten it: of all places on the way the latest counts. */
bool sj_surface_origin(const struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count,
                       struct sj_origin *out)
{
	const struct sj_origin_entry *best = NULL;
	uint64_t place = sj_place_hash(root);
	if (!s->origins.cap)
		return false;
	for (uint32_t i = 0; i <= count; i++) {
		const struct sj_origin_entry *e = origin_slot(s, place);
		if (e->message && (!best || e->serial - best->serial < UINT32_MAX / 2))
			best = e;
		if (i < count)
			place = sj_place_below(place, sj_token_hash(s, tokens[i]));
	}
	if (best)
		*out = (struct sj_origin){best->message, best->offset};
	return best != NULL;
}

/* ---- secrets ----------------------------------------------------------------------------------------------------- */

static const char mask_text[] = "•••";

enum sj_status sj_secret_mark(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count)
{
	struct sj_value *v = &s->secrets[root];
	for (uint32_t i = 0; i < count; i++) {
		enum sj_status st = SJ_OK;
		if (v->type == SJ_V_TRUE)
			return SJ_OK; /* all below is secret already */
		if (v->type == SJ_V_ABSENT)
			st = sj_value_object(s->mem, v);
		if (st == SJ_OK && !sj_value_get(v, tokens[i])) {
			/* A member must be something: an empty object, which the next turn fills. */
			struct sj_value next = sj_value_bool(true);
			if (i + 1 < count)
				st = sj_value_object(s->mem, &next);
			if (st == SJ_OK)
				st = sj_value_set(s->mem, v, tokens[i], next);
		}
		v = st == SJ_OK ? sj_value_own_member(s->mem, v, tokens[i], &st) : NULL;
		if (!v)
			return SJ_NOMEM;
	}
	sj_value_unref(s->mem, *v);
	*v = sj_value_bool(true);
	return SJ_OK;
}

enum sj_status sj_surface_mark_secret(struct sj_surface *s, const struct sj_slice *tokens, uint32_t count)
{
	return count > SJ_MAX_TOKENS ? SJ_LIMIT : sj_secret_mark(s, SJ_ROOT_DATA, tokens, count);
}

bool sj_surface_has_secrets(const struct sj_surface *s)
{
	for (int r = 0; r < SJ_ROOT_COUNT; r++)
		if (s->secrets[r].type != SJ_V_ABSENT)
			return true;
	return false;
}

struct mask_level {
	struct sj_value from, to; /* from: borrowed; to: being built */
	uint32_t i;
};

static enum sj_status mask_scalar(struct sj_mem *m, const struct sj_value *v, struct sj_value *out)
{
	if (sj_value_is_string(v) || sj_value_is_number(v) || sj_value_is_bool(v))
		return sj_value_string(m, sj_slice(mask_text, sizeof mask_text - 1), out);
	*out = *v;
	return SJ_OK;
}

enum sj_status sj_secret_mask(struct sj_mem *m, const struct sj_value *v, struct sj_value *out)
{
	if (!sj_value_is_container(v))
		return mask_scalar(m, v, out);
	SJ_VEC(struct mask_level) stack = {0};
	struct sj_value done = SJ_ABSENT_VALUE;
	enum sj_status st = SJ_ROOM(m, &stack, 1, 0);
	if (st == SJ_OK) {
		stack.items[0] = (struct mask_level){.from = *v};
		st = v->type == SJ_V_ARRAY ? sj_value_array(m, &stack.items[0].to)
		                           : sj_value_object(m, &stack.items[0].to);
		stack.count = st == SJ_OK;
	}
	while (stack.items && stack.count && st == SJ_OK) {
		struct mask_level *l = &stack.items[stack.count - 1];
		if (l->i == sj_value_count(&l->from)) {
			done = l->to;
			if (--stack.count == 0)
				break;
			l = &stack.items[stack.count - 1];
		} else {
			const struct sj_value *next = l->from.type == SJ_V_ARRAY
			                                      ? sj_value_item(&l->from, l->i)
			                                      : sj_value_member(&l->from, l->i, &(struct sj_slice){0});
			if (sj_value_is_container(next)) {
				st = SJ_ROOM(m, &stack, stack.count + 1, 0);
				struct mask_level *below = st == SJ_OK ? &stack.items[stack.count] : NULL;
				if (below) {
					*below = (struct mask_level){.from = *next};
					st = next->type == SJ_V_ARRAY ? sj_value_array(m, &below->to)
					                              : sj_value_object(m, &below->to);
					stack.count += st == SJ_OK;
				}
				continue;
			}
			st = mask_scalar(m, next, &done);
			if (st != SJ_OK)
				break;
		}
		/* `done` is item l->i of the level. */
		struct sj_slice key = SJ_NO_SLICE;
		if (l->from.type == SJ_V_OBJECT)
			sj_value_member(&l->from, l->i, &key);
		st = l->from.type == SJ_V_ARRAY ? sj_value_append(m, &l->to, done) : sj_value_set(m, &l->to, key, done);
		done = SJ_ABSENT_VALUE;
		l->i++;
	}
	for (uint32_t i = 0; stack.items && i < stack.count; i++)
		sj_value_unref(m, stack.items[i].to);
	SJ_VEC_FREE(m, &stack);
	if (st == SJ_OK)
		*out = done;
	return st;
}

/* Replaces what stands at a place of our own copy. */
static enum sj_status mask_place(struct sj_mem *m, struct sj_value *copy, const struct sj_slice *tokens, uint32_t count)
{
	const struct sj_value *is = sj_value_walk(copy, tokens, count);
	if (!is)
		return SJ_OK;
	struct sj_value masked;
	enum sj_status st = sj_secret_mask(m, is, &masked);
	if (st != SJ_OK)
		return st;
	struct sj_value *v = copy;
	for (uint32_t i = 0; i < count && v; i++) {
		uint32_t index = 0;
		if (v->type == SJ_V_ARRAY)
			sj_num_index(tokens[i], &index);
		v = v->type == SJ_V_ARRAY ? sj_value_own_item(m, v, index, &st)
		                          : sj_value_own_member(m, v, tokens[i], &st);
	}
	if (!v) {
		sj_value_unref(m, masked);
		return SJ_NOMEM;
	}
	sj_value_unref(m, *v);
	*v = masked;
	return SJ_OK;
}

/* The secret places of a root, one a call. */
struct secret_walk {
	struct {
		const struct sj_value *secret;
		uint32_t i;
	} way[SJ_MAX_TOKENS + 1];
	struct sj_slice tokens[SJ_MAX_TOKENS];
	uint32_t depth; /* of the place just given: its tokens */
	bool done;
};

static void secrets_begin(struct secret_walk *w, const struct sj_surface *s, enum sj_root root)
{
	w->way[0].secret = &s->secrets[root];
	w->way[0].i = 0;
	w->depth = 0;
	w->done = false;
}

static bool secrets_next(struct secret_walk *w)
{
	while (!w->done) {
		const struct sj_value *v = w->way[w->depth].secret;
		if (v->type == SJ_V_OBJECT && w->way[w->depth].i < sj_value_count(v) && w->depth < SJ_MAX_TOKENS) {
			const struct sj_value *next =
				sj_value_member(v, w->way[w->depth].i++, &w->tokens[w->depth]);
			w->way[++w->depth].secret = next;
			w->way[w->depth].i = 0;
			if (next->type == SJ_V_TRUE)
				return true;
			continue;
		}
		bool all = w->depth == 0 && v->type == SJ_V_TRUE && w->way[0].i++ == 0; /* the root itself */
		w->done = w->depth == 0 && !all;
		if (all)
			return true;
		if (!w->done)
			w->depth--;
	}
	return false;
}

void sj_surface_print_masked(const struct sj_surface *s, enum sj_root root, struct sj_buf *out, unsigned flags)
{
	struct secret_walk w;
	struct sj_value copy = sj_value_ref(*sj_surface_model(s, root));
	enum sj_status st = SJ_OK;
	for (secrets_begin(&w, s, root); st == SJ_OK && secrets_next(&w);)
		st = mask_place(s->mem, &copy, w.tokens, w.depth);
	if (st == SJ_OK)
		sj_value_print(out, &copy, flags);
	else
		out->status = st; /* rather nothing than a secret */
	sj_value_unref(s->mem, copy);
}

/* Every string at or below one place, as JSON prints it, one a line. */
static enum sj_status put_texts(struct sj_mem *m, const struct sj_value *at, struct sj_buf *out)
{
	SJ_VEC(const struct sj_value *) work = {0};
	enum sj_status st = SJ_ROOM(m, &work, 1, 0);
	if (st == SJ_OK)
		work.items[work.count++] = at;
	while (st == SJ_OK && work.count) {
		const struct sj_value *v = work.items[--work.count];
		if (sj_value_is_string(v) && sj_value_text(v).len > 0) {
			sj_json_print_string(out, sj_value_text(v));
			sj_buf_putc(out, '\n');
		}
		uint32_t n = sj_value_count(v);
		st = SJ_ROOM(m, &work, work.count + n, 0);
		for (uint32_t i = 0; st == SJ_OK && i < n; i++) {
			struct sj_slice key;
			work.items[work.count++] =
				v->type == SJ_V_ARRAY ? sj_value_item(v, i) : sj_value_member(v, i, &key);
		}
	}
	SJ_VEC_FREE(m, &work);
	return st;
}

enum sj_status sj_surface_secret_texts(const struct sj_surface *s, struct sj_buf *out)
{
	struct secret_walk w;
	enum sj_status st = SJ_OK;
	for (int r = 0; r < SJ_ROOT_COUNT; r++)
		for (secrets_begin(&w, s, (enum sj_root)r); st == SJ_OK && secrets_next(&w);) {
			const struct sj_value *at =
				sj_value_walk(sj_surface_model(s, (enum sj_root)r), w.tokens, w.depth);
			if (at)
				st = put_texts(s->mem, at, out);
		}
	return st == SJ_OK ? sj_buf_status(out) : st;
}

enum sj_status sj_secret_local(struct sj_surface *s, sj_node_id n, enum sj_ui_prop ui)
{
	uint32_t k;
	const struct sj_group *g = sj_node_group(s, n, &k);
	const struct sj_pnode *pn = g ? &sj_plan_at(s, g->plan)->nodes.items[k] : NULL;
	for (uint32_t i = 0; pn && pn->why == SJ_WHY_SHOWN && i < pn->def->nprops; i++) {
		if (pn->def->props[i].ui != (uint8_t)ui || !(pn->def->props[i].flags & SJ_PF_SECRET))
			continue;
		struct sj_buf scope;
		sj_buf_init(&scope, s->mem, 0);
		sj_group_pointer(s, g->id, &scope);
		struct sj_slice tokens[3] = {sj_node_component_id(s, n), scope.ptr ? sj_buf_view(&scope) : SJ_LIT(""),
		                             sj_slice_of(sj_ui_prop_name(ui))};
		enum sj_status st =
			sj_buf_status(&scope) == SJ_OK ? sj_secret_mark(s, SJ_ROOT_LOCAL, tokens, 3) : SJ_NOMEM;
		sj_buf_finish(&scope);
		return st;
	}
	return SJ_OK;
}

static bool touches_secret(const struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count)
{
	const struct sj_value *v = &s->secrets[root];
	for (uint32_t i = 0; i < count && v && v->type != SJ_V_TRUE; i++)
		v = v->type == SJ_V_OBJECT ? sj_value_get(v, tokens[i]) : NULL;
	return v && v->type != SJ_V_ABSENT;
}

/* Where a fixed address leads from a group. */
static bool address_is_secret(struct sj_surface *s, uint32_t gid, const void *block, const struct sj_area *area,
                              const struct sj_caddr *a)
{
	enum sj_root root = (enum sj_root)a->root;
	struct sj_buf pointer, decoded;
	struct sj_slice tokens[SJ_MAX_TOKENS];
	sj_buf_init(&pointer, s->mem, 0);
	sj_buf_init(&decoded, s->mem, 0);
	if (a->relative && gid != SJ_NONE) {
		const struct sj_group *g = sj_group_at(s, gid);
		for (uint32_t up = a->up; up && g->parent != SJ_NONE; up--)
			g = sj_group_at(s, g->parent);
		if (g->parent != SJ_NONE) {
			sj_group_pointer(s, g->id, &pointer);
			root = (enum sj_root)sj_plan_at(s, g->plan)->root;
		}
	}
	const struct sj_cseg *segs = SJ_AREA(block, area->segs, struct sj_cseg) + a->seg0;
	const char *text = SJ_AREA(block, area->text, char);
	for (uint32_t i = 0; i < a->count; i++)
		sj_pointer_append(&pointer, sj_slice(text + segs[i].off, segs[i].len));
	struct sj_slice whole = pointer.ptr ? sj_buf_view(&pointer) : SJ_LIT("");
	uint32_t count = sj_pointer_split(&decoded, whole, tokens);
	bool secret = sj_buf_status(&pointer) != SJ_OK || sj_buf_status(&decoded) != SJ_OK ||
	              touches_secret(s, root, tokens, count);
	sj_buf_finish(&pointer);
	sj_buf_finish(&decoded);
	return secret;
}

bool sj_secret_read(struct sj_surface *s, uint32_t gid, const void *block, const struct sj_area *area, uint32_t from,
                    uint32_t to)
{
	if (!sj_surface_has_secrets(s))
		return false;
	const struct sj_ins *ins = SJ_AREA(block, area->ins, struct sj_ins);
	for (uint32_t i = from; i < to; i++) {
		if (ins[i].op != SJ_OP_READ)
			continue;
		const struct sj_caddr *a = &SJ_AREA(block, area->addrs, struct sj_caddr)[ins[i].arg];
		if (a->computed || address_is_secret(s, gid, block, area, a))
			return true;
	}
	return false;
}
