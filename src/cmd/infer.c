/* shoji infer: a model's text in, parts out. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "cmd/session.h"
#include "infer/infer.h"

struct reading {
	const struct cmd_args *args;
	struct sj_mem *mem;
	struct sj_catalog *catalogs[CMD_MAX_REPEATS];
	uint32_t ncatalogs;
	struct sj_format *format;
	uint32_t repairs; /* that were printed */
	bool refused;
	bool found; /* messages, of whatever kind */
};

static void print(struct sj_buf *line)
{
	sj_buf_putc(line, '\n');
	cmd_print_json(sj_buf_view(line));
	sj_buf_finish(line);
}

static void print_parts(struct reading *r, const struct sj_parts *parts)
{
	bool only = cmd_has(r->args, CMD_OPT_MESSAGES);
	for (uint32_t i = 0; i < parts->list.count; i++) {
		const struct sj_part *p = &parts->list.items[i];
		struct sj_buf line;
		sj_buf_init(&line, r->mem, 0);
		if (p->text && !only) {
			sj_buf_puts(&line, "{\"text\":");
			sj_json_print_string(&line, sj_slice(p->text, p->len));
			sj_buf_puts(&line, "}");
			print(&line);
		}
		r->found = r->found || p->kind == SJ_PART_MESSAGES;
		if (p->kind == SJ_PART_MESSAGES && !only) {
			sj_buf_puts(&line, "{\"a2ui\":");
			sj_value_print(&line, &p->messages, SJ_PRINT_COMPACT);
			sj_buf_puts(&line, "}");
			print(&line);
		}
		for (uint32_t k = 0; only && k < sj_value_count(&p->messages); k++) {
			sj_value_print(&line, sj_value_item(&p->messages, k), SJ_PRINT_COMPACT);
			print(&line);
		}
	}
}

static bool is_alike(const struct sj_repair *a, const struct sj_repair *b)
{
	size_t n = a->pointer[0] ? strcspn(a->pointer + 1, "/") + 1 : 0; /* the message's number */
	return a->kind == b->kind && n > 0 && strncmp(a->pointer, b->pointer, n) == 0 &&
	       (b->pointer[n] == '/' || b->pointer[n] == '\0') && strcmp(a->text, b->text) == 0;
}

/* To stdout, or beside the messages to stderr. */
static void print_repairs(struct reading *r, const struct sj_repairs *repairs)
{
	for (; r->repairs < repairs->list.count; r->repairs++) {
		const struct sj_repair *one = &repairs->list.items[r->repairs];
		struct sj_buf line;
		uint32_t same = 1; /* several of a kind in one message are told once, with the place of the first */
		while (r->repairs + 1 < repairs->list.count && is_alike(one, &repairs->list.items[r->repairs + 1])) {
			r->repairs++;
			same++;
		}
		sj_buf_init(&line, r->mem, 0);
		sj_buf_puts(&line, "{\"repair\":{");
		if (same > 1)
			sj_buf_printf(&line, "\"count\":%u,", same);
		sj_buf_printf(&line, "\"kind\":\"%s\",\"line\":%u,\"offset\":%llu,\"pointer\":",
		              sj_repair_name(one->kind), one->line, (unsigned long long)one->offset);
		sj_json_print_string(&line, sj_slice_of(one->pointer));
		sj_buf_puts(&line, ",\"text\":");
		sj_json_print_string(&line, sj_slice_of(one->text));
		sj_buf_puts(&line, "}}\n");
		if (cmd_has(r->args, CMD_OPT_MESSAGES))
			cmd_say_json(sj_buf_view(&line));
		else
			cmd_print_json(sj_buf_view(&line));
		sj_buf_finish(&line);
	}
}

static void print_fault(struct reading *r, const struct sj_diag *d)
{
	struct cmd_fault f = {.diag = d, .line = d->line, .message = d->message_number};
	size_t len = strlen(d->pointer), tail = strlen("/version");
	/* A message is checked as one of the format's version, unless that is what is wrong with it. */
	if (d->message_number > 0 && (len < tail || strcmp(d->pointer + len - tail, "/version") != 0))
		f.version = sj_slice_of(sj_version_text(sj_format_version(r->format)));
	struct sj_buf line;
	sj_buf_init(&line, r->mem, 0);
	cmd_put_fault(&line, &f, true);
	sj_buf_putc(&line, '\n');
	if (cmd_has(r->args, CMD_OPT_MESSAGES))
		cmd_say_json(sj_buf_view(&line));
	else
		cmd_print_json(sj_buf_view(&line));
	sj_buf_finish(&line);
	r->refused = true;
}

static int load_catalogs(struct reading *r)
{
	const char *text = r->args->value[CMD_OPT_VERSION];
	enum sj_version v = text ? sj_version_find(sj_slice_of(text)) : SJ_V10;
	int code = CMD_OK;
	if (v == SJ_VERSION_NONE) {
		cmd_usage_error("infer", "--version takes 0.8, 0.9, 0.9.1 or 1.0, not %s", text);
		return CMD_USAGE;
	}
	for (int i = 0; i < r->args->ncatalogs && code == CMD_OK; i++) {
		struct sj_buf json;
		struct sj_diag d = {0};
		sj_buf_init(&json, r->mem, 0);
		code = cmd_read(r->args->catalogs[i], &json);
		if (code == CMD_OK) {
			enum sj_status st = sj_catalog_parse(r->mem, sj_buf_view(&json), SJ_NO_SLICE, SJ_VERSION_NONE,
			                                     NULL, NULL, &r->catalogs[r->ncatalogs], &d);
			r->ncatalogs += st == SJ_OK;
			if (st != SJ_OK)
				cmd_say("shoji: %s: %s\n", r->args->catalogs[i],
				        st == SJ_NOMEM ? "out of memory" : d.message);
			code = st == SJ_OK ? CMD_OK : st == SJ_NOMEM ? CMD_IO : CMD_INVALID;
		}
		sj_buf_finish(&json);
	}
	if (code == CMD_OK && r->ncatalogs == 0) {
		if (sj_catalog_basic(r->mem, v, NULL, NULL, &r->catalogs[0]) != SJ_OK)
			return CMD_IO;
		r->ncatalogs = 1;
	}
	return code;
}

static int make_format(struct reading *r)
{
	const char *name = r->args->value[CMD_OPT_FORMAT];
	struct sj_format_options opt = {.id = SJ_FORMAT_DIRECT_JSON,
	                                .catalogs = (const struct sj_catalog *const *)r->catalogs,
	                                .ncatalogs = r->ncatalogs};
	struct sj_diag d = {0};
	if (name && !sj_format_find(sj_slice_of(name), &opt.id)) {
		cmd_usage_error("infer", "--format takes direct-json, express, vertical or elemental, not %s", name);
		return CMD_USAGE;
	}
	enum sj_status st = sj_format_create(r->mem, &opt, &r->format, &d);
	if (st != SJ_OK)
		cmd_say("shoji: %s\n", st == SJ_NOMEM ? "out of memory" : d.message);
	return st == SJ_OK ? CMD_OK : st == SJ_NOMEM ? CMD_IO : CMD_INVALID;
}

static int ended(struct reading *r, enum sj_status st, const struct sj_diag *d)
{
	if (st == SJ_NOMEM) {
		cmd_say("shoji: out of memory\n");
		return CMD_IO;
	}
	if (st != SJ_OK)
		print_fault(r, d);
	if (st == SJ_OK && !r->found) /* words alone are a fine answer */
		cmd_say("shoji: no messages: no block between <%s> and </%s> was found, and all of it was read as text%s\n",
		        sj_format_tag(r->format), sj_format_tag(r->format),
		        cmd_has(r->args, CMD_OPT_STREAM) || cmd_has(r->args, CMD_OPT_STRICT)
		                ? "; messages outside of tags are looked for only without --stream and --strict"
		                : "");
	return r->refused || (!r->found && cmd_has(r->args, CMD_OPT_MESSAGES)) ? CMD_INVALID : CMD_OK;
}

/* Parts are printed as they become certain: what arrives is read at once, however little it is. */
static int stream(struct reading *r, const char *path, uint32_t cap)
{
	bool standard = strcmp(path, "-") == 0;
	struct sj_parser_options opt = {.deltas = true, .repair_cap = cap};
	struct sj_parser *p = NULL;
	struct sj_parts parts = {0};
	struct sj_diag d = {0};
	enum sj_status st = sj_parser_create(r->format, &opt, &p);
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC), code = CMD_OK;
	char bytes[4096];
	ssize_t n = 0;
	if (fd < 0) {
		cmd_say("shoji: %s: the file cannot be read\n", path);
		code = CMD_IO;
	}
	while (code == CMD_OK && st == SJ_OK) {
		n = read(fd, bytes, sizeof bytes);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			cmd_say("shoji: %s: reading failed\n", path);
			code = CMD_IO;
			break;
		}
		st = n > 0 ? sj_parser_feed(p, bytes, (size_t)n, &parts, &d) : sj_parser_end(p, &parts, &d);
		print_repairs(r, sj_parser_repairs(p));
		print_parts(r, &parts);
		fflush(stdout);
		sj_parts_clear(r->mem, &parts);
		if (n == 0)
			break;
	}
	if (fd >= 0 && !standard)
		close(fd);
	if (code == CMD_OK)
		code = ended(r, st, &d);
	sj_parts_finish(r->mem, &parts);
	sj_parser_destroy(p);
	return code;
}

static int at_once(struct reading *r, const char *path, uint32_t cap)
{
	struct sj_repairs repairs = {.cap = cap};
	struct sj_parts parts = {0};
	struct sj_diag d = {0};
	struct sj_buf text;
	sj_buf_init(&text, r->mem, 0);
	int code = cmd_read(path, &text);
	if (code == CMD_OK) {
		enum sj_status st = sj_format_read(r->format, sj_buf_view(&text), &parts, &repairs, &d);
		print_repairs(r, &repairs);
		print_parts(r, &parts);
		code = ended(r, st, &d);
	}
	sj_parts_finish(r->mem, &parts);
	SJ_VEC_FREE(r->mem, &repairs.list);
	sj_buf_finish(&text);
	return code;
}

int cmd_infer(const struct cmd_args *args)
{
	struct reading r = {.args = args, .mem = args->mem};
	uint32_t cap = cmd_has(args, CMD_OPT_STRICT) ? 0 : SJ_REPAIRS_DEFAULT_CAP;
	int code = load_catalogs(&r);
	if (code == CMD_OK)
		code = make_format(&r);
	if (code == CMD_OK)
		code = cmd_has(args, CMD_OPT_STREAM) ? stream(&r, args->rest[0], cap) : at_once(&r, args->rest[0], cap);
	sj_format_destroy(r.format);
	for (uint32_t i = 0; i < r.ncatalogs; i++)
		sj_catalog_destroy(r.catalogs[i]);
	return code;
}
