/* The processor of the older agent SDKs, for v0.8 and v0.9: a model's answer goes in as it arrives, in chunks cut
 * anywhere, and what can be shown of it comes out after each. Requirements a2ui 15 ("Legacy processor") and 16.
 *
 * It differs from a struct sj_parser (infer.h) in what it promises. It knows surfaces: components are kept back until
 * their surface has begun (beginRendering, createSurface), until they can be reached from its root, and until they are
 * valid; what is shown is always the whole reachable tree again, with stand-ins named "loading_ID" where a child has
 * not come yet. Text is shown while it still arrives, where its key allows a cut. And it forgives brackets: a missing
 * one is supplied where the next message begins, a surplus one is passed over.
 *
 * A processor reads one answer and is then done with; the whole answer leads to the same surfaces however it was cut.
 */
#ifndef SJ_INFER_LEGACY_STREAM_H
#define SJ_INFER_LEGACY_STREAM_H

#include "base/limits.h"
#include "infer/infer.h"

struct sj_legacy;
struct sj_legacy_options {
	enum sj_version version; /* V08; V09 and V091; V10: messages pass whole, when they are complete */
	/* JSON Schemas as text, copied. No `s2c`: nothing is checked. `catalog` also tells which properties name other
	 * components. `common`: common_types.json; NULL: that of the version. */
	struct sj_slice s2c, catalog, common;
	bool unchecked;                    /* no schema is applied; references are still followed */
	const struct sj_slice *cuttable; /* more keys whose strings may be shown in part */
	uint32_t ncuttable;
	const struct sj_limits *limits; /* NULL: default */
};
/* SJ_INVALID (CatalogError): a schema is no JSON, or cannot be used. SJ_NOMEM. The caller owns *out. */
enum sj_status sj_legacy_create(struct sj_mem *mem, const struct sj_legacy_options *opt, struct sj_legacy **out,
                                struct sj_diag *diag);
void sj_legacy_destroy(struct sj_legacy *p); /* NULL is fine */

/* Appends to `out` what these bytes made ready: text as TEXT parts, messages as MESSAGES parts, which carry the text
 * that came right before them in the same chunk. After an error the processor only returns that error; the parts made
 * before it stand. SJ_INVALID: ParseError, ValidationError, RecursionError. SJ_LIMIT, SJ_NOMEM. */
enum sj_status sj_legacy_feed(struct sj_legacy *p, const char *bytes, size_t n, struct sj_parts *out,
                              struct sj_diag *diag);
/* The answer is over: text that was held back comes out. ParseError: a block never closed. */
enum sj_status sj_legacy_end(struct sj_legacy *p, struct sj_parts *out, struct sj_diag *diag);

/* ---- whole answers, without knowledge of surfaces ---- */

/* Does the text hold an opening tag and, after it, a closing one? */
bool sj_legacy_has_parts(struct sj_slice text);
/* Each block with the text before it (trimmed, possibly empty) as one MESSAGES part; text after the last as a TEXT
 * part. ParseError: no pair of tags, an empty block, one that cannot be read. Appends to `out` only on SJ_OK. */
enum sj_status sj_legacy_parse(struct sj_mem *mem, struct sj_slice response, struct sj_parts *out,
                               struct sj_diag *diag);
/* A payload without tags as a list: fences are dropped, typographic quotes straightened, trailing commas removed, a
 * single object becomes a list of one. ParseError. */
enum sj_status sj_legacy_fix(struct sj_mem *mem, struct sj_slice payload, struct sj_value *list, struct sj_diag *diag);

#endif
