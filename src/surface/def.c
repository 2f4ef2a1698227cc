/* Component entries, definition blocks, and the builder that makes a block. */
#include "surface/internal.h"

struct sj_def_builder {
	struct sj_code_builder code;
	SJ_VEC(struct sj_dprop) props;
	SJ_VEC(struct sj_dedge) edges;
	uint32_t comp, realm;
	struct sj_origin origin;
	uint16_t type_len, nslots, stack;
	uint32_t open; /* property whose code is being written, SJ_NONE */
	uint8_t kind, flags;
	void *ctx;
	void (*release)(void *ctx, struct sj_mem *mem);
	uint32_t head_bytes;  /* of language data that moves into the block; 0: `ctx` lives elsewhere */
	struct sj_slice tail;
};

/* ---- entries ----------------------------------------------------------------------------------------------------- */

uint32_t sj_comp_intern(struct sj_surface *s, struct sj_slice id)
{
	uint32_t key = sj_key_take(s, id);
	if (key == SJ_NONE)
		return 0;
	if (s->keys.v.items[key].comp) {
		uint32_t known = s->keys.v.items[key].comp;
		sj_key_drop(s, key);
		return known;
	}
	uint32_t ref = s->free_comp;
	if (ref) {
		s->free_comp = sj_comp_at(s, ref)->refs;
	} else {
		if (SJ_ROOM(s->mem, &s->comps, s->comps.count + 1, 0) != SJ_OK) {
			sj_key_drop(s, key);
			return 0;
		}
		ref = ++s->comps.count;
	}
	*sj_comp_at(s, ref) =
		(struct sj_comp){.key = key, .order = SJ_NONE, .action_at = SJ_NONE, .first_use = SJ_NO_USE};
	s->keys.v.items[key].comp = ref;
	return ref;
}

void sj_comp_release(struct sj_surface *s, uint32_t ref)
{
	struct sj_comp *c = sj_comp_at(s, ref);
	if (s->dying || c->refs || c->def || c->built || c->flags || c->first_use != SJ_NO_USE || c->key == SJ_NONE)
		return;
	s->keys.v.items[c->key].comp = 0;
	sj_key_drop(s, c->key);
	c->key = SJ_NONE;
	c->refs = s->free_comp;
	s->free_comp = ref;
}

void sj_comp_mark_changed(struct sj_surface *s, uint32_t ref)
{
	struct sj_comp *c = sj_comp_at(s, ref);
	if (c->flags & SJ_CF_CHANGED)
		return;
	c->flags |= SJ_CF_CHANGED;
	c->next_changed = 0;
	if (s->last_changed)
		sj_comp_at(s, s->last_changed)->next_changed = ref;
	else
		s->first_changed = ref;
	s->last_changed = ref;
}

void sj_def_ref(struct sj_def *d) { d->refs++; }

void sj_def_drop(struct sj_surface *s, struct sj_def *d)
{
	if (!d || --d->refs)
		return;
	const struct sj_dedge *e = sj_def_edges(d);
	for (uint32_t i = 0; !s->dying && i < d->nedges; i++) {
		sj_comp_at(s, e[i].comp)->refs--;
		sj_comp_release(s, e[i].comp);
	}
	for (uint32_t i = 0; i < d->nprops; i++)
		sj_value_unref(s->mem, d->props[i].literal);
	sj_code_area_release(s, d, &d->area);
	if (d->release)
		d->release(d->ctx, s->mem);
	sj_mem_free(s->mem, d, d->bytes);
}

/* The counters speak of current definitions: an entry is dangling when it is referred to and undefined, an orphan when
 * it is defined and nobody but the root's place refers to it. */
static void count_entry(struct sj_surface *s, uint32_t ref, bool in)
{
	const struct sj_comp *c = sj_comp_at(s, ref);
	uint32_t one = in ? 1u : UINT32_MAX;
	if (!c->def && c->in_degree)
		s->dangling += one;
	if (c->def && !c->in_degree && ref != s->root_comp)
		s->orphans += one;
}

static void count_edges(struct sj_surface *s, const struct sj_def *d, bool in)
{
	const struct sj_dedge *e = d ? sj_def_edges(d) : NULL;
	for (uint32_t i = 0; d && i < d->nedges; i++) {
		struct sj_comp *child = sj_comp_at(s, e[i].comp);
		if (in ? child->in_degree == 0 : child->in_degree == 1) {
			count_entry(s, e[i].comp, false);
			child->in_degree = in ? 1 : 0;
			count_entry(s, e[i].comp, true);
		} else {
			child->in_degree += in ? 1u : UINT32_MAX;
		}
	}
}

static void leave_order(struct sj_surface *s, uint32_t ref)
{
	struct sj_comp *c = sj_comp_at(s, ref);
	uint32_t at = c->order;
	memmove(&s->order.items[at], &s->order.items[at + 1], (s->order.count - at - 1) * sizeof *s->order.items);
	s->order.count--;
	for (uint32_t i = at; i < s->order.count; i++)
		sj_comp_at(s, s->order.items[i])->order = i;
	c->order = SJ_NONE;
}

/* The caller has reserved the place. */
static void enter_order(struct sj_surface *s, uint32_t ref, uint32_t at)
{
	assert(s->order.count < s->order.cap);
	if (at > s->order.count)
		at = s->order.count;
	memmove(&s->order.items[at + 1], &s->order.items[at], (s->order.count - at) * sizeof *s->order.items);
	s->order.items[at] = ref;
	s->order.count++;
	for (uint32_t i = at; i < s->order.count; i++)
		sj_comp_at(s, s->order.items[i])->order = i;
}

void sj_comp_swap(struct sj_surface *s, uint32_t ref, struct sj_def *def, uint32_t order)
{
	struct sj_comp *c = sj_comp_at(s, ref);
	count_edges(s, c->def, false);
	count_entry(s, ref, false);
	if (c->def && !def)
		leave_order(s, ref);
	else if (!c->def && def)
		enter_order(s, ref, order);
	c->def = def;
	count_entry(s, ref, true);
	count_edges(s, def, true);
	sj_comp_mark_changed(s, ref);
}

/* ---- the builder ------------------------------------------------------------------------------------------------- */

static void expect(struct sj_mem *m, void **items, uint32_t *cap, size_t item, uint32_t count, uint32_t more)
{
	if (count > UINT32_MAX / 4 || more > UINT32_MAX / 4 || count + more <= *cap)
		return;
	uint32_t want = count + more > *cap + *cap / 2 ? count + more : *cap + *cap / 2; /* many calls stay linear */
	void *moved = sj_mem_resize(m, *items, *cap * item, want * item);
	if (moved) {
		*items = moved;
		*cap = want;
	}
}

void sj_surface_expect(struct sj_surface *s, uint32_t components)
{
#define EXPECT(v) expect(s->mem, (void **)&(v)->items, &(v)->cap, sizeof *(v)->items, (v)->count, components)
	EXPECT(&s->keys.v);
	EXPECT(&s->comps);
	EXPECT(&s->order);
	EXPECT(&s->undo);
#undef EXPECT
}

enum sj_status sj_def_begin(struct sj_surface *s, struct sj_slice id, struct sj_slice type, enum sj_ui_kind kind,
                            struct sj_def_builder **out)
{
	struct sj_def_builder *b = s->spare;
	if (b) {
		s->spare = NULL;
	} else {
		b = sj_mem_zalloc(s->mem, sizeof *b);
		if (!b)
			return SJ_NOMEM;
		sj_code_builder_init(&b->code, s);
	}
	b->comp = sj_comp_intern(s, id);
	if (!b->comp) {
		s->spare = b;
		return SJ_NOMEM;
	}
	sj_comp_at(s, b->comp)->refs++; /* the builder's own */
	if (type.len > UINT16_MAX)
		sj_code_fail(&b->code, SJ_LIMIT);
	sj_code_text(&b->code, type); /* at the beginning of the text */
	b->type_len = (uint16_t)type.len;
	b->stack = 0;
	b->kind = (uint8_t)kind;
	b->flags = 0;
	b->nslots = 0;
	b->open = SJ_NONE;
	b->ctx = NULL;
	b->release = NULL;
	b->head_bytes = 0;
	b->tail = SJ_NO_SLICE;
	b->realm = 0;
	b->origin = s->origin;
	*out = b;
	return SJ_OK;
}

static void free_builder(struct sj_surface *s, struct sj_def_builder *b)
{
	sj_code_builder_finish(&b->code);
	SJ_VEC_FREE(s->mem, &b->props);
	SJ_VEC_FREE(s->mem, &b->edges);
	sj_mem_free(s->mem, b, sizeof *b);
}

void sj_def_builders_finish(struct sj_surface *s)
{
	if (s->spare)
		free_builder(s, s->spare);
	s->spare = NULL;
}

/* Gives back what the builder still holds and keeps it for the next definition of the transaction. */
static void retire(struct sj_def_builder *b)
{
	struct sj_surface *s = b->code.s;
	for (uint32_t i = 0; i < b->props.count; i++)
		sj_value_unref(s->mem, b->props.items[i].literal);
	for (uint32_t i = 0; i < b->edges.count; i++) {
		sj_comp_at(s, b->edges.items[i].comp)->refs--;
		sj_comp_release(s, b->edges.items[i].comp);
	}
	b->props.count = b->edges.count = 0;
	sj_comp_at(s, b->comp)->refs--;
	sj_comp_release(s, b->comp);
	sj_code_builder_clear(&b->code);
	if (s->spare || !s->txn_open)
		free_builder(s, b);
	else
		s->spare = b;
}

void sj_def_abandon(struct sj_def_builder *b)
{
	if (!b)
		return;
	if (b->release)
		b->release(b->ctx, b->code.s->mem);
	retire(b);
}

void sj_def_ctx(struct sj_def_builder *b, void *ctx, void (*release)(void *ctx, struct sj_mem *mem))
{
	b->ctx = ctx;
	b->release = release;
}

void sj_def_data(struct sj_def_builder *b, void *head, uint32_t head_bytes, struct sj_slice tail,
                 void (*release)(void *ctx, struct sj_mem *mem))
{
	sj_def_ctx(b, head, release);
	b->head_bytes = head_bytes;
	b->tail = tail;
}

void sj_def_realm(struct sj_def_builder *b, uint32_t realm) { b->realm = realm; }
void sj_def_origin(struct sj_def_builder *b, struct sj_origin origin) { b->origin = origin; }

void sj_def_unknown(struct sj_def_builder *b) { b->flags |= SJ_DF_UNKNOWN; }

/* Neighbouring edges mostly stand in the same property: they share its name. */
static uint32_t name_text(struct sj_def_builder *b, struct sj_slice name, uint16_t *len)
{
	struct sj_code_builder *c = &b->code;
	if (name.len > UINT16_MAX)
		sj_code_fail(c, SJ_LIMIT);
	*len = (uint16_t)name.len;
	if (c->status == SJ_OK && c->last_name != SJ_NONE &&
	    sj_slice_eq(sj_slice(c->text.items + c->last_name, c->last_name_len), name))
		return c->last_name;
	uint32_t off = sj_code_text(c, name);
	c->last_name = off;
	c->last_name_len = *len;
	return off;
}

static struct sj_dprop *add_prop(struct sj_def_builder *b, struct sj_slice name, enum sj_ui_prop ui,
                                 enum sj_prop_class cls, struct sj_value take)
{
	struct sj_surface *s = b->code.s;
	assert(b->open == SJ_NONE);
	uint16_t len = 0;
	uint32_t off = name_text(b, name, &len);
	enum sj_status st = b->code.status;
	if (st == SJ_OK)
		st = SJ_VEC_RESERVE(s->mem, &b->props, b->props.count + 1, 0);
	if (st != SJ_OK) {
		sj_value_unref(s->mem, take);
		sj_code_fail(&b->code, st);
		return NULL;
	}
	struct sj_dprop *p = &b->props.items[b->props.count++];
	*p = (struct sj_dprop){.name = off,
	                       .name_len = len,
	                       .ui = (unsigned)ui & 63u,
	                       .cls = (unsigned)cls & 7u,
	                       .slot = UINT16_MAX,
	                       .literal = take};
	if (cls == SJ_PC_ACTION)
		b->flags |= SJ_DF_ACTION;
	return p;
}

void sj_def_literal(struct sj_def_builder *b, struct sj_slice name, enum sj_ui_prop ui, enum sj_prop_class cls,
                    struct sj_value take)
{
	add_prop(b, name, ui, cls, take);
}

struct sj_code_builder *sj_def_code(struct sj_def_builder *b, struct sj_slice name, enum sj_ui_prop ui,
                                    enum sj_prop_class cls, unsigned flags, struct sj_value take_literal)
{
	struct sj_dprop *p = add_prop(b, name, ui, cls, take_literal);
	if (p) {
		b->open = b->props.count - 1;
		p->flags = (flags | SJ_PF_DYNAMIC) & 31u;
		p->ins0 = b->code.ins.count;
	}
	b->code.depth = b->code.max_depth = 0;
	return &b->code;
}

/* The two commonest codes are recognised once, so that evaluation can do without the machine. */
static unsigned shape_of(const struct sj_code_builder *c, const struct sj_dprop *p)
{
	const struct sj_ins *in = &c->ins.items[p->ins0], *last = in + p->nins - 1;
	if (p->nins == 1 && in->op == SJ_OP_READ && !c->addrs.items[in->arg].computed)
		return SJ_PF_READ;
	if (last->op != SJ_OP_CONCAT || p->nins > c->s->limits->expression_steps / 2)
		return 0;
	uint32_t parts = 0;
	for (; in < last; in++) {
		bool read = in->op == SJ_OP_READ && !c->addrs.items[in->arg].computed;
		bool text = in[1].op == SJ_OP_TEXT;
		if (!(read && text) && !(in->op == SJ_OP_CONST && sj_value_is_string(&c->consts.items[in->arg])))
			return 0;
		in += text;
		parts++;
	}
	return parts == last->arg ? SJ_PF_FORMAT : 0;
}

void sj_def_code_end(struct sj_def_builder *b)
{
	uint32_t at = b->open;
	b->open = SJ_NONE;
	if (b->code.status != SJ_OK)
		return;
	struct sj_dprop *p = &b->props.items[at];
	assert(b->code.depth == 1);
	if (b->code.depth != 1) {
		sj_code_fail(&b->code, SJ_INVALID);
		return;
	}
	uint32_t nins = b->code.ins.count - p->ins0;
	if (nins > UINT16_MAX || b->nslots == UINT16_MAX) {
		sj_code_fail(&b->code, SJ_LIMIT);
		return;
	}
	p->nins = (uint16_t)nins;
	if (b->code.max_depth > b->stack)
		b->stack = (uint16_t)b->code.max_depth;
	p->slot = b->nslots++;
	p->flags |= shape_of(&b->code, p) & 127u;
	if (p->cls == SJ_PC_CHECK)
		b->flags |= SJ_DF_CHECK;
	if (p->cls == SJ_PC_VISIBLE)
		b->flags |= SJ_DF_VISIBLE;
}

static struct sj_dedge *add_edge(struct sj_def_builder *b, struct sj_slice name, enum sj_ui_prop ui,
                                 struct sj_slice child_id)
{
	struct sj_surface *s = b->code.s;
	uint16_t len = 0;
	uint32_t off = name_text(b, name, &len);
	enum sj_status st = b->code.status;
	if (st == SJ_OK)
		st = SJ_VEC_RESERVE(s->mem, &b->edges, b->edges.count + 1, 0);
	uint32_t child = st == SJ_OK ? sj_comp_intern(s, child_id) : 0;
	if (!child) {
		sj_code_fail(&b->code, st != SJ_OK ? st : SJ_NOMEM);
		return NULL;
	}
	sj_comp_at(s, child)->refs++;
	struct sj_dedge *e = &b->edges.items[b->edges.count++];
	*e = (struct sj_dedge){.comp = child, .name = off, .name_len = len, .addr = SJ_NONE, .ui = (uint8_t)ui};
	return e;
}

void sj_def_child(struct sj_def_builder *b, struct sj_slice name, enum sj_ui_prop ui, uint32_t index,
                  struct sj_slice member, struct sj_slice child_id)
{
	struct sj_dedge *e = add_edge(b, name, ui, child_id);
	if (!e)
		return;
	e->index = index;
	if (member.len) {
		if (member.len > UINT8_MAX)
			sj_code_fail(&b->code, SJ_LIMIT);
		e->member = sj_code_text(&b->code, member);
		e->member_len = (uint8_t)member.len;
	}
}

void sj_def_template(struct sj_def_builder *b, struct sj_slice name, enum sj_ui_prop ui, const struct sj_addr *list,
                     struct sj_slice child_id, struct sj_slice alias)
{
	(void)alias; /* a language turns its names for frames into `up` counts before the core sees an address */
	for (uint16_t i = 0; i < list->count; i++)
		assert(list->segs[i].kind == SJ_SEG_KEY);
	struct sj_dedge *e = add_edge(b, name, ui, child_id);
	if (!e)
		return;
	uint32_t addr = sj_code_addr(&b->code, list);
	if (b->code.status != SJ_OK)
		return;
	e->addr = addr;
	b->flags |= SJ_DF_TEMPLATE;
}

static struct sj_def *pack(struct sj_def_builder *b)
{
	struct sj_surface *s = b->code.s;
	size_t props = sizeof(struct sj_def) + b->props.count * sizeof *b->props.items;
	size_t data = props;
	props = (props + b->head_bytes + b->tail.len + 7u) & ~(size_t)7u;
	size_t area = sj_code_area_bytes(&b->code) - b->code.text.count;
	size_t edges = (props + area + 3u) & ~(size_t)3u;
	size_t bytes = edges + b->edges.count * sizeof *b->edges.items + b->code.text.count;
	struct sj_def *d = bytes <= UINT32_MAX ? sj_mem_alloc(s->mem, bytes) : NULL;
	if (!d)
		return NULL;
	*d = (struct sj_def){.refs = 1,
	                     .bytes = (uint32_t)bytes,
	                     .nprops = b->props.count,
	                     .nedges = b->edges.count,
	                     .nslots = b->nslots,
	                     .stack = b->stack,
	                     .type_len = b->type_len,
	                     .kind = b->kind,
	                     .flags = b->flags,
	                     .edges = (uint32_t)edges,
	                     .ctx = b->ctx,
	                     .release = b->release,
	                     .origin = b->origin,
	                     .realm = b->realm};
	if (b->props.count)
		memcpy(d->props, b->props.items, b->props.count * sizeof *b->props.items);
	if (b->head_bytes) {
		d->ctx = memcpy((char *)d + data, b->ctx, b->head_bytes);
		if (b->tail.len)
			memcpy((char *)d + data + b->head_bytes, b->tail.ptr, b->tail.len);
	}
	/* Edges go between code and text, which may be unaligned: pack the code without text, then the two. */
	uint32_t text = b->code.text.count;
	b->code.text.count = 0;
	sj_code_area_pack(&b->code, d, props, &d->area);
	b->code.text.count = text;
	if (b->edges.count)
		memcpy((char *)d + edges, b->edges.items, b->edges.count * sizeof *b->edges.items);
	d->area.text = (uint32_t)(edges + b->edges.count * sizeof *b->edges.items);
	if (text)
		memcpy((char *)d + d->area.text, b->code.text.items, text);
	b->props.count = b->edges.count = 0; /* moved, counts and all */
	return d;
}

static enum sj_status journal(struct sj_surface *s, uint32_t ref, struct sj_def *def, bool first)
{
	struct sj_comp *c = sj_comp_at(s, ref);
	struct sj_undo *u = sj_undo_reserve(s, NULL, 0, 0);
	if (!u)
		return SJ_NOMEM;
	u->kind = SJ_U_DEF;
	u->n = ref;
	u->def = c->def;
	u->order = c->order;
	u->once = first;
	c->refs++; /* the journal's */
	s->undo.count++;
	sj_comp_swap(s, ref, def, SJ_NONE);
	return SJ_OK;
}

enum sj_status sj_def_end(struct sj_def_builder *b, struct sj_diag *diag)
{
	struct sj_surface *s = b->code.s;
	assert(s->txn_open);
	uint32_t ref = b->comp;
	enum sj_status st = b->code.status;
	struct sj_comp *c = sj_comp_at(s, ref);
	bool first = !(c->flags & SJ_CF_ONCE);
	if (st == SJ_OK && first && s->ever_defined >= s->limits->components)
		st = SJ_LIMIT;
	if (st == SJ_OK)
		st = SJ_ROOM(s->mem, &s->order, s->order.count + 1, 0);
	struct sj_def *d = NULL;
	if (st == SJ_OK) {
		d = pack(b);
		st = d ? journal(s, ref, d, first) : SJ_NOMEM;
	}
	if (st == SJ_OK) {
		b->release = NULL;
		c->flags |= SJ_CF_ONCE;
		s->ever_defined += first;
	} else if (d) {
		d->release = NULL;
		sj_def_drop(s, d);
	}
	if (st == SJ_LIMIT)
		sj_diag_set(diag, st, SJ_E_LIMIT, SJ_CAT_VALIDATION,
		            "Component '%.*s' is beyond a limit of the surface.", SJ_ARG(sj_key_text(s, c->key)));
	else if (st == SJ_NOMEM)
		sj_diag_set(diag, st, SJ_E_NOMEM, SJ_CAT_NONE, "Out of memory.");
	else if (st != SJ_OK)
		sj_diag_set(diag, st, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		            "Component '%.*s' could not be compiled.", SJ_ARG(sj_key_text(s, c->key)));
	sj_def_abandon(b);
	return st;
}

enum sj_status sj_surface_remove_component(struct sj_surface *s, struct sj_slice id)
{
	assert(s->txn_open);
	sj_component_ref c = sj_component_find(s, id);
	return c ? journal(s, c, NULL, false) : SJ_ABSENT;
}

void sj_comp_root(struct sj_surface *s, uint32_t ref)
{
	uint32_t old = s->root_comp;
	if (old)
		count_entry(s, old, false);
	if (ref)
		count_entry(s, ref, false);
	s->root_comp = ref;
	if (ref)
		count_entry(s, ref, true);
	if (old)
		count_entry(s, old, true);
	s->root_dirty = true;
}

enum sj_status sj_surface_set_root(struct sj_surface *s, struct sj_slice id)
{
	uint32_t ref = sj_comp_intern(s, id);
	if (!ref)
		return SJ_NOMEM;
	if (ref == s->root_comp)
		return SJ_OK;
	sj_comp_at(s, ref)->refs++;
	uint32_t old = s->root_comp;
	if (s->txn_open) {
		struct sj_undo *u = sj_undo_reserve(s, NULL, 0, 0);
		if (!u) {
			sj_comp_at(s, ref)->refs--;
			sj_comp_release(s, ref);
			return SJ_NOMEM;
		}
		u->kind = SJ_U_ROOT_COMP;
		u->n = old; /* with its reference */
		s->undo.count++;
	}
	sj_comp_root(s, ref);
	if (old && !s->txn_open) {
		sj_comp_at(s, old)->refs--;
		sj_comp_release(s, old);
	}
	return SJ_OK;
}

sj_component_ref sj_surface_root_component(const struct sj_surface *s) { return s->root_comp; }

/* ---- reading ----------------------------------------------------------------------------------------------------- */

sj_component_ref sj_component_find(const struct sj_surface *s, struct sj_slice id)
{
	uint32_t key = sj_key_find(s, id);
	uint32_t ref = key == SJ_NONE ? 0 : s->keys.v.items[key].comp;
	return ref && sj_comp_of(s, ref)->def ? ref : 0;
}

uint32_t sj_component_count(const struct sj_surface *s) { return s->order.count; }
sj_component_ref sj_component_at(const struct sj_surface *s, uint32_t i) { return s->order.items[i]; }

static const struct sj_comp *entry(const struct sj_surface *s, sj_component_ref c)
{
	return c && c <= s->comps.count ? sj_comp_of(s, c) : NULL;
}

bool sj_component_defined(const struct sj_surface *s, sj_component_ref c)
{
	const struct sj_comp *e = entry(s, c);
	return e && e->def;
}

struct sj_slice sj_component_id(const struct sj_surface *s, sj_component_ref c)
{
	const struct sj_comp *e = entry(s, c);
	return e && e->key != SJ_NONE ? sj_key_text(s, e->key) : SJ_NO_SLICE;
}

struct sj_slice sj_component_type(const struct sj_surface *s, sj_component_ref c)
{
	const struct sj_comp *e = entry(s, c);
	return e && e->def ? sj_def_text(e->def, 0, e->def->type_len) : SJ_NO_SLICE;
}

void *sj_component_ctx(const struct sj_surface *s, sj_component_ref c)
{
	const struct sj_comp *e = entry(s, c);
	return e && e->def ? e->def->ctx : NULL;
}

struct sj_origin sj_component_origin(const struct sj_surface *s, sj_component_ref c)
{
	const struct sj_comp *e = entry(s, c);
	return e && e->def ? e->def->origin : (struct sj_origin){0, 0};
}

uint32_t sj_component_parents(const struct sj_surface *s, sj_component_ref c)
{
	const struct sj_comp *e = entry(s, c);
	return e ? e->in_degree : 0;
}

uint32_t sj_component_edges(const struct sj_surface *s, sj_component_ref c)
{
	const struct sj_comp *e = entry(s, c);
	return e && e->def ? e->def->nedges : 0;
}

void sj_component_edge(const struct sj_surface *s, sj_component_ref c, uint32_t i, struct sj_edge *out)
{
	const struct sj_def *d = sj_comp_of(s, c)->def;
	const struct sj_dedge *e = &sj_def_edges(d)[i];
	const struct sj_comp *child = sj_comp_of(s, e->comp);
	*out = (struct sj_edge){.name = sj_def_text(d, e->name, e->name_len),
	                        .member = sj_def_text(d, e->member, e->member_len),
	                        .ui = (enum sj_ui_prop)e->ui,
	                        .index = e->index,
	                        .is_template = e->addr != SJ_NONE,
	                        .child = e->comp,
	                        .child_id = sj_key_text(s, child->key)};
}

uint32_t sj_surface_dangling(const struct sj_surface *s, struct sj_slice *first_missing, struct sj_slice *first_parent)
{
	if (s->dangling == 0 || (!first_missing && !first_parent))
		return s->dangling;
	for (uint32_t i = 0; i < s->order.count; i++) {
		const struct sj_comp *parent = sj_comp_of(s, s->order.items[i]);
		const struct sj_dedge *e = sj_def_edges(parent->def);
		for (uint32_t j = 0; j < parent->def->nedges; j++) {
			const struct sj_comp *child = sj_comp_of(s, e[j].comp);
			if (child->def)
				continue;
			if (first_missing)
				*first_missing = sj_key_text(s, child->key);
			if (first_parent)
				*first_parent = sj_key_text(s, parent->key);
			return s->dangling;
		}
	}
	return s->dangling;
}

uint32_t sj_surface_orphans(const struct sj_surface *s, struct sj_slice *first)
{
	for (uint32_t i = 0; first && s->orphans && i < s->order.count; i++) {
		const struct sj_comp *c = sj_comp_of(s, s->order.items[i]);
		if (c->in_degree || s->order.items[i] == s->root_comp)
			continue;
		*first = sj_key_text(s, c->key);
		break;
	}
	return s->orphans;
}
