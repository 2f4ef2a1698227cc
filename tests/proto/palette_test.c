/* Tonal palettes: exact tones, published colours, contrast over random seeds. */
#include "harness/random.h"
#include "harness/test.h"
#include "proto/palette.h"

#include <math.h>
#include <stdlib.h>

static bool near(double got, double want, double by) { return fabs(got - want) <= by; }

SJ_TEST(tones_of_greys)
{
	CHECK(near(sj_hct_of(0xFFFFFFFF).tone, 100, 1e-3));
	CHECK(near(sj_hct_of(0xFF000000).tone, 0, 1e-9));
	CHECK(near(sj_hct_of(0xFF777777).tone, 50.0, 0.1));
	CHECK_INT(sj_hct_argb(120, 80, 0), 0xFF000000);
	CHECK_INT(sj_hct_argb(120, 80, 100), 0xFFFFFFFF);
	CHECK_INT(sj_hct_argb(0, 0, 50), 0xFF777777);
	for (int tone = 0; tone <= 100; tone++)
		CHECK(near(sj_luminance_tone(sj_tone_luminance(tone)), tone, 1e-9));
}

/* The published coordinates of the primaries. */
SJ_TEST(primaries)
{
	static const struct {
		sj_argb argb;
		double hue, chroma, tone;
	} known[] = {{0xFFFF0000, 27.408, 113.358, 53.233},
	             {0xFF00FF00, 142.140, 108.410, 87.737},
	             {0xFF0000FF, 282.788, 87.231, 32.303}};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct sj_hct h = sj_hct_of(known[i].argb);
		CHECK(near(h.hue, known[i].hue, 0.01));
		CHECK(near(h.chroma, known[i].chroma, 0.01));
		CHECK(near(h.tone, known[i].tone, 0.01));
		CHECK_INT(sj_hct_argb(h.hue, h.chroma, h.tone), known[i].argb);
	}
}

SJ_TEST(a_tone_is_kept)
{
	struct sj_random r = {7};
	for (int i = 0; i < 1000; i++) {
		double hue = (double)(sj_random_next(&r) % 360), chroma = (double)(sj_random_next(&r) % 120);
		double tone = (double)(sj_random_next(&r) % 101);
		struct sj_hct h = sj_hct_of(sj_hct_argb(hue, chroma, tone));
		CHECK(near(h.tone, tone, 0.5));
		CHECK(h.chroma <= chroma + 6);
	}
}

SJ_TEST(every_colour_comes_back)
{
	struct sj_random r = {7};
	for (int i = 0; i < 1000; i++) {
		sj_argb c = 0xFF000000u | ((sj_argb)sj_random_next(&r) & 0xFFFFFFu);
		struct sj_hct h = sj_hct_of(c);
		sj_argb back = sj_hct_argb(h.hue, h.chroma, h.tone);
		for (int shift = 0; shift < 24; shift += 8)
			CHECK(abs((int)(c >> shift & 255) - (int)(back >> shift & 255)) <= 2);
	}
}

SJ_TEST(the_default_scheme)
{
	static const struct {
		enum sj_color_role role;
		sj_argb light, dark;
	} known[] = {{SJ_C_PRIMARY, 0xFF6750A4, 0xFFCFBCFF},
	             {SJ_C_ON_PRIMARY, 0xFFFFFFFF, 0xFF381E72},
	             {SJ_C_PRIMARY_CONTAINER, 0xFFE9DDFF, 0xFF4F378A},
	             {SJ_C_SECONDARY, 0xFF625B71, 0xFFCBC2DB},
	             {SJ_C_SECONDARY_CONTAINER, 0xFFE8DEF8, 0xFF4A4458},
	             {SJ_C_TERTIARY, 0xFF7E5260, 0xFFEFB8C8},
	             {SJ_C_ERROR, 0xFFBA1A1A, 0xFFFFB4AB},
	             {SJ_C_SURFACE, 0xFFFDF7FF, 0xFF141218},
	             {SJ_C_ON_SURFACE, 0xFF1D1B20, 0xFFE6E0E9},
	             {SJ_C_SCRIM, 0xFF000000, 0xFF000000}};
	sj_argb light[SJ_COLOR_ROLE_COUNT], dark[SJ_COLOR_ROLE_COUNT];
	sj_palette_roles(SJ_PALETTE_SEED, false, light);
	sj_palette_roles(SJ_PALETTE_SEED, true, dark);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		CHECK_INT(light[known[i].role], known[i].light);
		CHECK_INT(dark[known[i].role], known[i].dark);
	}
}

static double contrast(sj_argb a, sj_argb b)
{
	double x = sj_argb_luminance(a), y = sj_argb_luminance(b);
	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

SJ_TEST(text_can_be_read_on_what_it_is_for)
{
	static const uint8_t pairs[][2] = {{SJ_C_ON_PRIMARY, SJ_C_PRIMARY},
	                                   {SJ_C_ON_PRIMARY_CONTAINER, SJ_C_PRIMARY_CONTAINER},
	                                   {SJ_C_ON_SECONDARY, SJ_C_SECONDARY},
	                                   {SJ_C_ON_SECONDARY_CONTAINER, SJ_C_SECONDARY_CONTAINER},
	                                   {SJ_C_ON_TERTIARY, SJ_C_TERTIARY},
	                                   {SJ_C_ON_TERTIARY_CONTAINER, SJ_C_TERTIARY_CONTAINER},
	                                   {SJ_C_ON_BACKGROUND, SJ_C_BACKGROUND},
	                                   {SJ_C_ON_SURFACE, SJ_C_SURFACE},
	                                   {SJ_C_ON_SURFACE, SJ_C_SURFACE_CONTAINER_HIGHEST},
	                                   {SJ_C_ON_SURFACE, SJ_C_SURFACE_DIM},
	                                   {SJ_C_ON_SURFACE_VARIANT, SJ_C_SURFACE_VARIANT},
	                                   {SJ_C_INVERSE_ON_SURFACE, SJ_C_INVERSE_SURFACE},
	                                   {SJ_C_ON_ERROR, SJ_C_ERROR},
	                                   {SJ_C_ON_ERROR_CONTAINER, SJ_C_ERROR_CONTAINER}};
	struct sj_random r = {7};
	for (int i = 0; i < 300; i++) {
		sj_argb roles[SJ_COLOR_ROLE_COUNT], seed = 0xFF000000u | ((sj_argb)sj_random_next(&r) & 0xFFFFFFu);
		sj_palette_roles(seed, i % 2 == 0, roles);
		for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
			CHECK(contrast(roles[pairs[p][0]], roles[pairs[p][1]]) >= 4.5);
	}
}
