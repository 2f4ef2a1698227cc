/* What the files of the GTK face share: not for other modules.
 *
 * A node that is drawn has a record (struct sj_gtk_node), found by its handle; the record owns one widget, made and
 * kept up to date by the row of its kind (struct sj_gtk_class, kinds.c). Children stand in boxes (SjGtkFlex), which
 * make records only for what is near the visible part of the surface. Change records become marks on node records, and
 * the marks are worked off within the frame's budget. Nothing here is kept by index, only by handle; a stale handle is
 * recognised by the core.
 */
#ifndef SJ_FACE_GTK_INTERNAL_H
#define SJ_FACE_GTK_INTERNAL_H

#include "face/gtk/compat.h"
#include "face/gtk/gtk.h"

#define SJ_GTK_SPACE 8        /* between neighbours: half of it is the margin of each leaf */
#define SJ_GTK_PADDING 12     /* of a card: with a leaf's margin 16 */
#define SJ_GTK_LONG 50        /* children from which on a box is virtual whatever else is on the surface */
#define SJ_GTK_CROWDED 600    /* nodes from which on every box is virtual */
#define SJ_GTK_TEXT_MOST 16384 /* bytes of one paragraph: laying out more takes longer than a frame */
#define SJ_GTK_LABEL_MOST 400 /* bytes of a label, a title, an option */
#define SJ_GTK_OPTIONS 1000   /* options of one choice, tabs of one row */

struct sj_gtk_node;

/* How a kind of component, or one named type, is drawn. Setters that a widget answers with a signal are no input: they
 * run with n->updating set. */
struct sj_gtk_class {
	void (*build)(struct sj_gtk_node *n);                 /* sets n->widget, floating; update follows */
	void (*update)(struct sj_gtk_node *n, uint64_t mask); /* properties differ; all bits after build */
	void (*flags)(struct sj_gtk_node *n);                 /* validity, enabled; NULL: sj_gtk_flags */
	void (*local)(struct sj_gtk_node *n);                 /* selected tab, open dialog; NULL: nothing */
	void (*children)(struct sj_gtk_node *n); /* other children; NULL: those of n->box follow by themselves */
	void (*finish)(struct sj_gtk_node *n);   /* what n->data holds goes; NULL: nothing */
	bool bare;                               /* no margin: an invisible container */
};
#define SJ_GTK_BIT(p) (UINT64_C(1) << SJ_P_##p)

typedef struct _SjGtkFlex SjGtkFlex;

struct sj_gtk_node {
	SjGtkSurface *surface;
	sj_node_id id;
	enum sj_ui_kind kind;
	enum sj_why why;
	const struct sj_gtk_class *cls;
	GtkWidget *widget;  /* what the parent box holds; its reference is the box's */
	GtkWidget *control; /* what takes the focus and has the name; NULL: none */
	GtkWidget *fault;   /* label of the failing check; NULL until one fails */
	SjGtkFlex *box;     /* where the children are; NULL: none */
	void *data;         /* of the class */
	bool updating;      /* a setter is running: signals are no input */
	bool editing;       /* an edit session is open */
	bool touched;       /* a person has changed it: what is wrong may be called so */
	bool waiting;       /* the model's value was held back */
	bool queued, new_children, new_flags, new_local;
	uint64_t mask;
};

/* ---- surface.c --------------------------------------------------------------------------------------------------- */

struct sj_surface *sj_gtk_core(const SjGtkSurface *s);
bool sj_gtk_is_closed(const SjGtkSurface *s);
struct sj_gtk_node *sj_gtk_find(SjGtkSurface *s, sj_node_id id); /* NULL: not drawn */
/* Makes the record and the widget. The widget is floating. */
struct sj_gtk_node *sj_gtk_node_new(SjGtkSurface *s, sj_node_id id);
/* The record goes, and those below it; the widget is the caller's to unparent. */
void sj_gtk_node_free(struct sj_gtk_node *n);
struct sj_gtk_node *sj_gtk_node_of(GtkWidget *widget); /* of a widget that is a node's outermost; NULL */
void sj_gtk_touch(SjGtkSurface *s); /* work waits: a frame is wanted */
void sj_gtk_add_flex(SjGtkSurface *s, SjGtkFlex *f);
void sj_gtk_remove_flex(SjGtkSurface *s, SjGtkFlex *f);
bool sj_gtk_is_crowded(SjGtkSurface *s);
/* The inlets. They tell the host, and what changed is drawn in the next frame. */
bool sj_gtk_input(struct sj_gtk_node *n, enum sj_phase phase, const struct sj_value *value);
bool sj_gtk_input_text(struct sj_gtk_node *n, enum sj_phase phase, const char *text);
void sj_gtk_press(struct sj_gtk_node *n);
void sj_gtk_set_local(struct sj_gtk_node *n, const char *name, struct sj_value take);
void sj_gtk_follow(struct sj_gtk_node *n, const char *address); /* a link */
bool sj_gtk_has_links(const SjGtkSurface *s);
/* A dialog inside the surface: shown over it until taken away. `title` may be NULL. `closed` is called when the person
 * closes it. The sheet is owned by the surface. */
GtkWidget *sj_gtk_sheet_open(SjGtkSurface *s, GtkWidget *content, const char *title, void (*closed)(void *ctx),
                             void *ctx);
void sj_gtk_sheet_title(GtkWidget *sheet, const char *title);
void sj_gtk_sheet_close(SjGtkSurface *s, GtkWidget *sheet);
struct sj_engine *sj_gtk_engine(const SjGtkSurface *s);
struct sj_mem *sj_gtk_mem(const SjGtkSurface *s);

/* ---- values.c: what a node says, ready for a widget. Strings are new; g_free them. ------------------------------ */

/* Valid UTF-8 without control characters and without characters that reorder or hide what stands around them; at most
 * `most` bytes, then an ellipsis. `lines`: line feeds stay. */
char *sj_gtk_clean(struct sj_slice text, size_t most, bool lines);
char *sj_gtk_value_text(const struct sj_value *v, size_t most, bool lines); /* NULL v: "" */
const struct sj_value *sj_gtk_value(struct sj_gtk_node *n, enum sj_ui_prop p); /* NULL: absent or null */
char *sj_gtk_line(struct sj_gtk_node *n, enum sj_ui_prop p); /* "" when absent */
bool sj_gtk_is(struct sj_gtk_node *n, enum sj_ui_prop p, const char *word);
bool sj_gtk_true(struct sj_gtk_node *n, enum sj_ui_prop p);
double sj_gtk_number(struct sj_gtk_node *n, enum sj_ui_prop p, double fallback);
char *sj_gtk_number_text(double v);
char *sj_gtk_detail(struct sj_gtk_node *n); /* DETAIL, in its CURRENCY when there is one */
char *sj_gtk_option_label(const struct sj_value *option);
bool sj_gtk_option_chosen(const struct sj_value *value, const struct sj_value *option);
/* A label that breaks its lines at words, and inside them only where a word is too long for that. */
GtkWidget *sj_gtk_label_new(float xalign);
void sj_gtk_label_set(GtkWidget *label, const char *text);
/* The words below a node, in one line: what a button or a dialog is called. */
char *sj_gtk_words(struct sj_gtk_node *n, sj_node_id below);

/* ---- flex.c: a row or a column of nodes ------------------------------------------------------------------------- */

#define SJ_GTK_TYPE_FLEX sj_gtk_flex_get_type()
G_DECLARE_FINAL_TYPE(SjGtkFlex, sj_gtk_flex, SJ_GTK, FLEX, GtkWidget)

enum sj_gtk_justify {
	SJ_GTK_START,
	SJ_GTK_CENTER,
	SJ_GTK_END,
	SJ_GTK_BETWEEN,
	SJ_GTK_AROUND,
	SJ_GTK_EVENLY,
	SJ_GTK_STRETCH,
};

/* Not virtual until it belongs to a surface. */
SjGtkFlex *sj_gtk_flex_new(SjGtkSurface *s, GtkOrientation orientation, GtkAccessibleRole role);
/* What stands in it, in order; what stood there before and still does keeps its widget. */
void sj_gtk_flex_set_nodes(SjGtkFlex *f, const sj_node_id *nodes, uint32_t count);
/* The children of a node, as drawn. */
void sj_gtk_flex_follow(SjGtkFlex *f, sj_node_id parent);
void sj_gtk_flex_set_layout(SjGtkFlex *f, enum sj_gtk_justify justify, enum sj_gtk_justify align);
void sj_gtk_flex_weights(SjGtkFlex *f); /* a child's weight may differ */
/* The widget of a node that was made anew takes the place of the old one. */
void sj_gtk_flex_renew(SjGtkFlex *f, GtkWidget *child);
/* What is scrolled to show it along its axis; NULL: the surface's own viewport. Not counted. */
void sj_gtk_flex_set_clip(SjGtkFlex *f, GtkWidget *clip);
/* Makes what is wanted until `until` (g_get_monotonic_time), drops what is far away. false: some is still missing. */
bool sj_gtk_flex_fill(SjGtkFlex *f, GtkWidget *viewport, int least, int64_t until);
void sj_gtk_flex_drop_all(SjGtkFlex *f); /* records and widgets */
uint32_t sj_gtk_flex_count(const SjGtkFlex *f);
sj_node_id sj_gtk_flex_list(const SjGtkFlex *f); /* the node it follows, 0 */

/* ---- wrap.c: plain widgets in lines ------------------------------------------------------------------------------ */

#define SJ_GTK_TYPE_WRAP sj_gtk_wrap_get_type()
G_DECLARE_FINAL_TYPE(SjGtkWrap, sj_gtk_wrap, SJ_GTK, WRAP, GtkWidget)
SjGtkWrap *sj_gtk_wrap_new(GtkAccessibleRole role);
void sj_gtk_wrap_append(SjGtkWrap *w, GtkWidget *child);
void sj_gtk_wrap_clear(SjGtkWrap *w);

/* ---- viewport.c: scrolls one child vertically, keeps what the person looks at in its place ---------------------- */

#define SJ_GTK_TYPE_VIEWPORT sj_gtk_viewport_get_type()
G_DECLARE_FINAL_TYPE(SjGtkViewport, sj_gtk_viewport, SJ_GTK, VIEWPORT, GtkWidget)
SjGtkViewport *sj_gtk_viewport_new(GtkWidget *child, void (*moved)(void *ctx), void *ctx);
void sj_gtk_viewport_show(SjGtkViewport *v, GtkWidget *widget); /* scrolls until it is visible */

/* ---- kinds.c ----------------------------------------------------------------------------------------------------- */

const struct sj_gtk_class *sj_gtk_class_of(enum sj_ui_kind kind, enum sj_why why);
void sj_gtk_flags(struct sj_gtk_node *n); /* enabled; the failing check's words below the control */
void sj_gtk_name(struct sj_gtk_node *n);  /* accessible name, description, hidden, live (a11y.c) */
GtkWidget *sj_gtk_stack(struct sj_gtk_node *n); /* a vertical box that is n->widget, for a control and its words */

/* A label above a control; its words are the node's. */
GtkWidget *sj_gtk_caption(GtkWidget *stack);
void sj_gtk_caption_set(struct sj_gtk_node *n, GtkWidget *label);

extern const struct sj_gtk_class SJ_GTK_TEXT, SJ_GTK_ROW, SJ_GTK_COLUMN, SJ_GTK_LIST, SJ_GTK_CARD, SJ_GTK_TABS,
	SJ_GTK_MODAL, SJ_GTK_DIVIDER, SJ_GTK_BUTTON, SJ_GTK_FIELD, SJ_GTK_CHECK, SJ_GTK_CHOICE, SJ_GTK_SLIDER,
	SJ_GTK_DATE, SJ_GTK_STEPPER, SJ_GTK_RATING, SJ_GTK_SUMMARY, SJ_GTK_IMAGE, SJ_GTK_ICON, SJ_GTK_MEDIA,
	SJ_GTK_CUSTOM, SJ_GTK_PLACEHOLDER;

/* markup.c: Markdown as labels with attributes, never as markup. */
GtkWidget *sj_gtk_markup_new(void);
void sj_gtk_markup_set(GtkWidget *box, struct sj_gtk_node *n, struct sj_slice text, const char *style, float align);

/* icon.c: symbolic icon name for one of the protocol's; NULL: none. */
const char *sj_gtk_icon_name(struct sj_slice name);

#endif
