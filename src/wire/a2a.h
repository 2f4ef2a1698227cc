/* A2UI over A2A (Agent2Agent): the extension's URIs and its activation, agent-card parameters, parts with A2UI messages
 * in them, the metadata that travels with a message, and JSON-RPC requests and replies. Bytes and values in, values and
 * bytes out; who carries them is the embedder's business. Requirements a2ui 18.
 *
 * A *dialect* is what one version of A2UI looks like on this wire. Versions are told apart here by their names alone
 * ("v0.9"), so that a version this library does not speak can still be compared and offered.
 *
 * Values handed out are owned by the caller; slices are borrowed from the arguments they were found in.
 */
#ifndef SJ_WIRE_A2A_H
#define SJ_WIRE_A2A_H

#include "json/value.h"

#define SJ_A2A_URI_BASE "https://a2ui.org/a2a-extension/a2ui/v"
#define SJ_A2A_HEADER "X-A2A-Extensions"
#define SJ_A2A_MIME "application/a2ui+json"
#define SJ_A2A_MIME_V08 "application/json+a2ui" /* still read everywhere */

struct sj_a2a_dialect {
	const char *version, *uri, *mime;
	const char *capabilities_key, *data_model_key; /* members of a message's metadata */
	bool lists;                                    /* a part holds a list of messages, not one of them */
};
extern const struct sj_a2a_dialect SJ_A2A_DIALECTS[]; /* oldest first */
enum { SJ_A2A_NDIALECTS = 4 };
/* By version ("0.9", "v0.9") or by URI; NULL when this library does not speak it. */
const struct sj_a2a_dialect *sj_a2a_dialect(struct sj_slice version_or_uri);

/* ---- activation ---- */

/* The version inside an extension's URI, without its v: digits and dots. false: no URI of A2UI. */
bool sj_a2a_uri_version(struct sj_slice uri, struct sj_slice *version);
/* By number, part by part (1.10 is newer than 1.9); a missing part is 0. Digits and dots only. <0, 0, >0. */
int sj_a2a_version_cmp(struct sj_slice a, struct sj_slice b);
/* The newest A2UI extension that was requested and is advertised. Both are arrays of URIs, compared as they are
 * written; advertised NULL: what this library speaks. false: none in common. The URI is borrowed from `requested`. */
bool sj_a2a_newest(const struct sj_value *requested, const struct sj_value *advertised, struct sj_slice *uri);
/* The next URI of the header X-A2A-Extensions, a list with commas. `rest` begins as the whole header. */
bool sj_a2a_header_next(struct sj_slice *rest, struct sj_slice *uri);
/* The agent card's entry: {uri, description, params?}. catalog_ids: array of strings or NULL. SJ_INVALID: no version.
 */
enum sj_status sj_a2a_extension(struct sj_mem *mem, struct sj_slice version, const struct sj_value *catalog_ids,
                                bool accepts_inline, struct sj_value *out, struct sj_diag *diag);

/* ---- parts ---- */

/* Either spelling; parameters and case do not count (RFC 2045). */
bool sj_a2a_is_mime(struct sj_slice mime);
bool sj_a2a_part_is_a2ui(const struct sj_value *part);
/* {kind: "data", data, metadata: {mimeType}}. dialect NULL: v0.8, whose receivers know no other. data is taken. */
enum sj_status sj_a2a_part(struct sj_mem *mem, const struct sj_a2a_dialect *dialect, struct sj_value take,
                           struct sj_value *out);
enum sj_status sj_a2a_text_part(struct sj_mem *mem, struct sj_slice text, struct sj_value *out);
/* Appends an array of messages to `parts`: as one part, but those of v0.8 as one part each. A message says by itself
 * whether it is one of v0.8 (it has no version), whatever the dialect; the dialect chooses the MIME type, and NULL or
 * v0.8 one part each for all. */
enum sj_status sj_a2a_put_messages(struct sj_mem *mem, const struct sj_a2a_dialect *dialect,
                                   const struct sj_value *messages, struct sj_value *parts);
/* The messages of a part, as an array. SJ_ABSENT: it holds no A2UI. SJ_INVALID: its data is no message and no list. */
enum sj_status sj_a2a_part_messages(struct sj_mem *mem, const struct sj_value *part, struct sj_value *out,
                                    struct sj_diag *diag);

/* ---- metadata ---- */

/* What a renderer says of itself with a message; both spellings of the keys are read, the newer one wins. Borrowed. */
const struct sj_value *sj_a2a_capabilities(const struct sj_value *metadata);
const struct sj_value *sj_a2a_data_model(const struct sj_value *metadata);
/* Sets the keys of the dialect in an object; what is NULL or absent is left out. */
enum sj_status sj_a2a_metadata(struct sj_mem *mem, const struct sj_a2a_dialect *dialect,
                               const struct sj_value *capabilities, const struct sj_value *data_model,
                               struct sj_value *metadata);
/* Appends to an array the extensions a message asks for: its member `extensions` and the header's key in metadata. */
enum sj_status sj_a2a_requested(struct sj_mem *mem, const struct sj_value *message, struct sj_value *uris);

/* ---- JSON-RPC ---- */

enum sj_a2a_method { SJ_A2A_SEND, SJ_A2A_STREAM };
struct sj_a2a_request {
	struct sj_value id; /* string, number or null; ABSENT: nobody waits for a reply */
	enum sj_a2a_method method;
	struct sj_value message; /* params.message, an object with an array `parts` */
	struct sj_slice context_id; /* borrowed from message; empty when it has none */
};
/* One JSON-RPC 2.0 request message/send or message/stream. SJ_INVALID (ParseError, RpcError): out->id is what could be
 * read, so that the refusal can name it; finish it as well. SJ_LIMIT, SJ_NOMEM. */
enum sj_status sj_a2a_request_read(struct sj_mem *mem, const struct sj_json_options *opt, struct sj_slice bytes,
                                   struct sj_a2a_request *out, struct sj_diag *diag);
void sj_a2a_request_finish(struct sj_mem *mem, struct sj_a2a_request *r);
/* The agent's message as the result. message_id: unique, the caller's to choose. parts: array, borrowed. */
void sj_a2a_reply(struct sj_buf *out, const struct sj_a2a_request *r, struct sj_slice message_id,
                  const struct sj_value *parts);
/* The refusal of a request: -32700 when it was no JSON, -32601 for the method, -32602 for its params, else -32600. */
void sj_a2a_refusal(struct sj_buf *out, const struct sj_a2a_request *r, const struct sj_diag *diag);

#endif
