/* Values in compact notation, from the outside in, with a stack of what is open. */
#include "infer/compact_write.h"

#include <string.h>

#include "base/utf.h"
#include "text/ident.h"

/* ---- words ------------------------------------------------------------------------------------------------------- */

static bool is_identifier(struct sj_slice s) { return s.len > 0 && sj_ident_check(s); }

bool sj_compact_is_name(struct sj_slice s) { return is_identifier(s) && !sj_compact_is_word(s); }

static bool path_bytes(struct sj_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!sj_compact_is_path_byte(s.ptr[i]))
			return false;
	return s.len > 0;
}

bool sj_compact_is_segment(struct sj_slice s)
{
	bool digits = s.len > 0;
	for (size_t i = 0; i < s.len; i++)
		digits = digits && s.ptr[i] >= '0' && s.ptr[i] <= '9';
	return !digits && path_bytes(s) && !memchr(s.ptr, '/', s.len) && !memchr(s.ptr, '~', s.len) &&
	       sj_utf8_check(s) == s.len;
}

static void single_quoted(struct sj_buf *out, struct sj_slice s)
{
	sj_buf_putc(out, '\'');
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];
		if (c == '\'' || c == '\\')
			sj_buf_printf(out, "\\%c", c);
		else if (c == '\n')
			sj_buf_puts(out, "\\n");
		else if (c == '\t')
			sj_buf_puts(out, "\\t");
		else if ((unsigned char)c < 0x20)
			sj_buf_printf(out, "\\u%04x", (unsigned)c);
		else
			sj_buf_putc(out, c);
	}
	sj_buf_putc(out, '\'');
}

void sj_compact_string(struct sj_cwriter *w, struct sj_slice s)
{
	bool raw = s.len > 0 && memchr(s.ptr, '\\', s.len) && !memchr(s.ptr, '"', s.len);
	if (w->elemental) {
		single_quoted(w->out, s);
		return;
	}
	for (size_t i = 0; raw && i < s.len; i++)
		raw = (unsigned char)s.ptr[i] >= 0x20;
	if (!raw) {
		sj_json_print_string(w->out, s);
		return;
	}
	sj_buf_puts(w->out, "r\"");
	sj_buf_slice(w->out, s);
	sj_buf_putc(w->out, '"');
}

void sj_compact_key(struct sj_cwriter *w, struct sj_slice s)
{
	if (is_identifier(s))
		sj_buf_slice(w->out, s);
	else if (w->elemental)
		single_quoted(w->out, s);
	else
		sj_json_print_string(w->out, s);
}

void sj_compact_path_text(struct sj_cwriter *w, struct sj_slice path)
{
	bool bare = path_bytes(path) && sj_utf8_check(path) == path.len;
	if (w->elemental && bare && path.ptr[0] != '/') {
		size_t first = 0; /* a relative path stands bare when it begins like a name */
		while (first < path.len && path.ptr[first] != '/' && path.ptr[first] != '.' && path.ptr[first] != '-')
			first++;
		bare = sj_compact_is_name(sj_slice(path.ptr, first));
	}
	if (!bare || !w->elemental)
		sj_buf_putc(w->out, '$');
	if (bare)
		sj_buf_slice(w->out, path);
	else if (w->elemental)
		single_quoted(w->out, path);
	else
		sj_json_print_string(w->out, path);
}

/* ---- what an object is ------------------------------------------------------------------------------------------- */

static bool text_of(const struct sj_value *object, const char *key, struct sj_slice *out)
{
	const struct sj_value *v = sj_value_get(object, sj_slice_of(key));
	if (!v || !sj_value_is_string(v))
		return false;
	*out = sj_value_text(v);
	return true;
}

bool sj_compact_path(const struct sj_format *f, const struct sj_value *v, struct sj_slice *out)
{
	const struct sj_value *p = v->type == SJ_V_OBJECT && sj_value_count(v) == 1
	                                   ? sj_value_get(v, sj_format_key_path(f))
	                                   : NULL;
	if (!p || !sj_value_is_string(p))
		return false;
	*out = sj_value_text(p);
	return true;
}

bool sj_compact_call(const struct sj_format *f, const struct sj_value *v, struct sj_call_view *out)
{
	*out = (struct sj_call_view){0};
	if (v->type != SJ_V_OBJECT)
		return false;
	for (uint32_t i = 0; i < sj_value_count(v); i++) {
		struct sj_slice key;
		const struct sj_value *m = sj_value_member(v, i, &key);
		if (sj_slice_is(key, "args") && m->type == SJ_V_OBJECT)
			out->args = m;
		else if (!sj_value_is_string(m))
			return false;
		else if (sj_slice_eq(key, sj_format_key_call(f)))
			out->name = sj_value_text(m);
		else if (sj_slice_is(key, "catalogId"))
			out->catalog_id = sj_value_text(m);
		else if (sj_slice_is(key, "returnType"))
			out->return_type = sj_value_text(m);
		else
			return false;
	}
	return out->name.ptr != NULL;
}

bool sj_compact_template(const struct sj_value *v, struct sj_slice *id, struct sj_slice *path)
{
	return v->type == SJ_V_OBJECT && sj_value_count(v) == 2 && text_of(v, "componentId", id) &&
	       text_of(v, "path", path);
}

/* {KEY: x} and nothing else. */
static const struct sj_value *only(const struct sj_value *v, const char *key)
{
	return v->type == SJ_V_OBJECT && sj_value_count(v) == 1 ? sj_value_get(v, sj_slice_of(key)) : NULL;
}

static bool is_event(const struct sj_value *v)
{
	const struct sj_value *e = only(v, "event");
	struct sj_slice name;
	uint32_t known = 1;
	if (!e || e->type != SJ_V_OBJECT || !text_of(e, "name", &name))
		return false;
	known += sj_value_get(e, SJ_LIT("context")) != NULL;
	known += sj_value_get(e, SJ_LIT("userMessage")) != NULL;
	return known == sj_value_count(e);
}

static bool has_param(const struct sj_a2ui_function *fn, const char *name)
{
	for (uint32_t i = 0; fn && i < fn->nparams; i++)
		if (sj_slice_is(fn->params[i], name))
			return true;
	return false;
}

static bool several(const struct sj_cwriter *w) { return w->f->opt.ncatalogs > 1 && w->f->opt.version >= SJ_V10; }

/* The catalogId to write beside a name that is in the catalog `own` (ptr NULL: the surface's). SJ_ABSENT: there is no
 * such name. */
static enum sj_status written_id(struct sj_cwriter *w, bool function, struct sj_slice name, struct sj_slice own,
                                 const void **row, struct sj_slice *written)
{
	const struct sj_catalog *from = NULL;
	const struct sj_a2ui_component *type = NULL;
	const struct sj_a2ui_function *fn = NULL;
	struct sj_slice wanted = own.ptr || !several(w) ? own : w->surface;
	bool unique = function ? sj_format_function(w->f, name, SJ_NO_SLICE, &from, &fn, NULL) == SJ_OK
	                       : sj_format_component(w->f, name, SJ_NO_SLICE, &from, &type, NULL) == SJ_OK;
	*written = SJ_NO_SLICE;
	if (several(w)) {
		w->equated = w->equated || !own.ptr;
		if (!unique || (wanted.ptr && !sj_slice_eq(sj_catalog_id(from), wanted)))
			*written = wanted;
	} else {
		/* Before v1.0 a surface has one catalog of several. */
		*written = own;
		wanted = own.ptr ? own : w->f->opt.ncatalogs > 1 ? w->surface : SJ_NO_SLICE;
	}
	if (!unique || wanted.ptr) {
		enum sj_status st = function ? sj_format_function(w->f, name, wanted, &from, &fn, NULL)
		                             : sj_format_component(w->f, name, wanted, &from, &type, NULL);
		if (st != SJ_OK)
			return SJ_ABSENT;
	}
	*row = function ? (const void *)fn : (const void *)type;
	return SJ_OK;
}

enum sj_status sj_compact_type(struct sj_cwriter *w, const struct sj_value *component,
                               const struct sj_a2ui_component **type, struct sj_slice *written)
{
	struct sj_slice name, own = SJ_NO_SLICE;
	const void *row;
	if (component->type != SJ_V_OBJECT || !text_of(component, "component", &name) || !is_identifier(name))
		return SJ_ABSENT;
	(void)text_of(component, "catalogId", &own);
	enum sj_status st = written_id(w, false, name, own, &row, written);
	if (st == SJ_OK)
		*type = row;
	return st;
}

const struct sj_a2ui_prop *sj_compact_prop(const struct sj_a2ui_component *type, struct sj_slice name)
{
	const struct sj_a2ui_prop *p = sj_a2ui_prop_find(type, name);
	return p ? p : &SJ_COMPACT_LITERAL;
}

uint32_t sj_compact_leading(const struct sj_a2ui_component *type, const struct sj_value *component)
{
	uint32_t n = 0;
	while (n < type->npositions && sj_value_get(component, type->positions[n]->name))
		n++;
	return n;
}

const struct sj_value *sj_compact_own_value(const struct sj_a2ui_component *type, const struct sj_value *component)
{
	const struct sj_value *v = sj_value_get(component, SJ_LIT("value"));
	for (uint32_t i = 0; i < type->nprops && !v; i++)
		if (type->props[i].ui == SJ_P_VALUE)
			v = sj_value_get(component, type->props[i].name);
	return v;
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

enum frame_kind { LIST, MAP, ARGUMENTS, CONTEXT };
struct frame {
	enum frame_kind kind;
	const struct sj_value *v; /* list, map, or the map of arguments; NULL: none */
	const struct sj_a2ui_prop *prop;
	const struct sj_a2ui_function *fn;
	uint32_t i, leading, skipped; /* next member; arguments by position, of them left out */
	bool started;
	struct sj_slice catalog_id, return_type, call_id;
	const struct sj_value *message; /* of a check, at its end */
	char close;
};
struct walk {
	struct sj_cwriter *w;
	SJ_VEC(struct frame) stack;
};

static enum sj_status push(struct walk *k, const struct frame *f)
{
	enum sj_status st = SJ_VEC_RESERVE(k->w->f->mem, &k->stack, k->stack.count + 1, 0);
	if (st == SJ_OK)
		k->stack.items[k->stack.count++] = *f;
	return st;
}

static void comma(struct walk *k, struct frame *f)
{
	if (f->started)
		sj_buf_puts(k->w->out, ", ");
	f->started = true;
}

static void name_argument(struct walk *k, const char *name)
{
	sj_buf_puts(k->w->out, name);
	sj_buf_puts(k->w->out, k->w->elemental ? ": " : "=");
}

/* Can these arguments be given by name? */
static bool names_fit(const struct sj_cwriter *w, const struct sj_call_view *c, const struct sj_a2ui_function *fn,
                      bool alone)
{
	for (uint32_t i = 0; c->args && i < sj_value_count(c->args); i++) {
		struct sj_slice key;
		sj_value_member(c->args, i, &key);
		bool taken = sj_slice_is(key, "catalogId") || (alone && sj_slice_is(key, "functionCallId")) ||
		             (w->f->opt.version < SJ_V10 && sj_slice_is(key, "returnType"));
		if (!is_identifier(key) || (taken && !has_param(fn, "catalogId") && !has_param(fn, "returnType")))
			return false;
	}
	return true;
}

/* Finds out how a call is written; SJ_ABSENT: it is not. */
static enum sj_status plan_call(struct walk *k, const struct sj_call_view *c, bool alone, struct frame *f)
{
	struct sj_cwriter *w = k->w;
	const void *row = NULL;
	struct sj_slice own = c->catalog_id;
	*f = (struct frame){.kind = ARGUMENTS, .v = c->args, .prop = &SJ_COMPACT_ANY, .return_type = c->return_type,
	                    .close = ')'};
	if (sj_slice_is(c->name, "@index")) {
		if (own.ptr)
			return SJ_ABSENT;
	} else {
		bool equated = w->equated;
		if (!is_identifier(c->name))
			return SJ_ABSENT;
		if (alone && !several(w))
			own = SJ_NO_SLICE; /* it is always written, so that it need not be */
		enum sj_status st = written_id(w, true, c->name, own, &row, &f->catalog_id);
		if (st != SJ_OK) {
			w->equated = equated;
			return st;
		}
		f->fn = row;
	}
	if ((f->return_type.ptr && w->f->opt.version >= SJ_V10) ||
	    (f->return_type.ptr && has_param(f->fn, "returnType")) ||
	    (f->catalog_id.ptr && has_param(f->fn, "catalogId")) || !names_fit(w, c, f->fn, alone))
		return SJ_ABSENT;
	while (!w->elemental && c->args && f->leading < (f->fn ? f->fn->nparams : 1) &&
	       sj_value_get(c->args, f->fn ? f->fn->params[f->fn->positions[f->leading]] : SJ_LIT("offset")))
		f->leading++;
	return SJ_OK;
}

static struct sj_slice leading_name(const struct frame *f, uint32_t i)
{
	return f->fn ? f->fn->params[f->fn->positions[i]] : SJ_LIT("offset");
}

static enum sj_status begin_call(struct walk *k, const struct sj_call_view *c, const struct frame *planned)
{
	struct frame f = *planned;
	sj_buf_slice(k->w->out, c->name);
	sj_buf_putc(k->w->out, '(');
	if (!c->args) {
		sj_buf_putc(k->w->out, '_');
		f.started = true;
	}
	return push(k, &f);
}

/* ?fn(arguments, "message"): the component's own value is left out. SJ_ABSENT: the rule is written out. */
static enum sj_status plan_check(struct walk *k, const struct sj_value *v, struct sj_call_view *c, struct frame *f)
{
	const struct sj_value *condition = sj_value_get(v, SJ_LIT("condition")),
			      *message = sj_value_get(v, SJ_LIT("message"));
	if (k->w->elemental || sj_value_count(v) != 2 || !condition || !message || !sj_value_is_string(message) ||
	    !sj_compact_call(k->w->f, condition, c) || !c->args)
		return SJ_ABSENT;
	enum sj_status st = plan_call(k, c, false, f);
	if (st != SJ_OK)
		return st;
	if (!f->fn || has_param(f->fn, "message"))
		return SJ_ABSENT;
	for (uint32_t i = 0; i < f->fn->nparams; i++)
		if (f->fn->required[i] && !sj_value_get(c->args, f->fn->params[i]))
			return SJ_ABSENT;
	struct sj_slice first = f->fn->nparams ? leading_name(f, 0) : SJ_NO_SLICE;
	const struct sj_value *subject = first.ptr ? sj_value_get(c->args, first) : NULL, *own = k->w->own;
	if (sj_slice_is(first, "value")) {
		if (own && !subject)
			return SJ_ABSENT; /* it would be put in */
		if (own && sj_value_equal(own, subject))
			f->skipped = 1;
		else
			f->leading = 0; /* all by name */
	}
	f->message = message;
	return SJ_OK;
}

static enum sj_status begin_map(struct walk *k, const struct sj_value *v, const struct sj_a2ui_prop *prop)
{
	struct frame f = {.kind = MAP, .v = v, .prop = prop, .close = '}'};
	sj_buf_putc(k->w->out, '{');
	return push(k, &f);
}

static enum sj_status begin_event(struct walk *k, const struct sj_value *e)
{
	struct frame f = {.kind = CONTEXT, .v = e, .prop = &SJ_COMPACT_ANY, .close = ')'};
	sj_buf_puts(k->w->out, k->w->elemental ? "event(" : "Event(");
	return push(k, &f);
}

static enum sj_status begin_object(struct walk *k, const struct sj_value *v, const struct sj_a2ui_prop *prop)
{
	struct sj_call_view call;
	struct sj_slice path, id;
	struct frame f;
	const struct sj_value *inner;
	enum sj_status st;
	if (prop->cls == SJ_AC_DYNAMIC && sj_compact_path(k->w->f, v, &path)) {
		sj_compact_path_text(k->w, path);
		return SJ_OK;
	}
	switch (prop->cls) {
	case SJ_AC_DYNAMIC:
	case SJ_AC_PLAIN:
		if (prop == &SJ_COMPACT_LITERAL || !sj_compact_call(k->w->f, v, &call))
			break;
		st = plan_call(k, &call, false, &f);
		if (st == SJ_ABSENT)
			break;
		return st == SJ_OK ? begin_call(k, &call, &f) : st;
	case SJ_AC_ACTION:
		if (is_event(v))
			return begin_event(k, only(v, "event"));
		inner = only(v, "functionCall");
		if (!inner || !sj_compact_call(k->w->f, inner, &call))
			break;
		st = plan_call(k, &call, false, &f);
		if (st == SJ_ABSENT)
			break;
		return st == SJ_OK ? begin_call(k, &call, &f) : st;
	case SJ_AC_CHECKS:
		st = plan_check(k, v, &call, &f);
		if (st == SJ_ABSENT)
			break;
		sj_buf_putc(k->w->out, '?');
		return st == SJ_OK ? begin_call(k, &call, &f) : st;
	case SJ_AC_CHILD_LIST:
		if (k->w->elemental || !sj_compact_template(v, &id, &path))
			break;
		sj_buf_puts(k->w->out, "_template(");
		sj_compact_path_text(k->w, path);
		sj_buf_puts(k->w->out, ", ");
		if (sj_compact_is_name(id))
			sj_buf_slice(k->w->out, id);
		else
			sj_compact_string(k->w, id);
		sj_buf_putc(k->w->out, ')');
		return SJ_OK;
	case SJ_AC_CHILD:
	case SJ_AC_ACCESSIBILITY:
	case SJ_AC_OBJECT:
	case SJ_AC_ARRAY:
	case SJ_AC_COMMON:
	default:
		break;
	}
	return begin_map(k, v, prop);
}

static enum sj_status begin(struct walk *k, const struct sj_value *v, const struct sj_a2ui_prop *prop)
{
	struct frame list = {.kind = LIST, .v = v, .prop = prop, .close = ']'};
	switch ((enum sj_value_type)v->type) {
	case SJ_V_SHORT:
	case SJ_V_STRING:
		if (prop->cls == SJ_AC_CHILD && !k->w->elemental && sj_compact_is_name(sj_value_text(v)))
			sj_buf_slice(k->w->out, sj_value_text(v));
		else
			sj_compact_string(k->w, sj_value_text(v));
		return SJ_OK;
	case SJ_V_ARRAY:
		sj_buf_putc(k->w->out, '[');
		return push(k, &list);
	case SJ_V_OBJECT:
		return begin_object(k, v, prop);
	case SJ_V_ABSENT:
	case SJ_V_NULL:
	case SJ_V_FALSE:
	case SJ_V_TRUE:
	case SJ_V_INT:
	case SJ_V_DOUBLE:
	default:
		sj_value_print(k->w->out, v, SJ_PRINT_COMPACT);
		return SJ_OK;
	}
}

static bool is_leading(const struct frame *f, struct sj_slice key)
{
	for (uint32_t i = 0; i < f->leading; i++)
		if (sj_slice_eq(leading_name(f, i), key))
			return true;
	return false;
}

/* The next argument; true: one was begun. */
static bool next_argument(struct walk *k, struct frame *f, enum sj_status *st)
{
	uint32_t count = f->v ? sj_value_count(f->v) : 0;
	if (f->i == 0)
		f->i = f->skipped;
	if (f->i < f->leading) {
		comma(k, f);
		*st = begin(k, sj_value_get(f->v, leading_name(f, f->i++)), &SJ_COMPACT_ANY);
		return true;
	}
	while (f->i - f->leading < count) {
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(f->v, f->i++ - f->leading, &key);
		if (is_leading(f, key))
			continue;
		comma(k, f);
		sj_buf_slice(k->w->out, key);
		sj_buf_puts(k->w->out, k->w->elemental ? ": " : "=");
		*st = begin(k, v, &SJ_COMPACT_ANY);
		return true;
	}
	return false;
}

static void end_arguments(struct walk *k, struct frame *f)
{
	const struct { const char *name; struct sj_slice text;
	} beside[] = {{"catalogId", f->catalog_id}, {"returnType", f->return_type}, {"functionCallId", f->call_id}};
	for (size_t i = 0; i < 3; i++)
		if (beside[i].text.ptr) {
			comma(k, f);
			name_argument(k, beside[i].name);
			sj_compact_string(k->w, beside[i].text);
		}
	if (f->message) {
		comma(k, f);
		sj_compact_string(k->w, sj_value_text(f->message));
	}
}

/* Name, context, userMessage of an event. */
static bool next_of_event(struct walk *k, struct frame *f, enum sj_status *st)
{
	static const char *const members[] = {"name", "context", "userMessage"};
	bool gap = f->i == 2 && !sj_value_get(f->v, SJ_LIT("context"));
	const struct sj_value *v = NULL;
	while (f->i < 3 && !v) {
		gap = gap || f->i == 2;
		v = sj_value_get(f->v, sj_slice_of(members[f->i++]));
	}
	if (!v)
		return false;
	comma(k, f);
	if (k->w->elemental || gap)
		name_argument(k, members[f->i - 1]);
	*st = begin(k, v, &SJ_COMPACT_ANY);
	return true;
}

static bool next_member(struct walk *k, struct frame *f, enum sj_status *st)
{
	struct sj_slice key;
	if (f->i >= sj_value_count(f->v))
		return false;
	comma(k, f);
	if (f->kind == LIST) {
		*st = begin(k, sj_value_item(f->v, f->i++), sj_compact_item(f->prop));
		return true;
	}
	const struct sj_value *v = sj_value_member(f->v, f->i++, &key);
	sj_compact_key(k->w, key);
	sj_buf_puts(k->w->out, ": ");
	*st = begin(k, v, sj_compact_member(f->prop, key));
	return true;
}

static enum sj_status run(struct walk *k, enum sj_status st)
{
	while (st == SJ_OK && k->stack.count > 0) {
		uint32_t at = k->stack.count - 1;
		/* Beginning a value may move the stack: the frame is worked on as a copy. */
		struct frame f = k->stack.items[at];
		bool more = f.kind == ARGUMENTS ? next_argument(k, &f, &st)
		            : f.kind == CONTEXT ? next_of_event(k, &f, &st)
		                                : next_member(k, &f, &st);
		if (more) {
			k->stack.items[at] = f;
			continue;
		}
		if (f.kind == ARGUMENTS)
			end_arguments(k, &f);
		sj_buf_putc(k->w->out, f.close);
		k->stack.count--;
	}
	SJ_VEC_FREE(k->w->f->mem, &k->stack);
	return st == SJ_OK ? sj_buf_status(k->w->out) : st;
}

enum sj_status sj_compact_write(struct sj_cwriter *w, const struct sj_value *v, const struct sj_a2ui_prop *prop)
{
	struct walk k = {.w = w};
	return run(&k, begin(&k, v, prop));
}

enum sj_status sj_compact_write_call(struct sj_cwriter *w, const struct sj_value *call, struct sj_slice id)
{
	struct walk k = {.w = w};
	struct sj_call_view c;
	struct frame f;
	if (!sj_compact_call(w->f, call, &c))
		return SJ_ABSENT;
	enum sj_status st = plan_call(&k, &c, true, &f);
	if (st == SJ_OK) {
		f.call_id = id;
		st = begin_call(&k, &c, &f);
	}
	return st == SJ_ABSENT ? st : run(&k, st);
}
