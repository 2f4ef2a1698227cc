#include "json/stream.h"

#include <assert.h>
#include <string.h>

#include "json/reader.h"

enum {
	DEFER_BYTES = 256,   /* at most so many wait unread in a document of many small feeds */
	LEAST_STEP = 64,     /* bytes by which a document that began in an earlier feed is continued, at least */
	KEEP_BYTES = 262144, /* buffers beyond this are given back once their document is through */
};

/* One document at a time. It is read where it lies in the feed (`held` false) until the feed ends inside it; then
 * its bytes move to `hold`, and every further feed is appended there in growing steps, so that what lies after
 * the document is not copied. All offsets the reader keeps are relative to the document. */
struct sj_json_stream {
	struct sj_mem *mem;
	struct sj_json_options opt;
	struct sj_arena arena; /* cells of the document */
	struct sj_reader reader;
	const char *feed;
	size_t feed_len, pos;
	uint64_t offset;  /* of feed[pos] in the stream */
	uint32_t line;    /* of feed[pos], 1-based */
	bool in_document; /* `reader` is at work, or its tape is lent out */
	bool held, lent, ended, skipping;
	bool line_start; /* while skipping: the byte before is a line break */
	uint64_t document;
	uint32_t document_line;
	uint64_t scalar_end; /* where a top-level number or literal ended, plus 1; 0: none */
	char *hold;
	size_t hold_len, hold_cap;
	size_t deferred; /* last bytes of `hold` that the reader has not seen */
	size_t defer_room; /* fewer than so many more may wait there; 0 when the reader waits outside a container */
	uint32_t last_cells;
};

enum sj_status sj_json_stream_create(struct sj_mem *mem, const struct sj_json_options *opt, struct sj_json_stream **out)
{
	struct sj_json_stream *s = sj_mem_zalloc(mem, sizeof *s);
	if (!s)
		return SJ_NOMEM;
	s->mem = mem;
	s->opt = *opt;
	s->line = 1;
	s->feed = "";
	sj_arena_init(&s->arena, mem, 1024);
	*out = s;
	return SJ_OK;
}

static void close_document(struct sj_json_stream *s)
{
	if (!s->in_document)
		return;
	s->last_cells = s->reader.count;
	sj_reader_finish(&s->reader);
	if (s->last_cells > KEEP_BYTES / sizeof(struct sj_cell))
		sj_arena_finish(&s->arena);
	else
		sj_arena_reset(&s->arena);
	if (s->hold_cap > KEEP_BYTES) {
		sj_mem_free(s->mem, s->hold, s->hold_cap);
		s->hold = NULL;
		s->hold_cap = 0;
	}
	s->hold_len = s->deferred = 0;
	s->in_document = s->held = s->lent = false;
}

void sj_json_stream_destroy(struct sj_json_stream *s)
{
	if (!s)
		return;
	close_document(s);
	sj_arena_finish(&s->arena);
	sj_mem_free(s->mem, s->hold, s->hold_cap);
	sj_mem_free(s->mem, s, sizeof *s);
}

void sj_json_stream_feed(struct sj_json_stream *s, const char *bytes, size_t n)
{
	assert(s->pos == s->feed_len && !s->lent); /* next has returned SJ_MORE */
	assert(!s->ended);
	s->defer_room = 0;
	s->feed = n ? bytes : "";
	s->feed_len = n;
	s->pos = 0;
}

/* Bytes may wait inside a container, so that no document ends in what is kept; not as the first bytes of a line, where
 * after a fault the next document might begin. */
static void measure_defer_room(struct sj_json_stream *s)
{
	if (!s->held || s->lent || s->ended || s->reader.depth == 0 || s->hold[s->hold_len - 1] == '\n')
		return;
	size_t room = DEFER_BYTES - s->deferred, rest = s->opt.max_bytes - s->hold_len;
	if (s->hold_cap - s->hold_len < rest)
		rest = s->hold_cap - s->hold_len;
	s->defer_room = (room < rest ? room : rest) + 1;
}

bool sj_json_stream_defer(struct sj_json_stream *s, const char *bytes, size_t n)
{
	if (n >= s->defer_room)
		return false;
	for (size_t i = 0; i < n; i++)
		if (bytes[i] == '}' || bytes[i] == ']' || bytes[i] == '\n')
			return false;
	if (n == 1)
		s->hold[s->hold_len] = bytes[0];
	else if (n)
		memcpy(s->hold + s->hold_len, bytes, n);
	s->hold_len += n;
	s->deferred += n;
	s->offset += n;
	s->defer_room -= n;
	return true;
}

void sj_json_stream_end(struct sj_json_stream *s)
{
	s->ended = true;
	s->defer_room = 0;
}

static uint32_t count_lines(const char *p, size_t n)
{
	uint32_t lines = 0;
	const char *end = p + n;
	while (p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		lines++;
		p++;
	}
	return lines;
}

/* Moves to the line that begins the next document. false: it is not in this feed. */
static bool skip_to_line(struct sj_json_stream *s)
{
	const char *p = s->feed + s->pos, *end = s->feed + s->feed_len;
	while (p < end) {
		if (s->line_start && (*p == '{' || *p == '[')) {
			s->skipping = false;
			break;
		}
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		s->line_start = nl != NULL;
		s->line += nl != NULL;
		p = nl ? nl + 1 : end;
	}
	size_t moved = (size_t)(p - (s->feed + s->pos));
	s->pos += moved;
	s->offset += moved;
	return !s->skipping;
}

static bool skip_space(struct sj_json_stream *s)
{
	size_t from = s->pos;
	for (; s->pos < s->feed_len; s->pos++) {
		char c = s->feed[s->pos];
		if (c == '\n')
			s->line++;
		else if (c != ' ' && c != '\t' && c != '\r')
			break;
	}
	s->offset += s->pos - from;
	return s->pos < s->feed_len;
}

/* Faults are counted from the document's beginning; the caller wants the stream's. */
static void place_fault(const struct sj_json_stream *s, struct sj_diag *diag)
{
	diag->offset += s->document;
	diag->line += s->document_line - 1;
}

/* After a fault: the feed goes on at byte `at` of the document (or at the feed's first byte, when that is later), and
 * skipping begins there. */
SJ_COLD static void give_up(struct sj_json_stream *s, const char *text, size_t at)
{
	size_t resume = at;
	if (s->document + resume < s->offset)
		resume = (size_t)(s->offset - s->document);
	size_t moved = (size_t)(s->document + resume - s->offset);
	s->pos += moved;
	s->offset += moved;
	s->line = s->document_line + count_lines(text, resume);
	s->line_start = resume > 0 && text[resume - 1] == '\n';
	s->skipping = true;
	close_document(s);
}

static enum sj_status give_up_memory(struct sj_json_stream *s, struct sj_diag *diag)
{
	struct sj_slice text = {s->held ? s->hold : s->feed + s->pos, s->held ? s->hold_len : 0};
	bool fresh = diag && diag->code == SJ_E_NONE;
	sj_reader_fail(&s->reader, text, s->reader.at, SJ_NOMEM, SJ_E_NOMEM, diag, "out of memory");
	if (fresh)
		place_fault(s, diag);
	give_up(s, text.ptr, s->held ? s->hold_len : 0);
	return SJ_NOMEM;
}

/* Appends `n` bytes of the feed, from where the document goes on, to `hold`. */
static bool hold_bytes(struct sj_json_stream *s, const char *bytes, size_t n)
{
	if (n > s->hold_cap - s->hold_len) {
		size_t cap = s->hold_cap < 512 ? 1024 : s->hold_cap * 2;
		if (cap < s->hold_len + n)
			cap = s->hold_len + n;
		char *moved = sj_mem_resize(s->mem, s->hold, s->hold_cap, cap);
		if (!moved)
			return false;
		s->hold = moved;
		s->hold_cap = cap;
	}
	if (n)
		memcpy(s->hold + s->hold_len, bytes, n);
	s->hold_len += n;
	return true;
}

static void lend(struct sj_json_stream *s, struct sj_slice text, struct sj_tape *out)
{
	*out = (struct sj_tape){
		.cells = s->reader.cells,
		.count = s->reader.count,
		.text = text.ptr,
		.text_len = s->reader.at,
		.indexes = s->reader.indexes.items,
	};
	s->lent = true;
	size_t moved = (size_t)(s->document + s->reader.at - s->offset);
	s->pos += moved;
	s->offset += moved;
	s->line = s->document_line + count_lines(text.ptr, s->reader.at);
	s->scalar_end = s->reader.cells[0].type < SJ_J_STRING ? s->offset + 1 : 0;
}

/* Runs the reader over the document's bytes so far. The feed's position has not moved past them yet when `text` lies
 * in the feed or its last bytes were just appended from it. */
static enum sj_status run(struct sj_json_stream *s, struct sj_slice text, bool final, struct sj_tape *out,
                          struct sj_diag *diag)
{
	bool fresh = diag && diag->code == SJ_E_NONE;
	enum sj_status st = sj_reader_run(&s->reader, text, final, diag);
	if (st == SJ_MORE)
		return st;
	if (st == SJ_OK) {
		lend(s, text, out);
		return st;
	}
	if (fresh)
		place_fault(s, diag);
	give_up(s, text.ptr, s->reader.at);
	return st;
}

static enum sj_status begin_document(struct sj_json_stream *s, struct sj_diag *diag)
{
	s->document = s->offset;
	s->document_line = s->line;
	s->in_document = true;
	sj_reader_init(&s->reader, &s->arena, &s->opt);
	if (s->scalar_end == s->offset + 1) {
		struct sj_slice text = {s->feed + s->pos, s->feed_len - s->pos};
		bool fresh = diag && diag->code == SJ_E_NONE;
		sj_reader_fail(&s->reader, text, 0, SJ_INVALID, SJ_E_JSON_SYNTAX, diag,
		               "expected white space after a number or literal");
		if (fresh)
			place_fault(s, diag);
		give_up(s, text.ptr, 0);
		return SJ_INVALID;
	}
	if (sj_reader_reserve(&s->reader, s->last_cells < 64 ? 64 : s->last_cells) != SJ_OK)
		return give_up_memory(s, diag);
	return SJ_OK;
}

/* Reads on in the feed itself; what is unfinished at its end is copied away. */
static enum sj_status read_in_place(struct sj_json_stream *s, struct sj_tape *out, struct sj_diag *diag)
{
	size_t left = s->feed_len - s->pos, n = left < s->opt.max_bytes ? left : s->opt.max_bytes;
	enum sj_status st = run(s, sj_slice(s->feed + s->pos, n), false, out, diag);
	if (st != SJ_MORE)
		return st;
	if (!hold_bytes(s, s->feed + s->pos, n))
		return give_up_memory(s, diag);
	s->held = true;
	s->pos += n;
	s->offset += n;
	return SJ_MORE;
}

static enum sj_status read_held(struct sj_json_stream *s, struct sj_tape *out, struct sj_diag *diag)
{
	for (;;) {
		size_t left = s->feed_len - s->pos, room = s->opt.max_bytes - s->hold_len;
		size_t n = s->hold_len < LEAST_STEP ? LEAST_STEP : s->hold_len;
		n = n < left ? n : left;
		/* What waits unread comes first: it may hold an earlier fault. */
		if (left && room == 0 && s->deferred == 0) {
			bool fresh = diag && diag->code == SJ_E_NONE;
			sj_reader_limit(&s->reader, sj_slice(s->hold, s->hold_len), s->hold_len, diag,
			                "a document longer than allowed (message_bytes", s->opt.max_bytes);
			if (fresh)
				place_fault(s, diag);
			give_up(s, s->hold, s->hold_len);
			return SJ_LIMIT;
		}
		n = n < room ? n : room;
		if (!hold_bytes(s, s->feed + s->pos, n))
			return give_up_memory(s, diag);
		s->deferred = 0;
		enum sj_status st = run(s, sj_slice(s->hold, s->hold_len), s->ended && left == 0, out, diag);
		if (st != SJ_MORE)
			return st;
		s->pos += n;
		s->offset += n;
		if (s->pos == s->feed_len && !s->ended)
			return SJ_MORE;
	}
}

enum sj_status sj_json_stream_next(struct sj_json_stream *s, struct sj_tape *out, uint64_t *offset, uint32_t *line,
                                   struct sj_diag *diag)
{
	enum sj_status st = SJ_OK;
	s->defer_room = 0;
	if (s->lent)
		close_document(s);
	if (!s->in_document) {
		if ((s->skipping && !skip_to_line(s)) || !skip_space(s))
			return SJ_MORE;
		st = begin_document(s, diag);
		if (st != SJ_OK)
			return st;
	}
	if (!s->held)
		st = read_in_place(s, out, diag);
	else
		st = SJ_MORE;
	if (st == SJ_MORE && s->held && (s->pos < s->feed_len || s->ended))
		st = read_held(s, out, diag);
	if (st == SJ_OK) {
		*offset = s->document;
		*line = s->document_line;
	} else if (st == SJ_MORE) {
		measure_defer_room(s);
	}
	return st;
}

bool sj_json_stream_peek(struct sj_json_stream *s, struct sj_tape *out, uint64_t *offset, uint32_t *line)
{
	struct sj_reader *r = &s->reader;
	if (!s->in_document || s->lent || !s->held)
		return false;
	uint32_t n = r->count, members = r->members;
	bool in_object = r->depth && r->cells[r->stack[r->depth - 1]].type == SJ_J_OBJECT;
	if (r->state == SJ_READ_STRING && !r->is_key && sj_reader_reserve(r, n + 1) == SJ_OK && n < r->cap) {
		/* Beyond the reader's own count: it will write the finished cell over this one. */
		r->cells[n] =
			(struct sj_cell){.off = (uint32_t)r->token,
		                         .len = (uint32_t)(r->at - r->token),
		                         .end = n + 1,
		                         .type = SJ_J_STRING,
		                         .flags = (uint8_t)(SJ_CELL_OPEN | (r->is_escaped ? SJ_CELL_ESCAPED : 0))};
		n++;
		members++;
	} else if (in_object && (r->state == SJ_READ_COLON || r->state == SJ_READ_VALUE || r->state == SJ_READ_NUMBER ||
	                         (r->state == SJ_READ_STRING && !r->is_key))) {
		n--; /* a key whose value has not begun */
	}
	if (n == 0)
		return false;
	for (uint32_t d = 0; d < r->depth; d++) {
		struct sj_cell *c = &r->cells[r->stack[d]];
		c->flags = SJ_CELL_OPEN;
		c->end = n;
		if (d + 1 == r->depth)
			c->len = members;
	}
	*out = (struct sj_tape){.cells = r->cells,
	                        .count = n,
	                        .text = s->hold,
	                        .text_len = s->hold_len,
	                        .indexes = r->indexes.items};
	*offset = s->document;
	*line = s->document_line;
	return true;
}
