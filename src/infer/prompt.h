/* What the prompts of the notations have in common. Internal to infer.
 *
 * A prompt is four parts: the notation's own (format.h, ops->prompt: how to write, what there is to write with), the
 * catalogs' instructions, the examples in the notation, nothing else. sj_prompt_write adds the last two, so that a
 * notation's part holds neither. Words of ours name no component and no function: which of them exist is the catalog's
 * to say, and what was pruned from it appears nowhere.
 */
#ifndef SJ_INFER_PROMPT_H
#define SJ_INFER_PROMPT_H

#include "infer/format.h"

struct sj_prompt_message {
	const char *name, *members, *purpose;
};
/* The messages an agent may send, in the order they are described; ends with a row without a name. */
const struct sj_prompt_message *sj_prompt_messages(enum sj_version v);
bool sj_prompt_allows(const struct sj_prompt_options *opt, const char *name);

/* Which concepts do the format's catalogs know? What none of them has, the rules need not explain. */
struct sj_prompt_traits {
	bool dynamic, child, child_list, action, checks, accessibility, functions, theme, inputs;
};
void sj_prompt_traits(const struct sj_format *f, struct sj_prompt_traits *out);
/* The keys a prompt of JSON speaks of: those the catalogs' own schemas use, else the format's. */
enum sj_dialect sj_prompt_dialect(const struct sj_format *f);

/* The <a2ui_schema> block: messages, common types and catalogs as JSON Schema, one a line, without what nothing allowed
 * refers to. */
enum sj_status sj_prompt_schema(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out);
/* The same in short: one line for each component and function, in the notation of a typed language; of a type with a
 * star the value may also be a binding or a call. */
enum sj_status sj_prompt_signatures(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out);
/* As a notation needs them: arguments in the order of their positions, or as elements with their attributes. terse:
 * without descriptions. */
enum sj_sign_form { SJ_SIGN_BY_NAME, SJ_SIGN_BY_POSITION, SJ_SIGN_ELEMENTS };
enum sj_status sj_prompt_signatures_as(const struct sj_format *f, const struct sj_prompt_options *opt,
                                       enum sj_sign_form form, bool terse, struct sj_buf *out);

#endif
