/* What is open while a Vertical statement is read: a stack of frames, one for each bracket and tag. Internal to infer.
 */
#ifndef SJ_INFER_VERTICAL_FRAME_H
#define SJ_INFER_VERTICAL_FRAME_H

#include "infer/vertical_build.h"

enum sj_frame_kind {
	SJ_FRAME_COMPONENT, /* Name(...) */
	SJ_FRAME_TAG,       /* <Name ...>, its attributes and then its content */
	SJ_FRAME_CALL,      /* name(...) */
	SJ_FRAME_CHECK,     /* ?name(..., "message") */
	SJ_FRAME_EVENT,     /* Event("name", key=value) */
	SJ_FRAME_LIST,
	SJ_FRAME_MAP,
};
struct sj_frame {
	enum sj_frame_kind kind;
	char closer;                          /* ) ] } or > */
	const struct sj_a2ui_prop *want;      /* what this value is for; NULL: anything */
	struct sj_value value;                /* component, args, context, list or map so far */
	const struct sj_a2ui_component *type;
	const struct sj_a2ui_function *fn;
	const struct sj_catalog *catalog;
	struct sj_value name;                 /* of an event, or a check's message; ABSENT so far */
	struct sj_slice id, key;              /* of a component; of the value that comes next (arena) */
	const struct sj_a2ui_prop *key_want;
	uint32_t slot, nargs;
	bool content, resume, after_value, after_comma; /* content: of a tag; resume: it goes on behind a brace */
	struct sj_value children; /* of a tag: ids, or ABSENT */
	struct sj_buf text;       /* of a tag */
};
struct sj_parse {
	struct sj_build b;
	struct sj_vertical *v;
	size_t at;
	struct sj_vertical_token tok; /* the one at `at` */
	SJ_VEC(struct sj_frame) stack;
	struct sj_value *surfaces;
	struct sj_buf scratch;
};

static inline struct sj_frame *sj_frame_top(struct sj_parse *p) { return &p->stack.items[p->stack.count - 1]; }
static inline struct sj_slice sj_parse_source(const struct sj_parse *p, const struct sj_vertical_token *t)
{
	return sj_slice(p->v->text.ptr + t->at, t->end - t->at);
}
/* Is the token this sign? */
static inline bool sj_parse_at(const struct sj_parse *p, char c)
{
	return p->tok.kind == SJ_VT_SIGN && p->tok.sign == c;
}

void sj_parse_advance(struct sj_parse *p); /* to the next token */

/* Opens. *out is borrowed until the next frame opens. */
enum sj_status sj_frame_push(struct sj_parse *p, enum sj_frame_kind kind, char closer, struct sj_frame **out);
enum sj_status sj_frame_component(struct sj_parse *p, struct sj_slice name, bool tag);
enum sj_status sj_frame_call(struct sj_parse *p, struct sj_slice name, bool check);
/* What the next value is for: a key that was written, or the next position. */
enum sj_status sj_frame_key(struct sj_parse *p, struct sj_frame *f, struct sj_slice key);
enum sj_status sj_frame_position(struct sj_parse *p, struct sj_frame *f);
const struct sj_a2ui_prop *sj_frame_wanted(const struct sj_frame *f);
bool sj_frame_takes_component(const struct sj_a2ui_prop *want);
/* A finished value goes into the top frame. Takes it. `text`: the bytes it was written as. */
enum sj_status sj_frame_put(struct sj_parse *p, struct sj_value take, struct sj_slice text, size_t at);
/* Closes the top frame into the one below it, or finishes the statement. */
enum sj_status sj_frame_close(struct sj_parse *p);
/* A closing sign: of the top frame, or of one below it, whose inner ones were left open. */
enum sj_status sj_frame_close_by(struct sj_parse *p, char sign);
void sj_frame_drop(struct sj_parse *p, struct sj_frame *f); /* frees what it holds */

#endif
