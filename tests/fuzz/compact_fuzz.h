/* The one body of fuzz_express.c and fuzz_elemental.c. The first byte chooses the version. */
#ifndef SJ_FUZZ_COMPACT_FUZZ_H
#define SJ_FUZZ_COMPACT_FUZZ_H

#include <stdlib.h>

#include "infer/infer.h"

#define MUST(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void there_and_back(const struct sj_format *f, struct sj_mem *mem, struct sj_slice text)
{
	struct sj_value v = SJ_ABSENT_VALUE, again = SJ_ABSENT_VALUE;
	struct sj_repairs repairs = {.cap = 32}, none = {0};
	struct sj_diag d = {0};
	struct sj_buf out;
	sj_buf_init(&out, mem, 0);
	enum sj_status st = sj_format_compile(f, text, &v, &repairs, &d);
	MUST(st == SJ_OK || st == SJ_INVALID || st == SJ_LIMIT);
	MUST(st == SJ_OK ? d.code == SJ_E_NONE && sj_value_count(&v) > 0 : d.message[0] != 0);
	MUST(d.category != SJ_CAT_PARSE || d.offset <= text.len);
	for (uint32_t i = 0; i < repairs.list.count; i++)
		MUST(repairs.list.items[i].text[0] && repairs.list.items[i].offset <= text.len);
	if (st == SJ_OK && sj_format_decompile(f, &v, &out, &d) == SJ_OK) {
		MUST(sj_format_compile(f, sj_buf_view(&out), &again, &none, NULL) == SJ_OK);
		MUST(sj_value_equal(&v, &again));
	}
	SJ_VEC_FREE(mem, &repairs.list);
	SJ_VEC_FREE(mem, &none.list);
	sj_value_unref(mem, v);
	sj_value_unref(mem, again);
	sj_buf_finish(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct sj_mem account; /* of the catalogs, which are made once */
	static struct sj_catalog *catalogs[2];
	struct sj_mem mem;
	struct sj_format *f;
	if (size == 0)
		return 0;
	unsigned which = data[0] & 1u;
	if (!catalogs[which]) {
		if (!account.calls)
			sj_mem_init(&account, NULL, 0);
		MUST(sj_catalog_basic(&account, which ? SJ_V09 : SJ_V10, NULL, NULL, &catalogs[which]) == SJ_OK);
	}
	struct sj_format_options opt = {
		.id = FORMAT, .catalogs = (const struct sj_catalog *const *)&catalogs[which], .ncatalogs = 1};
	sj_mem_init(&mem, NULL, 0);
	MUST(sj_format_create(&mem, &opt, &f, NULL) == SJ_OK);
	there_and_back(f, &mem, sj_slice((const char *)data + 1, size - 1));
	sj_format_destroy(f);
	MUST(mem.used_bytes == 0);
	return 0;
}

#endif
