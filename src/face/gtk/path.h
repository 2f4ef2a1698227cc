/* SVG path data, as an icon's `svgPath` gives it: read whole, or refused with a place and a reason.
 *
 * The grammar is that of SVG 1.1 section 8.3.9 and SVG 2 section 9.3.9 (M L H V C S Q T A Z in both cases, implicit
 * repeats, arc flags without separators). Quadratic curves and arcs reach the sink as cubic ones, so a sink draws three
 * shapes. Nothing is allocated: reading with no sink is the check, reading again draws.
 */
#ifndef SJ_FACE_GTK_PATH_H
#define SJ_FACE_GTK_PATH_H

#include "base/limits.h"
#include "base/status.h"

/* Absolute coordinates, each finite and within +-SJ_PATH_FAR. */
struct sj_path_sink {
	void (*move)(void *ctx, double x, double y);
	void (*line)(void *ctx, double x, double y);
	void (*curve)(void *ctx, double x1, double y1, double x2, double y2, double x, double y);
	void (*close)(void *ctx); /* the current point is the start of the subpath again */
	void *ctx;
};

#define SJ_PATH_FAR 1e6 /* of a picture 24 units wide; cairo's own numbers end at eight times that */

/* What was read before a fault has reached the sink already. `sink` NULL: nothing is drawn. `drawn`: whether there is
 * anything but moves; may be NULL. SJ_INVALID or SJ_LIMIT with a diagnostic whose offset is a byte of `text`. */
enum sj_status sj_path_read(struct sj_slice text, const struct sj_limits *l, const struct sj_path_sink *sink,
                            bool *drawn, struct sj_diag *diag);

#endif
