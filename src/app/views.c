#include "app/views.h"

#include "app/widgets.h"

struct shown {
	struct sj_view *view; /* NULL once it is gone */
	GtkWidget *frame;
};

/* One screen has all the room; of several each has what it needs, and the newest is scrolled to. */
static void share_room(struct app_views *v)
{
	for (guint i = 0; i < v->shown->len; i++)
		gtk_widget_set_vexpand(((struct shown *)v->shown->pdata[i])->frame, v->shown->len == 1);
}

/* Once the new screen has a size. */
static gboolean show_newest(gpointer data)
{
	struct app_views *v = data;
	v->scroll = 0;
	gtk_adjustment_set_value(v->down, gtk_adjustment_get_upper(v->down));
	return G_SOURCE_REMOVE;
}

/* Frames whose surface is gone leave when no handler of theirs can be running. */
static gboolean sweep(gpointer data)
{
	struct app_views *v = data;
	for (guint i = v->shown->len; i-- > 0;) {
		struct shown *s = v->shown->pdata[i];
		if (s->view)
			continue;
		gtk_box_remove(GTK_BOX(v->box), s->frame);
		g_ptr_array_remove_index(v->shown, i);
	}
	share_room(v);
	v->sweep = 0;
	return G_SOURCE_REMOVE;
}

static void add_frame(struct app_views *v, struct sj_view *view)
{
	struct sj_gtk_host host = {.entered = v->entered, .resource = v->resource, .ctx = v->ctx};
	struct shown *s = g_new0(struct shown, 1);
	char *claim = app_claim_of(view);
	app_widgets(&host);
	GtkWidget *surface = sj_gtk_surface_new(v->session->engine, view, &host);
	s->view = view;
	s->frame = app_frame_new(surface, v->connection, claim);
	g_object_set_data_full(G_OBJECT(s->frame), "app-id", g_strndup(sj_view_id(view).ptr, sj_view_id(view).len),
	                       g_free);
	g_free(claim);
	gtk_box_append(GTK_BOX(v->box), s->frame);
	g_ptr_array_add(v->shown, s);
	if (v->shown->len > 1 && v->scroll == 0)
		v->scroll = g_timeout_add(100, show_newest, v);
}

uint32_t app_views_sync(struct app_views *v)
{
	uint32_t views = sj_engine_view_count(v->session->engine);
	for (uint32_t i = 0; i < views; i++) {
		struct sj_view *view = sj_engine_view_at(v->session->engine, i);
		struct shown *found = NULL;
		for (guint k = 0; k < v->shown->len && !found; k++)
			if (((struct shown *)v->shown->pdata[k])->view == view)
				found = v->shown->pdata[k];
		if (found)
			sj_gtk_surface_refresh(app_frame_surface(found->frame));
		else if (sj_view_begun(view))
			add_frame(v, view);
	}
	if (v->sweep == 0)
		v->sweep = g_idle_add(sweep, v);
	share_room(v);
	return views;
}

void app_views_gone(struct app_views *v, const struct sj_event *ev)
{
	for (guint i = 0; i < v->shown->len; i++) {
		struct shown *s = v->shown->pdata[i];
		const char *id = g_object_get_data(G_OBJECT(s->frame), "app-id");
		if (s->view && sj_slice_is(ev->surface_id, id)) {
			s->view = NULL;
			sj_gtk_surface_close(app_frame_surface(s->frame));
		}
	}
}

bool app_views_settled(const struct app_views *v)
{
	bool settled = v->sweep == 0 && v->scroll == 0;
	for (guint i = 0; i < v->shown->len; i++)
		settled = settled &&
		          sj_gtk_surface_is_settled(app_frame_surface(((struct shown *)v->shown->pdata[i])->frame));
	return settled;
}

GtkWidget *app_views_init(struct app_views *v, struct cmd_session *s, const char *connection,
                          void (*entered)(void *ctx), void *ctx)
{
	GtkWidget *scroller = g_object_new(GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy", GTK_POLICY_NEVER, NULL);
	GtkWidget *clamp = adw_clamp_new();
	*v = (struct app_views){.session = s, .connection = g_strdup(connection), .entered = entered, .ctx = ctx};
	v->shown = g_ptr_array_new_with_free_func(g_free);
	v->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12);
	v->inside = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
	gtk_widget_add_css_class(v->box, "app-frames");
	gtk_widget_set_vexpand(v->box, TRUE);
	gtk_box_append(GTK_BOX(v->inside), v->box);
	adw_clamp_set_maximum_size(ADW_CLAMP(clamp), 720);
	adw_clamp_set_child(ADW_CLAMP(clamp), v->inside);
	gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), clamp);
	gtk_scrollable_set_vscroll_policy(GTK_SCROLLABLE(gtk_scrolled_window_get_child(GTK_SCROLLED_WINDOW(scroller))),
	                                  GTK_SCROLL_NATURAL);
	v->down = gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(scroller));
	return scroller;
}

void app_views_add(struct app_views *v, GtkWidget *above) { gtk_box_prepend(GTK_BOX(v->inside), above); }

void app_views_finish(struct app_views *v)
{
	if (!v->shown)
		return;
	g_clear_handle_id(&v->sweep, g_source_remove);
	g_clear_handle_id(&v->scroll, g_source_remove);
	for (guint i = 0; i < v->shown->len; i++)
		sj_gtk_surface_close(app_frame_surface(((struct shown *)v->shown->pdata[i])->frame));
	g_ptr_array_unref(v->shown);
	g_free(v->connection);
	*v = (struct app_views){0};
}
