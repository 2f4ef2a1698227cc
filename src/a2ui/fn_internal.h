/* What the files of the function table share: not for other files of the module. */
#ifndef SJ_A2UI_FN_INTERNAL_H
#define SJ_A2UI_FN_INTERNAL_H

#include "a2ui/fn_regex.h"
#include "a2ui/functions.h"

enum { SJ_FN_COUNT = 15, SJ_FN_LOCALE_BYTES = 64 };

struct sj_fn_table {
	struct sj_mem *mem;
	struct sj_limits limits;
	struct sj_locales locales;
	struct sj_fn_row rows[SJ_FN_COUNT]; /* sorted by name */
	struct sj_fn_regexes regexes;
	struct sj_buf scratch; /* text on its way into a value: kept, so that a formatter allocates only its output */
	uint32_t template_depth;
};

/* A row as written down: what struct sj_fn_row has no place for stands beside it. */
typedef enum sj_result (*sj_fn_eval)(struct sj_call *c, struct sj_value *out);
struct sj_fn_source {
	const char *name;
	const char *params[SJ_FN_MAX_PARAMS];
	uint8_t required; /* bit i: params[i] must be given */
	enum sj_fn_kind kind;
	bool uses_locale;
	sj_fn_eval v09, v10;
};

/* functions_check.c */
enum sj_result sj_fn_required(struct sj_call *c, struct sj_value *out);
enum sj_result sj_fn_regex(struct sj_call *c, struct sj_value *out);
enum sj_result sj_fn_length(struct sj_call *c, struct sj_value *out);
enum sj_result sj_fn_numeric(struct sj_call *c, struct sj_value *out);
enum sj_result sj_fn_email_v09(struct sj_call *c, struct sj_value *out);
enum sj_result sj_fn_email_v10(struct sj_call *c, struct sj_value *out);
enum sj_result sj_fn_and_v09(struct sj_call *c, struct sj_value *out);
enum sj_result sj_fn_and_v10(struct sj_call *c, struct sj_value *out);
enum sj_result sj_fn_or_v09(struct sj_call *c, struct sj_value *out);
enum sj_result sj_fn_or_v10(struct sj_call *c, struct sj_value *out);
enum sj_result sj_fn_not_v09(struct sj_call *c, struct sj_value *out);
enum sj_result sj_fn_not_v10(struct sj_call *c, struct sj_value *out);
/* functions_format.c */
enum sj_result sj_fn_format_number(struct sj_call *c, struct sj_value *out);
enum sj_result sj_fn_format_currency(struct sj_call *c, struct sj_value *out);
enum sj_result sj_fn_format_date(struct sj_call *c, struct sj_value *out);
enum sj_result sj_fn_pluralize(struct sj_call *c, struct sj_value *out);
enum sj_result sj_fn_capitalize(struct sj_call *c, struct sj_value *out);
/* functions_template.c */
enum sj_result sj_fn_format_string(struct sj_call *c, struct sj_value *out);
/* A template whose text is known, in a scope without a model: a path reads as absent, @index is an error. */
enum sj_result sj_fn_template(struct sj_fn_table *t, struct sj_mem *mem, enum sj_version v, struct sj_slice text,
                              struct sj_value *out, struct sj_diag *diag);

/* functions.c */
const struct sj_fn_source *sj_fn_source(const struct sj_fn_row *row);
/* Calls a PURE row with arguments by name; a name the row lacks is SJ_R_ERROR when `strict`. `call` brings mem, surface
 * and diag. */
enum sj_result sj_fn_call_named(struct sj_fn_table *t, struct sj_call *call, enum sj_version v, struct sj_slice name,
                                const struct sj_slice *names, const struct sj_value *values, uint32_t n, bool strict,
                                struct sj_value *out);
enum sj_result sj_fn_fault(struct sj_call *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
enum sj_result sj_fn_no_memory(struct sj_call *c);
enum sj_result sj_fn_give_text(struct sj_call *c, struct sj_slice text, struct sj_value *out);
/* The scratch buffer, empty; and its content as a value. */
struct sj_buf *sj_fn_scratch(struct sj_call *c);
enum sj_result sj_fn_give_scratch(struct sj_call *c, struct sj_value *out);
const struct sj_value *sj_fn_arg(const struct sj_call *c, uint32_t i); /* never NULL */
/* The text a text argument stands for: a string's own bytes, or another scalar's spelling, in scratch. false: a
 * container. */
bool sj_fn_text_arg(struct sj_call *c, const struct sj_value *v, struct sj_slice *text);

enum sj_fn_number { SJ_FN_NUMBER_ABSENT, SJ_FN_NUMBER_OK, SJ_FN_NUMBER_BAD };
/* By the protocol's coercions: null, blank text: 0; booleans: 0 and 1; numeric text: its number. Other text and
 * containers: BAD. */
enum sj_fn_number sj_fn_number_arg(const struct sj_value *v, double *number);

#endif
