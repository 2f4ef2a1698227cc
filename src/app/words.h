/* Words for the person, by gettext. */
#ifndef SJ_APP_WORDS_H
#define SJ_APP_WORDS_H

#include <adwaita.h>

#define _(s) g_dgettext("shoji", s)
#define N_(s) s

#endif
