/* What a careful reviewer says of a surface that is valid. docs/lints.md has each rule with its reason. */
#ifndef SJ_A2UI_LINT_RULES_H
#define SJ_A2UI_LINT_RULES_H

#include "base/status.h"

/* X(NAME, "name"): the names are stable; at most 23 bytes, for they stand in the diagnostic's detail. */
#define SJ_LINTS(X)                                                                                                    \
	X(ABSOLUTE_IN_ROW, "absolute-path-in-row")                                                                     \
	X(UNWRITTEN_PATH, "unwritten-path")                                                                            \
	X(WRONG_TYPE, "wrong-type")                                                                                    \
	X(NO_LIST, "template-over-no-list")                                                                            \
	X(PATH_AS_TEXT, "path-as-text")                                                                                \
	X(UNBOUND_INPUT, "unbound-input")                                                                              \
	X(INPUT_LABEL, "input-without-label")                                                                          \
	X(BUTTON_ACTION, "button-without-action")                                                                      \
	X(BUTTON_TEXT, "button-without-text")                                                                          \
	X(EVENT_NAME, "event-without-name")                                                                            \
	X(IMAGE_ALT, "image-without-alt")                                                                              \
	X(UNREACHABLE, "unreachable-component")                                                                        \
	X(TYPE_CHANGED, "type-changed")                                                                                \
	X(OLDER_WORD, "older-version-word")                                                                            \
	X(DEPRECATED, "deprecated")                                                                                    \
	X(UNKNOWN_ICON, "unknown-icon")                                                                                \
	X(NEVER_FAILS, "check-never-fails")                                                                            \
	X(ALWAYS_FAILS, "check-always-fails")

enum sj_lint_rule {
#define SJ_LINT_ENUM(name, text) SJ_LINT_##name,
	SJ_LINTS(SJ_LINT_ENUM)
#undef SJ_LINT_ENUM
	SJ_LINT_COUNT
};
const char *sj_lint_name(enum sj_lint_rule r);

struct sj_lint {
	enum sj_lint_rule rule;
	struct sj_slice component; /* its id; borrowed for the call */
	uint32_t message;          /* that defined it; 0: unknown */
	struct sj_diag diag;       /* a warning; pointer within the component, detail: the rule's name */
};

#endif
