/* What the person does: local state, edit sessions, focus, environment. */
#include "surface/internal.h"

/* ---- local state ------------------------------------------------------------------------------------------------- */

/* Tokens of a node's local state: component id, data path of its scope, name. `scope` holds the path's bytes. */
static bool local_tokens(const struct sj_surface *s, sj_node_id n, struct sj_slice name, struct sj_buf *scope,
                         struct sj_slice tokens[3])
{
	uint32_t k;
	const struct sj_group *g = sj_node_group(s, n, &k);
	if (!g)
		return false;
	sj_group_pointer(s, g->id, scope);
	tokens[0] = sj_node_component_id(s, n);
	tokens[1] = scope->ptr ? sj_buf_view(scope) : SJ_LIT("");
	tokens[2] = name;
	return sj_buf_status(scope) == SJ_OK;
}

const struct sj_value *sj_node_local(struct sj_surface *s, sj_node_id n, struct sj_slice name)
{
	struct sj_slice tokens[3];
	if (sj_value_count(&s->roots[SJ_ROOT_LOCAL]) == 0)
		return NULL;
	struct sj_buf scope;
	sj_buf_init(&scope, s->mem, 0);
	const struct sj_value *v =
		local_tokens(s, n, name, &scope, tokens) ? sj_surface_get(s, SJ_ROOT_LOCAL, tokens, 3) : NULL;
	sj_buf_finish(&scope);
	return v;
}

enum sj_status sj_node_set_local(struct sj_surface *s, sj_node_id n, struct sj_slice name, struct sj_value take)
{
	struct sj_slice tokens[3];
	struct sj_buf scope;
	sj_buf_init(&scope, s->mem, 0);
	uint32_t k;
	struct sj_group *g = sj_node_group(s, n, &k);
	if (!g || !local_tokens(s, n, name, &scope, tokens)) {
		enum sj_status st = g ? SJ_NOMEM : SJ_INVALID;
		sj_buf_finish(&scope);
		sj_value_unref(s->mem, take);
		return st;
	}
	bool own = !s->txn_open;
	if (own)
		sj_txn_begin(s, s->cause, (struct sj_origin){0, 0});
	s->undo_node = n;
	uint32_t before = s->undo.count;
	/* The component's scope is one place, whichever of its edges the node stands on. A component id is a member
	 * name even when it looks like an index. */
	enum sj_status st = sj_surface_set_in_objects(s, SJ_ROOT_LOCAL, tokens, 3, take);
	s->undo_node = 0;
	/* The component may stand at several edges of the scope. */
	uint32_t comp = sj_plan_at(s, g->plan)->nodes.items[k].comp;
	bool wrote = s->undo.count != before;
	for (uint64_t use = sj_comp_at(s, comp)->first_use; use != SJ_NO_USE && st == SJ_OK && wrote;) {
		const struct sj_pnode *pn = &sj_plan_at(s, (uint32_t)(use >> 32))->nodes.items[(uint32_t)use];
		if ((uint32_t)(use >> 32) == g->plan)
			st = sj_note_changed(s, g, (uint32_t)use, SJ_IF_LOCAL);
		use = pn->next_use;
	}
	if (own && st == SJ_OK)
		sj_txn_commit(s);
	else if (own)
		sj_txn_abort(s);
	sj_buf_finish(&scope);
	return st;
}

enum sj_status sj_surface_set_env(struct sj_surface *s, struct sj_slice name, struct sj_slice value)
{
	struct sj_value v;
	if (sj_value_string(s->mem, value, &v) != SJ_OK)
		return SJ_NOMEM;
	bool own = !s->txn_open;
	if (own)
		sj_txn_begin(s, 0, (struct sj_origin){0, 0});
	enum sj_status st = sj_surface_set(s, SJ_ROOT_ENV, &name, 1, v, NULL);
	if (own && st == SJ_OK)
		sj_txn_commit(s);
	else if (own)
		sj_txn_abort(s);
	return st;
}

/* ---- edit sessions ----------------------------------------------------------------------------------------------- */

void sj_edit_saw(struct sj_surface *s)
{
	s->edit.echo = s->own_input;
	s->edit.held = !s->own_input && s->edit.open;
	s->edit.behind = s->edit.held;
	s->edit.cause = s->edit.serial;
}

static void forget_before(struct sj_surface *s)
{
	sj_value_unref(s->mem, s->edit.before);
	s->edit.before = SJ_ABSENT_VALUE;
}

/* The face shows the model again: where an agent wrote meanwhile, it is told so. */
static void close_edit(struct sj_surface *s)
{
	uint32_t k;
	struct sj_group *g = s->edit.open ? sj_node_group(s, s->edit.node, &k) : NULL;
	s->edit.open = false;
	forget_before(s);
	if (g && s->edit.behind) {
		const struct sj_pnode *pn = &sj_plan_at(s, g->plan)->nodes.items[k];
		for (uint32_t i = 0; pn->why == SJ_WHY_SHOWN && i < pn->def->nprops; i++)
			if (pn->def->props[i].ui == s->edit.prop && pn->def->props[i].nins)
				g->slots[pn->slot0 + pn->def->props[i].slot].flags |= SJ_SF_CHANGED;
		sj_note_changed(s, g, k, SJ_IF_SET); /* without memory the face goes on showing the person's text until
		                                        the next change */
	}
	s->edit.behind = s->edit.held = false;
}

static enum sj_status write_value(struct sj_surface *s, const struct sj_input *in, struct sj_value take,
                                  struct sj_diag *diag)
{
	enum sj_status st = sj_surface_settle(s);
	if (st == SJ_NOMEM) {
		sj_value_unref(s->mem, take);
		return sj_diag_set(diag, st, SJ_E_NOMEM, SJ_CAT_NONE, "Out of memory.");
	}
	sj_txn_begin(s, in->serial, (struct sj_origin){0, 0});
	s->edit.serial = in->serial;
	bool local = !sj_node_bound(s, in->node, in->prop);
	if (local) {
		st = sj_node_set_local(s, in->node, sj_slice_of(sj_ui_prop_name(in->prop)), take);
		if (st != SJ_OK)
			sj_diag_set(diag, st, st == SJ_NOMEM ? SJ_E_NOMEM : SJ_E_STATE, SJ_CAT_STATE,
			            "The input's own state could not be written.");
		if (st == SJ_OK)
			st = sj_secret_local(s, in->node, in->prop);
	} else {
		st = sj_node_write(s, in->node, in->prop, take, diag);
	}
	if (st != SJ_OK) {
		sj_txn_abort(s);
		return st;
	}
	sj_txn_commit(s);
	s->own_input = true;
	if (local)
		sj_edit_saw(s);
	st = sj_surface_settle(s);
	s->own_input = false;
	return st == SJ_LIMIT ? SJ_OK : st;
}

static enum sj_status restore(struct sj_surface *s, const struct sj_input *in, struct sj_diag *diag)
{
	struct sj_value v = s->edit.before;
	s->edit.before = SJ_ABSENT_VALUE;
	return write_value(s, in, v, diag); /* ABSENT removes */
}

/* More options than may be chosen at once. A choice that holds too many already may only become smaller. */
static bool chooses_too_many(struct sj_surface *s, const struct sj_input *in, uint32_t *most)
{
	const struct sj_value *max, *now;
	if (in->prop != SJ_P_VALUE || in->value.type != SJ_V_ARRAY || sj_node_kind(s, in->node) != SJ_UI_CHOICE)
		return false;
	max = sj_node_ui(s, in->node, SJ_P_MAX);
	double limit = max && sj_value_is_number(max) ? sj_value_double(max) : 0;
	uint32_t count = sj_value_count(&in->value);
	if (!(limit >= 1) || count <= limit)
		return false;
	now = sj_node_bound(s, in->node, SJ_P_VALUE) ? sj_node_ui(s, in->node, SJ_P_VALUE)
	                                             : sj_node_local(s, in->node, SJ_LIT("value"));
	*most = (uint32_t)limit;
	return !now || now->type != SJ_V_ARRAY || count >= sj_value_count(now);
}

enum sj_status sj_surface_input(struct sj_surface *s, const struct sj_input *in, struct sj_diag *diag)
{
	uint32_t k;
	const struct sj_group *g = sj_node_group(s, in->node, &k);
	const char *wrong = NULL;
	if (!g)
		wrong = "The input is gone.";
	else if (!sj_ui_is_input(sj_node_kind(s, in->node)) && !sj_node_bound(s, in->node, in->prop))
		wrong = "The node is no input.";
	else if (!sj_node_enabled(s, in->node))
		wrong = "The input is disabled.";
	else if (s->txn_open)
		wrong = "A message is being applied.";
	if (wrong) {
		if (!g && s->edit.node == in->node)
			close_edit(s);
		return sj_diag_set(diag, SJ_INVALID, SJ_E_STATE, SJ_CAT_STATE, "%s", wrong);
	}
	uint32_t most;
	if (chooses_too_many(s, in, &most))
		return sj_diag_set(diag, SJ_INVALID, SJ_E_STATE, SJ_CAT_STATE, "At most %u may be chosen.", most);
	bool mine = s->edit.open && s->edit.node == in->node && s->edit.prop == in->prop;
	bool whole = !mine && (in->phase == SJ_EDIT_UPDATE || in->phase == SJ_EDIT_COMMIT);
	if (!mine && in->phase == SJ_EDIT_CANCEL)
		return SJ_OK;
	if (!mine) {
		close_edit(s);
		const struct sj_value *now =
			sj_node_bound(s, in->node, in->prop)
				? sj_node_ui(s, in->node, in->prop)
				: sj_node_local(s, in->node, sj_slice_of(sj_ui_prop_name(in->prop)));
		s->edit = (struct sj_edit){.open = true, .node = in->node, .prop = in->prop, .serial = in->serial,
			.before = now ? sj_value_ref(*now) : SJ_ABSENT_VALUE};
	}
	enum sj_status st = SJ_OK;
	if (in->phase == SJ_EDIT_CANCEL)
		st = restore(s, in, diag);
	else if (in->phase != SJ_EDIT_BEGIN && in->value.type != SJ_V_ABSENT)
		st = write_value(s, in, sj_value_ref(in->value), diag);
	if (whole || in->phase == SJ_EDIT_COMMIT || in->phase == SJ_EDIT_CANCEL)
		close_edit(s);
	return st;
}

/* ---- focus ------------------------------------------------------------------------------------------------------- */

static void forget_focus(struct sj_surface *s)
{
	if (s->focus.node)
		sj_key_drop(s, s->focus.key);
	s->focus.node = 0;
	SJ_VEC_FREE(s->mem, &s->focus.rows);
	SJ_VEC_FREE(s->mem, &s->focus.ancestors);
}

/* A node's ancestors stay the same while it lives, so they are noted now for the time when it is gone. */
static void remember(struct sj_surface *s, sj_node_id n)
{
	uint32_t k;
	const struct sj_group *g = sj_node_group(s, n, &k);
	forget_focus(s);
	if (!g)
		return;
	uint32_t key = sj_key_take(s, sj_node_component_id(s, n));
	if (key == SJ_NONE)
		return;
	s->focus.node = n;
	s->focus.key = key;
	uint32_t depth = sj_plan_at(s, g->plan)->depth, up = 0;
	if (depth && SJ_ROOM(s->mem, &s->focus.rows, depth, 0) == SJ_OK)
		for (s->focus.rows.count = depth; depth; depth--, g = sj_group_at(s, g->parent))
			s->focus.rows.items[depth - 1] = g->row;
	for (sj_node_id a = sj_node_parent(s, n); a; a = sj_node_parent(s, a))
		up++;
	if (up && SJ_ROOM(s->mem, &s->focus.ancestors, up, 0) == SJ_OK)
		for (sj_node_id a = sj_node_parent(s, n); a; a = sj_node_parent(s, a))
			s->focus.ancestors.items[s->focus.ancestors.count++] = a;
}

void sj_surface_focus(struct sj_surface *s, sj_node_id n)
{
	s->focus.moved = false;
	remember(s, n);
}

sj_node_id sj_surface_focused(const struct sj_surface *s)
{
	return sj_node_alive(s, s->focus.node) ? s->focus.node : 0;
}

void sj_focus_settle(struct sj_surface *s)
{
	if (!s->focus.node || sj_node_alive(s, s->focus.node))
		return;
	sj_node_id next = sj_surface_find(s, sj_key_text(s, s->focus.key), s->focus.rows.items, s->focus.rows.count);
	if (next && sj_node_why(s, next) != SJ_WHY_SHOWN)
		next = 0;
	for (uint32_t i = 0; !next && i < s->focus.ancestors.count; i++)
		if (sj_node_alive(s, s->focus.ancestors.items[i]))
			next = s->focus.ancestors.items[i];
	remember(s, next ? next : sj_surface_root(s));
	s->focus.moved = true;
}

void sj_input_finish(struct sj_surface *s)
{
	forget_before(s);
	forget_focus(s);
}
