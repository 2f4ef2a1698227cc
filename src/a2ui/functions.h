/* The functions of the basic catalogs (docs/functions.md), as rows the core can call, and the value rules they share.
 * Arguments are positional, in the order of the row's `params`; a missing one is ABSENT. Rows with `uses_locale` get
 * two further arguments after the declared ones: locale and time zone (strings or ABSENT: en, UTC), which the compiler
 * reads from /@env so that a change of environment re-evaluates exactly these.
 *
 * ABSENT means that data has not arrived, and is never an error: a check judges the empty text a person sees, a
 * formatter is ABSENT too. Only what is there and has the wrong type is one (docs/functions.md has each function's
 * rule).
 */
#ifndef SJ_A2UI_FUNCTIONS_H
#define SJ_A2UI_FUNCTIONS_H

#include "a2ui/catalog.h"
#include "text/locale.h"
#include "text/regex.h"

#define SJ_FN_MAX_PARAMS 8
struct sj_fn_row {
	const char *name;
	const char *params[SJ_FN_MAX_PARAMS]; /* NULL-ended */
	enum sj_fn_kind kind;
	bool uses_locale;
	struct sj_function fn_v09, fn_v10; /* they differ where v1.0 returns a ValidationResult */
};

/* Functions of one engine: rows with their ctx set to this table's environment (locales, limits, a bounded regex
 * cache). */
struct sj_fn_table;
enum sj_status sj_fn_table_create(struct sj_mem *mem, const struct sj_limits *l, const struct sj_locales *locales,
                                  struct sj_fn_table **out);
void sj_fn_table_destroy(struct sj_fn_table *t);
/* What follows is set off by another message or deed: functions whose effort is limited by turn may begin anew. */
void sj_fn_table_turn(struct sj_fn_table *t);
/* Built in: required regex length numeric email and or not formatString formatNumber formatCurrency formatDate
 * pluralize openUrl capitalize. The row of formatString is for templates that are computed, which are data and shown as
 * they are; a literal template is compiled by the caller. openUrl is an EFFECT. NULL: none of them. */
const struct sj_fn_row *sj_fn_find(const struct sj_fn_table *t, struct sj_slice name);
/* sj_impl_fn over the table. */
const struct sj_function *sj_fn_impl(void *table, enum sj_version v, struct sj_slice name);

/* Direct evaluation with named arguments (conformance evaluate_function, RPC): values as given, formatString evaluates
 * literal templates in an empty scope. Returns ERROR with diag (ExpressionError / ParseError / ValidationError). v1.0
 * validators still give plain booleans here. */
enum sj_result sj_fn_evaluate(struct sj_fn_table *t, struct sj_mem *mem, enum sj_version v, struct sj_slice name,
                              const struct sj_value *args_object, struct sj_value *out, struct sj_diag *diag);

/* Value rules. */
/* null/absent ""; numbers as ECMAScript; containers as compact JSON */
void sj_a2ui_text(const struct sj_value *v, struct sj_buf *out);
bool sj_a2ui_truthy_v09(const struct sj_value *v);
bool sj_a2ui_truthy_v10(const struct sj_value *v); /* an object with boolean `valid` counts by it */
bool sj_a2ui_to_bool(const struct sj_value *v);
double sj_a2ui_to_number(const struct sj_value *v);
/* Condition result -> outcome: false -> invalid, severity error; object {valid, severity?...} -> by its members. */
void sj_a2ui_check_v09(enum sj_result r, const struct sj_value *v, bool *valid, enum sj_severity *sev,
                       const struct sj_value **result);
void sj_a2ui_check_v10(enum sj_result r, const struct sj_value *v, bool *valid, enum sj_severity *sev,
                       const struct sj_value **result);
/* http and https only; resolves nothing. */
bool sj_a2ui_url_allowed(struct sj_slice url);

#endif
