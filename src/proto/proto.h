/* The prototype language: what a spec may say, and the one error it gets when it says something else.
 *
 * A spec is a struct sj_value all its life (docs/decisions/015). sj_proto_read takes text to a value, sj_proto_expand
 * replaces `use` nodes by their components, sj_proto_validate walks the result in the order that docs/prototype.md
 * states and stops at the first fault. The three together are sj_proto_load, which is what everybody but a test calls.
 * The contract (node types, fields, rules, limits) is data: proto/contract.h.
 *
 * Nothing here reads a clock, a file or a locale. Depth is bounded by the contract before anything recurses on it.
 */
#ifndef SJ_PROTO_PROTO_H
#define SJ_PROTO_PROTO_H

#include "json/value.h"

/* The one error: where, as the author knows the place ("root.children[1].style.color", "$"), and one sentence. Both are
 * whole, whatever their length, and belong to the error. */
struct sj_proto_error {
	struct sj_buf path, message;
};
void sj_proto_error_init(struct sj_proto_error *e, struct sj_mem *mem);
void sj_proto_error_finish(struct sj_proto_error *e);
/* {"path": .., "message": ..} on one line, without a line feed. */
void sj_proto_error_print(const struct sj_proto_error *e, struct sj_buf *out);

struct sj_proto_options {
	bool library;               /* what a library may not keep is refused */
	bool keep_components;       /* components and use are no part of the language: "Unknown property" */
	/* Tool modules this program has; NULL: every module of the contract. */
	const char *const *modules;
	uint32_t nmodules;
};

/* Text to value: SJ_INVALID "Invalid JSON", SJ_LIMIT "Spec byte limit exceeded", at "$". The caller owns *out. */
enum sj_status sj_proto_read(struct sj_mem *mem, struct sj_slice text, struct sj_value *out,
                             struct sj_proto_error *error);
/* Components and uses, section 6: *out is a new owner (the same value when there was nothing to expand). */
enum sj_status sj_proto_expand(struct sj_mem *mem, const struct sj_value *spec, struct sj_value *out,
                               struct sj_proto_error *error);
/* An expanded spec. SJ_OK, SJ_INVALID (also for limits of the language), SJ_NOMEM. */
enum sj_status sj_proto_validate(struct sj_mem *mem, const struct sj_value *spec, const struct sj_proto_options *opt,
                                 struct sj_proto_error *error);
/* Read, expand, validate. Paths of errors name components where the fault stands in one. */
enum sj_status sj_proto_load(struct sj_mem *mem, struct sj_slice text, const struct sj_proto_options *opt,
                             struct sj_value *out, struct sj_proto_error *error);
/* The same for a value that somebody else made (a patched spec): its size is that of its compact form. */
enum sj_status sj_proto_check(struct sj_mem *mem, const struct sj_value *spec, const struct sj_proto_options *opt,
                              struct sj_value *out, struct sj_proto_error *error);

/* Numbers as the language prints them: integral values in plain digits at any size, others as JavaScript does. */
void sj_proto_number(double n, struct sj_buf *out);

/* Nodes in preorder: calls fn with each node, its parent's order (UINT32_MAX at a root) and its pointer in the spec;
 * nodes of literal repeats once. Children before siblings; `root`, then `screens` in their order; a dialog's child and
 * every other node-valued field count. fn returns false to stop. */
typedef bool (*sj_proto_node_fn)(void *ctx, const struct sj_value *node, uint32_t order, uint32_t parent,
                                 struct sj_slice pointer);
enum sj_status sj_proto_nodes(struct sj_mem *mem, const struct sj_value *spec, sj_proto_node_fn fn, void *ctx);

#endif
