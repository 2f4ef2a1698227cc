/* The agent's side as older kits had it: one catalog for a client, and a prompt made of named sections.
 *
 * Documents are JSON values here, not compiled catalogs: what a client sends inline is merged into a document before
 * anything is compiled. New agents use session.h. Requirements a2ui 16 and 22.
 */
#ifndef SJ_INFER_LEGACY_H
#define SJ_INFER_LEGACY_H

#include "infer/infer.h"

/* The catalog for a client: of `supported` (array of documents) the first that its capabilities ({supportedCatalogIds,
 * inlineCatalogs}; NULL: it sent none) ask for, in the client's order, else the first of all; what it sent inline is
 * merged into that. *out is owned. SJ_INVALID (CatalogError): nothing in common, or inline catalogs that are not
 * accepted. SJ_NOMEM. */
enum sj_status sj_legacy_select(struct sj_mem *mem, const struct sj_value *supported,
                                const struct sj_value *capabilities, bool accepts_inline, struct sj_value *out,
                                struct sj_diag *diag);
/* Changes a document by a modifier's name: "remove_strict_validation" opens every closed object in it. SJ_INVALID: no
 * such modifier. On anything but SJ_OK the document is as it was. */
enum sj_status sj_legacy_modify(struct sj_mem *mem, struct sj_slice modifier, struct sj_value *document,
                                struct sj_diag *diag);

struct sj_legacy_prompt {
	struct sj_slice role, workflow,
		ui; /* what the agent is, how it works, how its screens look; each may be empty */
	bool schema;                        /* with the schemas below */
	struct sj_slice messages_schema, common_types; /* documents; empty: left out */
	const struct sj_value *catalog;     /* document; NULL: left out */
	const struct sj_value *examples;    /* array of {name, messages} or of message lists; NULL: none */
	enum sj_version version;
};
/* Appends the prompt. Examples are the caller's to check (sj_prompt_check). SJ_NOMEM; SJ_INVALID: a schema is no
 * JSON. */
enum sj_status sj_legacy_prompt(struct sj_mem *mem, const struct sj_legacy_prompt *opt, struct sj_buf *out,
                                struct sj_diag *diag);

#endif
