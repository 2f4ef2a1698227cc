/* shoji-decode BYTES PIXELS SIDE SECONDS: reads one encoded image on standard input and writes its pixels on standard
 * output, from inside a cage (sandbox.h). Whatever a hostile image makes of a decoder, it has this process's rights:
 * none.
 *
 * Answer: "SJIM" and five numbers of 32 bits, little-endian: natural width and height, width and height of the pixels
 * that follow (at most SIDE each), the sandbox's level; then the pixels, 4 bytes each: red, green, blue, alpha, not
 * premultiplied. Or "SJNO", the level, and a word: format, broken, bytes, pixels, sandbox. An answer that ends early is
 * none: the process was ended for want of memory or time.
 *
 * PNG, JPEG, the first picture of a GIF, WebP where the library is. Never SVG: it is a program more than a picture.
 *
 *   shoji-decode --probe LAYERS: enters the cage with these layers and says what it can still do there, for tests.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <gdk-pixbuf/gdk-pixbuf.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef SJ_HAVE_WEBP
#include <webp/decode.h>
#endif

#include "app/sandbox.h"

#define MEMORY_BYTES (UINT64_C(768) << 20) /* a progressive JPEG of 16 megapixels takes about 300 */

struct limits {
	uint64_t bytes, pixels, side, seconds;
};

struct input {
	uint8_t *ptr;
	size_t len;
};

static uint32_t level;

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static void put(const void *bytes, size_t len)
{
	for (const char *p = bytes; len > 0;) {
		ssize_t n = write(1, p, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			_exit(1);
		p += n;
		len -= (size_t)n;
	}
}

static void put_number(uint32_t v)
{
	uint8_t b[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
	put(b, 4);
}

static _Noreturn void refuse(const char *word)
{
	put("SJNO", 4);
	put_number(level);
	put(word, strlen(word));
	_exit(2);
}

static void check_size(uint64_t width, uint64_t height, const struct limits *l)
{
	if (width < 1 || height < 1)
		refuse("broken");
	if (width > INT32_MAX || height > INT32_MAX || width * height > l->pixels)
		refuse("pixels");
}

static _Noreturn void answer(GdkPixbuf *image, const struct limits *l)
{
	int width = gdk_pixbuf_get_width(image), height = gdk_pixbuf_get_height(image);
	int longer = width > height ? width : height, w = width, h = height;
	check_size((uint64_t)width, (uint64_t)height, l);
	if ((uint64_t)longer > l->side) {
		w = (int)((uint64_t)width * l->side / (uint64_t)longer);
		h = (int)((uint64_t)height * l->side / (uint64_t)longer);
		w = w < 1 ? 1 : w;
		h = h < 1 ? 1 : h;
		image = gdk_pixbuf_scale_simple(image, w, h, GDK_INTERP_BILINEAR);
		if (!image)
			_exit(1);
	}
	int channels = gdk_pixbuf_get_n_channels(image), stride = gdk_pixbuf_get_rowstride(image);
	const uint8_t *pixels = gdk_pixbuf_read_pixels(image);
	uint8_t *row = g_try_malloc((size_t)w * 4);
	if (!row || gdk_pixbuf_get_bits_per_sample(image) != 8 || (channels != 3 && channels != 4))
		_exit(1);
	put("SJIM", 4);
	put_number((uint32_t)width);
	put_number((uint32_t)height);
	put_number((uint32_t)w);
	put_number((uint32_t)h);
	put_number(level);
	for (int y = 0; y < h; y++) {
		const uint8_t *from = pixels + (size_t)y * (size_t)stride;
		for (int x = 0; x < w; x++, from += channels) {
			memcpy(row + 4 * x, from, 3);
			row[4 * x + 3] = channels == 4 ? from[3] : 255;
		}
		put(row, (size_t)w * 4);
	}
	_exit(0);
}

/* ---- formats ----------------------------------------------------------------------------------------------------- */

/* Where the first picture of a GIF ends; what follows are the other pictures of a film. 0: broken. */
static size_t first_picture_end(struct input in)
{
	if (in.len < 13)
		return 0;
	size_t at = 13 + (in.ptr[10] & 0x80 ? (size_t)3 << ((in.ptr[10] & 7) + 1) : 0);
	while (at < in.len) {
		bool picture = in.ptr[at] == 0x2C;
		if (picture) {
			if (in.len - at < 11)
				return 0;
			uint8_t flags = in.ptr[at + 9];
			at += 11 + (flags & 0x80 ? (size_t)3 << ((flags & 7) + 1) : 0);
		} else if (in.ptr[at] == 0x21) {
			at += 2;
		} else {
			return 0;
		}
		while (at < in.len && in.ptr[at] != 0)
			at += (size_t)in.ptr[at] + 1;
		if (at++ >= in.len)
			return 0;
		if (picture)
			return at;
	}
	return 0;
}

static void on_size(GdkPixbufLoader *loader, int width, int height, gpointer l)
{
	(void)loader;
	check_size((uint64_t)width, (uint64_t)height, l);
}

static _Noreturn void decode(GdkPixbufLoader *loader, struct input in, struct limits *l)
{
	if (!loader)
		refuse("format");
	g_signal_connect(loader, "size-prepared", G_CALLBACK(on_size), l);
	if (!gdk_pixbuf_loader_write(loader, in.ptr, in.len, NULL) || !gdk_pixbuf_loader_close(loader, NULL))
		refuse("broken");
	GdkPixbuf *image = gdk_pixbuf_loader_get_pixbuf(loader);
	if (!image)
		refuse("broken");
	answer(gdk_pixbuf_apply_embedded_orientation(image), l);
}

#ifdef SJ_HAVE_WEBP
static _Noreturn void decode_webp(struct input in, const struct limits *l)
{
	WebPBitstreamFeatures about;
	if (WebPGetFeatures(in.ptr, in.len, &about) != VP8_STATUS_OK)
		refuse("broken");
	if (about.has_animation)
		refuse("format");
	check_size((uint64_t)about.width, (uint64_t)about.height, l);
	uint8_t *pixels = WebPDecodeRGBA(in.ptr, in.len, &about.width, &about.height);
	if (!pixels)
		refuse("broken");
	answer(gdk_pixbuf_new_from_data(pixels, GDK_COLORSPACE_RGB, TRUE, 8, about.width, about.height,
	                                4 * about.width, NULL, NULL),
	       l);
}
#endif

static bool starts(struct input in, const char *magic, size_t len)
{
	return in.len >= len && memcmp(in.ptr, magic, len) == 0;
}

static struct input read_all(const struct limits *l)
{
	struct input in = {g_try_malloc((size_t)l->bytes + 2), 0};
	if (!in.ptr)
		_exit(1);
	for (;;) {
		ssize_t n = read(0, in.ptr + in.len, (size_t)l->bytes + 1 - in.len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			_exit(1);
		if (n == 0)
			return in;
		in.len += (size_t)n;
		if (in.len > l->bytes)
			refuse("bytes");
	}
}

/* ---- what the cage lets through ---------------------------------------------------------------------------------- */

static void tell(const char *what, long result)
{
	static const struct {
		int number;
		const char *name;
	} errors[] = {{EPERM, "EPERM"}, {EACCES, "EACCES"}, {EMFILE, "EMFILE"}, {EBADF, "EBADF"}, {ENOMEM, "ENOMEM"}};
	const char *name = result >= 0 ? "done" : "?";
	char line[80];
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (result < 0 && errno == errors[i].number)
			name = errors[i].name;
	int n = g_snprintf(line, sizeof line, "%s %s\n", what, name);
	put(line, (size_t)n);
}

static _Noreturn void probe(const char *layers)
{
	uint32_t wanted = (uint32_t)strtoul(layers, NULL, 10);
	const struct sandbox s = {MEMORY_BYTES, 5, wanted};
	int spare = dup(1);
	level = sandbox_enter(&s);
	char line[40];
	int n = g_snprintf(line, sizeof line, "level %u\n", level);
	put(line, (size_t)n);
	/* What would go on elsewhere is tried only where it cannot. */
	tell("keep", spare < 0 ? 0 : write(spare, "", 0));
	tell("read", open("/etc/passwd", O_RDONLY | O_CLOEXEC));
	tell("list", open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	tell("write", open("/tmp/shoji-probe", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	tell("internet", socket(AF_INET, SOCK_STREAM, 0));
	tell("local", socket(AF_UNIX, SOCK_STREAM, 0));
	tell("start", wanted & SANDBOX_SYSCALLS ? (long)fork() : 0);
	tell("run", wanted & SANDBOX_SYSCALLS ? execl("/bin/true", "true", (char *)NULL) : 0);
	tell("trace", wanted & SANDBOX_SYSCALLS ? ptrace(PTRACE_ATTACH, getppid(), NULL, NULL) : 0);
	tell("signal", wanted & SANDBOX_SYSCALLS ? kill(1, 0) : 0);
	tell("code",
	     mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
	tell("data",
	     mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
	tell("much",
	     mmap(NULL, MEMORY_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED ? -1
	                                                                                                           : 0);
	_exit(0);
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "--probe") == 0)
		probe(argv[2]);
	if (argc != 5)
		return 64;
	struct limits l = {strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10),
	                   strtoull(argv[4], NULL, 10)};
	if (l.bytes < 1 || l.bytes > UINT32_MAX / 4 || l.pixels < 1 || l.side < 1 || l.seconds < 1)
		return 64;
	/* A loader may be a file of its own, which has to be there before the door closes. */
	GdkPixbufLoader *png = gdk_pixbuf_loader_new_with_type("png", NULL);
	GdkPixbufLoader *jpeg = gdk_pixbuf_loader_new_with_type("jpeg", NULL);
	GdkPixbufLoader *gif = gdk_pixbuf_loader_new_with_type("gif", NULL);
	const struct sandbox s = {MEMORY_BYTES, (uint32_t)l.seconds + 1, SANDBOX_WHOLE};
	level = sandbox_enter(&s);
	if ((level | SANDBOX_LANDLOCK) !=
	    SANDBOX_WHOLE) /* landlock may be missing: the calls it watches are gone anyway */
		refuse("sandbox");
	struct input in = read_all(&l);
	if (starts(in, "\x89PNG\r\n\x1a\n", 8)) {
		/* The library has limits of its own, which would only call it broken. */
		if (in.len >= 24)
			check_size(GUINT32_FROM_BE(*(guint32 *)(void *)(in.ptr + 16)),
			           GUINT32_FROM_BE(*(guint32 *)(void *)(in.ptr + 20)), &l);
		decode(png, in, &l);
	}
	if (starts(in, "\xff\xd8\xff", 3))
		decode(jpeg, in, &l);
	if (starts(in, "GIF87a", 6) || starts(in, "GIF89a", 6)) {
		in.len = first_picture_end(in);
		if (in.len == 0)
			refuse("broken");
		in.ptr[in.len++] = 0x3B;
		decode(gif, in, &l);
	}
#ifdef SJ_HAVE_WEBP
	if (starts(in, "RIFF", 4) && in.len >= 16 && memcmp(in.ptr + 8, "WEBPVP8", 7) == 0)
		decode_webp(in, &l);
#endif
	refuse("format");
}
