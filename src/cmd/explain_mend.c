/* `shoji explain`: what a message that was refused should have been, and what is missing because of it.
 *
 * A second session plays the whole input, and there each refused message is tried again, in order: first as it came
 * (what it lacked may have come since, or with a message that was mended before it), then changed, step by step, as the
 * ladder of infer and the hints of the diagnostics say. What the session accepts is the suggestion: it is valid and
 * stands after everything that came and after the suggestions before it. Nothing of a message that is refused again is
 * done, so that a trial leaves no trace. */
#include <stdio.h>

#include "base/num.h"
#include "cmd/explain.h"
#include "infer/infer.h"
#include "text/near.h"

enum { MOST_STEPS = 24, MOST_MENDED = 500, MOST_MESSAGES = 64 };

struct mender {
	struct explain *x;
	struct sj_mem *mem;
	struct cmd_session session;
	bool refused;        /* the last trial */
	struct sj_diag diag; /* why */
	struct sj_value changed; /* sentences about the message at hand */
};

static void on_trial(void *ctx, const struct sj_event *ev)
{
	struct mender *m = ctx;
	if (ev->kind != SJ_EV_DIAG || !explain_is_refusal(ev) || m->refused)
		return;
	m->refused = true;
	m->diag = *ev->diag;
}

/* Does the session take it now? */
static bool try_message(struct mender *m, const struct sj_value *v)
{
	struct sj_buf b;
	sj_buf_init(&b, m->mem, 0);
	sj_value_print(&b, v, SJ_PRINT_COMPACT);
	sj_buf_putc(&b, '\n');
	m->refused = false;
	if (sj_buf_status(&b) != SJ_OK || cmd_session_feed(&m->session, sj_buf_view(&b), true) != SJ_OK)
		m->x->nomem = m->refused = true;
	sj_buf_finish(&b);
	return !m->refused;
}

static void say_change(struct mender *m, struct sj_slice text)
{
	struct sj_value v;
	if (sj_value_string(m->mem, text, &v) != SJ_OK || sj_value_append(m->mem, &m->changed, v) != SJ_OK)
		m->x->nomem = true;
}

/* ---- the ladder of infer ----------------------------------------------------------------------------------------- */

static enum sj_version version_of(struct mender *m, const struct sj_value *message, struct sj_slice surface)
{
	const struct sj_value *said = cmd_member(message, "version");
	struct sj_engine *e = m->session.engine;
	struct sj_view *view = surface.ptr ? sj_engine_view(e, UINT32_MAX, surface) : NULL;
	enum sj_version v = said && sj_value_is_string(said) ? sj_version_find(sj_value_text(said)) : SJ_VERSION_NONE;
	if (v != SJ_VERSION_NONE)
		return v;
	if (!view && sj_engine_view_count(e) > 0)
		view = sj_engine_view_at(e, sj_engine_view_count(e) - 1);
	return view ? sj_view_version(view) : SJ_V09;
}

/* A text, or a message, as messages that each are valid alone. ABSENT: there is no way. */
static struct sj_value climb(struct mender *m, struct sj_slice text, enum sj_version version)
{
	enum { MOST_CATALOGS = 32 };
	const struct sj_catalog *catalogs[MOST_CATALOGS];
	struct sj_engine *e = m->session.engine;
	struct sj_format_options opt = {.id = SJ_FORMAT_DIRECT_JSON, .catalogs = catalogs, .version = version};
	struct sj_format *f;
	struct sj_repairs repairs = {.cap = SJ_REPAIRS_DEFAULT_CAP};
	struct sj_value messages = SJ_ABSENT_VALUE;
	if (version < SJ_V09)
		return messages;
	for (uint32_t i = 0; i < sj_engine_catalog_count(e) && opt.ncatalogs < MOST_CATALOGS; i++) {
		const struct sj_catalog *c = sj_engine_catalog_at(e, i);
		if (sj_version_compatible(sj_catalog_version(c), version))
			catalogs[opt.ncatalogs++] = c;
	}
	enum sj_status st = sj_format_create(m->mem, &opt, &f, NULL);
	if (st == SJ_OK) {
		st = sj_format_compile(f, text, &messages, &repairs, NULL);
		sj_format_destroy(f);
	}
	if (st == SJ_NOMEM)
		m->x->nomem = true;
	if (st != SJ_OK)
		messages = SJ_ABSENT_VALUE;
	for (uint32_t i = 0; st == SJ_OK && i < repairs.list.count; i++)
		if (repairs.list.items[i].kind != SJ_REPAIR_NOT_A_LIST)
			say_change(m, sj_slice_of(repairs.list.items[i].text));
	SJ_VEC_FREE(m->mem, &repairs.list);
	return messages;
}

/* ---- the hints of diagnostics ------------------------------------------------------------------------------------ */

/* The value at a pointer's first `len` bytes, writable. */
static struct sj_value *own_at(struct mender *m, struct sj_value *v, struct sj_slice pointer)
{
	struct sj_buf buf;
	struct sj_slice token;
	size_t at = 0;
	enum sj_status st = SJ_OK;
	sj_buf_init(&buf, m->mem, 0);
	while (v && sj_pointer_next(pointer, &at, &buf, &token)) {
		uint32_t index;
		if (v->type == SJ_V_OBJECT)
			v = sj_value_own_member(m->mem, v, token, &st);
		else if (v->type == SJ_V_ARRAY && sj_num_index(token, &index))
			v = sj_value_own_item(m->mem, v, index, &st);
		else
			v = NULL;
	}
	sj_buf_finish(&buf);
	if (st == SJ_NOMEM)
		m->x->nomem = true;
	return v;
}

/* Without the last step. */
static struct sj_slice parent_of(struct sj_slice pointer)
{
	while (pointer.len > 0 && pointer.ptr[--pointer.len] != '/')
		;
	return pointer;
}

static bool ends_with(struct sj_slice text, const char *end)
{
	size_t n = strlen(end);
	return text.len >= n && memcmp(text.ptr + text.len - n, end, n) == 0;
}

/* The next quoted word of a hint. */
static bool next_word(struct sj_slice *rest, struct sj_slice *out)
{
	const char *open = rest->len ? memchr(rest->ptr, '"', rest->len) : NULL;
	const char *end = rest->ptr + rest->len, *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
	if (!close)
		return false;
	*out = sj_slice(open + 1, (size_t)(close - open - 1));
	*rest = sj_slice(close + 1, (size_t)(end - close - 1));
	return true;
}

static void say_step(struct mender *m, const char *deed, struct sj_slice name, struct sj_slice place)
{
	char text[512];
	snprintf(text, sizeof text, "%s \"%.*s\" at \"%.*s\"", deed, SJ_ARG(name), SJ_ARG(place));
	say_change(m, sj_slice_of(text));
}

static bool remove_member(struct mender *m, struct sj_value *v, struct sj_slice pointer, struct sj_slice name)
{
	char last[sizeof m->diag.hint + 2];
	struct sj_value *at = own_at(m, v, pointer);
	snprintf(last, sizeof last, "/%.*s", SJ_ARG(name));
	if (!at || at->type != SJ_V_OBJECT || !sj_value_get(at, name)) {
		if (!ends_with(pointer, last))
			return false;
		at = own_at(m, v, parent_of(pointer));
		if (!at || at->type != SJ_V_OBJECT || !sj_value_get(at, name))
			return false;
	}
	if (sj_value_unset(m->mem, at, name) != SJ_OK) {
		m->x->nomem = true;
		return false;
	}
	say_step(m, "removed", name, pointer);
	return true;
}

static bool write_text(struct mender *m, struct sj_value *v, struct sj_slice pointer, struct sj_slice word)
{
	struct sj_value *at = own_at(m, v, pointer), made;
	if (!at || (sj_value_is_string(at) && sj_slice_eq(sj_value_text(at), word)))
		return false;
	if (sj_value_string(m->mem, word, &made) != SJ_OK) {
		m->x->nomem = true;
		return false;
	}
	sj_value_unref(m->mem, *at);
	*at = made;
	say_step(m, "wrote", word, pointer);
	return true;
}

/* Of the words that may stand there the one that is most like what does; the first where none is. */
static bool choose_word(struct mender *m, struct sj_value *v, struct sj_slice pointer, struct sj_slice words)
{
	const struct sj_value *now = sj_value_at(v, pointer);
	struct sj_slice word, best = SJ_NO_SLICE;
	uint32_t fewest = UINT32_MAX, steps;
	while (next_word(&words, &word)) {
		bool near = now && sj_value_is_string(now) && sj_near(sj_value_text(now), word, &steps);
		if (!best.ptr || (near && steps < fewest)) {
			best = word;
			fewest = near ? steps : fewest;
		}
	}
	return best.ptr && write_text(m, v, pointer, best);
}

/* A member that must be there: an example of a value that is good there. What names other things is not made up. */
static bool add_member(struct mender *m, struct sj_value *v, struct sj_slice pointer, struct sj_slice name)
{
	static const char *const examples[] = {"\"text\"", "1",
	                                       "true",     "{\"event\":{\"name\":\"text\"}}",
	                                       "[]",       "[{\"label\":\"text\",\"value\":\"text\"}]",
	                                       "{}"};
	static const char *const names[] = {"id",        "component", "surfaceId", "catalogId", "child",
	                                    "children",  "content",   "trigger",   "call",      "path",
	                                    "components", "version",   "tabs", "explicitList", "root"};
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_diag was = m->diag;
	char place[sizeof m->diag.pointer];
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (sj_slice_is(name, names[i]))
			return false;
	snprintf(place, sizeof place, "%.*s", SJ_ARG(parent_of(pointer)));
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		struct sj_value copy = sj_value_ref(*v), value, *at = own_at(m, &copy, sj_slice_of(place));
		bool good = at && at->type == SJ_V_OBJECT && !sj_value_get(at, name) &&
		            sj_value_parse(m->mem, &opt, sj_slice_of(examples[i]), &value, NULL) == SJ_OK &&
		            sj_value_set(m->mem, at, name, value) == SJ_OK;
		/* Better is what is accepted, or fails elsewhere. An accepted one must not be sent twice. */
		good = good &&
		       (try_message(m, &copy) || strncmp(m->diag.pointer, was.pointer, strlen(was.pointer)) != 0);
		if (good) {
			sj_value_unref(m->mem, *v);
			*v = copy;
			say_step(m, "added an example of", name, sj_slice_of(place));
			return true;
		}
		sj_value_unref(m->mem, copy);
	}
	m->diag = was;
	return false;
}

/* The catalog that is most likely meant: the nearest by name, else the first of the version. */
static bool name_catalog(struct mender *m, struct sj_value *v, struct sj_slice pointer)
{
	const struct sj_value *now = sj_value_at(v, pointer);
	struct sj_engine *e = m->session.engine;
	struct sj_slice best = SJ_NO_SLICE;
	uint32_t fewest = UINT32_MAX;
	enum sj_version version = version_of(m, v, SJ_NO_SLICE);
	for (uint32_t i = 0; i < sj_engine_catalog_count(e); i++) {
		const struct sj_catalog *c = sj_engine_catalog_at(e, i);
		uint32_t steps;
		if (!sj_version_compatible(sj_catalog_version(c), version))
			continue;
		bool near = now && sj_value_is_string(now) && sj_near(sj_value_text(now), sj_catalog_id(c), &steps);
		if (!best.ptr || (near && steps < fewest)) {
			best = sj_catalog_id(c);
			fewest = near ? steps : fewest;
		}
	}
	return best.ptr && write_text(m, v, pointer, best);
}

/* A fault that one member makes, which may be left away: the member named first, then each of the object that the fault
 * points at (or of the one around, where it points at a value). Only what makes the whole message good counts; what
 * names things stays. */
static bool leave_away(struct mender *m, struct sj_value *v, struct sj_slice pointer, struct sj_slice first)
{
	static const char *const stays[] = {"id",   "component", "surfaceId", "version",
	                                    "call", "child",     "children",  "catalogId", "components", "dataModel"};
	const struct sj_value *at = sj_value_at(v, pointer);
	struct sj_diag was = m->diag;
	struct sj_slice only = SJ_NO_SLICE;
	if (!at || at->type != SJ_V_OBJECT) {
		struct sj_slice up = parent_of(pointer);
		only = up.len < pointer.len ? sj_slice(pointer.ptr + up.len + 1, pointer.len - up.len - 1)
		                            : SJ_NO_SLICE;
		pointer = up;
		at = sj_value_at(v, pointer);
	}
	for (uint32_t i = 0; at && at->type == SJ_V_OBJECT && pointer.len > 0 && i <= sj_value_count(at) && i < 64;
	     i++) {
		struct sj_slice key = first;
		if (i > 0)
			sj_value_member(at, i - 1, &key);
		bool may = key.len > 0 && sj_value_get(at, key) && (!only.ptr || sj_slice_eq(only, key));
		for (size_t k = 0; k < sizeof stays / sizeof *stays; k++)
			may = may && !sj_slice_is(key, stays[k]);
		if (!may)
			continue;
		struct sj_value copy = sj_value_ref(*v), *own = own_at(m, &copy, pointer);
		if (own && sj_value_unset(m->mem, own, key) == SJ_OK && try_message(m, &copy)) {
			say_step(m, "removed", key, pointer);
			sj_value_unref(m->mem, *v);
			*v = copy;
			return true;
		}
		sj_value_unref(m->mem, copy);
	}
	m->diag = was;
	m->refused = true;
	return false;
}

/* A call of a function that no catalog has: the schema says only that it is no binding. */
static bool name_function(struct mender *m, struct sj_value *v, struct sj_slice pointer)
{
	const struct sj_value *call = cmd_member(sj_value_at(v, pointer), "call");
	struct sj_engine *e = m->session.engine;
	struct sj_slice best = SJ_NO_SLICE;
	uint32_t fewest = UINT32_MAX, steps;
	char place[sizeof m->diag.pointer + 8];
	for (uint32_t i = 0; call && sj_value_is_string(call) && i < sj_engine_catalog_count(e); i++) {
		const struct sj_catalog *c = sj_engine_catalog_at(e, i);
		for (uint32_t k = 0; k < sj_catalog_function_count(c); k++) {
			struct sj_slice name = sj_catalog_function_at(c, k)->name;
			if (sj_slice_eq(name, sj_value_text(call)))
				return false;
			if (!sj_near(sj_value_text(call), name, &steps) || steps >= fewest)
				continue;
			best = name;
			fewest = steps;
		}
	}
	snprintf(place, sizeof place, "%.*s/call", SJ_ARG(pointer));
	return best.ptr && write_text(m, v, sj_slice_of(place), best);
}

/* One step of the way; false: the hint is for people. */
static bool follow_hint(struct mender *m, struct sj_value *v)
{
	struct sj_diag d = m->diag;
	struct sj_slice hint = sj_slice_of(d.hint), pointer = sj_slice_of(d.pointer), word, rest = hint;
	if (d.code == SJ_E_CATALOG_ERROR && ends_with(pointer, "/catalogId"))
		return name_catalog(m, v, pointer);
	if (name_function(m, v, pointer))
		return true;
	if (!next_word(&rest, &word))
		return leave_away(m, v, pointer, SJ_LIT(""));
	if (sj_slice_starts(hint, "Remove \""))
		return leave_away(m, v, pointer, word) || remove_member(m, v, pointer, word);
	if (sj_slice_starts(hint, "Use \""))
		return write_text(m, v, pointer, word);
	if (sj_slice_starts(hint, "Use one of \""))
		return choose_word(m, v, pointer, hint);
	if (sj_slice_starts(hint, "Add \""))
		return add_member(m, v, pointer, word);
	return leave_away(m, v, pointer, SJ_LIT(""));
}

/* ---- one message ------------------------------------------------------------------------------------------------- */

/* True: *v was accepted as it is now. */
static bool mend_message(struct mender *m, struct sj_value *v, struct sj_slice surface)
{
	bool good = try_message(m, v);
	for (int i = 0; !good && i < MOST_STEPS && !m->x->nomem; i++) {
		struct sj_buf text;
		struct sj_diag d = m->diag;
		sj_buf_init(&text, m->mem, 0);
		sj_value_print(&text, v, SJ_PRINT_COMPACT);
		uint32_t said = sj_value_count(&m->changed);
		struct sj_value list = climb(m, sj_buf_view(&text), version_of(m, v, surface));
		bool moved = list.type == SJ_V_ARRAY && sj_value_count(&list) == 1 &&
		             !sj_value_equal(sj_value_item(&list, 0), v);
		sj_buf_finish(&text);
		if (moved) {
			struct sj_value fresh = sj_value_ref(*sj_value_item(&list, 0));
			sj_value_unref(m->mem, *v);
			*v = fresh;
		} else {
			(void)sj_value_truncate(m->mem, &m->changed, said);
		}
		sj_value_unref(m->mem, list);
		m->diag = d;
		if (!moved && !follow_hint(m, v))
			return false;
		/* A step may have tried its own work already. */
		good = !m->refused || try_message(m, v);
	}
	return good;
}

/* {"changed": [...], "send": [...]} */
static void keep_fix(struct mender *m, struct refusal *r, struct sj_value take_send)
{
	if (sj_value_object(m->mem, &r->fix) != SJ_OK ||
	    sj_value_set(m->mem, &r->fix, SJ_LIT("changed"), sj_value_ref(m->changed)) != SJ_OK ||
	    sj_value_set(m->mem, &r->fix, SJ_LIT("send"), take_send) != SJ_OK)
		m->x->nomem = true;
}

/* What is no JSON: the line it stands in, if that can be read with repairs. */
static struct sj_slice line_around(const struct explain *x, uint64_t offset)
{
	size_t from = offset < x->text.len ? (size_t)offset : x->text.len, to = from;
	while (from > 0 && x->text.ptr[from - 1] != '\n')
		from--;
	while (to < x->text.len && x->text.ptr[to] != '\n')
		to++;
	while (from < to && (x->text.ptr[from] == ' ' || x->text.ptr[from] == '\t'))
		from++;
	bool opens = from < to && (x->text.ptr[from] == '{' || x->text.ptr[from] == '[');
	return opens ? sj_slice(x->text.ptr + from, to - from) : SJ_NO_SLICE;
}

static void mend_refusal(struct mender *m, struct refusal *r)
{
	struct sj_value list = SJ_ABSENT_VALUE;
	if (sj_value_array(m->mem, &m->changed) != SJ_OK || sj_value_array(m->mem, &list) != SJ_OK) {
		m->x->nomem = true;
		return;
	}
	if (r->parsed.type != SJ_V_ABSENT) {
		if (sj_value_append(m->mem, &list, sj_value_ref(r->parsed)) != SJ_OK)
			m->x->nomem = true;
	} else if (r->diag.category == SJ_CAT_PARSE && m->x->in_file) {
		struct sj_slice line = line_around(m->x, r->diag.offset);
		sj_value_unref(m->mem, list);
		list = line.ptr ? climb(m, line, version_of(m, NULL, SJ_NO_SLICE)) : SJ_ABSENT_VALUE;
	}
	bool good = list.type == SJ_V_ARRAY && sj_value_count(&list) > 0 && sj_value_count(&list) <= MOST_MESSAGES;
	for (uint32_t i = 0; good && !m->x->nomem && i < sj_value_count(&list); i++) {
		struct sj_value v = sj_value_ref(*sj_value_item(&list, i));
		good = mend_message(m, &v, r->surface_id);
		if (sj_value_set_item(m->mem, &list, i, v) != SJ_OK)
			m->x->nomem = true;
	}
	if (good && !m->x->nomem) {
		if (sj_value_count(&m->changed) == 0)
			say_change(m, SJ_LIT("nothing: what it lacked has come since, or comes with a message mended before it"));
		keep_fix(m, r, list);
	} else {
		sj_value_unref(m->mem, list);
	}
	sj_value_unref(m->mem, m->changed);
}

void explain_mend(struct explain *x, const struct cmd_args *args, const struct sj_engine_config *cfg)
{
	struct mender m = {.x = x, .mem = x->mem};
	if (x->refusals.count == 0 || cmd_session_open(&m.session, x->mem, cfg) != CMD_OK)
		return;
	if (cmd_session_catalogs(&m.session, args) == CMD_OK && cmd_session_play(&m.session, x->text) == CMD_OK) {
		m.session.event = on_trial;
		m.session.ctx = &m;
		for (uint32_t i = 0; i < x->refusals.count && i < MOST_MENDED && !x->nomem; i++)
			mend_refusal(&m, &x->refusals.items[i]);
	}
	cmd_session_close(&m.session);
}

/* ---- what a refused message would have brought ------------------------------------------------------------------- */

/* The components of a message of any version. */
static const struct sj_value *components_of(const struct sj_value *message)
{
	static const char *const ops[] = {"updateComponents", "createSurface", "surfaceUpdate"};
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
		const struct sj_value *list = cmd_member(cmd_member(message, ops[i]), "components");
		if (list && list->type == SJ_V_ARRAY)
			return list;
	}
	return NULL;
}

bool explain_brings(const struct refusal *r, struct sj_slice id)
{
	const struct sj_value *list = components_of(&r->parsed);
	for (uint32_t i = 0; list && i < sj_value_count(list); i++) {
		const struct sj_value *own = cmd_member(sj_value_item(list, i), "id");
		if (!id.ptr || (own && sj_value_is_string(own) && sj_slice_eq(sj_value_text(own), id)))
			return true;
	}
	return false;
}

/* Would it have written there, above or below? */
static bool writes(const struct refusal *r, struct sj_slice pointer)
{
	const struct sj_value *body = cmd_member(&r->parsed, "updateDataModel"), *path = cmd_member(body, "path");
	struct sj_slice at = path && sj_value_is_string(path) ? sj_value_text(path) : SJ_LIT("/");
	if (!body)
		return false;
	while (at.len > 0 && at.ptr[at.len - 1] == '/')
		at.len--;
	return pointer.len >= at.len && memcmp(pointer.ptr, at.ptr, at.len) == 0 &&
	       (pointer.len == at.len || pointer.ptr[at.len] == '/');
}

static struct sj_slice text_of(const struct sj_value *v, const char *key)
{
	const struct sj_value *m = cmd_member(v, key);
	return m && sj_value_is_string(m) ? sj_value_text(m) : SJ_LIT("");
}

/* The refused message because of which a finding is there. */
static const struct refusal *culprit(const struct explain *x, const struct sj_value *finding)
{
	const struct sj_value *chain = cmd_member(finding, "chain");
	struct sj_slice code = text_of(finding, "code"), surface = text_of(finding, "surfaceId"), missing = SJ_LIT(""),
			pointer = SJ_LIT("");
	bool whole = sj_slice_is(code, "no-components"), root = sj_slice_is(code, "no-root");
	bool data = sj_slice_is(code, "binding-absent") || sj_slice_is(code, "list-absent");
	for (uint32_t i = 0; chain && i < sj_value_count(chain); i++) {
		const struct sj_value *link = sj_value_item(chain, i);
		if (sj_slice_is(text_of(link, "what"), "missing"))
			missing = text_of(link, "id");
		if (sj_slice_is(text_of(link, "what"), "place"))
			pointer = text_of(link, "pointer");
	}
	for (uint32_t i = x->refusals.count; i-- > 0;) { /* the last that tried */
		const struct refusal *r = &x->refusals.items[i];
		if (r->surface_id.len && !sj_slice_eq(r->surface_id, surface))
			continue;
		if ((whole && explain_brings(r, SJ_NO_SLICE)) || (root && explain_brings(r, SJ_LIT("root"))) ||
		    (missing.len && explain_brings(r, missing)) || (data && pointer.len && writes(r, pointer)))
			return r;
	}
	return NULL;
}

static void add_link(struct explain *x, struct sj_value *finding, const struct refusal *r)
{
	struct sj_value link, text;
	enum sj_status st = sj_value_object(x->mem, &link);
	struct sj_value *chain = sj_value_own_member(x->mem, finding, SJ_LIT("chain"), &st);
	if (st == SJ_OK)
		st = sj_value_string(x->mem, SJ_LIT("refused"), &text);
	if (st == SJ_OK)
		st = sj_value_set(x->mem, &link, SJ_LIT("what"), text);
	if (st == SJ_OK)
		st = sj_value_string(x->mem, sj_slice_of(r->diag.message), &text);
	if (st == SJ_OK)
		st = sj_value_set(x->mem, &link, SJ_LIT("text"), text);
	if (st == SJ_OK)
		st = sj_value_set(x->mem, &link, SJ_LIT("message"), sj_value_int(r->message));
	if (st == SJ_OK)
		st = sj_value_set(x->mem, &link, SJ_LIT("offset"), sj_value_int((int64_t)r->diag.offset));
	if (st == SJ_OK && x->in_file)
		st = sj_value_set(x->mem, &link, SJ_LIT("line"), sj_value_int(explain_line(x, r->diag.offset)));
	if (st == SJ_OK && chain)
		st = sj_value_append(x->mem, chain, link);
	if (st != SJ_OK)
		x->nomem = true;
}

void explain_blame(struct explain *x, struct sj_value *finding)
{
	const struct refusal *r = culprit(x, finding);
	struct sj_buf cause;
	struct sj_value text;
	if (!r)
		return;
	sj_buf_init(&cause, x->mem, 0);
	sj_buf_slice(&cause, text_of(finding, "cause"));
	sj_buf_printf(&cause, " Message %u ", r->message);
	if (x->in_file)
		sj_buf_printf(&cause, "(line %u, byte %llu) ", explain_line(x, r->diag.offset),
		              (unsigned long long)r->diag.offset);
	sj_buf_printf(&cause, "would have brought it, and was refused: %s", r->diag.message);
	if (r->diag.message[0] && r->diag.message[strlen(r->diag.message) - 1] != '.')
		sj_buf_putc(&cause, '.');
	if (sj_buf_status(&cause) != SJ_OK || sj_value_string(x->mem, sj_buf_view(&cause), &text) != SJ_OK ||
	    sj_value_set(x->mem, finding, SJ_LIT("cause"), text) != SJ_OK ||
	    sj_value_set(x->mem, finding, SJ_LIT("suggestion"),
	                 r->fix.type == SJ_V_OBJECT ? sj_value_ref(r->fix) : SJ_NULL_VALUE) != SJ_OK)
		x->nomem = true;
	sj_buf_finish(&cause);
	add_link(x, finding, r);
}
