/* Messages as Elemental: components inside their parents where that keeps their order, beside them otherwise. */
#include <string.h>

#include "infer/compact_section.h"
#include "infer/elemental.h"

enum { MAX_NESTING = 40 };

static void escaped(struct sj_buf *out, struct sj_slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i];
		if (c == '&')
			sj_buf_puts(out, "&amp;");
		else if (c == '<')
			sj_buf_puts(out, "&lt;");
		else if (c == '"')
			sj_buf_puts(out, "&quot;");
		else
			sj_buf_putc(out, c);
	}
}

static void text_attribute(struct sj_buf *out, const char *name, struct sj_slice value)
{
	sj_buf_printf(out, " %s=\"", name);
	escaped(out, value);
	sj_buf_putc(out, '"');
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* Text that would be taken for an expression. */
static bool looks_braced(struct sj_slice s)
{
	while (s.len > 0 && is_blank(s.ptr[0]))
		s.ptr++, s.len--;
	while (s.len > 0 && is_blank(s.ptr[s.len - 1]))
		s.len--;
	return s.len > 1 && s.ptr[0] == '{' && s.ptr[s.len - 1] == '}';
}

/* ="..." of a value. */
static enum sj_status put_value(struct sj_cwriter *w, const struct sj_value *v, const struct sj_a2ui_prop *prop)
{
	struct sj_cwriter inner = *w;
	struct sj_buf text;
	enum sj_status st;
	bool plain = sj_value_is_string(v) && prop->dyn != SJ_DYN_NUMBER && prop->dyn != SJ_DYN_BOOLEAN;
	if (plain && !looks_braced(sj_value_text(v))) {
		sj_buf_puts(w->out, "=\"");
		escaped(w->out, sj_value_text(v));
		sj_buf_putc(w->out, '"');
		return SJ_OK;
	}
	sj_buf_init(&text, w->f->mem, 0);
	inner.out = &text;
	st = sj_compact_write(&inner, v, prop);
	w->equated = inner.equated;
	sj_buf_puts(w->out, "=\"{");
	escaped(w->out, sj_buf_view(&text));
	sj_buf_puts(w->out, "}\"");
	sj_buf_finish(&text);
	return st;
}

/* The name of an attribute; SJ_ABSENT: reading it would give another. */
static enum sj_status put_name(struct sj_cwriter *w, struct sj_slice name)
{
	struct sj_buf kebab, back;
	enum sj_status st;
	sj_buf_init(&kebab, w->f->mem, 0);
	sj_buf_init(&back, w->f->mem, 0);
	sj_elemental_kebab(&kebab, name);
	sj_elemental_camel(&back, sj_buf_view(&kebab));
	st = sj_buf_status(&kebab) != SJ_OK ? sj_buf_status(&kebab) : sj_buf_status(&back);
	bool same = sj_slice_eq(sj_buf_view(&back), name) && name.len > 0 && !sj_slice_is(name, "slot") &&
	            !sj_slice_is(name, "id");
	for (size_t i = 0; i < name.len; i++)
		same = same && !strchr(" \t\r\n/>=<\"'", name.ptr[i]);
	if (same)
		sj_buf_printf(w->out, " %.*s", SJ_ARG(sj_buf_view(&kebab)));
	sj_buf_finish(&kebab);
	sj_buf_finish(&back);
	return st == SJ_OK && !same ? SJ_ABSENT : st;
}

/* ---- the forest -------------------------------------------------------------------------------------------------- */

struct leaf { /* one component */
	const struct sj_value *v;
	const struct sj_a2ui_component *type;
	const struct sj_a2ui_prop *list; /* the list or template that its nested children are; NULL: single ones */
	struct sj_slice id, written;
	uint32_t first, count, depth; /* nested: in `kids`; levels below */
	bool templated;
};
struct forest {
	struct sj_cwriter *w;
	struct leaf *leaves;
	uint32_t n;
	uint32_t *tops, ntops; /* trees so far, in order */
	uint32_t *kids, nkids;
};

static const struct sj_a2ui_prop *list_prop(const struct sj_a2ui_component *type)
{
	for (uint32_t i = 0; i < type->npositions; i++)
		if (type->positions[i]->cls == SJ_AC_CHILD_LIST)
			return type->positions[i];
	return NULL;
}

static bool is_child(const struct leaf *c, const struct sj_a2ui_prop *p)
{
	const struct sj_value *v = p->cls == SJ_AC_CHILD ? sj_value_get(c->v, p->name) : NULL;
	return v && sj_value_is_string(v);
}

/* How many components this one names where elements can stand; 0: nothing to nest. */
static uint32_t references(struct leaf *c)
{
	const struct sj_value *v;
	struct sj_slice id, path;
	uint32_t count = 0;
	c->list = list_prop(c->type);
	v = c->list ? sj_value_get(c->v, c->list->name) : NULL;
	if (c->list) {
		c->templated = v && sj_compact_template(v, &id, &path);
		return c->templated ? 1 : v && v->type == SJ_V_ARRAY ? sj_value_count(v) : 0;
	}
	for (uint32_t i = 0; i < c->type->npositions; i++)
		count += is_child(c, c->type->positions[i]);
	return count;
}

/* The i-th of them; ptr NULL: it is no id. */
static struct sj_slice reference(const struct leaf *c, uint32_t i, const struct sj_a2ui_prop **slot)
{
	struct sj_slice id = SJ_NO_SLICE, path;
	*slot = NULL;
	if (c->list) {
		const struct sj_value *v = sj_value_get(c->v, c->list->name), *item;
		if (c->templated)
			return sj_compact_template(v, &id, &path) ? id : SJ_NO_SLICE;
		item = sj_value_item(v, i);
		return sj_value_is_string(item) ? sj_value_text(item) : SJ_NO_SLICE;
	}
	for (uint32_t k = 0; k < c->type->npositions; k++)
		if (is_child(c, c->type->positions[k]) && i-- == 0) {
			*slot = c->type->positions[k];
			return sj_value_text(sj_value_get(c->v, (*slot)->name));
		}
	return id;
}

/* Components come before their parent: a parent takes the trees right before it, if they are its children. */
static void plant(struct forest *x, uint32_t at)
{
	struct leaf *c = &x->leaves[at];
	uint32_t n = references(c), depth = 0;
	bool fits = n > 0 && n <= x->ntops && !sj_slice_is(c->id, "");
	for (uint32_t i = 0; i < n && fits; i++) {
		const struct sj_a2ui_prop *slot;
		const struct leaf *kid = &x->leaves[x->tops[x->ntops - n + i]];
		struct sj_slice id = reference(c, i, &slot);
		fits = id.ptr && sj_slice_eq(id, kid->id);
		depth = kid->depth > depth ? kid->depth : depth;
	}
	fits = fits && depth + 1 < MAX_NESTING;
	if (fits) {
		c->depth = depth + 1;
		c->first = x->nkids;
		c->count = n;
		x->ntops -= n;
		for (uint32_t i = 0; i < n; i++)
			x->kids[x->nkids++] = x->tops[x->ntops + i];
	}
	x->tops[x->ntops++] = at;
}

static bool is_nested(const struct leaf *c, struct sj_slice key)
{
	const struct sj_a2ui_prop *p = c->count ? sj_a2ui_prop_find(c->type, key) : NULL;
	return p && (c->list ? p == c->list : is_child(c, p));
}

static void indent(struct forest *x, uint32_t depth)
{
	for (uint32_t i = 0; i < depth; i++)
		sj_buf_puts(x->w->out, "  ");
}

static void put_tag(struct forest *x, const struct leaf *c)
{
	struct sj_slice name = SJ_NO_SLICE;
	(void)sj_text_member(c->v, "component", &name);
	sj_buf_puts(x->w->out, "ui-");
	sj_elemental_tag(x->w->out, name);
}

static enum sj_status open_element(struct forest *x, const struct leaf *c, const struct sj_a2ui_prop *slot)
{
	enum sj_status st = SJ_OK;
	struct sj_buf *out = x->w->out;
	sj_buf_putc(out, '<');
	put_tag(x, c);
	text_attribute(out, "id", c->id);
	if (slot) {
		sj_buf_puts(out, " slot=\"");
		sj_elemental_kebab(out, slot->name);
		sj_buf_putc(out, '"');
	}
	if (c->written.ptr)
		text_attribute(out, "catalog-id", c->written);
	for (uint32_t i = 0; i < sj_value_count(c->v) && st == SJ_OK; i++) {
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(c->v, i, &key);
		if (sj_slice_is(key, "id") || sj_slice_is(key, "component") || sj_slice_is(key, "catalogId") ||
		    is_nested(c, key))
			continue;
		st = put_name(x->w, key);
		if (st == SJ_OK)
			st = put_value(x->w, v, sj_compact_prop(c->type, key));
	}
	sj_buf_puts(out, c->count ? ">\n" : " />\n");
	return st;
}

static bool needs_slot(const struct leaf *c)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < c->type->npositions; i++)
		n += c->type->positions[i]->cls == SJ_AC_CHILD;
	return !c->list && n > 1;
}

/* One tree, indented from `depth` on. */
static enum sj_status write_tree(struct forest *x, uint32_t root, uint32_t depth)
{
	struct { uint32_t leaf, next, depth;
	} stack[MAX_NESTING + 1];
	uint32_t n = 0;
	indent(x, depth);
	enum sj_status st = open_element(x, &x->leaves[root], NULL);
	stack[n].leaf = root;
	stack[n].next = 0;
	stack[n++].depth = depth;
	while (n > 0 && st == SJ_OK) {
		const struct leaf *c = &x->leaves[stack[n - 1].leaf];
		uint32_t i = stack[n - 1].next++, level = stack[n - 1].depth + 1 + c->templated;
		const struct sj_a2ui_prop *slot;
		struct sj_slice id, path;
		if (c->count && c->templated && i <= 1) {
			indent(x, level - 1);
			if (i == 0 && sj_compact_template(sj_value_get(c->v, c->list->name), &id, &path)) {
				sj_buf_puts(x->w->out, "<template");
				text_attribute(x->w->out, "path", path);
				sj_buf_puts(x->w->out, ">\n");
			} else {
				sj_buf_puts(x->w->out, "</template>\n");
			}
		}
		if (i >= c->count) {
			if (c->count) {
				indent(x, stack[n - 1].depth);
				sj_buf_puts(x->w->out, "</");
				put_tag(x, c);
				sj_buf_puts(x->w->out, ">\n");
			}
			n--;
			continue;
		}
		(void)reference(c, i, &slot);
		uint32_t kid = x->kids[c->first + i];
		indent(x, level);
		st = open_element(x, &x->leaves[kid], needs_slot(c) ? slot : NULL);
		stack[n].leaf = kid;
		stack[n].next = 0;
		stack[n++].depth = level;
	}
	return st;
}

static enum sj_status write_components(struct sj_cwriter *w, const struct sj_value *list)
{
	struct sj_mem *m = w->f->mem;
	uint32_t n = sj_value_count(list);
	struct forest x = {.w = w, .n = n};
	x.leaves = sj_mem_zalloc(m, n * sizeof *x.leaves);
	x.tops = sj_mem_alloc(m, n * sizeof *x.tops);
	x.kids = sj_mem_alloc(m, n * sizeof *x.kids);
	enum sj_status st = x.leaves && x.tops && x.kids ? SJ_OK : SJ_NOMEM;
	for (uint32_t i = 0; i < n && st == SJ_OK; i++) {
		struct leaf *c = &x.leaves[i];
		c->v = sj_value_item(list, i);
		st = sj_compact_type(w, c->v, &c->type, &c->written);
		if (st == SJ_OK && !sj_text_member(c->v, "id", &c->id))
			st = SJ_ABSENT;
		if (st == SJ_OK)
			plant(&x, i);
	}
	for (uint32_t i = 0; i < x.ntops && st == SJ_OK; i++)
		st = write_tree(&x, x.tops[i], 1);
	sj_mem_free(m, x.leaves, n * sizeof *x.leaves);
	sj_mem_free(m, x.tops, n * sizeof *x.tops);
	sj_mem_free(m, x.kids, n * sizeof *x.kids);
	return st;
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static enum sj_status write_surface(struct sj_cwriter *w, const struct sj_surface_line *line)
{
	const struct { const char *name; const struct sj_value *v;
	} options[] = {{"send-data-model", line->send}, {"theme", line->theme}, {"metadata", line->metadata}};
	enum sj_status st = SJ_OK;
	sj_buf_puts(w->out, "<body");
	text_attribute(w->out, "id", line->id);
	for (size_t i = 0; i < 3 && st == SJ_OK; i++)
		if (options[i].v) {
			sj_buf_printf(w->out, " %s", options[i].name);
			st = put_value(w, options[i].v, &SJ_COMPACT_LITERAL);
		}
	if (line->create != SJ_CREATE_UNSAID)
		sj_buf_puts(w->out, line->create == SJ_CREATE_YES ? " create=\"true\"" : " create=\"false\"");
	sj_buf_puts(w->out, ">\n");
	if (line->catalog.ptr || line->no_catalog) {
		sj_buf_puts(w->out, "  <link rel=\"catalog\"");
		text_attribute(w->out, "href", line->catalog);
		sj_buf_puts(w->out, ">\n");
	}
	return st;
}

static void write_end(struct sj_cwriter *w) { sj_buf_puts(w->out, "</body>\n"); }

static enum sj_status place(struct sj_cwriter *w, const char *tag, struct sj_slice path, const struct sj_value *value)
{
	enum sj_status st = SJ_OK;
	sj_buf_printf(w->out, "  <%s", tag);
	if (path.ptr)
		text_attribute(w->out, "path", path);
	if (value) {
		sj_buf_puts(w->out, " value");
		st = put_value(w, value, &SJ_COMPACT_LITERAL);
	}
	sj_buf_puts(w->out, " />\n");
	return st;
}

static enum sj_status write_leaf(struct sj_cwriter *w, struct sj_slice path, const struct sj_value *value)
{
	return place(w, "data", path, value);
}

static enum sj_status write_data(struct sj_cwriter *w, struct sj_slice path, const struct sj_value *value)
{
	return place(w, "set", path, value);
}

static enum sj_status write_remove(struct sj_cwriter *w, struct sj_slice id)
{
	sj_buf_puts(w->out, "<delete-surface");
	text_attribute(w->out, "id", id);
	sj_buf_puts(w->out, " />\n");
	return SJ_OK;
}

static enum sj_status write_call(struct sj_cwriter *w, const struct sj_value *call, struct sj_slice id)
{
	struct sj_cwriter inner = *w;
	struct sj_buf text;
	sj_buf_init(&text, w->f->mem, 0);
	inner.out = &text;
	enum sj_status st = sj_compact_write_call(&inner, call, id);
	w->equated = inner.equated;
	sj_buf_puts(w->out, "<call function=\"{");
	escaped(w->out, sj_buf_view(&text));
	sj_buf_puts(w->out, "}\" />\n");
	sj_buf_finish(&text);
	return st;
}

static const struct sj_section_ops sections = {
	.surface = write_surface,
	.end = write_end,
	.components = write_components,
	.leaf = write_leaf,
	.data = write_data,
	.remove = write_remove,
	.call = write_call,
};

enum sj_status sj_elemental_write(const struct sj_format *f, const struct sj_value *messages, struct sj_buf *out,
                                  bool *equated, struct sj_diag *diag)
{
	return sj_sections_write(f, &sections, true, messages, out, equated, diag);
}
