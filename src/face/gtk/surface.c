/* SjGtkSurface: records of drawn nodes, the work of a frame, and the inlets. */
#include "face/gtk/internal.h"

#define BUDGET_US 6000        /* of a frame */
#define FIRST_BUDGET_US 50000 /* until the first widget has been drawn */
#define PATIENCE_US (10 * G_USEC_PER_SEC)

struct sheet {
	GtkWidget *layer, *title;
	void (*closed)(void *ctx);
	void *ctx;
};

struct _SjGtkSurface {
	GtkWidget parent_instance;
	struct sj_engine *engine;
	struct sj_view *view;
	struct sj_gtk_host host;
	GtkWidget *overlay, *scrolled, *stopped;
	GtkWidget *spoken, *alarm; /* labels nobody sees: see sj_compat_announce */
	SjGtkViewport *viewport;
	SjGtkFlex *root;
	GHashTable *nodes;  /* &node->id -> struct sj_gtk_node */
	GPtrArray *work;    /* of records; NULL where one went */
	GPtrArray *flexes;  /* NULL where one went */
	GPtrArray *sheets;  /* of struct sheet, outermost first */
	GHashTable *live;   /* handle -> words of it that were there, or were announced, last */
	GArray *changed;    /* handles of live nodes in which something changed */
	struct sj_gtk_images *images; /* NULL until one is wanted */
	guint tick, clock_id;
	gint64 behind_since; /* 0: the last frame ended with nothing left */
	gint64 patience_us;
	uint32_t serial;
	bool closed, is_stopped, drawn, stale, in_frame;
	int tallest;         /* pixels it asks for at most */
	int least;           /* pixels to fill while no size is known */
};

G_DEFINE_TYPE(SjGtkSurface, sj_gtk_surface, GTK_TYPE_WIDGET)

struct sj_surface *sj_gtk_core(const SjGtkSurface *s) { return sj_view_surface(s->view); }
struct sj_engine *sj_gtk_engine(const SjGtkSurface *s) { return s->engine; }
struct sj_mem *sj_gtk_mem(const SjGtkSurface *s) { return sj_engine_mem(s->engine); }
bool sj_gtk_is_closed(const SjGtkSurface *s) { return s->closed; }
const struct sj_gtk_host *sj_gtk_host(const SjGtkSurface *s) { return &s->host; }

struct sj_gtk_images *sj_gtk_images(SjGtkSurface *s)
{
	if (!s->images)
		s->images = sj_gtk_images_new(&s->host, sj_engine_limits(s->engine));
	return s->images;
}

bool sj_gtk_has_links(const SjGtkSurface *s) { return s->host.link != NULL; }

bool sj_gtk_is_crowded(SjGtkSurface *s)
{
	return !s->closed && sj_surface_node_count(sj_gtk_core(s)) > SJ_GTK_CROWDED;
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

struct sj_gtk_node *sj_gtk_find(SjGtkSurface *s, sj_node_id id) { return g_hash_table_lookup(s->nodes, &id); }

struct sj_gtk_node *sj_gtk_node_of(GtkWidget *widget) { return g_object_get_data(G_OBJECT(widget), "sj-node"); }

struct sj_gtk_node *sj_gtk_node_new(SjGtkSurface *s, sj_node_id id)
{
	struct sj_surface *core = sj_gtk_core(s);
	struct sj_gtk_node *n = g_new0(struct sj_gtk_node, 1);
	n->surface = s;
	n->id = id;
	n->kind = sj_node_kind(core, id);
	n->why = sj_node_why(core, id);
	n->cls = sj_gtk_class_of(n->kind, n->why);
	for (size_t i = 0; n->why == SJ_WHY_SHOWN && i < s->host.nwidgets; i++)
		if (sj_slice_is(sj_node_type(core, id), s->host.widgets[i].type))
			n->cls = s->host.widgets[i].drawn;
	g_hash_table_insert(s->nodes, &n->id, n);
	n->cls->build(n);
	sj_gtk_role(n);
	g_object_set_data(G_OBJECT(n->widget), "sj-node", n);
	if (!n->cls->bare)
		gtk_widget_add_css_class(n->widget, "sj-leaf");
	n->updating = true;
	if (n->cls->update)
		n->cls->update(n, UINT64_MAX);
	if (n->cls->local)
		n->cls->local(n);
	(n->cls->flags ? n->cls->flags : sj_gtk_flags)(n);
	n->updating = false;
	return n;
}

void sj_gtk_node_free(struct sj_gtk_node *n)
{
	SjGtkSurface *s = n->surface;
	if (n->cls->finish)
		n->cls->finish(n);
	if (n->box)
		sj_gtk_flex_drop_all(n->box);
	if (n->queued)
		for (guint i = 0; i < s->work->len; i++)
			if (s->work->pdata[i] == n)
				s->work->pdata[i] = NULL;
	/* Of one component in two places each has its own handle, so the entry is ours. */
	if (g_hash_table_lookup(s->nodes, &n->id) == n)
		g_hash_table_remove(s->nodes, &n->id);
	g_object_set_data(G_OBJECT(n->widget), "sj-node", NULL);
	g_free(n);
}

static void queue(struct sj_gtk_node *n)
{
	if (n->queued)
		return;
	n->queued = true;
	g_ptr_array_add(n->surface->work, n);
}

void sj_gtk_again(struct sj_gtk_node *n, uint64_t mask)
{
	n->waiting = false;
	n->mask |= mask;
	queue(n);
	sj_gtk_touch(n->surface);
}

void sj_gtk_add_flex(SjGtkSurface *s, SjGtkFlex *f) { g_ptr_array_add(s->flexes, f); }

void sj_gtk_remove_flex(SjGtkSurface *s, SjGtkFlex *f)
{
	for (guint i = s->flexes->len; i-- > 0;)
		if (s->flexes->pdata[i] == f) {
			s->flexes->pdata[i] = NULL;
			return;
		}
}

static void close_holes(GPtrArray *a)
{
	guint kept = 0;
	for (guint i = 0; i < a->len; i++)
		if (a->pdata[i])
			a->pdata[kept++] = a->pdata[i];
	g_ptr_array_set_size(a, (gint)kept);
}

/* ---- changes become marks ---------------------------------------------------------------------------------------- */

static void mark_parent(SjGtkSurface *s, sj_node_id id)
{
	sj_node_id up = sj_node_parent(sj_gtk_core(s), id);
	struct sj_gtk_node *p = up ? sj_gtk_find(s, up) : NULL;
	if (!p)
		return;
	p->new_children = true;
	queue(p);
}

static void take_root(SjGtkSurface *s)
{
	sj_node_id root = sj_surface_root(sj_gtk_core(s));
	sj_gtk_flex_set_nodes(s->root, &root, root && sj_node_why(sj_gtk_core(s), root) != SJ_WHY_HIDDEN);
}

/* ---- what is live ------------------------------------------------------------------------------------------------ */

void sj_gtk_say(SjGtkSurface *s, const char *text, bool alarm)
{
	GtkWidget *label = alarm ? s->alarm : s->spoken;
	if (!*text)
		return;
	if (strcmp(gtk_label_get_text(GTK_LABEL(label)), text) == 0)
		sj_compat_announce(GTK_WIDGET(s), label, "", alarm); /* the same words again are a change, too */
	sj_compat_announce(GTK_WIDGET(s), label, text, alarm);
}

static char *words_of(SjGtkSurface *s, sj_node_id id)
{
	struct sj_gtk_node look = {.surface = s, .id = id};
	return sj_gtk_words(&look, id);
}

void sj_gtk_watch_live(SjGtkSurface *s, sj_node_id id)
{
	if (!g_hash_table_contains(s->live, &id))
		g_hash_table_insert(s->live, g_memdup2(&id, sizeof id), words_of(s, id));
}

/* What is live from the beginning, drawn or not. */
static void find_live(SjGtkSurface *s)
{
	struct sj_surface *core = sj_gtk_core(s);
	GArray *stack = g_array_new(FALSE, FALSE, sizeof(sj_node_id));
	sj_node_id at = sj_surface_root(core);
	while (at) {
		if (sj_gtk_live(core, at) != SJ_GTK_LIVE_OFF)
			sj_gtk_watch_live(s, at);
		for (uint32_t i = 0; i < sj_node_child_count(core, at); i++) {
			sj_node_id child = sj_node_child(core, at, i);
			g_array_append_val(stack, child);
		}
		at = stack->len > 0 ? g_array_index(stack, sj_node_id, stack->len - 1) : 0;
		if (stack->len > 0)
			g_array_set_size(stack, stack->len - 1);
	}
	g_array_unref(stack);
}

static void mark_live(SjGtkSurface *s, const struct sj_change *c)
{
	struct sj_surface *core = sj_gtk_core(s);
	bool is_new = (enum sj_change_kind)c->kind == SJ_CH_NEW;
	if (!c->node || !sj_node_alive(core, c->node))
		return;
	if (is_new && sj_gtk_live(core, c->node) != SJ_GTK_LIVE_OFF)
		sj_gtk_watch_live(s, c->node); /* drawn or not */
	if (g_hash_table_size(s->live) == 0)
		return;
	sj_node_id id = sj_gtk_live_above(core, is_new ? sj_node_parent(core, c->node) : c->node);
	for (guint i = 0; id && i < s->changed->len; i++)
		if (g_array_index(s->changed, sj_node_id, i) == id)
			id = 0;
	if (id)
		g_array_append_val(s->changed, id);
}

/* When what has changed is drawn: the words of each live node that are others than before. */
static void announce(SjGtkSurface *s)
{
	struct sj_surface *core = sj_gtk_core(s);
	for (guint i = 0; i < s->changed->len; i++) {
		sj_node_id id = g_array_index(s->changed, sj_node_id, i);
		const char *before = g_hash_table_lookup(s->live, &id);
		if (!sj_node_alive(core, id) || sj_gtk_live(core, id) == SJ_GTK_LIVE_OFF) {
			g_hash_table_remove(s->live, &id);
			continue;
		}
		char *words = words_of(s, id);
		if (g_strcmp0(before, words) != 0) {
			sj_gtk_say(s, words, sj_gtk_live(core, id) == SJ_GTK_LIVE_ALARM);
			g_hash_table_insert(s->live, g_memdup2(&id, sizeof id), words);
		} else {
			g_free(words);
		}
	}
	g_array_set_size(s->changed, 0);
}

static void mark(SjGtkSurface *s, const struct sj_change *c)
{
	struct sj_gtk_node *n = c->node ? sj_gtk_find(s, c->node) : NULL;
	mark_live(s, c);
	switch ((enum sj_change_kind)c->kind) {
	case SJ_CH_ROOT:
		take_root(s);
		return;
	case SJ_CH_GONE:
		return; /* its parent's splice takes the widget */
	case SJ_CH_NEW:
		mark_parent(s, c->node);
		return;
	case SJ_CH_FLAGS:
		if (!n || (sj_node_alive(sj_gtk_core(s), n->id) && n->why != sj_node_why(sj_gtk_core(s), n->id))) {
			if (c->node == sj_surface_root(sj_gtk_core(s)))
				take_root(s);
			else if (sj_node_alive(sj_gtk_core(s), c->node))
				mark_parent(s, c->node);
		}
		if (n)
			n->new_flags = true;
		break;
	case SJ_CH_SET:
	case SJ_CH_APPEND:
		if (n)
			n->mask |= c->mask;
		break;
	case SJ_CH_SPLICE:
		if (n)
			n->new_children = true;
		break;
	case SJ_CH_LOCAL:
		if (n) {
			n->new_local = true;
			n->mask |= SJ_GTK_BIT(VALUE); /* an unbound input keeps its value there */
		}
		break;
	case SJ_CH_FOCUS:
		if (n && n->control)
			gtk_widget_grab_focus(n->control);
		return;
	}
	if (n)
		queue(n);
}

static void apply(struct sj_gtk_node *n)
{
	struct sj_surface *core = sj_gtk_core(n->surface);
	uint64_t mask = n->mask;
	bool children = n->new_children, flags = n->new_flags, local = n->new_local;
	n->queued = n->new_children = n->new_flags = n->new_local = false;
	n->mask = 0;
	if (!sj_node_alive(core, n->id))
		return;
	if (sj_node_why(core, n->id) != n->why || sj_node_kind(core, n->id) != n->kind) {
		GtkWidget *parent = gtk_widget_get_parent(n->widget);
		if (SJ_GTK_IS_FLEX(parent))
			sj_gtk_flex_renew(SJ_GTK_FLEX(parent), n->widget);
		return;
	}
	n->updating = true;
	if (mask && n->cls->update)
		n->cls->update(n, mask);
	if (mask & SJ_GTK_BIT(WEIGHT) && SJ_GTK_IS_FLEX(gtk_widget_get_parent(n->widget)))
		sj_gtk_flex_weights(SJ_GTK_FLEX(gtk_widget_get_parent(n->widget)));
	if (children) {
		if (n->cls->children)
			n->cls->children(n);
		else if (n->box)
			sj_gtk_flex_follow(n->box, n->id);
	}
	if (local && n->cls->local)
		n->cls->local(n);
	if (flags || mask)
		(n->cls->flags ? n->cls->flags : sj_gtk_flags)(n);
	n->updating = false;
}

/* ---- a frame ----------------------------------------------------------------------------------------------------- */

/* Takes what the core has changed and works it off. true: nothing is left. */
static bool work(SjGtkSurface *s, gint64 until)
{
	const struct sj_change *changes;
	uint32_t count;
	bool whole = true;

	if (s->closed || s->is_stopped || s->in_frame)
		return true;
	s->in_frame = true;
	if (s->stale || sj_surface_is_dirty(sj_gtk_core(s))) {
		s->stale = false;
		if (sj_surface_changes(sj_gtk_core(s), &changes, &count) == SJ_NOMEM)
			s->stale = true;
		else
			for (uint32_t i = 0; i < count; i++)
				mark(s, &changes[i]);
	}
	guint done = 0;
	for (; done < s->work->len && g_get_monotonic_time() < until; done++)
		if (s->work->pdata[done]) {
			struct sj_gtk_node *n = s->work->pdata[done];
			s->work->pdata[done] = NULL;
			apply(n);
		}
	whole = done == s->work->len;
	close_holes(s->work);
	/* A box that is filled may make others, which stand behind it in the list. */
	for (guint i = 0; i < s->flexes->len; i++)
		if (s->flexes->pdata[i] &&
		    !sj_gtk_flex_fill(s->flexes->pdata[i], GTK_WIDGET(s->viewport), s->least, until))
			whole = false;
	close_holes(s->flexes);
	if (whole && s->changed->len > 0)
		announce(s);
	s->in_frame = false;
	return whole && !s->stale;
}

static void stop(SjGtkSurface *s);

static gboolean on_tick(GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
	SjGtkSurface *s = SJ_GTK_SURFACE(widget);
	gint64 now = g_get_monotonic_time();
	(void)clock;
	(void)data;
	bool whole = work(s, now + (s->drawn ? BUDGET_US : FIRST_BUDGET_US));
	s->drawn = s->drawn || sj_gtk_flex_count(s->root) > 0;
	if (whole) {
		s->behind_since = 0;
		if (!s->closed && sj_surface_is_dirty(sj_gtk_core(s)))
			return G_SOURCE_CONTINUE;
		s->tick = 0;
		return G_SOURCE_REMOVE;
	}
	if (s->behind_since == 0)
		s->behind_since = now;
	else if (now - s->behind_since > s->patience_us) {
		s->tick = 0;
		stop(s);
		return G_SOURCE_REMOVE;
	}
	return G_SOURCE_CONTINUE;
}

void sj_gtk_touch(SjGtkSurface *s)
{
	if (s->tick == 0 && !s->closed && !s->is_stopped)
		s->tick = gtk_widget_add_tick_callback(GTK_WIDGET(s), on_tick, NULL, NULL);
}

static void on_moved(void *ctx) { sj_gtk_touch(ctx); }

void sj_gtk_surface_refresh(SjGtkSurface *s)
{
	s->stale = true;
	sj_gtk_touch(s);
}

void sj_gtk_surface_finish_now(SjGtkSurface *s, int height)
{
	s->least = height;
	for (int i = 0; i < 100 && !work(s, G_MAXINT64); i++)
		;
	while (s->images && sj_gtk_images_busy(s->images)) /* each has its time, so this ends */
		g_main_context_iteration(NULL, TRUE);
	s->drawn = true;
}

int sj_gtk_surface_height(SjGtkSurface *s, int width)
{
	int least, height;
	if (!s->root)
		return 0;
	gtk_widget_measure(GTK_WIDGET(s->root), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
	gtk_widget_measure(GTK_WIDGET(s->root), GTK_ORIENTATION_VERTICAL, MAX(least, width), NULL, &height, NULL, NULL);
	return height;
}

void sj_gtk_surface_set_patience(SjGtkSurface *s, int64_t us) { s->patience_us = us; }

bool sj_gtk_surface_is_settled(SjGtkSurface *s)
{
	return s->closed || s->is_stopped ||
	       (s->tick == 0 && s->work->len == 0 && !s->stale && !sj_surface_is_dirty(sj_gtk_core(s)) &&
	        !(s->images && sj_gtk_images_busy(s->images)));
}

/* ---- the watchdog ------------------------------------------------------------------------------------------------ */

static void on_resume(GtkButton *button, gpointer data)
{
	SjGtkSurface *s = data;
	(void)button;
	s->is_stopped = false;
	s->behind_since = 0;
	gtk_widget_set_visible(s->stopped, FALSE);
	gtk_widget_set_visible(s->scrolled, TRUE);
	sj_gtk_touch(s);
}

static void stop(SjGtkSurface *s)
{
	if (!s->stopped) {
		GtkWidget *again = gtk_button_new_with_label(_("Go On"));
		gtk_widget_add_css_class(again, "pill");
		gtk_widget_set_halign(again, GTK_ALIGN_CENTER);
		g_signal_connect(again, "clicked", G_CALLBACK(on_resume), s);
		s->stopped = g_object_new(ADW_TYPE_STATUS_PAGE, "icon-name", "dialog-warning-symbolic", "title",
		                          _("This Screen Was Stopped"), "description",
		                          _("For ten seconds it changed faster than it can be drawn."), "child", again,
		                          NULL);
		gtk_overlay_add_overlay(GTK_OVERLAY(s->overlay), s->stopped);
	}
	sj_gtk_say(s, _("This Screen Was Stopped"), true);
	s->is_stopped = true;
	gtk_widget_set_visible(s->stopped, TRUE);
	gtk_widget_set_visible(s->scrolled, FALSE);
}

/* ---- the inlets -------------------------------------------------------------------------------------------------- */

static void entered(SjGtkSurface *s)
{
	sj_gtk_surface_refresh(s);
	if (s->host.entered)
		s->host.entered(s->host.ctx);
}

bool sj_gtk_input(struct sj_gtk_node *n, enum sj_phase phase, const struct sj_value *value)
{
	SjGtkSurface *s = n->surface;
	if (s->closed || n->updating)
		return false;
	struct sj_input in = {.node = n->id, .prop = SJ_P_VALUE, .phase = phase, .serial = ++s->serial,
	                      .value = value ? *value : SJ_NULL_VALUE};
	struct sj_diag diag = {0};
	bool done = sj_engine_input(s->engine, s->view, &in, &diag) == SJ_OK;
	if (phase == SJ_EDIT_BEGIN || phase == SJ_EDIT_UPDATE)
		n->editing = done && (phase == SJ_EDIT_BEGIN || n->editing);
	else
		n->editing = false;
	entered(s);
	return done;
}

bool sj_gtk_input_text(struct sj_gtk_node *n, enum sj_phase phase, const char *text)
{
	struct sj_value v;
	if (n->surface->closed || sj_value_string(sj_gtk_mem(n->surface), sj_slice_of(text), &v) != SJ_OK)
		return false;
	bool done = sj_gtk_input(n, phase, &v);
	sj_value_unref(sj_gtk_mem(n->surface), v);
	return done;
}

void sj_gtk_press(struct sj_gtk_node *n)
{
	SjGtkSurface *s = n->surface;
	struct sj_diag diag = {0};
	if (s->closed || n->updating)
		return;
	sj_engine_press(s->engine, s->view, n->id, &diag);
	entered(s);
}

void sj_gtk_set_local(struct sj_gtk_node *n, const char *name, struct sj_value take)
{
	SjGtkSurface *s = n->surface;
	if (s->closed || n->updating) {
		sj_value_unref(sj_gtk_mem(s), take);
		return;
	}
	sj_engine_set_local(s->engine, s->view, n->id, sj_slice_of(name), take);
	entered(s);
}

void sj_gtk_follow(struct sj_gtk_node *n, const char *address)
{
	if (n->surface->host.link)
		n->surface->host.link(n->surface->host.ctx, GTK_WIDGET(n->surface), address);
}

/* ---- dialogs, inside the surface --------------------------------------------------------------------------------- */

/* What is below the uppermost dialog takes neither pointer nor focus, and is hidden from assistive technology. */
static void settle_sheets(SjGtkSurface *s)
{
	bool open = s->sheets->len > 0;
	gtk_widget_set_can_focus(s->scrolled, !open);
	gtk_widget_set_can_target(s->scrolled, !open);
	gtk_accessible_update_state(GTK_ACCESSIBLE(s->scrolled), GTK_ACCESSIBLE_STATE_HIDDEN, open, -1);
	for (guint i = 0; i < s->sheets->len; i++) {
		struct sheet *sheet = s->sheets->pdata[i];
		bool top = i + 1 == s->sheets->len;
		gtk_widget_set_can_focus(sheet->layer, top);
		gtk_widget_set_can_target(sheet->layer, top);
	}
}

static void ask_to_close(GtkWidget *layer)
{
	struct sheet *sheet = g_object_get_data(G_OBJECT(layer), "sj-sheet");
	if (sheet && sheet->closed)
		sheet->closed(sheet->ctx);
}

static void on_close(GtkButton *button, gpointer layer)
{
	(void)button;
	ask_to_close(layer);
}

static gboolean on_escape(GtkWidget *layer, GVariant *args, gpointer data)
{
	(void)args;
	(void)data;
	ask_to_close(layer);
	return GDK_EVENT_STOP;
}

static void on_backdrop(GtkGestureClick *g, int n, double x, double y, gpointer layer)
{
	GtkWidget *hit = gtk_widget_pick(layer, x, y, GTK_PICK_DEFAULT);
	(void)g;
	(void)n;
	if (hit == layer)
		ask_to_close(layer);
}

GtkWidget *sj_gtk_sheet_open(SjGtkSurface *s, GtkWidget *content, const char *title, void (*closed)(void *ctx),
                             void *ctx)
{
	struct sheet *sheet = g_new0(struct sheet, 1);
	GtkWidget *card = g_object_new(GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "accessible-role",
	                               GTK_ACCESSIBLE_ROLE_DIALOG, "halign", GTK_ALIGN_CENTER, "valign",
	                               GTK_ALIGN_CENTER, "hexpand", TRUE, "vexpand", TRUE, NULL);
	GtkWidget *bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *close, *scroller;
	gtk_accessible_update_property(GTK_ACCESSIBLE(card), GTK_ACCESSIBLE_PROPERTY_MODAL, TRUE, -1);
	sheet->closed = closed;
	sheet->ctx = ctx;
	sheet->layer = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
	sheet->title = gtk_label_new(NULL);
	gtk_label_set_ellipsize(GTK_LABEL(sheet->title), PANGO_ELLIPSIZE_END);
	gtk_widget_set_hexpand(sheet->title, TRUE);
	gtk_label_set_xalign(GTK_LABEL(sheet->title), 0);
	gtk_widget_add_css_class(sheet->title, "heading");
	close = gtk_button_new_from_icon_name("window-close-symbolic");
	gtk_widget_add_css_class(close, "flat");
	gtk_widget_add_css_class(close, "circular");
	gtk_widget_set_tooltip_text(close, _("Close"));
	gtk_accessible_update_property(GTK_ACCESSIBLE(close), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Close"), -1);
	g_signal_connect(close, "clicked", G_CALLBACK(on_close), sheet->layer);
	gtk_box_append(GTK_BOX(bar), sheet->title);
	gtk_box_append(GTK_BOX(bar), close);
	gtk_widget_add_css_class(bar, "sj-sheet-bar");
	scroller = g_object_new(GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy", GTK_POLICY_NEVER,
	                        "propagate-natural-height", TRUE, "propagate-natural-width", TRUE, NULL);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), content);
	gtk_box_append(GTK_BOX(card), bar);
	gtk_box_append(GTK_BOX(card), scroller);
	gtk_widget_add_css_class(card, "sj-sheet");
	gtk_widget_add_css_class(sheet->layer, "sj-scrim");
	gtk_box_append(GTK_BOX(sheet->layer), card);
	g_object_set_data(G_OBJECT(sheet->layer), "sj-sheet", sheet);
	GtkEventController *keys = gtk_shortcut_controller_new();
	gtk_shortcut_controller_add_shortcut(
		GTK_SHORTCUT_CONTROLLER(keys),
		gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0),
	                         gtk_callback_action_new(on_escape, NULL, NULL)));
	gtk_widget_add_controller(sheet->layer, keys);
	GtkGesture *click = gtk_gesture_click_new();
	g_signal_connect(click, "pressed", G_CALLBACK(on_backdrop), sheet->layer);
	gtk_widget_add_controller(sheet->layer, GTK_EVENT_CONTROLLER(click));
	gtk_overlay_add_overlay(GTK_OVERLAY(s->overlay), sheet->layer);
	g_ptr_array_add(s->sheets, sheet);
	sj_gtk_sheet_title(sheet->layer, title);
	settle_sheets(s);
	gtk_widget_grab_focus(close);
	return sheet->layer;
}

void sj_gtk_sheet_name(GtkWidget *layer, const char *name)
{
	gtk_accessible_update_property(GTK_ACCESSIBLE(gtk_widget_get_first_child(layer)), GTK_ACCESSIBLE_PROPERTY_LABEL,
	                               name, -1);
}

void sj_gtk_sheet_title(GtkWidget *layer, const char *title)
{
	struct sheet *sheet = g_object_get_data(G_OBJECT(layer), "sj-sheet");
	gtk_label_set_text(GTK_LABEL(sheet->title), title ? title : "");
	gtk_accessible_update_property(GTK_ACCESSIBLE(gtk_widget_get_first_child(layer)), GTK_ACCESSIBLE_PROPERTY_LABEL,
	                               title && *title ? title : _("Dialog"), -1);
}

void sj_gtk_sheet_close(SjGtkSurface *s, GtkWidget *layer)
{
	struct sheet *sheet = g_object_get_data(G_OBJECT(layer), "sj-sheet");
	g_object_set_data(G_OBJECT(layer), "sj-sheet", NULL);
	g_ptr_array_remove(s->sheets, sheet);
	g_free(sheet);
	if (s->overlay)
		gtk_overlay_remove_overlay(GTK_OVERLAY(s->overlay), layer);
	settle_sheets(s);
}

/* ---- the object -------------------------------------------------------------------------------------------------- */

void sj_gtk_surface_close(SjGtkSurface *s)
{
	if (s->closed)
		return;
	s->closed = true;
	gtk_widget_set_sensitive(GTK_WIDGET(s), FALSE);
	if (s->tick)
		gtk_widget_remove_tick_callback(GTK_WIDGET(s), s->tick);
	s->tick = 0;
}

/* As tall as what it shows, up to a bound: beyond that it scrolls. */
static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *least, int *natural,
                    int *least_base, int *natural_base)
{
	SjGtkSurface *s = SJ_GTK_SURFACE(widget);
	*least_base = *natural_base = -1;
	if (orientation == GTK_ORIENTATION_HORIZONTAL) {
		gtk_widget_measure(s->overlay, orientation, -1, least, natural, NULL, NULL);
		return;
	}
	*natural = MIN(sj_gtk_surface_height(s, for_size), s->tallest);
	*least = MIN(*natural, 60);
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
	GtkAllocation at = {0, 0, width, height};
	(void)baseline;
	gtk_widget_size_allocate(SJ_GTK_SURFACE(widget)->overlay, &at, -1);
}

static GtkSizeRequestMode request_mode(GtkWidget *widget)
{
	(void)widget;
	return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

void sj_gtk_surface_set_tallest(SjGtkSurface *s, int pixels)
{
	s->tallest = pixels;
	gtk_widget_queue_resize(GTK_WIDGET(s));
}

static void dispose(GObject *o)
{
	SjGtkSurface *s = SJ_GTK_SURFACE(o);
	s->closed = true; /* nothing below may ask the core any more */
	if (s->root)
		sj_gtk_flex_drop_all(s->root);
	s->root = NULL;
	s->viewport = NULL;
	g_clear_pointer(&s->overlay, gtk_widget_unparent);
	G_OBJECT_CLASS(sj_gtk_surface_parent_class)->dispose(o);
}

static void finalize(GObject *o)
{
	SjGtkSurface *s = SJ_GTK_SURFACE(o);
	for (guint i = 0; i < s->flexes->len; i++)
		g_assert(!s->flexes->pdata[i]);
	sj_gtk_images_free(s->images);
	g_hash_table_unref(s->nodes);
	g_hash_table_unref(s->live);
	g_array_unref(s->changed);
	g_ptr_array_unref(s->work);
	g_ptr_array_unref(s->flexes);
	for (guint i = 0; i < s->sheets->len; i++)
		g_free(s->sheets->pdata[i]);
	g_ptr_array_unref(s->sheets);
	G_OBJECT_CLASS(sj_gtk_surface_parent_class)->finalize(o);
}

static void sj_gtk_surface_class_init(SjGtkSurfaceClass *c)
{
	GtkWidgetClass *w = GTK_WIDGET_CLASS(c);
	G_OBJECT_CLASS(c)->dispose = dispose;
	G_OBJECT_CLASS(c)->finalize = finalize;
	w->measure = measure;
	w->size_allocate = size_allocate;
	w->get_request_mode = request_mode;
	gtk_widget_class_set_css_name(w, "sjsurface");
	gtk_widget_class_set_accessible_role(w, GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *unseen_new(SjGtkSurface *s, GtkAccessibleRole role)
{
	GtkWidget *label = g_object_new(GTK_TYPE_LABEL, "accessible-role", role, "opacity", 0.0, "can-target", FALSE,
	                                "halign", GTK_ALIGN_START, "valign", GTK_ALIGN_START, "ellipsize",
	                                PANGO_ELLIPSIZE_END, "max-width-chars", 1, NULL);
	gtk_accessible_update_property(GTK_ACCESSIBLE(label), GTK_ACCESSIBLE_PROPERTY_LABEL, "", -1);
	gtk_overlay_add_overlay(GTK_OVERLAY(s->overlay), label);
	return label;
}

static void sj_gtk_surface_init(SjGtkSurface *s)
{
	s->nodes = g_hash_table_new(g_int64_hash, g_int64_equal);
	s->live = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	s->changed = g_array_new(FALSE, FALSE, sizeof(sj_node_id));
	s->work = g_ptr_array_new();
	s->flexes = g_ptr_array_new();
	s->sheets = g_ptr_array_new();
	s->least = 1000;
	s->patience_us = PATIENCE_US;
	s->tallest = 640;
	s->overlay = gtk_overlay_new();
	s->scrolled = g_object_new(GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy", GTK_POLICY_AUTOMATIC,
	                           "propagate-natural-height", TRUE, "vexpand", TRUE, NULL);
	gtk_overlay_set_child(GTK_OVERLAY(s->overlay), s->scrolled);
	gtk_accessible_update_property(GTK_ACCESSIBLE(s->overlay), GTK_ACCESSIBLE_PROPERTY_LABEL, "", -1);
	sj_gtk_tips_show_in(s->overlay);
	s->spoken = unseen_new(s, GTK_ACCESSIBLE_ROLE_STATUS);
	s->alarm = unseen_new(s, GTK_ACCESSIBLE_ROLE_ALERT);
	gtk_widget_set_parent(s->overlay, GTK_WIDGET(s));
	gtk_widget_set_overflow(GTK_WIDGET(s), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *sj_gtk_surface_new(struct sj_engine *e, struct sj_view *v, const struct sj_gtk_host *host)
{
	SjGtkSurface *s = g_object_new(SJ_GTK_TYPE_SURFACE, NULL);
	s->engine = e;
	s->view = v;
	if (host)
		s->host = *host;
	sj_gtk_init(gtk_widget_get_display(GTK_WIDGET(s)));
	s->root = sj_gtk_flex_new(s, GTK_ORIENTATION_VERTICAL, GTK_ACCESSIBLE_ROLE_GENERIC);
	gtk_widget_add_css_class(GTK_WIDGET(s->root), "sj-root");
	s->viewport = sj_gtk_viewport_new(GTK_WIDGET(s->root), on_moved, s);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(s->scrolled), GTK_WIDGET(s->viewport));
	sj_surface_settle(sj_gtk_core(s));
	take_root(s);
	find_live(s);
	s->stale = true;
	sj_gtk_touch(s);
	return GTK_WIDGET(s);
}
