#include "a2ui/data.h"

/* Which versions a row belongs to. */
enum {
	V09 = 1,
	V10 = 2,
	BOTH = 3,
	ENVELOPE = 4, /* only when calls are checked for shape alone */
	FULL = 8,     /* only when not */
	BARE = 16,
	RESERVED = 32
};

struct row {
	const char *name;
	unsigned in;
	const char *sketch;
};

static const struct row common_types[] = {
	{"ComponentId", BOTH, "str _Id of a component on the same surface._"},
	{"CallId", V10, "str _Id that ties a call to its answer._"},
	{"AccessibilityAttributes", BOTH,
	 "{label $DynamicString _Short name, read out instead of the visible text._,"
	 " description $DynamicString _Longer explanation for assistive technology._,"
	 " >live str'off|polite|assertive'='off' _How changes are announced._,"
	 " >hidden $DynamicBoolean _True hides the component and what is in it from assistive technology._"
	 " >.} _What assistive technology is told about a component._"},
	{"Extensions", V10,
	 "{.}+`\"patternProperties\":{\"^[\\\\p{XID_Start}_][\\\\p{XID_Continue}]*$\":{}}`"
	 " _Data of vendors. Keys are identifiers, and those of the protocol begin with a2ui._"},
	{"ComponentCommon", BOTH,
	 "{id! $ComponentId, >catalogId str _Catalog of this component, instead of the surface's._,"
	 " accessibility $AccessibilityAttributes,"
	 " >metadata {extensions $Extensions .} _Room for vendors' data._}"},
	{"Child", V10, "$ComponentId _The component that stands here._"},
	{"ChildList", BOTH,
	 "([$ComponentId] _Ids in order._"
	 "|{componentId! $ComponentId, path! str _The list in the data model._ .}"
	 " _One component repeated for each item of a list._)"},
	{"DataBinding", BOTH, "{@path! str _JSON Pointer into the data model._ .}"},
	{"DynamicValue", V09, "(str|num|bool|arr|$DataBinding|$FunctionCall) _Any literal, a binding or a call._"},
	{"DynamicValue", V10 | BARE,
	 "(str|num|bool|arr|obj+`\"not\":{\"anyOf\":[{\"required\":[\"path\"]},{\"required\":[\"call\"]}]}`|"
	 "$DataBinding|$FunctionCall)"
	 " _Any literal, a binding or a call._"},
	/* The reserved dialect keeps every key of one @ to the protocol, at any depth of a literal. */
	{"DynamicValue", V10 | RESERVED,
	 "(str|num|bool|[(null?$DynamicValue)]"
	 "|{*(null?$DynamicValue)}+`\"propertyNames\":{\"not\":{\"pattern\":\"^@([^@]|$)\"}}`|$DataBinding|"
	 "$FunctionCall)"
	 " _Any literal, a binding or a call. A key that begins with @ is written with two._"},
	{"DynamicString", V09, "(str|$DataBinding|($FunctionCall&-{returnType 'string'}))"
	 " _A text, a binding or a call._"},
	{"DynamicString", V10, "(str|$DataBinding|$FunctionCall) _A text, a binding or a call._"},
	{"DynamicNumber", V09, "(num|$DataBinding|($FunctionCall&-{returnType 'number'}))"
	 " _A number, a binding or a call._"},
	{"DynamicNumber", V10, "(num|$DataBinding|$FunctionCall) _A number, a binding or a call._"},
	{"DynamicBoolean", V09, "(bool|$DataBinding|($FunctionCall&-{returnType 'boolean'}))"
	 " _True, false, a binding or a call._"},
	{"DynamicBoolean", V10, "(bool|$DataBinding|$FunctionCall) _True, false, a binding or a call._"},
	{"DynamicStringList", V09, "([str]|$DataBinding|($FunctionCall&-{returnType 'array'}))"
	 " _A list of texts, a binding or a call._"},
	{"DynamicStringList", V10, "([str]|$DataBinding|$FunctionCall) _A list of texts, a binding or a call._"},
	{"FunctionCommon", V10, "{catalogId str _Catalog of this function, instead of the surface's._}"},
	{"IndexSystemFunction", V10,
	 "{@call! '@index', args {offset $DynamicNumber=0 _Added to the row number._ ~} ~}+`\"returnType\":\"number\"`"
	 " _Number of the row in a repeated list, from 0; only inside one._"},
	{"FunctionCall", V09 | FULL,
	 "{call! str _Name of the function._, args {*($DynamicValue?obj _A plain object._)} _Its arguments._,"
	 " returnType str'string|number|boolean|array|object|any|void'='boolean' _What the caller expects back._}"
	 "+`\"oneOf\":[{\"$ref\":\"catalog.json#/$defs/anyFunction\"}]` _Calls a function of the catalog._"},
	{"FunctionCall", V10 | FULL | BARE,
	 "{call! str _Name of the function._, catalogId str _Catalog of this function, instead of the surface's._,"
	 " args {*($DynamicValue?obj _A plain object._)} _Its arguments._ ~}"
	 "+`\"oneOf\":[{\"$ref\":\"catalog.json#/$defs/anyFunction\"},{\"$ref\":\"#/$defs/IndexSystemFunction\"}]`"
	 " _Calls a function of the catalog._"},
	{"FunctionCall", V10 | FULL | RESERVED,
	 "{@call! str _Name of the function._, catalogId str _Catalog of this function, instead of the surface's._,"
	 " args {*$DynamicValue} _Its arguments._ ~}"
	 "+`\"oneOf\":[{\"$ref\":\"catalog.json#/$defs/anyFunction\"},{\"$ref\":\"#/$defs/IndexSystemFunction\"}]`"
	 " _Calls a function of the catalog._"},
	{"FunctionCall", V10 | ENVELOPE | BARE,
	 "{call! str, catalogId str, args {*($DynamicValue?obj)} ~}"
	 "+`\"oneOf\":[{\"properties\":{\"call\":{\"not\":{\"const\":\"@index\"}}}},"
	 "{\"$ref\":\"#/$defs/IndexSystemFunction\"}]`"},
	{"FunctionCall", V10 | ENVELOPE | RESERVED,
	 "{@call! str, catalogId str, args {*$DynamicValue} ~}"
	 "+`\"oneOf\":[{\"properties\":{\"@call\":{\"not\":{\"const\":\"@index\"}}}},"
	 "{\"$ref\":\"#/$defs/IndexSystemFunction\"}]`"},
	{"CheckRule", V09,
	 "{condition! $DynamicBoolean, message! str _Shown while the condition is false._ .} _One rule on an input._"},
	{"CheckRule", V10,
	 "{condition! ($DataBinding|$FunctionCall) _Gives the outcome of the check._, message str"
	 " _Shown when the outcome brings none._ .}"
	 " _One rule on an input._"},
	{"Checkable", BOTH, "{checks [$CheckRule] _A list of checks to perform._}"
	 " _What every component with checks has._"},
	{"Action", BOTH,
	 "({event! {name! str _Word the agent knows the event by._, >userMessage $DynamicString"
	 " _The event in words, for the conversation._,"
	 " context {*$DynamicValue} _What the agent is told with it._ .} _Sent to the agent._ .}"
	 " _An event for the agent._"
	 "|{functionCall! $FunctionCall .} _A function to run._) _What happens on a press._"},
	{"Surface", V10,
	 "{component 'Surface', child 'root' .}+`\"allowedParents\":[]`"
	 " _The surface itself, parent of the root; never sent._"},
	{"FunctionResponse", V10,
	 "{functionCallId! $CallId _Id of the call that is answered._, value any _What the function gave._,"
	 " error {code! str, message! str .} _Why it failed._ .}+`\"oneOf\":[{\"required\":[\"value\"]},"
	 "{\"required\":[\"error\"]}]`"
	 " _The answer to a call._"},
};

static bool row_fits(const struct row *r, enum sj_version v, enum sj_dialect d, bool envelope)
{
	bool v10 = v >= SJ_V10;
	if (!(r->in & (v10 ? V10 : V09)))
		return false;
	if (v10 && ((r->in & (envelope ? FULL : ENVELOPE)) || (r->in & (d == SJ_DIALECT_RESERVED ? BARE : RESERVED))))
		return false;
	return true;
}

const char *sj_data_base(enum sj_version v)
{
	return v >= SJ_V10 ? "https://a2ui.org/specification/v1_0/"
	       : v == SJ_V08 ? "https://a2ui.org/specification/v0_8/" : "https://a2ui.org/specification/v0_9/";
}

static void head(struct sj_buf *out, enum sj_version v, const char *folder, const char *file, const char *title)
{
	sj_buf_puts(out, "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"");
	sj_buf_puts(out, sj_data_base(v));
	sj_buf_puts(out, folder);
	sj_buf_puts(out, file);
	sj_buf_puts(out, "\"");
	if (title) {
		sj_buf_puts(out, ",\"title\":");
		sj_sketch_string(out, sj_slice_of(title));
	}
}

void sj_data_common_types(struct sj_buf *out, enum sj_version v, enum sj_dialect d, bool envelope, bool terse)
{
	struct sj_sketch_env env = {.version = v, .dialect = d, .common = "#/$defs/", .terse = terse};
	head(out, v, "", "common_types.json", "Common types of A2UI");
	sj_buf_puts(out, ",\"$defs\":{");
	bool first = true;
	for (size_t i = 0; i < sizeof common_types / sizeof *common_types; i++) {
		const struct row *r = &common_types[i];
		if (!row_fits(r, v, d, envelope))
			continue;
		sj_buf_puts(out, first ? "" : ",");
		first = false;
		sj_sketch_string(out, sj_slice_of(r->name));
		sj_buf_putc(out, ':');
		sj_sketch(out, &env, r->sketch);
	}
	sj_buf_puts(out, "}}");
}

bool sj_data_common_class(enum sj_version v, struct sj_slice name, enum sj_a2ui_class *cls, enum sj_dynamic_type *dyn)
{
	static const struct { const char *name; enum sj_a2ui_class cls; enum sj_dynamic_type dyn; } classes[] = {
		{"ComponentId", SJ_AC_CHILD, SJ_DYN_ANY},
		{"Child", SJ_AC_CHILD, SJ_DYN_ANY},
		{"ChildList", SJ_AC_CHILD_LIST, SJ_DYN_ANY},
		{"DynamicString", SJ_AC_DYNAMIC, SJ_DYN_STRING},
		{"DynamicNumber", SJ_AC_DYNAMIC, SJ_DYN_NUMBER},
		{"DynamicBoolean", SJ_AC_DYNAMIC, SJ_DYN_BOOLEAN},
		{"DynamicStringList", SJ_AC_DYNAMIC, SJ_DYN_STRING_LIST},
		{"DynamicValue", SJ_AC_DYNAMIC, SJ_DYN_ANY},
		{"DataBinding", SJ_AC_DYNAMIC, SJ_DYN_ANY},
		{"FunctionCall", SJ_AC_DYNAMIC, SJ_DYN_ANY},
		{"Action", SJ_AC_ACTION, SJ_DYN_ANY},
		{"AccessibilityAttributes", SJ_AC_ACCESSIBILITY, SJ_DYN_ANY},
	};
	bool known = false;
	for (size_t i = 0; i < sizeof common_types / sizeof *common_types && !known; i++)
		known = (common_types[i].in & (v >= SJ_V10 ? V10 : V09)) && sj_slice_is(name, common_types[i].name);
	if (!known)
		return false;
	*cls = SJ_AC_PLAIN;
	*dyn = SJ_DYN_ANY;
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (sj_slice_is(name, classes[i].name)) {
			*cls = classes[i].cls;
			*dyn = classes[i].dyn;
		}
	return true;
}
