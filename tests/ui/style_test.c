/* Style records as faces read them: every field, what is unset, and what colours and corners a scheme gives. */
#include "harness/test.h"
#include "ui/style.h"

static struct sj_value record;

static void read_style(const char *json, struct sj_style *out)
{
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	CHECK_OK(sj_value_parse(sj_test_mem(), &wire, sj_slice_of(json), &record, NULL));
	sj_style_read(&record, out);
}

static void done(void) { sj_value_unref(sj_test_mem(), record); }

static int close_to(float got, double want) { return (double)got > want - 1e-4 && (double)got < want + 1e-4; }

SJ_TEST(nothing_is_set)
{
	struct sj_style s;
	sj_style_read(NULL, &s);
	CHECK_INT(s.has, 0);
	CHECK(close_to(s.alpha, 1) && close_to(s.press_scale, 1));
	CHECK(!sj_paint_is_set(&s.background) && !s.gradient.is_set);
	CHECK_INT(s.width.kind, SJ_EXTENT_UNSET);
	read_style("{\"width\": \"wide\", \"padding\": 3, \"weight\": 0, \"color\": \"reddish\", \"alignment\": 4,"
	           " \"gradient\": {\"type\": \"linear\", \"stops\": []}, \"border\": {\"width\": -1}, \"maxLines\": 0}", &s);
	CHECK_INT(s.has, 0);
	CHECK_INT(s.width.kind, SJ_EXTENT_UNSET);
	CHECK(!sj_paint_is_set(&s.color) && !s.gradient.is_set);
	CHECK_INT(s.alignment, SJ_ALIGN_UNSET);
	done();
}

SJ_TEST(layout)
{
	struct sj_style s;
	read_style("{\"width\": \"fill\", \"height\": {\"dp\": 12.5}, \"weight\": 2, \"minWidth\": 1, \"maxWidth\": 1e9,"
	           " \"minHeight\": 3, \"maxHeight\": 4, \"padding\": {\"start\": 5, \"top\": 6}, \"aspectRatio\": 1.5,"
	           " \"offset\": {\"x\": -7, \"y\": 8}, \"alpha\": 0.5, \"pressScale\": 0.75, \"alignment\": \"bottomCenter\","
	           " \"arrangement\": \"spaceAround\", \"spacing\": 9, \"elevation\": 6}", &s);
	CHECK_INT(s.width.kind, SJ_EXTENT_FILL);
	CHECK_INT(s.height.kind, SJ_EXTENT_DP);
	CHECK(close_to(s.height.dp, 12.5) && close_to(s.weight, 2) && close_to(s.min_width, 1));
	CHECK(close_to(s.max_width, SJ_STYLE_MOST) && close_to(s.min_height, 3) && close_to(s.max_height, 4));
	CHECK(close_to(s.padding.start, 5) && close_to(s.padding.top, 6) && close_to(s.padding.end, 0));
	CHECK(close_to(s.aspect, 1.5) && close_to(s.offset_x, -7) && close_to(s.offset_y, 8));
	CHECK(close_to(s.alpha, 0.5) && close_to(s.press_scale, 0.75) && close_to(s.spacing, 9));
	CHECK(close_to(s.elevation, 6));
	CHECK_INT(s.alignment, SJ_ALIGN_BOTTOM_CENTER);
	CHECK_INT(s.arrangement, SJ_ARRANGE_AROUND);
	CHECK_INT(s.has, SJ_S_WEIGHT | SJ_S_MIN_WIDTH | SJ_S_MAX_WIDTH | SJ_S_MIN_HEIGHT | SJ_S_MAX_HEIGHT |
	                         SJ_S_PADDING | SJ_S_ASPECT | SJ_S_OFFSET | SJ_S_ALPHA | SJ_S_PRESS_SCALE |
	                         SJ_S_SPACING | SJ_S_ELEVATION);
	double x = 9, y = 9;
	sj_alignment_shares(s.alignment, &x, &y);
	CHECK(x == 0.5 && y == 1);
	sj_alignment_shares(SJ_ALIGN_UNSET, &x, &y);
	CHECK(x == 0.5 && y == 1);
	sj_alignment_shares(SJ_ALIGN_CENTER_END, &x, &y);
	CHECK(x == 1 && y == 0.5);
	done();
}

SJ_TEST(text)
{
	struct sj_style s;
	read_style("{\"textStyle\": \"titleSmall\", \"textSize\": 20, \"fontWeight\": 700, \"textAlign\": \"justify\","
	           " \"maxLines\": 2147483647, \"overflow\": \"ellipsis\", \"lineHeight\": 30, \"letterSpacing\": -0.5,"
	           " \"textDecoration\": \"underlineLineThrough\", \"fontStyle\": \"italic\","
	           " \"fontFamily\": {\"asset\": \"a-font-with-a-long-name\"}}", &s);
	CHECK_INT(s.type, SJ_TYPE_TITLE_SMALL);
	CHECK_INT(s.font_weight, 700);
	CHECK(close_to(s.text_size, 20) && close_to(s.line_height, 30) && close_to(s.letter_spacing, -0.5));
	CHECK_INT(s.text_align, SJ_TEXT_JUSTIFY);
	CHECK_INT(s.overflow, SJ_OVERFLOW_ELLIPSIS);
	CHECK(s.max_lines >= SJ_STYLE_MOST);
	CHECK_INT(s.has & (SJ_S_UNDERLINE | SJ_S_LINE_THROUGH | SJ_S_ITALIC | SJ_S_UPRIGHT | SJ_S_PLAIN),
	          SJ_S_UNDERLINE | SJ_S_LINE_THROUGH | SJ_S_ITALIC);
	CHECK_INT(s.family, SJ_FAMILY_ASSET);
	CHECK_STR(s.family_asset, "a-font-with-a-long-name");
	CHECK_INT(sj_type_facts(s.type)->weight, 500);
	CHECK(close_to(sj_type_facts(SJ_TYPE_DISPLAY_LARGE)->line_height, 64));
	CHECK(close_to(sj_type_facts(SJ_TYPE_UNSET)->size, 16));
	done();
}

SJ_TEST(colours)
{
	struct sj_scheme scheme = {.colors = {[SJ_C_PRIMARY] = 0xFF6750A4, [SJ_C_SCRIM] = 0xFF000000}};
	struct sj_style s;
	sj_argb c;
	read_style("{\"background\": {\"light\": \"primary\", \"dark\": \"#801A2b3C\"}, \"color\": \"#fff000\","
	           " \"shadowColor\": \"scrim\", \"border\": {\"width\": 2, \"color\": {\"light\": \"#123456\"}}}", &s);
	CHECK_INT(sj_style_color(&scheme, &s.background), 0xFF6750A4);
	CHECK_INT(sj_style_color(&scheme, &s.color), 0xFFFFF000);
	CHECK_INT(sj_style_color(&scheme, &s.shadow_color), 0xFF000000);
	CHECK_INT(sj_style_scrim(&scheme, &s.shadow_color), 0x66000000);
	CHECK_INT(sj_style_scrim(&scheme, &s.color), 0xFFFFF000);
	CHECK(s.has & SJ_S_BORDER);
	CHECK(!sj_paint_is_set(&s.border_color)); /* half a pair is none */
	scheme.dark = true;
	CHECK_INT(sj_style_color(&scheme, &s.background), 0x801A2B3C);
	CHECK_INT(sj_style_color(&scheme, &s.border_color), 0);
	CHECK(!sj_argb_parse(SJ_LIT("#12345"), &c) && !sj_argb_parse(SJ_LIT("1234567"), &c) &&
	      !sj_argb_parse(SJ_LIT("#12345g"), &c) && !sj_argb_parse(SJ_NO_SLICE, &c));
	for (int r = 0; r < SJ_COLOR_ROLE_COUNT; r++)
		CHECK_INT(sj_color_role_find(sj_slice_of(sj_color_role_name((enum sj_color_role)r))), r);
	CHECK_INT(SJ_COLOR_ROLE_COUNT, 36);
	CHECK(sj_argb_luminance(0xFFFFFFFF) > 0.9999 && sj_argb_luminance(0xFF000000) < 1e-9);
	done();
}

SJ_TEST(gradients)
{
	struct sj_style s;
	read_style("{\"gradient\": {\"type\": \"linear\", \"angle\": 90, \"stops\": [{\"color\": \"primary\", \"position\":"
	           " 0.5}, {\"color\": \"error\", \"position\": 0.25}, {\"color\": \"#000000\", \"position\": 1}]}}", &s);
	CHECK(s.gradient.is_set && !s.gradient.is_radial && s.gradient.has_positions);
	CHECK_INT(s.gradient.count, 3);
	CHECK(close_to(s.gradient.angle, 90) && close_to(s.gradient.at[0], 0.5) && close_to(s.gradient.at[1], 0.5) &&
	      close_to(s.gradient.at[2], 1));
	done();
	read_style("{\"gradient\": {\"type\": \"radial\", \"stops\": [{\"color\": \"primary\", \"position\": 0.5},"
	           " {\"color\": \"error\"}, {\"color\": \"#000000\", \"position\": 0.6}]}}", &s);
	CHECK(s.gradient.is_radial && !s.gradient.has_positions);
	CHECK(close_to(s.gradient.at[0], 0) && close_to(s.gradient.at[1], 0.5) && close_to(s.gradient.at[2], 1));
	done();
}

SJ_TEST(corners)
{
	struct sj_scheme s = {0};
	struct sj_style r;
	CHECK(sj_scheme_corner(&s, SJ_CORNER_MEDIUM, 100, 40, false) == 12);
	CHECK(sj_scheme_corner(&s, SJ_CORNER_FULL, 100, 40, true) == 20);
	CHECK(sj_scheme_corner(&s, SJ_CORNER_UNSET, 100, 40, true) == 0);
	s.corner = SJ_CORNER_SMALL;
	CHECK(sj_scheme_corner(&s, SJ_CORNER_MEDIUM, 100, 40, false) == 6);
	CHECK(sj_scheme_corner(&s, SJ_CORNER_FULL, 100, 40, true) == 8);
	CHECK(sj_scheme_corner(&s, SJ_CORNER_FULL, 100, 40, false) == 20);
	s.corner = SJ_CORNER_NONE;
	CHECK(sj_scheme_corner(&s, SJ_CORNER_LARGE, 100, 40, true) == 0);
	read_style("{\"cornerRadius\": {\"topEnd\": 4, \"bottomStart\": 6}}", &r);
	CHECK(r.has & SJ_S_CORNER);
	CHECK(close_to(r.corners[0], 0) && close_to(r.corners[1], 4) && close_to(r.corners[2], 0) &&
	      close_to(r.corners[3], 6));
	done();
	read_style("{\"cornerRadius\": \"extraLarge\"}", &r);
	CHECK_INT(r.corner_token, SJ_CORNER_EXTRA_LARGE);
	done();
	read_style("{\"cornerRadius\": 8}", &r);
	CHECK_INT(r.corner_token, SJ_CORNER_UNSET);
	CHECK(close_to(r.corners[3], 8));
	done();
}
