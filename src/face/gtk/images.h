/* The images of one surface: from the address an agent gives to a texture, decoded by another process.
 *
 * An address is `data:` or one that the host has bytes for; nothing is fetched. The bytes are decoded by the host's
 * program (sj_gtk_host.decoder), a few at a time and each within a time. Equal bytes are decoded once; what nobody uses
 * any more stays while there is room, so that a row scrolled out and in again is not decoded twice.
 */
#ifndef SJ_FACE_GTK_IMAGES_H
#define SJ_FACE_GTK_IMAGES_H

#include "face/gtk/gtk.h"

#define SJ_GTK_IMAGE_SIDE 2048 /* pixels: larger ones are made smaller by the decoder */

struct sj_gtk_images;
struct sj_gtk_image; /* one use of one image */

struct sj_gtk_image_state {
	bool loading;
	GdkTexture *texture; /* NULL: none (yet); borrowed while the use lasts */
	int width, height;   /* natural */
	const char *why;     /* there is none, in words for a person; NULL: it is loading or here */
};

/* `host` is copied. */
struct sj_gtk_images *sj_gtk_images_new(const struct sj_gtk_host *host, const struct sj_limits *l);
void sj_gtk_images_free(struct sj_gtk_images *all); /* ends what runs; uses that remain are void. NULL: nothing */
bool sj_gtk_images_busy(const struct sj_gtk_images *all);
size_t sj_gtk_images_bytes(const struct sj_gtk_images *all);  /* of textures, used or not */
guint sj_gtk_images_running(const struct sj_gtk_images *all); /* processes */

/* `changed` is called from the main loop each time the state differs, never from inside this call; it drops no use.
 * NULL: the address is nothing that could be had, and `*why` says so. */
struct sj_gtk_image *sj_gtk_image_use(struct sj_gtk_images *all, struct sj_slice address, void (*changed)(void *ctx),
                                      void *ctx, const char **why);
void sj_gtk_image_drop(struct sj_gtk_image *use); /* NULL: nothing */
struct sj_gtk_image_state sj_gtk_image_state(const struct sj_gtk_image *use);

/* The bytes of a `data:` address (RFC 2397): percent-encoded, or base64 by its strict alphabet, blanks allowed. NULL:
 * it is none, is longer than `most`, or is not an image of a kind that is decoded; `*why` says which. */
GBytes *sj_gtk_data_address(struct sj_slice address, size_t most, const char **why);

#endif
