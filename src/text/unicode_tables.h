/* What the module knows about a code point: one 16-bit word, found in a two-level table made by tools/gen_unicode.py
 * (which holds the same numbers). Private to `text`. */
#ifndef SJ_TEXT_UNICODE_TABLES_H
#define SJ_TEXT_UNICODE_TABLES_H

#include <stdint.h>

enum sj_gcb { /* Grapheme_Cluster_Break, UAX #29; SJ_GCB_PICT is Extended_Pictographic, which overlaps none of the
	         others */
	      SJ_GCB_OTHER,
	      SJ_GCB_CR,
	      SJ_GCB_LF,
	      SJ_GCB_CONTROL,
	      SJ_GCB_EXTEND,
	      SJ_GCB_ZWJ,
	      SJ_GCB_REGIONAL,
	      SJ_GCB_PREPEND,
	      SJ_GCB_SPACING,
	      SJ_GCB_L,
	      SJ_GCB_V,
	      SJ_GCB_T,
	      SJ_GCB_LV,
	      SJ_GCB_LVT,
	      SJ_GCB_PICT,
};
enum sj_bidi { SJ_BIDI_NEUTRAL, SJ_BIDI_LEFT, SJ_BIDI_RIGHT }; /* strong direction only */
enum sj_break {
	SJ_BREAK_NONE,
	SJ_BREAK_BLANK,     /* a line may end after it; it vanishes at the end of a line */
	SJ_BREAK_IDEOGRAPH, /* a line may end on either side */
	SJ_BREAK_CLOSE,     /* wide closing mark: not at the start of a line */
	SJ_BREAK_OPEN,      /* wide opening mark: not at the end of a line */
	SJ_BREAK_SPACE,     /* zero width space: a line may end after it */
};

#define SJ_UNI_GCB(w) ((enum sj_gcb)((w) & 15u))
#define SJ_UNI_XID_START(w) (((w) >> 4 & 1u) != 0)
#define SJ_UNI_XID_CONTINUE(w) (((w) >> 5 & 1u) != 0)
#define SJ_UNI_WIDTH(w) ((unsigned)(w) >> 6 & 3u)
#define SJ_UNI_BIDI(w) ((enum sj_bidi)((w) >> 8 & 3u))
#define SJ_UNI_BREAK(w) ((enum sj_break)((w) >> 10 & 7u))
#define SJ_UNI_EMOJI(w) (((w) >> 13 & 1u) != 0)

extern const char SJ_UNICODE_VERSION[];
extern const uint16_t sj_unicode_records[];
extern const uint16_t sj_unicode_index[];
extern const uint8_t sj_unicode_blocks[];

static inline unsigned sj_unicode_word(uint32_t code_point)
{
	if (code_point > 0x10FFFF)
		code_point = 0xFFFD;
	return sj_unicode_records[sj_unicode_blocks[(uint32_t)sj_unicode_index[code_point >> 7] << 7 |
	                                            (code_point & 127)]];
}

#endif
