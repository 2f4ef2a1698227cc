/* The accessibility tree of a surface: what assistive technology is told, the same for every face.
 *
 * Derived from the nodes as they are now and kept nowhere: build it, read it, finish it. Items stand in drawing order,
 * each after its parent. A node is one item, or several where its kind has parts that a platform wants as objects of
 * their own: a list has an item around each child, tabs and options are items, a dialog stands beside what opens it.
 * Roles and states are those of WAI-ARIA 1.2. An explicit label beats what is visible.
 *
 * Ownership: texts live in the tree's arena, or are borrowed from the surface until it changes.
 */
#ifndef SJ_SURFACE_A11Y_H
#define SJ_SURFACE_A11Y_H

#include "base/arena.h"
#include "surface/surface.h"

enum sj_a11y_part {
	SJ_PART_SELF,     /* the node */
	SJ_PART_AROUND,   /* MODAL: what holds the trigger and the dialog; the dialog is SELF */
	SJ_PART_TAB,      /* TABS: `index` counts them */
	SJ_PART_PANEL,    /* TABS: around the content of the open one */
	SJ_PART_LISTITEM, /* LIST: around each child */
	SJ_PART_OPTION,   /* CHOICE */
	SJ_PART_BLOCK,    /* TEXT of several blocks, one of them a heading */
};
/* X(NAME, "word"): where a name or description came from. */
#define SJ_NAME_FROMS(X)                                                                                               \
	X(NOTHING, "")                                                                                                 \
	X(ACCESSIBILITY, "accessibility")                                                                              \
	X(LABEL, "label")                                                                                              \
	X(TEXT, "text")                                                                                                \
	X(ALT, "description") /* alternative text of a picture or a recording */                                     \
	X(ICON, "name")                                                                                                \
	X(PLACEHOLDER, "placeholder")                                                                                  \
	X(CONTENT, "content") /* what is inside */                                                                     \
	X(TITLE, "title")     /* of a tab */                                                                           \
	X(OPTION, "option")                                                                                            \
	X(TRIGGER, "trigger") /* a dialog without a heading */                                                         \
	X(DETAIL, "detail")                                                                                            \
	X(CHECK, "check") /* words of the failing check of what is no input */
enum sj_name_from {
#define SJ_NAME_FROM_ENUM(name, word) SJ_NAME_##name,
	SJ_NAME_FROMS(SJ_NAME_FROM_ENUM)
#undef SJ_NAME_FROM_ENUM
};
const char *sj_name_from_word(enum sj_name_from f);

struct sj_a11y {
	sj_node_id node;
	enum sj_a11y_part part;
	uint32_t index;  /* of the part */
	uint32_t parent; /* item; UINT32_MAX: none */
	uint32_t depth;
	struct sj_slice id; /* component id, in a row followed by the place of its data; parts: "/tab/0" behind it */
	enum sj_role role;
	struct sj_slice name, description, value, error; /* error: words of the failing check; empty: none */
	enum sj_name_from name_from, description_from;
	struct sj_slice live; /* off, polite, assertive; as written where it is none of them */
	bool has_range;
	double min, max, now, step; /* step 0: any value; now NaN: unset */
	int8_t checked, expanded, selected; /* -1: the role has no such state here */
	bool required, invalid, disabled, multiline, password, several /* may be chosen */, busy, modal, popup;
	bool hidden;        /* its subtree is left out */
	bool hides_control; /* of a hidden one: something in it could be used */
	bool focusable;     /* a stop of the keyboard; options and tabs share that of their group */
	bool in_control;    /* stands inside another focusable item */
	uint32_t level;     /* heading: 1..6 */
	uint32_t position, set_size; /* from 1; 0: none */
	uint32_t controls;           /* item that it shows, UINT32_MAX: none */
};

struct sj_a11y_tree {
	struct sj_surface *surface;
	struct sj_arena arena;
	SJ_VEC(struct sj_a11y) items;
};
/* Settles, then builds. SJ_NOMEM: call finish all the same. */
enum sj_status sj_a11y_build(struct sj_surface *s, struct sj_a11y_tree *out);
/* What is told of one node alone, as the nodes are now: items[0]; of a MODAL the dialog. What its parent makes of it is
 * left out (what opens a dialog). No item where it is no part of the tree. Nothing is settled. SJ_NOMEM: call finish
 * all the same. */
enum sj_status sj_a11y_node(struct sj_surface *s, sj_node_id n, struct sj_a11y_tree *out);
void sj_a11y_finish(struct sj_a11y_tree *t);
/* Items that take the focus, in order, while a dialog is open only those in it (of several the last). Returns how many
 * there are; fills at most `cap`. */
uint32_t sj_a11y_focus_order(const struct sj_a11y_tree *t, uint32_t *out, uint32_t cap);
/* {"focusOrder": [...], "surfaceId": id, "tree": {...} or null}, appended as JSON. */
void sj_a11y_print(const struct sj_a11y_tree *t, struct sj_slice id, struct sj_buf *out);

/* ---- checks ------------------------------------------------------------------------------------------------------ */

/* Rules under the names that axe-core gave them. X(NAME, "rule", "what it wants") */
#define SJ_A11Y_RULES(X)                                                                                               \
	X(BUTTON_NAME, "button-name", "a button has a name")                                                           \
	X(LABEL, "label", "an input has a label")                                                                      \
	X(IMAGE_ALT, "image-alt", "an image has a description")                                                        \
	X(ROLE_IMG_ALT, "role-img-alt", "an icon has a name")                                                          \
	X(TOGGLE_NAME, "aria-toggle-field-name", "an option has a label")                                              \
	X(TAB_NAME, "aria-tab-name", "a tab has a title")                                                              \
	X(DIALOG_NAME, "aria-dialog-name", "an open dialog has a name")                                                \
	X(VALID_ATTR, "aria-valid-attr-value", "live is off, polite or assertive; a range holds its value")            \
	X(ALLOWED_ATTR, "aria-allowed-attr", "a state belongs to the role")                                            \
	X(HIDDEN_FOCUS, "aria-hidden-focus", "nothing hidden can be used")                                             \
	X(REQUIRED_CHILDREN, "aria-required-children", "a group of options or tabs has some")                          \
	X(DUPLICATE_ID, "duplicate-id", "an id stands for one thing")                                                  \
	X(EMPTY_HEADING, "empty-heading", "a heading has words")                                                       \
	X(HEADING_ORDER, "heading-order", "headings go down one level at a time")                                      \
	X(NESTED, "nested-interactive", "a control holds no other")
enum sj_a11y_rule {
#define SJ_A11Y_RULE_ENUM(name, rule, wants) SJ_RULE_##name,
	SJ_A11Y_RULES(SJ_A11Y_RULE_ENUM)
#undef SJ_A11Y_RULE_ENUM
	SJ_RULE_COUNT
};
const char *sj_a11y_rule_name(enum sj_a11y_rule r);
const char *sj_a11y_rule_wants(enum sj_a11y_rule r);
bool sj_a11y_rule_find(struct sj_slice name, enum sj_a11y_rule *out);
/* Every breach, in order of the items. SJ_NOMEM. */
enum sj_status sj_a11y_check(const struct sj_a11y_tree *t,
                             void (*fn)(void *ctx, enum sj_a11y_rule rule, uint32_t item, const char *message),
                             void *ctx);

#endif
