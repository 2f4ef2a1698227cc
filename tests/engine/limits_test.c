/* Limits on what a peer may ask of an engine: each row makes one limit small, goes just as far as it allows, then one
 * step further, and names the fault that stops it. */
#include "engine/talk.h"

static struct talk t; /* too big for a stack */

static void open_small(struct sj_limits *l)
{
	struct sj_engine_config cfg = {.limits = l};
	CHECK_OK(talk_open(&t, NULL, &cfg));
	CHECK_OK(talk_create(&t, "v1.0", "s"));
	talk_forget(&t);
}

#define UPDATE(path, value) "{'version':'v1.0','updateDataModel':{'surfaceId':'s','path':'" path "','value':" value "}}"
#define TEXT(text) \
	"{'version':'v1.0','updateComponents':{'surfaceId':'s','components':[{'id':'root','component':'Text','text':" text "}]}}"

static const struct row {
	const char *name;
	size_t field;
	uint32_t limit;
	const char *within, *beyond, *code, *message;
} ROWS[] = {
	{"array_index", offsetof(struct sj_limits, array_index), 3, UPDATE("/a", "[1,2,3]") UPDATE("/a/3", "4"),
	 UPDATE("/a/4", "5"), "LIMIT_EXCEEDED", "Cannot set path"},
	{"array_gap", offsetof(struct sj_limits, array_gap), 2, UPDATE("/a", "[]") UPDATE("/a/2", "1"),
	 UPDATE("/a/6", "1"), "LIMIT_EXCEEDED", "Cannot set path"},
	{"pointer_tokens", offsetof(struct sj_limits, pointer_tokens), 2, UPDATE("/a/b", "1"), UPDATE("/a/b/c", "1"),
	 "LIMIT_EXCEEDED", "Path has more than 2 segments"},
	{"pointer_bytes", offsetof(struct sj_limits, pointer_bytes), 6, UPDATE("/abcde", "1"), UPDATE("/abcdef", "1"),
	 "LIMIT_EXCEEDED", "Path is longer than 6 bytes"},
	{"dynamic_depth", offsetof(struct sj_limits, dynamic_depth), 3,
	 TEXT("{'call':'formatString','args':{'value':'x'}}"),
	 TEXT("{'call':'not','args':{'value':{'path':'/a'}}}"), "VALIDATION_FAILED", "nested deeper than 3 levels"},
	{"surfaces", offsetof(struct sj_limits, surfaces), 1, "",
	 "{'version':'v1.0','createSurface':{'surfaceId':'s2','catalogId':'" BASIC10 "'}}", "LIMIT_EXCEEDED",
	 "There are 1 surfaces already"},
	{"message_bytes", offsetof(struct sj_limits, message_bytes), 400, UPDATE("/a", "1"),
	 UPDATE("/a", "'0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
	              "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
	              "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
	              "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789'"),
	 "LIMIT_EXCEEDED", "message_bytes"},
};

SJ_TEST(each_limit_stops_the_first_step_beyond_it)
{
	for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
		const struct row *r = &ROWS[i];
		struct sj_limits l = SJ_LIMITS_DEFAULT;
		memcpy((char *)&l + r->field, &r->limit, sizeof r->limit);
		sj_case("%s", r->name);
		open_small(&l);
		CHECK_OK(talk_say(&t, "%s", r->within));
		CHECK_INT(talk_faults(&t), 0);
		talk_forget(&t);
		CHECK_OK(talk_say(&t, "%s", r->beyond));
		CHECK_INT(talk_faults(&t), 1);
		const struct heard *h = talk_event(&t, SJ_EV_DIAG, 0);
		CHECK_STR(sj_slice_of(sj_code_name(h->diag.code)), r->code);
		if (!strstr(h->diag.message, r->message))
			CHECK_STR(sj_slice_of(h->diag.message), r->message);
		talk_close(&t);
		sj_case_end();
	}
}

SJ_TEST(a_host_that_fetches_nothing_loses_events_and_hears_of_it_once)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	l.outbound = 4;
	open_small(&l);
	for (int i = 0; i < 9; i++)
		CHECK_OK(sj_engine_feed(t.e, t.peer, "{}\n", 3));
	CHECK_OK(talk_take(&t));
	CHECK_INT(talk_heard(&t, SJ_EV_DIAG), 5);
	CHECK_STR(sj_slice_of(talk_event(&t, SJ_EV_DIAG, 4)->diag.message),
	          "More than 4 events were waiting; later ones were lost");
	talk_close(&t);
}

SJ_TEST(what_one_engine_holds_has_an_end)
{
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	struct sj_mem mem;
	sj_mem_init(&mem, NULL, 0);
	struct sj_engine_config cfg = {.limits = &l};
	CHECK_OK(talk_open(&t, &mem, &cfg));
	l.memory_bytes = (uint32_t)sj_engine_memory(t.e) + 20000;
	talk_close(&t);
	CHECK_OK(talk_open(&t, &mem, &cfg));
	CHECK_OK(talk_create(&t, "v1.0", "s"));
	enum sj_status st = SJ_OK;
	for (int i = 0; st == SJ_OK && i < 2000; i++)
		st = talk_say(&t, UPDATE("/k%d", "'0123456789012345'"), i);
	CHECK_INT(st, SJ_NOMEM);
	CHECK(sj_engine_memory(t.e) <= l.memory_bytes);
	talk_close(&t);
	CHECK_INT(mem.used_bytes, 0);
}
