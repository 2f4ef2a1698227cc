#include "text/ucd.h"

#include <stdio.h>

#include "text/unicode_tables.h"

struct sj_slice ucd_file(const char *relative)
{
	char path[256];
	snprintf(path, sizeof path, "/usr/share/unicode/%s", relative);
	struct sj_slice file = sj_slurp(path);
	if (file.ptr == NULL) {
		sj_skip("no %s (Debian package unicode-data)", path);
		return file;
	}
	char version[32];
	int n = snprintf(version, sizeof version, "-%s.txt", SJ_UNICODE_VERSION);
	const char *end = memchr(file.ptr, '\n', file.len);
	size_t first = end ? (size_t)(end - file.ptr) : file.len;
	bool same = sj_slice_is(sj_slice(relative, 5), "emoji"); /* these carry no version in their first line */
	for (size_t i = 0; i + (size_t)n <= first; i++)
		same |= memcmp(file.ptr + i, version, (size_t)n) == 0;
	if (same)
		return file;
	sj_skip("%s is not of Unicode %s", path, SJ_UNICODE_VERSION);
	return SJ_NO_SLICE;
}

static struct sj_slice trim(struct sj_slice s)
{
	while (s.len > 0 && (*s.ptr == ' ' || *s.ptr == '\t'))
		s = sj_slice(s.ptr + 1, s.len - 1);
	while (s.len > 0 && (s.ptr[s.len - 1] == ' ' || s.ptr[s.len - 1] == '\t'))
		s.len--;
	return s;
}

bool ucd_line(struct sj_slice file, size_t *at, struct sj_slice *line)
{
	while (*at < file.len) {
		const char *begin = file.ptr + *at, *end = memchr(begin, '\n', file.len - *at);
		size_t n = end ? (size_t)(end - begin) : file.len - *at;
		*at += n + (end != NULL);
		const char *comment = memchr(begin, '#', n);
		*line = trim(sj_slice(begin, comment ? (size_t)(comment - begin) : n));
		if (line->len > 0)
			return true;
	}
	return false;
}

static uint32_t take_hex(struct sj_slice s, size_t *at)
{
	uint32_t v = 0;
	for (; *at < s.len; ++*at) {
		char c = s.ptr[*at];
		if (c >= '0' && c <= '9')
			v = v * 16 + (uint32_t)(c - '0');
		else if (c >= 'A' && c <= 'F')
			v = v * 16 + (uint32_t)(c - 'A') + 10;
		else
			break;
	}
	return v;
}

bool ucd_range(struct sj_slice line, uint32_t *first, uint32_t *last, struct sj_slice *value)
{
	size_t at = 0;
	*first = *last = take_hex(line, &at);
	if (sj_slice_starts(sj_slice(line.ptr + at, line.len - at), "..")) {
		at += 2;
		*last = take_hex(line, &at);
	}
	const char *semicolon = memchr(line.ptr, ';', line.len);
	if (semicolon == NULL)
		return false;
	*value = trim(sj_slice(semicolon + 1, line.len - (size_t)(semicolon + 1 - line.ptr)));
	return true;
}
