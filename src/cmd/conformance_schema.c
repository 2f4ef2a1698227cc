#include "cmd/conformance.h"

#include <stdio.h>

#include "schema/schema.h"

struct schema_suite {
	struct sj_mem *mem;
	struct sj_schema_set *set;
	const struct sj_schema *schema;
};

/* What the references of the documents count from. */
static const char *base_of(enum sj_version v)
{
	return v == SJ_V10 ? "https://a2ui.org/specification/v1_0/" : "https://a2ui.org/specification/v0_9/";
}

/* The version is in the path: ".../v1_0/test/cases/x.json". */
static enum sj_version version_of(const char *path)
{
	static const struct {
		const char *folder;
		enum sj_version v;
	} folders[] = {{"/v0_9_1/", SJ_V091}, {"/v0_9/", SJ_V09}, {"/v1_0/", SJ_V10}};
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (strstr(path, folders[i].folder))
			return folders[i].v;
	return SJ_VERSION_NONE;
}

static bool add_own(struct schema_suite *s, struct trial *t, enum sj_version v, const char *name)
{
	char uri[256];
	struct sj_diag d = {0};
	struct sj_buf text;
	sj_buf_init(&text, s->mem, 0);
	snprintf(uri, sizeof uri, "%s%s", base_of(v), name);
	/* These cases are written in the earlier spelling of v1.0. */
	bool ok = sj_a2ui_schema_write(v, SJ_DIALECT_BARE, sj_slice_of(name), &text) &&
	          sj_schema_set_add(s->set, sj_slice_of(uri), sj_buf_view(&text), &d) == SJ_OK;
	if (!ok)
		trial_fail(t, "%s: %s", name, d.message);
	sj_buf_finish(&text);
	return ok;
}

/* A catalog of the suite's own lies beside the folder of cases. */
static bool add_catalog(struct schema_suite *s, struct trial *t, enum sj_version v, const char *path,
                        struct sj_slice name)
{
	char file[1024], uri[256];
	struct sj_diag d = {0};
	struct sj_buf text;
	const char *cases = strstr(path, "/cases/");
	sj_buf_init(&text, s->mem, 0);
	snprintf(uri, sizeof uri, "%scatalog.json", base_of(v));
	snprintf(file, sizeof file, "%.*s/%.*s", cases ? (int)(cases - path) : 0, path, SJ_ARG(name));
	bool ok = cmd_read(file, &text) == CMD_OK &&
	          sj_schema_set_add(s->set, sj_slice_of(uri), sj_buf_view(&text), &d) == SJ_OK;
	if (!ok)
		trial_fail(t, "%.*s: %s", SJ_ARG(name), d.message);
	sj_buf_finish(&text);
	return ok;
}

struct schema_suite *schema_suite_open(struct trial *t, const char *path, const struct sj_value *doc)
{
	const struct sj_value *schema = cmd_member(doc, "schema"), *catalog = cmd_member(doc, "catalog");
	struct sj_schema_options opt = {.assert_format = true};
	enum sj_version v = version_of(path);
	struct sj_diag d = {0};
	char uri[256];

	struct schema_suite *s = sj_mem_zalloc(t->mem, sizeof *s);
	if (!s)
		return NULL;
	s->mem = t->mem;
	bool ok = v != SJ_VERSION_NONE && schema && sj_schema_set_create(t->mem, &opt, &s->set) == SJ_OK;
	for (uint32_t i = 0; ok && i < sj_a2ui_schema_count(v); i++)
		ok = strcmp(sj_a2ui_schema_name(v, i), "catalog.json") == 0 ||
		     add_own(s, t, v, sj_a2ui_schema_name(v, i));
	if (ok)
		ok = catalog ? add_catalog(s, t, v, path, sj_value_text(catalog)) : add_own(s, t, v, "catalog.json");
	snprintf(uri, sizeof uri, "%s%.*s", base_of(v), SJ_ARG(schema ? sj_value_text(schema) : SJ_NO_SLICE));
	if (ok && sj_schema_compile(s->set, sj_slice_of(uri), &s->schema, &d) == SJ_OK)
		return s;
	trial_fail(t, "the schema is not there: %s", d.message);
	schema_suite_close(s);
	return NULL;
}

void schema_suite_close(struct schema_suite *s)
{
	if (!s)
		return;
	sj_schema_set_destroy(s->set);
	sj_mem_free(s->mem, s, sizeof *s);
}

static bool keep_first(void *ctx, const struct sj_schema_fault *f)
{
	char *first = ctx;
	if (!first[0])
		snprintf(first, sizeof f->message, "%s", f->message);
	return true;
}

void schema_suite_test(struct schema_suite *s, struct trial *t, const struct sj_value *test)
{
	const struct sj_value *valid = cmd_member(test, "valid"), *data = cmd_member(test, "data");
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	enum sj_status status = SJ_NOMEM;
	struct sj_arena arena;
	struct sj_tape tape;
	struct sj_buf json;
	char first[256] = "";

	sj_arena_init(&arena, t->mem, 0);
	sj_buf_init(&json, t->mem, 0);
	sj_value_print(&json, data ? data : &SJ_NULL_VALUE, SJ_PRINT_COMPACT);
	if (sj_json_parse(&arena, &opt, sj_buf_view(&json), &tape, NULL) == SJ_OK)
		status = sj_schema_validate(s->schema, &tape, 0, &arena, keep_first, first);
	bool want = valid && valid->type == SJ_V_TRUE;
	if (status != (want ? SJ_OK : SJ_INVALID))
		trial_fail(t, "%s: %s", want ? "refused" : "accepted", first);
	sj_buf_finish(&json);
	sj_arena_finish(&arena);
}
