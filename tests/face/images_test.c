/* Images from their address to a texture: what is taken, what is refused and why, how many at once, what is kept. The
 * images are made here. */
#include "face/gtk/images.h"

#include <glib/gstdio.h>
#include <stdlib.h>

#include "base/limits.h"
#include "face/gtk/picture.h"
#include "harness/test.h"

/* ---- a PNG of one colour ----------------------------------------------------------------------------------------- */

static uint32_t crc_of(const uint8_t *b, size_t len)
{
	uint32_t c = 0xFFFFFFFF;
	for (size_t i = 0; i < len; i++) {
		c ^= b[i];
		for (int k = 0; k < 8; k++)
			c = c & 1 ? c >> 1 ^ 0xEDB88320 : c >> 1;
	}
	return ~c;
}

static void put32(GByteArray *b, uint32_t v)
{
	uint8_t bytes[4] = {(uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v};
	g_byte_array_append(b, bytes, 4);
}

static void chunk(GByteArray *png, const char *kind, const uint8_t *data, size_t len)
{
	put32(png, (uint32_t)len);
	guint from = png->len;
	g_byte_array_append(png, (const uint8_t *)kind, 4);
	g_byte_array_append(png, data, (guint)len);
	put32(png, crc_of(png->data + from, png->len - from));
}

/* Stored, not compressed; at most 65535 bytes of rows. */
static GByteArray *png_of(uint32_t width, uint32_t height, uint32_t rgb)
{
	GByteArray *png = g_byte_array_new(), *head = g_byte_array_new(), *rows = g_byte_array_new();
	GByteArray *packed = g_byte_array_new();
	g_byte_array_append(png, (const uint8_t *)"\x89PNG\r\n\x1a\n", 8);
	put32(head, width);
	put32(head, height);
	g_byte_array_append(head, (const uint8_t *)"\x08\x02\0\0", 5);
	chunk(png, "IHDR", head->data, head->len);
	for (uint32_t y = 0; y < height; y++) {
		g_byte_array_append(rows, (const uint8_t *)"", 1);
		for (uint32_t x = 0; x < width; x++)
			g_byte_array_append(
				rows, (uint8_t[]){(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb}, 3);
	}
	uint32_t a = 1, b = 0, len = rows->len;
	for (uint32_t i = 0; i < len; i++) {
		a = (a + rows->data[i]) % 65521;
		b = (b + a) % 65521;
	}
	g_byte_array_append(packed,
	                    (uint8_t[]){0x78, 1, 1, (uint8_t)len, (uint8_t)(len >> 8), (uint8_t)~len,
	                                (uint8_t)(~len >> 8)},
	                    7);
	g_byte_array_append(packed, rows->data, rows->len);
	put32(packed, b << 16 | a);
	chunk(png, "IDAT", packed->data, packed->len);
	chunk(png, "IEND", (const uint8_t *)"", 0);
	g_byte_array_unref(head);
	g_byte_array_unref(rows);
	g_byte_array_unref(packed);
	return png;
}

static char *address_of(uint32_t width, uint32_t height, uint32_t rgb)
{
	GByteArray *png = png_of(width, height, rgb);
	char *text = g_base64_encode(png->data, png->len), *address = g_strconcat("data:image/png;base64,", text, NULL);
	g_free(text);
	g_byte_array_unref(png);
	return address;
}

/* ---- a surface's images without a surface ------------------------------------------------------------------------ */

struct album {
	struct sj_gtk_images *all;
	guint told;
};

static void on_changed(void *ctx) { ((struct album *)ctx)->told++; }

static void album_begin(struct album *a, const struct sj_limits *l, const char *decoder)
{
	struct sj_gtk_host host = {.decoder = decoder};
	*a = (struct album){.all = sj_gtk_images_new(&host, l ? l : &SJ_LIMITS_DEFAULT)};
}

static struct sj_gtk_image *use(struct album *a, const char *address)
{
	const char *why = NULL;
	struct sj_gtk_image *u = sj_gtk_image_use(a->all, sj_slice_of(address), on_changed, a, &why);
	CHECK((u == NULL) == (why != NULL));
	return u;
}

static guint settle(struct album *a)
{
	guint most = 0;
	gint64 end = g_get_monotonic_time() + 30 * G_USEC_PER_SEC;
	while (sj_gtk_images_busy(a->all) && g_get_monotonic_time() < end) {
		most = MAX(most, sj_gtk_images_running(a->all));
		g_main_context_iteration(NULL, TRUE);
	}
	CHECK(!sj_gtk_images_busy(a->all));
	return most;
}

static void album_end(struct album *a)
{
	sj_gtk_images_free(a->all);
	while (g_main_context_iteration(NULL, FALSE))
		;
}

static const char *decoder(void) { return getenv("SHOJI_DECODER"); }

static void check_why(struct sj_gtk_image *u, const char *why)
{
	struct sj_gtk_image_state s = sj_gtk_image_state(u);
	CHECK(!s.loading && !s.texture);
	CHECK_STR(sj_slice_of(s.why), why);
}

SJ_TEST(an_image_becomes_a_texture)
{
	struct album a;
	char *address = address_of(6, 3, 0x123456);
	uint8_t pixels[6 * 3 * 4];
	album_begin(&a, NULL, decoder());
	struct sj_gtk_image *u = use(&a, address);
	CHECK(sj_gtk_image_state(u).loading);
	CHECK_INT(a.told, 0);
	settle(&a);
	struct sj_gtk_image_state s = sj_gtk_image_state(u);
	CHECK_INT(a.told, 1);
	CHECK(s.texture && !s.loading && !s.why);
	CHECK_INT(s.width, 6);
	CHECK_INT(s.height, 3);
	CHECK_INT(sj_gtk_images_bytes(a.all), 72);
	if (s.texture) {
		gdk_texture_download(s.texture, pixels, 6 * 4); /* native order: blue first */
		CHECK_INT(pixels[0], 0x56);
		CHECK_INT(pixels[1], 0x34);
		CHECK_INT(pixels[2], 0x12);
		CHECK_INT(pixels[3], 0xFF);
	}
	sj_gtk_image_drop(u);
	album_end(&a);
	g_free(address);
}

SJ_TEST(equal_bytes_are_decoded_once_and_few_at_a_time)
{
	struct album a;
	struct sj_gtk_image *u[24];
	album_begin(&a, NULL, decoder());
	for (uint32_t i = 0; i < 24; i++) {
		char *address = address_of(2, 2, i / 2);
		u[i] = use(&a, address);
		g_free(address);
	}
	CHECK_INT(settle(&a), 4);
	CHECK_INT(a.told, 24);
	CHECK_INT(sj_gtk_images_bytes(a.all), 12 * 16);
	for (uint32_t i = 0; i < 24; i += 2)
		CHECK(sj_gtk_image_state(u[i]).texture &&
		      sj_gtk_image_state(u[i]).texture == sj_gtk_image_state(u[i + 1]).texture);
	for (uint32_t i = 0; i < 24; i++)
		sj_gtk_image_drop(u[i]);
	/* What was seen and is seen again is there at once. */
	char *again = address_of(2, 2, 7);
	u[0] = use(&a, again);
	CHECK(sj_gtk_image_state(u[0]).texture);
	sj_gtk_image_drop(u[0]);
	g_free(again);
	album_end(&a);
}

SJ_TEST(what_is_kept_has_an_end)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	struct album a;
	struct sj_gtk_image *u[3];
	char *address[3];
	l.images_bytes = 2 * 400;
	album_begin(&a, &l, decoder());
	for (uint32_t i = 0; i < 3; i++)
		address[i] = address_of(10, 10, i);
	u[0] = use(&a, address[0]);
	u[1] = use(&a, address[1]);
	settle(&a);
	CHECK(sj_gtk_image_state(u[0]).texture && sj_gtk_image_state(u[1]).texture);
	u[2] = use(&a, address[2]); /* both others are in use: no room */
	settle(&a);
	check_why(u[2], "There are too many pictures here.");
	CHECK_INT(sj_gtk_images_bytes(a.all), 800);
	sj_gtk_image_drop(u[2]);
	sj_gtk_image_drop(u[0]); /* nobody uses it: it goes when the room is wanted */
	CHECK_INT(sj_gtk_images_bytes(a.all), 800);
	u[2] = use(&a, address[2]);
	settle(&a);
	CHECK(sj_gtk_image_state(u[2]).texture != NULL);
	CHECK_INT(sj_gtk_images_bytes(a.all), 800);
	sj_gtk_image_drop(u[1]);
	sj_gtk_image_drop(u[2]);
	album_end(&a);
	for (uint32_t i = 0; i < 3; i++)
		g_free(address[i]);
}

SJ_TEST(pixels_and_bytes_of_one_image_have_an_end)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	struct album a;
	const char *why = NULL;
	char *fits = address_of(8, 4, 1), *large = address_of(33, 1, 1);
	GByteArray *png = png_of(8, 4, 1);
	l.image_pixels = 32;
	l.image_bytes = png->len;
	album_begin(&a, &l, decoder());
	struct sj_gtk_image *u = use(&a, fits), *v = use(&a, large);
	settle(&a);
	CHECK(sj_gtk_image_state(u).texture != NULL);
	check_why(v, "The picture is too large.");
	sj_gtk_image_drop(u);
	sj_gtk_image_drop(v);
	album_end(&a);
	l.image_bytes--;
	album_begin(&a, &l, decoder());
	CHECK(!sj_gtk_image_use(a.all, sj_slice_of(fits), on_changed, &a, &why));
	CHECK_STR(sj_slice_of(why), "The picture has too many bytes.");
	album_end(&a);
	g_byte_array_unref(png);
	g_free(fits);
	g_free(large);
}

SJ_TEST(a_decoder_that_does_not_answer_is_ended)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	struct album a;
	char *address = address_of(2, 2, 1);
	l.image_ms = 200;
	album_begin(&a, &l, "/bin/sleep"); /* takes our limits for seconds */
	struct sj_gtk_image *u = use(&a, address);
	gint64 begin = g_get_monotonic_time();
	settle(&a);
	gint64 took = g_get_monotonic_time() - begin;
	CHECK(took >= 150000);
	check_why(u, "The picture took too long to decode.");
	CHECK_INT(sj_gtk_images_running(a.all), 0);
	sj_gtk_image_drop(u);
	album_end(&a);
	g_free(address);
}

SJ_TEST(a_decoder_that_lies_or_is_not_there_gives_no_picture)
{
	static const struct {
		const char *decoder, *why;
	} rows[] = {{"/bin/true", "The picture could not be decoded."},
	            {"/bin/echo", "The picture could not be decoded."},
	            {"/nowhere/shoji-decode", "Pictures cannot be decoded on this system."}};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		struct album a;
		char *address = address_of(2, 2, 1);
		album_begin(&a, NULL, rows[i].decoder);
		struct sj_gtk_image *u = use(&a, address);
		settle(&a);
		check_why(u, rows[i].why);
		sj_gtk_image_drop(u);
		album_end(&a);
		g_free(address);
	}
}

/* What a decoder in hostile hands could answer. Numbers are little-endian: natural size, size, level. */
SJ_TEST(an_answer_is_checked_like_any_input)
{
	static const struct {
		const char *said;
		bool shown;
	} rows[] = {
		{"SJIM\\1\\0\\0\\0\\1\\0\\0\\0\\1\\0\\0\\0\\1\\0\\0\\0\\37\\0\\0\\0RGBA", true},
		{"SJIM\\1\\0\\0\\0\\1\\0\\0\\0\\1\\0\\0\\0\\1\\0\\0\\0\\37\\0\\0\\0RGB", false},  /* a byte short */
		{"SJIM\\1\\0\\0\\0\\1\\0\\0\\0\\2\\0\\0\\0\\1\\0\\0\\0\\37\\0\\0\\0RGBARGBA", false}, /* more than natural */
		{"SJIM\\0\\0\\0\\0\\1\\0\\0\\0\\0\\0\\0\\0\\1\\0\\0\\0\\37\\0\\0\\0RGBA", false},
		{"SJIM\\0\\20\\0\\0\\1\\0\\0\\0\\1\\10\\0\\0\\1\\0\\0\\0\\37\\0\\0\\0RGBA", false}, /* a side of 2049 */
		{"SJIM\\377\\377\\377\\377\\377\\377\\377\\377\\1\\0\\0\\0\\1\\0\\0\\0\\37\\0\\0\\0RGBA", false},
		{"SJIX\\1\\0\\0\\0\\1\\0\\0\\0\\1\\0\\0\\0\\1\\0\\0\\0\\37\\0\\0\\0RGBA", false},
		{"SJNO\\37\\0\\0\\0pixels", false},
	};
	char *folder = g_dir_make_tmp("shoji-images-XXXXXX", NULL), *script = g_build_filename(folder, "decoder", NULL);
	char *address = address_of(2, 2, 1);
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *text = g_strdup_printf("#!/bin/sh\nprintf '%s'\n", rows[i].said);
		struct album a;
		sj_case("%s", rows[i].said);
		CHECK(g_file_set_contents_full(script, text, -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
		album_begin(&a, NULL, script);
		struct sj_gtk_image *u = use(&a, address);
		settle(&a);
		CHECK((sj_gtk_image_state(u).texture != NULL) == rows[i].shown);
		CHECK((sj_gtk_image_state(u).why == NULL) == rows[i].shown);
		sj_gtk_image_drop(u);
		album_end(&a);
		sj_case_end();
		g_free(text);
	}
	g_remove(script);
	g_rmdir(folder);
	g_free(address);
	g_free(script);
	g_free(folder);
}

SJ_TEST(a_use_may_go_while_it_is_decoded)
{
	struct album a;
	char *address = address_of(2, 2, 1);
	album_begin(&a, NULL, decoder());
	sj_gtk_image_drop(use(&a, address));
	CHECK(!sj_gtk_images_busy(a.all));
	struct sj_gtk_image *u = use(&a, address);
	settle(&a);
	CHECK(sj_gtk_image_state(u).texture != NULL);
	CHECK_INT(a.told, 1);
	struct sj_gtk_image *last = use(&a, "data:image/png,x"); /* and all of them go, while one runs: it is void */
	sj_gtk_image_drop(u);
	album_end(&a);
	check_why(last, "The picture could not be decoded.");
	sj_gtk_image_drop(last);
	g_free(address);
}

static GBytes *beside(void *ctx, const char *address)
{
	GByteArray *png = strcmp(address, "pictures/cat.png") == 0 ? png_of(3, 5, 9) : NULL;
	(void)ctx;
	return png ? g_byte_array_free_to_bytes(png) : NULL;
}

SJ_TEST(the_host_may_have_the_bytes)
{
	struct sj_gtk_host host = {.decoder = decoder(), .resource = beside};
	struct album a = {.all = sj_gtk_images_new(&host, &SJ_LIMITS_DEFAULT)};
	const char *why = NULL;
	struct sj_gtk_image *u = use(&a, "pictures/cat.png");
	settle(&a);
	CHECK_INT(sj_gtk_image_state(u).height, 5);
	CHECK(!sj_gtk_image_use(a.all, SJ_LIT("https://x.test/a.png"), on_changed, &a, &why));
	CHECK_STR(sj_slice_of(why), "Pictures from elsewhere are not loaded.");
	sj_gtk_image_drop(u);
	album_end(&a);
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

SJ_TEST(data_addresses_give_their_bytes)
{
	static const struct {
		const char *address, *bytes;
	} rows[] = {
		{"data:image/png;base64,SGVsbG8=", "Hello"},
		{"data:image/png;base64,SGVsbG8", "Hello"},
		{"data:image/png;base64,SGVs bG8h\n", "Hello!"},
		{"data:image/png;base64,SGVsbA==", "Hell"},
		{"data:image/png;base64,SGVsbA%3D%3d", "Hell"},
		{"DATA:IMAGE/PNG;BASE64,SGVsbG8=", "Hello"},
		{"data:image/gif;charset=x;base64,Pz8-Pz8_", "\x3f\x3f\x3e\x3f\x3f\x3f"},
		{"data:image/png,a%20b%41+%2f", "a bA+/"},
		{"data:image/png;base64,", ""},
		{"data:image/webp,", ""},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const char *why = "";
		GBytes *b = sj_gtk_data_address(sj_slice_of(rows[i].address), 100, &why);
		gsize len = 0;
		sj_case("%s", rows[i].address);
		CHECK(b && !why);
		if (b) {
			const char *ptr = g_bytes_get_data(b, &len);
			CHECK_STR(sj_slice(ptr, len), rows[i].bytes);
			g_bytes_unref(b);
		}
		sj_case_end();
	}
}

SJ_TEST(other_addresses_are_refused_with_a_reason)
{
	static const struct {
		const char *address, *why;
	} rows[] = {
		{"data:", "The address of the picture is broken."},
		{"data:image/png", "The address of the picture is broken."},
		{"data:image/png;base64,SGVsb", "The address of the picture is broken."},
		{"data:image/png;base64,SGVs=", "The address of the picture is broken."},
		{"data:image/png;base64,SGVsbA=", "The address of the picture is broken."},
		{"data:image/png;base64,SGV=bG8=", "The address of the picture is broken."},
		{"data:image/png;base64,SGVs!G8=", "The address of the picture is broken."},
		{"data:image/png,%4", "The address of the picture is broken."},
		{"data:image/png,%g0", "The address of the picture is broken."},
		{"data:image/svg+xml,<svg/>", "Pictures in SVG are not shown."},
		{"data:image/SVG+xml;base64,AAAA", "Pictures in SVG are not shown."},
		{"data:text/html,x", "This is not a picture."},
		{"data:,x", "This is not a picture."},
		{"data:image/png,12345678901", "The picture has too many bytes."},
		{"data:image/png;base64,MTIzNDU2Nzg5MDE=", "The picture has too many bytes."},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		const char *why = NULL;
		sj_case("%s", rows[i].address);
		CHECK(!sj_gtk_data_address(sj_slice_of(rows[i].address), 10, &why));
		CHECK_STR(sj_slice_of(why), rows[i].why);
		sj_case_end();
	}
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

SJ_TEST(a_fit_places_the_picture)
{
	static const struct {
		enum sj_gtk_fit fit;
		double w, h, aw, ah;
		graphene_rect_t at;
	} rows[] = {
		{SJ_GTK_FILL, 40, 10, 20, 20, {{0, 0}, {20, 20}}},
		{SJ_GTK_CONTAIN, 40, 10, 20, 20, {{0, 7.5f}, {20, 5}}},
		{SJ_GTK_CONTAIN, 4, 2, 20, 20, {{0, 5}, {20, 10}}},
		{SJ_GTK_COVER, 40, 10, 20, 20, {{-30, 0}, {80, 20}}},
		{SJ_GTK_FIT_NONE_SAID, 40, 10, 20, 20, {{-30, 0}, {80, 20}}},
		{SJ_GTK_NATURAL, 40, 10, 20, 20, {{-10, 5}, {40, 10}}},
		{SJ_GTK_SCALE_DOWN, 40, 10, 20, 20, {{0, 7.5f}, {20, 5}}},
		{SJ_GTK_SCALE_DOWN, 4, 2, 20, 20, {{8, 9}, {4, 2}}},
	};
	for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
		graphene_rect_t got = sj_gtk_fit_rect(rows[i].fit, rows[i].w, rows[i].h, rows[i].aw, rows[i].ah);
		CHECK(graphene_rect_equal(&got, &rows[i].at));
	}
}
