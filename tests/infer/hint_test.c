/* A hint in one of the forms a program can follow (base/status.h) mends the fault it belongs to: each is applied to the
 * refused messages of the public suites, and the message is checked again, until it is good or no hint can be
 * followed. */
#include <stdio.h>

#include "a2ui/check.h"
#include "harness/test.h"
#include "json/value.h"

struct tally {
	unsigned refused, claimed, mended, followed;
	size_t bytes, longest; /* of message and hint together: what a model is told */
};

static const struct sj_catalog *basic(enum sj_version v, struct sj_catalog **kept)
{
	if (!kept[v])
		CHECK_OK(sj_catalog_basic(sj_test_mem(), v, NULL, NULL, &kept[v]));
	return kept[v];
}

static enum sj_status check(const struct sj_value *m, const struct sj_catalog *c, struct sj_diag *d)
{
	struct sj_check opt = {.mem = sj_test_mem(), .catalogs = &c, .ncatalogs = 1};
	struct sj_json_options json = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_arena arena;
	struct sj_tape t;
	struct sj_buf text;
	sj_arena_init(&arena, sj_test_mem(), 0);
	sj_buf_init(&text, sj_test_mem(), 0);
	sj_value_print(&text, m, SJ_PRINT_COMPACT);
	CHECK_OK(sj_json_parse(&arena, &json, sj_buf_view(&text), &t, NULL));
	sj_diag_clear(d);
	enum sj_status st = sj_check_message(&opt, &t, 0, &arena, NULL, d);
	sj_buf_finish(&text);
	sj_arena_finish(&arena);
	return st;
}

/* The first name in double quotes. */
static bool quoted(const char *hint, char *out, size_t size)
{
	const char *open = strchr(hint, '"'), *close = open ? strchr(open + 1, '"') : NULL;
	if (!close || (size_t)(close - open) > size)
		return false;
	snprintf(out, size, "%.*s", (int)(close - open - 1), open + 1);
	return true;
}

static bool patch(struct sj_value *m, const char *op, const char *pointer, const char *text)
{
	struct sj_json_options json = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value p;
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_buf_printf(&b, "[{\"op\":\"%s\",\"path\":", op);
	sj_json_print_string(&b, sj_slice_of(pointer));
	if (text) {
		sj_buf_puts(&b, ",\"value\":");
		sj_json_print_string(&b, sj_slice_of(text));
	}
	sj_buf_puts(&b, "}]");
	bool ok = sj_value_parse(sj_test_mem(), &json, sj_buf_view(&b), &p, NULL) == SJ_OK;
	if (ok) {
		ok = sj_json_patch(sj_test_mem(), m, &p, NULL) == SJ_OK;
		sj_value_unref(sj_test_mem(), p);
	}
	sj_buf_finish(&b);
	return ok;
}

/* Follows the hint as a program would. false: it is one for people. */
static bool follow(struct sj_value *m, const struct sj_diag *d)
{
	char name[128], place[400];
	size_t n = strlen(d->pointer);
	if (!quoted(d->hint, name, sizeof name))
		return false;
	snprintf(place, sizeof place, "%s", d->pointer);
	if (strncmp(d->hint, "Remove \"", 8) == 0) {
		size_t len = strlen(name);
		if (!(n > len && d->pointer[n - len - 1] == '/' && strcmp(d->pointer + n - len, name) == 0))
			snprintf(place + n, sizeof place - n, "/%s", name);
		return patch(m, "remove", place, NULL);
	}
	if (strncmp(d->hint, "Use \"", 5) == 0 || strncmp(d->hint, "Use one of \"", 12) == 0)
		return patch(m, "replace", place, name);
	return false;
}

static void one(struct tally *t, const struct sj_value *message, const struct sj_catalog *c)
{
	struct sj_value m = sj_value_ref(*message);
	struct sj_diag d;
	bool claimed = false, all = true;
	if (check(&m, c, &d) == SJ_INVALID) {
		t->refused++;
		for (unsigned i = 0; i < 16; i++) {
			struct sj_diag before = d;
			size_t told = strlen(d.message) + strlen(d.hint);
			t->bytes += i == 0 ? told : 0;
			t->longest = told > t->longest ? told : t->longest;
			CHECK(d.message[0] && (d.pointer[0] == '/' || d.pointer[0] == '\0'));
			all = follow(&m, &d);
			if (!all)
				break;
			claimed = true;
			t->followed++;
			if (check(&m, c, &d) == SJ_OK)
				break;
			/* Whatever is wrong now, it is not the same thing again. */
			if (strcmp(before.pointer, d.pointer) == 0 && strcmp(before.message, d.message) == 0)
				sj_fail_at(__FILE__, __LINE__, "%s: '%s' did not help: %s", before.pointer, before.hint,
				           d.message);
		}
		t->claimed += claimed && all;
		t->mended += claimed && all && check(&m, c, &d) == SJ_OK;
	}
	sj_value_unref(sj_test_mem(), m);
}

static enum sj_version version_of(const struct sj_value *m, enum sj_version otherwise)
{
	const struct sj_value *v = m->type == SJ_V_OBJECT ? sj_value_get(m, SJ_LIT("version")) : NULL;
	enum sj_version found = v && sj_value_is_string(v) ? sj_version_find(sj_value_text(v)) : SJ_VERSION_NONE;
	return found >= SJ_V09 ? found : otherwise;
}

static void cases_of(struct tally *t, const char *path, enum sj_version v, struct sj_catalog **kept)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value doc;
	CHECK_OK(sj_value_parse(sj_test_mem(), &opt, sj_slurp(path), &doc, NULL));
	const struct sj_value *tests = doc.type == SJ_V_OBJECT ? sj_value_get(&doc, SJ_LIT("tests")) : NULL,
			      *schema = tests ? sj_value_get(&doc, SJ_LIT("schema")) : NULL;
	bool ours = schema && (sj_slice_is(sj_value_text(schema), "server_to_client.json") ||
	                       sj_slice_is(sj_value_text(schema), "agent_to_renderer.json"));
	for (uint32_t i = 0; ours && i < sj_value_count(tests); i++) {
		const struct sj_value *data = sj_value_get(sj_value_item(tests, i), SJ_LIT("data"));
		if (data && data->type == SJ_V_OBJECT)
			one(t, data, basic(version_of(data, v), kept));
	}
	/* Suites of the core: steps of messages. */
	for (uint32_t i = 0; doc.type == SJ_V_ARRAY && i < sj_value_count(&doc); i++) {
		const struct sj_value *steps = sj_value_get(sj_value_item(&doc, i), SJ_LIT("steps"));
		for (uint32_t s = 0; steps && s < sj_value_count(steps); s++) {
			const struct sj_value *list = sj_value_get(sj_value_item(steps, s), SJ_LIT("messages"));
			for (uint32_t k = 0; list && list->type == SJ_V_ARRAY && k < sj_value_count(list); k++)
				if (sj_value_item(list, k)->type == SJ_V_OBJECT)
					one(t, sj_value_item(list, k),
					    basic(version_of(sj_value_item(list, k), v), kept));
		}
	}
	sj_value_unref(sj_test_mem(), doc);
}

SJ_TEST(hints_of_refused_messages_help)
{
	static const struct {
		enum sj_version v;
		const char *path;
	} sets[] = {{SJ_V09, "a2ui/specification/v0_9/test/cases"},
	            {SJ_V091, "a2ui/specification/v0_9_1/test/cases"},
	            {SJ_V10, "a2ui/specification/v1_0/test/cases"},
	            {SJ_V09, "a2ui/conformance/core/validator_v0_9.json"},
	            {SJ_V10, "a2ui/conformance/core/validator_v1_0.json"}};
	struct sj_catalog *kept[SJ_V10 + 1] = {NULL};
	struct tally t = {0};
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
		char path[1024], file[1400], **names = NULL;
		const char *found = sj_data(sets[i].path);
		if (!found)
			continue;
		snprintf(path, sizeof path, "%s", found);
		if (strstr(path, ".json")) {
			cases_of(&t, path, sets[i].v, kept);
			continue;
		}
		size_t n = sj_list_dir(path, ".json", &names);
		for (size_t k = 0; k < n; k++) {
			snprintf(file, sizeof file, "%s/%s", path, names[k]);
			cases_of(&t, file, sets[i].v, kept);
		}
	}
	for (size_t v = 0; v <= SJ_V10; v++)
		sj_catalog_destroy(kept[v]);
	if (!t.refused) {
		sj_skip("the suites are not there");
		return;
	}
	printf("# %u messages refused, %u claim to be mendable, %u are; %u hints followed; a fault and its hint take %zu bytes "
	       "on average, %zu at most\n",
	       t.refused, t.claimed, t.mended, t.followed, t.bytes / t.refused, t.longest);
	CHECK(t.refused >= 60);
	CHECK(t.claimed >= 10);
	CHECK_INT(t.mended, t.claimed);
	CHECK(t.longest <= 600);
}
