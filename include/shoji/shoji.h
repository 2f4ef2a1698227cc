/* Shoji: user interfaces that agents describe, as a library. The contract for programs that embed it; docs/embedding.md
 * is the guide. Works from C and C++ and needs no other header of the project.
 *
 * The engine does no input or output. The program feeds bytes from each peer, hands in what the person did and what
 * time it is, and takes events until there are none. Whatever an agent wants done (a message sent, a link opened) is an
 * event too: nothing happens unless the program does it.
 *
 * Threads: one engine belongs to one thread at a time. Engines share nothing.
 *
 * Lifetime: text and pointers that a function or an event gives are borrowed until the next call on the same engine. A
 * view lives until the feed or close that ends it, so a program keeps (peer, surface id) across a feed and asks
 * shoji_view_find again.
 *
 * Errors: SHOJI_INVALID and SHOJI_LIMIT are faults of input, told in a struct shoji_fault; the call changed nothing.
 * SHOJI_NOMEM likewise changed nothing. Faults of the program (NULL where none is allowed) are assertions.
 *
 * Growth: structs that the program fills or receives begin with their size, set through the SHOJI_*_INIT macros; enums
 * keep their numbers. New members come at the end.
 */
#ifndef SHOJI_H
#define SHOJI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SHOJI_API __attribute__((visibility("default")))
#else
#define SHOJI_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define SHOJI_ABI 1
SHOJI_API uint32_t shoji_abi(void); /* the SHOJI_ABI that the library was built with */

/* A run of UTF-8 bytes, not terminated. */
struct shoji_text {
	const char *ptr;
	size_t len;
};

enum shoji_status {
	SHOJI_OK = 0,
	SHOJI_ABSENT = 2,  /* nothing wrong: there is none */
	SHOJI_INVALID = 3, /* fault of input */
	SHOJI_LIMIT = 4,   /* fault of input: a limit was reached */
	SHOJI_NOMEM = 5    /* the allocator or the memory limit refused */
};

/* One fault of input, ready to show to a developer or to send back. All text is inside and terminated. `pointer` is an
 * RFC 6901 pointer into the offending document, `offset` counts bytes of the peer's stream. */
struct shoji_fault {
	uint32_t size;
	uint32_t line; /* 1-based; 0: unknown */
	uint64_t offset;
	char code[40], category[40], pointer[256], message[512], hint[256];
};

/* ---- engine ------------------------------------------------------------------------------------------------------ */

struct shoji_engine;

enum shoji_dialect { SHOJI_DIALECT_AUTO = 0, SHOJI_DIALECT_BARE = 1, SHOJI_DIALECT_RESERVED = 2 };

struct shoji_options {
	uint32_t size;
	uint32_t memory_limit_bytes; /* 0: the default of docs/limits.md */
	bool reference_limits;       /* the reference renderer's limits instead of ours */
	bool gate_surface;           /* a button obeys every check on its surface, not only its own */
	bool lazy_rows;              /* rows outside a list's window are valued only when read (shoji_node_window) */
	enum shoji_dialect dialect;  /* key dialect of v1.0 messages */
	const char *locale;          /* BCP 47; NULL: "en" */
	const char *time_zone;       /* IANA name; NULL: "UTC" */
	int64_t now_ms;              /* Unix milliseconds; moves only through shoji_advance */
	/* Like realloc, with sizes: (NULL,0,n) takes, (p,n,0) gives back. NULL: the C library's. */
	void *(*resize)(void *ctx, void *ptr, size_t old_bytes, size_t new_bytes);
	void *resize_ctx;
};
#define SHOJI_OPTIONS_INIT                                                                                             \
	{                                                                                                              \
		sizeof(struct shoji_options), 0, false, false, false, SHOJI_DIALECT_AUTO, NULL, NULL, 0, NULL, NULL    \
	}

/* `options` may be NULL. The basic catalogs of every version are registered already. */
SHOJI_API enum shoji_status shoji_create(const struct shoji_options *options, struct shoji_engine **out);
SHOJI_API void shoji_destroy(struct shoji_engine *e);             /* NULL is fine */
SHOJI_API size_t shoji_memory_bytes(const struct shoji_engine *e); /* in use now */

/* A catalog document; components without a widget of their own are drawn from their meanings. See shoji/host.h for
 * catalogs with functions. */
SHOJI_API enum shoji_status shoji_add_catalog(struct shoji_engine *e, struct shoji_text json,
                                              struct shoji_fault *fault);

/* ---- inlets: everything that happens enters here ----------------------------------------------------------------- */

/* A peer is whoever sends: its surfaces, ids and data are invisible to other peers. The name is for people and logs. */
SHOJI_API enum shoji_status shoji_peer_open(struct shoji_engine *e, struct shoji_text name, uint32_t *peer);
SHOJI_API void shoji_peer_close(struct shoji_engine *e, uint32_t peer); /* its surfaces go */

/* Bytes as they come, in any split: messages, arrays of messages, JSON lines, any mix of versions. A faulty message
 * leaves nothing behind and becomes a SHOJI_EVENT_FAULT; the return value is SHOJI_OK or SHOJI_NOMEM. */
SHOJI_API enum shoji_status shoji_feed(struct shoji_engine *e, uint32_t peer, const char *bytes, size_t count);
SHOJI_API enum shoji_status shoji_feed_end(struct shoji_engine *e,
                                           uint32_t peer); /* the message is over; more may follow */

struct shoji_view;

/* An edit is BEGIN, any number of UPDATEs, then COMMIT or CANCEL (which restores). UPDATE and COMMIT alone are whole
 * edits. */
enum shoji_phase { SHOJI_EDIT_BEGIN = 0, SHOJI_EDIT_UPDATE = 1, SHOJI_EDIT_COMMIT = 2, SHOJI_EDIT_CANCEL = 3 };
struct shoji_input {
	uint32_t size;
	enum shoji_phase phase;
	uint64_t node;
	uint32_t serial;         /* the program's number for this input; comes back in changes it caused */
	bool value_is_text;      /* true: `value` is the string itself; false: JSON */
	struct shoji_text value; /* UPDATE and COMMIT */
};
#define SHOJI_INPUT_INIT                                                                                               \
	{                                                                                                              \
		sizeof(struct shoji_input), SHOJI_EDIT_COMMIT, 0, 0, false, { NULL, 0 }                                \
	}
SHOJI_API enum shoji_status shoji_input(struct shoji_engine *e, struct shoji_view *v, const struct shoji_input *in,
                                        struct shoji_fault *fault);
/* The person pressed a node. SHOJI_INVALID when it is gone, has no action, or is disabled. */
SHOJI_API enum shoji_status shoji_press(struct shoji_engine *e, struct shoji_view *v, uint64_t node,
                                        struct shoji_fault *fault);
/* Local state, which is never sent: "selected" tab, "open" dialog, "scroll". `json` is the value. */
SHOJI_API enum shoji_status shoji_set_local(struct shoji_engine *e, struct shoji_view *v, uint64_t node,
                                            const char *name, struct shoji_text json);
/* "locale", "timeZone", "direction", "appearance", "widthClass". v NULL: every surface, also those to come. */
SHOJI_API enum shoji_status shoji_set_env(struct shoji_engine *e, struct shoji_view *v, const char *name,
                                          struct shoji_text value);
SHOJI_API enum shoji_status shoji_advance(struct shoji_engine *e, int64_t now_ms);
SHOJI_API int64_t shoji_deadline(const struct shoji_engine *e); /* when advance is next wanted; INT64_MAX: never */

/* Answers a TOOL_WANTED or CALL_WANTED event with a JSON result (empty: null), or with an error when `error_code` is
 * not NULL. SHOJI_ABSENT: nobody waits for it any more. */
SHOJI_API enum shoji_status shoji_answer(struct shoji_engine *e, uint64_t call_id, struct shoji_text json,
                                         const char *error_code, struct shoji_text error_message);

/* ---- outlet ------------------------------------------------------------------------------------------------------ */

enum shoji_event_kind {
	SHOJI_EVENT_SURFACE_NEW = 0,
	SHOJI_EVENT_SURFACE_CHANGED = 1, /* take the records with shoji_changes */
	SHOJI_EVENT_SURFACE_GONE = 2,    /* view is NULL */
	SHOJI_EVENT_SEND = 3, /* `json`: one whole message for `peer`; `metadata`: what travels beside it, or empty */
	SHOJI_EVENT_TOOL_WANTED = 4, /* an effect, `name` with `json` arguments: do it, or not, and answer `call_id` */
	SHOJI_EVENT_CALL_WANTED = 5, /* a deferred function of the program: the same */
	SHOJI_EVENT_CALL_GONE = 6,   /* nobody waits for `call_id` any more */
	SHOJI_EVENT_CALL_DONE = 7,
	SHOJI_EVENT_FAULT = 8 /* `fault`; `json`: the error message that it caused, or empty */
};
struct shoji_event {
	uint32_t size;
	enum shoji_event_kind kind;
	uint32_t peer;
	uint32_t message; /* number of the peer's message that caused it; 0: none */
	struct shoji_view *view;
	struct shoji_text surface_id, name, json, metadata;
	uint64_t call_id;
	const struct shoji_fault *fault; /* NULL: none */
};
#define SHOJI_EVENT_INIT                                                                                               \
	{                                                                                                              \
		sizeof(struct shoji_event), SHOJI_EVENT_SURFACE_NEW, 0, 0, NULL, {NULL, 0}, {NULL, 0}, {NULL, 0},      \
			{NULL, 0}, 0, NULL                                                                             \
	}
/* The next event; SHOJI_ABSENT when there is none now. */
SHOJI_API enum shoji_status shoji_next(struct shoji_engine *e, struct shoji_event *out);

/* ---- views: one surface of one peer ------------------------------------------------------------------------------ */

SHOJI_API uint32_t shoji_view_count(const struct shoji_engine *e);
SHOJI_API struct shoji_view *shoji_view_at(const struct shoji_engine *e, uint32_t i); /* in order of creation */
SHOJI_API struct shoji_view *shoji_view_find(const struct shoji_engine *e, uint32_t peer, struct shoji_text surface_id);
SHOJI_API struct shoji_text shoji_view_surface_id(const struct shoji_view *v);
SHOJI_API uint32_t shoji_view_peer(const struct shoji_view *v);
SHOJI_API const char *shoji_view_version(const struct shoji_view *v); /* "v0.9" ... */
/* The whole surface as one JSON document, for tests, logs and agents; docs/decisions/008-tree-shape.md has its shape.
 */
SHOJI_API enum shoji_status shoji_view_tree(struct shoji_engine *e, struct shoji_view *v, struct shoji_text *json);

enum shoji_change_kind {
	SHOJI_CHANGE_NEW = 0,    /* the node is there now, with everything below it */
	SHOJI_CHANGE_GONE = 1,   /* the node is gone, with everything below it */
	SHOJI_CHANGE_SET = 2,    /* properties differ: read those that the widget shows */
	SHOJI_CHANGE_APPEND = 3, /* bytes lo..hi were added to its text */
	SHOJI_CHANGE_SPLICE = 4, /* children: at lo, `remove` went and `add` came */
	SHOJI_CHANGE_FLAGS = 5,  /* enabled, validity or the reason for not being shown */
	SHOJI_CHANGE_LOCAL = 6,
	SHOJI_CHANGE_FOCUS = 7, /* focus went to this node */
	SHOJI_CHANGE_ROOT = 8   /* the root appeared, was replaced or went */
};
struct shoji_change {
	uint8_t kind;     /* enum shoji_change_kind */
	uint8_t echo;     /* caused by the program's own input `cause` */
	uint8_t held;     /* the person is editing here: keep what they typed */
	uint8_t property; /* reserved */
	uint32_t cause;
	uint64_t node;
	uint64_t mask; /* reserved */
	uint32_t lo, hi, add, remove;
};
/* Everything that changed since the last call, as one array. State is read from the nodes. */
SHOJI_API enum shoji_status shoji_changes(struct shoji_engine *e, struct shoji_view *v, const struct shoji_change **out,
                                          uint32_t *count);

/* ---- nodes: what is on a surface now ----------------------------------------------------------------------------- */

/* A node is a number with a generation: one whose node is gone is recognised and refused. 0 is no node. Kinds, meanings
 * and roles are the words of docs/vocabulary.md; a program meets no type name of any protocol version. */
SHOJI_API uint64_t shoji_node_root(const struct shoji_view *v);
SHOJI_API bool shoji_node_alive(const struct shoji_view *v, uint64_t node);
SHOJI_API const char *shoji_node_kind(const struct shoji_view *v, uint64_t node); /* "text", "button", ... */
SHOJI_API const char *shoji_node_role(const struct shoji_view *v, uint64_t node); /* as ARIA spells it */
SHOJI_API const char *shoji_node_why(const struct shoji_view *v,
                                     uint64_t node); /* "resolved", "pending", "unknown-type", ... */
SHOJI_API struct shoji_text shoji_node_component(const struct shoji_view *v, uint64_t node); /* the agent's id */
SHOJI_API uint64_t shoji_node_parent(const struct shoji_view *v, uint64_t node);
SHOJI_API uint32_t shoji_node_child_count(const struct shoji_view *v, uint64_t node);
SHOJI_API uint64_t shoji_node_child(const struct shoji_view *v, uint64_t node, uint32_t i);
/* The node of a component outside lists, or in given rows from the outermost list inwards. 0: none. */
SHOJI_API uint64_t shoji_node_find(const struct shoji_view *v, struct shoji_text component, const uint32_t *rows,
                                   uint32_t nrows);
/* A property by its meaning. Strings come as they are, everything else as JSON. SHOJI_ABSENT: it has none now. */
SHOJI_API enum shoji_status shoji_node_text(struct shoji_engine *e, struct shoji_view *v, uint64_t node,
                                            const char *meaning, struct shoji_text *out);
/* The same as JSON, strings too. */
SHOJI_API enum shoji_status shoji_node_json(struct shoji_engine *e, struct shoji_view *v, uint64_t node,
                                            const char *meaning, struct shoji_text *out);
SHOJI_API bool shoji_node_enabled(struct shoji_view *v, uint64_t node);
/* Whether no check fails; *message gets the first failing rule's words ("" when none). */
SHOJI_API bool shoji_node_valid(struct shoji_view *v, uint64_t node, struct shoji_text *message);
/* The rows of a list that the program shows (lazy_rows). */
SHOJI_API void shoji_node_window(struct shoji_view *v, uint64_t list, uint32_t first, uint32_t end);

#ifdef __cplusplus
}
#endif

#endif
