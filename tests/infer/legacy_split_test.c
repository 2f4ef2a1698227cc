/* The legacy processor: every case of the public suite leads to the same surfaces however its bytes are cut. */
#include "harness/test.h"
#include "infer/legacy_stream.h"

#include <stdio.h>

/* Where an answer leads: its text, and of each surface the components and data as a renderer would hold them. */
struct state {
	struct sj_mem *mem;
	struct sj_buf text;
	struct sj_value surfaces; /* id -> {begun, components: {id: component}, data: {key: value}} */
	struct sj_diag diag;
};

static struct sj_value *own(struct state *s, struct sj_value *object, struct sj_slice key)
{
	enum sj_status st;
	struct sj_value v;
	if (!sj_value_get(object, key)) {
		CHECK_OK(sj_value_object(s->mem, &v));
		CHECK_OK(sj_value_set(s->mem, object, key, v));
	}
	return sj_value_own_member(s->mem, object, key, &st);
}

static void apply_list(struct state *s, struct sj_value *to, const struct sj_value *list, const char *key)
{
	for (uint32_t i = 0; list && i < sj_value_count(list); i++) {
		const struct sj_value *item = sj_value_item(list, i), *id = sj_value_get(item, sj_slice_of(key));
		if (id)
			CHECK_OK(sj_value_set(s->mem, to, sj_value_text(id), sj_value_ref(*item)));
	}
}

static void apply(struct state *s, const struct sj_value *message)
{
	static const char *const ops[] = {"beginRendering",   "createSurface",   "surfaceUpdate", "updateComponents",
	                                  "dataModelUpdate", "updateDataModel", "deleteSurface"};
	for (size_t op = 0; op < sizeof ops / sizeof *ops; op++) {
		const struct sj_value *body = sj_value_get(message, sj_slice_of(ops[op])),
				      *id = body ? sj_value_get(body, SJ_LIT("surfaceId")) : NULL;
		if (!id)
			continue;
		if (op == 6) {
			CHECK_OK(sj_value_unset(s->mem, &s->surfaces, sj_value_text(id)));
			continue;
		}
		struct sj_value *surface = own(s, &s->surfaces, sj_value_text(id));
		if (op < 2)
			CHECK_OK(sj_value_set(s->mem, surface, SJ_LIT("begun"), sj_value_ref(*body)));
		else if (op < 4)
			apply_list(s, own(s, surface, SJ_LIT("components")), sj_value_get(body, SJ_LIT("components")),
			           "id");
		else if (op == 4)
			apply_list(s, own(s, surface, SJ_LIT("data")), sj_value_get(body, SJ_LIT("contents")), "key");
		else if (sj_value_get(body, SJ_LIT("value")))
			CHECK_OK(sj_value_set(s->mem, own(s, surface, SJ_LIT("data")), SJ_LIT("value"),
			                      sj_value_ref(*sj_value_get(body, SJ_LIT("value")))));
	}
}

/* A stand-in that nobody names any more is gone. */
static void sweep(struct state *s)
{
	for (uint32_t i = 0; i < sj_value_count(&s->surfaces); i++) {
		struct sj_slice key, id;
		enum sj_status st;
		sj_value_member(&s->surfaces, i, &key);
		struct sj_value *surface = sj_value_own_member(s->mem, &s->surfaces, key, &st);
		if (!sj_value_get(surface, SJ_LIT("components")))
			continue;
		struct sj_value *all = sj_value_own_member(s->mem, surface, SJ_LIT("components"), &st);
		for (uint32_t k = 0; k < sj_value_count(all);) {
			struct sj_buf rest;
			char name[128];
			bool named = false;
			sj_value_member(all, k, &id);
			snprintf(name, sizeof name, "\"%.*s\"", SJ_ARG(id));
			sj_buf_init(&rest, s->mem, 0);
			for (uint32_t j = 0; j < sj_value_count(all); j++) {
				struct sj_slice other;
				const struct sj_value *v = sj_value_member(all, j, &other);
				if (j != k)
					sj_value_print(&rest, v, SJ_PRINT_COMPACT);
			}
			named = rest.len > 0 && strstr(rest.ptr, name);
			sj_buf_finish(&rest);
			if (!named && sj_slice_starts(id, "loading_"))
				CHECK_OK(sj_value_unset(s->mem, all, id));
			else
				k++;
		}
	}
}

static void take_parts(struct state *s, struct sj_parts *parts)
{
	for (uint32_t i = 0; i < parts->list.count; i++) {
		const struct sj_part *part = &parts->list.items[i];
		sj_buf_put(&s->text, part->text ? part->text : "", part->len);
		for (uint32_t k = 0; k < sj_value_count(&part->messages); k++)
			apply(s, sj_value_item(&part->messages, k));
	}
	sj_parts_clear(s->mem, parts);
}

static void state_init(struct state *s)
{
	*s = (struct state){.mem = sj_test_mem()};
	sj_buf_init(&s->text, s->mem, 0);
	CHECK_OK(sj_value_object(s->mem, &s->surfaces));
}

static void state_finish(struct state *s)
{
	sj_buf_finish(&s->text);
	sj_value_unref(s->mem, s->surfaces);
}

/* In pieces of `step` bytes, the first one `first` bytes long. */
static void run_split(const struct sj_legacy_options *opt, struct sj_slice text, size_t first, size_t step,
                      struct state *s)
{
	enum sj_status st = SJ_OK;
	struct sj_legacy *p = NULL;
	struct sj_parts parts = {0};
	struct sj_diag d = {0};
	state_init(s);
	CHECK_OK(sj_legacy_create(s->mem, opt, &p, &d));
	for (size_t at = 0, n = first; st == SJ_OK && at < text.len; at += n, n = step) {
		n = n < text.len - at ? n : text.len - at;
		st = sj_legacy_feed(p, text.ptr + at, n, &parts, &s->diag);
		take_parts(s, &parts);
	}
	if (st == SJ_OK)
		sj_legacy_end(p, &parts, &s->diag);
	take_parts(s, &parts);
	sweep(s);
	sj_legacy_destroy(p);
	sj_parts_finish(s->mem, &parts);
}

static void compare(const char *what, size_t at, const struct state *a, const struct state *b)
{
	struct sj_buf x, y;
	CHECK_SLICE(sj_buf_view(&a->text), sj_buf_view(&b->text));
	CHECK_STR(sj_slice_of(a->diag.message), b->diag.message);
	if (a->diag.code != SJ_E_NONE || sj_value_equal(&a->surfaces, &b->surfaces))
		return;
	sj_buf_init(&x, a->mem, 0);
	sj_buf_init(&y, a->mem, 0);
	sj_value_print(&x, &a->surfaces, SJ_PRINT_SORTED);
	sj_value_print(&y, &b->surfaces, SJ_PRINT_SORTED);
	sj_fail_at(__FILE__, __LINE__, "%s at %zu: got %s, want %s", what, at, x.ptr, y.ptr);
	sj_buf_finish(&x);
	sj_buf_finish(&y);
}

static bool document(const struct sj_value *v, struct sj_buf *out)
{
	sj_buf_init(out, sj_test_mem(), 0);
	if (v && sj_value_is_string(v)) {
		char path[256];
		snprintf(path, sizeof path, "a2ui/conformance/%.*s", SJ_ARG(sj_value_text(v)));
		sj_buf_slice(out, sj_slurp(sj_data(path)));
	} else if (v) {
		sj_value_print(out, v, SJ_PRINT_COMPACT);
	}
	return out->len > 0;
}

static void split_case(const struct sj_value *c)
{
	const struct sj_value *catalog = sj_value_get(c, SJ_LIT("catalog")), *steps = sj_value_get(c, SJ_LIT("steps")),
			      *keys = sj_value_get(catalog, SJ_LIT("customCuttableKeys")),
			      *version = sj_value_get(catalog, SJ_LIT("protocolVersion"));
	struct sj_legacy_options opt = {.version = sj_version_find(sj_value_text(version))};
	struct sj_buf s2c, own_catalog, common, whole;
	struct sj_slice key;
	struct state want, got;

	opt.s2c = document(sj_value_get(catalog, SJ_LIT("s2cSchema")), &s2c) ? sj_buf_view(&s2c) : SJ_NO_SLICE;
	if (document(sj_value_get(catalog, SJ_LIT("catalogSchema")), &own_catalog))
		opt.catalog = sj_buf_view(&own_catalog);
	if (document(sj_value_get(catalog, SJ_LIT("commonTypesSchema")), &common))
		opt.common = sj_buf_view(&common);
	opt.unchecked = sj_value_get(c, SJ_LIT("disableValidation")) != NULL;
	if (keys) {
		key = sj_value_text(sj_value_item(keys, 0));
		opt.cuttable = &key;
		opt.ncuttable = 1;
	}
	sj_buf_init(&whole, sj_test_mem(), 0);
	for (uint32_t i = 0; i < sj_value_count(steps); i++)
		sj_buf_slice(&whole, sj_value_text(sj_value_get(sj_value_item(steps, i), SJ_LIT("input"))));
	run_split(&opt, sj_buf_view(&whole), whole.len, 1, &want);
	for (size_t at = 1; at < whole.len && !sj_failed(); at++) {
		run_split(&opt, sj_buf_view(&whole), at, whole.len, &got);
		compare("cut", at, &got, &want);
		state_finish(&got);
	}
	for (size_t step = 1; step < 8 && !sj_failed(); step++) {
		run_split(&opt, sj_buf_view(&whole), step, step, &got);
		compare("pieces", step, &got, &want);
		state_finish(&got);
	}
	state_finish(&want);
	sj_buf_finish(&whole);
	sj_buf_finish(&s2c);
	sj_buf_finish(&own_catalog);
	sj_buf_finish(&common);
}

SJ_TEST(every_split_of_the_suite_leads_to_the_same_state)
{
	struct sj_json_options json = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	const char *path = sj_data("a2ui/conformance/agent/streaming_parser.json");
	struct sj_value suite;
	if (!path) {
		sj_skip("the public suites are not there");
		return;
	}
	CHECK_OK(sj_value_parse(sj_test_mem(), &json, sj_slurp(path), &suite, NULL));
	for (uint32_t i = 0; i < sj_value_count(&suite); i++) {
		const struct sj_value *c = sj_value_item(&suite, i), *name = sj_value_get(c, SJ_LIT("name"));
		sj_case("%.*s", SJ_ARG(sj_value_text(name)));
		split_case(c);
		sj_case_end();
	}
	sj_value_unref(sj_test_mem(), suite);
}
