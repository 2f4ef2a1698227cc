/* Nodes become a value: all of them, or as many as may be shown of something that still arrives.
 *
 * What is never shown: a number, a word or a string that is not whole, unless the string is the value of a key that may
 * be cut; and no address is cut, for half of one leads elsewhere. In data, a list's entry without a value is left out
 * (v0.8: one with nothing but its key), because a renderer would have to make something of it.
 */
#include "base/utf.h"
#include "infer/legacy_internal.h"

struct frame {
	const struct sj_legacy_node *node, *child;
	struct sj_value value;
};

/* Bytes of `s` that end with a whole character. */
static size_t whole_characters(struct sj_slice s)
{
	for (size_t back = 1; back <= 3 && back <= s.len; back++) {
		unsigned char c = (unsigned char)s.ptr[s.len - back];
		if (c < 0x80)
			return s.len;
		if (c >= 0xc0)
			return back >= (c >= 0xf0 ? 4u : c >= 0xe0 ? 3u : 2u) ? s.len : s.len - back;
	}
	return s.len;
}

static bool begins(struct sj_slice s, const char *with)
{
	size_t n = strlen(with);
	return memcmp(s.ptr, with, s.len < n ? s.len : n) == 0;
}

/* An address: "x://...", "mailto:x", "data:..."; or what may become the most frequent one: "ht", "https:/". */
static bool may_be_address(struct sj_slice s)
{
	static const char *const other[] = {"data:", "mailto:", "tel:", "blob:"};
	size_t i = 0;
	if (s.len >= 2 && (begins(s, "https://") || begins(s, "http://")))
		return true;
	for (size_t k = 0; k < sizeof other / sizeof *other; k++)
		if (s.len >= strlen(other[k]) && begins(s, other[k]))
			return true;
	while (i < s.len && ((s.ptr[i] >= 'a' && s.ptr[i] <= 'z') || s.ptr[i] == '+' || s.ptr[i] == '-'))
		i++;
	return i > 0 && s.len - i >= 3 && memcmp(s.ptr + i, "://", 3) == 0;
}

/* What may be shown of the open string; len 0: nothing. */
static struct sj_slice open_string(const struct sj_legacy *p, const struct sj_legacy_node *in)
{
	const struct sj_legacy_reader *r = &p->read;
	struct sj_slice s = {r->token.ptr, r->token.len};
	if (in != r->top || !r->cuttable || !r->has_colon ||
	    (r->lexer != SJ_LX_STRING && r->lexer != SJ_LX_ESCAPE && r->lexer != SJ_LX_UNICODE))
		return SJ_NO_SLICE;
	s.len = whole_characters(s);
	return may_be_address(s) || sj_utf8_check(s) != s.len ? SJ_NO_SLICE : s;
}

static enum sj_status add(struct sj_mem *mem, struct frame *to, struct sj_slice key, struct sj_value take)
{
	return to->node->type == SJ_LN_OBJECT ? sj_value_set(mem, &to->value, key, take)
	                                      : sj_value_append(mem, &to->value, take);
}

/* v0.8: {"path": "a/b"} of a bound value means /a/b. `depth`: of the object that holds it, the component being 0. */
static enum sj_status add_text(struct sj_legacy *p, struct frame *to, uint32_t depth, struct sj_slice key,
                               struct sj_slice text)
{
	struct sj_value v;
	enum sj_status st;
	if (sj_legacy_is_v08(p) && to->node->type == SJ_LN_OBJECT && depth >= 3 && sj_slice_is(key, "path") &&
	    (text.len == 0 || text.ptr[0] != '/')) {
		struct sj_buf b;
		sj_buf_init(&b, p->mem, 0);
		sj_buf_putc(&b, '/');
		sj_buf_slice(&b, text);
		st = sj_buf_status(&b) == SJ_OK ? sj_value_string(p->mem, sj_buf_view(&b), &v) : SJ_NOMEM;
		sj_buf_finish(&b);
	} else {
		st = sj_value_string(p->mem, text, &v);
	}
	return st == SJ_OK ? add(p->mem, to, key, v) : st;
}

static enum sj_status add_stand_in(struct sj_legacy *p, const struct sj_legacy_node *component, struct sj_value *list)
{
	const struct sj_legacy_node *id = sj_legacy_member(component, SJ_LIT("id"));
	struct sj_value v;
	struct sj_buf b;
	sj_buf_init(&b, p->mem, 0);
	sj_buf_puts(&b, "loading_children_");
	sj_buf_slice(&b, id && id->type == SJ_LN_STRING ? id->text : SJ_NO_SLICE);
	enum sj_status st = sj_buf_status(&b) == SJ_OK ? sj_value_string(p->mem, sj_buf_view(&b), &v) : SJ_NOMEM;
	sj_buf_finish(&b);
	return st == SJ_OK ? sj_value_append(p->mem, list, v) : st;
}

/* An entry of a list of data that says nothing (yet). */
static bool says_nothing(const struct sj_legacy *p, enum sj_legacy_view view, const struct frame *f)
{
	uint32_t count = sj_value_count(&f->value);
	if (p->op != SJ_LO_DATA || f->node->type != SJ_LN_OBJECT || !f->node->parent ||
	    f->node->parent->type != SJ_LN_ARRAY)
		return false;
	if (!sj_legacy_is_v08(p))
		return count == 0 && view == SJ_LV_DATA && f->node->open;
	return count == 0 || (count == 1 && view == SJ_LV_DATA && sj_value_get(&f->value, SJ_LIT("key")));
}

static enum sj_status open_frame(struct sj_legacy *p, const struct sj_legacy_node *node, struct frame *f)
{
	f->node = node;
	f->child = node->first;
	return node->type == SJ_LN_OBJECT ? sj_value_object(p->mem, &f->value) : sj_value_array(p->mem, &f->value);
}

/* All children are in: what is open at the end of the container itself. */
static enum sj_status end_frame(struct sj_legacy *p, const struct sj_legacy_node *root, enum sj_legacy_view view,
                                struct frame *f, uint32_t depth, struct sj_legacy_shape *shape)
{
	enum sj_status st = SJ_OK;
	if (view == SJ_LV_WHOLE || !f->node->open)
		return SJ_OK;
	struct sj_slice text = open_string(p, f->node);
	if (text.len > 0 && f->node->type == SJ_LN_OBJECT)
		st = add_text(p, f, depth, p->read.key, text);
	if (st != SJ_OK || sj_value_count(&f->value) > 0 || view != SJ_LV_COMPONENT)
		return st;
	if (f->node->type == SJ_LN_OBJECT) {
		shape->hollow = true;
	} else if (sj_legacy_lists_refs(p, root, f->node)) {
		shape->lone = true;
		st = add_stand_in(p, root, &f->value);
	}
	return st;
}

enum sj_status sj_legacy_snapshot(struct sj_legacy *p, const struct sj_legacy_node *node, enum sj_legacy_view view,
                                  struct sj_value *out, struct sj_legacy_shape *shape)
{
	struct frame open[SJ_JSON_MAX_DEPTH];
	bool component = node != p->read.message;
	uint32_t depth = 0;

	*shape = (struct sj_legacy_shape){0};
	enum sj_status st = open_frame(p, node, &open[0]);
	if (st != SJ_OK)
		return st;
	for (;;) {
		struct frame *f = &open[depth];
		const struct sj_legacy_node *c = f->child;
		if (c) {
			f->child = c->next;
			if (c->taken) {
				st = add(p->mem, f, c->key, sj_value_ref(p->taken.items[c->taken - 1].value));
			} else if (c->type == SJ_LN_VALUE) {
				st = add(p->mem, f, c->key, c->value);
			} else if (c->type == SJ_LN_STRING) {
				st = add_text(p, f, component ? depth : 0, c->key, c->text);
			} else {
				st = open_frame(p, c, f + 1);
				depth += st == SJ_OK;
			}
		} else {
			st = end_frame(p, node, view, f, component ? depth : 0, shape);
			if (st == SJ_OK && depth == 0) {
				*out = f->value;
				return SJ_OK;
			}
			if (st == SJ_OK) {
				depth--;
				if (says_nothing(p, view, f))
					sj_value_unref(p->mem, f->value);
				else
					st = add(p->mem, f - 1, f->node->key, f->value);
			}
		}
		if (st != SJ_OK)
			break;
	}
	for (uint32_t i = 0; i <= depth; i++)
		sj_value_unref(p->mem, open[i].value);
	return st;
}
