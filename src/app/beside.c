/* Files beside the one that was opened. */
#define _DEFAULT_SOURCE /* realpath; its memory is that of g_free */
#include "app/beside.h"

#include <gio/gio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST (64 << 20) /* bytes of one file */

/* No scheme, no host, no absolute path, no query: what is left is a path. */
static bool is_relative(const char *address)
{
	return *address && *address != '/' && *address != '\\' && !strpbrk(address, ":?#");
}

GBytes *app_beside(const char *folder, const char *address)
{
	char *path = is_relative(address) ? g_uri_unescape_string(address, "/") : NULL;
	char *joined = path ? g_build_filename(folder, path, NULL) : NULL;
	char *file = joined ? realpath(joined, NULL) : NULL, *base = realpath(folder, NULL), *bytes = NULL;
	size_t len = base ? strlen(base) : 0;
	gsize size = 0;
	GBytes *out = NULL;
	if (file && base && strncmp(file, base, len) == 0 && (file[len] == '/' || (len == 1 && base[0] == '/')) &&
	    g_file_test(file, G_FILE_TEST_IS_REGULAR)) {
		GFile *f = g_file_new_for_path(file);
		GFileInfo *about =
			g_file_query_info(f, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, NULL);
		if (about && g_file_info_get_size(about) <= MOST &&
		    g_file_load_contents(f, NULL, &bytes, &size, NULL, NULL))
			out = g_bytes_new_take(bytes, size);
		g_clear_object(&about);
		g_object_unref(f);
	}
	g_free(file);
	g_free(base);
	g_free(joined);
	g_free(path);
	return out;
}
