/* Markdown as agents put it into Text: CommonMark and ~~strike~~, parsed by md4c into a flat list of spans. HTML is
 * text, an image is its description, a link is text with an address that nothing follows by itself. Built without md4c
 * the whole text is one plain paragraph.
 *
 * Blocks are flat: what stands in a quote is a quote (items keep being items), the first paragraph of a list item is
 * the item, its other paragraphs are paragraphs. A single line feed in the source is a blank, as CommonMark has it. */
#ifndef SJ_TEXT_MARKDOWN_H
#define SJ_TEXT_MARKDOWN_H

#include "base/arena.h"
#include "base/limits.h"

enum sj_md_block { SJ_MD_PARAGRAPH, SJ_MD_HEADING, SJ_MD_ITEM, SJ_MD_CODE, SJ_MD_QUOTE, SJ_MD_RULE };
#define SJ_MD_BOLD 1u
#define SJ_MD_ITALIC 2u
#define SJ_MD_CODE_SPAN 4u
#define SJ_MD_STRIKE 8u
#define SJ_MD_LINK 16u

struct sj_md_span { struct sj_slice text; unsigned flags; struct sj_slice href; }; /* a line break is a span "\n" */
struct sj_md_para {
	enum sj_md_block block;
	/* heading: 1..6; item and quote: nesting depth, 1..; paragraph and code: depth of the list they stand in, 0
	 * outside */
	uint8_t level;
	uint32_t number; /* item: its number in an ordered list (from 1 on), else 0 */
	uint32_t first, count; /* spans */
};
struct sj_md {
	const struct sj_md_para *paras; uint32_t npara;
	const struct sj_md_span *spans; uint32_t nspan;
};
/* Everything lives in `arena`; text longer than 65,536 bytes, nested deeper than 16, or made to cost md4c much time is
 * returned as one plain paragraph. SJ_NOMEM. */
enum sj_status sj_md_parse(struct sj_arena *arena, struct sj_slice text, struct sj_md *out);
/* Text with markers stripped, paragraphs separated by '\n': for labels and accessible names. */
enum sj_status sj_md_plain(struct sj_arena *arena, struct sj_slice text, struct sj_slice *out);

#endif
