/* Megabytes per second of the readers: json_bench FILE [SECONDS]. Each line of FILE is one document. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json/stream.h"
#include "json/tape.h"
#include "json/value.h"

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct sj_slice slurp(const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return SJ_NO_SLICE;
	size_t len = 0, cap = 1 << 20, n;
	char *all = malloc(cap);
	while (all && (n = fread(all + len, 1, cap - len, f)) > 0)
		if ((len += n) == cap)
			all = realloc(all, cap *= 2);
	fclose(f);
	return (struct sj_slice){all, all ? len : 0};
}

struct bench {
	struct sj_slice text;
	struct sj_mem mem;
	struct sj_arena arena;
	struct sj_json_options opt;
	uint64_t found; /* cells or values, so that nothing is optimised away */
};

static struct sj_slice next_line(struct sj_slice *rest)
{
	const char *nl = memchr(rest->ptr, '\n', rest->len);
	struct sj_slice line = {rest->ptr, nl ? (size_t)(nl - rest->ptr) : rest->len};
	size_t skip = line.len + (nl != NULL);
	rest->ptr += skip;
	rest->len -= skip;
	return line;
}

static bool tape_lines(struct bench *b)
{
	for (struct sj_slice rest = b->text; rest.len;) {
		struct sj_slice line = next_line(&rest);
		struct sj_tape t;
		if (line.len == 0)
			continue;
		if (sj_json_parse(&b->arena, &b->opt, line, &t, NULL) != SJ_OK)
			return false;
		b->found += t.count;
		sj_arena_reset(&b->arena);
	}
	return true;
}

static bool value_lines(struct bench *b)
{
	for (struct sj_slice rest = b->text; rest.len;) {
		struct sj_slice line = next_line(&rest);
		struct sj_value v;
		if (line.len == 0)
			continue;
		if (sj_value_parse(&b->mem, &b->opt, line, &v, NULL) != SJ_OK)
			return false;
		b->found += sj_value_count(&v);
		sj_value_unref(&b->mem, v);
	}
	return true;
}

static bool stream_chunks(struct bench *b, size_t chunk)
{
	struct sj_json_stream *s;
	if (sj_json_stream_create(&b->mem, &b->opt, &s) != SJ_OK)
		return false;
	bool good = true;
	for (size_t at = 0; at < b->text.len && good;) {
		size_t n = b->text.len - at < chunk ? b->text.len - at : chunk;
		sj_json_stream_feed(s, b->text.ptr + at, n);
		at += n;
		struct sj_tape t;
		uint64_t offset;
		uint32_t line;
		enum sj_status st;
		while ((st = sj_json_stream_next(s, &t, &offset, &line, NULL)) == SJ_OK)
			b->found += t.count;
		good = st == SJ_MORE;
	}
	sj_json_stream_destroy(s);
	return good;
}

static bool stream_16(struct bench *b) { return stream_chunks(b, 16); }
static bool stream_64k(struct bench *b) { return stream_chunks(b, 65536); }

static bool print_lines(struct bench *b)
{
	static struct sj_value *docs;
	static size_t count;
	if (!docs) {
		docs = malloc(b->text.len / 2 * sizeof *docs + 64);
		for (struct sj_slice rest = b->text; docs && rest.len;) {
			struct sj_slice line = next_line(&rest);
			if (line.len && sj_value_parse(&b->mem, &b->opt, line, &docs[count++], NULL) != SJ_OK)
				return false;
		}
	}
	struct sj_buf out;
	sj_buf_init(&out, &b->mem, 0);
	for (size_t i = 0; i < count; i++) {
		sj_buf_clear(&out);
		sj_value_print(&out, &docs[i], SJ_PRINT_COMPACT);
		b->found += out.len;
	}
	sj_buf_finish(&out);
	return true;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool (*run)(struct bench *);
	} rows[] = {
		{"tape", tape_lines},          {"value", value_lines}, {"stream, 16-byte chunks", stream_16},
		{"stream, 64 KiB chunks", stream_64k}, {"print", print_lines},
	};
	if (argc < 2) {
		fprintf(stderr, "usage: json_bench FILE [SECONDS]\n");
		return 2;
	}
	double seconds = argc > 2 ? strtod(argv[2], NULL) : 1;
	struct bench b = {.text = slurp(argv[1]), .opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT)};
	if (!b.text.len) {
		fprintf(stderr, "json_bench: cannot read %s\n", argv[1]);
		return 1;
	}
	sj_mem_init(&b.mem, NULL, 0);
	sj_arena_init(&b.arena, &b.mem, 0);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double begin = now(), spent, best = 1e9;
		int rounds = 0;
		do {
			double from = now();
			if (!rows[i].run(&b)) {
				fprintf(stderr, "json_bench: %s: a document is refused\n", rows[i].name);
				return 1;
			}
			double took = now() - from;
			best = took < best ? took : best;
			rounds++;
			spent = now() - begin;
		} while (spent < seconds);
		double mb = (double)b.text.len / 1e6;
		printf("%-24s %8.1f MB/s mean %8.1f MB/s best\n", rows[i].name, mb * rounds / spent, mb / best);
	}
	sj_arena_finish(&b.arena);
	free((void *)(uintptr_t)b.text.ptr);
	return b.found ? 0 : 1;
}
