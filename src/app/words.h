/* Words for the person, by gettext: the same as in the face. */
#ifndef SJ_APP_WORDS_H
#define SJ_APP_WORDS_H

#include "face/gtk/compat.h"

/* Tells gettext where the words are: beside the program in a build folder, else where they were installed. */
void app_words_init(void);

#endif
