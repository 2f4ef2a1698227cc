/* The test harness: TAP on stdout, one line per case, values asserted.
 *
 *   SJ_TEST(pointer_escapes) { CHECK_STR(x, "a/b"); }       // registers itself
 *   sj_case("y_array_empty.json"); ... sj_case_end();       // a named case inside a data-driven test
 *
 * A failed CHECK is printed with file and line and fails the current case; the case goes on. Data of the public suites
 * is found with sj_data("json-patch/tests.json"): NULL when absent, then call sj_skip("why").
 */
#ifndef SJ_TEST_H
#define SJ_TEST_H

#include "base/mem.h"
#include "base/slice.h"

typedef void (*sj_test_fn)(void);
void sj_test_register(const char *name, sj_test_fn fn);
#define SJ_TEST(name)                                                                                                  \
	static void test_##name(void);                                                                                 \
	__attribute__((constructor)) static void register_##name(void) { sj_test_register(#name, test_##name); }       \
	static void test_##name(void)

void sj_case(const char *format, ...) __attribute__((format(printf, 1, 2))); /* begins a named case */
void sj_case_end(void);
void sj_skip(const char *format, ...)
	__attribute__((format(printf, 1, 2))); /* skips the current test or case, by name */
void sj_fail_at(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool sj_failed(void); /* the current case has failed */

#define CHECK(cond) ((cond) ? (void)0 : sj_fail_at(__FILE__, __LINE__, "%s", #cond))
#define CHECK_INT(got, want)                                                                                           \
	do {                                                                                                           \
		long long sj_got = (long long)(got), sj_want = (long long)(want);                                      \
		if (sj_got != sj_want)                                                                                 \
			sj_fail_at(__FILE__, __LINE__, "%s: got %lld, want %lld", #got, sj_got, sj_want);              \
	} while (0)
#define CHECK_SLICE(got, want) sj_check_slice(__FILE__, __LINE__, #got, (got), (want))
#define CHECK_STR(got, want) sj_check_slice(__FILE__, __LINE__, #got, (got), sj_slice_of(want))
void sj_check_slice(const char *file, int line, const char *what, struct sj_slice got, struct sj_slice want);
#define CHECK_OK(expr) CHECK_INT((expr), SJ_OK)

/* The memory account of the running test; the harness checks that it is empty at the end. */
struct sj_mem *sj_test_mem(void);
/* Runs fn with the n-th allocation failing, for n = 1, 2, ... until it succeeds; fn returns a status and must give back
 * all memory. */
void sj_torture(enum sj_status (*fn)(struct sj_mem *mem, void *ctx), void *ctx);

/* Path of a file below the public data ($SHOJI_TEST_DATA, else ROOT/../shared/data), in a static buffer; NULL when
 * absent. */
const char *sj_data(const char *relative);
/* Path of a file of the repository ($SHOJI_TEST_ROOT). */
const char *sj_root(const char *relative);
/* Whole file into memory of the running test (released by the harness). {NULL,0} when unreadable. */
struct sj_slice sj_slurp(const char *path);
/* Sorted names of a folder's entries with this suffix; freed by the harness. Returns the count. */
size_t sj_list_dir(const char *path, const char *suffix, char ***names);

#endif
