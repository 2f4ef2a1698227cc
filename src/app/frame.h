/* A frame: what the app draws above a surface, so that a person knows whose it is. The surface lies below it, clipped
 * to its own bounds, and cannot draw here. The name is the connection's, as the app knows it; what the agent says of
 * itself stands beside it marked as a claim, and nothing it names is fetched.
 */
#ifndef SJ_APP_FRAME_H
#define SJ_APP_FRAME_H

#include "app/words.h"
#include "face/gtk/gtk.h"

/* `connection`: plain text of the app's own. `claim`: the agent's word for itself, or NULL. The widget holds the
 * surface. */
GtkWidget *app_frame_new(GtkWidget *surface, const char *connection, const char *claim);
SjGtkSurface *app_frame_surface(GtkWidget *frame);
void app_frame_set_claim(GtkWidget *frame, const char *claim);
/* What an agent calls itself, in one harmless line; NULL: nothing. Free with g_free. */
char *app_claim_of(const struct sj_view *v);

/* Loads the app's style sheet for a display, once. */
void app_style_init(GdkDisplay *display);

#endif
