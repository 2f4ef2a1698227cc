/* What the files of the legacy processor share.
 *
 * Bytes become nodes (legacy_read.c), the nodes of one message at a time. At the end of every chunk, and when a message
 * closes, nodes become values (legacy_snapshot.c): whole, or as much as may be shown. Values are checked
 * (legacy_check.c) and go to their surface (legacy_surface.c), which emits its tree when it has changed. legacy.c holds
 * the entry points, tags and text; legacy_message.c decides what a message does.
 */
#ifndef SJ_INFER_LEGACY_INTERNAL_H
#define SJ_INFER_LEGACY_INTERNAL_H

#include "base/arena.h"
#include "base/map.h"
#include "infer/legacy_stream.h"
#include "infer/tags.h"
#include "schema/schema.h"

#define SJ_LEGACY_TAG "a2ui-json"

/* ---- nodes of the message that is being read ---- */

enum sj_legacy_type { SJ_LN_OBJECT, SJ_LN_ARRAY, SJ_LN_STRING, SJ_LN_VALUE };
struct sj_legacy_node {
	struct sj_legacy_node *parent, *first, *last, *next;
	struct sj_slice key;    /* of a member; in the message's arena */
	struct sj_slice text;   /* STRING, closed */
	struct sj_value value; /* VALUE: a number, boolean or null, which own nothing */
	uint32_t taken;        /* a component: its place in `taken` plus one */
	uint8_t type;          /* enum sj_legacy_type */
	bool open;
};

enum sj_legacy_op {
	SJ_LO_NONE,
	SJ_LO_START,  /* beginRendering, createSurface */
	SJ_LO_UPDATE, /* surfaceUpdate, updateComponents */
	SJ_LO_DATA,   /* dataModelUpdate, updateDataModel */
	SJ_LO_DELETE, /* deleteSurface */
};
struct sj_slice sj_legacy_op_name(enum sj_version v, enum sj_legacy_op op);
enum sj_legacy_op sj_legacy_op_find(enum sj_version v, struct sj_slice key);

enum sj_legacy_lexer { SJ_LX_NONE, SJ_LX_STRING, SJ_LX_ESCAPE, SJ_LX_UNICODE, SJ_LX_WORD, SJ_LX_TAG };
struct sj_legacy_reader {
	struct sj_arena arena; /* of the nodes of one message */
	struct sj_legacy_node *message,
		*top; /* the open message, its innermost open container; NULL: between messages */
	enum sj_legacy_lexer lexer;
	struct sj_buf token; /* the open string, decoded; or the open word or tag */
	bool typographic;    /* the open string began with a typographic quote */
	bool cuttable;       /* ... and is the value of a key that may be cut */
	uint8_t digits;      /* of the open \u escape */
	uint32_t code, high; /* its value so far; the high surrogate before it */
	bool has_key, has_colon; /* of `top`, an object */
	struct sj_slice key;
	uint32_t nodes, depth;    /* of the open message */
	uint64_t offset, began;   /* bytes of the answer before the running call; where the message began */
	bool changed; /* something came that may be shown, since the last look */
	bool saw_message, saw_list, saw_junk; /* in this block */
};

/* ---- surfaces ---- */

#define SJ_LEGACY_NONE UINT32_MAX
#define SJ_LEGACY_TOKENS 8
/* Where a component type names other components: keys from its properties on; ptr NULL is every item. */
struct sj_legacy_pattern {
	struct sj_slice token[SJ_LEGACY_TOKENS];
	uint8_t count;
};
struct sj_legacy_run { /* of one type */
	uint32_t first, count;
	bool names; /* the catalog gives it a property that names components */
};
struct sj_legacy_patterns {
	SJ_VEC(struct sj_legacy_pattern) list; /* the first `common` count for every type */
	SJ_VEC(struct sj_legacy_run) types;    /* in `list` */
	struct sj_map names; /* type -> place in `types` */
	uint32_t common;
};

struct sj_legacy_component {
	char *id; /* owned, NUL-terminated */
	size_t id_len;
	struct sj_value value; /* ABSENT: named by others, not here yet */
	struct sj_value shown; /* as it was emitted last, with stand-ins; ABSENT: never */
	SJ_VEC(uint32_t) refs; /* components it names, by number, each once */
	bool lone;             /* a list of children is still empty: it holds "loading_children_ID" */
	bool reached;          /* from the root */
	uint8_t mark;          /* of the search for cycles */
	uint32_t height;
};
struct sj_legacy_surface {
	char *id;
	size_t id_len;
	bool live;    /* false: the place is free */
	bool started;
	bool dirty;   /* what can be reached differs from what was emitted */
	bool stale;   /* `reached` and `missing` must be found anew */
	uint32_t root; /* component, NONE while unknown */
	bool named_root; /* the root is not called "root" but was named by an update (v0.9) */
	uint32_t missing; /* reached, not here */
	SJ_VEC(struct sj_legacy_component) components;
	struct sj_map ids;
};

/* ---- the processor ---- */

struct sj_legacy_taken { /* a component that has closed, of the open message */
	struct sj_value value;
};
struct sj_legacy {
	struct sj_mem *mem;
	enum sj_version version;
	const struct sj_limits *limits;
	struct sj_json_options json;
	bool checks;
	struct sj_schema_set *set;
	const struct sj_schema *schema;
	bool stand_ins; /* a stand-in is valid */
	struct sj_value catalog, common;
	struct sj_legacy_patterns patterns;
	SJ_VEC(struct sj_slice) cuttable; /* keys, owned */

	/* text outside blocks */
	bool in_block;
	struct sj_buf text;  /* not yet emitted */
	bool text_began;     /* this run of text is more than white space */
	struct sj_tagger tagger;

	struct sj_legacy_reader read;
	enum sj_legacy_op op; /* of the open message */
	SJ_VEC(struct sj_legacy_taken) taken;
	uint32_t settled;        /* of `taken`, from the first on: merged or refused */
	uint32_t part_nodes;     /* nodes before the last component of the open message */
	struct sj_value emitted; /* of the open message, DATA: what was emitted last */
	uint64_t credit;         /* work that may be spent on looks which come to nothing */

	SJ_VEC(struct sj_legacy_surface) surfaces;
	struct sj_map surface_ids;
	uint32_t last_surface; /* of the last update, for a component that stands alone; NONE */
	SJ_VEC(uint32_t) scratch;

	enum sj_status failed;
	struct sj_diag fault;
	struct sj_parts *out; /* of the running call */
	uint32_t first_part;
};

/* A value of the message for the rest of the module. */
static inline bool sj_legacy_is_v08(const struct sj_legacy *p) { return p->version == SJ_V08; }

/* legacy_read.c: the bytes of a block. *used: how many were taken; *closed: the closing tag was among them. */
void sj_legacy_read_init(struct sj_legacy *p);
void sj_legacy_read_finish(struct sj_legacy *p);
enum sj_status sj_legacy_read(struct sj_legacy *p, const char *bytes, size_t n, size_t *used, bool *closed,
                              struct sj_diag *diag);
/* The block ends here, whatever is open. */
enum sj_status sj_legacy_read_end(struct sj_legacy *p, struct sj_diag *diag);
struct sj_legacy_node *sj_legacy_member(const struct sj_legacy_node *object, struct sj_slice key); /* the last such */

/* legacy_message.c: called by the reader. */
enum sj_status sj_legacy_opened(struct sj_legacy *p, struct sj_legacy_node *node, struct sj_diag *diag);
enum sj_status sj_legacy_closed(struct sj_legacy *p, struct sj_legacy_node *node, bool implied, struct sj_diag *diag);
/* Shows what may be shown of the open message. */
enum sj_status sj_legacy_look(struct sj_legacy *p, struct sj_diag *diag);
void sj_legacy_message_drop(struct sj_legacy *p); /* forgets the open message */

/* legacy_snapshot.c */
enum sj_legacy_view {
	SJ_LV_WHOLE,      /* a closed component, a closed message */
	SJ_LV_COMPONENT,  /* an open one */
	SJ_LV_DATA,       /* an open message with data: members without value and empty items are left out */
};
struct sj_legacy_shape {
	bool hollow; /* an object that is still open has nothing in it yet */
	bool lone;   /* an open list of children was empty and got a stand-in */
};
/* The component or message `node`. The caller owns *out. SJ_NOMEM. */
enum sj_status sj_legacy_snapshot(struct sj_legacy *p, const struct sj_legacy_node *node, enum sj_legacy_view view,
                                  struct sj_value *out, struct sj_legacy_shape *shape);

/* legacy_refs.c */
enum sj_status sj_legacy_patterns_init(struct sj_legacy *p);
void sj_legacy_patterns_finish(struct sj_legacy *p);
/* Can a component of this type name others, by the catalog? */
bool sj_legacy_may_name(const struct sj_legacy *p, struct sj_slice type);
/* Calls fn with each string that names another component. fn may write it when `own`. Stops at the first status that is
 * not SJ_OK. */
typedef enum sj_status (*sj_legacy_ref_fn)(void *ctx, struct sj_value *ref);
enum sj_status sj_legacy_refs(struct sj_legacy *p, struct sj_value *component, bool own, sj_legacy_ref_fn fn,
                              void *ctx);
/* Is the list of children that this node holds one whose items name components? */
bool sj_legacy_lists_refs(struct sj_legacy *p, const struct sj_legacy_node *component,
                          const struct sj_legacy_node *array);

/* legacy_check.c */
enum sj_status sj_legacy_check_init(struct sj_legacy *p, const struct sj_legacy_options *opt, struct sj_diag *diag);
enum sj_status sj_legacy_check(struct sj_legacy *p, const struct sj_value *message, struct sj_diag *diag);
/* The same for one component. SJ_OK, SJ_INVALID, SJ_NOMEM. */
enum sj_status sj_legacy_check_component(struct sj_legacy *p, const struct sj_value *component);

/* legacy_surface.c */
enum sj_status sj_legacy_surface_find(struct sj_legacy *p, struct sj_slice id, uint32_t *out, struct sj_diag *diag);
void sj_legacy_surface_drop(struct sj_legacy *p, struct sj_slice id);
void sj_legacy_surfaces_finish(struct sj_legacy *p);
enum sj_status sj_legacy_surface_root(struct sj_legacy *p, uint32_t surface, struct sj_slice id, struct sj_diag *diag);
/* Takes the component. `lone`: it holds the stand-in of an empty list. */
enum sj_status sj_legacy_surface_put(struct sj_legacy *p, uint32_t surface, struct sj_value take, bool lone,
                                     struct sj_diag *diag);
enum sj_status sj_legacy_surface_show(struct sj_legacy *p, uint32_t surface, struct sj_diag *diag);
/* Nothing more comes: what was put off is done, and circles that nobody could see are found. */
enum sj_status sj_legacy_surfaces_end(struct sj_legacy *p, struct sj_diag *diag);
/* {"surfaceUpdate": {"surfaceId": ..., "components": [...]}}, or of v0.9. Takes the list. */
enum sj_status sj_legacy_update_message(struct sj_legacy *p, struct sj_slice surface, struct sj_slice root,
                                        struct sj_value take, struct sj_value *out);
enum sj_status sj_legacy_stand_in(struct sj_legacy *p, struct sj_slice id, struct sj_value *out);

/* legacy.c: takes a message out. */
enum sj_status sj_legacy_emit(struct sj_legacy *p, struct sj_value take);

#endif
