/* The terminal face: a surface as text, in three uses. A still picture of a given width; the same as linear text with
 * roles, for a screen reader or a log; and a line-mode dialogue in which every control has a number (`3` presses,
 * `5=hello` types, `7+` and `7-` step, `?` helps), good over ssh. No colour is needed to understand it; no cursor
 * addressing is used.
 *
 * Text of agents is stripped of control characters and bidirectional overrides before it reaches a terminal, and it
 * never stands in the first column: what begins there is said by the program itself (who the agent is, what went
 * wrong). Words for the person are English.
 */
#ifndef SJ_FACE_TEXT_TEXT_H
#define SJ_FACE_TEXT_TEXT_H

#include "base/buf.h"
#include "engine/engine.h"

struct sj_text_options {
	uint32_t width;    /* columns, held within 20..1000 */
	bool numbers;      /* show "3)" before each control (dialogue); linear text shows numbers always */
	bool ascii;        /* only ASCII for what the face itself draws */
	bool colour;       /* bold, dim, reverse where it helps; never needed */
	bool linear;       /* one line per thing, with its role; no boxes */
	uint32_t max_rows; /* rows drawn of one long list before "... n more" (0: 50) */
};

/* One control of the last picture, by number. */
struct sj_text_control {
	sj_node_id node;
	enum sj_ui_prop prop; /* VALUE of an input; ACTION of a button; TABS with `option`; TRIGGER of a modal, closed
	                         or open */
	uint32_t option;      /* choice option or tab index, else UINT32_MAX */
	bool enabled;
};
struct sj_text_picture {
	struct sj_buf text;
	struct sj_text_control *controls; /* numbered from 1 */
	uint32_t ncontrols, cap;
};
void sj_text_picture_init(struct sj_text_picture *p, struct sj_mem *mem);
void sj_text_picture_finish(struct sj_text_picture *p);
/* Replaces what `out` holds. SJ_NOMEM: `out` is empty. */
enum sj_status sj_text_draw(struct sj_engine *e, struct sj_view *v, const struct sj_text_options *opt,
                            struct sj_text_picture *out);

/* Dialogue: one line typed by the person, applied to the last picture. `reply` gets what to say back (help, errors in
 * plain words). *redraw true: the picture may have changed. *quit true: the person asked to leave (q). */
enum sj_status sj_text_command(struct sj_engine *e, struct sj_view *v, const struct sj_text_picture *p,
                               struct sj_slice line, struct sj_buf *reply, bool *redraw, bool *quit);

/* What a terminal may be given of somebody else's text: no control characters (a tab becomes a blank; a line break
 * stays when `keep_lines`, else it becomes a blank), no bidirectional overrides, embeddings and isolates, no invisible
 * tag characters; ill-formed bytes become U+FFFD. */
void sj_text_clean(struct sj_buf *out, struct sj_slice text, bool keep_lines);

#endif
