/* SVG path data: what each command draws, in numbers, and what is refused and where. */
#include "face/gtk/path.h"

#include <math.h>
#include <stdio.h>

#include "face/gtk/icon.h"
#include "harness/test.h"

/* What was drawn, one letter a shape with its numbers to three places: "M1,2 L3,4 C... Z". */
struct log {
	char text[8192];
	size_t len;
};

static void put(struct log *l, char shape, const double *v, int count)
{
	int n = snprintf(l->text + l->len, sizeof l->text - l->len, "%s%c", l->len > 0 ? " " : "", shape);
	l->len += (size_t)n;
	for (int i = 0; i < count; i++) {
		double rounded = round(v[i] * 1000) / 1000;
		n = snprintf(l->text + l->len, sizeof l->text - l->len, "%s%g", i > 0 ? "," : "",
		             rounded == 0 ? 0.0 : rounded);
		l->len += (size_t)n;
	}
}

static void on_move(void *ctx, double x, double y) { put(ctx, 'M', (double[]){x, y}, 2); }
static void on_line(void *ctx, double x, double y) { put(ctx, 'L', (double[]){x, y}, 2); }
static void on_close(void *ctx) { put(ctx, 'Z', NULL, 0); }

static void on_curve(void *ctx, double x1, double y1, double x2, double y2, double x, double y)
{
	put(ctx, 'C', (double[]){x1, y1, x2, y2, x, y}, 6);
}

static enum sj_status read_path(const char *text, struct log *l, struct sj_diag *diag)
{
	const struct sj_path_sink sink = {on_move, on_line, on_curve, on_close, l};
	*l = (struct log){.len = 0};
	*diag = (struct sj_diag){0};
	return sj_path_read(sj_slice_of(text), &SJ_LIMITS_DEFAULT, &sink, NULL, diag);
}

static const struct {
	const char *path, *drawn;
} GOOD[] = {
	{"", ""},
	{" \t\n\f\r", ""},
	{"M1 2", "M1,2"},
	{"M1 2L3 4", "M1,2 L3,4"},
	{"  M 1 , 2\n L\t3,4 ", "M1,2 L3,4"},
	{"m1 2 3 4 5 6", "M1,2 L4,6 L9,12"},
	{"M1 2 3 4-5-6", "M1,2 L3,4 L-5,-6"},
	{"M.5.5L1.2.3", "M0.5,0.5 L1.2,0.3"},
	{"M1e1 2E-1L+3,-.4e1", "M10,0.2 L3,-4"},
	{"M5. 007", "M5,7"},
	{"M1 2H5h-1V7v1", "M1,2 L5,2 L4,2 L4,7 L4,8"},
	{"M1 2h1 2 3v1 2", "M1,2 L2,2 L4,2 L7,2 L7,3 L7,5"},
	{"M1 2L3 4zL9 9", "M1,2 L3,4 Z L9,9"},
	{"M1 2l3 4Zl1 1", "M1,2 L4,6 Z L2,3"}, /* Z goes back to the start of the subpath */
	{"M1 2l3 4zm1 1l1 0z", "M1,2 L4,6 Z M2,3 L3,3 Z"},
	{"M0 0C1 2 3 4 5 6", "M0,0 C1,2,3,4,5,6"},
	{"M1 1c1 2 3 4 5 6 1 2 3 4 5 6", "M1,1 C2,3,4,5,6,7 C7,9,9,11,11,13"},
	{"M0 0C1 2 3 4 5 6S9 9 10 10", "M0,0 C1,2,3,4,5,6 C7,8,9,9,10,10"},
	{"M0 0c1 2 3 4 5 6s4 3 5 4", "M0,0 C1,2,3,4,5,6 C7,8,9,9,10,10"},
	{"M2 3S4 5 6 7", "M2,3 C2,3,4,5,6,7"},                       /* nothing to mirror: the current point */
	{"M0 0Q3 3 6 0S9 9 12 0", "M0,0 C2,2,4,2,6,0 C6,0,9,9,12,0"}, /* a Q is nothing to mirror for an S */
	{"M0 0Q3 3 6 0", "M0,0 C2,2,4,2,6,0"},
	{"M1 1q3 3 6 0", "M1,1 C3,3,5,3,7,1"},
	{"M0 0Q3 3 6 0T12 0", "M0,0 C2,2,4,2,6,0 C8,-2,10,-2,12,0"},
	{"M0 0q3 3 6 0t6 0 6 0", "M0,0 C2,2,4,2,6,0 C8,-2,10,-2,12,0 C14,2,16,2,18,0"},
	{"M0 0T6 0", "M0,0 C0,0,2,0,6,0"},
	{"M0 0Q3 3 6 0L7 0T9 0", "M0,0 C2,2,4,2,6,0 L7,0 C7,0,7.667,0,9,0"},
	/* A quarter of the unit circle, both ways; the constant of the control points is 0.5523. */
	{"M1 0A1 1 0 0 1 0 1", "M1,0 C1,0.552,0.552,1,0,1"},
	{"M1 0A1 1 0 0 0 0 1", "M1,0 C0.448,0,0,0.448,0,1"},
	{"M1 0A1 1 0 1 0 0 1", "M1,0 C1,-0.552,0.552,-1,0,-1 C-0.552,-1,-1,-0.552,-1,0 C-1,0.552,-0.552,1,0,1"},
	{"M0 0a2 1 0 0 1 4 0", "M0,0 C0,-0.552,0.895,-1,2,-1 C3.105,-1,4,-0.552,4,0"},
	{"M0 0a2 1 90 0 1 0 4", "M0,0 C0.552,0,1,0.895,1,2 C1,3.105,0.552,4,0,4"},
	{"M0 0a1 1 0 0 1 4 0", "M0,0 C0,-1.105,0.895,-2,2,-2 C3.105,-2,4,-1.105,4,0"}, /* too small: grown */
	{"M0 0a-2-2 0 0 1 4 0", "M0,0 C0,-1.105,0.895,-2,2,-2 C3.105,-2,4,-1.105,4,0"},
	{"M0 0a2 2 0 014 0", "M0,0 C0,-1.105,0.895,-2,2,-2 C3.105,-2,4,-1.105,4,0"}, /* flags need no blanks */
	{"M0 0a2 2 0 0,1,4,0", "M0,0 C0,-1.105,0.895,-2,2,-2 C3.105,-2,4,-1.105,4,0"},
	{"M0 0a2 2 360 014 0", "M0,0 C0,-1.105,0.895,-2,2,-2 C3.105,-2,4,-1.105,4,0"},
	{"M0 0a0 2 0 0 1 4 0", "M0,0 L4,0"},
	{"M3 3A2 2 0 1 1 3 3L4 4", "M3,3 L4,4"}, /* nowhere to go: left out */
};

SJ_TEST(each_command_draws_its_shape)
{
	for (size_t i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
		struct log l;
		struct sj_diag diag;
		CHECK_OK(read_path(GOOD[i].path, &l, &diag));
		CHECK_INT(diag.code, SJ_E_NONE);
		CHECK_STR(sj_slice_of(l.text), GOOD[i].drawn);
	}
}

static const struct {
	const char *path;
	int at;
	const char *wanted;
} BAD[] = {
	{"L1 1", 0, "first move"},
	{"1 1", 0, "first move"},
	{"M", 1, "number"},
	{"M1", 2, "number"},
	{"M1,", 3, "number"},
	{"M1 2,", 5, "number"},
	{"M1 2,L3 4", 5, "number"}, /* a comma stands between numbers only */
	{"M,1 2", 1, "number"},
	{"M1,,2", 3, "number"},
	{"M1 2 3", 6, "number"},
	{"M1 2X", 4, "command"},
	{"M1 2e", 4, "command"},
	{"M1 2 #", 5, "command"},
	{"M1 2z3", 5, "command"},
	{"M1 2z,", 5, "command"},
	{"M- 1", 1, "number"},
	{"M.", 1, "number"},
	{"M+-1 2", 1, "number"},
	{"M1 2Ltrue", 5, "number"},
	{"M0x10 1", 2, "number"},
	{"M1 2C1 2 3 4 5", 14, "number"},
	{"M1 2a1 1 0 2 0 3 3", 11, "flag"},
	{"M1 2a1 1 0 0", 12, "flag"},
	{"M1 2a1 1 0 01", 13, "number"},
	{"M1e999 2", 1, "size"},
	{"M1000001 2", 1, "size"},
	{"M999999 0l2 0", 13, "point"},
	{"M999999 0v1h9 0", 13, "point"},
	{"Minf 0", 1, "number"},
	{"MNaN 0", 1, "number"},
};

SJ_TEST(what_is_no_path_is_refused_at_its_place)
{
	for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
		struct log l;
		struct sj_diag diag;
		sj_case("%s", BAD[i].path);
		CHECK_INT(read_path(BAD[i].path, &l, &diag), SJ_INVALID);
		CHECK_INT(diag.code, SJ_E_VALIDATION_FAILED);
		CHECK_INT(diag.offset, BAD[i].at);
		CHECK(strstr(diag.message, BAD[i].wanted));
		sj_case_end();
	}
}

SJ_TEST(a_nul_is_no_command)
{
	struct sj_diag diag = {0};
	CHECK_INT(sj_path_read(sj_slice("M1 2\0L3 4", 9), &SJ_LIMITS_DEFAULT, NULL, NULL, &diag), SJ_INVALID);
	CHECK_INT(diag.offset, 4);
}

SJ_TEST(length_and_segments_end_somewhere)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	struct sj_diag diag = {0};
	bool drawn = false;
	l.drawing_bytes = 9;
	CHECK_OK(sj_path_read(SJ_LIT("M0 0L1 1z"), &l, NULL, &drawn, &diag));
	CHECK(drawn);
	CHECK_INT(sj_path_read(SJ_LIT("M0 0L1 1z "), &l, NULL, NULL, &diag), SJ_LIMIT);
	CHECK_INT(diag.code, SJ_E_LIMIT);
	CHECK(strstr(diag.message, "drawing_bytes"));
	l = SJ_LIMITS_DEFAULT;
	l.drawing_segments = 3;
	sj_diag_clear(&diag);
	CHECK_OK(sj_path_read(SJ_LIT("M0 0L1 1z"), &l, NULL, NULL, &diag));
	CHECK_INT(sj_path_read(SJ_LIT("M0 0L1 1zz"), &l, NULL, NULL, &diag), SJ_LIMIT);
	CHECK(strstr(diag.message, "drawing_segments"));
	/* A three-quarter arc is three segments; with the move four. */
	sj_diag_clear(&diag);
	CHECK_INT(sj_path_read(SJ_LIT("M1 0A1 1 0 1 0 0 1"), &l, NULL, NULL, &diag), SJ_LIMIT);
	l.drawing_segments = 4;
	CHECK_OK(sj_path_read(SJ_LIT("M1 0A1 1 0 1 0 0 1"), &l, NULL, NULL, NULL));
}

SJ_TEST(a_path_of_moves_draws_nothing)
{
	bool drawn = true;
	CHECK_OK(sj_path_read(SJ_LIT("M1 2m3 4z"), &SJ_LIMITS_DEFAULT, NULL, &drawn, NULL));
	CHECK(!drawn);
}

/* ---- our own drawings -------------------------------------------------------------------------------------------- */

struct box {
	double left, top, right, bottom;
};

static void reach(struct box *b, double x, double y)
{
	b->left = fmin(b->left, x);
	b->top = fmin(b->top, y);
	b->right = fmax(b->right, x);
	b->bottom = fmax(b->bottom, y);
}

static void reach_point(void *ctx, double x, double y) { reach(ctx, x, y); }
static void reach_close(void *ctx) { (void)ctx; }

static void reach_curve(void *ctx, double x1, double y1, double x2, double y2, double x, double y)
{
	(void)x1;
	(void)y1;
	(void)x2;
	(void)y2;
	reach(ctx, x, y);
}

static void check_inside(const char *path, double margin)
{
	struct box b = {24, 24, 0, 0};
	const struct sj_path_sink sink = {reach_point, reach_point, reach_curve, reach_close, &b};
	struct sj_diag diag = {0};
	if (!path)
		return;
	CHECK_OK(sj_path_read(sj_slice_of(path), &SJ_LIMITS_DEFAULT, &sink, NULL, &diag));
	CHECK_STR(sj_slice_of(diag.message), "");
	CHECK(b.left >= margin && b.top >= margin && b.right <= 24 - margin && b.bottom <= 24 - margin);
}

SJ_TEST(every_icon_of_the_catalog_is_drawn_inside_its_square)
{
	for (size_t i = 0; i < SJ_GTK_NDRAWINGS; i++) {
		const struct sj_gtk_drawing *d = &SJ_GTK_DRAWINGS[i];
		sj_case("%s", d->name);
		CHECK(d->fill || d->line);
		CHECK(sj_gtk_drawing(sj_slice_of(d->name)) == d);
		check_inside(d->fill, 0.5);
		check_inside(d->line, 1);
		sj_case_end();
	}
	CHECK_INT(SJ_GTK_NDRAWINGS, 59);
	CHECK(!sj_gtk_drawing(SJ_LIT("shopping")));
}

/* The list of the newest catalog has no other names than ours, and all of them. */
SJ_TEST(the_names_are_those_of_the_catalog)
{
	const char *path = sj_data("a2ui/specification/v1_0/catalogs/basic/catalog.json");
	if (!path) {
		sj_skip("the public data is not there");
		return;
	}
	struct sj_slice text = sj_slurp(path);
	const char *from = text.ptr ? strstr(text.ptr, "\"accountCircle\"") : NULL,
		   *to = from ? strchr(from, ']') : NULL;
	size_t found = 0;
	CHECK(to != NULL);
	while (from && to && from < to) {
		const char *end = strchr(from + 1, '"');
		CHECK(sj_gtk_drawing(sj_slice(from + 1, (size_t)(end - from - 1))) != NULL);
		found++;
		from = strchr(end + 1, '"');
	}
	CHECK_INT(found, SJ_GTK_NDRAWINGS);
}
