#include "text/markdown.h"

#include "base/buf.h"
#include "base/utf.h"

#define MAX_SOURCE_BYTES 65536u /* beyond it the text is shown as it is: no person reads such a paragraph marked up */
#define MAX_DEPTH 16            /* lists and quotes inside each other */

#define BREAK SJ_LIT("\n")

/* Text as it was sent: one paragraph, its lines kept. */
static enum sj_status plain(struct sj_arena *arena, struct sj_slice text, struct sj_md *out)
{
	uint32_t count = text.len > 0;
	for (size_t i = 0; i < text.len; i++)
		count += text.ptr[i] == '\n' ? 2 : 0;
	struct sj_slice copy = sj_arena_copy(arena, text);
	struct sj_md_para *para = sj_arena_zalloc(arena, sizeof *para);
	struct sj_md_span *spans = sj_arena_zalloc(arena, (count + 1) * sizeof *spans);
	if (copy.ptr == NULL || para == NULL || spans == NULL)
		return SJ_NOMEM;

	uint32_t n = 0;
	for (size_t at = 0; at < copy.len;) {
		const char *feed = memchr(copy.ptr + at, '\n', copy.len - at);
		size_t end = feed ? (size_t)(feed - copy.ptr) : copy.len;
		if (end > at)
			spans[n++].text = sj_slice(copy.ptr + at, end - at);
		if (feed)
			spans[n++].text = BREAK;
		at = end + (feed != NULL);
	}
	*para = (struct sj_md_para){.block = SJ_MD_PARAGRAPH, .first = 0, .count = n};
	*out = (struct sj_md){.paras = para, .npara = 1, .spans = spans, .nspan = n};
	return SJ_OK;
}

#ifdef SJ_HAVE_MD4C

#include <md4c.h>

#define MAX_BRACKET_LINES 16000000u /* lines times brackets: some milliseconds */

/* Stop md_parse, which heeds only negative answers of its callbacks and itself says -1 when an allocation fails. */
#define GIVE_UP (-2) /* the text is to be shown plain */
#define OUT_OF_MEMORY (-3)

/* Where a piece of text stands in the builder's buffer; turned into slices when the buffer has come to rest. */
struct piece {
	size_t at, len;
	unsigned flags;
	uint32_t href; /* 1-based index into hrefs */
};
struct href {
	size_t at, len;
};
struct level {
	enum sj_md_block kind; /* SJ_MD_ITEM for a list, SJ_MD_QUOTE */
	uint32_t number;       /* of the next item; 0 in a bullet list */
	bool item_open;        /* an item has begun and nothing of it was given out */
	uint32_t item_number;
};
struct builder {
	struct sj_mem *mem;
	struct sj_buf text, addresses;
	SJ_VEC(struct piece) pieces;
	SJ_VEC(struct href) hrefs;
	SJ_VEC(struct sj_md_para) paras;
	struct level levels[MAX_DEPTH];
	unsigned depth, lists, quotes;
	unsigned bold, italic, code, strike; /* open spans of each kind */
	uint32_t href;                       /* of the open link */
	bool open;                           /* a paragraph takes text */
	bool fenced;                         /* ... and it is a code block */
	size_t address_budget; /* one definition can be used by thousands of links: bytes of addresses they may cost */
};

static int failed(enum sj_status status)
{
	return status == SJ_OK ? 0 : status == SJ_NOMEM ? OUT_OF_MEMORY : GIVE_UP;
}

static void end_para(struct builder *b)
{
	if (!b->open)
		return;
	struct sj_md_para *p = &b->paras.items[b->paras.count - 1];
	p->count = b->pieces.count - p->first;
	b->open = false;
	b->fenced = false;
}

static int begin_para(struct builder *b, enum sj_md_block block, unsigned level, uint32_t number)
{
	end_para(b); /* text of a tight item ends where the next block begins, unannounced */
	enum sj_status status = SJ_VEC_RESERVE(b->mem, &b->paras, b->paras.count + 1, 0);
	if (status != SJ_OK)
		return failed(status);
	b->paras.items[b->paras.count++] = (struct sj_md_para){
		.block = block,
		.level = (uint8_t)level,
		.number = number,
		.first = b->pieces.count,
	};
	b->open = true;
	return 0;
}

static struct level *item_waiting(struct builder *b)
{
	struct level *l = b->depth > 0 ? &b->levels[b->depth - 1] : NULL;
	return l != NULL && l->kind == SJ_MD_ITEM && l->item_open ? l : NULL;
}

/* Text of a paragraph, or of a tight list item, where md4c announces none. */
static int begin_text(struct builder *b)
{
	struct level *item = item_waiting(b);
	if (item != NULL) {
		item->item_open = false;
		return begin_para(b, SJ_MD_ITEM, b->lists, item->item_number);
	}
	if (b->depth > 0 && b->levels[b->depth - 1].kind == SJ_MD_QUOTE)
		return begin_para(b, SJ_MD_QUOTE, b->quotes, 0);
	return begin_para(b, SJ_MD_PARAGRAPH, b->lists, 0);
}

/* An item that starts with something other than text still shows its mark. */
static int flush_item(struct builder *b)
{
	if (item_waiting(b) == NULL)
		return 0;
	int stop = begin_text(b);
	if (stop == 0)
		end_para(b);
	return stop;
}

static unsigned flags_now(const struct builder *b)
{
	return (b->bold > 0 ? SJ_MD_BOLD : 0) | (b->italic > 0 ? SJ_MD_ITALIC : 0) |
	       (b->code > 0 ? SJ_MD_CODE_SPAN : 0) | (b->strike > 0 ? SJ_MD_STRIKE : 0) |
	       (b->href > 0 ? SJ_MD_LINK : 0);
}

static int add_piece(struct builder *b, struct sj_slice text, bool is_break)
{
	if (text.len == 0)
		return 0;
	if (!b->open) {
		int stop = begin_text(b);
		if (stop != 0)
			return stop;
	}
	struct piece next = {b->text.len, text.len, is_break ? 0 : flags_now(b), is_break ? 0 : b->href};
	sj_buf_slice(&b->text, text);
	if (sj_buf_status(&b->text) != SJ_OK)
		return failed(sj_buf_status(&b->text));

	if (!is_break && b->pieces.count > b->paras.items[b->paras.count - 1].first) {
		struct piece *last = &b->pieces.items[b->pieces.count - 1];
		bool last_is_break = last->len == 1 && b->text.ptr[last->at] == '\n';
		if (!last_is_break && last->flags == next.flags && last->href == next.href) {
			last->len += next.len;
			return 0;
		}
	}
	enum sj_status status = SJ_VEC_RESERVE(b->mem, &b->pieces, b->pieces.count + 1, 0);
	if (status == SJ_OK)
		b->pieces.items[b->pieces.count++] = next;
	return failed(status);
}

/* Code block text: md4c sends lines and line feeds in any portions. */
static int add_lines(struct builder *b, struct sj_slice text)
{
	int stop = 0;
	for (size_t at = 0; at < text.len && stop == 0;) {
		const char *feed = memchr(text.ptr + at, '\n', text.len - at);
		size_t end = feed ? (size_t)(feed - text.ptr) : text.len;
		stop = add_piece(b, sj_slice(text.ptr + at, end - at), false);
		if (feed != NULL && stop == 0)
			stop = add_piece(b, BREAK, true);
		at = end + (feed != NULL);
	}
	return stop;
}

/* The entities people and models really write; any other stays as it was written. */
static const struct {
	const char *name, *text;
} entities[] = {
	{"amp", "&"},     {"lt", "<"},      {"gt", ">"},      {"quot", "\""},   {"apos", "'"},    {"nbsp", "\xC2\xA0"},
	{"copy", "©"},    {"reg", "®"},     {"trade", "™"},   {"hellip", "…"},  {"mdash", "—"},   {"ndash", "–"},
	{"lsquo", "‘"},   {"rsquo", "’"},   {"ldquo", "“"},   {"rdquo", "”"},   {"laquo", "«"},   {"raquo", "»"},
	{"bull", "•"},    {"middot", "·"},  {"deg", "°"},     {"plusmn", "±"},  {"times", "×"},   {"divide", "÷"},
	{"frac12", "½"},  {"euro", "€"},    {"pound", "£"},   {"yen", "¥"},     {"cent", "¢"},    {"sect", "§"},
	{"para", "¶"},    {"larr", "←"},    {"uarr", "↑"},    {"rarr", "→"},    {"darr", "↓"},    {"harr", "↔"},
	{"check", "✓"},   {"cross", "✗"},   {"star", "☆"},    {"infin", "∞"},   {"ne", "≠"},      {"le", "≤"},
	{"ge", "≥"},      {"micro", "µ"},   {"shy", "\xC2\xAD"}, {"ensp", "\xE2\x80\x82"}, {"emsp", "\xE2\x80\x83"},
};

static uint32_t numeric_entity(struct sj_slice digits)
{
	bool hex = digits.len > 0 && (digits.ptr[0] == 'x' || digits.ptr[0] == 'X');
	uint32_t v = 0;
	for (size_t i = hex; i < digits.len; i++) {
		char c = digits.ptr[i];
		uint32_t d = c <= '9' ? (uint32_t)(c - '0') : (uint32_t)((c | 32) - 'a') + 10;
		v = v * (hex ? 16 : 10) + d; /* md4c lets at most 7 digits through */
	}
	return v == 0 || v > 0x10FFFF || (v >= 0xD800 && v <= 0xDFFF) ? 0xFFFD : v;
}

/* `entity` as md4c hands it over: & ... ; included. `space` holds a numeric one. */
static struct sj_slice entity_text(struct sj_slice entity, char space[4])
{
	struct sj_slice name = sj_slice(entity.ptr + 1, entity.len - 2);
	if (name.ptr[0] == '#')
		return sj_slice(space, sj_utf8_put(space, numeric_entity(sj_slice(name.ptr + 1, name.len - 1))));
	for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
		if (sj_slice_is(name, entities[i].name))
			return sj_slice_of(entities[i].text);
	return entity;
}

static int on_text(MD_TEXTTYPE type, const MD_CHAR *ptr, MD_SIZE size, void *data)
{
	struct builder *b = data;
	struct sj_slice text = sj_slice(ptr, size);
	char space[4];
	if (type == MD_TEXT_NULLCHAR)
		return add_piece(b, SJ_LIT("\xEF\xBF\xBD"), false);
	if (type == MD_TEXT_BR)
		return add_piece(b, BREAK, true);
	if (type == MD_TEXT_SOFTBR)
		return add_piece(b, SJ_LIT(" "), false);
	if (type == MD_TEXT_ENTITY)
		return add_piece(b, entity_text(text, space), false);
	if (b->fenced)
		return add_lines(b, text);
	return add_piece(b, text, false);
}

static int enter_level(struct builder *b, enum sj_md_block kind, uint32_t number)
{
	int stop = flush_item(b);
	end_para(b);
	if (b->depth == MAX_DEPTH)
		return GIVE_UP;
	b->levels[b->depth++] = (struct level){.kind = kind, .number = number};
	if (kind == SJ_MD_QUOTE)
		b->quotes++;
	else
		b->lists++;
	return stop;
}

static int on_enter_block(MD_BLOCKTYPE type, void *detail, void *data)
{
	struct builder *b = data;
	uint32_t number;
	int stop = 0;
	switch (type) {
	case MD_BLOCK_QUOTE:
		return enter_level(b, SJ_MD_QUOTE, 0);
	case MD_BLOCK_UL:
		return enter_level(b, SJ_MD_ITEM, 0);
	case MD_BLOCK_OL:
		/* Item number 0 means a bullet, so a list that starts at 0 counts from 1. */
		number = ((MD_BLOCK_OL_DETAIL *)detail)->start;
		return enter_level(b, SJ_MD_ITEM, number > 0 ? number : 1);
	case MD_BLOCK_LI: {
		struct level *list = &b->levels[b->depth - 1];
		list->item_open = true;
		list->item_number = list->number;
		list->number += list->number > 0;
		return 0;
	}
	case MD_BLOCK_HR:
		if ((stop = flush_item(b)) == 0 && (stop = begin_para(b, SJ_MD_RULE, 0, 0)) == 0)
			end_para(b);
		return stop;
	case MD_BLOCK_H:
		if ((stop = flush_item(b)) == 0)
			stop = begin_para(b, SJ_MD_HEADING, ((MD_BLOCK_H_DETAIL *)detail)->level, 0);
		return stop;
	case MD_BLOCK_CODE:
		if ((stop = flush_item(b)) == 0)
			stop = begin_para(b, SJ_MD_CODE, b->lists, 0);
		b->fenced = true;
		return stop;
	case MD_BLOCK_P:
		return begin_text(b);
	case MD_BLOCK_DOC:
	case MD_BLOCK_HTML:
	case MD_BLOCK_TABLE:
	case MD_BLOCK_THEAD:
	case MD_BLOCK_TBODY:
	case MD_BLOCK_TR:
	case MD_BLOCK_TH:
	case MD_BLOCK_TD:
	default:
		return 0; /* not enabled */
	}
}

static int on_leave_block(MD_BLOCKTYPE type, void *detail, void *data)
{
	struct builder *b = data;
	int stop = 0;
	(void)detail;
	if (type == MD_BLOCK_CODE && b->pieces.count > b->paras.items[b->paras.count - 1].first)
		b->pieces.count--; /* the line feed that ends the last line: md4c ends every one */
	if (type == MD_BLOCK_LI)
		stop = flush_item(b);
	end_para(b);
	if (type == MD_BLOCK_QUOTE || type == MD_BLOCK_UL || type == MD_BLOCK_OL) {
		b->depth--;
		if (type == MD_BLOCK_QUOTE)
			b->quotes--;
		else
			b->lists--;
	}
	return stop;
}

/* An address in pieces: runs of text and entities. */
static int open_link(struct builder *b, const MD_ATTRIBUTE *href)
{
	char space[4];
	if (href->size > b->address_budget)
		return GIVE_UP;
	b->address_budget -= href->size;
	struct href h = {.at = b->addresses.len};
	for (size_t i = 0; href->size > 0 && href->substr_offsets[i] < href->size; i++) {
		MD_OFFSET at = href->substr_offsets[i];
		struct sj_slice part = sj_slice(href->text + at, href->substr_offsets[i + 1] - at);
		if (href->substr_types[i] == MD_TEXT_ENTITY)
			part = entity_text(part, space);
		else if (href->substr_types[i] == MD_TEXT_NULLCHAR)
			part = SJ_LIT("\xEF\xBF\xBD");
		sj_buf_slice(&b->addresses, part);
	}
	h.len = b->addresses.len - h.at;
	enum sj_status status = sj_buf_status(&b->addresses);
	if (status == SJ_OK)
		status = SJ_VEC_RESERVE(b->mem, &b->hrefs, b->hrefs.count + 1, 0);
	if (status != SJ_OK)
		return failed(status);
	b->hrefs.items[b->hrefs.count++] = h;
	b->href = b->hrefs.count;
	return 0;
}

static unsigned *span_counter(struct builder *b, MD_SPANTYPE type)
{
	return type == MD_SPAN_EM       ? &b->italic
	       : type == MD_SPAN_STRONG ? &b->bold
	       : type == MD_SPAN_CODE   ? &b->code
	       : type == MD_SPAN_DEL    ? &b->strike
	                                : NULL;
}

static int on_enter_span(MD_SPANTYPE type, void *detail, void *data)
{
	struct builder *b = data;
	unsigned *counter = span_counter(b, type);
	if (counter != NULL)
		++*counter;
	return type == MD_SPAN_A ? open_link(b, &((MD_SPAN_A_DETAIL *)detail)->href) : 0; /* an image shows its text */
}

static int on_leave_span(MD_SPANTYPE type, void *detail, void *data)
{
	struct builder *b = data;
	unsigned *counter = span_counter(b, type);
	(void)detail;
	if (counter != NULL)
		--*counter;
	if (type == MD_SPAN_A)
		b->href = 0;
	return 0;
}

static enum sj_status give_out(struct builder *b, struct sj_arena *arena, struct sj_md *out)
{
	struct sj_arena_mark mark = sj_arena_mark(arena);
	struct sj_slice text = sj_arena_copy(arena, sj_buf_view(&b->text));
	struct sj_slice addresses = sj_arena_copy(arena, sj_buf_view(&b->addresses));
	struct sj_md_para *paras = sj_arena_alloc(arena, (b->paras.count + 1) * sizeof *paras);
	struct sj_md_span *spans = sj_arena_alloc(arena, (b->pieces.count + 1) * sizeof *spans);
	if (text.ptr == NULL || addresses.ptr == NULL || paras == NULL || spans == NULL) {
		sj_arena_rollback(arena, mark);
		return SJ_NOMEM;
	}
	for (uint32_t i = 0; i < b->paras.count; i++)
		paras[i] = b->paras.items[i];
	for (uint32_t i = 0; i < b->pieces.count; i++) {
		const struct piece *p = &b->pieces.items[i];
		spans[i] = (struct sj_md_span){.text = sj_slice(text.ptr + p->at, p->len), .flags = p->flags};
		if (p->href > 0) {
			const struct href *h = &b->hrefs.items[p->href - 1];
			spans[i].href = sj_slice(addresses.ptr + h->at, h->len);
		}
	}
	*out = (struct sj_md){.paras = paras, .npara = b->paras.count, .spans = spans, .nspan = b->pieces.count};
	return SJ_OK;
}

/* How many list and quote marks a line starts with; md4c walks every open container for every line, so that
 * thousands of them would cost their square. A line of one sign only is a rule, not a nest. */
static unsigned marks_of(struct sj_slice line)
{
	unsigned marks = 0;
	bool rule = true;
	for (size_t i = 0; i < line.len; i++) {
		char c = line.ptr[i];
		if (c == ' ' || c == '\t')
			continue;
		bool bullet = (c == '-' || c == '*' || c == '+') &&
		              (i + 1 == line.len || line.ptr[i + 1] == ' ' || line.ptr[i + 1] == '\t');
		bool digit = c >= '0' && c <= '9';
		bool dot = (c == '.' || c == ')') && i > 0 && line.ptr[i - 1] >= '0' && line.ptr[i - 1] <= '9';
		if (!bullet && !digit && !dot && c != '>')
			return marks;
		marks += digit ? 0 : 1;
		rule = rule && bullet && c != '+';
	}
	return rule ? 0 : marks;
}

/* What md4c 0.4.8 would take its time over: deep nests, and brackets in paragraphs of very many lines, because it looks
 * for the line of each bracket from the first one on. */
static bool is_costly(struct sj_slice text)
{
	uint64_t lines = 0, brackets = 0;
	for (size_t at = 0; at < text.len; lines++) {
		size_t end = at;
		for (; end < text.len && text.ptr[end] != '\n' && text.ptr[end] != '\r'; end++)
			brackets += text.ptr[end] == '[';
		if (marks_of(sj_slice(text.ptr + at, end - at)) > MAX_DEPTH)
			return true;
		at = end + 1;
	}
	return lines * brackets > MAX_BRACKET_LINES;
}

/* md4c 0.4.8 looks at the byte behind the text in one place, so it gets a copy with a zero there. */
static int parse_copy(struct builder *b, const MD_PARSER *parser, struct sj_slice text)
{
	char *copy = sj_mem_strndup(b->mem, text);
	if (copy == NULL)
		return OUT_OF_MEMORY;
	int stop = md_parse(copy, (MD_SIZE)text.len, parser, b);
	sj_mem_free(b->mem, copy, text.len + 1);
	return stop;
}

enum sj_status sj_md_parse(struct sj_arena *arena, struct sj_slice text, struct sj_md *out)
{
	if (text.len == 0 || text.len > MAX_SOURCE_BYTES || is_costly(text))
		return plain(arena, text, out);

	struct builder b = {.mem = arena->mem, .address_budget = 4 * text.len};
	sj_buf_init(&b.text, b.mem, 4 * MAX_SOURCE_BYTES);
	sj_buf_init(&b.addresses, b.mem, 0);
	MD_PARSER parser = {
		.flags = MD_FLAG_NOHTML | MD_FLAG_STRIKETHROUGH,
		.enter_block = on_enter_block,
		.leave_block = on_leave_block,
		.enter_span = on_enter_span,
		.leave_span = on_leave_span,
		.text = on_text,
	};
	int stop = parse_copy(&b, &parser, text);
	enum sj_status status = stop == 0         ? give_out(&b, arena, out)
	                        : stop == GIVE_UP ? plain(arena, text, out)
	                                          : SJ_NOMEM;
	sj_buf_finish(&b.text);
	sj_buf_finish(&b.addresses);
	SJ_VEC_FREE(b.mem, &b.pieces);
	SJ_VEC_FREE(b.mem, &b.hrefs);
	SJ_VEC_FREE(b.mem, &b.paras);
	return status;
}

#else

enum sj_status sj_md_parse(struct sj_arena *arena, struct sj_slice text, struct sj_md *out)
{
	return plain(arena, text, out);
}

#endif

enum sj_status sj_md_plain(struct sj_arena *arena, struct sj_slice text, struct sj_slice *out)
{
	struct sj_arena scratch;
	struct sj_md md;
	struct sj_buf joined;
	sj_arena_init(&scratch, arena->mem, 0);
	sj_buf_init(&joined, arena->mem, 0);
	enum sj_status status = sj_md_parse(&scratch, text, &md);
	bool first = true;
	for (uint32_t i = 0; status == SJ_OK && i < md.npara; i++) {
		if (md.paras[i].block == SJ_MD_RULE)
			continue;
		if (!first)
			sj_buf_putc(&joined, '\n');
		first = false;
		for (uint32_t s = 0; s < md.paras[i].count; s++)
			sj_buf_slice(&joined, md.spans[md.paras[i].first + s].text);
	}
	if (status == SJ_OK)
		status = sj_buf_status(&joined);
	if (status == SJ_OK) {
		struct sj_slice copy = sj_arena_copy(arena, joined.len > 0 ? sj_buf_view(&joined) : SJ_LIT(""));
		if (copy.ptr != NULL)
			*out = copy;
		else
			status = SJ_NOMEM;
	}
	sj_buf_finish(&joined);
	sj_arena_finish(&scratch);
	return status;
}
