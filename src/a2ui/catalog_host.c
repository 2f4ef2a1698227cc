/* A host's table as a catalog document. The document is then compiled like any other, so that what the agent is told,
 * what is checked and what is drawn come from one place. */
#include "a2ui/catalog_internal.h"
#include "json/value.h"

struct host {
	const struct sj_host_catalog *table;
	struct sj_buf *out;
	struct sj_sketch_env env;
	struct sj_diag *diag;
	enum sj_status status;
	bool v10;
};

static enum sj_status bad(struct host *h, const char *what, const char *word)
{
	if (h->status == SJ_OK)
		h->status = sj_diag_set(h->diag, SJ_INVALID, SJ_E_USAGE, SJ_CAT_CATALOG, "Host catalog: %s '%s'", what,
		                        word ? word : "");
	return h->status;
}

static void quoted(struct host *h, const char *text) { sj_json_print_string(h->out, sj_slice_of(text)); }

static void words(struct host *h, const char *list)
{
	sj_buf_puts(h->out, "\"type\":\"string\",\"enum\":[");
	for (bool first = true; *list; first = false) {
		const char *bar = strchr(list, '|');
		size_t n = bar ? (size_t)(bar - list) : strlen(list);
		sj_buf_puts(h->out, first ? "" : ",");
		sj_json_print_string(h->out, sj_slice(list, n));
		list += n + (bar ? 1 : 0);
	}
	sj_buf_putc(h->out, ']');
}

/* The members of the schema a type word stands for. */
static void type_members(struct host *h, const char *type)
{
	static const char *const common[] = {"DynamicString", "DynamicNumber", "DynamicBoolean", "DynamicStringList",
	                                     "DynamicValue",  "ChildList",     "Action",         "ComponentId",
	                                     "DataBinding"};
	static const char *const plain[] = {"string", "number", "integer", "boolean", "array", "object"};
	struct sj_slice word = sj_slice_of(type);
	const char *name = NULL;
	if (sj_slice_is(word, "Child"))
		name = h->v10 ? "Child" : "ComponentId";
	for (size_t i = 0; i < sizeof common / sizeof *common; i++)
		name = sj_slice_is(word, common[i]) ? common[i] : name;
	if (name) {
		sj_buf_printf(h->out, "\"$ref\":\"%s%s\"", h->env.common, name);
		return;
	}
	if (sj_slice_is(word, "Checks")) {
		sj_buf_printf(h->out, "\"type\":\"array\",\"items\":{\"$ref\":\"%sCheckRule\"}", h->env.common);
		return;
	}
	if (sj_slice_starts(word, "enum:") && word.len > 5) {
		words(h, type + 5);
		return;
	}
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
		if (sj_slice_is(word, plain[i])) {
			sj_buf_printf(h->out, "\"type\":\"%s\"", plain[i]);
			return;
		}
	if (!sj_slice_is(word, "any"))
		bad(h, "unknown property type", type);
}

static void property(struct host *h, const struct sj_host_prop *p)
{
	quoted(h, p->name);
	sj_buf_puts(h->out, ":{");
	size_t empty = h->out->len;
	type_members(h, p->type ? p->type : "any");
	const char *before = h->out->len > empty ? "," : "";
	if (p->description) {
		sj_buf_printf(h->out, "%s\"description\":", before);
		quoted(h, p->description);
		before = ",";
	}
	if (p->ui != SJ_P_NONE)
		sj_buf_printf(h->out, "%s\"x-shoji-ui\":\"%s\"", before, sj_ui_prop_name(p->ui));
	sj_buf_putc(h->out, '}');
}

static void required(struct host *h, const struct sj_host_prop *props, const char *first)
{
	bool some = first != NULL;
	if (first)
		sj_buf_printf(h->out, ",\"required\":[\"%s\"", first);
	for (const struct sj_host_prop *p = props; p && p->name; p++) {
		if (!p->required)
			continue;
		sj_buf_puts(h->out, some ? "," : ",\"required\":[");
		some = true;
		quoted(h, p->name);
	}
	sj_buf_puts(h->out, some ? "]" : "");
}

static void types(struct host *h, const char *key, const char *const *names)
{
	if (!names)
		return;
	sj_buf_printf(h->out, ",\"%s\":[", key);
	for (uint32_t i = 0; names[i]; i++) {
		sj_buf_puts(h->out, i ? "," : "");
		quoted(h, names[i]);
	}
	sj_buf_putc(h->out, ']');
}

static void component(struct host *h, const struct sj_host_component *c)
{
	bool wrapped = !h->v10 || c->checkable;
	quoted(h, c->name);
	sj_buf_puts(h->out, ":{\"type\":\"object\"");
	if (c->description) {
		sj_buf_puts(h->out, ",\"description\":");
		quoted(h, c->description);
	}
	if (c->kind != SJ_UI_CUSTOM || sj_cat_kind(sj_slice_of(c->name)) != SJ_UI_CUSTOM)
		sj_buf_printf(h->out, ",\"x-shoji-kind\":\"%s\"", sj_ui_kind_name(c->kind));
	types(h, "allowedParents", c->allowed_parents);
	types(h, "allowedChildren", c->allowed_children);
	if (wrapped) {
		sj_buf_puts(h->out, ",\"allOf\":[");
		if (!h->v10)
			sj_buf_printf(h->out, "{\"$ref\":\"%sComponentCommon\"},"
				"{\"$ref\":\"#/$defs/CatalogComponentCommon\"},", h->env.common);
		if (c->checkable)
			sj_buf_printf(h->out, "{\"$ref\":\"%sCheckable\"},", h->env.common);
		sj_buf_puts(h->out, "{\"type\":\"object\"");
	}
	sj_buf_puts(h->out, ",\"properties\":{\"component\":{\"const\":");
	quoted(h, c->name);
	sj_buf_putc(h->out, '}');
	for (const struct sj_host_prop *p = c->props; p && p->name; p++) {
		sj_buf_putc(h->out, ',');
		property(h, p);
	}
	sj_buf_puts(h->out, h->v10 ? ",\"weight\":{\"$ref\":\"#/$defs/Weight\"}}" : "}");
	required(h, c->props, "component");
	sj_buf_puts(h->out, wrapped ? "}]" : "");
	sj_buf_puts(h->out, h->v10 ? "}" : ",\"unevaluatedProperties\":false}");
}

static void function(struct host *h, const struct sj_host_function *f)
{
	static const char *const callers[] = {[SJ_CALLER_RENDERER_ONLY] = NULL,
	                                      [SJ_CALLER_AGENT_ONLY] = "agentOnly",
	                                      [SJ_CALLER_ANY] = "rendererOrAgent"};
	const char *key = h->v10 ? "@call" : "call", *returns = f->return_type ? f->return_type : "any";
	bool needs_args = false;
	for (const struct sj_host_prop *p = f->args; p && p->name; p++)
		needs_args = needs_args || p->required;
	quoted(h, f->name);
	sj_buf_puts(h->out, ":{\"type\":\"object\"");
	if (f->description) {
		sj_buf_puts(h->out, ",\"description\":");
		quoted(h, f->description);
	}
	if (h->v10) {
		sj_buf_puts(h->out, ",\"returnType\":");
		quoted(h, returns);
		/* In a document activation implies rendererOnly; a host may know better (bind), but cannot write both.
		 */
		if (callers[f->allowed] && !f->needs_activation)
			sj_buf_printf(h->out, ",\"allowedCallers\":\"%s\"", callers[f->allowed]);
		if (f->needs_activation)
			sj_buf_puts(h->out, ",\"requiresUserActivation\":true");
	}
	sj_buf_printf(h->out, ",\"properties\":{\"%s\":{\"const\":", key);
	quoted(h, f->name);
	sj_buf_puts(h->out, "},\"args\":{\"type\":\"object\",\"properties\":{");
	for (const struct sj_host_prop *p = f->args; p && p->name; p++) {
		sj_buf_puts(h->out, p == f->args ? "" : ",");
		property(h, p);
	}
	sj_buf_putc(h->out, '}');
	required(h, f->args, NULL);
	sj_buf_puts(h->out, ",\"unevaluatedProperties\":false}");
	if (!h->v10) {
		sj_buf_puts(h->out, ",\"returnType\":{\"const\":");
		quoted(h, returns);
		sj_buf_putc(h->out, '}');
	}
	sj_buf_printf(h->out, "},\"required\":[\"%s\"%s]", key, needs_args ? ",\"args\"" : "");
	sj_buf_puts(h->out, h->v10 ? "}" : ",\"unevaluatedProperties\":false}");
}

static bool is_component(void *ctx, struct sj_slice name)
{
	const struct sj_host_catalog *t = ctx;
	for (const struct sj_host_component *c = t->components; c && c->name; c++)
		if (sj_slice_is(name, c->name))
			return true;
	return false;
}

static bool is_function(void *ctx, struct sj_slice name)
{
	const struct sj_host_catalog *t = ctx;
	for (const struct sj_host_function *f = t->functions; f && f->name; f++)
		if (sj_slice_is(name, f->name))
			return true;
	return false;
}

static void document(struct host *h)
{
	const struct sj_host_catalog *t = h->table;
	void *ctx = (void *)(uintptr_t)t; /* only read through */
	sj_buf_puts(h->out, "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"catalogId\":");
	quoted(h, t->catalog_id);
	sj_buf_printf(h->out, ",\"protocolVersion\":\"%s\"", sj_version_text(t->version) + 1);
	if (t->title) {
		sj_buf_puts(h->out, ",\"title\":");
		quoted(h, t->title);
	}
	if (t->instructions) {
		sj_buf_puts(h->out, ",\"instructions\":");
		quoted(h, t->instructions);
	}
	sj_buf_puts(h->out, ",\"components\":{");
	bool first = true;
	for (const struct sj_host_component *c = t->components; c && c->name; c++, first = false) {
		sj_buf_puts(h->out, first ? "" : ",");
		component(h, c);
	}
	if (t->include_basic)
		sj_data_basic_components(h->out, &h->env, is_component, ctx, &first);
	sj_buf_puts(h->out, "},\"functions\":{");
	first = true;
	for (const struct sj_host_function *f = t->functions; f && f->name; f++, first = false) {
		sj_buf_puts(h->out, first ? "" : ",");
		function(h, f);
	}
	if (t->include_basic)
		sj_data_basic_functions(h->out, &h->env, is_function, ctx, &first);
	sj_buf_puts(h->out, h->v10 ? "},\"$defs\":{\"Weight\":" : "},\"$defs\":{\"CatalogComponentCommon\":");
	sj_sketch(h->out, &h->env,
	          h->v10 ? "num _Share of the room in its container._"
	                 : "{weight num _Share of the room in its container._}");
	sj_buf_puts(h->out, "}}");
}

/* Rows of the host become the implementations of its functions; they live with the catalog. */
static enum sj_status bind(struct sj_catalog *c, const struct sj_host_catalog *t)
{
	for (const struct sj_host_function *f = t->functions; f && f->name; f++) {
		uint32_t i =
			sj_cat_names_find(&c->function_index, c->functions, sizeof *c->functions, sj_slice_of(f->name));
		if (i == UINT32_MAX)
			continue;
		struct sj_cat_function *mine = &c->functions[i];
		if (f->allowed == SJ_CALLER_AGENT_ONLY && !f->eval && f->kind == SJ_FN_PURE) {
			mine->pub.impl = NULL; /* the agent answers it */
			continue;
		}
		if (f->kind == SJ_FN_PURE && !f->eval)
			continue; /* a built-in of the same name, if there is one */
		struct sj_function *row = sj_arena_alloc(&c->arena, sizeof *row);
		if (!row)
			return SJ_NOMEM;
		*row = (struct sj_function){
			.name = mine->pub.name.ptr, .kind = f->kind, .eval = f->eval, .ctx = f->ctx};
		mine->pub.impl = row;
		mine->pub.allowed = f->allowed;
		mine->pub.needs_activation = f->needs_activation;
	}
	return SJ_OK;
}

enum sj_status sj_catalog_from_host(struct sj_mem *mem, const struct sj_host_catalog *host, sj_impl_fn impl,
                                    void *impl_ctx, struct sj_catalog **out, struct sj_diag *diag)
{
	if (!host->catalog_id || !host->catalog_id[0] || host->version < SJ_V09)
		return sj_diag_set(diag, SJ_INVALID, SJ_E_USAGE, SJ_CAT_CATALOG,
		                   "Host catalog: an id and a version from v0.9 on are needed");
	struct sj_buf text, prefix;
	sj_buf_init(&text, mem, 0);
	sj_buf_init(&prefix, mem, 0);
	sj_buf_printf(&prefix, "%scommon_types.json#/$defs/", sj_data_base(host->version));
	struct host h = {.table = host, .out = &text, .diag = diag, .v10 = host->version >= SJ_V10};
	h.env = (struct sj_sketch_env){.version = host->version,
	                               .dialect = h.v10 ? SJ_DIALECT_RESERVED : SJ_DIALECT_BARE,
	                               .common = prefix.ptr};
	enum sj_status st = sj_buf_status(&prefix);
	struct sj_catalog *c = NULL;
	if (st == SJ_OK) {
		document(&h);
		st = h.status != SJ_OK ? h.status : sj_buf_status(&text);
	}
	if (st == SJ_OK) {
		struct sj_catalog_options opt = {.impl = impl, .impl_ctx = impl_ctx};
		st = sj_catalog_load(mem, sj_buf_view(&text), &opt, &c, diag);
	}
	if (st == SJ_OK)
		st = bind(c, host);
	sj_buf_finish(&text);
	sj_buf_finish(&prefix);
	if (st != SJ_OK) {
		sj_catalog_destroy(c);
		return st;
	}
	*out = c;
	return SJ_OK;
}
