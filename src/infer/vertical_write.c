/* Messages as a model would write them in Vertical, and the prompt that tells it how. */
#include "infer/vertical.h"

#include "base/limits.h"

/* ---- values ------------------------------------------------------------------------------------------------------ */

enum form { AS_LIST, AS_MAP, AS_ARGS /* members as key=value */ };
struct level {
	const struct sj_value *v; /* list or object */
	enum form form;
	const char *close;
	uint32_t at;
	const char *skip;         /* a member that was written already */
	bool first;
	/* A component: its row, and the members that are its own. */
	const struct sj_a2ui_component *type;
	const struct sj_a2ui_prop *want;
	size_t id_len;            /* of the id's beginning, in writer.id */
};
struct writer {
	const struct sj_format *f;
	struct sj_buf *out;
	struct sj_diag *diag;
	const struct sj_value *components;
	uint32_t next;    /* component that comes next in reading order */
	struct sj_buf id; /* where we are: root_children_0 */
	SJ_VEC(struct level) stack;
};

static const struct sj_value *get(const struct sj_value *v, const char *key)
{
	return v && v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(key)) : NULL;
}

static struct sj_slice text_of(const struct sj_value *v)
{
	return v && sj_value_is_string(v) ? sj_value_text(v) : SJ_NO_SLICE;
}

static bool is_name(struct sj_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!sj_vertical_is_name(s, i, i == 0))
			return false;
	return s.len > 0 && !sj_slice_is(s, "_");
}

static bool all_names(const struct sj_value *object)
{
	for (uint32_t i = 0; i < sj_value_count(object); i++) {
		struct sj_slice key;
		sj_value_member(object, i, &key);
		if (!is_name(key))
			return false;
	}
	return true;
}

static enum sj_status cannot(struct writer *w, const char *what)
{
	return sj_diag_set(w->diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_COMPILE, "Vertical cannot express %s",
	                   what);
}

static enum sj_status open_level(struct writer *w, const struct sj_value *v, enum form form, const char *close,
                                 struct level **out)
{
	if (w->stack.count >= SJ_LIMITS_DEFAULT.dynamic_depth)
		return cannot(w, "values nested that deep");
	enum sj_status st = SJ_VEC_RESERVE(w->f->mem, &w->stack, w->stack.count + 1, 0);
	if (st != SJ_OK)
		return st;
	struct level *l = &w->stack.items[w->stack.count++];
	*l = (struct level){.v = v, .form = form, .close = close, .first = true, .id_len = w->id.len};
	if (out)
		*out = l;
	return SJ_OK;
}

/* $/a/b where that reads back, else $"...". */
static void put_path(struct writer *w, struct sj_slice path)
{
	bool plain = path.len > 0;
	for (size_t i = 0; i < path.len && plain; i++) {
		char c = path.ptr[i], next = i + 1 < path.len ? path.ptr[i + 1] : 0;
		plain = (c == '/' && next != '/' && next != '*') ||
		        (c != '/' && sj_vertical_is_name(path, i, false));
	}
	sj_buf_putc(w->out, '$');
	if (plain)
		sj_buf_slice(w->out, path);
	else
		sj_json_print_string(w->out, path);
}

/* {call, args} whose function and arguments can be written as name(key=value). */
static bool is_call(const struct writer *w, const struct sj_value *v)
{
	const struct sj_value *call = sj_value_get(v, sj_format_key_call(w->f)), *args = get(v, "args"),
			      *own = get(v, "catalogId");
	if (!call || !sj_value_is_string(call) || !args || args->type != SJ_V_OBJECT ||
	    sj_value_count(v) != 2u + (own != NULL) || !all_names(args))
		return false;
	for (uint32_t i = 0; i < w->f->opt.ncatalogs; i++)
		if (sj_catalog_function(w->f->catalogs[i], text_of(call)))
			return !sj_slice_is(text_of(call), "Event");
	return false;
}

static enum sj_status open_call(struct writer *w, const struct sj_value *v)
{
	sj_buf_slice(w->out, text_of(sj_value_get(v, sj_format_key_call(w->f))));
	sj_buf_putc(w->out, '(');
	return open_level(w, get(v, "args"), AS_ARGS, ")", NULL);
}

/* {event: {name, context}} */
static bool is_event(const struct sj_value *v)
{
	const struct sj_value *event = get(v, "event"), *name = get(event, "name"), *context = get(event, "context");
	return sj_value_count(v) == 1 && name && sj_value_is_string(name) &&
	       sj_value_count(event) == 1u + (context != NULL) &&
	       (!context || (context->type == SJ_V_OBJECT && sj_value_count(context) > 0));
}

static enum sj_status open_event(struct writer *w, const struct sj_value *v)
{
	const struct sj_value *event = get(v, "event"), *context = get(event, "context");
	struct level *l;
	sj_buf_puts(w->out, "Event(");
	sj_json_print_string(w->out, text_of(get(event, "name")));
	if (!context) {
		sj_buf_putc(w->out, ')');
		return SJ_OK;
	}
	if (all_names(context) && !get(context, "name") && !get(context, "context")) {
		enum sj_status st = open_level(w, context, AS_ARGS, ")", &l);
		if (st == SJ_OK)
			l->first = false; /* the name stands before them */
		return st;
	}
	sj_buf_puts(w->out, ", {");
	return open_level(w, context, AS_MAP, "})", NULL);
}

static enum sj_status open_component(struct writer *w)
{
	const struct sj_value *c = sj_value_item(w->components, w->next++);
	const struct sj_a2ui_component *type;
	const struct sj_catalog *catalog;
	const struct sj_value *own = get(c, "catalogId");
	enum sj_status st = sj_format_component(w->f, text_of(get(c, "component")), own ? text_of(own) : SJ_NO_SLICE,
	                                        &catalog, &type, w->diag);
	struct level *l;
	if (st == SJ_OK)
		st = open_level(w, c, AS_ARGS, ")", &l);
	if (st != SJ_OK)
		return st;
	l->type = type;
	sj_buf_slice(w->out, type->name);
	sj_buf_putc(w->out, '(');
	return SJ_OK;
}

/* Is the reference the component that comes next, with the id that its place gives it? */
static bool is_next(const struct writer *w, struct sj_slice id)
{
	return w->next < sj_value_count(w->components) && sj_slice_eq(id, sj_buf_view(&w->id)) &&
	       sj_slice_eq(text_of(get(sj_value_item(w->components, w->next), "id")), id);
}

static enum sj_status put_value(struct writer *w, const struct sj_value *v, const struct sj_a2ui_prop *want)
{
	struct level *l;
	enum sj_status st;
	if (sj_value_is_string(v)) {
		bool reference = want && (want->cls == SJ_AC_CHILD || want->cls == SJ_AC_CHILD_LIST);
		if (reference && is_next(w, sj_value_text(v)))
			return open_component(w);
		sj_json_print_string(w->out, sj_value_text(v));
		return SJ_OK;
	}
	if (!sj_value_is_container(v)) {
		sj_value_print(w->out, v, SJ_PRINT_COMPACT);
		return SJ_OK;
	}
	if (v->type == SJ_V_ARRAY) {
		sj_buf_putc(w->out, '[');
		st = open_level(w, v, AS_LIST, "]", &l);
		if (st == SJ_OK)
			l->want = want;
		return st;
	}
	const struct sj_value *path = sj_value_get(v, sj_format_key_path(w->f)), *call = get(v, "functionCall");
	if (path && sj_value_is_string(path) && sj_value_count(v) == 1) {
		put_path(w, sj_value_text(path));
		return SJ_OK;
	}
	if (is_event(v))
		return open_event(w, v);
	if (want && want->cls == SJ_AC_ACTION && call && call->type == SJ_V_OBJECT && sj_value_count(v) == 1 &&
	    is_call(w, call))
		return open_call(w, call);
	if (is_call(w, v) && !(want && want->cls == SJ_AC_ACTION))
		return open_call(w, v);
	sj_buf_putc(w->out, '{');
	st = open_level(w, v, AS_MAP, "}", &l);
	if (st == SJ_OK)
		l->want = want;
	return st;
}

/* The row of a member or item. */
static const struct sj_a2ui_prop *row_of(const struct level *l, struct sj_slice key)
{
	if (l->type)
		return sj_a2ui_prop_find(l->type, key);
	const struct sj_a2ui_prop *w = l->want;
	if (!w)
		return NULL;
	if (l->form == AS_LIST)
		return w->cls == SJ_AC_ARRAY && w->nsub == 1 && w->sub[0].name.len == 0 ? &w->sub[0] : w;
	for (uint32_t i = 0; i < w->nsub; i++)
		if (sj_slice_eq(w->sub[i].name, key))
			return &w->sub[i];
	return NULL;
}

static bool is_head(struct sj_slice key)
{
	return sj_slice_is(key, "id") || sj_slice_is(key, "component") || sj_slice_is(key, "catalogId");
}

/* The component's first argument goes without its name. */
static const struct sj_value *first_argument(const struct level *l)
{
	return l->type->npositions > 0 ? sj_value_get(l->v, l->type->positions[0]->name) : NULL;
}

static enum sj_status step(struct writer *w)
{
	struct level *l = &w->stack.items[w->stack.count - 1];
	const struct sj_value *v;
	struct sj_slice key = SJ_NO_SLICE;
	w->id.len = l->id_len;
	if (l->type && l->first && first_argument(l)) {
		l->first = false;
		l->skip = l->type->positions[0]->name.ptr;
		key = l->type->positions[0]->name;
		v = first_argument(l);
	} else if (l->at == sj_value_count(l->v)) {
		sj_buf_puts(w->out, l->close);
		w->stack.count--;
		return SJ_OK;
	} else if (l->form == AS_LIST) {
		sj_buf_puts(w->out, l->at > 0 ? ", " : "");
		v = sj_value_item(l->v, l->at++);
		sj_buf_printf(&w->id, "_%u", l->at - 1);
		return sj_buf_status(&w->id) == SJ_OK ? put_value(w, v, row_of(l, key)) : SJ_NOMEM;
	} else {
		v = sj_value_member(l->v, l->at++, &key);
		if (l->type && (is_head(key) ||
		                (l->skip && sj_slice_eq(key, l->type->positions[0]->name))))
			return SJ_OK;
		sj_buf_puts(w->out, l->first ? "" : ", ");
		l->first = false;
		if (l->form == AS_MAP) {
			sj_json_print_string(w->out, key);
			sj_buf_puts(w->out, ": ");
		} else if (!is_name(key)) {
			return cannot(w, "a property whose name is no identifier");
		} else {
			sj_buf_slice(w->out, key);
			sj_buf_putc(w->out, '=');
		}
	}
	sj_buf_putc(&w->id, '_');
	sj_buf_slice(&w->id, key);
	return sj_buf_status(&w->id) == SJ_OK ? put_value(w, v, row_of(l, key)) : SJ_NOMEM;
}

static enum sj_status put_line(struct writer *w, const struct sj_value *components)
{
	w->components = components;
	w->next = 0;
	sj_buf_clear(&w->id);
	sj_buf_puts(&w->id, "root");
	if (sj_value_count(components) == 0)
		return cannot(w, "a surface without components");
	enum sj_status st = open_component(w);
	while (st == SJ_OK && w->stack.count > 0)
		st = step(w);
	sj_buf_putc(w->out, '\n');
	if (st == SJ_OK && w->next < sj_value_count(components))
		return cannot(w, "components that are not nested in their order");
	return st;
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

/* Writes without asking whether all of it can be said: sj_vertical_decompile reads it back. */
static enum sj_status write_messages(struct writer *w, const struct sj_value *messages)
{
	bool whole = w->f->opt.version == SJ_V10;
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; i < sj_value_count(messages) && st == SJ_OK; i++) {
		const struct sj_value *m = sj_value_item(messages, i);
		const struct sj_value *body = get(m, whole ? "createSurface" : "updateComponents"),
				      *components = get(body, "components");
		if (!whole && get(m, "createSurface"))
			continue;
		if (!components || components->type != SJ_V_ARRAY)
			return cannot(w, "other messages than those that make surfaces with components");
		st = put_line(w, components);
	}
	return st;
}

/* Does the text mean the messages, without a repair? */
static enum sj_status read_back(struct writer *w, const struct sj_value *messages, struct sj_slice text)
{
	struct sj_repairs none = {.cap = 0};
	struct sj_diag d = {.code = SJ_E_NONE};
	struct sj_value back;
	enum sj_status st = SJ_FORMAT_OPS_VERTICAL.compile(w->f, text, &back, &none, &d);
	SJ_VEC_FREE(w->f->mem, &none.list);
	if (st == SJ_OK) {
		bool same = sj_value_equal(&back, messages);
		sj_value_unref(w->f->mem, back);
		return same ? SJ_OK : cannot(w, "these surfaces (ids and what they hold follow from the notation)");
	}
	if (st == SJ_LIMIT)
		return cannot(w, "these values");
	if (st == SJ_INVALID && w->diag && w->diag->code == SJ_E_NONE)
		*w->diag = d;
	return st;
}

enum sj_status sj_vertical_decompile(const struct sj_format *f, const struct sj_value *messages, struct sj_buf *out,
                                     struct sj_diag *diag)
{
	struct sj_buf text;
	struct writer w = {.f = f, .out = &text, .diag = diag};
	sj_buf_init(&text, f->mem, 0);
	sj_buf_init(&w.id, f->mem, 0);
	enum sj_status st = messages->type == SJ_V_ARRAY ? write_messages(&w, messages) : cannot(&w, "what is no list");
	if (st == SJ_OK)
		st = sj_buf_status(&text);
	if (st == SJ_OK)
		st = read_back(&w, messages, sj_buf_view(&text));
	if (st == SJ_OK) {
		sj_buf_put(out, text.ptr, text.len > 0 ? text.len - 1 : 0); /* lines are separated, not ended */
		st = sj_buf_status(out);
	}
	SJ_VEC_FREE(f->mem, &w.stack);
	sj_buf_finish(&w.id);
	sj_buf_finish(&text);
	return st;
}
