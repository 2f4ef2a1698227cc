/* Frames of a Vertical statement: opened, given values, closed into what they are worth. */
#include "infer/vertical_frame.h"

#include "base/limits.h"

void sj_parse_advance(struct sj_parse *p)
{
	p->at = p->tok.end;
	p->v->in_tag = p->stack.count > 0 && sj_frame_top(p)->kind == SJ_FRAME_TAG;
	sj_vertical_token(p->v, p->at, &p->tok);
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
const struct sj_a2ui_prop *sj_frame_wanted(const struct sj_frame *f)
{
	return f->kind == SJ_FRAME_LIST ? item_row(f->want) : f->key_want;
}

void sj_frame_drop(struct sj_parse *p, struct sj_frame *f)
{
	sj_value_unref(p->b.f->mem, f->value);
	sj_value_unref(p->b.f->mem, f->name);
	sj_value_unref(p->b.f->mem, f->children);
	sj_buf_finish(&f->text);
}

enum sj_status sj_frame_push(struct sj_parse *p, enum sj_frame_kind kind, char closer, struct sj_frame **out)
{
	if (p->stack.count >= SJ_LIMITS_DEFAULT.dynamic_depth)
		return sj_build_fault(&p->b, p->tok.at, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_PARSE,
		                      "nested deeper than %u levels (dynamic_depth)", SJ_LIMITS_DEFAULT.dynamic_depth);
	enum sj_status st = SJ_VEC_RESERVE(p->b.f->mem, &p->stack, p->stack.count + 1, 0);
	if (st != SJ_OK)
		return st;
	struct sj_frame *f = &p->stack.items[p->stack.count];
	*f = (struct sj_frame){.kind = kind,
	                    .closer = closer,
	                    .value = SJ_ABSENT_VALUE,
	                    .name = SJ_ABSENT_VALUE,
	                    .children = SJ_ABSENT_VALUE};
	sj_buf_init(&f->text, p->b.f->mem, 0);
	st = kind == SJ_FRAME_LIST ? sj_value_array(p->b.f->mem, &f->value) : sj_value_object(p->b.f->mem, &f->value);
	if (st != SJ_OK)
		return st;
	f->want = p->stack.count > 0 ? sj_frame_wanted(sj_frame_top(p)) : NULL;
	p->stack.count++;
	*out = f;
	return SJ_OK;
}

/* Ids of inline components say where they stand: root_child, root_children_0, root_tabs_0_child. */
static enum sj_status make_id(struct sj_parse *p, struct sj_slice *out)
{
	uint32_t i = p->stack.count;
	struct sj_buf *id = &p->scratch;
	while (i > 0 && p->stack.items[i - 1].id.len == 0)
		i--;
	sj_buf_clear(id);
	sj_buf_slice(id, i > 0 ? p->stack.items[i - 1].id : SJ_LIT("root"));
	for (i = i > 0 ? i - 1 : 0; i < p->stack.count; i++) {
		const struct sj_frame *f = &p->stack.items[i];
		sj_buf_putc(id, '_');
		if (f->kind == SJ_FRAME_LIST || (f->kind == SJ_FRAME_TAG && f->content))
			sj_buf_printf(id, "%u", sj_value_count(f->kind == SJ_FRAME_LIST ? &f->value : &f->children));
		else
			sj_buf_slice(id, f->key);
	}
	if (sj_buf_status(id) != SJ_OK)
		return SJ_NOMEM;
	*out = sj_arena_copy(&p->b.arena, sj_buf_view(id));
	return out->ptr ? SJ_OK : SJ_NOMEM;
}

static bool is_root_list(const struct sj_parse *p)
{
	return p->stack.count == 1 && p->stack.items[0].kind == SJ_FRAME_LIST;
}

/* Whatever JSON stood before a constructor in a list of surfaces is built first. */
static enum sj_status flush_root_list(struct sj_parse *p)
{
	struct sj_value list = p->stack.items[0].value;
	if (sj_value_count(&list) == 0)
		return SJ_OK;
	p->stack.items[0].value = SJ_ABSENT_VALUE;
	enum sj_status st = sj_build_json(&p->b, p->tok.at, list, p->surfaces);
	return st == SJ_OK ? sj_value_array(p->b.f->mem, &p->stack.items[0].value) : st;
}

static bool is_in_component(const struct sj_parse *p)
{
	for (uint32_t i = 0; i < p->stack.count; i++)
		if (p->stack.items[i].id.len > 0)
			return true;
	return false;
}

static enum sj_status out_of_place(struct sj_parse *p, size_t at)
{
	return sj_build_fault(&p->b, at, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_COMPILE,
	                      "a component stands where none can be");
}

enum sj_status sj_frame_component(struct sj_parse *p, struct sj_slice name, bool tag)
{
	/* The first component of a statement is its root, and makes the surface. */
	const struct sj_catalog *catalog;
	const struct sj_a2ui_component *type;
	struct sj_slice id = SJ_LIT("root");
	struct sj_frame *f;
	enum sj_status st = sj_build_type(&p->b, p->tok.at, name, SJ_NO_SLICE, &catalog, &type);
	bool root = p->stack.count == 0 || is_root_list(p);
	if (st == SJ_OK && !root && !is_in_component(p))
		return out_of_place(p, p->tok.at);
	if (st == SJ_OK && is_root_list(p))
		st = flush_root_list(p);
	if (st == SJ_OK && !root)
		st = make_id(p, &id);
	uint32_t slot;
	if (st == SJ_OK && root)
		st = sj_build_surface(&p->b);
	if (st == SJ_OK)
		st = sj_build_reserve(&p->b, &slot);
	if (st == SJ_OK)
		st = sj_frame_push(p, tag ? SJ_FRAME_TAG : SJ_FRAME_COMPONENT, tag ? '>' : ')', &f);
	if (st != SJ_OK)
		return st;
	f->type = type;
	f->catalog = catalog;
	f->id = id;
	f->slot = slot;
	return sj_build_head(&p->b, &f->value, id, type, catalog);
}

enum sj_status sj_frame_call(struct sj_parse *p, struct sj_slice name, bool check)
{
	const struct sj_catalog *catalog;
	const struct sj_a2ui_function *fn;
	struct sj_frame *f;
	enum sj_status st = sj_format_function(p->b.f, name, SJ_NO_SLICE, &catalog, &fn, p->b.diag);
	if (st != SJ_OK)
		return sj_build_place(&p->b, p->tok.at, st);
	st = sj_frame_push(p, check ? SJ_FRAME_CHECK : SJ_FRAME_CALL, ')', &f);
	if (st != SJ_OK)
		return st;
	f->fn = fn;
	f->catalog = catalog;
	return SJ_OK;
}

bool sj_frame_takes_component(const struct sj_a2ui_prop *want)
{
	return want && (want->cls == SJ_AC_CHILD || want->cls == SJ_AC_CHILD_LIST);
}

/* ---- putting a finished value where it belongs ------------------------------------------------------------------- */

/* The row of what comes next in a frame whose key is known. */
static const struct sj_a2ui_prop *row_in(const struct sj_frame *f, struct sj_slice key)
{
	if (f->kind == SJ_FRAME_COMPONENT || f->kind == SJ_FRAME_TAG)
		return sj_a2ui_prop_find(f->type, key);
	if (f->kind != SJ_FRAME_MAP || !f->want)
		return NULL;
	for (uint32_t i = 0; i < f->want->nsub; i++)
		if (sj_slice_eq(f->want->sub[i].name, key))
			return &f->want->sub[i];
	return NULL;
}

enum sj_status sj_frame_key(struct sj_parse *p, struct sj_frame *f, struct sj_slice key)
{
	f->key = sj_arena_copy(&p->b.arena, key);
	f->key_want = NULL;
	if (!f->key.ptr)
		return SJ_NOMEM;
	if (f->kind == SJ_FRAME_COMPONENT || f->kind == SJ_FRAME_TAG) {
		enum sj_status st = sj_build_name(&p->b, p->tok.at, f->type, &f->key);
		if (st != SJ_OK)
			return st;
	}
	f->key_want = row_in(f, f->key);
	return SJ_OK;
}

static enum sj_status too_many(struct sj_parse *p, struct sj_slice name, uint32_t most)
{
	return sj_build_fault(&p->b, p->tok.at, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_COMPILE,
	                      "%.*s takes at most %u arguments by position", SJ_ARG(name), most);
}

/* A value without a key: which one is meant? */
enum sj_status sj_frame_position(struct sj_parse *p, struct sj_frame *f)
{
	uint32_t n = f->nargs++;
	f->key_want = NULL;
	if (f->kind == SJ_FRAME_COMPONENT) {
		if (n >= f->type->npositions)
			return too_many(p, f->type->name, f->type->npositions);
		f->key = f->type->positions[n]->name;
		f->key_want = f->type->positions[n];
		return SJ_OK;
	}
	if (f->kind == SJ_FRAME_EVENT) {
		f->key = n == 0 ? SJ_LIT("name") : SJ_LIT("context");
		return n < 2 ? SJ_OK : too_many(p, SJ_LIT("Event"), 2);
	}
	/* A check's first argument is the value it stands beside. */
	bool skip = f->kind == SJ_FRAME_CHECK && f->fn->nparams > 0 &&
	            sj_slice_is(f->fn->params[f->fn->positions[0]], "value");
	n += skip;
	if (n < f->fn->nparams) {
		f->key = f->fn->params[f->fn->positions[n]];
		return SJ_OK;
	}
	if (f->kind == SJ_FRAME_CHECK && n == f->fn->nparams) {
		f->key = SJ_LIT("message");
		return SJ_OK;
	}
	return too_many(p, f->fn->name, f->fn->nparams);
}

/* Members of a map given as an event's context. */
static enum sj_status merge_context(struct sj_parse *p, struct sj_frame *f, const struct sj_value *map)
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
enum sj_status sj_frame_put(struct sj_parse *p, struct sj_value take, struct sj_slice text, size_t at)
{
	struct sj_frame *f = sj_frame_top(p);
	struct sj_mem *mem = p->b.f->mem;
	enum sj_status st = SJ_OK;
	if (f->kind == SJ_FRAME_LIST) {
		const struct sj_a2ui_prop *row = item_row(f->want);
		/* An item of a list of references is a reference, one of a list of checks a check. */
		st = sj_build_coerce(&p->b, at, row, row == f->want, text, &take);
		st = st == SJ_OK ? sj_value_append(mem, &f->value, take) : (sj_value_unref(mem, take), st);
	} else if (f->kind == SJ_FRAME_TAG && f->content) {
		if (f->children.type == SJ_V_ABSENT)
			st = sj_value_array(mem, &f->children);
		st = st == SJ_OK ? sj_value_append(mem, &f->children, take) : (sj_value_unref(mem, take), st);
	} else if (f->kind == SJ_FRAME_EVENT && sj_slice_is(f->key, "name") && f->name.type == SJ_V_ABSENT &&
	           sj_value_is_string(&take)) {
		f->name = take;
	} else if (f->kind == SJ_FRAME_EVENT && sj_slice_is(f->key, "context") && take.type == SJ_V_OBJECT) {
		st = merge_context(p, f, &take);
		sj_value_unref(mem, take);
	} else if (f->kind == SJ_FRAME_CHECK && sj_slice_is(f->key, "message") && f->name.type == SJ_V_ABSENT) {
		f->name = take;
	} else if (f->kind == SJ_FRAME_COMPONENT || f->kind == SJ_FRAME_TAG) {
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
static enum sj_status finish_tag(struct sj_parse *p, struct sj_frame *f)
{
	struct sj_mem *mem = p->b.f->mem;
	size_t from = 0, to = f->text.len;
	const char *t = f->text.ptr;
	enum sj_status st = sj_buf_status(&f->text);
	while (from < to && sj_vertical_in(" \t\r\n", t[from]))
		from++;
	while (to > from && sj_vertical_in(" \t\r\n", t[to - 1]))
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
		if (sj_frame_takes_component(&f->type->props[i]) && !sj_value_get(&f->value, f->type->props[i].name))
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
static enum sj_status finish_frame(struct sj_parse *p, struct sj_frame *f, struct sj_value *out)
{
	struct sj_mem *mem = p->b.f->mem;
	enum sj_status st = SJ_OK;
	switch (f->kind) {
	case SJ_FRAME_TAG:
	case SJ_FRAME_COMPONENT:
		st = f->kind == SJ_FRAME_TAG ? finish_tag(p, f) : SJ_OK;
		if (st == SJ_OK)
			st = sj_build_checks(&p->b, &f->value, f->type);
		if (st != SJ_OK)
			return st;
		st = sj_build_place_component(&p->b, f->slot, f->value);
		f->value = SJ_ABSENT_VALUE;
		return st == SJ_OK ? sj_value_string(mem, f->id, out) : st;
	case SJ_FRAME_CALL:
	case SJ_FRAME_CHECK:
		st = sj_build_call(&p->b, f->fn, f->catalog, f->value, out);
		f->value = SJ_ABSENT_VALUE;
		if (st == SJ_OK && f->kind == SJ_FRAME_CHECK) {
			st = sj_build_rule(&p->b, f->name, out);
			f->name = SJ_ABSENT_VALUE;
		} else if (st == SJ_OK && f->want && f->want->cls == SJ_AC_ACTION) {
			st = sj_build_wrap(&p->b, "functionCall", out);
		}
		return st;
	case SJ_FRAME_EVENT:
		st = sj_build_event(&p->b, f->name, f->value, out);
		f->name = f->value = SJ_ABSENT_VALUE;
		return st;
	case SJ_FRAME_LIST:
	case SJ_FRAME_MAP:
		*out = f->value;
		f->value = SJ_ABSENT_VALUE;
		return SJ_OK;
	}
	return st;
}

enum sj_status sj_frame_close(struct sj_parse *p)
{
	struct sj_value v = SJ_ABSENT_VALUE;
	struct sj_frame *f = sj_frame_top(p);
	size_t at = p->tok.at;
	bool component = f->kind == SJ_FRAME_COMPONENT || f->kind == SJ_FRAME_TAG;
	enum sj_status st = finish_frame(p, f, &v);
	sj_frame_drop(p, f);
	p->stack.count--;
	if (st != SJ_OK) {
		sj_value_unref(p->b.f->mem, v);
		return st;
	}
	if (component && (p->stack.count == 0 || is_root_list(p))) {
		sj_value_unref(p->b.f->mem, v);
		if (p->stack.count > 0) {
			sj_frame_top(p)->after_value = true;
			sj_frame_top(p)->after_comma = false;
		}
		return sj_build_finish_surface(&p->b, p->surfaces);
	}
	if (p->stack.count > 0) {
		/* A component gives its id where children go, and is out of place elsewhere. */
		const struct sj_a2ui_prop *want = sj_frame_wanted(sj_frame_top(p));
		bool content = sj_frame_top(p)->kind == SJ_FRAME_TAG && sj_frame_top(p)->content;
		if (component && !content && !sj_frame_takes_component(want)) {
			sj_value_unref(p->b.f->mem, v);
			return out_of_place(p, at);
		}
		return sj_frame_put(p, v, SJ_NO_SLICE, at);
	}
	return sj_build_json(&p->b, at, v, p->surfaces);
}

/* A closing sign: of the top frame, or of one below it, whose inner ones were left open. */
enum sj_status sj_frame_close_by(struct sj_parse *p, char sign)
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
		st = sj_frame_close(p);
	return st;
}
