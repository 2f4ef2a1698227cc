/* Markdown in a text: cleaned, measured once, wrapped to whatever width its box gets. */
#include "face/text/internal.h"

#include "text/width.h"

#define SHORT_HEADING 5u /* a narrower one is a figure rather than a title, and not underlined */
#define LONG_WORD 20u /* a longer word may be broken when the picture is narrow */

static bool add_paragraph(struct painter *p, const struct sj_md *md, const struct sj_md_para *from,
                          struct paragraph *to)
{
	/* A link adds one run for its address. */
	struct run *runs = sj_arena_alloc(&p->arena, ((size_t)from->count * 2 + 1) * sizeof *runs);
	struct sj_buf all;
	if (!runs)
		return false;
	*to = (struct paragraph){from->block, from->level, from->number, SJ_LIT(""), runs, 0};
	sj_buf_init(&all, p->mem, 0);
	for (uint32_t i = 0; i < from->count; i++) {
		const struct sj_md_span *span = &md->spans[from->first + i];
		struct sj_slice text = clean_text(p, span->text, true);
		bool code = (span->flags & SJ_MD_CODE_SPAN) && from->block != SJ_MD_CODE;
		sj_buf_puts(&all, code ? "`" : "");
		sj_buf_slice(&all, text);
		sj_buf_puts(&all, code ? "`" : "");
		runs[to->nruns++] = (struct run){(uint32_t)all.len, span->flags};
		bool ends = i + 1 == from->count || !sj_slice_eq(md->spans[from->first + i + 1].href, span->href);
		if ((span->flags & SJ_MD_LINK) && ends && span->href.len > 0 && !sj_slice_eq(span->href, span->text)) {
			sj_buf_puts(&all, " (");
			sj_buf_slice(&all, clean_text(p, span->href, false));
			sj_buf_putc(&all, ')');
			runs[to->nruns++] = (struct run){(uint32_t)all.len, 0};
		}
	}
	while (all.len > 0 && all.ptr[all.len - 1] == '\n')
		all.len--;
	bool ok = sj_buf_status(&all) == SJ_OK;
	if (ok && all.len > 0) {
		to->text = sj_arena_copy(&p->arena, sj_buf_view(&all));
		ok = to->text.ptr != NULL;
	}
	sj_buf_finish(&all);
	return ok;
}

static uint32_t indent_of(const struct paragraph *para)
{
	switch (para->block) {
	case SJ_MD_ITEM:
		return (para->level ? para->level - 1u : 0u) * 2 + (para->number > 9 ? 4 : para->number ? 3 : 2);
	case SJ_MD_QUOTE:
		return (para->level ? para->level : 1u) * 2;
	case SJ_MD_CODE:
		return 2 + para->level * 2u;
	case SJ_MD_PARAGRAPH:
		return para->level * 2u; /* inside a list item */
	case SJ_MD_HEADING:
	case SJ_MD_RULE:
		break;
	}
	return 0;
}

/* Columns of the longest line and of the longest unbreakable piece. */
static void measure_text(struct sj_slice text, uint32_t *natural, uint32_t *least)
{
	size_t line = 0, word = 0;
	for (struct sj_slice rest = text; rest.len > 0;) {
		unsigned columns;
		size_t n = sj_grapheme_next(rest, &columns);
		bool ends = rest.ptr[0] == ' ' || rest.ptr[0] == '\n';
		line = rest.ptr[0] == '\n' ? 0 : line + columns;
		word = ends ? 0 : columns == 2 ? 2 : word + columns;
		if (line > *natural)
			*natural = (uint32_t)line;
		if (word > *least)
			*least = word > LONG_WORD ? LONG_WORD : (uint32_t)word;
		rest.ptr += n;
		rest.len -= n;
	}
}

const struct markup *markup_of(struct painter *p, struct sj_slice text)
{
	static const struct markup empty = {NULL, 0, 0, 0};
	struct sj_md md;
	if (text.len == 0)
		return &empty;
	struct markup *m = sj_arena_zalloc(&p->arena, sizeof *m);
	if (!m || sj_md_parse(&p->arena, text, &md) != SJ_OK) {
		p->status = SJ_NOMEM;
		return &empty;
	}
	m->items = sj_arena_zalloc(&p->arena, (md.npara ? md.npara : 1) * sizeof *m->items);
	for (uint32_t i = 0; m->items && i < md.npara; i++) {
		struct paragraph *para = &m->items[i];
		if (!add_paragraph(p, &md, &md.paras[i], para)) {
			p->status = SJ_NOMEM;
			return &empty;
		}
		m->count++;
		uint32_t natural = 0, least = 0;
		measure_text(para->text, &natural, &least);
		natural += indent_of(para);
		least += indent_of(para);
		if (natural > m->natural)
			m->natural = natural;
		if (least > m->least)
			m->least = least;
	}
	if (!m->items)
		p->status = SJ_NOMEM;
	return m;
}

static unsigned run_style(unsigned flags)
{
	return (flags & SJ_MD_BOLD ? BOLD : 0u) | (flags & SJ_MD_ITALIC ? ITALIC : 0u) |
	       (flags & SJ_MD_LINK ? UNDERLINE : 0u) | (flags & SJ_MD_STRIKE ? DIM : 0u);
}

/* Bytes from..to of a paragraph with the styles of the runs they lie in. */
static void pen_runs(struct pen *n, const struct paragraph *para, size_t from, size_t to, unsigned style)
{
	for (uint32_t r = 0; r < para->nruns && from < to; r++) {
		size_t end = para->runs[r].end < to ? para->runs[r].end : to;
		if (end <= from)
			continue;
		pen_text(n, sj_slice(para->text.ptr + from, end - from), style | run_style(para->runs[r].flags));
		from = end;
	}
}

static struct block wrap(struct painter *p, const struct paragraph *para, uint32_t columns, unsigned style)
{
	struct block b = NO_BLOCK;
	size_t width = columns < 2 ? 2 : columns, skip;
	bool right = sj_text_is_rtl(para->text); /* a paragraph of Hebrew or Arabic hangs from the right edge */
	for (size_t at = 0; at < para->text.len; at += skip) {
		struct sj_slice rest = {para->text.ptr + at, para->text.len - at};
		size_t len = sj_text_wrap(rest, width, &skip);
		struct pen n;
		pen_begin(&n, p);
		if (right) {
			size_t used = sj_text_width(sj_slice(rest.ptr, len));
			if (used < columns)
				pen_pad(&n, columns - (uint32_t)used);
		}
		pen_runs(&n, para, at, at + len, style);
		block_stack(p, &b, pen_block(&n));
	}
	return b;
}

static struct block underlined(struct painter *p, struct block text, unsigned level)
{
	if (level > 2 || text.count == 0 || text.columns < SHORT_HEADING)
		return text;
	struct pen n;
	pen_begin(&n, p);
	pen_times(&n, level == 1 ? "═" : "─", level == 1 ? "=" : "-", text.columns);
	block_stack(p, &text, pen_block(&n));
	return text;
}

static struct block draw_paragraph(struct painter *p, const struct paragraph *para, uint32_t columns, unsigned style,
                                   unsigned heading)
{
	uint32_t indent = indent_of(para);
	uint32_t room = columns > indent + 2 ? columns - indent : 2;
	struct pen first, rest;

	switch (para->block) {
	case SJ_MD_PARAGRAPH:
		if (heading)
			return underlined(p, wrap(p, para, columns, style | BOLD), heading);
		return block_shift(p, wrap(p, para, room, style), indent);
	case SJ_MD_HEADING:
		return underlined(p, wrap(p, para, columns, style | BOLD), heading ? heading : para->level);
	case SJ_MD_RULE:
		pen_begin(&first, p);
		pen_times(&first, "─", "-", columns);
		return pen_block(&first);
	case SJ_MD_ITEM:
	case SJ_MD_QUOTE:
	case SJ_MD_CODE:
		break;
	}
	pen_begin(&first, p);
	pen_begin(&rest, p);
	if (para->block == SJ_MD_ITEM) {
		char number[SJ_NUM_TEXT];
		pen_pad(&first, (para->level ? para->level - 1u : 0u) * 2);
		if (para->number > 0) {
			sj_num_text_i64(para->number, number);
			pen_puts(&first, number);
			pen_puts(&first, ".");
		} else {
			pen_glyph(&first, "•", "*");
		}
	} else if (para->block == SJ_MD_QUOTE) {
		for (unsigned i = 0; i < (para->level ? para->level : 1u); i++) {
			pen_glyph(&first, "│ ", "> ");
			pen_glyph(&rest, "│ ", "> ");
		}
	}
	pen_pad(&first, indent);
	pen_pad(&rest, indent);
	struct line a = pen_line(&first), b = pen_line(&rest);
	return block_prefix(p, wrap(p, para, room, style), sj_slice(a.ptr, a.len), sj_slice(b.ptr, b.len), PLAIN);
}

struct block markup_block(struct painter *p, const struct markup *m, uint32_t columns, unsigned style, unsigned heading)
{
	struct block all = NO_BLOCK;
	bool top_numbered = false; /* the list at the margin counts its items */
	for (uint32_t i = 0; i < m->count; i++) {
		const struct paragraph *para = &m->items[i];
		struct block b = draw_paragraph(p, para, columns, style, heading);
		bool other_list = para->block == SJ_MD_ITEM && para->level <= 1 && top_numbered != (para->number > 0);
		bool both_items =
			!other_list && i > 0 && para->block == SJ_MD_ITEM && m->items[i - 1].block == SJ_MD_ITEM;
		if (para->block == SJ_MD_ITEM && para->level <= 1)
			top_numbered = para->number > 0;
		bool after_heading = i > 0 && m->items[i - 1].block == SJ_MD_HEADING;
		if (all.count > 0 && !both_items && !after_heading)
			block_blank(p, &all);
		block_stack(p, &all, b);
	}
	return all;
}
