/* Message and capabilities schemas, by file name. */
#include "a2ui/data.h"

enum { V09 = 1, V10 = 2, BOTH = 3, NO_ID = 4 /* published without $schema and $id */, IN_JSON = 8 /* $id lies in json/ */ };

#define DRAFT "<https://json-schema.org/draft/2020-12/schema>"
#define DRAFT_REF "\"$ref\":\"https://json-schema.org/draft/2020-12/schema\""

struct def {
	const char *name, *sketch;
};
struct doc {
	const char *name, *title;
	unsigned in;
	const char *sketch; /* of the document's own members */
	const struct def *defs;
};

static const struct def to_client_defs[] = {
	{"CreateSurfaceMessage",
	 "{version! VERSION, createSurface! {surfaceId! str \"Id of the new surface.\", catalogId! str \"Catalog its components come from.\","
	 " theme ^theme \"Look of the surface, as the catalog's theme allows.\","
	 " sendDataModel bool \"Whether the data model travels with every message to the agent.\" .} \"Makes a surface.\" .}"},
	{"UpdateComponentsMessage",
	 "{version! VERSION, updateComponents! {surfaceId! str \"The surface.\","
	 " components! [^anyComponent]>1 \"Components, new or changed; the tree starts at the id root.\" .} \"Adds or replaces components.\" .}"},
	{"UpdateDataModelMessage",
	 "{version! VERSION, updateDataModel! {surfaceId! str \"The surface.\", path str \"Where; / or nothing is the whole model.\","
	 " value any+`\"additionalProperties\":true` \"What is written there; without it the place is emptied.\" .} \"Writes data.\" .}"},
	{"DeleteSurfaceMessage", "{version! VERSION, deleteSurface! {surfaceId! str \"The surface.\" .} \"Removes a surface.\" .}"},
	{0}};

static const struct def to_renderer_defs[] = {
	{"CreateSurfaceMessage",
	 "{version! VERSION, createSurface! {surfaceId! str \"Id of the new surface.\","
	 " catalogId str \"Catalog of every component and call that names none.\","
	 " sendDataModel bool \"Whether the data model travels with every message to the agent.\","
	 " components #ComponentsList, dataModel {*} \"The model to begin with.\","
	 " metadata {extensions $Extensions .} \"Room for vendors' data.\" .} \"Makes a surface.\" .}"},
	{"Component",
	 "($ComponentCommon&^anyComponent&{component `\"not\":{\"const\":\"Surface\"}`})+`\"unevaluatedProperties\":false`"
	 " \"A component: common members and those of its type.\""},
	{"ComponentsList", "[#Component]>1 \"Components of the surface.\""},
	{"UpdateComponentsMessage",
	 "{version! VERSION, updateComponents! {surfaceId! str \"The surface.\", components! #ComponentsList .} \"Adds or replaces components.\" .}"},
	{"UpdateDataModelMessage",
	 "{version! VERSION, updateDataModel! {surfaceId! str \"The surface.\", path str \"Where; / or nothing is the whole model.\","
	 " value! any \"What is written there; null empties the place.\" .} \"Writes data.\" .}"},
	{"DeleteSurfaceMessage", "{version! VERSION, deleteSurface! {surfaceId! str \"The surface.\" .} \"Removes a surface.\" .}"},
	{"CallRendererFunctionMessage",
	 "{version! VERSION, callRendererFunction! {functionCallId! $CallId \"Comes back with the answer.\","
	 " callFunction! ($FunctionCall&`\"required\":[\"catalogId\"]`) .} \"Asks the renderer to run a function.\" .}"},
	{"AgentFunctionResponseMessage", "{version! VERSION, agentFunctionResponse! $FunctionResponse .}"},
	{0}};

static const struct def client_capabilities_defs[] = {
	{"FunctionDefinition",
	 "{name! str \"Name of the function.\", description str \"What it does.\","
	 " parameters! obj+`\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"` \"Schema of its arguments.\","
	 " returnType! str'string|number|boolean|array|object|any|void' \"What it gives.\" .} \"One function.\""},
	{"Catalog",
	 "{catalogId! str \"Id of the catalog.\", components {*" DRAFT "} \"Schema of each component.\","
	 " functions [#FunctionDefinition] \"Its functions.\", theme {*" DRAFT "} \"Schema of each theme member.\" .} \"A catalog, whole.\""},
	{0}};

/* Metadata that the official pattern of SemVer 2.0.0 describes. */
#define SEMVER                                                                                                                   \
	"\"pattern\":\"^(0|[1-9][0-9]*)\\\\.(0|[1-9][0-9]*)(?:\\\\.(0|[1-9][0-9]*))?"                                             \
	"(?:-((?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\\\.(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*))?"          \
	"(?:\\\\+([0-9a-zA-Z-]+(?:\\\\.[0-9a-zA-Z-]+)*))?$\""

static const struct def catalog_definition_defs[] = {
	{"FunctionCallValidationSchema",
	 "({type! 'object', description str, properties! {call! {const! str}, catalogId obj, args obj+`" DRAFT_REF "` .},"
	 " required! [str]+`\"contains\":{\"const\":\"call\"}`, unevaluatedProperties bool, additionalProperties bool}"
	 "|{type! 'object', description str, allOf! [obj]>1, unevaluatedProperties bool, additionalProperties bool})+`\"type\":\"object\"`"
	 " \"Schema of a call of the function.\""},
	{"FunctionDefinition",
	 "(#FunctionCallValidationSchema"
	 "&{returnType! str'string|number|boolean|array|object|validationResult|any|void' \"What it gives.\","
	 " allowedCallers str'rendererOnly|agentOnly|rendererOrAgent'='rendererOnly' \"Who may call it.\","
	 " requiresUserActivation bool=false \"Whether it needs a gesture of the person.\"}"
	 "&`\"if\":{\"properties\":{\"requiresUserActivation\":{\"const\":true}}},"
	 "\"then\":{\"properties\":{\"allowedCallers\":{\"enum\":[\"rendererOnly\"]}}}`)"
	 "+`\"type\":\"object\",\"unevaluatedProperties\":false` \"One function.\""},
	{"ComponentDefinition",
	 "(`" DRAFT_REF "`&{allowedParents [str]+`\"uniqueItems\":true` \"Types it may stand in; Surface is the root's parent.\","
	 " allowedChildren [str]+`\"uniqueItems\":true` \"Types that may stand in it.\","
	 " metadata {extensions $Extensions .} \"Room for vendors' data.\"})+`\"type\":\"object\"` \"One component.\""},
	{"ValidationResult",
	 "{valid! bool \"Whether the value passes.\", code str \"Word for programs.\", message str \"Words for people.\","
	 " severity str'error|warning|info'='error' \"How bad it is.\"} \"What a check gives.\""},
	{0}};

#define LIST_OF(file) "[<" file ">]"
#define WRAPPER_OF(file) "{messages! <" file "> .}"

static const struct doc docs[] = {
	{"server_to_client.json", "Messages to the client", V09,
	 "obj+`\"oneOf\":[{\"$ref\":\"#/$defs/CreateSurfaceMessage\"},{\"$ref\":\"#/$defs/UpdateComponentsMessage\"},"
	 "{\"$ref\":\"#/$defs/UpdateDataModelMessage\"},{\"$ref\":\"#/$defs/DeleteSurfaceMessage\"}]`",
	 to_client_defs},
	{"server_to_client_list.json", "List of messages to the client", V09, LIST_OF("server_to_client.json")},
	{"server_to_client_list_wrapper.json", "List of messages to the client, in an object", V09, WRAPPER_OF("server_to_client_list.json")},
	{"client_to_server.json", "Messages to the server", V09 | NO_ID,
	 "{version VERSION,"
	 " action {name! str \"Word of the event.\", surfaceId! str \"Where it happened.\", sourceComponentId! str \"What was used.\","
	 " timestamp! str:date-time \"When.\", context! {*} \"The action's context, resolved.\"} \"A person did something.\","
	 " error ({code! 'VALIDATION_FAILED', surfaceId! str \"The surface.\", path! str \"JSON Pointer to the fault.\","
	 " message! str \"What is wrong.\" .}"
	 "|{code! `\"not\":{\"const\":\"VALIDATION_FAILED\"}`, message! str \"What went wrong.\", surfaceId! str \"The surface.\" *})"
	 " \"Something failed.\"}+`\"minProperties\":2,\"maxProperties\":2,"
	 "\"oneOf\":[{\"required\":[\"action\",\"version\"]},{\"required\":[\"error\",\"version\"]}]`"},
	{"client_to_server_list.json", "List of messages to the server", V09, LIST_OF("client_to_server.json")},
	{"client_to_server_list_wrapper.json", "List of messages to the server, in an object", V09, WRAPPER_OF("client_to_server_list.json")},
	{"client_capabilities.json", "What a client can do", V09,
	 "{v0.9! {supportedCatalogIds! [str] \"Catalogs it draws.\", inlineCatalogs [#Catalog] \"Catalogs it brings along.\"}}",
	 client_capabilities_defs},
	{"server_capabilities.json", "What a server can do", V09,
	 "{v0.9! {supportedCatalogIds [str] \"Catalogs it writes for.\","
	 " acceptsInlineCatalogs bool=false \"Whether clients may bring catalogs along.\"}}"},
	{"client_data_model.json", "Data models of a client", V09,
	 "{version! VERSION, surfaces! {*obj} \"The model of each surface.\" .}"},
	{"sample.json", "An example", V09, "{name! str, description! str, messages! <server_to_client_list.json>}"},

	{"agent_to_renderer.json", "Messages to the renderer", V10,
	 "obj+`\"oneOf\":[{\"$ref\":\"#/$defs/CreateSurfaceMessage\"},{\"$ref\":\"#/$defs/UpdateComponentsMessage\"},"
	 "{\"$ref\":\"#/$defs/UpdateDataModelMessage\"},{\"$ref\":\"#/$defs/DeleteSurfaceMessage\"},"
	 "{\"$ref\":\"#/$defs/CallRendererFunctionMessage\"},{\"$ref\":\"#/$defs/AgentFunctionResponseMessage\"}]`",
	 to_renderer_defs},
	{"agent_to_renderer_list.json", "List of messages to the renderer", V10 | IN_JSON,
	 LIST_OF("https://a2ui.org/specification/v1_0/agent_to_renderer.json")},
	{"agent_to_renderer_list_wrapper.json", "List of messages to the renderer, in an object", V10 | IN_JSON,
	 WRAPPER_OF("agent_to_renderer_list.json")},
	{"renderer_to_agent.json", "Messages to the agent", V10,
	 "{version VERSION,"
	 " action {name! str \"Word of the event.\", userMessage str \"The event in words.\", surfaceId! str \"Where it happened.\","
	 " sourceComponentId! str \"What was used.\", timestamp! str:date-time \"When.\", context! {*} \"The action's context, resolved.\","
	 " metadata {extensions $Extensions .} \"Room for vendors' data.\"} \"A person did something.\","
	 " callAgentFunction {surfaceId! str \"The surface.\", functionCallId! $CallId \"Comes back with the answer.\","
	 " callFunction! $FunctionCall .} \"Asks the agent to run a function.\","
	 " rendererFunctionResponse $FunctionResponse,"
	 " error ({code! 'VALIDATION_FAILED|UNALLOWED_PARENT|UNALLOWED_CHILD', surfaceId! str \"The surface.\","
	 " path! str \"JSON Pointer to the fault.\", message! str \"What is wrong.\" .}"
	 "|{code! str+`\"not\":{\"enum\":[\"VALIDATION_FAILED\",\"UNALLOWED_PARENT\",\"UNALLOWED_CHILD\"]}`, message! str \"What went wrong.\","
	 " surfaceId str \"The surface.\", functionCallId $CallId \"The call that failed.\" *}"
	 "+`\"oneOf\":[{\"required\":[\"surfaceId\"],\"not\":{\"required\":[\"functionCallId\"]}},"
	 "{\"required\":[\"functionCallId\"],\"not\":{\"required\":[\"surfaceId\"]}}]`) \"Something failed.\"}"
	 "+`\"minProperties\":2,\"maxProperties\":2,\"oneOf\":[{\"required\":[\"action\",\"version\"]},"
	 "{\"required\":[\"callAgentFunction\",\"version\"]},{\"required\":[\"rendererFunctionResponse\",\"version\"]},"
	 "{\"required\":[\"error\",\"version\"]}]`"},
	{"renderer_to_agent_list.json", "List of messages to the agent", V10 | IN_JSON,
	 LIST_OF("https://a2ui.org/specification/v1_0/renderer_to_agent.json")},
	{"renderer_to_agent_list_wrapper.json", "List of messages to the agent, in an object", V10 | IN_JSON,
	 WRAPPER_OF("renderer_to_agent_list.json")},
	{"renderer_capabilities.json", "What a renderer can do", V10,
	 "{v1.0! {supportedCatalogIds! [str] \"Catalogs it draws.\","
	 " inlineCatalogs [<https://a2ui.org/specification/v1_0/catalog_definition.json>] \"Catalogs it brings along.\"}}"},
	{"agent_capabilities.json", "What an agent can do", V10,
	 "{v1.0! {supportedCatalogIds [str] \"Catalogs it writes for.\","
	 " acceptsInlineCatalogs bool=false \"Whether renderers may bring catalogs along.\"}}"},
	{"renderer_data_model.json", "Data models of a renderer", V10,
	 "{version! VERSION, surfaces! {*obj} \"The model of each surface.\" .}"},
	{"catalog_definition.json", "A catalog", V10,
	 "{$schema str, $id str, protocolVersion str+`" SEMVER "`='0.9' \"Version of the protocol it is for.\","
	 " $defs {anyComponent! " DRAFT ", anyFunction! " DRAFT " .} \"The unions of what it defines.\", title str, description str,"
	 " catalogId! str \"Its id.\", instructions str \"Advice for the agent, in Markdown.\","
	 " components {*#ComponentDefinition}+`\"propertyNames\":{\"not\":{\"const\":\"Surface\"}}` \"Its components.\","
	 " functions {*#FunctionDefinition} \"Its functions.\" .}",
	 catalog_definition_defs},
	{"sample.json", "An example", V10,
	 "{name! str, description! str, messages! <https://a2ui.org/specification/v1_0/json/agent_to_renderer_list.json>}"},
};

static bool doc_fits(const struct doc *d, enum sj_version v) { return (d->in & (v >= SJ_V10 ? V10 : V09)) != 0; }

const char *sj_data_schema_name(enum sj_version v, uint32_t i)
{
	for (size_t k = 0; k < sizeof docs / sizeof *docs; k++)
		if (doc_fits(&docs[k], v) && i-- == 0)
			return docs[k].name;
	return NULL;
}

bool sj_data_schema(struct sj_buf *out, enum sj_version v, enum sj_dialect dialect, struct sj_slice name)
{
	const struct doc *d = NULL;
	for (size_t k = 0; k < sizeof docs / sizeof *docs && v >= SJ_V09; k++)
		if (doc_fits(&docs[k], v) && sj_slice_is(name, docs[k].name))
			d = &docs[k];
	if (!d)
		return false;
	struct sj_sketch_env env = {.version = v, .dialect = dialect, .common = "common_types.json#/$defs/"};
	if (d->in & NO_ID) {
		sj_buf_puts(out, "{\"title\":");
	} else {
		sj_buf_puts(out, "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"");
		sj_buf_puts(out, sj_data_base(v));
		sj_buf_puts(out, d->in & IN_JSON ? "json/" : "");
		sj_buf_puts(out, d->name);
		sj_buf_puts(out, "\",\"title\":");
	}
	sj_sketch_string(out, sj_slice_of(d->title));
	sj_sketch_members(out, &env, d->sketch, true);
	for (const struct def *e = d->defs; e && e->name; e++) {
		sj_buf_puts(out, e == d->defs ? ",\"$defs\":{" : ",");
		sj_sketch_string(out, sj_slice_of(e->name));
		sj_buf_putc(out, ':');
		sj_sketch(out, &env, e->sketch);
	}
	sj_buf_puts(out, d->defs ? "}}" : "}");
	return true;
}
