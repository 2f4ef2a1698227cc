/* Values from tapes. */
#include "base/num.h"
#include "json/body.h"
#include "json/reader.h"

/* Keys too long to lie inside their value are shared between the objects of one document: rows repeat their keys. */
enum { KEY_CACHE = 64 };

struct build {
	struct sj_mem *mem;
	const struct sj_tape *tape;
	struct sj_value keys[KEY_CACHE]; /* owned, or ABSENT */
	bool cached;                     /* `keys` is initialised and holds something */
};

static enum sj_status make_string(struct sj_mem *m, const struct sj_tape *t, uint32_t i, struct sj_value *out)
{
	struct sj_slice source = sj_tape_raw(t, i);
	if (!(t->cells[i].flags & SJ_CELL_ESCAPED))
		return sj_value_string(m, source, out);
	/* Decoded once to learn the length, so that the body is exact. */
	char step[4], text[SJ_SHORT_MAX + 4];
	size_t len = 0;
	for (size_t at = 0; at < source.len;) {
		size_t n = sj_json_decode_step(source, &at, step);
		if (len <= SJ_SHORT_MAX)
			memcpy(text + len, step, n);
		len += n;
	}
	if (len <= SJ_SHORT_MAX) {
		*out = sj_value_short(sj_slice(text, len));
		return SJ_OK;
	}
	struct sj_vstr *s = sj_mem_alloc(m, sizeof *s + len);
	if (!s)
		return SJ_NOMEM;
	*s = (struct sj_vstr){.refs = 1, .len = (uint32_t)len, .cap = (uint32_t)len};
	size_t put = 0;
	for (size_t at = 0; at < source.len;) {
		size_t n = sj_json_decode_step(source, &at, step);
		memcpy(s->bytes + put, step, n);
		put += n;
	}
	*out = (struct sj_value){.type = SJ_V_STRING, .u.s = s};
	return SJ_OK;
}

static enum sj_status make_key(struct build *b, uint32_t i, struct sj_value *out)
{
	const struct sj_cell *c = &b->tape->cells[i];
	if (c->len <= SJ_SHORT_MAX || (c->flags & SJ_CELL_ESCAPED))
		return make_string(b->mem, b->tape, i, out);
	if (!b->cached) {
		for (int k = 0; k < KEY_CACHE; k++)
			b->keys[k] = SJ_ABSENT_VALUE;
		b->cached = true;
	}
	struct sj_value *place = &b->keys[c->aux % KEY_CACHE];
	struct sj_slice source = sj_tape_raw(b->tape, i);
	if (!sj_slice_eq(sj_value_text(place), source)) {
		struct sj_value made;
		enum sj_status st = sj_value_string(b->mem, source, &made);
		if (st != SJ_OK)
			return st;
		sj_value_unref(b->mem, *place);
		*place = made;
	}
	*out = sj_value_ref(*place);
	return SJ_OK;
}

static struct sj_value make_number(struct sj_slice source)
{
	if (source.len <= 15) { /* an integer of up to 15 digits, the usual case */
		size_t at = source.ptr[0] == '-';
		int64_t n = 0;
		for (; at < source.len && (unsigned char)(source.ptr[at] - '0') < 10; at++)
			n = n * 10 + (source.ptr[at] - '0');
		if (at == source.len)
			return (struct sj_value){.type = SJ_V_INT, .u.i = source.ptr[0] == '-' ? -n : n};
	}
	double d = 0;
	sj_num_parse(source, &d);
	return sj_value_number(d);
}

/* The value of cell i; a container comes without its content. */
static enum sj_status make(struct build *b, uint32_t i, struct sj_value *out)
{
	const struct sj_cell *c = &b->tape->cells[i];
	switch ((enum sj_json_type)c->type) {
	case SJ_J_NULL:
		*out = SJ_NULL_VALUE;
		return SJ_OK;
	case SJ_J_FALSE:
	case SJ_J_TRUE:
		*out = sj_value_bool(c->type == SJ_J_TRUE);
		return SJ_OK;
	case SJ_J_NUMBER:
		*out = make_number(sj_tape_raw(b->tape, i));
		return SJ_OK;
	case SJ_J_STRING:
		return make_string(b->mem, b->tape, i, out);
	case SJ_J_ARRAY: {
		struct sj_list *a = sj_list_new(b->mem);
		if (!a)
			return SJ_NOMEM;
		*out = (struct sj_value){.type = SJ_V_ARRAY, .u.a = a};
		return SJ_OK;
	}
	case SJ_J_OBJECT: {
		struct sj_vmap *o = sj_vmap_new(b->mem, c->len);
		if (!o)
			return SJ_NOMEM;
		*out = (struct sj_value){.type = SJ_V_OBJECT, .u.o = o};
		return SJ_OK;
	}
	}
	return SJ_INVALID;
}

/* Puts a child into its container, which takes it even when it fails. */
static enum sj_status put(struct build *b, struct sj_body *up, uint32_t up_cell, uint32_t key, struct sj_value child)
{
	const struct sj_cell *c = &b->tape->cells[up_cell];
	if (up->type == SJ_V_ARRAY) {
		enum sj_status st = sj_list_push(b->mem, sj_list_of(up), child, c->len);
		if (st != SJ_OK)
			sj_value_unref(b->mem, child);
		return st;
	}
	struct sj_value name;
	enum sj_status st = make_key(b, key, &name);
	if (st != SJ_OK) {
		sj_value_unref(b->mem, child);
		return st;
	}
	if (c->flags & SJ_CELL_DUPS) {
		/* As in ECMAScript: the first place, the last value. */
		struct sj_member *again = sj_vmap_find(sj_vmap_of(up), sj_value_text(&name));
		if (again) {
			sj_value_unref(b->mem, name);
			sj_value_unref(b->mem, again->value);
			again->value = child;
			return SJ_OK;
		}
	}
	return sj_vmap_add(b->mem, sj_vmap_of(up), name, child);
}

/* Each container under construction holds the next cell of its content in `at`, its own cell in `link`. */
static enum sj_status fill(struct build *b, uint32_t cell, struct sj_body *top)
{
	const struct sj_tape *t = b->tape;
	top->up = NULL;
	top->at = cell + 1;
	top->link.base = cell;
	while (top) {
		uint32_t own = (uint32_t)top->link.base;
		if (top->at >= t->cells[own].end) {
			top = top->up;
			continue;
		}
		uint32_t key = top->at, i = top->type == SJ_V_OBJECT ? key + 1 : key;
		if (i >= t->cells[own].end) /* an open tape may end in a key */
			return SJ_INVALID;
		top->at = t->cells[i].end;
		struct sj_value child;
		enum sj_status st = make(b, i, &child);
		if (st != SJ_OK)
			return st;
		st = put(b, top, own, key, child);
		if (st != SJ_OK)
			return st;
		if (sj_value_is_container(&child) && t->cells[i].len) {
			struct sj_body *inner = sj_body_of(&child);
			inner->up = top;
			inner->at = i + 1;
			inner->link.base = i;
			top = inner;
		}
	}
	return SJ_OK;
}

enum sj_status sj_value_from_tape(struct sj_mem *m, const struct sj_tape *t, uint32_t cell, struct sj_value *out)
{
	struct build b;
	b.mem = m;
	b.tape = t;
	b.cached = false;
	struct sj_value root;
	enum sj_status st = make(&b, cell, &root);
	if (st != SJ_OK)
		return st;
	if (sj_value_is_container(&root)) {
		st = fill(&b, cell, sj_body_of(&root));
		for (int k = 0; b.cached && k < KEY_CACHE; k++)
			sj_value_unref(m, b.keys[k]);
		if (st != SJ_OK) {
			sj_value_unref(m, root);
			return st;
		}
	}
	*out = root;
	return SJ_OK;
}

enum sj_status sj_value_parse(struct sj_mem *m, const struct sj_json_options *opt, struct sj_slice text,
                              struct sj_value *out, struct sj_diag *diag)
{
	struct sj_arena arena;
	struct sj_tape tape;
	sj_arena_init(&arena, m, 0);
	enum sj_status st = sj_json_parse(&arena, opt, text, &tape, diag);
	if (st == SJ_OK) {
		st = sj_value_from_tape(m, &tape, 0, out);
		if (st != SJ_OK)
			sj_diag_set(diag, st, SJ_E_NOMEM, SJ_CAT_PARSE, "out of memory");
	}
	sj_arena_finish(&arena);
	return st;
}

enum sj_status sj_value_copy(struct sj_mem *to, const struct sj_value *v, struct sj_value *out)
{
	if (!sj_value_is_counted(*v)) {
		*out = *v;
		return SJ_OK;
	}
	if (sj_value_is_string(v))
		return sj_value_string(to, sj_value_text(v), out);
	/* By its text: that needs no walk of its own, and whole containers rarely cross. */
	struct sj_json_options opt = {.max_depth = SJ_JSON_MAX_DEPTH,
	                              .max_bytes = UINT32_MAX,
	                              .max_values = UINT32_MAX,
	                              .max_string_bytes = UINT32_MAX,
	                              .dup = SJ_DUP_LAST,
	                              .surrogate = SJ_SURROGATE_KEEP};
	struct sj_buf text;
	sj_buf_init(&text, to, 0);
	sj_value_print(&text, v, SJ_PRINT_COMPACT);
	enum sj_status st = sj_buf_status(&text);
	if (st == SJ_OK)
		st = sj_value_parse(to, &opt, sj_buf_view(&text), out, NULL);
	sj_buf_finish(&text);
	return st;
}
