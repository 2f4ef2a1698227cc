/* Headings: v0.9 says them with a variant, v1.0 with Markdown. */
#include "a2ui/convert_internal.h"
#include "a2ui/template.h"

static const char marks[] = "##### ";
static const char *mark_of(unsigned level) { return marks + (5 - level); }

static void put_tpl(struct sj_buf *out, const struct sj_value *v);

static void put_args(struct sj_buf *out, const struct sj_value *args)
{
	for (uint32_t i = 0; args && i < sj_value_count(args); i++) {
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(args, i, &key);
		sj_buf_puts(out, i ? ", " : "");
		sj_buf_slice(out, key);
		sj_buf_puts(out, ": ");
		put_tpl(out, v);
	}
}

/* A value as an argument inside ${...}. */
static void put_tpl(struct sj_buf *out, const struct sj_value *v)
{
	const struct sj_value *path = sj_conv_get(v, "@path"), *call = sj_conv_get(v, "@call");
	if (path) {
		sj_buf_slice(out, sj_value_text(path));
	} else if (call) {
		sj_buf_slice(out, sj_value_text(call));
		sj_buf_putc(out, '(');
		put_args(out, sj_conv_get(v, "args"));
		sj_buf_putc(out, ')');
	} else if (sj_value_is_string(v)) {
		sj_buf_putc(out, '\'');
		struct sj_slice s = sj_value_text(v);
		for (size_t i = 0; i < s.len; i++) {
			if (s.ptr[i] == '\'' || s.ptr[i] == '\\')
				sj_buf_putc(out, '\\');
			sj_buf_putc(out, s.ptr[i]);
		}
		sj_buf_putc(out, '\'');
	} else {
		sj_value_print(out, v, SJ_PRINT_COMPACT);
	}
}

/* Can it be written as an argument? Lists and objects cannot, and arguments nest as deep as the grammar lets them. */
static bool fits_template(const struct sj_value *v, unsigned depth)
{
	if (!sj_value_is_container(v))
		return true;
	const struct sj_value *call = sj_conv_get(v, "@call"), *args = sj_conv_get(v, "args");
	if (sj_conv_get(v, "@path"))
		return true;
	if (!call || !sj_value_is_string(call) || sj_conv_get(v, "catalogId") || depth > 4)
		return false;
	for (uint32_t i = 0; args && i < sj_value_count(args); i++) {
		struct sj_slice key;
		if (!fits_template(sj_value_member(args, i, &key), depth + 1))
			return false;
	}
	return true;
}

static struct sj_value format(struct sj_conv *c, struct sj_buf *template)
{
	struct sj_value args = sj_conv_object(c);
	sj_conv_put(c, &args, "value", sj_conv_text(c, sj_buf_view(template)));
	if (sj_buf_status(template) != SJ_OK)
		c->st = sj_buf_status(template);
	sj_buf_finish(template);
	return sj_conv_call(c, "formatString", args);
}

static unsigned level_of(struct sj_slice s, struct sj_slice *rest)
{
	unsigned n = 0;
	while (n < s.len && s.ptr[n] == '#')
		n++;
	if (n == 0 || n > 5 || n >= s.len || s.ptr[n] != ' ' || memchr(s.ptr, '\n', s.len))
		return 0;
	*rest = sj_slice(s.ptr + n + 1, s.len - n - 1);
	return n;
}

struct sj_value sj_conv_heading(struct sj_conv *c, const struct sj_value *text, unsigned level)
{
	struct sj_buf out;
	sj_buf_init(&out, c->mem, 0);
	sj_buf_puts(&out, mark_of(level));
	if (sj_value_is_string(text)) {
		/* Every line of it is part of the heading; marks of its own gave way to the variant. */
		struct sj_slice s = sj_value_text(text);
		(void)level_of(s, &s);
		for (size_t i = 0; i < s.len; i++) {
			sj_buf_putc(&out, s.ptr[i]);
			if (s.ptr[i] == '\n' && i + 1 < s.len && s.ptr[i + 1] != '\n')
				sj_buf_puts(&out, mark_of(level));
		}
		struct sj_value v = sj_conv_text(c, sj_buf_view(&out));
		sj_buf_finish(&out);
		return v;
	}
	const struct sj_value *path = sj_conv_get(text, "@path"), *call = sj_conv_get(text, "@call");
	const struct sj_value *template = sj_conv_is(call, "formatString") && !sj_conv_get(text, "catalogId")
	                                          ? sj_conv_get(sj_conv_get(text, "args"), "value")
	                                          : NULL;
	if (template && sj_value_is_string(template)) {
		sj_buf_slice(&out, sj_value_text(template));
	} else if ((path || call) && fits_template(text, 0)) {
		sj_buf_puts(&out, "${");
		put_tpl(&out, text);
		sj_buf_putc(&out, '}');
	} else if (!sj_value_is_container(text)) {
		sj_value_print(&out, text, SJ_PRINT_COMPACT);
	} else {
		sj_buf_finish(&out);
		sj_conv_lost(c, "v1.0 has no variant h%u, and this text cannot stand in a template", level);
		return sj_value_ref(*text);
	}
	return format(c, &out);
}

struct sj_slice sj_conv_lone_path(struct sj_conv *c, const struct sj_value *text)
{
	const struct sj_value *template = sj_conv_is(sj_conv_get(text, "@call"), "formatString")
	                                          ? sj_conv_get(sj_conv_get(text, "args"), "value")
	                                          : NULL;
	struct sj_tpl tpl;
	if (!template || !sj_value_is_string(template) ||
	    sj_tpl_parse(&c->arena, c->limits, sj_value_text(template), &tpl, NULL) != SJ_OK || tpl.count != 1 ||
	    tpl.parts[0].type != SJ_TPL_PATH)
		return SJ_NO_SLICE;
	return tpl.parts[0].text;
}

unsigned sj_conv_heading_of(struct sj_conv *c, const struct sj_value *text, struct sj_value *out)
{
	const struct sj_value *template = sj_conv_is(sj_conv_get(text, "@call"), "formatString") &&
	                                                  !sj_conv_get(text, "catalogId")
	                                          ? sj_conv_get(sj_conv_get(text, "args"), "value")
	                                          : NULL;
	struct sj_slice rest;
	unsigned level = 0;
	if (sj_value_is_string(text)) {
		level = level_of(sj_value_text(text), &rest);
		if (level)
			*out = sj_conv_text(c, rest);
	} else if (template && sj_value_is_string(template)) {
		level = level_of(sj_value_text(template), &rest);
		if (!level)
			return 0;
		struct sj_buf t;
		sj_buf_init(&t, c->mem, 0);
		sj_buf_slice(&t, rest);
		struct sj_value v = format(c, &t);
		struct sj_slice path = sj_conv_lone_path(c, &v);
		*out = v;
		if (path.ptr) { /* one binding alone */
			struct sj_value bound = sj_conv_object(c);
			sj_conv_put(c, &bound, "@path", sj_conv_text(c, path));
			sj_conv_drop(c, v);
			*out = bound;
		}
	}
	return level;
}
