/* The agent's side of the wire: what a model wrote becomes messages, messages become what a model would write, and
 * the prompt that tells it how.
 *
 * A *format* is one notation a model may write in (direct JSON, Express, Vertical, Elemental), bound to the catalogs of
 * a session; it is immutable once made and borrows its catalogs. A *response* is everything a model said: text, with
 * blocks of the format between its tags. It becomes *parts*. A *repair* is a change that was made to read what was
 * meant: each is listed with its place, none is silent, and beyond a cap the block is refused.
 *
 * Nothing here keeps state between responses: a struct sj_parser reads one response and is then done with. Text may
 * arrive split at any byte; what comes out of a whole response is the same for every split.
 */
#ifndef SJ_INFER_INFER_H
#define SJ_INFER_INFER_H

#include "a2ui/catalog.h"
#include "base/buf.h"

enum sj_format_id {
	SJ_FORMAT_DIRECT_JSON,
	SJ_FORMAT_EXPRESS,
	SJ_FORMAT_VERTICAL,
	SJ_FORMAT_ELEMENTAL,
	SJ_FORMAT_COUNT
};
const char *sj_format_name(enum sj_format_id id); /* "direct_json", "express", "vertical", "elemental" */
bool sj_format_find(struct sj_slice name, enum sj_format_id *out); /* also "direct-json" */

struct sj_format;
struct sj_format_options {
	enum sj_format_id id;
	const struct sj_catalog *const *catalogs; /* borrowed, alive as long as the format; may be none */
	uint32_t ncatalogs;
	enum sj_version version; /* of the messages written; NONE: that of the first catalog, else v1.0 */
	enum sj_dialect dialect; /* of the v1.0 messages written; AUTO: bare with one catalog, reserved with several */
};
/* SJ_INVALID (CatalogError): two catalogs with one id. SJ_NOMEM. The caller owns *out. */
enum sj_status sj_format_create(struct sj_mem *mem, const struct sj_format_options *opt, struct sj_format **out,
                                struct sj_diag *diag);
void sj_format_destroy(struct sj_format *f); /* NULL is fine */
enum sj_format_id sj_format_kind(const struct sj_format *f);
const char *sj_format_tag(const struct sj_format *f); /* the name of the tag it is written between */
enum sj_version sj_format_version(const struct sj_format *f); /* of its messages */
bool sj_format_streams(const struct sj_format *f); /* does a block give messages before it closes? */

/* ---- repairs ---- */

enum sj_repair_kind {
	/* lexical: the text was no JSON (or no sentence of the format) */
	SJ_REPAIR_FENCE,          /* a Markdown fence inside a block */
	SJ_REPAIR_QUOTES,         /* typographic or single quotes */
	SJ_REPAIR_TRAILING_COMMA,
	SJ_REPAIR_COMMENT,
	SJ_REPAIR_UNCLOSED,       /* brackets or a string were closed where the text ended */
	SJ_REPAIR_TEXT_AROUND,    /* words around the payload inside its tags */
	SJ_REPAIR_LITERAL,        /* True, None, unquoted keys, missing commas and their kin */
	SJ_REPAIR_NOT_A_LIST,     /* one message where a list is expected; not counted against the cap */
	SJ_REPAIR_SYNTAX,         /* healed notation of a compact format */
	SJ_REPAIR_LIFTED,         /* messages outside of any tags */
	/* guided by the schema: the text was read, the message was not valid */
	SJ_REPAIR_NESTED_PROPS,   /* members inside "props"/"properties" moved up */
	SJ_REPAIR_FLAT_OPERATION, /* the operation's members beside "version", without the operation's key */
	SJ_REPAIR_BARE_COMPONENT, /* a component where a message is expected */
	SJ_REPAIR_NAME_CASE,      /* a component, property, function or enum value in another case or spelling */
	SJ_REPAIR_PATH_STRING,    /* "/a/b" where a binding is meant */
	SJ_REPAIR_WRAPPED_TYPE,   /* {"Text": {...}} or {"type": "Text"} */
	SJ_REPAIR_SCALAR,         /* "42" for a number, "true" for a boolean, one value for a list of one */
	SJ_REPAIR_VERSION,        /* version missing or misspelt */
	SJ_REPAIR_ALIAS,          /* a property's name of another version (usageHint for variant) */
	SJ_REPAIR_KINDS
};
const char *sj_repair_name(enum sj_repair_kind kind); /* "trailing_comma" ... */
struct sj_repair {
	enum sj_repair_kind kind;
	uint32_t line;      /* 1-based in the response */
	uint64_t offset; /* bytes from the start of the response, of the block when the message is all that is known */
	char pointer[192];  /* into the payload's message list, "" for lexical ones */
	char text[192];     /* what was done, one sentence */
};
struct sj_repairs {
	SJ_VEC(struct sj_repair) list; /* in the order they were made */
	/* At most so many lexical ones, and so many guided by the schema; 0: none at all. A block that needs more is
	 * refused: SJ_LIMIT, or the fault of the message that would have been mended. */
	uint32_t cap;
};
#define SJ_REPAIRS_DEFAULT_CAP 64

/* ---- parts of a response ---- */

enum sj_part_kind { SJ_PART_TEXT, SJ_PART_RAW, SJ_PART_MESSAGES };
struct sj_part {
	enum sj_part_kind kind;
	char *text; /* TEXT, RAW: owned, NUL-terminated. MESSAGES of a format that groups: the text before, or NULL */
	size_t len;
	struct sj_value messages; /* MESSAGES: array, owned */
	uint32_t number; /* MESSAGES of a parser: which message of the response the first of them is; the others follow.
	                    One that goes out again, or (deltas) in pieces, keeps its number */
	bool unterminated;        /* RAW: the block's closing tag never came */
	bool fenced;              /* RAW: a Markdown fence was taken off */
	uint32_t line;            /* RAW: where the payload begins in the response, 1-based ... */
	uint64_t offset;          /* ... and in bytes */
};
struct sj_parts {
	SJ_VEC(struct sj_part) list;
};
void sj_parts_clear(struct sj_mem *mem, struct sj_parts *p); /* frees what the parts own, keeps the list */
void sj_parts_finish(struct sj_mem *mem, struct sj_parts *p);

/* Does the text hold a block of this format? complete: one that also closes. */
bool sj_format_has_content(const struct sj_format *f, struct sj_slice text, bool complete);
/* Text and raw payloads in order; nothing is compiled. SJ_NOMEM. */
enum sj_status sj_format_unwrap(const struct sj_format *f, struct sj_slice text, struct sj_parts *out);
/* The opposite: TEXT as it is, RAW and MESSAGES between tags. */
enum sj_status sj_format_wrap(const struct sj_format *f, const struct sj_parts *parts, struct sj_buf *out,
                              struct sj_diag *diag);
/* A payload (without tags) to an array of messages, each valid by the catalogs. `repairs` NULL: default cap, listed
 * nowhere else. SJ_INVALID: ParseError when it cannot be read, CompileError where the notation says nothing sensible,
 * ValidationError when the messages break the catalog; SJ_LIMIT: too many repairs. */
enum sj_status sj_format_compile(const struct sj_format *f, struct sj_slice payload, struct sj_value *messages,
                                 struct sj_repairs *repairs, struct sj_diag *diag);
/* Messages as a model would have written them; compiling the text gives them back. SJ_INVALID (CompileError): the
 * notation cannot express one. */
enum sj_status sj_format_decompile(const struct sj_format *f, const struct sj_value *messages, struct sj_buf *out,
                                   struct sj_diag *diag);
/* A whole response. */
enum sj_status sj_format_parse(const struct sj_format *f, struct sj_slice response, struct sj_parts *out,
                               struct sj_repairs *repairs, struct sj_diag *diag);

/* A whole response as a person wants to see it: as sj_format_parse, but
 *   - before a fault (SJ_INVALID, SJ_LIMIT) `out` holds what was good: the parts before the block, and in direct JSON
 *     the messages of the block that have no fault;
 *   - where there is no block at all, messages outside of tags are lifted out of the words, each run of them listed as
 *     a repair (lifted): in direct JSON fenced or bare JSON with the keys of messages, else a fence with the name of
 *     the format. Not when the cap of repairs is 0. */
enum sj_status sj_format_read(const struct sj_format *f, struct sj_slice response, struct sj_parts *out,
                              struct sj_repairs *repairs, struct sj_diag *diag);

/* One message (an element of a compiled array) against the version's envelope and the format's catalogs, without
 * knowledge of earlier messages. The first fault in diag, pointer relative to the message. */
enum sj_status sj_format_check(const struct sj_format *f, const struct sj_value *message, struct sj_diag *diag);

/* ---- streaming ---- */

struct sj_parser;
struct sj_parser_options {
	const struct sj_slice *progressive_keys; /* properties whose strings may be shown while they still arrive */
	uint32_t nprogressive;
	bool unwrapped;    /* the whole stream is one payload, there are no tags */
	bool deltas; /* an updated message carries only what is new (linear), instead of the whole message again */
	uint32_t repair_cap;
};
/* The format must outlive the parser. opt NULL: no progressive keys, tags, whole messages, default cap. */
enum sj_status sj_parser_create(const struct sj_format *f, const struct sj_parser_options *opt, struct sj_parser **out);
void sj_parser_destroy(struct sj_parser *p);
/* Appends to `out` what became certain with these bytes. After an error the parser only returns that error. */
enum sj_status sj_parser_feed(struct sj_parser *p, const char *bytes, size_t n, struct sj_parts *out,
                              struct sj_diag *diag);
enum sj_status sj_parser_end(struct sj_parser *p, struct sj_parts *out, struct sj_diag *diag);
const struct sj_repairs *sj_parser_repairs(const struct sj_parser *p); /* so far */

/* ---- prompts ---- */

struct sj_prompt_options {
	const struct sj_slice *allowed_messages; /* NULL: all of the version; an unknown name is a ValidationError */
	uint32_t nallowed;
	const struct sj_value
		*examples; /* array of message lists or of {name, description, messages}; each is checked */
	bool brief;                      /* rules and signatures instead of whole schemas */
};
/* Do the options fit the format's catalogs? Each message of an example by itself; an example that makes every surface
 * it writes also as a whole, by a strict engine. Errors as sj_prompt_write, but that no catalogs are no fault yet. */
enum sj_status sj_prompt_check(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_diag *diag);
/* The text that makes a model write this format for these catalogs: the same bytes for the same arguments. SJ_INVALID:
 * CatalogError without catalogs, ValidationError for a bad example or message name. */
enum sj_status sj_prompt_write(const struct sj_format *f, const struct sj_prompt_options *opt, struct sj_buf *out,
                               struct sj_diag *diag);

#endif
