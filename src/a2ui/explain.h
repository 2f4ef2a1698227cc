/* Why a surface looks as it does: what the files of the explanation share. Internal to a2ui.
 *
 * explain.c walks the nodes and notes findings, one for each (component, property, code), however many rows have it.
 * explain_tell.c says each in words, with the chain from the component to who wrote its data. explain_fix.c writes the
 * messages that would mend it: whole messages of the surface's version, to be sent after what came.
 */
#ifndef SJ_A2UI_EXPLAIN_H
#define SJ_A2UI_EXPLAIN_H

#include "a2ui/uses.h"
#include "base/map.h"

/* X(NAME, "code", "state", severity) */
#define SJ_WHYNOTS(X)                                                                                                  \
	X(NO_COMPONENTS, "no-components", "missing", ERROR)       /* the surface was made, nothing else came */        \
	X(NO_ROOT, "no-root", "missing", ERROR)                                                                        \
	X(MISSING, "missing-component", "missing", ERROR)                                                              \
	X(UNKNOWN_TYPE, "unknown-type", "missing", ERROR)                                                              \
	X(CYCLIC, "cyclic-reference", "missing", ERROR)                                                                \
	X(OVER_LIMIT, "over-limit", "missing", ERROR)                                                                  \
	X(UNREACHABLE, "unreachable-component", "missing", WARNING)                                                    \
	X(NO_CHILDREN, "no-children", "empty", INFO)                                                                   \
	X(ABSENT, "binding-absent", "empty", WARNING)                                                                  \
	X(NULL, "value-null", "empty", WARNING)                                                                        \
	X(EMPTY, "value-empty", "empty", WARNING)                                                                      \
	X(WRONG_TYPE, "binding-wrong-type", "unreadable", WARNING)                                                     \
	X(LIST_ABSENT, "list-absent", "empty", WARNING)                                                                \
	X(LIST_EMPTY, "list-empty", "empty", INFO)                                                                     \
	X(NOT_A_LIST, "list-wrong-type", "empty", WARNING)                                                             \
	X(FAILED, "expression-error", "unreadable", WARNING)                                                           \
	X(AWAITED, "answer-awaited", "pending", INFO)                                                                  \
	X(DISABLED, "check-disables", "disabled", INFO)                                                                \
	X(OTHER_TAB, "in-other-tab", "hidden", INFO)                                                                   \
	X(CLOSED, "in-closed-modal", "hidden", INFO)                                                                   \
	X(HIDDEN, "hidden", "hidden", INFO)

enum sj_whynot {
#define SJ_WHYNOT_ENUM(name, code, state, severity) SJ_WN_##name,
	SJ_WHYNOTS(SJ_WHYNOT_ENUM)
#undef SJ_WHYNOT_ENUM
	SJ_WN_COUNT
};

struct sj_finding {
	enum sj_whynot what;
	sj_component_ref comp;  /* 0: the surface */
	sj_component_ref other; /* MISSING, CYCLIC: the child; DISABLED: whose check it is */
	sj_node_id node;        /* the first that has it; 0: none */
	struct sj_slice property; /* borrowed from the definition; "" none */
	uint32_t nodes;           /* how many have it */
};

struct sj_explainer {
	struct sj_view *view;
	struct sj_surface *core;
	struct sj_mem *mem;
	struct sj_arena arena; /* what one finding needs */
	struct sj_buf *out;
	SJ_VEC(struct sj_finding) found;
	struct sj_map64 known; /* finding by (component, hash of property and code) */
	SJ_VEC(sj_node_id) first; /* of each component, by its reference; 0: it stands nowhere */
	bool shows;               /* something a person sees */
	enum sj_status st;
};

struct sj_whynot_row {
	const char *code, *state;
	enum sj_severity severity;
};
extern const struct sj_whynot_row SJ_WHYNOT[SJ_WN_COUNT];

/* Settles. SJ_NOMEM: nothing is open. `out` may be NULL where nothing is told. */
enum sj_status sj_explainer_open(struct sj_explainer *x, struct sj_view *v, struct sj_buf *out);
void sj_explainer_walk(struct sj_explainer *x); /* fills found, first, shows; x->st tells */
void sj_explainer_close(struct sj_explainer *x);

/* explain_tell.c: one finding as a line of JSON. */
void sj_tell_finding(struct sj_explainer *x, const struct sj_finding *f);
/* The sentence alone, into a buffer. */
void sj_tell_cause(struct sj_explainer *x, const struct sj_finding *f, struct sj_buf *out);

/* What is wrong with the reading of a property: the first use of it that finds nothing, or not what is wanted. */
struct sj_culprit {
	bool found;
	struct sj_use use;
	struct sj_spot spot;
};
struct sj_culprit sj_find_culprit(struct sj_explainer *x, const struct sj_finding *f, const struct sj_source *src);

/* The place that was probably meant; pointer empty: none. `spelled` is how it is written where the use stands. */
struct sj_meant {
	struct sj_slice pointer, spelled;
};
struct sj_meant sj_find_meant(struct sj_explainer *x, const struct sj_finding *f, const struct sj_culprit *c,
                              bool want_list);
/* A defined component whose id is near to this one; 0: none. */
sj_component_ref sj_find_near_id(struct sj_explainer *x, struct sj_slice id, sj_component_ref not_this);

/* explain_fix.c: appends {"send": [message, ...]}, or null when nothing sure can be said. */
void sj_put_fix(struct sj_explainer *x, const struct sj_finding *f, const struct sj_source *src,
                const struct sj_culprit *c);

#endif
