/* What one notation gives to the rest of the module. Internal to infer: one row of this table for each format, in a
 * file of its own; everything that is the same for all of them (tags, parts, fences, checks of messages) is in
 * format.c. */
#ifndef SJ_INFER_FORMAT_H
#define SJ_INFER_FORMAT_H

#include "base/arena.h"
#include "infer/infer.h"

struct sj_format_ops {
	const char *name;
	const char *tags[3]; /* accepted tag names, NULL-ended; the first is written */
	bool streams;        /* `stream` may be given */
	bool groups_text;    /* parse: the text before a payload travels in the payload's part */
	bool streams_space;  /* streaming: text keeps the white space at its ends */
	bool checks;         /* compile has checked the messages itself */
	bool folds;          /* examples are shown with the messages of one surface joined (sj_compact_fold) */
	/* In a payload, bytes that open or close a string, so that a closing tag inside one is data: `"`, or `"` and
	 * `'` and the triple forms. */
	const char *quotes;
	/* Payload (trimmed, without its fence) to messages; need not call sj_format_check (the caller does). Repairs
	 * through sj_repair_note, with lines and offsets counted from the payload (the caller adds where that lies). */
	enum sj_status (*compile)(const struct sj_format *f, struct sj_slice payload, struct sj_value *messages,
	                          struct sj_repairs *repairs, struct sj_diag *diag);
	/* Streams: the next whole statements of a block that gave `before` messages so far. NULL: compile will do. */
	enum sj_status (*compile_more)(const struct sj_format *f, struct sj_slice statements, uint32_t before,
	                               struct sj_value *messages, struct sj_repairs *repairs, struct sj_diag *diag);
	enum sj_status (*decompile)(const struct sj_format *f, const struct sj_value *messages, struct sj_buf *out,
	                            struct sj_diag *diag);
	/* The format's own part of the prompt: how to write it, and signatures or schemas of what there is to write
	 * with (prompt.h helps). The options are checked. Instructions of the catalogs and the examples, decompiled,
	 * are added by sj_prompt_write: they do not belong here. */
	enum sj_status (*prompt)(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out,
	                         struct sj_diag *diag);
	/* How many bytes of an open payload, from its beginning, are whole statements that can be compiled now
	 * (streams); 0: no more than before. NULL: the format has a parser of its own (direct JSON) or does not stream.
	 * `scan` is what it remembers between calls: scan_bytes, zeroed when a block opens. */
	size_t (*ready)(const struct sj_format *f, void *scan, struct sj_slice payload);
	size_t scan_bytes;
};
struct sj_format {
	struct sj_mem *mem;
	const struct sj_format_ops *ops;
	struct sj_format_options opt; /* resolved: version and dialect are never NONE and AUTO */
	const struct sj_catalog **catalogs;
};

extern const struct sj_format_ops SJ_FORMAT_OPS_DIRECT_JSON, SJ_FORMAT_OPS_EXPRESS, SJ_FORMAT_OPS_VERTICAL,
	SJ_FORMAT_OPS_ELEMENTAL;

/* Both copy or take; SJ_NOMEM. */
enum sj_status sj_parts_add_text(struct sj_mem *mem, struct sj_parts *p, enum sj_part_kind kind, struct sj_slice text);
enum sj_status sj_parts_add_messages(struct sj_mem *mem, struct sj_parts *p, struct sj_value take);

/* prompt_direct.c: the part of direct JSON. */
enum sj_status sj_prompt_direct(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out,
                                struct sj_diag *diag);

/* Lists a repair. SJ_LIMIT: the cap is reached (diag says so). `repairs` is never NULL below format.c. */
enum sj_status sj_repair_note(struct sj_mem *mem, struct sj_repairs *repairs, enum sj_repair_kind kind, uint32_t line,
                              uint64_t offset, struct sj_diag *diag, const char *format, ...)
	__attribute__((format(printf, 7, 8)));

/* response.c: as sj_format_parse; all: as sj_format_read says of a response with a fault. */
enum sj_status sj_response_parse(const struct sj_format *f, struct sj_slice response, bool all, struct sj_parts *out,
                                 struct sj_repairs *repairs, struct sj_diag *diag);
/* lift.c: messages of a response without tags, see sj_format_read. *lifted: some were found; `out` has everything then,
 * with SJ_INVALID and SJ_LIMIT what stands before the run with the fault. */
enum sj_status sj_lift(const struct sj_format *f, struct sj_slice response, struct sj_parts *out,
                       struct sj_repairs *repairs, bool *lifted, struct sj_diag *diag);

/* How many count against the cap: lexical ones, or those guided by the schema. */
uint32_t sj_repairs_count(const struct sj_repairs *repairs, bool guided);

/* Which catalog of the format a name comes from. own: the catalogId that was written, ptr NULL for none. With several
 * catalogs a name must be known in exactly one, or say which (ValidationError). */
enum sj_status sj_format_component(const struct sj_format *f, struct sj_slice name, struct sj_slice own,
                                   const struct sj_catalog **catalog, const struct sj_a2ui_component **out,
                                   struct sj_diag *diag);
enum sj_status sj_format_function(const struct sj_format *f, struct sj_slice name, struct sj_slice own,
                                  const struct sj_catalog **catalog, const struct sj_a2ui_function **out,
                                  struct sj_diag *diag);
/* "path"/"@path", "call"/"@call" as the format's dialect spells them. */
struct sj_slice sj_format_key_path(const struct sj_format *f);
struct sj_slice sj_format_key_call(const struct sj_format *f);

#endif
