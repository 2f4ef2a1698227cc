/* Parts of messages, shared by the files that put grammars together. Internal to the grammar_*.c files. */
#ifndef SJ_INFER_GRAMMAR_LIVE_H
#define SJ_INFER_GRAMMAR_LIVE_H

#include "infer/grammar_read.h"

bool sj_g_is_listed(const struct sj_grammar *g, struct sj_slice type);
/* What follows the id in a component of this type, as a rule. */
const struct sj_g_node *sj_g_component_tail(struct sj_grammar *g, uint32_t catalog, uint32_t index, int number);
const struct sj_g_node *sj_g_tail(struct sj_grammar *g, const char *prefix, struct sj_slice name, int number,
                                  const struct sj_g_node *body);
const struct sj_g_node *sj_g_component(struct sj_grammar *g, const struct sj_g_node *id,
                                       const struct sj_g_node *const *tails, uint32_t n);
/* {version, action: {surfaceId, members}} */
const struct sj_g_node *sj_g_message(struct sj_grammar *g, const char *action, const struct sj_g_member *members,
                                     uint32_t n);

#endif
