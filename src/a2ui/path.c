#include "a2ui/path.h"

#include <stdio.h>

bool sj_path_is_trap(struct sj_slice token)
{
	if (token.len < sizeof "__proto__" - 1 || (token.ptr[0] != '_' && token.ptr[0] != 'c' && token.ptr[0] != 'p'))
		return false;
	return sj_slice_is(token, "__proto__") || sj_slice_is(token, "constructor") || sj_slice_is(token, "prototype");
}

/* Decodes ~0 and ~1; false on any other use of '~'. */
static bool decode(struct sj_arena *arena, struct sj_slice raw, struct sj_slice *out, bool *nomem)
{
	if (raw.len == 0 || !memchr(raw.ptr, '~', raw.len)) {
		*out = raw;
		return true;
	}
	char *text = sj_arena_alloc(arena, raw.len);
	if (!text) {
		*nomem = true;
		return false;
	}
	size_t n = 0;
	for (size_t i = 0; i < raw.len; i++) {
		if (raw.ptr[i] != '~') {
			text[n++] = raw.ptr[i];
			continue;
		}
		if (i + 1 == raw.len || (raw.ptr[i + 1] != '0' && raw.ptr[i + 1] != '1'))
			return false;
		text[n++] = raw.ptr[++i] == '0' ? '~' : '/';
	}
	*out = sj_slice(text, n);
	return true;
}

enum sj_status sj_path_parse(struct sj_arena *arena, const struct sj_limits *l, struct sj_slice text,
                             struct sj_path *out, struct sj_diag *diag)
{
	if (text.len > l->pointer_bytes)
		return sj_diag_set(diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_DATA, "Path is longer than %u bytes",
		                   l->pointer_bytes);
	struct sj_slice rest = text;
	bool relative = text.len == 0 || text.ptr[0] != '/';
	if (!relative)
		rest = sj_slice(text.ptr + 1, text.len - 1);
	if (rest.len > 0 && rest.ptr[rest.len - 1] == '/')
		rest.len--;
	uint32_t count = 0, most = rest.len < l->pointer_tokens ? (uint32_t)rest.len : l->pointer_tokens;
	bool escaped = false;
	struct sj_slice *tokens = NULL;
	if (rest.len > 0) {
		tokens = sj_arena_alloc(arena, (most + 1u) * sizeof *tokens); /* the end gives back what is too much */
		if (!tokens)
			return SJ_NOMEM;
		const char *start = rest.ptr, *end = rest.ptr + rest.len;
		for (const char *p = start; p < end; p++) {
			escaped |= *p == '~';
			if (*p != '/')
				continue;
			if (count < most)
				tokens[count] = sj_slice(start, (size_t)(p - start));
			count++;
			start = p + 1;
		}
		if (count <= most)
			tokens[count] = sj_slice(start, (size_t)(end - start));
		count++;
	}
	if (count > l->pointer_tokens)
		return sj_diag_set(diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_DATA, "Path has more than %u segments",
		                   l->pointer_tokens);
	if (tokens) {
		struct sj_slice *trimmed =
			sj_arena_resize(arena, tokens, (most + 1u) * sizeof *tokens, count * sizeof *tokens);
		tokens = trimmed ? trimmed : tokens;
	}
	for (uint32_t k = 0; k < count; k++) {
		bool nomem = false;
		if (escaped && !decode(arena, tokens[k], &tokens[k], &nomem)) {
			if (nomem)
				return SJ_NOMEM;
			if (diag)
				snprintf(diag->detail, sizeof diag->detail, "invalid_pointer");
			return sj_diag_set(diag, SJ_INVALID, SJ_E_POINTER, SJ_CAT_VALIDATION,
			                   "Invalid path '%.*s': '~' may only stand before 0 or 1", SJ_ARG(text));
		}
		if (sj_path_is_trap(tokens[k]))
			return sj_diag_set(diag, SJ_INVALID, SJ_E_DATA_ERROR, SJ_CAT_DATA,
			                   "Path '%.*s' uses the refused key '%.*s'", SJ_ARG(text), SJ_ARG(tokens[k]));
	}
	*out = (struct sj_path){tokens, count, relative};
	return SJ_OK;
}

void sj_path_join(struct sj_buf *out, struct sj_slice path, struct sj_slice context)
{
	if (path.len > 0 && path.ptr[0] == '/') {
		sj_buf_slice(out, path);
		return;
	}
	while (context.len > 0 && context.ptr[context.len - 1] == '/')
		context.len--;
	sj_buf_slice(out, context);
	if (path.len > 0 || context.len == 0)
		sj_buf_putc(out, '/');
	sj_buf_slice(out, path);
}
