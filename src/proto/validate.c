/* The structural walk (requirements: docs/prototype.md, "Order of checks"): the contract's rules, depth first, the
 * first fault wins. Recursion is bounded by the contract: nodes 24, conditions and selectors 8, payloads 24. */
#include <math.h>
#include <string.h>

#include "base/utf.h"
#include "proto/internal.h"

#define FIELDS_MOST 64u

static bool walk(struct sj_check *c, const struct sj_value *v, uint16_t rule, const struct sj_place *at);

static const struct sj_field *field_of(const struct sj_rule *r, struct sj_slice name)
{
	const struct sj_field *f = &sj_contract_fields[r->first];
	uint32_t lo = 0, hi = r->count;
	while (lo < hi) { /* the names are ASCII: bytes are in UTF-16 order */
		uint32_t mid = (lo + hi) / 2;
		int order = sj_slice_cmp(sj_slice(f[mid].name, f[mid].len), name);
		if (order == 0)
			return &f[mid];
		if (order < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

/* ---- values without structure ------------------------------------------------------------------------------------ */

static bool is_enum(const struct sj_rule *r, struct sj_slice s)
{
	for (uint32_t i = 0; i < r->count; i++)
		if (sj_slice_is(s, sj_contract_words[r->first + i]))
			return true;
	return false;
}

static bool is_blank(struct sj_slice s)
{
	for (size_t at = 0; at < s.len;) {
		uint32_t u = sj_utf8_next(s, &at);
		bool white = (u >= 9 && u <= 13) || u == 0x20 || u == 0xA0 || u == 0x1680 ||
		             (u >= 0x2000 && u <= 0x200A) || u == 0x2028 || u == 0x2029 || u == 0x202F || u == 0x205F ||
		             u == 0x3000 || u == 0xFEFF;
		if (!white)
			return false;
	}
	return true;
}

static bool is_number(const struct sj_rule *r, const struct sj_value *v)
{
	double d = sj_value_is_number(v) ? sj_value_double(v) : (double)NAN;
	return isfinite(d) && d >= r->min && d <= r->max && (!r->integer || d == floor(d));
}

bool sj_value_is_scalar(const struct sj_value *v)
{
	if (sj_value_is_number(v))
		return isfinite(sj_value_double(v));
	return sj_value_is_string(v) || sj_value_is_bool(v);
}

/* Bytes of a string as compact JSON. */
static size_t string_cost(struct sj_slice s)
{
	size_t n = 2;
	for (size_t at = 0; at < s.len;) {
		size_t from = at;
		uint32_t u = sj_utf8_next(s, &at);
		if (u == '"' || u == '\\' || u == '\b' || u == '\f' || u == '\n' || u == '\r' || u == '\t')
			n += 2;
		else if (u < 0x20 || (u >= 0xD800 && u <= 0xDFFF))
			n += 6;
		else
			n += at - from;
	}
	return n;
}

/* The cost of a payload, SIZE_MAX when it is too deep or holds what is no JSON. */
static size_t payload_cost(const struct sj_value *v, uint32_t depth)
{
	if (depth > SJ_PROTO_PAYLOAD_DEPTH)
		return SIZE_MAX;
	uint32_t n = sj_value_count(v);
	size_t cost = 2 + (n ? n - 1 : 0);
	switch ((enum sj_value_type)v->type) {
	case SJ_V_ABSENT:
	case SJ_V_NULL:
		return 4;
	case SJ_V_INT:
	case SJ_V_DOUBLE:
		return isfinite(sj_value_double(v)) ? 32 : SIZE_MAX;
	case SJ_V_FALSE:
		return 5;
	case SJ_V_TRUE:
		return 4;
	case SJ_V_SHORT:
	case SJ_V_STRING:
		return string_cost(sj_value_text(v));
	case SJ_V_ARRAY:
	case SJ_V_OBJECT:
		break;
	}
	for (uint32_t i = 0; i < n && cost <= SJ_PROTO_PAYLOAD_BYTES; i++) {
		struct sj_slice key = SJ_NO_SLICE;
		const struct sj_value *m =
			v->type == SJ_V_ARRAY ? sj_value_item(v, i) : sj_value_member(v, i, &key);
		size_t below = payload_cost(m, depth + 1);
		if (below == SIZE_MAX)
			return SIZE_MAX;
		cost += below + (v->type == SJ_V_OBJECT ? string_cost(key) + 1 : 0);
	}
	return cost;
}

static bool is_data(const struct sj_value *v, uint32_t depth)
{
	if (sj_value_is_number(v) && !isfinite(sj_value_double(v)))
		return false;
	if (sj_value_is_container(v) && depth > SJ_PROTO_DATA_DEPTH)
		return false;
	for (uint32_t i = 0; i < sj_value_count(v); i++) {
		struct sj_slice key;
		if (!is_data(v->type == SJ_V_ARRAY ? sj_value_item(v, i) : sj_value_member(v, i, &key), depth + 1))
			return false;
	}
	return true;
}

/* Names in the order of UTF-16; borrowed. Few objects have members that are in no table, so this is rare. */
static const uint32_t *sorted_members(struct sj_check *c, const struct sj_value *object)
{
	uint32_t n = sj_value_count(object);
	uint32_t *order = sj_arena_alloc(&c->arena, (n + 1) * sizeof *order);
	if (!order) {
		c->status = SJ_NOMEM;
		return NULL;
	}
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	for (uint32_t gap = n / 2; gap > 0; gap /= 2) /* shell sort: stable is not needed, keys differ */
		for (uint32_t i = gap; i < n; i++) {
			uint32_t mine = order[i], k = i;
			struct sj_slice a, b;
			(void)sj_value_member(object, mine, &b);
			for (; k >= gap; k -= gap) {
				(void)sj_value_member(object, order[k - gap], &a);
				if (sj_utf16_cmp(a, b) <= 0)
					break;
				order[k] = order[k - gap];
			}
			order[k] = mine;
		}
	return order;
}

static bool walk_map(struct sj_check *c, const struct sj_value *v, const struct sj_place *at)
{
	if (v->type != SJ_V_OBJECT)
		return sj_check_fail(c, at, NULL, "Expected object");
	const uint32_t *order = sorted_members(c, v);
	for (uint32_t i = 0; order && i < sj_value_count(v); i++) {
		struct sj_place below = {.up = at};
		const struct sj_value *m = sj_value_member(v, order[i], &below.key);
		if (!sj_proto_is_key(below.key))
			return sj_check_fail(c, &below, NULL, "Invalid state key");
		if (!sj_value_is_scalar(m))
			return sj_check_fail(c, &below, NULL, "Invalid scalar value");
	}
	return order != NULL;
}

/* ---- what actions carry ------------------------------------------------------------------------------------------ */

bool sj_leaf_binding(const struct sj_value *v, struct sj_slice *kind, struct sj_slice *name)
{
	if (v->type != SJ_V_OBJECT || sj_value_count(v) != 1)
		return false;
	const struct sj_value *m = sj_value_member(v, 0, kind);
	if (!sj_value_is_string(m) ||
	    !(sj_slice_is(*kind, "state") || sj_slice_is(*kind, "data") || sj_slice_is(*kind, "item")))
		return false;
	*name = sj_value_text(m);
	return true;
}

static bool walk_leaf(struct sj_check *c, const struct sj_value *v, uint32_t depth, const struct sj_place *at)
{
	struct sj_slice kind, name;
	if (sj_leaf_binding(v, &kind, &name)) {
		struct sj_place below = {.up = at, .key = kind};
		if (sj_slice_is(kind, "data"))
			return sj_proto_is_pointer(name) || sj_check_fail(c, &below, NULL, "Invalid pointer value");
		return sj_proto_is_key(name) || sj_check_fail(c, &below, NULL, "Invalid key value");
	}
	if (!sj_value_is_container(v))
		return v->type == SJ_V_NULL || sj_value_is_scalar(v) ||
		       sj_check_fail(c, at, NULL, "Invalid json value");
	if (depth >= SJ_PROTO_LEAF_DEPTH)
		return sj_check_fail(c, at, NULL, "Value depth limit exceeded");
	const uint32_t *order = v->type == SJ_V_OBJECT ? sorted_members(c, v) : NULL;
	if (v->type == SJ_V_OBJECT && !order)
		return false;
	for (uint32_t i = 0; i < sj_value_count(v); i++) {
		struct sj_place below = {.up = at, .index = i};
		const struct sj_value *m =
			order ? sj_value_member(v, order[i], &below.key) : sj_value_item(v, i);
		if (!walk_leaf(c, m, depth + 1, &below))
			return false;
	}
	return true;
}

static bool leaf_fits(struct sj_check *c, const struct sj_value *v, const struct sj_place *at)
{
	if (!walk_leaf(c, v, 0, at))
		return false;
	size_t cost = payload_cost(v, 0);
	return cost <= SJ_PROTO_PAYLOAD_BYTES || sj_check_fail(c, at, NULL, "Invalid json value");
}

static bool walk_leaves(struct sj_check *c, const struct sj_value *v, const struct sj_place *at)
{
	if (v->type != SJ_V_OBJECT)
		return sj_check_fail(c, at, NULL, "Expected object");
	if (sj_value_count(v) > SJ_PROTO_LEAVES)
		return sj_check_fail(c, at, NULL, "Member limit exceeded");
	const uint32_t *order = sorted_members(c, v);
	size_t cost = 0;
	for (uint32_t i = 0; order && i < sj_value_count(v); i++) {
		struct sj_place below = {.up = at};
		const struct sj_value *m = sj_value_member(v, order[i], &below.key);
		if (below.key.len == 0)
			return sj_check_fail(c, &below, NULL, "Invalid name");
		if (!walk_leaf(c, m, 0, &below))
			return false;
		size_t mine = payload_cost(m, 0);
		cost += mine == SIZE_MAX ? SJ_PROTO_PAYLOAD_BYTES + 1 : mine + below.key.len;
		if (cost > SJ_PROTO_PAYLOAD_BYTES)
			return sj_check_fail(c, &below, NULL, "Invalid json value");
	}
	return order != NULL;
}

static bool is_call(struct sj_slice s)
{
	size_t dot = 0;
	while (dot < s.len && s.ptr[dot] != '.')
		dot++;
	return dot < s.len && sj_proto_is_key(sj_slice(s.ptr, dot)) &&
	       sj_proto_is_key(sj_slice(s.ptr + dot + 1, s.len - dot - 1));
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static uint32_t image_cost(const struct sj_value *asset)
{
	if (!asset)
		return 0;
	const struct sj_value *light = sj_value_get(asset, SJ_LIT("light")),
			      *dark = sj_value_get(asset, SJ_LIT("dark"));
	return asset->type == SJ_V_OBJECT && light && dark && !sj_value_equal(light, dark) ? 2 : 1;
}

uint32_t sj_image_cost(const struct sj_value *asset) { return image_cost(asset); }

/* The place moves to the arena: later passes name it. `up` ends the copy. */
static const struct sj_place *keep_place(struct sj_check *c, const struct sj_place *at, const struct sj_place *up)
{
	const struct sj_place *first = NULL;
	struct sj_place *below = NULL;
	for (const struct sj_place *p = at; p && p != up; p = p->up) {
		struct sj_place *mine = sj_arena_alloc(&c->arena, sizeof *mine);
		if (!mine) {
			c->status = SJ_NOMEM;
			return NULL;
		}
		*mine = *p;
		if (below)
			below->up = mine;
		else
			first = mine;
		below = mine;
	}
	return first;
}

static bool walk_object(struct sj_check *c, const struct sj_value *v, const struct sj_rule *r,
                        const struct sj_place *at);

static bool walk_tagged(struct sj_check *c, const struct sj_value *v, const struct sj_rule *r,
                        const struct sj_place *at)
{
	if (v->type != SJ_V_OBJECT)
		return sj_check_fail(c, at, NULL, "Expected object");
	const struct sj_value *type = sj_value_get(v, SJ_LIT("type"));
	for (uint32_t i = 0; type && sj_value_is_string(type) && i < r->count; i++) {
		const struct sj_field *variant = &sj_contract_fields[r->first + i];
		if (sj_slice_is(sj_value_text(type), variant->name))
			return walk_object(c, v, &sj_contract_rules[variant->rule], at);
	}
	return sj_check_fail(c, at, "type", "Unknown or missing discriminator");
}

static bool walk_node(struct sj_check *c, const struct sj_value *v, const struct sj_rule *r, const struct sj_place *at)
{
	if (v->type != SJ_V_OBJECT)
		return sj_check_fail(c, at, NULL, "Expected object");
	if (c->nodes.count >= SJ_PROTO_NODES)
		return sj_check_fail(c, at, NULL, "Node limit exceeded");
	if (c->depth >= SJ_PROTO_DEPTH)
		return sj_check_fail(c, at, NULL, "Tree depth limit exceeded");
	enum sj_node_type type = sj_node_type_of(v);
	c->images += type == SJ_NODE_IMAGE ? image_cost(sj_value_get(v, SJ_LIT("asset"))) : 0;
	if (c->images > SJ_PROTO_IMAGES)
		return sj_check_fail(c, at, NULL, "Image limit exceeded");
	uint32_t mine = c->nodes.count, parent = c->parent, holder = c->holder;
	const struct sj_place *up = parent == UINT32_MAX ? NULL : c->nodes.items[parent].at;
	if (SJ_VEC_RESERVE(c->mem, &c->nodes, mine + 1, 0) != SJ_OK) {
		c->status = SJ_NOMEM;
		return false;
	}
	const struct sj_place *kept = keep_place(c, at, up);
	if (!kept)
		return false;
	c->nodes.items[c->nodes.count++] = (struct sj_pnode_ref){
		.value = v, .at = kept, .parent = parent, .holder = holder, .type = (uint8_t)type};
	c->parent = mine;
	if (sj_value_get(v, SJ_LIT("repeat")))
		c->holder = mine;
	c->depth++;
	bool ok = walk_tagged(c, v, r, kept);
	c->depth--;
	c->parent = parent;
	c->holder = holder;
	c->nodes.items[mine].end = c->nodes.count;
	return ok;
}

/* ---- objects ----------------------------------------------------------------------------------------------------- */

static bool has(const struct sj_value *v, const char *name) { return sj_value_get(v, sj_slice_of(name)) != NULL; }

static bool one_comparison(struct sj_check *c, const struct sj_value *v, const struct sj_place *at)
{
	static const char *const names[] = {"equals", "notEquals", "gt", "lt"};
	const char *first = NULL, *second = NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (has(v, names[i])) {
			second = first && !second ? names[i] : second;
			first = first ? first : names[i];
		}
	if (!has(v, "key") && !has(v, "path"))
		return !first || sj_check_fail(c, at, first, "Requires key");
	if (first && !second)
		return true;
	return sj_check_fail(c, at, second ? second : "equals", "Exactly one of equals, notEquals, gt, lt is required");
}

static bool walk_extra(struct sj_check *c, const struct sj_value *v, const struct sj_rule *r, const struct sj_place *at)
{
	if (r->extra & SJ_X_BINDING && has(v, "pager") == has(v, "stateKey"))
		return sj_check_fail(c, at, "pager", "Exactly one of pager or stateKey is required");
	if (r->extra & SJ_X_EXCLUSIVE && has(v, "elementId") == has(v, "text"))
		return sj_check_fail(c, at, "elementId", "Exactly one container selector is required");
	if (r->mark == SJ_MARK_CONDITION) {
		int forms = has(v, "key") + has(v, "path") + has(v, "all") + has(v, "any") + has(v, "not");
		if (forms != 1)
			return sj_check_fail(c, at, "key", "Exactly one of key, all, any, not is required");
		if (!one_comparison(c, v, at))
			return false;
	}
	if (r->mark == SJ_MARK_REPEAT) {
		if (!has(v, "items") && !has(v, "from"))
			return sj_check_fail(c, at, "items", "Required property");
		if (has(v, "items") && has(v, "from"))
			return sj_check_fail(c, at, "from", "Exactly one of items or from is required");
	}
	if (r->extra & SJ_X_AT_LEAST_ONE && sj_value_count(v) == 0)
		return sj_check_fail(c, at, NULL, "At least one selector field is required");
	return true;
}

/* Something is unknown or missing: the first in the order of names is told, if nothing before it is wrong. */
static bool walk_faulty(struct sj_check *c, const struct sj_value *v, const struct sj_rule *r,
                        const struct sj_place *at)
{
	const uint32_t *order = sorted_members(c, v);
	if (!order)
		return false;
	uint32_t f = 0, i = 0, n = sj_value_count(v);
	while (f < r->count || i < n) {
		const struct sj_field *field = &sj_contract_fields[r->first + (f < r->count ? f : 0)];
		struct sj_place below = {.up = at};
		const struct sj_value *m = i < n ? sj_value_member(v, order[i], &below.key) : NULL;
		int side = !m ? 1 : f >= r->count ? -1 : sj_utf16_cmp(below.key, sj_slice(field->name, field->len));
		if (side < 0)
			return sj_check_fail(c, &below, NULL, "Unknown property");
		if (side > 0 && !field->optional)
			return sj_check_fail(c, at, field->name, "Required property");
		if (side == 0 && !walk(c, m, field->rule, &below))
			return false;
		i += side <= 0;
		f += side >= 0;
	}
	return walk_extra(c, v, r, at);
}

static bool walk_object(struct sj_check *c, const struct sj_value *v, const struct sj_rule *r,
                        const struct sj_place *at)
{
	const struct sj_value *members[FIELDS_MOST] = {0};
	if (v->type != SJ_V_OBJECT)
		return sj_check_fail(c, at, NULL, "Expected object");
	const struct sj_field *fields = &sj_contract_fields[r->first];
	for (uint32_t i = 0; i < sj_value_count(v); i++) {
		struct sj_slice key;
		const struct sj_value *m = sj_value_member(v, i, &key);
		const struct sj_field *f = field_of(r, key);
		if (!f)
			return walk_faulty(c, v, r, at);
		members[f - fields] = m;
	}
	for (uint32_t f = 0; f < r->count; f++)
		if (!members[f] && !fields[f].optional)
			return walk_faulty(c, v, r, at);
	for (uint32_t f = 0; f < r->count; f++) {
		struct sj_place below = {.up = at, .key = {fields[f].name, fields[f].len}};
		if (members[f] && !walk(c, members[f], fields[f].rule, &below))
			return false;
	}
	return walk_extra(c, v, r, at);
}

static bool walk_array(struct sj_check *c, const struct sj_value *v, const struct sj_rule *r, const struct sj_place *at)
{
	if (v->type != SJ_V_ARRAY)
		return sj_check_fail(c, at, NULL, "Expected array");
	uint32_t n = sj_value_count(v);
	if (n < r->min || n > r->max)
		return sj_check_fail(c, at, NULL, "Array length out of range");
	for (uint32_t i = 0; i < n; i++) {
		struct sj_place below = {.up = at, .index = i};
		if (!walk(c, sj_value_item(v, i), r->first, &below))
			return false;
		for (uint32_t k = 0; r->unique && k < i; k++)
			if (sj_value_equal(sj_value_item(v, k), sj_value_item(v, i)))
				return sj_check_fail(c, &below, NULL, "Duplicate array value");
	}
	return true;
}

/* Which options fit the JSON type of the value: objects take objects, numbers numbers, the others strings. */
static bool is_candidate(const struct sj_rule *r, const struct sj_value *v)
{
	bool object = r->kind == SJ_RULE_OBJECT || r->kind == SJ_RULE_TAGGED, number = r->kind == SJ_RULE_NUMBER;
	if (v->type == SJ_V_OBJECT)
		return object;
	if (sj_value_is_number(v))
		return number;
	return sj_value_is_string(v) && !object && !number;
}

static bool walk_choice(struct sj_check *c, const struct sj_value *v, const struct sj_rule *r,
                        const struct sj_place *at)
{
	struct sj_proto_error *error = c->error;
	uint16_t first = UINT16_MAX;
	for (uint32_t i = 0; i < r->count; i++) {
		uint16_t option = sj_contract_fields[r->first + i].rule;
		if (!is_candidate(&sj_contract_rules[option], v))
			continue;
		c->error = NULL;
		bool ok = walk(c, v, option, at);
		c->error = error;
		if (ok || c->status != SJ_OK)
			return ok;
		first = first == UINT16_MAX ? option : first;
	}
	return first == UINT16_MAX ? sj_check_fail(c, at, NULL, "Invalid union value") : walk(c, v, first, at);
}

static bool walk_screens(struct sj_check *c, const struct sj_value *v, const struct sj_rule *r,
                         const struct sj_place *at)
{
	if (v->type != SJ_V_OBJECT)
		return sj_check_fail(c, at, NULL, "Expected object");
	uint32_t n = sj_value_count(v);
	if (n < r->min || n > r->max)
		return sj_check_fail(c, at, NULL, "Screen count out of range");
	const uint32_t *order = sorted_members(c, v);
	const struct sj_place *kept = keep_place(c, at, NULL);
	if (!order || !kept)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		struct sj_place below = {.up = kept};
		const struct sj_value *m = sj_value_member(v, order[i], &below.key);
		if (!sj_proto_is_key(below.key))
			return sj_check_fail(c, &below, NULL, "Invalid screen name");
		if (!walk_node(c, m, &sj_contract_rules[sj_contract_node], &below))
			return false;
	}
	return true;
}

static bool invalid(struct sj_check *c, const struct sj_place *at, const char *kind)
{
	return sj_check_fail(c, at, NULL, "Invalid %s value", kind);
}

/* A reference that is counted. */
static bool walk_counted(struct sj_check *c, const struct sj_value *v, const struct sj_rule *r,
                         const struct sj_place *at)
{
	uint32_t *depth = r->mark == SJ_MARK_CONDITION ? &c->conditions : &c->selectors;
	uint32_t most = r->mark == SJ_MARK_CONDITION ? SJ_PROTO_CONDITION_DEPTH : SJ_PROTO_SELECTOR_DEPTH;
	if (*depth >= most)
		return sj_check_fail(c, at, NULL, "%s depth limit exceeded",
		                     r->mark == SJ_MARK_CONDITION ? "Condition" : "Selector");
	++*depth;
	bool ok = walk_object(c, v, r, at);
	--*depth;
	return ok;
}

static bool walk(struct sj_check *c, const struct sj_value *v, uint16_t rule, const struct sj_place *at)
{
	const struct sj_rule *r = &sj_contract_rules[rule];
	bool text = sj_value_is_string(v);
	struct sj_slice s = text ? sj_value_text(v) : SJ_NO_SLICE;
	switch ((enum sj_rule_kind)r->kind) {
	case SJ_RULE_OBJECT:
		if (r->mark == SJ_MARK_CONDITION || r->mark == SJ_MARK_CONTAINER)
			return walk_counted(c, v, r, at);
		if (r->mark == SJ_MARK_ITEM && v->type == SJ_V_OBJECT) {
			c->images += image_cost(sj_value_get(v, SJ_LIT("image")));
			if (c->images > SJ_PROTO_IMAGES)
				return sj_check_fail(c, at, "image", "Image limit exceeded");
		}
		return walk_object(c, v, r, at);
	case SJ_RULE_TAGGED:
		return r->mark == SJ_MARK_NODE ? walk_node(c, v, r, at) : walk_tagged(c, v, r, at);
	case SJ_RULE_CHOICE:
		return walk_choice(c, v, r, at);
	case SJ_RULE_ARRAY:
		return walk_array(c, v, r, at);
	case SJ_RULE_NODES:
		return walk_screens(c, v, r, at);
	case SJ_RULE_MAP:
		return walk_map(c, v, at);
	case SJ_RULE_LEAF:
		return leaf_fits(c, v, at);
	case SJ_RULE_LEAVES:
		return walk_leaves(c, v, at);
	case SJ_RULE_ENUM:
		return (text && is_enum(r, s)) || invalid(c, at, "enum");
	case SJ_RULE_ICON:
		return (text && sj_proto_is_icon(s)) || invalid(c, at, "enum");
	case SJ_RULE_MODULE_NAME:
	case SJ_RULE_STRING:
		return (text && s.len > 0) || invalid(c, at, "string");
	case SJ_RULE_TEXT:
		return text || invalid(c, at, "string");
	case SJ_RULE_NONBLANK:
		return (text && !is_blank(s)) || invalid(c, at, "string");
	case SJ_RULE_KEY:
	case SJ_RULE_STATE_NAME:
		return (text && sj_proto_is_key(s)) || invalid(c, at, "key");
	case SJ_RULE_BOUND_KEY:
		return (text && sj_proto_is_bound_key(s)) || invalid(c, at, "key");
	case SJ_RULE_COLOR:
		return (text && sj_proto_is_color(s)) || invalid(c, at, "color");
	case SJ_RULE_POINTER:
		return (text && sj_proto_is_pointer(s)) || invalid(c, at, "pointer");
	case SJ_RULE_CALL:
		return (text && is_call(s)) || invalid(c, at, "call");
	case SJ_RULE_NUMBER:
		return is_number(r, v) || invalid(c, at, "number");
	case SJ_RULE_BOOL:
		return sj_value_is_bool(v) || invalid(c, at, "boolean");
	case SJ_RULE_SCALAR:
		return sj_value_is_scalar(v) || invalid(c, at, "scalar");
	case SJ_RULE_JSON:
		return payload_cost(v, 0) <= SJ_PROTO_PAYLOAD_BYTES || invalid(c, at, "json");
	case SJ_RULE_ANY_OBJECT:
		if (v->type != SJ_V_OBJECT)
			return sj_check_fail(c, at, NULL, "Expected object");
		return is_data(v, 0) || invalid(c, at, "json");
	}
	return false;
}

bool sj_check_structure(struct sj_check *c)
{
	c->parent = c->holder = UINT32_MAX;
	return walk(c, c->spec, sj_contract_spec, NULL);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

enum sj_status sj_proto_validate_as(struct sj_mem *mem, const struct sj_value *spec, const struct sj_value *authored,
                                    const struct sj_proto_options *opt, struct sj_proto_error *error)
{
	struct sj_check c = {.mem = mem, .spec = spec, .authored = authored, .opt = opt, .error = error};
	static bool (*const passes[])(struct sj_check *) = {sj_check_structure, sj_check_repeats, sj_check_pagers,
	                                                    sj_check_states,    sj_check_additions, sj_check_library};
	bool ok = true;
	sj_arena_init(&c.arena, mem, 16384);
	c.state = spec->type == SJ_V_OBJECT ? sj_value_get(spec, SJ_LIT("state")) : NULL;
	for (size_t i = 0; ok && i < sizeof passes / sizeof *passes; i++)
		ok = passes[i](&c);
	SJ_VEC_FREE(mem, &c.nodes);
	sj_arena_finish(&c.arena);
	return c.status != SJ_OK ? c.status : ok ? SJ_OK : SJ_INVALID;
}

enum sj_status sj_proto_validate(struct sj_mem *mem, const struct sj_value *spec, const struct sj_proto_options *opt,
                                 struct sj_proto_error *error)
{
	return sj_proto_validate_as(mem, spec, NULL, opt, error);
}
