/* How long the reports about a surface take: explain, lints, accessibility tree, of 2,000 components of which every
 * second one has something amiss. The target of explain is 20 ms. */
#include <stdio.h>
#include <time.h>

#include "engine/engine.h"

#define COMPONENTS 2000
#define ROUNDS 20

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void on_lint(void *ctx, const struct sj_lint *l)
{
	(void)l;
	++*(unsigned *)ctx;
}

int main(void)
{
	struct sj_engine_config cfg = {.size = sizeof cfg};
	struct sj_mem mem;
	struct sj_engine *e;
	struct sj_buf text, out;
	uint32_t peer;
	unsigned lints = 0;
	sj_mem_init(&mem, NULL, 0);
	sj_buf_init(&text, &mem, 0);
	sj_buf_init(&out, &mem, 0);
	sj_buf_puts(&text, "{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":"
	                   "\"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json\"}}\n"
	                   "{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/\",\"value\":{\"name\":\"x\"}}}\n"
	                   "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":["
	                   "{\"id\":\"root\",\"component\":\"Column\",\"children\":[");
	for (int i = 0; i < COMPONENTS; i++)
		sj_buf_printf(&text, "%s\"c%d\"", i ? "," : "", i);
	sj_buf_puts(&text, "]}");
	for (int i = 0; i < COMPONENTS; i++)
		sj_buf_printf(&text, ",{\"id\":\"c%d\",\"component\":\"Text\",\"text\":{\"path\":\"/%s%d\"}}", i, i % 2 ? "nmae" : "place", i);
	sj_buf_puts(&text, "]}}\n");
	if (sj_engine_create(&cfg, &e) != SJ_OK || sj_engine_peer_open(e, SJ_LIT("agent"), &peer) != SJ_OK ||
	    sj_engine_feed(e, peer, text.ptr, text.len) != SJ_OK || sj_engine_feed_end(e, peer) != SJ_OK)
		return 1;
	struct sj_view *v = sj_engine_view_at(e, 0);
	for (int kind = 0; kind < 3; kind++) {
		static const char *const names[] = {"explain", "lint", "a11y"};
		double best = 1e9;
		for (int i = 0; i < ROUNDS; i++) {
			double from = now_ms();
			sj_buf_clear(&out);
			enum sj_status st = kind == 0   ? sj_view_explain(e, v, SJ_NO_SLICE, &out)
			                    : kind == 1 ? sj_view_lint(e, v, false, on_lint, &lints)
			                                : sj_view_a11y(e, v, &out);
			double took = now_ms() - from;
			if (st != SJ_OK)
				return 1;
			best = took < best ? took : best;
		}
		printf("%-8s %8.2f ms for %d components\n", names[kind], best, COMPONENTS);
	}
	sj_engine_destroy(e);
	sj_buf_finish(&text);
	sj_buf_finish(&out);
	return 0;
}
