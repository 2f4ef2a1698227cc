/* What is certain of a message that is still arriving. */
#include "infer/direct.h"

#include "base/utf.h"

/* ---- cells ------------------------------------------------------------------------------------------------------- */

void sj_direct_place(struct sj_direct *d, struct sj_diag *diag)
{
	diag->offset += d->lex.message_offset;
	diag->line += d->lex.message_line - (diag->line > 0);
}

enum sj_status sj_direct_read(struct sj_direct *d, bool final)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_diag diag;
	if (d->reading && d->begun != d->lex.begun) { /* it was an object around messages */
		sj_reader_finish(&d->reader);
		sj_arena_reset(&d->cells);
		d->reading = false;
	}
	if (!d->reading) {
		d->begun = d->lex.begun;
		sj_reader_init(&d->reader, &d->cells, &opt);
		d->reading = true;
		if (sj_reader_reserve(&d->reader, 64) != SJ_OK)
			return SJ_NOMEM;
	}
	sj_diag_clear(&diag);
	enum sj_status st = sj_reader_run(&d->reader, sj_buf_view(&d->lex.text), final, &diag);
	d->closed = d->lex.closed;
	d->outer = d->lex.outer;
	d->read = d->lex.text.len;
	if (st != SJ_OK && st != SJ_MORE) { /* a number, escape or key that no mending helps */
		diag.category = SJ_CAT_PARSE;
		sj_direct_place(d, &diag);
		d->buried = true;
		/* What stands in the text comes before what the lexer stopped at. */
		if (st != SJ_NOMEM) {
			d->lex.status = st;
			d->lex.fault = diag;
			d->lex.dead = true;
		}
	}
	return st;
}

struct sj_tape sj_direct_tape(const struct sj_direct *d, uint32_t count)
{
	return (struct sj_tape){.cells = d->reader.cells,
	                        .count = count,
	                        .text = d->lex.text.ptr,
	                        .text_len = d->lex.text.len,
	                        .indexes = d->reader.indexes.items};
}

/* The open message as a tape: open containers end where the cells end. *half: a key, string or number is half there.
 * The cell of an open string lies just behind the others, its key before it. */
struct sj_tape sj_direct_peek(struct sj_direct *d, bool *half)
{
	struct sj_reader *r = &d->reader;
	uint32_t n = r->count;
	bool in_object = r->depth > 0 && r->cells[r->stack[r->depth - 1]].type == SJ_J_OBJECT;
	*half = r->state == SJ_READ_COLON || r->state == SJ_READ_VALUE || r->state == SJ_READ_NUMBER ||
	        r->state == SJ_READ_STRING || r->state == SJ_READ_KEY;
	if (in_object && *half && r->state != SJ_READ_KEY && !(r->state == SJ_READ_STRING && r->is_key))
		n--; /* a key whose value is not there */
	for (uint32_t i = 0; i < r->depth; i++) {
		struct sj_cell *c = &r->cells[r->stack[i]];
		c->flags = SJ_CELL_OPEN;
		c->end = n;
		if (i + 1 == r->depth)
			c->len = r->members;
	}
	return sj_direct_tape(d, n);
}

bool sj_direct_is_open(const struct sj_direct *d, uint32_t cell, uint32_t level)
{
	return d->reader.depth > level && d->reader.stack[level] == cell && d->reader.state != SJ_READ_DONE;
}

/* ---- out --------------------------------------------------------------------------------------------------------- */

enum sj_status sj_direct_emit(struct sj_direct *d, struct sj_value take)
{
	struct sj_mem *mem = d->f->mem;
	enum sj_status st = SJ_OK;
	if (d->out.type == SJ_V_ABSENT) {
		st = sj_value_array(mem, &d->out);
		d->number = d->made;
	}
	if (st != SJ_OK) {
		d->out = SJ_ABSENT_VALUE;
		sj_value_unref(mem, take);
		return st;
	}
	return sj_value_append(mem, &d->out, take);
}

void sj_direct_forget(struct sj_direct *d)
{
	struct sj_direct_open *o = &d->open;
	struct sj_mem *mem = d->f->mem;
	sj_value_unref(mem, o->all);
	sj_value_unref(mem, o->fresh);
	sj_value_unref(mem, o->last);
	sj_buf_clear(&o->path);
	o->all = o->fresh = o->last = SJ_ABSENT_VALUE;
	o->known = o->hopeless = o->begun = o->stuck = o->sent = false;
	o->list = o->next = o->count = o->nlevels = o->last_cells = o->last_count = 0;
	o->last_len = o->shown = 0;
	if (d->reading) {
		bool big = d->reader.count > 16384;
		sj_reader_finish(&d->reader);
		if (big)
			sj_arena_finish(&d->cells);
		else
			sj_arena_reset(&d->cells);
	}
	sj_arena_reset(&d->scratch);
	d->reading = false;
	d->read = 0;
	sj_lex_drop(&d->lex);
}

void sj_direct_surface(struct sj_direct *d, const struct sj_tape *t, uint32_t body)
{
	uint32_t id = sj_tape_type(t, body) == SJ_J_OBJECT ? sj_tape_get(t, body, SJ_LIT("surfaceId")) : 0;
	d->check.surface = NULL;
	if (d->f->opt.ncatalogs < 2 || !id || sj_tape_type(t, id) != SJ_J_STRING)
		return;
	for (uint32_t i = d->surfaces.count; i-- > 0;)
		if (sj_tape_is(t, id, sj_slice(d->surfaces.items[i].id, d->surfaces.items[i].len))) {
			d->check.surface = d->surfaces.items[i].catalog;
			return;
		}
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Sets the member whose key is in `key`. */
static enum sj_status set_member(struct sj_direct *d, const struct sj_tape *t, uint32_t key, struct sj_value *object,
                                 struct sj_value take)
{
	struct sj_slice name = sj_tape_string(t, key, &d->scratch);
	if (!name.ptr) {
		sj_value_unref(d->f->mem, take);
		return SJ_NOMEM;
	}
	return sj_value_set(d->f->mem, object, name, take);
}

/* The open string behind the cells, as far as it goes. */
enum sj_status sj_direct_open_string(struct sj_direct *d, struct sj_value *out)
{
	const struct sj_reader *r = &d->reader;
	struct sj_cell c = {.off = (uint32_t)r->token,
	                    .len = (uint32_t)(r->at - r->token),
	                    .end = 1,
	                    .type = SJ_J_STRING,
	                    .flags = r->is_escaped ? SJ_CELL_ESCAPED : 0};
	struct sj_tape t = {.cells = &c, .count = 1, .text = d->lex.text.ptr, .text_len = d->lex.text.len};
	return sj_value_from_tape(d->f->mem, &t, 0, out);
}

static bool is_progressive(const struct sj_direct *d, const struct sj_tape *t, uint32_t key)
{
	for (uint32_t i = 0; i < d->opt->nprogressive; i++)
		if (sj_tape_is(t, key, d->opt->progressive_keys[i]))
			return true;
	return false;
}

/* One container with its closed children, and `child` (taken) in the place of the open one: the container in cell
 * `open`, or (open 0) the open string. */
static enum sj_status with_child(struct sj_direct *d, const struct sj_tape *t, uint32_t cell, uint32_t open,
                                 struct sj_value child, struct sj_value *out)
{
	struct sj_mem *mem = d->f->mem;
	bool object = sj_tape_type(t, cell) == SJ_J_OBJECT;
	struct sj_value v = SJ_ABSENT_VALUE;
	enum sj_status st = object ? sj_value_object(mem, &v) : sj_value_array(mem, &v);
	uint32_t at = cell + 1;
	while (st == SJ_OK && at < t->cells[cell].end) {
		uint32_t value = object ? at + 1 : at;
		struct sj_value one;
		if (value == open)
			break;
		st = sj_value_from_tape(mem, t, value, &one);
		if (st == SJ_OK)
			st = object ? set_member(d, t, at, &v, one) : sj_value_append(mem, &v, one);
		at = t->cells[value].end;
	}
	if (child.type != SJ_V_ABSENT) { /* its key is in `at`, which for an open string lies behind the cells */
		if (st == SJ_OK)
			st = object ? set_member(d, t, at, &v, child) : sj_value_append(mem, &v, child);
		else
			sj_value_unref(mem, child);
	}
	if (st == SJ_OK)
		*out = v;
	else if (v.type != SJ_V_ABSENT)
		sj_value_unref(mem, v);
	return st;
}

/* The open container at `level` of the reader's stack, as it stands. `text`: with the open string in it. */
enum sj_status sj_direct_open_value(struct sj_direct *d, const struct sj_tape *t, uint32_t level, bool text,
                                 struct sj_value *out)
{
	const struct sj_reader *r = &d->reader;
	struct sj_value v = SJ_ABSENT_VALUE;
	enum sj_status st = text ? sj_direct_open_string(d, &v) : SJ_OK;
	for (uint32_t i = r->depth; st == SJ_OK && i-- > level;) {
		uint32_t open = i + 1 < r->depth ? r->stack[i + 1] : 0;
		struct sj_value around;
		st = with_child(d, t, r->stack[i], open, v, &around);
		v = st == SJ_OK ? around : SJ_ABSENT_VALUE;
	}
	if (st == SJ_OK)
		*out = v;
	return st;
}

/* ---- components -------------------------------------------------------------------------------------------------- */

static enum sj_status keep(struct sj_direct *d, struct sj_value take)
{
	struct sj_direct_open *o = &d->open;
	struct sj_mem *mem = d->f->mem;
	bool all = !d->opt->deltas || o->env.op == SJ_CHECK_CREATE;
	enum sj_status st = SJ_OK;
	if (all && o->all.type == SJ_V_ABSENT)
		st = sj_value_array(mem, &o->all);
	if (st == SJ_OK && d->opt->deltas && o->fresh.type == SJ_V_ABSENT)
		st = sj_value_array(mem, &o->fresh);
	if (st == SJ_OK && all)
		st = sj_value_append(mem, &o->all, sj_value_ref(take));
	if (st == SJ_OK && d->opt->deltas)
		st = sj_value_append(mem, &o->fresh, sj_value_ref(take));
	sj_value_unref(mem, take);
	o->count += st == SJ_OK;
	return st;
}

/* Looks at each component that has closed since the last time. open_cell: the one that is still open, UINT32_MAX for
 * none. */
enum sj_status sj_direct_release(struct sj_direct *d, const struct sj_tape *t, uint32_t open_cell)
{
	struct sj_direct_open *o = &d->open;
	uint32_t end = t->cells[o->list].end;
	if (sj_tape_type(t, o->list) != SJ_J_ARRAY)
		return SJ_OK;
	while (!o->stuck && o->next < end && o->next != open_cell) {
		struct sj_arena_mark mark = sj_arena_mark(&d->scratch);
		struct sj_value v;
		sj_diag_clear(&o->fault);
		enum sj_status st =
			sj_check_component(&d->check, o->env.version, t, 0, o->next, &d->scratch, &o->fault);
		sj_arena_rollback(&d->scratch, mark);
		enum sj_status good = st;
		if (st == SJ_OK || st == SJ_INVALID)
			st = sj_value_from_tape(d->f->mem, t, o->next, &v);
		if (st != SJ_OK)
			return st;
		if (good == SJ_INVALID && (good = sj_heal_component(d, o->env.version, &v)) != SJ_OK) {
			sj_value_unref(d->f->mem, v);
			if (good == SJ_NOMEM)
				return good;
			o->stuck = true;
			return SJ_OK;
		}
		st = keep(d, v);
		if (st != SJ_OK)
			return st;
		o->next = t->cells[o->next].end;
	}
	return SJ_OK;
}

/* Before v1.0: the open component, when only a string of it is open, or nothing. SJ_ABSENT: it waits. */
static enum sj_status open_component(struct sj_direct *d, const struct sj_tape *t, bool text, struct sj_value *out)
{
	const struct sj_reader *r = &d->reader;
	if (d->open.env.version >= SJ_V10 || r->depth != 4 || r->stack[3] != d->open.next ||
	    sj_tape_type(t, r->stack[3]) != SJ_J_OBJECT || d->open.stuck)
		return SJ_ABSENT;
	struct sj_value v;
	enum sj_status st = sj_direct_open_value(d, t, 3, text, &v);
	if (st != SJ_OK)
		return st;
	struct sj_buf json;
	struct sj_tape own;
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	sj_buf_init(&json, d->f->mem, 0);
	sj_value_print(&json, &v, SJ_PRINT_COMPACT);
	st = sj_buf_status(&json);
	if (st == SJ_OK)
		st = sj_json_parse(&d->scratch, &opt, sj_buf_view(&json), &own, NULL);
	if (st == SJ_OK && !sj_tape_get(&own, 0, SJ_LIT("component")))
		st = SJ_ABSENT; /* its type is still to come */
	if (st == SJ_OK)
		st = sj_check_component(&d->check, d->open.env.version, &own, 0, 0, &d->scratch, NULL);
	sj_buf_finish(&json);
	if (st == SJ_OK)
		*out = v;
	else
		sj_value_unref(d->f->mem, v);
	return st == SJ_INVALID || st == SJ_LIMIT ? SJ_ABSENT : st;
}

/* ---- whole messages ---------------------------------------------------------------------------------------------- */

/* The body as it stands: components as they were accepted, other members as they are. */
static enum sj_status build_body(struct sj_direct *d, const struct sj_tape *t, bool text, struct sj_value *out)
{
	struct sj_mem *mem = d->f->mem;
	uint32_t body = d->open.env.body;
	struct sj_value v;
	enum sj_status st = sj_value_object(mem, &v);
	if (st != SJ_OK)
		return st;
	uint32_t at = body + 1;
	while (st == SJ_OK && at < t->cells[body].end) {
		uint32_t value = at + 1;
		struct sj_value one;
		if (value == d->open.list && d->open.all.type != SJ_V_ABSENT)
			one = sj_value_ref(d->open.all);
		else if (sj_direct_is_open(d, value, 2))
			st = sj_direct_open_value(d, t, 2, text, &one);
		else
			st = sj_value_from_tape(mem, t, value, &one);
		if (st == SJ_OK)
			st = set_member(d, t, at, &v, one);
		at = t->cells[value].end;
	}
	if (st == SJ_OK && text && d->reader.depth == 2) { /* a string that is the value itself */
		struct sj_value one;
		st = sj_direct_open_string(d, &one);
		if (st == SJ_OK)
			st = set_member(d, t, at, &v, one);
	}
	if (st == SJ_OK)
		*out = v;
	else
		sj_value_unref(mem, v);
	return st;
}

enum sj_status sj_direct_build(struct sj_direct *d, const struct sj_tape *t, bool text, struct sj_value *out)
{
	struct sj_mem *mem = d->f->mem;
	struct sj_value v;
	enum sj_status st = sj_value_object(mem, &v);
	if (st != SJ_OK)
		return st;
	for (uint32_t at = 1; st == SJ_OK && at < t->cells[0].end;) {
		uint32_t value = at + 1;
		struct sj_value one;
		st = value == d->open.env.body ? build_body(d, t, text, &one) : sj_value_from_tape(mem, t, value, &one);
		if (st == SJ_OK)
			st = set_member(d, t, at, &v, one);
		at = t->cells[value].end;
	}
	if (st == SJ_OK)
		*out = v;
	else
		sj_value_unref(mem, v);
	return st;
}

/* Version, action and surface, once they are there; then the list of components. */
enum sj_status sj_direct_identify(struct sj_direct *d, const struct sj_tape *t)
{
	struct sj_direct_open *o = &d->open;
	if (!o->known) {
		struct sj_check c = d->check;
		enum sj_status st = sj_check_envelope(&c, t, 0, &o->env, NULL);
		if (st != SJ_OK)
			return st == SJ_NOMEM ? st : SJ_ABSENT;
		if (sj_tape_type(t, o->env.body) != SJ_J_OBJECT || !sj_tape_get(t, o->env.body, SJ_LIT("surfaceId")))
			return SJ_ABSENT;
		sj_direct_surface(d, t, o->env.body);
		o->known = true;
	}
	if (!o->list && (o->env.op == SJ_CHECK_COMPONENTS || o->env.op == SJ_CHECK_CREATE)) {
		o->list = sj_tape_get(t, o->env.body, SJ_LIT("components"));
		o->next = o->list + 1;
	}
	return SJ_OK;
}

/* May the string that is open be shown as it stands? It is the value of a member that the caller named, in a data model
 * or (before v1.0) a property of a component; never an id, a path or a name. */
bool sj_direct_may_show(struct sj_direct *d, const struct sj_tape *t)
{
	const struct sj_reader *r = &d->reader;
	uint32_t top = r->depth > 2 ? r->stack[2] - 1 : t->count; /* key of the body's member that is open */
	uint32_t key = t->count; /* the open string's own, which peek has left out */
	if (r->state != SJ_READ_STRING || r->is_key || r->depth < 2 || r->stack[1] != d->open.env.body ||
	    sj_tape_type(t, r->stack[r->depth - 1]) != SJ_J_OBJECT || !is_progressive(d, t, key))
		return false;
	if (d->open.env.op == SJ_CHECK_DATA)
		return sj_tape_is(t, top, SJ_LIT("value"));
	if (d->open.env.op == SJ_CHECK_CREATE && r->depth > 2 && sj_tape_is(t, top, SJ_LIT("dataModel")))
		return true;
	if (d->open.env.version >= SJ_V10 || r->depth != 4 || !d->open.list || r->stack[2] != d->open.list)
		return false;
	uint32_t type = sj_tape_get(t, r->stack[3], SJ_LIT("component"));
	struct sj_slice name = type && sj_tape_type(t, type) == SJ_J_STRING ? sj_tape_raw(t, type) : SJ_NO_SLICE;
	for (uint32_t i = 0; name.ptr && i < d->f->opt.ncatalogs; i++) {
		const struct sj_a2ui_component *row = sj_catalog_component(d->f->catalogs[i], name);
		const struct sj_a2ui_prop *p = row ? sj_a2ui_prop_find(row, sj_tape_raw(t, key)) : NULL;
		if (p && (p->cls == SJ_AC_DYNAMIC || p->cls == SJ_AC_PLAIN))
			return true;
	}
	return false;
}

/* Does the open message, read as it stands, hold what its action needs? */
static bool reads_well(struct sj_direct *d, const struct sj_tape *t, bool text)
{
	struct sj_direct_open *o = &d->open;
	struct sj_check c = d->check;
	struct sj_diag diag;
	if (o->env.op == SJ_CHECK_DATA && !(text && d->reader.depth == 2) &&
	    !sj_tape_get(t, o->env.body, SJ_LIT("value")))
		return false; /* before v1.0 its absence would delete */
	c.checked_until = UINT32_MAX;
	sj_diag_clear(&diag);
	enum sj_status st = sj_check_message(&c, t, 0, &d->scratch, NULL, &diag);
	return st == SJ_OK || (text && d->reader.depth == 2 && strcmp(diag.detail, "missing_field") == 0 &&
	                       o->env.op == SJ_CHECK_DATA);
}

enum sj_status sj_direct_partial(struct sj_direct *d)
{
	struct sj_direct_open *o = &d->open;
	struct sj_value v, component = SJ_ABSENT_VALUE;
	bool half;
	enum sj_status st = sj_direct_read(d, false);
	if (st != SJ_MORE || d->reader.depth == 0)
		return st == SJ_MORE || st == SJ_OK || d->lex.dead ? (st == SJ_NOMEM ? st : SJ_OK) : st;
	struct sj_tape t = sj_direct_peek(d, &half);
	if (sj_tape_type(&t, 0) != SJ_J_OBJECT || (st = sj_direct_identify(d, &t)) != SJ_OK)
		return st == SJ_NOMEM ? st : SJ_OK;
	if (o->env.op == SJ_CHECK_OLD)
		return SJ_OK; /* whole: nothing of v0.8 is seen before its beginRendering anyway */
	bool in_list = o->list && sj_direct_is_open(d, o->list, 2);
	bool text = sj_direct_may_show(d, &t);
	if (o->list) {
		uint32_t open = in_list && d->reader.depth > 3 ? d->reader.stack[3] : UINT32_MAX;
		st = sj_direct_release(d, &t, open);
		if (st == SJ_OK && in_list && open != UINT32_MAX && (text || !half)) {
			st = open_component(d, &t, text, &component);
			st = st == SJ_ABSENT ? SJ_OK : st;
		}
		if (st != SJ_OK)
			return st;
	}
	uint32_t count = o->count + (component.type != SJ_V_ABSENT);
	/* In a list of components what is half there is left out; elsewhere the message waits for it. */
	bool waits = o->stuck || (half && !text && !in_list) || (o->list && (count == 0 || count < o->last_count));
	size_t len = text ? d->reader.at - d->reader.token + 1 : 0;
	bool same = in_list && component.type == SJ_V_ABSENT ? count == o->last_count && o->last_len == 0
	                                                    : t.count == o->last_cells && len == o->last_len;
	if (waits || same || !reads_well(d, &t, text)) {
		sj_value_unref(d->f->mem, component);
		return SJ_OK;
	}
	o->last_cells = t.count;
	o->last_len = len;
	o->last_count = count;
	struct sj_value kept = o->all;
	if (component.type != SJ_V_ABSENT) { /* shown with the others, but not kept */
		o->all = SJ_ABSENT_VALUE;
		if (kept.type == SJ_V_ABSENT)
			st = sj_value_array(d->f->mem, &o->all);
		else
			o->all = sj_value_ref(kept);
		if (st == SJ_OK)
			st = sj_value_append(d->f->mem, &o->all, sj_value_ref(component));
	}
	if (st == SJ_OK)
		st = sj_direct_build(d, &t, text && !in_list, &v);
	if (component.type != SJ_V_ABSENT) {
		sj_value_unref(d->f->mem, o->all);
		sj_value_unref(d->f->mem, component);
		o->all = kept;
	}
	if (st != SJ_OK)
		return st;
	if (o->last.type != SJ_V_ABSENT && sj_value_equal(&o->last, &v)) {
		sj_value_unref(d->f->mem, v);
		return SJ_OK;
	}
	sj_value_unref(d->f->mem, o->last);
	o->last = sj_value_ref(v);
	return sj_direct_emit(d, v);
}
