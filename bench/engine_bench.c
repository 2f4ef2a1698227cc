/* The engine over the peer's workloads: engine_bench SCENARIO FILE [REPS] prints one JSON line. Scenarios,
 * with the rows of bench/run.mjs that show them:
 *
 *   state      parse, validate, apply                                  P3
 *   tree       the same, and every node resolved                       P2, P4, P4b, P5
 *   edit       one cell, one row appended, the first row removed       P5b; FILE is a template workload
 *   keys N     N set-up messages, then one at a time with its batch    P6, P7
 *   stream N   chunks of N bytes, resolved at the end                  P10
 *   life       create all, memory a surface, delete all                P9, P12
 *
 * Times are milliseconds of the monotonic clock: median and minimum. No figure here passes or fails anything.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/engine.h"

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static char *slurp(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	long n = ftell(f);
	fseek(f, 0, SEEK_SET);
	char *text = n > 0 ? malloc((size_t)n + 1) : NULL;
	if (text && fread(text, 1, (size_t)n, f) != (size_t)n) {
		free(text);
		text = NULL;
	}
	fclose(f);
	if (text) {
		text[n] = 0;
		*len = (size_t)n;
	}
	return text;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static struct sj_engine *make(bool lazy)
{
	struct sj_engine_config cfg = {.size = sizeof cfg, .lazy_rows = lazy};
	struct sj_limits *l = malloc(sizeof *l);
	*l = SJ_LIMITS_DEFAULT;
	cfg.limits = l;
	struct sj_engine *e;
	enum sj_status st = sj_engine_create(&cfg, &e);
	free(l);
	if (st != SJ_OK)
		exit(1);
	return e;
}

/* Takes every event and every change record, as a face does. Returns the number of records. */
static uint64_t drain(struct sj_engine *e)
{
	struct sj_event ev;
	uint64_t records = 0;
	while (sj_engine_next(e, &ev) == SJ_OK) {
		if (ev.kind == SJ_EV_DIAG) {
			fprintf(stderr, "fault: %s %s\n", sj_code_name(ev.diag->code), ev.diag->message);
			exit(1);
		}
		if (ev.kind != SJ_EV_SURFACE_CHANGED)
			continue;
		const struct sj_change *c;
		uint32_t n;
		if (sj_surface_changes(sj_view_surface(ev.view), &c, &n) == SJ_OK)
			records += n;
	}
	return records;
}

static uint64_t resolve(struct sj_engine *e)
{
	uint64_t nodes = 0;
	for (uint32_t i = 0, n = sj_engine_view_count(e); i < n && i < 1000; i++) {
		struct sj_surface *s = sj_view_surface(sj_engine_view_at(e, i));
		if (sj_surface_settle(s) != SJ_OK)
			exit(1);
		nodes += sj_surface_node_count(s);
	}
	return nodes;
}

static uint32_t peer_of(struct sj_engine *e)
{
	uint32_t p;
	if (sj_engine_peer_open(e, SJ_LIT("bench"), &p) != SJ_OK)
		exit(1);
	return p;
}

static void report(const char *name, double *t, int n, const char *extra)
{
	qsort(t, (size_t)n, sizeof *t, by_value);
	printf("{\"scenario\":\"%s\",\"med_ms\":%.4f,\"min_ms\":%.4f,\"reps\":%d%s}\n", name, t[n / 2], t[0], n, extra);
}

static void whole(const char *name, bool tree, const char *text, size_t len, int reps, size_t chunk)
{
	double *t = calloc((size_t)reps, sizeof *t);
	uint64_t nodes = 0;
	size_t memory = 0;
	for (int r = -1; r < reps; r++) {
		struct sj_engine *e = make(false);
		uint32_t p = peer_of(e);
		double a = now_ms();
		if (chunk == 0) {
			sj_engine_feed(e, p, text, len);
		} else {
			for (size_t i = 0; i < len; i += chunk)
				sj_engine_feed(e, p, text + i, len - i < chunk ? len - i : chunk);
		}
		sj_engine_feed_end(e, p);
		if (tree)
			nodes = resolve(e);
		double b = now_ms();
		memory = sj_engine_memory(e);
		drain(e);
		sj_engine_destroy(e);
		if (r >= 0)
			t[r] = b - a;
	}
	char extra[160];
	snprintf(extra, sizeof extra, ",\"bytes\":%zu,\"nodes\":%llu,\"engine_bytes\":%zu,\"MBps\":%.1f", len, (unsigned long long)nodes, memory, 0.0);
	qsort(t, (size_t)reps, sizeof *t, by_value);
	snprintf(extra, sizeof extra, ",\"bytes\":%zu,\"nodes\":%llu,\"engine_bytes\":%zu,\"MBps\":%.1f", len, (unsigned long long)nodes, memory,
	         (double)len / 1e3 / t[reps / 2]);
	report(name, t, reps, extra);
	free(t);
}

static const char *line_end(const char *at) { return strchr(at, '\n') ? strchr(at, '\n') + 1 : at + strlen(at); }

/* Set-up messages, then each further one fed and its batch taken. */
static void keys(const char *text, int setup, bool per_message)
{
	struct sj_engine *e = make(false);
	uint32_t p = peer_of(e);
	const char *at = text;
	for (int i = 0; i < setup; i++) {
		const char *end = line_end(at);
		sj_engine_feed(e, p, at, (size_t)(end - at));
		at = end;
	}
	drain(e);
	/* Split before the clock starts, as the peer's runner does. */
	enum { MOST = 400000 };
	double *t = calloc(MOST, sizeof *t);
	struct sj_slice *lines = calloc(MOST, sizeof *lines);
	int n = 0;
	uint64_t records = 0;
	if (!t || !lines)
		exit(1);
	for (; *at && n < MOST; n++) {
		const char *end = line_end(at);
		lines[n] = sj_slice(at, (size_t)(end - at));
		at = end;
	}
	for (int round = 0; round < 3; round++) {
		double a0 = now_ms();
		for (int i = 0; i < n; i++) {
			double a = per_message ? now_ms() : 0;
			sj_engine_feed(e, p, lines[i].ptr, lines[i].len);
			records += drain(e);
			if (per_message)
				t[i] = now_ms() - a;
		}
		if (!per_message)
			t[round] = now_ms() - a0;
	}
	free(lines);
	if (per_message) {
		qsort(t, (size_t)n, sizeof *t, by_value);
		printf("{\"scenario\":\"keys\",\"p50_us\":%.3f,\"p99_us\":%.3f,\"n\":%d,\"records\":%llu}\n", t[n / 2] * 1e3, t[n * 99 / 100] * 1e3, n,
		       (unsigned long long)records);
	} else {
		qsort(t, 3, sizeof *t, by_value);
		printf("{\"scenario\":\"messages\",\"med_ms\":%.3f,\"n\":%d,\"msgs_per_s\":%.0f,\"records\":%llu}\n", t[1], n, n / t[1] * 1e3,
		       (unsigned long long)records);
	}
	free(t);
	sj_engine_destroy(e);
}

static double timed_message(struct sj_engine *e, uint32_t p, const char *json, size_t len)
{
	double a = now_ms();
	sj_engine_feed(e, p, json, len);
	drain(e);
	return now_ms() - a;
}

/* The rows message of the workload is its third line: {... "value":[ROW,ROW,...]}}. */
static void edit(const char *text, bool lazy)
{
	struct sj_engine *e = make(lazy);
	uint32_t p = peer_of(e);
	sj_engine_feed(e, p, text, strlen(text));
	if (lazy) { /* a face shows 50 rows */
		struct sj_surface *s = sj_view_surface(sj_engine_view_at(e, 0));
		sj_surface_settle(s);
		sj_node_window(s, sj_surface_find(s, SJ_LIT("list"), NULL, 0), 0, 50);
	}
	drain(e);
	const char *version = strstr(text, "v1.0") ? "v1.0" : "v0.9";
	double cell[201], append[201];
	for (int i = 0; i < 201; i++) {
		char json[256];
		int n = snprintf(json, sizeof json, "{\"version\":\"%s\",\"updateDataModel\":{\"surfaceId\":\"lst\",\"path\":\"/rows/%d/name\",\"value\":\"n%d\"}}\n", version,
		                 i % 50, i);
		cell[i] = timed_message(e, p, json, (size_t)n);
	}
	uint32_t rows = sj_value_count(
		sj_surface_get(sj_view_surface(sj_engine_view_at(e, 0)), SJ_ROOT_DATA, &SJ_LIT("rows"), 1));
	for (int i = 0; i < 201; i++) {
		char json[256];
		int n = snprintf(json, sizeof json,
		                 "{\"version\":\"%s\",\"updateDataModel\":{\"surfaceId\":\"lst\",\"path\":\"/rows/%u\",\"value\":{\"name\":\"x\",\"qty\":1,\"price\":2.5,\"done\":false}}}\n",
		                 version, rows + (uint32_t)i);
		append[i] = timed_message(e, p, json, (size_t)n);
	}
	/* The whole array without its first row, then with it again. */
	const char *third = line_end(line_end(text));
	size_t len = strlen(third);
	const char *first_row = strstr(third, "\"value\":[") + 9, *second_row = strstr(first_row, "},{") + 2;
	char *shorter = malloc(len + 1);
	size_t head = (size_t)(first_row - third);
	memcpy(shorter, third, head);
	memcpy(shorter + head, second_row, len - (size_t)(second_row - third) + 1);
	double removed[11];
	sj_engine_feed(e, p, third, len);
	drain(e);
	for (int i = 0; i < 11; i++) {
		removed[i] = timed_message(e, p, shorter, strlen(shorter));
		sj_engine_feed(e, p, third, len);
		drain(e);
	}
	qsort(cell, 201, sizeof *cell, by_value);
	qsort(append, 201, sizeof *append, by_value);
	qsort(removed, 11, sizeof *removed, by_value);
	printf("{\"scenario\":\"edit%s\",\"rows\":%u,\"cell_us\":%.3f,\"append_us\":%.3f,\"remove_first_ms\":%.3f}\n", lazy ? "-window" : "", rows, cell[100] * 1e3,
	       append[100] * 1e3, removed[5]);
	free(shorter);
	sj_engine_destroy(e);
}

static void life(const char *text, size_t len)
{
	double create[3], destroy[3];
	size_t each = 0, kept = 0;
	uint32_t count = 0;
	for (int r = 0; r < 3; r++) {
		struct sj_engine *e = make(false);
		uint32_t p = peer_of(e);
		size_t before = sj_engine_memory(e);
		double a = now_ms();
		const char *end;
		uint32_t line = 0;
		for (const char *at = text; *at; at = end) {
			end = line_end(at);
			sj_engine_feed(e, p, at, (size_t)(end - at));
			if (++line % 300 == 0)
				drain(e);
		}
		drain(e);
		create[r] = now_ms() - a;
		count = sj_engine_view_count(e);
		each = (sj_engine_memory(e) - before) / (count ? count : 1);
		const char *version = strstr(text, "v1.0") ? "v1.0" : "v0.9";
		a = now_ms();
		for (uint32_t i = 0; i < count; i++) {
			char json[128];
			int n = snprintf(json, sizeof json, "{\"version\":\"%s\",\"deleteSurface\":{\"surfaceId\":\"s%u\"}}\n", version, i);
			sj_engine_feed(e, p, json, (size_t)n);
			if (i % 100 == 99)
				drain(e);
		}
		drain(e);
		destroy[r] = now_ms() - a;
		kept = sj_engine_view_count(e);
		sj_engine_destroy(e);
	}
	qsort(create, 3, sizeof *create, by_value);
	qsort(destroy, 3, sizeof *destroy, by_value);
	printf("{\"scenario\":\"life\",\"bytes\":%zu,\"surfaces\":%u,\"create_ms\":%.3f,\"delete_ms\":%.3f,\"bytes_a_surface\":%zu,\"left\":%zu}\n", len, count, create[1],
	       destroy[1], each, kept);
}

int main(int argc, char **argv)
{
	if (argc < 3) {
		fprintf(stderr, "usage: engine_bench state|tree|edit|edit-window|keys|messages|stream|life FILE [N] [REPS]\n");
		return 2;
	}
	/* A warm process: what one repetition gave back is there for the next, as it is in the peer's own heap. */
	mallopt(M_TRIM_THRESHOLD, 1 << 30);
	mallopt(M_MMAP_THRESHOLD, 1 << 30);
	size_t len = 0;
	char *text = slurp(argv[2], &len);
	if (!text) {
		fprintf(stderr, "engine_bench: cannot read %s\n", argv[2]);
		return 3;
	}
	int n = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 0;
	int reps = argc > 4 ? (int)strtol(argv[4], NULL, 10) : 9;
	if (!strcmp(argv[1], "state"))
		whole("state", false, text, len, reps, 0);
	else if (!strcmp(argv[1], "tree"))
		whole("tree", true, text, len, reps, 0);
	else if (!strcmp(argv[1], "stream"))
		whole("stream", true, text, len, reps, (size_t)(n > 0 ? n : 16));
	else if (!strcmp(argv[1], "keys"))
		keys(text, n > 0 ? n : 3, true);
	else if (!strcmp(argv[1], "messages"))
		keys(text, n > 0 ? n : 3, false);
	else if (!strcmp(argv[1], "edit") || !strcmp(argv[1], "edit-window"))
		edit(text, !strcmp(argv[1], "edit-window"));
	else if (!strcmp(argv[1], "life"))
		life(text, len);
	else
		return 2;
	free(text);
	return 0;
}
