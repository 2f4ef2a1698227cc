/* Compiles one component object, already valid for its catalog, into a definition of the core: bindings, calls,
 * formatString, checks, actions. */
#include <stdio.h>

#include "a2ui/catalog_internal.h"
#include "a2ui/internal.h"
#include "a2ui/template.h"

static const struct sj_slice NO_NAME = {"", 0};

/* ---- forms of an object ---------------------------------------------------------------------------------------- */

enum sj_form sj_object_form(const struct sj_tape *t, uint32_t cell, enum sj_dialect d, uint32_t *name_cell)
{
	bool reserved = d == SJ_DIALECT_RESERVED;
	const struct sj_slice call = reserved ? SJ_LIT("@call") : SJ_LIT("call");
	const struct sj_slice path = reserved ? SJ_LIT("@path") : SJ_LIT("path");
	uint32_t call_at = 0, path_at = 0;
	if (t->cells[cell].len > 16 || t->cells[cell].flags) { /* indexed, open, or with repeated keys */
		call_at = sj_tape_get(t, cell, call);
		path_at = sj_tape_get(t, cell, path);
	} else {
		for (uint32_t key = sj_tape_first(t, cell), end = t->cells[cell].end; key < end;) {
			uint32_t value = sj_tape_next(t, key);
			if (sj_tape_is(t, key, call))
				call_at = value;
			else if (sj_tape_is(t, key, path))
				path_at = value;
			key = sj_tape_next(t, value);
		}
	}
	if (call_at && sj_tape_type(t, call_at) == SJ_J_STRING) {
		*name_cell = call_at;
		return SJ_FORM_CALL;
	}
	if (path_at && sj_tape_type(t, path_at) == SJ_J_STRING) {
		*name_cell = path_at;
		return SJ_FORM_PATH;
	}
	return SJ_FORM_DATA;
}

bool sj_has_dynamic(const struct sj_tape *t, uint32_t cell, enum sj_dialect d)
{
	bool reserved = d == SJ_DIALECT_RESERVED;
	for (uint32_t i = cell; i < t->cells[cell].end; i++) {
		if (!(t->cells[i].flags & SJ_CELL_KEY))
			continue;
		struct sj_slice key = sj_tape_raw(t, i);
		if (reserved ? key.len > 0 && (key.ptr[0] == '@' || key.ptr[0] == '\\')
		             : (key.len == 4 && (sj_slice_is(key, "path") || sj_slice_is(key, "call"))) ||
		                       memchr(key.ptr, '\\', key.len))
			return true;
	}
	return false;
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

static void fail(struct sj_code_builder *b, const char *message)
{
	sj_x_fail(b, SJ_E_EXPRESSION_ERROR, message);
}

void sj_compile_literal(struct sj_compile *c, struct sj_code_builder *b, uint32_t cell)
{
	struct sj_value v;
	if (sj_value_from_tape(sj_surface_mem(c->view->core), c->tape, cell, &v) == SJ_OK)
		sj_x_const(b, v);
	else
		sj_x_fail(b, SJ_E_NOMEM, "Out of memory");
}

/* Builds a core address from a path; segs live in the message arena (the builder copies them). */
bool sj_compile_address(struct sj_compile *c, struct sj_slice path, struct sj_addr *out, struct sj_diag *diag)
{
	struct sj_path p;
	if (sj_path_parse(c->arena, c->view->a->opt.limits, path, &p, diag) != SJ_OK)
		return false;
	struct sj_seg *segs = NULL;
	if (p.count > 0) {
		segs = sj_arena_zalloc(c->arena, p.count * sizeof *segs);
		if (!segs)
			return false;
		for (uint32_t i = 0; i < p.count; i++)
			segs[i] = (struct sj_seg){.kind = SJ_SEG_KEY, .key = p.tokens[i]};
	}
	*out = (struct sj_addr){.root = SJ_ROOT_DATA, .relative = p.relative, .count = (uint16_t)p.count, .segs = segs};
	return true;
}

void sj_compile_path(struct sj_compile *c, struct sj_code_builder *b, struct sj_slice path)
{
	struct sj_addr a;
	struct sj_diag d = {0};
	if (sj_compile_address(c, path, &a, &d))
		sj_x_read(b, &a);
	else
		fail(b, d.message[0] ? d.message : "Out of memory");
}

static enum sj_result index_plus(struct sj_call *call, struct sj_value *out)
{
	double base = sj_value_double(&call->args[0]);
	*out = sj_value_number(base + (call->nargs > 1 ? sj_a2ui_to_number(&call->args[1]) : 0));
	return SJ_R_OK;
}
static const struct sj_function INDEX_PLUS = {.name = "@index", .kind = SJ_FN_PURE, .eval = index_plus};

static void push_env(struct sj_code_builder *b, const char *name)
{
	const struct sj_seg seg = {.kind = SJ_SEG_KEY, .key = sj_slice_of(name)};
	sj_x_read(b, &(struct sj_addr){.root = SJ_ROOT_ENV, .count = 1, .segs = &seg});
}

/* ---- catalogs of calls ------------------------------------------------------------------------------------------- */

const struct sj_catalog *sj_resolve_catalog(struct sj_view *v, const struct sj_tape *t, uint32_t object,
                                            const struct sj_catalog *fallback, const char *what, struct sj_slice name,
                                            struct sj_diag *diag)
{
	if (v->version < SJ_V10)
		return fallback;
	uint32_t cell = sj_member(t, object, "catalogId");
	if (!cell) {
		if (!v->catalog)
			sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG,
			            "%s '%.*s' names no catalog and surface '%.*s' has no default catalogId", what, SJ_ARG(name),
			            SJ_ARG(sj_slice(v->id, v->id_len)));
		return v->catalog;
	}
	if (sj_tape_type(t, cell) != SJ_J_STRING) {
		sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		            "catalogId of %s '%.*s' must be a string", what, SJ_ARG(name));
		return NULL;
	}
	struct sj_slice id = sj_tape_string(t, cell, &v->a->scratch);
	const struct sj_catalog *wrong = NULL, *found = sj_a2ui_catalog_find(v->a, id, v->version, &wrong);
	if (!found && wrong)
		sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG,
		            "Catalog not found: %.*s (its protocol version %s does not match message protocol version (%s))", SJ_ARG(id),
		            sj_version_text(sj_catalog_version(wrong)), sj_version_text(v->version));
	else if (!found)
		sj_diag_set(diag, SJ_INVALID, SJ_E_CATALOG_ERROR, SJ_CAT_CATALOG, "Catalog not found: %.*s",
		            SJ_ARG(id));
	return found;
}

/* ---- formatString ------------------------------------------------------------------------------------------------ */

static void push_template(struct sj_compile *c, struct sj_code_builder *b, struct sj_slice text);
static void push_function(struct sj_compile *c, struct sj_code_builder *b, const struct sj_catalog *catalog,
                          const struct sj_a2ui_function *f, struct sj_slice name, uint32_t args_cell,
                          const struct sj_tpl_node *tpl);

static void push_tpl(struct sj_compile *c, struct sj_code_builder *b, const struct sj_tpl_node *n)
{
	struct sj_mem *mem = sj_surface_mem(c->view->core);
	switch (n->type) {
	case SJ_TPL_LITERAL:
	case SJ_TPL_STRING: {
		struct sj_value v;
		if (sj_value_string(mem, n->text, &v) == SJ_OK)
			sj_x_const(b, v);
		else
			fail(b, "Out of memory");
		return;
	}
	case SJ_TPL_NUMBER:
		sj_x_const(b, sj_value_number(n->number));
		return;
	case SJ_TPL_TRUE:
	case SJ_TPL_FALSE:
		sj_x_const(b, sj_value_bool(n->type == SJ_TPL_TRUE));
		return;
	case SJ_TPL_NULL:
		sj_x_const(b, SJ_NULL_VALUE);
		return;
	case SJ_TPL_PATH:
		sj_compile_path(c, b, n->text);
		return;
	case SJ_TPL_CALL:
		break;
	}
	if (sj_slice_is(n->text, "@index")) {
		sj_x_index(b, 0);
		for (uint32_t i = 0; i < n->nargs; i++)
			if (sj_slice_is(n->arg_names[i], "offset")) {
				push_tpl(c, b, &n->args[i]);
				sj_x_call(b, &INDEX_PLUS, 2, NULL);
				return;
			}
		return;
	}
	const struct sj_catalog *catalog = c->view->version < SJ_V10 ? c->catalog
	                                   : c->view->catalog        ? c->view->catalog
	                                                             : c->catalog;
	push_function(c, b, catalog, catalog ? sj_catalog_function(catalog, n->text) : NULL, n->text, 0, n);
}

static void push_template(struct sj_compile *c, struct sj_code_builder *b, struct sj_slice text)
{
	struct sj_tpl tpl;
	struct sj_diag d = {0};
	if (sj_tpl_parse(c->arena, c->view->a->opt.limits, text, &tpl, &d) != SJ_OK) {
		fail(b, d.message[0] ? d.message : "Out of memory");
		return;
	}
	for (uint32_t i = 0; i < tpl.count; i++) {
		push_tpl(c, b, &tpl.parts[i]);
		if (tpl.parts[i].type != SJ_TPL_LITERAL && tpl.parts[i].type != SJ_TPL_STRING)
			sj_x_text(b);
	}
	if (tpl.count != 1)
		sj_x_concat(b, tpl.count);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static const struct sj_site *add_site(struct sj_compile *c, const struct sj_catalog *catalog,
                                      const struct sj_a2ui_function *f)
{
	struct sj_site *s = sj_mem_zalloc(sj_surface_mem(c->view->core), sizeof *s);
	if (!s)
		return NULL;
	*s = (struct sj_site){.fn = f, .catalog = catalog, .next = c->comp->sites};
	c->comp->sites = s;
	return s;
}

static void push_arg(struct sj_compile *c, struct sj_code_builder *b, struct sj_slice param, uint32_t args_cell,
                     const struct sj_tpl_node *tpl)
{
	if (tpl) {
		for (uint32_t i = 0; i < tpl->nargs; i++)
			if (sj_slice_eq(tpl->arg_names[i], param)) {
				push_tpl(c, b, &tpl->args[i]);
				return;
			}
	} else if (args_cell) {
		uint32_t at = sj_tape_get(c->tape, args_cell, param);
		if (at) {
			sj_compile_value(c, b, at);
			return;
		}
	}
	sj_x_const(b, SJ_ABSENT_VALUE);
}

/* The core keeps an answer while a site's arguments stay the same, whatever function a new definition calls there: the
 * name is one more argument, which does not travel. */
static void push_identity(struct sj_compile *c, struct sj_code_builder *b, const struct sj_catalog *catalog,
                          const struct sj_a2ui_function *f)
{
	struct sj_mem *mem = sj_surface_mem(c->view->core);
	struct sj_buf name;
	struct sj_value v = SJ_ABSENT_VALUE;
	sj_buf_init(&name, mem, 0);
	if (catalog)
		sj_buf_slice(&name, sj_catalog_id(catalog));
	sj_buf_putc(&name, '#');
	sj_buf_slice(&name, f->name);
	if (sj_buf_status(&name) != SJ_OK || sj_value_string(mem, sj_buf_view(&name), &v) != SJ_OK)
		fail(b, "Out of memory");
	else
		sj_x_const(b, v);
	sj_buf_finish(&name);
}

/* A call that the agent or the host answers later: its arguments travel as one object. */
static void push_remote(struct sj_compile *c, struct sj_code_builder *b, const struct sj_catalog *catalog,
                        const struct sj_a2ui_function *f, uint32_t args_cell, const struct sj_tpl_node *tpl)
{
	struct sj_view *v = c->view;
	bool ours = f->impl != NULL;
	if (!ours && v->version < SJ_V10) {
		fail(b, "The function has no implementation here");
		return;
	}
	if (!c->comp) {
		fail(b, "A call that is answered later cannot be part of an action's context");
		return;
	}
	const struct sj_site *site = add_site(c, catalog, f);
	uint32_t n = f->nparams;
	struct sj_slice *keys = n ? sj_arena_alloc(c->arena, n * sizeof *keys) : NULL;
	if (!site || (n && !keys)) {
		fail(b, "Out of memory");
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		keys[i] = f->params[i];
		push_arg(c, b, f->params[i], args_cell, tpl);
	}
	sj_x_map(b, keys, n);
	push_identity(c, b, catalog, f);
	const struct sj_function *row = !ours                            ? &v->a->agent
	                                : f->impl->kind == SJ_FN_SOURCE ? &v->a->source
	                                                                : &v->a->deferred;
	sj_x_call(b, row, 2, site);
}

static void push_function(struct sj_compile *c, struct sj_code_builder *b, const struct sj_catalog *catalog,
                          const struct sj_a2ui_function *f, struct sj_slice name, uint32_t args_cell,
                          const struct sj_tpl_node *tpl)
{
	struct sj_a2ui *a = c->view->a;
	char text[160];
	const struct sj_fn_row *row = sj_fn_find(a->fns, name);
	const struct sj_function *impl = f ? f->impl : NULL;
	/* A permissive catalog knows names only; what is built in under one of them is meant. */
	if (!impl && row && (!catalog || sj_catalog_is_permissive(catalog)))
		impl = c->view->version >= SJ_V10 ? &row->fn_v10 : &row->fn_v09;
	if (!f && !impl) {
		snprintf(text, sizeof text, "Unrecognized function '%.*s'", (int)(name.len > 80 ? 80 : name.len),
		         name.ptr);
		fail(b, text);
		return;
	}
	if (sj_slice_is(name, "formatString") && row && (impl == &row->fn_v09 || impl == &row->fn_v10)) {
		const struct sj_tpl_node *inner =
			NULL; /* ${formatString(value: 'a ${x}')}: the inner literal is a template too */
		for (uint32_t i = 0; tpl && i < tpl->nargs; i++)
			if (sj_slice_is(tpl->arg_names[i], "value") && tpl->args[i].type == SJ_TPL_STRING)
				inner = &tpl->args[i];
		if (inner && c->depth < c->view->a->opt.limits->call_depth) {
			c->depth++;
			push_template(c, b, inner->text);
			c->depth--;
			return;
		}
		uint32_t value = args_cell ? sj_member(c->tape, args_cell, "value") : 0;
		if (value && sj_tape_type(c->tape, value) == SJ_J_STRING) {
			push_template(c, b, sj_tape_string(c->tape, value, c->arena));
		} else { /* the template itself is data: shown, never interpreted (data is not instructions) */
			push_arg(c, b, SJ_LIT("value"), args_cell, tpl);
			sj_x_text(b);
		}
		return;
	}
	if (!impl || impl->kind == SJ_FN_DEFERRED || impl->kind == SJ_FN_SOURCE) {
		push_remote(c, b, catalog, f, args_cell, tpl);
		return;
	}
	if (impl->kind == SJ_FN_EFFECT) {
		snprintf(text, sizeof text, "Function '%.*s' acts and may only be the action of a control", (int)(name.len > 60 ? 60 : name.len), name.ptr);
		fail(b, text);
		return;
	}
	uint32_t n = 0;
	bool builtin = row && (impl == &row->fn_v09 || impl == &row->fn_v10);
	if (builtin)
		for (; n < SJ_FN_MAX_PARAMS && row->params[n]; n++)
			push_arg(c, b, sj_slice_of(row->params[n]), args_cell, tpl);
	else
		for (; n < f->nparams; n++)
			push_arg(c, b, f->params[n], args_cell, tpl);
	if (builtin && row->uses_locale) {
		push_env(b, "locale");
		push_env(b, "timeZone");
		n += 2;
	}
	sj_x_call(b, impl, n, NULL);
}

static void push_call(struct sj_compile *c, struct sj_code_builder *b, uint32_t cell, uint32_t name_cell)
{
	struct sj_slice name = sj_tape_string(c->tape, name_cell, c->arena);
	uint32_t args = sj_member(c->tape, cell, "args");
	if (args && sj_tape_type(c->tape, args) != SJ_J_OBJECT)
		args = 0;
	if (sj_slice_is(name, "@index")) {
		sj_x_index(b, 0);
		uint32_t offset = args ? sj_member(c->tape, args, "offset") : 0;
		if (offset) {
			sj_compile_value(c, b, offset);
			sj_x_call(b, &INDEX_PLUS, 2, NULL);
		}
		return;
	}
	struct sj_diag d = {0};
	const struct sj_catalog *catalog = sj_resolve_catalog(c->view, c->tape, cell, c->catalog, "Function", name, &d);
	if (!catalog && c->view->version >= SJ_V10) {
		sj_x_fail(b, d.code ? d.code : SJ_E_CATALOG_ERROR, d.message);
		return;
	}
	push_function(c, b, catalog, catalog ? sj_catalog_function(catalog, name) : NULL, name, args, NULL);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Recursion here is bounded by limits.dynamic_depth, checked before compiling (check_depth of components.c). */
void sj_compile_value(struct sj_compile *c, struct sj_code_builder *b, uint32_t cell)
{
	const struct sj_tape *t = c->tape;
	enum sj_json_type type = sj_tape_type(t, cell);
	uint32_t name_cell;
	if (type == SJ_J_OBJECT) {
		switch (sj_object_form(t, cell, c->dialect, &name_cell)) {
		case SJ_FORM_CALL:
			push_call(c, b, cell, name_cell);
			return;
		case SJ_FORM_PATH:
			sj_compile_path(c, b, sj_tape_string(t, name_cell, c->arena));
			return;
		case SJ_FORM_DATA:
			break;
		}
	}
	if ((type != SJ_J_OBJECT && type != SJ_J_ARRAY) || !sj_has_dynamic(t, cell, c->dialect)) {
		sj_compile_literal(c, b, cell);
		return;
	}
	uint32_t n = t->cells[cell].len, i = 0;
	struct sj_slice *keys = type == SJ_J_OBJECT && n ? sj_arena_alloc(c->arena, n * sizeof *keys) : NULL;
	if (type == SJ_J_OBJECT && n && !keys) {
		fail(b, "Out of memory");
		return;
	}
	for (uint32_t at = sj_tape_first(t, cell); at < t->cells[cell].end; at = sj_tape_next(t, at)) {
		if (type == SJ_J_OBJECT) {
			struct sj_slice key = sj_tape_string(t, at, c->arena);
			if (c->dialect == SJ_DIALECT_RESERVED && key.len >= 2 && key.ptr[0] == '@' && key.ptr[1] == '@')
				key = sj_slice(key.ptr + 1, key.len - 1);
			keys[i] = key;
			at = sj_tape_next(t, at);
		}
		sj_compile_value(c, b, at);
		i++;
	}
	if (type == SJ_J_OBJECT)
		sj_x_map(b, keys, i);
	else
		sj_x_list(b, i);
}

/* A property whose value is dynamic: a literal when nothing in it is, else code; a bare binding can be written back. */
static void define_value(struct sj_compile *c, struct sj_def_builder *d, struct sj_slice name, enum sj_ui_prop ui,
                         uint32_t cell, unsigned flags)
{
	const struct sj_tape *t = c->tape;
	enum sj_json_type type = sj_tape_type(t, cell);
	if ((type != SJ_J_OBJECT && type != SJ_J_ARRAY) || !sj_has_dynamic(t, cell, c->dialect)) {
		struct sj_value v = SJ_ABSENT_VALUE;
		if (sj_value_from_tape(sj_surface_mem(c->view->core), t, cell, &v) == SJ_OK)
			sj_def_literal(d, name, ui, SJ_PC_VALUE, v);
		return;
	}
	uint32_t name_cell;
	if (type == SJ_J_OBJECT && sj_object_form(t, cell, c->dialect, &name_cell) == SJ_FORM_PATH)
		flags |= SJ_PF_BOUND;
	struct sj_code_builder *b = sj_def_code(d, name, ui, SJ_PC_VALUE, flags, SJ_ABSENT_VALUE);
	if (!b)
		return;
	sj_compile_value(c, b, cell);
	sj_def_code_end(d);
}

static void define_raw(struct sj_compile *c, struct sj_def_builder *d, struct sj_slice name, enum sj_ui_prop ui,
                       enum sj_prop_class cls, uint32_t cell)
{
	struct sj_value v = SJ_ABSENT_VALUE;
	if (sj_value_from_tape(sj_surface_mem(c->view->core), c->tape, cell, &v) == SJ_OK)
		sj_def_literal(d, name, ui, cls, v);
}

static void define_children(struct sj_compile *c, struct sj_def_builder *d, struct sj_slice name, enum sj_ui_prop ui,
                            uint32_t cell)
{
	const struct sj_tape *t = c->tape;
	if (sj_tape_type(t, cell) == SJ_J_ARRAY) {
		uint32_t i = 0;
		for (uint32_t at = sj_tape_first(t, cell); at < t->cells[cell].end; at = sj_tape_next(t, at))
			if (sj_tape_type(t, at) == SJ_J_STRING)
				sj_def_child(d, name, ui, i++, NO_NAME, sj_tape_string(t, at, c->arena));
		if (i == 0) /* an empty list is still a property of the tree */
			define_raw(c, d, name, ui, SJ_PC_RAW, cell);
		return;
	}
	if (sj_tape_type(t, cell) != SJ_J_OBJECT)
		return;
	uint32_t id = sj_member(t, cell, "componentId"), path = sj_member(t, cell, "path");
	if (!id || !path || sj_tape_type(t, id) != SJ_J_STRING || sj_tape_type(t, path) != SJ_J_STRING)
		return;
	struct sj_addr list;
	struct sj_diag diag = {0};
	if (!sj_compile_address(c, sj_tape_string(t, path, c->arena), &list, &diag)) {
		struct sj_diag *f = c->faults ? sj_faults_next(c->faults) : NULL;
		if (f) {
			*f = diag;
			sj_faults_at(c->faults, f, c->tape == c->faults->tape ? path : c->outer);
		}
		return;
	}
	sj_def_template(d, name, ui, &list, sj_tape_string(t, id, c->arena), NO_NAME);
}

static void define_checks(struct sj_compile *c, struct sj_def_builder *d, struct sj_slice name, uint32_t cell)
{
	const struct sj_tape *t = c->tape;
	struct sj_mem *mem = sj_surface_mem(c->view->core);
	if (sj_tape_type(t, cell) != SJ_J_ARRAY)
		return;
	c->in_check = true;
	for (uint32_t at = sj_tape_first(t, cell); at < t->cells[cell].end; at = sj_tape_next(t, at)) {
		if (sj_tape_type(t, at) != SJ_J_OBJECT)
			continue;
		uint32_t condition = sj_member(t, at, "condition"), text = sj_member(t, at, "message");
		if (!condition) /* the v1.0 prose's own shape {call, args, message}: the rule is its own condition */
			condition = at;
		struct sj_value message = SJ_ABSENT_VALUE;
		if (text && sj_tape_type(t, text) == SJ_J_STRING)
			(void)sj_value_string(mem, sj_tape_string(t, text, c->arena), &message);
		struct sj_code_builder *b = sj_def_code(d, name, SJ_P_NONE, SJ_PC_CHECK, 0, message);
		if (!b)
			break;
		sj_compile_value(c, b, condition);
		sj_def_code_end(d);
	}
	c->in_check = false;
}

static const struct {
	const char *member, *name;
	enum sj_ui_prop ui;
} ACCESSIBILITY[] = {
	{"label", "accessibility.label", SJ_P_A11Y_LABEL},
	{"description", "accessibility.description", SJ_P_A11Y_DESCRIPTION},
	{"live", "accessibility.live", SJ_P_A11Y_LIVE},
	{"hidden", "accessibility.hidden", SJ_P_A11Y_HIDDEN},
};

static void define_accessibility(struct sj_compile *c, struct sj_def_builder *d, struct sj_slice name, uint32_t cell)
{
	define_value(c, d, name, SJ_P_NONE, cell, 0);
	if (sj_tape_type(c->tape, cell) != SJ_J_OBJECT)
		return;
	for (size_t i = 0; i < sizeof ACCESSIBILITY / sizeof ACCESSIBILITY[0]; i++) {
		uint32_t at = sj_member(c->tape, cell, ACCESSIBILITY[i].member);
		if (at)
			define_value(c, d, sj_slice_of(ACCESSIBILITY[i].name), ACCESSIBILITY[i].ui, at, 0);
	}
}

static const struct sj_a2ui_prop *sub_find(const struct sj_a2ui_prop *p, struct sj_slice name)
{
	for (uint32_t i = 0; i < p->nsub; i++)
		if (sj_slice_eq(p->sub[i].name, name))
			return &p->sub[i];
	return NULL;
}

/* Child references inside an object property or inside the objects of an array property (tabs[1].child). */
static bool define_nested_children(struct sj_compile *c, struct sj_def_builder *d, const struct sj_a2ui_prop *p,
                                   uint32_t object, uint32_t index)
{
	const struct sj_tape *t = c->tape;
	bool any = false;
	if (sj_tape_type(t, object) != SJ_J_OBJECT)
		return false;
	for (uint32_t at = sj_tape_first(t, object); at < t->cells[object].end;) {
		struct sj_slice key = sj_tape_string(t, at, c->arena);
		uint32_t value = sj_tape_next(t, at);
		const struct sj_a2ui_prop *s = sub_find(p, key);
		if (s && s->cls == SJ_AC_CHILD && sj_tape_type(t, value) == SJ_J_STRING) {
			sj_def_child(d, p->name, p->ui, index, key, sj_tape_string(t, value, c->arena));
			any = true;
		}
		at = sj_tape_next(t, value);
	}
	return any;
}

static void define_structure(struct sj_compile *c, struct sj_def_builder *d, const struct sj_a2ui_prop *p,
                             uint32_t cell)
{
	const struct sj_tape *t = c->tape;
	if (p->cls == SJ_AC_OBJECT) {
		define_nested_children(c, d, p, cell, 0);
	} else if (sj_tape_type(t, cell) == SJ_J_ARRAY) {
		uint32_t i = 0;
		for (uint32_t at = sj_tape_first(t, cell); at < t->cells[cell].end; at = sj_tape_next(t, at), i++) {
			if (p->nsub == 1 && p->sub[0].name.len == 0) {
				if (p->sub[0].cls == SJ_AC_CHILD && sj_tape_type(t, at) == SJ_J_STRING)
					sj_def_child(d, p->name, p->ui, i, NO_NAME, sj_tape_string(t, at, c->arena));
			} else {
				define_nested_children(c, d, p, at, i);
			}
		}
	}
	define_value(c, d, p->name, p->ui, cell, 0);
}

static bool is_obscured(struct sj_compile *c, uint32_t cell)
{
	uint32_t v = sj_member(c->tape, cell, "variant");
	return v && sj_tape_type(c->tape, v) == SJ_J_STRING && sj_tape_string_is(c->tape, v, SJ_LIT("obscured"));
}

static bool is_common(struct sj_slice key)
{
	return sj_slice_is(key, "id") || sj_slice_is(key, "component") || sj_slice_is(key, "catalogId") ||
	       sj_slice_is(key, "metadata");
}

void sj_definition_release(void *ctx, struct sj_mem *mem)
{
	struct sj_comp *comp = ctx;
	for (struct sj_site *s = comp->sites, *next; s; s = next) {
		next = s->next;
		sj_mem_free(mem, s, sizeof *s);
	}
}

/* v1.0: a component of the same type from another catalog is another component. */
static uint32_t realm(const struct sj_compile *c)
{
	const struct sj_a2ui *a = c->view->a;
	for (uint32_t i = 0; c->view->version >= SJ_V10 && i < a->catalogs.count; i++)
		if (a->catalogs.items[i] == c->catalog)
			return i + 1;
	return 0;
}

/* A catalog that accepts everything knows a property by its name alone, unless the one that it declares for the meaning
 * is there too. */
static enum sj_ui_prop loose_meaning(struct sj_compile *c, uint32_t cell, struct sj_slice key)
{
	if (!c->type || !sj_catalog_is_permissive(c->catalog))
		return SJ_P_NONE;
	enum sj_ui_prop ui = sj_cat_meaning(c->type->kind, key, SJ_AC_DYNAMIC);
	for (uint32_t i = 0; ui != SJ_P_NONE && i < c->type->nprops; i++)
		if (c->type->props[i].ui == ui && sj_tape_get(c->tape, cell, c->type->props[i].name))
			return SJ_P_NONE;
	return ui;
}

enum sj_status sj_compile_component(struct sj_compile *c, uint32_t cell, struct sj_slice id, struct sj_origin origin)
{
	const struct sj_tape *t = c->tape;
	struct sj_surface *core = c->view->core;
	struct sj_slice source = sj_tape_source(t, cell);
	if (source.len > UINT32_MAX / 2)
		return SJ_LIMIT;
	struct sj_comp comp = {.catalog = c->catalog, .type = c->type, .source_len = (uint32_t)source.len};
	c->comp = &comp;

	sj_component_ref old = sj_component_find(core, id);
	const struct sj_comp *before = old ? sj_component_ctx(core, old) : NULL;
	if (before && before->catalog == c->catalog)
		comp.was = before->type && before->type != c->type && before->type->index < UINT16_MAX
		                   ? (uint16_t)(before->type->index + 1)
		                   : before->was;
	uint32_t type_cell = sj_member(t, cell, "component");
	struct sj_slice type = sj_tape_string(t, type_cell, c->arena);
	struct sj_def_builder *d;
	enum sj_status st = sj_def_begin(core, id, type, c->type ? c->type->kind : SJ_UI_CUSTOM, &d);
	if (st != SJ_OK) {
		c->comp = NULL;
		return st;
	}
	sj_def_data(d, &comp, offsetof(struct sj_comp, source), source, sj_definition_release);
	sj_def_realm(d, realm(c));
	sj_def_origin(d, origin);
	if (!c->type)
		sj_def_unknown(d);
	bool obscured = c->type && c->type->kind == SJ_UI_TEXT_FIELD && is_obscured(c, cell);
	for (uint32_t at = sj_tape_first(t, cell); at < t->cells[cell].end;) {
		struct sj_slice key = sj_tape_string(t, at, c->arena);
		uint32_t value = sj_tape_next(t, at);
		at = sj_tape_next(t, value);
		if (is_common(key))
			continue;
		const struct sj_a2ui_prop *p = c->type ? sj_a2ui_prop_find(c->type, key) : NULL;
		enum sj_ui_prop ui = p && p->ui != SJ_P_NONE ? p->ui : loose_meaning(c, cell, key);
		switch (p ? p->cls : SJ_AC_PLAIN) {
		case SJ_AC_PLAIN:
		case SJ_AC_COMMON:
			define_raw(c, d, key, ui, SJ_PC_VALUE, value);
			break;
		case SJ_AC_DYNAMIC:
			define_value(c, d, key, ui, value, obscured && ui == SJ_P_VALUE ? SJ_PF_SECRET : 0);
			break;
		case SJ_AC_CHILD:
			if (sj_tape_type(t, value) == SJ_J_STRING)
				sj_def_child(d, key, ui, 0, NO_NAME, sj_tape_string(t, value, c->arena));
			break;
		case SJ_AC_CHILD_LIST:
			define_children(c, d, key, ui, value);
			break;
		case SJ_AC_ACTION:
			/* A press reads the definition's text; the core only has to see whether the action changed. */
			sj_def_literal(d, key, SJ_P_ACTION, SJ_PC_ACTION,
			               sj_value_int(sj_slice_hash(sj_tape_source(t, value), 0)));
			break;
		case SJ_AC_CHECKS:
			define_checks(c, d, key, value);
			break;
		case SJ_AC_ACCESSIBILITY:
			define_accessibility(c, d, key, value);
			break;
		case SJ_AC_OBJECT:
		case SJ_AC_ARRAY:
			define_structure(c, d, p, value);
			break;
		}
	}
	c->comp = NULL;
	return sj_def_end(d, NULL);
}
