/* The desktop app: one adaptive window with the pages Chat, Library, Tools, Logs and Settings.
 *
 * What pages share is struct app: settings, the log, and what agents asked for. Everything runs in GTK's main loop;
 * each conversation has an engine of its own.
 */
#ifndef SJ_APP_DESKTOP_H
#define SJ_APP_DESKTOP_H

#include "app/words.h"
#include "cmd/demo.h"

#define APP_ID "app.shoji.Desktop"

struct app_line { /* of the log */
	gint64 time_us; /* since 1970 */
	bool out;       /* to the agent */
	char *peer, *what, *json;
};

struct app {
	AdwApplication *application;
	struct sj_mem mem;
	GKeyFile *settings;
	GtkWidget *window, *toasts, *stack;
	GPtrArray *chats; /* of struct app_chat */
	GQueue log;       /* of struct app_line, newest first */
	void (*log_changed)(void *ctx); /* the Logs page */
	void *log_ctx;
	GtkWidget *asked; /* Tools: the list of what was asked for */
	GtkWidget *chat_list, *chat_leaflet, *chat_stack;
	bool quits;
};

/* settings.c */
void app_settings_load(struct app *a);
void app_settings_save(struct app *a);
void app_settings_apply(struct app *a);
GtkWidget *app_settings_page(struct app *a);

/* pages.c */
GtkWidget *app_library_page(struct app *a);
GtkWidget *app_tools_page(struct app *a);
GtkWidget *app_logs_page(struct app *a);
/* Takes `json`. */
void app_log(struct app *a, bool out, const char *peer, const char *what, char *json);
void app_asked(struct app *a, const char *peer, const char *name, const char *json);
void app_log_finish(struct app *a);

/* chat.c */
struct app_chat;
GtkWidget *app_chat_page(struct app *a);
void app_chat_open(struct app *a, const struct sj_demo *demo);
void app_chats_finish(struct app *a);

/* window.c */
GtkWidget *app_window_new(struct app *a);
void app_toast(struct app *a, const char *text, const char *button, GCallback pressed, gpointer data,
               GDestroyNotify gone);

#endif
