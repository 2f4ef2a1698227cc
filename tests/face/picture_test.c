/* Pictures. pictures/NAME.json is a message; pictures/NAME.OPTIONS.txt is what it looks like: w40 (columns), ascii,
 * linear, colour, numbers. */
#include "face/stage.h"

#include <stdio.h>

static struct sj_text_options options_of(const char *text)
{
	struct sj_text_options look = {.width = 60};
	const char *w = strchr(text, 'w');
	if (w && w[1] >= '0' && w[1] <= '9')
		look.width = (uint32_t)(w[1] - '0') * 10 + (uint32_t)(w[2] - '0');
	look.ascii = strstr(text, "ascii") != NULL;
	look.linear = strstr(text, "linear") != NULL;
	look.colour = strstr(text, "colour") != NULL;
	look.numbers = strstr(text, "numbers") != NULL;
	return look;
}

static void compare(const char *file)
{
	char name[128], path[256];
	struct sj_engine_config cfg = {.size = sizeof cfg};
	struct stage s = {.peer = 0};
	const char *dot = strchr(file, '.');

	snprintf(name, sizeof name, "%.*s", (int)(dot - file), file);
	snprintf(path, sizeof path, "tests/face/pictures/%s.json", name);
	struct sj_slice message = sj_slurp(sj_root(path));
	snprintf(path, sizeof path, "tests/face/pictures/%s", file);
	struct sj_slice want = sj_slurp(sj_root(path));
	CHECK(message.ptr && want.ptr);
	CHECK_OK(sj_engine_create(&cfg, &s.engine));
	CHECK_OK(sj_engine_peer_open(s.engine, SJ_LIT("agent"), &s.peer));
	sj_text_picture_init(&s.picture, sj_test_mem());
	sj_buf_init(&s.last, sj_test_mem(), 0);
	CHECK_OK(sj_engine_feed(s.engine, s.peer, message.ptr, message.len));
	stage_drain(&s);
	CHECK_INT(s.faults, 0);
	s.view = sj_engine_view(s.engine, UINT32_MAX, SJ_LIT("s"));
	CHECK(s.view != NULL);
	if (s.view)
		CHECK_SLICE(stage_draw(&s, options_of(dot + 1)), want);
	stage_end(&s);
}

SJ_TEST(pictures)
{
	char **names;
	size_t count = sj_list_dir(sj_root("tests/face/pictures"), ".txt", &names);
	CHECK(count >= 20);
	for (size_t i = 0; i < count; i++) {
		sj_case("%s", names[i]);
		compare(names[i]);
		sj_case_end();
	}
}

/* ---- what no message of the basic catalog can make --------------------------------------------------------------- */

static const struct sj_host_prop STEPPER[] = {
	{"name", "DynamicString", SJ_P_LABEL, true, ""},    {"price", "DynamicNumber", SJ_P_DETAIL, false, ""},
	{"currency", "string", SJ_P_CURRENCY, false, ""},   {"quantity", "DynamicNumber", SJ_P_VALUE, true, ""},
	{"max", "DynamicNumber", SJ_P_MAX, false, ""},      {0},
};
static const struct sj_host_prop RATING[] = {
	{"label", "DynamicString", SJ_P_LABEL, true, ""}, {"stars", "DynamicNumber", SJ_P_VALUE, true, ""}, {0}};
static const struct sj_host_prop SUMMARY[] = {
	{"label", "DynamicString", SJ_P_LABEL, true, ""}, {"amount", "DynamicString", SJ_P_VALUE, true, ""}, {0}};
static const struct sj_host_prop PANEL[] = {
	{"title", "DynamicString", SJ_P_LABEL, false, ""}, {"body", "DynamicString", SJ_P_TEXT, false, ""},
	{"inside", "ChildList", SJ_P_CHILDREN, false, ""}, {0}};
static const struct sj_host_component COMPONENTS[] = {
	{.name = "Dish", .kind = SJ_UI_STEPPER, .props = STEPPER, .description = ""},
	{.name = "Stars", .kind = SJ_UI_RATING, .props = RATING, .description = ""},
	{.name = "Total", .kind = SJ_UI_SUMMARY, .props = SUMMARY, .description = ""},
	{.name = "Panel", .kind = SJ_UI_CUSTOM, .props = PANEL, .description = ""},
	{0},
};
static const struct sj_host_catalog CATALOG = {.catalog_id = "urn:test:kinds",
                                               .title = "Kinds",
                                               .version = SJ_V10,
                                               .components = COMPONENTS,
                                               .include_basic = true};

SJ_TEST(kinds_of_a_host)
{
	struct sj_engine_config cfg = {.size = sizeof cfg};
	struct sj_diag d = {0};
	struct stage s = {.peer = 0};
	CHECK_OK(sj_engine_create(&cfg, &s.engine));
	CHECK_OK(sj_engine_add_host_catalog(s.engine, &CATALOG, &d));
	CHECK_OK(sj_engine_peer_open(s.engine, SJ_LIT("agent"), &s.peer));
	sj_text_picture_init(&s.picture, sj_test_mem());
	sj_buf_init(&s.last, sj_test_mem(), 0);
	stage_feed(&s, "{\"version\":\"v1.0\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":\"urn:test:kinds\",\"dataModel\":{\"n\":2,\"r\":3},"
	               "\"components\":["
	               "{\"id\":\"root\",\"component\":\"Panel\",\"title\":\"Dinner\",\"body\":\"Choose **well**.\",\"inside\":[\"a\",\"b\",\"c\",\"d\"]},"
	               "{\"id\":\"a\",\"component\":\"Dish\",\"name\":\"Kimchi stew\",\"price\":9000,\"currency\":\"KRW\",\"quantity\":{\"@path\":\"/n\"},\"max\":3},"
	               "{\"id\":\"b\",\"component\":\"Stars\",\"label\":\"How was it?\",\"stars\":{\"@path\":\"/r\"}},"
	               "{\"id\":\"c\",\"component\":\"Total\",\"label\":\"Total\",\"amount\":\"18,000\"},"
	               "{\"id\":\"d\",\"component\":\"Panel\"}]}}");
	CHECK_INT(s.faults, 0);
	s.view = sj_engine_view(s.engine, UINT32_MAX, SJ_LIT("s"));
	CHECK_STR(stage_draw(&s, (struct sj_text_options){.width = 41}), " Dinner\n"
	                                                                 " Choose well.\n"
	                                                                 " Kimchi stew                ₩9,000  − 2 +\n"
	                                                                 "\n"
	                                                                 " How was it?\n"
	                                                                 " ★★★☆☆  3 of 5\n"
	                                                                 "\n"
	                                                                 " Total ··························· 18,000\n"
	                                                                 " [Panel]\n");
	CHECK_STR(stage_draw(&s, (struct sj_text_options){.linear = true}),
	          "text: Dinner\n"
	          "text: Choose well.\n"
	          "stepper 1: Kimchi stew, ₩9,000, 2, from 0 to 3\n"
	          "rating 2: How was it?, 3 of 5 stars\n"
	          "text: Total: 18,000\n");
	bool redraw, quit;
	CHECK_STR(stage_say(&s, "1+", &redraw, &quit), "");
	CHECK_STR(stage_say(&s, "1+", &redraw, &quit), ""); /* three is the most */
	CHECK_STR(stage_say(&s, "2=5", &redraw, &quit), "");
	CHECK_STR(stage_say(&s, "1=7", &redraw, &quit), "1 takes a number from 0 to 3.\n");
	CHECK_STR(stage_draw(&s, (struct sj_text_options){.width = 41, .ascii = true}),
	          " Dinner\n"
	          " Choose well.\n"
	          " Kimchi stew                ₩9,000  - 3 +\n"
	          "\n"
	          " How was it?\n"
	          " *****  5 of 5\n"
	          "\n"
	          " Total ........................... 18,000\n"
	          " [Panel]\n");
	stage_end(&s);
}

SJ_TEST(agent_is_named_outside_its_area)
{
	struct sj_engine_config cfg = {.size = sizeof cfg};
	struct stage s = {.peer = 0};
	CHECK_OK(sj_engine_create(&cfg, &s.engine));
	CHECK_OK(sj_engine_peer_open(s.engine, SJ_LIT("agent"), &s.peer));
	sj_text_picture_init(&s.picture, sj_test_mem());
	sj_buf_init(&s.last, sj_test_mem(), 0);
	stage_feed(&s, "[{\"version\":\"v0.9\",\"createSurface\":{\"surfaceId\":\"s\",\"catalogId\":"
	               "\"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json\",\"theme\":{\"agentDisplayName\":\"Table\\u001b[7m Finder\"}}},"
	               "{\"version\":\"v0.9\",\"updateComponents\":{\"surfaceId\":\"s\",\"components\":[{\"id\":\"root\",\"component\":\"Text\",\"text\":"
	               "\"Agent: Somebody else\"}]}}]");
	s.view = sj_engine_view(s.engine, UINT32_MAX, SJ_LIT("s"));
	CHECK_STR(stage_draw(&s, (struct sj_text_options){.width = 40}),
	          "Agent: Table[7m Finder\n Agent: Somebody else\n");
	stage_end(&s);
}

SJ_TEST(nothing_yet)
{
	struct stage s;
	stage_begin(&s, "{\"id\":\"other\",\"component\":\"Text\",\"text\":\"x\"}", NULL);
	CHECK_STR(stage_draw(&s, (struct sj_text_options){.width = 40}), "Nothing to show yet.\n");
	CHECK_STR(stage_draw(&s, (struct sj_text_options){.linear = true}), "Nothing to show yet.\n");
	CHECK_INT(s.picture.ncontrols, 0);
	stage_end(&s);
}

SJ_TEST(long_lists_are_cut)
{
	struct stage s;
	stage_begin(&s, "{\"id\":\"root\",\"component\":\"List\",\"children\":{\"componentId\":\"row\",\"path\":\"/rows\"}},"
	                "{\"id\":\"row\",\"component\":\"Text\",\"text\":{\"@path\":\"n\"}}",
	            "{\"rows\":[{\"n\":\"zero\"},{\"n\":\"one\"},{\"n\":\"two\"},{\"n\":\"three\"},{\"n\":\"four\"}]}");
	CHECK_STR(stage_draw(&s, (struct sj_text_options){.width = 40, .max_rows = 2}), " zero\n one\n … 3 more\n");
	CHECK_STR(stage_draw(&s, (struct sj_text_options){.width = 40, .max_rows = 5}),
	          " zero\n one\n two\n three\n four\n");
	CHECK_STR(stage_draw(&s, (struct sj_text_options){.linear = true, .max_rows = 2}),
	          "list of 5\ntext: zero\ntext: one\nand 3 more\nend of list\n");
	stage_end(&s);
}

SJ_TEST(width_is_kept)
{
	/* No line of any picture is wider than asked, down to the narrowest. */
	struct stage s;
	stage_begin(&s, "{\"id\":\"root\",\"component\":\"Card\",\"child\":\"c\"},"
	                "{\"id\":\"c\",\"component\":\"Column\",\"children\":[\"t\",\"r\",\"f\",\"x\"]},"
	                "{\"id\":\"t\",\"component\":\"Text\",\"text\":\"Donaudampfschifffahrtsgesellschaft 日本語 and a list:\\n\\n- one\\n- two\"},"
	                "{\"id\":\"r\",\"component\":\"Row\",\"children\":[\"t\",\"f\",\"x\"]},"
	                "{\"id\":\"f\",\"component\":\"TextField\",\"label\":\"A rather long label of a field\",\"value\":\"and a long value that goes on\"},"
	                "{\"id\":\"x\",\"component\":\"CheckBox\",\"label\":\"I have read all of it, really\",\"value\":true}",
	            NULL);
	for (uint32_t width = 24; width <= 90; width += 11) {
		struct sj_slice text = stage_draw(&s, (struct sj_text_options){.width = width, .ascii = true});
		for (size_t at = 0; at < text.len;) {
			const char *end = memchr(text.ptr + at, '\n', text.len - at);
			size_t len = (size_t)(end - text.ptr) - at;
			size_t wide = 0; /* the three ideographs take two columns and three bytes each */
			for (size_t i = at; i < at + len; i++)
				wide += (text.ptr[i] & 0xC0) != 0x80 ? ((unsigned char)text.ptr[i] >= 0xE0 ? 2 : 1) : 0;
			if (wide > width)
				sj_fail_at(__FILE__, __LINE__, "width %u: %.*s", width, (int)len, text.ptr + at);
			at += len + 1;
		}
	}
	stage_end(&s);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static enum sj_status draw_once(struct sj_mem *mem, void *ctx)
{
	struct stage *s = ctx;
	struct sj_text_picture picture;
	struct sj_text_options look = {.width = 60, .numbers = true, .colour = true};
	sj_text_picture_init(&picture, mem);
	enum sj_status status = sj_text_draw(s->engine, s->view, &look, &picture);
	if (status != SJ_OK)
		CHECK_INT(picture.text.len + picture.ncontrols, 0);
	sj_text_picture_finish(&picture);
	return status;
}

SJ_TEST(out_of_memory)
{
	struct stage s;
	stage_begin(&s, "{\"id\":\"root\",\"component\":\"Card\",\"child\":\"c\"},{\"id\":\"c\",\"component\":\"Column\",\"children\":[\"t\",\"r\"]},"
	                "{\"id\":\"t\",\"component\":\"Text\",\"text\":\"# Hello\\n\\n- one\"},{\"id\":\"r\",\"component\":\"Row\",\"children\":[\"b\",\"i\"]},"
	                "{\"id\":\"b\",\"component\":\"Button\",\"child\":\"bl\",\"action\":{\"event\":{\"name\":\"x\"}}},"
	                "{\"id\":\"bl\",\"component\":\"Text\",\"text\":\"Go é\"},{\"id\":\"i\",\"component\":\"Icon\",\"name\":\"print\"}",
	            NULL);
	sj_torture(draw_once, &s);
	stage_end(&s);
}
