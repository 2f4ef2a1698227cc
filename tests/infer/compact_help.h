/* What the tests of Express and Elemental share: a format over the basic catalog, texts and messages compared. */
#ifndef SJ_INFER_COMPACT_HELP_H
#define SJ_INFER_COMPACT_HELP_H

#include "harness/test.h"
#include "infer/infer.h"

#define BASIC10 "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"
#define BASIC09 "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"

struct rig {
	struct sj_mem *mem;
	struct sj_catalog *catalogs[4];
	uint32_t n;
	struct sj_format *format;
};
struct rig *rig_basic(enum sj_format_id id, enum sj_version v);
struct rig *rig_of(enum sj_format_id id, const char *catalog_json, const char *other_json); /* other may be NULL */
void rig_close(struct rig *r);
/* The text compiles to these messages with repairs of these kinds, in order and separated by blanks. */
void rig_gives(struct rig *r, const char *text, const char *json, const char *kinds);
void rig_refuses(struct rig *r, const char *text, enum sj_category cat, uint32_t line, uint64_t offset,
                 const char *message);
/* The messages are written as this text, which gives them back. */
void rig_writes(struct rig *r, const char *json, const char *text);
void rig_cannot_write(struct rig *r, const char *json); /* CompileError, nothing written */
/* Every example of the folder, or each message of it that the notation can say, comes back as it was. */
void rig_round_trips(enum sj_format_id id, enum sj_version v, const char *folder, bool minimal);
/* before + unit * n + middle + close * n + after */
void rig_hostile(enum sj_format_id id, const char *before, const char *unit, uint32_t n, const char *middle,
                 const char *close, const char *after, enum sj_status want);
/* The prompt over the basic catalog of v1.0; `only` (may be NULL) is the one message allowed, `example` (may be NULL) a
 * list of messages. Each of has[] (NULL-ended) is in it, none of lacks[]. */
void rig_prompts(enum sj_format_id id, const char *only, bool brief, const char *example, const char *const *has,
                 const char *const *lacks);
enum sj_status rig_there_and_back(struct sj_mem *mem, enum sj_format_id id, const char *text);

#endif
