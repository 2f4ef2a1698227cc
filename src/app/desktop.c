#include "app/app.h"
#include "app/desktop.h"

#include <libintl.h>

#include "face/gtk/gtk.h"

void app_words_init(void)
{
	char *program = g_file_read_link("/proc/self/exe", NULL),
	     *folder = program ? g_path_get_dirname(program) : NULL;
	char *built = folder ? g_build_filename(folder, "..", "..", "po", NULL) : NULL;
	bindtextdomain("shoji", built && g_file_test(built, G_FILE_TEST_IS_DIR) ? built : SHOJI_LOCALEDIR);
	bind_textdomain_codeset("shoji", "UTF-8");
	g_free(built);
	g_free(folder);
	g_free(program);
}

static void on_activate(GApplication *application, gpointer data)
{
	struct app *a = data;
	(void)application;
	if (!a->window) {
		gtk_window_set_default_icon_name(APP_ID);
		app_settings_load(a);
		app_settings_apply(a);
		app_window_new(a);
		app_chat_open(a, cmd_demo_find(SJ_LIT("dining")));
	}
	gtk_window_present(GTK_WINDOW(a->window));
}

int app_window(const struct cmd_args *args)
{
	struct app a = {.chats = g_ptr_array_new()};
	app_words_init();
	sj_mem_init(&a.mem, NULL, 0);
	g_queue_init(&a.log);
	a.application = adw_application_new(APP_ID, G_APPLICATION_DEFAULT_FLAGS);
	g_signal_connect(a.application, "activate", G_CALLBACK(on_activate), &a);
	(void)args;
	int code = g_application_run(G_APPLICATION(a.application), 0, NULL);
	g_object_unref(a.application);
	app_log_finish(&a);
	g_clear_pointer(&a.settings, g_key_file_unref);
	g_ptr_array_unref(a.chats);
	return code;
}
