/* The machine that runs compiled code: a stack of values, each owned by the stack or borrowed from the model or the
 * code. */
#include "surface/internal.h"

#include "base/num.h"

/* ---- places in the model ----------------------------------------------------------------------------------------- */

static const struct sj_value *descend(const struct sj_value *v, struct sj_slice key, uint32_t index)
{
	const struct sj_value *m = NULL;
	if (v->type == SJ_V_OBJECT)
		m = sj_value_get(v, key);
	else if (v->type == SJ_V_ARRAY && index != SJ_NONE)
		m = sj_value_item(v, index);
	return m && m->type != SJ_V_ABSENT ? m : NULL;
}

static const struct sj_value *follow(const struct sj_value *v, const void *block, const struct sj_area *area,
                                     const struct sj_caddr *a)
{
	const struct sj_cseg *segs = SJ_AREA(block, area->segs, struct sj_cseg) + a->seg0;
	const char *text = SJ_AREA(block, area->text, char);
	for (uint32_t i = 0; v && i < a->count; i++)
		v = descend(v, sj_slice(text + segs[i].off, segs[i].len), segs[i].index);
	return v;
}

static const struct sj_caddr *list_address(const struct sj_surface *s, const struct sj_group *g,
                                           const struct sj_def **d)
{
	const struct sj_plan *p = sj_plan_at(s, g->plan), *up = sj_plan_at(s, p->parent);
	const struct sj_plist *l = &up->lists.items[p->list];
	*d = up->nodes.items[l->k].def;
	return &SJ_AREA(*d, (*d)->area.addrs, struct sj_caddr)[sj_def_edges(*d)[l->edge].addr];
}

/* The group whose item a relative address starts at; NULL: the model's root. */
static const struct sj_group *base_group(const struct sj_surface *s, const struct sj_group *g, uint32_t up)
{
	while (up-- && g->parent != SJ_NONE)
		g = sj_group_at(s, g->parent);
	return g->parent == SJ_NONE ? NULL : g;
}

const struct sj_value *sj_row_at(const struct sj_surface *s, const struct sj_value *rows, uint32_t row,
                                 struct sj_slice *key)
{
	*key = SJ_NO_SLICE;
	if (rows->type == SJ_V_ARRAY)
		return sj_value_item(rows, row);
	if (!s->map_rows || rows->type != SJ_V_OBJECT || row >= sj_value_count(rows))
		return NULL;
	return sj_value_member(rows, row, key);
}

/* The item a row stands for. Depth of this recursion is the depth of frames, which is capped. */
static const struct sj_value *row_item(struct sj_surface *s, const struct sj_group *g)
{
	if (s->cache.gid == g->id && s->cache.epoch == s->epoch)
		return s->cache.item;
	uint32_t list = sj_plan_at(s, g->plan)->list;
	const struct sj_value *rows;
	if (s->cache.list_gid == g->parent && s->cache.list == list && s->cache.list_epoch == s->epoch) {
		rows = s->cache.rows;
	} else {
		const struct sj_def *d;
		const struct sj_caddr *a = list_address(s, g, &d);
		const struct sj_group *base = a->relative ? base_group(s, sj_group_at(s, g->parent), a->up) : NULL;
		rows = base ? row_item(s, base) : &s->roots[a->root];
		rows = rows ? follow(rows, d, &d->area, a) : NULL;
		s->cache.list_gid = g->parent;
		s->cache.list = list;
		s->cache.list_epoch = s->epoch;
		s->cache.rows = rows;
	}
	struct sj_slice key;
	const struct sj_value *v = rows ? sj_row_at(s, rows, g->row, &key) : NULL;
	s->cache.gid = g->id;
	s->cache.epoch = s->epoch;
	s->cache.item = v && v->type != SJ_V_ABSENT ? v : NULL;
	return s->cache.item;
}

static const struct sj_value *start_of(struct sj_surface *s, uint32_t gid, const struct sj_caddr *a)
{
	if (a->relative && gid != SJ_NONE) {
		const struct sj_group *base = base_group(s, sj_group_at(s, gid), a->up);
		if (base)
			return row_item(s, base);
	}
	return &s->roots[a->root];
}

const struct sj_value *sj_eval_address(struct sj_surface *s, uint32_t gid, const void *block,
                                       const struct sj_area *area, uint32_t addr)
{
	const struct sj_caddr *a = &SJ_AREA(block, area->addrs, struct sj_caddr)[addr];
	const struct sj_value *v = start_of(s, gid, a);
	return v ? follow(v, block, area, a) : NULL;
}

static void append_index(struct sj_buf *out, uint32_t i)
{
	char text[SJ_NUM_TEXT];
	sj_buf_putc(out, '/');
	sj_buf_put(out, text, sj_num_text_i64(i, text));
}

void sj_group_pointer(const struct sj_surface *s, uint32_t gid, struct sj_buf *out)
{
	const struct sj_group *way[SJ_MAX_FRAMES + 1];
	uint32_t n = 0;
	const struct sj_group *g =
		gid == SJ_NONE || sj_group_at(s, gid)->parent == SJ_NONE ? NULL : sj_group_at(s, gid);
	while (g && n <= SJ_MAX_FRAMES) {
		const struct sj_def *d;
		way[n++] = g;
		const struct sj_caddr *a = list_address(s, g, &d);
		g = a->relative ? base_group(s, sj_group_at(s, g->parent), a->up) : NULL;
	}
	const struct sj_value *v = NULL; /* what the pointer so far leads to; followed only where rows may have names */
	for (bool outermost = true; n--; outermost = false) {
		const struct sj_def *d;
		const struct sj_caddr *a = list_address(s, way[n], &d);
		const struct sj_cseg *segs = SJ_AREA(d, d->area.segs, struct sj_cseg) + a->seg0;
		for (uint32_t i = 0; i < a->count; i++)
			sj_pointer_append(out, sj_def_text(d, segs[i].off, segs[i].len));
		struct sj_slice key = SJ_NO_SLICE;
		if (s->map_rows) {
			v = outermost ? &s->roots[a->root] : v;
			v = v ? follow(v, d, &d->area, a) : NULL;
			v = v ? sj_row_at(s, v, way[n]->row, &key) : NULL;
		}
		if (key.ptr)
			sj_pointer_append(out, key);
		else
			append_index(out, way[n]->row);
	}
}

static enum sj_root root_of(const struct sj_surface *s, uint32_t gid, const struct sj_caddr *a)
{
	if (a->relative && gid != SJ_NONE) {
		const struct sj_group *g = base_group(s, sj_group_at(s, gid), a->up);
		while (g) {
			const struct sj_def *d;
			a = list_address(s, g, &d);
			g = a->relative ? base_group(s, sj_group_at(s, g->parent), a->up) : NULL;
		}
	}
	return (enum sj_root)a->root;
}

/* ---- the machine ------------------------------------------------------------------------------------------------- */

static void reset_diag(struct sj_diag *d)
{
	d->code = SJ_E_NONE;
	d->category = SJ_CAT_NONE;
	d->severity = SJ_SEV_ERROR;
	d->line = 0;
	d->offset = 0;
	d->detail[0] = d->pointer[0] = d->message[0] = d->hint[0] = '\0';
}

static void drop(struct sj_surface *s, struct sj_out *o)
{
	if (o->owned)
		sj_value_unref(s->mem, o->v);
	o->v = SJ_ABSENT_VALUE;
	o->owned = false;
}

static void set_nothing(struct sj_out *o, enum sj_result r)
{
	o->v = SJ_ABSENT_VALUE;
	o->r = (uint8_t)r;
	o->owned = false;
}

static void set_given(struct sj_out *o, struct sj_value v)
{
	o->v = v;
	o->r = v.type == SJ_V_ABSENT ? SJ_R_ABSENT : SJ_R_OK;
	o->owned = true;
}

static void set_lent(struct sj_out *o, const struct sj_value *v)
{
	if (!v || v->type == SJ_V_ABSENT) {
		set_nothing(o, SJ_R_ABSENT);
		return;
	}
	o->v = *v;
	o->r = SJ_R_OK;
	o->owned = false;
}

static void set_fault(struct sj_eval *e, struct sj_out *o, enum sj_code code, const char *message)
{
	sj_diag_set(e->diag, SJ_INVALID, code, SJ_CAT_EXPRESSION, "%s", message);
	set_nothing(o, SJ_R_ERROR);
}

static void set_no_memory(struct sj_eval *e, struct sj_out *o)
{
	e->no_memory = true;
	set_nothing(o, SJ_R_ERROR);
}

/* ERROR wins over PENDING, PENDING over the rest. */
static enum sj_result worst(const struct sj_out *o, uint32_t n)
{
	uint8_t r = SJ_R_OK;
	for (uint32_t i = 0; i < n; i++)
		if (o[i].r > SJ_R_ABSENT && o[i].r > r)
			r = o[i].r;
	return (enum sj_result)r;
}

static struct sj_slice token_text(struct sj_eval *e, const struct sj_value *v)
{
	if (sj_value_is_string(v))
		return sj_value_text(v);
	sj_buf_clear(&e->s->scratch);
	e->s->driver->text(v, &e->s->scratch);
	return sj_buf_view(&e->s->scratch);
}

/* The operations below read their operands `o[0]..` and leave what they make in *out, which is none of them. */

static void read_computed(struct sj_eval *e, const struct sj_caddr *a, const struct sj_out *o, struct sj_out *out)
{
	const struct sj_value *v = start_of(e->s, e->gid, a);
	enum sj_result r = worst(o, a->computed);
	if (r != SJ_R_OK) {
		set_nothing(out, r);
		return;
	}
	const struct sj_cseg *segs = SJ_AREA(e->block, e->area->segs, struct sj_cseg) + a->seg0;
	const char *text = SJ_AREA(e->block, e->area->text, char);
	for (uint32_t i = 0; v && i < a->count; i++) {
		struct sj_slice key = sj_slice(text + segs[i].off, segs[i].len);
		uint32_t index = segs[i].index;
		if (segs[i].len == SJ_NONE) {
			key = token_text(e, &o++->v);
			if (!sj_num_index(key, &index))
				index = SJ_NONE;
		}
		v = descend(v, key, index);
	}
	set_lent(out, v);
}

static void place_at(struct sj_eval *e, const struct sj_caddr *a, const struct sj_out *o, struct sj_buf *pointer,
                     struct sj_out *out)
{
	enum sj_result r = worst(o, a->computed);
	set_nothing(out, r);
	if (r != SJ_R_OK)
		return;
	if (a->relative && e->gid != SJ_NONE) {
		const struct sj_group *g = base_group(e->s, sj_group_at(e->s, e->gid), a->up);
		if (g)
			sj_group_pointer(e->s, g->id, pointer);
	}
	const struct sj_cseg *segs = SJ_AREA(e->block, e->area->segs, struct sj_cseg) + a->seg0;
	const char *text = SJ_AREA(e->block, e->area->text, char);
	for (uint32_t i = 0; i < a->count; i++)
		sj_pointer_append(pointer, segs[i].len == SJ_NONE ? token_text(e, &o++->v)
		                                                  : sj_slice(text + segs[i].off, segs[i].len));
}

static void index_of(struct sj_eval *e, uint32_t up, struct sj_out *out)
{
	const struct sj_group *g = e->gid == SJ_NONE ? NULL : base_group(e->s, sj_group_at(e->s, e->gid), up);
	if (g)
		set_given(out, sj_value_int(g->row));
	else
		set_fault(e, out, SJ_E_EXPRESSION_ERROR, "@index function can only be evaluated inside a collection template iteration scope.");
}

/* In place: text stays as it is. */
static void to_text(struct sj_eval *e, struct sj_out *o)
{
	if (o->r > SJ_R_ABSENT || sj_value_is_string(&o->v))
		return;
	struct sj_slice t = token_text(e, &o->v);
	struct sj_value v = SJ_ABSENT_VALUE;
	bool ok = sj_buf_status(&e->s->scratch) == SJ_OK && sj_value_string(e->s->mem, t, &v) == SJ_OK;
	drop(e->s, o);
	if (ok)
		set_given(o, v);
	else
		set_no_memory(e, o);
}

static void concat(struct sj_eval *e, const struct sj_out *o, uint32_t n, struct sj_out *out)
{
	char few[256];
	size_t len = 0;
	uint8_t r = SJ_R_OK;
	for (uint32_t i = 0; i < n; i++) {
		if (o[i].r > SJ_R_ABSENT && o[i].r > r)
			r = o[i].r;
		struct sj_slice t = sj_value_text(&o[i].v);
		if (len + t.len <= sizeof few && t.len)
			memcpy(few + len, t.ptr, t.len);
		len += t.len;
	}
	struct sj_slice whole = sj_slice(few, len);
	if (r != SJ_R_OK) {
		set_nothing(out, (enum sj_result)r);
		return;
	}
	if (len > sizeof few) {
		if (len > e->s->limits->string_bytes) {
			set_fault(e, out, SJ_E_LIMIT, "The text is longer than the limit.");
			return;
		}
		sj_buf_clear(&e->s->scratch);
		for (uint32_t i = 0; i < n; i++)
			sj_buf_slice(&e->s->scratch, sj_value_text(&o[i].v));
		if (sj_buf_status(&e->s->scratch) != SJ_OK) {
			set_no_memory(e, out);
			return;
		}
		whole = sj_buf_view(&e->s->scratch);
	}
	struct sj_value v;
	if (sj_value_string(e->s->mem, whole, &v) == SJ_OK)
		set_given(out, v);
	else
		set_no_memory(e, out);
}

static void list(struct sj_eval *e, const struct sj_out *o, uint32_t n, struct sj_out *out)
{
	struct sj_value v;
	if (sj_value_array(e->s->mem, &v) != SJ_OK) {
		set_no_memory(e, out);
		return;
	}
	uint8_t r = SJ_R_OK;
	for (uint32_t i = 0; i < n; i++) {
		bool ok = o[i].r == SJ_R_OK;
		e->faulted |= o[i].r == SJ_R_ERROR;
		if (o[i].r == SJ_R_PENDING)
			r = SJ_R_PENDING;
		if (sj_value_append(e->s->mem, &v, ok ? sj_value_ref(o[i].v) : SJ_NULL_VALUE) != SJ_OK) {
			sj_value_unref(e->s->mem, v);
			set_no_memory(e, out);
			return;
		}
	}
	set_given(out, v);
	out->r = r;
}

static void map(struct sj_eval *e, const struct sj_out *o, const struct sj_value *keys, uint32_t n, struct sj_out *out)
{
	struct sj_value v;
	if (sj_value_object(e->s->mem, &v) != SJ_OK) {
		set_no_memory(e, out);
		return;
	}
	uint8_t r = SJ_R_OK;
	for (uint32_t i = 0; i < n; i++) {
		e->faulted |= o[i].r == SJ_R_ERROR;
		if (o[i].r == SJ_R_PENDING)
			r = SJ_R_PENDING;
		if (o[i].r == SJ_R_OK &&
		    sj_value_set(e->s->mem, &v, sj_value_text(&keys[i]), sj_value_ref(o[i].v)) != SJ_OK) {
			sj_value_unref(e->s->mem, v);
			set_no_memory(e, out);
			return;
		}
	}
	set_given(out, v);
	out->r = r;
}

static void call(struct sj_eval *e, uint32_t site, const struct sj_callsite *c, const struct sj_out *o,
                 struct sj_out *out)
{
	enum sj_result r = worst(o, c->nargs);
	set_nothing(out, r);
	if (r != SJ_R_OK)
		return;
	if (c->f->kind == SJ_FN_EFFECT) {
		set_fault(e, out, SJ_E_EXPRESSION_ERROR, "A function with effects cannot be used in a binding.");
		return;
	}
	struct sj_value few[8], *v = few;
	if (c->nargs > 8) {
		v = sj_mem_alloc(e->s->mem, c->nargs * sizeof *v);
		if (!v) {
			set_no_memory(e, out);
			return;
		}
	}
	for (uint32_t i = 0; i < c->nargs; i++)
		v[i] = o[i].v;
	if (c->f->kind == SJ_FN_PURE) {
		struct sj_call sc = {.surface = e->s,
		                     .mem = e->s->mem,
		                     .ctx = c->f->ctx,
		                     .site = (void *)(uintptr_t)c->data,
		                     .args = v,
		                     .nargs = c->nargs,
		                     .diag = e->diag};
		uint64_t refused = sj_mem_refused(e->s->mem);
		out->owned = true;
		r = c->f->eval(&sc, &out->v);
		/* A function that had no memory has not failed: it is asked again when there is some. */
		e->no_memory = e->no_memory || (r == SJ_R_ERROR && sj_mem_refused(e->s->mem) != refused);
		if (r == SJ_R_OK && out->v.type == SJ_V_ABSENT)
			r = SJ_R_ABSENT;
		if (r == SJ_R_ERROR)
			sj_diag_set(e->diag, SJ_INVALID, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION,
			            "Function '%s' failed.", c->f->name);
		out->r = (uint8_t)r;
	} else {
		r = sj_pending_call(e, site, c, v, out);
		out->r = (uint8_t)r;
	}
	if (v != few)
		sj_mem_free(e->s->mem, v, c->nargs * sizeof *v);
}

/* Takes the chosen operand over. */
static void select_one(struct sj_eval *e, struct sj_out *o, struct sj_out *out)
{
	if (o[0].r > SJ_R_ABSENT) {
		set_nothing(out, (enum sj_result)o[0].r);
		return;
	}
	struct sj_out *taken = &o[e->s->driver->truthy(&o[0].v) ? 1 : 2], *left = taken == &o[1] ? &o[2] : &o[1];
	if (left->r == SJ_R_ERROR && taken->r != SJ_R_ERROR && !e->faulted && e->diag)
		reset_diag(e->diag); /* the fault of the way not taken is none */
	*out = *taken;
	taken->owned = false;
}

/* A code has no jumps: each operation runs once, pushes one value, and one is left, so its steps are known beforehand.
 */
static uint64_t steps_of(const struct sj_eval *e) { return 2 * (uint64_t)e->nins; }

static enum sj_result run(struct sj_eval *e, struct sj_out *st, struct sj_out *out, struct sj_buf *pointer)
{
	const struct sj_ins *in = SJ_AREA(e->block, e->area->ins, struct sj_ins) + e->ins0, *end = in + e->nins;
	const struct sj_value *consts = SJ_AREA(e->block, e->area->consts, struct sj_value);
	struct sj_out *top = st; /* first free cell */
	if (steps_of(e) > e->s->limits->expression_steps) {
		set_fault(e, out, SJ_E_LIMIT, "The expression takes more steps than the limit allows.");
		e->faulted = true;
		return SJ_R_ERROR;
	}
	for (; in < end; in++) {
		uint32_t pops = 0;
		struct sj_out r;
		const struct sj_callsite *site;
		const struct sj_caddr *a;
		switch ((enum sj_op)in->op) {
		case SJ_OP_CONST:
			set_lent(top++, &consts[in->arg]);
			continue;
		case SJ_OP_READ: {
			a = &SJ_AREA(e->block, e->area->addrs, struct sj_caddr)[in->arg];
			pops = a->computed;
			if (pointer && in + 1 == end) {
				place_at(e, a, top - pops, pointer, &r);
				break;
			}
			if (pops) {
				read_computed(e, a, top - pops, &r);
				break;
			}
			const struct sj_value *v = start_of(e->s, e->gid, a);
			set_lent(top++, v ? follow(v, e->block, e->area, a) : NULL);
			continue;
		}
		case SJ_OP_INDEX:
			index_of(e, in->n8, top++);
			continue;
		case SJ_OP_TEXT:
			to_text(e, top - 1);
			if (e->no_memory)
				goto no_memory;
			continue;
		case SJ_OP_CONCAT:
			pops = in->arg;
			concat(e, top - pops, pops, &r);
			break;
		case SJ_OP_CALL:
			site = &SJ_AREA(e->block, e->area->calls, struct sj_callsite)[in->arg];
			pops = site->nargs;
			call(e, (uint32_t)(e->ins0 + e->nins - (uint32_t)(end - in)), site, top - pops, &r);
			break;
		case SJ_OP_LIST:
			pops = in->arg;
			list(e, top - pops, pops, &r);
			break;
		case SJ_OP_MAP:
			pops = in->n;
			map(e, top - pops, &consts[in->arg], pops, &r);
			break;
		case SJ_OP_SELECT:
			pops = 3;
			select_one(e, top - 3, &r);
			break;
		case SJ_OP_FAIL:
			sj_diag_set(e->diag, SJ_INVALID, (enum sj_code)in->n, SJ_CAT_EXPRESSION, "%.*s",
			            SJ_ARG(sj_value_text(&consts[in->arg])));
			set_nothing(&r, SJ_R_ERROR);
			break;
		}
		for (; pops; pops--)
			if ((--top)->owned)
				sj_value_unref(e->s->mem, top->v);
		*top++ = r;
		if (e->no_memory)
			goto no_memory;
	}
	*out = st[0];
	e->faulted |= out->r == SJ_R_ERROR;
	return (enum sj_result)out->r;
no_memory:
	while (top > st)
		if ((--top)->owned)
			sj_value_unref(e->s->mem, top->v);
	set_nothing(out, SJ_R_ERROR);
	return SJ_R_ERROR;
}

static enum sj_result run_on_stack(struct sj_eval *e, struct sj_out *out, struct sj_buf *pointer)
{
	struct sj_out few[12];
	e->no_memory = e->faulted = false;
	if (e->diag)
		reset_diag(e->diag);
	if (e->stack <= 12)
		return run(e, few, out, pointer);
	struct sj_out *many = sj_mem_alloc(e->s->mem, e->stack * sizeof *many);
	if (!many) {
		set_no_memory(e, out);
		return SJ_R_ERROR;
	}
	enum sj_result r = run(e, many, out, pointer);
	sj_mem_free(e->s->mem, many, e->stack * sizeof *many);
	return r;
}

enum sj_result sj_eval_run(struct sj_eval *e, struct sj_out *out) { return run_on_stack(e, out, NULL); }

bool sj_eval_place(struct sj_eval *e, enum sj_root *root, struct sj_buf *pointer)
{
	const struct sj_ins *last = SJ_AREA(e->block, e->area->ins, struct sj_ins) + e->ins0 + e->nins - 1;
	if (!e->nins || last->op != SJ_OP_READ)
		return false;
	*root = root_of(e->s, e->gid, &SJ_AREA(e->block, e->area->addrs, struct sj_caddr)[last->arg]);
	struct sj_out out;
	enum sj_result r = run_on_stack(e, &out, pointer);
	drop(e->s, &out);
	return r == SJ_R_OK && sj_buf_status(pointer) == SJ_OK;
}

/* ---- slots ------------------------------------------------------------------------------------------------------- */

static void setup(struct sj_eval *e, struct sj_surface *s, uint32_t gid, uint32_t k, uint32_t prop,
                  struct sj_diag *diag)
{
	const struct sj_pnode *pn = &sj_plan_at(s, sj_group_at(s, gid)->plan)->nodes.items[k];
	const struct sj_def *d = pn->def;
	const struct sj_dprop *p = &d->props[prop];
	*e = (struct sj_eval){.s = s,
	                      .gid = gid,
	                      .k = k,
	                      .block = d,
	                      .area = &d->area,
	                      .ins0 = p->ins0,
	                      .nins = p->nins,
	                      .stack = d->stack,
	                      .slot = pn->slot0 + p->slot,
	                      .diag = diag};
}

/* Moves a result into a slot. Containers of the model are not counted, so that no cache makes the model shared. */
static void store(struct sj_surface *s, struct sj_slot *slot, struct sj_out *out)
{
	sj_slot_uncharge(s, slot);
	if (!(slot->flags & (SJ_SF_MODEL | SJ_SF_LENT)))
		sj_value_unref(s->mem, slot->v);
	slot->flags &= (uint8_t)~(SJ_SF_MODEL | SJ_SF_LENT);
	if (!out->owned && sj_value_is_container(&out->v))
		slot->flags |= SJ_SF_MODEL;
	else if (!out->owned)
		sj_value_ref(out->v);
	slot->v = out->v;
	slot->result = out->r;
	out->owned = false;
}

static bool differs(const struct sj_slot *slot, const struct sj_out *out)
{
	if (slot->result != out->r || slot->flags & SJ_SF_LENT)
		return true;
	bool model = !out->owned && sj_value_is_container(&out->v);
	if (slot->flags & SJ_SF_MODEL)
		return slot->flags & SJ_SF_FORCE || !model || slot->v.type != out->v.type || slot->v.u.a != out->v.u.a;
	return !sj_value_equal(&slot->v, &out->v);
}

/* Remembers that the value changed since the last batch, and whether only by text added at its end. */
static void note_difference(struct sj_slot *slot, bool is_text, struct sj_slice now)
{
	bool grew = false;
	if (slot->flags & SJ_SF_LENT) {
		grew = slot->flags & SJ_SF_APPENDED && is_text;
	} else if (is_text && sj_value_is_string(&slot->v)) {
		struct sj_slice was = sj_value_text(&slot->v);
		grew = was.len && now.len > was.len && memcmp(was.ptr, now.ptr, was.len) == 0;
		if (!(slot->flags & SJ_SF_CHANGED))
			slot->seen = (uint32_t)was.len;
		else if (!(slot->flags & SJ_SF_APPENDED))
			grew = false;
	}
	slot->flags |= SJ_SF_CHANGED;
	if (grew)
		slot->flags |= SJ_SF_APPENDED;
	else
		slot->flags &= (uint8_t)~SJ_SF_APPENDED;
}

/* What stands at a fixed address. Many slots often read one place, one after another. */
static const struct sj_value *read_at(struct sj_surface *s, uint32_t gid, const struct sj_def *d,
                                      const struct sj_caddr *a)
{
	if (a->relative && base_group(s, sj_group_at(s, gid), a->up)) {
		const struct sj_value *v = start_of(s, gid, a);
		return v ? follow(v, d, &d->area, a) : NULL;
	}
	const struct sj_cseg *segs = SJ_AREA(d, d->area.segs, struct sj_cseg) + a->seg0;
	const char *text = SJ_AREA(d, d->area.text, char);
	bool known = s->read.segs && s->read.epoch == s->epoch && s->read.count == a->count && s->read.root == a->root;
	for (uint32_t i = 0; known && i < a->count; i++)
		known = segs[i].len == s->read.segs[i].len &&
		        memcmp(text + segs[i].off, s->read.text + s->read.segs[i].off, segs[i].len) == 0;
	if (!known) {
		s->read.segs = segs;
		s->read.text = text;
		s->read.epoch = s->epoch;
		s->read.count = a->count;
		s->read.root = a->root;
		s->read.v = follow(&s->roots[a->root], d, &d->area, a);
	}
	return s->read.v;
}

enum { SIMPLE_TEXT = 256 };

/* Texts of constants and fixed addresses, joined, without the machine. false: they go the long way. */
static bool join_simple(struct sj_surface *s, uint32_t gid, const struct sj_def *d, const struct sj_dprop *p,
                        char text[SIMPLE_TEXT], size_t *out)
{
	const struct sj_ins *in = SJ_AREA(d, d->area.ins, struct sj_ins) + p->ins0;
	const struct sj_caddr *addrs = SJ_AREA(d, d->area.addrs, struct sj_caddr);
	const struct sj_value *consts = SJ_AREA(d, d->area.consts, struct sj_value);
	size_t len = 0;
	for (const struct sj_ins *end = in + p->nins - 1; in < end; in++) {
		static const struct sj_value absent = {.type = SJ_V_ABSENT};
		const struct sj_value *v =
			in->op == SJ_OP_READ ? read_at(s, gid, d, &addrs[in->arg]) : &consts[in->arg];
		struct sj_slice t;
		if (v && sj_value_is_string(v)) {
			t = sj_value_text(v);
		} else {
			sj_buf_clear(&s->scratch);
			s->driver->text(v ? v : &absent, &s->scratch);
			if (sj_buf_status(&s->scratch) != SJ_OK)
				return false;
			t = sj_buf_view(&s->scratch);
		}
		if (t.len > SIMPLE_TEXT - len)
			return false;
		if (t.len)
			memcpy(text + len, t.ptr, t.len);
		len += t.len;
		in += in[1].op == SJ_OP_TEXT;
	}
	*out = len;
	return true;
}

/* A slot of joined texts keeps its memory from value to value. SJ_ABSENT: it goes the long way. */
static enum sj_status join_slot(struct sj_surface *s, uint32_t gid, const struct sj_def *d, const struct sj_dprop *p,
                                struct sj_slot *slot, bool tell, bool *changed)
{
	char text[SIMPLE_TEXT];
	size_t len;
	if (!join_simple(s, gid, d, p, text, &len))
		return SJ_ABSENT;
	struct sj_slice now = sj_slice(text, len);
	slot->fault = SJ_E_NONE;
	*changed = slot->result != SJ_R_OK || !sj_value_is_string(&slot->v) ||
	           !sj_slice_eq(sj_value_text(&slot->v), now);
	if (*changed) {
		if (tell)
			note_difference(slot, true, now);
		sj_slot_uncharge(s, slot);
		if (sj_value_string_set(s->mem, &slot->v, now) != SJ_OK)
			return SJ_NOMEM;
		slot->result = SJ_R_OK;
	}
	slot->flags &= (uint8_t)~(SJ_SF_DIRTY | SJ_SF_FORCE);
	return SJ_OK;
}

/* Small results are bounded by the number of nodes; only larger ones are counted one by one. */
enum { CHARGED_FROM = 4096 };

/* A large value that an expression made goes on the surface's account, so that one template over one long text cannot
 * use up the memory of all peers. Beyond the limit the result is a fault. Returns the bytes to charge, 0 for none. */
static uint32_t weigh(struct sj_eval *e, const struct sj_slot *slot, size_t made, struct sj_out *out)
{
	struct sj_surface *s = e->s;
	if (!out->owned || e->pending_used || !sj_value_identity(&out->v))
		return 0;
	size_t bytes = sj_value_is_string(&out->v) ? sj_value_text(&out->v).len : made;
	if (bytes < CHARGED_FROM)
		return 0;
	uint64_t others = s->charged_bytes;
	if (slot->flags & SJ_SF_CHARGED) {
		uint32_t own = sj_map64_get(&s->charged, (uint64_t)(uintptr_t)sj_value_identity(&slot->v));
		others -= own == SJ_MAP_NONE ? 0 : own;
	}
	if (bytes <= s->limits->computed_bytes && others <= s->limits->computed_bytes - bytes) {
		s->charged_over = false;
		return (uint32_t)bytes;
	}
	drop(s, out);
	if (s->charged_over) { /* every further row would say the same */
		set_nothing(out, SJ_R_ERROR);
		return 0;
	}
	s->charged_over = true;
	set_fault(e, out, SJ_E_LIMIT, "What is computed on this surface is larger than the limit (computed_bytes).");
	e->faulted = true;
	return 0;
}

static enum sj_status charge(struct sj_surface *s, struct sj_slot *slot, uint32_t bytes)
{
	uint64_t body = (uint64_t)(uintptr_t)sj_value_identity(&slot->v);
	if (!bytes || sj_map64_get(&s->charged, body) != SJ_MAP_NONE)
		return SJ_OK;
	enum sj_status st = sj_map64_put(&s->charged, body, bytes);
	if (st != SJ_OK)
		return st;
	s->charged_bytes += bytes;
	slot->flags |= SJ_SF_CHARGED;
	return SJ_OK;
}

static enum sj_status run_slot(struct sj_surface *s, uint32_t gid, uint32_t k, uint32_t prop, struct sj_out *out,
                               uint32_t *large)
{
	struct sj_diag diag;
	struct sj_eval e;
	setup(&e, s, gid, k, prop, &diag);
	bool had_calls = sj_group_at(s, gid)->slots[e.slot].flags & SJ_SF_PENDING;
	if (had_calls)
		sj_pending_begin(s, gid, e.slot);
	size_t before = s->mem->used_bytes;
	sj_eval_run(&e, out);
	if (e.no_memory) {
		drop(s, out);
		return SJ_NOMEM;
	}
	if (had_calls || e.pending_used)
		sj_pending_end(s, gid, e.slot);
	struct sj_group *g = sj_group_at(s, gid);
	struct sj_slot *slot = &g->slots[e.slot];
	*large = weigh(&e, slot, s->mem->used_bytes > before ? s->mem->used_bytes - before : 0, out);
	slot->flags = (uint8_t)(e.pending_used ? slot->flags | SJ_SF_PENDING : slot->flags & ~SJ_SF_PENDING);
	/* While an answer is awaited the last value stays. */
	if (out->r == SJ_R_PENDING && out->v.type == SJ_V_ABSENT && !(slot->flags & (SJ_SF_MODEL | SJ_SF_LENT))) {
		out->v = sj_value_ref(slot->v);
		out->owned = true;
	}
	uint16_t fault = (uint16_t)(e.faulted ? diag.code : SJ_E_NONE);
	bool report = fault != SJ_E_NONE && fault != slot->fault;
	slot->fault = fault;
	if (report && s->driver->fault)
		s->driver->fault(s->ctx, s, sj_handle(g, k), &diag);
	return SJ_OK;
}

enum sj_status sj_eval_slot(struct sj_surface *s, uint32_t gid, uint32_t k, uint32_t prop, bool tell, bool *changed)
{
	const struct sj_group *g = sj_group_at(s, gid);
	const struct sj_pnode *pn = &sj_plan_at(s, g->plan)->nodes.items[k];
	const struct sj_dprop *p = &pn->def->props[prop];
	struct sj_slot *slot = &g->slots[pn->slot0 + p->slot];
	struct sj_out out;
	uint32_t large = 0;
	if (p->flags & SJ_PF_READ) {
		bool woken = s->woken.v && s->woken.slot == pn->slot0 + p->slot && s->woken.gid == gid &&
		             s->woken.epoch == s->epoch;
		const struct sj_ins *in = SJ_AREA(pn->def, pn->def->area.ins, struct sj_ins) + p->ins0;
		set_lent(&out, woken ? s->woken.v
		                     : read_at(s, gid, pn->def,
		                               &SJ_AREA(pn->def, pn->def->area.addrs, struct sj_caddr)[in->arg]));
		slot->fault = SJ_E_NONE;
	} else {
		if (p->flags & SJ_PF_FORMAT && !(slot->flags & (SJ_SF_MODEL | SJ_SF_LENT))) {
			enum sj_status st =
				join_slot(s, gid, pn->def, p, slot, tell && !sj_group_is_new(s, g, k), changed);
			if (st != SJ_ABSENT)
				return st;
		}
		enum sj_status st = run_slot(s, gid, k, prop, &out, &large);
		if (st != SJ_OK)
			return st;
	}
	*changed = differs(slot, &out);
	if (*changed) {
		if (tell && !sj_group_is_new(s, g, k))
			note_difference(slot, sj_value_is_string(&out.v), sj_value_text(&out.v));
		store(s, slot, &out);
		if (charge(s, slot, large) != SJ_OK)
			return SJ_NOMEM;
	} else {
		drop(s, &out); /* what is there is equal */
	}
	slot->flags &= (uint8_t)~(SJ_SF_DIRTY | SJ_SF_FORCE);
	return SJ_OK;
}

const struct sj_value *sj_slot_value(struct sj_surface *s, uint32_t gid, uint32_t k, uint32_t prop)
{
	const struct sj_group *g = sj_group_at(s, gid);
	const struct sj_pnode *pn = &sj_plan_at(s, g->plan)->nodes.items[k];
	struct sj_slot *slot = &g->slots[pn->slot0 + pn->def->props[prop].slot];
	if (slot->flags & SJ_SF_DIRTY) {
		/* Read before the next settle, which would not see the difference any more; a row left stale has nobody
		 * to tell. */
		bool changed = false, tell = g->flags & SJ_GF_DIRTY;
		if (sj_eval_slot(s, gid, k, prop, tell, &changed) != SJ_OK)
			return NULL;
		if (changed && tell)
			sj_note_changed(s, sj_group_at(s, gid), k, SJ_IF_SET);
	}
	if (slot->flags & (SJ_SF_MODEL | SJ_SF_LENT)) {
		struct sj_eval e;
		struct sj_out out;
		setup(&e, s, gid, k, prop, NULL);
		e.slot = SJ_NONE;
		if (slot->flags & SJ_SF_PENDING)
			return NULL;
		sj_eval_run(&e, &out);
		if (e.no_memory) {
			drop(s, &out);
			return NULL;
		}
		store(s, slot, &out);
	}
	return slot->v.type == SJ_V_ABSENT ? NULL : &slot->v;
}

enum sj_result sj_surface_eval(struct sj_surface *s, sj_node_id n, const struct sj_code_block *c, struct sj_value *out,
                               struct sj_diag *diag)
{
	uint32_t k = 0;
	const struct sj_group *g = n ? sj_node_group(s, n, &k) : NULL;
	struct sj_diag own;
	struct sj_eval e = {.s = s,
	                    .gid = g ? g->id : SJ_NONE,
	                    .k = k,
	                    .block = c,
	                    .area = &c->area,
	                    .nins = c->nins,
	                    .stack = c->stack,
	                    .slot = SJ_NONE,
	                    .diag = diag ? diag : &own};
	struct sj_out o;
	sj_eval_run(&e, &o);
	if (e.no_memory)
		sj_diag_set(e.diag, SJ_NOMEM, SJ_E_NOMEM, SJ_CAT_NONE, "Out of memory.");
	if (!o.owned)
		sj_value_ref(o.v);
	*out = o.v;
	return (enum sj_result)o.r;
}
