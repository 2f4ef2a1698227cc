/* The grammar inside formatString: parsed into a flat list of parts in an arena.
 *
 * One pass with explicit frames, so no depth of the input reaches the C stack; caps expression_depth, call_args,
 * template_chars (UTF-16 units) and template_parts. Everything, the text included, is copied into the arena. Errors are
 * ParseErrors (SJ_CAT_PARSE, SJ_E_EXPRESSION_ERROR, or SJ_E_LIMIT with SJ_LIMIT) with the texts of the suites and a
 * byte offset into the template.
 *
 * Readings of the grammar where its sources are silent: `${}` is an empty literal; a whole token spelled true, false or
 * null is the keyword, so `true-ish` is a path; a string at the top level joins the text around it; an argument named
 * twice is an error. */
#ifndef SJ_A2UI_TEMPLATE_H
#define SJ_A2UI_TEMPLATE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"

enum sj_tpl_type {
	SJ_TPL_LITERAL /* text */,
	SJ_TPL_STRING,
	SJ_TPL_NUMBER,
	SJ_TPL_TRUE,
	SJ_TPL_FALSE,
	SJ_TPL_NULL,
	SJ_TPL_PATH,
	SJ_TPL_CALL
};
struct sj_tpl_node {
	enum sj_tpl_type type;
	struct sj_slice text; /* LITERAL, STRING (decoded), PATH, CALL (name, "@index" too) */
	double number;
	uint32_t nargs;
	const struct sj_slice *arg_names;
	const struct sj_tpl_node *args;
	const struct sj_tpl_node
		*parent; /* the call this is an argument of, so that a walk needs no stack; NULL: a part */
};
struct sj_tpl {
	const struct sj_tpl_node *parts;
	uint32_t count; /* adjacent literals joined; an empty template is one empty literal */
};
enum sj_status sj_tpl_parse(struct sj_arena *arena, const struct sj_limits *l, struct sj_slice text, struct sj_tpl *out,
                            struct sj_diag *diag);
/* Parts as JSON: strings, {"path":p}, {"call":c,"args":{},"returnType":"any"} (conformance parse_expression_template).
 */
void sj_tpl_json(const struct sj_tpl *t, struct sj_buf *out);

#endif
