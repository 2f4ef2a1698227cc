/* SVG path data to moves, lines and cubic curves. */
#include "face/gtk/path.h"

#include <math.h>

#include "base/num.h"

struct point {
	double x, y;
};

struct reader {
	struct sj_slice text;
	size_t at;
	const struct sj_limits *limits;
	const struct sj_path_sink *sink;
	struct sj_diag *diag;
	struct point here, start, handle; /* handle: the last control point, of a command of the kind `curved` */
	char curved;                      /* 'C', 'Q' or 0 */
	uint32_t segments;
	bool drawn;
};

/* ---- characters -------------------------------------------------------------------------------------------------- */

static char peek(const struct reader *r) { return r->at < r->text.len ? r->text.ptr[r->at] : 0; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void skip_blanks(struct reader *r)
{
	for (char c = peek(r); c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; c = peek(r))
		r->at++;
}

/* true: there was a comma, so something has to follow. */
static bool skip_separator(struct reader *r)
{
	skip_blanks(r);
	if (peek(r) != ',')
		return false;
	r->at++;
	skip_blanks(r);
	return true;
}

static enum sj_status refuse(struct reader *r, const char *wanted)
{
	sj_diag_set(r->diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION, "The path has no %s at byte %zu.",
	            wanted, r->at);
	if (r->diag)
		r->diag->offset = r->at;
	return SJ_INVALID;
}

static bool starts_number(const struct reader *r)
{
	char c = peek(r);
	return is_digit(c) || c == '.' || c == '-' || c == '+';
}

static enum sj_status number(struct reader *r, double *out)
{
	size_t from = r->at, digits = 0;
	double v;
	if (peek(r) == '+' || peek(r) == '-')
		r->at++;
	for (; is_digit(peek(r)); digits++)
		r->at++;
	if (peek(r) == '.')
		for (r->at++; is_digit(peek(r)); digits++)
			r->at++;
	if (digits == 0) {
		r->at = from;
		return refuse(r, "number");
	}
	if (peek(r) == 'e' || peek(r) == 'E') {
		size_t mark = r->at++;
		if (peek(r) == '+' || peek(r) == '-')
			r->at++;
		if (!is_digit(peek(r)))
			r->at = mark; /* not an exponent, and no command either: refused there */
		while (is_digit(peek(r)))
			r->at++;
	}
	if (!sj_num_parse_loose(sj_slice(r->text.ptr + from, r->at - from), &v) || !(fabs(v) <= SJ_PATH_FAR)) {
		r->at = from;
		return refuse(r, "number of a size that can be drawn");
	}
	*out = v;
	return SJ_OK;
}

static enum sj_status numbers(struct reader *r, double *out, int count)
{
	for (int i = 0; i < count; i++) {
		if (i > 0)
			skip_separator(r);
		enum sj_status s = number(r, &out[i]);
		if (s != SJ_OK)
			return s;
	}
	return SJ_OK;
}

static enum sj_status flag(struct reader *r, bool *out)
{
	char c = peek(r);
	if (c != '0' && c != '1')
		return refuse(r, "flag (0 or 1)");
	r->at++;
	*out = c == '1';
	return SJ_OK;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static bool far(struct point p) { return !(fabs(p.x) <= SJ_PATH_FAR && fabs(p.y) <= SJ_PATH_FAR); }

static enum sj_status count(struct reader *r, uint32_t more)
{
	r->segments += more;
	if (r->segments <= r->limits->drawing_segments)
		return SJ_OK;
	if (r->diag)
		r->diag->offset = r->at;
	return sj_diag_set(r->diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_VALIDATION,
	                   "The path has more than %u segments (drawing_segments).", r->limits->drawing_segments);
}

static enum sj_status move(struct reader *r, struct point p)
{
	enum sj_status s = far(p) ? refuse(r, "point that can be drawn") : count(r, 1);
	if (s != SJ_OK)
		return s;
	if (r->sink)
		r->sink->move(r->sink->ctx, p.x, p.y);
	r->here = r->start = p;
	return SJ_OK;
}

static enum sj_status line(struct reader *r, struct point p)
{
	enum sj_status s = far(p) ? refuse(r, "point that can be drawn") : count(r, 1);
	if (s != SJ_OK)
		return s;
	if (r->sink)
		r->sink->line(r->sink->ctx, p.x, p.y);
	r->here = p;
	r->drawn = true;
	return SJ_OK;
}

static enum sj_status curve(struct reader *r, struct point a, struct point b, struct point p)
{
	enum sj_status s = far(a) || far(b) || far(p) ? refuse(r, "point that can be drawn") : count(r, 1);
	if (s != SJ_OK)
		return s;
	if (r->sink)
		r->sink->curve(r->sink->ctx, a.x, a.y, b.x, b.y, p.x, p.y);
	r->here = p;
	r->drawn = true;
	return SJ_OK;
}

static enum sj_status quadratic(struct reader *r, struct point q, struct point p)
{
	struct point h = r->here;
	return curve(r, (struct point){h.x + 2.0 / 3 * (q.x - h.x), h.y + 2.0 / 3 * (q.y - h.y)},
	             (struct point){p.x + 2.0 / 3 * (q.x - p.x), p.y + 2.0 / 3 * (q.y - p.y)}, p);
}

/* SVG 1.1 appendix F.6: the centre from the end points, then at most a quarter of the ellipse a curve. */
static enum sj_status arc(struct reader *r, double rx, double ry, double degrees, bool large, bool sweep,
                          struct point p)
{
	struct point from = r->here;
	rx = fabs(rx);
	ry = fabs(ry);
	if (from.x == p.x && from.y == p.y)
		return count(r, 1);
	if (rx == 0 || ry == 0)
		return line(r, p);
	double turn = fmod(degrees, 360) * acos(-1) / 180, cs = cos(turn), sn = sin(turn);
	double dx = (from.x - p.x) / 2, dy = (from.y - p.y) / 2;
	/* In units of the radii, where the ellipse is a circle of radius 1. */
	double ux = (cs * dx + sn * dy) / rx, uy = (-sn * dx + cs * dy) / ry, reach = ux * ux + uy * uy;
	if (reach > 1) {
		rx *= sqrt(reach);
		ry *= sqrt(reach);
		ux /= sqrt(reach);
		uy /= sqrt(reach);
		reach = 1;
	}
	double k = reach > 0 ? sqrt((1 - reach) / reach) : 0;
	if (large == sweep)
		k = -k;
	double cx = k * uy, cy = -k * ux;
	double first = atan2(uy - cy, ux - cx), last = atan2(-uy - cy, -ux - cx), whole = last - first;
	double round = 2 * acos(-1);
	if (sweep && whole < 0)
		whole += round;
	else if (!sweep && whole > 0)
		whole -= round;
	int parts = (int)ceil(fabs(whole) / (round / 4) - 1e-9);
	parts = parts < 1 ? 1 : parts > 4 ? 4 : parts;
	double step = whole / parts, t = 4.0 / 3 * tan(step / 4);
	double ox = (from.x + p.x) / 2, oy = (from.y + p.y) / 2;
#define PLACE(x, y)                                                                                                    \
	((struct point){ox + cs * rx * (cx + (x)) - sn * ry * (cy + (y)),                                              \
	                oy + sn * rx * (cx + (x)) + cs * ry * (cy + (y))})
	for (int i = 0; i < parts; i++) {
		double a = first + step * i, b = a + step;
		enum sj_status s = curve(r, PLACE(cos(a) - t * sin(a), sin(a) + t * cos(a)),
		                         PLACE(cos(b) + t * sin(b), sin(b) - t * cos(b)),
		                         i + 1 == parts ? p : PLACE(cos(b), sin(b)));
		if (s != SJ_OK)
			return s;
	}
#undef PLACE
	return SJ_OK;
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static struct point opposite(const struct reader *r, char curved)
{
	return r->curved == curved
	               ? (struct point){2 * r->here.x - r->handle.x, 2 * r->here.y - r->handle.y}
	               : r->here;
}

static enum sj_status read_arc(struct reader *r, struct point base)
{
	double v[5];
	bool large, sweep;
	enum sj_status s = numbers(r, v, 3);
	if (s == SJ_OK) {
		skip_separator(r);
		s = flag(r, &large);
	}
	if (s == SJ_OK) {
		skip_separator(r);
		s = flag(r, &sweep);
	}
	if (s == SJ_OK) {
		skip_separator(r);
		s = numbers(r, v + 3, 2);
	}
	return s == SJ_OK ? arc(r, v[0], v[1], v[2], large, sweep, (struct point){base.x + v[3], base.y + v[4]}) : s;
}

/* One set of arguments of a command in upper case; `base` is added to each of its points. */
static enum sj_status step(struct reader *r, char command, struct point base)
{
	static const char KINDS[] = "MLHVCSQTA";
	static const int WANTED[] = {2, 2, 1, 1, 6, 4, 4, 2, 0};
	double v[6] = {0};
	struct point p[3], handle = {0, 0};
	char curved = 0;
	const char *kind = memchr(KINDS, command, sizeof KINDS - 1);
	int wanted = WANTED[kind - KINDS];
	enum sj_status s = numbers(r, v, wanted);
	if (s != SJ_OK)
		return s;
	for (int i = 0; i < 3; i++)
		p[i] = (struct point){base.x + v[2 * i], base.y + v[2 * i + 1]};
	switch (command) {
	case 'M':
		s = move(r, p[0]);
		break;
	case 'L':
		s = line(r, p[0]);
		break;
	case 'H':
		s = line(r, (struct point){base.x + v[0], r->here.y});
		break;
	case 'V':
		s = line(r, (struct point){r->here.x, base.y + v[0]});
		break;
	case 'C':
		curved = 'C';
		handle = p[1];
		s = curve(r, p[0], p[1], p[2]);
		break;
	case 'S':
		curved = 'C';
		handle = p[0];
		s = curve(r, opposite(r, 'C'), p[0], p[1]);
		break;
	case 'Q':
		curved = 'Q';
		handle = p[0];
		s = quadratic(r, p[0], p[1]);
		break;
	case 'T':
		curved = 'Q';
		handle = opposite(r, 'Q');
		s = quadratic(r, handle, p[0]);
		break;
	default:
		s = read_arc(r, base);
	}
	r->curved = curved;
	r->handle = handle;
	return s;
}

static enum sj_status run(struct reader *r, char letter)
{
	bool relative = letter >= 'a';
	char command = relative ? (char)(letter - 'a' + 'A') : letter;
	if (command == 'Z') {
		enum sj_status s = count(r, 1);
		if (s == SJ_OK && r->sink)
			r->sink->close(r->sink->ctx);
		r->here = r->start;
		r->curved = 0;
		return s;
	}
	for (bool again = true; again;) {
		enum sj_status s = step(r, command, relative ? r->here : (struct point){0, 0});
		if (s != SJ_OK)
			return s;
		if (command == 'M')
			command = 'L'; /* pairs after the first are lines */
		again = skip_separator(r) || starts_number(r);
	}
	return SJ_OK;
}

enum sj_status sj_path_read(struct sj_slice text, const struct sj_limits *l, const struct sj_path_sink *sink,
                            bool *drawn, struct sj_diag *diag)
{
	struct reader r = {.text = text, .limits = l, .sink = sink, .diag = diag};
	if (text.len > l->drawing_bytes)
		return sj_diag_set(diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_VALIDATION,
		                   "The path is longer than %u bytes (drawing_bytes).", l->drawing_bytes);
	skip_blanks(&r);
	for (bool first = true; r.at < text.len; first = false) {
		char c = text.ptr[r.at];
		if (first ? c != 'M' && c != 'm' : c == 0 || !strchr("MmLlHhVvCcSsQqTtAaZz", c))
			return refuse(&r, first ? "first move (M)" : "command");
		r.at++;
		skip_blanks(&r);
		enum sj_status s = run(&r, c);
		if (s != SJ_OK)
			return s;
		skip_blanks(&r);
	}
	if (drawn)
		*drawn = r.drawn;
	return SJ_OK;
}
