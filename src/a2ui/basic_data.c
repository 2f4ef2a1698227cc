/* The basic catalogs of v0.9, v0.9.1 and v1.0, and the minimal one, as one table. */
#include "a2ui/data.h"

struct component {
	const char *name;
	bool checkable;
	const char *props, *about;
};
struct function {
	const char *name, *args;
	const char *returns_v09, *returns_v10;
	const char *more_v10; /* further members from v1.0 on */
	const char *about;
};

#define ICONS                                                                                                                  \
	"accountCircle|add|arrowBack|arrowForward|attachFile|calendarToday|call|camera|check|close|delete|download|edit|event|"  \
	"error|fastForward|favorite|favoriteOff|folder|help|home|info|locationOn|lock|lockOpen|mail|menu|moreVert|moreHoriz|"    \
	"notificationsOff|notifications|pause|payment|person|phone|photo|play|print|refresh|rewind|search|send|settings|share|"  \
	"shoppingCart|skipNext|skipPrevious|star|starHalf|starOff|stop|upload|visibility|visibilityOff|volumeDown|volumeMute|"   \
	"volumeOff|volumeUp|warning"
/* A literal of these must read as a date, a time or both; bindings and calls are free. */
#define MOMENT "($DynamicString&`\"if\":{\"type\":\"string\"},\"then\":{\"oneOf\":[{\"format\":\"date\"},{\"format\":\"time\"},{\"format\":\"date-time\"}]}`)"
#define CHILD_OF(what) "! $Child \"" what "\""

static const struct component basic_components[] = {
	{"Text", false,
	 "{text! $DynamicString \"The text; simple Markdown works.\","
	 " <variant str'h1|h2|h3|h4|h5|caption|body'='body' \"Its size and weight.\", >variant str'caption|body'='body' \"Its size and weight.\"}",
	 "Shows text."},
	{"Image", false,
	 "{url! $DynamicString \"Where the picture is.\", description $DynamicString \"What it shows, for those who cannot see it.\","
	 " fit str'contain|cover|fill|none|scaleDown'='fill' \"How it fills its place.\","
	 " variant str'icon|avatar|smallFeature|mediumFeature|largeFeature|header'='mediumFeature' \"Its size and shape.\"}",
	 "Shows a picture."},
	{"Icon", false,
	 "{name! (str'" ICONS "'|{<svgPath! str, >svgPath! $DynamicString .}|$DataBinding) \"One of the known names, a path in SVG, or a binding.\"}",
	 "Shows a symbol."},
	{"Video", false, "{url! $DynamicString \"Where the film is.\", >posterUrl $DynamicString \"Picture shown before it plays.\"}", "Plays a film."},
	{"AudioPlayer", false, "{url! $DynamicString \"Where the sound is.\", description $DynamicString \"What is heard: a title or summary.\"}",
	 "Plays sound."},
	{"Row", false,
	 "{children! $ChildList \"What stands in the row.\","
	 " justify str'center|end|spaceAround|spaceBetween|spaceEvenly|start|stretch'='start' \"How room is shared from left to right.\","
	 " align str'start|center|end|stretch'='stretch' \"Where things stand from top to bottom.\"}",
	 "Sets components side by side."},
	{"Column", false,
	 "{children! $ChildList \"What stands in the column.\","
	 " justify str'start|center|end|spaceBetween|spaceAround|spaceEvenly|stretch'='start' \"How room is shared from top to bottom.\","
	 " align str'center|end|start|stretch'='stretch' \"Where things stand from left to right.\"}",
	 "Sets components one below the other."},
	{"List", false,
	 "{children! $ChildList \"The entries.\", direction str'vertical|horizontal'='vertical' \"Which way it runs.\","
	 " align str'start|center|end|stretch'='stretch' \"Where entries stand across it.\"}",
	 "A scrolling list."},
	{"Card", false, "{child" CHILD_OF("What is on the card; wrap several in a column.") "}", "Frames one component."},
	{"Tabs", false,
	 "{tabs! [{title! $DynamicString \"Name of the tab.\", child" CHILD_OF("What it shows.") " .}]>1 \"The tabs in order.\"}",
	 "Shows one of several components at a time."},
	{"Modal", false, "{trigger" CHILD_OF("What opens it.") ", content" CHILD_OF("What it shows.") "}", "A dialog and what opens it."},
	{"Divider", false, "{axis str'horizontal|vertical'='horizontal' \"Which way the line runs.\"}", "A line between components."},
	{"Button", true,
	 "{child" CHILD_OF("Its face: usually a text or an icon.") ", variant str'default|primary|borderless'='default' \"How much it stands out.\","
	 " action! $Action \"What a press does.\"}",
	 "Something to press."},
	{"TextField", true,
	 "{label! $DynamicString \"What is asked for.\", value $DynamicString \"What was typed; bind it to keep it.\","
	 " >placeholder $DynamicString \"Shown while it is empty.\","
	 " variant str'longText|number|shortText|obscured'='shortText' \"Kind of text.\","
	 " <validationRegexp str \"Pattern the text must match.\"}",
	 "Asks for text."},
	{"CheckBox", true, "{label! $DynamicString \"What is ticked.\", value! $DynamicBoolean \"Whether it is ticked; bind it to keep it.\"}",
	 "Something to tick."},
	{"ChoicePicker", true,
	 "{label $DynamicString \"What is chosen.\","
	 " variant str'multipleSelection|mutuallyExclusive'='mutuallyExclusive' \"Whether several may be chosen.\","
	 " options! [{label! $DynamicString \"What the person reads.\", value! str \"What is kept.\" .}] \"What there is to choose from.\","
	 " value! $DynamicStringList \"Values chosen, always a list; bind it to keep them.\","
	 " displayStyle str'checkbox|chips'='checkbox' \"How the options look.\", filterable bool=false \"Whether options can be searched.\"}",
	 "Asks to choose."},
	{"Slider", true,
	 "{label $DynamicString \"What is set.\", min num=0 \"Lowest value.\", max! num \"Highest value.\","
	 " value! $DynamicNumber \"The value; bind it to keep it.\", >steps int>1 \"Into how many steps the way is divided.\"}",
	 "Asks for a number by dragging."},
	{"DateTimeInput", true,
	 "{value! $DynamicString \"ISO 8601; empty when nothing is set.\", enableDate bool=false \"Whether a date is asked for.\","
	 " enableTime bool=false \"Whether a time is asked for.\", min " MOMENT " \"Earliest, in ISO 8601.\", max " MOMENT
	 " \"Latest, in ISO 8601.\", label $DynamicString \"What is asked for.\"}",
	 "Asks for a date or time."},
};

#define AT_LEAST_ONE_BOUND "+`\"anyOf\":[{\"required\":[\"min\"]},{\"required\":[\"max\"]}]`"

static const struct function basic_functions[] = {
	{"required", "{value! any \"What is looked at.\" <. >~}", "boolean", "validationResult", NULL, "Whether there is a value."},
	{"regex", "{value! $DynamicString \"The text.\", pattern! str \"The pattern.\" ~}", "boolean", "validationResult", NULL,
	 "Whether a text matches a pattern."},
	{"length",
	 "{value! $DynamicString \"The text.\", min int>0 \"Shortest length.\", max int>0 \"Greatest length.\" ~}" AT_LEAST_ONE_BOUND,
	 "boolean", "validationResult", NULL, "Whether a length is within bounds."},
	{"numeric", "{value! $DynamicNumber \"The number.\", min num \"Lowest value.\", max num \"Highest value.\" ~}" AT_LEAST_ONE_BOUND,
	 "boolean", "validationResult", NULL, "Whether a number is within bounds."},
	{"email", "{value! $DynamicString \"The text.\" ~}", "boolean", "validationResult", NULL, "Whether a text is an e-mail address."},
	{"formatString", "{value! $DynamicString \"Text with ${...} where values go.\" ~}", "string", "string", NULL,
	 "Puts values into a text. ${/a/b} reads the data model, ${f(x: 1)} calls a function, \\${ stands for itself."},
	{"formatNumber",
	 "{value! $DynamicNumber \"The number.\", decimals $DynamicNumber \"Digits after the point.\","
	 " grouping $DynamicBoolean \"Whether thousands are set apart; they are unless this is false.\" ~}",
	 "string", "string", NULL, "A number as the person's language writes it."},
	{"formatCurrency",
	 "{value! $DynamicNumber \"The amount.\", currency! $DynamicString \"Code of ISO 4217, such as EUR.\","
	 " decimals $DynamicNumber \"Digits after the point.\","
	 " grouping $DynamicBoolean \"Whether thousands are set apart; they are unless this is false.\" ~}",
	 "string", "string", NULL, "An amount of money as the person's language writes it."},
	{"formatDate",
	 "{value! $DynamicValue \"Date or time in ISO 8601.\", format! $DynamicString \"Pattern of Unicode TR35, such as MMM d, yyyy.\" ~}",
	 "string", "string", NULL, "A date or time by a pattern."},
	{"pluralize",
	 "{value! $DynamicNumber \"The number.\", zero $DynamicString \"For none.\", one $DynamicString \"For one.\","
	 " two $DynamicString \"For two.\", few $DynamicString \"For what the language calls few.\","
	 " many $DynamicString \"For what the language calls many.\", other! $DynamicString \"For every other number.\" ~}",
	 "string", "string", NULL, "The text that fits a number."},
	{"openUrl", "{<url! str:uri \"Where to go.\", >url! (str:uri|$DataBinding|$FunctionCall) \"Where to go.\" <. >~}", "void", "void",
	 "\"requiresUserActivation\":true", "Opens a page in the browser."},
	{"and", "{values! [$DynamicBoolean]>2 \"What is joined.\" ~}", "boolean", "boolean", NULL, "Whether all are true."},
	{"or", "{values! [$DynamicBoolean]>2 \"What is joined.\" ~}", "boolean", "boolean", NULL, "Whether any is true."},
	{"not", "{value! $DynamicBoolean \"What is turned round.\" ~}", "boolean", "boolean", NULL, "True for false, false for true."},
};

static const struct component minimal_components[] = {
	{"Text", false, "{text! $DynamicString \"The text.\", variant str'h1|h2|h3|h4|h5|caption|body' \"Its size and weight.\"}", "Shows text."},
	{"Row", false,
	 "{children! $ChildList \"What stands in the row.\","
	 " justify str'center|end|spaceAround|spaceBetween|spaceEvenly|start|stretch' \"How room is shared from left to right.\","
	 " align str'start|center|end|stretch' \"Where things stand from top to bottom.\"}",
	 "Sets components side by side."},
	{"Column", false,
	 "{children! $ChildList \"What stands in the column.\","
	 " justify str'start|center|end|spaceBetween|spaceAround|spaceEvenly|stretch' \"How room is shared from top to bottom.\","
	 " align str'center|end|start|stretch' \"Where things stand from left to right.\"}",
	 "Sets components one below the other."},
	{"Button", true,
	 "{child" CHILD_OF("Its face: usually a text.") ", variant str'primary|borderless' \"How much it stands out.\","
	 " action! $Action \"What a press does.\"}",
	 "Something to press."},
	{"TextField", true,
	 "{label! $DynamicString \"What is asked for.\", value $DynamicString \"What was typed; bind it to keep it.\","
	 " variant str'longText|number|shortText|obscured' \"Kind of text.\", validationRegexp str \"Pattern the text must match.\"}",
	 "Asks for text."},
};
static const struct function minimal_functions[] = {
	{"capitalize", "{value! $DynamicString \"The text.\" ~}", "string", "string", NULL, "The text with a capital at its beginning."},
};

static const char instructions_v10[] =
	"Build layouts from Row, Column and List. Keep the nesting that was asked for: what is inside something is its child.\n"
	"There are no operators in values: join texts with formatString and ${...}.\n"
	"Put the words of a failed check into the check's message, not into a Text.";

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

void sj_data_component(struct sj_buf *out, const struct sj_sketch_env *env, struct sj_slice name, struct sj_slice about, bool checkable,
                       const char *props, const char *more)
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

static void components(struct sj_buf *out, const struct sj_sketch_env *env, const struct component *rows, size_t n, sj_data_skip_fn skip,
                       void *ctx, bool *first)
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

static void functions(struct sj_buf *out, const struct sj_sketch_env *env, const struct function *rows, size_t n, sj_data_skip_fn skip,
                      void *ctx, bool *first)
{
	bool v10 = env->version >= SJ_V10;
	for (size_t i = 0; i < n; i++) {
		struct sj_slice name = sj_slice_of(rows[i].name);
		if (skip && skip(ctx, name))
			continue;
		sj_buf_puts(out, *first ? "" : ",");
		*first = false;
		sj_data_function(out, env, name, sj_slice_of(rows[i].about), v10 ? rows[i].returns_v10 : rows[i].returns_v09, rows[i].args,
		                 v10 ? rows[i].more_v10 : NULL);
	}
}

void sj_data_basic_components(struct sj_buf *out, const struct sj_sketch_env *env, sj_data_skip_fn skip, void *ctx, bool *first)
{
	components(out, env, basic_components, COUNT(basic_components), skip, ctx, first);
}

void sj_data_basic_functions(struct sj_buf *out, const struct sj_sketch_env *env, sj_data_skip_fn skip, void *ctx, bool *first)
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
	sj_buf_printf(out, "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"$id\":\"%scatalogs/%s/catalog.json\"", base, which);
	if (v >= SJ_V10)
		sj_buf_puts(out, ",\"protocolVersion\":\"1.0\"");
	sj_buf_printf(out, ",\"title\":\"%s\",\"description\":\"%s\",\"catalogId\":\"%scatalogs/%s/catalog.json\"", title, about, base, which);
}

#define THEME_COMMON                                                                                                              \
	"{primaryColor str/^#[0-9a-fA-F]{6}$/ \"Colour of what stands out, as #RRGGBB.\""

bool sj_data_basic(struct sj_buf *out, enum sj_version v, enum sj_dialect d)
{
	if (v < SJ_V09)
		return false;
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
		sj_sketch(out, &env, "{weight num \"Share of the room in a Row or Column, against its neighbours.\"}");
		sj_buf_puts(out, ",\"theme\":");
		sj_sketch(out, &env, THEME_COMMON ", iconUrl str:uri \"Picture of the agent.\", agentDisplayName str \"Name of the agent.\" *}");
		sj_buf_putc(out, ',');
	}
	component_union(out, basic_components, COUNT(basic_components));
	function_union(out, basic_functions, COUNT(basic_functions));
	if (relative) {
		sj_buf_puts(out, ",\"Weight\":");
		sj_sketch(out, &env, "num \"Share of the room in a Row or Column, against its neighbours.\"");
	}
	sj_buf_puts(out, "}}");
	return true;
}

bool sj_data_minimal(struct sj_buf *out, enum sj_version v)
{
	if (v < SJ_V09 || v >= SJ_V10)
		return false;
	struct sj_sketch_env env = {.version = v, .dialect = SJ_DIALECT_BARE, .common = "https://a2ui.org/specification/v0_9/common_types.json#/$defs/"};
	head(out, v, "minimal", "Minimal components", "The least a first screen needs.");
	bool first = true;
	sj_buf_puts(out, ",\"components\":{");
	components(out, &env, minimal_components, COUNT(minimal_components), NULL, NULL, &first);
	first = true;
	sj_buf_puts(out, "},\"functions\":{");
	functions(out, &env, minimal_functions, COUNT(minimal_functions), NULL, NULL, &first);
	sj_buf_puts(out, "},\"$defs\":{\"CatalogComponentCommon\":");
	sj_sketch(out, &env, "{weight num \"Share of the room in a Row or Column, against its neighbours.\"}");
	sj_buf_puts(out, ",\"theme\":");
	sj_sketch(out, &env, THEME_COMMON " *}");
	sj_buf_putc(out, ',');
	component_union(out, minimal_components, COUNT(minimal_components));
	function_union(out, minimal_functions, COUNT(minimal_functions));
	sj_buf_puts(out, "}}");
	return true;
}
