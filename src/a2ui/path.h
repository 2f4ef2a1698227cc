/* Paths as A2UI spells them: RFC 6901 plus relative paths. "" and "/" are the root (of the scope
 * for a relative one), one trailing slash is dropped, ~1 then ~0 are decoded. Keys that are traps in other hosts
 * (__proto__, constructor, prototype) are refused in every language, so that a payload behaves alike everywhere.
 */
#ifndef SJ_A2UI_PATH_H
#define SJ_A2UI_PATH_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"

struct sj_path {
	const struct sj_slice *tokens; /* decoded; in the arena, or borrowed from the text where nothing was escaped */
	uint32_t count;
	bool relative; /* no leading slash; the empty path is relative */
};
/* SJ_INVALID: DataError / ValidationError (INVALID_POINTER) naming the path; SJ_LIMIT: tokens or bytes. */
enum sj_status sj_path_parse(struct sj_arena *arena, const struct sj_limits *l, struct sj_slice text,
                             struct sj_path *out, struct sj_diag *diag);
bool sj_path_is_trap(struct sj_slice token); /* a refused key */
/* Joins as the suite's resolve_path: ("foo", "/bar/") -> "/bar/foo"; no context -> "/foo"; an absolute path ignores the
 * context. */
void sj_path_join(struct sj_buf *out, struct sj_slice path, struct sj_slice context);

#endif
