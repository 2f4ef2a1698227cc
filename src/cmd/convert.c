/* shoji convert: a stream of messages in the words of another protocol version. */
#include "a2ui/convert.h"

#include "cmd/session.h"
#include "json/stream.h"

struct input {
	struct sj_mem *mem;
	struct sj_value messages; /* all of them, in one list */
	struct sj_value wrapper;  /* the one document that held them as {"messages": [...]}, else null */
	uint32_t documents, lists, faults;
	bool json;
	const char *name;
};

static void add(struct input *in, struct sj_value take, enum sj_status *st)
{
	if (*st == SJ_OK)
		*st = sj_value_append(in->mem, &in->messages, take);
	else
		sj_value_unref(in->mem, take);
}

static enum sj_status add_document(struct input *in, struct sj_value take)
{
	enum sj_status st = SJ_OK;
	const struct sj_value *list = cmd_member(&take, "messages");
	bool wrapped = list && list->type == SJ_V_ARRAY;
	in->documents++;
	in->lists += take.type == SJ_V_ARRAY;
	if (!wrapped && take.type != SJ_V_ARRAY) {
		add(in, take, &st);
		return st;
	}
	const struct sj_value *items = wrapped ? list : &take;
	for (uint32_t i = 0; i < sj_value_count(items); i++)
		add(in, sj_value_ref(*sj_value_item(items, i)), &st);
	if (wrapped && in->wrapper.type == SJ_V_NULL)
		in->wrapper = take;
	else
		sj_value_unref(in->mem, take);
	return st;
}

static void say(struct input *in, uint32_t message, enum sj_version version, struct sj_slice pointer,
                const char *reason)
{
	struct sj_buf line;
	sj_buf_init(&line, in->mem, 0);
	if (in->json) {
		sj_buf_printf(&line, "{\"messageNumber\":%u,\"pointer\":", message);
		sj_json_print_string(&line, pointer);
		sj_buf_puts(&line, ",\"reason\":");
		sj_json_print_string(&line, sj_slice_of(reason));
		sj_buf_printf(&line, ",\"version\":\"%s\"}\n", sj_version_text(version));
		cmd_say_json(sj_buf_view(&line));
	} else {
		cmd_say("%s: message %u%s%.*s: %s\n", in->name, message, pointer.len ? " " : "", SJ_ARG(pointer),
		        reason);
	}
	sj_buf_finish(&line);
}

static void on_lost(void *ctx, const struct sj_convert_loss *loss)
{
	say(ctx, loss->message, loss->version, loss->pointer, loss->reason);
}

static int read_all(struct input *in, struct sj_slice text)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_json_stream *stream;
	struct sj_tape t;
	struct sj_diag d = {0};
	uint64_t offset;
	uint32_t line;
	if (sj_json_stream_create(in->mem, &opt, &stream) != SJ_OK)
		return CMD_IO;
	enum sj_status st = SJ_OK;
	sj_json_stream_feed(stream, text.ptr, text.len);
	for (bool ended = false; st != SJ_NOMEM;) {
		st = sj_json_stream_next(stream, &t, &offset, &line, &d);
		if (st == SJ_MORE && ended)
			break;
		if (st == SJ_MORE) {
			sj_json_stream_end(stream);
			ended = true;
		} else if (st == SJ_INVALID || st == SJ_LIMIT) {
			in->faults++;
			cmd_say("%s: line %u: %s\n", in->name, d.line, d.message);
			sj_diag_clear(&d);
		} else if (st == SJ_OK) {
			struct sj_value v;
			st = sj_value_from_tape(in->mem, &t, 0, &v);
			if (st == SJ_OK)
				st = add_document(in, v);
		}
	}
	sj_json_stream_destroy(stream);
	return st == SJ_NOMEM ? CMD_IO : CMD_OK;
}

/* In the form the input had: a list, an object around the list, or lines. */
static int print(struct input *in, struct sj_value messages)
{
	struct sj_buf out;
	enum sj_status st = SJ_OK;
	sj_buf_init(&out, in->mem, 0);
	if (in->documents == 1 && in->wrapper.type != SJ_V_NULL) {
		st = sj_value_set(in->mem, &in->wrapper, SJ_LIT("messages"), sj_value_ref(messages));
		sj_value_print(&out, &in->wrapper, SJ_PRINT_PRETTY);
		sj_buf_putc(&out, '\n');
	} else if (in->documents == 1 && in->lists == 1) {
		sj_value_print(&out, &messages, SJ_PRINT_PRETTY);
		sj_buf_putc(&out, '\n');
	} else {
		for (uint32_t i = 0; i < sj_value_count(&messages); i++) {
			sj_value_print(&out, sj_value_item(&messages, i), SJ_PRINT_COMPACT);
			sj_buf_putc(&out, '\n');
		}
	}
	if (st == SJ_OK)
		st = sj_buf_status(&out);
	if (st == SJ_OK)
		cmd_print_json(sj_buf_view(&out));
	sj_buf_finish(&out);
	return st == SJ_OK ? CMD_OK : CMD_IO;
}

struct known {
	struct sj_catalog *items[CMD_MAX_REPEATS];
	uint32_t count;
};

static int read_catalogs(const struct cmd_args *args, struct known *known)
{
	for (int i = 0; i < args->ncatalogs; i++) {
		struct sj_buf text;
		struct sj_diag d = {0};
		sj_buf_init(&text, args->mem, 0);
		int code = cmd_read(args->catalogs[i], &text);
		enum sj_status st =
			code == CMD_OK ? sj_catalog_parse(args->mem, sj_buf_view(&text), SJ_NO_SLICE, SJ_VERSION_NONE,
		                                          NULL, NULL, &known->items[known->count], &d)
				       : SJ_OK;
		sj_buf_finish(&text);
		if (code != CMD_OK)
			return code;
		if (st != SJ_OK) {
			cmd_say("%s: %s\n", args->catalogs[i], d.message);
			return st == SJ_NOMEM ? CMD_IO : CMD_INVALID;
		}
		known->count++;
	}
	return CMD_OK;
}

int cmd_convert(const struct cmd_args *args)
{
	struct input in = {.mem = args->mem,
	                   .wrapper = SJ_NULL_VALUE,
	                   .json = cmd_has(args, CMD_OPT_JSON),
	                   .name = strcmp(args->rest[0], "-") == 0 ? "standard input" : args->rest[0]};
	const char *to = args->value[CMD_OPT_TO], *keys = args->value[CMD_OPT_KEYS];
	struct sj_convert_options opt = {.lost = on_lost, .ctx = &in};
	struct known known = {.count = 0};
	struct sj_buf text;
	uint32_t nlost = 0;

	opt.to = to ? sj_version_find(sj_slice_of(to)) : SJ_VERSION_NONE;
	if (opt.to == SJ_VERSION_NONE) {
		cmd_usage_error("convert",
		                to ? "--to takes v0.8, v0.9, v0.9.1 or v1.0, not '%s'" : "--to VERSION is missing%s",
		                to ? to : "");
		return CMD_USAGE;
	}
	if (keys && strcmp(keys, "bare") == 0)
		opt.dialect = SJ_DIALECT_BARE;
	else if (keys && strcmp(keys, "reserved") == 0)
		opt.dialect = SJ_DIALECT_RESERVED;
	else if (keys) {
		cmd_usage_error("convert", "--keys takes bare or reserved, not '%s'", keys);
		return CMD_USAGE;
	}
	sj_buf_init(&text, args->mem, 0);
	int code = read_catalogs(args, &known);
	opt.catalogs = (const struct sj_catalog *const *)known.items;
	opt.ncatalogs = known.count;
	if (code == CMD_OK)
		code = cmd_read(args->rest[0], &text);
	if (code == CMD_OK)
		code = sj_value_array(args->mem, &in.messages) == SJ_OK ? read_all(&in, sj_buf_view(&text)) : CMD_IO;
	if (code == CMD_OK) {
		struct sj_value out;
		code = sj_convert(args->mem, &opt, &in.messages, &out, &nlost) == SJ_OK ? CMD_OK : CMD_IO;
		if (code == CMD_OK) {
			code = print(&in, out);
			sj_value_unref(args->mem, out);
		}
	}
	for (uint32_t i = 0; i < known.count; i++)
		sj_catalog_destroy(known.items[i]);
	sj_value_unref(args->mem, in.messages);
	sj_value_unref(args->mem, in.wrapper);
	sj_buf_finish(&text);
	return code == CMD_OK && (nlost > 0 || in.faults > 0) ? CMD_INVALID : code;
}
