#include "a2ui/catalog_internal.h"

static const struct { const char *text; enum sj_version v;
} versions[] = {
	{"v0.8", SJ_V08},   {"v0.9", SJ_V09},   {"v0.9.1", SJ_V091}, {"v1.0", SJ_V10},
	{"v0.8.0", SJ_V08}, {"v0.9.0", SJ_V09}, {"v1.0.0", SJ_V10},
};

const char *sj_version_text(enum sj_version v)
{
	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
		if (versions[i].v == v)
			return versions[i].text;
	return "";
}

enum sj_version sj_version_find(struct sj_slice text)
{
	if (text.len > 0 && text.ptr[0] == 'v')
		text = sj_slice(text.ptr + 1, text.len - 1);
	for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
		if (sj_slice_is(text, versions[i].text + 1))
			return versions[i].v;
	return SJ_VERSION_NONE;
}

bool sj_version_compatible(enum sj_version a, enum sj_version b)
{
	return a == b || (a >= SJ_V09 && a <= SJ_V091 && b >= SJ_V09 && b <= SJ_V091);
}

static uint32_t name_hash(struct sj_slice s)
{
	uint32_t h = (uint32_t)s.len * 0x9E3779B1u;
	if (s.len > 0) {
		const unsigned char *p = (const unsigned char *)s.ptr;
		h ^= (uint32_t)p[0] * 0x85EBCA6Bu ^ (uint32_t)p[s.len - 1] * 0xC2B2AE35u ^
		     (uint32_t)p[s.len / 2] * 0x27D4EB2Fu;
	}
	return h ^ h >> 15;
}

static struct sj_slice row_name(const void *rows, size_t row_bytes, uint32_t i)
{
	struct sj_slice name;
	memcpy(&name, (const char *)rows + (size_t)i * row_bytes, sizeof name);
	return name;
}

enum sj_status sj_cat_names_build(struct sj_arena *a, struct sj_cat_names *out, const void *rows, size_t row_bytes,
                                  uint32_t n)
{
	*out = (struct sj_cat_names){0};
	if (n == 0)
		return SJ_OK;
	if (n >= UINT16_MAX)
		return SJ_LIMIT;
	uint32_t cap = 4;
	while (cap < n * 2)
		cap *= 2;
	out->slots = sj_arena_zalloc(a, cap * sizeof *out->slots);
	if (!out->slots)
		return SJ_NOMEM;
	out->mask = cap - 1;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = name_hash(row_name(rows, row_bytes, i)) & out->mask;
		while (out->slots[at])
			at = (at + 1) & out->mask;
		out->slots[at] = (uint16_t)(i + 1);
	}
	return SJ_OK;
}

uint32_t sj_cat_names_find(const struct sj_cat_names *x, const void *rows, size_t row_bytes, struct sj_slice name)
{
	if (!x->slots)
		return UINT32_MAX;
	for (uint32_t at = name_hash(name) & x->mask; x->slots[at]; at = (at + 1) & x->mask) {
		uint32_t i = x->slots[at] - 1u;
		if (sj_slice_eq(row_name(rows, row_bytes, i), name))
			return i;
	}
	return UINT32_MAX;
}

void sj_catalog_destroy(struct sj_catalog *c)
{
	if (!c)
		return;
	sj_cat_lazy_destroy(c->lazy, c->mem);
	sj_arena_finish(&c->arena);
	sj_mem_free(c->mem, c, sizeof *c);
}

struct sj_slice sj_catalog_id(const struct sj_catalog *c) { return c->id; }
enum sj_version sj_catalog_version(const struct sj_catalog *c) { return c->version; }
bool sj_catalog_is_permissive(const struct sj_catalog *c) { return c->permissive; }
struct sj_slice sj_catalog_instructions(const struct sj_catalog *c) { return c->instructions; }
bool sj_catalog_has_theme(const struct sj_catalog *c) { return c->theme.t != NULL; }
struct sj_slice sj_catalog_document(const struct sj_catalog *c) { return c->text; }

uint32_t sj_catalog_component_count(const struct sj_catalog *c) { return c->ncomponents; }

const struct sj_a2ui_component *sj_catalog_component_at(const struct sj_catalog *c, uint32_t i)
{
	return i < c->ncomponents ? &c->components[i].pub : NULL;
}

const struct sj_a2ui_component *sj_catalog_component(const struct sj_catalog *c, struct sj_slice name)
{
	uint32_t i = sj_cat_names_find(&c->component_index, c->components, sizeof *c->components, name);
	return i != UINT32_MAX ? &c->components[i].pub : c->permissive ? &c->generic.pub : NULL;
}

uint32_t sj_catalog_function_count(const struct sj_catalog *c) { return c->nfunctions; }

const struct sj_a2ui_function *sj_catalog_function_at(const struct sj_catalog *c, uint32_t i)
{
	return i < c->nfunctions ? &c->functions[i].pub : NULL;
}

const struct sj_a2ui_function *sj_catalog_function(const struct sj_catalog *c, struct sj_slice name)
{
	uint32_t i = sj_cat_names_find(&c->function_index, c->functions, sizeof *c->functions, name);
	return i != UINT32_MAX ? &c->functions[i].pub : NULL;
}

const struct sj_a2ui_prop *sj_a2ui_prop_find(const struct sj_a2ui_component *type, struct sj_slice name)
{
	const struct sj_cat_component *comp = (const struct sj_cat_component *)(const void *)type;
	uint32_t i = sj_cat_names_find(&comp->index, type->props, sizeof *type->props, name);
	if (i != UINT32_MAX)
		return &type->props[i];
	if (!comp->loose)
		return NULL;
	const struct sj_cat_component *generic = &comp->catalog->generic;
	i = sj_cat_names_find(&generic->index, generic->pub.props, sizeof *type->props, name);
	return i != UINT32_MAX ? &generic->pub.props[i] : &comp->catalog->any_prop;
}

/* Building. */

static enum sj_status from_buffer(struct sj_mem *mem, struct sj_buf *text, const struct sj_catalog_options *opt,
                                  struct sj_catalog **out)
{
	enum sj_status st = sj_buf_status(text);
	if (st == SJ_OK)
		st = sj_catalog_load(mem, sj_buf_view(text), opt, out, NULL);
	sj_buf_finish(text);
	return st;
}

enum sj_status sj_catalog_basic(struct sj_mem *mem, enum sj_version v, sj_impl_fn impl, void *impl_ctx,
                                struct sj_catalog **out)
{
	struct sj_buf text;
	sj_buf_init(&text, mem, 0);
	if (!sj_data_basic(&text, v, v >= SJ_V10 ? SJ_DIALECT_RESERVED : SJ_DIALECT_BARE))
		return SJ_ABSENT;
	return from_buffer(mem, &text, &(struct sj_catalog_options){.version = v, .impl = impl, .impl_ctx = impl_ctx},
	                   out);
}

enum sj_status sj_catalog_minimal(struct sj_mem *mem, enum sj_version v, sj_impl_fn impl, void *impl_ctx,
                                  struct sj_catalog **out)
{
	struct sj_buf text;
	sj_buf_init(&text, mem, 0);
	if (!sj_data_minimal(&text, v))
		return SJ_ABSENT;
	return from_buffer(mem, &text, &(struct sj_catalog_options){.version = v, .impl = impl, .impl_ctx = impl_ctx},
	                   out);
}

enum sj_status sj_catalog_parse(struct sj_mem *mem, struct sj_slice json, struct sj_slice id, enum sj_version version,
                                sj_impl_fn impl, void *impl_ctx, struct sj_catalog **out, struct sj_diag *diag)
{
	struct sj_catalog_options opt = {.id = id, .version = version, .impl = impl, .impl_ctx = impl_ctx};
	return sj_catalog_load(mem, json, &opt, out, diag);
}

bool sj_a2ui_schema_write(enum sj_version v, enum sj_dialect d, struct sj_slice name, struct sj_buf *out)
{
	if (v == SJ_V08)
		return sj_data_v08_schema(out, name);
	if (v < SJ_V09)
		return false;
	if (sj_slice_is(name, "common_types.json")) {
		sj_data_common_types(out, v, d, false, false);
		return true;
	}
	if (sj_slice_is(name, "catalog.json"))
		return sj_data_basic(out, v, d);
	return sj_data_schema(out, v, d, name);
}

uint32_t sj_a2ui_schema_count(enum sj_version v)
{
	uint32_t n = 0;
	while (sj_a2ui_schema_name(v, n))
		n++;
	return n;
}

const char *sj_a2ui_schema_name(enum sj_version v, uint32_t i)
{
	if (v == SJ_V08)
		return sj_data_v08_name(i);
	return v < SJ_V09 ? NULL
	       : i == 0   ? "common_types.json"
	       : i == 1   ? "catalog.json"
	                  : sj_data_schema_name(v, i - 2);
}

void sj_catalog_set_callers(struct sj_catalog *c, struct sj_slice name, enum sj_caller allowed, bool needs_activation)
{
	struct sj_a2ui_function *f = (struct sj_a2ui_function *)(uintptr_t)sj_catalog_function(c, name);
	if (!f)
		return;
	f->allowed = allowed;
	f->needs_activation = needs_activation;
}
