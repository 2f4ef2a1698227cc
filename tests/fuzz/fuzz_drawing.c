/* Path data from anyone. Beyond not crashing: everything that reaches the sink can be drawn, what is refused says so
 * at a place inside the text, reading without a sink finds the same, and what was read in part stays whole shapes. */
#include <math.h>
#include <stdlib.h>

#include "face/gtk/path.h"

#define MUST(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct tally {
	uint32_t shapes, moves;
};

static void must_near(double v) { MUST(fabs(v) <= SJ_PATH_FAR); }

static void one_move(void *ctx, double x, double y)
{
	must_near(x);
	must_near(y);
	((struct tally *)ctx)->moves++;
	((struct tally *)ctx)->shapes++;
}

static void one_line(void *ctx, double x, double y)
{
	MUST(((struct tally *)ctx)->moves > 0);
	must_near(x);
	must_near(y);
	((struct tally *)ctx)->shapes++;
}

static void one_curve(void *ctx, double x1, double y1, double x2, double y2, double x, double y)
{
	must_near(x1);
	must_near(y1);
	must_near(x2);
	must_near(y2);
	one_line(ctx, x, y);
}

static void one_close(void *ctx)
{
	MUST(((struct tally *)ctx)->moves > 0);
	((struct tally *)ctx)->shapes++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	struct sj_slice text = sj_slice((const char *)data, size);
	struct tally t = {0, 0};
	const struct sj_path_sink sink = {one_move, one_line, one_curve, one_close, &t};
	struct sj_diag diag = {0}, again = {0};
	bool drawn = false;
	l.drawing_segments = 40;
	l.drawing_bytes = 600;
	enum sj_status s = sj_path_read(text, &l, &sink, &drawn, &diag);
	MUST(sj_path_read(text, &l, NULL, NULL, &again) == s);
	MUST(t.shapes <= l.drawing_segments);
	MUST((s == SJ_OK) == (diag.code == SJ_E_NONE) && diag.code == again.code && diag.offset == again.offset);
	MUST(s == SJ_OK || s == SJ_LIMIT || (s == SJ_INVALID && diag.offset <= size));
	MUST(!drawn || t.shapes > t.moves);
	return 0;
}
