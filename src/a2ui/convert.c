/* The stream: which messages belong to one surface, and what each of them becomes. */
#include "a2ui/convert.h"

#include <stdarg.h>
#include <stdio.h>

#include "a2ui/convert_internal.h"
#include "a2ui/path.h"
#include "text/ident.h"

/* ---- values, sticky ---------------------------------------------------------------------------------------------- */

void sj_conv_drop(struct sj_conv *c, struct sj_value take) { sj_value_unref(c->mem, take); }

static struct sj_value made(struct sj_conv *c, enum sj_status st, struct sj_value v)
{
	if (st == SJ_OK)
		return v;
	c->st = st;
	return SJ_NULL_VALUE;
}

struct sj_value sj_conv_object(struct sj_conv *c)
{
	struct sj_value v = SJ_NULL_VALUE;
	return c->st == SJ_OK ? made(c, sj_value_object(c->mem, &v), v) : v;
}
struct sj_value sj_conv_array(struct sj_conv *c)
{
	struct sj_value v = SJ_NULL_VALUE;
	return c->st == SJ_OK ? made(c, sj_value_array(c->mem, &v), v) : v;
}
struct sj_value sj_conv_text(struct sj_conv *c, struct sj_slice text)
{
	struct sj_value v = SJ_NULL_VALUE;
	return c->st == SJ_OK ? made(c, sj_value_string(c->mem, text, &v), v) : v;
}

void sj_conv_set(struct sj_conv *c, struct sj_value *object, struct sj_slice key, struct sj_value take)
{
	enum sj_status st = c->st;
	if (st == SJ_OK && object->type == SJ_V_OBJECT)
		c->st = sj_value_set(c->mem, object, key, take);
	else
		sj_conv_drop(c, take);
}
void sj_conv_put(struct sj_conv *c, struct sj_value *object, const char *key, struct sj_value take)
{
	sj_conv_set(c, object, sj_slice_of(key), take);
}
void sj_conv_add(struct sj_conv *c, struct sj_value *array, struct sj_value take)
{
	if (c->st == SJ_OK && array->type == SJ_V_ARRAY)
		c->st = sj_value_append(c->mem, array, take);
	else
		sj_conv_drop(c, take);
}

const struct sj_value *sj_conv_get(const struct sj_value *v, const char *key)
{
	return v && v->type == SJ_V_OBJECT ? sj_value_get(v, sj_slice_of(key)) : NULL;
}
bool sj_conv_is(const struct sj_value *v, const char *text)
{
	return v && sj_value_is_string(v) && sj_slice_is(sj_value_text(v), text);
}
struct sj_slice sj_conv_keep(struct sj_conv *c, struct sj_slice text)
{
	char *room = c->st == SJ_OK ? sj_arena_alloc(&c->arena, text.len + 1) : NULL;
	if (!room) {
		c->st = SJ_NOMEM;
		return SJ_LIT("");
	}
	if (text.len)
		memcpy(room, text.ptr, text.len);
	room[text.len] = '\0';
	return sj_slice(room, text.len);
}
struct sj_value sj_conv_call(struct sj_conv *c, const char *name, struct sj_value args)
{
	struct sj_value out = sj_conv_object(c);
	sj_conv_put(c, &out, "@call", sj_conv_text(c, sj_slice_of(name)));
	sj_conv_put(c, &out, "args", args);
	return out;
}

/* ---- where we are ------------------------------------------------------------------------------------------------ */

size_t sj_conv_enter(struct sj_conv *c, struct sj_slice token)
{
	size_t before = c->where.len;
	sj_pointer_append(&c->where, token);
	if (sj_buf_status(&c->where) != SJ_OK)
		c->st = sj_buf_status(&c->where);
	return before;
}
size_t sj_conv_enter_index(struct sj_conv *c, uint32_t index)
{
	char digits[16];
	snprintf(digits, sizeof digits, "%u", index);
	return sj_conv_enter(c, sj_slice_of(digits));
}
void sj_conv_leave(struct sj_conv *c, size_t before) { c->where.len = before; }

void sj_conv_lost(struct sj_conv *c, const char *format, ...)
{
	char reason[200];
	va_list args;
	va_start(args, format);
	vsnprintf(reason, sizeof reason, format, args);
	va_end(args);
	c->nlost++;
	if (c->opt->lost && c->st == SJ_OK)
		c->opt->lost(c->opt->ctx, &(struct sj_convert_loss){.message = c->message,
		                                                    .version = c->from,
		                                                    .pointer = sj_buf_view(&c->where),
		                                                    .reason = reason});
}

/* ---- messages and surfaces --------------------------------------------------------------------------------------- */

static const char *const ACTIONS[] = {"beginRendering", "surfaceUpdate",        "dataModelUpdate",
                                      "createSurface",  "updateComponents",     "updateDataModel",
                                      "deleteSurface",  "callRendererFunction", "agentFunctionResponse"};
enum { BEGIN, UPDATE, DATA, CREATE, COMPONENTS, MODEL, DELETE, CALL, RESPONSE, NONE };

static unsigned action_of(const struct sj_value *message, const struct sj_value **body)
{
	for (unsigned i = 0; i < NONE; i++) {
		*body = sj_conv_get(message, ACTIONS[i]);
		if (*body && (*body)->type == SJ_V_OBJECT)
			return i;
	}
	return NONE;
}

static enum sj_version version_of(const struct sj_value *message, unsigned action)
{
	const struct sj_value *v = sj_conv_get(message, "version");
	if (v)
		return sj_value_is_string(v) ? sj_version_find(sj_value_text(v)) : SJ_VERSION_NONE;
	return action <= DATA || action == DELETE ? SJ_V08 : SJ_VERSION_NONE;
}

struct sj_slice sj_conv_member(const struct sj_value *body, const char *key)
{
	const struct sj_value *v = sj_conv_get(body, key);
	return v && sj_value_is_string(v) ? sj_value_text(v) : SJ_NO_SLICE;
}

/* Components of a body, whatever the action. */
static const struct sj_value *list_of(const struct sj_value *body)
{
	const struct sj_value *list = sj_conv_get(body, "components");
	return list && list->type == SJ_V_ARRAY ? list : NULL;
}

static struct sj_life *new_life(struct sj_conv *c, struct sj_slice id, enum sj_version from)
{
	if (c->st == SJ_OK)
		c->st = SJ_VEC_RESERVE(c->mem, &c->lives, c->lives.count + 1, 0);
	if (c->st != SJ_OK)
		return NULL;
	struct sj_life *l = &c->lives.items[c->lives.count++];
	*l = (struct sj_life){.id = sj_conv_keep(c, id), .from = from, .model_known = true};
	l->renamed = sj_conv_object(c);
	l->components = sj_conv_object(c);
	l->raw = sj_conv_object(c);
	l->model = sj_conv_object(c);
	if (from >= SJ_V09)
		l->root = SJ_LIT("root");
	return l;
}

/* Which surface each message is about: index + 1 in lives, 0: none. Surfaces of one id follow each other. */
static uint32_t *find_lives(struct sj_conv *c, const struct sj_value *messages)
{
	uint32_t n = sj_value_count(messages), *of = sj_arena_zalloc(&c->arena, (n + (size_t)1) * sizeof *of);
	struct sj_map open;
	if (!of) {
		c->st = SJ_NOMEM;
		return NULL;
	}
	sj_map_init(&open, c->mem, 0);
	for (uint32_t i = 0; i < n && c->st == SJ_OK; i++) {
		const struct sj_value *body;
		unsigned action = action_of(sj_value_item(messages, i), &body);
		enum sj_version from = version_of(sj_value_item(messages, i), action);
		struct sj_slice id = sj_conv_member(body, "surfaceId");
		if (action == NONE || from == SJ_VERSION_NONE || !id.ptr)
			continue;
		uint32_t at = sj_map_get(&open, id);
		bool opens = action == CREATE || (at == SJ_MAP_NONE && action <= DATA);
		if (opens && !new_life(c, id, from))
			break;
		if (opens) {
			at = c->lives.count - 1;
			c->st = sj_map_put(&open, c->lives.items[at].id, at);
		}
		of[i] = at == SJ_MAP_NONE ? 0 : at + 1;
		if (at == SJ_MAP_NONE || c->st != SJ_OK)
			continue;
		struct sj_life *l = &c->lives.items[at];
		if (action == BEGIN && !l->root.ptr)
			l->root = sj_conv_keep(c, sj_conv_member(body, "root"));
		if ((action == BEGIN || action == CREATE) && !l->catalog_id.ptr &&
		    sj_conv_member(body, "catalogId").ptr)
			l->catalog_id = sj_conv_keep(c, sj_conv_member(body, "catalogId"));
		const struct sj_value *list = list_of(body);
		for (uint32_t k = 0; list && k < sj_value_count(list) && c->st == SJ_OK; k++) {
			struct sj_slice own = sj_conv_member(sj_value_item(list, k), "id"),
					catalog = sj_conv_member(sj_value_item(list, k), "catalogId");
			if (!own.ptr)
				continue;
			c->st = SJ_VEC_RESERVE(c->mem, &l->ids, l->ids.count + 1, 0);
			if (c->st == SJ_OK)
				l->ids.items[l->ids.count++] = sj_conv_keep(c, own);
			if (!l->catalog_id.ptr && catalog.ptr)
				l->catalog_id = sj_conv_keep(c, catalog);
		}
		if (action == DELETE)
			sj_map_del(&open, id);
	}
	sj_map_finish(&open);
	return of;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* An identifier that v1.0 accepts, made from one that it does not. */
static struct sj_slice as_identifier(struct sj_conv *c, struct sj_slice id)
{
	struct sj_buf out;
	sj_buf_init(&out, c->mem, 0);
	if (id.len == 0 || !sj_ident_check(sj_slice(id.ptr, 1)))
		sj_buf_putc(&out, '_');
	for (size_t i = 0; i < id.len; i++) {
		char ch = id.ptr[i];
		bool plain =
			(ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_';
		sj_buf_putc(&out, plain || (unsigned char)ch >= 0x80 ? ch : '_');
	}
	if (sj_buf_status(&out) == SJ_OK && !sj_ident_check(sj_buf_view(&out)))
		for (size_t i = 0; i < out.len; i++) /* signs that are no letters */
			out.ptr[i] = (unsigned char)out.ptr[i] >= 0x80 ? '_' : out.ptr[i];
	struct sj_slice kept = sj_conv_keep(c, sj_buf_view(&out));
	if (sj_buf_status(&out) != SJ_OK)
		c->st = sj_buf_status(&out);
	sj_buf_finish(&out);
	return kept;
}

/* The root is called "root" from v0.9 on, and ids are identifiers from v1.0 on; what had the name before gets another.
 */
static void name_components(struct sj_conv *c, struct sj_life *l)
{
	struct sj_map taken;
	bool v10 = c->opt->to >= SJ_V10, from_old = l->from == SJ_V08 && c->opt->to > SJ_V08;
	if (l->from >= c->opt->to || (!v10 && !from_old))
		return;
	sj_map_init(&taken, c->mem, 0);
	for (uint32_t i = 0; i < l->ids.count && c->st == SJ_OK; i++)
		c->st = sj_map_put(&taken, l->ids.items[i], 0);
	if (c->st == SJ_OK)
		c->st = sj_map_put(&taken, SJ_LIT("root"), 0);
	for (uint32_t i = 0; i < l->ids.count && c->st == SJ_OK; i++) {
		struct sj_slice id = l->ids.items[i], to = id;
		if (sj_value_get(&l->renamed, id))
			continue;
		bool is_root = l->root.ptr && sj_slice_eq(id, l->root);
		if (is_root)
			to = SJ_LIT("root");
		else if ((v10 && !sj_ident_check(id)) || (from_old && sj_slice_is(id, "root")))
			to = v10 ? as_identifier(c, id) : id;
		else
			continue;
		if (is_root && sj_slice_eq(id, to))
			continue;
		struct sj_slice base = to;
		for (unsigned n = 2; !is_root && c->st == SJ_OK && sj_map_get(&taken, to) != SJ_MAP_NONE; n++) {
			struct sj_buf next;
			sj_buf_init(&next, c->mem, 0);
			sj_buf_printf(&next, "%.*s_%u", SJ_ARG(base), n);
			to = sj_conv_keep(c, sj_buf_view(&next));
			sj_buf_finish(&next);
		}
		if (c->st == SJ_OK)
			c->st = sj_map_put(&taken, to, 0);
		sj_conv_set(c, &l->renamed, id, sj_conv_text(c, to));
	}
	sj_map_finish(&taken);
}

/* The id of a catalog in the target's family. */
static struct sj_slice catalog_in_target(struct sj_conv *c, struct sj_slice id)
{
	static const char basic09[] = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json",
			  minimal09[] = "https://a2ui.org/specification/v0_9/catalogs/minimal/catalog.json",
			  basic10[] = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json";
	static const char *const rows[][3] = {{SJ_V08_STANDARD_ID, basic09, basic10},
	                                      {SJ_V08_MINIMAL_ID, minimal09, basic10}};
	unsigned to = c->opt->to == SJ_V08 ? 0 : c->opt->to < SJ_V10 ? 1 : 2;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (unsigned k = 0; k < 3; k++)
			if (sj_slice_is(id, rows[i][k]))
				return sj_slice_of(rows[i][to]);
	return id;
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

void sj_conv_emit(struct sj_conv *c, const char *action, struct sj_value take)
{
	struct sj_value message = sj_conv_object(c);
	if (c->opt->to > SJ_V08)
		sj_conv_put(c, &message, "version", sj_conv_text(c, sj_slice_of(sj_version_text(c->opt->to))));
	sj_conv_put(c, &message, action, take);
	sj_conv_add(c, &c->out, message);
}

struct sj_value sj_conv_body(struct sj_conv *c)
{
	struct sj_value body = sj_conv_object(c);
	sj_conv_put(c, &body, "surfaceId", sj_conv_text(c, c->life->id));
	return body;
}

/* Takes the neutral components. */
static void emit_components(struct sj_conv *c, struct sj_value list)
{
	bool old = c->opt->to == SJ_V08;
	struct sj_value body = sj_conv_body(c), out = sj_conv_array(c);
	for (uint32_t i = 0; i < sj_value_count(&list); i++) {
		const struct sj_value *one = sj_value_item(&list, i);
		size_t at = sj_conv_enter_index(c, i);
		sj_conv_add(c, &out, old ? sj_conv_to_v08(c, one) : sj_conv_write_component(c, one));
		sj_conv_leave(c, at);
	}
	sj_conv_put(c, &body, "components", out);
	sj_conv_emit(c, old ? "surfaceUpdate" : "updateComponents", body);
	sj_conv_drop(c, list);
}

/* ---- what each message becomes ----------------------------------------------------------------------------------- */

static enum sj_dialect dialect_of(const struct sj_value *v)
{
	/* without recursion: values are walked over their printed keys by the reader of the tape elsewhere; here a
	 * bounded stack of containers does */
	const struct sj_value *stack[64];
	uint32_t at[64], depth = 0;
	stack[0] = v;
	at[0] = 0;
	for (;;) {
		const struct sj_value *top = stack[depth], *next = NULL;
		struct sj_slice key = SJ_NO_SLICE;
		while (at[depth] < sj_value_count(top) && !next) {
			next = top->type == SJ_V_ARRAY ? sj_value_item(top, at[depth])
			                               : sj_value_member(top, at[depth], &key);
			at[depth]++;
			if (key.len > 0 && key.ptr[0] == '@')
				return SJ_DIALECT_RESERVED;
			if (!sj_value_is_container(next) || depth + 1 == 64)
				next = NULL;
		}
		if (next) {
			depth++;
			stack[depth] = next;
			at[depth] = 0;
		} else if (depth-- == 0) {
			return SJ_DIALECT_BARE;
		}
	}
}

/* A part of a component onto what is known of it. */
static struct sj_value merged(struct sj_conv *c, struct sj_value part)
{
	const struct sj_value *id = sj_conv_get(&part, "id"),
			      *old = id ? sj_value_get(&c->life->components, sj_value_text(id)) : NULL;
	if (sj_conv_get(&part, "component") || !old)
		return part;
	struct sj_value out = sj_value_ref(*old);
	for (uint32_t i = 0; i < sj_value_count(&part); i++) {
		struct sj_slice key;
		const struct sj_value *m = sj_value_member(&part, i, &key);
		sj_conv_set(c, &out, key, sj_value_ref(*m));
	}
	sj_conv_drop(c, part);
	return out;
}

static void convert_components(struct sj_conv *c, const struct sj_value *list)
{
	bool old = c->from == SJ_V08;
	struct sj_value out = sj_conv_array(c), seeds = sj_conv_array(c);
	c->dialect = c->from >= SJ_V10 ? dialect_of(list) : SJ_DIALECT_BARE;
	size_t place = sj_conv_enter(c, SJ_LIT("components"));
	for (uint32_t i = 0; i < sj_value_count(list); i++) {
		const struct sj_value *one = sj_value_item(list, i), *id = sj_conv_get(one, "id");
		size_t at = sj_conv_enter_index(c, i);
		struct sj_slice name = id ? sj_value_text(id) : SJ_LIT("");
		const struct sj_value *before = old ? sj_value_get(&c->life->raw, name) : NULL;
		struct sj_value read = merged(c, sj_conv_read_component(c, one, before, &seeds));
		const struct sj_value *to = sj_conv_get(&read, "id");
		if (to && sj_value_is_string(to))
			sj_conv_set(c, &c->life->components, sj_value_text(to), sj_value_ref(read));
		if (old && id)
			sj_conv_set(c, &c->life->raw, name, sj_value_ref(*one));
		sj_conv_add(c, &out, read);
		sj_conv_leave(c, at);
	}
	for (uint32_t i = 0; i < sj_value_count(&seeds); i++) {
		struct sj_path p;
		const struct sj_value *pair = sj_value_item(&seeds, i);
		if (sj_conv_path(c, sj_value_text(sj_value_item(pair, 0)), &p))
			sj_conv_write_data(c, p.tokens, p.count, sj_value_ref(*sj_value_item(pair, 1)));
	}
	sj_conv_drop(c, seeds);
	emit_components(c, out);
	sj_conv_leave(c, place);
}

/* theme of v0.9 and styles of v0.8; v1.0 has none, and keeps it as an extension that its renderers may know. */
static void put_theme(struct sj_conv *c, const struct sj_value *theme, struct sj_value *out)
{
	if (!theme || theme->type != SJ_V_OBJECT)
		return;
	if (c->opt->to >= SJ_V10) {
		struct sj_value metadata = sj_conv_object(c), extensions = sj_conv_object(c);
		sj_conv_put(c, &extensions, "theme", sj_value_ref(*theme));
		sj_conv_put(c, &metadata, "extensions", extensions);
		sj_conv_put(c, out, "metadata", metadata);
		return;
	}
	if (c->opt->to >= SJ_V09) {
		sj_conv_put(c, out, "theme", sj_value_ref(*theme));
		return;
	}
	struct sj_value styles = sj_conv_object(c);
	for (uint32_t i = 0; i < sj_value_count(theme); i++) {
		struct sj_slice key;
		const struct sj_value *m = sj_value_member(theme, i, &key);
		size_t at = sj_conv_enter(c, key);
		if (sj_slice_is(key, "primaryColor") || sj_slice_is(key, "font"))
			sj_conv_set(c, &styles, key, sj_value_ref(*m));
		else
			sj_conv_lost(c, "v0.8 has no style '%.*s'", SJ_ARG(key));
		sj_conv_leave(c, at);
	}
	sj_conv_put(c, out, "styles", styles);
}

/* What of the metadata an older version cannot say: everything but the theme that was kept there. */
static const struct sj_value *theme_in_metadata(struct sj_conv *c, const struct sj_value *metadata)
{
	const struct sj_value *extensions = sj_conv_get(metadata, "extensions"), *theme = NULL;
	size_t at = sj_conv_enter(c, SJ_LIT("metadata"));
	for (uint32_t i = 0; extensions && i < sj_value_count(extensions); i++) {
		struct sj_slice key;
		const struct sj_value *m = sj_value_member(extensions, i, &key);
		if (sj_slice_is(key, "theme") && m->type == SJ_V_OBJECT)
			theme = m;
		else
			sj_conv_lost(c, "before v1.0 there are no extensions: '%.*s'", SJ_ARG(key));
	}
	sj_conv_leave(c, at);
	return theme;
}

static void convert_create(struct sj_conv *c, const struct sj_value *body)
{
	struct sj_life *l = c->life;
	enum sj_version to = c->opt->to;
	struct sj_value out = sj_conv_body(c);
	const struct sj_value *theme = sj_conv_get(body, c->from == SJ_V08 ? "styles" : "theme"),
			      *sends = sj_conv_get(body, "sendDataModel"), *metadata = sj_conv_get(body, "metadata"),
			      *model = c->from >= SJ_V10 ? sj_conv_get(body, "dataModel") : NULL,
			      *list = c->from >= SJ_V10 ? list_of(body) : NULL;
	if (l->created) { /* beginRendering once more */
		if (to > SJ_V08)
			sj_conv_lost(c, "a surface keeps its root and its theme");
		sj_conv_drop(c, out);
		return;
	}
	l->created = true;
	/* Only v1.0 lets a surface have none. */
	if (l->catalog_id.ptr && (to < SJ_V10 || sj_conv_member(body, "catalogId").ptr || c->from == SJ_V08))
		sj_conv_put(c, &out, "catalogId", sj_conv_text(c, catalog_in_target(c, l->catalog_id)));
	if (to == SJ_V08)
		sj_conv_put(c, &out, "root", sj_conv_text(c, SJ_LIT("root")));
	if (to < SJ_V10 && metadata)
		theme = theme_in_metadata(c, metadata);
	size_t at = sj_conv_enter(c, c->from == SJ_V08 ? SJ_LIT("styles") : SJ_LIT("theme"));
	put_theme(c, theme, &out);
	sj_conv_leave(c, at);
	if (to >= SJ_V10 && metadata)
		sj_conv_put(c, &out, "metadata", sj_value_ref(*metadata));
	if (sends && to > SJ_V08)
		sj_conv_put(c, &out, "sendDataModel", sj_value_ref(*sends));
	else if (sends && sends->type == SJ_V_TRUE)
		sj_conv_lost(c, "v0.8 sends no data model along");
	sj_conv_emit(c, to == SJ_V08 ? "beginRendering" : "createSurface", out);
	if (model && model->type == SJ_V_OBJECT && sj_value_count(model) > 0) {
		at = sj_conv_enter(c, SJ_LIT("dataModel"));
		sj_conv_write_data(c, NULL, 0, sj_value_ref(*model));
		sj_conv_leave(c, at);
	}
	if (list && sj_value_count(list) > 0)
		convert_components(c, list);
}

static void convert_one(struct sj_conv *c, const struct sj_value *message, unsigned action,
                        const struct sj_value *body);

/* v0.8: what waited for beginRendering, in order. */
static void release_held(struct sj_conv *c, const struct sj_value *messages)
{
	struct sj_life *l = c->life;
	for (uint32_t i = 0; i < l->held.count && c->st == SJ_OK; i++) {
		const struct sj_value *message = sj_value_item(messages, l->held.items[i]), *body;
		uint32_t now = c->message;
		struct sj_slice where = sj_conv_keep(c, sj_buf_view(&c->where));
		unsigned action = action_of(message, &body);
		c->message = l->held.items[i] + 1;
		c->where.len = 0;
		convert_one(c, message, action, body);
		c->message = now;
		c->where.len = 0;
		sj_buf_slice(&c->where, where);
	}
	SJ_VEC_FREE(c->mem, &l->held);
}

static void convert_one(struct sj_conv *c, const struct sj_value *message, unsigned action, const struct sj_value *body)
{
	size_t at = sj_conv_enter(c, sj_slice_of(ACTIONS[action]));
	switch (action) {
	case BEGIN:
	case CREATE:
		convert_create(c, body);
		break;
	case UPDATE:
	case COMPONENTS:
		if (list_of(body))
			convert_components(c, list_of(body));
		break;
	case DATA:
		sj_conv_data_v08(c, body);
		break;
	case MODEL:
		sj_conv_data(c, body);
		break;
	case DELETE:
		sj_conv_emit(c, "deleteSurface", sj_conv_body(c));
		break;
	default:
		if (c->opt->to >= SJ_V10)
			sj_conv_add(c, &c->out, sj_value_ref(*message));
		else
			sj_conv_lost(c, "before v1.0 no functions are called");
		break;
	}
	sj_conv_leave(c, at);
}

static void convert_message(struct sj_conv *c, const struct sj_value *messages, uint32_t i, uint32_t life)
{
	const struct sj_value *message = sj_value_item(messages, i), *body;
	unsigned action = action_of(message, &body);
	c->message = i + 1;
	c->where.len = 0;
	c->from = version_of(message, action);
	c->dialect = SJ_DIALECT_BARE;
	bool surface = action != NONE && action < CALL;
	if (action == NONE || c->from == SJ_VERSION_NONE || (surface && !life && action != DELETE)) {
		c->from = action == NONE ? SJ_VERSION_NONE : c->from;
		sj_conv_lost(c, action == NONE                  ? "this is no message of the protocol"
		                : c->from == SJ_VERSION_NONE ? "the message names no version that is known"
		                                             : "the message is about no surface");
		return;
	}
	/* The same words already; v1.0 may still be spelled another way. */
	if (c->from == c->opt->to && (c->from < SJ_V10 || c->opt->dialect == SJ_DIALECT_AUTO)) {
		sj_conv_add(c, &c->out, sj_value_ref(*message));
		return;
	}
	if (c->from < SJ_V10 && c->from > SJ_V08 && c->opt->to < SJ_V10 && c->opt->to > SJ_V08) { /* v0.9, v0.9.1 */
		struct sj_value same = sj_value_ref(*message);
		sj_conv_put(c, &same, "version", sj_conv_text(c, sj_slice_of(sj_version_text(c->opt->to))));
		sj_conv_add(c, &c->out, same);
		return;
	}
	struct sj_life none = {.id = sj_conv_member(body, "surfaceId")};
	c->life = life ? &c->lives.items[life - 1] : &none;
	if (life && c->from == SJ_V08 && !c->life->created && (action == UPDATE || action == DATA)) {
		c->st = SJ_VEC_RESERVE(c->mem, &c->life->held, c->life->held.count + 1, 0);
		if (c->st == SJ_OK)
			c->life->held.items[c->life->held.count++] = i;
		return;
	}
	if (life && action == DELETE && c->from == SJ_V08 && !c->life->created) { /* nobody has heard of it */
		SJ_VEC_FREE(c->mem, &c->life->held);
		return;
	}
	convert_one(c, message, action, body);
	if (action == BEGIN)
		release_held(c, messages);
}

/* A surface of v0.8 that never began: later versions have none that waits, but one without a root shows as little. */
static void end_waiting(struct sj_conv *c, const struct sj_value *messages)
{
	for (uint32_t i = 0; i < c->lives.count && c->st == SJ_OK; i++) {
		c->life = &c->lives.items[i];
		if (c->life->held.count == 0)
			continue;
		struct sj_value begin = sj_conv_object(c);
		c->from = SJ_V08;
		c->message = c->life->held.items[0] + 1;
		c->where.len = 0;
		convert_create(c, &begin);
		sj_conv_drop(c, begin);
		release_held(c, messages);
	}
}

static void finish(struct sj_conv *c)
{
	for (uint32_t i = 0; i < c->lives.count; i++) {
		struct sj_life *l = &c->lives.items[i];
		SJ_VEC_FREE(c->mem, &l->ids);
		SJ_VEC_FREE(c->mem, &l->held);
		sj_conv_drop(c, l->renamed);
		sj_conv_drop(c, l->components);
		sj_conv_drop(c, l->raw);
		sj_conv_drop(c, l->model);
	}
	SJ_VEC_FREE(c->mem, &c->lives);
	for (uint32_t i = 0; i < c->made.count; i++)
		sj_catalog_destroy(c->made.items[i]);
	SJ_VEC_FREE(c->mem, &c->made);
	sj_buf_finish(&c->where);
	sj_arena_finish(&c->arena);
}

enum sj_status sj_convert(struct sj_mem *mem, const struct sj_convert_options *opt, const struct sj_value *messages,
                          struct sj_value *out, uint32_t *nlost)
{
	struct sj_conv c = {.mem = mem, .opt = opt, .limits = opt->limits ? opt->limits : &SJ_LIMITS_DEFAULT};
	*nlost = 0;
	if (messages->type != SJ_V_ARRAY || opt->to == SJ_VERSION_NONE)
		return SJ_INVALID;
	sj_arena_init(&c.arena, mem, 4096);
	sj_buf_init(&c.where, mem, 0);
	c.out = sj_conv_array(&c);
	uint32_t *of = find_lives(&c, messages);
	for (uint32_t i = 0; i < c.lives.count && c.st == SJ_OK; i++) {
		struct sj_life *l = &c.lives.items[i];
		if (!l->catalog_id.ptr && l->from == SJ_V08)
			l->catalog_id = SJ_LIT(SJ_V08_STANDARD_ID);
		if (!l->catalog_id.ptr && l->from >= SJ_V10) /* nothing names one: nothing is known */
			continue;
		l->catalog = sj_conv_catalog(&c, l->catalog_id, l->from, &l->basic);
		name_components(&c, l);
	}
	for (uint32_t i = 0; i < sj_value_count(messages) && c.st == SJ_OK; i++)
		convert_message(&c, messages, i, of[i]);
	if (opt->to > SJ_V08)
		end_waiting(&c, messages);
	*nlost = c.nlost;
	if (c.st == SJ_OK)
		*out = c.out;
	else
		sj_conv_drop(&c, c.out);
	finish(&c);
	return c.st;
}
