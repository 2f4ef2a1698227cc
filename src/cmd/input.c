#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "face/text/text.h"

static const char *reason(int error)
{
	switch (error) {
	case ENOENT:
		return "there is no such file";
	case EACCES:
		return "it may not be read";
	case EISDIR:
		return "it is a folder";
	default:
		return "reading failed";
	}
}

/* What a file is that is no text; NULL: it may be text. No text in UTF-8 that anybody sends holds a NUL byte. */
static const char *binary_kind(struct sj_slice s)
{
	static const struct {
		const char *magic;
		size_t len;
		const char *name;
	} kinds[] = {
		{"\x89PNG", 4, "no text but a PNG image"},
		{"\xff\xd8\xff", 3, "no text but a JPEG image"},
		{"GIF8", 4, "no text but a GIF image"},
		{"%PDF", 4, "no text but a PDF document"},
		{"PK\x03\x04", 4, "no text but a ZIP archive"},
		{"\x1f\x8b", 2, "no text: it is compressed with gzip"},
		{"\x28\xb5\x2f\xfd", 4, "no text: it is compressed with zstd"},
		{"\x7f" "ELF", 4, "no text but a program"},
		{"\xff\xfe", 2, "text in UTF-16, and UTF-8 is wanted"},
		{"\xfe\xff", 2, "text in UTF-16, and UTF-8 is wanted"},
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (s.len >= kinds[i].len && memcmp(s.ptr, kinds[i].magic, kinds[i].len) == 0)
			return kinds[i].name;
	return s.len > 0 && memchr(s.ptr, '\0', s.len) ? "no text: it holds NUL bytes" : NULL;
}

int cmd_read(const char *path, struct sj_buf *out)
{
	char chunk[65536];
	bool is_stdin = strcmp(path, "-") == 0;
	FILE *f = is_stdin ? stdin : fopen(path, "rb");
	size_t n;
	if (!f) {
		cmd_say("shoji: %s: %s\n", path, reason(errno));
		return CMD_IO;
	}
	while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
		sj_buf_put(out, chunk, n);
	int failed = ferror(f), error = errno;
	if (!is_stdin)
		fclose(f);
	if (failed)
		cmd_say("shoji: %s: %s\n", path, reason(error));
	else if (sj_buf_status(out) != SJ_OK)
		cmd_say("shoji: %s: out of memory\n", path);
	if (failed || sj_buf_status(out) != SJ_OK)
		return CMD_IO;
	const char *kind = binary_kind(sj_buf_view(out));
	if (kind)
		cmd_say("shoji: %s: this is %s\n", is_stdin ? "standard input" : path, kind);
	return kind ? CMD_INVALID : CMD_OK;
}

void cmd_print(struct sj_slice text)
{
	if (text.len > 0)
		fwrite(text.ptr, 1, text.len, stdout);
}

/* JSON keeps every character of the input but the control characters below 0x20: a terminal gets less than a pipe. */
static void put_json(FILE *to, struct sj_slice json)
{
	struct sj_mem mem;
	struct sj_buf clean;
	if (!isatty(fileno(to))) {
		if (json.len > 0)
			fwrite(json.ptr, 1, json.len, to);
		return;
	}
	sj_mem_init(&mem, NULL, 0);
	sj_buf_init(&clean, &mem, 0);
	sj_text_clean(&clean, json, true);
	if (sj_buf_status(&clean) == SJ_OK && clean.len > 0)
		fwrite(clean.ptr, 1, clean.len, to);
	sj_buf_finish(&clean);
}

void cmd_print_json(struct sj_slice json) { put_json(stdout, json); }
void cmd_say_json(struct sj_slice json) { put_json(stderr, json); }

void cmd_print_line(struct sj_slice text)
{
	struct sj_mem mem;
	struct sj_buf clean;
	sj_mem_init(&mem, NULL, 0);
	sj_buf_init(&clean, &mem, 0);
	sj_text_clean(&clean, text, false);
	sj_buf_putc(&clean, '\n');
	if (sj_buf_status(&clean) == SJ_OK)
		fwrite(clean.ptr, 1, clean.len, stdout);
	sj_buf_finish(&clean);
}

void cmd_say(const char *format, ...)
{
	char text[4096];
	struct sj_mem mem;
	struct sj_buf clean;
	size_t len = strlen(format), from = strspn(format, "\n");
	va_list ap;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	/* Names and messages may come from the input: they must not act on the terminal, nor look like lines of ours.
	 */
	size_t n = strlen(text);
	bool ends = len > from && format[len - 1] == '\n';
	n -= ends && n > from && text[n - 1] == '\n';
	sj_mem_init(&mem, NULL, 0);
	sj_buf_init(&clean, &mem, 0);
	for (size_t i = 0; i < from; i++)
		sj_buf_putc(&clean, '\n');
	sj_text_clean(&clean, sj_slice(text + from, n - from), false);
	if (ends)
		sj_buf_putc(&clean, '\n');
	if (sj_buf_status(&clean) == SJ_OK && clean.len > 0)
		fwrite(clean.ptr, 1, clean.len, stderr);
	sj_buf_finish(&clean);
}

int cmd_finish(int exit_code)
{
	bool failed = ferror(stdout) != 0;
	if (fflush(stdout) != 0 || failed) {
		fputs("shoji: writing failed\n", stderr);
		return CMD_IO;
	}
	return exit_code;
}

bool cmd_parse(struct sj_mem *mem, struct sj_slice text, const char *name, struct sj_value *out)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_diag diag = {0};
	if (sj_value_parse(mem, &opt, text, out, &diag) == SJ_OK)
		return true;
	cmd_say("shoji: %s, line %u: %s\n", name, sj_json_line(text, (size_t)diag.offset), diag.message);
	return false;
}
