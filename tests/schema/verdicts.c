/* schema_verdicts ROOT-URI {URI FILE}... <messages.jsonl
 *
 * Prints one line for each line of standard input: 1 valid, 0 invalid, "-" not JSON or a limit reached. The other side
 * of ajv_diff.mjs. With formats asserted. */
#include <stdio.h>
#include <stdlib.h>

#include "schema/schema.h"

static struct sj_buf read_all(struct sj_mem *mem, FILE *f)
{
	struct sj_buf out;
	char block[65536];
	size_t got;

	sj_buf_init(&out, mem, 0);
	while ((got = fread(block, 1, sizeof block, f)) > 0)
		sj_buf_put(&out, block, got);
	return out;
}

int main(int argc, char **argv)
{
	struct sj_schema_options opt = {.assert_format = true};
	struct sj_json_options json = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	const struct sj_schema *schema;
	struct sj_schema_set *set;
	struct sj_diag diag = {0};
	struct sj_arena arena;
	struct sj_mem mem;
	enum sj_status status = SJ_OK;

	if (argc < 4 || argc % 2) {
		fprintf(stderr, "usage: schema_verdicts ROOT-URI {URI FILE}... <messages.jsonl\n");
		return 2;
	}
	sj_mem_init(&mem, NULL, 0);
	sj_arena_init(&arena, &mem, 65536);
	if (sj_schema_set_create(&mem, &opt, &set) != SJ_OK)
		return 1;
	for (int i = 2; i < argc && status == SJ_OK; i += 2) {
		FILE *f = fopen(argv[i + 1], "rb");
		if (!f) {
			fprintf(stderr, "schema_verdicts: cannot read %s\n", argv[i + 1]);
			return 1;
		}
		struct sj_buf text = read_all(&mem, f);
		fclose(f);
		status = sj_schema_set_add(set, sj_slice_of(argv[i]), sj_buf_view(&text), &diag);
		sj_buf_finish(&text);
	}
	if (status == SJ_OK)
		status = sj_schema_compile(set, sj_slice_of(argv[1]), &schema, &diag);
	if (status != SJ_OK) {
		fprintf(stderr, "schema_verdicts: %s at %s\n", diag.message, diag.pointer);
		return 1;
	}
	struct sj_buf lines = read_all(&mem, stdin);
	for (size_t at = 0; at < lines.len;) {
		const char *end = memchr(lines.ptr + at, '\n', lines.len - at);
		size_t len = end ? (size_t)(end - lines.ptr) - at : lines.len - at;
		struct sj_tape t;
		status = sj_json_parse(&arena, &json, sj_slice(lines.ptr + at, len), &t, NULL);
		if (status == SJ_OK)
			status = sj_schema_validate(schema, &t, 0, &arena, NULL, NULL);
		else
			status = SJ_LIMIT;
		puts(status == SJ_OK ? "1" : status == SJ_INVALID ? "0" : "-");
		sj_arena_reset(&arena);
		at += len + 1;
	}
	sj_buf_finish(&lines);
	sj_schema_set_destroy(set);
	sj_arena_finish(&arena);
	return 0;
}
