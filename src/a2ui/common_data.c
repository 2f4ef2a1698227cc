#include "a2ui/data.h"

/* Which versions a row belongs to. */
enum { V09 = 1, V10 = 2, BOTH = 3, ENVELOPE = 4 /* only when calls are checked for shape alone */, FULL = 8 /* only when not */,
       BARE = 16, RESERVED = 32 };

struct row {
	const char *name;
	unsigned in;
	const char *sketch;
};

static const struct row common_types[] = {
	{"ComponentId", BOTH, "str \"Id of a component on the same surface.\""},
	{"CallId", V10, "str \"Id that ties a call to its answer.\""},
	{"AccessibilityAttributes", BOTH,
	 "{label $DynamicString \"Short name, read out instead of the visible text.\","
	 " description $DynamicString \"Longer explanation for assistive technology.\","
	 " >live str'off|polite|assertive'='off' \"How changes are announced.\","
	 " >hidden $DynamicBoolean \"True hides the component and what is in it from assistive technology.\""
	 " >.} \"What assistive technology is told about a component.\""},
	{"Extensions", V10,
	 "{.}+`\"patternProperties\":{\"^[\\\\p{XID_Start}_][\\\\p{XID_Continue}]*$\":{}}`"
	 " \"Data of vendors. Keys are identifiers; the prefix a2ui_ belongs to the protocol.\""},
	{"ComponentCommon", BOTH,
	 "{id! $ComponentId, >catalogId str \"Catalog of this component, instead of the surface's.\","
	 " accessibility $AccessibilityAttributes,"
	 " >metadata {extensions $Extensions .} \"Room for vendors' data.\"}"},
	{"Child", V10, "$ComponentId \"The component that stands here.\""},
	{"ChildList", BOTH,
	 "([$ComponentId] \"Ids in order.\""
	 "|{componentId! $ComponentId, path! str \"List in the data model.\" .} \"One component repeated for each item of a list.\")"},
	{"DataBinding", BOTH, "{@path! str \"JSON Pointer into the data model.\" .}"},
	{"DynamicValue", V09, "(str|num|bool|arr|$DataBinding|$FunctionCall) \"Any literal, a binding or a call.\""},
	{"DynamicValue", V10 | BARE,
	 "(str|num|bool|arr|obj+`\"not\":{\"anyOf\":[{\"required\":[\"path\"]},{\"required\":[\"call\"]}]}`|$DataBinding|$FunctionCall)"
	 " \"Any literal, a binding or a call.\""},
	/* The reserved dialect keeps every key of one @ to the protocol, at any depth of a literal. */
	{"DynamicValue", V10 | RESERVED,
	 "(str|num|bool|[(null?$DynamicValue)]"
	 "|{*(null?$DynamicValue)}+`\"propertyNames\":{\"not\":{\"pattern\":\"^@([^@]|$)\"}}`|$DataBinding|$FunctionCall)"
	 " \"Any literal, a binding or a call. A key that begins with @ is written with two.\""},
	{"DynamicString", V09, "(str|$DataBinding|($FunctionCall&-{returnType 'string'})) \"Text, a binding or a call.\""},
	{"DynamicString", V10, "(str|$DataBinding|$FunctionCall) \"Text, a binding or a call.\""},
	{"DynamicNumber", V09, "(num|$DataBinding|($FunctionCall&-{returnType 'number'})) \"A number, a binding or a call.\""},
	{"DynamicNumber", V10, "(num|$DataBinding|$FunctionCall) \"A number, a binding or a call.\""},
	{"DynamicBoolean", V09, "(bool|$DataBinding|($FunctionCall&-{returnType 'boolean'})) \"True, false, a binding or a call.\""},
	{"DynamicBoolean", V10, "(bool|$DataBinding|$FunctionCall) \"True, false, a binding or a call.\""},
	{"DynamicStringList", V09, "([str]|$DataBinding|($FunctionCall&-{returnType 'array'})) \"A list of texts, a binding or a call.\""},
	{"DynamicStringList", V10, "([str]|$DataBinding|$FunctionCall) \"A list of texts, a binding or a call.\""},
	{"FunctionCommon", V10, "{catalogId str \"Catalog of this function, instead of the surface's.\"}"},
	{"IndexSystemFunction", V10,
	 "{@call! '@index', args {offset $DynamicNumber=0 \"Added to the row number.\" ~} ~}+`\"returnType\":\"number\"`"
	 " \"Number of the row in a repeated list, from 0; only inside one.\""},
	{"FunctionCall", V09 | FULL,
	 "{call! str \"Name of the function.\", args {*($DynamicValue?obj \"A plain object.\")} \"Its arguments.\","
	 " returnType str'string|number|boolean|array|object|any|void'='boolean' \"What the caller expects back.\"}"
	 "+`\"oneOf\":[{\"$ref\":\"catalog.json#/$defs/anyFunction\"}]` \"Calls a function of the catalog.\""},
	{"FunctionCall", V10 | FULL | BARE,
	 "{call! str \"Name of the function.\", catalogId str \"Catalog of this function, instead of the surface's.\","
	 " args {*($DynamicValue?obj \"A plain object.\")} \"Its arguments.\" ~}"
	 "+`\"oneOf\":[{\"$ref\":\"catalog.json#/$defs/anyFunction\"},{\"$ref\":\"#/$defs/IndexSystemFunction\"}]`"
	 " \"Calls a function of the catalog.\""},
	{"FunctionCall", V10 | FULL | RESERVED,
	 "{@call! str \"Name of the function.\", catalogId str \"Catalog of this function, instead of the surface's.\","
	 " args {*$DynamicValue} \"Its arguments.\" ~}"
	 "+`\"oneOf\":[{\"$ref\":\"catalog.json#/$defs/anyFunction\"},{\"$ref\":\"#/$defs/IndexSystemFunction\"}]`"
	 " \"Calls a function of the catalog.\""},
	{"FunctionCall", V10 | ENVELOPE | BARE,
	 "{call! str, catalogId str, args {*($DynamicValue?obj)} ~}"
	 "+`\"oneOf\":[{\"properties\":{\"call\":{\"not\":{\"const\":\"@index\"}}}},{\"$ref\":\"#/$defs/IndexSystemFunction\"}]`"},
	{"FunctionCall", V10 | ENVELOPE | RESERVED,
	 "{@call! str, catalogId str, args {*$DynamicValue} ~}"
	 "+`\"oneOf\":[{\"properties\":{\"@call\":{\"not\":{\"const\":\"@index\"}}}},{\"$ref\":\"#/$defs/IndexSystemFunction\"}]`"},
	{"CheckRule", V09,
	 "{condition! $DynamicBoolean, message! str \"Shown while the condition is false.\" .} \"One rule on an input.\""},
	{"CheckRule", V10,
	 "{condition! ($DataBinding|$FunctionCall) \"Gives the outcome of the check.\", message str \"Shown when the outcome brings none.\" .}"
	 " \"One rule on an input.\""},
	{"Checkable", BOTH, "{checks [$CheckRule] \"A list of checks to perform.\"} \"What every component with checks has.\""},
	{"Action", BOTH,
	 "({event! {name! str \"Word the agent knows the event by.\", >userMessage $DynamicString \"The event in words, for the conversation.\","
	 " context {*$DynamicValue} \"What the agent is told with it.\" .} \"Sent to the agent.\" .} \"An event for the agent.\""
	 "|{functionCall! $FunctionCall .} \"A function to run.\") \"What happens on a press.\""},
	{"Surface", V10,
	 "{component 'Surface', child 'root' .}+`\"allowedParents\":[]` \"The surface itself, parent of the root; never sent.\""},
	{"FunctionResponse", V10,
	 "{functionCallId! $CallId \"Id of the call that is answered.\", value any \"What the function gave.\","
	 " error {code! str, message! str .} \"Why it failed.\" .}+`\"oneOf\":[{\"required\":[\"value\"]},{\"required\":[\"error\"]}]`"
	 " \"The answer to a call.\""},
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
		{"ComponentId", SJ_AC_CHILD, SJ_DYN_ANY}, {"Child", SJ_AC_CHILD, SJ_DYN_ANY}, {"ChildList", SJ_AC_CHILD_LIST, SJ_DYN_ANY},
		{"DynamicString", SJ_AC_DYNAMIC, SJ_DYN_STRING}, {"DynamicNumber", SJ_AC_DYNAMIC, SJ_DYN_NUMBER},
		{"DynamicBoolean", SJ_AC_DYNAMIC, SJ_DYN_BOOLEAN}, {"DynamicStringList", SJ_AC_DYNAMIC, SJ_DYN_STRING_LIST},
		{"DynamicValue", SJ_AC_DYNAMIC, SJ_DYN_ANY}, {"DataBinding", SJ_AC_DYNAMIC, SJ_DYN_ANY}, {"FunctionCall", SJ_AC_DYNAMIC, SJ_DYN_ANY},
		{"Action", SJ_AC_ACTION, SJ_DYN_ANY}, {"AccessibilityAttributes", SJ_AC_ACCESSIBILITY, SJ_DYN_ANY},
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
