/* Checks an agent's own output against everything it said before. Internal to infer.
 *
 * Every message that writes a surface goes through one engine, so that an update is checked against the surface it
 * updates. Nobody looks at those surfaces: nothing on them is evaluated. Borrows its format and catalogs.
 */
#ifndef SJ_INFER_CHECKER_H
#define SJ_INFER_CHECKER_H

#include "infer/format.h"
#include "infer/session.h"

struct sj_checker {
	struct sj_mem *mem;
	const struct sj_format *format; /* for calls and answers, whose other half the engine has not seen */
	const struct sj_catalog *const *catalogs;
	uint32_t ncatalogs;
	const struct sj_limits *limits;
	struct sj_engine *engine; /* NULL: not opened, or memory was short; made again when next needed */
	uint32_t peer;
	SJ_VEC(struct sj_value) log; /* messages that bring an empty engine to the state of this one */
	uint32_t log_limit;
};

void sj_checker_init(struct sj_checker *c, const struct sj_format *f, const struct sj_catalog *const *catalogs,
                     uint32_t ncatalogs, const struct sj_limits *limits);
void sj_checker_finish(struct sj_checker *c);
/* Makes the engine and brings it to the state of the log. SJ_INVALID: a catalog cannot be registered. SJ_NOMEM. */
enum sj_status sj_checker_open(struct sj_checker *c, struct sj_diag *diag);
/* As sj_session_accept. */
enum sj_status sj_checker_accept(struct sj_checker *c, const struct sj_value *messages, unsigned flags, uint32_t *taken,
                                 struct sj_diag *diag);
/* Back to no surfaces at all. */
void sj_checker_forget(struct sj_checker *c);

#endif
