/* Catalogs from tables: components and functions that a program brings to an engine. The tables become an ordinary
 * catalog document, so an agent's messages are checked against them like against any other catalog.
 *
 * Arrays end with a row whose name is NULL. Tables are read during shoji_add_host and may go afterwards; `ctx` of a
 * function has to live as long as the engine.
 */
#ifndef SHOJI_HOST_H
#define SHOJI_HOST_H

#include "shoji/shoji.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A property of a component, or an argument of a function. `type` is one of: DynamicString, DynamicNumber,
 * DynamicBoolean, DynamicStringList, DynamicValue, Child, ChildList, Action, Checks, string, number, boolean, or
 * "enum:a|b|c". */
struct shoji_host_property {
	const char *name, *type;
	const char *meaning; /* a word of docs/vocabulary.md, or NULL: kept for the tree, without meaning to a face */
	bool required;
	const char *description; /* for the agent; may be NULL */
};

struct shoji_host_component {
	const char *name;
	const char *kind; /* a word of docs/vocabulary.md, or NULL: custom */
	const struct shoji_host_property *properties;
	bool checkable; /* adds `checks` */
	const char *description;
};

enum shoji_function_kind {
	SHOJI_FUNCTION_PURE = 0, /* same arguments, same result; `call` answers at once and may not touch an engine */
	SHOJI_FUNCTION_DEFERRED = 1, /* comes as SHOJI_EVENT_CALL_WANTED */
	SHOJI_FUNCTION_EFFECT = 3    /* comes as SHOJI_EVENT_TOOL_WANTED, from a press only */
};

/* Where a pure function puts its result: once, one JSON value; or its failure. */
struct shoji_result;
SHOJI_API void shoji_result_json(struct shoji_result *r, struct shoji_text json);
SHOJI_API void shoji_result_error(struct shoji_result *r, const char *message);

struct shoji_host_function {
	const char *name;
	enum shoji_function_kind kind;
	const char *returns; /* string, number, boolean, array, object, any, void, validationResult */
	const struct shoji_host_property *arguments; /* in positional order */
	bool needs_press;                            /* only while a person is pressing something */
	/* PURE: `arguments` is a JSON array in positional order, null for what is missing. */
	void (*call)(void *ctx, struct shoji_text arguments, struct shoji_result *result);
	void *ctx;
	const char *description;
};

struct shoji_host {
	uint32_t size;
	const char *catalog_id;
	const char *version; /* "v0.9" or "v1.0" */
	const char *title, *instructions;
	const struct shoji_host_component *components;
	const struct shoji_host_function *functions;
	bool include_basic; /* also everything of the basic catalog of that version; own names win */
};
#define SHOJI_HOST_INIT                                                                                                \
	{                                                                                                              \
		sizeof(struct shoji_host), NULL, "v0.9", NULL, NULL, NULL, NULL, true                                  \
	}
SHOJI_API enum shoji_status shoji_add_host(struct shoji_engine *e, const struct shoji_host *host,
                                           struct shoji_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
