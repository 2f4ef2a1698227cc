/* What the files of the surface share. Nobody outside the module includes this.
 *
 * Words: a KEY is an interned token or id. A COMPONENT ENTRY exists for each id that is defined, or referred to by a
 * definition. A DEFINITION is one immutable block of memory, counted: the entry's current one (`def`), the one its
 * nodes were built from
 * (`built`, until the next settle), the journal's. A PLAN is the static subtree under the root or under one template;
 * its places are numbered k. A GROUP is one instance of a plan (the root's only one, or one row): arrays of INSTANCES
 * by k and of SLOTS. A LIST is a template edge of a plan; ROWS is one instance of it in a group.
 *
 * Marks (dirty slot, dirty list, changed definition) are intrusive and never allocate, so a write, an abort and a wake
 * cannot fail half-way. When memory runs out while structure is edited the whole node tree is dropped and rebuilt by
 * the next settle.
 */
#ifndef SJ_SURFACE_INTERNAL_H
#define SJ_SURFACE_INTERNAL_H

#include "base/buf.h"
#include "base/map.h"
#include "surface/surface.h"

#include <assert.h>

#define SJ_NONE UINT32_MAX
#define SJ_NO_USE UINT64_MAX
#define SJ_MAX_TOKENS 64u   /* of one address; limits.pointer_tokens may be lower */
#define SJ_MAX_FRAMES 32u   /* watches keep their bound frames in 32 bits; limits.scope_depth may be lower */
#define SJ_MAX_PATTERN 120u /* tokens of one watch pattern; a deeper place is watched from its ancestor */

/* As SJ_VEC_RESERVE, but growing by half from one item on: ten components must not pay for sixteen. */
#define SJ_ROOM(mem, v, need, max)                                                                                     \
	((need) <= (v)->cap ? SJ_OK                                                                                    \
	                    : sj_room((mem), (void **)&(v)->items, &(v)->cap, sizeof *(v)->items, (need), (max)))
SJ_COLD enum sj_status sj_room(struct sj_mem *m, void **items, uint32_t *cap, size_t item, uint32_t need, uint32_t max);

/* ---- keys -------------------------------------------------------------------------------------------------------- */

#define SJ_KEY_INLINE 16u
struct sj_key {
	uint32_t hash, len, refs; /* refs 0: free, `hash` is the next free one */
	uint32_t comp;            /* component entry with this id, 0: none */
	union {
		char *ptr;
		char in[SJ_KEY_INLINE];
	} u;
};
struct sj_keys {
	SJ_VEC(struct sj_key) v;
	struct sj_key_slot {
		uint32_t hash, key; /* key SJ_NONE: empty. The hash is here so that a probe looks at one key only */
	} *table; /* open addressing */
	uint32_t table_cap, used, first_free;
};
static inline uint64_t sj_load(const char *p, size_t n) /* n: 4 or 8 */
{
	uint64_t v = 0;
	memcpy(&v, p, n);
	return v;
}
static inline uint64_t sj_fold(uint64_t a, uint64_t b)
{
	__extension__ typedef unsigned __int128 wide;
	wide p = (wide)a * b;
	return (uint64_t)p ^ (uint64_t)(p >> 64);
}
/* For tables whose order nobody sees: reads words as the machine has them, ends overlapping. */
static inline uint64_t sj_quick_hash(struct sj_slice t, uint64_t seed)
{
	const uint64_t k1 = 0x9E3779B97F4A7C15u, k2 = 0xD1B54A32D192ED03u; /* odd: golden ratio, sqrt(3) */
	const char *p = t.ptr;
	size_t n = t.len;
	uint64_t a = 0, b = 0, h = seed ^ k1;
	for (; n > 16; p += 16, n -= 16)
		h = sj_fold(sj_load(p, 8) ^ h, sj_load(p + 8, 8) ^ k2);
	if (n >= 8)
		a = sj_load(p, 8), b = sj_load(p + n - 8, 8);
	else if (n >= 4)
		a = sj_load(p, 4), b = sj_load(p + n - 4, 4);
	else if (n)
		a = (uint64_t)(unsigned char)p[0] << 16 | (uint64_t)(unsigned char)p[n / 2] << 8 |
		    (unsigned char)p[n - 1];
	return sj_fold(a ^ h, b ^ k2 ^ t.len);
}
uint32_t sj_key_find(const struct sj_surface *s, struct sj_slice text); /* SJ_NONE: unknown */
uint32_t sj_key_take(struct sj_surface *s, struct sj_slice text);       /* one reference; SJ_NONE: out of memory */
void sj_key_drop(struct sj_surface *s, uint32_t key);
/* Seeded by where the surface lies, so that nobody can choose ids that collide. Numbers of keys do not depend on it. */
static inline uint64_t sj_token_hash(const struct sj_surface *s, struct sj_slice token)
{
	return sj_quick_hash(token, (uintptr_t)s);
}
uint32_t sj_key_find_hashed(const struct sj_surface *s, struct sj_slice text, uint64_t token_hash);
struct sj_slice sj_key_text(const struct sj_surface *s, uint32_t key);
void sj_keys_finish(struct sj_surface *s);

/* ---- code -------------------------------------------------------------------------------------------------------- */

enum sj_op {
	SJ_OP_CONST,
	SJ_OP_READ,
	SJ_OP_INDEX,
	SJ_OP_TEXT,
	SJ_OP_CONCAT,
	SJ_OP_CALL,
	SJ_OP_LIST,
	SJ_OP_MAP,
	SJ_OP_SELECT,
	SJ_OP_FAIL,
};
struct sj_ins {
	uint8_t op, n8; /* INDEX: frames up */
	uint16_t n;     /* MAP: members; FAIL: code */
	uint32_t arg;
};
struct sj_caddr {
	uint8_t root, relative, up, computed; /* computed: number of computed tokens */
	uint32_t count, seg0;
};
struct sj_cseg {
	uint32_t off, len; /* text; len SJ_NONE: computed */
	uint32_t index;    /* the token as an array index, SJ_NONE: it is none */
};
struct sj_callsite {
	const struct sj_function *f;
	const void *data;
	uint32_t nargs;
};
/* Where the parts of compiled code lie: bytes from the start of the block that holds them. */
struct sj_area {
	uint32_t calls, consts, nconsts, ins, addrs, segs, text;
};
struct sj_code_block {
	uint32_t bytes, nins;
	uint16_t stack;
	struct sj_area area;
};
#define SJ_AREA(base, off, type) ((const type *)(const void *)((const char *)(base) + (off)))

struct sj_code_builder {
	struct sj_surface *s;
	enum sj_status status;
	uint32_t depth, max_depth; /* of the code being written */
	uint32_t last_name, last_name_len;
	SJ_VEC(struct sj_ins) ins;
	SJ_VEC(struct sj_value) consts;
	SJ_VEC(struct sj_caddr) addrs;
	SJ_VEC(struct sj_cseg) segs;
	SJ_VEC(struct sj_callsite) calls;
	SJ_VEC(char) text;
};
void sj_code_builder_init(struct sj_code_builder *b, struct sj_surface *s);
void sj_code_builder_clear(struct sj_code_builder *b); /* keeps memory */
void sj_code_builder_finish(struct sj_code_builder *b);
void sj_code_fail(struct sj_code_builder *b, enum sj_status st);
uint32_t sj_code_text(struct sj_code_builder *b, struct sj_slice s); /* offset of its bytes */
uint32_t sj_code_addr(struct sj_code_builder *b, const struct sj_addr *a);
size_t sj_code_area_bytes(const struct sj_code_builder *b);
void sj_code_area_pack(struct sj_code_builder *b, void *block, size_t at,
                       struct sj_area *area); /* moves the constants */
void sj_code_area_release(struct sj_surface *s, void *block, const struct sj_area *area);

/* ---- definitions ------------------------------------------------------------------------------------------------- */

struct sj_dprop {
	uint32_t name, ins0;
	uint16_t name_len, nins; /* nins 0: literal only */
	uint16_t slot;
	unsigned ui : 6, cls : 3, flags : 7;
	struct sj_value literal;
};
_Static_assert(sizeof(struct sj_dprop) == 32 && SJ_UI_PROP_COUNT <= 64, "a property is 32 bytes");
struct sj_dedge {
	uint32_t comp;
	uint32_t index;
	uint32_t name, member;
	uint32_t addr; /* SJ_NONE: an explicit child */
	uint16_t name_len;
	uint8_t member_len, ui;
};
#define SJ_PF_READ 32u   /* the core's own, beside SJ_PF_*: the code is one READ of a fixed address */
#define SJ_PF_FORMAT 64u /* ... or texts of constants and fixed addresses, joined */
#define SJ_DF_UNKNOWN 1u
#define SJ_DF_TEMPLATE 2u /* has a template edge */
#define SJ_DF_ACTION 4u
#define SJ_DF_CHECK 8u
#define SJ_DF_VISIBLE 16u
struct sj_def {
	uint32_t refs, bytes;
	uint32_t nprops, nedges;
	uint32_t edges; /* bytes from the start of the block */
	uint16_t nslots, stack; /* stack: cells the largest code needs */
	uint16_t type_len;      /* of the type's name, which begins the text */
	uint8_t kind, flags;
	struct sj_area area;
	void *ctx;
	void (*release)(void *ctx, struct sj_mem *mem);
	struct sj_origin origin;
	uint32_t realm; /* the source of the type */
	struct sj_dprop props[];
};
static inline const struct sj_dedge *sj_def_edges(const struct sj_def *d)
{
	return SJ_AREA(d, d->edges, struct sj_dedge);
}
static inline struct sj_slice sj_def_text(const struct sj_def *d, uint32_t off, uint32_t len)
{
	return sj_slice(SJ_AREA(d, d->area.text, char) + off, len);
}

static inline bool sj_def_is_eager(const struct sj_def *d) { return d->flags & (SJ_DF_CHECK | SJ_DF_VISIBLE); }

#define SJ_CF_CHANGED 1u /* in the chain of changed entries */
#define SJ_CF_ONCE 2u    /* was defined once: its number stays its own */
#define SJ_CF_MASKED 4u  /* in the list of entries whose mask is not empty */
struct sj_comp {
	uint32_t key;
	uint32_t refs; /* definition blocks with an edge to it, one more for the root's; free entry: next free one */
	uint32_t in_degree; /* edges of current definitions */
	uint32_t order;     /* place in s->order, SJ_NONE */
	uint32_t next_changed;
	uint32_t scratch;   /* 0 between uses */
	uint32_t action_at; /* place in s->actions, SJ_NONE */
	uint32_t flags;
	struct sj_def *def, *built;
	uint64_t first_use; /* plan << 32 | k */
	uint64_t mask;      /* meanings whose literal changed since the last batch */
	uint32_t
		grown_from; /* bytes a face knows of the literal of meaning `grown`, which since only grew at its end */
	uint8_t grown;       /* SJ_P_NONE: none */
};
static inline struct sj_comp *sj_comp_at(struct sj_surface *s, uint32_t ref);
uint32_t sj_comp_intern(struct sj_surface *s, struct sj_slice id); /* 0: out of memory */
void sj_comp_release(struct sj_surface *s, uint32_t ref);          /* frees the entry when nothing needs it */
void sj_def_ref(struct sj_def *d);
void sj_def_drop(struct sj_surface *s, struct sj_def *d);
void sj_comp_swap(struct sj_surface *s, uint32_t ref, struct sj_def *def,
                  uint32_t order);                     /* counters, order, changed mark; moves def in */
void sj_comp_root(struct sj_surface *s, uint32_t ref); /* the root's place; counters */
void sj_comp_mark_changed(struct sj_surface *s, uint32_t ref);
void sj_def_builders_finish(struct sj_surface *s);

/* ---- watch trie -------------------------------------------------------------------------------------------------- */

struct sj_trie_node {
	uint32_t parent, key; /* key SJ_NONE: a star or a root; free: parent is the next free one */
	uint32_t star, first_child, next, prev, children;
	uint32_t watches;
	uint32_t refs; /* children, star, watches, plans standing on it */
	uint16_t depth;
	uint8_t hashed; /* children are in s->trie_edges too */
};
enum sj_watch_kind { SJ_W_SLOT, SJ_W_LIST, SJ_W_PUBLIC };
struct sj_watch {
	uint32_t next, prev, trie; /* in order of registration; the first one's prev is the last */
	uint32_t next_own;
	uint32_t plan, k, what; /* slot of the component, list of the plan, or public watch */
	uint32_t frames;        /* bit f: the f-th star of the pattern's plan chain is bound (bit 0: outermost frame) */
	uint8_t kind;
	bool deep; /* LIST: stands above its list, so anything below counts */
};
struct sj_public_watch {
	sj_watch_fn fn; /* NULL: free, `next` is the next free one */
	void *ctx;
	uint32_t watch, next;
	bool marked;
};
uint32_t sj_trie_root(struct sj_surface *s, enum sj_root root);
uint32_t sj_trie_step(struct sj_surface *s, uint32_t node,
                      struct sj_slice token); /* makes it; SJ_NONE: out of memory */
uint32_t sj_trie_step_star(struct sj_surface *s, uint32_t node);
void sj_trie_hold(struct sj_surface *s, uint32_t node);
void sj_trie_let(struct sj_surface *s, uint32_t node);   /* gives back one hold */
void sj_trie_prune(struct sj_surface *s, uint32_t node); /* frees it and its ancestors while nobody needs them */
/* The pattern node of an address read in a plan's scope, and which frames its stars bind. cut: it is an ancestor of the
 * place, because the pattern would be too long or the rest is computed. */
uint32_t sj_trie_address(struct sj_surface *s, uint32_t plan, const void *block, const struct sj_area *area,
                         uint32_t addr, uint32_t *frames, bool *cut);
uint32_t sj_watch_add(struct sj_surface *s, uint32_t trie, struct sj_watch w); /* SJ_NONE: out of memory */
void sj_watch_remove(struct sj_surface *s, uint32_t watch);
struct sj_wake_at {
	enum sj_root root;
	const struct sj_slice *tokens;
	uint32_t count;
	bool shape_above; /* the container that holds the place changed its length */
	bool append;      /* text was added at the end of what stands there */
	bool differs;     /* the two values are known not to be equal */
	const uint64_t *hashes; /* of the tokens; NULL: not known */
	const struct sj_value *lend; /* nothing changed yet: slots that hold this text give up their count */
};
/* The place at `w` held `before` and holds `after`: marks everything that depends on what differs. */
void sj_wake(struct sj_surface *s, const struct sj_wake_at *w, const struct sj_value *before,
             const struct sj_value *after);
void sj_trie_finish(struct sj_surface *s);

/* ---- plans and groups -------------------------------------------------------------------------------------------- */

struct sj_pnode {
	uint32_t comp;         /* 0: free, `parent` is the next free one */
	uint32_t parent, edge; /* parent SJ_NONE: the plan's root */
	uint32_t slot0, watches, born;
	uint16_t depth;
	uint8_t why, pad;
	union {
		uint32_t *v;
		uint32_t one;
	} kids; /* by edge: k of an explicit child, list number of a template; SJ_NONE while being built */
	const struct sj_def *def; /* what the place was built from while `why` is SHOWN */
	uint64_t next_use, prev_use;
};
struct sj_plist {
	uint32_t k, edge; /* k SJ_NONE: free, `edge` is the next free one */
	uint32_t child, over; /* plans, SJ_NONE while not needed */
};
struct sj_range {
	uint32_t start, count;
};
struct sj_plan {
	uint32_t id, parent, list; /* list: of the parent's plan */
	uint32_t depth;            /* frames */
	uint32_t item;             /* trie node of the item's pattern; SJ_NONE: the root's plan */
	uint32_t frames;
	uint32_t free_k, free_list, live;
	uint32_t nslots, garbage, groups;
	uint32_t eager; /* places with slots that are observable while nobody looks */
	uint8_t root; /* enum sj_root the items live in */
	bool over;    /* holds one placeholder */
	bool holey;   /* more of its slots are unused than used */
	SJ_VEC(struct sj_pnode) nodes;
	SJ_VEC(struct sj_plist) lists;
	SJ_VEC(struct sj_range) ranges; /* unused slots */
};
static inline uint32_t *sj_pnode_kids(struct sj_pnode *pn, uint32_t nedges)
{
	return nedges == 1 ? &pn->kids.one : pn->kids.v;
}

#define SJ_IF_DIRTY 1u    /* in its group's chain */
#define SJ_IF_QUEUED 2u   /* in s->changed */
#define SJ_IF_SET 4u      /* a slot changed since the last batch */
#define SJ_IF_DEF 8u      /* the entry's mask counts */
#define SJ_IF_FLAGS 16u
#define SJ_IF_LOCAL 32u
#define SJ_IF_INVALID 64u
#define SJ_IF_HIDDEN 128u
struct sj_inst {
	uint32_t next_dirty;
	uint16_t gen; /* 0: no node */
	uint16_t flags;
};

#define SJ_SF_DIRTY 1u
#define SJ_SF_FORCE 2u    /* a container it reads really changed */
#define SJ_SF_CHANGED 4u  /* since the last batch */
#define SJ_SF_APPENDED 8u /* ... and only by growing at the end; `seen` is the length the face knows */
#define SJ_SF_MODEL 16u   /* the value is a container of the model: not counted, read again when asked for */
#define SJ_SF_LENT 32u    /* the string's count was given up for an append in place: read again */
#define SJ_SF_CHARGED 128u /* its value is on the surface's account of large computed values */
#define SJ_SF_PENDING 64u /* calls of this slot are in the pending table */
struct sj_slot {
	struct sj_value v;
	uint32_t seen;
	uint16_t fault; /* enum sj_code reported and not yet over */
	uint8_t result, flags;
};
struct sj_rows {
	uint32_t *ids;
	uint32_t count, cap, next_dirty, lo, hi;
	bool dirty, over; /* over: the last group is a placeholder */
};
#define SJ_GF_DIRTY 1u
#define SJ_GF_ALL 2u /* every instance may have dirty slots, chained or not */
#define SJ_GF_LISTS 4u
struct sj_group {
	uint32_t id, plan, parent, row, born;
	uint32_t next_dirty, prev_dirty, first_dirty, last_dirty;
	uint32_t next_lists, prev_lists, first_list, last_list;
	uint32_t ninsts, nslots, nlists, flags;
	size_t bytes;
	struct sj_slot *slots;
	struct sj_rows *lists;
	struct sj_inst *insts;
};

struct sj_giter {
	struct sj_surface *s;
	uint32_t depth, plan, at;
	bool first;
	struct {
		uint32_t list, plan, gid, i, end, bound;
	} level[SJ_MAX_FRAMES + 1];
};
void sj_giter_begin(struct sj_giter *it, struct sj_surface *s, uint32_t plan, uint32_t frames, const uint32_t *rows);
bool sj_giter_next(struct sj_giter *it, uint32_t *gid);

enum sj_status sj_plan_root(struct sj_surface *s);                  /* makes the root plan and its group */
enum sj_status sj_plan_reconcile(struct sj_surface *s,
                                 uint32_t ref);    /* all nodes of an entry whose definition changed */
enum sj_status sj_plan_grow(struct sj_surface *s); /* makes the children that are still missing, in plans and groups */
enum sj_status sj_plan_child(struct sj_surface *s, uint32_t plan, uint32_t list, bool over, uint32_t *out);
void sj_plan_destroy(struct sj_surface *s, uint32_t plan); /* without groups */
void sj_plan_close_gaps(struct sj_surface *s);             /* in plans marked holey; without memory they wait */
void sj_plan_lose(struct sj_surface *s);                   /* the whole node tree goes; cannot fail */
uint32_t sj_plan_drawn(const struct sj_surface *s, const struct sj_group *g, uint32_t k,
                       uint32_t edge); /* drawn children before an edge */

enum sj_status sj_group_create(struct sj_surface *s, uint32_t plan, uint32_t parent, uint32_t row, uint32_t *out);
enum sj_status sj_group_fit(struct sj_surface *s, uint32_t gid); /* room for all of its plan */
void sj_group_destroy(struct sj_surface *s, uint32_t gid);
void sj_group_clear_node(struct sj_surface *s, struct sj_group *g,
                         uint32_t k); /* its instance, slots and rows go; the plan still knows k */
void sj_group_fresh_node(struct sj_surface *s, struct sj_group *g, uint32_t k);
void sj_group_mark(struct sj_surface *s, struct sj_group *g, uint32_t k);
void sj_group_mark_all(struct sj_surface *s, struct sj_group *g);
void sj_group_mark_list(struct sj_surface *s, struct sj_group *g, uint32_t list);
void sj_group_unmark_lists(struct sj_surface *s, struct sj_group *g);
void sj_rows_clear(struct sj_surface *s, struct sj_rows *rows); /* its groups go */
void sj_group_unmark(struct sj_surface *s, struct sj_group *g);
enum sj_status sj_group_rows(struct sj_surface *s, uint32_t gid, uint32_t list); /* as many rows as the model says */
void sj_group_wake_stale(struct sj_surface *s, uint32_t gid);
bool sj_group_in_window(const struct sj_surface *s, const struct sj_group *g);
void sj_slot_clear(struct sj_surface *s, struct sj_slot *slot);
void sj_slot_uncharge(struct sj_surface *s, struct sj_slot *slot); /* before its value goes or changes */
uint16_t sj_next_gen(struct sj_surface *s);

static inline bool sj_group_is_new(const struct sj_surface *s, const struct sj_group *g, uint32_t k);
static inline sj_node_id sj_handle(const struct sj_group *g, uint32_t k)
{
	return (uint64_t)g->insts[k].gen << 48 | (uint64_t)g->id << 24 | k;
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

struct sj_eval {
	struct sj_surface *s;
	uint32_t gid, k; /* gid SJ_NONE: the surface's own scope */
	const void *block;
	const struct sj_area *area;
	uint32_t ins0, nins, stack;
	uint32_t slot;    /* place of the slot in its group for pending calls; SJ_NONE: none */
	bool pending_used;
	bool faulted;     /* diag holds a fault to report */
	bool no_memory;   /* the result means nothing */
	struct sj_diag *diag;
};
struct sj_out {
	struct sj_value v;
	uint8_t r; /* enum sj_result */
	bool owned; /* else borrowed from the model or the code */
};
enum sj_result sj_eval_run(struct sj_eval *e, struct sj_out *out);
/* The place a code's last READ names, as "/a/b". false: it is no single READ, or a computed token failed. */
bool sj_eval_place(struct sj_eval *e, enum sj_root *root, struct sj_buf *pointer);
const struct sj_value *sj_eval_address(struct sj_surface *s, uint32_t gid, const void *block,
                                       const struct sj_area *area, uint32_t addr);
enum sj_status sj_eval_slot(struct sj_surface *s, uint32_t gid, uint32_t k, uint32_t prop, bool tell,
                            bool *changed); /* a dirty slot; SJ_NOMEM: still dirty */
const struct sj_value *sj_slot_value(struct sj_surface *s, uint32_t gid, uint32_t k, uint32_t prop); /* NULL: absent */
void sj_group_pointer(const struct sj_surface *s, uint32_t gid, struct sj_buf *out); /* "" at the top */

/* ---- pending calls ----------------------------------------------------------------------------------------------- */

struct sj_pending {
	uint32_t call; /* 0: free, `next` is the next free one */
	uint32_t gid, slot, k, site, next, chain; /* chain: the next call of the same slot */
	uint64_t args;
	uint8_t state, source; /* enum sj_result of the last answer; SJ_R_PENDING: none yet */
	bool seen;             /* used by the evaluation that runs now */
	struct sj_value last;
	enum sj_code code;
	char *message;
	size_t message_len;
};
enum sj_result sj_pending_call(struct sj_eval *e, uint32_t site, const struct sj_callsite *c,
                               const struct sj_value *args, struct sj_out *out);
void sj_pending_begin(struct sj_surface *s, uint32_t gid, uint32_t slot);
void sj_pending_end(struct sj_surface *s, uint32_t gid,
                    uint32_t slot); /* drops calls the evaluation did not make again */
void sj_pending_forget(struct sj_surface *s, uint32_t gid, uint32_t slot);
void sj_pending_finish(struct sj_surface *s);

/* ---- transactions ------------------------------------------------------------------------------------------------ */

enum sj_undo_kind { SJ_U_REPLACED, SJ_U_ADDED, SJ_U_APPENDED, SJ_U_DEF, SJ_U_ROOT_COMP };
struct sj_undo {
	uint8_t kind, root;
	uint16_t depth, count; /* tokens of the changed place; tokens the writer named */
	uint32_t text;         /* where the tokens are in s->undo_text */
	uint32_t n; /* ADDED to an array: its old length; APPENDED: old bytes; DEF: entry; ROOT_COMP: entry */
	uint32_t order;
	bool once;             /* DEF: it was the entry's first definition */
	uint64_t place;        /* of the named place, see sj_place_hash */
	sj_node_id node;       /* whose local state it is */
	struct sj_value old;
	struct sj_def *def;
};
/* The next entry, not yet counted; NULL: no memory. `place`: hash of what the tokens name. */
struct sj_undo *sj_undo_reserve(struct sj_surface *s, const struct sj_slice *tokens, uint32_t count, uint64_t place);
/* As sj_surface_set, but every missing container becomes an object. */
enum sj_status sj_surface_set_in_objects(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens,
                                         uint32_t count, struct sj_value take);
const struct sj_value *sj_value_walk(const struct sj_value *v, const struct sj_slice *tokens, uint32_t count);

/* ---- places ------------------------------------------------------------------------------------------------------ */

struct sj_origin_entry {
	uint64_t place; /* hash of root and tokens */
	uint64_t offset;
	uint32_t message, serial;
};
/* A place's hash is made of its root's and then of its tokens' hashes, one after another. */
static inline uint64_t sj_place_hash(enum sj_root root) { return 1 + (uint64_t)root; }
static inline uint64_t sj_place_below(uint64_t place, uint64_t token_hash)
{
	return sj_fold(place ^ token_hash, 0x9E3779B97F4A7C15u);
}
void sj_origin_note(struct sj_surface *s, uint64_t place, struct sj_origin o);
/* Does one of these operations read a secret place, or one above or below it? Computed addresses count as such. */
bool sj_secret_read(struct sj_surface *s, uint32_t gid, const void *block, const struct sj_area *area, uint32_t from,
                    uint32_t to);
/* A copy with every string, number and bool masked. */
enum sj_status sj_secret_mask(struct sj_mem *m, const struct sj_value *v, struct sj_value *out);
enum sj_status sj_secret_local(struct sj_surface *s, sj_node_id n, enum sj_ui_prop ui);
enum sj_status sj_secret_mark(struct sj_surface *s, enum sj_root root, const struct sj_slice *tokens, uint32_t count);

/* ---- changes ----------------------------------------------------------------------------------------------------- */

struct sj_changed {
	uint32_t gid, k, cause;
	uint16_t gen;
};
struct sj_splice {
	sj_node_id node;
	uint32_t cause, lo, remove, add;
	SJ_VEC(uint32_t) replaced; /* children that gave way to another one, in the coordinates after the splice */
};
enum sj_status sj_note_changed(struct sj_surface *s, struct sj_group *g, uint32_t k, unsigned flags);
enum sj_status sj_note_new(struct sj_surface *s, sj_node_id n);
enum sj_status sj_note_gone(struct sj_surface *s, struct sj_group *g, uint32_t k); /* before the instance dies */
enum sj_status sj_note_splice(struct sj_surface *s, struct sj_group *g, uint32_t k, uint32_t lo, uint32_t remove,
                              uint32_t add);
enum sj_status sj_note_replaced(struct sj_surface *s, struct sj_group *g, uint32_t k, uint32_t index);
enum sj_status sj_note_mask(struct sj_surface *s, uint32_t ref, uint64_t mask);
/* The literal of a meaning went from one text to a longer one that begins with it. */
enum sj_status sj_note_grown(struct sj_surface *s, uint32_t ref, enum sj_ui_prop ui, uint32_t from);
void sj_changes_finish(struct sj_surface *s);

/* ---- input ------------------------------------------------------------------------------------------------------- */

struct sj_edit {
	bool open;
	sj_node_id node;
	enum sj_ui_prop prop;
	uint32_t serial;
	struct sj_value before; /* ABSENT: there was none */
	bool echo, held;   /* what its next change record carries */
	bool behind;       /* the face shows another text than the model holds */
	uint32_t cause;
};
struct sj_focus {
	sj_node_id node;
	uint32_t key; /* id of its component */
	SJ_VEC(uint32_t) rows;
	SJ_VEC(sj_node_id) ancestors; /* nearest first */
	bool moved;
};
void sj_focus_settle(struct sj_surface *s);
void sj_edit_saw(struct sj_surface *s); /* the edited property's value changed */
void sj_input_finish(struct sj_surface *s);

/* ---- the surface ------------------------------------------------------------------------------------------------- */

struct sj_pair {
	uint32_t plan, k;
};

struct sj_surface {
	struct sj_mem *mem;
	const struct sj_limits *limits;
	const struct sj_driver *driver;
	void *ctx;
	bool gate, lazy, map_rows;

	struct sj_keys keys;

	SJ_VEC(struct sj_comp) comps; /* entry n is comps.items[n - 1] */
	SJ_VEC(uint32_t) order;       /* defined entries in order of first definition */
	SJ_VEC(uint32_t) actions;     /* entries whose nodes have an action */
	uint32_t free_comp, root_comp, ever_defined;
	uint32_t dangling, orphans;
	uint32_t first_changed, last_changed;
	struct sj_def_builder *spare;

	struct sj_value roots[SJ_ROOT_COUNT];
	struct sj_map64 charged;  /* body of a large computed value -> its bytes (limits.computed_bytes) */
	uint64_t charged_bytes;
	bool charged_over; /* reported, and no large value has found room since */
	uint32_t epoch; /* of the model: grows with each write, so that pointers into it can be kept for a while */

	SJ_VEC(struct sj_trie_node) trie;
	SJ_VEC(struct sj_watch) watches;
	SJ_VEC(struct sj_public_watch) publics;
	uint32_t free_trie, free_watch, free_public, marked_publics;
	uint32_t trie_roots[SJ_ROOT_COUNT];
	struct sj_map64 trie_edges;

	SJ_VEC(struct sj_plan *) plans; /* odd: a free number, holding the next one */
	SJ_VEC(struct sj_group *) groups; /* likewise */
	uint32_t free_plan, free_gid;
	struct sj_def *torn; /* keeps a definition until its half-edited nodes are taken down */
	uint32_t root_plan, root_group;
	uint64_t node_count, planned; /* planned: nodes of the plans being written, not yet in a group */
	uint32_t dirty_groups, last_dirty_group, dirty_lists, last_dirty_lists; /* chains */
	uint16_t gen;
	bool tree_lost, root_dirty, limit_hit, settling, gate_dirty, holey;
	bool dying; /* the surface goes as a whole: no one needs its indices any more */
	bool owes_settled; /* a preview was settled inside a transaction: the language is called after it */
	SJ_VEC(struct sj_pair) work;  /* places whose children are to be made */
	SJ_VEC(struct sj_pair) fresh; /* new places of plans that have groups */
	SJ_VEC(uint32_t) kill;
	uint64_t use_cursor; /* the next node of the entry being reconciled */
	SJ_VEC(sj_node_id) placeholders; /* to report */

	struct { /* the value that a slot outside any row was woken for, good for one epoch and one structure */
		uint32_t gid, slot, epoch;
		const struct sj_value *v; /* NULL: none */
	} woken;
	struct { /* the last address read outside any row, likewise; its text is a shown definition's */
		const struct sj_cseg *segs; /* NULL: none */
		const char *text;
		uint32_t epoch, count, root;
		const struct sj_value *v;
	} read;
	struct { /* the last row item found, good for one epoch */
		uint32_t gid, epoch, list_gid, list, list_epoch;
		const struct sj_value *item, *rows;
	} cache;
	struct sj_buf scratch;

	uint32_t batch; /* number of the batch being gathered: `born` of what no face knows yet */
	SJ_VEC(struct sj_changed) changed;
	SJ_VEC(sj_node_id) news;
	SJ_VEC(sj_node_id) gones;
	SJ_VEC(struct sj_splice) splices;
	SJ_VEC(uint32_t) masked; /* entries whose mask is not empty */
	SJ_VEC(struct sj_change) records;
	struct sj_map64 splice_of;
	bool root_changed;
	sj_node_id lost_root;
	uint32_t cause;
	uint32_t invalid_count;
	bool gate_closed; /* what the actions were told */

	bool txn_open;
	struct sj_origin origin;
	SJ_VEC(struct sj_undo) undo;
	SJ_VEC(char) undo_text;
	sj_node_id undo_node;
	SJ_VEC(uint32_t) touched; /* entries of the journal that make a net difference, as of touched_at entries */
	uint32_t touched_at;

	SJ_VEC(struct sj_pending) pending;
	uint32_t free_pending, pending_live;
	struct sj_map64 pending_of; /* group and slot -> first call */

	SJ_VEC(struct sj_origin_entry) origins; /* open addressing; count is how many are used */
	uint32_t origin_serial;
	struct sj_value secrets[SJ_ROOT_COUNT]; /* nested objects down to `true`; ABSENT: none */

	struct sj_edit edit;
	struct sj_focus focus;
	bool own_input; /* the open transaction is the edit session's */
};

/* May a template repeat over this value? An object's members are rows where the language says so. */
static inline bool sj_has_rows(const struct sj_surface *s, const struct sj_value *v)
{
	return v->type == SJ_V_ARRAY || (s->map_rows && v->type == SJ_V_OBJECT);
}
/* The value of a row, NULL when there is none; the member's name where the rows are an object's members. */
const struct sj_value *sj_row_at(const struct sj_surface *s, const struct sj_value *rows, uint32_t row,
                                 struct sj_slice *key);

static inline struct sj_comp *sj_comp_at(struct sj_surface *s, uint32_t ref) { return &s->comps.items[ref - 1]; }
static inline const struct sj_comp *sj_comp_of(const struct sj_surface *s, uint32_t ref)
{
	return &s->comps.items[ref - 1];
}
static inline struct sj_group *sj_group_at(const struct sj_surface *s, uint32_t gid) { return s->groups.items[gid]; }
static inline struct sj_plan *sj_plan_at(const struct sj_surface *s, uint32_t plan) { return s->plans.items[plan]; }
static inline bool sj_group_is_new(const struct sj_surface *s, const struct sj_group *g, uint32_t k)
{
	return g->born == s->batch || sj_plan_at(s, g->plan)->nodes.items[k].born == s->batch;
}
/* The group and place of a handle; NULL: the node is gone. */
struct sj_group *sj_node_group(const struct sj_surface *s, sj_node_id n, uint32_t *k);
bool sj_has_work(const struct sj_surface *s);
/* Where a bound property reads and writes. */
bool sj_node_place(struct sj_surface *s, sj_node_id n, enum sj_ui_prop ui, enum sj_root *root, struct sj_buf *pointer,
                   bool *secret);
uint32_t sj_pointer_split(struct sj_buf *decoded, struct sj_slice pointer, struct sj_slice tokens[SJ_MAX_TOKENS]);

#endif
