/* The vocabulary's tables: names and look-ups agree, roles and reasons are the words a face shows. */
#include "harness/test.h"
#include "ui/ui.h"

SJ_TEST(kinds_name_and_find_agree)
{
	for (int k = 0; k < SJ_UI_KIND_COUNT; k++) {
		CHECK_INT(sj_ui_kind_find(sj_slice_of(sj_ui_kind_name((enum sj_ui_kind)k))), k);
		CHECK(strlen(sj_ui_kind_name((enum sj_ui_kind)k)) > 0);
	}
	CHECK_INT(sj_ui_kind_find(SJ_LIT("TextField")), SJ_UI_CUSTOM);
	CHECK_INT(sj_ui_kind_find(SJ_NO_SLICE), SJ_UI_CUSTOM);
	CHECK_INT(sj_ui_kind_find(SJ_LIT("dateTime")), SJ_UI_DATE_TIME);
}

SJ_TEST(meanings_name_and_find_agree)
{
	for (int p = 1; p < SJ_UI_PROP_COUNT; p++)
		CHECK_INT(sj_ui_prop_find(sj_slice_of(sj_ui_prop_name((enum sj_ui_prop)p))), p);
	CHECK_INT(sj_ui_prop_find(SJ_NO_SLICE), SJ_P_NONE);
	CHECK_INT(sj_ui_prop_find(SJ_LIT("accessibility.label")), SJ_P_A11Y_LABEL);
	CHECK_INT(sj_ui_prop_find(SJ_LIT("nothing")), SJ_P_NONE);
	CHECK(SJ_UI_PROP_COUNT <= 64);
}

SJ_TEST(roles_and_inputs)
{
	CHECK_STR(sj_slice_of(sj_ui_role_name(sj_ui_role(SJ_UI_BUTTON))), "button");
	CHECK_STR(sj_slice_of(sj_ui_role_name(sj_ui_role(SJ_UI_TEXT_FIELD))), "textbox");
	CHECK_STR(sj_slice_of(sj_ui_role_name(sj_ui_role(SJ_UI_IMAGE))), "img");
	CHECK_STR(sj_slice_of(sj_ui_role_name(sj_ui_role(SJ_UI_COLUMN))), "none");
	CHECK_STR(sj_slice_of(sj_ui_role_name(SJ_ROLE_HEADING)), "heading");
	CHECK(sj_ui_is_input(SJ_UI_CHECK_BOX));
	CHECK(sj_ui_is_input(SJ_UI_STEPPER));
	CHECK(!sj_ui_is_input(SJ_UI_BUTTON));
	CHECK(!sj_ui_is_input(SJ_UI_CUSTOM));
}

SJ_TEST(reasons)
{
	CHECK_STR(sj_slice_of(sj_why_name(SJ_WHY_SHOWN)), "resolved");
	CHECK_STR(sj_slice_of(sj_why_name(SJ_WHY_OVER_LIMIT)), "over-limit");
	CHECK_STR(sj_slice_of(sj_why_text(SJ_WHY_CYCLIC)), "This component is inside itself.");
}
