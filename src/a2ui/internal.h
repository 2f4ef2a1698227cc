/* What the files of the A2UI driver share: not for other modules. */
#ifndef SJ_A2UI_INTERNAL_H
#define SJ_A2UI_INTERNAL_H

#include "a2ui/path.h"
#include "a2ui/protocol.h"

/* A member of an object on a tape; 0: none. */
static inline uint32_t sj_member(const struct sj_tape *t, uint32_t object, const char *key)
{
	return sj_tape_get(t, object, sj_slice_of(key));
}

/* The component graph beside the core's definitions: heights and parents, so that a message costs what it changes. A
 * height is an upper bound, raised eagerly and never lowered; one above the limit makes the heights doubtful, and while
 * they are, each message is judged by an exact search that names the cycle or the depth, and sets them right when it
 * finds none. */
struct sj_topo_node {
	uint32_t first_parent; /* edge, 1-based; 0 none */
	uint32_t height;       /* 1 for a leaf; 0 while undefined */
};
struct sj_topo_edge {
	uint32_t parent : 31,
		is_template : 1; /* a template adds a scope, not height: recursion through data is legal */
	uint32_t next;                         /* edge, 1-based */
};
struct sj_topo {
	struct sj_mem *mem;
	SJ_VEC(struct sj_topo_node) nodes; /* by component reference of the core: index = ref */
	SJ_VEC(struct sj_topo_edge) edges;
	uint32_t free_edge, templates; /* template edges */
	bool doubtful; /* some height may be too low: the next check searches */
};

/* Language data of one component definition, kept by the core in the definition's block. */
struct sj_site { /* a call in a property that another side answers */
	const struct sj_a2ui_function *fn;
	const struct sj_catalog *catalog;
	struct sj_site *next;
};
struct sj_comp {
	const struct sj_catalog *catalog;
	const struct sj_a2ui_component *type;
	struct sj_site *sites;
	uint32_t source_len; /* the definition as written, compact enough to re-read: source[] */
	uint16_t was; /* 1 + the index of another type of this catalog that the id had before; 0: none, or too far */
	char source[];
};

struct sj_held { /* a whole message that waits; text[] */
	struct sj_held *next;
	struct sj_origin origin; /* offset: of the message itself */
	uint32_t line, len;
	char text[];
};

struct sj_view {
	struct sj_a2ui *a;
	struct sj_surface *core;
	const struct sj_catalog *catalog; /* surface default; NULL: none */
	char *id;
	uint32_t id_len, peer, uid;
	enum sj_version version;
	enum sj_dialect dialect; /* what its payloads use; AUTO until a payload tells */
	bool sends, mark, dying, warned_hyphen;
	bool waiting; /* v0.8: nothing of it is applied or drawn before its beginRendering */
	struct sj_held *held, **held_end; /* what came until then, in order */
	size_t held_bytes;
	struct sj_value theme;
	struct sj_topo topo;
	struct sj_view *prev, *next; /* order of creation */
};

enum sj_pending_kind {
	SJ_PEND_HOST_CALL /* app called the agent */,
	SJ_PEND_PROPERTY /* a bound call to the agent */,
	SJ_PEND_ACTION /* an action's agent call */,
	SJ_PEND_TOOL /* an action's effect or slow function that the host was asked for */,
	SJ_PEND_DEFERRED /* host function of a property */,
	SJ_PEND_SOURCE /* likewise, answered again and again */,
	SJ_PEND_RPC /* host function called by the agent */
};
struct sj_pending {
	uint64_t id;
	enum sj_pending_kind kind;
	uint32_t peer;
	struct sj_view *view;  /* may be NULL */
	uint32_t core_id;      /* PROPERTY, DEFERRED: the core's call id */
	int64_t due_ms;
	char *rpc_id;          /* RPC: functionCallId to answer */
	uint32_t rpc_len;
	/* PROPERTY: whose call it is, and, while it rests (until due_ms), the arguments that it will be sent with. */
	const struct sj_site *site;
	char *held;
	uint32_t held_len;
	const struct sj_a2ui_function *fn;
	const struct sj_catalog *catalog;
	bool is_void;
};

struct sj_a2ui {
	struct sj_a2ui_options opt;
	struct sj_mem *mem;
	struct sj_fn_table *fns;
	SJ_VEC(struct sj_catalog *) catalogs;
	struct sj_view *first, *last, *cursor, *last_found;
	uint32_t cursor_at;
	uint32_t nviews, nsending; /* sending: those with sendDataModel */
	struct sj_map views; /* "peer/id" text -> slot in view_slots */
	SJ_VEC(struct sj_view *) view_slots;
	SJ_VEC(uint32_t) free_slots;
	SJ_VEC(struct sj_pending) pending;
	uint64_t next_call;
	uint32_t next_core_call, next_uid;
	int64_t now_ms;
	bool activated;
	struct sj_arena scratch; /* message lifetime */
	struct sj_arena work; /* of one component: what it needed is given back before the next one */
	const struct sj_site *superseded; /* whose call to the agent was just given up unanswered */
	struct sj_function deferred, source, agent; /* the rows behind calls that others answer */
	struct sj_function matches; /* what validationRegexp of v0.8 asks */
	bool made_v08; /* sj_v08_catalogs */
	struct sj_driver driver_v09, driver_v10;
	struct sj_value env; /* locale and time zone, which every surface begins with */
	uint32_t message; /* number of the message being applied */
	struct sj_slice refused; /* the message whose first fault is being told, where that is wanted */
	uint32_t base_line; /* first line of the document being applied, in the peer's stream; 0 unknown */
	uint32_t
		batch_line; /* of the byte batch_off in it: where the message begins, so that faults count from there */
	size_t batch_off;
	uint32_t peer;
};

/* Collects the faults of one message. */
struct sj_faults {
	struct sj_mem *mem;
	struct sj_diag *items;
	uint32_t cap, count;
	uint64_t base;
	uint32_t base_line; /* of the document in the peer's stream; 1 when it stands alone */
	uint32_t line;      /* in the document, of the byte `off` at or before the message */
	size_t off;
	const struct sj_tape *tape;
	uint32_t root; /* message cell */
};
SJ_COLD struct sj_diag *sj_faults_next(struct sj_faults *f); /* NULL when full: the fault is still counted */
/* Fills pointer (relative to the message), offset and line of the newest fault from a cell. */
SJ_COLD void sj_faults_at(struct sj_faults *f, struct sj_diag *d, uint32_t cell);

/* The member at `key` is one too many in `what`. */
SJ_COLD enum sj_status sj_fault_extra(struct sj_faults *f, uint32_t key, const char *what);
/* The members of an object that may hold no others; `names` ends with NULL, `what` is the object's own name. */
enum sj_status sj_fault_closed(struct sj_faults *f, uint32_t object, const char *const *names, const char *what);
/* A structured fault at `cell`, which names its kind (`detail`: missing_field, type_mismatch, invalid_value); `field`:
 * a missing member below it. Returns SJ_INVALID. */
SJ_COLD enum sj_status sj_fault_at(struct sj_faults *f, uint32_t cell, const char *field, const char *detail,
                           const char *format, ...) __attribute__((format(printf, 5, 6)));
SJ_COLD enum sj_status sj_fault_copy(struct sj_faults *f, const struct sj_diag *from, uint32_t cell,
                             enum sj_status st); /* returns st */

/* Turns schema faults into faults of the message: "Validation failed for WHAT 'NAME': ...". */
struct sj_fault_ctx {
	struct sj_faults *f;
	const struct sj_tape *tape; /* of the instance; a merged definition has its own */
	uint32_t cell;              /* the instance */
	uint32_t outer;             /* the cell of the message that it stands for, when the tape is another */
	const char *what;           /* "component", "function", "theme on surface" */
	struct sj_slice name;
	const struct sj_a2ui_component *type; /* of a component; else NULL */
};
bool sj_fault_schema(void *ctx, const struct sj_schema_fault *sf);

/* message.c: the version of a message, the key of its one action and the cell of that action's body. */
enum sj_status sj_envelope_read(struct sj_faults *f, enum sj_version *version, struct sj_slice *action, uint32_t *body);

/* compile.c: one component object (cell of `t`) into a definition inside the open transaction. */
struct sj_compile {
	struct sj_view *view;
	const struct sj_tape *tape;
	uint32_t outer;          /* the component in the message's tape, for faults */
	enum sj_dialect dialect; /* BARE or RESERVED */
	const struct sj_catalog *catalog; /* of the component: v0.9 calls use it; v1.0 calls resolve on their own */
	const struct sj_a2ui_component *type;
	struct sj_comp *comp; /* sites hang here; NULL for stand-alone code */
	struct sj_faults *faults;
	struct sj_arena *arena;
	uint32_t depth;
	bool in_check, in_action;
};
enum sj_status sj_compile_component(struct sj_compile *c, uint32_t cell, struct sj_slice id, struct sj_origin origin);
/* A dynamic value pushed onto b. */
void sj_compile_value(struct sj_compile *c, struct sj_code_builder *b, uint32_t cell);
/* Pieces of that: what stands in the cell as it is; what stands at a path; the address of a path (segs in the arena).
 */
void sj_compile_literal(struct sj_compile *c, struct sj_code_builder *b, uint32_t cell);
void sj_compile_path(struct sj_compile *c, struct sj_code_builder *b, struct sj_slice path);
bool sj_compile_address(struct sj_compile *c, struct sj_slice path, struct sj_addr *out, struct sj_diag *diag);
void sj_definition_release(void *ctx, struct sj_mem *mem); /* of struct sj_comp, for sj_def_data */
/* Resolves the catalog of a call or component (v1.0: own id, then the surface's default; before: `fallback`). NULL with
 * a fault. */
const struct sj_catalog *sj_resolve_catalog(struct sj_view *v, const struct sj_tape *t, uint32_t object,
                                            const struct sj_catalog *fallback, const char *what, struct sj_slice name,
                                            struct sj_diag *diag);
/* Is this object cell a binding, a call, or plain data in this dialect? */
enum sj_form { SJ_FORM_DATA, SJ_FORM_PATH, SJ_FORM_CALL };
enum sj_form sj_object_form(const struct sj_tape *t, uint32_t cell, enum sj_dialect d, uint32_t *name_cell);
bool sj_has_dynamic(const struct sj_tape *t, uint32_t cell, enum sj_dialect d);

/* message.c: what both families of messages are made of. */
/* The string member `key` of a body; SJ_ABSENT when it is optional and missing. */
enum sj_status sj_string_member(struct sj_faults *f, struct sj_arena *arena, uint32_t body, const char *key,
                                bool required, struct sj_slice *out);
enum sj_status sj_view_create(struct sj_a2ui *a, uint32_t peer, struct sj_slice id, enum sj_version version,
                              struct sj_view **out);
enum sj_status sj_view_core(struct sj_view *v, struct sj_surface **out); /* another empty surface for the view */
/* The catalog a message names; `at` is the cell to blame. */
enum sj_status sj_surface_catalog(struct sj_a2ui *a, struct sj_faults *f, uint32_t at, struct sj_slice id,
                                  enum sj_version version, const struct sj_catalog **out);
/* theme or styles of a surface of this catalog, by its rules; what[] is the member's name. */
enum sj_status sj_check_theme(struct sj_a2ui *a, struct sj_faults *f, const struct sj_view *v,
                              const struct sj_catalog *catalog, uint32_t theme, const char *what, struct sj_value *out);
void sj_view_touch(struct sj_view *v);

/* v08.c, v08_components.c: messages of v0.8 (docs/decisions/014). */
enum sj_status sj_v08_begin(struct sj_a2ui *a, uint32_t peer, uint32_t body, struct sj_origin origin,
                            struct sj_faults *f);
enum sj_status sj_v08_components(struct sj_a2ui *a, uint32_t peer, uint32_t body, struct sj_origin origin,
                                 struct sj_faults *f);
enum sj_status sj_v08_data(struct sj_a2ui *a, uint32_t peer, uint32_t body, struct sj_origin origin,
                           struct sj_faults *f);
/* A valueString: v0.8 has no entry for a list, so a text that is a whole JSON list or object stands for that value. */
enum sj_status sj_v08_text(struct sj_mem *mem, const struct sj_limits *l, struct sj_slice text, struct sj_value *out);
void sj_v08_drop_held(struct sj_view *v);
/* The standard catalogs of v0.8 are made when somebody first asks for them. */
enum sj_status sj_v08_catalogs(struct sj_a2ui *a);
/* The list of a surfaceUpdate whose envelope is checked (sj_v08_check_list), in the open transaction. */
enum sj_status sj_v08_apply_components(struct sj_view *v, uint32_t list, struct sj_origin origin,
                                       const struct sj_graph_rules *rules, struct sj_faults *f);
enum sj_status sj_v08_check_list(struct sj_mem *mem, struct sj_arena *scratch, uint32_t list, struct sj_faults *f);
/* What can be said of a component, and of the entries of a dataModelUpdate, without a surface. No catalogs: every type
 * is good. */
enum sj_status sj_v08_check_alone(struct sj_faults *f, uint32_t at, const struct sj_catalog *const *catalogs,
                                  uint32_t ncatalogs, struct sj_arena *scratch);
enum sj_status sj_v08_check_entries(struct sj_faults *f, uint32_t list, struct sj_arena *scratch);
/* A value of v0.8 pushed onto b: {literalX?, path?}, or lists and objects of such. */
void sj_v08_compile_value(struct sj_compile *c, struct sj_code_builder *b, uint32_t cell);
/* a11y.c: what the driver tells of the language */
enum sj_status sj_a2ui_words(struct sj_arena *arena, struct sj_slice text, struct sj_words *out);
bool sj_a2ui_requires(void *ctx, struct sj_surface *s, sj_node_id n);

/* topology.c */
void sj_topo_init(struct sj_topo *t, struct sj_mem *mem);
void sj_topo_finish(struct sj_topo *t);
/* Before a definition is replaced, and after: unhooks and hooks its edges. */
void sj_topo_unhook(struct sj_topo *t, const struct sj_surface *s, sj_component_ref c);
enum sj_status sj_topo_hook(struct sj_topo *t, const struct sj_surface *s, sj_component_ref c, uint32_t max_height);
/* Graph phase, when the message's components are hooked. */
enum sj_status sj_topo_check(struct sj_view *v, const struct sj_graph_rules *rules, struct sj_diag *diag);
enum sj_status sj_compose_check(struct sj_view *v, const sj_component_ref *changed, uint32_t n, struct sj_diag *diag);

/* components.c */
void sj_components_rehook(struct sj_view *v, const struct sj_tape *t, uint32_t list,
                          bool before); /* around an abort: unhooks, then hooks what is there */
enum sj_status sj_apply_components(struct sj_view *v, const struct sj_tape *t, uint32_t list, struct sj_origin origin,
                                   struct sj_faults *f);
enum sj_dialect sj_view_dialect(struct sj_view *v, const struct sj_tape *t, uint32_t cell);
void sj_view_free(struct sj_view *v);
struct sj_mem *sj_peer_account(const struct sj_a2ui *a, uint32_t peer); /* values in its surfaces belong to it */

/* rpc.c */
/* The answer to a callRendererFunction whose envelope is faulty. */
enum sj_status sj_rpc_refuse_call(struct sj_a2ui *a, uint32_t peer, struct sj_slice call_id, const struct sj_diag *d);
enum sj_status sj_rpc_call_renderer(struct sj_a2ui *a, uint32_t peer, const struct sj_tape *t, uint32_t body,
                                    struct sj_faults *f);
enum sj_status sj_rpc_agent_response(struct sj_a2ui *a, uint32_t peer, const struct sj_tape *t, uint32_t body,
                                     struct sj_faults *f);
enum sj_status sj_rpc_send_call(struct sj_a2ui *a, struct sj_view *v, struct sj_slice function,
                                struct sj_slice catalog_id, struct sj_slice args_json, uint64_t id);
enum sj_status sj_pending_add(struct sj_a2ui *a, const struct sj_pending *p, struct sj_pending **out);
void sj_pending_undo(struct sj_a2ui *a, uint64_t id); /* one that could not be sent */
void sj_pending_drop_peer(struct sj_a2ui *a, uint32_t peer);
uint32_t sj_rpc_call_wanted(void *ctx, struct sj_surface *s, const struct sj_function *f, const void *site,
                            const struct sj_value *args, uint32_t nargs);
void sj_rpc_call_gone(void *ctx, struct sj_surface *s, uint32_t core_id);
void sj_pending_drop_view(struct sj_a2ui *a, struct sj_view *v);

/* When a call made now is given up. The clock is the host's and may stand at its end. */
static inline int64_t sj_due(const struct sj_a2ui *a, uint32_t timeout_ms)
{
	return a->now_ms > INT64_MAX - (int64_t)timeout_ms ? INT64_MAX : a->now_ms + timeout_ms;
}

/* out.c */
enum sj_status sj_emit(struct sj_a2ui *a, const struct sj_out *o);
/* `version` is the message's own: the models that travel beside it are those of its family. */
enum sj_status sj_emit_send(struct sj_a2ui *a, uint32_t peer, enum sj_version version, struct sj_view *v,
                            struct sj_slice json);
/* What the agent's own message causes: an agent makes as many of them as it likes, so the models are taken when the
 * message is fetched, once for all that are waiting. */
enum sj_status sj_emit_reply(struct sj_a2ui *a, uint32_t peer, enum sj_version version, struct sj_view *v,
                             struct sj_slice json);
enum sj_status sj_emit_fault(struct sj_a2ui *a, uint32_t peer, enum sj_version version,
                                     struct sj_slice surface_id, struct sj_view *v, const struct sj_diag *d,
                                     bool answer);

#endif
