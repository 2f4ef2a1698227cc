/* The documents of v0.8 as our own data: its standard and minimal catalogs, its message and capabilities schemas. */
#include "a2ui/data.h"

/* A bound value: a literal, a path, or both (then the literal is what the place begins with). */
#define VALUE(literals) "{" literals ", path str .}"
#define TEXT VALUE("literalString str")
#define CHILD "str+`\"title\":\"ComponentId\"`"
#define CHILDREN \
	"{explicitList [str] _Ids, in order._," \
	" template {componentId! str _Drawn once for each entry._, dataBinding! str _Where the entries are._ .}" \
	" _One component for each entry of a list or map._ .}"
#define ICONS \
	"accountCircle|add|arrowBack|arrowForward|attachFile|calendarToday|call|camera|check|close|delete|" \
	"download|edit|event|error|favorite|favoriteOff|folder|help|home|info|locationOn|lock|lockOpen|mail|" \
	"menu|moreVert|moreHoriz|notificationsOff|notifications|payment|person|phone|photo|print|refresh|" \
	"search|send|settings|share|shoppingCart|star|starHalf|starOff|upload|visibility|visibilityOff|warning"
#define DISTRIBUTION "distribution str'center|end|spaceAround|spaceBetween|spaceEvenly|start'"
#define ALIGNMENT "alignment str'start|center|end|stretch'"
#define CHOICE \
	"{selections! " VALUE("literalArray [str]") " _Values chosen._," \
	" options! [{label! " TEXT " _What the person reads._, value! str _What is kept._ .}]" \
	" _What there is to choose from._," \
	" maxAllowedSelections int _How many may be chosen._"

static const struct component {
	const char *name, *props;
	bool minimal;
} components[] = {
	{"Text",
         "{text! " TEXT " _The text; simple Markdown works._,"
         " usageHint str'h1|h2|h3|h4|h5|caption|body' _Its size and weight._ .} _Shows text._",
         true},
	{"Image",
         "{url! " TEXT " _Where the picture is._, altText " TEXT " _What it shows, for those who cannot see it._,"
         " fit str'contain|cover|fill|none|scale-down' _How it fills its place._,"
         " usageHint str'icon|avatar|smallFeature|mediumFeature|largeFeature|header' _Its size and shape._ .}"
         " _Shows a picture._",
         false},
	{"Icon", "{name! " VALUE("literalString str'" ICONS "'") " _One of the known names._ .} _Shows a symbol._",
         false},
	{"Video", "{url! " TEXT " _Where the film is._ .} _Plays a film._", false},
	{"AudioPlayer", "{url! " TEXT " _Where the sound is._, description " TEXT " _What is heard._ .} _Plays sound._",
         false},
	{"Row",
         "{children! " CHILDREN " _What stands in the row._, " DISTRIBUTION
         " _How room is shared from left to right._, " ALIGNMENT " _Where things stand from top to bottom._ .}"
         " _Sets components side by side._",
         true},
	{"Column",
         "{children! " CHILDREN " _What stands in the column._, " DISTRIBUTION
         " _How room is shared from top to bottom._, " ALIGNMENT " _Where things stand from left to right._ .}"
         " _Sets components one below the other._",
         true},
	{"List",
         "{children! " CHILDREN " _The entries._, direction str'vertical|horizontal' _Which way it runs._, " ALIGNMENT
         " _Where entries stand across it._ .} _A scrolling list._",
         false},
	{"Card", "{child! " CHILD " _What is on the card._ .} _Frames one component._", false},
	{"Tabs",
         "{tabItems! [{title! " TEXT " _Name of the tab._, child! " CHILD
         " _What it shows._ .}] _The tabs in order._ .}"
         " _Shows one of several components at a time._",
         false},
	{"Divider", "{axis str'horizontal|vertical' _Which way the line runs._ .} _A line between components._", false},
	{"Modal",
         "{entryPointChild! " CHILD " _What opens it._, contentChild! " CHILD " _What it shows._ .}"
         " _A dialog and what opens it._",
         false},
	{"Button",
         "{child! " CHILD " _Its face: usually a text._, primary bool _Whether it stands out._,"
         " action! {name! str _Word the agent knows the event by._,"
         " context [{key! str, value! " VALUE(
		 "literalString str, literalNumber num, literalBoolean bool") " .}]"
                                                                              " _What the agent is told with it._ .} _What a press does._ .} _Something to press._",
         true},
	{"CheckBox",
         "{label! " TEXT " _What is ticked._, value! " VALUE("literalBoolean bool") " _Whether it is ticked._ .}"
                                                                                    " _Something to tick._",
         false},
	{"TextField",
         "{label! " TEXT " _What is asked for._, text " TEXT " _What was typed; bind it to keep it._,"
         " textFieldType str'date|longText|number|shortText|obscured' _Kind of text._,"
         " validationRegexp str _Pattern the text must match._ .} _Asks for text._",
         true},
	{"DateTimeInput",
         "{value! " TEXT " _ISO 8601._, enableDate bool _Whether a date is asked for._,"
         " enableTime bool _Whether a time is asked for._ .} _Asks for a date or time._",
         false},
	{"MultipleChoice",
         CHOICE ", variant str'checkbox|chips' _How the options look._, filterable bool"
                " _Whether options can be searched._ .} _Asks to choose._",
         false},
	{"Slider",
         "{label " TEXT " _What is set._, value! " VALUE(
		 "literalNumber num") " _The value; bind it to keep it._,"
                                      " minValue num _Lowest value._, maxValue num _Highest value._ .} _Asks for a number by dragging._",
         false},
};
enum { COMPONENTS = sizeof components / sizeof *components };

#define FONT "font str _Font of the surface._"
#define COLOUR "primaryColor str/^#[0-9a-fA-F]{6}$/ _Colour of what stands out, as #RRGGBB._"

static void put_components(struct sj_buf *out, const struct sj_sketch_env *env, bool minimal, bool in_envelope)
{
	bool first = true;
	for (size_t i = 0; i < COMPONENTS; i++) {
		if (minimal && !components[i].minimal)
			continue;
		sj_buf_puts(out, first ? "" : ",");
		first = false;
		sj_sketch_string(out, sj_slice_of(components[i].name));
		sj_buf_putc(out, ':');
		/* The schema that holds messages and components together is older by two properties. */
		bool choice = in_envelope && sj_slice_is(sj_slice_of(components[i].name), "MultipleChoice");
		sj_sketch(out, env, choice ? CHOICE " .} _Asks to choose._" : components[i].props);
	}
}

static void put_catalog(struct sj_buf *out, const char *id, bool minimal)
{
	struct sj_sketch_env env = {.version = SJ_V08, .dialect = SJ_DIALECT_BARE, .common = ""};
	sj_buf_putc(out, '{');
	if (id) {
		sj_buf_puts(out, "\"catalogId\":");
		sj_sketch_string(out, sj_slice_of(id));
		sj_buf_putc(out, ',');
	}
	sj_buf_puts(out, "\"components\":{");
	put_components(out, &env, minimal, false);
	sj_buf_puts(out, "},\"styles\":{\"font\":");
	sj_sketch(out, &env, "str _Font of the surface._");
	sj_buf_puts(out, ",\"primaryColor\":");
	sj_sketch(out, &env, "str/^#[0-9a-fA-F]{6}$/ _Colour of what stands out, as #RRGGBB._");
	sj_buf_puts(out, "}}");
}

void sj_data_v08_standard(struct sj_buf *out) { put_catalog(out, SJ_V08_STANDARD_ID, false); }
void sj_data_v08_minimal(struct sj_buf *out) { put_catalog(out, SJ_V08_MINIMAL_ID, true); }

/* ---- messages ---------------------------------------------------------------------------------------------------- */

#define DRAFT "<https://json-schema.org/draft/2020-12/schema>"
#define SCALARS "key! str _The member._, valueString str, valueNumber num, valueBoolean bool"
#define BEGIN(styles) \
	"beginRendering {surfaceId! str _The surface._, catalogId str _Catalog its components come from._," \
	" root! str _Id of its outermost component._, styles " styles " _Look of the surface._ .}" \
	" _Says that a surface may be drawn._,"
#define UPDATE_BEGIN \
	" surfaceUpdate {surfaceId! str _The surface._, components! [{id! str _Its id._, weight num" \
	" _Share of the room in its container, against its neighbours._, component! "
#define UPDATE_END \
	" _The type as the one key, with its properties._ .}]>1 _Components, new or changed._ .} _Adds or replaces" \
	" components._,"
#define REST \
	" dataModelUpdate {surfaceId! str _The surface._, path str _Where; nothing is the whole model._," \
	" contents! [{" SCALARS ", valueMap [{" SCALARS " .}] .}] _Members and their values._ .} _Writes data._," \
	" deleteSurface {surfaceId! str _The surface._ .} _Removes a surface._ .}"

static const struct doc {
	const char *name, *title;
	bool draft; /* published with a $schema */
	const char *sketch;
} docs[] = {
	{"server_to_client.json", "Messages to the client", false,
	 "{" BEGIN("{*}") UPDATE_BEGIN "{*}" UPDATE_END REST},
	{"server_to_client_with_standard_catalog.json", "Messages to the client, components included", false, NULL},
	{"client_to_server.json", "Messages to the server", false,
	 "{userAction {name! str _Word of the event._, surfaceId! str _Where it happened._,"
	 " sourceComponentId! str _What was used._, timestamp! str:date-time _When._,"
	 " context! {*} _The action's context, resolved._} _A person did something._,"
	 " error {*} _Something failed._}+`\"minProperties\":1,\"maxProperties\":1,"
	 "\"oneOf\":[{\"required\":[\"userAction\"]},{\"required\":[\"error\"]}]`"},
	{"a2ui_client_capabilities_schema.json", "What a client can do", true,
	 "{supportedCatalogIds! [str] _Catalogs it draws._,"
	 " inlineCatalogs [<catalog_description_schema.json>] _Catalogs it brings along._}"},
	{"catalog_description_schema.json", "A catalog", true,
	 "{catalogId! str _Its id._, components! {*" DRAFT "} _Schema of each component's properties._,"
	 " styles! {*" DRAFT "} _Schema of each style._}"},
};
enum { DOCS = sizeof docs / sizeof *docs };

const char *sj_data_v08_name(uint32_t i)
{
	return i == 0 ? "standard_catalog_definition.json" : i <= DOCS ? docs[i - 1].name : NULL;
}

bool sj_data_v08_schema(struct sj_buf *out, struct sj_slice name)
{
	struct sj_sketch_env env = {.version = SJ_V08, .dialect = SJ_DIALECT_BARE, .common = ""};
	const struct doc *d = NULL;
	if (sj_slice_is(name, "standard_catalog_definition.json")) { /* published without its id */
		put_catalog(out, NULL, false);
		return true;
	}
	for (size_t i = 0; i < DOCS; i++)
		if (sj_slice_is(name, docs[i].name))
			d = &docs[i];
	if (!d)
		return false;
	sj_buf_puts(out, d->draft ? "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"title\":" : "{\"title\":");
	sj_sketch_string(out, sj_slice_of(d->title));
	if (d->sketch) {
		sj_sketch_members(out, &env, d->sketch, true);
		sj_buf_putc(out, '}');
		return true;
	}
	/* The one that knows every component: the sketch with the union put where the wrapper stands. */
	struct sj_buf whole;
	sj_buf_init(&whole, out->mem, 0);
	static const char mark[] = "\"const\":\"@\"";
	sj_sketch_members(&whole, &env, "{" BEGIN("{" FONT ", " COLOUR " .}") UPDATE_BEGIN "'@'" UPDATE_END REST, true);
	struct sj_slice text = sj_buf_view(&whole);
	for (size_t i = 0; sj_buf_status(&whole) == SJ_OK && i + sizeof mark <= text.len; i++) {
		if (memcmp(text.ptr + i, mark, sizeof mark - 1) != 0)
			continue;
		sj_buf_put(out, text.ptr, i);
		sj_buf_puts(out, "\"type\":\"object\",\"properties\":{");
		put_components(out, &env, false, true);
		sj_buf_puts(out, "},\"additionalProperties\":false");
		sj_buf_put(out, text.ptr + i + sizeof mark - 1, text.len - i - (sizeof mark - 1));
		break;
	}
	if (sj_buf_status(&whole) != SJ_OK)
		out->status = sj_buf_status(&whole);
	sj_buf_finish(&whole);
	sj_buf_putc(out, '}');
	return true;
}
