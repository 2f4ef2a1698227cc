/* Grammars of the catalogs that the built-in demos register: what they produce, the demo's own engine accepts. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/demo.h"
#include "cmd/session.h"
#include "harness/test.h"
#include "infer/gbnf.h"
#include "infer/grammar.h"

struct faults {
	uint32_t count, graph;
	char first[1600];
};

static void on_event(void *ctx, const struct sj_event *ev)
{
	struct faults *f = ctx;
	if (ev->kind != SJ_EV_DIAG || ev->diag->category == SJ_CAT_EXPRESSION)
		return;
	bool graph = ev->diag->category == SJ_CAT_INTEGRITY || ev->diag->category == SJ_CAT_RECURSION ||
	             ev->diag->category == SJ_CAT_DATA;
	f->graph += graph;
	if (!graph && f->count++ == 0)
		snprintf(f->first, sizeof f->first, "%s at %s", ev->diag->message, ev->diag->pointer);
}

static struct gbnf *grammar_of(const struct sj_grammar_options *opt)
{
	struct sj_buf text;
	struct sj_diag diag = {0};
	const char *why = NULL;
	uint32_t line = 0;
	struct gbnf *g = NULL;
	sj_buf_init(&text, sj_test_mem(), 0);
	if (sj_grammar_gbnf(sj_test_mem(), opt, &text, &diag) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s", diag.message);
	else if (!(g = gbnf_parse(sj_buf_view(&text), &why, &line)))
		sj_fail_at(__FILE__, __LINE__, "line %u: %s", line, why);
	sj_buf_finish(&text);
	return g;
}

/* One sentence to the demo as an agent of its own would send it. */
static void send(struct cmd_session *s, const struct gbnf *g, uint64_t *seed, struct faults *f)
{
	struct sj_buf text;
	uint32_t peer, kept = s->peer;
	sj_buf_init(&text, sj_test_mem(), 0);
	gbnf_random(g, seed, 30 + test_random(seed, 800), &text);
	f->first[0] = 0;
	uint32_t before = f->count;
	CHECK_OK(sj_engine_peer_open(s->engine, SJ_LIT("walk"), &peer));
	s->peer = peer;
	CHECK_OK(cmd_session_feed(s, sj_buf_view(&text), true));
	sj_engine_peer_close(s->engine, peer);
	CHECK_OK(cmd_session_pump(s));
	s->peer = kept;
	if (f->count != before)
		sj_fail_at(__FILE__, __LINE__, "%s\n%.*s", f->first, (int)(text.len > 2000 ? 2000 : text.len),
		           text.ptr);
	sj_buf_finish(&text);
}

SJ_TEST(catalogs_of_the_demos)
{
	const char *wanted = getenv("SHOJI_WALKS");
	uint32_t walks = wanted ? (uint32_t)strtoul(wanted, NULL, 10) : 300;
	for (const struct sj_demo *const *d = SJ_DEMOS; *d; d++) {
		struct cmd_session s;
		struct faults f = {0};
		uint32_t done = 0;
		sj_case("demo %s", (*d)->name);
		CHECK_INT(cmd_session_open(&s, sj_test_mem(), NULL), CMD_OK);
		uint32_t before = sj_engine_catalog_count(s.engine);
		s.event = on_event;
		s.ctx = &f;
		CHECK_INT((*d)->attach(&s, false), CMD_OK);
		/* The host behind the demo knows its own agent alone: here only what it registered counts. */
		bool (*host)(struct cmd_session *, const struct sj_event *) = s.host;
		s.host = NULL;
		for (uint32_t i = before; i < sj_engine_catalog_count(s.engine); i++) {
			const struct sj_catalog *c = sj_engine_catalog_at(s.engine, i);
			for (int tree = 0; tree < 2; tree++) {
				struct sj_grammar_options opt = {.catalogs = &c, .ncatalogs = 1, .compact = tree};
				if (tree) {
					opt.messages = SJ_GRAMMAR_CREATE;
					opt.ids = SJ_GRAMMAR_IDS_TREE;
				}
				struct gbnf *g = grammar_of(&opt);
				uint64_t seed = 11 + i;
				for (uint32_t k = 0; g && k < walks && !sj_failed(); k++)
					send(&s, g, &seed, &f);
				done += g != NULL;
				/* A tree is whole. */
				if (tree && f.graph > 0)
					sj_fail_at(__FILE__, __LINE__, "%u faults of the graph", f.graph);
				f.graph = 0;
				if (g)
					gbnf_free(g);
			}
		}
		CHECK(done >= 2);
		s.host = host;
		(*d)->detach(&s);
		cmd_session_close(&s);
		sj_case_end();
	}
}
