#include "infer/compact_help.h"

#include <stdio.h>
#include <string.h>

static struct sj_value parse(const char *json)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value v = SJ_NULL_VALUE;
	struct sj_diag d = {0};
	if (sj_value_parse(sj_test_mem(), &opt, sj_slice_of(json), &v, &d) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s in %s", d.message, json);
	return v;
}

static enum sj_status open_format(struct rig *r, enum sj_format_id id, enum sj_version v)
{
	struct sj_format_options opt = {.id = id, .catalogs = (const struct sj_catalog *const *)r->catalogs,
	                                .ncatalogs = r->n, .version = v};
	return sj_format_create(r->mem, &opt, &r->format, NULL);
}

static struct rig *make(void)
{
	struct rig *r = sj_mem_zalloc(sj_test_mem(), sizeof *r);
	r->mem = sj_test_mem();
	return r;
}

struct rig *rig_basic(enum sj_format_id id, enum sj_version v)
{
	struct rig *r = make();
	CHECK_OK(sj_catalog_basic(r->mem, v, NULL, NULL, &r->catalogs[r->n++]));
	CHECK_OK(open_format(r, id, v));
	return r;
}

struct rig *rig_of(enum sj_format_id id, const char *catalog_json, const char *other_json)
{
	struct rig *r = make();
	const char *const documents[] = {catalog_json, other_json};
	for (size_t i = 0; i < 2 && documents[i]; i++)
		CHECK_OK(sj_catalog_parse(r->mem, sj_slice_of(documents[i]), SJ_NO_SLICE, SJ_VERSION_NONE, NULL, NULL,
		                          &r->catalogs[r->n++], NULL));
	CHECK_OK(open_format(r, id, SJ_VERSION_NONE));
	return r;
}

void rig_close(struct rig *r)
{
	sj_format_destroy(r->format);
	for (uint32_t i = 0; i < r->n; i++)
		sj_catalog_destroy(r->catalogs[i]);
	sj_mem_free(r->mem, r, sizeof *r);
}

static void same(const char *what, const struct sj_value *got, const struct sj_value *want)
{
	struct sj_buf a, b;
	if (sj_value_equal(got, want))
		return;
	sj_buf_init(&a, sj_test_mem(), 0);
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_value_print(&a, got, SJ_PRINT_SORTED);
	sj_value_print(&b, want, SJ_PRINT_SORTED);
	sj_fail_at(__FILE__, __LINE__, "%s:\n  got  %s\n  want %s", what, a.ptr, b.ptr);
	sj_buf_finish(&a);
	sj_buf_finish(&b);
}

void rig_gives(struct rig *r, const char *text, const char *json, const char *kinds)
{
	struct sj_repairs repairs = {.cap = SJ_REPAIRS_DEFAULT_CAP};
	struct sj_value got = SJ_ABSENT_VALUE, want = parse(json);
	struct sj_diag d = {0};
	struct sj_buf made;
	sj_buf_init(&made, r->mem, 0);
	sj_buf_puts(&made, "");
	if (sj_format_compile(r->format, sj_slice_of(text), &got, &repairs, &d) == SJ_OK)
		same(text, &got, &want);
	else
		sj_fail_at(__FILE__, __LINE__, "%s: line %u, byte %u: %s", text, d.line, (unsigned)d.offset, d.message);
	for (uint32_t i = 0; i < repairs.list.count; i++) {
		sj_buf_printf(&made, "%s%s", i ? " " : "", sj_repair_name(repairs.list.items[i].kind));
		CHECK(repairs.list.items[i].line > 0 && repairs.list.items[i].offset <= strlen(text));
		CHECK(repairs.list.items[i].text[0] != '\0');
	}
	CHECK_STR(sj_buf_view(&made), kinds);
	sj_buf_finish(&made);
	SJ_VEC_FREE(r->mem, &repairs.list);
	sj_value_unref(r->mem, got);
	sj_value_unref(r->mem, want);
}

void rig_refuses(struct rig *r, const char *text, enum sj_category cat, uint32_t line, uint64_t offset,
                 const char *message)
{
	struct sj_value got = SJ_ABSENT_VALUE;
	struct sj_diag d = {0};
	if (sj_format_compile(r->format, sj_slice_of(text), &got, NULL, &d) != SJ_INVALID)
		sj_fail_at(__FILE__, __LINE__, "not refused: %s", text);
	CHECK_STR(sj_slice_of(d.message), message);
	if (d.category != cat || d.line != line || d.offset != offset)
		sj_fail_at(__FILE__, __LINE__, "%s: %s at line %u, byte %u, not line %u, byte %u", text,
		           sj_category_name(d.category), d.line, (unsigned)d.offset, line, (unsigned)offset);
	sj_value_unref(r->mem, got);
}

void rig_writes(struct rig *r, const char *json, const char *text)
{
	struct sj_value messages = parse(json), again = SJ_ABSENT_VALUE;
	struct sj_diag d = {0};
	struct sj_buf out;
	sj_buf_init(&out, r->mem, 0);
	if (sj_format_decompile(r->format, &messages, &out, &d) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s: %s", json, d.message);
	CHECK_STR(sj_buf_view(&out), text);
	CHECK_OK(sj_format_compile(r->format, sj_buf_view(&out), &again, NULL, &d));
	same(text, &again, &messages);
	sj_value_unref(r->mem, messages);
	sj_value_unref(r->mem, again);
	sj_buf_finish(&out);
}

void rig_cannot_write(struct rig *r, const char *json)
{
	struct sj_value messages = parse(json);
	struct sj_diag d = {0};
	struct sj_buf out;
	sj_buf_init(&out, r->mem, 0);
	if (sj_format_decompile(r->format, &messages, &out, &d) != SJ_INVALID || out.len > 0)
		sj_fail_at(__FILE__, __LINE__, "written: %s: %s", json, out.ptr ? out.ptr : "");
	CHECK_INT(d.category, SJ_CAT_COMPILE);
	sj_value_unref(r->mem, messages);
	sj_buf_finish(&out);
}

static void round_trip(struct rig *r, const char *path)
{
	struct sj_slice text = sj_slurp(path);
	struct sj_value doc = parse(text.ptr), again = SJ_ABSENT_VALUE;
	const struct sj_value *messages = doc.type == SJ_V_OBJECT ? sj_value_get(&doc, SJ_LIT("messages")) : &doc;
	struct sj_diag d = {0};
	struct sj_buf out;
	sj_case("%s", strrchr(path, '/') + 1);
	sj_buf_init(&out, r->mem, 0);
	if (!messages || sj_format_decompile(r->format, messages, &out, &d) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s: %s", path, d.message);
	else if (sj_format_compile(r->format, sj_buf_view(&out), &again, NULL, &d) != SJ_OK)
		sj_fail_at(__FILE__, __LINE__, "%s: %s\n%s", path, d.message, out.ptr);
	else
		same(path, &again, messages);
	sj_buf_finish(&out);
	sj_value_unref(r->mem, again);
	sj_value_unref(r->mem, doc);
	sj_case_end();
}

void rig_round_trips(enum sj_format_id id, enum sj_version v, const char *folder, bool minimal)
{
	const char *found = sj_data(folder);
	char **names, where[2048], path[4096];
	if (!found) {
		sj_skip("the specification is not here");
		return;
	}
	struct rig *r = make();
	snprintf(where, sizeof where, "%s", found);
	if (minimal)
		CHECK_OK(sj_catalog_minimal(r->mem, v, NULL, NULL, &r->catalogs[r->n++]));
	else
		CHECK_OK(sj_catalog_basic(r->mem, v, NULL, NULL, &r->catalogs[r->n++]));
	CHECK_OK(open_format(r, id, v));
	size_t n = sj_list_dir(where, ".json", &names);
	CHECK(n > 0);
	for (size_t i = 0; i < n; i++) {
		snprintf(path, sizeof path, "%s/%s", where, names[i]);
		round_trip(r, path);
	}
	rig_close(r);
}

void rig_hostile(enum sj_format_id id, const char *before, const char *unit, uint32_t n, const char *middle,
                 const char *close, const char *after, enum sj_status want)
{
	struct rig *r = rig_basic(id, SJ_V10);
	struct sj_value v = SJ_ABSENT_VALUE;
	struct sj_diag d = {0};
	struct sj_buf b;
	sj_buf_init(&b, r->mem, 0);
	sj_buf_puts(&b, before);
	for (uint32_t i = 0; i < n; i++)
		sj_buf_puts(&b, unit);
	sj_buf_puts(&b, middle);
	for (uint32_t i = 0; i < n && close[0]; i++)
		sj_buf_puts(&b, close);
	sj_buf_puts(&b, after);
	enum sj_status st = sj_format_compile(r->format, sj_buf_view(&b), &v, NULL, &d);
	if (st != want)
		sj_fail_at(__FILE__, __LINE__, "%s%s...: status %d, %s", before, unit, (int)st, d.message);
	sj_value_unref(r->mem, v);
	sj_buf_finish(&b);
	rig_close(r);
}

enum sj_status rig_there_and_back(struct sj_mem *mem, enum sj_format_id id, const char *text)
{
	struct sj_catalog *c = NULL;
	struct sj_format *f = NULL;
	struct sj_value v = SJ_ABSENT_VALUE;
	struct sj_repairs repairs = {.cap = SJ_REPAIRS_DEFAULT_CAP};
	struct sj_diag d = {0};
	struct sj_buf out;
	sj_buf_init(&out, mem, 0);
	enum sj_status st = sj_catalog_basic(sj_test_mem(), SJ_V10, NULL, NULL, &c);
	struct sj_format_options opt = {.id = id, .catalogs = (const struct sj_catalog *const *)&c, .ncatalogs = 1};
	if (st == SJ_OK)
		st = sj_format_create(mem, &opt, &f, &d);
	if (st == SJ_OK)
		st = sj_format_compile(f, sj_slice_of(text), &v, &repairs, &d);
	if (st == SJ_OK)
		st = sj_format_decompile(f, &v, &out, &d);
	if (st != SJ_OK && st != SJ_NOMEM)
		sj_fail_at(__FILE__, __LINE__, "status %d: line %u: %s", (int)st, d.line, d.message);
	sj_value_unref(mem, v);
	SJ_VEC_FREE(mem, &repairs.list);
	sj_buf_finish(&out);
	sj_format_destroy(f);
	sj_catalog_destroy(c);
	return st;
}

static bool holds(struct sj_slice text, const char *part)
{
	size_t n = strlen(part);
	for (size_t i = 0; i + n <= text.len; i++)
		if (memcmp(text.ptr + i, part, n) == 0)
			return true;
	return false;
}

void rig_prompts(enum sj_format_id id, const char *only, bool brief, const char *example, const char *const *has,
                 const char *const *lacks)
{
	struct rig *r = rig_basic(id, SJ_V10);
	struct sj_slice allowed = sj_slice_of(only);
	struct sj_value examples = SJ_ABSENT_VALUE;
	struct sj_prompt_options opt = {.brief = brief};
	struct sj_diag d = {0};
	struct sj_buf out[2];
	if (only) {
		opt.allowed_messages = &allowed;
		opt.nallowed = 1;
	}
	if (example) {
		CHECK_OK(sj_value_array(r->mem, &examples));
		CHECK_OK(sj_value_append(r->mem, &examples, parse(example)));
		opt.examples = &examples;
	}
	for (int i = 0; i < 2; i++) { /* twice the same */
		sj_buf_init(&out[i], r->mem, 0);
		if (sj_prompt_write(r->format, &opt, &out[i], &d) != SJ_OK)
			sj_fail_at(__FILE__, __LINE__, "no prompt: %s", d.message);
	}
	CHECK(sj_slice_eq(sj_buf_view(&out[0]), sj_buf_view(&out[1])));
	for (; *has; has++)
		if (!holds(sj_buf_view(&out[0]), *has))
			sj_fail_at(__FILE__, __LINE__, "'%s' is not in: %s", *has, out[0].ptr);
	for (; *lacks; lacks++)
		if (holds(sj_buf_view(&out[0]), *lacks))
			sj_fail_at(__FILE__, __LINE__, "'%s' is in: %s", *lacks, out[0].ptr);
	sj_buf_finish(&out[0]);
	sj_buf_finish(&out[1]);
	sj_value_unref(r->mem, examples);
	rig_close(r);
}
