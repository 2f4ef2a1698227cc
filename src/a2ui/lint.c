/* What a careful reviewer would say of a surface that is valid: the rules are in engine.h, in words in docs/lints.md.
 */
#include "a2ui/explain.h"
#include "a2ui/lint.h"
#include "surface/a11y.h"

static const char *const names[] = {
#define NAME_ROW(name, text) [SJ_LINT_##name] = text,
	SJ_LINTS(NAME_ROW)
#undef NAME_ROW
};
const char *sj_lint_name(enum sj_lint_rule r) { return (size_t)r < SJ_LINT_COUNT ? names[r] : ""; }

struct linter {
	struct sj_explainer *x;
	struct sj_view *v;
	struct sj_surface *core;
	void (*fn)(void *ctx, const struct sj_lint *l);
	void *ctx;
	bool basic; /* only what the values themselves say */
	SJ_VEC(struct sj_slice) inputs; /* places that a person's input writes, in `places` */
	struct sj_arena places;
	struct sj_lint_docs docs;
	/* the component at hand */
	struct sj_source src;
	sj_node_id node;
};

/* ---- telling ----------------------------------------------------------------------------------------------------- */

static void tell(struct linter *l, enum sj_lint_rule rule, sj_component_ref c, uint32_t cell, const char *hint,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));
static void tell(struct linter *l, enum sj_lint_rule rule, sj_component_ref c, uint32_t cell, const char *hint,
                 const char *format, ...)
{
	struct sj_lint out = {.rule = rule};
	struct sj_buf text;
	va_list args;
	char message[sizeof out.diag.message];
	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	sj_diag_set(&out.diag, SJ_INVALID, SJ_E_LINT, SJ_CAT_VALIDATION, "%s", message);
	snprintf(out.diag.detail, sizeof out.diag.detail, "%s", sj_lint_name(rule));
	if (hint)
		sj_diag_hint(&out.diag, "%s", hint);
	out.diag.severity = SJ_SEV_WARNING;
	if (c) {
		struct sj_origin o = sj_component_origin(l->core, c);
		out.component = sj_component_id(l->core, c);
		out.message = o.message;
		out.diag.offset = o.offset;
	}
	sj_buf_init(&text, l->x->mem, sizeof out.diag.pointer - 1);
	if (cell && l->src.ref == c) {
		sj_tape_pointer(&l->src.tape, cell, &text);
		if (sj_buf_status(&text) == SJ_OK)
			sj_diag_pointer(&out.diag, "%.*s", SJ_ARG(sj_buf_view(&text)));
	}
	sj_buf_finish(&text);
	l->fn(l->ctx, &out);
}

static uint32_t member_of(const struct linter *l, const char *key)
{
	return sj_tape_get(&l->src.tape, 0, sj_slice_of(key));
}

/* Cell of the property that has a meaning; 0: it is not there. */
static uint32_t meaning_cell(const struct linter *l, enum sj_ui_prop ui, const struct sj_a2ui_prop **row)
{
	const struct sj_a2ui_component *t = l->src.comp->type;
	for (uint32_t i = 0; t && i < t->nprops; i++) {
		uint32_t cell = t->props[i].ui == ui ? sj_tape_get(&l->src.tape, 0, t->props[i].name) : 0;
		if (!cell)
			continue;
		if (row)
			*row = &t->props[i];
		return cell;
	}
	return 0;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static bool is_below(struct sj_slice place, struct sj_slice above)
{
	return place.len >= above.len && memcmp(place.ptr, above.ptr, above.len) == 0 &&
	       (place.len == above.len || place.ptr[above.len] == '/');
}

/* A person's input writes there, above, or below. */
static bool is_entered(const struct linter *l, struct sj_slice place)
{
	for (uint32_t i = 0; i < l->inputs.count; i++)
		if (is_below(place, l->inputs.items[i]) || is_below(l->inputs.items[i], place))
			return true;
	return false;
}

static bool look_at_use(void *ctx, const struct sj_use *u)
{
	struct linter *l = ctx;
	struct sj_spot spot, item;
	struct sj_path written;
	if (u->kind == SJ_USE_CALL || !l->node)
		return true;
	/* what an input shows before anybody typed is nothing, rightly */
	if (u->place == SJ_IN_VALUE && u->row && u->row->ui == SJ_P_VALUE && sj_ui_is_input(l->src.comp->type->kind))
		return true;
	enum sj_status st = sj_spot_find(l->v, l->node, u->name, &l->x->arena, &spot);
	if (st == SJ_OK && !spot.value && sj_node_scope_depth(l->core, l->node) > 0 && u->name.len &&
	    u->name.ptr[0] == '/' && !is_entered(l, spot.pointer)) {
		st = sj_spot_find(l->v, l->node, SJ_LIT(""), &l->x->arena, &item);
		if (st == SJ_OK)
			st = sj_path_parse(&l->x->arena, l->v->a->opt.limits, u->name, &written, NULL);
		if (st == SJ_OK && item.value && sj_value_at(item.value, u->name)) {
			char hint[160];
			snprintf(hint, sizeof hint, "Did you mean '%.*s'?",
			         (int)(u->name.len > 120 ? 120 : u->name.len) - 1, u->name.ptr + 1);
			tell(l, SJ_LINT_ABSOLUTE_IN_ROW, l->src.ref, u->name_cell, hint,
			     "'%.*s' reads the absolute path '%.*s' in a template whose item has this key",
			     SJ_ARG(sj_component_id(l->core, l->src.ref)), SJ_ARG(u->name));
			return true;
		}
	}
	if (st == SJ_NOMEM)
		l->x->st = st;
	if (st != SJ_OK || spot.value || is_entered(l, spot.pointer))
		return st != SJ_NOMEM;
	struct sj_finding f = {.what = SJ_WN_ABSENT, .comp = l->src.ref, .node = l->node};
	struct sj_culprit c = {true, *u, spot};
	struct sj_meant m = sj_find_meant(l->x, &f, &c, u->kind == SJ_USE_TEMPLATE);
	char hint[200] = "Send updateDataModel for it, or bind to a place that is written.";
	if (m.spelled.ptr)
		snprintf(hint, sizeof hint, "Did you mean '%.*s'?", (int)(m.spelled.len > 150 ? 150 : m.spelled.len),
		         m.spelled.ptr);
	tell(l, SJ_LINT_UNWRITTEN_PATH, l->src.ref, u->name_cell, hint, "'%.*s' reads %.*s, which nothing writes",
	     SJ_ARG(sj_component_id(l->core, l->src.ref)), SJ_ARG(spot.pointer));
	return true;
}

/* ---- inputs, buttons, pictures ----------------------------------------------------------------------------------- */

static bool has_accessible_label(const struct linter *l)
{
	uint32_t a11y = member_of(l, "accessibility");
	return a11y && sj_tape_type(&l->src.tape, a11y) == SJ_J_OBJECT && sj_member(&l->src.tape, a11y, "label");
}

static bool is_hidden(const struct linter *l)
{
	for (sj_node_id n = l->node; n; n = sj_node_parent(l->core, n)) {
		const struct sj_value *v = sj_node_ui(l->core, n, SJ_P_A11Y_HIDDEN);
		if (v && v->type != SJ_V_ABSENT && v->type != SJ_V_FALSE)
			return true;
	}
	return false;
}

static bool is_blank_text(const struct linter *l, uint32_t cell)
{
	return sj_tape_type(&l->src.tape, cell) == SJ_J_STRING && l->src.tape.cells[cell].len == 0;
}

static void look_at_input(struct linter *l, sj_component_ref c)
{
	const struct sj_a2ui_prop *row = NULL;
	const struct sj_tape *t = &l->src.tape;
	struct sj_slice id = sj_component_id(l->core, c);
	uint32_t label = meaning_cell(l, SJ_P_LABEL, NULL), value = meaning_cell(l, SJ_P_VALUE, &row), name;
	if ((!label || is_blank_text(l, label)) && !has_accessible_label(l) && !is_hidden(l))
		tell(l, SJ_LINT_INPUT_LABEL, c, label, "Give it a label, or an accessibility.label.",
		     "The input '%.*s' has no label", SJ_ARG(id));
	if (value && sj_tape_type(t, value) == SJ_J_STRING && t->cells[value].len > 1 &&
	    t->text[t->cells[value].off] == '/' && !memchr(t->text + t->cells[value].off, ' ', t->cells[value].len)) {
		tell(l, SJ_LINT_PATH_AS_TEXT, c, value, "Write {\"path\": ...} to bind it.",
		     "The value of '%.*s' is the text \"%.*s\", which looks like a path", SJ_ARG(id), SJ_ARG(sj_tape_raw(t, value)));
	} else if (!value || sj_tape_type(t, value) != SJ_J_OBJECT ||
	           sj_object_form(t, value, l->src.dialect, &name) != SJ_FORM_PATH) {
		tell(l, SJ_LINT_UNBOUND_INPUT, c, value, "Bind its value: {\"path\": ...}.",
		     "What is entered into '%.*s' stays on this screen: its value is not bound to the data model", SJ_ARG(id));
	}
}

static void look_at_control(struct linter *l, sj_component_ref c, enum sj_ui_kind kind)
{
	struct sj_slice id = sj_component_id(l->core, c);
	const struct sj_tape *t = &l->src.tape;
	uint32_t action = meaning_cell(l, SJ_P_ACTION, NULL);
	if (kind == SJ_UI_BUTTON && !action)
		tell(l, SJ_LINT_BUTTON_ACTION, c, 0, "Give it an action.",
		     "Nothing happens when the button '%.*s' is pressed", SJ_ARG(id));
	uint32_t event = action && sj_tape_type(t, action) == SJ_J_OBJECT ? sj_member(t, action, "event") : 0;
	uint32_t name = event && sj_tape_type(t, event) == SJ_J_OBJECT ? sj_member(t, event, "name") : 0;
	if (event && (!name || is_blank_text(l, name)))
		tell(l, SJ_LINT_EVENT_NAME, c, name ? name : event, "Name what the press means.",
		     "The event of '%.*s' has no name", SJ_ARG(id));
	if (kind == SJ_UI_IMAGE && !is_hidden(l) && !has_accessible_label(l)) {
		uint32_t alt = meaning_cell(l, SJ_P_DESCRIPTION, NULL);
		if (!alt || is_blank_text(l, alt))
			tell(l, SJ_LINT_IMAGE_ALT, c, alt, "Describe it, or hide it from assistive technology.",
			     "The image '%.*s' has no description", SJ_ARG(id));
	}
}

/* ---- words of other versions, deprecated and unknown ones -------------------------------------------------------- */

/* Only catalogs that accept everything let these through; the others refuse them. */
static void look_at_words(struct linter *l, sj_component_ref c)
{
	static const struct {
		enum sj_ui_kind kind;
		const char *name, *now;
	} old[] = {{SJ_UI_TEXT, "usageHint", "variant"},        {SJ_UI_IMAGE, "usageHint", "variant"},
	           {SJ_UI_IMAGE, "altText", "description"},     {SJ_UI_ROW, "distribution", "justify"},
	           {SJ_UI_COLUMN, "distribution", "justify"},   {SJ_UI_ROW, "alignment", "align"},
	           {SJ_UI_COLUMN, "alignment", "align"},        {SJ_UI_LIST, "alignment", "align"},
	           {SJ_UI_TABS, "tabItems", "tabs"},            {SJ_UI_MODAL, "entryPointChild", "trigger"},
	           {SJ_UI_MODAL, "contentChild", "content"},    {SJ_UI_TEXT_FIELD, "textFieldType", "variant"},
	           {SJ_UI_SLIDER, "minValue", "min"},           {SJ_UI_SLIDER, "maxValue", "max"},
	           {SJ_UI_CHOICE, "selections", "value"},       {SJ_UI_BUTTON, "primary", "variant"}};
	const struct sj_tape *t = &l->src.tape;
	const struct sj_a2ui_component *type = l->src.comp->type;
	struct sj_slice id = sj_component_id(l->core, c);
	if (!type || l->v->version < SJ_V09 || !sj_catalog_is_permissive(l->src.comp->catalog))
		return;
	for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
		uint32_t cell = old[i].kind == type->kind ? member_of(l, old[i].name) : 0;
		if (cell)
			tell(l, SJ_LINT_OLDER_WORD, c, cell, "Write it as this version does.",
			     "'%.*s' has the property '%s' of an earlier version; now it is '%s'", SJ_ARG(id), old[i].name, old[i].now);
	}
	uint32_t variant = type->kind == SJ_UI_TEXT ? member_of(l, "variant") : 0;
	struct sj_slice word =
		variant && sj_tape_type(t, variant) == SJ_J_STRING ? sj_tape_raw(t, variant) : SJ_LIT("");
	if (l->v->version >= SJ_V10 && word.len == 2 && word.ptr[0] == 'h' && word.ptr[1] >= '1' && word.ptr[1] <= '6')
		tell(l, SJ_LINT_OLDER_WORD, c, variant, "Write the heading in Markdown: \"# ...\".",
		     "'%.*s' has the variant '%.*s' of an earlier version", SJ_ARG(id), SJ_ARG(word));
}

static void look_at_catalog(struct linter *l, sj_component_ref c)
{
	const struct sj_tape *t = &l->src.tape;
	struct sj_slice id = sj_component_id(l->core, c), reason;
	const struct sj_value *def = sj_lint_definition(&l->docs, l->src.comp->catalog, sj_component_type(l->core, c));
	if (!def)
		return;
	if (sj_lint_deprecated(def, SJ_NO_SLICE, &reason))
		tell(l, SJ_LINT_DEPRECATED, c, member_of(l, "component"), NULL, "'%.*s' is of a deprecated type: %.*s",
		     SJ_ARG(id), SJ_ARG(reason));
	for (uint32_t at = sj_tape_first(t, 0); at < t->cells[0].end;) {
		uint32_t value = sj_tape_next(t, at);
		struct sj_slice key = sj_tape_string(t, at, &l->x->arena);
		if (key.ptr && sj_lint_deprecated(def, key, &reason))
			tell(l, SJ_LINT_DEPRECATED, c, value, NULL, "'%.*s' uses the deprecated property '%.*s': %.*s",
			     SJ_ARG(id), SJ_ARG(key), SJ_ARG(reason));
		at = sj_tape_next(t, value);
	}
	if (l->src.comp->type && l->src.comp->type->kind == SJ_UI_ICON && l->node) {
		const struct sj_a2ui_prop *row = NULL;
		uint32_t cell = meaning_cell(l, SJ_P_NAME, &row);
		const struct sj_value *name = sj_node_ui(l->core, l->node, SJ_P_NAME);
		struct sj_slice near = SJ_NO_SLICE;
		if (cell && name && sj_value_is_string(name) &&
		    !sj_lint_has_word(def, row->name, sj_value_text(name), &near)) {
			char hint[100] = "Use a name of the catalog.";
			if (near.ptr)
				snprintf(hint, sizeof hint, "Did you mean '%.*s'?",
				         (int)(near.len > 60 ? 60 : near.len), near.ptr);
			tell(l, SJ_LINT_UNKNOWN_ICON, c, cell, hint,
			     "The catalog has no icon of the name that '%.*s' asks for", SJ_ARG(id));
		}
	}
}

/* ---- checks that nothing can change ------------------------------------------------------------------------------ */

struct constants {
	const struct linter *l;
	uint32_t rule;
	bool reads;
};

static bool reads(void *ctx, const struct sj_use *u)
{
	struct constants *k = ctx;
	if (u->place != SJ_IN_CHECK || u->rule != k->rule)
		return true;
	/* a function of the host or of the agent may answer anything */
	k->reads = u->kind != SJ_USE_CALL || !sj_fn_find(k->l->v->a->fns, u->name);
	return !k->reads;
}

static void look_at_checks(struct linter *l, sj_component_ref c)
{
	const struct sj_tape *t = &l->src.tape;
	const struct sj_a2ui_component *type = l->src.comp->type;
	uint32_t list = 0;
	for (uint32_t i = 0; type && i < type->nprops && !list; i++)
		list = type->props[i].cls == SJ_AC_CHECKS ? sj_tape_get(t, 0, type->props[i].name) : 0;
	if (!list || sj_tape_type(t, list) != SJ_J_ARRAY || l->v->version < SJ_V09)
		return;
	uint32_t rule = 0;
	for (uint32_t at = sj_tape_first(t, list); at < t->cells[list].end; at = sj_tape_next(t, at), rule++) {
		struct constants k = {l, rule, false};
		uint32_t condition = sj_tape_type(t, at) == SJ_J_OBJECT ? sj_member(t, at, "condition") : 0;
		struct sj_code_builder *b;
		struct sj_code_block *code;
		struct sj_value v;
		struct sj_check_outcome o;
		if (!condition)
			continue;
		if (sj_uses(&l->src, reads, &k) != SJ_OK || k.reads || sj_code_begin(l->core, &b) != SJ_OK)
			continue;
		struct sj_compile compile = {.view = l->v,
		                             .tape = t,
		                             .dialect = l->src.dialect,
		                             .catalog = l->src.comp->catalog,
		                             .type = type,
		                             .arena = &l->x->arena};
		sj_compile_value(&compile, b, condition);
		if (sj_code_end(b, &code) != SJ_OK)
			continue;
		enum sj_result r = sj_surface_eval(l->core, l->node, code, &v, NULL);
		const struct sj_driver *d = l->v->version >= SJ_V10 ? &l->v->a->driver_v10 : &l->v->a->driver_v09;
		d->check(r, &v, &o);
		tell(l, o.valid ? SJ_LINT_NEVER_FAILS : SJ_LINT_ALWAYS_FAILS, c, condition,
		     "Let it read what the person enters: {\"path\": ...}.",
		     "A check of '%.*s' reads nothing: it %s fails", SJ_ARG(sj_component_id(l->core, c)),
		     o.valid ? "never" : "always");
		if (r == SJ_R_OK)
			sj_value_unref(sj_surface_mem(l->core), v);
		sj_code_destroy(l->core, code);
	}
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void look_at_component(struct linter *l, sj_component_ref c)
{
	enum sj_status st = sj_source_open(l->v, c, &l->x->arena, &l->src);
	if (st == SJ_NOMEM)
		l->x->st = st;
	if (st != SJ_OK)
		return;
	enum sj_ui_kind kind = l->src.comp->type ? l->src.comp->type->kind : SJ_UI_CUSTOM;
	l->node = c < l->x->first.count ? l->x->first.items[c] : 0;
	if (sj_ui_is_input(kind))
		look_at_input(l, c);
	look_at_control(l, c, kind);
	look_at_words(l, c);
	look_at_catalog(l, c);
	look_at_checks(l, c);
	if (sj_uses(&l->src, look_at_use, l) == SJ_NOMEM)
		l->x->st = SJ_NOMEM;
	if (l->src.comp->was > 0)
		tell(l, SJ_LINT_TYPE_CHANGED, c, member_of(l, "component"),
		     "Another type is another component: give it an id of its own.",
		     "'%.*s' was a %.*s before and is a %.*s now, so its state on the screen was lost",
		     SJ_ARG(sj_component_id(l->core, c)),
		     SJ_ARG(sj_catalog_component_at(l->src.comp->catalog, l->src.comp->was - 1)->name),
		     SJ_ARG(sj_component_type(l->core, c)));
}

/* What the walk of the nodes found that a reviewer would say too. */
static void look_at_finding(struct linter *l, const struct sj_finding *f)
{
	struct sj_buf cause;
	enum sj_lint_rule rule = f->what == SJ_WN_WRONG_TYPE    ? SJ_LINT_WRONG_TYPE
	                         : f->what == SJ_WN_NOT_A_LIST   ? SJ_LINT_NO_LIST
	                         : f->what == SJ_WN_UNREACHABLE  ? SJ_LINT_UNREACHABLE
	                                                         : SJ_LINT_COUNT;
	if (rule == SJ_LINT_COUNT || (l->basic && rule == SJ_LINT_UNREACHABLE))
		return;
	sj_buf_init(&cause, l->x->mem, 0);
	sj_tell_cause(l->x, f, &cause);
	if (sj_source_open(l->v, f->comp, &l->x->arena, &l->src) == SJ_OK && sj_buf_status(&cause) == SJ_OK)
		tell(l, rule, f->comp, f->property.len ? sj_tape_get(&l->src.tape, 0, f->property) : 0, NULL, "%s",
		     cause.ptr);
	sj_buf_finish(&cause);
}

/* Buttons that say nothing: with what is inside them they have no name. */
static void look_at_buttons(struct linter *l)
{
	struct sj_a11y_tree t;
	enum sj_status st = sj_a11y_build(l->core, &t);
	sj_component_ref last = 0;
	for (uint32_t i = 0; st == SJ_OK && i < t.items.count; i++) {
		const struct sj_a11y *it = &t.items.items[i];
		sj_component_ref c = sj_node_component(l->core, it->node);
		if (it->part != SJ_PART_SELF || it->role != SJ_ROLE_BUTTON || it->name.len || it->hidden || c == last)
			continue;
		last = c; /* rows are told once */
		l->src.ref = 0;
		tell(l, SJ_LINT_BUTTON_TEXT, c, 0, "Put a text inside, or give it an accessibility.label.",
		     "The button '%.*s' says nothing", SJ_ARG(sj_component_id(l->core, c)));
	}
	sj_a11y_finish(&t);
	if (st != SJ_OK)
		l->x->st = st;
}

static void remember_inputs(struct linter *l)
{
	for (sj_component_ref c = 1; c < l->x->first.count && l->x->st == SJ_OK; c++) {
		sj_node_id n = l->x->first.items[c];
		struct sj_buf place;
		if (!n || !sj_ui_is_input(sj_node_kind(l->core, n)))
			continue;
		sj_buf_init(&place, l->x->mem, 0);
		if (sj_node_bound_path(l->core, n, SJ_P_VALUE, &place)) {
			struct sj_slice kept = sj_arena_copy(&l->places, sj_buf_view(&place));
			l->x->st = kept.ptr ? SJ_VEC_RESERVE(l->x->mem, &l->inputs, l->inputs.count + 1, 0) : SJ_NOMEM;
			if (l->x->st == SJ_OK)
				l->inputs.items[l->inputs.count++] = kept;
		}
		sj_buf_finish(&place);
	}
}

enum sj_status sj_a2ui_lint(struct sj_view *v, bool basic, void (*fn)(void *ctx, const struct sj_lint *l), void *ctx)
{
	struct sj_explainer x;
	struct linter l = {.x = &x, .v = v, .core = v->core, .fn = fn, .ctx = ctx, .basic = basic};
	uint64_t refused = v->a->mem->refused;
	enum sj_status st = sj_explainer_open(&x, v, NULL);
	if (st == SJ_OK) {
		sj_arena_init(&l.places, x.mem, 0);
		sj_lint_docs_init(&l.docs, x.mem);
		sj_explainer_walk(&x);
		if (!basic)
			remember_inputs(&l);
		for (uint32_t i = 0; x.st == SJ_OK && i < x.found.count; i++) {
			struct sj_arena_mark mark = sj_arena_mark(&x.arena);
			look_at_finding(&l, &x.found.items[i]);
			sj_arena_rollback(&x.arena, mark);
		}
		for (uint32_t i = 0; !basic && x.st == SJ_OK && i < sj_component_count(v->core); i++) {
			struct sj_arena_mark mark = sj_arena_mark(&x.arena);
			look_at_component(&l, sj_component_at(v->core, i));
			sj_arena_rollback(&x.arena, mark);
		}
		if (!basic && x.st == SJ_OK)
			look_at_buttons(&l);
		st = x.st;
		SJ_VEC_FREE(x.mem, &l.inputs);
		sj_lint_docs_finish(&l.docs);
		sj_arena_finish(&l.places);
		sj_explainer_close(&x);
	}
	return st == SJ_OK && v->a->mem->refused != refused ? SJ_NOMEM : st;
}
