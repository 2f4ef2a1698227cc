/* One finding in words: the cause, the chain that leads to it, where it came from. */
#include "a2ui/explain.h"
#include "base/num.h"
#include "text/near.h"

/* ---- who is to blame --------------------------------------------------------------------------------------------- */

struct search {
	struct sj_explainer *x;
	const struct sj_finding *f;
	struct sj_culprit best;
};

static bool is_wrong(const struct search *s, const struct sj_spot *spot)
{
	if (!spot->value || spot->value->type == SJ_V_NULL)
		return true;
	switch ((int)s->f->what) {
	case SJ_WN_EMPTY:
	case SJ_WN_DISABLED:
		return sj_value_is_string(spot->value) && sj_value_text(spot->value).len == 0;
	case SJ_WN_WRONG_TYPE:
	case SJ_WN_NOT_A_LIST:
	case SJ_WN_LIST_EMPTY:
		return true;
	default:
		return false;
	}
}

static bool blame(void *ctx, const struct sj_use *u)
{
	struct search *s = ctx;
	struct sj_spot spot;
	bool list = s->f->what == SJ_WN_LIST_ABSENT || s->f->what == SJ_WN_NOT_A_LIST || s->f->what == SJ_WN_LIST_EMPTY;
	bool checks = s->f->what == SJ_WN_DISABLED;
	if (u->kind == SJ_USE_CALL || (u->kind == SJ_USE_TEMPLATE) != list || (u->place == SJ_IN_CHECK) != checks)
		return true;
	if (s->f->property.len && !sj_slice_eq(u->property, s->f->property))
		return true;
	enum sj_status st = sj_spot_find(s->x->view, s->f->node, u->name, &s->x->arena, &spot);
	if (st == SJ_NOMEM)
		s->x->st = st;
	if (st != SJ_OK)
		return st != SJ_NOMEM;
	bool wrong = is_wrong(s, &spot);
	if (!s->best.found || wrong)
		s->best = (struct sj_culprit){true, *u, spot};
	return !wrong; /* the first that is wrong is it; else the last says at least what was read */
}

struct sj_culprit sj_find_culprit(struct sj_explainer *x, const struct sj_finding *f, const struct sj_source *src)
{
	struct search s = {.x = x, .f = f};
	if (sj_uses(src, blame, &s) == SJ_NOMEM)
		x->st = SJ_NOMEM;
	return s.best;
}

/* ---- what was meant ---------------------------------------------------------------------------------------------- */

static bool wanted(const struct sj_value *v, bool want_list)
{
	return v && v->type != SJ_V_ABSENT && v->type != SJ_V_NULL &&
	       (want_list ? v->type == SJ_V_ARRAY : !sj_value_is_container(v));
}

static const struct sj_value *descend(const struct sj_value *v, const struct sj_slice *tokens, uint32_t count)
{
	for (uint32_t i = 0; v && i < count; i++) {
		uint32_t at;
		if (v->type == SJ_V_OBJECT) {
			v = sj_value_get(v, tokens[i]);
		} else if (v->type == SJ_V_ARRAY && sj_num_index(tokens[i], &at)) {
			v = sj_value_item(v, at);
		} else {
			v = NULL;
		}
	}
	return v;
}

static struct sj_slice put_pointer(struct sj_explainer *x, const struct sj_slice *tokens, uint32_t count)
{
	struct sj_buf b;
	sj_buf_init(&b, x->mem, 0);
	for (uint32_t i = 0; i < count; i++)
		sj_pointer_append(&b, tokens[i]);
	struct sj_slice kept = sj_buf_status(&b) == SJ_OK ? sj_arena_copy(&x->arena, sj_buf_view(&b)) : SJ_NO_SLICE;
	sj_buf_finish(&b);
	if (!kept.ptr)
		x->st = SJ_NOMEM;
	return kept;
}

/* The same path but for one token that is spelled like another key there. */
static struct sj_slice misspelt(struct sj_explainer *x, const struct sj_value *root, const struct sj_path *p,
                                bool want_list)
{
	struct sj_slice tokens[64], best = SJ_NO_SLICE;
	uint32_t fewest = UINT32_MAX, at = 0;
	const struct sj_value *v = root;
	if (p->count > 64)
		return best;
	for (uint32_t i = 0; i < p->count && v; i++) {
		const struct sj_value *next = descend(v, &p->tokens[i], 1);
		for (uint32_t k = 0; v->type == SJ_V_OBJECT && k < sj_value_count(v) && k < 1000; k++) {
			struct sj_slice key;
			uint32_t steps;
			const struct sj_value *there = sj_value_member(v, k, &key);
			if (sj_slice_eq(key, p->tokens[i]) || !sj_near(key, p->tokens[i], &steps) || steps >= fewest ||
			    !wanted(descend(there, p->tokens + i + 1, p->count - i - 1), want_list))
				continue;
			fewest = steps;
			best = key;
			at = i;
		}
		v = next;
	}
	if (!best.ptr)
		return best;
	memcpy(tokens, p->tokens, p->count * sizeof *tokens);
	tokens[at] = best;
	return put_pointer(x, tokens, p->count);
}

/* Somewhere else under the same last key: breadth first, at most so many places. */
#define ELSEWHERE 512
struct place {
	const struct sj_value *value;
	struct sj_slice key;
	uint32_t up; /* place + 1 */
};

static struct sj_slice elsewhere(struct sj_explainer *x, const struct sj_value *root, struct sj_slice last,
                                 bool want_list)
{
	struct place *q = sj_arena_alloc(&x->arena, ELSEWHERE * sizeof *q);
	uint32_t n = 0;
	if (!q) {
		x->st = SJ_NOMEM;
		return SJ_NO_SLICE;
	}
	q[n++] = (struct place){root, SJ_NO_SLICE, 0};
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; q[i].value->type == SJ_V_OBJECT && k < sj_value_count(q[i].value); k++) {
			struct sj_slice key, tokens[64];
			const struct sj_value *v = sj_value_member(q[i].value, k, &key);
			if (sj_slice_eq(key, last) && wanted(v, want_list)) {
				uint32_t depth = 64;
				tokens[--depth] = key;
				for (uint32_t up = i; up && depth > 0; up = q[up].up - 1)
					tokens[--depth] = q[up].key;
				return put_pointer(x, tokens + depth, 64 - depth);
			}
			if (n < ELSEWHERE && v->type == SJ_V_OBJECT)
				q[n++] = (struct place){v, key, i + 1};
		}
	return SJ_NO_SLICE;
}

static bool is_absolute(struct sj_slice path) { return path.len > 0 && path.ptr[0] == '/'; }

struct sj_meant sj_find_meant(struct sj_explainer *x, const struct sj_finding *f, const struct sj_culprit *c,
                              bool want_list)
{
	struct sj_meant m = {SJ_NO_SLICE, SJ_NO_SLICE};
	const struct sj_value *model = sj_surface_model(x->core, SJ_ROOT_DATA);
	bool row = f->node && sj_node_scope_depth(x->core, f->node) > 0, absolute = is_absolute(c->use.name);
	struct sj_path written;
	struct sj_spot item;
	if (!c->found || c->spot.path.count == 0 ||
	    sj_path_parse(&x->arena, x->view->a->opt.limits, c->use.name, &written, NULL) != SJ_OK)
		return m;
	/* Inside a row: the other way of counting. */
	if (row && sj_spot_find(x->view, f->node, SJ_LIT(""), &x->arena, &item) == SJ_OK && item.value) {
		if (absolute && wanted(descend(item.value, written.tokens, written.count), want_list)) {
			m.spelled = put_pointer(x, written.tokens, written.count);
			if (m.spelled.len)
				m.spelled = sj_slice(m.spelled.ptr + 1, m.spelled.len - 1);
		} else {
			struct sj_slice near = misspelt(x, item.value, &written, want_list);
			if (near.ptr)
				m.spelled = sj_slice(near.ptr + 1, near.len - 1);
		}
		if (m.spelled.ptr) {
			struct sj_spot spot;
			if (sj_spot_find(x->view, f->node, m.spelled, &x->arena, &spot) == SJ_OK)
				m.pointer = spot.pointer;
			return m;
		}
		if (!absolute && wanted(descend(model, written.tokens, written.count), want_list)) {
			m.pointer = m.spelled = put_pointer(x, written.tokens, written.count);
			return m;
		}
	}
	m.pointer = misspelt(x, model, &c->spot.path, want_list);
	if (!m.pointer.ptr)
		m.pointer = elsewhere(x, model, c->spot.path.tokens[c->spot.path.count - 1], want_list);
	m.spelled = m.pointer;
	return m;
}

sj_component_ref sj_find_near_id(struct sj_explainer *x, struct sj_slice id, sj_component_ref not_this)
{
	sj_component_ref best = 0;
	uint32_t fewest = UINT32_MAX;
	for (uint32_t i = 0; i < sj_component_count(x->core) && i < 5000; i++) {
		sj_component_ref c = sj_component_at(x->core, i);
		uint32_t steps;
		if (c == not_this || sj_component_parents(x->core, c) > 0 ||
		    !sj_near(sj_component_id(x->core, c), id, &steps) || steps >= fewest ||
		    sj_slice_is(sj_component_id(x->core, c), "root"))
			continue;
		fewest = steps;
		best = c;
	}
	return best;
}

/* ---- sentences --------------------------------------------------------------------------------------------------- */

static const char *type_word(const struct sj_value *v)
{
	if (!v || v->type == SJ_V_ABSENT)
		return "nothing";
	return v->type == SJ_V_NULL           ? "null"
	       : sj_value_is_bool(v)          ? "a boolean"
	       : sj_value_is_number(v)        ? "a number"
	       : sj_value_is_string(v)        ? (sj_value_text(v).len ? "a text" : "an empty text")
	       : v->type == SJ_V_ARRAY        ? "a list"
	                                      : "an object";
}

static const char *dyn_word(enum sj_dynamic_type t)
{
	static const char *const words[] = {[SJ_DYN_ANY] = "any value",
	                                    [SJ_DYN_STRING] = "a text",
	                                    [SJ_DYN_NUMBER] = "a number",
	                                    [SJ_DYN_BOOLEAN] = "a boolean",
	                                    [SJ_DYN_STRING_LIST] = "a list of texts"};
	return words[t];
}

/* "component 'row' (Text), in 3 rows" */
static void put_who(struct sj_explainer *x, const struct sj_finding *f, struct sj_buf *out)
{
	struct sj_slice id = sj_component_id(x->core, f->comp), type = sj_component_type(x->core, f->comp);
	sj_buf_printf(out, "'%.*s'", SJ_ARG(id));
	if (type.len)
		sj_buf_printf(out, " (%.*s)", SJ_ARG(type));
	if (f->nodes > 1)
		sj_buf_printf(out, ", in %u places", f->nodes);
}

static void put_cause(struct sj_explainer *x, const struct sj_finding *f, const struct sj_culprit *c,
                      struct sj_buf *out)
{
	struct sj_surface *s = x->core;
	struct sj_slice other = f->other ? sj_component_id(s, f->other) : SJ_LIT("");
	const struct sj_a2ui_prop *row = c->found ? c->use.row : NULL;
	struct sj_validity val = {.valid = true};
	switch (f->what) {
	case SJ_WN_NO_COMPONENTS:
		sj_buf_puts(out, "The surface was created, and no component ever came.");
		return;
	case SJ_WN_NO_ROOT:
		sj_buf_printf(out, "None of the %u components has the id 'root', where the screen begins.",
		              sj_component_count(s));
		return;
	case SJ_WN_MISSING:
		put_who(x, f, out);
		sj_buf_printf(out, " names '%.*s' in %.*s, and no message ever defined a component of that id.", SJ_ARG(other),
		              SJ_ARG(f->property));
		return;
	case SJ_WN_UNKNOWN_TYPE:
		put_who(x, f, out);
		sj_buf_puts(out, " is of a type that its catalog does not have.");
		return;
	case SJ_WN_CYCLIC:
		put_who(x, f, out);
		sj_buf_printf(out, " names '%.*s' in %.*s, which stands around it already.", SJ_ARG(other),
		              SJ_ARG(f->property));
		return;
	case SJ_WN_OVER_LIMIT:
		put_who(x, f, out);
		sj_buf_puts(out, " has more below it than the limits of one surface allow.");
		return;
	case SJ_WN_UNREACHABLE:
		put_who(x, f, out);
		sj_buf_puts(out, sj_component_parents(s, f->comp)
		                         ? " is named only by components that are not on the screen themselves."
		                         : " is defined, and nothing on the screen names it.");
		return;
	case SJ_WN_NO_CHILDREN:
		put_who(x, f, out);
		sj_buf_puts(out, " was sent with an empty list of children.");
		return;
	case SJ_WN_ABSENT:
		put_who(x, f, out);
		if (c->found)
			sj_buf_printf(out, " is empty: its %.*s reads %.*s, where there is nothing.",
			              SJ_ARG(f->property), SJ_ARG(c->spot.pointer));
		else
			sj_buf_printf(out, " is empty: its %.*s computes nothing.", SJ_ARG(f->property));
		return;
	case SJ_WN_NULL:
		put_who(x, f, out);
		if (c->found)
			sj_buf_printf(out, " is empty: its %.*s reads %.*s, which holds null.", SJ_ARG(f->property),
			              SJ_ARG(c->spot.pointer));
		else
			sj_buf_printf(out, " is empty: its %.*s is null.", SJ_ARG(f->property));
		return;
	case SJ_WN_EMPTY:
		put_who(x, f, out);
		if (c->found)
			sj_buf_printf(out, " is empty: its %.*s reads %.*s, which holds an empty text.", SJ_ARG(f->property),
			              SJ_ARG(c->spot.pointer));
		else
			sj_buf_printf(out, " is empty: its %.*s is an empty text.", SJ_ARG(f->property));
		return;
	case SJ_WN_WRONG_TYPE:
		put_who(x, f, out);
		sj_buf_printf(out, " cannot show its %.*s: it wants %s, and %.*s holds %s.", SJ_ARG(f->property),
		              dyn_word(row ? row->dyn : SJ_DYN_ANY),
		              SJ_ARG(c->found ? c->spot.pointer : SJ_LIT("the place it reads")),
		              type_word(c->found ? c->spot.value : NULL));
		return;
	case SJ_WN_LIST_ABSENT:
		put_who(x, f, out);
		sj_buf_printf(out, " has no rows: its list is %.*s, where there is nothing.",
		              SJ_ARG(c->found ? c->spot.pointer : SJ_LIT("/")));
		return;
	case SJ_WN_LIST_EMPTY:
		put_who(x, f, out);
		sj_buf_printf(out, " has no rows: the list at %.*s is empty.",
		              SJ_ARG(c->found ? c->spot.pointer : SJ_LIT("/")));
		return;
	case SJ_WN_NOT_A_LIST:
		put_who(x, f, out);
		sj_buf_printf(out, " has no rows: a list is wanted at %.*s, which holds %s.",
		              SJ_ARG(c->found ? c->spot.pointer : SJ_LIT("/")),
		              type_word(c->found ? c->spot.value : NULL));
		return;
	case SJ_WN_FAILED:
		put_who(x, f, out);
		sj_buf_printf(out, " cannot compute its %.*s: a function it calls failed.", SJ_ARG(f->property));
		return;
	case SJ_WN_AWAITED:
		put_who(x, f, out);
		sj_buf_printf(out, " waits for the answer to a call in its %.*s.", SJ_ARG(f->property));
		return;
	case SJ_WN_DISABLED:
		put_who(x, f, out);
		if (f->other && f->other != f->comp) {
			sj_buf_printf(out, " is disabled: a check of '%.*s' fails, and this screen waits for all of them.", SJ_ARG(other));
			return;
		}
		sj_node_validity(s, f->node, &val);
		sj_buf_puts(out, val.pending ? " is disabled: the answer to one of its checks is awaited."
		                             : " is disabled: one of its checks fails");
		if (!val.pending && val.message.len)
			sj_buf_printf(out, ", with the words \"%.*s\".", SJ_ARG(val.message));
		else if (!val.pending)
			sj_buf_puts(out, ".");
		return;
	case SJ_WN_OTHER_TAB:
		put_who(x, f, out);
		sj_buf_printf(out, " stands in a tab of '%.*s' that is not the chosen one.", SJ_ARG(other));
		return;
	case SJ_WN_CLOSED:
		put_who(x, f, out);
		sj_buf_printf(out, " stands in the dialog of '%.*s', which opens when its trigger is pressed.", SJ_ARG(other));
		return;
	case SJ_WN_HIDDEN:
		put_who(x, f, out);
		sj_buf_puts(out, " is hidden by the agent.");
		return;
	case SJ_WN_COUNT:
		return;
	}
}

void sj_tell_cause(struct sj_explainer *x, const struct sj_finding *f, struct sj_buf *out)
{
	struct sj_culprit c = {.found = false};
	struct sj_source src;
	if (f->comp && sj_component_defined(x->core, f->comp)) {
		enum sj_status st = sj_source_open(x->view, f->comp, &x->arena, &src);
		if (st == SJ_OK)
			c = sj_find_culprit(x, f, &src);
		else if (st == SJ_NOMEM)
			x->st = st;
	}
	put_cause(x, f, &c, out);
}

/* ---- the chain --------------------------------------------------------------------------------------------------- */

static void link_begin(struct sj_explainer *x, bool *first, const char *what)
{
	sj_buf_printf(x->out, "%s{\"what\":\"%s\"", *first ? "" : ",", what);
	*first = false;
}

static void link_text(struct sj_explainer *x, const char *key, struct sj_slice text)
{
	sj_buf_printf(x->out, ",\"%s\":", key);
	sj_json_print_string(x->out, text);
}

static void link_origin(struct sj_explainer *x, struct sj_origin o)
{
	if (o.message)
		sj_buf_printf(x->out, ",\"message\":%u,\"offset\":%llu", o.message, (unsigned long long)o.offset);
}

/* Why a property cannot be computed: it is compiled and evaluated once more, alone. */
static void put_reason(struct sj_explainer *x, const struct sj_finding *f, const struct sj_source *src, bool *first)
{
	struct sj_diag d = {0};
	struct sj_code_builder *b;
	struct sj_code_block *code;
	struct sj_value v;
	uint32_t value = sj_tape_get(&src->tape, 0, f->property);
	struct sj_compile c = {.view = x->view,
	                       .tape = &src->tape,
	                       .dialect = src->dialect,
	                       .catalog = src->comp->catalog,
	                       .type = src->comp->type,
	                       .arena = &x->arena};
	if (!value || sj_code_begin(x->core, &b) != SJ_OK)
		return;
	sj_compile_value(&c, b, value);
	if (sj_code_end(b, &code) != SJ_OK)
		return;
	enum sj_result r = sj_surface_eval(x->core, f->node, code, &v, &d);
	if (r == SJ_R_OK)
		sj_value_unref(sj_surface_mem(x->core), v);
	sj_code_destroy(x->core, code);
	if (!d.message[0])
		return;
	link_begin(x, first, "reason");
	link_text(x, "code", sj_slice_of(sj_code_name(d.code)));
	link_text(x, "text", sj_slice_of(d.message));
	sj_buf_putc(x->out, '}');
}

static void put_chain(struct sj_explainer *x, const struct sj_finding *f, const struct sj_source *src,
                      const struct sj_culprit *c)
{
	bool first = true;
	struct sj_origin o;
	sj_buf_putc(x->out, '[');
	if (f->comp) {
		link_begin(x, &first, "component");
		link_text(x, "id", sj_component_id(x->core, f->comp));
		if (f->property.len)
			link_text(x, "property", f->property);
		link_origin(x, sj_component_origin(x->core, f->comp));
		sj_buf_putc(x->out, '}');
	}
	if (c->found) {
		link_begin(x, &first,
		           c->use.kind == SJ_USE_TEMPLATE ? "list"
		           : c->use.kind == SJ_USE_TEXT   ? "text"
		                                          : "binding");
		link_text(x, "path", c->use.name);
		sj_buf_putc(x->out, '}');
		link_begin(x, &first, "place");
		link_text(x, "pointer", c->spot.pointer);
		link_text(x, "holds", sj_slice_of(type_word(c->spot.value)));
		sj_buf_putc(x->out, '}');
		link_begin(x, &first, "writer");
		if (sj_surface_origin(x->core, SJ_ROOT_DATA, c->spot.path.tokens, c->spot.path.count, &o))
			link_origin(x, o);
		else
			sj_buf_puts(x->out, ",\"message\":null");
		sj_buf_putc(x->out, '}');
		bool list = c->use.kind == SJ_USE_TEMPLATE;
		struct sj_meant m =
			f->what == SJ_WN_ABSENT || f->what == SJ_WN_LIST_ABSENT || f->what == SJ_WN_NOT_A_LIST
				? sj_find_meant(x, f, c, list)
				: (struct sj_meant){SJ_NO_SLICE, SJ_NO_SLICE};
		if (m.pointer.ptr) {
			link_begin(x, &first, "meant");
			link_text(x, "pointer", m.pointer);
			link_text(x, "path", m.spelled);
			sj_buf_putc(x->out, '}');
		}
	}
	if (f->what == SJ_WN_MISSING) {
		link_begin(x, &first, "missing");
		link_text(x, "id", sj_component_id(x->core, f->other));
		sj_component_ref near = sj_find_near_id(x, sj_component_id(x->core, f->other), f->other);
		if (near)
			link_text(x, "meant", sj_component_id(x->core, near));
		sj_buf_putc(x->out, '}');
	}
	if (f->what == SJ_WN_FAILED && src->ref && x->view->version >= SJ_V09)
		put_reason(x, f, src, &first);
	sj_buf_putc(x->out, ']');
}

void sj_tell_finding(struct sj_explainer *x, const struct sj_finding *f)
{
	static const char *const severities[] = {
		[SJ_SEV_ERROR] = "error", [SJ_SEV_WARNING] = "warning", [SJ_SEV_INFO] = "info"};
	struct sj_culprit c = {.found = false};
	struct sj_source src = {.ref = 0};
	struct sj_buf text;
	struct sj_origin o = {0, 0};
	sj_component_ref reads = f->what == SJ_WN_DISABLED && f->other ? f->other : f->comp;
	sj_buf_init(&text, x->mem, 0);
	if (reads && sj_component_defined(x->core, reads)) {
		enum sj_status st = sj_source_open(x->view, reads, &x->arena, &src);
		if (st == SJ_OK)
			c = sj_find_culprit(x, f, &src);
		else if (st == SJ_NOMEM)
			x->st = st;
	}
	put_cause(x, f, &c, &text);
	sj_buf_puts(x->out, "{\"cause\":");
	sj_json_print_string(x->out, sj_buf_view(&text));
	sj_buf_puts(x->out, ",\"chain\":");
	put_chain(x, f, &src, &c);
	sj_buf_printf(x->out, ",\"code\":\"%s\"", SJ_WHYNOT[f->what].code);
	if (f->comp) {
		link_text(x, "component", sj_component_id(x->core, f->comp));
		if (f->node) {
			sj_buf_clear(&text);
			sj_node_data_path(x->core, f->node, &text);
			link_text(x, "dataPath", sj_buf_view(&text));
		}
		o = sj_component_origin(x->core, f->comp);
	}
	link_origin(x, o);
	sj_buf_printf(x->out, ",\"nodes\":%u", f->nodes);
	if (f->property.len)
		link_text(x, "property", f->property);
	sj_buf_printf(x->out, ",\"severity\":\"%s\",\"state\":\"%s\",\"suggestion\":",
	              severities[SJ_WHYNOT[f->what].severity], SJ_WHYNOT[f->what].state);
	sj_put_fix(x, f, src.ref ? &src : NULL, &c);
	link_text(x, "surfaceId", sj_slice(x->view->id, x->view->id_len));
	if (f->comp)
		link_text(x, "type", sj_component_type(x->core, f->comp));
	sj_buf_puts(x->out, "}\n");
	if (sj_buf_status(&text) != SJ_OK)
		x->st = SJ_NOMEM;
	sj_buf_finish(&text);
}
