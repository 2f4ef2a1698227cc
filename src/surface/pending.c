/* Calls that are answered later: kept per slot and call site while their arguments stay the same. */
#include "surface/internal.h"

#define FREE_STATE 0xffu

/* Two 32-bit hashes of the arguments' canonical text: equal arguments never call again; different ones do, but for a
 * chance in 2^64. */
static bool hash_args(struct sj_surface *s, const struct sj_value *args, uint32_t n, uint64_t *out)
{
	struct sj_buf text;
	sj_buf_init(&text, s->mem, 0);
	for (uint32_t i = 0; i < n; i++) {
		sj_buf_putc(&text, args[i].type == SJ_V_ABSENT ? '-' : ',');
		if (args[i].type != SJ_V_ABSENT)
			sj_value_print(&text, &args[i], SJ_PRINT_SORTED);
	}
	bool ok = sj_buf_status(&text) == SJ_OK;
	*out = (uint64_t)sj_slice_hash(sj_buf_view(&text), 1) << 32 | sj_slice_hash(sj_buf_view(&text), 2);
	sj_buf_finish(&text);
	return ok;
}

static void forget(struct sj_surface *s, struct sj_pending *p)
{
	if (p->call && (p->state == SJ_R_PENDING || p->source) && s->driver->call_gone)
		s->driver->call_gone(s->ctx, s, p->call);
	sj_value_unref(s->mem, p->last);
	if (p->message)
		sj_mem_free(s->mem, p->message, p->message_len + 1);
	*p = (struct sj_pending){.next = s->free_pending, .state = FREE_STATE, .gid = SJ_NONE};
	s->free_pending = (uint32_t)(p - s->pending.items);
	s->pending_live--;
}

static uint64_t site_key(uint32_t gid, uint32_t slot) { return (uint64_t)gid << 32 | slot; }

/* Calls of one slot form a chain from the map. */
static uint32_t first_of(const struct sj_surface *s, uint32_t gid, uint32_t slot)
{
	uint32_t at = sj_map64_get(&s->pending_of, site_key(gid, slot));
	return at == SJ_MAP_NONE ? SJ_NONE : at;
}

void sj_pending_begin(struct sj_surface *s, uint32_t gid, uint32_t slot)
{
	for (uint32_t i = first_of(s, gid, slot); i != SJ_NONE; i = s->pending.items[i].chain)
		s->pending.items[i].seen = false;
}

void sj_pending_end(struct sj_surface *s, uint32_t gid, uint32_t slot)
{
	uint32_t first = SJ_NONE;
	for (uint32_t i = first_of(s, gid, slot), next; i != SJ_NONE; i = next) {
		struct sj_pending *p = &s->pending.items[i];
		next = p->chain;
		if (p->seen) {
			p->chain = first;
			first = i;
		} else {
			forget(s, p);
		}
	}
	if (first == SJ_NONE)
		sj_map64_del(&s->pending_of, site_key(gid, slot));
	else
		sj_map64_put(&s->pending_of, site_key(gid, slot), first); /* replaces: needs no memory */
}

void sj_pending_forget(struct sj_surface *s, uint32_t gid, uint32_t slot)
{
	sj_pending_begin(s, gid, slot);
	sj_pending_end(s, gid, slot);
}

void sj_pending_finish(struct sj_surface *s)
{
	for (uint32_t i = 0; i < s->pending.count; i++)
		if (s->pending.items[i].state != FREE_STATE)
			forget(s, &s->pending.items[i]);
	SJ_VEC_FREE(s->mem, &s->pending);
	sj_map64_finish(&s->pending_of);
}

static enum sj_result answered(struct sj_eval *e, struct sj_pending *p, struct sj_out *out)
{
	if (p->state == SJ_R_ERROR) {
		sj_diag_set(e->diag, SJ_INVALID, p->code, SJ_CAT_EXPRESSION, "%s",
		            p->message ? p->message : "The call failed.");
		return SJ_R_ERROR;
	}
	out->v = sj_value_ref(p->last);
	out->owned = true;
	return p->state == SJ_R_OK && p->last.type == SJ_V_ABSENT ? SJ_R_ABSENT : (enum sj_result)p->state;
}

/* Code is postfix: the operations just before a call build its arguments. */
static uint32_t arguments_from(const struct sj_eval *e, uint32_t site, uint32_t nargs)
{
	const struct sj_ins *ins = SJ_AREA(e->block, e->area->ins, struct sj_ins);
	uint32_t at = site;
	for (uint32_t need = nargs; need > 0 && at > e->ins0; need--) {
		const struct sj_ins *in = &ins[--at];
		switch ((enum sj_op)in->op) {
		case SJ_OP_CONST:
		case SJ_OP_INDEX:
		case SJ_OP_FAIL:
			break;
		case SJ_OP_READ:
			need += SJ_AREA(e->block, e->area->addrs, struct sj_caddr)[in->arg].computed;
			break;
		case SJ_OP_TEXT:
			need += 1;
			break;
		case SJ_OP_CONCAT:
		case SJ_OP_LIST:
			need += in->arg;
			break;
		case SJ_OP_CALL:
			need += SJ_AREA(e->block, e->area->calls, struct sj_callsite)[in->arg].nargs;
			break;
		case SJ_OP_MAP:
			need += in->n;
			break;
		case SJ_OP_SELECT:
			need += 3;
			break;
		}
	}
	return at;
}

static enum sj_result ask(struct sj_eval *e, uint32_t site, const struct sj_callsite *c, const struct sj_value *args,
                          struct sj_out *out)
{
	struct sj_surface *s = e->s;
	uint64_t hash;
	if (e->slot == SJ_NONE) {
		sj_diag_set(e->diag, SJ_INVALID, SJ_E_EXPRESSION_ERROR, SJ_CAT_EXPRESSION,
		            "Function '%s' is answered later and cannot be used here.", c->f->name);
		return SJ_R_ERROR;
	}
	if (!hash_args(s, args, c->nargs, &hash)) {
		e->no_memory = true;
		return SJ_R_ERROR;
	}
	e->pending_used = true;
	uint32_t i = first_of(s, e->gid, e->slot);
	while (i != SJ_NONE && s->pending.items[i].site != site)
		i = s->pending.items[i].chain;
	if (i != SJ_NONE && s->pending.items[i].args == hash) {
		s->pending.items[i].seen = true;
		return answered(e, &s->pending.items[i], out);
	}
	if (i == SJ_NONE) {
		if (s->pending_live >= s->limits->pending_calls) {
			sj_diag_set(e->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_EXPRESSION,
			            "More calls wait for an answer than the limit allows.");
			return SJ_R_ERROR;
		}
		i = s->free_pending;
		if (i == SJ_NONE) {
			if (SJ_ROOM(s->mem, &s->pending, s->pending.count + 1, 0) != SJ_OK) {
				e->no_memory = true;
				return SJ_R_ERROR;
			}
			i = s->pending.count;
		}
		uint32_t first = first_of(s, e->gid, e->slot);
		if (sj_map64_put(&s->pending_of, site_key(e->gid, e->slot), i) != SJ_OK) {
			e->no_memory = true;
			return SJ_R_ERROR;
		}
		if (i == s->free_pending)
			s->free_pending = s->pending.items[i].next;
		else
			s->pending.count++;
		s->pending_live++;
		s->pending.items[i] = (struct sj_pending){.gid = e->gid,
		                                          .slot = e->slot,
		                                          .k = e->k,
		                                          .site = site,
		                                          .chain = first,
		                                          .last = SJ_ABSENT_VALUE};
	} else if (s->pending.items[i].state == SJ_R_PENDING || s->pending.items[i].source) {
		if (s->pending.items[i].call && s->driver->call_gone)
			s->driver->call_gone(s->ctx, s, s->pending.items[i].call);
	}
	uint64_t refused = sj_mem_refused(s->mem);
	uint32_t id = s->driver->call_wanted ? s->driver->call_wanted(s->ctx, s, c->f, c->data, args, c->nargs) : 0;
	struct sj_pending *p = &s->pending.items[i];
	p->call = id;
	p->args = hash;
	if (!id && sj_mem_refused(s->mem) != refused) { /* not asked for want of memory: other arguments ask anew */
		p->args = ~hash;
		e->no_memory = true;
	}
	p->seen = true;
	p->source = c->f->kind == SJ_FN_SOURCE;
	p->state = id ? SJ_R_PENDING : SJ_R_ERROR;
	p->code = SJ_E_EXPRESSION_ERROR;
	if (p->message)
		sj_mem_free(s->mem, p->message, p->message_len + 1);
	p->message = NULL;
	return answered(e, p, out);
}

/* A secret goes to its owner by a deed of the person, never with each key that is typed. */
enum sj_result sj_pending_call(struct sj_eval *e, uint32_t site, const struct sj_callsite *c,
                               const struct sj_value *args, struct sj_out *out)
{
	struct sj_surface *s = e->s;
	if (!c->f->remote || !sj_surface_has_secrets(s))
		return ask(e, site, c, args, out);
	struct sj_value *shown = sj_mem_alloc(s->mem, (c->nargs + 1) * sizeof *shown);
	enum sj_status st = shown ? SJ_OK : SJ_NOMEM;
	uint32_t have = 0, from = arguments_from(e, site, c->nargs);
	for (; st == SJ_OK && have < c->nargs; have++) {
		uint32_t to = arguments_from(e, site, c->nargs - have - 1);
		shown[have] = SJ_ABSENT_VALUE;
		if (sj_secret_read(s, e->gid, e->block, e->area, from, to))
			st = sj_secret_mask(s->mem, &args[have], &shown[have]);
		else
			shown[have] = sj_value_ref(args[have]);
		from = to;
	}
	enum sj_result r = SJ_R_ERROR;
	if (st == SJ_OK)
		r = ask(e, site, c, shown, out);
	else
		e->no_memory = true;
	while (have)
		sj_value_unref(s->mem, shown[--have]);
	sj_mem_free(s->mem, shown, (c->nargs + 1) * sizeof *shown);
	return r;
}

enum sj_status sj_surface_answer(struct sj_surface *s, uint32_t call_id, enum sj_result r, struct sj_value take,
                                 const struct sj_diag *d)
{
	struct sj_pending *p = NULL;
	for (uint32_t i = 0; call_id && i < s->pending.count && !p; i++)
		if (s->pending.items[i].state != FREE_STATE && s->pending.items[i].call == call_id)
			p = &s->pending.items[i];
	if (!p || (p->state != SJ_R_PENDING && !p->source)) {
		sj_value_unref(s->mem, take);
		return SJ_ABSENT;
	}
	if (r == SJ_R_ERROR) {
		sj_value_unref(s->mem, take);
		struct sj_slice text = d && d->message[0] ? sj_slice_of(d->message) : SJ_LIT("The call failed.");
		char *message = sj_mem_strndup(s->mem, text); /* without memory the sentence is the general one */
		if (p->message)
			sj_mem_free(s->mem, p->message, p->message_len + 1);
		p->message = message;
		p->message_len = text.len;
		p->code = d && d->code != SJ_E_NONE ? d->code : SJ_E_EXPRESSION_ERROR;
	} else {
		sj_value_unref(s->mem, p->last);
		p->last = take;
	}
	p->state = (uint8_t)(r == SJ_R_ERROR ? SJ_R_ERROR : SJ_R_OK);
	struct sj_group *g = sj_group_at(s, p->gid);
	g->slots[p->slot].flags |= SJ_SF_DIRTY;
	sj_group_mark(s, g, p->k);
	return SJ_OK;
}
