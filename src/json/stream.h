/* The incremental reader: bytes in any split, documents out.
 *
 * Feeds append; each byte is looked at a bounded number of times, so the cost is linear for every split. Documents
 * stand one after the other, separated by any white space (JSON Lines, one pretty-printed value, or several). After a
 * faulty document the reader reports one fault and skips to the next line that begins with '{' or '[' in its first
 * column, so one bad line costs one error. While a document is arriving, sj_json_stream_peek shows the tape so far:
 * containers and strings that are still open carry SJ_CELL_OPEN, everything else on it is final.
 */
#ifndef SJ_JSON_STREAM_H
#define SJ_JSON_STREAM_H

#include "json/tape.h"

struct sj_json_stream;

enum sj_status sj_json_stream_create(struct sj_mem *mem, const struct sj_json_options *opt,
                                     struct sj_json_stream **out);
void sj_json_stream_destroy(struct sj_json_stream *s);

/* Gives bytes; they are borrowed only until sj_json_stream_next returns SJ_MORE. Call next until then, before the next
 * feed. */
void sj_json_stream_feed(struct sj_json_stream *s, const char *bytes, size_t n);
/* Instead of feed and next: true when the bytes were kept and nothing can come of them yet (inside a container, none of
 * them closes one or ends a line, few are waiting). false: nothing was done, feed them. This is what makes many tiny
 * feeds as cheap as one; a fault among deferred bytes is reported when they are read, at its own place. */
bool sj_json_stream_defer(struct sj_json_stream *s, const char *bytes, size_t n);
/* Tells that nothing more will come: an unfinished document becomes JSON_INCOMPLETE, a pending top-level number is
 * completed. */
void sj_json_stream_end(struct sj_json_stream *s);
/* SJ_OK: *out is a whole document, valid until the next call on s; *offset is its first byte's position in the stream
 * and *line its first line. SJ_MORE: feed more (after end: finished). SJ_INVALID / SJ_LIMIT: diag (offset, line are of
 * the stream); call next again to go on with the next document. A document that lies whole inside one feed is parsed in
 * place, without a copy. */
enum sj_status sj_json_stream_next(struct sj_json_stream *s, struct sj_tape *out, uint64_t *offset, uint32_t *line,
                                   struct sj_diag *diag);
/* After SJ_MORE: the unfinished document's tape so far; false when there is none. Valid until the next call on s. */
bool sj_json_stream_peek(struct sj_json_stream *s, struct sj_tape *out, uint64_t *offset, uint32_t *line);

#endif
