/* How long a grammar and a schema of the basic catalog take, and how large they are. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <time.h>

#include "infer/grammar.h"

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(void)
{
	static const char *const names[] = {"grammar", "grammar, tree", "schema", "strict schema"};
	static const enum sj_version versions[] = {SJ_V09, SJ_V091, SJ_V10};
	struct sj_mem mem;
	sj_mem_init(&mem, NULL, 0);
	for (int v = 0; v < 3; v++) {
		struct sj_catalog *made = NULL;
		if (sj_catalog_basic(&mem, versions[v], NULL, NULL, &made) != SJ_OK)
			return 3;
		const struct sj_catalog *c = made;
		for (int kind = 0; kind < 4; kind++) {
			struct sj_grammar_options opt = {.catalogs = &c, .ncatalogs = 1, .strict_subset = kind == 3};
			struct sj_buf out;
			double best = 1e9;
			if (kind == 1) {
				opt.messages = SJ_GRAMMAR_CREATE;
				opt.ids = SJ_GRAMMAR_IDS_TREE;
			}
			sj_buf_init(&out, &mem, 0);
			for (int i = 0; i < 50; i++) {
				double start = now();
				sj_buf_clear(&out);
				if ((kind < 2 ? sj_grammar_gbnf(&mem, &opt, &out, NULL)
				              : sj_grammar_schema(&mem, &opt, &out, NULL)) != SJ_OK)
					return 3;
				double spent = now() - start;
				best = spent < best ? spent : best;
			}
			printf("%-7s %-16s %8.2f ms %8zu bytes\n", sj_version_text(versions[v]), names[kind],
			       best * 1e3, out.len);
			sj_buf_finish(&out);
		}
		sj_catalog_destroy(made);
	}
	return 0;
}
