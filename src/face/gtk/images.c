/* Decoding in another process, and what is kept of it. */
#include "face/gtk/images.h"

#include <gio/gio.h>

#include "face/gtk/compat.h"

#define AT_ONCE 4 /* processes of one surface */
#define HEAD 24   /* bytes before the pixels */
#define WORD 16   /* bytes of a refusal's word that are looked at */

struct entry {
	struct sj_gtk_images *all;
	char *hash;
	GBytes *encoded; /* until it is decoded */
	GdkTexture *texture;
	int width, height;
	const char *why;
	GPtrArray *uses; /* of struct sj_gtk_image */
	struct job *job; /* NULL: waits for its turn, or is done */
	uint64_t used;   /* when the last use went, by all->clock */
	size_t bytes;    /* of the texture */
};

struct sj_gtk_image {
	struct entry *entry;
	void (*changed)(void *ctx);
	void *ctx;
};

/* A process. It outlives its entry when that goes, until its pipes have said so. */
struct job {
	struct entry *entry; /* NULL: nobody wants the answer any more */
	GSubprocess *process;
	GCancellable *stop;
	guint timer;
	int pending; /* operations on its pipes */
	bool late;
	uint8_t head[HEAD];
	uint8_t *pixels;
	size_t size;
	int natural_width, natural_height, width, height;
};

struct sj_gtk_images {
	struct sj_gtk_host host;
	char *decoder;
	struct sj_limits limits;
	GHashTable *entries; /* hash -> struct entry */
	GQueue waiting;      /* of struct entry */
	guint running;
	size_t bytes;
	uint64_t clock;
};

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static void entry_free(gpointer data)
{
	struct entry *e = data;
	g_queue_remove(&e->all->waiting, e);
	if (e->job) {
		e->job->entry = NULL;
		e->all->running--;
		g_cancellable_cancel(e->job->stop);
		g_subprocess_force_exit(e->job->process);
	}
	e->all->bytes -= e->bytes;
	g_clear_object(&e->texture);
	g_clear_pointer(&e->encoded, g_bytes_unref);
	g_ptr_array_unref(e->uses);
	g_free(e->hash);
	g_free(e);
}

/* Drops what nobody uses, the longest unused first, until `more` bytes have room. */
static bool make_room(struct sj_gtk_images *all, size_t more)
{
	while (all->bytes + more > all->limits.images_bytes) {
		GHashTableIter it;
		gpointer value;
		struct entry *oldest = NULL;
		g_hash_table_iter_init(&it, all->entries);
		while (g_hash_table_iter_next(&it, NULL, &value)) {
			struct entry *e = value;
			if (e->uses->len == 0 && e->texture && (!oldest || e->used < oldest->used))
				oldest = e;
		}
		if (!oldest)
			return false;
		g_hash_table_remove(all->entries, oldest->hash);
	}
	return true;
}

static void tell(struct entry *e)
{
	for (guint i = 0; i < e->uses->len; i++) {
		struct sj_gtk_image *use = e->uses->pdata[i];
		use->changed(use->ctx);
	}
}

static void start_next(struct sj_gtk_images *all);

static void finish(struct entry *e, const char *why)
{
	struct sj_gtk_images *all = e->all;
	e->why = why;
	g_clear_pointer(&e->encoded, g_bytes_unref);
	start_next(all);
	tell(e);
}

/* ---- a process --------------------------------------------------------------------------------------------------- */

static void job_release(struct job *j)
{
	if (--j->pending > 0)
		return;
	g_clear_handle_id(&j->timer, g_source_remove);
	g_object_unref(j->stop);
	g_object_unref(j->process);
	g_free(j->pixels);
	g_free(j);
}

static uint32_t number(const uint8_t *b)
{
	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static const char *refusal(const char *word)
{
	return g_str_has_prefix(word, "format")   ? _("The picture is in a format that is not shown.")
	       : g_str_has_prefix(word, "broken") ? _("The picture is broken.")
	       : g_str_has_prefix(word, "bytes")  ? _("The picture has too many bytes.")
	       : g_str_has_prefix(word, "pixels") ? _("The picture is too large.")
	                                          : _("Pictures cannot be decoded safely on this system.");
}

/* `why` NULL: the pixels are there. */
static void job_end(struct job *j, const char *why)
{
	struct entry *e = j->entry;
	if (!e)
		return;
	j->entry = NULL;
	e->job = NULL;
	e->all->running--;
	g_cancellable_cancel(j->stop);
	g_subprocess_force_exit(j->process);
	if (!why && !make_room(e->all, j->size))
		why = _("There are too many pictures here.");
	if (!why) {
		GBytes *pixels = g_bytes_new_take(g_steal_pointer(&j->pixels), j->size);
		e->texture =
			gdk_memory_texture_new(j->width, j->height, GDK_MEMORY_R8G8B8A8, pixels, 4 * (gsize)j->width);
		e->width = j->natural_width;
		e->height = j->natural_height;
		e->bytes = j->size;
		e->all->bytes += e->bytes;
		g_bytes_unref(pixels);
	}
	finish(e, why);
}

static const char *ended(const struct job *j)
{
	return j->late ? _("The picture took too long to decode.") : _("The picture could not be decoded.");
}

static void on_pixels(GObject *stream, GAsyncResult *result, gpointer data)
{
	struct job *j = data;
	gsize got = 0;
	bool whole = g_input_stream_read_all_finish(G_INPUT_STREAM(stream), result, &got, NULL) && got == j->size;
	job_end(j, whole ? NULL : ended(j));
	job_release(j);
}

/* The process has had hostile bytes in its hands: its answer is checked like any input. */
static bool head_is_sane(struct job *j, const struct sj_gtk_images *all)
{
	uint32_t n[4];
	for (int i = 0; i < 4; i++)
		n[i] = number(j->head + 4 + 4 * i);
	if (n[0] < 1 || n[1] < 1 || (uint64_t)n[0] * n[1] > all->limits.image_pixels || n[2] < 1 || n[3] < 1 ||
	    n[2] > SJ_GTK_IMAGE_SIDE || n[3] > SJ_GTK_IMAGE_SIDE || n[2] > n[0] || n[3] > n[1])
		return false;
	j->natural_width = (int)n[0];
	j->natural_height = (int)n[1];
	j->width = (int)n[2];
	j->height = (int)n[3];
	j->size = (size_t)n[2] * n[3] * 4;
	return true;
}

static void on_head(GObject *stream, GAsyncResult *result, gpointer data)
{
	struct job *j = data;
	gsize got = 0;
	bool done = g_input_stream_read_all_finish(G_INPUT_STREAM(stream), result, &got, NULL);
	if (j->entry && done && got == HEAD && memcmp(j->head, "SJIM", 4) == 0 && head_is_sane(j, j->entry->all)) {
		j->pixels = g_malloc(j->size);
		g_input_stream_read_all_async(G_INPUT_STREAM(stream), j->pixels, j->size, G_PRIORITY_DEFAULT, j->stop,
		                              on_pixels, j);
		return;
	}
	char word[WORD + 1] = "";
	if (done && got > 8 && memcmp(j->head, "SJNO", 4) == 0)
		memcpy(word, j->head + 8, MIN(got - 8, WORD));
	job_end(j, *word ? refusal(word) : ended(j));
	job_release(j);
}

static void on_written(GObject *stream, GAsyncResult *result, gpointer data)
{
	/* A process that has seen enough hangs up; its answer says why. */
	g_output_stream_write_all_finish(G_OUTPUT_STREAM(stream), result, NULL, NULL);
	g_output_stream_close(G_OUTPUT_STREAM(stream), NULL, NULL);
	job_release(data);
}

static gboolean on_late(gpointer data)
{
	struct job *j = data;
	j->timer = 0;
	j->late = true;
	j->pending++; /* job_end may be what the last operation waits for */
	job_end(j, ended(j));
	job_release(j);
	return G_SOURCE_REMOVE;
}

static bool start(struct entry *e)
{
	struct sj_gtk_images *all = e->all;
	char *args[6] = {all->decoder, g_strdup_printf("%u", all->limits.image_bytes),
	                 g_strdup_printf("%u", all->limits.image_pixels), g_strdup_printf("%d", SJ_GTK_IMAGE_SIDE),
	                 g_strdup_printf("%u", (all->limits.image_ms + 999) / 1000), NULL};
	char *none[] = {NULL};
	GSubprocessLauncher *l = g_subprocess_launcher_new(
		G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
	g_subprocess_launcher_set_environ(l, none);
	GSubprocess *process = g_subprocess_launcher_spawnv(l, (const char *const *)args, NULL);
	g_object_unref(l);
	for (int i = 1; i < 5; i++)
		g_free(args[i]);
	if (!process)
		return false;
	struct job *j = g_new0(struct job, 1);
	j->entry = e;
	j->process = process;
	j->stop = g_cancellable_new();
	j->pending = 2;
	j->timer = g_timeout_add(all->limits.image_ms, on_late, j);
	e->job = j;
	all->running++;
	gsize len;
	const void *bytes = g_bytes_get_data(e->encoded, &len);
	g_object_set_data_full(G_OBJECT(process), "sj-encoded", g_bytes_ref(e->encoded), (GDestroyNotify)g_bytes_unref);
	g_output_stream_write_all_async(g_subprocess_get_stdin_pipe(process), bytes, len, G_PRIORITY_DEFAULT, j->stop,
	                                on_written, j);
	g_input_stream_read_all_async(g_subprocess_get_stdout_pipe(process), j->head, HEAD, G_PRIORITY_DEFAULT, j->stop,
	                              on_head, j);
	return true;
}

static void start_next(struct sj_gtk_images *all)
{
	while (all->running < AT_ONCE && !g_queue_is_empty(&all->waiting)) {
		struct entry *e = g_queue_pop_head(&all->waiting);
		if (!start(e)) {
			e->why = _("Pictures cannot be decoded on this system.");
			g_clear_pointer(&e->encoded, g_bytes_unref);
			tell(e);
		}
	}
}

/* ---- uses -------------------------------------------------------------------------------------------------------- */

struct sj_gtk_images *sj_gtk_images_new(const struct sj_gtk_host *host, const struct sj_limits *l)
{
	struct sj_gtk_images *all = g_new0(struct sj_gtk_images, 1);
	/* Writing to a process that has ended is an error and no signal once GIO has made its first socket. */
	g_type_class_unref(g_type_class_ref(G_TYPE_SOCKET));
	all->host = *host;
	all->decoder = g_strdup(host->decoder);
	all->limits = *l;
	all->entries = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, entry_free);
	g_queue_init(&all->waiting);
	return all;
}

void sj_gtk_images_free(struct sj_gtk_images *all)
{
	if (!all)
		return;
	GHashTableIter it;
	gpointer value;
	g_hash_table_iter_init(&it, all->entries);
	while (g_hash_table_iter_next(&it, NULL, &value))
		for (guint i = 0; i < ((struct entry *)value)->uses->len; i++)
			((struct sj_gtk_image *)((struct entry *)value)->uses->pdata[i])->entry = NULL;
	g_hash_table_unref(all->entries);
	g_free(all->decoder);
	g_free(all);
}

bool sj_gtk_images_busy(const struct sj_gtk_images *all) { return all->running > 0 || all->waiting.length > 0; }
size_t sj_gtk_images_bytes(const struct sj_gtk_images *all) { return all->bytes; }
guint sj_gtk_images_running(const struct sj_gtk_images *all) { return all->running; }

static GBytes *bytes_of(struct sj_gtk_images *all, struct sj_slice address, const char **why)
{
	GBytes *b = NULL;
	*why = _("Pictures from elsewhere are not loaded.");
	if (address.len >= 5 && g_ascii_strncasecmp(address.ptr, "data:", 5) == 0)
		return sj_gtk_data_address(address, all->limits.image_bytes, why);
	if (all->host.resource && address.len > 0 && address.len <= all->limits.pointer_bytes &&
	    !memchr(address.ptr, 0, address.len)) {
		char *z = g_strndup(address.ptr, address.len);
		b = all->host.resource(all->host.ctx, z);
		g_free(z);
	}
	if (b && g_bytes_get_size(b) > all->limits.image_bytes) {
		*why = _("The picture has too many bytes.");
		g_clear_pointer(&b, g_bytes_unref);
	}
	return b;
}

struct sj_gtk_image *sj_gtk_image_use(struct sj_gtk_images *all, struct sj_slice address, void (*changed)(void *ctx),
                                      void *ctx, const char **why)
{
	GBytes *encoded = bytes_of(all, address, why);
	if (!encoded)
		return NULL;
	if (!all->decoder) {
		*why = _("Pictures cannot be decoded on this system.");
		g_bytes_unref(encoded);
		return NULL;
	}
	char *hash = g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, encoded);
	struct entry *e = g_hash_table_lookup(all->entries, hash);
	struct sj_gtk_image *use = g_new0(struct sj_gtk_image, 1);
	if (!e) {
		e = g_new0(struct entry, 1);
		e->all = all;
		e->hash = g_steal_pointer(&hash);
		e->encoded = g_bytes_ref(encoded);
		e->uses = g_ptr_array_new();
		g_hash_table_insert(all->entries, e->hash, e);
		g_queue_push_tail(&all->waiting, e);
	}
	*use = (struct sj_gtk_image){e, changed, ctx};
	g_ptr_array_add(e->uses, use);
	g_free(hash);
	g_bytes_unref(encoded);
	*why = NULL;
	if (all->running < AT_ONCE && g_queue_peek_head(&all->waiting) == e) {
		g_queue_pop_head(&all->waiting);
		if (!start(e)) {
			e->why = _("Pictures cannot be decoded on this system.");
			g_clear_pointer(&e->encoded, g_bytes_unref);
		}
	}
	return use;
}

void sj_gtk_image_drop(struct sj_gtk_image *use)
{
	struct entry *e = use ? use->entry : NULL;
	if (e)
		g_ptr_array_remove(e->uses, use);
	g_free(use);
	if (!e)
		return;
	if (e->uses->len > 0)
		return;
	e->used = ++e->all->clock;
	if (!e->texture) { /* nobody waits for it, and a failure is cheap to find again */
		struct sj_gtk_images *all = e->all;
		g_hash_table_remove(all->entries, e->hash);
		start_next(all);
	}
}

struct sj_gtk_image_state sj_gtk_image_state(const struct sj_gtk_image *use)
{
	const struct entry *e = use->entry;
	if (!e)
		return (struct sj_gtk_image_state){.why = _("The picture could not be decoded.")};
	return (struct sj_gtk_image_state){.loading = !e->texture && !e->why, .texture = e->texture, .width = e->width,
	                                   .height = e->height, .why = e->why};
}
