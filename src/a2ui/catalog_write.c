/* Copying parts of catalog documents, with references spelled anew or replaced by what they lead to. No recursion:
 * nesting comes from a document of someone else's. */
#include "a2ui/catalog_internal.h"
#include "json/value.h"

enum { MAX_CHAIN = 8, MAX_INLINE = 24, MAX_INLINE_STEPS = 200000, MAX_FINITE_DEPTH = 8 };

/* One open container. An object may be several nodes: one with a reference, and what that leads to, as one. */
struct frame {
	struct sj_cat_node chain[MAX_CHAIN];
	uint32_t n, i; /* nodes; the one being read */
	uint32_t at;   /* next cell in it */
	bool object, first, inlined;
	struct sj_slice ref, tag; /* tag: words of a description that named a reference */
};

struct stack {
	SJ_VEC(struct frame) v;
	uint32_t inlined;
};

enum sj_status sj_cat_view(const struct sj_catalog *c, struct sj_slice shared, struct sj_catalog *view)
{
	*view = *c;
	view->collect_steps = view->class_steps = view->shape_steps = 0;
	sj_arena_init(&view->arena, c->mem, 4096);
	if (shared.len == 0)
		return SJ_OK;
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_slice kept = sj_arena_copy(&view->arena, shared);
	enum sj_status st = kept.ptr ? sj_json_parse(&view->arena, &opt, kept, &view->common, NULL) : SJ_NOMEM;
	if (st != SJ_OK)
		sj_arena_finish(&view->arena);
	return st;
}

void sj_cat_write_ref(struct sj_cat_writer *w, struct sj_cat_node from, struct sj_slice ref)
{
	struct sj_cat_node to;
	struct sj_slice common;
	enum sj_status st = sj_cat_resolve(w->c, from, ref, &to, &common);
	const char *hash = memchr(ref.ptr, '#', ref.len);
	struct sj_slice fragment = hash ? sj_slice(hash, ref.len - (size_t)(hash - ref.ptr)) : SJ_NO_SLICE;
	if (sj_slice_is(fragment, "#/$defs/anyFunction"))
		w->used_any_function = true;
	if (st == SJ_OK && common.len > 0) {
		if (w->used_common)
			w->used_common[to.cell] = 1;
		sj_buf_puts(w->out, w->spelling == SJ_CAT_TOGETHER ? "\"#/$defs/" : "\"common_types.json#/$defs/");
		sj_buf_slice(w->out, common);
		sj_buf_putc(w->out, '"');
		return;
	}
	bool ours = (st == SJ_OK && to.t == &w->c->doc) || sj_slice_is(fragment, "#/$defs/anyFunction") ||
	            sj_slice_is(fragment, "#/$defs/anyComponent");
	if (st == SJ_OK && to.t == &w->c->doc && w->used_doc)
		w->used_doc[to.cell] = 1;
	if (ours && from.t == &w->c->common && w->spelling == SJ_CAT_APART)
		sj_buf_puts(w->out, "\"catalog.json");
	else
		sj_buf_putc(w->out, '"');
	struct sj_buf text;
	sj_buf_init(&text, w->out->mem, 0);
	sj_json_print_string(&text, ours ? fragment : ref);
	if (sj_buf_status(&text) != SJ_OK)
		w->out->status = sj_buf_status(&text);
	else
		sj_buf_put(w->out, text.ptr + 1, text.len - 1); /* without its opening quote, which stands already */
	sj_buf_finish(&text);
}

/* Does everything below a common type end, or does it come back to itself (calls hold values that hold calls)? */
static bool is_finite(struct sj_catalog *c, struct sj_cat_node n, unsigned depth)
{
	if (depth > MAX_FINITE_DEPTH)
		return false;
	for (uint32_t i = n.cell; i < n.t->cells[n.cell].end; i++) {
		if (!(n.t->cells[i].flags & SJ_CELL_KEY) || !sj_tape_string_is(n.t, i, SJ_LIT("$ref")) ||
		    sj_tape_type(n.t, i + 1) != SJ_J_STRING)
			continue;
		struct sj_cat_node to;
		struct sj_slice common;
		if (sj_cat_resolve(c, n, sj_cat_text(c, (struct sj_cat_node){n.t, i + 1}), &to, &common) != SJ_OK ||
		    to.t != n.t || !is_finite(c, to, depth + 1))
			return false;
	}
	return true;
}

static bool is_open(const struct stack *s, struct sj_cat_node n)
{
	for (uint32_t i = 0; i < s->v.count; i++)
		for (uint32_t k = 0; k < s->v.items[i].n; k++)
			if (s->v.items[i].chain[k].t == n.t && s->v.items[i].chain[k].cell == n.cell)
				return true;
	return false;
}

/* Follows the reference of the last node of a chain when it is to be replaced. */
static bool extend(struct sj_cat_writer *w, const struct stack *s, struct frame *f)
{
	struct sj_cat_node from = f->chain[f->n - 1], ref = sj_cat_get(from, "$ref"), to;
	struct sj_slice common;
	if (f->n == MAX_CHAIN || !sj_cat_is(ref, SJ_J_STRING) || s->inlined >= MAX_INLINE ||
	    w->steps > MAX_INLINE_STEPS + 16 * w->c->doc.count)
		return false;
	if (sj_cat_resolve(w->c, from, sj_cat_text(w->c, ref), &to, &common) != SJ_OK || !sj_cat_is(to, SJ_J_OBJECT) ||
	    is_open(s, to))
		return false;
	if (common.len > 0 && (!w->inline_common || !is_finite(w->c, to, 0)))
		return false;
	f->chain[f->n++] = to;
	return true;
}

/* "REF:target|words" in a description stands for a reference, in catalogs made from typed code. */
static void read_tag(struct sj_cat_writer *w, struct frame *f)
{
	struct sj_slice text = sj_cat_text(w->c, sj_cat_get(f->chain[0], "description"));
	if (!w->inlined || !sj_slice_starts(text, "REF:"))
		return;
	text = sj_slice(text.ptr + 4, text.len - 4);
	const char *bar = memchr(text.ptr, '|', text.len);
	f->ref = bar ? sj_slice(text.ptr, (size_t)(bar - text.ptr)) : text;
	f->tag = bar ? sj_slice(bar + 1, text.len - f->ref.len - 1) : SJ_NO_SLICE;
}

static void push(struct sj_cat_writer *w, struct stack *s, struct sj_cat_node n)
{
	enum sj_status st = SJ_VEC_RESERVE(w->out->mem, &s->v, s->v.count + 1, 0);
	if (st != SJ_OK) {
		w->out->status = st;
		return;
	}
	struct frame f = {.chain = {n}, .n = 1, .first = true, .object = sj_cat_is(n, SJ_J_OBJECT)};
	if (f.object) {
		read_tag(w, &f);
		while (w->inlined && !f.ref.len && extend(w, s, &f))
			f.inlined = true;
	}
	s->inlined += f.inlined;
	f.at = sj_tape_first(n.t, n.cell);
	sj_buf_putc(w->out, f.object ? '{' : '[');
	if (w->open_object && n.t == &w->c->doc && n.cell == w->open_object && w->extra) {
		sj_buf_puts(w->out, w->extra);
		f.first = n.t->cells[n.cell].len == 0;
		if (!f.first)
			sj_buf_putc(w->out, ',');
		f.first = true;
	}
	if (f.ref.len > 0) {
		sj_buf_puts(w->out, "\"$ref\":");
		sj_json_print_string(w->out, f.ref);
		if (f.tag.len > 0) {
			sj_buf_puts(w->out, ",\"description\":");
			sj_json_print_string(w->out, f.tag);
		}
		f.at = n.t->cells[n.cell].end;
	}
	s->v.items[s->v.count++] = f;
}

/* Was this key written by an earlier node of the chain? */
static bool is_shadowed(const struct frame *f, const struct sj_tape *t, uint32_t key)
{
	if (f->n == 1)
		return false;
	if (sj_tape_string_is(t, key, SJ_LIT("$ref")))
		return f->i + 1 < f->n;
	for (uint32_t k = 0; k < f->i; k++) {
		const struct sj_cat_node n = f->chain[k];
		for (uint32_t at = sj_tape_first(n.t, n.cell); at < n.t->cells[n.cell].end;
		     at = sj_tape_next(n.t, at + 1))
			if (sj_slice_eq(sj_tape_raw(n.t, at), sj_tape_raw(t, key)))
				return true;
	}
	return false;
}

static void value(struct sj_cat_writer *w, struct stack *s, struct sj_cat_node n, struct sj_cat_node holder,
                  uint32_t key)
{
	enum sj_json_type type = sj_tape_type(n.t, n.cell);
	if (type >= SJ_J_ARRAY)
		push(w, s, n);
	else if (key && type == SJ_J_STRING && sj_tape_string_is(n.t, key, SJ_LIT("$ref")))
		sj_cat_write_ref(w, holder, sj_cat_text(w->c, n));
	else
		sj_buf_slice(w->out, sj_tape_source(n.t, n.cell));
}

void sj_cat_write(struct sj_cat_writer *w, struct sj_cat_node n)
{
	struct stack s = {0};
	value(w, &s, n, n, 0);
	while (s.v.count > 0 && sj_buf_status(w->out) == SJ_OK) {
		struct frame *f = &s.v.items[s.v.count - 1];
		const struct sj_cat_node here = f->chain[f->i];
		w->steps++;
		if (f->at >= here.t->cells[here.cell].end) {
			if (++f->i < f->n) {
				f->at = sj_tape_first(f->chain[f->i].t, f->chain[f->i].cell);
				continue;
			}
			sj_buf_putc(w->out, f->object ? '}' : ']');
			s.inlined -= f->inlined;
			s.v.count--;
			continue;
		}
		uint32_t key = f->object ? f->at : 0, cell = f->object ? f->at + 1 : f->at;
		f->at = sj_tape_next(here.t, cell);
		if (f->object && is_shadowed(f, here.t, key))
			continue;
		if (!f->first)
			sj_buf_putc(w->out, ',');
		f->first = false;
		if (f->object) {
			sj_buf_slice(w->out, sj_tape_source(here.t, key));
			sj_buf_putc(w->out, ':');
		}
		value(w, &s, (struct sj_cat_node){here.t, cell}, here, key);
	}
	SJ_VEC_FREE(w->out->mem, &s.v);
}
