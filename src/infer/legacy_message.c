/* What a message does, when it is complete and while it still arrives.
 *
 * A complete message must be valid. One whose end was supplied by the reader (a bracket was missing) is treated like
 * one that still arrives: what of it is valid counts, the rest is passed over, for whoever watched it arrive has seen
 * just that.
 */
#include "infer/legacy_internal.h"

static struct sj_legacy_node *body_of(const struct sj_legacy *p)
{
	const struct sj_legacy_node *m = p->read.message;
	struct sj_legacy_node *body =
		m && p->op != SJ_LO_NONE ? sj_legacy_member(m, sj_legacy_op_name(p->version, p->op)) : NULL;
	return body && body->type == SJ_LN_OBJECT ? body : NULL;
}

static bool is_component(const struct sj_legacy *p, const struct sj_legacy_node *n)
{
	const struct sj_legacy_node *list = n->parent, *body = list ? list->parent : NULL;
	return p->op == SJ_LO_UPDATE && n->type == SJ_LN_OBJECT && body && list->type == SJ_LN_ARRAY &&
	       sj_slice_is(list->key, "components") && body->parent && body->parent == p->read.message &&
	       sj_slice_eq(body->key, sj_legacy_op_name(p->version, SJ_LO_UPDATE));
}

void sj_legacy_message_drop(struct sj_legacy *p)
{
	struct sj_legacy_reader *r = &p->read;
	for (uint32_t i = 0; i < p->taken.count; i++)
		sj_value_unref(p->mem, p->taken.items[i].value);
	p->taken.count = p->settled = 0;
	sj_value_unref(p->mem, p->emitted);
	p->emitted = SJ_ABSENT_VALUE;
	p->op = SJ_LO_NONE;
	p->part_nodes = 0;
	r->message = r->top = NULL;
	r->has_key = r->has_colon = r->changed = false;
	r->nodes = r->depth = 0;
	sj_arena_reset(&r->arena);
}

enum sj_status sj_legacy_opened(struct sj_legacy *p, struct sj_legacy_node *node, struct sj_diag *diag)
{
	(void)diag;
	if (p->version == SJ_V10)
		return SJ_OK;
	if (p->op == SJ_LO_NONE && node->parent && node->parent == p->read.message)
		p->op = sj_legacy_op_find(p->version, node->key);
	if (is_component(p, node))
		p->part_nodes = p->read.nodes;
	return SJ_OK;
}

/* ---- components -------------------------------------------------------------------------------------------------- */

static enum sj_status take_component(struct sj_legacy *p, struct sj_legacy_node *node)
{
	struct sj_legacy_shape shape;
	struct sj_value v;
	enum sj_status st = SJ_VEC_RESERVE(p->mem, &p->taken, p->taken.count + 1, 0);
	if (st == SJ_OK)
		st = sj_legacy_snapshot(p, node, SJ_LV_WHOLE, &v, &shape);
	if (st == SJ_OK) {
		p->taken.items[p->taken.count++].value = v;
		node->taken = p->taken.count;
		node->first = node->last = NULL;
	}
	return st;
}

/* Those that have closed go to their surface. `valid`: the message as a whole is. */
static enum sj_status merge(struct sj_legacy *p, uint32_t surface, bool valid, struct sj_diag *diag)
{
	enum sj_status st = SJ_OK;
	for (; st == SJ_OK && p->settled < p->taken.count; p->settled++) {
		const struct sj_value *v = &p->taken.items[p->settled].value;
		st = valid ? SJ_OK : sj_legacy_check_component(p, v);
		if (st == SJ_INVALID)
			st = SJ_OK;
		else if (st == SJ_OK)
			st = sj_legacy_surface_put(p, surface, sj_value_ref(*v), false, diag);
	}
	return st;
}

static bool has_id_and_type(const struct sj_legacy *p, const struct sj_legacy_node *c)
{
	const struct sj_legacy_node *id = sj_legacy_member(c, SJ_LIT("id")),
				    *type = sj_legacy_member(c, SJ_LIT("component"));
	return id && id->type == SJ_LN_STRING && type &&
	       type->type == (sj_legacy_is_v08(p) ? SJ_LN_OBJECT : SJ_LN_STRING);
}

/* Without valid stand-ins a tree is shown when nothing is missing. What is still open may yet name something that is.
 */
static bool may_lack(const struct sj_legacy *p, const struct sj_legacy_node *c)
{
	const struct sj_legacy_node *type = sj_legacy_member(c, SJ_LIT("component"));
	if (p->stand_ins)
		return false;
	if (type->type == SJ_LN_STRING)
		return sj_legacy_may_name(p, type->text);
	return type->first && sj_legacy_may_name(p, type->first->key);
}

/* The one that still arrives, as far as it can be shown. */
static enum sj_status merge_part(struct sj_legacy *p, uint32_t surface, const struct sj_legacy_node *c,
                                 struct sj_diag *diag)
{
	uint64_t cost = (uint64_t)(p->read.nodes - p->part_nodes + 1) * 8;
	struct sj_legacy_shape shape;
	struct sj_value v;

	if (!has_id_and_type(p, c) || may_lack(p, c) || p->credit < cost)
		return SJ_OK;
	enum sj_status st = sj_legacy_snapshot(p, c, SJ_LV_COMPONENT, &v, &shape);
	if (st != SJ_OK)
		return st;
	st = shape.hollow || (shape.lone && !p->stand_ins) ? SJ_INVALID : sj_legacy_check_component(p, &v);
	if (st == SJ_OK)
		return sj_legacy_surface_put(p, surface, v, shape.lone, diag);
	sj_value_unref(p->mem, v);
	p->credit -= cost;
	return st == SJ_INVALID ? SJ_OK : st;
}

static enum sj_status update_root(struct sj_legacy *p, uint32_t surface, const struct sj_legacy_node *body,
                                  struct sj_diag *diag)
{
	const struct sj_legacy_node *root = sj_legacy_is_v08(p) ? NULL : sj_legacy_member(body, SJ_LIT("root"));
	if (!root || root->type != SJ_LN_STRING)
		return SJ_OK;
	p->surfaces.items[surface].named_root = !sj_slice_is(root->text, "root");
	return sj_legacy_surface_root(p, surface, root->text, diag);
}

static enum sj_status look_at_update(struct sj_legacy *p, const struct sj_legacy_node *body, struct sj_diag *diag)
{
	const struct sj_legacy_node *id = sj_legacy_member(body, SJ_LIT("surfaceId")),
				    *list = sj_legacy_member(body, SJ_LIT("components")), *last;
	uint32_t surface;

	if (!id || id->type != SJ_LN_STRING || !list || list->type != SJ_LN_ARRAY)
		return SJ_OK;
	enum sj_status st = sj_legacy_surface_find(p, id->text, &surface, diag);
	if (st != SJ_OK)
		return st;
	p->last_surface = surface;
	st = update_root(p, surface, body, diag);
	if (st == SJ_OK)
		st = merge(p, surface, false, diag);
	last = list->last;
	if (st == SJ_OK && last && last->type == SJ_LN_OBJECT && last->open && p->surfaces.items[surface].started)
		st = merge_part(p, surface, last, diag);
	return st == SJ_OK ? sj_legacy_surface_show(p, surface, diag) : st;
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

/* Is there something to show yet? An empty list or object that is still open is nothing. */
static bool has_data(const struct sj_legacy *p, const struct sj_legacy_node *body, const struct sj_value *message)
{
	struct sj_slice key = sj_legacy_is_v08(p) ? SJ_LIT("contents") : SJ_LIT("value");
	const struct sj_legacy_node *n = sj_legacy_member(body, key), *id = sj_legacy_member(body, SJ_LIT("surfaceId"));
	const struct sj_value *b = sj_value_get(message, body->key), *v = b ? sj_value_get(b, key) : NULL;
	return v && n && id && id->type == SJ_LN_STRING &&
	       (!sj_value_is_container(v) || sj_value_count(v) > 0 || !n->open);
}

static enum sj_status emit_data(struct sj_legacy *p, struct sj_value take)
{
	if (sj_value_equal(&p->emitted, &take)) {
		sj_value_unref(p->mem, take);
		return SJ_OK;
	}
	sj_value_unref(p->mem, p->emitted);
	p->emitted = sj_value_ref(take);
	return sj_legacy_emit(p, take);
}

static enum sj_status look_at_data(struct sj_legacy *p, const struct sj_legacy_node *body)
{
	uint64_t cost = (uint64_t)p->read.nodes * 8;
	struct sj_legacy_shape shape;
	struct sj_value m, v;

	if (p->credit < cost)
		return SJ_OK;
	enum sj_status st = sj_legacy_snapshot(p, p->read.message, SJ_LV_DATA, &m, &shape);
	if (st != SJ_OK)
		return st;
	if (!sj_legacy_is_v08(p) && !sj_value_get(&m, SJ_LIT("version"))) {
		st = sj_value_string(p->mem, sj_slice_of(sj_version_text(p->version)), &v);
		if (st == SJ_OK)
			st = sj_value_set(p->mem, &m, SJ_LIT("version"), v);
	}
	if (st == SJ_OK)
		st = !has_data(p, body, &m) ? SJ_INVALID : sj_legacy_check(p, &m, NULL);
	if (st == SJ_OK)
		return emit_data(p, m);
	sj_value_unref(p->mem, m);
	p->credit -= cost;
	return st == SJ_INVALID || st == SJ_LIMIT ? SJ_OK : st;
}

enum sj_status sj_legacy_look(struct sj_legacy *p, struct sj_diag *diag)
{
	const struct sj_legacy_node *body = body_of(p);

	if (!body || !p->read.changed)
		return SJ_OK;
	p->read.changed = false;
	if (p->op == SJ_LO_UPDATE)
		return look_at_update(p, body, diag);
	return p->op == SJ_LO_DATA ? look_at_data(p, body) : SJ_OK;
}

/* ---- complete messages ------------------------------------------------------------------------------------------- */

static enum sj_status start(struct sj_legacy *p, const struct sj_legacy_node *body, const struct sj_value *message,
                            struct sj_diag *diag)
{
	const struct sj_legacy_node *id = sj_legacy_member(body, SJ_LIT("surfaceId")),
				    *root = sj_legacy_member(body, SJ_LIT("root"));
	struct sj_slice name = root && root->type == SJ_LN_STRING ? root->text : SJ_LIT("root");
	uint32_t surface;
	enum sj_status st = sj_legacy_emit(p, sj_value_ref(*message));

	if (st != SJ_OK || !id || id->type != SJ_LN_STRING)
		return st;
	st = sj_legacy_surface_find(p, id->text, &surface, diag);
	if (st != SJ_OK)
		return st;
	struct sj_legacy_surface *s = &p->surfaces.items[surface];
	s->started = true;
	if (sj_legacy_is_v08(p) || s->root == SJ_LEGACY_NONE || root)
		st = sj_legacy_surface_root(p, surface, name, diag);
	return st == SJ_OK ? sj_legacy_surface_show(p, surface, diag) : st;
}

static enum sj_status update(struct sj_legacy *p, const struct sj_legacy_node *body, struct sj_diag *diag)
{
	const struct sj_legacy_node *id = sj_legacy_member(body, SJ_LIT("surfaceId"));
	uint32_t surface;
	if (!id || id->type != SJ_LN_STRING)
		return SJ_OK; /* only without checks */
	enum sj_status st = sj_legacy_surface_find(p, id->text, &surface, diag);
	if (st != SJ_OK)
		return st;
	p->last_surface = surface;
	st = update_root(p, surface, body, diag);
	if (st == SJ_OK)
		st = merge(p, surface, true, diag);
	return st == SJ_OK ? sj_legacy_surface_show(p, surface, diag) : st;
}

static enum sj_status delete_surface(struct sj_legacy *p, const struct sj_legacy_node *body,
                                     const struct sj_value *message)
{
	const struct sj_legacy_node *id = sj_legacy_member(body, SJ_LIT("surfaceId"));
	enum sj_status st = SJ_OK;
	if (!id || id->type != SJ_LN_STRING)
		return sj_legacy_emit(p, sj_value_ref(*message));
	uint32_t i = sj_map_get(&p->surface_ids, id->text);
	if (i != SJ_MAP_NONE && p->surfaces.items[i].started)
		st = sj_legacy_emit(p, sj_value_ref(*message));
	sj_legacy_surface_drop(p, id->text); /* and what was kept back for one that had not begun */
	return st;
}

/* A component where a message is expected: the brackets before it closed too much. */
static enum sj_status stray_component(struct sj_legacy *p, const struct sj_value *message, bool *taken,
                                      struct sj_diag *diag)
{
	*taken = false;
	if (p->version == SJ_V10 || p->last_surface == SJ_LEGACY_NONE || !has_id_and_type(p, p->read.message))
		return SJ_OK;
	enum sj_status st = sj_legacy_check_component(p, message);
	if (st != SJ_OK)
		return st == SJ_INVALID ? SJ_OK : st;
	*taken = true;
	st = sj_legacy_surface_put(p, p->last_surface, sj_value_ref(*message), false, diag);
	return st == SJ_OK ? sj_legacy_surface_show(p, p->last_surface, diag) : st;
}

static uint32_t count_ops(const struct sj_legacy *p)
{
	uint32_t ops = 0;
	for (const struct sj_legacy_node *n = p->read.message->first; n; n = n->next)
		ops += sj_legacy_op_find(p->version, n->key) != SJ_LO_NONE;
	return ops;
}

static enum sj_status act(struct sj_legacy *p, const struct sj_legacy_node *body, const struct sj_value *message,
                          struct sj_diag *diag)
{
	switch (p->op) {
	case SJ_LO_START:
		return start(p, body, message, diag);
	case SJ_LO_UPDATE:
		return update(p, body, diag);
	case SJ_LO_DATA:
		return emit_data(p, sj_value_ref(*message));
	case SJ_LO_DELETE:
		return delete_surface(p, body, message);
	case SJ_LO_NONE:
		break;
	}
	return sj_legacy_emit(p, sj_value_ref(*message));
}

static enum sj_status complete(struct sj_legacy *p, struct sj_diag *diag)
{
	const struct sj_legacy_node *body = body_of(p);
	struct sj_legacy_shape shape;
	struct sj_value message;
	bool taken = false;

	if (p->version != SJ_V10 && count_ops(p) > 1)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                   "Validation failed: Message contains multiple update types");
	enum sj_status st = sj_legacy_snapshot(p, p->read.message, SJ_LV_WHOLE, &message, &shape);
	if (st != SJ_OK)
		return st;
	if (!body)
		st = stray_component(p, &message, &taken, diag);
	if (st == SJ_OK && !taken)
		st = sj_legacy_check(p, &message, diag);
	if (st == SJ_OK && !taken)
		st = act(p, body, &message, diag);
	sj_value_unref(p->mem, message);
	return st;
}

enum sj_status sj_legacy_closed(struct sj_legacy *p, struct sj_legacy_node *node, bool implied, struct sj_diag *diag)
{
	enum sj_status st;
	if (node != p->read.message)
		return is_component(p, node) ? take_component(p, node) : SJ_OK;
	/* Without its own end, an update or data is what could be seen of it; the other messages have no parts. */
	if (implied && (p->op == SJ_LO_UPDATE || p->op == SJ_LO_DATA))
		st = sj_legacy_look(p, diag);
	else
		st = complete(p, diag);
	sj_legacy_message_drop(p);
	return st;
}
