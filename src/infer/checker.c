/* One strict reader of an agent's own output: an engine that every accepted message has gone through, and a log that
 * makes it again when a response is taken back. */
#include "infer/checker.h"

/* Past this many messages the log is made short again, by writing down what the surfaces hold instead. */
enum { LOG_SLACK = 256 };

/* ---- the engine -------------------------------------------------------------------------------------------------- */

static void *take(void *ctx, void *ptr, size_t old_bytes, size_t new_bytes)
{
	struct sj_mem *mem = ctx;
	if (new_bytes == 0) {
		sj_mem_free(mem, ptr, old_bytes);
		return NULL;
	}
	return ptr ? sj_mem_resize(mem, ptr, old_bytes, new_bytes) : sj_mem_alloc(mem, new_bytes);
}

/* The engine reads a catalog again from its document; one whose id was overridden is written anew, with that id. */
static enum sj_status register_catalog(struct sj_checker *s, const struct sj_catalog *c, struct sj_diag *diag)
{
	struct sj_diag refused = {0};
	enum sj_status st = sj_catalog_is_permissive(c)
	                            ? sj_engine_add_permissive(s->engine, sj_catalog_id(c), sj_catalog_version(c))
	                            : sj_engine_add_catalog(s->engine, sj_catalog_document(c), sj_catalog_id(c),
	                                                    sj_catalog_version(c), &refused);
	if (st != SJ_INVALID)
		return st;
	struct sj_buf text;
	sj_buf_init(&text, s->mem, 0);
	st = sj_catalog_emit(c, &text);
	if (st == SJ_OK)
		st = sj_engine_add_catalog(s->engine, sj_buf_view(&text), sj_catalog_id(c), sj_catalog_version(c),
		                           diag);
	sj_buf_finish(&text);
	return st;
}

/* Nobody looks at this engine's surfaces, and its answers are the renderer's to give. What it says of messages that it
 * held (v0.8, until beginRendering) is a fault all the same: the first is kept. */
static bool drain(struct sj_checker *s, struct sj_diag *first)
{
	struct sj_event ev;
	bool faulty = false;
	while (sj_engine_next(s->engine, &ev) == SJ_OK) {
		if (ev.kind != SJ_EV_DIAG || ev.diag->severity != SJ_SEV_ERROR || faulty)
			continue;
		faulty = true;
		if (first)
			*first = *ev.diag;
	}
	return faulty;
}

/* *in_force: the message has taken effect, though something is wrong. */
static enum sj_status feed(struct sj_checker *s, const struct sj_value *message, bool *in_force, struct sj_diag *diag)
{
	struct sj_buf json;
	sj_buf_init(&json, s->mem, 0);
	sj_value_print(&json, message, SJ_PRINT_COMPACT);
	enum sj_status st = sj_buf_status(&json);
	if (st == SJ_OK)
		st = sj_engine_message(s->engine, s->peer, sj_buf_view(&json), diag);
	sj_buf_finish(&json);
	*in_force = st == SJ_OK;
	bool faulty = drain(s, st == SJ_OK ? diag : NULL);
	return st == SJ_OK && faulty ? SJ_INVALID : st;
}

enum sj_status sj_checker_open(struct sj_checker *s, struct sj_diag *diag)
{
	struct sj_engine_config cfg = {
		.size = sizeof cfg, .limits = s->limits, .resize = take, .resize_ctx = s->mem, .no_basic = true};
	enum sj_status st = sj_engine_create(&cfg, &s->engine);
	if (st == SJ_OK)
		st = sj_engine_peer_open(s->engine, SJ_LIT("agent"), &s->peer);
	for (uint32_t i = 0; i < s->ncatalogs && st == SJ_OK; i++)
		st = register_catalog(s, s->catalogs[i], diag);
	for (uint32_t i = 0; i < s->log.count && st == SJ_OK; i++) {
		bool in_force;
		st = feed(s, &s->log.items[i], &in_force, NULL);
		if (st == SJ_INVALID && in_force) /* it was so the first time */
			st = SJ_OK;
	}
	if (st != SJ_OK) {
		sj_engine_destroy(s->engine);
		s->engine = NULL;
	}
	return st;
}

void sj_checker_init(struct sj_checker *s, const struct sj_format *f, const struct sj_catalog *const *catalogs,
                     uint32_t ncatalogs, const struct sj_limits *limits)
{
	*s = (struct sj_checker){.mem = f->mem,
	                         .format = f,
	                         .catalogs = catalogs,
	                         .ncatalogs = ncatalogs,
	                         .limits = limits,
	                         .log_limit = LOG_SLACK};
}

/* ---- accepting --------------------------------------------------------------------------------------------------- */

/* The operation of a message that writes a surface; NULL for calls and answers, whose other half this engine has not
 * seen. */
static const struct sj_value *surface_operation(const struct sj_value *message, struct sj_slice *name)
{
	static const char *const names[] = {"createSurface",  "updateComponents", "updateDataModel", "deleteSurface",
	                                    "beginRendering", "surfaceUpdate",    "dataModelUpdate"};
	for (size_t i = 0; message->type == SJ_V_OBJECT && i < sizeof names / sizeof *names; i++) {
		const struct sj_value *v = sj_value_get(message, sj_slice_of(names[i]));
		if (v) {
			*name = sj_slice_of(names[i]);
			return v;
		}
	}
	return NULL;
}

static const struct sj_value *get(const struct sj_value *v, const char *key)
{
	return v && v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(key)) : NULL;
}

static bool names_surface(const struct sj_value *message, struct sj_slice id)
{
	struct sj_slice name;
	const struct sj_value *own = get(surface_operation(message, &name), "surfaceId");
	return own && sj_value_is_string(own) && sj_slice_eq(sj_value_text(own), id);
}

static enum sj_status remember(struct sj_checker *s, const struct sj_value *message)
{
	enum sj_status st = SJ_VEC_RESERVE(s->mem, &s->log, s->log.count + 1, 0);
	if (st == SJ_OK)
		s->log.items[s->log.count++] = sj_value_ref(*message);
	return st;
}

static void forget_from(struct sj_checker *s, uint32_t n)
{
	while (s->log.count > n)
		sj_value_unref(s->mem, s->log.items[--s->log.count]);
}

/* A message of the surface's version with one operation whose body the printer writes. */
static enum sj_status snapshot_message(struct sj_checker *s, struct sj_view *v, const struct sj_value *version,
                                       bool components, struct sj_value *out)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_buf json;
	enum sj_status st = SJ_OK;
	sj_buf_init(&json, s->mem, 0);
	sj_buf_puts(&json, "{\"version\":");
	sj_value_print(&json, version, SJ_PRINT_COMPACT);
	sj_buf_printf(&json, ",\"%s\":{\"surfaceId\":", components ? "updateComponents" : "updateDataModel");
	sj_json_print_string(&json, sj_view_id(v));
	sj_buf_puts(&json, components ? ",\"components\":" : ",\"path\":\"/\",\"value\":");
	if (components)
		st = sj_view_components(s->engine, v, &json);
	else
		sj_value_print(&json, sj_surface_model(sj_view_surface(v), SJ_ROOT_DATA), SJ_PRINT_COMPACT);
	sj_buf_puts(&json, "}}");
	if (st == SJ_OK)
		st = sj_buf_status(&json);
	if (st == SJ_OK)
		st = sj_value_parse(s->mem, &opt, sj_buf_view(&json), out, NULL);
	sj_buf_finish(&json);
	return st;
}

/* Writes the log anew: of each living surface the message that made it, its components and its data model. A surface of
 * v0.8, whose messages have another form, keeps all of them. On SJ_NOMEM the log stays as it was. */
static enum sj_status shorten_log(struct sj_checker *s)
{
	struct sj_checker next = {.mem = s->mem};
	enum sj_status st = SJ_OK;
	for (uint32_t i = 0; i < sj_engine_view_count(s->engine) && st == SJ_OK; i++) {
		struct sj_view *v = sj_engine_view_at(s->engine, i);
		struct sj_slice id = sj_view_id(v);
		uint32_t made = s->log.count;
		for (uint32_t k = 0; k < s->log.count; k++)
			if (names_surface(&s->log.items[k], id) && get(&s->log.items[k], "createSurface"))
				made = k;
		if (made == s->log.count) {
			for (uint32_t k = 0; k < s->log.count && st == SJ_OK; k++)
				if (names_surface(&s->log.items[k], id))
					st = remember(&next, &s->log.items[k]);
			continue;
		}
		const struct sj_value *version = get(&s->log.items[made], "version");
		st = remember(&next, &s->log.items[made]);
		for (int part = 0; part < 2 && st == SJ_OK; part++) {
			struct sj_value message;
			if (part == 0 && sj_component_count(sj_view_surface(v)) == 0)
				continue;
			st = snapshot_message(s, v, version ? version : &SJ_NULL_VALUE, part == 0, &message);
			if (st != SJ_OK)
				break;
			st = remember(&next, &message);
			sj_value_unref(s->mem, message);
		}
	}
	if (st != SJ_OK) {
		forget_from(&next, 0);
		SJ_VEC_FREE(s->mem, &next.log);
		return st;
	}
	forget_from(s, 0);
	SJ_VEC_FREE(s->mem, &s->log);
	s->log.items = next.log.items;
	s->log.count = next.log.count;
	s->log.cap = next.log.cap;
	s->log_limit = s->log.count + LOG_SLACK;
	return SJ_OK;
}

/* What only the end of a response can tell, of the surfaces it wrote. */
static enum sj_status check_whole(struct sj_checker *s, const struct sj_value *messages, struct sj_diag *diag)
{
	for (uint32_t i = 0; i < sj_engine_view_count(s->engine); i++) {
		struct sj_view *v = sj_engine_view_at(s->engine, i);
		struct sj_surface *surface = sj_view_surface(v);
		struct sj_slice missing = SJ_LIT(""), parent = SJ_LIT("");
		uint32_t at = sj_value_count(messages);
		while (at > 0 && !names_surface(sj_value_item(messages, at - 1), sj_view_id(v)))
			at--;
		if (at == 0 || sj_component_count(surface) == 0)
			continue;
		if (sj_surface_dangling(surface, &missing, &parent) > 0) {
			sj_diag_pointer(diag, "/%u", at - 1);
			sj_diag_hint(diag, "Send a component with the id '%.*s', or take the reference away.",
			             SJ_ARG(missing));
			return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY,
			                   "Dangling reference: component '%.*s' of surface '%.*s' refers to '%.*s', "
			                   "which never came",
			                   SJ_ARG(parent), SJ_ARG(sj_view_id(v)), SJ_ARG(missing));
		}
		if (sj_view_version(v) != SJ_V08 && !sj_component_find(surface, SJ_LIT("root"))) {
			sj_diag_pointer(diag, "/%u", at - 1);
			sj_diag_hint(diag, "One component must have the id 'root'.");
			return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_INTEGRITY,
			                   "Missing root component on surface '%.*s'", SJ_ARG(sj_view_id(v)));
		}
	}
	return SJ_OK;
}

static enum sj_status accept_one(struct sj_checker *s, const struct sj_value *message, struct sj_diag *diag)
{
	struct sj_slice name;
	if (!surface_operation(message, &name))
		return sj_format_check(s->format, message, diag);
	/* Remembered first: once the engine has it, nothing may fail any more. */
	enum sj_status st = remember(s, message);
	if (st != SJ_OK)
		return st;
	bool in_force;
	st = feed(s, message, &in_force, diag);
	if (!in_force)
		forget_from(s, s->log.count - 1);
	return st;
}

/* Begins the place of a fault with the message's. */
static void place(struct sj_diag *diag, uint32_t index)
{
	char below[sizeof diag->pointer];
	if (!diag)
		return;
	memcpy(below, diag->pointer, sizeof below);
	sj_diag_pointer(diag, "/%u%s", index, below);
}

enum sj_status sj_checker_accept(struct sj_checker *s, const struct sj_value *messages, unsigned flags, uint32_t *taken,
                                 struct sj_diag *diag)
{
	enum sj_status st = s->engine ? SJ_OK : sj_checker_open(s, diag);
	uint32_t n = 0, mark = s->log.count;
	if (taken)
		*taken = 0;
	if (st != SJ_OK)
		return st;
	if (messages->type != SJ_V_ARRAY)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_VALIDATION_FAILED, SJ_CAT_VALIDATION,
		                   "Messages come as a list");
	for (; n < sj_value_count(messages) && st == SJ_OK; n++) {
		st = accept_one(s, sj_value_item(messages, n), diag);
		if (st != SJ_OK) {
			place(diag, n);
			break;
		}
	}
	if (st == SJ_OK && !(flags & SJ_ACCEPT_MORE))
		st = check_whole(s, messages, diag);
	if (st != SJ_OK && (flags & SJ_ACCEPT_WHOLE)) {
		if (s->log.count > mark) {
			forget_from(s, mark);
			sj_engine_destroy(s->engine);
			s->engine = NULL;
			(void)sj_checker_open(s, NULL); /* short of memory: tried again by the next call */
		}
		n = 0;
	}
	/* Only a saving: it may fail. */
	if (st == SJ_OK && s->log.count > s->log_limit)
		(void)shorten_log(s);
	if (taken)
		*taken = n;
	return st;
}

void sj_checker_forget(struct sj_checker *s)
{
	forget_from(s, 0);
	if (!s->engine)
		return;
	sj_engine_peer_close(s->engine, s->peer);
	drain(s, NULL);
	if (sj_engine_peer_open(s->engine, SJ_LIT("agent"), &s->peer) != SJ_OK) {
		sj_engine_destroy(s->engine);
		s->engine = NULL;
	}
}

void sj_checker_finish(struct sj_checker *s)
{
	sj_engine_destroy(s->engine);
	s->engine = NULL;
	forget_from(s, 0);
	SJ_VEC_FREE(s->mem, &s->log);
}
