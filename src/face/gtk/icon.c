/* Icons: a glyph that is the theme's or drawn from path data, and the component. */
#include "face/gtk/icon.h"

#include "face/gtk/internal.h"
#include "face/gtk/path.h"

#define UNITS 24.0
#define PEN 2.2
#define GAP 5.0 /* cleared around the stroke through what is off */

struct _SjGtkGlyph {
	GtkWidget parent_instance;
	const struct sj_gtk_drawing *drawing; /* NULL: `path` */
	char *path;
	size_t path_len;
	GtkIconPaintable *themed;             /* NULL: drawn by us, or not looked up yet */
	bool own;
	int size;
};

G_DEFINE_TYPE(SjGtkGlyph, sj_gtk_glyph, GTK_TYPE_WIDGET)

/* ---- drawing ----------------------------------------------------------------------------------------------------- */

static void to_move(void *ctx, double x, double y) { cairo_move_to(ctx, x, y); }
static void to_line(void *ctx, double x, double y) { cairo_line_to(ctx, x, y); }
static void to_close(void *ctx) { cairo_close_path(ctx); }

static void to_curve(void *ctx, double x1, double y1, double x2, double y2, double x, double y)
{
	cairo_curve_to(ctx, x1, y1, x2, y2, x, y);
}

/* Drawings are ours, and a path was held against the engine's limits when it came. */
static void trace(cairo_t *cr, struct sj_slice text)
{
	static const struct sj_limits none = {.drawing_bytes = UINT32_MAX, .drawing_segments = UINT32_MAX};
	const struct sj_path_sink sink = {to_move, to_line, to_curve, to_close, cr};
	cairo_new_path(cr);
	if (sj_path_read(text, &none, &sink, NULL, NULL) != SJ_OK)
		cairo_new_path(cr);
}

static void draw(cairo_t *cr, const struct sj_gtk_drawing *d)
{
	cairo_set_line_width(cr, PEN);
	cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
	cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
	if (d->fill) {
		trace(cr, sj_slice_of(d->fill));
		cairo_fill(cr);
	}
	if (d->line) {
		trace(cr, sj_slice_of(d->line));
		cairo_stroke(cr);
	}
	if (d->struck) {
		cairo_move_to(cr, 4, 3.5);
		cairo_line_to(cr, 20.5, 20);
		cairo_set_operator(cr, CAIRO_OPERATOR_DEST_OUT);
		cairo_set_line_width(cr, GAP);
		cairo_stroke_preserve(cr);
		cairo_set_operator(cr, CAIRO_OPERATOR_OVER);
		cairo_set_line_width(cr, PEN);
		cairo_stroke(cr);
	}
}

static bool is_mirrored(SjGtkGlyph *g)
{
	return g->drawing && g->drawing->turns && gtk_widget_get_direction(GTK_WIDGET(g)) == GTK_TEXT_DIR_RTL;
}

/* The theme may change, and the scale with the monitor: looked up again after either. */
static void look_up(SjGtkGlyph *g)
{
	GtkIconTheme *theme = gtk_icon_theme_get_for_display(gtk_widget_get_display(GTK_WIDGET(g)));
	char *name;
	g_clear_object(&g->themed);
	if (g->own || !g->drawing || !g->drawing->theme)
		return;
	name = g_strconcat(g->drawing->theme, "-symbolic", NULL);
	if (gtk_icon_theme_has_icon(theme, name))
		g->themed = gtk_icon_theme_lookup_icon(theme, name, NULL, g->size,
		                                       gtk_widget_get_scale_factor(GTK_WIDGET(g)),
		                                       GTK_TEXT_DIR_LTR, GTK_ICON_LOOKUP_FORCE_SYMBOLIC);
	g_free(name);
}

static void snapshot(GtkWidget *w, GtkSnapshot *s)
{
	SjGtkGlyph *g = SJ_GTK_GLYPH(w);
	float side = (float)MIN(gtk_widget_get_width(w), gtk_widget_get_height(w));
	GdkRGBA colour[4];
	if (side <= 0)
		return;
	gtk_style_context_get_color(gtk_widget_get_style_context(w), &colour[0]);
	colour[1] = colour[2] = colour[3] = colour[0];
	gtk_snapshot_save(s);
	gtk_snapshot_translate(s, &GRAPHENE_POINT_INIT(((float)gtk_widget_get_width(w) - side) / 2,
	                                               ((float)gtk_widget_get_height(w) - side) / 2));
	if (is_mirrored(g)) {
		gtk_snapshot_translate(s, &GRAPHENE_POINT_INIT(side, 0));
		gtk_snapshot_scale(s, -1, 1);
	}
	if (g->themed) {
		gtk_symbolic_paintable_snapshot_symbolic(GTK_SYMBOLIC_PAINTABLE(g->themed), GDK_SNAPSHOT(s),
		                                         (double)side, (double)side, colour, 4);
	} else {
		cairo_t *cr = gtk_snapshot_append_cairo(s, &GRAPHENE_RECT_INIT(0, 0, side, side));
		cairo_push_group(cr);
		cairo_scale(cr, (double)side / UNITS, (double)side / UNITS);
		/* Opaque first: where a fill and a line lie over each other, a colour that lets light through would
		 * show twice. */
		cairo_set_source_rgb(cr, (double)colour[0].red, (double)colour[0].green, (double)colour[0].blue);
		if (g->drawing) {
			draw(cr, g->drawing);
		} else {
			trace(cr, sj_slice(g->path, g->path_len));
			cairo_fill(cr);
		}
		cairo_pop_group_to_source(cr);
		cairo_paint_with_alpha(cr, (double)colour[0].alpha);
		cairo_destroy(cr);
	}
	gtk_snapshot_restore(s);
}

static void measure(GtkWidget *w, GtkOrientation axis, int across, int *least, int *natural, int *b1, int *b2)
{
	(void)axis;
	(void)across;
	(void)b1;
	(void)b2;
	*least = *natural = SJ_GTK_GLYPH(w)->size;
}

/* ---- the object -------------------------------------------------------------------------------------------------- */

static void refresh(GtkWidget *w)
{
	look_up(SJ_GTK_GLYPH(w));
	gtk_widget_queue_draw(w);
}

static void system_setting_changed(GtkWidget *w, GtkSystemSetting setting)
{
	GTK_WIDGET_CLASS(sj_gtk_glyph_parent_class)->system_setting_changed(w, setting);
	if (setting == GTK_SYSTEM_SETTING_ICON_THEME)
		refresh(w);
}

static void forget(SjGtkGlyph *g)
{
	g_clear_object(&g->themed);
	g_clear_pointer(&g->path, g_free);
	g->drawing = NULL;
	g->own = false;
}

static void finalize(GObject *o)
{
	forget(SJ_GTK_GLYPH(o));
	G_OBJECT_CLASS(sj_gtk_glyph_parent_class)->finalize(o);
}

static void sj_gtk_glyph_class_init(SjGtkGlyphClass *c)
{
	GtkWidgetClass *w = GTK_WIDGET_CLASS(c);
	G_OBJECT_CLASS(c)->finalize = finalize;
	w->snapshot = snapshot;
	w->measure = measure;
	w->system_setting_changed = system_setting_changed;
	gtk_widget_class_set_css_name(w, "image");
	gtk_widget_class_set_accessible_role(w, GTK_ACCESSIBLE_ROLE_IMG);
}

static void sj_gtk_glyph_init(SjGtkGlyph *g)
{
	g_signal_connect(g, "notify::scale-factor", G_CALLBACK(refresh), NULL);
}

GtkWidget *sj_gtk_glyph_new(int size)
{
	SjGtkGlyph *g = g_object_new(SJ_GTK_TYPE_GLYPH, "valign", GTK_ALIGN_CENTER, "halign", GTK_ALIGN_CENTER, NULL);
	g->size = size;
	g->drawing = &SJ_GTK_UNKNOWN_DRAWING;
	return GTK_WIDGET(g);
}

void sj_gtk_glyph_set_size(SjGtkGlyph *g, int size)
{
	if (g->size == size)
		return;
	g->size = size;
	refresh(GTK_WIDGET(g));
	gtk_widget_queue_resize(GTK_WIDGET(g));
}

void sj_gtk_glyph_set_drawing(SjGtkGlyph *g, const struct sj_gtk_drawing *d)
{
	if (g->drawing == d && !g->own)
		return;
	forget(g);
	g->drawing = d;
	refresh(GTK_WIDGET(g));
}

void sj_gtk_glyph_set_own(SjGtkGlyph *g, const struct sj_gtk_drawing *d)
{
	forget(g);
	g->drawing = d;
	g->own = true;
	refresh(GTK_WIDGET(g));
}

void sj_gtk_glyph_set_path(SjGtkGlyph *g, struct sj_slice path)
{
	forget(g);
	g->path = g_memdup2(path.ptr, path.len);
	g->path_len = path.len;
	refresh(GTK_WIDGET(g));
}

/* ---- the component ----------------------------------------------------------------------------------------------- */

/* "shoppingCart" and "shopping_cart" -> "shopping cart": as assistive technology hears it too. */
static char *spoken(const char *name)
{
	GString *out = g_string_new(NULL);
	for (const char *c = name; *c; c++) {
		bool upper = g_ascii_isupper(*c);
		if (upper && c > name && g_ascii_islower(c[-1]))
			g_string_append_c(out, ' ');
		g_string_append_c(out, *c == '_' || *c == '-' ? ' ' : upper ? g_ascii_tolower(*c) : *c);
	}
	return g_string_free(out, FALSE);
}

static void icon_build(struct sj_gtk_node *n) { n->widget = sj_gtk_glyph_new((int)UNITS); }

static void set_named(struct sj_gtk_node *n)
{
	char *name = sj_gtk_line(n, SJ_P_NAME), *words = spoken(name);
	const struct sj_gtk_drawing *d = sj_gtk_drawing(sj_slice_of(name));
	sj_gtk_glyph_set_drawing(SJ_GTK_GLYPH(n->widget), d ? d : &SJ_GTK_UNKNOWN_DRAWING);
	sj_gtk_tip(n->widget, d || !*words ? NULL : words);
	g_free(words);
	g_free(name);
}

static void set_path(struct sj_gtk_node *n, struct sj_slice path)
{
	struct sj_diag diag = {0};
	bool drawn = false;
	enum sj_status s = sj_path_read(path, sj_engine_limits(sj_gtk_engine(n->surface)), NULL, &drawn, &diag);
	if (s == SJ_OK && drawn)
		sj_gtk_glyph_set_path(SJ_GTK_GLYPH(n->widget), path);
	else
		sj_gtk_glyph_set_drawing(SJ_GTK_GLYPH(n->widget), &SJ_GTK_UNKNOWN_DRAWING);
	sj_gtk_tip(n->widget, s != SJ_OK ? diag.message : NULL);
}

static void icon_update(struct sj_gtk_node *n, uint64_t mask)
{
	const struct sj_value *v = sj_gtk_value(n, SJ_P_NAME);
	const struct sj_value *path = v && v->type == SJ_V_OBJECT ? sj_value_get(v, SJ_LIT("svgPath")) : NULL;
	if (!(mask & SJ_GTK_BIT(NAME)))
		return;
	if (v && v->type == SJ_V_OBJECT && !path)
		path = sj_value_get(v, SJ_LIT("path")); /* drafts of v0.9 */
	if (path && sj_value_is_string(path))
		set_path(n, sj_value_text(path));
	else
		set_named(n);
}

const struct sj_gtk_class SJ_GTK_ICON = {.build = icon_build, .update = icon_update};
