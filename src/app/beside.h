/* Files beside the one that was opened: what its surfaces may name as pictures and recordings. */
#ifndef SJ_APP_BESIDE_H
#define SJ_APP_BESIDE_H

#include <glib.h>

/* The bytes of a relative address, read from `folder` or below; a new reference. NULL: the address is no relative path,
 * leads outside (".." and links are followed first), or is no plain file of a size that can be held. */
GBytes *app_beside(const char *folder, const char *address);

#endif
