/* Catalogs: which components and functions a surface may use, compiled once from a JSON document or from a host's
 * table.
 *
 * A compiled catalog answers three questions fast: what is this property of this type (class, meaning for a face), does
 * this component satisfy the catalog (exactly as a 2020-12 validator would say), and what is this function (arguments,
 * callers, activation). No catalog is privileged: the basic ones are data like any other.
 *
 * Ownership: a struct sj_catalog owns its memory; slices borrow from it. Immutable after creation.
 */
#ifndef SJ_A2UI_CATALOG_H
#define SJ_A2UI_CATALOG_H

#include "json/value.h"
#include "schema/schema.h"
#include "surface/expr.h"
#include "ui/ui.h"

/* Families that may be mixed share a row: v0.9 and v0.9.1. */
enum sj_version { SJ_VERSION_NONE, SJ_V08, SJ_V09, SJ_V091, SJ_V10 };
/* What a beginRendering without a catalog means, and the minimal one beside it. */
#define SJ_V08_STANDARD_ID "https://a2ui.org/specification/v0_8/standard_catalog_definition.json"
#define SJ_V08_MINIMAL_ID "https://a2ui.org/specification/v0_8/catalogs/minimal/minimal_catalog.json"
/* validationRegexp of v0.8 as a check: what it says, and how a pattern is written that lets an empty field pass. */
#define SJ_V08_PATTERN_MESSAGE "This has not the expected form."
#define SJ_V08_PATTERN_HEAD "^$|(?:"
const char *sj_version_text(enum sj_version v);              /* "v0.9" ... */
enum sj_version sj_version_find(struct sj_slice text);       /* "v1.0" or bare "1.0", "1.0.0"; NONE when unknown */
bool sj_version_compatible(enum sj_version a, enum sj_version b); /* SemVer major.minor */

/* Key dialect of v1.0 (decision 004): bare path/call, or reserved @path/@call with @@ escapes. Before v1.0 always
 * bare. */
enum sj_dialect { SJ_DIALECT_AUTO, SJ_DIALECT_BARE, SJ_DIALECT_RESERVED };

enum sj_a2ui_class {
	SJ_AC_PLAIN,   /* a literal of any JSON shape; bindings inside are data */
	SJ_AC_DYNAMIC, /* DynamicValue and every typed Dynamic*: literal, binding or call. With `sub`: a literal object
	                  has these members (Icon.name.svgPath). v1.0 also: lists and objects whose schema says nothing
	                  of what is in them */
	SJ_AC_CHILD,   /* ComponentId reference (not the component's own id) */
	SJ_AC_CHILD_LIST, /* array of ids, or a template {componentId, path} */
	SJ_AC_ACTION,
	SJ_AC_CHECKS, /* array of CheckRule */
	SJ_AC_ACCESSIBILITY,
	SJ_AC_OBJECT, /* object with `sub` properties (a property schema that is an object with classes below it); a
	                 last one with an empty name stands for every other member */
	SJ_AC_ARRAY,  /* array whose items are objects with `sub` properties (tabs, options) or, nsub == 1 with empty
	                 name, of `sub[0]`'s class */
	SJ_AC_COMMON, /* id, component, catalogId, metadata: the envelope's own */
};
enum sj_dynamic_type { SJ_DYN_ANY, SJ_DYN_STRING, SJ_DYN_NUMBER, SJ_DYN_BOOLEAN, SJ_DYN_STRING_LIST };

struct sj_a2ui_prop {
	struct sj_slice name;
	enum sj_a2ui_class cls;
	enum sj_dynamic_type dyn;
	enum sj_ui_prop ui; /* meaning; SJ_P_NONE when none is known */
	bool required;
	const struct sj_a2ui_prop *sub;
	uint32_t nsub;
};

struct sj_a2ui_component {
	struct sj_slice name;
	enum sj_ui_kind kind;
	const struct sj_a2ui_prop *props; /* the catalog's own, in document order, then the common ones */
	uint32_t nprops;
	const struct sj_slice *allowed_parents, *allowed_children; /* NULL: any */
	uint32_t nparents, nchildren;
	/* What an argument by position means: rows of props, those that carry "positionalIndex" first, in its order,
	 * then the definition's own in document order, then what it takes in by reference (checks). Members every
	 * component has are never given by position. */
	const struct sj_a2ui_prop *const *positions;
	uint32_t npositions;
	uint32_t index; /* in the catalog */
	bool open; /* its definition says nothing about members: everything is accepted, references are found by their
	              usual names */
};

enum sj_caller { SJ_CALLER_RENDERER_ONLY, SJ_CALLER_AGENT_ONLY, SJ_CALLER_ANY };
struct sj_a2ui_function {
	struct sj_slice name;
	struct sj_slice return_type;
	const struct sj_slice *params; /* argument names in document order */
	const bool *required;
	const uint32_t *positions; /* nparams rows of params in positional order, as with components */
	uint32_t nparams;
	enum sj_caller allowed;
	bool needs_activation;
	bool is_effect;       /* returns void */
	const struct sj_function
		*impl; /* host's or built-in implementation; NULL: none here (agent-bound or unavailable) */
	uint32_t index;
};

/* What a host registers from C (public header: shoji/host.h mirrors it). Arrays end with an all-zero row. */
struct sj_host_prop {
	const char *name;
	const char *type; /* "DynamicString", "DynamicNumber", "DynamicBoolean", "DynamicStringList", "DynamicValue",
	                     "Child", "ChildList", "Action", "Checks", "string", "number", "boolean", or "enum:a|b|c" */
	enum sj_ui_prop ui;
	bool required;
	const char *description;
};
struct sj_host_component {
	const char *name;
	enum sj_ui_kind kind;
	const struct sj_host_prop *props;
	const char *const *allowed_parents, *const *allowed_children; /* NULL-ended; NULL: any */
	const char *description;
	bool checkable; /* adds `checks` */
};
struct sj_host_function {
	const char *name;
	enum sj_fn_kind kind;
	const char *return_type; /* string number boolean array object any void validationResult */
	const struct sj_host_prop *args; /* in positional order */
	enum sj_caller allowed;
	bool needs_activation;
	enum sj_result (*eval)(struct sj_call *call, struct sj_value *out); /* PURE */
	void *ctx;
	const char *description;
};
struct sj_host_catalog {
	const char *catalog_id, *title, *instructions;
	enum sj_version version;
	const struct sj_host_component *components;
	const struct sj_host_function *functions;
	bool include_basic; /* also everything of the basic catalog of that version (a host's own names win) */
};

struct sj_catalog;

/* Hints a document may carry, and documents made from host tables do: "x-shoji-kind" on a component (a name of
 * sj_ui_kind_find) and "x-shoji-ui" on a property (sj_ui_prop_find). Without them the 18 basic types have their kinds,
 * everything else is CUSTOM, and meanings come from the names of properties (kinds.c); one meaning stands for one
 * property of a type.
 *
 * From a document. `id`, `version`: default and assertion (empty/NONE: take the document's). Errors: CatalogError, in
 * the words of the conformance suites. `impl` finds implementations by function name (may be NULL). */
typedef const struct sj_function *(*sj_impl_fn)(void *ctx, enum sj_version v, struct sj_slice name);
enum sj_status sj_catalog_parse(struct sj_mem *mem, struct sj_slice json, struct sj_slice id, enum sj_version version,
                                sj_impl_fn impl, void *impl_ctx, struct sj_catalog **out, struct sj_diag *diag);
/* The same with everything a caller may want to say. */
struct sj_catalog_options {
	struct sj_slice id;          /* default and assertion */
	bool override_id;            /* `id` stands even where the document says otherwise */
	enum sj_version version;     /* default and assertion (compatible is enough; the document's is kept) */
	bool need_version;           /* neither here nor there: CatalogError (agents' providers) */
	/* Common types whose words emitted documents carry instead of ours. Checks always use the built-in ones. */
	struct sj_slice common_types;
	sj_impl_fn impl;
	void *impl_ctx;
};
enum sj_status sj_catalog_load(struct sj_mem *mem, struct sj_slice json, const struct sj_catalog_options *opt,
                               struct sj_catalog **out, struct sj_diag *diag);
/* Emits the host table as a catalog document of its version, then compiles that document: the table is the single
 * truth. */
enum sj_status sj_catalog_from_host(struct sj_mem *mem, const struct sj_host_catalog *host, sj_impl_fn impl,
                                    void *impl_ctx, struct sj_catalog **out, struct sj_diag *diag);
enum sj_status sj_catalog_basic(struct sj_mem *mem, enum sj_version v, sj_impl_fn impl, void *impl_ctx,
                                struct sj_catalog **out); /* our own data */
enum sj_status sj_catalog_minimal(struct sj_mem *mem, enum sj_version v, sj_impl_fn impl, void *impl_ctx,
                                  struct sj_catalog **out);
/* Accepts every component and property; references are found by the basic catalog's property names. For suites and
 * loose hosts. */
enum sj_status sj_catalog_permissive(struct sj_mem *mem, struct sj_slice id, enum sj_version v,
                                     struct sj_catalog **out);
void sj_catalog_destroy(struct sj_catalog *c);

struct sj_slice sj_catalog_id(const struct sj_catalog *c);
enum sj_version sj_catalog_version(const struct sj_catalog *c); /* NONE: unversioned (treated as pre-1.0) */
bool sj_catalog_is_permissive(const struct sj_catalog *c);
struct sj_slice sj_catalog_instructions(const struct sj_catalog *c);
enum sj_dialect sj_catalog_dialect(const struct sj_catalog *c); /* whose keys its functions are named by; AUTO: no such
                                                                   function says */
bool sj_catalog_has_theme(const struct sj_catalog *c);
uint32_t sj_catalog_component_count(const struct sj_catalog *c);
const struct sj_a2ui_component *sj_catalog_component_at(const struct sj_catalog *c, uint32_t i);
const struct sj_a2ui_component *sj_catalog_component(const struct sj_catalog *c,
                                                     struct sj_slice name); /* permissive: a generic row for any name */
uint32_t sj_catalog_function_count(const struct sj_catalog *c);
const struct sj_a2ui_function *sj_catalog_function_at(const struct sj_catalog *c, uint32_t i);
const struct sj_a2ui_function *sj_catalog_function(const struct sj_catalog *c, struct sj_slice name);
const struct sj_a2ui_prop *sj_a2ui_prop_find(const struct sj_a2ui_component *c, struct sj_slice name); /* O(1)-ish */

/* Names that other versions, and other libraries, use: those that `old` may stand for, one by one. *i begins at 0;
 * false when there is no more. Whether a type has such a property is the caller's to look up. */
bool sj_a2ui_alias(struct sj_slice old, uint32_t *i, struct sj_slice *now);

/* Validation of one component object (tape cell; v0.8: the object of its properties) against its type, common members
 * included; verdict equals that of the official schemas of the version. A fast table walk accepts; whatever it cannot
 * accept goes to the schema engine, which words the fault. v1.0: nested calls are checked as envelopes only; their
 * arguments are the caller's business (sj_catalog_check_call). fn gets each fault (cell, keyword, property, message).
 * AUTO reads the dialect from the keys: one that begins with @ means reserved; without any, what either dialect accepts
 * is good. Reserved: a key that begins with a single @ and is no directive is refused anywhere but in metadata.
 * Two leniencies beyond the official composition, both for documents that no component could satisfy: a definition that
 * is `open` accepts every member; one closed by additionalProperties at its own level lets id and component through.
 */
enum sj_status sj_catalog_check_component(const struct sj_catalog *c, const struct sj_a2ui_component *type,
                                          enum sj_dialect dialect, const struct sj_tape *t, uint32_t cell,
                                          struct sj_arena *scratch, sj_schema_fault_fn fn, void *ctx);
/* A call object ({call, args} or {@call, args}) against the function's schema. */
enum sj_status sj_catalog_check_call(const struct sj_catalog *c, const struct sj_a2ui_function *f,
                                     enum sj_dialect dialect, const struct sj_tape *t, uint32_t cell,
                                     struct sj_arena *scratch, sj_schema_fault_fn fn, void *ctx);
enum sj_status sj_catalog_check_theme(const struct sj_catalog *c, const struct sj_tape *t, uint32_t cell,
                                      struct sj_arena *scratch, sj_schema_fault_fn fn, void *ctx);

/* The same for a component seen by this catalog alone, nested calls included: those that name no catalog, or this one,
 * are checked against it; of a call that names another, what can be judged without it (identifiers). The type is looked
 * up here. */
enum sj_status sj_catalog_check_alone(const struct sj_catalog *c, enum sj_dialect dialect, const struct sj_tape *t,
                                      uint32_t cell, struct sj_arena *scratch, sj_schema_fault_fn fn, void *ctx);
/* A value against one definition of the built-in common types ("Extensions"). Any function counts as known. SJ_ABSENT:
 * no such definition. */
enum sj_status sj_a2ui_check_common_type(struct sj_mem *mem, enum sj_version v, enum sj_dialect d,
                                         struct sj_slice definition, const struct sj_tape *t, uint32_t cell,
                                         sj_schema_fault_fn fn, void *ctx);

/* A host that knows better than its document who may call a function (the RPC suite combines activation with agent
 * callers, which a document may not). Before the catalog is registered. */
void sj_catalog_set_callers(struct sj_catalog *c, struct sj_slice name, enum sj_caller allowed, bool needs_activation);

/* Documents out: canonical published form, and the inline (capability) form. */
enum sj_status sj_catalog_emit(const struct sj_catalog *c, struct sj_buf *out);
enum sj_status sj_catalog_emit_inline(const struct sj_catalog *c, struct sj_buf *out);
/* {catalogId, protocolVersion, components, functions, theme} with references replaced by what they lead to, as far as
 * that ends. */
enum sj_status sj_catalog_emit_resolved(const struct sj_catalog *c, struct sj_buf *out);
/* Which catalog a component or call of a surface comes from (v1.0): its own id, else the surface's default; it must be
 * one the surface supports. CatalogError otherwise. */
struct sj_catalog_choice {
	struct sj_slice surface_id, default_id; /* default_id ptr NULL: none */
	const struct sj_slice *supported;       /* NULL: any */
	uint32_t nsupported;
};
enum sj_status sj_catalog_choose(const struct sj_catalog_choice *choice, struct sj_slice own_id /* ptr NULL: none */,
                                 struct sj_slice *out, struct sj_diag *diag);
/* May a surface of this version use a catalog of that one? */
enum sj_status sj_catalog_mix(enum sj_version surface, struct sj_slice catalog_id, enum sj_version catalog,
                              struct sj_diag *diag);
/* The entry of a capabilities object that speaks for catalogs of a version: v0.9.x share one, and so do unversioned
 * ones. */
const char *sj_capabilities_key(enum sj_version v);
/* Agent side: which catalogs a session may write for. `held` are registered ones, in order; `caps` the renderer's
 * capabilities object (NULL: it sent none, then all that are held). Named ids come first, in the renderer's order, then
 * inline catalogs if they are accepted: those are made here and belong to the caller (made[], nmade <= ninline <= cap).
 * active[] gets at most `cap`. */
enum sj_status sj_catalog_negotiate(struct sj_mem *mem, const struct sj_catalog *const *held, uint32_t nheld,
                                    const struct sj_tape *caps, uint32_t cell, bool accepts_inline,
                                    const struct sj_catalog **active, uint32_t cap, uint32_t *nactive,
                                    struct sj_catalog **made, uint32_t *nmade, struct sj_diag *diag);
/* Allow-lists (NULL: all); unknown names are ignored; unions narrowed too. */
enum sj_status sj_catalog_prune(struct sj_mem *mem, const struct sj_catalog *c, const struct sj_slice *components,
                                uint32_t ncomponents, const struct sj_slice *functions, uint32_t nfunctions,
                                struct sj_catalog **out);

/* The document as it was given (host tables: as it was made), pruned where it was. Borrowed. */
struct sj_slice sj_catalog_document(const struct sj_catalog *c);

/* Our own data: the common types and message schemas of a version, written as JSON (equal in meaning to the published
 * files). name: "common_types.json", "catalog.json" (basic), "server_to_client.json", "agent_to_renderer.json", ...
 * false: none of that name. */
bool sj_a2ui_schema_write(enum sj_version v, enum sj_dialect d, struct sj_slice name, struct sj_buf *out);
uint32_t sj_a2ui_schema_count(enum sj_version v);
const char *sj_a2ui_schema_name(enum sj_version v, uint32_t i);

#endif
