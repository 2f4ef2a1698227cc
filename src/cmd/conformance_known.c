/* The cases of the public suites that contradict the newest text of the protocol. They are executed all the same: the
 * day one passes, its row here is stale and the run fails until the row is gone. */
#include "cmd/conformance.h"

const struct conformance_known CONFORMANCE_KNOWN[] = {
	{"agent/express/compiler.json", "test_compile_express_surface_targeting_names_a_catalog",
         "with several catalogs active a surface names none: agent/multi_catalog_formats.json, "
         "test_express_compile_unannotated_call_not_in_surface_catalog_fails"},
	{NULL, NULL, NULL},
};

static bool is_end_of(const char *path, const char *end)
{
	size_t n = strlen(path), m = strlen(end);
	return n >= m && memcmp(path + n - m, end, m) == 0 && (n == m || path[n - m - 1] == '/');
}

enum cmd_verdict conformance_judge(const struct conformance_known *table, const char *suite, struct sj_slice name,
                                   enum cmd_verdict verdict, struct sj_buf *why)
{
	while (table->suite && !(is_end_of(suite, table->suite) && sj_slice_is(name, table->name)))
		table++;
	if (!table->suite || verdict == CMD_SKIPPED)
		return verdict;
	if (verdict == CMD_PASSED) {
		sj_buf_printf(why, "passes, but is listed as contradicted: %s", table->reason);
		return CMD_FAILED;
	}
	sj_buf_printf(why, " (%s)", table->reason);
	return CMD_CONTRADICTED;
}
