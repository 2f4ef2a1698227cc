/* How an app draws a component of its own catalog: a row of functions under the component's type name, given to
 * sj_gtk_surface_new with the host. The kinds of `ui` are drawn by rows of the same shape (kinds.c).
 *
 *   static void build(struct sj_gtk_node *n) { n->widget = gtk_label_new(NULL); }
 *   static void update(struct sj_gtk_node *n, uint64_t mask) { ... sj_gtk_line(n, SJ_P_LABEL) ... }
 *   static const struct sj_gtk_class STAGE = {.build = build, .update = update};
 *   static const struct sj_gtk_named WIDGETS[] = {{"StageRow", &STAGE}};
 *
 * The face owns the record and calls the functions; they run in the frame and may take a share of it, no more. They set
 * widgets, and give what a person does to sj_gtk_input and sj_gtk_press; they never call the engine.
 */
#ifndef SJ_FACE_GTK_WIDGET_H
#define SJ_FACE_GTK_WIDGET_H

#include "face/gtk/gtk.h"

#define SJ_GTK_TEXT_MOST 16384 /* bytes of one paragraph: laying out more takes longer than a frame */
#define SJ_GTK_LABEL_MOST 400 /* bytes of a label, a title, an option */

struct sj_gtk_node;

/* How a component is drawn. Setters that a widget answers with a signal are no input: they run with n->updating set. */
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
	bool has_a11y;      /* says something of its accessibility */
	bool called_wrong;  /* what is wrong was said */
	bool queued, new_children, new_flags, new_local;
	uint64_t mask;
};

/* ---- the node ---------------------------------------------------------------------------------------------------- */

struct sj_surface *sj_gtk_core(const SjGtkSurface *s);
bool sj_gtk_is_closed(const SjGtkSurface *s);
struct sj_mem *sj_gtk_mem(const SjGtkSurface *s);
/* The inlets. They tell the host, and what changed is drawn in the next frame. */
bool sj_gtk_input(struct sj_gtk_node *n, enum sj_phase phase, const struct sj_value *value);
bool sj_gtk_input_text(struct sj_gtk_node *n, enum sj_phase phase, const char *text);
void sj_gtk_press(struct sj_gtk_node *n);
void sj_gtk_set_local(struct sj_gtk_node *n, const char *name, struct sj_value take);
void sj_gtk_flags(struct sj_gtk_node *n); /* enabled; the failing check's words below the control */
void sj_gtk_name(struct sj_gtk_node *n);  /* accessible name, description, hidden, live (a11y.c) */
GtkWidget *sj_gtk_stack(struct sj_gtk_node *n); /* a vertical box that is n->widget, for a control and its words */

/* Out of the tree of assistive technology, with all that is inside: decoration, and parts of a control. */
void sj_gtk_hide(GtkWidget *w, bool hidden);
void sj_gtk_hide_parts(GtkWidget *w); /* what is inside it */
/* Says something to those who do not see: what has come of something they did, or a change of what they are to be told
 * of. `alarm`: at once. */
void sj_gtk_say(SjGtkSurface *s, const char *text, bool alarm);

/* A label above a control; its words are the node's. */
GtkWidget *sj_gtk_caption(GtkWidget *stack);
void sj_gtk_caption_set(struct sj_gtk_node *n, GtkWidget *label);


/* ---- what it says, ready for a widget. Strings are new; g_free them. -------------------------------------------- */

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

/* ---- its children: a row or a column of nodes -------------------------------------------------------------------- */

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
/* The children of a node, as drawn. */
void sj_gtk_flex_follow(SjGtkFlex *f, sj_node_id parent);
void sj_gtk_flex_set_layout(SjGtkFlex *f, enum sj_gtk_justify justify, enum sj_gtk_justify align);

#endif
