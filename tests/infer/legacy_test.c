/* The processor of the older agent SDKs: rules beyond the public suite,
 * which tests/cmd runs; that the split of the bytes does not matter; damaged input; refused memory. */
#include "harness/test.h"
#include "infer/legacy_stream.h"

#include <stdio.h>

#define COMMON "https://a2ui.org/specification/v0_9/common_types.json#/$defs/"

static const char S2C8[] =
	"{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"
	"\"beginRendering\":{\"type\":\"object\",\"properties\":{\"surfaceId\":{\"type\":\"string\"},"
	"\"root\":{\"type\":\"string\"},\"styles\":{\"type\":\"object\",\"additionalProperties\":true}},"
	"\"required\":[\"surfaceId\",\"root\"]},"
	"\"surfaceUpdate\":{\"type\":\"object\",\"properties\":{\"surfaceId\":{\"type\":\"string\"},"
	"\"components\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"},"
	"\"component\":{\"type\":\"object\",\"additionalProperties\":true}},\"required\":[\"id\",\"component\"]}}},"
	"\"required\":[\"surfaceId\",\"components\"]},"
	"\"dataModelUpdate\":{\"type\":\"object\",\"properties\":{\"surfaceId\":{\"type\":\"string\"},"
	"\"contents\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"key\"]}}},"
	"\"required\":[\"surfaceId\",\"contents\"]},"
	"\"deleteSurface\":{\"type\":\"object\",\"properties\":{\"surfaceId\":{\"type\":\"string\"}},"
	"\"required\":[\"surfaceId\"]}}}";
static const char CATALOG8[] =
	"{\"catalogId\":\"t\",\"styles\":{\"font\":{\"type\":\"string\"}},\"components\":{"
	"\"Text\":{\"type\":\"object\",\"properties\":{\"text\":{},\"align\":{\"enum\":[\"start\",\"end\"]}},"
	"\"required\":[\"text\"],\"additionalProperties\":false},"
	"\"Image\":{\"type\":\"object\",\"properties\":{\"url\":{\"type\":\"object\"}}},"
	"\"File\":{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"},\"label\":{\"type\":\"object\"}}},"
	"\"Card\":{\"type\":\"object\",\"properties\":{\"child\":{\"type\":\"string\",\"title\":\"ComponentId\"}}},"
	"\"Pair\":{\"type\":\"object\",\"properties\":{\"left\":{\"type\":\"string\",\"title\":\"ComponentId\"},"
	"\"right\":{\"type\":\"string\",\"title\":\"ComponentId\"},\"action\":{\"type\":\"object\"}}},"
	"\"Tabs\":{\"type\":\"object\",\"properties\":{\"tabItems\":{\"type\":\"array\"}}},"
	"\"Row\":{\"type\":\"object\",\"properties\":{\"children\":{\"type\":\"object\"}},\"required\":[\"children\"]}}}";

static const char S2C9[] =
	"{\"$id\":\"https://a2ui.org/specification/v0_9/server_to_client.json\",\"type\":\"object\",\"oneOf\":["
	"{\"properties\":{\"version\":{\"const\":\"v0.9\"},\"createSurface\":{\"type\":\"object\","
	"\"properties\":{\"surfaceId\":{\"type\":\"string\"},\"catalogId\":{\"type\":\"string\"}},"
	"\"required\":[\"surfaceId\",\"catalogId\"]}},\"required\":[\"version\",\"createSurface\"],"
	"\"additionalProperties\":false},"
	"{\"properties\":{\"version\":{\"const\":\"v0.9\"},\"updateComponents\":{\"type\":\"object\","
	"\"properties\":{\"surfaceId\":{\"type\":\"string\"},\"root\":{\"type\":\"string\"},\"components\":"
	"{\"type\":\"array\",\"minItems\":1,\"items\":{\"$ref\":\"catalog.json#/$defs/anyComponent\"}}},"
	"\"required\":[\"surfaceId\",\"components\"],\"additionalProperties\":false}},"
	"\"required\":[\"version\",\"updateComponents\"],\"additionalProperties\":false},"
	"{\"properties\":{\"version\":{\"const\":\"v0.9\"},\"updateDataModel\":{\"type\":\"object\","
	"\"properties\":{\"surfaceId\":{\"type\":\"string\"},\"path\":{\"type\":\"string\"},\"value\":{}},"
	"\"required\":[\"surfaceId\"],\"additionalProperties\":false}},\"required\":[\"version\",\"updateDataModel\"],"
	"\"additionalProperties\":false},"
	"{\"properties\":{\"version\":{\"const\":\"v0.9\"},\"deleteSurface\":{\"type\":\"object\","
	"\"properties\":{\"surfaceId\":{\"type\":\"string\"}},\"required\":[\"surfaceId\"]}},"
	"\"required\":[\"version\",\"deleteSurface\"],\"additionalProperties\":false}]}";
static const char CATALOG9[] =
	"{\"catalogId\":\"t\",\"components\":{"
	"\"Text\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Text\"},\"text\":{\"$ref\":\"" COMMON
	"DynamicString\"}},\"required\":[\"component\",\"text\"]},"
	"\"Card\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Card\"},\"child\":{\"$ref\":\"" COMMON
	"ComponentId\"}},\"required\":[\"component\",\"child\"]},"
	"\"Tabs\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Tabs\"},\"pages\":{\"type\":\"array\","
	"\"items\":{\"$ref\":\"#/$defs/Page\"}}},\"required\":[\"component\",\"pages\"]},"
	"\"Row\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Row\"},\"children\":{\"$ref\":\"" COMMON
	"ChildList\"}},\"required\":[\"component\",\"children\"]}},"
	"\"$defs\":{\"Page\":{\"type\":\"object\",\"properties\":{\"body\":{\"$ref\":\"" COMMON "ComponentId\"}}}}}";

/* ---- one answer, chunk by chunk ---------------------------------------------------------------------------------- */

static struct sj_legacy *p;
static struct sj_parts parts;
static struct sj_diag diag;

static void open_with(const struct sj_legacy_options *opt)
{
	diag = (struct sj_diag){0};
	CHECK_OK(sj_legacy_create(sj_test_mem(), opt, &p, &diag));
	CHECK_STR(sj_slice_of(diag.message), "");
}

static struct sj_legacy_options options(enum sj_version v)
{
	struct sj_legacy_options opt = {.version = v};
	opt.s2c = sj_slice_of(v == SJ_V08 ? S2C8 : S2C9);
	opt.catalog = sj_slice_of(v == SJ_V08 ? CATALOG8 : CATALOG9);
	return opt;
}

static void open(enum sj_version v)
{
	struct sj_legacy_options opt = options(v);
	open_with(&opt);
}

static void close(void)
{
	sj_legacy_destroy(p);
	p = NULL;
	sj_parts_finish(sj_test_mem(), &parts);
}

/* The parts as text: words as they are, each list of messages as JSON, parted by "|". Single quotes for double ones. */
static char shown[16384];
static const char *show(void)
{
	struct sj_buf b;
	sj_buf_init(&b, sj_test_mem(), 0);
	for (uint32_t i = 0; i < parts.list.count; i++) {
		const struct sj_part *part = &parts.list.items[i];
		if (i > 0)
			sj_buf_putc(&b, '|');
		if (part->text)
			sj_buf_put(&b, part->text, part->len);
		if (part->kind == SJ_PART_MESSAGES)
			sj_value_print(&b, &part->messages, SJ_PRINT_SORTED);
	}
	for (size_t i = 0; i < b.len; i++)
		if (b.ptr[i] == '"')
			b.ptr[i] = '\'';
	snprintf(shown, sizeof shown, "%s", b.len ? b.ptr : "");
	sj_buf_finish(&b);
	sj_parts_clear(sj_test_mem(), &parts);
	return shown;
}

/* Single quotes stand for double ones. */
static enum sj_status feed_raw(const char *text)
{
	char copy[8192];
	size_t n = (size_t)snprintf(copy, sizeof copy, "%s", text);
	for (size_t i = 0; i < n; i++)
		if (copy[i] == '\'')
			copy[i] = '"';
	diag = (struct sj_diag){0};
	return sj_legacy_feed(p, copy, n, &parts, &diag);
}

static const char *feed(const char *text)
{
	CHECK_OK(feed_raw(text));
	CHECK_STR(sj_slice_of(diag.message), "");
	return show();
}
#define FEED(text, want) CHECK_STR(sj_slice_of(feed(text)), want)
#define FAULT(text, category_, message_)                                                                               \
	do {                                                                                                           \
		CHECK(feed_raw(text) != SJ_OK);                                                                        \
		CHECK_STR(sj_slice_of(diag.message), message_);                                                        \
		CHECK_INT(diag.category, category_);                                                                   \
		sj_parts_clear(sj_test_mem(), &parts);                                                                 \
	} while (0)

/* Parts of messages, to keep the lines below short. */
#define BEGIN8 "{'beginRendering':{'root':'root','surfaceId':'s'}}"
#define UP8(list) "{'surfaceUpdate':{'components':[" list "],'surfaceId':'s'}}"
#define C8(id, type, props) "{'component':{'" type "':" props "},'id':'" id "'}"
#define WAIT8(id) C8("loading_" id, "Row", "{'children':{'explicitList':[]}}")
#define BEGIN9 "{'createSurface':{'catalogId':'t','surfaceId':'s'},'version':'v0.9'}"
#define UP9(list) "{'updateComponents':{'components':[" list "],'surfaceId':'s'},'version':'v0.9'}"
#define WAIT9(id) "{'children':[],'component':'Row','id':'loading_" id "'}"
#define TEXT9(id, text) "{'component':'Text','id':'" id "','text':'" text "'}"

static void started8(void)
{
	open(SJ_V08);
	FEED("<a2ui-json>[" BEGIN8 ",", "[" BEGIN8 "]");
}

static void started9(void)
{
	open(SJ_V09);
	FEED("<a2ui-json>[" BEGIN9 ",", "[" BEGIN9 "]");
}

/* ---- text and tags ----------------------------------------------------------------------------------------------- */

SJ_TEST(text_passes_at_once_but_for_what_may_be_a_tag)
{
	open(SJ_V09);
	FEED("  ", "");
	FEED("Hi ", "  Hi ");
	FEED("a <b> <a2ui", "a <b> ");
	FEED("-jsonx> ", "<a2ui-jsonx> ");
	FEED("\xe2\x82", "");
	FEED("\xac <a2ui-json kind='x>y'>[]</a2ui-json>\n", "\xe2\x82\xac ");
	FEED(" then", "\n then");
	FEED(" <a2ui-j", " ");
	CHECK_OK(sj_legacy_end(p, &parts, &diag));
	CHECK_STR(sj_slice_of(show()), "<a2ui-j");
	close();
}

SJ_TEST(text_before_messages_travels_with_them)
{
	open(SJ_V09);
	FEED("One<a2ui-json>" BEGIN9 "</a2ui-json>Two<a2ui-json>" UP9(TEXT9("root", "x")) "</a2ui-json>Three",
	     "One[" BEGIN9 "]|Two[" UP9(TEXT9("root", "x")) "]|Three");
	close();
}

SJ_TEST(a_block_that_never_closes_is_reported)
{
	started9();
	CHECK_INT(sj_legacy_end(p, &parts, &diag), SJ_INVALID);
	CHECK_INT(diag.category, SJ_CAT_PARSE);
	CHECK_STR(sj_slice_of(diag.message), "Failed to parse JSON: the block never closed with </a2ui-json>");
	close();
}

SJ_TEST(tags_in_strings_are_data_and_an_opening_tag_begins_anew)
{
	started9();
	FEED(UP9(TEXT9("root", "</a2ui-json> <a2ui-json>")) ",",
	     "[" UP9(TEXT9("root", "</a2ui-json> <a2ui-json>")) "]");
	FEED("{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[{'id':'lost',", "");
	FEED("<a2ui-json>[" UP9(TEXT9("root", "new")) "]</a2ui-json>", "[" UP9(TEXT9("root", "new")) "]");
	close();
}

SJ_TEST(fences_and_lines_of_messages)
{
	open(SJ_V09);
	FEED("<a2ui-json>\n```json\n" BEGIN9 "\n" UP9(TEXT9("root", "x")) "\n```\n</a2ui-json>",
	     "[" BEGIN9 "," UP9(TEXT9("root", "x")) "]");
	close();
}

SJ_TEST(a_block_without_messages_is_no_json)
{
	static const char *const blocks[] = {"words", "'text'", "12 [", "<b>", "```"};
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
		char text[64];
		open(SJ_V09);
		snprintf(text, sizeof text, "<a2ui-json>%s</a2ui-json>", blocks[i]);
		FAULT(text, SJ_CAT_PARSE, "Failed to parse JSON: a list of messages is expected");
		close();
	}
	open(SJ_V09);
	FEED("<a2ui-json> [ ] </a2ui-json>", "");
	close();
	open(SJ_V09);
	FAULT("<a2ui-json> \n</a2ui-json>", SJ_CAT_PARSE, "A2UI JSON part is empty");
	close();
}

/* ---- cutting ----------------------------------------------------------------------------------------------------- */

SJ_TEST(only_readable_text_is_cut)
{
	started8();
	FEED("{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'root','component':{'Text':{'text':{'literalString':'",
	     "");
	FEED("No", "[" UP8(C8("root", "Text", "{'text':{'literalString':'No'}}")) "]");
	FEED("te: x\xc3", "[" UP8(C8("root", "Text", "{'text':{'literalString':'Note: x'}}")) "]");
	FEED("\xa9\\u00e9\\ud8",
	     "[" UP8(C8("root", "Text", "{'text':{'literalString':'Note: x\xc3\xa9\xc3\xa9'}}")) "]");
	FEED("3d\\ude", "");
	FEED("00", "[" UP8(C8("root", "Text", "{'text':{'literalString':'Note: x\xc3\xa9\xc3\xa9\xf0\x9f\x98\x80'}}")) "]");
	FEED("'},'align':'st", "");
	FEED("art'}}]}}",
	     "[" UP8(C8("root", "Text",
	                "{'align':'start','text':{'literalString':'Note: x\xc3\xa9\xc3\xa9\xf0\x9f\x98\x80'}}")) "]");
	close();
}

SJ_TEST(addresses_are_never_cut)
{
	static const char *const cut[] = {"ht", "https://x.org/a b", "data:im", "mailto:me", "myapp://x", "tel:1"};
	for (size_t i = 0; i < sizeof cut / sizeof *cut; i++) {
		char text[256];
		started8();
		snprintf(text, sizeof text,
		         "{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'root','component':{'Image':"
		         "{'url':{'literalString':'%s",
		         cut[i]);
		FEED(text, "");
		close();
	}
	started8();
	FEED("{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'root','component':{'Image':{'url':{'literalString':'h",
	     "[" UP8(C8("root", "Image", "{'url':{'literalString':'h'}}")) "]");
	close();
}

SJ_TEST(numbers_and_words_wait_for_their_end)
{
	struct sj_legacy_options opt = {.version = SJ_V09, .unchecked = true};
	open_with(&opt);
	FEED("<a2ui-json>" BEGIN9, "[" BEGIN9 "]");
	FEED("{'updateComponents':{'surfaceId':'s','components':[{'id':'root','component':'X','n':1",
	     "[" UP9("{'component':'X','id':'root'}") "]");
	FEED("2,'b':tru", "[" UP9("{'component':'X','id':'root','n':12}") "]");
	FEED("e}]}}", "[" UP9("{'b':true,'component':'X','id':'root','n':12}") "]");
	close();
}

/* ---- trees ------------------------------------------------------------------------------------------------------- */

SJ_TEST(orphans_wait_until_somebody_names_them)
{
	started8();
	FEED(UP8(C8("b", "Text", "{'text':'B'}")) ",", "");
	FEED(UP8(C8("root", "Pair", "{'left':'a','right':'b'}")) ",",
	     "[" UP8(C8("b", "Text", "{'text':'B'}") "," C8("root", "Pair",
	                                                    "{'left':'loading_a','right':'b'}") "," WAIT8("a")) "]");
	FEED(UP8(C8("lone", "Text", "{'text':'L'}")) ",", "");
	/* A child is dropped: it is no longer shown; who comes instead is. */
	FEED(UP8(C8("root", "Pair", "{'left':'lone','right':'lone'}")) ",",
	     "[" UP8(C8("lone", "Text", "{'text':'L'}") "," C8("root", "Pair", "{'left':'lone','right':'lone'}")) "]");
	FEED(UP8(C8("b", "Text", "{'text':'B2'}")) ",", "");
	FEED(UP8(C8("lone", "Text", "{'text':'L'}")) ",", ""); /* nothing new */
	close();
}

SJ_TEST(another_root_shows_another_tree)
{
	started8();
	FEED(UP8(C8("root", "Text", "{'text':'1'}") "," C8("other", "Text", "{'text':'2'}")) ",",
	     "[" UP8(C8("root", "Text", "{'text':'1'}")) "]");
	FEED("{'beginRendering':{'surfaceId':'s','root':'other'}},",
	     "[{'beginRendering':{'root':'other','surfaceId':'s'}}," UP8(C8("other", "Text", "{'text':'2'}")) "]");
	close();
	started9();
	FEED("{'version':'v0.9','updateComponents':{'surfaceId':'s','root':'main','components':[" TEXT9("main",
	                                                                                                "x") "]}}",
	     "[{'updateComponents':{'components':[" TEXT9("main",
	                                                  "x") "],'root':'main','surfaceId':'s'},'version':'v0.9'}]");
	close();
}

SJ_TEST(a_deleted_surface_begins_from_nothing)
{
	started8();
	FEED(UP8(C8("root", "Text", "{'text':'1'}")) ",", "[" UP8(C8("root", "Text", "{'text':'1'}")) "]");
	FEED("{'deleteSurface':{'surfaceId':'s'}},", "[{'deleteSurface':{'surfaceId':'s'}}]");
	FEED(UP8(C8("root", "Text", "{'text':'2'}")) ",", "");
	FEED("{'deleteSurface':{'surfaceId':'s'}},", ""); /* it has not begun: what was kept back goes */
	FEED(BEGIN8 ",", "[" BEGIN8 "]");
	FEED(UP8(C8("x", "Text", "{'text':'3'}")) ",", "");
	close();
}

SJ_TEST(references_are_where_the_catalog_says)
{
	started9();
	FEED(UP9("{'component':'Tabs','id':'root','pages':[{'body':'a','x':'b'},{'body':'c'}]}") ",",
	     "[" UP9("{'component':'Tabs','id':'root','pages':[{'body':'loading_a','x':'b'},{'body':'loading_c'}]}," WAIT9("a")
	             "," WAIT9("c")) "]");
	close();
	started8();
	FEED(UP8(C8("root", "Pair", "{'action':{'context':{'child':'x','left':'y'}}}")) ",",
	     "[" UP8(C8("root", "Pair", "{'action':{'context':{'child':'x','left':'y'}}}")) "]");
	FEED(UP8(C8("root", "Tabs", "{'tabItems':[{'child':'t','title':{'path':'a'}}]}")) ",",
	     "[" UP8(C8("root", "Tabs", "{'tabItems':[{'child':'loading_t','title':{'path':'/a'}}]}") "," WAIT8("t")) "]");
	close();
}

SJ_TEST(an_empty_list_that_is_open_has_a_stand_in)
{
	started9();
	FEED("{'version':'v0.9','updateComponents':{'surfaceId':'s','components':[{'id':'root','component':'Row','children':[",
	     "[" UP9("{'children':['loading_children_root'],'component':'Row','id':'root'}," WAIT9("children_root")) "]");
	FEED("'a", "");
	FEED("'", "[" UP9("{'children':['loading_a'],'component':'Row','id':'root'}," WAIT9("a")) "]");
	FEED(",'a'", "[" UP9("{'children':['loading_a','loading_a'],'component':'Row','id':'root'}," WAIT9("a")) "]");
	close();
	started9(); /* one that is closed says that there are no children */
	FEED(UP9("{'children':[],'component':'Row','id':'root'}"),
	     "[" UP9("{'children':[],'component':'Row','id':'root'}") "]");
	close();
}

SJ_TEST(without_a_valid_stand_in_the_tree_waits)
{
	struct sj_legacy_options opt = options(SJ_V08);
	opt.catalog = SJ_LIT("{\"components\":{\"Card\":{\"type\":\"object\",\"properties\":{\"child\":{\"type\":\"string\"}}},"
	                     "\"Text\":{\"type\":\"object\"}}}");
	open_with(&opt);
	FEED("<a2ui-json>" BEGIN8, "[" BEGIN8 "]");
	FEED(UP8(C8("root", "Card", "{'child':'a'}")), "");
	FEED(UP8(C8("a", "Text", "{'text':'A'}")),
	     "[" UP8(C8("a", "Text", "{'text':'A'}") "," C8("root", "Card", "{'child':'a'}")) "]");
	close();
}

SJ_TEST(circles_are_found)
{
	started8();
	FAULT(UP8(C8("x", "Card", "{'child':'x'}")), SJ_CAT_RECURSION,
	      "Self-reference detected: component 'x' names itself");
	close();
	started8();
	FEED(UP8(C8("a", "Card", "{'child':'b'}") "," C8("b", "Card", "{'child':'a'}")), ""); /* nobody looks at them */
	FAULT(UP8(C8("root", "Card", "{'child':'a'}")), SJ_CAT_RECURSION,
	      "Circular reference detected: component 'b' leads back to 'a'");
	close();
	/* A circle beside something that never comes, where there are no stand-ins: at the end. */
	struct sj_legacy_options opt = options(SJ_V08);
	opt.catalog = SJ_LIT("{\"components\":{\"Pair\":{\"type\":\"object\",\"properties\":{\"l\":{\"title\":\"ComponentId\"},"
	                     "\"r\":{\"title\":\"ComponentId\"}}}}}");
	open_with(&opt);
	FEED("<a2ui-json>" BEGIN8 UP8(C8("root", "Pair", "{'l':'x','r':'a'}") "," C8("a", "Pair", "{'l':'root'}"))
	     "</a2ui-json>", "[" BEGIN8 "]");
	CHECK_INT(sj_legacy_end(p, &parts, &diag), SJ_INVALID);
	CHECK_INT(diag.category, SJ_CAT_RECURSION);
	close();
}

SJ_TEST(depth_is_bounded)
{
	char text[8192];
	size_t n;
	for (int depth = 50; depth <= 51; depth++) {
		started8();
		n = (size_t)snprintf(text, sizeof text, "{'surfaceUpdate':{'surfaceId':'s','components':[");
		for (int i = 0; i < depth - 1; i++)
			n += (size_t)snprintf(text + n, sizeof text - n,
			                      "{'id':'%s%.0d','component':{'Card':{'child':'c%d'}}},", i ? "c" : "root",
			                      i, i + 1);
		snprintf(text + n, sizeof text - n, "{'id':'c%d','component':{'Text':{'text':'x'}}}]}}", depth - 1);
		if (depth == 50)
			CHECK(strstr(feed(text), "{'Text':{'text':'x'}}") != NULL);
		else
			FAULT(text, SJ_CAT_RECURSION,
			      "Global recursion limit exceeded: components are nested deeper than 50 levels");
		close();
	}
}

/* ---- what is kept back until it is whole ------------------------------------------------------------------------- */

SJ_TEST(a_component_waits_for_what_it_requires)
{
	started8();
	FEED("{'surfaceUpdate':{'surfaceId':'s','components':[" C8("root", "Card", "{'child':'a'}") ",",
	     "[" UP8(C8("root", "Card", "{'child':'loading_a'}") "," WAIT8("a")) "]");
	FEED("{'id':'a','component':{'Text':{'align':'end'", "");
	FEED(",'text':{", "");
	FEED("'path':'x'", "[" UP8(C8("a", "Text", "{'align':'end','text':{'path':'/x'}}") "," C8(
				   "root", "Card", "{'child':'a'}")) "]");
	/* What becomes invalid later leaves the last valid form, and the message is refused. */
	FEED("},'more':1", "");
	FAULT("}}]}}", SJ_CAT_VALIDATION,
	      "Validation failed: Additional properties are not allowed ('more' was unexpected)");
	CHECK_STR(sj_slice_of(diag.pointer), "/surfaceUpdate/components/1/component/Text");
	FAULT(BEGIN8, SJ_CAT_VALIDATION,
	      "Validation failed: Additional properties are not allowed ('more' was unexpected)");
	close();
}

SJ_TEST(paths_of_v08_begin_with_a_slash)
{
	started8();
	FEED(UP8(C8("root", "File", "{'label':{'path':'a/b'},'path':'c/d'}")),
	     "[" UP8(C8("root", "File", "{'label':{'path':'/a/b'},'path':'c/d'}")) "]");
	close();
	started9();
	FEED(UP9("{'component':'Text','id':'root','text':{'path':'a/b'}}"),
	     "[" UP9("{'component':'Text','id':'root','text':{'path':'a/b'}}") "]");
	close();
}

SJ_TEST(data_needs_no_surface_and_grows)
{
	open(SJ_V08);
#define DATA8(list) "[{'dataModelUpdate':{'contents':[" list "],'surfaceId':'s'}}]"
	FEED("<a2ui-json>{'dataModelUpdate':{'surfaceId':'s','contents':[", "");
	FEED("{'key':'a'", "");
	FEED(",'valueNumber':1", "");
	FEED("2}", DATA8("{'key':'a','valueNumber':12}"));
	FEED(",{'key':'b'},{},{'key':'m','valueMap':[{",
	     DATA8("{'key':'a','valueNumber':12},{'key':'m','valueMap':[]}"));
	FEED("'key':'c','valueString':'te", DATA8("{'key':'a','valueNumber':12},"
	                                          "{'key':'m','valueMap':[{'key':'c','valueString':'te'}]}"));
	/* Whole, an entry with nothing but its key is kept; an empty one is not. */
	FEED("xt'}]}]}}", DATA8("{'key':'a','valueNumber':12},{'key':'b'},"
	                        "{'key':'m','valueMap':[{'key':'c','valueString':'text'}]}"));
	close();
	open(SJ_V09);
#define DATA9(value) "[{'updateDataModel':{'surfaceId':'s','value':" value "},'version':'v0.9'}]"
	FEED("<a2ui-json>{'version':'v0.9','updateDataModel':{'surfaceId':'s','value':{", "");
	FEED("'list':[{", DATA9("{'list':[]}"));
	FEED("'name':'Jo", "");
	FEED("e'},{},", DATA9("{'list':[{'name':'Joe'},{}]}"));
	FEED("true],'text':'so fa", DATA9("{'list':[{'name':'Joe'},{},true],'text':'so fa'}"));
	FEED("r'}}}", DATA9("{'list':[{'name':'Joe'},{},true],'text':'so far'}"));
	FEED("{'version':'v0.9','updateDataModel':{'surfaceId':'s','value':{}}}", DATA9("{}"));
	FEED("{'version':'v0.9','updateDataModel':{'surfaceId':'s','path':'/x'}}",
	     "[{'updateDataModel':{'path':'/x','surfaceId':'s'},'version':'v0.9'}]");
	close();
}

/* ---- brackets and other damage ----------------------------------------------------------------------------------- */

SJ_TEST(brackets_are_forgiven)
{
	static const char *const same[] = {
		/* all is well */
		"[{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'a','component':{'Text':{'text':'A'}}},"
		"{'id':'root','component':{'Card':{'child':'a'}}}]}}]",
		/* no list, trailing commas */
		"{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'a','component':{'Text':{'text':'A',},},},"
		"{'id':'root','component':{'Card':{'child':'a'}}},],},},",
		/* a component without its last bracket, or two */
		"[{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'a','component':{'Text':{'text':'A'}},"
		"{'id':'root','component':{'Card':{'child':'a'}}}]}}]",
		"[{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'a','component':{'Text':{'text':'A'},"
		"{'id':'root','component':{'Card':{'child':'a'}]}}]",
		/* one too many: what follows stands where a message should */
		"[{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'a','component':{'Text':{'text':'A'}}}}]}},"
		"{'id':'root','component':{'Card':{'child':'a'}}}]}}]",
		/* a message without its end, at the end of the block and before the next one */
		"[{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'a','component':{'Text':{'text':'A'}}},"
		"{'id':'root','component':{'Card':{'child':'a'}}}",
		"[{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'a','component':{'Text':{'text':'A'}}},"
		"{'id':'root','component':{'Card':{'child':'a'}}}]},{'dataModelUpdate':{'surfaceId':'s','contents':[]}}]",
		/* typographic quotes */
		"[{\xe2\x80\x9csurfaceUpdate\xe2\x80\x9d:{\xe2\x80\x9csurfaceId\xe2\x80\x9d:\xe2\x80\x9cs\xe2\x80\x9d,"
		"'components':[{'id':'a','component':{'Text':{'text':\xe2\x80\x9c" "A\xe2\x80\x9d}}},"
		"{'id':'root','component':{'Card':{'child':\xe2\x80\x9d" "a'}}}]}}]",
	};
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		char text[1024];
		sj_case("damage %zu", i);
		open(SJ_V08);
		FEED("<a2ui-json>" BEGIN8, "[" BEGIN8 "]");
		snprintf(text, sizeof text, "%s</a2ui-json>", same[i]);
		const char *got = feed(text);
		CHECK(strstr(got, UP8(C8("a", "Text", "{'text':'A'}") "," C8("root", "Card", "{'child':'a'}"))) !=
		      NULL);
		close();
		sj_case_end();
	}
}

SJ_TEST(other_damage_is_a_fault)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{"{'a' 'b'}", "Failed to parse JSON: a colon is expected"},
		{"{'a':}", "Failed to parse JSON: a key has no value"},
		{"{'a',", "Failed to parse JSON: a key has no value"},
		{"{'a':None}", "Failed to parse JSON: unexpected 'None'"},
		{"{'a':01}", "Failed to parse JSON: unexpected '01'"},
		{"{true:1}", "Failed to parse JSON: a key is expected"},
		{"{[", "Failed to parse JSON: a key is expected"},
		{"{'a':'\\q'}", "Failed to parse JSON: a backslash stands before what it cannot escape"},
		{"{'a':'\\u12x4'}", "Failed to parse JSON: \\u needs four digits"},
		{"{'a':'\\ud800'}", "Failed to parse JSON: half of a surrogate pair stands alone"},
		{"{'a':'\\ude00'}", "Failed to parse JSON: half of a surrogate pair stands alone"},
		{"{'a':'\xff'}", "Failed to parse JSON: a string is no UTF-8"},
		{"{'a'::1}", "Failed to parse JSON: unexpected ':'"},
		{"{'a':<b>}", "Failed to parse JSON: unexpected '<'"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		sj_case("%s", bad[i].text);
		started8();
		FAULT(bad[i].text, SJ_CAT_PARSE, bad[i].message);
		close();
		sj_case_end();
	}
}

SJ_TEST(messages_are_refused_in_known_words)
{
	static const struct {
		enum sj_version v;
		const char *text, *message;
	} bad[] = {
		{SJ_V08, "{'beginRendering':{'surfaceId':'s'}}", "Validation failed: 'root' is a required property"},
		{SJ_V08, "{'beginRendering':{'surfaceId':123,'root':'r'}}",
	         "Validation failed: 123 is not of type 'string'"},
		{SJ_V08, "{'beginRendering':{'surfaceId':'s','root':'r','styles':{'size':1}}}",
	         "Validation failed: Additional properties are not allowed ('size' was unexpected)"},
		{SJ_V08, "{'surfaceUpdate':'no'}", "Validation failed: 'no' is not of type 'object'"},
		{SJ_V08, "{'surfaceUpdate':{'surfaceId':'s','components':123}}",
	         "Validation failed: 123 is not of type 'array'"},
		{SJ_V08, "{'what':1}",
	         "Validation failed: Additional properties are not allowed ('what' was unexpected)"},
		{SJ_V08, UP8(C8("a", "Unknown", "{}")),
	         "Validation failed: Additional properties are not allowed ('Unknown' was unexpected)"},
		{SJ_V08, UP8(C8("a", "Text", "{'text':'x','align':'middle'}")),
	         "Validation failed: 'middle' is not one of ['start', 'end']"},
		{SJ_V08, "{'beginRendering':{'surfaceId':'s','root':'r'},'deleteSurface':{'surfaceId':'s'}}",
	         "Validation failed: Message contains multiple update types"},
		{SJ_V09, "{'version':'v0.9','createSurface':{'surfaceId':'s'}}",
	         "Validation failed: 'catalogId' is a required property"},
		{SJ_V09, "{'createSurface':{'surfaceId':'s','catalogId':'t'}}",
	         "Validation failed: 'version' is a required property"},
		{SJ_V09, UP9("{'component':'Text','id':'a'}"), "Validation failed: 'text' is a required property"},
		{SJ_V09, UP9(""), "Validation failed: [] should be non-empty"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		sj_case("%s", bad[i].text);
		open(bad[i].v);
		FEED("<a2ui-json>", "");
		FAULT(bad[i].text, SJ_CAT_VALIDATION, bad[i].message);
		close();
		sj_case_end();
	}
}

SJ_TEST(schemas_that_cannot_be_used)
{
	struct sj_legacy_options opt = options(SJ_V09);
	opt.catalog = SJ_LIT("[1]");
	diag = (struct sj_diag){0};
	CHECK_INT(sj_legacy_create(sj_test_mem(), &opt, &p, &diag), SJ_INVALID);
	CHECK_INT(diag.category, SJ_CAT_CATALOG);
	opt = options(SJ_V09);
	opt.s2c = SJ_LIT("{\"$ref\":\"elsewhere.json\"}");
	diag = (struct sj_diag){0};
	CHECK_INT(sj_legacy_create(sj_test_mem(), &opt, &p, &diag), SJ_INVALID);
	CHECK_INT(diag.category, SJ_CAT_CATALOG);
	p = NULL;
}

SJ_TEST(v1_0_messages_pass_whole)
{
	struct sj_legacy_options opt = {.version = SJ_V10};
	open_with(&opt);
	FEED("<a2ui-json>[{'version':'v1.0','createSurface':{'surfaceId':'s','components':[{'id':'root','text':'ab", "");
	FEED("c'}]}}", "[{'createSurface':{'components':[{'id':'root','text':'abc'}],'surfaceId':'s'},'version':'v1.0'}]");
	close();
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

SJ_TEST(limits_hold)
{
	struct sj_limits limits = SJ_LIMITS_DEFAULT;
	static const struct {
		const char *text, *message;
	} over[] = {
		{"{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'a','component':{'Text':{'text':[[",
	         "Failed to parse JSON: more than 7 levels"},
		{"{'surfaceUpdate':{'surfaceId':'0123456789012345678901234567890123456789'",
	         "Failed to parse JSON: more than 32 bytes in one string"},
		{"{'surfaceUpdate':{'surfaceId':'s','components':[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21]",
	         "Failed to parse JSON: more than 20 values in one message"},
		{"{'surfaceUpdate':                                                                                    "
	         "                                                                                                    "
	         "                                                                                                   1",
	         "Failed to parse JSON: more than 250 bytes in one message"},
		{UP8(C8("a", "Card", "{'child':'b'}")) UP8(C8("c", "Card", "{'child':'d'}")),
	         "more than 3 components on one surface"},
		{"{'beginRendering':{'surfaceId':'a','root':'r'}}{'beginRendering':{'surfaceId':'b','root':'r'}}"
	         "{'beginRendering':{'surfaceId':'c','root':'r'}}",
	         "more than 2 surfaces"},
	};
	limits.json_depth = 7;
	limits.string_bytes = 32;
	limits.json_values = 20;
	limits.message_bytes = 250;
	limits.components = 3;
	limits.surfaces = 2;
	for (size_t i = 0; i < sizeof over / sizeof *over; i++) {
		struct sj_legacy_options opt = {.version = SJ_V08, .unchecked = true, .limits = &limits};
		open_with(&opt);
		FEED("<a2ui-json>", "");
		CHECK_INT(feed_raw(over[i].text), SJ_LIMIT);
		CHECK_STR(sj_slice_of(diag.message), over[i].message);
		close();
	}
}

/* Work is linear where nothing is shown: twice the input takes at most about twice the allocations. */
static uint64_t calls_for(int n, const char *component)
{
	uint64_t before = sj_test_mem()->calls;
	started8();
	FEED("{'surfaceUpdate':{'surfaceId':'s','components':[", "");
	for (int i = 0; i < n; i++) {
		char text[256];
		snprintf(text, sizeof text, "{'id':'c%d','component':%s", i, component);
		char *number = strchr(text, '#'); /* the next one's */
		if (number)
			snprintf(number, sizeof text - (size_t)(number - text), "c%d'}}", i + 1);
		FEED(text, "");
		FEED("},", "");
	}
	close();
	return sj_test_mem()->calls - before;
}

SJ_TEST(work_is_linear_where_nothing_is_shown)
{
	static const char *const components[] = {
		"{'Text':{'text':'x'}}",  /* orphans */
		"{'Card':{'child':'#",    /* a chain nobody reaches */
		"{'Text':{'wrong':'x'}}", /* not valid */
	};
	for (size_t i = 0; i < sizeof components / sizeof *components; i++) {
		uint64_t once = calls_for(300, components[i]), twice = calls_for(600, components[i]);
		CHECK(twice < once * 5 / 2);
	}
}

/* ---- whole answers ----------------------------------------------------------------------------------------------- */

static const char *parse(const char *text)
{
	diag = (struct sj_diag){0};
	CHECK_OK(sj_legacy_parse(sj_test_mem(), sj_slice_of(text), &parts, &diag));
	return show();
}

SJ_TEST(whole_answers)
{
	CHECK_STR(sj_slice_of(parse("a\n<a2ui-json x=\"1\">```json\n{\"m\":1,}\n```</a2ui-json> b ")), "a[{'m':1}]|b");
	CHECK_STR(sj_slice_of(parse("<a2ui-json>[{\"t\":\"</a2ui-json>\"}]</a2ui-json>")), "[{'t':'</a2ui-json>'}]");
	CHECK_STR(sj_slice_of(parse("<a2ui-json>[1]</a2ui-json><a2ui-json>2</a2ui-json>")), "[1]|[2]");
	CHECK(!sj_legacy_has_parts(SJ_LIT("</a2ui-json> <a2ui-json>")));
	CHECK(sj_legacy_has_parts(SJ_LIT("<a2ui-json></a2ui-json>")));
	static const struct {
		const char *text, *message;
	} bad[] = {
		{"</a2ui-json><a2ui-json>", "the tags <a2ui-json> and </a2ui-json> were not found in response"},
		{"<a2ui-json>```\n```</a2ui-json>", "A2UI JSON part is empty"},
		{"<a2ui-json>{]</a2ui-json>", NULL},
		{"<a2ui-json>1</a2ui-json><a2ui-json>2", "Failed to parse JSON: the last block never closed"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		diag = (struct sj_diag){0};
		CHECK_INT(sj_legacy_parse(sj_test_mem(), sj_slice_of(bad[i].text), &parts, &diag), SJ_INVALID);
		CHECK_INT(diag.category, SJ_CAT_PARSE);
		CHECK_INT(parts.list.count, 0);
		if (bad[i].message)
			CHECK_STR(sj_slice_of(diag.message), bad[i].message);
		else
			CHECK(sj_slice_starts(sj_slice_of(diag.message), "Failed to parse JSON: "));
	}
	sj_parts_finish(sj_test_mem(), &parts);
}

static void check_fix(const char *text, const char *want)
{
	struct sj_value list;
	struct sj_buf out;
	sj_case("%s", text);
	sj_buf_init(&out, sj_test_mem(), 0);
	diag = (struct sj_diag){0};
	CHECK_OK(sj_legacy_fix(sj_test_mem(), sj_slice_of(text), &list, &diag));
	sj_value_print(&out, &list, SJ_PRINT_COMPACT);
	CHECK_STR(sj_buf_view(&out), want);
	sj_value_unref(sj_test_mem(), list);
	sj_buf_finish(&out);
	sj_case_end();
}

SJ_TEST(payloads_are_mended_outside_of_strings)
{
	check_fix("[1, 2 , \n]", "[1,2]");
	check_fix("{\"a\":\",]\",}", "[{\"a\":\",]\"}]");
	check_fix("{\"a\":\"\\\",}\",}", "[{\"a\":\"\\\",}\"}]");
	check_fix("{\"a\":\"it\xe2\x80\x99s\",}", "[{\"a\":\"it's\"}]");
	check_fix("{\"a\":\"say \xe2\x80\x9chi\xe2\x80\x9d\",}", "[{\"a\":\"say \\\"hi\\\"\"}]");
	check_fix("{\xe2\x80\x9c" "a\xe2\x80\x9d:\xe2\x80\x9c" "b, ]\xe2\x80\x9d}", "[{\"a\":\"b, ]\"}]");
	/* What can be read is not touched. */
	check_fix("{\"a\":\"\xe2\x80\x9cq\xe2\x80\x9d\"}", "[{\"a\":\"\xe2\x80\x9cq\xe2\x80\x9d\"}]");
}

/* ---- refused memory ---------------------------------------------------------------------------------------------- */

static enum sj_status all(struct sj_mem *mem, void *ctx)
{
	static const char *const chunks[] = {
		"Hi <a2ui",
		"-json>[" BEGIN8 ",",
		UP8(C8("b", "Text", "{'text':'B'}")) ",",
		"{'surfaceUpdate':{'surfaceId':'s','components':[{'id':'root','component':{'Row':{'children':{'explicitList':[",
		"'a','b',",
		"'a long id that needs memory of its own'",
		"]}}}}]}},",
		"{'dataModelUpdate':{'surfaceId':'s','contents':[{'key':'k','valueString':'a long text that goes on and on",
		" and on'}]}},",
		UP8(C8("root", "Card", "{'child':'b'}")),
		"{'deleteSurface':{'surfaceId':'s'}}]</a2ui-json> by"};
	const struct sj_legacy_options *opt = ctx;
	struct sj_legacy *one = NULL;
	struct sj_parts out = {0};
	enum sj_status st = sj_legacy_create(mem, opt, &one, NULL);
	for (size_t i = 0; st == SJ_OK && i < sizeof chunks / sizeof *chunks; i++) {
		char copy[256];
		size_t n = (size_t)snprintf(copy, sizeof copy, "%s", chunks[i]);
		for (size_t k = 0; k < n; k++)
			copy[k] = copy[k] == '\'' ? '"' : copy[k];
		st = sj_legacy_feed(one, copy, n, &out, NULL);
	}
	if (st == SJ_OK)
		st = sj_legacy_end(one, &out, NULL);
	sj_parts_finish(mem, &out);
	sj_legacy_destroy(one);
	return st;
}

static enum sj_status whole(struct sj_mem *mem, void *ctx)
{
	struct sj_parts out = {0};
	enum sj_status st = sj_legacy_parse(
		mem, SJ_LIT("before this <a2ui-json>[{\"a long key of an object\":\"a long text in it\",}]</a2ui-json> after it"),
		&out, NULL);
	(void)ctx;
	sj_parts_finish(mem, &out);
	return st;
}

SJ_TEST(every_refused_allocation_is_survived)
{
	struct sj_legacy_options opt = options(SJ_V08);
	sj_torture(all, &opt);
	sj_torture(whole, NULL);
}
