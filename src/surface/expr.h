/* Expressions: a small closed set of postfix operations, compiled once per component property by a language driver and
 * evaluated by the core. Nothing an expression does writes. The dialect (number text, truthiness, coercion) lives in
 * the language's table and in function rows, never here.
 */
#ifndef SJ_SURFACE_EXPR_H
#define SJ_SURFACE_EXPR_H

#include "json/value.h"

struct sj_surface;

/* Result of one evaluation, beside the value. ERROR: the value is absent and the fault went to the surface's error
 * channel. */
enum sj_result { SJ_R_OK, SJ_R_ABSENT, SJ_R_PENDING, SJ_R_ERROR };

/* The model has several roots; only DATA ever travels. */
enum sj_root { SJ_ROOT_DATA, SJ_ROOT_LOCAL, SJ_ROOT_ENV, SJ_ROOT_COUNT };

/* An address is tokens, never a path string. RELATIVE addresses start at the nearest frame's item (`up` frames further
 * out when up > 0), or at the DATA root where there is no frame. A COMPUTED token is the text of a sub-expression
 * (prototype: liked_{item.id}). */
enum sj_seg_kind { SJ_SEG_KEY, SJ_SEG_COMPUTED };
struct sj_seg {
	uint8_t kind;
	struct sj_slice
		key; /* KEY; array positions are written as their decimal text and matched as an index on arrays */
	uint32_t code;       /* COMPUTED: how many of the operations just before READ build the token, in order */
};
struct sj_addr {
	uint8_t root; /* enum sj_root */
	bool relative;
	uint8_t up;
	uint16_t count;
	const struct sj_seg *segs;
};

/* What a function sees. Values in args are borrowed; *out is given (one count) to the caller. ABSENT args are missing
 * or null-ish holes. */
struct sj_call {
	struct sj_surface *surface; /* NULL when called outside a surface */
	struct sj_mem *mem;
	void *ctx; /* of the function row */
	void *site; /* language data of the call site (the `data` given to sj_x_call) */
	const struct sj_value *args;
	uint32_t nargs;
	struct sj_diag *diag; /* fill on ERROR */
};
/* PURE: same arguments, same result; may not call the engine. DEFERRED: answered later by id (agent functions, slow
 * host functions). SOURCE: like DEFERRED but may be answered again and again until closed. EFFECT: never run by an
 * expression (ERROR). */
enum sj_fn_kind { SJ_FN_PURE, SJ_FN_DEFERRED, SJ_FN_SOURCE, SJ_FN_EFFECT };
struct sj_function {
	const char *name;
	enum sj_fn_kind kind;
	enum sj_result (*eval)(struct sj_call *call, struct sj_value *out); /* PURE only */
	void *ctx;
	bool remote; /* DEFERRED: arguments leave for a peer, so what is computed from secret places is masked */
};

/* Building code. Sticky: after a failure every call does nothing and sj_code_status tells. Operations push one value
 * unless said. The code may be kept apart (struct sj_code, for actions and one-shot evaluation) or go into a component
 * property. */
struct sj_code_builder;
void sj_x_const(struct sj_code_builder *b, struct sj_value take);
void sj_x_read(struct sj_code_builder *b, const struct sj_addr *a);   /* the value there, ABSENT when nothing is */
void sj_x_index(struct sj_code_builder *b, uint8_t up); /* INT: the row number of the frame; ERROR outside any */
void sj_x_text(struct sj_code_builder *b);                            /* pops one, pushes the language's text of it */
void sj_x_concat(struct sj_code_builder *b, uint32_t n);              /* pops n strings */
void sj_x_call(struct sj_code_builder *b, const struct sj_function *f, uint32_t nargs,
               const void *data);                                     /* pops nargs */
void sj_x_list(struct sj_code_builder *b, uint32_t n);                /* pops n; ABSENT items become null */
void sj_x_map(struct sj_code_builder *b, const struct sj_slice *keys,
              uint32_t n); /* pops n; ABSENT members are left out */
void sj_x_select(
	struct sj_code_builder *b); /* pops condition, then, else: the language's truthiness of condition decides */
void sj_x_fail(struct sj_code_builder *b, enum sj_code code,
               const char *message); /* always ERROR, reported once per change of arguments */
enum sj_status sj_code_status(const struct sj_code_builder *b);

/* Code that stands alone (an action's context): one block of memory. */
struct sj_code_block;
enum sj_status sj_code_begin(struct sj_surface *s, struct sj_code_builder **out);
enum sj_status sj_code_end(struct sj_code_builder *b, struct sj_code_block **out); /* consumes b in every case */
void sj_code_abandon(struct sj_code_builder *b);
void sj_code_destroy(struct sj_surface *s, struct sj_code_block *c);

#endif
