#include "harness/random.h"
#include "json/random_json.h"
#include "json/stream.h"
#include "json/text.h"

/* What a stream said, as text: one line a document or fault. */
struct log {
	struct sj_buf text;
	struct sj_json_stream *stream;
	bool checks_peeks;
	struct sj_cell *seen; /* final cells of the unfinished document that a peek showed */
	uint32_t seen_cap;
};

static void put_tape(struct sj_buf *out, const struct sj_tape *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		const struct sj_cell *c = &t->cells[i];
		sj_buf_printf(out, " %u:%u:%u:%u:%u", c->type, c->off, c->len, c->end, c->flags);
		if (c->type < SJ_J_ARRAY) {
			sj_buf_putc(out, '=');
			sj_buf_slice(out, sj_tape_raw(t, i));
		}
	}
}

static void put_fault(struct sj_buf *out, enum sj_status st, const struct sj_diag *d)
{
	size_t from = out->len;
	sj_buf_printf(out, "fault %d %s at %llu line %u pointer %s: %s", (int)st, sj_code_name(d->code),
	              (unsigned long long)d->offset, d->line, d->pointer, d->message);
	for (; from < out->len; from++) /* keys may hold line breaks */
		if (out->ptr[from] == '\n')
			out->ptr[from] = '?';
	sj_buf_putc(out, '\n');
}

/* A peeked tape nests properly, and what it says is final stays as it is until the document ends. */
static void check_peek(struct log *l)
{
	struct sj_tape t;
	uint64_t offset;
	uint32_t line;
	if (!sj_json_stream_peek(l->stream, &t, &offset, &line))
		return;
	CHECK(t.count > 0);
	CHECK_INT(t.cells[0].end, t.count);
	for (uint32_t i = 0; i < t.count; i++) {
		const struct sj_cell *c = &t.cells[i];
		CHECK(c->end > i && c->end <= t.count);
		CHECK(c->off <= t.text_len);
		if (c->type < SJ_J_ARRAY) {
			CHECK((size_t)c->off + c->len <= t.text_len);
			CHECK_INT(c->end, i + 1);
			if (c->flags & SJ_CELL_OPEN)
				CHECK(c->type == SJ_J_STRING && !(c->flags & SJ_CELL_KEY) && i + 1 == t.count);
			continue;
		}
		uint32_t children = 0;
		for (uint32_t k = i + 1; k < c->end; k = t.cells[k].end, children++) {
			bool is_key = c->type == SJ_J_OBJECT && children % 2 == 0;
			CHECK_INT((t.cells[k].flags & SJ_CELL_KEY) != 0, is_key);
		}
		CHECK_INT(children, c->type == SJ_J_OBJECT ? 2 * c->len : c->len);
		if (c->flags & SJ_CELL_OPEN)
			CHECK_INT(c->end, t.count);
	}
	/* Final cells as at the last peek, and as many again. */
	if (t.count > l->seen_cap) {
		struct sj_cell *more =
			sj_mem_resize(sj_test_mem(), l->seen, l->seen_cap * sizeof *more, 2 * t.count * sizeof *more);
		memset(more + l->seen_cap, 0, (2 * t.count - l->seen_cap) * sizeof *more);
		l->seen = more;
		l->seen_cap = 2 * t.count;
	}
	for (uint32_t i = 0; i < t.count; i++) {
		if (l->seen[i].end && memcmp(&l->seen[i], &t.cells[i], sizeof *l->seen) != 0)
			sj_fail_at(__FILE__, __LINE__, "final cell %u changed", i);
		if (!(t.cells[i].flags & SJ_CELL_OPEN))
			l->seen[i] = t.cells[i];
	}
}

static void check_seen(struct log *l, const struct sj_tape *t)
{
	for (uint32_t i = 0; i < l->seen_cap; i++)
		if (l->seen[i].end && (!t || i >= t->count || memcmp(&l->seen[i], &t->cells[i], sizeof *l->seen) != 0))
			sj_fail_at(__FILE__, __LINE__, "peeked cell %u is not in the document", i);
}

static void drain(struct log *l)
{
	enum sj_status st;
	for (;;) {
		struct sj_tape t;
		uint64_t offset;
		uint32_t line;
		struct sj_diag d = {.code = SJ_E_NONE};
		st = sj_json_stream_next(l->stream, &t, &offset, &line, &d);
		if (st == SJ_MORE)
			break;
		if (st == SJ_OK) {
			sj_buf_printf(&l->text, "document at %llu line %u:", (unsigned long long)offset, line);
			put_tape(&l->text, &t);
			sj_buf_putc(&l->text, '\n');
			if (l->checks_peeks)
				check_seen(l, &t);
		} else {
			put_fault(&l->text, st, &d);
		}
		if (l->seen)
			memset(l->seen, 0, l->seen_cap * sizeof *l->seen);
	}
	if (l->checks_peeks)
		check_peek(l);
}

/* The log of `text` fed in pieces of 1..most bytes, 0: whole. */
static struct sj_buf read_pieces(const struct sj_json_options *opt, struct sj_slice text, uint32_t most,
                                 struct sj_random *r, bool checks_peeks)
{
	struct log l = {.checks_peeks = checks_peeks};
	sj_buf_init(&l.text, sj_test_mem(), 0);
	CHECK_OK(sj_json_stream_create(sj_test_mem(), opt, &l.stream));
	for (size_t at = 0; at < text.len;) {
		size_t n = most == 0 ? text.len : most == 1 ? 1 : 1 + sj_random_below(r, most);
		n = n < text.len - at ? n : text.len - at;
		/* A copy of its own, gone after the feed is read: the stream must hold nothing of it. */
		char *piece = sj_mem_alloc(sj_test_mem(), n);
		memcpy(piece, text.ptr + at, n);
		/* Whoever sends tiny pieces may have them kept; and the end may be told with the last bytes or after
		 * them. */
		if (most % 2 || !sj_json_stream_defer(l.stream, piece, n)) {
			sj_json_stream_feed(l.stream, piece, n);
			if (at + n == text.len && most % 2)
				sj_json_stream_end(l.stream);
			drain(&l);
		}
		sj_mem_free(sj_test_mem(), piece, n);
		at += n;
	}
	sj_json_stream_end(l.stream);
	drain(&l);
	struct sj_tape t;
	uint64_t offset;
	uint32_t line;
	CHECK_INT(sj_json_stream_next(l.stream, &t, &offset, &line, NULL), SJ_MORE);
	CHECK(!sj_json_stream_peek(l.stream, &t, &offset, &line));
	sj_json_stream_destroy(l.stream);
	sj_mem_free(sj_test_mem(), l.seen, l.seen_cap * sizeof *l.seen);
	return l.text;
}

static void check_splits(const struct sj_json_options *opt, struct sj_slice text, struct sj_random *r)
{
	static const uint32_t pieces[] = {1, 2, 4, 7, 40, 401};
	struct sj_buf whole = read_pieces(opt, text, 0, r, false);
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		struct sj_buf cut = read_pieces(opt, text, pieces[i], r, pieces[i] % 2 && pieces[i] < 10);
		CHECK_SLICE(sj_buf_view(&cut), sj_buf_view(&whole));
		sj_buf_finish(&cut);
	}
	sj_buf_finish(&whole);
}

static struct sj_json_options wire(void) { return sj_json_options_wire(&SJ_LIMITS_DEFAULT); }

static void check_log(const char *text, const char *want)
{
	struct sj_json_options opt = wire();
	struct sj_random r = {5};
	struct sj_buf log = read_pieces(&opt, sj_slice_of(text), 0, &r, false);
	CHECK_STR(sj_buf_view(&log), want);
	sj_buf_finish(&log);
	check_splits(&opt, sj_slice_of(text), &r);
}

SJ_TEST(documents)
{
	check_log("", "");
	check_log(" \n\t\r\n", "");
	check_log("{}", "document at 0 line 1: 6:0:0:1:0\n");
	check_log("{}\n\n [1]\n", "document at 0 line 1: 6:0:0:1:0\n"
	                         "document at 5 line 3: 5:0:1:2:0 3:1:1:2:0=1\n");
	check_log("{\n\"a\":\n1}{}[]", "document at 0 line 1: 6:0:1:3:0 4:3:1:2:4=a 3:7:1:3:0=1\n"
	                             "document at 9 line 3: 6:0:0:1:0\n"
	                             "document at 11 line 3: 5:0:0:1:0\n");
	check_log("1 true\n\"x\"\"y\" null", "document at 0 line 1: 3:0:1:1:0=1\n"
	                                     "document at 2 line 1: 2:0:4:1:0=true\n"
	                                     "document at 7 line 2: 4:1:1:1:0=x\n"
	                                     "document at 10 line 2: 4:1:1:1:0=y\n"
	                                     "document at 14 line 2: 0:0:4:1:0=null\n");
	check_log("12.5", "document at 0 line 1: 3:0:4:1:0=12.5\n"); /* complete only at the end */
}

SJ_TEST(faults_cost_one_line)
{
	check_log("{\"a\":1}\n{\"a\":x}\n{\"a\":2}\n",
	          "document at 0 line 1: 6:0:1:3:0 4:2:1:2:4=a 3:5:1:3:0=1\n"
	          "fault 3 JSON_SYNTAX at 13 line 2 pointer : expected a value, found 'x'\n"
	          "document at 16 line 3: 6:0:1:3:0 4:2:1:2:4=a 3:5:1:3:0=2\n");
	/* Prose before and after; brackets inside a line begin nothing. */
	check_log("Sure! Here {is} it:\n{\"a\":1}\nThat was [it].\n  [not this]\n[2]",
	          "fault 3 JSON_SYNTAX at 0 line 1 pointer : expected a value, found 'S'\n"
	          "document at 20 line 2: 6:0:1:3:0 4:2:1:2:4=a 3:5:1:3:0=1\n"
	          "fault 3 JSON_SYNTAX at 28 line 3 pointer : expected a value, found 'T'\n"
	          "document at 56 line 5: 5:0:1:2:0 3:1:1:2:0=2\n");
	/* A line that was cut: the next one is found by its bracket in the first column. */
	check_log("{\"a\":[1,2\n{\"b\":1}\n", "fault 3 JSON_SYNTAX at 10 line 2 pointer /a: expected ',' or ']', found '{'\n"
	                                      "document at 10 line 2: 6:0:1:3:0 4:2:1:2:4=b 3:5:1:3:0=1\n");
	check_log("{\"a\":\"cut\n{\"b\":1}\n",
	          "fault 3 JSON_SYNTAX at 9 line 1 pointer : a control character inside a string, found byte 0x0A\n"
	          "document at 10 line 2: 6:0:1:3:0 4:2:1:2:4=b 3:5:1:3:0=1\n");
	check_log("{\"a\":1,\"a\":2}\n[]",
	          "fault 3 JSON_DUPLICATE_KEY at 8 line 1 pointer : a key that this object has already, found 'a'\n"
	          "document at 14 line 2: 5:0:0:1:0\n");
	check_log("tru\n{}", "fault 3 JSON_SYNTAX at 3 line 1 pointer : expected true, false or null, found byte 0x0A\n"
	                     "document at 4 line 2: 6:0:0:1:0\n");
	check_log("1true\n{}", "document at 0 line 1: 3:0:1:1:0=1\n"
	                       "fault 3 JSON_SYNTAX at 1 line 1 pointer : expected white space after a number or literal, found 't'\n"
	                       "document at 6 line 2: 6:0:0:1:0\n");
	check_log("x", "fault 3 JSON_SYNTAX at 0 line 1 pointer : expected a value, found 'x'\n");
}

SJ_TEST(unfinished_documents)
{
	check_log("{\"a\":[", "fault 3 JSON_INCOMPLETE at 6 line 1 pointer /a: the document ends inside an array\n");
	check_log("[]\n\"ab", "document at 0 line 1: 5:0:0:1:0\n"
	                      "fault 3 JSON_INCOMPLETE at 6 line 2 pointer : the document ends inside a string\n");
	check_log("-", "fault 3 JSON_INCOMPLETE at 1 line 1 pointer : the document ends inside a number\n");
}

SJ_TEST(caps_fire_while_bytes_arrive)
{
	struct sj_json_options opt = wire();
	struct sj_random r = {6};
	opt.max_depth = 3;
	opt.max_string_bytes = 8;
	opt.max_bytes = 40;
	opt.max_values = 12;
	static const char *const texts[] = {
		"[[[[",
		"[\"0123456789",
		"[\"01234567\"]",
		"[1,2,3,4,5,6,7,8,9,10,11]",
		"[1,2,3,4,5,6,7,8,9,10,11,12]",
		"[                                      ]\n[1]",  /* 40 bytes: just allowed */
		"[                                       ]\n[1]", /* 41 */
		"[                                       \n[1]\n",
		"[1,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8,9,0,1,2]", /* more than one cap: the first in the text counts */
		"[\"012345678901234567890123456789012345678901234567890\"]",
	};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		check_splits(&opt, sj_slice_of(texts[i]), &r);
	struct sj_buf log = read_pieces(&opt, SJ_LIT("[\"0123456789"), 1, &r, false);
	CHECK_STR(sj_buf_view(&log), "fault 4 LIMIT_EXCEEDED at 2 line 1 pointer : a string longer than allowed (string_bytes: 8)\n");
	sj_buf_finish(&log);
	log = read_pieces(&opt, sj_slice_of(texts[6]), 1, &r, false);
	CHECK_STR(sj_buf_view(&log), "fault 4 LIMIT_EXCEEDED at 40 line 1 pointer : a document longer than allowed (message_bytes: 40)\n"
	                             "document at 42 line 2: 5:0:1:2:0 3:1:1:2:0=1\n");
	sj_buf_finish(&log);
	log = read_pieces(&opt, sj_slice_of(texts[5]), 1, &r, false);
	CHECK(sj_slice_starts(sj_buf_view(&log), "document at 0 line 1: 5:0:0:1:0\ndocument at 41"));
	sj_buf_finish(&log);
}

/* Random documents and damaged ones, several in a row: the same log for every split, and of a lone sound document the
 * same tape as sj_json_parse gives. */
SJ_TEST(any_split_reads_the_same)
{
	struct sj_random r = {7};
	struct sj_buf text;
	struct sj_json_options opt = wire();
	sj_buf_init(&text, sj_test_mem(), 0);
	for (int round = 0; round < 400 && !sj_failed(); round++) {
		sj_buf_clear(&text);
		opt.surrogate = round % 3 ? SJ_SURROGATE_REFUSE : SJ_SURROGATE_KEEP;
		opt.dup = round % 5 ? SJ_DUP_REFUSE : SJ_DUP_LAST;
		for (uint32_t n = 1 + sj_random_below(&r, 4); n > 0; n--) {
			random_document(&r, &text, sj_random_below(&r, 60));
			sj_buf_putc(&text, '\n');
		}
		if (round % 2)
			random_damage(&r, &text);
		check_splits(&opt, sj_buf_view(&text), &r);
		if (sj_failed())
			sj_fail_at(__FILE__, __LINE__, "round %d: %s", round, text.ptr);
	}
	sj_buf_finish(&text);
}

SJ_TEST(streams_and_parse_agree)
{
	struct sj_random r = {8};
	struct sj_buf text, want;
	struct sj_arena arena;
	struct sj_json_options opt = wire();
	unsigned refused = 0;
	sj_buf_init(&text, sj_test_mem(), 0);
	sj_buf_init(&want, sj_test_mem(), 0);
	sj_arena_init(&arena, sj_test_mem(), 0);
	for (int round = 0; round < 1500 && !sj_failed(); round++) {
		sj_buf_clear(&text);
		sj_buf_clear(&want);
		sj_buf_putc(&text, '[');
		random_document(&r, &text, sj_random_below(&r, 60));
		sj_buf_putc(&text, ']');
		if (round % 3)
			random_damage(&r, &text);
		if (text.len == 0)
			continue;
		struct sj_tape t;
		struct sj_diag d = {.code = SJ_E_NONE};
		enum sj_status st = sj_json_parse(&arena, &opt, sj_buf_view(&text), &t, &d);
		if (st == SJ_OK) {
			sj_buf_puts(&want, "document at 0 line 1:");
			put_tape(&want, &t);
			sj_buf_putc(&want, '\n');
		} else {
			put_fault(&want, st, &d);
			refused++;
		}
		struct sj_buf got = read_pieces(&opt, sj_buf_view(&text), 3, &r, false);
		/* White space before the document, or text after it, is the stream's own affair. */
		if (text.ptr[0] == '[' && !strstr(d.message, "after the document")) {
			const char *end = strchr(got.ptr, '\n');
			if (st != SJ_OK && end)
				got.len = (size_t)(end - got.ptr) + 1;
			CHECK_SLICE(sj_buf_view(&got), sj_buf_view(&want));
		}
		if (sj_failed())
			sj_fail_at(__FILE__, __LINE__, "round %d: %s", round, text.ptr);
		sj_buf_finish(&got);
		sj_arena_reset(&arena);
	}
	CHECK(refused > 300);
	sj_buf_finish(&text);
	sj_buf_finish(&want);
	sj_arena_finish(&arena);
}

/* Every proper prefix of a document is incomplete, never anything else. */
SJ_TEST(prefixes_are_incomplete)
{
	struct sj_random r = {9};
	struct sj_buf text;
	struct sj_arena arena;
	struct sj_json_options opt = wire();
	sj_buf_init(&text, sj_test_mem(), 0);
	sj_arena_init(&arena, sj_test_mem(), 0);
	for (int round = 0; round < 60 && !sj_failed(); round++) {
		sj_buf_clear(&text);
		sj_buf_puts(&text, "[");
		random_document(&r, &text, 40);
		sj_buf_puts(&text, "]");
		for (size_t n = 0; n < text.len; n++) {
			struct sj_tape t;
			struct sj_diag d = {.code = SJ_E_NONE};
			CHECK_INT(sj_json_parse(&arena, &opt, sj_slice(text.ptr, n), &t, &d), SJ_INVALID);
			CHECK_INT(d.code, SJ_E_JSON_INCOMPLETE);
			CHECK_INT(d.offset, n);
		}
	}
	sj_buf_finish(&text);
	sj_arena_finish(&arena);
}

static void check_peek_of(const char *text, const char *want)
{
	struct sj_json_options opt = wire();
	struct sj_json_stream *s;
	struct sj_tape t;
	uint64_t offset = 99;
	uint32_t line = 99;
	CHECK_OK(sj_json_stream_create(sj_test_mem(), &opt, &s));
	sj_json_stream_feed(s, " \n", 2);
	CHECK_INT(sj_json_stream_next(s, &t, &offset, &line, NULL), SJ_MORE);
	CHECK(!sj_json_stream_peek(s, &t, &offset, &line));
	sj_json_stream_feed(s, text, strlen(text));
	CHECK_INT(sj_json_stream_next(s, &t, &offset, &line, NULL), SJ_MORE);
	for (int again = 0; again < 2; again++) { /* looking changes nothing */
		struct sj_buf out;
		sj_buf_init(&out, sj_test_mem(), 0);
		bool there = sj_json_stream_peek(s, &t, &offset, &line);
		CHECK_INT(there, want != NULL);
		if (there) {
			put_tape(&out, &t);
			CHECK_STR(sj_buf_view(&out), want);
			CHECK_INT(offset, 2);
			CHECK_INT(line, 2);
		}
		sj_buf_finish(&out);
	}
	sj_json_stream_destroy(s);
}

SJ_TEST(peeks)
{
	check_peek_of("{", " 6:0:0:1:2");
	check_peek_of("[1,2", " 5:0:1:2:2 3:1:1:2:0=1"); /* a number may go on */
	check_peek_of("[1,2 ", " 5:0:2:3:2 3:1:1:2:0=1 3:3:1:3:0=2");
	check_peek_of("[\"ab", " 5:0:1:2:2 4:2:2:2:2=ab");
	check_peek_of("[\"ab\\n\\u12", " 5:0:1:2:2 4:2:4:2:3=ab\\n"); /* whole escapes only */
	check_peek_of("[\"\xE2\x82\xAC\xE2\x82", " 5:0:1:2:2 4:2:3:2:2=\xE2\x82\xAC");
	check_peek_of("{\"a\":1,\"b", " 6:0:1:3:2 4:2:1:2:4=a 3:5:1:3:0=1");
	check_peek_of("{\"a\":1,\"b\":", " 6:0:1:3:2 4:2:1:2:4=a 3:5:1:3:0=1");
	check_peek_of("{\"a\":1,\"b\":tr", " 6:0:1:3:2 4:2:1:2:4=a 3:5:1:3:0=1");
	check_peek_of("{\"a\":1,\"b\":[{}", " 6:0:2:6:2 4:2:1:2:4=a 3:5:1:3:0=1 4:8:1:4:4=b 5:11:1:6:2 6:12:0:6:0");
	check_peek_of("{\"a\":\"", " 6:0:1:3:2 4:2:1:2:4=a 4:6:0:3:2=");
	check_peek_of("tru", NULL);
	check_peek_of("12", NULL);
	check_peek_of("\"a", " 4:1:1:1:2=a");
}

SJ_TEST(deferred_bytes)
{
	struct sj_json_options opt = wire();
	struct sj_json_stream *s;
	struct sj_tape t;
	uint64_t offset;
	uint32_t line;
	static const struct {
		const char *before, *bytes;
		bool kept;
	} rows[] = {
		{"", "[1", false},           /* no document yet */
		{"[1", ",2", true},
		{"[1", ",2]", false},        /* closes */
		{"[1", ",\n", false},
		{"[1,\n", "2", false},       /* where a document could begin */
		{"\"ab", "c\" ", false},     /* would end outside a container */
		{"12", "3 4", false},
		{"{\"a\":\"b", "", true},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECK_OK(sj_json_stream_create(sj_test_mem(), &opt, &s));
		sj_json_stream_feed(s, rows[i].before, strlen(rows[i].before));
		CHECK_INT(sj_json_stream_next(s, &t, &offset, &line, NULL), SJ_MORE);
		CHECK_INT(sj_json_stream_defer(s, rows[i].bytes, strlen(rows[i].bytes)), rows[i].kept);
		sj_json_stream_destroy(s);
	}
	/* Few wait: the reader sees them in time. */
	CHECK_OK(sj_json_stream_create(sj_test_mem(), &opt, &s));
	sj_json_stream_feed(s, "[\"", 2);
	CHECK_INT(sj_json_stream_next(s, &t, &offset, &line, NULL), SJ_MORE);
	unsigned kept = 0;
	while (sj_json_stream_defer(s, "x", 1))
		kept++;
	CHECK_INT(kept, 256);
	sj_json_stream_feed(s, "\"]", 2);
	CHECK_OK(sj_json_stream_next(s, &t, &offset, &line, NULL));
	CHECK_INT(t.cells[1].len, 256);
	sj_json_stream_destroy(s);
}

SJ_TEST(whole_documents_are_not_copied)
{
	struct sj_json_options opt = wire();
	struct sj_json_stream *s;
	struct sj_tape t;
	uint64_t offset;
	uint32_t line;
	static const char first[] = "[1", second[] = ",2]\n{\"a\":1}\n{\"b\":2}";
	CHECK_OK(sj_json_stream_create(sj_test_mem(), &opt, &s));
	sj_json_stream_feed(s, first, strlen(first));
	CHECK_INT(sj_json_stream_next(s, &t, &offset, &line, NULL), SJ_MORE);
	sj_json_stream_feed(s, second, strlen(second));
	CHECK_OK(sj_json_stream_next(s, &t, &offset, &line, NULL));
	CHECK_SLICE(sj_slice(t.text, t.text_len), SJ_LIT("[1,2]"));
	CHECK_OK(sj_json_stream_next(s, &t, &offset, &line, NULL));
	CHECK(t.text == second + 4);
	CHECK_INT(t.text_len, 7);
	CHECK_OK(sj_json_stream_next(s, &t, &offset, &line, NULL));
	CHECK(t.text == second + 12);
	CHECK_INT(sj_json_stream_next(s, &t, &offset, &line, NULL), SJ_MORE);
	sj_json_stream_destroy(s);
}

/* The work of reading in pieces is counted, not timed: bytes copied and cells made grow with the text alone. */
SJ_TEST(memory_follows_the_document)
{
	struct sj_json_options opt = wire();
	struct sj_json_stream *s;
	struct sj_mem mem;
	struct sj_tape t;
	uint64_t offset;
	uint32_t line;
	enum { LENGTH = 1 << 20 };
	sj_mem_init(&mem, NULL, 0);
	CHECK_OK(sj_json_stream_create(&mem, &opt, &s));
	size_t idle = mem.used_bytes;
	for (int round = 0; round < 2; round++) {
		sj_json_stream_feed(s, "[\"", 2);
		CHECK_INT(sj_json_stream_next(s, &t, &offset, &line, NULL), SJ_MORE);
		uint64_t calls = mem.calls;
		for (int i = 0; i < LENGTH; i++) {
			sj_json_stream_feed(s, "x", 1);
			CHECK_INT(sj_json_stream_next(s, &t, &offset, &line, NULL), SJ_MORE);
		}
		CHECK(mem.calls - calls < 30);
		sj_json_stream_feed(s, "\"]", 2);
		CHECK_OK(sj_json_stream_next(s, &t, &offset, &line, NULL));
		CHECK_INT(t.cells[1].len, LENGTH);
		CHECK_INT(sj_json_stream_next(s, &t, &offset, &line, NULL), SJ_MORE);
		CHECK(mem.used_bytes < idle + 4096); /* a large document's memory goes back with it */
	}
	sj_json_stream_destroy(s);
	CHECK_INT(mem.used_bytes, 0);
}
