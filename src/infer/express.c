/* Express: assignments and calls, one a line. docs/formats.md is its grammar. */
#include "infer/express.h"

#include "infer/compact.h"

static enum sj_status read_program(const struct sj_format *f, struct sj_program *p, struct sj_slice text)
{
	(void)f;
	return sj_express_parse(p, text);
}

static enum sj_status compile(const struct sj_format *f, struct sj_slice payload, struct sj_value *messages,
                              struct sj_repairs *repairs, struct sj_diag *diag)
{
	return sj_compact_compile(f, read_program, true, payload, messages, repairs, diag);
}

static enum sj_status decompile(const struct sj_format *f, const struct sj_value *messages, struct sj_buf *out,
                                struct sj_diag *diag)
{
	return sj_compact_decompile(f, sj_express_write, read_program, messages, out, diag);
}

const struct sj_format_ops SJ_FORMAT_OPS_EXPRESS = {
	.name = "express",
	.tags = {"a2ui"},
	.quotes = "\"'",
	.checks = true,
	.folds = true,
	.prompt = sj_express_prompt,
	.compile = compile,
	.decompile = decompile,
};
