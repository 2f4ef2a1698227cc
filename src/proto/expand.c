/* Components and `use` (docs/prototype.md, "Components"): a use becomes the component's node, its placeholders filled.
 * Linear: each node of the result is made once; a place is found again by one walk down its own steps, where it is
 * told. */
#include <string.h>

#include "base/utf.h"
#include "proto/internal.h"

enum { DEEPEST = 200 }; /* beyond it nodes are only copied: the tree is too deep anyway */

struct env { /* what a component's body stands in */
	const struct env *up;
	struct sj_slice component;
	const struct sj_value *props;
};

struct expansion {
	struct sj_check c; /* errors are told through it */
	const struct sj_value *components;
	uint32_t nodes;
};

static bool is_use(const struct sj_value *v)
{
	const struct sj_value *type = v->type == SJ_V_OBJECT ? sj_value_get(v, SJ_LIT("type")) : NULL;
	return type && sj_value_is_string(type) && sj_slice_is(sj_value_text(type), "use");
}

/* ---- the map of components --------------------------------------------------------------------------------------- */

static bool check_component(struct expansion *x, const struct sj_value *v, const struct sj_place *at)
{
	if (v->type != SJ_V_OBJECT)
		return sj_check_fail(&x->c, at, NULL, "Expected object");
	struct sj_slice worst = SJ_NO_SLICE, key; /* the unknown member that comes first */
	for (uint32_t i = 0; i < sj_value_count(v); i++) {
		(void)sj_value_member(v, i, &key);
		if (!sj_slice_is(key, "root") && (!worst.ptr || sj_utf16_cmp(key, worst) < 0))
			worst = key;
	}
	const struct sj_value *root = sj_value_get(v, SJ_LIT("root"));
	bool rootless = !root || root->type != SJ_V_OBJECT;
	if (worst.ptr && (!rootless || sj_utf16_cmp(worst, SJ_LIT("root")) < 0)) {
		struct sj_place below = {.up = at, .key = worst};
		return sj_check_fail(&x->c, &below, NULL, "Unknown property");
	}
	return !rootless || sj_check_fail(&x->c, at, "root", "Expected object");
}

static bool check_components(struct expansion *x)
{
	struct sj_place at = {.key = SJ_LIT("components")};
	const struct sj_value *v = x->components;
	if (!v)
		return true;
	if (v->type != SJ_V_OBJECT)
		return sj_check_fail(&x->c, &at, NULL, "Expected object");
	struct sj_slice last = SJ_NO_SLICE;
	for (;;) { /* in UTF-16 order; few components, so the next is searched */
		struct sj_slice best = SJ_NO_SLICE, key;
		const struct sj_value *found = NULL;
		for (uint32_t i = 0; i < sj_value_count(v); i++) {
			const struct sj_value *m = sj_value_member(v, i, &key);
			if ((!last.ptr || sj_utf16_cmp(key, last) > 0) && (!best.ptr || sj_utf16_cmp(key, best) < 0)) {
				best = key;
				found = m;
			}
		}
		if (!found)
			return true;
		struct sj_place below = {.up = &at, .key = best};
		if (!sj_proto_is_key(best))
			return sj_check_fail(&x->c, &below, NULL, "Invalid component name");
		if (!check_component(x, found, &below))
			return false;
		last = best;
	}
}

/* ---- one use ----------------------------------------------------------------------------------------------------- */

static bool check_props(struct expansion *x, const struct sj_value *props, const struct sj_place *at)
{
	for (uint32_t i = 0; i < sj_value_count(props); i++) {
		struct sj_place below = {.up = at};
		const struct sj_value *m = sj_value_member(props, i, &below.key);
		if (!sj_proto_is_key(below.key))
			return sj_check_fail(&x->c, &below, NULL, "Invalid prop name");
		if (!sj_value_is_scalar(m))
			return sj_check_fail(&x->c, &below, NULL, "Component prop must be a string, number or boolean");
	}
	return true;
}

static bool tell_cycle(struct expansion *x, const struct env *env, struct sj_slice name, const struct sj_place *at)
{
	struct sj_buf text;
	const struct env *chain[SJ_PROTO_USE_DEPTH + 1];
	uint32_t n = 0;
	for (const struct env *e = env; e; e = e->up) {
		chain[n++] = e;
		if (sj_slice_eq(e->component, name))
			break;
	}
	sj_buf_init(&text, x->c.mem, 0);
	while (n-- > 0) {
		sj_buf_slice(&text, chain[n]->component);
		sj_buf_puts(&text, " → ");
	}
	sj_buf_slice(&text, name);
	if (sj_buf_status(&text) != SJ_OK)
		x->c.status = SJ_NOMEM;
	else
		sj_check_fail(&x->c, at, "component", "Component cycle: %s", text.ptr);
	sj_buf_finish(&text);
	return false;
}

/* The fields that a component's body asks for, against those that are given. */
struct asked {
	const struct sj_value *props;
	uint64_t used[2]; /* bits of the first 128 props; more are searched for */
	struct sj_slice missing;
};

static void note_asked(void *ctx, struct sj_slice field)
{
	struct asked *a = ctx;
	for (uint32_t i = 0; i < sj_value_count(a->props); i++) {
		struct sj_slice key;
		(void)sj_value_member(a->props, i, &key);
		if (!sj_slice_eq(key, field))
			continue;
		if (i < 128)
			a->used[i / 64] |= (uint64_t)1 << i % 64;
		return;
	}
	if (!a->missing.ptr)
		a->missing = field;
}

static void fill_use(struct sj_fill *f, struct sj_value *use)
{
	const struct sj_value *props = sj_value_get(use, SJ_LIT("props"));
	struct sj_value *mine = props && props->type == SJ_V_OBJECT && f->status == SJ_OK
	                                ? sj_value_own_member(f->mem, use, SJ_LIT("props"), &f->status)
	                                : NULL;
	for (uint32_t i = 0; mine && i < sj_value_count(mine) && f->status == SJ_OK; i++) {
		struct sj_slice key;
		(void)sj_value_member(mine, i, &key);
		sj_fill_member(f, mine, key, true);
	}
}

/* Asks every node of a body, filling a copy that is thrown away. */
static bool ask(struct expansion *x, const struct sj_value *node, struct asked *a, uint32_t depth);

struct asking {
	struct expansion *x;
	struct asked *a;
	uint32_t depth;
};
static bool ask_child(void *ctx, const struct sj_value *child, struct sj_slice field, uint32_t index)
{
	struct asking *k = ctx;
	(void)field, (void)index;
	return ask(k->x, child, k->a, k->depth + 1);
}

static bool ask(struct expansion *x, const struct sj_value *node, struct asked *a, uint32_t depth)
{
	struct sj_value copy = sj_value_ref(*node);
	struct sj_fill f = {.mem = x->c.mem,
	                    .alias = SJ_LIT("props"),
	                    .item = a->props,
	                    .no_index = true,
	                    .seen = note_asked,
	                    .ctx = a};
	struct asking k = {x, a, depth};
	if (is_use(node))
		fill_use(&f, &copy);
	else
		sj_fill_node(&f, &copy);
	sj_value_unref(x->c.mem, copy);
	if (f.status != SJ_OK)
		x->c.status = f.status;
	return f.status == SJ_OK && (node->type != SJ_V_OBJECT || depth >= DEEPEST || is_use(node) ||
	                             sj_node_children(node, ask_child, &k));
}

static bool expand_node(struct expansion *x, const struct sj_value *node, const struct env *env,
                        const struct sj_place *at, uint32_t depth, struct sj_value *out);

static bool expand_use(struct expansion *x, const struct sj_value *use, const struct env *env,
                       const struct sj_place *at, uint32_t depth, struct sj_value *out)
{
	static const char *const known[] = {"type", "component", "props"};
	struct sj_check *c = &x->c;
	struct sj_slice worst = SJ_NO_SLICE, key;
	for (uint32_t i = 0; i < sj_value_count(use); i++) {
		(void)sj_value_member(use, i, &key);
		bool is_known = sj_slice_is(key, known[0]) || sj_slice_is(key, known[1]) || sj_slice_is(key, known[2]);
		if (!is_known && (!worst.ptr || sj_utf16_cmp(key, worst) < 0))
			worst = key;
	}
	struct sj_place field = {.up = at, .key = worst};
	if (worst.ptr)
		return sj_check_fail(c, &field, NULL, "Unknown property");
	const struct sj_value *name = sj_value_get(use, SJ_LIT("component")),
			      *props = sj_value_get(use, SJ_LIT("props"));
	if (!name || !sj_value_is_string(name))
		return sj_check_fail(c, at, "component", "Required property");
	struct sj_slice component = sj_value_text(name);
	struct sj_value none = SJ_ABSENT_VALUE; /* no members */
	field.key = SJ_LIT("props");
	if (props && props->type != SJ_V_OBJECT)
		return sj_check_fail(c, at, "props", "Expected object");
	props = props ? props : &none;
	if (!check_props(x, props, &field))
		return false;
	const struct sj_value *body =
		x->components ? sj_value_get(x->components, component) : NULL;
	if (!body)
		return sj_check_fail(c, at, "component", "Unknown component \"%.*s\"",
		                     (int)(component.len < 200 ? component.len : 200), component.ptr);
	uint32_t level = 1;
	for (const struct env *e = env; e; e = e->up, level++)
		if (sj_slice_eq(e->component, component))
			return tell_cycle(x, env, component, at);
	if (level > SJ_PROTO_USE_DEPTH)
		return sj_check_fail(c, at, NULL, "Component nesting depth limit exceeded");
	const struct sj_value *root = sj_value_get(body, SJ_LIT("root"));
	struct asked asked = {.props = props};
	if (!ask(x, root, &asked, 0))
		return false;
	if (asked.missing.ptr)
		return sj_check_fail(c, at, "props", "Missing component prop \"%.*s\"", (int)asked.missing.len,
		                     asked.missing.ptr);
	for (uint32_t i = 0; i < sj_value_count(props) && i < 128; i++)
		if (!(asked.used[i / 64] >> i % 64 & 1)) {
			struct sj_place unused = {.up = &field};
			(void)sj_value_member(props, i, &unused.key);
			return sj_check_fail(c, &unused, NULL, "Unused component prop");
		}
	struct env inner = {.up = env, .component = component, .props = props};
	struct sj_place inside = {.up = at, .use = component};
	return expand_node(x, root, &inner, &inside, depth, out);
}

struct children {
	struct expansion *x;
	const struct env *env;
	const struct sj_place *at;
	struct sj_value *node; /* gets the children */
	uint32_t depth;
};

static bool expand_child(void *ctx, const struct sj_value *child, struct sj_slice field, uint32_t index)
{
	struct children *k = ctx;
	struct sj_place list = {.up = k->at, .key = field}, item = {.up = &list, .index = index};
	struct sj_value fresh;
	struct sj_check *c = &k->x->c;
	if (!expand_node(k->x, child, k->env, index == UINT32_MAX ? &list : &item, k->depth + 1, &fresh))
		return false;
	if (index == UINT32_MAX) {
		c->status = sj_value_set(c->mem, k->node, field, fresh);
		return c->status == SJ_OK;
	}
	struct sj_value *array = sj_value_own_member(c->mem, k->node, field, &c->status);
	if (!array) {
		sj_value_unref(c->mem, fresh);
		return false;
	}
	c->status = sj_value_set_item(c->mem, array, index, fresh);
	return c->status == SJ_OK;
}

static bool expand_node(struct expansion *x, const struct sj_value *node, const struct env *env,
                        const struct sj_place *at, uint32_t depth, struct sj_value *out)
{
	struct sj_value mine = sj_value_ref(*node);
	struct sj_fill f = {
		.mem = x->c.mem, .alias = SJ_LIT("props"), .item = env ? env->props : NULL, .no_index = true};
	bool use = is_use(node), ok = true;
	if (env && use)
		fill_use(&f, &mine);
	else if (env)
		sj_fill_node(&f, &mine);
	if (f.status != SJ_OK) {
		x->c.status = f.status;
		ok = false;
	}
	if (ok && use) {
		ok = expand_use(x, &mine, env, at, depth, out);
		sj_value_unref(x->c.mem, mine);
		return ok;
	}
	if (ok && ++x->nodes > SJ_PROTO_NODES)
		ok = sj_check_fail(&x->c, at, NULL, "Expanded node limit exceeded");
	struct children k = {x, env, at, &mine, depth};
	if (ok && node->type == SJ_V_OBJECT && depth < DEEPEST)
		ok = sj_node_children(node, expand_child, &k);
	if (!ok) {
		sj_value_unref(x->c.mem, mine);
		return false;
	}
	*out = mine;
	return true;
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool find_use(const struct sj_value *node, uint32_t depth);
static bool no_use(void *ctx, const struct sj_value *child, struct sj_slice field, uint32_t index)
{
	(void)field, (void)index;
	return !find_use(child, *(const uint32_t *)ctx + 1);
}
static bool find_use(const struct sj_value *node, uint32_t depth)
{
	if (node->type != SJ_V_OBJECT || depth > DEEPEST)
		return false;
	return is_use(node) || !sj_node_children(node, no_use, &depth);
}

static bool wants_expansion(const struct sj_value *spec)
{
	const struct sj_value *root = spec->type == SJ_V_OBJECT ? sj_value_get(spec, SJ_LIT("root")) : NULL;
	const struct sj_value *screens = root ? sj_value_get(spec, SJ_LIT("screens")) : NULL;
	if (!root || root->type != SJ_V_OBJECT)
		return false;
	if (sj_value_get(spec, SJ_LIT("components")) || find_use(root, 0))
		return true;
	for (uint32_t i = 0; screens && screens->type == SJ_V_OBJECT && i < sj_value_count(screens); i++) {
		struct sj_slice key;
		if (find_use(sj_value_member(screens, i, &key), 0))
			return true;
	}
	return false;
}

static bool expand_screens(struct expansion *x, struct sj_value *spec)
{
	struct sj_check *c = &x->c;
	const struct sj_value *screens = sj_value_get(spec, SJ_LIT("screens"));
	struct sj_place at = {.key = SJ_LIT("screens")};
	if (!screens || screens->type != SJ_V_OBJECT)
		return true;
	for (uint32_t i = 0; i < sj_value_count(screens); i++) {
		struct sj_place below = {.up = &at};
		struct sj_value fresh;
		const struct sj_value *node = sj_value_member(screens, i, &below.key);
		if (!expand_node(x, node, NULL, &below, 0, &fresh))
			return false;
		struct sj_value *own = sj_value_own_member(c->mem, spec, SJ_LIT("screens"), &c->status);
		if (!own) {
			sj_value_unref(c->mem, fresh);
			return false;
		}
		c->status = sj_value_set(c->mem, own, below.key, fresh);
		if (c->status != SJ_OK)
			return false;
		screens = own;
	}
	return true;
}

enum sj_status sj_proto_expand(struct sj_mem *mem, const struct sj_value *spec, struct sj_value *out,
                               struct sj_proto_error *error)
{
	if (!wants_expansion(spec)) {
		*out = sj_value_ref(*spec);
		return SJ_OK;
	}
	struct expansion x = {.c = {.mem = mem, .spec = spec, .error = error},
	                      .components = sj_value_get(spec, SJ_LIT("components"))};
	struct sj_place at = {.key = SJ_LIT("root")};
	struct sj_value fresh = SJ_ABSENT_VALUE, mine = sj_value_ref(*spec);
	bool ok = check_components(&x) && expand_node(&x, sj_value_get(spec, SJ_LIT("root")), NULL, &at, 0, &fresh);
	if (ok) {
		x.c.status = sj_value_set(mem, &mine, SJ_LIT("root"), fresh);
		ok = x.c.status == SJ_OK && expand_screens(&x, &mine);
	}
	if (ok && sj_value_get(spec, SJ_LIT("components"))) {
		x.c.status = sj_value_unset(mem, &mine, SJ_LIT("components"));
		ok = x.c.status == SJ_OK;
	}
	if (ok) {
		struct sj_buf text;
		sj_buf_init(&text, mem, 0);
		sj_value_print(&text, &mine, SJ_PRINT_COMPACT);
		if (sj_buf_status(&text) != SJ_OK)
			x.c.status = SJ_NOMEM;
		else if (text.len > SJ_PROTO_SPEC_BYTES)
			sj_check_fail(&x.c, NULL, NULL, "Expanded spec byte limit exceeded");
		ok = x.c.status == SJ_OK && text.len <= SJ_PROTO_SPEC_BYTES;
		sj_buf_finish(&text);
	}
	if (!ok) {
		sj_value_unref(mem, mine);
		return x.c.status != SJ_OK ? x.c.status : SJ_INVALID;
	}
	*out = mine;
	return SJ_OK;
}

/* Where nodes stand: `root`, `child`, an item of `children`, a member of `screens`. */
static bool is_node_step(const struct sj_place *s)
{
	if (!s->key.ptr)
		return s->up && s->up->key.ptr && sj_slice_is(s->up->key, "children");
	if (!s->up)
		return sj_slice_is(s->key, "root");
	return sj_slice_is(s->key, "child") || (!s->up->up && sj_slice_is(s->up->key, "screens"));
}

void sj_place_authored(const struct sj_check *c, const struct sj_place *at, struct sj_buf *out)
{
	const struct sj_place *steps[512];
	uint32_t n = sj_place_steps(at, steps, 512);
	const struct sj_value *components = sj_value_get(c->authored, SJ_LIT("components")), *v = c->authored;
	for (uint32_t i = 0; i < n; i++) {
		if (steps[i]->key.ptr)
			sj_path_key(out, steps[i]->key);
		else
			sj_path_index(out, steps[i]->index);
		if (v)
			v = !steps[i]->key.ptr ? sj_value_item(v, steps[i]->index)
			    : v->type == SJ_V_OBJECT ? sj_value_get(v, steps[i]->key)
			                             : NULL;
		for (uint32_t level = 0;
		     v && components && is_node_step(steps[i]) && is_use(v) && level < SJ_PROTO_USE_DEPTH; level++) {
			const struct sj_value *name = sj_value_get(v, SJ_LIT("component"));
			const struct sj_value *body = name && sj_value_is_string(name)
			                                      ? sj_value_get(components, sj_value_text(name))
			                                      : NULL;
			if (!body)
				break;
			sj_path_use(out, sj_value_text(name));
			v = sj_value_get(body, SJ_LIT("root"));
		}
	}
	if (n == 0)
		sj_buf_putc(out, '$');
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static enum sj_status say(struct sj_proto_error *error, enum sj_status st, const char *message)
{
	sj_buf_putc(&error->path, '$');
	sj_buf_puts(&error->message, message);
	return sj_buf_status(&error->message) == SJ_OK ? st : SJ_NOMEM;
}

enum sj_status sj_proto_read(struct sj_mem *mem, struct sj_slice text, struct sj_value *out,
                             struct sj_proto_error *error)
{
	struct sj_json_options opt = {.dup = SJ_DUP_LAST,
	                              .surrogate = SJ_SURROGATE_KEEP,
	                              .max_depth = 1000,
	                              .max_values = SJ_PROTO_SPEC_BYTES,
	                              .max_string_bytes = SJ_PROTO_SPEC_BYTES,
	                              .max_bytes = SJ_PROTO_SPEC_BYTES};
	if (text.len > SJ_PROTO_SPEC_BYTES)
		return say(error, SJ_LIMIT, "Spec byte limit exceeded");
	enum sj_status st = sj_value_parse(mem, &opt, text, out, NULL);
	return st == SJ_OK || st == SJ_NOMEM ? st : say(error, SJ_INVALID, "Invalid JSON");
}

static enum sj_status expand_and_validate(struct sj_mem *mem, const struct sj_value *spec,
                                          const struct sj_proto_options *opt, struct sj_value *out,
                                          struct sj_proto_error *error)
{
	struct sj_value expanded;
	enum sj_status st = SJ_OK;
	if (opt && opt->keep_components)
		expanded = sj_value_ref(*spec);
	else
		st = sj_proto_expand(mem, spec, &expanded, error);
	if (st != SJ_OK)
		return st;
	st = sj_proto_validate_as(mem, &expanded, spec, opt, error);
	if (st == SJ_OK)
		*out = expanded;
	else
		sj_value_unref(mem, expanded);
	return st;
}

enum sj_status sj_proto_load(struct sj_mem *mem, struct sj_slice text, const struct sj_proto_options *opt,
                             struct sj_value *out, struct sj_proto_error *error)
{
	struct sj_value spec;
	enum sj_status st = sj_proto_read(mem, text, &spec, error);
	if (st != SJ_OK)
		return st;
	st = expand_and_validate(mem, &spec, opt, out, error);
	sj_value_unref(mem, spec);
	return st;
}

enum sj_status sj_proto_check(struct sj_mem *mem, const struct sj_value *spec, const struct sj_proto_options *opt,
                              struct sj_value *out, struct sj_proto_error *error)
{
	struct sj_buf text;
	sj_buf_init(&text, mem, 0);
	sj_value_print(&text, spec, SJ_PRINT_COMPACT);
	enum sj_status st = sj_buf_status(&text);
	if (st == SJ_OK && text.len > SJ_PROTO_SPEC_BYTES)
		st = say(error, SJ_LIMIT, "Spec byte limit exceeded");
	sj_buf_finish(&text);
	return st == SJ_OK ? expand_and_validate(mem, spec, opt, out, error) : st;
}
