#include "ui/ui.h"

static const struct {
	const char *name;
	enum sj_role role;
	bool input;
} kinds[] = {
#define KIND_ROW(name, text, role, input) [SJ_UI_##name] = {text, SJ_ROLE_##role, input},
	SJ_UI_KINDS(KIND_ROW)
#undef KIND_ROW
};

static const char *const props[] = {
#define PROP_ROW(name, text) [SJ_P_##name] = text,
	SJ_UI_PROPS(PROP_ROW)
#undef PROP_ROW
};
/* Change records carry one bit per meaning. */
_Static_assert(SJ_UI_PROP_COUNT <= 64, "a mask of 64 bits names every meaning");

/* Words of WAI-ARIA where it has one; "video" and "audio" have none and are named for themselves. */
static const char *const roles[] = {
	[SJ_ROLE_NONE] = "none",
	[SJ_ROLE_TEXT] = "text",
	[SJ_ROLE_IMAGE] = "img",
	[SJ_ROLE_VIDEO] = "video",
	[SJ_ROLE_AUDIO] = "audio",
	[SJ_ROLE_LIST] = "list",
	[SJ_ROLE_LISTITEM] = "listitem",
	[SJ_ROLE_GROUP] = "group",
	[SJ_ROLE_TABLIST] = "tablist",
	[SJ_ROLE_DIALOG] = "dialog",
	[SJ_ROLE_SEPARATOR] = "separator",
	[SJ_ROLE_BUTTON] = "button",
	[SJ_ROLE_TEXTBOX] = "textbox",
	[SJ_ROLE_CHECKBOX] = "checkbox",
	[SJ_ROLE_RADIOGROUP] = "radiogroup",
	[SJ_ROLE_SLIDER] = "slider",
	[SJ_ROLE_DATETIME] = "datetime",
	[SJ_ROLE_SPINBUTTON] = "spinbutton",
	[SJ_ROLE_HEADING] = "heading",
	[SJ_ROLE_TAB] = "tab",
	[SJ_ROLE_TABPANEL] = "tabpanel",
	[SJ_ROLE_RADIO] = "radio",
	[SJ_ROLE_PROGRESSBAR] = "progressbar",
};

static const struct {
	const char *name, *text;
} whys[] = {
#define WHY_ROW(name, word, text) [SJ_WHY_##name] = {word, text},
	SJ_UI_WHYS(WHY_ROW)
#undef WHY_ROW
};

#define COUNT(a) (sizeof(a) / sizeof *(a))

const char *sj_ui_kind_name(enum sj_ui_kind k) { return (size_t)k < COUNT(kinds) ? kinds[k].name : "custom"; }
const char *sj_ui_prop_name(enum sj_ui_prop p) { return (size_t)p < COUNT(props) ? props[p] : ""; }
enum sj_role sj_ui_role(enum sj_ui_kind k) { return (size_t)k < COUNT(kinds) ? kinds[k].role : SJ_ROLE_GROUP; }
const char *sj_ui_role_name(enum sj_role r) { return (size_t)r < COUNT(roles) ? roles[r] : "none"; }
bool sj_ui_is_input(enum sj_ui_kind k) { return (size_t)k < COUNT(kinds) && kinds[k].input; }
const char *sj_why_name(enum sj_why w) { return (size_t)w < COUNT(whys) ? whys[w].name : ""; }
const char *sj_why_text(enum sj_why w) { return (size_t)w < COUNT(whys) ? whys[w].text : ""; }

enum sj_ui_kind sj_ui_kind_find(struct sj_slice name)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (sj_slice_is(name, kinds[i].name))
			return (enum sj_ui_kind)i;
	return SJ_UI_CUSTOM;
}

enum sj_ui_prop sj_ui_prop_find(struct sj_slice name)
{
	for (size_t i = 1; i < COUNT(props); i++)
		if (sj_slice_is(name, props[i]))
			return (enum sj_ui_prop)i;
	return SJ_P_NONE;
}
