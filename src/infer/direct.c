/* Direct JSON: messages as they go over the wire, between tags. Requirements a2ui 15. */
#include "infer/check.h"

static enum sj_status compile(const struct sj_format *f, struct sj_slice payload, struct sj_value *messages,
                              struct sj_repairs *repairs, struct sj_diag *diag)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v, list;
	bool fresh = diag && diag->code == SJ_E_NONE;
	enum sj_status st = sj_value_parse(f->mem, &opt, payload, &v, diag);
	if (st != SJ_OK) {
		if (fresh)
			diag->category = SJ_CAT_PARSE;
		return st;
	}
	if (v.type == SJ_V_ARRAY) {
		*messages = v;
		return SJ_OK;
	}
	st = sj_repair_note(f->mem, repairs, SJ_REPAIR_NOT_A_LIST, 1, 0, diag, "read one message as a list of one");
	if (st == SJ_OK)
		st = sj_value_array(f->mem, &list);
	if (st != SJ_OK) {
		sj_value_unref(f->mem, v);
		return st;
	}
	st = sj_value_append(f->mem, &list, v);
	if (st == SJ_OK)
		*messages = list;
	else
		sj_value_unref(f->mem, list);
	return st;
}

static enum sj_status decompile(const struct sj_format *f, const struct sj_value *messages, struct sj_buf *out,
                                struct sj_diag *diag)
{
	(void)f;
	(void)diag;
	sj_value_print(out, messages, SJ_PRINT_PRETTY);
	return sj_buf_status(out);
}

const struct sj_format_ops SJ_FORMAT_OPS_DIRECT_JSON = {
	.name = "direct_json",
	.tags = {"a2ui-json"},
	.quotes = "\"",
	.streams = true,
	.compile = compile,
	.decompile = decompile,
};
