/* Express: what it says, what is mended, what is refused, that writing and reading undo each other, and that nothing
 * hostile costs more than its length. */
#include "infer/compact_help.h"

#define TEXT(id, text) "{\"id\":\"" id "\",\"component\":\"Text\",\"text\":" text "}"
#define CREATE(rest) "[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"default_surface\",\"catalogId\":\"" BASIC10 "\"" rest "}}]"
#define SURFACE(components) CREATE(",\"components\":[" components "]")

static struct rig *basic(void) { return rig_basic(SJ_FORMAT_EXPRESS, SJ_V10); }

static void gives(const char *text, const char *json)
{
	struct rig *r = basic();
	rig_gives(r, text, json, "");
	rig_close(r);
}

static void mends(const char *text, const char *json, const char *kinds)
{
	struct rig *r = basic();
	rig_gives(r, text, json, kinds);
	rig_close(r);
}

static void refuses(const char *text, enum sj_category cat, uint32_t line, uint64_t offset, const char *message)
{
	struct rig *r = basic();
	rig_refuses(r, text, cat, line, offset, message);
	rig_close(r);
}

SJ_TEST(ids_of_inline_components_say_where_they_stand)
{
	gives("root = Column([Text(\"a\"), Card(Text(\"b\")), last])\nlast = Text(\"c\")",
	      SURFACE("{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"root_children_0\",\"root_children_1\","
	              "\"last\"]}," TEXT("root_children_0",
	                                 "\"a\"") ",{\"id\":\"root_children_1\",\"component\":\"Card\","
	                                          "\"child\":\"root_children_1_child\"}," TEXT(
							  "root_children_1_child", "\"b\"") "," TEXT("last", "\"c\"")));
	gives("root = Tabs([{title: \"A\", child: Text(\"x\")}])",
	      SURFACE("{\"id\":\"root\",\"component\":\"Tabs\",\"tabs\":[{\"title\":\"A\",\"child\":\"root_tabs_0_child\"}]},"
	              TEXT("root_tabs_0_child", "\"x\"")));
	gives("root = List(_template($/items, Text($name)))",
	      SURFACE("{\"id\":\"root\",\"component\":\"List\",\"children\":{\"componentId\":\"root_children\",\"path\":"
	              "\"/items\"}}," TEXT("root_children", "{\"path\":\"name\"}")));
	/* An id that is taken, before or behind, gets a number. */
	gives("root_child = Text(\"mine\")\nroot = Card(Text(\"x\"))",
	      SURFACE(TEXT("root_child", "\"mine\"") ",{\"id\":\"root\",\"component\":\"Card\",\"child\":\"root_child_2\"},"
	              TEXT("root_child_2", "\"x\"")));
	gives("root = Card(Text(\"x\", id=\"body\"))",
	      SURFACE("{\"id\":\"root\",\"component\":\"Card\",\"child\":\"body\"}," TEXT("body", "\"x\"")));
	refuses("root = Column([Text(\"x\", id=\"a\"), Text(\"y\", id=\"a\")])", SJ_CAT_INTEGRITY, 1, 34,
	        "two components have the id 'a'");
}

SJ_TEST(strings)
{
	gives("root = Text(\"a\\u00e9\\ud83d\\ude00\\t\\\"\")",
	      SURFACE(TEXT("root", "\"a\\u00e9\\ud83d\\ude00\\t\\\"\"")));
	gives("root = Text(\"\"\"two\nlines \"quoted\" \\n\"\"\")",
	      SURFACE(TEXT("root", "\"two\\nlines \\\"quoted\\\" \\n\"")));
	gives("root = Text(r\"\"\"a\\n\"b\"\"\")", SURFACE(TEXT("root", "\"a\\\\n\\\"b\"")));
	gives("root = Text(\"\")", SURFACE(TEXT("root", "\"\"")));
	gives("root = Text(\"# no // comment /* here; */\")", SURFACE(TEXT("root", "\"# no // comment /* here; */\"")));
	refuses("root = Text(\"a\\ud800\")", SJ_CAT_PARSE, 1, 12, "half a surrogate pair in a string");
	refuses("root = Text(\"never\nclosed)", SJ_CAT_PARSE, 1, 12, "a string that is never closed");
	refuses("root = Text(\"a\")\n/* never", SJ_CAT_PARSE, 2, 17, "a comment that is never closed");
}

SJ_TEST(values_and_paths)
{
	gives("root = Row([a], weight=1.5)\na = Text($\"/with space\", accessibility={label: $/l, description: \"d\"})",
	      SURFACE("{\"id\":\"root\",\"component\":\"Row\",\"children\":[\"a\"],\"weight\":1.5},{\"id\":\"a\",\"component\":"
	              "\"Text\",\"text\":{\"path\":\"/with space\"},\"accessibility\":{\"label\":{\"path\":\"/l\"},"
	              "\"description\":\"d\"}}"));
	gives("root = Text(formatString(\"${/a}\"))",
	      SURFACE(TEXT("root", "{\"call\":\"formatString\",\"args\":{\"value\":\"${/a}\"}}")));
	gives("root = Text(formatNumber($/n, 2, grouping=false))",
	      SURFACE(TEXT("root", "{\"call\":\"formatNumber\",\"args\":{\"value\":{\"path\":\"/n\"},\"decimals\":2,"
	                           "\"grouping\":false}}")));
	gives("l = _template($/items, row)\nroot = List(l)\nrow = Text(formatString(value=@index(1)))",
	      SURFACE("{\"id\":\"root\",\"component\":\"List\",\"children\":{\"componentId\":\"row\",\"path\":\"/items\"}},"
	              TEXT("row", "{\"call\":\"formatString\",\"args\":{\"value\":{\"call\":\"@index\",\"args\":"
	                          "{\"offset\":1}}}}")));
}

SJ_TEST(actions)
{
	gives("root = Button(t, action=Event(\"go\", {a: $/x, \"b-c\": [1, true, null]}, userMessage=\"Gone\"))\n"
	      "t = Text(\"T\")",
	      SURFACE("{\"id\":\"root\",\"component\":\"Button\",\"child\":\"t\",\"action\":{\"event\":{\"name\":\"go\","
	              "\"context\":{\"a\":{\"path\":\"/x\"},\"b-c\":[1,true,null]},\"userMessage\":\"Gone\"}}},"
	              TEXT("t", "\"T\"")));
	refuses("root = Button(t, action=Event())\nt = Text(\"T\")", SJ_CAT_PARSE, 1, 24, "Event takes a name");
	refuses("root = Text(Event(\"x\"))", SJ_CAT_VALIDATION, 1, 12, "Unrecognized function 'Event'");
}

#define FIELD(checks) \
	SURFACE("{\"id\":\"root\",\"component\":\"TextField\",\"label\":\"L\",\"value\":{\"path\":\"/v\"},\"checks\":[" checks "]}")

SJ_TEST(checks)
{
	gives("root = TextField(\"L\", $/v, checks=[?length(3, 10, \"Bad\"), ?email])",
	      FIELD("{\"condition\":{\"call\":\"length\",\"args\":{\"value\":{\"path\":\"/v\"},\"min\":3,\"max\":10}},"
	            "\"message\":\"Bad\"},{\"condition\":{\"call\":\"email\",\"args\":{\"value\":{\"path\":\"/v\"}}},"
	            "\"message\":\"This value is not valid.\"}"));
	/* The value may come behind; another may be named; a list of conditions is no value. */
	gives("root = TextField(\"L\", checks=[?required(\"R\")], value=$/v)",
	      FIELD("{\"condition\":{\"call\":\"required\",\"args\":{\"value\":{\"path\":\"/v\"}}},\"message\":\"R\"}"));
	gives("root = TextField(\"L\", $/v, checks=[?required(value=$/w, message=\"R\"), ?and([$/a, $/b], \"Both\")])",
	      FIELD("{\"condition\":{\"call\":\"required\",\"args\":{\"value\":{\"path\":\"/w\"}}},\"message\":\"R\"},"
	            "{\"condition\":{\"call\":\"and\",\"args\":{\"values\":[{\"path\":\"/a\"},{\"path\":\"/b\"}]}},"
	            "\"message\":\"Both\"}"));
	gives("root = TextField(\"L\", $/v, checks=[?$/ok, {condition: not($/x), message: \"N\"}])",
	      FIELD("{\"condition\":{\"path\":\"/ok\"},\"message\":\"This value is not valid.\"},{\"condition\":{\"call\":"
	            "\"not\",\"args\":{\"value\":{\"path\":\"/x\"}}},\"message\":\"N\"}"));
	/* A text that a required argument needs is that argument. */
	gives("root = TextField(\"L\", $/v, checks=[?regex(\"^a$\")])",
	      FIELD("{\"condition\":{\"call\":\"regex\",\"args\":{\"value\":{\"path\":\"/v\"},\"pattern\":\"^a$\"}},"
	            "\"message\":\"This value is not valid.\"}"));
	refuses("root = Button(t, action=Event(\"a\"), checks=[?required(\"R\")])\nt = Text(\"T\")", SJ_CAT_VALIDATION, 1, 44,
	        "the check required lacks its argument value");
	refuses("root = Text(?required)", SJ_CAT_VALIDATION, 1, 12, "a check stands where none belongs");
}

SJ_TEST(data)
{
	gives("$/a/b = 1\n$/a/c = [1, {x: null}]\n$/l/0 = \"x\"; $/l/1 = \"y\"\n$/t~1d = true",
	      "[{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"default_surface\",\"path\":\"/\",\"value\":{"
	      "\"a\":{\"b\":1,\"c\":[1,{\"x\":null}]},\"l\":[\"x\",\"y\"],\"t/d\":true}}}]");
	gives("$/a = {b: 1}\n$/a/c = 2\n$/a/b = 3\nroot = Text($/a/b)",
	      CREATE(",\"components\":[" TEXT("root",
	                                      "{\"path\":\"/a/b\"}") "],\"dataModel\":{\"a\":{\"b\":3,\"c\":2}}"));
	gives("surface(\"s\")\n_data($/a/b, 1)\n_data(_, {x: 1})\n_data($/gone, null)",
	      "[{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/a/b\",\"value\":1}},"
	      "{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"value\":{\"x\":1}}},"
	      "{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/gone\",\"value\":null}}]");
	refuses("$/a = 1\n$/a/b = 2", SJ_CAT_COMPILE, 2, 8, "$/a/b lies below a value that is no map and no list");
	refuses("$/l/1 = 1", SJ_CAT_COMPILE, 1, 0, "$/l/1 leaves a gap in a list");
	refuses("$/l/0 = 1\n$/l/x = 1", SJ_CAT_COMPILE, 2, 10, "$/l/x is no place in a list");
	refuses("$a = 1", SJ_CAT_COMPILE, 1, 0, "$a is no absolute path");
	refuses("$/a = $/b", SJ_CAT_VALIDATION, 1, 6, "a path stands where only plain data may");
	refuses("$/a = formatString(\"x\")", SJ_CAT_VALIDATION, 1, 6,
	        "the call of formatString stands where only plain data may");
}

SJ_TEST(messages_come_in_the_order_of_their_statements)
{
	gives("deleteSurface(\"old\")\nsurface(\"new\", sendDataModel=true)\nroot = Text(\"x\")\nsurface(\"new\")\n"
	      "root = Text(\"y\")\n$/a = 1\nsurface(\"other\", create=false)\nroot = Text(\"z\")\nsurface(\"bare\")",
	      "[{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"old\"}},{\"version\":\"v1.0\",\"createSurface\":{"
	      "\"surfaceId\":\"new\",\"catalogId\":\"" BASIC10
	      "\",\"sendDataModel\":true,\"components\":[" TEXT("root", "\"x\"") "]}},{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"new\",\"components\":[" TEXT(
		      "root",
		      "\"y\"") "]}},{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"new\",\"path\":\"/\",\"value\":{\"a\":1}}},"
	                       "{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"other\",\"components\":[" TEXT(
				       "root",
				       "\"z\"") "]}},{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"bare\",\"catalogId\":\"" BASIC10
	                                        "\"}}]");
	struct rig *r = rig_basic(SJ_FORMAT_EXPRESS, SJ_V09);
	rig_gives(r, "surface(\"s\", theme={primaryColor: \"#ff0000\"})\n$/a = 1\nroot = Text($/a)",
	          "[{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" BASIC09 "\",\"theme\":{"
	          "\"primaryColor\":\"#ff0000\"}}},{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/\","
	          "\"value\":{\"a\":1}}},{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":["
	          TEXT("root", "{\"path\":\"/a\"}") "]}}]", "");
	rig_refuses(r, "root = Text(\"x\", catalogId=\"" BASIC09 "\")", SJ_CAT_VALIDATION, 1, 7,
	            "catalogId cannot be given to one component or call before v1.0");
	rig_refuses(r, "openUrl(\"https://example.com\")", SJ_CAT_VALIDATION, 1, 0,
	            "an agent cannot call functions of the renderer in v0.9");
	rig_close(r);
}

SJ_TEST(calls_that_stand_alone_are_numbered)
{
	gives("openUrl(\"https://a\")\nopenUrl(\"https://b\", functionCallId=\"mine\")\nopenUrl(\"https://c\")",
	      "[{\"version\":\"v1.0\",\"callRendererFunction\":{\"functionCallId\":\"call_1\",\"callFunction\":{\"call\":"
	      "\"openUrl\",\"catalogId\":\"" BASIC10 "\",\"args\":{\"url\":\"https://a\"}}}},{\"version\":\"v1.0\","
	      "\"callRendererFunction\":{\"functionCallId\":\"mine\",\"callFunction\":{\"call\":\"openUrl\",\"catalogId\":\""
	      BASIC10 "\",\"args\":{\"url\":\"https://b\"}}}},{\"version\":\"v1.0\",\"callRendererFunction\":{"
	      "\"functionCallId\":\"call_3\",\"callFunction\":{\"call\":\"openUrl\",\"catalogId\":\"" BASIC10
	      "\",\"args\":{\"url\":\"https://c\"}}}}]");
}

#define ONE SURFACE(TEXT("root", "\"Hi\""))
#define TWO SURFACE("{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"a\",\"b\"]}," TEXT("a", "\"A\"") "," \
                    TEXT("b", "\"B\""))

SJ_TEST(what_models_get_wrong_is_mended_and_listed)
{
	mends("root = Text('Hi')", ONE, "quotes");
	mends("root = Text(\xe2\x80\x9cHi\xe2\x80\x9d)", ONE, "quotes");
	mends("root: Text(text: \"Hi\")", ONE, "syntax syntax");
	mends("let root = Text(\"Hi\")", ONE, "syntax");
	mends("root = Text(\"Hi\"", ONE, "unclosed");
	mends("root = Text(\"Hi", ONE, "unclosed unclosed");
	mends("root = Text(\"Hi\"))", ONE, "syntax");
	mends("Here's your screen:\n\nroot = Text(\"Hi\")\nI hope it's fine", ONE, "text_around text_around");
	mends("```express\nroot = Text(\"Hi\")\n```", ONE, "fence");
	mends("Text(\"Hi\")", ONE, "syntax");
	mends("root = Column([a b])\na = Text(\"A\")\nb = Text(\"B\")", TWO, "syntax");
	mends("root = Column([a, b)\na = Text(\"A\")\nb = Text(\"B\")", TWO, "syntax");
	mends("root = Column([a, b]\na = Text(\"A\"\nb = Text(\"B\")", TWO, "unclosed unclosed");
	mends("root = Column([\n  a,\n  b,,\n])\na = Text(\n  text=\"A\"\n)\nb = Text(\"B\")", TWO, "syntax");
	mends("root = Row(x, weight=+1)\nx = Text(\"A\", variant=caption)",
	      SURFACE("{\"id\":\"root\",\"component\":\"Row\",\"children\":[\"x\"],\"weight\":1},{\"id\":\"x\",\"component\":"
	              "\"Text\",\"text\":\"A\",\"variant\":\"caption\"}"),
	      "literal scalar literal");
	mends("$/a = True\n$/b = {\"x\"=None, 1: \"\\d\"}\nroot = Text(\"Hi\")",
	      CREATE(",\"components\":[" TEXT("root", "\"Hi\"") "],\"dataModel\":{\"a\":true,\"b\":{\"x\":null,\"1\":\"\\\\d\"}}"),
	      "literal syntax literal syntax literal");
	mends("root = Text(${/a})", SURFACE(TEXT("root", "{\"path\":\"/a\"}")), "syntax");
}

SJ_TEST(more_repairs_than_the_cap_are_refused)
{
	struct rig *r = basic();
	struct sj_repairs few = {.cap = 2};
	struct sj_value v = SJ_ABSENT_VALUE;
	struct sj_diag d = {0};
	CHECK_INT(sj_format_compile(r->format, SJ_LIT("root: Text('a'"), &v, &few, &d), SJ_LIMIT);
	CHECK_INT(few.list.count, 2);
	CHECK_INT(d.category, SJ_CAT_PARSE);
	SJ_VEC_FREE(sj_test_mem(), &few.list);
	rig_close(r);
}

SJ_TEST(faults_have_a_place)
{
	refuses("", SJ_CAT_PARSE, 1, 0, "the block holds no statement");
	refuses("a = [1]", SJ_CAT_PARSE, 1, 0, "the block holds only values that nothing uses");
	refuses("just words", SJ_CAT_PARSE, 1, 0, "the block holds no statement");
	refuses("root = Text(\"a\")\nb = Sparkline([1])", SJ_CAT_VALIDATION, 2, 21,
	        "Unrecognized component 'Sparkline'");
	refuses("root = Text(\"a\", \"body\", 1, [], 5)", SJ_CAT_VALIDATION, 1, 28,
	        "Text takes at most 3 arguments by position");
	refuses("root = Text(\"a\", text=\"b\")", SJ_CAT_VALIDATION, 1, 22, "'text' of 'root' is given twice");
	refuses("root = Text(\"a\", colour=\"b\")", SJ_CAT_VALIDATION, 1, 24, "Text has no property 'colour'");
	refuses("root = Text()", SJ_CAT_VALIDATION, 1, 7, "'root' lacks text, which Text requires");
	refuses("root = Text(missing)", SJ_CAT_VALIDATION, 1, 12, "nothing is named 'missing'");
	refuses("root = Text(a)\na = Text(\"x\")", SJ_CAT_VALIDATION, 1, 12,
	        "the component 'a' stands where a value is expected");
	refuses("root = Text(\"x\")\nroot = Text(\"y\")", SJ_CAT_INTEGRITY, 2, 24, "'root' is defined twice");
	refuses("root = 5", SJ_CAT_VALIDATION, 1, 7, "root must be a component");
	refuses("root = = 5", SJ_CAT_PARSE, 1, 7, "expected a value, found '='");
	refuses("x = {a}", SJ_CAT_PARSE, 1, 6, "expected ':' after a key, found '}'");
	refuses("root = Text(\"x\")\nwords here\nb = Text(\"y\")", SJ_CAT_PARSE, 2, 17,
	        "expected a statement, found 'words'");
	refuses("root = Column(_template($/items))", SJ_CAT_PARSE, 1, 14, "_template takes a path and a component");
	refuses("a = [b]\nb = [a]\nroot = Tabs(a)", SJ_CAT_COMPILE, 2, 13, "'a' contains itself");
	refuses("a = b\nb = a\nroot = Tabs(a)", SJ_CAT_COMPILE, 3, 24, "'a' only leads to other names");
	refuses("surface()\nroot = Text(\"x\")", SJ_CAT_PARSE, 1, 0, "surface takes the id of a surface");
	refuses("surface(\"s\", \"other\")\nroot = Text(\"x\")", SJ_CAT_VALIDATION, 1, 0,
	        "catalog 'other' is none of the active catalogs");
	refuses("surface(\"s\", theme={})\nroot = Text(\"x\")", SJ_CAT_VALIDATION, 1, 19,
	        "a surface of v1.0 takes no 'theme'");
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

SJ_TEST(writing_and_reading_undo_each_other_for_every_example)
{
	rig_round_trips(SJ_FORMAT_EXPRESS, SJ_V10, "a2ui/specification/v1_0/catalogs/basic/examples", false);
	rig_round_trips(SJ_FORMAT_EXPRESS, SJ_V09, "a2ui/specification/v0_9/catalogs/basic/examples", false);
	rig_round_trips(SJ_FORMAT_EXPRESS, SJ_V09, "a2ui/specification/v0_9_1/catalogs/basic/examples", false);
	rig_round_trips(SJ_FORMAT_EXPRESS, SJ_V09, "a2ui/specification/v0_9/catalogs/minimal/examples", true);
}

static void writes(enum sj_version v, const char *json, const char *text)
{
	struct rig *r = rig_basic(SJ_FORMAT_EXPRESS, v);
	rig_writes(r, json, text);
	rig_close(r);
}

SJ_TEST(what_is_written)
{
	writes(SJ_V10, SURFACE(TEXT("root", "{\"call\":\"formatNumber\",\"args\":{\"decimals\":2,\"value\":1}}")),
	       "surface(\"default_surface\")\nroot = Text(formatNumber(1, 2))\n");
	writes(SJ_V10, SURFACE("{\"id\":\"root\",\"component\":\"TextField\",\"label\":\"L\",\"value\":{\"path\":\"v\"},"
	                       "\"checks\":[{\"condition\":{\"call\":\"regex\",\"args\":{\"value\":{\"path\":\"v\"},"
	                       "\"pattern\":\"^\\\\d$\"}},\"message\":\"M\"}]}"),
	       "surface(\"default_surface\")\nroot = TextField(\"L\", $v, checks=[?regex(r\"^\\d$\", \"M\")])\n");
	writes(SJ_V10, "[{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[" TEXT("root", "\"a\"")
	               "]}}]",
	       "surface(\"s\", create=false)\nroot = Text(\"a\")\n");
	writes(SJ_V10, "[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"s\",\"dataModel\":{\"a b\":1}}}]",
	       "surface(\"s\", _, create=true)\n$/ = {\"a b\": 1}\n");
	writes(SJ_V10, "[{\"version\":\"v1.0\",\"callRendererFunction\":{\"functionCallId\":\"x\",\"callFunction\":{\"call\":"
	               "\"openUrl\",\"catalogId\":\"" BASIC10 "\",\"args\":{\"url\":\"https://u\"}}}}]",
	       "openUrl(\"https://u\", functionCallId=\"x\")\n");
	writes(SJ_V09, "[{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/a\"}}]",
	       "surface(\"s\")\n_data($/a)\n");
	writes(SJ_V09, "[{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":["
	               "{\"id\":\"a-b\",\"component\":\"Card\",\"child\":\"null\"}]}}]",
	       "surface(\"s\")\n\"a-b\" = Card(\"null\")\n");
}

SJ_TEST(what_cannot_be_written_is_refused)
{
	static const struct { enum sj_version v; const char *json;
	} rows[] = {
		{SJ_V10, "[]"},
		{SJ_V10, "[{\"version\":\"v0.9\",\"deleteSurface\":{\"surfaceId\":\"s\"}}]"},
		{SJ_V10, "[{\"version\":\"v1.0\",\"agentFunctionResponse\":{\"functionCallId\":\"1\",\"value\":1}}]"},
		{SJ_V10, "[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"other\"}}]"},
		{SJ_V10, "[{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"a\","
	                 "\"component\":\"Unknown\"}]}}]"},
		{SJ_V10, "[{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"extra\":1,\"value\":1}}]"},
		{SJ_V09, "[{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"a\","
	                 "\"text\":\"no type\"}]}}]"},
		{SJ_V10, "[{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"a\","
	                 "\"component\":\"Text\",\"text\":\"x\"},{\"id\":\"a\",\"component\":\"Text\",\"text\":\"y\"}]}}]"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rig *r = rig_basic(SJ_FORMAT_EXPRESS, rows[i].v);
		rig_cannot_write(r, rows[i].json);
		rig_close(r);
	}
}

/* ---- prompts ---------------------------------------------------------------------------------------------------- */

/* Three messages of one surface, the parent before its child, the model without a path. */
#define EXAMPLE \
	"[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"e\",\"catalogId\":\"" BASIC10 "\"}},{\"version\":\"v1.0\"," \
	"\"updateComponents\":{\"surfaceId\":\"e\",\"components\":[{\"id\":\"root\",\"component\":\"Card\",\"child\":\"a\"}," \
	TEXT("a", "{\"path\":\"/t\"}") "]}},{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"e\",\"value\":{\"t\":1}}}]"

SJ_TEST(prompts)
{
	static const char *const all[] = {"surface(\"id\")", "deleteSurface(", "_data(", "on a line of its own",
	                                  "- TextField(label: string*, value?: string*, placeholder?: string*, variant?: ",
	                                  "weight?: number, checks?: check[]) \xe2\x80\x93 Asks for text.", "<a2ui>", NULL};
	static const char *const one[] = {"surface(\"id\")", "- Text(text: string*, ", NULL};
	static const char *const not_one[] = {"deleteSurface(", "_data(", "on a line of its own", NULL};
	static const char *const terse[] = {"- Card(child: id, weight?: number)\n", NULL};
	static const char *const not_terse[] = {"Frames one component", "keeps backslashes", NULL};
	static const char *const shown[] = {
		"<a2ui>\nsurface(\"e\")\n$/t = 1\nroot = Card(a)\na = Text($/t)\n</a2ui>\n", NULL};
	static const char *const nothing[] = {NULL};
	rig_prompts(SJ_FORMAT_EXPRESS, NULL, false, NULL, all, nothing);
	rig_prompts(SJ_FORMAT_EXPRESS, "createSurface", false, NULL, one, not_one);
	rig_prompts(SJ_FORMAT_EXPRESS, NULL, true, NULL, terse, not_terse);
	rig_prompts(SJ_FORMAT_EXPRESS, NULL, false, EXAMPLE, shown, nothing);
}

/* ---- hostile ----------------------------------------------------------------------------------------------------- */

SJ_TEST(nesting_and_numbers_are_bounded)
{
	rig_hostile(SJ_FORMAT_EXPRESS, "root = Text(", "[", 100000, "", "]", "", SJ_LIMIT);
	rig_hostile(SJ_FORMAT_EXPRESS, "root = ", "Card(", 100000, "", ")", "", SJ_LIMIT);
	rig_hostile(SJ_FORMAT_EXPRESS, "root = ", "Card(", 60, "Text(\"x\")", ")", "", SJ_LIMIT);
	rig_hostile(SJ_FORMAT_EXPRESS, "root = Text(", "\"a\",", 100000, "", "", ")", SJ_LIMIT);
	rig_hostile(SJ_FORMAT_EXPRESS, "$/a = [", "1,", 1000000, "", "", "]", SJ_OK);
	rig_hostile(SJ_FORMAT_EXPRESS, "root = Text(\"", "a", 1000000, "", "", "\")", SJ_OK);
	rig_hostile(SJ_FORMAT_EXPRESS, "", "$/a = 1\n", 100000, "", "", "", SJ_OK);
	rig_hostile(SJ_FORMAT_EXPRESS, "", "(((((", 100000, "", "", "", SJ_INVALID);
	rig_hostile(SJ_FORMAT_EXPRESS, "root = Text(\"a\")", ")", 100000, "", "", "", SJ_LIMIT);
	rig_hostile(SJ_FORMAT_EXPRESS, "", "a 'b\n", 100000, "", "", "", SJ_LIMIT);
	rig_hostile(SJ_FORMAT_EXPRESS, "root = Column([", "Text(\"x\"),", 50000, "", "", "])", SJ_OK);
}

SJ_TEST(variables_cannot_multiply_without_end)
{
	struct rig *r = basic();
	struct sj_buf b;
	struct sj_value v = SJ_ABSENT_VALUE;
	struct sj_diag d = {0};
	sj_buf_init(&b, sj_test_mem(), 0);
	sj_buf_puts(&b, "v0 = [1]\n");
	for (int i = 1; i < 60; i++)
		sj_buf_printf(&b, "v%d = [v%d, v%d, v%d]\n", i, i - 1, i - 1, i - 1);
	sj_buf_puts(&b, "$/x = v59");
	CHECK_INT(sj_format_compile(r->format, sj_buf_view(&b), &v, NULL, &d), SJ_LIMIT);
	CHECK_STR(sj_slice_of(d.message), "variables that stand for values were put in too often");
	sj_buf_finish(&b);
	rig_close(r);
}

static const char everything[] =
	"surface(\"s\", sendDataModel=true, metadata={extensions: {x: 1}})\n"
	"root = Column([Text('a'), f, b, List(_template($/items, Text($name)))])\n"
	"f = TextField(\"L\", $/v, checks=[?regex(r\"^\\d$\", \"M\"), ?required])\n"
	"ctx = {a: [1, 2, {b: \"\\u00e9 long enough not to be short\"}]}\n"
	"b = Button(Text(\"T\"), action=Event(\"go\", ctx))\n"
	"$/a/b = \"x\"\n$/items = [{name: \"n\"}\nsurface(\"t\")\n_data($/q, ctx2)\nctx2 = {z: 1}\n"
	"openUrl(\"https://example.com\")\ndeleteSurface(\"t\")\n";

static enum sj_status there_and_back(struct sj_mem *mem, void *ctx)
{
	return rig_there_and_back(mem, SJ_FORMAT_EXPRESS, ctx);
}

SJ_TEST(no_memory_at_any_place)
{
	char text[sizeof everything];
	memcpy(text, everything, sizeof text);
	sj_torture(there_and_back, text);
}
