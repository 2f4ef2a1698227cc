/* The neutral vocabulary between languages and faces: what a widget is and what its properties mean.
 *
 * A language maps each of its component types to a kind and each property to a meaning (a2ui does it through the
 * catalog). A face knows only this file and the surface; it never sees a type name except to show it to a person. A
 * component whose type is in no table has kind SJ_UI_CUSTOM and is drawn from its meanings: label, text, value,
 * children.
 */
#ifndef SJ_UI_UI_H
#define SJ_UI_UI_H

#include "base/slice.h"

/* X(NAME, "name", role, is_input) */
#define SJ_UI_KINDS(X)                                                                                                 \
	X(CUSTOM, "custom", GROUP, false)                                                                              \
	X(TEXT, "text", TEXT, false)                                                                                   \
	X(IMAGE, "image", IMAGE, false)                                                                                \
	X(ICON, "icon", IMAGE, false)                                                                                  \
	X(VIDEO, "video", VIDEO, false)                                                                                \
	X(AUDIO, "audio", AUDIO, false)                                                                                \
	X(ROW, "row", NONE, false)                                                                                     \
	X(COLUMN, "column", NONE, false)                                                                               \
	X(LIST, "list", LIST, false)                                                                                   \
	X(CARD, "card", GROUP, false)                                                                                  \
	X(TABS, "tabs", TABLIST, false)                                                                                \
	X(MODAL, "modal", DIALOG, false)                                                                               \
	X(DIVIDER, "divider", SEPARATOR, false)                                                                        \
	X(BUTTON, "button", BUTTON, false)                                                                             \
	X(TEXT_FIELD, "textField", TEXTBOX, true)                                                                      \
	X(CHECK_BOX, "checkBox", CHECKBOX, true)                                                                       \
	X(CHOICE, "choice", RADIOGROUP, true)                                                                          \
	X(SLIDER, "slider", SLIDER, true)                                                                              \
	X(DATE_TIME, "dateTime", DATETIME, true)                                                                       \
	X(STEPPER, "stepper", SPINBUTTON, true) /* a named thing with a quantity: label, detail, value, min, max */    \
	X(RATING, "rating", SLIDER, true)       /* stars: label, value, max */                                         \
	X(SUMMARY, "summary", TEXT, false)      /* label and value on one line */                                      \
	X(BOX, "box", NONE, false)              /* children over one another, placed by the style */                   \
	X(LIST_ITEM, "listItem", GROUP, false)  /* label, detail, name (icon), a child at its end */                   \
	X(APP_BAR, "appBar", GROUP, false)      /* label, a trigger before it, children behind it */                   \
	X(PROGRESS, "progress", PROGRESSBAR, false) /* value 0..1, or none */                                          \
	X(OVERLAY, "overlay", DIALOG, false)    /* over the rest: dialog, snackbar or sheet */                         \
	X(SCROLL, "scroll", NONE, false)        /* one child; axis */                                                  \
	X(PAGER, "pager", GROUP, true)          /* shows one of its children: value is its index */                    \
	X(NAV, "nav", TABLIST, true)            /* options {label, icon, image}; value: an index */

enum sj_ui_kind {
#define SJ_UI_KIND_ENUM(name, text, role, input) SJ_UI_##name,
	SJ_UI_KINDS(SJ_UI_KIND_ENUM)
#undef SJ_UI_KIND_ENUM
	SJ_UI_KIND_COUNT
};

/* What a property means to a face. X(NAME, "name") */
#define SJ_UI_PROPS(X)                                                                                                 \
	X(NONE, "")                                                                                                    \
	X(TEXT, "text")               /* Text: Markdown */                                                             \
	X(LABEL, "label")                                                                                              \
	X(VALUE, "value")             /* the input's value: string, bool, number, list of strings, ISO date */         \
	X(PLACEHOLDER, "placeholder")                                                                                  \
	X(VARIANT, "variant")         /* word of the language: h1..h5, caption, primary, longText, ... */              \
	X(URL, "url")                                                                                                  \
	X(POSTER, "posterUrl")                                                                                         \
	X(DESCRIPTION, "description") /* alternative text */                                                           \
	X(FIT, "fit")                                                                                                  \
	X(NAME, "name")               /* icon name or {svgPath} */                                                     \
	X(CHILDREN, "children")                                                                                        \
	X(CHILD, "child")                                                                                              \
	X(JUSTIFY, "justify")                                                                                          \
	X(ALIGN, "align")                                                                                              \
	X(DIRECTION, "direction")                                                                                      \
	X(AXIS, "axis")                                                                                                \
	X(WEIGHT, "weight")                                                                                            \
	X(TABS, "tabs")               /* list of {title, child} */                                                     \
	X(TRIGGER, "trigger")                                                                                          \
	X(CONTENT, "content")                                                                                          \
	X(OPTIONS, "options")         /* list of {label, value} */                                                     \
	X(DISPLAY, "displayStyle")                                                                                     \
	X(FILTERABLE, "filterable")                                                                                    \
	X(MIN, "min")                                                                                                  \
	X(MAX, "max")                                                                                                  \
	X(STEPS, "steps")                                                                                              \
	X(ENABLE_DATE, "enableDate")                                                                                   \
	X(ENABLE_TIME, "enableTime")                                                                                   \
	X(ACTION, "action")                                                                                            \
	X(DETAIL, "detail")           /* second text: a price, a hint */                                               \
	X(CURRENCY, "currency")       /* ISO 4217 code the detail is printed in */                                     \
	X(REQUIRED, "required")                                                                                        \
	X(STYLE, "style")             /* a resolved style record, see ui/style.h: every node of a prototype has one */ \
	X(OPEN, "open")               /* is an overlay open */                                                         \
	X(TRAITS, "traits")           /* an object of what only one kind has, as its language writes it */             \
	X(A11Y_LABEL, "accessibility.label")                                                                           \
	X(A11Y_DESCRIPTION, "accessibility.description")                                                               \
	X(A11Y_LIVE, "accessibility.live")                                                                             \
	X(A11Y_HIDDEN, "accessibility.hidden")

enum sj_ui_prop {
#define SJ_UI_PROP_ENUM(name, text) SJ_P_##name,
	SJ_UI_PROPS(SJ_UI_PROP_ENUM)
#undef SJ_UI_PROP_ENUM
	SJ_UI_PROP_COUNT
};

enum sj_role {
	SJ_ROLE_NONE,
	SJ_ROLE_TEXT,
	SJ_ROLE_IMAGE,
	SJ_ROLE_VIDEO,
	SJ_ROLE_AUDIO,
	SJ_ROLE_LIST,
	SJ_ROLE_LISTITEM,
	SJ_ROLE_GROUP,
	SJ_ROLE_TABLIST,
	SJ_ROLE_DIALOG,
	SJ_ROLE_SEPARATOR,
	SJ_ROLE_BUTTON,
	SJ_ROLE_TEXTBOX,
	SJ_ROLE_CHECKBOX,
	SJ_ROLE_RADIOGROUP,
	SJ_ROLE_SLIDER,
	SJ_ROLE_DATETIME,
	SJ_ROLE_SPINBUTTON,
	SJ_ROLE_HEADING,
	SJ_ROLE_TAB,
	SJ_ROLE_TABPANEL,
	SJ_ROLE_RADIO,
	SJ_ROLE_PROGRESSBAR,
};

/* Why a node is not (fully) there; answers `explain` and is what a face draws in its place. X(NAME, "word", "sentence")
 */
#define SJ_UI_WHYS(X)                                                                                                  \
	X(SHOWN, "resolved", "")                                                                                       \
	X(PENDING, "pending", "This part has not arrived yet.")                                                        \
	X(UNKNOWN_TYPE, "unknown-type", "This program does not know this kind of component.")                          \
	X(CYCLIC, "cyclic", "This component is inside itself.")                                                        \
	X(OVER_LIMIT, "over-limit", "There is more than the limit allows.")                                            \
	X(HIDDEN, "hidden", "Hidden by the agent.")

enum sj_why {
#define SJ_UI_WHY_ENUM(name, word, text) SJ_WHY_##name,
	SJ_UI_WHYS(SJ_UI_WHY_ENUM)
#undef SJ_UI_WHY_ENUM
};

const char *sj_ui_kind_name(enum sj_ui_kind k);
const char *sj_ui_prop_name(enum sj_ui_prop p);
enum sj_ui_kind sj_ui_kind_find(struct sj_slice name); /* SJ_UI_CUSTOM when unknown */
enum sj_ui_prop sj_ui_prop_find(struct sj_slice name); /* SJ_P_NONE when unknown */
enum sj_role sj_ui_role(enum sj_ui_kind k);
const char *sj_ui_role_name(enum sj_role r); /* "button", "textbox", ... as ARIA spells them */
bool sj_ui_is_input(enum sj_ui_kind k);
const char *sj_why_name(enum sj_why w);
const char *sj_why_text(enum sj_why w);

#endif
