#include "face/text/internal.h"

#include "text/width.h"

const struct block VERTICAL_RULE = {NULL, 1, 0, 1};

void pen_begin(struct pen *n, struct painter *p)
{
	n->painter = p;
	n->columns = 0;
	sj_buf_init(&n->buf, p->mem, 0);
}

void pen_text(struct pen *n, struct sj_slice text, unsigned style)
{
	static const struct {
		unsigned flag;
		const char *code;
	} codes[] = {
		{BOLD, "\033[1m"}, {DIM, "\033[2m"}, {ITALIC, "\033[3m"}, {UNDERLINE, "\033[4m"}, {REVERSE, "\033[7m"}};

	if (text.len == 0)
		return;
	bool styled = style && n->painter->opt.colour;
	for (size_t i = 0; styled && i < sizeof codes / sizeof *codes; i++)
		if (style & codes[i].flag)
			sj_buf_puts(&n->buf, codes[i].code);
	sj_buf_slice(&n->buf, text);
	if (styled)
		sj_buf_puts(&n->buf, "\033[0m");
	n->columns += (uint32_t)sj_text_width(text);
}

void pen_puts(struct pen *n, const char *z) { pen_text(n, sj_slice_of(z), PLAIN); }

void pen_glyph(struct pen *n, const char *wide, const char *ascii)
{
	pen_puts(n, n->painter->opt.ascii ? ascii : wide);
}

void pen_times(struct pen *n, const char *wide, const char *ascii, uint32_t times)
{
	const char *z = n->painter->opt.ascii ? ascii : wide;
	size_t len = strlen(z);
	for (uint32_t i = 0; i < times; i++)
		sj_buf_put(&n->buf, z, len);
	n->columns += times;
}

void pen_pad(struct pen *n, uint32_t columns)
{
	if (columns > n->columns)
		pen_times(n, " ", " ", columns - n->columns);
}

struct line pen_line(struct pen *n)
{
	struct line line = {"", 0, 0};
	struct painter *p = n->painter;
	if (sj_buf_status(&n->buf) != SJ_OK) {
		p->status = SJ_NOMEM;
	} else if (n->buf.len > 0) {
		struct sj_slice kept = sj_arena_copy(&p->arena, sj_buf_view(&n->buf));
		if (kept.ptr)
			line = (struct line){kept.ptr, (uint32_t)kept.len, n->columns};
		else
			p->status = SJ_NOMEM;
	}
	sj_buf_finish(&n->buf);
	return line;
}

struct block block_of(struct painter *p, uint32_t count)
{
	struct block b = NO_BLOCK;
	if (count == 0)
		return b;
	b.lines = sj_arena_alloc(&p->arena, (size_t)count * sizeof *b.lines);
	if (!b.lines) {
		p->status = SJ_NOMEM;
		return b;
	}
	b.count = b.cap = count;
	for (uint32_t i = 0; i < count; i++)
		b.lines[i] = (struct line){"", 0, 0};
	return b;
}

struct block pen_block(struct pen *n)
{
	struct painter *p = n->painter;
	struct line line = pen_line(n);
	struct block b = block_of(p, 1);
	if (b.count) {
		b.lines[0] = line;
		b.columns = line.columns;
	}
	return b;
}

struct block block_text(struct painter *p, struct sj_slice text, uint32_t columns, unsigned style)
{
	struct block b = NO_BLOCK;
	size_t width = columns < 2 ? 2 : columns, skip, lines = 0;
	for (struct sj_slice rest = text; rest.len > 0; rest.ptr += skip, rest.len -= skip, lines++)
		sj_text_wrap(rest, width, &skip);
	b = block_of(p, (uint32_t)lines);
	struct sj_slice rest = text;
	for (uint32_t i = 0; i < b.count; i++) {
		size_t len = sj_text_wrap(rest, width, &skip);
		struct pen n;
		pen_begin(&n, p);
		pen_text(&n, sj_slice(rest.ptr, len), style);
		b.lines[i] = pen_line(&n);
		if (b.lines[i].columns > b.columns)
			b.columns = b.lines[i].columns;
		rest.ptr += skip;
		rest.len -= skip;
	}
	return b;
}

void block_stack(struct painter *p, struct block *below, struct block more)
{
	if (more.count == 0)
		return;
	if (below->count == 0) {
		*below = more;
		return;
	}
	if (below->cap - below->count < more.count) {
		uint32_t cap = (below->count + more.count) * 2;
		struct line *lines = sj_arena_alloc(&p->arena, (size_t)cap * sizeof *lines);
		if (!lines) {
			p->status = SJ_NOMEM;
			return;
		}
		memcpy(lines, below->lines, below->count * sizeof *lines);
		below->lines = lines;
		below->cap = cap;
	}
	memcpy(below->lines + below->count, more.lines, more.count * sizeof *more.lines);
	below->count += more.count;
	if (more.columns > below->columns)
		below->columns = more.columns;
}

void block_blank(struct painter *p, struct block *b) { block_stack(p, b, block_of(p, 1)); }

struct block block_prefix(struct painter *p, struct block b, struct sj_slice first, struct sj_slice rest,
                          unsigned style)
{
	struct block out = block_of(p, b.count);
	for (uint32_t i = 0; i < out.count; i++) {
		struct pen n;
		pen_begin(&n, p);
		pen_text(&n, i == 0 ? first : rest, style);
		sj_buf_put(&n.buf, b.lines[i].ptr, b.lines[i].len);
		n.columns += b.lines[i].columns;
		out.lines[i] = pen_line(&n);
		if (out.lines[i].columns > out.columns)
			out.columns = out.lines[i].columns;
	}
	return out;
}

struct block block_shift(struct painter *p, struct block b, uint32_t columns)
{
	if (columns == 0 || b.count == 0)
		return b;
	struct pen n;
	pen_begin(&n, p);
	pen_pad(&n, columns);
	struct line blank = pen_line(&n);
	struct sj_slice pad = {blank.ptr, blank.len};
	return block_prefix(p, b, pad, pad, PLAIN);
}

static struct line rule(struct painter *p, const char *const ends[4], uint32_t columns, struct sj_slice title)
{
	struct pen n;
	pen_begin(&n, p);
	pen_glyph(&n, ends[0], ends[1]);
	if (title.len > 0 && columns > 8) {
		size_t used;
		size_t fits = sj_text_fit(title, columns - 6, &used);
		pen_glyph(&n, "─ ", "- ");
		pen_text(&n, sj_slice(title.ptr, fits), BOLD);
		pen_puts(&n, " ");
	}
	if (columns > n.columns + 1)
		pen_times(&n, "─", "-", columns - n.columns - 1);
	pen_glyph(&n, ends[2], ends[3]);
	return pen_line(&n);
}

struct block block_box(struct painter *p, struct block inner, uint32_t columns, struct sj_slice title)
{
	static const char *const top[] = {"╭", "+", "╮", "+"}, *const bottom[] = {"╰", "+", "╯", "+"};
	if (inner.columns + 4 > columns)
		columns = inner.columns + 4;
	struct block b = block_of(p, inner.count + 2);
	if (b.count == 0)
		return b;
	b.columns = columns;
	b.lines[0] = rule(p, top, columns, title);
	for (uint32_t i = 0; i < inner.count; i++) {
		struct pen n;
		pen_begin(&n, p);
		pen_glyph(&n, "│ ", "| ");
		sj_buf_put(&n.buf, inner.lines[i].ptr, inner.lines[i].len);
		n.columns += inner.lines[i].columns;
		pen_pad(&n, columns - 2);
		pen_glyph(&n, " │", " |");
		b.lines[i + 1] = pen_line(&n);
	}
	b.lines[inner.count + 1] = rule(p, bottom, columns, SJ_LIT(""));
	return b;
}

struct block block_beside(struct painter *p, const struct block *parts, const uint32_t *at, uint32_t n, bool middle)
{
	uint32_t high = 0;
	for (uint32_t i = 0; i < n; i++)
		if (parts[i].count > high)
			high = parts[i].count;
	struct block b = block_of(p, high);
	for (uint32_t y = 0; y < b.count; y++) {
		struct pen pen;
		pen_begin(&pen, p);
		for (uint32_t i = 0; i < n; i++) {
			if (parts[i].count > 0 && !parts[i].lines) {
				pen_pad(&pen, at[i]);
				pen_glyph(&pen, "│", "|");
				continue;
			}
			uint32_t above = middle ? (high - parts[i].count) / 2 : 0;
			if (y < above || y - above >= parts[i].count || parts[i].lines[y - above].len == 0)
				continue;
			const struct line *l = &parts[i].lines[y - above];
			pen_pad(&pen, at[i]);
			sj_buf_put(&pen.buf, l->ptr, l->len);
			pen.columns += l->columns;
		}
		b.lines[y] = pen_line(&pen);
		if (b.lines[y].columns > b.columns)
			b.columns = b.lines[y].columns;
	}
	return b;
}
