/* What the types and properties of known catalogs mean to a face. */
#include "a2ui/catalog_internal.h"

static const struct { const char *name; enum sj_ui_kind kind;
} kinds[] = {
	{"Text", SJ_UI_TEXT},
	{"Image", SJ_UI_IMAGE},
	{"Icon", SJ_UI_ICON},
	{"Video", SJ_UI_VIDEO},
	{"AudioPlayer", SJ_UI_AUDIO},
	{"Row", SJ_UI_ROW},
	{"Column", SJ_UI_COLUMN},
	{"List", SJ_UI_LIST},
	{"Card", SJ_UI_CARD},
	{"Tabs", SJ_UI_TABS},
	{"Modal", SJ_UI_MODAL},
	{"Divider", SJ_UI_DIVIDER},
	{"Button", SJ_UI_BUTTON},
	{"TextField", SJ_UI_TEXT_FIELD},
	{"CheckBox", SJ_UI_CHECK_BOX},
	{"ChoicePicker", SJ_UI_CHOICE},
	{"MultipleChoice", SJ_UI_CHOICE},
	{"Slider", SJ_UI_SLIDER},
	{"DateTimeInput", SJ_UI_DATE_TIME},
};

/* `only` CUSTOM: any kind. `classes`: bit per enum sj_a2ui_class the property may have. A row that names its kind
 * stands before the general one; of the general ones, an earlier row is the better name for the same meaning. */
#define VALUES (1u << SJ_AC_PLAIN | 1u << SJ_AC_DYNAMIC)
#define LISTS (1u << SJ_AC_ARRAY | 1u << SJ_AC_PLAIN | 1u << SJ_AC_DYNAMIC)
static const struct meaning {
	const char *name;
	enum sj_ui_kind only;
	unsigned classes;
	enum sj_ui_prop ui;
} meanings[] = {
	{"name", SJ_UI_ICON, VALUES, SJ_P_NAME},
	{"description", SJ_UI_IMAGE, VALUES, SJ_P_DESCRIPTION},
	{"description", SJ_UI_AUDIO, VALUES, SJ_P_DESCRIPTION},
	{"description", SJ_UI_VIDEO, VALUES, SJ_P_DESCRIPTION},
	{"text", SJ_UI_TEXT_FIELD, VALUES, SJ_P_VALUE},
	{"selections", SJ_UI_CHOICE, VALUES, SJ_P_VALUE},
	{"label", SJ_UI_CUSTOM, VALUES, SJ_P_LABEL},
	{"title", SJ_UI_CUSTOM, VALUES, SJ_P_LABEL},
	{"name", SJ_UI_CUSTOM, VALUES, SJ_P_LABEL},
	{"heading", SJ_UI_CUSTOM, VALUES, SJ_P_LABEL},
	{"question", SJ_UI_CUSTOM, VALUES, SJ_P_LABEL},
	{"text", SJ_UI_CUSTOM, VALUES, SJ_P_TEXT},
	{"body", SJ_UI_CUSTOM, VALUES, SJ_P_TEXT},
	{"message", SJ_UI_CUSTOM, VALUES, SJ_P_TEXT},
	{"value", SJ_UI_CUSTOM, VALUES, SJ_P_VALUE},
	{"quantity", SJ_UI_CUSTOM, VALUES, SJ_P_VALUE},
	{"count", SJ_UI_CUSTOM, VALUES, SJ_P_VALUE},
	{"amount", SJ_UI_CUSTOM, VALUES, SJ_P_VALUE},
	{"rating", SJ_UI_CUSTOM, VALUES, SJ_P_VALUE},
	{"answer", SJ_UI_CUSTOM, VALUES, SJ_P_VALUE},
	{"checked", SJ_UI_CUSTOM, VALUES, SJ_P_VALUE},
	{"price", SJ_UI_CUSTOM, VALUES, SJ_P_DETAIL},
	{"detail", SJ_UI_CUSTOM, VALUES, SJ_P_DETAIL},
	{"details", SJ_UI_CUSTOM, VALUES, SJ_P_DETAIL},
	{"subtitle", SJ_UI_CUSTOM, VALUES, SJ_P_DETAIL},
	{"description", SJ_UI_CUSTOM, VALUES, SJ_P_DETAIL},
	{"hint", SJ_UI_CUSTOM, VALUES, SJ_P_DETAIL},
	{"placeholder", SJ_UI_CUSTOM, VALUES, SJ_P_PLACEHOLDER},
	{"variant", SJ_UI_CUSTOM, VALUES, SJ_P_VARIANT},
	{"usageHint", SJ_UI_CUSTOM, VALUES, SJ_P_VARIANT},
	{"textFieldType", SJ_UI_CUSTOM, VALUES, SJ_P_VARIANT},
	{"url", SJ_UI_CUSTOM, VALUES, SJ_P_URL},
	{"src", SJ_UI_CUSTOM, VALUES, SJ_P_URL},
	{"imageUrl", SJ_UI_CUSTOM, VALUES, SJ_P_URL},
	{"posterUrl", SJ_UI_CUSTOM, VALUES, SJ_P_POSTER},
	{"altText", SJ_UI_CUSTOM, VALUES, SJ_P_DESCRIPTION},
	{"fit", SJ_UI_CUSTOM, VALUES, SJ_P_FIT},
	{"children", SJ_UI_CUSTOM, 1u << SJ_AC_CHILD_LIST, SJ_P_CHILDREN},
	{"trigger", SJ_UI_CUSTOM, 1u << SJ_AC_CHILD, SJ_P_TRIGGER},
	{"entryPointChild", SJ_UI_CUSTOM, 1u << SJ_AC_CHILD, SJ_P_TRIGGER},
	{"content", SJ_UI_MODAL, 1u << SJ_AC_CHILD, SJ_P_CONTENT},
	{"contentChild", SJ_UI_CUSTOM, 1u << SJ_AC_CHILD, SJ_P_CONTENT},
	{"content", SJ_UI_CUSTOM, VALUES, SJ_P_TEXT},
	{"justify", SJ_UI_CUSTOM, VALUES, SJ_P_JUSTIFY},
	{"distribution", SJ_UI_CUSTOM, VALUES, SJ_P_JUSTIFY},
	{"align", SJ_UI_CUSTOM, VALUES, SJ_P_ALIGN},
	{"alignment", SJ_UI_CUSTOM, VALUES, SJ_P_ALIGN},
	{"direction", SJ_UI_CUSTOM, VALUES, SJ_P_DIRECTION},
	{"axis", SJ_UI_CUSTOM, VALUES, SJ_P_AXIS},
	{"weight", SJ_UI_CUSTOM, VALUES, SJ_P_WEIGHT},
	{"tabs", SJ_UI_CUSTOM, LISTS, SJ_P_TABS},
	{"tabItems", SJ_UI_CUSTOM, LISTS, SJ_P_TABS},
	{"options", SJ_UI_CUSTOM, LISTS, SJ_P_OPTIONS},
	{"choices", SJ_UI_CUSTOM, LISTS, SJ_P_OPTIONS},
	{"displayStyle", SJ_UI_CUSTOM, VALUES, SJ_P_DISPLAY},
	{"filterable", SJ_UI_CUSTOM, VALUES, SJ_P_FILTERABLE},
	{"min", SJ_UI_CUSTOM, VALUES, SJ_P_MIN},
	{"minValue", SJ_UI_CUSTOM, VALUES, SJ_P_MIN},
	{"max", SJ_UI_CUSTOM, VALUES, SJ_P_MAX},
	{"maxValue", SJ_UI_CUSTOM, VALUES, SJ_P_MAX},
	{"steps", SJ_UI_CUSTOM, VALUES, SJ_P_STEPS},
	{"enableDate", SJ_UI_CUSTOM, VALUES, SJ_P_ENABLE_DATE},
	{"enableTime", SJ_UI_CUSTOM, VALUES, SJ_P_ENABLE_TIME},
	{"currency", SJ_UI_CUSTOM, VALUES, SJ_P_CURRENCY},
	{"required", SJ_UI_CUSTOM, VALUES, SJ_P_REQUIRED},
	{"action", SJ_UI_CUSTOM, 1u << SJ_AC_ACTION, SJ_P_ACTION},
	{"child", SJ_UI_CUSTOM, 1u << SJ_AC_CHILD, SJ_P_CHILD},
	/* By class alone, whatever the name. */
	{NULL, SJ_UI_CUSTOM, 1u << SJ_AC_ACTION, SJ_P_ACTION},
	{NULL, SJ_UI_CUSTOM, 1u << SJ_AC_CHILD_LIST, SJ_P_CHILDREN},
	{NULL, SJ_UI_CUSTOM, 1u << SJ_AC_CHILD, SJ_P_CHILD},
};
enum { MEANINGS = sizeof meanings / sizeof *meanings };

enum sj_ui_kind sj_cat_kind(struct sj_slice type_name)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (sj_slice_is(type_name, kinds[i].name))
			return kinds[i].kind;
	return SJ_UI_CUSTOM;
}

static uint32_t find(enum sj_ui_kind kind, struct sj_slice name, unsigned classes)
{
	for (uint32_t i = 0; i < MEANINGS; i++) {
		const struct meaning *m = &meanings[i];
		if ((m->only == SJ_UI_CUSTOM || m->only == kind) && (m->classes & classes) &&
		    (!m->name || sj_slice_is(name, m->name)))
			return i;
	}
	return MEANINGS;
}

enum sj_ui_prop sj_cat_meaning(enum sj_ui_kind kind, struct sj_slice prop_name, enum sj_a2ui_class cls)
{
	uint32_t i = find(kind, prop_name, 1u << cls);
	return i < MEANINGS ? meanings[i].ui : SJ_P_NONE;
}

uint32_t sj_cat_meaning_rank(enum sj_ui_kind kind, struct sj_slice prop_name, enum sj_a2ui_class cls)
{
	return find(kind, prop_name, 1u << cls);
}

bool sj_a2ui_alias(struct sj_slice old, uint32_t *i, struct sj_slice *now)
{
	static const struct {
		const char *old, *now;
	} rows[] = {
		{"usageHint", "variant"},       {"distribution", "justify"}, {"alignment", "align"},
		{"entryPointChild", "trigger"}, {"contentChild", "content"}, {"tabItems", "tabs"},
		{"textFieldType", "variant"},   {"minValue", "min"},         {"maxValue", "max"},
		{"selections", "value"},        {"altText", "description"},  {"text", "value"},
		{"onClick", "action"},          {"onPress", "action"},       {"onTap", "action"},
		{"MultipleChoice", "ChoicePicker"},
	};
	while (*i < sizeof rows / sizeof *rows) {
		uint32_t at = (*i)++;
		if (sj_slice_is(old, rows[at].old)) {
			*now = sj_slice_of(rows[at].now);
			return true;
		}
	}
	return false;
}
