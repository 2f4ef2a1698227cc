/* Templates from anyone: the first byte chooses limits, the rest is the template. Beyond not crashing: what is accepted
 * prints as JSON and gives back all memory, what is refused is a ParseError whose place lies in the text; evaluating it
 * ends in a text or in an error. */
#include <stdlib.h>

#include "a2ui/functions.h"
#include "a2ui/template.h"
#include "base/utf.h"

#define MUST(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition))                                                                                      \
			abort();                                                                                       \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void parse(struct sj_mem *mem, const struct sj_limits *l, struct sj_slice text)
{
	struct sj_arena arena;
	struct sj_tpl tpl;
	struct sj_diag d = {0};
	sj_arena_init(&arena, mem, 0);
	enum sj_status s = sj_tpl_parse(&arena, l, text, &tpl, &d);
	if (s == SJ_OK) {
		struct sj_buf out;
		struct sj_value v = SJ_ABSENT_VALUE;
		struct sj_json_options opt = sj_json_options_wire(&SJ_LIMITS_DEFAULT);
		sj_buf_init(&out, mem, 0);
		sj_tpl_json(&tpl, &out);
		MUST(tpl.count > 0 && tpl.count <= l->template_parts);
		MUST(sj_buf_status(&out) == SJ_OK);
		if (sj_utf8_check(text) == text.len)
			MUST(sj_value_parse(mem, &opt, sj_buf_view(&out), &v, NULL) == SJ_OK);
		sj_value_unref(mem, v);
		sj_buf_finish(&out);
	} else {
		MUST(s == SJ_INVALID || s == SJ_LIMIT);
		MUST(d.category == SJ_CAT_PARSE && d.offset <= text.len && d.message[0]);
	}
	sj_arena_finish(&arena);
}

static void evaluate(struct sj_mem *mem, const struct sj_limits *l, struct sj_slice text)
{
	struct sj_fn_table *t;
	struct sj_value args, value, out = SJ_ABSENT_VALUE;
	struct sj_diag d = {0};
	MUST(sj_fn_table_create(mem, l, NULL, &t) == SJ_OK);
	MUST(sj_value_object(mem, &args) == SJ_OK);
	MUST(sj_value_string(mem, text, &value) == SJ_OK);
	MUST(sj_value_set(mem, &args, SJ_LIT("value"), value) == SJ_OK);
	enum sj_result r = sj_fn_evaluate(t, mem, SJ_V10, SJ_LIT("formatString"), &args, &out, &d);
	MUST(r == SJ_R_OK ? sj_value_is_string(&out) && d.code == SJ_E_NONE : r == SJ_R_ERROR && d.message[0]);
	sj_value_unref(mem, out);
	sj_value_unref(mem, args);
	sj_fn_table_destroy(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sj_mem mem;
	struct sj_limits l = SJ_LIMITS_DEFAULT;
	if (size == 0)
		return 0;
	sj_mem_init(&mem, NULL, 0);
	if (data[0] & 1)
		l.expression_depth = 3, l.template_parts = 4, l.call_args = 3;
	struct sj_slice text = {(const char *)data + 1, size - 1};
	parse(&mem, &l, text);
	evaluate(&mem, &l, text);
	MUST(mem.used_bytes == 0);
	return 0;
}
