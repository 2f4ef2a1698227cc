/* Of a message that is still arriving, only what is new: each byte goes out a bounded number of times. */
#include "base/num.h"
#include "infer/direct.h"

enum {
	WAIT_BYTES = 512,  /* data goes out at least when so much of it waits */
	LEAST_BYTES = 48,  /* and at most when so much does */
	MAX_INDEX = 10000, /* items beyond are not written one by one (limit array_index of upstream renderers) */
	MAX_PATH = 1024,
};

static enum sj_status put_text(struct sj_mem *mem, struct sj_value *object, const char *key, struct sj_slice text)
{
	struct sj_value v;
	enum sj_status st = sj_value_string(mem, text, &v);
	return st == SJ_OK ? sj_value_set(mem, object, sj_slice_of(key), v) : st;
}

/* {"version", ACTION: body}; takes the body. */
static enum sj_status emit(struct sj_direct *d, const char *action, struct sj_value body)
{
	struct sj_mem *mem = d->f->mem;
	struct sj_value v;
	enum sj_status st = sj_value_object_for(mem, 2, &v);
	if (st != SJ_OK) {
		sj_value_unref(mem, body);
		return st;
	}
	st = put_text(mem, &v, "version", sj_slice_of(sj_version_text(d->open.env.version)));
	if (st == SJ_OK)
		st = sj_value_set(mem, &v, sj_slice_of(action), body);
	else
		sj_value_unref(mem, body);
	if (st != SJ_OK) {
		sj_value_unref(mem, v);
		return st;
	}
	d->open.begun = true;
	return sj_direct_emit(d, v);
}

/* A body with the surface's id in it. */
static enum sj_status begin_body(struct sj_direct *d, const struct sj_tape *t, struct sj_value *out)
{
	uint32_t id = sj_tape_get(t, d->open.env.body, SJ_LIT("surfaceId"));
	struct sj_value text;
	enum sj_status st = sj_value_from_tape(d->f->mem, t, id, &text);
	if (st != SJ_OK)
		return st;
	st = sj_value_object_for(d->f->mem, 2, out);
	if (st != SJ_OK) {
		sj_value_unref(d->f->mem, text);
		return st;
	}
	st = sj_value_set(d->f->mem, out, SJ_LIT("surfaceId"), text);
	if (st != SJ_OK)
		sj_value_unref(d->f->mem, *out);
	return st;
}

/* ---- components -------------------------------------------------------------------------------------------------- */

static enum sj_status emit_components(struct sj_direct *d, const struct sj_tape *t)
{
	struct sj_value body;
	if (d->open.fresh.type == SJ_V_ABSENT)
		return SJ_OK;
	enum sj_status st = begin_body(d, t, &body);
	if (st != SJ_OK)
		return st;
	st = sj_value_set(d->f->mem, &body, SJ_LIT("components"), d->open.fresh);
	d->open.fresh = SJ_ABSENT_VALUE;
	if (st != SJ_OK) {
		sj_value_unref(d->f->mem, body);
		return st;
	}
	return emit(d, "updateComponents", body);
}

/* The surface itself, with all that stands before its components. Without a catalogId there it may still come, and
 * would be missed. SJ_ABSENT: it must wait. */
static enum sj_status emit_create(struct sj_direct *d, const struct sj_tape *t)
{
	uint32_t body = d->open.env.body, id = sj_tape_get(t, body, SJ_LIT("catalogId"));
	struct sj_check c = d->check;
	struct sj_value v;
	if (!id || id > d->open.list)
		return SJ_ABSENT;
	c.checked_until = UINT32_MAX; /* what stands before the components must be good by itself */
	enum sj_status st = sj_check_message(&c, t, 0, &d->scratch, NULL, NULL);
	if (st != SJ_OK)
		return st == SJ_NOMEM ? st : SJ_ABSENT;
	st = sj_value_object(d->f->mem, &v);
	if (st != SJ_OK)
		return st;
	for (uint32_t at = body + 1; st == SJ_OK && at + 1 < d->open.list; at = sj_tape_next(t, at + 1)) {
		struct sj_slice key = sj_tape_string(t, at, &d->scratch);
		struct sj_value one;
		st = key.ptr ? sj_value_from_tape(d->f->mem, t, at + 1, &one) : SJ_NOMEM;
		if (st == SJ_OK)
			st = sj_value_set(d->f->mem, &v, key, one);
	}
	if (st != SJ_OK) {
		sj_value_unref(d->f->mem, v);
		return st;
	}
	return emit(d, "createSurface", v);
}

/* What stood behind the components: the data model as an update; anything else belongs to the surface's making, which
 * is then done again. */
static enum sj_status finish_create(struct sj_direct *d, const struct sj_tape *t)
{
	uint32_t body = d->open.env.body, model = 0;
	bool again = false;
	for (uint32_t at = sj_tape_next(t, d->open.list); at < t->cells[body].end; at = sj_tape_next(t, at + 1)) {
		if (sj_tape_is(t, at, SJ_LIT("dataModel")))
			model = at + 1;
		else
			again = true;
	}
	struct sj_value v, data;
	enum sj_status st = SJ_OK;
	if (again) {
		st = begin_body(d, t, &v);
		if (st == SJ_OK)
			st = emit(d, "deleteSurface", v);
		if (st == SJ_OK)
			st = sj_direct_build(d, t, false, &v);
		return st == SJ_OK ? sj_direct_emit(d, v) : st;
	}
	if (!model || t->cells[model].len == 0)
		return SJ_OK;
	st = begin_body(d, t, &v);
	if (st != SJ_OK)
		return st;
	st = sj_value_from_tape(d->f->mem, t, model, &data);
	if (st == SJ_OK)
		st = sj_value_set(d->f->mem, &v, SJ_LIT("value"), data);
	if (st != SJ_OK) {
		sj_value_unref(d->f->mem, v);
		return st;
	}
	return emit(d, "updateDataModel", v);
}

static enum sj_status component_deltas(struct sj_direct *d, const struct sj_tape *t)
{
	struct sj_direct_open *o = &d->open;
	enum sj_status st = SJ_OK;
	if (!o->list || !sj_direct_is_open(d, o->list, 2))
		return SJ_OK;
	st = sj_direct_release(d, t, d->reader.depth > 3 ? d->reader.stack[3] : UINT32_MAX);
	if (st != SJ_OK || o->fresh.type == SJ_V_ABSENT)
		return st;
	if (o->env.op == SJ_CHECK_CREATE && !o->begun) {
		st = emit_create(d, t);
		if (st == SJ_ABSENT)
			o->hopeless = true;
	}
	if (st == SJ_OK)
		st = emit_components(d, t);
	return st == SJ_ABSENT ? SJ_OK : st;
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

/* Can a path end in this key and mean the member? */
static bool is_plain_key(struct sj_slice key)
{
	return key.len > 0 && !sj_slice_is(key, "__proto__") && !sj_slice_is(key, "constructor") &&
	       !sj_slice_is(key, "prototype");
}

/* {path, value}; takes the value. */
static enum sj_status emit_data(struct sj_direct *d, const struct sj_tape *t, size_t path, struct sj_value take)
{
	struct sj_mem *mem = d->f->mem;
	struct sj_value body;
	enum sj_status st = begin_body(d, t, &body);
	if (st != SJ_OK) {
		sj_value_unref(mem, take);
		return st;
	}
	if (path > 0)
		st = put_text(mem, &body, "path", sj_slice(d->open.path.ptr, path));
	if (st == SJ_OK)
		st = sj_value_set(mem, &body, SJ_LIT("value"), take);
	else
		sj_value_unref(mem, take);
	if (st != SJ_OK) {
		sj_value_unref(mem, body);
		return st;
	}
	return emit(d, "updateDataModel", body);
}

/* Goes down to the child `i` (in an object: with this key): *path is the length of its path. false: no path can say
 * it. */
static bool child_path(struct sj_direct *d, const struct sj_tape *t, const struct sj_direct_level *l, uint32_t key,
                       size_t *path)
{
	struct sj_buf *b = &d->open.path;
	b->len = l->path;
	if (sj_tape_type(t, l->cell) == SJ_J_OBJECT) {
		struct sj_slice name = sj_tape_string(t, key, &d->scratch);
		if (!is_plain_key(name))
			return false;
		sj_pointer_append(b, name);
	} else {
		if (l->index >= MAX_INDEX)
			return false;
		char number[SJ_NUM_TEXT];
		sj_buf_putc(b, '/');
		sj_buf_put(b, number, sj_num_text_i64(l->index, number));
	}
	*path = b->len;
	return sj_buf_status(b) == SJ_OK && b->len <= MAX_PATH;
}

/* The children of a level that have closed and were not sent. */
static enum sj_status send_children(struct sj_direct *d, const struct sj_tape *t, struct sj_direct_level *l,
                                    uint32_t open_cell)
{
	bool object = sj_tape_type(t, l->cell) == SJ_J_OBJECT;
	enum sj_status st = SJ_OK;
	while (st == SJ_OK && !l->held && l->next < t->cells[l->cell].end) {
		uint32_t value = object ? l->next + 1 : l->next;
		size_t path;
		struct sj_value v;
		if (value == open_cell)
			break;
		/* In v1.0 writing null would delete. */
		if ((d->open.env.version >= SJ_V10 && sj_tape_type(t, value) == SJ_J_NULL) ||
		    !child_path(d, t, l, l->next, &path)) {
			l->held = true;
			break;
		}
		st = sj_value_from_tape(d->f->mem, t, value, &v);
		if (st == SJ_OK)
			st = emit_data(d, t, path, v);
		l->next = sj_tape_next(t, value);
		l->index++;
	}
	return sj_buf_status(&d->open.path) == SJ_OK ? st : SJ_NOMEM;
}

/* Levels that have closed meanwhile, the innermost first. `depth`: how many of them are open still. */
static enum sj_status close_levels(struct sj_direct *d, const struct sj_tape *t, uint32_t depth)
{
	struct sj_direct_open *o = &d->open;
	while (o->nlevels > depth) {
		struct sj_direct_level *l = &o->levels[o->nlevels - 1];
		enum sj_status st = send_children(d, t, l, UINT32_MAX);
		bool covered = false; /* a level around it goes out whole anyway */
		for (uint32_t i = 0; i + 1 < o->nlevels; i++)
			covered = covered || o->levels[i].held;
		if (st == SJ_OK && l->held && !covered) {
			struct sj_value v;
			st = sj_value_from_tape(d->f->mem, t, l->cell, &v);
			if (st == SJ_OK)
				st = emit_data(d, t, l->path, v);
		}
		if (st != SJ_OK)
			return st;
		if (--o->nlevels > 0) {
			o->levels[o->nlevels - 1].next = sj_tape_next(t, l->cell);
			o->levels[o->nlevels - 1].index++;
		}
	}
	return SJ_OK;
}

/* How many levels lie on the reader's way down still. */
static uint32_t open_levels(const struct sj_direct *d)
{
	uint32_t n = 0;
	while (n < d->open.nlevels && sj_direct_is_open(d, d->open.levels[n].cell, 2 + n))
		n++;
	return n;
}

static void push_level(struct sj_direct *d, uint32_t cell, size_t path)
{
	d->open.levels[d->open.nlevels++] = (struct sj_direct_level){.cell = cell, .next = cell + 1, .path = path};
}

/* After the container at level `n` of ours went out as it stood: what of it was there counts as sent, and the open
 * containers in it become levels of their own. */
static void mark_sent(struct sj_direct *d, const struct sj_tape *t)
{
	struct sj_direct_open *o = &d->open;
	for (;;) {
		struct sj_direct_level *l = &o->levels[o->nlevels - 1];
		bool object = sj_tape_type(t, l->cell) == SJ_J_OBJECT;
		uint32_t level = 2 + o->nlevels;
		uint32_t open = d->reader.depth > level ? d->reader.stack[level] : UINT32_MAX;
		size_t path;
		while (l->next < t->cells[l->cell].end && (object ? l->next + 1 : l->next) != open) {
			l->next = sj_tape_next(t, object ? l->next + 1 : l->next);
			l->index++;
		}
		if (open == UINT32_MAX)
			return;
		if (o->nlevels == SJ_DIRECT_LEVELS || !child_path(d, t, l, l->next, &path)) {
			/* What comes below cannot be said by itself: this level goes out again when it closes. */
			l->held = true;
			return;
		}
		push_level(d, open, path);
	}
}

/* The first that goes out of the value. SJ_ABSENT: it must wait. */
static enum sj_status begin_data(struct sj_direct *d, const struct sj_tape *t, bool text)
{
	struct sj_direct_open *o = &d->open;
	uint32_t body = o->env.body, path = sj_tape_get(t, body, SJ_LIT("path"));
	uint32_t value = d->reader.depth > 2 ? d->reader.stack[2] : 0;
	struct sj_value v;
	/* The path may still come; only what is written to is sure. */
	if (!path || sj_tape_type(t, path) != SJ_J_STRING || (value ? path > value : false) ||
	    (value && !sj_tape_is(t, value - 1, SJ_LIT("value"))) || (!value && !text))
		return SJ_ABSENT;
	struct sj_slice p = sj_tape_string(t, path, &d->scratch);
	struct sj_check c = d->check;
	struct sj_diag diag;
	sj_diag_clear(&diag);
	enum sj_status st = sj_check_message(&c, t, 0, &d->scratch, NULL, &diag);
	if (!p.ptr || st == SJ_NOMEM)
		return SJ_NOMEM;
	if (p.len > MAX_PATH / 2 || (st != SJ_OK && strcmp(diag.detail, "missing_field") != 0))
		return SJ_ABSENT;
	while (p.len > 0 && p.ptr[p.len - 1] == '/') /* "/a/" is "/a", and "/" the root */
		p.len--;
	sj_buf_clear(&o->path);
	sj_buf_slice(&o->path, p);
	if (sj_buf_status(&o->path) != SJ_OK)
		return SJ_NOMEM;
	if (!value)
		st = sj_direct_open_string(d, &v);
	else
		st = sj_direct_open_value(d, t, 2, text, &v);
	if (st == SJ_OK)
		st = emit_data(d, t, p.len, v);
	if (st == SJ_OK && value) {
		push_level(d, value, p.len);
		mark_sent(d, t);
	}
	return st;
}

/* An open string that may be shown goes out again when it has grown enough, so that all of it stays linear. */
static enum sj_status send_string(struct sj_direct *d, const struct sj_tape *t)
{
	struct sj_direct_open *o = &d->open;
	size_t len = d->reader.at - d->reader.token, path = o->path.len;
	struct sj_value v;
	if (o->shown > 0 && len + 1 < o->shown + 8 + o->shown / 8)
		return SJ_OK;
	if (o->nlevels > 0) {
		struct sj_direct_level *l = &o->levels[o->nlevels - 1];
		if (l->held || l->cell != d->reader.stack[d->reader.depth - 1] || !child_path(d, t, l, t->count, &path))
			return SJ_OK;
	}
	o->shown = len + 1;
	enum sj_status st = sj_direct_open_string(d, &v);
	return st == SJ_OK ? emit_data(d, t, path, v) : st;
}

static enum sj_status data_deltas(struct sj_direct *d, const struct sj_tape *t, bool text)
{
	struct sj_direct_open *o = &d->open;
	enum sj_status st = SJ_OK;
	if (!o->begun) {
		st = begin_data(d, t, text);
		o->shown = st == SJ_OK && text ? d->reader.at - d->reader.token + 1 : 0;
		return st == SJ_ABSENT ? SJ_OK : st;
	}
	if (o->nlevels == 0) /* the value is a string, or all of it went out */
		return text && !o->sent ? send_string(d, t) : SJ_OK;
	st = close_levels(d, t, open_levels(d));
	o->sent = o->nlevels == 0;
	if (st != SJ_OK || o->nlevels == 0)
		return st;
	struct sj_direct_level *l = &o->levels[o->nlevels - 1];
	uint32_t level = 2 + o->nlevels, open = d->reader.depth > level ? d->reader.stack[level] : UINT32_MAX;
	st = send_children(d, t, l, open);
	bool covered = false;
	for (uint32_t i = 0; i < o->nlevels; i++)
		covered = covered || o->levels[i].held;
	if (st != SJ_OK || covered)
		return st;
	if (open != UINT32_MAX) {
		size_t path;
		struct sj_value v;
		if (o->nlevels == SJ_DIRECT_LEVELS || !child_path(d, t, l, l->next, &path))
			return SJ_OK; /* it goes out when it has closed */
		bool empty = t->cells[open].end == open + 1 && !text;
		if (empty)
			return SJ_OK;
		st = sj_direct_open_value(d, t, level, text, &v);
		if (st == SJ_OK)
			st = emit_data(d, t, path, v);
		if (st == SJ_OK) {
			push_level(d, open, path);
			mark_sent(d, t);
		}
		o->shown = text ? d->reader.at - d->reader.token + 1 : 0;
		return st;
	}
	if (!text)
		o->shown = 0;
	return text ? send_string(d, t) : st;
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

enum sj_status sj_direct_deltas(struct sj_direct *d)
{
	struct sj_direct_open *o = &d->open;
	size_t waiting = d->lex.text.len - d->read;
	bool half, closed = d->lex.closed != d->closed;
	if (o->hopeless || o->stuck)
		return SJ_OK;
	/* Components go out when one has closed; data in portions that are worth a message. */
	bool data = o->known && o->env.op == SJ_CHECK_DATA;
	if (o->known && !data)
		closed = d->lex.outer != d->outer; /* what closes inside a component sends nothing */
	bool watching = d->opt->nprogressive > 0 && sj_lex_in_string(&d->lex);
	if (!watching && waiting < WAIT_BYTES && (!closed || (data && waiting < LEAST_BYTES)))
		return SJ_OK;
	enum sj_status st = sj_direct_read(d, false);
	if (st != SJ_MORE || d->reader.depth < 2)
		return st == SJ_NOMEM ? st : SJ_OK;
	struct sj_tape t = sj_direct_peek(d, &half);
	if (sj_tape_type(&t, 0) != SJ_J_OBJECT || (st = sj_direct_identify(d, &t)) != SJ_OK)
		return st == SJ_NOMEM ? st : SJ_OK;
	switch (o->env.op) {
	case SJ_CHECK_COMPONENTS:
	case SJ_CHECK_CREATE:
		st = component_deltas(d, &t);
		break;
	case SJ_CHECK_DATA:
		st = data_deltas(d, &t, sj_direct_may_show(d, &t));
		break;
	case SJ_CHECK_DELETE:
	case SJ_CHECK_CALL:
	case SJ_CHECK_RESPONSE:
	case SJ_CHECK_OLD: /* whole: a component of v0.8 is nothing before its beginRendering anyway */
		o->hopeless = true;
		break;
	}
	sj_arena_reset(&d->scratch);
	return st;
}

enum sj_status sj_direct_last_deltas(struct sj_direct *d, const struct sj_tape *t)
{
	struct sj_direct_open *o = &d->open;
	struct sj_value v;
	enum sj_status st;
	if (o->env.op != SJ_CHECK_DATA) {
		st = emit_components(d, t);
		return st == SJ_OK && o->env.op == SJ_CHECK_CREATE ? finish_create(d, t) : st;
	}
	if (o->nlevels > 0 || o->sent)
		return close_levels(d, t, 0);
	st = sj_value_from_tape(d->f->mem, t, sj_tape_get(t, o->env.body, SJ_LIT("value")), &v);
	return st == SJ_OK ? emit_data(d, t, o->path.len, v) : st;
}
