/* A pattern and a text from anyone, parted by a zero byte. Beyond not crashing: what is refused says so at a place
 * inside the pattern, a search writes its answer only on success and gives it again, and (?:P) and P|[] mean what P
 * means. */
#include <stdlib.h>

#include "base/buf.h"
#include "base/utf.h"
#include "text/regex.h"

#define MUST(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum answer { REFUSED, GAVE_UP, NOT_FOUND, FOUND };

static enum answer ask(struct sj_mem *mem, const struct sj_limits *l, struct sj_slice pattern, struct sj_slice subject,
                       enum sj_status *compiled)
{
	struct sj_regex *r = NULL;
	struct sj_diag diag = {0};
	*compiled = sj_regex_compile(mem, pattern, l, &r, &diag);
	MUST((*compiled == SJ_OK) == (r != NULL) && (*compiled == SJ_OK) == (diag.code == SJ_E_NONE));
	MUST(*compiled != SJ_INVALID || (diag.code == SJ_E_REGEX && diag.offset <= pattern.len));
	MUST(sj_utf8_check(sj_slice_of(diag.message)) == strlen(diag.message));
	if (*compiled != SJ_OK) {
		MUST(*compiled == SJ_INVALID || *compiled == SJ_LIMIT);
		return REFUSED;
	}
	bool found = false, again = true;
	enum sj_status status = sj_regex_search(r, subject, &found, &diag);
	MUST(status == SJ_OK || status == SJ_LIMIT);
	MUST(sj_regex_search(r, subject, &again, NULL) == status);
	MUST(status == SJ_OK ? found == again : !found && again && diag.code == SJ_E_LIMIT);
	sj_regex_destroy(r);
	return status != SJ_OK ? GAVE_UP : found ? FOUND : NOT_FOUND;
}

static void same(struct sj_mem *mem, const struct sj_limits *l, const char *before, struct sj_slice pattern,
                 const char *after, struct sj_slice subject, enum answer want)
{
	struct sj_buf b;
	enum sj_status compiled;
	sj_buf_init(&b, mem, 0);
	sj_buf_puts(&b, before);
	sj_buf_slice(&b, pattern);
	sj_buf_puts(&b, after);
	enum answer got = ask(mem, l, sj_buf_view(&b), subject, &compiled);
	MUST(compiled != SJ_INVALID);
	MUST(got == want || got == GAVE_UP || want == GAVE_UP || compiled == SJ_LIMIT);
	sj_buf_finish(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sj_limits limits = SJ_LIMITS_DEFAULT;
	struct sj_mem mem;
	enum sj_status compiled;
	const uint8_t *zero = size > 0 ? memchr(data, 0, size) : NULL;
	size_t n = zero ? (size_t)(zero - data) : size;
	struct sj_slice pattern = {(const char *)data, n};
	struct sj_slice subject = zero ? sj_slice((const char *)zero + 1, size - n - 1) : SJ_NO_SLICE;

	limits.regex_steps = 5000;
	sj_mem_init(&mem, NULL, 0);
	enum answer answer = ask(&mem, &limits, pattern, subject, &compiled);
	if (compiled == SJ_OK) {
		same(&mem, &limits, "(?:", pattern, ")", subject, answer);
		same(&mem, &limits, "", pattern, "|[]", subject, answer);
	}
	MUST(mem.used_bytes == 0);
	return 0;
}
