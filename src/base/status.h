/* The status every fallible function returns, the vocabulary of error codes, and the diagnostic that
 * carries one fault of input to whoever sent it.
 *
 * Faults of input are values: a struct sj_diag, filled where the fault is found and never overwritten by a
 * caller further up. Faults of the program are assertions. A function that returns anything but SJ_OK has
 * written none of its results and changed none of its arguments, unless its own comment says otherwise.
 */
#ifndef SJ_BASE_STATUS_H
#define SJ_BASE_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

enum sj_status {
	SJ_OK = 0,
	SJ_MORE = 1,    /* nothing wrong: the input so far is a proper prefix, feed more */
	SJ_ABSENT = 2,  /* nothing wrong: the thing asked for is not there */
	SJ_INVALID = 3, /* fault of input; the diagnostic says which */
	SJ_LIMIT = 4,   /* fault of input: a stated limit was reached; the diagnostic says which */
	SJ_NOMEM = 5,   /* the allocator refused, or the memory account is full */
};

/* Categories of the conformance suites; INTEGRITY and RECURSION are kinds of VALIDATION. */
enum sj_category {
	SJ_CAT_NONE,
	SJ_CAT_PARSE,
	SJ_CAT_VALIDATION,
	SJ_CAT_INTEGRITY,
	SJ_CAT_RECURSION,
	SJ_CAT_CATALOG,
	SJ_CAT_COMPILE,
	SJ_CAT_DATA,
	SJ_CAT_EXPRESSION,
	SJ_CAT_STATE,
	SJ_CAT_RPC,
};

enum sj_severity { SJ_SEV_ERROR, SJ_SEV_WARNING, SJ_SEV_INFO };

/* One row per code: SJ_E_NAME, wire spelling. sj_code_name() gives the spelling. */
#define SJ_CODES(X)                                                                                                    \
	X(NONE, "NONE")                                                                                                \
	X(JSON_SYNTAX, "JSON_SYNTAX")                                                                                  \
	X(JSON_DUPLICATE_KEY, "JSON_DUPLICATE_KEY")                                                                    \
	X(JSON_UTF8, "JSON_UTF8")                                                                                      \
	X(JSON_SURROGATE, "JSON_SURROGATE")                                                                            \
	X(JSON_NUMBER, "JSON_NUMBER")                                                                                  \
	X(JSON_INCOMPLETE, "JSON_INCOMPLETE")                                                                          \
	X(LIMIT, "LIMIT_EXCEEDED")                                                                                     \
	X(NOMEM, "OUT_OF_MEMORY")                                                                                      \
	X(POINTER, "INVALID_POINTER")                                                                                  \
	X(PATCH, "INVALID_PATCH")                                                                                      \
	X(PATCH_TEST, "PATCH_TEST_FAILED")                                                                             \
	X(SCHEMA_COMPILE, "INVALID_SCHEMA")                                                                            \
	X(VALIDATION_FAILED, "VALIDATION_FAILED")                                                                      \
	X(UNALLOWED_PARENT, "UNALLOWED_PARENT")                                                                        \
	X(UNALLOWED_CHILD, "UNALLOWED_CHILD")                                                                          \
	X(INVALID_FUNCTION_CALL, "INVALID_FUNCTION_CALL")                                                              \
	X(EXECUTION_ERROR, "EXECUTION_ERROR")                                                                          \
	X(UNKNOWN_FUNCTION, "UNKNOWN_FUNCTION")                                                                        \
	X(EXPRESSION_ERROR, "EXPRESSION_ERROR")                                                                        \
	X(CATALOG_ERROR, "CATALOG_ERROR")                                                                              \
	X(UNKNOWN_COMPONENT_TYPE, "UNKNOWN_COMPONENT_TYPE")                                                            \
	X(CYCLIC_REFERENCE, "CYCLIC_REFERENCE")                                                                        \
	X(DATA_ERROR, "DATA_ERROR")                                                                                    \
	X(TIMEOUT, "TIMEOUT")                                                                                          \
	X(CANCELLED, "CANCELLED")                                                                                      \
	X(DISPOSED, "DISPOSED")                                                                                        \
	X(DUPLICATE, "DUPLICATE")                                                                                      \
	X(NO_LISTENER, "NO_LISTENER")                                                                                  \
	X(STATE, "INVALID_STATE")                                                                                      \
	X(UNAVAILABLE, "UNAVAILABLE")                                                                                  \
	X(REGEX, "INVALID_REGEX")                                                                                      \
	X(USAGE, "USAGE")                                                                                              \
	X(LINT, "LINT")

enum sj_code {
#define SJ_CODE_ENUM(name, text) SJ_E_##name,
	SJ_CODES(SJ_CODE_ENUM)
#undef SJ_CODE_ENUM
	SJ_E_COUNT
};

/* One fault of input. All text is owned inline, cut at a UTF-8 boundary with "…" when too long. `pointer` is an
 * RFC 6901 pointer into the offending document ("" is the whole). `offset` counts bytes from the start of the
 * peer's stream or document; `line` is 1-based, 0 when unknown. `detail` is the machine word for structured
 * entries: missing_field, type_mismatch, invalid_value, invalid_pointer, or "".
 *
 * `hint` says what to do, where there is a way in a form that a program can follow: `Remove "NAME".` (the member that
 * `pointer` names, or the member NAME of the object there), `Use "WORD".` and `Use one of "WORD", ....` (instead of the
 * value there), `Add "NAME".` (the member that `pointer` names). Every other sentence is for people. */
struct sj_diag {
	enum sj_code code;
	enum sj_category category;
	enum sj_severity severity;
	uint32_t line;
	uint32_t message_number; /* of a model's response: which of its messages, from 1; 0: not said */
	uint64_t offset;
	char detail[24];
	char pointer[256];
	char message[512];
	char hint[256];
};

const char *sj_code_name(enum sj_code code);         /* never NULL */
const char *sj_category_name(enum sj_category cat);  /* "ValidationError", ...; "" for NONE */
bool sj_category_is(enum sj_category cat, enum sj_category base); /* INTEGRITY is VALIDATION too */

/* Fills `d` (may be NULL: then nothing) and returns `status`, so that a fault reads `return sj_diag_set(...)`. A diag
 * that already holds a code keeps it. */
SJ_COLD enum sj_status sj_diag_set(struct sj_diag *d, enum sj_status status, enum sj_code code, enum sj_category cat,
                           const char *format, ...) __attribute__((format(printf, 5, 6)));
SJ_COLD void sj_diag_pointer(struct sj_diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
SJ_COLD void sj_diag_hint(struct sj_diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sj_diag_clear(struct sj_diag *d);

#endif
