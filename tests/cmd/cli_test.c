/* The command as a black box: what it prints where, and how it ends. */
#include "harness/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/run.h"

#define BASIC "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
#define CREATE "{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" BASIC "\"}}\n"
#define UPDATE(list) "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[" list "]}}\n"
#define HELLO CREATE UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":\"Hello\"}")

/* ---- the frame --------------------------------------------------------------------------------------------------- */

static const char *const verbs[] = {"play",   "tree",        "validate", "explain", "a11y", "convert",
                                    "replay", "minimise", "conformance", "grammar", "infer", "prompt",   "demo",
                                    "window", "open", "shot"};

SJ_TEST(help_and_version)
{
	struct outcome o = RUN(NULL, "--help");
	CHECK_INT(o.status, 0);
	CHECK_INT(o.err.len, 0);
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
		char line[32];
		snprintf(line, sizeof line, "\n  %s ", verbs[i]);
		CHECK_HAS(o.out, line);
		struct outcome h = RUN(NULL, verbs[i], "--help"), again = RUN(NULL, "help", verbs[i]);
		CHECK_INT(h.status, 0);
		CHECK_INT(h.err.len, 0);
		CHECK_HAS(h.out, "Usage: shoji ");
		CHECK_HAS(h.out, "--help ");
		CHECK_HAS(h.out, "Exit status: 0");
		CHECK_SLICE(again.out, h.out);
	}
	o = RUN(NULL, "--version");
	CHECK_INT(o.status, 0);
	CHECK(sj_slice_starts(o.out, "shoji ") && o.out.ptr[6] >= '0' && o.out.ptr[6] <= '9');
}

SJ_TEST(wrong_use)
{
	struct outcome o = run_to(NULL, NULL, (const char *const[]){NULL});
	CHECK_INT(o.status, 2);
	CHECK_INT(o.out.len, 0);
	CHECK_HAS(o.err, "Usage: shoji VERB");
	o = RUN(NULL, "dance");
	CHECK_INT(o.status, 2);
	CHECK_STR(o.err, "shoji: there is no verb dance\nTry: shoji --help\n");
	o = RUN(NULL, "tree");
	CHECK_INT(o.status, 2);
	CHECK_STR(o.err, "shoji: tree takes FILE|-\nTry: shoji tree --help\n");
	o = RUN(NULL, "tree", "a", "b");
	CHECK_INT(o.status, 2);
	o = RUN(NULL, "tree", "--width", "40", "-");
	CHECK_INT(o.status, 2);
	CHECK_STR(o.err, "shoji: tree does not know the option --width\nTry: shoji tree --help\n");
	o = RUN(NULL, "play", "-", "--width");
	CHECK_INT(o.status, 2);
	CHECK_HAS(o.err, "--width needs a value");
	o = RUN(NULL, "play", "-", "--width=10");
	CHECK_INT(o.status, 2);
	CHECK_HAS(o.err, "20 to 1000");
	o = RUN(NULL, "play", "-", "--ascii=1");
	CHECK_INT(o.status, 2);
	o = RUN(NULL, "play", "-", "--colour", "pink");
	CHECK_INT(o.status, 2);
	o = RUN(NULL, "play", "-", "--submit-gate", "none");
	CHECK_INT(o.status, 2);
	o = RUN(NULL, "play", "-", "--now", "noon");
	CHECK_INT(o.status, 2);
	o = RUN(NULL, "conformance", "--version", "7", ".");
	CHECK_INT(o.status, 2);
	o = RUN(NULL, "demo", "opera");
	CHECK_INT(o.status, 2);
	o = RUN(NULL, "grammar", "--allow", "create,destroy");
	CHECK_INT(o.status, 2);
	CHECK_HAS(o.err, "not destroy");
	o = RUN(NULL, "grammar", "--gbnf", "--schema");
	CHECK_INT(o.status, 2);
	o = RUN(NULL, "grammar", "--version", "2.0");
	CHECK_INT(o.status, 2);
	o = RUN(NULL, "grammar", "--ids", "none");
	CHECK_INT(o.status, 2);
}

SJ_TEST(input_and_output_that_fail)
{
	struct outcome o = RUN(NULL, "tree", "/nonexistent/file");
	CHECK_INT(o.status, 3);
	CHECK_STR(o.err, "shoji: /nonexistent/file: there is no such file\n");
	o = RUN(NULL, "play", "/nonexistent/file");
	CHECK_INT(o.status, 3);
	o = RUN(NULL, "validate", "--catalog", "/nonexistent/catalog", "-");
	CHECK_INT(o.status, 3);
	if (access("/dev/full", W_OK) == 0) {
		o = run_to("/dev/full", HELLO, (const char *const[]){"tree", "-", NULL});
		CHECK_INT(o.status, 3);
		CHECK_HAS(o.err, "writing failed");
	}
}

/* ---- grammar ----------------------------------------------------------------------------------------------------- */

SJ_TEST(grammar)
{
	struct outcome o =
		RUN(NULL, "grammar", "--version", "0.9", "--compact", "--component", "Text", "--allow", "update");
	CHECK_INT(o.status, 0);
	CHECK_INT(o.err.len, 0);
	CHECK(sj_slice_starts(o.out, "root ::= \"[\" message ( \",\" message ){0,15} \"]\"\n"));
	CHECK_HAS(o.out, "\ncomponent-Text ::= \"\\\"component\\\":\\\"Text\\\",\\\"text\\\":\" dynamic-string-5 ");
	CHECK(!has(o.out, "component-Image"));
	struct outcome again =
		RUN(NULL, "grammar", "--version", "0.9", "--compact", "--component", "Text", "--allow", "update");
	CHECK_SLICE(again.out, o.out);
	o = RUN(HELLO, "grammar", "-", "--allow", "patch", "--compact");
	CHECK_INT(o.status, 0);
	CHECK_HAS(o.out, "\"{\\\"id\\\":\\\"root\\\",\" component-Text-");
	CHECK(!has(o.out, "component-Image"));
	o = RUN(HELLO, "grammar", "-", "--allow", "patch", "--component", "root", "--schema");
	CHECK_INT(o.status, 0);
	CHECK_HAS(o.out, "\"id\":{\"type\":\"string\",\"enum\":[\"root\"]");
	o = RUN(HELLO, "grammar", "-", "--component", "nobody");
	CHECK_INT(o.status, 1);
	CHECK_STR(o.err, "shoji: nobody is no type of the catalogs, and no component of the surface\n");
	o = RUN(HELLO, "grammar", "-", "--surface", "other");
	CHECK_INT(o.status, 1);
	CHECK_STR(o.err, "shoji: - has no surface other\n");
	o = RUN("", "grammar", "-");
	CHECK_INT(o.status, 1);
	CHECK_STR(o.err, "shoji: - makes 0 surfaces: --surface must say which\n");
	o = RUN(NULL, "grammar", "--allow", "patch");
	CHECK_INT(o.status, 2);
	CHECK_STR(o.err, "shoji: --allow patch needs FILE: the messages that make the surface to change\nTry: shoji grammar --help\n");
	o = RUN(HELLO, "grammar", "--allow", "patch,create", "-");
	CHECK_INT(o.status, 2);
	CHECK_STR(o.err, "shoji: --allow patch stands alone: it says all that may be written\nTry: shoji grammar --help\n");
	o = RUN(NULL, "grammar", "--strict-subset", "--version", "1.0", "--surface", "s");
	CHECK_INT(o.status, 0);
	CHECK_HAS(o.out, "\"surfaceId\":{\"type\":\"string\",\"enum\":[\"s\"]}");
	CHECK(!has(o.out, "\"pattern" "Properties\""));
}

/* ---- tree -------------------------------------------------------------------------------------------------------- */

SJ_TEST(tree)
{
	struct outcome o = RUN(HELLO, "tree", "-");
	CHECK_INT(o.status, 0);
	CHECK_STR(o.out, "{\"dataModel\":{},\"surfaceId\":\"s\",\"tree\":{\"id\":\"root\",\"text\":\"Hello\",\"type\":\"Text\"}}\n");
	CHECK_INT(o.err.len, 0);
	o = RUN(CREATE "{\"version\":\"v0.9\",\"deleteSurface\":{}}\n", "tree", "-");
	CHECK_INT(o.status, 1);
	CHECK(sj_slice_starts(o.out, "{\"dataModel\":{},\"surfaceId\":\"s\",\"tree\":null}\n{\"error\":{\"category\":\"ValidationError\","));
	CHECK_HAS(o.out, "\"line\":2");
	o = RUN("", "tree", "-");
	CHECK_INT(o.status, 0);
	CHECK_INT(o.out.len, 0);
}

SJ_TEST(every_shape_of_input)
{
	static const char want[] = "{\"dataModel\":{},\"surfaceId\":\"s\",\"tree\":null}\n";
	static const char message[] = "{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" BASIC "\"}}";
	char text[1024];
	static const char *const frames[] = {"%s",
	                                     "[%s]",
	                                     "{\"messages\":[%s]}",
	                                     "{\"name\":\"n\",\"description\":\"d\",\"messages\":[%s]}",
	                                     "\n\n  [\n %s ]\n",
	                                     "{\"agent\":%s}\n{\"note\":\"a script\"}\n"};
	for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
		const char *at = strstr(frames[i], "%s");
		snprintf(text, sizeof text, "%.*s%s%s", (int)(at - frames[i]), frames[i], message, at + 2);
		struct outcome o = RUN(text, "tree", "-");
		CHECK_INT(o.status, 0);
		CHECK_STR(o.out, want);
	}
}

/* ---- validate ---------------------------------------------------------------------------------------------------- */

SJ_TEST(validate)
{
	struct outcome o = RUN(HELLO, "validate", "-");
	CHECK_INT(o.status, 0);
	CHECK_INT(o.out.len + o.err.len, 0);
	o = RUN(CREATE UPDATE("{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"nobody\"]}"), "validate", "-");
	CHECK_INT(o.status, 1);
	CHECK_HAS(o.out, "\"code\":\"VALIDATION_FAILED\"");
	CHECK_HAS(o.out, "Dangling reference: component 'root' refers to 'nobody'");
	CHECK_HAS(o.out, "\"surfaceId\":\"s\",\"version\":\"v0.9\"}");
	/* What came later is no fault. */
	o = RUN(CREATE UPDATE("{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"later\"]}") UPDATE("{\"id\":\"later\",\"component\":\"Text\",\"text\":\"x\"}"),
	        "validate", "-");
	CHECK_INT(o.status, 0);
	CHECK_INT(o.out.len, 0);
	o = RUN(CREATE UPDATE("{\"id\":\"a\",\"component\":\"Text\",\"text\":\"x\"}"), "validate", "-");
	CHECK_INT(o.status, 1);
	CHECK_HAS(o.out, "Missing root component");
	o = RUN(HELLO UPDATE("{\"id\":\"orphan\",\"component\":\"Text\",\"text\":\"x\"}"), "validate", "-");
	CHECK_INT(o.status, 0); /* a warning */
	CHECK_HAS(o.out, "Orphaned component 'orphan'");
	CHECK_HAS(o.out, "\"severity\":\"warning\"");
	o = RUN(CREATE UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"colour\":\"red\"}"), "validate", "-");
	CHECK_INT(o.status, 1);
	CHECK_HAS(o.out, "\"category\":\"ValidationError\"");
	CHECK_HAS(o.out, "/updateComponents/components/0");
	CHECK_HAS(o.out, "\"line\":2");
	CHECK_HAS(o.out, "\"messageNumber\":2");
	o = RUN("{\"surfaceUpdate\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"a\",\"component\":{\"Divider\":{}}}]}}\n",
	        "validate", "-");
	CHECK_INT(o.status, 1);
	CHECK(has(o.out, "never began") && has(o.out, "IntegrityError"));
	o = RUN("{\"version\":\"v0.9\",", "validate", "-");
	CHECK_INT(o.status, 1);
	CHECK_HAS(o.out, "\"category\":\"ParseError\"");
}

SJ_TEST(catalogs)
{
	char path[512];
	static const char catalog[] = "{\"catalogId\":\"urn:gauge\",\"components\":{\"Gauge\":{\"type\":\"object\",\"properties\":{\"component\":{\"const\":\"Gauge\"},"
				      "\"level\":{\"type\":\"number\"}},\"required\":[\"component\",\"level\"]}}}";
	static const char messages[] = "{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"g\",\"catalogId\":\"urn:gauge\"}}\n"
				       "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"g\",\"components\":[{\"id\":\"root\",\"component\":\"Gauge\",\"level\":\"high\"}]}}\n";
	int fd = temporary(path, catalog);
	struct outcome o = RUN(messages, "validate", "-");
	CHECK_INT(o.status, 1);
	CHECK_HAS(o.out, "Catalog not found: urn:gauge");
	o = RUN(messages, "validate", "--catalog", path, "-");
	CHECK_INT(o.status, 1);
	CHECK_HAS(o.out, "'high' is not of type 'number'");
	o = RUN(messages, "validate", "--permissive", "urn:gauge", "-");
	CHECK_INT(o.status, 0);
	o = RUN(messages, "tree", "--catalog", "-", "-");
	CHECK_INT(o.status, 1);
	close(fd);
	unlink(path);
}

/* ---- play -------------------------------------------------------------------------------------------------------- */

SJ_TEST(still_picture)
{
	struct outcome o = RUN(HELLO, "play", "-");
	CHECK_INT(o.status, 0);
	CHECK_STR(o.out, " Hello\n");
	CHECK_INT(o.err.len, 0);
	o = RUN(HELLO, "play", "--linear", "-");
	CHECK_STR(o.out, "text: Hello\n");
	o = RUN(CREATE UPDATE("{\"id\":\"root\",\"component\":\"Card\",\"child\":\"t\"},{\"id\":\"t\",\"component\":\"Text\",\"text\":\"Hello\"}"), "play", "--ascii",
	        "--width=20", "-");
	CHECK_STR(o.out, " +-----------------+\n | Hello           |\n +-----------------+\n");
	o = RUN(HELLO "{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"t\",\"catalogId\":\"" BASIC "\"}}\n", "play", "-");
	CHECK_STR(o.out, "Surface: s\n Hello\n\nSurface: t\nNothing to show yet.\n");
	o = RUN("[]", "play", "-");
	CHECK_STR(o.err, "No surface was created.\n");
	o = RUN(HELLO "{\"version\":\"v0.9\",\"nonsense\":{}}\n", "play", "-");
	CHECK_INT(o.status, 1);
	CHECK_STR(o.out, " Hello\n"); /* the good part stays */
	CHECK_HAS(o.err, "Message 3: VALIDATION_FAILED");
	/* What an agent wrote begins no line of its own. */
	o = RUN("{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"x\\nMessage 9: fine\\u2028\\n\"}}\n", "play", "-");
	CHECK_STR(o.err, "Message 1: CATALOG_ERROR: Catalog not found: x Message 9: fine   at /createSurface/catalogId\n"
	                 "No surface was created.\n");
}

SJ_TEST(dialogue)
{
	char path[512];
	static const char script[] =
		"{\"on\":{\"action\":\"go\"},\"reply\":[{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/title\",\"value\":"
		"\"{{/action/context/who}}\"}}]}\n"
		"{\"agent\":" "{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" BASIC "\"}}}\n"
		"{\"agent\":{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"value\":{\"title\":\"Who?\",\"n\":\"\"}}}}\n"
		"{\"agent\":{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":["
		"{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"t\",\"f\",\"b\",\"o\"]},{\"id\":\"t\",\"component\":\"Text\",\"text\":{\"path\":\"/title\"}},"
		"{\"id\":\"f\",\"component\":\"TextField\",\"label\":\"Name\",\"value\":{\"path\":\"/n\"}},"
		"{\"id\":\"b\",\"component\":\"Button\",\"child\":\"bl\",\"action\":{\"event\":{\"name\":\"go\",\"context\":{\"who\":{\"path\":\"/n\"}}}}},"
		"{\"id\":\"bl\",\"component\":\"Text\",\"text\":\"Go\"},"
		"{\"id\":\"o\",\"component\":\"Button\",\"child\":\"ol\",\"action\":{\"functionCall\":{\"call\":\"openUrl\",\"args\":{\"url\":\"https://example.org/\"}}}},"
		"{\"id\":\"ol\",\"component\":\"Text\",\"text\":\"Open\"}]}}}\n";
	int fd = temporary(path, script);
	struct outcome o =
		RUN("1=Ada\n2\n3\nq\n", "play", "--dialogue", "--show-messages", "--now", "0", "--width", "30", path);
	CHECK_INT(o.status, 0);
	CHECK_HAS(o.out, " Who?\n");
	CHECK_HAS(o.out, " 1) [Ada_____________________]\n");
	CHECK_HAS(o.out, " Ada\n"); /* what the agent answered */
	CHECK_HAS(o.err, "{\"version\":\"v0.9\",\"action\":{\"name\":\"go\",\"surfaceId\":\"s\",\"sourceComponentId\":\"b\",\"timestamp\":\"1970-01-01T00:00:00.000Z\","
	                 "\"context\":{\"who\":\"Ada\"}}}\n");
	CHECK_HAS(o.err, "The agent asks for openUrl");
	CHECK_HAS(o.err, "https://example.org/");
	o = RUN("", "play", "--dialogue", path); /* the end of the input leaves too */
	CHECK_INT(o.status, 0);
	o = RUN("q\n", "play", "--dialogue", "-");
	CHECK_INT(o.status, 2);
	close(fd);
	unlink(path);
}

#define ROWS                                                                                                           \
	CREATE "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[\n"                             \
	"{\"id\":\"root\",\"component\":\"List\",\"children\":{\"componentId\":\"row\",\"path\":\"/rows\"}},\n"                    \
	"{\"id\":\"row\",\"component\":\"Text\",\"text\":{\"path\":\"/name\"}}]}}\n"                                         \
	"{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/rows\",\"value\":[{\"name\":\"a\"}]}}\n"

SJ_TEST(convert)
{
	struct outcome o = RUN(CREATE UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":\"A\",\"variant\":\"h1\"}"), "convert",
	                       "--to", "v1.0", "-");
	CHECK_INT(o.status, 0);
	CHECK_INT(o.err.len, 0);
	CHECK_STR(o.out, "{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":"
	                 "\"https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json\"}}\n"
	                 "{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\",\"component\":"
	                 "\"Text\",\"text\":\"# A\"}]}}\n");
	/* one list stays one list, and what holds a list stays what it is */
	o = RUN("[{\"version\":\"v0.9\",\"deleteSurface\":{\"surfaceId\":\"s\"}}]", "convert", "--to", "0.8", "-");
	CHECK_STR(o.out, "[\n  {\n    \"deleteSurface\": {\n      \"surfaceId\": \"s\"\n    }\n  }\n]\n");
	o = RUN("{\"name\":\"n\",\"messages\":[]}", "convert", "--to", "v0.9.1", "-");
	CHECK_STR(o.out, "{\n  \"name\": \"n\",\n  \"messages\": []\n}\n");
	o = RUN(CREATE UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"text\":{\"path\":\"/a\"}}"), "convert", "--to", "v1.0", "--keys",
	        "bare", "-");
	CHECK_HAS(o.out, "\"text\":{\"path\":\"/a\"}");
	/* downwards things are lost, and said */
	o = RUN("{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\"}}\n{\"no\":1}\n" CREATE
	        "{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/a\"}}",
	        "convert", "--to", "v0.8", "-");
	CHECK_INT(o.status, 1);
	CHECK_STR(o.err, "standard input: message 1: the message is about no surface\n"
	                 "standard input: message 2: this is no message of the protocol\n"
	                 "standard input: message 4 /updateDataModel: v0.8 cannot remove data\n");
	o = RUN(CREATE "{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\"}}", "convert", "--json", "--to", "v0.8", "-");
	CHECK_STR(o.err, "{\"messageNumber\":2,\"pointer\":\"/updateDataModel\",\"reason\":\"v0.8 cannot remove data\",\"version\":\"v0.9\"}\n");
	o = RUN("{\"version\":", "convert", "--to", "v0.8", "-");
	CHECK_INT(o.status, 1);
	CHECK_HAS(o.err, "standard input: line 1: ");
	o = RUN("[]", "convert", "-");
	CHECK_INT(o.status, 2);
	CHECK_HAS(o.err, "--to VERSION is missing");
	CHECK_INT(RUN("[]", "convert", "--to", "v2", "-").status, 2);
	CHECK_INT(RUN("[]", "convert", "--to", "v1.0", "--keys", "odd", "-").status, 2);
}

SJ_TEST(explain)
{
	struct outcome o = RUN(ROWS, "explain", "-");
	CHECK_INT(o.status, 1);
	CHECK_STR(o.err, "");
	CHECK_HAS(o.out, "s: The screen is blank: 'row' (Text) is empty: its text reads /name, where there is nothing.\n");
	CHECK_HAS(o.out, "    component 'row', text: message 2, line 4, byte ");
	CHECK_HAS(o.out, "    perhaps /rows/0/name is meant, written \"name\"\n");
	CHECK_HAS(o.out, "\"text\":{\"path\":\"name\"}");
	o = RUN(ROWS, "explain", "--json", "-", "row");
	CHECK_HAS(o.out, "\"code\":\"binding-absent\",\"component\":\"row\",\"dataPath\":\"/rows/0\",\"line\":4,\"message\":2");
	CHECK_STR(RUN(ROWS, "explain", "-", "root").out,
	          "s: The screen is blank: 'row' (Text) is empty: its text reads /name, where there is nothing.\n");
	/* all is well */
	o = RUN(CREATE "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\","
	        "\"component\":\"Text\",\"text\":\"x\"}]}}", "explain", "-");
	CHECK_INT(o.status, 0);
	CHECK_STR(o.out, "s: Everything that was sent is on the screen.\n");
	/* no surface, and why */
	o = RUN("", "explain", "-");
	CHECK_INT(o.status, 1);
	CHECK_STR(o.out, "The screen is blank: no surface was ever created; the input holds no message.\n");
	o = RUN("[1", "explain", "-");
	CHECK_HAS(o.out, "The screen is blank: no surface was ever created. Message 1 was refused: ");
	o = RUN(CREATE "{\"version\":\"v0.9\",\"deleteSurface\":{\"surfaceId\":\"s\"}}", "explain", "-");
	CHECK_STR(o.out, "The screen is blank: message 2 deleted the last surface.\n");
	o = RUN(ROWS, "explain", "--surface", "t", "-");
	CHECK_INT(o.status, 1);
	CHECK_STR(o.err, "shoji: there is no surface 't'\n");
}

SJ_TEST(lint)
{
	static const char form[] = CREATE "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[\n"
					  "{\"id\":\"root\",\"component\":\"Slider\",\"max\":5,\"value\":{\"path\":\"/v\"}}]}}\n";
	struct outcome o = RUN(form, "validate", "-");
	CHECK_INT(o.status, 0);
	CHECK_INT(o.out.len, 0);
	o = RUN(form, "validate", "--lint", "-");
	CHECK_INT(o.status, 0);
	CHECK_HAS(o.out, "{\"category\":\"ValidationError\",\"code\":\"LINT\",\"component\":\"root\",");
	CHECK_HAS(o.out, "\"line\":3,\"lint\":\"input-without-label\",");
	CHECK_HAS(o.out, "\"severity\":\"warning\"");
	CHECK_INT(RUN(form, "validate", "--lint", "--strict", "-").status, 1);
	/* a value of the wrong type is warned of without being asked */
	o = RUN(CREATE "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\","
	        "\"component\":\"Text\",\"text\":{\"path\":\"/o\"}}]}}\n"
	        "{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/o\",\"value\":{}}}", "validate", "-");
	CHECK_INT(o.status, 0);
	CHECK_HAS(o.out, "\"lint\":\"wrong-type\"");
	/* a surface without any component, and the column of what is no JSON */
	o = RUN(CREATE, "validate", "-");
	CHECK_INT(o.status, 0);
	CHECK_HAS(o.out, "The surface has no root");
	o = RUN("\n{\"a\":[1,]}", "validate", "-");
	CHECK_INT(o.status, 1);
	CHECK_HAS(o.out, "\"column\":9,");
}

SJ_TEST(a11y)
{
	struct outcome o = RUN(ROWS, "a11y", "-");
	CHECK_INT(o.status, 0);
	CHECK(sj_slice_starts(o.out, "{\"focusOrder\":[],\"surfaceId\":\"s\",\"tree\":{"));
	CHECK_HAS(o.out, "\"id\":\"row/rows/0\",\"role\":\"text\"");
	o = RUN(ROWS, "a11y", "--check", "-");
	CHECK_INT(o.status, 0);
	CHECK_INT(o.out.len, 0);
	o = RUN(CREATE "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\",\n"
	        "\"component\":\"Image\",\"url\":\"https://e.example/\"}]}}", "a11y", "--check", "-");
	CHECK_INT(o.status, 1);
	CHECK_HAS(o.out, "\"id\":\"root\",\"line\":2,");
	CHECK_HAS(o.out, "\"rule\":\"image-alt\"");
	o = RUN(ROWS, "a11y", "--surface", "t", "-");
	CHECK_INT(o.status, 1);
	CHECK_STR(o.err, "shoji: there is no surface 't'\n");
	/* What was refused is told: nothing on the screen is no clean screen. */
	o = RUN("hello world\n", "a11y", "--check", "-");
	CHECK_INT(o.status, 1);
	CHECK_HAS(o.out, "{\"error\":{\"category\":\"ParseError\",\"code\":\"JSON_SYNTAX\",\"line\":1");
}

SJ_TEST(submit_gate)
{
	static const char form[] = CREATE UPDATE(
		"{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"f\",\"b\"]},{\"id\":\"f\",\"component\":\"TextField\",\"label\":\"N\",\"value\":{\"path\":\"/n\"},"
		"\"checks\":[{\"condition\":{\"call\":\"required\",\"args\":{\"value\":{\"path\":\"/n\"}},\"returnType\":\"boolean\"},\"message\":\"Needed\"}]},"
		"{\"id\":\"b\",\"component\":\"Button\",\"child\":\"bl\",\"action\":{\"event\":{\"name\":\"go\"}}},{\"id\":\"bl\",\"component\":\"Text\",\"text\":\"Go\"}");
	CHECK_HAS(RUN(form, "play", "-").out, "[ Go ]");
	CHECK_HAS(RUN(form, "play", "--submit-gate", "own", "-").out, "[ Go ]");
	CHECK_HAS(RUN(form, "play", "--submit-gate=surface", "-").out, "( Go )");
}

SJ_TEST(record)
{
	char form[512], record[512];
	int fd = temporary(form, CREATE UPDATE("{\"id\":\"root\",\"component\":\"TextField\",\"label\":\"Word\",\"variant\":\"obscured\","
	                                       "\"value\":{\"path\":\"/w\"}}")),
	    out = temporary(record, "");
	struct outcome o = RUN("1=hidden\nq\n", "play", "--dialogue", "--now", "5", "--record", record, form);
	CHECK_INT(o.status, 0);
	struct sj_slice script = sj_slurp(record);
	CHECK_HAS(script, "{\"config\":{\"now\":5}}\n");
	CHECK_HAS(script, "{\"user\":{\"surface\":\"s\",\"set\":{\"id\":\"root\",\"value\":\"******\"}}}\n");
	CHECK(!has(script, "hidden"));
	o = RUN(NULL, "replay", record);
	CHECK_INT(o.status, 0);
	CHECK_HAS(o.err, " 1 expectations, 0 failed\n");
	o = RUN(NULL, "play", "--record", "/nonexistent/file", form);
	CHECK_INT(o.status, 3);
	CHECK_HAS(o.err, "/nonexistent/file: the recording cannot be written\n");
	close(fd);
	close(out);
	unlink(form);
	unlink(record);
}

SJ_TEST(minimise)
{
	static const char form[] = CREATE "{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"value\":{\"a\":1,\"b\":\"x\"}}}\n"
		UPDATE("{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"t\",\"u\"]},{\"id\":\"t\",\"component\":\"Text\",\"text\":{\"path\":\"/b\"}},"
		       "{\"id\":\"u\",\"component\":\"Text\",\"text\":\"other\",\"variant\":\"h1\"}")
		UPDATE("{\"id\":\"v\",\"component\":\"Nope\",\"x\":1},{\"id\":\"w\",\"component\":\"Text\",\"text\":\"w\"}");
	/* What is shown needs its data, its component and the way to it. */
	struct outcome o = RUN(form, "minimise", "-", "--still", "{\"nodes\":{\"t\":{\"text\":\"x\"}}}"), again;
	CHECK_INT(o.status, 0);
	CHECK_STR(o.out, CREATE "{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"value\":{\"b\":\"x\"}}}\n"
	          UPDATE("{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"t\"]},"
	                 "{\"id\":\"t\",\"component\":\"Text\",\"text\":{\"path\":\"/b\"}}"));
	CHECK_HAS(o.err, " trials: 3 of 4 steps, ");
	again = RUN(form, "minimise", "-", "--still", "{\"nodes\":{\"t\":{\"text\":\"x\"}}}");
	CHECK_SLICE(again.out, o.out);
	CHECK_SLICE(again.err, o.err);
	/* A fault, among others. */
	o = RUN(form, "minimise", "-", "--still", "{\"error\":{\"pointer\":{\"$contains\":\"component\"},\"message\":{\"$contains\":\"Nope\"}}}");
	CHECK_INT(o.status, 0);
	CHECK_STR(o.out, CREATE UPDATE("{\"id\":\"v\",\"component\":\"Nope\"}"));
	/* A line that is no JSON stays as it is; then the result is a script. */
	o = RUN("[]\n{\"bad\":tru}\n" HELLO, "minimise", "-", "--still", "{\"error\":\"JSON_SYNTAX\"}");
	CHECK_INT(o.status, 0);
	CHECK_STR(o.out, "{\"bytes\":\"{\\\"bad\\\":tru}\\n\"}\n{\"expect\":{\"error\":\"JSON_SYNTAX\"}}\n");
	/* A script: what a person did stays where it matters, and the result can be replayed. */
	o = RUN("{\"config\":{\"now\":5}}\n{\"bytes\":\"{\\\"version\\\":\\\"v0.9\\\",\\\"createSurface\\\":{\\\"surfaceId\\\":\\\"s\\\",\\\"catalogId\\\":"
	        "\\\"" BASIC "\\\"}}\\n\"}\n{\"agent\":{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\","
	        "\"component\":\"TextField\",\"label\":\"L\"}]}}}\n{\"tick\":10}\n{\"user\":{\"set\":{\"id\":\"root\",\"value\":\"a\"}}}\n"
	        "{\"user\":{\"set\":{\"id\":\"root\",\"value\":\"b\"}}}\n{\"expect\":{\"surfaces\":7}}\n",
	        "minimise", "-", "--still", "{\"nodes\":{\"root\":{\"value\":\"b\"}}}");
	CHECK_INT(o.status, 0);
	CHECK_HAS(o.err, " trials: 3 of 6 steps, ");
	CHECK_HAS(o.out, "{\"user\":{\"set\":{\"id\":\"root\",\"value\":\"b\"}}}\n{\"expect\":{\"nodes\":{\"root\":{\"value\":\"b\"}},\"errors\":{\"$any\":true}}}\n");
	char script[4096];
	snprintf(script, sizeof script, "%.*s", SJ_ARG(o.out));
	o = RUN(script, "replay", "-");
	CHECK_INT(o.status, 0);
	/* What does not hold at first cannot be kept. */
	o = RUN(form, "minimise", "-", "--still", "{\"surfaces\":2}");
	CHECK_INT(o.status, 1);
	CHECK_INT(o.out.len, 0);
	CHECK_HAS(o.err, "The expectation does not hold for the whole of it: surfaces: wanted 2, got 1\n");
	CHECK_INT(RUN(form, "minimise", "-").status, 2);
	CHECK_INT(RUN(form, "minimise", "-", "--still", "[]").status, 2);
	CHECK_INT(RUN(form, "minimise", "-", "--still", "{").status, 2);
}

/* ---- replay, conformance, demo ----------------------------------------------------------------------------------- */

SJ_TEST(replay)
{
	static const char good[] = "{\"agent\":{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" BASIC "\"}}}\n{\"expect\":{\"surfaces\":1}}\n";
	static const char bad[] = "{\"agent\":{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" BASIC "\"}}}\n{\"expect\":{\"surfaces\":2}}\n";
	struct outcome o = RUN(good, "replay", "-");
	CHECK_INT(o.status, 0);
	CHECK_INT(o.out.len, 0);
	CHECK_STR(o.err, "2 steps, 1 expectations, 0 failed\n");
	o = RUN(bad, "replay", "--quiet", "-");
	CHECK_INT(o.status, 1);
	CHECK_STR(o.out, "-:2: surfaces: wanted 2, got 1\n");
	CHECK_INT(o.err.len, 0);
	o = RUN("{broken", "replay", "-");
	CHECK_INT(o.status, 1);
}

SJ_TEST(conformance)
{
	struct outcome none = RUN(NULL, "conformance", sj_root("examples"));
	CHECK_INT(none.status, 1);
	CHECK_STR(none.err, "shoji: no case was found\n");
	struct outcome o = RUN(NULL, "conformance", "--root", sj_root("tests"), sj_root("tests/cmd/suites/right.json"));
	char wrong[512];
	CHECK_INT(o.status, 0);
	CHECK_STR(o.out, "6 passed, 0 failed, 0 skipped\n");
	snprintf(wrong, sizeof wrong, "%s", sj_root("tests/cmd/suites/wrong.json"));
	o = RUN(NULL, "conformance", "--root", "/", wrong);
	CHECK_INT(o.status, 1);
	CHECK_HAS(o.out, "wrong.json: component value: component: at /text: wanted \"ho\", got \"hi\"\n");
	CHECK_HAS(o.out, "skipped ");
	CHECK_HAS(o.out, "wrong.json: foreign: no part in this action\n");
	CHECK_HAS(o.out, "\n0 passed, 17 failed, 1 skipped\n");
	o = RUN(NULL, "conformance", "--json", "--root", "/", wrong);
	CHECK_HAS(o.out, "\"name\":\"foreign\",\"reason\":\"no part in this action\",\"result\":\"skipped\",\"suite\":");
	CHECK_HAS(o.out, "\n{\"contradicted\":0,\"executed\":17,\"failed\":17,\"passed\":0,\"skipped\":1,\"suites\":{");
	CHECK_HAS(o.out, "wrong.json\":{\"contradicted\":0,\"executed\":17,\"failed\":17,\"passed\":0,\"skipped\":1}},\"versions\":{");
	o = RUN(NULL, "conformance", "/nonexistent");
	CHECK_INT(o.status, 3);
}

SJ_TEST(prompt)
{
	static const char example[] =
		"{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"made-up\",\"catalogId\":\"https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json\"}}\n"
		"{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"made-up\",\"components\":[{\"id\":\"root\",\"component\":"
		"\"Text\",\"text\":\"Welcome\"}]}}\n";
	static const char bad[] =
		"[{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\",\"component\":\"Chart\"}]}}]";
	struct outcome o = RUN(NULL, "prompt");
	CHECK_INT(o.status, 0);
	CHECK_INT(o.err.len, 0);
	CHECK_HAS(o.out, "# Interfaces (A2UI v1.0)\n");
	CHECK_HAS(o.out, "<a2ui_schema>\nagent_to_renderer.json\n");
	CHECK_HAS(o.out, "callRendererFunction");
	o = RUN(NULL, "prompt", "--short", "--version", "0.9", "--role", "You book tables.", "--allow", "createSurface",
	        "--allow=updateComponents");
	CHECK_INT(o.status, 0);
	CHECK(sj_slice_starts(o.out, "You book tables.\n\n# Interfaces (A2UI v0.9)\n"));
	CHECK_HAS(o.out, "\n- Text(text: string*, ");
	CHECK_HAS(o.out, "\n- openUrl(url: ");
	CHECK(!has(o.out, "deleteSurface"));
	o = RUN(example, "prompt", "--short", "--example", "-");
	CHECK_INT(o.status, 0);
	CHECK_HAS(o.out, "\n## Example\n\n### 1\n<a2ui-json>\n[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"made-up\"");
	o = RUN(bad, "prompt", "--example", "-");
	CHECK_INT(o.status, 1);
	CHECK_INT(o.out.len, 0);
	CHECK_HAS(o.err, " at /0/0/updateComponents/components/0");
	o = RUN(NULL, "prompt", "--allow", "surfaceUpdate");
	CHECK_INT(o.status, 1);
	CHECK_HAS(o.err, "'surfaceUpdate' is no message of v1.0");
	o = RUN(NULL, "prompt", "--format", "yaml");
	CHECK_INT(o.status, 2);
	o = RUN(NULL, "prompt", "--catalog", "/nonexistent");
	CHECK_INT(o.status, 3);
}

SJ_TEST(infer)
{
	struct outcome bare = RUN("Only words.\n", "infer", "-");
	CHECK_INT(bare.status, 0);
	CHECK_STR(bare.err, "shoji: no messages: no block between <a2ui-json> and </a2ui-json> was found, and all of it was read as text\n");
	bare = RUN("Only words.\n", "infer", "--messages", "-");
	CHECK_INT(bare.status, 1);
	CHECK_HAS(bare.err, "shoji: no messages: ");
	bare = RUN("See:\n```json\n{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"s\"}}\n```\n", "infer", "--messages", "-");
	CHECK_INT(bare.status, 0);
	CHECK_STR(bare.out, "{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"s\"}}\n");
	CHECK_HAS(bare.err, "\"text\":\"lifted a fenced block that holds A2UI messages\"");
	static const char text[] =
		"Here.\n<a2ui-json>[{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"https://a2ui.org/"
		"specification/v1_0/catalogs/basic/catalog.json\"}},\n{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"s\","
		"\"components\":[{\"id\":\"root\",\"component\":\"Text\",\"text\":\"Good morning\"},]}}]</a2ui-json>\nBye.";
	static const char bad[] =
		"<a2ui-json>[{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\","
		"\"component\":\"Zeppelin\"}]}}]</a2ui-json>";
	struct outcome o = RUN(text, "infer", "-");
	CHECK_INT(o.status, 0);
	CHECK(has(o.out, "{\"text\":\"Here.\"}\n"));
	CHECK(has(o.out, "{\"a2ui\":[{\"version\":\"v1.0\",\"createSurface\""));
	CHECK(has(o.out, "{\"repair\":{\"kind\":\"trailing_comma\",\"line\":3,"));
	CHECK(has(o.out, "{\"text\":\"Bye.\"}\n"));
	o = RUN(text, "infer", "--stream", "-");
	CHECK_INT(o.status, 0);
	CHECK(has(o.out, "{\"text\":\"Bye.\"}\n"));
	o = RUN(text, "infer", "--messages", "-");
	CHECK_INT(o.status, 0);
	CHECK(!has(o.out, "Here."));
	CHECK(has(o.out, "\n{\"version\":\"v1.0\",\"updateComponents\""));
	CHECK(has(o.err, "trailing_comma"));
	char *lines = strndup(o.out.ptr, o.out.len);
	o = RUN(lines, "play", "-");
	free(lines);
	CHECK_INT(o.status, 0);
	CHECK(has(o.out, "Good morning"));
	o = RUN(text, "infer", "--strict", "-");
	CHECK_INT(o.status, 1);
	CHECK_HAS(o.out, "\"category\":\"ParseError\",\"code\":\"JSON_SYNTAX\"");
	CHECK_HAS(o.out, "{\"text\":\"Here.\"}\n{\"a2ui\":[{\"version\":\"v1.0\",\"createSurface\""); /* what is good */
	CHECK(!has(o.out, "Good morning"));
	o = RUN(bad, "infer", "-");
	CHECK_INT(o.status, 1);
	CHECK(has(o.out, "\"category\":\"ValidationError\""));
	CHECK_HAS(o.out, "\"messageNumber\":1,\"offset\":106,\"pointer\":\"/0/updateComponents/components/0/component\"");
	CHECK_HAS(o.out, "\"version\":\"v1.0\"");
	o = RUN(text, "infer", "--format", "runes", "-");
	CHECK_INT(o.status, 2);
	o = RUN(text, "infer", "--version", "7", "-");
	CHECK_INT(o.status, 2);
}

/* What needs GTK is another program; its help and its mistakes are told here all the same. */
SJ_TEST(desktop_verbs)
{
	struct outcome o = RUN(NULL, "shot");
	CHECK_INT(o.status, 2);
	CHECK_HAS(o.err, "shot takes FILE|-");
	o = RUN(NULL, "open", "--rtl", "x");
	CHECK_INT(o.status, 2);
	CHECK_HAS(o.err, "open does not know the option --rtl");
	o = RUN(NULL, "shot", "--help");
	CHECK_INT(o.status, 0);
	CHECK_HAS(o.out, "--output FILE");
	CHECK_HAS(o.out, "width of the picture in pixels (default: 390)");
}

SJ_TEST(demos)
{
	struct outcome o = RUN(NULL, "demo");
	CHECK_INT(o.status, 0);
	CHECK_HAS(o.out, "Demos:\n");
}

/* ---- the manual page --------------------------------------------------------------------------------------------- */

static void check_in_page(struct sj_slice page, const char *name, size_t len)
{
	char want[64];
	size_t n = 0;
	for (size_t i = 0; i < len && n + 2 < sizeof want; i++) {
		if (name[i] == '-')
			want[n++] = '\\';
		want[n++] = name[i];
	}
	want[n] = 0;
	CHECK_HAS(page, want);
}

SJ_TEST(manual_page_names_everything)
{
	struct sj_slice page = sj_slurp(sj_root("docs/shoji.1"));
	CHECK(page.ptr != NULL);
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
		char heading[32];
		snprintf(heading, sizeof heading, "\n.BR %s \"", verbs[i]);
		CHECK_HAS(page, heading);
		struct sj_slice help = RUN(NULL, verbs[i], "--help").out;
		for (size_t at = 0; at + 4 < help.len; at++) {
			if (memcmp(help.ptr + at, "\n  --", 5) != 0)
				continue;
			size_t end = at + 3;
			while (end < help.len && help.ptr[end] != ' ')
				end++;
			check_in_page(page, help.ptr + at + 3, end - at - 3);
		}
	}
	/* Options stand in the order of the alphabet. */
	struct sj_slice last = SJ_LIT("");
	unsigned options = 0;
	const char *from = strstr(page.ptr, ".SH OPTIONS"), *to = strstr(page.ptr, ".SH EXIT STATUS");
	for (const char *c = from; c && to && (c = strstr(c, "\n.TP\n")) != NULL && c < to; c++) {
		const char *name = strstr(c, "\\-\\-");
		if (!name)
			break;
		name += 4;
		struct sj_slice one = sj_slice(name, strspn(name, "abcdefghijklmnopqrstuvwxyz\\-"));
		sj_case("%.*s", SJ_ARG(one));
		CHECK(sj_slice_cmp(last, one) < 0);
		sj_case_end();
		last = one;
		options++;
	}
	CHECK(options > 30);
	/* And the other way: no verb that is not there. */
	struct sj_slice usage = RUN(NULL, "--help").out;
	const char *at = strstr(usage.ptr, "\nVerbs:\n"), *end = at ? strstr(at, "\n\n") : NULL;
	unsigned lines = 0;
	for (const char *c = at ? at + 8 : NULL; c && end && c < end; c++)
		lines += *c == '\n';
	CHECK_INT(lines + 1, sizeof verbs / sizeof *verbs);
}
