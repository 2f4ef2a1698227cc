/* Values from and to text, for tests. */
#ifndef SJ_TEST_JSON_TEXT_H
#define SJ_TEST_JSON_TEXT_H

#include "harness/test.h"
#include "json/value.h"

static inline struct sj_value value_of(const char *text)
{
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v = SJ_ABSENT_VALUE;
	struct sj_diag d = {.code = SJ_E_NONE};
	if (sj_value_parse(sj_test_mem(), &wire, sj_slice_of(text), &v, &d) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s: %s", text, d.message);
	return v;
}

static inline void drop(struct sj_value v) { sj_value_unref(sj_test_mem(), v); }

static inline void check_print(const char *file, int line, const struct sj_value *v, unsigned flags, const char *want)
{
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 0);
	sj_value_print(&out, v, flags);
	sj_check_slice(file, line, "printed", sj_buf_view(&out), sj_slice_of(want));
	sj_buf_finish(&out);
}
#define CHECK_VALUE(v, want) check_print(__FILE__, __LINE__, (v), SJ_PRINT_COMPACT, (want))

#endif
