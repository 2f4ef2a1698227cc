/* The icon names of the protocol as a glyph common fonts have, where there is one that needs no legend; else the name
 * in words. */
#include "face/text/internal.h"

static const struct {
	const char *name, *wide, *ascii;
} icons[] = {
	{"accountCircle", "👤", NULL},
	{"add", "+", "+"},
	{"arrowBack", "←", "<-"},
	{"arrowForward", "→", "->"},
	{"attachFile", "📎", NULL},
	{"calendarToday", "📅", NULL},
	{"call", "☎", NULL},
	{"camera", "📷", NULL},
	{"check", "✓", NULL},
	{"close", "✕", "x"},
	{"delete", "🗑", NULL},
	{"download", "↓", NULL},
	{"edit", "✎", NULL},
	{"error", "✗", "(!)"},
	{"event", "📅", NULL},
	{"fastForward", "»", ">>"},
	{"favorite", "♥", "<3"},
	{"favoriteOff", "♡", NULL},
	{"folder", "📁", NULL},
	{"help", "?", "?"},
	{"home", "⌂", NULL},
	{"info", "ℹ", "(i)"},
	{"locationOn", "📍", NULL},
	{"lock", "🔒", NULL},
	{"lockOpen", "🔓", NULL},
	{"mail", "✉", NULL},
	{"menu", "≡", "="},
	{"moreHoriz", "…", "..."},
	{"moreVert", "⋮", ":"},
	{"notifications", "🔔", NULL},
	{"notificationsOff", "🔕", NULL},
	{"pause", "‖", "||"},
	{"payment", "💳", NULL},
	{"person", "👤", NULL},
	{"phone", "☎", NULL},
	{"play", "▶", ">"},
	{"refresh", "↻", NULL},
	{"rewind", "«", "<<"},
	{"search", "🔍", NULL},
	{"send", "➤", NULL},
	{"settings", "⚙", NULL},
	{"shoppingCart", "🛒", NULL},
	{"skipNext", "▶|", ">|"},
	{"skipPrevious", "|◀", "|<"},
	{"star", "★", "*"},
	{"starOff", "☆", NULL},
	{"stop", "■", NULL},
	{"upload", "↑", NULL},
	{"volumeDown", "🔉", NULL},
	{"volumeMute", "🔇", NULL},
	{"volumeOff", "🔇", NULL},
	{"volumeUp", "🔊", NULL},
	{"warning", "⚠", "/!\\"},
};

const char *icon_glyph(struct sj_slice name, bool ascii)
{
	for (size_t i = 0; i < sizeof icons / sizeof *icons; i++)
		if (sj_slice_is(name, icons[i].name))
			return ascii ? icons[i].ascii : icons[i].wide;
	return NULL;
}

void icon_words(struct sj_buf *out, struct sj_slice name)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		if (c >= 'A' && c <= 'Z') {
			sj_buf_putc(out, ' ');
			c = (char)(c - 'A' + 'a');
		}
		sj_buf_putc(out, c == '_' || c == '-' ? ' ' : c);
	}
}

struct sj_slice icon_text(struct painter *p, sj_node_id n)
{
	struct sj_slice name = ui_line(p, n, SJ_P_NAME);
	const struct sj_value *v = ui_value(p, n, SJ_P_NAME);
	if (v && v->type == SJ_V_OBJECT)
		name = SJ_LIT("drawing"); /* {svgPath}: a shape without a name */
	const char *drawn = p->opt.linear ? NULL : icon_glyph(name, p->opt.ascii);
	if (drawn)
		return sj_slice_of(drawn);
	sj_buf_clear(&p->scratch);
	if (!p->opt.linear)
		sj_buf_putc(&p->scratch, '<');
	icon_words(&p->scratch, name.len > 0 ? name : SJ_LIT("icon"));
	if (!p->opt.linear)
		sj_buf_putc(&p->scratch, '>');
	return keep_scratch(p);
}
