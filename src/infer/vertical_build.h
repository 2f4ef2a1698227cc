/* What a Vertical statement is built into: components, calls, events, and the repairs that the catalogs guide. Internal
 * to infer. Values given as `take` are consumed, also on failure. Places (`at`) count from the statement's first byte.
 */
#ifndef SJ_INFER_VERTICAL_BUILD_H
#define SJ_INFER_VERTICAL_BUILD_H

#include "base/num.h"
#include "infer/vertical.h"

/* Slips of writing; each is listed once a statement. */
enum sj_heal {
	SJ_HEAL_COMMENT,
	SJ_HEAL_STRING,
	SJ_HEAL_QUOTES,
	SJ_HEAL_BRACKET,
	SJ_HEAL_UNCLOSED,
	SJ_HEAL_TRAILING,
	SJ_HEAL_COMMA,
	SJ_HEAL_KEY,
	SJ_HEAL_LITERAL,
	SJ_HEAL_PATH,
	SJ_HEAL_ASSIGNMENT,
	SJ_HEAL_JSON,
	SJ_HEAL_TAG,
	SJ_HEAL_CHECK,
	SJ_HEAL_ID,
	SJ_HEAL_TWICE,
	SJ_HEALS
};

struct sj_build_pending { /* a component written as JSON inside another */
	struct sj_value value; /* owned */
	struct sj_slice id;
	uint32_t slot;
	size_t at;
};
struct sj_build {
	const struct sj_format *f;
	struct sj_slice text;
	size_t base;
	uint32_t line;
	struct sj_repairs *repairs;
	struct sj_diag *diag;
	struct sj_arena arena;
	uint32_t noted; /* bits of enum sj_heal */
	struct sj_value components; /* of the surface being built; ABSENT: none */
	SJ_VEC(struct sj_build_pending) pending;
};
void sj_build_init(struct sj_build *b, const struct sj_format *f, struct sj_slice text, size_t base, uint32_t line,
                   struct sj_repairs *repairs, struct sj_diag *diag);
void sj_build_end(struct sj_build *b);

enum sj_status sj_build_note(struct sj_build *b, enum sj_heal heal, size_t at);
enum sj_status sj_build_fault(struct sj_build *b, size_t at, enum sj_status status, enum sj_code code,
                              enum sj_category cat, const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Where the fault that another function found lies. */
enum sj_status sj_build_place(struct sj_build *b, size_t at, enum sj_status status);

/* Surfaces. */
enum sj_status sj_build_surface(struct sj_build *b); /* a new one begins */
enum sj_status sj_build_reserve(struct sj_build *b, uint32_t *slot); /* parents come before their children */
enum sj_status sj_build_place_component(struct sj_build *b, uint32_t slot, struct sj_value take);
enum sj_status sj_build_finish_surface(struct sj_build *b, struct sj_value *surfaces);

/* Components. */
enum sj_status sj_build_type(struct sj_build *b, size_t at, struct sj_slice name, struct sj_slice own,
                             const struct sj_catalog **catalog, const struct sj_a2ui_component **type);
enum sj_status sj_build_head(struct sj_build *b, struct sj_value *component, struct sj_slice id,
                             const struct sj_a2ui_component *type, const struct sj_catalog *catalog);
/* The property that a key means; *key may be replaced by its right spelling. */
enum sj_status sj_build_name(struct sj_build *b, size_t at, const struct sj_a2ui_component *type, struct sj_slice *key);
/* `text`: what the value was written as, for properties that are text. id: of the component. */
enum sj_status sj_build_property(struct sj_build *b, size_t at, struct sj_value *component,
                                 const struct sj_a2ui_component *type, struct sj_slice id, struct sj_slice key,
                                 struct sj_slice text, struct sj_value take);
/* A literal in the type its place asks for; bindings, calls and events stay. is_item: of the list that row stands for.
 */
enum sj_status sj_build_coerce(struct sj_build *b, size_t at, const struct sj_a2ui_prop *row, bool is_item,
                               struct sj_slice text, struct sj_value *value);
/* Checks without a value get the one of their component. */
enum sj_status sj_build_checks(struct sj_build *b, struct sj_value *component, const struct sj_a2ui_component *type);

/* Values. */
enum sj_status sj_build_binding(struct sj_build *b, struct sj_slice path, struct sj_value *out);
enum sj_status sj_build_call(struct sj_build *b, const struct sj_a2ui_function *fn, const struct sj_catalog *catalog,
                             struct sj_value take_args, struct sj_value *out);
enum sj_status sj_build_rule(struct sj_build *b, struct sj_value take_message, struct sj_value *condition);
enum sj_status sj_build_event(struct sj_build *b, struct sj_value take_name, struct sj_value take_context,
                              struct sj_value *out);
enum sj_status sj_build_wrap(struct sj_build *b, const char *key, struct sj_value *value); /* {key: value} */

/* vertical_json.c: what was written as JSON instead: a component, or a list of them, each a surface. */
enum sj_status sj_build_json(struct sj_build *b, size_t at, struct sj_value take, struct sj_value *surfaces);
/* Components within a property: each is put aside and its id takes its place. */
enum sj_status sj_build_inline(struct sj_build *b, size_t at, const struct sj_a2ui_prop *row, struct sj_slice id,
                               struct sj_value *value);
enum sj_status sj_build_pending(struct sj_build *b); /* builds what was put aside */

#endif
