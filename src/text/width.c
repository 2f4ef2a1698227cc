#include "text/width.h"

#include "base/utf.h"
#include "text/unicode_tables.h"

#define VARIATION_EMOJI 0xFE0Fu /* VS16: the sign before it is shown as an emoji */

/* UAX #29 needs two facts about what came before: whether an odd number of regional indicators stands there (GB12, 13)
 * and whether a pictograph followed by extenders does (GB11). */
struct cluster {
	enum sj_gcb last;
	bool odd_flag, pict_run, pict_joined;
};

static void take(struct cluster *c, enum sj_gcb g)
{
	c->odd_flag = g == SJ_GCB_REGIONAL && !c->odd_flag;
	c->pict_joined = c->pict_run && g == SJ_GCB_ZWJ;
	c->pict_run = g == SJ_GCB_PICT || (c->pict_run && g == SJ_GCB_EXTEND);
	c->last = g;
}

static bool is_control(enum sj_gcb g)
{
	return g == SJ_GCB_CR || g == SJ_GCB_LF || g == SJ_GCB_CONTROL;
}

/* Whether a cluster may end between what was taken and `next`; the rules GB3 to GB999 in order. */
static bool breaks(const struct cluster *c, enum sj_gcb next)
{
	enum sj_gcb last = c->last;

	if (last == SJ_GCB_CR && next == SJ_GCB_LF)
		return false;
	if (is_control(last) || is_control(next))
		return true;
	if (last == SJ_GCB_L && (next == SJ_GCB_L || next == SJ_GCB_V || next == SJ_GCB_LV || next == SJ_GCB_LVT))
		return false;
	if ((last == SJ_GCB_LV || last == SJ_GCB_V) && (next == SJ_GCB_V || next == SJ_GCB_T))
		return false;
	if ((last == SJ_GCB_LVT || last == SJ_GCB_T) && next == SJ_GCB_T)
		return false;
	if (next == SJ_GCB_EXTEND || next == SJ_GCB_ZWJ || next == SJ_GCB_SPACING || last == SJ_GCB_PREPEND)
		return false;
	if (c->pict_joined && next == SJ_GCB_PICT)
		return false;
	return !(c->odd_flag && next == SJ_GCB_REGIONAL);
}

static bool is_plain_ascii(unsigned char byte)
{
	return byte >= 0x20 && byte < 0x7F;
}

size_t sj_grapheme_next(struct sj_slice s, unsigned *columns)
{
	const unsigned char *bytes = (const unsigned char *)s.ptr;
	/* Two neighbours from printable ASCII never share a cluster. */
	if (is_plain_ascii(bytes[0]) && (s.len == 1 || is_plain_ascii(bytes[1]))) {
		*columns = 1;
		return 1;
	}

	size_t at = 0;
	unsigned word = sj_unicode_word(sj_utf8_next(s, &at)), width = SJ_UNI_WIDTH(word);
	struct cluster c = {0};
	take(&c, SJ_UNI_GCB(word));
	while (at < s.len) {
		size_t after = at;
		uint32_t code = sj_utf8_next(s, &after);
		unsigned next = sj_unicode_word(code);
		if (breaks(&c, SJ_UNI_GCB(next)))
			break;
		if (code == VARIATION_EMOJI && SJ_UNI_EMOJI(word))
			width = 2;
		width += SJ_UNI_WIDTH(next);
		word = next;
		take(&c, SJ_UNI_GCB(next));
		at = after;
	}
	*columns = width > 2 ? 2 : width;
	return at;
}

unsigned sj_code_width(uint32_t code_point)
{
	return SJ_UNI_WIDTH(sj_unicode_word(code_point));
}

size_t sj_text_width(struct sj_slice s)
{
	size_t total = 0;
	while (s.len > 0) {
		unsigned columns;
		size_t n = sj_grapheme_next(s, &columns);
		total += columns;
		s = sj_slice(s.ptr + n, s.len - n);
	}
	return total;
}

size_t sj_text_fit(struct sj_slice s, size_t columns, size_t *used)
{
	size_t at = 0, total = 0;
	while (at < s.len) {
		unsigned width;
		size_t n = sj_grapheme_next(sj_slice(s.ptr + at, s.len - at), &width);
		if (width > columns - total)
			break;
		at += n;
		total += width;
	}
	*used = total;
	return at;
}

/* Whether a line may end between two clusters, by the break class of the first code point of each. */
static bool may_end_between(enum sj_break before, enum sj_break after)
{
	if (before == SJ_BREAK_BLANK || before == SJ_BREAK_SPACE)
		return after != SJ_BREAK_BLANK;
	if (before == SJ_BREAK_OPEN || after == SJ_BREAK_CLOSE || after == SJ_BREAK_BLANK || after == SJ_BREAK_SPACE)
		return false;
	return before == SJ_BREAK_IDEOGRAPH || before == SJ_BREAK_CLOSE || after == SJ_BREAK_IDEOGRAPH ||
	       after == SJ_BREAK_OPEN;
}

static enum sj_break break_class(struct sj_slice s, size_t at)
{
	return SJ_UNI_BREAK(sj_unicode_word(sj_utf8_next(s, &at)));
}

/* A line feed, alone or behind a carriage return. */
static size_t line_end_at(struct sj_slice s, size_t at)
{
	if (s.ptr[at] == '\n')
		return 1;
	return s.ptr[at] == '\r' && at + 1 < s.len && s.ptr[at + 1] == '\n' ? 2 : 0;
}

size_t sj_text_wrap(struct sj_slice s, size_t columns, size_t *skip)
{
	size_t at = 0, used = 0;
	size_t solid = 0;                /* end of the line so far without its trailing blanks */
	size_t good_line = 0,
	       good = 0; /* the last place where the line may end: its bytes, where the next one starts */
	enum sj_break before = SJ_BREAK_NONE;

	while (at < s.len) {
		size_t feed = line_end_at(s, at);
		if (feed > 0) {
			*skip = at + feed;
			return solid;
		}
		unsigned width;
		size_t n = sj_grapheme_next(sj_slice(s.ptr + at, s.len - at), &width);
		enum sj_break class = break_class(s, at);
		/* Blanks at the very start are an indent, not a place to end the line. */
		if (solid > 0 && may_end_between(before, class)) {
			good_line = solid;
			good = at;
		}
		/* Blanks may hang over the end of the line: they are cut off there. */
		if (class != SJ_BREAK_BLANK && width > columns - used) {
			if (good == 0) { /* one word longer than a line; a first cluster is taken in any case */
				good_line = at > 0 ? solid : n;
				good = at > 0 ? at : n;
			}
			*skip = good;
			return good_line;
		}
		used = width > columns - used ? columns : used + width;
		at += n;
		if (class != SJ_BREAK_BLANK)
			solid = at;
		before = class;
	}
	*skip = s.len;
	return solid;
}

bool sj_code_is_rtl(uint32_t code_point)
{
	return SJ_UNI_BIDI(sj_unicode_word(code_point)) == SJ_BIDI_RIGHT;
}

bool sj_text_is_rtl(struct sj_slice s)
{
	unsigned isolates = 0; /* P2 passes over what stands between an isolate initiator and its end */
	for (size_t at = 0; at < s.len;) {
		uint32_t c = sj_utf8_next(s, &at);
		if (c == '\n' || c == 0x2029) /* a paragraph without a strong character leaves it to the next one */
			isolates = 0;
		else if (c >= 0x2066 && c <= 0x2068)
			isolates++;
		else if (c == 0x2069 && isolates > 0)
			isolates--;
		enum sj_bidi direction = SJ_UNI_BIDI(sj_unicode_word(c));
		if (isolates == 0 && direction != SJ_BIDI_NEUTRAL)
			return direction == SJ_BIDI_RIGHT;
	}
	return false;
}
