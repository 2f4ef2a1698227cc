/* Megabytes of a model's text per second, read in pieces: infer_bench [BYTES_PER_PIECE] [KIB] [KIND]. Every message is
 * checked against the basic catalog of v1.0. The same text ten times as long shows whether the work is linear. Then
 * blocks of Express and Elemental, compiled whole and written back. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "infer/infer.h"

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void components(struct sj_buf *out, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		sj_buf_printf(
			out,
			",\n    {\"id\": \"row%u\", \"component\": \"Row\", \"children\": [\"name%u\", \"field%u\", \"ok%u\"], \"align\": "
			"\"center\"},\n    {\"id\": \"name%u\", \"component\": \"Text\", \"text\": \"Guest number %u, table by the "
			"window\", \"variant\": \"body\"},\n    {\"id\": \"field%u\", \"component\": \"TextField\", \"label\": \"Wishes\", "
			"\"value\": {\"path\": \"/guests/%u/wish\"}},\n    {\"id\": \"ok%u\", \"component\": \"Button\", \"child\": "
			"\"name%u\", \"action\": {\"event\": {\"name\": \"confirm\", \"context\": {\"guest\": {\"path\": "
			"\"/guests/%u/name\"}}}}}",
			i, i, i, i, i, i, i, i, i, i, i);
}

static void data(struct sj_buf *out, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		sj_buf_printf(out,
		              "%s\n    {\"name\": \"Ada Lovelace %u\", \"wish\": \"A quiet place, please\", \"seats\": %u, "
		              "\"vip\": true, \"tags\": [\"early\", \"vegan\"]}",
		              i ? "," : "", i, i % 7);
}

/* `big`: all in one pair of messages, else in many of moderate size. */
static void response(struct sj_buf *out, size_t bytes, bool with_components, bool with_data, bool big)
{
	sj_buf_puts(out, "Here is your table plan.\n<a2ui-json>\n[");
	for (uint32_t s = 0; out->len < bytes; s++) {
		uint32_t n = big ? (uint32_t)(bytes / 700) : 12;
		sj_buf_printf(out, "%s\n  {\"version\": \"v1.0\", \"createSurface\": {\"surfaceId\": \"plan%u\", \"catalogId\": "
		                   "\"https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json\"}}",
		              s ? "," : "", s);
		if (with_components) {
			sj_buf_printf(out,
			              ",\n  {\"version\": \"v1.0\", \"updateComponents\": {\"surfaceId\": \"plan%u\", "
			              "\"components\": [\n    {\"id\": \"root\", \"component\": \"Column\", \"children\": [\"row0\"]}",
			              s);
			components(out, n);
			sj_buf_puts(out, "\n  ]}}");
		}
		if (with_data) {
			sj_buf_printf(out,
			              ",\n  {\"version\": \"v1.0\", \"updateDataModel\": {\"surfaceId\": \"plan%u\", \"path\": "
			              "\"/guests\", \"value\": [",
			              s);
			data(out, n);
			sj_buf_puts(out, "\n  ]}}");
		}
	}
	sj_buf_puts(out, "\n]\n</a2ui-json>\nEnjoy.");
}

static double run(struct sj_mem *mem, const struct sj_format *f, struct sj_slice text, size_t step, bool deltas,
                  uint64_t *messages)
{
	struct sj_parser_options opt = {.deltas = deltas, .repair_cap = 16};
	struct sj_parts parts = {0};
	struct sj_parser *p = NULL;
	struct sj_diag d = {0};
	double start = now();
	enum sj_status st = sj_parser_create(f, &opt, &p);
	*messages = 0;
	for (size_t at = 0; st == SJ_OK && at < text.len; at += step) {
		st = sj_parser_feed(p, text.ptr + at, step < text.len - at ? step : text.len - at, &parts, &d);
		for (uint32_t i = 0; i < parts.list.count; i++)
			*messages += sj_value_count(&parts.list.items[i].messages);
		if (parts.list.count)
			sj_parts_clear(mem, &parts);
	}
	if (st == SJ_OK)
		st = sj_parser_end(p, &parts, &d);
	double spent = now() - start;
	sj_parts_finish(mem, &parts);
	sj_parser_destroy(p);
	if (st != SJ_OK)
		printf("refused: %s\n", d.message);
	return spent;
}

/* The prompt of the basic catalog, catalog included. */
static void prompts(void)
{
	for (int brief = 0; brief < 2; brief++) {
		double best = 1e9, all = 0;
		size_t bytes = 0;
		enum { RUNS = 50 };
		for (int i = 0; i < RUNS; i++) {
			struct sj_prompt_options opt = {.brief = brief};
			struct sj_catalog *c = NULL;
			struct sj_format *f = NULL;
			struct sj_buf out;
			struct sj_mem mem;
			sj_mem_init(&mem, NULL, 0);
			sj_buf_init(&out, &mem, 0);
			double start = now();
			if (sj_catalog_basic(&mem, SJ_V10, NULL, NULL, &c) != SJ_OK)
				return;
			struct sj_format_options of = {.id = SJ_FORMAT_DIRECT_JSON,
			                               .catalogs = (const struct sj_catalog *const *)&c,
			                               .ncatalogs = 1};
			if (sj_format_create(&mem, &of, &f, NULL) != SJ_OK ||
			    sj_prompt_write(f, &opt, &out, NULL) != SJ_OK)
				return;
			double spent = now() - start;
			all += spent;
			best = spent < best ? spent : best;
			bytes = out.len;
			sj_buf_finish(&out);
			sj_format_destroy(f);
			sj_catalog_destroy(c);
		}
		printf("prompt, %-12s %8zu bytes %8.3f ms best %8.3f ms mean of %d\n", brief ? "signatures" : "schemas",
		       bytes, best * 1e3, all * 1e3 / RUNS, RUNS);
	}
}

/* ---- compact notations ------------------------------------------------------------------------------------------- */

static void express(struct sj_buf *out, size_t bytes)
{
	sj_buf_puts(out, "surface(\"plan\")\nroot = Column([row0])\n");
	for (uint32_t i = 0; out->len < bytes; i++)
		sj_buf_printf(out,
		              "row%u = Row([name%u, field%u, ok%u], align=\"center\")\nname%u = Text(\"Guest number %u, table by "
		              "the window\", \"body\")\nfield%u = TextField(\"Wishes\", $/guests/%u/wish)\nok%u = Button(name%u, "
		              "action=Event(\"confirm\", {guest: $/guests/%u/name}))\n$/g%u = {name: \"Ada Lovelace\", seats: 4, "
		              "tags: [\"early\", \"vegan\"]}\n",
		              i, i, i, i, i, i, i, i, i, i, i, i);
}

static void elemental(struct sj_buf *out, size_t bytes)
{
	sj_buf_puts(out, "<body id=\"plan\">\n<ui-column id=\"root\">\n");
	for (uint32_t i = 0; out->len < bytes; i++)
		sj_buf_printf(out,
		              "  <ui-row id=\"row%u\" align=\"center\">\n    <ui-text id=\"name%u\" text=\"Guest number %u, table "
		              "by the window\" variant=\"body\" />\n    <ui-text-field id=\"field%u\" label=\"Wishes\" "
		              "value=\"{/guests/%u/wish}\" />\n    <ui-button id=\"ok%u\" child=\"name%u\" action=\"{event(name: "
		              "'confirm', context: {guest: /guests/%u/name})}\" />\n  </ui-row>\n",
		              i, i, i, i, i, i, i, i);
	sj_buf_puts(out, "</ui-column>\n</body>\n");
}

static void compact(struct sj_mem *mem, const struct sj_catalog *c, enum sj_format_id id, size_t bytes)
{
	struct sj_format_options opt = {.id = id, .catalogs = &c, .ncatalogs = 1};
	struct sj_format *f = NULL;
	struct sj_diag d = {0};
	double read = 1e9, written = 1e9;
	struct sj_buf text, back;
	sj_buf_init(&text, mem, 0);
	sj_buf_init(&back, mem, 0);
	(id == SJ_FORMAT_EXPRESS ? express : elemental)(&text, bytes);
	enum sj_status st = sj_format_create(mem, &opt, &f, &d);
	for (int i = 0; i < 3 && st == SJ_OK; i++) {
		struct sj_value v = {0};
		double start = now();
		st = sj_format_compile(f, sj_buf_view(&text), &v, NULL, &d);
		double mid = now();
		sj_buf_clear(&back);
		if (st == SJ_OK)
			st = sj_format_decompile(f, &v, &back, &d);
		double end = now();
		read = mid - start < read ? mid - start : read;
		written = end - mid < written ? end - mid : written;
		sj_value_unref(mem, v);
	}
	if (st != SJ_OK)
		printf("refused: %s\n", d.message);
	printf("%-20s compile %8.2f MB %8.1f MB/s, decompile and prove %8.1f MB/s\n", sj_format_name(id),
	       (double)text.len / 1e6, (double)text.len / 1e6 / read, (double)text.len / 1e6 / written);
	sj_buf_finish(&text);
	sj_buf_finish(&back);
	sj_format_destroy(f);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool components, data, big;
	} kinds[] = {{"mixed", true, true, false},
	             {"components", true, false, false},
	             {"one big message", true, false, true},
	             {"data", false, true, false},
	             {"one big data model", false, true, true}};
	size_t step = argc > 1 ? strtoul(argv[1], NULL, 10) : 16, kib = argc > 2 ? strtoul(argv[2], NULL, 10) : 1024;
	struct sj_catalog *c = NULL;
	struct sj_format *f = NULL;
	struct sj_mem mem;
	sj_mem_init(&mem, NULL, 0);
	step = step ? step : 1;
	if (sj_catalog_basic(&mem, SJ_V10, NULL, NULL, &c) != SJ_OK)
		return 3;
	struct sj_format_options opt = {
		.id = SJ_FORMAT_DIRECT_JSON, .catalogs = (const struct sj_catalog *const *)&c, .ncatalogs = 1};
	if (sj_format_create(&mem, &opt, &f, NULL) != SJ_OK)
		return 3;
	const char *only = argc > 3 ? argv[3] : NULL; /* one kind, as deltas: for a profiler */
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (int deltas = 1; deltas >= (only ? 1 : 0) && (!only || strcmp(only, kinds[k].name) == 0); deltas--)
			for (size_t times = 1; times <= (deltas || !kinds[k].big ? 10u : 1u); times *= 10) {
				struct sj_buf text;
				double best = 1e9;
				uint64_t messages = 0;
				sj_buf_init(&text, &mem, 0);
				response(&text, !deltas && kinds[k].big ? 65536 : times * kib * 1024,
				         kinds[k].components, kinds[k].data, kinds[k].big);
				for (int i = 0; i < 3; i++) {
					double t = run(&mem, f, sj_buf_view(&text), step, deltas, &messages);
					best = t < best ? t : best;
				}
				printf("%-20s %s %3zux %8.2f MB %8.1f MB/s %8llu messages\n", kinds[k].name,
				       deltas ? "deltas" : "whole ", times, (double)text.len / 1e6,
				       (double)text.len / 1e6 / best, (unsigned long long)messages);
				sj_buf_finish(&text);
			}
	for (size_t times = 1; times <= 10 && !only; times *= 10) {
		compact(&mem, c, SJ_FORMAT_EXPRESS, times * kib * 1024);
		compact(&mem, c, SJ_FORMAT_ELEMENTAL, times * kib * 1024);
	}
	sj_format_destroy(f);
	sj_catalog_destroy(c);
	if (!only)
		prompts();
	return 0;
}
