/* The standard catalog of v0.8 and the basic catalogs after it: the same components under other names. */
#include "a2ui/convert_internal.h"
#include "a2ui/internal.h"

enum how {
	TEXT,    /* bound text */
	NUMBER,
	BOOLEAN,
	TEXTS,   /* bound list of texts */
	AS_IS,
	CHILDREN,
	ACTION,
	TABS,    /* [{title: bound, child}] */
	OPTIONS, /* [{label: bound, value}] */
	ICON,
	FIT,
	PRIMARY, /* boolean / variant */
	MOST,    /* maxAllowedSelections / variant */
};

static const struct row {
	const char *type, *old, *new;
	enum how how;
} rows[] = {
	{"Text", "text", "text", TEXT},
	{"Text", "usageHint", "variant", AS_IS},
	{"Image", "url", "url", TEXT},
	{"Image", "altText", "description", TEXT},
	{"Image", "fit", "fit", FIT},
	{"Image", "usageHint", "variant", AS_IS},
	{"Icon", "name", "name", ICON},
	{"Video", "url", "url", TEXT},
	{"AudioPlayer", "url", "url", TEXT},
	{"AudioPlayer", "description", "description", TEXT},
	{"Row", "children", "children", CHILDREN},
	{"Row", "distribution", "justify", AS_IS},
	{"Row", "alignment", "align", AS_IS},
	{"Column", "children", "children", CHILDREN},
	{"Column", "distribution", "justify", AS_IS},
	{"Column", "alignment", "align", AS_IS},
	{"List", "children", "children", CHILDREN},
	{"List", "direction", "direction", AS_IS},
	{"List", "alignment", "align", AS_IS},
	{"Card", "child", "child", AS_IS},
	{"Tabs", "tabItems", "tabs", TABS},
	{"Divider", "axis", "axis", AS_IS},
	{"Modal", "entryPointChild", "trigger", AS_IS},
	{"Modal", "contentChild", "content", AS_IS},
	{"Button", "child", "child", AS_IS},
	{"Button", "primary", "variant", PRIMARY},
	{"Button", "action", "action", ACTION},
	{"CheckBox", "label", "label", TEXT},
	{"CheckBox", "value", "value", BOOLEAN},
	{"TextField", "label", "label", TEXT},
	{"TextField", "text", "value", TEXT},
	{"TextField", "textFieldType", "variant", AS_IS},
	{"TextField", "validationRegexp", "validationRegexp", AS_IS},
	{"DateTimeInput", "value", "value", TEXT},
	{"DateTimeInput", "enableDate", "enableDate", AS_IS},
	{"DateTimeInput", "enableTime", "enableTime", AS_IS},
	{"ChoicePicker", "selections", "value", TEXTS},
	{"ChoicePicker", "options", "options", OPTIONS},
	{"ChoicePicker", "maxAllowedSelections", "variant", MOST},
	{"ChoicePicker", "variant", "displayStyle", AS_IS},
	{"ChoicePicker", "filterable", "filterable", AS_IS},
	{"Slider", "label", "label", TEXT},
	{"Slider", "value", "value", NUMBER},
	{"Slider", "minValue", "min", AS_IS},
	{"Slider", "maxValue", "max", AS_IS},
};
enum { ROWS = sizeof rows / sizeof *rows };

bool sj_conv_bound_v08(const struct sj_value *v, const struct sj_value **literal, const struct sj_value **path)
{
	static const char *const literals[] = {"literalString", "literalNumber", "literalBoolean", "literalArray"};
	*literal = *path = NULL;
	if (v->type != SJ_V_OBJECT || sj_value_count(v) == 0)
		return false;
	for (uint32_t i = 0; i < sj_value_count(v); i++) {
		struct sj_slice key;
		const struct sj_value *m = sj_value_member(v, i, &key);
		bool known = sj_slice_is(key, "path") && sj_value_is_string(m);
		if (known)
			*path = m;
		for (size_t k = 0; k < sizeof literals / sizeof *literals && !known; k++)
			if (sj_slice_is(key, literals[k])) {
				known = true;
				*literal = *literal ? *literal : m;
			}
		if (!known)
			return false;
	}
	return true;
}

/* ---- upwards ----------------------------------------------------------------------------------------------------- */

static void put_text_default(struct sj_conv *c, struct sj_value *out, const char *key)
{
	if (!sj_conv_get(out, key)) /* {} was allowed; later versions ask for a text */
		sj_conv_put(c, out, key, sj_conv_text(c, SJ_LIT("")));
}

static void upward(struct sj_conv *c, const struct row *r, const struct sj_value *v, struct sj_value *out)
{
	switch (r->how) {
	case FIT:
		sj_conv_put(c, out, r->new,
		            sj_conv_is(v, "scale-down") ? sj_conv_text(c, SJ_LIT("scaleDown")) : sj_value_ref(*v));
		return;
	case PRIMARY:
		if (v->type == SJ_V_TRUE)
			sj_conv_put(c, out, r->new, sj_conv_text(c, SJ_LIT("primary")));
		return;
	case MOST:
		sj_conv_put(c, out, r->new,
		            sj_conv_text(c, sj_value_is_number(v) && sj_value_double(v) == 1
		                                    ? SJ_LIT("mutuallyExclusive")
		                                    : SJ_LIT("multipleSelection")));
		if (sj_value_is_number(v) && sj_value_double(v) > 1)
			sj_conv_put(c, out, "maxAllowedSelections", sj_value_ref(*v));
		return;
	case TEXT:
	case NUMBER:
	case BOOLEAN:
	case TEXTS:
	case AS_IS:
	case CHILDREN:
	case ACTION:
	case TABS:
	case OPTIONS:
	case ICON:
		sj_conv_put(c, out, r->new, sj_value_ref(*v));
		return;
	}
}

static const struct row *old_row(struct sj_slice type, struct sj_slice key)
{
	for (size_t i = 0; i < ROWS; i++)
		if (sj_slice_is(type, rows[i].type) && sj_slice_is(key, rows[i].old))
			return &rows[i];
	return NULL;
}

struct sj_value sj_conv_from_v08(struct sj_conv *c, struct sj_value from)
{
	const struct sj_value *type_value = sj_conv_get(&from, "component");
	struct sj_slice type = type_value ? sj_value_text(type_value) : SJ_LIT("");
	bool date = sj_slice_is(type, "TextField") && sj_conv_is(sj_conv_get(&from, "textFieldType"), "date");
	bool choice = sj_slice_is(type, "MultipleChoice");
	struct sj_value out = sj_conv_object(c);
	struct sj_slice name = date ? SJ_LIT("DateTimeInput") : choice ? SJ_LIT("ChoicePicker") : type;
	const struct sj_value *tabs = sj_conv_get(&from, "tabItems");
	bool empty_tabs = sj_slice_is(type, "Tabs") && tabs && sj_value_count(tabs) == 0;
	if (empty_tabs) /* later versions ask for one tab; nothing in a column looks the same */
		name = SJ_LIT("Column");
	for (uint32_t i = 0; i < sj_value_count(&from); i++) {
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(&from, i, &key);
		const struct row *r = old_row(choice ? SJ_LIT("ChoicePicker") : type, key);
		if (sj_slice_is(key, "component"))
			sj_conv_put(c, &out, "component", sj_conv_text(c, name));
		else if (empty_tabs && sj_slice_is(key, "tabItems"))
			sj_conv_put(c, &out, "children", sj_conv_array(c));
		else if (date && sj_slice_is(key, "textFieldType"))
			sj_conv_put(c, &out, "enableDate", sj_value_bool(true));
		else if (r)
			upward(c, r, v, &out);
		else
			sj_conv_set(c, &out, key, sj_value_ref(*v));
	}
	/* What later versions ask for, and what v0.8 meant without it. */
	if (choice && !sj_conv_get(&out, "variant"))
		sj_conv_put(c, &out, "variant", sj_conv_text(c, SJ_LIT("multipleSelection")));
	if (choice && !sj_conv_get(&out, "value"))
		sj_conv_put(c, &out, "value", sj_conv_array(c));
	if (sj_slice_is(type, "Slider") && !sj_conv_get(&out, "max"))
		sj_conv_put(c, &out, "max", sj_value_int(100));
	if (sj_slice_is(type, "Slider") && !sj_conv_get(&out, "value"))
		sj_conv_put(c, &out, "value", sj_value_int(0));
	if (sj_slice_is(type, "CheckBox") && !sj_conv_get(&out, "value"))
		sj_conv_put(c, &out, "value", sj_value_bool(false));
	static const char *const texts[][2] = {
		{"Text", "text"},           {"Image", "url"},       {"Video", "url"},     {"AudioPlayer", "url"},
		{"DateTimeInput", "value"}, {"TextField", "label"}, {"CheckBox", "label"}};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (sj_slice_is(name, texts[i][0]))
			put_text_default(c, &out, texts[i][1]);
	sj_conv_drop(c, from);
	return out;
}

/* ---- downwards --------------------------------------------------------------------------------------------------- */

static const char *literal_name(enum how how, const struct sj_value *v)
{
	if (how == NUMBER)
		return sj_value_is_number(v) ? "literalNumber" : NULL;
	if (how == BOOLEAN)
		return sj_value_is_bool(v) ? "literalBoolean" : NULL;
	if (how == TEXTS)
		return v->type == SJ_V_ARRAY ? "literalArray" : NULL;
	return sj_value_is_string(v) ? "literalString" : NULL;
}

/* ABSENT: it cannot be said. */
static struct sj_value bound(struct sj_conv *c, enum how how, const struct sj_value *v)
{
	const struct sj_value *path = sj_conv_get(v, "@path");
	struct sj_slice lone = path ? SJ_NO_SLICE : sj_conv_lone_path(c, v);
	struct sj_value out = sj_conv_object(c);
	const char *name = sj_value_is_container(v) && v->type == SJ_V_OBJECT ? NULL : literal_name(how, v);
	bool plain = how != TEXTS || v->type != SJ_V_ARRAY;
	for (uint32_t i = 0; !plain && i < sj_value_count(v); i++)
		if (!sj_value_is_string(sj_value_item(v, i)))
			name = NULL;
	if (path) {
		sj_conv_put(c, &out, "path", sj_value_ref(*path));
	} else if (lone.ptr) {
		sj_conv_put(c, &out, "path", sj_conv_text(c, lone));
	} else if (name) {
		sj_conv_put(c, &out, name, sj_value_ref(*v));
	} else if (sj_conv_get(v, "@call")) {
		sj_conv_lost(c, "v0.8 has no functions: '%.*s'", SJ_ARG(sj_value_text(sj_conv_get(v, "@call"))));
		sj_conv_drop(c, out);
		return SJ_ABSENT_VALUE;
	} else {
		sj_conv_lost(c, "v0.8 cannot write this value here");
		sj_conv_drop(c, out);
		return SJ_ABSENT_VALUE;
	}
	return out;
}

/* A value that must be there: an empty one where nothing can be said. */
static struct sj_value bound_or_empty(struct sj_conv *c, enum how how, const struct sj_value *v)
{
	struct sj_value out = bound(c, how, v);
	return out.type == SJ_V_ABSENT ? sj_conv_object(c) : out;
}

static struct sj_value action(struct sj_conv *c, const struct sj_value *v)
{
	const struct sj_value *event = sj_conv_get(v, "event"), *call = sj_conv_get(v, "functionCall");
	struct sj_value out = sj_conv_object(c), list = sj_conv_array(c);
	const struct sj_value *name = sj_conv_get(event, "name"), *context = sj_conv_get(event, "context");
	if (call) {
		sj_conv_lost(c, "v0.8 has no functions: a press sends an event of that name");
		name = sj_conv_get(call, "@call");
	}
	sj_conv_put(c, &out, "name", name ? sj_value_ref(*name) : sj_conv_text(c, SJ_LIT("")));
	for (uint32_t i = 0; context && i < sj_value_count(context); i++) {
		struct sj_slice key;
		const struct sj_value *m = sj_value_member(context, i, &key);
		size_t at = sj_conv_enter(c, key);
		struct sj_value entry = sj_conv_object(c);
		enum how how = sj_value_is_number(m) ? NUMBER : sj_value_is_bool(m) ? BOOLEAN : TEXT;
		struct sj_value value = m->type == SJ_V_NULL    ? sj_conv_object(c)
		                        : m->type == SJ_V_ARRAY ? SJ_ABSENT_VALUE
		                                                : bound(c, how, m);
		if (m->type == SJ_V_ARRAY)
			sj_conv_lost(c, "v0.8 has no lists in a context");
		sj_conv_leave(c, at);
		if (value.type == SJ_V_ABSENT) {
			sj_conv_drop(c, entry);
			continue;
		}
		sj_conv_put(c, &entry, "key", sj_conv_text(c, key));
		sj_conv_put(c, &entry, "value", value);
		sj_conv_add(c, &list, entry);
	}
	if (sj_value_count(&list) > 0)
		sj_conv_put(c, &out, "context", list);
	else
		sj_conv_drop(c, list);
	if (sj_conv_get(event, "userMessage"))
		sj_conv_lost(c, "v0.8 has no userMessage");
	return out;
}

static struct sj_value children(struct sj_conv *c, const struct sj_value *v)
{
	struct sj_value out = sj_conv_object(c);
	if (v->type == SJ_V_ARRAY) {
		sj_conv_put(c, &out, "explicitList", sj_value_ref(*v));
		return out;
	}
	struct sj_value template = sj_conv_object(c);
	const struct sj_value *id = sj_conv_get(v, "componentId"), *path = sj_conv_get(v, "path");
	if (id && path) {
		sj_conv_put(c, &template, "componentId", sj_value_ref(*id));
		sj_conv_put(c, &template, "dataBinding", sj_value_ref(*path));
	}
	sj_conv_put(c, &out, "template", template);
	return out;
}

/* The objects of tabs and options: one member is bound, the others stay. */
static struct sj_value entries(struct sj_conv *c, const struct sj_value *v, const char *member)
{
	struct sj_value out = sj_conv_array(c);
	for (uint32_t i = 0; v->type == SJ_V_ARRAY && i < sj_value_count(v); i++) {
		const struct sj_value *text = sj_conv_get(sj_value_item(v, i), member);
		struct sj_value one = sj_value_ref(*sj_value_item(v, i));
		size_t at = sj_conv_enter_index(c, i);
		if (text)
			sj_conv_put(c, &one, member, bound_or_empty(c, TEXT, text));
		sj_conv_leave(c, at);
		sj_conv_add(c, &out, one);
	}
	return out;
}

static const char *const NEW_ICONS[] = {"fastForward", "pause",        "play",    "rewind",
                                        "skipNext",    "skipPrevious", "stop",    "volumeDown",
                                        "volumeMute",  "volumeOff",    "volumeUp"};

static struct sj_value icon(struct sj_conv *c, const struct sj_value *v)
{
	bool known = !sj_conv_get(v, "svgPath");
	for (size_t i = 0; i < sizeof NEW_ICONS / sizeof *NEW_ICONS; i++)
		known = known && !sj_conv_is(v, NEW_ICONS[i]);
	if (known)
		return bound_or_empty(c, TEXT, v);
	sj_conv_lost(c, "v0.8 has no such icon");
	return sj_conv_object(c);
}

static void downward(struct sj_conv *c, const struct row *r, const struct sj_value *v, struct sj_value *props)
{
	struct sj_value to = SJ_ABSENT_VALUE;
	switch (r->how) {
	case TEXT:
	case NUMBER:
	case BOOLEAN:
	case TEXTS:
		to = bound_or_empty(c, r->how, v);
		break;
	case CHILDREN:
		to = children(c, v);
		break;
	case ACTION:
		to = action(c, v);
		break;
	case TABS:
		to = entries(c, v, "title");
		break;
	case OPTIONS:
		to = entries(c, v, "label");
		break;
	case ICON:
		to = icon(c, v);
		break;
	case FIT:
		to = sj_conv_is(v, "scaleDown") ? sj_conv_text(c, SJ_LIT("scale-down")) : sj_value_ref(*v);
		break;
	case PRIMARY:
		if (sj_conv_is(v, "primary"))
			to = sj_value_bool(true);
		else if (!sj_conv_is(v, "default"))
			sj_conv_lost(c, "v0.8 knows buttons that are primary and buttons that are not");
		break;
	case MOST:
		if (!sj_conv_is(v, "multipleSelection"))
			to = sj_value_int(1);
		break;
	case AS_IS:
		if ((sj_slice_is(sj_slice_of(r->new), "justify") && sj_conv_is(v, "stretch")))
			sj_conv_lost(c, "v0.8 has no 'stretch' here");
		else
			to = sj_value_ref(*v);
		break;
	}
	if (to.type != SJ_V_ABSENT)
		sj_conv_put(c, props, r->old, to);
}

static bool same_value(const struct sj_value *component, const struct sj_value *args, const char *prop)
{
	const struct sj_value *own = sj_conv_get(component, prop), *asked = sj_conv_get(args, "value");
	return own && asked && sj_value_equal(own, asked);
}

/* What a check says that v0.8 says with a property: ABSENT when it does not. */
static struct sj_value as_property(struct sj_conv *c, const struct sj_value *component, struct sj_slice type,
                                   const struct sj_value *rule, const char **name)
{
	const struct sj_value *condition = sj_conv_get(rule, "condition"), *args = sj_conv_get(condition, "args"),
			      *call = sj_conv_get(condition, "@call"), *pattern = sj_conv_get(args, "pattern"),
			      *most = sj_conv_get(args, "max");
	static const char head[] = SJ_V08_PATTERN_HEAD;
	if (sj_slice_is(type, "TextField") && sj_conv_is(call, "regex") && same_value(component, args, "value") &&
	    sj_conv_is(sj_conv_get(rule, "message"), SJ_V08_PATTERN_MESSAGE) && pattern &&
	    sj_value_is_string(pattern)) {
		struct sj_slice p = sj_value_text(pattern);
		size_t n = sizeof head - 1;
		if (p.len > n && memcmp(p.ptr, head, n) == 0 && p.ptr[p.len - 1] == ')') {
			*name = "validationRegexp";
			return sj_conv_text(c, sj_slice(p.ptr + n, p.len - n - 1));
		}
	}
	if (sj_slice_is(type, "ChoicePicker") && sj_conv_is(call, "length") && same_value(component, args, "value") &&
	    most && !sj_conv_get(args, "min") && sj_value_is_number(most) && sj_value_double(most) > 1) {
		*name = "maxAllowedSelections";
		return sj_value_ref(*most);
	}
	return SJ_ABSENT_VALUE;
}

static void put_checks(struct sj_conv *c, const struct sj_value *component, struct sj_slice type,
                       const struct sj_value *checks, struct sj_value *props)
{
	for (uint32_t i = 0; i < sj_value_count(checks); i++) {
		const char *name = NULL;
		struct sj_value v = as_property(c, component, type, sj_value_item(checks, i), &name);
		size_t at = sj_conv_enter_index(c, i);
		if (name)
			sj_conv_put(c, props, name, v);
		else
			sj_conv_lost(c, "v0.8 has no checks");
		sj_conv_leave(c, at);
	}
}

/* A component that the standard catalog does not know: structure is translated, texts stay as they are. */
static void put_foreign(struct sj_conv *c, struct sj_slice key, const struct sj_value *v, struct sj_value *props)
{
	const struct sj_value *path = sj_conv_get(v, "@path");
	if (sj_slice_is(key, "children"))
		sj_conv_set(c, props, key, children(c, v));
	else if (sj_conv_get(v, "event") || sj_conv_get(v, "functionCall"))
		sj_conv_set(c, props, key, action(c, v));
	else if (path)
		sj_conv_set(c, props, key, bound_or_empty(c, TEXT, v));
	else if (sj_conv_get(v, "@call"))
		sj_conv_lost(c, "v0.8 has no functions");
	else
		sj_conv_set(c, props, key, sj_value_ref(*v));
}

struct sj_value sj_conv_to_v08(struct sj_conv *c, const struct sj_value *component)
{
	const struct sj_value *type_value = sj_conv_get(component, "component");
	struct sj_slice type = type_value ? sj_value_text(type_value) : SJ_LIT("");
	struct sj_value out = sj_conv_object(c), props = sj_conv_object(c), wrapper = sj_conv_object(c);
	bool known = false;
	for (size_t i = 0; i < ROWS; i++)
		known = known || (c->life->basic && sj_slice_is(type, rows[i].type));
	if (known && sj_slice_is(type, "ChoicePicker") && !sj_conv_get(component, "variant"))
		sj_conv_put(c, &props, "maxAllowedSelections", sj_value_int(1)); /* the default since v0.9 */
	struct sj_value text = SJ_ABSENT_VALUE;
	unsigned level = known && sj_slice_is(type, "Text") && c->from >= SJ_V10 && sj_conv_get(component, "text")
	                         ? sj_conv_heading_of(c, sj_conv_get(component, "text"), &text)
	                         : 0;
	for (uint32_t i = 0; i < sj_value_count(component); i++) {
		struct sj_slice key;
		const struct sj_value *v = sj_value_member(component, i, &key);
		const struct row *r = NULL;
		for (size_t k = 0; known && k < ROWS && !r; k++)
			r = sj_slice_is(type, rows[k].type) && sj_slice_is(key, rows[k].new) ? &rows[k] : NULL;
		size_t at = sj_conv_enter(c, key);
		if (sj_slice_is(key, "id") || sj_slice_is(key, "weight"))
			sj_conv_set(c, &out, key, sj_value_ref(*v));
		else if (sj_slice_is(key, "checks"))
			put_checks(c, component, type, v, &props);
		else if (level && sj_slice_is(key, "text"))
			downward(c, r, &text, &props);
		else if (level && sj_slice_is(key, "variant"))
			; /* the heading says it */
		else if (r)
			downward(c, r, v, &props);
		else if (sj_slice_is(key, "maxAllowedSelections"))
			sj_conv_set(c, &props, key, sj_value_ref(*v));
		else if (sj_slice_is(key, "catalogId") || sj_slice_is(key, "metadata") ||
		         sj_slice_is(key, "accessibility") || (known && !sj_slice_is(key, "component")))
			sj_conv_lost(c, "v0.8 has no '%.*s'%s%.*s", SJ_ARG(key), known ? " of " : "",
			             known ? (int)type.len : 0, type.ptr);
		else if (!sj_slice_is(key, "component"))
			put_foreign(c, key, v, &props);
		sj_conv_leave(c, at);
	}
	if (level) {
		char hint[] = {'h', (char)('0' + level), '\0'};
		sj_conv_put(c, &props, "usageHint", sj_conv_text(c, sj_slice_of(hint)));
	}
	sj_conv_drop(c, text);
	sj_conv_set(c, &wrapper, known && sj_slice_is(type, "ChoicePicker") ? SJ_LIT("MultipleChoice") : type, props);
	sj_conv_put(c, &out, "component", wrapper);
	return out;
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

/* The recursion is as deep as the message, which its reading bounded (limits.json_depth). */
struct sj_value sj_conv_entry_v08(struct sj_conv *c, struct sj_slice key, const struct sj_value *v)
{
	struct sj_value out = sj_conv_object(c);
	size_t at = sj_conv_enter(c, key);
	sj_conv_put(c, &out, "key", sj_conv_text(c, key));
	if (sj_value_is_string(v)) {
		struct sj_value read = SJ_ABSENT_VALUE;
		if (c->st == SJ_OK)
			c->st = sj_v08_text(c->mem, c->limits, sj_value_text(v), &read);
		if (c->st == SJ_OK && !sj_value_is_string(&read))
			sj_conv_lost(c, "v0.8 reads this text as the JSON that it spells");
		if (c->st == SJ_OK)
			sj_conv_drop(c, read);
		sj_conv_put(c, &out, "valueString", sj_value_ref(*v));
	} else if (v->type == SJ_V_ARRAY) { /* lists travel as the JSON that spells them */
		struct sj_buf text;
		sj_buf_init(&text, c->mem, 0);
		sj_value_print(&text, v, SJ_PRINT_COMPACT);
		if (sj_buf_status(&text) != SJ_OK)
			c->st = sj_buf_status(&text);
		sj_conv_put(c, &out, "valueString", sj_conv_text(c, sj_buf_view(&text)));
		sj_buf_finish(&text);
	} else if (sj_value_is_number(v)) {
		sj_conv_put(c, &out, "valueNumber", sj_value_ref(*v));
	} else if (sj_value_is_bool(v)) {
		sj_conv_put(c, &out, "valueBoolean", sj_value_ref(*v));
	} else if (sj_value_is_container(v)) {
		struct sj_value map = sj_conv_array(c);
		for (uint32_t i = 0; i < sj_value_count(v); i++) {
			struct sj_slice name;
			const struct sj_value *m = sj_value_member(v, i, &name);
			struct sj_value entry = sj_conv_entry_v08(c, name, m);
			if (entry.type != SJ_V_ABSENT)
				sj_conv_add(c, &map, entry);
		}
		sj_conv_put(c, &out, "valueMap", map);
	} else {
		sj_conv_lost(c, "v0.8 has no null");
		sj_conv_drop(c, out);
		out = SJ_ABSENT_VALUE;
	}
	sj_conv_leave(c, at);
	return out;
}
