#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf.h"

static const char *const code_names[SJ_E_COUNT] = {
#define CODE_NAME(name, text) [SJ_E_##name] = text,
	SJ_CODES(CODE_NAME)
#undef CODE_NAME
};

static const char *const category_names[] = {
	[SJ_CAT_NONE] = "",
	[SJ_CAT_PARSE] = "ParseError",
	[SJ_CAT_VALIDATION] = "ValidationError",
	[SJ_CAT_INTEGRITY] = "IntegrityError",
	[SJ_CAT_RECURSION] = "RecursionError",
	[SJ_CAT_CATALOG] = "CatalogError",
	[SJ_CAT_COMPILE] = "CompileError",
	[SJ_CAT_DATA] = "DataError",
	[SJ_CAT_EXPRESSION] = "ExpressionError",
	[SJ_CAT_STATE] = "StateError",
	[SJ_CAT_RPC] = "RpcError",
};

const char *sj_code_name(enum sj_code code)
{
	return (unsigned)code < SJ_E_COUNT ? code_names[code] : "NONE";
}

const char *sj_category_name(enum sj_category cat)
{
	return (size_t)cat < sizeof category_names / sizeof *category_names ? category_names[cat] : "";
}

bool sj_category_is(enum sj_category cat, enum sj_category base)
{
	return cat == base || (base == SJ_CAT_VALIDATION && (cat == SJ_CAT_INTEGRITY || cat == SJ_CAT_RECURSION));
}

/* Formats into a fixed field; text that does not fit ends in "…" after its last whole code point. */
__attribute__((format(printf, 3, 0))) static void format_field(char *field, size_t size, const char *format,
                                                               va_list args)
{
	static const char ellipsis[] = "\xE2\x80\xA6";
	int n = vsnprintf(field, size, format, args);
	if (n < 0) {
		field[0] = '\0';
		return;
	}
	if ((size_t)n < size)
		return;
	size_t keep = sj_utf8_cut(sj_slice(field, size - 1), size - sizeof ellipsis);
	memcpy(field + keep, ellipsis, sizeof ellipsis);
}

enum sj_status sj_diag_set(struct sj_diag *d, enum sj_status status, enum sj_code code, enum sj_category cat,
                           const char *format, ...)
{
	if (!d || d->code != SJ_E_NONE)
		return status;
	d->code = code;
	d->category = cat;
	d->severity = SJ_SEV_ERROR;
	va_list args;
	va_start(args, format);
	format_field(d->message, sizeof d->message, format, args);
	va_end(args);
	return status;
}

void sj_diag_pointer(struct sj_diag *d, const char *format, ...)
{
	if (!d)
		return;
	va_list args;
	va_start(args, format);
	format_field(d->pointer, sizeof d->pointer, format, args);
	va_end(args);
}

void sj_diag_hint(struct sj_diag *d, const char *format, ...)
{
	if (!d)
		return;
	va_list args;
	va_start(args, format);
	format_field(d->hint, sizeof d->hint, format, args);
	va_end(args);
}

void sj_diag_clear(struct sj_diag *d)
{
	if (!d)
		return;
	/* The texts are kilobytes: emptying them is enough, and this runs for every message. */
	d->code = SJ_E_NONE;
	d->category = SJ_CAT_NONE;
	d->severity = SJ_SEV_ERROR;
	d->line = 0;
	d->message_number = 0;
	d->offset = 0;
	d->detail[0] = d->pointer[0] = d->message[0] = d->hint[0] = '\0';
}
