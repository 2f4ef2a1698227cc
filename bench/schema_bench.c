/* schema_bench SPECIFICATION MESSAGES.jsonl [VERSION [REPEATS]]
 *
 * SPECIFICATION is the folder of the official A2UI specification (a2ui/specification of the public data), VERSION v1_0
 * or v0_9. Prints one JSON line: the median time to read and compile the version's schemas, and to validate every line
 * of the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "schema/schema.h"

enum { MOST_REPEATS = 101, MOST_LINES = 200000 };

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *times, int n)
{
	qsort(times, (size_t)n, sizeof *times, by_value);
	return times[n / 2];
}

static struct sj_slice slurp(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	size_t len = 0, cap = 0, got;

	if (!f) {
		fprintf(stderr, "schema_bench: cannot read %s\n", path);
		exit(1);
	}
	do {
		if (len == cap) {
			cap = cap ? cap * 2 : 65536;
			text = realloc(text, cap);
			if (!text)
				exit(1);
		}
		got = fread(text + len, 1, cap - len, f);
		len += got;
	} while (got > 0);
	fclose(f);
	return sj_slice(text, len);
}

struct document {
	const char *uri;
	struct sj_slice text;
};

static const struct sj_schema *build(struct sj_mem *mem, const struct document *docs, const char *envelope,
                                     struct sj_schema_set **set)
{
	struct sj_schema_options opt = {.assert_format = true};
	const struct sj_schema *schema = NULL;
	struct sj_diag diag = {0};

	if (sj_schema_set_create(mem, &opt, set) != SJ_OK)
		return NULL;
	for (int i = 0; i < 3; i++)
		if (sj_schema_set_add(*set, sj_slice_of(docs[i].uri), docs[i].text, &diag) != SJ_OK)
			break;
	if (sj_schema_compile(*set, sj_slice_of(envelope), &schema, &diag) != SJ_OK)
		fprintf(stderr, "schema_bench: %s at %s\n", diag.message, diag.pointer);
	return schema;
}

static bool tell(void *ctx, const struct sj_schema_fault *f)
{
	fprintf(stderr, "schema_bench: line %u: %.*s: %s\n", *(unsigned *)ctx, SJ_ARG(f->keyword), f->message);
	return false;
}

int main(int argc, char **argv)
{
	static struct sj_tape tapes[MOST_LINES];
	static double times[MOST_REPEATS];
	struct document docs[3];
	struct sj_mem mem;
	struct sj_arena lines, scratch;
	struct sj_schema_set *set;
	char path[3][512], uri[3][128];
	bool old;

	if (argc < 3) {
		fprintf(stderr, "usage: schema_bench SPECIFICATION MESSAGES.jsonl [VERSION [REPEATS]]\n");
		return 2;
	}
	const char *version = argc > 3 ? argv[3] : "v1_0";
	int repeats = argc > 4 ? (int)strtol(argv[4], NULL, 10) : 21;
	if (repeats < 1 || repeats > MOST_REPEATS)
		repeats = 21;
	old = strcmp(version, "v1_0") != 0;
	const char *names[] = {"json/common_types.json", "catalogs/basic/catalog.json",
		old ? "json/server_to_client.json" : "json/agent_to_renderer.json"};
	const char *uris[] = {"common_types.json", "catalog.json",
	                      old ? "server_to_client.json" : "agent_to_renderer.json"};
	for (int i = 0; i < 3; i++) {
		snprintf(path[i], sizeof path[i], "%s/%s/%s", argv[1], version, names[i]);
		snprintf(uri[i], sizeof uri[i], "https://a2ui.org/specification/%s/%s", old ? "v0_9" : "v1_0", uris[i]);
		docs[i] = (struct document){uri[i], slurp(path[i])};
	}

	sj_mem_init(&mem, NULL, 0);
	for (int i = 0; i < repeats; i++) {
		double start = now_ms();
		if (!build(&mem, docs, uri[2], &set))
			return 1;
		times[i] = now_ms() - start;
		sj_schema_set_destroy(set);
	}
	double compile_ms = median(times, repeats);

	size_t before = mem.used_bytes;
	const struct sj_schema *schema = build(&mem, docs, uri[2], &set);
	size_t held = mem.used_bytes - before;
	struct sj_slice text = slurp(argv[2]);
	struct sj_json_options json = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	unsigned count = 0, invalid = 0;
	sj_arena_init(&lines, &mem, 65536);
	sj_arena_init(&scratch, &mem, 65536);
	for (size_t at = 0; at < text.len && count < MOST_LINES;) {
		const char *end = memchr(text.ptr + at, '\n', text.len - at);
		size_t len = end ? (size_t)(end - text.ptr) - at : text.len - at;
		if (len > 0 && sj_json_parse(&lines, &json, sj_slice(text.ptr + at, len), &tapes[count], NULL) == SJ_OK)
			count++;
		at += len + 1;
	}
	for (unsigned i = 0; i < count; i++)
		invalid += sj_schema_validate(schema, &tapes[i], 0, &scratch, invalid ? NULL : tell, &i) != SJ_OK;
	for (int i = 0; i < repeats; i++) {
		double start = now_ms();
		for (unsigned k = 0; k < count; k++)
			sj_schema_validate(schema, &tapes[k], 0, &scratch, NULL, NULL);
		times[i] = now_ms() - start;
	}
	double ms = median(times, repeats);
	printf("{\"bench\":\"schema\",\"version\":\"%s\",\"compile_ms\":%.3f,\"held_bytes\":%zu,\"messages\":%u,\"invalid\":%u,"
	       "\"validate_ms\":%.3f,\"messages_per_s\":%.0f,\"mb_per_s\":%.1f}\n",
	       version, compile_ms, held, count, invalid, ms, count / ms * 1e3, (double)text.len / 1e3 / ms);
	sj_schema_set_destroy(set);
	sj_arena_finish(&lines);
	sj_arena_finish(&scratch);
	free((char *)(uintptr_t)text.ptr);
	for (int i = 0; i < 3; i++)
		free((char *)(uintptr_t)docs[i].text.ptr);
	return invalid > 0;
}
