/* A resolved style record (SJ_P_STYLE) read once, and the scheme that gives its colours, corners and letters.
 *
 * A style names colours by role and shapes by token; struct sj_scheme says what they are in one mode of one theme. It
 * is filled by the language (proto/theme.h) and read by faces. Lengths are dp, text sizes sp; whoever draws decides
 * what they are on a screen. What a record does not say is unset, and what it says wrongly counts as unset: the
 * language has checked it before. Numbers are within +-SJ_STYLE_MOST, so sums of them fit an int.
 */
#ifndef SJ_UI_STYLE_H
#define SJ_UI_STYLE_H

#include "json/value.h"

#define SJ_STYLE_MOST 32768 /* dp */

/* ---- colours ----------------------------------------------------------------------------------------------------- */

/* X(NAME, "name") */
#define SJ_COLOR_ROLES(X)                                                                                              \
	X(PRIMARY, "primary")                                                                                          \
	X(ON_PRIMARY, "onPrimary")                                                                                     \
	X(PRIMARY_CONTAINER, "primaryContainer")                                                                       \
	X(ON_PRIMARY_CONTAINER, "onPrimaryContainer")                                                                  \
	X(INVERSE_PRIMARY, "inversePrimary")                                                                           \
	X(SECONDARY, "secondary")                                                                                      \
	X(ON_SECONDARY, "onSecondary")                                                                                 \
	X(SECONDARY_CONTAINER, "secondaryContainer")                                                                   \
	X(ON_SECONDARY_CONTAINER, "onSecondaryContainer")                                                              \
	X(TERTIARY, "tertiary")                                                                                        \
	X(ON_TERTIARY, "onTertiary")                                                                                   \
	X(TERTIARY_CONTAINER, "tertiaryContainer")                                                                     \
	X(ON_TERTIARY_CONTAINER, "onTertiaryContainer")                                                                \
	X(BACKGROUND, "background")                                                                                    \
	X(ON_BACKGROUND, "onBackground")                                                                               \
	X(SURFACE, "surface")                                                                                          \
	X(ON_SURFACE, "onSurface")                                                                                     \
	X(SURFACE_VARIANT, "surfaceVariant")                                                                           \
	X(ON_SURFACE_VARIANT, "onSurfaceVariant")                                                                      \
	X(SURFACE_TINT, "surfaceTint")                                                                                 \
	X(INVERSE_SURFACE, "inverseSurface")                                                                           \
	X(INVERSE_ON_SURFACE, "inverseOnSurface")                                                                      \
	X(ERROR, "error")                                                                                              \
	X(ON_ERROR, "onError")                                                                                         \
	X(ERROR_CONTAINER, "errorContainer")                                                                           \
	X(ON_ERROR_CONTAINER, "onErrorContainer")                                                                      \
	X(OUTLINE, "outline")                                                                                          \
	X(OUTLINE_VARIANT, "outlineVariant")                                                                           \
	X(SCRIM, "scrim")                                                                                              \
	X(SURFACE_BRIGHT, "surfaceBright")                                                                             \
	X(SURFACE_DIM, "surfaceDim")                                                                                   \
	X(SURFACE_CONTAINER, "surfaceContainer")                                                                       \
	X(SURFACE_CONTAINER_HIGH, "surfaceContainerHigh")                                                              \
	X(SURFACE_CONTAINER_HIGHEST, "surfaceContainerHighest")                                                        \
	X(SURFACE_CONTAINER_LOW, "surfaceContainerLow")                                                                \
	X(SURFACE_CONTAINER_LOWEST, "surfaceContainerLowest")

enum sj_color_role {
#define SJ_COLOR_ROLE_ENUM(name, text) SJ_C_##name,
	SJ_COLOR_ROLES(SJ_COLOR_ROLE_ENUM)
#undef SJ_COLOR_ROLE_ENUM
	SJ_COLOR_ROLE_COUNT
};
const char *sj_color_role_name(enum sj_color_role r);
enum sj_color_role sj_color_role_find(struct sj_slice name); /* SJ_COLOR_ROLE_COUNT when unknown */

/* 0xAARRGGBB, not premultiplied. */
typedef uint32_t sj_argb;
/* "#RRGGBB" or "#AARRGGBB"; false: neither. */
bool sj_argb_parse(struct sj_slice text, sj_argb *out);

struct sj_color {
	bool is_set, is_role;
	uint8_t role; /* enum sj_color_role */
	sj_argb argb; /* when it is no role */
};
/* A colour value: one for both modes, or a pair. */
struct sj_paint {
	struct sj_color light, dark;
};
void sj_paint_read(const struct sj_value *v, struct sj_paint *out);
static inline bool sj_paint_is_set(const struct sj_paint *p) { return p->light.is_set; }
static inline struct sj_paint sj_paint_role(enum sj_color_role role)
{
	struct sj_color c = {.is_set = true, .is_role = true, .role = (uint8_t)role};
	return (struct sj_paint){c, c};
}

/* ---- the theme, resolved ----------------------------------------------------------------------------------------- */

enum sj_family { SJ_FAMILY_UNSET, SJ_FAMILY_DEFAULT, SJ_FAMILY_SANS, SJ_FAMILY_SERIF, SJ_FAMILY_MONO, SJ_FAMILY_ASSET };
enum sj_corner {
	SJ_CORNER_UNSET,
	SJ_CORNER_NONE,
	SJ_CORNER_EXTRA_SMALL,
	SJ_CORNER_SMALL,
	SJ_CORNER_MEDIUM,
	SJ_CORNER_LARGE,
	SJ_CORNER_EXTRA_LARGE,
	SJ_CORNER_FULL,
};

/* One mode of one theme. */
struct sj_scheme {
	bool dark;
	sj_argb colors[SJ_COLOR_ROLE_COUNT];
	float text_scale;        /* of every text size */
	enum sj_family family;   /* where a text names none: SANS, SERIF, MONO; UNSET: the person's own */
	enum sj_corner corner;   /* of the theme's shapes; UNSET: those of the components */
};

/* What is drawn: 0 (nothing) when it is unset. */
sj_argb sj_style_color(const struct sj_scheme *s, const struct sj_paint *p);
/* In the slot of a scrim: the role `scrim` itself is drawn at 40 %. */
sj_argb sj_style_scrim(const struct sj_scheme *s, const struct sj_paint *p);
/* W3C relative luminance, 0..1; alpha does not count. */
double sj_argb_luminance(sj_argb c);

/* Radius of a token in dp, for a box of this size: FULL is half of its shorter side, the others are scaled by the
 * theme's shapes (none 0, small 1/2, large 3/2, full 2). A theme's corner replaces FULL of a component (`component`),
 * not one that an author wrote. UNSET is 0. */
double sj_scheme_corner(const struct sj_scheme *s, enum sj_corner token, double width, double height, bool component);

/* ---- type -------------------------------------------------------------------------------------------------------- */

enum sj_type_role {
	SJ_TYPE_UNSET,
	SJ_TYPE_DISPLAY_LARGE,
	SJ_TYPE_DISPLAY_MEDIUM,
	SJ_TYPE_DISPLAY_SMALL,
	SJ_TYPE_HEADLINE_LARGE,
	SJ_TYPE_HEADLINE_MEDIUM,
	SJ_TYPE_HEADLINE_SMALL,
	SJ_TYPE_TITLE_LARGE,
	SJ_TYPE_TITLE_MEDIUM,
	SJ_TYPE_TITLE_SMALL,
	SJ_TYPE_BODY_LARGE,
	SJ_TYPE_BODY_MEDIUM,
	SJ_TYPE_BODY_SMALL,
	SJ_TYPE_LABEL_LARGE,
	SJ_TYPE_LABEL_MEDIUM,
	SJ_TYPE_LABEL_SMALL,
	SJ_TYPE_COUNT
};
struct sj_type_facts {
	const char *name;
	float size, line_height, letter_spacing; /* sp */
	uint16_t weight;
};
const struct sj_type_facts *sj_type_facts(enum sj_type_role r); /* UNSET: those of bodyLarge */

/* ---- the record -------------------------------------------------------------------------------------------------- */

enum sj_extent { SJ_EXTENT_UNSET, SJ_EXTENT_FILL, SJ_EXTENT_WRAP, SJ_EXTENT_DP };
struct sj_dimension {
	uint8_t kind; /* enum sj_extent */
	float dp;
};
enum sj_alignment {
	SJ_ALIGN_UNSET,
	SJ_ALIGN_TOP_START,
	SJ_ALIGN_TOP_CENTER,
	SJ_ALIGN_TOP_END,
	SJ_ALIGN_CENTER_START,
	SJ_ALIGN_CENTER,
	SJ_ALIGN_CENTER_END,
	SJ_ALIGN_BOTTOM_START,
	SJ_ALIGN_BOTTOM_CENTER,
	SJ_ALIGN_BOTTOM_END,
};
/* Shares of the room that is left: 0 at the start, 0.5 in the middle, 1 at the end. UNSET: `x` and `y` stay. */
void sj_alignment_shares(enum sj_alignment a, double *x, double *y);
enum sj_arrangement {
	SJ_ARRANGE_UNSET,
	SJ_ARRANGE_START,
	SJ_ARRANGE_CENTER,
	SJ_ARRANGE_END,
	SJ_ARRANGE_BETWEEN,
	SJ_ARRANGE_AROUND,
	SJ_ARRANGE_EVENLY,
};
enum sj_text_align { SJ_TEXT_UNSET, SJ_TEXT_START, SJ_TEXT_CENTER, SJ_TEXT_END, SJ_TEXT_JUSTIFY };
enum sj_overflow { SJ_OVERFLOW_UNSET, SJ_OVERFLOW_CLIP, SJ_OVERFLOW_ELLIPSIS, SJ_OVERFLOW_VISIBLE };

/* Which of the numbers below are set. */
enum {
	SJ_S_WEIGHT = 1u << 0,
	SJ_S_MIN_WIDTH = 1u << 1,
	SJ_S_MAX_WIDTH = 1u << 2,
	SJ_S_MIN_HEIGHT = 1u << 3,
	SJ_S_MAX_HEIGHT = 1u << 4,
	SJ_S_PADDING = 1u << 5,
	SJ_S_BORDER = 1u << 6,
	SJ_S_ELEVATION = 1u << 7,
	SJ_S_ASPECT = 1u << 8,
	SJ_S_OFFSET = 1u << 9,
	SJ_S_ALPHA = 1u << 10,
	SJ_S_PRESS_SCALE = 1u << 11,
	SJ_S_SPACING = 1u << 12,
	SJ_S_TEXT_SIZE = 1u << 13,
	SJ_S_FONT_WEIGHT = 1u << 14,
	SJ_S_MAX_LINES = 1u << 15,
	SJ_S_LINE_HEIGHT = 1u << 16,
	SJ_S_LETTER_SPACING = 1u << 17,
	SJ_S_CORNER = 1u << 18,
	SJ_S_UNDERLINE = 1u << 19,    /* the text's decoration and style, as bits alone */
	SJ_S_LINE_THROUGH = 1u << 20,
	SJ_S_ITALIC = 1u << 21,
	SJ_S_UPRIGHT = 1u << 22,      /* fontStyle normal */
	SJ_S_PLAIN = 1u << 23,        /* textDecoration none */
};

struct sj_edges {
	float top, end, bottom, start;
};
#define SJ_STYLE_STOPS 4
struct sj_gradient {
	bool is_set, is_radial, has_positions; /* positions count only when every stop has one */
	float angle;                           /* degrees clockwise, 0: left to right */
	uint8_t count;
	struct sj_paint colors[SJ_STYLE_STOPS];
	float at[SJ_STYLE_STOPS]; /* 0..1, never falling; evenly spread when none was written */
};

struct sj_style {
	uint32_t has; /* SJ_S_* */
	struct sj_dimension width, height;
	float weight, min_width, max_width, min_height, max_height;
	struct sj_edges padding;
	struct sj_paint background, color, shadow_color;
	enum sj_corner corner_token; /* UNSET: `corners` count, topStart, topEnd, bottomEnd, bottomStart */
	float corners[4];
	float border_width;
	struct sj_paint border_color;
	float elevation;
	struct sj_gradient gradient;
	float aspect; /* width through height */
	float offset_x, offset_y;
	float alpha, press_scale;
	enum sj_alignment alignment;
	enum sj_arrangement arrangement;
	float spacing;
	float text_size, line_height, letter_spacing; /* sp */
	uint16_t font_weight;
	uint32_t max_lines;
	enum sj_text_align text_align;
	enum sj_overflow overflow;
	enum sj_family family;
	struct sj_slice family_asset; /* of the record's value: borrowed */
	enum sj_type_role type;
};

/* `v` NULL or no object: nothing is set. */
void sj_style_read(const struct sj_value *v, struct sj_style *out);

#endif
