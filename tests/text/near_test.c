#include "text/near.h"

#include "harness/test.h"

SJ_TEST(distance)
{
	static const struct {
		const char *a, *b;
		uint32_t steps;
		bool near;
	} rows[] = {
		{"", "", 0, false},
		{"name", "name", 0, true},
		{"name", "nmae", 1, true}, /* a swap is one step */
		{"name", "names", 1, true},
		{"name", "Name", 0, true},
		{"user-name", "user_name", 0, true},
		{"firstName", "first_name", 0, true},
		{"a", "b", 1, false}, /* the whole word */
		{"row", "rows", 1, true},
		{"cat", "dog", 3, false},
		{"submit", "sumbit", 1, true},
		{"description", "desc", 7, false},
		{"items", "itemList", 3, false},
		{"email", "emailAdr", 3, true}, /* more than half of it */
		{"kitten", "sitting", 3, false},
		{"", "abc", 3, false},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint32_t steps, back;
		sj_case("%s, %s", rows[i].a, rows[i].b);
		CHECK_INT(sj_near(sj_slice_of(rows[i].a), sj_slice_of(rows[i].b), &steps), rows[i].near);
		CHECK_INT(sj_near(sj_slice_of(rows[i].b), sj_slice_of(rows[i].a), &back), rows[i].near);
		CHECK_INT(steps, rows[i].steps);
		CHECK_INT(back, rows[i].steps);
		sj_case_end();
	}
}

SJ_TEST(long_words_are_near_to_nothing)
{
	char word[SJ_NEAR_BYTES + 1];
	uint32_t steps;
	memset(word, 'x', sizeof word);
	CHECK(!sj_near(sj_slice(word, sizeof word), sj_slice(word, sizeof word), &steps));
	CHECK(sj_near(sj_slice(word, sizeof word - 1), sj_slice(word, sizeof word - 2), &steps));
	CHECK_INT(steps, 1);
}
