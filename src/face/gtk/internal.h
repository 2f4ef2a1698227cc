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
#include "face/gtk/images.h"
#include "face/gtk/widget.h"

#define SJ_GTK_SPACE 8        /* between neighbours: half of it is the margin of each leaf */
#define SJ_GTK_PADDING 12     /* of a card: with a leaf's margin 16 */
#define SJ_GTK_LONG 50        /* children from which on a box is virtual whatever else is on the surface */
#define SJ_GTK_CROWDED 600    /* nodes from which on every box is virtual */
#define SJ_GTK_OPTIONS 1000   /* options of one choice, tabs of one row */

/* ---- surface.c --------------------------------------------------------------------------------------------------- */

struct sj_gtk_node *sj_gtk_find(SjGtkSurface *s, sj_node_id id); /* NULL: not drawn */
/* Makes the record and the widget. The widget is floating. */
struct sj_gtk_node *sj_gtk_node_new(SjGtkSurface *s, sj_node_id id);
/* The record goes, and those below it; the widget is the caller's to unparent. */
void sj_gtk_node_free(struct sj_gtk_node *n);
struct sj_gtk_node *sj_gtk_node_of(GtkWidget *widget); /* of a widget that is a node's outermost; NULL */
void sj_gtk_touch(SjGtkSurface *s); /* work waits: a frame is wanted */
void sj_gtk_again(struct sj_gtk_node *n, uint64_t mask); /* its update is called in the next frame */
void sj_gtk_add_flex(SjGtkSurface *s, SjGtkFlex *f);
void sj_gtk_remove_flex(SjGtkSurface *s, SjGtkFlex *f);
bool sj_gtk_is_crowded(SjGtkSurface *s);
/* A dialog inside the surface: shown over it until taken away. `title` may be NULL. `closed` is called when the person
 * closes it. The sheet is owned by the surface. */
GtkWidget *sj_gtk_sheet_open(SjGtkSurface *s, GtkWidget *content, const char *title, void (*closed)(void *ctx),
                             void *ctx);
void sj_gtk_sheet_title(GtkWidget *sheet, const char *title);
void sj_gtk_sheet_close(SjGtkSurface *s, GtkWidget *sheet);
struct sj_gtk_images *sj_gtk_images(SjGtkSurface *s);
const struct sj_gtk_host *sj_gtk_host(const SjGtkSurface *s);
struct sj_engine *sj_gtk_engine(const SjGtkSurface *s);
void sj_gtk_follow(struct sj_gtk_node *n, const char *address); /* a link */
bool sj_gtk_has_links(const SjGtkSurface *s);

/* ---- a11y.c ------------------------------------------------------------------------------------------------------ */

void sj_gtk_role(struct sj_gtk_node *n); /* of n->widget, before it is shown */
enum sj_gtk_live { SJ_GTK_LIVE_OFF, SJ_GTK_LIVE_SPOKEN, SJ_GTK_LIVE_ALARM };
enum sj_gtk_live sj_gtk_live(struct sj_surface *core, sj_node_id id);
sj_node_id sj_gtk_live_above(struct sj_surface *core, sj_node_id id); /* itself or the next above that is live; 0 */
/* Changes of what is live are announced from now on (surface.c). */
void sj_gtk_watch_live(SjGtkSurface *s, sj_node_id id);
void sj_gtk_sheet_name(GtkWidget *sheet, const char *name);

/* ---- check.c: a check box or a radio button that assistive technology can press ---------------------------------- */

#define SJ_GTK_TYPE_CHECK_BUTTON sj_gtk_check_button_get_type()
G_DECLARE_FINAL_TYPE(SjGtkCheckButton, sj_gtk_check_button, SJ_GTK, CHECK_BUTTON, GtkCheckButton)
/* `label`: the visible words, NULL: to be set later. */
GtkWidget *sj_gtk_check_button_new(GtkAccessibleRole role, GtkWidget *label);

/* ---- flex.c: a row or a column of nodes ------------------------------------------------------------------------- */

/* What stands in it, in order; what stood there before and still does keeps its widget. */
void sj_gtk_flex_set_nodes(SjGtkFlex *f, const sj_node_id *nodes, uint32_t count);
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

/* ---- tip.c: what a thing says when it is pointed at, inside the surface ------------------------------------------ */

void sj_gtk_tip(GtkWidget *widget, const char *text); /* NULL or "": nothing */
const char *sj_gtk_tip_of(GtkWidget *widget);
void sj_gtk_tips_show_in(GtkWidget *overlay); /* once */
/* The address of the link of a label at this place; NULL: none, or no label with links. */
const char *sj_gtk_link_at(GtkWidget *label, double x, double y);

/* ---- viewport.c: scrolls one child vertically, keeps what the person looks at in its place ---------------------- */

#define SJ_GTK_TYPE_VIEWPORT sj_gtk_viewport_get_type()
G_DECLARE_FINAL_TYPE(SjGtkViewport, sj_gtk_viewport, SJ_GTK, VIEWPORT, GtkWidget)
SjGtkViewport *sj_gtk_viewport_new(GtkWidget *child, void (*moved)(void *ctx), void *ctx);
void sj_gtk_viewport_show(SjGtkViewport *v, GtkWidget *widget); /* scrolls until it is visible */

/* ---- kinds.c ----------------------------------------------------------------------------------------------------- */

const struct sj_gtk_class *sj_gtk_class_of(enum sj_ui_kind kind, enum sj_why why);
extern const struct sj_gtk_class SJ_GTK_TEXT, SJ_GTK_ROW, SJ_GTK_COLUMN, SJ_GTK_LIST, SJ_GTK_CARD, SJ_GTK_TABS,
	SJ_GTK_MODAL, SJ_GTK_DIVIDER, SJ_GTK_BUTTON, SJ_GTK_FIELD, SJ_GTK_CHECK, SJ_GTK_CHOICE, SJ_GTK_SLIDER,
	SJ_GTK_DATE, SJ_GTK_STEPPER, SJ_GTK_RATING, SJ_GTK_SUMMARY, SJ_GTK_IMAGE, SJ_GTK_ICON, SJ_GTK_MEDIA,
	SJ_GTK_CUSTOM, SJ_GTK_PLACEHOLDER;

/* markup.c: Markdown as labels with attributes, never as markup. */
GtkWidget *sj_gtk_markup_new(void);
void sj_gtk_markup_set(GtkWidget *box, struct sj_gtk_node *n, struct sj_slice text, const char *style, float align);

/* link.c: a paragraph with links is a stop of the keyboard. */
struct sj_gtk_link {
	guint start, end; /* bytes of the label's text */
	char *address;
};
void sj_gtk_link_free(gpointer link);
#define SJ_GTK_TYPE_STOP sj_gtk_stop_get_type()
G_DECLARE_FINAL_TYPE(SjGtkStop, sj_gtk_stop, SJ_GTK, STOP, GtkWidget)
GtkWidget *sj_gtk_stop_new(GtkWidget *label, bool whole); /* whole: the text is nothing but one link */
GtkWidget *sj_gtk_stop_label(GtkWidget *stop);
void sj_gtk_set_links(GtkWidget *label, GPtrArray *links); /* of the label in a stop; takes them, after its text */

#endif
