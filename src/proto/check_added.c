/* What Shoji added to the language (docs/decisions/015): stored keys, modules, screens, deeds, secure values; and what
 * a library does not keep. */
#include <string.h>

#include "proto/internal.h"

static const struct sj_value *field(const struct sj_value *v, const char *name)
{
	return v ? sj_value_get(v, sj_slice_of(name)) : NULL;
}
static struct sj_slice text_of(const struct sj_value *v, const char *name)
{
	const struct sj_value *m = field(v, name);
	return m ? sj_value_text(m) : SJ_NO_SLICE;
}

static bool is_declared(const struct sj_check *c, struct sj_slice key)
{
	return c->state && sj_value_get(c->state, key);
}

struct added {
	SJ_VEC(const struct sj_value *) secure; /* state keys of secure fields */
	const struct sj_value *modules;         /* requires.platform */
};

static bool is_secret(const struct added *a, struct sj_slice key)
{
	for (uint32_t i = 0; i < a->secure.count; i++)
		if (sj_slice_eq(sj_value_text(a->secure.items[i]), key))
			return true;
	return false;
}

static bool is_required(const struct added *a, struct sj_slice module)
{
	for (uint32_t i = 0; a->modules && i < sj_value_count(a->modules); i++)
		if (sj_slice_eq(sj_value_text(sj_value_item(a->modules, i)), module))
			return true;
	return false;
}

static bool has_module(const struct sj_check *c, struct sj_slice name)
{
	if (!c->opt || !c->opt->modules)
		return sj_proto_is_module(name);
	for (uint32_t i = 0; i < c->opt->nmodules; i++)
		if (sj_slice_is(name, c->opt->modules[i]))
			return true;
	return false;
}

static bool check_modules(struct sj_check *c, const struct added *a)
{
	struct sj_place requires = {.key = SJ_LIT("requires")}, list = {.up = &requires, .key = SJ_LIT("platform")};
	for (uint32_t i = 0; a->modules && i < sj_value_count(a->modules); i++) {
		struct sj_place at = {.up = &list, .index = i};
		if (!has_module(c, sj_value_text(sj_value_item(a->modules, i))))
			return sj_check_fail(c, &at, NULL, "Needs a newer Shoji");
	}
	return true;
}

static bool check_stored(struct sj_check *c, const struct added *a)
{
	const struct sj_value *stored = field(c->spec, "stored");
	struct sj_place list = {.key = SJ_LIT("stored")};
	for (uint32_t i = 0; stored && i < sj_value_count(stored); i++) {
		struct sj_place at = {.up = &list, .index = i};
		struct sj_slice key = sj_value_text(sj_value_item(stored, i));
		if (!is_declared(c, key))
			return sj_check_fail(c, &at, NULL, "Unknown state key");
		if (is_secret(a, key))
			return sj_check_fail(c, &at, NULL, "Secure value cannot be bound here");
	}
	return true;
}

/* A state key that a person's secret stands at may not leave through a text: its braces are looked for. */
static bool shows_secret(const struct added *a, struct sj_slice text)
{
	for (size_t from = 0; a->secure.count && from < text.len; from++) {
		const char *close = text.ptr[from] == '{' ? memchr(text.ptr + from, '}', text.len - from) : NULL;
		if (close && is_secret(a, sj_slice(text.ptr + from + 1, (size_t)(close - text.ptr) - from - 1)))
			return true;
	}
	return false;
}

static bool check_text(void *ctx, struct sj_check *c, const struct sj_pnode_ref *n, enum sj_binds kind,
                       struct sj_slice text, const struct sj_place *at)
{
	(void)n;
	return kind == SJ_BINDS_KEY || !shows_secret(ctx, text) ||
	       sj_check_fail(c, at, NULL, "Secure value cannot be bound here");
}

/* Depth is bounded: the structural walk saw it. */
static bool check_leaf(struct sj_check *c, const struct added *a, const struct sj_pnode_ref *n,
                       const struct sj_value *v, const struct sj_place *at)
{
	struct sj_slice kind, name;
	if (sj_leaf_binding(v, &kind, &name)) {
		struct sj_place below = {.up = at, .key = kind};
		if (sj_slice_is(kind, "state") && !is_declared(c, name))
			return sj_check_fail(c, &below, NULL, "Unknown state key");
		if (sj_slice_is(kind, "state") && is_secret(a, name))
			return sj_check_fail(c, &below, NULL, "Secure value cannot be bound here");
		if (sj_slice_is(kind, "item") && n->holder == UINT32_MAX)
			return sj_check_fail(c, &below, NULL, "Item outside a repeat template");
		return true;
	}
	for (uint32_t i = 0; i < sj_value_count(v); i++) {
		struct sj_place below = {.up = at, .index = i};
		const struct sj_value *m =
			v->type == SJ_V_OBJECT ? sj_value_member(v, i, &below.key) : sj_value_item(v, i);
		if (!check_leaf(c, a, n, m, &below))
			return false;
	}
	return true;
}

static bool check_status_key(struct sj_check *c, const struct added *a, const struct sj_value *v,
                             const struct sj_place *at)
{
	struct sj_slice key = text_of(v, "statusKey");
	const struct sj_value *state = c->state && key.ptr ? sj_value_get(c->state, key) : NULL;
	if (!key.ptr)
		return true;
	if (!state || !sj_value_is_string(state))
		return sj_check_fail(c, at, "statusKey", "Status requires a string state key");
	return !is_secret(a, key) || sj_check_fail(c, at, "statusKey", "Secure value cannot be bound here");
}

static bool check_deed(void *ctx, struct sj_check *c, const struct sj_pnode_ref *n, const struct sj_value *action,
                       struct sj_slice type, const struct sj_place *at)
{
	static const char *const carried[] = {"value", "headers", "body", "args"};
	const struct added *a = ctx;
	if (sj_slice_is(type, "push")) {
		const struct sj_value *screens = field(c->spec, "screens");
		return (screens && sj_value_get(screens, text_of(action, "screen"))) ||
		       sj_check_fail(c, at, "screen", "Unknown screen");
	}
	bool platform = sj_slice_is(type, "platform");
	if (!platform && !sj_slice_is(type, "request") && !sj_slice_is(type, "setData"))
		return true;
	if (platform) {
		struct sj_slice call = text_of(action, "call");
		size_t dot = 0;
		while (dot < call.len && call.ptr[dot] != '.')
			dot++;
		if (!is_required(a, sj_slice(call.ptr, dot)))
			return sj_check_fail(c, at, "call", "Module \"%.*s\" is not in requires.platform", (int)dot,
			                     call.ptr);
	}
	for (int i = 0; i < 4; i++) {
		const struct sj_value *v = field(action, carried[i]);
		struct sj_place below = {.up = at, .key = sj_slice_of(carried[i])};
		if (v && !check_leaf(c, a, n, v, &below))
			return false;
	}
	return check_status_key(c, a, action, at);
}

bool sj_check_additions(struct sj_check *c)
{
	struct added a = {.modules = field(field(c->spec, "requires"), "platform")};
	bool ok = true;
	for (uint32_t i = 0; i < c->nodes.count; i++) {
		const struct sj_value *v = c->nodes.items[i].value, *secure = field(v, "secure");
		if (!secure || secure->type != SJ_V_TRUE)
			continue;
		if (SJ_VEC_RESERVE(c->mem, &a.secure, a.secure.count + 1, 0) != SJ_OK) {
			c->status = SJ_NOMEM;
			break;
		}
		a.secure.items[a.secure.count++] = field(v, "stateKey");
	}
	ok = c->status == SJ_OK && check_modules(c, &a) && check_stored(c, &a);
	for (uint32_t i = 0; ok && i < c->nodes.count; i++) {
		const struct sj_pnode_ref *n = &c->nodes.items[i];
		bool paste = n->type == SJ_NODE_PASTE_BUTTON;
		if (paste && field(n->value, "onTap"))
			ok = sj_check_fail(c, n->at, "onTap", "Paste button owns its tap");
		if (ok && paste && !is_required(&a, SJ_LIT("clipboard")))
			ok = sj_check_fail(c, n->at, NULL, "Module \"clipboard\" is not in requires.platform");
		ok = ok && (!paste || check_status_key(c, &a, n->value, n->at)) &&
		     (a.secure.count == 0 || sj_bindings(c, n, check_text, &a)) && sj_actions(c, n, check_deed, &a);
	}
	SJ_VEC_FREE(c->mem, &a.secure);
	return ok;
}

/* ---- library ----------------------------------------------------------------------------------------------------- */

static bool check_host(void *ctx, struct sj_check *c, const struct sj_pnode_ref *n, const struct sj_value *action,
                       struct sj_slice type, const struct sj_place *at)
{
	(void)ctx, (void)n;
	return !sj_slice_is(type, "request") || !sj_slice_is(text_of(action, "via"), "host") ||
	       sj_check_fail(c, at, "via", "Not allowed in a library");
}

bool sj_check_library(struct sj_check *c)
{
	if (!c->opt || !c->opt->library)
		return true;
	const struct sj_value *window = field(c->spec, "window"), *opacity = field(window, "opacity");
	struct sj_place at = {.key = SJ_LIT("window")};
	const char *wrong = sj_slice_is(text_of(window, "layer"), "system")                              ? "layer"
	                    : opacity && sj_value_double(opacity) < 100                                  ? "opacity"
	                    : sj_slice_is(text_of(window, "persistence"), "device")                      ? "persistence"
	                    : !sj_slice_is(text_of(field(window, "placement"), "type"), "fullscreen")    ? "placement"
	                                                                                                 : NULL;
	if (wrong)
		return sj_check_fail(c, &at, wrong, "Not allowed in a library");
	for (uint32_t i = 0; i < c->nodes.count; i++) {
		const struct sj_pnode_ref *n = &c->nodes.items[i];
		if (sj_slice_is(text_of(field(n->value, "anchor"), "type"), "element"))
			return sj_check_fail(c, n->at, "anchor", "Not allowed in a library");
		if (!sj_actions(c, n, check_host, NULL))
			return false;
	}
	return true;
}
