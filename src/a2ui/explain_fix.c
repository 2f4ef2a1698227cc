/* Messages that would mend what was found. Each is whole and of the surface's version; sent after everything that came,
 * in order, it takes the finding away (the tests send each one). Where nothing sure can be said, nothing is suggested.
 */
#include "a2ui/explain.h"

#define MOST_ROWS 20 /* messages of one suggestion */

struct fix {
	struct sj_explainer *x;
	struct sj_buf *out;
	uint32_t messages;
};

static bool is_old(const struct fix *fx) { return fx->x->view->version == SJ_V08; }

static void begin_message(struct fix *fx, const char *operation)
{
	struct sj_view *v = fx->x->view;
	sj_buf_puts(fx->out, fx->messages++ ? ",{" : "{\"send\":[{");
	if (!is_old(fx)) /* v0.8 names no version */
		sj_buf_printf(fx->out, "\"version\":\"%s\",", sj_version_text(v->version));
	sj_buf_printf(fx->out, "\"%s\":{\"surfaceId\":", operation);
	sj_json_print_string(fx->out, sj_slice(v->id, v->id_len));
}

/* A component as it is kept, {id, component: type, properties}, in the wrapper of v0.8. */
static void put_wrapped(struct fix *fx, struct sj_slice json)
{
	struct sj_json_options opt = sj_json_options_wire(fx->x->view->a->opt.limits);
	struct sj_tape t;
	if (sj_json_parse(&fx->x->arena, &opt, json, &t, NULL) != SJ_OK) {
		fx->x->st = SJ_NOMEM; /* it was JSON when it was kept */
		return;
	}
	uint32_t id = sj_tape_get(&t, 0, SJ_LIT("id")), type = sj_tape_get(&t, 0, SJ_LIT("component")),
		 weight = sj_tape_get(&t, 0, SJ_LIT("weight"));
	bool first = true;
	sj_buf_puts(fx->out, "{\"id\":");
	sj_buf_slice(fx->out, sj_tape_source(&t, id));
	if (weight) {
		sj_buf_puts(fx->out, ",\"weight\":");
		sj_buf_slice(fx->out, sj_tape_source(&t, weight));
	}
	sj_buf_puts(fx->out, ",\"component\":{");
	sj_buf_slice(fx->out, sj_tape_source(&t, type));
	sj_buf_puts(fx->out, ":{");
	for (uint32_t key = sj_tape_first(&t, 0); key < t.cells[0].end; key = sj_tape_next(&t, key + 1)) {
		if (key + 1 == id || key + 1 == type || key + 1 == weight)
			continue;
		sj_buf_puts(fx->out, first ? "" : ",");
		sj_buf_slice(fx->out, sj_tape_source(&t, key));
		sj_buf_putc(fx->out, ':');
		sj_buf_slice(fx->out, sj_tape_source(&t, key + 1));
		first = false;
	}
	sj_buf_puts(fx->out, "}}}");
}

static void put_components(struct fix *fx, struct sj_slice json)
{
	begin_message(fx, is_old(fx) ? "surfaceUpdate" : "updateComponents");
	sj_buf_puts(fx->out, ",\"components\":[");
	if (is_old(fx))
		put_wrapped(fx, json);
	else
		sj_buf_slice(fx->out, json);
	sj_buf_puts(fx->out, "]}}");
}

/* The component as it was written, with one value of it replaced. */
static void put_changed(struct fix *fx, const struct sj_source *src, uint32_t cell, struct sj_slice json)
{
	struct sj_buf b;
	struct sj_slice whole = sj_tape_source(&src->tape, 0), old = sj_tape_source(&src->tape, cell);
	size_t head = (size_t)(old.ptr - whole.ptr);
	sj_buf_init(&b, fx->x->mem, 0);
	sj_buf_put(&b, whole.ptr, head);
	sj_buf_slice(&b, json);
	sj_buf_put(&b, old.ptr + old.len, whole.len - head - old.len);
	if (sj_buf_status(&b) == SJ_OK)
		put_components(fx, sj_buf_view(&b));
	else
		fx->x->st = SJ_NOMEM;
	sj_buf_finish(&b);
}

static void put_string_changed(struct fix *fx, const struct sj_source *src, uint32_t cell, struct sj_slice text)
{
	struct sj_buf b;
	sj_buf_init(&b, fx->x->mem, 0);
	sj_json_print_string(&b, text);
	if (sj_buf_status(&b) == SJ_OK)
		put_changed(fx, src, cell, sj_buf_view(&b));
	else
		fx->x->st = SJ_NOMEM;
	sj_buf_finish(&b);
}

/* The same in v0.8, whose entries have a type and hold scalars; lists and objects are left unsaid. Nothing is suggested
 * where a scalar stands in the way: an entry cannot say that it replaces it. */
static void put_entry(struct fix *fx, const struct sj_path *p, struct sj_slice json)
{
	struct sj_buf where;
	char c = json.len ? json.ptr[0] : 0;
	const char *type = c == '"'               ? "valueString"
	                   : c == 't' || c == 'f' ? "valueBoolean"
	                   : c == '[' || c == '{' ? NULL
	                                          : "valueNumber";
	if (!type || p->count == 0)
		return;
	for (uint32_t i = 0; i < p->count; i++) {
		const struct sj_value *v = sj_surface_get(fx->x->core, SJ_ROOT_DATA, p->tokens, i);
		if (v && v->type != SJ_V_OBJECT && v->type != SJ_V_ABSENT && v->type != SJ_V_NULL)
			return;
	}
	sj_buf_init(&where, fx->x->mem, 0);
	for (uint32_t i = 0; i + 1 < p->count; i++)
		sj_pointer_append(&where, p->tokens[i]);
	begin_message(fx, "dataModelUpdate");
	if (where.len > 0) {
		sj_buf_puts(fx->out, ",\"path\":");
		sj_json_print_string(fx->out, sj_buf_view(&where));
	}
	sj_buf_puts(fx->out, ",\"contents\":[{\"key\":");
	sj_json_print_string(fx->out, p->tokens[p->count - 1]);
	sj_buf_printf(fx->out, ",\"%s\":", type);
	sj_buf_slice(fx->out, json);
	sj_buf_puts(fx->out, "}]}}");
	if (sj_buf_status(&where) != SJ_OK)
		fx->x->st = SJ_NOMEM;
	sj_buf_finish(&where);
}

/* A write at a place of the model. What stands in the way (a scalar where an object is wanted) is replaced. */
static void put_data(struct fix *fx, const struct sj_path *p, struct sj_slice json)
{
	struct sj_surface *s = fx->x->core;
	struct sj_buf where;
	uint32_t n = p->count, good = 0;
	if (is_old(fx)) {
		put_entry(fx, p, json);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct sj_value *v = sj_surface_get(s, SJ_ROOT_DATA, p->tokens, i);
		if (v && !sj_value_is_container(v) && v->type != SJ_V_ABSENT && v->type != SJ_V_NULL)
			break;
		good = i + 1;
	}
	sj_buf_init(&where, fx->x->mem, 0);
	for (uint32_t i = 0; i < good; i++)
		sj_pointer_append(&where, p->tokens[i]);
	if (good == 0)
		sj_buf_putc(&where, '/');
	begin_message(fx, "updateDataModel");
	sj_buf_puts(fx->out, ",\"path\":");
	sj_json_print_string(fx->out, sj_buf_view(&where));
	sj_buf_puts(fx->out, ",\"value\":");
	for (uint32_t i = good; i < n; i++) {
		sj_buf_putc(fx->out, '{');
		sj_json_print_string(fx->out, p->tokens[i]);
		sj_buf_putc(fx->out, ':');
	}
	sj_buf_slice(fx->out, json);
	for (uint32_t i = good; i < n; i++)
		sj_buf_putc(fx->out, '}');
	sj_buf_puts(fx->out, "}}");
	if (sj_buf_status(&where) != SJ_OK)
		fx->x->st = SJ_NOMEM;
	sj_buf_finish(&where);
}

/* ---- examples of values ------------------------------------------------------------------------------------------ */

static struct sj_slice example(const struct sj_a2ui_prop *row)
{
	enum sj_dynamic_type t = row ? row->dyn : SJ_DYN_STRING;
	if (row && row->ui == SJ_P_URL)
		return SJ_LIT("\"https://example.com/\"");
	if (row && row->ui == SJ_P_NAME)
		return SJ_LIT("\"star\"");
	switch (t) {
	case SJ_DYN_NUMBER:
		return SJ_LIT("1");
	case SJ_DYN_BOOLEAN:
		return SJ_LIT("true");
	case SJ_DYN_STRING_LIST:
		return SJ_LIT("[\"text\"]");
	case SJ_DYN_ANY:
	case SJ_DYN_STRING:
		break;
	}
	return SJ_LIT("\"text\"");
}

/* One row for a list: what the row's own component reads relative to it, by names of one step. */
struct item {
	struct fix *fx;
	struct sj_buf *out;
	struct sj_map seen;
};

static bool add_member(void *ctx, const struct sj_use *u)
{
	struct item *it = ctx;
	if (u->place == SJ_IN_ACTION || u->kind == SJ_USE_CALL || u->kind == SJ_USE_TEMPLATE || u->name.len == 0 ||
	    memchr(u->name.ptr, '/', u->name.len) || memchr(u->name.ptr, '~', u->name.len) ||
	    sj_map_get(&it->seen, u->name) != SJ_MAP_NONE)
		return true;
	if (sj_map_put(&it->seen, u->name, 0) != SJ_OK)
		it->fx->x->st = SJ_NOMEM;
	sj_buf_puts(it->out, it->seen.count > 1 ? "," : "");
	sj_json_print_string(it->out, u->name);
	sj_buf_putc(it->out, ':');
	sj_buf_slice(it->out, example(u->kind == SJ_USE_PATH && u->whole ? u->row : NULL));
	return true;
}

#define ITEM_COMPONENTS 64
static void put_item(struct fix *fx, sj_component_ref row, struct sj_buf *out)
{
	struct sj_surface *s = fx->x->core;
	sj_component_ref list[ITEM_COMPONENTS];
	uint32_t n = 0;
	struct item it = {.fx = fx, .out = out};
	sj_map_init(&it.seen, fx->x->mem, 0);
	list[n++] = row;
	sj_buf_putc(out, '{');
	for (uint32_t i = 0; i < n; i++) {
		struct sj_source src;
		enum sj_status st = sj_source_open(fx->x->view, list[i], &fx->x->arena, &src);
		if (st == SJ_OK)
			st = sj_uses(&src, add_member, &it);
		if (st == SJ_NOMEM)
			fx->x->st = st;
		for (uint32_t k = 0; st == SJ_OK && k < sj_component_edges(s, list[i]) && n < ITEM_COMPONENTS; k++) {
			struct sj_edge e;
			bool known = false;
			sj_component_edge(s, list[i], k, &e);
			for (uint32_t j = 0; j < n; j++)
				known = known || list[j] == e.child;
			if (!e.is_template && !known)
				list[n++] = e.child;
		}
	}
	sj_buf_putc(out, '}');
	sj_map_finish(&it.seen);
}

/* ---- kinds of mending -------------------------------------------------------------------------------------------- */

static const struct sj_a2ui_component *text_type(const struct sj_catalog *c)
{
	const struct sj_a2ui_component *t = c ? sj_catalog_component(c, SJ_LIT("Text")) : NULL;
	return t && t->kind == SJ_UI_TEXT && sj_a2ui_prop_find(t, SJ_LIT("text")) ? t : NULL;
}

/* Defines a text of this id, so that what names it has something to show. */
static bool put_text(struct fix *fx, const struct sj_catalog *catalog, struct sj_slice id, bool name_catalog)
{
	struct sj_buf b;
	if (!text_type(catalog))
		return false;
	sj_buf_init(&b, fx->x->mem, 0);
	sj_buf_puts(&b, "{\"id\":");
	sj_json_print_string(&b, id);
	sj_buf_puts(&b, ",\"component\":\"Text\"");
	if (name_catalog) {
		sj_buf_puts(&b, ",\"catalogId\":");
		sj_json_print_string(&b, sj_catalog_id(catalog));
	}
	sj_buf_puts(&b, is_old(fx) ? ",\"text\":{\"literalString\":" : ",\"text\":");
	sj_json_print_string(&b, id);
	sj_buf_puts(&b, is_old(fx) ? "}}" : "}");
	if (sj_buf_status(&b) == SJ_OK)
		put_components(fx, sj_buf_view(&b));
	else
		fx->x->st = SJ_NOMEM;
	sj_buf_finish(&b);
	return true;
}

/* The string that names a child in a definition; 0: it is not written there. */
static uint32_t reference_cell(const struct sj_source *src, struct sj_slice property, struct sj_slice id)
{
	const struct sj_tape *t = &src->tape;
	uint32_t value = sj_tape_get(t, 0, property);
	for (uint32_t i = value; value && i < t->cells[value].end; i++)
		if (sj_tape_type(t, i) == SJ_J_STRING && !(t->cells[i].flags & SJ_CELL_KEY) && sj_tape_is(t, i, id))
			return i;
	return 0;
}

static void mend_missing(struct fix *fx, const struct sj_finding *f, const struct sj_source *src)
{
	struct sj_surface *s = fx->x->core;
	struct sj_slice id = sj_component_id(s, f->other);
	sj_component_ref near = sj_find_near_id(fx->x, id, f->other);
	uint32_t cell = src ? reference_cell(src, f->property, id) : 0;
	if (near && cell) {
		put_string_changed(fx, src, cell, sj_component_id(s, near));
		return;
	}
	const struct sj_catalog *c = fx->x->view->catalog ? fx->x->view->catalog : src ? src->comp->catalog : NULL;
	put_text(fx, c, id, fx->x->view->catalog == NULL);
}

/* A child that stands around its own parent: it is taken out of a list. */
static void mend_cycle(struct fix *fx, const struct sj_finding *f, const struct sj_source *src)
{
	uint32_t value = src ? sj_tape_get(&src->tape, 0, f->property) : 0;
	if (!value || is_old(fx))
		return;
	if (sj_tape_type(&src->tape, value) == SJ_J_ARRAY) {
		struct sj_buf b;
		bool first = true;
		sj_buf_init(&b, fx->x->mem, 0);
		sj_buf_putc(&b, '[');
		for (uint32_t at = sj_tape_first(&src->tape, value); at < src->tape.cells[value].end;
		     at = sj_tape_next(&src->tape, at)) {
			if (sj_tape_type(&src->tape, at) != SJ_J_STRING ||
			    sj_tape_is(&src->tape, at, sj_component_id(fx->x->core, f->other)))
				continue;
			sj_buf_puts(&b, first ? "" : ",");
			sj_buf_slice(&b, sj_tape_source(&src->tape, at));
			first = false;
		}
		sj_buf_putc(&b, ']');
		put_changed(fx, src, value, sj_buf_view(&b));
		sj_buf_finish(&b);
	} else if (sj_tape_type(&src->tape, value) == SJ_J_OBJECT) {
		put_changed(fx, src, value, SJ_LIT("[]")); /* a template of what stands around it */
	}
}

/* No root: a column of everything that nobody names, else the first component again under that id. */
static void mend_root(struct fix *fx)
{
	struct sj_explainer *x = fx->x;
	struct sj_surface *s = x->core;
	const struct sj_comp *first = sj_component_ctx(s, sj_component_at(s, 0));
	const struct sj_catalog *c = x->view->catalog ? x->view->catalog : first->catalog;
	const struct sj_a2ui_component *column = c ? sj_catalog_component(c, SJ_LIT("Column")) : NULL;
	struct sj_buf b;
	if (!column || column->kind != SJ_UI_COLUMN)
		return;
	sj_buf_init(&b, x->mem, 0);
	sj_buf_puts(&b, "{\"id\":\"root\",\"component\":\"Column\"");
	if (!x->view->catalog && x->view->version >= SJ_V10) {
		sj_buf_puts(&b, ",\"catalogId\":");
		sj_json_print_string(&b, sj_catalog_id(c));
	}
	sj_buf_puts(&b, ",\"children\":[");
	bool any = false;
	for (uint32_t i = 0; i < sj_component_count(s); i++) {
		sj_component_ref ref = sj_component_at(s, i);
		if (sj_component_parents(s, ref) > 0)
			continue;
		sj_buf_puts(&b, any ? "," : "");
		sj_json_print_string(&b, sj_component_id(s, ref));
		any = true;
	}
	sj_buf_puts(&b, "]}");
	if (sj_buf_status(&b) == SJ_OK)
		put_components(fx, sj_buf_view(&b));
	else
		x->st = SJ_NOMEM;
	sj_buf_finish(&b);
}

/* Puts a component that hangs in the air at the end of the root's list. */
static void mend_unreachable(struct fix *fx, const struct sj_finding *f)
{
	struct sj_explainer *x = fx->x;
	struct sj_source root;
	sj_component_ref r = sj_node_component(x->core, sj_surface_root(x->core));
	if (!r || sj_source_open(x->view, r, &x->arena, &root) != SJ_OK || !root.comp->type)
		return;
	for (uint32_t i = 0; i < root.comp->type->nprops; i++) {
		const struct sj_a2ui_prop *p = &root.comp->type->props[i];
		uint32_t value = p->cls == SJ_AC_CHILD_LIST ? sj_tape_get(&root.tape, 0, p->name) : 0;
		if (value && is_old(fx))
			value = sj_tape_type(&root.tape, value) == SJ_J_OBJECT
			                ? sj_tape_get(&root.tape, value, SJ_LIT("explicitList"))
			                : 0;
		struct sj_buf b;
		if (!value || sj_tape_type(&root.tape, value) != SJ_J_ARRAY)
			continue;
		struct sj_slice old = sj_tape_source(&root.tape, value);
		sj_buf_init(&b, x->mem, 0);
		sj_buf_put(&b, old.ptr, old.len - 1);
		sj_buf_puts(&b, root.tape.cells[value].len ? "," : "");
		sj_json_print_string(&b, sj_component_id(x->core, f->comp));
		sj_buf_putc(&b, ']');
		put_changed(fx, &root, value, sj_buf_view(&b));
		sj_buf_finish(&b);
		return;
	}
}

/* Every row of the list that lacks what the first one lacks. */
static void put_rows(struct fix *fx, const struct sj_finding *f, const struct sj_culprit *c, struct sj_slice json)
{
	struct sj_explainer *x = fx->x;
	struct sj_spot item;
	struct sj_slice tokens[64];
	if (f->nodes == 1 || (c->use.name.len && c->use.name.ptr[0] == '/')) {
		put_data(fx, &c->spot.path, json);
		return;
	}
	if (sj_node_scope_depth(x->core, f->node) != 1 || c->spot.path.count > 64 ||
	    sj_spot_find(x->view, f->node, SJ_LIT(""), &x->arena, &item) != SJ_OK || item.path.count == 0)
		return;
	uint32_t at = item.path.count - 1;
	const struct sj_value *list = sj_surface_get(x->core, SJ_ROOT_DATA, item.path.tokens, at);
	uint32_t rows = list ? sj_value_count(list) : 0;
	if (f->nodes > MOST_ROWS || rows > 100000)
		return;
	memcpy(tokens, c->spot.path.tokens, c->spot.path.count * sizeof *tokens);
	for (uint32_t i = 0; i < rows; i++) {
		struct sj_buf digits;
		sj_buf_init(&digits, x->mem, 0);
		sj_buf_printf(&digits, "%u", i);
		tokens[at] = sj_arena_copy(&x->arena, sj_buf_view(&digits));
		sj_buf_finish(&digits);
		if (!tokens[at].ptr) {
			x->st = SJ_NOMEM;
			return;
		}
		const struct sj_value *v = sj_surface_get(x->core, SJ_ROOT_DATA, tokens, c->spot.path.count);
		bool wrong = !v || v->type == SJ_V_ABSENT || v->type == SJ_V_NULL ||
		             (sj_value_is_string(v) && sj_value_text(v).len == 0) ||
		             (f->what == SJ_WN_WRONG_TYPE && sj_value_is_container(v));
		if (wrong)
			put_data(fx, &(struct sj_path){tokens, c->spot.path.count, false}, json);
	}
}

/* The first member of the object that is read whose type is wanted. */
static struct sj_slice fitting_member(const struct sj_culprit *c)
{
	enum sj_dynamic_type t = c->use.row ? c->use.row->dyn : SJ_DYN_STRING;
	for (uint32_t i = 0; c->spot.value && c->spot.value->type == SJ_V_OBJECT && i < sj_value_count(c->spot.value);
	     i++) {
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(c->spot.value, i, &key);
		if (t == SJ_DYN_STRING ? sj_value_is_string(v)
		                       : (t == SJ_DYN_NUMBER && sj_value_is_number(v)) ||
		                                 (t == SJ_DYN_BOOLEAN && sj_value_is_bool(v)))
			return key;
	}
	return SJ_NO_SLICE;
}

static void mend_reading(struct fix *fx, const struct sj_finding *f, const struct sj_source *src,
                         const struct sj_culprit *c)
{
	struct sj_explainer *x = fx->x;
	struct sj_buf b;
	bool list = f->what == SJ_WN_LIST_ABSENT || f->what == SJ_WN_NOT_A_LIST || f->what == SJ_WN_LIST_EMPTY;
	if (!src || (list && c->spot.path.count == 0)) /* the whole model as a list: nobody means that */
		return;
	if (!c->found) { /* a literal, or a call over nothing that is read */
		uint32_t value = sj_tape_get(&src->tape, 0, f->property);
		const struct sj_a2ui_prop *row =
			src->comp->type ? sj_a2ui_prop_find(src->comp->type, f->property) : NULL;
		if (value && row && row->cls == SJ_AC_DYNAMIC && !is_old(fx))
			put_changed(fx, src, value, example(row));
		return;
	}
	struct sj_meant m = {SJ_NO_SLICE, SJ_NO_SLICE};
	if (f->what == SJ_WN_ABSENT || f->what == SJ_WN_LIST_ABSENT || f->what == SJ_WN_NOT_A_LIST)
		m = sj_find_meant(x, f, c, list);
	if (m.spelled.ptr && c->use.kind != SJ_USE_TEXT) {
		put_string_changed(fx, src, c->use.name_cell, m.spelled);
		return;
	}
	sj_buf_init(&b, x->mem, 0);
	struct sj_slice key =
		f->what == SJ_WN_WRONG_TYPE && c->use.kind == SJ_USE_PATH ? fitting_member(c) : SJ_NO_SLICE;
	if (key.ptr) { /* rather read a member than write over what is there */
		sj_buf_slice(&b, c->use.name);
		while (b.len > 0 && b.ptr[b.len - 1] == '/')
			b.len--;
		sj_pointer_append(&b, key);
		if (sj_buf_status(&b) == SJ_OK)
			put_string_changed(fx, src, c->use.name_cell,
			                   c->use.name.len == 0 ? sj_slice(b.ptr + 1, b.len - 1) : sj_buf_view(&b));
		else
			x->st = SJ_NOMEM;
		sj_buf_finish(&b);
		return;
	}
	if (list) {
		struct sj_edge e;
		sj_component_edge(x->core, f->comp, 0, &e);
		sj_buf_putc(&b, '[');
		put_item(fx, e.child, &b);
		sj_buf_putc(&b, ']');
	} else {
		sj_buf_slice(&b, example(c->use.row));
	}
	if (sj_buf_status(&b) == SJ_OK)
		put_rows(fx, f, c, sj_buf_view(&b));
	else
		x->st = SJ_NOMEM;
	sj_buf_finish(&b);
}

/* A function that fails: what the property shows is written as it is. */
static void mend_failed(struct fix *fx, const struct sj_finding *f, const struct sj_source *src)
{
	uint32_t value = src ? sj_tape_get(&src->tape, 0, f->property) : 0;
	const struct sj_a2ui_prop *row =
		src && src->comp->type ? sj_a2ui_prop_find(src->comp->type, f->property) : NULL;
	if (is_old(fx))
		return; /* v0.8 has no functions that could fail */
	if (value && row && row->cls == SJ_AC_DYNAMIC)
		put_changed(fx, src, value, example(row));
	else if (value && row && row->cls == SJ_AC_CHECKS)
		put_changed(fx, src, value, SJ_LIT("[]"));
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

struct wanting {
	struct fix *fx;
	const struct sj_finding *f;
	const struct sj_source *src;
	sj_node_id node;
	uint32_t call, call_end; /* the innermost call around */
	struct sj_slice function;
	uint32_t writes;
	bool unsure, dry;
};

/* A value that makes this standard check hold. */
static void put_good(struct wanting *w, struct sj_buf *out)
{
	const struct sj_tape *t = &w->src->tape;
	uint32_t args = w->call ? sj_member(t, w->call, "args") : 0;
	uint32_t min = args ? sj_member(t, args, "min") : 0;
	double least = min && sj_tape_type(t, min) == SJ_J_NUMBER ? sj_tape_number(t, min) : 1;
	if (!w->call) {
		sj_buf_puts(out, "true");
	} else if (sj_slice_is(w->function, "email")) {
		sj_buf_puts(out, "\"name@example.com\"");
	} else if (sj_slice_is(w->function, "numeric")) {
		struct sj_value v = sj_value_number(least);
		sj_value_print(out, &v, 0);
	} else if (sj_slice_is(w->function, "length")) {
		sj_buf_putc(out, '"');
		for (double i = 0; i < least && i < 1000; i++)
			sj_buf_putc(out, 'x');
		sj_buf_putc(out, '"');
	} else if (sj_slice_is(w->function, "required")) {
		sj_buf_puts(out, "\"text\"");
	} else {
		w->unsure = true;
	}
}

static bool want(void *ctx, const struct sj_use *u)
{
	struct wanting *w = ctx;
	if (u->place != SJ_IN_CHECK)
		return true;
	if (u->cell >= w->call_end)
		w->call = 0;
	if (u->kind == SJ_USE_CALL) {
		if (sj_slice_is(u->name, "not"))
			w->unsure = true;
		if (sj_slice_is(u->name, "and") || sj_slice_is(u->name, "or")) {
			w->call = 0; /* what it joins is judged by itself */
			w->call_end = u->cell;
			return !w->unsure;
		}
		w->call = u->cell;
		w->call_end = w->src->tape.cells[u->cell].end;
		w->function = u->name;
		return !w->unsure;
	}
	struct sj_spot spot;
	struct sj_buf good;
	if (u->kind != SJ_USE_PATH ||
	    sj_spot_find(w->fx->x->view, w->node, u->name, &w->fx->x->arena, &spot) != SJ_OK) {
		w->unsure = true;
		return false;
	}
	sj_buf_init(&good, w->fx->x->mem, 0);
	put_good(w, &good);
	if (!w->unsure && !w->dry)
		put_data(w->fx, &spot.path, sj_buf_view(&good));
	w->writes++;
	sj_buf_finish(&good);
	return !w->unsure && w->writes < MOST_ROWS;
}

/* Data that would make the checks hold: what the person may enter. Only for the standard checks. */
static void mend_disabled(struct fix *fx, const struct sj_finding *f, const struct sj_source *src)
{
	struct wanting w = {.fx = fx, .f = f, .src = src, .node = f->node, .dry = true};
	if (!src || (f->other && f->other != f->comp))
		return;
	if (sj_uses(src, want, &w) != SJ_OK || w.unsure || w.writes == 0 || w.writes >= MOST_ROWS)
		return;
	w = (struct wanting){.fx = fx, .f = f, .src = src, .node = f->node};
	(void)sj_uses(src, want, &w);
}

void sj_put_fix(struct sj_explainer *x, const struct sj_finding *f, const struct sj_source *src,
                const struct sj_culprit *c)
{
	struct fix fx = {.x = x, .out = x->out};
	/* A surface of v0.8 that has not begun is mended by what begins it, which is the agent's to say. */
	if (x->view->version >= SJ_V09 || (x->view->version == SJ_V08 && sj_surface_root(x->core))) {
		switch (f->what) {
		case SJ_WN_NO_COMPONENTS:
			put_text(&fx, x->view->catalog, SJ_LIT("root"), false);
			break;
		case SJ_WN_NO_ROOT:
			if (!is_old(&fx))
				mend_root(&fx);
			break;
		case SJ_WN_MISSING:
			mend_missing(&fx, f, src);
			break;
		case SJ_WN_UNKNOWN_TYPE:
			put_text(&fx, x->view->catalog, sj_component_id(x->core, f->comp), false);
			break;
		case SJ_WN_CYCLIC:
			mend_cycle(&fx, f, src);
			break;
		case SJ_WN_UNREACHABLE:
			mend_unreachable(&fx, f);
			break;
		case SJ_WN_ABSENT:
		case SJ_WN_NULL:
		case SJ_WN_EMPTY:
		case SJ_WN_WRONG_TYPE:
		case SJ_WN_LIST_ABSENT:
		case SJ_WN_LIST_EMPTY:
		case SJ_WN_NOT_A_LIST:
			mend_reading(&fx, f, src, c);
			break;
		case SJ_WN_FAILED:
			mend_failed(&fx, f, src);
			break;
		case SJ_WN_DISABLED:
			mend_disabled(&fx, f, src);
			break;
		case SJ_WN_NO_CHILDREN:
		case SJ_WN_OVER_LIMIT:
		case SJ_WN_AWAITED:
		case SJ_WN_OTHER_TAB:
		case SJ_WN_CLOSED:
		case SJ_WN_HIDDEN:
		case SJ_WN_COUNT:
			break;
		}
	}
	sj_buf_puts(x->out, fx.messages ? "]}" : "null");
}
