/* Finds a format's blocks in what a model says: text, an opening tag, payload, a closing tag. Internal to infer.
 *
 * Bytes may be split anywhere; what comes out is the same. Bytes that may still become a tag are held back. A closing
 * tag inside a string of the payload is data. Tags of other formats are text.
 */
#ifndef SJ_INFER_TAGS_H
#define SJ_INFER_TAGS_H

#include "infer/format.h"

/* A tag with its attributes may be this long; longer is text. */
enum { SJ_TAG_BYTES = 512 };

enum sj_tag_event {
	SJ_TAG_MORE,    /* all bytes are used up */
	SJ_TAG_TEXT,    /* *run is outside */
	SJ_TAG_OPEN,
	SJ_TAG_PAYLOAD, /* *run is inside */
	SJ_TAG_CLOSE,
};
struct sj_tagger {
	const struct sj_format_ops *ops;
	const char *name; /* of the open block; NULL outside */
	char held[SJ_TAG_BYTES];
	uint32_t nheld;
	bool is_named;    /* the held bytes begin with "<NAME" and something that ends a name */
	char tag_quote;   /* of an attribute */
	bool lent;        /* the held bytes were handed out as a run */
	/* Strings of the payload. */
	char quote;       /* that opened it; 0: outside of strings */
	uint8_t opening;  /* quotes seen in a row at its beginning, while a triple one is possible */
	uint8_t closing;  /* quotes seen in a row inside a triple one */
	bool is_triple, is_escaped;
	/* A format that reads its payload itself: takes the bytes and returns where a closing tag may begin. Bytes
	 * that were held and are no tag come as a run all the same. */
	const char *(*scan)(void *ctx, const char *p, const char *end);
	void *ctx;
};
void sj_tagger_init(struct sj_tagger *t, const struct sj_format_ops *ops, bool inside);
/* The next event in [*at, end); moves *at. A run is borrowed until the next call. */
enum sj_tag_event sj_tagger_next(struct sj_tagger *t, const char **at, const char *end, struct sj_slice *run);
/* What is still held when nothing more will come: text, or payload when a block is open. */
struct sj_slice sj_tagger_rest(const struct sj_tagger *t);

/* Surrounding white space, and a Markdown fence with its language word, taken off. *fenced is set when there was one;
 * may be NULL. */
struct sj_slice sj_payload_trim(struct sj_slice payload, bool *fenced);
struct sj_slice sj_text_trim(struct sj_slice text);
static inline bool sj_is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

#endif
