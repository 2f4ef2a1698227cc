/* An agent and its sessions: which catalogs may be written for, the formats bound to them, and what was said so far.
 *
 * An *agent* holds the catalogs it was registered with, each changed once by its transformers. A *session* is one
 * renderer's: the catalogs both sides know, one format for each notation asked for, and one strict engine that every
 * accepted message has gone through, so that an update to an earlier surface is checked
 * against that surface. What a renderer brings along inline belongs to its session and is never transformed.
 *
 * Ownership: a session borrows its agent, an agent borrows nothing once it is made. Neither is shared by threads.
 */
#ifndef SJ_INFER_SESSION_H
#define SJ_INFER_SESSION_H

#include "engine/engine.h"
#include "infer/infer.h"

/* An allow-list for components, for functions, or for both. NULL: all of them stay. Names that the catalog does not
 * have are ignored. */
struct sj_pruning {
	const struct sj_slice *components, *functions;
	uint32_t ncomponents, nfunctions;
};
struct sj_registration {
	const struct sj_catalog *catalog; /* borrowed while the agent is made */
	const struct sj_pruning *transformers; /* applied in order */
	uint32_t ntransformers;
};
struct sj_agent_options {
	const struct sj_registration *catalogs;
	uint32_t ncatalogs;
	bool accepts_inline; /* catalogs that a renderer brings along */
};

struct sj_agent;
/* SJ_INVALID (CatalogError): two catalogs with one id. SJ_NOMEM. The caller owns *out and destroys it after its
 * sessions. */
enum sj_status sj_agent_create(struct sj_mem *mem, const struct sj_agent_options *opt, struct sj_agent **out,
                               struct sj_diag *diag);
void sj_agent_destroy(struct sj_agent *a); /* NULL is fine */
uint32_t sj_agent_catalog_count(const struct sj_agent *a);
const struct sj_catalog *sj_agent_catalog(const struct sj_agent *a, uint32_t i); /* as transformed */
bool sj_agent_accepts_inline(const struct sj_agent *a);
struct sj_mem *sj_agent_mem(const struct sj_agent *a); /* its account; sessions take from it too */
/* What the agent says of itself in the handshake: {"v1.0": {"supportedCatalogIds": [...], "acceptsInlineCatalogs":
 * ...}}, one entry for each version it has catalogs of, in their order. Requirements a2ui 11. */
enum sj_status sj_agent_capabilities(const struct sj_agent *a, struct sj_buf *out);

/* Catalogs that one session may have. */
#define SJ_SESSION_MAX_CATALOGS 64
/* What both sides know, in the renderer's order of preference; then what it brought along, which the caller owns.
 * Errors as sj_session_create. Requirements a2ui 16. */
struct sj_negotiated {
	const struct sj_catalog *active[SJ_SESSION_MAX_CATALOGS];
	struct sj_catalog *made[SJ_SESSION_MAX_CATALOGS]; /* the inline ones among them */
	uint32_t nactive, nmade;
};
enum sj_status sj_agent_negotiate(const struct sj_agent *a, const struct sj_tape *capabilities, uint32_t cell,
                                  struct sj_negotiated *out, struct sj_diag *diag);
void sj_negotiated_finish(struct sj_negotiated *n);

struct sj_session_options {
	const struct sj_tape *capabilities; /* the renderer's object, keyed by version; NULL: it sent none */
	uint32_t capabilities_cell;
	const enum sj_format_id *formats; /* the first is the usual one; NULL: direct JSON */
	uint32_t nformats;
	enum sj_dialect dialect;          /* as for sj_format_create */
	const struct sj_value *examples;  /* as for sj_prompt_write; borrowed while the session lives */
	const struct sj_slice *allowed_messages; /* likewise */
	uint32_t nallowed;
	const struct sj_limits *limits; /* NULL: SJ_LIMITS_DEFAULT */
};

struct sj_session;
/* SJ_INVALID: CatalogError when nothing both sides know is left, ValidationError when the capabilities have no entry
 * for the agent's versions, when an example breaks the active catalogs or an allowed message is unknown; SJ_LIMIT: too
 * many catalogs. SJ_NOMEM. The caller owns *out. */
enum sj_status sj_session_create(struct sj_agent *agent, const struct sj_session_options *opt, struct sj_session **out,
                                 struct sj_diag *diag);
void sj_session_destroy(struct sj_session *s); /* NULL is fine */

/* Active catalogs in the renderer's order of preference, inline ones last. */
uint32_t sj_session_catalog_count(const struct sj_session *s);
const struct sj_catalog *sj_session_catalog(const struct sj_session *s, uint32_t i);
/* NULL: the session has no such format. Bound to the active catalogs; parsers made from it share nothing. */
const struct sj_format *sj_session_format(const struct sj_session *s, enum sj_format_id id);
const struct sj_format *sj_session_usual_format(const struct sj_session *s);
/* The prompt of one format, for the active catalogs, with the session's examples. SJ_INVALID (CompileError): no such
 * format, or an example that its notation cannot say. */
enum sj_status sj_session_prompt(const struct sj_session *s, enum sj_format_id id, bool brief, struct sj_buf *out,
                                 struct sj_diag *diag);

/* Takes messages (an array) in order through the session's engine. The first fault ends it: diag, its pointer beginning
 * with the message's place; *taken (may be NULL) is how many before it are in force, as they are on a renderer that was
 * sent them. Answers and calls (v1.0 RPC) are checked for themselves only. Once the array is through, its surfaces must
 * be whole: no reference leads nowhere, a root is there (IntegrityError). */
enum sj_accept {
	SJ_ACCEPT_WHOLE = 1, /* a fault takes back what came before it in this call; *taken is 0 */
	SJ_ACCEPT_MORE = 2,  /* the response goes on: what is missing may still come */
};
enum sj_status sj_session_accept(struct sj_session *s, const struct sj_value *messages, unsigned flags, uint32_t *taken,
                                 struct sj_diag *diag);
/* A whole response: parts as sj_format_parse makes them, and then all of their messages accepted as one whole. On a
 * fault `out` is as it was. */
enum sj_status sj_session_parse(struct sj_session *s, enum sj_format_id id, struct sj_slice response,
                                struct sj_parts *out, struct sj_repairs *repairs, struct sj_diag *diag);
/* What the renderer is taken to show. Borrowed; for reading. NULL: memory ran out while a response was taken back. */
struct sj_engine *sj_session_engine(struct sj_session *s);

#endif
