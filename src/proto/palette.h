/* Tonal palettes: a colour has a hue and a chroma (CAM16) and a tone (L* of CIE Lab), and a palette is one hue and
 * chroma in every tone. A scheme of 36 roles is a table of tones of six palettes that one seed colour gives.
 *
 * Written from the published mathematics: CAM16 (Li, Luo et al., 2017) seen under a grey surround of L* 50, with a tone
 * in place of the lightness, so that two tones have one contrast whatever their hue. A chroma that sRGB does not have
 * at a tone becomes the highest one that it has. Pure; no memory; some microseconds a colour.
 */
#ifndef SJ_PROTO_PALETTE_H
#define SJ_PROTO_PALETTE_H

#include "ui/style.h"

#define SJ_PALETTE_SEED 0xFF6750A4u /* of a theme that names none */

struct sj_hct {
	double hue;    /* degrees, 0..360 */
	double chroma; /* 0 and up */
	double tone;   /* 0..100 */
};
struct sj_hct sj_hct_of(sj_argb c);
sj_argb sj_hct_argb(double hue, double chroma, double tone); /* opaque */

/* Y of CIE XYZ (0..100) of a tone, and back. */
double sj_tone_luminance(double tone);
double sj_luminance_tone(double y);

/* Every role of the scheme that this seed gives. */
void sj_palette_roles(sj_argb seed, bool dark, sj_argb out[SJ_COLOR_ROLE_COUNT]);

#endif
