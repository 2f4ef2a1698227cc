/* Every allocation fails in turn: SJ_NOMEM comes back, what was there stays whole, nothing leaks. */
#include "json/stream.h"
#include "json/text.h"

static const char document[] =
	"{\"a\":[1,2.5,\"short\",\"a string that is too long for a value\",null,true],\"a key longer than fourteen\":{},"
	"\"o\":{\"k0\":0,\"k1\":1,\"k2\":2,\"k3\":3,\"k4\":4,\"k5\":5,\"k6\":6,\"k7\":7,\"k8\":8,\"k9\":9,\"ka\":10,\"kb\":11,\"kc\":12,"
	"\"kd\":13,\"ke\":14,\"kf\":15,\"kg\":16,\"kh\":17},\"escaped \\u00e9 and so on\":\"\\\"quoted\\\" and long enough\"}";

/* The text printed, compared with `want`. */
static enum sj_status expect(const struct sj_value *v, const char *want, enum sj_status st)
{
	struct sj_buf out;
	struct sj_mem free_of_faults;
	sj_mem_init(&free_of_faults, NULL, 0);
	sj_buf_init(&out, &free_of_faults, 0);
	sj_value_print(&out, v, SJ_PRINT_COMPACT);
	if (!sj_slice_is(sj_buf_view(&out), want)) {
		sj_fail_at(__FILE__, __LINE__, "is %s, want %s", out.ptr, want);
		st = SJ_INVALID;
	}
	sj_buf_finish(&out);
	return st;
}

static enum sj_status parse_tape(struct sj_mem *m, void *ctx)
{
	(void)ctx;
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_arena arena;
	struct sj_tape t;
	struct sj_diag d = {.code = SJ_E_NONE};
	sj_arena_init(&arena, m, 64);
	enum sj_status st = sj_json_parse(&arena, &wire, sj_slice_of(document), &t, &d);
	if ((st == SJ_NOMEM) != (d.code == SJ_E_NOMEM))
		st = SJ_INVALID;
	if (st == SJ_OK && !sj_tape_string(&t, t.count - 1, &arena).ptr)
		st = SJ_NOMEM;
	sj_arena_finish(&arena);
	return st;
}

SJ_TEST(tapes) { sj_torture(parse_tape, NULL); }

static enum sj_status parse_fault(struct sj_mem *m, void *ctx)
{
	(void)ctx;
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_arena arena;
	struct sj_tape t;
	struct sj_diag d = {.code = SJ_E_NONE};
	sj_arena_init(&arena, m, 0);
	enum sj_status st = sj_json_parse(&arena, &wire, SJ_LIT("{\"a\":[1,{\"b\":[x]}]}"), &t, &d);
	/* With memory short the fault itself is still told, if with a shorter pointer. */
	if (st == SJ_INVALID && d.code == SJ_E_JSON_SYNTAX && d.offset == 14)
		st = m->fail_at && m->calls >= m->fail_at ? SJ_NOMEM : SJ_OK;
	sj_arena_finish(&arena);
	return st;
}

SJ_TEST(faults) { sj_torture(parse_fault, NULL); }

static enum sj_status parse_value(struct sj_mem *m, void *ctx)
{
	(void)ctx;
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v;
	struct sj_buf out;
	enum sj_status st = sj_value_parse(m, &wire, sj_slice_of(document), &v, NULL);
	if (st != SJ_OK)
		return st;
	sj_buf_init(&out, m, 0);
	sj_value_print(&out, &v, SJ_PRINT_SORTED | SJ_PRINT_PRETTY);
	st = sj_buf_status(&out);
	sj_buf_finish(&out);
	sj_value_unref(m, v);
	return st;
}

SJ_TEST(values) { sj_torture(parse_value, NULL); }

/* A write to a shared list of 300 items: refused, it leaves both owners as they were. */
struct write {
	enum sj_status (*run)(struct sj_mem *m, struct sj_value *list);
	uint32_t count;
};

static struct sj_value counted(struct sj_mem *m)
{
	struct sj_value v = SJ_NULL_VALUE;
	uint64_t fail_at = m->fail_at, calls = m->calls;
	m->fail_at = 0;
	sj_value_string(m, SJ_LIT("a counted string value"), &v);
	m->fail_at = fail_at;
	m->calls = calls;
	return v;
}

static enum sj_status run_append(struct sj_mem *m, struct sj_value *v) { return sj_value_append(m, v, counted(m)); }
static enum sj_status run_insert(struct sj_mem *m, struct sj_value *v) { return sj_value_insert(m, v, 7, counted(m)); }
static enum sj_status run_set(struct sj_mem *m, struct sj_value *v) { return sj_value_set_item(m, v, 200, counted(m)); }
static enum sj_status run_far(struct sj_mem *m, struct sj_value *v) { return sj_value_set_item(m, v, 700, counted(m)); }
static enum sj_status run_remove(struct sj_mem *m, struct sj_value *v) { return sj_value_remove(m, v, 100); }
static enum sj_status run_truncate(struct sj_mem *m, struct sj_value *v) { return sj_value_truncate(m, v, 150); }

static const struct write writes[] = {
	{run_append, 301}, {run_insert, 301}, {run_set, 300}, {run_far, 701}, {run_remove, 299}, {run_truncate, 150},
};

static bool list_is_whole(const struct sj_value *list)
{
	if (sj_value_count(list) != 300)
		return false;
	for (uint32_t i = 0; i < 300; i++)
		if (sj_value_item(list, i)->type != SJ_V_INT || sj_value_item(list, i)->u.i != (int64_t)i)
			return false;
	return true;
}

static enum sj_status write_list(struct sj_mem *m, void *ctx)
{
	const struct write *w = ctx;
	struct sj_value list, other;
	uint64_t fail_at = m->fail_at;
	m->fail_at = 0;
	sj_value_array(m, &list);
	for (int i = 0; i < 300; i++)
		sj_value_append(m, &list, sj_value_int(i));
	other = sj_value_ref(list);
	m->calls = 0; /* numbered from here */
	m->fail_at = fail_at;
	enum sj_status st = w->run(m, &list);
	if (!list_is_whole(&other) || (st != SJ_OK && !list_is_whole(&list)) ||
	    (st == SJ_OK && sj_value_count(&list) != w->count))
		st = SJ_INVALID;
	sj_value_unref(m, other);
	sj_value_unref(m, list);
	return st;
}

SJ_TEST(lists)
{
	for (size_t i = 0; i < sizeof writes / sizeof *writes; i++) {
		struct write w = writes[i];
		sj_torture(write_list, &w);
	}
}

static enum sj_status write_object(struct sj_mem *m, void *ctx)
{
	(void)ctx;
	static const char *const keys[] = {
		"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p",
		"a key longer than fourteen", "q", "r",
	};
	struct sj_value o, other;
	uint32_t done = 0;
	enum sj_status st = sj_value_object(m, &o);
	if (st != SJ_OK)
		return st;
	for (; st == SJ_OK && done < sizeof keys / sizeof *keys; done++)
		st = sj_value_set(m, &o, sj_slice_of(keys[done]), counted(m));
	uint32_t there = st == SJ_OK ? done : done - 1;
	if (sj_value_count(&o) != there)
		st = SJ_INVALID;
	other = sj_value_ref(o);
	if (st == SJ_OK)
		st = sj_value_unset(m, &o, SJ_LIT("c"));
	if (st == SJ_OK)
		st = sj_value_set(m, &o, SJ_LIT("s"), SJ_NULL_VALUE);
	for (uint32_t i = 0; i < there; i++)
		if (!sj_value_get(&other, sj_slice_of(keys[i])))
			st = SJ_INVALID;
	if (sj_value_count(&other) != there)
		st = SJ_INVALID;
	sj_value_unref(m, other);
	sj_value_unref(m, o);
	return st;
}

SJ_TEST(objects) { sj_torture(write_object, NULL); }

static enum sj_status grow_string(struct sj_mem *m, void *ctx)
{
	(void)ctx;
	struct sj_value v = SJ_NULL_VALUE;
	enum sj_status st = sj_value_string(m, SJ_LIT("begin"), &v);
	size_t len = 5;
	for (int i = 0; i < 100 && st == SJ_OK; i++) {
		st = sj_value_string_append(m, &v, SJ_LIT(" and more"));
		len += st == SJ_OK ? 9 : 0;
	}
	if (sj_value_text(&v).len != len)
		st = SJ_INVALID;
	sj_value_unref(m, v);
	return st;
}

SJ_TEST(strings) { sj_torture(grow_string, NULL); }

static enum sj_status run_patch(struct sj_mem *m, void *ctx)
{
	(void)ctx;
	static const char before[] = "{\"list\":[1,{\"x\":[]},3],\"b\":{\"c\":1}}";
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value doc, patch;
	enum sj_status st = sj_value_parse(m, &wire, sj_slice_of(before), &doc, NULL);
	if (st != SJ_OK)
		return st;
	st = sj_value_parse(m, &wire,
	                    SJ_LIT("[{\"op\":\"add\",\"path\":\"/list/1/x/-\",\"value\":\"a value that is counted\"},"
	                           "{\"op\":\"move\",\"from\":\"/b/c\",\"path\":\"/list/0\"},{\"op\":\"remove\",\"path\":\"/list/1\"},"
	                           "{\"op\":\"copy\",\"from\":\"/list\",\"path\":\"/a~1b\"},"
	                           "{\"op\":\"replace\",\"path\":\"/b\",\"value\":{\"z\":[1]}}]"),
	                    &patch, NULL);
	if (st == SJ_OK) {
		st = sj_json_patch(m, &doc, &patch, NULL);
		static const char after[] = "{\"list\":[1,{\"x\":[\"a value that is counted\"]},3],\"b\":{\"z\":[1]},"
					    "\"a/b\":[1,{\"x\":[\"a value that is counted\"]},3]}";
		st = expect(&doc, st == SJ_OK ? after : before, st);
		sj_value_unref(m, patch);
	}
	sj_value_unref(m, doc);
	return st;
}

SJ_TEST(patches) { sj_torture(run_patch, NULL); }

/* After a refusal the stream goes on with a later line. */
static enum sj_status run_stream(struct sj_mem *m, void *ctx)
{
	(void)ctx;
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_json_stream *s;
	enum sj_status st, worst = SJ_OK;
	unsigned documents = 0;
	if (sj_json_stream_create(m, &wire, &s) != SJ_OK)
		return SJ_NOMEM;
	for (int line = 0; line < 3; line++) {
		for (size_t at = 0; at < sizeof document;) {
			size_t n = sizeof document - at < 50 ? sizeof document - at : 50;
			char piece[50];
			memcpy(piece, document + at, n);
			at += n;
			if (at == sizeof document)
				piece[n - 1] = '\n';
			sj_json_stream_feed(s, piece, n);
			struct sj_tape t;
			uint64_t offset;
			uint32_t row;
			while ((st = sj_json_stream_next(s, &t, &offset, &row, NULL)) != SJ_MORE) {
				documents += st == SJ_OK;
				if (st != SJ_OK)
					worst = worst == SJ_OK || worst == st ? st : SJ_INVALID;
			}
			sj_json_stream_peek(s, &t, &offset, &row);
		}
	}
	if (worst == SJ_OK && documents != 3)
		worst = SJ_INVALID;
	if (m->fail_once && worst == SJ_NOMEM && documents < 2)
		worst = SJ_INVALID; /* one refusal costs one document */
	sj_json_stream_destroy(s);
	return worst;
}

SJ_TEST(streams) { sj_torture(run_stream, NULL); }
