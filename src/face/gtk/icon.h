/* Icons: the names of the protocol, the symbolic icon of the person's theme that means the same, and drawings of our
 * own for where there is none. Units of a drawing are those of a picture 24 wide and 24 high. */
#ifndef SJ_FACE_GTK_ICON_H
#define SJ_FACE_GTK_ICON_H

#include <gtk/gtk.h>

#include "base/slice.h"

struct sj_gtk_drawing {
	const char *name;
	const char *theme; /* a symbolic icon that means the same, without "-symbolic"; NULL: none does */
	const char *fill;  /* path data; NULL: nothing filled */
	const char *line;  /* path data, drawn as a line with round ends; NULL: no lines */
	bool struck;       /* a stroke through it: the thing is off */
	bool turns;        /* points along the text: mirrored from right to left */
};

extern const struct sj_gtk_drawing SJ_GTK_DRAWINGS[];
extern const size_t SJ_GTK_NDRAWINGS;
/* Stands for a name that nobody knows and for a path that cannot be read. */
extern const struct sj_gtk_drawing SJ_GTK_UNKNOWN_DRAWING;

const struct sj_gtk_drawing *sj_gtk_drawing(struct sj_slice name); /* NULL: no such name */

/* A square that draws one icon in the colour of the text around it. */
#define SJ_GTK_TYPE_GLYPH sj_gtk_glyph_get_type()
G_DECLARE_FINAL_TYPE(SjGtkGlyph, sj_gtk_glyph, SJ_GTK, GLYPH, GtkWidget)
GtkWidget *sj_gtk_glyph_new(int size);
void sj_gtk_glyph_set_size(SjGtkGlyph *g, int size);
/* The theme's icon where it has one. `d` is borrowed for good. */
void sj_gtk_glyph_set_drawing(SjGtkGlyph *g, const struct sj_gtk_drawing *d);
/* As set_drawing, but never the theme's. */
void sj_gtk_glyph_set_own(SjGtkGlyph *g, const struct sj_gtk_drawing *d);
/* Path data that sj_path_read takes; copied. */
void sj_gtk_glyph_set_path(SjGtkGlyph *g, struct sj_slice path);

#endif
