#include "a2ui/uses.h"

#include "a2ui/template.h"

enum sj_status sj_source_open(struct sj_view *v, sj_component_ref c, struct sj_arena *arena, struct sj_source *out)
{
	if (!sj_component_defined(v->core, c))
		return SJ_ABSENT;
	const struct sj_comp *comp = sj_component_ctx(v->core, c);
	struct sj_json_options opt = sj_json_options_wire(v->a->opt.limits);
	*out = (struct sj_source){.view = v, .comp = comp, .arena = arena};
	enum sj_status st = sj_json_parse(arena, &opt, sj_slice(comp->source, comp->source_len), &out->tape, NULL);
	if (st != SJ_OK)
		return st;
	out->ref = c;
	out->dialect = sj_view_dialect(v, &out->tape, 0);
	if (v->dialect == SJ_DIALECT_RESERVED)
		out->dialect = SJ_DIALECT_RESERVED; /* a definition without any @ key has no binding in that dialect */
	return SJ_OK;
}

struct walk {
	const struct sj_source *src;
	bool (*fn)(void *ctx, const struct sj_use *u);
	void *ctx;
	struct sj_use use; /* what is the same for the whole property */
	enum sj_status st;
	bool stop;
};

static void tell(struct walk *w, enum sj_use_kind kind, uint32_t cell, uint32_t name_cell, struct sj_slice name,
                 bool in_call)
{
	struct sj_use u = w->use;
	if (!name.ptr) {
		w->st = SJ_NOMEM;
		w->stop = true;
		return;
	}
	u.kind = kind;
	u.cell = cell;
	u.name_cell = name_cell;
	u.name = name;
	u.whole = cell == u.value;
	u.in_call = in_call;
	if (!w->stop && !w->fn(w->ctx, &u))
		w->stop = true;
}

/* Paths inside ${...}. Depth is bounded by limits.expression_depth, which the parser checked. */
static void tell_template(struct walk *w, uint32_t cell, const struct sj_tpl_node *n, uint32_t count)
{
	for (uint32_t i = 0; i < count && !w->stop; i++) {
		if (n[i].type == SJ_TPL_PATH)
			tell(w, SJ_USE_TEXT, cell, cell, n[i].text, true);
		else if (n[i].type == SJ_TPL_CALL)
			tell_template(w, cell, n[i].args, n[i].nargs);
	}
}

static void walk_text(struct walk *w, uint32_t args)
{
	const struct sj_tape *t = &w->src->tape;
	uint32_t value = args ? sj_member(t, args, "value") : 0;
	struct sj_tpl tpl;
	if (!value || sj_tape_type(t, value) != SJ_J_STRING)
		return;
	struct sj_slice text = sj_tape_string(t, value, w->src->arena);
	enum sj_status st = text.ptr ? sj_tpl_parse(w->src->arena, w->src->view->a->opt.limits, text, &tpl, NULL)
	                             : SJ_NOMEM;
	if (st == SJ_OK)
		tell_template(w, value, tpl.parts, tpl.count);
	else if (st == SJ_NOMEM)
		w->st = st;
}

/* Every object from `from` on, to the end of that value: names chosen by the author (args, context) hold no binding
 * themselves. */
static void walk_value(struct walk *w, uint32_t from)
{
	const struct sj_tape *t = &w->src->tape;
	uint32_t holder = 0, call_end = 0, name;
	for (uint32_t i = from; i < t->cells[from].end && !w->stop; i++) {
		if (sj_tape_type(t, i) != SJ_J_OBJECT || i == holder)
			continue;
		uint32_t args = sj_member(t, i, "args");
		holder = args ? args : sj_member(t, i, "context");
		switch (sj_object_form(t, i, w->src->dialect, &name)) {
		case SJ_FORM_PATH:
			tell(w, SJ_USE_PATH, i, name, sj_tape_string(t, name, w->src->arena), i < call_end);
			break;
		case SJ_FORM_CALL:
			tell(w, SJ_USE_CALL, i, name, sj_tape_string(t, name, w->src->arena), i < call_end);
			if (sj_tape_is(t, name, SJ_LIT("formatString")))
				walk_text(w, args);
			if (t->cells[i].end > call_end)
				call_end = t->cells[i].end;
			break;
		case SJ_FORM_DATA:
			break;
		}
	}
}

static void walk_children(struct walk *w, uint32_t value)
{
	const struct sj_tape *t = &w->src->tape;
	bool object = sj_tape_type(t, value) == SJ_J_OBJECT;
	uint32_t path = object ? sj_member(t, value, "path") : 0, old = object ? sj_member(t, value, "template") : 0;
	if (!path && old && sj_tape_type(t, old) == SJ_J_OBJECT)
		path = sj_member(t, old, "dataBinding"); /* v0.8 */
	if (path && sj_tape_type(t, path) == SJ_J_STRING)
		tell(w, SJ_USE_TEMPLATE, value, path, sj_tape_string(t, path, w->src->arena), false);
}

static void walk_checks(struct walk *w, uint32_t value)
{
	const struct sj_tape *t = &w->src->tape;
	if (sj_tape_type(t, value) != SJ_J_ARRAY)
		return;
	w->use.rule = 0;
	for (uint32_t at = sj_tape_first(t, value); at < t->cells[value].end; at = sj_tape_next(t, at)) {
		walk_value(w, at);
		w->use.rule++;
	}
}

enum sj_status sj_uses(const struct sj_source *src, bool (*fn)(void *ctx, const struct sj_use *u), void *ctx)
{
	const struct sj_tape *t = &src->tape;
	struct walk w = {.src = src, .fn = fn, .ctx = ctx, .st = SJ_OK};
	for (uint32_t at = sj_tape_first(t, 0); at < t->cells[0].end && !w.stop;) {
		uint32_t value = sj_tape_next(t, at);
		struct sj_slice name = sj_tape_string(t, at, src->arena);
		if (!name.ptr)
			return SJ_NOMEM;
		const struct sj_a2ui_prop *p = src->comp->type ? sj_a2ui_prop_find(src->comp->type, name) : NULL;
		w.use = (struct sj_use){.property = name, .row = p, .value = value, .place = SJ_IN_VALUE};
		at = sj_tape_next(t, value);
		switch (p ? p->cls : SJ_AC_PLAIN) {
		case SJ_AC_PLAIN:
		case SJ_AC_COMMON:
		case SJ_AC_CHILD:
			break;
		case SJ_AC_CHILD_LIST:
			w.use.place = SJ_IN_CHILDREN;
			walk_children(&w, value);
			break;
		case SJ_AC_CHECKS:
			w.use.place = SJ_IN_CHECK;
			walk_checks(&w, value);
			break;
		case SJ_AC_ACTION:
			w.use.place = SJ_IN_ACTION;
			walk_value(&w, value);
			break;
		case SJ_AC_ACCESSIBILITY:
			w.use.place = SJ_IN_ACCESSIBILITY;
			walk_value(&w, value);
			break;
		case SJ_AC_DYNAMIC:
		case SJ_AC_OBJECT:
		case SJ_AC_ARRAY:
			walk_value(&w, value);
			break;
		}
	}
	return w.st;
}

enum sj_status sj_spot_find(struct sj_view *v, sj_node_id n, struct sj_slice path, struct sj_arena *arena,
                            struct sj_spot *out)
{
	struct sj_buf at, scope;
	sj_buf_init(&at, v->a->mem, 0);
	sj_buf_init(&scope, v->a->mem, 0);
	if (n)
		sj_node_data_path(v->core, n, &scope);
	sj_path_join(&at, path, sj_buf_view(&scope));
	enum sj_status st = sj_buf_status(&scope) == SJ_OK ? sj_buf_status(&at) : SJ_NOMEM;
	if (st == SJ_OK) {
		while (at.len > 1 && at.ptr[at.len - 1] == '/')
			at.len--;
		out->pointer = sj_arena_copy(arena, sj_buf_view(&at));
		st = out->pointer.ptr ? SJ_OK : SJ_NOMEM;
	}
	sj_buf_finish(&at);
	sj_buf_finish(&scope);
	if (st == SJ_OK)
		st = sj_path_parse(arena, v->a->opt.limits, out->pointer, &out->path, NULL);
	if (st != SJ_OK)
		return st == SJ_NOMEM ? st : SJ_INVALID;
	const struct sj_value *found = sj_surface_get(v->core, SJ_ROOT_DATA, out->path.tokens, out->path.count);
	out->value = found && found->type != SJ_V_ABSENT ? found : NULL;
	return SJ_OK;
}
