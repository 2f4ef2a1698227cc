/* Schema-guided repair: a message that reads as JSON and breaks the catalog is changed where only one thing can be
 * meant, fault by fault, until it is good. What cannot be mended so leaves everything as it was, the first fault too.
 */
#include "infer/direct.h"

#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "base/utf.h"

enum { MOST_STEPS = 64 };

struct healer {
	struct sj_direct *d;
	struct sj_mem *mem;
	struct sj_value *v;       /* the message, or a component alone */
	bool alone;
	enum sj_version version;  /* of the component alone */
	struct sj_repairs made;
	struct sj_arena arena;
	struct sj_tape tape;
	/* The first fault: of the schema when `keyword` is set, else what the diagnostic says. */
	struct sj_diag diag;
	struct sj_schema_fault fault;
	char keyword[32], property[128], pointer[256];
};

/* Lists what is being done. Each '$' of the sentence stands for the next of the two names. */
static void note(struct healer *h, enum sj_repair_kind kind, const char *pointer, const char *sentence,
                 struct sj_slice a, struct sj_slice b)
{
	struct sj_lex *l = &h->d->lex;
	struct sj_slice names[2] = {sj_slice(a.ptr, sj_utf8_cut(a, 60)), sj_slice(b.ptr, sj_utf8_cut(b, 60))};
	char text[192];
	size_t n = 0, used = 0;
	for (const char *p = sentence; *p && n + 64 < sizeof text; p++) {
		if (*p != '$') {
			text[n++] = *p;
		} else if (used < 2) {
			if (names[used].len > 0)
				memcpy(text + n, names[used].ptr, names[used].len);
			n += names[used++].len;
		}
	}
	text[n] = '\0';
	if (sj_repair_note(h->mem, &h->made, kind, l->message_line, l->message_offset, NULL, "%s", text) == SJ_OK) {
		struct sj_repair *r = &h->made.list.items[h->made.list.count - 1];
		if (h->alone) /* the components before it are good, and counted */
			snprintf(r->pointer, sizeof r->pointer, "/%u/%s/components/%u%.*s", h->d->in_block,
			         h->d->open.env.op == SJ_CHECK_CREATE ? "createSurface" : "updateComponents",
			         h->d->open.count, 120, pointer);
		else
			snprintf(r->pointer, sizeof r->pointer, "/%u%.*s", h->d->in_block, 150, pointer);
	} else {
		h->made.cap = 0; /* no more: the attempt ends */
	}
}

/* ---- names that are meant ---------------------------------------------------------------------------------------- */

static char fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* One letter wrong, missing, too many, or two swapped; only of words long enough for that to mean something. */
static bool one_slip(struct sj_slice a, struct sj_slice b)
{
	if (a.len > b.len) {
		struct sj_slice t = a;
		a = b;
		b = t;
	}
	if (a.len < 4 || b.len - a.len > 1)
		return false;
	size_t i = 0;
	while (i < a.len && fold(a.ptr[i]) == fold(b.ptr[i]))
		i++;
	size_t rest = a.len - i;
	if (b.len > a.len)
		return memcmp(a.ptr + i, b.ptr + i + 1, rest) == 0;
	if (rest >= 2 && a.ptr[i] == b.ptr[i + 1] && a.ptr[i + 1] == b.ptr[i] &&
	    memcmp(a.ptr + i + 2, b.ptr + i + 2, rest - 2) == 0)
		return true;
	return rest >= 1 && memcmp(a.ptr + i + 1, b.ptr + i + 1, rest - 1) == 0;
}

/* How it is said that one was taken for the other. */
static const char *as_meant(struct sj_slice written, struct sj_slice meant)
{
	return sj_slice_folds(written, meant) ? "wrote '$' as '$', in its own case" : "read '$' as '$'";
}

/* The one candidate that is meant. Candidates are offered one by one. */
struct choice {
	struct sj_slice want, folded, slipped;
	uint32_t nfolded, nslipped;
};
static void offer(struct choice *c, struct sj_slice name)
{
	if (sj_slice_folds(c->want, name)) {
		c->nfolded += !sj_slice_eq(c->folded, name);
		c->folded = name;
	} else if (one_slip(c->want, name)) {
		c->nslipped += !sj_slice_eq(c->slipped, name);
		c->slipped = name;
	}
}
static struct sj_slice chosen(const struct choice *c)
{
	if (c->nfolded == 1)
		return c->folded;
	return c->nfolded == 0 && c->nslipped == 1 ? c->slipped : SJ_NO_SLICE;
}

/* ---- editing ----------------------------------------------------------------------------------------------------- */

/* The value at a pointer, writable; NULL when it is not there or memory is short. */
static struct sj_value *own_at(struct healer *h, struct sj_slice pointer)
{
	struct sj_value *v = h->v;
	enum sj_status st = SJ_OK;
	struct sj_buf buf;
	struct sj_slice token;
	size_t at = 0;
	sj_buf_init(&buf, h->mem, 0);
	while (v && sj_pointer_next(pointer, &at, &buf, &token)) {
		uint32_t index;
		if (v->type == SJ_V_OBJECT)
			v = sj_value_own_member(h->mem, v, token, &st);
		else if (v->type == SJ_V_ARRAY && sj_num_index(token, &index))
			v = sj_value_own_item(h->mem, v, index, &st);
		else
			v = NULL;
	}
	sj_buf_finish(&buf);
	return v;
}

/* The member `from` is called `to`, in its old place. */
static bool rename_member(struct healer *h, struct sj_value *object, struct sj_slice from, struct sj_slice to)
{
	struct sj_value out;
	enum sj_status st = sj_value_object(h->mem, &out);
	for (uint32_t i = 0; st == SJ_OK && i < sj_value_count(object); i++) {
		struct sj_slice key;
		const struct sj_value *one = sj_value_member(object, i, &key);
		st = sj_value_set(h->mem, &out, sj_slice_eq(key, from) ? to : key, sj_value_ref(*one));
	}
	if (st != SJ_OK)
		return false;
	sj_value_unref(h->mem, *object);
	*object = out;
	return true;
}

/* The members of the object under `key` stand beside it instead; those that are there already stay. */
static bool hoist(struct healer *h, struct sj_value *object, struct sj_slice key)
{
	const struct sj_value *inner = sj_value_get(object, key);
	struct sj_value kept = inner ? sj_value_ref(*inner) : SJ_NULL_VALUE;
	bool ok = kept.type == SJ_V_OBJECT && sj_value_unset(h->mem, object, key) == SJ_OK;
	for (uint32_t i = 0; ok && i < sj_value_count(&kept); i++) {
		struct sj_slice name;
		const struct sj_value *one = sj_value_member(&kept, i, &name);
		if (!sj_value_get(object, name))
			ok = sj_value_set(h->mem, object, name, sj_value_ref(*one)) == SJ_OK;
	}
	sj_value_unref(h->mem, kept);
	return ok;
}

static bool set_text(struct healer *h, struct sj_value *v, struct sj_slice text)
{
	struct sj_value made;
	if (sj_value_string(h->mem, text, &made) != SJ_OK)
		return false;
	sj_value_unref(h->mem, *v);
	*v = made;
	return true;
}

/* {key: *v} in the place of *v. */
static bool wrap_in_object(struct healer *h, struct sj_value *v, struct sj_slice key)
{
	struct sj_value out;
	if (sj_value_object(h->mem, &out) != SJ_OK)
		return false;
	struct sj_value inner = *v;
	*v = out;
	return sj_value_set(h->mem, v, key, inner) == SJ_OK;
}

static bool wrap_in_list(struct healer *h, struct sj_value *v)
{
	struct sj_value out;
	if (sj_value_array(h->mem, &out) != SJ_OK)
		return false;
	struct sj_value inner = *v;
	*v = out;
	return sj_value_append(h->mem, v, inner) == SJ_OK;
}

/* ---- what the format knows --------------------------------------------------------------------------------------- */

static const struct sj_a2ui_component *type_named(const struct healer *h, struct sj_slice name)
{
	const struct sj_format *f = h->d->f;
	for (uint32_t i = 0; i < f->opt.ncatalogs; i++) {
		const struct sj_a2ui_component *row =
			sj_catalog_is_permissive(f->catalogs[i]) ? NULL : sj_catalog_component(f->catalogs[i], name);
		if (row)
			return row;
	}
	return NULL;
}

/* The type of the catalogs that this name means; ptr NULL: none, or not one alone. */
static struct sj_slice type_meant(const struct healer *h, struct sj_slice name)
{
	const struct sj_format *f = h->d->f;
	struct choice c = {.want = name};
	for (uint32_t i = 0; i < f->opt.ncatalogs; i++)
		for (uint32_t k = 0; k < sj_catalog_component_count(f->catalogs[i]); k++)
			offer(&c, sj_catalog_component_at(f->catalogs[i], k)->name);
	return chosen(&c);
}

static struct sj_slice function_meant(const struct healer *h, struct sj_slice name)
{
	const struct sj_format *f = h->d->f;
	struct choice c = {.want = name};
	for (uint32_t i = 0; i < f->opt.ncatalogs; i++)
		for (uint32_t k = 0; k < sj_catalog_function_count(f->catalogs[i]); k++)
			offer(&c, sj_catalog_function_at(f->catalogs[i], k)->name);
	return chosen(&c);
}

static bool text_is(const struct sj_value *v) { return v && sj_value_is_string(v); }

/* ---- a component's own shape ------------------------------------------------------------------------------------- */

/* {"Text": {...}}, {"component": {"Text": {...}}} (v0.8), {"type": "Text"}. */
static bool fix_wrapper(struct healer *h, struct sj_value *c, const char *pointer)
{
	const struct sj_value *own = sj_value_get(c, SJ_LIT("component"));
	if (own && own->type == SJ_V_OBJECT && sj_value_count(own) == 1) {
		struct sj_slice name;
		sj_value_member(own, 0, &name);
		if (!type_named(h, name))
			return false;
		/* The name lies in a value that is about to go. */
		struct sj_slice kept = sj_arena_copy(&h->arena, name);
		struct sj_value inner = sj_value_ref(*own);
		note(h, SJ_REPAIR_WRAPPED_TYPE, pointer, "wrote the wrapped type '$' as a flat component", kept,
		     SJ_LIT(""));
		struct sj_value text;
		bool ok = kept.ptr && sj_value_string(h->mem, kept, &text) == SJ_OK &&
		          sj_value_set(h->mem, c, SJ_LIT("component"), text) == SJ_OK &&
		          sj_value_set(h->mem, c, kept, sj_value_ref(*sj_value_member(&inner, 0, &name))) == SJ_OK &&
		          hoist(h, c, kept);
		sj_value_unref(h->mem, inner);
		return ok;
	}
	if (own)
		return false;
	const struct sj_value *type = sj_value_get(c, SJ_LIT("type"));
	if (text_is(type) && (type_named(h, sj_value_text(type)) || type_meant(h, sj_value_text(type)).ptr)) {
		note(h, SJ_REPAIR_WRAPPED_TYPE, pointer, "read 'type' as 'component'", SJ_LIT(""), SJ_LIT(""));
		return rename_member(h, c, SJ_LIT("type"), SJ_LIT("component"));
	}
	for (uint32_t i = 0; i < sj_value_count(c); i++) {
		struct sj_slice name;
		const struct sj_value *inner = sj_value_member(c, i, &name);
		if (inner->type != SJ_V_OBJECT || !type_named(h, name))
			continue;
		struct sj_slice kept = sj_arena_copy(&h->arena, name);
		struct sj_value text;
		note(h, SJ_REPAIR_WRAPPED_TYPE, pointer, "wrote the wrapped type '$' as a flat component", kept,
		     SJ_LIT(""));
		return kept.ptr && sj_value_string(h->mem, kept, &text) == SJ_OK &&
		       sj_value_set(h->mem, c, SJ_LIT("component"), text) == SJ_OK && hoist(h, c, kept);
	}
	return false;
}

static bool is_props(struct sj_slice key)
{
	return sj_slice_is(key, "props") || sj_slice_is(key, "properties") || sj_slice_is(key, "attributes");
}

/* ---- members ----------------------------------------------------------------------------------------------------- */

/* Names the object at the fault may have: the component's rows, or the members its schema lists. */
static void offer_members(const struct healer *h, struct choice *c, const struct sj_value *object, bool component)
{
	const struct sj_value *type = component ? sj_value_get(object, SJ_LIT("component")) : NULL;
	const struct sj_a2ui_component *row = text_is(type) ? type_named(h, sj_value_text(type)) : NULL;
	for (uint32_t i = 0; row && i < row->nprops; i++)
		if (!sj_value_get(object, row->props[i].name))
			offer(c, row->props[i].name);
	if (row || !h->fault.schema)
		return;
	uint32_t props = sj_tape_get(h->fault.schema, h->fault.schema_cell, SJ_LIT("properties"));
	for (uint32_t at = props ? props + 1 : 0; props && at < h->fault.schema->cells[props].end;
	     at = sj_tape_next(h->fault.schema, at + 1))
		if (!sj_value_get(object, sj_tape_raw(h->fault.schema, at)))
			offer(c, sj_tape_raw(h->fault.schema, at));
}

static bool allows(const struct healer *h, const struct sj_value *object, bool component, struct sj_slice name)
{
	struct choice c = {.want = name};
	offer_members(h, &c, object, component);
	return c.nfolded == 1 && sj_slice_eq(c.folded, name);
}

static bool fix_extra(struct healer *h, struct sj_value *object, struct sj_slice name)
{
	const struct sj_value *inner = sj_value_get(object, name);
	bool component = sj_value_get(object, SJ_LIT("component")) != NULL;
	if (!inner)
		return false;
	if (component && is_props(name) && inner->type == SJ_V_OBJECT) {
		note(h, SJ_REPAIR_NESTED_PROPS, h->pointer, "moved the members of '$' into the component", name,
		     SJ_LIT(""));
		return hoist(h, object, name);
	}
	struct sj_slice now;
	for (uint32_t i = 0; sj_a2ui_alias(name, &i, &now);)
		if (allows(h, object, component, now)) {
			note(h, SJ_REPAIR_ALIAS, h->pointer, "'$' is called '$' in this version", name, now);
			return rename_member(h, object, name, now);
		}
	struct choice c = {.want = name};
	offer_members(h, &c, object, component);
	struct sj_slice meant = chosen(&c);
	if (!meant.ptr)
		return false;
	note(h, SJ_REPAIR_NAME_CASE, h->pointer, as_meant(name, meant), name, meant);
	return rename_member(h, object, name, meant);
}

/* A required member is missing: one that is there may be it, in another spelling. */
static bool fix_missing(struct healer *h, struct sj_value *object, struct sj_slice name)
{
	for (uint32_t i = 0; i < sj_value_count(object); i++) {
		struct sj_slice key;
		const struct sj_value *one = sj_value_member(object, i, &key);
		if (is_props(key) && one->type == SJ_V_OBJECT && sj_value_get(object, SJ_LIT("component"))) {
			note(h, SJ_REPAIR_NESTED_PROPS, h->pointer,
			     "moved the members of '$' into the component", key, SJ_LIT(""));
			return hoist(h, object, key);
		}
		bool alias = false;
		struct sj_slice now;
		for (uint32_t k = 0; sj_a2ui_alias(key, &k, &now);)
			alias = alias || sj_slice_eq(now, name);
		if (!alias && !sj_slice_folds(key, name) && !one_slip(key, name))
			continue;
		/* Not when the name it has is one the type knows. */
		const struct sj_value *type = sj_value_get(object, SJ_LIT("component"));
		const struct sj_a2ui_component *row = text_is(type) ? type_named(h, sj_value_text(type)) : NULL;
		if (row && sj_a2ui_prop_find(row, key))
			continue;
		note(h, alias ? SJ_REPAIR_ALIAS : SJ_REPAIR_NAME_CASE, h->pointer, as_meant(key, name), key, name);
		return rename_member(h, object, key, name);
	}
	return false;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static bool wants(const struct healer *h, const char *type)
{
	char quoted[24];
	const char *list = strstr(h->fault.message, "is not of type ");
	snprintf(quoted, sizeof quoted, "'%s'", type);
	return list && strstr(list, quoted);
}

/* Another word for one of those the schema lists. */
static bool fix_word(struct healer *h, struct sj_value *v)
{
	const struct sj_tape *s = h->fault.schema;
	uint32_t words = s ? sj_tape_get(s, h->fault.schema_cell, SJ_LIT("enum")) : 0;
	struct choice c = {.want = sj_value_text(v)};
	if (!text_is(v) || !words)
		return false;
	for (uint32_t at = words + 1; at < s->cells[words].end; at = sj_tape_next(s, at))
		if (sj_tape_type(s, at) == SJ_J_STRING)
			offer(&c, sj_tape_raw(s, at));
	struct sj_slice meant = chosen(&c);
	if (!meant.ptr)
		return false;
	note(h, SJ_REPAIR_NAME_CASE, h->pointer, as_meant(c.want, meant), c.want, meant);
	return set_text(h, v, meant);
}

/* A bound value as v0.8 wrote it, or a list that it wrapped. */
static bool fix_old_value(struct healer *h, struct sj_value *v)
{
	static const char *const keys[] = {"literalString", "literalNumber", "literalBoolean", "literalArray",
	                                   "explicitList"};
	if (v->type != SJ_V_OBJECT || sj_value_count(v) != 1)
		return false;
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		const struct sj_value *inner = sj_value_get(v, sj_slice_of(keys[i]));
		if (!inner)
			continue;
		struct sj_value kept = sj_value_ref(*inner);
		note(h, SJ_REPAIR_ALIAS, h->pointer, "took the wrapper '$' of v0.8 away", sj_slice_of(keys[i]),
		     SJ_LIT(""));
		sj_value_unref(h->mem, *v);
		*v = kept;
		return true;
	}
	return false;
}

static bool has_reserved_keys(const struct healer *h)
{
	for (uint32_t i = 0; i < h->tape.count; i++)
		if ((h->tape.cells[i].flags & SJ_CELL_KEY) && h->tape.cells[i].len > 0 &&
		    h->tape.text[h->tape.cells[i].off] == '@')
			return true;
	return h->d->f->opt.dialect == SJ_DIALECT_RESERVED;
}

static bool fix_type(struct healer *h, struct sj_value *v)
{
	struct sj_slice text = sj_value_text(v);
	double number;
	if (fix_old_value(h, v))
		return true;
	if (text_is(v) && !wants(h, "string")) {
		if ((wants(h, "number") || wants(h, "integer")) && sj_num_parse(text, &number)) {
			note(h, SJ_REPAIR_SCALAR, h->pointer, "read the text '$' as a number", text, SJ_LIT(""));
			sj_value_unref(h->mem, *v);
			*v = sj_value_number(number);
			return true;
		}
		if (wants(h, "boolean") && (sj_slice_is(text, "true") || sj_slice_is(text, "false"))) {
			note(h, SJ_REPAIR_SCALAR, h->pointer, "read the text '$' as a boolean", text,
			     SJ_LIT(""));
			*v = sj_value_bool(sj_slice_is(text, "true"));
			return true;
		}
		if (wants(h, "object") && text.len > 1 && text.ptr[0] == '/') {
			note(h, SJ_REPAIR_PATH_STRING, h->pointer, "read the path '$' as a binding", text,
			     SJ_LIT(""));
			return wrap_in_object(h, v, has_reserved_keys(h) ? SJ_LIT("@path") : SJ_LIT("path"));
		}
	}
	if (wants(h, "string") && (sj_value_is_number(v) || sj_value_is_bool(v))) {
		struct sj_buf out;
		sj_buf_init(&out, h->mem, 0);
		sj_value_print(&out, v, SJ_PRINT_COMPACT);
		note(h, SJ_REPAIR_SCALAR, h->pointer, "wrote $ as text", sj_buf_view(&out), SJ_LIT(""));
		bool ok = sj_buf_status(&out) == SJ_OK && set_text(h, v, sj_buf_view(&out));
		sj_buf_finish(&out);
		return ok;
	}
	if (wants(h, "array") && v->type != SJ_V_NULL && v->type != SJ_V_ARRAY && !wants(h, "object")) {
		note(h, SJ_REPAIR_SCALAR, h->pointer, "read one value as a list of one", SJ_LIT(""),
		     SJ_LIT(""));
		return wrap_in_list(h, v);
	}
	if (wants(h, "array") && text_is(v)) {
		note(h, SJ_REPAIR_SCALAR, h->pointer, "read one value as a list of one", SJ_LIT(""),
		     SJ_LIT(""));
		return wrap_in_list(h, v);
	}
	return false;
}

static bool fix_schema_fault(struct healer *h)
{
	struct sj_slice keyword = sj_slice_of(h->keyword), property = sj_slice_of(h->property);
	struct sj_value *v = own_at(h, sj_slice_of(h->pointer));
	if (!v)
		return false;
	if (property.len > 0 && v->type == SJ_V_OBJECT) {
		if (sj_slice_is(keyword, "required"))
			return fix_missing(h, v, property) || fix_old_value(h, v);
		return fix_extra(h, v, property) || fix_old_value(h, v);
	}
	if (sj_slice_is(keyword, "enum"))
		return fix_word(h, v);
	return fix_type(h, v);
}

/* ---- envelopes --------------------------------------------------------------------------------------------------- */

static const char *const ACTIONS[] = {"createSurface", "updateComponents", "updateDataModel", "deleteSurface"};
enum { NACTIONS = sizeof ACTIONS / sizeof *ACTIONS };

static bool set_version(struct healer *h, struct sj_value *m)
{
	struct sj_value v;
	const char *text = sj_version_text(h->d->f->opt.version);
	return sj_value_string(h->mem, sj_slice_of(text), &v) == SJ_OK &&
	       sj_value_set(h->mem, m, SJ_LIT("version"), v) == SJ_OK;
}

static const struct sj_value *action_of(const struct sj_value *m)
{
	for (size_t i = 0; i < NACTIONS; i++) {
		const struct sj_value *body = sj_value_get(m, sj_slice_of(ACTIONS[i]));
		if (body)
			return body;
	}
	return NULL;
}

/* The operation's members beside the version: which operation it is, is told by them, or by a member that names it. */
static bool fix_flat(struct healer *h, struct sj_value *m)
{
	static const char *const naming[] = {"type", "action", "operation", "op", "messageType"};
	const char *action = NULL;
	struct sj_slice named = SJ_NO_SLICE;
	for (size_t i = 0; i < sizeof naming / sizeof *naming; i++) {
		const struct sj_value *v = sj_value_get(m, sj_slice_of(naming[i]));
		for (size_t k = 0; text_is(v) && k < NACTIONS; k++)
			if (sj_slice_folds(sj_value_text(v), sj_slice_of(ACTIONS[k]))) {
				action = ACTIONS[k];
				named = sj_slice_of(naming[i]);
			}
	}
	if (!action && !sj_value_get(m, SJ_LIT("surfaceId")))
		return false;
	if (!action && sj_value_get(m, SJ_LIT("components")) && !sj_value_get(m, SJ_LIT("catalogId")))
		action = "updateComponents";
	else if (!action && sj_value_get(m, SJ_LIT("value")))
		action = "updateDataModel";
	else if (!action && sj_value_get(m, SJ_LIT("catalogId")))
		action = "createSurface";
	if (!action)
		return false;
	struct sj_value out, body;
	if (sj_value_object(h->mem, &out) != SJ_OK)
		return false;
	enum sj_status st = sj_value_object(h->mem, &body);
	for (uint32_t i = 0; st == SJ_OK && i < sj_value_count(m); i++) {
		struct sj_slice key;
		const struct sj_value *one = sj_value_member(m, i, &key);
		if (sj_slice_is(key, "version"))
			st = sj_value_set(h->mem, &out, key, sj_value_ref(*one));
		else if (!named.ptr || !sj_slice_eq(key, named))
			st = sj_value_set(h->mem, &body, key, sj_value_ref(*one));
	}
	if (st == SJ_OK)
		st = sj_value_set(h->mem, &out, sj_slice_of(action), body);
	if (st != SJ_OK) {
		sj_value_unref(h->mem, out);
		return false;
	}
	note(h, SJ_REPAIR_FLAT_OPERATION, "", "put the members of a flat message into '$'", sj_slice_of(action),
	     SJ_LIT(""));
	sj_value_unref(h->mem, *m);
	*m = out;
	return true;
}

/* A component where a message is expected belongs to the surface that was written last. */
static bool fix_bare(struct healer *h, struct sj_value *m)
{
	struct sj_slice id = h->d->last_surface.len ? sj_buf_view(&h->d->last_surface) : SJ_NO_SLICE;
	struct sj_value list, body, out, text;
	if (!id.ptr || !sj_value_get(m, SJ_LIT("id")) || action_of(m))
		return false;
	if (!text_is(sj_value_get(m, SJ_LIT("component"))) && !fix_wrapper(h, m, ""))
		return false;
	if (sj_value_get(m, SJ_LIT("version")) && sj_value_unset(h->mem, m, SJ_LIT("version")) != SJ_OK)
		return false;
	if (sj_value_array(h->mem, &list) != SJ_OK)
		return false;
	if (sj_value_append(h->mem, &list, sj_value_ref(*m)) != SJ_OK || sj_value_object(h->mem, &body) != SJ_OK) {
		sj_value_unref(h->mem, list);
		return false;
	}
	bool ok = sj_value_string(h->mem, id, &text) == SJ_OK &&
	          sj_value_set(h->mem, &body, SJ_LIT("surfaceId"), text) == SJ_OK;
	ok = sj_value_set(h->mem, &body, SJ_LIT("components"), list) == SJ_OK && ok;
	if (sj_value_object(h->mem, &out) != SJ_OK) {
		sj_value_unref(h->mem, body);
		return false;
	}
	ok = set_version(h, &out) && ok;
	ok = sj_value_set(h->mem, &out, SJ_LIT("updateComponents"), body) == SJ_OK && ok;
	note(h, SJ_REPAIR_BARE_COMPONENT, "", "put a bare component into an update of surface '$'", id,
	     SJ_LIT(""));
	sj_value_unref(h->mem, *m);
	*m = out;
	return ok;
}

/* An action in another spelling. */
static bool fix_action_name(struct healer *h, struct sj_value *m)
{
	for (uint32_t i = 0; i < sj_value_count(m); i++) {
		struct sj_slice key;
		const struct sj_value *body = sj_value_member(m, i, &key);
		struct choice c = {.want = key};
		for (size_t k = 0; k < NACTIONS; k++)
			offer(&c, sj_slice_of(ACTIONS[k]));
		struct sj_slice meant = chosen(&c);
		if (body->type != SJ_V_OBJECT || !meant.ptr)
			continue;
		note(h, SJ_REPAIR_NAME_CASE, "", as_meant(key, meant), key, meant);
		return rename_member(h, m, key, meant);
	}
	return false;
}

/* A version that is misspelt, or missing where the rest of the response says which. */
static bool fix_version(struct healer *h, struct sj_value *m)
{
	const struct sj_value *v = sj_value_get(m, SJ_LIT("version"));
	if (!v && (!h->d->version_said || !action_of(m)))
		return false;
	if (v) {
		struct sj_buf text;
		sj_buf_init(&text, h->mem, 64);
		if (text_is(v))
			sj_buf_slice(&text, sj_value_text(v));
		else
			sj_value_print(&text, v, SJ_PRINT_COMPACT);
		struct sj_slice t = sj_buf_view(&text);
		if (t.len > 0 && (t.ptr[0] == 'v' || t.ptr[0] == 'V'))
			t = sj_slice(t.ptr + 1, t.len - 1);
		bool fits = (sj_slice_is(t, "1") && h->d->f->opt.version == SJ_V10) ||
		            sj_version_compatible(sj_version_find(t), h->d->f->opt.version);
		bool same = text_is(v) && sj_version_find(sj_value_text(v)) != SJ_VERSION_NONE &&
		            sj_value_text(v).ptr[0] == 'v';
		sj_buf_finish(&text);
		if (!fits || same)
			return false;
	}
	note(h, SJ_REPAIR_VERSION, "/version", v ? "wrote the version as '$'" : "added the version '$'",
	     sj_slice_of(sj_version_text(h->d->f->opt.version)), SJ_LIT(""));
	return set_version(h, m);
}

/* Members that stand beside the action and belong into it. */
static bool fix_beside(struct healer *h, struct sj_value *m)
{
	for (size_t i = 0; i < NACTIONS; i++) {
		enum sj_status st = SJ_OK;
		if (!sj_value_get(m, sj_slice_of(ACTIONS[i])))
			continue;
		for (uint32_t k = 0; k < sj_value_count(m); k++) {
			struct sj_slice key;
			const struct sj_value *one = sj_value_member(m, k, &key);
			if (sj_slice_is(key, "version") || sj_slice_is(key, ACTIONS[i]))
				continue;
			struct sj_slice kept = sj_arena_copy(&h->arena, key);
			struct sj_value moved = sj_value_ref(*one);
			struct sj_value *body = sj_value_own_member(h->mem, m, sj_slice_of(ACTIONS[i]), &st);
			bool ok = kept.ptr && body && body->type == SJ_V_OBJECT && !sj_value_get(body, kept);
			if (!ok) {
				sj_value_unref(h->mem, moved);
				return false;
			}
			note(h, SJ_REPAIR_FLAT_OPERATION, "", "moved '$' into '$'", kept,
			     sj_slice_of(ACTIONS[i]));
			return sj_value_set(h->mem, body, kept, moved) == SJ_OK &&
			       sj_value_unset(h->mem, m, kept) == SJ_OK;
		}
	}
	return false;
}

static bool fix_message(struct healer *h)
{
	struct sj_value *m = h->v;
	if (m->type != SJ_V_OBJECT)
		return false;
	if (!action_of(m) && (fix_action_name(h, m) || fix_bare(h, m) || fix_flat(h, m)))
		return true;
	return fix_version(h, m) || fix_beside(h, m);
}

/* ---- other faults of components ---------------------------------------------------------------------------------- */

/* Is this the pointer of a component, or of its type? Cuts it down to the component's. */
static bool component_place(const struct healer *h, char *out, size_t size)
{
	snprintf(out, size, "%s", h->pointer);
	if (h->alone) {
		out[0] = '\0';
		return true;
	}
	char *list = strstr(out, "/components/");
	if (!list)
		return false;
	char *rest = strchr(list + strlen("/components/"), '/');
	if (rest)
		*rest = '\0';
	return true;
}

static bool fix_other(struct healer *h)
{
	char place[256];
	struct sj_value *v = own_at(h, sj_slice_of(h->pointer));
	if (strncmp(h->diag.message, "Unrecognized function", 21) == 0 && text_is(v)) {
		struct sj_slice meant = function_meant(h, sj_value_text(v));
		if (!meant.ptr)
			return false;
		note(h, SJ_REPAIR_NAME_CASE, h->pointer, as_meant(sj_value_text(v), meant), sj_value_text(v),
		     meant);
		return set_text(h, v, meant);
	}
	if (strncmp(h->diag.message, "components must be an array", 27) == 0 && v && v->type == SJ_V_OBJECT) {
		note(h, SJ_REPAIR_SCALAR, h->pointer, "read one component as a list of one", SJ_LIT(""),
		     SJ_LIT(""));
		return text_is(sj_value_get(v, SJ_LIT("component"))) && wrap_in_list(h, v);
	}
	if (component_place(h, place, sizeof place)) {
		struct sj_value *c = own_at(h, sj_slice_of(place));
		const struct sj_value *type = c && c->type == SJ_V_OBJECT ? sj_value_get(c, SJ_LIT("component")) : NULL;
		if (!c || c->type != SJ_V_OBJECT)
			return false;
		if (fix_wrapper(h, c, place))
			return true;
		if (text_is(type) && !type_named(h, sj_value_text(type))) {
			struct sj_slice name = sj_value_text(type), meant = type_meant(h, name);
			if (!meant.ptr && sj_slice_is(name, "MultipleChoice") && type_named(h, SJ_LIT("ChoicePicker")))
				meant = SJ_LIT("ChoicePicker");
			struct sj_value text;
			if (!meant.ptr || sj_value_string(h->mem, meant, &text) != SJ_OK)
				return false;
			note(h, SJ_REPAIR_NAME_CASE, place,
			     as_meant(name, meant), name, meant);
			return sj_value_set(h->mem, c, SJ_LIT("component"), text) == SJ_OK;
		}
		return false;
	}
	return fix_message(h);
}

/* ---- the ladder -------------------------------------------------------------------------------------------------- */

static bool catch_fault(void *ctx, const struct sj_schema_fault *f)
{
	struct healer *h = ctx;
	struct sj_buf p;
	if (h->keyword[0])
		return false;
	h->fault = *f;
	snprintf(h->keyword, sizeof h->keyword, "%.*s", SJ_ARG(f->keyword));
	snprintf(h->property, sizeof h->property, "%.*s", SJ_ARG(f->property));
	sj_buf_init(&p, h->mem, 0);
	sj_tape_pointer(&h->tape, f->cell, &p);
	snprintf(h->pointer, sizeof h->pointer, "%.*s", SJ_ARG(sj_buf_view(&p)));
	sj_buf_finish(&p);
	return false;
}

/* Is it good as it stands? */
static enum sj_status look(struct healer *h)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_check c = h->d->check;
	struct sj_buf text;
	sj_arena_reset(&h->arena);
	sj_buf_init(&text, h->mem, 0);
	sj_value_print(&text, h->v, SJ_PRINT_COMPACT);
	enum sj_status st = sj_buf_status(&text);
	struct sj_slice kept = st == SJ_OK ? sj_arena_copy(&h->arena, sj_buf_view(&text)) : SJ_NO_SLICE;
	sj_buf_finish(&text);
	if (st == SJ_OK)
		st = kept.ptr ? sj_json_parse(&h->arena, &opt, kept, &h->tape, NULL) : SJ_NOMEM;
	if (st != SJ_OK)
		return st;
	h->keyword[0] = h->property[0] = h->pointer[0] = '\0';
	h->fault.schema = NULL;
	h->fault.message[0] = '\0';
	sj_diag_clear(&h->diag);
	c.raw = catch_fault;
	c.raw_ctx = h;
	st = h->alone ? sj_check_component(&c, h->version, &h->tape, 0, 0, &h->arena, &h->diag)
	              : sj_check_message(&c, &h->tape, 0, &h->arena, NULL, &h->diag);
	if (st == SJ_INVALID && !h->keyword[0])
		snprintf(h->pointer, sizeof h->pointer, "%s", h->diag.pointer);
	return st;
}

static enum sj_status heal(struct sj_direct *d, struct sj_value *v, bool alone, enum sj_version version)
{
	struct sj_value copy = sj_value_ref(*v);
	struct healer *h;
	uint32_t cap = d->repairs->cap, used = sj_repairs_count(d->repairs, true), listed = d->repairs->list.count;
	if (cap <= used) {
		sj_value_unref(d->f->mem, copy);
		return SJ_INVALID; /* nothing may be repaired any more: the fault stands */
	}
	h = sj_mem_zalloc(d->f->mem, sizeof *h);
	if (!h) {
		sj_value_unref(d->f->mem, copy);
		return SJ_NOMEM;
	}
	h->d = d;
	h->mem = d->f->mem;
	h->v = &copy;
	h->alone = alone;
	h->version = version;
	h->made.cap = cap - used;
	sj_arena_init(&h->arena, h->mem, 0);
	uint64_t refused = h->mem->refused;
	enum sj_status st = look(h);
	for (uint32_t i = 0; st == SJ_INVALID && i < MOST_STEPS && h->made.cap > 0; i++) {
		uint32_t before = h->made.list.count;
		bool fixed = h->keyword[0] ? fix_schema_fault(h) : fix_other(h);
		if (!fixed || h->made.list.count == before)
			break;
		st = look(h);
	}
	if (h->mem->refused != refused)
		st = SJ_NOMEM;
	if (st == SJ_OK)
		st = SJ_VEC_RESERVE(h->mem, &d->repairs->list, listed + h->made.list.count, 0);
	if (st == SJ_OK) {
		for (uint32_t i = 0; i < h->made.list.count; i++)
			d->repairs->list.items[d->repairs->list.count++] = h->made.list.items[i];
		sj_value_unref(h->mem, *v);
		*v = copy;
	} else {
		sj_value_unref(h->mem, copy);
	}
	SJ_VEC_FREE(h->mem, &h->made.list);
	sj_arena_finish(&h->arena);
	sj_mem_free(d->f->mem, h, sizeof *h);
	return st == SJ_OK || st == SJ_NOMEM ? st : SJ_INVALID;
}

enum sj_status sj_heal_message(struct sj_direct *d, struct sj_value *v)
{
	return heal(d, v, false, SJ_VERSION_NONE);
}

enum sj_status sj_heal_component(struct sj_direct *d, enum sj_version version, struct sj_value *v)
{
	return heal(d, v, true, version);
}
