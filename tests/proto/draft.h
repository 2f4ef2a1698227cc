/* What tests of drafts share: specs from short texts, and what came out as text. */
#ifndef SJ_TEST_PROTO_DRAFT_H
#define SJ_TEST_PROTO_DRAFT_H

#include "harness/test.h"
#include "proto/ids.h"

#define SPEC_HEAD "{\"id\":\"p\",\"window\":{\"placement\":{\"type\":\"fullscreen\"}},"

/* A value from text that has to be JSON. */
static inline enum sj_status draft_parse(struct sj_mem *mem, const char *text, struct sj_value *out)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	opt.dup = SJ_DUP_LAST;
	opt.surrogate = SJ_SURROGATE_KEEP;
	return sj_value_parse(mem, &opt, sj_slice_of(text), out, NULL);
}

/* Compares a value with JSON text, members in the order they stand. */
#define CHECK_JSON(value, want) draft_check_json(__FILE__, __LINE__, (value), (want))
static inline void draft_check_json(const char *file, int line, const struct sj_value *v, const char *want)
{
	struct sj_mem mem;
	struct sj_buf out;
	sj_mem_init(&mem, NULL, 0);
	sj_buf_init(&out, &mem, 0);
	sj_value_print(&out, v, SJ_PRINT_COMPACT);
	sj_check_slice(file, line, "the value", sj_buf_view(&out), sj_slice_of(want));
	sj_buf_finish(&out);
}

#endif
