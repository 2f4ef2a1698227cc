/* A prototype's theme: which mode is drawn, why, and the scheme of it.
 *
 * The mode (docs/prototype.md): an explicit one; else by the luminance of a flat `background` or `surface` role; else
 * by the first background of a literal colour down the root; else the show's wish; else the device. What a theme says
 * for one mode alone never decides the mode. The scheme: seed, device colour or default, then flat roles, then those of
 * the mode. Reads a validated spec; what it finds otherwise counts as not said. No memory, no state.
 */
#ifndef SJ_PROTO_THEME_H
#define SJ_PROTO_THEME_H

#include "ui/style.h"

enum sj_theme_source {
	SJ_THEME_EXPLICIT,
	SJ_THEME_ROLE_LUMINANCE,
	SJ_THEME_AUTHORED_BACKGROUND,
	SJ_THEME_OVERRIDE,
	SJ_THEME_SYSTEM,
};
const char *sj_theme_source_name(enum sj_theme_source s); /* "roleLuminance" */

enum sj_appearance { SJ_APPEARANCE_DEVICE, SJ_APPEARANCE_LIGHT, SJ_APPEARANCE_DARK };

struct sj_theme_env {
	enum sj_appearance wish; /* of the show */
	bool device_dark;
	sj_argb device_seed;     /* of `source: "device"`; 0: the device names none */
	/* The resolved styles (objects or NULL) of the root's leading chain, outermost first: the root, its first shown
	 * child, and so on; a pager goes on in its current page. Called for depth 0, 1, ... until it returns false.
	 * NULL: there is no chain. */
	bool (*style)(void *ctx, uint32_t depth, const struct sj_value **out);
	void *ctx;
};

struct sj_theme {
	bool dark;
	enum sj_theme_source source;
	struct sj_scheme scheme;
};
/* `theme`: the spec's, NULL when it has none. */
void sj_theme_resolve(const struct sj_value *theme, const struct sj_theme_env *env, struct sj_theme *out);

#endif
