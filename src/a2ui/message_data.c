/* Message and capabilities schemas, by file name. */
#include "a2ui/data.h"

enum {
	V09 = 1,
	V10 = 2,
	NO_ID = 4,   /* published without $schema and $id */
	IN_JSON = 8, /* $id lies in json/ */
};

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
	 "{version! VERSION, createSurface! {surfaceId! str _Id of the new surface._, catalogId! str"
	 " _Catalog its components come from._,"
	 " theme ^theme _Look of the surface, as the catalog's theme allows._,"
	 " sendDataModel bool _Whether the data model travels with every message to the agent._ .} _Makes a surface._ "
	 ".}"},
	{"UpdateComponentsMessage",
	 "{version! VERSION, updateComponents! {surfaceId! str _The surface._,"
	 " components! [^anyComponent]>1 _Components, new or changed; the tree starts at the id root._ .}"
	 " _Adds or replaces components._ .}"},
	{"UpdateDataModelMessage",
	 "{version! VERSION, updateDataModel! {surfaceId! str _The surface._, path str"
	 " _Where; / or nothing is the whole model._,"
	 " value any+`\"additionalProperties\":true` _What is written there; without it the place is emptied._ .} "
	 "_Writes data._ .}"},
	{"DeleteSurfaceMessage", "{version! VERSION, deleteSurface! {surfaceId! str _The surface._ .}"
	 " _Removes a surface._ .}"},
	{0}};

static const struct def to_renderer_defs[] = {
	{"CreateSurfaceMessage",
	 "{version! VERSION, createSurface! {surfaceId! str _Id of the new surface._,"
	 " catalogId str _Catalog of every component and call that names none._,"
	 " sendDataModel bool _Whether the data model travels with every message to the agent._,"
	 " components #ComponentsList, dataModel {*} _The model to begin with._,"
	 " metadata {extensions $Extensions .} _Room for vendors' data._ .} _Makes a surface._ .}"},
	{"Component",
	 "($ComponentCommon&^anyComponent&{component "
	 "`\"not\":{\"const\":\"Surface\"}`})+`\"unevaluatedProperties\":false`"
	 " _A component: common members and those of its type._"},
	{"ComponentsList", "[#Component]>1 _Components of the surface._"},
	{"UpdateComponentsMessage",
	 "{version! VERSION, updateComponents! {surfaceId! str _The surface._, components! #ComponentsList .}"
	 " _Adds or replaces components._ .}"},
	{"UpdateDataModelMessage",
	 "{version! VERSION, updateDataModel! {surfaceId! str _The surface._, path str"
	 " _Where; / or nothing is the whole model._,"
	 " value! any _What is written there; null empties the place._ .} _Writes data._ .}"},
	{"DeleteSurfaceMessage", "{version! VERSION, deleteSurface! {surfaceId! str _The surface._ .}"
	 " _Removes a surface._ .}"},
	{"CallRendererFunctionMessage",
	 "{version! VERSION, callRendererFunction! {functionCallId! $CallId _Comes back with the answer._,"
	 " callFunction! ($FunctionCall&`\"required\":[\"catalogId\"]`) .} _Asks the renderer to run a function._ .}"},
	{"AgentFunctionResponseMessage", "{version! VERSION, agentFunctionResponse! $FunctionResponse .}"},
	{0}};

static const struct def client_capabilities_defs[] = {
	{"FunctionDefinition",
	 "{name! str _Name of the function._, description str _What it does._,"
	 " parameters! obj+`\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"` _Schema of its arguments._,"
	 " returnType! str'string|number|boolean|array|object|any|void' _What it gives._ .} _One function._"},
	{"Catalog",
	 "{catalogId! str _Id of the catalog._, components {*" DRAFT "} _Schema of each component._,"
	 " functions [#FunctionDefinition] _Its functions._, theme {*" DRAFT "} _Schema of each theme member._ .}"
	 " _A catalog, whole._"},
	{0}};

/* Metadata that the official pattern of SemVer 2.0.0 describes. */
#define SEMVER \
	"\"pattern\":\"^(0|[1-9][0-9]*)\\\\.(0|[1-9][0-9]*)(?:\\\\.(0|[1-9][0-9]*))?" \
	"(?:-((?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*)" \
	"(?:\\\\.(?:0|[1-9][0-9]*|[0-9]*[a-zA-Z-][0-9a-zA-Z-]*))*))?" \
	"(?:\\\\+([0-9a-zA-Z-]+(?:\\\\.[0-9a-zA-Z-]+)*))?$\""

static const struct def catalog_definition_defs[] = {
	{"FunctionCallValidationSchema",
	 "({type! 'object', description str, properties! {call! {const! str}, catalogId obj,"
	 " args obj+`" DRAFT_REF "` .},"
	 " required! [str]+`\"contains\":{\"const\":\"call\"}`, unevaluatedProperties bool, additionalProperties bool}"
	 "|{type! 'object', description str, allOf! [obj]>1, unevaluatedProperties bool, additionalProperties "
	 "bool})+`\"type\":\"object\"`"
	 " _Schema of a call of the function._"},
	{"FunctionDefinition",
	 "(#FunctionCallValidationSchema"
	 "&{returnType! str'string|number|boolean|array|object|validationResult|any|void' _What it gives._,"
	 " allowedCallers str'rendererOnly|agentOnly|rendererOrAgent'='rendererOnly' _Who may call it._,"
	 " requiresUserActivation bool=false _Whether it needs a gesture of the person._}"
	 "&`\"if\":{\"properties\":{\"requiresUserActivation\":{\"const\":true}}},"
	 "\"then\":{\"properties\":{\"allowedCallers\":{\"enum\":[\"rendererOnly\"]}}}`)"
	 "+`\"type\":\"object\",\"unevaluatedProperties\":false` _One function._"},
	{"ComponentDefinition",
	 "(`" DRAFT_REF "`&{allowedParents [str]+`\"uniqueItems\":true`"
	 " _Types it may stand in; Surface is the root's parent._,"
	 " allowedChildren [str]+`\"uniqueItems\":true` _Types that may stand in it._,"
	 " metadata {extensions $Extensions .} _Room for vendors' data._})+`\"type\":\"object\"` _One component._"},
	{"ValidationResult",
	 "{valid! bool _Whether the value passes._, code str _Word for programs._, message str _Words for people._,"
	 " severity str'error|warning|info'='error' _How bad it is._} _What a check gives._"},
	{0}};

#define LIST_OF(file) "[<" file ">]"
#define WRAPPER_OF(file) "{messages! <" file "> .}"

static const struct doc docs[] = {
	{"server_to_client.json", "Messages to the client", V09,
	 "obj+`\"oneOf\":[{\"$ref\":\"#/$defs/CreateSurfaceMessage\"},{\"$ref\":\"#/$defs/UpdateComponentsMessage\"},"
	 "{\"$ref\":\"#/$defs/UpdateDataModelMessage\"},{\"$ref\":\"#/$defs/DeleteSurfaceMessage\"}]`",
	 to_client_defs},
	{"server_to_client_list.json", "List of messages to the client", V09, LIST_OF("server_to_client.json")},
	{"server_to_client_list_wrapper.json", "List of messages to the client,"
	 " in an object", V09, WRAPPER_OF("server_to_client_list.json")},
	{"client_to_server.json", "Messages to the server", V09 | NO_ID,
	 "{version VERSION,"
	 " action {name! str _Word of the event._, surfaceId! str _Where it happened._, sourceComponentId! str"
	 " _What was used._,"
	 " timestamp! str:date-time _When._, context! {*} _The action's context, resolved._} _A person did something._,"
	 " error ({code! 'VALIDATION_FAILED', surfaceId! str _The surface._, path! str _JSON Pointer to the fault._,"
	 " message! str _What is wrong._ .}"
	 "|{code! `\"not\":{\"const\":\"VALIDATION_FAILED\"}`, message! str _What went wrong._, surfaceId! str"
	 " _The surface._ *})"
	 " _Something failed._}+`\"minProperties\":2,\"maxProperties\":2,"
	 "\"oneOf\":[{\"required\":[\"action\",\"version\"]},{\"required\":[\"error\",\"version\"]}]`"},
	{"client_to_server_list.json", "List of messages to the server", V09, LIST_OF("client_to_server.json")},
	{"client_to_server_list_wrapper.json", "List of messages to the server,"
	 " in an object", V09, WRAPPER_OF("client_to_server_list.json")},
	{"client_capabilities.json", "What a client can do", V09,
	 "{v0.9! {supportedCatalogIds! [str] _Catalogs it draws._, inlineCatalogs [#Catalog]"
	 " _Catalogs it brings along._}}",
	 client_capabilities_defs},
	{"server_capabilities.json", "What a server can do", V09,
	 "{v0.9! {supportedCatalogIds [str] _Catalogs it writes for._,"
	 " acceptsInlineCatalogs bool=false _Whether clients may bring catalogs along._}}"},
	{"client_data_model.json", "Data models of a client", V09,
	 "{version! VERSION, surfaces! {*obj} _The model of each surface._ .}"},
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
	 " action {name! str _Word of the event._, userMessage str _The event in words._, surfaceId! str"
	 " _Where it happened._,"
	 " sourceComponentId! str _What was used._, timestamp! str:date-time _When._, context! {*}"
	 " _The action's context, resolved._,"
	 " metadata {extensions $Extensions .} _Room for vendors' data._} _A person did something._,"
	 " callAgentFunction {surfaceId! str _The surface._, functionCallId! $CallId _Comes back with the answer._,"
	 " callFunction! $FunctionCall .} _Asks the agent to run a function._,"
	 " rendererFunctionResponse $FunctionResponse,"
	 " error ({code! 'VALIDATION_FAILED|UNALLOWED_PARENT|UNALLOWED_CHILD', surfaceId! str _The surface._,"
	 " path! str _JSON Pointer to the fault._, message! str _What is wrong._ .}"
	 "|{code! str+`\"not\":{\"enum\":[\"VALIDATION_FAILED\",\"UNALLOWED_PARENT\",\"UNALLOWED_CHILD\"]}`,"
	 " message! str _What went wrong._,"
	 " surfaceId str _The surface._, functionCallId $CallId _The call that failed._ *}"
	 "+`\"oneOf\":[{\"required\":[\"surfaceId\"],\"not\":{\"required\":[\"functionCallId\"]}},"
	 "{\"required\":[\"functionCallId\"],\"not\":{\"required\":[\"surfaceId\"]}}]`) _Something failed._}"
	 "+`\"minProperties\":2,\"maxProperties\":2,\"oneOf\":[{\"required\":[\"action\",\"version\"]},"
	 "{\"required\":[\"callAgentFunction\",\"version\"]},{\"required\":[\"rendererFunctionResponse\",\"version\"]},"
	 "{\"required\":[\"error\",\"version\"]}]`"},
	{"renderer_to_agent_list.json", "List of messages to the agent", V10 | IN_JSON,
	 LIST_OF("https://a2ui.org/specification/v1_0/renderer_to_agent.json")},
	{"renderer_to_agent_list_wrapper.json", "List of messages to the agent, in an object", V10 | IN_JSON,
	 WRAPPER_OF("renderer_to_agent_list.json")},
	{"renderer_capabilities.json", "What a renderer can do", V10,
	 "{v1.0! {supportedCatalogIds! [str] _Catalogs it draws._,"
	 " inlineCatalogs [<https://a2ui.org/specification/v1_0/catalog_definition.json>]"
	 " _Catalogs it brings along._}}"},
	{"agent_capabilities.json", "What an agent can do", V10,
	 "{v1.0! {supportedCatalogIds [str] _Catalogs it writes for._,"
	 " acceptsInlineCatalogs bool=false _Whether renderers may bring catalogs along._}}"},
	{"renderer_data_model.json", "Data models of a renderer", V10,
	 "{version! VERSION, surfaces! {*obj} _The model of each surface._ .}"},
	{"catalog_definition.json", "A catalog", V10,
	 "{$schema str, $id str, protocolVersion str+`" SEMVER "`='0.9' _Version of the protocol it is for._,"
	 " $defs {anyComponent! " DRAFT ", anyFunction! " DRAFT " .} _The unions of what it defines._, title str,"
	 " description str,"
	 " catalogId! str _Its id._, instructions str _Advice for the agent, in Markdown._,"
	 " components {*#ComponentDefinition}+`\"propertyNames\":{\"not\":{\"const\":\"Surface\"}}` _Its components._,"
	 " functions {*#FunctionDefinition} _Its functions._ .}",
	 catalog_definition_defs},
	{"sample.json", "An example", V10,
	 "{name! str, description! str,"
	 " messages! <https://a2ui.org/specification/v1_0/json/agent_to_renderer_list.json>}"},
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
