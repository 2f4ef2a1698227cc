/* What the catalog tests share: files as tapes, faults as text, every component of the official examples, seeded
 * mutations. */
#ifndef SJ_TEST_A2UI_CATALOG_HELP_H
#define SJ_TEST_A2UI_CATALOG_HELP_H

#include <stdio.h>

#include "a2ui/catalog.h"
#include "harness/test.h"

static inline bool parse_json(struct sj_arena *arena, struct sj_slice text, struct sj_tape *out)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	return text.ptr && sj_json_parse(arena, &opt, text, out, NULL) == SJ_OK;
}

/* A data file below shared/data/a2ui; {NULL,0} when absent. */
static inline struct sj_slice a2ui_file(const char *relative)
{
	char path[900];
	snprintf(path, sizeof path, "a2ui/%s", relative);
	const char *found = sj_data(path);
	return found ? sj_slurp(found) : SJ_NO_SLICE;
}

static inline uint32_t get(const struct sj_tape *t, uint32_t object, const char *key)
{
	return sj_tape_type(t, object) == SJ_J_OBJECT ? sj_tape_get(t, object, sj_slice_of(key)) : 0;
}

struct seen_faults {
	unsigned count;
	char message[256], keyword[40], property[60];
	uint32_t cell;
};

static inline bool see_fault(void *ctx, const struct sj_schema_fault *f)
{
	struct seen_faults *s = ctx;
	if (s->count++ == 0) {
		snprintf(s->message, sizeof s->message, "%s", f->message);
		snprintf(s->keyword, sizeof s->keyword, "%.*s", SJ_ARG(f->keyword));
		snprintf(s->property, sizeof s->property, "%.*s", SJ_ARG(f->property));
		s->cell = f->cell;
	}
	return true;
}

/* The versions with published files. */
struct spec {
	enum sj_version v;
	const char *folder, *base, *envelope;
};
static const struct spec specs[] = {
	{SJ_V09, "v0_9", "https://a2ui.org/specification/v0_9/", "server_to_client.json"},
	{SJ_V091, "v0_9_1", "https://a2ui.org/specification/v0_9/", "server_to_client.json"},
	{SJ_V10, "v1_0", "https://a2ui.org/specification/v1_0/", "agent_to_renderer.json"},
};
enum { SPECS = sizeof specs / sizeof *specs };

/* Calls fn for every message of every official example. Returns how many. */
typedef void (*message_fn)(void *ctx, const char *file, const struct sj_tape *t, uint32_t cell);

static inline unsigned each_message(const struct spec *s, message_fn fn, void *ctx)
{
	char folder[600], path[1300], **names;
	unsigned messages = 0;
	snprintf(folder, sizeof folder, "a2ui/specification/%s/catalogs/basic/examples", s->folder);
	const char *found = sj_data(folder);
	if (!found)
		return 0;
	snprintf(folder, sizeof folder, "%s", found);
	size_t count = sj_list_dir(folder, ".json", &names);
	for (size_t i = 0; i < count; i++) {
		struct sj_arena arena;
		struct sj_tape t;
		sj_arena_init(&arena, sj_test_mem(), 0);
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		if (parse_json(&arena, sj_slurp(path), &t)) {
			uint32_t list = sj_tape_type(&t, 0) == SJ_J_ARRAY ? 0 : get(&t, 0, "messages");
			for (uint32_t at = list + 1; at < t.cells[list].end; at = sj_tape_next(&t, at), messages++)
				fn(ctx, names[i], &t, at);
		} else {
			sj_fail_at(__FILE__, __LINE__, "%s is not JSON", path);
		}
		sj_arena_finish(&arena);
	}
	return messages;
}

/* Every component object in a message. */
static inline void each_component(const struct sj_tape *t, uint32_t message, message_fn fn, void *ctx, const char *file)
{
	for (uint32_t at = message + 1; at < t->cells[message].end; at = sj_tape_next(t, at + 1)) {
		uint32_t list = get(t, at + 1, "components");
		for (uint32_t c = list ? list + 1 : 0; c > 0 && c < t->cells[list].end; c = sj_tape_next(t, c))
			fn(ctx, file, t, c);
	}
}

/* Appends a value with the keys of bindings and calls spelled for the reserved dialect; a template keeps its path. */
static inline void to_reserved(struct sj_buf *out, const struct sj_tape *t, uint32_t cell)
{
	enum sj_json_type type = sj_tape_type(t, cell);
	if (type < SJ_J_ARRAY) {
		sj_buf_slice(out, sj_tape_source(t, cell));
		return;
	}
	bool object = type == SJ_J_OBJECT, template = object && get(t, cell, "componentId");
	sj_buf_putc(out, object ? '{' : '[');
	for (uint32_t at = cell + 1; at < t->cells[cell].end;) {
		sj_buf_puts(out, at == cell + 1 ? "" : ",");
		if (object) {
			struct sj_slice key = sj_tape_raw(t, at);
			if (!template &&
			    (sj_slice_is(key, "call") || (sj_slice_is(key, "path") && t->cells[cell].len == 1)))
				sj_buf_printf(out, "\"@%.*s\":", SJ_ARG(key));
			else
				sj_buf_printf(out, "\"%.*s\":", SJ_ARG(key));
			at++;
		}
		to_reserved(out, t, at);
		at = sj_tape_next(t, at);
	}
	sj_buf_putc(out, object ? '}' : ']');
}

struct mutator {
	uint64_t state;
	bool reserved;
};

static inline uint32_t pick(struct mutator *m, uint32_t below)
{
	m->state = m->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(m->state >> 33) % below;
}

/* One random change to the source of a value; the result may fail to be JSON (a key that comes twice). */
static inline void mutate(struct mutator *m, const struct sj_tape *t, uint32_t cell, struct sj_buf *out)
{
	static const char *const values[] = {
		"null",
		"true",
		"0",
		"-1.5",
		"1",
		"\"\"",
		"\"Text\"",
		"\"body\"",
		"[]",
		"{}",
		"\"2024-02-30\"",
		"[\"a\"]",
		"[1]",
		"1e3",
		"[null]",
		"{\"P\":\"/a\"}",
		"{\"P\":1}",
		"{\"P\":\"/a\",\"x\":1}",
		"{\"C\":\"required\",\"args\":{\"value\":1}}",
		"{\"C\":\"@index\"}",
		"{\"C\":\"@index\",\"args\":{\"offset\":{\"P\":\"/o\"}}}",
		"{\"C\":\"@index\",\"args\":{\"step\":1}}",
		"{\"C\":\"formatString\",\"args\":{\"value\":\"x\"}}",
		"{\"C\":\"formatString\",\"args\":{\"value\":1}}",
		"{\"C\":\"no\",\"args\":{}}",
		"{\"C\":\"formatNumber\",\"args\":{\"value\":{\"P\":\"/n\"}},\"returnType\":\"string\"}",
		"{\"C\":\"length\",\"args\":{\"value\":\"x\"}}",
		"{\"C\":\"length\",\"args\":{\"value\":\"x\",\"min\":1}}",
		"{\"C\":\"and\",\"args\":{\"values\":[true,{\"P\":\"/b\"}]}}",
		"{\"C\":\"and\",\"args\":{\"values\":[true]}}",
		"{\"C\":\"openUrl\",\"args\":{\"url\":\"https://a.example\"}}",
		"{\"C\":\"required\",\"args\":{\"value\":null}}",
		"{\"C\":\"required\",\"P\":\"/a\",\"args\":{\"value\":1}}",
		"{\"C\":\"required\",\"args\":{\"value\":{\"a\":1}}}",
		"{\"event\":{\"name\":\"n\",\"context\":{\"k\":{\"P\":\"/a\"},\"l\":[1,{\"z\":null}]}}}",
		"{\"event\":{}}",
		"{\"functionCall\":{\"C\":\"openUrl\",\"args\":{\"url\":\"x\"}}}",
		"{\"event\":{\"name\":\"n\"},\"functionCall\":{}}",
		"[{\"condition\":{\"C\":\"required\",\"args\":{\"value\":1}},\"message\":\"m\"}]",
		"[{\"condition\":true,\"message\":\"m\"}]",
		"{\"componentId\":\"c\",\"path\":\"/l\"}",
		"{\"svgPath\":\"M0\"}",
		"{\"label\":\"x\"}",
		"{\"label\":{\"P\":\"/l\"},\"hidden\":true}",
		"{\"live\":\"polite\"}",
		"{\"extensions\":{\"a\":1}}",
		"[{\"title\":\"t\",\"child\":\"c\"}]",
		"[{\"label\":\"l\",\"value\":\"v\"}]",
		"{\"a\":{\"P\":\"/x\"}}",
		"{\"a\":{\"b\":[{\"C\":\"no\"}]}}",
		"{\"a\":null}",
	};
	struct sj_slice whole = sj_tape_source(t, cell), other;
	uint32_t n = t->cells[cell].end - cell - 1, at = cell + 1 + pick(m, n), from;
	struct sj_slice old = sj_tape_source(t, at);
	bool key = t->cells[at].flags & SJ_CELL_KEY;
	do
		from = cell + 1 + pick(m, n);
	while (key && !(t->cells[from].flags & SJ_CELL_KEY));
	other = sj_tape_source(t, from);
	sj_buf_put(out, whole.ptr, (size_t)(old.ptr - whole.ptr));
	if (key && pick(m, 3) == 0)
		sj_buf_puts(out, pick(m, 2)                  ? "\"extra\":1,"
		                 : m->reserved && pick(m, 2) ? "\"@@x\":1,"
		                                             : "\"accessibility\":{\"label\":\"a\"},");
	if (key && pick(m, 3) == 0) {
		sj_buf_slice(out, old);
	} else if (!key && pick(m, 3)) {
		const char *v = values[pick(m, sizeof values / sizeof *values)];
		for (; *v; v++) {
			bool word = v[0] == '"' && (v[1] == 'P' || v[1] == 'C') && v[2] == '"';
			if (word) {
				sj_buf_puts(out, m->reserved ? "\"@" : "\"");
				sj_buf_puts(out, *++v == 'P' ? "path\"" : "call\"");
				v++;
			} else {
				sj_buf_putc(out, *v);
			}
		}
	} else {
		sj_buf_slice(out, other);
	}
	const char *rest = old.ptr + old.len;
	sj_buf_put(out, rest, (size_t)(whole.ptr + whole.len - rest));
}

#endif
