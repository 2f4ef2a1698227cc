/* The surfaces of one session, each in its frame, one below the other.
 *
 * After each pump app_views_sync brings the frames in step with the views that exist. In between, a view that goes is
 * told with app_views_gone, for its memory may be another's by then.
 */
#ifndef SJ_APP_VIEWS_H
#define SJ_APP_VIEWS_H

#include "app/frame.h"
#include "cmd/session.h"

struct app_views {
	struct cmd_session *session;
	char *connection;  /* the name above each */
	GtkWidget *box, *inside;
	GtkAdjustment *down;
	GPtrArray *shown;
	guint sweep, scroll;
	GBytes *(*resource)(void *ctx, const char *address); /* see struct sj_gtk_host; NULL: nothing is at hand */
	void (*entered)(void *ctx);
	void *ctx;
};
/* Returns what scrolls them: a floating widget. `entered`: something went into the engine. */
GtkWidget *app_views_init(struct app_views *v, struct cmd_session *s, const char *connection,
                          void (*entered)(void *ctx), void *ctx);
void app_views_add(struct app_views *v, GtkWidget *above); /* a widget of the caller's above the frames */
uint32_t app_views_sync(struct app_views *v); /* how many there are */
void app_views_gone(struct app_views *v, const struct sj_event *ev);
void app_views_finish(struct app_views *v); /* the widgets stay, closed */
bool app_views_settled(const struct app_views *v);

#endif
