/* Is this message well-formed, seen alone? What an agent asks before it sends: the envelope of the version, and every
 * component and call against a set of catalogs, without surfaces and without what earlier messages did. The faults are
 * those a renderer would find, in the same words. What only a renderer can know (is the surface there, does a child
 * exist, cycles) is not asked.
 */
#ifndef SJ_A2UI_CHECK_H
#define SJ_A2UI_CHECK_H

#include "a2ui/catalog.h"

struct sj_check {
	struct sj_mem *mem;
	const struct sj_catalog *const *catalogs; /* none: every component and call is good */
	uint32_t ncatalogs;
	enum sj_version version; /* what messages must be compatible with; NONE: any known one */
	/* The catalog of the surface that the message is for, where the caller knows it; NULL: of several catalogs,
	 * a component without a catalogId may be of any that knows its name. */
	const struct sj_catalog *surface;
	sj_schema_fault_fn raw; /* also gets the schema's faults as they are; may be NULL */
	void *raw_ctx;
	uint32_t checked_until; /* components in cells below this one were checked before */
};
enum sj_check_op {
	SJ_CHECK_CREATE,
	SJ_CHECK_COMPONENTS,
	SJ_CHECK_DATA,
	SJ_CHECK_DELETE,
	SJ_CHECK_CALL,
	SJ_CHECK_RESPONSE,
	SJ_CHECK_OLD, /* surfaceUpdate, dataModelUpdate, beginRendering of v0.8 */
};
/* What the envelope says; cells of the tape, 0 for what is not there. */
struct sj_envelope {
	enum sj_version version;
	enum sj_check_op op;
	uint32_t body;
};
/* The message in `cell`. SJ_INVALID: diag has the first fault, its pointer relative to the message, line and offset to
 * the tape's text. SJ_NOMEM. `out` may be NULL. */
enum sj_status sj_check_message(const struct sj_check *c, const struct sj_tape *t, uint32_t cell,
                                struct sj_arena *scratch, struct sj_envelope *out, struct sj_diag *diag);
/* Only version and action. */
enum sj_status sj_check_envelope(const struct sj_check *c, const struct sj_tape *t, uint32_t cell,
                                 struct sj_envelope *out, struct sj_diag *diag);
/* One component of a message of this version; `root` is the cell that diag's pointer begins at (the message). */
enum sj_status sj_check_component(const struct sj_check *c, enum sj_version version, const struct sj_tape *t,
                                  uint32_t root, uint32_t cell, struct sj_arena *scratch, struct sj_diag *diag);

#endif
