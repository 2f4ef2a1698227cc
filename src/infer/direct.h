/* Direct JSON while it arrives: payload bytes in, messages out. Internal to infer.
 *
 * Three layers, each of which looks at a byte once: the lexer (lex.h) makes strict JSON of what was written, one
 * message at a time; the reader of json makes cells of it, as far as it goes; this takes from the cells what is
 * certain.
 *
 * What may go out of a message that is still open:
 *   components  each when its object has closed and its catalog accepts it (before v1.0 also an open one that reads
 * well) data        closed values, and strings under progressive keys the rest    nothing; a message with a key, number
 * or string that is half there waits `deltas` says how: the whole message again, or only what is new, so that all the
 * work is linear.
 */
#ifndef SJ_INFER_DIRECT_H
#define SJ_INFER_DIRECT_H

#include "infer/check.h"
#include "infer/lex.h"
#include "json/reader.h"

/* Containers of a data model that new values are sent into, one inside the other; what lies deeper goes out when it
 * closes. */
enum { SJ_DIRECT_LEVELS = 8 };
struct sj_direct_level {
	uint32_t cell;
	uint32_t next;  /* cell of the first child (in an object: of its key) that was not sent */
	uint32_t index; /* children sent */
	size_t path;    /* length of its own path */
	bool held;      /* a child has a name no path can say: the whole goes out when it closes */
};
struct sj_direct_surface {
	char *id;
	size_t len;
	const struct sj_catalog *catalog;
};
struct sj_direct_open { /* the message that is arriving */
	bool known;     /* version, action and surface are there */
	bool hopeless;  /* nothing of it may go out before it closes */
	bool begun;     /* some of it went out as deltas */
	struct sj_envelope env;
	uint32_t list;  /* its array of components; 0: none yet */
	uint32_t next;  /* cell of the first component that was not looked at */
	uint32_t count; /* components that were accepted */
	struct sj_value all;   /* them; as deltas only where the message creates a surface */
	struct sj_value fresh; /* as deltas: those that did not go out yet */
	bool stuck;     /* a component was refused: `fault` */
	struct sj_diag fault;
	struct sj_value last; /* whole messages: what went out last */
	uint32_t last_cells, last_count;
	size_t last_len;
	/* deltas of a data model */
	struct sj_buf path;
	struct sj_direct_level levels[SJ_DIRECT_LEVELS];
	uint32_t nlevels;
	bool sent;    /* the value has closed, and all of it went out */
	size_t shown; /* bytes of an open string that were sent */
};
struct sj_direct {
	const struct sj_format *f;
	const struct sj_parser_options *opt;
	bool whole;           /* nothing goes out before the block closes ... */
	bool salvage;         /* ... and of a block with a fault, the messages that are good */
	struct sj_repairs *repairs;
	struct sj_lex lex;
	struct sj_arena cells, scratch;
	struct sj_reader reader;
	bool reading;         /* `reader` is at work on lex.text ... */
	uint32_t begun;       /* ... of the message with this number (lex.begun) */
	bool buried;          /* the lexer has stopped, and what it wrote was read to the end */
	uint32_t closed, outer; /* those of lex when the open message was looked at last */
	size_t read;          /* bytes of it that were read then */
	struct sj_check check;
	struct sj_direct_open open;
	struct sj_value out;  /* messages that go out with this feed; ABSENT: none */
	uint32_t number;      /* of the first of them in the response */
	uint32_t made;        /* messages of the response before the open one */
	uint32_t in_block;    /* of the block */
	enum sj_status status; /* of the first message in this block that is not good */
	struct sj_diag fault;
	struct sj_buf last_surface; /* id that the last good message wrote to, for a bare component */
	bool version_said;          /* a message of the response has stated its version */
	SJ_VEC(struct sj_direct_surface) surfaces; /* which catalog each has, where several are active */
};
void sj_direct_init(struct sj_direct *d, const struct sj_format *f, const struct sj_parser_options *opt,
                    struct sj_repairs *repairs);
void sj_direct_finish(struct sj_direct *d);
void sj_direct_begin(struct sj_direct *d, uint32_t line, uint64_t offset);
/* Payload bytes up to a '<' that may begin a closing tag; returns where it stopped. SJ_NOMEM through d->status. */
const char *sj_direct_bytes(struct sj_direct *d, const char *p, const char *end);
/* The end of a feed: what is certain of the open message. */
enum sj_status sj_direct_flush(struct sj_direct *d);
/* The end of the block; faults that waited come out. */
enum sj_status sj_direct_close(struct sj_direct *d, struct sj_diag *diag);

/* parser.c: a whole response; *out may hold parts when it fails, with `salvage` all that are good. */
enum sj_status sj_direct_parse(const struct sj_format *f, struct sj_slice response, bool salvage, struct sj_parts *out,
                               struct sj_repairs *repairs, struct sj_diag *diag);

/* direct_open.c */
enum sj_status sj_direct_read(struct sj_direct *d, bool final); /* text to cells; SJ_MORE: the message is open */
void sj_direct_place(struct sj_direct *d, struct sj_diag *diag); /* from the message's text to the response */
struct sj_tape sj_direct_tape(const struct sj_direct *d, uint32_t count);
struct sj_tape sj_direct_peek(struct sj_direct *d, bool *half);
bool sj_direct_is_open(const struct sj_direct *d, uint32_t cell, uint32_t level);
/* Version, action and surface, once they are there; then the list of components. SJ_ABSENT: not yet. */
enum sj_status sj_direct_identify(struct sj_direct *d, const struct sj_tape *t);
/* May the string that is open be shown as it stands? */
bool sj_direct_may_show(struct sj_direct *d, const struct sj_tape *t);
enum sj_status sj_direct_open_string(struct sj_direct *d, struct sj_value *out);
enum sj_status sj_direct_open_value(struct sj_direct *d, const struct sj_tape *t, uint32_t level, bool text,
                                    struct sj_value *out);
enum sj_status sj_direct_emit(struct sj_direct *d, struct sj_value take);
/* Which catalog the surface of this body has, for the check. */
void sj_direct_surface(struct sj_direct *d, const struct sj_tape *t, uint32_t body);
enum sj_status sj_direct_release(struct sj_direct *d, const struct sj_tape *t, uint32_t open_cell);
/* The message as it stands, with the components that were accepted. */
enum sj_status sj_direct_build(struct sj_direct *d, const struct sj_tape *t, bool text, struct sj_value *out);
enum sj_status sj_direct_partial(struct sj_direct *d);
void sj_direct_forget(struct sj_direct *d); /* the open message is through */

/* direct_delta.c: what is new in an open or (final) closed message. */
enum sj_status sj_direct_deltas(struct sj_direct *d);
enum sj_status sj_direct_last_deltas(struct sj_direct *d, const struct sj_tape *t);

/* Schema-guided repair of a message or component that was refused (heal.c). SJ_OK: *v is good now, the repairs are
 * listed; else nothing has changed and the fault stands. */
enum sj_status sj_heal_message(struct sj_direct *d, struct sj_value *v);
enum sj_status sj_heal_component(struct sj_direct *d, enum sj_version version, struct sj_value *v);

#endif
