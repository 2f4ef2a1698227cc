/* Outlines. */
#include "proto/outline.h"

#include "base/utf.h"

static struct sj_slice text_of(const struct sj_value *node, const char *member)
{
	const struct sj_value *v = sj_value_get(node, sj_slice_of(member));
	return v && sj_value_is_string(v) ? sj_value_text(v) : SJ_NO_SLICE;
}

struct sj_slice sj_proto_label(const struct sj_value *node)
{
	static const char *const members[] = {"contentDescription", "text", "label", "headline", "title",
	                                      "name",               "icon", "asset", "placeholder", "stateKey"};
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		struct sj_slice s = text_of(node, members[i]);
		if (s.len > 0)
			return s;
	}
	return SJ_NO_SLICE;
}

/* What one node has to say. */
struct entry {
	struct sj_slice id, type, screen;
	uint32_t depth;
	const struct sj_value *node;
};

static struct entry entry_at(const struct sj_proto_tree *t, const struct sj_proto_ids *ids, uint32_t i)
{
	const struct sj_proto_spot *s = &t->spots.items[i];
	struct entry e = {.id = sj_proto_id_at(ids, i),
	                  .type = text_of(s->node, "type"),
	                  .depth = s->depth,
	                  .node = s->node};
	static const struct sj_slice below = {"/screens/", 9};
	struct sj_slice pointer = sj_proto_tree_pointer(t, i);
	if (s->parent == SJ_NO_NODE && sj_slice_starts(pointer, below.ptr))
		e.screen = sj_slice(pointer.ptr + below.len,
		                    pointer.len - below.len); /* a state key: nothing is escaped */
	return e;
}

/* The label, cut, with an ellipsis where something is missing. */
static void put_label(struct sj_buf *out, struct sj_slice label)
{
	size_t n = sj_utf8_cut(label, SJ_PROTO_LABEL_BYTES);
	sj_buf_put(out, label.ptr, n);
	if (n < label.len)
		sj_buf_puts(out, "…");
}

static void put_rows(struct sj_buf *out, const struct sj_value *node)
{
	const struct sj_value *repeat = sj_value_get(node, SJ_LIT("repeat"));
	const struct sj_value *items = repeat ? sj_value_get(repeat, SJ_LIT("items")) : NULL;
	if (!repeat)
		return;
	if (items)
		sj_buf_printf(out, "%u", sj_value_count(items));
	else
		sj_buf_slice(out, text_of(repeat, "from"));
}

/* An id may be any text: quoted, unless it is one plain word. */
static enum sj_status put_id(struct sj_buf *out, struct sj_slice id, struct sj_buf *scratch)
{
	sj_buf_clear(scratch);
	sj_json_print_string(scratch, id);
	bool plain = scratch->len == id.len + 2 && !memchr(id.ptr, ' ', id.len);
	sj_buf_slice(out, plain ? id : sj_buf_view(scratch));
	return sj_buf_status(scratch);
}

static enum sj_status put_line(struct sj_buf *out, const struct entry *e, struct sj_buf *scratch)
{
	if (e->screen.ptr)
		sj_buf_printf(out, "screen %.*s\n", SJ_ARG(e->screen));
	for (uint32_t i = 0; i < e->depth; i++)
		sj_buf_puts(out, "  ");
	enum sj_status st = put_id(out, e->id, scratch);
	sj_buf_printf(out, " %.*s", SJ_ARG(e->type));
	struct sj_slice label = sj_proto_label(e->node);
	if (st == SJ_OK && label.len > 0) {
		sj_buf_clear(scratch);
		put_label(scratch, label);
		st = sj_buf_status(scratch);
		sj_buf_putc(out, ' ');
		sj_json_print_string(out, sj_buf_view(scratch));
	}
	if (sj_value_get(e->node, SJ_LIT("repeat"))) {
		sj_buf_puts(out, " rows ");
		put_rows(out, e->node);
	}
	sj_buf_putc(out, '\n');
	return st;
}

enum sj_status sj_proto_outline_text(struct sj_mem *mem, const struct sj_value *spec, const struct sj_proto_ids *ids,
                                     struct sj_buf *out)
{
	struct sj_proto_tree t;
	struct sj_buf scratch;
	sj_buf_init(&scratch, mem, 0);
	enum sj_status st = sj_proto_tree_init(&t, mem, spec);
	for (uint32_t i = 0; st == SJ_OK && i < t.spots.count; i++) {
		struct entry e = entry_at(&t, ids, i);
		st = put_line(out, &e, &scratch);
	}
	sj_proto_tree_finish(&t);
	sj_buf_finish(&scratch);
	return st == SJ_OK ? sj_buf_status(out) : st;
}

static enum sj_status set_text(struct sj_mem *mem, struct sj_value *object, const char *key, struct sj_slice text)
{
	struct sj_value v;
	enum sj_status st = sj_value_string(mem, text, &v);
	return st == SJ_OK ? sj_value_set(mem, object, sj_slice_of(key), v) : st;
}

static enum sj_status fill_entry(struct sj_mem *mem, struct sj_value *object, const struct entry *e,
                                 struct sj_buf *scratch)
{
	struct sj_slice label = sj_proto_label(e->node);
	enum sj_status st = set_text(mem, object, "id", e->id);
	if (st == SJ_OK)
		st = set_text(mem, object, "type", e->type);
	if (st == SJ_OK)
		st = sj_value_set(mem, object, SJ_LIT("depth"), sj_value_int(e->depth));
	if (st == SJ_OK && label.len > 0) {
		sj_buf_clear(scratch);
		put_label(scratch, label);
		st = sj_buf_status(scratch);
		if (st == SJ_OK)
			st = set_text(mem, object, "label", sj_buf_view(scratch));
	}
	sj_buf_clear(scratch);
	put_rows(scratch, e->node);
	if (st == SJ_OK)
		st = sj_buf_status(scratch);
	if (st == SJ_OK && scratch->len > 0)
		st = set_text(mem, object, "rows", sj_buf_view(scratch));
	if (st == SJ_OK && e->screen.ptr)
		st = set_text(mem, object, "screen", e->screen);
	return st;
}

enum sj_status sj_proto_outline(struct sj_mem *mem, const struct sj_value *spec, const struct sj_proto_ids *ids,
                                struct sj_value *out)
{
	struct sj_proto_tree t;
	struct sj_buf scratch;
	struct sj_value list, object;
	enum sj_status st = sj_value_array(mem, &list);
	if (st != SJ_OK)
		return st;
	sj_buf_init(&scratch, mem, 0);
	st = sj_proto_tree_init(&t, mem, spec);
	for (uint32_t i = 0; st == SJ_OK && i < t.spots.count; i++) {
		struct entry e = entry_at(&t, ids, i);
		st = sj_value_object(mem, &object);
		if (st == SJ_OK && (st = fill_entry(mem, &object, &e, &scratch)) != SJ_OK)
			sj_value_unref(mem, object);
		else if (st == SJ_OK)
			st = sj_value_append(mem, &list, object);
	}
	sj_proto_tree_finish(&t);
	sj_buf_finish(&scratch);
	if (st == SJ_OK)
		*out = list;
	else
		sj_value_unref(mem, list);
	return st;
}
