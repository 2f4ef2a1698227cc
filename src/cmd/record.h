/* Recordings: everything that enters a session's engine, written as a replay script (docs/replay.md) that ends with the
 * trees it led to. What stands at secret places is masked, in what the person typed and in what the agent sent.
 *
 * A recording is kept in memory and written when it ends: only then is it known which texts were secret.
 */
#ifndef SJ_CMD_RECORD_H
#define SJ_CMD_RECORD_H

#include "cmd/session.h"

struct cmd_recorder;

/* Begins before anything was fed. `args` names the catalogs; `cfg` is what the engine was made from. CMD_OK, or an exit
 * status after saying why. */
int cmd_record_begin(struct cmd_session *s, const struct cmd_args *args, const struct sj_engine_config *cfg);
/* Somebody is about to read the surface: that may evaluate what nothing had asked for. */
void cmd_record_look(struct cmd_session *s, struct sj_view *v);
/* Writes the script and lets go of the recorder. Says so when replaying it does not lead to the same trees. CMD_OK, or
 * an exit status after saying why. */
int cmd_record_end(struct cmd_session *s, const char *path);

#endif
