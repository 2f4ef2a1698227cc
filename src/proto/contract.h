/* The contract of the prototype language as data: rules, fields, words, limits. Made from contract.txt by
 * tools/gen_contract; the validator walks it, the guide and the documents are printed from it.
 */
#ifndef SJ_PROTO_CONTRACT_H
#define SJ_PROTO_CONTRACT_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>

/* Every limit of the language. docs/prototype.md says what each counts. */
enum {
	SJ_PROTO_NODES = 2000,
	SJ_PROTO_DEPTH = 24,
	SJ_PROTO_IMAGES = 32,
	SJ_PROTO_SPEC_BYTES = 1048576,
	SJ_PROTO_PAYLOAD_BYTES = 4096,
	SJ_PROTO_PAYLOAD_DEPTH = 24,
	SJ_PROTO_SELECTOR_DEPTH = 8,
	SJ_PROTO_CONDITION_DEPTH = 8,
	SJ_PROTO_USE_DEPTH = 8,
	SJ_PROTO_DATA_DEPTH = 24,
	SJ_PROTO_LEAF_DEPTH = 8, /* of what `body`, `args` and `value` may nest */
	SJ_PROTO_LEAVES = 64,    /* members of `args` and `headers` */
};

enum sj_rule_kind {
	SJ_RULE_OBJECT,  /* fields first..first+count, by UTF-16 order of their names */
	SJ_RULE_TAGGED,  /* the same: one variant each */
	SJ_RULE_CHOICE,  /* the same: one option each */
	SJ_RULE_ARRAY,   /* first: the item's rule; min..max items */
	SJ_RULE_ENUM,    /* words first..first+count */
	SJ_RULE_NUMBER,  /* min..max */
	SJ_RULE_STRING,  /* not empty */
	SJ_RULE_TEXT,    /* may be empty */
	SJ_RULE_NONBLANK,
	SJ_RULE_KEY,
	SJ_RULE_BOUND_KEY,
	SJ_RULE_COLOR,
	SJ_RULE_BOOL,
	SJ_RULE_SCALAR,
	SJ_RULE_JSON,
	SJ_RULE_MAP,
	SJ_RULE_ICON,
	SJ_RULE_POINTER,
	SJ_RULE_LEAF,
	SJ_RULE_LEAVES,
	SJ_RULE_ANY_OBJECT,
	SJ_RULE_CALL,
	SJ_RULE_STATE_NAME,
	SJ_RULE_MODULE_NAME,
	SJ_RULE_NODES, /* an object of nodes */
};
/* What an object wants beside its fields. */
enum { SJ_X_AT_LEAST_ONE = 1, SJ_X_EXACTLY_ONE = 2, SJ_X_EXCLUSIVE = 4, SJ_X_DEPENDENTS = 8, SJ_X_BINDING = 16 };
/* Rules that are counted or met again. */
enum sj_rule_mark {
	SJ_MARK_NONE,
	SJ_MARK_NODE,
	SJ_MARK_ACTION,
	SJ_MARK_CONDITION,
	SJ_MARK_CONTAINER,
	SJ_MARK_ITEM,
	SJ_MARK_REPEAT,
	SJ_MARK_SPEC,
	SJ_MARK_STYLE,
};
struct sj_rule {
	uint8_t kind, mark, extra;
	bool unique, integer;
	uint16_t first, count;
	double min, max;
};
struct sj_field {
	const char *name;
	uint8_t len;
	uint16_t rule;
	bool optional, added; /* added: beyond the published contract */
};
extern const struct sj_rule sj_contract_rules[];
extern const struct sj_field sj_contract_fields[];
extern const char *const sj_contract_words[];
extern const uint16_t sj_contract_rule_count;
/* Rules by name. */
extern const uint16_t sj_contract_spec, sj_contract_node, sj_contract_action, sj_contract_condition, sj_contract_style,
	sj_contract_theme;

/* Icon names, sorted (icons.c). */
extern const char *const sj_proto_icons[];
extern const uint32_t sj_proto_icon_count;
bool sj_proto_is_icon(struct sj_slice name);

/* Tool modules that a spec may require (docs/prototype.md), sorted. */
bool sj_proto_is_module(struct sj_slice name);

bool sj_proto_is_key(struct sj_slice s);       /* ^[A-Za-z_][A-Za-z0-9_]{0,63}$ */
bool sj_proto_is_bound_key(struct sj_slice s); /* a key, or one with placeholders of a repeat */
bool sj_proto_is_color(struct sj_slice s);
bool sj_proto_is_pointer(struct sj_slice s); /* "/data", or a JSON pointer below it */

#endif
