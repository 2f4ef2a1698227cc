#include "ui/style.h"

#include <math.h>
#include <string.h>

/* ---- words ------------------------------------------------------------------------------------------------------- */

static const char *const role_names[SJ_COLOR_ROLE_COUNT] = {
#define NAME(name, text) [SJ_C_##name] = text,
	SJ_COLOR_ROLES(NAME)
#undef NAME
};

const char *sj_color_role_name(enum sj_color_role r) { return r < SJ_COLOR_ROLE_COUNT ? role_names[r] : ""; }

enum sj_color_role sj_color_role_find(struct sj_slice name)
{
	for (int i = 0; i < SJ_COLOR_ROLE_COUNT; i++)
		if (sj_slice_is(name, role_names[i]))
			return (enum sj_color_role)i;
	return SJ_COLOR_ROLE_COUNT;
}

static const char *const alignments[] = {"",    "topStart",  "topCenter",   "topEnd",       "centerStart",
                                         "center", "centerEnd", "bottomStart", "bottomCenter", "bottomEnd"};
static const char *const arrangements[] = {"",           "start",       "center",     "end",
                                           "spaceBetween", "spaceAround", "spaceEvenly"};
static const char *const corners[] = {"", "none", "extraSmall", "small", "medium", "large", "extraLarge", "full"};
static const char *const text_aligns[] = {"", "start", "center", "end", "justify"};
static const char *const overflows[] = {"", "clip", "ellipsis", "visible"};
static const char *const families[] = {"", "default", "sansSerif", "serif", "monospace"};

/* Index of a word in a table; 0 (unset) for anything else. */
static unsigned word_of(const struct sj_value *v, const char *const *words, size_t count)
{
	if (v && sj_value_is_string(v))
		for (size_t i = 1; i < count; i++)
			if (sj_slice_is(sj_value_text(v), words[i]))
				return (unsigned)i;
	return 0;
}
#define WORD(v, words) word_of(v, words, sizeof(words) / sizeof *(words))

/* ---- type -------------------------------------------------------------------------------------------------------- */

static const struct sj_type_facts type_table[SJ_TYPE_COUNT] = {
	[SJ_TYPE_UNSET] = {"", 16, 24, 0.5f, 400},
	[SJ_TYPE_DISPLAY_LARGE] = {"displayLarge", 57, 64, -0.25f, 400},
	[SJ_TYPE_DISPLAY_MEDIUM] = {"displayMedium", 45, 52, 0, 400},
	[SJ_TYPE_DISPLAY_SMALL] = {"displaySmall", 36, 44, 0, 400},
	[SJ_TYPE_HEADLINE_LARGE] = {"headlineLarge", 32, 40, 0, 400},
	[SJ_TYPE_HEADLINE_MEDIUM] = {"headlineMedium", 28, 36, 0, 400},
	[SJ_TYPE_HEADLINE_SMALL] = {"headlineSmall", 24, 32, 0, 400},
	[SJ_TYPE_TITLE_LARGE] = {"titleLarge", 22, 28, 0, 400},
	[SJ_TYPE_TITLE_MEDIUM] = {"titleMedium", 16, 24, 0.15f, 500},
	[SJ_TYPE_TITLE_SMALL] = {"titleSmall", 14, 20, 0.1f, 500},
	[SJ_TYPE_BODY_LARGE] = {"bodyLarge", 16, 24, 0.5f, 400},
	[SJ_TYPE_BODY_MEDIUM] = {"bodyMedium", 14, 20, 0.25f, 400},
	[SJ_TYPE_BODY_SMALL] = {"bodySmall", 12, 16, 0.4f, 400},
	[SJ_TYPE_LABEL_LARGE] = {"labelLarge", 14, 20, 0.1f, 500},
	[SJ_TYPE_LABEL_MEDIUM] = {"labelMedium", 12, 16, 0.5f, 500},
	[SJ_TYPE_LABEL_SMALL] = {"labelSmall", 11, 16, 0.5f, 500},
};

const struct sj_type_facts *sj_type_facts(enum sj_type_role r) { return &type_table[r < SJ_TYPE_COUNT ? r : 0]; }

static enum sj_type_role type_of(const struct sj_value *v)
{
	if (v && sj_value_is_string(v))
		for (int i = 1; i < SJ_TYPE_COUNT; i++)
			if (sj_slice_is(sj_value_text(v), type_table[i].name))
				return (enum sj_type_role)i;
	return SJ_TYPE_UNSET;
}

/* ---- colours ----------------------------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
	                              : -1;
}

bool sj_argb_parse(struct sj_slice text, sj_argb *out)
{
	sj_argb c = 0;
	if ((text.len != 7 && text.len != 9) || text.ptr[0] != '#')
		return false;
	for (size_t i = 1; i < text.len; i++) {
		int d = hex_digit(text.ptr[i]);
		if (d < 0)
			return false;
		c = c << 4 | (sj_argb)d;
	}
	*out = text.len == 7 ? 0xFF000000u | c : c;
	return true;
}

static struct sj_color color_of(const struct sj_value *v)
{
	struct sj_color c = {0};
	if (!v || !sj_value_is_string(v))
		return c;
	enum sj_color_role role = sj_color_role_find(sj_value_text(v));
	c.is_role = role != SJ_COLOR_ROLE_COUNT;
	c.is_set = c.is_role || sj_argb_parse(sj_value_text(v), &c.argb);
	c.role = c.is_role ? (uint8_t)role : 0;
	return c;
}

void sj_paint_read(const struct sj_value *v, struct sj_paint *out)
{
	if (v && v->type == SJ_V_OBJECT) {
		out->light = color_of(sj_value_get(v, SJ_LIT("light")));
		out->dark = color_of(sj_value_get(v, SJ_LIT("dark")));
		if (!out->light.is_set || !out->dark.is_set)
			*out = (struct sj_paint){0};
	} else {
		out->light = out->dark = color_of(v);
	}
}

sj_argb sj_style_color(const struct sj_scheme *s, const struct sj_paint *p)
{
	const struct sj_color *c = s->dark ? &p->dark : &p->light;
	return !c->is_set ? 0 : c->is_role ? s->colors[c->role] : c->argb;
}

sj_argb sj_style_scrim(const struct sj_scheme *s, const struct sj_paint *p)
{
	const struct sj_color *c = s->dark ? &p->dark : &p->light;
	sj_argb color = sj_style_color(s, p);
	if (c->is_set && c->is_role && c->role == SJ_C_SCRIM)
		color = (color & 0x00FFFFFFu) | (sj_argb)((color >> 24) * 2 / 5) << 24;
	return color;
}

static double linear(unsigned byte)
{
	double v = byte / 255.0;
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

double sj_argb_luminance(sj_argb c)
{
	return 0.2126 * linear(c >> 16 & 255) + 0.7152 * linear(c >> 8 & 255) + 0.0722 * linear(c & 255);
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

double sj_scheme_corner(const struct sj_scheme *s, enum sj_corner token, double width, double height, bool component)
{
	static const double radii[] = {[SJ_CORNER_UNSET] = 0,  [SJ_CORNER_NONE] = 0,   [SJ_CORNER_EXTRA_SMALL] = 4,
	                               [SJ_CORNER_SMALL] = 8,  [SJ_CORNER_MEDIUM] = 12, [SJ_CORNER_LARGE] = 16,
	                               [SJ_CORNER_EXTRA_LARGE] = 28};
	double half = (width < height ? width : height) / 2, factor = 1;
	if (token == SJ_CORNER_FULL && component && s->corner != SJ_CORNER_UNSET) {
		double own = s->corner == SJ_CORNER_FULL ? half : radii[s->corner];
		return own < half ? own : half;
	}
	if (token == SJ_CORNER_FULL)
		return half > 0 ? half : 0;
	if (s->corner == SJ_CORNER_NONE)
		factor = 0;
	else if (s->corner == SJ_CORNER_SMALL)
		factor = 0.5;
	else if (s->corner == SJ_CORNER_LARGE)
		factor = 1.5;
	else if (s->corner == SJ_CORNER_FULL)
		factor = 2;
	return radii[token] * factor;
}

void sj_alignment_shares(enum sj_alignment a, double *x, double *y)
{
	if (a == SJ_ALIGN_UNSET)
		return;
	*x = (a - SJ_ALIGN_TOP_START) % 3 * 0.5;
	*y = (a - SJ_ALIGN_TOP_START) / 3 * 0.5;
}

/* ---- the record -------------------------------------------------------------------------------------------------- */

static const struct sj_value *get(const struct sj_value *v, const char *name)
{
	return sj_value_get(v, sj_slice_of(name));
}

static bool number_of(const struct sj_value *v, double least, float *out)
{
	if (!v || !sj_value_is_number(v))
		return false;
	double d = sj_value_double(v);
	if (!(d >= least))
		return false;
	*out = (float)(d > SJ_STYLE_MOST ? SJ_STYLE_MOST : d);
	return true;
}

static void put_number(struct sj_style *s, uint32_t bit, const struct sj_value *v, double least, float *out)
{
	if (number_of(v, least, out))
		s->has |= bit;
}

static void read_dimension(const struct sj_value *v, struct sj_dimension *out)
{
	if (v && sj_value_is_string(v))
		out->kind = sj_slice_is(sj_value_text(v), "fill")   ? SJ_EXTENT_FILL
		            : sj_slice_is(sj_value_text(v), "wrap") ? SJ_EXTENT_WRAP
		                                                    : SJ_EXTENT_UNSET;
	else if (v && v->type == SJ_V_OBJECT && number_of(get(v, "dp"), 0, &out->dp))
		out->kind = SJ_EXTENT_DP;
}

static void read_padding(const struct sj_value *v, struct sj_style *s)
{
	if (!v || v->type != SJ_V_OBJECT)
		return;
	s->has |= SJ_S_PADDING;
	number_of(get(v, "top"), 0, &s->padding.top);
	number_of(get(v, "end"), 0, &s->padding.end);
	number_of(get(v, "bottom"), 0, &s->padding.bottom);
	number_of(get(v, "start"), 0, &s->padding.start);
}

static void read_corner(const struct sj_value *v, struct sj_style *s)
{
	static const char *const names[] = {"topStart", "topEnd", "bottomEnd", "bottomStart"};
	float all;
	if (!v)
		return;
	if (number_of(v, 0, &all)) {
		for (int i = 0; i < 4; i++)
			s->corners[i] = all;
		s->has |= SJ_S_CORNER;
	} else if (v->type == SJ_V_OBJECT) {
		for (int i = 0; i < 4; i++)
			number_of(get(v, names[i]), 0, &s->corners[i]);
		s->has |= SJ_S_CORNER;
	} else {
		s->corner_token = (enum sj_corner)WORD(v, corners);
		if (s->corner_token != SJ_CORNER_UNSET)
			s->has |= SJ_S_CORNER;
	}
}

static void read_border(const struct sj_value *v, struct sj_style *s)
{
	if (!v || v->type != SJ_V_OBJECT || !number_of(get(v, "width"), 0, &s->border_width))
		return;
	sj_paint_read(get(v, "color"), &s->border_color);
	s->has |= SJ_S_BORDER;
}

static void read_gradient(const struct sj_value *v, struct sj_gradient *g)
{
	const struct sj_value *stops = v && v->type == SJ_V_OBJECT ? get(v, "stops") : NULL;
	uint32_t count = stops && stops->type == SJ_V_ARRAY ? sj_value_count(stops) : 0;
	const struct sj_value *type = v && v->type == SJ_V_OBJECT ? get(v, "type") : NULL;
	if (count < 2 || count > SJ_STYLE_STOPS || !type || !sj_value_is_string(type))
		return;
	g->is_set = g->has_positions = true;
	g->is_radial = sj_slice_is(sj_value_text(type), "radial");
	g->count = (uint8_t)count;
	number_of(get(v, "angle"), -SJ_STYLE_MOST, &g->angle);
	for (uint32_t i = 0; i < count; i++) {
		const struct sj_value *stop = sj_value_item(stops, i);
		bool is_object = stop->type == SJ_V_OBJECT;
		sj_paint_read(is_object ? get(stop, "color") : NULL, &g->colors[i]);
		if (!is_object || !number_of(get(stop, "position"), 0, &g->at[i]))
			g->has_positions = false;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!g->has_positions)
			g->at[i] = (float)i / (float)(count - 1);
		else if (i > 0 && g->at[i] < g->at[i - 1])
			g->at[i] = g->at[i - 1];
		if (g->at[i] > 1)
			g->at[i] = 1;
	}
}

static void read_text(const struct sj_value *v, struct sj_style *s)
{
	const struct sj_value *family = get(v, "fontFamily"), *decoration = get(v, "textDecoration"),
	                      *style = get(v, "fontStyle");
	float n;
	put_number(s, SJ_S_TEXT_SIZE, get(v, "textSize"), 1e-6, &s->text_size);
	put_number(s, SJ_S_LINE_HEIGHT, get(v, "lineHeight"), 1e-6, &s->line_height);
	put_number(s, SJ_S_LETTER_SPACING, get(v, "letterSpacing"), -SJ_STYLE_MOST, &s->letter_spacing);
	if (number_of(get(v, "fontWeight"), 100, &n) && n <= 900) {
		s->font_weight = (uint16_t)n;
		s->has |= SJ_S_FONT_WEIGHT;
	}
	if (number_of(get(v, "maxLines"), 1, &n)) {
		s->max_lines = (uint32_t)n;
		s->has |= SJ_S_MAX_LINES;
	}
	s->text_align = (enum sj_text_align)WORD(get(v, "textAlign"), text_aligns);
	s->overflow = (enum sj_overflow)WORD(get(v, "overflow"), overflows);
	s->type = type_of(get(v, "textStyle"));
	s->family = (enum sj_family)WORD(family, families);
	if (family && family->type == SJ_V_OBJECT && get(family, "asset") && sj_value_is_string(get(family, "asset"))) {
		s->family = SJ_FAMILY_ASSET;
		s->family_asset = sj_value_text(get(family, "asset"));
	}
	if (decoration && sj_value_is_string(decoration)) {
		struct sj_slice word = sj_value_text(decoration);
		bool both = sj_slice_is(word, "underlineLineThrough");
		s->has |= both || sj_slice_is(word, "underline") ? SJ_S_UNDERLINE : 0;
		s->has |= both || sj_slice_is(word, "lineThrough") ? SJ_S_LINE_THROUGH : 0;
		s->has |= sj_slice_is(word, "none") ? SJ_S_PLAIN : 0;
	}
	if (style && sj_value_is_string(style))
		s->has |= sj_slice_is(sj_value_text(style), "italic") ? SJ_S_ITALIC : SJ_S_UPRIGHT;
}

void sj_style_read(const struct sj_value *v, struct sj_style *out)
{
	*out = (struct sj_style){.alpha = 1, .press_scale = 1};
	if (!v || v->type != SJ_V_OBJECT || sj_value_count(v) == 0)
		return;
	const struct sj_value *offset = get(v, "offset");
	read_dimension(get(v, "width"), &out->width);
	read_dimension(get(v, "height"), &out->height);
	put_number(out, SJ_S_WEIGHT, get(v, "weight"), 1e-6, &out->weight);
	put_number(out, SJ_S_MIN_WIDTH, get(v, "minWidth"), 0, &out->min_width);
	put_number(out, SJ_S_MAX_WIDTH, get(v, "maxWidth"), 0, &out->max_width);
	put_number(out, SJ_S_MIN_HEIGHT, get(v, "minHeight"), 0, &out->min_height);
	put_number(out, SJ_S_MAX_HEIGHT, get(v, "maxHeight"), 0, &out->max_height);
	read_padding(get(v, "padding"), out);
	sj_paint_read(get(v, "background"), &out->background);
	sj_paint_read(get(v, "color"), &out->color);
	sj_paint_read(get(v, "shadowColor"), &out->shadow_color);
	read_corner(get(v, "cornerRadius"), out);
	read_border(get(v, "border"), out);
	put_number(out, SJ_S_ELEVATION, get(v, "elevation"), 0, &out->elevation);
	read_gradient(get(v, "gradient"), &out->gradient);
	put_number(out, SJ_S_ASPECT, get(v, "aspectRatio"), 1e-6, &out->aspect);
	if (offset && offset->type == SJ_V_OBJECT && number_of(get(offset, "x"), -SJ_STYLE_MOST, &out->offset_x) &&
	    number_of(get(offset, "y"), -SJ_STYLE_MOST, &out->offset_y))
		out->has |= SJ_S_OFFSET;
	put_number(out, SJ_S_ALPHA, get(v, "alpha"), 0, &out->alpha);
	put_number(out, SJ_S_PRESS_SCALE, get(v, "pressScale"), 0.5, &out->press_scale);
	if (out->alpha > 1)
		out->alpha = 1;
	if (out->press_scale > 1)
		out->press_scale = 1;
	out->alignment = (enum sj_alignment)WORD(get(v, "alignment"), alignments);
	out->arrangement = (enum sj_arrangement)WORD(get(v, "arrangement"), arrangements);
	put_number(out, SJ_S_SPACING, get(v, "spacing"), 0, &out->spacing);
	read_text(v, out);
}
