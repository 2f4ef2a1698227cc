/* The small languages inside strings: keys, colours, pointers, placeholders, names of icons, modules and node types. */
#include <string.h>

#include "base/utf.h"
#include "proto/internal.h"

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

bool sj_proto_is_key(struct sj_slice s)
{
	if (s.len == 0 || s.len > 64 || !is_letter(s.ptr[0]))
		return false;
	for (size_t i = 1; i < s.len; i++)
		if (!is_word(s.ptr[i]))
			return false;
	return true;
}

/* {index} or {alias.field} at `from`: its length, 0 when there is none. */
static size_t group_at(struct sj_slice s, size_t from)
{
	size_t end = from + 1, dot = 0;
	while (end < s.len && s.ptr[end] != '}')
		end++;
	if (end >= s.len)
		return 0;
	struct sj_slice inside = sj_slice(s.ptr + from + 1, end - from - 1);
	while (dot < inside.len && inside.ptr[dot] != '.')
		dot++;
	bool good = sj_slice_is(inside, "index") ||
	            (dot < inside.len && sj_proto_is_key(sj_slice(inside.ptr, dot)) &&
	             sj_proto_is_key(sj_slice(inside.ptr + dot + 1, inside.len - dot - 1)));
	return good ? end + 1 - from : 0;
}

bool sj_proto_is_bound_key(struct sj_slice s)
{
	bool braces = false;
	if (sj_proto_is_key(s))
		return true;
	for (size_t i = 0; i < s.len;) {
		size_t group = s.ptr[i] == '{' ? group_at(s, i) : 0;
		if (!group && !is_word(s.ptr[i]))
			return false;
		braces = braces || group > 0;
		i += group ? group : 1;
	}
	return braces;
}

bool sj_proto_is_color(struct sj_slice s)
{
	if ((s.len != 7 && s.len != 9) || s.ptr[0] != '#')
		return false;
	for (size_t i = 1; i < s.len; i++)
		if (!((s.ptr[i] >= '0' && s.ptr[i] <= '9') || ((s.ptr[i] | 32) >= 'a' && (s.ptr[i] | 32) <= 'f')))
			return false;
	return true;
}

bool sj_proto_is_pointer(struct sj_slice s)
{
	return (sj_slice_is(s, "/data") || sj_slice_starts(s, "/data/")) && sj_pointer_check(s);
}

static bool find_word(const char *const *words, uint32_t count, struct sj_slice name)
{
	uint32_t lo = 0, hi = count;
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		int order = sj_slice_cmp(sj_slice_of(words[mid]), name);
		if (order == 0)
			return true;
		if (order < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

bool sj_proto_is_icon(struct sj_slice name) { return find_word(sj_proto_icons, sj_proto_icon_count, name); }

bool sj_proto_is_module(struct sj_slice name)
{
	static const char *const modules[] = {"calc", "clipboard", "device", "open", "share", "test", "units"};
	return find_word(modules, sizeof modules / sizeof *modules, name);
}

const char *sj_node_type_name(enum sj_node_type t)
{
	static const char *const names[] = {
#define NODE_TYPE_NAME(name, text) [SJ_NODE_##name] = text,
		SJ_NODE_TYPES(NODE_TYPE_NAME)
#undef NODE_TYPE_NAME
	};
	return t < SJ_NODE_TYPE_COUNT ? names[t] : "";
}

enum sj_node_type sj_node_type_of(const struct sj_value *node)
{
	const struct sj_value *type = node->type == SJ_V_OBJECT ? sj_value_get(node, SJ_LIT("type")) : NULL;
	unsigned t = type && sj_value_is_string(type) ? 0 : SJ_NODE_TYPE_COUNT;
	struct sj_slice name = type ? sj_value_text(type) : SJ_NO_SLICE;
	while (t < SJ_NODE_TYPE_COUNT && !sj_slice_is(name, sj_node_type_name((enum sj_node_type)t)))
		t++;
	return (enum sj_node_type)t;
}

/* ---- placeholders of a repeat ------------------------------------------------------------------------------------ */

bool sj_placeholder_next(struct sj_slice text, struct sj_slice alias, size_t *at, size_t *from, size_t *to,
                         struct sj_slice *field)
{
	while (*at < text.len) {
		const char *open = memchr(text.ptr + *at, '{', text.len - *at);
		const char *close = open ? memchr(open, '}', (size_t)(text.ptr + text.len - open)) : NULL;
		if (!close) {
			*at = text.len;
			return false;
		}
		*from = (size_t)(open - text.ptr);
		*to = (size_t)(close - text.ptr) + 1;
		struct sj_slice inside = sj_slice(open + 1, *to - *from - 2);
		if (alias.ptr && sj_slice_is(inside, "index")) {
			*field = SJ_LIT("");
			*at = *to;
			return true;
		}
		if (alias.ptr && inside.len > alias.len + 1 && inside.ptr[alias.len] == '.' &&
		    memcmp(inside.ptr, alias.ptr, alias.len) == 0) {
			*field = sj_slice(inside.ptr + alias.len + 1, inside.len - alias.len - 1);
			if (sj_proto_is_key(*field)) {
				*at = *to;
				return true;
			}
		}
		*at = *from + 1;
	}
	return false;
}

void sj_placeholder_fill(struct sj_slice text, struct sj_slice alias, const struct sj_value *item, uint32_t i,
                         struct sj_buf *out)
{
	size_t at = 0, from, to, done = 0;
	struct sj_slice field;
	while (sj_placeholder_next(text, alias, &at, &from, &to, &field)) {
		const struct sj_value *v = field.len ? sj_value_get(item, field) : NULL;
		if (field.len && !v)
			continue;
		sj_buf_put(out, text.ptr + done, from - done);
		if (v)
			sj_scalar_text(v, out);
		else
			sj_proto_number(i, out);
		done = to;
	}
	sj_buf_put(out, text.ptr + done, text.len - done);
}
