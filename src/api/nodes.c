/* Reading views and nodes. */
#include "api/api.h"

_Static_assert(sizeof(struct shoji_change) == sizeof(struct sj_change) &&
                       offsetof(struct shoji_change, cause) == offsetof(struct sj_change, cause) &&
                       offsetof(struct shoji_change, node) == offsetof(struct sj_change, node) &&
                       offsetof(struct shoji_change, mask) == offsetof(struct sj_change, mask) &&
                       offsetof(struct shoji_change, remove) == offsetof(struct sj_change, remove),
               "change records are handed out as they are");
_Static_assert((int)SHOJI_CHANGE_SET == (int)SJ_CH_SET && (int)SHOJI_CHANGE_SPLICE == (int)SJ_CH_SPLICE &&
                       (int)SHOJI_CHANGE_ROOT == (int)SJ_CH_ROOT,
               "public change numbers");

uint32_t shoji_view_count(const struct shoji_engine *e) { return sj_engine_view_count(e->engine); }

struct shoji_view *shoji_view_at(const struct shoji_engine *e, uint32_t i)
{
	return (struct shoji_view *)sj_engine_view_at(e->engine, i);
}

struct shoji_view *shoji_view_find(const struct shoji_engine *e, uint32_t peer, struct shoji_text surface_id)
{
	return (struct shoji_view *)sj_engine_view(e->engine, peer, api_in(surface_id));
}

struct shoji_text shoji_view_surface_id(const struct shoji_view *v) { return api_out(sj_view_id(api_view(v))); }
uint32_t shoji_view_peer(const struct shoji_view *v) { return sj_view_peer(api_view(v)); }
const char *shoji_view_version(const struct shoji_view *v) { return sj_version_text(sj_view_version(api_view(v))); }

enum shoji_status shoji_view_tree(struct shoji_engine *e, struct shoji_view *v, struct shoji_text *json)
{
	sj_buf_clear(&e->text);
	enum sj_status st = sj_view_tree(e->engine, api_view(v), &e->text);
	return st == SJ_OK ? api_text(e, json) : (enum shoji_status)st;
}

enum shoji_status shoji_changes(struct shoji_engine *e, struct shoji_view *v, const struct shoji_change **out,
                                uint32_t *count)
{
	(void)e;
	const struct sj_change *changes;
	enum sj_status st = sj_surface_changes(api_surface(v), &changes, count);
	if (st == SJ_OK)
		*out = (const struct shoji_change *)(const void *)changes;
	return (enum shoji_status)st;
}

uint64_t shoji_node_root(const struct shoji_view *v) { return sj_surface_root(api_surface(v)); }
bool shoji_node_alive(const struct shoji_view *v, uint64_t node) { return sj_node_alive(api_surface(v), node); }

const char *shoji_node_kind(const struct shoji_view *v, uint64_t node)
{
	return shoji_node_alive(v, node) ? sj_ui_kind_name(sj_node_kind(api_surface(v), node)) : "";
}

const char *shoji_node_role(const struct shoji_view *v, uint64_t node)
{
	return shoji_node_alive(v, node) ? sj_ui_role_name(sj_ui_role(sj_node_kind(api_surface(v), node))) : "";
}

const char *shoji_node_why(const struct shoji_view *v, uint64_t node)
{
	return shoji_node_alive(v, node) ? sj_why_name(sj_node_why(api_surface(v), node)) : "";
}

struct shoji_text shoji_node_component(const struct shoji_view *v, uint64_t node)
{
	return shoji_node_alive(v, node) ? api_out(sj_node_component_id(api_surface(v), node))
	                                 : (struct shoji_text){"", 0};
}

uint64_t shoji_node_parent(const struct shoji_view *v, uint64_t node)
{
	return shoji_node_alive(v, node) ? sj_node_parent(api_surface(v), node) : 0;
}

uint32_t shoji_node_child_count(const struct shoji_view *v, uint64_t node)
{
	return shoji_node_alive(v, node) ? sj_node_child_count(api_surface(v), node) : 0;
}

uint64_t shoji_node_child(const struct shoji_view *v, uint64_t node, uint32_t i)
{
	return i < shoji_node_child_count(v, node) ? sj_node_child(api_surface(v), node, i) : 0;
}

uint64_t shoji_node_find(const struct shoji_view *v, struct shoji_text component, const uint32_t *rows, uint32_t nrows)
{
	return sj_surface_find(api_surface(v), api_in(component), rows, nrows);
}

static const struct sj_value *property(struct shoji_view *v, uint64_t node, const char *meaning)
{
	enum sj_ui_prop p = sj_ui_prop_find(sj_slice_of(meaning));
	return p != SJ_P_NONE && shoji_node_alive(v, node) ? sj_node_ui(api_surface(v), node, p) : NULL;
}

enum shoji_status shoji_node_json(struct shoji_engine *e, struct shoji_view *v, uint64_t node, const char *meaning,
                                  struct shoji_text *out)
{
	const struct sj_value *value = property(v, node, meaning);
	if (!value || value->type == SJ_V_ABSENT)
		return SHOJI_ABSENT;
	sj_buf_clear(&e->text);
	sj_value_print(&e->text, value, SJ_PRINT_COMPACT);
	return api_text(e, out);
}

enum shoji_status shoji_node_text(struct shoji_engine *e, struct shoji_view *v, uint64_t node, const char *meaning,
                                  struct shoji_text *out)
{
	const struct sj_value *value = property(v, node, meaning);
	if (!value || !sj_value_is_string(value))
		return shoji_node_json(e, v, node, meaning, out);
	sj_buf_clear(&e->text);
	sj_buf_slice(&e->text, sj_value_text(value));
	return api_text(e, out);
}

bool shoji_node_enabled(struct shoji_view *v, uint64_t node)
{
	return shoji_node_alive(v, node) && sj_node_enabled(api_surface(v), node);
}

bool shoji_node_valid(struct shoji_view *v, uint64_t node, struct shoji_text *message)
{
	struct sj_validity validity = {.valid = true};
	if (shoji_node_alive(v, node))
		sj_node_validity(api_surface(v), node, &validity);
	if (message)
		*message = validity.message.ptr ? api_out(validity.message) : (struct shoji_text){"", 0};
	return validity.valid;
}

void shoji_node_window(struct shoji_view *v, uint64_t list, uint32_t first, uint32_t end)
{
	if (shoji_node_alive(v, list))
		sj_node_window(api_surface(v), list, first, end);
}
