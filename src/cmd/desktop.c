#include "cmd/desktop.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#ifndef SHOJI_LIBEXEC
#define SHOJI_LIBEXEC "/usr/local/libexec/shoji"
#endif

/* Beside the command in a build folder; below the same prefix; where it was meant to be installed. */
static bool try_in(const char *folder, const char *more, char *path, size_t size)
{
	int n = snprintf(path, size, "%s%s/shoji-desktop", folder, more);
	return n > 0 && (size_t)n < size && access(path, X_OK) == 0;
}

int cmd_desktop(const struct cmd_args *args)
{
	char own[PATH_MAX], path[PATH_MAX + 64];
	ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
	own[n > 0 ? n : 0] = 0;
	char *end = strrchr(own, '/');
	if (end)
		*end = 0;
	if ((end &&
	     (try_in(own, "/../app", path, sizeof path) || try_in(own, "/../libexec/shoji", path, sizeof path))) ||
	    try_in(SHOJI_LIBEXEC, "", path, sizeof path)) {
		fflush(NULL);
		execv(path, args->given);
	}
	cmd_say("shoji: the window is not there: it is built where GTK 4 and libadwaita are (Debian: libgtk-4-dev,\n"
	        "libadwaita-1-dev). ./run window installs them and builds it.\n");
	return CMD_IO;
}
