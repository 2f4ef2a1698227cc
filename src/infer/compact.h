/* What Express and Elemental have in common: both are read into one small program (statements over a flat tree of
 * expressions) and that program becomes messages in one place. Internal to infer.
 *
 * A tree lies in pre-order in one vector, like a tape: a node is followed by what is below it, `end` is the index past
 * that. Slices borrow from the payload, or from the program's arena where something had to be decoded. No walk
 * recurses; what nests does so at most SJ_LIMITS_DEFAULT.json_depth deep. */
#ifndef SJ_INFER_COMPACT_H
#define SJ_INFER_COMPACT_H

#include "base/map.h"
#include "infer/format.h"

enum sj_cnode_kind {
	SJ_N_STRING,
	SJ_N_NUMBER,
	SJ_N_TRUE,
	SJ_N_FALSE,
	SJ_N_NULL,
	SJ_N_SKIP,  /* _ */
	SJ_N_PATH,  /* text: the pointer */
	SJ_N_REF,   /* text: a name */
	SJ_N_CALL,  /* text: the name; below: arguments */
	SJ_N_CHECK, /* the same after a question mark; without a name: below is one path */
	SJ_N_ARRAY,
	SJ_N_OBJECT,
};
struct sj_cnode {
	uint8_t kind;    /* enum sj_cnode_kind */
	bool element;    /* a CALL that was written as an element (`key` is the slot it goes to), or its words */
	bool attribute;  /* a STRING that was written as a plain attribute: may stand for a number or a boolean */
	uint32_t end, count; /* index past what is below; members directly below */
	uint32_t line;
	uint64_t off;
	struct sj_slice key;  /* of an argument or member; ptr NULL: by position */
	struct sj_slice text;
	double number;
};

enum sj_cstmt_kind {
	SJ_S_ASSIGN, /* name = tree */
	SJ_S_DATA,   /* path = tree */
	SJ_S_CALL,   /* a call that stands alone */
};
struct sj_cstmt {
	enum sj_cstmt_kind kind;
	struct sj_slice name; /* or path */
	uint32_t node, line;
	uint64_t off;
};

struct sj_program {
	struct sj_mem *mem;
	struct sj_arena arena;
	SJ_VEC(struct sj_cnode) nodes;
	SJ_VEC(struct sj_cstmt) stmts;
	SJ_VEC(uint32_t) open; /* nodes that are not closed yet, innermost last */
	bool calls_in_plain;   /* a call stands in a property that is not dynamic */
	bool children_first;   /* Elemental: children stand before their parent in the output */
	struct sj_repairs *repairs;
	struct sj_diag *diag;
};
void sj_program_init(struct sj_program *p, struct sj_mem *mem, struct sj_repairs *repairs, struct sj_diag *diag);
void sj_program_finish(struct sj_program *p);
/* Appends a node below the innermost open one; `opens`: it becomes that. SJ_LIMIT: too many, too deep, or too many
 * arguments. */
enum sj_status sj_program_add(struct sj_program *p, const struct sj_cnode *node, bool opens);
void sj_program_close(struct sj_program *p); /* the innermost open node */
enum sj_status sj_program_state(struct sj_program *p, enum sj_cstmt_kind kind, struct sj_slice name, uint32_t node,
                                uint32_t line, uint64_t off);

/* A fault at a place of the payload; always SJ_INVALID. */
enum sj_status sj_compact_fault(struct sj_diag *d, enum sj_category cat, uint32_t line, uint64_t off,
                                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* ---- reading (compact_token.c, compact_parse.c) ---- */

enum sj_ctoken_kind { SJ_T_END, SJ_T_IDENT, SJ_T_STRING, SJ_T_NUMBER, SJ_T_PATH, SJ_T_PUNCT, SJ_T_FAULT };
enum { SJ_HEAL_QUOTES = 1, SJ_HEAL_LITERAL = 2, SJ_HEAL_UNCLOSED = 4, SJ_HEAL_LINES = 8, SJ_HEAL_PATH = 16 };
struct sj_ctoken {
	enum sj_ctoken_kind kind;
	char punct;
	bool first_on_line;
	uint8_t heal; /* SJ_HEAL_*: what was mended in it; noted when it is used */
	uint32_t line, column;
	size_t off, end;
	struct sj_slice
		text; /* STRING: decoded; PATH: pointer; IDENT: name; NUMBER: its source; FAULT: what is wrong */
	double number;
};
struct sj_lexer {
	struct sj_program *p;
	struct sj_slice text;
	uint64_t base;      /* added to offsets */
	uint32_t base_line; /* added to lines */
	bool expression;    /* Elemental's: single quotes are usual, a path needs no $, lines mean nothing */
	size_t at, line_start, fences; /* fences: those before it are noted already */
	uint32_t line;
	bool fresh;         /* nothing but blanks on this line so far */
	struct sj_ctoken cur, next;
	uint32_t open_round, open_square, open_curly;
	uint32_t statement_column;
};
enum sj_status sj_lexer_init(struct sj_lexer *x, struct sj_program *p, struct sj_slice text, uint64_t base,
                             uint32_t base_line, bool expression);
enum sj_status sj_lexer_read(struct sj_lexer *x, struct sj_ctoken *out); /* the next token; SJ_NOMEM, SJ_LIMIT */
enum sj_status sj_lexer_step(struct sj_lexer *x); /* cur was used: notes what was mended in it, moves on */
/* Throws away the rest of the line that holds the current token. */
enum sj_status sj_lexer_skip_line(struct sj_lexer *x);
enum sj_status sj_compact_value(struct sj_lexer *x, struct sj_slice key); /* one expression, from cur on */
enum sj_status sj_express_parse(struct sj_program *p, struct sj_slice text);
enum sj_status sj_elemental_parse(const struct sj_format *f, struct sj_program *p, struct sj_slice text);

/* Puts what a DATA statement says into the model; takes the value. CompileError: the place cannot be. */
enum sj_status sj_compact_put(struct sj_program *p, const struct sj_cstmt *s, struct sj_value *root,
                              struct sj_value take);

/* ---- a program to messages (compact_lower.c, compact_block.c) ---- */

enum sj_status sj_compact_messages(const struct sj_format *f, struct sj_program *p, struct sj_value *out);
/* Every message against the catalogs; calls_in_plain: see compact_check.c. */
enum sj_status sj_compact_check(const struct sj_format *f, bool calls_in_plain, const struct sj_value *messages,
                                struct sj_diag *diag);

/* ---- the two ways (compact_compile.c) ---- */

typedef enum sj_status (*sj_compact_read_fn)(const struct sj_format *f, struct sj_program *p, struct sj_slice text);
/* *equated: a catalogId was left out or put in that the messages have otherwise, so that they do not come back equal
 * but only mean the same. */
typedef enum sj_status (*sj_compact_write_fn)(const struct sj_format *f, const struct sj_value *messages,
                                              struct sj_buf *out, bool *equated, struct sj_diag *diag);
enum sj_status sj_compact_compile(const struct sj_format *f, sj_compact_read_fn read, bool check, struct sj_slice text,
                                  struct sj_value *messages, struct sj_repairs *repairs, struct sj_diag *diag);
/* Writes, and reads what was written: CompileError unless that gives the same messages without any repair. */
enum sj_status sj_compact_decompile(const struct sj_format *f, sj_compact_write_fn write, sj_compact_read_fn read,
                                    const struct sj_value *messages, struct sj_buf *out, struct sj_diag *diag);

/* ---- writing ---- */

/* Bare names in either notation: an identifier that no keyword takes. */
bool sj_compact_is_path_byte(char c);
bool sj_compact_is_word(struct sj_slice s); /* true, null, _ and their kin */
bool sj_compact_is_name(struct sj_slice s);
/* A token that a path can hold as it is and that stands for a member, not for an index. */
bool sj_compact_is_segment(struct sj_slice s);
/* The value of a call: {call, args?, catalogId?, returnType?} and nothing else. */
struct sj_call_view {
	struct sj_slice name, catalog_id, return_type;
	const struct sj_value *args;
};
bool sj_compact_call(const struct sj_format *f, const struct sj_value *v, struct sj_call_view *out);
bool sj_compact_path(const struct sj_format *f, const struct sj_value *v, struct sj_slice *out);
/* createSurface followed by the rest of the same surface become one message where the version allows it: how an example
 * is shown. The caller owns *out. */
enum sj_status sj_compact_fold(const struct sj_format *f, const struct sj_value *messages, struct sj_value *out);

/* Which class a member of a value has that stands where `prop` says. NULL: anything. */
const struct sj_a2ui_prop *sj_compact_member(const struct sj_a2ui_prop *prop, struct sj_slice name);
const struct sj_a2ui_prop *sj_compact_item(const struct sj_a2ui_prop *prop);
extern const struct sj_a2ui_prop SJ_COMPACT_ANY, SJ_COMPACT_CHILD, SJ_COMPACT_LITERAL;

#endif
