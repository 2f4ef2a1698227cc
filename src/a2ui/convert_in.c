/* A component as its version wrote it, into the neutral form. What a property is comes from its catalog. */
#include "a2ui/convert_internal.h"

enum { MAX_DEPTH = 200 }; /* below the json_depth that every message was read with */

/* ---- catalogs ---------------------------------------------------------------------------------------------------- */

static bool is_official(enum sj_version v, struct sj_slice id, bool *minimal)
{
	*minimal = sj_slice_is(id, SJ_V08_MINIMAL_ID) ||
	           sj_slice_is(id, "https://a2ui.org/specification/v0_9/catalogs/minimal/catalog.json");
	return v == SJ_V08   ? *minimal || sj_slice_is(id, SJ_V08_STANDARD_ID)
	       : v >= SJ_V10 ? sj_slice_is(id, "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json")
	                     : *minimal || sj_slice_is(id, "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json");
}

const struct sj_catalog *sj_conv_catalog(struct sj_conv *c, struct sj_slice id, enum sj_version v, bool *basic)
{
	bool minimal;
	*basic = is_official(v, id, &minimal);
	for (uint32_t i = 0; i < c->opt->ncatalogs; i++)
		if (sj_slice_eq(sj_catalog_id(c->opt->catalogs[i]), id) &&
		    sj_version_compatible(sj_catalog_version(c->opt->catalogs[i]), v))
			return c->opt->catalogs[i];
	for (uint32_t i = 0; i < c->made.count; i++)
		if (sj_slice_eq(sj_catalog_id(c->made.items[i]), id) &&
		    sj_version_compatible(sj_catalog_version(c->made.items[i]), v))
			return c->made.items[i];
	struct sj_catalog *made = NULL;
	if (c->st != SJ_OK)
		return NULL;
	c->st = !*basic  ? sj_catalog_permissive(c->mem, id, v, &made)
	        : minimal ? sj_catalog_minimal(c->mem, v, NULL, NULL, &made)
	                  : sj_catalog_basic(c->mem, v, NULL, NULL, &made);
	if (c->st == SJ_OK)
		c->st = SJ_VEC_RESERVE(c->mem, &c->made, c->made.count + 1, 0);
	if (c->st != SJ_OK) {
		sj_catalog_destroy(made);
		return NULL;
	}
	c->made.items[c->made.count++] = made;
	return made;
}

struct sj_slice sj_conv_renamed(struct sj_conv *c, struct sj_slice id)
{
	const struct sj_value *to = sj_value_get(&c->life->renamed, id);
	return to ? sj_value_text(to) : id;
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static struct sj_value map_members(struct sj_conv *c, const struct sj_value *v, uint32_t depth)
{
	bool escape = c->dialect != SJ_DIALECT_RESERVED;
	if (v->type == SJ_V_ARRAY) {
		struct sj_value out = sj_conv_array(c);
		for (uint32_t i = 0; i < sj_value_count(v); i++)
			sj_conv_add(c, &out, sj_conv_read_value(c, sj_value_item(v, i), depth + 1));
		return out;
	}
	struct sj_value out = sj_conv_object(c);
	for (uint32_t i = 0; i < sj_value_count(v); i++) {
		struct sj_slice key;
		const struct sj_value *m = sj_value_member(v, i, &key);
		struct sj_value read = sj_conv_read_value(c, m, depth + 1);
		if (escape && key.len > 0 && key.ptr[0] == '@') {
			struct sj_buf name;
			sj_buf_init(&name, c->mem, 0);
			sj_buf_putc(&name, '@');
			sj_buf_slice(&name, key);
			if (sj_buf_status(&name) != SJ_OK)
				c->st = sj_buf_status(&name);
			sj_conv_set(c, &out, sj_buf_view(&name), read);
			sj_buf_finish(&name);
		} else {
			sj_conv_set(c, &out, key, read);
		}
	}
	return out;
}

static struct sj_value read_call(struct sj_conv *c, const struct sj_value *v, const struct sj_value *name,
                                 uint32_t depth)
{
	const struct sj_value *args = sj_conv_get(v, "args"), *catalog = sj_conv_get(v, "catalogId");
	struct sj_value out = sj_conv_object(c);
	sj_conv_put(c, &out, "@call", sj_value_ref(*name));
	if (args) { /* the names of arguments are the author's, whatever they spell */
		struct sj_value read = args->type == SJ_V_OBJECT ? sj_conv_object(c) : sj_value_ref(*args);
		for (uint32_t i = 0; args->type == SJ_V_OBJECT && i < sj_value_count(args); i++) {
			struct sj_slice key;
			const struct sj_value *a = sj_value_member(args, i, &key);
			sj_conv_set(c, &read, key, sj_conv_read_value(c, a, depth + 1));
		}
		sj_conv_put(c, &out, "args", read);
	}
	if (catalog && c->from >= SJ_V10)
		sj_conv_put(c, &out, "catalogId", sj_value_ref(*catalog));
	return out;
}

struct sj_value sj_conv_read_value(struct sj_conv *c, const struct sj_value *v, uint32_t depth)
{
	if (!sj_value_is_container(v) || c->st != SJ_OK)
		return sj_value_ref(*v);
	if (depth > MAX_DEPTH) {
		sj_conv_lost(c, "it is nested too deep");
		return SJ_NULL_VALUE;
	}
	if (c->from == SJ_V08) {
		const struct sj_value *literal, *path;
		if (sj_conv_bound_v08(v, &literal, &path)) {
			if (!path)
				return sj_value_ref(*literal);
			struct sj_value out = sj_conv_object(c);
			sj_conv_put(c, &out, "@path", sj_value_ref(*path));
			return out;
		}
		return map_members(c, v, depth);
	}
	if (c->dialect == SJ_DIALECT_RESERVED) {
		const struct sj_value *name = sj_conv_get(v, "@call");
		return name ? read_call(c, v, name, depth) : map_members(c, v, depth);
	}
	const struct sj_value *call = sj_conv_get(v, "call"), *path = sj_conv_get(v, "path");
	if (call && sj_value_is_string(call))
		return read_call(c, v, call, depth);
	if (path && sj_value_is_string(path)) {
		struct sj_value out = sj_conv_object(c);
		sj_conv_put(c, &out, "@path", sj_value_ref(*path));
		return out;
	}
	return map_members(c, v, depth);
}

/* Literals that begin a place of the model, anywhere in a property of v0.8. */
static void find_seeds(struct sj_conv *c, const struct sj_value *v, struct sj_value *seeds, uint32_t depth)
{
	const struct sj_value *literal, *path;
	if (!sj_value_is_container(v) || depth > MAX_DEPTH)
		return;
	if (sj_conv_bound_v08(v, &literal, &path)) {
		if (!literal || !path)
			return;
		struct sj_value pair = sj_conv_array(c);
		sj_conv_add(c, &pair, sj_value_ref(*path));
		sj_conv_add(c, &pair, sj_value_ref(*literal));
		sj_conv_add(c, seeds, pair);
		return;
	}
	for (uint32_t i = 0; i < sj_value_count(v); i++) {
		struct sj_slice key;
		find_seeds(c, v->type == SJ_V_ARRAY ? sj_value_item(v, i) : sj_value_member(v, i, &key), seeds,
		           depth + 1);
	}
}

/* ---- properties -------------------------------------------------------------------------------------------------- */

static struct sj_value read_id(struct sj_conv *c, const struct sj_value *v)
{
	return sj_value_is_string(v) ? sj_conv_text(c, sj_conv_renamed(c, sj_value_text(v))) : sj_value_ref(*v);
}

/* An array of ids, or {componentId, path}. */
static struct sj_value read_children(struct sj_conv *c, const struct sj_value *v)
{
	const struct sj_value *list = sj_conv_get(v, "explicitList"), *template = sj_conv_get(v, "template");
	if (c->from == SJ_V08 && list)
		v = list;
	else if (c->from == SJ_V08 && template)
		v = template;
	if (v->type == SJ_V_ARRAY) {
		struct sj_value out = sj_conv_array(c);
		for (uint32_t i = 0; i < sj_value_count(v); i++)
			sj_conv_add(c, &out, read_id(c, sj_value_item(v, i)));
		return out;
	}
	const struct sj_value *id = sj_conv_get(v, "componentId"),
			      *path = sj_conv_get(v, c->from == SJ_V08 ? "dataBinding" : "path");
	if (!id || !path)
		return sj_conv_array(c);
	struct sj_value out = sj_conv_object(c);
	sj_conv_put(c, &out, "componentId", read_id(c, id));
	sj_conv_put(c, &out, "path", sj_value_ref(*path));
	return out;
}

static struct sj_value read_event(struct sj_conv *c, const struct sj_value *event)
{
	struct sj_value out = sj_conv_object(c), context = sj_conv_object(c);
	const struct sj_value *from = sj_conv_get(event, "context"), *name = sj_conv_get(event, "name"),
			      *words = sj_conv_get(event, "userMessage");
	if (name)
		sj_conv_put(c, &out, "name", sj_value_ref(*name));
	for (uint32_t i = 0; from && i < sj_value_count(from); i++) {
		struct sj_slice key = SJ_NO_SLICE;
		const struct sj_value *v;
		if (from->type == SJ_V_ARRAY) { /* v0.8: [{key, value}] */
			const struct sj_value *k = sj_conv_get(sj_value_item(from, i), "key");
			v = sj_conv_get(sj_value_item(from, i), "value");
			if (k)
				key = sj_value_text(k);
		} else {
			v = sj_value_member(from, i, &key);
		}
		if (v && key.ptr)
			sj_conv_set(c, &context, key,
			            c->from == SJ_V08 && v->type == SJ_V_OBJECT && sj_value_count(v) == 0
			                    ? SJ_NULL_VALUE
			                    : sj_conv_read_value(c, v, 0));
	}
	if (from)
		sj_conv_put(c, &out, "context", context);
	else
		sj_conv_drop(c, context);
	if (words)
		sj_conv_put(c, &out, "userMessage", sj_conv_read_value(c, words, 0));
	return out;
}

/* {event: ...} or {functionCall: ...}; the short form is an event. */
static struct sj_value read_action(struct sj_conv *c, const struct sj_value *v)
{
	const struct sj_value *event = sj_conv_get(v, "event"), *call = sj_conv_get(v, "functionCall");
	struct sj_value out = sj_conv_object(c);
	if (c->from == SJ_V08 || (!event && !call && sj_conv_get(v, "name")))
		event = v;
	if (event)
		sj_conv_put(c, &out, "event", read_event(c, event));
	else if (call)
		sj_conv_put(c, &out, "functionCall", sj_conv_read_value(c, call, 0));
	return out;
}

/* and(condition, true) of v1.0 takes a function's own words away; before v1.0 it has none. */
static const struct sj_value *plain_condition(const struct sj_conv *c, const struct sj_value *v)
{
	bool reserved = c->dialect == SJ_DIALECT_RESERVED;
	const struct sj_value *values = sj_conv_get(sj_conv_get(v, "args"), "values");
	bool wraps = c->from >= SJ_V10 && c->opt->to < SJ_V10 &&
	             sj_conv_is(sj_conv_get(v, reserved ? "@call" : "call"), "and") && values &&
	             values->type == SJ_V_ARRAY && sj_value_count(values) == 2 &&
	             sj_value_item(values, 1)->type == SJ_V_TRUE;
	return wraps ? sj_value_item(values, 0) : v;
}

static struct sj_value read_checks(struct sj_conv *c, const struct sj_value *v)
{
	struct sj_value out = sj_conv_array(c);
	for (uint32_t i = 0; v->type == SJ_V_ARRAY && i < sj_value_count(v); i++) {
		const struct sj_value *rule = sj_value_item(v, i), *condition = sj_conv_get(rule, "condition"),
				      *message = sj_conv_get(rule, "message");
		struct sj_value one = sj_conv_object(c);
		if (!condition) /* {call, args, message}: the rule is its own condition */
			condition = rule;
		const struct sj_value *plain = plain_condition(c, condition);
		struct sj_value read = sj_conv_read_value(c, plain, 0);
		/* What v1.0 shows are the function's words, not the rule's. */
		bool own = c->from >= SJ_V10 && c->opt->to < SJ_V10 && plain == condition && c->life->basic &&
		           sj_conv_is(sj_conv_get(&read, "@call"), "email");
		sj_conv_put(c, &one, "condition", read);
		if (own)
			sj_conv_put(c, &one, "message",
			            sj_conv_text(c, SJ_LIT("Please enter a valid email address (e.g. user@example.com).")));
		else if (message)
			sj_conv_put(c, &one, "message", sj_value_ref(*message));
		sj_conv_add(c, &out, one);
	}
	return out;
}

static struct sj_value read_members(struct sj_conv *c, const struct sj_a2ui_prop *p, const struct sj_value *v);

static struct sj_value read_prop(struct sj_conv *c, const struct sj_a2ui_prop *p, const struct sj_value *v)
{
	switch (p ? p->cls : SJ_AC_DYNAMIC) {
	case SJ_AC_CHILD: return read_id(c, v);
	case SJ_AC_CHILD_LIST: return read_children(c, v);
	case SJ_AC_ACTION: return read_action(c, v);
	case SJ_AC_CHECKS: return read_checks(c, v);
	case SJ_AC_OBJECT:
	case SJ_AC_ARRAY: return read_members(c, p, v);
	case SJ_AC_PLAIN:
	case SJ_AC_COMMON: return sj_value_ref(*v); /* a literal, whatever it looks like */
	case SJ_AC_DYNAMIC:
	case SJ_AC_ACCESSIBILITY: break;
	}
	/* {} of v0.8 says neither what nor where */
	if (c->from == SJ_V08 && v->type == SJ_V_OBJECT && sj_value_count(v) == 0)
		return SJ_ABSENT_VALUE;
	return sj_conv_read_value(c, v, 0);
}

static struct sj_value read_object(struct sj_conv *c, const struct sj_a2ui_prop *p, const struct sj_value *v)
{
	if (v->type != SJ_V_OBJECT)
		return sj_conv_read_value(c, v, 0);
	struct sj_value out = sj_conv_object(c);
	for (uint32_t i = 0; i < sj_value_count(v); i++) {
		struct sj_slice key;
		const struct sj_value *m = sj_value_member(v, i, &key);
		const struct sj_a2ui_prop *sub = NULL;
		for (uint32_t k = 0; k < p->nsub && !sub; k++)
			sub = sj_slice_eq(p->sub[k].name, key) ? &p->sub[k] : NULL;
		sj_conv_set(c, &out, key, read_prop(c, sub, m));
	}
	return out;
}

/* The depth of this recursion is that of the catalog's classes, which is bounded when it is compiled. */
static struct sj_value read_members(struct sj_conv *c, const struct sj_a2ui_prop *p, const struct sj_value *v)
{
	if (p->cls == SJ_AC_OBJECT || v->type != SJ_V_ARRAY)
		return read_object(c, p, v);
	struct sj_value out = sj_conv_array(c);
	bool plain = p->nsub == 1 && p->sub[0].name.len == 0;
	for (uint32_t i = 0; i < sj_value_count(v); i++) {
		const struct sj_value *item = sj_value_item(v, i);
		sj_conv_add(c, &out, plain ? read_prop(c, &p->sub[0], item) : read_object(c, p, item));
	}
	return out;
}

static const char *const COMMON[] = {"id", "component", "catalogId", "metadata", "weight"};

/* The property as it was; NULL: there was none, or the type was another. */
static const struct sj_value *prop_before(const struct sj_value *before, struct sj_slice type, struct sj_slice key)
{
	const struct sj_value *wrapper = sj_conv_get(before, "component");
	const struct sj_value *props = wrapper && wrapper->type == SJ_V_OBJECT ? sj_value_get(wrapper, type) : NULL;
	return props && props->type == SJ_V_OBJECT ? sj_value_get(props, key) : NULL;
}

struct sj_value sj_conv_read_component(struct sj_conv *c, const struct sj_value *component,
                                       const struct sj_value *before, struct sj_value *seeds)
{
	const struct sj_value *id = sj_conv_get(component, "id"), *type = sj_conv_get(component, "component"),
			      *own = sj_conv_get(component, "catalogId"), *props = component;
	struct sj_slice name = SJ_NO_SLICE;
	bool old = c->from == SJ_V08, basic = c->life->basic;
	const struct sj_catalog *catalog = c->life->catalog;
	if (old && type && type->type == SJ_V_OBJECT && sj_value_count(type) > 0)
		props = sj_value_member(type, 0, &name);
	else if (type)
		name = sj_value_text(type);
	if (own && sj_value_is_string(own) && c->from >= SJ_V10)
		catalog = sj_conv_catalog(c, sj_value_text(own), c->from, &basic);
	const struct sj_a2ui_component *known = catalog ? sj_catalog_component(catalog, name) : NULL;
	struct sj_value out = sj_conv_object(c);
	sj_conv_put(c, &out, "id", id ? read_id(c, id) : SJ_NULL_VALUE);
	if (name.ptr)
		sj_conv_put(c, &out, "component", sj_conv_text(c, name));
	for (size_t i = 2; i < sizeof COMMON / sizeof *COMMON; i++) {
		const struct sj_value *v = sj_conv_get(component, COMMON[i]);
		if (v)
			sj_conv_put(c, &out, COMMON[i], sj_value_ref(*v));
	}
	for (uint32_t i = 0; i < sj_value_count(props); i++) {
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(props, i, &key);
		bool common = false;
		for (size_t k = 0; k < sizeof COMMON / sizeof *COMMON && !old; k++)
			common = common || sj_slice_is(key, COMMON[k]);
		if (common)
			continue;
		const struct sj_a2ui_prop *p = known ? sj_a2ui_prop_find(known, key) : NULL;
		size_t at = sj_conv_enter(c, key);
		const struct sj_value *was = prop_before(before, name, key);
		if (old && !(was && sj_value_equal(was, v)) &&
		    (!p || p->cls == SJ_AC_DYNAMIC || p->cls == SJ_AC_ARRAY || p->cls == SJ_AC_OBJECT))
			find_seeds(c, v, seeds, 0);
		struct sj_value read = read_prop(c, p, v);
		if (read.type != SJ_V_ABSENT)
			sj_conv_set(c, &out, key, read);
		sj_conv_leave(c, at);
	}
	return old && basic ? sj_conv_from_v08(c, out) : out;
}
