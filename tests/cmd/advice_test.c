/* What the command says to somebody who made a mistake: each fault with a hint that mends it. */
#include "cmd/run.h"

#include <stdio.h>
#include <stdlib.h>

#include "json/tape.h"
#include "json/value.h"

#define CATALOG(v) "https://a2ui.org/specification/" v "/catalogs/basic/catalog.json"
#define CREATE "{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"" CATALOG("v0_9") "\"}}\n"
#define UPDATE(list) "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[" list "]}}\n"

/* The values of a member over all lines of the output, each with a line end. */
static struct sj_slice members(struct sj_slice lines, const char *key)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_buf out;
	sj_buf_init(&out, sj_test_mem(), 0);
	for (size_t at = 0; at < lines.len;) {
		const char *end = memchr(lines.ptr + at, '\n', lines.len - at);
		size_t n = end ? (size_t)(end - lines.ptr) - at : lines.len - at;
		struct sj_value v;
		CHECK_OK(sj_value_parse(sj_test_mem(), &opt, sj_slice(lines.ptr + at, n), &v, NULL));
		const struct sj_value *member = sj_value_get(&v, sj_slice_of(key));
		if (member && sj_value_is_string(member))
			sj_buf_slice(&out, sj_value_text(member));
		sj_buf_putc(&out, '\n');
		sj_value_unref(sj_test_mem(), v);
		at += n + 1;
	}
	char *kept = strndup(out.ptr ? out.ptr : "", out.len);
	size_t len = out.len;
	sj_buf_finish(&out);
	return sj_slice(kept, len);
}

static void expect_member(const char *input, const char *key, const char *want)
{
	struct outcome o = RUN(input, "validate", "-");
	struct sj_slice got = members(o.out, key);
	sj_case("%.80s", input);
	CHECK_STR(got, want);
	sj_case_end();
	free((void *)(uintptr_t)got.ptr);
}

SJ_TEST(hints)
{
	static const struct {
		const char *input, *hints;
	} cases[] = {
		{"{\"version\":\"v0.7\",\"deleteSurface\":{\"surfaceId\":\"s\"}}", "Use \"v0.9\", \"v0.9.1\" or \"v1.0\".\n"},
		{"{\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"c\"}}",
	         "Begin the message with \"version\": \"v0.9\", \"v0.9.1\" or \"v1.0\".\n"},
		{CREATE UPDATE("{\"id\":\"root\",\"component\":\"Column\",\"children\":[{\"id\":\"a\",\"component\":\"Text\",\"text\":\"x\"}]}")
	                 UPDATE("{\"id\":\"root\",\"component\":\"Card\",\"child\":{\"component\":\"Divider\"}}")
	                         UPDATE("{\"id\":\"root\",\"component\":\"Divider\"}"),
	         "Give only the id here; the component itself is one more item of \"components\".\n"
	         "Give only the id here; the component itself is one more item of \"components\".\n"},
		{CREATE UPDATE("{\"id\":\"root\",\"component\":\"Button\",\"child\":\"t\",\"onClick\":{\"event\":{\"name\":\"x\"}}}")
	                 UPDATE("{\"id\":\"root\",\"component\":\"Text\",\"Text\":\"x\"}")
	                         UPDATE("{\"id\":\"root\",\"component\":\"Divider\",\"onClick\":1}")
	                                 UPDATE("{\"id\":\"root\",\"component\":\"Divider\"}"),
	         "Use \"action\" instead of \"onClick\".\nUse \"action\" instead of \"onClick\".\n"
	         "Use \"text\" instead of \"Text\".\nUse \"text\" instead of \"Text\".\nRemove \"onClick\".\n"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		expect_member(cases[i].input, "hint", cases[i].hints);
}

SJ_TEST(a_version_that_was_assumed)
{
	static const char text[] = "deleteSurface without a version was read as one of v0.8, the only version whose messages name none\n";
	struct outcome o = RUN("{\"deleteSurface\":{\"surfaceId\":\"s\"}}", "validate", "-");
	CHECK_INT(o.status, 0); /* a note */
	CHECK_HAS(o.out, "\"severity\":\"info\"");
	expect_member("{\"deleteSurface\":{\"surfaceId\":\"s\"}}", "message", text);
	expect_member(
		CREATE UPDATE(
			"{\"id\":\"root\",\"component\":\"Divider\"}") "{\"deleteSurface\":{\"surfaceId\":\"s\"}}",
		"message", text);
	/* one that v0.8 made is deleted as v0.8 does it */
	expect_member("{\"surfaceUpdate\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\",\"component\":{\"Divider\":{}}}]}}\n"
	              "{\"beginRendering\":{\"surfaceId\":\"s\",\"root\":\"root\"}}\n{\"deleteSurface\":{\"surfaceId\":\"s\"}}",
	              "message", "");
}

/* No fault is dropped in silence. */
SJ_TEST(more_faults_than_are_told)
{
	struct sj_buf text;
	sj_buf_init(&text, sj_test_mem(), 0);
	for (unsigned faults = 16; faults <= 17; faults++) {
		sj_buf_clear(&text);
		sj_buf_puts(&text, CREATE "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\","
		                          "\"component\":\"Column\",\"children\":[");
		for (unsigned i = 0; i < faults; i++)
			sj_buf_puts(&text, i ? ",1" : "1");
		sj_buf_puts(&text, "]}]}}\n");
		sj_buf_putc(&text, '\0');
		struct outcome o = RUN(text.ptr, "validate", "-");
		unsigned lines = 0;
		for (size_t i = 0; i < o.out.len; i++)
			lines += o.out.ptr[i] == '\n';
		CHECK_INT(lines, faults == 16 ? 17 : 18); /* and that no component came */
		CHECK(has(o.out, "\"message\":\"This message has more faults than the first 16, which are told\"") ==
		      (faults > 16));
	}
	sj_buf_finish(&text);
}

/* All checks of a field that fail are in its tree, however many. */
SJ_TEST(all_failed_checks_are_told)
{
	struct sj_buf text;
	sj_buf_init(&text, sj_test_mem(), 0);
	sj_buf_puts(&text, CREATE "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\","
	                          "\"component\":\"TextField\",\"label\":\"x\",\"checks\":[");
	for (unsigned i = 0; i < 70; i++)
		sj_buf_printf(&text, "%s{\"condition\":{\"call\":\"required\",\"args\":{\"value\":{\"path\":\"/x\"}}},\"message\":\"m%u\"}",
		              i ? "," : "", i);
	sj_buf_puts(&text, "]}]}}\n");
	sj_buf_putc(&text, '\0');
	struct outcome o = RUN(text.ptr, "tree", "-");
	CHECK_INT(o.status, 0);
	CHECK_HAS(o.out, "\"validationErrors\":[\"m0\",\"m1\",");
	CHECK_HAS(o.out, ",\"m68\",\"m69\"]");
	sj_buf_finish(&text);
}

SJ_TEST(names_that_are_near)
{
	CHECK_STR(RUN(NULL, "plya", "-").err, "shoji: there is no verb plya; did you mean play?\nTry: shoji --help\n");
	CHECK_STR(RUN(NULL, "help", "validat").err, "shoji: there is no verb validat; did you mean validate?\nTry: shoji --help\n");
	CHECK_STR(RUN(NULL, "zzz").err, "shoji: there is no verb zzz\nTry: shoji --help\n");
	CHECK_STR(RUN(NULL, "play", "--widht=40", "-").err,
	          "shoji: play does not know the option --widht=40; did you mean --width?\nTry: shoji play --help\n");
	CHECK_STR(RUN(NULL, "infer", "--permissive", "x", "-").err,
	          "shoji: infer does not know the option --permissive\nTry: shoji infer --help\n");
}

/* What must be given stands in the usage line; what an option means to a verb, in its help. */
SJ_TEST(help_of_each_verb)
{
	CHECK_HAS(RUN(NULL, "convert", "--help").out, "\nUsage: shoji convert --to V [OPTION]... FILE|-\n");
	CHECK_HAS(RUN(NULL, "minimise", "--help").out, "\nUsage: shoji minimise --still EXPECTATION [OPTION]... FILE|SCRIPT|-\n");
	CHECK_HAS(RUN(NULL, "prompt", "--help").out, "\nUsage: shoji prompt [OPTION]...\n");
	CHECK_HAS(RUN(NULL, "infer", "--help").out, " repair nothing: a block that would need it is refused\n");
	CHECK_HAS(RUN(NULL, "validate", "--help").out, " warnings too make the exit status 1\n");
	CHECK_HAS(RUN(NULL, "grammar", "--help").out, " create, update, data, delete, several with commas; or patch alone, with FILE\n");
	CHECK_HAS(RUN(NULL, "conformance", "--help").out, " only cases of this protocol version: 0.8, 0.9, 0.9.1 or 1.0\n");
}

SJ_TEST(locales_and_zones)
{
	static const char *const zones[] = {"UTC", "+09:00", "UTC-03", "gmt"};
	struct outcome o = RUN(CREATE, "tree", "--locale", "k", "-");
	CHECK_INT(o.status, 2);
	CHECK_STR(o.err, "shoji: --locale takes a language tag such as en, ko or pt-BR, not k\nTry: shoji --help\n");
	CHECK_INT(RUN(CREATE, "tree", "--locale", "en US", "-").status, 2);
	CHECK_INT(RUN(CREATE, "tree", "--locale", "", "-").status, 2);
	o = RUN(CREATE, "tree", "--locale", "pt-BR", "-");
	CHECK_INT(o.status, 0);
	CHECK_STR(o.err, "shoji: numbers and dates of the locale pt-BR are not built in: they are written as in en\n");
	o = RUN(CREATE, "tree", "--locale", "en-US", "-");
	CHECK_INT(o.status, 0);
	CHECK_INT(o.err.len, 0);
	o = RUN(CREATE, "tree", "--tz", "Mars/Olympus", "-");
	CHECK_INT(o.status, 2);
	CHECK_HAS(o.err, "shoji: --tz takes UTC or an offset such as +09:00, not Mars/Olympus");
	for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
		CHECK_INT(RUN(CREATE, "tree", "--tz", zones[i], "-").status, 0);
}

SJ_TEST(files_of_another_kind)
{
	struct outcome o = RUN("\x89PNG\r\n", "validate", "-");
	CHECK_INT(o.status, 1);
	CHECK_STR(o.err, "shoji: standard input: this is no text but a PNG image\n");
	o = RUN("\xff\xfe{", "play", "-");
	CHECK_INT(o.status, 1);
	CHECK_STR(o.err, "shoji: standard input: this is text in UTF-16, and UTF-8 is wanted\n");
	o = RUN(CREATE, "replay", "-");
	CHECK_INT(o.status, 1);
	CHECK_STR(o.err, "shoji: - holds messages, and no script: shoji play - shows them; docs/replay.md says what a script is\n");
	CHECK_HAS(RUN("[{\"beginRendering\":{}}]", "replay", "-").err, "shoji play - shows them");
	CHECK_HAS(RUN("{\"nonsense\":1}", "replay", "-").out, "-:1: a step is one of agent");
}

/* Repairs of a kind in one message are one line, with the place of the first. */
SJ_TEST(repairs_together)
{
	struct outcome o = RUN("<a2ui-json>[{\"version\":\"v1.0\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":["
	                       "{\"id\":\"root\",\"component\":\"divider\"},{\"id\":\"a\",\"component\":\"divider\"},"
	                       "{\"id\":\"b\",\"component\":\"Dvider\"}]}}]</a2ui-json>",
	                       "infer", "-");
	CHECK_INT(o.status, 0);
	CHECK(sj_slice_starts(o.out, "{\"repair\":{\"count\":2,\"kind\":\"name_case\",\"line\":1,\"offset\":12,"
	                             "\"pointer\":\"/0/updateComponents/components/0\",\"text\":\"wrote 'divider' as 'Divider', in its own case\"}}\n"
	                             "{\"repair\":{\"kind\":\"name_case\",\"line\":1,\"offset\":12,"
	                             "\"pointer\":\"/0/updateComponents/components/2\",\"text\":\"read 'Dvider' as 'Divider'\"}}\n"));
}

/* A limit is told with its size. */
SJ_TEST(limits_have_numbers)
{
	struct sj_buf text;
	sj_buf_init(&text, sj_test_mem(), 0);
	sj_buf_puts(&text, "{\"version\":\"");
	for (uint32_t i = 0; i <= SJ_LIMITS_DEFAULT.string_bytes; i++)
		sj_buf_putc(&text, 'x');
	sj_buf_puts(&text, "\"}\n");
	sj_buf_putc(&text, '\0');
	char want[120];
	snprintf(want, sizeof want, "\"message\":\"a string longer than allowed (string_bytes: %u)\"", SJ_LIMITS_DEFAULT.string_bytes);
	CHECK_HAS(RUN(text.ptr, "validate", "-").out, want);
	sj_buf_finish(&text);
}

/* Each line is JSON by itself, and every name in it is of the form "messageNumber", as in the protocol. */
static void check_lines(struct sj_slice text, unsigned least)
{
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_arena arena;
	unsigned lines = 0;
	sj_arena_init(&arena, sj_test_mem(), 0);
	for (size_t at = 0; at < text.len; lines++) {
		const char *end = memchr(text.ptr + at, '\n', text.len - at);
		struct sj_tape t;
		CHECK(end != NULL);
		if (!end)
			break;
		struct sj_slice line = sj_slice(text.ptr + at, (size_t)(end - text.ptr) - at);
		if (sj_json_parse(&arena, &opt, line, &t, NULL) != SJ_OK) {
			sj_fail_at(__FILE__, __LINE__, "no JSON: %.*s", SJ_ARG(line));
			break;
		}
		CHECK_INT(sj_tape_type(&t, 0), SJ_J_OBJECT);
		for (uint32_t i = 0; i < t.count; i++) {
			struct sj_slice key = sj_tape_raw(&t, i);
			if (!(t.cells[i].flags & SJ_CELL_KEY))
				continue;
			for (size_t k = 0; k < key.len; k++) {
				char c = key.ptr[k];
				bool small = c >= 'a' && c <= 'z',
				     big = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
				if (!small && (k == 0 || !big))
					sj_fail_at(__FILE__, __LINE__, "a name: %.*s", SJ_ARG(key));
			}
		}
		at += line.len + 1;
	}
	CHECK(lines >= least);
	sj_arena_finish(&arena);
}

SJ_TEST(json_lines)
{
	static const char faulty[] =
		CREATE UPDATE("{\"id\":\"root\",\"component\":\"Button\",\"child\":\"gone\",\"action\":{\"event\":{\"name\":\"x\"}}}")
			UPDATE("{\"id\":\"a\",\"component\":\"Zeppelin\"}") "nonsense\n";
	static const char answer[] = "Hi <a2ui-json>[{\"version\":\"v1.0\",\"deleteSurface\":{\"surfaceId\":\"s\",}}]</a2ui-json>"
				     "<a2ui-json>[{\"version\":\"v1.0\",\"deleteSurface\":{}}]</a2ui-json>";
	check_lines(RUN(faulty, "validate", "--lint", "-").out, 4);
	check_lines(RUN(faulty, "tree", "-").out, 3);
	check_lines(RUN(faulty, "explain", "--json", "-").out, 3);
	check_lines(RUN(faulty, "a11y", "--check", "-").out, 1);
	check_lines(RUN(CREATE, "a11y", "-").out, 1);
	check_lines(RUN(answer, "infer", "-").out, 4);
	check_lines(RUN(answer, "infer", "--stream", "-").out, 4);
	check_lines(RUN(CREATE "{\"version\":\"v0.9\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/a\"}}", "convert", "--to",
	                "v0.8", "--json", "-").err, 1);
}
