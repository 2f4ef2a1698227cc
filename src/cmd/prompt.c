#include "cmd/session.h"
#include "infer/infer.h"

/* Everything one prompt needs; finished in the reverse order. */
struct request {
	struct sj_mem *mem;
	struct sj_catalog *catalogs[CMD_MAX_REPEATS];
	struct sj_slice allowed[CMD_MAX_REPEATS];
	uint32_t n;
	struct sj_value examples;
};

static int fault(const char *name, const struct sj_diag *d)
{
	cmd_say("shoji: %s%s%s%s%s%s%s\n", name ? name : "", name ? ": " : "", d->message, d->pointer[0] ? " at " : "",
	        d->pointer, d->hint[0] ? ". " : "", d->hint);
	return CMD_INVALID;
}

static int memory(void)
{
	cmd_say("shoji: out of memory\n");
	return CMD_IO;
}

static int add_catalog(struct request *r, const char *file, enum sj_version version)
{
	struct sj_catalog_options opt = {.version = version};
	struct sj_diag d = {0};
	struct sj_buf text;
	sj_buf_init(&text, r->mem, 0);
	int code = cmd_read(file, &text);
	if (code == CMD_OK) {
		enum sj_status st = sj_catalog_load(r->mem, sj_buf_view(&text), &opt, &r->catalogs[r->n], &d);
		code = st == SJ_OK ? CMD_OK : st == SJ_NOMEM ? memory() : fault(file, &d);
	}
	sj_buf_finish(&text);
	r->n += code == CMD_OK;
	return code;
}

/* An example file: a list of messages, an object with one, JSON lines, or an official example file. */
static int add_example(struct request *r, const char *file)
{
	struct sj_buf text;
	struct sj_value v = SJ_NULL_VALUE, list = SJ_NULL_VALUE;
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	sj_buf_init(&text, r->mem, 0);
	int code = cmd_read(file, &text);
	if (code == CMD_OK && sj_value_parse(r->mem, &opt, sj_buf_view(&text), &v, NULL) != SJ_OK) {
		/* JSON lines become the list that they are. */
		if (sj_value_array(r->mem, &list) != SJ_OK)
			code = memory();
		for (size_t at = 0; at < text.len && code == CMD_OK;) {
			const char *end = memchr(text.ptr + at, '\n', text.len - at);
			struct sj_slice line = {text.ptr + at, end ? (size_t)(end - text.ptr) - at : text.len - at};
			struct sj_value one;
			at += line.len + 1;
			while (line.len > 0 && (unsigned char)line.ptr[line.len - 1] <= ' ')
				line.len--;
			if (line.len == 0)
				continue;
			if (!cmd_parse(r->mem, line, file, &one))
				code = CMD_INVALID;
			else if (sj_value_append(r->mem, &list, one) != SJ_OK)
				code = memory();
		}
		v = list;
	} else if (code == CMD_OK && v.type == SJ_V_OBJECT && !cmd_member(&v, "messages")) { /* one message */
		if (sj_value_array(r->mem, &list) != SJ_OK || sj_value_append(r->mem, &list, v) != SJ_OK)
			code = memory();
		v = list;
	}
	if (code == CMD_OK)
		code = sj_value_append(r->mem, &r->examples, v) == SJ_OK ? CMD_OK : memory();
	else
		sj_value_unref(r->mem, v);
	sj_buf_finish(&text);
	return code;
}

static int collect(struct request *r, const struct cmd_args *args, enum sj_version version)
{
	int code = CMD_OK;
	if (sj_value_array(r->mem, &r->examples) != SJ_OK)
		return memory();
	for (int i = 0; i < args->ncatalogs && code == CMD_OK; i++)
		code = add_catalog(r, args->catalogs[i], version);
	if (code == CMD_OK && args->ncatalogs == 0) {
		enum sj_version v = version == SJ_VERSION_NONE ? SJ_V10 : version;
		enum sj_status st = sj_catalog_basic(r->mem, v, NULL, NULL, &r->catalogs[0]);
		if (st == SJ_NOMEM)
			return memory();
		if (st != SJ_OK) {
			cmd_say("shoji: %s has no basic catalog here; name one with --catalog\n", sj_version_text(v));
			return CMD_INVALID;
		}
		r->n = 1;
	}
	for (int i = 0; i < args->nexamples && code == CMD_OK; i++)
		code = add_example(r, args->examples[i]);
	for (int i = 0; i < args->nallowed; i++)
		r->allowed[i] = sj_slice_of(args->allowed[i]);
	return code;
}

static int write_prompt(const struct request *r, const struct cmd_args *args, enum sj_format_id id)
{
	const char *role = args->value[CMD_OPT_ROLE];
	struct sj_format_options of = {
		.id = id, .catalogs = (const struct sj_catalog *const *)r->catalogs, .ncatalogs = r->n};
	struct sj_prompt_options opt = {.examples = args->nexamples > 0 ? &r->examples : NULL,
	                                .allowed_messages = args->nallowed > 0 ? r->allowed : NULL,
	                                .nallowed = (uint32_t)args->nallowed,
	                                .brief = cmd_has(args, CMD_OPT_SHORT)};
	struct sj_format *format = NULL;
	struct sj_diag d = {0};
	struct sj_buf out;
	sj_buf_init(&out, r->mem, 0);
	enum sj_status st = sj_format_create(r->mem, &of, &format, &d);
	if (role && role[0])
		sj_buf_printf(&out, "%s\n\n", role);
	if (st == SJ_OK)
		st = sj_prompt_write(format, &opt, &out, &d);
	int code = st == SJ_OK ? CMD_OK : st == SJ_NOMEM ? memory() : fault(NULL, &d);
	if (code == CMD_OK)
		cmd_print_json(sj_buf_view(&out)); /* catalogs are someone else's text: a terminal gets no controls */
	sj_format_destroy(format);
	sj_buf_finish(&out);
	return code;
}

int cmd_prompt(const struct cmd_args *args)
{
	const char *name = args->value[CMD_OPT_FORMAT], *v = args->value[CMD_OPT_VERSION];
	enum sj_version version = v ? sj_version_find(sj_slice_of(v)) : SJ_VERSION_NONE;
	enum sj_format_id format = SJ_FORMAT_DIRECT_JSON;
	struct request r = {.mem = args->mem, .examples = SJ_NULL_VALUE};
	if (v && version == SJ_VERSION_NONE) {
		cmd_usage_error("prompt", "--version takes 0.8, 0.9, 0.9.1 or 1.0, not %s", v);
		return CMD_USAGE;
	}
	if (name && !sj_format_find(sj_slice_of(name), &format)) {
		cmd_usage_error("prompt", "--format takes direct-json, express, vertical or elemental, not %s", name);
		return CMD_USAGE;
	}
	int code = collect(&r, args, version);
	if (code == CMD_OK)
		code = write_prompt(&r, args, format);
	for (uint32_t i = 0; i < r.n; i++)
		sj_catalog_destroy(r.catalogs[i]);
	sj_value_unref(r.mem, r.examples);
	return code;
}
