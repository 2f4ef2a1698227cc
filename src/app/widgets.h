/* Widgets of the app's own for components of the demos' catalogs. */
#ifndef SJ_APP_WIDGETS_H
#define SJ_APP_WIDGETS_H

#include "face/gtk/gtk.h"

void app_widgets(struct sj_gtk_host *host); /* adds them, and what decodes images */

#endif
