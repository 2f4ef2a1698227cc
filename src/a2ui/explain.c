/* Walks a surface and notes why what is missing, empty, pending, disabled, hidden or unreadable is so. */
#include "a2ui/explain.h"

#include "base/num.h"

const struct sj_whynot_row SJ_WHYNOT[SJ_WN_COUNT] = {
#define CODE_ROW(name, code, state, severity) [SJ_WN_##name] = {code, state, SJ_SEV_##severity},
	SJ_WHYNOTS(CODE_ROW)
#undef CODE_ROW
};

static struct sj_finding *note_other(struct sj_explainer *x, enum sj_whynot what, sj_component_ref comp,
                                     sj_node_id node, struct sj_slice property, sj_component_ref other)
{
	uint64_t key = (uint64_t)comp << 32 | (sj_slice_hash(property, (uint32_t)what + 1) ^ other * 2654435761u);
	uint32_t at = sj_map64_get(&x->known, key);
	if (x->st != SJ_OK)
		return NULL;
	if (at != SJ_MAP_NONE) {
		x->found.items[at].nodes++;
		return &x->found.items[at];
	}
	x->st = SJ_VEC_RESERVE(x->mem, &x->found, x->found.count + 1, 0);
	if (x->st == SJ_OK)
		x->st = sj_map64_put(&x->known, key, x->found.count);
	if (x->st != SJ_OK)
		return NULL;
	x->found.items[x->found.count] = (struct sj_finding){
		.what = what, .comp = comp, .other = other, .node = node, .property = property, .nodes = 1};
	return &x->found.items[x->found.count++];
}

static struct sj_finding *note(struct sj_explainer *x, enum sj_whynot what, sj_component_ref comp, sj_node_id node,
                               struct sj_slice property)
{
	return note_other(x, what, comp, node, property, 0);
}

/* ---- properties -------------------------------------------------------------------------------------------------- */

static bool is_blank(struct sj_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] != ' ' && s.ptr[i] != '\n' && s.ptr[i] != '\t' && s.ptr[i] != '\r')
			return false;
	return true;
}

/* Without these a component of the kind shows nothing. */
static bool is_content(enum sj_ui_kind kind, enum sj_ui_prop ui)
{
	switch ((int)kind) {
	case SJ_UI_TEXT:
		return ui == SJ_P_TEXT;
	case SJ_UI_IMAGE:
	case SJ_UI_VIDEO:
	case SJ_UI_AUDIO:
		return ui == SJ_P_URL;
	case SJ_UI_ICON:
		return ui == SJ_P_NAME;
	case SJ_UI_BUTTON:
		return ui == SJ_P_LABEL;
	case SJ_UI_CUSTOM:
	case SJ_UI_SUMMARY:
	case SJ_UI_STEPPER:
	case SJ_UI_RATING:
		return ui == SJ_P_TEXT || ui == SJ_P_LABEL || ui == SJ_P_DETAIL || ui == SJ_P_URL;
	default:
		return ui == SJ_P_LABEL || ui == SJ_P_OPTIONS;
	}
}

/* Does a value fit a place of this type? Scalars are coerced to text, and text that spells a number or a boolean to
 * those. */
static bool fits(enum sj_dynamic_type type, const struct sj_value *v)
{
	double number;
	switch (type) {
	case SJ_DYN_ANY:
		return true;
	case SJ_DYN_STRING:
		return !sj_value_is_container(v);
	case SJ_DYN_NUMBER:
		return sj_value_is_number(v) ||
		       (sj_value_is_string(v) && sj_num_parse(sj_value_text(v), &number));
	case SJ_DYN_BOOLEAN:
		return sj_value_is_bool(v) || (sj_value_is_string(v) && (sj_slice_is(sj_value_text(v), "true") ||
		                                                        sj_slice_is(sj_value_text(v), "false")));
	case SJ_DYN_STRING_LIST:
		if (v->type != SJ_V_ARRAY)
			return false;
		for (uint32_t i = 0; i < sj_value_count(v); i++)
			if (sj_value_is_container(sj_value_item(v, i)))
				return false;
		return true;
	}
	return true;
}

static void look_at_prop(struct sj_explainer *x, sj_node_id n, sj_component_ref c, const struct sj_comp *comp,
                         enum sj_ui_kind kind, const struct sj_prop *p)
{
	if (p->cls != SJ_PC_VALUE && p->cls != SJ_PC_CHECK)
		return;
	bool dynamic = (p->flags & SJ_PF_DYNAMIC) != 0;
	if (p->result == SJ_R_ERROR || p->result == SJ_R_PENDING) {
		note(x, p->result == SJ_R_ERROR ? SJ_WN_FAILED : SJ_WN_AWAITED, c, n, p->name);
		return;
	}
	if (p->cls != SJ_PC_VALUE || sj_slice_starts(p->name, "accessibility"))
		return;
	bool absent = !p->value || p->value->type == SJ_V_ABSENT;
	if (is_content(kind, p->ui) && (absent || p->value->type == SJ_V_NULL)) {
		if (dynamic || p->value)
			note(x, absent ? SJ_WN_ABSENT : SJ_WN_NULL, c, n, p->name);
		return;
	}
	if (absent || p->value->type == SJ_V_NULL)
		return;
	const struct sj_a2ui_prop *row = comp && comp->type ? sj_a2ui_prop_find(comp->type, p->name) : NULL;
	if (dynamic && (p->flags & SJ_PF_BOUND) && row && row->cls == SJ_AC_DYNAMIC && !fits(row->dyn, p->value))
		note(x, SJ_WN_WRONG_TYPE, c, n, p->name);
	else if (is_content(kind, p->ui) && sj_value_is_string(p->value) && is_blank(sj_value_text(p->value)))
		note(x, SJ_WN_EMPTY, c, n, p->name);
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static bool note_template(void *ctx, const struct sj_use *u)
{
	struct sj_use *out = ctx;
	if (u->kind == SJ_USE_TEMPLATE && !out->property.ptr)
		*out = *u;
	return true;
}

static void look_at_children(struct sj_explainer *x, sj_node_id n, sj_component_ref c)
{
	struct sj_edge e;
	if (sj_node_child_count(x->core, n) > 0)
		return;
	if (sj_component_edges(x->core, c) == 0) { /* children: [] is a property of its own */
		struct sj_prop p;
		for (uint32_t i = 0; i < sj_node_prop_count(x->core, n); i++)
			if (sj_node_prop(x->core, n, i, &p) && p.ui == SJ_P_CHILDREN)
				note(x, SJ_WN_NO_CHILDREN, c, n, p.name);
		return;
	}
	sj_component_edge(x->core, c, 0, &e);
	if (!e.is_template)
		return;
	struct sj_source src;
	struct sj_use use = {0};
	struct sj_spot spot = {0};
	struct sj_arena_mark mark = sj_arena_mark(&x->arena);
	enum sj_status st = sj_source_open(x->view, c, &x->arena, &src);
	if (st == SJ_OK)
		st = sj_uses(&src, note_template, &use);
	if (st == SJ_OK && use.property.ptr)
		st = sj_spot_find(x->view, n, use.name, &x->arena, &spot);
	if (st == SJ_NOMEM)
		x->st = st;
	else if (use.property.ptr)
		note(x,
		     !spot.value                        ? SJ_WN_LIST_ABSENT
		     : spot.value->type != SJ_V_ARRAY   ? SJ_WN_NOT_A_LIST
		                                        : SJ_WN_LIST_EMPTY,
		     c, n, e.name);
	sj_arena_rollback(&x->arena, mark);
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

/* Whose check keeps the control from being used: its own, else (submit gate) the first invalid node of the surface.
 * The caller knows that it is disabled. */
static sj_component_ref who_disables(struct sj_explainer *x, sj_node_id n, sj_node_id invalid)
{
	struct sj_validity val;
	sj_node_validity(x->core, n, &val);
	if (val.has_checks && !val.valid)
		return sj_node_component(x->core, n);
	return invalid ? sj_node_component(x->core, invalid) : 0;
}

static bool is_control(struct sj_explainer *x, sj_node_id n, enum sj_ui_kind kind)
{
	struct sj_prop p;
	if (kind == SJ_UI_BUTTON)
		return true;
	for (uint32_t i = 0; i < sj_node_prop_count(x->core, n); i++)
		if (sj_node_prop(x->core, n, i, &p) && p.cls == SJ_PC_ACTION)
			return true;
	return false;
}

struct visit {
	sj_node_id node;
	bool unseen; /* below a tab or a dialog that is not open: noted there */
};
struct tour {
	SJ_VEC(struct visit) work;
	SJ_VEC(sj_node_id) disabled;
	sj_node_id invalid; /* the first */
};

static void look_at_placeholder(struct sj_explainer *x, sj_node_id n, enum sj_why why)
{
	static const enum sj_whynot of[] = {[SJ_WHY_PENDING] = SJ_WN_MISSING,
	                                    [SJ_WHY_UNKNOWN_TYPE] = SJ_WN_UNKNOWN_TYPE,
	                                    [SJ_WHY_CYCLIC] = SJ_WN_CYCLIC,
	                                    [SJ_WHY_OVER_LIMIT] = SJ_WN_OVER_LIMIT,
	                                    [SJ_WHY_HIDDEN] = SJ_WN_HIDDEN};
	sj_node_id parent = sj_node_parent(x->core, n);
	sj_component_ref c = sj_node_component(x->core, n), p = parent ? sj_node_component(x->core, parent) : 0;
	if (why == SJ_WHY_UNKNOWN_TYPE || why == SJ_WHY_HIDDEN || !p) {
		note(x, of[why], c, n, SJ_LIT(""));
		return;
	}
	/* What is missing has no definition: it is told of the component that names it. */
	struct sj_slice id = sj_node_component_id(x->core, n);
	for (uint32_t i = 0; i < sj_component_edges(x->core, p); i++) {
		struct sj_edge e;
		sj_component_edge(x->core, p, i, &e);
		if (!sj_slice_eq(e.child_id, id))
			continue;
		note_other(x, of[why], p, parent, e.name, e.child);
		return;
	}
}

/* What is below it is not on the screen: which child, by its edge. */
static bool is_put_away(struct sj_explainer *x, sj_node_id n, enum sj_ui_kind kind, uint32_t i, enum sj_whynot *what)
{
	struct sj_edge e;
	if (kind != SJ_UI_TABS && kind != SJ_UI_MODAL)
		return false;
	sj_node_child_edge(x->core, n, i, &e);
	if (kind == SJ_UI_TABS) {
		const struct sj_value *selected = sj_node_local(x->core, n, SJ_LIT("selected"));
		*what = SJ_WN_OTHER_TAB;
		return e.ui == SJ_P_TABS && e.index != (selected ? (uint32_t)sj_value_double(selected) : 0);
	}
	const struct sj_value *open = sj_node_local(x->core, n, SJ_LIT("open"));
	*what = SJ_WN_CLOSED;
	return e.ui == SJ_P_CONTENT && !(open && open->type == SJ_V_TRUE);
}

static void look_at_node(struct sj_explainer *x, struct tour *t, const struct visit *at)
{
	struct sj_surface *s = x->core;
	sj_node_id n = at->node;
	enum sj_why why = sj_node_why(s, n);
	if (why != SJ_WHY_SHOWN) {
		look_at_placeholder(x, n, why);
		return;
	}
	sj_component_ref c = sj_node_component(s, n);
	const struct sj_comp *comp = sj_component_ctx(s, c);
	if (c >= x->first.count && x->st == SJ_OK) {
		x->st = SJ_VEC_RESERVE(x->mem, &x->first, c + 1, 0);
		while (x->st == SJ_OK && x->first.count <= c)
			x->first.items[x->first.count++] = 0;
	}
	if (x->st == SJ_OK && !x->first.items[c])
		x->first.items[c] = n;
	enum sj_ui_kind kind = sj_node_kind(s, n);
	uint32_t before = x->found.count, props = sj_node_prop_count(s, n), children = sj_node_child_count(s, n);
	struct sj_validity val;
	for (uint32_t i = 0; i < props; i++) {
		struct sj_prop p;
		if (sj_node_prop(s, n, i, &p))
			look_at_prop(x, n, c, comp, kind, &p);
	}
	sj_node_validity(s, n, &val);
	if (!t->invalid && val.has_checks && !val.valid)
		t->invalid = n;
	if (is_control(x, n, kind) && !sj_node_enabled(s, n)) {
		x->st = x->st == SJ_OK ? SJ_VEC_RESERVE(x->mem, &t->disabled, t->disabled.count + 1, 0) : x->st;
		if (x->st == SJ_OK)
			t->disabled.items[t->disabled.count++] = n;
	}
	look_at_children(x, n, c);
	bool container = kind == SJ_UI_ROW || kind == SJ_UI_COLUMN || kind == SJ_UI_LIST || kind == SJ_UI_CARD ||
	                 kind == SJ_UI_TABS || kind == SJ_UI_MODAL;
	if (!at->unseen && !container && before == x->found.count)
		x->shows = true;
	if (x->st == SJ_OK)
		x->st = SJ_VEC_RESERVE(x->mem, &t->work, t->work.count + children, 0);
	for (uint32_t i = children; x->st == SJ_OK && i-- > 0;) {
		enum sj_whynot what;
		sj_node_id child = sj_node_child(s, n, i);
		bool away = is_put_away(x, n, kind, i, &what);
		if (away && sj_node_why(s, child) == SJ_WHY_SHOWN) {
			struct sj_finding *f = note(x, what, sj_node_component(s, child), child, SJ_LIT(""));
			if (f && !f->other)
				f->other = c;
		}
		t->work.items[t->work.count++] = (struct visit){child, at->unseen || away};
	}
}

/* ---- definitions ------------------------------------------------------------------------------------------------- */

static enum sj_status reach(struct sj_explainer *x, uint8_t *seen, uint32_t nseen, sj_component_ref from)
{
	SJ_VEC(sj_component_ref) work = {0};
	enum sj_status st = SJ_VEC_RESERVE(x->mem, &work, 16, 0);
	if (st == SJ_OK && from < nseen && !seen[from]) {
		seen[from] = 1;
		work.items[work.count++] = from;
	}
	while (st == SJ_OK && work.count > 0) {
		sj_component_ref c = work.items[--work.count];
		uint32_t edges = sj_component_defined(x->core, c) ? sj_component_edges(x->core, c) : 0;
		st = SJ_VEC_RESERVE(x->mem, &work, work.count + edges, 0);
		for (uint32_t i = 0; st == SJ_OK && i < edges; i++) {
			struct sj_edge e;
			sj_component_edge(x->core, c, i, &e);
			if (e.child < nseen && !seen[e.child]) {
				seen[e.child] = 1;
				work.items[work.count++] = e.child;
			}
		}
	}
	SJ_VEC_FREE(x->mem, &work);
	return st;
}

/* Those that nobody refers to first; what hangs on them is not named again. Then circles that hang in the air. */
static void look_for_unreachable(struct sj_explainer *x)
{
	struct sj_surface *s = x->core;
	uint32_t n = 1, count = sj_component_count(s);
	for (uint32_t i = 0; i < count; i++)
		n = sj_component_at(s, i) >= n ? sj_component_at(s, i) + 1 : n;
	uint8_t *seen = sj_mem_zalloc(x->mem, n);
	x->st = seen ? reach(x, seen, n, sj_node_component(s, sj_surface_root(s))) : SJ_NOMEM;
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; x->st == SJ_OK && i < count; i++) {
			sj_component_ref c = sj_component_at(s, i);
			if (seen[c] || (round == 0 && sj_component_parents(s, c) > 0))
				continue;
			note(x, SJ_WN_UNREACHABLE, c, 0, SJ_LIT(""));
			if (x->st == SJ_OK)
				x->st = reach(x, seen, n, c);
		}
	sj_mem_free(x->mem, seen, n);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void put_summary(struct sj_explainer *x, bool blank)
{
	struct sj_buf cause;
	uint32_t faults = 0;
	const struct sj_finding *first = NULL;
	for (uint32_t i = 0; i < x->found.count; i++) {
		const struct sj_finding *f = &x->found.items[i];
		bool fault = SJ_WHYNOT[f->what].severity != SJ_SEV_INFO;
		/* the first in drawing order is where a person would look */
		if (!first || (fault && SJ_WHYNOT[first->what].severity == SJ_SEV_INFO))
			first = f;
		faults += fault;
	}
	sj_buf_init(&cause, x->mem, 0);
	if (blank) {
		sj_buf_puts(&cause, "The screen is blank: ");
		if (first)
			sj_tell_cause(x, first, &cause);
		else
			sj_buf_puts(&cause, "nothing on it has anything to show.");
	} else if (faults) {
		sj_buf_printf(&cause, "%u thing%s on the screen %s amiss.", faults, faults == 1 ? "" : "s",
		              faults == 1 ? "is" : "are");
	} else {
		sj_buf_puts(&cause, "Everything that was sent is on the screen.");
	}
	sj_buf_printf(x->out, "{\"blank\":%s,\"faults\":%u,\"nodes\":%llu,\"summary\":", blank ? "true" : "false",
	              faults, (unsigned long long)sj_surface_node_count(x->core));
	sj_json_print_string(x->out, sj_buf_view(&cause));
	sj_buf_puts(x->out, ",\"surfaceId\":");
	sj_json_print_string(x->out, sj_slice(x->view->id, x->view->id_len));
	sj_buf_printf(x->out, ",\"version\":\"%s\"}\n", sj_version_text(x->view->version));
	if (sj_buf_status(&cause) != SJ_OK)
		x->st = SJ_NOMEM;
	sj_buf_finish(&cause);
}

static void walk(struct sj_explainer *x, struct tour *t)
{
	sj_node_id root = sj_surface_root(x->core);
	if (!root) {
		note(x, sj_component_count(x->core) ? SJ_WN_NO_ROOT : SJ_WN_NO_COMPONENTS, 0, 0, SJ_LIT(""));
		return;
	}
	x->st = SJ_VEC_RESERVE(x->mem, &t->work, 64, 0);
	if (x->st == SJ_OK)
		t->work.items[t->work.count++] = (struct visit){root, false};
	while (x->st == SJ_OK && t->work.count > 0) {
		struct visit at = t->work.items[--t->work.count];
		look_at_node(x, t, &at);
	}
	for (uint32_t i = 0; x->st == SJ_OK && i < t->disabled.count; i++) {
		sj_node_id n = t->disabled.items[i];
		struct sj_finding *f = note(x, SJ_WN_DISABLED, sj_node_component(x->core, n), n, SJ_LIT(""));
		if (f && !f->other)
			f->other = who_disables(x, n, t->invalid);
	}
	if (x->st == SJ_OK)
		look_for_unreachable(x);
}

static bool is_of(struct sj_explainer *x, const struct sj_finding *f, struct sj_slice only)
{
	if (!only.ptr)
		return true;
	if (f->comp && sj_slice_eq(sj_component_id(x->core, f->comp), only))
		return true;
	return f->other && f->what != SJ_WN_OTHER_TAB && f->what != SJ_WN_CLOSED &&
	       sj_slice_eq(sj_component_id(x->core, f->other), only);
}

enum sj_status sj_explainer_open(struct sj_explainer *x, struct sj_view *v, struct sj_buf *out)
{
	*x = (struct sj_explainer){.view = v, .core = v->core, .mem = v->a->mem, .out = out, .st = SJ_OK};
	if (sj_surface_settle(v->core) == SJ_NOMEM)
		return SJ_NOMEM;
	sj_arena_init(&x->arena, x->mem, 4096);
	sj_map64_init(&x->known, x->mem);
	return SJ_OK;
}

void sj_explainer_walk(struct sj_explainer *x)
{
	struct tour t = {.invalid = 0};
	walk(x, &t);
	SJ_VEC_FREE(x->mem, &t.work);
	SJ_VEC_FREE(x->mem, &t.disabled);
}

void sj_explainer_close(struct sj_explainer *x)
{
	SJ_VEC_FREE(x->mem, &x->found);
	SJ_VEC_FREE(x->mem, &x->first);
	sj_map64_finish(&x->known);
	sj_arena_finish(&x->arena);
}

enum sj_status sj_a2ui_explain(struct sj_view *v, struct sj_slice only, struct sj_buf *out)
{
	struct sj_explainer x;
	uint64_t refused = v->a->mem->refused;
	enum sj_status st = sj_explainer_open(&x, v, out);
	if (st != SJ_OK)
		return st;
	sj_explainer_walk(&x);
	if (x.st == SJ_OK)
		put_summary(&x, !x.shows);
	for (uint32_t i = 0; x.st == SJ_OK && i < x.found.count; i++)
		if (is_of(&x, &x.found.items[i], only)) {
			struct sj_arena_mark mark = sj_arena_mark(&x.arena);
			sj_tell_finding(&x, &x.found.items[i]);
			sj_arena_rollback(&x.arena, mark);
		}
	st = x.st;
	sj_explainer_close(&x);
	if (st == SJ_OK && v->a->mem->refused != refused)
		return SJ_NOMEM; /* a cause or a suggestion may lack what there was no memory for */
	return st == SJ_OK ? sj_buf_status(out) : st;
}
