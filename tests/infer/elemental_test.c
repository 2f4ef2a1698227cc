/* Elemental: what it says, what is mended, what is refused, that writing and reading undo each other, hostile input. */
#include "infer/compact_help.h"

#define TEXT(id, text) "{\"id\":\"" id "\",\"component\":\"Text\",\"text\":" text "}"
#define CREATE(rest) "[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" BASIC10 "\"" rest "}}]"
#define SURFACE(components) CREATE(",\"components\":[" components "]")
#define BODY(inside) "<body id=\"s\">" inside "</body>"

static void mends(const char *text, const char *json, const char *kinds)
{
	struct rig *r = rig_basic(SJ_FORMAT_ELEMENTAL, SJ_V10);
	rig_gives(r, text, json, kinds);
	rig_close(r);
}
static void gives(const char *text, const char *json) { mends(text, json, ""); }

static void refuses(const char *text, enum sj_category cat, uint32_t line, uint64_t offset, const char *message)
{
	struct rig *r = rig_basic(SJ_FORMAT_ELEMENTAL, SJ_V10);
	rig_refuses(r, text, cat, line, offset, message);
	rig_close(r);
}

SJ_TEST(children_come_before_their_parent)
{
	gives("<!-- a page -->\n<body id=\"s\">\n<ui-column>\n  <ui-text text=\"a\" />\n  <ui-card id='c'>\n"
	      "    <ui-text id=b text=b />\n  </ui-card>\n</ui-column>\n</body>\n",
	      SURFACE(TEXT("root_children_0", "\"a\"") "," TEXT(
		      "b",
		      "\"b\"") ",{\"id\":\"c\",\"component\":\"Card\",\"child\":"
	                       "\"b\"},{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"root_children_0\",\"c\"]}"));
	gives(BODY("<ui-modal id=\"root\"><ui-text slot=\"content\" id=\"c\" text=\"C\"/><ui-text slot=\"trigger\" id=\"t\" "
	           "text=\"T\"/></ui-modal>"),
	      SURFACE(TEXT("c", "\"C\"") "," TEXT("t", "\"T\"") ",{\"id\":\"root\",\"component\":\"Modal\",\"content\":\"c\","
	              "\"trigger\":\"t\"}"));
	gives(BODY("<ui-list><template path=\"/items\"><ui-text text=\"{name}\"/></template></ui-list>"),
	      SURFACE(TEXT("root_children",
	                   "{\"path\":\"name\"}") ",{\"id\":\"root\",\"component\":\"List\",\"children\":{"
	                                          "\"componentId\":\"root_children\",\"path\":\"/items\"}}"));
	gives(BODY("<ui-tabs id=\"root\" tabs=\"{[{title: 'A', child: 'a'}]}\" /><ui-text id=\"a\" text=\"x\" />"),
	      SURFACE("{\"id\":\"root\",\"component\":\"Tabs\",\"tabs\":[{\"title\":\"A\",\"child\":\"a\"}]}," TEXT("a", "\"x\"")));
}

SJ_TEST(attributes)
{
	gives(BODY("<ui-text id=\"root\" text=\"a &lt; b &amp; &#34;c&#x22; &unknown; {x\" weight=\"2\" />"),
	      SURFACE("{\"id\":\"root\",\"component\":\"Text\",\"text\":\"a < b & \\\"c\\\" &unknown; {x\",\"weight\":2}"));
	gives(BODY("<ui-text id=\"root\" text=\"{formatNumber(value: /n, decimals: 2, grouping: false)}\" "
	           "accessibility=\"{{label: $'/a b', description: 'it\\'s'}}\" />"),
	      SURFACE("{\"id\":\"root\",\"component\":\"Text\",\"text\":{\"call\":\"formatNumber\",\"args\":{\"value\":{\"path\":"
	              "\"/n\"},\"decimals\":2,\"grouping\":false}},\"accessibility\":{\"label\":{\"path\":\"/a b\"},"
	              "\"description\":\"it's\"}}"));
	gives(BODY("<ui-date-time-input id=\"root\" value=\"{/d}\" enable-date enableTime=\"false\" label=\"{row/label}\" />"),
	      SURFACE("{\"id\":\"root\",\"component\":\"DateTimeInput\",\"value\":{\"path\":\"/d\"},\"enableDate\":true,"
	              "\"enableTime\":false,\"label\":{\"path\":\"row/label\"}}"));
	gives(BODY("<ui-button id=\"root\" child=\"t\" action=\"{event(name: 'go', context: {a: /x, b: [1, true, null]})}\" />"
	           "<ui-text id=\"t\" text=\"\" />"),
	      SURFACE("{\"id\":\"root\",\"component\":\"Button\",\"child\":\"t\",\"action\":{\"event\":{\"name\":\"go\","
	              "\"context\":{\"a\":{\"path\":\"/x\"},\"b\":[1,true,null]}}}}," TEXT("t", "\"\"")));
}

SJ_TEST(surfaces_and_data)
{
	gives("<delete-surface id=\"old\"/><body id=\"s\" send-data-model><data path=\"/a/b\" value=\"x\"/>"
	      "<data path=\"/n\" value=\"{[1, {k: 2}]}\"/><ui-text text=\"{/a/b}\"/></body>"
	      "<body id=\"s\"><set path=\"/n/0\" value=\"{3}\"/><set value=\"{{z: 1}}\"/></body>"
	      "<call function=\"{openUrl(url: 'https://x', functionCallId: 'mine')}\"/>",
	      "[{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"old\"}},{\"version\":\"v1.0\",\"createSurface\":{"
	      "\"surfaceId\":\"s\",\"catalogId\":\"" BASIC10 "\",\"sendDataModel\":true,\"components\":["
	      TEXT("root", "{\"path\":\"/a/b\"}") "],\"dataModel\":{\"a\":{\"b\":\"x\"},\"n\":[1,{\"k\":2}]}}},"
	      "{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/n/0\",\"value\":3}},"
	      "{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"value\":{\"z\":1}}},"
	      "{\"version\":\"v1.0\",\"callRendererFunction\":{\"functionCallId\":\"mine\",\"callFunction\":{\"call\":\"openUrl\","
	      "\"catalogId\":\"" BASIC10 "\",\"args\":{\"url\":\"https://x\"}}}}]");
	gives("<body id=\"s\"><link rel=\"catalog\" href=\"" BASIC10 "\"><ui-text text=\"x\"/></body>",
	      SURFACE(TEXT("root", "\"x\"")));
	gives("<body id=\"s\"><ui-text id=\"a\" text=\"x\"/></body>",
	      "[{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[" TEXT("a", "\"x\"") "]}}]");
}

SJ_TEST(what_models_get_wrong_is_mended_and_listed)
{
	const char *one = SURFACE(TEXT("root", "\"Hi\""));
	mends("<html><head></head><body id=\"s\"><ui-text text=\"Hi\"></body></html>", one, "syntax syntax unclosed");
	mends(BODY("<ui-text>Hi</ui-text>"), one, "syntax");
	mends(BODY("<Text text=\"Hi\"/>"), one, "name_case");
	mends("Look: <body id=\"s\"><ui-text text={'Hi'}/>", one, "text_around quotes unclosed");
	mends(BODY("<div class=\"x\"><ui-text text=\"Hi\"/></div></ui-card>"), one, "syntax syntax");
	mends("<body id=\"s\"><ui-text text=\"Hi\"/>\n<body id=\"t\"><ui-text text=\"Hi\"/></body>",
	      "[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" BASIC10 "\",\"components\":["
	      TEXT("root", "\"Hi\"") "]}},{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"t\",\"catalogId\":\"" BASIC10
	      "\",\"components\":[" TEXT("root", "\"Hi\"") "]}}]",
	      "unclosed");
	mends(BODY("<ui-button action=\"go\"><ui-text id=\"t\" text=\"T\"/></ui-button>"),
	      SURFACE(TEXT("t", "\"T\"") ",{\"id\":\"root\",\"component\":\"Button\",\"child\":\"t\",\"action\":{\"event\":{"
	              "\"name\":\"go\"}}}"),
	      "scalar");
}

SJ_TEST(faults_have_a_place)
{
	refuses("", SJ_CAT_PARSE, 1, 0, "the block holds no element");
	refuses("words", SJ_CAT_PARSE, 1, 0, "the block holds no element");
	refuses("<body id=\"s\">\n<ui-sparkline/>", SJ_CAT_VALIDATION, 2, 14, "Unrecognized component 'Sparkline'");
	refuses(BODY("<ui-text text=\"a\" tool-tip=\"b\"/>"), SJ_CAT_VALIDATION, 1, 41,
	        "Text has no property 'toolTip'");
	refuses(BODY("<ui-text/>"), SJ_CAT_VALIDATION, 1, 13, "'root' lacks text, which Text requires");
	refuses(BODY("<ui-text text=\"{1 2}\"/>"), SJ_CAT_PARSE, 1, 31, "more than one value in braces");
	refuses(BODY("<ui-text text=\"{}\"/>"), SJ_CAT_PARSE, 1, 29, "expected a value, but the text ends");
	refuses(BODY("<ui-text text=\"a/>"), SJ_CAT_PARSE, 1, 27, "an attribute's value that is never closed");
	refuses(BODY("<!-- never"), SJ_CAT_PARSE, 1, 13, "a comment or declaration that is never closed");
	refuses(BODY("<ui-text text=\"a\"/><ui-text text=\"b\"/>"), SJ_CAT_VALIDATION, 1, 32,
	        "<ui-text> stands beside the root and needs an id");
	refuses(BODY("<ui-card><ui-text id=\"a\" text=\"a\"/><ui-text id=\"b\" text=\"b\"/></ui-card>"), SJ_CAT_VALIDATION, 1,
	        48, "Card has no place for this child");
	refuses(BODY("<ui-row><ui-text id=\"a\" text=\"a\"/><ui-text id=\"a\" text=\"b\"/></ui-row>"), SJ_CAT_INTEGRITY, 1, 47,
	        "two components have the id 'a'");
	refuses(BODY("<ui-text text=\"a\"/>") "<ui-text id=\"b\" text=\"b\"/>", SJ_CAT_PARSE, 1, 39,
	        "<ui-text> stands outside of a surface");
	refuses(BODY("<ui-text text=\"a\"/><link rel=\"catalog\" href=\"x\">"), SJ_CAT_PARSE, 1, 32,
	        "<link> must stand at the beginning of a surface");
	refuses(BODY("<data path=\"/a\"/>"), SJ_CAT_PARSE, 1, 13, "<data> takes a path and a value");
}

SJ_TEST(writing_and_reading_undo_each_other_for_every_example)
{
	rig_round_trips(SJ_FORMAT_ELEMENTAL, SJ_V10, "a2ui/specification/v1_0/catalogs/basic/examples", false);
	rig_round_trips(SJ_FORMAT_ELEMENTAL, SJ_V09, "a2ui/specification/v0_9/catalogs/basic/examples", false);
	rig_round_trips(SJ_FORMAT_ELEMENTAL, SJ_V09, "a2ui/specification/v0_9_1/catalogs/basic/examples", false);
	rig_round_trips(SJ_FORMAT_ELEMENTAL, SJ_V09, "a2ui/specification/v0_9/catalogs/minimal/examples", true);
}

static void writes(enum sj_version v, const char *json, const char *text)
{
	struct rig *r = rig_basic(SJ_FORMAT_ELEMENTAL, v);
	rig_writes(r, json, text);
	rig_close(r);
}

SJ_TEST(what_is_written)
{
	writes(SJ_V10,
	       SURFACE(TEXT("b", "\"<&\\\"\"") ",{\"id\":\"c\",\"component\":\"Card\",\"child\":\"b\"}," TEXT(
		       "r",
		       "{\"path\":\"name\"}") ",{\"id\":\"l\",\"component\":\"List\",\"children\":{\"componentId\":\"r\",\"path\":\"/i\"}},"
	                                      "{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"c\",\"l\"]}"),
	       "<body id=\"s\">\n  <ui-column id=\"root\">\n    <ui-card id=\"c\">\n      <ui-text id=\"b\" "
	       "text=\"&lt;&amp;&quot;\" />\n    </ui-card>\n    <ui-list id=\"l\">\n      <template path=\"/i\">\n"
	       "        <ui-text id=\"r\" text=\"{name}\" />\n      </template>\n    </ui-list>\n  </ui-column>\n</body>\n");
	/* Where the parent comes first, they stand side by side. */
	writes(SJ_V10, SURFACE("{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"a\"]}," TEXT("a", "\"{x}\"")),
	       "<body id=\"s\">\n  <ui-column id=\"root\" children=\"{['a']}\" />\n  <ui-text id=\"a\" text=\"{'{x}'}\" />\n"
	       "</body>\n");
	writes(SJ_V10, "[{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"a\"}},{\"version\":\"v1.0\",\"updateDataModel\":{"
	               "\"surfaceId\":\"s\",\"path\":\"/x\",\"value\":\"y\"}}]",
	       "<delete-surface id=\"a\" />\n\n<body id=\"s\">\n  <set path=\"/x\" value=\"y\" />\n</body>\n");
}

/* Three messages of one surface, the parent before its child, the model without a path. */
#define EXAMPLE \
	"[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"e\",\"catalogId\":\"" BASIC10 "\"}},{\"version\":\"v1.0\"," \
	"\"updateComponents\":{\"surfaceId\":\"e\",\"components\":[{\"id\":\"root\",\"component\":\"Card\",\"child\":\"a\"}," \
	TEXT("a", "{\"path\":\"/t\"}") "]}},{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"e\",\"value\":{\"t\":1}}}]"

SJ_TEST(prompts)
{
	static const char *const all[] = {"<body id=",
	                                  "<delete-surface",
	                                  "<set path=",
	                                  "<call function=",
	                                  "- ui-text-field { label: string*, ",
	                                  "enable-date?: boolean = false",
	                                  "<a2ui>",
	                                  NULL};
	static const char *const one[] = {"<body id=", "- ui-text { text: string*, ", NULL};
	static const char *const not_one[] = {"<delete-surface", "<set path=", "<call function=", NULL};
	static const char *const shown[] = {
		"<a2ui>\n<body id=\"e\">\n  <data path=\"/t\" value=\"{1}\" />\n  <ui-card id=\"root\">\n    <ui-text "
		"id=\"a\" text=\"{/t}\" />\n  </ui-card>\n</body>\n</a2ui>\n",
		NULL};
	static const char *const nothing[] = {NULL};
	rig_prompts(SJ_FORMAT_ELEMENTAL, NULL, false, NULL, all, nothing);
	rig_prompts(SJ_FORMAT_ELEMENTAL, "createSurface", false, NULL, one, not_one);
	rig_prompts(SJ_FORMAT_ELEMENTAL, NULL, false, EXAMPLE, shown, nothing);
}

SJ_TEST(nesting_and_numbers_are_bounded)
{
	rig_hostile(SJ_FORMAT_ELEMENTAL, "<body>", "<ui-card>", 100000, "", "</ui-card>", "", SJ_LIMIT);
	rig_hostile(SJ_FORMAT_ELEMENTAL, "<body>", "<ui-card>", 60, "<ui-text text=\"x\"/>", "</ui-card>", "",
	            SJ_LIMIT);
	rig_hostile(SJ_FORMAT_ELEMENTAL, "<body>", "<div>", 100000, "", "", "", SJ_LIMIT);
	rig_hostile(SJ_FORMAT_ELEMENTAL, "<body>", "</div>", 100000, "", "", "", SJ_LIMIT);
	rig_hostile(SJ_FORMAT_ELEMENTAL, "<body><ui-text ", "a=\"b\" ", 100000, "", "", "/></body>", SJ_LIMIT);
	rig_hostile(SJ_FORMAT_ELEMENTAL, "<body><ui-text text=\"{", "[", 100000, "", "]", "}\"/></body>", SJ_LIMIT);
	rig_hostile(SJ_FORMAT_ELEMENTAL, "<body><ui-text text=\"", "&amp;", 200000, "", "", "\"/></body>", SJ_OK);
	rig_hostile(SJ_FORMAT_ELEMENTAL, "<body><ui-row>", "<ui-text text=\"x\"/>", 50000, "", "", "</ui-row></body>",
	            SJ_OK);
	rig_hostile(SJ_FORMAT_ELEMENTAL, "<body>", "<!-", 200000, "", "", "", SJ_INVALID);
	rig_hostile(SJ_FORMAT_ELEMENTAL, "", "< ", 200000, "", "", "", SJ_INVALID);
}

static const char everything[] =
	"<html><body id=\"s\" send-data-model metadata=\"{{extensions: {x: 1}}}\"><data path=\"/a/b\" value=\"{[1, 'two']}\"/>\n"
	"<ui-column><ui-text text=\"a &amp; b &#233; long enough not to be short\"/><ui-list><template path=\"/i\">\n"
	"<ui-text text=\"{formatString(value: '${name}')}\"/></template></ui-list><ui-button action=\"{event(name: 'go')}\">\n"
	"<ui-text>T</ui-text></ui-button></ui-column></body><body id=\"t\"><set path=\"/q\" value=\"{{z: 1}}\"/></body>\n"
	"<call function=\"{openUrl(url: 'https://x')}\"/><delete-surface id=\"t\"/>";

static enum sj_status there_and_back(struct sj_mem *mem, void *ctx)
{
	return rig_there_and_back(mem, SJ_FORMAT_ELEMENTAL, ctx);
}

SJ_TEST(no_memory_at_any_place)
{
	char text[sizeof everything];
	memcpy(text, everything, sizeof text);
	sj_torture(there_and_back, text);
}
