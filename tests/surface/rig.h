/* What the surface's tests share: a tiny language written in JSON, compiled into the core; a printer of node trees; and
 * a naive evaluator that computes the same print from the definitions and the model alone, without the core.
 *
 * A component: {"id":"t","type":"Text","text":EXPR,...,"child":"id","children":["a","b"] or {"each":"/rows","of":"id"},
 * "checks":[{"if":EXPR,"say":"message"}],"visible":EXPR,"action":anything}. Several templates:
 * "more":{"each":..,"of":..}. EXPR: a literal; {"$":"path"} (a leading / is the root, ^ goes one frame out);
 * {"fmt":[EXPR..]}; {"fn":"upper","of":[EXPR..]};
 * {"at":0} (the row, so many frames out); {"pick":[c,a,b]}; {"list":[..]}; {"map":{..}}; {"key":[EXPR],"under":"path"}
 * (computed token).
 */
#ifndef RIG_H
#define RIG_H

#include "base/buf.h"
#include "harness/test.h"
#include "json/value.h"
#include "surface/surface.h"

struct rig {
	struct sj_mem *mem;
	struct sj_surface *s;
	struct sj_limits limits;
	struct sj_buf log;   /* faults and calls, a line each */
	uint32_t next_call;
	bool refuse_calls;
	void (*settled)(struct rig *r); /* what the language does at the end of a round */
	uint32_t settled_count;
	uint32_t message;    /* of the next transaction */
};

enum { RIG_GATE = 1, RIG_LAZY = 2 };
/* NULL limits: the default ones. */
enum sj_status rig_open(struct rig *r, struct sj_mem *mem, const struct sj_limits *limits, unsigned flags);
void rig_close(struct rig *r);

/* Each in a transaction of its own unless one is open. Paths are "/a/b". */
enum sj_status rig_define(struct rig *r, const char *components); /* JSON array (single quotes stand for double ones) */
enum sj_status rig_set(struct rig *r, const char *path, const char *json);
enum sj_status rig_unset(struct rig *r, const char *path);
enum sj_status rig_remove(struct rig *r, const char *id);
enum sj_status rig_define_value(struct rig *r, const struct sj_value *component);
void rig_begin(struct rig *r);

/* {"id:Type text=\"..\" ..." trees, one line; borrowed until the next call. */
const char *rig_tree(struct rig *r);
const char *rig_node(struct rig *r, sj_node_id n);
void rig_own(struct rig *r, struct sj_buf *out, sj_node_id n); /* the node without its children */
const char *rig_model(struct rig *r);
/* Change records in short form: "SET t text; SPLICE root 0 -1 +2; ..." */
const char *rig_changes(struct rig *r);
const char *rig_take_log(struct rig *r);
sj_node_id rig_find(struct rig *r, const char *id); /* outside rows */
sj_node_id rig_find_row(struct rig *r, const char *id, uint32_t row);
const char *rig_text(struct rig *r, sj_node_id n, enum sj_ui_prop ui); /* "(absent)" */

/* The same print as rig_tree, computed naively. defs: JSON object id -> component. */
void rig_naive(struct sj_buf *out, const struct sj_limits *limits, const struct sj_value *defs,
               const struct sj_value *model);

struct sj_value rig_json(struct sj_mem *mem, const char *json); /* single quotes stand for double ones */
uint32_t rig_path(const char *path, struct sj_slice tokens[64]);

#endif
