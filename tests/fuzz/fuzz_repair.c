/* A payload from anyone, through the whole ladder of repairs. What comes out is good, and written down again it is read
 * without a single repair as the same messages; what needed a repair is refused when none is allowed. */
#include <stdlib.h>

#include "fuzz/infer_rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sj_repairs repairs = {.cap = FUZZ_REPAIRS}, none = {.cap = 0};
	struct sj_value messages = SJ_ABSENT_VALUE, again = SJ_ABSENT_VALUE, strict = SJ_ABSENT_VALUE;
	struct sj_slice text = {(const char *)data, size};
	struct sj_diag d = {0};
	struct sj_buf out;
	struct fuzz_rig r;
	fuzz_rig_open(&r);
	sj_buf_init(&out, &r.mem, 0);
	enum sj_status st = sj_format_compile(r.f, text, &messages, &repairs, &d);
	MUST(st == SJ_OK || ((st == SJ_INVALID || st == SJ_LIMIT) && d.message[0]));
	MUST(repairs.list.count <= 2 * FUZZ_REPAIRS + 1);
	uint32_t counted = 0;
	for (uint32_t i = 0; i < repairs.list.count; i++) {
		const struct sj_repair *one = &repairs.list.items[i];
		MUST(one->text[0] && one->line > 0 && one->offset <= size);
		counted += one->kind != SJ_REPAIR_NOT_A_LIST;
	}
	if (st == SJ_OK) {
		MUST(sj_format_decompile(r.f, &messages, &out, NULL) == SJ_OK);
		MUST(sj_format_compile(r.f, sj_buf_view(&out), &again, &none, NULL) == SJ_OK);
		MUST(none.list.count == 0 && sj_value_equal(&messages, &again));
		MUST((sj_format_compile(r.f, text, &strict, &none, NULL) == SJ_OK) == (counted == 0));
	}
	sj_value_unref(&r.mem, messages);
	sj_value_unref(&r.mem, again);
	sj_value_unref(&r.mem, strict);
	SJ_VEC_FREE(&r.mem, &repairs.list);
	SJ_VEC_FREE(&r.mem, &none.list);
	sj_buf_finish(&out);
	fuzz_rig_close(&r);
	return 0;
}
