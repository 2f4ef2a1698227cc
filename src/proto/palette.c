#include "proto/palette.h"

#include <math.h>

#define PI 3.14159265358979323846

/* ---- sRGB, XYZ, L* ----------------------------------------------------------------------------------------------- */

static const double WHITE[3] = {95.047, 100, 108.883}; /* D65 */

static double linear(unsigned byte)
{
	double v = byte / 255.0;
	return 100 * (v <= 0.040449936 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
}

static unsigned delinear(double v)
{
	double n = v / 100, d = n <= 0.0031308 ? n * 12.92 : 1.055 * pow(n, 1 / 2.4) - 0.055;
	return d <= 0 ? 0 : d >= 1 ? 255 : (unsigned)(d * 255 + 0.5);
}

static sj_argb argb_of(const double rgb[3])
{
	return 0xFF000000u | delinear(rgb[0]) << 16 | delinear(rgb[1]) << 8 | delinear(rgb[2]);
}

double sj_tone_luminance(double tone)
{
	double ft = (tone + 16) / 116, cube = ft * ft * ft;
	return 100 * (cube > 216.0 / 24389 ? cube : (116 * ft - 16) / (24389.0 / 27));
}

double sj_luminance_tone(double y)
{
	double t = y / 100;
	return t > 216.0 / 24389 ? 116 * pow(t, 1.0 / 3) - 16 : t * 24389 / 27;
}

/* ---- CAM16 ------------------------------------------------------------------------------------------------------- */

/* What does not change between colours: the adapting light and the surround. */
struct view {
	double n, aw, nbb, ncb, c, nc, fl, z;
	double d[3]; /* discounting of the illuminant, per cone */
};

static void cones_of(const double xyz[3], double out[3])
{
	out[0] = 0.401288 * xyz[0] + 0.650173 * xyz[1] - 0.051461 * xyz[2];
	out[1] = -0.250268 * xyz[0] + 1.204414 * xyz[1] + 0.045854 * xyz[2];
	out[2] = -0.002079 * xyz[0] + 0.048952 * xyz[1] + 0.953127 * xyz[2];
}

static double adapted(double fl, double cone)
{
	double f = pow(fl * fabs(cone) / 100, 0.42);
	return copysign(400 * f / (f + 27.13), cone);
}

static double unadapted(double fl, double a)
{
	double base = 27.13 * fabs(a) / (400 - fabs(a));
	return base <= 0 ? 0 : copysign(100 / fl * pow(base, 1 / 0.42), a);
}

static void view_init(struct view *v)
{
	const double background = sj_tone_luminance(50), light = 200 / PI * background / 100;
	double k = 1 / (5 * light + 1), k4 = k * k * k * k, white[3], whole = 0;
	cones_of(WHITE, white);
	v->c = 0.69; /* average surround: f 1 */
	v->nc = 1;
	double d = 1 - 1 / 3.6 * pow(2.718281828459045, (-light - 42) / 92);
	for (int i = 0; i < 3; i++)
		v->d[i] = d * (100 / white[i]) + 1 - d;
	v->fl = k4 * light + 0.1 * (1 - k4) * (1 - k4) * pow(5 * light, 1.0 / 3);
	v->n = background / WHITE[1];
	v->z = 1.48 + sqrt(v->n);
	v->nbb = v->ncb = 0.725 / pow(v->n, 0.2);
	const double share[3] = {2, 1, 0.05};
	for (int i = 0; i < 3; i++)
		whole += share[i] * adapted(v->fl, v->d[i] * white[i]);
	v->aw = whole * v->nbb;
}

struct sj_hct sj_hct_of(sj_argb c)
{
	struct view v;
	double rgb[3] = {linear(c >> 16 & 255), linear(c >> 8 & 255), linear(c & 255)}, cone[3], a[3];
	double xyz[3] = {0.41233895 * rgb[0] + 0.35762064 * rgb[1] + 0.18051042 * rgb[2],
	                 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2],
	                 0.01932141 * rgb[0] + 0.11916382 * rgb[1] + 0.95034478 * rgb[2]};
	view_init(&v);
	cones_of(xyz, cone);
	for (int i = 0; i < 3; i++)
		a[i] = adapted(v.fl, v.d[i] * cone[i]);
	double red = (11 * a[0] - 12 * a[1] + a[2]) / 11, yellow = (a[0] + a[1] - 2 * a[2]) / 9;
	double u = (20 * a[0] + 20 * a[1] + 21 * a[2]) / 20, p2 = (40 * a[0] + 20 * a[1] + a[2]) / 20;
	double hue = atan2(yellow, red) * 180 / PI;
	if (hue < 0)
		hue += 360;
	double j = 100 * pow(p2 * v.nbb / v.aw, v.c * v.z);
	double eccentric = 0.25 * (cos((hue < 20.14 ? hue + 360 : hue) * PI / 180 + 2) + 3.8);
	double t = 50000.0 / 13 * eccentric * v.nc * v.ncb * sqrt(red * red + yellow * yellow) / (u + 0.305);
	double alpha = pow(t, 0.9) * pow(1.64 - pow(0.29, v.n), 0.73);
	return (struct sj_hct){hue, alpha * sqrt(j / 100), sj_luminance_tone(xyz[1])};
}

/* Linear sRGB of a lightness J, a chroma and a hue; the luminance is returned. */
static double rgb_of(const struct view *v, double j, double chroma, double hue, double rgb[3])
{
	double h = hue * PI / 180, root = sqrt(j / 100), alpha = chroma <= 0 || j <= 0 ? 0 : chroma / root;
	double t = pow(alpha / pow(1.64 - pow(0.29, v->n), 0.73), 1 / 0.9);
	double eccentric = 0.25 * (cos(h + 2) + 3.8), ac = v->aw * pow(j / 100, 1 / v->c / v->z);
	double p1 = eccentric * (50000.0 / 13) * v->nc * v->ncb, p2 = ac / v->nbb;
	double gamma = 23 * (p2 + 0.305) * t / (23 * p1 + 11 * t * cos(h) + 108 * t * sin(h));
	double red = gamma * cos(h), yellow = gamma * sin(h);
	double cone[3] = {unadapted(v->fl, (460 * p2 + 451 * red + 288 * yellow) / 1403) / v->d[0],
	                  unadapted(v->fl, (460 * p2 - 891 * red - 261 * yellow) / 1403) / v->d[1],
	                  unadapted(v->fl, (460 * p2 - 220 * red - 6300 * yellow) / 1403) / v->d[2]};
	double x = 1.86206786 * cone[0] - 1.01125463 * cone[1] + 0.14918677 * cone[2];
	double y = 0.38752654 * cone[0] + 0.62144744 * cone[1] - 0.00897398 * cone[2];
	double z = -0.01584150 * cone[0] - 0.03412294 * cone[1] + 1.04996444 * cone[2];
	rgb[0] = 3.2413774792388685 * x - 1.5376652402851851 * y - 0.49885366846268053 * z;
	rgb[1] = -0.9691452513005321 * x + 1.8758853451067872 * y + 0.04156585616912061 * z;
	rgb[2] = 0.05562093689691305 * x - 0.20395524564742123 * y + 1.0571799111220335 * z;
	return y;
}

/* The colour of this chroma whose luminance is `y`; false: sRGB has none. Luminance grows with J. */
static bool solve(const struct view *v, double hue, double chroma, double y, double rgb[3])
{
	double low = 0, high = 100;
	for (int i = 0; i < 36; i++) {
		double j = (low + high) / 2;
		if (rgb_of(v, j, chroma, hue, rgb) < y)
			low = j;
		else
			high = j;
	}
	for (int i = 0; i < 3; i++)
		if (!(rgb[i] >= -0.01 && rgb[i] <= 100.01))
			return false;
	return true;
}

sj_argb sj_hct_argb(double hue, double chroma, double tone)
{
	struct view v;
	double y = sj_tone_luminance(tone < 0 ? 0 : tone > 100 ? 100 : tone), rgb[3], low = 0, high = chroma;
	double grey[3] = {y, y, y};
	if (chroma < 1 || tone <= 0.01 || tone >= 99.99)
		return argb_of(grey);
	view_init(&v);
	if (solve(&v, hue, chroma, y, rgb))
		return argb_of(rgb);
	for (int i = 0; i < 20; i++) {
		double mid = (low + high) / 2;
		if (solve(&v, hue, mid, y, rgb))
			low = mid;
		else
			high = mid;
	}
	return low > 0 && solve(&v, hue, low, y, rgb) ? argb_of(rgb) : argb_of(grey);
}

/* ---- the scheme -------------------------------------------------------------------------------------------------- */

enum palette { P1, P2, P3, N1, N2, E1 };

static const struct {
	uint8_t palette, light, dark;
} tones[SJ_COLOR_ROLE_COUNT] = {
	[SJ_C_PRIMARY] = {P1, 40, 80},
	[SJ_C_ON_PRIMARY] = {P1, 100, 20},
	[SJ_C_PRIMARY_CONTAINER] = {P1, 90, 30},
	[SJ_C_ON_PRIMARY_CONTAINER] = {P1, 10, 90},
	[SJ_C_INVERSE_PRIMARY] = {P1, 80, 40},
	[SJ_C_SECONDARY] = {P2, 40, 80},
	[SJ_C_ON_SECONDARY] = {P2, 100, 20},
	[SJ_C_SECONDARY_CONTAINER] = {P2, 90, 30},
	[SJ_C_ON_SECONDARY_CONTAINER] = {P2, 10, 90},
	[SJ_C_TERTIARY] = {P3, 40, 80},
	[SJ_C_ON_TERTIARY] = {P3, 100, 20},
	[SJ_C_TERTIARY_CONTAINER] = {P3, 90, 30},
	[SJ_C_ON_TERTIARY_CONTAINER] = {P3, 10, 90},
	[SJ_C_BACKGROUND] = {N1, 98, 6},
	[SJ_C_ON_BACKGROUND] = {N1, 10, 90},
	[SJ_C_SURFACE] = {N1, 98, 6},
	[SJ_C_ON_SURFACE] = {N1, 10, 90},
	[SJ_C_SURFACE_VARIANT] = {N2, 90, 30},
	[SJ_C_ON_SURFACE_VARIANT] = {N2, 30, 80},
	[SJ_C_SURFACE_TINT] = {P1, 40, 80},
	[SJ_C_INVERSE_SURFACE] = {N1, 20, 90},
	[SJ_C_INVERSE_ON_SURFACE] = {N1, 95, 20},
	[SJ_C_ERROR] = {E1, 40, 80},
	[SJ_C_ON_ERROR] = {E1, 100, 20},
	[SJ_C_ERROR_CONTAINER] = {E1, 90, 30},
	[SJ_C_ON_ERROR_CONTAINER] = {E1, 10, 90},
	[SJ_C_OUTLINE] = {N2, 50, 60},
	[SJ_C_OUTLINE_VARIANT] = {N2, 80, 30},
	[SJ_C_SCRIM] = {N1, 0, 0},
	[SJ_C_SURFACE_BRIGHT] = {N1, 98, 24},
	[SJ_C_SURFACE_DIM] = {N1, 87, 6},
	[SJ_C_SURFACE_CONTAINER] = {N1, 94, 12},
	[SJ_C_SURFACE_CONTAINER_HIGH] = {N1, 92, 17},
	[SJ_C_SURFACE_CONTAINER_HIGHEST] = {N1, 90, 22},
	[SJ_C_SURFACE_CONTAINER_LOW] = {N1, 96, 10},
	[SJ_C_SURFACE_CONTAINER_LOWEST] = {N1, 100, 4},
};

void sj_palette_roles(sj_argb seed, bool dark, sj_argb out[SJ_COLOR_ROLE_COUNT])
{
	struct sj_hct s = sj_hct_of(seed);
	const struct {
		double hue, chroma;
	} palettes[] = {
		[P1] = {s.hue, s.chroma > 48 ? s.chroma : 48}, [P2] = {s.hue, 16}, [P3] = {fmod(s.hue + 60, 360), 24},
		[N1] = {s.hue, 6},                  [N2] = {s.hue, 8},  [E1] = {25, 84},
	};
	for (int r = 0; r < SJ_COLOR_ROLE_COUNT; r++)
		out[r] = sj_hct_argb(palettes[tones[r].palette].hue, palettes[tones[r].palette].chroma,
		                     dark ? tones[r].dark : tones[r].light);
}
