/* Conformance: the processor of the older agent SDKs (process_chunk) and their reading of whole answers (parse_full,
 * fix_payload, has_parts). */
#include "cmd/conformance.h"

#include <stdio.h>

#include "cmd/match.h"
#include "infer/legacy_stream.h"

/* A part without text and one with an empty text are the same: the older files write either. */
static struct sj_value value_of_parts(struct trial *t, const struct sj_parts *parts)
{
	struct sj_value out = SJ_NULL_VALUE;
	bool ok = sj_value_array(t->mem, &out) == SJ_OK;
	for (uint32_t i = 0; ok && i < parts->list.count; i++) {
		const struct sj_part *p = &parts->list.items[i];
		struct sj_value v;
		ok = sj_value_object(t->mem, &v) == SJ_OK;
		if (!ok)
			break;
		if (p->len > 0)
			value_put_text(t->mem, &v, "text", sj_slice(p->text, p->len));
		if (p->kind == SJ_PART_MESSAGES)
			value_put(t->mem, &v, "a2ui", sj_value_ref(p->messages));
		ok = sj_value_append(t->mem, &out, v) == SJ_OK;
	}
	if (!ok)
		trial_fail(t, "out of memory");
	return out;
}

static struct sj_value without_empty_texts(struct trial *t, const struct sj_value *want)
{
	struct sj_value out = value_copy(t->mem, want);
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; st == SJ_OK && out.type == SJ_V_ARRAY && i < sj_value_count(&out); i++) {
		struct sj_value *part = sj_value_own_item(t->mem, &out, i, &st);
		const struct sj_value *text = part ? cmd_member(part, "text") : NULL;
		if (text && sj_value_is_string(text) && sj_value_text(text).len == 0)
			st = sj_value_unset(t->mem, part, SJ_LIT("text"));
	}
	return out;
}

static void expect_parts(struct trial *t, const char *what, const struct sj_value *want, const struct sj_parts *got)
{
	struct sj_value v = value_of_parts(t, got), w = without_empty_texts(t, want);
	trial_match(t, what, &w, &v, true);
	sj_value_unref(t->mem, v);
	sj_value_unref(t->mem, w);
}

/* Older files write their keys another way. */
static const struct sj_value *either(const struct sj_value *v, const char *key, const char *old)
{
	const struct sj_value *m = cmd_member(v, key);
	return m ? m : cmd_member(v, old);
}

static const struct sj_value *expected_error(const struct sj_value *where)
{
	return either(where, "expectError", "expect_error");
}

/* false: the case goes no further. */
static bool outcome(struct trial *t, const struct sj_value *where, enum sj_status st, const struct sj_diag *d)
{
	const struct sj_value *want = expected_error(where);
	if (want)
		trial_expect_diag(t, want, d);
	else if (st != SJ_OK)
		trial_fail(t, "%s: %s", sj_category_name(d->category), d->message);
	return !want && st == SJ_OK;
}

/* A document, or the path of one. */
static bool load(struct trial *t, const struct sj_value *v, struct sj_buf *out)
{
	if (v && sj_value_is_string(v))
		return trial_read(t, sj_value_text(v), out);
	if (v)
		sj_value_print(out, v, SJ_PRINT_COMPACT);
	return true;
}

static struct sj_slice text_or_none(const struct sj_buf *b) { return b->len > 0 ? sj_buf_view(b) : SJ_NO_SLICE; }

static void run_steps(struct trial *t, struct sj_legacy *p)
{
	const struct sj_value *steps = case_member(t, "steps");
	bool goes_on = true;
	for (uint32_t i = 0; goes_on && steps && i < sj_value_count(steps); i++) {
		const struct sj_value *step = sj_value_item(steps, i), *input = cmd_member(step, "input");
		struct sj_slice text = input && sj_value_is_string(input) ? sj_value_text(input) : SJ_LIT("");
		struct sj_parts parts = {0};
		struct sj_diag d = {0};
		char what[32];
		snprintf(what, sizeof what, "parts of step %u", i + 1);
		goes_on = outcome(t, step, sj_legacy_feed(p, text.ptr, text.len, &parts, &d), &d);
		if (goes_on)
			expect_parts(t, what, cmd_member(step, "expect"), &parts);
		sj_parts_finish(t->mem, &parts);
	}
}

void act_process_chunk(struct trial *t)
{
	enum { KEYS = 64 };
	const struct sj_value *catalog = case_member(t, "catalog"),
			      *keys = either(catalog, "customCuttableKeys", "custom_cuttable_keys"),
			      *unchecked = either(t->c, "disableValidation", "disable_validation");
	struct sj_slice cuttable[KEYS];
	struct sj_legacy_options opt = {.version = t->version, .cuttable = cuttable};
	struct sj_buf s2c, components, common;
	struct sj_legacy *p = NULL;
	struct sj_diag d = {0};

	sj_buf_init(&s2c, t->mem, 0);
	sj_buf_init(&components, t->mem, 0);
	sj_buf_init(&common, t->mem, 0);
	if (!load(t, either(catalog, "s2cSchema", "s2c_schema"), &s2c) ||
	    !load(t, either(catalog, "catalogSchema", "catalog_schema"), &components) ||
	    !load(t, either(catalog, "commonTypesSchema", "common_types_schema"), &common))
		goto done;
	opt.s2c = text_or_none(&s2c);
	opt.catalog = text_or_none(&components);
	opt.common = text_or_none(&common);
	opt.unchecked = unchecked && unchecked->type == SJ_V_TRUE;
	for (; keys && opt.ncuttable < sj_value_count(keys) && opt.ncuttable < KEYS; opt.ncuttable++)
		cuttable[opt.ncuttable] = sj_value_text(sj_value_item(keys, opt.ncuttable));
	if (sj_legacy_create(t->mem, &opt, &p, &d) != SJ_OK)
		trial_fail(t, "no processor: %s", d.message);
	else
		run_steps(t, p);
	sj_legacy_destroy(p);
done:
	sj_buf_finish(&s2c);
	sj_buf_finish(&components);
	sj_buf_finish(&common);
}

static struct sj_slice input_of(const struct trial *t)
{
	const struct sj_value *v = case_member(t, "input");
	return v && sj_value_is_string(v) ? sj_value_text(v) : SJ_LIT("");
}

void act_parse_full(struct trial *t)
{
	struct sj_parts parts = {0};
	struct sj_diag d = {0};
	if (outcome(t, t->c, sj_legacy_parse(t->mem, input_of(t), &parts, &d), &d))
		expect_parts(t, "parts", case_member(t, "expect"), &parts);
	sj_parts_finish(t->mem, &parts);
}

void act_fix_payload(struct trial *t)
{
	struct sj_value list = SJ_ABSENT_VALUE;
	struct sj_diag d = {0};
	if (outcome(t, t->c, sj_legacy_fix(t->mem, input_of(t), &list, &d), &d))
		trial_match(t, "payload", case_member(t, "expect"), &list, true);
	sj_value_unref(t->mem, list);
}

void act_has_parts(struct trial *t)
{
	const struct sj_value *want = case_member(t, "expect");
	bool has = sj_legacy_has_parts(input_of(t));
	if (!want || has != (want->type == SJ_V_TRUE))
		trial_fail(t, "%s", has ? "there are parts" : "there are no parts");
}
