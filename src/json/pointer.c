/* JSON Pointer, RFC 6901. */
#include "base/num.h"
#include "json/body.h"
#include "json/value.h"

bool sj_pointer_check(struct sj_slice pointer)
{
	if (pointer.len && pointer.ptr[0] != '/')
		return false;
	for (size_t i = 0; i < pointer.len; i++)
		if (pointer.ptr[i] == '~' &&
		    (i + 1 == pointer.len || (pointer.ptr[i + 1] != '0' && pointer.ptr[i + 1] != '1')))
			return false;
	return true;
}

/* The undecoded token at *at, which stands on its slash. */
static bool raw_token(struct sj_slice pointer, size_t *at, struct sj_slice *token)
{
	if (*at >= pointer.len)
		return false;
	const char *p = pointer.ptr + *at + 1, *end = pointer.ptr + pointer.len;
	const char *slash = p < end ? memchr(p, '/', (size_t)(end - p)) : NULL;
	token->ptr = p;
	token->len = (size_t)((slash ? slash : end) - p);
	*at += token->len + 1;
	return true;
}

bool sj_pointer_next(struct sj_slice pointer, size_t *at, struct sj_buf *buf, struct sj_slice *token)
{
	if (!raw_token(pointer, at, token))
		return false;
	if (token->len == 0 || !memchr(token->ptr, '~', token->len))
		return true;
	sj_buf_clear(buf);
	for (size_t i = 0; i < token->len; i++) {
		char c = token->ptr[i];
		if (c == '~' && i + 1 < token->len)
			c = token->ptr[++i] == '0' ? '~' : '/';
		sj_buf_putc(buf, c);
	}
	*token = sj_buf_view(buf);
	return true;
}

void sj_pointer_append(struct sj_buf *out, struct sj_slice token)
{
	sj_buf_putc(out, '/');
	for (size_t at = 0; at < token.len;) {
		size_t from = at;
		while (at < token.len && token.ptr[at] != '~' && token.ptr[at] != '/')
			at++;
		sj_buf_put(out, token.ptr + from, at - from);
		if (at < token.len)
			sj_buf_put(out, token.ptr[at++] == '~' ? "~0" : "~1", 2);
	}
}

/* Compares a key with an undecoded token, so that looking needs no memory. */
static bool is_token(struct sj_slice key, struct sj_slice token)
{
	size_t k = 0;
	for (size_t i = 0; i < token.len; i++, k++) {
		char c = token.ptr[i];
		if (c == '~' && i + 1 < token.len)
			c = token.ptr[++i] == '0' ? '~' : '/';
		if (k == key.len || key.ptr[k] != c)
			return false;
	}
	return k == key.len;
}

static const struct sj_value *child_at(const struct sj_value *v, struct sj_slice token)
{
	uint32_t index;
	if (v->type == SJ_V_ARRAY)
		return sj_num_index(token, &index) ? sj_value_item(v, index) : NULL;
	if (v->type != SJ_V_OBJECT)
		return NULL;
	if (token.len == 0 || !memchr(token.ptr, '~', token.len))
		return sj_value_get(v, token);
	for (uint32_t i = 0; i < v->u.o->body.count; i++)
		if (is_token(sj_value_text(&v->u.o->members[i].key), token))
			return &v->u.o->members[i].value;
	return NULL;
}

const struct sj_value *sj_value_at(const struct sj_value *root, struct sj_slice pointer)
{
	if (pointer.len && pointer.ptr[0] != '/')
		return NULL;
	struct sj_slice token;
	const struct sj_value *v = root;
	for (size_t at = 0; v && raw_token(pointer, &at, &token);)
		v = child_at(v, token);
	return v && v->type != SJ_V_ABSENT ? v : NULL;
}
