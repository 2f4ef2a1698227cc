/* A row or a column of nodes. It knows all of its children by handle and size, and has widgets for those that are near
 * the visible part of the surface; the size of the others is what they had when they were last seen, or a guess.
 *
 * A column gives each child its height and the whole width. A row shares its width: what is natural to each, the rest
 * by weight; where its children do not fit they go on in further lines.
 */
#include "face/gtk/internal.h"
#include "face/gtk/picture.h"

#include <math.h>

#define GUESS 40     /* pixels of a child that nobody has seen */
#define READABLE 96  /* a text beside others gets at least this much of a line before the row breaks */

struct item {
	sj_node_id id;
	GtkWidget *widget; /* NULL: not made */
	int size;          /* along the axis; -1: unknown */
	float weight;
};

struct _SjGtkFlex {
	GtkWidget parent_instance;
	SjGtkSurface *surface; /* NULL once it is dropped */
	GtkOrientation axis;
	sj_node_id follows;
	SJ_VEC(struct item) items; /* g_realloc'd */
	enum sj_gtk_justify justify, align;
	GtkWidget *clip;
	int wide;      /* virtual: the widest it has been asked to be, so that scrolling does not change the width */
	uint32_t lo, hi; /* the window told to the core */
	bool has_weights;
};

G_DEFINE_TYPE(SjGtkFlex, sj_gtk_flex, GTK_TYPE_WIDGET)

static bool is_row(const SjGtkFlex *f) { return f->axis == GTK_ORIENTATION_HORIZONTAL; }

static bool is_virtual(const SjGtkFlex *f)
{
	return f->surface && (!is_row(f) || f->clip) &&
	       (f->items.count > SJ_GTK_LONG || sj_gtk_is_crowded(f->surface));
}

static bool is_shown(const struct item *it) { return it->widget && gtk_widget_should_layout(it->widget); }

/* ---- children ---------------------------------------------------------------------------------------------------- */

static GtkWidget *live_after(const SjGtkFlex *f, uint32_t i)
{
	for (uint32_t k = i + 1; k < f->items.count; k++)
		if (f->items.items[k].widget)
			return f->items.items[k].widget;
	return NULL;
}

/* Controls and pictures keep their size where a container would be stretched. */
static bool keeps_size(const struct sj_gtk_node *n, bool across)
{
	if (n->why != SJ_WHY_SHOWN)
		return !across;
	switch (n->kind) {
	case SJ_UI_BUTTON:
	case SJ_UI_ICON:
	case SJ_UI_MODAL:
	case SJ_UI_RATING:
		return true;
	case SJ_UI_IMAGE:
		return !across || !SJ_GTK_IS_PICTURE(n->widget) || !sj_gtk_picture_is_wide(SJ_GTK_PICTURE(n->widget));
	case SJ_UI_TEXT:
	case SJ_UI_CHECK_BOX:
	case SJ_UI_STEPPER:
	case SJ_UI_SUMMARY:
	case SJ_UI_SLIDER:
	case SJ_UI_DATE_TIME:
	case SJ_UI_TEXT_FIELD:
	case SJ_UI_CHOICE:
	case SJ_UI_VIDEO:
	case SJ_UI_AUDIO:
		return !across;
	case SJ_UI_ROW:
	case SJ_UI_COLUMN:
	case SJ_UI_LIST:
	case SJ_UI_CARD:
	case SJ_UI_TABS:
	case SJ_UI_DIVIDER:
	case SJ_UI_BOX:
	case SJ_UI_LIST_ITEM:
	case SJ_UI_APP_BAR:
	case SJ_UI_PROGRESS:
	case SJ_UI_OVERLAY:
	case SJ_UI_SCROLL:
	case SJ_UI_PAGER:
	case SJ_UI_NAV:
	case SJ_UI_CUSTOM:
	case SJ_UI_KIND_COUNT:
		return false;
	}
	return false;
}

static void align_child(SjGtkFlex *f, GtkWidget *w)
{
	const struct sj_gtk_node *n = sj_gtk_node_of(w);
	GtkAlign a = f->align == SJ_GTK_CENTER ? GTK_ALIGN_CENTER
	             : f->align == SJ_GTK_END ? GTK_ALIGN_END
	             : f->align == SJ_GTK_START ? GTK_ALIGN_START
	                                        : GTK_ALIGN_FILL;
	if (is_row(f)) {
		gtk_widget_set_valign(w, a == GTK_ALIGN_FILL && n && keeps_size(n, false) ? GTK_ALIGN_CENTER : a);
	} else {
		bool natural = n && keeps_size(n, true);
		/* A row that spreads its children has the whole width to do so. */
		bool spreads = SJ_GTK_IS_FLEX(w) && is_row(SJ_GTK_FLEX(w)) &&
		               (SJ_GTK_FLEX(w)->justify != SJ_GTK_START || SJ_GTK_FLEX(w)->has_weights);
		gtk_widget_set_halign(w, spreads                          ? GTK_ALIGN_FILL
		                         : a == GTK_ALIGN_FILL && natural ? GTK_ALIGN_START
		                                                          : a);
	}
}

static void align_self(SjGtkFlex *f)
{
	GtkWidget *parent = gtk_widget_get_parent(GTK_WIDGET(f));
	if (parent && SJ_GTK_IS_FLEX(parent))
		align_child(SJ_GTK_FLEX(parent), GTK_WIDGET(f));
}

static void make(SjGtkFlex *f, uint32_t i)
{
	struct sj_gtk_node *n = sj_gtk_node_new(f->surface, f->items.items[i].id);
	f->items.items[i].widget = n->widget;
	gtk_widget_insert_before(n->widget, GTK_WIDGET(f), live_after(f, i));
	align_child(f, n->widget);
}

/* The widget leaves first: what it says on the way out (a field that loses the focus) still finds its record. */
static void drop(struct item *it)
{
	GtkWidget *w = it->widget;
	if (!w)
		return;
	it->widget = NULL;
	g_object_ref(w);
	gtk_widget_unparent(w);
	if (sj_gtk_node_of(w))
		sj_gtk_node_free(sj_gtk_node_of(w));
	g_object_unref(w);
}

void sj_gtk_flex_drop_all(SjGtkFlex *f)
{
	for (uint32_t i = 0; i < f->items.count; i++)
		drop(&f->items.items[i]);
	f->items.count = 0;
}

void sj_gtk_flex_renew(SjGtkFlex *f, GtkWidget *child)
{
	for (uint32_t i = 0; i < f->items.count; i++) {
		if (f->items.items[i].widget != child)
			continue;
		drop(&f->items.items[i]);
		make(f, i);
		gtk_widget_queue_resize(GTK_WIDGET(f));
		return;
	}
}

static float weight_of(const SjGtkFlex *f, sj_node_id id)
{
	const struct sj_value *v = sj_node_ui(sj_gtk_core(f->surface), id, SJ_P_WEIGHT);
	double weight = v && sj_value_is_number(v) ? sj_value_double(v) : 0;
	return weight > 0 && weight < 1e6 ? (float)weight : 0;
}

void sj_gtk_flex_weights(SjGtkFlex *f)
{
	f->has_weights = false;
	for (uint32_t i = 0; i < f->items.count && f->items.count <= SJ_GTK_LONG; i++) {
		f->items.items[i].weight = weight_of(f, f->items.items[i].id);
		f->has_weights = f->has_weights || f->items.items[i].weight > 0;
	}
	align_self(f);
	gtk_widget_queue_resize(GTK_WIDGET(f));
}

void sj_gtk_flex_set_nodes(SjGtkFlex *f, const sj_node_id *nodes, uint32_t count)
{
	uint32_t old = f->items.count, head = 0, tail = 0;
	while (head < old && head < count && f->items.items[head].id == nodes[head])
		head++;
	while (tail < old - head && tail < count - head &&
	       f->items.items[old - 1 - tail].id == nodes[count - 1 - tail])
		tail++;
	if (head == old && old == count)
		return;
	uint32_t went = old - head - tail, came = count - head - tail;
	struct item *mid = g_memdup2(f->items.items + head, went * sizeof *mid);
	if (count > f->items.cap) {
		f->items.cap = count + count / 2;
		f->items.items = g_renew(struct item, f->items.items, f->items.cap);
	}
	memmove(f->items.items + head + came, f->items.items + old - tail, tail * sizeof *mid);
	f->items.count = count;
	for (uint32_t i = 0; i < came; i++)
		f->items.items[head + i] = (struct item){nodes[head + i], NULL, -1, 0};
	/* What only moved keeps its widget, and with it the person's caret. */
	if (came > 0 && went > 0) {
		GHashTable *places = g_hash_table_new(g_int64_hash, g_int64_equal);
		for (uint32_t i = 0; i < came; i++)
			g_hash_table_insert(places, &f->items.items[head + i].id, &f->items.items[head + i]);
		for (uint32_t i = 0; i < went; i++) {
			struct item *to = g_hash_table_lookup(places, &mid[i].id);
			if (!to || to->widget)
				continue;
			*to = mid[i];
			mid[i].widget = NULL;
		}
		g_hash_table_unref(places);
	}
	for (uint32_t i = 0; i < went; i++)
		drop(&mid[i]);
	g_free(mid);
	for (uint32_t i = head + came; i-- > head;)
		if (f->items.items[i].widget)
			gtk_widget_insert_before(f->items.items[i].widget, GTK_WIDGET(f), live_after(f, i));
	f->lo = f->hi = 0;
	if (is_row(f) || f->items.count <= SJ_GTK_LONG)
		sj_gtk_flex_weights(f);
	gtk_widget_queue_resize(GTK_WIDGET(f));
	sj_gtk_touch(f->surface);
}

void sj_gtk_flex_follow(SjGtkFlex *f, sj_node_id parent)
{
	struct sj_surface *core = sj_gtk_core(f->surface);
	uint32_t all = sj_node_child_count(core, parent), count = 0;
	sj_node_id *ids = g_new(sj_node_id, all + 1);
	for (uint32_t i = 0; i < all; i++) {
		sj_node_id id = sj_node_child(core, parent, i);
		if (sj_node_why(core, id) != SJ_WHY_HIDDEN)
			ids[count++] = id;
	}
	f->follows = parent;
	sj_gtk_flex_set_nodes(f, ids, count);
	g_free(ids);
}

/* ---- what is near ------------------------------------------------------------------------------------------------ */

static int guess(const SjGtkFlex *f)
{
	int64_t sum = 0;
	uint32_t known = 0;
	for (uint32_t i = 0; i < f->items.count; i++)
		if (f->items.items[i].size >= 0) {
			sum += f->items.items[i].size;
			known++;
		}
	return known > 0 ? (int)(sum / known) : GUESS;
}

static double seen_from(SjGtkFlex *f, GtkWidget *clip, int least, double *room)
{
	graphene_point_t zero = {0, 0}, at;
	int length = is_row(f) ? gtk_widget_get_width(clip) : gtk_widget_get_height(clip);
	*room = length > 0 ? length : least;
	if (gtk_widget_get_width(GTK_WIDGET(f)) <= 0 || !gtk_widget_compute_point(GTK_WIDGET(f), clip, &zero, &at))
		return 0;
	return -(double)(is_row(f) ? at.x : at.y);
}

bool sj_gtk_flex_fill(SjGtkFlex *f, GtkWidget *viewport, int least, int64_t until)
{
	bool virtual = is_virtual(f), changed = false, whole = true;
	double room = 0, from = virtual ? seen_from(f, f->clip ? f->clip : viewport, least, &room) : 0, at = 0;
	double margin = room / 2;
	int typical = virtual ? guess(f) : 0;
	uint32_t lo = UINT32_MAX, hi = 0;
	GtkWidget *focus = gtk_widget_get_focus_child(GTK_WIDGET(f));

	for (uint32_t i = 0; i < f->items.count; i++) {
		struct item *it = &f->items.items[i];
		int size = it->size >= 0 ? it->size : typical;
		bool near = !virtual || (at + size >= from - margin && at <= from + room + margin);
		bool far = virtual && (at + size < from - 2 * margin - 200 || at > from + room + 2 * margin + 200);
		at += size;
		if (near) {
			lo = MIN(lo, i);
			hi = i + 1;
		}
		if (near && !it->widget) {
			if (g_get_monotonic_time() >= until) {
				whole = false;
				continue;
			}
			make(f, i);
			changed = true;
		} else if (far && it->widget && it->widget != focus) {
			drop(it);
			changed = true;
		}
	}
	if (virtual && f->follows && lo < hi && (lo != f->lo || hi != f->hi)) {
		f->lo = lo;
		f->hi = hi;
		sj_node_window(sj_gtk_core(f->surface), f->follows, lo, hi);
		sj_gtk_touch(f->surface);
	}
	if (changed)
		gtk_widget_queue_resize(GTK_WIDGET(f));
	return whole;
}

/* ---- a column ---------------------------------------------------------------------------------------------------- */

static int height_for(GtkWidget *w, int width)
{
	int least, natural, height;
	if (gtk_widget_get_halign(w) != GTK_ALIGN_FILL && width >= 0) {
		gtk_widget_measure(w, GTK_ORIENTATION_HORIZONTAL, -1, &least, &natural, NULL, NULL);
		width = MAX(least, MIN(natural, width));
	}
	gtk_widget_measure(w, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
	return height;
}

static int column_height(SjGtkFlex *f, int width)
{
	int64_t sum = 0;
	for (uint32_t i = 0; i < f->items.count; i++)
		if (f->items.items[i].widget)
			f->items.items[i].size = is_shown(&f->items.items[i])
			                                 ? height_for(f->items.items[i].widget, width)
			                                 : 0;
	int typical = guess(f);
	for (uint32_t i = 0; i < f->items.count; i++)
		sum += f->items.items[i].size >= 0 ? f->items.items[i].size : typical;
	return (int)MIN(sum, G_MAXINT / 4);
}

struct spread {
	double before, between;
};

static struct spread spread_of(enum sj_gtk_justify justify, double extra, uint32_t n)
{
	struct spread s = {0, 0};
	if (extra <= 0 || n == 0)
		return s;
	switch (justify) {
	case SJ_GTK_CENTER:
		s.before = extra / 2;
		break;
	case SJ_GTK_END:
		s.before = extra;
		break;
	case SJ_GTK_BETWEEN:
		s.between = n > 1 ? extra / (n - 1) : 0;
		break;
	case SJ_GTK_AROUND:
		s.between = extra / n;
		s.before = s.between / 2;
		break;
	case SJ_GTK_EVENLY:
		s.between = s.before = extra / (n + 1);
		break;
	case SJ_GTK_START:
	case SJ_GTK_STRETCH:
		break;
	}
	return s;
}

static void allocate_column(SjGtkFlex *f, int width, int height)
{
	int needed = column_height(f, width), typical = guess(f);
	double extra = height > needed ? height - needed : 0, weights = 0, y;
	for (uint32_t i = 0; i < f->items.count; i++)
		weights += (double)f->items.items[i].weight;
	struct spread s = spread_of(f->justify, weights > 0 ? 0 : extra, f->items.count);
	y = s.before;
	for (uint32_t i = 0; i < f->items.count; i++) {
		struct item *it = &f->items.items[i];
		double size = it->size >= 0 ? it->size : typical;
		if (weights > 0)
			size += extra * (double)it->weight / weights;
		if (is_shown(it)) {
			GtkAllocation at = {0, (int)y, width, (int)size};
			gtk_widget_size_allocate(it->widget, &at, -1);
		}
		y += size + s.between;
	}
}

/* ---- a row ------------------------------------------------------------------------------------------------------- */

struct cell {
	uint32_t item;
	int least, natural, width;
	bool frozen; /* by weight it would get less than its least */
};
struct line {
	uint32_t first, count; /* cells */
	int height;
};

/* Children of a row with their widths, in lines. */
struct lines {
	struct cell *cells;
	struct line *lines;
	uint32_t ncells, nlines;
};

/* Weight shares the whole of what the others leave, not only what is left over; but nobody gets less than the least. */
static void share_by_weight(SjGtkFlex *f, struct cell *c, uint32_t n, int extra)
{
	bool settled = false;
	for (uint32_t round = 0; round <= n && !settled; round++) {
		double weights = 0, whole = extra;
		for (uint32_t i = 0; i < n; i++)
			if (f->items.items[c[i].item].weight > 0 && !c[i].frozen) {
				weights += (double)f->items.items[c[i].item].weight;
				whole += c[i].least;
			}
		settled = true;
		for (uint32_t i = 0; i < n && weights > 0; i++) {
			double part = whole * (double)f->items.items[c[i].item].weight / weights;
			if (part <= 0 || c[i].frozen)
				continue;
			c[i].width = MAX((int)part, c[i].least);
			if (part < c[i].least) {
				c[i].frozen = true;
				settled = false;
			}
		}
	}
}

static void share(SjGtkFlex *f, struct cell *c, uint32_t n, int width)
{
	GtkRequestedSize *sizes = g_newa(GtkRequestedSize, SJ_GTK_LONG * 2);
	double weights = 0;
	int used = 0;
	uint32_t k = 0;

	for (uint32_t i = 0; i < n; i++) {
		float weight = f->items.items[c[i].item].weight;
		c[i].width = c[i].least;
		c[i].frozen = false;
		used += c[i].least;
		weights += (double)weight;
		if (weight <= 0 && k < SJ_GTK_LONG * 2)
			sizes[k++] = (GtkRequestedSize){&c[i], c[i].least, c[i].natural};
	}
	int extra = gtk_distribute_natural_allocation(MAX(width - used, 0), k, sizes);
	for (uint32_t i = 0; i < k; i++)
		((struct cell *)sizes[i].data)->width = sizes[i].minimum_size;
	if (extra <= 0)
		return;
	if (weights > 0) {
		share_by_weight(f, c, n, extra);
	} else if (f->justify == SJ_GTK_STRETCH) {
		for (uint32_t i = 0; i < n; i++)
			c[i].width += extra / (int)n;
	}
}

static int comfortable(const SjGtkFlex *f, const struct cell *c)
{
	if (f->items.items[c->item].weight > 0)
		return c->least;
	return MIN(c->natural, MAX(c->least, READABLE));
}

static void layout_row(SjGtkFlex *f, int width, struct lines *out)
{
	out->cells = g_new(struct cell, f->items.count + 1);
	out->lines = g_new(struct line, f->items.count + 1);
	out->ncells = out->nlines = 0;
	for (uint32_t i = 0; i < f->items.count; i++) {
		struct cell *c = &out->cells[out->ncells];
		if (!is_shown(&f->items.items[i]))
			continue;
		c->item = i;
		gtk_widget_measure(f->items.items[i].widget, GTK_ORIENTATION_HORIZONTAL, -1, &c->least, &c->natural,
		                   NULL, NULL);
		out->ncells++;
	}
	for (uint32_t first = 0; first < out->ncells;) {
		uint32_t count = 0;
		int used = 0;
		while (first + count < out->ncells && count < SJ_GTK_LONG * 2) {
			used += comfortable(f, &out->cells[first + count]);
			if (count > 0 && width >= 0 && used > width && !f->clip)
				break;
			count++;
		}
		struct line *l = &out->lines[out->nlines++];
		*l = (struct line){first, count, 0};
		if (width >= 0 && !f->clip) {
			share(f, out->cells + first, count, width);
		} else {
			for (uint32_t i = 0; i < count; i++)
				out->cells[first + i].width = out->cells[first + i].natural;
		}
		for (uint32_t i = 0; i < count; i++) {
			int height;
			gtk_widget_measure(f->items.items[out->cells[first + i].item].widget, GTK_ORIENTATION_VERTICAL,
			                   out->cells[first + i].width, NULL, &height, NULL, NULL);
			l->height = MAX(l->height, height);
		}
		first += count;
	}
}

static void lines_finish(struct lines *l)
{
	g_free(l->cells);
	g_free(l->lines);
}

static void allocate_row(SjGtkFlex *f, int width, int height)
{
	bool rtl = gtk_widget_get_direction(GTK_WIDGET(f)) == GTK_TEXT_DIR_RTL;
	struct lines l;
	int y = 0;

	layout_row(f, width, &l);
	for (uint32_t k = 0; k < l.nlines; k++) {
		const struct line *line = &l.lines[k];
		int used = 0, tall = l.nlines == 1 ? MAX(line->height, height) : line->height;
		for (uint32_t i = 0; i < line->count; i++)
			used += l.cells[line->first + i].width;
		struct spread s = spread_of(f->justify, width - used, line->count);
		double x = s.before;
		for (uint32_t i = 0; i < line->count; i++) {
			const struct cell *c = &l.cells[line->first + i];
			GtkAllocation at = {rtl ? width - (int)x - c->width : (int)x, y, c->width, tall};
			gtk_widget_size_allocate(f->items.items[c->item].widget, &at, -1);
			x += c->width + s.between;
		}
		y += tall;
	}
	lines_finish(&l);
}

/* A row in a clip is as long as its children, seen or not. */
static int row_length(SjGtkFlex *f)
{
	int64_t sum = 0;
	for (uint32_t i = 0; i < f->items.count; i++)
		if (is_shown(&f->items.items[i]))
			gtk_widget_measure(f->items.items[i].widget, GTK_ORIENTATION_HORIZONTAL, -1, NULL,
			                   &f->items.items[i].size, NULL, NULL);
	int typical = guess(f);
	for (uint32_t i = 0; i < f->items.count; i++)
		sum += f->items.items[i].size >= 0 ? f->items.items[i].size : typical;
	return (int)MIN(sum, G_MAXINT / 4);
}

static void allocate_clipped(SjGtkFlex *f, int width, int height)
{
	bool rtl = gtk_widget_get_direction(GTK_WIDGET(f)) == GTK_TEXT_DIR_RTL;
	int length = row_length(f), typical = guess(f), x = 0;
	(void)length;
	for (uint32_t i = 0; i < f->items.count; i++) {
		int size = f->items.items[i].size >= 0 ? f->items.items[i].size : typical;
		if (is_shown(&f->items.items[i])) {
			GtkAllocation at = {rtl ? width - x - size : x, 0, size, height};
			gtk_widget_size_allocate(f->items.items[i].widget, &at, -1);
		}
		x += size;
	}
}

/* ---- GtkWidget --------------------------------------------------------------------------------------------------- */

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *least, int *natural,
                    int *least_base, int *natural_base)
{
	SjGtkFlex *f = SJ_GTK_FLEX(widget);
	int min, nat;

	*least = *natural = 0;
	*least_base = *natural_base = -1;
	if (is_row(f) && orientation == GTK_ORIENTATION_VERTICAL) {
		struct lines l;
		layout_row(f, f->clip ? -1 : for_size, &l);
		for (uint32_t i = 0; i < l.nlines; i++)
			*natural = f->clip ? MAX(*natural, l.lines[i].height) : *natural + l.lines[i].height;
		*least = *natural;
		lines_finish(&l);
		return;
	}
	if (orientation == GTK_ORIENTATION_VERTICAL) {
		*least = *natural = column_height(f, for_size);
		return;
	}
	if (is_row(f) && f->clip) {
		*least = *natural = row_length(f);
		return;
	}
	for (uint32_t i = 0; i < f->items.count; i++) {
		if (!is_shown(&f->items.items[i]))
			continue;
		gtk_widget_measure(f->items.items[i].widget, orientation, -1, &min, &nat, NULL, NULL);
		*least = MAX(*least, min);
		*natural = is_row(f) ? *natural + nat : MAX(*natural, nat);
	}
	if (is_virtual(f)) {
		f->wide = MAX(f->wide, *natural);
		*natural = f->wide;
	}
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
	SjGtkFlex *f = SJ_GTK_FLEX(widget);
	(void)baseline;
	if (!is_row(f))
		allocate_column(f, width, height);
	else if (f->clip)
		allocate_clipped(f, width, height);
	else
		allocate_row(f, width, height);
}

static GtkSizeRequestMode request_mode(GtkWidget *widget)
{
	(void)widget;
	return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void dispose(GObject *o)
{
	SjGtkFlex *f = SJ_GTK_FLEX(o);
	for (uint32_t i = 0; i < f->items.count; i++)
		g_clear_pointer(&f->items.items[i].widget, gtk_widget_unparent);
	f->items.count = 0;
	if (f->surface)
		sj_gtk_remove_flex(f->surface, f);
	f->surface = NULL;
	G_OBJECT_CLASS(sj_gtk_flex_parent_class)->dispose(o);
}

static void finalize(GObject *o)
{
	g_free(SJ_GTK_FLEX(o)->items.items);
	G_OBJECT_CLASS(sj_gtk_flex_parent_class)->finalize(o);
}

static void sj_gtk_flex_class_init(SjGtkFlexClass *c)
{
	GtkWidgetClass *w = GTK_WIDGET_CLASS(c);
	G_OBJECT_CLASS(c)->dispose = dispose;
	G_OBJECT_CLASS(c)->finalize = finalize;
	w->measure = measure;
	w->size_allocate = size_allocate;
	w->get_request_mode = request_mode;
}

static void sj_gtk_flex_init(SjGtkFlex *f)
{
	f->align = SJ_GTK_STRETCH;
	f->justify = SJ_GTK_START;
}

SjGtkFlex *sj_gtk_flex_new(SjGtkSurface *s, GtkOrientation orientation, GtkAccessibleRole role)
{
	SjGtkFlex *f = g_object_new(SJ_GTK_TYPE_FLEX, "accessible-role", role, NULL);
	f->surface = s;
	f->axis = orientation;
	sj_gtk_add_flex(s, f);
	return f;
}

void sj_gtk_flex_set_layout(SjGtkFlex *f, enum sj_gtk_justify justify, enum sj_gtk_justify align)
{
	f->justify = justify;
	f->align = align;
	for (uint32_t i = 0; i < f->items.count; i++)
		if (f->items.items[i].widget)
			align_child(f, f->items.items[i].widget);
	align_self(f);
	gtk_widget_queue_resize(GTK_WIDGET(f));
}

void sj_gtk_flex_set_clip(SjGtkFlex *f, GtkWidget *clip) { f->clip = clip; }

uint32_t sj_gtk_flex_count(const SjGtkFlex *f) { return f->items.count; }

sj_node_id sj_gtk_flex_list(const SjGtkFlex *f) { return f->follows; }
