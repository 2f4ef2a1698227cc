/* Compiling one set: what compile.c (nodes, references, applicators) and assertions.c (everything else) share. */
#ifndef SJ_SCHEMA_COMPILE_H
#define SJ_SCHEMA_COMPILE_H

#include "schema/keyword.h"
#include "schema/program.h"

struct sj_schema_compiler {
	struct sj_schema_set *set;
	struct sj_diag *diag;
};

/* The schema object being compiled: its keywords by their value cells, 0 where absent. */
struct sj_schema_source {
	const struct sj_tape *tape;
	uint32_t node, doc, resource;
	uint32_t kw[SJ_SCHEMA_KW_COUNT];
};

#define SJ_SCHEMA_TRY(expr)                                                                                            \
	do {                                                                                                           \
		enum sj_status try_status = (expr);                                                                    \
		if (try_status != SJ_OK)                                                                               \
			return try_status;                                                                             \
	} while (0)
/* Room for `n` more in one of the pools; its items may move. */
#define SJ_SCHEMA_ROOM(c, vec, n)                                                                                      \
	(SJ_VEC_RESERVE((c)->set->mem, &(c)->set->vec, (c)->set->vec.count + (n), 0) == SJ_OK                          \
	         ? SJ_OK                                                                                               \
	         : sj_schema_compile_nomem(c))

enum sj_status sj_schema_compile_nomem(struct sj_schema_compiler *c);
enum sj_status sj_schema_compile_bad(struct sj_schema_compiler *c, const struct sj_schema_source *src, uint32_t cell,
                                     enum sj_schema_keyword k, const char *must); /* "'k' must be <must>" */
/* The decoded text of a string cell; it lives as long as the set. */
enum sj_status sj_schema_compile_text(struct sj_schema_compiler *c, uint32_t doc, uint32_t cell, struct sj_slice *out);
enum sj_status sj_schema_compile_symbol(struct sj_schema_compiler *c, const struct sj_schema_source *src, uint32_t cell,
                                        uint32_t *out);
/* The node of a subschema of the schema being compiled; filled later. */
enum sj_status sj_schema_compile_cell(struct sj_schema_compiler *c, const struct sj_schema_source *src, uint32_t cell,
                                      uint32_t *out);
/* The nodes of a list of subschemas, at an offset into `kids`. */
enum sj_status sj_schema_compile_list(struct sj_schema_compiler *c, const struct sj_schema_source *src,
                                      enum sj_schema_keyword k, uint32_t *offset, uint32_t *count);
enum sj_status sj_schema_emit(struct sj_schema_compiler *c, const struct sj_schema_source *src,
                              enum sj_schema_op_kind kind, unsigned on, uint32_t cell, uint32_t a, uint32_t b,
                              uint32_t third);
/* Gives the fault just put into the diagnostic its place in the document, when it has none. */
void sj_schema_compile_place(struct sj_schema_compiler *c, uint32_t doc, uint32_t cell);

enum sj_status sj_schema_compile_assertions(struct sj_schema_compiler *c, const struct sj_schema_source *src,
                                            uint8_t vocabulary);

#endif
