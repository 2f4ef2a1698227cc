/* Whole answers as the older agent SDKs read them: blocks apart, mended, nothing checked. Requirements a2ui 15,
 * "Non-streaming legacy parse errors". */
#include <string.h>

#include "infer/legacy_stream.h"
#include "infer/tags.h"

static const struct sj_format_ops *const ops = &SJ_FORMAT_OPS_DIRECT_JSON;

bool sj_legacy_has_parts(struct sj_slice text)
{
	struct sj_format f = {.ops = ops};
	return sj_format_has_content(&f, text, true);
}

/* Typographic quotes, as three bytes of UTF-8: U+2018 and U+2019 are apostrophes, U+201C and U+201D quotation marks. */
static char straight(struct sj_slice s, size_t at)
{
	if (s.len - at < 3 || memcmp(s.ptr + at, "\xe2\x80", 2) != 0)
		return 0;
	switch ((unsigned char)s.ptr[at + 2]) {
	case 0x98:
	case 0x99:
		return '\'';
	case 0x9c:
	case 0x9d:
		return '"';
	default:
		return 0;
	}
}

/* Does a closing bracket follow, but for white space? */
static bool closes_next(struct sj_slice s, size_t at)
{
	while (at < s.len && sj_is_blank(s.ptr[at]))
		at++;
	return at < s.len && (s.ptr[at] == '}' || s.ptr[at] == ']');
}

/* Strings begin and end with `"` or, if they began so, a typographic mark; inside others that is text. */
static void mend(struct sj_slice s, struct sj_buf *out)
{
	bool in_string = false, typographic = false;

	for (size_t i = 0; i < s.len; i++) {
		char c = s.ptr[i], quote = straight(s, i);
		if (in_string && c == '\\' && i + 1 < s.len) {
			sj_buf_put(out, s.ptr + i++, 2);
		} else if (quote == '\'') {
			sj_buf_putc(out, '\'');
			i += 2;
		} else if (quote == '"' && in_string && !typographic) {
			sj_buf_puts(out, "\\\"");
			i += 2;
		} else if (quote == '"' || c == '"') {
			typographic = !in_string && quote == '"';
			in_string = !in_string;
			sj_buf_putc(out, '"');
			i += quote ? 2 : 0;
		} else if (c == ',' && !in_string && closes_next(s, i + 1)) {
			continue;
		} else {
			sj_buf_putc(out, c);
		}
	}
}

enum sj_status sj_legacy_fix(struct sj_mem *mem, struct sj_slice payload, struct sj_value *list, struct sj_diag *diag)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_slice bare = sj_payload_trim(payload, NULL);
	struct sj_value v, wrapped;
	struct sj_diag why = {0};
	struct sj_buf text;
	enum sj_status st;

	opt.dup = SJ_DUP_LAST;
	sj_buf_init(&text, mem, 0);
	st = sj_value_parse(mem, &opt, bare, &v, NULL);
	if (st == SJ_INVALID) {
		mend(bare, &text);
		st = sj_buf_status(&text) == SJ_OK ? sj_value_parse(mem, &opt, sj_buf_view(&text), &v, &why) : SJ_NOMEM;
	}
	sj_buf_finish(&text);
	if (st != SJ_OK)
		return st == SJ_NOMEM ? st
		                      : sj_diag_set(diag, st, why.code ? why.code : SJ_E_LIMIT, SJ_CAT_PARSE,
		                                    "Failed to parse JSON: %s", why.message);
	if (v.type == SJ_V_ARRAY) {
		*list = v;
		return SJ_OK;
	}
	st = sj_value_array(mem, &wrapped);
	if (st != SJ_OK) {
		sj_value_unref(mem, v);
		return st;
	}
	st = sj_value_append(mem, &wrapped, v);
	if (st == SJ_OK)
		*list = wrapped;
	else
		sj_value_unref(mem, wrapped);
	return st;
}

/* A block becomes messages; `before` is the text part right before it, or NULL. */
static enum sj_status add_block(struct sj_mem *mem, struct sj_part *raw, const struct sj_part *before,
                                struct sj_parts *out, struct sj_diag *diag)
{
	struct sj_value list;
	char *text;
	if (raw->len == 0)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE, "A2UI JSON part is empty");
	enum sj_status st = sj_legacy_fix(mem, sj_slice(raw->text, raw->len), &list, diag);
	if (st != SJ_OK)
		return st;
	struct sj_slice words = before ? sj_slice(before->text, before->len) : SJ_LIT("");
	text = sj_mem_strndup(mem, words);
	if (!text) {
		sj_value_unref(mem, list);
		return SJ_NOMEM;
	}
	st = sj_parts_add_messages(mem, out, list);
	if (st != SJ_OK) {
		sj_mem_free(mem, text, words.len + 1);
		return st;
	}
	out->list.items[out->list.count - 1].text = text;
	out->list.items[out->list.count - 1].len = words.len;
	return SJ_OK;
}

enum sj_status sj_legacy_parse(struct sj_mem *mem, struct sj_slice response, struct sj_parts *out,
                               struct sj_diag *diag)
{
	struct sj_format f = {.mem = mem, .ops = ops};
	struct sj_parts raw = {0}, made = {0};
	const struct sj_part *before = NULL;
	enum sj_status st;

	if (!sj_legacy_has_parts(response))
		return sj_diag_set(diag, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE,
		                   "the tags <a2ui-json> and </a2ui-json> were not found in response");
	st = sj_format_unwrap(&f, response, &raw);
	for (uint32_t i = 0; st == SJ_OK && i < raw.list.count; i++) {
		struct sj_part *part = &raw.list.items[i];
		if (part->kind == SJ_PART_TEXT) {
			before = part;
			continue;
		}
		if (part->unterminated)
			st = sj_diag_set(diag, SJ_INVALID, SJ_E_JSON_INCOMPLETE, SJ_CAT_PARSE,
			                 "Failed to parse JSON: the last block never closed");
		else
			st = add_block(mem, part, before, &made, diag);
		before = NULL;
	}
	if (st == SJ_OK && before)
		st = sj_parts_add_text(mem, &made, SJ_PART_TEXT, sj_slice(before->text, before->len));
	if (st == SJ_OK)
		st = SJ_VEC_RESERVE(mem, &out->list, out->list.count + made.list.count, 0);
	for (uint32_t i = 0; st == SJ_OK && i < made.list.count; i++)
		out->list.items[out->list.count++] = made.list.items[i];
	if (st == SJ_OK)
		made.list.count = 0;
	sj_parts_finish(mem, &made);
	sj_parts_finish(mem, &raw);
	return st;
}
