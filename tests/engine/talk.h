/* A talk with an engine: what a peer says, what the person does, and what was heard in return. JSON in these tests is
 * written with single quotes, which stand for double ones. Everything the engine takes comes from the account given to
 * talk_open, so that a leak, or an allocation behind the engine's back, is seen.
 */
#ifndef SJ_TEST_ENGINE_TALK_H
#define SJ_TEST_ENGINE_TALK_H

#include "base/arena.h"
#include "base/buf.h"
#include "engine/engine.h"
#include "harness/test.h"

#define BASIC09 "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
#define BASIC10 "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"

struct heard { /* one event, its texts kept until talk_forget; empty texts are "" */
	enum sj_event_kind kind;
	uint32_t peer, message;
	bool has_view;
	const char *surface, *name, *json, *metadata;
	uint64_t call_id;
	struct sj_diag diag; /* code NONE: none came along */
};

struct talk {
	struct sj_mem *mem;
	struct sj_engine *e;
	uint32_t peer; /* who speaks: changed by tests that have several */
	struct sj_mem kept_mem;
	struct sj_arena kept;
	struct heard heard[2000];
	uint32_t count;
	struct sj_schema_set *sets[4]; /* of talk_check_outbound, made when first needed */
};

/* cfg NULL: the defaults. Opens one peer. */
enum sj_status talk_open(struct talk *t, struct sj_mem *mem, const struct sj_engine_config *cfg);
void talk_close(struct talk *t);

/* Single quotes become double ones. Kept until talk_close or talk_forget. */
const char *talk_quote(struct talk *t, const char *text);
/* Feeds one line, then takes every event. The format's result is quoted as above. */
enum sj_status talk_say(struct talk *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same as one call of sj_engine_message, which gives the first fault. */
enum sj_status talk_message(struct talk *t, struct sj_diag *d, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
enum sj_status talk_take(struct talk *t); /* drains events into heard[]; SJ_OK or SJ_NOMEM */
void talk_forget(struct talk *t);         /* empties heard[] */

/* createSurface of the basic catalog of the version ("v0.9", "v0.9.1", "v1.0") and updateComponents, updateDataModel.
 */
enum sj_status talk_create(struct talk *t, const char *version, const char *surface);
enum sj_status talk_components(struct talk *t, const char *version, const char *surface, const char *components);
enum sj_status talk_data(struct talk *t, const char *version, const char *surface, const char *path, const char *value);

uint32_t talk_heard(const struct talk *t, enum sj_event_kind kind);
/* The i-th event of a kind; fails the case and gives an empty one when there is none. */
const struct heard *talk_event(const struct talk *t, enum sj_event_kind kind, uint32_t i);
/* Faults of severity error. */
uint32_t talk_faults(const struct talk *t);
/* Everything heard, a line an event, for whole comparisons: "DIAG CODE /pointer", "SEND {..}", "NEW s", ... */
const char *talk_log(struct talk *t);

struct sj_view *talk_view(struct talk *t, const char *surface); /* of t->peer */
struct sj_surface *talk_surface(struct talk *t, const char *surface);
/* Reports as text, kept. "" when there is no such surface. */
const char *talk_tree(struct talk *t, const char *surface);   /* the "tree" member alone */
const char *talk_whole(struct talk *t, const char *surface);  /* all of sj_view_tree */
const char *talk_model(struct talk *t, const char *surface);  /* unmasked, keys sorted */
const char *talk_defs(struct talk *t, const char *surface);
const char *talk_valid(struct talk *t, const char *surface);
/* Everything that a refused message must leave alone: every surface's tree, model, definitions. */
const char *talk_everything(struct talk *t);

sj_node_id talk_node(struct talk *t, const char *surface, const char *component);            /* outside rows */
sj_node_id talk_row(struct talk *t, const char *surface, const char *component, uint32_t row); /* of the outer list */
/* A property's value as JSON; "absent", "pending" or "error" when it has none. */
const char *talk_prop(struct talk *t, const char *surface, sj_node_id n, const char *name);
/* Presses, types (one complete edit), then takes events. `json`: the new value. */
enum sj_status talk_press(struct talk *t, const char *surface, sj_node_id n, struct sj_diag *d);
enum sj_status talk_type(struct talk *t, const char *surface, sj_node_id n, const char *json, struct sj_diag *d);
enum sj_status talk_edit(struct talk *t, const char *surface, sj_node_id n, enum sj_phase phase, const char *json,
                         struct sj_diag *d);

/* Member of a JSON text by pointer, as compact JSON; "absent". */
const char *talk_at(struct talk *t, const char *json, const char *pointer);

/* Checks a text against a published document of a version (0: v0.9, 1: v0.9.1, 2: v1.0, 3: v0.8); without the data
 * nothing. */
void talk_check_document(const char *file, int line, struct talk *t, size_t version, const char *document,
                         const char *json);
/* The same for an outbound message, by the version that it names. */
void talk_check_outbound(const char *file, int line, struct talk *t, const char *json);
#define CHECK_OUTBOUND(t, json) talk_check_outbound(__FILE__, __LINE__, (t), (json))
bool talk_can_check_outbound(void);

#endif
