/* Lints of a surface (the rules are in lint_rules.h). Internal to a2ui. */
#ifndef SJ_A2UI_LINT_H
#define SJ_A2UI_LINT_H

#include <stdarg.h>
#include <stdio.h>

#include "a2ui/internal.h"
#include "a2ui/lint_rules.h"

/* lint_catalog.c: what a catalog's document says beyond what is compiled. Documents are parsed when first asked for. */
#define SJ_LINT_DOCS 8
struct sj_lint_docs {
	struct sj_mem *mem;
	struct {
		const struct sj_catalog *catalog;
		struct sj_value document;
	} docs[SJ_LINT_DOCS];
	uint32_t count;
};
void sj_lint_docs_init(struct sj_lint_docs *d, struct sj_mem *mem);
void sj_lint_docs_finish(struct sj_lint_docs *d);
/* Schema of a component type; NULL: none, or no memory. Borrowed. */
const struct sj_value *sj_lint_definition(struct sj_lint_docs *d, const struct sj_catalog *c, struct sj_slice type);
/* Is this property deprecated (ptr NULL: the type itself)? By x-deprecated-reason, or by deprecated: true. */
bool sj_lint_deprecated(const struct sj_value *definition, struct sj_slice property, struct sj_slice *reason);
/* Is the word one of those the property's schema lists? true as well where it lists none. *near: one it may be. */
bool sj_lint_has_word(const struct sj_value *definition, struct sj_slice property, struct sj_slice word,
                      struct sj_slice *near);

#endif
