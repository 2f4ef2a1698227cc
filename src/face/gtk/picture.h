/* SjGtkPicture: a picture, or the calm frame that stands where one would. */
#ifndef SJ_FACE_GTK_PICTURE_H
#define SJ_FACE_GTK_PICTURE_H

#include "face/gtk/icon.h"
#include "face/gtk/images.h"

enum sj_gtk_fit {
	SJ_GTK_FIT_NONE_SAID, /* fills the area and keeps its shape */
	SJ_GTK_CONTAIN,
	SJ_GTK_COVER,
	SJ_GTK_FILL,
	SJ_GTK_NATURAL,
	SJ_GTK_SCALE_DOWN,
};

struct sj_gtk_frame { /* how much room a variant takes, in pixels */
	const char *variant;
	int width, height; /* natural; of one with `wide` without a picture */
	int least;         /* width below which it does not go */
	int tallest;       /* of one whose height follows its width */
	bool wide;         /* as wide as there is room */
	bool cropped;      /* always filled, never distorted */
	bool round;
};

#define SJ_GTK_TYPE_PICTURE sj_gtk_picture_get_type()
G_DECLARE_FINAL_TYPE(SjGtkPicture, sj_gtk_picture, SJ_GTK, PICTURE, GtkWidget)

GtkWidget *sj_gtk_picture_new(void);
void sj_gtk_picture_set_frame(SjGtkPicture *p, const struct sj_gtk_frame *frame, enum sj_gtk_fit fit);
bool sj_gtk_picture_is_wide(const SjGtkPicture *p); /* takes the width there is */
/* `texture` NULL: the frame, with `d` and `words` (either may be NULL). */
void sj_gtk_picture_set(SjGtkPicture *p, GdkTexture *texture, int width, int height, const struct sj_gtk_drawing *d,
                        const char *words);
/* Where a picture of this size stands in an area, by `fit`. */
graphene_rect_t sj_gtk_fit_rect(enum sj_gtk_fit fit, double width, double height, double area_width,
                                double area_height);

#endif
