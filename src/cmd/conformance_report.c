/* shoji conformance: counts what the cases said and prints it, for a person or as JSON lines. */
#include <stdio.h>
#include <string.h>

#include "cmd/conformance.h"

struct counts {
	uint32_t of[CMD_VERDICTS];
};
struct suite_counts {
	char *path; /* owned */
	struct counts counts;
};
enum { NVERSIONS = SJ_V10 + 1 }; /* SJ_VERSION_NONE: cases about no version */
struct tally {
	struct sj_mem *mem;
	const struct cmd_args *args;
	struct counts all, versions[NVERSIONS];
	SJ_VEC(struct suite_counts) suites; /* in the order they ran */
	struct sj_buf named;                /* lines of the cases that did not pass */
	bool lost;                          /* out of memory: the counts are wrong */
};

static const char *const words[] = {[CMD_PASSED] = "passed",
                                    [CMD_CONTRADICTED] = "contradicted",
                                    [CMD_FAILED] = "failed",
                                    [CMD_SKIPPED] = "skipped"};

static const char *version_word(enum sj_version v) { return v == SJ_VERSION_NONE ? "none" : sj_version_text(v); }

/* Cases of one suite come one after another. */
static struct counts *counts_of(struct tally *s, const char *path)
{
	uint32_t n = s->suites.count;
	if (n > 0 && strcmp(s->suites.items[n - 1].path, path) == 0)
		return &s->suites.items[n - 1].counts;
	char *copy = sj_mem_strndup(s->mem, sj_slice_of(path));
	if (!copy)
		return NULL;
	if (SJ_VEC_RESERVE(s->mem, &s->suites, n + 1, 0) != SJ_OK) {
		sj_mem_free(s->mem, copy, strlen(copy) + 1);
		return NULL;
	}
	s->suites.items[s->suites.count++] = (struct suite_counts){.path = copy};
	return &s->suites.items[n].counts;
}

static void count_case(void *ctx, const struct cmd_case *c)
{
	struct tally *s = ctx;
	struct counts *suite = counts_of(s, c->suite);
	s->lost = s->lost || !suite;
	if (suite)
		suite->of[c->verdict]++;
	s->all.of[c->verdict]++;
	s->versions[c->version].of[c->verdict]++;
	if (cmd_has(s->args, CMD_OPT_JSON)) {
		struct sj_buf line;
		sj_buf_init(&line, s->mem, 0);
		sj_buf_puts(&line, "{\"action\":");
		sj_json_print_string(&line, c->action);
		sj_buf_puts(&line, ",\"name\":");
		sj_json_print_string(&line, c->name);
		if (c->why.len > 0) {
			sj_buf_puts(&line, ",\"reason\":");
			sj_json_print_string(&line, c->why);
		}
		sj_buf_printf(&line, ",\"result\":\"%s\",\"suite\":", words[c->verdict]);
		sj_json_print_string(&line, sj_slice_of(c->suite));
		sj_buf_printf(&line, ",\"version\":\"%s\"}\n", version_word(c->version));
		cmd_print_json(sj_buf_view(&line));
		s->lost = s->lost || sj_buf_status(&line) != SJ_OK;
		sj_buf_finish(&line);
		return;
	}
	if (c->verdict == CMD_PASSED || (c->verdict != CMD_FAILED && cmd_has(s->args, CMD_OPT_QUIET)))
		return;
	sj_buf_printf(&s->named, "%s %s: %.*s: ", words[c->verdict], c->suite, SJ_ARG(c->name));
	sj_buf_slice(&s->named, c->why);
	sj_buf_putc(&s->named, '\n');
}

/* Members in the order of their names, without the braces. Executed is all that was not skipped. */
static void put_counts(struct sj_buf *out, const struct counts *c)
{
	sj_buf_printf(out, "\"contradicted\":%u,\"executed\":%u,\"failed\":%u,\"passed\":%u,\"skipped\":%u",
	              c->of[CMD_CONTRADICTED], c->of[CMD_PASSED] + c->of[CMD_CONTRADICTED] + c->of[CMD_FAILED],
	              c->of[CMD_FAILED], c->of[CMD_PASSED], c->of[CMD_SKIPPED]);
}

static bool is_empty(const struct counts *c)
{
	for (int i = 0; i < CMD_VERDICTS; i++)
		if (c->of[i] > 0)
			return false;
	return true;
}

static void print_summary(struct tally *s)
{
	struct sj_buf out;
	bool first = true;
	sj_buf_init(&out, s->mem, 0);
	sj_buf_putc(&out, '{');
	put_counts(&out, &s->all);
	sj_buf_puts(&out, ",\"suites\":{");
	for (uint32_t i = 0; i < s->suites.count; i++) {
		if (i > 0)
			sj_buf_putc(&out, ',');
		sj_json_print_string(&out, sj_slice_of(s->suites.items[i].path));
		sj_buf_puts(&out, ":{");
		put_counts(&out, &s->suites.items[i].counts);
		sj_buf_putc(&out, '}');
	}
	sj_buf_puts(&out, "},\"versions\":{");
	for (int v = 0; v < NVERSIONS; v++) {
		if (is_empty(&s->versions[v]))
			continue;
		sj_buf_printf(&out, "%s\"%s\":{", first ? "" : ",", version_word((enum sj_version)v));
		put_counts(&out, &s->versions[v]);
		sj_buf_putc(&out, '}');
		first = false;
	}
	sj_buf_puts(&out, "}}\n");
	cmd_print_json(sj_buf_view(&out));
	s->lost = s->lost || sj_buf_status(&out) != SJ_OK;
	sj_buf_finish(&out);
}

int cmd_conformance(const struct cmd_args *args)
{
	struct tally s = {.mem = args->mem, .args = args};
	const char *version = args->value[CMD_OPT_VERSION];
	enum sj_version only = version ? sj_version_find(sj_slice_of(version)) : SJ_VERSION_NONE;
	int code = CMD_OK;

	if (version && only == SJ_VERSION_NONE) {
		cmd_usage_error("conformance", "--version takes 0.8, 0.9, 0.9.1 or 1.0, not %s", version);
		return CMD_USAGE;
	}
	sj_buf_init(&s.named, s.mem, 0);
	for (int i = 0; i < args->nrest && code == CMD_OK; i++)
		code = cmd_conformance_run(s.mem, args->rest[i], args->value[CMD_OPT_ROOT], only, count_case, &s);
	if (cmd_has(args, CMD_OPT_JSON)) {
		print_summary(&s);
	} else {
		cmd_print_json(sj_buf_view(&s.named));
		printf("%u passed, ", s.all.of[CMD_PASSED]);
		if (s.all.of[CMD_CONTRADICTED] > 0)
			printf("%u contradicted, ", s.all.of[CMD_CONTRADICTED]);
		printf("%u failed, %u skipped\n", s.all.of[CMD_FAILED], s.all.of[CMD_SKIPPED]);
	}
	if (code == CMD_OK && s.all.of[CMD_PASSED] + s.all.of[CMD_FAILED] + s.all.of[CMD_SKIPPED] +
	                              s.all.of[CMD_CONTRADICTED] ==
	                      0) {
		cmd_say("shoji: no case was found\n");
		code = CMD_INVALID;
	}
	if (s.lost || sj_buf_status(&s.named) != SJ_OK) {
		cmd_say("shoji: out of memory\n");
		code = CMD_IO;
	}
	for (uint32_t i = 0; i < s.suites.count; i++)
		sj_mem_free(s.mem, s.suites.items[i].path, strlen(s.suites.items[i].path) + 1);
	SJ_VEC_FREE(s.mem, &s.suites);
	sj_buf_finish(&s.named);
	return code == CMD_OK && s.all.of[CMD_FAILED] > 0 ? CMD_INVALID : code;
}
