/* Parts of messages, shared by the files that put grammars together. Internal to the grammar_*.c files. */
#ifndef SJ_INFER_GRAMMAR_LIVE_H
#define SJ_INFER_GRAMMAR_LIVE_H

#include "infer/grammar_read.h"

void sj_g_know_key(struct sj_grammar *g, struct sj_slice key); /* borrowed */
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

/* grammar_live.c: what a surface that lives adds. Known paths and keys (before anything is read): */
void sj_g_live_data(struct sj_grammar *g);
/* One value of the kind that is there, in its place; nothing when the model is empty. */
const struct sj_g_node *sj_g_live_write(struct sj_grammar *g);
/* grammar_tree.c: the components of a new surface, with numbered ids. */
const struct sj_g_node *sj_g_tree(struct sj_grammar *g);
/* Does the node, read with this reference, refer to components? (grammar_patch.c) */
bool sj_g_refers(const struct sj_g_node *node, const struct sj_g_node *reference);
/* grammar_patch.c: one component that is there, redefined; before v1.0 one property of it too. */
const struct sj_g_node *sj_g_patch(struct sj_grammar *g);

#endif
