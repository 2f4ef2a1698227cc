/* The GTK 4 face: one surface as native widgets, in the person's own theme.
 *
 * SjGtkSurface is a widget that shows one view of an engine and turns what a person does into the engine's inlets. It
 * scrolls, draws dialogs inside its own bounds and opens no window of its own: what frames a surface stays above it.
 * It never runs the engine's events: after each inlet it calls `entered`, and the embedder takes the events and says
 * sj_gtk_surface_refresh when the view has changed. Changes are drawn in the frame clock, a few milliseconds a frame.
 *
 * Ownership: the engine and the view belong to the embedder and outlive the widget, or sj_gtk_surface_close is called
 * when the view goes. One thread: GTK's. Out of memory ends the program, as everywhere in GLib.
 */
#ifndef SJ_FACE_GTK_GTK_H
#define SJ_FACE_GTK_GTK_H

#include <gtk/gtk.h>

#include "engine/engine.h"

struct sj_gtk_class; /* widget.h */
struct sj_gtk_named {
	const char *type; /* of a component, as the catalog spells it */
	const struct sj_gtk_class *drawn;
};

struct sj_gtk_host {
	/* Something went into the engine: events wait. Called from inside GTK's signal handlers; may not destroy the
	 * widget. */
	void (*entered)(void *ctx);
	/* A person activated a link in a text. Nothing follows it otherwise. NULL: links are text. */
	void (*link)(void *ctx, GtkWidget *surface, const char *address);
	/* The bytes behind an address that an image or a recording names, when the host has them at hand (a file beside
	 * the one it opened): a new reference; NULL: it has not. Nothing else is loaded. NULL: there are none. */
	GBytes *(*resource)(void *ctx, const char *address);
	/* The program that decodes images (src/app/decode.c); copied. NULL: images stay frames. */
	const char *decoder;
	void *ctx;
	const struct sj_gtk_named *widgets; /* of the app's own components; they outlive the surface */
	size_t nwidgets;
};

#define SJ_GTK_TYPE_SURFACE sj_gtk_surface_get_type()
G_DECLARE_FINAL_TYPE(SjGtkSurface, sj_gtk_surface, SJ_GTK, SURFACE, GtkWidget)

/* `host` is copied. */
GtkWidget *sj_gtk_surface_new(struct sj_engine *e, struct sj_view *v, const struct sj_gtk_host *host);
/* The view may have changed: what did is drawn in the next frames. */
void sj_gtk_surface_refresh(SjGtkSurface *s);
/* The view is dead: what is drawn stays as it is, takes no input and touches the engine no more. */
void sj_gtk_surface_close(SjGtkSurface *s);
/* Draws everything that waits, now and without a budget: for pictures and tests. `height`: pixels to fill. */
void sj_gtk_surface_finish_now(SjGtkSurface *s, int height);
/* A surface that has had more to draw than fits its share of the frames for so long (10 s) is drawn no more, and says
 * so; the person may let it go on. */
void sj_gtk_surface_set_patience(SjGtkSurface *s, int64_t us);
/* Pixels that what is drawn so far wants at this width. */
int sj_gtk_surface_height(SjGtkSurface *s, int width);
/* How many pixels it asks for at most (640); what does not fit is scrolled to. It takes more where there is more. */
void sj_gtk_surface_set_tallest(SjGtkSurface *s, int pixels);
/* Nothing waits to be drawn. */
bool sj_gtk_surface_is_settled(SjGtkSurface *s);

/* Loads the face's style sheet and icons for a display; done once, more calls do nothing. */
void sj_gtk_init(GdkDisplay *display);

#endif
