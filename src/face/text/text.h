/* The terminal face: a surface as text, in two uses. A still picture of a given width; and a line-mode dialogue in which every control
 * has a number (`3` presses, `5=hello` types, `7+` and `7-` step, `?` helps), good over ssh and for a screen reader. No colour is needed to
 * understand it; no cursor addressing is used. Text of agents is stripped of control characters before it reaches a terminal.
 */
#ifndef SJ_FACE_TEXT_TEXT_H
#define SJ_FACE_TEXT_TEXT_H

#include "base/buf.h"
#include "engine/engine.h"

struct sj_text_options {
	uint32_t width;   /* columns, 20..1000 */
	bool numbers;     /* show [n] before each control (dialogue) */
	bool ascii;       /* only ASCII for boxes */
	bool colour;      /* bold, dim, reverse where it helps; never needed */
	uint32_t max_rows; /* rows drawn of one long list before "... n more" (0: 50) */
};

/* One control of the last picture, by number. */
struct sj_text_control {
	sj_node_id node;
	enum sj_ui_prop prop;  /* VALUE of an input; ACTION of a button; CHILD selected tab: with `option` */
	uint32_t option;       /* choice option or tab index, else UINT32_MAX */
	bool enabled;
};
struct sj_text_picture {
	struct sj_buf text;
	struct sj_text_control *controls; /* numbered from 1 */
	uint32_t ncontrols, cap;
};
void sj_text_picture_init(struct sj_text_picture *p, struct sj_mem *mem);
void sj_text_picture_finish(struct sj_text_picture *p);
enum sj_status sj_text_draw(struct sj_engine *e, struct sj_view *v, const struct sj_text_options *opt, struct sj_text_picture *out);

/* Dialogue: one line typed by the person, applied to the last picture. `reply` gets what to say back (help, errors in plain words).
 * *quit true: the person asked to leave (q). */
enum sj_status sj_text_command(struct sj_engine *e, struct sj_view *v, const struct sj_text_picture *p, struct sj_slice line,
                               struct sj_buf *reply, bool *redraw, bool *quit);

#endif
