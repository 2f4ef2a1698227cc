/* Themes: which mode and why, in which order colours count, letters and corners. */
#include "harness/test.h"
#include "proto/palette.h"
#include "proto/theme.h"

static struct sj_value kept[8];
static uint32_t nkept;

static const struct sj_value *json(const char *text)
{
	struct sj_json_options wire = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	CHECK_OK(sj_value_parse(sj_test_mem(), &wire, sj_slice_of(text), &kept[nkept], NULL));
	return &kept[nkept++];
}

static void done(void)
{
	while (nkept > 0)
		sj_value_unref(sj_test_mem(), kept[--nkept]);
}

struct chain {
	const struct sj_value *styles;
	uint32_t asked;
};

static bool style_at(void *ctx, uint32_t depth, const struct sj_value **out)
{
	struct chain *c = ctx;
	c->asked++;
	if (depth >= sj_value_count(c->styles))
		return false;
	*out = sj_value_item(c->styles, depth);
	return true;
}

static struct sj_theme resolve(const char *theme, const char *styles, enum sj_appearance wish, bool device_dark)
{
	struct chain chain = {styles ? json(styles) : NULL, 0};
	struct sj_theme_env env = {.wish = wish, .device_dark = device_dark, .style = styles ? style_at : NULL,
	                           .ctx = &chain};
	struct sj_theme out;
	sj_theme_resolve(theme ? json(theme) : NULL, &env, &out);
	return out;
}

SJ_TEST(modes_and_their_sources)
{
	static const struct {
		const char *theme, *styles;
		enum sj_appearance wish;
		bool device_dark, dark;
		enum sj_theme_source source;
	} rows[] = {
		{"{\"mode\": \"dark\"}", NULL, SJ_APPEARANCE_LIGHT, false, true, SJ_THEME_EXPLICIT},
		{"{\"mode\": \"light\", \"colors\": {\"surface\": \"#000000\"}}", NULL, SJ_APPEARANCE_DEVICE, true,
	         false, SJ_THEME_EXPLICIT},
		{"{\"colors\": {\"surface\": \"#ffffff\", \"background\": \"#101010\"}}", NULL, SJ_APPEARANCE_LIGHT,
	         false, true, SJ_THEME_ROLE_LUMINANCE},
		{"{\"colors\": {\"surface\": \"#ffffff\"}}", "[{\"background\": \"#000000\"}]", SJ_APPEARANCE_DARK,
	         true, false, SJ_THEME_ROLE_LUMINANCE},
		/* 0.179: #757575 is darker, #777777 is not */
		{"{\"colors\": {\"surface\": \"#757575\"}}", NULL, SJ_APPEARANCE_DEVICE, false, true,
	         SJ_THEME_ROLE_LUMINANCE},
		{"{\"colors\": {\"surface\": \"#777777\"}}", NULL, SJ_APPEARANCE_DEVICE, true, false,
	         SJ_THEME_ROLE_LUMINANCE},
		/* per-mode values never decide */
		{"{\"colors\": {\"light\": {\"surface\": \"#000000\"}, \"dark\": {\"surface\": \"#000000\"}}}", NULL,
	         SJ_APPEARANCE_DEVICE, false, false, SJ_THEME_SYSTEM},
		/* roles, pairs and what shines through are passed over */
		{NULL,
	         "[{\"background\": \"surface\"}, null, {\"background\": {\"light\": \"#000000\", \"dark\": \"#000000\"}},"
	         " {\"background\": \"#fb000000\"}, {\"background\": \"#101010\"}]",
	         SJ_APPEARANCE_LIGHT, false, true, SJ_THEME_AUTHORED_BACKGROUND},
		{NULL, "[{\"background\": \"#fd000000\"}]", SJ_APPEARANCE_LIGHT, false, true,
	         SJ_THEME_AUTHORED_BACKGROUND},
		{NULL, "[{}, {}]", SJ_APPEARANCE_DARK, false, true, SJ_THEME_OVERRIDE},
		{NULL, NULL, SJ_APPEARANCE_LIGHT, true, false, SJ_THEME_OVERRIDE},
		{NULL, NULL, SJ_APPEARANCE_DEVICE, true, true, SJ_THEME_SYSTEM},
		{"{\"mode\": \"system\", \"colors\": {\"surface\": \"#000000\"}}", "[{\"background\": \"#000000\"}]",
	         SJ_APPEARANCE_DEVICE, false, false, SJ_THEME_SYSTEM},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sj_theme t = resolve(rows[i].theme, rows[i].styles, rows[i].wish, rows[i].device_dark);
		CHECK_INT(t.dark, rows[i].dark);
		CHECK_STR(sj_slice_of(sj_theme_source_name(t.source)), sj_theme_source_name(rows[i].source));
		CHECK_INT(t.scheme.dark, rows[i].dark);
		done();
	}
	CHECK_STR(sj_slice_of(sj_theme_source_name(SJ_THEME_AUTHORED_BACKGROUND)), "authoredBackground");
}

SJ_TEST(colours_in_their_order)
{
	struct sj_theme t = resolve(NULL, NULL, SJ_APPEARANCE_LIGHT, false);
	sj_argb roles[SJ_COLOR_ROLE_COUNT];
	CHECK_INT(t.scheme.colors[SJ_C_PRIMARY], 0xFF6750A4);
	t = resolve("{\"colors\": {\"seed\": \"#00ff00\", \"primary\": \"#010203\", \"error\": \"#040506\","
	            " \"light\": {\"error\": \"#070809\"}, \"dark\": {\"primary\": \"#0a0b0c\"}}}", NULL, SJ_APPEARANCE_LIGHT,
	            false);
	sj_palette_roles(0xFF00FF00, false, roles);
	CHECK_INT(t.scheme.colors[SJ_C_PRIMARY], 0xFF010203);
	CHECK_INT(t.scheme.colors[SJ_C_ERROR], 0xFF070809);
	CHECK_INT(t.scheme.colors[SJ_C_SECONDARY], roles[SJ_C_SECONDARY]);
	struct sj_theme_env env = {.wish = SJ_APPEARANCE_DARK, .device_seed = 0xFF0000FF};
	sj_theme_resolve(json("{\"colors\": {\"source\": \"device\"}}"), &env, &t);
	sj_palette_roles(0xFF0000FF, true, roles);
	for (int r = 0; r < SJ_COLOR_ROLE_COUNT; r++)
		CHECK_INT(t.scheme.colors[r], roles[r]);
	done();
}

SJ_TEST(letters_and_corners)
{
	struct sj_theme t = resolve("{\"typography\": {\"scale\": 1.25, \"fontFamily\": \"mono\"}, \"shapes\": {\"corner\":"
	                            " \"large\"}}", NULL, SJ_APPEARANCE_LIGHT, false);
	CHECK(t.scheme.text_scale == 1.25f);
	CHECK_INT(t.scheme.family, SJ_FAMILY_MONO);
	CHECK_INT(t.scheme.corner, SJ_CORNER_LARGE);
	done();
	t = resolve("{\"mode\": \"light\"}", NULL, SJ_APPEARANCE_LIGHT, false);
	CHECK(t.scheme.text_scale == 1.0f);
	CHECK_INT(t.scheme.family, SJ_FAMILY_UNSET);
	CHECK_INT(t.scheme.corner, SJ_CORNER_UNSET);
	done();
}
