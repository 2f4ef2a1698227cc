#include "proto/theme.h"

#include "proto/palette.h"

#define DARK_BELOW 0.179 /* luminance: white text has the better contrast from here down */
#define CHAIN_MOST 64    /* deeper than a spec can be */

const char *sj_theme_source_name(enum sj_theme_source s)
{
	static const char *const names[] = {"explicit", "roleLuminance", "authoredBackground", "override", "system"};
	return s < sizeof names / sizeof *names ? names[s] : "";
}

static const struct sj_value *get(const struct sj_value *v, const char *name)
{
	return v && v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(name)) : NULL;
}

static bool is(const struct sj_value *v, const char *word)
{
	return v && sj_value_is_string(v) && sj_slice_is(sj_value_text(v), word);
}

static bool color_of(const struct sj_value *v, sj_argb *out)
{
	return v && sj_value_is_string(v) && sj_argb_parse(sj_value_text(v), out);
}

static bool is_dark(sj_argb c) { return sj_argb_luminance(c) < DARK_BELOW; }

/* An opaque literal background; of a pair neither colour decides. */
static bool authored_background(const struct sj_theme_env *env, sj_argb *out)
{
	for (uint32_t depth = 0; env->style && depth < CHAIN_MOST; depth++) {
		const struct sj_value *style = NULL;
		if (!env->style(env->ctx, depth, &style))
			return false;
		if (color_of(get(style, "background"), out) && (*out >> 24) >= 0.99 * 255)
			return true;
	}
	return false;
}

static void resolve_mode(const struct sj_value *theme, const struct sj_theme_env *env, struct sj_theme *out)
{
	const struct sj_value *mode = get(theme, "mode"), *colors = get(theme, "colors");
	sj_argb c;
	if (is(mode, "light") || is(mode, "dark")) {
		out->dark = is(mode, "dark");
		out->source = SJ_THEME_EXPLICIT;
		return;
	}
	if (!is(mode, "system")) {
		if (color_of(get(colors, "background"), &c) || color_of(get(colors, "surface"), &c)) {
			out->dark = is_dark(c);
			out->source = SJ_THEME_ROLE_LUMINANCE;
			return;
		}
		if (authored_background(env, &c)) {
			out->dark = is_dark(c);
			out->source = SJ_THEME_AUTHORED_BACKGROUND;
			return;
		}
	}
	if (env->wish != SJ_APPEARANCE_DEVICE) {
		out->dark = env->wish == SJ_APPEARANCE_DARK;
		out->source = SJ_THEME_OVERRIDE;
		return;
	}
	out->dark = env->device_dark;
	out->source = SJ_THEME_SYSTEM;
}

static void put_roles(const struct sj_value *map, sj_argb *out)
{
	struct sj_slice key;
	for (uint32_t i = 0; map && map->type == SJ_V_OBJECT && i < sj_value_count(map); i++) {
		const struct sj_value *v = sj_value_member(map, i, &key);
		enum sj_color_role role = sj_color_role_find(key);
		if (role != SJ_COLOR_ROLE_COUNT)
			color_of(v, &out[role]);
	}
}

static void resolve_scheme(const struct sj_value *theme, const struct sj_theme_env *env, struct sj_theme *out)
{
	static const char *const corners[] = {"", "none", "", "small", "medium", "large", "", "full"};
	static const char *const families[] = {"", "", "sans", "serif", "mono"};
	const struct sj_value *colors = get(theme, "colors"), *type = get(theme, "typography");
	const struct sj_value *scale = get(type, "scale"), *corner = get(get(theme, "shapes"), "corner");
	sj_argb seed = SJ_PALETTE_SEED;
	if (is(get(colors, "source"), "device") && env->device_seed)
		seed = env->device_seed;
	color_of(get(colors, "seed"), &seed);
	out->scheme.dark = out->dark;
	sj_palette_roles(seed, out->dark, out->scheme.colors);
	put_roles(colors, out->scheme.colors);
	put_roles(get(colors, out->dark ? "dark" : "light"), out->scheme.colors);
	out->scheme.text_scale = scale && sj_value_is_number(scale) ? (float)sj_value_double(scale) : 1;
	if (!(out->scheme.text_scale >= 0.75f && out->scheme.text_scale <= 1.5f))
		out->scheme.text_scale = 1;
	for (unsigned i = 1; i < sizeof corners / sizeof *corners; i++)
		if (*corners[i] && is(corner, corners[i]))
			out->scheme.corner = (enum sj_corner)i;
	for (unsigned i = 2; i < sizeof families / sizeof *families; i++)
		if (is(get(type, "fontFamily"), families[i]))
			out->scheme.family = (enum sj_family)i;
}

void sj_theme_resolve(const struct sj_value *theme, const struct sj_theme_env *env, struct sj_theme *out)
{
	*out = (struct sj_theme){0};
	resolve_mode(theme, env, out);
	resolve_scheme(theme, env, out);
}
