/* Reading nodes. */
#include "surface/internal.h"

#include "base/num.h"

struct sj_group *sj_node_group(const struct sj_surface *s, sj_node_id n, uint32_t *k)
{
	uint32_t gid = (uint32_t)(n >> 24) & 0xffffffu, at = (uint32_t)n & 0xffffffu;
	if (gid >= s->groups.count)
		return NULL;
	struct sj_group *g = sj_group_at(s, gid);
	if ((uintptr_t)g & 1 || at >= g->ninsts || !g->insts[at].gen || g->insts[at].gen != (uint16_t)(n >> 48))
		return NULL;
	*k = at;
	return g;
}

static const struct sj_pnode *place(const struct sj_surface *s, sj_node_id n, struct sj_group **g, uint32_t *k)
{
	*g = sj_node_group(s, n, k);
	return *g ? &sj_plan_at(s, (*g)->plan)->nodes.items[*k] : NULL;
}

/* The definition a node was made from; NULL for placeholders. */
static const struct sj_def *shown(const struct sj_pnode *pn) { return pn && pn->why == SJ_WHY_SHOWN ? pn->def : NULL; }

static const uint32_t *kids_of(const struct sj_pnode *pn)
{
	return pn->def->nedges == 1 ? &pn->kids.one : pn->kids.v;
}

sj_node_id sj_surface_root(const struct sj_surface *s)
{
	return s->root_group == SJ_NONE ? 0 : sj_handle(sj_group_at(s, s->root_group), 0);
}

bool sj_node_alive(const struct sj_surface *s, sj_node_id n)
{
	uint32_t k;
	return sj_node_group(s, n, &k) != NULL;
}

uint64_t sj_surface_node_count(const struct sj_surface *s) { return s->node_count; }

sj_component_ref sj_node_component(const struct sj_surface *s, sj_node_id n)
{
	struct sj_group *g;
	uint32_t k;
	const struct sj_pnode *pn = place(s, n, &g, &k);
	return pn && sj_comp_of(s, pn->comp)->def ? pn->comp : 0;
}

struct sj_slice sj_node_component_id(const struct sj_surface *s, sj_node_id n)
{
	struct sj_group *g;
	uint32_t k;
	const struct sj_pnode *pn = place(s, n, &g, &k);
	return pn ? sj_key_text(s, sj_comp_of(s, pn->comp)->key) : SJ_NO_SLICE;
}

enum sj_ui_kind sj_node_kind(const struct sj_surface *s, sj_node_id n)
{
	struct sj_group *g;
	uint32_t k;
	const struct sj_def *d = shown(place(s, n, &g, &k));
	return d ? (enum sj_ui_kind)d->kind : SJ_UI_CUSTOM;
}

struct sj_slice sj_node_type(const struct sj_surface *s, sj_node_id n)
{
	struct sj_group *g;
	uint32_t k;
	const struct sj_pnode *pn = place(s, n, &g, &k);
	const struct sj_def *d = shown(pn);
	if (pn && !d)
		d = sj_comp_of(s, pn->comp)->built;
	return d ? sj_def_text(d, 0, d->type_len) : SJ_NO_SLICE;
}

enum sj_why sj_node_why(const struct sj_surface *s, sj_node_id n)
{
	struct sj_group *g;
	uint32_t k;
	const struct sj_pnode *pn = place(s, n, &g, &k);
	if (!pn)
		return SJ_WHY_PENDING;
	return g->insts[k].flags & SJ_IF_HIDDEN ? SJ_WHY_HIDDEN : (enum sj_why)pn->why;
}

/* The list node of a row group, in the group above. */
static uint32_t list_place(const struct sj_surface *s, const struct sj_group *g)
{
	const struct sj_plan *p = sj_plan_at(s, g->plan);
	return sj_plan_at(s, p->parent)->lists.items[p->list].k;
}

sj_node_id sj_node_parent(const struct sj_surface *s, sj_node_id n)
{
	struct sj_group *g;
	uint32_t k;
	const struct sj_pnode *pn = place(s, n, &g, &k);
	if (!pn)
		return 0;
	if (pn->parent != SJ_NONE)
		return sj_handle(g, pn->parent);
	return g->parent == SJ_NONE ? 0 : sj_handle(sj_group_at(s, g->parent), list_place(s, g));
}

uint32_t sj_node_child_count(const struct sj_surface *s, sj_node_id n)
{
	struct sj_group *g;
	uint32_t k;
	const struct sj_pnode *pn = place(s, n, &g, &k);
	const struct sj_def *d = shown(pn);
	return d ? sj_plan_drawn(s, g, k, d->nedges) : 0;
}

/* The edge of the i-th drawn child; *row is its row under a template edge. SJ_NONE: there is none. */
static uint32_t edge_of(const struct sj_group *g, const struct sj_pnode *pn, uint32_t i, uint32_t *row)
{
	const struct sj_def *d = pn->def;
	*row = 0;
	if (!(d->flags & SJ_DF_TEMPLATE))
		return i < d->nedges ? i : SJ_NONE;
	const struct sj_dedge *e = sj_def_edges(d);
	const uint32_t *kids = kids_of(pn);
	for (uint32_t j = 0; j < d->nedges; j++) {
		uint32_t n = e[j].addr == SJ_NONE ? 1 : g->lists[kids[j]].count;
		if (i < n) {
			*row = e[j].addr == SJ_NONE ? 0 : i;
			return j;
		}
		i -= n;
	}
	return SJ_NONE;
}

sj_node_id sj_node_child(const struct sj_surface *s, sj_node_id n, uint32_t i)
{
	struct sj_group *g;
	uint32_t k, row;
	const struct sj_pnode *pn = place(s, n, &g, &k);
	uint32_t e = shown(pn) ? edge_of(g, pn, i, &row) : SJ_NONE;
	if (e == SJ_NONE)
		return 0;
	uint32_t kid = kids_of(pn)[e];
	if (sj_def_edges(pn->def)[e].addr == SJ_NONE)
		return kid == SJ_NONE ? 0 : sj_handle(g, kid);
	return sj_handle(sj_group_at(s, g->lists[kid].ids[row]), 0);
}

void sj_node_child_edge(const struct sj_surface *s, sj_node_id n, uint32_t i, struct sj_edge *out)
{
	struct sj_group *g;
	uint32_t k, row;
	const struct sj_pnode *pn = place(s, n, &g, &k);
	uint32_t at = shown(pn) ? edge_of(g, pn, i, &row) : SJ_NONE;
	*out = (struct sj_edge){0};
	if (at == SJ_NONE)
		return;
	const struct sj_def *d = pn->def;
	const struct sj_dedge *e = &sj_def_edges(d)[at];
	const struct sj_comp *child = sj_comp_of(s, e->comp);
	*out = (struct sj_edge){.name = sj_def_text(d, e->name, e->name_len),
	                        .member = sj_def_text(d, e->member, e->member_len),
	                        .ui = (enum sj_ui_prop)e->ui,
	                        .index = e->addr == SJ_NONE ? e->index : row,
	                        .is_template = e->addr != SJ_NONE,
	                        .child = child->def ? e->comp : 0,
	                        .child_id = sj_key_text(s, child->key)};
}

uint32_t sj_node_scope_depth(const struct sj_surface *s, sj_node_id n)
{
	struct sj_group *g;
	uint32_t k;
	return place(s, n, &g, &k) ? sj_plan_at(s, g->plan)->depth : 0;
}

void sj_node_data_path(const struct sj_surface *s, sj_node_id n, struct sj_buf *out)
{
	struct sj_group *g;
	uint32_t k;
	size_t before = out->len;
	if (place(s, n, &g, &k))
		sj_group_pointer(s, g->id, out);
	if (out->len == before)
		sj_buf_putc(out, '/');
}

int64_t sj_node_row(const struct sj_surface *s, sj_node_id n)
{
	struct sj_group *g;
	uint32_t k;
	return place(s, n, &g, &k) && g->parent != SJ_NONE ? (int64_t)g->row : -1;
}

/* ---- finding ----------------------------------------------------------------------------------------------------- */

/* Which of two nodes is drawn first: their ways up are compared where they part. */
static bool drawn_before(const struct sj_surface *s, sj_node_id a, sj_node_id b)
{
	uint32_t da = 0, db = 0;
	for (sj_node_id n = a; n; n = sj_node_parent(s, n))
		da++;
	for (sj_node_id n = b; n; n = sj_node_parent(s, n))
		db++;
	sj_node_id ca = 0, cb = 0;
	for (; da > db; da--)
		ca = a, a = sj_node_parent(s, a);
	for (; db > da; db--)
		cb = b, b = sj_node_parent(s, b);
	while (a != b) {
		ca = a, a = sj_node_parent(s, a);
		cb = b, b = sj_node_parent(s, b);
	}
	if (!ca || !cb)
		return cb != 0; /* one is above the other */
	for (uint32_t i = 0, n = sj_node_child_count(s, a); i < n; i++) {
		sj_node_id c = sj_node_child(s, a, i);
		if (c == ca || c == cb)
			return c == ca;
	}
	return false;
}

sj_node_id sj_surface_find(const struct sj_surface *s, struct sj_slice component_id, const uint32_t *rows,
                           uint32_t nrows)
{
	uint32_t key = sj_key_find(s, component_id), comp = key == SJ_NONE ? 0 : s->keys.v.items[key].comp;
	sj_node_id best = 0;
	if (!comp || nrows > SJ_MAX_FRAMES)
		return 0;
	uint32_t all = nrows == 32 ? UINT32_MAX : (1u << nrows) - 1u;
	for (uint64_t use = sj_comp_of(s, comp)->first_use; use != SJ_NO_USE;) {
		const struct sj_plan *p = sj_plan_at(s, (uint32_t)(use >> 32));
		uint32_t k = (uint32_t)use, gid;
		struct sj_giter it;
		if (p->depth == nrows) {
			sj_giter_begin(&it, (struct sj_surface *)(uintptr_t)s, p->id, all, rows);
			if (sj_giter_next(&it, &gid)) {
				const struct sj_group *g = sj_group_at(s, gid);
				sj_node_id n = k < g->ninsts && g->insts[k].gen ? sj_handle(g, k) : 0;
				if (n && (!best || drawn_before(s, n, best)))
					best = n;
			}
		}
		use = p->nodes.items[k].next_use;
	}
	return best;
}

/* ---- properties -------------------------------------------------------------------------------------------------- */

uint32_t sj_node_prop_count(const struct sj_surface *s, sj_node_id n)
{
	struct sj_group *g;
	uint32_t k;
	const struct sj_def *d = shown(place(s, n, &g, &k));
	return d ? d->nprops : 0;
}

static const struct sj_value *literal(const struct sj_dprop *p)
{
	return p->literal.type == SJ_V_ABSENT ? NULL : &p->literal;
}

bool sj_node_prop(struct sj_surface *s, sj_node_id n, uint32_t i, struct sj_prop *out)
{
	struct sj_group *g;
	uint32_t k;
	const struct sj_pnode *pn = place(s, n, &g, &k);
	const struct sj_def *d = shown(pn);
	if (!d || i >= d->nprops)
		return false;
	const struct sj_dprop *p = &d->props[i];
	*out = (struct sj_prop){.name = sj_def_text(d, p->name, p->name_len),
	                        .ui = (enum sj_ui_prop)p->ui,
	                        .cls = (enum sj_prop_class)p->cls,
	                        .flags = p->flags,
	                        .result = SJ_R_OK};
	if (!p->nins || p->cls == SJ_PC_ACTION) {
		out->value = literal(p);
		out->result = out->value ? SJ_R_OK : SJ_R_ABSENT;
		return true;
	}
	const struct sj_value *v = sj_slot_value(s, g->id, k, i);
	out->value = p->cls == SJ_PC_CHECK ? literal(p) : v;
	if (sj_secret_read(s, g->id, d, &d->area, p->ins0, p->ins0 + p->nins))
		out->flags |= SJ_PF_SHOWS;
	out->result = (enum sj_result)sj_group_at(s, g->id)->slots[pn->slot0 + p->slot].result;
	return true;
}

bool sj_node_prop_named(struct sj_surface *s, sj_node_id n, struct sj_slice name, struct sj_prop *out)
{
	struct sj_group *g;
	uint32_t k;
	const struct sj_def *d = shown(place(s, n, &g, &k));
	for (uint32_t i = 0; d && i < d->nprops; i++)
		if (sj_slice_eq(sj_def_text(d, d->props[i].name, d->props[i].name_len), name))
			return sj_node_prop(s, n, i, out);
	return false;
}

static uint32_t prop_by_meaning(const struct sj_def *d, enum sj_ui_prop ui)
{
	for (uint32_t i = 0; d && i < d->nprops; i++)
		if (d->props[i].ui == (uint8_t)ui && d->props[i].cls != SJ_PC_CHECK && d->props[i].cls != SJ_PC_VISIBLE)
			return i;
	return SJ_NONE;
}

const struct sj_value *sj_node_ui(struct sj_surface *s, sj_node_id n, enum sj_ui_prop ui)
{
	struct sj_group *g;
	uint32_t k;
	const struct sj_def *d = shown(place(s, n, &g, &k));
	if (!d)
		return NULL;
	uint32_t i = prop_by_meaning(d, ui);
	if (sj_ui_is_input((enum sj_ui_kind)d->kind) && (i == SJ_NONE || !(d->props[i].flags & SJ_PF_BOUND))) {
		const struct sj_value *own = sj_node_local(s, n, sj_slice_of(sj_ui_prop_name(ui)));
		if (own)
			return own;
	}
	struct sj_prop p;
	return i != SJ_NONE && sj_node_prop(s, n, i, &p) ? p.value : NULL;
}

bool sj_node_bound(const struct sj_surface *s, sj_node_id n, enum sj_ui_prop ui)
{
	struct sj_group *g;
	uint32_t k;
	const struct sj_def *d = shown(place(s, n, &g, &k));
	uint32_t i = prop_by_meaning(d, ui);
	return i != SJ_NONE && d->props[i].flags & SJ_PF_BOUND;
}

bool sj_node_place(struct sj_surface *s, sj_node_id n, enum sj_ui_prop ui, enum sj_root *root, struct sj_buf *pointer,
                   bool *secret)
{
	struct sj_group *g;
	uint32_t k;
	const struct sj_def *d = shown(place(s, n, &g, &k));
	uint32_t i = prop_by_meaning(d, ui);
	if (i == SJ_NONE || !(d->props[i].flags & SJ_PF_BOUND))
		return false;
	const struct sj_dprop *p = &d->props[i];
	struct sj_eval e = {.s = s,
	                    .gid = g->id,
	                    .k = k,
	                    .block = d,
	                    .area = &d->area,
	                    .ins0 = p->ins0,
	                    .nins = p->nins,
	                    .stack = d->stack,
	                    .slot = SJ_NONE};
	if (secret)
		*secret = p->flags & SJ_PF_SECRET;
	return sj_eval_place(&e, root, pointer);
}

bool sj_node_bound_path(struct sj_surface *s, sj_node_id n, enum sj_ui_prop ui, struct sj_buf *pointer)
{
	enum sj_root root;
	return sj_node_place(s, n, ui, &root, pointer, NULL);
}

uint32_t sj_pointer_split(struct sj_buf *decoded, struct sj_slice pointer, struct sj_slice tokens[SJ_MAX_TOKENS])
{
	uint32_t n = 0, starts[SJ_MAX_TOKENS + 1];
	size_t at = 0;
	struct sj_slice t;
	struct sj_buf one;
	sj_buf_init(&one, decoded->mem, 0);
	while (n < SJ_MAX_TOKENS && sj_pointer_next(pointer, &at, &one, &t)) {
		starts[n++] = (uint32_t)decoded->len;
		sj_buf_slice(decoded, t);
	}
	starts[n] = (uint32_t)decoded->len;
	if (sj_buf_status(&one) != SJ_OK)
		decoded->status = sj_buf_status(&one);
	sj_buf_finish(&one);
	for (uint32_t i = 0; i < n; i++)
		tokens[i] = sj_slice(decoded->ptr ? decoded->ptr + starts[i] : "", starts[i + 1] - starts[i]);
	return n;
}

enum sj_status sj_node_write(struct sj_surface *s, sj_node_id n, enum sj_ui_prop ui, struct sj_value take,
                             struct sj_diag *diag)
{
	struct sj_buf pointer, decoded;
	struct sj_slice tokens[SJ_MAX_TOKENS];
	enum sj_root root;
	bool secret = false;
	sj_buf_init(&pointer, s->mem, 0);
	sj_buf_init(&decoded, s->mem, 0);
	enum sj_status st;
	if (!sj_node_place(s, n, ui, &root, &pointer, &secret)) {
		sj_value_unref(s->mem, take);
		st = sj_buf_status(&pointer) != SJ_OK
		             ? sj_diag_set(diag, SJ_NOMEM, SJ_E_NOMEM, SJ_CAT_NONE, "Out of memory.")
		             : sj_diag_set(diag, SJ_INVALID, SJ_E_STATE, SJ_CAT_STATE,
		                           "The property is not bound to a place.");
	} else {
		uint32_t count = sj_pointer_split(&decoded, sj_buf_view(&pointer), tokens);
		st = sj_buf_status(&decoded);
		if (st == SJ_OK && secret)
			st = sj_secret_mark(s, root, tokens, count);
		if (st == SJ_OK) {
			st = sj_surface_set(s, root, tokens, count, take, diag);
		} else {
			sj_value_unref(s->mem, take);
			sj_diag_set(diag, st, SJ_E_NOMEM, SJ_CAT_NONE, "Out of memory.");
		}
	}
	sj_buf_finish(&pointer);
	sj_buf_finish(&decoded);
	return st;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

struct check_at {
	const struct sj_dprop *prop;
	const struct sj_value *value;
	enum sj_result result;
	struct sj_check_outcome out;
};

/* The next check at or after *i; false: no more. */
static bool next_check(struct sj_surface *s, uint32_t gid, uint32_t k, uint32_t *i, struct check_at *c)
{
	static const struct sj_value absent = {.type = SJ_V_ABSENT};
	const struct sj_group *g = sj_group_at(s, gid);
	const struct sj_pnode *pn = &sj_plan_at(s, g->plan)->nodes.items[k];
	const struct sj_def *d = pn->def;
	for (; *i < d->nprops; ++*i) {
		const struct sj_dprop *p = &d->props[*i];
		if (p->cls != SJ_PC_CHECK || !p->nins)
			continue;
		const struct sj_value *v = sj_slot_value(s, gid, k, *i);
		*c = (struct check_at){.prop = p,
		                       .value = v ? v : &absent,
		                       .result = (enum sj_result)sj_group_at(s, gid)->slots[pn->slot0 + p->slot].result,
		                       .out = {.valid = true}};
		s->driver->check(c->result, c->value, &c->out);
		++*i;
		return true;
	}
	return false;
}

static struct sj_slice message_of(const struct check_at *c)
{
	const struct sj_value *own = c->out.result ? sj_value_get(c->out.result, SJ_LIT("message")) : NULL;
	if (own && sj_value_is_string(own))
		return sj_value_text(own);
	return sj_value_text(&c->prop->literal);
}

void sj_node_validity(struct sj_surface *s, sj_node_id n, struct sj_validity *out)
{
	struct sj_group *g;
	uint32_t k, i = 0;
	*out = (struct sj_validity){.valid = true, .message = SJ_LIT(""), .code = SJ_LIT("")};
	if (!shown(place(s, n, &g, &k)))
		return;
	struct check_at c;
	bool told = false;
	while (next_check(s, g->id, k, &i, &c)) {
		out->has_checks = true;
		out->pending |= c.result == SJ_R_PENDING;
		if (c.out.valid)
			continue;
		if (c.out.severity == SJ_SEV_ERROR)
			out->valid = false;
		if (told)
			continue;
		told = true;
		out->severity = c.out.severity;
		out->message = message_of(&c);
		out->result = c.out.result;
		const struct sj_value *code = c.out.result ? sj_value_get(c.out.result, SJ_LIT("code")) : NULL;
		if (code && sj_value_is_string(code))
			out->code = sj_value_text(code);
	}
}

uint32_t sj_node_failed_messages(struct sj_surface *s, sj_node_id n, struct sj_slice *out, uint32_t max)
{
	struct sj_group *g;
	uint32_t k, i = 0, found = 0;
	if (!shown(place(s, n, &g, &k)))
		return 0;
	struct check_at c;
	while (next_check(s, g->id, k, &i, &c))
		if (!c.out.valid) {
			if (found < max)
				out[found] = message_of(&c);
			found++;
		}
	return found < max ? found : max;
}

bool sj_node_enabled(struct sj_surface *s, sj_node_id n)
{
	struct sj_group *g;
	uint32_t k;
	const struct sj_def *d = shown(place(s, n, &g, &k));
	if (!d || g->insts[k].flags & SJ_IF_HIDDEN)
		return false;
	if (!(d->flags & SJ_DF_ACTION) || sj_ui_is_input((enum sj_ui_kind)d->kind))
		return true;
	return !(g->insts[k].flags & SJ_IF_INVALID) && !(s->gate && s->invalid_count);
}

uint32_t sj_surface_invalid_count(struct sj_surface *s) { return s->invalid_count; }
