/* Counted JSON values: what is kept longer than a message (the data model, odd literals).
 *
 * A struct sj_value is 16 bytes, passed by value. Strings up to 14 bytes live inside it. Arrays hold chunks of up to
 * 128 values and objects keep insertion order with an index above 16 members; both are counted and immutable while
 * shared: a write to an unshared container happens in place, a write to a shared one copies only the containers on the
 * way (of a list: one chunk and the table of chunks). Whoever holds a value owns one count; "take" arguments consume a
 * count, "borrow" (const) arguments do not. Values never cross threads or memory accounts. No operation recurses on
 * depth.
 *
 * SJ_V_ABSENT is not JSON: it is "nothing here" (a hole in an array, a missing member). A hole prints as null.
 */
#ifndef SJ_JSON_VALUE_H
#define SJ_JSON_VALUE_H

#include "base/buf.h"
#include "json/tape.h"

enum sj_value_type {
	SJ_V_ABSENT,
	SJ_V_NULL,
	SJ_V_FALSE,
	SJ_V_TRUE,
	SJ_V_INT,    /* integral numbers within +-2^53 are always INT, so equal numbers have equal types; -0 is INT 0 */
	SJ_V_DOUBLE, /* every other finite number; infinities come only from overflowing literals */
	SJ_V_SHORT,  /* string of <= 14 bytes, inline */
	SJ_V_STRING, /* longer string, counted */
	SJ_V_ARRAY,
	SJ_V_OBJECT,
};

struct sj_vstr;
struct sj_list;
struct sj_vmap;

struct sj_value {
	uint8_t type; /* enum sj_value_type */
	uint8_t len;  /* SHORT: bytes */
	char in[6];   /* SHORT: bytes 0..5; the rest in u.in */
	union {
		int64_t i;
		double d;
		struct sj_vstr *s;
		struct sj_list *a;
		struct sj_vmap *o;
		char in[8];
	} u;
};
_Static_assert(sizeof(struct sj_value) == 16, "a value is 16 bytes");

#define SJ_ABSENT_VALUE ((struct sj_value){.type = SJ_V_ABSENT})
#define SJ_NULL_VALUE ((struct sj_value){.type = SJ_V_NULL})

static inline struct sj_value sj_value_bool(bool b) { return (struct sj_value){.type = b ? SJ_V_TRUE : SJ_V_FALSE}; }
struct sj_value sj_value_int(int64_t i);      /* outside +-2^53: DOUBLE */
struct sj_value sj_value_number(double d);    /* INT when integral; NaN: NULL */
enum sj_status sj_value_string(struct sj_mem *m, struct sj_slice s, struct sj_value *out);
enum sj_status sj_value_array(struct sj_mem *m, struct sj_value *out);  /* empty */
enum sj_status sj_value_object(struct sj_mem *m, struct sj_value *out);
/* The same with room for `members` of them. */
enum sj_status sj_value_object_for(struct sj_mem *m, uint32_t members, struct sj_value *out); /* empty */

static inline bool sj_value_is_counted(struct sj_value v) { return v.type >= SJ_V_STRING; }
static inline struct sj_value sj_value_ref(struct sj_value v);
void sj_value_free_counted(struct sj_mem *m, struct sj_value v); /* the slow half of unref */
static inline void sj_value_unref(struct sj_mem *m, struct sj_value v);

static inline bool sj_value_is_string(const struct sj_value *v)
{
	return v->type == SJ_V_SHORT || v->type == SJ_V_STRING;
}
static inline bool sj_value_is_number(const struct sj_value *v)
{
	return v->type == SJ_V_INT || v->type == SJ_V_DOUBLE;
}
static inline bool sj_value_is_bool(const struct sj_value *v) { return v->type == SJ_V_TRUE || v->type == SJ_V_FALSE; }
static inline bool sj_value_is_container(const struct sj_value *v) { return v->type >= SJ_V_ARRAY; }
/* The bytes of a string value; borrowed from *v (which must not move: short strings live in it). {"",0} for other
 * types. */
struct sj_slice sj_value_text(const struct sj_value *v);
double sj_value_double(const struct sj_value *v); /* of a number; 0 for other types */

/* Reading containers. Returned pointers are borrowed until the container is written or freed; NULL when absent. A hole
 * of an array is there: its item is an ABSENT value. */
uint32_t sj_value_count(const struct sj_value *v); /* items or members; 0 for other types */
const struct sj_value *sj_value_item(const struct sj_value *array, uint32_t index);
const struct sj_value *sj_value_get(const struct sj_value *object, struct sj_slice key);
/* Member `i` in insertion order, 0 <= i < count. */
const struct sj_value *sj_value_member(const struct sj_value *object, uint32_t i, struct sj_slice *key);
/* Changes with every in-place write to the container (not to what is below it). 0 for scalars. */
uint32_t sj_value_stamp(const struct sj_value *v);
const void *sj_value_identity(const struct sj_value *v); /* the counted body, NULL for inline values */
/* The item lies in memory that another list shows too: a container in it may have one owner and yet be seen twice. */
bool sj_value_item_shared(const struct sj_value *array, uint32_t index);
uint32_t sj_value_refs(const struct sj_value *v);        /* owners of the body; 1 for inline values */

/* Writing. `v` must be of the right type. The item/member value is taken. When `v` is shared it is first replaced by
 * its own shallow copy. On SJ_NOMEM nothing changed and the taken value was released. */
enum sj_status sj_value_append(struct sj_mem *m, struct sj_value *array, struct sj_value take);
/* Beyond the end it pads with ABSENT holes: whoever takes an index from a peer bounds the gap first. */
enum sj_status sj_value_set_item(struct sj_mem *m, struct sj_value *array, uint32_t index, struct sj_value take);
/* Both shift what lies behind. Inserting at or beyond the end is setting; removing beyond it is SJ_ABSENT. */
enum sj_status sj_value_insert(struct sj_mem *m, struct sj_value *array, uint32_t index, struct sj_value take);
enum sj_status sj_value_remove(struct sj_mem *m, struct sj_value *array, uint32_t index);
enum sj_status sj_value_truncate(struct sj_mem *m, struct sj_value *array, uint32_t count);
/* A new key comes last, a known one keeps its place; to set ABSENT is to unset. */
enum sj_status sj_value_set(struct sj_mem *m, struct sj_value *object, struct sj_slice key, struct sj_value take);
enum sj_status sj_value_unset(struct sj_mem *m, struct sj_value *object, struct sj_slice key); /* absent key: SJ_OK */
/* Writable access to a child: makes `v` unshared, returns its child in place (which may itself be shared). NULL: absent
 * or out of memory (*status tells). The stamp of `v` is bumped. The child may be written through the pointer until `v`
 * is written, freed, or gets another owner. */
struct sj_value *sj_value_own_item(struct sj_mem *m, struct sj_value *array, uint32_t index, enum sj_status *status);
struct sj_value *sj_value_own_member(struct sj_mem *m, struct sj_value *object, struct sj_slice key,
                                     enum sj_status *status);
/* The same for a member that sj_value_get has just found in an object with one owner: nothing is looked up again. */
struct sj_value *sj_value_own_found(struct sj_mem *m, struct sj_value *object, const struct sj_value *found);
/* Makes the value the string `text`, which may not lie in it; in the memory it has where nobody shares that. */
enum sj_status sj_value_string_set(struct sj_mem *m, struct sj_value *string, struct sj_slice text);
/* Appends bytes to a string value; in place and amortised O(n) when unshared (streaming text). */
enum sj_status sj_value_string_append(struct sj_mem *m, struct sj_value *string, struct sj_slice more);

/* Whole values. */
enum sj_status sj_value_from_tape(struct sj_mem *m, const struct sj_tape *t, uint32_t cell, struct sj_value *out);
/* A copy that belongs to account `to`: counted bodies may not cross from one account to another. SJ_NOMEM. */
enum sj_status sj_value_copy(struct sj_mem *to, const struct sj_value *v, struct sj_value *out);
enum sj_status sj_value_parse(struct sj_mem *m, const struct sj_json_options *opt, struct sj_slice text,
                              struct sj_value *out, struct sj_diag *diag);
bool sj_value_equal(const struct sj_value *a,
                    const struct sj_value *b); /* object order ignored; ABSENT equals ABSENT only */

/* Pointer, RFC 6901. sj_value_at: NULL when absent. */
const struct sj_value *sj_value_at(const struct sj_value *root, struct sj_slice pointer);
bool sj_pointer_check(struct sj_slice pointer); /* "" or (/token)*, ~ only as ~0 ~1 */
/* Token iteration: *at starts at 0; returns false at the end. The decoded token is written to `buf` when it holds ~,
 * else borrowed. */
bool sj_pointer_next(struct sj_slice pointer, size_t *at, struct sj_buf *buf, struct sj_slice *token);
void sj_pointer_append(struct sj_buf *out, struct sj_slice token); /* "/" and the escaped token */

/* JSON Patch, RFC 6902. Applies all or nothing: *doc is replaced only on SJ_OK. diag->pointer names the operation
 * ("/3"). */
enum sj_status sj_json_patch(struct sj_mem *m, struct sj_value *doc, const struct sj_value *patch,
                             struct sj_diag *diag);

/* Printing, into a buffer (whose status tells of failure). No recursion on depth. */
enum sj_print {
	SJ_PRINT_COMPACT = 0,
	SJ_PRINT_SORTED = 1 /* members by code point */,
	SJ_PRINT_UTF16 = 2 /* members by UTF-16, RFC 8785 */,
	SJ_PRINT_PRETTY = 4 /* two spaces */
};
void sj_value_print(struct sj_buf *out, const struct sj_value *v, unsigned flags);
void sj_json_print_string(struct sj_buf *out, struct sj_slice text); /* quoted; lone surrogates as \udXXX */
/* RFC 8785 canonical form. */
void sj_value_canonical(struct sj_buf *out, const struct sj_value *v);

/* inline halves */
static inline struct sj_value sj_value_ref(struct sj_value v)
{
	if (sj_value_is_counted(v))
		++*(uint32_t *)(void *)v.u.s; /* every counted body begins with its count */
	return v;
}
static inline void sj_value_unref(struct sj_mem *m, struct sj_value v)
{
	if (sj_value_is_counted(v) && --*(uint32_t *)(void *)v.u.s == 0)
		sj_value_free_counted(m, v);
}

#endif
