/* Conformance: the parts of a response and the formats of its payloads (unwrap, wrap, compile, decompile,
 * parse_response, parse_chunk). */
#include "cmd/conformance.h"

#include <stdio.h>

#include "cmd/match.h"
#include "infer/infer.h"

enum { CATALOGS = 16, KEYS = 64 };

struct rig { /* a format for one case */
	struct trial *t;
	struct sj_catalog *catalogs[CATALOGS];
	uint32_t n;
	struct sj_format *format;
};

/* Documents inside a case name the common types by a shorter file name than published catalogs do. */
static void spell_common_types(struct sj_buf *json)
{
	static const char old[] = "\"common.json#", new[] = "\"common_types.json#";
	struct sj_buf out;
	sj_buf_init(&out, json->mem, 0);
	for (size_t i = 0; i < json->len; i++) {
		if (json->len - i >= sizeof old - 1 && memcmp(json->ptr + i, old, sizeof old - 1) == 0) {
			sj_buf_puts(&out, new);
			i += sizeof old - 2;
		} else {
			sj_buf_putc(&out, json->ptr[i]);
		}
	}
	sj_buf_finish(json);
	*json = out;
}

/* A file's path, or a document. */
static bool add_catalog(struct rig *r, const struct sj_value *catalog)
{
	struct sj_buf text;
	struct sj_diag d = {0};
	bool ok = r->n < CATALOGS && catalog;
	sj_buf_init(&text, r->t->mem, 0);
	if (ok && sj_value_is_string(catalog)) {
		ok = trial_read(r->t, sj_value_text(catalog), &text);
	} else if (ok) {
		sj_value_print(&text, catalog, SJ_PRINT_COMPACT);
		spell_common_types(&text);
	}
	ok = ok && sj_catalog_parse(r->t->mem, sj_buf_view(&text), SJ_NO_SLICE, SJ_VERSION_NONE, NULL, NULL,
	                            &r->catalogs[r->n], &d) == SJ_OK;
	r->n += ok;
	if (!ok)
		trial_fail(r->t, "a catalog of the case cannot be used: %s", d.message);
	sj_buf_finish(&text);
	return ok;
}

static bool rig_open(struct rig *r, struct trial *t)
{
	const struct sj_value *args = case_member(t, "args"), *format = cmd_member(args, "format"),
			      *list = cmd_member(args, "catalogs"), *one = cmd_member(args, "catalog");
	struct sj_format_options opt = {.id = SJ_FORMAT_DIRECT_JSON};
	struct sj_diag d = {0};
	bool ok = true;
	*r = (struct rig){.t = t};
	if (format && !sj_format_find(sj_value_text(format), &opt.id)) {
		trial_skip(t, "there is no such format here");
		return false;
	}
	if (one)
		ok = add_catalog(r, one);
	for (uint32_t i = 0; ok && list && i < sj_value_count(list); i++)
		ok = add_catalog(r, sj_value_item(list, i));
	if (!ok)
		return false;
	opt.catalogs = (const struct sj_catalog *const *)r->catalogs;
	opt.ncatalogs = r->n;
	enum sj_status st = sj_format_create(t->mem, &opt, &r->format, &d);
	if (st == SJ_INVALID && d.code == SJ_E_UNAVAILABLE)
		trial_skip(t, "the format is not built in");
	else if (st != SJ_OK)
		trial_fail(t, "no format: %s", d.message);
	return st == SJ_OK;
}

static void rig_close(struct rig *r)
{
	sj_format_destroy(r->format);
	for (uint32_t i = 0; i < r->n; i++)
		sj_catalog_destroy(r->catalogs[i]);
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

struct sj_value value_of_response(struct trial *t, const struct sj_parts *parts)
{
	struct sj_value out = SJ_NULL_VALUE;
	if (sj_value_array(t->mem, &out) != SJ_OK)
		trial_fail(t, "out of memory");
	for (uint32_t i = 0; i < parts->list.count && out.type == SJ_V_ARRAY; i++) {
		const struct sj_part *p = &parts->list.items[i];
		struct sj_value v;
		if (sj_value_object(t->mem, &v) != SJ_OK)
			break;
		if (p->text)
			value_put_text(t->mem, &v, p->kind == SJ_PART_RAW ? "a2ui_raw" : "text",
			               sj_slice(p->text, p->len));
		if (p->kind == SJ_PART_MESSAGES)
			value_put(t->mem, &v, "a2ui", sj_value_ref(p->messages));
		if (p->kind == SJ_PART_RAW && p->unterminated)
			value_put(t->mem, &v, "is_final", sj_value_bool(false));
		if (sj_value_append(t->mem, &out, v) != SJ_OK)
			trial_fail(t, "out of memory");
	}
	return out;
}

static void expect_parts(struct trial *t, const char *what, const struct sj_value *want, const struct sj_parts *got)
{
	struct sj_value v = value_of_response(t, got);
	trial_match(t, what, want, &v, true);
	sj_value_unref(t->mem, v);
}

/* Is this the error that the case or step expects? true: it expects one. */
static bool expected_error(struct trial *t, const struct sj_value *where, enum sj_status st, const struct sj_diag *d)
{
	const struct sj_value *want = cmd_member(where, "expect_error");
	if (want && st == SJ_OK)
		trial_fail(t, "a fault was expected, there was none");
	else if (want)
		trial_expect_diag(t, want, d);
	else if (st != SJ_OK)
		trial_fail(t, "%s: %s", sj_category_name(d->category), d->message);
	return want != NULL || st != SJ_OK;
}

static struct sj_slice text_of(const struct trial *t, const char *key)
{
	const struct sj_value *v = case_member(t, key);
	return v && sj_value_is_string(v) ? sj_value_text(v) : SJ_LIT("");
}

void act_unwrap(struct trial *t)
{
	struct sj_parts parts = {0};
	struct rig r;
	if (rig_open(&r, t)) {
		if (sj_format_unwrap(r.format, text_of(t, "input"), &parts) != SJ_OK)
			trial_fail(t, "unwrapping failed");
		expect_parts(t, "parts", case_member(t, "expect"), &parts);
	}
	sj_parts_finish(t->mem, &parts);
	rig_close(&r);
}

static void read_parts(struct trial *t, const struct sj_value *list, struct sj_parts *out)
{
	for (uint32_t i = 0; list && i < sj_value_count(list); i++) {
		const struct sj_value *v = sj_value_item(list, i), *raw = cmd_member(v, "a2ui_raw"),
				      *text = cmd_member(v, "text"), *messages = cmd_member(v, "a2ui");
		const struct sj_value *shown = raw ? raw : text;
		struct sj_part p = {.kind = raw ? SJ_PART_RAW : messages ? SJ_PART_MESSAGES : SJ_PART_TEXT,
		                    .messages = messages ? sj_value_ref(*messages) : SJ_ABSENT_VALUE};
		if (shown) {
			p.text = sj_mem_strndup(t->mem, sj_value_text(shown));
			p.len = sj_value_text(shown).len;
		}
		if ((shown && !p.text) || SJ_VEC_RESERVE(t->mem, &out->list, out->list.count + 1, 0) != SJ_OK) {
			trial_fail(t, "out of memory");
			return;
		}
		out->list.items[out->list.count++] = p;
	}
}

static void expect_text(struct trial *t, struct sj_slice text)
{
	const struct sj_value *exact = case_member(t, "expect_output"), *parts = case_member(t, "expect_contains"),
			      *absent = case_member(t, "expect_absent");
	if (exact && !sj_slice_eq(sj_value_text(exact), text))
		trial_fail(t, "wanted %.*s, got %.*s", SJ_ARG(sj_value_text(exact)), SJ_ARG(text));
	for (uint32_t i = 0; parts && i < sj_value_count(parts); i++)
		if (!cmd_contains(text, sj_value_text(sj_value_item(parts, i))))
			trial_fail(t, "'%.*s' is not in: %.*s", SJ_ARG(sj_value_text(sj_value_item(parts, i))),
			           SJ_ARG(text));
	for (uint32_t i = 0; absent && i < sj_value_count(absent); i++)
		if (cmd_contains(text, sj_value_text(sj_value_item(absent, i))))
			trial_fail(t, "'%.*s' is in: %.*s", SJ_ARG(sj_value_text(sj_value_item(absent, i))),
			           SJ_ARG(text));
}

static bool wants_round_trip(const struct trial *t)
{
	const struct sj_value *v = case_member(t, "expect_round_trip");
	return v && v->type == SJ_V_TRUE;
}

void act_wrap(struct trial *t)
{
	struct sj_parts parts = {0}, again = {0};
	struct sj_diag d = {0};
	struct sj_buf out;
	struct rig r;
	sj_buf_init(&out, t->mem, 0);
	if (rig_open(&r, t)) {
		read_parts(t, case_member(t, "parts"), &parts);
		enum sj_status st = sj_format_wrap(r.format, &parts, &out, &d);
		if (!expected_error(t, t->c, st, &d)) {
			expect_text(t, sj_buf_view(&out));
			if (wants_round_trip(t) &&
			    sj_format_unwrap(r.format, sj_buf_view(&out), &again) == SJ_OK)
				expect_parts(t, "parts that were written", case_member(t, "parts"), &again);
		}
	}
	sj_parts_finish(t->mem, &parts);
	sj_parts_finish(t->mem, &again);
	sj_buf_finish(&out);
	rig_close(&r);
}

/* ---- payloads ---------------------------------------------------------------------------------------------------- */

/* expect_present: places that hold a value of the format's own choice, left out of `expect`. */
static void expect_messages(struct trial *t, const struct sj_value *got)
{
	const struct sj_value *present = case_member(t, "expect_present"), *want = case_member(t, "expect");
	for (uint32_t i = 0; present && i < sj_value_count(present); i++)
		if (!sj_value_at(got, sj_value_text(sj_value_item(present, i))))
			trial_fail(t, "there is nothing at %.*s", SJ_ARG(sj_value_text(sj_value_item(present, i))));
	if (want)
		trial_match(t, "messages", want, got, present == NULL);
}

void act_compile(struct trial *t)
{
	struct sj_value messages = SJ_ABSENT_VALUE;
	struct sj_diag d = {0};
	struct rig r;
	if (rig_open(&r, t)) {
		enum sj_status st = sj_format_compile(r.format, text_of(t, "input"), &messages, NULL, &d);
		if (!expected_error(t, t->c, st, &d))
			expect_messages(t, &messages);
		sj_value_unref(t->mem, messages);
	}
	rig_close(&r);
}

void act_decompile(struct trial *t)
{
	const struct sj_value *messages = case_member(t, "messages");
	struct sj_value again = SJ_ABSENT_VALUE;
	struct sj_diag d = {0};
	struct sj_buf out;
	struct rig r;
	sj_buf_init(&out, t->mem, 0);
	if (rig_open(&r, t) && messages) {
		enum sj_status st = sj_format_decompile(r.format, messages, &out, &d);
		if (!expected_error(t, t->c, st, &d)) {
			expect_text(t, sj_buf_view(&out));
			st = wants_round_trip(t)
			             ? sj_format_compile(r.format, sj_buf_view(&out), &again, NULL, &d)
			             : SJ_ABSENT;
			if (st == SJ_OK)
				trial_match(t, "what was written", messages, &again, true);
			else if (st != SJ_ABSENT)
				trial_fail(t, "what was written cannot be read: %s: %.*s", d.message,
				           SJ_ARG(sj_buf_view(&out)));
			sj_value_unref(t->mem, again);
		}
	}
	sj_buf_finish(&out);
	rig_close(&r);
}

void act_parse_response(struct trial *t)
{
	struct sj_parts parts = {0};
	struct sj_diag d = {0};
	struct rig r;
	if (rig_open(&r, t)) {
		enum sj_status st = sj_format_parse(r.format, text_of(t, "input"), &parts, NULL, &d);
		if (!expected_error(t, t->c, st, &d))
			expect_parts(t, "parts", case_member(t, "expect"), &parts);
	}
	sj_parts_finish(t->mem, &parts);
	rig_close(&r);
}

/* ---- streaming --------------------------------------------------------------------------------------------------- */

/* Text and messages in order, however they were cut into parts. */
static struct sj_value joined(struct trial *t, const struct sj_parts *parts)
{
	struct sj_value out = SJ_NULL_VALUE;
	struct sj_buf text;
	sj_buf_init(&text, t->mem, 0);
	if (sj_value_array(t->mem, &out) != SJ_OK)
		trial_fail(t, "out of memory");
	for (uint32_t i = 0; i <= parts->list.count && out.type == SJ_V_ARRAY; i++) {
		const struct sj_part *p = i < parts->list.count ? &parts->list.items[i] : NULL;
		if (p && p->text)
			sj_buf_put(&text, p->text, p->len);
		if (p && p->kind == SJ_PART_TEXT)
			continue;
		struct sj_value v;
		if (text.len > 0 && sj_value_string(t->mem, sj_buf_view(&text), &v) == SJ_OK)
			(void)sj_value_append(t->mem, &out, v);
		sj_buf_clear(&text);
		for (uint32_t k = 0; p && k < sj_value_count(&p->messages); k++)
			(void)sj_value_append(t->mem, &out, sj_value_ref(*sj_value_item(&p->messages, k)));
	}
	sj_buf_finish(&text);
	return out;
}

static void match_single_shot(struct trial *t, struct rig *r, struct sj_slice whole, const struct sj_parts *got)
{
	struct sj_parts parts = {0};
	struct sj_diag d = {0};
	const struct sj_value *wrapped = cmd_member(case_member(t, "args"), "wrapped");
	enum sj_status st;
	if (wrapped && wrapped->type == SJ_V_FALSE) {
		struct sj_part p = {.kind = SJ_PART_MESSAGES, .messages = SJ_ABSENT_VALUE};
		st = sj_format_compile(r->format, whole, &p.messages, NULL, &d);
		if (st == SJ_OK && SJ_VEC_RESERVE(t->mem, &parts.list, 1, 0) == SJ_OK)
			parts.list.items[parts.list.count++] = p;
	} else {
		st = sj_format_parse(r->format, whole, &parts, NULL, &d);
	}
	if (st != SJ_OK)
		trial_fail(t, "read at once: %s", d.message);
	struct sj_value want = joined(t, &parts), have = joined(t, got);
	trial_match(t, "the whole response", &want, &have, true);
	sj_value_unref(t->mem, want);
	sj_value_unref(t->mem, have);
	sj_parts_finish(t->mem, &parts);
}

static void move_parts(struct trial *t, struct sj_parts *from, struct sj_parts *to)
{
	if (SJ_VEC_RESERVE(t->mem, &to->list, to->list.count + from->list.count, 0) != SJ_OK) {
		trial_fail(t, "out of memory");
		return;
	}
	for (uint32_t i = 0; i < from->list.count; i++)
		to->list.items[to->list.count++] = from->list.items[i];
	from->list.count = 0;
}

static void run_chunks(struct trial *t, struct rig *r, struct sj_parser *p)
{
	const struct sj_value *steps = case_member(t, "steps"), *single = case_member(t, "expect_matches_single_shot");
	struct sj_parts now = {0}, all = {0};
	struct sj_diag d = {0};
	struct sj_buf whole;
	bool over = false;
	sj_buf_init(&whole, t->mem, 0);
	for (uint32_t i = 0; !over && i < sj_value_count(steps); i++) {
		const struct sj_value *step = sj_value_item(steps, i), *input = cmd_member(step, "input");
		struct sj_slice text = input ? sj_value_text(input) : SJ_LIT("");
		char what[32];
		snprintf(what, sizeof what, "step %u", i);
		sj_buf_slice(&whole, text);
		enum sj_status st = sj_parser_feed(p, text.ptr, text.len, &now, &d);
		over = expected_error(t, step, st, &d);
		if (!over && cmd_member(step, "expect"))
			expect_parts(t, what, cmd_member(step, "expect"), &now);
		move_parts(t, &now, &all);
	}
	if (!over && !trial_failed(t)) {
		if (sj_parser_end(p, &now, &d) != SJ_OK)
			trial_fail(t, "at the end: %s", d.message);
		if (now.list.count > 0)
			trial_fail(t, "something was kept back until the end");
		if (single && single->type == SJ_V_TRUE)
			match_single_shot(t, r, sj_buf_view(&whole), &all);
	}
	sj_parts_finish(t->mem, &now);
	sj_parts_finish(t->mem, &all);
	sj_buf_finish(&whole);
}

void act_parse_chunk(struct trial *t)
{
	const struct sj_value *args = case_member(t, "args"), *keys = cmd_member(args, "progressive_keys"),
			      *wrapped = cmd_member(args, "wrapped");
	struct sj_slice names[KEYS];
	struct sj_parser_options opt = {.progressive_keys = names, .repair_cap = SJ_REPAIRS_DEFAULT_CAP};
	struct sj_parser *p = NULL;
	struct rig r;
	for (uint32_t i = 0; keys && i < sj_value_count(keys) && i < KEYS; i++)
		names[opt.nprogressive++] = sj_value_text(sj_value_item(keys, i));
	opt.unwrapped = wrapped && wrapped->type == SJ_V_FALSE;
	if (rig_open(&r, t)) {
		if (sj_parser_create(r.format, &opt, &p) == SJ_OK)
			run_chunks(t, &r, p);
		else
			trial_fail(t, "out of memory");
		sj_parser_destroy(p);
	}
	rig_close(&r);
}
