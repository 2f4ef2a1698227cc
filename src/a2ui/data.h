/* The module's own data: common types, message schemas and the basic catalogs of each version, written from tables of
 * sketches. Equal in meaning to the published files (tests/a2ui compares them); descriptions are our own. Not for other
 * modules.
 */
#ifndef SJ_A2UI_DATA_H
#define SJ_A2UI_DATA_H

#include "a2ui/sketch.h"

/* common_types.json of a version. `envelope`: calls are checked for their shape only, not against the catalog. */
void sj_data_common_types(struct sj_buf *out, enum sj_version v, enum sj_dialect d, bool envelope, bool terse);
/* Is this the name of a common type of the version? Its class as a property; `dyn` is set for SJ_AC_DYNAMIC. */
bool sj_data_common_class(enum sj_version v, struct sj_slice name, enum sj_a2ui_class *cls, enum sj_dynamic_type *dyn);
/* A message or capabilities schema by file name; false when the version has none of that name. */
bool sj_data_schema(struct sj_buf *out, enum sj_version v, enum sj_dialect d, struct sj_slice name);
/* Names of all of them, NULL-ended rows of the version; for tests. */
const char *sj_data_schema_name(enum sj_version v, uint32_t i);
const char *sj_data_base(enum sj_version v); /* "https://a2ui.org/specification/v0_9/" ... */

/* Basic catalog document. Names in `without` (components and functions of a host that win) are left out. */
bool sj_data_basic(struct sj_buf *out, enum sj_version v, enum sj_dialect d);
bool sj_data_minimal(struct sj_buf *out, enum sj_version v);
/* The members of "components" and "functions" alone, without the names `skip` knows, for a host's catalog that includes
 * them; and the entries of the unions. `first` is false when entries stand before; it is cleared. */
typedef bool (*sj_data_skip_fn)(void *ctx, struct sj_slice name);
void sj_data_basic_components(struct sj_buf *out, const struct sj_sketch_env *env, sj_data_skip_fn skip, void *ctx,
                              bool *first);
void sj_data_basic_functions(struct sj_buf *out, const struct sj_sketch_env *env, sj_data_skip_fn skip, void *ctx,
                             bool *first);

/* v0.8: catalogs in the form of its catalog descriptions, message schemas by file name (v08_data.c). */
void sj_data_v08_standard(struct sj_buf *out);
void sj_data_v08_minimal(struct sj_buf *out);
const char *sj_data_v08_name(uint32_t i);
bool sj_data_v08_schema(struct sj_buf *out, struct sj_slice name);

/* One component or function as a member `"Name":{...}` of its document, from a sketch of its own properties (braces
 * included). */
void sj_data_component(struct sj_buf *out, const struct sj_sketch_env *env, struct sj_slice name, struct sj_slice about,
                       bool checkable, const char *props, const char *more);
void sj_data_function(struct sj_buf *out, const struct sj_sketch_env *env, struct sj_slice name, struct sj_slice about,
                      const char *returns, const char *args, const char *more);

#endif
