/* The list of repairs: what was changed to read what a model meant. */
#include <stdarg.h>
#include <stdio.h>

#include "infer/format.h"

static const char *const names[SJ_REPAIR_KINDS] = {
	[SJ_REPAIR_FENCE] = "fence",
	[SJ_REPAIR_QUOTES] = "quotes",
	[SJ_REPAIR_TRAILING_COMMA] = "trailing_comma",
	[SJ_REPAIR_COMMENT] = "comment",
	[SJ_REPAIR_UNCLOSED] = "unclosed",
	[SJ_REPAIR_TEXT_AROUND] = "text_around",
	[SJ_REPAIR_LITERAL] = "literal",
	[SJ_REPAIR_NOT_A_LIST] = "not_a_list",
	[SJ_REPAIR_SYNTAX] = "syntax",
	[SJ_REPAIR_LIFTED] = "lifted",
	[SJ_REPAIR_NESTED_PROPS] = "nested_props",
	[SJ_REPAIR_FLAT_OPERATION] = "flat_operation",
	[SJ_REPAIR_BARE_COMPONENT] = "bare_component",
	[SJ_REPAIR_NAME_CASE] = "name_case",
	[SJ_REPAIR_PATH_STRING] = "path_string",
	[SJ_REPAIR_WRAPPED_TYPE] = "wrapped_type",
	[SJ_REPAIR_SCALAR] = "scalar",
	[SJ_REPAIR_VERSION] = "version",
	[SJ_REPAIR_ALIAS] = "alias",
};

const char *sj_repair_name(enum sj_repair_kind kind)
{
	return (unsigned)kind < SJ_REPAIR_KINDS ? names[kind] : "";
}

uint32_t sj_repairs_count(const struct sj_repairs *repairs, bool guided)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < repairs->list.count; i++) {
		enum sj_repair_kind kind = repairs->list.items[i].kind;
		n += kind != SJ_REPAIR_NOT_A_LIST && (kind >= SJ_REPAIR_NESTED_PROPS) == guided;
	}
	return n;
}

enum sj_status sj_repair_note(struct sj_mem *mem, struct sj_repairs *repairs, enum sj_repair_kind kind, uint32_t line,
                              uint64_t offset, struct sj_diag *diag, const char *format, ...)
{
	struct sj_repair r = {.kind = kind, .line = line, .offset = offset};
	enum sj_status st;
	va_list args;
	va_start(args, format);
	vsnprintf(r.text, sizeof r.text, format, args);
	va_end(args);
	if (kind != SJ_REPAIR_NOT_A_LIST && repairs->cap == 0)
		/* Not a limit that was reached: the text breaks the rules of its notation, and nobody is to mend it. */
		return sj_diag_set(diag, SJ_INVALID, SJ_E_JSON_SYNTAX, SJ_CAT_PARSE,
		                   "this is read only with a repair, and none is allowed (%s: %s)", sj_repair_name(kind),
		                   r.text);
	/* Each of the two ladders has the cap for itself, so that it does not matter which was climbed first. */
	if (kind != SJ_REPAIR_NOT_A_LIST && sj_repairs_count(repairs, kind >= SJ_REPAIR_NESTED_PROPS) >= repairs->cap)
		return sj_diag_set(diag, SJ_LIMIT, SJ_E_LIMIT, SJ_CAT_PARSE,
		                   "more than %u repairs would be needed to read this", repairs->cap);
	st = SJ_VEC_RESERVE(mem, &repairs->list, repairs->list.count + 1, 0);
	if (st != SJ_OK)
		return st;
	repairs->list.items[repairs->list.count++] = r;
	return SJ_OK;
}
