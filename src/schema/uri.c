#include "schema/uri.h"

static bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_scheme_char(char c)
{
	return is_alpha(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

void sj_schema_uri_split(struct sj_slice text, struct sj_schema_uri *out)
{
	*out = (struct sj_schema_uri){0};
	const char *p = text.ptr ? text.ptr : "";
	size_t len = text.len, i = 0;

	if (len > 0 && is_alpha(p[0])) {
		while (i < len && is_scheme_char(p[i]))
			i++;
		if (i < len && p[i] == ':')
			out->scheme = sj_slice(p, i++);
		else
			i = 0;
	}
	if (len - i >= 2 && p[i] == '/' && p[i + 1] == '/') {
		size_t start = i += 2;
		while (i < len && p[i] != '/' && p[i] != '?' && p[i] != '#')
			i++;
		out->authority = sj_slice(p + start, i - start);
	}
	size_t start = i;
	while (i < len && p[i] != '?' && p[i] != '#')
		i++;
	out->path = sj_slice(p + start, i - start);
	if (i < len && p[i] == '?') {
		start = ++i;
		while (i < len && p[i] != '#')
			i++;
		out->query = sj_slice(p + start, i - start);
	}
	if (i < len)
		out->fragment = sj_slice(p + i + 1, len - i - 1);
}

/* Section 5.2.4, segment by segment: "." vanishes, ".." takes back what was written since `start`. */
static void put_path(struct sj_buf *out, struct sj_slice path)
{
	size_t start = out->len, i = 0;

	while (i < path.len) {
		size_t from = i;
		bool slash = path.ptr[i] == '/';
		if (slash)
			i++;
		size_t name = i;
		while (i < path.len && path.ptr[i] != '/')
			i++;
		struct sj_slice segment = sj_slice(path.ptr + name, i - name);
		bool last = i == path.len;
		if (sj_slice_eq(segment, SJ_LIT("."))) {
			if (last && slash)
				sj_buf_putc(out, '/');
		} else if (sj_slice_eq(segment, SJ_LIT(".."))) {
			while (out->len > start && out->ptr[out->len - 1] != '/')
				out->len--;
			if (out->len > start)
				out->len--;
			if (last && slash)
				sj_buf_putc(out, '/');
		} else {
			sj_buf_put(out, path.ptr + from, i - from);
		}
	}
}

static void put_part(struct sj_buf *out, const char *before, struct sj_slice part)
{
	if (!part.ptr)
		return;
	sj_buf_puts(out, before);
	sj_buf_slice(out, part);
}

/* Section 5.2.3: the base's path up to its last slash, then the reference's. */
static void put_merged(struct sj_buf *out, const struct sj_schema_uri *base, struct sj_slice path)
{
	struct sj_buf merged;
	size_t keep = base->path.len;

	sj_buf_init(&merged, out->mem, 0);
	while (keep > 0 && base->path.ptr[keep - 1] != '/')
		keep--;
	if (base->authority.ptr && base->path.len == 0)
		sj_buf_putc(&merged, '/');
	sj_buf_put(&merged, base->path.ptr, keep);
	sj_buf_slice(&merged, path);
	if (sj_buf_status(&merged) == SJ_OK)
		put_path(out, sj_buf_view(&merged));
	else
		out->status = sj_buf_status(&merged);
	sj_buf_finish(&merged);
}

void sj_schema_uri_resolve(struct sj_buf *out, struct sj_slice base_text, struct sj_slice ref_text)
{
	struct sj_schema_uri base, ref;

	sj_schema_uri_split(base_text, &base);
	sj_schema_uri_split(ref_text, &ref);
	struct sj_slice scheme = ref.scheme.ptr ? ref.scheme : base.scheme;
	if (scheme.ptr) {
		sj_buf_slice(out, scheme);
		sj_buf_putc(out, ':');
	}
	if (ref.scheme.ptr || ref.authority.ptr) {
		put_part(out, "//", ref.authority);
		put_path(out, ref.path);
		put_part(out, "?", ref.query);
	} else {
		put_part(out, "//", base.authority);
		if (ref.path.len == 0) {
			sj_buf_slice(out, base.path);
			put_part(out, "?", ref.query.ptr ? ref.query : base.query);
		} else {
			if (ref.path.ptr[0] == '/')
				put_path(out, ref.path);
			else
				put_merged(out, &base, ref.path);
			put_part(out, "?", ref.query);
		}
	}
	put_part(out, "#", ref.fragment);
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

void sj_schema_uri_decode(struct sj_buf *out, struct sj_slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '%' && text.len - i > 2 && hex(text.ptr[i + 1]) >= 0 && hex(text.ptr[i + 2]) >= 0) {
			sj_buf_putc(out, (char)(hex(text.ptr[i + 1]) * 16 + hex(text.ptr[i + 2])));
			i += 2;
		} else {
			sj_buf_putc(out, text.ptr[i]);
		}
	}
}
