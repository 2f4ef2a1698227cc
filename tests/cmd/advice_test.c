/* What the command says to somebody who made a mistake: each fault with a hint that mends it. */
#include "cmd/run.h"

#include <stdio.h>
#include <stdlib.h>

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
