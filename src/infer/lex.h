/* What a model wrote where JSON was asked for, made into JSON, byte by byte. Internal to infer.
 *
 * Bytes go in, split anywhere; strict JSON text of one message at a time comes out, with white space left away. Text
 * that is JSON already comes out unchanged. Where it is not, the lexer mends what can be meant in one way only
 * (trailing and missing commas, quotes of another kind, comments, fences, Python's words, bare keys, brackets left
 * open) and lists it; everything else is a fault, after which it only looks for the end of the block.
 *
 * A list around the messages, and an object that begins with {"messages": [, are taken off; messages may also follow
 * each other without any (JSON lines).
 */
#ifndef SJ_INFER_LEX_H
#define SJ_INFER_LEX_H

#include "infer/format.h"

enum { SJ_LEX_DEPTH = 512, SJ_LEX_WORD = 64 };
enum { SJ_LEX_OUTER = 3 }; /* levels around a component: the message, its operation, the list */

enum sj_lex_event {
	SJ_LEX_MORE,    /* all bytes are used up */
	SJ_LEX_MESSAGE, /* `text` is one whole message: take it, then sj_lex_next */
	SJ_LEX_ANGLE,   /* the next byte is a '<' outside of strings */
};
enum sj_lex_state {
	SJ_LEX_TOP, /* between messages */
	SJ_LEX_FIRST_ITEM,
	SJ_LEX_ITEM,
	SJ_LEX_FIRST_KEY,
	SJ_LEX_KEY,
	SJ_LEX_COLON,
	SJ_LEX_VALUE,
	SJ_LEX_AFTER,
};
enum sj_lex_mode { /* inside which token; NONE between them */
	SJ_LEX_NONE,
	SJ_LEX_STRING,
	SJ_LEX_ESCAPE, /* after a backslash */
	SJ_LEX_WORD_MODE,
	SJ_LEX_NUMBER,
	SJ_LEX_LINE_COMMENT,
	SJ_LEX_BLOCK_COMMENT,
	SJ_LEX_STAR,     /* in a block comment, after a star */
	SJ_LEX_SLASH,    /* after one slash */
	SJ_LEX_TICKS,    /* backticks of a fence */
	SJ_LEX_LANGUAGE, /* the word after them */
	SJ_LEX_PROSE,    /* words around the payload */
};
struct sj_lex {
	struct sj_mem *mem;
	struct sj_repairs *repairs;
	struct sj_buf text; /* of the message so far */
	enum sj_lex_state state;
	enum sj_lex_mode mode;
	char quote;   /* of the open string: '"', '\'', or 'd', 's' for typographic double and single ones */
	bool is_key;
	bool comma;   /* a comma was read and not written yet */
	bool in_list, in_wrapper; /* what was taken off around the messages */
	bool list_comma;  /* a comma was read since the last message of the list */
	uint32_t listed;  /* messages of the list so far */
	bool any;     /* a message or a list has begun in this block */
	bool alone;   /* one began outside a list */
	bool dead;    /* after a fault */
	uint8_t odd[4], nodd; /* bytes of a character that may be a typographic quote */
	uint8_t ticks;
	uint16_t nword;
	char word[SJ_LEX_WORD];
	uint32_t depth;
	uint8_t stack[SJ_LEX_DEPTH]; /* '{' or '[' */
	uint32_t begun;   /* messages that have begun; an object that turns out to hold them is one too */
	uint32_t closed;  /* containers closed in this block so far */
	uint32_t outer;   /* of those, the ones that left at most SJ_LEX_OUTER levels open */
	uint32_t line;    /* of the next byte, in the response */
	uint64_t offset;
	uint32_t message_line;
	uint64_t message_offset;
	enum sj_status status; /* of the fault */
	struct sj_diag fault;
};
void sj_lex_init(struct sj_lex *l, struct sj_mem *mem, struct sj_repairs *repairs);
void sj_lex_finish(struct sj_lex *l);
/* A block begins at this place of the response. */
void sj_lex_begin(struct sj_lex *l, uint32_t line, uint64_t offset);
/* Reads on in [*at, end). SJ_NOMEM is a fault too. */
enum sj_lex_event sj_lex_next(struct sj_lex *l, const char **at, const char *end);
/* Bytes that the caller took for a tag and are none (the first is the '<'). */
void sj_lex_angle(struct sj_lex *l, struct sj_slice bytes);
/* The block is over. SJ_LEX_MESSAGE: what was open was closed and makes a message. Call until SJ_LEX_MORE. */
enum sj_lex_event sj_lex_end(struct sj_lex *l);
/* After SJ_LEX_MESSAGE, when its text is no longer needed. */
void sj_lex_drop(struct sj_lex *l);
static inline bool sj_lex_in_string(const struct sj_lex *l)
{
	return l->mode == SJ_LEX_STRING || l->mode == SJ_LEX_ESCAPE;
}

#endif
