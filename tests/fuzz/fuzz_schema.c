/* A schema and an instance from anyone, parted by a zero byte; the byte before them chooses limits. Beyond not
 * crashing: looking branches up changes no verdict, a fault is told exactly when the instance is invalid, and all
 * memory comes back. */
#include <stdlib.h>

#include "base/utf.h"
#include "schema/schema.h"

#define MUST(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
	const struct sj_tape *t;
	struct sj_mem *mem;
	unsigned faults;
	uint32_t last;
};

static bool look(void *ctx, const struct sj_schema_fault *f)
{
	struct seen *seen = ctx;
	struct sj_buf pointer;
	size_t len = strlen(f->message);

	MUST(f->cell < seen->t->count && f->cell >= seen->last);
	MUST(f->keyword.len > 0 && len > 0 && len < sizeof f->message);
	MUST(sj_utf8_check(sj_slice(f->message, len)) == len);
	sj_buf_init(&pointer, seen->mem, 0);
	sj_tape_pointer(seen->t, f->cell, &pointer);
	MUST(sj_buf_status(&pointer) == SJ_OK);
	sj_buf_finish(&pointer);
	seen->last = f->cell;
	return ++seen->faults < 50;
}

static enum sj_status run(struct sj_mem *mem, const struct sj_schema_options *opt, struct sj_slice schema_text,
                          const struct sj_tape *t)
{
	struct sj_schema_set *set;
	const struct sj_schema *schema;
	struct sj_arena arena;
	struct sj_diag diag = {0};
	struct seen seen = {.t = t, .mem = mem};

	MUST(sj_schema_set_create(mem, opt, &set) == SJ_OK);
	sj_arena_init(&arena, mem, 0);
	enum sj_status status = sj_schema_set_add(set, SJ_LIT("https://example.org/s"), schema_text, &diag);
	if (status == SJ_OK)
		status = sj_schema_compile(set, SJ_LIT("https://example.org/s"), &schema, &diag);
	MUST((status == SJ_OK) == (diag.code == SJ_E_NONE));
	if (status != SJ_OK) {
		status = SJ_ABSENT;
	} else {
		status = sj_schema_validate(schema, t, 0, &arena, look, &seen);
		MUST(status == SJ_OK || status == SJ_INVALID || status == SJ_LIMIT);
		MUST(status == SJ_LIMIT || (seen.faults > 0) == (status == SJ_INVALID));
	}
	sj_arena_finish(&arena);
	sj_schema_set_destroy(set);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sj_limits limits = SJ_LIMITS_DEFAULT;
	struct sj_schema_options opt = {.limits = &limits};
	struct sj_json_options json;
	struct sj_arena arena;
	struct sj_mem mem;
	struct sj_tape t;

	if (size < 2)
		return 0;
	const uint8_t *zero = memchr(data + 1, 0, size - 1);
	if (!zero)
		return 0;
	limits.schema_steps = 20000;
	if (data[0] & 1)
		limits.schema_depth = 10;
	opt.assert_format = data[0] & 2;
	struct sj_slice schema = {(const char *)data + 1, (size_t)(zero - data) - 1};
	struct sj_slice instance = {(const char *)zero + 1, size - (size_t)(zero - data) - 1};
	sj_mem_init(&mem, NULL, 0);
	sj_arena_init(&arena, &mem, 0);
	json = sj_json_options_wire(&limits);
	if (sj_json_parse(&arena, &json, instance, &t, NULL) == SJ_OK) {
		enum sj_status fast = run(&mem, &opt, schema, &t);
		opt.plain = true;
		enum sj_status plain = run(&mem, &opt, schema, &t);
		MUST(fast == plain || fast == SJ_LIMIT || plain == SJ_LIMIT);
	}
	sj_arena_finish(&arena);
	MUST(mem.used_bytes == 0);
	return 0;
}
