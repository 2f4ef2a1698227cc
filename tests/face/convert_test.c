/* Conversion looked at: every official example, rewritten in every other version, is right by that version's rules and
 * draws the same picture; upwards nothing is lost, and what went up comes down again as what it was. */
#include "a2ui/convert.h"
#include "face/text/text.h"
#include "harness/test.h"

#include <stdio.h>

struct seen { /* what one stream shows */
	struct sj_buf picture;
	uint32_t faults, surfaces;
	char first[1600];
};

static void take(struct sj_engine *e, struct seen *s)
{
	struct sj_event ev;
	while (sj_engine_next(e, &ev) == SJ_OK)
		if (ev.kind == SJ_EV_DIAG && ev.diag->severity == SJ_SEV_ERROR && s->faults++ == 0)
			snprintf(s->first, sizeof s->first, "%s: %s", ev.diag->pointer, ev.diag->message);
}

/* Feeds the messages and draws every surface. Strict but for what may still come while a stream arrives. */
static void look(const struct sj_value *messages, struct seen *s)
{
	struct sj_engine_config cfg = {.size = sizeof cfg, .strict = true};
	struct sj_engine *e;
	struct sj_buf json;
	struct sj_text_picture p;
	uint32_t peer;
	*s = (struct seen){.faults = 0};
	cfg.strictness.allow_missing_root = cfg.strictness.allow_dangling = cfg.strictness.allow_orphans = true;
	sj_buf_init(&s->picture, sj_test_mem(), 0);
	sj_buf_init(&json, sj_test_mem(), 0);
	sj_value_print(&json, messages, SJ_PRINT_COMPACT);
	sj_buf_putc(&json, '\n');
	CHECK_OK(sj_engine_create(&cfg, &e));
	CHECK_OK(sj_engine_peer_open(e, SJ_LIT("agent"), &peer));
	CHECK_OK(sj_engine_feed(e, peer, json.ptr, json.len));
	take(e, s);
	s->surfaces = sj_engine_view_count(e);
	for (uint32_t i = 0; i < s->surfaces; i++) {
		struct sj_text_options look80 = {.width = 80, .numbers = true};
		sj_text_picture_init(&p, sj_test_mem());
		CHECK_OK(sj_text_draw(e, sj_engine_view_at(e, i), &look80, &p));
		sj_buf_slice(&s->picture, sj_buf_view(&p.text));
		sj_text_picture_finish(&p);
	}
	take(e, s);
	sj_buf_finish(&json);
	sj_engine_destroy(e);
}

static char first_loss[1600];
static void on_lost(void *ctx, const struct sj_convert_loss *loss)
{
	(void)ctx;
	if (!first_loss[0])
		snprintf(first_loss, sizeof first_loss, "message %u %.*s: %.200s", loss->message,
		         (int)(loss->pointer.len < 400 ? loss->pointer.len : 400), loss->pointer.ptr, loss->reason);
}

static struct sj_value convert(const struct sj_value *messages, enum sj_version to, enum sj_dialect d, uint32_t *nlost)
{
	struct sj_convert_options opt = {.to = to, .dialect = d, .lost = on_lost};
	struct sj_value out = SJ_NULL_VALUE;
	first_loss[0] = '\0';
	CHECK_OK(sj_convert(sj_test_mem(), &opt, messages, &out, nlost));
	return out;
}

/* Losses upwards, by file: what the newer version has no word for. */
static const struct { enum sj_version to; const char *file, *reason;
} lost_upwards[] = {
	{SJ_V10, "6_capitalized_text.json", "has no function 'capitalize'"},
};

static const char *known_loss(enum sj_version to, const char *file)
{
	for (size_t i = 0; i < sizeof lost_upwards / sizeof *lost_upwards; i++)
		if (lost_upwards[i].to == to && strcmp(file, lost_upwards[i].file) == 0)
			return lost_upwards[i].reason;
	return NULL;
}

static void same_picture(const struct seen *a, const struct seen *b, const char *what)
{
	if (b->faults > 0)
		sj_fail_at(__FILE__, __LINE__, "%s: refused: %s", what, b->first);
	CHECK_INT(b->surfaces, a->surfaces);
	CHECK_SLICE(sj_buf_view(&b->picture), sj_buf_view(&a->picture));
}

static void up_and_down(const struct sj_value *messages, enum sj_version from, enum sj_version to, enum sj_dialect d,
                        const char *file)
{
	struct seen before, after, back;
	uint32_t nlost, down;
	const char *known = known_loss(to, file);
	sj_case("%s in %s: %s%s", sj_version_text(from), sj_version_text(to), file,
	        d == SJ_DIALECT_BARE ? " (bare)" : "");
	struct sj_value up = convert(messages, to, d, &nlost);
	if (known ? nlost != 1 || !strstr(first_loss, known) : nlost != 0)
		sj_fail_at(__FILE__, __LINE__, "%u lost: %s", nlost, first_loss);
	look(messages, &before);
	look(&up, &after);
	CHECK_INT(before.faults, 0);
	CHECK(before.picture.len > 0);
	same_picture(&before, &after, "up");
	/* every message says that it is of the version */
	for (uint32_t i = 0; i < sj_value_count(&up); i++) {
		const struct sj_value *v = sj_value_get(sj_value_item(&up, i), SJ_LIT("version"));
		CHECK(v && sj_slice_is(sj_value_text(v), sj_version_text(to)));
	}
	/* And down again. Lists of v0.9 cannot come from v0.8, so nothing is lost on the way back either. */
	struct sj_value again = convert(&up, from, SJ_DIALECT_AUTO, &down);
	if (down > 0 && !known)
		sj_fail_at(__FILE__, __LINE__, "on the way back %u lost: %s", down, first_loss);
	look(&again, &back);
	same_picture(&before, &back, "down");
	sj_value_unref(sj_test_mem(), up);
	sj_value_unref(sj_test_mem(), again);
	sj_buf_finish(&before.picture);
	sj_buf_finish(&after.picture);
	sj_buf_finish(&back.picture);
	sj_case_end();
}

/* The older version may lose things, but says so, and what is left is right. */
static void down(const struct sj_value *messages, enum sj_version from, enum sj_version to, const char *file)
{
	struct seen before, after;
	uint32_t nlost;
	sj_case("%s in %s: %s", sj_version_text(from), sj_version_text(to), file);
	struct sj_value out = convert(messages, to, SJ_DIALECT_AUTO, &nlost);
	look(messages, &before);
	look(&out, &after);
	if (after.faults > 0)
		sj_fail_at(__FILE__, __LINE__, "refused: %s", after.first);
	bool same = sj_slice_eq(sj_buf_view(&before.picture), sj_buf_view(&after.picture));
	if (!same && nlost == 0)
		CHECK_SLICE(sj_buf_view(&after.picture), sj_buf_view(&before.picture));
	CHECK_INT(after.surfaces, before.surfaces);
	sj_value_unref(sj_test_mem(), out);
	sj_buf_finish(&before.picture);
	sj_buf_finish(&after.picture);
	sj_case_end();
}

typedef void (*example_fn)(const struct sj_value *messages, enum sj_version v, const char *file);

static unsigned each_example(const char *folder, enum sj_version v, example_fn fn)
{
	char path[700], file[1300], **names;
	const char *found = sj_data(folder);
	if (!found)
		return 0;
	snprintf(path, sizeof path, "%s", found);
	size_t n = sj_list_dir(path, ".json", &names);
	for (size_t i = 0; i < n; i++) {
		struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
		struct sj_value doc;
		snprintf(file, sizeof file, "%s/%s", path, names[i]);
		CHECK_OK(sj_value_parse(sj_test_mem(), &opt, sj_slurp(file), &doc, NULL));
		const struct sj_value *list = doc.type == SJ_V_ARRAY ? &doc : sj_value_get(&doc, SJ_LIT("messages"));
		CHECK(list != NULL);
		if (list)
			fn(list, v, names[i]);
		sj_value_unref(sj_test_mem(), doc);
	}
	return (unsigned)n;
}

static void upwards(const struct sj_value *messages, enum sj_version v, const char *file)
{
	if (v == SJ_V08)
		up_and_down(messages, v, SJ_V09, SJ_DIALECT_AUTO, file);
	if (v == SJ_V09)
		up_and_down(messages, v, SJ_V091, SJ_DIALECT_AUTO, file);
	up_and_down(messages, v, SJ_V10, SJ_DIALECT_AUTO, file);
	up_and_down(messages, v, SJ_V10, SJ_DIALECT_BARE, file);
}

static void downwards(const struct sj_value *messages, enum sj_version v, const char *file)
{
	down(messages, v, SJ_V08, file);
	if (v == SJ_V10)
		down(messages, v, SJ_V09, file);
}

static const struct { const char *folder; enum sj_version v;
} EXAMPLES[] = {
	{"a2ui/specification/v0_8/json/catalogs/basic/examples", SJ_V08},
	{"a2ui/specification/v0_8/json/catalogs/minimal/examples", SJ_V08},
	{"a2ui/specification/v0_9/catalogs/basic/examples", SJ_V09},
	{"a2ui/specification/v0_9/catalogs/minimal/examples", SJ_V09},
	{"a2ui/specification/v1_0/catalogs/basic/examples", SJ_V10},
};

SJ_TEST(official_examples_go_up_and_come_down)
{
	unsigned n = 0;
	for (size_t i = 0; i < 4; i++)
		n += each_example(EXAMPLES[i].folder, EXAMPLES[i].v, upwards);
	if (n == 0)
		sj_skip("the specification is not there");
	else
		CHECK(n >= 85);
}

SJ_TEST(official_examples_go_down)
{
	for (size_t i = 2; i < sizeof EXAMPLES / sizeof *EXAMPLES; i++)
		if (!each_example(EXAMPLES[i].folder, EXAMPLES[i].v, downwards))
			sj_skip("%s is not there", EXAMPLES[i].folder);
}
