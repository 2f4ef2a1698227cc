/* What the files of the terminal face share: not for other modules.
 *
 * A picture is drawn in sweeps over one array. boxes.c lists the nodes to show breadth first, so that children always
 * have larger indices than their parent and stand side by side. layout.c sweeps backwards to learn how wide each box
 * would like to be, then forwards to say how wide it is. draw.c sweeps backwards again and makes each box a block of
 * lines from the blocks of its children. Nothing recurses. Everything lives in one arena; when memory ends, `status`
 * says so and the sweeps go on with empty text.
 */
#ifndef SJ_FACE_TEXT_INTERNAL_H
#define SJ_FACE_TEXT_INTERNAL_H

#include "base/num.h"
#include "face/text/text.h"
#include "text/markdown.h"

struct line { /* one row of terminal cells; escape sequences inside count no columns */
	const char *ptr;
	uint32_t len, columns;
};
struct block {
	struct line *lines;
	uint32_t count, cap;
	uint32_t columns; /* of the widest line */
};
#define NO_BLOCK ((struct block){NULL, 0, 0, 0})

/* Markdown ready to be wrapped: one string per paragraph with the styles of its runs. */
struct run {
	uint32_t end; /* byte in the paragraph's text */
	unsigned flags; /* SJ_MD_* */
};
struct paragraph {
	enum sj_md_block block;
	uint8_t level;
	uint32_t number;
	struct sj_slice text;
	const struct run *runs;
	uint32_t nruns;
};
struct markup {
	struct paragraph *items;
	uint32_t count;
	uint32_t natural, least; /* columns */
};

enum place { /* what a box is to its parent */
	IN_CHILDREN,
	IN_CONTENT, /* the open content of a modal */
};
struct box {
	sj_node_id node;
	enum sj_ui_kind kind;
	enum sj_why why;
	enum place place;
	uint32_t parent, first, count; /* children: boxes[first .. first + count) */
	uint32_t more;                 /* children left out */
	uint32_t control, ncontrols;   /* number of its first control; 0: none */
	uint32_t natural, least, columns;
	bool flows;                    /* a row too narrow for its children: they go on in further lines */
	bool enabled;
	double weight;
	struct sj_slice label;   /* cleaned, one line; of a button: its child's text */
	struct sj_slice variant;
	struct sj_slice fault, note; /* message of a failing check; of one that only warns */
	const struct markup *markup; /* of a text, or of a custom component's text */
	struct block block;
};

struct painter {
	struct sj_engine *engine;
	struct sj_view *view;
	struct sj_surface *surface;
	struct sj_mem *mem;
	struct sj_text_options opt;
	struct sj_text_picture *out;
	struct sj_arena arena;
	struct sj_buf scratch;
	enum sj_status status;
	SJ_VEC(struct box) boxes;
};

/* clean.c: values as text for a person, cleaned, in the arena */
struct sj_slice clean_text(struct painter *p, struct sj_slice text, bool keep_lines);
struct sj_slice one_line(struct painter *p, struct sj_slice text);
struct sj_slice keep_scratch(struct painter *p);
void put_value(struct sj_buf *out, const struct sj_value *v);
struct sj_slice value_text(struct painter *p, const struct sj_value *v, bool keep_lines);
const struct sj_value *ui_value(struct painter *p, sj_node_id n, enum sj_ui_prop prop); /* NULL: absent or null */
struct sj_slice ui_line(struct painter *p, sj_node_id n, enum sj_ui_prop prop);
bool ui_is(struct painter *p, sj_node_id n, enum sj_ui_prop prop, const char *word);
bool ui_true(struct painter *p, sj_node_id n, enum sj_ui_prop prop);
double ui_number(struct painter *p, sj_node_id n, enum sj_ui_prop prop, double fallback);

/* block.c */
enum style { PLAIN = 0, BOLD = 1, DIM = 2, UNDERLINE = 4, REVERSE = 8, ITALIC = 16 };
struct pen { /* writes one line */
	struct painter *painter;
	struct sj_buf buf;
	uint32_t columns;
};
void pen_begin(struct pen *n, struct painter *p);
void pen_text(struct pen *n, struct sj_slice text, unsigned style); /* cleaned text */
void pen_puts(struct pen *n, const char *z);
void pen_glyph(struct pen *n, const char *wide, const char *ascii);
void pen_times(struct pen *n, const char *wide, const char *ascii, uint32_t times); /* of one column each */
void pen_pad(struct pen *n, uint32_t columns);                     /* blanks up to this column */
struct line pen_line(struct pen *n);                               /* ends it */
struct block pen_block(struct pen *n);                             /* ends it: a block of that line */

struct block block_of(struct painter *p, uint32_t count); /* of empty lines; `count` 0 in the result: no memory */
struct block block_text(struct painter *p, struct sj_slice text, uint32_t columns, unsigned style); /* wrapped */
/* Puts `more` under. `below` grows by doubling; it must be nobody else's, or unused but for what it holds. */
void block_stack(struct painter *p, struct block *below, struct block more);
void block_blank(struct painter *p, struct block *b);
struct block block_prefix(struct painter *p, struct block b, struct sj_slice first, struct sj_slice rest,
                          unsigned style);
struct block block_box(struct painter *p, struct block inner, uint32_t columns, struct sj_slice title);
/* Parts side by side, each from its column on; a block of a rule alone is drawn as high as the rest. */
struct block block_beside(struct painter *p, const struct block *parts, const uint32_t *at, uint32_t n, bool middle);
struct block block_shift(struct painter *p, struct block b, uint32_t columns);
extern const struct block VERTICAL_RULE; /* to be recognised by block_beside */

/* markup.c */
const struct markup *markup_of(struct painter *p, struct sj_slice text);
struct block markup_block(struct painter *p, const struct markup *m, uint32_t columns, unsigned style,
                          unsigned heading);

/* boxes.c */
void list_boxes(struct painter *p);
void number_controls(struct painter *p);
struct box *box_at(struct painter *p, uint32_t i);
uint32_t box_next(const struct painter *p, uint32_t i, bool *left); /* depth first; UINT32_MAX at the end */
struct sj_slice subtree_text(struct painter *p, sj_node_id n);
/* Of one choice or row of tabs no more are shown: nobody reads on, and matching each with the chosen values must end.
 */
#define MAX_OPTIONS 1000u
struct sj_slice option_label(struct painter *p, const struct sj_value *option);
bool option_chosen(const struct sj_value *value, const struct sj_value *option);
bool is_stopped(const struct box *b); /* a button that cannot be pressed now */
struct sj_slice reason_of(struct painter *p, const struct box *b);
unsigned heading_level(const struct box *b); /* 1..6, 0 */
bool is_masked(const struct box *b);

/* layout.c */
bool is_row(struct painter *p, const struct box *b);
void measure(struct painter *p);
void assign(struct painter *p, uint32_t columns);
uint32_t gap_between(const struct painter *p, const struct box *a, const struct box *b);

/* draw.c, controls.c */
void draw_boxes(struct painter *p);
void pen_number(struct pen *n, const struct box *b, uint32_t option); /* "3) " in a dialogue */
uint32_t number_columns(const struct painter *p, const struct box *b, uint32_t option);
struct block draw_control(struct painter *p, struct box *b);
uint32_t control_natural(struct painter *p, struct box *b, uint32_t *least);
struct sj_slice icon_text(struct painter *p, sj_node_id n);
struct sj_slice media_text(struct painter *p, const struct box *b);
struct sj_slice detail_text(struct painter *p, const struct box *b);
struct sj_slice masked(struct painter *p, struct sj_slice text);

/* icon.c */
const char *icon_glyph(struct sj_slice name, bool ascii); /* NULL: none */
void icon_words(struct sj_buf *out, struct sj_slice name); /* "shoppingCart" -> "shopping cart" */

/* linear.c */
void draw_linear(struct painter *p);

#endif
