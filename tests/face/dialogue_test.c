/* The dialogue: lines a person types, and what they do. */
#include "face/stage.h"

static bool redraw, quit;

static const struct sj_value *model_at(struct stage *s, const char *pointer)
{
	return sj_value_at(sj_surface_model(sj_view_surface(s->view), SJ_ROOT_DATA), sj_slice_of(pointer));
}

static void check_text(struct stage *s, const char *pointer, const char *want)
{
	const struct sj_value *v = model_at(s, pointer);
	CHECK(v && sj_value_is_string(v));
	if (v)
		CHECK_STR(sj_value_text(v), want);
}

SJ_TEST(typing_into_fields)
{
	struct stage s;
	stage_begin(&s, "{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"a\",\"b\",\"c\"]},"
	                "{\"id\":\"a\",\"component\":\"TextField\",\"label\":\"One line\",\"value\":{\"@path\":\"/a\"}},"
	                "{\"id\":\"b\",\"component\":\"TextField\",\"label\":\"Long\",\"variant\":\"longText\",\"value\":{\"@path\":\"/b\"}},"
	                "{\"id\":\"c\",\"component\":\"TextField\",\"label\":\"Number\",\"variant\":\"number\",\"value\":{\"@path\":\"/c\"}}",
	            "{\"a\":\"\",\"b\":\"\",\"c\":\"4\"}");
	CHECK_STR(stage_say(&s, "1=hello world ", &redraw, &quit), "");
	CHECK(redraw && !quit);
	check_text(&s, "/a", "hello world ");
	CHECK_STR(stage_say(&s, "1=", &redraw, &quit), "");
	check_text(&s, "/a", "");
	CHECK_STR(stage_say(&s, "1=a\\nb", &redraw, &quit), ""); /* an escape belongs to long texts only */
	check_text(&s, "/a", "a\\nb");
	CHECK_STR(stage_say(&s, "2=first\\nsecond \\\\n", &redraw, &quit), "");
	check_text(&s, "/b", "first\nsecond \\n");
	CHECK_STR(stage_say(&s, "3+", &redraw, &quit), "");
	check_text(&s, "/c", "5");
	CHECK_STR(stage_say(&s, "3-", &redraw, &quit), "");
	check_text(&s, "/c", "4");
	CHECK_STR(stage_say(&s, "1+", &redraw, &quit), "1 is no number.\n");
	CHECK_STR(stage_say(&s, "1", &redraw, &quit), "Write into it with 1=...\n");
	CHECK_INT(s.sent, 0); /* nothing leaves before an action */
	stage_end(&s);
}

SJ_TEST(ticking_and_choosing)
{
	struct stage s;
	stage_begin(&s, "{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"a\",\"b\",\"c\"]},"
	                "{\"id\":\"a\",\"component\":\"CheckBox\",\"label\":\"Yes\",\"value\":{\"@path\":\"/a\"}},"
	                "{\"id\":\"b\",\"component\":\"ChoicePicker\",\"label\":\"One\",\"value\":{\"@path\":\"/b\"},\"options\":[{\"label\":\"X\",\"value\":\"x\"},"
	                "{\"label\":\"Y\",\"value\":\"y\"}]},"
	                "{\"id\":\"c\",\"component\":\"ChoicePicker\",\"label\":\"Any\",\"variant\":\"multipleSelection\",\"value\":{\"@path\":\"/c\"},"
	                "\"options\":[{\"label\":\"X\",\"value\":\"x\"},{\"label\":\"Y\",\"value\":\"y\"}]}",
	            "{\"a\":false,\"b\":[],\"c\":[\"x\"]}");
	stage_say(&s, "1", &redraw, &quit);
	CHECK_INT(model_at(&s, "/a")->type, SJ_V_TRUE);
	stage_say(&s, "1=no", &redraw, &quit);
	CHECK_INT(model_at(&s, "/a")->type, SJ_V_FALSE);
	CHECK_STR(stage_say(&s, "1=perhaps", &redraw, &quit), "A box takes yes or no.\n");
	stage_say(&s, "3", &redraw, &quit);
	CHECK_INT(sj_value_count(model_at(&s, "/b")), 1);
	check_text(&s, "/b/0", "y");
	stage_say(&s, "2", &redraw, &quit);
	CHECK_INT(sj_value_count(model_at(&s, "/b")), 1);
	check_text(&s, "/b/0", "x");
	stage_say(&s, "5", &redraw, &quit);
	CHECK_INT(sj_value_count(model_at(&s, "/c")), 2);
	stage_say(&s, "4", &redraw, &quit);
	CHECK_INT(sj_value_count(model_at(&s, "/c")), 1);
	check_text(&s, "/c/0", "y");
	CHECK_STR(stage_say(&s, "4=x", &redraw, &quit), "4 takes no text; type 4 alone.\n");
	stage_end(&s);
}

SJ_TEST(sliding_and_dates)
{
	struct stage s;
	stage_begin(&s, "{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"a\",\"b\",\"d\",\"t\",\"m\"]},"
	                "{\"id\":\"a\",\"component\":\"Slider\",\"label\":\"Whole\",\"max\":10,\"value\":{\"@path\":\"/a\"}},"
	                "{\"id\":\"b\",\"component\":\"Slider\",\"label\":\"Parts\",\"min\":0,\"max\":1,\"steps\":4,\"value\":{\"@path\":\"/b\"}},"
	                "{\"id\":\"d\",\"component\":\"DateTimeInput\",\"label\":\"Day\",\"enableDate\":true,\"value\":{\"@path\":\"/d\"}},"
	                "{\"id\":\"t\",\"component\":\"DateTimeInput\",\"label\":\"Time\",\"enableTime\":true,\"value\":{\"@path\":\"/t\"}},"
	                "{\"id\":\"m\",\"component\":\"DateTimeInput\",\"label\":\"Both\",\"enableDate\":true,\"enableTime\":true,\"value\":{\"@path\":\"/m\"}}",
	            "{\"a\":9,\"b\":0.5,\"d\":\"\",\"t\":\"\",\"m\":\"\"}");
	stage_say(&s, "1+", &redraw, &quit);
	stage_say(&s, "1+", &redraw, &quit);
	CHECK_INT(model_at(&s, "/a")->u.i, 10);
	stage_say(&s, "1=2.5", &redraw, &quit);
	CHECK(sj_value_double(model_at(&s, "/a")) == 2.5);
	CHECK_STR(stage_say(&s, "1=11", &redraw, &quit), "1 takes a number from 0 to 10.\n");
	CHECK_STR(stage_say(&s, "1=much", &redraw, &quit), "1 takes a number.\n");
	stage_say(&s, "2-", &redraw, &quit);
	CHECK(sj_value_double(model_at(&s, "/b")) == 0.25);
	stage_say(&s, "3=2026-12-01", &redraw, &quit);
	check_text(&s, "/d", "2026-12-01");
	CHECK_STR(stage_say(&s, "3=2026-02-30", &redraw, &quit), "3 takes a date, like 3=2026-12-01.\n");
	CHECK_STR(stage_say(&s, "3=18:30", &redraw, &quit), "3 takes a date, like 3=2026-12-01.\n");
	stage_say(&s, "4=18:30", &redraw, &quit);
	check_text(&s, "/t", "18:30");
	stage_say(&s, "5=2026-12-01 18:30", &redraw, &quit);
	check_text(&s, "/m", "2026-12-01T18:30");
	stage_say(&s, "3=", &redraw, &quit);
	check_text(&s, "/d", "");
	stage_end(&s);
}

SJ_TEST(pressing)
{
	struct stage s;
	stage_begin(&s, "{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"f\",\"b\",\"o\"]},"
	                "{\"id\":\"f\",\"component\":\"TextField\",\"label\":\"Name\",\"value\":{\"@path\":\"/n\"}},"
	                "{\"id\":\"b\",\"component\":\"Button\",\"child\":\"bl\",\"action\":{\"event\":{\"name\":\"go\",\"context\":{\"who\":{\"@path\":\"/n\"}}}},"
	                "\"checks\":[{\"condition\":{\"@call\":\"required\",\"args\":{\"value\":{\"@path\":\"/n\"}}},\"message\":\"A name first\"}]},"
	                "{\"id\":\"bl\",\"component\":\"Text\",\"text\":\"Go\"},"
	                "{\"id\":\"o\",\"component\":\"Button\",\"child\":\"ol\",\"action\":{\"functionCall\":{\"@call\":\"openUrl\",\"args\":{\"url\":"
	                "\"https://example.org/\"}}}},{\"id\":\"ol\",\"component\":\"Text\",\"text\":\"Open\"}",
	            "{\"n\":\"\"}");
	CHECK_STR(stage_say(&s, "2", &redraw, &quit), "2 cannot be pressed now: A name first\n");
	CHECK_INT(s.sent, 0);
	stage_say(&s, "1=Ada", &redraw, &quit);
	CHECK_STR(stage_say(&s, "2", &redraw, &quit), "");
	CHECK_INT(s.sent, 1);
	struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
	struct sj_value sent;
	CHECK_OK(sj_value_parse(sj_test_mem(), &opt, sj_buf_view(&s.last), &sent, NULL));
	CHECK_STR(sj_value_text(sj_value_at(&sent, SJ_LIT("/action/context/who"))), "Ada");
	sj_value_unref(sj_test_mem(), sent);
	CHECK_STR(stage_say(&s, "3", &redraw, &quit), "");
	CHECK_INT(s.wanted, 1); /* asked of the host, done by nobody here */
	CHECK_INT(s.sent, 1);
	stage_end(&s);
}

SJ_TEST(tabs_and_dialogs)
{
	struct stage s;
	stage_begin(&s, "{\"id\":\"root\",\"component\":\"Column\",\"children\":[\"tabs\",\"m\"]},"
	                "{\"id\":\"tabs\",\"component\":\"Tabs\",\"tabs\":[{\"title\":\"One\",\"child\":\"a\"},{\"title\":\"Two\",\"child\":\"b\"}]},"
	                "{\"id\":\"a\",\"component\":\"Text\",\"text\":\"first\"},{\"id\":\"b\",\"component\":\"Text\",\"text\":\"second\"},"
	                "{\"id\":\"m\",\"component\":\"Modal\",\"trigger\":\"mb\",\"content\":\"mc\"},"
	                "{\"id\":\"mb\",\"component\":\"Button\",\"child\":\"ml\",\"action\":{\"event\":{\"name\":\"x\"}}},"
	                "{\"id\":\"ml\",\"component\":\"Text\",\"text\":\"Terms\"},{\"id\":\"mc\",\"component\":\"Text\",\"text\":\"Read them.\"}",
	            NULL);
	CHECK_STR(stage_draw(&s, (struct sj_text_options){.width = 30, .numbers = true}),
	          "  1) One   2) Two\n"
	          " ━━━━━━━━─────────────────────\n"
	          " first\n"
	          "\n"
	          " 3) [ Terms … ]\n");
	stage_say(&s, "2", &redraw, &quit);
	CHECK_STR(stage_draw(&s, (struct sj_text_options){.width = 30, .numbers = true}),
	          "  1) One   2) Two\n"
	          " ─────────━━━━━━━━────────────\n"
	          " second\n"
	          "\n"
	          " 3) [ Terms … ]\n");
	stage_say(&s, "3", &redraw, &quit);
	CHECK_INT(s.sent, 1); /* the button that opens it has a deed of its own */
	CHECK_STR(stage_draw(&s, (struct sj_text_options){.width = 30, .numbers = true}),
	          "  1) One   2) Two\n"
	          " ─────────━━━━━━━━────────────\n"
	          " second\n"
	          "\n"
	          " [ Terms … ]\n"
	          " ╭─ Terms ───────────────────╮\n"
	          " │ Read them.                │\n"
	          " │                           │\n"
	          " │ 3) [ Close ]              │\n"
	          " ╰───────────────────────────╯\n");
	stage_say(&s, "3", &redraw, &quit);
	CHECK_STR(stage_draw(&s, (struct sj_text_options){.linear = true}), "tab 1: One\ntab 2: Two, selected\ntext: second\nbutton 3: Terms, opens a dialog\n");
	CHECK_INT(s.sent, 1);
	stage_end(&s);
}

SJ_TEST(what_cannot_be_understood)
{
	struct stage s;
	stage_begin(&s, "{\"id\":\"root\",\"component\":\"TextField\",\"label\":\"Name\",\"value\":\"\"}", NULL);
	CHECK_STR(stage_say(&s, "7", &redraw, &quit), "There is no 7; the numbers go from 1 to 1.\n");
	CHECK_STR(stage_say(&s, "0", &redraw, &quit), "There is no 0; the numbers go from 1 to 1.\n");
	CHECK_STR(stage_say(&s, "99999999999999999999=x", &redraw, &quit),
	          "There is no 999999999999; the numbers go from 1 to 1.\n");
	CHECK(!redraw && !quit);
	CHECK(sj_slice_starts(stage_say(&s, "hello", &redraw, &quit), "That begins with no number. Type a number"));
	CHECK(sj_slice_starts(stage_say(&s, "?", &redraw, &quit), "Type a number"));
	CHECK(sj_slice_starts(stage_say(&s, "1*", &redraw, &quit), "After the number comes nothing"));
	CHECK_STR(stage_say(&s, "1?", &redraw, &quit), "1 is TextField \"root\"\n");
	CHECK_STR(stage_say(&s, "", &redraw, &quit), "");
	CHECK(redraw && !quit);
	CHECK_STR(stage_say(&s, "q\n", &redraw, &quit), "");
	CHECK(quit);
	stage_end(&s);
}

SJ_TEST(a_control_that_went)
{
	struct stage s;
	struct sj_buf reply;
	stage_begin(&s, "{\"id\":\"root\",\"component\":\"List\",\"children\":{\"componentId\":\"f\",\"path\":\"/rows\"}},"
	                "{\"id\":\"f\",\"component\":\"TextField\",\"label\":\"Name\",\"value\":{\"@path\":\"n\"}}",
	            "{\"rows\":[{\"n\":\"a\"},{\"n\":\"b\"}]}");
	stage_draw(&s, (struct sj_text_options){.numbers = true});
	CHECK_INT(s.picture.ncontrols, 2);
	stage_feed(&s, "{\"version\":\"v1.0\",\"updateDataModel\":{\"surfaceId\":\"s\",\"path\":\"/rows\",\"value\":[{\"n\":\"a\"}]}}");
	CHECK_OK(sj_surface_settle(sj_view_surface(s.view)));
	sj_buf_init(&reply, sj_test_mem(), 0);
	CHECK_OK(sj_text_command(s.engine, s.view, &s.picture, SJ_LIT("2=x"), &reply, &redraw, &quit));
	CHECK_STR(sj_buf_view(&reply), "2 is gone.\n");
	CHECK(redraw);
	sj_buf_finish(&reply);
	stage_end(&s);
}
