/* One statement of Vertical to components. A stack of frames stands for what is open; nothing recurses. */
#include "base/limits.h"
#include "infer/vertical_build.h"

enum frame_kind {
	F_COMPONENT, /* Name(...) */
	F_TAG,       /* <Name ...>, its attributes and then its content */
	F_CALL,      /* name(...) */
	F_CHECK,     /* ?name(..., "message") */
	F_EVENT,     /* Event("name", key=value) */
	F_LIST,
	F_MAP,
};
struct frame {
	enum frame_kind kind;
	char closer;                          /* ) ] } or > */
	const struct sj_a2ui_prop *want;      /* what this value is for; NULL: anything */
	struct sj_value value;                /* component, args, context, list or map so far */
	const struct sj_a2ui_component *type;
	const struct sj_a2ui_function *fn;
	const struct sj_catalog *catalog;
	struct sj_value name;                 /* of an event, or a check's message; ABSENT so far */
	struct sj_slice id, key;              /* of a component; of the value that comes next (arena) */
	const struct sj_a2ui_prop *key_want;
	uint32_t slot, nargs;
	bool content, resume, after_value, after_comma; /* content: of a tag; resume: it goes on behind a brace */
	struct sj_value children; /* of a tag: ids, or ABSENT */
	struct sj_buf text;       /* of a tag */
};
struct parse {
	struct sj_build b;
	struct sj_vertical *v;
	size_t at;
	struct sj_vertical_token tok; /* the one at `at` */
	SJ_VEC(struct frame) stack;
	struct sj_value *surfaces;
	struct sj_buf scratch;
};

static struct frame *top(struct parse *p) { return &p->stack.items[p->stack.count - 1]; }

static void advance(struct parse *p)
{
	p->at = p->tok.end;
	p->v->in_tag = p->stack.count > 0 && top(p)->kind == F_TAG;
	sj_vertical_token(p->v, p->at, &p->tok);
}

static struct sj_slice source(const struct parse *p, const struct sj_vertical_token *t)
{
	return sj_slice(p->v->text.ptr + t->at, t->end - t->at);
}

static bool is_sign(const struct parse *p, char c) { return p->tok.kind == SJ_VT_SIGN && p->tok.sign == c; }

/* Repairs that the token itself tells of. */
static enum sj_status note_token(struct parse *p)
{
	const struct sj_vertical_token *t = &p->tok;
	enum sj_status st = SJ_OK;
	if (t->commented)
		st = sj_build_note(&p->b, SJ_HEAL_COMMENT, t->comment);
	if (st != SJ_OK || (t->kind != SJ_VT_STRING && t->kind != SJ_VT_PATH))
		return st;
	if (t->s.is_cut)
		st = sj_build_note(&p->b, SJ_HEAL_STRING, t->at);
	if (st == SJ_OK && (t->s.has_inner || t->s.quote == SJ_QUOTE_CURLY || t->s.quote == SJ_QUOTE_BACK ||
	                    (t->s.quote == SJ_QUOTE_SINGLE && !t->s.triple)) &&
	    t->kind == SJ_VT_STRING && (top(p)->kind != F_TAG || t->s.quote != SJ_QUOTE_SINGLE))
		st = sj_build_note(&p->b, SJ_HEAL_QUOTES, t->at);
	return st;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static const struct sj_a2ui_prop *item_row(const struct sj_a2ui_prop *list)
{
	if (!list)
		return NULL;
	if (list->cls == SJ_AC_ARRAY && list->nsub == 1 && list->sub[0].name.len == 0)
		return &list->sub[0];
	bool is_list = list->cls == SJ_AC_ARRAY || list->cls == SJ_AC_CHILD_LIST || list->cls == SJ_AC_CHECKS;
	return is_list || list->cls == SJ_AC_CHILD ? list : NULL; /* a list where one child is due: it holds that */
}

/* What the value that comes next in a frame is for. */
static const struct sj_a2ui_prop *wanted(const struct frame *f)
{
	return f->kind == F_LIST ? item_row(f->want) : f->key_want;
}

static void drop_frame(struct parse *p, struct frame *f)
{
	sj_value_unref(p->b.f->mem, f->value);
	sj_value_unref(p->b.f->mem, f->name);
	sj_value_unref(p->b.f->mem, f->children);
	sj_buf_finish(&f->text);
}

static enum sj_status push(struct parse *p, enum frame_kind kind, char closer, struct frame **out)
{
	if (p->stack.count >= SJ_LIMITS_DEFAULT.dynamic_depth)
		return sj_build_fault(&p->b, p->tok.at, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_PARSE,
		                      "nested deeper than %u levels (dynamic_depth)", SJ_LIMITS_DEFAULT.dynamic_depth);
	enum sj_status st = SJ_VEC_RESERVE(p->b.f->mem, &p->stack, p->stack.count + 1, 0);
	if (st != SJ_OK)
		return st;
	struct frame *f = &p->stack.items[p->stack.count];
	*f = (struct frame){.kind = kind,
	                    .closer = closer,
	                    .value = SJ_ABSENT_VALUE,
	                    .name = SJ_ABSENT_VALUE,
	                    .children = SJ_ABSENT_VALUE};
	sj_buf_init(&f->text, p->b.f->mem, 0);
	st = kind == F_LIST ? sj_value_array(p->b.f->mem, &f->value) : sj_value_object(p->b.f->mem, &f->value);
	if (st != SJ_OK)
		return st;
	f->want = p->stack.count > 0 ? wanted(top(p)) : NULL;
	p->stack.count++;
	*out = f;
	return SJ_OK;
}

/* Ids of inline components say where they stand: root_child, root_children_0, root_tabs_0_child. */
static enum sj_status make_id(struct parse *p, struct sj_slice *out)
{
	uint32_t i = p->stack.count;
	struct sj_buf *id = &p->scratch;
	while (i > 0 && p->stack.items[i - 1].id.len == 0)
		i--;
	sj_buf_clear(id);
	sj_buf_slice(id, i > 0 ? p->stack.items[i - 1].id : SJ_LIT("root"));
	for (i = i > 0 ? i - 1 : 0; i < p->stack.count; i++) {
		const struct frame *f = &p->stack.items[i];
		sj_buf_putc(id, '_');
		if (f->kind == F_LIST || (f->kind == F_TAG && f->content))
			sj_buf_printf(id, "%u", sj_value_count(f->kind == F_LIST ? &f->value : &f->children));
		else
			sj_buf_slice(id, f->key);
	}
	if (sj_buf_status(id) != SJ_OK)
		return SJ_NOMEM;
	*out = sj_arena_copy(&p->b.arena, sj_buf_view(id));
	return out->ptr ? SJ_OK : SJ_NOMEM;
}

static enum sj_status begin_component(struct parse *p, struct sj_slice name, bool tag)
{
	/* The first component of a statement is its root, and makes the surface. */
	const struct sj_catalog *catalog;
	const struct sj_a2ui_component *type;
	struct sj_slice id = SJ_LIT("root");
	struct frame *f;
	enum sj_status st = sj_build_type(&p->b, p->tok.at, name, SJ_NO_SLICE, &catalog, &type);
	if (st == SJ_OK && p->stack.count > 0)
		st = make_id(p, &id);
	uint32_t slot;
	if (st == SJ_OK && p->stack.count == 0)
		st = sj_build_surface(&p->b);
	if (st == SJ_OK)
		st = sj_build_reserve(&p->b, &slot);
	if (st == SJ_OK)
		st = push(p, tag ? F_TAG : F_COMPONENT, tag ? '>' : ')', &f);
	if (st != SJ_OK)
		return st;
	f->type = type;
	f->catalog = catalog;
	f->id = id;
	f->slot = slot;
	return sj_build_head(&p->b, &f->value, id, type, catalog);
}

static enum sj_status begin_call(struct parse *p, struct sj_slice name, bool check)
{
	const struct sj_catalog *catalog;
	const struct sj_a2ui_function *fn;
	struct frame *f;
	enum sj_status st = sj_format_function(p->b.f, name, SJ_NO_SLICE, &catalog, &fn, p->b.diag);
	if (st != SJ_OK)
		return sj_build_place(&p->b, p->tok.at, st);
	st = push(p, check ? F_CHECK : F_CALL, ')', &f);
	if (st != SJ_OK)
		return st;
	f->fn = fn;
	f->catalog = catalog;
	return SJ_OK;
}

static bool takes_component(const struct sj_a2ui_prop *want)
{
	return want && (want->cls == SJ_AC_CHILD || want->cls == SJ_AC_CHILD_LIST);
}

static bool knows_function(const struct parse *p, struct sj_slice name)
{
	for (uint32_t i = 0; i < p->b.f->opt.ncatalogs; i++)
		if (sj_catalog_function(p->b.f->catalogs[i], name))
			return true;
	return false;
}

/* ---- putting a finished value where it belongs ------------------------------------------------------------------- */

/* The row of what comes next in a frame whose key is known. */
static const struct sj_a2ui_prop *row_in(const struct frame *f, struct sj_slice key)
{
	if (f->kind == F_COMPONENT || f->kind == F_TAG)
		return sj_a2ui_prop_find(f->type, key);
	if (f->kind != F_MAP || !f->want)
		return NULL;
	for (uint32_t i = 0; i < f->want->nsub; i++)
		if (sj_slice_eq(f->want->sub[i].name, key))
			return &f->want->sub[i];
	return NULL;
}

static enum sj_status set_key(struct parse *p, struct frame *f, struct sj_slice key)
{
	f->key = sj_arena_copy(&p->b.arena, key);
	f->key_want = NULL;
	if (!f->key.ptr)
		return SJ_NOMEM;
	if (f->kind == F_COMPONENT || f->kind == F_TAG) {
		enum sj_status st = sj_build_name(&p->b, p->tok.at, f->type, &f->key);
		if (st != SJ_OK)
			return st;
	}
	f->key_want = row_in(f, f->key);
	return SJ_OK;
}

static enum sj_status too_many(struct parse *p, struct sj_slice name, uint32_t most)
{
	return sj_build_fault(&p->b, p->tok.at, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_COMPILE,
	                      "%.*s takes at most %u arguments by position", SJ_ARG(name), most);
}

/* A value without a key: which one is meant? */
static enum sj_status next_position(struct parse *p, struct frame *f)
{
	uint32_t n = f->nargs++;
	f->key_want = NULL;
	if (f->kind == F_COMPONENT) {
		if (n >= f->type->npositions)
			return too_many(p, f->type->name, f->type->npositions);
		f->key = f->type->positions[n]->name;
		f->key_want = f->type->positions[n];
		return SJ_OK;
	}
	if (f->kind == F_EVENT) {
		f->key = n == 0 ? SJ_LIT("name") : SJ_LIT("context");
		return n < 2 ? SJ_OK : too_many(p, SJ_LIT("Event"), 2);
	}
	/* A check's first argument is the value it stands beside. */
	bool skip =
		f->kind == F_CHECK && f->fn->nparams > 0 && sj_slice_is(f->fn->params[f->fn->positions[0]], "value");
	n += skip;
	if (n < f->fn->nparams) {
		f->key = f->fn->params[f->fn->positions[n]];
		return SJ_OK;
	}
	if (f->kind == F_CHECK && n == f->fn->nparams) {
		f->key = SJ_LIT("message");
		return SJ_OK;
	}
	return too_many(p, f->fn->name, f->fn->nparams);
}

/* Members of a map given as an event's context. */
static enum sj_status merge_context(struct parse *p, struct frame *f, const struct sj_value *map)
{
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; i < sj_value_count(map) && st == SJ_OK; i++) {
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(map, i, &key);
		st = sj_value_set(p->b.f->mem, &f->value, key, sj_value_ref(*v));
	}
	return st;
}

/* Takes the value. `text`: the bytes it was written as. */
static enum sj_status put(struct parse *p, struct sj_value take, struct sj_slice text, size_t at)
{
	struct frame *f = top(p);
	struct sj_mem *mem = p->b.f->mem;
	enum sj_status st = SJ_OK;
	if (f->kind == F_LIST) {
		const struct sj_a2ui_prop *row = item_row(f->want);
		/* An item of a list of references is a reference, one of a list of checks a check. */
		st = sj_build_coerce(&p->b, at, row, row == f->want, text, &take);
		st = st == SJ_OK ? sj_value_append(mem, &f->value, take) : (sj_value_unref(mem, take), st);
	} else if (f->kind == F_TAG && f->content) {
		if (f->children.type == SJ_V_ABSENT)
			st = sj_value_array(mem, &f->children);
		st = st == SJ_OK ? sj_value_append(mem, &f->children, take) : (sj_value_unref(mem, take), st);
	} else if (f->kind == F_EVENT && sj_slice_is(f->key, "name") && f->name.type == SJ_V_ABSENT &&
	           sj_value_is_string(&take)) {
		f->name = take;
	} else if (f->kind == F_EVENT && sj_slice_is(f->key, "context") && take.type == SJ_V_OBJECT) {
		st = merge_context(p, f, &take);
		sj_value_unref(mem, take);
	} else if (f->kind == F_CHECK && sj_slice_is(f->key, "message") && f->name.type == SJ_V_ABSENT) {
		f->name = take;
	} else if (f->kind == F_COMPONENT || f->kind == F_TAG) {
		st = sj_build_property(&p->b, at, &f->value, f->type, f->id, f->key, text, take);
	} else {
		st = sj_build_coerce(&p->b, at, f->key_want, false, text, &take);
		st = st == SJ_OK ? sj_value_set(mem, &f->value, f->key, take) : (sj_value_unref(mem, take), st);
	}
	f->key_want = NULL;
	f->key = SJ_NO_SLICE;
	f->after_value = true;
	f->after_comma = false;
	return st;
}

/* A tag's text is its first argument; its children go where children go. */
static enum sj_status finish_tag(struct parse *p, struct frame *f)
{
	struct sj_mem *mem = p->b.f->mem;
	size_t from = 0, to = f->text.len;
	const char *t = f->text.ptr;
	enum sj_status st = sj_buf_status(&f->text);
	while (from < to && strchr(" \t\r\n", t[from]))
		from++;
	while (to > from && strchr(" \t\r\n", t[to - 1]))
		to--;
	if (st == SJ_OK && to > from && f->type->npositions > 0) {
		struct sj_value v;
		struct sj_slice text = sj_slice(t + from, to - from);
		st = sj_value_string(mem, text, &v);
		if (st == SJ_OK)
			st = sj_build_property(&p->b, p->tok.at, &f->value, f->type, f->id,
			                       f->type->positions[0]->name, text, v);
	}
	if (st != SJ_OK || f->children.type == SJ_V_ABSENT)
		return st;
	const struct sj_a2ui_prop *home = NULL;
	for (uint32_t i = 0; i < f->type->nprops && !home; i++)
		if (takes_component(&f->type->props[i]) && !sj_value_get(&f->value, f->type->props[i].name))
			home = &f->type->props[i];
	if (!home)
		return sj_build_fault(&p->b, p->tok.at, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_COMPILE,
		                      "%.*s takes no children", SJ_ARG(f->type->name));
	struct sj_value v = f->children;
	if (home->cls == SJ_AC_CHILD && sj_value_count(&v) == 1)
		v = sj_value_ref(*sj_value_item(&f->children, 0));
	else
		v = sj_value_ref(v);
	return sj_build_property(&p->b, p->tok.at, &f->value, f->type, f->id, home->name, SJ_NO_SLICE, v);
}

/* What a finished frame is worth; taken out of it. */
static enum sj_status finish_frame(struct parse *p, struct frame *f, struct sj_value *out)
{
	struct sj_mem *mem = p->b.f->mem;
	enum sj_status st = SJ_OK;
	switch (f->kind) {
	case F_TAG:
	case F_COMPONENT:
		st = f->kind == F_TAG ? finish_tag(p, f) : SJ_OK;
		if (st == SJ_OK)
			st = sj_build_checks(&p->b, &f->value, f->type);
		if (st == SJ_OK)
			st = sj_build_place_component(&p->b, f->slot, f->value);
		f->value = SJ_ABSENT_VALUE;
		return st == SJ_OK ? sj_value_string(mem, f->id, out) : st;
	case F_CALL:
	case F_CHECK:
		st = sj_build_call(&p->b, f->fn, f->catalog, f->value, out);
		f->value = SJ_ABSENT_VALUE;
		if (st == SJ_OK && f->kind == F_CHECK) {
			st = sj_build_rule(&p->b, f->name, out);
			f->name = SJ_ABSENT_VALUE;
		} else if (st == SJ_OK && f->want && f->want->cls == SJ_AC_ACTION) {
			st = sj_build_wrap(&p->b, "functionCall", out);
		}
		return st;
	case F_EVENT:
		st = sj_build_event(&p->b, f->name, f->value, out);
		f->name = f->value = SJ_ABSENT_VALUE;
		return st;
	case F_LIST:
	case F_MAP:
		*out = f->value;
		f->value = SJ_ABSENT_VALUE;
		return SJ_OK;
	}
	return st;
}

static enum sj_status close_frame(struct parse *p)
{
	struct sj_value v = SJ_ABSENT_VALUE;
	struct frame *f = top(p);
	size_t at = p->tok.at;
	bool component = f->kind == F_COMPONENT || f->kind == F_TAG;
	enum sj_status st = finish_frame(p, f, &v);
	drop_frame(p, f);
	p->stack.count--;
	if (st != SJ_OK) {
		sj_value_unref(p->b.f->mem, v);
		return st;
	}
	if (p->stack.count > 0) {
		/* A component gives its id where children go, and is out of place elsewhere. */
		const struct sj_a2ui_prop *want = wanted(top(p));
		bool content = top(p)->kind == F_TAG && top(p)->content;
		if (component && !content && !takes_component(want)) {
			sj_value_unref(p->b.f->mem, v);
			return sj_build_fault(&p->b, at, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_COMPILE,
			                      "a component stands where none can be");
		}
		return put(p, v, SJ_NO_SLICE, at);
	}
	if (component) {
		sj_value_unref(p->b.f->mem, v);
		return sj_build_finish_surface(&p->b, p->surfaces);
	}
	return sj_build_json(&p->b, at, v, p->surfaces);
}

/* A closing sign: of the top frame, or of one below it, whose inner ones were left open. */
static enum sj_status close_by(struct parse *p, char sign)
{
	uint32_t i = p->stack.count;
	while (i > 0 && p->stack.items[i - 1].closer != sign)
		i--;
	if (i == 0)
		return sj_build_note(&p->b, SJ_HEAL_BRACKET, p->tok.at);
	enum sj_status st = SJ_OK;
	if (i < p->stack.count)
		st = sj_build_note(&p->b, SJ_HEAL_UNCLOSED, p->tok.at);
	while (st == SJ_OK && p->stack.count >= i)
		st = close_frame(p);
	return st;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static enum sj_status put_string(struct parse *p, struct sj_slice text)
{
	struct sj_value v;
	enum sj_status st = sj_value_string(p->b.f->mem, text, &v);
	return st == SJ_OK ? put(p, v, text, p->tok.at) : st;
}

static enum sj_status string_value(struct parse *p)
{
	sj_buf_clear(&p->scratch);
	sj_vertical_text(p->v->text, &p->tok, top(p)->kind == F_TAG, &p->scratch);
	if (sj_buf_status(&p->scratch) != SJ_OK)
		return SJ_NOMEM;
	enum sj_status st = put_string(p, sj_buf_view(&p->scratch));
	advance(p);
	return st;
}

static enum sj_status number_value(struct parse *p)
{
	struct sj_slice text = source(p, &p->tok);
	enum sj_status st;
	double d;
	if (sj_num_parse(text, &d) || sj_num_parse_loose(text, &d)) {
		st = sj_num_parse(text, &d) ? SJ_OK : sj_build_note(&p->b, SJ_HEAL_LITERAL, p->tok.at);
		if (st == SJ_OK)
			st = put(p, sj_value_number(d), text, p->tok.at);
	} else {
		st = sj_build_note(&p->b, SJ_HEAL_LITERAL, p->tok.at);
		if (st == SJ_OK)
			st = put_string(p, text);
	}
	advance(p);
	return st;
}

static enum sj_status path_value(struct parse *p)
{
	struct sj_value v;
	enum sj_status st;
	sj_buf_clear(&p->scratch);
	sj_vertical_text(p->v->text, &p->tok, false, &p->scratch);
	st = sj_buf_status(&p->scratch) == SJ_OK ? sj_build_binding(&p->b, sj_buf_view(&p->scratch), &v) : SJ_NOMEM;
	if (st == SJ_OK && p->v->text.ptr[p->tok.at + 1] == '{')
		st = sj_build_note(&p->b, SJ_HEAL_PATH, p->tok.at);
	if (st == SJ_OK)
		st = put(p, v, SJ_NO_SLICE, p->tok.at);
	advance(p);
	return st;
}

/* Words without quotation marks, as far as they go on without a sign: a text somebody forgot to quote. */
static enum sj_status bare_value(struct parse *p)
{
	static const struct {
		const char *word;
		struct sj_value value;
		bool exact;
	} words[] = {
		{"true", {.type = SJ_V_TRUE}, true},       {"false", {.type = SJ_V_FALSE}, true},
		{"null", {.type = SJ_V_NULL}, true},       {"True", {.type = SJ_V_TRUE}, false},
		{"False", {.type = SJ_V_FALSE}, false},    {"None", {.type = SJ_V_NULL}, false},
		{"undefined", {.type = SJ_V_NULL}, false},
	};
	struct sj_slice word = source(p, &p->tok), text = p->v->text;
	size_t at = p->tok.at, end = p->tok.end;
	enum sj_status st;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (sj_slice_is(word, words[i].word)) {
			st = words[i].exact ? SJ_OK : sj_build_note(&p->b, SJ_HEAL_LITERAL, at);
			if (st == SJ_OK)
				st = put(p, words[i].value, word, at);
			advance(p);
			return st;
		}
	st = sj_build_note(&p->b, SJ_HEAL_LITERAL, at);
	for (size_t i = end; i < text.len; i++) {
		if (strchr("()[]{}=:\"'`$<>#\n", text.ptr[i]) || sj_vertical_curly(text, i))
			break;
		if (text.ptr[i] == ',') {
			end = i;
			break;
		}
		if (strchr(" \t\r", text.ptr[i]) == NULL)
			end = i + 1;
	}
	/* Behind the words a key may have begun (`a b key=1`); then only the first was meant. */
	struct sj_vertical_token next;
	sj_vertical_token(p->v, end, &next);
	if (next.kind == SJ_VT_SIGN && strchr(":=(", next.sign))
		end = p->tok.end;
	if (st == SJ_OK)
		st = put_string(p, sj_slice(text.ptr + at, end - at));
	p->tok.end = end;
	advance(p);
	return st;
}

static enum sj_status name_value(struct parse *p)
{
	struct sj_slice name = source(p, &p->tok);
	struct sj_vertical_token next;
	struct frame *f = top(p);
	enum sj_status st;
	sj_vertical_token(p->v, p->tok.end, &next);
	if (!(next.kind == SJ_VT_SIGN && next.sign == '(')) {
		if (sj_slice_is(name, "_") && f->nargs > 0 && !f->after_value) {
			/* A position left out. */
			f->key_want = NULL;
			f->after_value = true;
			f->after_comma = false;
			advance(p);
			return SJ_OK;
		}
		return bare_value(p);
	}
	const struct sj_a2ui_prop *want = wanted(f);
	bool component = sj_vertical_is_component(p->v, name) || (name.ptr[0] >= 'A' && name.ptr[0] <= 'Z');
	if (sj_slice_is(name, "Event") && !takes_component(want)) {
		st = push(p, F_EVENT, ')', &f);
	} else if (component && (takes_component(want) || !knows_function(p, name))) {
		st = begin_component(p, name, false);
	} else {
		st = begin_call(p, name, want && want->cls == SJ_AC_CHECKS);
	}
	if (st == SJ_OK && top(p)->kind == F_CHECK)
		st = sj_build_note(&p->b, SJ_HEAL_CHECK, p->tok.at);
	advance(p);
	advance(p);
	return st;
}

/* ?name or ?name(...) */
static enum sj_status check_value(struct parse *p)
{
	advance(p);
	if (p->tok.kind != SJ_VT_NAME)
		return sj_build_fault(&p->b, p->tok.at, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE,
		                      "a check names a function after its question mark");
	enum sj_status st = begin_call(p, source(p, &p->tok), true);
	if (st != SJ_OK)
		return st;
	advance(p);
	if (is_sign(p, '('))
		advance(p);
	else
		st = close_frame(p);
	return st;
}

static enum sj_status begin_tag(struct parse *p)
{
	advance(p);
	if (p->tok.kind != SJ_VT_NAME)
		return sj_build_fault(&p->b, p->tok.at, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE,
		                      "a tag names a component");
	enum sj_status st = begin_component(p, source(p, &p->tok), true);
	if (st == SJ_OK)
		st = sj_build_note(&p->b, SJ_HEAL_TAG, p->tok.at);
	advance(p);
	return st;
}

static enum sj_status value(struct parse *p)
{
	struct frame *f;
	enum sj_status st;
	switch (p->tok.kind) {
	case SJ_VT_STRING:
		return string_value(p);
	case SJ_VT_NUMBER:
		return number_value(p);
	case SJ_VT_PATH:
		return path_value(p);
	case SJ_VT_NAME:
		return name_value(p);
	case SJ_VT_BARE:
		return bare_value(p);
	case SJ_VT_END:
		return SJ_OK;
	case SJ_VT_SIGN:
		break;
	}
	switch (p->tok.sign) {
	case '[':
	case '{':
	case '(':
		st = push(p, p->tok.sign == '{' ? F_MAP : F_LIST,
		          p->tok.sign == '['   ? ']'
		          : p->tok.sign == '{' ? '}'
		                               : ')',
		          &f);
		if (st == SJ_OK && p->tok.sign == '(')
			st = sj_build_note(&p->b, SJ_HEAL_BRACKET, p->tok.at);
		advance(p);
		return st;
	case '?':
		return check_value(p);
	case '<':
		return begin_tag(p);
	default:
		return sj_build_fault(&p->b, p->tok.at, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE,
		                      "'%c' stands where a value is expected", p->tok.sign);
	}
}

/* ---- arguments, members, items ----------------------------------------------------------------------------------- */

static enum sj_status take_key(struct parse *p, struct frame *f)
{
	sj_buf_clear(&p->scratch);
	sj_vertical_text(p->v->text, &p->tok, false, &p->scratch);
	if (sj_buf_status(&p->scratch) != SJ_OK)
		return SJ_NOMEM;
	return set_key(p, f, sj_buf_view(&p->scratch));
}

/* `key=`, `key:`, `:key`, `"key":`. *found: there was one, and its value comes next. */
static enum sj_status key(struct parse *p, bool *found)
{
	struct frame *f = top(p);
	struct sj_vertical_token next;
	enum sj_status st = SJ_OK;
	bool map = f->kind == F_MAP, colon_first = is_sign(p, ':') && !map;
	*found = false;
	if (colon_first)
		advance(p);
	bool may = p->tok.kind == SJ_VT_NAME || p->tok.kind == SJ_VT_STRING ||
	           (p->tok.kind == SJ_VT_BARE && (map || f->kind == F_TAG)) || (map && p->tok.kind == SJ_VT_NUMBER);
	if (!may)
		return SJ_OK;
	sj_vertical_token(p->v, p->tok.end, &next);
	bool sign = next.kind == SJ_VT_SIGN && (next.sign == '=' || next.sign == ':');
	if (!sign && !colon_first && !(map && p->tok.kind == SJ_VT_STRING))
		return SJ_OK;
	if (colon_first || !sign || (next.sign == ':') != map || (p->tok.kind == SJ_VT_STRING && !map))
		st = sj_build_note(&p->b, SJ_HEAL_KEY, p->tok.at);
	if (st == SJ_OK)
		st = take_key(p, f);
	*found = true;
	advance(p);
	while (is_sign(p, '=') || is_sign(p, ':')) /* also := and => is read as = */
		advance(p);
	return st;
}

/* The frame is open and the token is none of its signs: a key or a value. */
static enum sj_status entry(struct parse *p)
{
	struct frame *f = top(p);
	enum sj_status st = SJ_OK;
	bool found = false;
	size_t before = p->tok.at;
	if (f->after_value && !f->after_comma && f->kind != F_TAG)
		st = sj_build_note(&p->b, SJ_HEAL_COMMA, p->tok.at);
	if (st == SJ_OK && f->kind != F_LIST)
		st = key(p, &found);
	if (st != SJ_OK)
		return st;
	f->after_value = f->after_comma = false;
	if (!found && f->kind == F_MAP) {
		if (p->tok.kind == SJ_VT_NAME) { /* {name} is {name: name} to nobody; say so */
			return sj_build_fault(&p->b, p->tok.at, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE,
			                      "'%.*s' has no value", SJ_ARG(source(p, &p->tok)));
		}
		return sj_build_fault(&p->b, p->tok.at, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE,
		                      "a member needs a name");
	}
	if (!found && f->kind != F_LIST && f->kind != F_TAG)
		st = next_position(p, f);
	if (st != SJ_OK)
		return st;
	if (found && (p->tok.kind == SJ_VT_END || is_sign(p, ',') || is_sign(p, f->closer))) {
		f->key_want = NULL; /* `key=` without a value says nothing */
		return sj_build_note(&p->b, SJ_HEAL_KEY, before);
	}
	st = note_token(p);
	return st == SJ_OK ? value(p) : st;
}

/* `{` in a tag opens an expression: one value. `{{` a map. The brace behind it is left to step(). */
static enum sj_status expression(struct parse *p)
{
	p->at = p->tok.end;
	p->v->in_tag = false;
	sj_vertical_token(p->v, p->at, &p->tok);
	return is_sign(p, '}') ? SJ_OK : value(p);
}

static enum sj_status attribute(struct parse *p)
{
	struct frame *f = top(p);
	bool found;
	enum sj_status st = note_token(p);
	if (st == SJ_OK)
		st = key(p, &found);
	if (st != SJ_OK)
		return st;
	if (!found) {
		if (p->tok.kind != SJ_VT_NAME && p->tok.kind != SJ_VT_BARE) {
			advance(p); /* what has no business in a tag */
			return sj_build_note(&p->b, SJ_HEAL_BRACKET, p->at);
		}
		st = take_key(p, f); /* an attribute alone is true */
		if (st == SJ_OK)
			st = put(p, sj_value_bool(true), SJ_LIT("true"), p->tok.at);
		advance(p);
		return st;
	}
	st = note_token(p);
	return st != SJ_OK ? st : is_sign(p, '{') ? expression(p) : value(p);
}

/* What stands between a tag and its end: text, tags, expressions. */
static enum sj_status content(struct parse *p)
{
	struct frame *f = top(p);
	struct sj_slice t = p->v->text;
	size_t at = p->at;
	while (at < t.len && t.ptr[at] != '{' &&
	       !(t.ptr[at] == '<' &&
	         ((at + 1 < t.len && t.ptr[at + 1] == '/') || sj_vertical_is_name(t, at + 1, true))))
		at++;
	struct sj_vertical_token run = {.kind = SJ_VT_BARE, .from = p->at, .to = at};
	sj_vertical_text(t, &run, true, &f->text);
	p->at = at;
	sj_vertical_token(p->v, at, &p->tok);
	if (at == t.len)
		return SJ_OK;
	if (t.ptr[at] == '<' && t.ptr[at + 1] == '/') {
		while (at < t.len && t.ptr[at] != '>')
			at++;
		p->tok.end = at < t.len ? at + 1 : at;
		enum sj_status st = close_frame(p);
		advance(p);
		return st;
	}
	if (t.ptr[at] == '<')
		return begin_tag(p);
	/* An expression as content is the first argument. */
	f->content = false;
	f->resume = true;
	enum sj_status st = SJ_OK;
	if (f->type->npositions > 0)
		st = set_key(p, f, f->type->positions[0]->name);
	return st == SJ_OK ? expression(p) : st;
}

/* What stands before the brace that ends an expression, and belongs to nothing. */
static enum sj_status pass_over(struct parse *p)
{
	enum sj_status st = sj_build_note(&p->b, SJ_HEAL_BRACKET, p->tok.at);
	advance(p);
	return st;
}

static enum sj_status step(struct parse *p)
{
	struct frame *f = top(p);
	enum sj_status st = note_token(p);
	if (st != SJ_OK)
		return st;
	if (p->tok.kind == SJ_VT_END) {
		st = sj_build_note(&p->b, SJ_HEAL_UNCLOSED, p->tok.at);
		while (st == SJ_OK && p->stack.count > 0)
			st = close_frame(p);
		return st;
	}
	if (f->kind == F_TAG && is_sign(p, '/')) {
		advance(p);
		if (!is_sign(p, '>'))
			return SJ_OK;
		st = close_frame(p);
		advance(p);
		return st;
	}
	if (f->kind == F_TAG && is_sign(p, '>')) {
		f->content = true;
		p->at = p->tok.end;
		return SJ_OK;
	}
	if (f->kind == F_TAG && !is_sign(p, '}'))
		return f->resume ? pass_over(p) : attribute(p);
	if (is_sign(p, ')') || is_sign(p, ']') || is_sign(p, '}')) {
		if (f->after_comma && p->tok.sign == f->closer)
			st = sj_build_note(&p->b, SJ_HEAL_TRAILING, p->tok.at);
		if (st == SJ_OK && f->kind != F_TAG)
			st = close_by(p, p->tok.sign);
		else if (f->resume) {
			/* The brace that ends an expression in a tag's content. */
			f->resume = false;
			f->content = true;
		}
		advance(p);
		return st;
	}
	if (is_sign(p, ',') || is_sign(p, ';')) {
		if (f->after_comma || !f->after_value || is_sign(p, ';'))
			st = sj_build_note(&p->b, SJ_HEAL_TRAILING, p->tok.at);
		f->after_comma = true;
		advance(p);
		return st;
	}
	return entry(p);
}

/* The head: `x =` before it, then Name( or { or [ or <Name. */
static enum sj_status head(struct parse *p)
{
	struct sj_vertical_token next;
	struct frame *f;
	enum sj_status st = SJ_OK;
	sj_vertical_token(p->v, p->tok.end, &next);
	if (p->tok.kind == SJ_VT_NAME && next.kind == SJ_VT_SIGN && (next.sign == '=' || next.sign == ':')) {
		st = sj_build_note(&p->b, SJ_HEAL_ASSIGNMENT, p->tok.at);
		advance(p);
		while (is_sign(p, '=') || is_sign(p, ':'))
			advance(p);
	}
	if (st != SJ_OK)
		return st;
	if (p->tok.kind == SJ_VT_NAME) {
		st = begin_component(p, source(p, &p->tok), false);
		advance(p);
		advance(p);
		return st;
	}
	if (is_sign(p, '<'))
		return begin_tag(p);
	if (is_sign(p, '{') || is_sign(p, '[')) {
		st = sj_build_note(&p->b, SJ_HEAL_JSON, p->tok.at);
		if (st == SJ_OK)
			st = push(p, is_sign(p, '{') ? F_MAP : F_LIST, is_sign(p, '{') ? '}' : ']', &f);
		advance(p);
		return st;
	}
	return sj_build_fault(&p->b, p->tok.at, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE, "no component begins here");
}

enum sj_status sj_vertical_parse(struct sj_vertical *v, size_t base, uint32_t line, struct sj_value *surfaces,
                                 struct sj_repairs *repairs, struct sj_diag *diag)
{
	struct parse p = {.v = v, .surfaces = surfaces};
	enum sj_status st;
	sj_build_init(&p.b, v->f, v->text, base, line, repairs, diag);
	sj_buf_init(&p.scratch, v->f->mem, 0);
	sj_vertical_token(v, 0, &p.tok);
	st = head(&p);
	while (st == SJ_OK && p.stack.count > 0)
		st = top(&p)->kind == F_TAG && top(&p)->content && p.tok.kind != SJ_VT_END ? content(&p) : step(&p);
	while (p.stack.count > 0)
		drop_frame(&p, &p.stack.items[--p.stack.count]);
	SJ_VEC_FREE(v->f->mem, &p.stack);
	sj_buf_finish(&p.scratch);
	sj_build_end(&p.b);
	return st;
}
