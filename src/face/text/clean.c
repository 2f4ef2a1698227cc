#include "face/text/internal.h"

#include "base/utf.h"

/* Code points that change what a terminal does with the text around them, or that nobody can see. */
static bool is_stripped(uint32_t c)
{
	return c < 0x20 || (c >= 0x7F && c <= 0x9F) || (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
	       (c >= 0xFFF9 && c <= 0xFFFB) || c == 0xFEFF || (c >= 0xE0000 && c <= 0xE007F);
}

void sj_text_clean(struct sj_buf *out, struct sj_slice text, bool keep_lines)
{
	for (size_t at = 0; at < text.len;) {
		uint32_t c = sj_utf8_next(text, &at);
		if (c == '\r' && at < text.len && text.ptr[at] == '\n')
			continue;
		if (c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029)
			sj_buf_putc(out, keep_lines ? '\n' : ' ');
		else if (c == '\t')
			sj_buf_putc(out, ' ');
		else if (!is_stripped(c))
			sj_buf_code(out, c);
	}
}

struct sj_slice clean_text(struct painter *p, struct sj_slice text, bool keep_lines)
{
	/* Most text is plain and needs no copy. */
	bool plain = true;
	for (size_t i = 0; i < text.len && plain; i++)
		plain = text.ptr[i] >= 0x20 && text.ptr[i] < 0x7F;
	if (plain)
		return text;
	sj_buf_clear(&p->scratch);
	sj_text_clean(&p->scratch, text, keep_lines);
	return keep_scratch(p);
}

struct sj_slice keep_scratch(struct painter *p)
{
	if (sj_buf_status(&p->scratch) != SJ_OK) {
		p->status = SJ_NOMEM;
		return SJ_LIT("");
	}
	if (p->scratch.len == 0)
		return SJ_LIT("");
	struct sj_slice kept = sj_arena_copy(&p->arena, sj_buf_view(&p->scratch));
	if (!kept.ptr) {
		p->status = SJ_NOMEM;
		return SJ_LIT("");
	}
	return kept;
}

struct sj_slice one_line(struct painter *p, struct sj_slice text)
{
	struct sj_slice s = clean_text(p, text, false);
	while (s.len > 0 && s.ptr[0] == ' ')
		s.ptr++, s.len--;
	while (s.len > 0 && s.ptr[s.len - 1] == ' ')
		s.len--;
	return s;
}

void put_value(struct sj_buf *out, const struct sj_value *v)
{
	char number[SJ_NUM_TEXT];

	switch ((enum sj_value_type)v->type) {
	case SJ_V_ABSENT:
	case SJ_V_NULL:
		return;
	case SJ_V_FALSE:
	case SJ_V_TRUE:
		sj_buf_puts(out, v->type == SJ_V_TRUE ? "true" : "false");
		return;
	case SJ_V_INT:
	case SJ_V_DOUBLE:
		sj_num_text(sj_value_double(v), number);
		sj_buf_puts(out, number);
		return;
	case SJ_V_SHORT:
	case SJ_V_STRING:
		sj_buf_slice(out, sj_value_text(v));
		return;
	case SJ_V_ARRAY:
		for (uint32_t i = 0; i < sj_value_count(v); i++) {
			const struct sj_value *item = sj_value_item(v, i);
			if (i > 0)
				sj_buf_puts(out, ", ");
			if (item->type == SJ_V_ARRAY || item->type == SJ_V_OBJECT)
				sj_value_print(out, item, SJ_PRINT_COMPACT);
			else
				put_value(out, item); /* a scalar: no further call */
		}
		return;
	case SJ_V_OBJECT:
		sj_value_print(out, v, SJ_PRINT_COMPACT);
		return;
	}
}

struct sj_slice value_text(struct painter *p, const struct sj_value *v, bool keep_lines)
{
	if (!v)
		return SJ_LIT("");
	if (sj_value_is_string(v)) {
		/* A short string lives in the value, whose slot may be computed anew while the picture is drawn. */
		struct sj_slice text = sj_value_text(v);
		struct sj_slice kept = clean_text(p, text, keep_lines);
		if (kept.ptr != text.ptr || kept.len == 0)
			return kept;
		sj_buf_clear(&p->scratch);
		sj_buf_slice(&p->scratch, text);
		return keep_scratch(p);
	}
	struct sj_buf raw;
	sj_buf_init(&raw, p->mem, 0);
	put_value(&raw, v);
	if (sj_buf_status(&raw) != SJ_OK)
		p->status = SJ_NOMEM;
	sj_buf_clear(&p->scratch);
	sj_text_clean(&p->scratch, sj_buf_view(&raw), keep_lines);
	sj_buf_finish(&raw);
	return keep_scratch(p);
}

const struct sj_value *ui_value(struct painter *p, sj_node_id n, enum sj_ui_prop prop)
{
	const struct sj_value *v = sj_node_ui(p->surface, n, prop);
	return v && v->type != SJ_V_ABSENT && v->type != SJ_V_NULL ? v : NULL;
}

struct sj_slice ui_line(struct painter *p, sj_node_id n, enum sj_ui_prop prop)
{
	return one_line(p, value_text(p, ui_value(p, n, prop), false));
}

bool ui_is(struct painter *p, sj_node_id n, enum sj_ui_prop prop, const char *word)
{
	const struct sj_value *v = ui_value(p, n, prop);
	return v && sj_slice_is(sj_value_text(v), word);
}

bool ui_true(struct painter *p, sj_node_id n, enum sj_ui_prop prop)
{
	const struct sj_value *v = ui_value(p, n, prop);
	return v && v->type == SJ_V_TRUE;
}

double ui_number(struct painter *p, sj_node_id n, enum sj_ui_prop prop, double fallback)
{
	const struct sj_value *v = ui_value(p, n, prop);
	double d;
	if (v && sj_value_is_number(v))
		return sj_value_double(v);
	return v && sj_num_parse_loose(sj_value_text(v), &d) ? d : fallback;
}
