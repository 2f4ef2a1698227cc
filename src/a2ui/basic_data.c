/* The basic catalogs of v0.9, v0.9.1 and v1.0, and the minimal one, as one table. */
#include "a2ui/data.h"

struct component {
	const char *name;
	bool checkable;
	const char *about, *props;
};
struct function {
	const char *name;
	const char *returns_v09, *returns_v10;
	const char *more_v10; /* further members from v1.0 on */
	const char *about, *args;
};

#define ICONS \
	"accountCircle|add|arrowBack|arrowForward|attachFile|calendarToday|call|camera|check|close|delete|" \
	"download|edit|event|error|fastForward|favorite|favoriteOff|folder|help|home|info|locationOn|lock|" \
	"lockOpen|mail|menu|moreVert|moreHoriz|notificationsOff|notifications|pause|payment|person|phone|" \
	"photo|play|print|refresh|rewind|search|send|settings|share|shoppingCart|skipNext|skipPrevious|" \
	"star|starHalf|starOff|stop|upload|visibility|visibilityOff|volumeDown|volumeMute|volumeOff|" \
	"volumeUp|warning"
/* A literal of these must read as a date, a time or both; bindings and calls are free. */
#define MOMENT \
	"($DynamicString&`\"if\":{\"type\":\"string\"},\"then\":{\"oneOf\":[{\"format\":\"date\"}," \
	"{\"format\":\"time\"},{\"format\":\"date-time\"}]}`)"

static const struct component basic_components[] = {
	{"Text", false, "Shows text.",
	 "{text! $DynamicString _The text; simple Markdown works._,"
	 " <variant str'h1|h2|h3|h4|h5|caption|body'='body' _Its size and weight._,"
	 " >variant str'caption|body'='body' _Its size and weight._}"},
	{"Image", false, "Shows a picture.",
	 "{url! $DynamicString _Where the picture is._,"
	 " description $DynamicString _What it shows, for those who cannot see it._,"
	 " fit str'contain|cover|fill|none|scaleDown'='fill' _How it fills its place._,"
	 " variant str'icon|avatar|smallFeature|mediumFeature|largeFeature|header'='mediumFeature'"
	 " _Its size and shape._}"},
	{"Icon", false, "Shows a symbol.",
	 "{name! (str'" ICONS "'|{<svgPath! str, >svgPath! $DynamicString .}|$DataBinding)"
	 " _One of the known names, a path in SVG, or a binding._}"},
	{"Video", false, "Plays a film.",
	 "{url! $DynamicString _Where the film is._,"
	 " >posterUrl $DynamicString _Picture shown before it plays._}"},
	{"AudioPlayer", false, "Plays sound.",
	 "{url! $DynamicString _Where the sound is._,"
	 " description $DynamicString _What is heard: a title or summary._}"},
	{"Row", false, "Sets components side by side.",
	 "{children! $ChildList _What stands in the row._,"
	 " justify str'center|end|spaceAround|spaceBetween|spaceEvenly|start|stretch'='start'"
	 " _How room is shared from left to right._,"
	 " align str'start|center|end|stretch'='stretch' _Where things stand from top to bottom._}"},
	{"Column", false, "Sets components one below the other.",
	 "{children! $ChildList _What stands in the column._,"
	 " justify str'start|center|end|spaceBetween|spaceAround|spaceEvenly|stretch'='start'"
	 " _How room is shared from top to bottom._,"
	 " align str'center|end|start|stretch'='stretch' _Where things stand from left to right._}"},
	{"List", false, "A scrolling list.",
	 "{children! $ChildList _The entries._,"
	 " direction str'vertical|horizontal'='vertical' _Which way it runs._,"
	 " align str'start|center|end|stretch'='stretch' _Where entries stand across it._}"},
	{"Card", false, "Frames one component.",
	 "{child! $Child _What is on the card; wrap several in a column._}"},
	{"Tabs", false, "Shows one of several components at a time.",
	 "{tabs! [{title! $DynamicString _Name of the tab._, child! $Child _What it shows._ .}]>1"
	 " _The tabs in order._}"},
	{"Modal", false, "A dialog and what opens it.",
	 "{trigger! $Child _What opens it._,"
	 " content! $Child _What it shows._}"},
	{"Divider", false, "A line between components.",
	 "{axis str'horizontal|vertical'='horizontal' _Which way the line runs._}"},
	{"Button", true, "Something to press.",
	 "{child! $Child _Its face: usually a text or an icon._,"
	 " variant str'default|primary|borderless'='default' _How much it stands out._,"
	 " action! $Action _What a press does._}"},
	{"TextField", true, "Asks for text.",
	 "{label! $DynamicString _What is asked for._,"
	 " value $DynamicString _What was typed; bind it to keep it._,"
	 " >placeholder $DynamicString _Shown while it is empty._,"
	 " variant str'longText|number|shortText|obscured'='shortText' _Kind of text._,"
	 " <validationRegexp str _Pattern the text must match._}"},
	{"CheckBox", true, "Something to tick.",
	 "{label! $DynamicString _What is ticked._,"
	 " value! $DynamicBoolean _Whether it is ticked; bind it to keep it._}"},
	{"ChoicePicker", true, "Asks to choose.",
	 "{label $DynamicString _What is chosen._,"
	 " variant str'multipleSelection|mutuallyExclusive'='mutuallyExclusive' _Whether several may be chosen._,"
	 " options! [{label! $DynamicString _What the person reads._, value! str _What is kept._ .}]"
	 " _What there is to choose from._,"
	 " value! $DynamicStringList _Values chosen, always a list; bind it to keep them._,"
	 " displayStyle str'checkbox|chips'='checkbox' _How the options look._,"
	 " filterable bool=false _Whether options can be searched._}"},
	{"Slider", true, "Asks for a number by dragging.",
	 "{label $DynamicString _What is set._,"
	 " min num=0 _Lowest value._,"
	 " max! num _Highest value._,"
	 " value! $DynamicNumber _The value; bind it to keep it._,"
	 " >steps int>1 _Into how many steps the way is divided._}"},
	{"DateTimeInput", true, "Asks for a date or time.",
	 "{value! $DynamicString _ISO 8601; empty when nothing is set._,"
	 " enableDate bool=false _Whether a date is asked for._,"
	 " enableTime bool=false _Whether a time is asked for._,"
	 " min " MOMENT " _Earliest, in ISO 8601._,"
	 " max " MOMENT " _Latest, in ISO 8601._,"
	 " label $DynamicString _What is asked for._}"},
};

#define AT_LEAST_ONE_BOUND "+`\"anyOf\":[{\"required\":[\"min\"]},{\"required\":[\"max\"]}]`"

static const struct function basic_functions[] = {
	{"required", "boolean", "validationResult", NULL, "Whether there is a value.",
	 "{value! any _What is looked at._ <. >~}"},
	{"regex", "boolean", "validationResult", NULL, "Whether a text matches a pattern.",
	 "{value! $DynamicString _The text._,"
	 " pattern! str _The pattern._ ~}"},
	{"length", "boolean", "validationResult", NULL, "Whether a length is within bounds.",
	 "{value! $DynamicString _The text._,"
	 " min int>0 _Shortest length._,"
	 " max int>0 _Greatest length._ ~}" AT_LEAST_ONE_BOUND},
	{"numeric", "boolean", "validationResult", NULL, "Whether a number is within bounds.",
	 "{value! $DynamicNumber _The number._,"
	 " min num _Lowest value._,"
	 " max num _Highest value._ ~}" AT_LEAST_ONE_BOUND},
	{"email", "boolean", "validationResult", NULL, "Whether a text is an e-mail address.",
	 "{value! $DynamicString _The text._ ~}"},
	{"formatString", "string", "string", NULL,
	 "Puts values into a text. ${/a/b} reads the data model, ${f(x: 1)} calls a function, \\${ stands for itself.",
	 "{value! $DynamicString _The template; values go where ${...} stands._ ~}"},
	{"formatNumber", "string", "string", NULL, "A number as the person's language writes it.",
	 "{value! $DynamicNumber _The number._,"
	 " decimals $DynamicNumber _Digits after the point._,"
	 " grouping $DynamicBoolean _Whether thousands are set apart; they are unless this is false._ ~}"},
	{"formatCurrency", "string", "string", NULL, "An amount of money as the person's language writes it.",
	 "{value! $DynamicNumber _The amount._,"
	 " currency! $DynamicString _Code of ISO 4217, such as EUR._,"
	 " decimals $DynamicNumber _Digits after the point._,"
	 " grouping $DynamicBoolean _Whether thousands are set apart; they are unless this is false._ ~}"},
	{"formatDate", "string", "string", NULL, "A date or time by a pattern.",
	 "{value! $DynamicValue _Date or time in ISO 8601._,"
	 " format! $DynamicString _Pattern of Unicode TR35, such as MMM d, yyyy._ ~}"},
	{"pluralize", "string", "string", NULL, "The text that fits a number.",
	 "{value! $DynamicNumber _The number._,"
	 " zero $DynamicString _For none._,"
	 " one $DynamicString _For one._,"
	 " two $DynamicString _For two._,"
	 " few $DynamicString _For what the language calls few._,"
	 " many $DynamicString _For what the language calls many._,"
	 " other! $DynamicString _For every other number._ ~}"},
	{"openUrl", "void", "void", "\"requiresUserActivation\":true", "Opens a page in the browser.",
	 "{<url! str:uri _Where to go._,"
	 " >url! (str:uri|$DataBinding|$FunctionCall) _Where to go._ <. >~}"},
	{"and", "boolean", "boolean", NULL, "Whether all are true.",
	 "{values! [$DynamicBoolean]>2 _What is joined._ ~}"},
	{"or", "boolean", "boolean", NULL, "Whether any is true.",
	 "{values! [$DynamicBoolean]>2 _What is joined._ ~}"},
	{"not", "boolean", "boolean", NULL, "True for false, false for true.",
	 "{value! $DynamicBoolean _What is turned round._ ~}"},
};

static const struct component minimal_components[] = {
	{"Text", false, "Shows text.",
	 "{text! $DynamicString _The text._,"
	 " variant str'h1|h2|h3|h4|h5|caption|body' _Its size and weight._}"},
	{"Row", false, "Sets components side by side.",
	 "{children! $ChildList _What stands in the row._,"
	 " justify str'center|end|spaceAround|spaceBetween|spaceEvenly|start|stretch'"
	 " _How room is shared from left to right._,"
	 " align str'start|center|end|stretch' _Where things stand from top to bottom._}"},
	{"Column", false, "Sets components one below the other.",
	 "{children! $ChildList _What stands in the column._,"
	 " justify str'start|center|end|spaceBetween|spaceAround|spaceEvenly|stretch'"
	 " _How room is shared from top to bottom._,"
	 " align str'center|end|start|stretch' _Where things stand from left to right._}"},
	{"Button", true, "Something to press.",
	 "{child! $Child _Its face: usually a text._,"
	 " variant str'primary|borderless' _How much it stands out._,"
	 " action! $Action _What a press does._}"},
	{"TextField", true, "Asks for text.",
	 "{label! $DynamicString _What is asked for._,"
	 " value $DynamicString _What was typed; bind it to keep it._,"
	 " variant str'longText|number|shortText|obscured' _Kind of text._,"
	 " validationRegexp str _Pattern the text must match._}"},
};
static const struct function minimal_functions[] = {
	{"capitalize", "string", "string", NULL, "The text with a capital at its beginning.",
	 "{value! $DynamicString _The text._ ~}"},
};

/* No component or function by name: a catalog that was pruned keeps these words. */
static const char instructions_v10[] =
	"Build layouts by nesting containers, and keep the nesting that was asked for: what is inside something is its "
	"child.\n"
	"Values have no operators: text is joined by a formatting function, with ${...} in its template.\n"
	"The words of a failed check belong into the check's message, not into a component of their own.";

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void about_and_more(struct sj_buf *out, const struct sj_sketch_env *env, struct sj_slice about, const char *more)
{
	if (about.len && !env->terse) {
		sj_buf_puts(out, ",\"description\":");
		sj_sketch_string(out, about);
	}
	if (more) {
		sj_buf_putc(out, ',');
		sj_buf_puts(out, more);
	}
}

void sj_data_component(struct sj_buf *out, const struct sj_sketch_env *env, struct sj_slice name, struct sj_slice about,
                       bool checkable, const char *props, const char *more)
{
	bool v10 = env->version >= SJ_V10, wrapped = !v10 || checkable;
	sj_sketch_string(out, name);
	sj_buf_puts(out, ":{\"type\":\"object\"");
	about_and_more(out, env, about, more);
	if (wrapped) {
		sj_buf_puts(out, ",\"allOf\":[");
		if (!v10)
			sj_sketch(out, env, "$ComponentCommon");
		if (!v10)
			sj_buf_puts(out, ",{\"$ref\":\"#/$defs/CatalogComponentCommon\"}");
		if (checkable) {
			sj_buf_puts(out, v10 ? "" : ",");
			sj_sketch(out, env, "$Checkable");
		}
		sj_buf_puts(out, ",{\"type\":\"object\"");
	}
	sj_sketch_tagged(out, env, "component", name, props,
	                 !v10 ? NULL : env->dialect == SJ_DIALECT_RESERVED ? "weight #Weight}" : "weight num}");
	sj_buf_puts(out, wrapped ? "}]" : "");
	sj_buf_puts(out, v10 ? "}" : ",\"unevaluatedProperties\":false}");
}

void sj_data_function(struct sj_buf *out, const struct sj_sketch_env *env, struct sj_slice name, struct sj_slice about,
                      const char *returns, const char *args, const char *more)
{
	bool v10 = env->version >= SJ_V10, bare = env->dialect != SJ_DIALECT_RESERVED, wrapped = v10 && bare;
	sj_sketch_string(out, name);
	sj_buf_puts(out, ":{\"type\":\"object\"");
	about_and_more(out, env, about, more);
	if (v10)
		sj_buf_printf(out, ",\"returnType\":\"%s\"", returns);
	if (wrapped) {
		sj_buf_puts(out, ",\"allOf\":[");
		sj_sketch(out, env, "$FunctionCommon");
		sj_buf_puts(out, ",{\"type\":\"object\"");
	}
	/* call, args, returnType */
	sj_buf_printf(out, ",\"properties\":{\"%s\":{\"const\":", bare ? "call" : "@call");
	sj_sketch_string(out, name);
	sj_buf_puts(out, "},\"args\":");
	sj_sketch(out, env, args);
	if (!v10)
		sj_buf_printf(out, ",\"returnType\":{\"const\":\"%s\"}", returns);
	sj_buf_printf(out, "},\"required\":[\"%s\",\"args\"]", bare ? "call" : "@call");
	sj_buf_puts(out, wrapped ? "}]" : "");
	sj_buf_puts(out, bare ? ",\"unevaluatedProperties\":false}" : "}");
}

static void components(struct sj_buf *out, const struct sj_sketch_env *env, const struct component *rows, size_t n,
                       sj_data_skip_fn skip, void *ctx, bool *first)
{
	for (size_t i = 0; i < n; i++) {
		struct sj_slice name = sj_slice_of(rows[i].name);
		if (skip && skip(ctx, name))
			continue;
		sj_buf_puts(out, *first ? "" : ",");
		*first = false;
		sj_data_component(out, env, name, sj_slice_of(rows[i].about), rows[i].checkable, rows[i].props, NULL);
	}
}

static void functions(struct sj_buf *out, const struct sj_sketch_env *env, const struct function *rows, size_t n,
                      sj_data_skip_fn skip, void *ctx, bool *first)
{
	bool v10 = env->version >= SJ_V10;
	for (size_t i = 0; i < n; i++) {
		struct sj_slice name = sj_slice_of(rows[i].name);
		if (skip && skip(ctx, name))
			continue;
		sj_buf_puts(out, *first ? "" : ",");
		*first = false;
		sj_data_function(out, env, name, sj_slice_of(rows[i].about),
		                 v10 ? rows[i].returns_v10 : rows[i].returns_v09, rows[i].args,
		                 v10 ? rows[i].more_v10 : NULL);
	}
}

void sj_data_basic_components(struct sj_buf *out, const struct sj_sketch_env *env, sj_data_skip_fn skip, void *ctx,
                              bool *first)
{
	components(out, env, basic_components, COUNT(basic_components), skip, ctx, first);
}

void sj_data_basic_functions(struct sj_buf *out, const struct sj_sketch_env *env, sj_data_skip_fn skip, void *ctx,
                             bool *first)
{
	functions(out, env, basic_functions, COUNT(basic_functions), skip, ctx, first);
}

static void component_union(struct sj_buf *out, const struct component *rows, size_t n)
{
	sj_buf_puts(out, "\"anyComponent\":{\"oneOf\":[");
	for (size_t i = 0; i < n; i++)
		sj_buf_printf(out, "%s{\"$ref\":\"#/components/%s\"}", i ? "," : "", rows[i].name);
	sj_buf_puts(out, "],\"discriminator\":{\"propertyName\":\"component\"}}");
}

static void function_union(struct sj_buf *out, const struct function *rows, size_t n)
{
	sj_buf_puts(out, ",\"anyFunction\":{\"oneOf\":[");
	for (size_t i = 0; i < n; i++)
		sj_buf_printf(out, "%s{\"$ref\":\"#/functions/%s\"}", i ? "," : "", rows[i].name);
	sj_buf_puts(out, "]}");
}

static void head(struct sj_buf *out, enum sj_version v, const char *which, const char *title, const char *about)
{
	const char *base = sj_data_base(v);
	sj_buf_printf(out, "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\","
		"\"$id\":\"%scatalogs/%s/catalog.json\"", base, which);
	if (v >= SJ_V10)
		sj_buf_puts(out, ",\"protocolVersion\":\"1.0\"");
	sj_buf_printf(out, ",\"title\":\"%s\",\"description\":\"%s\","
		"\"catalogId\":\"%scatalogs/%s/catalog.json\"", title, about, base, which);
}

#define THEME_COMMON \
	"{primaryColor str/^#[0-9a-fA-F]{6}$/ _Colour of what stands out, as #RRGGBB._"

bool sj_data_basic(struct sj_buf *out, enum sj_version v, enum sj_dialect d)
{
	if (v == SJ_V08)
		sj_data_v08_standard(out);
	if (v < SJ_V09)
		return v == SJ_V08;
	bool v10 = v >= SJ_V10, relative = v10 && d == SJ_DIALECT_RESERVED;
	struct sj_sketch_env env = {.version = v, .dialect = v10 ? d : SJ_DIALECT_BARE};
	env.common = relative ? "common_types.json#/$defs/"
	             : v10 ? "https://a2ui.org/specification/v1_0/common_types.json#/$defs/"
	                   : "https://a2ui.org/specification/v0_9/common_types.json#/$defs/";
	head(out, v, "basic", "Basic components", "Components and functions for everyday screens.");
	if (v10) {
		sj_buf_puts(out, ",\"instructions\":");
		sj_sketch_string(out, SJ_LIT(instructions_v10));
	}
	bool first = true;
	sj_buf_puts(out, ",\"components\":{");
	sj_data_basic_components(out, &env, NULL, NULL, &first);
	first = true;
	sj_buf_puts(out, "},\"functions\":{");
	sj_data_basic_functions(out, &env, NULL, NULL, &first);
	sj_buf_puts(out, "},\"$defs\":{");
	if (!v10) {
		sj_buf_puts(out, "\"CatalogComponentCommon\":");
		sj_sketch(out, &env, "{weight num _Share of the room in its container, against its neighbours._}");
		sj_buf_puts(out, ",\"theme\":");
		sj_sketch(out, &env, THEME_COMMON ", iconUrl str:uri _Picture of the agent._, agentDisplayName str "
			"_Name of the agent._ *}");
		sj_buf_putc(out, ',');
	}
	component_union(out, basic_components, COUNT(basic_components));
	function_union(out, basic_functions, COUNT(basic_functions));
	if (relative) {
		sj_buf_puts(out, ",\"Weight\":");
		sj_sketch(out, &env, "num _Share of the room in its container, against its neighbours._");
	}
	sj_buf_puts(out, "}}");
	return true;
}

bool sj_data_minimal(struct sj_buf *out, enum sj_version v)
{
	if (v == SJ_V08)
		sj_data_v08_minimal(out);
	if (v < SJ_V09 || v >= SJ_V10)
		return v == SJ_V08;
	struct sj_sketch_env env = {.version = v, .dialect = SJ_DIALECT_BARE};
	env.common = "https://a2ui.org/specification/v0_9/common_types.json#/$defs/";
	head(out, v, "minimal", "Minimal components", "The least a first screen needs.");
	bool first = true;
	sj_buf_puts(out, ",\"components\":{");
	components(out, &env, minimal_components, COUNT(minimal_components), NULL, NULL, &first);
	first = true;
	sj_buf_puts(out, "},\"functions\":{");
	functions(out, &env, minimal_functions, COUNT(minimal_functions), NULL, NULL, &first);
	sj_buf_puts(out, "},\"$defs\":{\"CatalogComponentCommon\":");
	sj_sketch(out, &env, "{weight num _Share of the room in its container, against its neighbours._}");
	sj_buf_puts(out, ",\"theme\":");
	sj_sketch(out, &env, THEME_COMMON " *}");
	sj_buf_putc(out, ',');
	component_union(out, minimal_components, COUNT(minimal_components));
	function_union(out, minimal_functions, COUNT(minimal_functions));
	sj_buf_puts(out, "}}");
	return true;
}
